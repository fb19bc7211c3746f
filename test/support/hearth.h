// An engine and a batch with sector components to try things in, and objects that are counted.
#ifndef COSM_TEST_HEARTH_H
#define COSM_TEST_HEARTH_H

#include <stdatomic.h>

#include "support/sandbox.h"

typedef struct Spot {
    float x;
    float y;
} Spot;

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

// An object: a number on the heap, so that one that is lost, ended twice or read after its end is
// found out.
typedef struct Ember {
    uint32_t *number;
} Ember;

// What happened to embers.
struct ember_book {
    atomic_int alive;
    atomic_int constructed;
    atomic_int copied;
    atomic_int moved;
    atomic_int destroyed;
    int refuse; // 1: construct and copy say no from the next on; n: from the n-th on; 0: never
};

struct hearth {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
    cosm_worlds all;
    cosm_component spot;  // a column
    cosm_component team;  // shared, a uint32_t
    cosm_component mark;  // a tag
    cosm_component pan;   // a tag
    cosm_component heat;  // sector, in group "fire"
    cosm_component smoke; // sector, in group "fire"
    cosm_component wet;   // sector, of size zero, a group of one
    cosm_component kiln;  // sector, in group "coal"
    cosm_component ember; // sector, in group "coal": objects
    cosm_component hot;   // a bundle: heat, wet, mark
    cosm_archetype thing; // "thing": Spot, growing
    cosm_archetype pot;   // "pot": Spot and Pan, fixed, 8 per world
    cosm_archetype event; // "event": Spot, temporary
    cosm_archetype stone; // "stone": Spot, Mark, Team: sealed, shared values
    struct ember_book book;
};

void hearth_open(struct hearth *hearth, uint32_t world_count);
void hearth_open_with(struct hearth *hearth, const cosm_engine_desc *engine_desc,
                      const cosm_batch_desc *batch_desc);

// Checks that the batch is valid, that batch and engine can be destroyed, and that no ember is
// left.
void hearth_close(struct hearth *hearth);

// Defines the components in any engine. The book is `hearth->book`.
void hearth_define(struct hearth *hearth);

cosm_world hearth_world(const struct hearth *hearth, uint32_t index);

// A thing at x, without anything beside.
cosm_entity hearth_spawn(const struct hearth *hearth, cosm_world world, float x);

// Sets the heat, or an ember of that number.
void hearth_heat(const struct hearth *hearth, cosm_world world, cosm_entity entity, float degrees);
void hearth_ember(const struct hearth *hearth, cosm_world world, cosm_entity entity,
                  uint32_t number);

// What it has, or -1.
float hearth_degrees(const struct hearth *hearth, cosm_world world, cosm_entity entity);
int hearth_number(const struct hearth *hearth, cosm_world world, cosm_entity entity);

#endif
