// A swarm: many particles in one world, circling a point. One that has lived its time is replaced
// by a new one, and now and then it bursts into sparks, which fly on and go out.
//
// Where the other scenes have many small worlds, this one has a large one: its systems work on rows
// that have nothing to do with each other, so the chunks of a table are what is spread over the
// workers. Spawns and despawns come from all over the table, and from several workers at once.
// Positions and velocities are split here: each float has an array of its own, and the loops over
// them do as many rows at a time as a SIMD register holds.
#include "dots.h"
#include "motion.cosm.h"
#include "stage.h"
#include "swarm.cosm.h"

#define PARTICLE_COUNT 200000u
#define STEP_SECONDS 0.015625f
#define PULL 4.0f    // towards the middle, per distance
#define SPIN 2.0f    // around it, likewise
#define DRAG 0.5f    // share of speed lost in a second
#define LIFE_MIN 256 // steps that a particle lives
#define LIFE_MAX SWARM_LIFE_MAX
#define BURST_ODDS 64u  // one of so many particles bursts at its end
#define BURST_SPARKS 9u // into so many sparks
// Below LIFE_MIN, so that the sparks of a particle are out before its successor can burst.
#define SPARK_LIFE_MAX 64

struct swarm {
    scene_run base;
    cosm_component position;
    cosm_component velocity;
    cosm_component life;
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

// The loops over columns are functions of their own: compilers need `restrict` on parameters to see
// that the columns do not overlap.
static void pull(const float *restrict x, const float *restrict y, float *restrict vx,
                 float *restrict vy, uint32_t count, float dt) {
    for (uint32_t i = 0; i < count; i++) {
        vx[i] -= (x[i] * PULL + y[i] * SPIN + vx[i] * DRAG) * dt;
        vy[i] -= (y[i] * PULL - x[i] * SPIN + vy[i] * DRAG) * dt;
    }
}

// Draws particles to the middle and around it.
static void swirl(cosm_rows *rows) {
    Position_const_columns position = Position_columns_read(rows, 0);
    Velocity_columns velocity = Velocity_columns_write(rows, 1);
    pull(position.x, position.y, velocity.x, velocity.y, rows->count, rows->dt);
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
static void age(cosm_rows *rows) {
    struct place place = {rows->context, cosm_turn_commands(rows->turn), cosm_rows_world(rows, 0)};
    Life *life = Life_column_write(rows, 0);
    Position_const_columns position = Position_columns_read(rows, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (--life[i].left > 0) {
            continue;
        }
        cosm_entity particle = rows->entities[i];
        cosm_random random = cosm_turn_random(rows->turn, place.world, particle.id);
        cosm_commands_despawn(place.commands, place.world, particle);
        replace(&place, &random);
        if (cosm_random_below(&random, BURST_ODDS) == 0) {
            burst(&place, (Position){position.x[i], position.y[i]}, &random);
        }
    }
}

// Ends sparks.
static void fade(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = cosm_rows_world(rows, 0);
    Life *life = Life_column_write(rows, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (--life[i].left <= 0) {
            cosm_commands_despawn(commands, world, rows->entities[i]);
        }
    }
}

static void advance(float *restrict position, const float *restrict velocity, uint32_t count,
                    float dt) {
    for (uint32_t i = 0; i < count; i++) {
        position[i] += velocity[i] * dt;
    }
}

// Moves everything.
static void drift(cosm_rows *rows) {
    Position_columns position = Position_columns_write(rows, 0);
    Velocity_const_columns velocity = Velocity_columns_read(rows, 1);
    advance(position.x, velocity.x, rows->count, rows->dt);
    advance(position.y, velocity.y, rows->count, rows->dt);
}

// Swirling and ageing have nothing in common but what they read, nor have fading and drifting: two
// pairs that may go on side by side.
static void define_systems(scene_run *run) {
    stage_system(run, &(cosm_system_desc){
                          .name = "swirl",
                          .each = swirl,
                          .query = "Position, mut Velocity, !Glowing",
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "age",
                          .each = age,
                          .queries = {{.text = "mut Life, Position, !Glowing", .by_world = true}},
                          .commands = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "fade",
                          .each = fade,
                          .queries = {{.text = "mut Life, Glowing", .by_world = true}},
                          .commands = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "drift",
                          .each = drift,
                          .query = "mut Position, Velocity",
                      });
}

static void define(scene_run *run) {
    struct swarm *swarm = (struct swarm *)run;
    stage_note(run, motion_register_all(run->engine));
    stage_note(run, swarm_register_all(run->engine));
    if (run->result != COSM_OK) {
        return;
    }
    cosm_component position = Position_component(run->engine);
    cosm_component velocity = Velocity_component(run->engine);
    swarm->position = position;
    swarm->velocity = velocity;
    swarm->life = Life_component(run->engine);
    swarm->particle = stage_archetype(
        run, &(cosm_archetype_desc){
                 .name = "particle",
                 .text = "Position, Velocity, Life",
                 .max_per_world = run->settings.entity_count,
                 .layouts = {{position, COSM_LAYOUT_SPLIT}, {velocity, COSM_LAYOUT_SPLIT}},
             });
    swarm->spark = stage_archetype(
        run, &(cosm_archetype_desc){
                 .name = "spark",
                 .text = "Position, Velocity, Life, Glowing",
                 .max_per_world = run->settings.entity_count * BURST_SPARKS,
                 .layouts = {{position, COSM_LAYOUT_SPLIT}, {velocity, COSM_LAYOUT_SPLIT}},
             });
    define_systems(run);
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
    Position_columns position = Position_columns_of(&rows);
    Life *life = Life_column_of(&rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        Position here = somewhere(&random);
        position.x[i] = here.x;
        position.y[i] = here.y;
        // As if the first ones had been born at different times.
        life[i].left = cosm_random_range(&random, 1, LIFE_MAX);
    }
}

static void draw(const scene_run *run, cosm_world world, cosm_canvas *canvas) {
    static const struct dots_view view = {-1.5f, 1.5f, -1.5f, 1.5f};
    const struct swarm *swarm = (const struct swarm *)run;
    dots_draw(canvas, world, swarm->particle, view, (struct colour){80, 130, 220});
    dots_draw(canvas, world, swarm->spark, view, (struct colour){255, 210, 120});
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
    .draw = draw,
    .canvas_width = 44,
    .canvas_height = 44,
};
