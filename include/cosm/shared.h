// Shared components: values that many entities of a world have in common, stored once.
//
// A component with COSM_STORAGE_SHARED has no column. Entities of one archetype with equal values
// are kept in one table, so a query for one value visits only the entities that have it:
//
//     cosm_query *reds = cosm_query_create(engine, &(cosm_query_desc){
//         .terms = {{.component = position, .access = COSM_ACCESS_WRITE},
//                   {.component = team, .value = &red}}});
//
// Set it like any other component: that moves the entity to the table of its new value. A value is
// read-only: it is never written in place. It is copied when the first entity of its world gets it,
// and freed when the last one drops it.
#ifndef COSM_SHARED_H
#define COSM_SHARED_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Distinct values of a shared component in a world. O(values of the world).
COSM_API uint32_t cosm_shared_value_count(cosm_world world, cosm_component component);

// Entities of a world that have this value. O(tables of the value).
COSM_API uint32_t cosm_shared_entity_count(cosm_world world, cosm_component component,
                                           const void *value);

// Called with a value and the number of entities that have it. The value is valid until the next
// structural change of the world.
typedef void cosm_shared_fn(void *context, const void *value, uint32_t entity_count);

// Calls `each` for every value of a shared component in a world, in an order that depends on the
// world's history only. The world counts as walked meanwhile.
COSM_API COSM_MUST_USE cosm_result cosm_shared_each(cosm_world world, cosm_component component,
                                                    cosm_shared_fn *each, void *context);

// The value that the rows of a run have of a shared component; NULL if they have none. O(1).
COSM_API const void *cosm_rows_shared(const cosm_rows *rows, cosm_component component);

// The slow path of the macro below: reports the error and returns NULL.
COSM_API const void *cosm_rows_refuse_shared(const cosm_rows *rows, uint32_t index, size_t size);

static inline const void *cosm_rows_read_shared(const cosm_rows *rows, uint32_t index,
                                                size_t size) {
    if (index < rows->term_count && rows->terms[index].shared_size == size) {
        return rows->columns[index];
    }
    return cosm_rows_refuse_shared(rows, index, size);
}

// The value that all rows of the run have of term number `index`. NULL where an optional component
// is absent. NULL, reported, if the index or the type is wrong.
#define COSM_SHARED_READ(rows, Type, index)                                                        \
    COSM_CAST(const Type *, cosm_rows_read_shared((rows), (index), sizeof(Type)))

COSM_END_C

#endif
