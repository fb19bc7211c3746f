// Worlds with something in every storage, for tests of state as a value: random histories of them,
// in engines that define the same things in another order and lay some of them out otherwise.
#ifndef COSM_TEST_MIXED_H
#define COSM_TEST_MIXED_H

#include <cosm/cosm.h>

#include "support/fixture.h"

typedef struct MixedBody { // padded and described
    uint8_t kind;
    double mass;
    uint16_t rank;
} MixedBody;

typedef struct MixedWind { // described; split, or whole in an engine that is turned round
    float x;
    uint16_t gust;
    double y;
} MixedWind;

typedef struct MixedBlock { // few rows make a chunk
    uint32_t words[160];
} MixedBlock;

typedef struct MixedClock { // a singleton, padded and described
    uint8_t flag;
    uint64_t ticks;
} MixedClock;

enum {
    MIXED_POSITION,
    MIXED_BODY,
    MIXED_WIND,
    MIXED_BLOCK,
    MIXED_COUNTER, // u32, its changes are kept row by row
    MIXED_MARK,    // a tag
    MIXED_TEAM,    // shared u32
    MIXED_PAINT,   // shared, 3 bytes
    MIXED_OWNED,   // managed u64
    MIXED_TOKEN,   // managed u32
    MIXED_HEAT,    // sector u32, in a group with
    MIXED_SMOKE,   // sector u64
    MIXED_WET,     // sector tag, on its own
    MIXED_COMPONENT_COUNT
};

struct mixed {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_worlds all;
    cosm_component components[MIXED_COMPONENT_COUNT];
    cosm_archetype plain; // position
    cosm_archetype heavy; // position, body, wind, counter
    cosm_archetype block; // block
    cosm_archetype event; // position; temporary
    cosm_singleton clock;
    cosm_singleton score; // u32
};

// `is_turned`: defined in the opposite order, wind whole, counters without rows of ticks. The
// allocator may be NULL.
void mixed_open(struct mixed *mixed, uint32_t world_count, bool is_turned,
                const cosm_allocator *allocator);
void mixed_close(struct mixed *mixed);

// Handles that histories act on.
#define MIXED_ENTITY_COUNT 48u

struct mixed_cast {
    cosm_entity entities[MIXED_ENTITY_COUNT];
};

// One random act in one of the worlds.
void mixed_act(struct mixed *mixed, struct dice *dice, struct mixed_cast *cast);

#endif
