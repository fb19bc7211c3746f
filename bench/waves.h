// What the two sides of the rows math_NAME share: arguments, and a loop for each function.
#ifndef BENCH_WAVES_H
#define BENCH_WAVES_H

#include "bench.h"

#include <math.h>
#include <stdlib.h>

struct waves {
    uint32_t n;
    float *x;    // -10 to 10
    float *y;    // likewise
    float *size; // above 0, up to 10
    float *out;
    float *out_2;
};

static void *waves_create(uint32_t n) {
    struct waves *waves = bench_alloc(1, sizeof *waves);
    waves->n = n;
    waves->x = bench_alloc(n, sizeof(float));
    waves->y = bench_alloc(n, sizeof(float));
    waves->size = bench_alloc(n, sizeof(float));
    waves->out = bench_alloc(n, sizeof(float));
    waves->out_2 = bench_alloc(n, sizeof(float));
    // In an order that looks random, so that nothing can be foreseen.
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        float part = ((float)order[i] + 0.5f) / (float)n;
        waves->x[i] = 20.0f * part - 10.0f;
        waves->y[n - 1 - i] = waves->x[i];
        waves->size[i] = 10.0f * part;
    }
    free(order);
    return waves;
}

// The two sides may differ in the last bit, which tests are about: here all results are finite.
static uint64_t waves_checksum(void *state) {
    const struct waves *waves = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < waves->n; i++) {
        sum += isfinite(waves->out[i]) != 0;
    }
    return sum;
}

static void waves_destroy(void *state) {
    struct waves *waves = state;
    free(waves->x);
    free(waves->y);
    free(waves->size);
    free(waves->out);
    free(waves->out_2);
    free(waves);
}

// A side whose run does `work` once for all values, in which w is the state.
#define WAVES_SIDE(side, work)                                                                     \
    static void run_##side(void *state, uint32_t times) {                                          \
        struct waves *w = state;                                                                   \
        for (uint32_t round = 0; round < times; round++) {                                         \
            work;                                                                                  \
            BENCH_BARRIER();                                                                       \
        }                                                                                          \
    }                                                                                              \
    const struct bench_side side = {                                                               \
        .create = waves_create,                                                                    \
        .run = run_##side,                                                                         \
        .checksum = waves_checksum,                                                                \
        .destroy = waves_destroy,                                                                  \
    }

// One whose work is a call for each value, of number i.
#define WAVES_EACH(side, call)                                                                     \
    WAVES_SIDE(                                                                                    \
        side, for (uint32_t i = 0; i < w->n; i++) { call; })

#endif
