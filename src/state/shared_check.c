// The words of shared groups that were made from bytes, checked before they are restored.
//
// The words name groups, places and values by number. A number is compared with its limit before it
// is followed, and a number that may occur once only is claimed: a claim is a tuple in a set, and
// the second claim of a tuple is a fault. What has to hold then follows from few rules:
//
//   numbers   each is that of one table, or free once
//   places    claimed once in an archetype, and each but 0 has the one before it: so there are no
//             gaps
//   keys      the path archetype, value, value ... ends in a claim of its own: no two groups of one
//             archetype have the same values
//   lists     a group is next of one other at most, so lists are paths or cycles; a list has one
//             head; what heads do not reach is in a cycle
//
// Claims are at most a few for each word, so an image cannot ask for more memory than it brought.
#include "base/hash.h"
#include "state/kind.h"
#include "state/shared_order.h"

enum claim_of {
    CLAIM_FREE,  // number
    CLAIM_PLACE, // archetype, place
    CLAIM_KEY,   // component, claim of the components before it (or the archetype), value
    CLAIM_NEXT,  // number, component: a group that another one names as its next
    CLAIM_HEAD,  // archetype, component, value
};

struct claim {
    uint32_t of;
    uint32_t numbers[3];
};

#define CLAIM_NONE MAP_NONE

static const char same_place[] = "two groups have the same index, or one has none";

struct shared_look {
    const struct schema *schema;
    const struct world_image *image;
    struct shared_order order;
    uint32_t link_total;          // of all groups: one for each of their values
    struct order_group *groups;   // [group_count]
    const struct object **values; // [value_count]: one that a group has; NULL: none yet
    struct map value_map;         // by content
    struct claim *claims;
    uint32_t claim_count;
    uint32_t claim_capacity;
    struct map claim_map;
};

static uint64_t claim_hash(const struct claim *claim) {
    const uint32_t *numbers = claim->numbers;
    return hash_u64((uint64_t)claim->of << 32 | numbers[0],
                    (uint64_t)numbers[1] << 32 | numbers[2]);
}

static bool is_claim(const void *context, uint32_t index, const void *key) {
    return memcmp(&((const struct shared_look *)context)->claims[index], key,
                  sizeof(struct claim)) == 0;
}

// CLAIM_NONE: nothing has claimed this yet.
static uint32_t find_claim(const struct shared_look *look, const struct claim *claim) {
    return cosmi_map_find(&look->claim_map, claim_hash(claim), is_claim, look, claim);
}

// `fault` if it is claimed already.
static const char *add_claim(struct shared_look *look, struct claim claim, const char *fault) {
    if (find_claim(look, &claim) != CLAIM_NONE) {
        return fault;
    }
    struct claim *claims =
        cosmi_array_grow(look->schema->memory, look->claims, &look->claim_capacity,
                         look->claim_count + 1, sizeof(*claims));
    look->claims = claims == NULL ? look->claims : claims;
    if (claims == NULL || !cosmi_map_reserve(&look->claim_map)) {
        return cosmi_fault_memory;
    }
    claims[look->claim_count] = claim;
    cosmi_map_insert(&look->claim_map, claim_hash(&claim), look->claim_count++);
    return NULL;
}

// The head of the words: do the figures agree with each other, and with how many words there are?
static const char *look_at_head(struct shared_look *look, const struct part *part) {
    const struct world_image *image = look->image;
    uint32_t count = part->groups.count;
    const uint32_t *words = count < ORDER_HEAD_WORDS ? NULL : part->blobs[0]->bytes;
    if (words == NULL) {
        return "the data of shared values is truncated";
    }
    if (words[2] > count - ORDER_HEAD_WORDS) {
        return "there are more free group numbers than data of shared values";
    }
    look->order = shared_order_read(part->blobs[0]);
    uint64_t needed = ORDER_HEAD_WORDS + (uint64_t)look->order.free_count;
    uint64_t groups = 0;
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        if (table_group(table) != GROUP_NONE) {
            groups++;
            look->link_total += table->archetype->shared_count;
            needed += order_group_words(table->archetype);
        }
    }
    if (needed != count || look->order.group_count != groups + look->order.free_count) {
        return "the number of groups differs from the number of tables with shared values";
    }
    // Numbers that no table of an archetype has.
    if (groups == 0 || look->order.group_count >= TABLE_RESERVED - GROUP_FIRST ||
        look->order.value_count > look->link_total) {
        return "there are no groups, or more values than groups have";
    }
    return NULL;
}

// As many tables and free numbers as there are numbers were counted; no two tables have one key.
static const char *look_at_numbers(struct shared_look *look) {
    const struct shared_order *order = &look->order;
    if (!cosmi_order_groups(look->image, order, look->groups)) {
        return "two tables have the same group number, or one has none";
    }
    static const char fault[] = "a free group number is in use, or listed twice";
    const char *found = NULL;
    for (uint32_t i = 0; i < order->free_count && found == NULL; i++) {
        uint32_t number = order->free_numbers[i];
        found = number >= order->group_count || look->groups[number].table != NULL
                    ? fault
                    : add_claim(look, (struct claim){CLAIM_FREE, {number}}, fault);
    }
    return found;
}

// A value that a group has: others with the same index have the same.
static const char *look_at_value(struct shared_look *look, uint32_t index,
                                 const struct object *object) {
    if (index >= look->order.value_count) {
        return "a group has a shared value that does not exist";
    }
    const struct object *known = look->values[index];
    look->values[index] = object;
    return known == NULL || (known->type == object->type &&
                             value_is_equal(object->type, known->bytes, object->bytes))
               ? NULL
               : "two groups have different values where they share one";
}

// The next group with the i-th value of a group is one of its archetype that has it.
static const char *look_at_next(struct shared_look *look, const struct order_group *group,
                                uint32_t i) {
    uint32_t next = order_next(group->words, i);
    if (next == GROUP_NONE) {
        return NULL;
    }
    const struct order_group *other = &look->groups[next < look->order.group_count ? next : 0];
    if (next >= look->order.group_count || other->table == NULL ||
        other->table->archetype != group->table->archetype ||
        order_value(other->words, i) != order_value(group->words, i)) {
        return "the next group in a list does not have its value";
    }
    return add_claim(look, (struct claim){CLAIM_NEXT, {next, i}}, "a group is in a list twice");
}

static const char *look_at_group(struct shared_look *look, const struct order_group *group,
                                 const struct order_slots *slots) {
    const struct archetype *archetype = group->table->archetype;
    const char *fault =
        add_claim(look, (struct claim){CLAIM_PLACE, {archetype->id, group->words[0]}}, same_place);
    uint32_t path = archetype->id;
    bool is_new = false;
    for (uint32_t i = 0; i < archetype->shared_count && fault == NULL; i++) {
        uint32_t value = order_value(group->words, i);
        struct claim key = {CLAIM_KEY, {i, path, value}};
        path = find_claim(look, &key);
        is_new = path == CLAIM_NONE;
        path = is_new ? look->claim_count : path;
        fault = look_at_value(look, value, group->table->objects[slots->slots[i]]);
        fault = fault == NULL && is_new ? add_claim(look, key, NULL) : fault;
        fault = fault == NULL ? look_at_next(look, group, i) : fault;
    }
    return fault == NULL && !is_new ? "two groups have the same values" : fault;
}

static const char *look_at_groups(struct shared_look *look) {
    struct order_slots slots = {.archetype = NULL};
    const char *fault = NULL;
    for (uint32_t n = 0; n < look->order.group_count && fault == NULL; n++) {
        if (look->groups[n].table != NULL) {
            cosmi_order_slots(look->schema, look->groups[n].table->archetype, &slots);
            fault = look_at_group(look, &look->groups[n], &slots);
        }
    }
    return fault;
}

static bool is_value_there(const void *context, uint32_t index, const void *key) {
    const struct object *known = ((const struct shared_look *)context)->values[index];
    const struct object *object = key;
    return known->type == object->type && value_is_equal(known->type, known->bytes, object->bytes);
}

static const char *look_at_values(struct shared_look *look) {
    for (uint32_t i = 0; i < look->order.value_count; i++) {
        const struct object *object = look->values[i];
        if (object == NULL) {
            return "a shared value is not used";
        }
        uint64_t hash = cosmi_shared_hash(object->type, object->bytes);
        if (cosmi_map_find(&look->value_map, hash, is_value_there, look, object) != MAP_NONE) {
            return "a shared value is stored twice";
        }
        if (!cosmi_map_reserve(&look->value_map)) {
            return cosmi_fault_memory;
        }
        cosmi_map_insert(&look->value_map, hash, i);
    }
    return NULL;
}

// The lists that begin with a group. No group is next of two others, so the walk from a head ends.
static const char *look_at_heads(struct shared_look *look, uint32_t number, uint64_t *io_reached) {
    const struct order_group *group = &look->groups[number];
    const struct archetype *archetype = group->table->archetype;
    const char *fault = NULL;
    for (uint32_t i = 0; i < archetype->shared_count && fault == NULL; i++) {
        struct claim next = {CLAIM_NEXT, {number, i}};
        if (find_claim(look, &next) != CLAIM_NONE) {
            continue;
        }
        struct claim head = {CLAIM_HEAD, {archetype->id, i, order_value(group->words, i)}};
        fault = add_claim(look, head, "a value has two lists of groups");
        for (uint32_t n = number; n != GROUP_NONE; n = order_next(look->groups[n].words, i)) {
            ++*io_reached;
        }
    }
    return fault;
}

// Places without gaps, and all groups of an archetype with a value in one list.
static const char *look_at_lists(struct shared_look *look) {
    uint64_t reached = 0;
    const char *fault = NULL;
    for (uint32_t n = 0; n < look->order.group_count && fault == NULL; n++) {
        const struct order_group *group = &look->groups[n];
        if (group->table == NULL) {
            continue;
        }
        struct claim before = {CLAIM_PLACE, {group->table->archetype->id, group->words[0] - 1}};
        if (group->words[0] > 0 && find_claim(look, &before) == CLAIM_NONE) {
            return same_place;
        }
        fault = look_at_heads(look, n, &reached);
    }
    return fault == NULL && reached != look->link_total ? "a list of groups has a cycle" : fault;
}

static const char *look_at_all(struct shared_look *look) {
    static const char *(*const looks[])(struct shared_look *) = {look_at_numbers, look_at_groups,
                                                                 look_at_values, look_at_lists};
    const char *fault = NULL;
    for (uint32_t i = 0; i < sizeof(looks) / sizeof(*looks) && fault == NULL; i++) {
        fault = looks[i](look);
    }
    return fault;
}

const char *cosmi_groups_fault(const struct schema *schema, const struct world_image *image,
                               const struct part *part) {
    struct memory *memory = schema->memory;
    struct shared_look look = {.schema = schema, .image = image};
    const char *fault = look_at_head(&look, part);
    if (fault != NULL) {
        return fault;
    }
    size_t groups_size = look.order.group_count * sizeof(*look.groups);
    size_t values_size = ((size_t)look.order.value_count + 1) * sizeof(*look.values);
    look.groups = cosmi_memory_alloc_zeroed(memory, groups_size, _Alignof(struct order_group));
    look.values = cosmi_memory_alloc_zeroed(memory, values_size, _Alignof(void *));
    cosmi_map_init(&look.value_map, memory);
    cosmi_map_init(&look.claim_map, memory);
    fault = look.groups == NULL || look.values == NULL ? cosmi_fault_memory : look_at_all(&look);
    cosmi_memory_free(memory, look.groups, groups_size, _Alignof(struct order_group));
    cosmi_memory_free(memory, (void *)look.values, values_size, _Alignof(void *));
    cosmi_array_free(memory, look.claims, look.claim_capacity, sizeof(*look.claims));
    cosmi_map_free(&look.value_map);
    cosmi_map_free(&look.claim_map);
    return fault;
}
