// Checks of an environment's slots against their roles.
#include <string.h>

#include "sim.h"

// What a role asks for.
static const struct {
    const char *name;
    bool is_flag;      // bool or u8
    bool is_single;    // at most one slot has it
    bool is_scalar;    // one scalar per row
    bool is_singleton; // in a singleton
    bool is_agents;    // as many rows as rewards
    bool takes_in;     // the outside may write it
    bool gives_out;    // the outside may read it
} asks[COSM_ROLE_COUNT] = {
    [COSM_ROLE_NONE] = {.name = "COSM_ROLE_NONE"},
    [COSM_ROLE_OBSERVATION] = {.name = "COSM_ROLE_OBSERVATION", .gives_out = true},
    [COSM_ROLE_ACTION] = {.name = "COSM_ROLE_ACTION", .takes_in = true},
    [COSM_ROLE_REWARD] = {.name = "COSM_ROLE_REWARD",
                          .is_single = true,
                          .is_scalar = true,
                          .is_agents = true,
                          .gives_out = true},
    [COSM_ROLE_TERMINATED] = {.name = "COSM_ROLE_TERMINATED",
                              .is_flag = true,
                              .is_single = true,
                              .is_scalar = true,
                              .is_agents = true,
                              .gives_out = true},
    [COSM_ROLE_TRUNCATED] = {.name = "COSM_ROLE_TRUNCATED",
                             .is_flag = true,
                             .is_single = true,
                             .is_scalar = true,
                             .is_agents = true,
                             .gives_out = true},
    [COSM_ROLE_ACTION_MASK] = {.name = "COSM_ROLE_ACTION_MASK", .is_flag = true, .gives_out = true},
    [COSM_ROLE_AGENT_MASK] = {.name = "COSM_ROLE_AGENT_MASK",
                              .is_flag = true,
                              .is_single = true,
                              .is_scalar = true,
                              .is_agents = true,
                              .gives_out = true},
    [COSM_ROLE_RESET] = {.name = "COSM_ROLE_RESET",
                         .is_flag = true,
                         .is_single = true,
                         .is_scalar = true,
                         .is_singleton = true,
                         .takes_in = true,
                         .gives_out = true},
    [COSM_ROLE_PARAMETER] = {.name = "COSM_ROLE_PARAMETER",
                             .is_singleton = true,
                             .takes_in = true,
                             .gives_out = true},
    [COSM_ROLE_INFO] = {.name = "COSM_ROLE_INFO", .gives_out = true},
};

const char *cosmi_sim_role_name(cosm_role role) {
    bool is_known = role != COSM_ROLE_NONE && (unsigned)role < COSM_ROLE_COUNT;
    return is_known ? asks[role].name : "no role";
}

// One slot at hand.
struct slot_check {
    const struct cosm_sim *sim;
    const char *call;
    uint32_t slot;
    cosm_role role;
    cosm_export_desc desc;
    const cosm_tensor *tensor;
};

static cosm_result refuse_slot(const struct slot_check *check, const char *what,
                               const char *remedy) {
    return cosm_error_raise(
        check->sim->engine, COSM_ERROR_ARGUMENT, "%s: environment '%s': slot %u%s%s%s, %s, %s; %s",
        check->call, check->sim->env->name, check->slot, check->desc.name == NULL ? "" : " '",
        check->desc.name == NULL ? "" : check->desc.name, check->desc.name == NULL ? "" : "'",
        cosmi_sim_role_name(check->role), what, remedy);
}

static uint32_t row_dims(const cosm_tensor *tensor) {
    return tensor->kind == COSM_TENSOR_FIXED ? 2 : 1;
}

// Scalars of one row.
static int64_t row_scalars(const cosm_tensor *tensor) {
    int64_t count = 1;
    for (uint32_t d = row_dims(tensor); d < tensor->dim_count; d++) {
        count *= tensor->shape[d];
    }
    return count;
}

static cosm_result check_shape(const struct slot_check *check) {
    cosm_role role = check->role;
    cosm_field_type type = check->tensor->type;
    if (role == COSM_ROLE_REWARD && type != COSM_FIELD_F32) {
        return refuse_slot(check, "is not of f32", "make it a float");
    }
    if (asks[role].is_flag && type != COSM_FIELD_U8 && type != COSM_FIELD_BOOL) {
        return refuse_slot(check, "is neither bool nor u8", "make it a bool or a uint8_t");
    }
    if (asks[role].is_singleton && check->desc.singleton.id == 0) {
        return refuse_slot(check, "is not in a singleton",
                           "each world has one: put it in a singleton");
    }
    if (asks[role].is_scalar && row_scalars(check->tensor) != 1) {
        return refuse_slot(check, "has several scalars for a row",
                           "name one field in cosm_export_desc.field");
    }
    if (check->desc.entities && role != COSM_ROLE_INFO && role != COSM_ROLE_OBSERVATION) {
        return refuse_slot(check, "shows entities", "show a component, or use COSM_ROLE_INFO");
    }
    return COSM_OK;
}

static cosm_result check_direction(const struct slot_check *check) {
    bool takes_in = asks[check->role].takes_in;
    bool gives_out = asks[check->role].gives_out;
    cosm_direction direction = check->tensor->direction;
    if (takes_in && direction == COSM_DIRECTION_OUT) {
        return refuse_slot(check, "is out",
                           gives_out ? "the outside sets it too: make it COSM_DIRECTION_BOTH"
                                     : "the outside sets it: make it COSM_DIRECTION_IN");
    }
    if (gives_out && direction == COSM_DIRECTION_IN) {
        return refuse_slot(check, "is in",
                           takes_in ? "systems set it too: make it COSM_DIRECTION_BOTH"
                                    : "systems set it: make it COSM_DIRECTION_OUT");
    }
    return COSM_OK;
}

static cosm_result check_numbers(const struct slot_check *check, uint32_t index) {
    const struct cosm_sim *sim = check->sim;
    if ((unsigned)check->role >= COSM_ROLE_COUNT) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: environment '%s': slots[%u].role is %d; use a value of "
                                "cosm_role",
                                check->call, sim->env->name, index, (int)check->role);
    }
    if (check->slot >= COSM_ENV_SLOT_MAX) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: environment '%s': slots[%u].slot is %u, but slots from %u on "
                                "are reserved for the host; use a smaller one",
                                check->call, sim->env->name, index, check->slot, COSM_ENV_SLOT_MAX);
    }
    for (uint32_t before = 0; before < index; before++) {
        if (sim->env->slots[before].slot == check->slot) {
            return refuse_slot(check, "has two roles", "give it one");
        }
        if (sim->env->slots[before].role == check->role && asks[check->role].is_single) {
            return refuse_slot(check, "is not the only one with this role",
                               "keep one slot with this role, and use COSM_ROLE_INFO for the "
                               "others");
        }
    }
    return COSM_OK;
}

static cosm_result check_slot(struct slot_check *check, uint32_t index) {
    check->desc = (cosm_export_desc){.name = NULL};
    cosm_result result = check_numbers(check, index);
    if (result != COSM_OK) {
        return result;
    }
    if (!cosm_export_describe(check->sim->engine, check->slot, &check->desc)) {
        return refuse_slot(check, "is not defined",
                           "define it in `define` with cosm_export_define");
    }
    check->tensor = cosm_batch_tensor(check->sim->batch, check->slot);
    if (check->tensor == NULL) {
        return refuse_slot(check, "has no tensor", "define it for this engine");
    }
    result = check_direction(check);
    return result == COSM_OK ? check_shape(check) : result;
}

static bool is_same_query(const cosm_engine *engine, const cosm_query_desc *a,
                          const cosm_query_desc *b) {
    for (uint32_t t = 0; t < COSM_QUERY_TERM_MAX; t++) {
        const cosm_term *x = &a->terms[t];
        const cosm_term *y = &b->terms[t];
        if (x->component.id != y->component.id || x->kind != y->kind || x->group != y->group ||
            (x->value == NULL) != (y->value == NULL)) {
            return false;
        }
        if (x->value != NULL &&
            memcmp(x->value, y->value, cosm_component_describe(engine, x->component).size) != 0) {
            return false;
        }
    }
    return true;
}

// Do two slots have the same rows?
static bool is_same_rows(const cosm_engine *engine, const cosm_export_desc *a,
                         const cosm_export_desc *b) {
    if ((a->singleton.id != 0) != (b->singleton.id != 0) || a->archetype.id != b->archetype.id ||
        (a->query != NULL) != (b->query != NULL)) {
        return false;
    }
    return a->query == NULL || is_same_query(engine, a->query, b->query);
}

static void place_agents(struct cosm_sim *sim, const struct slot_check *check) {
    struct place place = cosmi_sim_place(sim->engine, check->tensor, &check->desc, sim->batch);
    if (check->role == COSM_ROLE_REWARD) {
        sim->agents.reward = place;
    } else if (check->role == COSM_ROLE_TERMINATED) {
        sim->agents.terminated = place;
    } else if (check->role == COSM_ROLE_TRUNCATED) {
        sim->agents.truncated = place;
    } else if (check->role == COSM_ROLE_AGENT_MASK) {
        sim->agents.mask = place;
    } else if (check->role == COSM_ROLE_RESET) {
        sim->reset = place;
    }
}

// Slots that go by agents have the rows of the reward.
static cosm_result check_agents(struct cosm_sim *sim, const char *call, uint32_t reward_slot) {
    cosm_export_desc reward;
    (void)cosm_export_describe(sim->engine, reward_slot, &reward);
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        struct slot_check check = {.sim = sim,
                                   .call = call,
                                   .slot = sim->env->slots[s].slot,
                                   .role = sim->env->slots[s].role};
        (void)cosm_export_describe(sim->engine, check.slot, &check.desc);
        check.tensor = cosm_batch_tensor(sim->batch, check.slot);
        if (asks[check.role].is_agents && !is_same_rows(sim->engine, &reward, &check.desc)) {
            return refuse_slot(&check, "has different rows than the reward",
                               "show a component of the same archetype, or a singleton for both");
        }
        place_agents(sim, &check);
    }
    struct agents *agents = &sim->agents;
    agents->is_singleton = reward.singleton.id != 0;
    agents->archetype = reward.archetype;
    cosm_archetype_info info = cosm_archetype_describe(sim->engine, reward.archetype);
    agents->is_fixed = info.placement == COSM_PLACEMENT_FIXED;
    agents->max = info.max_per_world;
    agents->max = agents->is_singleton ? 1 : agents->is_fixed ? agents->max : 0;
    cosmi_sim_agents_queries(agents, reward.query);
    return COSM_OK;
}

// A mask has a byte for each choice of each scalar of its action.
static cosm_result check_masks(const struct cosm_sim *sim, const char *call) {
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        cosm_role role = sim->env->slots[s].role;
        if (role != COSM_ROLE_ACTION_MASK) {
            continue;
        }
        struct slot_check check = {
            .sim = sim, .call = call, .slot = sim->env->slots[s].slot, .role = role};
        uint32_t of = cosm_sim_mask_action(sim, check.slot);
        (void)cosm_export_describe(sim->engine, check.slot, &check.desc);
        check.tensor = cosm_batch_tensor(sim->batch, check.slot);
        cosm_space space;
        if (!cosm_sim_space(sim, of, &space) || space.choice_count == 0) {
            return refuse_slot(&check, "is a mask without choices",
                               "set the range of the action's field to 0 to n - 1");
        }
        const cosm_tensor *tensor = cosm_batch_tensor(sim->batch, of);
        if (row_scalars(check.tensor) != row_scalars(tensor) * space.choice_count) {
            return refuse_slot(&check, "does not have one byte for each choice",
                               "make it an array of as many bytes as the action has choices");
        }
        cosm_export_desc desc;
        (void)cosm_export_describe(sim->engine, of, &desc);
        if (!is_same_rows(sim->engine, &desc, &check.desc)) {
            return refuse_slot(&check, "has different rows than its action",
                               "show a component of the same archetype");
        }
    }
    return COSM_OK;
}

cosm_result cosmi_sim_check_slots(struct cosm_sim *sim, const char *call) {
    sim->reset = (struct place){.is_there = true,
                                .singleton = sim->host[HOST_RESET],
                                .field = COSM_FIELD_INDEX_NONE,
                                .stride = 1};
    uint32_t reward = COSM_EXPORT_SLOT_NONE;
    bool observes = false;
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        struct slot_check check = {.sim = sim,
                                   .call = call,
                                   .slot = sim->env->slots[s].slot,
                                   .role = sim->env->slots[s].role};
        cosm_result result = check_slot(&check, s);
        if (result != COSM_OK) {
            return result;
        }
        reward = check.role == COSM_ROLE_REWARD ? check.slot : reward;
        observes |= check.role == COSM_ROLE_OBSERVATION;
    }
    if (!observes || reward == COSM_EXPORT_SLOT_NONE) {
        return cosm_error_raise(
            sim->engine, COSM_ERROR_ARGUMENT,
            "%s: environment '%s' has no slot with %s; add one to desc.slots", call, sim->env->name,
            cosmi_sim_role_name(observes ? COSM_ROLE_REWARD : COSM_ROLE_OBSERVATION));
    }
    cosm_result result = check_agents(sim, call, reward);
    return result == COSM_OK ? check_masks(sim, call) : result;
}
