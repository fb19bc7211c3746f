// Tables: the rows of one archetype in one world.
//
// Rows are dense: despawning moves the last row into the gap at once. A chunk is a slice of
// cosm_archetype_chunk_rows rows; the last one may be partly filled.
#ifndef COSM_TABLE_H
#define COSM_TABLE_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Rows in use, capacity in rows, and chunks in use. Zero if there is no such table. O(1).
COSM_API uint32_t cosm_table_row_count(cosm_world world, cosm_archetype archetype);
COSM_API uint32_t cosm_table_capacity(cosm_world world, cosm_archetype archetype);
COSM_API uint32_t cosm_table_chunk_count(cosm_world world, cosm_archetype archetype);

// The base of a column, or NULL. NULL, reported, if the component is split. cosm_table_column
// counts as a change of all its values (change.h). O(1).
COSM_API void *cosm_table_column(cosm_world world, cosm_archetype archetype,
                                 cosm_component component);
COSM_API const void *cosm_table_column_read(cosm_world world, cosm_archetype archetype,
                                            cosm_component component);

// One field of all rows, in any layout. `data` is NULL if there is no such table, row, component or
// field. O(1).
COSM_API cosm_span cosm_table_span(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t field);
COSM_API cosm_span cosm_table_span_read(cosm_world world, cosm_archetype archetype,
                                        cosm_component component, uint32_t field);

// The base of the entity column, or NULL. O(1).
COSM_API const cosm_entity *cosm_table_entities(cosm_world world, cosm_archetype archetype);

// Memory used by one table, and by one of its columns.
COSM_API cosm_memory cosm_table_memory(cosm_world world, cosm_archetype archetype);
COSM_API cosm_memory cosm_table_column_memory(cosm_world world, cosm_archetype archetype,
                                              cosm_component component);

// Despawns all rows of a table at once. Use it to empty a temporary table yourself.
COSM_API COSM_MUST_USE cosm_result cosm_table_clear(cosm_world world, cosm_archetype archetype);

// The sort key of a row; rows are sorted in ascending order. `value` is the row's value of the
// component passed to the sort. The world counts as walked meanwhile.
typedef uint64_t cosm_table_key_fn(void *context, cosm_entity entity, const void *value);

// Sorts a table by a key, stably: rows with equal keys keep their order. `component` may be zero;
// `value` is then NULL. Handles stay valid. O(n), by radix sort. With shared components, each table
// is sorted by itself.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort(cosm_world world, cosm_archetype archetype,
                                                   cosm_component component, cosm_table_key_fn *key,
                                                   void *context);

// Sorts a table, stably, by the uint32_t at `offset` in a component; if the component is split, it
// must lie in one of its fields.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort_u32(cosm_world world, cosm_archetype archetype,
                                                       cosm_component component, size_t offset);

COSM_END_C

#endif
