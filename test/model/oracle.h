// The oracle: what the library should hold, as plain arrays. It calls nothing of the library.
//
// Bytes are not kept: a component's value is a number, and value_bytes makes the bytes from it.
// Zero makes zeroes. A set of components is a bit mask.
#ifndef MODEL_ORACLE_H
#define MODEL_ORACLE_H

#include <cosm/cosm.h>

#include "model.h"
#include "shape.h"

enum {
    ORACLE_COMPONENT_MAX = 32,
    ORACLE_KIND_MAX = 48,
    ORACLE_WORLD_MAX = 18,
    ORACLE_SINGLETON_MAX = 8,
    ORACLE_QUERY_MAX = 10,
    ORACLE_BAG_MAX = 8,
    ORACLE_TERM_MAX = 6,
    ORACLE_ID_MAX = 1 << 20,
};

// A component or a bundle.
struct kind {
    cosm_component id;
    char name[24];
    size_t size;
    size_t alignment;
    size_t asked;     // the alignment it was defined with; zero: what the size allows
    uint32_t initial; // the value that is its default
    uint32_t bit;     // of a plain component
    cosm_storage storage;
    uint32_t hooks; // HOOK_… of its lifecycle; zero: plain bytes
    uint64_t set;   // its own bit, or those of its members
    bool bundle;
    bool split;          // its own layout
    bool field_defaults; // its default is told field by field
    struct shape shape;  // of no fields: it is not described
};

// Which functions the lifecycle of a component has. Its values are then objects of the account
// (account.h), and the first bytes are their number there.
enum {
    HOOK_COPY = 1, // with destroy, equals and hash
    HOOK_MOVE = 2,
    HOOK_CONSTRUCT = 4,
    HOOK_MEET = 8, // hashes of few bits, so that different values meet and equality decides
};

// Sector components that lie in one record.
struct group {
    cosm_sector_group id;
    uint64_t set;
    size_t stride; // bytes of a record, as the library has laid it out; zero: not seen yet
};

// An archetype that was defined, or that was seen after it was formed.
struct archetype {
    cosm_archetype id;
    char name[24];
    uint64_t set;
    uint64_t split; // those of the set that are split in its tables
    uint32_t max;   // rows per world; zero: no limit
    bool sealed;
    bool temporary;
};

struct singleton {
    cosm_singleton id;
    char name[24];
    size_t size;
    size_t alignment;
    uint32_t initial;
};

struct term {
    uint64_t set; // the component's bit, or the bundle's members
    uint32_t kind;
    cosm_term_kind how;
    cosm_access access;
    uint32_t group;
    uint32_t value; // of a shared component: rows with just this one; zero: any
};

struct query {
    cosm_query *library; // NULL: the slot is free
    struct term terms[ORACLE_TERM_MAX];
    uint32_t term_count;
    bool by_world;
    uint32_t walks; // under way
};

// An entity, at the index of its id.
struct being {
    cosm_entity handle;
    bool alive;
    uint64_t set;
    uint32_t value[ORACLE_COMPONENT_MAX]; // of a managed component zero is no object
    uint32_t parent;                      // its id plus one; zero: none
    int64_t since;                        // orders the children of one parent
};

struct row {
    uint32_t value[ORACLE_COMPONENT_MAX];
};

// The rows of a temporary archetype in one world, in the order in which they were added.
struct bag {
    uint32_t archetype; // index of the oracle's archetype
    struct row *rows;
    uint32_t count;
    uint32_t capacity;
};

// A handle that the library gave out, ever; chained by id.
struct given {
    cosm_entity handle;
    uint32_t before; // index of an earlier one of the same id, plus one
};

struct world {
    struct being *beings;
    uint32_t *given_last; // per id: index of the last one given, plus one
    uint32_t being_capacity;
    uint32_t alive_count;
    struct given *given;
    uint32_t given_count;
    uint32_t given_capacity;
    struct bag bags[ORACLE_BAG_MAX];
    uint32_t bag_count;
    uint32_t singletons[ORACLE_SINGLETON_MAX];
    bool fresh; // nothing was despawned since the world was empty: ids come in order
    uint32_t fresh_next;
    uint32_t freed; // the id that was freed just before and is due next, plus one; zero: unknown
    uint32_t walks; // of this world alone
    int64_t links;  // made so far
};

struct oracle {
    enum model_fault fault;
    struct kind kinds[ORACLE_KIND_MAX];
    uint32_t kind_count;
    uint32_t plain[ORACLE_COMPONENT_MAX]; // by bit: index of the kind
    uint32_t plain_count;
    uint64_t shared; // the components with this storage, a bit each
    uint64_t managed;
    uint64_t sectors;
    struct group groups[ORACLE_COMPONENT_MAX];
    uint32_t group_count;
    struct archetype *archetypes;
    uint32_t archetype_count;
    uint32_t archetype_capacity;
    struct singleton singletons[ORACLE_SINGLETON_MAX];
    uint32_t singleton_count;
    struct query queries[ORACLE_QUERY_MAX];
    struct world worlds[ORACLE_WORLD_MAX];
    uint32_t world_count;
    uint64_t step_count;
};

// The bytes of a value. `salt` tells components apart, so that a mix-up of two of them shows.
void value_bytes(uint32_t salt, uint32_t value, void *out, size_t size);
bool value_equals(uint32_t salt, uint32_t value, const void *bytes, size_t size);

// What of a set is part of its archetype: sector components are not.
uint64_t table_set(const struct oracle *o, uint64_t set);

// The value that a component begins with.
uint32_t first_value(const struct oracle *o, uint32_t bit);

// Different values of a shared component in a world, and records of a group of sector components.
uint32_t distinct_count(const struct oracle *o, uint32_t world, uint32_t bit);
uint32_t record_count(const struct oracle *o, uint32_t world, uint64_t group);

// Objects of a managed component in a world, those of temporary rows too.
uint32_t object_count(const struct oracle *o, uint32_t world, uint32_t bit);

// The archetype with that set; the temporary one or the lasting one. NULL: not seen yet.
struct archetype *archetype_of_set(struct oracle *o, uint64_t set, bool temporary);
struct archetype *archetype_of_id(struct oracle *o, cosm_archetype id);
struct archetype *archetype_append(struct oracle *o, const struct archetype *archetype);

// Bytes of all values of a set, as structs.
size_t set_size(const struct oracle *o, uint64_t set);

// Those of a set that are split in its tables, and the bytes of one row there.
uint64_t split_of_set(struct oracle *o, uint64_t set, bool temporary);
size_t row_size(struct oracle *o, uint64_t set, bool temporary);

// The living entity of that handle, or NULL.
struct being *being_find(struct oracle *o, uint32_t world, cosm_entity handle);

// Living entities of a set, and the n-th living entity of a world.
uint32_t being_count(const struct oracle *o, uint32_t world, uint64_t set);
struct being *being_nth(struct oracle *o, uint32_t world, uint32_t n);

// Remembers that a handle was given out; false when it was given out before.
bool handle_give(struct oracle *o, uint32_t world, cosm_entity handle);

// Brings an entity to life with defaults, and ends it.
struct being *being_spawn(struct oracle *o, uint32_t world, cosm_entity handle, uint64_t set);
void being_despawn(struct oracle *o, uint32_t world, struct being *being);

// Is `above` the being itself, or above it in the tree?
bool being_is_below(struct oracle *o, uint32_t world, const struct being *being,
                    const struct being *above);

// Gives a being a parent, or (NULL) none. The one it has already: nothing changes.
void being_link(struct oracle *o, uint32_t world, struct being *being, const struct being *parent);

// Ends a being and all below it; how many that were, and (unless NULL) told of each before it ends.
typedef void being_fn(void *context, const struct being *being);
uint32_t being_despawn_tree(struct oracle *o, uint32_t world, struct being *being, being_fn *told,
                            void *context);

// Changes an entity's set. What is new gets its default.
void being_change(struct oracle *o, struct being *being, uint64_t set);

// The bag of a temporary archetype, made when there is none yet; and adding a row of defaults.
struct bag *bag_of(struct oracle *o, uint32_t world, const struct archetype *archetype);
struct row *bag_append(struct oracle *o, struct bag *bag);

// Rows of an archetype in a world, lasting or temporary.
uint32_t row_count(struct oracle *o, uint32_t world, const struct archetype *archetype);

// Does an entity of this set, or a temporary row, with these values match the query? May an entity
// of this archetype?
bool query_takes(const struct oracle *o, const struct query *query, uint64_t set,
                 const uint32_t *values);
bool query_may_take(const struct oracle *o, const struct query *query,
                    const struct archetype *archetype);

// Is a direct structural change of the world refused?
bool world_is_walked(const struct oracle *o, uint32_t world);

// Component bytes of all rows of a world.
uint64_t world_live(struct oracle *o, uint32_t world);

// Empties a world but for its singletons.
void world_clear(struct oracle *o, uint32_t world);

// Copies and frees what can die and change: the entities.
void world_copy_beings(struct world *to, const struct world *from);

// Makes a world what another one is, but for its walks.
void world_copy(struct world *to, const struct world *from);
void world_free(struct world *w);

void oracle_free(struct oracle *o);

// Room for `needed` items in an array that grows. Ends the process without memory.
void *grow(void *items, uint32_t *capacity, uint32_t needed, size_t item_size);

#endif
