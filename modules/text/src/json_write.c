// Worlds as JSON: values, entities, tables and worlds. The schema is in json_schema.c.
#include <cosm_text/json.h>

#include "check.h"
#include "format.h"
#include "tables.h"

static enum style style_of(cosm_json_style style) {
    return style.spaced ? STYLE_SPACED : STYLE_SHORT;
}

// A key, the first or a further one of its object.
static void out_key(struct out *out, enum style style, bool is_first, const char *key) {
    out_text(out, is_first ? "" : style_comma(style));
    cosmi_text_out_quoted(out, key, strlen(key), QUOTE_JSON);
    out_text(out, style_colon(style));
}

cosm_result cosm_json_write_value(const cosm_engine *engine, cosm_component component,
                                  const void *value, cosm_json_style style, cosm_text_fn *write,
                                  void *context) {
    static const char call[] = "cosm_json_write_value";
    return cosmi_text_write_value(call, engine, component, value, style_of(style), write, context);
}

cosm_result cosm_json_write_entity(cosm_world world, cosm_entity entity, cosm_json_style style,
                                   cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_json_write_entity";
    return cosmi_text_write_entity(call, world, entity, style_of(style), write, context);
}

// A list of rows as the rest of an object, of which a comma and the key are written too.
static void begin_entities(struct out *out, enum style style) {
    out_key(out, style, false, "entities");
    out_text(out, style == STYLE_SPACED ? "[\n" : "[");
}

static void end_entities(struct out *out, enum style style, bool is_empty) {
    out_text(out, style == STYLE_SPACED ? (is_empty ? "]}\n" : "\n]}\n") : "]}");
    cosmi_text_out_flush(out);
}

static const char *between_rows(enum style style) {
    return style == STYLE_SPACED ? ",\n" : ",";
}

// Writes the rows of a walk that is begun, of one archetype, or, where that is zero, all of those
// with handles.
static void write_entities(struct tables *tables, struct out *out, cosm_rows *rows,
                           cosm_archetype archetype) {
    bool is_empty = true;
    begin_entities(out, tables->style);
    while (archetype.id != 0 ? cosmi_text_next_of(rows, archetype) : cosm_rows_next(rows)) {
        if (archetype.id == 0 && rows->entities == NULL) {
            continue;
        }
        out_text(out, is_empty ? "" : between_rows(tables->style));
        cosmi_text_write_rows(tables, out, rows, rows->count, between_rows(tables->style));
        is_empty = false;
    }
    end_entities(out, tables->style, is_empty);
}

static void write_table(struct tables *tables, struct out *out, cosm_rows *rows,
                        cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    const char *name = cosm_archetype_describe(tables->engine, archetype).name;
    out_char(out, '{');
    out_key(out, tables->style, true, "archetype");
    cosmi_text_out_quoted(out, name, strlen(name), QUOTE_JSON);
    out_key(out, tables->style, false, "components");
    out_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        const char *component = cosm_component_describe(tables->engine, components[i]).name;
        out_text(out, i > 0 ? style_comma(tables->style) : "");
        cosmi_text_out_quoted(out, component, strlen(component), QUOTE_JSON);
    }
    out_char(out, ']');
    write_entities(tables, out, rows, archetype);
}

cosm_result cosm_json_write_table(cosm_world world, cosm_archetype archetype, cosm_json_style style,
                                  cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_json_write_table";
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
    if (cosmi_text_tables_begin(&tables, engine, style_of(style)) &&
        cosmi_text_tables_prepare(&tables, world, archetype)) {
        cosm_rows rows;
        cosm_query_walk(all, cosm_worlds_one(world), &rows);
        cosmi_text_out_begin(&out, write, context);
        write_table(&tables, &out, &rows, archetype);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    cosm_query_destroy(all);
    return result;
}

static void write_singletons(struct tables *tables, struct out *out, cosm_world world,
                             struct program **programs, uint32_t count) {
    out_char(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        cosm_singleton singleton = {i + 1};
        out_key(out, tables->style, i == 0,
                cosm_singleton_describe(tables->engine, singleton).name);
        cosmi_text_aim_value(programs[i], cosm_singleton_read(world, singleton));
        cosmi_text_run(programs[i], out);
    }
    out_char(out, '}');
}

// Writes the world once everything is at hand.
static cosm_result write_world(struct tables *tables, cosm_world world, cosm_query *all,
                               cosm_text_fn *write, void *context) {
    struct out out;
    cosm_rows rows;
    uint32_t singleton_count = cosm_engine_describe(tables->engine).singleton_count;
    struct program **singletons = cosmi_text_tables_singletons(tables, singleton_count);
    if (singletons == NULL || !cosmi_text_tables_prepare_world(tables, world)) {
        return cosmi_text_fail_memory("cosm_json_write_world", tables->engine);
    }
    cosm_query_walk(all, cosm_worlds_one(world), &rows);
    cosmi_text_out_begin(&out, write, context);
    out_char(&out, '{');
    out_key(&out, tables->style, true, "cosm");
    out_u64(&out, JSON_FORMAT);
    out_key(&out, tables->style, false, "singletons");
    write_singletons(tables, &out, world, singletons, singleton_count);
    write_entities(tables, &out, &rows, (cosm_archetype){0});
    return COSM_OK;
}

cosm_result cosm_json_write_world(cosm_world world, cosm_json_style style, cosm_text_fn *write,
                                  void *context) {
    static const char call[] = "cosm_json_write_world";
    struct tables tables;
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
    if (cosmi_text_tables_begin(&tables, engine, style_of(style))) {
        result = write_world(&tables, world, all, write, context);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    cosm_query_destroy(all);
    return result;
}
