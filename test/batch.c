// Batches: making, stepping, resetting, trimming, checksums, validation (cosm/batch.h).
// ctest: threads
#include "store/batch.h"

#include <pthread.h>
#include <stdatomic.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/portrait.h"

// Queries and transitions remember where the tables of a batch are: not beyond its end.
TEST(a_batch_made_after_another_has_ended_sees_its_own_tables) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    for (uint32_t round = 0; round < 6; round++) {
        cosm_batch *batch = cosm_batch_create(box.engine, NULL);
        cosm_world world = cosm_batch_world(batch, 0);
        for (uint32_t i = 0; i < 3; i++) {
            cosm_entity entity = cosm_entity_spawn(world, box.mover);
            CHECK_DONE(cosm_entity_add(world, entity, box.health));
            CHECK_DONE(cosm_entity_remove(world, entity, box.velocity));
        }
        cosm_rows rows;
        uint32_t seen = 0;
        cosm_query_walk(query, cosm_worlds_all(batch), &rows);
        while (cosm_rows_next(&rows)) {
            seen += rows.count;
        }
        CHECK_INT(seen, 3);
        CHECK_VALID(batch);
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_zeroed_desc_makes_a_batch_of_one_world) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, NULL);
    CHECK_INT(cosm_batch_world_count(box.batch), 1);
    CHECK_INT(cosm_batch_seed(box.batch), 0);
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    CHECK_INT(cosm_batch_entity_count(box.batch), 0);
    CHECK(cosm_batch_engine(box.batch) == box.engine);
    fixture_close(&box);
}

TEST(a_batch_remembers_its_worlds_and_its_seed) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL,
                      &(cosm_batch_desc){.world_count = 9, .seed = 0x123456789ABCDEF});
    CHECK_INT(cosm_batch_world_count(box.batch), 9);
    CHECK_INT(cosm_batch_seed(box.batch), 0x123456789ABCDEF);
    fixture_close(&box);
}

TEST(asking_no_batch_gives_zero) {
    CHECK(cosm_batch_engine(NULL) == NULL);
    CHECK_INT(cosm_batch_world_count(NULL), 0);
    CHECK_INT(cosm_batch_seed(NULL), 0);
    CHECK_INT(cosm_batch_step_count(NULL), 0);
    CHECK_INT(cosm_batch_entity_count(NULL), 0);
    CHECK_INT(cosm_batch_memory(NULL).used, 0);
    CHECK_INT(cosm_hash_batch(NULL, COSM_HASH_EXACT), 0);
    CHECK_DONE(cosm_batch_destroy(NULL));
}

TEST(doing_something_to_no_batch_is_reported) {
    CHECK_FAILS(cosm_batch_step(NULL), COSM_ERROR_ARGUMENT, "cosm_batch_step:", "batch is NULL",
                "cosm_batch_create");
    CHECK_FAILS(cosm_batch_reset(NULL, NULL), COSM_ERROR_ARGUMENT,
                "cosm_batch_reset:", "batch is NULL", "cosm_batch_create");
    CHECK_FAILS(cosm_batch_trim(NULL), COSM_ERROR_ARGUMENT, "cosm_batch_trim:", "batch is NULL",
                "cosm_batch_create");
    CHECK_FAILS(cosm_batch_validate(NULL), COSM_ERROR_ARGUMENT,
                "cosm_batch_validate:", "batch is NULL", "cosm_batch_create");
    CHECK(cosm_batch_create(NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_create:", "engine is NULL",
                  "cosm_engine_create");
}

TEST(entities_are_counted_over_all_worlds) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, w + 1, &rows));
    }
    CHECK_INT(cosm_batch_entity_count(box.batch), 6);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 10, &rows));
    CHECK_INT(cosm_batch_entity_count(box.batch), 6);
    fixture_close(&box);
}

TEST(a_step_clears_temporary_rows_and_counts) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 5, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.event, 2, &rows));
    fixture_spawn(&box, 0);
    CHECK_INT(cosm_table_row_count(box.world, box.event), 5);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
    CHECK_INT(cosm_table_row_count(fixture_world(&box, 1), box.event), 0);
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    CHECK_INT(cosm_batch_step_count(box.batch), 1);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_batch_step_count(box.batch), 2);
    fixture_close(&box);
}

TEST(a_reset_by_mask_empties_the_worlds_that_are_asked_for) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    cosm_rows rows;
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 3, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 2, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.event, 2, &rows));
    }
    const uint8_t mask[] = {0, 1, 0, 255};
    CHECK_DONE(cosm_batch_reset(box.batch, mask));
    const uint32_t left[] = {5, 0, 5, 0};
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), left[w]);
        CHECK_INT(cosm_table_row_count(fixture_world(&box, w), box.slot), left[w] == 0 ? 0 : 2);
        CHECK_INT(cosm_table_row_count(fixture_world(&box, w), box.event), left[w] == 0 ? 0 : 2);
    }
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_INT(cosm_batch_entity_count(box.batch), 0);
    fixture_close(&box);
}

TEST(a_reset_with_one_world_walked_changes_no_world) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 3, &rows));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_query_walk(query, cosm_worlds_one(fixture_world(&box, 2)), &rows);
    CHECK_FAILS(cosm_batch_reset(box.batch, NULL), COSM_ERROR_WALKED,
                "cosm_batch_reset:", "world 2", "cosm_commands");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    const uint8_t others[] = {1, 1, 0};
    CHECK_DONE(cosm_batch_reset(box.batch, others));
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_batch_that_is_walked_is_neither_stepped_nor_trimmed_nor_destroyed) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_WALKED, "cosm_batch_step:", "world 0",
                "cosm_rows_end");
    CHECK_FAILS(cosm_batch_trim(box.batch), COSM_ERROR_WALKED, "cosm_batch_trim:", "world 0",
                "cosm_rows_end");
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_WALKED, "cosm_batch_destroy:", "world 0",
                "cosm_rows_end");
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(what_cannot_be_recorded_says_during_a_walk_to_end_the_walk) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    const cosm_export_desc desc = {.name = "x", .archetype = box.slot, .component = box.position};
    const cosm_world target = fixture_world(&box, 1);
    for (int i = 0; i < 5; i++) {
        cosm_error_clear();
        cosm_result result = COSM_ERROR_WALKED;
        switch (i) {
        case 0:
            result = cosm_batch_destroy(box.batch);
            break;
        case 1:
            CHECK(cosm_snapshot_create(box.all) == NULL);
            break;
        case 2:
            result = cosm_export_define(box.engine, &desc);
            break;
        case 3:
            result = cosm_fork_world(box.world, cosm_worlds_one(target), NULL);
            break;
        default:
            result = cosm_fork_many(box.world, &target, 1, NULL);
            break;
        }
        CHECK_INT(result, COSM_ERROR_WALKED);
        CHECK_CONTAINS(cosm_error_message(),
                       "is being walked; finish the walk, or end it with cosm_rows_end");
    }
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_batch_with_commands_objects_is_not_destroyed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY,
                "cosm_batch_destroy:", "1 commands objects", "cosm_commands_destroy");
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(trimming_gives_back_what_empty_tables_held) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    CHECK_DONE(cosm_batch_trim(box.batch));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1, &rows));
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_DONE(cosm_batch_trim(box.batch));
    size_t bottom = cosm_batch_memory(box.batch).used;
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_DONE(
            cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 10u << (w * 4), &rows));
    }
    size_t top = cosm_batch_memory(box.batch).used;
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_INT(cosm_batch_memory(box.batch).used, top);
    CHECK_DONE(cosm_batch_trim(box.batch));
    // What stays is a record of 12 bytes per id, so that old handles stay stale.
    CHECK(cosm_batch_memory(box.batch).used <= bottom + 45000 * 16);
    CHECK_INT(cosm_table_describe(fixture_world(&box, 3), box.mover).capacity, 0);
    fixture_close(&box);
}

TEST(trimming_changes_nothing_that_can_be_read) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    const uint32_t counts[] = {1, 7, 100, 30000};
    for (int i = 0; i < 4; i++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, counts[i], &rows));
        Position *position = COSM_WRITE(&rows, Position);
        for (uint32_t r = 0; r < rows.count; r++) {
            position[r].x = (float)(r * 3 + counts[i]);
        }
        uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        CHECK_DONE(cosm_batch_trim(box.batch));
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_world_reset(box.world));
    }
    fixture_close(&box);
}

TEST(equal_histories_have_equal_checksums) {
    uint64_t checksums[2];
    for (int i = 0; i < 2; i++) {
        struct fixture box;
        fixture_open(&box, 0, 2);
        cosm_entity a = fixture_spawn(&box, 1);
        fixture_spawn(&box, 2);
        CHECK_DONE(cosm_entity_add(box.world, a, box.health));
        CHECK_DONE(cosm_batch_step(box.batch));
        checksums[i] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        fixture_close(&box);
    }
    CHECK_INT(checksums[0], checksums[1]);
}

TEST(the_checksum_sees_values_ids_order_step_and_seed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint64_t seen[8];
    uint32_t count = 0;
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_entity b = fixture_spawn(&box, 2);
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    COSM_WRITE(box.world, a, Position)->y = 3;
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_entity_despawn(box.world, b));
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_batch_step(box.batch));
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    seen[count++] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_batch *other = cosm_batch_create(box.engine, &(cosm_batch_desc){.seed = 8});
    seen[count++] = cosm_hash_batch(other, COSM_HASH_EXACT);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            CHECK(seen[i] != seen[j]);
        }
    }
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

TEST(the_order_in_which_archetypes_formed_is_not_in_the_checksum) {
    uint64_t checksums[2];
    for (int i = 0; i < 2; i++) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        cosm_archetype_desc a = {.components = {box.health}};
        cosm_archetype_desc b = {.components = {box.velocity}};
        CHECK(cosm_archetype_define(box.engine, i == 0 ? &a : &b).id != 0);
        CHECK(cosm_archetype_define(box.engine, i == 0 ? &b : &a).id != 0);
        CHECK(!cosm_entity_is_none(
            cosm_entity_spawn(box.world, cosm_archetype_of(box.engine, &box.health, 1))));
        CHECK(!cosm_entity_is_none(
            cosm_entity_spawn(box.world, cosm_archetype_of(box.engine, &box.velocity, 1))));
        checksums[i] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        fixture_close(&box);
    }
    CHECK_INT(checksums[0], checksums[1]);
}

TEST(validation_finds_what_was_broken_by_hand) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    fixture_spawn(&box, 0);
    struct world *world = &box.batch->worlds[0];
    CHECK_VALID(box.batch);
    world->records[entity.id].row = 1;
    CHECK_FAILS(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT,
                "cosm_batch_validate:", "world 0", "please report it");
    world->records[entity.id].row = 0;
    world->alive = 3;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->alive = 2;
    world->free_count = 1;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->free_count = 0;
    struct store *store = batch_store(box.batch, box.mover.id);
    store->counts[0] = 3;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    store->counts[0] = 2;
    void *column = store->tables[0]->columns[1];
    store->tables[0]->columns[1] = (char *)column + 4;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    store->tables[0]->columns[1] = NULL;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    store->tables[0]->columns[1] = column;
    uint32_t capacity = store->tables[0]->capacity;
    store->tables[0]->capacity = 1;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    store->tables[0]->capacity = capacity;
    fixture_close(&box);
}

TEST(validation_finds_a_broken_directory) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[3];
    for (int i = 0; i < 3; i++) {
        entities[i] = fixture_spawn(&box, 0);
    }
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities + 1, 2));
    struct world *world = &box.batch->worlds[0];
    CHECK_VALID(box.batch);
    world->records[1].gen++;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->records[1].gen--;
    world->records[2].row = 2; // a list that bites its tail
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->records[2].row = ID_NONE;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->records[2].row = 1;
    world->records[0].table = 999;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->records[0].table = box.mover.id;
    uint32_t known = world->known;
    world->known = world->capacity + 1;
    CHECK_INT(cosm_batch_validate(box.batch), COSM_ERROR_CORRUPT);
    world->known = known;
    fixture_close(&box);
}

TEST(entity_capacity_makes_room_at_once) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.world_count = 2, .entity_capacity = 5000});
    CHECK(cosm_world_memory(box.world).used >= (size_t)5000 * 12);
    CHECK(box.batch->worlds[1].capacity >= 5000);
    fixture_close(&box);
}

TEST(several_batches_of_one_engine_are_independent) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    REQUIRE(other != NULL);
    fixture_spawn(&box, 0);
    CHECK_INT(cosm_batch_entity_count(other), 0);
    CHECK_DONE(cosm_batch_step(other));
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    CHECK_INT(cosm_query_count(query, box.all), 1);
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(other)), 0);
    cosm_query_destroy(query);
    CHECK_DONE(cosm_batch_destroy(other));
    CHECK_INT(cosm_batch_entity_count(box.batch), 1);
    fixture_close(&box);
}

TEST(a_batch_with_wrong_values_is_refused) {
    cosm_engine *engine = cosm_engine_create(NULL);
    volatile float zero = 0.0f;
    const float seconds[] = {-1.0f, zero / zero, 1.0f / zero};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(cosm_batch_create(engine, &(cosm_batch_desc){.step_seconds = seconds[i]}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_create:", "desc.step_seconds", "1/60");
    }
    const cosm_split splits[] = {(cosm_split)4, (cosm_split)-1};
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(cosm_batch_create(engine, &(cosm_batch_desc){.split = splits[i]}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_create:", "desc.split", "cosm_split");
    }
    CHECK_INT(cosm_engine_describe(engine).batch_count, 0);
    cosm_batch *batch =
        cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 3, .block_worlds = UINT32_MAX});
    CHECK(batch != NULL);
    CHECK_NEAR(cosm_batch_step_seconds(batch), 1.0 / 60.0, 1e-9);
    CHECK(!cosm_batch_is_running(batch));
    CHECK(!cosm_batch_is_running(NULL));
    CHECK_NEAR(cosm_batch_step_seconds(NULL), 0, 0);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Everything that must not be done to a batch from within one of its systems.
static void meddle(const cosm_turn *turn) {
    struct fixture *box = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    cosm_world world = cosm_batch_world(batch, turn->worlds.first);
    CHECK(cosm_batch_is_running(batch));
    CHECK_FAILS(cosm_batch_step(batch), COSM_ERROR_BUSY, "cosm_batch_step:", "'meddler'",
                "steps do not nest");
    CHECK_FAILS(cosm_batch_run_phase(batch, COSM_PHASE_RENDER, 0), COSM_ERROR_BUSY,
                "cosm_batch_run_phase:", "'meddler'", "steps do not nest");
    CHECK_INT(cosm_batch_end_step(batch), COSM_ERROR_BUSY);
    CHECK_FAILS(cosm_batch_destroy(batch), COSM_ERROR_BUSY, "cosm_batch_destroy:", "'meddler'",
                "between steps");
    CHECK_FAILS(cosm_engine_destroy(box->engine), COSM_ERROR_BUSY,
                "cosm_engine_destroy:", "1 batch", "cosm_batch_destroy");
    CHECK_FAILS(cosm_batch_reset(batch, NULL), COSM_ERROR_WALKED, "cosm_batch_reset:", "'meddler'",
                "cosm_turn_commands");
    CHECK_FAILS(cosm_batch_trim(batch), COSM_ERROR_WALKED, "cosm_batch_trim:", "'meddler'",
                "cosm_turn_commands");
    CHECK_FAILS(cosm_world_reset(world), COSM_ERROR_WALKED, "cosm_world_reset:", "'meddler'",
                "cosm_turn_commands");
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, box->mover)));
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_entity_spawn:", "'meddler'", "cosm_turn_commands");
    cosm_entity entity = cosm_table_entities(world, box->mover)[0];
    CHECK_FAILS(cosm_entity_despawn(world, entity), COSM_ERROR_WALKED,
                "cosm_entity_despawn:", "'meddler'", "exclusive");
    CHECK_FAILS(cosm_entity_add(world, entity, box->mark), COSM_ERROR_WALKED,
                "cosm_entity_add:", "'meddler'", "exclusive");
    CHECK_FAILS(cosm_table_clear(world, box->mover), COSM_ERROR_WALKED,
                "cosm_table_clear:", "'meddler'", "exclusive");
    CHECK_FAILS(cosm_world_reserve(world, box->mover, 5000), COSM_ERROR_WALKED,
                "cosm_world_reserve:", "'meddler'", "exclusive");
}

TEST(a_system_cannot_step_change_or_destroy_the_batch_it_runs_in) {
    for (uint32_t i = 0; i < 4; i++) {
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 2},
                          &(cosm_batch_desc){.split = (cosm_split)i});
        fixture_spawn(&box, 1);
        struct portrait before = portrait_of(box.all, PORTRAIT_NO_STREAM); // but for the step
        cosm_system_desc desc = {.name = "meddler", .run = meddle, .context = &box};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        // The first of the refusals is what the step tells.
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_BUSY, "cosm_batch_step:", "'meddler'",
                    "steps do not nest");
        CHECK_PORTRAIT(&before, box.all, PORTRAIT_NO_STREAM);
        portrait_free(&before);
        CHECK_INT(cosm_batch_step_count(box.batch), 1);
        CHECK(!cosm_batch_is_running(box.batch));
        fixture_close(&box);
    }
}

// Two threads that step one batch: every step is either taken or refused.
struct contest {
    struct fixture box;
    atomic_uint taken;
    atomic_uint refused;
};

static void *step_contest(void *context) {
    struct contest *contest = context;
    for (uint32_t i = 0; i < 300; i++) {
        cosm_result result = cosm_batch_step(contest->box.batch);
        CHECK(result == COSM_OK || result == COSM_ERROR_BUSY);
        atomic_fetch_add(result == COSM_OK ? &contest->taken : &contest->refused, 1);
    }
    return NULL;
}

static void move_rows(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
    }
}

TEST(one_of_two_threads_that_step_a_batch_at_the_same_time_is_refused) {
    struct contest contest = {.taken = 0};
    fixture_open_with(&contest.box, 0, &(cosm_engine_desc){.worker_count = 2},
                      &(cosm_batch_desc){.world_count = 20});
    struct fixture *box = &contest.box;
    cosm_system_desc desc = {
        .name = "move",
        .each = move_rows,
        .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    cosm_rows rows;
    for (uint32_t w = 0; w < 20; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->mover, 50, &rows));
    }
    pthread_t threads[2];
    for (uint32_t t = 0; t < 2; t++) {
        CHECK_INT(pthread_create(&threads[t], NULL, step_contest, &contest), 0);
    }
    for (uint32_t t = 0; t < 2; t++) {
        CHECK_INT(pthread_join(threads[t], NULL), 0);
    }
    CHECK_INT(atomic_load(&contest.taken) + atomic_load(&contest.refused), 600);
    CHECK_INT(cosm_batch_step_count(box->batch), atomic_load(&contest.taken));
    const Position *position = cosm_table_column(fixture_world(box, 19), box->mover, box->position);
    CHECK_NEAR(position[49].x, atomic_load(&contest.taken), 0);
    fixture_close(box);
}

TEST(a_step_during_a_walk_says_to_end_the_walk) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    (void)fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    cosm_error_clear();
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_WALKED);
    CHECK_STR(cosm_error_message(), "cosm_batch_step: world 0 is being walked; finish the walk, or "
                                    "end it with cosm_rows_end");
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_query_destroy(query);
    fixture_close(&box);
}

static void fail_in_step_three(const cosm_turn *turn) {
    if (turn->step == 3) {
        cosm_turn_fail(turn, "this is the fourth step");
    }
}

TEST(many_steps_are_taken_in_one_call_up_to_the_first_that_fails) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    CHECK_DONE(cosm_batch_run(box.batch, 0));
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    CHECK_DONE(cosm_batch_run(box.batch, 2));
    CHECK_INT(cosm_batch_step_count(box.batch), 2);
    CHECK(cosm_system_define(box.engine,
                             &(cosm_system_desc){.name = "fourth", .run = fail_in_step_three})
              .id != 0);
    CHECK_FAILS(cosm_batch_run(box.batch, 10), COSM_ERROR_SYSTEM, "fourth", "this is the", "step");
    CHECK_INT(cosm_batch_step_count(box.batch), 4);
    CHECK_INT(cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "late"}).id, 0);
    CHECK_FAILS(cosm_batch_run(box.batch, 10), COSM_ERROR_ARGUMENT,
                "cosm_batch_run:", "bundle 'late' could not be defined", "step again");
    CHECK_FAILS(cosm_batch_run(NULL, 1), COSM_ERROR_ARGUMENT, "cosm_batch_run:", "batch is NULL",
                "cosm_batch_create");
    fixture_close(&box);
}

TEST(a_batch_with_an_owner_is_not_destroyed_while_it_is_the_owners) {
    struct fixture box;
    const char *owner = "a farm; sell that";
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.owner = &owner});
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "belongs to a farm", "sell that");
    CHECK_DONE(cosm_batch_step(box.batch));
    owner = NULL;
    fixture_close(&box);
}
