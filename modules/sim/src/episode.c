// Episodes: the host's phases, singletons, slots and systems.
//
//   input    sim.forget   SAME_STEP only: rewards and flags of episodes that were over are gone
//   episode  sim.episode  returns, lengths, who is over, who is to begin (`reset` is 1)
//   begin    sim.begin    worlds with `reset` are counted, cleared and, by the environment, filled
//   observe  sim.settle   `reset` is 0 again in worlds that began, but for those not filled
//
// All but sim.episode are passed over in steps in which no world begins. Nothing is kept outside of
// the worlds, so that the systems do the same in every batch of the engine, and after a restore, a
// fork, or in a replay.
#include <string.h>

#include "sim.h"
#include "tally.h"

// A world that the environment failed to fill: the next step tries again.
#define RESET_FAILED 2u

static cosm_singleton define_singleton(cosm_engine *engine, const char *name, cosm_field_type type,
                                       const char *doc) {
    size_t size = cosm_field_type_size(type);
    cosm_field field = {.name = "value", .type = type};
    return cosm_singleton_define(engine, &(cosm_singleton_desc){.name = name,
                                                                .size = size,
                                                                .alignment = size,
                                                                .fields = &field,
                                                                .field_count = 1,
                                                                .doc = doc});
}

static const struct {
    const char *singleton;
    const char *slot;
    cosm_field_type type;
    const char *doc;
} hosts[HOST_COUNT] = {
    {"sim.reset", "reset", COSM_FIELD_U8, "not zero: the step begins an episode"},
    {"sim.episode_return", "episode_return", COSM_FIELD_F32, "rewards so far"},
    {"sim.episode_length", "episode_length", COSM_FIELD_U32, "steps so far"},
    {"sim.episode_number", "episode_number", COSM_FIELD_U32, "episodes begun"},
    {"sim.episode_terminated", "episode_terminated", COSM_FIELD_U8, "the step ended the episode"},
    {"sim.episode_truncated", "episode_truncated", COSM_FIELD_U8, "the step cut it off"},
    {"sim.last_return", "last_return", COSM_FIELD_F32, "rewards of the last episode"},
    {"sim.last_length", "last_length", COSM_FIELD_U32, "steps of the last episode"},
};

static cosm_result define_phases(struct cosm_sim *sim) {
    // Right before render, so that phases which the environment puts after simulation come first.
    sim->episode = cosm_phase_define(
        sim->engine, &(cosm_phase_desc){.name = "episode", .before = COSM_PHASE_RENDER});
    sim->begin = cosm_phase_define(
        sim->engine, &(cosm_phase_desc){.name = "begin", .before = COSM_PHASE_RENDER});
    sim->observe = cosm_phase_define(
        sim->engine, &(cosm_phase_desc){.name = "observe", .before = COSM_PHASE_RENDER});
    return sim->episode.id == 0 || sim->begin.id == 0 || sim->observe.id == 0 ? cosm_error_result()
                                                                              : COSM_OK;
}

cosm_result cosmi_sim_define_host(struct cosm_sim *sim) {
    bool has_reset = false;
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        has_reset |= sim->env->slots[s].role == COSM_ROLE_RESET;
    }
    cosm_result result = define_phases(sim);
    for (uint32_t h = has_reset ? 1 : 0; h < HOST_COUNT && result == COSM_OK; h++) {
        sim->host[h] =
            define_singleton(sim->engine, hosts[h].singleton, hosts[h].type, hosts[h].doc);
        if (sim->host[h].id == 0) {
            return cosm_error_result();
        }
        result = cosm_export_define(
            sim->engine, &(cosm_export_desc){.slot = COSM_SIM_SLOT_RESET + h,
                                             .name = hosts[h].slot,
                                             .singleton = sim->host[h],
                                             .direction = h == HOST_RESET ? COSM_DIRECTION_BOTH
                                                                          : COSM_DIRECTION_OUT});
    }
    return result;
}

// Copies the bytes `reset` of some worlds side by side; where they are so already, shows them.
static uint8_t *reset_bytes(const struct cosm_sim *sim, const cosm_turn *turn, bool write) {
    cosm_world first = {turn->worlds.batch, turn->worlds.first};
    uint8_t *bytes =
        write ? place_write(&sim->reset, first) : (uint8_t *)place_read(&sim->reset, first);
    if (sim->reset.stride == 1) {
        return bytes;
    }
    uint8_t *copy = cosm_turn_scratch(turn, turn->worlds.count);
    for (uint32_t w = 0; copy != NULL && w < turn->worlds.count; w++) {
        copy[w] = *(bytes + (size_t)w * sim->reset.stride);
    }
    return copy;
}

// And back, where they were copied.
static void reset_return(const struct cosm_sim *sim, const cosm_turn *turn, const uint8_t *copy) {
    if (sim->reset.stride == 1) {
        return;
    }
    uint8_t *bytes = place_write(&sim->reset, (cosm_world){turn->worlds.batch, turn->worlds.first});
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        *(bytes + (size_t)w * sim->reset.stride) = copy[w];
    }
}

static bool is_tight(const struct agent_spans *spans) {
    return spans->mask.data == NULL && spans->reward.stride == sizeof(float) &&
           (spans->terminated.data == NULL || spans->terminated.stride == 1) &&
           (spans->truncated.data == NULL || spans->truncated.stride == 1);
}

// Where rewards and flags of neighbouring worlds lie side by side, shows them as they are. The walk
// is over then: what it showed stays where it is until the turn ends.
static bool show_agents(const struct cosm_sim *sim, const cosm_turn *turn, struct tally *tally) {
    const struct agents *agents = &sim->agents;
    struct agent_spans spans;
    bool shown = false;
    if (agents->is_singleton) {
        cosmi_sim_agents_worlds(agents, (cosm_world){turn->worlds.batch, turn->worlds.first}, false,
                                &spans);
        shown = is_tight(&spans);
    } else if (agents->is_fixed && agents->max == 1) {
        cosm_rows rows;
        cosm_turn_walk(turn, 0, turn->worlds, &rows);
        bool is_whole = cosm_rows_next(&rows) && rows.world == turn->worlds.first &&
                        rows.count == turn->worlds.count;
        shown = is_whole && cosmi_sim_agents_rows(agents, &rows, false, &spans) && is_tight(&spans);
        cosm_rows_end(&rows);
    }
    if (shown) {
        tally->rewards = spans.reward.data;
        tally->ends = spans.terminated.data;
        tally->cuts = spans.truncated.data;
    }
    return shown;
}

static void run_episode(const cosm_turn *turn) {
    const struct cosm_sim *sim = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    uint32_t first = turn->worlds.first;
    uint32_t count = turn->worlds.count;
    struct tally tally = {.returns = host_write(sim, batch, first, HOST_RETURN),
                          .lengths = host_write(sim, batch, first, HOST_LENGTH),
                          .terminated = host_write(sim, batch, first, HOST_TERMINATED),
                          .truncated = host_write(sim, batch, first, HOST_TRUNCATED),
                          .last_returns = host_write(sim, batch, first, HOST_LAST_RETURN),
                          .last_lengths = host_write(sim, batch, first, HOST_LAST_LENGTH),
                          .reset = reset_bytes(sim, turn, true),
                          .limit = sim->step_limit,
                          .autoreset = sim->autoreset};
    if (!show_agents(sim, turn, &tally)) {
        float *rewards = cosm_turn_scratch(turn, count * sizeof(float));
        uint8_t *flags = cosm_turn_scratch(turn, (size_t)count * 2);
        if (rewards == NULL || flags == NULL) {
            return; // the step fails with the message of the call
        }
        cosmi_sim_agents_sum(&sim->agents, turn, rewards, flags, flags + count);
        tally.rewards = rewards;
        tally.ends = flags;
        tally.cuts = flags + count;
    }
    if (tally.reset != NULL) {
        cosmi_sim_tally(&tally, count);
        reset_return(sim, turn, tally.reset);
    }
}

// Is any world to begin? Reads 64 bytes at a time: what a step without beginnings pays.
static bool any_begins(void *context, const cosm_batch *batch) {
    const struct cosm_sim *sim = context;
    uint32_t count = cosm_batch_world_count(batch);
    const uint8_t *bytes = place_read(&sim->reset, (cosm_world){(cosm_batch *)batch, 0});
    if (sim->reset.stride == 1) {
        return cosmi_sim_any(bytes, count);
    }
    for (uint32_t w = 0; w < count; w++) {
        if (*(bytes + (size_t)w * sim->reset.stride) != 0) {
            return true;
        }
    }
    return false;
}

// Worlds of a turn that begin: their numbers, counted from its first world.
struct beginners {
    uint32_t *list;
    uint32_t count;
    uint32_t *fresh; // those whose rewards and flags are to be zeroed: not those of which the same
    uint32_t fresh_count; // step tells how their last episode ended
    const uint8_t *terminated;
    const uint8_t *truncated;
    uint32_t *numbers;
    uint32_t *lengths;
    float *returns;
};

static bool find_beginners(const struct cosm_sim *sim, const cosm_turn *turn, const uint8_t *reset,
                           struct beginners *out) {
    cosm_batch *batch = turn->worlds.batch;
    uint32_t first = turn->worlds.first;
    *out = (struct beginners){.count = 0};
    if (reset == NULL || !cosmi_sim_any(reset, turn->worlds.count)) {
        return false;
    }
    out->list = cosm_turn_scratch(turn, ((size_t)turn->worlds.count * 2 + 1) * sizeof(uint32_t));
    if (out->list == NULL) {
        return false;
    }
    out->fresh = out->list + turn->worlds.count + 1;
    out->count = cosmi_sim_list(reset, turn->worlds.count, out->list);
    out->terminated = host_read(sim, batch, first, HOST_TERMINATED);
    out->truncated = host_read(sim, batch, first, HOST_TRUNCATED);
    out->numbers = host_write(sim, batch, first, HOST_NUMBER);
    out->lengths = host_write(sim, batch, first, HOST_LENGTH);
    out->returns = host_write(sim, batch, first, HOST_RETURN);
    return true;
}

static bool is_fresh(const struct beginners *beginners, uint32_t w) {
    return (beginners->terminated[w] | beginners->truncated[w]) == 0;
}

static void count_episode(const struct beginners *beginners, uint32_t w) {
    beginners->numbers[w] += 1;
    beginners->lengths[w] = 0;
    beginners->returns[w] = 0.0f;
}

// Systems of the environment fill the worlds after this one.
static void run_begin_in_place(const cosm_turn *turn) {
    const struct cosm_sim *sim = turn->context;
    struct beginners beginners;
    if (!find_beginners(sim, turn, reset_bytes(sim, turn, false), &beginners)) {
        return;
    }
    for (uint32_t i = 0; i < beginners.count; i++) {
        uint32_t w = beginners.list[i];
        count_episode(&beginners, w);
        beginners.fresh[beginners.fresh_count] = w;
        beginners.fresh_count += is_fresh(&beginners, w);
    }
    cosmi_sim_agents_clear(&sim->agents, turn, beginners.fresh, beginners.fresh_count);
}

// A stream for each episode, apart from those with small numbers, which are the environment's.
static uint32_t episode_stream(uint32_t number) {
    return number * 0x9E3779B1u ^ 0x65706973u;
}

// The calls of `begin` have told already what failed; this is for those that said nothing.
static void tell_begin(const struct cosm_sim *sim, cosm_world world, cosm_result result) {
    const char *remedy = sim->is_made ? "the world is empty, and the next step tries again"
                                      : "have it fill the world, or report with cosm_error_raise "
                                        "why it cannot";
    if (result == cosmi_sim_failure(result)) {
        (void)cosm_error_raise(sim->engine, result,
                               "environment '%s': begin failed in world %u with %s; %s",
                               sim->env->name, world.index, cosm_result_name(result), remedy);
        return;
    }
    (void)cosm_error_raise(sim->engine, cosmi_sim_failure(result),
                           "environment '%s': begin returned %d (%s) in world %u, which is not a "
                           "failure; return COSM_OK if the world is filled, else one of "
                           "COSM_ERROR_...; %s",
                           sim->env->name, (int)result, cosm_result_name(result), world.index,
                           remedy);
}

// Empties a world and has the environment fill it. What the last episode said is put back where the
// same step tells of it.
static bool begin_world(const struct cosm_sim *sim, const cosm_turn *turn,
                        const struct beginners *beginners, uint32_t w) {
    cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
    bool keeps = !is_fresh(beginners, w);
    uint32_t word_count = 0;
    struct agent_word *words = NULL;
    if (keeps) {
        word_count = cosmi_sim_agents_save(&sim->agents, turn, world.index, NULL, 0);
        words = cosm_turn_scratch(turn, (word_count + 1) * sizeof(*words));
        if (words == NULL) {
            return false;
        }
        (void)cosmi_sim_agents_save(&sim->agents, turn, world.index, words, word_count);
    }
    if (cosm_world_reset(world) != COSM_OK) {
        return false;
    }
    count_episode(beginners, w);
    cosm_random random = cosm_world_random(world, episode_stream(beginners->numbers[w]));
    cosm_result result = sim->env->begin(sim->context, world, &random);
    if (result != COSM_OK) {
        beginners->numbers[w] -= 1; // none has begun: who tries again draws by the same number
        tell_begin(sim, world, result);
        return false;
    }
    if (keeps) {
        cosmi_sim_agents_restore(&sim->agents, turn, world.index, words, word_count);
    }
    return true;
}

static void run_begin(const cosm_turn *turn) {
    const struct cosm_sim *sim = turn->context;
    uint8_t *reset = reset_bytes(sim, turn, true);
    struct beginners beginners;
    if (!find_beginners(sim, turn, reset, &beginners)) {
        return;
    }
    for (uint32_t i = 0; i < beginners.count; i++) {
        uint32_t w = beginners.list[i];
        if (!begin_world(sim, turn, &beginners, w)) {
            reset[w] = RESET_FAILED;
        } else if (is_fresh(&beginners, w)) {
            beginners.fresh[beginners.fresh_count++] = w;
        }
    }
    cosmi_sim_agents_clear(&sim->agents, turn, beginners.fresh, beginners.fresh_count);
    reset_return(sim, turn, reset);
}

// Worlds that began have the length zero. In others the byte was set after the phase `begin`: it
// waits for the next step.
static void settle_bytes(uint8_t *restrict reset, const uint32_t *restrict lengths,
                         uint32_t count) {
    for (uint32_t w = 0; w < count; w++) {
        reset[w] = (reset[w] == RESET_FAILED) | ((reset[w] != 0) & (lengths[w] != 0));
    }
}

static void run_settle(const cosm_turn *turn) {
    const struct cosm_sim *sim = turn->context;
    uint8_t *reset = reset_bytes(sim, turn, true);
    if (reset != NULL) {
        settle_bytes(reset, host_read(sim, turn->worlds.batch, turn->worlds.first, HOST_LENGTH),
                     turn->worlds.count);
        reset_return(sim, turn, reset);
    }
}

// Is there a world that began within the last step, and still tells of its last episode?
static bool any_told(void *context, const cosm_batch *batch) {
    const struct cosm_sim *sim = context;
    uint32_t count = cosm_batch_world_count(batch);
    cosm_batch *all = (cosm_batch *)batch;
    return cosmi_sim_any(host_read(sim, all, 0, HOST_TERMINATED), count) ||
           cosmi_sim_any(host_read(sim, all, 0, HOST_TRUNCATED), count);
}

static void run_forget(const cosm_turn *turn) {
    const struct cosm_sim *sim = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    uint32_t first = turn->worlds.first;
    const uint8_t *terminated = host_read(sim, batch, first, HOST_TERMINATED);
    const uint8_t *truncated = host_read(sim, batch, first, HOST_TRUNCATED);
    const uint32_t *lengths = host_read(sim, batch, first, HOST_LENGTH);
    uint32_t *list = cosm_turn_scratch(turn, (size_t)turn->worlds.count * sizeof(uint32_t));
    if (list != NULL) {
        uint32_t count =
            cosmi_sim_list_over(terminated, truncated, lengths, true, turn->worlds.count, list);
        cosmi_sim_agents_clear(&sim->agents, turn, list, count);
    }
}

// Adds a use of the byte `reset`, which may be in a singleton that agents are in too.
static uint32_t use_reset(const struct cosm_sim *sim, cosm_access access, cosm_singleton_use *uses,
                          uint32_t count) {
    for (uint32_t u = 0; u < count; u++) {
        if (uses[u].singleton.id == sim->reset.singleton.id) {
            uses[u].access = access == COSM_ACCESS_WRITE ? access : uses[u].access;
            return count;
        }
    }
    uses[count] = (cosm_singleton_use){sim->reset.singleton, access};
    return count + 1;
}

static bool define_episode(struct cosm_sim *sim) {
    cosm_system_desc desc = {.name = "sim.episode",
                             .phase = sim->episode,
                             .run = run_episode,
                             .context = sim,
                             .queries = {sim->agents.read}};
    uint32_t count = 0;
    for (uint32_t h = HOST_RETURN; h < HOST_COUNT; h++) {
        if (h != HOST_NUMBER) {
            desc.singletons[count++] = (cosm_singleton_use){sim->host[h], COSM_ACCESS_WRITE};
        }
    }
    count = cosmi_sim_agents_uses(&sim->agents, COSM_ACCESS_READ, desc.singletons, count);
    (void)use_reset(sim, COSM_ACCESS_WRITE, desc.singletons, count);
    return cosm_system_define(sim->engine, &desc).id != 0;
}

static bool define_begin(struct cosm_sim *sim) {
    bool in_place = sim->env->begin == NULL;
    cosm_system_desc desc = {.name = "sim.begin",
                             .phase = sim->begin,
                             .run = in_place ? run_begin_in_place : run_begin,
                             .context = sim,
                             .queries = {sim->agents.write},
                             .singletons = {{sim->host[HOST_RETURN], COSM_ACCESS_WRITE},
                                            {sim->host[HOST_LENGTH], COSM_ACCESS_WRITE},
                                            {sim->host[HOST_NUMBER], COSM_ACCESS_WRITE},
                                            {sim->host[HOST_TERMINATED], COSM_ACCESS_READ},
                                            {sim->host[HOST_TRUNCATED], COSM_ACCESS_READ}},
                             .rank = INT32_MIN,
                             .condition = any_begins,
                             .exclusive = !in_place};
    uint32_t count = cosmi_sim_agents_uses(&sim->agents, COSM_ACCESS_WRITE, desc.singletons, 5);
    (void)use_reset(sim, in_place ? COSM_ACCESS_READ : COSM_ACCESS_WRITE, desc.singletons, count);
    return cosm_system_define(sim->engine, &desc).id != 0;
}

static bool define_forget(struct cosm_sim *sim) {
    cosm_system_desc desc = {.name = "sim.forget",
                             .phase = COSM_PHASE_INPUT,
                             .run = run_forget,
                             .context = sim,
                             .queries = {sim->agents.write},
                             .singletons = {{sim->host[HOST_LENGTH], COSM_ACCESS_READ},
                                            {sim->host[HOST_TERMINATED], COSM_ACCESS_READ},
                                            {sim->host[HOST_TRUNCATED], COSM_ACCESS_READ}},
                             .rank = INT32_MIN,
                             .condition = any_told};
    (void)cosmi_sim_agents_uses(&sim->agents, COSM_ACCESS_WRITE, desc.singletons, 3);
    return cosm_system_define(sim->engine, &desc).id != 0;
}

cosm_result cosmi_sim_define_systems(struct cosm_sim *sim) {
    bool forgets = sim->autoreset == COSM_AUTORESET_SAME_STEP;
    cosm_system_desc settle = {.name = "sim.settle",
                               .phase = sim->observe,
                               .run = run_settle,
                               .context = sim,
                               .singletons = {{sim->reset.singleton, COSM_ACCESS_WRITE},
                                              {sim->host[HOST_LENGTH], COSM_ACCESS_READ}},
                               .rank = INT32_MAX,
                               .condition = any_begins};
    if (!define_episode(sim) || !define_begin(sim) ||
        cosm_system_define(sim->engine, &settle).id == 0 || (forgets && !define_forget(sim))) {
        return cosm_error_result();
    }
    return COSM_OK;
}

cosm_result cosmi_sim_begin(struct cosm_sim *sim) {
    cosm_result result = cosm_batch_run_phase(sim->batch, sim->begin, -1.0f);
    cosm_result observed = cosm_batch_run_phase(sim->batch, sim->observe, -1.0f);
    cosm_result gathered = cosm_batch_gather(sim->batch);
    result = result == COSM_OK ? observed : result;
    return result == COSM_OK ? gathered : result;
}
