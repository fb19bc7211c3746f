// Does the environment my_env keep its promises? Run it with `ctest --test-dir build`.
//
// It is linked with the source of the environment and with cosm::sim, which steps it from C; a
// debugger and sanitizers see all of it.
#include "my_env.h"

#include <cosm_sim/sim.h>
#include <stdio.h>
#include <string.h>

#define WORLD_COUNT 64
#define SEED 7

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);                   \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static cosm_sim *create(uint32_t world_count, uint32_t workers) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = cosm_env_entry(),
                                                     .world_count = world_count,
                                                     .seed = SEED,
                                                     .engine = {.worker_count = workers}});
    if (sim == NULL) {
        printf("my_env cannot be set up: %s\n", cosm_error_message());
        failures++;
    }
    return sim;
}

// Takes a step in which world i pushes as step and world tell: any pattern will do.
static void step_somehow(cosm_sim *sim, uint32_t step) {
    const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
    int32_t *push = action->data;
    for (int64_t i = 0; i < action->shape[0]; i++) {
        push[i] = (int32_t)((step / 5 + (uint32_t)i) % PUSH_COUNT);
    }
    CHECK(cosm_sim_step(sim) == COSM_OK);
}

static void slots_have_the_shapes_that_the_header_tells(void) {
    cosm_sim *sim = create(WORLD_COUNT, 1);
    if (sim == NULL) {
        return;
    }
    const cosm_tensor *view = cosm_batch_tensor(cosm_sim_batch(sim), SLOT_VIEW);
    const cosm_tensor *action = cosm_batch_tensor(cosm_sim_batch(sim), SLOT_ACTION);
    CHECK(view->dim_count == 3 && view->shape[0] == WORLD_COUNT && view->shape[2] == 2);
    CHECK(action->type == COSM_FIELD_I32 && action->direction == COSM_DIRECTION_IN);
    CHECK(cosm_sim_agent_max(sim) == 1 && cosm_sim_step_limit(sim) == STEP_LIMIT);
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

static void who_steers_towards_the_target_arrives(void) {
    cosm_sim *sim = create(WORLD_COUNT, 1);
    if (sim == NULL) {
        return;
    }
    const View *view = cosm_sim_tensor(sim, COSM_ROLE_OBSERVATION)->data;
    int32_t *push = cosm_sim_tensor(sim, COSM_ROLE_ACTION)->data;
    const bool *terminated = cosm_sim_tensor(sim, COSM_ROLE_TERMINATED)->data;
    bool has_arrived[WORLD_COUNT] = {false};
    for (uint32_t step = 0; step < STEP_LIMIT; step++) {
        for (uint32_t i = 0; i < WORLD_COUNT; i++) {
            // The nearer the target, the slower.
            float faster = 3.0f * view[i].offset - view[i].speed;
            push[i] = faster > 0.1f ? PUSH_RIGHT : faster < -0.1f ? PUSH_LEFT : PUSH_NONE;
        }
        CHECK(cosm_sim_step(sim) == COSM_OK);
        for (uint32_t i = 0; i < WORLD_COUNT; i++) {
            has_arrived[i] = has_arrived[i] || terminated[i];
        }
    }
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        CHECK(has_arrived[i]);
    }
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

static void the_same_seed_goes_the_same_way_on_any_number_of_workers(void) {
    cosm_sim *one = create(WORLD_COUNT, 1);
    cosm_sim *two = create(WORLD_COUNT, 2);
    // World 0 of the same seed, alone.
    cosm_sim *alone = create(1, 1);
    for (uint32_t step = 0; step < 3 * STEP_LIMIT && one && two && alone; step++) {
        step_somehow(one, step);
        step_somehow(two, step);
        step_somehow(alone, step);
    }
    if (one != NULL && two != NULL && alone != NULL) {
        cosm_batch *batch = cosm_sim_batch(one);
        CHECK(cosm_hash_batch(batch, COSM_HASH_EXACT) ==
              cosm_hash_batch(cosm_sim_batch(two), COSM_HASH_EXACT));
        CHECK(cosm_hash_world(cosm_batch_world(batch, 0), COSM_HASH_CONTENT) ==
              cosm_hash_world(cosm_batch_world(cosm_sim_batch(alone), 0), COSM_HASH_CONTENT));
    }
    CHECK(cosm_sim_destroy(one) == COSM_OK);
    CHECK(cosm_sim_destroy(two) == COSM_OK);
    CHECK(cosm_sim_destroy(alone) == COSM_OK);
}

static void numbers_that_are_no_push_are_none(void) {
    cosm_sim *sim = create(WORLD_COUNT, 1);
    if (sim == NULL) {
        return;
    }
    memset(cosm_sim_tensor(sim, COSM_ROLE_ACTION)->data, 0x7f, WORLD_COUNT * sizeof(int32_t));
    CHECK(cosm_sim_step(sim) == COSM_OK);
    const View *view = cosm_sim_tensor(sim, COSM_ROLE_OBSERVATION)->data;
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        CHECK(view[i].speed == 0.0f);
    }
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

// Takes a step in which nobody pushes. An episode that has begun has actions of its own.
static void step_without_pushing(cosm_sim *sim) {
    int32_t *push = cosm_sim_tensor(sim, COSM_ROLE_ACTION)->data;
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        push[i] = PUSH_NONE;
    }
    CHECK(cosm_sim_step(sim) == COSM_OK);
}

static void the_wind_blows_from_the_next_episode_on(void) {
    cosm_sim *sim = create(WORLD_COUNT, 1);
    if (sim == NULL) {
        return;
    }
    const View *view = cosm_sim_tensor(sim, COSM_ROLE_OBSERVATION)->data;
    CHECK(cosm_sim_set(sim, &(cosm_sim_param){.name = "wind", .value = 1.0}) == COSM_OK);
    step_without_pushing(sim);
    CHECK(view[0].speed == 0.0f);
    CHECK(cosm_sim_reset(sim, NULL, NULL, NULL) == COSM_OK);
    step_without_pushing(sim);
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        CHECK(view[i].speed > 0.0f);
    }
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

int main(void) {
    slots_have_the_shapes_that_the_header_tells();
    who_steers_towards_the_target_arrives();
    the_same_seed_goes_the_same_way_on_any_number_of_workers();
    numbers_that_are_no_push_are_none();
    the_wind_blows_from_the_next_episode_on();
    printf("my_env: %s\n", failures == 0 ? "all is well" : "FAILED");
    return failures == 0 ? 0 : 1;
}
