// Operations on state as a value: snapshots that are kept and restored, forks, patches.
//
// The oracle keeps a deep copy of itself for each snapshot. After a restore the same handles are
// given out again, so what it knows of those goes back too.
#include "state.h"

#include <stdlib.h>
#include <string.h>

// Objects that a snapshot of a world has, at most. Values are shared within a table of it.
static uint32_t world_objects(const struct model *m, uint32_t world) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        if (kind->hooks != 0) {
            count += kind->storage == COSM_STORAGE_MANAGED ? object_count(&m->o, world, bit)
                                                           : record_count(&m->o, world, kind->set);
        }
    }
    return count;
}

// How many objects snapshots hold is theirs to decide: what is equal is shared. But none are held
// that were in no snapshot, and none change by anything but what is done to snapshots.
void measure_pasts(struct model *m) {
    uint32_t others = account_expected(m) - m->held_by_pasts;
    uint32_t most = 0;
    for (uint32_t i = 0; i < MODEL_PAST_MAX; i++) {
        most += m->pasts[i].library ? m->pasts[i].objects : 0;
    }
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        most += m->base_objects[i];
    }
    if (m->account.alive < others || m->account.alive - others > most) {
        fail(m, "%u objects live, %u of them not in snapshots, which hold at most %u",
             m->account.alive, others, most);
    }
    m->held_by_pasts = m->account.alive - others;
}

void forget_bases(struct model *m) {
    memset(m->base_objects, 0, sizeof(m->base_objects));
    measure_pasts(m);
}

// A world that was captured, or perhaps was, holds on to what it was then.
static void note_base(struct model *m, uint32_t world, bool surely) {
    uint32_t objects = world_objects(m, world);
    uint32_t known = m->base_objects[world];
    m->base_objects[world] = surely || objects > known ? objects : known;
}

static void destroy_past(struct past *past) {
    cosm_snapshot_destroy(past->library);
    past->library = NULL;
}

void destroy_pasts(struct model *m) {
    for (uint32_t i = 0; i < MODEL_PAST_MAX; i++) {
        destroy_past(&m->pasts[i]);
    }
}

void pasts_free(struct model *m) {
    for (uint32_t i = 0; i < MODEL_PAST_MAX; i++) {
        for (uint32_t k = 0; k < ORACLE_WORLD_MAX; k++) {
            world_free(&m->pasts[i].worlds[k]);
        }
    }
}

static bool span_has(struct span span, uint32_t world) {
    return world >= span.first && world - span.first < span.count;
}

static uint32_t span_bits(struct span span) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < span.count; i++) {
        bits |= 1u << (span.first + i);
    }
    return bits;
}

static void keep_past(struct model *m, struct past *past, struct span span) {
    past->first = span.first;
    past->count = span.count;
    past->step_count = m->o.step_count;
    past->singleton_count = m->o.singleton_count;
    past->objects = 0;
    for (uint32_t i = 0; i < span.count; i++) {
        world_copy(&past->worlds[i], &m->o.worlds[span.first + i]);
        note_base(m, span.first + i, true);
        past->objects += m->base_objects[span.first + i];
        cosm_world world = cosm_batch_world(m->batch, span.first + i);
        past->hashes[i] = cosm_hash_world(world, COSM_HASH_EXACT);
        if (cosm_hash_snapshot_world(past->library, i, COSM_HASH_EXACT) != past->hashes[i]) {
            fail(m, "world %u of the snapshot has another hash than world %u", i, span.first + i);
        }
    }
}

static uint32_t walked_span(struct model *m, struct span span) {
    uint32_t walked = 0;
    for (uint32_t i = 0; i < span.count; i++) {
        walked |= world_is_walked(&m->o, span.first + i) ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
    }
    return walked;
}

// States have no place for commands that wait.
static uint32_t waiting_span(const struct model *m, struct span span) {
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        const struct commands *commands = &m->commands[i];
        for (uint32_t k = 0; commands->library && k < commands->count; k++) {
            if (span_has(span, commands->list[k].world)) {
                return RESULT_BIT(COSM_ERROR_BUSY);
            }
        }
    }
    return 0;
}

// With the first snapshot the batch begins to track changes, which no walk may see.
static uint32_t walked_anywhere(struct model *m) {
    struct span all = {cosm_worlds_all(m->batch), 0, m->o.world_count, true};
    return walked_span(m, all);
}

void op_snapshot(struct model *m) {
    struct past *past = &m->pasts[pick(m, MODEL_PAST_MAX)];
    struct span span = pick_span(m);
    bool only_ends = rarely(m, 8);
    if (past->library) {
        say(m, "cosm_snapshot_destroy(snapshot %u)", (unsigned)(past - m->pasts));
        destroy_past(past);
        measure_pasts(m);
    }
    if (only_ends) {
        return;
    }
    say(m, "cosm_snapshot_create(worlds %u to %u%s), snapshot %u", span.worlds.first,
        span.worlds.first + span.worlds.count, span.good ? "" : " (wrong)",
        (unsigned)(past - m->pasts));
    uint32_t must = span.good ? walked_span(m, span) : RESULT_BIT(COSM_ERROR_ARGUMENT);
    must |= must == 0 ? waiting_span(m, span) : 0;
    uint32_t may = walked_anywhere(m);
    past->library = cosm_snapshot_create(span.worlds);
    must |= must != 0 ? may : 0;
    if (settle(m, made(m, past->library != NULL), must, may, 0) == COSM_OK) {
        keep_past(m, past, span);
        m->compare = true;
    } else {
        for (uint32_t i = 0; i < span.count; i++) {
            note_base(m, span.first + i, false);
        }
    }
    measure_pasts(m);
}

// Observers are told nothing, and know what there is all the same.
static void check_untold(struct model *m, uint64_t told) {
    if (m->told != told) {
        fail(m, "observers were told %llu events of state that came back",
             (unsigned long long)(m->told - told));
    }
    for (uint32_t i = 0; i < m->watcher_count; i++) {
        if (m->watchers[i].wrong && !m->watch_lost) {
            fail(m, "watcher %u: %s", i + 1, m->watchers[i].wrong);
        }
        resync_watcher(m, &m->watchers[i]);
    }
}

// One world has become what it was, or what another one was.
static void follow_world(struct model *m, uint32_t index, const struct world *kept,
                         uint32_t singleton_count) {
    struct world *w = &m->o.worlds[index];
    world_copy(w, kept);
    for (uint32_t i = singleton_count; i < m->o.singleton_count; i++) {
        w->singletons[i] = m->o.singletons[i].initial;
    }
}

static void follow_restore(struct model *m, const struct past *past, uint32_t index,
                           struct span to) {
    bool is_whole = to.count == m->o.world_count;
    m->o.step_count = is_whole ? past->step_count : m->o.step_count;
    bool is_exact = past->singleton_count == m->o.singleton_count;
    for (uint32_t i = 0; i < to.count; i++) {
        if (m->o.fault != MODEL_FAULT_RESTORE_LOST) {
            follow_world(m, to.first + i, &past->worlds[index + i], past->singleton_count);
        }
        m->base_objects[to.first + i] = past->objects;
        cosm_world world = cosm_batch_world(m->batch, to.first + i);
        if (is_exact && cosm_hash_world(world, COSM_HASH_EXACT) != past->hashes[index + i]) {
            fail(m, "world %u has not the hash that it was to have again", to.first + i);
        }
    }
    m->compare = true;
}

// Restores worlds of a past, from number `index` on. True: it was done.
static bool restore(struct model *m, const struct past *past, uint32_t index, struct span to) {
    uint32_t must = to.good ? walked_span(m, to) : RESULT_BIT(COSM_ERROR_ARGUMENT);
    bool fits = index <= past->count && to.worlds.count <= past->count - index;
    must |= fits ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    must |= must == 0 ? waiting_span(m, to) : 0;
    uint32_t may = walked_anywhere(m);
    must |= must != 0 ? may : 0;
    say(m, "cosm_snapshot_restore(snapshot %u, %u, worlds %u to %u%s)", (unsigned)(past - m->pasts),
        index, to.worlds.first, to.worlds.first + to.worlds.count, to.good ? "" : " (wrong)");
    uint64_t told = m->told;
    cosm_result got = cosm_snapshot_restore(past->library, index, to.worlds);
    if (settle(m, got, must, may, span_bits(to)) == COSM_OK) {
        follow_restore(m, past, index, to);
        check_untold(m, told);
    }
    measure_pasts(m);
    return got == COSM_OK;
}

static struct past *pick_past(struct model *m) {
    uint32_t start = pick(m, MODEL_PAST_MAX);
    for (uint32_t i = 0; i < MODEL_PAST_MAX; i++) {
        struct past *past = &m->pasts[(start + i) % MODEL_PAST_MAX];
        if (past->library) {
            return past;
        }
    }
    return NULL;
}

// As many worlds as the past has: where they were, or elsewhere.
static struct span past_span(struct model *m, const struct past *past, uint32_t count, bool moved) {
    uint32_t first = moved ? draw(m, m->o.world_count - count + 1) : past->first;
    return (struct span){cosm_worlds_range(m->batch, first, count), first, count, true};
}

// All worlds of a past, or some of them: where they were, or elsewhere.
void op_restore(struct model *m) {
    const struct past *past = pick_past(m);
    bool is_part = pick(m, 2) == 1;
    uint32_t which = pick(m, 16);
    bool moved = pick(m, 4) == 3;
    if (!past) {
        return;
    }
    uint32_t count = is_part ? 1 + draw(m, past->count) : past->count;
    uint32_t index = is_part ? draw(m, past->count - count + 1) : 0;
    struct span to = past_span(m, past, count, moved);
    if (!moved) {
        to.first = past->first + index;
        to.worlds = cosm_worlds_range(m->batch, to.first, count);
    }
    index += which == 15 ? past->count : 0; // past its end
    if (which == 14) {
        to = pick_span(m);
    }
    (void)restore(m, past, index, to);
}

static void follow_fork(struct model *m, struct place source, struct span to, cosm_hash_kind kind) {
    uint64_t hash = cosm_hash_world(source.world, kind);
    for (uint32_t i = to.first; i < to.first + to.count; i++) {
        if (i == source.index) {
            continue;
        }
        if (m->o.fault != MODEL_FAULT_FORK_LOST) {
            follow_world(m, i, &m->o.worlds[source.index], m->o.singleton_count);
        }
        note_base(m, i, false);
        if (cosm_hash_world(cosm_batch_world(m->batch, i), kind) != hash) {
            fail(m, "world %u has another hash than world %u, of which it is a fork", i,
                 source.index);
        }
    }
    m->compare = true;
}

void op_fork(struct model *m) {
    struct place source = pick_place(m);
    struct span to = pick_span(m);
    bool own_random = pick(m, 2) == 1;
    bool good = to.good && place_is_good(source);
    uint32_t walked = walked_span(m, to) | walked_bit(m, source);
    uint32_t must = good ? walked : walked | RESULT_BIT(COSM_ERROR_ARGUMENT);
    struct span from = {to.worlds, source.index, 1, true};
    must |= must == 0 ? waiting_span(m, to) | waiting_span(m, from) : 0;
    if (must == 0 && !room_for_bytes(m, world_live(&m->o, source.index) * to.count)) {
        return;
    }
    say(m, "cosm_fork_world(world %u, onto worlds %u to %u%s)%s", source.index, to.worlds.first,
        to.worlds.first + to.worlds.count, to.good ? "" : " (wrong)",
        own_random ? ", with random numbers of their own" : "");
    uint64_t told = m->told;
    cosm_fork_desc desc = {.own_random = own_random};
    cosm_result got = cosm_fork_world(source.world, to.worlds, own_random ? &desc : NULL);
    if (settle(m, got, must, 0, span_bits(to)) == COSM_OK) {
        follow_fork(m, source, to, own_random ? COSM_HASH_CONTENT : COSM_HASH_EXACT);
        check_untold(m, told);
    }
    measure_pasts(m);
}

// The patch from one past to another, by way of its bytes; NULL where there is none. Objects are
// not in patches.
static cosm_patch *make_patch(struct model *m, const struct past *before,
                              const struct past *after) {
    bool is_apart = (m->o.shared | m->o.managed | m->o.sectors) != 0;
    uint32_t must = before->count == after->count ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    uint32_t may = is_apart ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
    say(m, "cosm_patch_create(snapshot %u, snapshot %u)", (unsigned)(before - m->pasts),
        (unsigned)(after - m->pasts));
    cosm_patch *patch = cosm_patch_create(before->library, after->library);
    if (settle(m, made(m, patch != NULL), must, may, 0) != COSM_OK) {
        return NULL;
    }
    cosm_error_clear();
    cosm_patch *again = cosm_patch_open(m->engine, cosm_patch_describe(patch).bytes,
                                        cosm_patch_describe(patch).size);
    cosm_patch_destroy(patch);
    return settle(m, made(m, again != NULL), 0, 0, 0) == COSM_OK ? again : NULL;
}

// The second state, made of the first and the patch.
static void check_patch(struct model *m, const cosm_patch *patch, const struct past *before,
                        const struct past *after) {
    cosm_error_clear();
    cosm_snapshot *snapshot = cosm_patch_snapshot(patch, before->library);
    if (settle(m, made(m, snapshot != NULL), 0, 0, 0) != COSM_OK) {
        return;
    }
    for (uint32_t i = 0; i < after->count; i++) {
        if (cosm_hash_snapshot_world(snapshot, i, COSM_HASH_EXACT) != after->hashes[i]) {
            cosm_snapshot_destroy(snapshot);
            fail(m, "what a patch makes of world %u has another hash than it should", i);
        }
    }
    cosm_snapshot_destroy(snapshot);
}

static void apply_patch(struct model *m, const cosm_patch *patch, const struct past *after,
                        struct span to) {
    say(m, "cosm_patch_apply(worlds %u to %u)", to.first, to.first + to.count);
    uint64_t told = m->told;
    cosm_error_clear();
    cosm_result got = cosm_patch_apply(patch, to.worlds);
    if (settle(m, got, 0, 0, span_bits(to)) == COSM_OK) {
        follow_restore(m, after, 0, to);
        check_untold(m, told);
    }
    measure_pasts(m);
}

// From one kept state to another: on paper, and in the worlds.
void op_patch(struct model *m) {
    const struct past *before = pick_past(m);
    const struct past *after = pick_past(m);
    bool moved = pick(m, 4) == 3;
    if (!before) {
        return;
    }
    cosm_patch *patch = make_patch(m, before, after);
    if (!patch) {
        return;
    }
    m->patch = patch; // destroyed when the run fails, too
    check_patch(m, patch, before, after);
    struct span to = past_span(m, before, before->count, moved);
    cosm_error_clear();
    if (before->singleton_count == m->o.singleton_count && walked_span(m, to) == 0 &&
        restore(m, before, 0, to)) {
        apply_patch(m, patch, after, to);
    }
    cosm_patch_destroy(patch);
    m->patch = NULL;
}
