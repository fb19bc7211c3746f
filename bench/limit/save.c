// save and load in plain C: the arrays of components written to a file, and read from it.
#include "limit.h"
#include "rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct written {
    struct limit_movers movers;
    char path[128];
    bool durable;
};

static void pass_bytes(int file, void *bytes, size_t size, bool writes) {
    ssize_t done = writes ? write(file, bytes, size) : read(file, bytes, size);
    bench_need(done == (ssize_t)size, "plain file");
}

static void pass_movers(struct written *written, bool writes) {
    int flags = writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY;
    int file = open(written->path, flags, 0666);
    bench_need(file >= 0, "plain file");
    struct limit_movers *movers = &written->movers;
    pass_bytes(file, movers->position, movers->count * sizeof *movers->position, writes);
    pass_bytes(file, movers->velocity, movers->count * sizeof *movers->velocity, writes);
    bench_need(!writes || !written->durable || fsync(file) == 0, "plain fsync");
    bench_need(close(file) == 0, "plain file");
}

static struct written *create_written(uint32_t n, bool durable) {
    struct written *written = bench_alloc(1, sizeof *written);
    limit_movers_create(&written->movers, n);
    limit_movers_fill(&written->movers, n);
    written->durable = durable;
    bench_file(written->path, sizeof written->path, "plain");
    pass_movers(written, true);
    return written;
}

static void *create_save(uint32_t n) {
    return create_written(n, false);
}

static void *create_save_durable(uint32_t n) {
    return create_written(n, true);
}

static void run_save(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        pass_movers(state, true);
        BENCH_BARRIER();
    }
}

static void run_load(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        pass_movers(state, false);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    run_load(state, 1);
    return limit_movers_hash(&((struct written *)state)->movers);
}

static void destroy(void *state) {
    struct written *written = state;
    (void)remove(written->path);
    limit_movers_destroy(&written->movers);
    free(written);
}

const struct bench_side save_limit = {create_save, NULL, run_save, checksum, destroy, NULL};
const struct bench_side save_durable_limit = {
    create_save_durable, NULL, run_save, checksum, destroy, NULL};
const struct bench_side load_limit = {create_save, NULL, run_load, checksum, destroy, NULL};
