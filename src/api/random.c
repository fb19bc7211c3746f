// The public calls of cosm/random.h.
//
// Where there is no stream, the answer is zero: drawing cannot fail.
#include <cosm/random.h>

#include "api/check.h"
#include "base/random.h"

cosm_random cosm_random_seed(uint64_t seed, uint64_t stream) {
    return cosmi_random_seed(seed, stream);
}

cosm_random cosm_world_random(cosm_world world, uint32_t stream) {
    if (UNLIKELY(!world_exists(world))) {
        (void)cosmi_refuse_world(world, "cosm_world_random");
        return (cosm_random){0};
    }
    return cosmi_random_stream(world_seed(world.batch, world.index), 0,
                               world_number(world.batch, world.index),
                               world_step(world.batch, world.index), stream);
}

uint32_t cosm_random_u32(cosm_random *random) {
    return random == NULL ? 0 : random_next(random);
}

uint64_t cosm_random_u64(cosm_random *random) {
    return random == NULL ? 0 : random_next_wide(random);
}

uint32_t cosm_random_below(cosm_random *random, uint32_t count) {
    return random == NULL ? 0 : cosmi_random_below(random, count);
}

int32_t cosm_random_range(cosm_random *random, int32_t low, int32_t high) {
    return random == NULL ? 0 : cosmi_random_range(random, low, high);
}

float cosm_random_float(cosm_random *random) {
    return random == NULL ? 0.0f : random_unit(random);
}

double cosm_random_double(cosm_random *random) {
    return random == NULL ? 0.0 : random_unit_wide(random);
}

float cosm_random_between(cosm_random *random, float low, float high) {
    return random == NULL ? 0.0f : cosmi_random_between(random, low, high);
}

bool cosm_random_chance(cosm_random *random, float probability) {
    return random != NULL && cosmi_random_chance(random, probability);
}

double cosm_random_normal(cosm_random *random) {
    return random == NULL ? 0.0 : cosmi_random_normal(random);
}

void cosm_random_shuffle(cosm_random *random, void *items, uint32_t count, size_t size) {
    if (random != NULL && items != NULL && size > 0) {
        cosmi_random_shuffle(random, items, count, size);
    }
}

void cosm_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out_block[4]) {
    if (counter != NULL && key != NULL && out_block != NULL) {
        cosmi_random_philox(counter, key, out_block);
    }
}
