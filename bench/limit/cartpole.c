// cartpole in plain C: one array for each number, one loop that does everything a step has to do,
// and a look at the few worlds that begin anew.
//
// The loop is motion, what ends an episode, reward, return and length of the episode and of the
// last one, the time limit, and the observation. An episode that is over begins anew in the next
// step. Random numbers are those of Cosm, block for block, so that both sides come to the same
// states.
#include "cart.h"
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct carts {
    uint32_t count;
    uint32_t step;
    int32_t *lists; // the actions of CART_LIST_COUNT steps
    int32_t *action;
    float *x;
    float *x_dot;
    float *theta;
    float *theta_dot;
    CartState *seen;
    float *reward;
    float *sum; // of the rewards of the episode
    uint32_t *length;
    float *last_sum;
    uint32_t *last_length;
    uint32_t *number; // of the episode
    bool *terminated;
    bool *truncated;
    uint8_t *begins; // the next step begins an episode
    uint32_t *list;  // worlds that begin one in this step, and what they draw by
    uint32_t *seeds;
    uint32_t *numbers;
    CartState *starts;
};

// Motion, and all that follows from it alone. Neither this nor the next is inlined: what restrict
// says of parameters would be lost.
__attribute__((noinline)) static void move(uint32_t count, float *restrict x, float *restrict x_dot,
                                           float *restrict theta, float *restrict theta_dot,
                                           CartState *restrict seen, const int32_t *restrict action,
                                           const uint8_t *restrict begins, float *restrict reward,
                                           bool *restrict terminated) {
    for (uint32_t i = 0; i < count; i++) {
        CartState now = {x[i], x_dot[i], theta[i], theta_dot[i]};
        float lives = cartpole_is_within(x[i], theta[i]) ? 1.0f : 0.0f;
        CartState next = cartpole_moved(now, action[i], lives * CARTPOLE_STEP_SECONDS);
        x[i] = next.x;
        x_dot[i] = next.x_dot;
        theta[i] = next.theta;
        theta_dot[i] = next.theta_dot;
        seen[i] = next;
        reward[i] = begins[i] ? 0.0f : lives;
        terminated[i] = (bool)(!cartpole_is_within(next.x, next.theta) & !begins[i]);
    }
}

// The books of the episodes: return, length, and whether they are over. True where one is late.
__attribute__((noinline)) static bool count_steps(uint32_t count, const float *restrict reward,
                                                  float *restrict sum, uint32_t *restrict length) {
    uint32_t late = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum[i] += reward[i];
        length[i]++;
        late |= length[i] >= CARTPOLE_STEP_LIMIT;
    }
    return late != 0;
}

// Where carts begin. Ten rounds of Philox 4x32, as Cosm draws: by the seed of the world, the step
// and the number of the episode. Several worlds at a time cost a third of one by one.
__attribute__((noinline)) static void draw(uint32_t count, uint32_t step,
                                           const uint32_t *restrict seeds,
                                           const uint32_t *restrict numbers,
                                           CartState *restrict out_states) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = 0;
        uint32_t b = numbers[i];
        uint32_t c = step;
        uint32_t d = 0;
        uint32_t key_0 = seeds[i];
        uint32_t key_1 = 0;
#pragma GCC unroll 10
        for (int round = 0; round < 10; round++) {
            uint64_t product_0 = (uint64_t)0xD2511F53u * a;
            uint64_t product_1 = (uint64_t)0xCD9E8D57u * c;
            a = (uint32_t)(product_1 >> 32) ^ b ^ key_0;
            b = (uint32_t)product_1;
            c = (uint32_t)(product_0 >> 32) ^ d ^ key_1;
            d = (uint32_t)product_0;
            key_0 += 0x9E3779B9u;
            key_1 += 0xBB67AE85u;
        }
        out_states[i] =
            (CartState){cartpole_start(a), cartpole_start(b), cartpole_start(c), cartpole_start(d)};
    }
}

// One bit for each of 64 bytes that are 0 or 1.
static inline uint64_t bits_of(const void *bytes) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t eight;
        memcpy(&eight, (const char *)bytes + i * 8, sizeof eight);
        bits |= (eight * 0x0102040810204080u >> 56) << (i * 8);
    }
    return bits;
}

// Begins an episode in the worlds where that is due.
static void begin_some(struct carts *carts) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < carts->count; first += 64) {
        for (uint64_t bits = bits_of(carts->begins + first); bits != 0; bits &= bits - 1) {
            uint32_t w = first + (uint32_t)__builtin_ctzll(bits);
            carts->list[count] = w;
            carts->seeds[count] = CART_SEED + w;
            carts->numbers[count] = ++carts->number[w];
            count++;
        }
    }
    draw(count, carts->step, carts->seeds, carts->numbers, carts->starts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = carts->list[i];
        carts->x[w] = carts->starts[i].x;
        carts->x_dot[w] = carts->starts[i].x_dot;
        carts->theta[w] = carts->starts[i].theta;
        carts->theta_dot[w] = carts->starts[i].theta_dot;
        carts->seen[w] = carts->starts[i];
        carts->sum[w] = 0.0f;
        carts->length[w] = 0;
    }
}

// Takes note of episodes that are over; the next step begins others.
static void end_some(struct carts *carts, bool late) {
    memset(carts->truncated, 0, carts->count);
    for (uint32_t i = 0; late && i < carts->count; i++) {
        carts->truncated[i] = carts->length[i] >= CARTPOLE_STEP_LIMIT && !carts->terminated[i];
    }
    for (uint32_t first = 0; first < carts->count; first += 64) {
        uint64_t ends = bits_of(carts->terminated + first) | bits_of(carts->truncated + first);
        memset(carts->begins + first, 0, 64);
        for (uint64_t bits = ends; bits != 0; bits &= bits - 1) {
            uint32_t w = first + (uint32_t)__builtin_ctzll(bits);
            carts->begins[w] = 1;
            carts->last_sum[w] = carts->sum[w];
            carts->last_length[w] = carts->length[w];
        }
    }
}

static void run(void *state, uint32_t times) {
    struct carts *carts = state;
    for (uint32_t i = 0; i < times; i++) {
        const int32_t *list = carts->lists + carts->step % CART_LIST_COUNT * (size_t)carts->count;
        memcpy(carts->action, list, carts->count * sizeof(int32_t));
        move(carts->count, carts->x, carts->x_dot, carts->theta, carts->theta_dot, carts->seen,
             carts->action, carts->begins, carts->reward, carts->terminated);
        bool late = count_steps(carts->count, carts->reward, carts->sum, carts->length);
        begin_some(carts);
        end_some(carts, late);
        carts->step++;
        BENCH_BARRIER();
    }
}

static void *create(uint32_t n) {
    struct carts *carts = bench_alloc(1, sizeof *carts);
    uint32_t rooms = (n + 63) / 64 * 64;
    *carts = (struct carts){.count = n, .lists = cart_actions(n)};
    carts->action = bench_alloc(n, sizeof(int32_t));
    carts->seen = bench_alloc(n, sizeof(CartState));
    float **floats[] = {&carts->x,      &carts->x_dot, &carts->theta,   &carts->theta_dot,
                        &carts->reward, &carts->sum,   &carts->last_sum};
    uint32_t **numbers[] = {&carts->length, &carts->last_length, &carts->number,
                            &carts->list,   &carts->seeds,       &carts->numbers};
    bool **flags[] = {&carts->terminated, &carts->truncated};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        *floats[i] = memset(bench_alloc(n, sizeof(float)), 0, n * sizeof(float));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = memset(bench_alloc(n, sizeof(uint32_t)), 0, n * sizeof(uint32_t));
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *flags[i] = memset(bench_alloc(rooms, sizeof(bool)), 0, rooms * sizeof(bool));
    }
    carts->starts = bench_alloc(n, sizeof(CartState));
    carts->begins = bench_alloc(rooms, 1);
    memset(carts->begins, 0, rooms);
    memset(carts->begins, 1, n);
    begin_some(carts);
    memset(carts->begins, 0, n);
    run(carts, CART_STEPS_BEFORE);
    return carts;
}

static uint64_t checksum(void *state) {
    const struct carts *carts = state;
    uint64_t sum = carts->count;
    for (uint32_t i = 0; i < carts->count; i++) {
        sum += cart_hash(i, carts->seen[i], carts->length[i], carts->last_sum[i]);
    }
    return sum;
}

static void destroy(void *state) {
    struct carts *carts = state;
    void *arrays[] = {carts->lists,  carts->action,    carts->x,        carts->x_dot,
                      carts->theta,  carts->theta_dot, carts->seen,     carts->reward,
                      carts->sum,    carts->length,    carts->last_sum, carts->last_length,
                      carts->number, carts->truncated, carts->begins,   carts->terminated,
                      carts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

const struct bench_side cartpole_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
