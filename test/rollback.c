// Rollback: the last states of some worlds, kept and gone back to.
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

// Moves every mover by what the world draws for it in this step.
static void wander(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    cosm_world world = {rows->turn->worlds.batch, rows->world};
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_random random = cosm_turn_random(rows->turn, world, rows->entities[i].id);
        position[i].x += cosm_random_between(&random, -1.0f, 1.0f);
    }
}

static void open_wandering(struct fixture *box, uint32_t world_count) {
    fixture_open(box, 0, world_count);
    cosm_system wandering = cosm_system_define(
        box->engine,
        &(cosm_system_desc){
            .name = "wander",
            .each = wander,
            .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                   {.component = box->velocity}},
                         .by_world = true}},
        });
    CHECK(wandering.id != 0);
    for (uint32_t w = 0; w < world_count; w++) {
        for (uint32_t i = 0; i < 10; i++) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->mover)));
        }
    }
}

TEST(going_back_and_stepping_again_gives_the_same_states) {
    struct fixture box;
    open_wandering(&box, 3);
    cosm_rollback *past = cosm_rollback_create(box.all, &(cosm_rollback_desc){.step_max = 8});
    REQUIRE(past != NULL);
    uint64_t sums[12];
    for (uint32_t step = 0; step < 12; step++) {
        sums[step] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_INT(cosm_rollback_describe(past).count, 8);
    CHECK_INT(cosm_snapshot_describe(cosm_rollback_snapshot(past, 1)).step_count, 11);
    CHECK_INT(cosm_snapshot_describe(cosm_rollback_snapshot(past, 8)).step_count, 4);
    CHECK(cosm_rollback_snapshot(past, 9) == NULL);
    CHECK(cosm_rollback_snapshot(past, 0) == NULL);
    uint64_t end = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_rollback_back(past, 5));
    CHECK_INT(cosm_batch_step_count(box.batch), 7);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sums[7]);
    CHECK_INT(cosm_rollback_describe(past).count, 4);
    for (uint32_t step = 7; step < 12; step++) {
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sums[step]);
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK_INT(cosm_rollback_describe(past).count, step - 3);
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), end);
    CHECK_VALID(box.batch);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(a_state_that_is_the_newest_is_not_kept_twice) {
    struct fixture box;
    open_wandering(&box, 2);
    cosm_rollback *past = cosm_rollback_create(box.all, NULL);
    for (uint32_t step = 0; step < 4; step++) {
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_DONE(cosm_rollback_back(past, 2));
    CHECK_INT(cosm_rollback_describe(past).count, 3);
    size_t bytes = cosm_rollback_describe(past).bytes;
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 3);
    CHECK_INT(cosm_rollback_describe(past).bytes, bytes);
    // A change is a new state, whatever it is about.
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 4);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &(Position){4, 5, 6}));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 5);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 6);
    // And so is a step in which nothing changes.
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 7);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(the_ring_keeps_sixteen_unless_told_otherwise) {
    struct fixture box;
    open_wandering(&box, 1);
    cosm_rollback *past = cosm_rollback_create(box.all, NULL);
    for (uint32_t step = 0; step < 40; step++) {
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK_INT(cosm_rollback_describe(past).count, step < 16 ? step + 1 : 16);
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    for (uint32_t i = 1; i <= 16; i++) {
        CHECK_INT(cosm_snapshot_describe(cosm_rollback_snapshot(past, i)).step_count, 40 - i);
    }
    cosm_rollback_clear(past);
    CHECK_INT(cosm_rollback_describe(past).count, 0);
    CHECK_INT(cosm_rollback_describe(past).bytes, 0);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(a_ring_of_one_holds_the_newest) {
    struct fixture box;
    open_wandering(&box, 1);
    cosm_rollback *past = cosm_rollback_create(box.all, &(cosm_rollback_desc){.step_max = 1});
    for (uint32_t step = 0; step < 5; step++) {
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_INT(cosm_rollback_describe(past).count, 1);
    CHECK_DONE(cosm_rollback_back(past, 1));
    CHECK_INT(cosm_batch_step_count(box.batch), 4);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(worlds_that_are_not_of_the_ring_go_on) {
    struct fixture box;
    open_wandering(&box, 4);
    cosm_rollback *past = cosm_rollback_create(cosm_worlds_range(box.batch, 1, 2), NULL);
    CHECK_DONE(cosm_rollback_keep(past));
    uint64_t kept = cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT);
    CHECK_DONE(cosm_batch_step(box.batch));
    uint64_t first = cosm_hash_world(fixture_world(&box, 0), COSM_HASH_EXACT);
    uint64_t last = cosm_hash_world(fixture_world(&box, 3), COSM_HASH_EXACT);
    CHECK_DONE(cosm_rollback_back(past, 1));
    CHECK_INT(cosm_hash_world(fixture_world(&box, 0), COSM_HASH_EXACT), first);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT), kept);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 3), COSM_HASH_EXACT), last);
    // The batch goes on; the worlds that went back draw from where they were.
    CHECK_INT(cosm_batch_step_count(box.batch), 1);
    CHECK_INT(cosm_world_step_count(fixture_world(&box, 1)), 0);
    CHECK_INT(cosm_world_step_count(fixture_world(&box, 3)), 1);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(the_bytes_of_a_ring_are_those_that_clearing_it_gives_back) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 20000, &rows));
    cosm_entity some = rows.entities[500];
    cosm_rollback *past = cosm_rollback_create(box.all, &(cosm_rollback_desc){.step_max = 6});
    struct dice dice = {harness_seed()};
    for (int turn = 0; turn < 200; turn++) {
        uint32_t what = dice_roll(&dice, 8);
        if (what < 3) {
            CHECK_DONE(cosm_entity_set(box.world, some, box.velocity, &(Velocity){1, 2, 3}));
        } else if (what == 3) {
            (void)fixture_spawn(&box, 1);
        } else if (what == 4) {
            CHECK_DONE(cosm_batch_step(box.batch));
        } else if (what == 5 && cosm_rollback_describe(past).count > 0) {
            CHECK_DONE(
                cosm_rollback_back(past, 1 + dice_roll(&dice, cosm_rollback_describe(past).count)));
        } else {
            CHECK_DONE(cosm_rollback_keep(past));
        }
    }
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_rollback_keep(past));
    // The batch holds on to what it shared last; without that the ring holds all alone.
    CHECK_DONE(cosm_batch_trim(box.batch));
    size_t held = cosm_rollback_describe(past).bytes;
    size_t before = ledger.block_bytes;
    CHECK(held > 600000);
    cosm_rollback_clear(past);
    CHECK_INT(before - ledger.block_bytes, held);
    cosm_rollback_destroy(past);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(a_budget_lets_go_of_the_oldest_and_keeps_the_newest) {
    struct fixture box;
    open_wandering(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
    cosm_rollback *past = cosm_rollback_create(
        box.all, &(cosm_rollback_desc){.step_max = 100, .memory_budget = 600000});
    for (uint32_t step = 0; step < 30; step++) {
        CHECK_DONE(cosm_rollback_keep(past));
        CHECK(cosm_rollback_describe(past).bytes <= 600000);
        CHECK_INT(cosm_snapshot_describe(cosm_rollback_snapshot(past, 1)).step_count, step);
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    // All positions change with every step; handles, velocities and records do not.
    CHECK(cosm_rollback_describe(past).count > 5);
    CHECK(cosm_rollback_describe(past).count < 10);
    cosm_rollback_destroy(past);
    past =
        cosm_rollback_create(box.all, &(cosm_rollback_desc){.step_max = 100, .memory_budget = 1});
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 1);
    CHECK_INT(cosm_snapshot_describe(cosm_rollback_snapshot(past, 1)).step_count, 31);
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(what_cannot_be_done_is_refused) {
    struct fixture box;
    open_wandering(&box, 2);
    cosm_error_clear();
    CHECK(cosm_rollback_create((cosm_worlds){box.batch, 1, 2}, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_rollback_create", "2 worlds", "range");
    CHECK_FAILS(cosm_rollback_keep(NULL), COSM_ERROR_ARGUMENT, "cosm_rollback_keep", "NULL",
                "cosm_rollback_create");
    CHECK_FAILS(cosm_rollback_back(NULL, 1), COSM_ERROR_ARGUMENT, "cosm_rollback_back", "NULL",
                "cosm_rollback_create");
    cosm_rollback_destroy(NULL);
    cosm_rollback_clear(NULL);
    CHECK_INT(cosm_rollback_describe(NULL).count, 0);
    CHECK_INT(cosm_rollback_describe(NULL).bytes, 0);
    CHECK(cosm_rollback_snapshot(NULL, 1) == NULL);

    cosm_rollback *past = cosm_rollback_create(box.all, NULL);
    CHECK_FAILS(cosm_rollback_back(past, 1), COSM_ERROR_ARGUMENT, "cosm_rollback_back",
                "no state 1 among the 0", "cosm_rollback_keep");
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_batch_step(box.batch));
    uint64_t sum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_rollback_back(past, 0), COSM_ERROR_ARGUMENT, "cosm_rollback_back",
                "no state 0 among the 1", "1 is the newest");
    CHECK_FAILS(cosm_rollback_back(past, 2), COSM_ERROR_ARGUMENT, "cosm_rollback_back",
                "no state 2 among the 1", "1 is the newest");
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_FAILS(cosm_rollback_keep(past), COSM_ERROR_WALKED, "cosm_rollback_keep", "world 0",
                "finish the walk");
    CHECK_FAILS(cosm_rollback_back(past, 1), COSM_ERROR_WALKED, "cosm_rollback_back", "world 0",
                "finish the walk");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    CHECK_INT(cosm_rollback_describe(past).count, 1);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sum);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy", "1 rollbacks",
                "cosm_rollback_destroy");
    CHECK_DONE(cosm_rollback_back(past, 1));
    cosm_rollback_destroy(past);
    fixture_close(&box);
}

TEST(running_out_of_memory_leaves_ring_and_worlds_as_they_were) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    cosm_allocator allocator = ledger_allocator(&ledger);
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = allocator},
                      &(cosm_batch_desc){.world_count = 2});
    for (uint64_t n = 1;; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_rollback *past = cosm_rollback_create(box.all, NULL);
        bool refused = ledger_relent(&ledger);
        CHECK((past == NULL) == refused);
        cosm_rollback_destroy(past);
        if (!refused) {
            break;
        }
    }
    cosm_rollback *past = cosm_rollback_create(box.all, NULL);
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_rollback_keep(past));
    for (int turn = 0; turn < 2; turn++) {
        CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &(Position){3, 4, 5}));
        CHECK_DONE(cosm_entity_despawn(fixture_world(&box, 1),
                                       cosm_entity_spawn(fixture_world(&box, 1), box.mover)));
        uint64_t sum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        for (uint64_t n = 1;; n++) {
            uint32_t count = cosm_rollback_describe(past).count;
            size_t bytes = cosm_rollback_describe(past).bytes;
            ledger_refuse(&ledger, n, 1);
            cosm_result result = turn == 0 ? cosm_rollback_keep(past) : cosm_rollback_back(past, 2);
            bool refused = ledger_relent(&ledger);
            CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
            if (!refused) {
                break;
            }
            CHECK_INT(cosm_rollback_describe(past).count, count);
            CHECK_INT(cosm_rollback_describe(past).bytes, bytes);
            CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sum);
        }
    }
    CHECK_INT(cosm_rollback_describe(past).count, 1);
    cosm_rollback_destroy(past);
    fixture_close(&box);
    ledger_close(&ledger);
}
