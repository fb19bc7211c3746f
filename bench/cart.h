// What both sides of the row cartpole share: the actions, and the checksum. What a cart does in a
// step is in the scene's own header.
#ifndef BENCH_CART_H
#define BENCH_CART_H

#include "bench.h"
#include "cartpole.h"

#include <string.h>

// Lists of actions, made beforehand and taken in turn: what a policy would cost is not measured.
#define CART_LIST_COUNT 16u

// Steps that are taken before anything is timed. All worlds begin their first episodes together,
// and none ends within eight steps: until that has blurred there are moments in which nothing
// begins.
#define CART_STEPS_BEFORE 256u

// The seed of all worlds, which draw by it and by their numbers.
#define CART_SEED 7u

static inline uint64_t cart_mix(uint64_t bits) {
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 29) * 0xBF58476D1CE4E5B9u;
    return bits ^ bits >> 32;
}

// CART_LIST_COUNT lists of n random actions, one behind the other. Yours to free.
static inline int32_t *cart_actions(uint32_t n) {
    int32_t *actions = bench_alloc((size_t)n * CART_LIST_COUNT, sizeof *actions);
    for (size_t i = 0; i < (size_t)n * CART_LIST_COUNT; i++) {
        actions[i] = (int32_t)(cart_mix(i + 1) & 1u);
    }
    return actions;
}

// Of world number i: where its cart is, and how its episode stands.
static inline uint64_t cart_hash(uint32_t i, CartState state, uint32_t length, float sum) {
    uint32_t words[7] = {i, 0, 0, 0, 0, length, 0};
    memcpy(words + 1, &state, sizeof state);
    memcpy(words + 6, &sum, sizeof sum);
    uint64_t hash = 1;
    for (uint32_t w = 0; w < 7; w++) {
        hash = cart_mix(hash ^ words[w]);
    }
    return hash;
}

#endif
