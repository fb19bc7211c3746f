// Random histories of everything that shared values and trees can do, which leave a trace: what can
// be seen after each call, in the order in which it is seen. Whoever plays the same turns from the
// same state leaves the same trace.
#ifndef COSM_TEST_LEAGUE_H
#define COSM_TEST_LEAGUE_H

#include "support/fixture.h"

enum {
    LEAGUE_WORLDS = 2,
    LEAGUE_MOST = 40,
    LEAGUE_COLORS = 4,
    LEAGUE_LEVELS = 3,
    LEAGUE_LABELS = 5
};

// What a player knows beside the batch: to be put back with it.
struct league_mind {
    struct dice dice;
    cosm_entity entities[LEAGUE_WORLDS][LEAGUE_MOST]; // some of them gone
    uint64_t trace;
};

struct league {
    struct fixture box; // box.batch is the one that is played in
    struct league_mind mind;
    cosm_query *colors[LEAGUE_COLORS];
    cosm_query *levels[LEAGUE_LEVELS];
    cosm_query *labels[LEAGUE_LABELS];
};

void league_open(struct league *league, uint64_t seed, const cosm_engine_desc *engine_desc);
void league_close(struct league *league);

// Plays in another batch of the engine from now on.
void league_move(struct league *league, cosm_batch *batch);

// Everything that can be seen: checksum, handles, where each entity is, the order of values, of
// walks by value, of children.
uint64_t league_view(const struct league *league);

// Does something at random, and adds what is seen then to the trace.
void league_turn(struct league *league);
void league_play(struct league *league, uint32_t turns);

#endif
