// Entities: spawning, despawning, access, and change of components.
//
// Every call is safe with a handle that is stale, of another world, zeroed or random: it then
// returns NULL, false, none or COSM_STALE. A handle says nothing about its world: a handle of
// another world may name some entity of this one.
//
// Ids are recycled in a fixed order: the last freed first, and from zero again once all ids of a
// world are free. Values that are passed in may lie in rows of the same world.
//
// Pointers to rows are valid until the next structural change of the same world: spawn, despawn,
// add, remove, and whatever does these in bulk or moves rows (applying commands, reset, reserve,
// clearing or sorting a table, trim). A structural change while the world is being walked is
// refused with COSM_ERROR_WALKED; record it with commands instead.
#ifndef COSM_ENTITY_H
#define COSM_ENTITY_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Spawns one entity; its components get their default values. COSM_ENTITY_NONE on failure. O(c)
// for c components.
COSM_API cosm_entity cosm_entity_spawn(cosm_world world, cosm_archetype archetype);

// As above, with values for some of the components.
COSM_API cosm_entity cosm_entity_spawn_with(cosm_world world, cosm_archetype archetype,
                                            const cosm_value *values, uint32_t value_count);

// Spawns `count` entities and shows their rows, to be filled column by column with
// COSM_WRITE; after a failure it shows none, nor where observers were told of them and what
// they recorded has moved or ended some. For a temporary archetype, adds `count` rows without
// handles.
COSM_API COSM_MUST_USE cosm_result cosm_entity_spawn_many(cosm_world world,
                                                          cosm_archetype archetype, uint32_t count,
                                                          cosm_rows *out_rows);

// As cosm_entity_spawn_many, with values for some of the components, the same for all of the new
// entities.
COSM_API COSM_MUST_USE cosm_result
cosm_entity_spawn_many_with(cosm_world world, cosm_archetype archetype, uint32_t count,
                            const cosm_value *values, uint32_t value_count, cosm_rows *out_rows);

// As cosm_entity_spawn_many, but leaves the bytes of the new rows as they come: you write all of
// them before anything reads them. For bulk loading, where setting defaults first would be the
// larger cost.
COSM_API COSM_MUST_USE cosm_result cosm_entity_spawn_many_unset(cosm_world world,
                                                                cosm_archetype archetype,
                                                                uint32_t count,
                                                                cosm_rows *out_rows);

// Despawns an entity. Its id is handed out again with another generation. O(c).
COSM_API COSM_MUST_USE cosm_result cosm_entity_despawn(cosm_world world, cosm_entity entity);

// Despawns those that are alive; the others are passed over.
COSM_API COSM_MUST_USE cosm_result cosm_entity_despawn_many(cosm_world world,
                                                            const cosm_entity *entities,
                                                            uint32_t count);

// O(1).
COSM_API bool cosm_entity_is_alive(cosm_world world, cosm_entity entity);
COSM_API bool cosm_entity_is_none(cosm_entity entity);
COSM_API bool cosm_entity_equals(cosm_entity a, cosm_entity b);

// Does the entity have the component (of a bundle: all its members)? O(1).
COSM_API bool cosm_entity_has(cosm_world world, cosm_entity entity, cosm_component component);

// The entity's archetype, or zero. O(1).
COSM_API cosm_archetype cosm_entity_archetype(cosm_world world, cosm_entity entity);

// Where the entity is, or COSM_LOC_NONE. O(1).
COSM_API cosm_loc cosm_entity_loc(cosm_world world, cosm_entity entity);

// The entity at a place, or COSM_ENTITY_NONE. O(1).
COSM_API cosm_entity cosm_entity_at(cosm_world world, cosm_loc loc);

// Copies the component's value to `out_value`, whatever its layout. False, and nothing done, where
// the entity is stale, lacks the component, or the component has no bytes. O(1), O(fields) where
// split.
COSM_API bool cosm_entity_get(cosm_world world, cosm_entity entity, cosm_component component,
                              void *out_value);

// The component's bytes, or NULL where the entity is stale, lacks the component, or the component
// has no bytes; where it is split, NULL with a message. O(1): a directory look-up and a column
// look-up.
COSM_API const void *cosm_entity_read(cosm_world world, cosm_entity entity,
                                      cosm_component component);
COSM_API void *cosm_entity_write(cosm_world world, cosm_entity entity, cosm_component component);

// As above for many entities at once, with the look-ups overlapped; absent ones give NULL.
// Returns how many were found. For large worlds in random order, several times faster.
COSM_API uint32_t cosm_entity_read_many(cosm_world world, const cosm_entity *entities,
                                        uint32_t count, cosm_component component,
                                        const void **out_values);
COSM_API uint32_t cosm_entity_write_many(cosm_world world, const cosm_entity *entities,
                                         uint32_t count, cosm_component component,
                                         void **out_values);

// By place: no directory look-up. NULL where there is no such row or component, and with a message
// where the component is split. O(1).
COSM_API const void *cosm_loc_read(cosm_world world, cosm_loc loc, cosm_component component);
COSM_API void *cosm_loc_write(cosm_world world, cosm_loc loc, cosm_component component);

// By place and column: no look-up at all. The column must be of the archetype of the table that
// `loc.table` names and the row must exist: checked builds assert it, others do not look.
COSM_API const void *cosm_loc_read_unchecked(cosm_world world, cosm_loc loc, cosm_column column);
COSM_API void *cosm_loc_write_unchecked(cosm_world world, cosm_loc loc, cosm_column column);

// Adds a component (or all members of a bundle) with default values; what is there already stays.
// Moves the entity's row to another table. O(c).
COSM_API COSM_MUST_USE cosm_result cosm_entity_add(cosm_world world, cosm_entity entity,
                                                   cosm_component component);

// Removes a component (or all members of a bundle); one that is absent is no failure.
COSM_API COSM_MUST_USE cosm_result cosm_entity_remove(cosm_world world, cosm_entity entity,
                                                      cosm_component component);

// Writes the component's bytes, and adds the component first where it is absent. `value` must
// hold the component's size, and may be NULL for a tag.
COSM_API COSM_MUST_USE cosm_result cosm_entity_set(cosm_world world, cosm_entity entity,
                                                   cosm_component component, const void *value);

// The same for an array of entities. Stale ones are passed over. On failure no entity has
// changed. `values` holds one value per entity, at the component's size from one to the next.
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

// A value with its type, as COSM_VALUE of typed.h makes it; no data: the component's default.
typedef struct cosm_typed {
    cosm_type type;
    const void *data;
} cosm_typed;

// What the macros of typed.h call. A type that no component has is reported. Its parts are passed
// one by one, which puts them into registers.
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

// The component whose C type, or else whose name, is that, and whose size is, unless the type has
// none; zero, reported, where there is none.
COSM_API cosm_component cosm_world_component(cosm_world world, cosm_type type);

COSM_END_C

#endif
