// The golden states of the environments: what agents see, earn and are over all steps of a history
// of actions that depends on seed, world and step alone. The same with every compiler, every number
// of workers, every split, and for a world alone or among thousands.
//
// When an environment changes on purpose, a test that fails prints the new constant. A change that
// nobody intended, or that only some of the ways to run it show, is a bug.
// ctest: threads sim
#include "envs.h"
#include "harness.h"

#include <cosm_sim/sim.h>
#include <stdio.h>
#include <string.h>

#define ENV_COUNT 2u
#define WORLD_COUNT 66u
#define STEP_COUNT 120u
#define SEED 1u

static const struct {
    const char *env;
    uint64_t digest;
} goldens[ENV_COUNT] = {
    {"cartpole", 0x978dd2ad0ece80cbu},
    {"forage", 0x298be180b40bd86fu},
};

static uint64_t mix(uint64_t bits) {
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 29) * 0xBF58476D1CE4E5B9u;
    return bits ^ bits >> 32;
}

static uint64_t stir(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001B3u;
        hash ^= hash >> 29;
    }
    return hash;
}

// Actions of all rows of a world, by its seed and its number.
static void act(const cosm_tensor *action, uint32_t w, const uint64_t key[2], uint32_t step,
                uint32_t choice_count) {
    uint32_t rows = (uint32_t)action->shape[1];
    int32_t *values = (int32_t *)action->data + (size_t)w * rows;
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t draw = mix(mix(mix(mix(key[0]) + key[1]) + step) + row);
        values[row] = (int32_t)(draw % choice_count);
    }
}

// What a world shows in all slots of the environment, rows without an agent left out.
static uint64_t see(const cosm_sim *sim, uint32_t w, uint64_t hash) {
    const cosm_env_desc *env = cosm_sim_env(sim);
    for (uint32_t i = 0; i < COSM_LIST_MAX && env->slots[i].role != COSM_ROLE_NONE; i++) {
        const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), env->slots[i].slot);
        const char *from = (const char *)tensor->data + (int64_t)w * tensor->strides[0];
        size_t size = cosm_field_type_size(tensor->type);
        if (tensor->kind == COSM_TENSOR_FIXED) {
            hash = stir(hash, &tensor->counts[w], sizeof(uint32_t));
            size = (size_t)tensor->strides[1] * tensor->counts[w];
        }
        hash = stir(hash, from, size);
    }
    return hash;
}

// One way to run an environment.
struct way {
    const cosm_env_desc *env;
    uint32_t world_count;
    uint64_t seed;
    uint64_t world_first;
    uint32_t worker_count;
    cosm_split split;
    uint32_t block_worlds;
    const uint32_t *seen; // the worlds that are looked at; NULL: all of them, as one
    uint32_t seen_count;
};

// What the worlds that are looked at came to.
struct outcome {
    uint64_t digest; // over all steps
    uint64_t hash;   // the exact hash in the end; of all as one that of the first
};

#define SEEN_MAX 4u

static void see_step(cosm_sim *sim, const struct way *way, struct outcome *outcomes) {
    for (uint32_t i = 0; i < way->seen_count; i++) {
        outcomes[i].digest = see(sim, way->seen[i], outcomes[i].digest);
    }
    for (uint32_t w = 0; way->seen == NULL && w < way->world_count; w++) {
        outcomes[0].digest = see(sim, w, outcomes[0].digest);
    }
}

static void see_end(cosm_sim *sim, const struct way *way, struct outcome *outcomes) {
    for (uint32_t i = 0; i == 0 || i < way->seen_count; i++) {
        uint32_t index = way->seen == NULL ? 0 : way->seen[i];
        cosm_world world = cosm_batch_world(cosm_sim_batch(sim), index);
        outcomes[i].hash = cosm_hash_world(world, COSM_HASH_EXACT);
    }
}

static void run_way(const struct way *way, struct outcome outcomes[SEEN_MAX]) {
    for (uint32_t i = 0; i < SEEN_MAX; i++) {
        outcomes[i] = (struct outcome){1, 0};
    }
    cosm_error_clear();
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){
        .env = way->env,
        .world_count = way->world_count,
        .seed = way->seed,
        .world_first = way->world_first,
        .split = way->split,
        .block_worlds = way->block_worlds,
        .engine = {.worker_count = way->worker_count},
    });
    CHECK_STR(cosm_error_message(), "");
    if (sim == NULL) {
        CHECK(false);
        return;
    }
    const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
    cosm_space space = {.choice_count = 1};
    CHECK(cosm_sim_space(sim, action->slot, &space));
    for (uint32_t s = 0; s < STEP_COUNT; s++) {
        for (uint32_t w = 0; w < way->world_count; w++) {
            act(action, w, (uint64_t[]){way->seed, way->world_first + w}, s, space.choice_count);
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        see_step(sim, way, outcomes);
    }
    see_end(sim, way, outcomes);
    CHECK_INT(cosm_batch_validate(cosm_sim_batch(sim)), COSM_OK);
    CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
}

// The thread sanitizer looks at how threads meet, not at numbers: for it a few ways will do.
#if defined(__SANITIZE_THREAD__)
static const uint32_t worker_counts[] = {2, 4};
static const uint32_t block_sizes[] = {7};
#else
static const uint32_t worker_counts[] = {1, 2, 4};
static const uint32_t block_sizes[] = {0, 1, 7, 64};
#endif

static void check_golden(uint32_t i) {
    struct way way = {
        .env = scene_env_find(goldens[i].env), .world_count = WORLD_COUNT, .seed = SEED};
    REQUIRE(way.env != NULL);
    uint64_t first_hash = 0;
    for (size_t n = 0; n < sizeof(worker_counts) / sizeof(worker_counts[0]); n++) {
        for (size_t b = 0; b < sizeof(block_sizes) / sizeof(block_sizes[0]); b++) {
            for (cosm_split split = COSM_SPLIT_AUTO; split <= COSM_SPLIT_NONE; split++) {
                way.worker_count = worker_counts[n];
                way.block_worlds = block_sizes[b];
                way.split = split;
                struct outcome outcomes[SEEN_MAX];
                run_way(&way, outcomes);
                first_hash = first_hash == 0 ? outcomes[0].hash : first_hash;
                CHECK_INT(outcomes[0].hash, first_hash);
                if (outcomes[0].digest != goldens[i].digest) {
                    printf("\n%s: %016llx, not %016llx, with %u workers, split %d, blocks of %u\n",
                           goldens[i].env, (unsigned long long)outcomes[0].digest,
                           (unsigned long long)goldens[i].digest, way.worker_count, (int)split,
                           way.block_worlds);
                    CHECK(false);
                }
            }
        }
    }
}

TEST(cartpole_comes_to_the_golden_states_however_it_is_run) {
    check_golden(0);
}

TEST(forage_comes_to_the_golden_states_however_it_is_run) {
    check_golden(1);
}

TEST(a_world_alone_goes_the_way_of_the_same_world_among_4096) {
    static const uint32_t numbers[SEEN_MAX] = {0, 1, 777, 4095};
    for (uint32_t e = 0; e < ENV_COUNT; e++) {
        struct way among = {.env = scene_env_find(goldens[e].env),
                            .world_count = 4096,
                            .seed = 100,
                            .worker_count = 2,
                            .seen = numbers,
                            .seen_count = SEEN_MAX};
        struct outcome expected[SEEN_MAX];
        run_way(&among, expected);
        for (uint32_t i = 0; i < SEEN_MAX; i++) {
            struct way alone = {.env = among.env,
                                .world_count = 1,
                                .seed = 100,
                                .world_first = numbers[i],
                                .worker_count = 1};
            struct outcome outcomes[SEEN_MAX];
            run_way(&alone, outcomes);
            CHECK_INT(outcomes[0].digest, expected[i].digest);
            CHECK_INT(outcomes[0].hash, expected[i].hash);
        }
    }
}

TEST(every_environment_has_golden_states) {
    CHECK_INT(ENV_COUNT, scene_env_count());
    for (uint32_t i = 0; i < ENV_COUNT; i++) {
        CHECK_STR(goldens[i].env, scene_env_at(i)->name);
    }
}
