// Writing tables: programs by component, and the loop over rows.
#include "tables.h"

#include "check.h"

bool cosmi_text_tables_begin(struct tables *tables, const cosm_engine *engine, enum style style) {
    *tables = (struct tables){.engine = engine, .style = style};
    // What is written was there before this call, so its components are among these.
    tables->component_count = cosm_engine_describe(engine).component_count;
    tables->programs = cosmi_text_take_zeroed(&tables->arena, (tables->component_count + 1) *
                                                                  sizeof(*tables->programs));
    return tables->programs != NULL;
}

void cosmi_text_tables_end(struct tables *tables) {
    cosmi_text_give_all(&tables->arena);
}

bool cosmi_text_is_opaque(const cosm_engine *engine, cosm_component component) {
    cosm_component_info info = cosm_component_describe(engine, component);
    return info.is_object && info.field_count == 0;
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

static bool prepare_archetype(struct tables *tables, cosm_archetype archetype) {
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

static bool prepare_besides(struct tables *tables, cosm_world world) {
    uint32_t count = 0;
    for (uint32_t id = 1; id <= tables->component_count; id++) {
        cosm_component component = {id};
        if (cosm_component_describe(tables->engine, component).storage == COSM_STORAGE_SECTOR &&
            cosm_sector_container(world, component, NULL) != NULL) {
            if (!prepare_component(tables, component)) {
                return false;
            }
            count++;
        }
    }
    tables->beside_max = count;
    tables->besides = cosmi_text_take(&tables->arena, (count + 1) * sizeof(*tables->besides));
    return tables->besides != NULL;
}

bool cosmi_text_tables_prepare(struct tables *tables, cosm_world world, cosm_archetype archetype) {
    return prepare_archetype(tables, archetype) && prepare_besides(tables, world);
}

bool cosmi_text_tables_prepare_world(struct tables *tables, cosm_world world) {
    uint32_t count = cosm_engine_describe(tables->engine).archetype_count;
    for (uint32_t id = 1; id <= count; id++) {
        if (cosm_table_row_count(world, (cosm_archetype){id}) > 0 &&
            !prepare_archetype(tables, (cosm_archetype){id})) {
            return false;
        }
    }
    return prepare_besides(tables, world);
}

cosm_query *cosmi_text_all_rows(cosm_engine *engine) {
    return cosm_query_create(engine, &(cosm_query_desc){.by_world = true});
}

bool cosmi_text_next_of(cosm_rows *rows, cosm_archetype archetype) {
    while (cosm_rows_next(rows)) {
        if (rows->archetype.id == archetype.id) {
            return true;
        }
    }
    return false;
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

static void end_row(struct out *out, enum style style) {
    if (style_is_json(style)) {
        out_char(out, '}');
    }
}

// Writes the sector components of an entity.
static void write_besides(struct tables *tables, struct out *out, cosm_world world,
                          cosm_entity entity) {
    uint32_t count =
        tables->beside_max == 0
            ? 0
            : cosm_sector_components(world, entity, tables->beside_max, tables->besides);
    for (uint32_t i = 0; i < count; i++) {
        struct program *program = tables->programs[tables->besides[i].id];
        if (!cosmi_text_is_opaque(tables->engine, tables->besides[i])) {
            cosmi_text_aim_value(program, cosm_entity_read(world, entity, tables->besides[i]));
            cosmi_text_run(program, out);
        }
    }
}

// A program of a row. One of a managed component is pointed at each row's object anew.
struct aimed {
    struct program *program;
    cosm_component component;
    bool is_managed;
};

// The programs of a run's components, pointed at its first row. Returns how many there are.
static uint32_t aim_programs(const struct tables *tables, const cosm_rows *rows,
                             struct aimed out_programs[COSM_ARCHETYPE_COMPONENT_MAX]) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, rows->archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    uint32_t program_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_managed =
            cosm_component_describe(tables->engine, components[i]).storage == COSM_STORAGE_MANAGED;
        struct program *program = tables->programs[components[i].id];
        if (cosmi_text_is_opaque(tables->engine, components[i])) {
            continue;
        }
        if (!is_managed) {
            cosmi_text_aim_rows(program, rows, components[i]);
        }
        out_programs[program_count++] = (struct aimed){program, components[i], is_managed};
    }
    return program_count;
}

// Writes the component of the row at hand; nothing where a managed one has no object.
static void run_aimed(const struct aimed *aimed, struct out *out, const cosm_rows *rows,
                      uint32_t i) {
    if (aimed->is_managed) {
        const void *object = cosm_managed_row_read(rows, i, aimed->component);
        if (object == NULL) {
            return;
        }
        cosmi_text_aim_value(aimed->program, object);
    }
    cosmi_text_run(aimed->program, out);
}

void cosmi_text_write_rows(struct tables *tables, struct out *out, const cosm_rows *rows,
                           uint32_t count, const char *between) {
    struct aimed programs[COSM_ARCHETYPE_COMPONENT_MAX];
    cosm_world world = cosm_rows_world(rows, 0);
    uint32_t program_count = count > 0 ? aim_programs(tables, rows, programs) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const cosm_entity *entity = rows->entities == NULL ? NULL : &rows->entities[i];
        if (i > 0) {
            out_text(out, between);
        }
        begin_row(out, tables->style, entity, rows->row + i);
        for (uint32_t k = 0; k < program_count; k++) {
            run_aimed(&programs[k], out, rows, i);
        }
        if (entity != NULL) {
            write_besides(tables, out, world, *entity);
        }
        end_row(out, tables->style);
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
    if (result == COSM_OK && cosm_component_describe(engine, component).size > 0) {
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

// Makes what a single entity needs. False when out of memory.
static bool prepare_entity(struct tables *tables, cosm_world world, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    size_t size = 1;
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = cosm_component_describe(tables->engine, components[i]).size;
        bool is_split =
            cosm_archetype_layout(tables->engine, archetype, components[i]) == COSM_LAYOUT_SPLIT;
        size = is_split && bytes > size ? bytes : size;
    }
    tables->scratch = cosmi_text_take(&tables->arena, size);
    return tables->scratch != NULL && cosmi_text_tables_prepare(tables, world, archetype);
}

// One component of an entity's table, wherever its value is.
static void write_component(struct tables *tables, struct out *out, cosm_world world,
                            cosm_entity entity, cosm_component component) {
    struct program *program = tables->programs[component.id];
    const void *value = NULL;
    if (cosmi_text_is_opaque(tables->engine, component)) {
        return;
    }
    if (cosm_archetype_layout(tables->engine, cosm_entity_archetype(world, entity), component) ==
        COSM_LAYOUT_SPLIT) {
        value = cosm_entity_get(world, entity, component, tables->scratch) ? tables->scratch : NULL;
    } else {
        value = cosm_entity_read(world, entity, component);
    }
    if (value != NULL || program->size == 0) {
        cosmi_text_aim_value(program, value);
        cosmi_text_run(program, out);
    }
}

static void write_one(struct tables *tables, struct out *out, cosm_world world,
                      cosm_entity entity) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(tables->engine, cosm_entity_archetype(world, entity),
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    begin_row(out, tables->style, &entity, 0);
    for (uint32_t i = 0; i < count; i++) {
        write_component(tables, out, world, entity, components[i]);
    }
    write_besides(tables, out, world, entity);
    end_row(out, tables->style);
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
    if (cosmi_text_tables_begin(&tables, engine, style) &&
        prepare_entity(&tables, world, cosm_entity_archetype(world, entity))) {
        cosmi_text_out_begin(&out, write, context);
        write_one(&tables, &out, world, entity);
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, engine);
    }
    cosmi_text_tables_end(&tables);
    return result;
}
