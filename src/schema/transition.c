// Transitions: how a row gets from one archetype to another, made once for each pair.
#include <string.h>

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
    const struct transition_entry *entry = schema->transition_entries[index];
    const struct pair_key *key = key_pointer;
    return entry->source == key->source && entry->transition.target == key->target;
}

// A component whose layout differs: a part for each column of the side on which it is split.
static void add_reshapes(const struct archetype *source, const struct column_slot *slot,
                         const struct archetype *target, uint32_t column,
                         struct column_reshape *reshapes, uint32_t *count) {
    const struct column_info *from = &source->columns[slot->column];
    const struct column_info *to = &target->columns[column];
    if (to->part_count > 0) {
        reshapes[(*count)++] = (struct column_reshape){.source = slot->column,
                                                       .target = (uint16_t)column,
                                                       .size = to->size,
                                                       .source_stride = from->size,
                                                       .source_offset = to->offset,
                                                       .target_stride = to->size};
        return;
    }
    for (uint32_t p = 0; p < from->part_count; p++) {
        reshapes[(*count)++] = (struct column_reshape){.source = (uint16_t)(slot->column + p),
                                                       .target = (uint16_t)column,
                                                       .size = from[p].size,
                                                       .source_stride = from[p].size,
                                                       .target_stride = to->size,
                                                       .target_offset = from[p].offset};
    }
}

// How many parts have to be brought from one layout to the other.
static size_t count_reshapes(const struct archetype *source, const struct archetype *target) {
    size_t count = 0;
    for (uint32_t c = 1; c < target->column_count; c++) {
        const struct column_info *info = &target->columns[c];
        const struct column_slot *slot = archetype_find(source, info->component);
        if (slot != NULL && !info->is_ticks &&
            slot_is_split(source, slot) != (info->part_count > 0)) {
            count += info->part_count > 0 ? 1 : source->columns[slot->column].part_count;
        }
    }
    return count;
}

// Lists the columns of tickets that only the source has. False when out of memory.
static bool list_drops(struct schema *schema, struct transition *transition,
                       const struct archetype *source) {
    uint32_t count = 0;
    transition->drop_count = 0;
    transition->drops = NULL;
    for (uint32_t c = 1; c < source->column_count; c++) {
        const struct column_info *info = &source->columns[c];
        count +=
            info->managed != NULL && archetype_find(transition->target, info->component) == NULL;
    }
    if (count == 0) {
        return true;
    }
    uint16_t *drops = cosmi_arena_alloc(&schema->arena, count * sizeof(*drops), _Alignof(uint16_t));
    if (drops == NULL) {
        return false;
    }
    for (uint32_t c = 1; c < source->column_count; c++) {
        const struct column_info *info = &source->columns[c];
        if (info->managed != NULL && archetype_find(transition->target, info->component) == NULL) {
            drops[transition->drop_count++] = (uint16_t)c;
        }
    }
    transition->drops = drops;
    return true;
}

// Lists the columns that both sides have, and those that only the target has.
static bool fill_transition(struct schema *schema, struct transition_entry *entry,
                            const struct archetype *source, struct archetype *target) {
    size_t reshape_max = count_reshapes(source, target);
    struct column_copy *copies = cosmi_arena_alloc(
        &schema->arena, target->column_count * sizeof(*copies), _Alignof(struct column_copy));
    uint16_t *fills = cosmi_arena_alloc(&schema->arena, target->column_count * sizeof(*fills),
                                        _Alignof(uint16_t));
    struct column_reshape *reshapes =
        reshape_max == 0 ? NULL
                         : cosmi_arena_alloc(&schema->arena, reshape_max * sizeof(*reshapes),
                                             _Alignof(struct column_reshape));
    if (copies == NULL || fills == NULL || (reshape_max > 0 && reshapes == NULL)) {
        return false;
    }
    uint32_t copy_count = 0;
    uint32_t fill_count = 0;
    uint32_t reshape_count = 0;
    copies[copy_count++] =
        (struct column_copy){ENTITY_COLUMN, ENTITY_COLUMN, target->columns[ENTITY_COLUMN].size};
    for (uint32_t c = 1; c < target->column_count; c++) {
        const struct column_info *info = &target->columns[c];
        const struct column_slot *slot = archetype_find(source, info->component);
        if (slot != NULL && info->is_ticks) {
            copies[copy_count++] = (struct column_copy){(uint16_t)slot_ticks_column(source, slot),
                                                        (uint16_t)c, info->size};
            continue;
        }
        if (slot != NULL && slot_is_split(source, slot) == (info->part_count > 0)) {
            copies[copy_count++] = (struct column_copy){(uint16_t)(slot->column + info->part),
                                                        (uint16_t)c, info->size};
            continue;
        }
        fills[fill_count++] = (uint16_t)c;
        if (slot != NULL) {
            add_reshapes(source, slot, target, c, reshapes, &reshape_count);
        }
    }
    entry->source = source;
    struct transition *transition = &entry->transition;
    INVARIANT(reshape_count == reshape_max, "reshapes were counted as they are listed");
    transition->reshape_count = reshape_count;
    transition->reshapes = reshapes;
    for (uint32_t i = 0; i < BATCH_SLOT_MAX; i++) {
        atomic_init(&transition->stores[i], NULL);
    }
    transition->target = target;
    transition->copy_count = copy_count;
    transition->fill_count = fill_count;
    transition->copies = copies;
    transition->fills = fills;
    return list_drops(schema, transition, source);
}

static const struct transition *transition_locked(struct schema *schema,
                                                  const struct archetype *source,
                                                  struct archetype *target) {
    struct pair_key key = {source, target};
    uint64_t hash = pair_hash(&key);
    uint32_t known = cosmi_map_find(&schema->transitions, hash, pair_equals, schema, &key);
    if (known != MAP_NONE) {
        return &schema->transition_entries[known]->transition;
    }
    struct transition_entry *entry =
        cosmi_arena_alloc(&schema->arena, sizeof(*entry), _Alignof(struct transition_entry));
    if (entry == NULL || !fill_transition(schema, entry, source, target)) {
        return NULL;
    }
    struct transition_entry **entries =
        cosmi_array_grow(schema->memory, schema->transition_entries, &schema->transition_capacity,
                         schema->transition_count + 1, sizeof(*entries));
    if (entries == NULL) {
        return NULL;
    }
    schema->transition_entries = entries;
    if (!cosmi_map_reserve(&schema->transitions)) {
        return NULL;
    }
    cosmi_map_insert(&schema->transitions, hash, schema->transition_count);
    entries[schema->transition_count++] = entry;
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

void cosmi_schema_forget_slot(struct schema *schema, uint32_t slot) {
    cosmi_mutex_lock(&schema->lock);
    for (uint32_t i = 0; i < schema->transition_count; i++) {
        atomic_store_explicit(&schema->transition_entries[i]->transition.stores[slot], NULL,
                              memory_order_relaxed);
    }
    cosmi_mutex_unlock(&schema->lock);
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
        page = cosmi_arena_alloc(&schema->arena, sizeof(*page), _Alignof(struct edge_page));
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

const struct transition *cosmi_schema_self(struct schema *schema, const char *call,
                                           struct archetype *archetype) {
    const struct transition *known = atomic_load_explicit(&archetype->self, memory_order_acquire);
    if (known == NULL) {
        known = cosmi_schema_transition(schema, call, archetype, archetype);
        if (known != NULL) {
            atomic_store_explicit(&archetype->self, known, memory_order_release);
        }
    }
    return known;
}

// The set with components added or removed; those beside the tables are no part of it.
static struct signature changed_signature(const struct schema *schema,
                                          const struct archetype *source,
                                          const uint32_t *components, uint32_t count, bool add) {
    struct signature signature = {.count = source->component_count};
    memcpy(signature.ids, source->components, source->component_count * sizeof(*signature.ids));
    for (uint32_t i = 0; i < count; i++) {
        if (schema_component(schema, components[i])->storage == COSM_STORAGE_SECTOR) {
            continue;
        }
        if (add) {
            cosmi_signature_add(&signature, components[i]);
        } else {
            cosmi_signature_remove(&signature, components[i]);
        }
    }
    return signature;
}

const struct transition *cosmi_schema_edge(struct schema *schema, const char *call,
                                           struct archetype *source, uint32_t component, bool add) {
    const struct transition *known = archetype_edge(source, component, add);
    if (known != NULL) {
        return known;
    }
    struct signature signature = changed_signature(schema, source, &component, 1, add);
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

// Why an archetype's rows cannot change: `component` is one that would.
static cosm_result refuse_change(const struct schema *schema, const char *call,
                                 const struct archetype *source, uint32_t component, bool add) {
    const char *verb = add ? "add" : "remove";
    const char *name = schema_component(schema, component)->name;
    if (source->temporary) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: archetype %u '%s' is temporary: its rows cannot %s component '%s'; "
                          "leave it out of the query with a COSM_TERM_WITHOUT term",
                          call, source->id, source->name, verb, name);
    }
    return cosmi_fail(schema->sink, COSM_ERROR_SEALED,
                      "%s: archetype %u '%s' is sealed: its entities cannot %s component '%s'; "
                      "define it without `sealed`, or spawn them in another archetype",
                      call, source->id, source->name, verb, name);
}

cosm_result cosmi_schema_change(struct schema *schema, const char *call, struct archetype *source,
                                const uint32_t *components, uint32_t count, bool add,
                                const struct transition **out_transition) {
    uint32_t changes = 0;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_beside = schema_component(schema, components[i])->storage == COSM_STORAGE_SECTOR;
        if (!is_beside && (archetype_find(source, components[i]) != NULL) != add) {
            changes++;
            changed = components[i];
        }
    }
    *out_transition = NULL;
    if (changes == 0) {
        return COSM_OK;
    }
    if (source->temporary || source->sealed) {
        return refuse_change(schema, call, source, changed, add);
    }
    if (changes == 1) {
        *out_transition = cosmi_schema_edge(schema, call, source, changed, add);
    } else {
        struct signature signature = changed_signature(schema, source, components, count, add);
        struct archetype *target = cosmi_schema_form(schema, call, &signature);
        if (target != NULL) {
            *out_transition = cosmi_schema_transition(schema, call, source, target);
        }
    }
    return *out_transition == NULL ? cosm_error_result() : COSM_OK;
}
