// The ids and tables of a world as a file has them. Sizes are checked against the bytes at hand;
// whether the whole makes sense is found out when an image has been made of it.
#include <string.h>

#include "state/load.h"

// Grows a list in the arena of the world. NULL when out of memory.
static void *grow_list(struct load_job *job, void *items, uint32_t *io_capacity, uint32_t count,
                       size_t size) {
    if (count < *io_capacity) {
        return items;
    }
    if (count > UINT32_MAX / 2) {
        return NULL;
    }
    uint32_t capacity = count < 4 ? 4 : 2 * count;
    void *grown = cosmi_arena_alloc(&job->world_arena, capacity * size, 16);
    if (grown != NULL) {
        if (count > 0) {
            memcpy(grown, items, count * size);
        }
        *io_capacity = capacity;
    }
    return grown;
}

// Room for `count` things, of which each takes `bytes` in the file at least. NULL: the reader has
// failed, or memory has run out.
static void *take_read(struct load_job *job, uint64_t count, size_t bytes, size_t size) {
    if (job->in.failed || count > reader_left(&job->in) / bytes) {
        job->in.failed = true;
        return NULL;
    }
    return cosmi_arena_alloc(&job->world_arena, (size_t)(count == 0 ? 1 : count) * size, 16);
}

// The bytes of a column of a set: of the entities, or of a member or a part of it.
static void size_columns(const struct load_job *job, const struct load_set *set,
                         struct load_column *columns) {
    columns[ENTITY_COLUMN].size = set->temporary ? 0 : (uint32_t)sizeof(cosm_entity);
    for (uint32_t m = 0; m < set->member_count; m++) {
        const struct load_member *member = &set->members[m];
        for (uint32_t c = 0; c < member->column_count; c++) {
            columns[member->column + c].size = member->part_count > 0 ? member->parts[c].size
                                               : member->storage == COSM_STORAGE_MANAGED
                                                   ? (uint32_t)sizeof(cosm_ticket)
                                                   : job->files[member->type].size;
        }
    }
}

// Columns of a small table, where they lie.
static bool read_inline(struct load_job *job, struct load_table *table) {
    for (uint32_t c = 0; c < table->set->column_count; c++) {
        struct load_column *column = &table->columns[c];
        column->stretch_rows = table->count;
        column->stretches = cosmi_arena_alloc(&job->world_arena, sizeof(*column->stretches), 16);
        if (column->stretches == NULL) {
            return false;
        }
        const void *bytes = cosmi_read_bytes(&job->in, (size_t)table->count * column->size);
        *column->stretches = (struct load_stretch){bytes, NULL};
    }
    return !job->in.failed;
}

static bool load_read_table(struct load_job *job, struct load_world *world,
                            struct load_table *table) {
    struct byte_reader *in = &job->in;
    uint32_t number = cosmi_read_short_max(in, job->set_count - 1);
    table->count = cosmi_read_short_max(in, COSM_TABLE_ROW_MAX);
    uint8_t flags = cosmi_read_u8(in);
    if (in->failed || job->set_count == 0 || table->count == 0 || flags > TABLE_IS_APART) {
        in->failed = true;
        return false;
    }
    struct load_set *set = &job->sets[number];
    table->set = set;
    table->is_apart = (flags & TABLE_IS_APART) != 0;
    table->group = set->shared_count > 0 ? cosmi_read_short_max(in, GROUP_NONE - 1) : GROUP_NONE;
    world->any_apart = world->any_apart || table->is_apart;
    table->shared =
        cosmi_arena_alloc(&job->world_arena, (set->shared_count + 1) * sizeof(*table->shared), 16);
    size_t size = set->column_count * sizeof(*table->columns);
    table->columns = cosmi_arena_alloc(&job->world_arena, size, 16);
    if (table->shared == NULL || table->columns == NULL) {
        return false;
    }
    uint32_t value = 0;
    for (uint32_t m = 0; m < set->member_count; m++) {
        job->order->report->dropped_count +=
            job->types[set->members[m].type].type == NULL ? table->count : 0;
        if (set->members[m].storage == COSM_STORAGE_SHARED) {
            table->shared[value++] = cosmi_load_read_value(job, set->members[m].type);
        }
    }
    memset(table->columns, 0, size);
    size_columns(job, set, table->columns);
    return !in->failed && (table->is_apart || read_inline(job, table));
}

static bool read_tables(struct load_job *job, struct load_world *world) {
    uint32_t count = cosmi_read_short_max(&job->in, UINT32_MAX);
    struct load_table *tables = take_read(job, count, 3, sizeof(*tables));
    bool done = tables != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        tables[i] = (struct load_table){0};
        done = load_read_table(job, world, &tables[i]);
    }
    world->table_count = count;
    world->tables = tables;
    return done;
}

// The blocks of a column.
static cosm_result read_column(struct load_job *job, const struct load_table *table,
                               uint32_t number, struct load_column *column) {
    uint32_t most = column_block_rows(column->size);
    uint32_t count = (table->count - 1) / most + 1;
    column->stretch_rows = most;
    column->stretches = NULL;
    // The blocks are there before room is made for them.
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = i * most;
        uint32_t rows = table->count - row < most ? table->count - row : most;
        struct block *held = cosmi_array_grow(job->order->memory, job->held, &job->held_capacity,
                                              job->held_count + 1, sizeof(*held));
        struct load_stretch *stretches =
            grow_list(job, column->stretches, &capacity, i, sizeof(*stretches));
        if (held != NULL) {
            job->held = held;
        }
        if (held == NULL || stretches == NULL) {
            return load_fail_memory(job);
        }
        column->stretches = stretches;
        struct block *block = &held[job->held_count];
        cosm_result result = cosmi_blocks_next(&job->blocks, block);
        if (result != COSM_OK || job->blocks.is_finished) {
            return result != COSM_OK ? result
                                     : cosmi_block_refuse(&job->blocks, &job->block,
                                                          "columns of its last world are missing");
        }
        job->held_count++;
        if (block->head.tag != TAG_COLUMN || block->size != (size_t)rows * column->size ||
            block->head.values[0] != job->world ||
            block->head.values[1] != ((uint64_t)number << 32 | row)) {
            return cosmi_block_refuse(&job->blocks, block, "it is not the expected column");
        }
        stretches[i] = (struct load_stretch){block->bytes, block->home};
    }
    return COSM_OK;
}

static cosm_result read_apart(struct load_job *job, const struct load_world *world) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < world->table_count; i++) {
        const struct load_table *table = &world->tables[i];
        uint32_t number = 0;
        for (uint32_t c = 0; table->is_apart && c < table->set->column_count; c++) {
            struct load_column *column = &table->columns[c];
            if (column->size > 0) {
                result = read_column(job, table, number++, column);
            }
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

cosm_result cosmi_load_read_world(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    *world = (struct load_world){.stream = {.seed = 0}};
    world->stream.seed = cosmi_read_u64(in);
    world->stream.step = cosmi_read_short(in);
    world->stream.number = cosmi_read_short(in);
    cosm_result result = COSM_OK;
    cosmi_load_read_ids(job, world);
    if (!read_tables(job, world)) {
        result = in->failed ? COSM_ERROR_FORMAT : load_fail_memory(job);
    }
    result = result == COSM_OK ? cosmi_load_read_parts(job, world) : result;
    if (in->failed) {
        return cosmi_block_refuse(&job->blocks, &job->block, "its data of a world is invalid");
    }
    if (result == COSM_OK && world->any_apart && reader_left(in) > 0) {
        return cosmi_block_refuse(&job->blocks, &job->block,
                                  "a world follows one whose columns come after the block");
    }
    return result == COSM_OK && world->any_apart ? read_apart(job, world) : result;
}
