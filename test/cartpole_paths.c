// The environment cartpole: its loops for one number at a time and those for eight come to the same
// bits. Which of them a program runs depends on the processor, so the source itself is looked at.
#include "harness.h"

#include "../scenes/cartpole.c" // NOLINT: for its static functions

#include <cosm/random.h>
#include <string.h>

// Not a multiple of eight: the last ones are done one by one.
#define COUNT 1003u

struct carts {
    float state[4][COUNT];
    int32_t action[COUNT];
    float reward[COUNT];
    bool terminated[COUNT];
    CartObservation seen[COUNT];
};

static void fill(struct carts *carts, cosm_random *random) {
    static const float range[4] = {2.6f, 4.0f, 0.3f, 4.0f};
    memset(carts, 0, sizeof(*carts));
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            carts->state[k][i] = cosm_random_between(random, -range[k], range[k]);
        }
        carts->action[i] = (int32_t)cosm_random_below(random, 2);
    }
}

TEST(carts_move_alike_one_by_one_and_eight_at_a_time) {
    static struct carts plain;
    static struct carts wide;
    cosm_random random = cosm_random_seed(harness_seed(), 0);
    for (uint32_t round = 0; round < 20; round++) {
        fill(&plain, &random);
        wide = plain;
        push_plain(COUNT, plain.state[0], plain.state[1], plain.state[2], plain.state[3],
                   plain.action, plain.seen, plain.reward, plain.terminated);
        if (find_avx2()) {
            push_avx2(COUNT, wide.state[0], wide.state[1], wide.state[2], wide.state[3],
                      wide.action, wide.seen, wide.reward, wide.terminated);
            CHECK_MEM(&wide, &plain, sizeof(plain));
        }
    }
}

TEST(bytes_that_are_not_zero_are_found_whatever_they_are) {
    cosm_random random = cosm_random_seed(harness_seed(), 2);
    for (uint32_t round = 0; round < 1000; round++) {
        uint8_t bytes[64];
        uint64_t flags = 0;
        for (uint32_t i = 0; i < 64; i++) {
            bool is_set = cosm_random_below(&random, 4) == 0;
            bytes[i] = (uint8_t)(is_set ? 1 + cosm_random_below(&random, 255) : 0);
            flags |= (uint64_t)is_set << i;
        }
        CHECK_INT(flags_of(bytes, 64), flags);
        uint32_t count = cosm_random_below(&random, 64);
        CHECK_INT(flags_of(bytes, count), flags & (((uint64_t)1 << count) - 1));
        uint64_t left = 0;
        for (uint64_t bits = flags; bits != 0; bits &= bits - 1) {
            left |= (uint64_t)1 << lowest_bit(bits);
        }
        CHECK_INT(left, flags);
    }
}
