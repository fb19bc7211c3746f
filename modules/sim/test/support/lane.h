// Environments for tests: agents on a lane, in every shape that agents can have.
//
// An agent stands at a whole number x. Its action moves it by -1, 0 or 1; its reward is x times the
// parameter `gain`. At -4 and 4 it has terminated; at 3 it is cut off, where the parameter `bias`
// is odd; where `bias` is 50 or more, the mask of agents says that it is none. Where it starts
// follows from the number of the episode, `bias`, and which agent it is; with the parameter
// `spread`, also from random numbers. So plain C can tell everything that happens.
#ifndef COSM_SIM_TEST_LANE_H
#define COSM_SIM_TEST_LANE_H

#include <cosm_sim/sim.h>

enum lane_kind {
    LANE_PLACE = 0, // one agent, fixed, split columns; begins in place
    LANE_BEGIN,     // one agent, fixed, structs; has a `begin`
    LANE_HERD,      // up to four agents, fixed, with a mask of agents
    LANE_SWARM,     // up to six agents, growing; who has terminated is despawned in the next step
    LANE_SOLO,      // one agent in singletons, and a byte `reset` of its own
    LANE_KIND_COUNT
};

enum {
    LANE_SLOT_OBSERVATION = 3,
    LANE_SLOT_ACTION = 5,
    LANE_SLOT_REWARD,
    LANE_SLOT_TERMINATED,
    LANE_SLOT_TRUNCATED,
    LANE_SLOT_AGENTS,
    LANE_SLOT_RESET,
    LANE_SLOT_BIAS,
    LANE_SLOT_SPREAD,
    LANE_SLOT_GAIN,
    LANE_SLOT_AGE,
};

#define LANE_END 4
#define LANE_AGENT_MAX 6

// The environment of a kind.
const cosm_env_desc *lane_env(enum lane_kind kind);

// How many agents an episode has, and where one of them starts but for random numbers.
uint32_t lane_agents(enum lane_kind kind, uint32_t number, int32_t bias);
int32_t lane_start(uint32_t number, int32_t bias, uint32_t agent);

// A simulation of a kind, or of a changed environment in `desc`; checks that it is there.
cosm_sim *lane_open(enum lane_kind kind, const cosm_sim_desc *desc);

// Fails the test where it cannot be destroyed.
void lane_close(cosm_sim *sim);

// Sets the actions of all agents of a world: 0, 1 or 2.
void lane_act(cosm_sim *sim, uint32_t world, int32_t move);

// The tensor of a slot, as an array of one type; only for slots that are side by side.
static inline void *lane_data(cosm_sim *sim, uint32_t slot) {
    return cosm_batch_tensor(cosm_sim_batch(sim), slot)->data;
}

// The scalar of a slot for one agent of a world; NULL where there is no such agent.
void *lane_at(cosm_sim *sim, uint32_t slot, uint32_t world, uint32_t agent);

// Agents of a world now.
uint32_t lane_count(cosm_sim *sim, uint32_t world);

#endif
