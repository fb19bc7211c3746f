// Arrays that Python hands in: opening them, and holding them against a column.
#include "array.h"

#include "dlpack.h"

#include <stdio.h>
#include <string.h>

// Attributes that classes of arrays have; looked up by name, as no library is known at build time.
// NULL without an error where there is no such attribute; any other failure is an error.
static PyObject *attribute_of(PyObject *object, const char *name) {
    PyObject *attribute = PyObject_GetAttrString(object, name);
    if (attribute == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
    }
    return attribute;
}

bool cosmi_python_array_check(PyObject *object, bool *out_is_array) {
    *out_is_array = PyObject_CheckBuffer(object);
    if (*out_is_array || PyLong_Check(object) || PyList_Check(object) || PyTuple_Check(object)) {
        return true;
    }
    PyObject *method = attribute_of(object, "__dlpack__");
    *out_is_array = method != NULL;
    Py_XDECREF(method);
    return !PyErr_Occurred();
}

static bool too_many_dims(int dim_count, const char *call, const char *what) {
    if (dim_count <= (int)COSM_TENSOR_DIM_MAX) {
        return false;
    }
    PyErr_Format(cosmi_python_argument_error, "%s: %s have %d dimensions, the limit is %d", call,
                 what, dim_count, (int)COSM_TENSOR_DIM_MAX);
    return true;
}

static bool open_buffer(struct array *array, PyObject *object, const char *call, const char *what) {
    if (PyObject_GetBuffer(object, &array->view, PyBUF_RECORDS_RO) < 0) {
        return false;
    }
    array->has_view = true;
    if (too_many_dims(array->view.ndim, call, what)) {
        return false;
    }
    if (array->view.suboffsets != NULL) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: %s are not in one block (their buffer has suboffsets); copy them into "
                     "one array",
                     call, what);
        return false;
    }
    array->data = array->view.buf;
    array->kind = cosmi_python_scalar_of(array->view.format, &array->is_swapped);
    array->item_size = (size_t)array->view.itemsize;
    array->dim_count = array->view.ndim;
    // Without strides, which ctypes leaves out, scalars are side by side.
    int64_t dense = (int64_t)array->item_size;
    for (int i = array->dim_count - 1; i >= 0; i--) {
        array->shape[i] = array->view.shape[i];
        array->strides[i] = array->view.strides == NULL ? dense : array->view.strides[i];
        dense *= array->shape[i];
    }
    return true;
}

static enum scalar_kind kind_of_code(const struct dlpack_tensor *tensor) {
    if (tensor->type_lanes != 1 || tensor->type_bits % 8 != 0) {
        return SCALAR_OTHER;
    }
    switch (tensor->type_code) {
    case DLPACK_INT:
        return SCALAR_SIGNED;
    case DLPACK_UINT:
        return SCALAR_UNSIGNED;
    case DLPACK_FLOAT:
        return SCALAR_FLOAT;
    case DLPACK_BOOL:
        return SCALAR_BOOL;
    default:
        return SCALAR_OTHER;
    }
}

static bool read_dlpack(struct array *array, const char *call, const char *what) {
    const struct dlpack_tensor *tensor = &array->managed->tensor;
    if (tensor->device_type != DLPACK_CPU) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: %s are not in the memory of the CPU; move them with .cpu()", call, what);
        return false;
    }
    if (too_many_dims(tensor->dim_count, call, what)) {
        return false;
    }
    array->data = (const char *)tensor->data + tensor->byte_offset;
    array->kind = kind_of_code(tensor);
    array->item_size = tensor->type_bits / 8u;
    array->dim_count = tensor->dim_count;
    int64_t dense = 1;
    for (int i = array->dim_count - 1; i >= 0; i--) {
        int64_t stride = tensor->strides == NULL ? dense : tensor->strides[i];
        array->shape[i] = tensor->shape[i];
        array->strides[i] = stride * (int64_t)array->item_size;
        dense *= tensor->shape[i];
    }
    return true;
}

// Tells a call apart whose argument cannot be shown: the error that is set becomes the cause.
static void raise_unseen(const char *call, const char *what) {
    PyObject *type;
    PyObject *cause;
    PyObject *trace;
    PyErr_Fetch(&type, &cause, &trace);
    PyErr_NormalizeException(&type, &cause, &trace);
    PyErr_Format(cosmi_python_argument_error,
                 "%s: %s cannot be read (%S); pass a dense array in the memory of the CPU, such "
                 "as tensor.detach().cpu()",
                 call, what, cause);
    PyObject *made_type;
    PyObject *made;
    PyObject *made_trace;
    PyErr_Fetch(&made_type, &made, &made_trace);
    PyErr_NormalizeException(&made_type, &made, &made_trace);
    if (made != NULL && cause != NULL) {
        PyException_SetCause(made, Py_NewRef(cause));
    }
    PyErr_Restore(made_type, made, made_trace);
    Py_XDECREF(type);
    Py_XDECREF(cause);
    Py_XDECREF(trace);
}

// For tensors that DLPack refuses to tell of, with that error set: torch 1.13 has no bool there,
// and shows the same memory by numpy().
static bool open_numpy(struct array *array, PyObject *object, const char *call, const char *what) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return false; // the user interrupts
    }
    PyObject *type;
    PyObject *value;
    PyObject *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *shown = PyObject_CallMethod(object, "numpy", NULL);
    if (shown != NULL && PyObject_CheckBuffer(shown)) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        bool is_open = open_buffer(array, shown, call, what);
        Py_DECREF(shown);
        return is_open;
    }
    Py_XDECREF(shown);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
    raise_unseen(call, what);
    return false;
}

static bool open_dlpack(struct array *array, PyObject *object, const char *call, const char *what) {
    PyObject *capsule = PyObject_CallMethod(object, "__dlpack__", NULL);
    if (capsule == NULL) {
        return open_numpy(array, object, call, what);
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        array->managed = PyCapsule_GetPointer(capsule, "dltensor");
        (void)PyCapsule_SetName(capsule, "used_dltensor");
    } else {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: __dlpack__ of %s returned %R, not an unused capsule \"dltensor\"; "
                     "convert with numpy.asarray",
                     call, what, capsule);
    }
    Py_DECREF(capsule);
    return array->managed != NULL && read_dlpack(array, call, what);
}

bool cosmi_python_array_open(struct array *array, PyObject *object, const char *call,
                             const char *what) {
    memset(array, 0, sizeof *array);
    bool is_array;
    bool is_open = false;
    if (!cosmi_python_array_check(object, &is_array)) {
        return false;
    }
    if (PyObject_CheckBuffer(object)) {
        is_open = open_buffer(array, object, call, what);
    } else if (is_array) {
        is_open = open_dlpack(array, object, call, what);
    } else {
        PyObject *type = PyType_GetName(Py_TYPE(object));
        PyErr_Format(PyExc_TypeError,
                     "%s: %s are of type %U, which is not an array; convert with numpy.asarray",
                     call, what, type);
        Py_XDECREF(type);
    }
    if (!is_open) {
        cosmi_python_array_close(array);
    }
    return is_open;
}

int cosmi_python_array_dims(PyObject *object, const char *call, const char *what) {
    struct array array;
    bool is_array;
    if (!cosmi_python_array_check(object, &is_array)) {
        return -2;
    }
    if (!is_array) {
        return -1;
    }
    if (!cosmi_python_array_open(&array, object, call, what)) {
        return -2;
    }
    cosmi_python_array_close(&array);
    return array.dim_count;
}

void cosmi_python_array_close(struct array *array) {
    if (array->has_view) {
        PyBuffer_Release(&array->view);
    }
    if (array->managed != NULL && array->managed->deleter != NULL) {
        array->managed->deleter(array->managed);
    }
    array->has_view = false;
    array->managed = NULL;
}

bool cosmi_python_is_contiguous(const int64_t *shape, const int64_t *strides, int dim_count,
                                size_t item_size) {
    int64_t dense = (int64_t)item_size;
    bool is_dense = true;
    for (int i = dim_count - 1; i >= 0; i--) {
        if (shape[i] == 0) {
            return true;
        }
        is_dense = is_dense && (shape[i] == 1 || strides[i] == dense);
        dense *= shape[i];
    }
    return is_dense;
}

void cosmi_python_shape_text(const int64_t *shape, int dim_count, char *out_text, size_t room) {
    size_t length = 0;
    out_text[0] = '\0';
    for (int i = 0; i < dim_count && length < room; i++) {
        int written = snprintf(out_text + length, room - length, "%s%lld", i == 0 ? "(" : ", ",
                               (long long)shape[i]);
        length += written > 0 ? (size_t)written : 0;
    }
    if (length < room) {
        snprintf(out_text + length, room - length, "%s",
                 dim_count == 0 ? "()" : (dim_count == 1 ? ",)" : ")"));
    }
}

// The first dimension as it is, and of the others those that are not 1.
static int squeeze(const int64_t *shape, int dim_count, int64_t *out_shape) {
    int count = 0;
    for (int i = 0; i < dim_count; i++) {
        if (i == 0 || shape[i] != 1) {
            out_shape[count++] = shape[i];
        }
    }
    return count;
}

static bool same_shape(const struct array *array, const cosm_tensor *tensor) {
    int64_t given[COSM_TENSOR_DIM_MAX];
    int64_t wanted[COSM_TENSOR_DIM_MAX];
    int given_count = squeeze(array->shape, array->dim_count, given);
    int wanted_count = squeeze(tensor->shape, (int)tensor->dim_count, wanted);
    return given_count == wanted_count &&
           memcmp(given, wanted, (size_t)given_count * sizeof given[0]) == 0;
}

static bool same_type(const struct array *array, const struct scalar *scalar) {
    bool is_byte = array->item_size == 1 && scalar->size == 1;
    bool both_truths = is_byte && (array->kind == SCALAR_BOOL || array->kind == SCALAR_UNSIGNED) &&
                       (scalar->kind == SCALAR_BOOL || scalar->kind == SCALAR_UNSIGNED);
    bool is_same = array->kind == scalar->kind && array->item_size == scalar->size;
    return (is_same || both_truths) && !(array->is_swapped && array->item_size > 1);
}

bool cosmi_python_array_fits(const struct array *array, const cosm_tensor *tensor, const char *call,
                             const char *what) {
    const struct scalar *scalar = cosmi_python_scalar(tensor->type);
    bool has_shape = same_shape(array, tensor);
    bool has_type = same_type(array, scalar);
    char given[200];
    char wanted[200];
    char name[40];
    if (!has_shape || !has_type) {
        cosmi_python_shape_text(array->shape, array->dim_count, given, sizeof given);
        cosmi_python_shape_text(tensor->shape, (int)tensor->dim_count, wanted, sizeof wanted);
        cosmi_python_scalar_name(array->kind, array->item_size, name, sizeof name);
        PyErr_Format(
            cosmi_python_argument_error,
            "%s: %s have shape %s and type %s%s, the column '%s' is %s of %s; convert with "
            "%s",
            call, what, given, name, array->is_swapped ? " of the other byte order" : "",
            tensor->name, wanted, scalar->name, has_shape ? "astype" : "reshape or astype");
        return false;
    }
    if (!cosmi_python_is_contiguous(array->shape, array->strides, array->dim_count,
                                    array->item_size)) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: %s are not contiguous; convert with numpy.ascontiguousarray", call, what);
        return false;
    }
    return true;
}
