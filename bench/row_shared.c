// shared_walk: pos += vel * dt over the movers of one team of a hundred, by a query for its value.
// shared_set: every mover goes to the next team, one by one; or all of them, who are of one team,
// to another and back, in two calls.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

struct league {
    struct fixture *fixture;
    cosm_component team;
    cosm_query *chosen; // those of WORK_TEAM_CHOSEN
    cosm_query *all;    // term 2 is the team
    uint32_t passes;    // how often everybody went to the next team
};

static struct league *make_league(uint32_t n) {
    struct league *league = bench_alloc(1, sizeof *league);
    struct fixture *fixture = fixture_create(n);
    *league = (struct league){.fixture = fixture};
    league->team = cosm_component_define(
        fixture->engine, &(cosm_component_desc){
                             .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED});
    Team chosen = {WORK_TEAM_CHOSEN};
    cosm_query_desc desc = {.terms = {{.component = fixture->position, .access = COSM_ACCESS_WRITE},
                                      {.component = fixture->velocity},
                                      {.component = league->team, .access = COSM_ACCESS_WRITE}}};
    league->all = cosm_query_create(fixture->engine, &desc);
    desc.terms[2].value = &chosen;
    league->chosen = cosm_query_create(fixture->engine, &desc);
    bench_need(league->all != NULL && league->chosen != NULL, "queries");
    return league;
}

// Movers one by one, of as many teams as the caller says.
static void *create_teams(uint32_t n, uint32_t team_count) {
    struct league *league = make_league(n);
    struct fixture *fixture = league->fixture;
    cosm_archetype player = cosm_archetype_define(
        fixture->engine,
        &(cosm_archetype_desc){.components = {fixture->position, fixture->velocity, league->team}});
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        Velocity velocity = work_velocity(i);
        Team team = {i % team_count};
        cosm_value values[] = {
            {fixture->position, &position}, {fixture->velocity, &velocity}, {league->team, &team}};
        fixture->handles[i] = cosm_entity_spawn_with(fixture->world, player, values, 3);
        bench_need(!cosm_entity_is_none(fixture->handles[i]), "spawn");
    }
    return league;
}

static void *create_many(uint32_t n) {
    return create_teams(n, WORK_TEAM_COUNT);
}

static void *create_one(uint32_t n) {
    return create_teams(n, 1);
}

static void run_walk(void *state, uint32_t times) {
    struct league *league = state;
    cosm_rows rows;
    for (uint32_t i = 0; i < times; i++) {
        cosm_query_walk(league->chosen, league->fixture->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            work_move(COSM_COLUMN_WRITE(&rows, Position, 0), COSM_COLUMN_READ(&rows, Velocity, 1),
                      rows.count, WORK_DT);
        }
        BENCH_BARRIER();
    }
}

static void run_set(void *state, uint32_t times) {
    struct league *league = state;
    struct fixture *fixture = league->fixture;
    for (uint32_t k = 0; k < times; k++) {
        bool done = true;
        league->passes++;
        for (uint32_t i = 0; i < fixture->n; i++) {
            Team team = {(i + league->passes) % WORK_TEAM_COUNT};
            done &= cosm_entity_set(fixture->world, fixture->handles[i], league->team, &team) ==
                    COSM_OK;
        }
        bench_need(done, "set");
    }
}

static void set_all(struct league *league, uint32_t color) {
    Team team = {color};
    cosm_result result =
        cosm_query_set(league->fixture->movers, league->fixture->worlds, league->team, &team);
    bench_need(result == COSM_OK, "set");
}

static void run_set_all(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        set_all(state, 1);
        set_all(state, 0);
    }
}

static uint64_t hash(struct league *league, const cosm_query *query) {
    cosm_rows rows;
    uint64_t sum = 0;
    cosm_query_walk(query, league->fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        uint64_t movers = work_hash_movers(COSM_COLUMN_READ(&rows, Position, 0),
                                           COSM_COLUMN_READ(&rows, Velocity, 1), rows.count);
        sum += work_mix(movers, COSM_SHARED_READ(&rows, Team, 2)->color);
    }
    return sum;
}

static uint64_t checksum_chosen(void *state) {
    struct league *league = state;
    return hash(league, league->chosen);
}

static uint64_t checksum_all(void *state) {
    struct league *league = state;
    return hash(league, league->all);
}

static void destroy(void *state) {
    struct league *league = state;
    cosm_query_destroy(league->chosen);
    cosm_query_destroy(league->all);
    fixture_destroy(league->fixture);
    free(league);
}

const struct bench_side shared_walk_cosm = {create_many,     NULL,    run_walk,
                                            checksum_chosen, destroy, NULL};
const struct bench_side shared_set_cosm = {create_many, NULL, run_set, checksum_all, destroy, NULL};
const struct bench_side shared_set_all_cosm = {create_one,   NULL,    run_set_all,
                                               checksum_all, destroy, NULL};
