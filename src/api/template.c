// The public calls of cosm/template.h. Recording a spawn is in template_record.c.
#include <cosm/template.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/observer.h"
#include "schema/template.h"
#include "store/tree.h"

static const struct template *template_or_null(const cosm_engine *engine, cosm_template from) {
    return engine == NULL ? NULL : schema_template(&engine->schema, from.id);
}

// The first thing that is missing in a desc; COSM_OK: nothing.
static cosm_result check_template_desc(const cosm_engine *engine, const cosm_template_desc *desc,
                                       const char *call) {
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    if (desc == NULL) {
        return cosmi_refuse_null(&engine->sink, call, "desc", "describe what to define");
    }
    if (desc->more == NULL && desc->more_count > 0) {
        return cosmi_refuse_null(&engine->sink, call, "desc.more",
                                 "pass desc.more_count components");
    }
    if (desc->values == NULL && desc->value_count > 0) {
        return cosmi_refuse_null(&engine->sink, call, "desc.values",
                                 "pass desc.value_count values");
    }
    if (desc->children == NULL && desc->child_count > 0) {
        return cosmi_refuse_null(&engine->sink, call, "desc.children",
                                 "pass desc.child_count children");
    }
    return COSM_OK;
}

cosm_template cosm_template_define(cosm_engine *engine, const cosm_template_desc *desc) {
    if (check_template_desc(engine, desc, "cosm_template_define") != COSM_OK) {
        return (cosm_template){0};
    }
    return (cosm_template){cosmi_schema_define_template(&engine->schema, desc)};
}

// Copies the value of a component out of a row: where storages other than columns come in.
static void capture_value(struct place place, const struct store *store, uint32_t row,
                          uint32_t component, void *out_value) {
    const struct column_slot *slot = store_find(store, component);
    void *const *columns = store_table(store, place.index)->columns;
    size_t at = store_first(store, place.index) + row;
    if (slot_is_split(store->archetype, slot)) {
        cosmi_split_read(store->archetype, slot, columns, at, out_value);
    } else {
        memcpy(out_value, (const char *)columns[slot->column] + at * slot->size, slot->size);
    }
}

// What an entity is made of, in an arena; NULL when out of memory.
static struct template_body *capture_body(struct place place, struct arena *arena, uint32_t id,
                                          const char *call) {
    const struct record *record = &place_world(place)->records[id];
    const struct store *store = world_store(place.batch, place.index, record->table);
    struct archetype *archetype = store->archetype;
    struct template_body *body =
        cosmi_arena_take(arena, sizeof(*body), _Alignof(struct template_body));
    cosm_value *values =
        cosmi_arena_take(arena, (archetype->component_count + 1) * sizeof(*values), 16);
    if (body == NULL || values == NULL) {
        return NULL;
    }
    *body = (struct template_body){archetype, values, 0, NULL};
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t component = archetype->components[i];
        size_t size = slot_value_size(archetype, archetype_find(archetype, component));
        if (size == 0) {
            continue;
        }
        void *bytes = cosmi_arena_take(arena, size, 16);
        if (bytes == NULL) {
            return NULL;
        }
        cosmi_check_component(place.batch, place.index, component, false, call);
        cosmi_check_cell(place.batch, place.index, archetype, record->row, component, false, call);
        capture_value(place, store, record->row, component, bytes);
        values[body->value_count++] = (cosm_value){{component}, bytes};
    }
    return body;
}

// Makes a part of each entity. The list of entities is in the order of depth, so children of one
// parent are side by side, in the order of the parents.
static bool capture_parts(struct place place, struct arena *arena, const cosm_entity *entities,
                          uint32_t count, struct template_part *parts, const char *call) {
    const struct tree *tree = batch_tree(place.batch, place.index);
    uint32_t parent = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t above = i == 0 ? ID_NONE : tree_parent(tree, entities[i].id);
        while (i > 0 && entities[parent].id != above) {
            parent++;
        }
        struct template_body *body = capture_body(place, arena, entities[i].id, call);
        if (body == NULL) {
            return false;
        }
        parts[i] = (struct template_part){body, parent, 1, 0};
    }
    return true;
}

static uint32_t capture(struct place place, cosm_entity entity, const char *name,
                        bool with_children, const char *call) {
    struct schema *schema = place.batch->schema;
    uint32_t count = with_children ? cosmi_tree_list(place, entity.id, 0, NULL) : 1;
    if (count > COSM_TEMPLATE_PART_MAX) {
        return cosmi_template_refuse_size(schema, call, name);
    }
    struct arena arena;
    cosmi_arena_init(&arena, schema->memory);
    cosm_entity *entities = cosmi_arena_take(&arena, count * sizeof(*entities), 16);
    struct template_part *parts = cosmi_arena_take(&arena, count * sizeof(*parts), 16);
    uint32_t id = 0;
    bool done = entities != NULL && parts != NULL;
    if (done) {
        (void)cosmi_tree_list(place, entity.id, count, entities);
        done = capture_parts(place, &arena, entities, count, parts, call);
    }
    if (done) {
        id = cosmi_schema_keep_template(schema, call, name, parts, count);
    } else {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    }
    cosmi_arena_free(&arena);
    return id;
}

cosm_template cosm_template_capture(cosm_world world, cosm_entity entity, const char *name,
                                    bool with_children) {
    static const char call[] = "cosm_template_capture";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return (cosm_template){0};
    }
    if (cosmi_check_name(world.batch, call, name) != COSM_OK ||
        directory_find(&world.batch->worlds[world.index], entity) == NULL) {
        return (cosm_template){0};
    }
    return (cosm_template){capture(world_place(world), entity, name, with_children, call)};
}

cosm_template cosm_template_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_template){0};
    }
    struct schema *schema = (struct schema *)&engine->schema;
    return (cosm_template){cosmi_schema_find_template(schema, name)};
}

const char *cosm_template_name(const cosm_engine *engine, cosm_template from) {
    const struct template *known = template_or_null(engine, from);
    return known == NULL ? NULL : known->name;
}

cosm_archetype cosm_template_archetype(const cosm_engine *engine, cosm_template from) {
    const struct template *known = template_or_null(engine, from);
    return (cosm_archetype){known == NULL ? 0 : known->parts[0].body->archetype->id};
}

uint32_t cosm_template_entity_count(const cosm_engine *engine, cosm_template from) {
    const struct template *known = template_or_null(engine, from);
    return known == NULL ? 0 : known->entity_count;
}

bool cosm_template_value(const cosm_engine *engine, cosm_template from, cosm_component component,
                         void *out_value) {
    const struct template *known = template_or_null(engine, from);
    if (known == NULL || out_value == NULL ||
        archetype_find(known->parts[0].body->archetype, component.id) == NULL) {
        return false;
    }
    const struct template_body *body = known->parts[0].body;
    const struct value_type *type = schema_component(&engine->schema, component.id);
    uint32_t index = cosmi_template_value_index(body, component.id);
    if (index == body->value_count) {
        return cosmi_value_default(type, out_value);
    }
    memcpy(out_value, body->values[index].data, type->size);
    return true;
}

// A spawn from a template, on its way.
struct template_spawn {
    struct place place;
    const char *call;
    const struct template *from;
    uint32_t count;
    const cosm_value *overrides;
    uint32_t override_count;
};

// Writes one value to new rows: where storages other than columns come in.
static void write_template_value(struct place place, struct store *store, uint32_t row,
                                 uint32_t count, const cosm_value *value) {
    const struct column_slot *slot = store_find(store, value->component.id);
    cosmi_rows_set_value(place, store, slot, row, count, value->data);
}

// Fills new rows column by column: the default where the body has no value. Where something follows
// the rows, every column is defined before that is told of them.
static void fill_part(struct place place, struct store *store, const struct template_body *body,
                      uint32_t row, uint32_t count) {
    uint32_t sides = store_sides(store);
    bool fill_all = (sides & ~SIDE_ENTITIES) != 0;
    for (uint32_t c = 1; c < store->archetype->column_count; c++) {
        if (fill_all || (body->given[c / 64] >> (c % 64) & 1) == 0) {
            cosmi_rows_fill_column(place, store, c, row, count);
        }
    }
    cosmi_rows_touch(place, store);
    if (sides != 0) {
        cosmi_side_spawned(place, store, row, count);
    }
}

static void write_part(struct place place, struct store *store, const struct template_body *body,
                       uint32_t row, uint32_t count, const cosm_value *overrides,
                       uint32_t override_count) {
    uint64_t overridden[COSM_ARCHETYPE_COMPONENT_MAX / 64] = {0};
    for (uint32_t i = 0; i < override_count; i++) {
        uint32_t index = cosmi_template_value_index(body, overrides[i].component.id);
        if (index < body->value_count) {
            overridden[index / 64] |= (uint64_t)1 << (index % 64);
        }
    }
    for (uint32_t i = 0; i < body->value_count; i++) {
        if ((overridden[i / 64] >> (i % 64) & 1) == 0) {
            write_template_value(place, store, row, count, &body->values[i]);
        }
    }
    for (uint32_t i = 0; i < override_count; i++) {
        write_template_value(place, store, row, count, &overrides[i]);
    }
}

static const cosm_entity *row_entities(struct place place, const struct store *store,
                                       uint32_t row) {
    return (const cosm_entity *)(const void *)store_cell(store, store_table(store, place.index),
                                                         place.index, ENTITY_COLUMN, row,
                                                         sizeof(cosm_entity));
}

// Can all rows be had without a table that grows? Then nothing moves.
static bool rows_are_there(const struct template_spawn *spawn) {
    const struct template *from = spawn->from;
    for (uint32_t r = 0; r < from->room_count; r++) {
        const struct store *store = batch_store(spawn->place.batch, from->rooms[r].archetype->id);
        uint32_t world = spawn->place.index;
        if (store == NULL || (uint64_t)from->rooms[r].rows * spawn->count >
                                 store_capacity(store, world) - store->counts[world]) {
            return false;
        }
    }
    return true;
}

// Room for what observers are told.
static cosm_result reserve_parts(const struct template_spawn *spawn) {
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t p = 0; p < spawn->from->part_count; p++) {
        const struct template_part *part = &spawn->from->parts[p];
        uint64_t count = (uint64_t)part->per_root * spawn->count;
        uint64_t values = part->body->value_count + (p == 0 ? spawn->override_count : 0);
        cosmi_event_need(&need, NULL, part->body->archetype, count, 1);
        cosmi_event_need_set(&need, part->body->archetype, count * values, values);
    }
    return cosmi_event_reserve(spawn->place, spawn->call, &need);
}

// All room that the spawn needs: rows, ids, and links of the ids to come.
static cosm_result make_template_room(const struct template_spawn *spawn) {
    struct place place = spawn->place;
    const struct template *from = spawn->from;
    cosm_result result = COSM_OK;
    for (uint32_t r = 0; r < from->room_count && result == COSM_OK; r++) {
        struct store *store =
            cosmi_batch_make_store(place.batch, spawn->call, from->rooms[r].archetype);
        result = store == NULL ? cosm_error_result()
                               : cosmi_rows_make_rows(place, spawn->call, store,
                                                      (uint64_t)from->rooms[r].rows * spawn->count);
    }
    uint64_t total = (uint64_t)from->entity_count * spawn->count;
    if (result == COSM_OK) {
        uint32_t ids = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
        result = cosmi_rows_make_ids(place, spawn->call, ids);
    }
    if (result == COSM_OK && place.batch->events != NULL) {
        result = reserve_parts(spawn);
    }
    if (result == COSM_OK && from->part_count > 1) {
        struct tree *tree = cosmi_tree_make(place, spawn->call);
        result = tree == NULL ? COSM_ERROR_MEMORY
                              : cosmi_tree_reserve_next(place, tree, total, spawn->call);
    }
    return result;
}

// Spawns the rows of a part; returns the first one.
static uint32_t spawn_part(const struct template_spawn *spawn, uint32_t index) {
    const struct template_part *part = &spawn->from->parts[index];
    struct store *store = batch_known_store(spawn->place.batch, part->body->archetype->id);
    uint32_t count = part->per_root * spawn->count;
    uint32_t row = cosmi_rows_append(spawn->place, store, count);
    fill_part(spawn->place, store, part->body, row, count);
    write_part(spawn->place, store, part->body, row, count, spawn->overrides,
               index == 0 ? spawn->override_count : 0);
    return row;
}

// Puts the rows of a part under those of its parent, in their order.
static void link_part(const struct template_spawn *spawn, uint32_t index, const uint32_t *rows) {
    struct place place = spawn->place;
    struct tree *tree = batch_tree(place.batch, place.index);
    const struct template_part *part = &spawn->from->parts[index];
    const struct template_part *above = &spawn->from->parts[part->parent];
    const cosm_entity *entities =
        row_entities(place, batch_known_store(place.batch, part->body->archetype->id), rows[index]);
    const cosm_entity *parents = row_entities(
        place, batch_known_store(place.batch, above->body->archetype->id), rows[part->parent]);
    uint32_t parent_count = above->per_root * spawn->count;
    for (uint32_t p = 0, at = 0; p < parent_count; p++) {
        for (uint32_t i = 0; i < part->count; i++, at++) {
            cosmi_tree_put(tree, entities[at].id, parents[p].id, ID_NONE);
        }
    }
}

// Parts of a template whose first rows are kept without memory for them.
#define PARTS_AT_HAND 64u

// Makes room for everything, then spawns. The first row of those at the top goes to *out_row.
static cosm_result spawn_parts(const struct template_spawn *spawn, uint32_t *out_row) {
    struct cosm_batch *batch = spawn->place.batch;
    uint32_t few[PARTS_AT_HAND];
    uint32_t part_count = spawn->from->part_count;
    size_t size = part_count * sizeof(*few);
    uint32_t *rows =
        part_count <= PARTS_AT_HAND ? few : cosmi_memory_take(&batch->memory, size, sizeof(*few));
    if (rows == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, spawn->call);
    }
    cosm_result result = make_template_room(spawn);
    for (uint32_t p = 0; p < part_count && result == COSM_OK; p++) {
        rows[p] = spawn_part(spawn, p);
        if (p > 0) {
            link_part(spawn, p, rows);
        }
    }
    *out_row = result == COSM_OK ? rows[0] : 0;
    if (rows != few) {
        cosmi_memory_give(&batch->memory, rows, size, sizeof(*few));
    }
    return result;
}

// Values that lie in rows which may move are kept aside meanwhile.
static cosm_result spawn_template(struct template_spawn *spawn, uint32_t *out_row) {
    struct cosm_batch *batch = spawn->place.batch;
    if (spawn->override_count == 0 || rows_are_there(spawn)) {
        return spawn_parts(spawn, out_row);
    }
    struct arena arena;
    cosmi_arena_init(&arena, &batch->memory);
    spawn->overrides =
        cosmi_values_keep(&arena, batch->schema, spawn->overrides, spawn->override_count);
    cosm_result result = spawn->overrides == NULL
                             ? cosmi_fail_memory(batch->sink, &batch->memory, spawn->call)
                             : spawn_parts(spawn, out_row);
    cosmi_arena_free(&arena);
    return result;
}

const struct template *cosmi_check_template(const struct cosm_batch *batch, const char *call,
                                            cosm_template from, const cosm_value *overrides,
                                            uint32_t override_count) {
    const struct template *known = schema_template(batch->schema, from.id);
    if (known == NULL) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: template %u is not defined in this engine; define it with "
                         "cosm_template_define or cosm_template_capture",
                         call, from.id);
        return NULL;
    }
    cosm_result result =
        cosmi_check_values(batch, call, known->parts[0].body->archetype, overrides, override_count);
    return result == COSM_OK ? known : NULL;
}

// Values of a body and overrides that are put together on the stack.
#define VALUES_AT_HAND 32u

// One entity without children is a spawn with values: of two for one component the later counts.
static cosm_entity spawn_alone(cosm_world world, const struct template_body *body,
                               const cosm_value *overrides, uint32_t override_count,
                               const char *call) {
    cosm_value joined[VALUES_AT_HAND];
    const cosm_value *values = body->values;
    if (override_count > 0) {
        memcpy(joined, body->values, body->value_count * sizeof(*joined));
        memcpy(joined + body->value_count, overrides, override_count * sizeof(*joined));
        values = joined;
    }
    return cosmi_spawn_one(world, (cosm_archetype){body->archetype->id}, values,
                           body->value_count + override_count, call);
}

cosm_entity cosm_template_spawn(cosm_world world, cosm_template from, const cosm_value *overrides,
                                uint32_t override_count) {
    static const char call[] = "cosm_template_spawn";
    if (check_change(world, call) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    const struct template *known =
        cosmi_check_template(world.batch, call, from, overrides, override_count);
    if (known == NULL) {
        return COSM_ENTITY_NONE;
    }
    const struct template_body *body = known->parts[0].body;
    if (known->part_count == 1 &&
        (override_count == 0 || (uint64_t)body->value_count + override_count <= VALUES_AT_HAND)) {
        return spawn_alone(world, body, overrides, override_count, call);
    }
    struct template_spawn spawn = {world_place(world), call, known, 1, overrides, override_count};
    uint32_t row;
    if (spawn_template(&spawn, &row) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    const struct store *store = batch_known_store(world.batch, body->archetype->id);
    cosm_entity entity = *row_entities(spawn.place, store, row);
    deliver_events(spawn.place, call);
    return entity;
}

cosm_result cosm_template_spawn_many(cosm_world world, cosm_template from, uint32_t count,
                                     const cosm_value *overrides, uint32_t override_count,
                                     cosm_rows *out_rows) {
    static const char call[] = "cosm_template_spawn_many";
    if (out_rows != NULL) {
        memset(out_rows, 0, sizeof(*out_rows)); // after a failure it shows no rows
    }
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    if (out_rows == NULL) {
        return cosmi_refuse_null(world.batch->sink, call, "out_rows", "pass a cosm_rows to fill");
    }
    const struct template *known =
        cosmi_check_template(world.batch, call, from, overrides, override_count);
    if (known == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct template_spawn spawn = {world_place(world), call,          known, count,
                                   overrides,          override_count};
    if (count == 0) {
        return COSM_OK;
    }
    uint32_t row;
    result = spawn_template(&spawn, &row);
    if (result == COSM_OK) {
        const struct store *store =
            batch_known_store(world.batch, known->parts[0].body->archetype->id);
        cosmi_rows_show(out_rows, spawn.place, store, row, count);
    }
    if (result == COSM_OK && world.batch->events != NULL) {
        cosmi_deliver_rows(spawn.place, call, out_rows);
    }
    return result;
}
