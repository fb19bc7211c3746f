// cosm_record/recorder.h: a watcher of a batch that writes what it sees to a file.
//
//   last     ....... what the program does ....... now       a patch, if they differ
//   now      ....... the step .................... after     a patch, if there is a history
//
// `last` is the state that the file comes to with all that was written so far.
#include <cosm/diff.h>
#include <cosm/hash.h>
#include <cosm/snapshot.h>
#include <cosm_record/recorder.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define KEYFRAME_STEPS 256u
#define MESSAGE_SIZE 640

// Touched by the thread that steps the batch.
struct cosm_recorder {
    cosm_batch *batch;
    cosm_engine *engine;
    cosm_watcher watcher;
    struct record_writer file;
    uint32_t keyframe_steps;
    bool has_history;
    uint64_t first;      // the step it begins with
    uint64_t step;       // the last one in the file
    uint64_t hash;       // of `last`
    cosm_snapshot *last; // what the file comes to
    bool is_lost;        // `last` is not that: the next input is a whole state
    uint64_t whole_step; // the last one with a whole state
    cosm_result failure; // the first one: nothing is recorded any more
    char message[MESSAGE_SIZE];
    uint32_t hash_count; // of worlds that each step has
    struct record_step now;
    uint64_t hashes[]; // [hash_count]; `now` and these are the content of a STEP
};

_Static_assert(offsetof(struct cosm_recorder, hashes) ==
                   offsetof(struct cosm_recorder, now) + sizeof(struct record_step),
               "a STEP is written as it lies there");

static cosm_snapshot *take_state(const struct cosm_recorder *recorder) {
    return cosm_snapshot_create(cosm_worlds_all(recorder->batch));
}

// The hash of the batch; those of its worlds are left in `hashes`.
static uint64_t hash_state(struct cosm_recorder *recorder, const cosm_snapshot *state) {
    if (recorder->hash_count == 0) {
        return cosm_hash_snapshot(state, COSM_HASH_EXACT);
    }
    for (uint32_t w = 0; w < recorder->hash_count; w++) {
        recorder->hashes[w] = cosm_hash_snapshot_world(state, w, COSM_HASH_EXACT);
    }
    return cosm_hash_join(recorder->hashes, NULL, recorder->hash_count);
}

// A whole state as bytes, which the caller frees in any case.
static cosm_result save_whole(const struct cosm_recorder *recorder, const cosm_snapshot *state,
                              struct record_bytes *bytes) {
    cosm_save_desc desc = {.codec = recorder->file.codec};
    *bytes = (struct record_bytes){.bytes = NULL};
    cosm_result result = cosm_save_write_to(state, &desc, cosmi_record_append, bytes);
    return result == COSM_OK && bytes->failed
               ? cosmi_record_fail_memory(recorder->engine, recorder->file.call)
               : result;
}

// They are packed by who saves them, column by column, and not once more as a block.
static cosm_result put_saved(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const struct record_bytes *bytes) {
    uint64_t values[2] = {step, 0};
    return cosmi_record_put(&recorder->file, tag, values, bytes->bytes, bytes->size, false);
}

static cosm_result put_whole(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const cosm_snapshot *state) {
    struct record_bytes bytes;
    cosm_result result = save_whole(recorder, state, &bytes);
    result = result == COSM_OK ? put_saved(recorder, tag, step, &bytes) : result;
    free(bytes.bytes);
    return result;
}

// What changed from one state to another; of an input nothing where nothing did. Hashes would not
// tell: a trim leaves them as they are, and what patches go by, such as the numbers of objects, may
// be others.
static cosm_result put_patch(struct cosm_recorder *recorder, uint32_t tag, uint64_t step,
                             const cosm_snapshot *before, const cosm_snapshot *after,
                             bool *out_changed) {
    cosm_patch *patch = cosm_patch_create(before, after);
    if (patch == NULL) {
        return cosm_error_result();
    }
    cosm_result result = COSM_OK;
    cosm_patch_info info = cosm_patch_describe(patch);
    *out_changed = info.changed_count > 0;
    if (tag == RECORD_TAG_HISTORY || *out_changed) {
        uint64_t values[2] = {step, 0};
        result = cosmi_record_put(&recorder->file, tag, values, info.bytes, info.size, true);
    }
    cosm_patch_destroy(patch);
    return result;
}

static cosm_result put_step(struct cosm_recorder *recorder, uint64_t step, uint64_t hash) {
    uint64_t values[2] = {step, hash};
    size_t size = sizeof(recorder->now) + recorder->hash_count * sizeof(*recorder->hashes);
    const char *content = (const char *)recorder + offsetof(struct cosm_recorder, now);
    return cosmi_record_put(&recorder->file, RECORD_TAG_STEP, values, content, size, false);
}

// What the program has done since the last step, if anything.
static cosm_result put_input(struct cosm_recorder *recorder, const cosm_snapshot *now,
                             bool *out_changed) {
    uint64_t step = cosm_batch_step_count(recorder->batch);
    uint64_t last = recorder->step;
    if (step < recorder->first || step > last) {
        return cosm_error_raise(
            recorder->engine, COSM_ERROR_ARGUMENT,
            "%s: the batch is at step %llu, but the recording has steps %llu to %llu; close the "
            "recorder before you restore a state outside its recording",
            recorder->file.call, (unsigned long long)step, (unsigned long long)recorder->first,
            (unsigned long long)last);
    }
    // Gone back, or a step that was begun and not ended: what the file comes to is not known here.
    if (step < last || recorder->is_lost) {
        *out_changed = true;
        return put_whole(recorder, RECORD_TAG_INPUT_WHOLE, step + 1, now);
    }
    *out_changed = false;
    return cosm_snapshot_is_same(recorder->last, now)
               ? COSM_OK
               : put_patch(recorder, RECORD_TAG_INPUT, step + 1, recorder->last, now, out_changed);
}

static void replace_last(struct cosm_recorder *recorder, cosm_snapshot *state) {
    cosm_snapshot_destroy(recorder->last);
    recorder->last = state;
}

static cosm_result record_before(struct cosm_recorder *recorder) {
    cosm_snapshot *now = take_state(recorder);
    if (now == NULL) {
        return cosm_error_result();
    }
    bool changed = false;
    cosm_result result = put_input(recorder, now, &changed);
    if (result != COSM_OK) {
        cosm_snapshot_destroy(now);
        return result;
    }
    recorder->hash = changed ? hash_state(recorder, now) : recorder->hash;
    replace_last(recorder, now);
    recorder->is_lost = false;
    recorder->step = cosm_batch_step_count(recorder->batch);
    // Whole states behind a step to which the program went back are none any more.
    recorder->whole_step =
        recorder->whole_step < recorder->step ? recorder->whole_step : recorder->step;
    return COSM_OK;
}

// Is it time for a whole state? Files have no place for ids that commands have reserved: then it is
// left to one of the next steps.
static bool is_whole_due(const struct cosm_recorder *recorder, const cosm_snapshot *after) {
    return recorder->step - recorder->whole_step >= recorder->keyframe_steps &&
           !cosm_snapshot_describe(after).is_pending;
}

static cosm_result put_after(struct cosm_recorder *recorder, const cosm_snapshot *after,
                             uint64_t *out_hash) {
    bool unused;
    recorder->now.hash_before = recorder->hash;
    *out_hash = hash_state(recorder, after);
    cosm_result result = COSM_OK;
    if (recorder->has_history) {
        result = put_patch(recorder, RECORD_TAG_HISTORY, recorder->step + 1, recorder->last, after,
                           &unused);
    }
    return result == COSM_OK ? put_step(recorder, recorder->step + 1, *out_hash) : result;
}

static cosm_result record_after(struct cosm_recorder *recorder) {
    uint64_t hash = 0;
    cosm_snapshot *after = take_state(recorder);
    cosm_result result = after == NULL ? cosm_error_result() : put_after(recorder, after, &hash);
    if (result != COSM_OK) {
        cosm_snapshot_destroy(after);
        return result;
    }
    replace_last(recorder, after);
    recorder->hash = hash;
    recorder->step++;
    if (is_whole_due(recorder, after)) {
        result = put_whole(recorder, RECORD_TAG_WHOLE, recorder->step, after);
        recorder->whole_step = recorder->step;
    }
    return result;
}

static void keep_failure(struct cosm_recorder *recorder, cosm_result result) {
    recorder->failure = result;
    (void)snprintf(recorder->message, sizeof(recorder->message), "%s", cosm_error_message());
}

static void watch_before(void *context, const cosm_step_desc *step) {
    struct cosm_recorder *recorder = context;
    if (recorder->failure != COSM_OK) {
        return;
    }
    recorder->file.call = "cosm_recorder (before a step)";
    recorder->now = (struct record_step){.phases = (uint32_t)step->phases, .dt = step->dt};
    cosm_result result = record_before(recorder);
    if (result != COSM_OK) {
        keep_failure(recorder, result);
    }
}

static void watch_after(void *context, bool ended) {
    struct cosm_recorder *recorder = context;
    if (recorder->failure != COSM_OK) {
        return;
    }
    recorder->file.call = "cosm_recorder (after a step)";
    recorder->is_lost = !ended;
    cosm_result result = ended ? record_after(recorder) : COSM_OK;
    if (result != COSM_OK) {
        keep_failure(recorder, result);
    }
}

static void free_recorder(struct cosm_recorder *recorder) {
    cosm_snapshot_destroy(recorder->last);
    free(recorder);
}

// The recorder with the state that it begins with; NULL with a message.
static struct cosm_recorder *make_recorder(cosm_batch *batch, const char *call,
                                           const cosm_recorder_desc *desc) {
    uint32_t world_count = cosm_batch_world_count(batch);
    uint32_t hash_count = world_count <= RECORD_HASH_WORLDS ? world_count : 0;
    struct cosm_recorder *recorder =
        calloc(1, sizeof(*recorder) + hash_count * sizeof(*recorder->hashes));
    if (recorder == NULL) {
        (void)cosmi_record_fail_memory(cosm_batch_engine(batch), call);
        return NULL;
    }
    recorder->batch = batch;
    recorder->engine = cosm_batch_engine(batch);
    recorder->watcher = (cosm_watcher){
        .name = "a recorder, which cosm_recorder_close removes",
        .context = recorder,
        .before = watch_before,
        .after = watch_after,
    };
    recorder->file =
        (struct record_writer){.engine = recorder->engine, .codec = desc->codec, .call = call};
    recorder->keyframe_steps = desc->keyframe_steps == 0 ? KEYFRAME_STEPS : desc->keyframe_steps;
    recorder->has_history = desc->history;
    recorder->first = cosm_batch_step_count(batch);
    recorder->step = recorder->first;
    recorder->whole_step = recorder->first;
    recorder->hash_count = hash_count;
    recorder->last = take_state(recorder);
    if (recorder->last == NULL) {
        free_recorder(recorder);
        return NULL;
    }
    return recorder;
}

static cosm_result put_info(struct cosm_recorder *recorder, const char *note) {
    struct record_info info = {
        .seed = cosm_batch_seed(recorder->batch),
        .step_seconds = cosm_batch_step_seconds(recorder->batch),
        .has_history = recorder->has_history,
    };
    uint64_t values[2] = {recorder->first, cosm_batch_world_count(recorder->batch)};
    struct record_bytes bytes = {.bytes = NULL};
    cosmi_record_append(&bytes, (const char *)&info, sizeof(info));
    if (note != NULL) {
        cosmi_record_append(&bytes, note, strlen(note) + 1);
    }
    cosm_result result = bytes.failed
                             ? cosmi_record_fail_memory(recorder->engine, recorder->file.call)
                             : cosmi_record_put(&recorder->file, RECORD_TAG_INFO, values,
                                                bytes.bytes, bytes.size, false);
    free(bytes.bytes);
    return result;
}

// Writes what comes first. Where that fails, a file that is cut off is left: what is there under
// the name may be something else than a file.
static cosm_result begin_file(struct cosm_recorder *recorder, const char *path, const char *note,
                              const struct record_bytes *saved) {
    cosm_result result = cosmi_record_create_file(&recorder->file, path);
    if (result != COSM_OK) {
        return result;
    }
    result = put_info(recorder, note);
    recorder->now.hash_before = recorder->hash;
    result = result == COSM_OK ? put_step(recorder, recorder->first, recorder->hash) : result;
    if (result == COSM_OK) {
        result = put_saved(recorder, RECORD_TAG_WHOLE, recorder->first, saved);
    }
    result = result == COSM_OK ? cosm_batch_watch(recorder->batch, &recorder->watcher) : result;
    if (result != COSM_OK) {
        (void)fclose(recorder->file.file);
    }
    return result;
}

// Saves before the file is made: what cannot be recorded leaves an old file as it is.
static cosm_result begin_recording(struct cosm_recorder *recorder, const char *path,
                                   const char *note) {
    struct record_bytes saved;
    recorder->hash = hash_state(recorder, recorder->last);
    cosm_result result = save_whole(recorder, recorder->last, &saved);
    result = result == COSM_OK ? begin_file(recorder, path, note, &saved) : result;
    free(saved.bytes);
    return result;
}

cosm_recorder *cosm_recorder_create(cosm_batch *batch, const char *path,
                                    const cosm_recorder_desc *desc) {
    static const char call[] = "cosm_recorder_create";
    cosm_recorder_desc zero = {.keyframe_steps = 0};
    desc = desc == NULL ? &zero : desc;
    if (batch == NULL || path == NULL) {
        (void)cosm_error_raise(cosm_batch_engine(batch), COSM_ERROR_ARGUMENT,
                               "%s: %s is NULL; pass a batch and the name of a file", call,
                               batch == NULL ? "batch" : "path");
        return NULL;
    }
    struct cosm_recorder *recorder = make_recorder(batch, call, desc);
    if (recorder == NULL) {
        return NULL;
    }
    if (begin_recording(recorder, path, desc->note) != COSM_OK) {
        free_recorder(recorder);
        return NULL;
    }
    return recorder;
}

cosm_result cosm_recorder_close(cosm_recorder *recorder) {
    static const char call[] = "cosm_recorder_close";
    if (recorder == NULL) {
        return COSM_OK;
    }
    cosm_result result = cosm_batch_unwatch(recorder->batch, &recorder->watcher);
    if (result != COSM_OK) {
        return result;
    }
    recorder->file.call = call;
    result = cosmi_record_close_file(&recorder->file, recorder->failure == COSM_OK);
    if (recorder->failure != COSM_OK) {
        result = cosm_error_raise(recorder->engine, recorder->failure,
                                  "%s: the recording ends with step %llu because of a failure: %s",
                                  call, (unsigned long long)recorder->step, recorder->message);
    }
    free_recorder(recorder);
    return result;
}

cosm_recorder_info cosm_recorder_describe(const cosm_recorder *recorder) {
    if (recorder == NULL) {
        return (cosm_recorder_info){0};
    }
    return (cosm_recorder_info){recorder->step - recorder->first, recorder->file.offset};
}
