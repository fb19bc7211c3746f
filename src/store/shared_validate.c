// The invariants of shared values, walked, and their counts made anew.
#include "base/hash.h"
#include "store/shared.h"

static cosm_result shared_broken(const struct cosm_batch *batch, uint32_t world, const char *what,
                                 uint64_t value, uint64_t expected) {
    return cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                      "cosm_batch_validate: world %u: %s: %llu, expected %llu; this is a defect of "
                      "the library: please report it",
                      world, what, (unsigned long long)value, (unsigned long long)expected);
}

static cosm_result validate_value(const struct cosm_batch *batch, uint32_t world, uint32_t index) {
    const struct shared *shared = world_shared(batch, world);
    const struct shared_value *value = shared->values[index];
    if (value->index != index || value->hash != cosmi_shared_hash(value->type, value->bytes)) {
        return shared_broken(batch, world, "a shared value is in its slot, unchanged", value->index,
                             index);
    }
    if (cosmi_shared_value(batch, world, value->type, value->bytes) != value) {
        return shared_broken(batch, world, "a shared value is found by its content", 0, index);
    }
    uint64_t groups = 0;
    for (uint32_t i = 0; i < value->head_count; i++) {
        const struct group_head *head = &value->heads[i];
        for (const struct group *g = head->first; g != NULL; g = g->links[head->slot].next) {
            if (g->values[head->slot] != value || g->store->archetype != head->archetype) {
                return shared_broken(batch, world, "a group listed by a value has it", g->number,
                                     index);
            }
            groups++;
        }
    }
    if (groups != value->group_count || groups == 0) {
        return shared_broken(batch, world, "groups of a shared value", groups, value->group_count);
    }
    return COSM_OK;
}

// Rows of a group that the records of their entities lead to.
static uint32_t recount_group(const struct cosm_batch *batch, uint32_t world,
                              const struct group *group) {
    const struct world *inner = &batch->worlds[world];
    const struct store *store = group->store;
    uint32_t count = 0;
    for (uint32_t row = 0; row < group->count; row++) {
        const cosm_entity *entity = store_entities(store, world, row);
        const struct record *record =
            entity->id < inner->used ? &inner->records[entity->id] : &(struct record){0, 0, 0};
        count += record->gen == entity->gen && record->table == store->id && record->row == row;
    }
    return count;
}

// Living entities whose records lead to tables of shared values.
static uint64_t recount_world(const struct cosm_batch *batch, uint32_t world) {
    const struct world *inner = &batch->worlds[world];
    uint64_t count = 0;
    for (uint32_t id = 0; id < inner->used; id++) {
        count += (inner->records[id].gen & 1) != 0 && inner->records[id].table >= GROUP_FIRST;
    }
    return count;
}

static cosm_result validate_group(const struct cosm_batch *batch, uint32_t world,
                                  const struct group *group) {
    const struct archetype *archetype = group->store->archetype;
    const struct store *base = batch_known_store(batch, archetype->id);
    const struct group_list *list = base->group_lists == NULL ? NULL : base->group_lists[world];
    if (list == NULL || group->place >= list->count || list->groups[group->place] != group) {
        return shared_broken(batch, world, "a group is in the list of its archetype", group->place,
                             list == NULL ? 0 : list->count);
    }
    uint32_t number = group->number;
    if (group->store->id != GROUP_FIRST + number ||
        cosmi_shared_find(batch, world, group->store->id) != group->store) {
        return shared_broken(batch, world, "a group is found by its number", group->store->id,
                             GROUP_FIRST + number);
    }
    if (group->count == 0 || group->is_noted || base->counts[world] != 0) {
        return shared_broken(batch, world, "groups have rows, and their archetype none",
                             group->count, base->counts[world]);
    }
    uint32_t rows = recount_group(batch, world, group);
    if (rows != group->count) {
        return shared_broken(batch, world, "entities of a group whose records lead to it", rows,
                             group->count);
    }
    uint64_t hash = archetype->id;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        if (group->values[i]->type->id != archetype->shared[i]) {
            return shared_broken(batch, world, "a group has a value of each component",
                                 group->values[i]->type->id, archetype->shared[i]);
        }
        hash = hash_u64(hash, group->values[i]->hash);
    }
    if (hash != group->hash) {
        return shared_broken(batch, world, "the hash of a group", hash, group->hash);
    }
    return COSM_OK;
}

// What is counted anew: every row of every group is the place of the entity in it, there are no
// further entities in groups, and the values' lists have every group once for each of its values.
struct recount {
    uint64_t groups;
    uint64_t rows;
    uint64_t uses; // of values, by groups
    uint64_t listed;
};

static cosm_result validate_sums(const struct cosm_batch *batch, uint32_t world,
                                 const struct recount *sum) {
    const struct shared *shared = world_shared(batch, world);
    if (sum->groups + shared->free_count != shared->group_count) {
        return shared_broken(batch, world, "groups in use and free", sum->groups,
                             shared->group_count - shared->free_count);
    }
    if (sum->uses != sum->listed) {
        return shared_broken(batch, world, "values of all groups", sum->listed, sum->uses);
    }
    uint64_t entities = recount_world(batch, world);
    if (entities != sum->rows) {
        return shared_broken(batch, world, "entities with shared values", entities, sum->rows);
    }
    return COSM_OK;
}

cosm_result cosmi_shared_validate(const struct cosm_batch *batch, uint32_t world) {
    const struct shared *shared = world_shared(batch, world);
    struct recount sum = {0, 0, 0, 0};
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; shared != NULL && i < shared->value_count && result == COSM_OK; i++) {
        result = validate_value(batch, world, i);
        sum.listed += shared->values[i]->group_count;
    }
    for (uint32_t i = 0; shared != NULL && i < shared->group_count && result == COSM_OK; i++) {
        const struct group *group = shared->groups[i];
        if (group != NULL) {
            result = validate_group(batch, world, group);
            sum.groups++;
            sum.rows += group->count;
            sum.uses += group->store->archetype->shared_count;
        }
    }
    return result != COSM_OK || shared == NULL ? result : validate_sums(batch, world, &sum);
}
