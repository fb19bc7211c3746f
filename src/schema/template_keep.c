// Templates as they are kept: compared with one of the same name, copied, sorted into rooms.
//
// Objects among the values are copied by their lifecycle and listed in the schema, newest first:
// bodies are shared between templates, so that no template owns them. They end with the engine, or
// when the definition that made them fails.
#include "schema/template.h"

#include <string.h>

#include "base/bits.h"
#include "base/hash.h"

// An object that templates have.
struct template_object {
    struct template_object *next;
    const struct value_type *type;
    void *object;
};

static void end_objects(struct schema *schema, struct template_object *before) {
    while (schema->template_objects != before) {
        struct template_object *last = schema->template_objects;
        schema->template_objects = last->next;
        if (last->type->lifecycle.destroy != NULL) {
            last->type->lifecycle.destroy(last->type->lifecycle.context, last->object);
        }
    }
}

void cosmi_schema_end_templates(struct schema *schema) {
    end_objects(schema, NULL);
}

static bool same_content(const struct value_type *type, const void *a, const void *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return type->lifecycle.equals != NULL ? type->lifecycle.equals(type->lifecycle.context, a, b)
                                          : memcmp(a, b, type->size) == 0;
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
            !same_content(type, a->values[i].data, b->values[i].data)) {
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

// A bit for each column that the values of a body fill with bytes; NULL when out of memory.
static uint64_t *mark_columns(const struct schema *schema, struct arena *arena,
                              const struct template_body *body) {
    const struct archetype *archetype = body->archetype;
    size_t size = (archetype->column_count / 64 + 1) * sizeof(uint64_t);
    uint64_t *given = cosmi_arena_alloc(arena, size, sizeof(uint64_t));
    if (given == NULL) {
        return NULL;
    }
    memset(given, 0, size);
    for (uint32_t i = 0; i < body->value_count; i++) {
        uint32_t component = body->values[i].component.id;
        if (schema_component(schema, component)->storage != COSM_STORAGE_COLUMN) {
            continue;
        }
        const struct column_slot *slot = archetype_find(archetype, component);
        uint32_t end = slot->column + slot_part_count(archetype, slot);
        for (uint32_t c = slot->column; c < end; c++) {
            given[c / 64] |= (uint64_t)1 << (c % 64);
        }
    }
    return given;
}

// A copy of an object, aligned as its type wants it; NULL, with a message, on failure.
static void *keep_object(struct schema *schema, const char *call, const struct value_type *type,
                         const void *source) {
    size_t slack = type->alignment > 16 ? type->alignment - 16 : 0;
    struct template_object *kept =
        cosmi_arena_alloc(&schema->arena, sizeof(*kept), _Alignof(struct template_object));
    char *bytes = cosmi_arena_alloc(&schema->arena, type->size + slack, 16);
    if (kept == NULL || bytes == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    void *object = bytes + (align_up((uintptr_t)bytes, type->alignment) - (uintptr_t)bytes);
    if (type->lifecycle.copy == NULL) {
        memcpy(object, source, type->size);
    } else if (!type->lifecycle.copy(type->lifecycle.context, object, source)) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_MEMORY,
                         "%s: component '%s': %s of its lifecycle returned false, so it is out of "
                         "memory; free memory and try again",
                         call, type->name, "copy");
        return NULL;
    }
    *kept = (struct template_object){schema->template_objects, type, object};
    schema->template_objects = kept;
    return object;
}

// Copies of values, to `out_values`. False, with a message, on failure.
static bool keep_values(struct schema *schema, const char *call, const struct template_body *body,
                        cosm_value *out_values) {
    for (uint32_t i = 0; i < body->value_count; i++) {
        cosm_component component = body->values[i].component;
        const struct value_type *type = schema_component(schema, component.id);
        const void *data = body->values[i].data;
        if (data != NULL && type->is_object) {
            data = keep_object(schema, call, type, data);
        } else if (data != NULL) {
            data = cosmi_arena_copy(&schema->arena, data, type->size, 16);
            if (data == NULL) {
                (void)cosmi_fail_memory(schema->sink, schema->memory, call);
            }
        }
        if (data == NULL && body->values[i].data != NULL) {
            return false;
        }
        out_values[i] = (cosm_value){component, data};
    }
    return true;
}

// A copy that lives as long as the schema; the body itself where it does already. NULL, with a
// message, on failure.
static const struct template_body *keep_body(struct schema *schema, const char *call,
                                             const struct template_body *body) {
    if (body->given != NULL) {
        return body;
    }
    struct arena *arena = &schema->arena;
    struct template_body *kept =
        cosmi_arena_alloc(arena, sizeof(*kept), _Alignof(struct template_body));
    cosm_value *values =
        cosmi_arena_alloc(arena, (body->value_count + 1) * sizeof(*values), _Alignof(cosm_value));
    uint64_t *given = mark_columns(schema, arena, body);
    if (kept == NULL || values == NULL || given == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    if (!keep_values(schema, call, body, values)) {
        return NULL;
    }
    *kept = *body;
    kept->values = values;
    kept->given = given;
    return kept;
}

// The value that a body has of a shared component.
static const void *shared_data(const struct template_body *body, uint32_t component) {
    uint32_t index = cosmi_template_value_index(body, component);
    INVARIANT(index < body->value_count, "a body has a value of every shared component");
    return body->values[index].data;
}

// The rooms as they are looked for.
struct room_list {
    const struct schema *schema;
    struct template_room *rooms;
    uint32_t count;
};

static bool room_equals(const void *context, uint32_t index, const void *key) {
    const struct room_list *list = context;
    const struct template_body *a = list->rooms[index].body;
    const struct template_body *b = key;
    bool same = a->archetype == b->archetype;
    for (uint32_t i = 0; same && a != b && i < a->archetype->shared_count; i++) {
        uint32_t component = a->archetype->shared[i];
        same = same_content(schema_component(list->schema, component), shared_data(a, component),
                            shared_data(b, component));
    }
    return same;
}

static uint64_t hash_room(const struct schema *schema, const struct template_body *body) {
    uint64_t hash = body->archetype->id;
    for (uint32_t i = 0; i < body->archetype->shared_count; i++) {
        uint32_t component = body->archetype->shared[i];
        const struct value_type *type = schema_component(schema, component);
        const void *data = shared_data(body, component);
        hash = hash_u64(hash, type->lifecycle.hash != NULL
                                  ? type->lifecycle.hash(type->lifecycle.context, data)
                                  : cosmi_hash_bytes(0, data, type->size));
    }
    return hash;
}

// Finds the rooms of all parts, and how many rows each gets. `list->rooms` has a place for every
// part. False when out of memory.
static bool find_rooms(struct schema *schema, struct template_part *parts, uint32_t count,
                       struct room_list *list) {
    struct map map;
    cosmi_map_init(&map, schema->memory);
    bool done = true;
    for (uint32_t p = 0; p < count && done; p++) {
        const struct template_body *body = parts[p].body;
        uint64_t hash = hash_room(schema, body);
        uint32_t room = cosmi_map_find(&map, hash, room_equals, list, body);
        if (room == MAP_NONE) {
            room = list->count++;
            list->rooms[room] = (struct template_room){body, 0};
            done = cosmi_map_reserve(&map);
        }
        if (done && list->rooms[room].rows == 0) {
            cosmi_map_insert(&map, hash, room);
        }
        parts[p].room = room;
        list->rooms[room].rows += parts[p].per_root;
    }
    cosmi_map_free(&map);
    return done;
}

// Everything but the id. NULL, with a message, on failure.
static struct template *keep_parts(struct schema *schema, const char *call, const char *name,
                                   const struct template_part *parts, uint32_t count) {
    struct arena *arena = &schema->arena;
    struct template *kept = cosmi_arena_alloc(arena, sizeof(*kept), _Alignof(struct template));
    char *kept_name = cosmi_arena_copy_text(arena, name);
    struct template_part *list = cosmi_arena_copy(arena, parts, count * sizeof(*list), 16);
    struct room_list rooms = {schema, NULL, 0};
    rooms.rooms = cosmi_arena_alloc(arena, count * sizeof(*rooms.rooms), 16);
    if (kept == NULL || kept_name == NULL || list == NULL || rooms.rooms == NULL) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    uint32_t entity_count = 0;
    uint32_t storages = 0;
    for (uint32_t p = 0; p < count; p++) {
        list[p].body = keep_body(schema, call, parts[p].body);
        if (list[p].body == NULL) {
            return NULL;
        }
        entity_count += list[p].per_root;
        storages |= list[p].body->storages;
    }
    if (!find_rooms(schema, list, count, &rooms)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    *kept = (struct template){.name = kept_name,
                              .parts = list,
                              .part_count = count,
                              .entity_count = entity_count,
                              .storages = storages,
                              .rooms = rooms.rooms,
                              .room_count = rooms.count};
    return kept;
}

static bool template_name_equals(const void *context, uint32_t index, const void *key) {
    return strcmp(schema_template(context, index)->name, key) == 0;
}

// The lock is held.
static uint32_t find_locked(const struct schema *schema, const char *name) {
    return cosmi_map_find(&schema->template_names, cosmi_hash_text(name), template_name_equals,
                          schema, name);
}

uint32_t cosmi_schema_find_template(struct schema *schema, const char *name) {
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = find_locked(schema, name);
    cosmi_mutex_unlock(&schema->lock);
    return id == MAP_NONE ? 0 : id;
}

static uint32_t keep_locked(struct schema *schema, const char *call, const char *name,
                            const struct template_part *parts, uint32_t count) {
    uint32_t known = find_locked(schema, name);
    if (known != MAP_NONE) {
        if (same_template(schema, schema_template(schema, known), parts, count)) {
            return known;
        }
        cosmi_template_conflict(schema, call, name);
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
    if (!cosmi_map_reserve(&schema->template_names) ||
        !cosmi_paged_reserve(&schema->templates, schema->memory, id)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return 0;
    }
    struct template_object *before = schema->template_objects;
    struct template *kept = keep_parts(schema, call, name, parts, count);
    if (kept == NULL) {
        end_objects(schema, before);
        return 0;
    }
    kept->id = id;
    cosmi_paged_set(&schema->templates, id, kept);
    cosmi_map_insert(&schema->template_names, cosmi_hash_text(name), id);
    return id;
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
