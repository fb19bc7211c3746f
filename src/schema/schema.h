// The schema: everything an engine has defined.
//
// Definitions are made under one lock and published in paged lists, so that looking one up needs
// no lock. Nothing is ever taken back while the engine lives.
#ifndef COSM_SCHEMA_SCHEMA_H
#define COSM_SCHEMA_SCHEMA_H

#include <cosm/component.h>
#include <cosm/singleton.h>

#include "base/map.h"
#include "base/os.h"
#include "base/paged.h"
#include "schema/archetype.h"
#include "schema/field.h"
#include "schema/signature.h"
#include "schema/type_map.h"

// A bundle's id has this bit; the rest is its number, from 1.
#define BUNDLE_BIT 0x80000000u

struct sector_group;
struct template_object;

// A component or a singleton: a type of value with a name.
struct value_type {
    uint32_t id;
    const char *name;
    const char *type_name; // of its C type, as far as it is known: else its name
    bool type_is_known;
    uint64_t type_key;
    uint32_t size;
    uint32_t alignment;
    const void *default_value; // NULL: zeroes
    cosm_layout layout;        // of components
    cosm_storage storage;      // of components
    bool change_rows;          // of components
    uint32_t cell_size;        // bytes that a row of a table has of it
    uint32_t cell_alignment;
    cosm_lifecycle lifecycle; // of components
    uint32_t managed_number;  // of managed components: its number among them, from 0
    bool is_object;           // a copy of it is made and ended by its lifecycle
    uint32_t sector_member;   // of sector components, once they have a group: their number in it
    _Atomic(const struct sector_group *) sector_group; // store/sector_set.h
    uint64_t hash; // what the bytes mean: see cosm_component_info
    struct field_list fields;
    const char *doc;           // NULL: none
    _Atomic(const void *) key; // the cosm_component_type or _singleton_type it was registered with
};

struct bundle {
    uint32_t id; // with BUNDLE_BIT
    const char *name;
    uint32_t member_count;
    const uint32_t *members; // ascending
};

// Called under the schema's lock before a new archetype is published. False vetoes it.
typedef bool archetype_hook(void *context, struct archetype *archetype);

// Called under the schema's lock before a new singleton is published: makes its place in every
// batch. False, with a message, leaves it undefined.
typedef bool singleton_hook(void *context, const struct value_type *singleton);

struct schema {
    struct memory *memory;
    const struct sink *sink;
    struct mutex lock;
    struct arena arena;
    struct paged components; // index 0 is never set, as id 0 is nothing
    struct paged bundles;
    struct paged singletons;
    struct paged archetypes;
    struct paged sector_groups; // store/sector_set.h
    struct paged templates;
    struct template_object *template_objects; // schema/template_keep.c
    atomic_uint managed_count;                // components with COSM_STORAGE_MANAGED
    atomic_uint object_count;                 // components that are objects
    struct map component_names;               // components and bundles: ids, BUNDLE_BIT included
    struct map singleton_names;
    struct type_map component_types;
    struct type_map singleton_types;
    struct map archetype_names;
    struct map archetype_sets;
    struct map template_names;
    struct map transitions; // by source and target: indices of the entries
    struct transition_entry **transition_entries;
    uint32_t transition_count;
    uint32_t transition_capacity;
    archetype_hook *on_archetype;
    void *on_archetype_context;
};

bool cosmi_schema_init(struct schema *schema, struct memory *memory, const struct sink *sink);
void cosmi_schema_free(struct schema *schema);

// Types remember in a word of their own which id they most likely have; see cosm_component_of. The
// word is a plain one because C++ programs have such types too; the library alone touches it, and
// always so.
static inline uint32_t hint_load(uint32_t *hint) {
    return atomic_load_explicit((_Atomic(uint32_t) *)hint, memory_order_relaxed);
}

static inline void hint_store(uint32_t *hint, uint32_t id) {
    atomic_store_explicit((_Atomic(uint32_t) *)hint, id, memory_order_relaxed);
}

static inline bool value_has_key(const struct value_type *type, const void *key) {
    return type != NULL && atomic_load_explicit(&type->key, memory_order_acquire) == key;
}

// How many components are managed: 0 spares a look for their objects.
static inline uint32_t schema_managed_count(const struct schema *schema) {
    return atomic_load_explicit(&schema->managed_count, memory_order_relaxed);
}

// The same for objects, wherever they are.
static inline uint32_t schema_object_count(const struct schema *schema) {
    return atomic_load_explicit(&schema->object_count, memory_order_relaxed);
}

// The thing with that id, or NULL.
static inline const struct value_type *schema_component(const struct schema *schema, uint32_t id) {
    return id < paged_count(&schema->components) ? paged_get(&schema->components, id) : NULL;
}

static inline const struct bundle *schema_bundle(const struct schema *schema, uint32_t id) {
    uint32_t index = id & ~BUNDLE_BIT;
    return (id & BUNDLE_BIT) != 0 && index < paged_count(&schema->bundles)
               ? paged_get(&schema->bundles, index)
               : NULL;
}

static inline const struct value_type *schema_singleton(const struct schema *schema, uint32_t id) {
    return id < paged_count(&schema->singletons) ? paged_get(&schema->singletons, id) : NULL;
}

static inline struct archetype *schema_archetype(const struct schema *schema, uint32_t id) {
    return id < paged_count(&schema->archetypes) ? paged_get(&schema->archetypes, id) : NULL;
}

// Define: 0 on failure, with a message. The caller holds no lock.
uint32_t cosmi_schema_define_component(struct schema *schema, const cosm_component_desc *desc);
uint32_t cosmi_schema_define_bundle(struct schema *schema, const cosm_bundle_desc *desc);
uint32_t cosmi_schema_define_singleton(struct schema *schema, const cosm_singleton_desc *desc,
                                       singleton_hook *prepare, void *context);
uint32_t cosmi_schema_define_archetype(struct schema *schema, const cosm_archetype_desc *desc);

// Copies the value that a new one has. False where there is no such type, or it has no bytes.
bool cosmi_value_default(const struct value_type *type, void *out_value);

// Keeps in a type that it was registered with `key`, and in the hint of that which id it has. NULL:
// nothing is kept.
void cosmi_value_keep_key(const struct value_type *type, const void *key, uint32_t *hint);

// A type that was described outside of any engine, as it is looked for.
struct value_wanted {
    const char *call;
    const char *remedy; // what to call first
    const char *name;
    size_t size;
    const cosm_field *fields;
    uint32_t field_count;
    uint32_t *hint;
};

// Is `found`, which has the name, what is wanted? Then its id becomes the hint. Else there is a
// message.
bool cosmi_value_is_wanted(const struct schema *schema, const struct value_type *found,
                           const struct value_wanted *wanted);

// By name: 0 when absent.
uint32_t cosmi_schema_find_component(struct schema *schema, const char *name);
uint32_t cosmi_schema_find_singleton(struct schema *schema, const char *name);
uint32_t cosmi_schema_find_archetype(struct schema *schema, const char *name);

// The members of a component (itself) or a bundle. NULL, with a message that names `call`, when
// the id is not defined. `component` itself is the storage for a list of one.
const uint32_t *cosmi_schema_members(const struct schema *schema, const char *call,
                                     const cosm_component *component, uint32_t *out_count);

// Adds a list of components and bundles to a signature. On failure a message names `call`.
cosm_result cosmi_schema_collect(const struct schema *schema, const char *call,
                                 const cosm_component *list, uint32_t count,
                                 struct signature *signature);

// Adds the ids of a desc's `field`: those written into it, up to the first zero, and the further
// ones. An id behind a zero is refused: it would be lost, most likely because a definition before
// it failed.
cosm_result cosmi_schema_collect_desc(const struct schema *schema, const char *call,
                                      const char *field, const cosm_component *list,
                                      const cosm_component *more, uint32_t more_count,
                                      struct signature *signature);

// The lasting archetype of a set, or NULL when there is none.
struct archetype *cosmi_schema_find_set(struct schema *schema, const struct signature *signature);

// As above, formed when there is none. NULL, with a message that names `call`, on failure.
struct archetype *cosmi_schema_form(struct schema *schema, const char *call,
                                    const struct signature *signature);

// The same for a lasting or a temporary one.
struct archetype *cosmi_schema_form_kind(struct schema *schema, const char *call,
                                         const struct signature *signature, bool temporary);

// What adding (or removing) one plain component does to an archetype's rows; the transition to
// the archetype itself is never asked for. NULL, with a message, on failure. Lock-free once known.
const struct transition *cosmi_schema_edge(struct schema *schema, const char *call,
                                           struct archetype *source, uint32_t component, bool add);

// The transition from an archetype to itself: to a table of other shared values. NULL, with a
// message, when out of memory. Lock-free once known.
const struct transition *cosmi_schema_self(struct schema *schema, const char *call,
                                           struct archetype *archetype);

// Forgets the stores that transitions keep for a batch that ends.
void cosmi_schema_forget_slot(struct schema *schema, uint32_t slot);

// What adding (or removing) components does to an archetype's rows: NULL where nothing changes.
// On failure (sealed, temporary, limits, memory) a message names `call`.
cosm_result cosmi_schema_change(struct schema *schema, const char *call, struct archetype *source,
                                const uint32_t *components, uint32_t count, bool add,
                                const struct transition **out_transition);

// The transition between any two archetypes; NULL, with a message, when out of memory.
const struct transition *cosmi_schema_transition(struct schema *schema, const char *call,
                                                 const struct archetype *source,
                                                 struct archetype *target);

#endif
