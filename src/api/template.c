// The public calls of cosm/template.h.
#include <cosm/template.h>

#include "api/check.h"
#include "run/template.h"
#include "store/spawn.h"

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
    uint32_t id = is_named ? cosmi_template_capture(world, call, entity, name, with_children) : 0;
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
