// Worlds with something in every storage, for tests of state as a value: random histories of them,
// in engines that define the same things in another order and lay some of them out otherwise.
#ifndef COSM_TEST_MOSAIC_H
#define COSM_TEST_MOSAIC_H

#include <cosm/cosm.h>

#include "support/sandbox.h"

typedef struct MosaicBody { // padded and described
    uint8_t kind;
    double mass;
    uint16_t rank;
} MosaicBody;

typedef struct MosaicWind { // described; split, or whole in an engine that is turned round
    float x;
    uint16_t gust;
    double y;
} MosaicWind;

typedef struct MosaicBlock { // few rows make a chunk
    uint32_t words[160];
} MosaicBlock;

typedef struct MosaicClock { // a singleton, padded and described
    uint8_t flag;
    uint64_t ticks;
} MosaicClock;

enum {
    MOSAIC_POSITION,
    MOSAIC_BODY,
    MOSAIC_WIND,
    MOSAIC_BLOCK,
    MOSAIC_COUNTER, // u32, its changes are kept row by row
    MOSAIC_MARK,    // a tag
    MOSAIC_TEAM,    // shared u32
    MOSAIC_PAINT,   // shared, 3 bytes
    MOSAIC_OWNED,   // managed u64
    MOSAIC_TOKEN,   // managed u32
    MOSAIC_HEAT,    // sector u32, in a group with
    MOSAIC_SMOKE,   // sector u64
    MOSAIC_WET,     // sector tag, on its own
    MOSAIC_COMPONENT_COUNT
};

struct mosaic {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_worlds all;
    cosm_component components[MOSAIC_COMPONENT_COUNT];
    cosm_archetype plain; // position
    cosm_archetype heavy; // position, body, wind, counter
    cosm_archetype block; // block
    cosm_archetype event; // position; temporary
    cosm_singleton clock;
    cosm_singleton score; // u32
};

// `is_turned`: defined in the opposite order, wind whole, counters without rows of ticks. The
// allocator may be NULL.
void mosaic_open(struct mosaic *mosaic, uint32_t world_count, bool is_turned,
                 const cosm_allocator *allocator);
void mosaic_close(struct mosaic *mosaic);

// Handles that histories act on.
#define MOSAIC_ENTITY_COUNT 48u

struct mosaic_cast {
    cosm_entity entities[MOSAIC_ENTITY_COUNT];
};

// One random act in one of the worlds.
void mosaic_act(struct mosaic *mosaic, struct dice *dice, struct mosaic_cast *cast);

#endif
