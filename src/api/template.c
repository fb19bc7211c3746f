// The public calls of cosm/template.h.
#include <cosm/template.h>

#include "api/check.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/spawn.h"
#include "store/tree.h"
#include "store/values.h"

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
    uint32_t id = check_template_desc(engine, desc, "cosm_template_define") == COSM_OK
                      ? cosmi_schema_define_template(&engine->schema, desc)
                      : 0;
    const char *name = desc == NULL ? NULL : desc->name;
    return (cosm_template){cosmi_defined(engine, "template", name, id)};
}

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

static uint32_t capture(cosm_world world, cosm_entity entity, const char *name, bool with_children,
                        const char *call) {
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

cosm_template cosm_template_capture(cosm_world world, cosm_entity entity, const char *name,
                                    bool with_children) {
    static const char call[] = "cosm_template_capture";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return (cosm_template){0};
    }
    bool is_named = cosmi_check_name(world.batch, call, name) == COSM_OK;
    if (is_named && directory_find(&world.batch->worlds[world.index], entity) == NULL) {
        return (cosm_template){0};
    }
    uint32_t id = is_named ? capture(world, entity, name, with_children, call) : 0;
    return (cosm_template){cosmi_defined(world.batch->engine, "template", name, id)};
}

cosm_template cosm_template_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_template){0};
    }
    struct schema *schema = (struct schema *)&engine->schema;
    return (cosm_template){cosmi_schema_find_template(schema, name)};
}

cosm_template_info cosm_template_describe(const cosm_engine *engine, cosm_template from) {
    const struct template *known = template_or_null(engine, from);
    if (known == NULL) {
        return (cosm_template_info){0};
    }
    return (cosm_template_info){
        .name = known->name,
        .archetype = {known->parts[0].body->archetype->id},
        .entity_count = known->entity_count,
    };
}

bool cosm_template_value(const cosm_engine *engine, cosm_template from, cosm_component component,
                         void *out_value) {
    const struct template *known = template_or_null(engine, from);
    const struct value_type *type =
        known == NULL ? NULL : schema_component(&engine->schema, component.id);
    if (type == NULL || type->size == 0 || out_value == NULL) {
        return false;
    }
    const struct template_body *body = known->parts[0].body;
    uint32_t index = cosmi_template_value_index(body, component.id);
    if (index == body->value_count && archetype_find(body->archetype, component.id) == NULL) {
        return false;
    }
    if (type->storage == COSM_STORAGE_MANAGED) {
        (void)cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                         "%s: component '%s' is managed: its column holds tickets, not objects; %s",
                         "cosm_template_value", type->name,
                         "spawn from the template, and use cosm_entity_read");
        return false;
    }
    const void *data = index == body->value_count ? NULL : body->values[index].data;
    if (data == NULL) {
        return type->lifecycle.construct == NULL && cosmi_value_default(type, out_value);
    }
    memcpy(out_value, data, type->size);
    return true;
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

cosm_entity cosm_template_spawn(cosm_world world, cosm_template from, const cosm_value *overrides,
                                uint32_t override_count) {
    static const char call[] = "cosm_template_spawn";
    if (check_change(world, call) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    struct spawn spawn = {
        .world = world,
        .call = call,
        .from = cosmi_check_template(world.batch, call, from, overrides, override_count),
        .values = overrides,
        .value_count = override_count,
        .count = 1};
    return spawn.from == NULL ? COSM_ENTITY_NONE : cosmi_spawn_planned(&spawn);
}

cosm_result cosm_template_spawn_many(cosm_world world, cosm_template from, uint32_t count,
                                     const cosm_value *overrides, uint32_t override_count,
                                     cosm_rows *out_rows) {
    static const char call[] = "cosm_template_spawn_many";
    cosm_result result = cosmi_check_shown(world, call, out_rows);
    if (result != COSM_OK) {
        return result;
    }
    struct spawn spawn = {
        .world = world,
        .call = call,
        .from = cosmi_check_template(world.batch, call, from, overrides, override_count),
        .values = overrides,
        .value_count = override_count,
        .count = count};
    if (spawn.from == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    return count == 0 ? COSM_OK : cosmi_spawn_shown(&spawn, out_rows);
}
