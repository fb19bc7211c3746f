// sector_addrem, sector_addrem_rand: gives every entity a Force and takes it away again, in two
// calls for all; the time of the pair. With _one behind: the same with a call for each.
// sector_iter2: two members of one record. sector_view: a member and a foreign one that most have.
// pin: pins a record and unpins it, inside.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/container.h>
#include <stdlib.h>

static cosm_container *create_one(const char *name, size_t size, bool concurrent) {
    cosm_container_member member = {.name = name, .size = size};
    cosm_container *sectors = cosm_container_create(
        &(cosm_container_desc){.members = &member, .member_count = 1, .concurrent = concurrent});
    bench_need(sectors != NULL, "sectors");
    return sectors;
}

static void end_sectors(cosm_container *sectors) {
    bench_need(cosm_container_destroy(sectors) == COSM_OK, "end of the sectors");
}

struct forces {
    cosm_container *sectors;
    cosm_entity *handles; // in the order of the work
    Force *values;
    uint32_t n;
};

static void add_all(struct forces *forces) {
    bench_need(cosm_container_add_many(forces->sectors, forces->handles, forces->n, 0,
                                       forces->values) == COSM_OK,
               "add");
}

static void remove_all(struct forces *forces) {
    bench_need(cosm_container_remove_many(forces->sectors, forces->handles, forces->n, 0) ==
                   COSM_OK,
               "remove");
}

static void add_each(struct forces *forces) {
    bool done = true;
    for (uint32_t i = 0; i < forces->n; i++) {
        done &=
            cosm_container_add(forces->sectors, forces->handles[i], 0, &forces->values[i]) != NULL;
    }
    bench_need(done, "add");
}

static void remove_each(struct forces *forces) {
    bool done = true;
    for (uint32_t i = 0; i < forces->n; i++) {
        done &= cosm_container_remove(forces->sectors, forces->handles[i], 0) == COSM_OK;
    }
    bench_need(done, "remove");
}

static void run_addrem(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_all(state);
        BENCH_BARRIER();
        remove_all(state);
        BENCH_BARRIER();
    }
}

static void run_addrem_one(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_each(state);
        BENCH_BARRIER();
        remove_each(state);
        BENCH_BARRIER();
    }
}

static uint64_t hash_forces(struct forces *forces) {
    uint64_t sum = cosm_container_describe(forces->sectors).count;
    size_t offset = cosm_container_describe_member(forces->sectors, 0).offset;
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(forces->sectors, NULL, &walk);
         sector != NULL; sector = cosm_container_walk_next(&walk, sector)) {
        sum += work_hash_forces(cosm_sector_at(sector, offset), 1);
    }
    return sum;
}

static uint64_t checksum_addrem(void *state) {
    uint64_t sum = hash_forces(state);
    add_all(state);
    sum = work_mix(sum, hash_forces(state));
    remove_all(state);
    return sum;
}

static struct forces *create_forces(uint32_t n, const uint32_t *order) {
    struct forces *forces = bench_alloc(1, sizeof *forces);
    *forces = (struct forces){create_one("Force", sizeof(Force), false), NULL, NULL, n};
    forces->handles = bench_alloc(n, sizeof *forces->handles);
    forces->values = bench_alloc(n, sizeof *forces->values);
    // As in a world: ids in order first, whatever the order of the work.
    for (uint32_t i = 0; i < n; i++) {
        bench_need(cosm_container_add(forces->sectors, (cosm_entity){1, i}, 0, NULL) != NULL,
                   "add");
    }
    for (uint32_t i = 0; i < n; i++) {
        forces->handles[i] = (cosm_entity){1, order == NULL ? i : order[i]};
        forces->values[i] = work_force(i);
    }
    remove_all(forces);
    return forces;
}

static void *create_addrem(uint32_t n) {
    return create_forces(n, NULL);
}

static void *create_addrem_rand(uint32_t n) {
    uint32_t *order = bench_shuffled(n);
    struct forces *forces = create_forces(n, order);
    free(order);
    return forces;
}

static void destroy_forces(void *state) {
    struct forces *forces = state;
    end_sectors(forces->sectors);
    free(forces->handles);
    free(forces->values);
    free(forces);
}

const struct bench_side sector_addrem_cosm = {create_addrem,   NULL,           run_addrem,
                                              checksum_addrem, destroy_forces, NULL};

const struct bench_side sector_addrem_rand_cosm = {create_addrem_rand, NULL,           run_addrem,
                                                   checksum_addrem,    destroy_forces, NULL};

const struct bench_side sector_addrem_one_cosm = {create_addrem,   NULL,           run_addrem_one,
                                                  checksum_addrem, destroy_forces, NULL};

const struct bench_side sector_addrem_rand_one_cosm = {
    create_addrem_rand, NULL, run_addrem_one, checksum_addrem, destroy_forces, NULL};

enum { POSITION, VELOCITY };

static void *create_movers(uint32_t n) {
    cosm_container_member members[] = {{.name = "Position", .size = sizeof(Position)},
                                       {.name = "Velocity", .size = sizeof(Velocity)}};
    cosm_container *movers =
        cosm_container_create(&(cosm_container_desc){.members = members, .member_count = 2});
    bench_need(movers != NULL, "sectors");
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        Velocity velocity = work_velocity(i);
        cosm_entity entity = {1, i};
        bench_need(cosm_container_add(movers, entity, POSITION, &position) != NULL, "add");
        bench_need(cosm_container_add(movers, entity, VELOCITY, &velocity) != NULL, "add");
    }
    return movers;
}

static const cosm_container_walk_desc both = {.with = COSM_CONTAINER_BIT(POSITION) |
                                                      COSM_CONTAINER_BIT(VELOCITY)};

static void run_movers(void *state, uint32_t times) {
    cosm_container *movers = state;
    size_t position = cosm_container_describe_member(movers, POSITION).offset;
    size_t velocity = cosm_container_describe_member(movers, VELOCITY).offset;
    for (uint32_t i = 0; i < times; i++) {
        cosm_container_walk walk;
        for (cosm_sector *first = cosm_container_walk_begin(movers, &both, &walk); first != NULL;
             first = cosm_container_walk_turn(&walk)) {
            const cosm_container_run run = cosm_container_walk_run(&walk);
            for (cosm_sector *sector = first; sector != NULL;
                 sector = cosm_container_run_next(&run, sector)) {
                work_move(cosm_sector_at(sector, position), cosm_sector_at(sector, velocity), 1,
                          WORK_DT);
            }
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_movers(void *state) {
    cosm_container *movers = state;
    uint64_t sum = cosm_container_describe(movers).count;
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(movers, &both, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        sum += work_hash_movers(
            cosm_sector_at(sector, cosm_container_describe_member(movers, POSITION).offset),
            cosm_sector_at(sector, cosm_container_describe_member(movers, VELOCITY).offset), 1);
    }
    return sum;
}

static void destroy_movers(void *state) {
    end_sectors(state);
}

const struct bench_side sector_iter2_cosm = {create_movers,   NULL,           run_movers,
                                             checksum_movers, destroy_movers, NULL};

struct view {
    cosm_container *positions;
    cosm_container *velocities;
};

static void *create_view(uint32_t n) {
    struct view *view = bench_alloc(1, sizeof *view);
    view->positions = create_one("Position", sizeof(Position), false);
    view->velocities = create_one("Velocity", sizeof(Velocity), false);
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        Velocity velocity = work_velocity(i);
        cosm_entity entity = {1, i};
        bench_need(cosm_container_add(view->positions, entity, 0, &position) != NULL, "add");
        if (work_has_velocity(i)) {
            bench_need(cosm_container_add(view->velocities, entity, 0, &velocity) != NULL, "add");
        }
    }
    return view;
}

static void run_view(void *state, uint32_t times) {
    struct view *view = state;
    size_t offset = cosm_container_describe_member(view->positions, 0).offset;
    const cosm_container_walk_desc desc = {.foreign = {{view->velocities, 0}}};
    for (uint32_t i = 0; i < times; i++) {
        cosm_container_walk walk;
        for (cosm_sector *sector = cosm_container_walk_begin(view->positions, &desc, &walk);
             sector != NULL; sector = cosm_container_walk_next(&walk, sector)) {
            const Velocity *velocity = COSM_CONTAINER_FOREIGN(&walk, sector, Velocity, 0);
            if (velocity != NULL) {
                work_move(cosm_sector_at(sector, offset), velocity, 1, WORK_DT);
            }
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_view(void *state) {
    struct view *view = state;
    uint64_t sum = cosm_container_describe(view->positions).count;
    const cosm_container_walk_desc desc = {.foreign = {{view->velocities, 0}}};
    const Velocity none = {0, 0, 0};
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(view->positions, &desc, &walk);
         sector != NULL; sector = cosm_container_walk_next(&walk, sector)) {
        const Velocity *velocity = COSM_CONTAINER_FOREIGN(&walk, sector, Velocity, 0);
        sum += work_hash_movers(
            cosm_sector_at(sector, cosm_container_describe_member(view->positions, 0).offset),
            velocity == NULL ? &none : velocity, 1);
    }
    return sum;
}

static void destroy_view(void *state) {
    struct view *view = state;
    end_sectors(view->positions);
    end_sectors(view->velocities);
    free(view);
}

const struct bench_side sector_view_cosm = {create_view,   NULL,         run_view,
                                            checksum_view, destroy_view, NULL};

struct pins {
    cosm_container *sectors;
    cosm_container_reader *reader;
    cosm_entity entity;
    uint64_t sum;
};

#define PIN_THINGS 16u

static void *create_pins(uint32_t n) {
    (void)n;
    struct pins *pins = bench_alloc(1, sizeof *pins);
    *pins = (struct pins){.sectors = create_one("Force", sizeof(Force), true)};
    for (uint32_t i = 0; i < PIN_THINGS; i++) {
        bench_need(cosm_container_add(pins->sectors, (cosm_entity){1, i}, 0, NULL) != NULL, "add");
    }
    pins->reader = cosm_container_reader_create(pins->sectors);
    bench_need(pins->reader != NULL, "reader");
    pins->entity = (cosm_entity){1, PIN_THINGS / 2};
    return pins;
}

static void run_pins(void *state, uint32_t times) {
    struct pins *pins = state;
    cosm_container_reader_enter(pins->reader);
    for (uint32_t i = 0; i < times; i++) {
        const cosm_sector *sector = cosm_container_reader_pin(pins->reader, pins->entity);
        BENCH_BARRIER();
        cosm_container_reader_unpin(pins->reader, sector);
    }
    cosm_container_reader_leave(pins->reader);
}

// That all is unpinned: else it could not be erased by the thread that pinned it.
static uint64_t checksum_pins(void *state) {
    struct pins *pins = state;
    bool done = cosm_container_erase(pins->sectors, pins->entity) == COSM_OK;
    bench_need(cosm_container_add(pins->sectors, pins->entity, 0, NULL) != NULL, "add");
    return done ? 0 : 1;
}

static void destroy_pins(void *state) {
    struct pins *pins = state;
    bench_need(cosm_container_reader_destroy(pins->reader) == COSM_OK, "end of the reader");
    end_sectors(pins->sectors);
    free(pins);
}

const struct bench_side pin_cosm = {create_pins, NULL, run_pins, checksum_pins, destroy_pins, NULL};
