// What a call takes for each world: masks, seeds and the values of parameters.
#include "array.h"

#include <stdlib.h>
#include <string.h>

static bool wrong_count(const char *shape, uint32_t world_count, const char *call,
                        const char *what) {
    PyErr_Format(cosmi_python_argument_error,
                 "%s: %s have shape %s, expected (%u,); pass one for each world", call, what, shape,
                 world_count);
    return false;
}

// Opens an array and wants it to have one scalar per world.
static bool open_worlds(struct given *given, PyObject *object, uint32_t world_count,
                        const char *call, const char *what) {
    if (!cosmi_python_array_open(&given->array, object, call, what)) {
        return false;
    }
    given->is_open = true;
    const struct array *array = &given->array;
    int64_t count = 1;
    for (int i = 0; i < array->dim_count; i++) {
        count *= array->shape[i];
    }
    if (array->dim_count != 1 || count != (int64_t)world_count) {
        char text[200];
        cosmi_python_shape_text(array->shape, array->dim_count, text, sizeof text);
        return wrong_count(text, world_count, call, what);
    }
    return true;
}

// The same for what is used where it lies.
static bool open_contiguous(struct given *given, PyObject *object, uint32_t world_count,
                            const char *call, const char *what) {
    if (!open_worlds(given, object, world_count, call, what)) {
        return false;
    }
    const struct array *array = &given->array;
    if (array->strides[0] != (int64_t)array->item_size && world_count > 1) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: %s are not contiguous; convert with numpy.ascontiguousarray", call, what);
        return false;
    }
    given->data = array->data;
    return true;
}

static bool wrong_type(const struct array *array, const char *call, const char *what,
                       const char *wanted) {
    char name[40];
    cosmi_python_scalar_name(array->kind, array->item_size, name, sizeof name);
    PyErr_Format(cosmi_python_argument_error,
                 "%s: %s have type %s%s, expected %s; convert with astype", call, what, name,
                 array->is_swapped ? " of the other byte order" : "", wanted);
    return false;
}

// A sequence as a list of its own, one item per world; NULL with an error set.
static PyObject *list_of(PyObject *object, uint32_t world_count, const char *call, const char *what,
                         const char *one) {
    if (PyUnicode_Check(object) || !PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError,
                     "%s: %s are %R; pass %san array or a sequence with one for "
                     "each world",
                     call, what, object, one);
        return NULL;
    }
    PyObject *list = PySequence_List(object);
    if (list != NULL && PyList_Size(list) != (Py_ssize_t)world_count) {
        char text[40];
        PyOS_snprintf(text, sizeof text, "(%zd,)", PyList_Size(list));
        (void)wrong_count(text, world_count, call, what);
        Py_CLEAR(list);
    }
    return list;
}

static void *memory_for(struct given *given, uint32_t world_count, size_t size) {
    given->memory = calloc(world_count, size);
    given->data = given->memory;
    if (given->memory == NULL) {
        PyErr_NoMemory();
    }
    return given->memory;
}

static bool mask_of_list(struct given *given, PyObject *mask, uint32_t world_count,
                         const char *call) {
    PyObject *list = list_of(mask, world_count, call, "masks", "");
    uint8_t *bytes = list == NULL ? NULL : memory_for(given, world_count, 1);
    bool is_good = bytes != NULL;
    for (uint32_t i = 0; is_good && i < world_count; i++) {
        int truth = PyObject_IsTrue(PyList_GetItem(list, (Py_ssize_t)i));
        is_good = truth >= 0;
        bytes[i] = truth > 0;
    }
    Py_XDECREF(list);
    return is_good;
}

bool cosmi_python_given_mask(struct given *given, PyObject *mask, uint32_t world_count,
                             const char *call) {
    memset(given, 0, sizeof *given);
    if (mask == NULL || mask == Py_None) {
        return true;
    }
    bool is_array;
    if (!cosmi_python_array_check(mask, &is_array)) {
        return false;
    }
    if (!is_array) {
        return mask_of_list(given, mask, world_count, call);
    }
    if (!open_contiguous(given, mask, world_count, call, "masks")) {
        return false;
    }
    const struct array *array = &given->array;
    bool is_truth =
        array->item_size == 1 && (array->kind == SCALAR_BOOL || array->kind == SCALAR_UNSIGNED);
    return is_truth || wrong_type(array, call, "masks", "bool or uint8");
}

bool cosmi_python_seed_of(PyObject *object, const char *call, uint64_t *out_seed) {
    PyObject *number = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
    if (number == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "%s: seed is %R; pass an int from 0 to 2**64 - 1", call,
                         object);
        }
        return false;
    }
    *out_seed = PyLong_AsUnsignedLongLong(number);
    bool is_good = !PyErr_Occurred();
    if (!is_good && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        PyErr_Format(cosmi_python_argument_error,
                     "%s: the seed %S is out of range; seeds are from 0 to 2**64 - 1", call,
                     number);
    }
    Py_DECREF(number);
    return is_good;
}

static bool seeds_from_one(struct given *given, PyObject *seed, uint32_t world_count,
                           const char *call) {
    uint64_t number;
    if (!cosmi_python_seed_of(seed, call, &number)) {
        return false;
    }
    uint64_t *seeds = memory_for(given, world_count, sizeof *seeds);
    for (uint32_t i = 0; seeds != NULL && i < world_count; i++) {
        seeds[i] = number;
    }
    return seeds != NULL;
}

static bool seeds_of_list(struct given *given, PyObject *object, uint32_t world_count,
                          const char *call) {
    PyObject *list = list_of(object, world_count, call, "seeds", "one int, or ");
    uint64_t *seeds = list == NULL ? NULL : memory_for(given, world_count, 2 * sizeof *seeds);
    bool is_good = seeds != NULL;
    given->numbers = is_good ? seeds + world_count : NULL;
    for (uint32_t i = 0; is_good && i < world_count; i++) {
        is_good = cosmi_python_seed_of(PyList_GetItem(list, (Py_ssize_t)i), call, &seeds[i]);
    }
    Py_XDECREF(list);
    return is_good;
}

bool cosmi_python_given_seeds(struct given *given, PyObject *seeds, uint32_t world_count,
                              const char *call) {
    memset(given, 0, sizeof *given);
    if (seeds == NULL || seeds == Py_None) {
        return true;
    }
    // Scalars of numpy and torch are arrays too, without dimensions.
    int dim_count = cosmi_python_array_dims(seeds, call, "seeds");
    if (dim_count == 0 || (dim_count == -1 && PyIndex_Check(seeds) && !PySequence_Check(seeds))) {
        return seeds_from_one(given, seeds, world_count, call);
    }
    if (dim_count < 0) {
        return dim_count == -1 && seeds_of_list(given, seeds, world_count, call);
    }
    if (!open_contiguous(given, seeds, world_count, call, "seeds")) {
        return false;
    }
    const struct array *array = &given->array;
    bool is_long = array->item_size == 8 && !array->is_swapped &&
                   (array->kind == SCALAR_SIGNED || array->kind == SCALAR_UNSIGNED);
    if (!is_long) {
        return wrong_type(array, call, "seeds", "uint64 or int64");
    }
    for (uint32_t i = 0; array->kind == SCALAR_SIGNED && i < world_count; i++) {
        int64_t seed;
        memcpy(&seed, array->data + ((size_t)i * 8), sizeof seed);
        if (seed < 0) {
            PyErr_Format(cosmi_python_argument_error,
                         "%s: the seed %lld of world %u is out of range; seeds are not negative",
                         call, (long long)seed, i);
            return false;
        }
    }
    given->numbers = memory_for(given, world_count, sizeof *given->numbers);
    given->data = array->data;
    return given->numbers != NULL;
}

// A scalar of any of our types as a double.
static double number_at(const struct array *array, const char *place) {
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } value;
    memcpy(&value, place, array->item_size);
    bool is_signed = array->kind == SCALAR_SIGNED;
    switch (array->item_size) {
    case 1:
        return is_signed ? (double)value.i8 : (double)value.u8;
    case 2:
        return is_signed ? (double)value.i16 : (double)value.u16;
    case 4:
        return array->kind == SCALAR_FLOAT ? (double)value.f32
               : is_signed                 ? (double)value.i32
                                           : (double)value.u32;
    default:
        return array->kind == SCALAR_FLOAT ? value.f64
               : is_signed                 ? (double)value.i64
                                           : (double)value.u64;
    }
}

static bool values_of_array(struct given *given, PyObject *value, uint32_t world_count,
                            const char *call, const char *what) {
    if (!open_worlds(given, value, world_count, call, what)) {
        return false;
    }
    const struct array *array = &given->array;
    size_t size = array->item_size;
    bool is_known = array->kind != SCALAR_OTHER && !array->is_swapped &&
                    (size == 1 || size == 2 || size == 4 || size == 8) &&
                    !(array->kind == SCALAR_FLOAT && size < 4);
    if (!is_known) {
        return wrong_type(array, call, what, "float64");
    }
    double *values = memory_for(given, world_count, sizeof *values);
    for (uint32_t i = 0; values != NULL && i < world_count; i++) {
        values[i] = number_at(array, array->data + ((int64_t)i * array->strides[0]));
    }
    return values != NULL;
}

static bool values_of_list(struct given *given, PyObject *value, uint32_t world_count,
                           const char *call, const char *what) {
    PyObject *list = list_of(value, world_count, call, what, "one number, or ");
    double *values = list == NULL ? NULL : memory_for(given, world_count, sizeof *values);
    bool is_good = values != NULL;
    for (uint32_t i = 0; is_good && i < world_count; i++) {
        values[i] = PyFloat_AsDouble(PyList_GetItem(list, (Py_ssize_t)i));
        is_good = !PyErr_Occurred();
    }
    Py_XDECREF(list);
    return is_good;
}

// Is it one number: a Python one, or a scalar or an array without dimensions of numpy or torch?
static bool is_single(PyObject *value) {
    if (PyFloat_Check(value) || PyLong_Check(value)) {
        return true;
    }
    if (!PyNumber_Check(value)) {
        return false;
    }
    Py_ssize_t length = PyObject_Size(value);
    PyErr_Clear();
    return length < 0;
}

bool cosmi_python_given_values(struct given *given, PyObject *value, uint32_t world_count,
                               const char *call, const char *name, double *out_single) {
    memset(given, 0, sizeof *given);
    if (is_single(value)) {
        *out_single = PyFloat_AsDouble(value);
        return !PyErr_Occurred();
    }
    char what[COSM_NAME_LENGTH_MAX + 40];
    PyOS_snprintf(what, sizeof what, "values of '%.*s'", (int)COSM_NAME_LENGTH_MAX, name);
    bool is_array;
    if (!cosmi_python_array_check(value, &is_array)) {
        return false;
    }
    return is_array ? values_of_array(given, value, world_count, call, what)
                    : values_of_list(given, value, world_count, call, what);
}

void cosmi_python_given_close(struct given *given) {
    if (given->is_open) {
        cosmi_python_array_close(&given->array);
    }
    free(given->memory);
    memset(given, 0, sizeof *given);
}
