// Sim: making one, of a built-in environment or of a library, with its parameters.
#include "array.h"
#include "envs.h"
#include "library.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local const struct sim *cosmi_python_copied;

PyObject *cosmi_python_environments(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *tuple = PyTuple_New((Py_ssize_t)scene_env_count());
    for (uint32_t i = 0; tuple != NULL && i < scene_env_count(); i++) {
        PyObject *name = PyUnicode_FromString(scene_env_at(i)->name);
        if (name == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

// What Sim(...) was called with, on its way into a cosm_sim_desc.
struct wish {
    PyObject *name; // bytes of a path or name
    PyObject *seed;
    PyObject *autoreset;
    PyObject *limit;
    PyObject *world_first;
    PyObject *step_first;
    PyObject *world_count;
    PyObject *worker_count;
    PyObject *params;       // a dict of those that are no arguments
    struct library library; // where it is no built-in environment
    char *loaded;           // what the loader was given for it
    cosm_sim_desc desc;
    struct given *given; // one for each parameter
    cosm_sim_param *list;
};

static void end_wish(struct wish *wish) {
    for (uint32_t i = 0; wish->given != NULL && i < wish->desc.param_count; i++) {
        cosmi_python_given_close(&wish->given[i]);
    }
    free(wish->given);
    free(wish->list);
    free(wish->loaded);
    Py_XDECREF(wish->name);
    Py_XDECREF(wish->params);
}

static bool is_argument(PyObject *name, char *const *keywords) {
    for (; *keywords != NULL; keywords++) {
        if (PyUnicode_CompareWithASCIIString(name, *keywords) == 0) {
            return true;
        }
    }
    return false;
}

// Words of other classes for our own.
static const char *other_word(PyObject *name) {
    static const char *const words[][2] = {
        {"autoreset_mode", "autoreset"},
        {"num_envs", "num_worlds"},
        {"n_envs", "num_worlds"},
        {"num_workers", "workers"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (PyUnicode_CompareWithASCIIString(name, words[i][0]) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

// Keywords are arguments or parameters: puts both into dicts of their own.
static bool part_keywords(PyObject *names, char *const *keywords, PyObject *arguments,
                          PyObject *params) {
    PyObject *name;
    PyObject *value;
    Py_ssize_t place = 0;
    while (names != NULL && PyDict_Next(names, &place, &name, &value)) {
        const char *word = other_word(name);
        if (word != NULL) {
            PyErr_Format(cosmi_python_argument_error,
                         "Sim: there is no keyword '%U'; here it is called %s", name, word);
            return false;
        }
        PyObject *target = is_argument(name, keywords) ? arguments : params;
        if (PyDict_SetItem(target, name, value) < 0) {
            return false;
        }
    }
    return true;
}

static bool read_path(PyObject *name, PyObject **out_name) {
    if (PyUnicode_FSConverter(name, out_name)) {
        return true;
    }
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError,
                     "Sim: name is %R; pass the name of an environment or the path of a library",
                     name);
    }
    return false;
}

static bool read_wish(struct wish *wish, PyObject *args, PyObject *names) {
    static char *keywords[] = {"name",        "num_worlds", "seed",
                               "workers",     "autoreset",  "max_episode_steps",
                               "world_first", "step_first", NULL};
    wish->limit = Py_None;
    wish->params = PyDict_New();
    PyObject *arguments = PyDict_New();
    PyObject *name = NULL;
    bool is_good = wish->params != NULL && arguments != NULL &&
                   part_keywords(names, keywords, arguments, wish->params) &&
                   PyArg_ParseTupleAndKeywords(args, arguments, "O|OOOOOOO:Sim", keywords, &name,
                                               &wish->world_count, &wish->seed, &wish->worker_count,
                                               &wish->autoreset, &wish->limit, &wish->world_first,
                                               &wish->step_first) &&
                   read_path(name, &wish->name);
    Py_XDECREF(arguments);
    return is_good;
}

// An int from `min` to `max`; *out_value stays as it is where none was given.
static bool read_integer(const char *name, PyObject *given, long long min, long long max,
                         long long *out_value) {
    if (given == NULL) {
        return true;
    }
    PyObject *number = PyIndex_Check(given) ? PyNumber_Index(given) : NULL;
    if (number == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "Sim: %s is %R; pass an int from %lld to %lld", name,
                         given, min, max);
        }
        return false;
    }
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    bool is_good = overflow == 0 && value >= min && value <= max;
    if (is_good) {
        *out_value = value;
    } else {
        PyErr_Format(cosmi_python_argument_error, "Sim: %s is %S; it must be from %lld to %lld",
                     name, number, min, max);
    }
    Py_DECREF(number);
    return is_good;
}

static bool read_autoreset(PyObject *given, cosm_autoreset *out_mode) {
    static const char *const modes[] = {"next_step", "same_step", "disabled"};
    if (given == NULL) {
        return true;
    }
    for (int i = 0; i < 3 && PyUnicode_Check(given); i++) {
        if (PyUnicode_CompareWithASCIIString(given, modes[i]) == 0) {
            *out_mode = (cosm_autoreset)i;
            return true;
        }
    }
    PyErr_Format(PyUnicode_Check(given) ? cosmi_python_argument_error : PyExc_TypeError,
                 "Sim: autoreset is %R; there are: next_step, same_step, disabled", given);
    return false;
}

// Without a seed one comes from the system: 53 bits, which a double and JSON hold too.
static bool read_seed(PyObject *seed, uint64_t *out_seed) {
    if (seed != NULL && seed != Py_None) {
        return cosmi_python_seed_of(seed, "Sim", out_seed);
    }
    PyObject *os = PyImport_ImportModule("os");
    PyObject *bytes = os == NULL ? NULL : PyObject_CallMethod(os, "urandom", "i", 8);
    bool is_drawn = bytes != NULL && PyBytes_Size(bytes) == 8;
    if (is_drawn) {
        memcpy(out_seed, PyBytes_AsString(bytes), sizeof *out_seed);
        *out_seed >>= 11;
    }
    Py_XDECREF(bytes);
    Py_XDECREF(os);
    return is_drawn;
}

// A number that goes from 0 to 2**64 - 1 here; the simulation knows what more is wrong with it.
static bool read_first(const char *name, PyObject *given, uint64_t *out_number) {
    PyObject *number = given != NULL && PyIndex_Check(given) ? PyNumber_Index(given) : NULL;
    if (number == NULL) {
        if (given != NULL && !PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "Sim: %s is %R; pass an int from 0 to 2**64 - 1", name,
                         given);
        }
        return given == NULL;
    }
    *out_number = PyLong_AsUnsignedLongLong(number);
    bool is_good = !PyErr_Occurred();
    if (!is_good && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        PyErr_Format(cosmi_python_argument_error, "Sim: %s is %S; it must be from 0 to 2**64 - 1",
                     name, number);
    }
    Py_DECREF(number);
    return is_good;
}

static bool read_numbers(struct wish *wish) {
    long long limit = 0; // the environment's own
    long long world_count = 1;
    long long worker_count = 0;
    if (wish->limit != Py_None) {
        if (!read_integer("max_episode_steps", wish->limit, 0,
                          (long long)COSM_SIM_STEP_LIMIT_NONE - 1, &limit)) {
            return false;
        }
        limit = limit == 0 ? (long long)COSM_SIM_STEP_LIMIT_NONE : limit;
    }
    if (!read_integer("num_worlds", wish->world_count, 1, COSM_BATCH_WORLD_MAX, &world_count) ||
        !read_integer("workers", wish->worker_count, 0, COSM_WORKER_MAX, &worker_count) ||
        !read_first("world_first", wish->world_first, &wish->desc.world_first) ||
        !read_first("step_first", wish->step_first, &wish->desc.step_first) ||
        !read_seed(wish->seed, &wish->desc.seed) ||
        !read_autoreset(wish->autoreset, &wish->desc.autoreset)) {
        return false;
    }
    wish->desc.world_count = (uint32_t)world_count;
    wish->desc.engine.worker_count = (uint32_t)worker_count;
    wish->desc.step_limit = (uint32_t)limit;
    return true;
}

// A built-in environment, or else the path of a library.
static bool read_name(struct wish *wish) {
    const char *name = PyBytes_AsString(wish->name);
    wish->desc.env = scene_env_find(name);
    if (wish->desc.env != NULL) {
        return true;
    }
    // An id of Gymnasium has a slash too.
    bool is_id = strncmp(name, "cosm/", 5) == 0 && access(name, F_OK) != 0;
    if (strchr(name, '/') != NULL && !is_id) {
        return true;
    }
    // A name without a folder is a file of this one: the loader would look everywhere else.
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".so") == 0) {
        PyObject *path = PyBytes_FromFormat("./%s", name);
        if (path == NULL) {
            return false;
        }
        Py_DECREF(wish->name);
        wish->name = path;
        return true;
    }
    PyObject *names = cosmi_python_environments(NULL, NULL);
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *list = names == NULL || comma == NULL ? NULL : PyUnicode_Join(comma, names);
    if (list != NULL && is_id) {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim: there is no environment '%s', which is an id for gymnasium.make; there "
                     "are: %U",
                     name, list);
    } else if (list != NULL) {
        PyErr_Format(cosmi_python_argument_error,
                     "Sim: there is no environment '%s'; there are: %U; pass a library by its "
                     "path, such as './lib%s.so'",
                     name, list, name);
    }
    Py_XDECREF(list);
    Py_XDECREF(comma);
    Py_XDECREF(names);
    return false;
}

static bool read_params(struct wish *wish) {
    Py_ssize_t count = PyDict_Size(wish->params);
    wish->given = calloc((size_t)count + 1, sizeof *wish->given);
    wish->list = calloc((size_t)count + 1, sizeof *wish->list);
    if (wish->given == NULL || wish->list == NULL) {
        PyErr_NoMemory();
        return false;
    }
    PyObject *name;
    PyObject *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(wish->params, &place, &name, &value)) {
        uint32_t i = wish->desc.param_count++;
        cosm_sim_param *param = &wish->list[i];
        param->name = cosmi_python_utf8(name, "Sim", "the parameter");
        if (param->name == NULL ||
            !cosmi_python_given_values(&wish->given[i], value, wish->desc.world_count, "Sim",
                                       param->name, &param->value)) {
            return false;
        }
        param->values = wish->given[i].data;
    }
    wish->desc.params = wish->list;
    return true;
}

// Of a copy: what the loader was given for the original, to free. NULL: it is no copy of that path,
// or with an error set.
static char *loaded_of_copied(const struct wish *wish) {
    const struct sim *copied = cosmi_python_copied;
    if (copied == NULL || copied->loaded == NULL) {
        return NULL;
    }
    PyObject *name = PyUnicode_DecodeFSDefault(PyBytes_AsString(wish->name));
    bool is_same = name != NULL && PyUnicode_Compare(name, copied->origin) == 0;
    Py_XDECREF(name);
    char *loaded = is_same ? strdup(copied->loaded) : NULL;
    if (is_same && loaded == NULL) {
        PyErr_NoMemory();
    }
    return loaded;
}

// Makes the simulation without the GIL; NULL with an error set.
static cosm_sim *create(struct wish *wish) {
    const char *path = NULL;
    if (wish->desc.env == NULL) {
        wish->loaded = loaded_of_copied(wish);
        if (PyErr_Occurred() ||
            (wish->loaded == NULL &&
             !cosmi_python_library_open(&wish->library, PyBytes_AsString(wish->name)))) {
            return NULL;
        }
        wish->loaded = wish->loaded == NULL ? strdup(wish->library.path) : wish->loaded;
        path = wish->desc.library = wish->loaded;
        if (path == NULL) {
            cosmi_python_library_close(&wish->library, false);
            PyErr_NoMemory();
            return NULL;
        }
    }
    PyThreadState *state = PyEval_SaveThread();
    cosm_error_clear();
    wish->desc.engine.quiet = true; // failures become exceptions
    cosm_sim *made = cosm_sim_create(&wish->desc);
    PyEval_RestoreThread(state);
    if (made == NULL) {
        (void)cosmi_python_raise_file("Sim", cosm_error_result(), wish->name, path);
    }
    cosmi_python_library_close(&wish->library, made != NULL);
    return made;
}

// What pickle makes it by again: the name, or the absolute path.
static PyObject *origin_of(const struct wish *wish) {
    PyObject *name = PyUnicode_DecodeFSDefault(PyBytes_AsString(wish->name));
    if (name == NULL || wish->desc.env != NULL) {
        return name;
    }
    PyObject *module = PyImport_ImportModule("os.path");
    PyObject *path = module == NULL ? NULL : PyObject_CallMethod(module, "abspath", "O", name);
    Py_XDECREF(module);
    Py_DECREF(name);
    return path;
}

int cosmi_python_sim_init(PyObject *self, PyObject *args, PyObject *names) {
    struct sim *sim = (struct sim *)self;
    struct wish wish = {0};
    if (sim->hold != NULL || sim->is_closed) {
        PyErr_SetString(cosmi_python_error, "Sim.__init__: was already called; create a new one");
        return -1;
    }
    bool is_good = read_wish(&wish, args, names) && read_numbers(&wish) && read_name(&wish) &&
                   read_params(&wish);
    if (is_good) {
        cosm_sim *made = create(&wish);
        PyObject *origin = made == NULL ? NULL : origin_of(&wish);
        if (origin == NULL) {
            (void)cosm_sim_destroy(made);
        } else if (sim->hold != NULL || sim->is_closed) {
            // Another thread, or code of an argument's class, was faster.
            (void)cosm_sim_destroy(made);
            PyErr_Format(cosmi_python_error,
                         "Sim.__init__: the object was %s by another call while '%s' was created; "
                         "create one object with each call of Sim",
                         sim->is_closed ? "closed" : "made", PyBytes_AsString(wish.name));
            Py_DECREF(origin);
        } else {
            sim->hold = cosmi_python_hold_make(made, NULL);
            sim->seed = wish.desc.seed;
            sim->world_first = wish.desc.world_first;
            sim->worker_count = wish.desc.engine.worker_count;
            sim->origin = origin;
            sim->loaded = wish.loaded;
            wish.loaded = NULL;
        }
        is_good = is_good && !PyErr_Occurred();
    }
    end_wish(&wish);
    return is_good ? 0 : -1;
}
