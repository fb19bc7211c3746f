// Sector terms of queries.
#include "query/sector_sieve.h"

#include "store/sector_set.h"

// The part of a query that is about one group of components, made where there is none. NULL, with
// a message, where there is no room.
static struct sector_part *need_part(cosm_query *query, const char *call,
                                     const struct sector_group *group) {
    for (uint32_t i = 0; i < query->sector_part_count; i++) {
        if (query->sector_parts[i].group == group) {
            return &query->sector_parts[i];
        }
    }
    if (query->sector_part_count == COSM_QUERY_TERM_MAX) {
        (void)cosmi_fail(query->cache->schema->sink, COSM_ERROR_LIMIT,
                         "%s: the terms are about more than %u groups of sector components; use "
                         "fewer, or smaller bundles",
                         call, COSM_QUERY_TERM_MAX);
        return NULL;
    }
    struct sector_part *part = &query->sector_parts[query->sector_part_count++];
    *part = (struct sector_part){.group = group};
    return part;
}

static cosm_result add_member(cosm_query *query, const char *call, uint32_t term,
                              const struct value_type *type) {
    const struct sector_group *group = cosmi_sector_group_need(query->cache->schema, call, type);
    struct sector_part *part = group == NULL ? NULL : need_part(query, call, group);
    if (part == NULL) {
        return cosm_error_result();
    }
    uint64_t bit = COSM_SECTORS_BIT(type->sector_member);
    cosm_term_kind kind = query->terms[term].kind;
    part->with |= kind == COSM_TERM_WITH ? bit : 0;
    part->without |= kind == COSM_TERM_WITHOUT ? bit : 0;
    if (query->terms[term].component.id == type->id) { // not through a bundle
        cosm_term_info *info = &query->infos[term];
        info->sector_size = (uint64_t)type->size + 1;
        info->sector_offset = (uint32_t)group->layout->members[type->sector_member].offset;
        info->sector_bit = bit;
    }
    query->is_sieved = true;
    return COSM_OK;
}

cosm_result cosmi_sector_sieve_add(cosm_query *query, const char *call, uint32_t term) {
    struct schema *schema = query->cache->schema;
    const struct condition *condition = &query->conditions[term];
    for (uint32_t i = 0; i < condition->component_count; i++) {
        const struct value_type *type = schema_component(schema, condition->components[i]);
        if (type->storage != COSM_STORAGE_SECTOR) {
            continue;
        }
        bool is_bundle = condition->component_count > 1;
        if (is_bundle && condition->kind == COSM_TERM_ANY_OF) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.terms[%u] is COSM_TERM_ANY_OF of a bundle with the sector "
                              "component '%s'; list components singly",
                              call, term, type->name);
        }
        cosm_result result = add_member(query, call, term, type);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

// What an entity has of a group, a bit each.
static inline uint64_t live_of(const struct sectors *sectors, cosm_entity entity) {
    const cosm_sector *sector = sectors == NULL ? NULL : sectors_find(sectors, entity);
    return sector == NULL ? 0 : sector->live;
}

// What rows are held against, found once for all of them.
struct sector_look {
    const cosm_query *query;
    const struct sectors *containers[COSM_QUERY_TERM_MAX]; // of the parts
    uint32_t any_open; // groups of alternatives that the archetype does not settle
    const struct cosm_batch *batch;
    uint32_t world;
};

static void look_begin(struct sector_look *look, const cosm_rows *rows, const struct store *store) {
    const cosm_query *query = rows->query;
    look->query = query;
    look->batch = rows->batch;
    look->world = rows->world;
    for (uint32_t i = 0; i < query->sector_part_count; i++) {
        const struct sector_group *group = query->sector_parts[i].group;
        look->containers[i] = cosmi_sector_find(
            rows->batch, rows->world, schema_component(rows->batch->schema, group->components[0]));
    }
    look->any_open = 0;
    uint32_t settled = 0;
    for (uint32_t t = 0; t < query->term_count; t++) {
        if (query->terms[t].kind == COSM_TERM_ANY_OF) {
            uint32_t group = 1u << query->terms[t].group;
            bool is_beside = query->infos[t].sector_size > 0;
            look->any_open |= is_beside ? group : 0;
            bool has = !is_beside && cosmi_condition_holds(query, t, store->archetype);
            settled |= has ? group : 0;
        }
    }
    look->any_open &= ~settled;
}

static bool has_alternative(const struct sector_look *look, cosm_entity entity) {
    uint32_t found = 0;
    for (uint32_t t = 0; t < look->query->term_count; t++) {
        const cosm_term_info *info = &look->query->infos[t];
        if (info->kind == COSM_TERM_ANY_OF && info->sector_size > 0) {
            const struct value_type *type = schema_component(look->batch->schema, info->component);
            bool has = cosmi_sector_value(look->batch, look->world, type, entity) != NULL;
            found |= has ? 1u << look->query->terms[t].group : 0;
        }
    }
    return (look->any_open & ~found) == 0;
}

static inline bool row_passes(const struct sector_look *look, cosm_entity entity) {
    const cosm_query *query = look->query;
    for (uint32_t i = 0; i < query->sector_part_count; i++) {
        const struct sector_part *part = &query->sector_parts[i];
        uint64_t live = live_of(look->containers[i], entity);
        if ((live & (part->with | part->without)) != part->with) {
            return false;
        }
    }
    return look->any_open == 0 || has_alternative(look, entity);
}

bool cosmi_sector_sieve_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                             uint32_t end, uint32_t *out_begin, uint32_t *out_end) {
    struct sector_look look;
    const cosm_entity *entities = store_table(store, rows->world)->columns[ENTITY_COLUMN];
    if (entities == NULL) { // of a temporary table: they have nothing beside, and want nothing
        *out_begin = from;
        *out_end = end;
        return from < end;
    }
    look_begin(&look, rows, store);
    entities += (size_t)rows->world * store->fixed_max;
    uint32_t begin = from;
    while (begin < end && !row_passes(&look, entities[begin])) {
        begin++;
    }
    uint32_t stop = begin;
    while (stop < end && row_passes(&look, entities[stop])) {
        stop++;
    }
    *out_begin = begin;
    *out_end = stop;
    return begin < stop;
}

void cosmi_sector_sieve_show(cosm_rows *rows) {
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->terms[t].sector_size > 0) {
            const struct value_type *type =
                schema_component(rows->batch->schema, rows->terms[t].component);
            rows->columns[t] = cosmi_sector_find(rows->batch, rows->world, type);
        }
    }
}
