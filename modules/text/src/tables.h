// Writing tables: the rows of an archetype, in any style; and what both headers have in common.
//
// Everything that can fail comes first: cosmi_text_tables_prepare for each archetype that will be
// written, and for what its entities have beside their tables. From then on text flows and nothing
// is taken.
//
// Rows are seen through the runs of a walk: where components are shared, an archetype has a table
// for each of their values.
#ifndef COSM_TEXT_TABLES_H
#define COSM_TEXT_TABLES_H

#include "write.h"

struct tables {
    struct arena arena;
    const cosm_engine *engine;
    enum style style;
    uint32_t component_count;
    struct program **programs; // by component id; NULL: not prepared
    cosm_component *besides;   // room for what an entity has beside its table
    uint32_t beside_max;       // zero: the world has nothing there
    char *scratch;             // room for a value of a split component
};

// False when out of memory; end it in any case.
bool cosmi_text_tables_begin(struct tables *tables, const cosm_engine *engine, enum style style);
void cosmi_text_tables_end(struct tables *tables);

// Makes the programs of an archetype's components, and of what entities of the world have beside
// their tables. False when out of memory.
bool cosmi_text_tables_prepare(struct tables *tables, cosm_world world, cosm_archetype archetype);

// Those of all archetypes of which the world has rows.
bool cosmi_text_tables_prepare_world(struct tables *tables, cosm_world world);

// Writes the first `count` rows of a run, with `between` between any two of them.
void cosmi_text_write_rows(struct tables *tables, struct out *out, const cosm_rows *rows,
                           uint32_t count, const char *between);

// All rows of all tables. NULL, with a message, on failure.
cosm_query *cosmi_text_all_rows(cosm_engine *engine);

// The next run of an archetype's rows in a walk of all rows. False at the end.
bool cosmi_text_next_of(cosm_rows *rows, cosm_archetype archetype);

// Are its values objects that nothing is said about? Then their bytes mean nothing to anybody else.
bool cosmi_text_is_opaque(const cosm_engine *engine, cosm_component component);

// The programs of all singletons, number i + 1 at [i]. NULL when out of memory.
struct program **cosmi_text_tables_singletons(struct tables *tables, uint32_t count);

// What print.h and json.h have in common: the whole of a call named `call`.
cosm_result cosmi_text_write_value(const char *call, const cosm_engine *engine,
                                   cosm_component component, const void *value, enum style style,
                                   cosm_text_fn *write, void *context);
cosm_result cosmi_text_write_entity(const char *call, cosm_world world, cosm_entity entity,
                                    enum style style, cosm_text_fn *write, void *context);

#endif
