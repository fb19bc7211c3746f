// Falling bodies: they fall, bounce, lose speed and come to rest; now and then one is kicked.
//
// A body at rest carries the tag Resting and so lives in another table, which the systems that
// move bodies never visit. Bodies are neither spawned nor despawned: all structural change is the
// tag coming and going, by commands.
#include "stage.h"

#define BODY_COUNT 32u       // bodies of one world
#define STEP_SECONDS 0.0166f // about 60 steps a second
#define GRAVITY 9.81f
#define BOX_WIDTH 10.0f
#define FRICTION 0.8f    // share of sideways speed that a touch of the ground leaves
#define REST_SPEED 0.25f // slower than this on the ground is at rest: a step's fall adds 0.16
#define KICK_ODDS 96u    // a body at rest is kicked in one step of so many

// What draws are for.
enum { DRAW_X, DRAW_Y, DRAW_SPEED_X, DRAW_SPEED_Y, DRAW_BOUNCE, DRAW_KICK, DRAW_LIFT, DRAW_PUSH };

typedef struct Position {
    float x;
    float y; // above the ground
} Position;

typedef struct Velocity {
    float x;
    float y;
} Velocity;

typedef struct Bounce {
    float kept; // share of upward speed that a touch of the ground gives back
} Bounce;

struct falling {
    scene_run base;
    cosm_component position;
    cosm_component velocity;
    cosm_component bounce;
    cosm_component resting;
    cosm_archetype in_motion;
    cosm_archetype at_rest;
    cosm_query *movers;
    cosm_query *settlers;
    cosm_query *sleepers;
};

static void define(scene_run *run) {
    struct falling *falling = (struct falling *)run;
    cosm_component position = STAGE_COMPONENT(run, Position);
    cosm_component velocity = STAGE_COMPONENT(run, Velocity);
    cosm_component bounce = STAGE_COMPONENT(run, Bounce);
    cosm_component resting = STAGE_TAG(run, Resting);
    falling->position = position;
    falling->velocity = velocity;
    falling->bounce = bounce;
    falling->resting = resting;
    falling->in_motion = stage_archetype(run, &(cosm_archetype_desc){
                                                  .name = "in motion",
                                                  .components = {position, velocity, bounce},
                                                  .max_per_world = BODY_COUNT,
                                              });
    falling->at_rest = stage_archetype(run, &(cosm_archetype_desc){
                                                .name = "at rest",
                                                .components = {position, velocity, bounce, resting},
                                                .max_per_world = BODY_COUNT,
                                            });
    falling->movers = stage_query(
        run, &(cosm_query_desc){.terms = {{.component = position},
                                          {.component = velocity},
                                          {.component = bounce, .access = COSM_ACCESS_READ},
                                          {.component = resting, .kind = COSM_TERM_WITHOUT}}});
    falling->settlers = stage_query(
        run, &(cosm_query_desc){.terms = {{.component = position},
                                          {.component = velocity},
                                          {.component = resting, .kind = COSM_TERM_WITHOUT}}});
    falling->sleepers = stage_query(
        run, &(cosm_query_desc){.terms = {{.component = velocity}, {.component = resting}},
                                .by_world = true});
}

static void populate(scene_run *run, cosm_world world) {
    struct falling *falling = (struct falling *)run;
    cosm_rows rows;
    cosm_result result = cosm_entity_spawn_many(world, falling->in_motion, BODY_COUNT, &rows);
    if (result != COSM_OK) {
        stage_note(run, result);
        return;
    }
    uint64_t key = random_key(run->settings.seed, world.index, RANDOM_SETUP);
    Position *position = COSM_COLUMN_OF(&rows, Position, falling->position);
    Velocity *velocity = COSM_COLUMN_OF(&rows, Velocity, falling->velocity);
    Bounce *bounce = COSM_COLUMN_OF(&rows, Bounce, falling->bounce);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i].x = random_between(key, random_number(DRAW_X, i), 0.0f, BOX_WIDTH);
        position[i].y = random_between(key, random_number(DRAW_Y, i), 1.0f, 9.0f);
        velocity[i].x = random_between(key, random_number(DRAW_SPEED_X, i), -2.0f, 2.0f);
        velocity[i].y = random_between(key, random_number(DRAW_SPEED_Y, i), -1.0f, 1.0f);
        bounce[i].kept = random_between(key, random_number(DRAW_BOUNCE, i), 0.4f, 0.8f);
    }
}

// Moves what is in motion, and turns it back at the ground and at the sides.
static void fall(void *context, cosm_rows *rows) {
    (void)context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 1);
    const Bounce *bounce = COSM_COLUMN_READ(rows, Bounce, 2);
    for (uint32_t i = 0; i < rows->count; i++) {
        velocity[i].y -= GRAVITY * STEP_SECONDS;
        position[i].x += velocity[i].x * STEP_SECONDS;
        position[i].y += velocity[i].y * STEP_SECONDS;
        if (position[i].y < 0.0f) {
            position[i].y = 0.0f;
            velocity[i].y *= -bounce[i].kept;
            velocity[i].x *= FRICTION;
        }
        if (position[i].x < 0.0f) {
            position[i].x = -position[i].x;
            velocity[i].x = -velocity[i].x;
        } else if (position[i].x > BOX_WIDTH) {
            position[i].x = 2.0f * BOX_WIDTH - position[i].x;
            velocity[i].x = -velocity[i].x;
        }
    }
}

// Puts to rest what lies on the ground and hardly moves.
static void settle(void *context, cosm_rows *rows) {
    struct falling *falling = context;
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        float x = velocity[i].x;
        float y = velocity[i].y;
        if (position[i].y == 0.0f && x * x + y * y < REST_SPEED * REST_SPEED) {
            velocity[i] = (Velocity){0.0f, 0.0f};
            stage_note(&falling->base,
                       cosm_commands_add(falling->base.commands, cosm_rows_world(rows, i),
                                         rows->entities[i], falling->resting));
        }
    }
}

// Sets a body at rest in motion again, now and then.
static void kick(void *context, cosm_rows *rows) {
    struct falling *falling = context;
    cosm_world world = cosm_rows_world(rows, 0);
    uint64_t key = stage_key(&falling->base, world.index);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_entity body = rows->entities[i];
        if (random_below(key, random_number(DRAW_KICK, body.id), KICK_ODDS) == 0) {
            velocity[i].x = random_between(key, random_number(DRAW_PUSH, body.id), -3.0f, 3.0f);
            velocity[i].y = random_between(key, random_number(DRAW_LIFT, body.id), 3.0f, 9.0f);
            stage_note(&falling->base,
                       cosm_commands_remove(falling->base.commands, world, body, falling->resting));
        }
    }
}

static void step(scene_run *run, cosm_worlds worlds) {
    struct falling *falling = (struct falling *)run;
    stage_walk(run, falling->movers, worlds, fall);
    stage_walk(run, falling->settlers, worlds, settle);
    stage_walk(run, falling->sleepers, worlds, kick);
    stage_sync(run);
}

const scene_desc stage_falling = {
    .name = "falling",
    .summary = "bodies fall, bounce, come to rest and are kicked",
    .defaults = {.world_count = 4096, .seed = 1, .placement = COSM_PLACEMENT_FIXED},
    .default_steps = 4000,
    .entity_max = BODY_COUNT,
    .size = sizeof(struct falling),
    .define = define,
    .populate = populate,
    .step = step,
};
