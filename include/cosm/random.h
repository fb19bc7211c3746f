// Random numbers: a pure function of (seed, world number, step, stream, draw).
//
//     cosm_random random = cosm_world_random(world, stream);
//     float x = cosm_random_float(&random);
//
// The generator is Philox 4x32 with ten rounds. There is no hidden state: two threads may draw for
// one world at the same time, and the same numbers come out on every machine, compiler and number
// of workers. Streams with different arguments are independent. Drawing cannot fail: from a NULL
// stream comes zero.
//
// A world draws by its seed, its number and its step. World w of a batch has the batch's seed, the
// number world_first + w and the batch's step count; cosm_world_seed gives it others. The three are
// state: a snapshot, file or fork of a world has them, and goes on drawing as the world would. So
// world k of seed s is the same world in whatever batch it is, and different pairs of seed and number
// share nothing: seeds 1 and 2 are as different as any.
#ifndef COSM_RANDOM_H
#define COSM_RANDOM_H

#include <cosm/types.h>

COSM_BEGIN_C

// A stream of numbers, by value. Copy it, and both copies give the same numbers. After 2^34 of them
// it starts again.
typedef struct cosm_random {
    uint32_t counter[4]; // counter[0] counts blocks of four numbers
    uint32_t key[2];
    uint32_t block[4]; // the numbers at hand
    uint32_t left;     // how many of them were not yet given
} cosm_random;

// A stream of its own, for programs without a batch, and for setting up one. No world draws from
// it, also where the seeds are equal.
COSM_API cosm_random cosm_random_seed(uint64_t seed, uint64_t stream);

// Random numbers of a world in the present step; for systems there is cosm_turn_random. The same
// arguments give the same numbers. A world that does not exist leaves a message, and a stream that
// is the same for all of them.
COSM_API cosm_random cosm_world_random(cosm_world world, uint32_t stream);

// The first four numbers of cosm_world_random(world, stream) for each of `count` worlds of a batch,
// by their numbers and with a stream for each: out_numbers[4 * i] to [4 * i + 3] are those of
// worlds[i]. Several at a time cost less than one by one. Where a world does not exist there is a
// message, and all numbers are zero.
COSM_API void cosm_worlds_random(const cosm_batch *batch, const uint32_t *worlds,
                                 const uint32_t *streams, uint32_t count, uint32_t *out_numbers);

// All values are equally likely.
COSM_API uint32_t cosm_random_u32(cosm_random *random);
COSM_API uint64_t cosm_random_u64(cosm_random *random);

// 0 to count - 1, each equally likely; 0 when count is 0.
COSM_API uint32_t cosm_random_below(cosm_random *random, uint32_t count);

// From `low` up to and including `high`, each equally likely; `low` when high is below it.
COSM_API int32_t cosm_random_range(cosm_random *random, int32_t low, int32_t high);

// From 0 up to but not 1, in steps of 2^-24 and 2^-53.
COSM_API float cosm_random_float(cosm_random *random);
COSM_API double cosm_random_double(cosm_random *random);

// From `low` up to but not `high`; `low` when they are equal, and when one of them is infinite or
// not a number.
COSM_API float cosm_random_between(cosm_random *random, float low, float high);

// True with this probability, to within 2^-32: never for 0 and less, always for 1 and more.
COSM_API bool cosm_random_chance(cosm_random *random, float probability);

// Normally distributed, mean 0 and deviation 1, between -8.3 and 8.3; the same bits everywhere.
COSM_API double cosm_random_normal(cosm_random *random);

// Puts `count` items of `size` bytes into a random order; all orders are equally likely.
COSM_API void cosm_random_shuffle(cosm_random *random, void *items, uint32_t count, size_t size);

// The generator itself: ten rounds of Philox 4x32.
COSM_API void cosm_random_philox(const uint32_t counter[4], const uint32_t key[2],
                                 uint32_t out_block[4]);

COSM_END_C

#endif
