// A library with an environment: a counter that gives its count as the reward.
#include <cosm_sim/env.h>

struct count {
    cosm_singleton count;
};

static void run(const cosm_turn *turn) {
    const struct count *count = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        *(float *)cosm_singleton_write(world, count->count) += 1.0f;
    }
}

static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct count *count = context;
    *(float *)cosm_singleton_write(world, count->count) = (float)cosm_random_below(random, 1);
    return COSM_OK;
}

static cosm_result define(const cosm_env_setup *setup) {
    struct count *count = setup->context;
    cosm_field field = {.name = "value", .type = COSM_FIELD_F32};
    count->count = cosm_singleton_define(
        setup->engine,
        &(cosm_singleton_desc){
            .name = "count", .size = 4, .alignment = 4, .fields = &field, .field_count = 1});
    cosm_system system = cosm_system_define(
        setup->engine, &(cosm_system_desc){.name = "count",
                                           .run = run,
                                           .context = count,
                                           .singletons = {{count->count, COSM_ACCESS_WRITE}}});
    cosm_result seen = cosm_export_define(
        setup->engine,
        &(cosm_export_desc){.slot = 0, .name = "observation", .singleton = count->count});
    cosm_result reward = cosm_export_define(
        setup->engine, &(cosm_export_desc){.slot = 1, .name = "reward", .singleton = count->count});
    return system.id == 0 ? cosm_error_result() : seen != COSM_OK ? seen : reward;
}

static const cosm_env_desc desc = {COSM_ENV_BUILT,
                                   .name = "good",
                                   .define = define,
                                   .begin = begin,
                                   .context_size = sizeof(struct count),
                                   .step_limit = 3,
                                   .slots = {{0, COSM_ROLE_OBSERVATION}, {1, COSM_ROLE_REWARD}}};

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
