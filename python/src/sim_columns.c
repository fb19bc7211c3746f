// Sim: its columns, by name and by role, and pictures.
#include "column.h"
#include "sim.h"

#include <stdlib.h>

static PyObject *name_list(const struct hold *hold) {
    PyObject *list = PyList_New(0);
    const cosm_engine *engine = cosm_sim_engine(hold->sim);
    for (uint32_t slot = 0; list != NULL && slot < COSM_EXPORT_SLOT_MAX; slot++) {
        cosm_export_desc desc;
        if (!cosm_export_describe(engine, slot, &desc)) {
            continue;
        }
        PyObject *name = cosmi_python_text(desc.name);
        if (name == NULL || PyList_Append(list, name) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

PyObject *cosmi_python_sim_columns(PyObject *self, void *unused) {
    (void)unused;
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.columns");
    PyObject *list = hold == NULL ? NULL : name_list(hold);
    PyObject *tuple = list == NULL ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    cosmi_python_sim_leave(hold);
    return tuple;
}

// The tensor with that name; NULL with an error set.
static const cosm_tensor *find(const struct hold *hold, PyObject *name, const char *call) {
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "%s: name is %R; pass a str", call, name);
        return NULL;
    }
    const char *text = cosmi_python_utf8(name, call, "the name");
    if (text == NULL) {
        return NULL;
    }
    uint32_t slot = cosm_export_find(cosm_sim_engine(hold->sim), text);
    const cosm_tensor *tensor =
        slot == COSM_EXPORT_SLOT_NONE ? NULL : cosm_batch_tensor(cosm_sim_batch(hold->sim), slot);
    if (tensor == NULL) {
        PyObject *names = name_list(hold);
        (void)cosmi_python_raise_unknown(call, "no column is called", text, names);
        Py_XDECREF(names);
    }
    return tensor;
}

PyObject *cosmi_python_sim_column(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                  PyObject *names) {
    PyObject *name = cosmi_python_one_argument(args, count, names, "name", "Sim.column");
    if (name == NULL) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.column");
    const cosm_tensor *tensor = hold == NULL ? NULL : find(hold, name, "Sim.column");
    PyObject *column = tensor == NULL ? NULL : cosmi_python_column_make(hold, tensor);
    cosmi_python_sim_leave(hold);
    return column;
}

static bool read_role(PyObject *role, cosm_role *out_role) {
    for (int i = 1; i < COSM_ROLE_COUNT && PyUnicode_Check(role); i++) {
        if (PyUnicode_CompareWithASCIIString(role, cosmi_python_role_names[i]) == 0) {
            *out_role = (cosm_role)i;
            return true;
        }
    }
    PyErr_Format(cosmi_python_argument_error,
                 "Sim.with_role: no role is called %R; there are: observation, action, reward, "
                 "terminated, truncated, action_mask, agent_mask, reset, parameter, info",
                 role);
    return false;
}

static bool append(PyObject *list, struct hold *hold, uint32_t slot) {
    const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(hold->sim), slot);
    if (tensor == NULL) {
        return true;
    }
    PyObject *column = cosmi_python_column_make(hold, tensor);
    bool is_good = column != NULL && PyList_Append(list, column) == 0;
    Py_XDECREF(column);
    return is_good;
}

static PyObject *with_role(struct hold *hold, cosm_role role) {
    PyObject *list = PyList_New(0);
    bool is_good = list != NULL;
    const cosm_env_desc *env = cosm_sim_env(hold->sim);
    for (uint32_t i = 0; is_good && i < COSM_LIST_MAX && env->slots[i].role != COSM_ROLE_NONE;
         i++) {
        if (env->slots[i].role == role) {
            is_good = append(list, hold, env->slots[i].slot);
        }
    }
    for (uint32_t slot = COSM_ENV_SLOT_MAX; is_good && slot < COSM_EXPORT_SLOT_MAX; slot++) {
        if (cosm_sim_role(hold->sim, slot) == role) {
            is_good = append(list, hold, slot);
        }
    }
    PyObject *tuple = is_good ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

PyObject *cosmi_python_sim_with_role(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                     PyObject *names) {
    PyObject *name = cosmi_python_one_argument(args, count, names, "role", "Sim.with_role");
    if (name == NULL) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.with_role");
    cosm_role role;
    PyObject *found = hold != NULL && read_role(name, &role) ? with_role(hold, role) : NULL;
    cosmi_python_sim_leave(hold);
    return found;
}

static PyObject *refuse_final(const struct hold *hold, const cosm_tensor *tensor) {
    static const char *const modes[] = {"next_step", "same_step", "disabled"};
    cosm_autoreset mode = cosm_sim_autoreset(hold->sim);
    bool is_seen = cosm_sim_role(hold->sim, tensor->slot) == COSM_ROLE_OBSERVATION;
    if (mode != COSM_AUTORESET_SAME_STEP) {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim.final: autoreset is '%s', where nothing is overwritten when an episode "
                     "ends; read column('%s'), or create the Sim with autoreset='same_step'",
                     modes[mode], tensor->name);
    } else if (cosm_sim_agent_max(hold->sim) == 1 && !is_seen) {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim.final: with one agent per world only observations are kept, and '%s' is "
                     "none; read column('%s'), which a new episode does not overwrite",
                     tensor->name, tensor->name);
    } else {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim.final: nothing is kept of '%s'; observations are kept, and rewards, "
                     "flags, masks and handles of agents",
                     tensor->name);
    }
    return NULL;
}

PyObject *cosmi_python_sim_final(PyObject *self, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names) {
    PyObject *name = cosmi_python_one_argument(args, count, names, "name", "Sim.final");
    if (name == NULL) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.final");
    const cosm_tensor *tensor = hold == NULL ? NULL : find(hold, name, "Sim.final");
    PyObject *column = NULL;
    if (tensor != NULL) {
        const cosm_tensor *last = cosm_sim_final(hold->sim, tensor->slot);
        column = last == NULL ? refuse_final(hold, tensor) : cosmi_python_column_make(hold, last);
    }
    cosmi_python_sim_leave(hold);
    return column;
}

static PyObject *render(struct hold *hold, long long world) {
    static const char call[] = "Sim.render";
    uint32_t count = cosm_batch_world_count(cosm_sim_batch(hold->sim));
    if (world < 0 || world >= (long long)count) {
        PyErr_Format(cosmi_python_argument_error,
                     "%s: there is no world %lld; there are %u, from 0 on", call, world, count);
        return NULL;
    }
    const cosm_env_desc *env = cosm_sim_env(hold->sim);
    cosm_canvas canvas = {.width = env->canvas_width == 0 ? 256 : env->canvas_width,
                          .height = env->canvas_height == 0 ? 256 : env->canvas_height};
    canvas.pixels = calloc((size_t)canvas.width * canvas.height, 3);
    if (canvas.pixels == NULL) {
        PyErr_Format(PyExc_MemoryError,
                     "%s: out of memory for a picture of %u x %u; reduce canvas_width and "
                     "canvas_height of '%s'",
                     call, canvas.width, canvas.height, env->name);
        return NULL;
    }
    PyThreadState *state;
    if (!cosmi_python_sim_begin(hold, call, &state)) {
        free(canvas.pixels);
        return NULL;
    }
    cosm_result result = cosm_sim_draw(hold->sim, (uint32_t)world, &canvas);
    cosmi_python_sim_end(hold, state);
    if (result != COSM_OK) {
        free(canvas.pixels);
        return cosmi_python_raise(call, result);
    }
    return cosmi_python_column_picture(canvas.pixels, canvas.height, canvas.width);
}

PyObject *cosmi_python_sim_render(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"world", NULL};
    long long world = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|L:render", keywords, &world)) {
        return NULL;
    }
    struct hold *hold = cosmi_python_sim_enter(self, "Sim.render");
    PyObject *picture = hold == NULL ? NULL : render(hold, world);
    cosmi_python_sim_leave(hold);
    return picture;
}
