// The public calls of cosm/record.h, and what steps tell a recorder.
//
//   last     ....... what the program does ....... now       a patch, if they differ
//   now      ....... the step .................... after     a patch, if there is a history
//
// `last` is the state that the file comes to with all that was written so far.
#include "api/record.h"

#include <cosm/diff.h>
#include <cosm/hash.h>

#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "api/save.h"
#include "api/snapshot.h"
#include "state/recording.h"

#define KEYFRAME_STEPS 256u

// Touched by the thread that steps the batch.
struct cosm_recorder {
    struct cosm_batch *batch;
    struct memory *memory; // the engine's, as that of snapshots
    struct recording_writer file;
    const cosm_codec *codec;
    uint32_t keyframe_steps;
    bool history;
    uint64_t first;      // the step it begins with
    uint64_t step;       // the last one in the file
    uint64_t hash;       // of `last`
    cosm_snapshot *last; // what the file comes to
    bool is_lost;        // `last` is not that: the next input is a whole state
    bool has_begun;      // a step
    uint64_t whole_step; // the last one with a whole state
    struct recording_step now;
    uint64_t *hashes; // [hash_count] of worlds
    uint32_t hash_count;
    struct failure failure; // the first one: nothing is recorded any more
};

static cosm_worlds recorded_worlds(const struct cosm_recorder *recorder) {
    return (cosm_worlds){recorder->batch, 0, recorder->batch->world_count};
}

// The hash of the batch; those of its worlds are left in `hashes`.
static uint64_t hash_recorded(struct cosm_recorder *recorder, const cosm_snapshot *snapshot) {
    if (recorder->hash_count == 0) {
        return cosm_hash_snapshot(snapshot, COSM_HASH_EXACT);
    }
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        recorder->hashes[w] = cosm_hash_snapshot_world(snapshot, w, COSM_HASH_EXACT);
    }
    return cosm_hash_join(recorder->hashes, NULL, snapshot->world_count);
}

static void write_to_bytes(void *target, const char *text, size_t size) {
    cosmi_write_bytes(target, text, size);
}

// A whole state as bytes, which the caller frees in any case.
static cosm_result save_whole(struct cosm_recorder *recorder, const cosm_snapshot *snapshot,
                              struct byte_writer *bytes) {
    cosmi_writer_init(bytes, recorder->memory);
    cosm_result result = cosm_save_write_to(snapshot, &(cosm_save_desc){.codec = recorder->codec},
                                            write_to_bytes, bytes);
    return result == COSM_OK && bytes->failed
               ? cosmi_fail_memory(recorder->batch->sink, recorder->memory,
                                   recorder->file.blocks.call)
               : result;
}

// They are packed by who saves them, column by column, and not once more as a block.
static cosm_result put_saved(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const struct byte_writer *bytes) {
    recorder->file.blocks.codec = NULL;
    cosm_result result = cosmi_recording_put(&recorder->file, tag, step, bytes->bytes, bytes->size);
    recorder->file.blocks.codec = recorder->codec;
    return result;
}

static cosm_result put_whole(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const cosm_snapshot *snapshot) {
    struct byte_writer bytes;
    cosm_result result = save_whole(recorder, snapshot, &bytes);
    result = result == COSM_OK ? put_saved(recorder, tag, step, &bytes) : result;
    cosmi_writer_free(&bytes);
    return result;
}

// What an input changed; nothing where nothing did. Hashes would not tell: a trim leaves them as
// they are, and what patches go by, such as the numbers of objects, may be others.
static cosm_result put_patch(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const cosm_snapshot *before, const cosm_snapshot *after) {
    cosm_patch *patch = cosm_patch_create(before, after);
    if (patch == NULL) {
        return cosm_error_result();
    }
    cosm_result result = COSM_OK;
    cosm_patch_info info = cosm_patch_describe(patch);
    if (tag == RECORDING_HISTORY || info.changed_count > 0) {
        result = cosmi_recording_put(&recorder->file, tag, step, info.bytes, info.size);
    }
    cosm_patch_destroy(patch);
    return result;
}

static bool share_all(const cosm_snapshot *a, const cosm_snapshot *b) {
    bool same = true;
    for (uint32_t w = 0; w < a->world_count && same; w++) {
        same = cosmi_image_is_same(a->worlds[w], b->worlds[w]);
    }
    return same;
}

static void replace_last(struct cosm_recorder *recorder, cosm_snapshot *now) {
    cosmi_snapshot_end(recorder->last);
    recorder->last = now;
}

// What the program has done since the last step, if anything.
static cosm_result put_input(struct cosm_recorder *recorder, cosm_snapshot *now, bool is_same) {
    uint64_t step = recorder->batch->step_count;
    uint64_t last = recorder->step;
    if (step < recorder->first || step > last) {
        return cosmi_fail(
            recorder->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: the batch is at step %llu, but the recording has steps %llu to %llu; close the "
            "recorder before you restore a state outside its recording",
            recorder->file.blocks.call, (unsigned long long)step,
            (unsigned long long)recorder->first, (unsigned long long)last);
    }
    // Gone back, or a step that was begun and not ended: what the file comes to is not known here.
    if (step < last || recorder->is_lost) {
        return put_whole(recorder, RECORDING_INPUT_WHOLE, step + 1, now);
    }
    if (is_same) {
        return COSM_OK;
    }
    return put_patch(recorder, RECORDING_INPUT, step + 1, recorder->last, now);
}

static cosm_result record_before(struct cosm_recorder *recorder) {
    recorder->file.blocks.call = "cosm_recorder (before a step)";
    cosm_snapshot *now =
        cosmi_snapshot_capture(recorded_worlds(recorder), recorder->file.blocks.call);
    if (now == NULL) {
        return cosm_error_result();
    }
    bool is_same = share_all(recorder->last, now);
    uint64_t hash = is_same ? recorder->hash : hash_recorded(recorder, now);
    cosm_result result = put_input(recorder, now, is_same);
    if (result != COSM_OK) {
        cosmi_snapshot_end(now);
        return result;
    }
    replace_last(recorder, now);
    recorder->hash = hash;
    recorder->is_lost = false;
    recorder->step = recorder->batch->step_count;
    // Whole states behind a step to which the program went back are none any more.
    recorder->whole_step =
        recorder->whole_step < recorder->step ? recorder->whole_step : recorder->step;
    return COSM_OK;
}

// Are ids reserved for commands of the program that wait to be applied?
static bool has_reserved_ids(const struct world_image *image) {
    const struct ids_words *ids = &image_ids(image)->ids;
    bool reserved = ids->reserved_free > 0 || ids->reserved_fresh > 0;
    bool any_apart = ids->used > ids->alive + ids->free_count;
    for (uint32_t id = 0; any_apart && id < ids->used && !reserved; id++) {
        const struct record *record = image_record(image, id);
        reserved = (record->gen & 1) == 0 && record->table == TABLE_RESERVED;
    }
    return reserved;
}

// Is it time for a whole state? Files have no place for reserved ids: then it is left to one of the
// next steps.
static bool is_whole_due(const struct cosm_recorder *recorder, const cosm_snapshot *after) {
    bool due = recorder->now.number - recorder->whole_step >= recorder->keyframe_steps;
    for (uint32_t w = 0; w < after->world_count && due; w++) {
        due = !has_reserved_ids(after->worlds[w]);
    }
    return due;
}

static cosm_result put_after(struct cosm_recorder *recorder, cosm_snapshot *after) {
    struct recording_step *now = &recorder->now;
    now->number = recorder->step + 1;
    now->hash_before = recorder->hash;
    now->hash = hash_recorded(recorder, after);
    if (!recorder->history) {
        return COSM_OK;
    }
    return put_patch(recorder, RECORDING_HISTORY, now->number, recorder->last, after);
}

static cosm_result record_after(struct cosm_recorder *recorder) {
    recorder->file.blocks.call = "cosm_recorder (after a step)";
    cosm_snapshot *after =
        cosmi_snapshot_capture(recorded_worlds(recorder), recorder->file.blocks.call);
    if (after == NULL) {
        return cosm_error_result();
    }
    const struct recording_step *now = &recorder->now;
    cosm_result result = put_after(recorder, after);
    if (result == COSM_OK) {
        result =
            cosmi_recording_put_step(&recorder->file, now, recorder->hashes, recorder->hash_count);
    }
    if (result != COSM_OK) {
        cosmi_snapshot_end(after);
        return result;
    }
    replace_last(recorder, after);
    recorder->hash = now->hash;
    recorder->step = now->number;
    if (is_whole_due(recorder, after)) {
        result = put_whole(recorder, RECORDING_WHOLE, now->number, after);
        recorder->whole_step = now->number;
    }
    return result;
}

// The callback has heard of it; the slot goes on telling of the step.
static void keep_recorder_failure(struct cosm_recorder *recorder, const struct failure *slot) {
    cosmi_error_read(&recorder->failure);
    (void)cosmi_error_show(slot);
}

void cosmi_recorder_before(cosm_recorder *recorder, enum step_kind kind, float dt) {
    if (recorder->has_begun || recorder->failure.result != COSM_OK) {
        return;
    }
    struct failure slot;
    cosmi_error_read(&slot);
    recorder->has_begun = true;
    recorder->now = (struct recording_step){.kind = (uint32_t)kind, .dt = dt};
    if (record_before(recorder) != COSM_OK) {
        keep_recorder_failure(recorder, &slot);
    }
}

void cosmi_recorder_after(cosm_recorder *recorder, bool taken) {
    recorder->has_begun = false;
    if (recorder->failure.result != COSM_OK) {
        return;
    }
    struct failure slot;
    cosmi_error_read(&slot);
    recorder->is_lost = !taken;
    if (taken && record_after(recorder) != COSM_OK) {
        keep_recorder_failure(recorder, &slot);
    }
}

static void free_recorder(struct cosm_recorder *recorder) {
    if (recorder->last != NULL) {
        cosmi_snapshot_end(recorder->last);
    }
    cosmi_memory_free(recorder->memory, recorder->hashes,
                      recorder->hash_count * sizeof(*recorder->hashes), 8);
    cosmi_memory_free(recorder->memory, recorder, sizeof(*recorder),
                      _Alignof(struct cosm_recorder));
}

// The recorder with the state that it begins with; NULL with a message.
static struct cosm_recorder *make_recorder(cosm_batch *batch, const char *call,
                                           const cosm_recorder_desc *desc) {
    struct memory *memory = &batch->engine->memory;
    struct cosm_recorder *recorder =
        cosmi_memory_alloc_zeroed(memory, sizeof(*recorder), _Alignof(struct cosm_recorder));
    if (recorder == NULL) {
        (void)cosmi_fail_memory(batch->sink, memory, call);
        return NULL;
    }
    recorder->batch = batch;
    recorder->memory = memory;
    recorder->codec = desc->codec;
    recorder->keyframe_steps = desc->keyframe_steps == 0 ? KEYFRAME_STEPS : desc->keyframe_steps;
    recorder->history = desc->history;
    recorder->first = batch->step_count;
    recorder->step = batch->step_count;
    recorder->whole_step = batch->step_count;
    recorder->file.blocks = (struct block_writer){
        .codec = desc->codec, .memory = memory, .sink = batch->sink, .call = call};
    uint32_t count = batch->world_count <= RECORDING_HASH_WORLDS ? batch->world_count : 0;
    if (count > 0) {
        recorder->hashes = cosmi_memory_alloc(memory, count * sizeof(*recorder->hashes), 8);
        recorder->hash_count = recorder->hashes == NULL ? 0 : count;
    }
    if (recorder->hash_count < count) {
        (void)cosmi_fail_memory(batch->sink, memory, call);
    } else {
        recorder->last = cosmi_snapshot_enter(recorded_worlds(recorder), call) == COSM_OK
                             ? cosmi_snapshot_capture(recorded_worlds(recorder), call)
                             : NULL;
    }
    if (recorder->last == NULL) {
        free_recorder(recorder);
        return NULL;
    }
    return recorder;
}

// Writes what comes first. Where that fails, a file that is cut off is left: what is there under
// the name may be something else than a file.
static cosm_result begin_file(struct cosm_recorder *recorder, const char *path,
                              const cosm_recorder_desc *desc, const struct byte_writer *saved) {
    const struct cosm_batch *batch = recorder->batch;
    struct recording_info info = {
        .first_step = recorder->first,
        .world_count = batch->world_count,
        .seed = batch->seed,
        .step_seconds = batch->step_seconds,
        .history = desc->history,
        .note = desc->note,
    };
    cosm_result result = cosmi_recording_create(&recorder->file, path, &info);
    if (result != COSM_OK) {
        return result;
    }
    struct recording_step first = {
        .number = recorder->first, .hash = recorder->hash, .hash_before = recorder->hash};
    result =
        cosmi_recording_put_step(&recorder->file, &first, recorder->hashes, recorder->hash_count);
    if (result == COSM_OK) {
        result = put_saved(recorder, RECORDING_WHOLE, recorder->first, saved);
    }
    if (result != COSM_OK) {
        struct failure slot;
        cosmi_error_read(&slot);
        cosmi_error_mute(true);
        (void)cosmi_recording_end(&recorder->file, false);
        cosmi_error_mute(false);
        (void)cosmi_error_show(&slot);
    }
    return result;
}

// Saves before the file is made: what cannot be recorded leaves an old file as it is.
static cosm_result begin_recording(struct cosm_recorder *recorder, const char *path,
                                   const cosm_recorder_desc *desc) {
    struct byte_writer saved;
    recorder->hash = hash_recorded(recorder, recorder->last);
    cosm_result result = save_whole(recorder, recorder->last, &saved);
    result = result == COSM_OK ? begin_file(recorder, path, desc, &saved) : result;
    cosmi_writer_free(&saved);
    return result;
}

static cosm_result check_recorder(const cosm_batch *batch, const char *path, const char *call,
                                  const cosm_recorder_desc *desc) {
    if (path == NULL) {
        return cosmi_refuse_null(batch->sink, call, "path", "pass the name of a file");
    }
    if (batch->recorder != NULL) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch has a recorder; close it first with cosm_recorder_close",
                          call);
    }
    return desc->codec == NULL ? COSM_OK : cosmi_check_codec(batch->sink, call, desc->codec);
}

cosm_recorder *cosm_recorder_create(cosm_batch *batch, const char *path,
                                    const cosm_recorder_desc *desc) {
    static const char call[] = "cosm_recorder_create";
    cosm_recorder_desc zero = {.keyframe_steps = 0};
    desc = desc == NULL ? &zero : desc;
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    if (check_recorder(batch, path, call, desc) != COSM_OK) {
        return NULL;
    }
    struct cosm_recorder *recorder = make_recorder(batch, call, desc);
    if (recorder == NULL) {
        return NULL;
    }
    if (begin_recording(recorder, path, desc) != COSM_OK) {
        free_recorder(recorder);
        return NULL;
    }
    batch->recorder = recorder;
    return recorder;
}

cosm_result cosm_recorder_close(cosm_recorder *recorder) {
    static const char call[] = "cosm_recorder_close";
    if (recorder == NULL) {
        return COSM_OK;
    }
    struct cosm_batch *batch = recorder->batch;
    if (atomic_load(&batch->running)) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running; close its recorder between steps", call);
    }
    struct failure failure = recorder->failure;
    uint64_t step = recorder->step;
    recorder->file.blocks.call = call;
    cosm_result result = cosmi_recording_end(&recorder->file, failure.result == COSM_OK);
    batch->recorder = NULL;
    free_recorder(recorder);
    if (failure.result == COSM_OK) {
        return result;
    }
    return cosmi_fail(batch->sink, failure.result,
                      "%s: the recording ends with step %llu because of a failure: %s", call,
                      (unsigned long long)step, failure.text);
}

cosm_recorder_info cosm_recorder_describe(const cosm_recorder *recorder) {
    if (recorder == NULL) {
        return (cosm_recorder_info){0};
    }
    return (cosm_recorder_info){recorder->step - recorder->first, recorder->file.blocks.offset};
}
