// The buffer protocol of columns, and numpy's older way to say the same.
#include "array.h"
#include "column.h"

#include <stdlib.h>

// Shape and strides of a view, which must stay as they were when it was taken.
struct view_dims {
    Py_ssize_t shape[COSM_TENSOR_DIM_MAX];
    Py_ssize_t strides[COSM_TENSOR_DIM_MAX];
};

static int refuse(const char *text) {
    PyErr_SetString(PyExc_BufferError, text);
    return -1;
}

// Can the tensor be shown to somebody who asks in this way?
static int check_flags(const cosm_tensor *tensor, size_t item_size, int flags) {
    bool is_dense = cosmi_python_is_contiguous(tensor->shape, tensor->strides,
                                               (int)tensor->dim_count, item_size);
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && tensor->direction == COSM_DIRECTION_OUT) {
        return refuse("Column: the simulation writes this column; it can only be read");
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !is_dense) {
        return refuse("Column: the scalars are not contiguous; request strides");
    }
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !is_dense) {
        return refuse("Column: the scalars are not contiguous");
    }
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS &&
        !(is_dense && tensor->dim_count < 2)) {
        return refuse("Column: the scalars are not in Fortran's order");
    }
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !is_dense) {
        return refuse("Column: the scalars are not contiguous");
    }
    return 0;
}

int cosmi_python_buffer_take(PyObject *self, Py_buffer *view, int flags) {
    const struct column *column = (const struct column *)self;
    cosm_tensor tensor;
    view->obj = NULL;
    if (!cosmi_python_column_look(column, &tensor, "Column")) {
        return -1;
    }
    const struct scalar *scalar = cosmi_python_scalar(tensor.type);
    if (check_flags(&tensor, scalar->size, flags) < 0) {
        return -1;
    }
    struct view_dims *dims = malloc(sizeof *dims);
    if (dims == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t size = scalar->size;
    for (uint32_t i = 0; i < tensor.dim_count; i++) {
        dims->shape[i] = (Py_ssize_t)tensor.shape[i];
        dims->strides[i] = (Py_ssize_t)tensor.strides[i];
        size *= dims->shape[i];
    }
    bool has_shape = (flags & PyBUF_ND) == PyBUF_ND;
    view->buf = tensor.data;
    view->len = size;
    view->itemsize = scalar->size;
    view->readonly = tensor.direction == COSM_DIRECTION_OUT;
    view->ndim = has_shape ? (int)tensor.dim_count : 1;
    view->format = (flags & PyBUF_FORMAT) != 0 ? (char *)(uintptr_t)scalar->format : NULL;
    view->shape = has_shape ? dims->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? dims->strides : NULL;
    view->suboffsets = NULL;
    view->internal = dims;
    view->obj = Py_NewRef(self);
    return 0;
}

void cosmi_python_buffer_give(PyObject *self, Py_buffer *view) {
    (void)self;
    free(view->internal);
    view->internal = NULL;
}

PyObject *cosmi_python_array_interface(PyObject *self, void *unused) {
    (void)unused;
    cosm_tensor tensor;
    if (!cosmi_python_column_look((const struct column *)self, &tensor,
                                  "Column.__array_interface__")) {
        return NULL;
    }
    const uint16_t one = 1;
    char order = *(const uint8_t *)&one == 1 ? '<' : '>';
    const struct scalar *scalar = cosmi_python_scalar(tensor.type);
    PyObject *type =
        PyUnicode_FromFormat("%c%s", scalar->size == 1 ? '|' : order, scalar->kind_text);
    PyObject *shape = cosmi_python_tuple_of(tensor.shape, tensor.dim_count);
    PyObject *strides = cosmi_python_tuple_of(tensor.strides, tensor.dim_count);
    PyObject *address = PyLong_FromVoidPtr(tensor.data);
    PyObject *dict = NULL;
    if (type != NULL && shape != NULL && strides != NULL && address != NULL) {
        PyObject *read_only = tensor.direction == COSM_DIRECTION_OUT ? Py_True : Py_False;
        dict = Py_BuildValue("{s:i,s:O,s:O,s:O,s:(OO)}", "version", 3, "typestr", type, "shape",
                             shape, "strides", strides, "data", address, read_only);
    }
    Py_XDECREF(type);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(address);
    return dict;
}
