// Simulations as Python objects: what the files that implement them share.
#ifndef COSM_PYTHON_SIM_H
#define COSM_PYTHON_SIM_H

#include "package.h"

struct sim {
    PyObject_HEAD struct hold *hold; // a share; NULL before __init__, and after close
    uint64_t seed;
    uint64_t world_first;
    uint32_t worker_count; // as asked for; zero: one per core
    PyObject *origin;      // str: the name of a built-in environment, or the path of a library
    char *loaded;          // what the loader was given for that path; NULL: a built-in one
    bool is_closed;
    PyObject *weak_list;
};

// Every call that reads arguments or makes objects runs between `enter` and `leave`: code of an
// argument's class, or of an object that is collected meanwhile, may close the simulation, and the
// share that `enter` takes keeps its memory until the call is through. NULL, with an error set,
// where it is closed; `leave` takes NULL.
struct hold *cosmi_python_sim_enter(PyObject *self, const char *call);
void cosmi_python_sim_leave(struct hold *hold);

// A call that runs without the GIL: `begin` asks, once arguments were read, whether it may still
// run, marks the simulation busy and lets go of the GIL; `end` takes it again.
bool cosmi_python_sim_begin(struct hold *hold, const char *call, PyThreadState **out_state);
void cosmi_python_sim_end(struct hold *hold, PyThreadState *state);

// The methods, by file.
// sim_step.c
PyObject *cosmi_python_sim_step(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names);
PyObject *cosmi_python_sim_step_many(PyObject *module, PyObject *args);
PyObject *cosmi_python_sim_reset(PyObject *self, PyObject *args, PyObject *names);
PyObject *cosmi_python_sim_set(PyObject *self, PyObject *args, PyObject *names);
PyObject *cosmi_python_sim_refresh(PyObject *self, PyObject *unused);
// sim_state.c
PyObject *cosmi_python_sim_hash(PyObject *self, PyObject *args, PyObject *names);
PyObject *cosmi_python_sim_save(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names);
PyObject *cosmi_python_sim_load(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names);
PyObject *cosmi_python_sim_snapshot(PyObject *self, PyObject *unused);
PyObject *cosmi_python_sim_restore(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                   PyObject *names);
PyObject *cosmi_python_sim_fork(PyObject *self, PyObject *args, PyObject *names);
// pickle.c
PyObject *cosmi_python_sim_copy(PyObject *self, PyObject *unused);
PyObject *cosmi_python_sim_deepcopy(PyObject *self, PyObject *memo);
PyObject *cosmi_python_sim_reduce(PyObject *self, PyObject *unused);
PyObject *cosmi_python_sim_setstate(PyObject *self, PyObject *state);
// sim_state.c: a snapshot of all worlds with what was written into columns; NULL, and *out_result,
// on failure. Puts a state into all worlds; columns follow. Both need no GIL.
cosm_snapshot *cosmi_python_take(cosm_batch *batch, cosm_result *out_result);
cosm_result cosmi_python_put(cosm_batch *batch, const cosm_snapshot *snapshot);
// load.c: puts a file of the same environment and number of worlds into all worlds. Needs no GIL.
cosm_result cosmi_python_load(cosm_sim *sim, const char *path);
// sim_columns.c
PyObject *cosmi_python_sim_columns(PyObject *self, void *unused);
PyObject *cosmi_python_sim_column(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                  PyObject *names);
PyObject *cosmi_python_sim_with_role(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                     PyObject *names);
PyObject *cosmi_python_sim_final(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names);
PyObject *cosmi_python_sim_render(PyObject *self, PyObject *args, PyObject *names);
// sim_make.c: the simulation that a copy is being made of on this thread: a Sim of the same library
// runs the code that this one runs, whatever the file is by now. NULL: none.
extern _Thread_local const struct sim *cosmi_python_copied;
int cosmi_python_sim_init(PyObject *self, PyObject *args, PyObject *names);
PyObject *cosmi_python_environments(PyObject *module, PyObject *unused);

#endif
