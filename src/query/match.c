// Matching: which archetypes a query shows, and the cache of queries.
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/hash.h"
#include "query/filter.h"
#include "query/query.h"
#include "store/shared.h"

void cosmi_query_cache_init(struct query_cache *cache, struct schema *schema) {
    cache->schema = schema;
    cache->queries = NULL;
    cache->count = 0;
    cache->capacity = 0;
    cosmi_map_init(&cache->map, schema->memory);
    cache->on_matched = NULL;
    cache->on_matched_context = NULL;
}

// The columns of a match stand behind it, the terms as its rows see them behind those.
static size_t match_terms_at(const cosm_query *query) {
    return align_up(sizeof(struct match) + query->term_count * sizeof(uint16_t),
                    _Alignof(cosm_term_info));
}

static size_t match_size(const cosm_query *query) {
    return match_terms_at(query) + query->term_count * sizeof(cosm_term_info);
}

// Frees the copies of shared values that terms ask for.
static void free_values(cosm_query *query) {
    struct schema *schema = query->cache->schema;
    for (uint32_t i = 0; i < query->term_count; i++) {
        void *bytes = (void *)query->terms[i].value;
        if (bytes != NULL) {
            const struct value_type *type = schema_component(schema, query->infos[i].component);
            if (type->lifecycle.destroy != NULL) {
                type->lifecycle.destroy(type->lifecycle.context, bytes);
            }
            cosmi_memory_free(schema->memory, bytes, type->size, type->alignment);
        }
    }
}

static void free_query(cosm_query *query) {
    struct memory *memory = query->cache->schema->memory;
    free_values(query);
    struct match *match = match_first(query);
    while (match != NULL) {
        struct match *next = match_next(match);
        cosmi_memory_free(memory, match, match_size(query), _Alignof(struct match));
        match = next;
    }
    cosmi_array_free(memory, query->order, query->order_capacity, sizeof(*query->order));
    cosmi_memory_free(memory, query, sizeof(*query), _Alignof(cosm_query));
}

void cosmi_query_cache_free(struct query_cache *cache) {
    for (uint32_t i = 0; i < cache->count; i++) {
        if (cache->queries[i] != NULL) {
            free_query(cache->queries[i]);
        }
    }
    cosmi_array_free(cache->schema->memory, cache->queries, cache->capacity,
                     sizeof(*cache->queries));
    cosmi_array_free(cache->schema->memory, cache->free_indices, cache->free_capacity,
                     sizeof(*cache->free_indices));
    cosmi_map_free(&cache->map);
}

// Components beside the tables count as there, but for rows that are no entities and so have none.
static bool has_all(const struct schema *schema, const struct archetype *archetype,
                    const struct condition *condition) {
    for (uint32_t i = 0; i < condition->component_count; i++) {
        uint32_t id = condition->components[i];
        bool is_beside = schema_component(schema, id)->storage == COSM_STORAGE_SECTOR;
        if (is_beside ? archetype->temporary : archetype_find(archetype, id) == NULL) {
            return false;
        }
    }
    return true;
}

static bool has_any(const struct archetype *archetype, const struct condition *condition) {
    for (uint32_t i = 0; i < condition->component_count; i++) {
        if (archetype_find(archetype, condition->components[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool cosmi_condition_holds(const cosm_query *query, uint32_t term,
                           const struct archetype *archetype) {
    return has_all(query->cache->schema, archetype, &query->conditions[term]);
}

bool cosmi_query_matches(const cosm_query *query, const struct archetype *archetype) {
    uint32_t found_groups = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct condition *condition = &query->conditions[i];
        if (condition->kind == COSM_TERM_WITH &&
            !has_all(query->cache->schema, archetype, condition)) {
            return false;
        }
        if (condition->kind == COSM_TERM_WITHOUT && has_any(archetype, condition)) {
            return false;
        }
        if (condition->kind == COSM_TERM_ANY_OF &&
            has_all(query->cache->schema, archetype, condition)) {
            found_groups |= 1u << condition->group;
        }
    }
    return found_groups == query->any_groups;
}

// A term as rows of one archetype see it. A split component has no column of whole values there; a
// managed one has tickets, which nobody writes.
static cosm_term_info show_term(const cosm_query *query, const struct archetype *archetype,
                                const struct column_slot *slot, uint32_t index) {
    cosm_term_info info = query->infos[index];
    if (info.shared_size > 0) {
        info.column = archetype_shared_slot(archetype, info.component);
    }
    if (slot != NULL && slot_is_split(archetype, slot)) {
        const struct value_type *type = schema_component(query->cache->schema, info.component);
        info.size = 0;
        info.keys[0] = info.keys[1] = 0;
        info.fields = type->fields.columns;
        info.field_count = type->fields.count;
        info.column = slot->column;
    }
    return info;
}

static struct match *make_match(const cosm_query *query, struct archetype *archetype) {
    struct match *match =
        cosmi_memory_alloc(query->cache->schema->memory, match_size(query), _Alignof(struct match));
    if (match == NULL) {
        return NULL;
    }
    atomic_init(&match->next, NULL);
    for (uint32_t i = 0; i < BATCH_SLOT_MAX; i++) {
        atomic_init(&match->stores[i], NULL);
    }
    match->archetype = archetype;
    match->archetype_id = archetype->id;
    match->is_grouped = archetype->shared_count > 0;
    cosm_term_info *terms = (cosm_term_info *)(void *)((char *)match + match_terms_at(query));
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct column_slot *slot = archetype_find(archetype, query->infos[i].component);
        bool has_column = slot != NULL && slot->column != 0;
        match->columns[i] = has_column ? slot->column : COLUMN_NONE;
        terms[i] = show_term(query, archetype, slot, i);
    }
    match->terms = terms;
    match->value_slot = query->value_term < query->term_count ? terms[query->value_term].column : 0;
    return match;
}

// The order in which tables are visited: by signature, lasting before temporary.
static bool comes_before(const struct archetype *a, const struct archetype *b) {
    int order = cosmi_signature_compare(a->components, a->component_count, b->components,
                                        b->component_count);
    return order < 0 || (order == 0 && !a->temporary && b->temporary);
}

// Makes room for one more match, so that linking it cannot fail.
static bool reserve_match(cosm_query *query) {
    struct match **order =
        cosmi_array_grow(query->cache->schema->memory, query->order, &query->order_capacity,
                         query->order_count + 1, sizeof(*order));
    if (order == NULL) {
        return false;
    }
    query->order = order;
    return true;
}

// Links a match into the list that walkers follow. Its place is found in an array of the same
// order, which only the holder of the lock sees.
static void link_match(cosm_query *query, struct match *match) {
    uint32_t low = 0;
    uint32_t high = query->order_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (comes_before(query->order[middle]->archetype, match->archetype)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    memmove(query->order + low + 1, query->order + low,
            (query->order_count - low) * sizeof(*query->order));
    query->order[low] = match;
    query->order_count++;
    struct match *next = low + 1 < query->order_count ? query->order[low + 1] : NULL;
    atomic_store_explicit(&match->next, next, memory_order_relaxed);
    atomic_store_explicit(low == 0 ? &query->matches : &query->order[low - 1]->next, match,
                          memory_order_release);
}

// The schema's hook: makes all matches of a new archetype before it links the first one.
static bool see_archetype(void *context, struct archetype *archetype) {
    struct query_cache *cache = context;
    bool done = true;
    for (uint32_t i = 0; i < cache->count && done; i++) {
        cosm_query *query = cache->queries[i];
        if (query != NULL && cosmi_query_matches(query, archetype)) {
            query->pending = reserve_match(query) ? make_match(query, archetype) : NULL;
            done = query->pending != NULL;
        }
    }
    done = done &&
           (cache->on_matched == NULL || cache->on_matched(cache->on_matched_context, archetype));
    for (uint32_t i = 0; i < cache->count; i++) {
        cosm_query *query = cache->queries[i];
        if (query == NULL || query->pending == NULL) {
            continue;
        }
        if (done) {
            link_match(query, query->pending);
        } else {
            cosmi_memory_free(cache->schema->memory, query->pending, match_size(query),
                              _Alignof(struct match));
        }
        query->pending = NULL;
    }
    return done;
}

static cosm_result check_term(const struct schema *schema, const char *call, const cosm_term *term,
                              uint32_t index) {
    bool kind_known = (unsigned)term->kind <= COSM_TERM_ANY_OF;
    bool access_known = (unsigned)term->access <= COSM_ACCESS_MARK;
    if (!kind_known || !access_known || term->group > 31) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: terms[%u] has kind %d, access %d, group %u; use the values of "
                          "cosm_term_kind and cosm_access, and groups 0 to 31",
                          call, index, (int)term->kind, (int)term->access, term->group);
    }
    const struct value_type *type = schema_component(schema, term->component.id);
    bool can_change = type != NULL && type->cell_size > 0 &&
                      (term->kind == COSM_TERM_WITH || term->kind == COSM_TERM_ANY_OF);
    if (term->changed && !can_change) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: terms[%u] is 'changed' with kind %d and component %u; only "
                          "components with a column track changes: use COSM_TERM_WITH or "
                          "COSM_TERM_ANY_OF with one",
                          call, index, (int)term->kind, term->component.id);
    }
    if (term->kind == COSM_TERM_OPTIONAL && schema_bundle(schema, term->component.id) != NULL) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: terms[%u] is an optional bundle '%s', which has no effect; list "
                          "the members that you want to read",
                          call, index, schema_bundle(schema, term->component.id)->name);
    }
    return COSM_OK;
}

// A term behind an empty one would be lost, and the query match more than was meant.
static cosm_result check_term_list(const struct schema *schema, const char *call,
                                   const cosm_query_desc *desc, uint32_t term_count) {
    for (uint32_t i = term_count; i < COSM_QUERY_TERM_MAX; i++) {
        if (desc->terms[i].component.id != 0) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: terms[%u] follows an empty entry at [%u]; a zero ends the "
                              "list: check the definition that returned it",
                              call, i, term_count);
        }
    }
    return COSM_OK;
}

// Copies the shared value that a term asks for.
static cosm_result keep_value(cosm_query *query, const char *call, uint32_t index,
                              const void *value) {
    struct schema *schema = query->cache->schema;
    cosm_term *term = &query->terms[index];
    const struct value_type *type = schema_component(schema, term->component.id);
    if (type == NULL || type->storage != COSM_STORAGE_SHARED || term->kind != COSM_TERM_WITH) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: terms[%u] has a value; only COSM_TERM_WITH of a component with "
                          "COSM_STORAGE_SHARED can ask for one",
                          call, index);
    }
    void *bytes = cosmi_memory_alloc(schema->memory, type->size, type->alignment);
    bool copied = bytes != NULL;
    if (copied && type->lifecycle.copy != NULL) {
        copied = type->lifecycle.copy(type->lifecycle.context, bytes, value);
    } else if (copied) {
        memcpy(bytes, value, type->size);
    }
    if (!copied) {
        cosmi_memory_free(schema->memory, bytes, type->size, type->alignment);
        return cosmi_fail_memory(schema->sink, schema->memory, call);
    }
    term->value = bytes;
    query->value_hashes[index] = cosmi_shared_hash(type, bytes);
    query->value_count++;
    if (query->value_count == 1) {
        query->value_term = index;
        query->value_type = type;
    }
    return COSM_OK;
}

// The type of a term's column, for typed access; zero where there is none.
static uint64_t term_type_key(const struct value_type *type, cosm_term_kind kind) {
    if (type == NULL || type->cell_size == 0 || kind == COSM_TERM_WITHOUT) {
        return 0;
    }
    return type->storage == COSM_STORAGE_MANAGED ? cosmi_type_key("cosm_ticket") : type->type_key;
}

// Two components of one type: access by type would find one of them by luck, so it finds neither.
static bool is_double(const cosm_query *query, const uint64_t *type_keys, uint32_t term) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (type_keys[i] == type_keys[term] &&
            query->infos[i].component != query->infos[term].component) {
            return true;
        }
    }
    return false;
}

// What typed access compares, term by term. Called when sizes and accesses are known.
static void fill_keys(cosm_query *query, const uint64_t *type_keys) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        cosm_term_info *info = &query->infos[i];
        if (type_keys[i] != 0 && !is_double(query, type_keys, i)) {
            cosm_type type = {NULL, info->size, type_keys[i]};
            info->keys[false] = cosm_type_check(type);
            info->keys[true] = info->access == COSM_ACCESS_READ ? 0 : info->keys[false];
        }
    }
}

static cosm_result fill_terms(cosm_query *query, const char *call, const cosm_query_desc *desc) {
    const struct schema *schema = query->cache->schema;
    uint64_t type_keys[COSM_QUERY_TERM_MAX];
    query->by_world = desc->by_world;
    while (query->term_count < COSM_QUERY_TERM_MAX &&
           desc->terms[query->term_count].component.id != 0) {
        uint32_t i = query->term_count++;
        cosm_term *term = &query->terms[i];
        // Field by field, so that equal terms are equal bytes.
        term->component = desc->terms[i].component;
        term->kind = desc->terms[i].kind;
        term->access = desc->terms[i].access;
        term->group = desc->terms[i].group;
        term->changed = desc->terms[i].changed;
        query->changed |= (uint32_t)term->changed << i;
        query->is_filtered = query->is_filtered || term->changed;
        struct condition *condition = &query->conditions[i];
        condition->components =
            cosmi_schema_members(schema, call, &term->component, &condition->component_count);
        if (condition->components == NULL || check_term(schema, call, term, i) != COSM_OK) {
            return COSM_ERROR_ARGUMENT;
        }
        condition->kind = term->kind;
        condition->group = term->group;
        const struct value_type *type = schema_component(schema, term->component.id);
        bool is_shared = type != NULL && type->storage == COSM_STORAGE_SHARED;
        if (is_shared) {
            term->access = COSM_ACCESS_READ; // nobody writes what others have too
        }
        type_keys[i] = term_type_key(type, term->kind);
        query->infos[i] = (cosm_term_info){.size = type == NULL ? 0 : type->cell_size,
                                           .component = term->component.id,
                                           .kind = term->kind,
                                           .access = term->access,
                                           .shared_size = is_shared ? type->size : 0};
        bool writes = query->infos[i].size > 0 && term->access == COSM_ACCESS_WRITE &&
                      term->kind != COSM_TERM_WITHOUT;
        query->writes |= (uint32_t)writes << i;
        if (desc->terms[i].value != NULL) {
            cosm_result result = keep_value(query, call, i, desc->terms[i].value);
            if (result != COSM_OK) {
                return result;
            }
        }
        if (type != NULL && type->storage == COSM_STORAGE_MANAGED) {
            query->infos[i].access = COSM_ACCESS_READ;
        }
        if (term->kind == COSM_TERM_ANY_OF) {
            query->any_groups |= 1u << term->group;
        }
    }
    fill_keys(query, type_keys);
    // Last, because from here on sector components count as used.
    cosm_result result = check_term_list(schema, call, desc, query->term_count);
    for (uint32_t i = 0; i < query->term_count && result == COSM_OK; i++) {
        result = cosmi_sector_filter_add(query, call, i);
    }
    return result;
}

static uint64_t query_hash(const cosm_query *query) {
    uint64_t hash = (uint64_t)query->changed << 1 | (query->by_world ? 1 : 0);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const cosm_term *term = &query->terms[i];
        hash = hash_u64(hash, ((uint64_t)term->component.id << 32) | ((uint32_t)term->kind << 16) |
                                  ((uint32_t)term->access << 8) | term->group);
        hash = term->value == NULL ? hash : hash_u64(hash, query->value_hashes[i]);
    }
    return hash;
}

static bool term_equals(const cosm_query *a, const cosm_query *b, uint32_t index) {
    const cosm_term *left = &a->terms[index];
    const cosm_term *right = &b->terms[index];
    if (left->component.id != right->component.id || left->kind != right->kind ||
        left->access != right->access || left->group != right->group ||
        (left->value == NULL) != (right->value == NULL)) {
        return false;
    }
    const struct value_type *type = schema_component(a->cache->schema, left->component.id);
    return left->value == NULL || cosmi_shared_equals(type, left->value, right->value);
}

static bool query_equals(const void *context, uint32_t index, const void *key) {
    const struct query_cache *cache = context;
    const cosm_query *a = cache->queries[index];
    const cosm_query *b = key;
    bool equal =
        a->by_world == b->by_world && a->term_count == b->term_count && a->changed == b->changed;
    for (uint32_t i = 0; equal && i < a->term_count; i++) {
        equal = term_equals(a, b, i);
    }
    return equal;
}

static bool match_known_archetypes(cosm_query *query) {
    struct schema *schema = query->cache->schema;
    for (uint32_t id = 1; id < paged_count(&schema->archetypes); id++) {
        struct archetype *archetype = schema_archetype(schema, id);
        if (!cosmi_query_matches(query, archetype)) {
            continue;
        }
        struct match *match = reserve_match(query) ? make_match(query, archetype) : NULL;
        if (match == NULL) {
            return false;
        }
        link_match(query, match);
    }
    return true;
}

static bool keep_query(struct query_cache *cache, cosm_query *query) {
    bool is_last = cache->free_count == 0;
    uint32_t index = is_last ? cache->count : cache->free_indices[cache->free_count - 1];
    struct cosm_query **queries = cosmi_array_grow(cache->schema->memory, cache->queries,
                                                   &cache->capacity, index + 1, sizeof(*queries));
    cache->queries = queries == NULL ? cache->queries : queries;
    uint32_t *indices = cosmi_array_grow(cache->schema->memory, cache->free_indices,
                                         &cache->free_capacity, cache->count + 1, sizeof(*indices));
    cache->free_indices = indices == NULL ? cache->free_indices : indices;
    if (queries == NULL || indices == NULL) {
        return false;
    }
    if (!cosmi_map_reserve(&cache->map) || !match_known_archetypes(query)) {
        return false;
    }
    query->index = index;
    queries[index] = query;
    cache->count += is_last;
    cache->free_count -= !is_last;
    cosmi_map_insert(&cache->map, query_hash(query), index);
    cache->schema->on_archetype = see_archetype;
    cache->schema->on_archetype_context = cache;
    return true;
}

// Either the query itself is kept, or one of equal terms is returned in its stead.
static cosm_query *share_query(struct query_cache *cache, cosm_query *query) {
    cosmi_mutex_lock(&cache->schema->lock);
    uint32_t known = cosmi_map_find(&cache->map, query_hash(query), query_equals, cache, query);
    cosm_query *shared = NULL;
    if (known != MAP_NONE) {
        shared = cache->queries[known];
        shared->references++;
    } else if (keep_query(cache, query)) {
        shared = query;
    }
    cosmi_mutex_unlock(&cache->schema->lock);
    return shared;
}

cosm_query *cosmi_query_create(struct query_cache *cache, const char *call,
                               const cosm_query_desc *desc) {
    struct schema *schema = cache->schema;
    cosm_query *query =
        cosmi_memory_alloc_zeroed(schema->memory, sizeof(*query), _Alignof(cosm_query));
    if (query == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    query->cache = cache;
    query->references = 1;
    query->value_term = COSM_QUERY_TERM_MAX;
    atomic_init(&query->matches, NULL);
    if (fill_terms(query, call, desc) != COSM_OK) {
        free_query(query);
        return NULL;
    }
    cosm_query *shared = share_query(cache, query);
    if (shared == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    }
    if (shared != query) {
        free_query(query);
    }
    return shared;
}

void cosmi_query_cache_forget(struct query_cache *cache, uint32_t slot) {
    cosmi_mutex_lock(&cache->schema->lock);
    for (uint32_t i = 0; i < cache->count; i++) {
        struct match *match = cache->queries[i] == NULL ? NULL : match_first(cache->queries[i]);
        for (; match != NULL; match = match_next(match)) {
            atomic_store_explicit(&match->stores[slot], NULL, memory_order_relaxed);
        }
    }
    cosmi_mutex_unlock(&cache->schema->lock);
}

void cosmi_query_keep(cosm_query *query) {
    cosmi_mutex_lock(&query->cache->schema->lock);
    query->references++;
    cosmi_mutex_unlock(&query->cache->schema->lock);
}

void cosmi_query_release(cosm_query *query) {
    struct query_cache *cache = query->cache;
    cosmi_mutex_lock(&cache->schema->lock);
    INVARIANT(query->references > 0, "a query is released once for each time it was created");
    bool last = --query->references == 0;
    if (last) {
        cosmi_map_remove(&cache->map, query_hash(query), query->index);
        cache->queries[query->index] = NULL;
        cache->free_indices[cache->free_count++] = query->index;
    }
    cosmi_mutex_unlock(&cache->schema->lock);
    if (last) {
        free_query(query);
    }
}
