// Planning an apply: fold the commands of each entity, group the moves, make all room.
#include "run/apply.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "store/event.h"
#include "store/managed.h"
#include "store/shared.h"

static cosm_result plan_fail_memory(const struct apply_plan *plan) {
    return cosmi_fail_memory(plan->batch->sink, &plan->batch->memory, plan->call);
}

void cosmi_apply_skip(struct apply_plan *plan, const struct command *command) {
    static const char *const verbs[] = {
        [COMMAND_SPAWN] = "spawn",
        [COMMAND_EMIT] = "emit",
        [COMMAND_DESPAWN] = "despawn",
        [COMMAND_ADD] = "add to",
        [COMMAND_REMOVE] = "remove from",
        [COMMAND_SET] = "set on",
        [COMMAND_PARENT] = "set the parent of",
    };
    if (command->kind == COMMAND_DESPAWN || command->kind == COMMAND_DESPAWN_TREE) {
        return;
    }
    plan->report.skipped++;
    (void)cosmi_fail(plan->batch->sink, COSM_STALE,
                     "%s: %s entity " COSM_ENTITY_FORMAT " of world %u: it is not alive at this "
                     "point (despawned before, by an earlier command, or by a reset); the command "
                     "is skipped",
                     plan->call, verbs[command->kind], COSM_ENTITY_PRINT(command->entity),
                     command->world);
}

static struct change *new_change(struct apply_plan *plan, const struct command *command) {
    struct change *change =
        cosmi_arena_alloc(plan->arena, sizeof(*change), _Alignof(struct change));
    if (plan->change_count == plan->change_capacity && !cosmi_apply_grow(plan)) {
        return NULL;
    }
    if (change != NULL) {
        *change = (struct change){.world = command->world,
                                  .order = plan->change_count,
                                  .entity = command->entity,
                                  .emitted = command->kind == COMMAND_EMIT};
        plan->changes[plan->change_count++] = change;
    }
    return change;
}

static uint32_t change_slot(const struct apply_plan *plan, const struct command *command) {
    return apply_slot(plan, command->world, command->entity);
}

struct change *cosmi_apply_find(const struct apply_plan *plan, const struct command *command) {
    struct change *change = plan->table[change_slot(plan, command)];
    while (change != NULL &&
           (change->world != command->world || change->entity.id != command->entity.id ||
            change->entity.gen != command->entity.gen)) {
        change = change->same_hash;
    }
    return change;
}

cosm_result cosmi_apply_resolve(struct apply_plan *plan, const struct command *command,
                                struct change **out_change) {
    struct cosm_batch *batch = plan->batch;
    struct world *world = &batch->worlds[command->world];
    *out_change = command->kind == COMMAND_EMIT ? NULL : cosmi_apply_find(plan, command);
    if (*out_change != NULL) {
        return COSM_OK;
    }
    struct record *record = directory_find(world, command->entity);
    bool begins =
        command->kind == COMMAND_EMIT ||
        (command->kind == COMMAND_SPAWN && cosmi_directory_is_reserved(world, command->entity));
    if (record == NULL && !begins) {
        cosmi_apply_skip(plan, command);
        return COSM_OK;
    }
    struct change *change = new_change(plan, command);
    if (change == NULL) {
        return plan_fail_memory(plan);
    }
    if (begins) {
        change->target = schema_archetype(batch->schema, command->subject);
    } else {
        change->from = world_store(batch, command->world, record->table);
        change->source = change->from->archetype;
        change->target = change->source;
    }
    if (!change->emitted) {
        struct change **slot = &plan->table[change_slot(plan, command)];
        change->same_hash = *slot;
        *slot = change;
    }
    *out_change = change;
    return COSM_OK;
}

static void drop_write(struct change *change, uint32_t component) {
    for (struct write **at = &change->writes; *at != NULL; at = &(*at)->next) {
        if ((*at)->component == component) {
            *at = (*at)->next;
            return;
        }
    }
}

// At most one write per component stands: the last one.
static cosm_result put_write(struct apply_plan *plan, struct change *change, uint32_t component,
                             const void *value) {
    struct write *write = cosmi_arena_alloc(plan->arena, sizeof(*write), _Alignof(struct write));
    if (write == NULL) {
        return plan_fail_memory(plan);
    }
    drop_write(change, component);
    *write = (struct write){change->writes, component, value};
    change->writes = write;
    return COSM_OK;
}

// A value for a component, in its table or beside it.
static cosm_result fold_value(struct apply_plan *plan, struct change *change, uint32_t component,
                              const void *value) {
    const struct value_type *type = schema_component(plan->batch->schema, component);
    if (type->storage == COSM_STORAGE_SECTOR) {
        return cosmi_sector_fold_set(plan, change, type, value);
    }
    if (type->is_object && type->storage != COSM_STORAGE_MANAGED) {
        // Copied from where it is held, which ends with the commands.
        value = ((const struct held_object *)value)->object;
    }
    return put_write(plan, change, component, value);
}

static cosm_result fold_set(struct apply_plan *plan, struct change *change,
                            const uint32_t *components, uint32_t count, bool add) {
    const struct transition *transition;
    cosm_result result = cosmi_schema_change(plan->batch->schema, plan->call, change->target,
                                             components, count, add, &transition);
    if (result == COSM_OK && transition != NULL) {
        change->target = transition->target;
    }
    return result;
}

// Adding what was removed before gives the default, not the value that the row still holds.
static cosm_result fold_add(struct apply_plan *plan, struct change *change,
                            const uint32_t *components, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool held = change->source != NULL && archetype_find(change->source, components[i]) != NULL;
        if (held && archetype_find(change->target, components[i]) == NULL) {
            cosm_result result = put_write(plan, change, components[i], NULL);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    cosm_result result = cosmi_sector_fold(plan, change, components, count, SECTOR_ADD);
    return result != COSM_OK ? result : fold_set(plan, change, components, count, true);
}

static cosm_result fold_remove(struct apply_plan *plan, struct change *change,
                               const uint32_t *components, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        drop_write(change, components[i]);
    }
    cosm_result result = cosmi_sector_fold(plan, change, components, count, SECTOR_REMOVE);
    return result != COSM_OK ? result : fold_set(plan, change, components, count, false);
}

static cosm_result fold_values(struct apply_plan *plan, struct change *change,
                               const struct command *command) {
    const cosm_value *values = command->values;
    for (uint32_t i = 0; i < command->value_count; i++) {
        cosm_result result = fold_value(plan, change, values[i].component.id, values[i].data);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

static cosm_result fold_command(struct apply_plan *plan, const struct command *command) {
    struct change *change;
    cosm_result result = cosmi_apply_resolve(plan, command, &change);
    if (result != COSM_OK || change == NULL) {
        return result;
    }
    if (change->despawned) {
        cosmi_apply_skip(plan, command);
        return COSM_OK;
    }
    cosm_component subject = {command->subject};
    uint32_t count = 0;
    const uint32_t *components = NULL;
    if (command->kind >= COMMAND_ADD) {
        components = cosmi_schema_members(plan->batch->schema, plan->call, &subject, &count);
    }
    switch (command->kind) {
    case COMMAND_SPAWN:
    case COMMAND_EMIT:
        return fold_values(plan, change, command);
    case COMMAND_DESPAWN:
        change->despawned = true;
        change->writes = NULL;
        change->sector_ops = NULL;
        return cosmi_apply_leave(plan, command);
    case COMMAND_DESPAWN_TREE:
        return cosmi_apply_despawn_tree(plan, command);
    case COMMAND_PARENT:
        return cosmi_apply_parent(plan, command);
    case COMMAND_ADD:
        return fold_add(plan, change, components, count);
    case COMMAND_REMOVE:
        return fold_remove(plan, change, components, count);
    case COMMAND_SET:
        result = fold_add(plan, change, components, count);
        return result != COSM_OK ? result
                                 : fold_value(plan, change, command->subject, command->values);
    }
    return COSM_OK;
}

static int compare_changes(const void *a_pointer, const void *b_pointer) {
    const struct change *a = *(struct change *const *)a_pointer;
    const struct change *b = *(struct change *const *)b_pointer;
    if (a->world != b->world) {
        return a->world < b->world ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_move(const struct change *change) {
    return change->from != NULL && !change->despawned && change->to != change->from;
}

// Does one of the writes decide in which table of its archetype the entity will be?
static bool writes_shared(const struct apply_plan *plan, const struct change *change) {
    for (const struct write *w = change->writes; w != NULL; w = w->next) {
        if (schema_component(plan->batch->schema, w->component)->storage == COSM_STORAGE_SHARED) {
            return true;
        }
    }
    return false;
}

// The table for an entity whose archetype has shared values.
static struct store *find_group_table(struct apply_plan *plan, const struct change *change) {
    uint32_t count = 0;
    for (const struct write *w = change->writes; w != NULL; w = w->next) {
        count++;
    }
    cosm_value *values =
        cosmi_arena_alloc(plan->arena, (count + 1) * sizeof(*values), _Alignof(cosm_value));
    if (values == NULL) {
        (void)plan_fail_memory(plan);
        return NULL;
    }
    uint32_t at = 0;
    for (const struct write *w = change->writes; w != NULL; w = w->next) {
        values[at++] = (cosm_value){{w->component}, w->value};
    }
    return cosmi_shared_store(batch_world(plan->batch, change->world), plan->call, change->target,
                              change->from, values, count);
}

// Finds the table that every entity will be in.
static cosm_result find_tables(struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        struct change *change = plan->changes[i];
        if (change->despawned) {
            continue;
        }
        if (LIKELY(change->target->shared_count == 0)) {
            change->to = change->target == change->source
                             ? change->from
                             : cosmi_batch_make_store(plan->batch, plan->call, change->target);
        } else if (change->target == change->source && !writes_shared(plan, change)) {
            change->to = change->from;
        } else {
            change->to = find_group_table(plan, change);
        }
        if (change->to == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

// How the number of rows of one table develops while the plan is carried out.
struct tally {
    struct tally *same_hash;
    struct tally *next; // in the order in which they were met
    struct store *store;
    uint32_t world;
    bool is_source; // some group takes rows out of it
    uint64_t rows;
    uint64_t peak;
};

static uint32_t pair_slot(const struct apply_plan *plan, uint32_t world, const struct store *from,
                          const struct store *to) {
    uint64_t hash = hash_u64(hash_u64(world, (uintptr_t)from), (uintptr_t)to);
    return (uint32_t)hash & plan->table_mask;
}

// The tally of a table in a world, made when there is none. NULL, with a message, on failure.
static struct tally *find_tally(struct apply_plan *plan, uint32_t world, struct store *store) {
    struct tally *last = plan->last_tally;
    if (last != NULL && last->store == store && last->world == world) {
        return last;
    }
    struct tally **slot = &plan->tally_table[pair_slot(plan, world, store, NULL)];
    struct tally *tally = *slot;
    while (tally != NULL && (tally->store != store || tally->world != world)) {
        tally = tally->same_hash;
    }
    if (tally == NULL) {
        tally = cosmi_arena_alloc(plan->arena, sizeof(*tally), _Alignof(struct tally));
        if (tally == NULL) {
            (void)plan_fail_memory(plan);
            return NULL;
        }
        uint32_t rows = store->counts[world];
        *tally = (struct tally){*slot, plan->tallies, store, world, false, rows, rows};
        *slot = tally;
        plan->tallies = tally;
    }
    plan->last_tally = tally;
    return tally;
}

static bool is_group_of(const struct change_group *group, const struct change *change) {
    return group->from == change->from && group->to == change->to && group->world == change->world;
}

static struct change_group *new_group(struct apply_plan *plan, const struct change *change) {
    struct change_group *group =
        cosmi_arena_alloc(plan->arena, sizeof(*group), _Alignof(struct change_group));
    const struct transition *transition =
        cosmi_schema_transition(plan->batch->schema, plan->call, change->source, change->target);
    struct tally *source = find_tally(plan, change->world, change->from);
    struct tally *target = find_tally(plan, change->world, change->to);
    if (group == NULL || transition == NULL || source == NULL || target == NULL) {
        return NULL;
    }
    source->is_source = true;
    *group = (struct change_group){.world = change->world,
                                   .transition = transition,
                                   .from = change->from,
                                   .to = change->to,
                                   .source = source,
                                   .target = target};
    if (plan->last_group == NULL) {
        plan->groups = group;
    } else {
        plan->last_group->next = group;
    }
    plan->last_group = group;
    return group;
}

// Makes the tables by which tallies and groups are found. That of changes is done with, so groups
// take its place.
static cosm_result make_group_tables(struct apply_plan *plan) {
    size_t slots = (size_t)plan->table_mask + 1;
    plan->tally_table =
        cosmi_arena_alloc(plan->arena, slots * sizeof(*plan->tally_table), sizeof(void *));
    if (plan->tally_table == NULL) {
        return plan_fail_memory(plan);
    }
    memset(plan->tally_table, 0, slots * sizeof(*plan->tally_table));
    plan->group_table = (struct change_group **)(void *)plan->table;
    memset(plan->group_table, 0, slots * sizeof(*plan->group_table));
    return COSM_OK;
}

// Puts every move into the group of its world, source and target.
static cosm_result find_groups(struct apply_plan *plan) {
    struct change_group *group = NULL;
    for (uint32_t i = 0; i < plan->change_count; i++) {
        struct change *change = plan->changes[i];
        if (!is_move(change)) {
            continue;
        }
        if (group == NULL || !is_group_of(group, change)) {
            struct change_group **slot =
                &plan->group_table[pair_slot(plan, change->world, change->from, change->to)];
            group = *slot;
            while (group != NULL && !is_group_of(group, change)) {
                group = group->same_hash;
            }
            if (group == NULL) {
                group = new_group(plan, change);
                if (group == NULL) {
                    return plan_fail_memory(plan);
                }
                group->same_hash = *slot;
                *slot = group;
            }
        }
        change->group = group;
        group->count++;
    }
    return COSM_OK;
}

// Lists the changes of every group.
static cosm_result group_moves(struct apply_plan *plan) {
    cosm_result result = make_group_tables(plan);
    result = result == COSM_OK ? find_groups(plan) : result;
    if (result != COSM_OK) {
        return result;
    }
    uint32_t largest = 0;
    for (struct change_group *g = plan->groups; g != NULL; g = g->next) {
        g->changes = cosmi_arena_alloc(plan->arena, g->count * sizeof(*g->changes), sizeof(void *));
        if (g->changes == NULL) {
            return plan_fail_memory(plan);
        }
        largest = g->count > largest ? g->count : largest;
        g->count = 0;
    }
    for (uint32_t i = 0; i < plan->change_count; i++) {
        struct change_group *group = plan->changes[i]->group;
        if (group != NULL) {
            group->changes[group->count++] = plan->changes[i];
        }
    }
    plan->rows = cosmi_arena_alloc(plan->arena, largest * sizeof(*plan->rows), sizeof(uint32_t));
    return plan->rows == NULL ? plan_fail_memory(plan) : COSM_OK;
}

// Does a table get rows from one group and lose rows by another?
static bool groups_cross(const struct change_group *first, const struct change_group *end) {
    const struct change_group *group = first;
    while (group != end && !group->target->is_source) {
        group = group->next;
    }
    return group != end;
}

static cosm_result stage_groups(struct apply_plan *plan) {
    struct change_group *end;
    for (struct change_group *first = plan->groups; first != NULL; first = end) {
        end = first;
        while (end != NULL && end->world == first->world) {
            end = end->next;
        }
        bool staged = groups_cross(first, end);
        for (struct change_group *g = first; staged && g != end; g = g->next) {
            // One byte more, so that rows without bytes have a place too.
            size_t size = g->count * g->transition->target->row_size + 1;
            g->staged = cosmi_arena_alloc(plan->arena, size, 16);
            if (g->staged == NULL) {
                return plan_fail_memory(plan);
            }
        }
    }
    return COSM_OK;
}

static void tally_add(struct tally *tally, uint64_t rows) {
    tally->rows += rows;
    tally->peak = tally->rows > tally->peak ? tally->rows : tally->peak;
}

// Follows the moves in the order in which they are carried out: group by group, or out of all
// tables and then into them.
static void tally_groups(const struct apply_plan *plan) {
    for (struct change_group *g = plan->groups; g != NULL; g = g->next) {
        if (g->staged == NULL) {
            tally_add(g->target, g->count);
        }
        g->source->rows -= g->count;
    }
    for (struct change_group *g = plan->groups; g != NULL; g = g->next) {
        if (g->staged != NULL) {
            tally_add(g->target, g->count);
        }
    }
}

// Follows the rows of all tables through the plan, and makes room for the most that each will have:
// despawns come first, then moves, then spawns.
static cosm_result make_all_room(struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        if (change->despawned && change->from != NULL) {
            struct tally *tally = find_tally(plan, change->world, change->from);
            if (tally == NULL) {
                return COSM_ERROR_MEMORY;
            }
            tally->rows--;
        }
    }
    tally_groups(plan);
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        if (change->from == NULL && !change->despawned) {
            struct tally *tally = find_tally(plan, change->world, change->to);
            if (tally == NULL) {
                return COSM_ERROR_MEMORY;
            }
            tally_add(tally, 1);
        }
    }
    for (struct tally *t = plan->tallies; t != NULL; t = t->next) {
        cosm_result result = cosmi_rows_make_rows(batch_world(plan->batch, t->world), plan->call,
                                                  t->store, t->peak - t->store->counts[t->world]);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

typedef cosm_result object_visit(cosm_world world, const char *call, const struct value_type *type);

static cosm_result forget_count(cosm_world world, const char *call, const struct value_type *type) {
    (void)call;
    cosmi_managed_unplan(world, type);
    return COSM_OK;
}

// Calls `visit` for every object that a row gets.
static cosm_result visit_objects(const struct apply_plan *plan, object_visit *visit) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        for (const struct write *write = change->writes; write != NULL; write = write->next) {
            const struct value_type *type = schema_component(plan->batch->schema, write->component);
            if (write->value != NULL && type->storage == COSM_STORAGE_MANAGED) {
                cosm_result result =
                    visit(batch_world(plan->batch, change->world), plan->call, type);
                if (result != COSM_OK) {
                    return result;
                }
            }
        }
    }
    return COSM_OK;
}

// Makes room for all objects, by world and type: they are counted first.
static cosm_result make_object_room(const struct apply_plan *plan) {
    if (schema_managed_count(plan->batch->schema) == 0) {
        return COSM_OK;
    }
    cosm_result result = visit_objects(plan, cosmi_managed_plan);
    if (result == COSM_OK) {
        result = visit_objects(plan, cosmi_managed_plan_room);
    }
    (void)visit_objects(plan, forget_count);
    return result;
}

// Room for events of one change.
static void need_events(const struct apply_plan *plan, const struct change *change,
                        struct event_need *need) {
    const struct archetype *target = change->despawned ? NULL : change->target;
    if (change->despawned) {
        cosmi_event_need_end(need, plan->batch, change->source, 1, 1);
    } else if (change->from != change->to) {
        cosmi_event_need(need, change->source, target, 1, 1);
    }
    for (const struct write *write = change->writes; write != NULL; write = write->next) {
        cosmi_event_need_set(need, target, 1, 1);
    }
    for (const struct sector_op *op = change->sector_ops; op != NULL; op = op->next) {
        cosmi_event_need_sector(need, plan->batch, op->type, 3); // removed, added and set
    }
}

static cosm_result make_event_room(struct apply_plan *plan) {
    cosm_result result = COSM_OK;
    for (uint32_t begin = 0, end; begin < plan->change_count && result == COSM_OK; begin = end) {
        uint32_t world = plan->changes[begin]->world;
        struct event_need need = {0, 0, 0, 0};
        for (end = begin; end < plan->change_count && plan->changes[end]->world == world; end++) {
            need_events(plan, plan->changes[end], &need);
        }
        result = cosmi_event_reserve(batch_world(plan->batch, world), plan->call, &need);
    }
    return result;
}

static cosm_result make_tables(struct apply_plan *plan, uint32_t command_count) {
    size_t slots = power_of_two_ceil((size_t)command_count * 2 + 1);
    plan->table = cosmi_arena_alloc(plan->arena, slots * sizeof(*plan->table), sizeof(void *));
    plan->changes = cosmi_arena_alloc(plan->arena, (command_count + 1) * sizeof(*plan->changes),
                                      sizeof(void *));
    if (plan->table == NULL || plan->changes == NULL) {
        return plan_fail_memory(plan);
    }
    memset(plan->table, 0, slots * sizeof(*plan->table));
    plan->table_mask = (uint32_t)(slots - 1);
    plan->change_capacity = command_count + 1;
    return COSM_OK;
}

typedef cosm_result command_visit(struct apply_plan *plan, const struct command *command);

static cosm_result settle_command(struct apply_plan *plan, const struct command *command) {
    return cosmi_rows_settle(batch_world(plan->batch, command->world), plan->call);
}

static cosm_result visit_all(struct apply_plan *plan, const struct command_chain *chains,
                             uint32_t count, command_visit *visit) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count; i++) {
        const struct command *command = chains[i].first;
        for (uint32_t left = chains[i].count; left > 0 && result == COSM_OK; left--) {
            result = visit(plan, command);
            command = command->next;
        }
    }
    return result;
}

cosm_result cosmi_apply_plan(struct apply_plan *plan, const struct command_chain *chains,
                             uint32_t count) {
    uint32_t command_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        command_count += chains[i].count;
    }
    cosm_result result = visit_all(plan, chains, count, settle_command);
    if (result == COSM_OK) {
        result = make_tables(plan, command_count);
    }
    if (result == COSM_OK) {
        result = visit_all(plan, chains, count, fold_command);
    }
    if (result != COSM_OK) {
        return result;
    }
    qsort(plan->changes, plan->change_count, sizeof(*plan->changes), compare_changes);
    result = find_tables(plan);
    if (result == COSM_OK) {
        result = group_moves(plan);
    }
    if (result == COSM_OK) {
        result = stage_groups(plan);
    }
    if (result == COSM_OK) {
        result = make_all_room(plan);
    }
    if (result == COSM_OK) {
        result = cosmi_sector_make_room(plan);
    }
    if (result == COSM_OK) {
        result = make_object_room(plan);
    }
    if (result == COSM_OK && plan->batch->events != NULL) {
        result = make_event_room(plan);
    }
    return result == COSM_OK ? cosmi_sector_plan(plan) : result;
}
