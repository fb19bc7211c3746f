// Sim: taking steps, beginning episodes, setting parameters.
#include "array.h"
#include "sim.h"

#include <string.h>

struct hold *cosmi_python_sim_enter(PyObject *self, const char *call) {
    struct hold *hold = ((struct sim *)self)->hold;
    if (!cosmi_python_hold_is_open(hold, call)) {
        return NULL;
    }
    cosmi_python_hold_share(hold);
    return hold;
}

void cosmi_python_sim_leave(struct hold *hold) {
    cosmi_python_hold_drop(hold);
}

bool cosmi_python_sim_begin(struct hold *hold, const char *call, PyThreadState **out_state) {
    if (!cosmi_python_hold_is_free(hold, call)) {
        return false;
    }
    hold->is_busy = true;
    *out_state = PyEval_SaveThread();
    return true;
}

void cosmi_python_sim_end(struct hold *hold, PyThreadState *state) {
    PyEval_RestoreThread(state);
    hold->is_busy = false;
}

// The column that actions go to; NULL, with an error set, where there is not exactly one.
static const cosm_tensor *action_of(const struct hold *hold) {
    const cosm_env_desc *env = cosm_sim_env(hold->sim);
    const cosm_tensor *found = NULL;
    for (uint32_t i = 0; i < COSM_LIST_MAX && env->slots[i].role != COSM_ROLE_NONE; i++) {
        if (env->slots[i].role != COSM_ROLE_ACTION) {
            continue;
        }
        if (found != NULL) {
            PyErr_Format(cosmi_python_argument_error,
                         "Sim.step: '%s' has several action columns; write to sim.column(name) and "
                         "call step()",
                         env->name);
            return NULL;
        }
        found = cosm_batch_tensor(cosm_sim_batch(hold->sim), env->slots[i].slot);
    }
    if (found == NULL) {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim.step: '%s' has no action column; call step()", env->name);
    }
    return found;
}

// A column of bool takes bytes that are 0 or 1 only.
static bool are_truths(const struct array *array, const cosm_tensor *tensor) {
    if (tensor->type != COSM_FIELD_BOOL || array->kind == SCALAR_BOOL) {
        return true;
    }
    size_t count = 1;
    for (int i = 0; i < array->dim_count; i++) {
        count *= (size_t)array->shape[i];
    }
    for (size_t i = 0; i < count; i++) {
        if ((uint8_t)array->data[i] > 1) {
            PyErr_Format(cosmi_python_argument_error,
                         "Sim.step: actions have a %d, but the column '%s' of bool accepts 0 and "
                         "1; convert with astype(bool)",
                         (int)(uint8_t)array->data[i], tensor->name);
            return false;
        }
    }
    return true;
}

static PyObject *step_with(struct hold *hold, PyObject *actions) {
    static const char call[] = "Sim.step";
    const cosm_tensor *tensor = action_of(hold);
    struct array array;
    if (tensor == NULL || !cosmi_python_array_open(&array, actions, call, "actions")) {
        return NULL;
    }
    PyThreadState *state;
    // Opening an array may run code of its class, and rows come and go on other threads.
    if (!cosmi_python_hold_is_free(hold, call) ||
        !cosmi_python_array_fits(&array, tensor, call, "actions") || !are_truths(&array, tensor) ||
        !cosmi_python_sim_begin(hold, call, &state)) {
        cosmi_python_array_close(&array);
        return NULL;
    }
    cosmi_python_copy_in(tensor, array.data);
    cosm_result result = cosm_sim_step(hold->sim);
    cosmi_python_sim_end(hold, state);
    hold->change_count++;
    cosmi_python_array_close(&array);
    return result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
}

PyObject *cosmi_python_sim_step(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names) {
    if (names != NULL || count > 1) {
        PyObject *given = cosmi_python_one_argument(args, count, names, "actions", "Sim.step");
        if (given == NULL) {
            return NULL;
        }
        count = 1;
    }
    if (count == 1 && args[0] != Py_None) {
        struct hold *shared = cosmi_python_sim_enter(self, "Sim.step");
        PyObject *done = shared == NULL ? NULL : step_with(shared, args[0]);
        cosmi_python_sim_leave(shared);
        return done;
    }
    // No code of Python runs here, and a simulation that is busy is not closed: no share is taken.
    struct hold *hold = ((struct sim *)self)->hold;
    PyThreadState *state;
    if (!cosmi_python_sim_begin(hold, "Sim.step", &state)) {
        return NULL;
    }
    cosm_result result = cosm_sim_step(hold->sim);
    cosmi_python_sim_end(hold, state);
    hold->change_count++;
    return result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise("Sim.step", result);
}

// What a C program does, which steps from Python are measured against (bench/python.py): `lists`
// has the actions of several steps, one behind the other, which are taken in turn.
static cosm_result step_in_turn(const struct hold *hold, unsigned long count, const char *lists,
                                size_t list_size, size_t list_count) {
    const cosm_tensor *tensor = cosm_sim_tensor(hold->sim, COSM_ROLE_ACTION);
    cosm_result result = COSM_OK;
    for (unsigned long i = 0; i < count && result == COSM_OK; i++) {
        if (list_count > 0) {
            cosmi_python_copy_in(tensor, lists + (i % list_count * list_size));
        }
        result = cosm_sim_step(hold->sim);
    }
    return result;
}

static PyObject *step_many(struct hold *hold, unsigned long count, PyObject *actions) {
    static const char call[] = "_step_many";
    struct array array = {0};
    PyThreadState *state;
    if (actions != Py_None && !cosmi_python_array_open(&array, actions, call, "actions")) {
        return NULL;
    }
    // The first dimension counts the lists; each is to fit the column.
    size_t list_count = actions == Py_None ? 0 : (size_t)array.shape[0];
    struct array list = array;
    list.dim_count--;
    memmove(list.shape, array.shape + 1, sizeof list.shape - sizeof list.shape[0]);
    memmove(list.strides, array.strides + 1, sizeof list.strides - sizeof list.strides[0]);
    const cosm_tensor *tensor = actions == Py_None ? NULL : action_of(hold);
    bool is_good =
        actions == Py_None ||
        (tensor != NULL && array.dim_count > 0 && cosmi_python_hold_is_free(hold, call) &&
         cosmi_python_array_fits(&list, tensor, call, "actions") &&
         cosmi_python_is_contiguous(array.shape, array.strides, array.dim_count, array.item_size));
    PyObject *done = NULL;
    if (is_good && cosmi_python_sim_begin(hold, call, &state)) {
        size_t list_size = list_count == 0 ? 0 : (size_t)array.strides[0];
        cosm_result result = step_in_turn(hold, count, array.data, list_size, list_count);
        cosmi_python_sim_end(hold, state);
        done = result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: actions are not contiguous; convert with numpy.ascontiguousarray", call);
    }
    cosmi_python_array_close(&array);
    return done;
}

PyObject *cosmi_python_sim_step_many(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *self;
    unsigned long count;
    PyObject *actions = Py_None;
    if (!PyArg_ParseTuple(args, "O!k|O", cosmi_python_sim_type, &self, &count, &actions)) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "_step_many");
    PyObject *done = hold == NULL ? NULL : step_many(hold, count, actions);
    cosmi_python_sim_leave(hold);
    return done;
}

PyObject *cosmi_python_sim_reset(PyObject *self, PyObject *args, PyObject *names) {
    static const char call[] = "Sim.reset";
    static char *keywords[] = {"mask", "seeds", NULL};
    PyObject *mask = NULL;
    PyObject *seeds = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OO:reset", keywords, &mask, &seeds)) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, call);
    if (hold == NULL) {
        return NULL;
    }
    uint32_t world_count = cosm_batch_world_count(cosm_sim_batch(hold->sim));
    struct given masks = {0};
    struct given numbers = {0};
    PyThreadState *state;
    PyObject *done = NULL;
    if (cosmi_python_given_mask(&masks, mask, world_count, call) &&
        cosmi_python_given_seeds(&numbers, seeds, world_count, call) &&
        cosmi_python_sim_begin(hold, call, &state)) {
        cosm_result result = cosm_sim_reset(hold->sim, masks.data, numbers.data, numbers.numbers);
        cosmi_python_sim_end(hold, state);
        hold->change_count++;
        hold->has_new_params = hold->has_new_params && masks.data != NULL;
        done = result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
    }
    cosmi_python_given_close(&masks);
    cosmi_python_given_close(&numbers);
    cosmi_python_sim_leave(hold);
    return done;
}

PyObject *cosmi_python_sim_set(PyObject *self, PyObject *args, PyObject *names) {
    static const char call[] = "Sim.set";
    static char *keywords[] = {"name", "value", NULL};
    PyObject *text;
    PyObject *value;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OO:set", keywords, &text, &value)) {
        return NULL;
    }
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "Sim.set: name is %R; pass a str", text);
        return NULL;
    }
    const char *name = cosmi_python_utf8(text, call, "the parameter");
    if (name == NULL) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, call);
    if (hold == NULL) {
        return NULL;
    }
    cosm_sim_param param = {.name = name};
    struct given given;
    PyThreadState *state;
    PyObject *done = NULL;
    uint32_t world_count = cosm_batch_world_count(cosm_sim_batch(hold->sim));
    if (cosmi_python_given_values(&given, value, world_count, call, name, &param.value) &&
        cosmi_python_sim_begin(hold, call, &state)) {
        param.values = given.data;
        cosm_result result = cosm_sim_set(hold->sim, &param);
        cosmi_python_sim_end(hold, state);
        hold->has_new_params = hold->has_new_params || result == COSM_OK;
        done = result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
    }
    cosmi_python_given_close(&given);
    cosmi_python_sim_leave(hold);
    return done;
}

PyObject *cosmi_python_sim_refresh(PyObject *self, PyObject *unused) {
    (void)unused;
    struct hold *hold = ((struct sim *)self)->hold;
    PyThreadState *state;
    if (!cosmi_python_sim_begin(hold, "Sim.refresh", &state)) {
        return NULL;
    }
    cosm_result result = cosm_batch_gather(cosm_sim_batch(hold->sim));
    cosmi_python_sim_end(hold, state);
    return result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise("Sim.refresh", result);
}
