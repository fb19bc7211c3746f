// Snapshot: the state of all worlds as a Python object, with a share of the simulation.
#include "snapshot.h"

PyTypeObject *cosmi_python_snapshot_type;

PyObject *cosmi_python_snapshot_make(struct hold *hold, cosm_snapshot *snapshot) {
    PyObject *made = PyType_GenericAlloc(cosmi_python_snapshot_type, 0);
    if (made == NULL) {
        cosm_snapshot_destroy(snapshot);
        return NULL;
    }
    struct snapshot *self = (struct snapshot *)made;
    cosmi_python_hold_share(hold);
    self->hold = hold;
    self->snapshot = snapshot;
    return made;
}

static void release(struct snapshot *self) {
    if (self->hold != NULL && !cosmi_python_hold_is_foreign(self->hold)) {
        cosm_snapshot_destroy(self->snapshot);
    }
    cosmi_python_hold_drop(self->hold);
    Py_CLEAR(self->bytes);
    Py_CLEAR(self->env);
    self->snapshot = NULL;
    self->hold = NULL;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (((struct snapshot *)self)->weak_list != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    release((struct snapshot *)self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *close_snapshot(PyObject *self, PyObject *unused) {
    (void)unused;
    struct snapshot *snapshot = (struct snapshot *)self;
    if (snapshot->use_count > 0) {
        PyErr_SetString(cosmi_python_busy_error,
                        "Snapshot.close: it is being restored on another thread; wait for it");
        return NULL;
    }
    release(snapshot);
    Py_RETURN_NONE;
}

static PyObject *num_worlds(PyObject *self, void *unused) {
    (void)unused;
    const struct snapshot *snapshot = (const struct snapshot *)self;
    if (snapshot->snapshot == NULL && snapshot->bytes == NULL) {
        PyErr_SetString(cosmi_python_closed_error,
                        "Snapshot.num_worlds: the snapshot is closed; take a new one");
        return NULL;
    }
    return PyLong_FromUnsignedLong(snapshot->bytes != NULL
                                       ? snapshot->world_count
                                       : cosm_snapshot_describe(snapshot->snapshot).world_count);
}

static PyObject *represent(PyObject *self) {
    const struct snapshot *snapshot = (const struct snapshot *)self;
    if (snapshot->snapshot == NULL && snapshot->bytes == NULL) {
        return PyUnicode_FromString("<cosm.Snapshot: closed>");
    }
    bool is_copy = snapshot->bytes != NULL;
    PyObject *name = is_copy ? Py_NewRef(snapshot->env)
                             : cosmi_python_text(cosm_sim_env(snapshot->hold->sim)->name);
    uint32_t count =
        is_copy ? snapshot->world_count : cosm_snapshot_describe(snapshot->snapshot).world_count;
    PyObject *text = name == NULL ? NULL
                                  : PyUnicode_FromFormat("<cosm.Snapshot of '%U': %u world%s>",
                                                         name, count, count == 1 ? "" : "s");
    Py_XDECREF(name);
    return text;
}

static PyMethodDef methods[] = {
    {"close", close_snapshot, METH_NOARGS,
     "close($self)\n--\n\n"
     "Frees its memory. It may be called twice."},
    {"__reduce__", cosmi_python_snapshot_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"num_worlds", num_worlds, NULL, "The number of worlds that it was taken from.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char doc[] = "The state of all worlds at one moment. Cheap: it shares what has not "
                          "changed. A pickled or deep-copied one belongs to no simulation, and "
                          "can be restored into\nany with the same environment and number of "
                          "worlds.";

bool cosmi_python_snapshot_ready(PyObject *module) {
    static PyMemberDef members[] = {COSMI_PYTHON_WEAK(struct snapshot), {NULL, 0, 0, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t)doc},
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, represent},
        {Py_tp_methods, methods},
        {Py_tp_members, members},
        {Py_tp_getset, properties},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "cosm.Snapshot",
        .basicsize = sizeof(struct snapshot),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = slots,
    };
    cosmi_python_snapshot_type = cosmi_python_type_add(module, &spec, "Snapshot");
    return cosmi_python_snapshot_type != NULL;
}
