// A world as a file has it. Sizes are checked against the bytes at hand; whether the whole makes
// sense is found out when an image has been made of it.
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

static struct load_value load_read_value(struct load_job *job, uint32_t type) {
    const struct file_type *file = &job->files[type];
    uint64_t size = file->is_object ? cosmi_read_short(&job->in) : file->size;
    if (size > reader_left(&job->in)) {
        job->in.failed = true;
        return (struct load_value){NULL, 0};
    }
    const void *bytes = cosmi_read_bytes(&job->in, (size_t)size);
    return (struct load_value){bytes, (size_t)size};
}

// The number of a type that is a component of such a storage; or a singleton.
static uint32_t read_type_number(struct load_job *job, bool is_singleton) {
    uint32_t type = cosmi_read_short_max(&job->in, job->type_count - 1);
    if (job->in.failed || job->type_count == 0 || job->files[type].is_singleton != is_singleton) {
        job->in.failed = true;
    }
    return job->in.failed ? 0 : type;
}

static bool read_ids(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    world->used = cosmi_read_short_max(in, COSM_WORLD_ENTITY_MAX);
    world->known = cosmi_read_short_max(in, COSM_WORLD_ENTITY_MAX);
    world->fresh_deaths = cosmi_read_short_max(in, UINT16_MAX);
    world->free_count = cosmi_read_short_max(in, world->known);
    struct load_dead *dead = take_read(job, world->free_count, 2, sizeof(*dead));
    if (dead == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < world->free_count; i++) {
        dead[i].id = cosmi_read_short_max(in, world->known);
        dead[i].gen = cosmi_read_short_max(in, UINT32_MAX);
    }
    uint32_t others = cosmi_read_short_max(in, world->known - world->free_count);
    world->dead_count = world->free_count + others;
    world->dead = others == 0 ? dead : take_read(job, others, 2, 0);
    if (others > 0 && world->dead != NULL) {
        world->dead = cosmi_arena_alloc(&job->world_arena, world->dead_count * sizeof(*dead), 16);
        if (world->dead != NULL) {
            memcpy(world->dead, dead, world->free_count * sizeof(*dead));
        }
    }
    for (uint32_t i = world->free_count; world->dead != NULL && i < world->dead_count; i++) {
        world->dead[i].id = cosmi_read_short_max(in, world->known);
        world->dead[i].gen = cosmi_read_short_max(in, UINT32_MAX);
    }
    return world->dead != NULL && !in->failed;
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
            table->shared[value++] = load_read_value(job, set->members[m].type);
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

static bool read_singletons(struct load_job *job, struct load_world *world) {
    world->singleton_count = cosmi_read_short_max(&job->in, job->type_count);
    world->singletons = take_read(job, world->singleton_count, 1, sizeof(*world->singletons));
    bool done = world->singletons != NULL;
    for (uint32_t i = 0; done && i < world->singleton_count; i++) {
        struct load_singleton *singleton = &world->singletons[i];
        singleton->type = read_type_number(job, true);
        for (uint32_t o = 0; o < i; o++) {
            job->in.failed = job->in.failed || world->singletons[o].type == singleton->type;
        }
        done = !job->in.failed;
        if (done) {
            singleton->value = load_read_value(job, singleton->type);
            job->order->report->dropped_count += job->types[singleton->type].type == NULL;
        }
    }
    return done && !job->in.failed;
}

// Objects of one type. Each takes a byte at least, as managed types have a size.
static bool load_read_managed(struct load_job *job, struct load_managed *managed) {
    struct byte_reader *in = &job->in;
    *managed = (struct load_managed){.type = read_type_number(job, false)};
    managed->used = cosmi_read_short_max(in, UINT32_MAX - 1);
    managed->free_count = cosmi_read_short_max(in, managed->used);
    uint32_t *list = take_read(job, managed->free_count, 1, sizeof(*list));
    const struct file_type *file = &job->files[managed->type];
    if (list == NULL || managed->used - managed->free_count > reader_left(in) ||
        file->storage != COSM_STORAGE_MANAGED || (file->size == 0 && !file->is_object)) {
        in->failed = in->failed || list != NULL;
        return false;
    }
    size_t size = (managed->used + 1) * sizeof(*managed->objects);
    managed->objects = cosmi_arena_alloc(&job->world_arena, size, 16);
    if (managed->objects == NULL) {
        return false;
    }
    memset(managed->objects, 0, size);
    // A free one points somewhere for now. One that is free twice makes a list that is too short.
    for (uint32_t i = 0; i < managed->free_count && !in->failed; i++) {
        list[i] = cosmi_read_short_max(in, managed->used);
        in->failed = in->failed || list[i] == 0;
        if (!in->failed) {
            managed->objects[list[i] - 1].bytes = managed;
        }
    }
    for (uint32_t t = 0; t < managed->used && !in->failed; t++) {
        bool is_free = managed->objects[t].bytes != NULL;
        managed->objects[t] =
            is_free ? (struct load_value){NULL, 0} : load_read_value(job, managed->type);
    }
    managed->free_list = list;
    return !in->failed;
}

static bool read_managed_lists(struct load_job *job, struct load_world *world) {
    uint32_t count = cosmi_read_short_max(&job->in, job->type_count);
    world->managed = take_read(job, count, 3, sizeof(*world->managed));
    bool done = world->managed != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        done = load_read_managed(job, &world->managed[i]);
        for (uint32_t o = 0; o < i; o++) {
            job->in.failed = job->in.failed || world->managed[o].type == world->managed[i].type;
        }
        world->managed_count += done;
    }
    return done && !job->in.failed;
}

// A record of a container here; NULL: nothing of it is known.
static bool read_record(struct load_job *job, const struct load_group *group,
                        struct load_record *record, struct load_value *values) {
    struct byte_reader *in = &job->in;
    cosm_entity entity;
    entity.gen = cosmi_read_u32(in);
    entity.id = cosmi_read_u32(in);
    uint64_t live = cosmi_read_short(in);
    in->failed = in->failed || (group->member_count < 64 && live >> group->member_count != 0);
    if (record != NULL) {
        *record = (struct load_record){entity, 0};
        memset(values, 0, group->here->member_count * sizeof(*values));
    }
    for (uint32_t m = 0; m < group->member_count && !in->failed; m++) {
        if ((live >> m & 1) == 0) {
            continue;
        }
        const struct value_type *type = job->types[group->types[m]].type;
        struct load_value value = load_read_value(job, group->types[m]);
        if (type == NULL) {
            job->order->report->dropped_count++;
        } else {
            record->live |= (uint64_t)1 << type->sector_member;
            values[type->sector_member] = value;
        }
    }
    return !in->failed;
}

static bool load_read_sector(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    uint32_t number = cosmi_read_short_max(in, job->group_count - 1);
    uint8_t is_packing = cosmi_read_u8(in);
    uint32_t count = cosmi_read_short_max(in, SECTORS_PLACE_MAX);
    if (in->failed || job->group_count == 0 || is_packing > 1 || count > reader_left(in) / 9) {
        in->failed = true;
        return false;
    }
    const struct load_group *group = &job->groups[number];
    struct load_sector sector = {.group = group->here, .is_packing = is_packing == 1};
    size_t members = 0;
    if (group->here != NULL) {
        for (uint32_t i = 0; i < world->sector_count; i++) {
            in->failed = in->failed || world->sectors[i].group == group->here;
        }
        members = group->here->member_count;
        sector.count = count;
        sector.records =
            cosmi_arena_alloc(&job->world_arena, (count + 1) * sizeof(*sector.records), 16);
        sector.values = cosmi_arena_alloc(&job->world_arena,
                                          (count * members + 1) * sizeof(*sector.values), 16);
        if (sector.records == NULL || sector.values == NULL) {
            return false;
        }
        world->sectors[world->sector_count++] = sector;
    }
    bool done = !in->failed;
    for (uint32_t i = 0; done && i < count; i++) {
        done = group->here == NULL
                   ? read_record(job, group, NULL, NULL)
                   : read_record(job, group, &sector.records[i], &sector.values[i * members]);
    }
    return done;
}

static bool load_read_sectors(struct load_job *job, struct load_world *world) {
    uint32_t count = cosmi_read_short_max(&job->in, job->group_count);
    world->sectors = take_read(job, count, 3, sizeof(*world->sectors));
    bool done = world->sectors != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        done = load_read_sector(job, world);
    }
    return done;
}

static bool read_families(struct load_job *job, struct load_world *world) {
    struct byte_reader *in = &job->in;
    world->family_count = cosmi_read_short_max(in, world->known);
    world->families = take_read(job, world->family_count, 3, sizeof(*world->families));
    for (uint32_t i = 0; world->families != NULL && i < world->family_count; i++) {
        struct load_family *family = &world->families[i];
        family->parent = cosmi_read_short_max(in, UINT32_MAX);
        family->child_count = cosmi_read_short_max(in, UINT32_MAX);
        uint32_t *children = take_read(job, family->child_count, 1, sizeof(*children));
        if (children == NULL || family->child_count == 0) {
            in->failed = in->failed || children != NULL;
            return false;
        }
        for (uint32_t c = 0; c < family->child_count; c++) {
            children[c] = cosmi_read_short_max(in, UINT32_MAX);
            in->failed = in->failed || children[c] >= world->used;
        }
        family->children = children;
        in->failed = in->failed || family->parent >= world->used;
    }
    return world->families != NULL && !in->failed;
}

static bool read_shared_order(struct load_job *job, struct load_world *world) {
    uint64_t size = cosmi_read_short(&job->in);
    if (size > reader_left(&job->in)) {
        job->in.failed = true;
        return false;
    }
    world->shared_size = (size_t)size;
    world->shared_order = cosmi_read_bytes(&job->in, world->shared_size);
    return !job->in.failed;
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
    bool done = read_ids(job, world) && read_tables(job, world) && read_singletons(job, world) &&
                read_managed_lists(job, world) && load_read_sectors(job, world) &&
                read_families(job, world) && read_shared_order(job, world);
    if (!done) {
        return in->failed
                   ? cosmi_block_refuse(&job->blocks, &job->block, "its data of a world is invalid")
                   : load_fail_memory(job);
    }
    if (world->any_apart && reader_left(in) > 0) {
        return cosmi_block_refuse(&job->blocks, &job->block,
                                  "a world follows one whose columns come after the block");
    }
    return world->any_apart ? read_apart(job, world) : COSM_OK;
}
