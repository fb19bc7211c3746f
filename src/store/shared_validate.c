// The invariants of shared values, walked; and their audit.
#include "base/hash.h"
#include "store/shared.h"

static cosm_result shared_broken(const struct cosm_batch *batch, const char *call, uint32_t world,
                                 const char *what, uint64_t value, uint64_t expected) {
    return cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                      "%s: world %u: %s: %llu, expected %llu; this is a defect of the library: "
                      "please report it",
                      call, world, what, (unsigned long long)value, (unsigned long long)expected);
}

// Entities of the world whose record leads to rows with the value.
static uint64_t recount_value(const struct cosm_batch *batch, uint32_t world,
                              const struct shared_value *value) {
    const struct world *inner = &batch->worlds[world];
    uint64_t count = 0;
    for (uint32_t id = 0; id < inner->used; id++) {
        const struct record *record = &inner->records[id];
        if ((record->gen & 1) != 0 && record->table >= GROUP_FIRST) {
            const struct store *store = cosmi_shared_find(batch, world, record->table);
            count += store != NULL && cosmi_store_shared(store, value->type->id) == value;
        }
    }
    return count;
}

static cosm_result validate_value(const struct cosm_batch *batch, const char *call, uint32_t world,
                                  uint32_t index) {
    const struct shared *shared = world_shared(batch, world);
    const struct shared_value *value = shared->values[index];
    if (value->index != index || value->hash != cosmi_shared_hash(value->type, value->bytes)) {
        return shared_broken(batch, call, world, "a shared value stands in its place, unchanged",
                             value->index, index);
    }
    if (cosmi_shared_value(batch, world, value->type, value->bytes) != value) {
        return shared_broken(batch, call, world, "a shared value is found by its content", 0,
                             index);
    }
    uint64_t groups = 0;
    for (uint32_t i = 0; i < value->head_count; i++) {
        const struct group_head *head = &value->heads[i];
        for (const struct group *g = head->first; g != NULL; g = g->links[head->slot].next) {
            if (g->values[head->slot] != value || g->store->archetype != head->archetype) {
                return shared_broken(batch, call, world, "a group listed by a value has it",
                                     g->number, index);
            }
            groups++;
        }
    }
    if (groups != value->group_count || groups == 0) {
        return shared_broken(batch, call, world, "groups of a shared value", groups,
                             value->group_count);
    }
    uint64_t count = recount_value(batch, world, value);
    if (count != cosmi_shared_count(value) || count == 0) {
        return shared_broken(batch, call, world, "entities of a shared value", count,
                             cosmi_shared_count(value));
    }
    return COSM_OK;
}

static cosm_result validate_group(const struct cosm_batch *batch, const char *call, uint32_t world,
                                  const struct group *group) {
    const struct archetype *archetype = group->store->archetype;
    const struct store *base = batch_known_store(batch, archetype->id);
    const struct group_list *list = base->group_lists == NULL ? NULL : base->group_lists[world];
    if (list == NULL || group->place >= list->count || list->groups[group->place] != group) {
        return shared_broken(batch, call, world, "a group stands in the list of its archetype",
                             group->place, list == NULL ? 0 : list->count);
    }
    if (group->count == 0 || group->is_noted || base->counts[world] != 0) {
        return shared_broken(batch, call, world, "groups have rows, and their archetype none",
                             group->count, base->counts[world]);
    }
    uint64_t hash = archetype->id;
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        if (group->values[i]->type->id != archetype->shared[i]) {
            return shared_broken(batch, call, world, "a group has a value of each component",
                                 group->values[i]->type->id, archetype->shared[i]);
        }
        hash = hash_u64(hash, group->values[i]->hash);
    }
    if (hash != group->hash) {
        return shared_broken(batch, call, world, "the hash of a group", hash, group->hash);
    }
    return COSM_OK;
}

cosm_result cosmi_shared_validate(const struct cosm_batch *batch, uint32_t world,
                                  const char *call) {
    const struct shared *shared = world_shared(batch, world);
    cosm_result result = COSM_OK;
    uint32_t live = 0;
    for (uint32_t i = 0; shared != NULL && i < shared->value_count && result == COSM_OK; i++) {
        result = validate_value(batch, call, world, i);
    }
    for (uint32_t i = 0; shared != NULL && i < shared->group_count && result == COSM_OK; i++) {
        if (shared->groups[i] != NULL) {
            result = validate_group(batch, call, world, shared->groups[i]);
            live++;
        }
    }
    if (result == COSM_OK && shared != NULL && live + shared->free_count != shared->group_count) {
        return shared_broken(batch, call, world, "groups in use and free", live,
                             shared->group_count - shared->free_count);
    }
    return result;
}
