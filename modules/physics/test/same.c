// The same state whatever the way: workers, company of worlds, placement of rows, snapshots, files.
// ctest: threads
#include "support/yard.h"

#define STEPS 60u

static uint64_t hash_of(cosm_world world) {
    return cosm_hash_world(world, COSM_HASH_CONTENT);
}

// A small collapse: a wall that is hit from the side.
static void build(cosm_world world, uint32_t kind) {
    cosm_entity boxes[64];
    put_ground(world, 0.5f);
    put_wall(world, 3 + kind % 3, 0.05f, boxes);
    cosm_collider c = kind % 2 ? ball(0.4f) : shape_of(COSM_SHAPE_CAPSULE, 0.3f, 0, 0.3f);
    c.restitution = 0.4f;
    put(world, c, 5, pose_at(-4, 0.1f, 1.2f), moving(9, 0, 1));
}

static uint64_t hash_alone(uint32_t kind) {
    struct yard yard = yard_open(1, 1, 0);
    build(yard.world, kind);
    yard_steps(&yard, STEPS);
    uint64_t hash = hash_of(yard.world);
    yard_close(&yard);
    return hash;
}

TEST(a_world_is_the_same_alone_and_in_any_company) {
    uint64_t alone[3] = {hash_alone(0), hash_alone(1), hash_alone(2)};
    for (uint32_t count = 2; count <= 9; count++) {
        struct yard yard = yard_open(count, 1, 0);
        for (uint32_t w = 0; w < count; w++) {
            build(cosm_batch_world(yard.batch, w), w % 3);
        }
        yard_steps(&yard, STEPS);
        for (uint32_t w = 0; w < count; w++) {
            CHECK_INT(hash_of(cosm_batch_world(yard.batch, w)), alone[w % 3]);
        }
        yard_close(&yard);
    }
}

TEST(any_number_of_workers_gives_the_same_worlds) {
    uint64_t hashes[3];
    for (uint32_t k = 0; k < 3; k++) {
        struct yard yard = yard_open(40, 1u << k, 0);
        for (uint32_t w = 0; w < 40; w++) {
            build(cosm_batch_world(yard.batch, w), w % 3);
        }
        yard_steps(&yard, STEPS);
        hashes[k] = cosm_hash_batch(yard.batch, COSM_HASH_EXACT);
        yard_close(&yard);
    }
    CHECK_INT(hashes[1], hashes[0]);
    CHECK_INT(hashes[2], hashes[0]);
}

TEST(the_order_of_rows_does_not_count) {
    uint64_t hashes[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct yard yard = yard_open(1, 1, 0);
        build(yard.world, 1);
        for (uint32_t i = 0; i < STEPS; i++) {
            // Despawning the first of two leaves a hole that the last row fills.
            cosm_entity extra = put(yard.world, cube(), 1, pose_at(100, 0, 9), still());
            cosm_entity first = put(yard.world, cube(), 1, pose_at(200, 0, 9), still());
            CHECK_INT(cosm_entity_despawn(yard.world, k == 0 ? extra : first), COSM_OK);
            CHECK_INT(cosm_entity_despawn(yard.world, k == 0 ? first : extra), COSM_OK);
            yard_steps(&yard, 1);
        }
        hashes[k] = hash_of(yard.world);
        yard_close(&yard);
    }
    CHECK_INT(hashes[0] != 0, 1);
    // The ids that come next differ, and with them nothing that has been.
    CHECK_INT(hashes[1], hashes[0]);
}

TEST(a_restored_world_goes_on_as_it_did) {
    struct yard yard = yard_open(2, 1, 0);
    build(yard.world, 0);
    build(cosm_batch_world(yard.batch, 1), 1);
    yard_steps(&yard, 25);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(yard.batch));
    REQUIRE(snapshot != NULL);
    uint64_t hashes[40];
    for (uint32_t i = 0; i < 40; i++) {
        yard_steps(&yard, 1);
        hashes[i] = cosm_hash_batch(yard.batch, COSM_HASH_CONTENT);
    }
    CHECK_INT(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(yard.batch)), COSM_OK);
    for (uint32_t i = 0; i < 40; i++) {
        yard_steps(&yard, 1);
        CHECK_INT(cosm_hash_batch(yard.batch, COSM_HASH_CONTENT), hashes[i]);
    }
    cosm_snapshot_destroy(snapshot);
    yard_close(&yard);
}

TEST(a_fork_goes_the_way_of_its_source) {
    struct yard yard = yard_open(3, 1, 0);
    build(yard.world, 2);
    yard_steps(&yard, 20);
    CHECK_INT(cosm_fork_world(yard.world, cosm_worlds_range(yard.batch, 1, 2), NULL), COSM_OK);
    yard_steps(&yard, 40);
    CHECK_INT(hash_of(cosm_batch_world(yard.batch, 1)), hash_of(yard.world));
    CHECK_INT(hash_of(cosm_batch_world(yard.batch, 2)), hash_of(yard.world));
    yard_close(&yard);
}
