// Environments for tests: agents on a lane, in every shape that agents can have.
#include "support/lane.h"

#include <stddef.h>

#include "harness.h"

struct act {
    int32_t move;
};

struct out {
    float reward;
    bool terminated;
    uint8_t truncated;
    bool is_agent;
    uint8_t pad;
};

struct seen {
    float x;
    float age;
};

struct stand {
    int32_t x;
};

struct rules {
    int32_t bias;
    uint32_t spread;
    float gain;
};

// All of an agent that is singletons.
struct solo {
    struct out out;
    struct act act;
    struct seen seen;
    struct stand stand;
    uint8_t reset;
    uint8_t pad[3];
};

struct lane {
    enum lane_kind kind;
    cosm_singleton rules;
    cosm_singleton reset;
    cosm_singleton number;
    cosm_singleton solo;
    cosm_component act;
    cosm_component out;
    cosm_component seen;
    cosm_component stand;
    cosm_archetype agent;
};

static const cosm_field act_fields[] = {
    {.name = "move", .type = COSM_FIELD_I32, .offset = offsetof(struct act, move), .max = 2}};

#define OUT_FIELDS(base)                                                                           \
    {.name = "reward", .type = COSM_FIELD_F32, .offset = (base) + offsetof(struct out, reward)},   \
        {.name = "terminated",                                                                     \
         .type = COSM_FIELD_BOOL,                                                                  \
         .offset = (base) + offsetof(struct out, terminated)},                                     \
        {.name = "truncated",                                                                      \
         .type = COSM_FIELD_U8,                                                                    \
         .offset = (base) + offsetof(struct out, truncated)},                                      \
    {                                                                                              \
        .name = "is_agent", .type = COSM_FIELD_BOOL,                                               \
        .offset = (base) + offsetof(struct out, is_agent), .padding = 1                            \
    }

static const cosm_field out_fields[] = {OUT_FIELDS(0)};
static const cosm_field seen_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(struct seen, x), .min = -4, .max = 4},
    {.name = "age", .type = COSM_FIELD_F32, .offset = offsetof(struct seen, age)}};
static const cosm_field stand_fields[] = {
    {.name = "x", .type = COSM_FIELD_I32, .offset = offsetof(struct stand, x)}};
static const cosm_field rules_fields[] = {
    {.name = "bias", .type = COSM_FIELD_I32, .offset = offsetof(struct rules, bias)},
    {.name = "spread", .type = COSM_FIELD_U32, .offset = offsetof(struct rules, spread), .max = 3},
    {.name = "gain", .type = COSM_FIELD_F32, .offset = offsetof(struct rules, gain)}};
static const cosm_field solo_fields[] = {
    OUT_FIELDS(offsetof(struct solo, out)),
    {.name = "move", .type = COSM_FIELD_I32, .offset = offsetof(struct solo, act), .max = 2},
    {.name = "x",
     .type = COSM_FIELD_F32,
     .offset = offsetof(struct solo, seen),
     .min = -4,
     .max = 4},
    {.name = "age", .type = COSM_FIELD_F32, .offset = offsetof(struct solo, seen.age)},
    {.name = "stand", .type = COSM_FIELD_I32, .offset = offsetof(struct solo, stand)},
    {.name = "reset", .type = COSM_FIELD_U8, .offset = offsetof(struct solo, reset), .padding = 3},
};

uint32_t lane_agents(enum lane_kind kind, uint32_t number, int32_t bias) {
    uint32_t sum = number + (uint32_t)bias;
    return kind == LANE_HERD ? 1 + sum % 4 : kind == LANE_SWARM ? 1 + sum % LANE_AGENT_MAX : 1;
}

int32_t lane_start(uint32_t number, int32_t bias, uint32_t agent) {
    return (int32_t)((number * 7 + (uint32_t)bias * 3 + agent * 5) % 5) - 2;
}

static void start(const struct rules *rules, uint32_t number, uint32_t agent, cosm_random *random,
                  struct stand *stand, struct seen *seen) {
    stand->x = lane_start(number, rules->bias, agent);
    if (rules->spread > 0) {
        stand->x += (int32_t)cosm_random_below(random, rules->spread) - 1;
    }
    seen->age = 0.0f;
}

// One agent's step. Who has terminated stays so.
static void move(const struct rules *rules, const struct act *act, struct stand *stand,
                 struct out *out, struct seen *seen) {
    if (out->terminated) {
        out->reward = 0.0f;
        return;
    }
    stand->x += act->move - 1;
    seen->age += 1.0f;
    out->reward = (float)stand->x * rules->gain;
    out->terminated = stand->x <= -LANE_END || stand->x >= LANE_END;
    out->truncated = stand->x == 3 && rules->bias % 2 != 0;
    out->is_agent = rules->bias < 50;
}

static const struct rules *rules_of(const struct lane *lane, cosm_world world) {
    return SINGLETON_READ_BY_ID(world, struct rules, lane->rules);
}

static void move_rows(cosm_rows *rows) {
    const struct lane *lane = rows->context;
    const struct act *acts = COSM_COLUMN_READ(rows, struct act, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        struct stand stand;
        struct out out;
        struct seen seen;
        REQUIRE(cosm_rows_get(rows, i, lane->stand, &stand) &&
                cosm_rows_get(rows, i, lane->out, &out) &&
                cosm_rows_get(rows, i, lane->seen, &seen));
        move(rules_of(lane, cosm_rows_world(rows, i)), &acts[i], &stand, &out, &seen);
        CHECK_INT(cosm_rows_set(rows, i, lane->stand, &stand), COSM_OK);
        CHECK_INT(cosm_rows_set(rows, i, lane->out, &out), COSM_OK);
        CHECK_INT(cosm_rows_set(rows, i, lane->seen, &seen), COSM_OK);
    }
}

static void observe_rows(cosm_rows *rows) {
    const struct lane *lane = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        struct stand stand;
        struct seen seen;
        REQUIRE(cosm_rows_get(rows, i, lane->stand, &stand) &&
                cosm_rows_get(rows, i, lane->seen, &seen));
        seen.x = (float)stand.x;
        CHECK_INT(cosm_rows_set(rows, i, lane->seen, &seen), COSM_OK);
    }
}

// Begins in place. The first time there is no agent yet: worlds are made with `init`.
static void begin_rows(cosm_rows *rows) {
    const struct lane *lane = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        if (*SINGLETON_READ_BY_ID(world, uint8_t, lane->reset) == 0) {
            continue;
        }
        uint32_t number = *SINGLETON_READ_BY_ID(world, uint32_t, lane->number);
        cosm_random random = cosm_turn_random(rows->turn, world, number);
        struct stand stand;
        struct seen seen = {0};
        start(rules_of(lane, world), number, 0, &random, &stand, &seen);
        CHECK_INT(cosm_rows_set(rows, i, lane->stand, &stand), COSM_OK);
        CHECK_INT(cosm_rows_set(rows, i, lane->seen, &seen), COSM_OK);
    }
}

static cosm_result spawn_one(void *context, cosm_batch *batch) {
    const struct lane *lane = context;
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        cosm_world world = cosm_batch_world(batch, w);
        if (cosm_world_entity_count(world) == 0 && cosm_entity_spawn(world, lane->agent).gen == 0) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static cosm_result begin_world(void *context, cosm_world world, cosm_random *random) {
    const struct lane *lane = context;
    const struct rules *rules = rules_of(lane, world);
    uint32_t number = *SINGLETON_READ_BY_ID(world, uint32_t, lane->number);
    uint32_t count = lane_agents(lane->kind, number, rules->bias);
    for (uint32_t a = 0; a < count; a++) {
        struct stand stand;
        struct seen seen = {0};
        struct out out = {.reward = 7.0f, .terminated = true, .is_agent = true}; // to be cleared
        start(rules, number, a, random, &stand, &seen);
        cosm_value values[] = {{lane->stand, &stand}, {lane->seen, &seen}, {lane->out, &out}};
        cosm_entity entity = cosm_entity_spawn_with(world, lane->agent, values, 3);
        if (entity.gen == COSM_ENTITY_NONE.gen) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static void despawn_rows(cosm_rows *rows) {
    const struct lane *lane = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        struct out out;
        REQUIRE(cosm_rows_get(rows, i, lane->out, &out));
        if (out.terminated) {
            CHECK_INT(cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]),
                      COSM_OK);
        }
    }
}

static void move_solo(const cosm_turn *turn) {
    const struct lane *lane = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        struct solo *solo = SINGLETON_WRITE_BY_ID(world, struct solo, lane->solo);
        move(rules_of(lane, world), &solo->act, &solo->stand, &solo->out, &solo->seen);
    }
}

static void begin_solo(const cosm_turn *turn) {
    const struct lane *lane = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        struct solo *solo = SINGLETON_WRITE_BY_ID(world, struct solo, lane->solo);
        uint32_t number = *SINGLETON_READ_BY_ID(world, uint32_t, lane->number);
        if (solo->reset != 0) {
            cosm_random random = cosm_turn_random(turn, world, number);
            start(rules_of(lane, world), number, 0, &random, &solo->stand, &solo->seen);
        }
    }
}

static void observe_solo(const cosm_turn *turn) {
    const struct lane *lane = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        struct solo *solo = SINGLETON_WRITE_BY_ID(world, struct solo, lane->solo);
        solo->seen.x = (float)solo->stand.x;
    }
}

static cosm_singleton define_rules(cosm_engine *engine) {
    static const struct rules rules = {0, 0, 0.5f};
    return cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "rules",
                                                                .size = sizeof(struct rules),
                                                                .alignment = _Alignof(struct rules),
                                                                .default_value = &rules,
                                                                .fields = rules_fields,
                                                                .field_count = 3});
}

static cosm_result show(const struct lane *lane, cosm_engine *engine, uint32_t slot,
                        const char *name, cosm_component component, const char *field,
                        cosm_direction direction) {
    cosm_export_desc desc = {.slot = slot, .name = name, .field = field, .direction = direction};
    if (lane->kind == LANE_SOLO) {
        desc.singleton = lane->solo;
    } else {
        desc.archetype = lane->agent;
        desc.component = component;
    }
    desc.field_count = slot == LANE_SLOT_OBSERVATION ? 2 : 0;
    return cosm_export_define(engine, &desc);
}

static cosm_result show_rule(const struct lane *lane, cosm_engine *engine, uint32_t slot,
                             const char *name) {
    return cosm_export_define(engine, &(cosm_export_desc){.slot = slot,
                                                          .name = name,
                                                          .singleton = lane->rules,
                                                          .field = name,
                                                          .direction = COSM_DIRECTION_BOTH});
}

static cosm_result show_all(const struct lane *lane, cosm_engine *engine) {
    cosm_direction out = COSM_DIRECTION_OUT;
    cosm_result results[] = {
        show(lane, engine, LANE_SLOT_OBSERVATION, "observation", lane->seen, "x", out),
        show(lane, engine, LANE_SLOT_ACTION, "action", lane->act, "move", COSM_DIRECTION_IN),
        show(lane, engine, LANE_SLOT_REWARD, "reward", lane->out, "reward", out),
        show(lane, engine, LANE_SLOT_TERMINATED, "terminated", lane->out, "terminated", out),
        show(lane, engine, LANE_SLOT_TRUNCATED, "truncated", lane->out, "truncated", out),
        show(lane, engine, LANE_SLOT_AGENTS, "agents", lane->out, "is_agent", out),
        show(lane, engine, LANE_SLOT_AGE, "age", lane->seen, "age", out),
        show_rule(lane, engine, LANE_SLOT_BIAS, "bias"),
        show_rule(lane, engine, LANE_SLOT_SPREAD, "spread"),
        show_rule(lane, engine, LANE_SLOT_GAIN, "gain"),
        lane->kind != LANE_SOLO ? COSM_OK
                                : show(lane, engine, LANE_SLOT_RESET, "restart", lane->out, "reset",
                                       COSM_DIRECTION_BOTH),
    };
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        if (results[i] != COSM_OK) {
            return results[i];
        }
    }
    return COSM_OK;
}

static bool define_solo(struct lane *lane, const cosm_env_setup *setup) {
    cosm_engine *engine = setup->engine;
    lane->solo = cosm_singleton_define(
        engine,
        &(cosm_singleton_desc){.name = "solo",
                               .size = sizeof(struct solo),
                               .alignment = _Alignof(struct solo),
                               .fields = solo_fields,
                               .field_count = sizeof(solo_fields) / sizeof(solo_fields[0])});
    cosm_system_desc desc = {.name = "move",
                             .run = move_solo,
                             .context = lane,
                             .singletons = {{lane->solo, COSM_ACCESS_WRITE},
                                            {lane->rules, COSM_ACCESS_READ},
                                            {lane->number, COSM_ACCESS_READ}}};
    cosm_system_desc begin = desc;
    begin.name = "restart";
    begin.run = begin_solo;
    begin.phase = setup->begin;
    cosm_system_desc observe = desc;
    observe.name = "look";
    observe.run = observe_solo;
    observe.phase = setup->observe;
    return lane->solo.id != 0 && cosm_system_define(engine, &desc).id != 0 &&
           cosm_system_define(engine, &begin).id != 0 &&
           cosm_system_define(engine, &observe).id != 0;
}

static bool define_components(struct lane *lane, cosm_engine *engine) {
    static const uint32_t maxes[LANE_KIND_COUNT] = {1, 1, 4, 0, 0};
    cosm_layout layout = lane->kind == LANE_PLACE ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
    lane->act = cosm_component_define(engine, &(cosm_component_desc){.name = "act",
                                                                     .size = sizeof(struct act),
                                                                     .fields = act_fields,
                                                                     .field_count = 1});
    lane->out = cosm_component_define(engine, &(cosm_component_desc){.name = "out",
                                                                     .size = sizeof(struct out),
                                                                     .alignment = 4,
                                                                     .layout = layout,
                                                                     .fields = out_fields,
                                                                     .field_count = 4});
    lane->seen = cosm_component_define(engine, &(cosm_component_desc){.name = "seen",
                                                                      .size = sizeof(struct seen),
                                                                      .alignment = 4,
                                                                      .fields = seen_fields,
                                                                      .field_count = 2});
    lane->stand = cosm_component_define(engine, &(cosm_component_desc){.name = "stand",
                                                                       .size = sizeof(struct stand),
                                                                       .fields = stand_fields,
                                                                       .field_count = 1});
    lane->agent = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "agent",
                               .components = {lane->act, lane->out, lane->seen, lane->stand},
                               .placement = maxes[lane->kind] > 0 ? COSM_PLACEMENT_FIXED
                                                                  : COSM_PLACEMENT_GROWING,
                               .max_per_world = maxes[lane->kind]});
    return lane->agent.id != 0;
}

static bool define_rows(struct lane *lane, const cosm_env_setup *setup) {
    cosm_engine *engine = setup->engine;
    if (!define_components(lane, engine)) {
        return false;
    }
    cosm_system_desc desc = {
        .name = "move",
        .each = move_rows,
        .context = lane,
        .queries = {{.terms = {{.component = lane->act},
                               {.component = lane->out, .access = COSM_ACCESS_WRITE},
                               {.component = lane->seen, .access = COSM_ACCESS_WRITE},
                               {.component = lane->stand, .access = COSM_ACCESS_WRITE}}}},
        .singletons = {{lane->rules, COSM_ACCESS_READ}}};
    cosm_system_desc observe = desc;
    observe.name = "look";
    observe.each = observe_rows;
    observe.phase = setup->observe;
    cosm_system_desc begin = desc;
    begin.name = "restart";
    begin.each = begin_rows;
    begin.phase = setup->begin;
    begin.init = spawn_one;
    begin.singletons[1] = (cosm_singleton_use){lane->reset, COSM_ACCESS_READ};
    begin.singletons[2] = (cosm_singleton_use){lane->number, COSM_ACCESS_READ};
    cosm_system_desc despawn = desc;
    despawn.name = "despawn";
    despawn.each = despawn_rows;
    despawn.phase = COSM_PHASE_INPUT;
    despawn.commands = true;
    return cosm_system_define(engine, &desc).id != 0 &&
           cosm_system_define(engine, &observe).id != 0 &&
           (lane->kind != LANE_PLACE || cosm_system_define(engine, &begin).id != 0) &&
           (lane->kind != LANE_SWARM || cosm_system_define(engine, &despawn).id != 0);
}

static cosm_result define(const cosm_env_setup *setup, enum lane_kind kind) {
    struct lane *lane = setup->context;
    lane->kind = kind;
    lane->reset = setup->reset;
    lane->number = setup->number;
    lane->rules = define_rules(setup->engine);
    bool done = lane->rules.id != 0 &&
                (kind == LANE_SOLO ? define_solo(lane, setup) : define_rows(lane, setup));
    return done ? show_all(lane, setup->engine) : cosm_error_result();
}

#define DEFINE(name, kind)                                                                         \
    static cosm_result name(const cosm_env_setup *setup) {                                         \
        return define(setup, kind);                                                                \
    }
DEFINE(define_place, LANE_PLACE)
DEFINE(define_begin, LANE_BEGIN)
DEFINE(define_herd, LANE_HERD)
DEFINE(define_swarm, LANE_SWARM)
DEFINE(define_alone, LANE_SOLO)

#define SLOTS                                                                                      \
    {LANE_SLOT_OBSERVATION, COSM_ROLE_OBSERVATION}, {LANE_SLOT_ACTION, COSM_ROLE_ACTION},          \
        {LANE_SLOT_REWARD, COSM_ROLE_REWARD}, {LANE_SLOT_TERMINATED, COSM_ROLE_TERMINATED},        \
        {LANE_SLOT_TRUNCATED, COSM_ROLE_TRUNCATED}, {LANE_SLOT_BIAS, COSM_ROLE_PARAMETER},         \
        {LANE_SLOT_SPREAD, COSM_ROLE_PARAMETER}, {LANE_SLOT_GAIN, COSM_ROLE_PARAMETER}, {          \
        LANE_SLOT_AGE, COSM_ROLE_INFO                                                              \
    }
#define LANE(text, define_fn, ...)                                                                 \
    {                                                                                              \
        COSM_ENV_BUILT, .name = text, .define = define_fn, .context_size = sizeof(struct lane),    \
                        .step_limit = 12, __VA_ARGS__                                              \
    }

const cosm_env_desc *lane_env(enum lane_kind kind) {
    static const cosm_env_desc envs[LANE_KIND_COUNT] = {
        LANE("place", define_place, .slots = {SLOTS}),
        LANE("begin", define_begin, .begin = begin_world, .slots = {SLOTS}),
        LANE("herd", define_herd, .begin = begin_world,
             .slots = {SLOTS, {LANE_SLOT_AGENTS, COSM_ROLE_AGENT_MASK}}),
        LANE("swarm", define_swarm, .begin = begin_world, .slots = {SLOTS}),
        LANE("solo", define_alone, .slots = {SLOTS, {LANE_SLOT_RESET, COSM_ROLE_RESET}}),
    };
    return &envs[kind];
}

cosm_sim *lane_open(enum lane_kind kind, const cosm_sim_desc *desc) {
    cosm_sim_desc copy = *desc;
    copy.env = desc->env == NULL ? lane_env(kind) : desc->env;
    cosm_sim *sim = cosm_sim_create(&copy);
    if (sim == NULL) {
        CHECK_STR(cosm_error_message(), "");
    }
    return sim;
}

void lane_close(cosm_sim *sim) {
    CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
}

uint32_t lane_count(cosm_sim *sim, uint32_t world) {
    const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), LANE_SLOT_REWARD);
    if (tensor->kind == COSM_TENSOR_FIXED) {
        return tensor->counts[world];
    }
    return tensor->kind == COSM_TENSOR_WORLDS
               ? 1
               : (uint32_t)(tensor->offsets[world + 1] - tensor->offsets[world]);
}

void *lane_at(cosm_sim *sim, uint32_t slot, uint32_t world, uint32_t agent) {
    const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), slot);
    char *data = tensor->data;
    if (agent >= lane_count(sim, world)) {
        return NULL;
    }
    if (tensor->kind == COSM_TENSOR_FIXED) {
        return data + (int64_t)world * tensor->strides[0] + (int64_t)agent * tensor->strides[1];
    }
    int64_t row = tensor->kind == COSM_TENSOR_WORLDS ? (int64_t)world
                                                     : tensor->offsets[world] + (int64_t)agent;
    return data + row * tensor->strides[0];
}

void lane_act(cosm_sim *sim, uint32_t world, int32_t move) {
    for (uint32_t a = 0; a < lane_count(sim, world); a++) {
        *(int32_t *)lane_at(sim, LANE_SLOT_ACTION, world, a) = move;
    }
}
