// Managed components: objects that have to be destroyed, such as strings, handles and meshes.
//
//     cosm_component name = cosm_component_define(
//         engine, &(cosm_component_desc){.name = "Name", .size = sizeof(Name),
//                                        .storage = COSM_STORAGE_MANAGED,
//                                        .lifecycle = {.copy = name_copy, .destroy = name_free}});
//
// The objects live in a store of their own, in each world; a column holds their tickets. A row
// begins with no object. It owns the one it gets, through every move from table to table, until
// the object is replaced, taken or cleared, the component is removed, or the row ends. Then the
// object is released: destroyed, once. Objects never move while a row owns them.
//
// Reading, writing, spawning and setting are the calls of entity.h, query.h and commands.h: a value
// is an object there, and is copied by the lifecycle's `copy`. Here is what only objects have.
//
// Setting an object where there is one replaces it, and is not a structural change. Giving an object
// to a row that has none, and taking one away, is: record it with commands while the world is
// walked. On failure everything is as it was, the objects too.
//
// The functions of a lifecycle run on the thread that makes the change, and on several at a time
// for several worlds. They must call nothing of this batch: where an object is given to a row the
// world counts as being walked meanwhile, where one is replaced it does not.
#ifndef COSM_MANAGED_H
#define COSM_MANAGED_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// The ticket of the entity's object; zero where the entity is stale, lacks the component or has no
// object, and for components that are not managed. O(1).
COSM_API cosm_ticket cosm_managed_ticket(cosm_world world, cosm_entity entity,
                                         cosm_component component);

// The object of a ticket; NULL where there is none. A ticket is that of its row: once the row has
// let go of the object, the number is used again. O(1).
COSM_API const void *cosm_managed_read(cosm_world world, cosm_component component,
                                       cosm_ticket ticket);
COSM_API void *cosm_managed_write(cosm_world world, cosm_component component, cosm_ticket ticket);

// The object of row `i` of a run; NULL where there is none, no such row or no such component. The
// second one refuses, with a message, a component that the query has for reading only. O(1).
COSM_API const void *cosm_managed_row_read(const cosm_rows *rows, uint32_t i,
                                           cosm_component component);
COSM_API void *cosm_managed_row_write(const cosm_rows *rows, uint32_t i, cosm_component component);

// The run's column of tickets, for reading; NULL where there is no such component. O(1).
COSM_API const cosm_ticket *cosm_managed_tickets(const cosm_rows *rows, cosm_component component);

// Moves an object in, by the lifecycle's `move`, and adds the component first where it is absent.
// Afterwards there is no object at `object`; on failure there still is.
COSM_API COSM_MUST_USE cosm_result cosm_managed_put(cosm_world world, cosm_entity entity,
                                                    cosm_component component, void *object);

// Constructs an object in its place, by the lifecycle's `construct` or from the component's default
// value, and adds the component first where it is absent. The object, or NULL where the entity is
// stale, and with a message on failure.
COSM_API void *cosm_managed_emplace(cosm_world world, cosm_entity entity, cosm_component component);

// Moves the object out, by the lifecycle's `move`, to memory of the component's size: from now on
// it is yours to destroy. The component stays, without an object. COSM_STALE, and nothing done,
// where there is no object.
COSM_API COSM_MUST_USE cosm_result cosm_managed_take(cosm_world world, cosm_entity entity,
                                                     cosm_component component, void *out_object);

// Releases the object now. The component stays, without an object. COSM_STALE where the entity is
// stale; no object is no failure.
COSM_API COSM_MUST_USE cosm_result cosm_managed_clear(cosm_world world, cosm_entity entity,
                                                      cosm_component component);

// Objects of a component in a world. O(1).
COSM_API uint32_t cosm_managed_count(cosm_world world, cosm_component component);

// An object that lives.
typedef struct cosm_managed_entry {
    cosm_world world;
    cosm_component component;
    cosm_ticket ticket;
    cosm_entity entity; // whose it is; COSM_ENTITY_NONE: a temporary row's
    const void *object;
} cosm_managed_entry;

typedef void cosm_managed_fn(void *context, const cosm_managed_entry *entry);

// Lists all objects of a batch, by world, component and ticket; `each` may be NULL. A leak, an
// object that no row owns, or that two do, is a COSM_ERROR_CORRUPT, after all were listed. Do not
// change the batch meanwhile. O(objects and rows).
COSM_API COSM_MUST_USE cosm_result cosm_managed_audit(cosm_batch *batch, cosm_managed_fn *each,
                                                      void *context);

COSM_END_C

#endif
