// Libraries: loading one, finding its desc, and telling what is wrong with it.
#include <dlfcn.h>
#include <string.h>

#include "sim.h"

// "1.2" of "1.2.3": what must be the same in host and library.
static size_t minor_length(const char *version) {
    const char *dot = strchr(version, '.');
    dot = dot == NULL ? NULL : strchr(dot + 1, '.');
    return dot == NULL ? strlen(version) : (size_t)(dot - version);
}

static bool is_same_minor(const char *a, const char *b) {
    size_t length = minor_length(a);
    return length == minor_length(b) && memcmp(a, b, length) == 0;
}

cosm_result cosmi_sim_check_env(const cosm_engine *engine, const char *call,
                                const cosm_env_desc *env, const char *where) {
    const char *from = where == NULL ? "desc.env" : where;
    if (env->version != COSM_ENV_VERSION) {
        return cosm_error_raise(
            engine, COSM_ERROR_FORMAT,
            "%s: %s is an environment of version %u of cosm_sim/env.h, but this host has version "
            "%u; rebuild it with the headers of the host",
            call, from, env->version, COSM_ENV_VERSION);
    }
    if (env->built_for == NULL || !is_same_minor(env->built_for, cosm_version())) {
        return cosm_error_raise(engine, COSM_ERROR_FORMAT,
                                "%s: %s was built for Cosm %s, but this host is Cosm %s; rebuild "
                                "it with the headers of the host (COSM_ENV_BUILT is the version)",
                                call, from, env->built_for == NULL ? "(NULL)" : env->built_for,
                                cosm_version());
    }
    if (env->name == NULL || env->name[0] == '\0' || env->define == NULL) {
        return cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                "%s: the environment of %s has no %s; set it", call, from,
                                env->define == NULL ? "`define`" : "name");
    }
    return COSM_OK;
}

// Undefined calls of ours mean that the host keeps its own to itself.
static cosm_result refuse_library(const struct cosm_sim *sim, const char *call, const char *path) {
    const char *reason = dlerror();
    reason = reason == NULL ? "no reason is known" : reason;
    if (strstr(reason, "undefined symbol: cosm_") != NULL) {
        return cosm_error_raise(
            sim->engine, COSM_ERROR_FORMAT,
            "%s: cannot load %s (%s): the host does not export that call; link the host with all "
            "of Cosm and export its symbols (CMake: ENABLE_EXPORTS; linker: -rdynamic and "
            "--whole-archive), or link it with the shared library",
            call, path, reason);
    }
    if (strstr(reason, "undefined symbol: ") != NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_IO,
                                "%s: cannot load %s (%s); define that function in the library, or "
                                "link the library with the one that has it",
                                call, path, reason);
    }
    return cosm_error_raise(
        sim->engine, COSM_ERROR_IO, "%s: cannot load %s (%s); pass the path of a shared library%s",
        call, path, reason,
        strchr(path, '/') != NULL ? "" : ", with a slash unless it should be searched for");
}

static cosm_result find_desc(struct cosm_sim *sim, const char *call, const char *path) {
    void *symbol = dlsym(sim->library, "cosm_env_entry");
    if (symbol == NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_FORMAT,
                                "%s: %s has no function cosm_env_entry; define it with "
                                "COSM_ENV_ENTRY, and in C++ with extern \"C\"",
                                call, path);
    }
    cosm_env_entry_fn *entry;
    memcpy(&entry, &symbol, sizeof(entry)); // ISO C has no cast from an object to a function
    const cosm_env_desc *env = entry();
    if (env == NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_FORMAT,
                                "%s: cosm_env_entry of %s returned NULL; return a desc", call,
                                path);
    }
    sim->env = env;
    return cosmi_sim_check_env(sim->engine, call, env, path);
}

// Loaded twice: lazily first, so that a library for another version is told as such, and not by the
// first call that it misses.
cosm_result cosmi_sim_load(struct cosm_sim *sim, const char *call, const char *path) {
    sim->library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    cosm_result result =
        sim->library == NULL ? refuse_library(sim, call, path) : find_desc(sim, call, path);
    if (result == COSM_OK) {
        sim->env = NULL; // it goes with the library
        dlclose(sim->library);
        sim->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        result =
            sim->library == NULL ? refuse_library(sim, call, path) : find_desc(sim, call, path);
    }
    return result;
}

void cosmi_sim_unload(struct cosm_sim *sim) {
    if (sim->library != NULL) {
        dlclose(sim->library);
        sim->library = NULL;
    }
}
