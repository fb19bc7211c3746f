// Row filters: terms that are met row by row. Those about changes are in changed.c.
//
// A query notes, per group, which members an entity must have and which it must not (sector_parts).
// Rows of a run are held against these masks one after the other. What can be told for a whole run
// is told first: a world without a container has none of its members, and terms that are only
// optional choose nothing.
#include "query/filter.h"

#include "query/changed.h"
#include "store/sector_set.h"

_Static_assert(COSM_QUERY_TERM_MAX <= 32, "terms are bits of a word");

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
                         "%s: the terms involve more than %u groups of sector components; use "
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
    if (group == NULL) {
        return cosm_error_result();
    }
    uint64_t bit = COSM_CONTAINER_BIT(type->sector_member);
    cosm_term_kind kind = query->terms[term].kind;
    if (kind == COSM_TERM_WITH || kind == COSM_TERM_WITHOUT) {
        struct sector_part *part = need_part(query, call, group);
        if (part == NULL) {
            return cosm_error_result();
        }
        part->with |= kind == COSM_TERM_WITH ? bit : 0;
        part->without |= kind == COSM_TERM_WITHOUT ? bit : 0;
    }
    if (query->terms[term].component.id == type->id) { // not through a bundle
        cosm_term_info *info = &query->infos[term];
        info->sector_size = (uint64_t)type->size + 1;
        info->sector_offset = (uint32_t)group->layout->members[type->sector_member].offset;
        info->sector_bit = bit;
    }
    query->has_sectors = true;
    query->is_filtered = true;
    return COSM_OK;
}

static bool is_sector_id(const cosm_query *query, uint32_t component) {
    return schema_component(query->cache->schema, component)->storage == COSM_STORAGE_SECTOR;
}

cosm_result cosmi_sector_filter_add(cosm_query *query, const char *call, uint32_t term) {
    const struct condition *condition = &query->conditions[term];
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < condition->component_count && result == COSM_OK; i++) {
        uint32_t id = condition->components[i];
        if (is_sector_id(query, id)) {
            result = add_member(query, call, term, schema_component(query->cache->schema, id));
        }
    }
    return result;
}

// What an entity must have and lack in one container.
struct sector_mask {
    const struct sectors *sectors;
    uint64_t with;
    uint64_t either; // `with` and what it must lack
};

// What the rows of a run are held against, found once for all of them.
struct sector_look {
    struct sector_mask masks[COSM_QUERY_TERM_MAX];
    uint32_t mask_count;
    uint32_t any_open;     // groups of alternatives that the archetype does not settle
    uint32_t alternatives; // terms of such groups that may be met, a bit each
    const cosm_query *query;
    const struct cosm_batch *batch;
    uint32_t world;
};

// Which groups of alternatives are left to the rows.
APART static void look_at_alternatives(struct sector_look *look,
                                       const struct archetype *archetype) {
    const cosm_query *query = look->query;
    uint32_t settled = 0;
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct condition *condition = &query->conditions[t];
        if (condition->kind != COSM_TERM_ANY_OF || !cosmi_condition_holds(query, t, archetype)) {
            continue;
        }
        bool has_beside = false;
        for (uint32_t i = 0; i < condition->component_count; i++) {
            has_beside = has_beside || is_sector_id(query, condition->components[i]);
        }
        look->alternatives |= has_beside ? 1u << t : 0;
        settled |= has_beside ? 0 : 1u << condition->group;
    }
    look->any_open = query->any_groups & ~settled;
}

// False where no row can pass.
static bool look_begin(struct sector_look *look, const cosm_rows *rows, const struct store *store) {
    const cosm_query *query = rows->query;
    look->mask_count = 0;
    look->any_open = 0;
    look->alternatives = 0;
    look->query = query;
    look->batch = rows->batch;
    look->world = rows->world;
    for (uint32_t i = 0; i < query->sector_part_count; i++) {
        const struct sector_part *part = &query->sector_parts[i];
        const struct sectors *sectors = sector_container(rows->batch, rows->world, part->group->id);
        uint64_t clash = part->with & part->without;
        if ((sectors == NULL && part->with != 0) || clash != 0) {
            return false;
        }
        if (sectors != NULL) {
            look->masks[look->mask_count++] =
                (struct sector_mask){sectors, part->with, part->with | part->without};
        }
    }
    if (query->any_groups != 0) {
        look_at_alternatives(look, store->archetype);
    }
    return true;
}

APART static bool has_alternative(const struct sector_look *look, cosm_entity entity) {
    const cosm_query *query = look->query;
    uint32_t found = 0;
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct condition *condition = &query->conditions[t];
        bool has_all = (look->alternatives >> t & 1u) != 0;
        for (uint32_t i = 0; has_all && i < condition->component_count; i++) {
            const struct value_type *type =
                schema_component(query->cache->schema, condition->components[i]);
            has_all = type->storage != COSM_STORAGE_SECTOR ||
                      cosmi_sector_value(look->batch, look->world, type, entity) != NULL;
        }
        found |= has_all ? 1u << condition->group : 0;
    }
    return (look->any_open & ~found) == 0;
}

static inline bool mask_passes(const struct sector_mask *mask, cosm_entity entity) {
    const cosm_sector *sector = sectors_find(mask->sectors, entity);
    uint64_t live = sector == NULL ? 0 : sector->live;
    return (live & mask->either) == mask->with;
}

static inline bool row_passes(const struct sector_look *look, cosm_entity entity) {
    for (uint32_t i = 0; i < look->mask_count; i++) {
        if (!mask_passes(&look->masks[i], entity)) {
            return false;
        }
    }
    return look->any_open == 0 || has_alternative(look, entity);
}

// As cosmi_filter_find, for sector terms only.
static bool find_in_sectors(const cosm_rows *rows, const struct store *store, uint32_t from,
                            uint32_t end, uint32_t *out_begin, uint32_t *out_end) {
    struct sector_look look;
    const cosm_entity *entities = store_table(store, rows->world)->columns[ENTITY_COLUMN];
    *out_begin = from;
    *out_end = end;
    if (entities == NULL) { // of a temporary table: they have nothing beside, and want nothing
        return from < end;
    }
    if (!look_begin(&look, rows, store)) {
        return false;
    }
    entities += (size_t)rows->world * store->fixed_max;
    uint32_t begin = from;
    uint32_t stop = end;
    if (look.mask_count == 1 && look.any_open == 0) {
        struct sector_mask mask = look.masks[0];
        while (begin < end && !mask_passes(&mask, entities[begin])) {
            begin++;
        }
        for (stop = begin; stop < end && mask_passes(&mask, entities[stop]);) {
            stop++;
        }
    } else if (look.mask_count > 0 || look.any_open != 0) {
        while (begin < end && !row_passes(&look, entities[begin])) {
            begin++;
        }
        for (stop = begin; stop < end && row_passes(&look, entities[stop]);) {
            stop++;
        }
    }
    *out_begin = begin;
    *out_end = stop;
    return begin < stop;
}

void cosmi_sector_filter_show(cosm_rows *rows) {
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->terms[t].sector_size > 0) {
            const struct value_type *type =
                schema_component(rows->batch->schema, rows->terms[t].component);
            // Temporary rows are no entities, and have nothing beside.
            rows->columns[t] =
                rows->entities == NULL ? NULL : cosmi_sector_find(rows->batch, rows->world, type);
        }
    }
}

bool cosmi_filter_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                       uint32_t end, uint32_t *out_begin, uint32_t *out_end) {
    const cosm_query *query = rows->query;
    if (!query->has_sectors) {
        return cosmi_changed_find(rows, store, from, end, out_begin, out_end);
    }
    if (query->changed == 0) {
        return find_in_sectors(rows, store, from, end, out_begin, out_end);
    }
    uint32_t stop;
    for (; cosmi_changed_find(rows, store, from, end, &from, &stop); from = stop) {
        if (find_in_sectors(rows, store, from, stop, out_begin, out_end)) {
            return true;
        }
    }
    return false;
}
