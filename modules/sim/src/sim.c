// The public calls of cosm_sim/sim.h on a simulation that is there: step, reset, draw, questions.
#include "sim.h"

#include <string.h>

#include "tally.h"

static cosm_result refuse_null(const struct cosm_sim *sim, const char *call, const char *what) {
    return cosm_error_raise(sim == NULL ? NULL : sim->engine, COSM_ERROR_ARGUMENT,
                            "%s: %s is NULL; pass one", call, what);
}

static uint8_t *reset_byte(const struct cosm_sim *sim, uint32_t w) {
    return place_write(&sim->reset, (cosm_world){sim->batch, w});
}

// Takes the byte `reset` from worlds that only the next step is to begin; lists them, and returns
// how many there are.
static uint32_t put_aside(const struct cosm_sim *sim, uint32_t *out_list) {
    uint8_t *reset = reset_byte(sim, 0);
    uint32_t count = 0;
    if (sim->reset.stride == 1 && !cosmi_sim_any(reset, sim->world_count)) {
        return 0;
    }
    for (uint32_t w = 0; w < sim->world_count; w++) {
        uint8_t *byte = reset + (size_t)w * sim->reset.stride;
        if (*byte != 0) {
            *byte = 0;
            out_list[count++] = w;
        }
    }
    return count;
}

static void set_bytes(const struct cosm_sim *sim, const uint32_t *list, uint32_t count,
                      uint8_t value) {
    uint8_t *reset = reset_byte(sim, 0);
    for (uint32_t i = 0; i < count; i++) {
        *(reset + (size_t)list[i] * sim->reset.stride) = value;
    }
}

// With COSM_AUTORESET_SAME_STEP: worlds that the step has ended begin anew, and all observe again.
// No others begin: those whose byte is set now were not filled, or it was set after `begin`.
static cosm_result begin_over(struct cosm_sim *sim, const char *call) {
    const uint8_t *terminated = host_read(sim, sim->batch, 0, HOST_TERMINATED);
    const uint8_t *truncated = host_read(sim, sim->batch, 0, HOST_TRUNCATED);
    const uint32_t *lengths = host_read(sim, sim->batch, 0, HOST_LENGTH);
    uint32_t count =
        cosmi_sim_list_over(terminated, truncated, lengths, false, sim->world_count, sim->list);
    if (count == 0) {
        return COSM_OK;
    }
    cosm_result result = cosmi_sim_keep_finals(sim, call, count);
    if (result != COSM_OK) {
        return result; // the next step begins them
    }
    set_bytes(sim, sim->list, count, 0);
    uint32_t *others = sim->list + count; // no world is listed twice: there is room for all
    uint32_t other_count = put_aside(sim, others);
    set_bytes(sim, sim->list, count, 1);
    result = cosmi_sim_begin(sim);
    set_bytes(sim, others, other_count, 1);
    return result;
}

cosm_result cosm_sim_step(cosm_sim *sim) {
    static const char call[] = "cosm_sim_step";
    if (sim == NULL) {
        return refuse_null(NULL, call, "sim");
    }
    cosm_result result = cosm_batch_step(sim->batch);
    if (sim->autoreset == COSM_AUTORESET_SAME_STEP && !cosm_batch_is_running(sim->batch)) {
        cosm_result begun = begin_over(sim, call);
        result = result == COSM_OK ? begun : result;
    }
    return result;
}

// What a world forgets that is to begin anew without a step.
static cosm_result prepare_reset(struct cosm_sim *sim, uint32_t w, const uint64_t *seeds,
                                 const uint64_t *numbers) {
    cosm_world world = {sim->batch, w};
    if (seeds != NULL) {
        uint64_t number = numbers == NULL ? sim->world_first + w : numbers[w];
        cosm_result result = cosm_world_seed(world, seeds[w], number);
        if (result != COSM_OK) {
            return result;
        }
        *(uint32_t *)host_write(sim, sim->batch, w, HOST_NUMBER) = 0;
        *(uint32_t *)host_write(sim, sim->batch, w, HOST_LAST_LENGTH) = 0;
        *(float *)host_write(sim, sim->batch, w, HOST_LAST_RETURN) = 0.0f;
    }
    *(uint8_t *)host_write(sim, sim->batch, w, HOST_TERMINATED) = 0;
    *(uint8_t *)host_write(sim, sim->batch, w, HOST_TRUNCATED) = 0;
    *reset_byte(sim, w) = 1;
    return COSM_OK;
}

// Looked at before anything is done: seeds and flags could not be taken back.
static cosm_result check_walks(const struct cosm_sim *sim, const char *call) {
    for (uint32_t w = 0; w < sim->world_count; w++) {
        if (cosm_world_is_walked((cosm_world){sim->batch, w})) {
            return cosm_error_raise(sim->engine, COSM_ERROR_WALKED,
                                    "%s: world %u is being walked; end the walk first", call, w);
        }
    }
    return COSM_OK;
}

cosm_result cosm_sim_reset(cosm_sim *sim, const uint8_t *mask, const uint64_t *seeds,
                           const uint64_t *numbers) {
    static const char call[] = "cosm_sim_reset";
    if (sim == NULL) {
        return refuse_null(NULL, call, "sim");
    }
    if (cosm_batch_is_running(sim->batch)) {
        return cosm_error_raise(sim->engine, COSM_ERROR_BUSY,
                                "%s: the batch is running; reset between steps, or set the byte "
                                "`reset` in a system",
                                call);
    }
    cosm_result result = check_walks(sim, call);
    if (result != COSM_OK) {
        return result;
    }
    // Worlds that only the next step was to begin: not now. Nothing is scattered: actions that
    // wait in gathered rows are for the next step, and of worlds that go on.
    uint32_t other_count = put_aside(sim, sim->list);
    for (uint32_t w = 0; w < sim->world_count && result == COSM_OK; w++) {
        if (mask == NULL || mask[w] != 0) {
            result = prepare_reset(sim, w, seeds, numbers);
        }
    }
    result = result == COSM_OK ? cosmi_sim_begin(sim) : result;
    for (uint32_t i = 0; i < other_count; i++) {
        if (mask != NULL && mask[sim->list[i]] == 0) {
            *reset_byte(sim, sim->list[i]) = 1;
        }
    }
    return result;
}

cosm_result cosm_sim_draw(const cosm_sim *sim, uint32_t world, cosm_canvas *canvas) {
    static const char call[] = "cosm_sim_draw";
    if (sim == NULL || canvas == NULL || canvas->pixels == NULL) {
        return refuse_null(sim, call,
                           sim == NULL      ? "sim"
                           : canvas == NULL ? "canvas"
                                            : "canvas.pixels");
    }
    if (sim->env->draw == NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: environment '%s' cannot be drawn; set `draw` in its desc",
                                call, sim->env->name);
    }
    if (world >= sim->world_count || canvas->width == 0 || canvas->height == 0) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: world %u of %u on a canvas of %u x %u; pass a world that "
                                "exists and a canvas with pixels",
                                call, world, sim->world_count, canvas->width, canvas->height);
    }
    memset(canvas->pixels, 0, (size_t)canvas->width * canvas->height * 3);
    sim->env->draw(sim->context, (cosm_world){sim->batch, world}, canvas);
    return COSM_OK;
}

cosm_engine *cosm_sim_engine(const cosm_sim *sim) {
    return sim == NULL ? NULL : sim->engine;
}

cosm_batch *cosm_sim_batch(const cosm_sim *sim) {
    return sim == NULL ? NULL : sim->batch;
}

const cosm_env_desc *cosm_sim_env(const cosm_sim *sim) {
    return sim == NULL ? NULL : sim->env;
}

void *cosm_sim_context(const cosm_sim *sim) {
    return sim == NULL ? NULL : sim->context;
}

cosm_autoreset cosm_sim_autoreset(const cosm_sim *sim) {
    return sim == NULL ? COSM_AUTORESET_NEXT_STEP : sim->autoreset;
}

uint32_t cosm_sim_step_limit(const cosm_sim *sim) {
    return sim == NULL ? 0 : sim->step_limit;
}

uint32_t cosm_sim_agent_max(const cosm_sim *sim) {
    return sim == NULL ? 0 : sim->agents.max;
}

uint32_t cosm_sim_slot(const cosm_sim *sim, cosm_role role) {
    if (sim == NULL || role == COSM_ROLE_NONE) {
        return COSM_EXPORT_SLOT_NONE;
    }
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        if (sim->env->slots[s].role == role) {
            return sim->env->slots[s].slot;
        }
    }
    if (role == COSM_ROLE_RESET) {
        return COSM_SIM_SLOT_RESET;
    }
    return role == COSM_ROLE_INFO ? (uint32_t)COSM_SIM_SLOT_EPISODE_RETURN : COSM_EXPORT_SLOT_NONE;
}

const cosm_tensor *cosm_sim_tensor(const cosm_sim *sim, cosm_role role) {
    if (sim == NULL) {
        (void)cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                               "cosm_sim_tensor: sim is NULL; pass one from cosm_sim_create");
        return NULL;
    }
    uint32_t slot = cosm_sim_slot(sim, role);
    if (slot == COSM_EXPORT_SLOT_NONE) {
        (void)cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                               "cosm_sim_tensor: environment '%s' has no slot of role %s; list one "
                               "in its slots, or ask cosm_sim_slot first",
                               sim->env->name, cosmi_sim_role_name(role));
        return NULL;
    }
    return cosm_batch_tensor(sim->batch, slot);
}

cosm_role cosm_sim_role(const cosm_sim *sim, uint32_t slot) {
    for (uint32_t s = 0; sim != NULL && s < sim->slot_count; s++) {
        if (sim->env->slots[s].slot == slot) {
            return sim->env->slots[s].role;
        }
    }
    cosm_export_desc desc;
    if (slot < COSM_SIM_SLOT_RESET || !cosm_export_describe(cosm_sim_engine(sim), slot, &desc)) {
        return COSM_ROLE_NONE;
    }
    return slot == COSM_SIM_SLOT_RESET ? COSM_ROLE_RESET : COSM_ROLE_INFO;
}

uint32_t cosm_sim_mask_action(const cosm_sim *sim, uint32_t slot) {
    uint32_t action = cosm_sim_slot(sim, COSM_ROLE_ACTION);
    for (uint32_t s = 0; sim != NULL && s < sim->slot_count; s++) {
        const cosm_env_slot *at = &sim->env->slots[s];
        action = at->role == COSM_ROLE_ACTION ? at->slot : action;
        if (at->slot == slot) {
            return at->role == COSM_ROLE_ACTION_MASK ? action : COSM_EXPORT_SLOT_NONE;
        }
    }
    return COSM_EXPORT_SLOT_NONE;
}
