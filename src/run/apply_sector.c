// What commands do to sector components.
//
// It is folded to one change per entity and component. Before anything is done there is room for
// all records, and every object whose making may fail has been made aside: doing it only moves them
// in.
#include "store/managed.h"
#include "store/sector_set.h"

#include "base/bits.h"
#include "run/apply.h"

static cosm_result sector_fail_memory(const struct apply_plan *plan) {
    return cosmi_fail_memory(plan->batch->sink, &plan->batch->memory, plan->call);
}

// Adding after removing gives the default.
static cosm_result fold_sector(struct apply_plan *plan, struct change *change,
                               const struct value_type *type, enum sector_op_kind kind,
                               const void *value) {
    struct sector_op *op = change->sector_ops;
    while (op != NULL && op->type != type) {
        op = op->next;
    }
    if (op == NULL) {
        op = cosmi_arena_alloc(plan->arena, sizeof(*op), _Alignof(struct sector_op));
        if (op == NULL) {
            return sector_fail_memory(plan);
        }
        *op = (struct sector_op){change->sector_ops, type, kind, value, NULL};
        change->sector_ops = op;
        return COSM_OK;
    }
    if (kind == SECTOR_ADD) {
        op->kind = op->kind == SECTOR_REMOVE ? SECTOR_FRESH : op->kind;
    } else {
        op->kind = kind;
        op->value = value;
    }
    return COSM_OK;
}

cosm_result cosmi_sector_fold_set(struct apply_plan *plan, struct change *change,
                                  const struct value_type *type, const void *value) {
    return fold_sector(plan, change, type, SECTOR_SET, value);
}

cosm_result cosmi_sector_fold(struct apply_plan *plan, struct change *change,
                              const uint32_t *components, uint32_t count,
                              enum sector_op_kind kind) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        const struct value_type *type = schema_component(plan->batch->schema, components[i]);
        if (type->storage == COSM_STORAGE_SECTOR) {
            result = fold_sector(plan, change, type, kind, NULL);
        }
    }
    return result;
}

// Makes an object aside where making it may fail. Values of commands that are objects are held by
// them already.
static cosm_result make_aside(struct apply_plan *plan, const struct change *change,
                              struct sector_op *op) {
    const struct value_type *type = op->type;
    if (op->kind == SECTOR_SET && type->is_object) {
        return COSM_OK;
    }
    bool is_there = cosmi_sector_value(plan->batch, change->world, type, change->entity) != NULL;
    if (!cosmi_sector_has_make(type) || (op->kind == SECTOR_ADD && is_there)) {
        return COSM_OK;
    }
    char *bytes = cosmi_arena_alloc(plan->arena, type->size + type->alignment, 16);
    if (bytes == NULL) {
        return sector_fail_memory(plan);
    }
    uintptr_t at = align_up((uintptr_t)bytes, type->alignment);
    void *object = bytes + (at - (uintptr_t)bytes);
    cosm_result result = cosmi_sector_make(plan->batch, plan->call, type, object, op->value);
    op->made = result == COSM_OK ? object : NULL;
    return result;
}

static void unmake_all(const struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        for (struct sector_op *op = plan->changes[i]->sector_ops; op != NULL; op = op->next) {
            if (op->made != NULL) {
                cosmi_sector_unmake(op->type, op->made);
                op->made = NULL;
            }
        }
    }
}

cosm_result cosmi_sector_plan(struct apply_plan *plan) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < plan->change_count && result == COSM_OK; i++) {
        struct change *change = plan->changes[i];
        for (struct sector_op *op = change->sector_ops; op != NULL && result == COSM_OK;
             op = op->next) {
            result = op->kind == SECTOR_REMOVE ? COSM_OK : make_aside(plan, change, op);
        }
    }
    if (result != COSM_OK) {
        unmake_all(plan);
    }
    return result;
}

// Records that the entities of one world get, by group.
struct record_counts {
    uint32_t *counts;
    uint32_t group_count;
};

static cosm_result count_record(struct apply_plan *plan, struct record_counts *counts,
                                cosm_world world, const struct change *change,
                                const struct sector_op *op) {
    cosm_result result = cosmi_sector_need(world, plan->call, op->type);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t group = cosmi_sector_group_id(op->type);
    if (group >= counts->group_count) { // it was made just now
        uint32_t count = group + 1;
        uint32_t *grown =
            cosmi_arena_alloc(plan->arena, count * sizeof(*grown), _Alignof(uint32_t));
        if (grown == NULL) {
            return sector_fail_memory(plan);
        }
        memset(grown, 0, count * sizeof(*grown));
        if (counts->group_count > 0) {
            memcpy(grown, counts->counts, counts->group_count * sizeof(*grown));
        }
        *counts = (struct record_counts){grown, count};
    }
    return cosmi_sector_room(world, plan->call, op->type, change->entity, &counts->counts[group]);
}

cosm_result cosmi_sector_make_room(struct apply_plan *plan) {
    struct record_counts counts = {NULL, 0};
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < plan->change_count && result == COSM_OK; i++) {
        const struct change *change = plan->changes[i];
        if (i > 0 && change->world != plan->changes[i - 1]->world && counts.group_count > 0) {
            memset(counts.counts, 0, counts.group_count * sizeof(*counts.counts));
        }
        const struct sector_op *op = change->sector_ops;
        for (; op != NULL && result == COSM_OK; op = op->next) {
            if (op->kind != SECTOR_REMOVE) {
                result = count_record(plan, &counts, batch_world(plan->batch, change->world),
                                      change, op);
            }
        }
    }
    return result;
}

static void do_sector_op(struct apply_plan *plan, cosm_world world, cosm_entity entity,
                         struct sector_op *op) {
    const struct value_type *type = op->type;
    plan->report.written += op->kind == SECTOR_SET;
    if (op->kind == SECTOR_FRESH) {
        cosmi_sector_renew(world, plan->call, type, entity, op->made);
        op->made = NULL;
        return;
    }
    if (op->kind == SECTOR_REMOVE) {
        (void)cosmi_sector_remove(world, plan->call, type, entity);
    }
    if (op->made != NULL) {
        cosmi_sector_adopt(world, plan->call, type, entity, op->made, op->kind == SECTOR_SET);
        op->made = NULL;
        return;
    }
    if (op->kind == SECTOR_SET && type->is_object) {
        struct held_object *held = (struct held_object *)(uintptr_t)op->value;
        cosmi_sector_adopt(world, plan->call, type, entity, held->object, true);
        held->object = NULL;
        return;
    }
    if (op->kind != SECTOR_REMOVE) {
        cosm_result result = cosmi_sector_add(world, plan->call, type, entity, op->value);
        INVARIANT(result == COSM_OK, "there is room, and no hook to say no");
        (void)result;
    }
}

// The room that was made is used, or not needed any more.
void cosmi_sector_end(struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        for (const struct sector_op *op = change->sector_ops; op != NULL; op = op->next) {
            cosmi_sector_room_end(batch_world(plan->batch, change->world), op->type);
        }
    }
}

void cosmi_sector_do(struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        for (struct sector_op *op = change->sector_ops; op != NULL; op = op->next) {
            do_sector_op(plan, batch_world(plan->batch, change->world), change->entity, op);
        }
    }
}
