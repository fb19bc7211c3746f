// The systems of the soak test: movement, births, deaths, changes of components, events, and all
// ways of running there are. Numbers of entities stay about where they are.
#include "soak/systems.h"

#include <stdio.h>

#define BERTHS 16u // rows of the fixed archetype in each world

static void move_all(cosm_rows *rows) {
    Place *place = COSM_COLUMN_WRITE(rows, Place, 0);
    const Drift *drift = COSM_COLUMN_READ(rows, Drift, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        place[i].x += drift[i].x;
        place[i].y += drift[i].y;
    }
}

// About 50 steps of life for each.
static void wear_out(cosm_rows *rows) {
    Life *life = COSM_COLUMN_WRITE(rows, Life, 0);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t loss = 1 + (rows->entities[i].id + (uint32_t)rows->turn->step) % 3;
        life[i].points -= loss < life[i].points ? loss : life[i].points;
        if (life[i].points == 0) {
            soak_told(cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]));
        }
    }
}

static void breed_world(const struct soak_schema *schema, const cosm_turn *turn, cosm_world world) {
    cosm_commands *commands = cosm_turn_commands(turn);
    cosm_random dice = cosm_turn_random(turn, world, 0);
    uint32_t target =
        cosm_batch_world_count(world.batch) == 1 ? schema->large_target : schema->small_target;
    uint32_t alive = cosm_world_entity_count(world);
    uint32_t births = alive < target ? (target - alive) / 8 + 1 : 0;
    cosm_entity last = COSM_ENTITY_NONE;
    for (uint32_t i = 0; i < births; i++) {
        Life life = {20 + cosm_random_below(&dice, 160)};
        Aim aim = {last};
        Drift drift = {cosm_random_below(&dice, 7), cosm_random_below(&dice, 7)};
        cosm_value values[] = {{schema->life, &life}, {schema->drift, &drift}, {schema->aim, &aim}};
        bool is_hunter = cosm_random_chance(&dice, 0.3f);
        last =
            cosm_commands_spawn_with(commands, world, is_hunter ? schema->hunter : schema->walker,
                                     values, is_hunter ? 3 : 2);
    }
    if (cosm_table_row_count(world, schema->berth) < BERTHS) {
        Life life = {1 + cosm_random_below(&dice, 100)};
        (void)cosm_commands_spawn_with(commands, world, schema->berth,
                                       &(cosm_value){schema->life, &life}, 1);
    }
}

static void breed(const cosm_turn *turn) {
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        breed_world(turn->context, turn, (cosm_world){turn->worlds.batch, turn->worlds.first + w});
    }
}

// Adds a tag to a few and takes it from a few others: rows wander between tables.
static void change_marks(cosm_rows *rows) {
    const struct soak_schema *schema = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        cosm_random dice = cosm_turn_random(rows->turn, world, entity.id);
        uint32_t roll = cosm_random_below(&dice, 100);
        if (roll < 4) {
            soak_told(cosm_commands_add(commands, world, entity, schema->mark));
        } else if (roll < 7) {
            soak_told(cosm_commands_remove(commands, world, entity, schema->mark));
        } else if (roll < 9) {
            soak_told(cosm_commands_remove(commands, world, entity, schema->drift));
        } else if (roll < 12) {
            soak_told(cosm_commands_set(commands, world, entity, schema->drift, &(Drift){roll, 1}));
        }
    }
}

// Walks towards what it aims at; whatever that is, it may be gone.
static void chase(cosm_rows *rows) {
    const struct soak_schema *schema = rows->context;
    const Aim *aim = COSM_COLUMN_READ(rows, Aim, 0);
    Place *place = COSM_COLUMN_WRITE(rows, Place, 1);
    cosm_lookup lookup;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (i == 0 || rows->world_count > 1) {
            cosm_lookup_begin(cosm_rows_world(rows, i), schema->place, &lookup);
        }
        const Place *target = COSM_LOOKUP_READ(&lookup, Place, aim[i].target);
        if (target != NULL) {
            place[i].x = (place[i].x + target->x) / 2;
        }
    }
}

static void call_out(cosm_rows *rows) {
    const struct soak_schema *schema = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = (uint32_t)rows->turn->step % 16; i < rows->count; i += 16) {
        Ping ping = {rows->entities[i].id};
        soak_told(cosm_commands_emit(commands, cosm_rows_world(rows, i), schema->call,
                                     &(cosm_value){schema->ping, &ping}, 1));
    }
}

static void hear(const cosm_turn *turn) {
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        Census *census = COSM_SINGLETON_WRITE(world, Census);
        cosm_rows rows;
        cosm_turn_walk(turn, 0, cosm_worlds_one(world), &rows);
        while (cosm_rows_next(&rows)) {
            census->pings += rows.count;
        }
    }
}

// One turn for all worlds, with memory of its own.
static void count_places(const cosm_turn *turn) {
    uint64_t *sums = cosm_turn_scratch(turn, turn->worlds.count * sizeof(*sums));
    if (sums == NULL) {
        return;
    }
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        sums[w] = 0;
    }
    cosm_rows rows;
    cosm_turn_walk(turn, 0, turn->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const Place *place = COSM_COLUMN_READ(&rows, Place, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            sums[cosm_rows_world(&rows, i).index - turn->worlds.first] += place[i].x;
        }
    }
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        COSM_SINGLETON_WRITE(world, Census)->places = sums[w];
    }
}

// Changes worlds directly.
static void upset(const cosm_turn *turn) {
    const struct soak_schema *schema = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        cosm_random dice = cosm_turn_random(turn, world, 1);
        uint32_t roll = cosm_random_below(&dice, 8);
        if (roll == 0) {
            soak_told(
                cosm_table_sort_u32(world, schema->walker, schema->place, offsetof(Place, x)));
        } else if (roll == 1) {
            soak_told(
                cosm_query_remove(cosm_turn_query(turn, 0), cosm_worlds_one(world), schema->mark));
        } else if (roll == 2) {
            soak_told(cosm_query_despawn(cosm_turn_query(turn, 0), cosm_worlds_one(world)));
        } else if (roll == 3) {
            cosm_rows rows;
            soak_told(
                cosm_entity_spawn_many(world, schema->walker, schema->small_target / 8, &rows));
        }
    }
}

static void look(cosm_rows *rows) {
    const Life *life = COSM_COLUMN_READ(rows, Life, 0);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        sum += life[i].points;
    }
    // No entity has more than a hundred thousand points.
    if (sum / 100000 > rows->count) {
        cosm_turn_fail(rows->turn, "points out of nowhere");
    }
}

static bool define_schema(struct soak_schema *schema) {
    cosm_engine *engine = schema->engine;
    static const Life some = {40};
    schema->place = COSM_COMPONENT_DEFINE(engine, Place);
    schema->drift = COSM_COMPONENT_DEFINE(engine, Drift);
    schema->life = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Life", .size = sizeof(Life), .default_value = &some});
    schema->aim = COSM_COMPONENT_DEFINE(engine, Aim);
    schema->mark = COSM_TAG_DEFINE(engine, Mark);
    schema->parked = COSM_TAG_DEFINE(engine, Parked);
    schema->ping = COSM_COMPONENT_DEFINE(engine, Ping);
    schema->census = COSM_SINGLETON_DEFINE(engine, Census);
    schema->walker = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "walker",
                                       .components = {schema->place, schema->drift, schema->life}});
    schema->hunter = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "hunter",
                    .components = {schema->place, schema->drift, schema->life, schema->aim}});
    schema->berth = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "berth",
                                       .components = {schema->place, schema->life, schema->parked},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = BERTHS,
                                       .sealed = true});
    schema->call = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "call", .components = {schema->ping}, .temporary = true});
    return schema->census.id != 0 && schema->walker.id != 0 && schema->hunter.id != 0 &&
           schema->berth.id != 0 && schema->call.id != 0;
}

bool soak_define(struct soak_schema *schema, cosm_engine *engine) {
    schema->engine = engine;
    if (!define_schema(schema)) {
        return false;
    }
    cosm_term place = {.component = schema->place, .access = COSM_ACCESS_WRITE};
    cosm_term place_read = {.component = schema->place};
    cosm_term drift = {.component = schema->drift};
    cosm_term life = {.component = schema->life, .access = COSM_ACCESS_WRITE};
    cosm_term life_read = {.component = schema->life};
    cosm_term aim = {.component = schema->aim};
    cosm_term mark = {.component = schema->mark, .access = COSM_ACCESS_WRITE};
    cosm_term ping = {.component = schema->ping};
    cosm_term free_one = {.component = schema->parked, .kind = COSM_TERM_WITHOUT};
    cosm_singleton_use census = {schema->census, COSM_ACCESS_WRITE};
    const cosm_system_desc descs[SOAK_STEADY_COUNT] = {
        {.name = "move", .each = move_all, .queries = {{.terms = {place, drift}}}},
        {.name = "wear", .each = wear_out, .commands = true, .queries = {{.terms = {life}}}},
        {.name = "breed", .run = breed, .commands = true},
        {.name = "marks",
         .each = change_marks,
         .commands = true,
         .queries = {{.terms = {place_read, free_one}}}},
        {.name = "chase",
         .each = chase,
         .reads = {schema->place},
         .queries = {{.terms = {aim, place}}}},
        {.name = "call", .each = call_out, .commands = true, .queries = {{.terms = {aim}}}},
        {.name = "hear",
         .run = hear,
         .synced = true,
         .after = {"call"},
         .singletons = {census},
         .queries = {{.terms = {ping}}}},
        {.name = "count",
         .run = count_places,
         .global = true,
         .singletons = {census},
         .queries = {{.terms = {place_read}}}},
        {.name = "upset",
         .run = upset,
         .exclusive = true,
         .every = 16,
         .queries = {{.terms = {mark}}}},
        {.name = "look", .each = look, .queries = {{.terms = {life_read}}}},
        {.name = "look_whole",
         .each = look,
         .whole = true,
         .phase = COSM_PHASE_RENDER,
         .queries = {{.terms = {life_read}}}},
    };
    bool done = true;
    for (uint32_t i = 0; i < SOAK_STEADY_COUNT; i++) {
        cosm_system_desc desc = descs[i];
        desc.context = schema;
        schema->steady[i] = cosm_system_define(engine, &desc);
        done = done && schema->steady[i].id != 0;
    }
    return done;
}

static cosm_result begin_extra(void *context, cosm_batch *batch) {
    struct soak_schema *schema = context;
    (void)batch;
    atomic_fetch_add(&schema->inits, 1);
    return COSM_OK;
}

static void end_extra(void *context, cosm_batch *batch) {
    struct soak_schema *schema = context;
    (void)batch;
    atomic_fetch_add(&schema->disposes, 1);
}

cosm_system soak_define_extra(struct soak_schema *schema, uint32_t index, cosm_random *dice) {
    char name[32];
    (void)snprintf(name, sizeof(name), "extra%u", index);
    cosm_term place = {.component = schema->place, .access = COSM_ACCESS_WRITE};
    cosm_term place_read = {.component = schema->place};
    cosm_term drift = {.component = schema->drift};
    cosm_term life = {.component = schema->life};
    cosm_term free_one = {.component = schema->parked, .kind = COSM_TERM_WITHOUT};
    cosm_term mark = {.component = schema->mark, .access = COSM_ACCESS_WRITE};
    cosm_singleton_use census = {schema->census, COSM_ACCESS_WRITE};
    cosm_system_desc desc = {.name = name,
                             .context = schema,
                             .init = begin_extra,
                             .dispose = end_extra,
                             .rank = cosm_random_range(dice, -2, 2),
                             .every = cosm_random_below(dice, 3),
                             .synced = cosm_random_chance(dice, 0.2f),
                             .disabled = cosm_random_chance(dice, 0.2f),
                             .phase = {1 + cosm_random_below(dice, 3)}};
    switch (cosm_random_below(dice, 5)) {
    case 0:
        desc.each = move_all;
        desc.queries[0] = (cosm_query_desc){.terms = {place, drift}};
        break;
    case 1:
        desc.each = look;
        desc.whole = true;
        desc.queries[0] = (cosm_query_desc){.terms = {life, mark}};
        break;
    case 2:
        desc.each = change_marks;
        desc.commands = true;
        desc.queries[0] = (cosm_query_desc){.terms = {drift, free_one}};
        break;
    case 3:
        desc.run = count_places;
        desc.main_thread = true;
        desc.singletons[0] = census;
        desc.queries[0] = (cosm_query_desc){.terms = {place_read}};
        break;
    default:
        desc.run = upset;
        desc.exclusive = true;
        desc.every = 8;
        desc.queries[0] = (cosm_query_desc){.terms = {mark}};
        break;
    }
    return cosm_system_define(schema->engine, &desc);
}

static bool record_some(const struct soak_schema *schema, cosm_world world, cosm_random *dice) {
    cosm_commands *commands = cosm_commands_create(world.batch);
    bool done = commands != NULL;
    for (uint32_t i = cosm_random_below(dice, 20); done && i > 0; i--) {
        cosm_entity entity = cosm_commands_spawn(commands, world, schema->walker);
        done = cosm_commands_set(commands, world, entity, schema->aim, &(Aim){entity}) == COSM_OK;
    }
    if (done && cosm_random_chance(dice, 0.25f)) {
        cosm_commands_clear(commands);
    }
    done = done && cosm_commands_apply(commands, NULL) == COSM_OK;
    cosm_commands_destroy(commands);
    return done;
}

bool soak_change(const struct soak_schema *schema, cosm_batch *batch, cosm_random *dice) {
    uint32_t count = cosm_batch_world_count(batch);
    cosm_world world = cosm_batch_world(batch, cosm_random_below(dice, count));
    switch (cosm_random_below(dice, 4)) {
    case 0:
        return cosm_world_reset(world) == COSM_OK;
    case 1:
        return cosm_table_clear(world, schema->hunter) == COSM_OK;
    case 2: {
        cosm_rows rows;
        return cosm_entity_spawn_many(world, schema->hunter, cosm_random_below(dice, 30), &rows) ==
               COSM_OK;
    }
    default:
        return record_some(schema, world, dice);
    }
}
