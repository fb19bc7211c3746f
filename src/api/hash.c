// The public calls of cosm/hash.h.
#include <cosm/hash.h>

#include "api/check.h"
#include "api/snapshot.h"
#include "run/step.h"
#include "state/hasher.h"

static bool check_kind(const struct sink *sink, const char *call, cosm_hash_kind kind) {
    if ((unsigned)kind <= COSM_HASH_CONTENT) {
        return true;
    }
    (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                     "%s: kind %d is unknown; use a value of cosm_hash_kind", call, (int)kind);
    return false;
}

// May these worlds, which exist, be hashed now? In a step, only worlds of an exclusive turn.
static bool check_now(cosm_worlds worlds, const char *call) {
    if (LIKELY(!atomic_load_explicit(&worlds.batch->running, memory_order_relaxed))) {
        return true;
    }
    const struct turn *turn = cosmi_turn_now;
    if (turn == NULL || turn->worker->batch != worlds.batch) {
        (void)cosmi_fail(worlds.batch->sink, COSM_ERROR_BUSY,
                         "%s: the batch is running; call it between steps", call);
        return false;
    }
    cosm_worlds own = turn->open.worlds;
    uint32_t from = worlds.first - own.first;
    if (turn->system->exclusive && worlds.first >= own.first && worlds.count <= own.count &&
        from <= own.count - worlds.count) {
        return true;
    }
    (void)cosmi_fail(worlds.batch->sink, COSM_ERROR_BUSY,
                     "%s: system '%s' hashes worlds that others may be changing; call it between "
                     "steps, or make the system exclusive and keep to the worlds of its turn",
                     call, turn->system->name);
    return false;
}

// The hash of worlds that exist; 0, with a message, where they may not be hashed.
static uint64_t hash_worlds(cosm_worlds worlds, cosm_hash_kind kind, const char *call) {
    struct hash_run run = hash_run_begin();
    if (!check_kind(worlds.batch->sink, call, kind) || !check_now(worlds, call)) {
        return 0;
    }
    for (uint32_t i = 0; i < worlds.count; i++) {
        struct view view = cosmi_view_world((cosm_world){worlds.batch, worlds.first + i});
        hash_run_add(&run, cosmi_hash_view(&view, kind));
    }
    return run.sum;
}

uint64_t cosm_hash_join(const uint64_t *hashes, const uint64_t *world_counts, uint32_t count) {
    if (hashes == NULL && count > 0) {
        (void)cosmi_refuse_null(NULL, "cosm_hash_join", "hashes", "pass `count` hashes");
        return 0;
    }
    struct hash_run run = hash_run_begin();
    for (uint32_t i = 0; i < count; i++) {
        cosmi_hash_run_join(&run, hashes[i], world_counts == NULL ? 1 : world_counts[i]);
    }
    return run.sum;
}

uint64_t cosm_hash_batch(const cosm_batch *batch, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_batch";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return 0;
    }
    cosm_worlds all = {(struct cosm_batch *)(uintptr_t)batch, 0, batch->world_count};
    return hash_worlds(all, kind, call);
}

uint64_t cosm_hash_worlds(cosm_worlds worlds, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_worlds";
    if (!worlds_exist(worlds)) {
        (void)cosmi_refuse_worlds(worlds, call);
        return 0;
    }
    return hash_worlds(worlds, kind, call);
}

uint64_t cosm_hash_world(cosm_world world, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_world";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return 0;
    }
    return hash_worlds(cosm_worlds_one(world), kind, call);
}

// The world that a part of is hashed; false, with a message, where there is none.
static bool check_part(cosm_world world, const char *call, cosm_hash_kind kind,
                       struct view *out_view) {
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return false;
    }
    *out_view = cosmi_view_world(world);
    return check_kind(world.batch->sink, call, kind) && check_now(cosm_worlds_one(world), call);
}

uint64_t cosm_hash_table(cosm_world world, cosm_archetype archetype, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_table";
    struct view view;
    if (!check_part(world, call, kind, &view)) {
        return 0;
    }
    const struct archetype *found = schema_archetype(view.schema, archetype.id);
    if (found == NULL) {
        (void)cosmi_refuse_archetype(world.batch, call, archetype);
        return 0;
    }
    return cosmi_hash_archetype(&view, found, kind);
}

uint64_t cosm_hash_component(cosm_world world, cosm_component component, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_component";
    struct view view;
    if (!check_part(world, call, kind, &view)) {
        return 0;
    }
    const struct value_type *type = cosmi_check_plain(world.batch, call, component);
    return type == NULL ? 0 : cosmi_hash_component(&view, type, kind);
}

uint64_t cosm_hash_singleton(cosm_world world, cosm_singleton singleton) {
    static const char call[] = "cosm_hash_singleton";
    struct view view;
    if (!check_part(world, call, COSM_HASH_EXACT, &view)) {
        return 0;
    }
    const struct value_type *type = schema_singleton(view.schema, singleton.id);
    if (type == NULL) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: singleton %u is not defined; define it first", call, singleton.id);
        return 0;
    }
    return cosmi_hash_singleton(&view, type);
}

// The hash of worlds that a snapshot has.
static uint64_t hash_images(const cosm_snapshot *snapshot, uint32_t first, uint32_t count,
                            cosm_hash_kind kind, const char *call) {
    struct hash_run run = hash_run_begin();
    if (!check_kind(snapshot->sink, call, kind)) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct view view = view_of_image(snapshot->schema, snapshot->worlds[first + i]);
        hash_run_add(&run, cosmi_hash_view(&view, kind));
    }
    return run.sum;
}

uint64_t cosm_hash_snapshot(const cosm_snapshot *snapshot, cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_snapshot";
    if (snapshot == NULL) {
        (void)cosmi_refuse_null(NULL, call, "snapshot", "pass one from cosm_snapshot_create");
        return 0;
    }
    return hash_images(snapshot, 0, snapshot->world_count, kind, call);
}

uint64_t cosm_hash_snapshot_world(const cosm_snapshot *snapshot, uint32_t index,
                                  cosm_hash_kind kind) {
    static const char call[] = "cosm_hash_snapshot_world";
    if (snapshot == NULL) {
        (void)cosmi_refuse_null(NULL, call, "snapshot", "pass one from cosm_snapshot_create");
        return 0;
    }
    if (index >= snapshot->world_count) {
        (void)cosmi_fail(snapshot->sink, COSM_ERROR_ARGUMENT,
                         "%s: index %u is out of range; the snapshot has %u worlds, counted from 0",
                         call, index, snapshot->world_count);
        return 0;
    }
    return hash_images(snapshot, index, 1, kind, call);
}

cosm_hasher *cosm_hasher_create(cosm_batch *batch) {
    static const char call[] = "cosm_hasher_create";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    if (cosmi_snapshot_enter((cosm_worlds){batch, 0, batch->world_count}, call) != COSM_OK) {
        return NULL;
    }
    cosm_hasher *hasher = cosmi_hasher_create(batch, call);
    if (hasher != NULL) {
        atomic_fetch_add(&batch->hasher_count, 1);
    }
    return hasher;
}

void cosm_hasher_destroy(cosm_hasher *hasher) {
    if (hasher != NULL) {
        atomic_fetch_sub(&hasher->batch->hasher_count, 1);
        cosmi_hasher_destroy(hasher);
    }
}

// The hash of worlds that the hasher's batch has; 0, with a message, on failure.
static uint64_t hash_again(cosm_hasher *hasher, cosm_worlds worlds, cosm_hash_kind kind,
                           const char *call) {
    struct hash_run run = hash_run_begin();
    if (!check_kind(worlds.batch->sink, call, kind) ||
        cosmi_snapshot_enter(worlds, call) != COSM_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < worlds.count; i++) {
        uint64_t hash = 0;
        if (cosmi_hasher_world(hasher, call, worlds.first + i, kind, &hash) != COSM_OK) {
            return 0;
        }
        hash_run_add(&run, hash);
    }
    return run.sum;
}

uint64_t cosm_hasher_batch(cosm_hasher *hasher, cosm_hash_kind kind) {
    static const char call[] = "cosm_hasher_batch";
    if (hasher == NULL) {
        (void)cosmi_refuse_null(NULL, call, "hasher", "pass one from cosm_hasher_create");
        return 0;
    }
    return hash_again(hasher, (cosm_worlds){hasher->batch, 0, hasher->batch->world_count}, kind,
                      call);
}

uint64_t cosm_hasher_world(cosm_hasher *hasher, uint32_t world, cosm_hash_kind kind) {
    static const char call[] = "cosm_hasher_world";
    if (hasher == NULL) {
        (void)cosmi_refuse_null(NULL, call, "hasher", "pass one from cosm_hasher_create");
        return 0;
    }
    cosm_world one = {hasher->batch, world};
    if (!world_exists(one)) {
        (void)cosmi_refuse_world(one, call);
        return 0;
    }
    return hash_again(hasher, cosm_worlds_one(one), kind, call);
}
