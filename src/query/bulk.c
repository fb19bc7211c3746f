// Changes of all rows that match: whole tables at a time.
//
// Planned first and done afterwards: the plan forms the archetypes, checks every table and makes
// all room, so that doing cannot fail.
#include "query/walk.h"

#include "store/event.h"

// One archetype, and where its rows go in every world.
struct bulk_move {
    struct store *source;
    struct store *target;                // the source itself where the set does not change
    const struct transition *transition; // NULL in that case
    uint32_t target_number;              // the first move with the same target
};

// Sources and targets of moves are apart: a target has what its sources lack, or the reverse.
struct bulk_plan {
    struct memory *memory;
    struct bulk_move *moves;
    uint32_t count;
    uint32_t capacity;
};

static cosm_result plan_keep(struct bulk_plan *plan, const struct sink *sink, const char *call,
                             struct bulk_move move) {
    struct bulk_move *moves = cosmi_array_grow(plan->memory, plan->moves, &plan->capacity,
                                               plan->count + 1, sizeof(*moves));
    if (moves == NULL) {
        return cosmi_fail_memory(sink, plan->memory, call);
    }
    plan->moves = moves;
    moves[plan->count++] = move;
    return COSM_OK;
}

// Gives every target a number, so that the rows that come to it can be added up.
static void number_targets(struct bulk_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t first = 0;
        while (plan->moves[first].target != plan->moves[i].target) {
            first++;
        }
        plan->moves[i].target_number = first;
    }
}

// Makes room in the targets of one world for the rows that come to them. `rows` is scratch.
static cosm_result plan_room(const struct bulk_plan *plan, struct place place, const char *call,
                             uint64_t *rows) {
    for (uint32_t i = 0; i < plan->count; i++) {
        rows[i] = 0;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct bulk_move *move = &plan->moves[i];
        if (move->transition != NULL) {
            rows[move->target_number] += move->source->counts[place.index];
        }
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        if (rows[i] > 0) {
            cosm_result result = cosmi_rows_make_rows(place, call, plan->moves[i].target, rows[i]);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

// Makes room for what observers are told of one world.
static cosm_result plan_events(const struct bulk_plan *plan, struct place place,
                               const struct bulk_change *change) {
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t i = 0; place.batch->events != NULL && i < plan->count; i++) {
        const struct bulk_move *move = &plan->moves[i];
        uint32_t rows = move->source->counts[place.index];
        if (move->transition != NULL) {
            cosmi_event_need(&need, move->source->archetype, move->target->archetype, rows, 1);
        }
        if (change->kind == BULK_SET) {
            // Rows that come to a table before its own turn are set once more with the others.
            uint64_t times = move->transition != NULL ? 2 : 1;
            cosmi_event_need_set(&need, move->target->archetype, rows * times, times);
        }
    }
    return cosmi_event_reserve(place, change->call, &need);
}

static cosm_result plan_all_room(struct bulk_plan *plan, cosm_worlds worlds,
                                 const struct bulk_change *change) {
    const char *call = change->call;
    size_t size = plan->count * sizeof(uint64_t);
    uint64_t *rows = size == 0 ? NULL : cosmi_memory_take(plan->memory, size, sizeof(*rows));
    if (size > 0 && rows == NULL) {
        return cosmi_fail_memory(worlds.batch->sink, plan->memory, call);
    }
    number_targets(plan);
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < worlds.count && result == COSM_OK; w++) {
        struct place place = batch_place(worlds.batch, worlds.first + w);
        result = plan_room(plan, place, call, rows);
        if (result == COSM_OK) {
            result = plan_events(plan, place, change);
        }
    }
    cosmi_memory_give(plan->memory, rows, size, sizeof(*rows));
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

static cosm_result plan_archetype(struct bulk_plan *plan, cosm_worlds worlds,
                                  const struct bulk_change *change, struct store *source) {
    struct cosm_batch *batch = worlds.batch;
    struct schema *schema = batch->schema;
    bool add = change->kind != BULK_REMOVE;
    struct bulk_move move = {source, source, NULL, 0};
    cosm_result result =
        cosmi_schema_change(schema, change->call, source->archetype, change->components,
                            change->component_count, add, &move.transition);
    if (result == COSM_OK && move.transition != NULL) {
        move.target = cosmi_batch_make_store(batch, change->call, move.transition->target);
        result = move.target == NULL ? cosm_error_result() : COSM_OK;
    }
    return result != COSM_OK ? result : plan_keep(plan, batch->sink, change->call, move);
}

static void do_move(struct place place, const struct bulk_change *change,
                    const struct bulk_move *move) {
    uint32_t count = move->source->counts[place.index];
    if (count == 0) {
        return;
    }
    uint32_t row = 0;
    if (move->transition != NULL) {
        row = move->target->counts[place.index];
        cosmi_rows_move_all(place, move->source, move->target, move->transition);
    }
    if (change->kind == BULK_SET) {
        const struct column_slot *slot =
            archetype_find(move->target->archetype, change->components[0]);
        cosmi_rows_set_value(place, move->target, slot, row, count, change->value);
    }
}

cosm_result cosmi_bulk_change(const cosm_query *query, cosm_worlds worlds,
                              const struct bulk_change *change) {
    struct cosm_batch *batch = worlds.batch;
    struct bulk_plan plan = {&batch->memory, NULL, 0, 0};
    cosm_result result = COSM_OK;
    struct match *match = match_first(query);
    for (; match != NULL && result == COSM_OK; match = match_next(match)) {
        struct store *source = batch_store(batch, match->archetype_id);
        if (has_rows(source, worlds)) {
            result = plan_archetype(&plan, worlds, change, source);
        }
    }
    if (result == COSM_OK) {
        result = plan_all_room(&plan, worlds, change);
    }
    for (uint32_t i = 0; result == COSM_OK && i < plan.count; i++) {
        for (uint32_t w = 0; w < worlds.count; w++) {
            do_move(batch_place(batch, worlds.first + w), change, &plan.moves[i]);
        }
    }
    cosmi_array_free(plan.memory, plan.moves, plan.capacity, sizeof(*plan.moves));
    return result;
}

cosm_result cosmi_bulk_reserve_despawn(const cosm_query *query, cosm_worlds worlds,
                                       const char *call) {
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < worlds.count && result == COSM_OK; w++) {
        struct place place = batch_place(worlds.batch, worlds.first + w);
        struct event_need need = {0, 0, 0, 0};
        for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
            const struct store *store = batch_store(worlds.batch, match->archetype_id);
            if (store != NULL && store_is_watched(store)) {
                cosmi_event_need(&need, store->archetype, NULL, store->counts[place.index], 1);
            }
        }
        result = cosmi_event_reserve(place, call, &need);
    }
    return result;
}

void cosmi_bulk_despawn(const cosm_query *query, cosm_worlds worlds) {
    for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
        struct store *store = batch_store(worlds.batch, match->archetype_id);
        for (uint32_t w = 0; store != NULL && w < worlds.count; w++) {
            cosmi_rows_clear(batch_place(worlds.batch, worlds.first + w), store);
        }
    }
}
