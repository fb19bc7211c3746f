// The groups of a match in one world, for the walks that begin and go on with them.
#ifndef COSM_QUERY_TABLES_H
#define COSM_QUERY_TABLES_H

#include "query/walk.h"
#include "store/shared.h"

// Has the group the values of all terms that ask for one, but for the first such term?
bool cosmi_group_fits(const cosm_query *query, const struct group *group);

// The first group that has the value of the query's first value term.
static inline const struct group *group_with_value(const cosm_query *query,
                                                   const struct match *match,
                                                   const struct cosm_batch *batch, uint32_t world) {
    const struct shared *shared = world_shared(batch, world);
    uint32_t term = query->value_term;
    const struct shared_value *value =
        shared == NULL ? NULL
                       : shared_find_value(shared, query->value_type, query->terms[term].value,
                                           query->value_hashes[term]);
    const struct group_head *head = value == NULL ? NULL : value_find_head(value, match->archetype);
    return head == NULL ? NULL : head->first;
}

static inline const struct group *group_of_list(const struct group_list *list,
                                                const struct group *after) {
    uint32_t i = after == NULL ? 0 : after->place + 1;
    while (list != NULL && i < list->count && list->groups[i]->count == 0) {
        i++;
    }
    return list == NULL || i >= list->count ? NULL : list->groups[i];
}

// The next group with rows that the query shows; `after` is the one before, NULL to begin with, and
// `base` the store of the archetype.
static inline const struct group *match_next_group(const cosm_query *query,
                                                   const struct match *match,
                                                   const struct store *base,
                                                   const struct cosm_batch *batch, uint32_t world,
                                                   const struct group *after) {
    if (query->value_count == 0) {
        return group_of_list(base->group_lists[world], after);
    }
    uint32_t slot = match->value_slot;
    const struct group *group =
        after != NULL ? after->links[slot].next : group_with_value(query, match, batch, world);
    while (group != NULL &&
           (group->count == 0 || (query->value_count > 1 && !cosmi_group_fits(query, group)))) {
        group = group->links[slot].next;
    }
    return group;
}

#endif
