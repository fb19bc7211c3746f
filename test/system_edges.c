// Systems at the edges: walks that are left open, lists with holes, hooks that make things, and
// profiles and loops beside steps.
// ctest: threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness.h"
#include "support/fixture.h"

// Leaves every walk after its first run of rows.
static void break_off(const cosm_turn *turn) {
    cosm_rows rows;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(turn->worlds.batch, turn->worlds.first + w);
        cosm_turn_walk(turn, 0, cosm_worlds_one(world), &rows);
        CHECK(cosm_rows_next(&rows));
        CHECK(rows.turn == turn);
    }
    cosm_turn_walk(turn, 0, turn->worlds, &rows);
    CHECK(cosm_rows_next(&rows));
}

static void open_filled(struct fixture *box, uint32_t workers, uint32_t worlds, cosm_split split) {
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .split = split});
    for (uint32_t w = 0; w < worlds; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->mover)));
    }
}

TEST(a_walk_that_a_system_leaves_open_leaves_no_trace) {
    static const cosm_split splits[] = {COSM_SPLIT_NONE, COSM_SPLIT_WORLDS, COSM_SPLIT_CHUNKS};
    static const uint32_t worlds[] = {1, 2, 64, 200};
    for (uint32_t i = 0; i < 12; i++) {
        struct fixture box;
        open_filled(&box, 3, worlds[i % 4], splits[i / 4]);
        cosm_system_desc desc = {
            .name = "break off",
            .run = break_off,
            .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_DONE(cosm_batch_step(box.batch));
        for (uint32_t w = 0; w < worlds[i % 4]; w++) {
            CHECK(!cosm_world_is_walked(fixture_world(&box, w)));
        }
        fixture_close(&box);
    }
}

TEST(a_walk_that_an_exclusive_system_leaves_open_is_told_and_ended) {
    static const uint32_t worlds[] = {1, 2, 64, 200};
    for (uint32_t i = 0; i < 4; i++) {
        struct fixture box;
        open_filled(&box, 2, worlds[i], COSM_SPLIT_WORLDS);
        cosm_system_desc desc = {
            .name = "break off",
            .run = break_off,
            .exclusive = true,
            .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        for (uint32_t s = 0; s < 2; s++) {
            CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_WALKED,
                        "cosm_batch_step:", "'break off'", "cosm_rows_end");
        }
        for (uint32_t w = 0; w < worlds[i]; w++) {
            CHECK(!cosm_world_is_walked(fixture_world(&box, w)));
        }
        fixture_close(&box);
    }
}

static void record_there(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    cosm_world world = cosm_batch_world(turn->worlds.batch, 5);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(cosm_turn_commands(turn), world, box->mover)));
}

TEST(a_hosts_walk_outlives_the_step_that_it_disturbs) {
    struct fixture box;
    open_filled(&box, 1, 100, COSM_SPLIT_NONE);
    cosm_system_desc desc = {
        .name = "record", .run = record_there, .context = &box, .global = true, .commands = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(fixture_world(&box, 5)), &rows);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_WALKED, "cosm_batch_step:", "world 5",
                "do not walk");
    CHECK(cosm_world_is_walked(fixture_world(&box, 5)));
    cosm_rows_end(&rows);
    CHECK(!cosm_world_is_walked(fixture_world(&box, 5)));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_world_entity_count(fixture_world(&box, 5)), 2);
    cosm_query_destroy(query);
    fixture_close(&box);
}

static void no_turn(const cosm_turn *turn) {
    (void)turn;
}

TEST(a_query_or_an_order_with_a_hole_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "hole", .run = no_turn};
    desc.queries[0].terms[1].component = box.position;
    CHECK_INT(cosm_system_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_system_define: 'hole'", "queries[0]: terms[1]",
                  "ends the list");
    desc = (cosm_system_desc){.name = "hole", .run = no_turn};
    desc.queries[0].terms[0].component = box.position;
    desc.queries[2].terms[3].component = box.position;
    CHECK_INT(cosm_system_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_system_define: 'hole'", "queries[2]: terms[3]",
                  "ends the list");
    desc = (cosm_system_desc){.name = "order", .run = no_turn, .after = {""}};
    CHECK_INT(cosm_system_define(box.engine, &desc).id, 0);
    CHECK_INT(cosm_engine_describe(box.engine).system_count, 0);
    fixture_close(&box);
}

struct keeper {
    cosm_loop *loop;
};

static void make_loop(void *context, cosm_batch *batch) {
    struct keeper *keeper = context;
    if (keeper->loop == NULL) {
        keeper->loop = cosm_loop_create(batch, NULL);
    }
}

TEST(a_loop_that_a_dispose_hook_makes_keeps_the_batch) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct keeper keeper = {NULL};
    cosm_system_desc desc = {
        .name = "keeper", .run = no_turn, .context = &keeper, .dispose = make_loop};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy:", "1 loops",
                "cosm_loop_destroy");
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_loop_destroy(keeper.loop));
    fixture_close(&box);
}

static void draw_elsewhere(const cosm_turn *turn) {
    const cosm_world *world = turn->context;
    (void)cosm_turn_random(turn, *world, 1);
}

TEST(a_turn_has_no_random_numbers_of_another_batch) {
    struct fixture box;
    struct fixture other;
    fixture_open(&box, 0, 1);
    fixture_open(&other, 0, 1);
    cosm_system_desc desc = {.name = "draw", .run = draw_elsewhere, .context = &other.world};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT, "cosm_turn_random:", "'draw'",
                "cosm_world_random");
    fixture_close(&box);
    fixture_close(&other);
}

TEST(a_stop_is_kept_over_a_single_frame) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_loop *loop = cosm_loop_create(box.batch, NULL);
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_frame(loop, 0.5));
    CHECK_DONE(cosm_loop_run(loop)); // would go on for ever
    CHECK_INT(cosm_loop_describe(loop).frames, 1);
    CHECK_DONE(cosm_loop_destroy(loop));
    fixture_close(&box);
}

struct stepper {
    cosm_batch *batch;
    atomic_bool ends;
};

static void *step_on_and_on(void *context) {
    struct stepper *stepper = context;
    while (!atomic_load(&stepper->ends)) {
        cosm_result result = cosm_batch_step(stepper->batch);
        CHECK(result == COSM_OK || result == COSM_ERROR_BUSY);
    }
    return NULL;
}

static void swallow(void *context, const char *text, size_t length) {
    (void)text;
    *(size_t *)context += length;
}

TEST(profiles_come_and_go_while_another_thread_steps) {
    struct fixture box;
    open_filled(&box, 2, 8, COSM_SPLIT_WORLDS);
    cosm_system_desc desc = {.name = "nothing", .run = no_turn};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    struct stepper stepper = {.batch = box.batch};
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, step_on_and_on, &stepper) == 0);
    uint32_t made = 0;
    for (uint32_t tries = 0; tries < 200000 && made < 50; tries++) {
        cosm_profile *profile = cosm_profile_create(box.batch, NULL);
        size_t length = 0;
        while (profile != NULL && cosm_profile_print(profile, swallow, &length) != COSM_OK) {
        }
        while (profile != NULL && cosm_profile_destroy(profile) != COSM_OK) {
        }
        made += profile != NULL;
    }
    atomic_store(&stepper.ends, true);
    REQUIRE(pthread_join(thread, NULL) == 0);
    fixture_close(&box);
}

static void burst(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    cosm_commands *commands = cosm_turn_commands(turn);
    CHECK(cosm_turn_scratch(turn, 1 << 20) != NULL);
    for (uint32_t i = 0; i < 20000; i++) {
        CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box->world, box->mover)));
    }
}

TEST(trimming_gives_back_what_steps_took_and_the_next_step_takes_it_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "burst", .run = burst, .context = &box, .commands = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    size_t floors[3];
    for (uint32_t round = 0; round < 3; round++) {
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(cosm_world_entity_count(box.world), 20000);
        CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        CHECK(cosm_batch_memory(box.batch).used > 1 << 20);
        CHECK_DONE(cosm_batch_trim(box.batch));
        floors[round] = cosm_batch_memory(box.batch).used;
    }
    CHECK(floors[0] < 512 << 10); // the generations of 20,000 ids stay
    CHECK_INT(floors[1], floors[0]);
    CHECK_INT(floors[2], floors[0]);
    fixture_close(&box);
}

static void overfill(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    for (uint32_t i = 0; i < 5; i++) {
        cosm_entity entity = cosm_commands_spawn(cosm_turn_commands(turn), box->world, box->slot);
        CHECK(!cosm_entity_is_none(entity));
    }
}

TEST(ids_of_commands_that_are_dropped_are_used_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    // On one thread: when a second one joins in, and takes memory for it, depends on the clock.
    cosm_batch *alone = cosm_batch_create(box.engine, &(cosm_batch_desc){.split = COSM_SPLIT_NONE});
    REQUIRE(alone != NULL);
    struct fixture other = box;
    other.world = cosm_batch_world(alone, 0);
    cosm_system_desc desc = {
        .name = "overfill", .run = overfill, .context = &other, .commands = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    size_t used = 0;
    for (uint32_t s = 0; s < 1000; s++) {
        CHECK_FAILS(cosm_batch_step(alone), COSM_ERROR_FULL, "cosm_batch_step:", "slot", "4");
        used = s == 10 ? cosm_batch_memory(alone).used : used;
    }
    CHECK_INT(cosm_batch_memory(alone).used, used);
    CHECK(cosm_entity_spawn(other.world, box.mover).id < 5);
    CHECK_DONE(cosm_batch_destroy(alone));
    fixture_close(&box);
}
