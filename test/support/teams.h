// An engine and a batch with shared components to try things in.
#ifndef COSM_TEST_TEAMS_H
#define COSM_TEST_TEAMS_H

#include <stdatomic.h>

#include "support/sandbox.h"

typedef struct Spot {
    float x;
    float y;
} Spot;

typedef struct Team {
    uint32_t color;
    uint32_t rank;
} Team;

typedef struct Level {
    uint32_t number;
} Level;

// A string that its component owns; equal by content.
typedef struct Label {
    char *text;
} Label;

// What the functions of Label did.
struct label_book {
    atomic_uint copies;
    atomic_uint ends;
    atomic_uint fail_at; // the number of the copy, counted from now, that fails; 0: none
};

#define LEVEL_DEFAULT 7u

struct teams {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;      // the first one
    cosm_worlds all;       // all of them
    cosm_component spot;   // a column
    cosm_component team;   // shared, zeroed by default
    cosm_component level;  // shared, 7 by default
    cosm_component label;  // shared, by content, "" by default
    cosm_component mark;   // a tag
    cosm_component still;  // another one
    cosm_component rank;   // a bundle: team and level
    cosm_archetype plain;  // "plain": Spot
    cosm_archetype player; // "player": Spot and Team
    cosm_archetype hero;   // "hero": Spot, Team and Level
    cosm_archetype badge;  // "badge": Spot and Label
    cosm_archetype statue; // "statue": Spot, Team and Still, sealed
    cosm_query *spots;     // everything with a Spot
    struct label_book book;
};

// It must stay where it is while it is open: the engine knows its book.
void teams_open(struct teams *teams, uint32_t world_count);
void teams_open_with(struct teams *teams, const cosm_engine_desc *engine_desc,
                     const cosm_batch_desc *batch_desc);

// Checks that the batch is valid, that all can be destroyed, and that every label ended.
void teams_close(struct teams *teams);

// A query of what has a Spot and this value.
cosm_query *teams_query(const struct teams *teams, cosm_component component, const void *value);

// Players, and what a player has.
cosm_entity teams_spawn(const struct teams *teams, cosm_world world, uint32_t color, float x);
uint32_t teams_color(cosm_world world, cosm_entity entity);

// Entities with a color and rank 0.
uint32_t teams_count(const struct teams *teams, cosm_world world, uint32_t color);

#endif
