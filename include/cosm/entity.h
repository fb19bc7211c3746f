// Entities: spawn, despawn, access, add and remove components.
//
// Any handle is safe to pass: with a stale, zeroed or arbitrary handle, a call returns NULL, false,
// none or COSM_STALE. A handle does not record its world: passed to another world, it may name an
// entity there.
//
// Ids are reused in a fixed order: the last freed first, and from zero again once all ids of a
// world are free. Values passed in may lie in rows of the same world.
//
// Pointers to rows are valid until the next structural change of their world: spawn, despawn, add,
// remove, and anything that does these in bulk or moves rows (applying commands, reset, reserve,
// clearing or sorting a table, trim). While a world is being walked, structural changes fail with
// COSM_ERROR_WALKED; record commands instead.
#ifndef COSM_ENTITY_H
#define COSM_ENTITY_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Spawns an entity with the default values of its components. COSM_ENTITY_NONE on failure. O(c) for
// c components.
COSM_API cosm_entity cosm_entity_spawn(cosm_world world, cosm_archetype archetype);

// The same, with values for some of the components.
COSM_API cosm_entity cosm_entity_spawn_with(cosm_world world, cosm_archetype archetype,
                                            const cosm_value *values, uint32_t value_count);

// Spawns `count` entities and sets `out_rows` to their rows, to be filled column by column with
// COSM_WRITE. `out_rows` is empty after a failure, and if observers moved or despawned some of
// the new entities. For a temporary archetype, adds `count` rows without handles.
COSM_API COSM_MUST_USE cosm_result cosm_entity_spawn_many(cosm_world world,
                                                          cosm_archetype archetype, uint32_t count,
                                                          cosm_rows *out_rows);

// The same, with values for some of the components; all new entities get the same values.
COSM_API COSM_MUST_USE cosm_result
cosm_entity_spawn_many_with(cosm_world world, cosm_archetype archetype, uint32_t count,
                            const cosm_value *values, uint32_t value_count, cosm_rows *out_rows);

// As cosm_entity_spawn_many, but leaves the new rows uninitialized: write all their bytes before
// anything reads them. For bulk loading, where setting defaults would dominate the cost.
COSM_API COSM_MUST_USE cosm_result cosm_entity_spawn_many_unset(cosm_world world,
                                                                cosm_archetype archetype,
                                                                uint32_t count,
                                                                cosm_rows *out_rows);

// Despawns an entity. Its id is reused with another generation. O(c).
COSM_API COSM_MUST_USE cosm_result cosm_entity_despawn(cosm_world world, cosm_entity entity);

// Despawns the entities that are alive and skips the others.
COSM_API COSM_MUST_USE cosm_result cosm_entity_despawn_many(cosm_world world,
                                                            const cosm_entity *entities,
                                                            uint32_t count);

// O(1).
COSM_API bool cosm_entity_is_alive(cosm_world world, cosm_entity entity);

static inline bool cosm_entity_equals(cosm_entity a, cosm_entity b) {
    return a.gen == b.gen && a.id == b.id;
}

static inline bool cosm_entity_is_none(cosm_entity entity) {
    return cosm_entity_equals(entity, COSM_ENTITY_NONE);
}

// True if the entity has the component (for a bundle: all its members). O(1).
COSM_API bool cosm_entity_has(cosm_world world, cosm_entity entity, cosm_component component);

// The entity's archetype, or zero. O(1).
COSM_API cosm_archetype cosm_entity_archetype(cosm_world world, cosm_entity entity);

// Copies the component's value, whatever its layout. Returns false and does nothing if the entity
// is stale or lacks the component, or the component has no bytes. O(1); O(fields) if split.
COSM_API bool cosm_entity_get(cosm_world world, cosm_entity entity, cosm_component component,
                              void *out_value);

// A pointer to the component's value. NULL if the entity is stale or lacks the component, or the
// component has no bytes. NULL, reported, if the component is split. O(1): one lookup of the
// entity, one of the column.
COSM_API const void *cosm_entity_read(cosm_world world, cosm_entity entity,
                                      cosm_component component);
COSM_API void *cosm_entity_write(cosm_world world, cosm_entity entity, cosm_component component);

// The same for many entities, with overlapped lookups: several times faster in large worlds in
// random order. Entities without a value give NULL. Returns how many have one.
COSM_API uint32_t cosm_entity_read_many(cosm_world world, const cosm_entity *entities,
                                        uint32_t count, cosm_component component,
                                        const void **out_values);
COSM_API uint32_t cosm_entity_write_many(cosm_world world, const cosm_entity *entities,
                                         uint32_t count, cosm_component component,
                                         void **out_values);

// Adds a component (or all members of a bundle) with default values. Components that the entity has
// keep their values. Moves the entity's row to another table. O(c).
COSM_API COSM_MUST_USE cosm_result cosm_entity_add(cosm_world world, cosm_entity entity,
                                                   cosm_component component);

// Removes a component (or all members of a bundle). Absent ones are ignored.
COSM_API COSM_MUST_USE cosm_result cosm_entity_remove(cosm_world world, cosm_entity entity,
                                                      cosm_component component);

// Sets the component's value, and adds the component if it is absent. `value` points to a whole
// value; it may be NULL for a tag.
COSM_API COSM_MUST_USE cosm_result cosm_entity_set(cosm_world world, cosm_entity entity,
                                                   cosm_component component, const void *value);

// The same for an array of entities. Stale ones are skipped. On failure no entity has changed.
// `values` is an array with one value per entity.
COSM_API COSM_MUST_USE cosm_result cosm_entity_add_many(cosm_world world,
                                                        const cosm_entity *entities, uint32_t count,
                                                        cosm_component component);
COSM_API COSM_MUST_USE cosm_result cosm_entity_remove_many(cosm_world world,
                                                           const cosm_entity *entities,
                                                           uint32_t count,
                                                           cosm_component component);
COSM_API COSM_MUST_USE cosm_result cosm_entity_set_many(cosm_world world,
                                                        const cosm_entity *entities, uint32_t count,
                                                        cosm_component component,
                                                        const void *values);

// A value with its type, made by COSM_VALUE of typed.h. `data` NULL: the default value.
typedef struct cosm_typed {
    cosm_type type;
    const void *data;
} cosm_typed;

// Called by the macros of typed.h. Report a type that no component has. The parts of a type are
// passed one by one, which puts them into registers.
COSM_API const void *cosm_entity_read_key(cosm_world world, cosm_entity entity, uint64_t key,
                                          size_t size, const char *name);
COSM_API void *cosm_entity_write_key(cosm_world world, cosm_entity entity, uint64_t key,
                                     size_t size, const char *name);

static inline const void *cosm_entity_read_type(cosm_world world, cosm_entity entity,
                                                cosm_type type) {
    return cosm_entity_read_key(world, entity, type.key, type.size, type.name);
}

static inline void *cosm_entity_write_type(cosm_world world, cosm_entity entity, cosm_type type) {
    return cosm_entity_write_key(world, entity, type.key, type.size, type.name);
}

COSM_API cosm_entity cosm_entity_spawn_typed(cosm_world world, const cosm_typed *values,
                                             uint32_t value_count);

// The component with this C type, or else with this name, and with the type's size if it has one.
// Zero, reported, if there is none.
COSM_API cosm_component cosm_world_component(cosm_world world, cosm_type type);

COSM_END_C

#endif
