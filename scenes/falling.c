// Falling bodies: they fall, bounce, lose speed and come to rest; now and then one is kicked.
//
// A body at rest carries the tag Resting and so lives in another table, which the systems that
// move bodies never visit. Bodies are neither spawned nor despawned: all structural change is the
// tag coming and going, by commands. No body is both at rest and in motion, so kicking the ones and
// moving the others may go on side by side, although both write velocities.
#include "dots.h"
#include "falling.cosm.h"
#include "motion.cosm.h"
#include "stage.h"

#define BODY_COUNT 32u       // bodies of one world
#define STEP_SECONDS 0.0166f // about 60 steps a second
#define GRAVITY 9.81f
#define BOX_WIDTH 10.0f
#define FRICTION 0.8f    // share of sideways speed that a touch of the ground leaves
#define REST_SPEED 0.25f // slower than this on the ground is at rest: a step's fall adds 0.16
#define KICK_ODDS 96u    // a body at rest is kicked in one step of so many; above BODY_COUNT

struct falling {
    scene_run base;
    cosm_component resting;
    cosm_archetype in_motion;
    cosm_archetype at_rest;
};

// Sets a body at rest in motion again, now and then. One draw does for all bodies of a world: it
// names the row to be kicked, and mostly there is no such row.
static void kick(cosm_rows *rows) {
    const struct falling *falling = rows->context;
    cosm_world world = cosm_rows_world(rows, 0);
    cosm_random random = cosm_turn_random(rows->turn, world, 0);
    uint32_t row = cosm_random_below(&random, KICK_ODDS);
    if (row < rows->count) {
        Velocity *velocity = Velocity_column_write(rows, 0);
        velocity[row].x = cosm_random_between(&random, -3.0f, 3.0f);
        velocity[row].y = cosm_random_between(&random, 3.0f, 9.0f);
        cosm_commands_remove(cosm_turn_commands(rows->turn), world, rows->entities[row],
                             falling->resting);
    }
}

// Moves what is in motion, and turns it back at the ground and at the sides.
static void fall(cosm_rows *rows) {
    Position *position = Position_column_write(rows, 0);
    Velocity *velocity = Velocity_column_write(rows, 1);
    const Bounce *bounce = Bounce_column_read(rows, 2);
    for (uint32_t i = 0; i < rows->count; i++) {
        velocity[i].y -= GRAVITY * rows->dt;
        position[i].x += velocity[i].x * rows->dt;
        position[i].y += velocity[i].y * rows->dt;
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
static void settle(cosm_rows *rows) {
    const struct falling *falling = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const Position *position = Position_column_read(rows, 0);
    Velocity *velocity = Velocity_column_write(rows, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        float x = velocity[i].x;
        float y = velocity[i].y;
        if (position[i].y == 0.0f && x * x + y * y < REST_SPEED * REST_SPEED) {
            velocity[i] = (Velocity){0.0f, 0.0f};
            cosm_commands_add(commands, cosm_rows_world(rows, i), rows->entities[i],
                              falling->resting);
        }
    }
}

static void define_systems(scene_run *run) {
    stage_system(run, &(cosm_system_desc){
                          .name = "kick",
                          .each = kick,
                          .query = "mut Velocity, mut Resting",
                          .commands = true,
                          .whole = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "fall",
                          .each = fall,
                          .query = "mut Position, mut Velocity, Bounce, !Resting",
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "settle",
                          .each = settle,
                          .query = "Position, mut Velocity, !Resting",
                          .commands = true,
                      });
}

static void define(scene_run *run) {
    struct falling *falling = (struct falling *)run;
    stage_note(run, motion_register_all(run->engine));
    stage_note(run, falling_register_all(run->engine));
    if (run->result != COSM_OK) {
        return;
    }
    falling->resting = Resting_component(run->engine);
    falling->in_motion = stage_archetype(run, &(cosm_archetype_desc){
                                                  .name = "in motion",
                                                  .text = "Position, Velocity, Bounce",
                                                  .max_per_world = BODY_COUNT,
                                              });
    falling->at_rest = stage_archetype(run, &(cosm_archetype_desc){
                                                .name = "at rest",
                                                .text = "Position, Velocity, Bounce, Resting",
                                                .max_per_world = BODY_COUNT,
                                            });
    define_systems(run);
}

static void populate(scene_run *run, cosm_world world) {
    struct falling *falling = (struct falling *)run;
    cosm_rows rows;
    cosm_result result = cosm_entity_spawn_many(world, falling->in_motion, BODY_COUNT, &rows);
    if (result != COSM_OK) {
        stage_note(run, result);
        return;
    }
    cosm_random random = cosm_world_random(world, 0);
    Position *position = Position_column_of(&rows);
    Velocity *velocity = Velocity_column_of(&rows);
    Bounce *bounce = Bounce_column_of(&rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i].x = cosm_random_between(&random, 0.0f, BOX_WIDTH);
        position[i].y = cosm_random_between(&random, 1.0f, 9.0f);
        velocity[i].x = cosm_random_between(&random, -2.0f, 2.0f);
        velocity[i].y = cosm_random_between(&random, -1.0f, 1.0f);
        bounce[i].kept = cosm_random_between(&random, 0.4f, 0.8f);
    }
}

static void draw(const scene_run *run, cosm_world world, cosm_canvas *canvas) {
    static const struct dots_view view = {0.0f, BOX_WIDTH, 0.0f, BOX_WIDTH};
    const struct falling *falling = (const struct falling *)run;
    dots_draw(canvas, world, falling->at_rest, view, (struct colour){120, 120, 130});
    dots_draw(canvas, world, falling->in_motion, view, (struct colour){250, 170, 60});
}

const scene_desc stage_falling = {
    .name = "falling",
    .summary = "bodies fall, bounce, come to rest and are kicked",
    .defaults = {.world_count = 4096, .seed = 1, .placement = COSM_PLACEMENT_FIXED},
    .default_steps = 4000,
    .entity_max = BODY_COUNT,
    .step_seconds = STEP_SECONDS,
    .size = sizeof(struct falling),
    .define = define,
    .populate = populate,
    .draw = draw,
    .canvas_width = 40,
    .canvas_height = 40,
};
