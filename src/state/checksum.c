// Checksums: tables, directory and singletons, in an order that no thread or address decides.
//
// Tables are summed, each hashed with its signature, so that their order does not matter and
// archetype ids, which depend on who formed an archetype first, stay out of it.
//
// Values are hashed as structs, a block of rows at a time, whatever the layout: those of described
// types with zeroes between their fields, so that padding never counts.
#include "state/checksum.h"

#include "base/hash.h"
#include "store/managed.h"
#include "store/rows.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

// Bytes of values that are put together before they are hashed.
#define BLOCK_BYTES ((size_t)4096)

// The values of one component in one table, or of one singleton.
struct cells {
    const struct value_type *type;
    const struct column_info *infos; // of its first column; NULL: of a singleton
    void *const *columns;            // its first column and those behind it
    size_t first;                    // row number of the first row
    uint32_t count;
};

// The bytes of field `f` in row `row`.
static const char *field_at(const struct cells *cells, uint32_t f, size_t row) {
    const struct value_type *type = cells->type;
    bool is_split = cells->infos != NULL && cells->infos->part_count > 0;
    return is_split
               ? (const char *)cells->columns[f] + row * cells->infos[f].size
               : (const char *)cells->columns[0] + row * type->size + type->fields.items[f].offset;
}

// Values larger than a block: field by field.
static uint64_t hash_large(uint64_t hash, const struct cells *cells) {
    const struct field_list *fields = &cells->type->fields;
    for (uint32_t r = 0; r < cells->count; r++) {
        for (uint32_t f = 0; f < fields->count; f++) {
            hash = cosmi_hash_bytes(hash, field_at(cells, f, cells->first + r),
                                    fields->columns[f].size);
        }
    }
    return hash;
}

// Rows that lie in memory as they are hashed.
static uint64_t hash_whole(uint64_t hash, const struct cells *cells, size_t block) {
    size_t size = cells->type->size;
    for (size_t r = 0; r < cells->count; r += block) {
        size_t rows = cells->count - r < block ? cells->count - r : block;
        hash = cosmi_hash_bytes(hash, (const char *)cells->columns[0] + (cells->first + r) * size,
                                rows * size);
    }
    return hash;
}

static uint64_t hash_cells(uint64_t hash, const struct cells *cells) {
    const struct field_list *fields = &cells->type->fields;
    size_t size = cells->type->size;
    size_t block = size > BLOCK_BYTES ? 1 : BLOCK_BYTES / size;
    bool is_split = cells->infos != NULL && cells->infos->part_count > 0;
    if (fields->count > 0 && size > BLOCK_BYTES) {
        return hash_large(hash, cells);
    }
    if (fields->count == 0 || (!is_split && fields->byte_count == size)) {
        return hash_whole(hash, cells, block);
    }
    char values[BLOCK_BYTES];
    for (size_t r = 0; r < cells->count; r += block) {
        size_t rows = cells->count - r < block ? cells->count - r : block;
        memset(values, 0, rows * size);
        for (uint32_t f = 0; f < fields->count; f++) {
            for (size_t i = 0; i < rows; i++) {
                memcpy(values + i * size + fields->items[f].offset,
                       field_at(cells, f, cells->first + r + i), fields->columns[f].size);
            }
        }
        hash = cosmi_hash_bytes(hash, values, rows * size);
    }
    return hash;
}

// What the rows of a table share: by the component's own hash where it has one.
static uint64_t hash_shared(uint64_t hash, const struct shared_value *value) {
    if (value->type->lifecycle.hash != NULL) {
        return hash_u64(hash, value->hash);
    }
    void *bytes = value->bytes;
    struct cells cells = {value->type, NULL, &bytes, 0, 1};
    return hash_cells(hash, &cells);
}

// What is known of an object that two machines agree on: what its lifecycle says, or its fields.
static uint64_t hash_object(uint64_t hash, const struct value_type *type, void *object) {
    if (type->lifecycle.hash != NULL) {
        return hash_u64(hash, type->lifecycle.hash(type->lifecycle.context, object));
    }
    struct cells cells = {type, NULL, &object, 0, 1};
    return type->fields.count > 0 ? hash_cells(hash, &cells) : hash;
}

// Which rows have objects, and what is in them; never where they are, nor their tickets.
static uint64_t hash_objects(uint64_t hash, const struct cosm_batch *batch,
                             const struct store *store, uint32_t world, uint32_t column) {
    const struct value_type *type = store->archetype->columns[column].managed;
    for (uint32_t row = 0; row < store->counts[world]; row++) {
        void *object = managed_row(batch, store, world, column, row);
        hash = hash_u64(hash, object != NULL);
        hash = object == NULL ? hash : hash_object(hash, type, object);
    }
    return hash;
}

// The signature, the number of rows, what they share, and every column.
static uint64_t checksum_table(const struct cosm_batch *batch, const struct store *store,
                               uint32_t world) {
    const struct schema *schema = batch->schema;
    const struct archetype *archetype = store->archetype;
    const struct table *table = store_table(store, world);
    uint32_t count = store->counts[world];
    uint64_t hash = cosmi_hash_bytes(archetype->temporary ? 1 : 0, archetype->components,
                                     archetype->component_count * sizeof(uint32_t));
    hash = hash_u64(hash, count);
    if (!archetype->temporary) {
        hash = cosmi_hash_bytes(
            hash, store_cell(store, table, world, ENTITY_COLUMN, 0, sizeof(cosm_entity)),
            count * sizeof(cosm_entity));
    }
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        hash = hash_shared(hash, store->group->values[i]);
    }
    for (uint32_t c = 1; c < archetype->column_count; c++) {
        const struct column_info *info = &archetype->columns[c];
        if (info->managed != NULL) {
            hash = hash_objects(hash, batch, store, world, c);
        } else if (info->part == 0) {
            struct cells cells = {schema_component(schema, info->component), info,
                                  table->columns + c, store_first(store, world), count};
            hash = hash_cells(hash, &cells);
        }
    }
    return hash;
}

// What one record holds of one member: its own hash, or its fields, or its bytes.
static uint64_t hash_member(uint64_t hash, const struct value_type *type, const void *object) {
    if (type->lifecycle.hash != NULL) {
        return hash_u64(hash, type->lifecycle.hash(type->lifecycle.context, object));
    }
    void *bytes = (void *)object;
    struct cells cells = {type, NULL, &bytes, 0, 1};
    return type->size == 0 ? hash : hash_cells(hash, &cells);
}

// One record: what it holds of each member, with what the member means. The sum does not depend on
// how components are grouped.
static uint64_t checksum_record(const struct cosm_batch *batch, const struct sector_group *group,
                                const cosm_sector *sector) {
    uint64_t sum = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        if ((sector->live >> m & 1) != 0) {
            const struct value_type *type = schema_component(batch->schema, group->components[m]);
            const void *object = cosm_sector_at(sector, group->layout->members[m].offset);
            sum += hash_member(hash_u64(type->hash, sector->entity.id), type, object);
        }
    }
    return sum;
}

// What entities have beside their tables, added up: where the records lie does not count.
static uint64_t checksum_beside(const struct cosm_batch *batch, uint32_t world) {
    uint64_t sum = 0;
    for (uint32_t id = 1; id < paged_count(&batch->schema->sector_groups); id++) {
        const struct sectors *sectors = sector_container(batch, world, id);
        uint32_t end = sectors == NULL || sectors->live_count == 0 ? 0 : sectors->place_end;
        for (uint32_t place = 0; place < end; place++) {
            const cosm_sector *sector = sectors_at(sectors, place);
            sum += sector->live == 0
                       ? 0
                       : checksum_record(batch, schema_sector_group(batch->schema, id), sector);
        }
    }
    return sum;
}

// Generations of all ids and the order of free ones. Promised ids count as such whether or not
// they have been taken off the free list yet. Where an entity stands is in its table.
static uint64_t checksum_directory(const struct world *world) {
    uint32_t promised = atomic_load_explicit(&world->promised_free, memory_order_relaxed);
    uint32_t fresh = atomic_load_explicit(&world->promised_fresh, memory_order_relaxed);
    uint64_t hash = hash_u64(world->fresh_deaths, (uint64_t)world->used + fresh);
    uint32_t seen = world->known > world->used + fresh ? world->known : world->used + fresh;
    for (uint32_t id = 0; id < seen; id++) {
        hash =
            hash_u64(hash, id < world->known ? world->records[id].gen : directory_fresh_gen(world));
    }
    uint32_t id = world->free_head;
    for (uint32_t i = 0; id != ID_NONE; i++, id = world->records[id].row) {
        hash = i < promised ? hash : hash_u64(hash, id);
    }
    return hash;
}

uint64_t cosmi_checksum_world(const struct cosm_batch *batch, uint32_t world) {
    uint64_t tables = 0;
    const struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        if (store->counts[world] > 0) {
            tables += checksum_table(batch, store, world);
        }
    }
    tables += checksum_beside(batch, world);
    uint64_t hash = hash_u64(checksum_directory(&batch->worlds[world]), tables);
    uint64_t links = cosmi_tree_checksum(batch_tree(batch, world));
    hash = links == 0 ? hash : hash_u64(hash, links);
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        void *values = paged_get(&batch->singletons, id);
        if (values != NULL) {
            struct cells cells = {schema_singleton(batch->schema, id), NULL, &values, world, 1};
            hash = hash_cells(hash, &cells);
        }
    }
    return hash;
}

uint64_t cosmi_checksum_batch(const struct cosm_batch *batch) {
    uint64_t hash = hash_u64(batch->seed, batch->step_count);
    for (uint32_t w = 0; w < batch->world_count; w++) {
        hash = hash_u64(hash, cosmi_checksum_world(batch, w));
    }
    return hash;
}
