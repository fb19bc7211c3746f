// A library that calls something which the host does not have.
#include <cosm_sim/env.h>

cosm_result cosm_call_that_is_nowhere(void);

static cosm_result define(const cosm_env_setup *setup) {
    (void)setup;
    return cosm_call_that_is_nowhere();
}

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    static const cosm_env_desc desc = {COSM_ENV_BUILT, .name = "missing", .define = define};
    return &desc;
}
