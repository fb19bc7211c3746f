// An engine and a batch with split components to try things in, and values that tell who they are.
#ifndef COSM_TEST_YARD_H
#define COSM_TEST_YARD_H

#include "support/sandbox.h"

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

struct yard {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;      // the first one
    cosm_worlds all;       // all of them
    cosm_component body;   // split
    cosm_component line;   // split
    cosm_component mark;   // a tag
    cosm_component bare;   // 8 bytes that are not described
    cosm_archetype walker; // "walker": Body and bare, growing
    cosm_archetype slot;   // "slot": Body and Line, fixed, 4 per world
    cosm_archetype whole;  // "whole": Body and mark, growing; Body is whole
    cosm_archetype pit;    // "pit": Line and bare, fixed, 8 per world; Line is whole
    cosm_archetype event;  // Body, temporary
    cosm_query *bodies;    // everything with a Body
};

void yard_open(struct yard *yard, uint32_t world_count);
void yard_open_with(struct yard *yard, const cosm_engine_desc *engine_desc,
                    const cosm_batch_desc *batch_desc);

// Checks that the batch is valid and that batch and engine can be destroyed.
void yard_close(struct yard *yard);

// A body of which every field tells the number, with zeroes between them, and with rubbish.
Body body_of(uint32_t number);
Body rubbish_of(uint32_t number);

// Checks that the entity has the Body of that number, with zeroes between its fields.
void check_body(const struct yard *yard, cosm_world world, cosm_entity entity, uint32_t number);

// One body of that number; and many, numbered from zero on. They are given rubbish in their gaps.
cosm_entity yard_spawn(const struct yard *yard, cosm_world world, cosm_archetype archetype,
                       uint32_t number);
void yard_spawn_many(const struct yard *yard, cosm_world world, cosm_archetype archetype,
                     uint32_t count);

#endif
