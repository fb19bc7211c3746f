// Agents: where the rewards and flags of a world's agents lie, and walking them.
//
// They are rows of one archetype, rows of a query, or one value per world in singletons. The
// systems of the host see them through one query with all their columns; rows of other archetypes
// that match it are passed over.
#ifndef COSMI_SIM_AGENTS_H
#define COSMI_SIM_AGENTS_H

#include <cosm/cosm.h>

// Where one scalar per row, or per world, lies.
struct place {
    bool is_there;
    cosm_singleton singleton; // or
    cosm_component component;
    uint32_t field;  // of a component; COSM_FIELD_INDEX_NONE: it has none, and is the scalar itself
    uint32_t offset; // of a singleton: bytes into the value
    uint32_t stride; // of a singleton: bytes from world to world
};

struct agents {
    bool is_singleton;
    cosm_archetype archetype; // zero: of a query, or singletons
    uint32_t max;             // agents of a world at most; zero: no limit
    bool is_fixed;
    struct place reward;
    struct place terminated;
    struct place truncated;
    struct place mask;
    cosm_query_desc read;  // for systems that look
    cosm_query_desc write; // for those that set
};

// The scalars of one run of rows, or of some worlds. Where there are none, data is NULL.
struct agent_spans {
    cosm_span reward;
    cosm_span terminated;
    cosm_span truncated;
    cosm_span mask;
};

// Finds out where the scalar of a slot lies.
struct place cosmi_sim_place(const cosm_engine *engine, const cosm_tensor *tensor,
                             const cosm_export_desc *desc, cosm_batch *batch);

// The value of a singleton's place in a world.
static inline void *place_write(const struct place *place, cosm_world world) {
    char *value = cosm_singleton_write(world, place->singleton);
    return value == NULL ? NULL : value + place->offset;
}

static inline const void *place_read(const struct place *place, cosm_world world) {
    const char *value = cosm_singleton_read(world, place->singleton);
    return value == NULL ? NULL : value + place->offset;
}

// Makes the queries, from the places and, where it is not NULL, the query of the export.
void cosmi_sim_agents_queries(struct agents *agents, const cosm_query_desc *query);

// Adds the singletons that agents are in to what a system touches; returns the new count.
uint32_t cosmi_sim_agents_uses(const struct agents *agents, cosm_access access,
                               cosm_singleton_use *uses, uint32_t count);

// The scalars of a run of rows; false where its rows are not agents.
bool cosmi_sim_agents_rows(const struct agents *agents, const cosm_rows *rows, bool write,
                           struct agent_spans *out_spans);

// Those of singletons, from world `first` on.
void cosmi_sim_agents_worlds(const struct agents *agents, cosm_world first, bool write,
                             struct agent_spans *out_spans);

// What the agents of each world come to: the sum of their rewards; whether all have terminated, or
// none is left; whether all have terminated or been cut off, and not all terminated. `worlds` are
// those of the turn.
void cosmi_sim_agents_sum(const struct agents *agents, const cosm_turn *turn, float *rewards,
                          uint8_t *ends, uint8_t *cuts);

// Zeroes reward and flags of the agents of some worlds: `list` has their numbers, counted from the
// first world of the turn, in ascending order.
void cosmi_sim_agents_clear(const struct agents *agents, const cosm_turn *turn,
                            const uint32_t *list, uint32_t count);

// A reward and its flags, kept while a world begins anew.
struct agent_word {
    float reward;
    uint8_t terminated;
    uint8_t truncated;
};

// Copies those of one world out, at most `max`; returns how many agents it has. And back in.
uint32_t cosmi_sim_agents_save(const struct agents *agents, const cosm_turn *turn, uint32_t world,
                               struct agent_word *words, uint32_t max);
void cosmi_sim_agents_restore(const struct agents *agents, const cosm_turn *turn, uint32_t world,
                              const struct agent_word *words, uint32_t count);

#endif
