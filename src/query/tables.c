// The tables of a match: that of its archetype in a world, or one for each group of shared values.
#include "query/walk.h"
#include "store/shared.h"

// Has the group the values of all terms that ask for one, but for the first such term?
static bool fits_values(const cosm_query *query, const struct group *group) {
    for (uint32_t t = query->value_term + 1; t < query->term_count; t++) {
        const void *wanted = query->terms[t].value;
        if (wanted == NULL) {
            continue;
        }
        const struct shared_value *value =
            cosmi_store_shared(group->store, query->infos[t].component);
        if (value->hash != query->value_hashes[t] ||
            !cosmi_shared_equals(value->type, value->bytes, wanted)) {
            return false;
        }
    }
    return true;
}

bool cosmi_query_fits(const cosm_query *query, const struct store *store) {
    uint32_t first = query->value_term;
    if (first == COSM_QUERY_TERM_MAX) {
        return true;
    }
    const struct shared_value *value = cosmi_store_shared(store, query->infos[first].component);
    return value != NULL && value->hash == query->value_hashes[first] &&
           cosmi_shared_equals(value->type, value->bytes, query->terms[first].value) &&
           fits_values(query, store->group);
}

// Groups that have the value of the query's first value term.
static const struct group *next_with_value(const cosm_query *query, const struct match *match,
                                           const struct cosm_batch *batch, uint32_t world,
                                           const struct group *after) {
    uint32_t component = query->infos[query->value_term].component;
    const struct group *group = NULL;
    if (after != NULL) {
        group = cosmi_group_next(after, component);
    } else {
        const struct shared_value *value = cosmi_shared_known(
            batch, world, schema_component(batch->schema, component),
            query->terms[query->value_term].value, query->value_hashes[query->value_term]);
        group = value == NULL ? NULL : cosmi_group_first(value, match->archetype);
    }
    while (group != NULL && (group->count == 0 || !fits_values(query, group))) {
        group = cosmi_group_next(group, component);
    }
    return group;
}

static const struct group *next_of_list(const struct group_list *list, const struct group *after) {
    uint32_t i = after == NULL ? 0 : after->place + 1;
    while (list != NULL && i < list->count && list->groups[i]->count == 0) {
        i++;
    }
    return list == NULL || i >= list->count ? NULL : list->groups[i];
}

const struct store *cosmi_match_group(const cosm_query *query, const struct match *match,
                                      const struct store *base, const struct cosm_batch *batch,
                                      uint32_t world, const struct store *after) {
    const struct group *previous = after == NULL ? NULL : after->group;
    const struct group *group = query->value_term < COSM_QUERY_TERM_MAX
                                    ? next_with_value(query, match, batch, world, previous)
                                    : next_of_list(base->group_lists[world], previous);
    return group == NULL ? NULL : group->store;
}

const struct store *cosmi_match_table(const cosm_query *query, const struct match *match,
                                      const struct cosm_batch *batch, uint32_t world,
                                      const struct store *after) {
    const struct store *base = match_store(match, batch);
    if (base == NULL) {
        return NULL;
    }
    if (LIKELY(!match->is_grouped)) {
        return after == NULL && base->counts[world] > 0 ? base : NULL;
    }
    return cosmi_match_group(query, match, base, batch, world, after);
}

void cosmi_rows_show_shared(cosm_rows *rows, const struct match *match, const struct store *store) {
    rows->group = store->id;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (match->terms[t].shared_size > 0) {
            const struct shared_value *value = cosmi_store_shared(store, match->terms[t].component);
            rows->columns[t] = value == NULL ? NULL : value->bytes;
        }
    }
}
