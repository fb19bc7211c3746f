// Random histories of everything that shared values and trees can do, which leave a trace: what can
// be seen after each call, in the order in which it is seen. Whoever plays the same turns from the
// same state leaves the same trace.
#ifndef COSM_TEST_HISTORY_H
#define COSM_TEST_HISTORY_H

#include "support/storages.h"

enum {
    HISTORY_WORLDS = 2,
    HISTORY_MOST = 40,
    HISTORY_COLORS = 4,
    HISTORY_LEVELS = 3,
    HISTORY_LABELS = 5
};

// What a player knows beside the batch: to be put back with it.
struct history_mind {
    struct dice dice;
    cosm_entity entities[HISTORY_WORLDS][HISTORY_MOST]; // some of them gone
    uint64_t trace;
};

struct history {
    struct fixture box; // box.batch is the one that is played in
    struct history_mind mind;
    cosm_query *colors[HISTORY_COLORS];
    cosm_query *levels[HISTORY_LEVELS];
    cosm_query *labels[HISTORY_LABELS];
};

void history_open(struct history *history, uint64_t seed, const cosm_engine_desc *engine_desc);
void history_close(struct history *history);

// Plays in another batch of the engine from now on.
void history_move(struct history *history, cosm_batch *batch);

// Everything that can be seen: checksum, handles, where each entity is, the order of values, of
// walks by value, of children.
uint64_t history_view(const struct history *history);

// Does something at random, and adds what is seen then to the trace.
void history_turn(struct history *history);
void history_play(struct history *history, uint32_t turns);

#endif
