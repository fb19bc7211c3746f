// A value that each world has once, and worlds that begin anew: the worlds whose episode is over
// are reset by a mask, and keep their memory and their singletons.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Episode {
    uint32_t number, step;
} Episode;

typedef struct Coin {
    uint32_t value;
} Coin;

#define WORLDS 3u

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Coin, value);
    COSM_SINGLETON_DEFINE(engine, Episode, number, step);
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = WORLDS});

    cosm_entity first = COSM_ENTITY_NONE; // the first coin of world 0
    for (uint32_t step = 0; step < 6; step++) {
        uint8_t mask[WORLDS] = {0};
        for (uint32_t w = 0; w < WORLDS; w++) {
            cosm_world world = cosm_batch_world(batch, w);
            cosm_entity spawned = COSM_SPAWN(world, COSM_VALUE(Coin, 1));
            if (step == 0 && w == 0) {
                first = spawned;
            }
            // World 0 has episodes of two steps, world 1 of three, world 2 of four.
            Episode *now = COSM_SINGLETON_WRITE(world, Episode);
            if (++now->step == w + 2) {
                *now = (Episode){.number = now->number + 1, .step = 0};
                mask[w] = 1;
            }
        }
        if (cosm_batch_reset(batch, mask) != COSM_OK || cosm_batch_step(batch) != COSM_OK) {
            return 1;
        }
        for (uint32_t w = 0; w < WORLDS; w++) {
            cosm_world world = cosm_batch_world(batch, w);
            const Episode *now = COSM_SINGLETON_READ(world, Episode);
            printf("%sepisode %u, %u coins", w > 0 ? " | " : "", now->number,
                   cosm_world_entity_count(world));
        }
        printf("\n");
    }
    // A handle from before a reset never names what came after.
    printf("the first coin is alive: %s\n",
           cosm_entity_is_alive(cosm_batch_world(batch, 0), first) ? "yes" : "no");
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
