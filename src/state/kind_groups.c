// The order of shared values and groups as a part.
//
// The tables of an image have the values of their groups; the order of everything is in words of
// its own: state/shared_order.h. Restoring builds what the world's shared values become beside what
// they are, of new parts and of those that can stay: a value that the world has already, and a
// group of the same number, archetype and values, whose rows then need not move. What stays is not
// touched before all is built.
#include "base/hash.h"
#include "state/kind.h"
#include "state/shared_order.h"
#include "store/rows.h"

// What a part that is not in the world yet has as its number or index.
#define NOT_YET 0xFFFFFFFFu

static bool next_groups(cosm_world world, struct live_part *io_live) {
    struct shared *shared = world_shared(world.batch, world.index);
    INVARIANT(shared == NULL || shared->noted == NULL, "between calls no group waits to be freed");
    return live_once(io_live, shared != NULL && shared->group_count > 0 ? shared : NULL);
}

static void shape_groups(cosm_world world, const struct live_part *live, struct part *head) {
    (void)world;
    head->groups.count = (uint32_t)cosmi_shared_order_count(live->at);
}

static void share_words(const struct capture *capture, const struct live_part *live,
                        struct part *part, const struct part *base) {
    if (cosmi_shared_order_is(capture->world.batch->schema, live->at, base->blobs[0])) {
        part->blobs[0] = blob_retain(base->blobs[0]);
    }
}

static void fill_words(const struct capture *capture, const struct live_part *live,
                       const struct part *part, uint32_t i, void *out) {
    (void)part;
    (void)i;
    cosmi_shared_order_write(capture->world.batch->schema, live->at, out);
}

// What the world's shared values become. Invariants: of `made`, maps, values, groups and free
// numbers are as they will be; values[i] and groups[n] are the world's own, or new ones with
// NOT_YET as index or number; all heads and lists have room.
struct shared_plan {
    bool is_same; // the world's are just so: `made` is empty
    struct shared made;
    struct shared_order order;
    struct order_group *groups; // [group_count]
    uint32_t *head_counts;      // [value_count]
    struct shared *home;        // where `made` will be if the world has no shared values yet
};

// Room for the rows of a group.
static cosm_result make_group_rows(const struct restore *restore, const struct part *table,
                                   struct store *store) {
    uint32_t have = store->counts[restore->world.index];
    return cosmi_rows_make_rows(restore->world, restore->call, store,
                                table->table.count > have ? table->table.count - have : 0);
}

// Has a group of the world the archetype and the values of a table?
static bool has_group_of(const struct group *group, const struct part *table) {
    bool same = group != NULL && group->store->archetype == table->archetype;
    for (uint32_t i = 0; same && i < table->archetype->shared_count; i++) {
        const struct shared_value *value = group->values[i];
        same = value_is_equal(value->type, value->bytes, table->objects[i]->bytes);
    }
    return same;
}

// Are the world's groups, values and their orders those of the image?
static bool is_world_same(const struct restore *restore) {
    const struct cosm_batch *batch = restore->world.batch;
    const struct world_image *image = restore->image;
    const struct shared *shared = world_shared(batch, restore->world.index);
    if (shared == NULL ||
        !cosmi_shared_order_is(batch->schema, shared, image_only(image, PART_GROUPS)->blobs[0])) {
        return false;
    }
    bool same = true;
    for (uint32_t i = 0; same && i < image_count(image, PART_TABLE); i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        same = table_group(table) == GROUP_NONE ||
               has_group_of(shared->groups[table_group(table)], table);
    }
    return same;
}

// The lists of a plan, empty. False when out of memory.
static bool make_plan_lists(const struct restore *restore, struct shared_plan *plan) {
    const struct shared_order *order = &plan->order;
    struct memory *memory = &restore->world.batch->memory;
    struct shared *made = &plan->made;
    cosmi_map_init(&made->value_map, memory);
    cosmi_map_init(&made->group_map, memory);
    made->values = cosmi_array_grow(memory, NULL, &made->value_capacity, order->value_count,
                                    sizeof(*made->values));
    made->groups = cosmi_array_grow(memory, NULL, &made->group_capacity, order->group_count,
                                    sizeof(*made->groups));
    made->free_numbers = cosmi_array_grow(memory, NULL, &made->free_capacity, order->group_count,
                                          sizeof(*made->free_numbers));
    plan->groups = cosmi_memory_alloc_zeroed(memory, order->group_count * sizeof(*plan->groups),
                                             _Alignof(struct order_group));
    plan->head_counts = cosmi_memory_alloc_zeroed(
        memory, order->value_count * sizeof(*plan->head_counts), _Alignof(uint32_t));
    if (made->values == NULL || made->groups == NULL || made->free_numbers == NULL ||
        plan->groups == NULL || plan->head_counts == NULL) {
        return false;
    }
    made->value_count = order->value_count;
    made->group_count = order->group_count;
    made->free_count = order->free_count;
    memset(made->values, 0, order->value_count * sizeof(*made->values));
    memset(made->groups, 0, order->group_count * sizeof(*made->groups));
    memcpy(made->free_numbers, order->free_numbers, order->free_count * sizeof(uint32_t));
    bool is_good = cosmi_order_groups(restore->image, order, plan->groups);
    INVARIANT(is_good, "the words of an image were checked, or are those of a world");
    return is_good;
}

// The value with this index: the world's own where it has an equal one. NULL when out of memory.
static struct shared_value *plan_value(const struct restore *restore, struct shared_plan *plan,
                                       uint32_t index, const struct object *object) {
    struct shared *made = &plan->made;
    if (made->values[index] != NULL) {
        return made->values[index];
    }
    const struct shared *shared = world_shared(restore->world.batch, restore->world.index);
    uint64_t hash = cosmi_shared_hash(object->type, object->bytes);
    struct shared_value *value =
        shared == NULL ? NULL : shared_find_value(shared, object->type, object->bytes, hash);
    if (!cosmi_map_reserve(&made->value_map)) {
        return NULL;
    }
    if (value == NULL) {
        value = cosmi_shared_value_make(&restore->world.batch->memory, object->type, object->bytes,
                                        hash);
        if (value == NULL) {
            return NULL;
        }
        value->index = NOT_YET;
    }
    made->values[index] = value;
    cosmi_map_insert(&made->value_map, hash, index);
    return value;
}

// The group that the world has under a number, where it can stay.
static struct group *find_group(const struct restore *restore, const struct part *table,
                                struct shared_value *const *values) {
    const struct shared *shared = world_shared(restore->world.batch, restore->world.index);
    struct group *group = shared != NULL && table_group(table) < shared->group_count
                              ? shared->groups[table_group(table)]
                              : NULL;
    size_t size = table->archetype->shared_count * sizeof(*values);
    bool stays = group != NULL && group->store->archetype == table->archetype &&
                 memcmp(group->values, values, size) == 0;
    return stays ? group : NULL;
}

// The values of one group, and how many lists of groups each will have: as many as groups that no
// other one comes before.
static bool plan_values(const struct restore *restore, struct shared_plan *plan,
                        const struct order_group *group, const struct order_slots *slots,
                        struct shared_value **out_values) {
    const struct part *table = group->table;
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        uint32_t slot = slots->slots[i];
        uint32_t index = order_value(group->words, i);
        out_values[slot] = plan_value(restore, plan, index, table->objects[slot]);
        if (out_values[slot] == NULL) {
            return false;
        }
        plan->head_counts[index] += order_next(group->words, i) == GROUP_NONE ? 1 : 0;
    }
    return true;
}

static cosm_result plan_group(const struct restore *restore, struct shared_plan *plan,
                              const struct order_group *wanted, const struct order_slots *slots) {
    const struct part *table = wanted->table;
    struct cosm_batch *batch = restore->world.batch;
    struct shared_value *values[COSM_ARCHETYPE_COMPONENT_MAX];
    const struct store *base = batch_known_store(batch, table->archetype->id);
    if (!plan_values(restore, plan, wanted, slots, values) ||
        !cosmi_map_reserve(&plan->made.group_map) ||
        cosmi_group_list_reserve(restore->world, base, wanted->words[0] + 1) == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    uint64_t hash = table->archetype->id;
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        hash = hash_u64(hash, values[i]->hash);
    }
    struct group *group = find_group(restore, table, values);
    if (group == NULL) {
        group = cosmi_group_make(restore->world, table->archetype);
        if (group == NULL) {
            return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
        }
        group->number = NOT_YET;
        group->hash = hash;
        memcpy(group->values, values, table->archetype->shared_count * sizeof(*values));
    }
    plan->made.groups[table_group(table)] = group;
    cosmi_map_insert(&plan->made.group_map, hash, table_group(table));
    return make_group_rows(restore, table, group->store);
}

static cosm_result plan_groups(const struct restore *restore, struct shared_plan *plan) {
    struct order_slots slots = {.archetype = NULL};
    cosm_result result = COSM_OK;
    for (uint32_t n = 0; n < plan->order.group_count && result == COSM_OK; n++) {
        const struct order_group *group = &plan->groups[n];
        if (group->table != NULL) {
            cosmi_order_slots(restore->world.batch->schema, group->table->archetype, &slots);
            result = plan_group(restore, plan, group, &slots);
        }
    }
    return result;
}

// Room for the lists of groups of every value; that of the world's own stays as it is.
static bool plan_heads(const struct restore *restore, const struct shared_plan *plan) {
    for (uint32_t i = 0; i < plan->made.value_count; i++) {
        struct shared_value *value = plan->made.values[i];
        struct group_head *heads =
            cosmi_array_grow(&restore->world.batch->memory, value->heads, &value->head_capacity,
                             plan->head_counts[i], sizeof(*heads));
        if (heads == NULL) {
            return false;
        }
        value->heads = heads;
    }
    return true;
}

static cosm_result make_shared_plan(const struct restore *restore, struct shared_plan *plan) {
    struct cosm_batch *batch = restore->world.batch;
    bool has_home = world_shared(batch, restore->world.index) != NULL;
    if (!has_home) {
        plan->home =
            cosmi_memory_alloc(&batch->memory, sizeof(*plan->home), _Alignof(struct shared));
    }
    if ((!has_home && plan->home == NULL) || !make_plan_lists(restore, plan)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    cosm_result result = plan_groups(restore, plan);
    if (result == COSM_OK && !plan_heads(restore, plan)) {
        result = cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    return result;
}

// The world's own groups stay: only rows may be more.
static cosm_result make_rows_of_all(const struct restore *restore) {
    const struct shared *shared = world_shared(restore->world.batch, restore->world.index);
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; result == COSM_OK && i < image_count(restore->image, PART_TABLE); i++) {
        const struct part *table = image_part(restore->image, PART_TABLE, i);
        if (table_group(table) != GROUP_NONE) {
            result = make_group_rows(restore, table, shared->groups[table_group(table)]->store);
        }
    }
    return result;
}

static cosm_result reserve_groups(struct restore *restore, const struct part *part,
                                  struct restore_plan *slot) {
    struct cosm_batch *batch = restore->world.batch;
    struct shared_plan *plan =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*plan), _Alignof(struct shared_plan));
    if (plan == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    slot->groups = plan;
    plan->order = shared_order_read(part->blobs[0]);
    plan->is_same = is_world_same(restore);
    return plan->is_same ? make_rows_of_all(restore) : make_shared_plan(restore, plan);
}

static void free_shared_lists(struct memory *memory, struct shared *shared) {
    cosmi_map_free(&shared->value_map);
    cosmi_map_free(&shared->group_map);
    cosmi_array_free(memory, shared->values, shared->value_capacity, sizeof(*shared->values));
    cosmi_array_free(memory, shared->groups, shared->group_capacity, sizeof(*shared->groups));
    cosmi_array_free(memory, shared->free_numbers, shared->free_capacity,
                     sizeof(*shared->free_numbers));
}

static void free_shared_plan(struct memory *memory, struct shared_plan *plan) {
    cosmi_memory_free(memory, plan->groups, plan->order.group_count * sizeof(*plan->groups),
                      _Alignof(struct order_group));
    cosmi_memory_free(memory, plan->head_counts,
                      plan->order.value_count * sizeof(*plan->head_counts), _Alignof(uint32_t));
    cosmi_memory_free(memory, plan, sizeof(*plan), _Alignof(struct shared_plan));
}

static void cancel_groups(struct restore *restore, struct restore_plan *slot) {
    struct memory *memory = &restore->world.batch->memory;
    struct shared_plan *plan = slot->groups;
    if (plan == NULL) {
        return;
    }
    struct shared *made = &plan->made;
    for (uint32_t n = 0; n < made->group_count; n++) {
        if (made->groups[n] != NULL && made->groups[n]->number == NOT_YET) {
            cosmi_group_end(restore->world, made->groups[n]);
        }
    }
    for (uint32_t i = 0; i < made->value_count; i++) {
        if (made->values[i] != NULL && made->values[i]->index == NOT_YET) {
            cosmi_shared_value_end(memory, made->values[i]);
        }
    }
    if (!plan->is_same) {
        free_shared_lists(memory, made);
    }
    cosmi_memory_free(memory, plan->home, sizeof(*plan->home), _Alignof(struct shared));
    free_shared_plan(memory, plan);
}

// Ends all groups and values of the world that are not in `made`, NULL being none, and its lists.
static void end_old(cosm_world world, struct shared *shared, const struct shared *made) {
    struct cosm_batch *batch = world.batch;
    for (uint32_t n = 0; n < shared->group_count; n++) {
        struct group *group = shared->groups[n];
        if (group != NULL) {
            const struct store *base = batch_known_store(batch, group->store->archetype->id);
            base->group_lists[world.index]->count = 0;
            if (made == NULL || n >= made->group_count || made->groups[n] != group) {
                cosmi_group_end(world, group);
            }
        }
    }
    for (uint32_t i = 0; i < shared->value_count; i++) {
        shared->values[i]->index = NOT_YET;
    }
    for (uint32_t i = 0; made != NULL && i < made->value_count; i++) {
        made->values[i]->index = i;
    }
    for (uint32_t i = 0; i < shared->value_count; i++) {
        if (shared->values[i]->index == NOT_YET) {
            cosmi_shared_value_end(&batch->memory, shared->values[i]);
        }
    }
}

// Puts a group where its words say; its neighbours are linked when all have been.
static void place_group(cosm_world world, const struct shared *made, uint32_t number, uint32_t at) {
    struct group *group = made->groups[number];
    struct archetype *archetype = group->store->archetype;
    struct group_list *list =
        batch_known_store(world.batch, archetype->id)->group_lists[world.index];
    group->number = number;
    group->place = at;
    group->is_noted = false;
    group->noted = NULL;
    group->store->id = GROUP_FIRST + number;
    // What else was prepared may have set flags since a new group was made.
    atomic_fetch_or_explicit(&group->store->sides,
                             atomic_load_explicit(&world.batch->sides, memory_order_relaxed),
                             memory_order_relaxed);
    list->groups[at] = group;
    list->count++;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        group->links[i] = (struct group_link){NULL, NULL};
        group->values[i]->group_count++;
    }
}

static void link_group(const struct shared *made, struct group *group, const uint32_t *words,
                       const struct order_slots *slots) {
    for (uint32_t i = 0; i < slots->archetype->shared_count; i++) {
        uint32_t next = order_next(words, i);
        if (next != GROUP_NONE) {
            uint32_t slot = slots->slots[i];
            group->links[slot].next = made->groups[next];
            made->groups[next]->links[slot].previous = group;
        }
    }
}

// A group that no other one comes before begins a list of each such value.
static void head_group(struct group *group) {
    struct archetype *archetype = group->store->archetype;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        if (group->links[i].previous == NULL) {
            struct shared_value *value = group->values[i];
            INVARIANT(value->head_count < value->head_capacity, "room was made for all heads");
            value->heads[value->head_count++] = (struct group_head){archetype, i, group};
        }
    }
}

// Groups and values as the words say. All lists are empty, and there is room.
static void arrange_groups(const struct restore *restore, const struct shared_plan *plan,
                           const struct shared *made) {
    for (uint32_t i = 0; i < made->value_count; i++) {
        made->values[i]->index = i;
        made->values[i]->group_count = 0;
        made->values[i]->head_count = 0;
    }
    for (uint32_t n = 0; n < made->group_count; n++) {
        if (made->groups[n] != NULL) {
            place_group(restore->world, made, n, plan->groups[n].words[0]);
        }
    }
    struct order_slots slots = {.archetype = NULL};
    for (uint32_t n = 0; n < made->group_count; n++) {
        if (made->groups[n] != NULL) {
            cosmi_order_slots(restore->world.batch->schema, plan->groups[n].table->archetype,
                              &slots);
            link_group(made, made->groups[n], plan->groups[n].words, &slots);
        }
    }
    for (uint32_t n = 0; n < made->group_count; n++) {
        if (made->groups[n] != NULL) {
            head_group(made->groups[n]);
        }
    }
}

static void prune_groups(struct restore *restore) {
    struct shared *shared = world_shared(restore->world.batch, restore->world.index);
    if (shared == NULL || image_count(restore->image, PART_GROUPS) > 0) {
        return;
    }
    end_old(restore->world, shared, NULL);
    free_shared_lists(&restore->world.batch->memory, shared);
    struct map value_map = shared->value_map;
    struct map group_map = shared->group_map;
    *shared = (struct shared){.value_map = value_map, .group_map = group_map};
}

static void adopt_groups(struct restore *restore, const struct part *part,
                         struct restore_plan *slot) {
    struct cosm_batch *batch = restore->world.batch;
    struct shared_plan *plan = slot->groups;
    (void)part;
    if (!plan->is_same) {
        struct shared *shared = world_shared(batch, restore->world.index);
        if (shared != NULL) {
            end_old(restore->world, shared, &plan->made);
            free_shared_lists(&batch->memory, shared);
        } else {
            shared = plan->home;
            batch->besides[restore->world.index]->shared = shared;
            atomic_fetch_or_explicit(&batch->sides, SIDE_GROUP, memory_order_relaxed);
        }
        *shared = plan->made;
        arrange_groups(restore, plan, shared);
    }
    free_shared_plan(&batch->memory, plan);
}

const struct part_kind cosmi_kind_groups = {
    .next = next_groups,
    .shape = shape_groups,
    .share = share_words,
    .fill = fill_words,
    .reserve = reserve_groups,
    .cancel = cancel_groups,
    .prune = prune_groups,
    .adopt = adopt_groups,
    .fault = cosmi_groups_fault,
};
