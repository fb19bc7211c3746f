// Prints the hashes of an environment after each of some steps: hashes NAME WORLDS SEED WORKERS
// STEPS.
//
// The action of world w in step s is (w * 7 + s * 3 + w * s) % 2. Python's tests do the same and
// compare. With a sixth argument, WORLD, the world's own hash is printed instead of the batch's.
#include "envs.h"

#include <cosm_sim/sim.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t number(const char *text) {
    return (uint32_t)strtoul(text, NULL, 10);
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "hashes NAME WORLDS SEED WORKERS STEPS [WORLD]\n");
        return 2;
    }
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){
        .env = scene_env_find(argv[1]),
        .world_count = number(argv[2]),
        .seed = number(argv[3]),
        .engine = {.worker_count = number(argv[4])},
    });
    if (sim == NULL) {
        fprintf(stderr, "%s\n", cosm_error_message());
        return 1;
    }
    cosm_batch *batch = cosm_sim_batch(sim);
    const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
    uint32_t agents = (uint32_t)(action->shape[1]);
    for (uint32_t s = 0; s < number(argv[5]); s++) {
        for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
            for (uint32_t i = 0; i < agents; i++) {
                ((int32_t *)action->data)[(w * agents) + i] =
                    (int32_t)((w * 7 + s * 3 + w * s) % 2);
            }
        }
        if (cosm_sim_step(sim) != COSM_OK) {
            fprintf(stderr, "%s\n", cosm_error_message());
            return 1;
        }
        uint64_t hash =
            argc > 6 ? cosm_hash_world(cosm_batch_world(batch, number(argv[6])), COSM_HASH_EXACT)
                     : cosm_hash_batch(batch, COSM_HASH_EXACT);
        printf("%" PRIu64 "\n", hash);
    }
    return cosm_sim_destroy(sim) == COSM_OK ? 0 : 1;
}
