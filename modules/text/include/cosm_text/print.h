// Worlds as readable text: a value, an entity, a table, a world.
//
//     entity @5:1  Position {x: 1.5, y: 2, z: 0}  Velocity {x: 0, y: -1, z: 0}  Frozen
//
// Values are printed by their fields; components without fields are printed as hex bytes. Numbers
// are the shortest that read back as the same value. To read values back, use JSON: see json.h.
//
// Text is passed on in parts; the function that receives it must not change the world.
#ifndef COSM_TEXT_PRINT_H
#define COSM_TEXT_PRINT_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// One value of a component, such as "{x: 1.5, y: 2}". `value` has the size of the component.
COSM_API COSM_MUST_USE cosm_result cosm_text_print_value(const cosm_engine *engine,
                                                         cosm_component component,
                                                         const void *value, cosm_text_fn *write,
                                                         void *context);

// The fields in which two values of a component or a singleton differ, such as "{x: 1.5 -> 2,
// items[1].count: 0 -> 3}"; for arrays, the elements. At most `change_max` of them (zero: all),
// then the number of the others. Values without fields are printed whole, as hex.
COSM_API COSM_MUST_USE cosm_result cosm_text_print_change(const cosm_engine *engine,
                                                          cosm_component component,
                                                          const void *before, const void *after,
                                                          uint32_t change_max, cosm_text_fn *write,
                                                          void *context);
COSM_API COSM_MUST_USE cosm_result cosm_text_print_singleton_change(
    const cosm_engine *engine, cosm_singleton singleton, const void *before, const void *after,
    uint32_t change_max, cosm_text_fn *write, void *context);

// An entity and its components, on one line without a line end. COSM_STALE if it is not alive.
COSM_API COSM_MUST_USE cosm_result cosm_text_print_entity(cosm_world world, cosm_entity entity,
                                                          cosm_text_fn *write, void *context);

// A table: one line with its archetype, its columns with their layout, then one line per row, at
// most `row_max` (zero: all).
COSM_API COSM_MUST_USE cosm_result cosm_text_print_table(cosm_world world, cosm_archetype archetype,
                                                         uint32_t row_max, cosm_text_fn *write,
                                                         void *context);

// A world: its singletons, then its tables that have rows, as above, in the order of queries.
COSM_API COSM_MUST_USE cosm_result cosm_text_print_world(cosm_world world, uint32_t row_max,
                                                         cosm_text_fn *write, void *context);

COSM_END_C

#endif
