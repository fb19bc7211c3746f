// Writing tables: the rows of an archetype, in any style; and what both headers have in common.
//
// Everything that can fail comes first: cosmi_text_tables_prepare for each archetype that will be
// written. From then on text flows and nothing is taken.
#ifndef COSM_TEXT_TABLES_H
#define COSM_TEXT_TABLES_H

#include "write.h"

struct tables {
    struct arena arena;
    const cosm_engine *engine;
    enum style style;
    struct program **programs; // by component id; NULL: not prepared
};

// False when out of memory; end it in any case.
bool cosmi_text_tables_begin(struct tables *tables, const cosm_engine *engine, enum style style);
void cosmi_text_tables_end(struct tables *tables);

// Makes the programs of an archetype's components. False when out of memory.
bool cosmi_text_tables_prepare(struct tables *tables, cosm_archetype archetype);

// Those of all archetypes of which the world has rows.
bool cosmi_text_tables_prepare_world(struct tables *tables, cosm_world world);

// Writes `count` rows from `row` on, with `between` between any two of them. There are that many.
void cosmi_text_write_rows(struct tables *tables, struct out *out, cosm_world world,
                           cosm_archetype archetype, uint32_t row, uint32_t count,
                           const char *between);

// The programs of all singletons, number i + 1 at [i]. NULL when out of memory.
struct program **cosmi_text_tables_singletons(struct tables *tables, uint32_t count);

// What print.h and json.h have in common: the whole of a call named `call`.
cosm_result cosmi_text_write_value(const char *call, const cosm_engine *engine,
                                   cosm_component component, const void *value, enum style style,
                                   cosm_text_fn *write, void *context);
cosm_result cosmi_text_write_entity(const char *call, cosm_world world, cosm_entity entity,
                                    enum style style, cosm_text_fn *write, void *context);

#endif
