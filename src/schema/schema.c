// The schema's making and unmaking, and look-up by name.
#include "schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "schema/names.h"
#include "schema/template.h"

bool cosmi_schema_init(struct schema *schema, struct memory *memory, const struct sink *sink) {
    schema->memory = memory;
    schema->sink = sink;
    schema->on_archetype = NULL;
    schema->on_archetype_context = NULL;
    cosmi_arena_init(&schema->arena, memory);
    cosmi_paged_init(&schema->components);
    cosmi_paged_init(&schema->bundles);
    cosmi_paged_init(&schema->singletons);
    cosmi_paged_init(&schema->archetypes);
    cosmi_paged_init(&schema->sector_groups);
    cosmi_paged_init(&schema->templates);
    schema->template_objects = NULL;
    atomic_init(&schema->managed_count, 0);
    atomic_init(&schema->object_count, 0);
    schema->transition_entries = NULL;
    schema->transition_count = 0;
    schema->transition_capacity = 0;
    cosmi_map_init(&schema->component_names, memory);
    cosmi_map_init(&schema->singleton_names, memory);
    cosmi_type_map_init(&schema->component_types);
    cosmi_type_map_init(&schema->singleton_types);
    cosmi_map_init(&schema->archetype_names, memory);
    cosmi_map_init(&schema->archetype_sets, memory);
    cosmi_map_init(&schema->template_names, memory);
    cosmi_map_init(&schema->transitions, memory);
    return cosmi_mutex_create(&schema->lock);
}

void cosmi_schema_free(struct schema *schema) {
    cosmi_schema_end_templates(schema);
    cosmi_mutex_destroy(&schema->lock);
    cosmi_map_free(&schema->component_names);
    cosmi_map_free(&schema->singleton_names);
    cosmi_map_free(&schema->archetype_names);
    cosmi_map_free(&schema->archetype_sets);
    cosmi_map_free(&schema->template_names);
    cosmi_map_free(&schema->transitions);
    cosmi_paged_free(&schema->components, schema->memory);
    cosmi_paged_free(&schema->bundles, schema->memory);
    cosmi_paged_free(&schema->singletons, schema->memory);
    cosmi_paged_free(&schema->archetypes, schema->memory);
    cosmi_paged_free(&schema->templates, schema->memory);
    cosmi_array_free(schema->memory, schema->transition_entries, schema->transition_capacity,
                     sizeof(*schema->transition_entries));
    cosmi_arena_free(&schema->arena);
}

bool cosmi_component_name_equals(const void *context, uint32_t index, const void *key) {
    const struct schema *schema = context;
    const char *name = (index & BUNDLE_BIT) != 0 ? schema_bundle(schema, index)->name
                                                 : schema_component(schema, index)->name;
    return strcmp(name, key) == 0;
}

bool cosmi_singleton_name_equals(const void *context, uint32_t index, const void *key) {
    return strcmp(schema_singleton(context, index)->name, key) == 0;
}

bool cosmi_archetype_name_equals(const void *context, uint32_t index, const void *key) {
    return strcmp(schema_archetype(context, index)->name, key) == 0;
}

static uint32_t find_name(struct schema *schema, const struct map *map, map_equals_fn *equals,
                          const char *name) {
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = cosmi_map_find(map, cosmi_hash_text(name), equals, schema, name);
    cosmi_mutex_unlock(&schema->lock);
    return id == MAP_NONE ? 0 : id;
}

uint32_t cosmi_schema_find_component(struct schema *schema, const char *name) {
    return find_name(schema, &schema->component_names, cosmi_component_name_equals, name);
}

uint32_t cosmi_schema_find_singleton(struct schema *schema, const char *name) {
    return find_name(schema, &schema->singleton_names, cosmi_singleton_name_equals, name);
}

uint32_t cosmi_schema_find_archetype(struct schema *schema, const char *name) {
    return find_name(schema, &schema->archetype_names, cosmi_archetype_name_equals, name);
}

struct where cosmi_where(const char *call, const char *name, const char *field) {
    struct where where;
    bool is_named = name != NULL && name[0] != '\0';
    bool has_field = field != NULL;
    (void)snprintf(where.text, sizeof(where.text), "%s%s%.*s%s%s%s", call, is_named ? ": '" : "",
                   (int)COSM_NAME_LENGTH_MAX, is_named ? name : "", is_named ? "'" : "",
                   has_field ? ": " : "", has_field ? field : "");
    return where;
}

cosm_result cosmi_name_check(const struct sink *sink, const char *call, const char *name) {
    if (name == NULL || name[0] == '\0') {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT, "%s: desc.name is %s; use 1 to %u characters",
                          call, name == NULL ? "NULL" : "empty", COSM_NAME_LENGTH_MAX);
    }
    size_t length = strlen(name);
    if (length > COSM_NAME_LENGTH_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: desc.name '%.32s...' has %zu characters; use at most %u", call, name,
                          length, COSM_NAME_LENGTH_MAX);
    }
    return COSM_OK;
}
