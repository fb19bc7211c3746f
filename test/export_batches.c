// Exports in several batches of one engine: each shows its own rows, and all get a slot or none
// does.
#include "harness.h"
#include "store/batch.h"
#include "support/fixture.h"

enum { SLOT_QUERY = 1, SLOT_FIRST = 0 };

static cosm_result define_query(const struct fixture *box, uint32_t slot, const char *name) {
    cosm_query_desc query = {.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE}}};
    return cosm_export_define(
        box->engine, &(cosm_export_desc){
                         .slot = slot, .name = name, .query = &query, .component = box->position});
}

static int64_t rows_shown(const cosm_batch *batch, uint32_t slot) {
    return cosm_batch_tensor(batch, slot)->shape[0];
}

TEST(a_new_batch_shows_its_own_rows_and_leaves_those_of_others_alone) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_DONE(define_query(&box, SLOT_QUERY, "positions"));
    cosm_archetype plain = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, box.mark, box.health}});
    CHECK_DONE(cosm_export_define(box.engine, &(cosm_export_desc){.slot = SLOT_FIRST,
                                                                  .name = "first",
                                                                  .archetype = plain,
                                                                  .component = box.position}));
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, plain)));
    }
    CHECK_DONE(cosm_batch_gather(box.batch));
    CHECK_INT(rows_shown(box.batch, SLOT_QUERY), 3);
    cosm_batch *large = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 500});
    CHECK(large != NULL);
    CHECK_INT(rows_shown(large, SLOT_QUERY), 0);
    CHECK_DONE(cosm_batch_gather(box.batch));
    CHECK_INT(rows_shown(box.batch, SLOT_QUERY), 3);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    CHECK_INT(cosm_query_count(query, box.all), 3);
    CHECK_DONE(cosm_batch_destroy(large));
    CHECK_DONE(cosm_batch_gather(box.batch));
    CHECK_INT(rows_shown(box.batch, SLOT_QUERY), 3);
    CHECK_INT(cosm_query_count(query, box.all), 3);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(where_one_batch_is_walked_no_batch_gets_a_slot) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 1.0f);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    for (uint32_t i = 0; i < 2; i++) {
        // The list of batches has the newer one first: both orders are tried.
        cosm_batch *walked = i == 0 ? box.batch : other;
        if (i == 1) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(other, 0), box.mover)));
        }
        cosm_query_walk(query, cosm_worlds_all(walked), &rows);
        CHECK(cosm_rows_next(&rows));
        CHECK_INT(define_query(&box, 5, "late"), COSM_ERROR_WALKED);
        CHECK(cosm_batch_tensor(box.batch, 5) == NULL);
        CHECK(cosm_batch_tensor(other, 5) == NULL);
        CHECK(!cosm_batch_is_running(box.batch));
        CHECK(!cosm_batch_is_running(other));
        cosm_rows_end(&rows);
    }
    CHECK_DONE(define_query(&box, 5, "late"));
    CHECK_INT(rows_shown(box.batch, 5), 1);
    CHECK_INT(rows_shown(other, 5), 1);
    cosm_query_destroy(query);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

TEST(refused_definitions_keep_no_memory) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 1.0f);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(define_query(&box, 5, "late"), COSM_ERROR_WALKED);
    size_t used = cosm_engine_describe(box.engine).memory.used;
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_INT(define_query(&box, 5, "late"), COSM_ERROR_WALKED);
        CHECK_INT(define_query(&box, COSM_EXPORT_SLOT_MAX, "late"), COSM_ERROR_LIMIT);
    }
    CHECK_INT(cosm_engine_describe(box.engine).memory.used, used);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_table_that_was_pinned_once_has_room_for_its_ticks_after_a_trim) {
    for (uint32_t rows = 1; rows < 2000; rows += 37) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        cosm_rows spawned;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, rows, &spawned));
        struct store *store = batch_known_store(box.batch, box.mover.id);
        CHECK(cosmi_store_pin(batch_source(box.batch), store));
        cosmi_store_unpin(store);
        cosm_snapshot *snapshot = cosm_snapshot_create(box.all); // changes are tracked from now on
        CHECK_DONE(cosm_batch_trim(box.batch));
        CHECK_VALID(box.batch);
        uint32_t room = cosm_table_describe(box.world, box.mover).capacity - rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, room + 1, &spawned));
        CHECK_VALID(box.batch);
        cosm_snapshot_destroy(snapshot);
        fixture_close(&box);
    }
}
