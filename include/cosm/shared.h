// Shared components: values that many entities of a world have in common, held once.
//
// A component with COSM_STORAGE_SHARED has no column. Entities of one archetype and equal values
// stand together in a table of their own, so a query for one value walks only what has it:
//
//     cosm_query *reds = cosm_query_create(engine, &(cosm_query_desc){
//         .terms = {{.component = position, .access = COSM_ACCESS_WRITE}, {.component = team, .access = COSM_ACCESS_WRITE, .value = &red}}});
//
// Set it as any other component: that moves the entity to the table of its new value. A value is
// never written in place: it is read-only to everybody. It is copied when the first entity of its
// world takes it and freed when the last one has let go of it.
#ifndef COSM_SHARED_H
#define COSM_SHARED_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Values of a shared component that entities of a world have. O(values of the world).
COSM_API uint32_t cosm_shared_value_count(cosm_world world, cosm_component component);

// The entities of a world that have just this value. O(tables of the value).
COSM_API uint32_t cosm_shared_entity_count(cosm_world world, cosm_component component,
                                           const void *value);

// A value of a world and how many entities have it. The bytes are good until the next structural
// change of the world.
typedef void cosm_shared_fn(void *context, const void *value, uint32_t entity_count);

// Calls `each` for every value of a shared component that entities of a world have, in an order
// that depends on the history of the world only. The world counts as being walked meanwhile.
COSM_API COSM_MUST_USE cosm_result cosm_shared_each(cosm_world world, cosm_component component,
                                                    cosm_shared_fn *each, void *context);

// The value that all rows of a run have of a shared component; NULL where they have none. O(1).
COSM_API const void *cosm_rows_shared(const cosm_rows *rows, cosm_component component);

// Counts the entities of all shared values of a batch anew, and holds the figures that are kept
// against them. COSM_OK, or COSM_ERROR_CORRUPT with a message. cosm_batch_validate does it too.
COSM_API COSM_MUST_USE cosm_result cosm_shared_audit(const cosm_batch *batch);

// What the macro below calls when something is wrong: reports it and returns NULL.
COSM_API const void *cosm_rows_refuse_shared(const cosm_rows *rows, uint32_t index, size_t size);

static inline const void *cosm_rows_read_shared(const cosm_rows *rows, uint32_t index,
                                                size_t size) {
    if (index < rows->term_count && rows->terms[index].shared_size == size) {
        return rows->columns[index];
    }
    return cosm_rows_refuse_shared(rows, index, size);
}

// The one value that all rows of the run have of the query's term number `index`. NULL where an
// optional component is absent; NULL with a message where the index or the type is wrong.
#define COSM_SHARED_READ(rows, Type, index)                                                        \
    COSM_CAST(const Type *, cosm_rows_read_shared((rows), (index), sizeof(Type)))

COSM_END_C

#endif
