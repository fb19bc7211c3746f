// Making perfect hashes: buckets placed largest first, each at the first displacement that fits.
#include "schema/column_map.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"

// The largest map holds an archetype of full size in twice its slots, and the fallback every
// component id of an engine.
#define MAP_SLOT_MAX 8192u
#define MAP_BUCKET_MAX 256u
#define MULTIPLIER_TRIES 16u

// A map in the making.
struct map_draft {
    const struct column_slot *entries;
    uint32_t count;
    uint32_t slot_count;
    uint32_t bucket_count;
    struct column_map map;
    uint16_t taken[MAP_SLOT_MAX]; // entry index + 1, or 0
    uint16_t displacements[MAP_BUCKET_MAX];
};

static uint32_t draft_bucket(const struct map_draft *draft, uint32_t entry) {
    return (draft->entries[entry].component * draft->map.multiplier) >> draft->map.bucket_shift;
}

static uint32_t draft_slot(const struct map_draft *draft, uint32_t entry, uint32_t displacement) {
    uint32_t hash = draft->entries[entry].component * draft->map.multiplier;
    return ((hash >> draft->map.slot_shift) + displacement) & draft->map.mask;
}

static void unplace_bucket(struct map_draft *draft, uint32_t bucket, uint32_t end) {
    for (uint32_t s = 0; s < draft->slot_count; s++) {
        if (draft->taken[s] != 0 && (uint32_t)(draft->taken[s] - 1) < end &&
            draft_bucket(draft, draft->taken[s] - 1u) == bucket) {
            draft->taken[s] = 0;
        }
    }
}

static bool place_bucket_at(struct map_draft *draft, uint32_t bucket, uint32_t displacement) {
    for (uint32_t e = 0; e < draft->count; e++) {
        if (draft_bucket(draft, e) != bucket) {
            continue;
        }
        uint32_t slot = draft_slot(draft, e, displacement);
        if (draft->taken[slot] != 0) {
            unplace_bucket(draft, bucket, e);
            return false;
        }
        draft->taken[slot] = (uint16_t)(e + 1);
    }
    draft->displacements[bucket] = (uint16_t)displacement;
    return true;
}

static bool place_bucket(struct map_draft *draft, uint32_t bucket) {
    for (uint32_t displacement = 0; displacement < draft->slot_count; displacement++) {
        if (place_bucket_at(draft, bucket, displacement)) {
            return true;
        }
    }
    return false;
}

static bool place_all(struct map_draft *draft) {
    uint32_t sizes[MAP_BUCKET_MAX] = {0};
    uint32_t largest = 0;
    for (uint32_t e = 0; e < draft->count; e++) {
        uint32_t size = ++sizes[draft_bucket(draft, e)];
        largest = size > largest ? size : largest;
    }
    memset(draft->taken, 0, draft->slot_count * sizeof(*draft->taken));
    memset(draft->displacements, 0, sizeof(draft->displacements));
    for (uint32_t size = largest; size > 0; size--) {
        for (uint32_t bucket = 0; bucket < draft->bucket_count; bucket++) {
            if (sizes[bucket] == size && !place_bucket(draft, bucket)) {
                return false;
            }
        }
    }
    return true;
}

static void draft_shape(struct map_draft *draft, uint32_t slot_count, uint32_t bucket_count,
                        uint32_t multiplier) {
    draft->slot_count = slot_count;
    draft->bucket_count = bucket_count;
    draft->map.multiplier = multiplier;
    draft->map.mask = slot_count - 1;
    draft->map.bucket_shift = 32 - log2_of(bucket_count);
    // The middle bits: independent of the top bits that chose the bucket.
    draft->map.slot_shift = 8;
}

// Grows the number of slots until some multiplier works. With the identity over all ids there is
// one slot per id, so the search ends.
static void draft_search(struct map_draft *draft) {
    uint32_t bucket_count = (uint32_t)power_of_two_ceil(draft->count / 4 + 1);
    bucket_count = bucket_count < 2 ? 2 : bucket_count;
    uint32_t slot_count = (uint32_t)power_of_two_ceil(draft->count + draft->count / 4 + 1);
    slot_count = slot_count < 2 ? 2 : slot_count;
    for (; slot_count < MAP_SLOT_MAX; slot_count *= 2) {
        uint32_t multiplier = 0x9E3779B1u;
        for (uint32_t i = 0; i < MULTIPLIER_TRIES; i++) {
            draft_shape(draft, slot_count, bucket_count, multiplier);
            if (place_all(draft)) {
                return;
            }
            multiplier = multiplier * 0x2C1B3C6Du + 0x3AD8025Eu;
            multiplier |= 1;
        }
    }
    draft_shape(draft, MAP_SLOT_MAX, 2, 1);
    draft->map.slot_shift = 0;
    bool placed = place_all(draft);
    INVARIANT(placed, "the identity places every id");
    (void)placed;
}

// A slot that no look-up takes for its own.
static struct column_slot empty_slot(const struct map_draft *draft, uint32_t slot) {
    uint16_t key = 0xFFFF;
    for (;; key--) {
        uint32_t hash = key * draft->map.multiplier;
        uint32_t home = ((hash >> draft->map.slot_shift) +
                         draft->displacements[hash >> draft->map.bucket_shift]) &
                        draft->map.mask;
        if (home != slot) {
            return (struct column_slot){key, 0, 0};
        }
    }
}

bool cosmi_column_map_make(struct column_map *map, struct arena *arena,
                           const struct column_slot *entries, uint32_t count) {
    struct map_draft *draft =
        cosmi_memory_alloc(arena->memory, sizeof(*draft), _Alignof(struct map_draft));
    if (draft == NULL) {
        return false;
    }
    draft->entries = entries;
    draft->count = count;
    draft_search(draft);
    struct column_slot *slots =
        cosmi_arena_alloc(arena, draft->slot_count * sizeof(*slots), _Alignof(struct column_slot));
    uint16_t *displacements =
        cosmi_arena_copy(arena, draft->displacements, draft->bucket_count * sizeof(*displacements),
                         _Alignof(uint16_t));
    bool done = slots != NULL && displacements != NULL;
    if (done) {
        for (uint32_t s = 0; s < draft->slot_count; s++) {
            slots[s] = draft->taken[s] == 0 ? empty_slot(draft, s) : entries[draft->taken[s] - 1];
        }
        *map = draft->map;
        map->slots = slots;
        map->displacements = displacements;
    }
    cosmi_memory_free(arena->memory, draft, sizeof(*draft), _Alignof(struct map_draft));
    return done;
}
