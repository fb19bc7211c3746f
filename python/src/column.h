// Columns: what a simulation shows, as Python objects.
#ifndef COSM_PYTHON_COLUMN_H
#define COSM_PYTHON_COLUMN_H

#include "scalar.h"

// What a column looks at.
enum column_part {
    COLUMN_TENSOR, // the tensor itself
    COLUMN_COUNTS, // its counts
    COLUMN_OFFSETS,
};

struct column {
    PyObject_HEAD struct hold *hold; // a share
    const cosm_tensor *tensor;       // of the batch; or `own`
    cosm_tensor own;                 // of a picture
    enum column_part part;
    cosm_role role;
    cosm_space space;
    bool is_entities;
    uint32_t mask_of; // the slot of the action; COSM_EXPORT_SLOT_NONE where it is no mask
    PyObject *weak_list;
};

// A column of a tensor of a simulation. NULL with an error set.
PyObject *cosmi_python_column_make(struct hold *hold, const cosm_tensor *tensor);

// A column of bytes, [height, width, 3], whose memory it takes over from malloc.
PyObject *cosmi_python_column_picture(uint8_t *pixels, uint32_t height, uint32_t width);

// The tensor as it is now, also for counts and offsets. False, with an error set, where the
// simulation is closed, or where rows come and go on another thread right now.
bool cosmi_python_column_look(const struct column *column, cosm_tensor *out_tensor,
                              const char *call);

// The column as a tuple of ints. NULL with an error set.
PyObject *cosmi_python_tuple_of(const int64_t *numbers, uint32_t count);

// The buffer protocol, and __array_interface__ (buffer.c).
int cosmi_python_buffer_take(PyObject *self, Py_buffer *view, int flags);
void cosmi_python_buffer_give(PyObject *self, Py_buffer *view);
PyObject *cosmi_python_array_interface(PyObject *self, void *unused);

// DLPack (dlpack.c). `is_torch` tells bool and unsigned types as ones that torch knows.
PyObject *cosmi_python_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count,
                              PyObject *names);
PyObject *cosmi_python_dlpack_device(PyObject *self, PyObject *unused);
PyObject *cosmi_python_dlpack_for_torch(const struct column *column);

// The names of roles.
extern const char *const cosmi_python_role_names[COSM_ROLE_COUNT];

#endif
