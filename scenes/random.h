// Random numbers as a function of (seed, world, step, draw): nothing is carried from one draw to
// the next, so draws may be taken in any order, and only those that are wanted.
//
// A key stands for (seed, world, step) and is made once per world and step; draws are numbered by
// the caller, who keeps the numbers of different uses apart.
#ifndef SCENES_RANDOM_H
#define SCENES_RANDOM_H

#include <stdint.h>

// The step number that draws made while a world is populated go by: no step has it.
#define RANDOM_SETUP UINT64_MAX

// 2^64 over the golden ratio: neighbouring numbers, multiplied by it, land far apart.
#define RANDOM_STRIDE 0x9E3779B97F4A7C15ull

// One to one, and every bit of the result depends on every bit of x: over 2^16 inputs each output
// bit flips with each input bit in 49 to 51 % of the cases.
static inline uint64_t random_mix(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xA3EC647659359ACDull;
    x = (x ^ (x >> 29)) * 0xD9B4AE3F1C87E52Bull;
    return x ^ (x >> 32);
}

static inline uint64_t random_key(uint64_t seed, uint32_t world, uint64_t step) {
    uint64_t key = random_mix(seed + RANDOM_STRIDE);
    key = random_mix(key ^ (world + 1ull) * RANDOM_STRIDE);
    return random_mix(key ^ (step + 1ull) * RANDOM_STRIDE);
}

// The number of a draw: 2^32 of them for each purpose.
static inline uint64_t random_number(uint32_t purpose, uint32_t item) {
    return (uint64_t)purpose << 32 | item;
}

static inline uint32_t random_draw(uint64_t key, uint64_t draw) {
    return (uint32_t)(random_mix(key + draw * RANDOM_STRIDE) >> 32);
}

// 0 to bound - 1. The bias is below bound / 2^32.
static inline uint32_t random_below(uint64_t key, uint64_t draw, uint32_t bound) {
    return (uint32_t)(((uint64_t)random_draw(key, draw) * bound) >> 32);
}

// From `low` up to `high`, in steps of 2^-24 of the way: exact in a float, the same everywhere.
static inline float random_between(uint64_t key, uint64_t draw, float low, float high) {
    float unit = (float)(random_draw(key, draw) >> 8) * (1.0f / 16777216.0f);
    return low + (high - low) * unit;
}

#endif
