// A small engine and batch to try things in, and checks that most tests need.
#ifndef COSM_TEST_SANDBOX_H
#define COSM_TEST_SANDBOX_H

#include <cosm/cosm.h>

typedef struct Position {
    float x;
    float y;
    float z;
} Position;

typedef struct Velocity {
    float x;
    float y;
    float z;
} Velocity;

// 100 points by default.
typedef struct Health {
    uint32_t points;
} Health;

struct sandbox {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
    cosm_worlds all;  // all of them
    cosm_component position;
    cosm_component velocity;
    cosm_component health;
    cosm_component mark;  // a tag
    cosm_archetype mover; // "mover": Position and Velocity, growing
    cosm_archetype slot;  // "slot": Position and Health, fixed, 4 per world
    cosm_archetype event; // "event": Health, temporary
    cosm_archetype stone; // "stone": Position and Mark, sealed
};

void sandbox_open(struct sandbox *box, uint32_t world_count);
void sandbox_open_with(struct sandbox *box, const cosm_engine_desc *engine_desc,
                       const cosm_batch_desc *batch_desc);

// Checks that the batch is valid and that batch and engine can be destroyed.
void sandbox_close(struct sandbox *box);

// Defines the components and archetypes of the sandbox in any engine.
void sandbox_define(struct sandbox *box);

cosm_world sandbox_world(const struct sandbox *box, uint32_t index);
cosm_entity sandbox_spawn_mover(const struct sandbox *box, float x);

// A query of what has both components; `b` may be zero.
cosm_query *sandbox_query(const struct sandbox *box, cosm_component a, cosm_component b);

// Checks that a batch is valid; prints the message where it is not.
void check_valid(const char *file, int line, const cosm_batch *batch);
#define CHECK_VALID(batch) check_valid(__FILE__, __LINE__, (batch))

// Checks that a call was done; prints the message where it was not.
void check_done(const char *file, int line, const char *what, cosm_result result);
#define CHECK_DONE(call) check_done(__FILE__, __LINE__, #call, (call))

// Checks the last failure of this thread: its result, and that its message names the call, the
// value and the remedy. Empties the slot.
void check_failure(const char *file, int line, cosm_result result, const char *call,
                   const char *value, const char *remedy);
#define CHECK_FAILURE(result, call, value, remedy)                                                 \
    check_failure(__FILE__, __LINE__, (result), (call), (value), (remedy))

// The same for a call whose result is at hand.
#define CHECK_FAILS(statement, result, call, value, remedy)                                        \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK_INT(statement, result);                                                              \
        CHECK_FAILURE(result, call, value, remedy);                                                \
    } while (0)

// Checks that nothing failed on this thread since the slot was emptied.
#define CHECK_SILENT() CHECK_STR(cosm_error_message(), "")

// A small generator of numbers, the same everywhere.
struct dice {
    uint64_t state;
};

uint64_t dice_next(struct dice *dice);

// 0 to sides - 1.
uint32_t dice_roll(struct dice *dice, uint32_t sides);

#endif
