// Snapshots: taken, shared, restored.
#include "harness.h"
#include "support/sandbox.h"

TEST(a_restored_world_is_what_it_was_and_has_the_same_future) {
    struct sandbox box;
    sandbox_open(&box, 2);
    cosm_entity a = sandbox_spawn_mover(&box, 1);
    cosm_entity b = sandbox_spawn_mover(&box, 2);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    uint64_t before = cosm_batch_checksum(box.batch);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK(snapshot != NULL);
    CHECK_INT(cosm_snapshot_entity_count(snapshot), 1);
    cosm_entity c = sandbox_spawn_mover(&box, 3);
    CHECK_DONE(cosm_entity_add(box.world, b, box.mark));
    CHECK_DONE(cosm_entity_despawn(box.world, b));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(cosm_batch_checksum(box.batch) != before);
    CHECK_DONE(cosm_snapshot_restore(snapshot, box.all));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_batch_checksum(box.batch), before);
    CHECK(cosm_entity_is_alive(box.world, b));
    cosm_entity again = sandbox_spawn_mover(&box, 3);
    CHECK_INT(again.id, c.id);
    CHECK_INT(again.gen, c.gen);
    CHECK_DONE(cosm_snapshot_restore(snapshot, box.all));
    CHECK_INT(cosm_batch_checksum(box.batch), before);
    cosm_snapshot_destroy(snapshot);
    sandbox_close(&box);
}

TEST(a_snapshot_shares_what_has_not_changed) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    cosm_entity first = rows.entities[0];
    cosm_snapshot *a = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_entity_set(box.world, first, box.position, &(Position){5, 6, 7}));
    uint64_t changed = cosm_batch_checksum(box.batch);
    cosm_snapshot *b = cosm_snapshot_create(box.all);
    cosm_snapshot_size size = cosm_snapshot_memory(b);
    CHECK(size.bytes > 3000000);
    CHECK(size.own_bytes < size.bytes / 20);
    CHECK_DONE(cosm_snapshot_restore(a, box.all));
    CHECK(cosm_batch_checksum(box.batch) != changed);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_snapshot_restore(b, box.all));
    CHECK_INT(cosm_batch_checksum(box.batch), changed);
    cosm_snapshot_destroy(a);
    cosm_snapshot_destroy(b);
    sandbox_close(&box);
}

// Entities of the histories may be stale.
static void maybe(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE);
}

TEST(random_histories_come_back_exactly) {
    struct dice dice = {20261116};
    struct sandbox box;
    sandbox_open(&box, 3);
    cosm_snapshot *kept[8] = {NULL};
    uint64_t sums[8] = {0};
    cosm_entity entities[64];
    for (int i = 0; i < 64; i++) {
        entities[i] = COSM_ENTITY_NONE;
    }
    for (int turn = 0; turn < 4000; turn++) {
        cosm_world world = sandbox_world(&box, dice_roll(&dice, 3));
        uint32_t which = dice_roll(&dice, 64);
        uint32_t what = dice_roll(&dice, 12);
        if (what < 3) {
            entities[which] = cosm_entity_spawn(world, box.mover);
        } else if (what < 5) {
            maybe(cosm_entity_despawn(world, entities[which]));
        } else if (what == 5) {
            maybe(cosm_entity_add(world, entities[which], box.health));
        } else if (what == 6) {
            maybe(cosm_entity_set(world, entities[which], box.position,
                                  &(Position){(float)turn, 0, 0}));
        } else if (what == 7) {
            CHECK_DONE(cosm_batch_step(box.batch));
        } else if (what == 8 && dice_roll(&dice, 20) == 0) {
            CHECK_DONE(cosm_batch_trim(box.batch));
        } else if (what == 9 && dice_roll(&dice, 20) == 0) {
            CHECK_DONE(cosm_world_reset(world));
        } else if (what == 10) {
            uint32_t slot = dice_roll(&dice, 8);
            cosm_snapshot_destroy(kept[slot]);
            kept[slot] = cosm_snapshot_create(box.all);
            sums[slot] = cosm_batch_checksum(box.batch);
        } else if (what == 11) {
            uint32_t slot = dice_roll(&dice, 8);
            if (kept[slot] != NULL) {
                CHECK_DONE(cosm_snapshot_restore(kept[slot], box.all));
                CHECK_VALID(box.batch);
                CHECK_INT(cosm_batch_checksum(box.batch), sums[slot]);
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    sandbox_close(&box);
}
