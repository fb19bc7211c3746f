// Archetypes: checks, definition, forming, and their column layout.
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/hash.h"
#include "schema/names.h"
#include "schema/schema.h"

// Columns are aligned to a cache line: 16 bytes cost 1.25 times in L1 and L2.
#define COLUMN_ALIGNMENT ((size_t)64)

// A chunk is about this many bytes of all its columns, and at most this many rows.
#define CHUNK_BYTES ((size_t)16 << 10)
#define CHUNK_ROWS_MAX ((size_t)4096)

// The header of a block, then a pointer per column (store/table.h).
size_t cosmi_archetype_block_header(const struct archetype *archetype) {
    return TABLE_HEADER_SIZE + archetype->column_count * sizeof(void *);
}

// Blocks are aligned to 64 bytes: what a wider alignment may need on top of that is added.
size_t cosmi_archetype_block_size(const struct archetype *archetype, size_t rows) {
    size_t size = cosmi_archetype_block_header(archetype);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        size_t alignment =
            column->alignment < COLUMN_ALIGNMENT ? COLUMN_ALIGNMENT : column->alignment;
        size = align_up(size, alignment) + rows * column->size;
    }
    return size + archetype->alignment_max - COLUMN_ALIGNMENT;
}

// The most rows that fit a block of `size` bytes.
static uint32_t rows_that_fit(const struct archetype *archetype, size_t size) {
    if (archetype->row_size == 0) {
        return cosmi_archetype_block_header(archetype) <= size ? COSM_TABLE_ROW_MAX : 0;
    }
    size_t low = 0;
    size_t high = size / archetype->row_size;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (cosmi_archetype_block_size(archetype, middle) <= size) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return (uint32_t)low;
}

// The layout that a component has in an archetype: the desc's, where it gives one, else its own.
static cosm_layout layout_in(const cosm_archetype_desc *desc, const struct value_type *type) {
    for (uint32_t i = 0; i < COSM_LIST_MAX && desc->layouts[i].component.id != 0; i++) {
        if (desc->layouts[i].component.id == type->id) {
            return desc->layouts[i].layout;
        }
    }
    for (uint32_t i = 0; i < desc->more_layout_count; i++) {
        if (desc->more_layouts[i].component.id == type->id) {
            return desc->more_layouts[i].layout;
        }
    }
    return type->layout;
}

// Columns that a set takes, the entity column included.
static uint32_t count_columns(const struct schema *schema, const cosm_archetype_desc *desc,
                              const struct signature *signature) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct value_type *type = schema_component(schema, signature->ids[i]);
        bool is_split = layout_in(desc, type) == COSM_LAYOUT_SPLIT;
        count += is_split ? type->fields.count : type->cell_size > 0 ? 1u : 0u;
        count += type->change_rows;
    }
    return count;
}

// Writes the columns of one component behind those that are there.
static void lay_out_component(struct archetype *archetype, struct column_info *columns,
                              const struct value_type *type, bool is_split) {
    uint32_t part_count = is_split ? type->fields.count : 1;
    INVARIANT(part_count > 0 && type->cell_size > 0,
              "what has columns has bytes, and fields if split");
    for (uint32_t p = 0; p < part_count; p++) {
        struct column_info *column = &columns[archetype->column_count++];
        *column = (struct column_info){.component = type->id,
                                       .size = type->cell_size,
                                       .alignment = type->cell_alignment,
                                       .value_size = type->cell_size,
                                       .default_value = type->default_value};
        if (type->storage == COSM_STORAGE_MANAGED) {
            column->default_value = NULL; // no object
            column->managed = type;
            archetype->sides |= SIDE_MANAGED;
        }
        if (is_split) {
            column->size = type->fields.columns[p].stride;
            column->alignment = type->fields.items[p].alignment;
            column->offset = type->fields.items[p].offset;
            column->part = (uint16_t)p;
            column->part_count = (uint16_t)part_count;
            if (type->default_value != NULL) {
                column->default_value = (const char *)type->default_value + column->offset;
            }
        }
        archetype->row_size += column->size;
        archetype->is_small = archetype->is_small && is_small_size(column->size);
        if (column->alignment > archetype->alignment_max) {
            archetype->alignment_max = column->alignment;
        }
    }
}

// Lists the shared components. False when out of memory.
static bool list_shared(struct schema *schema, struct archetype *archetype) {
    uint32_t *shared = NULL;
    archetype->shared_count = 0;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t id = archetype->components[i];
        if (schema_component(schema, id)->storage != COSM_STORAGE_SHARED) {
            continue;
        }
        if (shared == NULL) {
            size_t size = (archetype->component_count - i) * sizeof(*shared);
            shared = cosmi_arena_alloc(&schema->arena, size, sizeof(*shared));
        }
        if (shared == NULL) {
            return false;
        }
        shared[archetype->shared_count++] = id;
    }
    archetype->shared = shared;
    return true;
}

// Writes the column that says of each row when its value of the component last changed.
static void lay_out_ticks(struct archetype *archetype, struct column_info *columns,
                          const struct value_type *type, uint32_t part_count) {
    columns[archetype->column_count++] = (struct column_info){.component = type->id,
                                                              .size = sizeof(uint64_t),
                                                              .alignment = _Alignof(uint64_t),
                                                              .value_size = sizeof(uint64_t),
                                                              .part = (uint16_t)part_count,
                                                              .is_ticks = true};
    archetype->row_size += sizeof(uint64_t);
}

// The components with bytes, and the entity column before them.
static bool lay_out_columns(struct schema *schema, struct archetype *archetype,
                            const cosm_archetype_desc *desc, uint32_t column_count) {
    struct column_info *columns =
        cosmi_arena_alloc(&schema->arena, column_count * sizeof(*columns), sizeof(void *));
    uint32_t *sizes =
        cosmi_arena_alloc(&schema->arena, column_count * sizeof(*sizes), sizeof(*sizes));
    struct column_slot slots[COSM_ARCHETYPE_COMPONENT_MAX];
    if (columns == NULL || sizes == NULL) {
        return false;
    }
    uint32_t entity_size = archetype->temporary ? 0 : (uint32_t)sizeof(cosm_entity);
    columns[ENTITY_COLUMN] =
        (struct column_info){.size = entity_size, .alignment = 8, .value_size = entity_size};
    archetype->column_count = 1;
    archetype->row_size = entity_size;
    archetype->alignment_max = COLUMN_ALIGNMENT;
    archetype->is_small = true;
    archetype->has_split = false;
    archetype->sides = 0;
    archetype->watch = NULL;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        const struct value_type *type = schema_component(schema, archetype->components[i]);
        bool is_split = layout_in(desc, type) == COSM_LAYOUT_SPLIT;
        bool is_apart = is_split || type->storage == COSM_STORAGE_MANAGED;
        slots[i] = (struct column_slot){(uint16_t)type->id, 0, is_apart ? 0 : type->cell_size};
        if (type->cell_size == 0) {
            continue;
        }
        slots[i].column = (uint16_t)archetype->column_count;
        archetype->has_split = archetype->has_split || is_apart || type->change_rows;
        lay_out_component(archetype, columns, type, is_split);
        if (type->change_rows) {
            lay_out_ticks(archetype, columns, type, is_split ? type->fields.count : 1);
        }
    }
    INVARIANT(archetype->column_count == column_count, "columns were counted as they are laid out");
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        sizes[c] = columns[c].size;
    }
    archetype->columns = columns;
    archetype->sizes = sizes;
    return cosmi_column_map_make(&archetype->map, &schema->arena, slots,
                                 archetype->component_count);
}

// Bytes of a row of whole values. How many rows are a chunk follows from this, whatever the layout
// and whether or not changes are kept row by row: hashes are made of chunks, and do not depend on
// such choices.
static size_t whole_row_size(const struct schema *schema, const struct archetype *archetype) {
    size_t size = sizeof(cosm_entity);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        size += schema_component(schema, archetype->components[i])->cell_size;
    }
    return size;
}

static void size_blocks(const struct schema *schema, struct archetype *archetype) {
    size_t rows = CHUNK_BYTES / whole_row_size(schema, archetype);
    rows = rows == 0 ? 1 : rows > CHUNK_ROWS_MAX ? CHUNK_ROWS_MAX : rows;
    archetype->chunk_rows = (uint32_t)power_of_two_floor(rows);
    for (uint32_t i = 0; i < POOL_CLASS_COUNT; i++) {
        archetype->block_rows[i] = rows_that_fit(archetype, POOL_BLOCK_MIN << i);
    }
}

// What is looked up in the map of sets: a temporary archetype is apart from a lasting one.
struct set_key {
    const struct signature *signature;
    bool temporary;
};

static uint64_t set_hash(const struct set_key *key) {
    return cosmi_hash_bytes(key->temporary ? 1 : 0, key->signature->ids,
                            key->signature->count * sizeof(*key->signature->ids));
}

static bool set_equals(const void *context, uint32_t index, const void *key_pointer) {
    const struct archetype *archetype = schema_archetype(context, index);
    const struct set_key *key = key_pointer;
    return archetype->temporary == key->temporary &&
           cosmi_signature_compare(archetype->components, archetype->component_count,
                                   key->signature->ids, key->signature->count) == 0;
}

static struct archetype *find_set_locked(struct schema *schema, const struct set_key *key) {
    uint32_t id = cosmi_map_find(&schema->archetype_sets, set_hash(key), set_equals, schema, key);
    return id == MAP_NONE ? NULL : schema_archetype(schema, id);
}

struct archetype *cosmi_schema_find_set(struct schema *schema, const struct signature *signature) {
    cosmi_mutex_lock(&schema->lock);
    struct archetype *archetype = find_set_locked(schema, &(struct set_key){signature, false});
    cosmi_mutex_unlock(&schema->lock);
    return archetype;
}

static bool fill_archetype(struct schema *schema, const char *call, struct archetype *archetype,
                           uint32_t id, const cosm_archetype_desc *desc,
                           const struct signature *signature, uint32_t column_count) {
    archetype->id = id;
    archetype->name = cosmi_arena_copy_text(&schema->arena, desc->name == NULL ? "" : desc->name);
    archetype->maker = cosmi_arena_copy_text(&schema->arena, call);
    archetype->placement = desc->placement;
    archetype->max_per_world = desc->max_per_world;
    archetype->sealed = desc->sealed;
    archetype->temporary = desc->temporary;
    archetype->component_count = signature->count;
    archetype->components =
        cosmi_arena_copy(&schema->arena, signature->ids, signature->count * sizeof(*signature->ids),
                         sizeof(uint32_t));
    atomic_init(&archetype->self, NULL);
    for (uint32_t i = 0; i < EDGE_PAGE_COUNT; i++) {
        atomic_init(&archetype->edges[i], NULL);
    }
    if (archetype->name == NULL || archetype->maker == NULL || archetype->components == NULL ||
        !list_shared(schema, archetype) ||
        !lay_out_columns(schema, archetype, desc, column_count)) {
        return false;
    }
    size_blocks(schema, archetype);
    return true;
}

static struct archetype *add_archetype_locked(struct schema *schema, const char *call,
                                              const cosm_archetype_desc *desc,
                                              const struct set_key *key) {
    uint32_t id = paged_count(&schema->archetypes);
    id = id == 0 ? 1 : id;
    if (id > COSM_ARCHETYPE_MAX) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                         "%s: this would be archetype number %u; an engine holds at most %u: use "
                         "fewer combinations of components",
                         call, id, COSM_ARCHETYPE_MAX);
        return NULL;
    }
    uint32_t column_count = count_columns(schema, desc, key->signature);
    if (column_count > COSM_ARCHETYPE_COLUMN_MAX) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                         "%s: the set would have %u columns, with one for each field of a split "
                         "component; an archetype holds at most %u: split fewer",
                         call, column_count, COSM_ARCHETYPE_COLUMN_MAX);
        return NULL;
    }
    bool named = desc->name != NULL && desc->name[0] != '\0';
    struct archetype *archetype =
        cosmi_arena_alloc(&schema->arena, sizeof(*archetype), _Alignof(struct archetype));
    if (archetype == NULL ||
        !fill_archetype(schema, call, archetype, id, desc, key->signature, column_count) ||
        !cosmi_map_reserve(&schema->archetype_sets) ||
        (named && !cosmi_map_reserve(&schema->archetype_names)) ||
        !cosmi_paged_reserve(&schema->archetypes, schema->memory, id) ||
        (schema->on_archetype != NULL &&
         !schema->on_archetype(schema->on_archetype_context, archetype))) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    cosmi_paged_set(&schema->archetypes, id, archetype);
    cosmi_map_insert(&schema->archetype_sets, set_hash(key), id);
    if (named) {
        cosmi_map_insert(&schema->archetype_names, cosmi_hash_text(archetype->name), id);
    }
    return archetype;
}

struct archetype *cosmi_schema_form_kind(struct schema *schema, const char *call,
                                         const struct signature *signature, bool temporary) {
    if (signature->count > COSM_ARCHETYPE_COMPONENT_MAX) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                         "%s: the entity would have more than %u components; remove some first",
                         call, COSM_ARCHETYPE_COMPONENT_MAX);
        return NULL;
    }
    struct set_key key = {signature, temporary};
    cosm_archetype_desc desc = {.name = NULL, .temporary = temporary};
    cosmi_mutex_lock(&schema->lock);
    struct archetype *archetype = find_set_locked(schema, &key);
    if (archetype == NULL) {
        archetype = add_archetype_locked(schema, call, &desc, &key);
    }
    cosmi_mutex_unlock(&schema->lock);
    return archetype;
}

struct archetype *cosmi_schema_form(struct schema *schema, const char *call,
                                    const struct signature *signature) {
    return cosmi_schema_form_kind(schema, call, signature, false);
}

static cosm_result check_archetype_desc(const struct sink *sink, const char *call,
                                        const cosm_archetype_desc *desc) {
    if (desc->name != NULL && desc->name[0] != '\0') {
        cosm_result result = cosmi_name_check(sink, call, desc->name);
        if (result != COSM_OK) {
            return result;
        }
    }
    struct where where = cosmi_where(call, desc->name, NULL);
    if (desc->placement != COSM_PLACEMENT_GROWING && desc->placement != COSM_PLACEMENT_FIXED) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.placement %d is unknown; use COSM_PLACEMENT_GROWING or "
                          "COSM_PLACEMENT_FIXED",
                          where.text, (int)desc->placement);
    }
    bool fixed = desc->placement == COSM_PLACEMENT_FIXED;
    if (fixed && (desc->max_per_world == 0 || desc->max_per_world > COSM_TABLE_ROW_MAX)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.max_per_world is %u with COSM_PLACEMENT_FIXED; use 1 to %u",
                          where.text, desc->max_per_world, COSM_TABLE_ROW_MAX);
    }
    if (!fixed && desc->max_per_world != 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.max_per_world is %u with COSM_PLACEMENT_GROWING; set it to 0, "
                          "or use COSM_PLACEMENT_FIXED",
                          where.text, desc->max_per_world);
    }
    return COSM_OK;
}

static bool same_layouts(const struct schema *schema, const struct archetype *archetype,
                         const cosm_archetype_desc *desc) {
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        const struct value_type *type = schema_component(schema, archetype->components[i]);
        bool is_split = slot_is_split(archetype, archetype_find(archetype, type->id));
        if (is_split != (layout_in(desc, type) == COSM_LAYOUT_SPLIT)) {
            return false;
        }
    }
    return true;
}

static bool same_archetype(const struct schema *schema, const struct archetype *archetype,
                           const cosm_archetype_desc *desc) {
    const char *name = desc->name == NULL ? "" : desc->name;
    return archetype->placement == desc->placement &&
           archetype->max_per_world == desc->max_per_world && archetype->sealed == desc->sealed &&
           strcmp(archetype->name, name) == 0 && same_layouts(schema, archetype, desc);
}

// What the entries of desc.layouts and desc.more_layouts are held against.
struct layout_check {
    const struct schema *schema;
    const char *call;
    const struct signature *signature;
    bool seen[COSM_ARCHETYPE_COMPONENT_MAX]; // members of the set that an entry has named
};

// An entry: a component of the set that can have that layout, and that has not been seen.
static cosm_result check_layout_entry(struct layout_check *check, const char *list, uint32_t index,
                                      cosm_column_layout entry) {
    const struct signature *signature = check->signature;
    uint32_t place = cosmi_signature_place(signature->ids, signature->count, entry.component.id);
    bool is_member = place < signature->count && signature->ids[place] == entry.component.id;
    if (!is_member || check->seen[place] ||
        (entry.layout != COSM_LAYOUT_STRUCT && entry.layout != COSM_LAYOUT_SPLIT)) {
        return cosmi_fail(check->schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.%s[%u] has component %u with layout %d; list components of "
                          "the set, each once, with COSM_LAYOUT_STRUCT or _SPLIT",
                          check->call, list, index, entry.component.id, (int)entry.layout);
    }
    check->seen[place] = true;
    const struct value_type *type = schema_component(check->schema, entry.component.id);
    if (entry.layout == COSM_LAYOUT_SPLIT && type->storage != COSM_STORAGE_COLUMN) {
        return cosmi_fail(check->schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.%s[%u]: component '%s' has no column to split; leave it out "
                          "of the layouts, or define it with COSM_STORAGE_COLUMN",
                          check->call, list, index, type->name);
    }
    if (entry.layout == COSM_LAYOUT_SPLIT && type->fields.count == 0) {
        return cosmi_fail(
            check->schema->sink, COSM_ERROR_ARGUMENT,
            "%s: desc.%s[%u]: component '%s' has no fields to split; describe them when you "
            "define it",
            check->call, list, index, type->name);
    }
    return COSM_OK;
}

static cosm_result check_layouts(const struct schema *schema, const char *call,
                                 const cosm_archetype_desc *desc,
                                 const struct signature *signature) {
    struct layout_check check = {.schema = schema, .call = call, .signature = signature};
    cosm_result result = COSM_OK;
    uint32_t count = 0;
    while (count < COSM_LIST_MAX && desc->layouts[count].component.id != 0 && result == COSM_OK) {
        result = check_layout_entry(&check, "layouts", count, desc->layouts[count]);
        count++;
    }
    for (uint32_t i = count; i < COSM_LIST_MAX && result == COSM_OK; i++) {
        if (desc->layouts[i].component.id != 0) {
            result = cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                                "%s: desc.layouts[%u] follows an empty entry at [%u]; a zero ends "
                                "the list: check the definition that returned it",
                                call, i, count);
        }
    }
    for (uint32_t i = 0; i < desc->more_layout_count && result == COSM_OK; i++) {
        result = check_layout_entry(&check, "more_layouts", i, desc->more_layouts[i]);
    }
    return result;
}

static uint32_t define_archetype_locked(struct schema *schema, const char *call,
                                        const cosm_archetype_desc *desc,
                                        const struct set_key *key) {
    const char *name = desc->name == NULL ? "" : desc->name;
    struct archetype *known = find_set_locked(schema, key);
    if (known != NULL && same_archetype(schema, known, desc)) {
        return known->id;
    }
    if (known != NULL) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                         "%s: '%s': %s already made archetype %u '%s' of the same components, "
                         "with other properties; %s, or distinguish the two by a tag",
                         call, name, known->maker, known->id, known->name,
                         strcmp(known->maker, call) == 0 ? "define both the same way"
                                                         : "define yours first");
        return 0;
    }
    if (name[0] != '\0' && cosmi_map_find(&schema->archetype_names, cosmi_hash_text(name),
                                          cosmi_archetype_name_equals, schema, name) != MAP_NONE) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                         "%s: '%s' is already the name of another archetype; choose another name",
                         call, name);
        return 0;
    }
    struct archetype *archetype = add_archetype_locked(schema, call, desc, key);
    return archetype == NULL ? 0 : archetype->id;
}

// What the storages of components want of their archetypes.
static cosm_result check_storages(const struct schema *schema, const char *call,
                                  const cosm_archetype_desc *desc,
                                  const struct signature *signature) {
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct value_type *type = schema_component(schema, signature->ids[i]);
        bool is_growing = desc->placement == COSM_PLACEMENT_GROWING && !desc->temporary;
        if (type->storage == COSM_STORAGE_SHARED && !is_growing) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: component '%s' is shared: each value has its own growing "
                              "tables; leave out desc.placement and desc.temporary, or the "
                              "component",
                              call, type->name);
        }
        if (type->storage == COSM_STORAGE_SECTOR) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: component '%s' has COSM_STORAGE_SECTOR: it is not stored in "
                              "the tables and cannot be part of an archetype; leave it out, and "
                              "add it to entities",
                              call, type->name);
        }
    }
    return COSM_OK;
}

uint32_t cosmi_schema_define_archetype(struct schema *schema, const cosm_archetype_desc *desc) {
    static const char call[] = "cosm_archetype_define";
    struct signature signature = {.count = 0};
    if (check_archetype_desc(schema->sink, call, desc) != COSM_OK) {
        return 0;
    }
    struct where where = cosmi_where(call, desc->name, NULL);
    if (cosmi_schema_collect_desc(schema, where.text, "components", desc->components, desc->more,
                                  desc->more_count, &signature) != COSM_OK ||
        check_layouts(schema, where.text, desc, &signature) != COSM_OK ||
        check_storages(schema, where.text, desc, &signature) != COSM_OK) {
        return 0;
    }
    cosmi_mutex_lock(&schema->lock);
    uint32_t id =
        define_archetype_locked(schema, call, desc, &(struct set_key){&signature, desc->temporary});
    cosmi_mutex_unlock(&schema->lock);
    return id;
}
