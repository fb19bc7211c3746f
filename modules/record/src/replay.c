// cosm_record/replay.h: recordings, run again.
#include "replay.h"

#include <cosm/diff.h>
#include <cosm/export.h>
#include <cosm/hash.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long as_long(uint64_t value) {
    return (unsigned long long)value;
}

static struct cosm_replay *make_replay(cosm_engine *engine, const cosm_load_desc *desc,
                                       const char *call) {
    if (desc != NULL && desc->codecs == NULL && desc->codec_count > 0) {
        (void)cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                               "%s: desc.codecs is NULL, but desc.codec_count is %u; pass both",
                               call, desc->codec_count);
        return NULL;
    }
    struct cosm_replay *replay = calloc(1, sizeof(*replay));
    if (replay == NULL) {
        (void)cosmi_record_fail_memory(engine, call);
        return NULL;
    }
    replay->engine = engine;
    if (desc != NULL) {
        replay->desc = *desc;
    }
    // Snapshots and the worlds that they are put into outlive the replay.
    replay->desc.copy = true;
    return replay;
}

static void free_replay(struct cosm_replay *replay) {
    free(replay->owned);
    free(replay);
}

static cosm_result open_recording(struct cosm_replay *replay, const void *bytes, size_t size,
                                  const char *call) {
    replay->recording.file = (struct record_reader){
        .engine = replay->engine, .call = call, .bytes = bytes, .size = size};
    return cosmi_record_open(&replay->recording, &replay->desc);
}

cosm_replay *cosm_replay_open_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                    const cosm_load_desc *desc) {
    static const char call[] = "cosm_replay_open_bytes";
    if (engine == NULL || bytes == NULL) {
        (void)cosm_error_raise(engine, COSM_ERROR_ARGUMENT, "%s: %s is NULL; pass both", call,
                               engine == NULL ? "engine" : "bytes");
        return NULL;
    }
    struct cosm_replay *replay = make_replay(engine, desc, call);
    if (replay != NULL && open_recording(replay, bytes, size, call) != COSM_OK) {
        free_replay(replay);
        replay = NULL;
    }
    return replay;
}

// All of a file. It is not mapped: opening reads every byte anyway, and who overwrites the file
// does not change what was opened.
static bool read_all(FILE *file, void **out_bytes, size_t *out_size) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        return false;
    }
    *out_size = (size_t)size;
    *out_bytes = malloc(*out_size + 1);
    return *out_bytes == NULL || fread(*out_bytes, 1, *out_size, file) == *out_size;
}

static cosm_result read_file(struct cosm_replay *replay, const char *path, size_t *out_size,
                             const char *call) {
    FILE *file = fopen(path, "rb");
    bool is_read = file != NULL && read_all(file, &replay->owned, out_size);
    const char *reason = is_read ? "" : strerror(errno);
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!is_read) {
        return cosm_error_raise(replay->engine, COSM_ERROR_IO,
                                "%s: cannot read '%s': %s; check that the file exists and is "
                                "readable",
                                call, path, reason);
    }
    return replay->owned == NULL ? cosmi_record_fail_memory(replay->engine, call) : COSM_OK;
}

cosm_replay *cosm_replay_open(cosm_engine *engine, const char *path, const cosm_load_desc *desc) {
    static const char call[] = "cosm_replay_open";
    if (engine == NULL || path == NULL) {
        (void)cosm_error_raise(engine, COSM_ERROR_ARGUMENT, "%s: %s is NULL; pass both", call,
                               engine == NULL ? "engine" : "path");
        return NULL;
    }
    struct cosm_replay *replay = make_replay(engine, desc, call);
    if (replay == NULL) {
        return NULL;
    }
    size_t size = 0;
    cosm_result result = read_file(replay, path, &size, call);
    result = result == COSM_OK ? open_recording(replay, replay->owned, size, call) : result;
    if (result != COSM_OK) {
        free_replay(replay);
        return NULL;
    }
    return replay;
}

void cosm_replay_close(cosm_replay *replay) {
    if (replay != NULL) {
        cosmi_record_free(&replay->recording);
        free_replay(replay);
    }
}

cosm_replay_info cosm_replay_describe(const cosm_replay *replay) {
    if (replay == NULL) {
        return (cosm_replay_info){0};
    }
    const struct recording *recording = &replay->recording;
    return (cosm_replay_info){
        .world_count = recording->world_count,
        .seed = recording->info.seed,
        .first_step = recording->first_step,
        .last_step = recording->first_step + recording->step_count - 1,
        .note = recording->note,
        .has_history = recording->info.has_history != 0,
        .is_whole = recording->file.is_closed,
    };
}

uint64_t cosm_replay_hash(const cosm_replay *replay, uint64_t step) {
    const struct recorded_step *found =
        replay == NULL ? NULL : cosmi_record_find(&replay->recording, step);
    return found == NULL ? 0 : found->hash;
}

uint64_t cosm_replay_world_hash(const cosm_replay *replay, uint64_t step, uint32_t world) {
    const struct recorded_step *found =
        replay == NULL ? NULL : cosmi_record_find(&replay->recording, step);
    if (found == NULL || world >= replay->recording.hash_count) {
        return 0;
    }
    uint64_t hash;
    size_t at = sizeof(struct record_block_header) + sizeof(struct record_step) + 8 * (size_t)world;
    memcpy(&hash, replay->recording.file.bytes + found->itself + at, sizeof(hash));
    return hash;
}

// A state that was read is that of the whole batch after, or before, a step of the recording.
static cosm_snapshot *check_place(const struct cosm_replay *replay, cosm_snapshot *state,
                                  uint64_t step_count, const char *call) {
    cosm_snapshot_info info = cosm_snapshot_describe(state);
    if (state != NULL &&
        (info.world_count != replay->recording.world_count || info.step_count != step_count)) {
        (void)cosm_error_raise(replay->engine, COSM_ERROR_FORMAT,
                               "%s: the state at step %llu has %u worlds at step %llu; the "
                               "recording is damaged: use another copy",
                               call, as_long(step_count), info.world_count,
                               as_long(info.step_count));
        cosm_snapshot_destroy(state);
        state = NULL;
    }
    return state;
}

// A whole state of the recording.
static cosm_snapshot *read_saved(struct cosm_replay *replay, size_t offset, uint64_t step_count,
                                 const char *call) {
    struct record_content content;
    if (cosmi_record_content(&replay->recording, offset, call, &content) != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *state =
        cosm_save_read_bytes(replay->engine, content.bytes, content.size, &replay->desc, NULL);
    free(content.owned);
    return check_place(replay, state, step_count, call);
}

static cosm_patch *read_patch(struct cosm_replay *replay, size_t offset, const char *call) {
    struct record_content content;
    if (cosmi_record_content(&replay->recording, offset, call, &content) != COSM_OK) {
        return NULL;
    }
    cosm_patch *patch = cosm_patch_open(replay->engine, content.bytes, content.size);
    free(content.owned);
    return patch;
}

// What a patch of the recording makes of a state.
static cosm_snapshot *patch_state(struct cosm_replay *replay, size_t offset,
                                  const cosm_snapshot *before, uint64_t step_count,
                                  const char *call) {
    cosm_patch *patch = read_patch(replay, offset, call);
    cosm_snapshot *after = patch == NULL ? NULL : cosm_patch_snapshot(patch, before);
    cosm_patch_destroy(patch);
    return check_place(replay, after, step_count, call);
}

// What was recorded of a step, or of the one behind the last.
static const struct recorded_step *find_begun(const struct cosm_replay *replay, uint64_t step) {
    const struct recorded_step *found = cosmi_record_find(&replay->recording, step);
    return found == NULL && step == cosm_replay_describe(replay).last_step + 1
               ? &replay->recording.next
               : found;
}

cosm_snapshot *cosmi_record_begun(struct cosm_replay *replay, cosm_snapshot *before, uint64_t step,
                                  const char *call) {
    const struct recorded_step *found = find_begun(replay, step);
    if (found->input == 0) {
        return before;
    }
    return found->input_is_whole ? read_saved(replay, found->input, step - 1, call)
                                 : patch_state(replay, found->input, before, step - 1, call);
}

// The last whole state at a step or before it: the first step has one.
static uint64_t whole_before(const struct cosm_replay *replay, uint64_t step) {
    while (cosmi_record_find(&replay->recording, step)->whole == 0) {
        step--;
    }
    return step;
}

bool cosmi_record_is_kept(const struct cosm_replay *replay, uint64_t step) {
    uint64_t from = whole_before(replay, step);
    bool kept = true;
    for (uint64_t at = step; at > from && kept; at--) {
        kept = cosmi_record_find(&replay->recording, at)->history != 0;
    }
    return kept;
}

static cosm_result refuse_step(const struct cosm_replay *replay, uint64_t step, const char *call) {
    cosm_replay_info info = cosm_replay_describe(replay);
    return cosm_error_raise(replay->engine, COSM_ERROR_ARGUMENT,
                            "%s: step %llu is not in the recording, which has steps %llu to %llu; "
                            "use one of those",
                            call, as_long(step), as_long(info.first_step), as_long(info.last_step));
}

// One step on, by what was recorded. `before` is destroyed.
static cosm_snapshot *step_state(struct cosm_replay *replay, cosm_snapshot *before, uint64_t step,
                                 const char *call) {
    cosm_snapshot *begun = cosmi_record_begun(replay, before, step, call);
    cosm_snapshot *after = NULL;
    if (begun != NULL) {
        const struct recorded_step *found = cosmi_record_find(&replay->recording, step);
        after = patch_state(replay, found->history, begun, step, call);
    }
    if (begun != before) {
        cosm_snapshot_destroy(begun);
    }
    cosm_snapshot_destroy(before);
    return after;
}

// Is a state what was recorded?
static cosm_result check_state(const struct cosm_replay *replay, const cosm_snapshot *state,
                               uint64_t step, const char *call) {
    uint64_t hash = cosm_hash_snapshot(state, COSM_HASH_EXACT);
    uint64_t recorded = cosm_replay_hash(replay, step);
    if (hash == recorded) {
        return COSM_OK;
    }
    char where[40] = "";
    for (uint32_t w = 0; w < replay->recording.hash_count && where[0] == '\0'; w++) {
        if (cosm_hash_snapshot_world(state, w, COSM_HASH_EXACT) !=
            cosm_replay_world_hash(replay, step, w)) {
            (void)snprintf(where, sizeof(where), ", first in world %u", w);
        }
    }
    return cosm_error_raise(
        replay->engine, COSM_ERROR_CONFLICT,
        "%s: after step %llu the hash is %016llx, but %016llx was recorded%s; check that the "
        "systems are those of the recording, and find the difference with cosm_diverge_replays",
        call, as_long(step), as_long(hash), as_long(recorded), where);
}

cosm_snapshot *cosmi_record_state(struct cosm_replay *replay, uint64_t step, const char *call) {
    if (cosmi_record_find(&replay->recording, step) == NULL) {
        (void)refuse_step(replay, step, call);
        return NULL;
    }
    if (!cosmi_record_is_kept(replay, step)) {
        (void)cosm_error_raise(replay->engine, COSM_ERROR_ARGUMENT,
                               "%s: the state after step %llu was not kept; record with "
                               "desc.history, or seek to it with cosm_replay_seek",
                               call, as_long(step));
        return NULL;
    }
    uint64_t at = whole_before(replay, step);
    size_t whole = cosmi_record_find(&replay->recording, at)->whole;
    cosm_snapshot *state = read_saved(replay, whole, at, call);
    while (state != NULL && at < step) {
        at++;
        state = step_state(replay, state, at, call);
    }
    if (state != NULL && check_state(replay, state, step, call) != COSM_OK) {
        cosm_snapshot_destroy(state);
        state = NULL;
    }
    return state;
}

static cosm_result check_replay(const struct cosm_replay *replay, const cosm_batch *batch,
                                const char *call) {
    if (replay == NULL || batch == NULL) {
        return cosm_error_raise(replay == NULL ? NULL : replay->engine, COSM_ERROR_ARGUMENT,
                                "%s: %s is NULL; pass both", call,
                                replay == NULL ? "replay" : "batch");
    }
    uint32_t world_count = replay->recording.world_count;
    bool is_own = cosm_batch_engine(batch) == replay->engine;
    if (!is_own || cosm_batch_world_count(batch) != world_count) {
        return cosm_error_raise(replay->engine, COSM_ERROR_ARGUMENT,
                                "%s: the batch has %u worlds%s, but the recording has %u; create "
                                "it with as many worlds, in the engine that opened the recording",
                                call, cosm_batch_world_count(batch),
                                is_own ? "" : " of another engine", world_count);
    }
    return COSM_OK;
}

// Puts a state into a batch, and destroys it. NULL is a failure with a message.
static cosm_result put_state(cosm_snapshot *state, cosm_batch *batch) {
    cosm_result result = state == NULL ? cosm_error_result()
                                       : cosm_snapshot_restore(state, 0, cosm_worlds_all(batch));
    cosm_snapshot_destroy(state);
    return result;
}

// Gives a batch that is at the step before the inputs of a step.
static cosm_result give_inputs(struct cosm_replay *replay, cosm_batch *batch,
                               const struct recorded_step *found, const char *call) {
    uint64_t step_count = cosm_batch_step_count(batch);
    if (found->input == 0) {
        return COSM_OK;
    }
    if (found->input_is_whole) {
        return put_state(read_saved(replay, found->input, step_count, call), batch);
    }
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(batch));
    cosm_result result =
        now == NULL ? cosm_error_result()
                    : put_state(patch_state(replay, found->input, now, step_count, call), batch);
    cosm_snapshot_destroy(now);
    return result;
}

// The inputs, the step, and a look at what came of it.
static cosm_result take_recorded(struct cosm_replay *replay, cosm_batch *batch, const char *call) {
    uint64_t step = cosm_batch_step_count(batch) + 1;
    const struct recorded_step *found = cosmi_record_find(&replay->recording, step);
    cosm_result result = give_inputs(replay, batch, found, call);
    if (result != COSM_OK) {
        return result;
    }
    cosm_step_desc desc = {
        .phases = (cosm_step_phases)found->what.phases, .dt = found->what.dt, .no_scatter = true};
    result = cosm_batch_step_with(batch, &desc);
    if (cosm_batch_step_count(batch) != step) {
        return result;
    }
    // What failed on the way failed when it was recorded, or the hash tells.
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(batch));
    result = now == NULL ? cosm_error_result() : check_state(replay, now, step, call);
    cosm_snapshot_destroy(now);
    return result;
}

cosm_result cosmi_record_go(struct cosm_replay *replay, cosm_batch *batch, uint64_t step,
                            const char *call) {
    if (cosmi_record_find(&replay->recording, step) == NULL) {
        return refuse_step(replay, step, call);
    }
    // What init hooks do comes first, so that it is not done to the state that is wanted.
    cosm_result result = cosm_batch_init_systems(batch);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t from = cosmi_record_is_kept(replay, step) ? step : whole_before(replay, step);
    result = put_state(cosmi_record_state(replay, from, call), batch);
    while (result == COSM_OK && cosm_batch_step_count(batch) < step) {
        result = take_recorded(replay, batch, call);
    }
    return result;
}

cosm_result cosm_replay_seek(cosm_replay *replay, cosm_batch *batch, uint64_t step) {
    static const char call[] = "cosm_replay_seek";
    cosm_result result = check_replay(replay, batch, call);
    return result == COSM_OK ? cosmi_record_go(replay, batch, step, call) : result;
}

cosm_result cosm_replay_step(cosm_replay *replay, cosm_batch *batch) {
    static const char call[] = "cosm_replay_step";
    cosm_result result = check_replay(replay, batch, call);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t step_count = cosm_batch_step_count(batch);
    if (step_count == cosm_replay_describe(replay).last_step) {
        return COSM_STALE;
    }
    return cosmi_record_find(&replay->recording, step_count) == NULL
               ? refuse_step(replay, step_count, call)
               : take_recorded(replay, batch, call);
}

cosm_result cosm_replay_inputs(cosm_replay *replay, cosm_batch *batch) {
    static const char call[] = "cosm_replay_inputs";
    cosm_result result = check_replay(replay, batch, call);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t step_count = cosm_batch_step_count(batch);
    if (cosmi_record_find(&replay->recording, step_count) == NULL) {
        return refuse_step(replay, step_count, call);
    }
    const struct recorded_step *found = find_begun(replay, step_count + 1);
    if (found == &replay->recording.next && found->input == 0) {
        return COSM_STALE;
    }
    result = give_inputs(replay, batch, found, call);
    // The step that follows scatters: what was recorded is what the outside writes.
    return result == COSM_OK ? cosm_batch_gather_inputs(batch) : result;
}

cosm_snapshot *cosm_replay_snapshot(cosm_replay *replay, uint64_t step) {
    static const char call[] = "cosm_replay_snapshot";
    if (replay == NULL) {
        (void)cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                               "%s: replay is NULL; pass one from cosm_replay_open", call);
        return NULL;
    }
    return cosmi_record_state(replay, step, call);
}
