// Random numbers: a pure function of (seed, world number, step, stream, draw).
//
//     cosm_random random = cosm_world_random(world, stream);
//     float x = cosm_random_float(&random);
//
// The generator is Philox 4x32 with ten rounds. There is no hidden state: two threads may draw for
// one world at the same time, and the numbers are the same on every machine, with every compiler
// and any number of workers. Streams with different arguments are independent. Drawing cannot fail:
// a NULL stream gives zeros.
//
// A world draws by its seed, its number and its step. World w of a batch has the batch's seed, the
// number world_first + w and the batch's step count; cosm_world_seed sets others. All three are
// state: a snapshot, file or fork of a world has them, and continues to draw as the world would. So
// world k of seed s is the same world in any batch, and different pairs of seed and number share
// nothing: seeds 1 and 2 are as different as any two.
#ifndef COSM_RANDOM_H
#define COSM_RANDOM_H

#include <cosm/types.h>

COSM_BEGIN_C

// A stream of numbers, by value. Copies give the same numbers. It repeats after 2^34 numbers.
typedef struct cosm_random {
    uint32_t counter[4]; // counter[0] counts blocks of four numbers
    uint32_t key[2];
    uint32_t block[4]; // the current block
    uint32_t left;     // how many of its numbers are left
} cosm_random;

// An independent stream, for programs without a batch and for setup. No world draws from it, even
// with an equal seed.
COSM_API cosm_random cosm_random_seed(uint64_t seed, uint64_t stream);

// The random numbers of a world in the current step; systems use cosm_turn_random. The same
// arguments give the same numbers. For a world that does not exist, reports an error and returns
// one fixed stream.
COSM_API cosm_random cosm_world_random(cosm_world world, uint32_t stream);

// The first four numbers of cosm_world_random(world, stream) for each of `count` worlds of a batch,
// given by their indices, with one stream each: out_numbers[4 * i] to [4 * i + 3] are those of
// worlds[i]. Faster than one call per world. If a world does not exist, reports an error and sets
// all numbers to zero.
COSM_API void cosm_worlds_random(const cosm_batch *batch, const uint32_t *worlds,
                                 const uint32_t *streams, uint32_t count, uint32_t *out_numbers);

// Uniform over all values.
COSM_API uint32_t cosm_random_u32(cosm_random *random);
COSM_API uint64_t cosm_random_u64(cosm_random *random);

// Uniform over 0 to count - 1; 0 if count is 0.
COSM_API uint32_t cosm_random_below(cosm_random *random, uint32_t count);

// Uniform over `low` to `high`, both included; `low` if high is below low.
COSM_API int32_t cosm_random_range(cosm_random *random, int32_t low, int32_t high);

// In [0, 1), in steps of 2^-24 and 2^-53.
COSM_API float cosm_random_float(cosm_random *random);
COSM_API double cosm_random_double(cosm_random *random);

// In [low, high); `low` if they are equal, or if one is infinite or not a number.
COSM_API float cosm_random_between(cosm_random *random, float low, float high);

// True with this probability, to within 2^-32: never for 0 or less, always for 1 or more.
COSM_API bool cosm_random_chance(cosm_random *random, float probability);

// Normally distributed with mean 0 and standard deviation 1, between -8.3 and 8.3; the same bits on
// every machine.
COSM_API double cosm_random_normal(cosm_random *random);

// Shuffles `count` items of `size` bytes; all orders are equally likely.
COSM_API void cosm_random_shuffle(cosm_random *random, void *items, uint32_t count, size_t size);

// The generator itself: ten rounds of Philox 4x32.
COSM_API void cosm_random_philox(const uint32_t counter[4], const uint32_t key[2],
                                 uint32_t out_block[4]);

COSM_END_C

#endif
