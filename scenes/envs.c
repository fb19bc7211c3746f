// The list of environments.
#include "envs.h"

#include <string.h>

static const cosm_env_desc *const envs[] = {&scene_cartpole, &scene_forage};

uint32_t scene_env_count(void) {
    return (uint32_t)(sizeof(envs) / sizeof(envs[0]));
}

const cosm_env_desc *scene_env_at(uint32_t index) {
    return index < scene_env_count() ? envs[index] : NULL;
}

const cosm_env_desc *scene_env_find(const char *name) {
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        if (strcmp(envs[i]->name, name) == 0) {
            return envs[i];
        }
    }
    return NULL;
}

bool scene_env_system(const cosm_env_setup *setup, const cosm_system_desc *desc) {
    cosm_system_desc own = *desc;
    own.context = setup->context;
    return cosm_system_define(setup->engine, &own).id != 0;
}
