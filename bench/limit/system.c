// system_empty and step_empty in plain C: a list of functions, each called with its table.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct hand_table {
    Amount *amount;
    uint32_t count;
};

struct hand_system {
    void (*run)(struct hand_table *table);
    struct hand_table *table;
};

struct hand_loop {
    struct hand_system *systems;
    struct hand_table table; // of no rows
    uint32_t system_count;
    uint64_t step_count;
};

static void change(struct hand_table *table) {
    work_change(table->amount, table->count);
}

static struct hand_loop *create_loop(uint32_t system_count) {
    struct hand_loop *loop = bench_alloc(1, sizeof *loop);
    *loop = (struct hand_loop){.system_count = system_count};
    loop->systems = bench_alloc(system_count, sizeof *loop->systems);
    for (uint32_t i = 0; i < system_count; i++) {
        loop->systems[i] = (struct hand_system){change, &loop->table};
    }
    return loop;
}

static void *create(uint32_t n) {
    return create_loop(n);
}

static void *create_systemless(uint32_t n) {
    (void)n;
    return create_loop(0);
}

static void run(void *state, uint32_t times) {
    struct hand_loop *loop = state;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t s = 0; s < loop->system_count; s++) {
            loop->systems[s].run(loop->systems[s].table);
        }
        loop->step_count++;
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct hand_loop *loop = state;
    return loop->step_count;
}

static void destroy(void *state) {
    struct hand_loop *loop = state;
    free(loop->systems);
    free(loop);
}

const struct bench_side system_empty_limit = {create, NULL, run, checksum, destroy, NULL};

const struct bench_side step_empty_limit = {create_systemless, NULL, run, checksum, destroy, NULL};
