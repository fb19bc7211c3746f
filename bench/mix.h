// The work of mix7, shared by both sides: five components, six archetypes, seven systems.
//
// A little game: things move, bounce off the walls of a box, think, wander when a thought says so,
// hurt and heal. Each system is one loop over the columns it needs.
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include "work.h"

#include <stdbool.h>

typedef struct Mind {
    int32_t thing;
    uint32_t seed;
    double dingy;
    bool mingy;
} Mind;

typedef struct Health {
    int32_t now;
    int32_t most;
} Health;

typedef struct Damage {
    int32_t attack;
    int32_t defense;
} Damage;

enum mix_bit {
    MIX_POSITION = 1,
    MIX_VELOCITY = 2,
    MIX_MIND = 4,
    MIX_HEALTH = 8,
    MIX_DAMAGE = 16,
};

#define MIX_SET_COUNT 6u
#define MIX_BOX 64.0f

// The archetypes, and how many tenths of all entities each one gets.
static const uint32_t mix_sets[MIX_SET_COUNT] = {
    MIX_POSITION | MIX_VELOCITY,
    MIX_POSITION | MIX_VELOCITY | MIX_MIND,
    MIX_POSITION | MIX_VELOCITY | MIX_MIND | MIX_HEALTH,
    MIX_POSITION | MIX_VELOCITY | MIX_MIND | MIX_HEALTH | MIX_DAMAGE,
    MIX_POSITION | MIX_MIND,
    MIX_MIND | MIX_HEALTH | MIX_DAMAGE,
};
static const uint32_t mix_tenths[MIX_SET_COUNT] = {4, 2, 1, 1, 1, 1};

// One table's columns; NULL where the archetype lacks a component.
struct mix_columns {
    Position *position;
    Velocity *velocity;
    Mind *mind;
    Health *health;
    Damage *damage;
    uint32_t count;
};

static inline void mix_fill(const struct mix_columns *columns) {
    for (uint32_t i = 0; i < columns->count; i++) {
        float x = (float)(int32_t)(i % 61u);
        if (columns->position != NULL) {
            columns->position[i] = (Position){x, 32.0f - x, 0.5f * x};
        }
        if (columns->velocity != NULL) {
            columns->velocity[i] = (Velocity){1.0f + x, 2.0f - x, 3.0f};
        }
        if (columns->mind != NULL) {
            columns->mind[i] = (Mind){.thing = (int32_t)(i % 10u), .seed = i * 2654435761u};
        }
        if (columns->health != NULL) {
            columns->health[i] = (Health){100 - (int32_t)(i % 50u), 100};
        }
        if (columns->damage != NULL) {
            columns->damage[i] = (Damage){(int32_t)(i % 7u), (int32_t)(i % 4u)};
        }
    }
}

// System 2. System 1 is work_move.
static inline void mix_bounce(const Position *restrict position, Velocity *restrict velocity,
                              uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Position p = position[i];
        Velocity v = velocity[i];
        v.x = p.x > MIX_BOX || p.x < -MIX_BOX ? -v.x : v.x;
        v.y = p.y > MIX_BOX || p.y < -MIX_BOX ? -v.y : v.y;
        v.z = p.z > MIX_BOX || p.z < -MIX_BOX ? -v.z : v.z;
        velocity[i] = v;
    }
}

// System 3.
static inline void mix_think(Mind *restrict mind, uint32_t count, float dt) {
    for (uint32_t i = 0; i < count; i++) {
        mind[i].thing = (mind[i].thing + 1) % 10;
        mind[i].dingy += 0.0001 * (double)dt;
        mind[i].mingy = !mind[i].mingy;
        mind[i].seed = mind[i].seed * 1664525u + 1013904223u;
    }
}

// System 4: one in ten finds a new way, drawn from its seed.
static inline void mix_wander(Velocity *restrict velocity, const Mind *restrict mind,
                              uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (mind[i].thing == 0) {
            float draw = (float)(int32_t)(mind[i].seed >> 8) * (1.0f / 16777216.0f);
            velocity[i].x = draw * 8.0f - 4.0f;
            velocity[i].y = 4.0f - draw * 8.0f;
        }
    }
}

// System 5: a mind remembers how far out it was.
static inline void mix_remember(const Position *restrict position, Mind *restrict mind,
                                uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        double x = (double)position[i].x;
        double y = (double)position[i].y;
        mind[i].dingy = 0.5 * mind[i].dingy + x * x + y * y;
    }
}

// System 6.
static inline void mix_hurt(Health *restrict health, const Damage *restrict damage,
                            uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int32_t loss = damage[i].attack - damage[i].defense;
        health[i].now -= loss > 0 ? loss : 0;
    }
}

// System 7: the fallen start again, the others heal.
static inline void mix_heal(Health *restrict health, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int32_t now = health[i].now <= 0 ? health[i].most : health[i].now + 1;
        health[i].now = now > health[i].most ? health[i].most : now;
    }
}

static inline uint64_t mix_hash(const struct mix_columns *columns) {
    uint64_t sum = columns->count;
    for (uint32_t i = 0; i < columns->count; i++) {
        uint64_t row = 4;
        if (columns->position != NULL) {
            row = work_mix_floats(row, &columns->position[i].x, 1);
            row = work_mix_floats(row, &columns->position[i].y, 1);
            row = work_mix_floats(row, &columns->position[i].z, 1);
        }
        if (columns->velocity != NULL) {
            row = work_mix_floats(row, &columns->velocity[i].x, 1);
            row = work_mix_floats(row, &columns->velocity[i].y, 1);
            row = work_mix_floats(row, &columns->velocity[i].z, 1);
        }
        if (columns->mind != NULL) {
            row = work_mix(row, (uint64_t)columns->mind[i].thing);
            row = work_mix(row, columns->mind[i].seed);
            row = work_mix(row, work_hash_double(columns->mind[i].dingy));
            row = work_mix(row, columns->mind[i].mingy ? 1u : 0u);
        }
        if (columns->health != NULL) {
            row = work_mix(row, (uint32_t)columns->health[i].now);
        }
        if (columns->damage != NULL) {
            row = work_mix(row, (uint32_t)columns->damage[i].attack);
        }
        sum += row;
    }
    return sum;
}

#endif
