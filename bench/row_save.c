// save, load: a world of movers to a file, and from it into another batch.
#include "fixture.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct saved {
    struct fixture *fixture;
    char path[128];
    bool durable;
};

static struct saved *create_saved(uint32_t n, bool durable) {
    struct saved *saved = bench_alloc(1, sizeof *saved);
    saved->fixture = fixture_create(n);
    saved->durable = durable;
    fixture_spawn_bulk(saved->fixture);
    bench_file(saved->path, sizeof saved->path, "cosm");
    return saved;
}

static void *create_save(uint32_t n) {
    return create_saved(n, false);
}

static void *create_save_durable(uint32_t n) {
    return create_saved(n, true);
}

// With the snapshot: what a program calls to save.
static void run_save(void *state, uint32_t times) {
    struct saved *saved = state;
    for (uint32_t i = 0; i < times; i++) {
        cosm_snapshot *snapshot = cosm_snapshot_create(saved->fixture->worlds);
        bench_need(snapshot != NULL, "snapshot");
        cosm_save_desc desc = {.fast = !saved->durable};
        bench_need(cosm_save_write(snapshot, saved->path, &desc) == COSM_OK, "save");
        cosm_snapshot_destroy(snapshot);
    }
}

static void run_load(void *state, uint32_t times) {
    struct saved *saved = state;
    for (uint32_t i = 0; i < times; i++) {
        cosm_snapshot *snapshot = cosm_save_read(saved->fixture->engine, saved->path, NULL, NULL);
        bench_need(snapshot != NULL, "load");
        bench_need(cosm_snapshot_restore(snapshot, 0, saved->fixture->worlds) == COSM_OK,
                   "restore");
        cosm_snapshot_destroy(snapshot);
    }
}

static void *create_load(uint32_t n) {
    struct saved *saved = create_saved(n, false);
    run_save(saved, 1);
    return saved;
}

// Of what was saved: by loading it.
static uint64_t checksum(void *state) {
    run_load(state, 1);
    return fixture_hash(((struct saved *)state)->fixture);
}

static void destroy(void *state) {
    struct saved *saved = state;
    (void)remove(saved->path);
    fixture_destroy(saved->fixture);
    free(saved);
}

const struct bench_side save_cosm = {create_save, NULL, run_save, checksum, destroy, NULL};
const struct bench_side save_durable_cosm = {
    create_save_durable, NULL, run_save, checksum, destroy, NULL};
const struct bench_side load_cosm = {create_load, NULL, run_load, checksum, destroy, NULL};
