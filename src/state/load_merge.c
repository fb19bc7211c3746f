// Tables of a file that become one here: the engine does not know what told them apart, or their
// shared values are equal now. Groups of shared values have new numbers then, and new words about
// their order (state/shared_order.h).
#include <stdlib.h>

#include "base/hash.h"
#include "state/load.h"
#include "state/shared_order.h"

static bool is_value(const void *context, uint32_t index, const void *key) {
    const struct object *known = ((const struct load_world *)context)->values[index];
    const struct object *object = key;
    return known->type == object->type && value_is_equal(known->type, known->bytes, object->bytes);
}

// The number of a shared value in the world; MAP_NONE when out of memory.
static uint32_t number_value(struct load_world *world, const struct object *object) {
    uint64_t hash = cosmi_shared_hash(object->type, object->bytes);
    uint32_t number = cosmi_map_find(&world->value_map, hash, is_value, world, object);
    if (number == MAP_NONE && cosmi_map_reserve(&world->value_map)) {
        number = world->value_count++;
        world->values[number] = object;
        cosmi_map_insert(&world->value_map, hash, number);
    }
    return number;
}

// The values that the rows of a table share, as objects, in the order of the archetype.
static cosm_result make_shared_values(struct load_job *job, struct load_world *world,
                                      struct load_table *table) {
    uint32_t count = table->archetype->shared_count + 1;
    table->objects = cosmi_arena_alloc(&job->world_arena, count * sizeof(*table->objects), 16);
    table->numbers = cosmi_arena_alloc(&job->world_arena, count * sizeof(*table->numbers), 16);
    if (table->objects == NULL || table->numbers == NULL) {
        table->objects = NULL;
        return load_fail_memory(job);
    }
    memset(table->objects, 0, count * sizeof(*table->objects));
    uint32_t at = 0;
    for (uint32_t m = 0; m < table->set->member_count; m++) {
        const struct load_member *member = &table->set->members[m];
        const struct value_type *type = job->types[member->type].type;
        struct load_value value = {NULL, 0};
        if (member->storage == COSM_STORAGE_SHARED) {
            value = table->shared[at++];
        }
        if (member->storage != COSM_STORAGE_SHARED || type == NULL) {
            continue;
        }
        struct object *object = cosmi_load_object(job, member->type, value);
        if (object == NULL) {
            return cosm_error_result();
        }
        uint32_t slot = archetype_shared_slot(table->archetype, type->id);
        table->objects[slot] = object;
        table->numbers[slot] = job->is_merging ? number_value(world, object) : 0;
        if (table->numbers[slot] == MAP_NONE) {
            return load_fail_memory(job);
        }
    }
    return COSM_OK;
}

static bool is_target(const void *context, uint32_t index, const void *key) {
    const struct load_table *target = ((const struct load_world *)context)->targets[index];
    const struct load_table *table = key;
    size_t size = table->archetype->shared_count * sizeof(*table->numbers);
    return target->archetype == table->archetype &&
           memcmp(target->numbers, table->numbers, size) == 0;
}

// The table whose rows come before those of this one; NULL: it is a target itself. False when out
// of memory.
static bool find_target(struct load_world *world, const struct load_table *table,
                        struct load_table **out_target) {
    uint64_t hash = hash_u64(0, table->archetype->id);
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        hash = hash_u64(hash, table->numbers[i]);
    }
    uint32_t index = cosmi_map_find(&world->target_map, hash, is_target, world, table);
    *out_target = index == MAP_NONE ? NULL : world->targets[index];
    if (index == MAP_NONE && cosmi_map_reserve(&world->target_map)) {
        index = world->target_count;
        cosmi_map_insert(&world->target_map, hash, index);
    }
    return index != MAP_NONE;
}

// Room for as many targets and values as there may be.
static bool make_merge_lists(struct load_job *job, struct load_world *world) {
    size_t values = 1;
    for (uint32_t i = 0; i < world->table_count; i++) {
        values += world->tables[i].set->shared_count;
    }
    world->values = cosmi_arena_alloc(&job->world_arena, values * sizeof(*world->values), 16);
    world->targets = cosmi_arena_alloc(&job->world_arena,
                                       (world->table_count + 1) * sizeof(*world->targets), 16);
    return world->values != NULL && world->targets != NULL;
}

cosm_result cosmi_load_merge(struct load_job *job, struct load_world *world) {
    if (!make_merge_lists(job, world)) {
        return load_fail_memory(job);
    }
    for (uint32_t i = 0; i < world->table_count; i++) {
        struct load_table *table = &world->tables[i];
        struct load_table *target = NULL;
        table->archetype = cosmi_load_archetype(job, table->set);
        if (table->archetype == NULL || make_shared_values(job, world, table) != COSM_OK) {
            return cosm_error_result();
        }
        // A file that has an archetype twice for no reason is refused with its image.
        if (job->is_merging && !find_target(world, table, &target)) {
            return load_fail_memory(job);
        }
        table->last = table;
        table->total = table->count;
        if (target == NULL) {
            world->targets[world->target_count++] = table;
        } else {
            target->last->next = table;
            target->last = table;
            target->total += table->count;
        }
    }
    return COSM_OK;
}

void cosmi_load_merge_end(struct load_job *job, struct load_world *world) {
    for (uint32_t i = 0; i < world->table_count; i++) {
        const struct load_table *table = &world->tables[i];
        for (uint32_t v = 0; table->objects != NULL && v < table->archetype->shared_count; v++) {
            cosmi_object_release(job->order->memory, table->objects[v]);
        }
    }
    cosmi_map_free(&world->value_map);
    cosmi_map_free(&world->target_map);
}

// A value of a group. Sorted, those of one list of groups come one after the other.
struct share {
    uint32_t value;
    uint32_t archetype;
    uint32_t group;
    uint32_t *next; // the word that names the next group of the list
};

static int compare_shares(const void *a_pointer, const void *b_pointer) {
    const struct share *a = a_pointer;
    const struct share *b = b_pointer;
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    if (a->archetype != b->archetype) {
        return a->archetype < b->archetype ? -1 : 1;
    }
    return a->group < b->group ? -1 : a->group > b->group;
}

static void link_shares(struct share *shares, size_t count) {
    qsort(shares, count, sizeof(*shares), compare_shares);
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count || shares[i].value != shares[i + 1].value ||
                       shares[i].archetype != shares[i + 1].archetype;
        *shares[i].next = is_last ? GROUP_NONE : shares[i + 1].group;
    }
}

// The words of all groups, in the order of their numbers. `places`: groups so far, by archetype.
static void write_groups(const struct load_job *job, const struct load_world *world,
                         uint32_t *words, uint32_t *places, struct share *shares) {
    struct order_slots slots;
    slots.archetype = NULL;
    uint32_t group = 0;
    size_t count = 0;
    for (uint32_t t = 0; t < world->target_count; t++) {
        const struct load_table *table = world->targets[t];
        const struct archetype *archetype = table->archetype;
        if (archetype->shared_count == 0) {
            continue;
        }
        cosmi_order_slots(job->order->schema, archetype, &slots);
        *words++ = places[archetype->id]++;
        for (uint32_t i = 0; i < archetype->shared_count; i++) {
            uint32_t value = table->numbers[slots.slots[i]];
            *words++ = value;
            shares[count++] = (struct share){value, archetype->id, group, words++};
        }
        group++;
    }
    link_shares(shares, count);
}

// The words of groups whose tables were merged, into a part that has room for them.
static cosm_result merge_words(struct load_job *job, const struct load_world *world,
                               uint32_t groups, size_t pairs, uint32_t *words) {
    size_t place_count = paged_count(&job->order->schema->archetypes);
    uint32_t *places = cosmi_arena_alloc(&job->world_arena, place_count * sizeof(*places), 16);
    struct share *shares = cosmi_arena_alloc(&job->world_arena, pairs * sizeof(*shares), 16);
    if (places == NULL || shares == NULL) {
        return load_fail_memory(job);
    }
    memset(places, 0, place_count * sizeof(*places));
    words[0] = groups;
    words[1] = world->value_count;
    words[2] = 0; // no number is free
    write_groups(job, world, words + ORDER_HEAD_WORDS, places, shares);
    return COSM_OK;
}

cosm_result cosmi_load_merge_groups(struct load_job *job, struct load_world *world) {
    uint32_t groups = 0;
    size_t pairs = 0;
    for (uint32_t i = 0; i < world->target_count; i++) {
        uint32_t shared_count = world->targets[i]->archetype->shared_count;
        groups += shared_count > 0;
        pairs += shared_count;
    }
    if (groups == 0) {
        return COSM_OK;
    }
    size_t count = ORDER_HEAD_WORDS + groups + 2 * pairs;
    struct part head = {.kind = PART_GROUPS, .groups = {.count = (uint32_t)count}};
    struct part *part = cosmi_load_part(job, &head, world);
    if (part == NULL || !cosmi_part_fill(job->order->memory, part)) {
        return load_fail_memory(job);
    }
    return merge_words(job, world, groups, pairs, blob_fill(part->blobs[0]));
}
