// Writing tables: programs by component, and the loop over rows.
#include "tables.h"

#include "check.h"

bool cosmi_text_tables_begin(struct tables *tables, const cosm_engine *engine, enum style style) {
    *tables = (struct tables){.engine = engine, .style = style};
    // What is written was there before this call, so its components are among these.
    uint32_t count = cosm_engine_component_count(engine);
    tables->programs =
        cosmi_text_take_zeroed(&tables->arena, (count + 1) * sizeof(*tables->programs));
    return tables->programs != NULL;
}

void cosmi_text_tables_end(struct tables *tables) {
    cosmi_text_give_all(&tables->arena);
}

static bool prepare_component(struct tables *tables, cosm_component component) {
    if (tables->programs[component.id] != NULL) {
        return true;
    }
    struct shape *shape =
        cosmi_text_shape(&tables->arena, (struct subject){tables->engine, false, component.id});
    tables->programs[component.id] =
        shape == NULL ? NULL : cosmi_text_program(&tables->arena, shape, tables->style, true);
    return tables->programs[component.id] != NULL;
}

bool cosmi_text_tables_prepare(struct tables *tables, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    for (uint32_t i = 0; i < count; i++) {
        if (!prepare_component(tables, components[i])) {
            return false;
        }
    }
    return true;
}

bool cosmi_text_tables_prepare_world(struct tables *tables, cosm_world world) {
    uint32_t count = cosm_engine_archetype_count(tables->engine);
    for (uint32_t id = 1; id <= count; id++) {
        if (cosm_table_row_count(world, (cosm_archetype){id}) > 0 &&
            !cosmi_text_tables_prepare(tables, (cosm_archetype){id})) {
            return false;
        }
    }
    return true;
}

// What a row begins with: its handle, which rows of a temporary archetype do not have.
static void begin_row(struct out *out, enum style style, const cosm_entity *entity, uint32_t row) {
    if (!style_is_json(style)) {
        out_text(out, entity != NULL ? "entity " : "row ");
        if (entity != NULL) {
            out_entity(out, *entity);
        } else {
            out_u64(out, row);
        }
        return;
    }
    out_text(out, style == STYLE_SHORT ? "{\"entity\":" : "{\"entity\": ");
    if (entity != NULL) {
        out_char(out, '"');
        out_entity(out, *entity);
        out_char(out, '"');
    } else {
        out_text(out, "null");
    }
}

// A program of a row. One of a managed component is pointed at each row's object anew.
struct aimed {
    struct program *program;
    cosm_component component;
    bool is_managed;
};

// The programs of an archetype's components, pointed at a row. Returns how many there are. Objects
// without fields are passed over: their bytes say nothing to anybody else.
static uint32_t aim_programs(const struct tables *tables, cosm_world world,
                             cosm_archetype archetype, uint32_t row,
                             struct aimed out_programs[COSM_ARCHETYPE_COMPONENT_MAX]) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    uint32_t program_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_managed =
            cosm_component_storage(tables->engine, components[i]) == COSM_STORAGE_MANAGED;
        struct program *program = tables->programs[components[i].id];
        if (is_managed && cosm_component_field_count(tables->engine, components[i]) == 0) {
            continue;
        }
        if (!is_managed) {
            cosmi_text_aim_row(program, world, archetype, components[i], row);
        }
        out_programs[program_count++] = (struct aimed){program, components[i], is_managed};
    }
    return program_count;
}

// Writes the component of the row at hand; nothing where a managed one has no object.
static void run_aimed(const struct aimed *aimed, struct out *out, cosm_world world, cosm_loc loc) {
    if (aimed->is_managed) {
        const void *object = cosm_loc_read(world, loc, aimed->component);
        if (object == NULL) {
            return;
        }
        cosmi_text_aim_value(aimed->program, object);
    }
    cosmi_text_run(aimed->program, out);
}

void cosmi_text_write_rows(struct tables *tables, struct out *out, cosm_world world,
                           cosm_archetype archetype, uint32_t row, uint32_t count,
                           const char *between) {
    struct aimed programs[COSM_ARCHETYPE_COMPONENT_MAX];
    const cosm_entity *entities = cosm_table_entities(world, archetype);
    uint32_t program_count = count > 0 ? aim_programs(tables, world, archetype, row, programs) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            out_text(out, between);
        }
        begin_row(out, tables->style, entities == NULL ? NULL : &entities[row + i], row + i);
        for (uint32_t k = 0; k < program_count; k++) {
            run_aimed(&programs[k], out, world, (cosm_loc){archetype.id, row + i});
        }
        if (style_is_json(tables->style)) {
            out_char(out, '}');
        }
    }
}

struct program **cosmi_text_tables_singletons(struct tables *tables, uint32_t count) {
    struct program **programs = cosmi_text_take(&tables->arena, (count + 1) * sizeof(*programs));
    for (uint32_t i = 0; programs != NULL && i < count; i++) {
        struct shape *shape =
            cosmi_text_shape(&tables->arena, (struct subject){tables->engine, true, i + 1});
        programs[i] =
            shape == NULL ? NULL : cosmi_text_program(&tables->arena, shape, tables->style, false);
        if (programs[i] == NULL) {
            return NULL;
        }
    }
    return programs;
}

cosm_result cosmi_text_write_value(const char *call, const cosm_engine *engine,
                                   cosm_component component, const void *value, enum style style,
                                   cosm_text_fn *write, void *context) {
    struct arena arena = {NULL, NULL, 0};
    struct out out;
    cosm_result result = cosmi_text_check_engine(call, engine);
    result = result != COSM_OK ? result : cosmi_text_check_component(call, engine, component);
    result = result != COSM_OK ? result : cosmi_text_check_write(call, engine, write);
    if (result == COSM_OK && cosm_component_size(engine, component) > 0) {
        result = cosmi_text_check_pointer(call, engine, value, "value");
    }
    if (result != COSM_OK) {
        return result;
    }
    struct shape *shape = cosmi_text_shape(&arena, (struct subject){engine, false, component.id});
    struct program *program =
        shape == NULL ? NULL : cosmi_text_program(&arena, shape, style, false);
    if (program != NULL) {
        cosmi_text_out_begin(&out, write, context);
        cosmi_text_aim_value(program, value);
        cosmi_text_run(program, &out);
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_give_all(&arena);
    return result;
}

cosm_result cosmi_text_write_entity(const char *call, cosm_world world, cosm_entity entity,
                                    enum style style, cosm_text_fn *write, void *context) {
    struct tables tables;
    struct out out;
    cosm_result result = cosmi_text_check_world(call, world);
    if (result != COSM_OK) {
        return result;
    }
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    result = cosmi_text_check_write(call, engine, write);
    if (result != COSM_OK || !cosm_entity_is_alive(world, entity)) {
        return result != COSM_OK ? result : COSM_STALE;
    }
    cosm_archetype archetype = cosm_entity_archetype(world, entity);
    if (cosmi_text_tables_begin(&tables, engine, style) &&
        cosmi_text_tables_prepare(&tables, archetype)) {
        cosmi_text_out_begin(&out, write, context);
        cosmi_text_write_rows(&tables, &out, world, archetype, cosm_entity_loc(world, entity).row,
                              1, "");
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    return result;
}
