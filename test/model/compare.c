// The comparison of library and oracle: what must hold after every operation, and everything.
#include "state.h"

#include <stdlib.h>
#include <string.h>

void digest(struct model *m, uint64_t number) {
    m->digest ^= number;
    m->digest = model_random(&m->digest);
}

static void check_other_batch(struct model *m) {
    if (cosm_hash_batch(m->other_batch, COSM_HASH_EXACT) != m->other_checksum ||
        cosm_batch_validate(m->other_batch) != COSM_OK) {
        fail(m, "another batch has changed or is corrupt");
    }
}

static void check_memory(struct model *m) {
    uint64_t live = 0;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        uint64_t here = world_live(&m->o, i);
        cosm_memory memory = cosm_world_memory(cosm_batch_world(m->batch, i));
        if (memory.live != here || memory.used < memory.live) {
            fail(m, "world %u uses %zu bytes and has %zu live instead of %llu", i, memory.used,
                 memory.live, (unsigned long long)here);
        }
        live += here;
    }
    cosm_memory memory = cosm_batch_memory(m->batch);
    if (memory.live != live || memory.used < memory.live || memory.peak < memory.used) {
        fail(m, "the batch uses %zu bytes, %zu at most so far, and has %zu live instead of %llu",
             memory.used, memory.peak, memory.live, (unsigned long long)live);
    }
    if (m->memory_limit > 0 && memory.used > m->memory_limit) {
        fail(m, "the batch uses %zu bytes, and its limit is %zu", memory.used, m->memory_limit);
    }
    if (m->heap.wrong) {
        fail(m, "the allocator was used wrongly: %s", m->heap.wrong);
    }
    if (m->account.wrong) {
        fail(m, "objects: %s", m->account.wrong);
    }
}

// The third does not change where the first does not.
void note_checksums(struct model *m, uint32_t world) {
    cosm_world at = cosm_batch_world(m->batch, world);
    uint64_t *sums = m->checksums[world];
    uint64_t exact = cosm_hash_world(at, COSM_HASH_EXACT);
    sums[1] = cosm_hash_world(at, COSM_HASH_CONTENT);
    if (sums[0] == exact) {
        return;
    }
    sums[0] = exact;
    sums[2] = 0;
    uint32_t count = cosm_engine_describe(cosm_batch_engine(m->batch)).archetype_count;
    for (uint32_t i = 1; i <= count; i++) {
        sums[2] += cosm_hash_table(at, (cosm_archetype){i}, COSM_HASH_EXACT);
    }
}

void compare_checksums(struct model *m) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        uint64_t before[3];
        memcpy(before, m->checksums[i], sizeof(before));
        note_checksums(m, i);
        bool is_same = m->checksums[i][1] == before[1] && m->checksums[i][2] == before[2] &&
                       (m->checksums[i][0] == before[0] || m->renumbered);
        if (!is_same && !(m->touched >> i & 1)) {
            fail(m, "the checksum of world %u changed, though nothing was done to it", i);
        }
    }
    m->touched = 0;
    m->renumbered = false;
}

void compare_counts(struct model *m) {
    cosm_error_clear();
    if (cosm_batch_validate(m->batch) != COSM_OK) {
        fail(m, "validation: %s", cosm_error_message());
    }
    uint64_t alive = 0;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        cosm_world world = cosm_batch_world(m->batch, i);
        uint32_t count = cosm_world_entity_count(world);
        if (count != m->o.worlds[i].alive_count) {
            fail(m, "world %u has %u entities instead of %u", i, count, m->o.worlds[i].alive_count);
        }
        if (cosm_world_is_walked(world) != world_is_walked(&m->o, i)) {
            fail(m, "world %u is said to be %s", i,
                 cosm_world_is_walked(world) ? "walked" : "free");
        }
        alive += count;
    }
    if (cosm_batch_entity_count(m->batch) != alive ||
        cosm_batch_step_count(m->batch) != m->o.step_count) {
        fail(m, "the batch has a wrong count of entities or of steps");
    }
    learn_strides(m);
    check_memory(m);
    compare_watchers(m);
    compare_checksums(m);
}

// The copy of a component's value, which every layout gives.
static void compare_copy(struct model *m, cosm_world world, const struct being *being,
                         const struct kind *kind, bool split) {
    bool present =
        (being->set & kind->set) != 0 && kind->size > 0 && kind->storage != COSM_STORAGE_MANAGED;
    uint8_t *copy = scratch(m, kind->size + 1);
    memset(copy, 0xEE, kind->size + 1);
    if (cosm_entity_get(world, being->handle, kind->id, copy) != present) {
        fail(m, "{gen %u, id %u} in world %u gives %s copy of %s", being->handle.gen,
             being->handle.id, world.index, present ? "no" : "a", kind->name);
    }
    if ((present && !copy_is(m, kind, split, being->value[kind->bit], copy)) ||
        copy[kind->size] != 0xEE || (!present && copy[0] != 0xEE)) {
        fail(m, "{gen %u, id %u} in world %u: the copy of %s is wrong", being->handle.gen,
             being->handle.id, world.index, kind->name);
    }
}

// One component of an entity, read in every way there is.
static void compare_value(struct model *m, cosm_world world, const struct being *being,
                          const struct kind *kind, cosm_loc loc, bool split) {
    bool present = (being->set & kind->set) != 0;
    cosm_error_clear();
    const void *bytes = cosm_entity_read(world, being->handle, kind->id);
    if (split) {
        expect_refusal(m, kind, "cosm_entity_read");
    }
    if (cosm_entity_has(world, being->handle, kind->id) != present) {
        fail(m, "{gen %u, id %u} in world %u %s %s", being->handle.gen, being->handle.id,
             world.index, present ? "lacks" : "has", kind->name);
    }
    if ((bytes != NULL) != shows_bytes(m, being->set, false, kind, being->value)) {
        fail(m, "{gen %u, id %u} in world %u has %s bytes of %s", being->handle.gen,
             being->handle.id, world.index, bytes ? "some" : "no", kind->name);
    }
    if (cosm_loc_read(world, loc, kind->id) != bytes) {
        fail(m, "{gen %u, id %u}: %s by place and by entity are not the same", being->handle.gen,
             being->handle.id, kind->name);
    }
    if (split) {
        expect_refusal(m, kind, "cosm_loc_read");
    }
    compare_copy(m, world, being, kind, split);
    if (!bytes) {
        return;
    }
    if (!bytes_are(kind, being->value[kind->bit], bytes)) {
        fail(m, "{gen %u, id %u} in world %u: the value of %s is wrong", being->handle.gen,
             being->handle.id, world.index, kind->name);
    }
    if (kind->hooks != 0 && !account_has(&m->trades[kind->bit], bytes)) {
        fail(m, "{gen %u, id %u} in world %u: %s is no living object", being->handle.gen,
             being->handle.id, world.index, kind->name);
    }
    size_t alignment = kind->alignment * (m->o.fault == MODEL_FAULT_ALIGNMENT ? 2 : 1);
    if ((uintptr_t)bytes % alignment != 0) {
        fail(m, "{gen %u, id %u}: %s is at %p, which is not aligned to %zu", being->handle.gen,
             being->handle.id, kind->name, bytes, alignment);
    }
}

void compare_being(struct model *m, uint32_t index, const struct being *being) {
    cosm_world world = cosm_batch_world(m->batch, index);
    cosm_entity entity = being->handle;
    if (!cosm_entity_is_alive(world, entity)) {
        fail(m, "{gen %u, id %u} in world %u is not alive", entity.gen, entity.id, index);
    }
    cosm_archetype archetype = cosm_entity_archetype(world, entity);
    if (!learn_archetype(m, being->set, archetype)) {
        fail(m, "{gen %u, id %u} in world %u is of archetype %u, which is wrong", entity.gen,
             entity.id, index, archetype.id);
    }
    cosm_loc loc = cosm_entity_loc(world, entity);
    bool shared = (being->set & m->o.shared) != 0;
    if ((loc.table != archetype.id && !shared) ||
        !cosm_entity_equals(cosm_entity_at(world, loc), entity)) {
        fail(m, "{gen %u, id %u} in world %u is at {%u, %u}, where another is", entity.gen,
             entity.id, index, loc.table, loc.row);
    }
    uint64_t split = split_of_set(&m->o, being->set, false);
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        compare_value(m, world, being, &m->o.kinds[m->o.plain[bit]], loc, split >> bit & 1);
    }
}

static void compare_bag(struct model *m, uint32_t index, const struct bag *bag) {
    cosm_world world = cosm_batch_world(m->batch, index);
    const struct archetype *archetype = &m->o.archetypes[bag->archetype];
    if (cosm_table_row_count(world, archetype->id) != bag->count) {
        fail(m, "temporary archetype %u has %u rows in world %u instead of %u", archetype->id.id,
             cosm_table_row_count(world, archetype->id), index, bag->count);
    }
    for (uint32_t bit = 0; bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        bool whole = (archetype->set & ~archetype->split) >> bit & 1;
        for (uint32_t r = 0; whole && r < bag->count && (m->o.managed & kind->set) != 0; r++) {
            cosm_loc loc = {archetype->id.id, r};
            const void *bytes = cosm_loc_read(world, loc, kind->id);
            uint32_t value = bag->rows[r].value[bit];
            if ((bytes != NULL) != (value != 0) || (bytes && !bytes_are(kind, value, bytes))) {
                fail(m, "temporary row %u of archetype %u in world %u: the object of %s is wrong",
                     r, archetype->id.id, index, kind->name);
            }
        }
        if (!whole || kind->size == 0 || bag->count == 0 || (m->o.managed & kind->set) != 0) {
            continue;
        }
        const uint8_t *column = cosm_table_column_read(world, archetype->id, kind->id);
        if (!column || (uintptr_t)column % kind->alignment != 0) {
            fail(m, "temporary archetype %u has no aligned column of %s", archetype->id.id,
                 kind->name);
        }
        for (uint32_t r = 0; r < bag->count; r++) {
            if (!bytes_are(kind, bag->rows[r].value[bit], column + r * kind->size)) {
                fail(m, "temporary row %u of archetype %u in world %u: %s is wrong", r,
                     archetype->id.id, index, kind->name);
            }
        }
    }
}

static void compare_singletons(struct model *m, uint32_t index) {
    for (uint32_t i = 0; i < m->o.singleton_count; i++) {
        const struct singleton *one = &m->o.singletons[i];
        const void *bytes = cosm_singleton_read(cosm_batch_world(m->batch, index), one->id);
        if (!bytes || (uintptr_t)bytes % one->alignment != 0) {
            fail(m, "world %u has no aligned value of singleton %s", index, one->name);
        }
        const void **at = &m->singleton_at[index][i];
        if (*at && *at != bytes) {
            fail(m, "singleton %s of world %u has moved", one->name, index);
        }
        *at = bytes;
        struct kind as_kind = {.size = one->size, .bit = 1000 + i};
        if (!bytes_are(&as_kind, m->o.worlds[index].singletons[i], bytes)) {
            fail(m, "the value of singleton %s in world %u is wrong", one->name, index);
        }
    }
}

// Handles that were given out and are not alive: all of few, some of many.
static void compare_dead(struct model *m, uint32_t index) {
    const struct world *w = &m->o.worlds[index];
    cosm_world world = cosm_batch_world(m->batch, index);
    uint32_t step = 1 + w->given_count / 64;
    for (uint32_t i = 0; i < w->given_count; i += step) {
        cosm_entity entity = w->given[i].handle;
        bool alive = being_find(&m->o, index, entity) != NULL;
        if (cosm_entity_is_alive(world, entity) != alive) {
            fail(m, "{gen %u, id %u} in world %u is %s", entity.gen, entity.id, index,
                 alive ? "not alive" : "alive, though it was despawned or never spawned");
        }
    }
}

static void compare_queries(struct model *m) {
    struct span all = {cosm_worlds_all(m->batch), 0, m->o.world_count, true};
    for (uint32_t i = 0; i < ORACLE_QUERY_MAX; i++) {
        if (!m->o.queries[i].library) {
            continue;
        }
        walk_begin(m, &m->compare_walk, i, all);
        while (walk_next(m, &m->compare_walk)) {
        }
    }
}

void compare_all(struct model *m) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            if (w->beings[k].alive) {
                compare_being(m, i, &w->beings[k]);
            }
        }
        for (uint32_t k = 0; k < w->bag_count; k++) {
            compare_bag(m, i, &w->bags[k]);
        }
        for (uint32_t k = 0; k < m->o.archetype_count; k++) {
            compare_table(m, i, k);
        }
        compare_singletons(m, i);
        compare_dead(m, i);
        compare_tree(m, i);
        compare_apart(m, i);
    }
    compare_account(m);
    // Walks count as changes, and readers would see nothing else.
    if (m->reader_count == 0) {
        compare_queries(m);
    }
    check_other_batch(m);
    compare_checksums(m);
    digest(m, cosm_hash_batch(m->batch, COSM_HASH_EXACT));
}
