// The engine and batch that tests try things in. Flags say which components it has beside the plain
// ones; each kind of storage brings its archetypes.
#ifndef COSM_TEST_FIXTURE_H
#define COSM_TEST_FIXTURE_H

#include "support/objects.h"
#include "support/sandbox.h"

enum {
    FIXTURE_SHARED = 1,  // Team, Level, Label
    FIXTURE_MANAGED = 2, // Text, Mesh, Pair
    FIXTURE_SECTOR = 4,  // Heat, Smoke, Wet, Kiln, Note
    FIXTURE_SPLIT = 8,   // Body, Line, Bare
    FIXTURE_TITLE = 16,  // Title
    FIXTURE_TEMPLATE = FIXTURE_SHARED | FIXTURE_MANAGED | FIXTURE_SECTOR | FIXTURE_TITLE,
};

typedef struct Team {
    uint32_t color;
    uint32_t rank;
} Team;

typedef struct Level {
    uint32_t number;
} Level;

#define LEVEL_DEFAULT 3u

// Managed, but without a lifecycle: plain bytes, described.
typedef struct Pair {
    uint32_t a;
    uint32_t b;
} Pair;

#define PAIR_DEFAULT_A 5u

// 20 degrees by default.
typedef struct Heat {
    float degrees;
} Heat;

typedef struct Smoke {
    double density;
} Smoke;

// Large, and on cache lines of its own.
typedef struct Kiln {
    _Alignas(64) uint32_t number;
    char bytes[188];
} Kiln;

#define KILN_DEFAULT 3u

typedef Text Note;

// With gaps of 1 byte behind `kind` and of 7 behind `flag`.
typedef struct Body {
    uint8_t kind;
    int16_t team;
    float position[3];
    double mass;
    uint8_t flag;
} Body;

typedef struct Line {
    _Alignas(64) uint32_t hot; // alone on its cache line
    _Alignas(64) char label[20];
    cosm_entity target;
} Line;

enum { BODY_KIND, BODY_TEAM, BODY_POSITION, BODY_MASS, BODY_FLAG, BODY_FIELD_COUNT };
enum { LINE_HOT, LINE_LABEL, LINE_TARGET, LINE_FIELD_COUNT };

// Bytes of a row of each where it is split.
enum { BODY_PARTS = 1 + 2 + 12 + 8 + 1, LINE_PARTS = 64 + 20 + 8 };

extern const cosm_field body_fields[BODY_FIELD_COUNT];
extern const cosm_field line_fields[LINE_FIELD_COUNT];

// The default of the whole Body. Those of team and mass are told with the fields and laid over it.
extern const Body body_default;
#define BODY_DEFAULT_TEAM (-7)
#define BODY_DEFAULT_MASS 2.5

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

// A query of what has a Position and this value.
cosm_query *query_of_value(const struct fixture *box, cosm_component component, const void *value);

// A player of that color and rank 0, at x; the color that an entity has, or UINT32_MAX; and how
// many have it.
cosm_entity spawn_player(const struct fixture *box, cosm_world world, uint32_t color, float x);
uint32_t color_of(cosm_world world, cosm_entity entity);
uint32_t color_count(const struct fixture *box, cosm_world world, uint32_t color);

// A plain one at x.
cosm_entity spawn_at(const struct fixture *box, cosm_world world, float x);

// Sets the heat, or a note of that number; and what an entity has, or -1.
void set_heat(const struct fixture *box, cosm_world world, cosm_entity entity, float degrees);
void set_note(const struct fixture *box, cosm_world world, cosm_entity entity, uint32_t number);
float degrees_of(const struct fixture *box, cosm_world world, cosm_entity entity);
int note_of(const struct fixture *box, cosm_world world, cosm_entity entity);

// The number of an entity's Text or Mesh, or OBJECT_NONE.
uint32_t text_of(const struct fixture *box, cosm_world world, cosm_entity entity);
uint32_t mesh_of(const struct fixture *box, cosm_world world, cosm_entity entity);

// Spawns an actor with that text.
cosm_entity spawn_text(const struct fixture *box, cosm_world world, uint32_t number);

// A body of which every field tells the number, with zeroes between them, and with rubbish.
Body body_of(uint32_t number);
Body rubbish_of(uint32_t number);

// Checks that the entity has the Body of that number, with zeroes between its fields.
void check_body(const struct fixture *box, cosm_world world, cosm_entity entity, uint32_t number);

// One body of that number; and many, numbered from zero on. They are given rubbish in their gaps.
cosm_entity spawn_body(const struct fixture *box, cosm_world world, cosm_archetype archetype,
                       uint32_t number);
void spawn_bodies(const struct fixture *box, cosm_world world, cosm_archetype archetype,
                  uint32_t count);

#endif
