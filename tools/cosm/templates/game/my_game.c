// The rules of my_game: what there is (game_open), and what happens in a step (the systems above it).
#include "my_game.h"

#include <string.h>

#define PLATE_REACH 2.5f  // cells to either side of its middle
#define PLATE_SPEED 24.0f // cells per second
#define DROP_ODDS 12u     // a stone comes in one step of so many
#define PLATE_LINE (FIELD_HEIGHT - 1)

static void steer(const cosm_turn *turn) {
    const struct game *game = turn->context;
    const Input *input = COSM_SINGLETON_READ(game->world, Input, game->input);
    Plate *plate = COSM_SINGLETON_WRITE(game->world, Plate, game->plate);
    float x = plate->x + (float)input->way * PLATE_SPEED * turn->dt;
    plate->x = x < 0.0f ? 0.0f : x > FIELD_WIDTH - 1 ? FIELD_WIDTH - 1 : x;
}

// Lets a stone appear now and then. While systems run, entities come and go by commands.
static void drop(const cosm_turn *turn) {
    const struct game *game = turn->context;
    cosm_random random = cosm_turn_random(turn, game->world, 0);
    if (cosm_random_below(&random, DROP_ODDS) == 0) {
        Position position = {(float)cosm_random_below(&random, FIELD_WIDTH), 0.0f};
        Fall fall = {cosm_random_between(&random, 4.0f, 8.0f)};
        const cosm_value values[] = {{game->position, &position}, {game->fall, &fall}};
        cosm_commands_spawn_with(cosm_turn_commands(turn), game->world, game->stone, values, 2);
    }
}

// Moves the stones: one call for many rows. The columns are in the order of the query's terms.
static void fall(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Fall *speed = COSM_COLUMN_READ(rows, Fall, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].y += speed[i].speed * rows->dt;
    }
}

// Takes the stones that are down, and counts them.
static void land(cosm_rows *rows) {
    const struct game *game = rows->context;
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    Plate *plate = COSM_SINGLETON_WRITE(game->world, Plate, game->plate);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (position[i].y < PLATE_LINE) {
            continue;
        }
        float away = position[i].x - plate->x;
        bool is_caught = away > -PLATE_REACH && away < PLATE_REACH;
        plate->caught += is_caught ? 1 : 0;
        plate->missed += is_caught ? 0 : 1;
        if (cosm_commands_despawn(commands, game->world, rows->entities[i]) != COSM_OK) {
            return; // the step fails with the message
        }
    }
}

static bool define_systems(struct game *game) {
    cosm_query_desc moved = {.terms = {{.component = game->position, .access = COSM_ACCESS_WRITE},
                                       {.component = game->fall}}};
    cosm_query_desc seen = {.terms = {{.component = game->position}}};
    // Systems run in this order, once per step. They say what they touch; checked builds of Cosm
    // report a system that touches something else.
    const cosm_system_desc systems[] = {
        {.name = "steer",
         .run = steer,
         .singletons = {{.singleton = game->input},
                        {.singleton = game->plate, .access = COSM_ACCESS_WRITE}}},
        {.name = "drop", .run = drop, .commands = true},
        {.name = "fall", .each = fall, .queries = {moved}},
        {.name = "land",
         .each = land,
         .queries = {seen},
         .singletons = {{.singleton = game->plate, .access = COSM_ACCESS_WRITE}},
         .commands = true},
    };
    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        cosm_system_desc system = systems[i];
        system.context = game;
        if (cosm_system_define(game->engine, &system).id == 0) {
            return false;
        }
    }
    return true;
}

bool game_open(struct game *game, uint64_t seed) {
    *game = (struct game){.engine = cosm_engine_create(NULL)};
    game->position = COSM_COMPONENT_DEFINE(game->engine, Position);
    game->fall = COSM_COMPONENT_DEFINE(game->engine, Fall);
    game->input = COSM_SINGLETON_DEFINE(game->engine, Input);
    game->plate = COSM_SINGLETON_DEFINE(game->engine, Plate);
    game->stone = cosm_archetype_define(
        game->engine,
        &(cosm_archetype_desc){.name = "stone", .components = {game->position, game->fall}});
    if (game->stone.id == 0 || game->plate.id == 0 || !define_systems(game)) {
        return false;
    }
    game->batch = cosm_batch_create(
        game->engine, &(cosm_batch_desc){.seed = seed, .step_seconds = 1.0f / STEPS_PER_SECOND});
    game->world = cosm_batch_world(game->batch, 0);
    Plate *plate = COSM_SINGLETON_WRITE(game->world, Plate, game->plate);
    if (plate == NULL) {
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
    Input *input = COSM_SINGLETON_WRITE(game->world, Input, game->input);
    if (key == 'a' || key == 'd' || key == ' ') {
        input->way = key == 'a' ? -1 : key == 'd' ? 1 : 0;
    }
}

const Plate *game_plate(const struct game *game) {
    return COSM_SINGLETON_READ(game->world, Plate, game->plate);
}

bool game_save(const struct game *game, const char *path) {
    cosm_snapshot *now = cosm_snapshot_create(cosm_worlds_all(game->batch));
    bool is_saved = now != NULL && cosm_save_write(now, path, NULL) == COSM_OK;
    cosm_snapshot_destroy(now);
    return is_saved;
}

bool game_load(struct game *game, const char *path) {
    cosm_snapshot *saved = cosm_save_read(game->engine, path, NULL, NULL);
    bool is_loaded =
        saved != NULL && cosm_snapshot_restore(saved, cosm_worlds_all(game->batch)) == COSM_OK;
    cosm_snapshot_destroy(saved);
    return is_loaded;
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
    for (uint32_t row = 0; row < cosm_table_row_count(game->world, game->stone); row++) {
        cosm_entity stone = cosm_entity_at(game->world, (cosm_loc){game->stone.id, row});
        Position at;
        if (cosm_entity_get(game->world, stone, game->position, &at)) {
            draw_at(text, at.x, at.y, 'o');
        }
    }
    for (int i = -2; i <= 2; i++) {
        draw_at(text, game_plate(game)->x + (float)i, PLATE_LINE, '=');
    }
}
