// The public calls of cosm/archetype.h.
#include <cosm/archetype.h>

#include "api/text.h"

static const struct archetype *archetype_or_null(const cosm_engine *engine,
                                                 cosm_archetype archetype) {
    return engine == NULL ? NULL : schema_archetype(&engine->schema, archetype.id);
}

static cosm_result check_archetype_lists(const cosm_engine *engine, const cosm_archetype_desc *desc,
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
    if (desc->more_layouts == NULL && desc->more_layout_count > 0) {
        return cosmi_refuse_null(&engine->sink, call, "desc.more_layouts",
                                 "pass desc.more_layout_count layouts");
    }
    return COSM_OK;
}

// Defines an archetype whose components may be given as text; zero with a message.
static uint32_t define_by_text(cosm_engine *engine, const cosm_archetype_desc *desc,
                               const char *call) {
    struct text_list list = {desc->text, desc->components, desc->more, desc->more_count, {{0}}};
    if (cosmi_text_list(engine, call, desc->name, &list) != COSM_OK) {
        return 0;
    }
    cosm_archetype_desc by_ids = *desc;
    by_ids.more = list.more;
    by_ids.more_count = list.more_count;
    return cosmi_schema_define_archetype(&engine->schema, &by_ids);
}

cosm_archetype cosm_archetype_define(cosm_engine *engine, const cosm_archetype_desc *desc) {
    static const char call[] = "cosm_archetype_define";
    uint32_t id = check_archetype_lists(engine, desc, call) == COSM_OK
                      ? define_by_text(engine, desc, call)
                      : 0;
    const char *name = desc == NULL ? NULL : desc->name;
    return (cosm_archetype){cosmi_defined(engine, "archetype", name, id)};
}

cosm_archetype cosm_archetype_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL || name[0] == '\0') {
        return (cosm_archetype){0};
    }
    struct schema *schema = (struct schema *)&engine->schema;
    return (cosm_archetype){cosmi_schema_find_archetype(schema, name)};
}

cosm_archetype cosm_archetype_of(cosm_engine *engine, const cosm_component *components,
                                 uint32_t count) {
    static const char call[] = "cosm_archetype_of";
    if (engine == NULL || (components == NULL && count > 0)) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "components", "pass both");
        return (cosm_archetype){0};
    }
    struct signature signature = {.count = 0};
    if (cosmi_schema_collect(&engine->schema, call, components, count, &signature) != COSM_OK) {
        return (cosm_archetype){0};
    }
    const struct archetype *archetype = cosmi_schema_find_set(&engine->schema, &signature);
    return (cosm_archetype){archetype == NULL ? 0 : archetype->id};
}

cosm_archetype_info cosm_archetype_describe(const cosm_engine *engine, cosm_archetype archetype) {
    const struct archetype *known = archetype_or_null(engine, archetype);
    if (known == NULL) {
        return (cosm_archetype_info){0};
    }
    return (cosm_archetype_info){
        .name = known->name,
        .placement = known->placement,
        .max_per_world = known->max_per_world,
        .is_sealed = known->sealed,
        .is_temporary = known->temporary,
        .chunk_rows = known->chunk_rows,
    };
}

bool cosm_archetype_has(const cosm_engine *engine, cosm_archetype archetype,
                        cosm_component component) {
    const struct archetype *known = archetype_or_null(engine, archetype);
    if (known == NULL) {
        return false;
    }
    const struct bundle *bundle = schema_bundle(&engine->schema, component.id);
    if (bundle == NULL) {
        return archetype_find(known, component.id) != NULL;
    }
    for (uint32_t i = 0; i < bundle->member_count; i++) {
        if (archetype_find(known, bundle->members[i]) == NULL) {
            return false;
        }
    }
    return true;
}

uint32_t cosm_archetype_components(const cosm_engine *engine, cosm_archetype archetype,
                                   uint32_t max, cosm_component *out_components) {
    const struct archetype *known = archetype_or_null(engine, archetype);
    if (known == NULL) {
        return 0;
    }
    for (uint32_t i = 0; out_components != NULL && i < known->component_count && i < max; i++) {
        out_components[i] = (cosm_component){known->components[i]};
    }
    return known->component_count;
}

cosm_layout cosm_archetype_layout(const cosm_engine *engine, cosm_archetype archetype,
                                  cosm_component component) {
    const struct archetype *known = archetype_or_null(engine, archetype);
    const struct column_slot *slot = known == NULL ? NULL : archetype_find(known, component.id);
    return slot != NULL && slot_is_split(known, slot) ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
}

cosm_column cosm_archetype_column(const cosm_engine *engine, cosm_archetype archetype,
                                  cosm_component component) {
    const struct archetype *known = archetype_or_null(engine, archetype);
    const struct column_slot *slot = known == NULL ? NULL : archetype_find(known, component.id);
    if (slot == NULL || slot->size == 0) {
        return (cosm_column){0, 0};
    }
    return (cosm_column){archetype.id, slot->column};
}
