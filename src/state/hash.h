// Hashes: the state of worlds in 64 bits, from worlds that live and from images alike.
//
//   worlds = sum of P^w * hash of world w, counted from the first of them
//   world  = mix(ids, sum of tables, sum of sectors, tree, singletons, stream, numbers)
//   table  = mix(signature, rows, sum of columns and of what the rows share)
//   column = sum of P^c * hash of chunk c
//
// Nothing depends on ids of components or archetypes: types count by what their bytes mean,
// and what has no order of its own is added up. How many rows are a chunk follows from the types of
// an archetype, never from their layout: so the hash of a chunk can be kept, and split and whole
// components are alike.
//
// Content is a sum of facts: this entity exists; it has this value of that component; it has this
// parent. Where a fact is stored does not count.
#ifndef COSM_STATE_HASH_H
#define COSM_STATE_HASH_H

#include <cosm/hash.h>

#include "base/hash.h"
#include "state/hash_notes.h"
#include "state/view.h"

// What keeps things of different kinds apart.
enum {
    FACT_ENTITY = 1,
    FACT_TEMPORARY,
    FACT_PARENT,
    FACT_SINGLETON,
    FACT_ABSENT,
    FACT_SHARED,
    FACT_TREE,
    FACT_SECTOR,
};

static inline uint64_t entity_key(cosm_entity entity) {
    return (uint64_t)entity.gen << 32 | entity.id;
}

// What somebody has, with who has it.
static inline uint64_t hash_fact(uint64_t key, uint64_t value) {
    return hash_mix(value ^ key * 0x9E3779B97F4A7C15u);
}

// Several worlds in their order. Runs of worlds can be hashed apart and joined: those that follow
// `count` others count P^count times as much. P is 5 modulo 8, so its powers repeat after 2^62.
#define HASH_WORLD_FACTOR 0x9E3779B97F4A7C15u

struct hash_run {
    uint64_t sum;
    uint64_t factor; // of the next world
};

static inline struct hash_run hash_run_begin(void) {
    return (struct hash_run){0, 1};
}

static inline void hash_run_add(struct hash_run *run, uint64_t world) {
    run->sum += run->factor * world;
    run->factor *= HASH_WORLD_FACTOR;
}

// Adds a run of `world_count` worlds whose hash is `sum`.
void cosmi_hash_run_join(struct hash_run *run, uint64_t sum, uint64_t world_count);

uint64_t cosmi_hash_view(const struct view *view, cosm_hash_kind kind);

// The rows of one table; and what they have of one component, 0 where they do not have it.
uint64_t cosmi_hash_rows(const struct view *view, const struct part_view *table,
                         cosm_hash_kind kind);
uint64_t cosmi_hash_rows_component(const struct view *view, const struct part_view *table,
                                   const struct value_type *type, cosm_hash_kind kind);

// All of a world: `tables`, the sum of its tables, and what is outside of them.
uint64_t cosmi_hash_rest(const struct view *view, uint64_t tables, cosm_hash_kind kind);

// The parts of a world that can be asked for.
uint64_t cosmi_hash_archetype(const struct view *view, const struct archetype *archetype,
                              cosm_hash_kind kind);
uint64_t cosmi_hash_component(const struct view *view, const struct value_type *type,
                              cosm_hash_kind kind);
uint64_t cosmi_hash_singleton(const struct view *view, const struct value_type *type);

#endif
