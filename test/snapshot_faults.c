// Snapshots when memory runs out: taking one changes nothing, restoring one is done or not done.
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

static void live(struct fixture *box) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, 3000, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, 1), box->slot, 4, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->stone, 10, &rows));
}

TEST(when_the_nth_allocation_fails_a_snapshot_is_not_taken_and_nothing_has_changed) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    live(&box);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        CHECK_DONE(cosm_batch_trim(box.batch));
        size_t used = cosm_engine_describe(box.engine).memory.used;
        ledger_refuse(&ledger, n, 1);
        cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
        refused = ledger_relent(&ledger);
        CHECK((snapshot == NULL) == refused);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
        CHECK_VALID(box.batch);
        cosm_snapshot_destroy(snapshot);
        CHECK_DONE(cosm_batch_trim(box.batch));
        CHECK_INT(cosm_engine_describe(box.engine).memory.used, used);
    }
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(when_the_nth_allocation_fails_a_restore_is_done_or_not_done) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    live(&box);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    uint64_t then = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        cosm_batch *fresh =
            cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2, .seed = 3});
        uint64_t now = cosm_hash_batch(fresh, COSM_HASH_EXACT);
        ledger_refuse(&ledger, n, 1);
        cosm_result result = cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(fresh));
        refused = ledger_relent(&ledger);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK_INT(cosm_hash_batch(fresh, COSM_HASH_EXACT), refused ? now : then);
        CHECK_VALID(fresh);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(fresh)));
        CHECK_INT(cosm_hash_batch(fresh, COSM_HASH_EXACT), then);
        CHECK_DONE(cosm_batch_destroy(fresh));
    }
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
    ledger_close(&ledger);
}
