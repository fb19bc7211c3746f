// The environment cartpole: a pole stands on a cart, which is pushed to the left or to the right in
// every step. An episode ends when the pole leans too far or the cart has left the track.
//
// There is one entity in each world, for good, in an archetype with a fixed place for it: the rows
// of all worlds are one run, and a step is one loop over separate arrays: `push`, which moves the
// carts and writes what agents see. `start` puts carts whose worlds begin anew to their places, and
// writes what is seen there. A system of its own that writes observations in phase `observe` would
// be one more pass over all worlds.
//
// A cart whose episode is over stands still, and earns nothing, until its world begins anew. So
// nothing ever overflows, however long a world is left alone.
#include "cartpole.cosm.h"
#include "envs.h"
#include "paint.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Eight worlds at a time where the processor can do it. Every lane of a vector is rounded as a
// single number is, and nothing is fused, so both ways come to the same bits.
#if defined(__x86_64__) && defined(__GNUC__)
#define CARTPOLE_AVX2 __attribute__((target("avx2")))
#endif
#if defined(__GNUC__)
#define CARTPOLE_INLINE static inline __attribute__((always_inline))
#else
#define CARTPOLE_INLINE static inline
#endif

struct cartpole {
    cosm_component state;
    cosm_archetype cart;
    cosm_singleton reset;
    cosm_singleton number;
    bool has_avx2;
};

// One step of all carts. The pointers are restrict parameters, for else gcc leaves the loop scalar.
CARTPOLE_INLINE void push_rows(uint32_t count, float *restrict x, float *restrict x_dot,
                               float *restrict theta, float *restrict theta_dot,
                               const int32_t *restrict action, CartObservation *restrict seen,
                               float *restrict reward, bool *restrict terminated) {
    for (uint32_t i = 0; i < count; i++) {
        float lives = cartpole_is_within(x[i], theta[i]) ? 1.0f : 0.0f;
        CartState now = {x[i], x_dot[i], theta[i], theta_dot[i]};
        CartState next = cartpole_moved(now, action[i], lives * CARTPOLE_STEP_SECONDS);
        x[i] = next.x;
        x_dot[i] = next.x_dot;
        theta[i] = next.theta;
        theta_dot[i] = next.theta_dot;
        seen[i] = (CartObservation){next.x, next.x_dot, next.theta, next.theta_dot};
        reward[i] = lives;
        terminated[i] = !cartpole_is_within(next.x, next.theta);
    }
}

// Carts that are to begin an episode, and what their random numbers are drawn by.
#define START_MAX 256u

struct starts {
    uint32_t count;
    uint32_t worlds[START_MAX + 1];
    uint32_t numbers[START_MAX];
    uint32_t drawn[4 * START_MAX];
};

// The parameters of that, for the functions that are compiled of it.
#define PUSH_PARAMETERS                                                                            \
    uint32_t count, float *restrict x, float *restrict x_dot, float *restrict theta,               \
        float *restrict theta_dot, const int32_t *restrict action, CartObservation *restrict seen, \
        float *restrict reward, bool *restrict terminated
#define PUSH_ARGUMENTS count, x, x_dot, theta, theta_dot, action, seen, reward, terminated
static void push_plain(PUSH_PARAMETERS) {
    push_rows(PUSH_ARGUMENTS);
}

#ifdef CARTPOLE_AVX2
CARTPOLE_AVX2 static void push_avx2(PUSH_PARAMETERS) {
    push_rows(PUSH_ARGUMENTS);
}

static bool find_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define push_avx2 push_plain

static bool find_avx2(void) {
    return false;
}
#endif

static void push(cosm_rows *rows) {
    const struct cartpole *cartpole = rows->context;
    CartState_columns state = CartState_columns_write(rows, 0);
    const CartAction *action = CartAction_column_read(rows, 1);
    CartObservation *seen = CartObservation_column_write(rows, 2);
    CartReward *reward = CartReward_column_write(rows, 3);
    CartTerminated *terminated = CartTerminated_column_write(rows, 4);
    (cartpole->has_avx2 ? push_avx2 : push_plain)(rows->count, state.x, state.x_dot, state.theta,
                                                  state.theta_dot, &action->push, seen,
                                                  &reward->value, &terminated->is_so);
}

// Puts the carts that are listed to random places, and forgets them. `first` is the world of row 0.
// The number of the episode tells apart episodes that begin in one step.
static void start_carts(const struct cartpole *cartpole, struct starts *starts, cosm_world first,
                        const CartState_columns *state, CartObservation *seen) {
    const uint32_t *number = cosm_singleton_read(first, cartpole->number);
    for (uint32_t i = 0; i < starts->count; i++) {
        starts->numbers[i] = number[starts->worlds[i] - first.index];
    }
    cosm_worlds_random(first.batch, starts->worlds, starts->numbers, starts->count, starts->drawn);
    for (uint32_t i = 0; i < starts->count; i++) {
        uint32_t row = starts->worlds[i] - first.index;
        const uint32_t *drawn = starts->drawn + 4 * (size_t)i;
        CartObservation place = {cartpole_start(drawn[0]), cartpole_start(drawn[1]),
                                 cartpole_start(drawn[2]), cartpole_start(drawn[3])};
        state->x[row] = place.x;
        state->x_dot[row] = place.x_dot;
        state->theta[row] = place.theta;
        state->theta_dot[row] = place.theta_dot;
        seen[row] = place;
    }
    starts->count = 0;
}

// One bit for each of up to 64 bytes that is not zero, the first one's lowest.
static uint64_t flags_of(const uint8_t *bytes, uint32_t count) {
    uint64_t flags = 0;
#if defined(__SSE2__)
    if (count >= 64) {
        for (uint32_t i = 0; i < 64; i += 16) {
            __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
            int zeroes = _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()));
            flags |= (uint64_t)(~(uint32_t)zeroes & 0xFFFFu) << i;
        }
        return flags;
    }
#endif
    for (uint32_t i = 0; i < count && i < 64; i++) {
        flags |= (uint64_t)(bytes[i] != 0) << i;
    }
    return flags;
}

static uint32_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t bit = 0;
    while ((bits >> bit & 1u) == 0) {
        bit++;
    }
    return bit;
#endif
}

// Few worlds begin anew in a step, and which is hard to foresee: a branch for each would cost more
// than all the rest. So they are looked for 64 at a time.
static void start(cosm_rows *rows) {
    const struct cartpole *cartpole = rows->context;
    // A file may have carts of another kind, several to a world.
    if (rows->archetype.id != cartpole->cart.id) {
        return;
    }
    CartState_columns state = CartState_columns_write(rows, 0);
    CartObservation *seen = CartObservation_column_write(rows, 1);
    // Values of neighbouring worlds lie side by side, and worlds of one run have one row each.
    cosm_world first = cosm_rows_world(rows, 0);
    const uint8_t *reset = cosm_singleton_read(first, cartpole->reset);
    struct starts starts;
    starts.count = 0;
    for (uint32_t i = 0; i < rows->count; i += 64) {
        // Four at a time, of which those count that are there: one branch for most of the 64.
        uint64_t flags = flags_of(reset + i, rows->count - i);
        while (flags != 0) {
            for (uint32_t k = 0; k < 4; k++) {
                starts.worlds[starts.count] =
                    first.index + i + lowest_bit(flags | (uint64_t)1 << 63);
                starts.count += flags != 0;
                flags &= flags - 1;
            }
        }
        if (starts.count > START_MAX - 64) {
            start_carts(cartpole, &starts, first, &state, seen);
        }
    }
    start_carts(cartpole, &starts, first, &state, seen);
}

// Each world gets its one cart before it begins its first episode.
static cosm_result place(void *context, cosm_batch *batch) {
    const struct cartpole *cartpole = context;
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        cosm_world world = cosm_batch_world(batch, w);
        if (cosm_world_entity_count(world) == 0 &&
            cosm_entity_is_none(cosm_entity_spawn(world, cartpole->cart))) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static cosm_result define_exports(const cosm_env_setup *setup) {
    const struct cartpole *cartpole = setup->context;
    const cosm_export_desc exports[] = {
        {.slot = CARTPOLE_SLOT_OBSERVATION,
         .name = "observation",
         .component = CartObservation_component(setup->engine)},
        {.slot = CARTPOLE_SLOT_ACTION,
         .name = "action",
         .component = CartAction_component(setup->engine),
         .direction = COSM_DIRECTION_IN},
        {.slot = CARTPOLE_SLOT_REWARD,
         .name = "reward",
         .component = CartReward_component(setup->engine)},
        {.slot = CARTPOLE_SLOT_TERMINATED,
         .name = "terminated",
         .component = CartTerminated_component(setup->engine)},
    };
    for (size_t i = 0; i < sizeof(exports) / sizeof(exports[0]); i++) {
        cosm_export_desc desc = exports[i];
        desc.archetype = cartpole->cart;
        cosm_result result = cosm_export_define(setup->engine, &desc);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

static cosm_result define(const cosm_env_setup *setup) {
    struct cartpole *cartpole = setup->context;
    cosm_engine *engine = setup->engine;
    cosm_result result = cartpole_register_all(engine);
    if (result != COSM_OK) {
        return result;
    }
    cartpole->reset = setup->reset;
    cartpole->number = setup->number;
    cartpole->has_avx2 = find_avx2();
    cartpole->state = CartState_component(engine);
    cartpole->cart = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "cart",
                    .text = "CartState, CartObservation, CartAction, CartReward, CartTerminated",
                    .placement = COSM_PLACEMENT_FIXED,
                    .max_per_world = 1,
                });
    bool done = cartpole->cart.id != 0 &&
                scene_env_system(setup,
                                 &(cosm_system_desc){
                                     .name = "push",
                                     .each = push,
                                     .query = "mut CartState, CartAction, mut CartObservation, "
                                              "mut CartReward, mut CartTerminated",
                                 }) &&
                scene_env_system(setup, &(cosm_system_desc){
                                            .name = "start",
                                            .each = start,
                                            .query = "mut CartState, mut CartObservation",
                                            .init = place,
                                            .phase = setup->begin,
                                            .singletons = {{setup->reset, COSM_ACCESS_READ},
                                                           {setup->number, COSM_ACCESS_READ}},
                                        });
    return done ? define_exports(setup) : cosm_error_result();
}

static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    static const struct colour sky = {250, 250, 250};
    static const struct colour track = {60, 60, 60};
    static const struct colour cart_colour = {40, 70, 120};
    static const struct colour pole_colour = {200, 140, 90};
    const struct cartpole *cartpole = context;
    float scale = (float)canvas->width / (2.0f * CARTPOLE_X_MAX);
    int32_t ground = (int32_t)(canvas->height * 3 / 4);
    int32_t thin = canvas->height < 100 ? 1 : (int32_t)(canvas->height / 100);
    paint_box(canvas, 0, 0, (int32_t)canvas->width, (int32_t)canvas->height, sky);
    paint_box(canvas, 0, ground, (int32_t)canvas->width, thin, track);
    CartState state;
    cosm_entity cart = cosm_entity_at(world, (cosm_loc){cartpole->cart.id, 0});
    // Far outside there is nothing to be seen, and no pixel has such a number.
    if (!cosm_entity_get(world, cart, cartpole->state, &state) ||
        !(state.x > -2.0f * CARTPOLE_X_MAX && state.x < 2.0f * CARTPOLE_X_MAX)) {
        return;
    }
    float x = (float)canvas->width / 2.0f + state.x * scale;
    float top = (float)ground - 0.15f * scale;
    float length = 2.0f * CARTPOLE_POLE_HALF * scale;
    paint_box(canvas, (int32_t)(x - 0.2f * scale), (int32_t)top, (int32_t)(0.4f * scale),
              (int32_t)(0.3f * scale), cart_colour);
    paint_line(canvas, x, top, x + length * cartpole_sine(state.theta),
               top - length * cartpole_cosine(state.theta), 0.04f * scale, pole_colour);
}

const cosm_env_desc scene_cartpole = {
    COSM_ENV_BUILT,
    .name = "cartpole",
    .summary = "a pole on a cart, to be kept upright by pushing the cart",
    .define = define,
    .draw = draw,
    .canvas_width = 300,
    .canvas_height = 200,
    .context_size = sizeof(struct cartpole),
    .step_seconds = CARTPOLE_STEP_SECONDS,
    .step_limit = CARTPOLE_STEP_LIMIT,
    .slots = {{CARTPOLE_SLOT_OBSERVATION, COSM_ROLE_OBSERVATION},
              {CARTPOLE_SLOT_ACTION, COSM_ROLE_ACTION},
              {CARTPOLE_SLOT_REWARD, COSM_ROLE_REWARD},
              {CARTPOLE_SLOT_TERMINATED, COSM_ROLE_TERMINATED}},
};
