// Reading save files, from the first block to the last.
#include "state/load.h"

void cosmi_loaded_free(struct loaded *loaded, struct memory *memory) {
    for (uint32_t w = 0; w < loaded->world_count; w++) {
        cosmi_image_release(memory, loaded->worlds[w]);
    }
    cosmi_array_free(memory, loaded->worlds, loaded->world_capacity, sizeof(*loaded->worlds));
    *loaded = (struct loaded){.worlds = NULL};
}

static void end_load(struct load_job *job) {
    struct memory *memory = job->order->memory;
    cosmi_block_release(&job->block);
    cosmi_block_release(&job->schema_block);
    cosmi_array_free(memory, job->held, job->held_capacity, sizeof(*job->held));
    cosmi_memory_free(memory, job->old_values.bytes, job->old_values.size,
                      COSM_COMPONENT_ALIGNMENT_MAX);
    cosmi_memory_free(memory, job->new_values.bytes, job->new_values.size,
                      COSM_COMPONENT_ALIGNMENT_MAX);
    cosmi_arena_free(&job->world_arena);
    cosmi_arena_free(&job->arena);
}

// The next block, which must be there.
static cosm_result load_next_block(struct load_job *job, uint32_t tag, struct block *out_block) {
    cosm_result result = cosmi_blocks_next(&job->blocks, out_block);
    if (result != COSM_OK) {
        return result;
    }
    if (job->blocks.is_finished) {
        struct block end = {.head = {.tag = BLOCK_TAG_END}};
        end.number = job->blocks.number;
        end.offset = job->blocks.at;
        return cosmi_block_refuse(&job->blocks, &end, "the file ends before all its worlds");
    }
    return out_block->head.tag == tag
               ? COSM_OK
               : cosmi_block_refuse(&job->blocks, out_block, "another block is expected here");
}

static cosm_result read_snapshot(struct load_job *job, uint64_t *out_worlds) {
    struct block block;
    cosm_result result = load_next_block(job, TAG_SNAPSHOT, &block);
    if (result == COSM_OK) {
        struct byte_reader in = reader_of(block.bytes, block.size);
        job->loaded->step_count = cosmi_read_u64(&in);
        job->loaded->seed = cosmi_read_u64(&in);
        *out_worlds = block.head.values[0];
        if (in.failed || reader_left(&in) > 0 || *out_worlds > COSM_BATCH_WORLD_MAX) {
            result = cosmi_block_refuse(&job->blocks, &block, "its content is invalid");
        }
    }
    cosmi_block_release(&block);
    return result;
}

static cosm_result add_image(struct load_job *job, struct world_image *image) {
    struct loaded *loaded = job->loaded;
    struct world_image **worlds =
        cosmi_array_grow(job->order->memory, loaded->worlds, &loaded->world_capacity,
                         loaded->world_count + 1, sizeof(*worlds));
    if (worlds == NULL) {
        cosmi_image_release(job->order->memory, image);
        return load_fail_memory(job);
    }
    loaded->worlds = worlds;
    worlds[loaded->world_count++] = image;
    return COSM_OK;
}

static cosm_result read_world(struct load_job *job) {
    struct load_world world;
    job->world = job->loaded->world_count;
    cosmi_arena_clear(&job->world_arena);
    cosm_result result = cosmi_load_read_world(job, &world);
    if (result == COSM_OK) {
        struct world_image *image = cosmi_load_image(job, &world);
        result = image == NULL ? cosm_error_result() : add_image(job, image);
    }
    cosmi_load_parts_free(job, &world);
    for (uint32_t i = 0; i < job->held_count; i++) {
        cosmi_block_release(&job->held[i]);
    }
    job->held_count = 0;
    return result;
}

// All worlds of the next block.
static cosm_result load_worlds(struct load_job *job, uint64_t world_count) {
    cosmi_block_release(&job->block);
    cosm_result result = load_next_block(job, TAG_WORLDS, &job->block);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t count = job->block.head.values[1];
    if (job->block.head.values[0] != job->loaded->world_count || count == 0 ||
        count > world_count - job->loaded->world_count) {
        return cosmi_block_refuse(&job->blocks, &job->block, "it has other worlds than expected");
    }
    job->in = reader_of(job->block.bytes, job->block.size);
    for (uint64_t i = 0; i < count && result == COSM_OK; i++) {
        result = read_world(job);
    }
    if (result == COSM_OK && reader_left(&job->in) > 0) {
        result = cosmi_block_refuse(&job->blocks, &job->block, "it has bytes after its worlds");
    }
    return result;
}

static cosm_result read_end(struct load_job *job) {
    struct block block;
    cosm_result result = cosmi_blocks_next(&job->blocks, &block);
    if (result == COSM_OK && !job->blocks.is_finished) {
        result = cosmi_block_refuse(&job->blocks, &block, "all worlds came before it");
    }
    cosmi_block_release(&block);
    return result;
}

// What a file says there is.
static cosm_result load_types(struct load_job *job) {
    cosm_result result = cosmi_convert_check(&job->convert);
    result = result == COSM_OK ? cosmi_blocks_open(&job->blocks, COSM_SAVE_FORMAT) : result;
    if (result == COSM_OK) {
        job->order->report->format = job->blocks.format;
        result = load_next_block(job, TAG_SCHEMA, &job->schema_block);
    }
    return result == COSM_OK ? cosmi_load_schema(job) : result;
}

static cosm_result load_all(struct load_job *job) {
    uint64_t world_count = 0;
    cosm_result result = load_types(job);
    result = result == COSM_OK ? cosmi_load_plan(job) : result;
    result = result == COSM_OK ? read_snapshot(job, &world_count) : result;
    while (result == COSM_OK && job->loaded->world_count < world_count) {
        result = load_worlds(job, world_count);
    }
    return result == COSM_OK ? read_end(job) : result;
}

static void begin_load(struct load_job *job, const struct load_order *order,
                       struct loaded *loaded) {
    *job = (struct load_job){.order = order,
                             .loaded = loaded,
                             .blocks = {.bytes = order->bytes,
                                        .size = order->size,
                                        .home = order->home,
                                        .codecs = order->desc->codecs,
                                        .codec_count = order->desc->codec_count,
                                        .memory = order->memory,
                                        .sink = order->sink,
                                        .call = order->call}};
    job->convert = (struct convert_job){.schema = order->schema,
                                        .call = order->call,
                                        .arena = &job->arena,
                                        .desc = order->desc,
                                        .report = order->report};
    *loaded = (struct loaded){.worlds = NULL};
    cosmi_arena_init(&job->arena, order->memory);
    cosmi_arena_init(&job->world_arena, order->memory);
}

cosm_result cosmi_load(const struct load_order *order, struct loaded *out_loaded) {
    struct load_job job;
    begin_load(&job, order, out_loaded);
    cosm_result result = load_all(&job);
    end_load(&job);
    if (result != COSM_OK) {
        cosmi_loaded_free(out_loaded, order->memory);
    }
    return result;
}

cosm_result cosmi_load_each_type(const struct load_order *order, load_type_fn *on_type,
                                 load_group_fn *on_group, void *context) {
    struct load_job job;
    struct loaded nothing;
    begin_load(&job, order, &nothing);
    cosm_result result = load_types(&job);
    for (uint32_t i = 0; result == COSM_OK && i < job.type_count; i++) {
        result = on_type(context, &job.files[i]);
    }
    for (uint32_t i = 0; result == COSM_OK && i < job.group_count; i++) {
        const char *names[COSM_CONTAINER_MEMBER_MAX];
        for (uint32_t m = 0; m < job.groups[i].member_count; m++) {
            names[m] = job.files[job.groups[i].types[m]].name;
        }
        result = on_group(context, names, job.groups[i].member_count);
    }
    end_load(&job);
    return result;
}
