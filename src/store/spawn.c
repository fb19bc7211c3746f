// Spawning as planned and as done: rows, values by their storage, links and events.
#include "store/spawn.h"

#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"
#include "store/values.h"

// Parts of a template, and values of the one at the top, for which no memory is taken.
#define PARTS_AT_HAND 64u
#define VALUES_AT_HAND 32u

#define MANAGED_BIT STORAGE_BIT(COSM_STORAGE_MANAGED)
#define SECTOR_BIT STORAGE_BIT(COSM_STORAGE_SECTOR)

// The columns of a split component, a bit each.
static uint64_t part_bits(const struct archetype *archetype, const struct column_slot *slot) {
    uint64_t bits = 0;
    for (uint32_t p = 0; p < archetype->columns[slot->column].part_count; p++) {
        bits |= (uint64_t)1 << ((slot->column + p) & 63);
    }
    return bits;
}

// Writes values to a row, and notes their columns; false when one of them is not for a column. Once
// values are checked, those that lie elsewhere are passed over.
static inline bool write_values(const struct store *store, void *const *columns, size_t at,
                                const cosm_value *values, uint32_t value_count, bool is_checked,
                                uint64_t *given) {
    struct column_map map = store->map;
    for (uint32_t i = 0; i < value_count; i++) {
        const struct column_slot *slot = column_map_find(&map, values[i].component.id);
        if (is_checked && (slot == NULL || slot_is_managed(store->archetype, slot))) {
            continue;
        }
        if (UNLIKELY(slot == NULL || (values[i].data == NULL && slot->column > 0))) {
            return false;
        }
        size_t size = slot->size;
        if (LIKELY(size > 0)) {
            *given |= (uint64_t)1 << (slot->column & 63);
            copy_in((char *)columns[slot->column] + at * size, values[i].data, size);
        } else if (slot->column > 0) {
            *given |= part_bits(store->archetype, slot);
            cosmi_split_write(store->archetype, slot, columns, at, values[i].data);
        }
    }
    return true;
}

static inline bool write_row(cosm_world world, struct store *store, uint32_t row,
                             const cosm_value *values, uint32_t value_count, bool is_checked) {
    const struct archetype *archetype = store->archetype;
    void *const *columns = store_table(store, world.index)->columns;
    size_t at = store_first(store, world.index) + row;
    uint32_t column_count = archetype->column_count;
    uint64_t given = 1;
    if (column_count > 64) { // more than `given` has bits
        cosmi_rows_fill_row(archetype, columns, at, given);
    }
    if ((value_count > 0 && values == NULL) ||
        !write_values(store, columns, at, values, value_count, is_checked, &given)) {
        return false;
    }
    uint64_t all = ~(uint64_t)0 >> (-column_count & 63);
    if (given != all && column_count <= 64) {
        cosmi_rows_fill_row(archetype, columns, at, given);
    }
    return true;
}

bool cosmi_spawn_write(cosm_world world, struct store *store, uint32_t row,
                       const cosm_value *values, uint32_t value_count, bool is_checked) {
    return write_row(world, store, row, values, value_count, is_checked);
}

cosm_entity cosmi_spawn_tell(cosm_world world, struct store *store, uint32_t row,
                             cosm_entity entity) {
    cosmi_side_spawned(world, store, row, 1);
    return entity;
}

// A spawn on its way. Invariant: two rooms have two stores; that of those at the top, behind the
// others, may be one of them.
struct spawn_plan {
    struct spawn *spawn;
    cosm_world world;
    const char *call;
    const struct template *from;
    const struct template_body *top; // what those at the top get
    struct template_body joined;     // that, where they have values of their own
    cosm_value *values;              // and the list of these, with the template's
    struct store **stores;           // of the rooms, and of those at the top
    uint32_t *rows;                  // the first row of each part
    struct arena arena;
};

static const struct template_body *part_body(const struct spawn_plan *plan, uint32_t part) {
    return part == 0 ? plan->top : plan->from->parts[part].body;
}

static struct store *part_store(const struct spawn_plan *plan, uint32_t part) {
    const struct template *from = plan->from;
    return plan->stores[part == 0 ? from->room_count : from->parts[part].room];
}

static uint32_t part_rows(const struct spawn_plan *plan, uint32_t part) {
    return plan->from->parts[part].per_root * plan->spawn->count;
}

static const struct value_type *type_of_value(const struct spawn_plan *plan,
                                              const cosm_value *value) {
    return schema_component(plan->world.batch->schema, value->component.id);
}

// Says what those at the top get.
static void join_values(struct spawn_plan *plan) {
    const struct spawn *spawn = plan->spawn;
    const struct template_body *body = plan->from->parts[0].body;
    const struct schema *schema = plan->world.batch->schema;
    plan->top = spawn->value_count == 0 ? body : &plan->joined;
    if (spawn->value_count > 0 && body->value_count > 0) {
        plan->joined =
            cosmi_template_join(schema, body, spawn->values, spawn->value_count, plan->values);
    } else if (spawn->value_count > 0) {
        plan->joined.archetype = body->archetype;
        plan->joined.values = spawn->values;
        plan->joined.value_count = spawn->value_count;
        plan->joined.storages = cosmi_template_storages(schema, spawn->values, spawn->value_count);
        plan->joined.given = body->given;
    }
}

// Finds the tables of all parts, and makes those that are new. Room 0 is that of the top, unless
// its own values send it elsewhere; then it may be that nobody else goes there.
static cosm_result find_stores(const struct spawn_plan *plan) {
    const struct template *from = plan->from;
    const struct template_body *top = plan->top;
    struct store **stores = plan->stores;
    struct store *first = cosmi_shared_store(plan->world, plan->call, top->archetype, NULL,
                                             top->values, top->value_count);
    bool is_room = plan->spawn->value_count == 0 || top->archetype->shared_count == 0 ||
                   from->rooms[0].rows == 1;
    stores[from->room_count] = first;
    stores[0] = first;
    for (uint32_t r = is_room ? 1 : 0; r < from->room_count && first != NULL; r++) {
        const struct template_body *body = from->rooms[r].body;
        stores[r] = cosmi_shared_store(plan->world, plan->call, body->archetype, NULL, body->values,
                                       body->value_count);
        if (stores[r] == NULL) {
            return cosm_error_result();
        }
    }
    return first == NULL ? cosm_error_result() : COSM_OK;
}

// The rows that a room gets. Those at the top count where their store is, and as a room of their
// own where that is none.
static uint64_t room_rows(const struct spawn_plan *plan, uint32_t room) {
    const struct template *from = plan->from;
    const struct store *top = plan->stores[from->room_count];
    uint64_t rows = 0;
    if (room < from->room_count) {
        rows = from->rooms[room].rows;
        rows -= room == 0 ? 1 : 0;
        rows += plan->stores[room] == top ? 1 : 0;
    } else {
        uint32_t r = 0;
        while (r < from->room_count && plan->stores[r] != top) {
            r++;
        }
        rows = r == from->room_count ? 1 : 0;
    }
    return rows * plan->spawn->count;
}

// Can all rows be had without a table that grows? Then nothing moves.
static bool rows_are_there(const struct spawn_plan *plan) {
    uint32_t world = plan->world.index;
    bool there = true;
    for (uint32_t r = 0; r <= plan->from->room_count && there; r++) {
        const struct store *store = plan->stores[r];
        there = room_rows(plan, r) <= store_capacity(store, world) - store->counts[world];
    }
    return there;
}

// Values that lie in rows which may move are kept aside meanwhile.
static cosm_result keep_values(struct spawn_plan *plan) {
    struct spawn *spawn = plan->spawn;
    struct cosm_batch *batch = plan->world.batch;
    if (spawn->value_count == 0 || rows_are_there(plan)) {
        return COSM_OK;
    }
    spawn->values =
        cosmi_values_keep(&plan->arena, batch->schema, spawn->values, spawn->value_count);
    if (spawn->values == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, plan->call);
    }
    join_values(plan);
    return COSM_OK;
}

// Room for events.
static cosm_result make_event_room(const struct spawn_plan *plan) {
    struct cosm_batch *batch = plan->world.batch;
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t p = 0; batch->events != NULL && p < plan->from->part_count; p++) {
        const struct template_body *body = part_body(plan, p);
        uint64_t rows = part_rows(plan, p);
        cosmi_event_need(&need, NULL, body->archetype, rows, 1);
        for (uint32_t i = 0; i < body->value_count; i++) {
            const struct value_type *type = type_of_value(plan, &body->values[i]);
            cosmi_event_need_set(&need, body->archetype, rows, 1);
            cosmi_event_need_sector(&need, batch, type, 2 * rows); // added and set
        }
    }
    return cosmi_event_reserve(plan->world, plan->call, &need);
}

// Room in the tables, for ids, for links of the ids to come, and for observers.
static cosm_result make_spawn_room(const struct spawn_plan *plan) {
    cosm_world world = plan->world;
    const struct template *from = plan->from;
    cosm_result result = COSM_OK;
    for (uint32_t r = 0; r <= from->room_count && result == COSM_OK; r++) {
        result = cosmi_rows_make_rows(world, plan->call, plan->stores[r], room_rows(plan, r));
    }
    uint64_t total = (uint64_t)from->entity_count * plan->spawn->count;
    if (result == COSM_OK && !plan->top->archetype->temporary) {
        uint32_t ids = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
        result = cosmi_rows_make_ids(world, plan->call, ids);
    }
    if (result == COSM_OK && from->part_count > 1) {
        struct tree *tree = cosmi_tree_make(world, plan->call);
        result = tree == NULL ? COSM_ERROR_MEMORY
                              : cosmi_tree_reserve_next(world, tree, total, plan->call);
    }
    return result == COSM_OK ? make_event_room(plan) : result;
}

// Copies the objects that the rows of all parts will own, in the order in which they get them.
static cosm_result prepare_objects(const struct spawn_plan *plan) {
    cosm_result result = COSM_OK;
    for (uint32_t p = 0; p < plan->from->part_count && result == COSM_OK; p++) {
        const struct template_body *body = part_body(plan, p);
        for (uint32_t i = 0; i < body->value_count && result == COSM_OK; i++) {
            const struct value_type *type = type_of_value(plan, &body->values[i]);
            if (type->storage == COSM_STORAGE_MANAGED) {
                result = cosmi_managed_prepare(plan->world, plan->call, type, part_rows(plan, p),
                                               body->values[i].data);
            }
        }
    }
    return result;
}

static void unprepare_objects(const struct spawn_plan *plan) {
    for (uint32_t p = 0; p < plan->from->part_count; p++) {
        const struct template_body *body = part_body(plan, p);
        for (uint32_t i = 0; i < body->value_count; i++) {
            const struct value_type *type = type_of_value(plan, &body->values[i]);
            if (type->storage == COSM_STORAGE_MANAGED) {
                cosmi_managed_unprepare(plan->world, type);
            }
        }
    }
}

static cosm_result add_sectors(const struct spawn_plan *plan, const struct template_body *body,
                               cosm_entity entity) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < body->value_count && result == COSM_OK; i++) {
        const struct value_type *type = type_of_value(plan, &body->values[i]);
        if (type->storage == COSM_STORAGE_SECTOR) {
            result = cosmi_sector_add(plan->world, plan->call, type, entity, body->values[i].data);
        }
    }
    return result;
}

// Gives the entities to come their sector components. On failure none has any.
static cosm_result add_all_sectors(const struct spawn_plan *plan) {
    struct world *data = world_data(plan->world);
    INVARIANT(!directory_has_reserved(data), "reserved ids are settled before ids are read");
    struct ids_ahead ahead = directory_ahead(data);
    cosm_result result = COSM_OK;
    uint64_t done = 0;
    for (uint32_t p = 0; p < plan->from->part_count && result == COSM_OK; p++) {
        const struct template_body *body = part_body(plan, p);
        uint32_t rows = part_rows(plan, p);
        for (uint32_t i = 0; i < rows && result == COSM_OK; i++, done++) {
            cosm_entity entity = directory_next(data, &ahead);
            if ((body->storages & SECTOR_BIT) != 0) {
                result = add_sectors(plan, body, entity);
            }
        }
    }
    ahead = directory_ahead(data);
    for (uint64_t i = 0; i < done && result != COSM_OK; i++) {
        cosmi_sector_erase(plan->world, directory_next(data, &ahead));
    }
    return result;
}

// What hooks of components make. On failure all of it has ended.
static cosm_result make_objects(const struct spawn_plan *plan) {
    uint32_t storages = plan->from->storages | plan->top->storages;
    cosm_result result = (storages & MANAGED_BIT) != 0 ? prepare_objects(plan) : COSM_OK;
    if (result == COSM_OK && (storages & SECTOR_BIT) != 0) {
        result = add_all_sectors(plan);
    }
    if (result != COSM_OK && (storages & MANAGED_BIT) != 0) {
        unprepare_objects(plan);
    }
    return result;
}

// Memory for the lists of a plan. False when there is none.
static bool take_lists(struct spawn_plan *plan) {
    const struct template *from = plan->from;
    uint32_t own = plan->spawn->value_count;
    uint64_t value_count = (uint64_t)from->parts[0].body->value_count + own;
    if (from->part_count > PARTS_AT_HAND) {
        plan->stores = cosmi_arena_alloc(
            &plan->arena, (from->room_count + 1) * sizeof(*plan->stores), sizeof(void *));
        plan->rows = cosmi_arena_alloc(&plan->arena, from->part_count * sizeof(*plan->rows),
                                       sizeof(*plan->rows));
    }
    if (value_count > VALUES_AT_HAND && value_count > own && own > 0) {
        plan->values = cosmi_arena_alloc(&plan->arena, value_count * sizeof(*plan->values),
                                         _Alignof(cosm_value));
    }
    return plan->stores != NULL && plan->rows != NULL && plan->values != NULL;
}

static cosm_result make_plan(struct spawn_plan *plan) {
    join_values(plan);
    cosm_result result = find_stores(plan);
    if (result == COSM_OK) {
        result = keep_values(plan);
    }
    if (result == COSM_OK) {
        result = make_spawn_room(plan);
    }
    return result == COSM_OK && plan->spawn->count > 0 ? make_objects(plan) : result;
}

// Every column is defined before what follows the rows is notified; tickets are in any case.
void cosmi_spawn_fill(cosm_world world, struct store *store, uint32_t row, uint32_t count,
                      const uint64_t *given) {
    uint32_t sides = store_sides(store);
    bool fill_all = given == NULL || (sides & (SIDE_TICKS | SIDE_EVENTS)) != 0;
    for (uint32_t c = 1; c < store->archetype->column_count; c++) {
        if (fill_all || (given[c / 64] >> (c % 64) & 1) == 0) {
            cosmi_rows_fill_column(world, store, c, row, count);
        }
    }
    cosmi_rows_touch(world, store);
    if (sides != 0) {
        cosmi_side_spawned(world, store, row, count);
    }
}

// Rows that are left for the caller to fill begin without objects all the same.
static void leave_unset(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    const struct archetype *archetype = store->archetype;
    uint32_t sides = store_sides(store);
    for (uint32_t c = 1; sides != 0 && c < archetype->column_count; c++) {
        if (archetype->columns[c].managed != NULL) {
            cosmi_rows_fill_column(world, store, c, row, count);
        }
    }
    cosmi_rows_touch(world, store);
    if (sides != 0) {
        cosmi_side_spawned(world, store, row, count);
    }
}

// Writes one value to new rows, or what was made of it beforehand.
static void put_value(cosm_world world, struct store *store, uint32_t row, uint32_t count,
                      const cosm_value *value) {
    const struct column_slot *slot = archetype_find(store->archetype, value->component.id);
    if (slot == NULL) {
        return; // of a sector component, which is there already
    }
    if (slot_is_managed(store->archetype, slot)) {
        cosmi_managed_set_prepared(world, store, slot->column, row, count);
    } else {
        cosmi_rows_set_value(world, store, slot, row, count, value->data);
    }
}

// Writes all of one new row. That values were set is not told with a new entity.
static void fill_one(cosm_world world, struct store *store, uint32_t row,
                     const struct template_body *body) {
    table_touch(store, store_table(store, world.index), row);
    (void)write_row(world, store, row, body->values, body->value_count, true);
    if (store_sides(store) != 0) {
        cosmi_side_spawned(world, store, row, 1);
    }
    for (uint32_t i = 0; (body->storages & MANAGED_BIT) != 0 && i < body->value_count; i++) {
        const struct column_slot *slot =
            archetype_find(store->archetype, body->values[i].component.id);
        if (slot != NULL && slot_is_managed(store->archetype, slot)) {
            cosmi_managed_set_prepared(world, store, slot->column, row, 1);
        }
    }
}

// Spawns the rows of a part; returns the first one.
static uint32_t spawn_part(const struct spawn_plan *plan, uint32_t index) {
    cosm_world world = plan->world;
    const struct template_body *body = part_body(plan, index);
    struct store *store = part_store(plan, index);
    uint32_t count = part_rows(plan, index);
    uint32_t row = cosmi_rows_append(world, store, count);
    if (plan->spawn->is_unset) {
        leave_unset(world, store, row, count);
    } else if (count == 1) {
        fill_one(world, store, row, body);
    } else {
        cosmi_spawn_fill(world, store, row, count, body->given);
        for (uint32_t i = 0; i < body->value_count; i++) {
            put_value(world, store, row, count, &body->values[i]);
        }
    }
    return row;
}

// Puts the rows of a part under those of its parent, in their order.
static void link_part(const struct spawn_plan *plan, uint32_t index) {
    cosm_world world = plan->world;
    struct tree *tree = batch_tree(world.batch, world.index);
    const struct template_part *part = &plan->from->parts[index];
    const cosm_entity *entities =
        store_entities(part_store(plan, index), world.index, plan->rows[index]);
    const cosm_entity *parents =
        store_entities(part_store(plan, part->parent), world.index, plan->rows[part->parent]);
    uint32_t parent_count = part_rows(plan, part->parent);
    for (uint32_t p = 0, at = 0; p < parent_count; p++) {
        for (uint32_t i = 0; i < part->count; i++, at++) {
            cosmi_tree_put(tree, entities[at].id, parents[p].id, ID_NONE);
        }
    }
}

static void do_spawn_plan(struct spawn_plan *plan) {
    struct spawn *spawn = plan->spawn;
    for (uint32_t p = 0; p < plan->from->part_count && spawn->count > 0; p++) {
        plan->rows[p] = spawn_part(plan, p);
        if (p > 0) {
            link_part(plan, p);
        }
    }
    spawn->store = part_store(plan, 0);
    spawn->row = spawn->count == 0 ? 0 : plan->rows[0];
}

static cosm_result plan_and_spawn(struct spawn *spawn) {
    // An archetype is a template of one part without values.
    struct template_body body = {.archetype = spawn->archetype};
    struct template_part part = {.body = &body, .count = 1, .per_root = 1};
    struct template_room room = {.body = &body, .rows = 1};
    struct template alone = {
        .parts = &part, .part_count = 1, .entity_count = 1, .rooms = &room, .room_count = 1};
    struct store *few_stores[PARTS_AT_HAND + 1];
    uint32_t few_rows[PARTS_AT_HAND];
    cosm_value few_values[VALUES_AT_HAND];
    struct cosm_batch *batch = spawn->world.batch;
    struct spawn_plan plan = {.spawn = spawn,
                              .world = spawn->world,
                              .call = spawn->call,
                              .from = spawn->from != NULL ? spawn->from : &alone,
                              .values = few_values,
                              .stores = few_stores,
                              .rows = few_rows};
    cosmi_arena_init(&plan.arena, &batch->memory);
    cosm_result result = take_lists(&plan)
                             ? make_plan(&plan)
                             : cosmi_fail_memory(batch->sink, &batch->memory, plan.call);
    if (result == COSM_OK) {
        do_spawn_plan(&plan);
    }
    cosmi_arena_free(&plan.arena);
    return result;
}

// Gives the next entity of a world the sector components of a list. On failure it has none.
APART static cosm_result add_next_sectors(cosm_world world, const char *call,
                                          const cosm_value *values, uint32_t value_count) {
    struct ids_ahead ahead = directory_ahead(world_data(world));
    cosm_entity entity = directory_next(world_data(world), &ahead);
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < value_count && result == COSM_OK; i++) {
        const struct value_type *type =
            schema_component(world.batch->schema, values[i].component.id);
        if (type->storage == COSM_STORAGE_SECTOR) {
            result = cosmi_sector_add(world, call, type, entity, values[i].data);
        }
    }
    if (result != COSM_OK) {
        cosmi_sector_erase(world, entity);
    }
    return result;
}

// The short cut for one entity without children: where its row and its id are at hand, it needs
// neither the lists of a plan nor its passes over parts, which cost more than all the rest. It
// takes the same steps in the same order: the table, what hooks make, the row. False: make a plan.
static bool is_spawned_at_once(struct spawn *spawn, cosm_result *out_result) {
    cosm_world world = spawn->world;
    const struct template_body *body = spawn->from == NULL ? NULL : spawn->from->parts[0].body;
    struct archetype *archetype = body == NULL ? spawn->archetype : body->archetype;
    const cosm_value *values = body == NULL ? spawn->values : body->values;
    uint64_t count = (body == NULL ? 0 : (uint64_t)body->value_count) + spawn->value_count;
    cosm_value list[VALUES_AT_HAND];
    if (count > VALUES_AT_HAND || world.batch->events != NULL || archetype->temporary) {
        return false;
    }
    if (body != NULL && spawn->value_count > 0) {
        count = cosmi_template_join_values(world.batch->schema, body, spawn->values,
                                           spawn->value_count, list);
        values = list;
    }
    struct store *store =
        archetype->shared_count == 0
            ? batch_store(world.batch, archetype->id)
            : cosmi_shared_store(world, spawn->call, archetype, NULL, values, (uint32_t)count);
    if (store == NULL && archetype->shared_count > 0) {
        *out_result = cosm_error_result(); // a plan would call the same hooks once more
        return true;
    }
    if (store == NULL || spawn_needs_plan(world, store, (uint32_t)count)) {
        return false;
    }
    bool is_plain = body != NULL && spawn->value_count == 0 && (body->storages & SECTOR_BIT) == 0;
    *out_result =
        is_plain ? COSM_OK : add_next_sectors(world, spawn->call, values, (uint32_t)count);
    if (*out_result == COSM_OK) {
        spawn->store = store;
        spawn->row = store->counts[world.index];
        (void)spawn_in_row(world, store, values, (uint32_t)count, true);
    }
    return true;
}

cosm_result cosmi_spawn(struct spawn *spawn) {
    bool is_one = spawn->count == 1 && !spawn->is_unset &&
                  (spawn->from == NULL || spawn->from->part_count == 1);
    cosm_result result;
    return is_one && is_spawned_at_once(spawn, &result) ? result : plan_and_spawn(spawn);
}

cosm_entity cosmi_spawn_entity(const struct spawn *spawn) {
    return *store_entities(spawn->store, spawn->world.index, spawn->row);
}
