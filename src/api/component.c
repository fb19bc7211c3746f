// The public calls of cosm/component.h.
#include <cosm/component.h>

#include "api/text.h"

static bool has_engine_and_desc(const cosm_engine *engine, const void *desc, const char *call) {
    if (engine == NULL) {
        (void)cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
        return false;
    }
    if (desc == NULL) {
        (void)cosmi_refuse_null(&engine->sink, call, "desc", "describe what to define");
        return false;
    }
    return true;
}

static bool has_engine_and_type(const cosm_engine *engine, const cosm_component_type *type,
                                const char *call) {
    if (engine == NULL || type == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "type", "pass both");
        return false;
    }
    return true;
}

// The names are looked up under the schema's lock, which is not part of its value.
static struct schema *schema_of(const cosm_engine *engine) {
    return (struct schema *)&engine->schema;
}

cosm_component cosm_component_define(cosm_engine *engine, const cosm_component_desc *desc) {
    uint32_t id = has_engine_and_desc(engine, desc, "cosm_component_define")
                      ? cosmi_schema_define_component(&engine->schema, desc)
                      : 0;
    const char *name = desc == NULL ? NULL : desc->name;
    return (cosm_component){cosmi_defined(engine, "component", name, id)};
}

// A macro makes text of what it is given: quotes would be part of the name.
static bool is_bare_name(const cosm_engine *engine, const char *call, const char *name) {
    if (name == NULL || name[0] != '"') {
        return true;
    }
    (void)cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                     "%s: the name %s is in quotes; write it without them", call, name);
    return false;
}

cosm_component cosm_component_define_fields(cosm_engine *engine, const char *call,
                                            const cosm_component_desc *desc,
                                            const unsigned char *members) {
    struct field_subject subject = {call, desc->name, desc->size, desc->alignment, members};
    if (engine != NULL &&
        (!is_bare_name(engine, call, desc->name) ||
         !cosmi_fields_cover(&engine->sink, &subject, desc->fields, desc->field_count))) {
        return (cosm_component){cosmi_defined(engine, "component", desc->name, 0)};
    }
    return cosm_component_define(engine, desc);
}

cosm_component cosm_component_register(cosm_engine *engine, cosm_component_type *type) {
    if (!has_engine_and_type(engine, type, "cosm_component_register")) {
        return (cosm_component){cosmi_defined(engine, "component", NULL, 0)};
    }
    cosm_component component = cosm_component_define(engine, &type->desc);
    if (component.id != 0) {
        cosmi_value_keep_key(schema_component(&engine->schema, component.id), type, &type->hint);
    }
    return component;
}

// By name: the hint was that of another engine.
COLD static cosm_component find_component_type(const cosm_engine *engine,
                                               cosm_component_type *type) {
    static const char call[] = "cosm_component_of";
    if (!has_engine_and_type(engine, type, call)) {
        return (cosm_component){0};
    }
    const cosm_component_desc *desc = &type->desc;
    struct value_wanted wanted = {call,         "cosm_component_register", desc->name, desc->size,
                                  desc->fields, desc->field_count,         &type->hint};
    cosm_component component = cosm_component_find(engine, desc->name);
    const struct value_type *found = schema_component(&engine->schema, component.id);
    bool is_wanted = cosmi_value_is_wanted(&engine->schema, found, &wanted);
    return (cosm_component){is_wanted ? component.id : 0};
}

cosm_component cosm_component_of(const cosm_engine *engine, cosm_component_type *type) {
    if (LIKELY(engine != NULL && type != NULL)) {
        uint32_t id = hint_load(&type->hint);
        if (LIKELY(value_has_key(schema_component(&engine->schema, id), type))) {
            return (cosm_component){id};
        }
    }
    return find_component_type(engine, type);
}

// Defines a bundle whose members may be given as text; zero with a message.
static uint32_t define_bundle(cosm_engine *engine, const cosm_bundle_desc *desc, const char *call) {
    struct text_list list = {desc->text, desc->components, desc->more, desc->more_count, {{0}}};
    if (cosmi_text_list(engine, call, desc->name, &list) != COSM_OK) {
        return 0;
    }
    cosm_bundle_desc by_ids = *desc;
    by_ids.more = list.more;
    by_ids.more_count = list.more_count;
    return cosmi_schema_define_bundle(&engine->schema, &by_ids);
}

cosm_component cosm_bundle_define(cosm_engine *engine, const cosm_bundle_desc *desc) {
    static const char call[] = "cosm_bundle_define";
    uint32_t id = 0;
    if (!has_engine_and_desc(engine, desc, call)) {
        return (cosm_component){cosmi_defined(engine, "bundle", NULL, 0)};
    }
    if (desc->more == NULL && desc->more_count > 0) {
        (void)cosmi_refuse_null(&engine->sink, call, "desc.more",
                                "pass desc.more_count components");
    } else {
        id = define_bundle(engine, desc, call);
    }
    return (cosm_component){cosmi_defined(engine, "bundle", desc->name, id)};
}

cosm_component cosm_component_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_component){0};
    }
    return (cosm_component){cosmi_schema_find_component(schema_of(engine), name)};
}

cosm_component_info cosm_component_describe(const cosm_engine *engine, cosm_component component) {
    if (engine == NULL) {
        return (cosm_component_info){0};
    }
    const struct bundle *bundle = schema_bundle(&engine->schema, component.id);
    if (bundle != NULL) {
        return (cosm_component_info){.name = bundle->name, .is_bundle = true};
    }
    const struct value_type *type = schema_component(&engine->schema, component.id);
    if (type == NULL) {
        return (cosm_component_info){0};
    }
    return (cosm_component_info){
        .name = type->name,
        .doc = type->doc,
        .size = type->size,
        .alignment = type->alignment,
        .default_value = type->default_value,
        .fields = type->fields.items,
        .field_count = type->fields.count,
        .layout = type->layout,
        .storage = type->storage,
        .change_rows = type->change_rows,
        .is_object = type->is_object,
        .hash = type->hash,
    };
}

uint32_t cosm_component_members(const cosm_engine *engine, cosm_component component, uint32_t max,
                                cosm_component *out_members) {
    if (cosm_component_describe(engine, component).name == NULL) {
        return 0;
    }
    uint32_t count;
    const uint32_t *members =
        cosmi_schema_members(&engine->schema, "cosm_component_members", &component, &count);
    for (uint32_t i = 0; out_members != NULL && i < count && i < max; i++) {
        out_members[i] = (cosm_component){members[i]};
    }
    return count;
}
