// sector_addrem, sector_iter2, sector_view and pin in plain C.
//
// What comes and goes is a column beside the others, with a presence bit for each row; who is
// alive, and in which row, is a table by id, as in limit.h. Records that are read together are an
// array of structs.
#include "limit.h"
#include "rows.h"

#include <stdatomic.h>
#include <stdlib.h>

// A column beside those of a table, which not all rows have: of each row whether it has one.
struct hand_forces {
    Force *force;
    uint64_t *present;            // a bit per row
    struct limit_record *records; // by id: the generation and the row
    struct limit_handle *handles; // in the order of the work
    Force *values;
    uint32_t n;
    uint32_t count;
};

static inline bool add_force(struct hand_forces *forces, struct limit_handle handle, Force force) {
    if (handle.id >= forces->n || forces->records[handle.id].gen != handle.gen) {
        return false;
    }
    uint32_t row = forces->records[handle.id].index;
    uint64_t bit = (uint64_t)1 << (row & 63u);
    uint64_t *word = &forces->present[row >> 6];
    forces->count += (*word & bit) == 0;
    *word |= bit;
    forces->force[row] = force;
    return true;
}

static inline bool remove_force(struct hand_forces *forces, struct limit_handle handle) {
    if (handle.id >= forces->n || forces->records[handle.id].gen != handle.gen) {
        return false;
    }
    uint32_t row = forces->records[handle.id].index;
    uint64_t bit = (uint64_t)1 << (row & 63u);
    uint64_t *word = &forces->present[row >> 6];
    forces->count -= (*word & bit) != 0;
    *word &= ~bit;
    return true;
}

static void add_all(struct hand_forces *forces) {
    bool done = true;
    for (uint32_t i = 0; i < forces->n; i++) {
        done &= add_force(forces, forces->handles[i], forces->values[i]);
    }
    bench_need(done, "add");
}

static void remove_all(struct hand_forces *forces) {
    bool done = true;
    for (uint32_t i = 0; i < forces->n; i++) {
        done &= remove_force(forces, forces->handles[i]);
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

static uint64_t hash_forces(const struct hand_forces *forces) {
    uint64_t sum = forces->count;
    for (uint32_t id = 0; id < forces->n; id++) {
        if ((forces->present[id >> 6] >> (id & 63u) & 1u) != 0) {
            sum += work_hash_forces(&forces->force[id], 1);
        }
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

static struct hand_forces *create_forces(uint32_t n, const uint32_t *order) {
    struct hand_forces *forces = bench_alloc(1, sizeof *forces);
    *forces = (struct hand_forces){.n = n};
    forces->force = bench_alloc(n, sizeof(Force));
    memset(forces->force, 0, n * sizeof(Force));
    forces->present = bench_alloc(n / 64 + 1, sizeof(uint64_t));
    memset(forces->present, 0, (n / 64 + 1) * sizeof(uint64_t));
    forces->records = bench_alloc(n, sizeof(struct limit_record));
    forces->handles = bench_alloc(n, sizeof(struct limit_handle));
    forces->values = bench_alloc(n, sizeof(Force));
    for (uint32_t i = 0; i < n; i++) {
        forces->values[i] = work_force(i);
        forces->records[i] = (struct limit_record){1, i};
        forces->handles[i] = (struct limit_handle){1, order == NULL ? i : order[i]};
    }
    return forces;
}

static void *create_addrem(uint32_t n) {
    return create_forces(n, NULL);
}

static void *create_addrem_rand(uint32_t n) {
    uint32_t *order = bench_shuffled(n);
    struct hand_forces *forces = create_forces(n, order);
    free(order);
    return forces;
}

static void destroy_forces(void *state) {
    struct hand_forces *forces = state;
    free(forces->force);
    free(forces->present);
    free(forces->values);
    free(forces->records);
    free(forces->handles);
    free(forces);
}

const struct bench_side sector_addrem_limit = {create_addrem,   NULL,           run_addrem,
                                               checksum_addrem, destroy_forces, NULL};

const struct bench_side sector_addrem_rand_limit = {create_addrem_rand, NULL,           run_addrem,
                                                    checksum_addrem,    destroy_forces, NULL};

// Two members side by side, with whose they are and which are there: the same record as Cosm's. The
// test of the mask also keeps gcc from turning the loop into shuffles: without it, and with
// vectors, it took 1.99 ns where plain scalar code takes 0.76.
struct hand_mover {
    struct limit_handle owner;
    uint64_t live;
    Position position;
    Velocity velocity;
};

struct hand_movers {
    struct hand_mover *movers;
    uint32_t n;
};

static void *create_movers(uint32_t n) {
    struct hand_movers *movers = bench_alloc(1, sizeof *movers);
    movers->movers = bench_alloc(n, sizeof(struct hand_mover));
    movers->n = n;
    for (uint32_t i = 0; i < n; i++) {
        movers->movers[i] = (struct hand_mover){{1, i}, 3, work_position(i), work_velocity(i)};
    }
    return movers;
}

static void run_movers(void *state, uint32_t times) {
    struct hand_movers *movers = state;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t j = 0; j < movers->n; j++) {
            if ((movers->movers[j].live & 3u) == 3u) {
                work_move(&movers->movers[j].position, &movers->movers[j].velocity, 1, WORK_DT);
            }
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_movers(void *state) {
    struct hand_movers *movers = state;
    uint64_t sum = movers->n;
    for (uint32_t i = 0; i < movers->n; i++) {
        sum += work_hash_movers(&movers->movers[i].position, &movers->movers[i].velocity, 1);
    }
    return sum;
}

static void destroy_movers(void *state) {
    struct hand_movers *movers = state;
    free(movers->movers);
    free(movers);
}

const struct bench_side sector_iter2_limit = {create_movers,   NULL,           run_movers,
                                              checksum_movers, destroy_movers, NULL};

// Positions with their owners, and velocities that most owners have, found by id.
struct hand_view {
    Position *position;
    struct limit_handle *owners;
    Velocity *velocity;
    struct limit_record *velocity_of; // by id: the generation, and its row in `velocity`
    uint32_t n;
};

static void *create_view(uint32_t n) {
    struct hand_view *view = bench_alloc(1, sizeof *view);
    view->n = n;
    view->position = bench_alloc(n, sizeof(Position));
    view->owners = bench_alloc(n, sizeof(struct limit_handle));
    view->velocity = bench_alloc(n, sizeof(Velocity));
    view->velocity_of = bench_alloc(n, sizeof(struct limit_record));
    uint32_t row = 0;
    for (uint32_t i = 0; i < n; i++) {
        view->position[i] = work_position(i);
        view->owners[i] = (struct limit_handle){1, i};
        view->velocity_of[i] = (struct limit_record){0, 0};
        if (work_has_velocity(i)) {
            view->velocity_of[i] = (struct limit_record){1, row};
            view->velocity[row++] = work_velocity(i);
        }
    }
    return view;
}

static void run_view(void *state, uint32_t times) {
    struct hand_view *view = state;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t j = 0; j < view->n; j++) {
            struct limit_handle owner = view->owners[j];
            if (owner.id < view->n && view->velocity_of[owner.id].gen == owner.gen) {
                work_move(&view->position[j], &view->velocity[view->velocity_of[owner.id].index], 1,
                          WORK_DT);
            }
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_view(void *state) {
    struct hand_view *view = state;
    uint64_t sum = view->n;
    for (uint32_t i = 0; i < view->n; i++) {
        Velocity none = {0, 0, 0};
        bool has = view->velocity_of[i].gen == 1;
        sum += work_hash_movers(&view->position[i],
                                has ? &view->velocity[view->velocity_of[i].index] : &none, 1);
    }
    return sum;
}

static void destroy_view(void *state) {
    struct hand_view *view = state;
    free(view->position);
    free(view->owners);
    free(view->velocity);
    free(view->velocity_of);
    free(view);
}

const struct bench_side sector_view_limit = {create_view,   NULL,         run_view,
                                             checksum_view, destroy_view, NULL};

// A count of users beside each thing.
struct hand_pins {
    struct limit_record *records;
    atomic_uint *pins;
    struct limit_handle handle;
};

#define PIN_THINGS 16u

static void *create_pins(uint32_t n) {
    (void)n;
    struct hand_pins *pins = bench_alloc(1, sizeof *pins);
    pins->records = bench_alloc(PIN_THINGS, sizeof *pins->records);
    pins->pins = bench_alloc(PIN_THINGS, sizeof *pins->pins);
    for (uint32_t i = 0; i < PIN_THINGS; i++) {
        pins->records[i] = (struct limit_record){1, i};
        atomic_init(&pins->pins[i], 0);
    }
    pins->handle = (struct limit_handle){1, PIN_THINGS / 2};
    return pins;
}

static void run_pins(void *state, uint32_t times) {
    struct hand_pins *pins = state;
    for (uint32_t i = 0; i < times; i++) {
        struct limit_handle handle = pins->handle;
        if (handle.id < PIN_THINGS && pins->records[handle.id].gen == handle.gen) {
            atomic_uint *count = &pins->pins[pins->records[handle.id].index];
            atomic_fetch_add_explicit(count, 1, memory_order_acquire);
            BENCH_BARRIER();
            atomic_fetch_sub_explicit(count, 1, memory_order_release);
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_pins(void *state) {
    struct hand_pins *pins = state;
    return atomic_load(&pins->pins[PIN_THINGS / 2]);
}

static void destroy_pins(void *state) {
    struct hand_pins *pins = state;
    free(pins->records);
    free(pins->pins);
    free(pins);
}

const struct bench_side pin_limit = {create_pins,   NULL,         run_pins,
                                     checksum_pins, destroy_pins, NULL};
