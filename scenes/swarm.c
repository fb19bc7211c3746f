// A swarm: many particles in one world, circling a point. One that has lived its time is replaced
// by a new one, and now and then it bursts into sparks, which fly on and go out.
//
// Where the other scenes have many small worlds, this one has a large one: its systems work on rows
// that have nothing to do with each other, so the chunks of a table are what is spread over the
// workers. Spawns and despawns come from all over the table, and from several workers at once.
#include "stage.h"

#define PARTICLE_COUNT 200000u
#define STEP_SECONDS 0.015625f
#define PULL 4.0f    // towards the middle, per distance
#define SPIN 2.0f    // around it, likewise
#define DRAG 0.5f    // share of speed lost in a second
#define LIFE_MIN 256 // steps that a particle lives
#define LIFE_MAX 768
#define BURST_ODDS 64u  // one of so many particles bursts at its end
#define BURST_SPARKS 9u // into so many sparks
// Below LIFE_MIN, so that the sparks of a particle are out before its successor can burst.
#define SPARK_LIFE_MAX 64

typedef struct Position {
    float x;
    float y;
} Position;

typedef struct Velocity {
    float x;
    float y;
} Velocity;

typedef struct Life {
    int32_t left; // steps
} Life;

struct swarm {
    scene_run base;
    cosm_component position;
    cosm_component velocity;
    cosm_component life;
    cosm_component glowing;
    cosm_archetype particle;
    cosm_archetype spark;
};

// Somewhere in the square around the middle.
static Position somewhere(cosm_random *random) {
    Position position;
    position.x = cosm_random_between(random, -1.0f, 1.0f);
    position.y = cosm_random_between(random, -1.0f, 1.0f);
    return position;
}

// Draws particles to the middle and around it.
static void swirl(void *context, cosm_rows *rows) {
    (void)context;
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        float x = position[i].x;
        float y = position[i].y;
        velocity[i].x -= (x * PULL + y * SPIN + velocity[i].x * DRAG) * rows->dt;
        velocity[i].y -= (y * PULL - x * SPIN + velocity[i].y * DRAG) * rows->dt;
    }
}

// Where a system records what becomes of a particle.
struct place {
    const struct swarm *swarm;
    cosm_commands *commands;
    cosm_world world;
};

static void replace(const struct place *place, cosm_random *random) {
    const struct swarm *swarm = place->swarm;
    Position position = somewhere(random);
    Life life = {cosm_random_range(random, LIFE_MIN, LIFE_MAX)};
    cosm_value values[] = {{swarm->position, &position}, {swarm->life, &life}};
    (void)cosm_commands_spawn_with(place->commands, place->world, swarm->particle, values, 2);
}

static void burst(const struct place *place, Position position, cosm_random *random) {
    const struct swarm *swarm = place->swarm;
    for (uint32_t i = 0; i < BURST_SPARKS; i++) {
        Velocity velocity;
        velocity.x = cosm_random_between(random, -1.0f, 1.0f);
        velocity.y = cosm_random_between(random, -1.0f, 1.0f);
        Life life = {cosm_random_range(random, 1, SPARK_LIFE_MAX)};
        cosm_value values[] = {
            {swarm->position, &position}, {swarm->velocity, &velocity}, {swarm->life, &life}};
        (void)cosm_commands_spawn_with(place->commands, place->world, swarm->spark, values, 3);
    }
}

// Ends particles whose time has come, and puts new ones in their place.
static void age(void *context, cosm_rows *rows) {
    struct place place = {context, cosm_turn_commands(rows->turn), cosm_rows_world(rows, 0)};
    Life *life = COSM_COLUMN_WRITE(rows, Life, 0);
    const Position *position = COSM_COLUMN_READ(rows, Position, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (--life[i].left > 0) {
            continue;
        }
        cosm_entity particle = rows->entities[i];
        cosm_random random = cosm_turn_random(rows->turn, place.world, particle.id);
        stage_recorded(cosm_commands_despawn(place.commands, place.world, particle));
        replace(&place, &random);
        if (cosm_random_below(&random, BURST_ODDS) == 0) {
            burst(&place, position[i], &random);
        }
    }
}

// Ends sparks.
static void fade(void *context, cosm_rows *rows) {
    (void)context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    Life *life = COSM_COLUMN_WRITE(rows, Life, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (--life[i].left <= 0) {
            stage_recorded(cosm_commands_despawn(commands, world, rows->entities[i]));
        }
    }
}

// Moves everything.
static void drift(void *context, cosm_rows *rows) {
    (void)context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Velocity *velocity = COSM_COLUMN_READ(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += velocity[i].x * rows->dt;
        position[i].y += velocity[i].y * rows->dt;
    }
}

// Swirling and ageing have nothing in common but what they read, nor have fading and drifting: two
// pairs that may go on side by side.
static void define_systems(struct swarm *swarm) {
    cosm_term position_read = {.component = swarm->position, .access = COSM_ACCESS_READ};
    cosm_term velocity_read = {.component = swarm->velocity, .access = COSM_ACCESS_READ};
    cosm_term position = {.component = swarm->position};
    cosm_term velocity = {.component = swarm->velocity};
    cosm_term life = {.component = swarm->life};
    cosm_term glowing = {.component = swarm->glowing};
    cosm_term lasting = {.component = swarm->glowing, .kind = COSM_TERM_WITHOUT};
    stage_system(&swarm->base, &(cosm_system_desc){
                                   .name = "swirl",
                                   .each = swirl,
                                   .queries = {{.terms = {position_read, velocity, lasting}}},
                               });
    stage_system(&swarm->base,
                 &(cosm_system_desc){
                     .name = "age",
                     .each = age,
                     .queries = {{.terms = {life, position_read, lasting}, .by_world = true}},
                     .commands = true,
                 });
    stage_system(&swarm->base, &(cosm_system_desc){
                                   .name = "fade",
                                   .each = fade,
                                   .queries = {{.terms = {life, glowing}, .by_world = true}},
                                   .commands = true,
                               });
    stage_system(&swarm->base, &(cosm_system_desc){
                                   .name = "drift",
                                   .each = drift,
                                   .queries = {{.terms = {position, velocity_read}}},
                               });
}

static void define(scene_run *run) {
    struct swarm *swarm = (struct swarm *)run;
    cosm_component position = STAGE_COMPONENT(run, Position);
    cosm_component velocity = STAGE_COMPONENT(run, Velocity);
    cosm_component life = STAGE_COMPONENT(run, Life);
    cosm_component glowing = STAGE_TAG(run, Glowing);
    swarm->position = position;
    swarm->velocity = velocity;
    swarm->life = life;
    swarm->glowing = glowing;
    swarm->particle = stage_archetype(run, &(cosm_archetype_desc){
                                               .name = "particle",
                                               .components = {position, velocity, life},
                                               .max_per_world = run->settings.entity_count,
                                           });
    swarm->spark =
        stage_archetype(run, &(cosm_archetype_desc){
                                 .name = "spark",
                                 .components = {position, velocity, life, glowing},
                                 .max_per_world = run->settings.entity_count * BURST_SPARKS,
                             });
    define_systems(swarm);
}

static void populate(scene_run *run, cosm_world world) {
    struct swarm *swarm = (struct swarm *)run;
    cosm_rows rows;
    uint32_t count = run->settings.entity_count;
    cosm_result result = cosm_entity_spawn_many(world, swarm->particle, count, &rows);
    if (result != COSM_OK) {
        stage_note(run, result);
        return;
    }
    cosm_random random = cosm_world_random(world, 0);
    Position *position = COSM_COLUMN_OF(&rows, Position, swarm->position);
    Life *life = COSM_COLUMN_OF(&rows, Life, swarm->life);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i] = somewhere(&random);
        // As if the first ones had been born at different times.
        life[i].left = cosm_random_range(&random, 1, LIFE_MAX);
    }
}

const scene_desc stage_swarm = {
    .name = "swarm",
    .summary = "many particles in one world circle, end, burst and are replaced",
    .defaults = {.world_count = 1,
                 .seed = 1,
                 .placement = COSM_PLACEMENT_GROWING,
                 .entity_count = PARTICLE_COUNT},
    .default_steps = 4000,
    .entity_max = PARTICLE_COUNT * (1 + BURST_SPARKS),
    .step_seconds = STEP_SECONDS,
    .size = sizeof(struct swarm),
    .define = define,
    .populate = populate,
};
