// Templates: checks, lists of values, flattening, definition. Keeping them is in template_keep.c.
#include "schema/template.h"

#include <string.h>

#include "schema/names.h"

uint32_t cosmi_template_value_index(const struct template_body *body, uint32_t component) {
    uint32_t low = 0;
    uint32_t high = body->value_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (body->values[middle].component.id < component) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < body->value_count && body->values[low].component.id == component;
    return found ? low : body->value_count;
}

void cosmi_template_put(const struct schema *schema, cosm_value *values, uint32_t *count,
                        cosm_value value) {
    const struct value_type *type = schema_component(schema, value.component.id);
    if (type->size == 0) {
        if (type->storage != COSM_STORAGE_SECTOR) {
            return;
        }
        value.data = NULL; // a tag beside the tables is there or not
    }
    uint32_t at = *count;
    while (at > 0 && values[at - 1].component.id > value.component.id) {
        at--;
    }
    if (at > 0 && values[at - 1].component.id == value.component.id) {
        values[at - 1] = value;
        return;
    }
    memmove(values + at + 1, values + at, (*count - at) * sizeof(value));
    values[at] = value;
    (*count)++;
}

uint32_t cosmi_template_storages(const struct schema *schema, const cosm_value *values,
                                 uint32_t count) {
    uint32_t storages = 0;
    for (uint32_t i = 0; i < count; i++) {
        storages |= STORAGE_BIT(schema_component(schema, values[i].component.id)->storage);
    }
    return storages;
}

uint32_t cosmi_template_join_values(const struct schema *schema, const struct template_body *body,
                                    const cosm_value *overrides, uint32_t override_count,
                                    cosm_value *list) {
    uint32_t count = body->value_count;
    if (count > 0) {
        memcpy(list, body->values, count * sizeof(*list));
    }
    for (uint32_t i = 0; i < override_count; i++) {
        cosmi_template_put(schema, list, &count, overrides[i]);
    }
    return count;
}

struct template_body cosmi_template_join(const struct schema *schema,
                                         const struct template_body *body,
                                         const cosm_value *overrides, uint32_t override_count,
                                         cosm_value *list) {
    struct template_body joined = *body;
    joined.value_count = cosmi_template_join_values(schema, body, overrides, override_count, list);
    joined.values = list;
    joined.storages |= cosmi_template_storages(schema, overrides, override_count);
    return joined;
}

void cosmi_template_conflict(const struct schema *schema, const char *call, const char *name) {
    (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                     "%s: '%s' is already defined with other properties; choose another name, or "
                     "define it the same way",
                     call, name);
}

uint32_t cosmi_template_refuse_size(const struct schema *schema, const char *call,
                                    const char *name) {
    (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                     "%s: '%s' has more than %u parts, or %u entities; use separate templates for "
                     "the lower ones",
                     call, name, COSM_TEMPLATE_PART_MAX, COSM_WORLD_ENTITY_MAX);
    return 0;
}

// Every value is of a plain component and has bytes where that has some.
static cosm_result check_template_values(const struct schema *schema, const char *call,
                                         const cosm_template_desc *desc) {
    for (uint32_t i = 0; i < desc->value_count; i++) {
        uint32_t id = desc->values[i].component.id;
        const struct value_type *type = schema_component(schema, id);
        if (type == NULL && schema_bundle(schema, id) != NULL) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: '%s' is a bundle; name one of its components", call,
                              schema_bundle(schema, id)->name);
        }
        if (type == NULL) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: component %u is not defined in this engine; define it with "
                              "cosm_component_define or cosm_bundle_define",
                              call, id);
        }
        if (desc->values[i].data == NULL && type->size > 0) {
            return cosmi_fail(
                schema->sink, COSM_ERROR_ARGUMENT,
                "%s: values[%u].data is NULL for component '%s'; point it to %u bytes", call, i,
                type->name, type->size);
        }
    }
    return COSM_OK;
}

// The archetype that a desc names, with all its values in it; NULL with a message.
static struct archetype *named_archetype(const struct schema *schema, const char *call,
                                         const cosm_template_desc *desc) {
    struct archetype *archetype = schema_archetype(schema, desc->archetype.id);
    if (archetype == NULL) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: archetype %u is not defined in this engine; define it with "
                         "cosm_archetype_define",
                         call, desc->archetype.id);
        return NULL;
    }
    if (archetype->temporary || desc->components[0].id != 0 || desc->more_count > 0) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' has archetype %u '%s', which is temporary or comes with a list "
                         "of components; use one that is not temporary, or only list components",
                         call, desc->name, archetype->id, archetype->name);
        return NULL;
    }
    for (uint32_t i = 0; i < desc->value_count; i++) {
        uint32_t id = desc->values[i].component.id;
        bool is_beside = schema_component(schema, id)->storage == COSM_STORAGE_SECTOR;
        if (!is_beside && archetype_find(archetype, id) == NULL) {
            (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                             "%s: '%s': values[%u] is of component '%s', which archetype %u '%s' "
                             "lacks; use one that has it, or leave out desc.archetype",
                             call, desc->name, i, schema_component(schema, id)->name, archetype->id,
                             archetype->name);
            return NULL;
        }
    }
    return archetype;
}

// Takes the sector components out of a set.
static void take_sectors(const struct schema *schema, struct signature *set,
                         struct signature *out_sectors) {
    for (uint32_t i = set->count; i-- > 0;) {
        uint32_t id = set->ids[i];
        if (schema_component(schema, id)->storage == COSM_STORAGE_SECTOR) {
            cosmi_signature_add(out_sectors, id);
            cosmi_signature_remove(set, id);
        }
    }
}

// The archetype of a desc, formed where there is none yet, and the sector components that it lists;
// NULL with a message.
static struct archetype *template_archetype(struct schema *schema, const char *call,
                                            const cosm_template_desc *desc,
                                            struct signature *out_sectors) {
    if (desc->archetype.id != 0) {
        return named_archetype(schema, call, desc);
    }
    struct signature signature = {.count = 0};
    struct where where = cosmi_where(call, desc->name, NULL);
    if (cosmi_schema_collect_desc(schema, where.text, "components", desc->components, desc->more,
                                  desc->more_count, &signature) != COSM_OK) {
        return NULL;
    }
    take_sectors(schema, &signature, out_sectors);
    for (uint32_t i = 0; i < desc->value_count; i++) {
        uint32_t id = desc->values[i].component.id;
        if (schema_component(schema, id)->storage != COSM_STORAGE_SECTOR) {
            cosmi_signature_add(&signature, id);
        }
    }
    // A set that nobody has yet is not that of the template which has the name already.
    if (cosmi_schema_find_template(schema, desc->name) != 0 &&
        signature.count <= COSM_ARCHETYPE_COMPONENT_MAX &&
        cosmi_schema_find_set(schema, &signature) == NULL) {
        cosmi_template_conflict(schema, call, desc->name);
        return NULL;
    }
    return cosmi_schema_form(schema, call, &signature);
}

// The default of a component as bytes; NULL when out of memory.
static const void *default_bytes(struct arena *arena, const struct value_type *type) {
    if (type->default_value != NULL) {
        return type->default_value;
    }
    void *zeroes = cosmi_arena_alloc(arena, type->size, 16);
    if (zeroes != NULL) {
        memset(zeroes, 0, type->size);
    }
    return zeroes;
}

// What a desc says of the entity at the top, in an arena; `sectors` are those without a value.
// False when out of memory.
static bool describe_body(const struct schema *schema, const cosm_template_desc *desc,
                          const struct signature *sectors, struct arena *arena,
                          struct template_body *body) {
    uint32_t most = desc->value_count + body->archetype->shared_count + sectors->count;
    cosm_value *values = cosmi_arena_alloc(arena, (most + 1) * sizeof(*values), 16);
    if (values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < sectors->count; i++) {
        cosmi_template_put(schema, values, &body->value_count,
                           (cosm_value){{sectors->ids[i]}, NULL});
    }
    for (uint32_t i = 0; i < body->archetype->shared_count; i++) {
        uint32_t id = body->archetype->shared[i];
        const void *bytes = default_bytes(arena, schema_component(schema, id));
        if (bytes == NULL) {
            return false;
        }
        cosmi_template_put(schema, values, &body->value_count, (cosm_value){{id}, bytes});
    }
    for (uint32_t i = 0; i < desc->value_count; i++) {
        cosmi_template_put(schema, values, &body->value_count, desc->values[i]);
    }
    body->values = values;
    body->storages = cosmi_template_storages(schema, values, body->value_count);
    return true;
}

// How many parts a desc comes to; 0, with a message, where one of its children is wrong.
static uint32_t count_parts(const struct schema *schema, const char *call,
                            const cosm_template_desc *desc) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < desc->child_count; i++) {
        const struct template *child = schema_template(schema, desc->children[i].from.id);
        if (child == NULL) {
            (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                             "%s: '%s': desc.children[%u] is template %u, which is not defined in "
                             "this engine; define the children first",
                             call, desc->name, i, desc->children[i].from.id);
            return 0;
        }
        count += child->part_count;
        if (count > COSM_TEMPLATE_PART_MAX) {
            return cosmi_template_refuse_size(schema, call, desc->name);
        }
    }
    return (uint32_t)count;
}

// The parts of the children behind part 0.
static void flatten_children(const struct schema *schema, const cosm_template_desc *desc,
                             struct template_part *parts) {
    uint32_t at = 1;
    for (uint32_t i = 0; i < desc->child_count; i++) {
        const struct template *child = schema_template(schema, desc->children[i].from.id);
        for (uint32_t p = 0; p < child->part_count; p++) {
            parts[at + p] = child->parts[p];
            parts[at + p].parent += at;
        }
        parts[at].parent = 0;
        parts[at].count = desc->children[i].count == 0 ? 1 : desc->children[i].count;
        at += child->part_count;
    }
}

uint32_t cosmi_schema_define_template(struct schema *schema, const cosm_template_desc *desc) {
    static const char call[] = "cosm_template_define";
    if (cosmi_name_check(schema->sink, call, desc->name) != COSM_OK ||
        check_template_values(schema, call, desc) != COSM_OK) {
        return 0;
    }
    uint32_t part_count = count_parts(schema, call, desc);
    struct signature sectors = {.count = 0};
    struct template_body body = {.given = NULL};
    body.archetype = part_count == 0 ? NULL : template_archetype(schema, call, desc, &sectors);
    if (body.archetype == NULL) {
        return 0;
    }
    struct arena arena;
    cosmi_arena_init(&arena, schema->memory);
    struct template_part *parts = cosmi_arena_alloc(&arena, part_count * sizeof(*parts), 16);
    uint32_t id = 0;
    if (parts == NULL || !describe_body(schema, desc, &sectors, &arena, &body)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    } else {
        parts[0] = (struct template_part){&body, 0, 1, 1, 0};
        flatten_children(schema, desc, parts);
        id = cosmi_schema_keep_template(schema, call, desc->name, parts, part_count);
    }
    cosmi_arena_free(&arena);
    return id;
}
