// Exports: definitions checked, and resolved to what one value looks like.
#include "export/export.h"

#include <string.h>

#include "schema/names.h"

void cosmi_exports_init(struct export_list *list, struct memory *memory) {
    list->memory = memory;
    list->count = 0;
}

void cosmi_exports_free(struct export_list *list) {
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX; slot++) {
        if (export_at(list, slot) != NULL) {
            cosmi_export_drop(list, export_at(list, slot));
        }
    }
}

void cosmi_export_drop(struct export_list *list, struct export *export) {
    if (export->query != NULL) {
        cosmi_query_release(export->query);
    }
    if (export->kept_size > 0) {
        cosmi_memory_free(list->memory, export, export->kept_size, _Alignof(struct export));
    }
}

uint32_t cosmi_export_find(const struct export_list *list, const char *name) {
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX; slot++) {
        const struct export *export = export_at(list, slot);
        if (export != NULL && strcmp(export->desc.name, name) == 0) {
            return slot;
        }
    }
    return COSM_EXPORT_SLOT_NONE;
}

// What a definition is made with.
struct making {
    struct export_list *list;
    struct query_cache *queries;
    const struct schema *schema;
    const struct sink *sink;
    const char *call;
    const cosm_export_desc *desc;
};

// That there is one source, and that it is complete.
static cosm_result check_source(const struct making *making) {
    const cosm_export_desc *desc = making->desc;
    uint32_t sources = (desc->singleton.id != 0 ? 1u : 0u) + (desc->archetype.id != 0 ? 1u : 0u) +
                       (desc->query != NULL ? 1u : 0u);
    if (sources != 1) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc of '%s' sets %u of singleton, archetype and query; set "
                          "exactly one",
                          making->call, desc->name, sources);
    }
    bool of_rows = desc->singleton.id == 0;
    uint32_t shows = (desc->component.id != 0 ? 1u : 0u) + (desc->entities ? 1u : 0u);
    if (of_rows && shows == 0) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' exports %s but no column; set desc.component or desc.entities",
                          making->call, desc->name,
                          desc->query != NULL ? "a query" : "an archetype");
    }
    if (shows != (of_rows ? 1u : 0u)) {
        return cosmi_fail(
            making->sink, COSM_ERROR_ARGUMENT,
            "%s: desc of '%s' sets %u of component and entities; set one with an archetype or a "
            "query, none with a singleton",
            making->call, desc->name, shows);
    }
    if (desc->entities &&
        (desc->field != NULL || desc->field_count != 0 || desc->direction != COSM_DIRECTION_OUT)) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc of '%s' exports entities, which have no fields and cannot be "
                          "written; leave field, field_count and direction zero",
                          making->call, desc->name);
    }
    return COSM_OK;
}

static cosm_result check_slot(const struct making *making) {
    const cosm_export_desc *desc = making->desc;
    cosm_result result = cosmi_name_check(making->sink, making->call, desc->name);
    if (result != COSM_OK) {
        return result;
    }
    if (desc->slot >= COSM_EXPORT_SLOT_MAX) {
        return cosmi_fail(making->sink, COSM_ERROR_LIMIT,
                          "%s: desc.slot %u of '%s' is over the limit of %u; use a lower number",
                          making->call, desc->slot, desc->name, COSM_EXPORT_SLOT_MAX - 1);
    }
    if ((unsigned)desc->direction > COSM_DIRECTION_BOTH) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.direction %d of '%s' is unknown; use a value of cosm_direction",
                          making->call, (int)desc->direction, desc->name);
    }
    return check_source(making);
}

// The archetype, and that it has the component in a form that can be shown.
static cosm_result check_archetype(const struct making *making) {
    const cosm_export_desc *desc = making->desc;
    const struct archetype *archetype = schema_archetype(making->schema, desc->archetype.id);
    if (archetype == NULL) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.archetype %u of '%s' is not defined in this engine; pass one "
                          "from cosm_archetype_define",
                          making->call, desc->archetype.id, desc->name);
    }
    if (archetype->temporary) {
        return cosmi_fail(
            making->sink, COSM_ERROR_ARGUMENT,
            "%s: the archetype of '%s' is temporary, and its rows are gone at the end of a step; "
            "export one that is not temporary",
            making->call, desc->name);
    }
    const struct value_type *type = schema_component(making->schema, desc->component.id);
    // One that is not defined is refused where its type is looked for.
    if (type != NULL && archetype_find(archetype, type->id) == NULL) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: archetype %u '%s' of '%s' does not have component '%s'; use one "
                          "that it has",
                          making->call, archetype->id, archetype->name, desc->name, type->name);
    }
    return COSM_OK;
}

static void refuse_undefined(const struct making *making) {
    const cosm_export_desc *desc = making->desc;
    const struct bundle *bundle = schema_bundle(making->schema, desc->component.id);
    if (desc->singleton.id != 0) {
        (void)cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                         "%s: desc.singleton %u of '%s' is not defined in this engine; pass one "
                         "from cosm_singleton_define",
                         making->call, desc->singleton.id, desc->name);
    } else if (bundle != NULL) {
        (void)cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                         "%s: desc.component of '%s' is the bundle '%s'; export its components one "
                         "by one",
                         making->call, desc->name, bundle->name);
    } else {
        (void)cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                         "%s: desc.component %u of '%s' is not defined in this engine; pass one "
                         "from cosm_component_define",
                         making->call, desc->component.id, desc->name);
    }
}

// The type of the values that are shown, NULL with a message where they cannot be.
static const struct value_type *find_type(const struct making *making) {
    const cosm_export_desc *desc = making->desc;
    const struct value_type *type = desc->singleton.id != 0
                                        ? schema_singleton(making->schema, desc->singleton.id)
                                        : schema_component(making->schema, desc->component.id);
    if (type == NULL) {
        refuse_undefined(making);
        return NULL;
    }
    if (type->size == 0 || (desc->singleton.id == 0 && type->storage != COSM_STORAGE_COLUMN)) {
        (void)cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' cannot be exported by '%s': only columns of tables can; use a "
                         "component with bytes and COSM_STORAGE_COLUMN",
                         making->call, type->name, desc->name);
        return NULL;
    }
    return type;
}

// Which fields are shown.
static cosm_result choose_fields(const struct making *making, const struct value_type *type,
                                 struct export *export) {
    const cosm_export_desc *desc = making->desc;
    uint32_t field = desc->field == NULL
                         ? 0
                         : cosm_field_find(type->fields.items, type->fields.count, desc->field);
    if (field == COSM_FIELD_INDEX_NONE) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has no field '%s' for '%s' to export; use one of its fields",
                          making->call, type->name, desc->field, desc->name);
    }
    uint32_t left = type->fields.count - field;
    uint32_t count = desc->field_count != 0 ? desc->field_count : desc->field != NULL ? 1 : left;
    if (count > left) {
        return cosmi_fail(
            making->sink, COSM_ERROR_ARGUMENT,
            "%s: desc.field_count %u of '%s' is more than the %u fields that '%s' has from "
            "desc.field on; use fewer",
            making->call, count, desc->name, left, type->name);
    }
    export->field = field;
    export->field_count = count;
    return COSM_OK;
}

static bool same_dims(const cosm_field *a, const cosm_field *b) {
    return memcmp(a->dims, b->dims, sizeof(a->dims)) == 0;
}

// That the fields are of one type and lie side by side. *out_alike: their dimensions are the same.
static cosm_result check_fields(const struct making *making, const struct value_type *type,
                                const struct export *export, bool *out_alike) {
    const cosm_field *first = &type->fields.items[export->field];
    *out_alike = true;
    for (uint32_t i = 1; i < export->field_count; i++) {
        const cosm_field *field = first + i;
        if (field->type != first->type) {
            return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                              "%s: fields '%s' (%s) and '%s' (%s) of '%s' have different types, "
                              "but '%s' has one type; export them one by one with desc.field",
                              making->call, first->name, cosm_field_type_name(first->type),
                              field->name, cosm_field_type_name(field->type), type->name,
                              making->desc->name);
        }
        if (field->offset != field[-1].offset + cosm_field_size(&field[-1])) {
            return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                              "%s: fields '%s' and '%s' of '%s' are not adjacent; export them one "
                              "by one with desc.field",
                              making->call, field[-1].name, field->name, type->name);
        }
        *out_alike = *out_alike && same_dims(first, field);
    }
    return COSM_OK;
}

static void push_dim(struct export *export, int64_t dim) {
    export->dims[export->dim_count++] = dim;
}

// What the scalars of these fields look like, as one array.
static void shape_fields(const struct value_type *type, struct export *export, bool alike) {
    const cosm_field *first = &type->fields.items[export->field];
    int64_t total = 0;
    for (uint32_t i = 0; i < export->field_count; i++) {
        total += cosm_field_element_count(first + i);
    }
    if (!alike) {
        push_dim(export, total);
    } else if (export->field_count > 1) {
        push_dim(export, export->field_count);
    }
    for (uint32_t d = 0; alike && d < COSM_FIELD_DIM_MAX && first->dims[d] != 0; d++) {
        push_dim(export, first->dims[d]);
    }
    export->type = first->type;
    if (first->type == COSM_FIELD_ENTITY) {
        export->type = COSM_FIELD_U32;
        push_dim(export, 2);
    } else if (first->type == COSM_FIELD_CHAR) {
        export->type = COSM_FIELD_U8;
    }
    export->offset = first->offset;
    export->item_size = (uint32_t)((size_t)total * cosm_field_type_size(first->type));
}

static void shape_entities(struct export *export) {
    export->type = COSM_FIELD_U32;
    push_dim(export, 2);
    export->item_size = sizeof(cosm_entity);
    export->value_size = sizeof(cosm_entity);
}

static cosm_result shape_value(const struct making *making, struct export *export) {
    if (making->desc->entities) {
        shape_entities(export);
        return COSM_OK;
    }
    const struct value_type *type = find_type(making);
    if (type == NULL) {
        return cosm_error_result();
    }
    cosm_result result = choose_fields(making, type, export);
    bool alike = true;
    if (result == COSM_OK && export->field_count > 0) {
        result = check_fields(making, type, export, &alike);
    }
    if (result != COSM_OK) {
        return result;
    }
    export->component = making->desc->component.id;
    export->singleton = making->desc->singleton.id;
    export->value_size = type->size;
    if (export->field_count == 0) {
        export->type = COSM_FIELD_U8;
        export->item_size = type->size;
        push_dim(export, type->size);
    } else {
        shape_fields(type, export, alike);
    }
    return COSM_OK;
}

// A split component has its fields apart: only one of them can be shown where it is. Rows of
// queries are copied in any case.
static cosm_result check_split(const struct making *making, const struct export *export) {
    const cosm_export_desc *desc = making->desc;
    const struct archetype *archetype = schema_archetype(making->schema, desc->archetype.id);
    bool is_split = archetype != NULL && export->component != 0 &&
                    slot_is_split(archetype, archetype_find(archetype, export->component));
    if (is_split && export->field_count != 1) {
        return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                          "%s: the component of '%s' is split, and its %u fields are separate "
                          "arrays; export them one by one with desc.field, or use "
                          "COSM_LAYOUT_STRUCT",
                          making->call, desc->name, export->field_count);
    }
    return COSM_OK;
}

// The query of the desc, which also has the component.
static cosm_result make_query(const struct making *making, struct export *export) {
    cosm_query_desc wanted = *making->desc->query;
    uint32_t count = 0;
    bool has_it = export->component == 0;
    while (count < COSM_QUERY_TERM_MAX && wanted.terms[count].component.id != 0) {
        cosm_term *term = &wanted.terms[count++];
        has_it =
            has_it || (term->component.id == export->component && term->kind == COSM_TERM_WITH);
        if (term->changed) {
            return cosmi_fail(making->sink, COSM_ERROR_ARGUMENT,
                              "%s: term %u of the query of '%s' has `changed`, but an export does "
                              "not track changes; leave it out",
                              making->call, count - 1, making->desc->name);
        }
        // Walking must not count as writing: scattering does, and stamps what it writes.
        term->access = COSM_ACCESS_READ;
    }
    if (!has_it && count == COSM_QUERY_TERM_MAX) {
        return cosmi_fail(
            making->sink, COSM_ERROR_LIMIT,
            "%s: the query of '%s' has %u terms and no room for its component; remove one term",
            making->call, making->desc->name, count);
    }
    if (!has_it) {
        wanted.terms[count] =
            (cosm_term){.component = {export->component}, .access = COSM_ACCESS_READ};
    }
    wanted.by_world = true;
    export->query = cosmi_query_create(making->queries, making->call, &wanted);
    return export->query != NULL ? COSM_OK : cosm_error_result();
}

static bool texts_agree(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Were two definitions given alike? Queries are the same where they are compiled to the same one.
static bool is_same_export(const struct export *a, const struct export *b) {
    const cosm_export_desc *x = &a->desc;
    const cosm_export_desc *y = &b->desc;
    return x->slot == y->slot && texts_agree(x->name, y->name) &&
           x->singleton.id == y->singleton.id && x->archetype.id == y->archetype.id &&
           a->query == b->query && x->component.id == y->component.id &&
           x->entities == y->entities && texts_agree(x->field, y->field) &&
           x->field_count == y->field_count && x->direction == y->direction &&
           x->row_max == y->row_max;
}

// Resolves a definition whose arguments are good so far.
static cosm_result resolve(const struct making *making, struct export *export) {
    cosm_result result = making->desc->archetype.id != 0 ? check_archetype(making) : COSM_OK;
    if (result == COSM_OK) {
        result = shape_value(making, export);
    }
    if (result == COSM_OK) {
        result = check_split(making, export);
    }
    if (result == COSM_OK && making->desc->query != NULL) {
        result = make_query(making, export);
    }
    return result;
}

// That slot and name are free, or have this very export.
static cosm_result check_taken(const struct making *making, const struct export *export,
                               bool *out_same) {
    const struct export *present = export_at(making->list, export->desc.slot);
    uint32_t named = cosmi_export_find(making->list, export->desc.name);
    *out_same = present != NULL && is_same_export(present, export);
    if (*out_same || (present == NULL && named == COSM_EXPORT_SLOT_NONE)) {
        return COSM_OK;
    }
    if (present == NULL) {
        return cosmi_fail(making->sink, COSM_ERROR_CONFLICT,
                          "%s: the name '%s' is taken by slot %u; choose another name",
                          making->call, export->desc.name, named);
    }
    return cosmi_fail(making->sink, COSM_ERROR_CONFLICT,
                      "%s: slot %u already has the export '%s', which differs from '%s'; choose "
                      "another slot and name",
                      making->call, export->desc.slot, present->desc.name, export->desc.name);
}

// A copy of a definition with all that it points at, in one piece of memory. NULL when out of it.
static struct export *keep_export(const struct export_list *list, const struct export *made) {
    const cosm_export_desc *desc = &made->desc;
    size_t name_size = strlen(desc->name) + 1;
    size_t field_size = desc->field == NULL ? 0 : strlen(desc->field) + 1;
    size_t query_size = desc->query == NULL ? 0 : sizeof(*desc->query);
    size_t size = sizeof(*made) + query_size + name_size + field_size;
    struct export *kept = cosmi_memory_alloc(list->memory, size, _Alignof(struct export));
    if (kept == NULL) {
        return NULL;
    }
    *kept = *made;
    kept->kept_size = size;
    char *at = (char *)(kept + 1);
    if (query_size > 0) {
        cosm_query_desc *query = memcpy(at, desc->query, query_size);
        for (uint32_t t = 0; t < made->query->term_count; t++) {
            query->terms[t].value = made->query->terms[t].value; // copies, while the query is kept
        }
        kept->desc.query = query;
    }
    kept->desc.name = memcpy(at + query_size, desc->name, name_size);
    if (field_size > 0) {
        kept->desc.field = memcpy(at + query_size + name_size, desc->field, field_size);
    }
    return kept;
}

cosm_result cosmi_export_make(struct export_list *list, struct query_cache *queries,
                              const char *call, const cosm_export_desc *desc,
                              struct export **out_export) {
    struct making making = {list, queries, queries->schema, queries->schema->sink, call, desc};
    *out_export = NULL;
    cosm_result result = check_slot(&making);
    if (result != COSM_OK) {
        return result;
    }
    struct export made = {.desc = *desc};
    bool is_same = false;
    result = resolve(&making, &made);
    if (result == COSM_OK) {
        result = check_taken(&making, &made, &is_same);
    }
    if (result == COSM_OK && !is_same) {
        *out_export = keep_export(list, &made);
        result = *out_export != NULL ? COSM_OK : cosmi_fail_memory(making.sink, list->memory, call);
    }
    if (*out_export == NULL) {
        cosmi_export_drop(list, &made);
    }
    return result;
}
