// Column: a slot of a simulation as a Python object. Its memory is shown by buffer.c and dlpack.c.
#include "column.h"
#include "array.h"

#include <math.h>

PyTypeObject *cosmi_python_column_type;

const char *const cosmi_python_role_names[COSM_ROLE_COUNT] = {
    [COSM_ROLE_NONE] = "",
    [COSM_ROLE_OBSERVATION] = "observation",
    [COSM_ROLE_ACTION] = "action",
    [COSM_ROLE_REWARD] = "reward",
    [COSM_ROLE_TERMINATED] = "terminated",
    [COSM_ROLE_TRUNCATED] = "truncated",
    [COSM_ROLE_ACTION_MASK] = "action_mask",
    [COSM_ROLE_AGENT_MASK] = "agent_mask",
    [COSM_ROLE_RESET] = "reset",
    [COSM_ROLE_PARAMETER] = "parameter",
    [COSM_ROLE_INFO] = "info",
};

static struct column *make(struct hold *hold) {
    PyObject *made = PyType_GenericAlloc(cosmi_python_column_type, 0);
    if (made != NULL) {
        struct column *column = (struct column *)made;
        column->hold = hold;
        column->space = (cosm_space){.low = -INFINITY, .high = INFINITY};
        column->mask_of = COSM_EXPORT_SLOT_NONE;
    }
    return (struct column *)made;
}

PyObject *cosmi_python_column_make(struct hold *hold, const cosm_tensor *tensor) {
    struct column *column = make(hold);
    if (column == NULL) {
        return NULL;
    }
    cosmi_python_hold_share(hold);
    column->tensor = tensor;
    column->role = cosm_sim_role(hold->sim, tensor->slot);
    (void)cosm_sim_space(hold->sim, tensor->slot, &column->space);
    cosm_export_desc desc;
    column->is_entities =
        cosm_export_describe(cosm_sim_engine(hold->sim), tensor->slot, &desc) && desc.entities;
    column->mask_of = cosm_sim_mask_action(hold->sim, tensor->slot);
    return (PyObject *)column;
}

PyObject *cosmi_python_column_picture(uint8_t *pixels, uint32_t height, uint32_t width) {
    struct hold *hold = cosmi_python_hold_make(NULL, pixels);
    struct column *column = hold == NULL ? NULL : make(hold);
    if (column == NULL) {
        cosmi_python_hold_drop(hold);
        return NULL;
    }
    column->own = (cosm_tensor){.data = pixels,
                                .type = COSM_FIELD_U8,
                                .dim_count = 3,
                                .shape = {height, width, 3},
                                .strides = {(int64_t)width * 3, 3, 1},
                                .direction = COSM_DIRECTION_BOTH,
                                .slot = COSM_EXPORT_SLOT_NONE,
                                .name = "picture"};
    column->tensor = &column->own;
    column->space = (cosm_space){.type = COSM_FIELD_U8, .low = 0, .high = 255};
    return (PyObject *)column;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (((struct column *)self)->weak_list != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    cosmi_python_hold_drop(((struct column *)self)->hold);
    PyObject_Free(self);
    Py_DECREF(type);
}

// Counts and offsets of a tensor, told as a tensor.
static void look_at_part(const cosm_tensor *whole, bool is_counts, int64_t world_count,
                         cosm_tensor *out_tensor) {
    int64_t size = is_counts ? 4 : 8;
    *out_tensor = (cosm_tensor){.data = is_counts ? (void *)(uintptr_t)whole->counts
                                                  : (void *)(uintptr_t)whole->offsets,
                                .type = is_counts ? COSM_FIELD_U32 : COSM_FIELD_I64,
                                .dim_count = 1,
                                .shape = {is_counts ? world_count : world_count + 1},
                                .strides = {size},
                                .kind = COSM_TENSOR_WORLDS,
                                .direction = COSM_DIRECTION_OUT,
                                .is_gathered = whole->is_gathered,
                                .slot = whole->slot,
                                .name = whole->name};
}

bool cosmi_python_column_look(const struct column *column, cosm_tensor *out_tensor,
                              const char *call) {
    // The number of rows is written while the simulation steps.
    bool changes = column->tensor->kind == COSM_TENSOR_ROWS && column->part == COLUMN_TENSOR;
    if (!(changes ? cosmi_python_hold_is_free(column->hold, call)
                  : cosmi_python_hold_is_open(column->hold, call))) {
        return false;
    }
    if (column->part == COLUMN_TENSOR) {
        *out_tensor = *column->tensor;
    } else {
        uint32_t world_count = cosm_batch_world_count(cosm_sim_batch(column->hold->sim));
        look_at_part(column->tensor, column->part == COLUMN_COUNTS, world_count, out_tensor);
    }
    return true;
}

PyObject *cosmi_python_tuple_of(const int64_t *numbers, uint32_t count) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (number == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, number) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

// What a property tells; one function for all of them, told apart by its closure.
enum property {
    NAME,
    SLOT,
    ROLE,
    DIRECTION,
    KIND,
    GATHERED,
    ENTITIES,
    MASK_OF,
    DTYPE,
    SHAPE,
    STRIDES,
    ADDRESS,
    SPACE
};

static const char *const property_names[] = {
    "Column.name",  "Column.slot",        "Column.role",        "Column.direction",
    "Column.kind",  "Column.is_gathered", "Column.is_entities", "Column.mask_of",
    "Column.dtype", "Column.shape",       "Column.strides",     "Column.address",
    "Column.space",
};

// Adds the ranges of all scalars of a row to `space`, where they have ranges of their own.
static bool add_ranges(const struct column *column, PyObject *space) {
    const cosm_sim *sim = column->hold->sim;
    PyObject *lows = PyList_New(0);
    PyObject *highs = PyList_New(0);
    bool is_good = lows != NULL && highs != NULL;
    bool differs = false;
    cosm_space one;
    for (uint32_t i = 0; is_good && cosm_sim_space_at(sim, column->tensor->slot, i, &one); i++) {
        PyObject *low = PyFloat_FromDouble(one.low);
        PyObject *high = PyFloat_FromDouble(one.high);
        is_good = low != NULL && high != NULL && PyList_Append(lows, low) == 0 &&
                  PyList_Append(highs, high) == 0;
        differs |= one.low != column->space.low || one.high != column->space.high;
        Py_XDECREF(low);
        Py_XDECREF(high);
    }
    is_good = is_good && (!differs || (PyDict_SetItemString(space, "lows", lows) == 0 &&
                                       PyDict_SetItemString(space, "highs", highs) == 0));
    Py_XDECREF(lows);
    Py_XDECREF(highs);
    return is_good;
}

static PyObject *space_of(const struct column *column) {
    PyObject *space = Py_BuildValue("{s:I,s:d,s:d}", "choices", column->space.choice_count, "low",
                                    column->space.low, "high", column->space.high);
    bool has_fields = column->part == COLUMN_TENSOR && column->hold->sim != NULL;
    if (space != NULL && has_fields && !add_ranges(column, space)) {
        Py_CLEAR(space);
    }
    return space;
}

// The name of the action that a mask belongs to, or None.
static PyObject *action_name(const struct column *column) {
    if (column->mask_of == COSM_EXPORT_SLOT_NONE) {
        Py_RETURN_NONE;
    }
    cosm_batch *batch = cosm_sim_batch(column->hold->sim);
    return PyUnicode_FromString(cosm_batch_tensor(batch, column->mask_of)->name);
}

static PyObject *name_of(const struct column *column, const cosm_tensor *tensor) {
    static const char *const formats[] = {"%s", "%s.counts", "%s.offsets"};
    return PyUnicode_FromFormat(formats[column->part], tensor->name);
}

static PyObject *get(PyObject *self, void *closure) {
    static const char *const directions[] = {"out", "in", "both"};
    static const char *const kinds[] = {"worlds", "fixed", "rows"};
    const struct column *column = (const struct column *)self;
    enum property property = (enum property)(uintptr_t)closure;
    cosm_tensor tensor;
    if (!cosmi_python_column_look(column, &tensor, property_names[property])) {
        return NULL;
    }
    switch (property) {
    case NAME:
        return name_of(column, &tensor);
    case SLOT:
        return tensor.slot == COSM_EXPORT_SLOT_NONE ? PyLong_FromLong(-1)
                                                    : PyLong_FromUnsignedLong(tensor.slot);
    case ROLE:
        return PyUnicode_FromString(cosmi_python_role_names[column->role]);
    case DIRECTION:
        return PyUnicode_FromString(directions[tensor.direction]);
    case KIND:
        return PyUnicode_FromString(kinds[tensor.kind]);
    case GATHERED:
        return PyBool_FromLong(tensor.is_gathered);
    case ENTITIES:
        return PyBool_FromLong(column->is_entities);
    case MASK_OF:
        return action_name(column);
    case DTYPE:
        return PyUnicode_FromString(cosmi_python_scalar(tensor.type)->name);
    case SHAPE:
        return cosmi_python_tuple_of(tensor.shape, tensor.dim_count);
    case STRIDES:
        return cosmi_python_tuple_of(tensor.strides, tensor.dim_count);
    case ADDRESS:
        return PyLong_FromVoidPtr(tensor.data);
    default:
        return space_of(column);
    }
}

static PyObject *get_part(PyObject *self, void *closure) {
    const struct column *column = (const struct column *)self;
    bool is_counts = closure != NULL;
    if (!cosmi_python_hold_is_open(column->hold, is_counts ? "Column.counts" : "Column.offsets")) {
        return NULL;
    }
    bool is_there = column->part == COLUMN_TENSOR &&
                    (is_counts ? column->tensor->counts != NULL : column->tensor->offsets != NULL);
    if (!is_there) {
        Py_RETURN_NONE;
    }
    struct column *part = make(column->hold);
    if (part != NULL) {
        cosmi_python_hold_share(column->hold);
        part->tensor = column->tensor;
        part->part = is_counts ? COLUMN_COUNTS : COLUMN_OFFSETS;
    }
    return (PyObject *)part;
}

static PyObject *as_numpy(PyObject *self, PyObject *unused) {
    (void)unused;
    // numpy would make an array of one object out of a column that cannot be shown.
    cosm_tensor tensor;
    if (!cosmi_python_column_look((const struct column *)self, &tensor, "Column.numpy")) {
        return NULL;
    }
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = numpy == NULL ? NULL : PyObject_CallMethod(numpy, "asarray", "O", self);
    Py_XDECREF(numpy);
    return array;
}

static PyObject *as_torch(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *capsule = cosmi_python_dlpack_for_torch((const struct column *)self);
    PyObject *dlpack = capsule == NULL ? NULL : PyImport_ImportModule("torch.utils.dlpack");
    PyObject *tensor =
        dlpack == NULL ? NULL : PyObject_CallMethod(dlpack, "from_dlpack", "O", capsule);
    Py_XDECREF(dlpack);
    Py_XDECREF(capsule);
    return tensor;
}

// numpy asks for this after the buffer; without it a closed column would become an array of one
// object.
static PyObject *as_array(PyObject *self, PyObject *args) {
    PyObject *array = as_numpy(self, NULL);
    PyObject *type = array != NULL && PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : Py_None;
    if (array == NULL || type == Py_None) {
        return array;
    }
    PyObject *converted = PyObject_CallMethod(array, "astype", "O", type);
    Py_DECREF(array);
    return converted;
}

static Py_ssize_t length(PyObject *self) {
    cosm_tensor tensor;
    if (!cosmi_python_column_look((const struct column *)self, &tensor, "len(Column)")) {
        return -1;
    }
    return (Py_ssize_t)tensor.shape[0];
}

// One item of a column of single numbers needs no numpy.
static PyObject *item(PyObject *self, PyObject *key) {
    cosm_tensor tensor;
    if (!cosmi_python_column_look((const struct column *)self, &tensor, "Column[]")) {
        return NULL;
    }
    bool is_one = tensor.dim_count == 1 && PyIndex_Check(key);
    PyObject *view = is_one ? PyMemoryView_FromObject(self) : as_numpy(self, NULL);
    PyObject *found = view == NULL ? NULL : PyObject_GetItem(view, key);
    Py_XDECREF(view);
    return found;
}

static PyObject *iterate(PyObject *self) {
    PyObject *array = as_numpy(self, NULL);
    PyObject *items = array == NULL ? NULL : PyObject_GetIter(array);
    Py_XDECREF(array);
    return items;
}

static PyObject *represent(PyObject *self) {
    const struct column *column = (const struct column *)self;
    cosm_tensor tensor;
    if (!cosmi_python_column_look(column, &tensor, "repr(Column)")) {
        PyErr_Clear();
        return PyUnicode_FromString("<cosm.Column: not accessible now>");
    }
    char shape[200];
    cosmi_python_shape_text(tensor.shape, (int)tensor.dim_count, shape, sizeof shape);
    PyObject *name = name_of(column, &tensor);
    PyObject *text = name == NULL
                         ? NULL
                         : PyUnicode_FromFormat("<cosm.Column '%U': %s of %s>", name, shape,
                                                cosmi_python_scalar(tensor.type)->name);
    Py_XDECREF(name);
    return text;
}

static PyMethodDef methods[] = {
    {"__dlpack__", COSMI_PYTHON_FAST(cosmi_python_dlpack), METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A DLPack capsule of the memory: the legacy form, or the versioned one if\n"
     "max_version is (1, 0) or more. bool is exported as uint8."},
    {"__dlpack_device__", cosmi_python_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self)\n--\n\n(1, 0): the memory of the CPU."},
    {"__array__", as_array, METH_VARARGS, "__array__($self, dtype=None)\n--\n\nFor numpy."},
    {"numpy", as_numpy, METH_NOARGS,
     "numpy($self)\n--\n\n"
     "A numpy array of the memory itself; read-only if the simulation writes it."},
    {"torch", as_torch, METH_NOARGS,
     "torch($self)\n--\n\n"
     "A torch tensor of the memory itself. bool is shown as uint8, uint16/32/64 as the signed "
     "type."},
    {NULL, NULL, 0, NULL},
};

#define PROPERTY(name, which, doc)                                                                 \
    { name, get, NULL, doc, (void *)(uintptr_t)(which) }
static PyGetSetDef properties[] = {
    PROPERTY("name", NAME, "The name of the slot."),
    PROPERTY("slot", SLOT, "The number of the slot; -1 for a picture."),
    PROPERTY("role", ROLE, "Its role, such as \"observation\", or \"\"."),
    PROPERTY("direction", DIRECTION, "\"out\", \"in\" or \"both\"."),
    PROPERTY("kind", KIND, "\"worlds\", \"fixed\" or \"rows\"."),
    PROPERTY("is_gathered", GATHERED, "Whether it is a copy that is updated after each step."),
    PROPERTY("is_entities", ENTITIES,
             "Whether it holds entity handles: two uint32 each, the generation and the id."),
    PROPERTY("mask_of", MASK_OF, "For an action mask: the name of its action. Otherwise None."),
    PROPERTY("dtype", DTYPE, "The name of the numpy type, such as \"float32\"."),
    PROPERTY("shape", SHAPE, "The current shape. It changes for kind \"rows\"."),
    PROPERTY("strides", STRIDES, "In bytes."),
    PROPERTY("address", ADDRESS,
             "The address of the first scalar. It changes only for columns of kind \"rows\" from "
             "Sim.final."),
    PROPERTY("space", SPACE,
             "{\"choices\": n or 0, \"low\": float, \"high\": float} for one scalar; also "
             "\"lows\" and \"highs\" for all\n"
             "scalars of a row if their ranges differ."),
    {"counts", get_part, NULL, "For a \"fixed\" column: the number of living rows, [worlds].",
     (void *)1},
    {"offsets", get_part, NULL, "For a \"rows\" column: the first row of each world, [worlds + 1].",
     NULL},
    {"__array_interface__", cosmi_python_array_interface, NULL, "For numpy.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char doc[] =
    "A slot of a simulation: memory of its worlds as an array. Nothing is copied.\n\n"
    "Supports the buffer protocol, __array_interface__ and DLPack. Arrays made from it keep the\n"
    "memory alive, even after close; the column itself then raises ClosedError.\n"
    "For a growing archetype the number of rows changes from step to step: get the array again.";

bool cosmi_python_column_ready(PyObject *module) {
    static PyMemberDef members[] = {COSMI_PYTHON_WEAK(struct column), {NULL, 0, 0, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t)doc},
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, represent},
        {Py_tp_methods, methods},
        {Py_tp_members, members},
        {Py_tp_getset, properties},
        {Py_tp_iter, iterate},
        {Py_mp_length, length},
        {Py_mp_subscript, item},
        {Py_bf_getbuffer, cosmi_python_buffer_take},
        {Py_bf_releasebuffer, cosmi_python_buffer_give},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "cosm.Column",
        .basicsize = sizeof(struct column),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = slots,
    };
    cosmi_python_column_type = cosmi_python_type_add(module, &spec, "Column");
    return cosmi_python_column_type != NULL;
}
