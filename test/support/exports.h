// Worlds with exports of every kind, to try tensors in: growing, fixed and shared tables, a split
// component, a singleton, and a system that lives on what the outside writes.
#ifndef COSM_TEST_EXPORTS_H
#define COSM_TEST_EXPORTS_H

#include <cosm/cosm.h>

#define TILE_MAX 3u // fixed rows of a world

typedef struct Point {
    float x;
    float y;
} Point;

typedef struct Choice {
    int32_t step;
} Choice;

typedef struct Body {
    double mass;
    float push[3];
    uint8_t flags[4];
} Body;

// Split.
typedef struct Spin {
    float angle;
    float rate;
} Spin;

// Shared.
typedef struct Side {
    uint32_t color;
} Side;

typedef struct Goal {
    float x;
    uint32_t score;
} Goal;

enum exports_slot {
    SLOT_PAWN_CHOICE, // in
    SLOT_PAWN_POINT,  // both
    SLOT_PAWN_ENTITY,
    SLOT_PAWN_Y,      // out
    SLOT_TILE_CHOICE, // in
    SLOT_TILE_POINT,  // both
    SLOT_SIDE_POINT,  // out, of a table per side
    SLOT_SPIN_RATE,   // both, of a split component
    SLOT_ALL_POINT,   // out, of a query: rows with Point
    SLOT_ALL_ENTITY,
    SLOT_ALL_PUSH, // both, of a query: a field of Body
    SLOT_GOAL,     // in, a singleton
    SLOT_COUNT,
};

struct exports {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_worlds all;
    cosm_component point;
    cosm_component choice;
    cosm_component body;
    cosm_component spin;
    cosm_component side;
    cosm_component mark; // a tag, of tiles
    cosm_component flag; // a tag
    cosm_singleton goal;
    cosm_archetype pawn;   // Point, Choice
    cosm_archetype heavy;  // Point, Choice, Body
    cosm_archetype tile;   // Point, Choice, Mark; fixed
    cosm_archetype player; // Point, Side
    cosm_archetype top;    // Spin
    cosm_query_desc points;
    cosm_query_desc bodies;
};

// What an export shows, told again in the words of the public calls.
struct exports_view {
    cosm_query_desc query;
    cosm_archetype archetype; // only its rows; zero: of all
    cosm_component component; // zero: entities
    size_t offset;
    size_t size;
};

// Components, archetypes, and the system that adds `step` of Choice to Point.x where there is both;
// no exports, no batch.
void exports_define(struct exports *exports, const cosm_engine_desc *desc);

// All exports of enum exports_slot.
void exports_export(struct exports *exports);

// One export of those.
cosm_export_desc exports_slot_desc(const struct exports *exports, uint32_t slot);
struct exports_view exports_slot_view(const struct exports *exports, uint32_t slot);

// An engine, its exports, and a batch.
void exports_open(struct exports *exports, uint32_t world_count, uint32_t worker_count);
void exports_close(struct exports *exports);

// The rows of a slot, world after world, by walking. Returns how many there are; writes at most
// `max` of them to `out_values`, and where those of each world begin to `out_offsets`.
uint32_t exports_collect(const struct exports *exports, uint32_t slot, void *out_values,
                         int64_t *out_offsets, uint32_t max);

// Checks that a tensor of rows shows just what there is, or (`is_in`) its offsets only.
void check_rows(const char *file, int line, const struct exports *exports, uint32_t slot,
                bool is_in);
#define CHECK_ROWS(exports, slot) check_rows(__FILE__, __LINE__, (exports), (slot), false)
#define CHECK_ROW_COUNTS(exports, slot) check_rows(__FILE__, __LINE__, (exports), (slot), true)

#endif
