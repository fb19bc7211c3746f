// Queries as the library sees them: terms, the archetypes that match, and the cache that shares
// queries of equal terms.
//
// The matches of a query are a list in the order of signatures. It only grows: a new archetype is
// linked in with one store, so walkers on other threads need no lock and nothing is ever moved or
// freed under them.
#ifndef COSM_QUERY_QUERY_H
#define COSM_QUERY_QUERY_H

#include <cosm/query.h>

#include "schema/schema.h"

#define COLUMN_NONE 0xFFFFu

// One archetype that matches.
struct match {
    _Atomic(struct match *) next;
    _Atomic(void *) stores[BATCH_SLOT_MAX]; // struct store, by batch slot; NULL: look it up
    struct archetype *archetype;
    uint32_t archetype_id;
    bool is_grouped;             // the archetype has shared components: a table for each group
    uint32_t value_slot;         // of the query's value_term: which of those components it is
    const cosm_term_info *terms; // as rows of this archetype see them; behind the columns
    uint16_t columns[];          // per term; COLUMN_NONE where there is none
};

// A condition that an archetype must meet, with bundles spread out.
struct condition {
    const uint32_t *components;
    uint32_t component_count;
    cosm_term_kind kind;
    uint32_t group;
};

// What a query wants of the sector components of one group.
struct sector_part {
    const struct sector_group *group;
    uint64_t with;
    uint64_t without;
};

struct cosm_query {
    struct query_cache *cache;
    uint32_t index; // in the cache
    uint32_t references;
    bool by_world;
    bool is_filtered;    // some term is met row by row: see query/filter.h
    uint32_t value_term; // the first one that asks for a shared value; COSM_QUERY_TERM_MAX: none
    uint32_t value_count;
    const struct value_type *value_type; // of that term
    uint32_t term_count;
    uint32_t any_groups; // a bit per group in use
    uint32_t changed;    // a bit per term that asks for changes
    uint32_t writes;     // a bit per term with bytes and COSM_ACCESS_WRITE
    _Atomic(struct match *) matches;
    struct match *pending; // made but not yet linked
    struct match **order;  // the matches in the same order, to find a place among them
    uint32_t order_count;
    uint32_t order_capacity;
    cosm_term terms[COSM_QUERY_TERM_MAX]; // values are the query's own copies
    uint64_t value_hashes[COSM_QUERY_TERM_MAX];
    cosm_term_info infos[COSM_QUERY_TERM_MAX];
    struct condition conditions[COSM_QUERY_TERM_MAX];
    struct sector_part sector_parts[COSM_QUERY_TERM_MAX];
    uint32_t sector_part_count;
    bool has_sectors; // some term is about sector components
};

// All under the schema's lock.
struct query_cache {
    struct schema *schema;
    struct cosm_query **queries; // NULL where one was freed
    uint32_t count;
    uint32_t capacity;
    uint32_t *free_indices; // where queries were freed; room for `count` of them
    uint32_t free_count;
    uint32_t free_capacity;
    struct map map;
    // Told of a new archetype once its matches are made, and before they are linked; false vetoes
    // it. NULL: nobody.
    archetype_hook *on_matched;
    void *on_matched_context;
};

void cosmi_query_cache_init(struct query_cache *cache, struct schema *schema);
void cosmi_query_cache_free(struct query_cache *cache);

// NULL, with a message that names `call`, on failure.
cosm_query *cosmi_query_create(struct query_cache *cache, const char *call,
                               const cosm_query_desc *desc);
void cosmi_query_release(cosm_query *query);

// Counts one more owner of a query.
void cosmi_query_keep(cosm_query *query);

// Forgets the stores of a batch that ends.
void cosmi_query_cache_forget(struct query_cache *cache, uint32_t slot);

// Does the archetype match? Terms that are met row by row count as met.
bool cosmi_query_matches(const cosm_query *query, const struct archetype *archetype);

// Does an archetype have all components of a term, but for those beside the tables?
bool cosmi_condition_holds(const cosm_query *query, uint32_t term,
                           const struct archetype *archetype);

// Can a row's value of the term be touched, in a column or beside the table?
static inline bool term_has_bytes(const cosm_term_info *info) {
    return info->size > 0 || info->sector_size > 1;
}

static inline struct match *match_first(const cosm_query *query) {
    return atomic_load_explicit(&query->matches, memory_order_acquire);
}

static inline struct match *match_next(const struct match *match) {
    return atomic_load_explicit(&match->next, memory_order_acquire);
}

// Has a desc terms? A term anywhere counts: one behind an empty entry is refused when the query is
// made.
static inline bool query_has_terms(const cosm_query_desc *desc) {
    for (uint32_t t = 0; t < COSM_QUERY_TERM_MAX; t++) {
        if (desc->terms[t].component.id != 0) {
            return true;
        }
    }
    return false;
}

// Was a desc filled in? Empty text asks for every row.
static inline bool query_is_given(const cosm_query_desc *desc) {
    return desc->text != NULL || query_has_terms(desc);
}

#endif
