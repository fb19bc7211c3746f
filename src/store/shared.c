// Shared values and the groups of rows that have them.
#include "store/shared.h"

#include "base/bits.h"
#include "base/hash.h"
#include "store/change.h"
#include "store/event.h"
#include "store/rows.h"

uint64_t cosmi_shared_hash(const struct value_type *type, const void *bytes) {
    uint64_t hash = type->lifecycle.hash != NULL
                        ? type->lifecycle.hash(type->lifecycle.context, bytes)
                        : cosmi_hash_bytes(0, bytes, type->size);
    return hash_u64(hash, type->id);
}

bool cosmi_shared_equals(const struct value_type *type, const void *a, const void *b) {
    return value_is_equal(type, a, b);
}

struct shared_value *cosmi_shared_value(const struct cosm_batch *batch, uint32_t world,
                                        const struct value_type *type, const void *bytes) {
    const struct shared *shared = world_shared(batch, world);
    return shared == NULL ? NULL
                          : shared_find_value(shared, type, bytes, cosmi_shared_hash(type, bytes));
}

// The bytes of a value stand behind its struct.
static size_t value_bytes_at(const struct value_type *type) {
    return align_up(sizeof(struct shared_value), type->alignment);
}

static size_t value_memory(const struct value_type *type) {
    return value_bytes_at(type) + type->size;
}

static size_t value_alignment(const struct value_type *type) {
    return type->alignment < _Alignof(struct shared_value) ? _Alignof(struct shared_value)
                                                           : type->alignment;
}

static bool copy_bytes(const struct value_type *type, void *bytes, const void *source) {
    if (type->lifecycle.copy != NULL) {
        return type->lifecycle.copy(type->lifecycle.context, bytes, source);
    }
    memcpy(bytes, source, type->size);
    return true;
}

struct shared_value *cosmi_shared_value_make(struct memory *memory, const struct value_type *type,
                                             const void *bytes, uint64_t hash) {
    struct shared_value *value =
        cosmi_memory_alloc_zeroed(memory, value_memory(type), value_alignment(type));
    if (value == NULL) {
        return NULL;
    }
    value->bytes = (char *)value + value_bytes_at(type);
    if (!copy_bytes(type, value->bytes, bytes)) {
        cosmi_memory_free(memory, value, value_memory(type), value_alignment(type));
        return NULL;
    }
    value->type = type;
    value->hash = hash;
    return value;
}

void cosmi_shared_value_end(struct memory *memory, struct shared_value *value) {
    const struct value_type *type = value->type;
    if (type->lifecycle.destroy != NULL) {
        type->lifecycle.destroy(type->lifecycle.context, value->bytes);
    }
    cosmi_array_free(memory, value->heads, value->head_capacity, sizeof(*value->heads));
    cosmi_memory_free(memory, value, value_memory(type), value_alignment(type));
}

// Copies a value that nobody has yet. NULL when out of memory.
static struct shared_value *make_value(struct memory *memory, struct shared *shared,
                                       const struct value_type *type, const void *bytes,
                                       uint64_t hash) {
    struct shared_value **values = cosmi_array_grow(memory, shared->values, &shared->value_capacity,
                                                    shared->value_count + 1, sizeof(*values));
    if (values == NULL) {
        return NULL;
    }
    shared->values = values;
    struct shared_value *value = cosmi_map_reserve(&shared->value_map)
                                     ? cosmi_shared_value_make(memory, type, bytes, hash)
                                     : NULL;
    if (value == NULL) {
        return NULL;
    }
    value->index = shared->value_count;
    values[shared->value_count++] = value;
    cosmi_map_insert(&shared->value_map, hash, value->index);
    return value;
}

// Frees a value that no group has. The last one of the list takes its place.
static void free_value(struct memory *memory, struct shared *shared, struct shared_value *value) {
    INVARIANT(value->group_count == 0 && value->head_count == 0, "nobody has the value");
    struct shared_value *last = shared->values[--shared->value_count];
    cosmi_map_remove(&shared->value_map, value->hash, value->index);
    if (last != value) {
        cosmi_map_remove(&shared->value_map, last->hash, last->index);
        last->index = value->index;
        shared->values[last->index] = last;
        cosmi_map_insert(&shared->value_map, last->hash, last->index);
    }
    cosmi_shared_value_end(memory, value);
}

const struct shared_value *cosmi_store_shared(const struct store *store, uint32_t component) {
    if (store->group == NULL) {
        return NULL;
    }
    uint32_t slot = archetype_shared_slot(store->archetype, component);
    return slot == store->archetype->shared_count ? NULL : store->group->values[slot];
}

uint32_t cosmi_shared_count(const struct shared_value *value) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->head_count; i++) {
        const struct group_head *head = &value->heads[i];
        for (const struct group *g = head->first; g != NULL; g = g->links[head->slot].next) {
            count += g->count;
        }
    }
    return count;
}

// The values that a group has, or should have.
struct group_key {
    struct archetype *archetype;
    uint64_t hash;
    struct shared_value *values[COSM_ARCHETYPE_COMPONENT_MAX]; // NULL: nobody has it yet
    const void *bytes[COSM_ARCHETYPE_COMPONENT_MAX];
    uint64_t hashes[COSM_ARCHETYPE_COMPONENT_MAX];
};

static bool group_equals(const void *context, uint32_t number, const void *key_pointer) {
    const struct shared *shared = context;
    const struct group_key *key = key_pointer;
    const struct group *group = shared->groups[number];
    return group->store->archetype == key->archetype &&
           memcmp(group->values, key->values,
                  key->archetype->shared_count * sizeof(*key->values)) == 0;
}

// The bytes that rows get of one shared component; *out_value is set where its value is known.
static const void *choose_bytes(const struct value_type *type, const struct store *source,
                                const cosm_value *values, uint32_t value_count,
                                struct shared_value **out_value) {
    *out_value = NULL;
    for (uint32_t i = value_count; i-- > 0;) { // the last one counts
        if (values[i].component.id == type->id) {
            return values[i].data;
        }
    }
    const struct shared_value *held = source == NULL ? NULL : cosmi_store_shared(source, type->id);
    *out_value = (struct shared_value *)held;
    return held != NULL ? held->bytes : NULL;
}

// Fills in which values rows should have. `zeroes` stands for a default of zeroes.
static void fill_key(cosm_world world, const struct store *source, const cosm_value *values,
                     uint32_t value_count, const void *zeroes, struct group_key *key) {
    const struct shared *shared = world_shared(world.batch, world.index);
    const struct archetype *archetype = key->archetype;
    key->hash = archetype->id;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        const struct value_type *type = schema_component(world.batch->schema, archetype->shared[i]);
        key->bytes[i] = choose_bytes(type, source, values, value_count, &key->values[i]);
        if (key->bytes[i] == NULL) {
            key->bytes[i] = type->default_value != NULL ? type->default_value : zeroes;
        }
        if (key->values[i] != NULL) {
            key->hashes[i] = key->values[i]->hash;
        } else {
            key->hashes[i] = cosmi_shared_hash(type, key->bytes[i]);
            key->values[i] = shared_find_value(shared, type, key->bytes[i], key->hashes[i]);
        }
        key->hash = hash_u64(key->hash, key->hashes[i]);
    }
}

static size_t group_memory(const struct archetype *archetype) {
    return sizeof(struct group) +
           archetype->shared_count * (sizeof(struct shared_value *) + sizeof(struct group_link));
}

// Makes room for one group more in the lists of the world. False when out of memory.
static bool reserve_group(struct memory *memory, struct shared *shared) {
    struct group **groups = cosmi_array_grow(memory, shared->groups, &shared->group_capacity,
                                             shared->group_count + 1, sizeof(*groups));
    shared->groups = groups == NULL ? shared->groups : groups;
    uint32_t *numbers = cosmi_array_grow(memory, shared->free_numbers, &shared->free_capacity,
                                         shared->group_count + 1, sizeof(*numbers));
    shared->free_numbers = numbers == NULL ? shared->free_numbers : numbers;
    return groups != NULL && numbers != NULL && cosmi_map_reserve(&shared->group_map);
}

// Makes the values of a key that nobody has yet, and room in each for the group. False when out of
// memory; values without a group are then freed by drop_values.
static bool make_values(cosm_world world, struct shared *shared, struct group_key *key) {
    struct memory *memory = &world.batch->memory;
    for (uint32_t i = 0; i < key->archetype->shared_count; i++) {
        if (key->values[i] == NULL) {
            const struct value_type *type =
                schema_component(world.batch->schema, key->archetype->shared[i]);
            key->values[i] = make_value(memory, shared, type, key->bytes[i], key->hashes[i]);
        }
        struct shared_value *value = key->values[i];
        if (value == NULL) {
            return false;
        }
        struct group_head *heads = cosmi_array_grow(memory, value->heads, &value->head_capacity,
                                                    value->head_count + 1, sizeof(*heads));
        if (heads == NULL) {
            return false;
        }
        value->heads = heads;
    }
    return true;
}

static void drop_values(struct memory *memory, struct shared *shared, const struct group_key *key) {
    for (uint32_t i = 0; i < key->archetype->shared_count; i++) {
        if (key->values[i] != NULL && key->values[i]->group_count == 0) {
            free_value(memory, shared, key->values[i]);
        }
    }
}

struct group *cosmi_group_make(cosm_world world, struct archetype *archetype) {
    struct cosm_batch *batch = world.batch;
    struct group *group =
        cosmi_memory_alloc_zeroed(&batch->memory, group_memory(archetype), _Alignof(struct group));
    if (group == NULL) {
        return NULL;
    }
    group->store =
        cosmi_store_create_one(batch_source(batch), archetype, group, &group->count, world.index);
    if (group->store == NULL) {
        cosmi_memory_free(&batch->memory, group, group_memory(archetype), _Alignof(struct group));
        return NULL;
    }
    uint32_t sides = atomic_load_explicit(&batch->sides, memory_order_relaxed) | archetype->sides;
    sides |= archetype->watch != NULL ? SIDE_EVENTS : 0;
    atomic_init(&group->store->sides, sides | SIDE_GROUP);
    group->links = (struct group_link *)(void *)&group->values[archetype->shared_count];
    if (!cosmi_change_adopt(batch, group->store)) {
        cosmi_store_destroy(batch_source(batch), group->store);
        cosmi_memory_free(&batch->memory, group, group_memory(archetype), _Alignof(struct group));
        return NULL;
    }
    return group;
}

void cosmi_group_end(cosm_world world, struct group *group) {
    struct cosm_batch *batch = world.batch;
    size_t size = group_memory(group->store->archetype);
    cosmi_store_destroy(batch_source(batch), group->store);
    cosmi_memory_free(&batch->memory, group, size, _Alignof(struct group));
}

static void link_value(struct group *group, uint32_t slot, struct shared_value *value) {
    struct archetype *archetype = group->store->archetype;
    struct group_head *head = value_find_head(value, archetype);
    if (head == NULL) {
        head = &value->heads[value->head_count++];
        *head = (struct group_head){archetype, slot, NULL};
    }
    group->values[slot] = value;
    group->links[slot] = (struct group_link){head->first, NULL};
    if (head->first != NULL) {
        head->first->links[slot].previous = group;
    }
    head->first = group;
    value->group_count++;
}

static void unlink_value(const struct group *group, uint32_t slot) {
    struct shared_value *value = group->values[slot];
    struct group_link link = group->links[slot];
    if (link.next != NULL) {
        link.next->links[slot].previous = link.previous;
    }
    if (link.previous != NULL) {
        link.previous->links[slot].next = link.next;
    } else {
        struct group_head *head = value_find_head(value, group->store->archetype);
        head->first = link.next;
        if (head->first == NULL) {
            *head = value->heads[--value->head_count];
        }
    }
    value->group_count--;
}

// Puts a new group into all lists; there is room.
static void keep_group(struct shared *shared, struct group_list *list, struct group *group,
                       const struct group_key *key) {
    group->is_first = shared->free_count == 0;
    group->number =
        group->is_first ? shared->group_count++ : shared->free_numbers[--shared->free_count];
    group->store->id = GROUP_FIRST + group->number;
    group->hash = key->hash;
    shared->groups[group->number] = group;
    cosmi_map_insert(&shared->group_map, group->hash, group->number);
    group->place = list->count;
    list->groups[list->count++] = group;
    for (uint32_t i = 0; i < key->archetype->shared_count; i++) {
        link_value(group, i, key->values[i]);
    }
}

static struct shared *make_shared(cosm_world world, const char *call) {
    struct cosm_batch *batch = world.batch;
    struct beside *beside = cosmi_batch_beside(batch, call, world.index);
    if (beside == NULL || beside->shared != NULL) {
        return beside == NULL ? NULL : beside->shared;
    }
    struct shared *shared =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*shared), _Alignof(struct shared));
    if (shared == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    cosmi_map_init(&shared->value_map, &batch->memory);
    cosmi_map_init(&shared->group_map, &batch->memory);
    atomic_fetch_or_explicit(&batch->sides, SIDE_GROUP, memory_order_relaxed);
    beside->shared = shared;
    return shared;
}

struct group_list *cosmi_group_list_reserve(cosm_world world, const struct store *base,
                                            uint32_t count) {
    struct memory *memory = &world.batch->memory;
    struct group_list **list = &base->group_lists[world.index];
    if (*list == NULL) {
        *list = cosmi_memory_alloc_zeroed(memory, sizeof(**list), _Alignof(struct group_list));
    }
    if (*list == NULL) {
        return NULL;
    }
    struct group **groups =
        cosmi_array_grow(memory, (*list)->groups, &(*list)->capacity, count, sizeof(*groups));
    if (groups == NULL) {
        return NULL;
    }
    (*list)->groups = groups;
    return *list;
}

static struct group *make_group(cosm_world world, struct shared *shared, const struct store *base,
                                struct group_key *key) {
    struct memory *memory = &world.batch->memory;
    const struct group_list *known = base->group_lists[world.index];
    struct group_list *list =
        cosmi_group_list_reserve(world, base, known == NULL ? 1 : known->count + 1);
    struct group *group = NULL;
    if (list != NULL && reserve_group(memory, shared) && make_values(world, shared, key)) {
        group = cosmi_group_make(world, key->archetype);
    }
    if (group == NULL) {
        drop_values(memory, shared, key);
        return NULL;
    }
    keep_group(shared, list, group, key);
    return group;
}

// Zeroes for the largest default that a shared component of the archetype may need; NULL when out
// of memory, or when none needs any.
static size_t zeroes_needed(const struct schema *schema, const struct archetype *archetype) {
    size_t most = 0;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        const struct value_type *type = schema_component(schema, archetype->shared[i]);
        most = type->default_value == NULL && type->size > most ? type->size : most;
    }
    return most;
}

struct store *cosmi_shared_store(cosm_world world, const char *call, struct archetype *archetype,
                                 const struct store *source, const cosm_value *values,
                                 uint32_t value_count) {
    struct cosm_batch *batch = world.batch;
    struct store *base = cosmi_batch_make_store(batch, call, archetype);
    if (base == NULL || archetype->shared_count == 0) {
        return base;
    }
    struct shared *shared = make_shared(world, call);
    if (shared == NULL) {
        return NULL;
    }
    static const _Alignas(64) char few[256];
    size_t size = zeroes_needed(batch->schema, archetype);
    void *taken = size > sizeof(few) ? cosmi_memory_alloc_zeroed(&batch->memory, size, 64) : NULL;
    struct group_key key; // filled in as far as it is used: all of it is 12 KiB
    key.archetype = archetype;
    struct group *group = NULL;
    if (size <= sizeof(few) || taken != NULL) {
        fill_key(world, source, values, value_count, taken != NULL ? taken : few, &key);
        uint32_t number = cosmi_map_find(&shared->group_map, key.hash, group_equals, shared, &key);
        group = number != MAP_NONE ? shared->groups[number] : make_group(world, shared, base, &key);
    }
    cosmi_memory_free(&batch->memory, taken, size, 64);
    if (group == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    // Until it has rows: whoever asked for it may yet fail.
    cosmi_group_note(world, group);
    return group->store;
}

struct store *cosmi_shared_find(const struct cosm_batch *batch, uint32_t world, uint32_t table) {
    const struct shared *shared = world_shared(batch, world);
    uint32_t number = table - GROUP_FIRST;
    bool exists = shared != NULL && number < shared->group_count && shared->groups[number] != NULL;
    return exists ? shared->groups[number]->store : NULL;
}

const struct store *cosmi_shared_table(const struct store *base, uint32_t world,
                                       const struct store *after) {
    if (base->group_lists == NULL) {
        return after == NULL ? base : NULL;
    }
    const struct group_list *list = base->group_lists[world];
    uint32_t place = after == NULL ? 0 : after->group->place + 1;
    return list == NULL || place >= list->count ? NULL : list->groups[place]->store;
}

struct store *cosmi_shared_next(const struct cosm_batch *batch, uint32_t world,
                                const struct store *store) {
    const struct shared *shared = world_shared(batch, world);
    uint32_t number = store == NULL || store->group == NULL ? 0 : store->group->number + 1;
    while (shared != NULL && number < shared->group_count && shared->groups[number] == NULL) {
        number++;
    }
    return shared == NULL || number >= shared->group_count ? NULL : shared->groups[number]->store;
}

void cosmi_group_note(cosm_world world, struct group *group) {
    if (!group->is_noted) {
        struct shared *shared = world_shared(world.batch, world.index);
        group->is_noted = true;
        group->noted = shared->noted;
        shared->noted = group;
    }
}

void cosmi_shared_note_all(cosm_world world) {
    const struct shared *shared = world_shared(world.batch, world.index);
    for (uint32_t i = 0; shared != NULL && i < shared->group_count; i++) {
        if (shared->groups[i] != NULL) {
            cosmi_group_note(world, shared->groups[i]);
        }
    }
}

static void free_group(cosm_world world, struct shared *shared, struct group *group) {
    struct cosm_batch *batch = world.batch;
    struct archetype *archetype = group->store->archetype;
    struct group_list *list = batch_known_store(batch, archetype->id)->group_lists[world.index];
    struct group *last = list->groups[--list->count];
    list->groups[group->place] = last;
    last->place = group->place;
    shared->groups[group->number] = NULL;
    // What a call that failed has made is taken back in the opposite order, numbers included: the
    // world is as it was, down to its exact hash.
    if (group->is_first && group->number + 1 == shared->group_count) {
        shared->group_count--;
    } else {
        shared->free_numbers[shared->free_count++] = group->number;
    }
    cosmi_map_remove(&shared->group_map, group->hash, group->number);
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        unlink_value(group, i);
        if (group->values[i]->group_count == 0) {
            free_value(&batch->memory, shared, group->values[i]);
        }
    }
    cosmi_group_end(world, group);
}

void cosmi_shared_collect(cosm_world world) {
    struct shared *shared = world_shared(world.batch, world.index);
    const struct event_log *log = event_log_of(world);
    if (log != NULL && log->record_count > 0) {
        return; // what is yet to be told names tables
    }
    while (shared != NULL && shared->noted != NULL) {
        struct group *group = shared->noted;
        shared->noted = group->noted;
        group->is_noted = false;
        group->is_first = group->is_first && group->count == 0;
        if (group->count == 0) {
            free_group(world, shared, group);
            world_data(world)->ids_dirty = true; // its ticks went with it
        }
    }
    if (shared != NULL && shared->free_count == shared->group_count) {
        // Numbers begin again: the next history is like the first one.
        shared->group_count = 0;
        shared->free_count = 0;
    }
}

void cosmi_world_shared_free(cosm_world world) {
    struct cosm_batch *batch = world.batch;
    struct shared *shared = world_shared(batch, world.index);
    if (shared == NULL) {
        return;
    }
    for (uint32_t i = 0; i < shared->group_count; i++) {
        if (shared->groups[i] != NULL) {
            free_group(world, shared, shared->groups[i]);
        }
    }
    cosmi_map_free(&shared->value_map);
    cosmi_map_free(&shared->group_map);
    cosmi_array_free(&batch->memory, shared->values, shared->value_capacity,
                     sizeof(*shared->values));
    cosmi_array_free(&batch->memory, shared->groups, shared->group_capacity,
                     sizeof(*shared->groups));
    cosmi_array_free(&batch->memory, shared->free_numbers, shared->free_capacity,
                     sizeof(*shared->free_numbers));
    cosmi_memory_free(&batch->memory, shared, sizeof(*shared), _Alignof(struct shared));
    batch->besides[world.index]->shared = NULL;
}

void cosmi_group_list_free(struct cosm_batch *batch, const struct store *base, uint32_t world) {
    struct group_list *list = base->group_lists == NULL ? NULL : base->group_lists[world];
    if (list != NULL) {
        INVARIANT(list->count == 0, "the groups of a list are freed first");
        cosmi_array_free(&batch->memory, list->groups, list->capacity, sizeof(*list->groups));
        cosmi_memory_free(&batch->memory, list, sizeof(*list), _Alignof(struct group_list));
        base->group_lists[world] = NULL;
    }
}

void cosmi_shared_trim(cosm_world world) {
    struct cosm_batch *batch = world.batch;
    const struct shared *shared = world_shared(batch, world.index);
    if (shared != NULL && shared->group_count == 0) {
        cosmi_world_shared_free(world);
        for (struct store *s = batch_first_store(batch); s != NULL; s = store_next(s)) {
            cosmi_group_list_free(batch, s, world.index);
        }
        return;
    }
    for (uint32_t i = 0; shared != NULL && i < shared->group_count; i++) {
        if (shared->groups[i] != NULL) {
            cosmi_store_trim(batch_source(batch), shared->groups[i]->store, world.index);
        }
    }
}

size_t cosmi_world_shared_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct shared *shared = world_shared(batch, world);
    if (shared == NULL) {
        return 0;
    }
    size_t used = sizeof(*shared) +
                  (shared->value_map.capacity + (size_t)shared->group_map.capacity) *
                      sizeof(struct map_slot) +
                  shared->value_capacity * sizeof(*shared->values) +
                  shared->group_capacity * sizeof(*shared->groups) +
                  shared->free_capacity * sizeof(*shared->free_numbers);
    for (uint32_t i = 0; i < shared->value_count; i++) {
        const struct shared_value *value = shared->values[i];
        used += value_memory(value->type) + value->head_capacity * sizeof(*value->heads);
    }
    for (uint32_t i = 0; i < shared->group_count; i++) {
        if (shared->groups[i] != NULL) {
            const struct store *store = shared->groups[i]->store;
            used += group_memory(store->archetype) + cosmi_store_one_size() +
                    cosmi_store_used(&batch->memory, store, world);
        }
    }
    for (const struct store *s = batch_first_store(batch); s != NULL; s = store_next(s)) {
        const struct group_list *list = s->group_lists == NULL ? NULL : s->group_lists[world];
        used += list == NULL ? 0 : sizeof(*list) + list->capacity * sizeof(*list->groups);
    }
    return used;
}

size_t cosmi_shared_live_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct shared *shared = world_shared(batch, world);
    size_t live = 0;
    for (uint32_t i = 0; shared != NULL && i < shared->value_count; i++) {
        live += shared->values[i]->type->size;
    }
    return live;
}
