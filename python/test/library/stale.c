// A library that was built for another version of the contract, for tests of what loading it says.
#include <cosm_sim/env.h>

static cosm_result define(const cosm_env_setup *setup) {
    (void)setup;
    return COSM_OK;
}

static const cosm_env_desc desc = {
    .version = COSM_ENV_VERSION + 41,
    .built_for = "0.0.41",
    .name = "stale",
    .define = define,
};

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
