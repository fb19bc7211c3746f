// Errors: the exceptions of the package, and which result of the library becomes which.
#include "package.h"

#include <errno.h>
#include <string.h>

PyObject *cosmi_python_error;
PyObject *cosmi_python_argument_error;
PyObject *cosmi_python_busy_error;
PyObject *cosmi_python_closed_error;
static PyObject *capacity_error;
PyObject *cosmi_python_format_error;

// An exception class with a code of its own, and in the module. `second` is another base, or NULL.
static PyObject *make(PyObject *module, const char *name, PyObject *second, const char *code,
                      const char *doc) {
    PyObject *bases = cosmi_python_error == NULL ? NULL
                      : second == NULL           ? PyTuple_Pack(1, cosmi_python_error)
                                                 : PyTuple_Pack(2, cosmi_python_error, second);
    if (bases == NULL && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *names = Py_BuildValue("{s:s}", "code", code);
    PyObject *made = NULL;
    if (names != NULL) {
        char path[64];
        PyOS_snprintf(path, sizeof path, "cosm.%s", name);
        made = PyErr_NewExceptionWithDoc(path, doc, bases, names);
    }
    Py_XDECREF(names);
    Py_XDECREF(bases);
    if (made != NULL && PyModule_AddObjectRef(module, name, made) < 0) {
        Py_CLEAR(made);
    }
    return made;
}

bool cosmi_python_errors_ready(PyObject *module) {
    cosmi_python_error = make(module, "Error", NULL, "",
                              "A call of the library failed; str() says what is wrong and what to "
                              "do.\n\n"
                              "``code`` is the name of the C result, such as "
                              "``\"COSM_ERROR_FULL\"``.");
    if (cosmi_python_error == NULL) {
        return false;
    }
    cosmi_python_argument_error =
        make(module, "ArgumentError", PyExc_ValueError, "COSM_ERROR_ARGUMENT",
             "A name, value, shape or library is wrong.");
    capacity_error = make(module, "CapacityError", NULL, "COSM_ERROR_FULL",
                          "A fixed table or a tensor is full.");
    cosmi_python_format_error =
        make(module, "FormatError", PyExc_ValueError, "COSM_ERROR_FORMAT", "A file is malformed.");
    cosmi_python_busy_error = make(module, "BusyError", NULL, "COSM_ERROR_BUSY",
                                   "The object is in use: something created from it exists, or it "
                                   "is running.");
    cosmi_python_closed_error = make(module, "ClosedError", PyExc_ValueError, "COSM_ERROR_ARGUMENT",
                                     "The simulation was closed.");
    return cosmi_python_argument_error != NULL && capacity_error != NULL &&
           cosmi_python_format_error != NULL && cosmi_python_busy_error != NULL &&
           cosmi_python_closed_error != NULL;
}

static PyObject *class_of(cosm_result result) {
    switch (result) {
    case COSM_ERROR_ARGUMENT:
    case COSM_ERROR_CONFLICT:
    case COSM_ERROR_LIMIT:
        return cosmi_python_argument_error;
    case COSM_ERROR_FULL:
        return capacity_error;
    case COSM_ERROR_FORMAT:
        return cosmi_python_format_error;
    case COSM_ERROR_BUSY:
    case COSM_ERROR_WALKED:
        return cosmi_python_busy_error;
    case COSM_ERROR_MEMORY:
        return PyExc_MemoryError;
    case COSM_ERROR_IO:
        return PyExc_OSError;
    default:
        return cosmi_python_error;
    }
}

// "CALL: MESSAGE", as the library left it on this thread.
static PyObject *message_of(const char *call, cosm_result result) {
    const char *text = cosm_error_message();
    return text[0] != '\0'
               ? PyUnicode_FromFormat("%s: %s", call, text)
               : PyUnicode_FromFormat("%s: %s without a message", call, cosm_result_name(result));
}

// Sets an error that has `code`, with `args`, a tuple or NULL, which it takes over.
static PyObject *raise(PyObject *class, PyObject *args, cosm_result result) {
    PyObject *code = PyUnicode_FromString(cosm_result_name(result));
    PyObject *made = args == NULL || code == NULL ? NULL : PyObject_CallObject(class, args);
    if (made != NULL && PyObject_SetAttrString(made, "code", code) == 0) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    }
    Py_XDECREF(made);
    Py_XDECREF(code);
    Py_XDECREF(args);
    return NULL;
}

PyObject *cosmi_python_raise(const char *call, cosm_result result) {
    return raise(class_of(result), Py_BuildValue("(N)", message_of(call, result)), result);
}

// What the system said of a file. The library hands on its words, not its number.
static int errno_of(const char *message) {
    static const int codes[] = {ENOENT, EACCES, EPERM, EISDIR,       ENOTDIR, ENOSPC,
                                EROFS,  EEXIST, EIO,   ENAMETOOLONG, ELOOP,   EMFILE};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strstr(message, strerror(codes[i])) != NULL) {
            return codes[i];
        }
    }
    return 0;
}

// The message with the path in place of its alias.
static PyObject *show_path(PyObject *message, const char *alias, PyObject *name) {
    PyObject *other = message == NULL || name == NULL ? NULL : PyUnicode_DecodeFSDefault(alias);
    PyObject *shown = other == NULL ? NULL : PyUnicode_Replace(message, other, name, -1);
    Py_XDECREF(other);
    Py_XDECREF(message);
    return shown;
}

// A message about a file names it, also where the library was given bytes of it.
static PyObject *name_path(PyObject *message, const char *call, PyObject *name) {
    if (message == NULL || name == NULL || PyUnicode_Contains(message, name) != 0) {
        return message;
    }
    PyObject *text =
        PyUnicode_Substring(message, (Py_ssize_t)strlen(call) + 2, PyUnicode_GetLength(message));
    Py_DECREF(message);
    PyObject *named = text == NULL ? NULL : PyUnicode_FromFormat("%s: %U: %U", call, name, text);
    Py_XDECREF(text);
    return named;
}

PyObject *cosmi_python_raise_file(const char *call, cosm_result result, PyObject *path,
                                  const char *alias) {
    int number = result == COSM_ERROR_IO ? errno_of(cosm_error_message()) : 0;
    PyObject *name = PyUnicode_DecodeFSDefault(PyBytes_AsString(path));
    PyObject *message = message_of(call, result);
    if (alias != NULL) {
        message = show_path(message, alias, name);
    }
    if (result == COSM_ERROR_FORMAT) {
        message = name_path(message, call, name);
    }
    // An OSError with a path and no number would show neither the message nor the path.
    PyObject *args = NULL;
    if (message != NULL && name != NULL) {
        args = number == 0 ? Py_BuildValue("(O)", message)
                           : Py_BuildValue("(iOO)", number, message, name);
    }
    Py_XDECREF(message);
    Py_XDECREF(name);
    return raise(class_of(result), args, result);
}

PyObject *cosmi_python_text(const char *text) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

const char *cosmi_python_utf8(PyObject *name, const char *call, const char *what) {
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (text != NULL && strlen(text) != (size_t)length) {
        PyErr_Format(cosmi_python_argument_error, "%s: %s %R contains a zero character; remove it",
                     call, what, name);
        return NULL;
    }
    return text;
}

PyObject *cosmi_python_raise_unknown(const char *call, const char *text, const char *name,
                                     PyObject *names) {
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *list = comma == NULL || names == NULL ? NULL : PyUnicode_Join(comma, names);
    if (list != NULL) {
        PyErr_Format(cosmi_python_argument_error, "%s: %s '%s'; there %s: %U", call, text, name,
                     PyUnicode_GetLength(list) == 0 ? "are none" : "are", list);
    }
    Py_XDECREF(comma);
    Py_XDECREF(list);
    return NULL;
}
