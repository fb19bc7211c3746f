// The public calls of cosm/hash.h.
#include "state/hash.h"

#include "api/check.h"
#include "api/snapshot.h"
#include "base/hash.h"

static struct hash_view view_of_world(const struct cosm_batch *batch, uint32_t world) {
    return (struct hash_view){batch->schema, batch, NULL, world};
}

static struct hash_view view_of_image(const cosm_snapshot *snapshot, uint32_t index) {
    return (struct hash_view){snapshot->schema, NULL, snapshot->worlds[index], index};
}

static bool check_kind(const struct sink *sink, const char *call, cosm_hash_kind kind) {
    if ((unsigned)kind <= COSM_HASH_CONTENT) {
        return true;
    }
    (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                     "%s: kind %d is unknown; use a value of cosm_hash_kind", call, (int)kind);
    return false;
}

// The hash of a range of worlds: theirs, one after the other.
static uint64_t hash_range(cosm_worlds worlds, cosm_hash_kind kind) {
    uint64_t hash = worlds.count;
    for (uint32_t i = 0; i < worlds.count; i++) {
        struct hash_view view = view_of_world(worlds.batch, worlds.first + i);
        hash = hash_u64(hash, cosmi_hash_view(&view, kind));
    }
    return hash;
}

uint64_t cosm_hash_batch(const cosm_batch *batch, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_batch";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return 0;
    }
    cosm_worlds all = {(struct cosm_batch *)(uintptr_t)batch, 0, batch->world_count};
    return check_kind(batch->sink, call, kind) ? hash_range(all, kind) : 0;
}

uint64_t cosm_hash_worlds(cosm_worlds worlds, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_worlds";
    if (!worlds_exist(worlds)) {
        (void)cosmi_refuse_worlds(worlds, call);
        return 0;
    }
    return check_kind(worlds.batch->sink, call, kind) ? hash_range(worlds, kind) : 0;
}

uint64_t cosm_hash_world(cosm_world world, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_world";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return 0;
    }
    if (!check_kind(world.batch->sink, call, kind)) {
        return 0;
    }
    struct hash_view view = view_of_world(world.batch, world.index);
    return cosmi_hash_view(&view, kind);
}

static bool check_snapshot(const cosm_snapshot *snapshot, const char *call, cosm_hash_kind kind) {
    if (snapshot == NULL) {
        (void)cosmi_refuse_null(NULL, call, "snapshot", "pass one from cosm_snapshot_create");
        return false;
    }
    return check_kind(snapshot->sink, call, kind);
}

uint64_t cosm_hash_snapshot(const cosm_snapshot *snapshot, cosm_hash_kind kind) {
    if (!check_snapshot(snapshot, "cosm_hash_snapshot", kind)) {
        return 0;
    }
    uint64_t hash = snapshot->world_count;
    for (uint32_t i = 0; i < snapshot->world_count; i++) {
        struct hash_view view = view_of_image(snapshot, i);
        hash = hash_u64(hash, cosmi_hash_view(&view, kind));
    }
    return hash;
}

uint64_t cosm_hash_snapshot_world(const cosm_snapshot *snapshot, uint32_t index,
                                  cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_snapshot_world";
    if (!check_snapshot(snapshot, call, kind)) {
        return 0;
    }
    if (index >= snapshot->world_count) {
        (void)cosmi_fail(snapshot->sink, COSM_ERROR_ARGUMENT,
                         "%s: index %u of a snapshot of %u worlds; count from 0", call, index,
                         snapshot->world_count);
        return 0;
    }
    struct hash_view view = view_of_image(snapshot, index);
    return cosmi_hash_view(&view, kind);
}
