// A library whose entry returns nothing.
#include <cosm_sim/env.h>

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return NULL;
}
