// The golden states of the scenes: one hash each, whatever the placement, the number of
// workers, the split, the size of blocks, the compiler and the optimisation level.
//
// When a scene changes on purpose, or what a hash covers does, take the new constants from the
// program: `cosm run grid --worlds 66 --steps 30 --seed 1` prints what belongs in the line of grid,
// and a test that fails prints such a command. A change that nobody intended, or one that only some
// of the ways to run a scene show, is a bug.
// ctest: threads
#include "harness.h"
#include "scenes.h"

#include <stdio.h>

// Small enough for the sanitizers, large enough for all of it to happen: blocks that are not full,
// worlds that spawn and despawn, tables of many chunks.
static const struct golden {
    const char *scene;
    uint32_t world_count;
    uint32_t entity_count; // zero: the scene's own number
    uint32_t steps;
    uint64_t hash;
} goldens[] = {
    {"falling", 66, 0, 150, 0xa5260a9a2080ebfcull},
    {"grid", 66, 0, 30, 0x0bac17f46d6b22feull},
    {"boids", 66, 0, 20, 0x7c0eb9ef826f513bull},
    {"swarm", 3, 8000, 24, 0xfdebffce2f2ef32eull},
};

static const char *const placement_names[] = {"growing", "fixed"};
static const char *const split_names[] = {"auto", "worlds", "chunks", "none"};

// The command that runs a scene in the same way and prints its hash.
static void print_command(const struct golden *golden, const scene_settings *settings) {
    printf(
        "  cosm run %s --worlds %u --steps %u --seed %llu --placement %s --workers %u --split %s",
        golden->scene, golden->world_count, golden->steps, (unsigned long long)settings->seed,
        placement_names[settings->placement], settings->engine.worker_count,
        split_names[settings->split]);
    if (settings->block_worlds != 0) {
        printf(" --block %u", settings->block_worlds);
    }
    if (golden->entity_count != 0) {
        printf(" --entities %u", golden->entity_count);
    }
    printf("\n");
}

// The hash after all steps; 0 when something failed.
static uint64_t hash_of(const struct golden *golden, const scene_settings *settings) {
    scene_run *run = scene_create(scene_find(golden->scene), settings);
    CHECK(run != NULL);
    cosm_result result = run != NULL ? COSM_OK : cosm_error_result();
    for (uint32_t i = 0; i < golden->steps && result == COSM_OK; i++) {
        result = scene_step(run);
    }
    CHECK_STR(result == COSM_OK ? "" : cosm_error_message(), "");
    uint64_t hash = result == COSM_OK ? cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT) : 0;
    scene_destroy(run);
    return hash;
}

// Runs a scene in one way. True when it comes to the golden state; else the way is printed.
static bool reaches_golden(const struct golden *golden, scene_settings settings) {
    settings.world_count = golden->world_count;
    settings.entity_count = golden->entity_count;
    settings.seed = 1;
    if (settings.block_worlds > golden->world_count) {
        settings.block_worlds = golden->world_count; // all of them
    }
    uint64_t hash = hash_of(golden, &settings);
    if (hash == golden->hash) {
        return true;
    }
    printf("\nhash %016llx, not %016llx, of\n", (unsigned long long)hash,
           (unsigned long long)golden->hash);
    print_command(golden, &settings);
    return false;
}

// The thread sanitizer looks at how threads meet, not at numbers, and takes ten times as long: for
// it a few ways with several workers will do.
#if defined(__SANITIZE_THREAD__)
static const uint32_t worker_counts[] = {2, 4};
static const uint32_t block_sizes[] = {7};
#else
static const uint32_t worker_counts[] = {1, 2, 3, 4, 8};
static const uint32_t block_sizes[] = {1, 7, 64, UINT32_MAX};
#endif

// What came of running a scene in several ways.
struct tally {
    uint32_t ways;
    uint32_t failures;
};

static void take_way(const struct golden *golden, struct tally *tally, scene_settings settings) {
    tally->ways++;
    tally->failures += !reaches_golden(golden, settings);
}

// All workers with all splits, and all sizes of blocks where blocks are made.
static void try_ways(const struct golden *golden, cosm_placement placement, struct tally *tally) {
    const size_t worker_kinds = sizeof(worker_counts) / sizeof(worker_counts[0]);
    const size_t block_kinds = sizeof(block_sizes) / sizeof(block_sizes[0]);
    scene_settings settings = {.placement = placement};
    for (size_t w = 0; w < worker_kinds; w++) {
        settings.engine.worker_count = worker_counts[w];
        settings.split = COSM_SPLIT_WORLDS;
        for (size_t b = 0; b < block_kinds; b++) {
            settings.block_worlds = block_sizes[b];
            take_way(golden, tally, settings);
        }
        // Each size is met here too, with one number of workers or the other.
        settings.block_worlds = block_sizes[w % block_kinds];
        settings.split = COSM_SPLIT_CHUNKS;
        take_way(golden, tally, settings);
        settings.split = COSM_SPLIT_AUTO;
        take_way(golden, tally, settings);
    }
    settings.block_worlds = 0;
    take_way(golden, tally, settings);
    settings.split = COSM_SPLIT_NONE;
    take_way(golden, tally, settings);
}

static void check_golden(const struct golden *golden) {
    struct tally tally = {0, 0};
    try_ways(golden, COSM_PLACEMENT_GROWING, &tally);
    try_ways(golden, COSM_PLACEMENT_FIXED, &tally);
    CHECK_INT(tally.failures, 0);
    if (tally.failures == tally.ways) {
        printf("No way to run %s comes to the golden state. If that is intended and all of them "
               "agree,\nput the new hash into %s.\n",
               golden->scene, __FILE__);
    } else if (tally.failures > 0) {
        printf("%u of %u ways to run %s do not come to the golden state: what a system does, or "
               "the order\nof commands, depends on workers, split or blocks there. Run the "
               "commands above, fewer steps\nfirst, until the hash parts from that of "
               "--workers 1.\n",
               tally.failures, tally.ways, golden->scene);
    }
}

TEST(falling_comes_to_the_golden_state_however_it_is_run) {
    check_golden(&goldens[0]);
}

TEST(grid_comes_to_the_golden_state_however_it_is_run) {
    check_golden(&goldens[1]);
}

TEST(boids_comes_to_the_golden_state_however_it_is_run) {
    check_golden(&goldens[2]);
}

TEST(swarm_comes_to_the_golden_state_however_it_is_run) {
    check_golden(&goldens[3]);
}

TEST(every_scene_has_a_golden_state) {
    CHECK_INT(sizeof(goldens) / sizeof(goldens[0]), scene_count());
    for (uint32_t i = 0; i < scene_count(); i++) {
        CHECK_STR(goldens[i].scene, scene_at(i)->name);
    }
}
