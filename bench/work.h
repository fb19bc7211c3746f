// The work itself, shared by both sides: component types, loops over columns, checksums.
//
// Both sides include this and compile it with the same flags, so what a row shows is the cost of
// getting at the data and of keeping it, not a difference between two loops. The columns are
// `restrict` parameters: only so do compilers turn these loops into SIMD without a test for
// overlap.
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdint.h>
#include <string.h>

// A power of two, so that every step is exact for a while and never a denormal.
#define WORK_DT 0.015625f

typedef struct Position {
    float x, y, z;
} Position;

typedef struct Velocity {
    float x, y, z;
} Velocity;

// The component that is added and removed.
typedef struct Force {
    float x, y, z;
} Force;

// The component that all of the 26 archetypes of frag26 have, and the one of their own.
typedef struct Amount {
    float value;
} Amount;

typedef struct Letter {
    uint32_t value;
} Letter;

#define WORK_LETTER_COUNT 26u

// The component that many movers have in common.
typedef struct Team {
    uint32_t color;
} Team;

#define WORK_TEAM_COUNT 100u
#define WORK_TEAM_CHOSEN 37u

// The rows that have many worlds: entities in each.
#define WORK_WORLD_ROWS 10u

// The rows of change_walk: a chunk of movers in Cosm, and how far changed chunks are apart.
#define WORK_CHANGE_ROWS 512u
#define WORK_CHANGE_APART 100u

static inline Position work_position(uint32_t i) {
    float x = (float)(int32_t)i;
    return (Position){x, x + 1.0f, x + 2.0f};
}

static inline Velocity work_velocity(uint32_t i) {
    float x = (float)(int32_t)(i & 7u);
    return (Velocity){1.0f, x, 2.0f};
}

static inline Force work_force(uint32_t i) {
    float x = (float)(int32_t)(i & 1023u);
    return (Force){x, 1.0f, x + 2.0f};
}

// In sector_view: every eighth has none.
static inline int work_has_velocity(uint32_t i) {
    return (i & 7u) != 7u;
}

static inline void work_fill(Position *restrict position, Velocity *restrict velocity,
                             uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        position[i] = work_position(i);
    }
    for (uint32_t i = 0; i < count; i++) {
        velocity[i] = work_velocity(i);
    }
}

// The same for rows [first, first + count) of all.
static inline void work_fill_from(Position *restrict position, Velocity *restrict velocity,
                                  uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        position[i] = work_position(first + i);
    }
    for (uint32_t i = 0; i < count; i++) {
        velocity[i] = work_velocity(first + i);
    }
}

static inline void work_move(Position *restrict position, const Velocity *restrict velocity,
                             uint32_t count, float dt) {
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
        position[i].z += velocity[i].z * dt;
    }
}

// Gives positions digits behind the point, as those of a world that has run for a while have.
static inline void work_roughen(Position *position, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        position[i].x = position[i].x / 3.0f;
        position[i].y = position[i].y / 7.0f;
        position[i].z = position[i].z / 11.0f;
    }
}

// work_move with an array for each member.
static inline void work_move_split(float *restrict px, float *restrict py, float *restrict pz,
                                   const float *restrict vx, const float *restrict vy,
                                   const float *restrict vz, uint32_t count, float dt) {
    for (uint32_t i = 0; i < count; i++) {
        px[i] += vx[i] * dt;
        py[i] += vy[i] * dt;
        pz[i] += vz[i] * dt;
    }
}

// Tends to 100 from wherever it starts: it never overflows and never becomes a denormal.
static inline void work_change(Amount *restrict amount, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        amount[i].value = amount[i].value * 0.99f + 1.0f;
    }
}

static inline uint64_t work_mix(uint64_t sum, uint64_t value) {
    sum = (sum ^ value) * 0xBF58476D1CE4E5B9u;
    return sum ^ (sum >> 29);
}

static inline uint64_t work_mix_floats(uint64_t sum, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = work_mix(sum, bits);
    }
    return sum;
}

// A sum over rows, so that their order does not count; but what belongs to one row must be
// together.
static inline uint64_t work_hash_movers(const Position *position, const Velocity *velocity,
                                        uint32_t count) {
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        const float values[] = {position[i].x, position[i].y, position[i].z,
                                velocity[i].x, velocity[i].y, velocity[i].z};
        sum += work_mix_floats(1, values, 6);
    }
    return sum;
}

static inline uint64_t work_hash_positions(const Position *position, uint32_t count) {
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        const float values[] = {position[i].x, position[i].y, position[i].z};
        sum += work_mix_floats(4, values, 3);
    }
    return sum;
}

static inline uint64_t work_hash_forces(const Force *force, uint32_t count) {
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        const float values[] = {force[i].x, force[i].y, force[i].z};
        sum += work_mix_floats(2, values, 3);
    }
    return sum;
}

static inline uint64_t work_hash_amounts(const Amount *amount, uint32_t count) {
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        sum += work_mix_floats(3, &amount[i].value, 1);
    }
    return sum;
}

static inline uint64_t work_hash_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
