// cosm_template_spawn and cosm_template_spawn_many.
//
// Everything that can fail comes first: tables and their rows, ids, links, what observers will be
// told, copies of objects, and what entities have beside the tables. The last of these is given to
// the handles that the directory will hand out next, before they live. Then the rows come, part by
// part, and nothing can fail any more.
#include <cosm/template.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/observer.h"
#include "schema/template.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

// Parts of a template, and values of the one at the top, for which no memory is taken.
#define PARTS_AT_HAND 64u
#define VALUES_AT_HAND 32u

#define MANAGED_BIT STORAGE_BIT(COSM_STORAGE_MANAGED)
#define SECTOR_BIT STORAGE_BIT(COSM_STORAGE_SECTOR)

// A spawn from a template, on its way. Invariant: two rooms have two stores; that of those at the
// top, behind the others, may be one of them.
struct template_spawn {
    cosm_world world;
    const char *call;
    const struct template *from;
    uint32_t count;
    const cosm_value *overrides;
    uint32_t override_count;
    struct template_body top; // what those at the top get, with the overrides
    struct store **stores;    // of the rooms, and of those at the top
    uint32_t *rows;           // the first row of each part
};

static const struct template_body *part_body(const struct template_spawn *spawn, uint32_t part) {
    return part == 0 ? &spawn->top : spawn->from->parts[part].body;
}

static struct store *part_store(const struct template_spawn *spawn, uint32_t part) {
    const struct template *from = spawn->from;
    return spawn->stores[part == 0 ? from->room_count : from->parts[part].room];
}

static uint32_t part_rows(const struct template_spawn *spawn, uint32_t part) {
    return spawn->from->parts[part].per_root * spawn->count;
}

static const struct value_type *value_type_of(const struct template_spawn *spawn,
                                              const cosm_value *value) {
    return schema_component(spawn->world.batch->schema, value->component.id);
}

static const cosm_entity *row_entities(cosm_world world, const struct store *store, uint32_t row) {
    return (const cosm_entity *)(const void *)store_cell(store, store_table(store, world.index),
                                                         world.index, ENTITY_COLUMN, row,
                                                         sizeof(cosm_entity));
}

// Finds the tables of all parts, and makes those that are new. Room 0 is that of the top, unless
// overrides send it elsewhere; then it may be that nobody else goes there.
static cosm_result find_stores(const struct template_spawn *spawn) {
    const struct template *from = spawn->from;
    const struct template_body *top = &spawn->top;
    struct store **stores = spawn->stores;
    struct store *first = cosmi_shared_store(spawn->world, spawn->call, top->archetype, NULL,
                                             top->values, top->value_count);
    bool is_room =
        spawn->override_count == 0 || top->archetype->shared_count == 0 || from->rooms[0].rows == 1;
    stores[from->room_count] = first;
    stores[0] = first;
    for (uint32_t r = is_room ? 1 : 0; r < from->room_count && first != NULL; r++) {
        const struct template_body *body = from->rooms[r].body;
        stores[r] = cosmi_shared_store(spawn->world, spawn->call, body->archetype, NULL,
                                       body->values, body->value_count);
        if (stores[r] == NULL) {
            return cosm_error_result();
        }
    }
    return first == NULL ? cosm_error_result() : COSM_OK;
}

// The rows that a room gets. Those at the top count where their store is, and as a room of their
// own where that is none.
static uint64_t room_rows(const struct template_spawn *spawn, uint32_t room) {
    const struct template *from = spawn->from;
    const struct store *top = spawn->stores[from->room_count];
    uint64_t rows = 0;
    if (room < from->room_count) {
        rows = from->rooms[room].rows;
        rows -= room == 0 ? 1 : 0;
        rows += spawn->stores[room] == top ? 1 : 0;
    } else {
        uint32_t r = 0;
        while (r < from->room_count && spawn->stores[r] != top) {
            r++;
        }
        rows = r == from->room_count ? 1 : 0;
    }
    return rows * spawn->count;
}

// Can all rows be had without a table that grows? Then nothing moves.
static bool rows_are_there(const struct template_spawn *spawn) {
    uint32_t world = spawn->world.index;
    bool there = true;
    for (uint32_t r = 0; r <= spawn->from->room_count && there; r++) {
        const struct store *store = spawn->stores[r];
        there = room_rows(spawn, r) <= store_capacity(store, world) - store->counts[world];
    }
    return there;
}

// Is somebody told of a sector component?
static bool is_sector_observed(const struct cosm_batch *batch, uint32_t component) {
    const struct event_board *board = batch->events;
    bool observed = false;
    for (uint32_t i = 0; i < board->sector_count && !observed; i++) {
        observed = board->sectors[i] == component;
    }
    return observed;
}

// Room for what observers are told.
static cosm_result reserve_template_events(const struct template_spawn *spawn) {
    struct cosm_batch *batch = spawn->world.batch;
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t p = 0; batch->events != NULL && p < spawn->from->part_count; p++) {
        const struct template_body *body = part_body(spawn, p);
        uint64_t rows = part_rows(spawn, p);
        cosmi_event_need(&need, NULL, body->archetype, rows, 1);
        for (uint32_t i = 0; i < body->value_count; i++) {
            const struct value_type *type = value_type_of(spawn, &body->values[i]);
            if (type->storage != COSM_STORAGE_SECTOR) {
                cosmi_event_need_set(&need, body->archetype, rows, 1);
            } else if (is_sector_observed(batch, type->id)) {
                need.records += 2 * rows; // added and set, entity by entity
                need.entities += 2 * rows;
            }
        }
    }
    return cosmi_event_reserve(spawn->world, spawn->call, &need);
}

// Room in the tables, for ids, for links of the ids to come, and for observers.
static cosm_result make_template_room(const struct template_spawn *spawn) {
    cosm_world world = spawn->world;
    const struct template *from = spawn->from;
    cosm_result result = COSM_OK;
    for (uint32_t r = 0; r <= from->room_count && result == COSM_OK; r++) {
        result = cosmi_rows_make_rows(world, spawn->call, spawn->stores[r], room_rows(spawn, r));
    }
    uint64_t total = (uint64_t)from->entity_count * spawn->count;
    if (result == COSM_OK) {
        uint32_t ids = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
        result = cosmi_rows_make_ids(world, spawn->call, ids);
    }
    if (result == COSM_OK && from->part_count > 1) {
        struct tree *tree = cosmi_tree_make(world, spawn->call);
        result = tree == NULL ? COSM_ERROR_MEMORY
                              : cosmi_tree_reserve_next(world, tree, total, spawn->call);
    }
    return result == COSM_OK ? reserve_template_events(spawn) : result;
}

// Copies the objects that the rows of all parts will own, in the order in which they get them.
static cosm_result prepare_rows(const struct template_spawn *spawn) {
    cosm_result result = COSM_OK;
    for (uint32_t p = 0; p < spawn->from->part_count && result == COSM_OK; p++) {
        const struct template_body *body = part_body(spawn, p);
        for (uint32_t i = 0; i < body->value_count && result == COSM_OK; i++) {
            const struct value_type *type = value_type_of(spawn, &body->values[i]);
            if (type->storage == COSM_STORAGE_MANAGED) {
                result = cosmi_managed_prepare(spawn->world, spawn->call, type, part_rows(spawn, p),
                                               body->values[i].data);
            }
        }
    }
    return result;
}

static void unprepare_rows(const struct template_spawn *spawn) {
    for (uint32_t p = 0; p < spawn->from->part_count; p++) {
        const struct template_body *body = part_body(spawn, p);
        for (uint32_t i = 0; i < body->value_count; i++) {
            const struct value_type *type = value_type_of(spawn, &body->values[i]);
            if (type->storage == COSM_STORAGE_MANAGED) {
                cosmi_managed_unprepare(spawn->world, type);
            }
        }
    }
}

static cosm_result add_beside(const struct template_spawn *spawn, const struct template_body *body,
                              cosm_entity entity) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < body->value_count && result == COSM_OK; i++) {
        const struct value_type *type = value_type_of(spawn, &body->values[i]);
        if (type->storage == COSM_STORAGE_SECTOR) {
            result =
                cosmi_sector_add(spawn->world, spawn->call, type, entity, body->values[i].data);
        }
    }
    return result;
}

// Gives the entities to come what they have beside the tables. On failure nobody has anything.
static cosm_result add_all_beside(const struct template_spawn *spawn) {
    struct world *data = world_data(spawn->world);
    INVARIANT(!directory_has_reserved(data), "reserved ids are settled before ids are read");
    struct ids_ahead ahead = directory_ahead(data);
    cosm_result result = COSM_OK;
    uint64_t done = 0;
    for (uint32_t p = 0; p < spawn->from->part_count && result == COSM_OK; p++) {
        const struct template_body *body = part_body(spawn, p);
        uint32_t rows = part_rows(spawn, p);
        for (uint32_t i = 0; i < rows && result == COSM_OK; i++, done++) {
            cosm_entity entity = directory_next(data, &ahead);
            if ((body->storages & SECTOR_BIT) != 0) {
                result = add_beside(spawn, body, entity);
            }
        }
    }
    ahead = directory_ahead(data);
    for (uint64_t i = 0; i < done && result != COSM_OK; i++) {
        cosmi_sector_erase(spawn->world, directory_next(data, &ahead));
    }
    return result;
}

// What hooks of components make. On failure all of it has ended.
static cosm_result make_objects(const struct template_spawn *spawn) {
    uint32_t storages = spawn->from->storages | spawn->top.storages;
    cosm_result result = (storages & MANAGED_BIT) != 0 ? prepare_rows(spawn) : COSM_OK;
    if (result == COSM_OK && (storages & SECTOR_BIT) != 0) {
        result = add_all_beside(spawn);
    }
    if (result != COSM_OK && (storages & MANAGED_BIT) != 0) {
        unprepare_rows(spawn);
    }
    return result;
}

// Fills new rows column by column: the default where the body has no value. Where something follows
// the rows, every column is defined before that is told of them; tickets are in any case.
static void fill_part(cosm_world world, struct store *store, const struct template_body *body,
                      uint32_t row, uint32_t count) {
    uint32_t sides = store_sides(store);
    bool fill_all = (sides & (SIDE_TICKS | SIDE_EVENTS)) != 0;
    for (uint32_t c = 1; c < store->archetype->column_count; c++) {
        if (fill_all || (body->given[c / 64] >> (c % 64) & 1) == 0) {
            cosmi_rows_fill_column(world, store, c, row, count);
        }
    }
    cosmi_rows_touch(world, store);
    if (sides != 0) {
        cosmi_side_spawned(world, store, row, count);
    }
}

// Writes one value to new rows, or what was made of it beforehand.
static void write_template_value(const struct template_spawn *spawn, struct store *store,
                                 uint32_t row, uint32_t count, const cosm_value *value) {
    cosm_world world = spawn->world;
    const struct column_slot *slot = archetype_find(store->archetype, value->component.id);
    if (slot == NULL) {
        return; // beside the tables, where it was put before the rows were made
    }
    if (slot_is_managed(store->archetype, slot)) {
        cosmi_managed_set_prepared(world, store, slot->column, row, count);
    } else {
        cosmi_rows_set_value(world, store, slot, row, count, value->data);
    }
}

// Spawns the rows of a part; returns the first one.
static uint32_t spawn_part(const struct template_spawn *spawn, uint32_t index) {
    const struct template_body *body = part_body(spawn, index);
    struct store *store = part_store(spawn, index);
    uint32_t count = part_rows(spawn, index);
    uint32_t row = cosmi_rows_append(spawn->world, store, count);
    fill_part(spawn->world, store, body, row, count);
    for (uint32_t i = 0; i < body->value_count; i++) {
        write_template_value(spawn, store, row, count, &body->values[i]);
    }
    return row;
}

// Puts the rows of a part under those of its parent, in their order.
static void link_part(const struct template_spawn *spawn, uint32_t index) {
    cosm_world world = spawn->world;
    struct tree *tree = batch_tree(world.batch, world.index);
    const struct template_part *part = &spawn->from->parts[index];
    const cosm_entity *entities = row_entities(world, part_store(spawn, index), spawn->rows[index]);
    const cosm_entity *parents =
        row_entities(world, part_store(spawn, part->parent), spawn->rows[part->parent]);
    uint32_t parent_count = part_rows(spawn, part->parent);
    for (uint32_t p = 0, at = 0; p < parent_count; p++) {
        for (uint32_t i = 0; i < part->count; i++, at++) {
            cosmi_tree_put(tree, entities[at].id, parents[p].id, ID_NONE);
        }
    }
}

// Where those at the top are.
struct spawned {
    struct store *store;
    uint32_t row;
};

// Makes room for everything, then spawns.
static cosm_result spawn_parts(struct template_spawn *spawn, struct arena *arena,
                               cosm_value *list) {
    struct cosm_batch *batch = spawn->world.batch;
    cosm_result result = find_stores(spawn);
    if (result == COSM_OK && spawn->override_count > 0 && !rows_are_there(spawn)) {
        // Values that lie in rows which may move are kept aside meanwhile.
        spawn->overrides =
            cosmi_values_keep(arena, batch->schema, spawn->overrides, spawn->override_count);
        if (spawn->overrides == NULL) {
            return cosmi_fail_memory(batch->sink, &batch->memory, spawn->call);
        }
        spawn->top = cosmi_template_join(batch->schema, spawn->from->parts[0].body,
                                         spawn->overrides, spawn->override_count, list);
    }
    if (result == COSM_OK) {
        result = make_template_room(spawn);
    }
    if (result == COSM_OK) {
        result = make_objects(spawn);
    }
    for (uint32_t p = 0; p < spawn->from->part_count && result == COSM_OK; p++) {
        spawn->rows[p] = spawn_part(spawn, p);
        if (p > 0) {
            link_part(spawn, p);
        }
    }
    return result;
}

// Observers have not been told yet, and tables that were made for nothing are still there.
static cosm_result spawn_template(struct template_spawn *spawn, struct spawned *out_spawned) {
    struct cosm_batch *batch = spawn->world.batch;
    const struct template *from = spawn->from;
    const struct template_body *body = from->parts[0].body;
    struct store *few_stores[PARTS_AT_HAND + 1];
    uint32_t few_rows[PARTS_AT_HAND];
    cosm_value few_values[VALUES_AT_HAND];
    struct arena arena;
    cosmi_arena_init(&arena, &batch->memory);
    cosm_value *list = few_values;
    spawn->stores = few_stores;
    spawn->rows = few_rows;
    spawn->top = *body;
    if (from->part_count > PARTS_AT_HAND) {
        spawn->stores = cosmi_arena_alloc(&arena, (from->room_count + 1) * sizeof(*few_stores),
                                          sizeof(*few_stores));
        spawn->rows =
            cosmi_arena_alloc(&arena, from->part_count * sizeof(*few_rows), sizeof(*few_rows));
    }
    uint64_t value_count = (uint64_t)body->value_count + spawn->override_count;
    if (value_count > VALUES_AT_HAND && spawn->override_count > 0) {
        list = cosmi_arena_alloc(&arena, value_count * sizeof(*list), sizeof(void *));
    }
    cosm_result result = COSM_OK;
    if (spawn->stores == NULL || spawn->rows == NULL || list == NULL) {
        result = cosmi_fail_memory(batch->sink, &batch->memory, spawn->call);
    } else {
        if (spawn->override_count > 0) {
            spawn->top = cosmi_template_join(batch->schema, body, spawn->overrides,
                                             spawn->override_count, list);
        }
        result = spawn_parts(spawn, &arena, list);
    }
    if (result == COSM_OK) {
        *out_spawned = (struct spawned){part_store(spawn, 0), spawn->rows[0]};
    }
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

// Is this one entity whose values are all bytes of its table?
static bool is_plain(const struct schema *schema, const struct template *from,
                     const cosm_value *overrides, uint32_t override_count) {
    const struct template_body *body = from->parts[0].body;
    uint32_t storages = body->storages | cosmi_template_storages(schema, overrides, override_count);
    return from->part_count == 1 && (body->archetype->sides & SIDE_MANAGED) == 0 &&
           (storages & SECTOR_BIT) == 0 &&
           (override_count == 0 || (uint64_t)body->value_count + override_count <= VALUES_AT_HAND);
}

// Such a one is a spawn with values.
static cosm_entity spawn_alone(cosm_world world, const struct template_body *body,
                               const cosm_value *overrides, uint32_t override_count,
                               const char *call) {
    cosm_value list[VALUES_AT_HAND];
    struct template_body top = *body;
    if (override_count > 0) {
        top = cosmi_template_join(world.batch->schema, body, overrides, override_count, list);
    }
    return cosmi_spawn_one(world, (cosm_archetype){top.archetype->id}, top.values, top.value_count,
                           call);
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
    if (is_plain(world.batch->schema, known, overrides, override_count)) {
        return spawn_alone(world, known->parts[0].body, overrides, override_count, call);
    }
    struct template_spawn spawn = {.world = world,
                                   .call = call,
                                   .from = known,
                                   .count = 1,
                                   .overrides = overrides,
                                   .override_count = override_count};
    struct spawned top;
    cosm_entity entity = COSM_ENTITY_NONE;
    if (spawn_template(&spawn, &top) == COSM_OK) {
        entity = *row_entities(spawn.world, top.store, top.row);
    }
    end_change(spawn.world, call);
    return entity;
}

// Shows the rows, and tells observers.
static void show_and_deliver(const struct template_spawn *spawn, struct spawned top,
                             cosm_rows *out_rows) {
    cosmi_rows_show(out_rows, spawn->world, top.store, top.row, spawn->count);
    if (spawn->world.batch->events != NULL) {
        cosmi_deliver_rows(spawn->world, spawn->call, out_rows);
    }
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
    struct template_spawn spawn = {.world = world,
                                   .call = call,
                                   .from = known,
                                   .count = count,
                                   .overrides = overrides,
                                   .override_count = override_count};
    if (count == 0) {
        return COSM_OK;
    }
    struct spawned top;
    result = spawn_template(&spawn, &top);
    if (result == COSM_OK) {
        show_and_deliver(&spawn, top, out_rows);
    }
    end_change(spawn.world, call);
    return result;
}
