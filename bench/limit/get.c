// get_rand in plain C: a checked look-up by handle, in an order that looks random.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct reader {
    struct limit_movers movers;
    struct limit_handle *handles;
    uint32_t n;
    double sum;
};

static void *create(uint32_t n) {
    struct reader *reader = bench_alloc(1, sizeof *reader);
    *reader = (struct reader){.n = n};
    limit_movers_create(&reader->movers, n);
    limit_movers_fill(&reader->movers, n);
    reader->handles = bench_alloc(n, sizeof(struct limit_handle));
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = reader->movers.ids[order[i]];
        reader->handles[i] = (struct limit_handle){reader->movers.records[id].gen, id};
    }
    free(order);
    return reader;
}

static void run(void *state, uint32_t times) {
    struct reader *reader = state;
    for (uint32_t i = 0; i < times; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < reader->n; j++) {
            const Position *position = limit_movers_position(&reader->movers, reader->handles[j]);
            if (position != NULL) {
                sum += (double)position->x;
            }
        }
        reader->sum = sum;
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct reader *reader = state;
    return work_hash_double(reader->sum);
}

static void destroy(void *state) {
    struct reader *reader = state;
    limit_movers_destroy(&reader->movers);
    free(reader->handles);
    free(reader);
}

const struct bench_side get_rand_limit = {create, NULL, run, checksum, destroy, NULL};
