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

#include <cosm/cosm.h>
#include <cosm_sim/sim.h>

// Memory that arrays look at: that of a simulation, or a block of its own. Whoever has an array,
// in whatever library, has a share in it; the last one to let go ends it, on any thread and with
// or without the GIL. `is_closed` and `is_busy` are read and written with the GIL held.
struct hold {
    _Atomic size_t shares;
    cosm_sim *sim;  // NULL where it is only memory
    void *memory;   // NULL where it is a simulation
    bool is_closed; // Sim.close was called: only arrays that are there already go on
    bool is_busy;   // a call runs without the GIL
};

// Takes over `sim` or `memory`, with one share. NULL, with a MemoryError and both given back, where
// there is no memory.
struct hold *cosmi_python_hold_make(cosm_sim *sim, void *memory);
void cosmi_python_hold_share(struct hold *hold);
void cosmi_python_hold_drop(struct hold *hold);

// False, with an error set, where it is closed, or a call runs. `hold` may be NULL: a simulation
// whose __init__ was never called. `call` is what the message begins with.
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
extern PyObject *cosmi_python_busy_error;
extern PyObject *cosmi_python_closed_error;

// Sets the error of a failed call, with the message that the library left on this thread. Returns
// NULL.
PyObject *cosmi_python_raise(const char *call, cosm_result result);

// Sets an ArgumentError that lists names: "CALL: TEXT 'NAME'; there are: a, b". Returns NULL.
PyObject *cosmi_python_raise_unknown(const char *call, const char *text, const char *name,
                                     PyObject *names);

// The one argument of a call, by place or by name: borrowed. NULL with an error set.
PyObject *cosmi_python_one_argument(PyObject *const *args, Py_ssize_t count, PyObject *names,
                                    const char *name, const char *call);

// A Python method that takes its arguments as an array.
#define COSMI_PYTHON_FAST(function) ((PyCFunction)(void (*)(void))(function))

#endif
