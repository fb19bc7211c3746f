// cosm_record/diverge.h: batches step by step, recordings by bisection.
//
// Batches are compared step by step. Where they part, both go back to the state before that step
// and take it again, system by system, with a snapshot after each. Recordings are compared by the
// sums of their hashes, so that one comparison tells of all steps up to there.
#include "diverge.h"

#include <cosm/hash.h>
#include <cosm/system.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static void begin_divergence(cosm_divergence *where) {
    memset(where, 0, sizeof(*where));
    where->entity = COSM_ENTITY_NONE;
    where->field = COSM_FIELD_INDEX_NONE;
}

// The state of a batch after one of its systems.
struct moment {
    cosm_system system;
    cosm_snapshot *state;
};

// A step that is taken system by system.
struct slow_step {
    cosm_batch *batch;
    const char *call;
    struct moment *moments;
    uint32_t count;
    uint32_t capacity;
    cosm_result failure;
};

static bool reserve_moment(struct slow_step *slow) {
    if (slow->count < slow->capacity) {
        return true;
    }
    uint32_t capacity = 2 * slow->capacity + 16;
    struct moment *moments = realloc(slow->moments, capacity * sizeof(*moments));
    slow->moments = moments == NULL ? slow->moments : moments;
    slow->capacity = moments == NULL ? slow->capacity : capacity;
    return moments != NULL;
}

static void keep_moment(void *context, cosm_system system) {
    struct slow_step *slow = context;
    if (slow->failure != COSM_OK) {
        return;
    }
    if (!reserve_moment(slow)) {
        slow->failure = cosmi_record_fail_memory(cosm_batch_engine(slow->batch), slow->call);
        return;
    }
    cosm_snapshot *state = cosm_snapshot_create(cosm_worlds_all(slow->batch));
    slow->failure = state == NULL ? cosm_error_result() : COSM_OK;
    if (state != NULL) {
        slow->moments[slow->count++] = (struct moment){system, state};
    }
}

// A step with what is in the worlds. It may fail in systems: that is part of what is compared.
static cosm_result take_step(cosm_batch *batch) {
    uint64_t before = cosm_batch_step_count(batch);
    cosm_result result = cosm_batch_step_with(batch, &(cosm_step_desc){.no_scatter = true});
    return cosm_batch_step_count(batch) == before ? result : COSM_OK;
}

static cosm_result take_slowly(struct slow_step *slow, cosm_batch *batch, const char *call) {
    *slow = (struct slow_step){.batch = batch, .call = call};
    cosm_watcher watcher = {.name = call, .context = slow, .system = keep_moment};
    cosm_result result = cosm_batch_watch(batch, &watcher);
    if (result != COSM_OK) {
        return result;
    }
    result = take_step(batch);
    cosm_result removed = cosm_batch_unwatch(batch, &watcher);
    result = result == COSM_OK ? removed : result;
    return slow->failure != COSM_OK ? slow->failure : result;
}

static void end_slow_step(struct slow_step *slow) {
    for (uint32_t i = 0; i < slow->count; i++) {
        cosm_snapshot_destroy(slow->moments[i].state);
    }
    free(slow->moments);
}

static bool states_agree(const cosm_snapshot *a, const cosm_snapshot *b) {
    return cosm_hash_snapshot(a, COSM_HASH_EXACT) == cosm_hash_snapshot(b, COSM_HASH_EXACT);
}

// Two batches on their way, and the states of both before and after a step.
struct pair {
    cosm_batch *batches[2];
    cosm_snapshot *before[2];
    cosm_snapshot *after[2];
    const char *call;
};

static void end_pair(struct pair *pair) {
    for (uint32_t i = 0; i < 2; i++) {
        cosm_snapshot_destroy(pair->before[i]);
        cosm_snapshot_destroy(pair->after[i]);
    }
}

static cosm_result keep_states(const struct pair *pair, cosm_snapshot **states) {
    for (uint32_t i = 0; i < 2; i++) {
        states[i] = cosm_snapshot_create(cosm_worlds_all(pair->batches[i]));
        if (states[i] == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static cosm_result put_states(const struct pair *pair, cosm_snapshot *const *states) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < 2 && result == COSM_OK; i++) {
        result = cosm_snapshot_restore(states[i], 0, cosm_worlds_all(pair->batches[i]));
    }
    return result;
}

// The first system after which the two differ. Where none does, because the step does not go as it
// went before, what they came to then is told.
static void tell_steps(const struct pair *pair, const struct slow_step *slow,
                       cosm_divergence *where) {
    const cosm_engine *engine = cosm_batch_engine(pair->batches[0]);
    uint32_t count = slow[0].count < slow[1].count ? slow[0].count : slow[1].count;
    for (uint32_t i = 0; i < count; i++) {
        const struct moment *a = &slow[0].moments[i];
        const struct moment *b = &slow[1].moments[i];
        if (!states_agree(a->state, b->state)) {
            (void)snprintf(where->system, sizeof(where->system), "%s",
                           cosm_system_describe(engine, a->system).name);
            cosmi_record_tell(a->state, b->state, where);
            return;
        }
    }
    cosmi_record_tell(pair->after[0], pair->after[1], where);
}

// Both take the step in which they part once more, and are left as they were after it.
static cosm_result look_closer(struct pair *pair, cosm_divergence *where) {
    struct slow_step slow[2] = {{.count = 0}, {.count = 0}};
    cosm_result result = put_states(pair, pair->before);
    for (uint32_t i = 0; i < 2 && result == COSM_OK; i++) {
        result = take_slowly(&slow[i], pair->batches[i], pair->call);
    }
    if (result == COSM_OK) {
        tell_steps(pair, slow, where);
    }
    for (uint32_t i = 0; i < 2; i++) {
        end_slow_step(&slow[i]);
    }
    cosm_result back = put_states(pair, pair->after);
    return result == COSM_OK ? back : result;
}

static cosm_result compare_batches(struct pair *pair, uint64_t step_max, cosm_divergence *where) {
    cosm_result result = keep_states(pair, pair->before);
    if (result != COSM_OK) {
        return result;
    }
    where->compared_count = 1;
    if (!states_agree(pair->before[0], pair->before[1])) {
        where->found = true;
        where->at_input = true;
        where->step = cosm_batch_step_count(pair->batches[0]) + 1;
        cosmi_record_tell(pair->before[0], pair->before[1], where);
        return COSM_OK;
    }
    for (uint64_t i = 0; i < step_max; i++) {
        result = take_step(pair->batches[0]);
        result = result == COSM_OK ? take_step(pair->batches[1]) : result;
        result = result == COSM_OK ? keep_states(pair, pair->after) : result;
        if (result != COSM_OK) {
            return result;
        }
        where->compared_count++;
        if (!states_agree(pair->after[0], pair->after[1])) {
            where->found = true;
            where->step = cosm_batch_step_count(pair->batches[0]);
            return look_closer(pair, where);
        }
        for (uint32_t k = 0; k < 2; k++) {
            cosm_snapshot_destroy(pair->before[k]);
            pair->before[k] = pair->after[k];
            pair->after[k] = NULL;
        }
    }
    return COSM_OK;
}

static cosm_result refuse_null(const cosm_engine *engine, const char *call, const void *a,
                               const void *b) {
    return cosm_error_raise(engine, COSM_ERROR_ARGUMENT, "%s: %s is NULL; pass all of them", call,
                            a == NULL   ? "a"
                            : b == NULL ? "b"
                                        : "out_divergence");
}

static cosm_result check_pair(const cosm_batch *a, const cosm_batch *b,
                              const cosm_divergence *out_divergence, const char *call) {
    if (a == NULL || b == NULL || out_divergence == NULL) {
        return refuse_null(a == NULL ? NULL : cosm_batch_engine(a), call, a, b);
    }
    uint32_t count_a = cosm_batch_world_count(a);
    uint32_t count_b = cosm_batch_world_count(b);
    if (a == b || count_a != count_b) {
        return cosm_error_raise(cosm_batch_engine(a), COSM_ERROR_ARGUMENT,
                                "%s: the batches have %u and %u worlds%s; pass two batches with "
                                "the same number of worlds",
                                call, count_a, count_b, a == b ? " and are the same batch" : "");
    }
    return COSM_OK;
}

cosm_result cosm_diverge_batches(cosm_batch *a, cosm_batch *b, uint64_t step_max,
                                 cosm_divergence *out_divergence) {
    static const char call[] = "cosm_diverge_batches";
    cosm_result result = check_pair(a, b, out_divergence, call);
    if (result != COSM_OK) {
        return result;
    }
    begin_divergence(out_divergence);
    // Init hooks are no part of a step: their doing is there before the first one, or it would be
    // done again when that step is looked at more closely.
    result = cosm_batch_init_systems(a);
    result = result == COSM_OK ? cosm_batch_init_systems(b) : result;
    if (result != COSM_OK) {
        return result;
    }
    struct pair pair = {.batches = {a, b}, .call = call};
    result = compare_batches(&pair, step_max, out_divergence);
    end_pair(&pair);
    return result;
}

// What two recordings come to from one step to another.
static bool runs_agree(const struct recording *a, const struct recording *b, uint64_t from,
                       uint64_t to) {
    return cosmi_record_find(a, to)->sum - cosmi_record_find(a, from)->sum ==
           cosmi_record_find(b, to)->sum - cosmi_record_find(b, from)->sum;
}

// The state after a step: kept, or by running in a batch that is made for it. NULL where neither
// comes to it; there is a message then.
static cosm_snapshot *find_state(struct cosm_replay *replay, uint64_t step, const char *call) {
    if (cosmi_record_is_kept(replay, step)) {
        return cosmi_record_state(replay, step, call);
    }
    const struct record_info *info = &replay->recording.info;
    cosm_batch_desc desc = {.world_count = replay->recording.world_count,
                            .seed = info->seed,
                            .step_seconds = info->step_seconds};
    cosm_batch *batch = cosm_batch_create(replay->engine, &desc);
    if (batch == NULL) {
        return NULL;
    }
    cosm_snapshot *state = cosmi_record_go(replay, batch, step, call) == COSM_OK
                               ? cosm_snapshot_create(cosm_worlds_all(batch))
                               : NULL;
    (void)cosm_batch_destroy(batch);
    return state;
}

// The states with which a step began in two recordings, which agree up to there. Returns the state
// before it, which is that of a recording without an input.
static cosm_snapshot *find_begun_states(struct cosm_replay *const *replays, uint64_t step,
                                        const char *call, cosm_snapshot **states) {
    cosm_snapshot *before = find_state(replays[0], step - 1, call);
    before = before == NULL ? find_state(replays[1], step - 1, call) : before;
    for (uint32_t i = 0; i < 2 && before != NULL; i++) {
        states[i] = cosmi_record_begun(replays[i], before, step, call);
    }
    return before;
}

static uint32_t diverged_world(const struct cosm_replay *a, const struct cosm_replay *b,
                               uint64_t step) {
    for (uint32_t w = 0; w < a->recording.hash_count; w++) {
        if (cosm_replay_world_hash(a, step, w) != cosm_replay_world_hash(b, step, w)) {
            return w;
        }
    }
    return 0;
}

// `step` is the first one that differs.
static void tell_replays(struct cosm_replay *const *replays, uint64_t step, bool at_input,
                         const char *call, cosm_divergence *where) {
    cosm_snapshot *states[2] = {NULL, NULL};
    cosm_snapshot *before = NULL;
    struct record_attempt attempt;
    cosmi_record_try(&attempt);
    where->world = at_input ? 0 : diverged_world(replays[0], replays[1], step);
    if (at_input) {
        before = find_begun_states(replays, step, call, states);
    } else {
        for (uint32_t i = 0; i < 2; i++) {
            states[i] = find_state(replays[i], step, call);
        }
    }
    if (states[0] != NULL && states[1] != NULL) {
        cosmi_record_tell(states[0], states[1], where);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (states[i] != before) {
            cosm_snapshot_destroy(states[i]);
        }
    }
    cosm_snapshot_destroy(before);
    cosmi_record_tried(&attempt);
}

// The first step in (from, to] up to which they do not agree; they do not up to `to`.
static uint64_t bisect(const struct recording *a, const struct recording *b, uint64_t from,
                       uint64_t to, uint32_t *compared_count) {
    uint64_t agreed = from;
    uint64_t parted = to;
    while (parted - agreed > 1) {
        uint64_t middle = agreed + (parted - agreed) / 2;
        ++*compared_count;
        if (runs_agree(a, b, from, middle)) {
            agreed = middle;
        } else {
            parted = middle;
        }
    }
    return parted;
}

static cosm_result check_replays(const cosm_replay *a, const cosm_replay *b,
                                 const cosm_divergence *out_divergence, const char *call) {
    if (a == NULL || b == NULL || out_divergence == NULL) {
        return refuse_null(a == NULL ? NULL : a->engine, call, a, b);
    }
    if (a->engine != b->engine || a->recording.world_count != b->recording.world_count) {
        return cosm_error_raise(
            a->engine, COSM_ERROR_ARGUMENT,
            "%s: the recordings have %u and %u worlds%s; open two with the same number of worlds, "
            "in one engine",
            call, a->recording.world_count, b->recording.world_count,
            a->engine == b->engine ? "" : " and were opened in different engines");
    }
    cosm_replay_info info_a = cosm_replay_describe(a);
    cosm_replay_info info_b = cosm_replay_describe(b);
    if (info_a.first_step > info_b.last_step || info_b.first_step > info_a.last_step) {
        return cosm_error_raise(
            a->engine, COSM_ERROR_ARGUMENT,
            "%s: the recordings have no step in common; start both recordings at the same step",
            call);
    }
    return COSM_OK;
}

cosm_result cosm_diverge_replays(cosm_replay *a, cosm_replay *b, cosm_divergence *out_divergence) {
    static const char call[] = "cosm_diverge_replays";
    cosm_result result = check_replays(a, b, out_divergence, call);
    if (result != COSM_OK) {
        return result;
    }
    begin_divergence(out_divergence);
    cosm_replay_info info_a = cosm_replay_describe(a);
    cosm_replay_info info_b = cosm_replay_describe(b);
    uint64_t firsts[2] = {info_a.first_step, info_b.first_step};
    uint64_t lasts[2] = {info_a.last_step, info_b.last_step};
    uint64_t from = firsts[0] > firsts[1] ? firsts[0] : firsts[1];
    uint64_t to = lasts[0] < lasts[1] ? lasts[0] : lasts[1];
    cosm_replay *replays[2] = {a, b};
    out_divergence->compared_count = 1;
    if (cosm_replay_hash(a, from) != cosm_replay_hash(b, from)) {
        out_divergence->found = true;
        out_divergence->at_input = true;
        tell_replays(replays, from, false, call, out_divergence);
        out_divergence->step = from + 1;
        return COSM_OK;
    }
    out_divergence->compared_count++;
    if (runs_agree(&a->recording, &b->recording, from, to)) {
        return COSM_OK;
    }
    uint64_t step = bisect(&a->recording, &b->recording, from, to, &out_divergence->compared_count);
    out_divergence->found = true;
    out_divergence->step = step;
    out_divergence->at_input = cosmi_record_find(&a->recording, step)->what.hash_before !=
                               cosmi_record_find(&b->recording, step)->what.hash_before;
    tell_replays(replays, step, out_divergence->at_input, call, out_divergence);
    return COSM_OK;
}
