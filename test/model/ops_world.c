// Operations on whole worlds: resets, steps, trimming, room made ahead, singletons, and the
// allocator that fails.
#include "state.h"

#include <string.h>

// A reset also breaks the promise of handles that commands have given out: what they spawn is
// skipped. The headers do not say so.
static void follow_reset(struct model *m, uint32_t world) {
    world_clear(&m->o, world);
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        for (uint32_t k = 0; k < m->commands[i].count; k++) {
            struct command *command = &m->commands[i].list[k];
            command->is_broken = command->is_broken || command->world == world;
        }
    }
}

void op_world_reset(struct model *m) {
    struct place place = pick_place(m);
    say(m, "cosm_world_reset(world %u)", place.index);
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    if (place_is_good(place) && world_is_walked(&m->o, place.index)) {
        must |= RESULT_BIT(COSM_ERROR_WALKED);
    }
    cosm_result got = cosm_world_reset(place.world);
    if (settle(m, got, must, 0, 1u << place.index) == COSM_OK) {
        follow_reset(m, place.index);
        m->compare = true;
    }
}

void op_batch_reset(struct model *m) {
    uint8_t mask[ORACLE_WORLD_MAX] = {0};
    uint32_t bits = 1 + pick(m, ALL_WORLDS(m));
    bool null = pick(m, 8) == 7;
    uint32_t must = 0;
    bits = null ? ALL_WORLDS(m) : bits;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        mask[i] = (uint8_t)((bits >> i & 1) != 0 ? 1 + draw(m, 255) : 0);
        if (mask[i] != 0 && world_is_walked(&m->o, i)) {
            must |= RESULT_BIT(COSM_ERROR_WALKED);
        }
    }
    say(m, "cosm_batch_reset(worlds of the bits %x%s)", bits, null ? ", by NULL" : "");
    cosm_result got = cosm_batch_reset(m->batch, null ? NULL : mask);
    if (settle(m, got, must, 0, bits) != COSM_OK) {
        return;
    }
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        if (mask[i] != 0) {
            follow_reset(m, i);
        }
    }
    m->compare = true;
}

static bool any_walked(const struct model *m) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        if (world_is_walked(&m->o, i)) {
            return true;
        }
    }
    return false;
}

void op_batch_step(struct model *m) {
    bool only_ends = pick(m, 4) == 3 && m->undefined == COSM_OK;
    say(m, "cosm_batch_%s()", only_ends ? "end_step" : "step");
    uint32_t must = any_walked(m) ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
    cosm_result got = only_ends ? cosm_batch_end_step(m->batch) : cosm_batch_step(m->batch);
    if (must == 0 && m->undefined != COSM_OK) {
        must = RESULT_BIT(m->undefined);
        m->undefined = COSM_OK;
    }
    if (settle(m, got, must, 0, ALL_WORLDS(m)) != COSM_OK) {
        return;
    }
    m->o.step_count++;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->bag_count; k++) {
            w->bags[k].count = m->o.fault == MODEL_FAULT_STEP_KEEPS ? w->bags[k].count : 0;
        }
    }
}

void op_batch_trim(struct model *m) {
    say(m, "cosm_batch_trim()");
    // Addresses may change, which rows that are being walked must not do.
    uint32_t must = any_walked(m) ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
    if (settle(m, cosm_batch_trim(m->batch), must, 0, 0) == COSM_OK) {
        forget_bases(m);
    }
    m->renumbered = true;
    m->compare = true;
}

// What was reserved is there, even when the allocator gives nothing more.
static void spend_reserve(struct model *m, struct place place, struct choice choice,
                          uint32_t count) {
    const struct archetype *archetype = choice_archetype(m, choice);
    uint64_t set = archetype->set;
    // Observers are told, which takes memory too.
    if (archetype->temporary || m->watcher_count > 0) {
        return;
    }
    say(m, "cosm_entity_spawn_many(world %u, archetype %u, %u) while the allocator gives nothing",
        place.index, choice.id.id, count);
    cosm_rows rows;
    m->heap.is_empty = true;
    cosm_result got = cosm_entity_spawn_many(place.world, choice.id, count, &rows);
    m->heap.is_empty = false;
    if (got != COSM_OK) {
        fail(m, "%s for rows that were reserved: \"%s\"", cosm_result_name(got),
             cosm_error_message());
    }
    m->touched |= 1u << place.index;
    for (uint32_t i = 0; i < rows.count; i++) {
        take_handle(m, place.index, rows.entities[i]);
        being_spawn(&m->o, place.index, rows.entities[i], set);
    }
}

// Reserves rows; zero when there are none, else how many.
static uint32_t reserve(struct model *m, struct place place, struct choice choice, uint32_t count) {
    const struct archetype *archetype = choice_archetype(m, choice);
    uint32_t must = 0;
    uint32_t may = walked_bit(m, place);
    if (!place_is_good(place) || !archetype) {
        must |= RESULT_BIT(COSM_ERROR_ARGUMENT) | may;
    } else {
        count = room_for(m, place.index, set_size(&m->o, archetype->set) + 1, count);
        if (is_full(m, place.index, archetype->set, archetype->temporary, count)) {
            must |= RESULT_BIT(COSM_ERROR_FULL) | may;
        }
        // Which tables are needed is known when entities come.
        must |= (archetype->set & m->o.shared) != 0 ? RESULT_BIT(COSM_ERROR_ARGUMENT) | may : 0;
    }
    say(m, "cosm_world_reserve(world %u, archetype %u, %u)", place.index, choice.id.id, count);
    cosm_error_clear();
    cosm_result got = cosm_world_reserve(place.world, choice.id, count);
    return settle(m, got, must, may, 0) == COSM_OK ? count : 0;
}

// Reserves for one archetype, then for another, and spends both: one does not use up the other.
void op_reserve(struct model *m) {
    struct place place = pick_place(m);
    struct choice choices[2] = {pick_archetype(m), pick_archetype(m)};
    uint32_t counts[2] = {pick(m, 256), pick(m, 64)};
    bool spend = pick(m, 2) == 1;
    for (uint32_t i = 0; i < 2; i++) {
        bool again = i == 1 && choices[0].id.id == choices[1].id.id;
        counts[i] = again ? 0 : reserve(m, place, choices[i], counts[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (spend && counts[i] > 0 && !world_is_walked(&m->o, place.index)) {
            spend_reserve(m, place, choices[i], counts[i]);
        }
    }
}

static void check_bad_singleton(struct model *m, struct place place) {
    cosm_singleton bad = {draw(m, 2) == 0 ? 0 : 999999};
    say(m, "cosm_singleton_read(world %u, an unknown singleton)", place.index);
    if (cosm_singleton_read(place.world, bad) || cosm_singleton_write(place.world, bad)) {
        fail(m, "there is a value of a singleton that is not defined");
    }
}

void op_singleton_write(struct model *m) {
    struct place place = pick_place(m);
    uint32_t index = pick(m, m->o.singleton_count);
    uint32_t value = draw_value(m);
    if (m->o.singleton_count == 0 || rarely(m, 16)) {
        check_bad_singleton(m, place);
        return;
    }
    const struct singleton *one = &m->o.singletons[index];
    say(m, "cosm_singleton_write(world %u, %s)", place.index, one->name);
    void *bytes = cosm_singleton_write(place.world, one->id);
    if ((bytes != NULL) != place_is_good(place) ||
        bytes != cosm_singleton_read(place.world, one->id)) {
        fail(m, "the value of singleton %s is %s", one->name, bytes ? "there" : "not there");
    }
    if (!bytes) {
        return;
    }
    cosm_error_clear();
    char padded[COSM_NAME_LENGTH_MAX + 9] = {0};
    memcpy(padded, one->name, strlen(one->name));
    cosm_type type = cosm_type_of(padded, strlen(padded), one->size);
    cosm_type wrong = cosm_type_of(padded, strlen(padded), one->size + 1);
    if (cosm_singleton_read_type(place.world, type) != bytes ||
        cosm_singleton_write_type(place.world, wrong) != NULL ||
        cosm_error_result() != COSM_ERROR_ARGUMENT) {
        fail(m, "a wrong size of singleton %s is not found out", one->name);
    }
    cosm_error_clear();
    struct kind as_kind = {.size = one->size, .bit = 1000 + index};
    bytes_to(&as_kind, value, bytes);
    if (m->o.fault != MODEL_FAULT_SINGLETON_LOST) {
        m->o.worlds[place.index].singletons[index] = value;
    }
    m->touched |= 1u << place.index;
    m->compare = true;
}

void op_memory_fails(struct model *m) {
    m->heap.fail_after = 1 + pick(m, 16);
    say(m, "of the requests for memory from here on, number %u fails",
        (unsigned)m->heap.fail_after);
}
