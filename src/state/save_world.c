// Worlds as bytes: ids, tables, singletons. What stands beside the tables is in save_beside.c.
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "state/save.h"

// Tables of this many bytes have blocks of their own; worlds are gathered until a block has this
// many.
#define TABLE_APART_BYTES ((size_t)32 << 10)
#define STREAM_BYTES ((size_t)128 << 10)

// Parts of a column block that are smaller are copied together.
#define PART_BYTES ((size_t)1024)
#define PART_MAX (COLUMN_BLOCK_BYTES / PART_BYTES + 1)

// Copies `part` bytes of elements of `size` bytes.
static void copy_parts(unsigned char *out, const unsigned char *values, size_t count, size_t size,
                       size_t part) {
    for (size_t i = 0; i < count; i++) {
        memcpy(out + i * size, values + i * size, part);
    }
}

void cosmi_save_copy(void *out_values, const void *values, size_t count, size_t size,
                     const struct value_type *type) {
    if (type == NULL || !value_has_gaps(type)) {
        memcpy(out_values, values, count * size);
        return;
    }
    memset(out_values, 0, count * size);
    for (uint32_t i = 0; i < type->fields.count; i++) {
        uint32_t offset = type->fields.items[i].offset;
        copy_parts((unsigned char *)out_values + offset, (const unsigned char *)values + offset,
                   count, size, type->fields.columns[i].size);
    }
}

static void write_dead_id(struct save_job *job, const struct world_image *image, uint32_t id) {
    cosmi_write_short(&job->stream, id);
    cosmi_write_short(&job->stream, image_record(image, id)->gen);
}

// Ids that do not live: those in the free list, in its order, and the others. Those that live are
// in the tables.
static void write_ids(struct save_job *job, const struct world_image *image) {
    const struct ids_words *ids = &image_ids(image)->ids;
    cosmi_write_short(&job->stream, ids->used);
    cosmi_write_short(&job->stream, ids->known);
    cosmi_write_short(&job->stream, ids->fresh_deaths);
    cosmi_write_short(&job->stream, ids->free_count);
    for (uint32_t i = 0, id = ids->free_head; i < ids->free_count; i++) {
        INVARIANT(id < ids->known, "the free list is as long as it says");
        write_dead_id(job, image, id);
        id = image_record(image, id)->row;
    }
    uint32_t others = ids->known - ids->alive - ids->free_count;
    cosmi_write_short(&job->stream, others);
    bool has_retired = others > ids->known - ids->used;
    for (uint32_t id = 0; has_retired && id < ids->used; id++) {
        if (image_record(image, id)->gen == GEN_RETIRED) {
            write_dead_id(job, image, id);
        }
    }
    for (uint32_t id = ids->used; id < ids->known; id++) {
        write_dead_id(job, image, id);
    }
}

// Rows of a column from `row` on, of one chunk: at most `*io_count`, which becomes how many.
static const unsigned char *column_rows(const struct part *table, uint32_t column, uint32_t row,
                                        uint32_t *io_count) {
    uint32_t chunk_rows = table->archetype->chunk_rows;
    uint32_t chunk = row / chunk_rows;
    uint32_t left = table_chunk_rows(table, chunk) - row % chunk_rows;
    *io_count = *io_count < left ? *io_count : left;
    const unsigned char *bytes = cosmi_table_column(table, chunk, column);
    return bytes + (size_t)(row % chunk_rows) * table->archetype->sizes[column];
}

// Has a column bytes that are not written as they are?
static bool column_has_gaps(const struct save_column *column) {
    return column->type != NULL || column->part_size < column->size;
}

// Copies rows of a column, zeroes between fields, behind what the writer has.
static void copy_rows(struct byte_writer *out, const struct part *table,
                      const struct save_column *column, uint32_t row, uint32_t count) {
    unsigned char *room = cosmi_write_room(out, (size_t)count * column->size);
    uint32_t done = 0;
    while (room != NULL && done < count) {
        uint32_t some = count - done;
        const unsigned char *rows = column_rows(table, column->column, row + done, &some);
        unsigned char *at = room + (size_t)done * column->size;
        if (column->part_size < column->size) {
            memset(at, 0, (size_t)some * column->size);
            copy_parts(at, rows, some, column->size, column->part_size);
        } else {
            cosmi_save_copy(at, rows, some, column->size, column->type);
        }
        done += some;
    }
}

// The columns of a small table, and where its values are shared the values.
static cosm_result save_table(struct save_job *job, const struct part *table) {
    uint32_t number = job->archetypes[table->archetype->id];
    const struct save_set *set = &job->sets[number];
    bool is_apart = table->table.count * set->row_size >= TABLE_APART_BYTES;
    cosmi_write_short(&job->stream, number);
    cosmi_write_short(&job->stream, table->table.count);
    cosmi_write_u8(&job->stream, is_apart ? TABLE_IS_APART : 0);
    if (table->archetype->shared_count > 0) {
        cosmi_write_short(&job->stream, table_group(table));
    }
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        cosm_result result =
            cosmi_save_value(job, table->objects[i]->type, table->objects[i]->bytes);
        if (result != COSM_OK) {
            return result;
        }
    }
    for (uint32_t c = 0; !is_apart && c < set->column_count; c++) {
        copy_rows(&job->stream, table, &set->columns[c], 0, table->table.count);
    }
    return COSM_OK;
}

static void write_singletons(struct save_job *job, const struct world_image *image) {
    uint32_t count = 0;
    for (uint32_t id = 0; id < image_singleton_end(image); id++) {
        count += image_singleton(image, id) != NULL;
    }
    cosmi_write_short(&job->stream, count);
    for (uint32_t id = 0; id < image_singleton_end(image); id++) {
        const struct blob *value = image_singleton(image, id);
        if (value != NULL) {
            cosmi_write_short(&job->stream, job->singletons[id]);
            void *room = cosmi_write_room(&job->stream, value->size);
            if (room != NULL && value->size > 0) {
                cosmi_save_copy(room, value->bytes, 1, value->size,
                                schema_singleton(job->schema, id));
            }
        }
    }
}

// One block of a column: rows where they lie, or copied where they are many small parts or have
// gaps.
static cosm_result put_column_block(struct save_job *job, const struct block_head *head,
                                    const struct part *table, const struct save_column *column,
                                    uint32_t row, uint32_t count) {
    struct byte_part parts[PART_MAX];
    uint32_t part_count = 0;
    bool is_copied =
        column_has_gaps(column) || (size_t)table->archetype->chunk_rows * column->size < PART_BYTES;
    if (is_copied) {
        job->scratch.size = 0;
        copy_rows(&job->scratch, table, column, row, count);
        if (job->scratch.failed) {
            return save_fail_memory(job);
        }
        parts[part_count++] = (struct byte_part){job->scratch.bytes, job->scratch.size};
    }
    for (uint32_t done = 0; !is_copied && done < count;) {
        uint32_t some = count - done;
        const void *rows = column_rows(table, column->column, row + done, &some);
        INVARIANT(part_count < PART_MAX,
                  "a block has as many parts as chunks of the column fit it");
        parts[part_count++] = (struct byte_part){rows, (size_t)some * column->size};
        done += some;
    }
    return cosmi_blocks_put(&job->blocks, head, parts, part_count);
}

static cosm_result put_columns(struct save_job *job, uint32_t world, const struct part *table) {
    const struct save_set *set = &job->sets[job->archetypes[table->archetype->id]];
    cosm_result result = COSM_OK;
    for (uint32_t c = 0; c < set->column_count && result == COSM_OK; c++) {
        const struct save_column *column = &set->columns[c];
        uint32_t most = column_block_rows(column->size);
        struct block_head head = {.tag = TAG_COLUMN, .stride = column->stride};
        head.values[0] = world;
        for (uint32_t row = 0; row < table->table.count && result == COSM_OK; row += most) {
            uint32_t count = table->table.count - row < most ? table->table.count - row : most;
            head.values[1] = (uint64_t)c << 32 | row;
            result = put_column_block(job, &head, table, column, row, count);
        }
    }
    return result;
}

// A table of a world, and where it comes in the file: by archetype, then by group.
struct table_key {
    uint64_t order;
    const struct part *table;
};

static int compare_table_keys(const void *a, const void *b) {
    uint64_t x = ((const struct table_key *)a)->order;
    uint64_t y = ((const struct table_key *)b)->order;
    return x < y ? -1 : x > y;
}

static struct table_key *order_tables(struct save_job *job, const struct world_image *image,
                                      size_t *out_size) {
    *out_size = (image_count(image, PART_TABLE) + 1) * sizeof(struct table_key);
    struct table_key *keys =
        cosmi_memory_alloc(job->snapshot->memory, *out_size, _Alignof(struct table_key));
    for (uint32_t i = 0; keys != NULL && i < image_count(image, PART_TABLE); i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        uint64_t number = job->archetypes[table->archetype->id];
        keys[i] = (struct table_key){number << 32 | table_group(table), table};
    }
    if (keys != NULL && image_count(image, PART_TABLE) > 1) {
        qsort(keys, image_count(image, PART_TABLE), sizeof(*keys), compare_table_keys);
    }
    return keys;
}

cosm_result cosmi_save_flush(struct save_job *job, uint32_t world_end) {
    if (job->stream.failed) {
        return save_fail_memory(job);
    }
    if (world_end == job->stream_first) {
        return COSM_OK;
    }
    struct block_head head = {.tag = TAG_WORLDS};
    head.values[0] = job->stream_first;
    head.values[1] = world_end - job->stream_first;
    struct byte_part part = {job->stream.bytes, job->stream.size};
    cosm_result result = cosmi_blocks_put(&job->blocks, &head, &part, 1);
    job->stream.size = 0;
    job->stream_first = world_end;
    return result;
}

// Can what the commands of somebody will do be saved? No: only what is.
static cosm_result refuse_pending(const struct save_job *job, const struct world_image *image,
                                  uint32_t world) {
    const struct ids_words *ids = &image_ids(image)->ids;
    uint32_t retired = 0;
    uint32_t apart = ids->used - ids->alive - ids->free_count;
    for (uint32_t id = 0; apart > 0 && id < ids->used; id++) {
        retired += image_record(image, id)->gen == GEN_RETIRED;
    }
    if (ids->reserved_free == 0 && ids->reserved_fresh == 0 && apart == retired) {
        return COSM_OK;
    }
    return cosmi_fail(job->snapshot->sink, COSM_ERROR_ARGUMENT,
                      "%s: world %u of the snapshot has recorded commands that were not applied, "
                      "which a file cannot contain; take the snapshot after cosm_commands_apply "
                      "or cosm_commands_clear",
                      job->call, world);
}

static cosm_result write_tables(struct save_job *job, const struct world_image *image,
                                const struct table_key *keys, bool *out_any_apart) {
    cosm_result result = COSM_OK;
    cosmi_write_short(&job->stream, image_count(image, PART_TABLE));
    for (uint32_t i = 0; i < image_count(image, PART_TABLE) && result == COSM_OK; i++) {
        const struct part *table = keys[i].table;
        size_t row_size = job->sets[job->archetypes[table->archetype->id]].row_size;
        *out_any_apart = *out_any_apart || table->table.count * row_size >= TABLE_APART_BYTES;
        result = save_table(job, table);
    }
    return result;
}

static cosm_result put_apart(struct save_job *job, uint32_t world, const struct table_key *keys) {
    const struct world_image *image = job->snapshot->worlds[world];
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < image_count(image, PART_TABLE) && result == COSM_OK; i++) {
        const struct part *table = keys[i].table;
        size_t row_size = job->sets[job->archetypes[table->archetype->id]].row_size;
        if (table->table.count * row_size >= TABLE_APART_BYTES) {
            result = put_columns(job, world, table);
        }
    }
    return result;
}

cosm_result cosmi_save_world(struct save_job *job, uint32_t world) {
    const struct world_image *image = job->snapshot->worlds[world];
    cosm_result result = refuse_pending(job, image, world);
    if (result != COSM_OK) {
        return result;
    }
    size_t size = 0;
    struct table_key *keys = order_tables(job, image, &size);
    if (keys == NULL) {
        return save_fail_memory(job);
    }
    bool any_apart = false;
    cosmi_write_u64(&job->stream, image->stream.seed);
    cosmi_write_short(&job->stream, image->stream.step);
    cosmi_write_short(&job->stream, image->stream.number);
    write_ids(job, image);
    result = write_tables(job, image, keys, &any_apart);
    if (result == COSM_OK) {
        write_singletons(job, image);
        result = cosmi_save_beside(job, image);
    }
    if (result == COSM_OK && (any_apart || job->stream.size >= STREAM_BYTES)) {
        result = cosmi_save_flush(job, world + 1);
        result = result == COSM_OK && any_apart ? put_apart(job, world, keys) : result;
    }
    cosmi_memory_free(job->snapshot->memory, keys, size, _Alignof(struct table_key));
    return result;
}
