// The public calls of cosm/sector.h.
#include <cosm/sector.h>

#include <cosm/entity.h>

#include "api/text.h"
#include "query/walk.h"
#include "run/checks.h"
#include "store/sector_set.h"

// Defines a group whose components may be given as text; zero with a message.
static uint32_t define_group(cosm_engine *engine, const cosm_sector_group_desc *desc,
                             const char *call) {
    struct text_list list = {desc->text, desc->components, NULL, 0, {{0}}};
    if (cosmi_text_list(engine, call, desc->name, &list) != COSM_OK) {
        return 0;
    }
    if (list.more_count > COSM_CONTAINER_MEMBER_MAX) {
        (void)cosmi_fail(&engine->sink, COSM_ERROR_LIMIT,
                         "%s: desc.text names %u components; a group has at most %u: define two",
                         call, list.more_count, COSM_CONTAINER_MEMBER_MAX);
        return 0;
    }
    cosm_sector_group_desc by_ids = *desc;
    for (uint32_t i = 0; i < list.more_count; i++) {
        by_ids.components[i] = list.more[i];
    }
    return cosmi_sector_group_define(&engine->schema, call, &by_ids);
}

cosm_sector_group cosm_sector_group_define(cosm_engine *engine,
                                           const cosm_sector_group_desc *desc) {
    static const char call[] = "cosm_sector_group_define";
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "desc", "pass both");
        return (cosm_sector_group){cosmi_defined(engine, "sector group", NULL, 0)};
    }
    uint32_t id = define_group(engine, desc, call);
    return (cosm_sector_group){cosmi_defined(engine, "sector group", desc->name, id)};
}

// The type of a sector component, or NULL.
static const struct value_type *sector_type(const cosm_engine *engine, cosm_component component) {
    const struct value_type *type =
        engine == NULL ? NULL : schema_component(&engine->schema, component.id);
    return type != NULL && type->storage == COSM_STORAGE_SECTOR ? type : NULL;
}

cosm_sector_group cosm_sector_group_of(const cosm_engine *engine, cosm_component component) {
    const struct value_type *type = sector_type(engine, component);
    const struct sector_group *group =
        type == NULL ? NULL : atomic_load_explicit(&type->sector_group, memory_order_acquire);
    return (cosm_sector_group){group == NULL ? 0 : group->id};
}

cosm_sector_group_info cosm_sector_group_describe(const cosm_engine *engine,
                                                  cosm_sector_group group) {
    const struct sector_group *known =
        engine == NULL ? NULL : schema_sector_group(&engine->schema, group.id);
    if (known == NULL) {
        return (cosm_sector_group_info){0};
    }
    return (cosm_sector_group_info){
        .name = known->layout->name,
        .members = known->components,
        .member_count = known->member_count,
    };
}

uint32_t cosm_sector_components(cosm_world world, cosm_entity entity, uint32_t max,
                                cosm_component *out_components) {
    if (!cosm_entity_is_alive(world, entity)) {
        return 0;
    }
    return cosmi_sector_list(world.batch, world.index, entity, out_components == NULL ? 0 : max,
                             out_components);
}

cosm_container *cosm_sector_container(cosm_world world, cosm_component component,
                                      uint32_t *out_member) {
    const struct value_type *type =
        world_exists(world) ? sector_type(world.batch->engine, component) : NULL;
    struct sectors *sectors =
        type == NULL ? NULL : cosmi_sector_find(world.batch, world.index, type);
    if (sectors != NULL && out_member != NULL) {
        *out_member = type->sector_member;
    }
    return (cosm_container *)(void *)sectors;
}

cosm_result cosm_sector_maintain(cosm_world world, const cosm_container_budget *budget,
                                 cosm_container_report *out_report) {
    static const char call[] = "cosm_sector_maintain";
    if (out_report != NULL) {
        *out_report = (cosm_container_report){0, 0, 0, 0};
    }
    cosm_result result = check_change(world, call);
    return result != COSM_OK ? result : cosmi_sector_maintain(world, call, budget, out_report);
}

void *cosm_rows_refuse_sector(const cosm_rows *rows, uint32_t index, uint32_t i, size_t size,
                              bool write) {
    const char *call = write ? "COSM_SECTOR_WRITE" : "COSM_SECTOR_READ";
    const struct sink *sink = rows->batch == NULL ? NULL : rows->batch->sink;
    if (index >= rows->term_count || i >= rows->count || rows->terms[index].component == 0) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u of %u, row %u of %u: no such term or row; check the query "
                         "and rows->count",
                         call, index, rows->term_count, i, rows->count);
        return NULL;
    }
    const cosm_term_info *term = &rows->terms[index];
    const char *name =
        cosm_component_describe(rows->batch->engine, (cosm_component){term->component}).name;
    if (term->sector_size == 0) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', is not a component with COSM_STORAGE_SECTOR; use "
                         "COSM_COLUMN_READ and COSM_COLUMN_WRITE",
                         call, index, name);
    } else if (term->sector_size != (uint64_t)size + 1) {
        (void)cosmi_refuse_size(rows->batch, call, "component", name,
                                (size_t)(term->sector_size - 1), size);
    } else {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', has COSM_ACCESS_READ; use COSM_SECTOR_READ, or ask "
                         "for COSM_ACCESS_WRITE in the query",
                         call, index, name);
    }
    return NULL;
}
