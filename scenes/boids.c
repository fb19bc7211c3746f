// Boids: a flock in a box. Each boid keeps away from those too near, goes the way its neighbours
// go, and stays close to them.
//
// Neighbours are found by a uniform grid: the box is cut into cells as wide as a boid sees, and a
// boid looks only into its own cell and the eight around it. The grid of a world is a singleton
// that is filled anew in each step by counting:
//
//     start   0 2 2 5 ...        boids of cell c are rows[start[c]] to rows[start[c + 1] - 1]
//     rows    4 9 | 0 3 7 | ...  row numbers, ascending within a cell
//
// The number of boids never changes, so in the fixed placement every world is full and the
// systems that do not look at neighbours run through all worlds in one go. Sorting the boids into
// cells and turning them back at the walls have nothing in common but what they read, so these two
// may go on side by side.
#include <math.h>

#include "boids.cosm.h"
#include "dots.h"
#include "motion.cosm.h"
#include "stage.h"

#define BOID_COUNT BOIDS_COUNT
#define CELL_SIDE BOIDS_CELL_SIDE
#define CELL_COUNT BOIDS_CELL_COUNT
#define SIGHT 2.0f // how far a boid sees, and how wide a cell is
#define BOX ((float)CELL_SIDE * SIGHT)
#define STEP_SECONDS 0.03125f
#define NEAR 1.0f // boids nearer than this push each other away
#define PUSH 6.0f
#define FOLLOW 0.8f // share of the difference in velocity made up in a second
#define GATHER 0.5f // pull to the middle of the neighbours
#define TURN 8.0f   // push away from the walls, within SIGHT of them
#define SPEED_MIN 1.0f
#define SPEED_MAX 3.0f

struct boids {
    scene_run base;
    cosm_archetype boid;
};

// The cell of a coordinate along one side; boids on the far wall belong to the last cell, and so do
// those of a file whose place is no number.
static uint32_t cell_along(float coordinate) {
    float cell = coordinate / SIGHT;
    return !(cell < (float)CELL_SIDE) ? CELL_SIDE - 1 : cell > 0.0f ? (uint32_t)cell : 0;
}

static uint32_t cell_of(Position position) {
    return cell_along(position.y) * CELL_SIDE + cell_along(position.x);
}

// Only these rows are what the bins are about: a file may have more, and positions elsewhere.
static bool are_boids(const cosm_rows *rows) {
    const struct boids *boids = rows->context;
    return rows->archetype.id == boids->boid.id && rows->count <= BOID_COUNT;
}

// Sorts the boids of a world into cells.
static void sort_out(cosm_rows *rows) {
    if (!are_boids(rows)) {
        return;
    }
    Bins *bins = Bins_write(cosm_rows_world(rows, 0));
    const Position *position = Position_column_read(rows, 0);
    uint16_t next[CELL_COUNT + 1] = {0};
    for (uint32_t i = 0; i < rows->count; i++) {
        next[cell_of(position[i]) + 1]++;
    }
    for (uint32_t cell = 0; cell < CELL_COUNT; cell++) {
        next[cell + 1] = (uint16_t)(next[cell + 1] + next[cell]);
        bins->start[cell] = next[cell];
    }
    bins->start[CELL_COUNT] = next[CELL_COUNT];
    for (uint32_t i = 0; i < rows->count; i++) {
        bins->rows[next[cell_of(position[i])]++] = (uint16_t)i;
    }
}

// How hard a wall at either end pushes back along one side.
static float turn_back(float coordinate) {
    if (coordinate < SIGHT) {
        return (SIGHT - coordinate) * TURN;
    }
    return coordinate > BOX - SIGHT ? (BOX - SIGHT - coordinate) * TURN : 0.0f;
}

// Turns boids back that come near a wall: the first thing that an acceleration is made of.
static void shy(cosm_rows *rows) {
    const Position *position = Position_column_read(rows, 0);
    Acceleration *acceleration = Acceleration_column_write(rows, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        acceleration[i].x = turn_back(position[i].x);
        acceleration[i].y = turn_back(position[i].y);
    }
}

// What a boid sees: sums over its neighbours, relative to itself.
struct sight {
    float count;
    Position middle;
    Velocity way;
    Acceleration push;
};

// Adds the boids of the cells `first` to `last`, which lie side by side, to what boid `self` sees.
static void look(const Bins *bins, uint32_t first, uint32_t last, uint32_t self,
                 const Position *position, const Velocity *velocity, struct sight *sight) {
    for (uint32_t k = bins->start[first]; k < bins->start[last + 1]; k++) {
        uint32_t other = bins->rows[k];
        float x = position[other].x - position[self].x;
        float y = position[other].y - position[self].y;
        float square = x * x + y * y;
        if (other == self || square >= SIGHT * SIGHT) {
            continue;
        }
        sight->count += 1.0f;
        sight->middle.x += x;
        sight->middle.y += y;
        sight->way.x += velocity[other].x - velocity[self].x;
        sight->way.y += velocity[other].y - velocity[self].y;
        if (square < NEAR * NEAR) {
            float weight = 1.0f / (square + 0.1f);
            sight->push.x -= x * weight;
            sight->push.y -= y * weight;
        }
    }
}

// Draws each boid to where its neighbours are and go. Reads positions and velocities as the last
// step left them.
static void steer(cosm_rows *rows) {
    if (!are_boids(rows)) {
        return;
    }
    const Bins *bins = Bins_read(cosm_rows_world(rows, 0));
    const Position *position = Position_column_read(rows, 0);
    const Velocity *velocity = Velocity_column_read(rows, 1);
    Acceleration *acceleration = Acceleration_column_write(rows, 2);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t x = cell_along(position[i].x);
        uint32_t y = cell_along(position[i].y);
        uint32_t left = x > 0 ? x - 1 : 0;
        uint32_t right = x + 1 < CELL_SIDE ? x + 1 : x;
        uint32_t top = y > 0 ? y - 1 : 0;
        uint32_t bottom = y + 1 < CELL_SIDE ? y + 1 : y;
        struct sight sight = {0};
        for (uint32_t line = top; line <= bottom; line++) {
            look(bins, line * CELL_SIDE + left, line * CELL_SIDE + right, i, position, velocity,
                 &sight);
        }
        float share = sight.count > 0.0f ? 1.0f / sight.count : 0.0f;
        acceleration[i].x +=
            sight.way.x * share * FOLLOW + sight.middle.x * share * GATHER + sight.push.x * PUSH;
        acceleration[i].y +=
            sight.way.y * share * FOLLOW + sight.middle.y * share * GATHER + sight.push.y * PUSH;
    }
}

static float between(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// Moves the boids, neither too slow nor too fast, and keeps them in the box.
static void fly(cosm_rows *rows) {
    Position *position = Position_column_write(rows, 0);
    Velocity *velocity = Velocity_column_write(rows, 1);
    const Acceleration *acceleration = Acceleration_column_read(rows, 2);
    for (uint32_t i = 0; i < rows->count; i++) {
        float x = velocity[i].x + acceleration[i].x * rows->dt;
        float y = velocity[i].y + acceleration[i].y * rows->dt;
        float speed = sqrtf(x * x + y * y);
        float scale = between(speed, SPEED_MIN, SPEED_MAX) / (speed > 0.0f ? speed : 1.0f);
        velocity[i].x = x * scale;
        velocity[i].y = y * scale;
        position[i].x = between(position[i].x + velocity[i].x * rows->dt, 0.0f, BOX);
        position[i].y = between(position[i].y + velocity[i].y * rows->dt, 0.0f, BOX);
    }
}

// What steer and sort_out do with one boid depends on all boids of its world: both want whole
// tables.
static void define_systems(scene_run *run) {
    stage_system(run, &(cosm_system_desc){
                          .name = "sort out",
                          .each = sort_out,
                          .query = "Position",
                          .uses = "mut Bins",
                          .whole = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "shy",
                          .each = shy,
                          .query = "Position, mut Acceleration",
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "steer",
                          .each = steer,
                          .query = "Position, Velocity, mut Acceleration",
                          .uses = "Bins",
                          .whole = true,
                      });
    stage_system(run, &(cosm_system_desc){
                          .name = "fly",
                          .each = fly,
                          .query = "mut Position, mut Velocity, Acceleration",
                      });
}

static void define(scene_run *run) {
    struct boids *boids = (struct boids *)run;
    stage_note(run, motion_register_all(run->engine));
    stage_note(run, boids_register_all(run->engine));
    if (run->result != COSM_OK) {
        return;
    }
    boids->boid = stage_archetype(run, &(cosm_archetype_desc){
                                           .name = "boid",
                                           .text = "Position, Velocity, Acceleration",
                                           .max_per_world = BOID_COUNT,
                                           .sealed = true,
                                       });
    define_systems(run);
}

static void populate(scene_run *run, cosm_world world) {
    struct boids *boids = (struct boids *)run;
    cosm_rows rows;
    cosm_result result = cosm_entity_spawn_many(world, boids->boid, BOID_COUNT, &rows);
    if (result != COSM_OK) {
        stage_note(run, result);
        return;
    }
    cosm_random random = cosm_world_random(world, 0);
    Position *position = Position_column_of(&rows);
    Velocity *velocity = Velocity_column_of(&rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i].x = cosm_random_between(&random, 0.0f, BOX);
        position[i].y = cosm_random_between(&random, 0.0f, BOX);
        velocity[i].x = cosm_random_between(&random, -2.0f, 2.0f);
        velocity[i].y = cosm_random_between(&random, -2.0f, 2.0f);
    }
}

static void draw(const scene_run *run, cosm_world world, cosm_canvas *canvas) {
    const struct boids *boids = (const struct boids *)run;
    dots_draw(canvas, world, boids->boid, (struct dots_view){0.0f, BOX, 0.0f, BOX},
              (struct colour){250, 170, 60});
}

const scene_desc stage_boids = {
    .name = "boids",
    .summary = "flocks in a box, with a uniform grid to find neighbours",
    .defaults = {.world_count = 256, .seed = 1, .placement = COSM_PLACEMENT_FIXED},
    .default_steps = 2000,
    .entity_max = BOID_COUNT,
    .step_seconds = STEP_SECONDS,
    .size = sizeof(struct boids),
    .define = define,
    .populate = populate,
    .draw = draw,
    .canvas_width = 40,
    .canvas_height = 40,
};
