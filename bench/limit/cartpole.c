// cartpole in plain C: one array for each number, two loops over all worlds, and a look at the few
// whose episodes end or begin.
//
// The loops are motion, what ends an episode, reward and observation; then return and length of the
// episode. Worlds that are over are listed once, and begin anew in the next step. Random numbers
// are those of Cosm, block for block, so that both sides come to the same states.
#include "cart.h"
#include "limit.h"
#include "rows.h"

#include <stdlib.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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
    bool any_truncated;
    uint32_t *list; // worlds that begin an episode in the next step, and what they draw by
    uint32_t list_count;
    uint32_t *numbers;
    CartState *starts;
};

// Motion, and all that follows from it alone. Neither this nor the next is inlined: what restrict
// says of parameters would be lost.
__attribute__((noinline)) static void move(uint32_t count, float *restrict x, float *restrict x_dot,
                                           float *restrict theta, float *restrict theta_dot,
                                           CartState *restrict seen, const int32_t *restrict action,
                                           float *restrict reward, bool *restrict terminated) {
    for (uint32_t i = 0; i < count; i++) {
        CartState now = {x[i], x_dot[i], theta[i], theta_dot[i]};
        float lives = cartpole_is_within(x[i], theta[i]) ? 1.0f : 0.0f;
        CartState next = cartpole_moved(now, action[i], lives * CARTPOLE_STEP_SECONDS);
        x[i] = next.x;
        x_dot[i] = next.x_dot;
        theta[i] = next.theta;
        theta_dot[i] = next.theta_dot;
        seen[i] = next;
        reward[i] = lives;
        terminated[i] = !cartpole_is_within(next.x, next.theta);
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

// Where carts begin. Ten rounds of Philox 4x32, as Cosm draws: by the seed, the world, the step
// and the number of the episode. Several worlds at a time cost a third of one by one.
__attribute__((noinline)) static void draw(uint32_t count, uint32_t step,
                                           const uint32_t *restrict worlds,
                                           const uint32_t *restrict numbers,
                                           CartState *restrict out_states) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = 0;
        uint32_t b = numbers[i];
        uint32_t c = step;
        uint32_t d = worlds[i];
        uint32_t key_0 = CART_SEED;
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
#if defined(__SSE2__)
    for (uint32_t i = 0; i < 64; i += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)((const char *)bytes + i));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(some, 7)) << i;
    }
#else
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t eight;
        memcpy(&eight, (const char *)bytes + i * 8, sizeof eight);
        bits |= (eight * 0x0102040810204080u >> 56) << (i * 8);
    }
#endif
    return bits;
}

// Begins an episode in the worlds that are listed.
static void begin_some(struct carts *carts) {
    uint32_t count = carts->list_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = carts->list[i];
        carts->numbers[i] = ++carts->number[w];
    }
    draw(count, carts->step, carts->list, carts->numbers, carts->starts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = carts->list[i];
        carts->x[w] = carts->starts[i].x;
        carts->x_dot[w] = carts->starts[i].x_dot;
        carts->theta[w] = carts->starts[i].theta;
        carts->theta_dot[w] = carts->starts[i].theta_dot;
        carts->seen[w] = carts->starts[i];
        carts->reward[w] = 0.0f;
        carts->terminated[w] = false;
        carts->sum[w] = 0.0f;
        carts->length[w] = 0;
    }
}

// Which worlds are cut off: only looked at when some are, and in the step after.
static void cut_off(struct carts *carts, bool late) {
    if (!late && !carts->any_truncated) {
        return;
    }
    carts->any_truncated = false;
    for (uint32_t i = 0; i < carts->count; i++) {
        carts->truncated[i] = carts->length[i] >= CARTPOLE_STEP_LIMIT && !carts->terminated[i];
        carts->any_truncated |= carts->truncated[i];
    }
}

// Lists episodes that are over, and keeps what they came to; the next step begins others. Most
// words have up to four bits: taken together they cost one branch that is foreseen.
static void end_some(struct carts *carts, bool late) {
    uint32_t count = 0;
    cut_off(carts, late);
    for (uint32_t first = 0; first < carts->count; first += 64) {
        uint64_t bits = bits_of(carts->terminated + first);
        bits |= carts->any_truncated ? bits_of(carts->truncated + first) : 0;
        while (bits != 0) {
            for (uint32_t k = 0; k < 4; k++) {
                carts->list[count] = first + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
                count += bits != 0;
                bits &= bits - 1;
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = carts->list[i];
        carts->last_sum[w] = carts->sum[w];
        carts->last_length[w] = carts->length[w];
    }
    carts->list_count = count;
}

static void run(void *state, uint32_t times) {
    struct carts *carts = state;
    for (uint32_t i = 0; i < times; i++) {
        const int32_t *list = carts->lists + carts->step % CART_LIST_COUNT * (size_t)carts->count;
        memcpy(carts->action, list, carts->count * sizeof(int32_t));
        move(carts->count, carts->x, carts->x_dot, carts->theta, carts->theta_dot, carts->seen,
             carts->action, carts->reward, carts->terminated);
        bool late = count_steps(carts->count, carts->reward, carts->sum, carts->length);
        begin_some(carts);
        end_some(carts, late);
        carts->step++;
        BENCH_BARRIER();
    }
}

// All arrays but those of actions, each with a room for one more: of the list of worlds.
static void each_array(struct carts *carts, void (*visit)(void **array, size_t size)) {
    float **floats[] = {&carts->x,      &carts->x_dot, &carts->theta,   &carts->theta_dot,
                        &carts->reward, &carts->sum,   &carts->last_sum};
    uint32_t **numbers[] = {&carts->length, &carts->last_length, &carts->number, &carts->list,
                            &carts->numbers};
    uint32_t rooms = (carts->count + 64) / 64 * 64;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        visit((void **)floats[i], rooms * sizeof(float));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        visit((void **)numbers[i], rooms * sizeof(uint32_t));
    }
    visit((void **)&carts->terminated, rooms * sizeof(bool));
    visit((void **)&carts->truncated, rooms * sizeof(bool));
    visit((void **)&carts->seen, rooms * sizeof(CartState));
    visit((void **)&carts->starts, rooms * sizeof(CartState));
}

static void take_array(void **array, size_t size) {
    *array = memset(bench_alloc(size, 1), 0, size);
}

static void give_array(void **array, size_t size) {
    (void)size;
    free(*array);
}

static void *create(uint32_t n) {
    struct carts *carts = bench_alloc(1, sizeof *carts);
    *carts = (struct carts){.count = n, .lists = cart_actions(n)};
    carts->action = bench_alloc(n, sizeof(int32_t));
    each_array(carts, take_array);
    for (uint32_t i = 0; i < n; i++) {
        carts->list[i] = i;
    }
    carts->list_count = n;
    begin_some(carts);
    carts->list_count = 0;
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
    each_array(carts, give_array);
    free(carts->lists);
    free(carts->action);
    free(carts);
}

const struct bench_side cartpole_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
