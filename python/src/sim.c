// Sim: the Python type, its properties and its end. What it does is in sim_*.c.
#include "sim.h"

#include <stdlib.h>

PyTypeObject *cosmi_python_sim_type;

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (((struct sim *)self)->weak_list != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    cosmi_python_hold_drop(((struct sim *)self)->hold);
    Py_CLEAR(((struct sim *)self)->origin);
    free(((struct sim *)self)->loaded);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

// The memory goes now, or with the last array of it.
static PyObject *close_sim(PyObject *self, PyObject *unused) {
    (void)unused;
    struct sim *sim = (struct sim *)self;
    struct hold *hold = sim->hold;
    if (hold != NULL) {
        bool is_foreign = cosmi_python_hold_is_foreign(hold); // nothing of it is given back
        if (!is_foreign && !cosmi_python_hold_is_free(hold, "Sim.close")) {
            return NULL;
        }
        hold->is_closed = true;
        sim->hold = NULL;
        PyThreadState *state = PyEval_SaveThread();
        cosmi_python_hold_drop(hold);
        PyEval_RestoreThread(state);
    }
    sim->is_closed = true;
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused) {
    (void)unused;
    return cosmi_python_hold_is_open(((struct sim *)self)->hold, "Sim.__enter__") ? Py_NewRef(self)
                                                                                  : NULL;
}

static PyObject *leave(PyObject *self, PyObject *details) {
    (void)details;
    return close_sim(self, NULL);
}

// What a property tells; one function for all of them, told apart by its closure.
enum property {
    NAME,
    SUMMARY,
    WORLDS,
    AGENTS,
    SEED,
    WORKERS,
    AUTORESET,
    LIMIT,
    FIRST,
    SECONDS,
    STEPS,
    RENDERS,
    CHANGES,
    NEW_PARAMS,
};

static const char *const property_names[] = {
    "Sim.name",          "Sim.summary",         "Sim.num_worlds", "Sim.max_agents",
    "Sim.seed",          "Sim.workers",         "Sim.autoreset",  "Sim.max_episode_steps",
    "Sim.world_first",   "Sim.step_seconds",    "Sim.step_count", "Sim.can_render",
    "Sim._change_count", "Sim._has_new_params",
};

static PyObject *get(PyObject *self, void *closure) {
    static const char *const modes[] = {"next_step", "same_step", "disabled"};
    enum property property = (enum property)(uintptr_t)closure;
    const struct sim *sim = (const struct sim *)self;
    const struct hold *hold = sim->hold;
    bool changes = property == STEPS;
    if (!(changes ? cosmi_python_hold_is_free(hold, property_names[property])
                  : cosmi_python_hold_is_open(hold, property_names[property]))) {
        return NULL;
    }
    const cosm_env_desc *env = cosm_sim_env(hold->sim);
    const cosm_batch *batch = cosm_sim_batch(hold->sim);
    switch (property) {
    case NAME:
        return cosmi_python_text(env->name);
    case SUMMARY:
        return cosmi_python_text(env->summary == NULL ? "" : env->summary);
    case WORLDS:
        return PyLong_FromUnsignedLong(cosm_batch_world_count(batch));
    case AGENTS:
        return PyLong_FromUnsignedLong(cosm_sim_agent_max(hold->sim));
    case SEED:
        return PyLong_FromUnsignedLongLong(sim->seed);
    case WORKERS:
        return PyLong_FromUnsignedLong(
            cosm_engine_describe(cosm_sim_engine(hold->sim)).worker_count);
    case AUTORESET:
        return PyUnicode_FromString(modes[cosm_sim_autoreset(hold->sim)]);
    case LIMIT:
        return PyLong_FromUnsignedLong(cosm_sim_step_limit(hold->sim));
    case FIRST:
        return PyLong_FromUnsignedLongLong(sim->world_first);
    case SECONDS:
        return PyFloat_FromDouble((double)cosm_batch_step_seconds(batch));
    case STEPS:
        return PyLong_FromUnsignedLongLong(cosm_batch_step_count(batch));
    case CHANGES:
        return PyLong_FromUnsignedLongLong(hold->change_count);
    case NEW_PARAMS:
        return PyBool_FromLong(hold->has_new_params);
    default:
        return PyBool_FromLong(env->draw != NULL);
    }
}

static PyObject *is_closed(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((const struct sim *)self)->is_closed);
}

static PyObject *stats(PyObject *self, PyObject *unused) {
    (void)unused;
    const struct hold *hold = ((const struct sim *)self)->hold;
    if (!cosmi_python_hold_is_free(hold, "Sim.stats")) {
        return NULL;
    }
    const cosm_batch *batch = cosm_sim_batch(hold->sim);
    cosm_memory memory = cosm_batch_memory(batch);
    return Py_BuildValue(
        "{s:K,s:K,s:n,s:n,s:n,s:I,s:I}", "steps", (unsigned long long)cosm_batch_step_count(batch),
        "entities", (unsigned long long)cosm_batch_entity_count(batch), "memory_used",
        (Py_ssize_t)memory.used, "memory_peak", (Py_ssize_t)memory.peak, "memory_live",
        (Py_ssize_t)memory.live, "worlds", cosm_batch_world_count(batch), "workers",
        cosm_engine_describe(cosm_sim_engine(hold->sim)).worker_count);
}

static PyObject *represent(PyObject *self) {
    const struct hold *hold = ((const struct sim *)self)->hold;
    if (hold == NULL) {
        return PyUnicode_FromString("<cosm.Sim: closed>");
    }
    uint32_t count = cosm_batch_world_count(cosm_sim_batch(hold->sim));
    return PyUnicode_FromFormat("<cosm.Sim '%s': %u world%s>", cosm_sim_env(hold->sim)->name, count,
                                count == 1 ? "" : "s");
}

static PyMethodDef methods[] = {
    {"step", COSMI_PYTHON_FAST(cosmi_python_sim_step), METH_FASTCALL | METH_KEYWORDS,
     "step($self, actions=None)\n--\n\n"
     "Takes a step in all worlds. actions, an array with the shape and type of the action\n"
     "column (or anything with a buffer), is copied into it first. The GIL is released."},
    {"reset", COSMI_PYTHON_FAST(cosmi_python_sim_reset), METH_VARARGS | METH_KEYWORDS,
     "reset($self, mask=None, seeds=None)\n--\n\n"
     "Starts a new episode in all worlds, or where mask (bool or uint8, [worlds]) is true.\n"
     "seeds: one int for all worlds, which start as in a new Sim with that seed; or uint64 or\n"
     "int64, [worlds], or a sequence of ints: each world starts as the only one of a Sim with its "
     "seed."},
    {"set", COSMI_PYTHON_FAST(cosmi_python_sim_set), METH_VARARGS | METH_KEYWORDS,
     "set($self, name, value)\n--\n\nSets a parameter in all worlds: one number, or one for each."},
    {"refresh", cosmi_python_sim_refresh, METH_NOARGS,
     "refresh($self)\n--\n\n"
     "Updates the columns after worlds were changed from outside of Python."},
    {"column", COSMI_PYTHON_FAST(cosmi_python_sim_column), METH_FASTCALL | METH_KEYWORDS,
     "column($self, name)\n--\n\nThe column with that name."},
    {"with_role", COSMI_PYTHON_FAST(cosmi_python_sim_with_role), METH_FASTCALL | METH_KEYWORDS,
     "with_role($self, role)\n--\n\n"
     "The columns with that role, in the order in which the environment lists them."},
    {"final", COSMI_PYTHON_FAST(cosmi_python_sim_final), METH_FASTCALL | METH_KEYWORDS,
     "final($self, name)\n--\n\n"
     "With autoreset=\"same_step\": an observation as it was before worlds were reset; if a world\n"
     "can have several agents also their rewards, flags, masks and handles. Only rows of worlds\n"
     "whose episode ended in the last step are valid. ArgumentError: nothing is kept of that column."},
    {"hash", COSMI_PYTHON_FAST(cosmi_python_sim_hash), METH_VARARGS | METH_KEYWORDS,
     "hash($self, world=None, kind=\"exact\")\n--\n\n"
     "The hash of all worlds, or of one. kind: \"exact\" or \"content\"."},
    {"save", COSMI_PYTHON_FAST(cosmi_python_sim_save), METH_FASTCALL | METH_KEYWORDS,
     "save($self, path)\n--\n\nWrites all worlds to a file."},
    {"load", COSMI_PYTHON_FAST(cosmi_python_sim_load), METH_FASTCALL | METH_KEYWORDS,
     "load($self, path)\n--\n\nReads all worlds from a file that save wrote."},
    {"snapshot", cosmi_python_sim_snapshot, METH_NOARGS,
     "snapshot($self)\n--\n\nThe state of all worlds now."},
    {"restore", COSMI_PYTHON_FAST(cosmi_python_sim_restore), METH_FASTCALL | METH_KEYWORDS,
     "restore($self, snapshot)\n--\n\nPuts the state of a snapshot back into all worlds."},
    {"fork", COSMI_PYTHON_FAST(cosmi_python_sim_fork), METH_VARARGS | METH_KEYWORDS,
     "fork($self, source, targets)\n--\n\nMakes the target worlds copies of world source."},
    {"stats", stats, METH_NOARGS,
     "stats($self)\n--\n\n"
     "steps, entities, memory_used, memory_peak, memory_live, worlds, workers."},
    {"render", COSMI_PYTHON_FAST(cosmi_python_sim_render), METH_VARARGS | METH_KEYWORDS,
     "render($self, world=0)\n--\n\nA picture of a world: a Column, [height, width, 3] of uint8."},
    {"close", close_sim, METH_NOARGS,
     "close($self)\n--\n\n"
     "Ends the simulation. Existing arrays keep their memory. It may be called twice."},
    {"__copy__", cosmi_python_sim_copy, METH_NOARGS, NULL},
    {"__deepcopy__", cosmi_python_sim_deepcopy, METH_O, NULL},
    {"__reduce__", cosmi_python_sim_reduce, METH_NOARGS, NULL},
    {"__setstate__", cosmi_python_sim_setstate, METH_O, NULL},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#define PROPERTY(name, which, doc)                                                                 \
    { name, get, NULL, doc, (void *)(uintptr_t)(which) }
static PyGetSetDef properties[] = {
    PROPERTY("name", NAME, "The name of the environment."),
    PROPERTY("summary", SUMMARY, "A description in one line."),
    PROPERTY("num_worlds", WORLDS, "The number of worlds."),
    PROPERTY("max_agents", AGENTS,
             "The maximum number of agents of a world; 0 if there is no limit."),
    PROPERTY("seed", SEED, "The seed that it was created with."),
    PROPERTY("workers", WORKERS, "The number of threads that step, including the caller's."),
    PROPERTY("autoreset", AUTORESET, "\"next_step\", \"same_step\" or \"disabled\"."),
    PROPERTY("max_episode_steps", LIMIT, "The limit of steps per episode; 0: no limit."),
    PROPERTY("world_first", FIRST, "The number of world 0; the others follow."),
    PROPERTY("step_seconds", SECONDS, "The simulated seconds of a step."),
    PROPERTY("step_count", STEPS, "Steps taken so far, including step_first."),
    PROPERTY("can_render", RENDERS, "Whether the environment can be drawn."),
    PROPERTY("_change_count", CHANGES, "For adapters: another number after each change."),
    PROPERTY("_has_new_params", NEW_PARAMS,
             "For adapters: whether set was called since all worlds were reset last."),
    {"columns", cosmi_python_sim_columns, NULL,
     "The names of all columns, in the order of their slots.", NULL},
    {"closed", is_closed, NULL, "Whether close was called.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char doc[] =
    "Sim(name, num_worlds=1, seed=None, workers=0, autoreset=\"next_step\", "
    "max_episode_steps=None, world_first=0, step_first=0, **params)\n--\n\n"
    "A simulation of an environment in many worlds.\n\n"
    "name is that of a built-in environment (see environments()) or the path of a library.\n"
    "seed: None takes one from the system, see the property. workers: threads that step; 0: one\n"
    "per core. autoreset is \"next_step\", \"same_step\" or\n"
    "\"disabled\". max_episode_steps: 0: no limit; None: the default of the environment.\n"
    "world_first, step_first: the numbers of the first world and the first step, for a part of a\n"
    "larger run: with one seed, worlds 16 to 31 are those of world_first=16. Further\n"
    "keywords are parameters of the environment: a number, or one for each\n"
    "world.";

bool cosmi_python_sim_ready(PyObject *module) {
    static PyMemberDef members[] = {COSMI_PYTHON_WEAK(struct sim), {NULL, 0, 0, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t)doc},
        {Py_tp_new, PyType_GenericNew},
        {Py_tp_init, cosmi_python_sim_init},
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, represent},
        {Py_tp_methods, methods},
        {Py_tp_members, members},
        {Py_tp_getset, properties},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "cosm.Sim",
        .basicsize = sizeof(struct sim),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    cosmi_python_sim_type = cosmi_python_type_add(module, &spec, "Sim");
    return cosmi_python_sim_type != NULL;
}
