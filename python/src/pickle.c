// Pickle and deepcopy: a state as the bytes of a save file.
//
// A snapshot becomes the name of its environment, its number of worlds and its bytes. A simulation
// becomes what it was made with, its state, of which parameters are a part, and what its columns are:
// a library may have become another one when it is made again. A copy within the process runs
// the code that the original runs.
#include "array.h"
#include "sim.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

// Bytes that cosm_save_write_to hands over.
struct sink {
    char *data;
    size_t size;
    size_t room;
    bool is_full; // there was no memory
};

static void put_bytes(void *target, const char *bytes, size_t size) {
    struct sink *sink = target;
    if (sink->is_full) {
        return;
    }
    if (size > sink->room - sink->size) {
        size_t room = 2 * sink->room + size;
        char *data = realloc(sink->data, room);
        if (data == NULL) {
            sink->is_full = true;
            return;
        }
        sink->data = data;
        sink->room = room;
    }
    memcpy(sink->data + sink->size, bytes, size);
    sink->size += size;
}

// Needs no GIL.
static cosm_result write_bytes(const cosm_snapshot *snapshot, struct sink *sink) {
    cosm_error_clear();
    cosm_result result = cosm_save_write_to(snapshot, NULL, put_bytes, sink);
    return result == COSM_OK && sink->is_full
               ? cosm_error_raise(NULL, COSM_ERROR_MEMORY,
                                  "out of memory for the bytes of a state; free some")
               : result;
}

// The bytes of the sink, which is emptied; NULL with the error of `result`.
static PyObject *end_sink(struct sink *sink, const char *call, cosm_result result) {
    PyObject *bytes = result == COSM_OK
                          ? PyBytes_FromStringAndSize(sink->data, (Py_ssize_t)sink->size)
                          : cosmi_python_raise(call, result);
    free(sink->data);
    return bytes;
}

PyObject *cosmi_python_snapshot_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    static const char call[] = "Snapshot.__reduce__";
    struct snapshot *snapshot = (struct snapshot *)self;
    if (snapshot->snapshot == NULL && snapshot->bytes == NULL) {
        PyErr_Format(cosmi_python_closed_error, "%s: the snapshot is closed; take a new one", call);
        return NULL;
    }
    PyObject *module = PyImport_ImportModule("cosm._cosm");
    PyObject *function = module == NULL ? NULL : PyObject_GetAttrString(module, "_snapshot");
    Py_XDECREF(module);
    if (function == NULL) {
        return NULL;
    }
    if (snapshot->bytes != NULL) {
        return Py_BuildValue("N(OIO)", function, snapshot->env, snapshot->world_count,
                             snapshot->bytes);
    }
    struct hold *hold = snapshot->hold;
    bool is_foreign = cosmi_python_hold_is_foreign(hold);
    if (is_foreign || (!hold->is_closed && !cosmi_python_hold_is_free(hold, call))) {
        Py_DECREF(function);
        return !is_foreign ? NULL
                           : PyErr_Format(cosmi_python_error,
                                          "%s: the snapshot was taken before os.fork; pickle it "
                                          "in the parent",
                                          call);
    }
    struct sink sink = {NULL};
    hold->is_busy = true; // also of a closed one, where nobody asks
    snapshot->use_count++;
    PyThreadState *state = PyEval_SaveThread();
    cosm_result result = write_bytes(snapshot->snapshot, &sink);
    PyEval_RestoreThread(state);
    snapshot->use_count--;
    hold->is_busy = false;
    PyObject *bytes = end_sink(&sink, call, result);
    PyObject *made =
        bytes == NULL
            ? NULL
            : Py_BuildValue("O(NIN)", function,
                            cosmi_python_text(cosm_sim_env(snapshot->hold->sim)->name),
                            cosm_snapshot_describe(snapshot->snapshot).world_count, bytes);
    Py_DECREF(function);
    return made;
}

PyObject *cosmi_python_snapshot_unpickle(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *env;
    PyObject *bytes;
    unsigned int world_count;
    if (!PyArg_ParseTuple(args, "UIS:_snapshot", &env, &world_count, &bytes)) {
        return NULL;
    }
    PyObject *made = PyType_GenericAlloc(cosmi_python_snapshot_type, 0);
    if (made != NULL) {
        struct snapshot *snapshot = (struct snapshot *)made;
        snapshot->env = Py_NewRef(env);
        snapshot->bytes = Py_NewRef(bytes);
        snapshot->world_count = world_count;
    }
    return made;
}

// Reads bytes that were written of the same environment. Needs no GIL.
static cosm_result read_bytes(const cosm_sim *sim, const char *bytes, size_t size) {
    cosm_batch *batch = cosm_sim_batch(sim);
    cosm_save_report report = {0};
    cosm_error_clear();
    cosm_snapshot *made = cosm_save_read_bytes(cosm_sim_engine(sim), bytes, size, NULL, &report);
    if (made == NULL) {
        return cosm_error_result();
    }
    cosm_result result =
        report.unknown_count == 0 && report.converted_count == 0
            ? cosmi_python_put(batch, made)
            : cosm_error_raise(
                  cosm_sim_engine(sim), COSM_ERROR_FORMAT,
                  "the state has components that environment '%s' %s; restore it into "
                  "a Sim of the library that it was taken from, or save and load it as "
                  "a file, which is converted",
                  cosm_sim_env(sim)->name,
                  report.unknown_count > 0 ? "does not know" : "has with other fields");
    cosm_snapshot_destroy(made);
    return result;
}

static PyObject *restore(struct hold *hold, PyObject *bytes, const char *call) {
    PyThreadState *state;
    if (!cosmi_python_sim_begin(hold, call, &state)) {
        return NULL;
    }
    cosm_result result =
        read_bytes(hold->sim, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    cosmi_python_sim_end(hold, state);
    hold->change_count++;
    hold->has_new_params = false;
    return result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
}

PyObject *cosmi_python_restore_bytes(struct hold *hold, const struct snapshot *snapshot,
                                     const char *call) {
    const char *name = cosm_sim_env(hold->sim)->name;
    uint32_t world_count = cosm_batch_world_count(cosm_sim_batch(hold->sim));
    if (PyUnicode_CompareWithASCIIString(snapshot->env, name) != 0 ||
        snapshot->world_count != world_count) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: the snapshot is of '%U' with %u worlds, but the simulation is of '%s' "
                     "with %u; restore it into one like its own",
                     call, snapshot->env, snapshot->world_count, name, world_count);
        return NULL;
    }
    return restore(hold, snapshot->bytes, call);
}

// The attributes of a subclass; None where there are none.
static PyObject *attributes_of(PyObject *self) {
    PyObject *attributes = PyObject_GetAttrString(self, "__dict__");
    if (attributes == NULL) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    return attributes;
}

// What a column is, in one line: its name, then all that an array and a space of it tell.
static PyObject *line_of(const cosm_sim *sim, const cosm_tensor *tensor) {
    char text[COSM_NAME_LENGTH_MAX + 400];
    char shape[200];
    cosm_space space = {0};
    (void)cosm_sim_space(sim, tensor->slot, &space);
    cosmi_python_shape_text(tensor->shape + 1, (int)tensor->dim_count - 1, shape, sizeof shape);
    PyOS_snprintf(text, sizeof text, "%s: role %d, kind %d, direction %d, %s of %s, %u, %a to %a",
                  tensor->name, (int)cosm_sim_role(sim, tensor->slot), (int)tensor->kind,
                  (int)tensor->direction, shape, cosmi_python_scalar(tensor->type)->name,
                  space.choice_count, space.low, space.high);
    return cosmi_python_text(text);
}

static PyObject *lines_of(const cosm_sim *sim) {
    PyObject *list = PyList_New(0);
    const cosm_batch *batch = cosm_sim_batch(sim);
    for (uint32_t slot = 0; list != NULL && slot < COSM_EXPORT_SLOT_MAX; slot++) {
        const cosm_tensor *tensor = cosm_batch_tensor(batch, slot);
        PyObject *line = tensor == NULL ? NULL : line_of(sim, tensor);
        if (tensor != NULL && (line == NULL || PyList_Append(list, line) < 0)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(line);
    }
    return list;
}

// Are the columns what they were when it was pickled? False with an error set.
static bool check_lines(const struct sim *sim, const struct hold *hold, PyObject *lines) {
    PyObject *now = lines_of(hold->sim);
    if (now == NULL || !PyList_Check(lines)) {
        Py_XDECREF(now);
        return now != NULL;
    }
    Py_ssize_t count = PyList_Size(now);
    Py_ssize_t other_count = PyList_Size(lines);
    for (Py_ssize_t i = 0; i < (count > other_count ? count : other_count); i++) {
        PyObject *here = i < count ? PyList_GetItem(now, i) : NULL;
        PyObject *there = i < other_count ? PyList_GetItem(lines, i) : NULL;
        int is_same =
            here == NULL || there == NULL ? 0 : PyObject_RichCompareBool(here, there, Py_EQ);
        if (is_same <= 0) {
            if (!PyErr_Occurred()) {
                PyErr_Format(cosmi_python_format_error,
                             "Sim: '%U' has changed since this Sim was pickled: where it had the "
                             "column \"%S\", it has \"%S\"; create a new Sim, or unpickle it with "
                             "the library that it was created with",
                             sim->origin, there == NULL ? Py_None : there,
                             here == NULL ? Py_None : here);
            }
            Py_DECREF(now);
            return false;
        }
    }
    Py_DECREF(now);
    return true;
}

PyObject *cosmi_python_sim_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    static const char call[] = "Sim.__reduce__";
    static const char *const modes[] = {"next_step", "same_step", "disabled"};
    const struct sim *sim = (const struct sim *)self;
    struct hold *hold = cosmi_python_sim_enter(self, call);
    PyThreadState *state;
    PyObject *made = NULL;
    if (hold != NULL && cosmi_python_sim_begin(hold, call, &state)) {
        struct sink sink = {NULL};
        cosm_result result;
        cosm_snapshot *snapshot = cosmi_python_take(cosm_sim_batch(hold->sim), &result);
        if (snapshot != NULL) {
            result = write_bytes(snapshot, &sink);
            cosm_snapshot_destroy(snapshot);
        }
        cosmi_python_sim_end(hold, state);
        PyObject *bytes = end_sink(&sink, call, result);
        if (bytes != NULL) {
            made =
                Py_BuildValue("O(OIKIsIK)(NNNO)", Py_TYPE(self), sim->origin,
                              cosm_batch_world_count(cosm_sim_batch(hold->sim)),
                              (unsigned long long)sim->seed, sim->worker_count,
                              modes[cosm_sim_autoreset(hold->sim)], cosm_sim_step_limit(hold->sim),
                              (unsigned long long)sim->world_first, bytes, attributes_of(self),
                              lines_of(hold->sim), hold->has_new_params ? Py_True : Py_False);
        }
    }
    cosmi_python_sim_leave(hold);
    return made;
}

PyObject *cosmi_python_sim_setstate(PyObject *self, PyObject *state) {
    PyObject *bytes;
    PyObject *attributes;
    PyObject *lines = Py_None;
    int has_new_params = 0;
    if (!PyTuple_Check(state) || !PyArg_ParseTuple(state, "SO|Op:__setstate__", &bytes, &attributes,
                                                   &lines, &has_new_params)) {
        return PyErr_Occurred()
                   ? NULL
                   : PyErr_Format(PyExc_TypeError,
                                  "Sim.__setstate__: takes the pickled state of a Sim");
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.__setstate__");
    PyObject *done = hold == NULL || !check_lines((const struct sim *)self, hold, lines)
                         ? NULL
                         : restore(hold, bytes, "Sim.__setstate__");
    if (done != NULL) {
        hold->has_new_params = has_new_params != 0;
    }
    cosmi_python_sim_leave(hold);
    if (done != NULL && attributes != Py_None) {
        PyObject *own = PyObject_GetAttrString(self, "__dict__");
        if (own == NULL || PyDict_Update(own, attributes) < 0) {
            Py_CLEAR(done);
        }
        Py_XDECREF(own);
    }
    return done;
}

// Makes it again by what pickle has of it, with the code that `self` runs. `memo`: of a deep copy;
// NULL: attributes are shared.
static PyObject *copy_sim(PyObject *self, PyObject *memo) {
    PyObject *parts = PyObject_CallMethod(self, "__reduce__", NULL);
    if (parts == NULL) {
        return NULL;
    }
    const struct sim *outer = cosmi_python_copied;
    cosmi_python_copied = (const struct sim *)self;
    PyObject *made = PyObject_CallObject(PyTuple_GetItem(parts, 0), PyTuple_GetItem(parts, 1));
    cosmi_python_copied = outer;
    PyObject *state = PyTuple_GetItem(parts, 2);
    PyObject *key = PyLong_FromVoidPtr(self);
    bool is_good = made != NULL && key != NULL;
    if (is_good && memo != NULL) {
        PyObject *copy = PyImport_ImportModule("copy");
        state = PyObject_SetItem(memo, key, made) < 0 || copy == NULL
                    ? NULL
                    : PyObject_CallMethod(copy, "deepcopy", "OO", state, memo);
        Py_XDECREF(copy);
    } else {
        state = Py_NewRef(state);
    }
    PyObject *done =
        !is_good || state == NULL ? NULL : PyObject_CallMethod(made, "__setstate__", "(O)", state);
    Py_XDECREF(state);
    Py_XDECREF(key);
    Py_DECREF(parts);
    if (done == NULL) {
        Py_CLEAR(made);
    }
    Py_XDECREF(done);
    return made;
}

PyObject *cosmi_python_sim_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    return copy_sim(self, NULL);
}

PyObject *cosmi_python_sim_deepcopy(PyObject *self, PyObject *memo) {
    return copy_sim(self, memo);
}
