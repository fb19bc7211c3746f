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
    const char *name = cosm_archetype_name(engine, archetype);
    out_text(out, "archetype ");
    out_u64(out, archetype.id);
    if (name[0] != '\0') {
        out_text(out, " '");
        out_text(out, name);
        out_char(out, '\'');
    }
    out_text(out, ": ");
    out_count(out, cosm_table_row_count(world, archetype), "row", "rows");
    if (cosm_archetype_placement(engine, archetype) == COSM_PLACEMENT_FIXED) {
        out_text(out, " of ");
        out_u64(out, cosm_archetype_max_per_world(engine, archetype));
        out_text(out, ", fixed");
    } else {
        out_text(out, ", growing");
    }
    out_text(out, cosm_archetype_is_sealed(engine, archetype) ? ", sealed" : "");
    out_text(out, cosm_archetype_is_temporary(engine, archetype) ? ", temporary" : "");
    out_char(out, '\n');
}

static void print_columns(struct out *out, const cosm_engine *engine, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count =
        cosm_archetype_components(engine, archetype, COSM_ARCHETYPE_COMPONENT_MAX, components);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = cosm_component_size(engine, components[i]);
        bool is_split =
            cosm_archetype_layout(engine, archetype, components[i]) == COSM_LAYOUT_SPLIT;
        bool is_managed = cosm_component_storage(engine, components[i]) == COSM_STORAGE_MANAGED;
        out_text(out, "  ");
        out_text(out, cosm_component_name(engine, components[i]));
        if (size == 0) {
            out_text(out, ": tag\n");
            continue;
        }
        out_text(out, ": ");
        out_count(out, size, "byte", "bytes");
        out_text(out, is_managed ? ", managed\n" : is_split ? ", split\n" : ", struct\n");
    }
}

static void print_table(struct tables *tables, struct out *out, cosm_world world,
                        cosm_archetype archetype, uint32_t row_max) {
    uint32_t row_count = cosm_table_row_count(world, archetype);
    uint32_t shown = row_max == 0 || row_count < row_max ? row_count : row_max;
    print_head(out, world, archetype);
    print_columns(out, tables->engine, archetype);
    out_text(out, shown > 0 ? "  " : "");
    cosmi_text_write_rows(tables, out, world, archetype, 0, shown, "\n  ");
    out_text(out, shown > 0 ? "\n" : "");
    if (shown < row_count) {
        out_text(out, "  and ");
        out_count(out, row_count - shown, "row more\n", "rows more\n");
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
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    result = cosmi_text_check_archetype(call, engine, archetype);
    result = result != COSM_OK ? result : cosmi_text_check_write(call, engine, write);
    if (result != COSM_OK) {
        return result;
    }
    if (cosmi_text_tables_begin(&tables, engine, STYLE_PRINT) &&
        cosmi_text_tables_prepare(&tables, archetype)) {
        cosmi_text_out_begin(&out, write, context);
        print_table(&tables, &out, world, archetype, row_max);
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    return result;
}

static void print_singletons(struct tables *tables, struct out *out, cosm_world world,
                             struct program **programs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out_text(out, "singleton ");
        out_text(out, cosm_singleton_name(tables->engine, (cosm_singleton){i + 1}));
        out_char(out, ' ');
        cosmi_text_aim_value(programs[i], cosm_singleton_read(world, (cosm_singleton){i + 1}));
        cosmi_text_run(programs[i], out);
        out_char(out, '\n');
    }
}

// Prints the world once everything is at hand.
static cosm_result print_world(struct tables *tables, cosm_world world, const cosm_query *all,
                               uint32_t row_max, struct out *out) {
    cosm_rows rows;
    uint32_t singleton_count = cosm_engine_singleton_count(tables->engine);
    struct program **singletons = cosmi_text_tables_singletons(tables, singleton_count);
    if (singletons == NULL || !cosmi_text_tables_prepare_world(tables, world)) {
        return cosmi_text_fail_memory("cosm_text_print_world", tables->engine);
    }
    out_text(out, "world ");
    out_u64(out, world.index);
    out_text(out, ": ");
    out_count(out, cosm_world_entity_count(world), "entity\n", "entities\n");
    print_singletons(tables, out, world, singletons, singleton_count);
    cosm_query_walk(all, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        // Once for each table, of however many runs it consists.
        if (rows.row == 0) {
            print_table(tables, out, world, rows.archetype, row_max);
        }
    }
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
    cosm_query *all = cosm_query_create(engine, &(cosm_query_desc){.by_world = true});
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
