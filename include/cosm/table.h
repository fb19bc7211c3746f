// Tables: the rows of one archetype in one world.
//
// Rows are dense: a despawn moves the last row into the hole at once. A chunk is a slice of
// cosm_archetype_chunk_rows rows; the last one may be partly filled.
#ifndef COSM_TABLE_H
#define COSM_TABLE_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Rows in use, rows there is room for, and chunks in use. Zero where there is no such table. O(1).
COSM_API uint32_t cosm_table_row_count(cosm_world world, cosm_archetype archetype);
COSM_API uint32_t cosm_table_capacity(cosm_world world, cosm_archetype archetype);
COSM_API uint32_t cosm_table_chunk_count(cosm_world world, cosm_archetype archetype);

// The base of a column; NULL where there is none, and with a message where the component is split.
// All its values count as changed (change.h) where you may write to them. O(1).
COSM_API void *cosm_table_column(cosm_world world, cosm_archetype archetype,
                                 cosm_component component);
COSM_API const void *cosm_table_column_read(cosm_world world, cosm_archetype archetype,
                                            cosm_component component);

// One field of all rows, whatever the layout; data is NULL where there is no such table, row,
// component or field. O(1).
COSM_API cosm_span cosm_table_span(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t field);
COSM_API cosm_span cosm_table_span_read(cosm_world world, cosm_archetype archetype,
                                        cosm_component component, uint32_t field);

// The base of the entity column; NULL where there is none. O(1).
COSM_API const cosm_entity *cosm_table_entities(cosm_world world, cosm_archetype archetype);

// Memory in use by one table, and by one of its columns.
COSM_API cosm_memory cosm_table_memory(cosm_world world, cosm_archetype archetype);
COSM_API cosm_memory cosm_table_column_memory(cosm_world world, cosm_archetype archetype,
                                              cosm_component component);

// Despawns all rows of a table, in one go; the way to empty a temporary table on demand.
COSM_API COSM_MUST_USE cosm_result cosm_table_clear(cosm_world world, cosm_archetype archetype);

// The key of a row: rows are put in ascending order of it. `value` is the row's bytes of the
// component the sort names. The world counts as being walked meanwhile.
typedef uint64_t cosm_table_key_fn(void *context, cosm_entity entity, const void *value);

// Sorts a table by a key, stably: rows of equal keys keep their order. `component` may be zero;
// then `value` is NULL. Every entity is still found by its handle. O(n), by radix. Where components
// are shared, each table by itself.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort(cosm_world world, cosm_archetype archetype,
                                                   cosm_component component, cosm_table_key_fn *key,
                                                   void *context);

// Sorts a table by the uint32_t that lies `offset` bytes into a component, stably; where the
// component is split, within one of its fields.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort_u32(cosm_world world, cosm_archetype archetype,
                                                       cosm_component component, size_t offset);

COSM_END_C

#endif
