// Components, bundles and singletons: checks, definition, and the members of a bundle.
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "schema/names.h"
#include "schema/schema.h"

// What components and singletons have in common.
struct value_desc {
    const char *call;
    const char *name;
    size_t size;
    size_t alignment;
    const void *default_value;
    cosm_layout layout;
    const cosm_field *fields;
    uint32_t field_count;
    const char *doc;
    cosm_storage storage;
    cosm_lifecycle lifecycle;
    bool change_rows;
    const char *type;
};

static size_t natural_alignment(size_t size) {
    size_t alignment = size & (~size + 1);
    if (alignment == 0) {
        return 1;
    }
    return alignment > 16 ? 16 : alignment;
}

// NULL stands for zeroes, so that the many types without a default need no bytes.
static const void *default_or_null(const void *value, size_t size) {
    const unsigned char *bytes = value;
    for (size_t i = 0; bytes != NULL && i < size; i++) {
        if (bytes[i] != 0) {
            return value;
        }
    }
    return NULL;
}

static cosm_result check_layout(const struct sink *sink, const struct value_desc *desc) {
    if (desc->layout != COSM_LAYOUT_STRUCT && desc->layout != COSM_LAYOUT_SPLIT) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.layout %d is unknown; use COSM_LAYOUT_STRUCT or "
                          "COSM_LAYOUT_SPLIT",
                          desc->call, desc->name, (int)desc->layout);
    }
    if (desc->layout == COSM_LAYOUT_SPLIT && desc->field_count == 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has COSM_LAYOUT_SPLIT but no fields to split; describe them "
                          "in desc.fields, or leave out the layout",
                          desc->call, desc->name);
    }
    return COSM_OK;
}

static bool has_lifecycle(const cosm_lifecycle *lifecycle) {
    return lifecycle->construct != NULL || lifecycle->copy != NULL || lifecycle->move != NULL ||
           lifecycle->destroy != NULL || lifecycle->equals != NULL || lifecycle->hash != NULL;
}

// What the storages want of a component.
static cosm_result check_storage(const struct sink *sink, const struct value_desc *desc) {
    if ((unsigned)desc->storage > COSM_STORAGE_SECTOR) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.storage %d is unknown; use the values of cosm_storage",
                          desc->call, desc->name, (int)desc->storage);
    }
    bool is_column = desc->storage == COSM_STORAGE_COLUMN;
    if (is_column && has_lifecycle(&desc->lifecycle)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has a lifecycle, but a column holds plain bytes; use "
                          "COSM_STORAGE_MANAGED, _SECTOR or _SHARED, or leave out the lifecycle",
                          desc->call, desc->name);
    }
    if (!is_column && desc->layout != COSM_LAYOUT_STRUCT) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has desc.layout, but no column; use COSM_STORAGE_COLUMN, or "
                          "leave out the layout",
                          desc->call, desc->name);
    }
    bool needs_bytes =
        desc->storage == COSM_STORAGE_SHARED || desc->storage == COSM_STORAGE_MANAGED;
    if (needs_bytes && desc->size == 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.size is 0, so there is nothing to share or manage; use "
                          "COSM_STORAGE_COLUMN for a tag",
                          desc->call, desc->name);
    }
    if (desc->storage == COSM_STORAGE_SHARED &&
        (desc->lifecycle.construct != NULL || desc->lifecycle.move != NULL)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.lifecycle has construct or move, but a shared value is "
                          "only copied and never moved; leave them out",
                          desc->call, desc->name);
    }
    if ((desc->lifecycle.equals == NULL) != (desc->lifecycle.hash == NULL)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.lifecycle has only one of equals and hash; set both, or "
                          "neither to compare bytes",
                          desc->call, desc->name);
    }
    if (desc->change_rows && (!is_column || desc->size == 0)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.change_rows is for components with a column of bytes; "
                          "leave it out",
                          desc->call, desc->name);
    }
    return COSM_OK;
}

// Also fills in what was left open.
static cosm_result check_value_desc(const struct sink *sink, struct value_desc *desc) {
    cosm_result result = cosmi_name_check(sink, desc->call, desc->name);
    if (result != COSM_OK) {
        return result;
    }
    if (desc->type != NULL && cosmi_name_check(sink, desc->call, desc->type) != COSM_OK) {
        return COSM_ERROR_ARGUMENT;
    }
    if (desc->size > COSM_COMPONENT_SIZE_MAX) {
        return cosmi_fail(
            sink, COSM_ERROR_LIMIT,
            "%s: '%s': desc.size %zu is over the limit of %u bytes; store a handle or "
            "split the data",
            desc->call, desc->name, desc->size, COSM_COMPONENT_SIZE_MAX);
    }
    if (desc->alignment == 0) {
        desc->alignment = natural_alignment(desc->size);
    }
    if (!is_power_of_two(desc->alignment) || desc->alignment > COSM_COMPONENT_ALIGNMENT_MAX) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.alignment %zu is not a power of two up to %u; use "
                          "_Alignof of the type, or 0",
                          desc->call, desc->name, desc->alignment, COSM_COMPONENT_ALIGNMENT_MAX);
    }
    if (desc->size % desc->alignment != 0) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s': desc.size %zu is not a multiple of desc.alignment %zu; pad the "
            "type as the compiler does, or lower the alignment",
            desc->call, desc->name, desc->size, desc->alignment);
    }
    struct field_subject subject = {desc->call, desc->name, desc->size, desc->alignment, NULL};
    result = cosmi_fields_check(sink, &subject, desc->fields, desc->field_count);
    if (result == COSM_OK) {
        result = check_layout(sink, desc);
    }
    return result != COSM_OK ? result : check_storage(sink, desc);
}

static bool same_default(const void *a, const void *b, size_t size) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return memcmp(a, b, size) == 0;
}

static cosm_result conflict(const struct sink *sink, const char *call, const char *name) {
    return cosmi_fail(sink, COSM_ERROR_CONFLICT,
                      "%s: '%s' is already defined with other properties; choose another name, or "
                      "define it the same way",
                      call, name);
}

static cosm_result too_many(const struct sink *sink, const char *call, const char *name,
                            uint32_t max) {
    return cosmi_fail(sink, COSM_ERROR_LIMIT,
                      "%s: '%s' would be number %u; an engine holds at most %u: define fewer, or "
                      "use a second engine",
                      call, name, max + 1, max);
}

// Copies the default value, if there is one. False when out of memory.
static bool keep_default(struct schema *schema, const struct value_desc *desc, const void **out) {
    *out = NULL;
    if (desc->default_value == NULL) {
        return true;
    }
    *out = cosmi_arena_copy(&schema->arena, desc->default_value, desc->size, 16);
    return *out != NULL;
}

// The two kinds of value types, each with its list, its names and its limit.
struct value_kind {
    struct paged *list;
    struct map *names;
    map_equals_fn *equals;
    struct type_map *types;
    uint32_t max;
};

static bool same_doc(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_lifecycle(const cosm_lifecycle *a, const cosm_lifecycle *b) {
    return a->construct == b->construct && a->copy == b->copy && a->move == b->move &&
           a->destroy == b->destroy && a->equals == b->equals && a->hash == b->hash &&
           a->context == b->context;
}

static bool same_value_type(const struct value_type *type, const struct value_desc *desc) {
    return type != NULL && type->size == desc->size && type->alignment == desc->alignment &&
           type->layout == desc->layout && type->storage == desc->storage &&
           type->change_rows == desc->change_rows &&
           same_lifecycle(&type->lifecycle, &desc->lifecycle) && same_doc(type->doc, desc->doc) &&
           cosmi_fields_equal(&type->fields, desc->fields, desc->field_count) &&
           (desc->type == NULL || strcmp(type->type_name, desc->type) == 0) &&
           same_default(type->default_value, desc->default_value, desc->size);
}

static struct value_type *keep_value_type(struct schema *schema, const struct value_kind *kind,
                                          const struct value_desc *desc, uint32_t id) {
    struct value_type *type =
        cosmi_arena_alloc(&schema->arena, sizeof(*type), _Alignof(struct value_type));
    const char *name = cosmi_arena_copy_text(&schema->arena, desc->name);
    const char *type_name =
        desc->type == NULL ? name : cosmi_arena_copy_text(&schema->arena, desc->type);
    const void *default_value;
    const char *doc = desc->doc == NULL ? NULL : cosmi_arena_copy_text(&schema->arena, desc->doc);
    struct field_list fields;
    if (type == NULL || name == NULL || type_name == NULL || (desc->doc != NULL && doc == NULL) ||
        !keep_default(schema, desc, &default_value) ||
        !cosmi_fields_keep(&schema->arena, desc->fields, desc->field_count, &fields) ||
        !cosmi_map_reserve(kind->names) || !cosmi_type_map_reserve(kind->types, &schema->arena) ||
        !cosmi_paged_reserve(kind->list, schema->memory, id)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, desc->call);
        return NULL;
    }
    type->id = id;
    type->name = name;
    type->type_name = type_name;
    type->type_is_known = desc->type != NULL;
    type->type_key = cosmi_type_key(type_name);
    type->size = (uint32_t)desc->size;
    type->alignment = (uint32_t)desc->alignment;
    type->default_value = default_value;
    type->layout = desc->layout;
    type->hash = cosmi_fields_hash(name, desc->size, desc->alignment, &fields);
    type->fields = fields;
    type->doc = doc;
    type->storage = desc->storage;
    type->lifecycle = desc->lifecycle;
    type->change_rows = desc->change_rows;
    type->cell_size = type->size;
    type->cell_alignment = type->alignment;
    if (desc->storage == COSM_STORAGE_MANAGED) {
        type->cell_size = sizeof(cosm_ticket);
        type->cell_alignment = _Alignof(cosm_ticket);
    } else if (desc->storage != COSM_STORAGE_COLUMN) {
        type->cell_size = 0;
        type->cell_alignment = 1;
    }
    type->sector_member = 0;
    atomic_init(&type->sector_group, NULL);
    type->managed_number = schema_managed_count(schema);
    type->is_object = desc->storage == COSM_STORAGE_MANAGED || desc->lifecycle.copy != NULL ||
                      desc->lifecycle.destroy != NULL;
    atomic_init(&type->key, NULL);
    return type;
}

// Look-ups compare the keys of type names only, so no two names may have one key.
static bool check_key(const struct schema *schema, const struct value_kind *kind, const char *call,
                      const struct value_type *type) {
    uint32_t found = type_map_find(kind->types, type->type_key);
    if (LIKELY(found == 0)) {
        return true;
    }
    const struct value_type *other = NULL;
    for (uint32_t id = found == TYPE_MANY ? 1 : found; id < paged_count(kind->list); id++) {
        other = paged_known(kind->list, id);
        if (other->type_key == type->type_key) {
            break;
        }
    }
    if (strcmp(other->type_name, type->type_name) == 0) {
        return true;
    }
    (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                     "%s: type '%s' has the same 64-bit key as type '%s', which '%s' holds; rename "
                     "one of them",
                     call, type->type_name, other->type_name, other->name);
    return false;
}

// `prepare`, unless NULL, is called before the type is published; false leaves it undefined.
static uint32_t define_value(struct schema *schema, const struct value_kind *kind,
                             const struct value_desc *desc, singleton_hook *prepare,
                             void *context) {
    uint64_t hash = cosmi_hash_text(desc->name);
    uint32_t known = cosmi_map_find(kind->names, hash, kind->equals, schema, desc->name);
    if (known != MAP_NONE) {
        bool is_bundle = (known & BUNDLE_BIT) != 0;
        if (!is_bundle && same_value_type(paged_known(kind->list, known), desc)) {
            return known;
        }
        (void)conflict(schema->sink, desc->call, desc->name);
        return 0;
    }
    uint32_t id = paged_count(kind->list);
    id = id == 0 ? 1 : id;
    if (id > kind->max) {
        (void)too_many(schema->sink, desc->call, desc->name, kind->max);
        return 0;
    }
    struct value_type *type = keep_value_type(schema, kind, desc, id);
    if (type == NULL || !check_key(schema, kind, desc->call, type) ||
        (prepare != NULL && !prepare(context, type))) {
        return 0;
    }
    if (type->storage == COSM_STORAGE_MANAGED) {
        atomic_fetch_add_explicit(&schema->managed_count, 1, memory_order_relaxed);
    }
    if (type->is_object) {
        atomic_fetch_add_explicit(&schema->object_count, 1, memory_order_relaxed);
    }
    cosmi_paged_set(kind->list, id, type);
    cosmi_map_insert(kind->names, hash, id);
    cosmi_type_map_add(kind->types, type->type_key, id);
    return id;
}

// Checks a desc and makes its default: that of the whole with those of the fields laid over it,
// kept in *out_taken until the value is defined. False, with a message, on failure.
static bool prepare_value(struct schema *schema, struct value_desc *desc, void **out_taken) {
    *out_taken = NULL;
    if (check_value_desc(schema->sink, desc) != COSM_OK) {
        return false;
    }
    bool is_split = desc->layout == COSM_LAYOUT_SPLIT && desc->default_value != NULL;
    if (is_split || cosmi_fields_have_default(desc->fields, desc->field_count)) {
        void *value = cosmi_memory_alloc_zeroed(schema->memory, desc->size, 16);
        if (value == NULL) {
            (void)cosmi_fail_memory(schema->sink, schema->memory, desc->call);
            return false;
        }
        cosmi_fields_lay_defaults(desc->fields, desc->field_count, desc->default_value,
                                  desc->layout == COSM_LAYOUT_STRUCT ? desc->size : 0, value);
        desc->default_value = value;
        *out_taken = value;
    }
    desc->default_value = default_or_null(desc->default_value, desc->size);
    return true;
}

uint32_t cosmi_schema_define_component(struct schema *schema, const cosm_component_desc *desc) {
    struct value_desc value = {.call = "cosm_component_define",
                               .name = desc->name,
                               .size = desc->size,
                               .alignment = desc->alignment,
                               .default_value = desc->default_value,
                               .layout = desc->layout,
                               .fields = desc->fields,
                               .field_count = desc->field_count,
                               .doc = desc->doc,
                               .storage = desc->storage,
                               .lifecycle = desc->lifecycle,
                               .change_rows = desc->change_rows,
                               .type = desc->type};
    void *taken;
    if (!prepare_value(schema, &value, &taken)) {
        return 0;
    }
    struct value_kind kind = {&schema->components, &schema->component_names,
                              cosmi_component_name_equals, &schema->component_types,
                              COSM_COMPONENT_MAX};
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = define_value(schema, &kind, &value, NULL, NULL);
    cosmi_mutex_unlock(&schema->lock);
    cosmi_memory_free(schema->memory, taken, desc->size, 16);
    return id;
}

uint32_t cosmi_schema_define_singleton(struct schema *schema, const cosm_singleton_desc *desc,
                                       singleton_hook *prepare, void *context) {
    struct value_desc value = {.call = "cosm_singleton_define",
                               .name = desc->name,
                               .size = desc->size,
                               .alignment = desc->alignment,
                               .default_value = desc->default_value,
                               .fields = desc->fields,
                               .field_count = desc->field_count,
                               .doc = desc->doc,
                               .type = desc->type};
    void *taken;
    if (!prepare_value(schema, &value, &taken)) {
        return 0;
    }
    if (desc->size == 0) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s': desc.size is 0; a singleton holds at least one byte",
                         value.call, desc->name);
        return 0;
    }
    struct value_kind kind = {&schema->singletons, &schema->singleton_names,
                              cosmi_singleton_name_equals, &schema->singleton_types,
                              COSM_SINGLETON_MAX};
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = define_value(schema, &kind, &value, prepare, context);
    cosmi_mutex_unlock(&schema->lock);
    cosmi_memory_free(schema->memory, taken, desc->size, 16);
    return id;
}

bool cosmi_value_default(const struct value_type *type, void *out_value) {
    if (type == NULL || type->size == 0 || out_value == NULL) {
        return false;
    }
    if (type->default_value == NULL) {
        memset(out_value, 0, type->size);
    } else {
        memcpy(out_value, type->default_value, type->size);
    }
    return true;
}

void cosmi_value_keep_key(const struct value_type *type, const void *key, uint32_t *hint) {
    if (type == NULL) {
        return;
    }
    // A cache: what the type says is as it was.
    atomic_store_explicit(&((struct value_type *)type)->key, key, memory_order_release);
    hint_store(hint, type->id);
}

bool cosmi_value_is_wanted(const struct schema *schema, const struct value_type *found,
                           const struct value_wanted *wanted) {
    if (found != NULL && found->size == wanted->size &&
        cosmi_fields_equal(&found->fields, wanted->fields, wanted->field_count)) {
        hint_store(wanted->hint, found->id);
        return true;
    }
    const char *name = wanted->name == NULL ? "NULL" : wanted->name;
    if (found == NULL) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' is not registered in this engine; call %s, or the register_all "
                         "that cosm-gen wrote",
                         wanted->call, name, wanted->remedy);
    } else {
        (void)cosmi_fail(
            schema->sink, COSM_ERROR_CONFLICT,
            "%s: '%s' in this engine has %u bytes and %u fields and differs from this type; "
            "rename one of them",
            wanted->call, name, found->size, found->fields.count);
    }
    return false;
}

const uint32_t *cosmi_schema_members(const struct schema *schema, const char *call,
                                     const cosm_component *component, uint32_t *out_count) {
    const struct bundle *bundle = schema_bundle(schema, component->id);
    if (bundle != NULL) {
        *out_count = bundle->member_count;
        return bundle->members;
    }
    if (schema_component(schema, component->id) == NULL) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: component %u is not defined in this engine; define it with "
                         "cosm_component_define or cosm_bundle_define",
                         call, component->id);
        return NULL;
    }
    *out_count = 1;
    return &component->id;
}

cosm_result cosmi_schema_collect(const struct schema *schema, const char *call,
                                 const cosm_component *list, uint32_t count,
                                 struct signature *signature) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t member_count;
        const uint32_t *members = cosmi_schema_members(schema, call, &list[i], &member_count);
        if (members == NULL) {
            return COSM_ERROR_ARGUMENT;
        }
        for (uint32_t m = 0; m < member_count; m++) {
            cosmi_signature_add(signature, members[m]);
        }
    }
    if (signature->count > COSM_ARCHETYPE_COMPONENT_MAX) {
        return cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                          "%s: the set has more than %u components; use fewer, or group data into "
                          "larger ones",
                          call, COSM_ARCHETYPE_COMPONENT_MAX);
    }
    return COSM_OK;
}

cosm_result cosmi_schema_collect_desc(const struct schema *schema, const char *call,
                                      const char *field, const cosm_component *list,
                                      const cosm_component *more, uint32_t more_count,
                                      struct signature *signature) {
    uint32_t length = 0;
    while (length < COSM_LIST_MAX && list[length].id != 0) {
        length++;
    }
    for (uint32_t i = length; i < COSM_LIST_MAX; i++) {
        if (list[i].id != 0) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.%s[%u] follows an empty entry at [%u]; a zero ends the "
                              "list: check the definition that returned it",
                              call, field, i, length);
        }
    }
    cosm_result result = cosmi_schema_collect(schema, call, list, length, signature);
    return result != COSM_OK ? result
                             : cosmi_schema_collect(schema, call, more, more_count, signature);
}

static bool same_members(const struct bundle *bundle, const struct signature *signature) {
    return cosmi_signature_compare(bundle->members, bundle->member_count, signature->ids,
                                   signature->count) == 0;
}

static uint32_t define_bundle_locked(struct schema *schema, const char *desc_name,
                                     const struct signature *signature) {
    static const char call[] = "cosm_bundle_define";
    uint64_t hash = cosmi_hash_text(desc_name);
    uint32_t known = cosmi_map_find(&schema->component_names, hash, cosmi_component_name_equals,
                                    schema, desc_name);
    if (known != MAP_NONE) {
        const struct bundle *old = schema_bundle(schema, known);
        if (old != NULL && same_members(old, signature)) {
            return known;
        }
        (void)conflict(schema->sink, call, desc_name);
        return 0;
    }
    uint32_t index = paged_count(&schema->bundles);
    index = index == 0 ? 1 : index;
    if (index > COSM_BUNDLE_MAX) {
        (void)too_many(schema->sink, call, desc_name, COSM_BUNDLE_MAX);
        return 0;
    }
    struct bundle *bundle =
        cosmi_arena_alloc(&schema->arena, sizeof(*bundle), _Alignof(struct bundle));
    const char *name = cosmi_arena_copy_text(&schema->arena, desc_name);
    const uint32_t *members =
        cosmi_arena_copy(&schema->arena, signature->ids, signature->count * sizeof(*signature->ids),
                         sizeof(uint32_t));
    if (bundle == NULL || name == NULL || members == NULL ||
        !cosmi_map_reserve(&schema->component_names) ||
        !cosmi_paged_reserve(&schema->bundles, schema->memory, index)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return 0;
    }
    *bundle = (struct bundle){index | BUNDLE_BIT, name, signature->count, members};
    cosmi_paged_set(&schema->bundles, index, bundle);
    cosmi_map_insert(&schema->component_names, hash, bundle->id);
    return bundle->id;
}

uint32_t cosmi_schema_define_bundle(struct schema *schema, const cosm_bundle_desc *desc) {
    static const char call[] = "cosm_bundle_define";
    struct signature signature = {.count = 0};
    if (cosmi_name_check(schema->sink, call, desc->name) != COSM_OK) {
        return 0;
    }
    struct where where = cosmi_where(call, desc->name, NULL);
    if (cosmi_schema_collect_desc(schema, where.text, "components", desc->components, desc->more,
                                  desc->more_count, &signature) != COSM_OK) {
        return 0;
    }
    if (signature.count == 0) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' has no components; list at least one", call, desc->name);
        return 0;
    }
    cosmi_mutex_lock(&schema->lock);
    uint32_t id = define_bundle_locked(schema, desc->name, &signature);
    cosmi_mutex_unlock(&schema->lock);
    return id;
}
