// The game my_game: stones fall, and a plate at the bottom catches them. This header is what main.c
// (the terminal) and test.c need; the rules are in my_game.c.
#ifndef MY_GAME_H
#define MY_GAME_H

#include <cosm/cosm.h>

#define FIELD_WIDTH 32
#define FIELD_HEIGHT 16
#define STEPS_PER_SECOND 30

// Where a stone is, and how fast it falls: cells from the top left, and cells per second.
typedef struct Position {
    float x, y;
} Position;

typedef struct Fall {
    float speed;
} Fall;

// What the player asks for. It is state, as everything that a step depends on should be: a saved
// game goes on the same way.
typedef struct Input {
    int32_t way; // -1: left, 1: right
} Input;

typedef struct Plate {
    float x; // its middle
    uint32_t caught;
    uint32_t missed;
} Plate;

struct game {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_query *stones;
};

// Defines all that the game consists of, in an engine of your own.
void game_define(cosm_engine *engine);

// Starts a game. False on failure: cosm_error_message() says why. Close it in any case.
bool game_open(struct game *game, uint64_t seed);
void game_close(struct game *game);

// The player's key: 'a' goes left, 'd' right, ' ' stops. Other keys do nothing.
void game_key(struct game *game, char key);

const Plate *game_plate(const struct game *game);

// Keeps the game in a file, and goes on from one.
bool game_save(const struct game *game, const char *path);
bool game_load(struct game *game, const char *path);

// Draws the field as FIELD_HEIGHT lines of text.
void game_draw(const struct game *game, char text[FIELD_HEIGHT][FIELD_WIDTH + 1]);

#endif
