// Templates: checks, flattening, definition.
#include "schema/template.h"

#include <string.h>

#include "base/hash.h"
#include "schema/names.h"

static bool template_name_equals(const void *context, uint32_t index, const void *key) {
    return strcmp(schema_template(context, index)->name, key) == 0;
}

uint32_t cosmi_schema_find_template(struct schema *schema, const char *name) {
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = cosmi_map_find(&schema->template_names, cosmi_hash_text(name),
                                 template_name_equals, schema, name);
    cosmi_mutex_unlock(&schema->lock);
    return id == MAP_NONE ? 0 : id;
}

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

static bool same_body(const struct schema *schema, const struct template_body *a,
                      const struct template_body *b) {
    if (a == b) {
        return true;
    }
    if (a->archetype != b->archetype || a->value_count != b->value_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->value_count; i++) {
        const struct value_type *type = schema_component(schema, a->values[i].component.id);
        if (a->values[i].component.id != b->values[i].component.id ||
            memcmp(a->values[i].data, b->values[i].data, type->size) != 0) {
            return false;
        }
    }
    return true;
}

static bool same_template(const struct schema *schema, const struct template *known,
                          const struct template_part *parts, uint32_t count) {
    bool same = known->part_count == count;
    for (uint32_t p = 0; same && p < count; p++) {
        same = known->parts[p].parent == parts[p].parent &&
               known->parts[p].count == parts[p].count &&
               same_body(schema, known->parts[p].body, parts[p].body);
    }
    return same;
}

// A bit for each column that the values of a body fill; NULL when out of memory.
static uint64_t *mark_columns(struct arena *arena, const struct template_body *body) {
    const struct archetype *archetype = body->archetype;
    size_t size = (archetype->column_count / 64 + 1) * sizeof(uint64_t);
    uint64_t *given = cosmi_arena_take(arena, size, sizeof(uint64_t));
    if (given == NULL) {
        return NULL;
    }
    memset(given, 0, size);
    for (uint32_t i = 0; i < body->value_count; i++) {
        uint32_t column = archetype_find(archetype, body->values[i].component.id)->column;
        uint32_t part_count = column == 0 ? 0 : archetype->columns[column].part_count;
        uint32_t end = column == 0 ? 0 : column + (part_count > 1 ? part_count : 1);
        for (uint32_t c = column; c < end; c++) {
            given[c / 64] |= (uint64_t)1 << (c % 64);
        }
    }
    return given;
}

// A copy that lives as long as the schema; the body itself where it does already. NULL when out of
// memory.
static const struct template_body *keep_body(struct schema *schema,
                                             const struct template_body *body) {
    if (body->given != NULL) {
        return body;
    }
    struct arena *arena = &schema->arena;
    struct template_body *kept =
        cosmi_arena_take(arena, sizeof(*kept), _Alignof(struct template_body));
    cosm_value *values =
        cosmi_arena_take(arena, (body->value_count + 1) * sizeof(*values), _Alignof(cosm_value));
    uint64_t *given = mark_columns(arena, body);
    if (kept == NULL || values == NULL || given == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < body->value_count; i++) {
        cosm_component component = body->values[i].component;
        size_t size = schema_component(schema, component.id)->size;
        const void *data = cosmi_arena_copy(arena, body->values[i].data, size, 16);
        if (data == NULL) {
            return NULL;
        }
        values[i] = (cosm_value){component, data};
    }
    *kept = (struct template_body){body->archetype, values, body->value_count, given};
    return kept;
}

// Adds up the rows of each archetype. `rooms` has a place for every part.
static uint32_t sum_rooms(const struct template_part *parts, uint32_t count,
                          struct template_room *rooms) {
    uint32_t room_count = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t r = 0;
        while (r < room_count && rooms[r].archetype != parts[p].body->archetype) {
            r++;
        }
        if (r == room_count) {
            rooms[room_count++] = (struct template_room){parts[p].body->archetype, 0};
        }
        rooms[r].rows += parts[p].per_root;
    }
    return room_count;
}

static struct template *keep_parts(struct schema *schema, const char *name,
                                   const struct template_part *parts, uint32_t count) {
    struct arena *arena = &schema->arena;
    struct template *kept = cosmi_arena_take(arena, sizeof(*kept), _Alignof(struct template));
    char *kept_name = cosmi_arena_copy_text(arena, name);
    struct template_part *list = cosmi_arena_copy(arena, parts, count * sizeof(*list), 16);
    struct template_room *rooms = cosmi_arena_take(arena, count * sizeof(*rooms), 16);
    if (kept == NULL || kept_name == NULL || list == NULL || rooms == NULL) {
        return NULL;
    }
    uint32_t entity_count = 0;
    for (uint32_t p = 0; p < count; p++) {
        list[p].body = keep_body(schema, parts[p].body);
        if (list[p].body == NULL) {
            return NULL;
        }
        entity_count += list[p].per_root;
    }
    *kept = (struct template){.name = kept_name,
                              .parts = list,
                              .part_count = count,
                              .entity_count = entity_count,
                              .rooms = rooms,
                              .room_count = sum_rooms(list, count, rooms)};
    return kept;
}

static void template_conflict(const struct schema *schema, const char *call, const char *name) {
    (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                     "%s: '%s' is already defined with other properties; choose another name, or "
                     "define it the same way",
                     call, name);
}

static uint32_t keep_locked(struct schema *schema, const char *call, const char *name,
                            const struct template_part *parts, uint32_t count) {
    uint64_t hash = cosmi_hash_text(name);
    uint32_t known =
        cosmi_map_find(&schema->template_names, hash, template_name_equals, schema, name);
    if (known != MAP_NONE) {
        if (same_template(schema, schema_template(schema, known), parts, count)) {
            return known;
        }
        template_conflict(schema, call, name);
        return 0;
    }
    uint32_t id = paged_count(&schema->templates);
    id = id == 0 ? 1 : id;
    if (id > COSM_TEMPLATE_MAX) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                         "%s: '%s' would be number %u; an engine holds at most %u: define fewer, "
                         "or use a second engine",
                         call, name, id, COSM_TEMPLATE_MAX);
        return 0;
    }
    struct template *kept = keep_parts(schema, name, parts, count);
    if (kept == NULL || !cosmi_map_reserve(&schema->template_names) ||
        !cosmi_paged_reserve(&schema->templates, schema->memory, id)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return 0;
    }
    kept->id = id;
    cosmi_paged_set(&schema->templates, id, kept);
    cosmi_map_insert(&schema->template_names, hash, id);
    return id;
}

uint32_t cosmi_template_refuse_size(const struct schema *schema, const char *call,
                                    const char *name) {
    (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                     "%s: '%s' has more than %u parts, or %u entities; spawn the lower ones from "
                     "templates of their own",
                     call, name, COSM_TEMPLATE_PART_MAX, COSM_WORLD_ENTITY_MAX);
    return 0;
}

uint32_t cosmi_schema_keep_template(struct schema *schema, const char *call, const char *name,
                                    struct template_part *parts, uint32_t count) {
    uint64_t total = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint64_t above = p == 0 ? 1 : parts[parts[p].parent].per_root;
        uint64_t per_root = above * parts[p].count;
        total += per_root;
        if (total > COSM_WORLD_ENTITY_MAX) {
            return cosmi_template_refuse_size(schema, call, name);
        }
        parts[p].per_root = (uint32_t)per_root;
    }
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = keep_locked(schema, call, name, parts, count);
    cosmi_mutex_unlock(&schema->lock);
    return id;
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
                         "%s: '%s' has archetype %u '%s', which is temporary or stands beside a "
                         "list of components; name a lasting one, or list components only",
                         call, desc->name, archetype->id, archetype->name);
        return NULL;
    }
    for (uint32_t i = 0; i < desc->value_count; i++) {
        uint32_t id = desc->values[i].component.id;
        if (archetype_find(archetype, id) == NULL) {
            (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                             "%s: '%s': values[%u] is of component '%s', which archetype %u '%s' "
                             "lacks; name one that has it, or leave out desc.archetype",
                             call, desc->name, i, schema_component(schema, id)->name, archetype->id,
                             archetype->name);
            return NULL;
        }
    }
    return archetype;
}

// The archetype of a desc, formed where there is none yet; NULL with a message.
static struct archetype *template_archetype(struct schema *schema, const char *call,
                                            const cosm_template_desc *desc) {
    if (desc->archetype.id != 0) {
        return named_archetype(schema, call, desc);
    }
    struct signature signature = {.count = 0};
    if (cosmi_schema_collect_desc(schema, call, "components", desc->components, desc->more,
                                  desc->more_count, &signature) != COSM_OK) {
        return NULL;
    }
    for (uint32_t i = 0; i < desc->value_count; i++) {
        cosmi_signature_add(&signature, desc->values[i].component.id);
    }
    // A set that nobody has yet is not that of the template which has the name already.
    if (cosmi_schema_find_template(schema, desc->name) != 0 &&
        signature.count <= COSM_ARCHETYPE_COMPONENT_MAX &&
        cosmi_schema_find_set(schema, &signature) == NULL) {
        template_conflict(schema, call, desc->name);
        return NULL;
    }
    return cosmi_schema_form(schema, call, &signature);
}

// The values of a desc in the order of components, the last of several for one; tags are left out.
// Returns how many there are.
static uint32_t sort_values(const struct schema *schema, const cosm_template_desc *desc,
                            cosm_value *out_values) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->value_count; i++) {
        cosm_value value = desc->values[i];
        if (schema_component(schema, value.component.id)->size == 0) {
            continue;
        }
        uint32_t at = count;
        while (at > 0 && out_values[at - 1].component.id > value.component.id) {
            at--;
        }
        if (at > 0 && out_values[at - 1].component.id == value.component.id) {
            out_values[at - 1] = value;
            continue;
        }
        memmove(out_values + at + 1, out_values + at, (count - at) * sizeof(value));
        out_values[at] = value;
        count++;
    }
    return count;
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
    struct template_body body = {.given = NULL};
    body.archetype = part_count == 0 ? NULL : template_archetype(schema, call, desc);
    if (body.archetype == NULL) {
        return 0;
    }
    struct arena arena;
    cosmi_arena_init(&arena, schema->memory);
    cosm_value *values = cosmi_arena_take(&arena, (desc->value_count + 1) * sizeof(*values), 16);
    struct template_part *parts = cosmi_arena_take(&arena, part_count * sizeof(*parts), 16);
    uint32_t id = 0;
    if (values == NULL || parts == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
    } else {
        body.value_count = sort_values(schema, desc, values);
        body.values = values;
        parts[0] = (struct template_part){&body, 0, 1, 1};
        flatten_children(schema, desc, parts);
        id = cosmi_schema_keep_template(schema, call, desc->name, parts, part_count);
    }
    cosmi_arena_free(&arena);
    return id;
}
