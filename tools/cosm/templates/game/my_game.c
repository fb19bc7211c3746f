// The rules of my_game: what there is (game_define), and what happens in a step (the systems above
// it).
#include "my_game.h"

#include <string.h>

#define PLATE_REACH 2.5f  // cells to either side of its middle
#define PLATE_SPEED 24.0f // cells per second
#define DROP_ODDS 12u     // a stone comes in one step of so many
#define PLATE_LINE (FIELD_HEIGHT - 1)

// A turn has one world or several: this game has one, a test or a server may have many.
static void steer(const cosm_turn *turn) {
    for (uint32_t i = 0; i < turn->worlds.count; i++) {
        cosm_world world = cosm_worlds_at(turn->worlds, i);
        const Input *input = COSM_SINGLETON_READ(world, Input);
        Plate *plate = COSM_SINGLETON_WRITE(world, Plate);
        float x = plate->x + (float)input->way * PLATE_SPEED * turn->dt;
        plate->x = x < 0.0f ? 0.0f : x > FIELD_WIDTH - 1 ? FIELD_WIDTH - 1 : x;
    }
}

// Lets a stone appear now and then. While systems run, entities come and go by commands.
static void drop(const cosm_turn *turn) {
    for (uint32_t i = 0; i < turn->worlds.count; i++) {
        cosm_world world = cosm_worlds_at(turn->worlds, i);
        cosm_random random = cosm_turn_random(turn, world, 0);
        if (cosm_random_below(&random, DROP_ODDS) == 0) {
            float x = (float)cosm_random_below(&random, FIELD_WIDTH);
            float speed = cosm_random_between(&random, 4.0f, 8.0f);
            COSM_COMMANDS_SPAWN(cosm_turn_commands(turn), world, COSM_VALUE(Position, x, 0.0f),
                                COSM_VALUE(Fall, speed));
        }
    }
}

// Moves the stones: one call for many rows.
static void fall(cosm_rows *rows) {
    Position *position = COSM_WRITE(rows, Position);
    const Fall *speed = COSM_READ(rows, Fall);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].y += speed[i].speed * rows->dt;
    }
}

// Takes the stones that are down, and counts them.
static void land(cosm_rows *rows) {
    const Position *position = COSM_READ(rows, Position);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (position[i].y < PLATE_LINE) {
            continue;
        }
        cosm_world world = cosm_rows_world(rows, i);
        Plate *plate = COSM_SINGLETON_WRITE(world, Plate);
        float away = position[i].x - plate->x;
        bool is_caught = away > -PLATE_REACH && away < PLATE_REACH;
        plate->caught += is_caught ? 1 : 0;
        plate->missed += is_caught ? 0 : 1;
        cosm_commands_despawn(commands, world, rows->entities[i]);
    }
}

// Systems run in this order, once per step. They say what they touch; checked builds of Cosm report
// a system that touches something else. A definition that fails is printed, and fails the first
// step.
static void define_systems(cosm_engine *engine) {
    const cosm_system_desc systems[] = {
        {.name = "steer", .run = steer, .uses = "Input, mut Plate"},
        {.name = "drop", .run = drop, .commands = true},
        {.name = "fall", .each = fall, .query = "mut Position, Fall"},
        {.name = "land", .each = land, .query = "Position", .uses = "mut Plate", .commands = true},
    };
    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        cosm_system_define(engine, &systems[i]);
    }
}

void game_define(cosm_engine *engine) {
    COSM_COMPONENT_DEFINE(engine, Position, x, y);
    COSM_COMPONENT_DEFINE(engine, Fall, speed);
    COSM_SINGLETON_DEFINE(engine, Input, way);
    COSM_SINGLETON_DEFINE(engine, Plate, x, caught, missed);
    define_systems(engine);
}

bool game_open(struct game *game, uint64_t seed) {
    cosm_engine *engine = cosm_engine_create(NULL);
    *game = (struct game){.engine = engine};
    game_define(engine);
    game->stones = cosm_query_create(engine, &(cosm_query_desc){.text = "Position"});
    game->batch = cosm_batch_create(
        engine, &(cosm_batch_desc){.seed = seed, .step_seconds = 1.0f / STEPS_PER_SECOND});
    game->world = cosm_batch_world(game->batch, 0);
    Plate *plate = COSM_SINGLETON_WRITE(game->world, Plate);
    if (plate == NULL || game->stones == NULL) {
        return false;
    }
    plate->x = FIELD_WIDTH / 2;
    return true;
}

void game_close(struct game *game) {
    (void)cosm_batch_destroy(game->batch);
    (void)cosm_engine_destroy(game->engine);
}

void game_key(struct game *game, char key) {
    Input *input = COSM_SINGLETON_WRITE(game->world, Input);
    if (key == 'a' || key == 'd' || key == ' ') {
        input->way = key == 'a' ? -1 : key == 'd' ? 1 : 0;
    }
}

const Plate *game_plate(const struct game *game) {
    return COSM_SINGLETON_READ(game->world, Plate);
}

bool game_save(const struct game *game, const char *path) {
    return cosm_save_worlds(cosm_worlds_one(game->world), path, NULL) == COSM_OK;
}

bool game_load(struct game *game, const char *path) {
    return cosm_load_worlds(cosm_worlds_one(game->world), path, NULL, NULL) == COSM_OK;
}

static void draw_at(char text[FIELD_HEIGHT][FIELD_WIDTH + 1], float x, float y, char what) {
    if (x >= 0.0f && x < FIELD_WIDTH && y >= 0.0f && y < FIELD_HEIGHT) {
        text[(int)y][(int)x] = what;
    }
}

void game_draw(const struct game *game, char text[FIELD_HEIGHT][FIELD_WIDTH + 1]) {
    for (int y = 0; y < FIELD_HEIGHT; y++) {
        memset(text[y], '.', FIELD_WIDTH);
        text[y][FIELD_WIDTH] = '\0';
    }
    cosm_rows rows;
    cosm_query_walk(game->stones, cosm_worlds_one(game->world), &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_READ(&rows, Position);
        for (uint32_t i = 0; i < rows.count; i++) {
            draw_at(text, position[i].x, position[i].y, 'o');
        }
    }
    for (int i = -2; i <= 2; i++) {
        draw_at(text, game_plate(game)->x + (float)i, PLATE_LINE, '=');
    }
}
