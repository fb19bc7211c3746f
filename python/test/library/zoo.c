// The environment zoo, for tests of the Python package: exports of every type and kind.
//
//   fixed_T    [worlds, 2, 3] of each type T, which grow by one in each step; bool turns around
//   single_T   [worlds], a field in the middle of a singleton
//   split_a    [worlds, 2], a field of a split component; counts the steps of a beast
//   middle     [worlds, 2], a field in the middle of a struct of an archetype
//   mote       [rows, 2], of a growing archetype: x goes up by one in each step
//   everything [rows, 2], the same of a query over two archetypes
//
// The reward is the action; a negative one terminates, 13 fails the step, 99 makes too many beasts.
// `appetite` is how many motes come in each step; with 999 no episode can begin. While zoo_gate is
// 1 a step waits.
//
// Built eight times: as it is, with two actions (ZOO_PAIR), with the other one alone (ZOO_TRUTH),
// with motes among the observations (ZOO_GROWS), with a singleton more, a picture that is too large
// and a summary that is no UTF-8 (ZOO_MORE), so that it cannot be defined (ZOO_FAILS), with a call
// of a function that is nowhere (ZOO_LOST), and with a query whose names are none (ZOO_MISSPELT).
#include <cosm_sim/env.h>

#include <stdatomic.h>
#include <string.h>

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))

enum {
    SLOT_FIXED = 0,
    SLOT_SINGLE = 16,
    SLOT_SPLIT = 32,
    SLOT_MIDDLE,
    SLOT_ACTION,
    SLOT_OTHER_ACTION,
    SLOT_REWARD,
    SLOT_TERMINATED,
    SLOT_MOTE,
    SLOT_MOTE_ENTITIES,
    SLOT_EVERYTHING,
    SLOT_APPETITE,
};

static const struct {
    const char *fixed;
    const char *single;
    const char *field;
    cosm_field_type type;
} types[] = {
    {"fixed_i8", "single_i8", "i8", COSM_FIELD_I8},
    {"fixed_i16", "single_i16", "i16", COSM_FIELD_I16},
    {"fixed_i32", "single_i32", "i32", COSM_FIELD_I32},
    {"fixed_i64", "single_i64", "i64", COSM_FIELD_I64},
    {"fixed_u8", "single_u8", "u8", COSM_FIELD_U8},
    {"fixed_u16", "single_u16", "u16", COSM_FIELD_U16},
    {"fixed_u32", "single_u32", "u32", COSM_FIELD_U32},
    {"fixed_u64", "single_u64", "u64", COSM_FIELD_U64},
    {"fixed_f32", "single_f32", "f32", COSM_FIELD_F32},
    {"fixed_f64", "single_f64", "f64", COSM_FIELD_F64},
    {"fixed_bool", "single_bool", "bool_", COSM_FIELD_BOOL},
};
#define TYPE_COUNT COUNT(types)

struct pair {
    float a;
    float b;
};

struct middle {
    int16_t before;
    int16_t here;
    int32_t after;
};

struct zoo {
    cosm_component fixed[TYPE_COUNT];
    cosm_component split;
    cosm_component middle;
    cosm_component action;
    cosm_component other_action;
    cosm_component reward;
    cosm_component terminated;
    cosm_component mote;
    cosm_component spark;
    cosm_singleton kinds;
    cosm_singleton rules;
    cosm_archetype beast;
    cosm_archetype motes;
    cosm_archetype sparks;
};

// A test closes the gate, and waits until a step stands before it.
COSM_ENV_ENTRY extern atomic_int zoo_gate;
COSM_ENV_ENTRY extern atomic_int zoo_waits;
atomic_int zoo_gate;
atomic_int zoo_waits;

static void add_one(void *value, cosm_field_type type, uint32_t count) {
    size_t size = cosm_field_type_size(type);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *place = (unsigned char *)value + (i * size);
        float f32;
        double f64;
        if (type == COSM_FIELD_F32) {
            memcpy(&f32, place, sizeof f32);
            f32 += 1;
            memcpy(place, &f32, sizeof f32);
        } else if (type == COSM_FIELD_F64) {
            memcpy(&f64, place, sizeof f64);
            f64 += 1;
            memcpy(place, &f64, sizeof f64);
        } else if (type == COSM_FIELD_BOOL) {
            *place ^= 1;
        } else {
            // Little-endian, as all machines are that this is tested on.
            for (size_t k = 0; k < size && ++place[k] == 0; k++) {
            }
        }
    }
}

static void age(cosm_rows *rows) {
    for (uint32_t t = 0; t < TYPE_COUNT; t++) {
        size_t size = 3 * cosm_field_type_size(types[t].type);
        add_one(cosm_rows_write(rows, t, size), types[t].type, 3 * rows->count);
    }
}

static void count_steps(cosm_rows *rows) {
    float *a = COSM_FIELD_WRITE(rows, float, 0, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        a[i] += 1;
    }
}

static void pay(cosm_rows *rows) {
    const struct zoo *zoo = rows->context;
    const int32_t *action = COSM_COLUMN_READ(rows, int32_t, 0);
    float *reward = COSM_COLUMN_WRITE(rows, float, 1);
    bool *terminated = COSM_COLUMN_WRITE(rows, bool, 2);
    cosm_world world = cosm_rows_world(rows, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        reward[i] = (float)action[i];
        terminated[i] = action[i] < 0;
        if (action[i] == 13) {
            cosm_turn_fail(rows->turn, "zoo: 13 is no number for a beast; take another");
        }
        for (uint32_t k = 0; action[i] == 99 && k < 2; k++) {
            (void)cosm_commands_spawn(cosm_turn_commands(rows->turn), world, zoo->beast);
        }
    }
    while (atomic_load(&zoo_gate) == 1) {
        atomic_store(&zoo_waits, 1);
    }
}

static void drift(cosm_rows *rows) {
    struct pair *mote = COSM_COLUMN_WRITE(rows, struct pair, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        mote[i].a += 1;
    }
}

static void multiply(const cosm_turn *turn) {
    const struct zoo *zoo = turn->context;
    for (uint32_t i = 0; i < turn->worlds.count; i++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + i};
        const float *appetite = cosm_singleton_read(world, zoo->rules);
        for (uint32_t k = 0; k < (uint32_t)*appetite; k++) {
            (void)cosm_commands_spawn(cosm_turn_commands(turn), world, zoo->motes);
        }
    }
}

static cosm_result begin(void *context, cosm_world world, cosm_random *random) {
    const struct zoo *zoo = context;
    (void)random;
    const float *appetite = cosm_singleton_read(world, zoo->rules);
    if ((int)*appetite == 999) {
        return COSM_ERROR_SYSTEM;
    }
    uint32_t beasts = 1 + world.index % 2;
    uint32_t motes = 1 + world.index % 3;
    for (uint32_t i = 0; i < beasts; i++) {
        if (cosm_entity_is_none(cosm_entity_spawn(world, zoo->beast))) {
            return cosm_error_result();
        }
    }
    for (uint32_t i = 0; i < motes; i++) {
        if (cosm_entity_is_none(cosm_entity_spawn(world, zoo->motes))) {
            return cosm_error_result();
        }
    }
    bool is_lit = !cosm_entity_is_none(cosm_entity_spawn(world, zoo->sparks));
    return is_lit ? COSM_OK : cosm_error_result();
}

static cosm_component define_scalar(cosm_engine *engine, const char *name, cosm_field_type type,
                                    uint32_t count) {
    cosm_field field = {.name = "value", .type = type, .dims = {count}};
    size_t size = cosm_field_type_size(type);
    return cosm_component_define(engine, &(cosm_component_desc){
                                             .name = name,
                                             .size = size * (count == 0 ? 1 : count),
                                             .alignment = size,
                                             .fields = &field,
                                             .field_count = 1,
                                         });
}

static cosm_component define_pair(cosm_engine *engine, const char *name, cosm_layout layout) {
    static const cosm_field fields[] = {{.name = "a", .type = COSM_FIELD_F32},
                                        {.name = "b", .type = COSM_FIELD_F32, .offset = 4}};
    return cosm_component_define(engine, &(cosm_component_desc){
                                             .name = name,
                                             .size = sizeof(struct pair),
                                             .layout = layout,
                                             .fields = fields,
                                             .field_count = COUNT(fields),
                                         });
}

static bool define_singletons(struct zoo *zoo, cosm_engine *engine) {
    cosm_field fields[TYPE_COUNT];
    memset(fields, 0, sizeof fields);
    for (uint32_t t = 0; t < TYPE_COUNT; t++) {
        fields[t].name = types[t].field;
        fields[t].type = types[t].type;
    }
    size_t size;
    size_t alignment;
    if (cosm_field_place(fields, TYPE_COUNT, &size, &alignment) != COSM_OK) {
        return false;
    }
    zoo->kinds = cosm_singleton_define(engine, &(cosm_singleton_desc){
                                                   .name = "Kinds",
                                                   .size = size,
                                                   .alignment = alignment,
                                                   .fields = fields,
                                                   .field_count = TYPE_COUNT,
                                               });
    static const cosm_field appetite = {.name = "appetite", .type = COSM_FIELD_F32, .max = 1000};
    zoo->rules = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Rules", .size = sizeof(float), .fields = &appetite, .field_count = 1});
#ifdef ZOO_MORE
    if (cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "Weather",
                                                             .size = sizeof(float),
                                                             .fields = &appetite,
                                                             .field_count = 1})
            .id == 0) {
        return false;
    }
#endif
    return zoo->kinds.id != 0 && zoo->rules.id != 0;
}

static bool define_components(struct zoo *zoo, cosm_engine *engine) {
    bool done = true;
    for (uint32_t t = 0; t < TYPE_COUNT; t++) {
        zoo->fixed[t] = define_scalar(engine, types[t].fixed, types[t].type, 3);
        done = done && zoo->fixed[t].id != 0;
    }
    static const cosm_field middle[] = {
        {.name = "before", .type = COSM_FIELD_I16},
        {.name = "here", .type = COSM_FIELD_I16, .offset = 2, .min = -5, .max = 5},
        {.name = "after", .type = COSM_FIELD_I32, .offset = 4}};
    zoo->split = define_pair(engine, "Split", COSM_LAYOUT_SPLIT);
    zoo->mote = define_pair(engine, "Mote", COSM_LAYOUT_STRUCT);
    zoo->middle = cosm_component_define(engine, &(cosm_component_desc){
                                                    .name = "Middle",
                                                    .size = sizeof(struct middle),
                                                    .fields = middle,
                                                    .field_count = COUNT(middle),
                                                });
    zoo->action = define_scalar(engine, "Action", COSM_FIELD_I32, 0);
    zoo->other_action = define_scalar(engine, "OtherAction", COSM_FIELD_BOOL, 0);
    zoo->reward = define_scalar(engine, "Reward", COSM_FIELD_F32, 0);
    zoo->terminated = define_scalar(engine, "Terminated", COSM_FIELD_BOOL, 0);
    zoo->spark = COSM_TAG_DEFINE(engine, Spark);
    return done && zoo->split.id != 0 && zoo->mote.id != 0 && zoo->middle.id != 0 &&
           zoo->action.id != 0 && zoo->other_action.id != 0 && zoo->reward.id != 0 &&
           zoo->terminated.id != 0 && zoo->spark.id != 0;
}

static bool define_archetypes(struct zoo *zoo, cosm_engine *engine) {
    cosm_archetype_desc beast = {
        .name = "beast",
        .components = {zoo->split, zoo->middle, zoo->action, zoo->other_action, zoo->reward,
                       zoo->terminated},
        .more = zoo->fixed,
        .more_count = TYPE_COUNT,
        .placement = COSM_PLACEMENT_FIXED,
        .max_per_world = 2,
    };
    zoo->beast = cosm_archetype_define(engine, &beast);
    zoo->motes = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "motes", .components = {zoo->mote}});
    zoo->sparks = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "sparks", .components = {zoo->mote, zoo->spark}});
    return zoo->beast.id != 0 && zoo->motes.id != 0 && zoo->sparks.id != 0;
}

static bool define_systems(struct zoo *zoo, cosm_engine *engine) {
    cosm_system_desc ageing = {.name = "age", .each = age};
    for (uint32_t t = 0; t < TYPE_COUNT; t++) {
        ageing.queries[0].terms[t] =
            (cosm_term){.component = zoo->fixed[t], .access = COSM_ACCESS_WRITE};
    }
    cosm_system_desc systems[] = {
        ageing,
        {.name = "count_steps",
         .each = count_steps,
         .queries = {{.terms = {{.component = zoo->split, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "pay",
         .each = pay,
         .queries = {{.terms = {{.component = zoo->action},
                                {.component = zoo->reward, .access = COSM_ACCESS_WRITE},
                                {.component = zoo->terminated, .access = COSM_ACCESS_WRITE}}}},
         .whole = true,
         .commands = true},
        {.name = "drift",
         .each = drift,
         .queries = {{.terms = {{.component = zoo->mote, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "multiply",
         .run = multiply,
         .singletons = {{zoo->rules, COSM_ACCESS_READ}},
         .commands = true},
    };
    for (uint32_t i = 0; i < COUNT(systems); i++) {
        systems[i].context = zoo;
        if (cosm_system_define(engine, &systems[i]).id == 0) {
            return false;
        }
    }
    return true;
}

static cosm_result define_exports(const struct zoo *zoo, cosm_engine *engine) {
    const cosm_query_desc motes = {
        .terms = {{.component = zoo->mote, .access = COSM_ACCESS_WRITE}}};
    cosm_result result = COSM_OK;
    for (uint32_t t = 0; result == COSM_OK && t < TYPE_COUNT; t++) {
        cosm_export_desc fixed = {.slot = SLOT_FIXED + t,
                                  .name = types[t].fixed,
                                  .archetype = zoo->beast,
                                  .component = zoo->fixed[t],
                                  .direction = COSM_DIRECTION_BOTH};
        cosm_export_desc single = {.slot = SLOT_SINGLE + t,
                                   .name = types[t].single,
                                   .singleton = zoo->kinds,
                                   .field = types[t].field,
                                   .direction = COSM_DIRECTION_BOTH};
        result = cosm_export_define(engine, &fixed);
        result = result == COSM_OK ? cosm_export_define(engine, &single) : result;
    }
    const cosm_direction in = COSM_DIRECTION_IN;
    const cosm_direction both = COSM_DIRECTION_BOTH;
    const cosm_export_desc exports[] = {
        {SLOT_SPLIT, "split_a", {0}, zoo->beast, NULL, zoo->split, false, "a", 0, 0, 0},
        {SLOT_MIDDLE, "middle", {0}, zoo->beast, NULL, zoo->middle, false, "here", 0, both, 0},
        {SLOT_ACTION, "action", {0}, zoo->beast, NULL, zoo->action, false, NULL, 0, in, 0},
        {SLOT_OTHER_ACTION,
         "other",
         {0},
         zoo->beast,
         NULL,
         zoo->other_action,
         false,
         NULL,
         0,
         in,
         0},
        {SLOT_REWARD, "reward", {0}, zoo->beast, NULL, zoo->reward, false, NULL, 0, 0, 0},
        {SLOT_TERMINATED,
         "terminated",
         {0},
         zoo->beast,
         NULL,
         zoo->terminated,
         false,
         NULL,
         0,
         0,
         0},
        {SLOT_MOTE, "mote", {0}, zoo->motes, NULL, zoo->mote, false, NULL, 0, both, 0},
        {SLOT_MOTE_ENTITIES, "mote_entities", {0}, zoo->motes, NULL, {0}, true, NULL, 0, 0, 0},
        {SLOT_EVERYTHING, "everything", {0}, {0}, &motes, zoo->mote, false, NULL, 0, 0, 0},
        {SLOT_APPETITE, "appetite", zoo->rules, {0}, NULL, {0}, false, NULL, 0, both, 0},
    };
    for (uint32_t i = 0; result == COSM_OK && i < COUNT(exports); i++) {
        result = cosm_export_define(engine, &exports[i]);
    }
    return result;
}

#ifdef ZOO_LOST
void zoo_lost_and_never_found(void);
#endif
#ifdef ZOO_MISSPELT
static void chew(cosm_rows *rows) {
    (void)rows;
}
#endif

static cosm_result define(const cosm_env_setup *setup) {
    struct zoo *zoo = setup->context;
    cosm_engine *engine = setup->engine;
#ifdef ZOO_LOST
    zoo_lost_and_never_found();
#endif
#ifdef ZOO_MISSPELT
    (void)cosm_system_define(
        engine, &(cosm_system_desc){.name = "chew", .each = chew, .query = "mut Bodie"});
#endif
#ifdef ZOO_FAILS
    return cosm_error_raise(engine, COSM_ERROR_ARGUMENT, "zoo: closed on Mondays");
#endif
    bool done = define_singletons(zoo, engine) && define_components(zoo, engine) &&
                define_archetypes(zoo, engine) && define_systems(zoo, engine);
    return done ? define_exports(zoo, engine) : cosm_error_result();
}

#ifdef ZOO_MORE
static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    (void)context;
    (void)world;
    (void)canvas;
}
#endif

static const cosm_env_desc desc = {
    COSM_ENV_BUILT,
    .name = "zoo",
#ifdef ZOO_MORE
    .summary = "weather of -5 \xB0",
    .draw = draw,
    .canvas_width = UINT32_MAX,
    .canvas_height = UINT32_MAX,
#else
    .summary = "columns of every type",
#endif
    .define = define,
    .begin = begin,
    .context_size = sizeof(struct zoo),
    .slots = {{SLOT_SPLIT, COSM_ROLE_OBSERVATION},
#ifndef ZOO_TRUTH
              {SLOT_ACTION, COSM_ROLE_ACTION},
#endif
#if defined(ZOO_PAIR) || defined(ZOO_TRUTH)
              {SLOT_OTHER_ACTION, COSM_ROLE_ACTION},
#endif
#ifdef ZOO_GROWS
              {SLOT_MOTE, COSM_ROLE_OBSERVATION},
#endif
              {SLOT_REWARD, COSM_ROLE_REWARD},
              {SLOT_TERMINATED, COSM_ROLE_TERMINATED},
              {SLOT_APPETITE, COSM_ROLE_PARAMETER}},
};

COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) {
    return &desc;
}
