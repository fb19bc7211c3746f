// Changes of all rows that match: whole tables at a time.
//
// Planned first and done afterwards: the plan forms the archetypes, checks every table and makes
// all room, so that doing cannot fail. Where neither side has shared values, one move stands for
// all worlds; groups are the world's own, and so are their moves.
#include "base/hash.h"
#include "query/walk.h"
#include "store/event.h"
#include "store/managed.h"
#include "store/shared.h"

#define WORLD_ALL 0xFFFFFFFFu

// One table, or that of one archetype in every world, and where its rows go.
struct bulk_move {
    struct store *source;
    struct store *target;                // the source itself where nothing changes
    const struct transition *transition; // NULL in that case
    uint32_t world;                      // WORLD_ALL: every one
    uint32_t target_index;               // in the plan's list, where there is a transition
};

// A table that rows come to.
struct bulk_target {
    struct store *store;
    uint64_t rows;       // that come, in the world at hand
    uint32_t next_plain; // the next one that is no group
};

#define TARGET_NONE 0xFFFFFFFFu

// Moves for all worlds first, then those of single worlds, world by world. Sources and targets of
// moves are apart: a target has what its sources lack, or the reverse, or another value.
struct bulk_plan {
    struct memory *memory;
    struct bulk_move *moves;
    uint32_t count;
    uint32_t capacity;
    uint32_t common_count; // moves for all worlds
    struct bulk_target *targets;
    uint32_t target_count;
    uint32_t target_capacity;
    uint32_t first_plain; // of the targets that are no groups: there are as few as archetypes
    uint32_t plain_count;
    struct map plain; // these by store, where they are more than PLAIN_SEARCHED
};

// Among so many a search is faster than a map is made.
#define PLAIN_SEARCHED 16u

static uint64_t target_hash(const struct store *store) {
    return hash_u64(0, store->archetype->id);
}

static bool is_target(const void *context, uint32_t index, const void *key) {
    return ((const struct bulk_plan *)context)->targets[index].store == key;
}

// The number of a target, or TARGET_NONE where it is not listed yet. A group knows its own, of
// whatever plan; so it is looked at whether it is true.
static uint32_t find_target(const struct bulk_plan *plan, const struct store *store) {
    if (store->group != NULL) {
        uint32_t index = store->group->planned;
        bool is_true = index < plan->target_count && plan->targets[index].store == store;
        return is_true ? index : TARGET_NONE;
    }
    if (plan->plain_count > PLAIN_SEARCHED) {
        return cosmi_map_find(&plan->plain, target_hash(store), is_target, plan, store);
    }
    uint32_t index = plan->first_plain;
    while (index != TARGET_NONE && plan->targets[index].store != store) {
        index = plan->targets[index].next_plain;
    }
    return index;
}

// Enters a plain target that is listed, or all of them once they are many. False when out of
// memory.
static bool enter_plain(struct bulk_plan *plan, uint32_t index) {
    if (++plan->plain_count <= PLAIN_SEARCHED) {
        return true;
    }
    bool done = true;
    bool is_first = plan->plain.count == 0;
    for (uint32_t t = index; t != TARGET_NONE && done; t = plan->targets[t].next_plain) {
        done = cosmi_map_reserve(&plan->plain);
        if (done) {
            cosmi_map_insert(&plan->plain, target_hash(plan->targets[t].store), t);
        }
        if (!is_first) {
            break;
        }
    }
    return done;
}

// Lists a target. False when out of memory.
static bool keep_target(struct bulk_plan *plan, struct store *store) {
    struct bulk_target *targets =
        cosmi_array_grow(plan->memory, plan->targets, &plan->target_capacity,
                         plan->target_count + 1, sizeof(*targets));
    if (targets == NULL) {
        return false;
    }
    plan->targets = targets;
    uint32_t index = plan->target_count++;
    targets[index] = (struct bulk_target){store, 0, plan->first_plain};
    if (store->group != NULL) {
        store->group->planned = index;
    } else {
        plan->first_plain = index;
    }
    return store->group != NULL || enter_plain(plan, index);
}

static cosm_result plan_keep(struct bulk_plan *plan, const struct sink *sink, const char *call,
                             struct bulk_move move) {
    struct bulk_move *moves = cosmi_array_grow(plan->memory, plan->moves, &plan->capacity,
                                               plan->count + 1, sizeof(*moves));
    plan->moves = moves == NULL ? plan->moves : moves;
    bool is_new = move.transition != NULL && find_target(plan, move.target) == TARGET_NONE;
    if (moves == NULL || (is_new && !keep_target(plan, move.target))) {
        return cosmi_fail_memory(sink, plan->memory, call);
    }
    move.target_index = move.transition == NULL ? TARGET_NONE : find_target(plan, move.target);
    moves[plan->count++] = move;
    return COSM_OK;
}

// The moves of one world: the common ones, and [first, end) of the others.
struct world_moves {
    const struct bulk_plan *plan;
    uint32_t first;
    uint32_t end;
};

static const struct bulk_move *world_move(const struct world_moves *list, uint32_t index) {
    uint32_t common = list->plan->common_count;
    return &list->plan->moves[index < common ? index : index - common + list->first];
}

static uint32_t world_move_count(const struct world_moves *list) {
    return list->plan->common_count + list->end - list->first;
}

// Makes room in the targets of one world for the rows that come to them.
static cosm_result plan_room(const struct world_moves *list, cosm_world world, const char *call) {
    struct bulk_target *targets = list->plan->targets;
    uint32_t count = world_move_count(list);
    for (uint32_t t = list->plan->first_plain; t != TARGET_NONE; t = targets[t].next_plain) {
        targets[t].rows = 0; // of the world before
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct bulk_move *move = world_move(list, i);
        if (move->transition != NULL) {
            targets[move->target_index].rows += move->source->counts[world.index];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct bulk_move *move = world_move(list, i);
        uint64_t rows = move->transition == NULL ? 0 : targets[move->target_index].rows;
        cosm_result result =
            rows == 0 ? COSM_OK : cosmi_rows_make_rows(world, call, move->target, rows);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

// Makes room for events of one world.
static cosm_result plan_events(const struct world_moves *list, cosm_world world,
                               const struct bulk_change *change) {
    struct event_need need = {0, 0, 0, 0};
    uint32_t count = world.batch->events == NULL ? 0 : world_move_count(list);
    for (uint32_t i = 0; i < count; i++) {
        const struct bulk_move *move = world_move(list, i);
        uint32_t rows = move->source->counts[world.index];
        if (move->transition != NULL) {
            cosmi_event_need(&need, move->source->archetype, move->target->archetype, rows, 1);
        }
        if (change->kind == BULK_SET) {
            // Rows that come to a table before its own turn are set once more with the others.
            uint64_t times = move->transition != NULL ? 2 : 1;
            cosmi_event_need_set(&need, move->target->archetype, rows * times, times);
        }
    }
    return cosmi_event_reserve(world, change->call, &need);
}

static cosm_result plan_all_room(const struct bulk_plan *plan, cosm_worlds worlds,
                                 const struct bulk_change *change) {
    struct world_moves list = {plan, plan->common_count, plan->common_count};
    cosm_result result = COSM_OK;
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count && result == COSM_OK; w++) {
        list.first = list.end;
        while (list.end < plan->count && plan->moves[list.end].world == w) {
            list.end++;
        }
        result = plan_room(&list, batch_world(worlds.batch, w), change->call);
        if (result == COSM_OK) {
            result = plan_events(&list, batch_world(worlds.batch, w), change);
        }
    }
    return result;
}

static bool has_rows(const struct store *store, cosm_worlds worlds) {
    for (uint32_t w = 0; store != NULL && w < worlds.count; w++) {
        if (store->counts[worlds.first + w] > 0) {
            return true;
        }
    }
    return false;
}

// Where the rows of an archetype go; *out_transition is NULL where they keep their set.
static cosm_result plan_transition(struct cosm_batch *batch, const struct bulk_change *change,
                                   struct archetype *archetype,
                                   const struct transition **out_transition) {
    return cosmi_schema_change(batch->schema, change->call, archetype, change->components,
                               change->component_count, change->kind != BULK_REMOVE,
                               out_transition);
}

// The move of one table of one world, where shared values are involved.
static cosm_result plan_table(struct bulk_plan *plan, cosm_world world,
                              const struct bulk_change *change, struct store *source,
                              const struct transition *transition) {
    struct cosm_batch *batch = world.batch;
    struct archetype *archetype = transition == NULL ? source->archetype : transition->target;
    cosm_value value = {{change->components[0]}, change->value};
    uint32_t value_count = change->kind == BULK_SET ? 1 : 0;
    struct store *target =
        cosmi_shared_store(world, change->call, archetype, source, &value, value_count);
    if (target != NULL && target != source && transition == NULL) {
        transition = cosmi_schema_self(batch->schema, change->call, archetype);
    }
    if (target == NULL || (target != source && transition == NULL)) {
        return cosm_error_result();
    }
    struct bulk_move move = {.source = source,
                             .target = target,
                             .transition = target == source ? NULL : transition,
                             .world = world.index};
    return plan_keep(plan, batch->sink, change->call, move);
}

// Does the change lead to or from tables of shared values?
static bool is_grouped_change(const struct archetype *archetype,
                              const struct transition *transition) {
    return archetype->shared_count > 0 ||
           (transition != NULL && transition->target->shared_count > 0);
}

static cosm_result plan_common(struct bulk_plan *plan, const cosm_query *query, cosm_worlds worlds,
                               const struct bulk_change *change) {
    struct cosm_batch *batch = worlds.batch;
    cosm_result result = COSM_OK;
    for (struct match *m = match_first(query); m != NULL && result == COSM_OK; m = match_next(m)) {
        struct store *source = batch_store(batch, m->archetype_id);
        if (m->is_grouped || !has_rows(source, worlds)) {
            continue;
        }
        struct bulk_move move = {.source = source, .target = source, .world = WORLD_ALL};
        result = plan_transition(batch, change, source->archetype, &move.transition);
        if (result != COSM_OK || is_grouped_change(source->archetype, move.transition)) {
            continue;
        }
        if (move.transition != NULL) {
            move.target = cosmi_batch_make_store(batch, change->call, move.transition->target);
            result = move.target == NULL ? cosm_error_result() : COSM_OK;
        }
        result = result == COSM_OK ? plan_keep(plan, batch->sink, change->call, move) : result;
    }
    plan->common_count = plan->count;
    return result;
}

static cosm_result plan_world(struct bulk_plan *plan, const cosm_query *query, cosm_world world,
                              const struct bulk_change *change) {
    cosm_result result = COSM_OK;
    for (struct match *m = match_first(query); m != NULL && result == COSM_OK; m = match_next(m)) {
        const struct store *table = cosmi_match_table(query, m, world.batch, world.index, NULL);
        const struct transition *transition = NULL;
        if (table != NULL) {
            result = plan_transition(world.batch, change, m->archetype, &transition);
        }
        if (!is_grouped_change(m->archetype, transition)) {
            continue;
        }
        while (table != NULL && result == COSM_OK) {
            result = plan_table(plan, world, change, (struct store *)table, transition);
            table = cosmi_match_table(query, m, world.batch, world.index, table);
        }
    }
    return result;
}

// May any table that the query matches, or that its rows go to, have shared values?
static bool may_have_groups(const cosm_query *query, const struct cosm_batch *batch,
                            const struct bulk_change *change) {
    for (uint32_t i = 0; i < change->component_count; i++) {
        const struct value_type *type = schema_component(batch->schema, change->components[i]);
        if (type->storage == COSM_STORAGE_SHARED) {
            return true;
        }
    }
    const struct match *match = match_first(query);
    while (match != NULL && !match->is_grouped) {
        match = match_next(match);
    }
    return match != NULL;
}

// Copies the object of a set for all rows that get it, world by world. On failure none is left.
static cosm_result plan_objects(const struct bulk_plan *plan, cosm_worlds worlds,
                                const struct bulk_change *change) {
    struct schema *schema = worlds.batch->schema;
    const struct value_type *type = change->kind == BULK_SET && schema_managed_count(schema) > 0
                                        ? schema_component(schema, change->components[0])
                                        : NULL;
    if (type == NULL || type->storage != COSM_STORAGE_MANAGED) {
        return COSM_OK;
    }
    cosm_result result = COSM_OK;
    uint32_t done = 0;
    for (; done < worlds.count && result == COSM_OK; done++) {
        cosm_world world = batch_world(worlds.batch, worlds.first + done);
        for (uint32_t i = 0; i < plan->count && result == COSM_OK; i++) {
            const struct bulk_move *move = &plan->moves[i];
            bool is_here = move->world == WORLD_ALL || move->world == world.index;
            uint32_t count = is_here ? move->source->counts[world.index] : 0;
            result = count == 0
                         ? COSM_OK
                         : cosmi_managed_prepare(world, change->call, type, count, change->value);
        }
    }
    while (result != COSM_OK && done > 0) {
        cosmi_managed_unprepare(batch_world(worlds.batch, worlds.first + --done), type);
    }
    return result;
}

static void notify_set(cosm_world world, struct store *store, uint32_t component, uint32_t row,
                       uint32_t count) {
    if ((store_sides(store) & ~SIDE_MANAGED) != 0) {
        cosmi_side_set(world, store, component, row, count);
    }
}

static void do_move(cosm_world world, const struct bulk_change *change,
                    const struct bulk_move *move) {
    uint32_t count = move->source->counts[world.index];
    if (count == 0) {
        return;
    }
    uint32_t row = 0;
    if (move->transition != NULL) {
        row = move->target->counts[world.index];
        cosmi_rows_move_all(world, move->source, move->target, move->transition);
    }
    if (change->kind == BULK_SET) {
        const struct column_slot *slot =
            archetype_find(move->target->archetype, change->components[0]);
        if (slot_is_managed(move->target->archetype, slot)) {
            cosmi_managed_set_prepared(world, move->target, slot->column, row, count);
            notify_set(world, move->target, change->components[0], row, count);
            if (store_is_watched(move->target)) {
                cosmi_event_set(world, move->target, change->components[0], row, count);
            }
        } else {
            cosmi_rows_set_value(world, move->target, slot, row, count, change->value);
        }
    }
}

// Moves that stay in their table, or those that leave it.
static void do_some_moves(const struct bulk_plan *plan, cosm_worlds worlds,
                          const struct bulk_change *change, bool stay) {
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct bulk_move *move = &plan->moves[i];
        if ((move->transition == NULL) != stay) {
            continue;
        }
        if (move->world != WORLD_ALL) {
            do_move(batch_world(worlds.batch, move->world), change, move);
            continue;
        }
        for (uint32_t w = 0; w < worlds.count; w++) {
            do_move(batch_world(worlds.batch, worlds.first + w), change, move);
        }
    }
}

// Rows that stay come first: once others have come to their table, they are no longer told apart.
static void do_moves(const struct bulk_plan *plan, cosm_worlds worlds,
                     const struct bulk_change *change) {
    do_some_moves(plan, worlds, change, true);
    do_some_moves(plan, worlds, change, false);
}

static void settle_worlds(cosm_worlds worlds) {
    for (uint32_t w = 0; w < worlds.count; w++) {
        world_settle(batch_world(worlds.batch, worlds.first + w));
    }
}

cosm_result cosmi_bulk_change(const cosm_query *query, cosm_worlds worlds,
                              const struct bulk_change *change) {
    struct cosm_batch *batch = worlds.batch;
    struct bulk_plan plan = {.memory = &batch->memory, .first_plain = TARGET_NONE};
    cosmi_map_init(&plan.plain, plan.memory);
    cosm_result result = plan_common(&plan, query, worlds, change);
    bool has_groups = result == COSM_OK && may_have_groups(query, batch, change);
    for (uint32_t w = 0; has_groups && w < worlds.count && result == COSM_OK; w++) {
        result = plan_world(&plan, query, batch_world(batch, worlds.first + w), change);
    }
    if (result == COSM_OK) {
        result = plan_all_room(&plan, worlds, change);
    }
    if (result == COSM_OK) {
        result = plan_objects(&plan, worlds, change);
    }
    if (result == COSM_OK) {
        do_moves(&plan, worlds, change);
    }
    cosmi_array_free(plan.memory, plan.moves, plan.capacity, sizeof(*plan.moves));
    cosmi_array_free(plan.memory, plan.targets, plan.target_capacity, sizeof(*plan.targets));
    cosmi_map_free(&plan.plain);
    settle_worlds(worlds);
    return result;
}

cosm_result cosmi_bulk_reserve_despawn(const cosm_query *query, cosm_worlds worlds,
                                       const char *call) {
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < worlds.count && result == COSM_OK; w++) {
        cosm_world world = batch_world(worlds.batch, worlds.first + w);
        struct event_need need = {0, 0, 0, 0};
        for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
            const struct store *table = NULL;
            while ((table = cosmi_match_table(query, match, world.batch, world.index, table)) !=
                   NULL) {
                cosmi_event_need_end(&need, world.batch, table->archetype,
                                     table->counts[world.index], 1);
            }
        }
        result = cosmi_event_reserve(world, call, &need);
    }
    return result;
}

void cosmi_bulk_despawn(const cosm_query *query, cosm_worlds worlds) {
    struct cosm_batch *batch = worlds.batch;
    for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
        for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
            const struct store *table = cosmi_match_table(query, match, batch, w, NULL);
            while (table != NULL) {
                const struct store *next = cosmi_match_table(query, match, batch, w, table);
                cosmi_rows_clear(batch_world(batch, w), (struct store *)table);
                table = next;
            }
        }
    }
    settle_worlds(worlds);
}
