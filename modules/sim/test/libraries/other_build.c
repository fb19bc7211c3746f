// A library that was built for another version of Cosm.
#include <cosm_sim/env.h>

static cosm_result define(const cosm_env_setup *setup) {
    (void)setup;
    return COSM_OK;
}

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    static const cosm_env_desc desc = {
        .version = COSM_ENV_VERSION, .built_for = "0.0.1", .name = "other", .define = define};
    return &desc;
}
