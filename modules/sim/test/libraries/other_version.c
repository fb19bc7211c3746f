// A library for another version of the contract, which also misses a call.
#include <cosm_sim/env.h>

cosm_result cosm_call_of_another_version(void);

static cosm_result define(const cosm_env_setup *setup) {
    (void)setup;
    return cosm_call_of_another_version();
}

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    static const cosm_env_desc desc = {.version = COSM_ENV_VERSION + 7,
                                       .built_for = COSM_VERSION,
                                       .name = "other",
                                       .define = define};
    return &desc;
}
