// Agents: where the rewards and flags of a world's agents lie, and walking them.
#include "agents.h"

#include <string.h>

struct place cosmi_sim_place(const cosm_engine *engine, const cosm_tensor *tensor,
                             const cosm_export_desc *desc, cosm_batch *batch) {
    struct place place = {.is_there = true, .field = COSM_FIELD_INDEX_NONE};
    if (desc->singleton.id != 0) {
        const char *base = cosm_singleton_read(cosm_batch_world(batch, 0), desc->singleton);
        place.singleton = desc->singleton;
        place.offset = (uint32_t)((const char *)tensor->data - base);
        place.stride = (uint32_t)cosm_singleton_describe(engine, desc->singleton).size;
        return place;
    }
    cosm_component_info info = cosm_component_describe(engine, desc->component);
    place.component = desc->component;
    if (desc->field != NULL) {
        place.field = cosm_field_find(info.fields, info.field_count, desc->field);
    } else if (info.field_count > 0) {
        place.field = 0;
    }
    return place;
}

// Asks for a component in a query, once. A term that is there already keeps its place.
static void ask_for(cosm_query_desc *query, const struct place *place, cosm_access access) {
    if (!place->is_there) {
        return;
    }
    uint32_t t = 0;
    while (t < COSM_QUERY_TERM_MAX - 1 && query->terms[t].component.id != 0) {
        if (query->terms[t].component.id == place->component.id) {
            query->terms[t].access =
                query->terms[t].access == COSM_ACCESS_WRITE ? COSM_ACCESS_WRITE : access;
            return;
        }
        t++;
    }
    query->terms[t] = (cosm_term){.component = place->component, .access = access};
}

void cosmi_sim_agents_queries(struct agents *agents, const cosm_query_desc *query) {
    cosm_query_desc none = {.by_world = false};
    agents->read = query == NULL ? none : *query;
    for (uint32_t t = 0; t < COSM_QUERY_TERM_MAX; t++) {
        agents->read.terms[t].access = COSM_ACCESS_READ; // an export has no use for more
        agents->read.terms[t].changed = false;
    }
    agents->write = agents->read;
    if (agents->is_singleton) {
        return;
    }
    ask_for(&agents->read, &agents->reward, COSM_ACCESS_READ);
    ask_for(&agents->read, &agents->terminated, COSM_ACCESS_READ);
    ask_for(&agents->read, &agents->truncated, COSM_ACCESS_READ);
    ask_for(&agents->read, &agents->mask, COSM_ACCESS_READ);
    ask_for(&agents->write, &agents->reward, COSM_ACCESS_WRITE);
    ask_for(&agents->write, &agents->terminated, COSM_ACCESS_WRITE);
    ask_for(&agents->write, &agents->truncated, COSM_ACCESS_WRITE);
}

static uint32_t use_place(const struct place *place, cosm_access access, cosm_singleton_use *uses,
                          uint32_t count) {
    if (!place->is_there) {
        return count;
    }
    for (uint32_t u = 0; u < count; u++) {
        if (uses[u].singleton.id == place->singleton.id) {
            uses[u].access = uses[u].access == COSM_ACCESS_WRITE ? COSM_ACCESS_WRITE : access;
            return count;
        }
    }
    uses[count] = (cosm_singleton_use){place->singleton, access};
    return count + 1;
}

uint32_t cosmi_sim_agents_uses(const struct agents *agents, cosm_access access,
                               cosm_singleton_use *uses, uint32_t count) {
    if (agents->is_singleton) {
        count = use_place(&agents->reward, access, uses, count);
        count = use_place(&agents->terminated, access, uses, count);
        count = use_place(&agents->truncated, access, uses, count);
        count = use_place(&agents->mask, COSM_ACCESS_READ, uses, count);
    }
    return count;
}

static cosm_span rows_span(const struct place *place, const cosm_rows *rows, bool write) {
    cosm_span span = {NULL, 0};
    if (!place->is_there) {
        return span;
    }
    if (place->field != COSM_FIELD_INDEX_NONE) {
        return write ? cosm_rows_span(rows, place->component, place->field)
                     : cosm_rows_span_read(rows, place->component, place->field);
    }
    span.data = write ? cosm_rows_column(rows, place->component)
                      : (void *)cosm_rows_column_read(rows, place->component);
    span.stride = 1; // a component without fields that is a flag has one byte
    return span;
}

bool cosmi_sim_agents_rows(const struct agents *agents, const cosm_rows *rows, bool write,
                           struct agent_spans *out_spans) {
    if (agents->archetype.id != 0 && rows->archetype.id != agents->archetype.id) {
        return false;
    }
    out_spans->reward = rows_span(&agents->reward, rows, write);
    out_spans->terminated = rows_span(&agents->terminated, rows, write);
    out_spans->truncated = rows_span(&agents->truncated, rows, write);
    out_spans->mask = write ? (cosm_span){NULL, 0} : rows_span(&agents->mask, rows, false);
    return out_spans->reward.data != NULL;
}

static cosm_span worlds_span(const struct place *place, cosm_world first, bool write) {
    cosm_span span = {NULL, place->stride};
    if (place->is_there) {
        span.data = write ? place_write(place, first) : (void *)place_read(place, first);
    }
    return span;
}

void cosmi_sim_agents_worlds(const struct agents *agents, cosm_world first, bool write,
                             struct agent_spans *out_spans) {
    out_spans->reward = worlds_span(&agents->reward, first, write);
    out_spans->terminated = worlds_span(&agents->terminated, first, write);
    out_spans->truncated = worlds_span(&agents->truncated, first, write);
    out_spans->mask = write ? (cosm_span){NULL, 0} : worlds_span(&agents->mask, first, false);
}

static inline bool flag_at(const cosm_span *span, size_t i, bool otherwise) {
    return span->data == NULL ? otherwise : *((const uint8_t *)span->data + i * span->stride) != 0;
}

static inline float reward_at(const struct agent_spans *spans, size_t i) {
    float reward;
    memcpy(&reward, (const char *)spans->reward.data + i * spans->reward.stride, sizeof(reward));
    return reward;
}

// Adds agents [first, first + count) of a run to what their world comes to.
static void add_agents(const struct agent_spans *spans, size_t first, size_t count, float *reward,
                       uint8_t *ends, uint8_t *done) {
    float sum = *reward;
    bool all_terminated = *ends != 0;
    bool all_done = *done != 0;
    for (size_t i = first; i < first + count; i++) {
        bool is_agent = flag_at(&spans->mask, i, true);
        bool terminated = flag_at(&spans->terminated, i, false);
        sum += is_agent ? reward_at(spans, i) : 0.0f;
        all_terminated &= terminated | !is_agent;
        all_done &= terminated | !is_agent | flag_at(&spans->truncated, i, false);
    }
    *reward = sum;
    *ends = all_terminated;
    *done = all_done;
}

// How many rows of a run, from row i on, are of one world, and of which.
static uint32_t rows_of_world(const struct agents *agents, const cosm_rows *rows, uint32_t i,
                              uint32_t *out_world) {
    if (rows->world_count <= 1) {
        *out_world = rows->world;
        return rows->count - i;
    }
    // Only full worlds of a fixed archetype come in one run.
    uint32_t max = agents->max != 0 ? agents->max : rows->count / rows->world_count;
    uint32_t at = rows->row + i;
    uint32_t left = max - at % max;
    *out_world = rows->world + at / max;
    return left < rows->count - i ? left : rows->count - i;
}

void cosmi_sim_agents_sum(const struct agents *agents, const cosm_turn *turn, float *rewards,
                          uint8_t *ends, uint8_t *cuts) {
    uint32_t first = turn->worlds.first;
    uint32_t count = turn->worlds.count;
    struct agent_spans spans;
    memset(rewards, 0, count * sizeof(*rewards));
    memset(ends, 1, count);
    memset(cuts, 1, count); // until the end: whether all are done
    if (agents->is_singleton) {
        cosmi_sim_agents_worlds(agents, (cosm_world){turn->worlds.batch, first}, false, &spans);
        for (uint32_t w = 0; w < count; w++) {
            add_agents(&spans, w, 1, &rewards[w], &ends[w], &cuts[w]);
        }
    } else {
        cosm_rows rows;
        cosm_turn_walk(turn, 0, turn->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            if (!cosmi_sim_agents_rows(agents, &rows, false, &spans)) {
                continue;
            }
            uint32_t world;
            for (uint32_t i = 0, n; i < rows.count; i += n) {
                n = rows_of_world(agents, &rows, i, &world);
                uint32_t w = world - first;
                add_agents(&spans, i, n, &rewards[w], &ends[w], &cuts[w]);
            }
        }
    }
    for (uint32_t w = 0; w < count; w++) {
        cuts[w] = cuts[w] & (uint8_t)(ends[w] ^ 1u);
    }
}

static inline void set_agent(const struct agent_spans *spans, size_t i,
                             const struct agent_word *word) {
    memcpy((char *)spans->reward.data + i * spans->reward.stride, &word->reward,
           sizeof(word->reward));
    if (spans->terminated.data != NULL) {
        *((uint8_t *)spans->terminated.data + i * spans->terminated.stride) = word->terminated;
    }
    if (spans->truncated.data != NULL) {
        *((uint8_t *)spans->truncated.data + i * spans->truncated.stride) = word->truncated;
    }
}

static void clear_agents(const struct agent_spans *spans, uint32_t first, uint32_t count) {
    const struct agent_word zero = {0.0f, 0, 0};
    for (uint32_t i = first; i < first + count; i++) {
        set_agent(spans, i, &zero);
    }
}

// Clears the worlds of the list that have rows in this run; returns the place in the list behind
// them.
static uint32_t clear_run(const struct agents *agents, const cosm_rows *rows, uint32_t first,
                          const uint32_t *list, uint32_t at, uint32_t count) {
    struct agent_spans spans;
    if (!cosmi_sim_agents_rows(agents, rows, true, &spans)) {
        return at;
    }
    uint32_t begin = rows->world - first;
    uint32_t end = begin + rows->world_count;
    if (at > 0 && list[at - 1] >= begin) {
        at = 0; // the next table, from the first world on
    }
    while (at < count && list[at] < begin) {
        at++; // a world without agents
    }
    // One agent to a world, and its numbers side by side: the usual case of many small worlds.
    if (agents->max == 1 && rows->world_count > 1 && spans.reward.stride == sizeof(float) &&
        spans.terminated.stride == 1 && spans.truncated.data == NULL) {
        float *reward = spans.reward.data;
        uint8_t *terminated = spans.terminated.data;
        for (; at < count && list[at] < end; at++) {
            reward[list[at] - begin] = 0.0f;
            terminated[list[at] - begin] = 0;
        }
        return at;
    }
    for (; at < count && list[at] < end; at++) {
        // Several worlds in one run are full ones of a fixed archetype.
        bool is_one = rows->world_count == 1;
        uint32_t row = is_one ? 0 : (list[at] - begin) * agents->max;
        clear_agents(&spans, row, is_one ? rows->count : agents->max);
    }
    return at;
}

static void clear_walk(const struct agents *agents, const cosm_turn *turn, cosm_worlds worlds,
                       const uint32_t *list, uint32_t count) {
    uint32_t at = 0;
    cosm_rows rows;
    cosm_turn_walk(turn, 0, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        at = clear_run(agents, &rows, turn->worlds.first, list, at, count);
    }
}

void cosmi_sim_agents_clear(const struct agents *agents, const cosm_turn *turn,
                            const uint32_t *list, uint32_t count) {
    cosm_worlds worlds = turn->worlds;
    if (agents->is_singleton) {
        struct agent_spans spans;
        cosmi_sim_agents_worlds(agents, (cosm_world){worlds.batch, worlds.first}, true, &spans);
        for (uint32_t i = 0; i < count; i++) {
            clear_agents(&spans, list[i], 1);
        }
        return;
    }
    // Fixed rows of many worlds come in few runs; others are cheaper to find world by world.
    if (agents->is_fixed) {
        clear_walk(agents, turn, worlds, list, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        cosm_worlds one = {worlds.batch, worlds.first + list[i], 1};
        cosm_rows rows;
        cosm_turn_walk(turn, 0, one, &rows);
        while (cosm_rows_next(&rows)) {
            struct agent_spans spans;
            if (cosmi_sim_agents_rows(agents, &rows, true, &spans)) {
                clear_agents(&spans, 0, rows.count);
            }
        }
    }
}

uint32_t cosmi_sim_agents_save(const struct agents *agents, const cosm_turn *turn, uint32_t world,
                               struct agent_word *words, uint32_t max) {
    if (agents->is_singleton) {
        return 0; // a reset leaves singletons as they are
    }
    uint32_t count = 0;
    cosm_rows rows;
    cosm_turn_walk(turn, 0, (cosm_worlds){turn->worlds.batch, world, 1}, &rows);
    while (cosm_rows_next(&rows)) {
        struct agent_spans spans;
        if (!cosmi_sim_agents_rows(agents, &rows, true, &spans)) {
            continue;
        }
        for (uint32_t i = 0; i < rows.count; i++, count++) {
            if (count < max) {
                words[count] =
                    (struct agent_word){reward_at(&spans, i), flag_at(&spans.terminated, i, false),
                                        flag_at(&spans.truncated, i, false)};
            }
        }
    }
    return count;
}

void cosmi_sim_agents_restore(const struct agents *agents, const cosm_turn *turn, uint32_t world,
                              const struct agent_word *words, uint32_t count) {
    const struct agent_word zero = {0.0f, 0, 0};
    if (agents->is_singleton) {
        return;
    }
    uint32_t at = 0;
    cosm_rows rows;
    cosm_turn_walk(turn, 0, (cosm_worlds){turn->worlds.batch, world, 1}, &rows);
    while (cosm_rows_next(&rows)) {
        struct agent_spans spans;
        if (!cosmi_sim_agents_rows(agents, &rows, true, &spans)) {
            continue;
        }
        for (uint32_t i = 0; i < rows.count; i++, at++) {
            set_agent(&spans, i, at < count ? &words[at] : &zero);
        }
    }
}
