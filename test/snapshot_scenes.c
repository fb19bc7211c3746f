// Scenes and their past: whatever is restored runs on as it did the first time, step by step, for
// every scene, both placements and several numbers of workers.
// ctest: threads slow
#include "harness.h"
#include "scenes.h"
#include "support/sandbox.h"

#include <stdlib.h>
#include <string.h>

#define STEP_MAX 1000u
#define KEPT_MAX 4u

// How much of each scene: small enough for the sanitizers.
static const struct sized_scene {
    const char *name;
    uint32_t world_count;
    uint32_t entity_count; // zero: the scene's own number
} sized_scenes[] = {
    {"falling", 20, 0},
    {"grid", 9, 0},
    {"boids", 5, 0},
    {"swarm", 2, 800},
};

static scene_run *open_scene(const struct sized_scene *sized, cosm_placement placement,
                             uint32_t workers) {
    scene_settings settings = {.world_count = sized->world_count,
                               .entity_count = sized->entity_count,
                               .placement = placement,
                               .seed = 7};
    settings.engine.worker_count = workers;
    scene_run *run = scene_create(scene_find(sized->name), &settings);
    if (run == NULL) {
        abort();
    }
    return run;
}

static void step_scene(scene_run *run) {
    CHECK_DONE(scene_step(run));
}

static uint64_t state_of(scene_run *run) {
    return cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
}

// Runs a scene to its end with the hashes of all steps; keeps snapshots at random ones.
static void run_first(scene_run *run, struct dice *dice, uint64_t *hashes, uint32_t *kept_at,
                      cosm_snapshot **kept) {
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        kept_at[i] = dice_roll(dice, STEP_MAX);
        kept[i] = NULL;
    }
    for (uint32_t step = 0; step <= STEP_MAX; step++) {
        hashes[step] = state_of(run);
        for (uint32_t i = 0; i < KEPT_MAX; i++) {
            if (kept_at[i] == step) {
                kept[i] = cosm_snapshot_create(cosm_worlds_all(scene_batch(run)));
                CHECK(kept[i] != NULL);
                CHECK_INT(cosm_hash_snapshot(kept[i], COSM_HASH_EXACT), hashes[step]);
            }
        }
        if (step < STEP_MAX) {
            step_scene(run);
        }
    }
}

static void run_again(scene_run *run, uint32_t from, const cosm_snapshot *snapshot,
                      const uint64_t *hashes) {
    CHECK_DONE(cosm_snapshot_restore(snapshot, cosm_worlds_all(scene_batch(run))));
    CHECK_VALID(scene_batch(run));
    uint32_t end = from + 60 < STEP_MAX ? from + 60 : STEP_MAX;
    for (uint32_t step = from; step < end; step++) {
        CHECK_INT(state_of(run), hashes[step]);
        step_scene(run);
    }
    CHECK_INT(state_of(run), hashes[end]);
}

TEST(a_scene_that_is_restored_runs_on_as_it_did) {
    static uint64_t hashes[STEP_MAX + 1];
    static uint64_t first_hashes[STEP_MAX + 1];
    struct dice dice = {harness_seed()};
    for (size_t s = 0; s < sizeof(sized_scenes) / sizeof(sized_scenes[0]); s++) {
        for (uint32_t way = 0; way < 4; way++) {
            static const uint32_t workers[] = {1, 2, 4, 1};
            cosm_placement placement = way == 3 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
            scene_run *run = open_scene(&sized_scenes[s], placement, workers[way]);
            uint32_t kept_at[KEPT_MAX];
            cosm_snapshot *kept[KEPT_MAX];
            run_first(run, &dice, hashes, kept_at, kept);
            if (way == 0) {
                memcpy(first_hashes, hashes, sizeof(hashes));
            }
            CHECK(memcmp(first_hashes, hashes, sizeof(hashes)) == 0);
            for (uint32_t i = 0; i < KEPT_MAX; i++) {
                run_again(run, kept_at[i], kept[i], hashes);
                cosm_snapshot_destroy(kept[i]);
            }
            scene_destroy(run);
        }
    }
}
