// Worlds by seed and number: a batch that is cut into parts anywhere comes to the same worlds, and
// no two pairs of seed and number draw alike.
// ctest: threads
#include "harness.h"
#include "scenes.h"
#include "support/fixture.h"

#include <stdlib.h>
#include <string.h>

#define WORLD_COUNT 64u
#define PART_MAX WORLD_COUNT

// Steps that are enough for worlds to spawn, despawn and draw.
static const struct sized_scene {
    const char *name;
    uint32_t entity_count; // zero: the scene's own number
    uint32_t steps;
} sized_scenes[] = {
    {"falling", 0, 40},
    {"grid", 0, 12},
    {"boids", 0, 4},
    {"swarm", 40, 12},
};

#define SCENE_COUNT (sizeof(sized_scenes) / sizeof(sized_scenes[0]))

static scene_run *open_scene(const struct sized_scene *sized, scene_settings settings) {
    settings.seed = 5;
    settings.entity_count = sized->entity_count;
    scene_run *run = scene_create(scene_find(sized->name), &settings);
    if (run == NULL) {
        abort();
    }
    return run;
}

static void step_batch(cosm_batch *batch, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) {
        CHECK_DONE(cosm_batch_step(batch));
    }
}

static void hash_worlds(cosm_batch *batch, uint64_t *out_hashes) {
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        out_hashes[w] = cosm_hash_world(cosm_batch_world(batch, w), COSM_HASH_EXACT);
    }
}

// Cuts WORLD_COUNT worlds at random places: where each part begins, and behind the last one where
// it ends. Returns how many parts there are.
static uint32_t cut(struct dice *dice, uint32_t *out_firsts) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < WORLD_COUNT; at += 1 + dice_roll(dice, 30)) {
        out_firsts[count++] = at;
    }
    out_firsts[count] = WORLD_COUNT;
    return count;
}

// Runs a scene in parts, and compares each world with the one of the whole.
static void check_parts(const struct sized_scene *sized, scene_settings settings, struct dice *dice,
                        const uint64_t *hashes, uint64_t whole) {
    uint32_t firsts[PART_MAX + 1];
    uint64_t parts[PART_MAX];
    uint64_t counts[PART_MAX];
    uint64_t mine[WORLD_COUNT];
    uint32_t part_count = cut(dice, firsts);
    for (uint32_t p = 0; p < part_count; p++) {
        counts[p] = firsts[p + 1] - firsts[p];
        settings.world_count = (uint32_t)counts[p];
        settings.world_first = firsts[p];
        scene_run *run = open_scene(sized, settings);
        step_batch(scene_batch(run), sized->steps);
        hash_worlds(scene_batch(run), mine);
        CHECK_MEM(mine, hashes + firsts[p], counts[p] * sizeof(*mine));
        parts[p] = cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
        scene_destroy(run);
    }
    CHECK_INT(cosm_hash_join(parts, counts, part_count), whole);
}

TEST(a_batch_that_is_cut_anywhere_comes_to_the_same_worlds) {
    struct dice dice = {harness_seed()};
    for (size_t s = 0; s < SCENE_COUNT; s++) {
        uint64_t hashes[WORLD_COUNT];
        scene_settings settings = {.world_count = WORLD_COUNT, .engine = {.worker_count = 1}};
        scene_run *run = open_scene(&sized_scenes[s], settings);
        step_batch(scene_batch(run), sized_scenes[s].steps);
        hash_worlds(scene_batch(run), hashes);
        uint64_t whole = cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
        CHECK_INT(cosm_hash_join(hashes, NULL, WORLD_COUNT), whole);
        scene_destroy(run);
        for (uint32_t way = 0; way < 4; way++) {
            settings.placement = way % 2 == 0 ? COSM_PLACEMENT_GROWING : COSM_PLACEMENT_FIXED;
            settings.engine.worker_count = 1 + way / 2;
            check_parts(&sized_scenes[s], settings, &dice, hashes, whole);
        }
    }
}

TEST(parts_of_a_snapshot_go_on_in_batches_of_their_own) {
    struct dice dice = {harness_seed()};
    for (size_t s = 0; s < SCENE_COUNT; s++) {
        uint64_t hashes[WORLD_COUNT];
        uint64_t mine[WORLD_COUNT];
        uint32_t firsts[PART_MAX + 1];
        uint32_t steps = sized_scenes[s].steps;
        scene_run *run = open_scene(&sized_scenes[s], (scene_settings){.world_count = WORLD_COUNT});
        step_batch(scene_batch(run), steps);
        cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(scene_batch(run)));
        step_batch(scene_batch(run), steps);
        hash_worlds(scene_batch(run), hashes);
        uint32_t part_count = cut(&dice, firsts);
        for (uint32_t p = 0; p < part_count; p++) {
            uint32_t count = firsts[p + 1] - firsts[p];
            cosm_batch *batch = cosm_batch_create(
                scene_engine(run),
                &(cosm_batch_desc){.world_count = count,
                                   .step_seconds = scene_what(run)->step_seconds});
            CHECK_DONE(cosm_snapshot_restore(snapshot, firsts[p], cosm_worlds_all(batch)));
            CHECK_INT(cosm_batch_step_count(batch), steps);
            CHECK_INT(cosm_world_number(cosm_batch_world(batch, count - 1)), firsts[p + 1] - 1);
            step_batch(batch, steps);
            hash_worlds(batch, mine);
            CHECK_MEM(mine, hashes + firsts[p], count * sizeof(*mine));
            CHECK_DONE(cosm_batch_destroy(batch));
        }
        cosm_snapshot_destroy(snapshot);
        scene_destroy(run);
    }
}

static void drift(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_random draw =
            cosm_turn_random(rows->turn, cosm_rows_world(rows, i), rows->entities[i].id);
        position[i].x += cosm_random_between(&draw, 0.0f, 1.0f);
    }
}

// A fixture in which movers drift, in every third step only.
static void open_drifting(struct fixture *box, uint32_t world_count) {
    fixture_open_with(box, 0, NULL, &(cosm_batch_desc){.world_count = world_count, .seed = 11});
    cosm_system_desc desc = {
        .name = "drift",
        .each = drift,
        .every = 3,
        .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    for (uint32_t w = 0; w < world_count; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->mover, 4, &rows));
    }
}

TEST(a_batch_that_begins_at_a_later_step_goes_on_with_the_worlds_it_is_given) {
    struct fixture box;
    open_drifting(&box, 3);
    step_batch(box.batch, 4);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_batch_desc desc = {.world_count = 4, .seed = 11, .step_first = 4};
    cosm_batch *later = cosm_batch_create(box.engine, &desc);
    CHECK_INT(cosm_batch_step_count(later), 4);
    CHECK_INT(cosm_world_step_count(cosm_batch_world(later, 3)), 4);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 1, cosm_worlds_range(later, 0, 2)));
    CHECK_INT(cosm_batch_step_count(later), 4);
    step_batch(box.batch, 7);
    step_batch(later, 7);
    for (uint32_t w = 0; w < 2; w++) {
        CHECK_INT(cosm_hash_world(cosm_batch_world(later, w), COSM_HASH_EXACT),
                  cosm_hash_world(fixture_world(&box, w + 1), COSM_HASH_EXACT));
    }
    CHECK_DONE(cosm_batch_destroy(later));
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(seeding_all_worlds_by_their_numbers_is_making_the_batch_with_that_seed) {
    struct fixture box;
    open_drifting(&box, 5);
    cosm_batch_desc desc = {.world_count = 5, .seed = 12};
    cosm_batch *other = cosm_batch_create(box.engine, &desc);
    for (uint32_t w = 0; w < 5; w++) {
        cosm_rows rows;
        cosm_world world = fixture_world(&box, w);
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(other, w), box.mover, 4, &rows));
        CHECK_DONE(cosm_world_seed(world, 12, cosm_world_number(world)));
    }
    step_batch(box.batch, 3);
    step_batch(other, 3);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), cosm_hash_batch(other, COSM_HASH_EXACT));
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

TEST(a_number_goes_with_the_state_of_its_world) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL,
                      &(cosm_batch_desc){.world_count = 4, .world_first = UINT64_MAX - 3});
    cosm_world world = fixture_world(&box, 3);
    CHECK_INT(cosm_world_number(box.world), UINT64_MAX - 3);
    CHECK_INT(cosm_world_number(world), UINT64_MAX);
    CHECK_INT(cosm_world_number((cosm_world){box.batch, 4}), 0);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_fork_world(world, cosm_worlds_range(box.batch, 0, 2), NULL));
    CHECK_INT(cosm_world_number(box.world), UINT64_MAX);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), cosm_hash_world(world, COSM_HASH_EXACT));
    CHECK_DONE(cosm_fork_world(world, cosm_worlds_range(box.batch, 2, 1),
                               &(cosm_fork_desc){.own_random = true}));
    CHECK_INT(cosm_world_number(fixture_world(&box, 2)), UINT64_MAX - 1);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 2, cosm_worlds_range(box.batch, 0, 2)));
    CHECK_INT(cosm_world_number(box.world), UINT64_MAX - 1);
    CHECK_INT(cosm_world_number(fixture_world(&box, 1)), UINT64_MAX);
    CHECK_DONE(cosm_world_seed(world, 1, 6));
    CHECK_INT(cosm_world_number(world), 6);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(cosm_world_number(box.world), UINT64_MAX - 3);
    CHECK_INT(cosm_world_number(world), UINT64_MAX);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

TEST(neighbouring_seeds_and_distant_numbers_draw_nothing_alike) {
    enum { SEEDS = 4, WORLDS = 2048, RUNS = 5 };
    static const uint64_t firsts[RUNS] = {0, (1u << 24) - 1024, (uint64_t)1 << 32,
                                          (uint64_t)77 << 40, UINT64_MAX - WORLDS + 1};
    static uint64_t draws[(size_t)SEEDS * WORLDS * RUNS];
    struct fixture box;
    fixture_open(&box, 0, 1);
    size_t count = 0;
    for (uint32_t s = 0; s < SEEDS; s++) {
        for (uint32_t r = 0; r < RUNS; r++) {
            cosm_batch_desc desc = {.world_count = WORLDS, .seed = s, .world_first = firsts[r]};
            cosm_batch *batch = cosm_batch_create(box.engine, &desc);
            for (uint32_t w = 0; w < WORLDS; w++) {
                cosm_random random = cosm_world_random(cosm_batch_world(batch, w), 0);
                draws[count++] = cosm_random_u64(&random);
            }
            CHECK_DONE(cosm_batch_destroy(batch));
        }
    }
    qsort(draws, count, sizeof(*draws), by_value);
    uint32_t equal = 0;
    for (size_t i = 1; i < count; i++) {
        equal += draws[i] == draws[i - 1];
    }
    CHECK_INT(equal, 0);
    fixture_close(&box);
}
