// Files of scenes. A recording's note says which scene it is of, so that the engine to replay it in
// can be made; a saved state describes its components itself.
#include "files.h"

#include "progress.h"
#include "timing.h"

#include <stdio.h>
#include <string.h>

#ifdef COSM_TOOL_ZSTD
#include <cosm_zstd/codec.h>
#endif

#define NOTE_FORMAT "scene %s, entities %u, placement %s"
#define NOTE_SCAN "scene %31[a-z0-9_], entities %u, placement %31[a-z]"

static const char *reason(void) {
    const char *message = cosm_error_message();
    return message[0] != '\0' ? message : "out of memory";
}

// The codecs that files may ask for.
static cosm_load_desc load_desc(void) {
    cosm_load_desc desc = {.quiet = true};
#ifdef COSM_TOOL_ZSTD
    desc.codecs = cosm_zstd_codec();
    desc.codec_count = 1;
#endif
    return desc;
}

cosm_recorder *files_record(scene_run *scene, const struct arguments *arguments) {
    char note[128];
    snprintf(note, sizeof(note), NOTE_FORMAT, arguments->scene->name,
             arguments->settings.entity_count, arguments_placement(arguments->settings.placement));
    cosm_recorder_desc desc = {
        .keyframe_steps = arguments->keyframe_steps, .history = arguments->history, .note = note};
    return cosm_recorder_create(scene_batch(scene), arguments->files[0], &desc);
}

cosm_result files_save(scene_run *scene, const char *path) {
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(scene_batch(scene)));
    cosm_result result = now == NULL ? cosm_error_result() : cosm_save_write(now, path, NULL);
    cosm_snapshot_destroy(now);
    return result;
}

static int complain_of(const char *path) {
    fprintf(stderr, "cosm: %s: %s\n", path, reason());
    return 1;
}

static const char *note_of(const cosm_replay *replay) {
    const char *note = cosm_replay_note(replay);
    return note == NULL ? "" : note;
}

// A scene and a recording of it.
struct stage {
    scene_run *scene;
    cosm_replay *replay;
};

static void stage_close(struct stage *stage) {
    cosm_replay_close(stage->replay);
    scene_destroy(stage->scene);
}

// The scene that a note names; NULL after a complaint.
static scene_run *scene_of_note(const char *path, const char *note, uint32_t world_count,
                                uint64_t seed, uint32_t worker_count) {
    char name[32];
    char placement[32];
    scene_settings settings = {.world_count = world_count, .seed = seed};
    settings.engine.worker_count = worker_count;
    settings.engine.quiet = true;
    const scene_desc *scene = NULL;
    if (note != NULL && sscanf(note, NOTE_SCAN, name, &settings.entity_count, placement) == 3) {
        scene = scene_find(name);
        settings.placement =
            strcmp(placement, "fixed") == 0 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
    }
    if (scene == NULL) {
        fprintf(stderr, "cosm: %s: its note, \"%.80s\", names no scene of this program\n", path,
                note == NULL ? "" : note);
        return NULL;
    }
    scene_run *run = scene_create(scene, &settings);
    if (run == NULL) {
        (void)complain_of(path);
    }
    return run;
}

// Opens a recording twice: what it is of is known only from itself, and the second time it is read
// in the engine of its scene.
static bool stage_open(struct stage *stage, const char *path, uint32_t worker_count) {
    *stage = (struct stage){NULL, NULL};
    cosm_load_desc desc = load_desc();
    cosm_engine *plain = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_replay *first = plain == NULL ? NULL : cosm_replay_open(plain, path, &desc);
    if (first == NULL) {
        (void)complain_of(path);
    } else {
        stage->scene = scene_of_note(path, cosm_replay_note(first), cosm_replay_world_count(first),
                                     cosm_replay_seed(first), worker_count);
        cosm_replay_close(first);
    }
    bool is_done = cosm_engine_destroy(plain) == COSM_OK && stage->scene != NULL;
    if (is_done) {
        stage->replay = cosm_replay_open(scene_engine(stage->scene), path, &desc);
        is_done = stage->replay != NULL || complain_of(path) == 0;
    }
    if (!is_done) {
        stage_close(stage);
    }
    return is_done;
}

int files_replay(const struct arguments *arguments) {
    const char *path = arguments->files[0];
    struct stage stage;
    if (!stage_open(&stage, path, arguments->settings.engine.worker_count)) {
        return 1;
    }
    cosm_batch *batch = scene_batch(stage.scene);
    uint64_t first = cosm_replay_first_step(stage.replay);
    uint64_t steps = cosm_replay_last_step(stage.replay) - first;
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(batch), steps);
    cosm_result result = cosm_replay_seek(stage.replay, batch, first);
    uint64_t done = 0;
    while (result == COSM_OK && done < steps) {
        result = cosm_replay_step(stage.replay, batch);
        done += result == COSM_OK;
        progress_update(&progress, done);
    }
    progress_end(&progress);
    if (result == COSM_OK) {
        printf("%llu steps of %s, from %llu on, in %u worlds: every hash is as recorded\n",
               (unsigned long long)done, note_of(stage.replay), (unsigned long long)first,
               cosm_batch_world_count(batch));
        printf("hash       %016llx\n", (unsigned long long)cosm_hash_batch(batch, COSM_HASH_EXACT));
    } else {
        (void)complain_of(path);
    }
    stage_close(&stage);
    return result == COSM_OK ? 0 : 1;
}

// Passes text on, and takes note of how it begins.
struct first_word {
    bool is_known;
    bool is_recording;
};

static void look_at_first(void *context, const char *text, size_t length) {
    static const char word[] = "recording";
    struct first_word *first = context;
    if (!first->is_known) {
        first->is_recording =
            length >= sizeof(word) - 1 && memcmp(text, word, sizeof(word) - 1) == 0;
        first->is_known = true;
    }
}

static void write_info(void *context, const char *text, size_t length) {
    look_at_first(context, text, length);
    timing_write(stdout, text, length);
}

static bool is_recording(const char *path) {
    cosm_load_desc desc = load_desc();
    struct first_word first = {false, false};
    return cosm_save_describe(path, &desc, look_at_first, &first) == COSM_OK && first.is_recording;
}

// What a recording says beside its blocks. It is read in an engine that knows nothing: no state of it
// is needed.
static int print_recording(const char *path, const cosm_load_desc *desc) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_replay *replay = engine == NULL ? NULL : cosm_replay_open(engine, path, desc);
    int code = replay == NULL ? complain_of(path) : 0;
    if (replay != NULL) {
        printf("note       %s\n", note_of(replay));
        printf("worlds     %u, seed %llu\n", cosm_replay_world_count(replay),
               (unsigned long long)cosm_replay_seed(replay));
        printf("steps      %llu to %llu%s%s\n", (unsigned long long)cosm_replay_first_step(replay),
               (unsigned long long)cosm_replay_last_step(replay),
               cosm_replay_has_history(replay) ? ", with history" : "",
               cosm_replay_is_whole(replay) ? "" : ", not closed by its program");
        cosm_replay_close(replay);
    }
    return cosm_engine_destroy(engine) == COSM_OK ? code : 1;
}

int files_info(const struct arguments *arguments) {
    cosm_load_desc desc = load_desc();
    const char *path = arguments->files[0];
    struct first_word first = {false, false};
    if (cosm_save_describe(path, &desc, write_info, &first) != COSM_OK) {
        return complain_of(path);
    }
    return first.is_recording ? print_recording(path, &desc) : 0;
}

// Counts differences, and prints the first of them.
struct printer {
    cosm_engine *engine;
    uint64_t count;
};

#define PRINTED_MAX 100u

static bool print_difference(void *context, const cosm_difference *difference) {
    struct printer *printer = context;
    printer->count++;
    if (printer->count > PRINTED_MAX) {
        return true;
    }
    printf("world %u: %s", difference->world, cosm_diff_kind_name(difference->kind));
    if (!cosm_entity_is_none(difference->entity)) {
        printf(" entity " COSM_ENTITY_FORMAT, COSM_ENTITY_PRINT(difference->entity));
    }
    const cosm_field *field = NULL;
    if (difference->kind == COSM_DIFF_SINGLETON) {
        printf(" %s", cosm_singleton_name(printer->engine, difference->singleton));
        field = cosm_singleton_field(printer->engine, difference->singleton, difference->field);
    } else if (difference->component.id != 0) {
        printf(" %s", cosm_component_name(printer->engine, difference->component));
        field = cosm_component_field(printer->engine, difference->component, difference->field);
    }
    printf("%s%s\n", field == NULL ? "" : ".", field == NULL ? "" : field->name);
    return true;
}

// Both files in one engine, which gets to know their components from themselves.
static bool read_both(cosm_engine *engine, const struct arguments *arguments,
                      cosm_snapshot **out_states) {
    cosm_load_desc desc = load_desc();
    for (int i = 0; i < FILE_MAX; i++) {
        const char *path = arguments->files[i];
        if (is_recording(path)) {
            fprintf(stderr, "cosm: %s: it is a recording; compare recordings with cosm diverge\n",
                    path);
            return false;
        }
        if (cosm_save_define(engine, path, &desc) == COSM_OK) {
            out_states[i] = cosm_save_read(engine, path, &desc, NULL);
        }
        if (out_states[i] == NULL) {
            (void)complain_of(path);
            return false;
        }
    }
    return true;
}

int files_diff(const struct arguments *arguments) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_snapshot *states[FILE_MAX] = {NULL, NULL};
    struct printer printer = {engine, 0};
    bool is_done = engine != NULL && read_both(engine, arguments, states);
    if (is_done &&
        cosm_diff_snapshots(states[0], states[1], print_difference, &printer) != COSM_OK) {
        (void)complain_of(arguments->files[1]);
        is_done = false;
    }
    if (is_done && printer.count > PRINTED_MAX) {
        printf("and %llu more\n", (unsigned long long)(printer.count - PRINTED_MAX));
    } else if (is_done && printer.count == 0) {
        printf("no difference\n");
    }
    cosm_snapshot_destroy(states[0]);
    cosm_snapshot_destroy(states[1]);
    is_done = cosm_engine_destroy(engine) == COSM_OK && is_done;
    return is_done && printer.count == 0 ? 0 : 1;
}

static void print_divergence(const cosm_divergence *where) {
    printf("step       %llu%s\n", (unsigned long long)where->step,
           where->at_input ? ", in what was done before it" : "");
    if (where->system[0] != '\0') {
        printf("system     %s\n", where->system);
    }
    printf("world      %u\n", where->world);
    if (!cosm_entity_is_none(where->entity)) {
        printf("entity     " COSM_ENTITY_FORMAT "\n", COSM_ENTITY_PRINT(where->entity));
    }
    if (where->kind != 0) {
        printf("what       %s %s%s%s\n", cosm_diff_kind_name(where->kind), where->name,
               where->path[0] == '\0' ? "" : ".", where->path);
    }
    if (where->before[0] != '\0' || where->after[0] != '\0') {
        printf("values     %s and %s\n", where->before, where->after);
    }
    printf("compared   %u hashes\n", where->compared_count);
}

int files_diverge(const struct arguments *arguments) {
    struct stage stage;
    if (!stage_open(&stage, arguments->files[0], 0)) {
        return 1;
    }
    cosm_load_desc desc = load_desc();
    cosm_replay *other = cosm_replay_open(scene_engine(stage.scene), arguments->files[1], &desc);
    cosm_divergence where = {.found = true};
    int code = 1;
    if (other == NULL) {
        (void)complain_of(arguments->files[1]);
    } else if (cosm_diverge_replays(stage.replay, other, &where) != COSM_OK) {
        (void)complain_of(arguments->files[1]);
    } else if (where.found) {
        print_divergence(&where);
    } else {
        printf("no divergence: %u hashes compared\n", where.compared_count);
        code = 0;
    }
    cosm_replay_close(other);
    stage_close(&stage);
    return code;
}
