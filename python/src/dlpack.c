// DLPack of columns: capsules that own a share of the memory they show.
//
// The core has tensors of its own in this form (cosm_dlpack_create). They are not used here:
// counts, offsets, final observations, pictures, copies and the types that torch knows are no
// slots of a batch, and the owner is a hold in any case (docs/design/054-python.md).
#include "dlpack.h"
#include "array.h"
#include "column.h"

#include <stdlib.h>
#include <string.h>

static const char legacy_name[] = "dltensor";
static const char versioned_name[] = "dltensor_versioned";

// What a capsule holds: one of both forms, and what it points at. The form comes first, so that its
// address is that of the whole.
struct managed {
    union {
        struct dlpack_managed legacy;
        struct dlpack_versioned versioned;
    } form;
    struct hold *hold;
    int64_t shape[COSM_TENSOR_DIM_MAX];
    int64_t strides[COSM_TENSOR_DIM_MAX];
};

// Called by whoever had the tensor last, on any thread, with or without the GIL.
static void drop(struct managed *managed) {
    cosmi_python_hold_drop(managed->hold);
    free(managed);
}

static void delete_legacy(struct dlpack_managed *self) {
    drop((struct managed *)self);
}

static void delete_versioned(struct dlpack_versioned *self) {
    drop((struct managed *)self);
}

// A capsule that nobody took the tensor out of still owns it; a taken one has another name.
static void end_capsule(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, legacy_name)) {
        struct dlpack_managed *self = PyCapsule_GetPointer(capsule, legacy_name);
        self->deleter(self);
    } else if (PyCapsule_IsValid(capsule, versioned_name)) {
        struct dlpack_versioned *self = PyCapsule_GetPointer(capsule, versioned_name);
        self->deleter(self);
    }
}

static uint8_t code_of(enum scalar_kind kind, bool is_torch) {
    switch (kind) {
    case SCALAR_SIGNED:
        return DLPACK_INT;
    case SCALAR_FLOAT:
        return DLPACK_FLOAT;
    default:
        return is_torch ? DLPACK_INT : DLPACK_UINT;
    }
}

static bool describe(struct managed *managed, struct dlpack_tensor *out_tensor,
                     const cosm_tensor *tensor, bool is_torch) {
    const struct scalar *scalar = cosmi_python_scalar(tensor->type);
    for (uint32_t i = 0; i < tensor->dim_count; i++) {
        if (tensor->strides[i] % scalar->size != 0) {
            PyErr_Format(PyExc_BufferError,
                         "Column.__dlpack__: '%s' has strides that are not a multiple of its "
                         "scalar size, which DLPack cannot express; use numpy",
                         tensor->name);
            return false;
        }
        managed->shape[i] = tensor->shape[i];
        managed->strides[i] = tensor->strides[i] / scalar->size;
    }
    // Libraries know uint8, and bool comes as that; other unsigned types only newer ones do.
    *out_tensor =
        (struct dlpack_tensor){.data = tensor->data,
                               .device_type = DLPACK_CPU,
                               .dim_count = (int32_t)tensor->dim_count,
                               .type_code = code_of(scalar->kind, is_torch && scalar->size > 1),
                               .type_bits = (uint8_t)(scalar->size * 8),
                               .type_lanes = 1,
                               .shape = managed->shape,
                               .strides = managed->strides};
    return true;
}

enum capsule_form { FORM_LEGACY, FORM_TORCH, FORM_VERSIONED };

// Takes over a share of `hold`.
static PyObject *make_capsule(struct hold *hold, const cosm_tensor *tensor, enum capsule_form form,
                              uint64_t flags) {
    struct managed *managed = calloc(1, sizeof *managed);
    if (managed == NULL) {
        cosmi_python_hold_drop(hold);
        return PyErr_NoMemory();
    }
    managed->hold = hold;
    bool is_versioned = form == FORM_VERSIONED;
    struct dlpack_tensor *target =
        is_versioned ? &managed->form.versioned.tensor : &managed->form.legacy.tensor;
    if (is_versioned) {
        managed->form.versioned.major = 1;
        managed->form.versioned.deleter = delete_versioned;
        managed->form.versioned.flags = flags;
    } else {
        managed->form.legacy.deleter = delete_legacy;
    }
    PyObject *capsule = NULL;
    if (describe(managed, target, tensor, form == FORM_TORCH)) {
        capsule = PyCapsule_New(managed, is_versioned ? versioned_name : legacy_name, end_capsule);
    }
    if (capsule == NULL) {
        drop(managed);
    }
    return capsule;
}

// A copy of the column in memory of its own, side by side.
static struct hold *copy_of(cosm_tensor *tensor) {
    size_t size = cosmi_python_scalar(tensor->type)->size;
    cosm_tensor dense = *tensor;
    for (uint32_t i = tensor->dim_count; i-- > 0;) {
        dense.strides[i] = (int64_t)size;
        size *= (size_t)tensor->shape[i];
    }
    size_t room = (size + 63) / 64 * 64;
    dense.data = aligned_alloc(64, room == 0 ? 64 : room);
    if (dense.data == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    cosmi_python_copy_out(tensor, dense.data);
    *tensor = dense;
    return cosmi_python_hold_make(NULL, dense.data);
}

// A tuple of two ints; false with an error set.
static bool pair_of(PyObject *object, const char *name, long *out_first, long *out_second) {
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2) {
        PyErr_Format(PyExc_TypeError, "Column.__dlpack__: %s must be a tuple of two ints", name);
        return false;
    }
    *out_first = PyLong_AsLong(PyTuple_GetItem(object, 0));
    *out_second = PyErr_Occurred() ? 0 : PyLong_AsLong(PyTuple_GetItem(object, 1));
    return !PyErr_Occurred();
}

struct request {
    PyObject *stream;
    PyObject *max_version;
    PyObject *device;
    PyObject *copy;
};

// All arguments are keywords.
static bool read_request(PyObject *const *args, Py_ssize_t count, PyObject *names,
                         struct request *out_request) {
    *out_request = (struct request){Py_None, Py_None, Py_None, Py_None};
    if (count != 0) {
        PyErr_SetString(PyExc_TypeError, "Column.__dlpack__: all arguments must be keywords");
        return false;
    }
    static const char *const known[] = {"stream", "max_version", "dl_device", "copy"};
    PyObject **targets[] = {&out_request->stream, &out_request->max_version, &out_request->device,
                            &out_request->copy};
    Py_ssize_t name_count = names == NULL ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < name_count; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        size_t k = 0;
        while (k < 4 && PyUnicode_CompareWithASCIIString(name, known[k]) != 0) {
            k++;
        }
        if (k == 4) {
            PyErr_Format(PyExc_TypeError, "Column.__dlpack__: unknown argument '%U'", name);
            return false;
        }
        *targets[k] = args[i];
    }
    return true;
}

// Can it be done? Memory is the CPU's, and nobody waits for a stream.
static bool check_request(const struct request *request) {
    if (request->stream != Py_None) {
        PyErr_SetString(PyExc_BufferError,
                        "Column.__dlpack__: stream is not None, but CPU memory has no streams; "
                        "leave it None");
        return false;
    }
    long type = DLPACK_CPU;
    long id = 0;
    if (request->device != Py_None && !pair_of(request->device, "dl_device", &type, &id)) {
        return false;
    }
    if (type != DLPACK_CPU || id != 0) {
        PyErr_SetString(PyExc_BufferError,
                        "Column.__dlpack__: columns are in the memory of the CPU, device (1, 0)");
        return false;
    }
    return true;
}

PyObject *cosmi_python_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count,
                              PyObject *names) {
    const struct column *column = (const struct column *)self;
    struct request request;
    if (!read_request(args, count, names, &request) || !check_request(&request)) {
        return NULL;
    }
    long major = 0;
    long minor = 0;
    if (request.max_version != Py_None &&
        !pair_of(request.max_version, "max_version", &major, &minor)) {
        return NULL;
    }
    int is_copy = request.copy == Py_None ? 0 : PyObject_IsTrue(request.copy);
    // Reading arguments may run code of their classes: the column is looked at after that.
    cosm_tensor tensor;
    if (is_copy < 0 || !cosmi_python_column_look(column, &tensor, "Column.__dlpack__")) {
        return NULL;
    }
    struct hold *hold = column->hold;
    uint64_t flags = tensor.direction == COSM_DIRECTION_OUT ? DLPACK_READ_ONLY : 0;
    if (is_copy) {
        hold = copy_of(&tensor);
        flags = DLPACK_COPIED;
    } else {
        cosmi_python_hold_share(hold);
    }
    return hold == NULL
               ? NULL
               : make_capsule(hold, &tensor, major >= 1 ? FORM_VERSIONED : FORM_LEGACY, flags);
}

PyObject *cosmi_python_dlpack_device(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", DLPACK_CPU, 0);
}

PyObject *cosmi_python_dlpack_for_torch(const struct column *column) {
    cosm_tensor tensor;
    if (!cosmi_python_column_look(column, &tensor, "Column.torch")) {
        return NULL;
    }
    cosmi_python_hold_share(column->hold);
    return make_capsule(column->hold, &tensor, FORM_TORCH, 0);
}
