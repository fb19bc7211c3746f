// Sim: state as a value. Hashes, files, snapshots and forks.
//
// What was written into columns since the last step is brought into the worlds first, so that it
// counts; where worlds were changed, columns follow.
#include "array.h"
#include "sim.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

static cosm_batch *batch_of(const struct hold *hold) {
    return cosm_sim_batch(hold->sim);
}

static bool read_kind(const char *name, cosm_hash_kind *out_kind) {
    static const char *const kinds[] = {"exact", "content"};
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, kinds[i]) == 0) {
            *out_kind = (cosm_hash_kind)i;
            return true;
        }
    }
    PyErr_Format(cosmi_python_argument_error,
                 "Sim.hash: no kind is called '%s'; there are: exact, content", name);
    return false;
}

// The index of a world; false with an error set.
static bool read_world(const struct hold *hold, PyObject *object, const char *call,
                       uint32_t *out_world) {
    uint32_t count = cosm_batch_world_count(batch_of(hold));
    PyObject *number = PyNumber_Index(object);
    if (number == NULL) {
        return false;
    }
    int overflow = 0;
    long long index = PyLong_AsLongLongAndOverflow(number, &overflow);
    bool is_good = overflow == 0 && index >= 0 && index < (long long)count;
    if (!is_good) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: there is no world %S; there are %u, from 0 on", call, number, count);
    }
    Py_DECREF(number);
    *out_world = is_good ? (uint32_t)index : 0;
    return is_good;
}

static PyObject *hash_of(struct hold *hold, PyObject *world, cosm_hash_kind kind) {
    static const char call[] = "Sim.hash";
    uint32_t index = 0;
    PyThreadState *state;
    if ((world != Py_None && !read_world(hold, world, call, &index)) ||
        !cosmi_python_sim_begin(hold, call, &state)) {
        return NULL;
    }
    cosm_batch *batch = batch_of(hold);
    uint64_t hash = 0;
    cosm_error_clear();
    cosm_result result = cosm_batch_scatter(batch);
    if (result == COSM_OK) {
        hash = world == Py_None ? cosm_hash_batch(batch, kind)
                                : cosm_hash_world(cosm_batch_world(batch, index), kind);
        result = hash == 0 ? cosm_error_result() : COSM_OK;
    }
    cosmi_python_sim_end(hold, state);
    return result == COSM_OK ? PyLong_FromUnsignedLongLong(hash) : cosmi_python_raise(call, result);
}

PyObject *cosmi_python_sim_hash(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"world", "kind", NULL};
    PyObject *world = Py_None;
    const char *kind_name = "exact";
    cosm_hash_kind kind;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|Os:hash", keywords, &world, &kind_name) ||
        !read_kind(kind_name, &kind)) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.hash");
    PyObject *hash = hold == NULL ? NULL : hash_of(hold, world, kind);
    cosmi_python_sim_leave(hold);
    return hash;
}

cosm_snapshot *cosmi_python_take(cosm_batch *batch, cosm_result *out_result) {
    cosm_error_clear();
    *out_result = cosm_batch_scatter(batch);
    if (*out_result != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
    if (snapshot == NULL) {
        *out_result = cosm_error_result();
    }
    return snapshot;
}

cosm_result cosmi_python_put(cosm_batch *batch, const cosm_snapshot *snapshot) {
    cosm_result result = cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch));
    return result == COSM_OK ? cosm_batch_gather(batch) : result;
}

// The bytes of a path, from str, bytes or os.PathLike; a new reference.
static PyObject *path_of(PyObject *object) {
    PyObject *bytes = NULL;
    return PyUnicode_FSConverter(object, &bytes) ? bytes : NULL;
}

PyObject *cosmi_python_sim_save(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names) {
    PyObject *path = cosmi_python_one_argument(args, count, names, "path", "Sim.save");
    if (path == NULL) {
        return NULL;
    }
    PyObject *bytes = path_of(path);
    struct hold *hold = bytes == NULL ? NULL : cosmi_python_sim_enter(self, "Sim.save");
    PyThreadState *state;
    if (hold == NULL || !cosmi_python_sim_begin(hold, "Sim.save", &state)) {
        cosmi_python_sim_leave(hold);
        Py_XDECREF(bytes);
        return NULL;
    }
    cosm_result result;
    cosm_snapshot *snapshot = cosmi_python_take(batch_of(hold), &result);
    if (snapshot != NULL) {
        result = cosm_save_write(snapshot, PyBytes_AsString(bytes), NULL);
        cosm_snapshot_destroy(snapshot);
    }
    cosmi_python_sim_end(hold, state);
    cosmi_python_sim_leave(hold);
    PyObject *done = result == COSM_OK ? Py_NewRef(Py_None)
                                       : cosmi_python_raise_file("Sim.save", result, bytes, NULL);
    Py_DECREF(bytes);
    return done;
}

PyObject *cosmi_python_sim_load(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                PyObject *names) {
    PyObject *path = cosmi_python_one_argument(args, count, names, "path", "Sim.load");
    if (path == NULL) {
        return NULL;
    }
    PyObject *bytes = path_of(path);
    struct hold *hold = bytes == NULL ? NULL : cosmi_python_sim_enter(self, "Sim.load");
    PyThreadState *state;
    if (hold == NULL || !cosmi_python_sim_begin(hold, "Sim.load", &state)) {
        cosmi_python_sim_leave(hold);
        Py_XDECREF(bytes);
        return NULL;
    }
    cosm_result result = cosmi_python_load(hold->sim, PyBytes_AsString(bytes));
    cosmi_python_sim_end(hold, state);
    hold->change_count++;
    hold->has_new_params = false;
    cosmi_python_sim_leave(hold);
    PyObject *done = result == COSM_OK ? Py_NewRef(Py_None)
                                       : cosmi_python_raise_file("Sim.load", result, bytes, NULL);
    Py_DECREF(bytes);
    return done;
}

PyObject *cosmi_python_sim_snapshot(PyObject *self, PyObject *unused) {
    (void)unused;
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.snapshot");
    PyThreadState *state;
    PyObject *made = NULL;
    if (hold != NULL && cosmi_python_sim_begin(hold, "Sim.snapshot", &state)) {
        cosm_result result;
        cosm_snapshot *snapshot = cosmi_python_take(batch_of(hold), &result);
        cosmi_python_sim_end(hold, state);
        made = snapshot == NULL ? cosmi_python_raise("Sim.snapshot", result)
                                : cosmi_python_snapshot_make(hold, snapshot);
    }
    cosmi_python_sim_leave(hold);
    return made;
}

// A snapshot of another simulation shares its memory: only a copy of it can be restored here.
static bool is_own(const struct hold *hold, const struct snapshot *snapshot) {
    if (snapshot->hold == hold || snapshot->bytes != NULL) {
        return true;
    }
    const char *name = cosm_sim_env(hold->sim)->name;
    const char *other = cosm_sim_env(snapshot->hold->sim)->name;
    uint32_t count = cosm_batch_world_count(batch_of(hold));
    uint32_t other_count = cosm_snapshot_describe(snapshot->snapshot).world_count;
    if (strcmp(name, other) != 0 || count != other_count) {
        PyErr_Format(
            cosmi_python_argument_error,
            "Sim.restore: the snapshot is of '%s' with num_worlds=%u, and this Sim of '%s' "
            "with num_worlds=%u; restore it into a Sim like its own",
            other, other_count, name, count);
    } else {
        PyErr_SetString(cosmi_python_argument_error,
                        "Sim.restore: the snapshot is of another Sim; restore a copy of it, from "
                        "copy.deepcopy or pickle");
    }
    return false;
}

PyObject *cosmi_python_sim_restore(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                   PyObject *names) {
    PyObject *object = cosmi_python_one_argument(args, count, names, "snapshot", "Sim.restore");
    if (object == NULL) {
        return NULL;
    }
    if (!PyObject_TypeCheck(object, cosmi_python_snapshot_type)) {
        PyErr_Format(PyExc_TypeError,
                     "Sim.restore: snapshot is %R; pass a result of Sim.snapshot()", object);
        return NULL;
    }
    struct snapshot *snapshot = (struct snapshot *)object;
    if (snapshot->snapshot == NULL && snapshot->bytes == NULL) {
        PyErr_SetString(cosmi_python_closed_error,
                        "Sim.restore: the snapshot is closed; take a new one");
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.restore");
    PyThreadState *state;
    PyObject *done = NULL;
    snapshot->use_count++;
    if (hold != NULL && snapshot->bytes != NULL) {
        done = cosmi_python_restore_bytes(hold, snapshot, "Sim.restore");
    } else if (hold != NULL && is_own(hold, snapshot) &&
               cosmi_python_sim_begin(hold, "Sim.restore", &state)) {
        cosm_result result = cosmi_python_put(batch_of(hold), snapshot->snapshot);
        cosmi_python_sim_end(hold, state);
        hold->change_count++;
        hold->has_new_params = false;
        done = result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise("Sim.restore", result);
    }
    snapshot->use_count--;
    cosmi_python_sim_leave(hold);
    return done;
}

// The targets of a fork, from one int or a sequence of them: an array to free. NULL with an error
// set.
static cosm_world *targets_of(const struct hold *hold, PyObject *targets, uint32_t *out_count) {
    static const char call[] = "Sim.fork";
    int dim_count = cosmi_python_array_dims(targets, call, "targets");
    if (dim_count == -2) {
        return NULL;
    }
    bool is_one =
        dim_count == 0 || (dim_count == -1 && PyIndex_Check(targets) && !PySequence_Check(targets));
    PyObject *list = is_one ? Py_BuildValue("[O]", targets) : PySequence_List(targets);
    Py_ssize_t count = list == NULL ? 0 : PyList_Size(list);
    cosm_world *worlds = list == NULL ? NULL : calloc((size_t)count + 1, sizeof *worlds);
    if (list != NULL && worlds == NULL) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; worlds != NULL && i < count; i++) {
        uint32_t index;
        if (read_world(hold, PyList_GetItem(list, i), call, &index)) {
            worlds[i] = cosm_batch_world(batch_of(hold), index);
        } else {
            free(worlds);
            worlds = NULL;
        }
    }
    Py_XDECREF(list);
    *out_count = (uint32_t)count;
    return worlds;
}

static PyObject *fork_to(struct hold *hold, PyObject *source, PyObject *targets) {
    static const char call[] = "Sim.fork";
    uint32_t index;
    uint32_t count;
    if (!read_world(hold, source, call, &index)) {
        return NULL;
    }
    cosm_world *worlds = targets_of(hold, targets, &count);
    PyThreadState *state;
    if (worlds == NULL || !cosmi_python_sim_begin(hold, call, &state)) {
        free(worlds);
        return NULL;
    }
    cosm_batch *batch = batch_of(hold);
    cosm_result result = count == 0 ? COSM_OK : cosm_batch_scatter(batch);
    if (result == COSM_OK && count > 0) {
        result = cosm_fork_many(cosm_batch_world(batch, index), worlds, count, NULL);
        result = result == COSM_OK ? cosm_batch_gather(batch) : result;
    }
    cosmi_python_sim_end(hold, state);
    hold->change_count++;
    free(worlds);
    return result == COSM_OK ? Py_NewRef(Py_None) : cosmi_python_raise(call, result);
}

PyObject *cosmi_python_sim_fork(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"source", "targets", NULL};
    PyObject *source;
    PyObject *targets;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OO:fork", keywords, &source, &targets)) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.fork");
    PyObject *done = hold == NULL ? NULL : fork_to(hold, source, targets);
    cosmi_python_sim_leave(hold);
    return done;
}
