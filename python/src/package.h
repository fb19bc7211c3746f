// What the files of the extension share: who owns memory, the Python types, errors.
//
// The extension is written for the limited API of Python 3.11, so one file serves that version and
// all later ones. It is made once in a process: types and errors are in variables of module.c and
// errors.c.
#ifndef COSM_PYTHON_PACKAGE_H
#define COSM_PYTHON_PACKAGE_H

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
#include <structmember.h>

#include <cosm/cosm.h>
#include <cosm_sim/sim.h>

// Memory that arrays look at: that of a simulation, or a block of its own. Whoever has an array,
// in whatever library, has a share in it; the last one to let go ends it, on any thread and with
// or without the GIL. `is_closed` and `is_busy` are read and written with the GIL held.
struct hold {
    _Atomic size_t shares;
    cosm_sim *sim;         // NULL where it is only memory
    void *memory;          // NULL where it is a simulation
    bool is_closed;        // Sim.close was called: only arrays that are there already go on
    bool is_busy;          // a call runs without the GIL
    size_t process;        // that of cosmi_python_process which made it
    uint64_t change_count; // steps, resets, restores and forks so far: adapters ask whether the
                           // worlds are still as they left them
    bool has_new_params;   // Sim.set was called since all worlds began last
};

// Counts the forks that led to this process. A child has a copy of the memory, but not the threads
// that step: what was made before the fork is not used there, and its memory is not given back.
extern size_t cosmi_python_process;

// Was it made by the parent of this process? Memory alone is good in every process.
static inline bool cosmi_python_hold_is_foreign(const struct hold *hold) {
    return hold->sim != NULL && hold->process != cosmi_python_process;
}

// Takes over `sim` or `memory`, with one share. NULL, with a MemoryError and both given back, where
// there is no memory.
struct hold *cosmi_python_hold_make(cosm_sim *sim, void *memory);
void cosmi_python_hold_share(struct hold *hold);
void cosmi_python_hold_drop(struct hold *hold);

// False, with an error set, where it is closed, or the parent's, or a call runs. `hold` may be
// NULL: a simulation whose __init__ was never called. `call` is what the message begins with.
bool cosmi_python_hold_is_open(const struct hold *hold, const char *call);
bool cosmi_python_hold_is_free(const struct hold *hold, const char *call);

// The Python types.
extern PyTypeObject *cosmi_python_column_type;
extern PyTypeObject *cosmi_python_snapshot_type;
extern PyTypeObject *cosmi_python_sim_type;
bool cosmi_python_column_ready(PyObject *module);
bool cosmi_python_snapshot_ready(PyObject *module);
bool cosmi_python_sim_ready(PyObject *module);
bool cosmi_python_errors_ready(PyObject *module);

// Makes a type of a spec and puts it into the module.
PyTypeObject *cosmi_python_type_add(PyObject *module, PyType_Spec *spec, const char *name);

// The Python errors.
extern PyObject *cosmi_python_error;
extern PyObject *cosmi_python_argument_error;
extern PyObject *cosmi_python_format_error;
extern PyObject *cosmi_python_busy_error;
extern PyObject *cosmi_python_closed_error;

// Sets the error of a failed call, with the message that the library left on this thread. Returns
// NULL.
PyObject *cosmi_python_raise(const char *call, cosm_result result);

// The same for a call that reads or writes the file at `path`, of bytes: where the system refused,
// the error has its errno, and so a class such as FileNotFoundError, and the path. `alias` (or
// NULL) is what the library was given in place of the path: the message shows the path.
PyObject *cosmi_python_raise_file(const char *call, cosm_result result, PyObject *path,
                                  const char *alias);

// A text of an environment, which may be no UTF-8.
PyObject *cosmi_python_text(const char *text);

// The UTF-8 of a str. NULL, with an error set, where it has a zero inside, which would cut it.
const char *cosmi_python_utf8(PyObject *name, const char *call, const char *what);

// Sets an ArgumentError that lists names: "CALL: TEXT 'NAME'; there are: a, b". Returns NULL.
PyObject *cosmi_python_raise_unknown(const char *call, const char *text, const char *name,
                                     PyObject *names);

// The one argument of a call, by place or by name: borrowed. NULL with an error set.
PyObject *cosmi_python_one_argument(PyObject *const *args, Py_ssize_t count, PyObject *names,
                                    const char *name, const char *call);

// The member that lets weak references be made to objects of a type, in `weak_list`. Before 3.12
// the limited API has no flag for it.
#define COSMI_PYTHON_WEAK(Type)                                                                    \
    { "__weaklistoffset__", T_PYSSIZET, offsetof(Type, weak_list), READONLY, NULL }

// A Python method that takes its arguments as an array.
#define COSMI_PYTHON_FAST(function) ((PyCFunction)(void (*)(void))(function))

#endif
