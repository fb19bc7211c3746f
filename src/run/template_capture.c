// A living entity, with its descendants or without, as a template.
#include "run/template.h"

#include "run/checks.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"
#include "store/values.h"

// Where the value of a component of a row's table is, for a while: in the table, in the arena, or
// with whoever owns it. *out_data is NULL where there is none. False when out of memory.
static bool capture_value(cosm_world world, struct arena *arena, const struct store *store,
                          uint32_t row, uint32_t component, const void **out_data) {
    const struct archetype *archetype = store->archetype;
    const struct column_slot *slot = archetype_find(archetype, component);
    const struct shared_value *shared = cosmi_store_shared(store, component);
    void *const *columns = store_table(store, world.index)->columns;
    size_t at = store_first(store, world.index) + row;
    if (shared != NULL) {
        *out_data = shared->bytes;
    } else if (slot_is_managed(archetype, slot)) {
        *out_data = managed_row(world.batch, store, world.index, slot->column, row);
    } else if (slot_is_split(archetype, slot)) {
        void *bytes = cosmi_arena_alloc(arena, slot_value_size(archetype, slot), 16);
        *out_data = bytes;
        if (bytes == NULL) {
            return false;
        }
        cosmi_split_read(archetype, slot, columns, at, bytes);
    } else {
        *out_data = slot->size == 0 ? NULL : (const char *)columns[slot->column] + at * slot->size;
    }
    return true;
}

// Lists what an entity has beside the tables, at most `max`; returns how many there are.
static uint32_t list_sectors(cosm_world world, cosm_entity entity, uint32_t max,
                             cosm_value *out_values) {
    const struct beside *beside = world.batch->besides[world.index];
    const struct sector_set *set = beside == NULL ? NULL : beside->sectors;
    uint32_t count = 0;
    for (uint32_t g = 0; set != NULL && g < set->count; g++) {
        const struct sectors *sectors = set->containers[g];
        const cosm_sector *sector = sectors == NULL ? NULL : sectors_find(sectors, entity);
        if (sector == NULL) {
            continue;
        }
        const struct sector_group *group = schema_sector_group(world.batch->schema, g);
        for (uint32_t m = 0; m < group->member_count; m++) {
            if ((sector->live & COSM_CONTAINER_BIT(m)) != 0 && count++ < max) {
                out_values[count - 1] =
                    (cosm_value){group->components[m],
                                 cosm_sector_at(sector, sectors->layout->members[m].offset)};
            }
        }
    }
    return count;
}

// Notes that a value is read, and puts it into the list.
static void capture_put(cosm_world world, const struct record *record, cosm_value value,
                        const char *call, struct template_body *body) {
    const struct store *store = world_store(world.batch, world.index, record->table);
    uint32_t component = value.component.id;
    cosmi_check_component(world.batch, world.index, component, false, call);
    cosmi_check_cell(world.batch, world.index, store->archetype, record->row, component, false,
                     call);
    cosmi_template_put(world.batch->schema, (cosm_value *)(uintptr_t)body->values,
                       &body->value_count, value);
}

// What an entity is made of, in an arena; NULL when out of memory.
static struct template_body *capture_body(cosm_world world, struct arena *arena, cosm_entity entity,
                                          const char *call) {
    const struct record *record = &world_data(world)->records[entity.id];
    const struct store *store = world_store(world.batch, world.index, record->table);
    struct archetype *archetype = store->archetype;
    uint32_t sector_count = list_sectors(world, entity, 0, NULL);
    size_t most = archetype->component_count + sector_count + 1;
    struct template_body *body =
        cosmi_arena_alloc(arena, sizeof(*body), _Alignof(struct template_body));
    cosm_value *values = cosmi_arena_alloc(arena, most * sizeof(*values), 16);
    cosm_value *sectors = cosmi_arena_alloc(arena, (sector_count + 1) * sizeof(*sectors), 16);
    if (body == NULL || values == NULL || sectors == NULL) {
        return NULL;
    }
    *body = (struct template_body){.archetype = archetype, .values = values};
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        cosm_value value = {{archetype->components[i]}, NULL};
        if (!capture_value(world, arena, store, record->row, value.component.id, &value.data)) {
            return NULL;
        }
        if (value.data != NULL) {
            capture_put(world, record, value, call, body);
        }
    }
    (void)list_sectors(world, entity, sector_count, sectors);
    for (uint32_t i = 0; i < sector_count; i++) {
        capture_put(world, record, sectors[i], call, body);
    }
    body->storages = cosmi_template_storages(world.batch->schema, values, body->value_count);
    return body;
}

// Makes a part of each entity. The list of entities is in the order of depth, so children of one
// parent are side by side, in the order of the parents.
static bool capture_parts(cosm_world world, struct arena *arena, const cosm_entity *entities,
                          uint32_t count, struct template_part *parts, const char *call) {
    const struct tree *tree = batch_tree(world.batch, world.index);
    uint32_t parent = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t above = i == 0 ? ID_NONE : tree_parent(tree, entities[i].id);
        while (i > 0 && entities[parent].id != above) {
            parent++;
        }
        struct template_body *body = capture_body(world, arena, entities[i], call);
        if (body == NULL) {
            return false;
        }
        parts[i] = (struct template_part){body, parent, 1, 0, 0};
    }
    return true;
}

uint32_t cosmi_template_capture(cosm_world world, const char *call, cosm_entity entity,
                                const char *name, bool with_children) {
    struct schema *schema = world.batch->schema;
    uint32_t count = with_children ? cosmi_tree_list(world, entity.id, 0, NULL) : 1;
    if (count > COSM_TEMPLATE_PART_MAX) {
        return cosmi_template_refuse_size(schema, call, name);
    }
    struct arena arena;
    cosmi_arena_init(&arena, schema->memory);
    cosm_entity *entities = cosmi_arena_alloc(&arena, count * sizeof(*entities), 16);
    struct template_part *parts = cosmi_arena_alloc(&arena, count * sizeof(*parts), 16);
    uint32_t id = 0;
    bool done = entities != NULL && parts != NULL;
    if (done) {
        (void)cosmi_tree_list(world, entity.id, count, entities);
        done = capture_parts(world, &arena, entities, count, parts, call);
    }
    if (done) {
        id = cosmi_schema_keep_template(schema, call, name, parts, count);
    } else {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    }
    cosmi_arena_free(&arena);
    return id;
}
