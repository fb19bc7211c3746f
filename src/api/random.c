// The public calls of cosm/random.h that are about worlds; base/random.c has the others.
#include <cosm/random.h>

#include "api/check.h"
#include "base/random.h"

cosm_random cosm_world_random(cosm_world world, uint32_t stream) {
    if (UNLIKELY(!world_exists(world))) {
        (void)cosmi_refuse_world(world, "cosm_world_random");
        return (cosm_random){0};
    }
    return cosmi_random_stream(world_seed(world.batch, world.index), 0,
                               world_number(world.batch, world.index),
                               world_step(world.batch, world.index), stream);
}

static cosm_result check_worlds_random(const cosm_batch *batch, const uint32_t *worlds,
                                       const uint32_t *streams, uint32_t count, const char *call) {
    if (batch == NULL || (count > 0 && (worlds == NULL || streams == NULL))) {
        return cosmi_refuse_null(batch == NULL ? NULL : batch->sink, call,
                                 batch == NULL    ? "batch"
                                 : worlds == NULL ? "worlds"
                                                  : "streams",
                                 "pass a batch, and the number and the stream of each world");
    }
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        last = worlds[i] > last ? worlds[i] : last;
    }
    return last < batch->world_count
               ? COSM_OK
               : cosmi_refuse_world((cosm_world){(cosm_batch *)batch, last}, call);
}

void cosm_worlds_random(const cosm_batch *batch, const uint32_t *worlds, const uint32_t *streams,
                        uint32_t count, uint32_t *out_numbers) {
    if (out_numbers == NULL) {
        return;
    }
    if (UNLIKELY(check_worlds_random(batch, worlds, streams, count, "cosm_worlds_random") !=
                 COSM_OK)) {
        memset(out_numbers, 0, (size_t)count * 4 * sizeof(*out_numbers));
        return;
    }
    struct random_lanes lanes;
    for (uint32_t first = 0; first < count; first += RANDOM_LANE_MAX) {
        uint32_t some = count - first < RANDOM_LANE_MAX ? count - first : RANDOM_LANE_MAX;
        for (uint32_t i = 0; i < some; i++) {
            uint32_t world = worlds[first + i];
            uint64_t number = world_number(batch, world);
            uint64_t key = random_key(world_seed(batch, world), 0, number);
            uint64_t step = world_step(batch, world);
            lanes.streams[i] = streams[first + i];
            lanes.steps[i] = (uint32_t)step;
            lanes.places[i] = random_place(number, step);
            lanes.keys_0[i] = (uint32_t)key;
            lanes.keys_1[i] = (uint32_t)(key >> 32);
        }
        cosmi_random_lanes(&lanes, some, out_numbers + (size_t)first * 4);
    }
}
