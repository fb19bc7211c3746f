// The tables and ids of an image, made of what was read.
//
// A table that is stored here as it was in the file is cut into chunks whose blobs lie in the
// file; everything else is copied, through whole values where the layout or the type is another.
#include "base/check.h"
#include "base/hash.h"
#include "state/load.h"
#include "state/shared_order.h"

// How blobs must lie to be used where they are: as those that are made.
#define LENT_ALIGNMENT ((uintptr_t)16)

// How a component of an archetype gets its values from a table of the file.
struct load_way {
    const struct load_member *member;
    uint32_t column; // the first one of the archetype; 0: it has none
    uint32_t part_count;
    bool is_plain; // column by column, as they are
};

bool cosmi_load_room(struct load_job *job, struct load_scratch *scratch, size_t size) {
    if (size <= scratch->size) {
        return true;
    }
    unsigned char *bytes =
        cosmi_memory_alloc(job->order->memory, size, COSM_COMPONENT_ALIGNMENT_MAX);
    if (bytes == NULL) {
        (void)load_fail_memory(job);
        return false;
    }
    cosmi_memory_free(job->order->memory, scratch->bytes, scratch->size,
                      COSM_COMPONENT_ALIGNMENT_MAX);
    *scratch = (struct load_scratch){bytes, size};
    return true;
}

// Copies rows of a column, side by side.
static void copy_cells(const struct load_column *column, uint32_t row, uint32_t count,
                       unsigned char *out_cells) {
    size_t size = column->size;
    while (count > 0) {
        uint32_t left = column->stretch_rows - row % column->stretch_rows;
        uint32_t some = count < left ? count : left;
        memcpy(out_cells, load_cell(column, row), some * size);
        out_cells += some * size;
        row += some;
        count -= some;
    }
}

// Copies whole values of a member of a table, as the file has them, side by side.
static void copy_values(const struct load_job *job, const struct load_table *table,
                        const struct load_member *member, uint32_t row, uint32_t count,
                        unsigned char *out_values) {
    size_t size = job->files[member->type].size;
    if (member->part_count == 0) {
        if (size > 0) {
            copy_cells(&table->columns[member->column], row, count, out_values);
        }
        return;
    }
    memset(out_values, 0, count * size);
    for (uint32_t p = 0; p < member->part_count; p++) {
        const struct load_part *part = &member->parts[p];
        const struct load_column *column = &table->columns[member->column + p];
        for (uint32_t i = 0; i < count; i++) {
            memcpy(out_values + i * size + part->offset, load_cell(column, row + i), part->size);
        }
    }
}

// Are the columns of a member cut as those of the archetype?
static bool is_way_plain(const struct load_job *job, const struct archetype *archetype,
                         const struct load_way *way) {
    const struct load_member *member = way->member;
    if (member->storage == COSM_STORAGE_MANAGED) {
        return true;
    }
    if (conversion_is_needed(&job->types[member->type].conversion) ||
        member->part_count != way->part_count) {
        return false;
    }
    for (uint32_t p = 0; p < member->part_count; p++) {
        const struct column_info *info = &archetype->columns[way->column + p];
        if (info->offset != member->parts[p].offset || info->size != member->parts[p].size) {
            return false;
        }
    }
    return true;
}

// The ways of the components of an archetype that have columns; how many, or UINT32_MAX when out of
// memory.
static uint32_t find_ways(struct load_job *job, const struct archetype *archetype,
                          const struct load_table *table, struct load_way **out_ways) {
    const struct load_set *set = table->set;
    struct load_way *ways =
        cosmi_arena_alloc(&job->world_arena, (set->member_count + 1) * sizeof(*ways), 16);
    uint32_t count = 0;
    for (uint32_t m = 0; ways != NULL && m < set->member_count; m++) {
        const struct load_member *member = &set->members[m];
        const struct value_type *type = job->types[member->type].type;
        const struct column_slot *slot = type == NULL ? NULL : archetype_find(archetype, type->id);
        if (slot == NULL || slot->column == 0) {
            continue;
        }
        struct load_way *way = &ways[count++];
        bool is_split = slot_is_split(archetype, slot);
        *way = (struct load_way){member, slot->column,
                                 is_split ? slot_part_count(archetype, slot) : 0, false};
        way->is_plain = is_way_plain(job, archetype, way);
    }
    *out_ways = ways;
    return ways == NULL ? UINT32_MAX : count;
}

static unsigned char *filled_cell(struct part *table, uint32_t row, uint32_t column) {
    uint32_t rows = table->archetype->chunk_rows;
    unsigned char *cells = cosmi_table_fill(table, row / rows, column);
    return cells + (size_t)(row % rows) * table->archetype->sizes[column];
}

// Fills in rows of a component, all of one chunk, through whole values.
static cosm_result fill_values(struct load_job *job, struct part *table, uint32_t at,
                               const struct load_table *source, uint32_t row, uint32_t count,
                               const struct load_way *way) {
    struct load_type *type = &job->types[way->member->type];
    size_t old_size = job->files[way->member->type].size;
    size_t size = type->type->size;
    if (!cosmi_load_room(job, &job->old_values, count * old_size + 1) ||
        !cosmi_load_room(job, &job->new_values, count * size + 1)) {
        return COSM_ERROR_MEMORY;
    }
    const unsigned char *values = job->old_values.bytes;
    copy_values(job, source, way->member, row, count, job->old_values.bytes);
    if (conversion_is_needed(&type->conversion)) {
        cosm_result result =
            cosmi_convert_values(&type->conversion, count, values, job->new_values.bytes);
        if (result != COSM_OK) {
            return result;
        }
        values = job->new_values.bytes;
    }
    uint32_t parts = way->part_count == 0 ? 1 : way->part_count;
    for (uint32_t p = 0; p < parts; p++) {
        const struct column_info *info = &table->archetype->columns[way->column + p];
        unsigned char *cells = filled_cell(table, at, way->column + p);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(cells + (size_t)i * info->size, values + i * size + info->offset, info->size);
        }
    }
    return COSM_OK;
}

// Fills in some rows of a chunk; plain columns only where they were not lent.
static cosm_result fill_chunk(struct load_job *job, struct part *table, uint32_t at,
                              const struct load_table *source, uint32_t row, uint32_t count,
                              const struct load_way *ways, uint32_t way_count, bool are_lent) {
    if (!are_lent && !table->archetype->temporary) {
        copy_cells(&source->columns[ENTITY_COLUMN], row, count,
                   filled_cell(table, at, ENTITY_COLUMN));
    }
    for (uint32_t w = 0; w < way_count; w++) {
        const struct load_way *way = &ways[w];
        if (!way->is_plain) {
            cosm_result result = fill_values(job, table, at, source, row, count, way);
            if (result != COSM_OK) {
                return result;
            }
            continue;
        }
        uint32_t parts = way->part_count == 0 ? 1 : way->part_count;
        for (uint32_t p = 0; !are_lent && p < parts; p++) {
            copy_cells(&source->columns[way->member->column + p], row, count,
                       filled_cell(table, at, way->column + p));
        }
    }
    return COSM_OK;
}

static cosm_result fill_rows(struct load_job *job, struct part *table, uint32_t at,
                             const struct load_table *source, bool are_lent) {
    struct load_way *ways = NULL;
    uint32_t way_count = find_ways(job, table->archetype, source, &ways);
    if (ways == NULL) {
        return load_fail_memory(job);
    }
    cosm_result result = COSM_OK;
    uint32_t rows = table->archetype->chunk_rows;
    for (uint32_t row = 0; row < source->count && result == COSM_OK;) {
        uint32_t left = rows - (at + row) % rows;
        uint32_t count = source->count - row < left ? source->count - row : left;
        result = fill_chunk(job, table, at + row, source, row, count, ways, way_count, are_lent);
        row += count;
    }
    return result;
}

// A chunk of a column where it lies in the file, if that can be; else a copy.
static struct blob *lend_cells(struct load_job *job, const struct load_column *column, uint32_t row,
                               uint32_t count) {
    struct memory *memory = job->order->memory;
    const struct load_stretch *stretch = &column->stretches[row / column->stretch_rows];
    const unsigned char *cells = load_cell(column, row);
    INVARIANT(row % column->stretch_rows + count <= column->stretch_rows,
              "chunks do not lie across blocks, which are larger powers of two");
    size_t size = (size_t)count * column->size;
    if (stretch->home != NULL && (uintptr_t)cells % LENT_ALIGNMENT == 0) {
        return cosmi_blob_lend(memory, stretch->home, cells, size);
    }
    struct blob *blob = cosmi_blob_create(memory, size);
    if (blob != NULL) {
        copy_cells(column, row, count, blob_fill(blob));
    }
    return blob;
}

// The blobs of all columns that are as they were.
static bool lend_columns(struct load_job *job, struct part *table,
                         const struct load_table *source) {
    const struct archetype *archetype = table->archetype;
    struct load_way *ways = NULL;
    uint32_t way_count = find_ways(job, archetype, source, &ways);
    bool done = ways != NULL;
    for (uint32_t chunk = 0; done && chunk < table_chunks(table); chunk++) {
        uint32_t row = chunk * archetype->chunk_rows;
        uint32_t count = table_chunk_rows(table, chunk);
        struct blob **blobs = &table->blobs[(size_t)chunk * archetype->column_count];
        if (!archetype->temporary) {
            blobs[ENTITY_COLUMN] = lend_cells(job, &source->columns[ENTITY_COLUMN], row, count);
            done = blobs[ENTITY_COLUMN] != NULL;
        }
        for (uint32_t w = 0; done && w < way_count; w++) {
            uint32_t parts = ways[w].part_count == 0 ? 1 : ways[w].part_count;
            for (uint32_t p = 0; done && ways[w].is_plain && p < parts; p++) {
                const struct load_column *column = &source->columns[ways[w].member->column + p];
                blobs[ways[w].column + p] = lend_cells(job, column, row, count);
                done = blobs[ways[w].column + p] != NULL;
            }
        }
    }
    return done;
}

// Rows of the first table and of those behind it.
static cosm_result fill_table(struct load_job *job, const struct load_table *first,
                              struct part *table) {
    bool can_lend = first->next == NULL && !table_is_packed(table->archetype, table->table.count);
    if ((can_lend && !lend_columns(job, table, first)) ||
        !cosmi_part_fill(job->order->memory, table)) {
        return load_fail_memory(job);
    }
    cosm_result result = COSM_OK;
    uint32_t at = 0;
    for (const struct load_table *source = first; source != NULL && result == COSM_OK;) {
        result = fill_rows(job, table, at, source, can_lend);
        at += source->count;
        source = source->next;
    }
    return result;
}

static cosm_result make_target_table(struct load_job *job, const struct load_table *first,
                                     uint32_t number, struct load_world *world) {
    struct archetype *archetype = first->archetype;
    uint32_t most = archetype->placement == COSM_PLACEMENT_FIXED ? archetype->max_per_world
                                                                 : COSM_TABLE_ROW_MAX;
    if (first->total > most) {
        return cosmi_fail(job->order->sink, COSM_ERROR_FULL,
                          "%s: world %u of the file has %llu rows of archetype '%s', which holds "
                          "%u; define it with a larger max_per_world",
                          job->order->call, job->world, (unsigned long long)first->total,
                          archetype->name, most);
    }
    struct part head = {.kind = PART_TABLE,
                        .key = number,
                        .archetype = archetype,
                        .table = {.count = (uint32_t)first->total}};
    struct part *table = cosmi_load_part(job, &head, world);
    if (table == NULL) {
        return COSM_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        table->objects[i] = object_retain(first->objects[i]);
    }
    return fill_table(job, first, table);
}

static cosm_result make_tables(struct load_job *job, struct load_world *world) {
    cosm_result result = COSM_OK;
    uint32_t group = 0;
    for (uint32_t i = 0; i < world->target_count && result == COSM_OK; i++) {
        const struct load_table *target = world->targets[i];
        uint32_t number = target->archetype->id;
        if (target->archetype->shared_count > 0) {
            number = GROUP_FIRST + (job->is_merging ? group++ : target->group);
        }
        result = make_target_table(job, target, number, world);
    }
    return result;
}

static cosm_result make_parts(struct load_job *job, struct load_world *world) {
    cosm_result result = cosmi_load_check_ids(job, world);
    result = result == COSM_OK ? cosmi_load_merge(job, world) : result;
    result = result == COSM_OK ? make_tables(job, world) : result;
    result = result == COSM_OK ? cosmi_load_make_ids(job, world) : result;
    if (result == COSM_OK && job->is_merging) {
        result = cosmi_load_merge_groups(job, world);
    }
    for (uint32_t i = 0; i < world->part_count && result == COSM_OK; i++) {
        if (world->parts[i]->kind == PART_MANAGED) {
            cosmi_load_own_slots(world, world->parts[i]);
        }
    }
    return result;
}

// The image of all parts, which are its own from now on. NULL, with a message, on failure.
static struct world_image *make_image(struct load_job *job, struct load_world *world) {
    const struct load_order *order = job->order;
    struct world_image *image = cosmi_image_create(order->memory, world->part_count);
    if (image == NULL) {
        (void)load_fail_memory(job);
        return NULL;
    }
    for (uint32_t i = 0; i < world->part_count; i++) {
        cosmi_image_add(image, world->parts[i]);
    }
    world->part_count = 0;
    image->stream = world->stream;
    cosmi_image_seal(image);
    if (cosmi_image_check(order->schema, order->sink, order->call, image, job->world,
                          image_ids(image)) != COSM_OK) {
        cosmi_image_release(order->memory, image);
        return NULL;
    }
    return image;
}

struct world_image *cosmi_load_image(struct load_job *job, struct load_world *world) {
    cosmi_map_init(&world->value_map, job->order->memory);
    cosmi_map_init(&world->target_map, job->order->memory);
    struct world_image *image = make_parts(job, world) == COSM_OK ? make_image(job, world) : NULL;
    cosmi_load_merge_end(job, world);
    return image;
}
