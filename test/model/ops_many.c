// Operations on an array of entities and on all rows of a query.
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum change_kind { CHANGE_DESPAWN, CHANGE_ADD, CHANGE_REMOVE, CHANGE_SET };

static const char *const change_names[] = {"despawn", "add", "remove", "set"};

static struct being *target_being(struct model *m, const struct target *target) {
    return &m->o.worlds[target->world].beings[target->id];
}

static uint64_t changed_set(uint64_t from, enum change_kind kind, const struct kind *part) {
    if (kind == CHANGE_DESPAWN || !part) {
        return from;
    }
    return kind == CHANGE_REMOVE ? from & ~part->set : from | part->set;
}

static void add_target(struct model *m, uint32_t world, const struct being *being,
                       enum change_kind kind, const struct kind *part) {
    m->targets = grow(m->targets, &m->target_capacity, m->target_count + 1, sizeof(*m->targets));
    m->targets[m->target_count++] =
        (struct target){world, being->handle.id, changed_set(being->set, kind, part), 0};
}

// The living ones of an array, each once; the last value counts.
static void collect_listed(struct model *m, uint32_t world, const cosm_entity *entities,
                           const uint32_t *values, uint32_t count, enum change_kind kind,
                           const struct kind *part) {
    m->target_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct being *being = being_find(&m->o, world, entities[i]);
        if (!being) {
            continue;
        }
        uint32_t at = 0;
        while (at < m->target_count && m->targets[at].id != being->handle.id) {
            at++;
        }
        bool first = at == m->target_count;
        if (first) {
            add_target(m, world, being, kind, part);
        }
        if (values && (first || m->o.fault != MODEL_FAULT_SET_FIRST_WINS)) {
            m->targets[at].value = values[i];
        }
    }
}

static void collect_matching(struct model *m, const struct query *query, struct span span,
                             enum change_kind kind, const struct kind *part) {
    m->target_count = 0;
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        const struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            if (w->beings[k].alive &&
                query_takes(&m->o, query, w->beings[k].set, w->beings[k].value)) {
                add_target(m, i, &w->beings[k], kind, part);
            }
        }
    }
}

// Does the call move the entity to the table of another set?
static bool target_moves(struct model *m, const struct target *target) {
    return table_set(&m->o, target_being(m, target)->set) != table_set(&m->o, target->to);
}

// Entities that the call moves to the same table as this one.
static uint32_t arrivals(struct model *m, const struct target *target) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->target_count; i++) {
        const struct target *other = &m->targets[i];
        bool same = table_set(&m->o, other->to) == table_set(&m->o, target->to);
        count += target_moves(m, other) && other->world == target->world && same ? 1u : 0u;
    }
    return count;
}

static bool target_is_full(struct model *m, const struct target *target) {
    const struct archetype *to = archetype_of_set(&m->o, target->to, false);
    return to && to->max > 0 && is_full(m, target->world, target->to, false, arrivals(m, target));
}

// Why the call must or may fail, because of the entities that it is about.
static void target_reasons(struct model *m, enum change_kind kind, uint32_t *must, uint32_t *may) {
    for (uint32_t i = 0; i < m->target_count; i++) {
        const struct target *target = &m->targets[i];
        const struct being *being = target_being(m, target);
        bool walked = world_is_walked(&m->o, target->world);
        if (kind != CHANGE_DESPAWN && being->set == target->to) {
            *may |= walked ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
            continue;
        }
        *must |= walked ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
        if (kind != CHANGE_DESPAWN && target_moves(m, target)) {
            *must |= is_sealed(m, being->set) ? RESULT_BIT(COSM_ERROR_SEALED) : 0;
            *must |= target_is_full(m, target) ? RESULT_BIT(COSM_ERROR_FULL) : 0;
        }
    }
}

static void follow_targets(struct model *m, enum change_kind kind, const struct kind *part) {
    for (uint32_t i = 0; i < m->target_count; i++) {
        const struct target *target = &m->targets[i];
        struct being *being = target_being(m, target);
        if (kind == CHANGE_DESPAWN) {
            being_despawn(&m->o, target->world, being);
            continue;
        }
        being_change(&m->o, being, target->to);
        if (kind == CHANGE_SET) {
            being->value[part->bit] = target->value;
        }
    }
}

static uint32_t part_reasons(struct part part, enum change_kind kind) {
    if (kind == CHANGE_DESPAWN) {
        return 0;
    }
    bool bad = !part.kind || (kind == CHANGE_SET && part.kind->bundle);
    return bad ? RESULT_BIT(COSM_ERROR_ARGUMENT) : 0;
}

// Too many bytes for a history to hold: the operation is left out.
static bool adds_too_much(struct model *m, enum change_kind kind, struct part part) {
    if (!part.kind || kind == CHANGE_DESPAWN || kind == CHANGE_REMOVE) {
        return false;
    }
    uint64_t size = set_size(&m->o, part.kind->set);
    return size > 0 && !room_for_bytes(m, size * m->target_count);
}

// `row_bytes` are values that lie in rows, or NULL: then they are made from their numbers.
static cosm_result call_listed(struct model *m, struct place place, const cosm_entity *entities,
                               const uint32_t *values, uint32_t count, enum change_kind kind,
                               struct part part, const void *row_bytes) {
    switch (kind) {
    case CHANGE_DESPAWN:
        return cosm_entity_despawn_many(place.world, entities, count);
    case CHANGE_ADD:
        return cosm_entity_add_many(place.world, entities, count, part.id);
    case CHANGE_REMOVE:
        return cosm_entity_remove_many(place.world, entities, count, part.id);
    case CHANGE_SET:
        break;
    }
    size_t size = part.kind ? part.kind->size : 4;
    uint8_t *bytes = scratch(m, size * count + 1);
    for (uint32_t i = 0; part.kind && i < count; i++) {
        bytes_to(part.kind, values[i], bytes + i * size);
    }
    return cosm_entity_set_many(place.world, entities, count, part.id,
                                row_bytes ? row_bytes : bytes);
}

static void change_listed(struct model *m, enum change_kind kind) {
    struct place place = pick_place(m);
    struct part part = pick_part(m);
    cosm_entity entities[MODEL_LIST_MAX];
    uint32_t values[MODEL_LIST_MAX];
    uint32_t count = draw_entities(m, place.index, entities);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = draw_value(m);
    }
    const void *row_bytes = NULL;
    if (kind == CHANGE_SET && part.kind && !part.kind->bundle && draw(m, 4) == 3) {
        row_bytes = row_values(m, place, part.kind, count, values);
    }
    m->target_count = 0;
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    uint32_t may = 0;
    must |= part_reasons(part, kind);
    if (place_is_good(place)) {
        collect_listed(m, place.index, entities, values, count, kind, part.kind);
        // With nothing alive in the list, or a bad component, refusing is as good as passing over.
        if (world_is_walked(&m->o, place.index)) {
            may |= RESULT_BIT(COSM_ERROR_WALKED);
            must |= must != 0 ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
        }
    }
    if (adds_too_much(m, kind, part)) {
        return;
    }
    say(m, "cosm_entity_%s_many(world %u, %u entities, %u of them alive, %s)", change_names[kind],
        place.index, count, m->target_count,
        kind == CHANGE_DESPAWN ? "" : (part.kind ? part.kind->name : "an unknown component"));
    for (uint32_t i = 0; i < count; i++) {
        say(m, "       {gen %u, id %u} value %u", entities[i].gen, entities[i].id, values[i]);
    }
    target_reasons(m, kind, &must, &may);
    cosm_result got = call_listed(m, place, entities, values, count, kind, part, row_bytes);
    if (settle(m, got, must, may, 1u << place.index) == COSM_OK) {
        if (m->o.fault == MODEL_FAULT_DESPAWN_OTHER && kind == CHANGE_DESPAWN &&
            m->target_count > 0) {
            m->target_count--;
        }
        follow_targets(m, kind, part.kind);
        m->compare = true;
    }
}

void op_despawn_many(struct model *m) {
    change_listed(m, CHANGE_DESPAWN);
}

void op_add_many(struct model *m) {
    change_listed(m, CHANGE_ADD);
}

void op_remove_many(struct model *m) {
    change_listed(m, CHANGE_REMOVE);
}

void op_set_many(struct model *m) {
    change_listed(m, CHANGE_SET);
}

// Temporary rows that match: cleared, written, or a reason to fail.
static void bag_reasons(struct model *m, const struct query *query, struct span span,
                        enum change_kind kind, const struct kind *part, uint32_t *must,
                        uint32_t *may) {
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        const struct world *w = &m->o.worlds[i];
        uint32_t walked = world_is_walked(&m->o, i) ? RESULT_BIT(COSM_ERROR_WALKED) : 0;
        *may |= walked;
        for (uint32_t k = 0; k < w->bag_count; k++) {
            uint64_t set = m->o.archetypes[w->bags[k].archetype].set;
            if (w->bags[k].count == 0 || !query_takes(&m->o, query, set, NULL)) {
                continue;
            }
            *must |= kind == CHANGE_DESPAWN ? walked : 0;
            if (changed_set(set, kind, part) != set) {
                *must |= RESULT_BIT(COSM_ERROR_ARGUMENT) | walked;
            }
        }
    }
}

static void follow_bags(struct model *m, const struct query *query, struct span span,
                        enum change_kind kind, const struct kind *part, uint32_t value) {
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->bag_count; k++) {
            struct bag *bag = &w->bags[k];
            if (!query_takes(&m->o, query, m->o.archetypes[bag->archetype].set, NULL)) {
                continue;
            }
            for (uint32_t r = 0; kind == CHANGE_SET && r < bag->count; r++) {
                bag->rows[r].value[part->bit] = value;
            }
            bag->count = kind == CHANGE_DESPAWN ? 0 : bag->count;
        }
    }
}

// A query to filter by: ours, or now and then none, or one of another engine.
static const cosm_query *pick_filter(struct model *m, struct query **out_query) {
    *out_query = pick_query(m);
    if (rarely(m, 24)) {
        *out_query = NULL;
        return draw(m, 2) == 0 ? NULL : m->other_query;
    }
    return *out_query ? (*out_query)->library : NULL;
}

static uint32_t span_mask(struct span span) {
    return ((1u << span.count) - 1u) << span.first;
}

static cosm_result call_matching(struct model *m, const cosm_query *filter, struct span span,
                                 enum change_kind kind, struct part part, uint32_t *value) {
    switch (kind) {
    case CHANGE_DESPAWN:
        return cosm_query_despawn(filter, span.worlds);
    case CHANGE_ADD:
        return cosm_query_add(filter, span.worlds, part.id);
    case CHANGE_REMOVE:
        return cosm_query_remove(filter, span.worlds, part.id);
    case CHANGE_SET:
        break;
    }
    const void *bytes = NULL;
    if (part.kind && !part.kind->bundle && span.good && draw(m, 4) == 3) {
        struct place place = {cosm_batch_world(m->batch, span.first), span.first};
        bytes = row_value(m, place, part.kind, value);
        say(m, "       value %u%s", *value, bytes ? ", which lies in a row" : "");
    }
    if (part.kind && !bytes) {
        bytes = bytes_of(m, part.kind, *value);
    }
    return cosm_query_set(filter, span.worlds, part.id, bytes);
}

static void follow_matching(struct model *m, const struct query *query, struct span span,
                            enum change_kind kind, const struct kind *part, uint32_t value) {
    for (uint32_t i = 0; i < m->target_count; i++) {
        m->targets[i].value = value;
        if (m->o.fault == MODEL_FAULT_QUERY_SET_ONE && kind == CHANGE_SET && i > 0) {
            m->targets[i].value = target_being(m, &m->targets[i])->value[part->bit];
        }
    }
    if (m->o.fault == MODEL_FAULT_QUERY_DESPAWN_ONE && kind == CHANGE_DESPAWN &&
        m->target_count > 0) {
        m->target_count--;
    }
    follow_bags(m, query, span, kind, part, value);
    follow_targets(m, kind, part);
}

static void change_matching(struct model *m, enum change_kind kind) {
    struct query *query;
    const cosm_query *filter = pick_filter(m, &query);
    struct span span = pick_span(m);
    struct part part = pick_part(m);
    uint32_t value = draw_value(m);
    uint32_t must = query && span.good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    uint32_t may = 0;
    must |= part_reasons(part, kind);
    m->target_count = 0;
    if (query && span.good) {
        collect_matching(m, query, span, kind, part.kind);
        bag_reasons(m, query, span, kind, part.kind, &must, &may);
    }
    if (adds_too_much(m, kind, part)) {
        return;
    }
    say(m, "cosm_query_%s(query %d, worlds %u to %u%s, %s), which takes %u entities",
        change_names[kind], query ? (int)(query - m->o.queries) : -1, span.worlds.first,
        span.worlds.first + span.worlds.count, span.good ? "" : " (wrong)",
        kind == CHANGE_DESPAWN ? "" : (part.kind ? part.kind->name : "an unknown component"),
        m->target_count);
    target_reasons(m, kind, &must, &may);
    must |= must != 0 ? may : 0;
    cosm_result got = call_matching(m, filter, span, kind, part, &value);
    if (settle(m, got, must, may, span_mask(span)) == COSM_OK) {
        follow_matching(m, query, span, kind, part.kind, value);
        m->compare = true;
    }
}

void op_query_despawn(struct model *m) {
    change_matching(m, CHANGE_DESPAWN);
}

void op_query_add(struct model *m) {
    change_matching(m, CHANGE_ADD);
}

void op_query_remove(struct model *m) {
    change_matching(m, CHANGE_REMOVE);
}

void op_query_set(struct model *m) {
    change_matching(m, CHANGE_SET);
}
