// Changes of all rows that match: whole tables at a time.
//
// Planned first and done afterwards: the plan forms the archetypes, checks every table and makes
// all room, so that doing cannot fail.
#include "query/walk.h"

// One archetype, and where its rows go in every world.
struct bulk_move {
    struct store *source;
    struct store *target;                // the source itself where the set does not change
    const struct transition *transition; // NULL in that case
};

// Sources and targets of moves are apart: a target has what its sources lack, or the reverse.
struct bulk_plan {
    struct memory *memory;
    struct bulk_move *moves;
    uint32_t count;
    uint32_t capacity;
};

struct archetype *cosmi_change_target(struct schema *schema, const char *call,
                                      struct archetype *source, const uint32_t *components,
                                      uint32_t count, bool add) {
    uint32_t changes = 0;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((archetype_find(source, components[i]) != NULL) != add) {
            changes++;
            changed = components[i];
        }
    }
    if (changes == 0) {
        return source;
    }
    if (source->temporary) {
        (void)cosmi_fail(
            schema->sink, COSM_ERROR_ARGUMENT,
            "%s: archetype %u '%s' is temporary and matches the query: its rows cannot "
            "%s component '%s'; leave it out with a COSM_TERM_WITHOUT term",
            call, source->id, source->name, add ? "add" : "remove",
            schema_component(schema, changed)->name);
        return NULL;
    }
    if (source->sealed) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_SEALED,
                         "%s: archetype %u '%s' is sealed: its entities cannot %s component '%s'; "
                         "define it without `sealed`, or spawn them in another archetype",
                         call, source->id, source->name, add ? "add" : "remove",
                         schema_component(schema, changed)->name);
        return NULL;
    }
    if (changes == 1) {
        const struct transition *transition = cosmi_schema_edge(schema, call, source, changed, add);
        return transition == NULL ? NULL : transition->target;
    }
    struct signature signature = {.count = source->component_count};
    memcpy(signature.ids, source->components, source->component_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        if (add) {
            cosmi_signature_add(&signature, components[i]);
        } else {
            cosmi_signature_remove(&signature, components[i]);
        }
    }
    return cosmi_schema_form(schema, call, &signature);
}

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

// Makes room in the target for the rows of all moves so far that lead there.
static cosm_result plan_room(const struct bulk_plan *plan, cosm_worlds worlds, const char *call,
                             struct store *target) {
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        uint64_t rows = 0;
        for (uint32_t i = 0; i < plan->count; i++) {
            const struct bulk_move *move = &plan->moves[i];
            rows +=
                move->target == target && move->transition != NULL ? move->source->counts[w] : 0;
        }
        if (rows == 0) {
            continue;
        }
        cosm_result result = cosmi_rows_make_rows(batch_place(worlds.batch, w), call, target, rows);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
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
    struct archetype *target = cosmi_change_target(
        schema, change->call, source->archetype, change->components, change->component_count, add);
    if (target == NULL) {
        return cosm_error_result();
    }
    struct bulk_move move = {source, source, NULL};
    if (target != source->archetype) {
        move.target = cosmi_batch_make_store(batch, change->call, target);
        move.transition = cosmi_schema_transition(schema, change->call, source->archetype, target);
        if (move.target == NULL || move.transition == NULL) {
            return cosm_error_result();
        }
    }
    cosm_result result = plan_keep(plan, batch->sink, change->call, move);
    if (result == COSM_OK && move.transition != NULL) {
        result = plan_room(plan, worlds, change->call, move.target);
    }
    return result;
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
        if (slot->size > 0) {
            cosmi_rows_set_column(place, move->target, slot->column, row, count, change->value);
        }
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
    for (uint32_t i = 0; result == COSM_OK && i < plan.count; i++) {
        for (uint32_t w = 0; w < worlds.count; w++) {
            do_move(batch_place(batch, worlds.first + w), change, &plan.moves[i]);
        }
    }
    cosmi_array_free(plan.memory, plan.moves, plan.capacity, sizeof(*plan.moves));
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
