// Shared values of images that were made from bytes: looked at before they are restored.
//
// The words name groups, places and values by numbers: each number is compared with what there is
// before it is followed, and what must be there once is marked. Scratch is as large as the words
// are many, so an image cannot ask for more than it brought.
#include "base/arena.h"
#include "base/hash.h"
#include "state/kind.h"
#include "state/shared_order.h"

// What is known while the words are walked.
struct shared_look {
    const struct schema *schema;
    const struct world_image *image;
    struct shared_order order;
    uint32_t group_total;         // groups that are not free
    const struct part **tables;   // [group_count]: by number; NULL where free
    const uint32_t **words;       // [group_count]: of a group; NULL where free
    const struct object **values; // [value_count]: one that a group has; NULL: none yet
    uint32_t *place_first;        // [archetypes + 1]: where marks of its places begin
    bool *places;                 // [group_total]: taken, by archetype and place
    bool *free_marks;             // [group_count]
    bool *followed;               // [link_total]: some group has this one as its next
    uint32_t *link_first;         // [group_count]: where marks of its links begin
    uint32_t link_total;          // of all groups: one for each of their values
    struct map map;               // for things that must be there once
    bool is_out;                  // of memory
};

static void *take_zeroed(struct arena *arena, size_t count, size_t size) {
    void *bytes = cosmi_arena_alloc(arena, count * size + 1, 16);
    if (bytes != NULL) {
        memset(bytes, 0, count * size);
    }
    return bytes;
}

// Puts a thing into the map that is not there yet. False, and out of memory, where it cannot.
static bool remember(struct shared_look *look, uint64_t hash, uint32_t index) {
    look->is_out = look->is_out || !cosmi_map_reserve(&look->map);
    if (!look->is_out) {
        cosmi_map_insert(&look->map, hash, index);
    }
    return !look->is_out;
}

// The head of the words: do the figures agree with each other, and with how many words there are?
static const char *look_at_head(struct shared_look *look, const struct part *part) {
    const struct world_image *image = look->image;
    const struct blob *blob = part->blobs[0];
    size_t count = blob->size / sizeof(uint32_t);
    if (blob->size % sizeof(uint32_t) != 0 || count < ORDER_HEAD_WORDS) {
        return "the data of shared values is truncated";
    }
    const uint32_t *words = blob->bytes;
    if (words[2] > count - ORDER_HEAD_WORDS) {
        return "there are more free group numbers than data of shared values";
    }
    look->order = shared_order_read(blob);
    uint64_t needed = ORDER_HEAD_WORDS + (uint64_t)look->order.free_count;
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        if (table_group(table) != GROUP_NONE) {
            look->group_total++;
            look->link_total += table->archetype->shared_count;
            needed += order_group_words(table->archetype);
        }
    }
    if (needed != count ||
        look->order.group_count != (uint64_t)look->group_total + look->order.free_count) {
        return "the number of groups differs from the number of tables with shared values";
    }
    // Numbers that no table of an archetype has.
    if (look->group_total == 0 || look->order.group_count >= TABLE_RESERVED - GROUP_FIRST ||
        look->order.value_count > look->link_total) {
        return "there are no groups, or more values than groups have";
    }
    return NULL;
}

static bool take_scratch(struct shared_look *look, struct arena *arena) {
    uint32_t groups = look->order.group_count;
    uint32_t archetypes = paged_count(&look->schema->archetypes);
    look->tables = take_zeroed(arena, groups, sizeof(*look->tables));
    look->words = take_zeroed(arena, groups, sizeof(*look->words));
    look->link_first = take_zeroed(arena, groups, sizeof(*look->link_first));
    look->free_marks = take_zeroed(arena, groups, sizeof(*look->free_marks));
    look->values = take_zeroed(arena, look->order.value_count, sizeof(*look->values));
    look->place_first = take_zeroed(arena, archetypes + 1, sizeof(*look->place_first));
    look->places = take_zeroed(arena, look->group_total, sizeof(*look->places));
    look->followed = take_zeroed(arena, look->link_total, sizeof(*look->followed));
    return look->tables != NULL && look->words != NULL && look->link_first != NULL &&
           look->free_marks != NULL && look->values != NULL && look->place_first != NULL &&
           look->places != NULL && look->followed != NULL;
}

// Each number is that of one table, or free. As many of both as there are numbers are looked at.
static const char *look_at_numbers(struct shared_look *look) {
    const struct shared_order *order = &look->order;
    for (uint32_t i = 0; i < image_count(look->image, PART_TABLE); i++) {
        const struct part *table = image_part(look->image, PART_TABLE, i);
        if (table_group(table) == GROUP_NONE) {
            continue;
        }
        if (table_group(table) >= order->group_count || look->tables[table_group(table)] != NULL) {
            return "two tables have the same group number, or one has none";
        }
        look->tables[table_group(table)] = table;
        look->place_first[table->archetype->id + 1]++;
    }
    for (uint32_t i = 0; i < order->free_count; i++) {
        uint32_t number = order->free_numbers[i];
        if (number >= order->group_count || look->tables[number] != NULL ||
            look->free_marks[number]) {
            return "a free group number is in use, or listed twice";
        }
        look->free_marks[number] = true;
    }
    const uint32_t *words = order->groups;
    uint32_t links = 0;
    for (uint32_t n = 0; n < order->group_count; n++) {
        const struct part *table = look->tables[n];
        if (table != NULL) {
            look->words[n] = words;
            look->link_first[n] = links;
            words += order_group_words(table->archetype);
            links += table->archetype->shared_count;
        }
    }
    return NULL;
}

// As many groups as an archetype has are each in one of as many places.
static const char *look_at_places(struct shared_look *look) {
    uint32_t archetypes = paged_count(&look->schema->archetypes);
    for (uint32_t i = 0; i < archetypes; i++) {
        look->place_first[i + 1] += look->place_first[i];
    }
    for (uint32_t n = 0; n < look->order.group_count; n++) {
        if (look->tables[n] == NULL) {
            continue;
        }
        const uint32_t *first = look->place_first + look->tables[n]->archetype->id;
        uint32_t place = look->words[n][0];
        if (place >= first[1] - first[0] || look->places[first[0] + place]) {
            return "two groups have the same index, or one has none";
        }
        look->places[first[0] + place] = true;
    }
    return NULL;
}

// The values of one group: those that others with the same indices have.
static const char *look_at_values_of(struct shared_look *look, uint32_t number,
                                     const struct order_slots *slots) {
    const struct part *table = look->tables[number];
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        uint32_t index = order_value(look->words[number], i);
        const struct object *object = table->objects[slots->slots[i]];
        if (index >= look->order.value_count) {
            return "a group has a shared value that does not exist";
        }
        const struct object *known = look->values[index];
        if (known == NULL) {
            look->values[index] = object;
        } else if (known->type != object->type ||
                   !value_is_equal(object->type, known->bytes, object->bytes)) {
            return "two groups have different values where they share one";
        }
    }
    return NULL;
}

static bool is_value_there(const void *context, uint32_t index, const void *key) {
    const struct shared_look *look = context;
    const struct object *known = look->values[index];
    const struct object *object = key;
    return known->type == object->type && value_is_equal(known->type, known->bytes, object->bytes);
}

// Are no two values the same?
static const char *look_at_values(struct shared_look *look) {
    for (uint32_t i = 0; i < look->order.value_count; i++) {
        const struct object *object = look->values[i];
        if (object == NULL) {
            return "a shared value is not used";
        }
        uint64_t hash = cosmi_shared_hash(object->type, object->bytes);
        if (cosmi_map_find(&look->map, hash, is_value_there, look, object) != MAP_NONE) {
            return "a shared value is stored twice";
        }
        if (!remember(look, hash, i)) {
            return NULL;
        }
    }
    return NULL;
}

static bool has_same_values(const struct shared_look *look, uint32_t a, uint32_t b) {
    const struct archetype *archetype = look->tables[a]->archetype;
    bool same = archetype == look->tables[b]->archetype;
    for (uint32_t i = 0; same && i < archetype->shared_count; i++) {
        same = order_value(look->words[a], i) == order_value(look->words[b], i);
    }
    return same;
}

static bool is_group_there(const void *context, uint32_t number, const void *key) {
    return has_same_values(context, number, *(const uint32_t *)key);
}

// Are no two groups of one archetype and of the same values?
static const char *look_at_keys(struct shared_look *look) {
    for (uint32_t n = 0; n < look->order.group_count; n++) {
        if (look->tables[n] == NULL) {
            continue;
        }
        const struct archetype *archetype = look->tables[n]->archetype;
        uint64_t hash = archetype->id;
        for (uint32_t i = 0; i < archetype->shared_count; i++) {
            hash = hash_u64(hash, order_value(look->words[n], i));
        }
        if (cosmi_map_find(&look->map, hash, is_group_there, look, &n) != MAP_NONE) {
            return "two groups have the same values";
        }
        if (!remember(look, hash, n)) {
            return NULL;
        }
    }
    return NULL;
}

// Is the next group with a value one that has it, and next of no other?
static const char *look_at_next(struct shared_look *look, uint32_t number, uint32_t i) {
    uint32_t next = order_next(look->words[number], i);
    if (next == GROUP_NONE) {
        return NULL;
    }
    if (next >= look->order.group_count || look->tables[next] == NULL ||
        look->tables[next]->archetype != look->tables[number]->archetype ||
        order_value(look->words[next], i) != order_value(look->words[number], i)) {
        return "the next group in a list does not have its value";
    }
    bool *followed = &look->followed[look->link_first[next] + i];
    if (*followed) {
        return "a group is in a list twice";
    }
    *followed = true;
    return NULL;
}

// The list of the groups with a value, by the first of them and which of its components it is.
struct list_key {
    uint32_t number;
    uint32_t i;
};

static uint64_t list_hash(const struct shared_look *look, struct list_key key) {
    uint64_t hash = hash_u64(look->tables[key.number]->archetype->id, key.i);
    return hash_u64(hash, order_value(look->words[key.number], key.i));
}

// The map has a list by the number of its first group; of which component it is stands in the hash.
static bool is_list_there(const void *context, uint32_t number, const void *key_pointer) {
    const struct shared_look *look = context;
    const struct list_key *key = key_pointer;
    return look->tables[number]->archetype == look->tables[key->number]->archetype &&
           order_value(look->words[number], key->i) ==
               order_value(look->words[key->number], key->i);
}

// Groups that a list has, from its first one on. Nobody is behind two, and nobody before the first,
// so this ends.
static uint32_t list_length(const struct shared_look *look, struct list_key key) {
    uint32_t length = 0;
    for (uint32_t n = key.number; n != GROUP_NONE; n = order_next(look->words[n], key.i)) {
        length++;
    }
    return length;
}

// All groups of an archetype with a value are in one list: there is one first group, and from first
// groups all are reached.
static const char *look_at_lists(struct shared_look *look) {
    uint64_t reached = 0;
    for (uint32_t n = 0; n < look->order.group_count; n++) {
        uint32_t count = look->tables[n] == NULL ? 0 : look->tables[n]->archetype->shared_count;
        for (uint32_t i = 0; i < count; i++) {
            if (look->followed[look->link_first[n] + i]) {
                continue;
            }
            struct list_key key = {n, i};
            uint64_t hash = list_hash(look, key);
            if (cosmi_map_find(&look->map, hash, is_list_there, look, &key) != MAP_NONE) {
                return "a value has two lists of groups";
            }
            if (!remember(look, hash, n)) {
                return NULL;
            }
            reached += list_length(look, key);
        }
    }
    return reached == look->link_total ? NULL : "a list of groups has a cycle";
}

static const char *look_at_groups(struct shared_look *look) {
    struct order_slots slots;
    slots.archetype = NULL;
    for (uint32_t n = 0; n < look->order.group_count; n++) {
        if (look->tables[n] == NULL) {
            continue;
        }
        cosmi_order_slots(look->schema, look->tables[n]->archetype, &slots);
        const char *fault = look_at_values_of(look, n, &slots);
        if (fault != NULL) {
            return fault;
        }
    }
    for (uint32_t n = 0; n < look->order.group_count; n++) {
        uint32_t count = look->tables[n] == NULL ? 0 : look->tables[n]->archetype->shared_count;
        for (uint32_t i = 0; i < count; i++) {
            const char *fault = look_at_next(look, n, i);
            if (fault != NULL) {
                return fault;
            }
        }
    }
    return NULL;
}

static const char *look_at_all(struct shared_look *look) {
    static const char *(*const looks[])(struct shared_look *) = {
        look_at_numbers, look_at_places, look_at_groups,
        look_at_values,  look_at_keys,   look_at_lists,
    };
    const char *fault = NULL;
    for (uint32_t i = 0; i < sizeof(looks) / sizeof(*looks) && fault == NULL; i++) {
        cosmi_map_init(&look->map, look->schema->memory);
        fault = looks[i](look);
        cosmi_map_free(&look->map);
    }
    return fault;
}

const char *cosmi_groups_fault(const struct schema *schema, const struct world_image *image,
                               const struct part *part) {
    struct shared_look look = {.schema = schema, .image = image};
    const char *fault = look_at_head(&look, part);
    if (fault != NULL) {
        return fault;
    }
    struct arena arena;
    cosmi_arena_init(&arena, schema->memory);
    look.is_out = !take_scratch(&look, &arena);
    fault = look.is_out ? NULL : look_at_all(&look);
    cosmi_arena_free(&arena);
    return look.is_out ? cosmi_fault_memory : fault;
}
