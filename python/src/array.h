// Arrays that Python hands in: actions, masks, seeds and parameters.
//
// Anything with a buffer is an array (numpy, array, memoryview, bytes), and so is what has
// __dlpack__ and no buffer (torch).
#ifndef COSM_PYTHON_ARRAY_H
#define COSM_PYTHON_ARRAY_H

#include "scalar.h"

struct dlpack_managed;

// An array that is open. Its memory stays where it is until it is closed.
struct array {
    const char *data;
    enum scalar_kind kind;
    bool is_swapped; // of the other byte order
    size_t item_size;
    int dim_count;
    int64_t shape[COSM_TENSOR_DIM_MAX];
    int64_t strides[COSM_TENSOR_DIM_MAX]; // in bytes
    Py_buffer view;
    bool has_view;
    struct dlpack_managed *managed; // of a DLPack capsule; NULL: none
};

// Is it something that can be opened? False with an error set.
bool cosmi_python_array_check(PyObject *object, bool *out_is_array);

// The dimensions of an array; -1 where it is none, -2 with an error set. `call` and `what` begin
// the message.
int cosmi_python_array_dims(PyObject *object, const char *call, const char *what);

// Opens it; `call` and `what` begin the message. False, with an error set, on failure.
bool cosmi_python_array_open(struct array *array, PyObject *object, const char *call,
                             const char *what);
void cosmi_python_array_close(struct array *array);

// Are the scalars side by side, in C order?
bool cosmi_python_is_contiguous(const int64_t *shape, const int64_t *strides, int dim_count,
                                size_t item_size);

// Writes a shape as Python does: "(4096, 1)".
void cosmi_python_shape_text(const int64_t *shape, int dim_count, char *out_text, size_t room);

// False, with an error set, unless the array may be copied into the tensor as it is: the same type
// (bool and uint8 count as one), the same shape but for dimensions of 1 behind the first, and
// contiguous.
bool cosmi_python_array_fits(const struct array *array, const cosm_tensor *tensor, const char *call,
                             const char *what);

// Copies scalars that are side by side to where the tensor has them, and the other way round. Needs
// no GIL.
void cosmi_python_copy_in(const cosm_tensor *tensor, const void *source);
void cosmi_python_copy_out(const cosm_tensor *tensor, void *target);

// One seed of a Python int. False, with an error set, on failure.
bool cosmi_python_seed_of(PyObject *object, const char *call, uint64_t *out_seed);

// What a call takes for each world. Where it is made of Python's objects it is in memory of
// its own, which `given` frees.
struct given {
    struct array array; // open where `is_open`
    bool is_open;
    void *memory;
    const void *data;        // NULL: nothing was given
    const uint64_t *numbers; // of seeds: the numbers of the worlds; NULL: each its own
};

// `mask`: bool or uint8, [worlds]; None gives no data. `seeds`: uint64 or int64, or a sequence of
// ints, [worlds], each for a world by itself, with the number 0; or one int for all worlds, by
// their own numbers. `value`: numbers of any type, or a sequence, [worlds]: doubles; *out_single is
// set, and there is no data, where it is one number.
bool cosmi_python_given_mask(struct given *given, PyObject *mask, uint32_t world_count,
                             const char *call);
bool cosmi_python_given_seeds(struct given *given, PyObject *seeds, uint32_t world_count,
                              const char *call);
bool cosmi_python_given_values(struct given *given, PyObject *value, uint32_t world_count,
                               const char *call, const char *name, double *out_single);
void cosmi_python_given_close(struct given *given);

#endif
