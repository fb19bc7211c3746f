// mem in plain C: arrays and handles of a million movers, sized to fit.
#include "limit.h"
#include "resident.h"
#include "rows.h"

static struct limit_movers movers;

static void make(uint32_t n) {
    limit_movers_create(&movers, n);
    for (uint32_t i = 0; i < n; i++) {
        limit_movers_spawn(&movers, work_position(i), work_velocity(i));
    }
}

static uint64_t hash(void) {
    return limit_movers_hash(&movers);
}

static double bytes(uint32_t n, uint64_t *out_checksum) {
    return resident_measure(make, hash, n, out_checksum);
}

const struct bench_side mem_limit = {.bytes = bytes};
