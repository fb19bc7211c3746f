// spawn_sector, spawn_shared: spawn1 with one value more, a Force in a container or one of a
// hundred shared Teams. spawn_template: spawn1 from a template of one entity, without more values.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

struct spawner {
    struct fixture *fixture;
    cosm_archetype archetype;
    cosm_component extra; // Force, or Team
    cosm_template from;
};

static struct spawner *create_spawner(uint32_t n) {
    struct spawner *spawner = bench_alloc(1, sizeof *spawner);
    *spawner = (struct spawner){.fixture = fixture_create(n)};
    spawner->archetype = spawner->fixture->mover;
    return spawner;
}

static void despawn_each(void *state) {
    struct spawner *spawner = state;
    fixture_despawn_each(spawner->fixture, spawner->fixture->handles);
}

static void spawn_with(struct spawner *spawner, uint32_t i, const void *extra) {
    struct fixture *fixture = spawner->fixture;
    Position position = work_position(i);
    Velocity velocity = work_velocity(i);
    cosm_value values[] = {
        {fixture->position, &position}, {fixture->velocity, &velocity}, {spawner->extra, extra}};
    fixture->handles[i] = cosm_entity_spawn_with(fixture->world, spawner->archetype, values, 3);
}

static void spawn_sectors(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->fixture->n; i++) {
        Force force = work_force(i);
        spawn_with(spawner, i, &force);
    }
}

static void spawn_teams(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->fixture->n; i++) {
        Team team = {i % WORK_TEAM_COUNT};
        spawn_with(spawner, i, &team);
    }
}

static void spawn_templates(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    struct fixture *fixture = spawner->fixture;
    for (uint32_t i = 0; i < fixture->n; i++) {
        fixture->handles[i] = cosm_template_spawn(fixture->world, spawner->from, NULL, 0);
    }
}

// Full, as in spawn1, so that the first `prepare` makes all ids recycled ones.
static void *create_sector(uint32_t n) {
    struct spawner *spawner = create_spawner(n);
    spawner->extra = cosm_component_define(spawner->fixture->engine,
                                           &(cosm_component_desc){.name = "Push",
                                                                  .size = sizeof(Force),
                                                                  .storage = COSM_STORAGE_SECTOR});
    spawn_sectors(spawner, 1);
    return spawner;
}

static void *create_shared(uint32_t n) {
    struct spawner *spawner = create_spawner(n);
    struct fixture *fixture = spawner->fixture;
    spawner->extra = cosm_component_define(
        fixture->engine, &(cosm_component_desc){
                             .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED});
    spawner->archetype = cosm_archetype_define(
        fixture->engine, &(cosm_archetype_desc){
                             .name = "player",
                             .components = {fixture->position, fixture->velocity, spawner->extra}});
    // One of each team stays, so that no table comes and goes with the run.
    for (uint32_t i = 0; i < WORK_TEAM_COUNT; i++) {
        spawn_with(spawner, 0, &(Team){i});
    }
    spawn_teams(spawner, 1);
    return spawner;
}

static void *create_template(uint32_t n) {
    struct spawner *spawner = create_spawner(n);
    struct fixture *fixture = spawner->fixture;
    Position position = work_position(1);
    Velocity velocity = work_velocity(1);
    spawner->from = cosm_template_define(
        fixture->engine,
        &(cosm_template_desc){.name = "one",
                              .archetype = fixture->mover,
                              .values = (cosm_value[]){{fixture->position, &position},
                                                       {fixture->velocity, &velocity}},
                              .value_count = 2});
    spawn_templates(spawner, 1);
    return spawner;
}

static uint64_t checksum(void *state) {
    struct spawner *spawner = state;
    return fixture_hash(spawner->fixture);
}

static uint64_t checksum_sector(void *state) {
    struct spawner *spawner = state;
    cosm_container *forces = cosm_sector_container(spawner->fixture->world, spawner->extra, NULL);
    size_t offset = cosm_container_describe_member(forces, 0).offset;
    uint64_t sum = fixture_hash(spawner->fixture);
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(forces, NULL, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        sum += work_hash_forces(cosm_sector_at(sector, offset), 1);
    }
    return sum;
}

static void destroy(void *state) {
    struct spawner *spawner = state;
    fixture_destroy(spawner->fixture);
    free(spawner);
}

const struct bench_side spawn_sector_cosm = {create_sector,   despawn_each, spawn_sectors,
                                             checksum_sector, destroy,      NULL};

const struct bench_side spawn_shared_cosm = {create_shared, despawn_each, spawn_teams,
                                             checksum,      destroy,      NULL};

const struct bench_side spawn_template_cosm = {create_template, despawn_each, spawn_templates,
                                               checksum,        destroy,      NULL};
