// The public calls of cosm/field.h that look at an engine; the others are in schema/field_type.c.
#include <cosm/field.h>

#include "api/check.h"

// The fields of nothing.
static const struct field_list no_fields;

static const struct field_list *fields_of(const struct value_type *type) {
    return type == NULL ? &no_fields : &type->fields;
}

static const struct field_list *component_fields(const cosm_engine *engine,
                                                 cosm_component component) {
    return fields_of(engine == NULL ? NULL : schema_component(&engine->schema, component.id));
}

static const struct field_list *singleton_fields(const cosm_engine *engine,
                                                 cosm_singleton singleton) {
    return fields_of(engine == NULL ? NULL : schema_singleton(&engine->schema, singleton.id));
}

static const cosm_field *nth_field(const struct field_list *list, uint32_t index) {
    return index < list->count ? &list->items[index] : NULL;
}

static uint32_t find_field(const struct field_list *list, const char *name) {
    return name == NULL ? COSM_FIELD_INDEX_NONE : cosmi_fields_find(list, name);
}

const cosm_field *cosm_component_field(const cosm_engine *engine, cosm_component component,
                                       uint32_t index) {
    return nth_field(component_fields(engine, component), index);
}

uint32_t cosm_component_field_find(const cosm_engine *engine, cosm_component component,
                                   const char *name) {
    return find_field(component_fields(engine, component), name);
}

const cosm_field *cosm_singleton_field(const cosm_engine *engine, cosm_singleton singleton,
                                       uint32_t index) {
    return nth_field(singleton_fields(engine, singleton), index);
}

uint32_t cosm_singleton_field_find(const cosm_engine *engine, cosm_singleton singleton,
                                   const char *name) {
    return find_field(singleton_fields(engine, singleton), name);
}
