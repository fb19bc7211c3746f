// Threads and trees: systems that record links in many worlds, and walks by depth on several
// threads at the same time.
#include <pthread.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 40u
#define STEPS 30u

// Links, unlinks and ends entities by what their positions say, and spawns new ones below them.
static void rearrange(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        uint32_t depth = cosm_tree_depth(world, rows->entities[i]);
        uint32_t number = (uint32_t)position[i].x * 7 + depth;
        cosm_entity other = rows->entities[(i * 5 + number) % rows->count];
        if (number % 41 == 0) {
            CHECK_DONE(cosm_commands_despawn_tree(commands, world, rows->entities[i]));
        } else if (number % 3 == 0 && rows->count < 50) {
            cosm_entity fresh = cosm_commands_spawn_with(
                commands, world, box->mover,
                &(cosm_value){box->position, &(Position){(float)(number % 23), 0, 0}}, 1);
            CHECK_DONE(cosm_commands_set_parent(commands, world, fresh, rows->entities[i]));
        } else {
            CHECK_DONE(cosm_commands_set_parent(commands, world, rows->entities[i], other));
        }
    }
}

static void age(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
    }
}

// Numbers the generations: each gets one more than its parent has in this very step.
static void count_generation(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 0);
    CHECK(rows->turn != NULL && rows->dt > 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity parent = cosm_tree_parent(world, rows->entities[i]);
        const Velocity *above = cosm_entity_read(world, parent, box->velocity);
        velocity[i].x = above == NULL ? 0 : above->x + 1;
    }
}

struct generations {
    const struct fixture *box;
    const cosm_query *query;
};

static void count_generations(const cosm_turn *turn) {
    const struct generations *generations = turn->context;
    CHECK_DONE(cosm_tree_each(generations->query, turn->worlds, count_generation,
                              (void *)(uintptr_t)generations->box));
}

// Are the numbers what the tree says?
static void check_generations(const struct fixture *box) {
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = fixture_world(box, w);
        cosm_entity list[512];
        uint32_t count = cosm_tree_list(world, COSM_ENTITY_NONE, 512, list);
        for (uint32_t i = 0; i < count && i < 512; i++) {
            const Velocity *velocity = cosm_entity_read(world, list[i], box->velocity);
            CHECK_INT((uint32_t)velocity->x, cosm_tree_depth(world, list[i]));
        }
    }
}

// Runs the steps on so many workers and returns the checksum.
static uint64_t run_on(uint32_t workers, cosm_split split) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = WORLDS, .split = split});
    cosm_system_desc rearranges = {.name = "rearrange",
                                   .each = rearrange,
                                   .context = &box,
                                   .commands = true,
                                   .whole = true,
                                   .queries = {{.terms = {{.component = box.position}}}}};
    cosm_system_desc ages = {
        .name = "age",
        .each = age,
        .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &rearranges).id != 0);
    CHECK(cosm_system_define(box.engine, &ages).id != 0);
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    struct generations generations = {&box, query};
    cosm_system_desc counts = {
        .name = "count",
        .run = count_generations,
        .context = &generations,
        .synced = true,
        .queries = {{.terms = {{.component = box.velocity, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &counts).id != 0);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_rows rows;
        CHECK_DONE(
            cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 5 + 3 * (w % 9), &rows));
        Position *position = COSM_WRITE(&rows, Position);
        for (uint32_t i = 0; i < rows.count; i++) {
            position[i] = (Position){(float)(i + w), 0, 0};
        }
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        CHECK_DONE(cosm_batch_step(box.batch));
        if (step % 10 == 0) {
            CHECK_VALID(box.batch);
            check_generations(&box);
        }
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK(cosm_batch_entity_count(box.batch) > WORLDS);
    cosm_query_destroy(query);
    fixture_close(&box);
    return checksum;
}

TEST(trees_that_systems_change_are_the_same_on_one_worker_and_on_four) {
    uint64_t expected = run_on(1, COSM_SPLIT_AUTO);
    CHECK_INT(run_on(4, COSM_SPLIT_WORLDS), expected);
    CHECK_INT(run_on(4, COSM_SPLIT_CHUNKS), expected);
    CHECK_INT(run_on(2, COSM_SPLIT_AUTO), expected);
}

struct walker {
    pthread_t thread;
    const struct fixture *box;
    cosm_query *query;
    uint32_t rows;
    uint32_t wrong;
    uint32_t depth;
};

static void see(cosm_rows *rows) {
    struct walker *walker = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t depth = cosm_tree_depth(cosm_rows_world(rows, i), rows->entities[i]);
        walker->wrong += depth < walker->depth;
        walker->depth = depth;
        walker->rows++;
    }
}

static void *walk_by_depth(void *argument) {
    struct walker *walker = argument;
    cosm_result result =
        cosm_tree_each(walker->query, cosm_worlds_one(walker->box->world), see, walker);
    walker->wrong += result != COSM_OK;
    return NULL;
}

TEST(several_threads_walk_one_world_by_depth_after_its_depths_have_changed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 2000, &rows));
    for (uint32_t i = 1; i < 2000; i++) {
        CHECK_DONE(cosm_tree_set_parent(box.world, rows.entities[i], rows.entities[i / 2]));
    }
    for (uint32_t round = 0; round < 5; round++) {
        // One above all others: no depth is as it was.
        cosm_entity above = fixture_spawn(&box, 0);
        cosm_entity root = cosm_tree_root(box.world, (cosm_entity){1, 1999});
        CHECK_DONE(cosm_tree_set_parent(box.world, root, above));
        struct walker walkers[4];
        for (uint32_t t = 0; t < 4; t++) {
            walkers[t] = (struct walker){.box = &box, .query = query};
            CHECK_INT(pthread_create(&walkers[t].thread, NULL, walk_by_depth, &walkers[t]), 0);
        }
        for (uint32_t t = 0; t < 4; t++) {
            CHECK_INT(pthread_join(walkers[t].thread, NULL), 0);
            CHECK_INT(walkers[t].wrong, 0);
            CHECK_INT(walkers[t].rows, 2001 + round);
        }
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}
