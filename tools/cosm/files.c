// Files of scenes and environments. A recording's note says what it is of, so that the engine to
// replay it in can be made; a saved state describes its components itself.
#include "files.h"

#include "commands.h"
#include "progress.h"
#include "summary.h"
#include "timing.h"

#include <cosm_record/diverge.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef COSM_TOOL_ZSTD
#include <cosm_zstd/codec.h>
#endif

// The note of a recording: of a scene, of an environment, and of a library's.
#define NOTE_SIZE 4096
#define SCENE_FORMAT "scene %s, entities %u, placement %s"
#define SCENE_SCAN "scene %31[a-z0-9_], entities %18llu, placement %31[a-z]"
#define ENV_NOTE "environment "
#define LIBRARY_NOTE "library "

// The codecs that files may ask for.
cosm_load_desc files_load_desc(void) {
    cosm_load_desc desc = {.quiet = true};
#ifdef COSM_TOOL_ZSTD
    desc.codecs = cosm_zstd_codec();
    desc.codec_count = 1;
#endif
    return desc;
}

cosm_recorder *files_record(const struct simulation *simulation,
                            const struct arguments *arguments) {
    char note[NOTE_SIZE];
    const struct choice *choice = &arguments->choice;
    if (choice->scene != NULL) {
        snprintf(note, sizeof(note), SCENE_FORMAT, choice->scene->name,
                 arguments->settings.entity_count,
                 arguments_placement(arguments->settings.placement));
    } else {
        snprintf(note, sizeof(note), "%s%s", choice->env != NULL ? ENV_NOTE : LIBRARY_NOTE,
                 simulation_choice_name(choice));
    }
    cosm_recorder_desc desc = {
        .keyframe_steps = arguments->keyframe_steps, .history = arguments->history, .note = note};
    return cosm_recorder_create(simulation_batch(simulation), arguments->files[0], &desc);
}

bool files_can_write(const char *path) {
    FILE *before = fopen(path, "rb");
    bool is_there = before != NULL;
    if (is_there) {
        (void)fclose(before);
    }
    FILE *file = fopen(path, "ab");
    if (file == NULL) {
        fprintf(stderr, "cosm: %s: it cannot be written (%s); nothing was run\n", path,
                strerror(errno));
        return false;
    }
    (void)fclose(file);
    return is_there || remove(path) == 0;
}

cosm_result files_save(const struct simulation *simulation, const char *path) {
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(simulation_batch(simulation)));
    cosm_result result = now == NULL ? cosm_error_result() : cosm_save_write(now, path, NULL);
    cosm_snapshot_destroy(now);
    return result;
}

int files_complain(const char *path) {
    fprintf(stderr, "cosm: %s: %s\n", path, summary_reason());
    return 1;
}

// Opens a recording in an engine that knows nothing, which is enough for what it says of itself.
// NULL: it is none, or is damaged.
static cosm_replay *open_plain(const char *path, cosm_engine **out_engine) {
    cosm_load_desc desc = files_load_desc();
    *out_engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    return *out_engine == NULL ? NULL : cosm_replay_open(*out_engine, path, &desc);
}

static void ignore_text(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

static bool is_state(const char *path) {
    cosm_load_desc desc = files_load_desc();
    return cosm_save_describe(path, &desc, ignore_text, NULL) == COSM_OK;
}

bool files_is_recording(const char *path) {
    cosm_engine *engine;
    cosm_replay *replay = open_plain(path, &engine);
    bool is_recording = replay != NULL;
    cosm_replay_close(replay);
    return cosm_engine_destroy(engine) == COSM_OK && is_recording;
}

static const char *note_of(const cosm_replay *replay) {
    const char *note = cosm_replay_describe(replay).note;
    return note == NULL ? "" : note;
}

// A recording, and what it is of.
struct stage {
    struct simulation simulation;
    cosm_replay *replay;
};

static void stage_close(struct stage *stage) {
    cosm_replay_close(stage->replay);
    simulation_destroy(&stage->simulation);
}

// What a note names; false: nothing that this program has, or more entities than --entities takes.
// A library's path goes on pointing into the note.
static bool read_note(const char *note, struct choice *out_choice, scene_settings *settings) {
    char name[32];
    char placement[32];
    unsigned long long entities = 0;
    *out_choice = (struct choice){.scene = NULL};
    if (sscanf(note, SCENE_SCAN, name, &entities, placement) == 3) {
        bool is_bounded = entities <= options[OPTION_ENTITIES].maximum;
        out_choice->scene = is_bounded ? scene_find(name) : NULL;
        settings->entity_count = is_bounded ? (uint32_t)entities : 0;
        settings->placement =
            strcmp(placement, "fixed") == 0 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
    } else if (strncmp(note, ENV_NOTE, strlen(ENV_NOTE)) == 0) {
        out_choice->env = arguments_find_env(note + strlen(ENV_NOTE));
    } else if (strncmp(note, LIBRARY_NOTE, strlen(LIBRARY_NOTE)) == 0) {
        out_choice->library = note + strlen(LIBRARY_NOTE);
    }
    return out_choice->scene != NULL || out_choice->env != NULL || out_choice->library != NULL;
}

// Makes what a recording is of; false after a complaint.
static bool set_up(struct simulation *simulation, const char *path, const cosm_replay *replay,
                   uint32_t worker_count) {
    cosm_replay_info info = cosm_replay_describe(replay);
    scene_settings settings = {.world_count = info.world_count, .seed = info.seed};
    settings.engine.worker_count = worker_count;
    settings.engine.quiet = true;
    struct choice choice;
    if (!read_note(note_of(replay), &choice, &settings)) {
        fprintf(stderr,
                "cosm: %s: its note \"%.80s\" does not name a scene that this program can make\n",
                path, note_of(replay));
        return false;
    }
    if (simulation_create(simulation, &choice, &settings)) {
        return true;
    }
    if (choice.library != NULL) {
        fprintf(stderr,
                "cosm: %s: it was recorded with the library %s%s, which cannot be loaded from "
                "there: %s\n",
                path, choice.library, choice.library[0] == '/' ? "" : " in the folder of that time",
                summary_reason());
        return false;
    }
    return files_complain(path) == 0;
}

// Opens a recording twice: what it is of is known only from itself, and the second time it is read
// in the engine of its scene.
static bool stage_open(struct stage *stage, const char *path, uint32_t worker_count) {
    *stage = (struct stage){.replay = NULL};
    cosm_engine *plain;
    cosm_replay *first = open_plain(path, &plain);
    bool is_made = false;
    if (first != NULL) {
        is_made = set_up(&stage->simulation, path, first, worker_count);
        cosm_replay_close(first);
    } else if (is_state(path)) {
        fprintf(stderr,
                "cosm: %s: it is a saved state, not a recording; `cosm record` makes "
                "recordings, `cosm diff` compares saved states\n",
                path);
    } else {
        // What was said of it as a saved state is not what is to be heard.
        cosm_replay_close(cosm_replay_open(plain, path, NULL));
        (void)files_complain(path);
    }
    bool is_done = cosm_engine_destroy(plain) == COSM_OK && is_made;
    if (is_done) {
        cosm_load_desc desc = files_load_desc();
        stage->replay = cosm_replay_open(simulation_engine(&stage->simulation), path, &desc);
        is_done = stage->replay != NULL || files_complain(path) == 0;
    }
    if (!is_done) {
        stage_close(stage);
    }
    return is_done;
}

static void summarise(const struct stage *stage) {
    const cosm_batch *batch = simulation_batch(&stage->simulation);
    printf("%-10s %s\n", stage->simulation.scene != NULL ? "scene" : "env",
           simulation_name(&stage->simulation));
    cosm_replay_info info = cosm_replay_describe(stage->replay);
    printf("worlds     %u, seed %llu", cosm_batch_world_count(batch),
           (unsigned long long)info.seed);
    summary_first(cosm_world_number(cosm_batch_world(simulation_batch(&stage->simulation), 0)), 0);
    printf("steps      %llu to %llu: every hash is as recorded\n",
           (unsigned long long)info.first_step, (unsigned long long)info.last_step);
    summary_entities(batch);
    summary_hash(batch);
}

int files_replay(const struct arguments *arguments) {
    const char *path = arguments->files[0];
    struct stage stage;
    if (!stage_open(&stage, path, arguments->settings.engine.worker_count)) {
        return 1;
    }
    cosm_batch *batch = simulation_batch(&stage.simulation);
    cosm_replay_info info = cosm_replay_describe(stage.replay);
    uint64_t first = info.first_step;
    uint64_t steps = info.last_step - first;
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(batch), steps);
    cosm_result result = cosm_replay_seek(stage.replay, batch, first);
    for (uint64_t done = 1; result == COSM_OK && done <= steps; done++) {
        result = cosm_replay_step(stage.replay, batch);
        progress_update(&progress, done);
    }
    progress_end(&progress);
    if (result == COSM_OK) {
        summarise(&stage);
    } else {
        (void)files_complain(path);
    }
    stage_close(&stage);
    return result == COSM_OK ? 0 : 1;
}

static int print_recording(const char *path) {
    cosm_engine *engine;
    cosm_replay *replay = open_plain(path, &engine);
    int code = replay == NULL ? files_complain(path) : 0;
    if (replay != NULL) {
        printf("recording\nnote       %s\n", note_of(replay));
        cosm_replay_info info = cosm_replay_describe(replay);
        printf("worlds     %u, seed %llu\n", info.world_count, (unsigned long long)info.seed);
        printf("steps      %llu to %llu%s%s\n", (unsigned long long)info.first_step,
               (unsigned long long)info.last_step, info.has_history ? ", with history" : "",
               info.is_whole ? "" : ", not closed by its program");
        cosm_replay_close(replay);
    }
    return cosm_engine_destroy(engine) == COSM_OK ? code : 1;
}

int files_info(const struct arguments *arguments) {
    cosm_load_desc desc = files_load_desc();
    const char *path = arguments->files[0];
    if (files_is_recording(path)) {
        return print_recording(path);
    }
    return cosm_save_describe(path, &desc, timing_write, stdout) == COSM_OK ? 0
                                                                            : files_complain(path);
}

static void print_divergence(const cosm_divergence *where) {
    printf("step       %llu%s\n", (unsigned long long)where->step,
           where->at_input ? ", in the changes before it" : "");
    if (where->system[0] != '\0') {
        printf("system     %s\n", where->system);
    }
    printf("world      %u\n", where->world);
    if (!cosm_entity_is_none(where->entity)) {
        printf("entity     @%u:%u\n", where->entity.id, where->entity.gen);
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

// Recordings are compared as far as both go.
static void tell_lengths(const struct arguments *arguments, cosm_replay_info a,
                         cosm_replay_info b) {
    if (a.first_step != b.first_step || a.last_step != b.last_step) {
        printf("lengths    %s has steps %llu to %llu, %s has %llu to %llu: only steps in both were "
               "compared\n",
               arguments->files[0], (unsigned long long)a.first_step,
               (unsigned long long)a.last_step, arguments->files[1],
               (unsigned long long)b.first_step, (unsigned long long)b.last_step);
    }
}

int files_diverge(const struct arguments *arguments) {
    struct stage stage;
    if (!stage_open(&stage, arguments->files[0], 0)) {
        return 1;
    }
    cosm_load_desc desc = files_load_desc();
    cosm_replay *other =
        cosm_replay_open(simulation_engine(&stage.simulation), arguments->files[1], &desc);
    cosm_divergence where = {.found = true};
    int code = 1;
    if (other == NULL) {
        (void)files_complain(arguments->files[1]);
    } else if (cosm_diverge_replays(stage.replay, other, &where) != COSM_OK) {
        (void)files_complain(arguments->files[1]);
    } else if (where.found) {
        print_divergence(&where);
    } else {
        printf("no divergence: %u hashes compared\n", where.compared_count);
        tell_lengths(arguments, cosm_replay_describe(stage.replay), cosm_replay_describe(other));
        code = 0;
    }
    cosm_replay_close(other);
    stage_close(&stage);
    return code;
}
