// shared_walk and shared_set in plain C: a table for each team, under one set of handles.
//
// The record of an id says its generation, its team and its row.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct side {
    Position *position;
    Velocity *velocity;
    uint32_t *ids;
    uint32_t count;
};

struct player_record {
    uint32_t gen;
    uint32_t team;
    uint32_t row;
};

struct league {
    struct side *sides;
    uint32_t side_count;
    struct player_record *records;
    struct limit_handle *handles;
    uint32_t n;
    uint32_t passes;
};

static void side_create(struct side *side, uint32_t capacity) {
    side->position = bench_alloc(capacity, sizeof(Position));
    side->velocity = bench_alloc(capacity, sizeof(Velocity));
    side->ids = bench_alloc(capacity, sizeof(uint32_t));
    side->count = 0;
}

// So many sides, of `team_count` of which there are movers, with room for `capacity` each.
static struct league *make_league(uint32_t n, uint32_t side_count, uint32_t team_count,
                                  uint32_t capacity) {
    struct league *league = bench_alloc(1, sizeof *league);
    *league = (struct league){.side_count = side_count, .n = n};
    league->sides = bench_alloc(side_count, sizeof *league->sides);
    league->records = bench_alloc(n, sizeof *league->records);
    league->handles = bench_alloc(n, sizeof *league->handles);
    for (uint32_t s = 0; s < side_count; s++) {
        side_create(&league->sides[s], capacity);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &league->sides[i % team_count];
        uint32_t row = side->count++;
        side->position[row] = work_position(i);
        side->velocity[row] = work_velocity(i);
        side->ids[row] = i;
        league->records[i] = (struct player_record){1, i % team_count, row};
        league->handles[i] = (struct limit_handle){1, i};
    }
    return league;
}

static void *create_many(uint32_t n) {
    return make_league(n, WORK_TEAM_COUNT, WORK_TEAM_COUNT, n / WORK_TEAM_COUNT * 2 + 64);
}

static void *create_pair(uint32_t n) {
    return make_league(n, 2, 1, n);
}

static void run_walk(void *state, uint32_t times) {
    struct league *league = state;
    struct side *side = &league->sides[WORK_TEAM_CHOSEN];
    for (uint32_t i = 0; i < times; i++) {
        work_move(side->position, side->velocity, side->count, WORK_DT);
        BENCH_BARRIER();
    }
}

static inline bool set(struct league *league, struct limit_handle handle, uint32_t team) {
    struct player_record *record = &league->records[handle.id];
    if (handle.id >= league->n || record->gen != handle.gen) {
        return false;
    }
    if (record->team == team) {
        return true;
    }
    struct side *from = &league->sides[record->team];
    struct side *to = &league->sides[team];
    uint32_t row = record->row;
    uint32_t end = to->count++;
    to->position[end] = from->position[row];
    to->velocity[end] = from->velocity[row];
    to->ids[end] = handle.id;
    uint32_t last = --from->count;
    uint32_t moved = from->ids[last];
    from->position[row] = from->position[last];
    from->velocity[row] = from->velocity[last];
    from->ids[row] = moved;
    league->records[moved].row = row;
    record->team = team;
    record->row = end;
    return true;
}

static void run_set(void *state, uint32_t times) {
    struct league *league = state;
    for (uint32_t k = 0; k < times; k++) {
        bool done = true;
        league->passes++;
        for (uint32_t i = 0; i < league->n; i++) {
            done &= set(league, league->handles[i], (i + league->passes) % WORK_TEAM_COUNT);
        }
        bench_need(done, "set");
    }
}

// Moves everybody of one side to the other, which is empty.
static void set_all(struct league *league, uint32_t from, uint32_t to) {
    struct side *source = &league->sides[from];
    struct side *target = &league->sides[to];
    uint32_t count = source->count;
    memcpy(target->position, source->position, count * sizeof(Position));
    memcpy(target->velocity, source->velocity, count * sizeof(Velocity));
    memcpy(target->ids, source->ids, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        league->records[target->ids[i]].team = to;
        league->records[target->ids[i]].row = i;
    }
    target->count = count;
    source->count = 0;
}

static void run_set_all(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        set_all(state, 0, 1);
        set_all(state, 1, 0);
    }
}

static uint64_t hash_side(const struct league *league, uint32_t team) {
    const struct side *side = &league->sides[team];
    return side->count == 0
               ? 0
               : work_mix(work_hash_movers(side->position, side->velocity, side->count), team);
}

static uint64_t checksum_chosen(void *state) {
    return hash_side(state, WORK_TEAM_CHOSEN);
}

static uint64_t checksum_all(void *state) {
    const struct league *league = state;
    uint64_t sum = 0;
    for (uint32_t s = 0; s < league->side_count; s++) {
        sum += hash_side(league, s);
    }
    return sum;
}

static void destroy(void *state) {
    struct league *league = state;
    for (uint32_t s = 0; s < league->side_count; s++) {
        free(league->sides[s].position);
        free(league->sides[s].velocity);
        free(league->sides[s].ids);
    }
    free(league->sides);
    free(league->records);
    free(league->handles);
    free(league);
}

const struct bench_side shared_walk_limit = {create_many,     NULL,    run_walk,
                                             checksum_chosen, destroy, NULL};
const struct bench_side shared_set_limit = {create_many,  NULL,    run_set,
                                            checksum_all, destroy, NULL};
const struct bench_side shared_set_all_limit = {create_pair,  NULL,    run_set_all,
                                                checksum_all, destroy, NULL};
