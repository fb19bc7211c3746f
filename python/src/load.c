// Loading a file into a simulation: first a look at whose it is, then at its worlds.
//
// cosm_save_read drops what an engine does not know, for programs that are older than their files,
// and gives defaults to what a file does not have. A file of another environment would be nothing
// but that, and leave worlds without agents: so what it says of itself is held against the engine
// before a world is touched.
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a file says of itself, piece by piece: lines of cosm_save_describe.
struct reading {
    const cosm_engine *engine;
    uint8_t *seen; // by id of singletons: is it in the file?
    uint32_t singleton_count;
    unsigned long long world_count; // zero: not told, as of a recording
    char unknown[COSM_NAME_LENGTH_MAX + 40];
    char line[COSM_NAME_LENGTH_MAX + 80]; // as far as it has come; what is behind is not needed
    size_t length;
};

// The name in a line such as "component Place: 8 bytes, column", where it begins like that.
static bool read_noun(const char *line, const char *noun, char *out_name) {
    size_t start = strlen(noun);
    const char *end = strrchr(line, ':');
    if (strncmp(line, noun, start) != 0 || end == NULL || end < line + start ||
        (size_t)(end - line) - start > COSM_NAME_LENGTH_MAX) {
        return false;
    }
    size_t length = (size_t)(end - line) - start;
    memcpy(out_name, line + start, length);
    out_name[length] = '\0';
    return true;
}

static void read_line(struct reading *reading) {
    char name[COSM_NAME_LENGTH_MAX + 1];
    bool is_known = true;
    if (read_noun(reading->line, "singleton ", name)) {
        uint32_t id = cosm_singleton_find(reading->engine, name).id;
        is_known = id != 0;
        if (is_known && id <= reading->singleton_count) {
            reading->seen[id] = 1;
        }
    } else if (read_noun(reading->line, "component ", name)) {
        is_known = cosm_component_find(reading->engine, name).id != 0;
    } else if (strncmp(reading->line, "worlds: ", 8) == 0) {
        reading->world_count = strtoull(reading->line + 8, NULL, 10);
    }
    if (!is_known && reading->unknown[0] == '\0') {
        (void)snprintf(reading->unknown, sizeof reading->unknown, "%.9s '%s'", reading->line, name);
    }
}

static void read_text(void *target, const char *text, size_t size) {
    struct reading *reading = target;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n') {
            reading->line[reading->length] = '\0';
            read_line(reading);
            reading->length = 0;
        } else if (reading->length < sizeof reading->line - 1) {
            reading->line[reading->length++] = text[i];
        }
    }
}

// Is it a file of this environment, with as many worlds? What is wrong is told as a format error.
static cosm_result check_reading(const struct reading *reading, const cosm_sim *sim,
                                 const char *path) {
    const char *name = cosm_sim_env(sim)->name;
    uint32_t world_count = cosm_batch_world_count(cosm_sim_batch(sim));
    if (reading->unknown[0] != '\0') {
        return cosm_error_raise(reading->engine, COSM_ERROR_FORMAT,
                                "%s has %s, which environment '%s' does not know: it is a file of "
                                "another environment; load it into a Sim of that one",
                                path, reading->unknown, name);
    }
    for (uint32_t id = 1; id <= reading->singleton_count; id++) {
        if (!reading->seen[id]) {
            return cosm_error_raise(
                reading->engine, COSM_ERROR_FORMAT,
                "%s has no singleton '%s', which environment '%s' needs: it is a file of another "
                "environment; load it into a Sim of that one",
                path, cosm_singleton_describe(reading->engine, (cosm_singleton){id}).name, name);
        }
    }
    if (reading->world_count != world_count) {
        return cosm_error_raise(reading->engine, COSM_ERROR_FORMAT,
                                "%s has %llu worlds, the simulation has %u; load it into a Sim "
                                "with num_worlds=%llu",
                                path, reading->world_count, world_count, reading->world_count);
    }
    return COSM_OK;
}

static cosm_result check_file(const cosm_sim *sim, const char *path) {
    const cosm_engine *engine = cosm_sim_engine(sim);
    struct reading reading = {.engine = engine,
                              .singleton_count = cosm_engine_describe(engine).singleton_count};
    reading.seen = calloc((size_t)reading.singleton_count + 1, 1);
    if (reading.seen == NULL) {
        return cosm_error_raise(engine, COSM_ERROR_MEMORY,
                                "out of memory while reading %s; free some", path);
    }
    const cosm_load_desc desc = {.quiet = true}; // failures become exceptions
    cosm_result result = cosm_save_describe(path, &desc, read_text, &reading);
    // What is no save file has no worlds: reading it tells why.
    if (result == COSM_OK && reading.world_count > 0) {
        result = check_reading(&reading, sim, path);
    }
    free(reading.seen);
    return result;
}

cosm_result cosmi_python_load(cosm_sim *sim, const char *path) {
    cosm_error_clear();
    cosm_result result = check_file(sim, path);
    if (result != COSM_OK) {
        return result;
    }
    cosm_batch *batch = cosm_sim_batch(sim);
    cosm_snapshot *snapshot = cosm_save_read(cosm_sim_engine(sim), path, NULL, NULL);
    if (snapshot == NULL) {
        return cosm_error_result();
    }
    result = cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch));
    cosm_snapshot_destroy(snapshot);
    return result == COSM_OK ? cosm_batch_gather(batch) : result;
}
