// The environment of the row py_call: one world in which nothing happens, so that a step costs what
// calling it costs.
#include <cosm_sim/env.h>

enum { SLOT_OBSERVATION, SLOT_REWARD };

static const cosm_field value_field = {.name = "value", .type = COSM_FIELD_F32};

static cosm_result show(cosm_engine *engine, uint32_t slot, const char *name) {
    cosm_singleton singleton = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = name, .size = sizeof(float), .fields = &value_field, .field_count = 1});
    return cosm_export_define(
        engine, &(cosm_export_desc){.slot = slot, .name = name, .singleton = singleton});
}

static cosm_result define(const cosm_env_setup *setup) {
    cosm_result result = show(setup->engine, SLOT_OBSERVATION, "observation");
    return result == COSM_OK ? show(setup->engine, SLOT_REWARD, "reward") : result;
}

static const cosm_env_desc desc = {
    COSM_ENV_BUILT,
    .name = "idle",
    .summary = "nothing happens",
    .define = define,
    .slots = {{SLOT_OBSERVATION, COSM_ROLE_OBSERVATION}, {SLOT_REWARD, COSM_ROLE_REWARD}},
};

const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
