// Walks over worlds of a fixed archetype that have all their rows: what steps know of them is gone
// with the first row that is.
#include "harness.h"

#include "store/batch.h"
#include "support/fixture.h"

#define WORLDS 200u
#define ROWS 4u // of the archetype slot

struct stage {
    struct fixture box;
    cosm_query *query;
    uint64_t walked; // rows that the system saw in the last step
    uint32_t runs;
};

static void see(cosm_rows *rows) {
    struct stage *stage = rows->context;
    stage->walked += rows->count;
    stage->runs++;
}

static void fill(struct stage *stage) {
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = fixture_world(&stage->box, w);
        while (cosm_table_row_count(world, stage->box.slot) < ROWS) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, stage->box.slot)));
        }
    }
}

// A step in which the system sees every row there is.
static void step(struct stage *stage) {
    stage->walked = 0;
    stage->runs = 0;
    CHECK_DONE(cosm_batch_step(stage->box.batch));
    CHECK_INT(stage->walked, cosm_query_count(stage->query, stage->box.all));
    CHECK_VALID(stage->box.batch);
}

static bool is_known_full(const struct stage *stage) {
    return batch_known_store(stage->box.batch, stage->box.slot.id)->is_full;
}

static void open_stage(struct stage *stage) {
    *stage = (struct stage){.walked = 0};
    fixture_open_with(&stage->box, 0, &(cosm_engine_desc){.worker_count = 1},
                      &(cosm_batch_desc){.world_count = WORLDS});
    stage->query = fixture_query(&stage->box, stage->box.health, (cosm_component){0});
    cosm_system_desc desc = {.name = "see", .each = see, .context = stage, .global = true};
    desc.queries[0].terms[0] =
        (cosm_term){.component = stage->box.health, .access = COSM_ACCESS_WRITE};
    CHECK(cosm_system_define(stage->box.engine, &desc).id != 0);
    fill(stage);
    step(stage);
    CHECK(is_known_full(stage));
    CHECK_INT(stage->runs, 1);
}

static void close_stage(struct stage *stage) {
    cosm_query_destroy(stage->query);
    fixture_close(&stage->box);
}

static cosm_entity some(const struct stage *stage, uint32_t world) {
    return cosm_entity_at(fixture_world(&stage->box, world), (cosm_loc){stage->box.slot.id, 1});
}

// The ways in which world 100 loses rows.
static void lose_by_despawn(struct stage *stage) {
    CHECK_DONE(cosm_entity_despawn(fixture_world(&stage->box, 100), some(stage, 100)));
}

static void lose_by_moving(struct stage *stage) {
    CHECK_DONE(
        cosm_entity_add(fixture_world(&stage->box, 100), some(stage, 100), stage->box.velocity));
}

static void lose_by_reset(struct stage *stage) {
    CHECK_DONE(cosm_world_reset(fixture_world(&stage->box, 100)));
}

static void lose_by_clearing(struct stage *stage) {
    CHECK_DONE(cosm_table_clear(fixture_world(&stage->box, 100), stage->box.slot));
}

static void lose_by_query(struct stage *stage) {
    CHECK_DONE(cosm_query_despawn(stage->query, cosm_worlds_range(stage->box.batch, 100, 1)));
}

static void lose_by_bulk_move(struct stage *stage) {
    CHECK_DONE(cosm_query_add(stage->query, cosm_worlds_range(stage->box.batch, 100, 1),
                              stage->box.velocity));
}

static void lose_by_commands(struct stage *stage) {
    cosm_commands *commands = cosm_commands_create(stage->box.batch);
    CHECK_DONE(cosm_commands_despawn(commands, fixture_world(&stage->box, 100), some(stage, 100)));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
}

// A world that lacks a row is kept, and comes back once all worlds are full.
static void lose_by_restore(struct stage *stage) {
    lose_by_despawn(stage);
    cosm_snapshot *snapshot = cosm_snapshot_create(stage->box.all);
    CHECK(snapshot != NULL);
    fill(stage);
    step(stage);
    CHECK(is_known_full(stage));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, stage->box.all));
    cosm_snapshot_destroy(snapshot);
}

// World 100 becomes a copy of one with fewer rows, which is filled again.
static void lose_by_fork(struct stage *stage) {
    cosm_world source = fixture_world(&stage->box, 5);
    CHECK_DONE(cosm_entity_despawn(source, some(stage, 5)));
    CHECK_DONE(cosm_fork_world(source, cosm_worlds_range(stage->box.batch, 100, 1), NULL));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(source, stage->box.slot)));
}

TEST(walks_after_a_step_see_just_the_rows_there_are_however_one_was_lost) {
    void (*const ways[])(struct stage *) = {
        lose_by_despawn,   lose_by_moving,   lose_by_reset,   lose_by_clearing, lose_by_query,
        lose_by_bulk_move, lose_by_commands, lose_by_restore, lose_by_fork,
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct stage stage;
        open_stage(&stage);
        ways[i](&stage);
        CHECK(!is_known_full(&stage));
        CHECK(cosm_table_row_count(fixture_world(&stage.box, 100), stage.box.slot) < ROWS);
        CHECK_VALID(stage.box.batch);
        uint64_t seen = 0;
        cosm_rows rows;
        cosm_query_walk(stage.query, stage.box.all, &rows);
        while (cosm_rows_next(&rows)) {
            seen += rows.count;
        }
        CHECK_INT(seen, cosm_query_count(stage.query, stage.box.all));
        step(&stage);
        CHECK(!is_known_full(&stage));
        fill(&stage);
        step(&stage);
        CHECK(is_known_full(&stage));
        close_stage(&stage);
    }
}
