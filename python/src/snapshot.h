// Snapshots as Python objects.
#ifndef COSM_PYTHON_SNAPSHOT_H
#define COSM_PYTHON_SNAPSHOT_H

#include "package.h"

// Taken of a simulation (`hold` and `snapshot`), or unpickled (`bytes`, `env` and `world_count`): a
// save file in memory, which belongs to no simulation. All are zero once it is closed.
struct snapshot {
    PyObject_HEAD struct hold *hold; // a share
    cosm_snapshot *snapshot;
    PyObject *bytes;
    PyObject *env; // str: the name of the environment
    uint32_t world_count;
    uint32_t use_count; // calls without the GIL that read it
    PyObject *weak_list;
};

// Takes over `snapshot`. NULL with an error set.
PyObject *cosmi_python_snapshot_make(struct hold *hold, cosm_snapshot *snapshot);

// pickle.c: Snapshot.__reduce__; the function of the module that unpickles one; and restoring one
// that has bytes: None, or NULL with an error set.
PyObject *cosmi_python_snapshot_reduce(PyObject *self, PyObject *unused);
PyObject *cosmi_python_snapshot_unpickle(PyObject *module, PyObject *args);
PyObject *cosmi_python_restore_bytes(struct hold *hold, const struct snapshot *snapshot,
                                     const char *call);

#endif
