// The module cosm._cosm: makes the types, and lets libraries of environments find the library.
#include "package.h"
#include "sim.h"
#include "snapshot.h"

#include <dlfcn.h>
#include <pthread.h>

PyTypeObject *cosmi_python_type_add(PyObject *module, PyType_Spec *spec, const char *name) {
    PyObject *type = PyType_FromSpec(spec);
    if (type != NULL && PyModule_AddObjectRef(module, name, type) < 0) {
        Py_CLEAR(type);
    }
    return (PyTypeObject *)type;
}

PyObject *cosmi_python_one_argument(PyObject *const *args, Py_ssize_t count, PyObject *names,
                                    const char *name, const char *call) {
    Py_ssize_t name_count = names == NULL ? 0 : PyTuple_Size(names);
    bool is_named =
        name_count == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), name) == 0;
    if (count + name_count != 1 || (name_count == 1 && !is_named)) {
        PyErr_Format(PyExc_TypeError, "%s: takes one argument, '%s'", call, name);
        return NULL;
    }
    return args[0];
}

// Python loads extensions so that nobody else finds their symbols. A library of an environment is
// not linked with Cosm, and finds cosm_* here: so this file is opened again, for all to see.
static bool show_symbols(void) {
    Dl_info info;
    static const char anchor = 0;
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL ||
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == NULL) {
        const char *reason = dlerror();
        PyErr_Format(PyExc_ImportError, "cosm._cosm: cannot export its symbols to libraries: %s",
                     reason == NULL ? "it is not loaded from a file" : reason);
        return false;
    }
    return true;
}

// Runs in the child of a fork.
static void count_fork(void) {
    cosmi_python_process++;
}

static PyMethodDef functions[] = {
    {"environments", cosmi_python_environments, METH_NOARGS,
     "environments()\n--\n\nThe names of the built-in environments."},
    {"_step_many", cosmi_python_sim_step_many, METH_VARARGS,
     "_step_many(sim, count, actions=None, /)\n--\n\n"
     "Steps in a C loop, with lists of actions in turn: the reference for benchmarks."},
    {"_snapshot", cosmi_python_snapshot_unpickle, METH_VARARGS,
     "_snapshot(env, num_worlds, bytes, /)\n--\n\n"
     "Creates a Snapshot from a pickle."},
    {NULL, NULL, 0, NULL},
};

PyMODINIT_FUNC PyInit__cosm(void);

PyMODINIT_FUNC PyInit__cosm(void) {
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "cosm._cosm",
        .m_doc = "The compiled half of the package: simulations, their columns and snapshots.",
        .m_size = -1,
        .m_methods = functions,
    };
    if (pthread_atfork(NULL, NULL, count_fork) != 0) {
        return PyErr_NoMemory();
    }
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) {
        return NULL;
    }
    bool is_ready = show_symbols() && cosmi_python_errors_ready(module) &&
                    cosmi_python_column_ready(module) && cosmi_python_snapshot_ready(module) &&
                    cosmi_python_sim_ready(module) &&
                    PyModule_AddStringConstant(module, "__version__", COSM_VERSION) == 0;
    if (!is_ready) {
        Py_CLEAR(module);
    }
    return module;
}
