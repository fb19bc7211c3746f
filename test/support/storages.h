// Values of the components that flags of the fixture bring, and what tests do with them.
#ifndef COSM_TEST_STORAGES_H
#define COSM_TEST_STORAGES_H

#include "support/fixture.h"
#include "support/objects.h"

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

// Defines an archetype, and checks that it can be.
cosm_archetype form_archetype(struct fixture *box, cosm_archetype_desc desc);

// Defines the components and archetypes of the flags: fixture_define does.
void define_storages(struct fixture *box, uint32_t flags);

#endif
