// The tables of a match: that of its archetype in a world, or one for each group of shared values.
#include "query/tables.h"

bool cosmi_group_fits(const cosm_query *query, const struct group *group) {
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
           cosmi_group_fits(query, store->group);
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
    const struct group *group =
        match_next_group(query, match, base, batch, world, after == NULL ? NULL : after->group);
    return group == NULL ? NULL : group->store;
}

void cosmi_rows_show_shared(cosm_rows *rows, const struct match *match, const struct store *store) {
    const struct group *group = store->group;
    uint32_t shared_count = match->archetype->shared_count;
    rows->group = store->id;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (match->terms[t].shared_size > 0) {
            uint32_t slot = match->terms[t].column;
            rows->columns[t] = slot < shared_count ? group->values[slot]->bytes : NULL;
        }
    }
}
