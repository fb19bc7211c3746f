// Managed components: objects with a destructor, such as strings, handles and meshes.
//
//     cosm_component name = cosm_component_define(
//         engine, &(cosm_component_desc){.name = "Name", .size = sizeof(Name),
//                                        .storage = COSM_STORAGE_MANAGED,
//                                        .lifecycle = {.copy = name_copy, .destroy = name_free}});
//
// Each world stores the objects apart from its tables; the column holds their tickets. A row starts
// without an object. It owns the object it gets, through every move between tables, until the
// object is replaced, taken or cleared, the component is removed, or the row is removed. Then the
// object is destroyed, once. An object does not move while a row owns it.
//
// Read, write, spawn and set with the calls of entity.h, query.h and commands.h: there a value is
// an object, copied by the lifecycle's `copy`. This header has what only objects need.
//
// Setting an object where there is one replaces it; this is not a structural change. Giving an
// object to a row without one, or taking one away, is: record commands while the world is being
// walked. On failure nothing has changed, including the objects.
//
// Lifecycle functions run on the thread that makes the change, and on several threads at once for
// several worlds. They must not call anything on this batch: while an object is given to a row the
// world counts as walked, while one is replaced it does not.
#ifndef COSM_MANAGED_H
#define COSM_MANAGED_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// The ticket of the entity's object. Zero if the entity is stale, lacks the component or has no
// object, and for components that are not managed. O(1).
COSM_API cosm_ticket cosm_managed_ticket(cosm_world world, cosm_entity entity,
                                         cosm_component component);

// The object of a ticket, or NULL. A ticket belongs to its row: once the row has released the
// object, the number is reused. O(1).
COSM_API const void *cosm_managed_read(cosm_world world, cosm_component component,
                                       cosm_ticket ticket);
COSM_API void *cosm_managed_write(cosm_world world, cosm_component component, cosm_ticket ticket);

// The object of row `i` of a run. NULL if there is no object, row or component.
// cosm_managed_row_write fails, reported, if the query only reads the component. O(1).
COSM_API const void *cosm_managed_row_read(const cosm_rows *rows, uint32_t i,
                                           cosm_component component);
COSM_API void *cosm_managed_row_write(const cosm_rows *rows, uint32_t i, cosm_component component);

// The run's column of tickets, for reading; NULL if there is no such component. O(1).
COSM_API const cosm_ticket *cosm_managed_tickets(const cosm_rows *rows, cosm_component component);

// Moves an object in, with the lifecycle's `move`, and adds the component if it is absent.
// Afterwards there is no object at `object`; on failure there still is.
COSM_API COSM_MUST_USE cosm_result cosm_managed_put(cosm_world world, cosm_entity entity,
                                                    cosm_component component, void *object);

// Constructs an object in place, with the lifecycle's `construct` or from the component's default
// value, and adds the component if it is absent. Returns the object. NULL if the entity is stale;
// NULL, reported, on failure.
COSM_API void *cosm_managed_emplace(cosm_world world, cosm_entity entity, cosm_component component);

// Moves the object out, with the lifecycle's `move`, into memory of the component's size; you then
// own it and must destroy it. The component stays, without an object. COSM_STALE, and nothing is
// done, if there is no object.
COSM_API COSM_MUST_USE cosm_result cosm_managed_take(cosm_world world, cosm_entity entity,
                                                     cosm_component component, void *out_object);

// Destroys the object now. The component stays, without an object. COSM_STALE if the entity is
// stale; a missing object is not an error.
COSM_API COSM_MUST_USE cosm_result cosm_managed_clear(cosm_world world, cosm_entity entity,
                                                      cosm_component component);

// Objects of a component in a world. O(1).
COSM_API uint32_t cosm_managed_count(cosm_world world, cosm_component component);

// An object that exists.
typedef struct cosm_managed_entry {
    cosm_world world;
    cosm_component component;
    cosm_ticket ticket;
    cosm_entity entity; // its owner; COSM_ENTITY_NONE: a temporary row
    const void *object;
} cosm_managed_entry;

typedef void cosm_managed_fn(void *context, const cosm_managed_entry *entry);

// Lists all objects of a batch by world, component and ticket; `each` may be NULL. An object that
// no row owns (a leak), or that two rows own, gives COSM_ERROR_CORRUPT after all were listed. Do
// not change the batch meanwhile. O(objects and rows).
COSM_API COSM_MUST_USE cosm_result cosm_managed_audit(cosm_batch *batch, cosm_managed_fn *each,
                                                      void *context);

COSM_END_C

#endif
