// Snapshots as Python objects.
#ifndef COSM_PYTHON_SNAPSHOT_H
#define COSM_PYTHON_SNAPSHOT_H

#include "package.h"

struct snapshot {
    PyObject_HEAD struct hold *hold; // a share; NULL: closed
    cosm_snapshot *snapshot;         // NULL: closed
    uint32_t use_count;              // calls without the GIL that read it
    PyObject *weak_list;
};

// Takes over `snapshot`. NULL with an error set.
PyObject *cosmi_python_snapshot_make(struct hold *hold, cosm_snapshot *snapshot);

#endif
