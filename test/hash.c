// Hashes of worlds, batches and snapshots.
#include "harness.h"
#include "support/sandbox.h"

TEST(a_snapshot_has_the_hash_of_its_worlds) {
    struct sandbox box;
    sandbox_open(&box, 2);
    cosm_entity a = sandbox_spawn_mover(&box, 1);
    (void)sandbox_spawn_mover(&box, 2);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    for (int kind = 0; kind <= COSM_HASH_CONTENT; kind++) {
        cosm_hash_kind k = (cosm_hash_kind)kind;
        CHECK(cosm_hash_batch(box.batch, k) != 0);
        CHECK_INT(cosm_hash_snapshot(snapshot, k), cosm_hash_batch(box.batch, k));
        CHECK_INT(cosm_hash_snapshot_world(snapshot, 0, k), cosm_hash_world(box.world, k));
        CHECK_INT(cosm_hash_worlds(box.all, k), cosm_hash_batch(box.batch, k));
    }
    (void)sandbox_spawn_mover(&box, 3);
    for (int kind = 0; kind <= COSM_HASH_CONTENT; kind++) {
        cosm_hash_kind k = (cosm_hash_kind)kind;
        CHECK(cosm_hash_snapshot(snapshot, k) != cosm_hash_batch(box.batch, k));
    }
    cosm_snapshot_destroy(snapshot);
    sandbox_close(&box);
}
