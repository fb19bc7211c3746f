// cartpole: a step of 4,096 carts with poles, one worker, episodes that begin anew by themselves.
#include "cart.h"
#include "envs.h"
#include "rows.h"

#include <cosm_sim/sim.h>
#include <stdlib.h>

struct trial {
    cosm_sim *sim;
    int32_t *lists; // the actions of CART_LIST_COUNT steps
    uint32_t count;
    uint32_t step;
};

static void run(void *state, uint32_t times) {
    struct trial *trial = state;
    int32_t *action = cosm_sim_tensor(trial->sim, COSM_ROLE_ACTION)->data;
    for (uint32_t i = 0; i < times; i++) {
        const int32_t *list = trial->lists + trial->step % CART_LIST_COUNT * (size_t)trial->count;
        memcpy(action, list, trial->count * sizeof *action);
        bench_need(cosm_sim_step(trial->sim) == COSM_OK, "step");
        trial->step++;
        BENCH_BARRIER();
    }
}

static void *create(uint32_t n) {
    struct trial *trial = bench_alloc(1, sizeof *trial);
    *trial = (struct trial){.lists = cart_actions(n), .count = n};
    trial->sim = cosm_sim_create(&(cosm_sim_desc){
        .env = &scene_cartpole,
        .world_count = n,
        .seed = CART_SEED,
        .autoreset = COSM_AUTORESET_NEXT_STEP,
        .engine = {.worker_count = 1},
    });
    bench_need(trial->sim != NULL, "simulation");
    run(trial, CART_STEPS_BEFORE);
    return trial;
}

static uint64_t checksum(void *state) {
    struct trial *trial = state;
    const cosm_batch *batch = cosm_sim_batch(trial->sim);
    const CartState *seen = cosm_sim_tensor(trial->sim, COSM_ROLE_OBSERVATION)->data;
    const uint32_t *length = cosm_batch_tensor(batch, COSM_SIM_SLOT_EPISODE_LENGTH)->data;
    const float *last = cosm_batch_tensor(batch, COSM_SIM_SLOT_LAST_RETURN)->data;
    uint64_t sum = trial->count;
    for (uint32_t i = 0; i < trial->count; i++) {
        sum += cart_hash(i, seen[i], length[i], last[i]);
    }
    return sum;
}

static void destroy(void *state) {
    struct trial *trial = state;
    bench_need(cosm_sim_destroy(trial->sim) == COSM_OK, "end");
    free(trial->lists);
    free(trial);
}

const struct bench_side cartpole_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
