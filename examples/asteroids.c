// Asteroids, played by a script and drawn as text: the program of docs/tutorial/first_game.md.
#include <cosm/cosm.h>
#include <math.h>
#include <stdio.h>

#define KEYS "ffffffffffffflllllllffffffffffpsuuuuupzprrrrrfffffpop"
enum { WIDTH = 60, HEIGHT = 24 }; // of the field; a letter of the picture is 1 wide and 2 high
typedef struct Vector {
    float x, y;
} Position, Velocity;
typedef float Ship;     // where it points, in radians
typedef int Rock, Shot; // a radius: 3, 2 or 1; steps that it still flies
typedef struct Game {
    int points, key; // l, r: turn; u: thrust; f: fire; p: draw; z: undo; s, o: save, load
} Game;

static void steer(cosm_rows *rows) {
    Ship *ship = COSM_WRITE(rows, Ship);
    Velocity *velocity = COSM_WRITE(rows, Velocity);
    const Position *position = COSM_READ(rows, Position);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        int key = COSM_SINGLETON_READ(world, Game)->key;
        ship[i] += key == 'l' ? 0.05f : key == 'r' ? -0.05f : 0;
        float x, y, push = key == 'u' ? 0.2f : 0;
        cosm_math_sin_cos(ship[i], &y, &x);
        velocity[i] = (Velocity){velocity[i].x + push * x, velocity[i].y + push * y};
        if (key == 'f' && rows->turn->step % 12 == 0) {
            COSM_COMMANDS_SPAWN(cosm_turn_commands(rows->turn), world, COSM_VALUE(Shot, 50),
                                COSM_COPY(Position, position[i]),
                                COSM_VALUE(Velocity, 30 * x, 30 * y));
        }
    }
}

static void move(cosm_rows *rows) {
    Position *position = COSM_WRITE(rows, Position);
    const Velocity *velocity = COSM_READ(rows, Velocity);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x = fmodf(position[i].x + velocity[i].x * rows->dt + WIDTH, WIDTH);
        position[i].y = fmodf(position[i].y + velocity[i].y * rows->dt + HEIGHT, HEIGHT);
    }
}

static void fade(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    Shot *shot = COSM_WRITE(rows, Shot);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (--shot[i] == 0) {
            cosm_commands_despawn(commands, cosm_rows_world(rows, i), rows->entities[i]);
        }
    }
}

// What is no rock and touches one is gone. The rock shrinks, and a piece of it flies off.
static void hit(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const Position *center = COSM_READ(rows, Position);
    Rock *rock = COSM_WRITE(rows, Rock);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_rows others;
        cosm_turn_walk(rows->turn, 1, cosm_worlds_one(world), &others);
        while (cosm_rows_next(&others)) {
            const Position *other = COSM_READ(&others, Position);
            for (uint32_t k = 0; k < others.count; k++) {
                float x = center[i].x - other[k].x, y = center[i].y - other[k].y;
                if (x * x + y * y < (float)(rock[i] * rock[i])) {
                    COSM_SINGLETON_WRITE(world, Game)->points += 10;
                    cosm_commands_despawn(commands, world, others.entities[k]);
                    if (--rock[i] == 0) {
                        cosm_commands_despawn(commands, world, rows->entities[i]);
                    } else {
                        COSM_COMMANDS_SPAWN(commands, world, COSM_VALUE(Rock, rock[i]),
                                            COSM_COPY(Position, center[i]),
                                            COSM_VALUE(Velocity, 4 * x, 4 * y));
                    }
                }
            }
        }
    }
}

static void draw(cosm_world world, cosm_query *seen) {
    char picture[HEIGHT / 2][WIDTH];
    memset(picture, '.', sizeof(picture));
    cosm_rows rows;
    cosm_query_walk(seen, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_READ(&rows, Position);
        char letter = COSM_READ(&rows, Ship) ? 'A' : COSM_READ(&rows, Rock) ? 'O' : '*';
        for (uint32_t i = 0; i < rows.count; i++) {
            picture[(int)position[i].y / 2][(int)position[i].x] = letter;
        }
    }
    for (int y = HEIGHT / 2 - 1; y >= 0; y--) {
        printf("%.*s\n", WIDTH, picture[y]);
    }
    printf("step %d: %d points, hash %016llx\n", (int)cosm_world_step_count(world),
           COSM_SINGLETON_READ(world, Game)->points,
           (unsigned long long)cosm_hash_world(world, COSM_HASH_EXACT));
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Position, x, y);
    COSM_COMPONENT_DEFINE(engine, Velocity, x, y);
    COSM_COMPONENT_DEFINE(engine, Ship);
    COSM_COMPONENT_DEFINE(engine, Rock);
    COSM_COMPONENT_DEFINE(engine, Shot);
    COSM_SINGLETON_DEFINE(engine, Game, points, key);
    cosm_query_desc steered = {.text = "mut Ship, mut Velocity, Position"};
    cosm_query_desc rock = {.text = "Position, mut Rock"}, rest = {.text = "Position, !Rock"};
    const cosm_system_desc systems[] = {
        {.name = "steer", .each = steer, .queries = {steered}, .uses = "Game", .commands = true},
        {.name = "move", .each = move, .query = "mut Position, Velocity"},
        {.name = "fade", .each = fade, .query = "mut Shot", .commands = true},
        {.name = "hit", .each = hit, .queries = {rock, rest}, .uses = "mut Game", .commands = true},
    };
    for (int i = 0; i < 4; i++) {
        cosm_system_define(engine, &systems[i]);
    }
    cosm_query_desc shown = {.text = "Position, ?Rock, ?Ship"};
    cosm_query *seen = cosm_query_create(engine, &shown);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_rollback *past = cosm_rollback_create(cosm_worlds_all(batch), NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    COSM_SPAWN(world, COSM_VALUE(Position, 30, 12), COSM_DEFAULT(Velocity), COSM_DEFAULT(Ship));
    COSM_SPAWN(world, COSM_VALUE(Position, 9, 18), COSM_VALUE(Velocity, 5, 1), COSM_VALUE(Rock, 3));
    COSM_SPAWN(world, COSM_VALUE(Position, 50, 5), COSM_VALUE(Velocity, 2, 3), COSM_VALUE(Rock, 3));
    cosm_result result = COSM_OK;
    for (const char *key = KEYS; result == COSM_OK && *key != '\0'; key++) {
        if (*key == 'p') {
            draw(world, seen);
        } else if (*key == 's') {
            result = cosm_save_worlds(cosm_worlds_all(batch), "asteroids.cosm", NULL);
        } else if (*key == 'o') {
            result = cosm_load_worlds(cosm_worlds_all(batch), "asteroids.cosm", NULL, NULL);
        } else if (*key == 'z') {
            result = cosm_rollback_back(past, 5);
        } else if ((result = cosm_rollback_keep(past)) == COSM_OK) {
            COSM_SINGLETON_WRITE(world, Game)->key = *key;
            result = cosm_batch_run(batch, 6);
        }
    }
    cosm_rollback_destroy(past);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result != COSM_OK;
}
