// The public calls of cosm/diff.h.
#include <cosm/diff.h>

#include "api/check.h"
#include "api/snapshot.h"
#include "base/hash.h"
#include "state/patch.h"

// The bytes, and what their head says. Counted among the snapshots of its engine.
struct cosm_patch {
    struct cosm_engine *engine;
    struct byte_writer bytes;
    struct patch_head head;
};

static void end_patch(cosm_patch *patch) {
    struct cosm_engine *engine = patch->engine;
    cosmi_patch_head_free(&engine->memory, &patch->head);
    cosmi_writer_free(&patch->bytes);
    cosmi_memory_free(&engine->memory, patch, sizeof(*patch), _Alignof(struct cosm_patch));
    atomic_fetch_sub(&engine->snapshot_count, 1);
}

// A patch of bytes that are its own from now on, and given back where this fails. NULL, with a
// message.
static cosm_patch *make_patch(struct cosm_engine *engine, const char *call,
                              struct byte_writer *bytes) {
    cosm_patch *patch =
        cosmi_memory_alloc(&engine->memory, sizeof(*patch), _Alignof(struct cosm_patch));
    if (patch == NULL) {
        cosmi_writer_free(bytes);
        (void)cosmi_fail_memory(&engine->sink, &engine->memory, call);
        return NULL;
    }
    *patch = (struct cosm_patch){engine, *bytes, {.worlds = NULL}};
    atomic_fetch_add(&engine->snapshot_count, 1);
    const struct patch_job job = {&engine->schema, &engine->sink, &engine->memory, call};
    if (cosmi_patch_read_head(&job, bytes->bytes, bytes->size, &patch->head) != COSM_OK) {
        end_patch(patch);
        return NULL;
    }
    return patch;
}

static cosm_result patch_refuse_engine(const struct sink *sink, const char *call) {
    return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                      "%s: both must belong to one engine; open the bytes of the patch in the "
                      "other engine with cosm_patch_open",
                      call);
}

static cosm_result patch_refuse_count(const struct sink *sink, const char *call, uint32_t count,
                                      uint32_t wanted) {
    return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                      "%s: %u worlds were passed, but the patch has %u; pass as many", call, count,
                      wanted);
}

static cosm_patch *create_patch(const cosm_snapshot *before, const cosm_snapshot *after,
                                const char *call) {
    if (before->engine != after->engine) {
        (void)patch_refuse_engine(before->sink, call);
        return NULL;
    }
    if (before->world_count != after->world_count) {
        (void)patch_refuse_count(before->sink, call, after->world_count, before->world_count);
        return NULL;
    }
    struct byte_writer out;
    cosmi_writer_init(&out, before->memory);
    if (cosmi_patch_write(before, after, call, &out) != COSM_OK) {
        cosmi_writer_free(&out);
        return NULL;
    }
    return make_patch(before->engine, call, &out);
}

cosm_patch *cosm_patch_create(const cosm_snapshot *before, const cosm_snapshot *after) {
    static const char call[] = "cosm_patch_create";
    if (before == NULL) {
        (void)cosmi_refuse_null(after == NULL ? NULL : after->sink, call, "before",
                                "pass one from cosm_snapshot_create");
        return NULL;
    }
    if (after == NULL) {
        (void)cosmi_refuse_null(before->sink, call, "after", "pass one from cosm_snapshot_create");
        return NULL;
    }
    return create_patch(before, after, call);
}

cosm_patch *cosm_patch_create_now(const cosm_snapshot *before, cosm_worlds worlds) {
    static const char call[] = "cosm_patch_create_now";
    if (before == NULL) {
        (void)cosmi_refuse_null(worlds.batch == NULL ? NULL : worlds.batch->sink, call, "before",
                                "pass one from cosm_snapshot_create");
        return NULL;
    }
    cosm_snapshot *now = cosmi_snapshot_take(worlds, call);
    if (now == NULL) {
        return NULL;
    }
    cosm_patch *patch = create_patch(before, now, call);
    cosmi_snapshot_end(now);
    return patch;
}

cosm_patch *cosm_patch_open(cosm_engine *engine, const void *bytes, size_t size) {
    static const char call[] = "cosm_patch_open";
    if (engine == NULL) {
        (void)cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
        return NULL;
    }
    if (bytes == NULL) {
        (void)cosmi_refuse_null(&engine->sink, call, "bytes", "pass those of cosm_patch_describe");
        return NULL;
    }
    struct byte_writer copy;
    cosmi_writer_init(&copy, &engine->memory);
    cosmi_write_bytes(&copy, bytes, size);
    if (copy.failed) {
        cosmi_writer_free(&copy);
        (void)cosmi_fail_memory(&engine->sink, &engine->memory, call);
        return NULL;
    }
    return make_patch(engine, call, &copy);
}

void cosm_patch_destroy(cosm_patch *patch) {
    if (patch != NULL) {
        end_patch(patch);
    }
}

cosm_patch_info cosm_patch_describe(const cosm_patch *patch) {
    if (patch == NULL) {
        return (cosm_patch_info){0};
    }
    return (cosm_patch_info){
        .bytes = patch->bytes.bytes,
        .size = patch->bytes.size,
        .world_count = patch->head.world_count,
        .changed_count = patch->head.changed_count,
    };
}

// The entry of a world that changed, or NULL.
static const struct patch_world *patch_find_world(const cosm_patch *patch, uint32_t world) {
    uint32_t from = 0;
    uint32_t to = patch == NULL ? 0 : patch->head.changed_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (patch->head.worlds[middle].world < world) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    bool is_there = patch != NULL && from < patch->head.changed_count &&
                    patch->head.worlds[from].world == world;
    return is_there ? &patch->head.worlds[from] : NULL;
}

uint64_t cosm_patch_hash_before(const cosm_patch *patch, uint32_t world) {
    const struct patch_world *found = patch_find_world(patch, world);
    return found == NULL ? 0 : found->hash_before;
}

uint64_t cosm_patch_hash_after(const cosm_patch *patch, uint32_t world) {
    const struct patch_world *found = patch_find_world(patch, world);
    return found == NULL ? 0 : found->hash_after;
}

static cosm_result patch_refuse_world(const struct patch_world *world, const cosm_snapshot *before,
                                      uint64_t hash, const char *call) {
    return cosmi_fail(before->sink, COSM_ERROR_CONFLICT,
                      "%s: world %u has hash %016llx, but the patch expects hash %016llx; "
                      "apply patches in order, to worlds in the state before the patch",
                      call, world->world, (unsigned long long)hash,
                      (unsigned long long)world->hash_before);
}

// Are the worlds of a snapshot in the first state?
static cosm_result patch_check_before(const cosm_patch *patch, const cosm_snapshot *before,
                                      const char *call) {
    uint64_t rest = 0;
    uint32_t at = 0;
    for (uint32_t w = 0; w < before->world_count; w++) {
        uint64_t hash = cosmi_patch_hash(before->schema, before->worlds[w]);
        if (at == patch->head.changed_count || patch->head.worlds[at].world != w) {
            rest = hash_u64(rest, hash);
            continue;
        }
        if (hash != patch->head.worlds[at].hash_before) {
            return patch_refuse_world(&patch->head.worlds[at], before, hash, call);
        }
        at++;
    }
    if (rest != patch->head.rest) {
        return cosmi_fail(before->sink, COSM_ERROR_CONFLICT,
                          "%s: a world that the patch does not change is in another state than "
                          "before the patch; apply patches in order, to worlds in the state "
                          "before the patch",
                          call);
    }
    return COSM_OK;
}

// The images after, in a snapshot that has none yet.
static cosm_result patch_read_worlds(const cosm_patch *patch, const cosm_snapshot *before,
                                     cosm_snapshot *after, const char *call) {
    const struct patch_job job = {before->schema, before->sink, before->memory, call};
    const struct patch_head *head = &patch->head;
    cosm_result result = COSM_OK;
    uint32_t at = 0;
    for (uint32_t w = 0; w < before->world_count && result == COSM_OK; w++) {
        if (at < head->changed_count && head->worlds[at].world == w) {
            after->worlds[w] = cosmi_patch_read_world(&job, patch->bytes.bytes, &head->worlds[at++],
                                                      before->worlds[w]);
            result = after->worlds[w] == NULL ? cosm_error_result() : COSM_OK;
        } else {
            after->worlds[w] = image_retain(before->worlds[w]);
        }
    }
    return result;
}

static cosm_snapshot *patch_make_after(const cosm_patch *patch, const cosm_snapshot *before,
                                       const char *call) {
    if (patch->engine != before->engine) {
        (void)patch_refuse_engine(before->sink, call);
        return NULL;
    }
    if (before->world_count != patch->head.world_count) {
        (void)patch_refuse_count(before->sink, call, before->world_count, patch->head.world_count);
        return NULL;
    }
    if (patch_check_before(patch, before, call) != COSM_OK) {
        return NULL;
    }
    cosm_snapshot *after = cosmi_snapshot_new(before->engine, before->world_count, call);
    if (after == NULL) {
        return NULL;
    }
    after->step_count = patch->head.step_count;
    after->seed = patch->head.seed;
    if (patch_read_worlds(patch, before, after, call) != COSM_OK) {
        cosmi_snapshot_end(after);
        return NULL;
    }
    return after;
}

cosm_snapshot *cosm_patch_snapshot(const cosm_patch *patch, const cosm_snapshot *before) {
    static const char call[] = "cosm_patch_snapshot";
    if (before == NULL) {
        (void)cosmi_refuse_null(patch == NULL ? NULL : &patch->engine->sink, call, "before",
                                "pass one from cosm_snapshot_create");
        return NULL;
    }
    if (patch == NULL) {
        (void)cosmi_refuse_null(before->sink, call, "patch", "pass one from cosm_patch_open");
        return NULL;
    }
    return patch_make_after(patch, before, call);
}

cosm_result cosm_patch_apply(const cosm_patch *patch, cosm_worlds worlds) {
    static const char call[] = "cosm_patch_apply";
    if (patch == NULL) {
        return cosmi_refuse_null(worlds.batch == NULL ? NULL : worlds.batch->sink, call, "patch",
                                 "pass one from cosm_patch_open");
    }
    cosm_snapshot *now = cosmi_snapshot_take(worlds, call);
    if (now == NULL) {
        return cosm_error_result();
    }
    cosm_snapshot *after = patch_make_after(patch, now, call);
    cosm_result result =
        after == NULL ? cosm_error_result() : cosmi_snapshot_put(after, worlds, call);
    cosmi_snapshot_end(now);
    if (after != NULL) {
        cosmi_snapshot_end(after);
    }
    return result;
}
