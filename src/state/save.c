// Writing save files, from the first block to the last.
#include "state/save.h"

#include "state/strict.h"

static void end_job(struct save_job *job) {
    cosmi_writer_free(&job->stream);
    cosmi_writer_free(&job->scratch);
    cosmi_writer_free(&job->object);
    cosmi_arena_free(&job->arena);
}

static cosm_result put_snapshot(struct save_job *job) {
    const struct cosm_snapshot *snapshot = job->snapshot;
    uint64_t entities = 0;
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        entities += image_ids(snapshot->worlds[w])->ids.alive;
    }
    cosmi_write_u64(&job->stream, snapshot->step_count);
    cosmi_write_u64(&job->stream, snapshot->seed);
    if (job->stream.failed) {
        return save_fail_memory(job);
    }
    struct block_head head = {.tag = TAG_SNAPSHOT, .values = {snapshot->world_count, entities}};
    struct byte_part part = {job->stream.bytes, job->stream.size};
    cosm_result result = cosmi_blocks_put(&job->blocks, &head, &part, 1);
    job->stream.size = 0;
    return result;
}

// What no file may hold is found before there is one.
static cosm_result check_worlds(const struct cosm_snapshot *snapshot, const char *call) {
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < snapshot->world_count && result == COSM_OK; w++) {
        result = cosmi_strict_check(snapshot->schema, snapshot->sink, call, snapshot->worlds[w], w);
    }
    return result;
}

cosm_result cosmi_save(const struct save_order *order) {
    const struct cosm_snapshot *snapshot = order->snapshot;
    if (check_worlds(snapshot, order->call) != COSM_OK) {
        return COSM_ERROR_FORMAT;
    }
    struct save_job job = {.snapshot = snapshot,
                           .desc = order->desc,
                           .call = order->call,
                           .schema = snapshot->schema,
                           .blocks = {.write = order->write,
                                      .target = order->target,
                                      .codec = order->desc->codec,
                                      .memory = snapshot->memory,
                                      .sink = snapshot->sink,
                                      .call = order->call}};
    cosmi_arena_init(&job.arena, snapshot->memory);
    cosmi_writer_init(&job.stream, snapshot->memory);
    cosmi_writer_init(&job.scratch, snapshot->memory);
    cosmi_writer_init(&job.object, snapshot->memory);
    cosm_result result = cosmi_save_plan(&job);
    if (result == COSM_OK) {
        cosmi_blocks_begin(&job.blocks, COSM_SAVE_FORMAT);
        result = cosmi_save_schema(&job);
    }
    result = result == COSM_OK ? put_snapshot(&job) : result;
    for (uint32_t w = 0; w < snapshot->world_count && result == COSM_OK; w++) {
        result = cosmi_save_world(&job, w);
    }
    result = result == COSM_OK ? cosmi_save_flush(&job, snapshot->world_count) : result;
    if (result == COSM_OK) {
        cosmi_blocks_end(&job.blocks);
    }
    end_job(&job);
    return result;
}
