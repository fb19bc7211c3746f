// episodes: does the ten-thousandth episode cost what the tenth did, in time and in bytes?
//
// Both sides are Cosm. An episode resets all worlds, spawns their movers one by one and takes a few
// steps. Worlds hold 5 to 14 movers, another number in each episode, so that tables and lists of
// free ids are never just right. The pattern repeats after ten episodes: both sides do the same
// work, and end with the same rows.
#include "rows.h"
#include "swarm.h"

#include <stdlib.h>

#define EPISODE_STEPS 4u
#define MOVERS_MIN 5u
#define MOVERS_SPREAD 10u // also the number of episodes after which all repeats
#define EARLY 10u
#define LATE 10000u

_Static_assert((LATE - EARLY) % MOVERS_SPREAD == 0, "both sides must do the same work");

struct series {
    struct swarm *swarm;
    uint32_t number; // of the last episode
};

static void spawn_movers(struct series *series, uint32_t w) {
    struct swarm *swarm = series->swarm;
    cosm_world world = cosm_batch_world(swarm->batch, w);
    uint32_t count = MOVERS_MIN + (w * 7 + series->number * 3) % MOVERS_SPREAD;
    Position position;
    Velocity velocity;
    const cosm_value values[] = {{swarm->position, &position}, {swarm->velocity, &velocity}};
    bool done = true;
    for (uint32_t i = 0; i < count; i++) {
        position = work_position(i);
        velocity = work_velocity(i + w);
        done &= !cosm_entity_is_none(cosm_entity_spawn_with(world, swarm->mover, values, 2));
    }
    bench_need(done, "mover");
}

static void play(void *state, uint32_t times) {
    struct series *series = state;
    for (uint32_t i = 0; i < times; i++) {
        series->number++;
        bench_need(cosm_batch_reset(series->swarm->batch, NULL) == COSM_OK, "reset");
        for (uint32_t w = 0; w < series->swarm->desc.world_count; w++) {
            spawn_movers(series, w);
        }
        swarm_step(series->swarm, EPISODE_STEPS);
    }
}

static struct series *begin_series(uint32_t n, uint32_t episodes) {
    struct series *series = bench_alloc(1, sizeof *series);
    *series = (struct series){.number = 0};
    series->swarm = swarm_create(&(struct swarm_desc){.world_count = n, .worker_count = 1});
    swarm_begin_batch(series->swarm);
    play(series, episodes);
    return series;
}

// The harness plays one to fill the caches, and then times the next.
static void *create_early(uint32_t n) {
    return begin_series(n, EARLY - 2);
}

static void *create_late(uint32_t n) {
    return begin_series(n, LATE - 2);
}

static uint64_t checksum(void *state) {
    struct series *series = state;
    return swarm_hash(series->swarm);
}

static void destroy(void *state) {
    struct series *series = state;
    swarm_destroy(series->swarm);
    free(series);
}

static double bytes_after(uint32_t n, uint32_t episodes, uint64_t *out_checksum) {
    struct series *series = begin_series(n, episodes);
    double used = (double)cosm_batch_memory(series->swarm->batch).used;
    *out_checksum = checksum(series);
    destroy(series);
    return used / n;
}

static double bytes_early(uint32_t n, uint64_t *out_checksum) {
    return bytes_after(n, EARLY, out_checksum);
}

static double bytes_late(uint32_t n, uint64_t *out_checksum) {
    return bytes_after(n, LATE, out_checksum);
}

const struct bench_side episodes_early = {create_early, NULL, play, checksum, destroy, NULL};

const struct bench_side episodes_late = {create_late, NULL, play, checksum, destroy, NULL};

const struct bench_side episodes_early_bytes = {.bytes = bytes_early};

const struct bench_side episodes_late_bytes = {.bytes = bytes_late};
