// The words in the part of kind PART_GROUPS: what the future of a world's shared values depends on,
// beyond what its tables say.
//
//   group_count value_count free_count | free numbers, last freed last | group | group | ...
//
//   group: place | value next | value next | ...      one pair for each shared component
//
// There is a group for each number below group_count that is not free, in ascending order: its
// place in the list of its archetype; and of each shared component the index of its value in the
// world's list and the number of the next group with it, or GROUP_NONE.
//
// Nothing but numbers of groups, places and indices is in it, and components come by their names,
// so the words mean the same in every process, whatever the ids of components and archetypes are.
// Values and archetypes themselves are in the tables of the image. In which order a value lists its
// archetypes is left out, as nobody can see it.
#ifndef COSM_STATE_SHARED_ORDER_H
#define COSM_STATE_SHARED_ORDER_H

#include "state/image.h"

#define ORDER_HEAD_WORDS 3u

// Such words, taken apart. Nothing in them is checked by that but that there is a head.
struct shared_order {
    uint32_t group_count;
    uint32_t value_count;
    uint32_t free_count;
    const uint32_t *free_numbers;
    const uint32_t *groups; // the first group's words
};

static inline struct shared_order shared_order_read(const struct blob *blob) {
    const uint32_t *words = blob->bytes;
    return (struct shared_order){words[0], words[1], words[2], words + ORDER_HEAD_WORDS,
                                 words + ORDER_HEAD_WORDS + words[2]};
}

// Words of one group.
static inline uint32_t order_group_words(const struct archetype *archetype) {
    return 1 + 2 * archetype->shared_count;
}

// The pair of the i-th component by name in the words of a group.
static inline uint32_t order_value(const uint32_t *group, uint32_t i) {
    return group[1 + 2 * i];
}

static inline uint32_t order_next(const uint32_t *group, uint32_t i) {
    return group[2 + 2 * i];
}

// A group by its number: its table, NULL where the number is free, and its words.
struct order_group {
    const struct part *table;
    const uint32_t *words;
};

// Fills in the groups of an image by number; all are zeroed. False: a table has a number that is
// not below the count.
bool cosmi_order_groups(const struct world_image *image, const struct shared_order *order,
                        struct order_group *groups);

// The shared components of an archetype by name: slots[i] is where the i-th one is in
// archetype->shared.
struct order_slots {
    const struct archetype *archetype; // of which these are
    uint16_t slots[COSM_ARCHETYPE_COMPONENT_MAX];
};

// Nothing is done where they are there already; begin with no archetype.
void cosmi_order_slots(const struct schema *schema, const struct archetype *archetype,
                       struct order_slots *slots);

// The words of a world that has groups: how many, and themselves.
size_t cosmi_shared_order_count(const struct shared *shared);
void cosmi_shared_order_write(const struct schema *schema, const struct shared *shared,
                              uint32_t *out_words);

// A hash of the words, one after the other by hash_u64, from 0 on.
uint64_t cosmi_shared_order_hash(const struct schema *schema, const struct shared *shared);

// Are these the words of the world?
bool cosmi_shared_order_is(const struct schema *schema, const struct shared *shared,
                           const struct blob *blob);

#endif
