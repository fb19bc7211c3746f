// Scenes and their past: whatever is restored runs on as it did the first time, step by step, for
// every scene, both placements and several numbers of workers.
// ctest: threads slow
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "scenes.h"
#include "support/fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(scene_batch(run))));
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

// Where the ways below begin and end.
#define EARLY 120u
#define LATE 200u

static void step_to(scene_run *run, uint32_t step) {
    while (cosm_batch_step_count(scene_batch(run)) < step) {
        step_scene(run);
    }
}

static cosm_worlds all_of(scene_run *run) {
    return cosm_worlds_all(scene_batch(run));
}

TEST(worlds_of_a_scene_that_are_forked_go_the_way_of_their_source) {
    for (size_t s = 0; s < sizeof(sized_scenes) / sizeof(sized_scenes[0]); s++) {
        for (uint32_t way = 0; way < 6; way++) {
            static const uint32_t workers[] = {1, 2, 4, 1, 2, 4};
            struct sized_scene sized = sized_scenes[s];
            sized.world_count = 4;
            cosm_placement placement = way < 3 ? COSM_PLACEMENT_GROWING : COSM_PLACEMENT_FIXED;
            scene_run *run = open_scene(&sized, placement, workers[way]);
            step_to(run, EARLY);
            cosm_world source = cosm_batch_world(scene_batch(run), 1);
            CHECK_DONE(cosm_fork_world(source, all_of(run), NULL));
            for (uint32_t step = EARLY; step < EARLY + 40; step++) {
                for (uint32_t w = 0; w < 4; w++) {
                    cosm_world world = cosm_batch_world(scene_batch(run), w);
                    CHECK_INT(cosm_hash_world(world, COSM_HASH_EXACT),
                              cosm_hash_world(source, COSM_HASH_EXACT));
                }
                step_scene(run);
            }
            CHECK_VALID(scene_batch(run));
            scene_destroy(run);
        }
    }
}

// The thread sanitizer lets no process that was forked start threads.
#if !defined(__SANITIZE_THREAD__)
// In a process of its own: reads a state, runs it to the end and says whether it came to `hash`.
static bool runs_to(const struct sized_scene *sized, cosm_placement placement, uint32_t workers,
                    const char *path, uint64_t hash) {
    pid_t child = fork();
    if (child == 0) {
        scene_run *run = open_scene(sized, placement, workers);
        cosm_snapshot *state = cosm_save_read(scene_engine(run), path, NULL, NULL);
        bool same = state != NULL && cosm_snapshot_restore(state, 0, all_of(run)) == COSM_OK;
        cosm_snapshot_destroy(state);
        while (same && cosm_batch_step_count(scene_batch(run)) < LATE) {
            same = scene_step(run) == COSM_OK;
        }
        same = same && state_of(run) == hash;
        scene_destroy(run);
        _Exit(same ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

TEST(a_scene_that_is_saved_runs_on_in_another_process_with_any_workers_and_placement) {
    char path[] = "/tmp/cosm-scene-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    (void)close(file);
    for (size_t s = 0; s < sizeof(sized_scenes) / sizeof(sized_scenes[0]); s++) {
        for (uint32_t way = 0; way < 2; way++) {
            cosm_placement placement = way == 0 ? COSM_PLACEMENT_GROWING : COSM_PLACEMENT_FIXED;
            cosm_placement other = way == 0 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
            scene_run *run = open_scene(&sized_scenes[s], placement, 1);
            step_to(run, EARLY);
            cosm_snapshot *now = cosm_snapshot_create(all_of(run));
            CHECK_DONE(cosm_save_write(now, path, &(cosm_save_desc){.fast = true}));
            cosm_snapshot_destroy(now);
            step_to(run, LATE);
            uint64_t hash = state_of(run);
            scene_destroy(run);
            CHECK(runs_to(&sized_scenes[s], placement, 1, path, hash));
            CHECK(runs_to(&sized_scenes[s], other, 2, path, hash));
            CHECK(runs_to(&sized_scenes[s], placement, 4, path, hash));
        }
    }
    CHECK_INT(unlink(path), 0);
}
#endif

TEST(a_scene_is_kept_up_to_date_elsewhere_by_patches) {
    for (size_t s = 0; s < sizeof(sized_scenes) / sizeof(sized_scenes[0]); s++) {
        for (uint32_t way = 0; way < 4; way++) {
            static const uint32_t workers[] = {1, 2, 4, 1};
            cosm_placement placement = way == 3 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
            scene_run *run = open_scene(&sized_scenes[s], placement, workers[way]);
            scene_run *mirror = open_scene(&sized_scenes[s], COSM_PLACEMENT_GROWING, 1);
            cosm_snapshot *before = cosm_snapshot_create(all_of(run));
            for (uint32_t step = 20; step <= LATE; step += 20) {
                step_to(run, step);
                cosm_snapshot *after = cosm_snapshot_create(all_of(run));
                cosm_patch *made = cosm_patch_create(before, after);
                REQUIRE(made != NULL);
                cosm_patch *sent =
                    cosm_patch_open(scene_engine(mirror), cosm_patch_describe(made).bytes,
                                    cosm_patch_describe(made).size);
                CHECK_DONE(cosm_patch_apply(sent, all_of(mirror)));
                CHECK_INT(state_of(mirror), state_of(run));
                cosm_patch_destroy(sent);
                cosm_patch_destroy(made);
                cosm_snapshot_destroy(before);
                before = after;
            }
            cosm_snapshot_destroy(before);
            step_to(run, LATE + 10);
            step_to(mirror, LATE + 10);
            CHECK_INT(state_of(mirror), state_of(run));
            scene_destroy(mirror);
            scene_destroy(run);
        }
    }
}
