// Transitions: how a row gets from one archetype to another, made once for each pair.
#include "base/check.h"
#include "base/hash.h"
#include "schema/schema.h"

struct pair_key {
    const struct archetype *source;
    const struct archetype *target;
};

// A transition as the map finds it.
struct transition_entry {
    struct transition transition;
    const struct archetype *source;
};

static uint64_t pair_hash(const struct pair_key *key) {
    return hash_mix(((uint64_t)key->source->id << 32) | key->target->id);
}

static bool pair_equals(const void *context, uint32_t index, const void *key_pointer) {
    const struct schema *schema = context;
    const struct transition_entry *entry = paged_known(&schema->transition_list, index);
    const struct pair_key *key = key_pointer;
    return entry->source == key->source && entry->transition.target == key->target;
}

// Lists the columns that both sides have, and those that only the target has.
static bool fill_transition(struct schema *schema, struct transition_entry *entry,
                            const struct archetype *source, struct archetype *target) {
    struct column_copy *copies = cosmi_arena_take(
        &schema->arena, target->column_count * sizeof(*copies), _Alignof(struct column_copy));
    uint16_t *fills =
        cosmi_arena_take(&schema->arena, target->column_count * sizeof(*fills), _Alignof(uint16_t));
    if (copies == NULL || fills == NULL) {
        return false;
    }
    uint32_t copy_count = 0;
    uint32_t fill_count = 0;
    copies[copy_count++] =
        (struct column_copy){ENTITY_COLUMN, ENTITY_COLUMN, target->columns[ENTITY_COLUMN].size};
    for (uint32_t c = 1; c < target->column_count; c++) {
        const struct column_slot *slot = archetype_find(source, target->columns[c].component);
        if (slot != NULL) {
            copies[copy_count++] =
                (struct column_copy){slot->column, (uint16_t)c, target->columns[c].size};
        } else {
            fills[fill_count++] = (uint16_t)c;
        }
    }
    entry->source = source;
    entry->transition = (struct transition){target, copy_count, fill_count, copies, fills};
    return true;
}

static const struct transition *transition_locked(struct schema *schema,
                                                  const struct archetype *source,
                                                  struct archetype *target) {
    struct pair_key key = {source, target};
    uint64_t hash = pair_hash(&key);
    uint32_t known = cosmi_map_find(&schema->transitions, hash, pair_equals, schema, &key);
    if (known != MAP_NONE) {
        struct transition_entry *entry = paged_known(&schema->transition_list, known);
        return &entry->transition;
    }
    uint32_t index = paged_count(&schema->transition_list);
    struct transition_entry *entry =
        cosmi_arena_take(&schema->arena, sizeof(*entry), _Alignof(struct transition_entry));
    if (entry == NULL || !fill_transition(schema, entry, source, target)) {
        return NULL;
    }
    // Past the list's end a transition is made anew each time it is asked for by pair; edges, which
    // hold theirs by pointer, are not concerned.
    if (index < PAGED_MAX) {
        if (!cosmi_map_reserve(&schema->transitions) ||
            !cosmi_paged_reserve(&schema->transition_list, schema->memory, index)) {
            return NULL;
        }
        cosmi_paged_set(&schema->transition_list, index, entry);
        cosmi_map_insert(&schema->transitions, hash, index);
    }
    return &entry->transition;
}

const struct transition *cosmi_schema_transition(struct schema *schema, const char *call,
                                                 const struct archetype *source,
                                                 struct archetype *target) {
    cosmi_mutex_lock(&schema->lock);
    const struct transition *transition = transition_locked(schema, source, target);
    cosmi_mutex_unlock(&schema->lock);
    if (transition == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    }
    return transition;
}

static edge *edge_of(struct edge_page *page, uint32_t component, bool add) {
    uint32_t index = component % EDGE_PAGE_COMPONENTS;
    return add ? &page->add[index] : &page->remove[index];
}

// Keeps a transition as an edge. A failure costs only time, later.
static void keep_edge(struct schema *schema, struct archetype *source, uint32_t component, bool add,
                      const struct transition *transition) {
    cosmi_mutex_lock(&schema->lock);
    _Atomic(struct edge_page *) *place = &source->edges[component / EDGE_PAGE_COMPONENTS];
    struct edge_page *page = atomic_load_explicit(place, memory_order_relaxed);
    if (page == NULL) {
        page = cosmi_arena_take(&schema->arena, sizeof(*page), _Alignof(struct edge_page));
        if (page != NULL) {
            for (uint32_t i = 0; i < EDGE_PAGE_COMPONENTS; i++) {
                atomic_init(&page->add[i], NULL);
                atomic_init(&page->remove[i], NULL);
            }
            atomic_store_explicit(place, page, memory_order_release);
        }
    }
    if (page != NULL) {
        atomic_store_explicit(edge_of(page, component, add), transition, memory_order_release);
    }
    cosmi_mutex_unlock(&schema->lock);
}

const struct transition *cosmi_schema_edge(struct schema *schema, const char *call,
                                           struct archetype *source, uint32_t component, bool add) {
    const struct transition *known = archetype_edge(source, component, add);
    if (known != NULL) {
        return known;
    }
    struct signature signature = {.count = source->component_count};
    for (uint32_t i = 0; i < source->component_count; i++) {
        signature.ids[i] = source->components[i];
    }
    if (add) {
        cosmi_signature_add(&signature, component);
    } else {
        cosmi_signature_remove(&signature, component);
    }
    struct archetype *target = cosmi_schema_form(schema, call, &signature);
    if (target == NULL) {
        return NULL;
    }
    const struct transition *transition = cosmi_schema_transition(schema, call, source, target);
    if (transition != NULL) {
        keep_edge(schema, source, component, add, transition);
    }
    return transition;
}
