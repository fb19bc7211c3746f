// The engine and batch that tests try things in, and checks that most tests need. Flags say which
// components it has beside the plain ones; each kind of storage brings its archetypes. The types of
// their values are in storages.h.
#ifndef COSM_TEST_FIXTURE_H
#define COSM_TEST_FIXTURE_H

#include <cosm/cosm.h>

#include "support/books.h"

enum {
    FIXTURE_SHARED = 1,  // Team, Level, Label
    FIXTURE_MANAGED = 2, // Text, Mesh, Pair
    FIXTURE_SECTOR = 4,  // Heat, Smoke, Wet, Kiln, Note
    FIXTURE_SPLIT = 8,   // Body, Line, Bare
    FIXTURE_TITLE = 16,  // Title
    FIXTURE_TEMPLATE = FIXTURE_SHARED | FIXTURE_MANAGED | FIXTURE_SECTOR | FIXTURE_TITLE,
};

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

struct fixture {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
    cosm_worlds all;  // all of them
    struct object_books books;
    cosm_component position;
    cosm_component velocity;
    cosm_component health;
    cosm_component mark; // a tag

    // Without flags.
    cosm_archetype mover; // "mover": Position and Velocity, growing
    cosm_archetype slot;  // "slot": Position and Health, fixed, 4 per world
    cosm_archetype event; // "event": Health, temporary
    cosm_archetype stone; // "stone": Position and Mark, sealed

    // With any flag.
    cosm_archetype plain;  // "plain": Position
    cosm_query *positions; // everything with a Position

    // FIXTURE_SHARED
    cosm_component team;   // zeroed by default
    cosm_component level;  // 3 by default
    cosm_component label;  // Label, by content, "" by default
    cosm_component still;  // a tag
    cosm_component rank;   // a bundle: team and level
    cosm_archetype player; // "player": Position and Team
    cosm_archetype hero;   // "hero": Position, Team and Level
    cosm_archetype badge;  // "badge": Position and Label
    cosm_archetype statue; // "statue": Position, Team and Still, sealed

    // FIXTURE_MANAGED
    cosm_component text;   // Text, with all hooks
    cosm_component mesh;   // Mesh, with all hooks but hash and equals
    cosm_component pair;   // Pair
    cosm_archetype actor;  // "actor": Position and Text, growing
    cosm_archetype pack;   // "pack": Position, Text, Mesh and the tag, fixed, 4 per world
    cosm_archetype letter; // "letter": Text, temporary
    cosm_query *texts;     // what has a Text, for writing

    // FIXTURE_SECTOR, which has the component Team too; its event is of Position, and its stone has a
    // Team.
    cosm_component pan;   // a tag
    cosm_component heat;  // in group "fire"
    cosm_component smoke; // in group "fire"
    cosm_component wet;   // of size zero, a group of one
    cosm_component kiln;  // in group "coal"
    cosm_component note;  // Text, in group "coal"
    cosm_component hot;   // a bundle: heat, wet, mark
    cosm_archetype pot;   // "pot": Position and Pan, fixed, 8 per world

    // FIXTURE_TEMPLATE: what of the others it wants, and the templates of templates.h.
    cosm_component title; // shared: a Text
    cosm_template bud;
    cosm_template leaf;
    cosm_template twin;
    cosm_template tree;

    // FIXTURE_SPLIT
    cosm_component body;       // split
    cosm_component line;       // split
    cosm_component bare;       // 8 bytes that are not described
    cosm_archetype walker;     // "walker": Body and bare, growing
    cosm_archetype seat;       // "seat": Body and Line, fixed, 4 per world
    cosm_archetype whole;      // "whole": Body and mark, growing; Body is whole
    cosm_archetype pit;        // "pit": Line and bare, fixed, 8 per world; Line is whole
    cosm_archetype body_event; // Body, temporary
    cosm_query *bodies;        // everything with a Body
};

// It must stay where it is while it is open: the engine knows its books.
void fixture_open(struct fixture *box, uint32_t flags, uint32_t world_count);
void fixture_open_with(struct fixture *box, uint32_t flags, const cosm_engine_desc *engine_desc,
                       const cosm_batch_desc *batch_desc);

// Checks that the batch is valid, that all can be destroyed, and that every object has ended.
void fixture_close(struct fixture *box);

// Defines what the flags say in the engine of the fixture.
void fixture_define(struct fixture *box, uint32_t flags);

// A mover at x, and a query of what has both components; `b` may be zero.
cosm_entity fixture_spawn(const struct fixture *box, float x);
cosm_query *fixture_query(const struct fixture *box, cosm_component a, cosm_component b);

cosm_world fixture_world(const struct fixture *box, uint32_t index);

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
