// Worlds as text that people read.
#include <cosm_text/print.h>

#include "check.h"
#include "tables.h"

cosm_result cosm_text_print_value(const cosm_engine *engine, cosm_component component,
                                  const void *value, cosm_text_fn *write, void *context) {
    return cosmi_text_write_value("cosm_text_print_value", engine, component, value, STYLE_PRINT,
                                  write, context);
}

cosm_result cosm_text_print_entity(cosm_world world, cosm_entity entity, cosm_text_fn *write,
                                   void *context) {
    return cosmi_text_write_entity("cosm_text_print_entity", world, entity, STYLE_PRINT, write,
                                   context);
}

// A number and what it counts.
static void out_count(struct out *out, uint64_t count, const char *one, const char *many) {
    out_u64(out, count);
    out_char(out, ' ');
    out_text(out, count == 1 ? one : many);
}

static void print_head(struct out *out, cosm_world world, cosm_archetype archetype) {
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    cosm_archetype_info info = cosm_archetype_describe(engine, archetype);
    out_text(out, "archetype ");
    out_u64(out, archetype.id);
    if (info.name[0] != '\0') {
        out_text(out, " '");
        out_text(out, info.name);
        out_char(out, '\'');
    }
    out_text(out, ": ");
    out_count(out, cosm_table_row_count(world, archetype), "row", "rows");
    if (info.placement == COSM_PLACEMENT_FIXED) {
        out_text(out, " of ");
        out_u64(out, info.max_per_world);
        out_text(out, ", fixed");
    } else {
        out_text(out, ", growing");
    }
    out_text(out, info.is_sealed ? ", sealed" : "");
    out_text(out, info.is_temporary ? ", temporary" : "");
    out_char(out, '\n');
}

static const char *storage_text(const cosm_engine *engine, cosm_component component,
                                cosm_layout layout) {
    switch (cosm_component_describe(engine, component).storage) {
    case COSM_STORAGE_SHARED:
        return "shared";
    case COSM_STORAGE_MANAGED:
        return "managed";
    case COSM_STORAGE_SECTOR:
        return "sector";
    default:
        return layout == COSM_LAYOUT_SPLIT ? "split" : "struct";
    }
}

// A component on a line: its name, what it has in bytes, and where it lives.
static void print_component(struct out *out, const cosm_engine *engine, cosm_component component,
                            cosm_layout layout) {
    cosm_component_info info = cosm_component_describe(engine, component);
    size_t size = info.size;
    bool is_sector = info.storage == COSM_STORAGE_SECTOR;
    out_text(out, info.name);
    out_text(out, ": ");
    if (size == 0) {
        out_text(out, "tag");
    } else {
        out_count(out, size, "byte", "bytes");
    }
    if (size > 0 || is_sector) {
        out_text(out, ", ");
        out_text(out, storage_text(engine, component, layout));
    }
    out_char(out, '\n');
}

static void print_columns(struct out *out, const cosm_engine *engine, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count =
        cosm_archetype_components(engine, archetype, COSM_ARCHETYPE_COMPONENT_MAX, components);
    for (uint32_t i = 0; i < count; i++) {
        out_text(out, "  ");
        print_component(out, engine, components[i],
                        cosm_archetype_layout(engine, archetype, components[i]));
    }
}

// Printing the rows of an archetype, run by run.
struct printing {
    struct tables *tables;
    struct out *out;
    cosm_world world;
    uint32_t row_max;         // zero: all
    cosm_archetype archetype; // zero: none so far
    uint32_t row_count;       // rows that it has
    uint32_t shown;
};

static void begin_table(struct printing *printing, cosm_archetype archetype) {
    printing->archetype = archetype;
    printing->row_count = cosm_table_row_count(printing->world, archetype);
    printing->shown = 0;
    print_head(printing->out, printing->world, archetype);
    print_columns(printing->out, printing->tables->engine, archetype);
}

static void print_run(struct printing *printing, const cosm_rows *rows) {
    uint32_t left = printing->row_max == 0 ? rows->count : printing->row_max - printing->shown;
    uint32_t count = rows->count < left ? rows->count : left;
    if (count > 0) {
        out_text(printing->out, "  ");
        cosmi_text_write_rows(printing->tables, printing->out, rows, count, "\n  ");
        out_char(printing->out, '\n');
        printing->shown += count;
    }
}

static void end_table(struct printing *printing) {
    if (printing->shown < printing->row_count) {
        out_text(printing->out, "  and ");
        out_count(printing->out, printing->row_count - printing->shown, "row more\n",
                  "rows more\n");
    }
}

cosm_result cosm_text_print_table(cosm_world world, cosm_archetype archetype, uint32_t row_max,
                                  cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_text_print_table";
    struct tables tables;
    struct out out;
    cosm_result result = cosmi_text_check_world(call, world);
    if (result != COSM_OK) {
        return result;
    }
    cosm_engine *engine = cosm_batch_engine(world.batch);
    result = cosmi_text_check_archetype(call, engine, archetype);
    result = result != COSM_OK ? result : cosmi_text_check_write(call, engine, write);
    if (result != COSM_OK) {
        return result;
    }
    cosm_query *all = cosmi_text_all_rows(engine);
    if (all == NULL) {
        return cosm_error_result();
    }
    if (cosmi_text_tables_begin(&tables, engine, STYLE_PRINT) &&
        cosmi_text_tables_prepare(&tables, world, archetype)) {
        struct printing printing = {&tables, &out, world, row_max, {0}, 0, 0};
        cosm_rows rows;
        cosm_query_walk(all, cosm_worlds_one(world), &rows);
        cosmi_text_out_begin(&out, write, context);
        begin_table(&printing, archetype);
        while (cosmi_text_next_of(&rows, archetype)) {
            print_run(&printing, &rows);
        }
        end_table(&printing);
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    cosm_query_destroy(all);
    return result;
}

static void print_singletons(struct tables *tables, struct out *out, cosm_world world,
                             struct program **programs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out_text(out, "singleton ");
        out_text(out, cosm_singleton_describe(tables->engine, (cosm_singleton){i + 1}).name);
        out_char(out, ' ');
        cosmi_text_aim_value(programs[i], cosm_singleton_read(world, (cosm_singleton){i + 1}));
        cosmi_text_run(programs[i], out);
        out_char(out, '\n');
    }
}

// What entities of the world may have beside their tables.
static void print_besides(struct tables *tables, struct out *out) {
    for (uint32_t id = 1; id <= tables->component_count; id++) {
        if (tables->programs[id] != NULL &&
            cosm_component_describe(tables->engine, (cosm_component){id}).storage ==
                COSM_STORAGE_SECTOR) {
            out_text(out, "component ");
            print_component(out, tables->engine, (cosm_component){id}, COSM_LAYOUT_STRUCT);
        }
    }
}

// Prints the world once everything is at hand.
static cosm_result print_world(struct tables *tables, cosm_world world, const cosm_query *all,
                               uint32_t row_max, struct out *out) {
    cosm_rows rows;
    uint32_t singleton_count = cosm_engine_describe(tables->engine).singleton_count;
    struct program **singletons = cosmi_text_tables_singletons(tables, singleton_count);
    if (singletons == NULL || !cosmi_text_tables_prepare_world(tables, world)) {
        return cosmi_text_fail_memory("cosm_text_print_world", tables->engine);
    }
    out_text(out, "world ");
    out_u64(out, world.index);
    out_text(out, ": ");
    out_count(out, cosm_world_entity_count(world), "entity\n", "entities\n");
    print_singletons(tables, out, world, singletons, singleton_count);
    print_besides(tables, out);
    struct printing printing = {tables, out, world, row_max, {0}, 0, 0};
    cosm_query_walk(all, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        // Once for each archetype, of however many tables and runs it consists.
        if (rows.archetype.id != printing.archetype.id) {
            end_table(&printing);
            begin_table(&printing, rows.archetype);
        }
        print_run(&printing, &rows);
    }
    end_table(&printing);
    cosmi_text_out_flush(out);
    return COSM_OK;
}

cosm_result cosm_text_print_world(cosm_world world, uint32_t row_max, cosm_text_fn *write,
                                  void *context) {
    static const char call[] = "cosm_text_print_world";
    struct tables tables;
    struct out out;
    cosm_result result = cosmi_text_check_world(call, world);
    if (result != COSM_OK) {
        return result;
    }
    cosm_engine *engine = cosm_batch_engine(world.batch);
    result = cosmi_text_check_write(call, engine, write);
    if (result != COSM_OK) {
        return result;
    }
    cosm_query *all = cosmi_text_all_rows(engine);
    if (all == NULL) {
        return cosm_error_result();
    }
    cosmi_text_out_begin(&out, write, context);
    if (cosmi_text_tables_begin(&tables, engine, STYLE_PRINT)) {
        result = print_world(&tables, world, all, row_max, &out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    cosm_query_destroy(all);
    return result;
}
