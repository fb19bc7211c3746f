// The words about shared values (state/shared_order.h) of groups that came about while reading.
#include "base/hash.h"
#include "state/load.h"
#include "state/shared_order.h"

// A value of a shared component, or the last group so far that has it in an archetype.
struct order_entry {
    const struct object *value;
    const struct archetype *archetype; // NULL: of the value itself
    uint32_t number;                   // of the value in the world
    uint32_t *next;                    // of the last group: the word to be filled in
};

struct order_job {
    struct load_job *job;
    struct map map; // of entries
    struct order_entry *entries;
    uint32_t count;
    uint32_t value_count;
};

static bool is_entry(const void *context, uint32_t index, const void *key_pointer) {
    const struct order_entry *entry = &((const struct order_job *)context)->entries[index];
    const struct order_entry *key = key_pointer;
    return entry->archetype == key->archetype && entry->value->type == key->value->type &&
           value_is_equal(key->value->type, entry->value->bytes, key->value->bytes);
}

// The entry of a value, alone or in an archetype; made where there is none. NULL when out of
// memory.
static struct order_entry *need_entry(struct order_job *order, const struct object *value,
                                      const struct archetype *archetype) {
    struct order_entry key = {.value = value, .archetype = archetype};
    uint64_t hash = cosmi_shared_hash(value->type, value->bytes);
    hash = hash_u64(hash, archetype == NULL ? 0 : archetype->id);
    uint32_t index = cosmi_map_find(&order->map, hash, is_entry, order, &key);
    if (index == MAP_NONE) {
        if (!cosmi_map_reserve(&order->map)) {
            return NULL;
        }
        index = order->count++;
        key.number = archetype == NULL ? order->value_count++ : 0;
        order->entries[index] = key;
        cosmi_map_insert(&order->map, hash, index);
    }
    return &order->entries[index];
}

// The place of a group among those of its archetype: how many came before it.
static uint32_t place_of(const struct world_image *image, uint32_t table, uint32_t *places) {
    return places[image->tables[table]->archetype->id]++;
}

static bool write_group_words(struct order_job *order, const struct table_image *table,
                              struct order_slots *slots, uint32_t *words) {
    cosmi_order_slots(order->job->order->schema, table->archetype, slots);
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        const struct object *value = table->shared[slots->slots[i]];
        struct order_entry *alone = need_entry(order, value, NULL);
        uint32_t number = alone == NULL ? 0 : alone->number;
        struct order_entry *here = need_entry(order, value, table->archetype);
        if (alone == NULL || here == NULL) {
            return false;
        }
        if (here->next != NULL) {
            *here->next = table->group;
        }
        words[1 + 2 * i] = number;
        words[2 + 2 * i] = GROUP_NONE;
        here->next = &words[2 + 2 * i];
    }
    return true;
}

static bool write_order(struct order_job *order, const struct world_image *image,
                        uint32_t group_count, uint32_t *words) {
    struct arena *arena = &order->job->world_arena;
    size_t size = (paged_count(&order->job->order->schema->archetypes) + 1) * sizeof(uint32_t);
    uint32_t *places = cosmi_arena_take(arena, size, 16);
    struct order_slots slots;
    slots.archetype = NULL;
    if (places == NULL) {
        return false;
    }
    memset(places, 0, size);
    uint32_t *at = words + ORDER_HEAD_WORDS;
    for (uint32_t i = 0; i < image->table_count; i++) {
        const struct table_image *table = image->tables[i];
        if (table->group == GROUP_NONE) {
            continue;
        }
        at[0] = place_of(image, i, places);
        if (!write_group_words(order, table, &slots, at)) {
            return false;
        }
        at += order_group_words(table->archetype);
    }
    words[0] = group_count;
    words[1] = order->value_count;
    words[2] = 0;
    return true;
}

cosm_result cosmi_load_shared_order(struct load_job *job, struct world_image *image) {
    uint32_t group_count = 0;
    size_t pairs = 0;
    for (uint32_t i = 0; i < image->table_count; i++) {
        const struct table_image *table = image->tables[i];
        group_count += table->group != GROUP_NONE;
        pairs += table->group != GROUP_NONE ? table->archetype->shared_count : 0;
    }
    if (group_count == 0) {
        return COSM_OK;
    }
    size_t count = ORDER_HEAD_WORDS + group_count + 2 * pairs;
    struct order_job order = {.job = job};
    cosmi_map_init(&order.map, job->order->memory);
    order.entries = cosmi_arena_take(&job->world_arena, 2 * pairs * sizeof(*order.entries), 16);
    image->shared_order = cosmi_piece_create(job->order->memory, count * sizeof(uint32_t));
    bool done = order.entries != NULL && image->shared_order != NULL &&
                write_order(&order, image, group_count, piece_fill(image->shared_order));
    cosmi_map_free(&order.map);
    return done ? COSM_OK : load_fail_memory(job);
}
