// Seeds and state: what a world does follows from its seed and number, and all of it is in the
// batch.
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>

#include "harness.h"
#include "support/folder.h"
#include "support/lane.h"

// A move that depends on the seed and the number of a world, and on the step.
static int32_t move_of(uint64_t seed, uint64_t number, uint32_t step) {
    cosm_random random = cosm_random_seed(seed, number << 32 | step);
    return cosm_random_range(&random, 0, 2);
}

static void take_steps(cosm_sim *sim, uint64_t seed, uint32_t from, uint32_t to) {
    uint32_t count = cosm_batch_world_count(cosm_sim_batch(sim));
    for (uint32_t step = from; step < to; step++) {
        for (uint32_t w = 0; w < count; w++) {
            uint64_t number = cosm_world_number(cosm_batch_world(cosm_sim_batch(sim), w));
            lane_act(sim, w, move_of(seed, number, step));
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
}

static uint64_t hash_of(cosm_sim *sim, uint32_t world) {
    return cosm_hash_world(cosm_batch_world(cosm_sim_batch(sim), world), COSM_HASH_EXACT);
}

static const cosm_sim_param spread = {.name = "spread", .value = 3.0};

static cosm_sim_desc desc_of(uint32_t count, uint64_t seed, cosm_autoreset mode,
                             uint32_t worker_count) {
    return (cosm_sim_desc){.world_count = count,
                           .seed = seed,
                           .autoreset = mode,
                           .params = &spread,
                           .param_count = 1,
                           .engine = {.worker_count = worker_count}};
}

TEST(a_world_among_many_goes_the_way_of_the_only_world_of_its_seed_and_number) {
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        for (uint32_t workers = 1; workers <= 4; workers *= 2) {
            cosm_sim_desc many_desc = desc_of(40, 100, (cosm_autoreset)(kind % 2), workers);
            many_desc.block_worlds = 7;
            many_desc.split = workers > 1 ? COSM_SPLIT_WORLDS : COSM_SPLIT_AUTO;
            cosm_sim *many = lane_open((enum lane_kind)kind, &many_desc);
            REQUIRE(many != NULL);
            take_steps(many, 100, 0, 60);
            for (uint32_t w = 0; w < 40; w += 13) {
                cosm_sim_desc desc = desc_of(1, 100, (cosm_autoreset)(kind % 2), 1);
                desc.world_first = w;
                cosm_sim *alone = lane_open((enum lane_kind)kind, &desc);
                REQUIRE(alone != NULL);
                take_steps(alone, 100, 0, 60);
                CHECK_INT(hash_of(many, w), hash_of(alone, 0));
                lane_close(alone);
            }
            lane_close(many);
        }
    }
}

TEST(episodes_of_one_world_differ_and_so_do_worlds) {
    cosm_sim_desc desc = desc_of(64, 5, COSM_AUTORESET_NEXT_STEP, 1);
    for (int kind = LANE_PLACE; kind <= LANE_BEGIN; kind++) {
        cosm_sim *sim = lane_open((enum lane_kind)kind, &desc);
        REQUIRE(sim != NULL);
        // Without random numbers all worlds start at one place.
        uint32_t seen = 0;
        for (uint32_t w = 0; w < 64; w++) {
            seen |= 1u << (int)(*(float *)lane_at(sim, LANE_SLOT_OBSERVATION, w, 0) + 4.0f);
        }
        CHECK((seen & (seen - 1)) != 0);
        uint32_t again = 0;
        for (uint32_t round = 0; round < 10; round++) {
            CHECK_INT(cosm_sim_reset(sim, NULL, NULL, NULL), COSM_OK);
            int32_t x = (int32_t) * (float *)lane_at(sim, LANE_SLOT_OBSERVATION, 0, 0);
            again |= 1u << (x - lane_start(round + 2, 0, 0) + 1);
        }
        CHECK((again & (again - 1)) != 0);
        lane_close(sim);
    }
}

TEST(a_world_that_is_reset_with_a_seed_goes_the_way_of_a_new_one) {
    cosm_sim_desc desc = desc_of(5, 1, COSM_AUTORESET_NEXT_STEP, 1);
    cosm_sim *sim = lane_open(LANE_PLACE, &desc);
    cosm_sim_desc fresh_desc = desc_of(1, 77, COSM_AUTORESET_NEXT_STEP, 1);
    cosm_sim *fresh = lane_open(LANE_PLACE, &fresh_desc);
    REQUIRE(sim != NULL && fresh != NULL);
    take_steps(sim, 1, 0, 30);
    uint8_t mask[5] = {0, 0, 0, 1, 0};
    uint64_t seeds[5] = {9, 9, 9, 77, 9};
    CHECK_INT(cosm_sim_reset(sim, mask, seeds, (uint64_t[5]){0}), COSM_OK);
    CHECK_INT(((uint32_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_NUMBER))[3], 1);
    for (uint32_t step = 0; step < 30; step++) {
        lane_act(sim, 3, move_of(77, 0, step));
        lane_act(fresh, 0, move_of(77, 0, step));
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        CHECK_INT(cosm_sim_step(fresh), COSM_OK);
        CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_OBSERVATION, 3, 0),
                   *(float *)lane_at(fresh, LANE_SLOT_OBSERVATION, 0, 0), 0);
        CHECK_NEAR(((float *)lane_data(sim, COSM_SIM_SLOT_EPISODE_RETURN))[3],
                   ((float *)lane_data(fresh, COSM_SIM_SLOT_EPISODE_RETURN))[0], 0);
    }
    lane_close(sim);
    lane_close(fresh);
}

TEST(a_reset_by_mask_leaves_the_other_worlds_alone) {
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        cosm_sim_desc desc = desc_of(6, 3, COSM_AUTORESET_DISABLED, 1);
        cosm_sim *sim = lane_open((enum lane_kind)kind, &desc);
        REQUIRE(sim != NULL);
        take_steps(sim, 3, 0, 4);
        uint64_t hashes[6];
        for (uint32_t w = 0; w < 6; w++) {
            hashes[w] = hash_of(sim, w);
        }
        uint8_t mask[6] = {0, 1, 0, 0, 255, 0};
        CHECK_INT(cosm_sim_reset(sim, mask, NULL, NULL), COSM_OK);
        for (uint32_t w = 0; w < 6; w++) {
            CHECK((hash_of(sim, w) == hashes[w]) == (mask[w] == 0));
            if (mask[w] != 0) {
                CHECK_INT(((uint32_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_NUMBER))[w], 2);
                CHECK_INT(((uint32_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_LENGTH))[w], 0);
                CHECK_INT(((uint8_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_TERMINATED))[w], 0);
                CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_REWARD, w, 0), 0.0, 0);
            }
        }
        lane_close(sim);
    }
}

TEST(snapshots_and_forks_in_the_middle_of_episodes_go_on_as_the_original) {
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        cosm_sim_desc desc = desc_of(4, 8, COSM_AUTORESET_NEXT_STEP, 2);
        cosm_sim *sim = lane_open((enum lane_kind)kind, &desc);
        REQUIRE(sim != NULL);
        cosm_batch *batch = cosm_sim_batch(sim);
        take_steps(sim, 8, 0, 7);
        cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
        take_steps(sim, 8, 7, 40);
        uint64_t then = cosm_hash_batch(batch, COSM_HASH_EXACT);
        CHECK_INT(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch)), COSM_OK);
        CHECK_INT(cosm_batch_gather(batch), COSM_OK);
        take_steps(sim, 8, 7, 40);
        CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), then);
        CHECK_INT(cosm_sim_destroy(sim), COSM_ERROR_BUSY);
        CHECK_CONTAINS(cosm_error_message(), "cosm_sim_destroy: 1 snapshots");
        CHECK(cosm_sim_tensor(sim, COSM_ROLE_REWARD) != NULL);
        cosm_snapshot_destroy(snapshot);
        CHECK_INT(cosm_fork_world(cosm_batch_world(batch, 1), cosm_worlds_range(batch, 3, 1), NULL),
                  COSM_OK);
        CHECK_INT(cosm_batch_gather(batch), COSM_OK);
        for (uint32_t step = 0; step < 30; step++) {
            lane_act(sim, 1, move_of(4, 0, step));
            lane_act(sim, 3, move_of(4, 0, step));
            CHECK_INT(cosm_sim_step(sim), COSM_OK);
            CHECK_INT(hash_of(sim, 1), hash_of(sim, 3));
        }
        lane_close(sim);
    }
}

TEST(a_recording_of_fifty_steps_replays_with_its_episodes) {
    static const enum lane_kind kinds[] = {LANE_PLACE, LANE_BEGIN, LANE_SWARM};
    struct folder folder;
    folder_open(&folder);
    for (uint32_t k = 0; k < 3; k++) {
        for (int mode = 0; mode < 2; mode++) {
            cosm_sim_desc desc = desc_of(6, 21, (cosm_autoreset)mode, 1);
            cosm_sim *sim = lane_open(kinds[k], &desc);
            cosm_sim *again = lane_open(kinds[k], &desc);
            REQUIRE(sim != NULL && again != NULL);
            cosm_recorder *recorder = cosm_recorder_create(cosm_sim_batch(sim), folder.file, NULL);
            REQUIRE(recorder != NULL);
            take_steps(sim, 21, 0, 50);
            uint64_t then = cosm_hash_batch(cosm_sim_batch(sim), COSM_HASH_EXACT);
            CHECK_INT(cosm_recorder_close(recorder), COSM_OK);
            cosm_replay *replay = cosm_replay_open(cosm_sim_engine(again), folder.file, NULL);
            REQUIRE(replay != NULL);
            CHECK_INT(cosm_replay_describe(replay).last_step, 50);
            CHECK_INT(cosm_replay_seek(replay, cosm_sim_batch(again), 50), COSM_OK);
            if (mode == COSM_AUTORESET_NEXT_STEP) {
                // Within the same step worlds begin after the step, which is what comes next.
                CHECK_INT(cosm_hash_batch(cosm_sim_batch(again), COSM_HASH_EXACT), then);
            }
            cosm_replay_close(replay);
            lane_close(again);
            lane_close(sim);
        }
    }
    folder_close(&folder);
}
