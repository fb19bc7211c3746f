// frag26 in plain C: 26 pairs of arrays, one loop over each first one.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <stdlib.h>

struct table {
    Amount *amount;
    Letter *letter;
    uint32_t count;
};

struct tables {
    struct table list[WORK_LETTER_COUNT];
};

static void *create(uint32_t n) {
    struct tables *tables = bench_alloc(1, sizeof *tables);
    for (uint32_t i = 0; i < WORK_LETTER_COUNT; i++) {
        uint32_t count = bench_share(n, WORK_LETTER_COUNT, i);
        struct table *table = &tables->list[i];
        table->amount = bench_alloc(count, sizeof(Amount));
        table->letter = bench_alloc(count, sizeof(Letter));
        table->count = count;
        for (uint32_t row = 0; row < count; row++) {
            table->amount[row].value = (float)(int32_t)(row + i);
            table->letter[row].value = i;
        }
    }
    return tables;
}

static void run(void *state, uint32_t times) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t j = 0; j < WORK_LETTER_COUNT; j++) {
            work_change(tables->list[j].amount, tables->list[j].count);
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct tables *tables = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < WORK_LETTER_COUNT; i++) {
        sum += work_hash_amounts(tables->list[i].amount, tables->list[i].count);
    }
    return sum;
}

static void destroy(void *state) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < WORK_LETTER_COUNT; i++) {
        free(tables->list[i].amount);
        free(tables->list[i].letter);
    }
    free(tables);
}

const struct bench_side frag26_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
