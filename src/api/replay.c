// The public calls of cosm/record.h.
#include "api/replay.h"

#include <cosm/diff.h>
#include <cosm/hash.h>

#include <stdio.h>

#include "api/check.h"
#include "api/save.h"
#include "api/snapshot.h"

static unsigned long long as_long(uint64_t value) {
    return (unsigned long long)value;
}

static cosm_result open_recording(struct cosm_replay *replay, const void *bytes, size_t size,
                                  const char *call) {
    replay->recording.blocks = (struct block_reader){
        .bytes = bytes,
        .size = size,
        .codecs = replay->desc.codecs,
        .codec_count = replay->desc.codec_count,
        .memory = replay->memory,
        .sink = &replay->engine->sink,
        .call = call,
        .tolerant = true,
    };
    return cosmi_recording_open(&replay->recording);
}

static struct cosm_replay *make_replay(cosm_engine *engine, const cosm_load_desc *desc,
                                       const char *call) {
    if (desc != NULL && cosmi_check_load(&engine->sink, &engine->schema, desc, call) != COSM_OK) {
        return NULL;
    }
    struct cosm_replay *replay =
        cosmi_memory_alloc_zeroed(&engine->memory, sizeof(*replay), _Alignof(struct cosm_replay));
    if (replay == NULL) {
        (void)cosmi_fail_memory(&engine->sink, &engine->memory, call);
        return NULL;
    }
    replay->engine = engine;
    replay->memory = &engine->memory;
    if (desc != NULL) {
        replay->desc = *desc;
    }
    // Snapshots and the worlds that they are put into outlive the replay.
    replay->desc.copy = true;
    atomic_fetch_add(&engine->snapshot_count, 1);
    return replay;
}

static void free_replay(struct cosm_replay *replay) {
    if (replay->file.bytes != NULL) {
        cosmi_file_end(&replay->file);
    }
    atomic_fetch_sub(&replay->engine->snapshot_count, 1);
    cosmi_memory_free(replay->memory, replay, sizeof(*replay), _Alignof(struct cosm_replay));
}

cosm_replay *cosm_replay_open_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                    const cosm_load_desc *desc) {
    static const char call[] = "cosm_replay_open_bytes";
    if (engine == NULL || bytes == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "bytes", "pass both");
        return NULL;
    }
    struct cosm_replay *replay = make_replay(engine, desc, call);
    if (replay == NULL) {
        return NULL;
    }
    if (open_recording(replay, bytes, size, call) != COSM_OK) {
        free_replay(replay);
        return NULL;
    }
    return replay;
}

static cosm_result open_file(struct cosm_replay *replay, const char *path, bool copy,
                             const char *call) {
    struct file_reason reason = {.text = ""};
    enum file_outcome outcome = copy ? cosmi_file_read(&replay->file, replay->memory, path, &reason)
                                     : cosmi_file_map(&replay->file, path, &reason);
    if (outcome == FILE_DONE) {
        return open_recording(replay, replay->file.bytes, replay->file.size, call);
    }
    replay->file.bytes = NULL;
    if (outcome == FILE_NO_MEMORY) {
        return cosmi_fail_memory(&replay->engine->sink, replay->memory, call);
    }
    return cosmi_fail(&replay->engine->sink, COSM_ERROR_IO,
                      "%s: cannot read '%s': %s; check that the file exists and is readable", call,
                      path, reason.text);
}

cosm_replay *cosm_replay_open(cosm_engine *engine, const char *path, const cosm_load_desc *desc) {
    static const char call[] = "cosm_replay_open";
    if (engine == NULL || path == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "path", "pass both");
        return NULL;
    }
    struct cosm_replay *replay = make_replay(engine, desc, call);
    if (replay == NULL) {
        return NULL;
    }
    if (open_file(replay, path, desc != NULL && desc->copy, call) != COSM_OK) {
        free_replay(replay);
        return NULL;
    }
    return replay;
}

void cosm_replay_close(cosm_replay *replay) {
    if (replay != NULL) {
        cosmi_recording_free(&replay->recording);
        free_replay(replay);
    }
}

cosm_replay_info cosm_replay_describe(const cosm_replay *replay) {
    if (replay == NULL) {
        return (cosm_replay_info){0};
    }
    const struct recording *recording = &replay->recording;
    return (cosm_replay_info){
        .world_count = recording->info.world_count,
        .seed = recording->info.seed,
        .first_step = recording->info.first_step,
        .last_step = recording->info.first_step + recording->step_count - 1,
        .note = recording->info.note,
        .has_history = recording->info.history,
        .is_whole = recording->is_whole,
    };
}

uint64_t cosm_replay_hash(const cosm_replay *replay, uint64_t step) {
    const struct recorded_step *found =
        replay == NULL ? NULL : cosmi_recording_find(&replay->recording, step);
    return found == NULL ? 0 : found->what.hash;
}

uint64_t cosm_replay_world_hash(const cosm_replay *replay, uint64_t step, uint32_t world) {
    const struct recorded_step *found =
        replay == NULL ? NULL : cosmi_recording_find(&replay->recording, step);
    struct block block;
    if (found == NULL || world >= replay->recording.hash_count ||
        cosmi_recording_block(&replay->recording, found->itself, "cosm_replay_world_hash",
                              &block) != COSM_OK) {
        return 0;
    }
    struct byte_reader reader = reader_of(block.bytes, block.size);
    (void)cosmi_read_bytes(&reader, RECORDING_STEP_HEAD + 8 * (size_t)world);
    uint64_t hash = cosmi_read_u64(&reader);
    cosmi_block_release(&block);
    return hash;
}

// Makes a snapshot be that of the whole batch after, or before, a step.
static cosm_snapshot *number_snapshot(const struct cosm_replay *replay, cosm_snapshot *snapshot,
                                      uint64_t step_count) {
    if (snapshot != NULL) {
        snapshot->step_count = step_count;
        snapshot->seed = replay->recording.info.seed;
    }
    return snapshot;
}

// A whole state of the recording.
static cosm_snapshot *read_saved(struct cosm_replay *replay, struct block_place place,
                                 uint64_t step_count, const char *call) {
    struct block block;
    if (cosmi_recording_block(&replay->recording, place, call, &block) != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *snapshot =
        cosm_save_read_bytes(replay->engine, block.bytes, block.size, &replay->desc, NULL);
    if (snapshot != NULL && snapshot->world_count != replay->recording.info.world_count) {
        struct block_reader blocks = replay->recording.blocks;
        blocks.call = call;
        (void)cosmi_block_refuse(&blocks, &block,
                                 "it has another number of worlds than the recording");
        cosmi_snapshot_end(snapshot);
        snapshot = NULL;
    }
    cosmi_block_release(&block);
    return number_snapshot(replay, snapshot, step_count);
}

static cosm_patch *read_patch(struct cosm_replay *replay, struct block_place place,
                              const char *call) {
    struct block block;
    if (cosmi_recording_block(&replay->recording, place, call, &block) != COSM_OK) {
        return NULL;
    }
    cosm_patch *patch = cosm_patch_open(replay->engine, block.bytes, block.size);
    cosmi_block_release(&block);
    return patch;
}

// What a patch of the recording makes of a state.
static cosm_snapshot *patch_state(struct cosm_replay *replay, struct block_place place,
                                  const cosm_snapshot *before, uint64_t step_count,
                                  const char *call) {
    cosm_patch *patch = read_patch(replay, place, call);
    cosm_snapshot *after = patch == NULL ? NULL : cosm_patch_snapshot(patch, before);
    cosm_patch_destroy(patch);
    return number_snapshot(replay, after, step_count);
}

// What was recorded of a step, or of the one behind the last.
static const struct recorded_step *find_begun(const struct cosm_replay *replay, uint64_t step) {
    const struct recorded_step *found = cosmi_recording_find(&replay->recording, step);
    return found == NULL && step == cosm_replay_describe(replay).last_step + 1
               ? &replay->recording.next
               : found;
}

cosm_snapshot *cosmi_replay_begun(struct cosm_replay *replay, const cosm_snapshot *before,
                                  uint64_t step, const char *call) {
    const struct recorded_step *found = find_begun(replay, step);
    INVARIANT(found != NULL, "the step was looked for");
    if (found->input_is_whole) {
        return read_saved(replay, found->input, step - 1, call);
    }
    if (found->input.at != 0) {
        return patch_state(replay, found->input, before, step - 1, call);
    }
    cosm_snapshot *same = cosmi_snapshot_new(replay->engine, before->world_count, call);
    for (uint32_t w = 0; same != NULL && w < before->world_count; w++) {
        same->worlds[w] = before->worlds[w];
        atomic_fetch_add_explicit(&same->worlds[w]->refs, 1, memory_order_relaxed);
    }
    return number_snapshot(replay, same, step - 1);
}

// The last whole state at a step or before it: the first step has one.
static uint64_t whole_before(const struct cosm_replay *replay, uint64_t step) {
    while (cosmi_recording_find(&replay->recording, step)->whole.at == 0) {
        step--;
    }
    return step;
}

bool cosmi_replay_is_kept(const struct cosm_replay *replay, uint64_t step) {
    uint64_t from = whole_before(replay, step);
    bool kept = true;
    for (uint64_t at = step; at > from && kept; at--) {
        kept = cosmi_recording_find(&replay->recording, at)->history.at != 0;
    }
    return kept;
}

static cosm_result refuse_step(const struct cosm_replay *replay, uint64_t step, const char *call) {
    cosm_replay_info info = cosm_replay_describe(replay);
    return cosmi_fail(&replay->engine->sink, COSM_ERROR_ARGUMENT,
                      "%s: step %llu is not in the recording, which has steps %llu to %llu; use "
                      "one of those",
                      call, as_long(step), as_long(info.first_step), as_long(info.last_step));
}

// One step on, by what was recorded. `before` is ended.
static cosm_snapshot *step_state(struct cosm_replay *replay, cosm_snapshot *before, uint64_t step,
                                 const char *call) {
    cosm_snapshot *begun = cosmi_replay_begun(replay, before, step, call);
    cosmi_snapshot_end(before);
    if (begun == NULL) {
        return NULL;
    }
    const struct recorded_step *found = cosmi_recording_find(&replay->recording, step);
    cosm_snapshot *after = patch_state(replay, found->history, begun, step, call);
    cosmi_snapshot_end(begun);
    return after;
}

// Is a state what was recorded?
static cosm_result check_state(const struct cosm_replay *replay, const cosm_snapshot *state,
                               uint64_t step, const char *call) {
    uint64_t hash = cosm_hash_snapshot(state, COSM_HASH_EXACT);
    const struct recorded_step *found = cosmi_recording_find(&replay->recording, step);
    if (hash == found->what.hash) {
        return COSM_OK;
    }
    char where[40] = "";
    for (uint32_t w = 0; w < replay->recording.hash_count && where[0] == '\0'; w++) {
        if (cosm_hash_snapshot_world(state, w, COSM_HASH_EXACT) !=
            cosm_replay_world_hash(replay, step, w)) {
            (void)snprintf(where, sizeof(where), ", first in world %u", w);
        }
    }
    return cosmi_fail(
        &replay->engine->sink, COSM_ERROR_CONFLICT,
        "%s: after step %llu the hash is %016llx, but %016llx was recorded%s; check that the "
        "systems are those of the recording, and find the difference with cosm_diverge_replays",
        call, as_long(step), as_long(hash), as_long(found->what.hash), where);
}

cosm_snapshot *cosmi_replay_state(struct cosm_replay *replay, uint64_t step, const char *call) {
    if (cosmi_recording_find(&replay->recording, step) == NULL) {
        (void)refuse_step(replay, step, call);
        return NULL;
    }
    if (!cosmi_replay_is_kept(replay, step)) {
        (void)cosmi_fail(&replay->engine->sink, COSM_ERROR_ARGUMENT,
                         "%s: the state after step %llu was not kept; record with desc.history, or "
                         "seek to it with cosm_replay_seek",
                         call, as_long(step));
        return NULL;
    }
    uint64_t at = whole_before(replay, step);
    struct block_place place = cosmi_recording_find(&replay->recording, at)->whole;
    cosm_snapshot *state = read_saved(replay, place, at, call);
    while (state != NULL && at < step) {
        at++;
        state = step_state(replay, state, at, call);
    }
    if (state != NULL && check_state(replay, state, step, call) != COSM_OK) {
        cosmi_snapshot_end(state);
        state = NULL;
    }
    return state;
}

static cosm_result check_replay(const struct cosm_replay *replay, const cosm_batch *batch,
                                const char *call) {
    if (replay == NULL || batch == NULL) {
        return cosmi_refuse_null(replay == NULL ? NULL : &replay->engine->sink, call,
                                 replay == NULL ? "replay" : "batch", "pass both");
    }
    uint32_t world_count = replay->recording.info.world_count;
    if (batch->engine != replay->engine || batch->world_count != world_count) {
        return cosmi_fail(&replay->engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: the batch has %u worlds%s, but the recording has %u; create it "
                          "with as many worlds, in the engine that opened the recording",
                          call, batch->world_count,
                          batch->engine == replay->engine ? "" : " of another engine", world_count);
    }
    return COSM_OK;
}

static cosm_result put_state(struct cosm_replay *replay, cosm_batch *batch,
                             struct block_place place, uint64_t step_count, const char *call) {
    cosm_snapshot *state = read_saved(replay, place, step_count, call);
    if (state == NULL) {
        return cosm_error_result();
    }
    cosm_result result =
        cosmi_snapshot_put(state, (cosm_worlds){batch, 0, batch->world_count}, call);
    cosmi_snapshot_end(state);
    return result;
}

// Gives a batch that is at the step before the inputs of a step.
static cosm_result give_inputs(struct cosm_replay *replay, cosm_batch *batch,
                               const struct recorded_step *found, const char *call) {
    if (found->input.at == 0) {
        return COSM_OK;
    }
    if (found->input_is_whole) {
        return put_state(replay, batch, found->input, batch->step_count, call);
    }
    cosm_patch *patch = read_patch(replay, found->input, call);
    if (patch == NULL) {
        return cosm_error_result();
    }
    uint64_t step_count = batch->step_count;
    cosm_result result = cosm_patch_apply(patch, (cosm_worlds){batch, 0, batch->world_count});
    cosm_patch_destroy(patch);
    if (result == COSM_OK && batch->step_count != step_count) {
        result =
            cosmi_fail(batch->sink, COSM_ERROR_FORMAT,
                       "%s: the input of the step after %llu belongs to step %llu; the file is "
                       "damaged: use another copy",
                       call, (unsigned long long)step_count, (unsigned long long)batch->step_count);
    }
    return result;
}

// The inputs, the step, and a look at what came of it.
static cosm_result take_recorded(struct cosm_replay *replay, cosm_batch *batch, const char *call) {
    uint64_t step = batch->step_count + 1;
    const struct recorded_step *found = cosmi_recording_find(&replay->recording, step);
    cosm_result result = give_inputs(replay, batch, found, call);
    if (result != COSM_OK) {
        return result;
    }
    struct step_mode mode = {
        .kind = (enum step_kind)found->what.kind, .dt = found->what.dt, .is_given = true};
    bool taken = false;
    result = cosmi_batch_take_step(batch, &mode, call, &taken);
    if (!taken) {
        return result;
    }
    // What failed on the way failed when it was recorded, or the hash tells.
    cosm_snapshot *now = cosmi_snapshot_take((cosm_worlds){batch, 0, batch->world_count}, call);
    if (now == NULL) {
        return cosm_error_result();
    }
    result = check_state(replay, now, step, call);
    cosmi_snapshot_end(now);
    return result;
}

cosm_result cosmi_replay_go(struct cosm_replay *replay, cosm_batch *batch, uint64_t step,
                            const char *call) {
    if (cosmi_recording_find(&replay->recording, step) == NULL) {
        return refuse_step(replay, step, call);
    }
    // What init hooks do comes first, so that it is not done to the state that is wanted.
    cosm_result result = cosmi_batch_ready(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t from = cosmi_replay_is_kept(replay, step) ? step : whole_before(replay, step);
    cosm_snapshot *state = cosmi_replay_state(replay, from, call);
    if (state == NULL) {
        return cosm_error_result();
    }
    result = cosmi_snapshot_put(state, (cosm_worlds){batch, 0, batch->world_count}, call);
    cosmi_snapshot_end(state);
    while (result == COSM_OK && batch->step_count < step) {
        result = take_recorded(replay, batch, call);
    }
    return result;
}

cosm_result cosm_replay_seek(cosm_replay *replay, cosm_batch *batch, uint64_t step) {
    static const char call[] = "cosm_replay_seek";
    cosm_result result = check_replay(replay, batch, call);
    return result == COSM_OK ? cosmi_replay_go(replay, batch, step, call) : result;
}

cosm_result cosm_replay_step(cosm_replay *replay, cosm_batch *batch) {
    static const char call[] = "cosm_replay_step";
    cosm_result result = check_replay(replay, batch, call);
    if (result != COSM_OK) {
        return result;
    }
    if (batch->step_count == cosm_replay_describe(replay).last_step) {
        return COSM_STALE;
    }
    return cosmi_recording_find(&replay->recording, batch->step_count) == NULL
               ? refuse_step(replay, batch->step_count, call)
               : take_recorded(replay, batch, call);
}

cosm_result cosm_replay_inputs(cosm_replay *replay, cosm_batch *batch) {
    static const char call[] = "cosm_replay_inputs";
    cosm_result result = check_replay(replay, batch, call);
    if (result != COSM_OK) {
        return result;
    }
    if (cosmi_recording_find(&replay->recording, batch->step_count) == NULL) {
        return refuse_step(replay, batch->step_count, call);
    }
    const struct recorded_step *found = find_begun(replay, batch->step_count + 1);
    bool is_end = found == &replay->recording.next && found->input.at == 0;
    if (is_end) {
        return COSM_STALE;
    }
    // The step that follows scatters: what was recorded is what the outside writes.
    result = give_inputs(replay, batch, found, call);
    return result != COSM_OK || batch->row_tensors == NULL ? result
                                                           : cosmi_batch_show_inputs(batch, call);
}

cosm_snapshot *cosm_replay_snapshot(cosm_replay *replay, uint64_t step) {
    static const char call[] = "cosm_replay_snapshot";
    if (replay == NULL) {
        (void)cosmi_refuse_null(NULL, call, "replay", "pass one from cosm_replay_open");
        return NULL;
    }
    return cosmi_replay_state(replay, step, call);
}
