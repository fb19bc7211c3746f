// restore_tables, diff_tables: a world of 4,000 tables next to eight worlds of 500. Both sides are
// Cosm, and do the same for as many tables: what a table costs must not depend on how many there
// are.
//
// Tables are the sets that 16 tags make, with one amount each. Two snapshots differ in all amounts.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/cosm.h>
#include <stdio.h>
#include <stdlib.h>

#define TAG_COUNT 16u
#define WORLD_MAX 8u
#define WORLD_TABLES 500u

struct tables {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_query *all;
    cosm_component amount;
    uint32_t world_count;
    cosm_snapshot *kept[2][WORLD_MAX];
    uint64_t told; // differences
};

static void make_tables(struct tables *tables, const cosm_component *tags, uint32_t table_count) {
    for (uint32_t number = 1; number <= table_count; number++) {
        cosm_archetype_desc desc = {.components = {tables->amount}};
        uint32_t count = 1;
        for (uint32_t t = 0; t < TAG_COUNT; t++) {
            if ((number >> t & 1u) != 0) {
                desc.components[count++] = tags[t];
            }
        }
        cosm_archetype archetype = cosm_archetype_define(tables->engine, &desc);
        for (uint32_t w = 0; w < tables->world_count; w++) {
            cosm_entity entity = cosm_entity_spawn(cosm_batch_world(tables->batch, w), archetype);
            bench_need(!cosm_entity_is_none(entity), "spawn");
        }
    }
}

static struct tables *begin(uint32_t world_count, uint32_t table_count) {
    struct tables *tables = bench_alloc(1, sizeof *tables);
    *tables = (struct tables){.world_count = world_count};
    tables->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    tables->amount = COSM_COMPONENT_DEFINE(tables->engine, Amount);
    cosm_component tags[TAG_COUNT];
    for (uint32_t t = 0; t < TAG_COUNT; t++) {
        char name[16];
        snprintf(name, sizeof name, "tag %u", t);
        tags[t] = cosm_component_define(tables->engine, &(cosm_component_desc){.name = name});
    }
    tables->batch =
        cosm_batch_create(tables->engine, &(cosm_batch_desc){.world_count = world_count});
    bench_need(tables->batch != NULL, "batch");
    make_tables(tables, tags, table_count);
    tables->all = cosm_query_create(tables->engine,
                                    &(cosm_query_desc){.terms = {{.component = tables->amount}}});
    for (uint32_t k = 0; k < 2; k++) {
        Amount amount = {(float)(k + 1)};
        bench_need(cosm_query_set(tables->all, cosm_worlds_all(tables->batch), tables->amount,
                                  &amount) == COSM_OK,
                   "set");
        for (uint32_t w = 0; w < world_count; w++) {
            tables->kept[k][w] = cosm_snapshot_create(cosm_worlds_range(tables->batch, w, 1));
            bench_need(tables->kept[k][w] != NULL, "snapshot");
        }
    }
    return tables;
}

static void *create_one(uint32_t n) {
    return begin(1, n);
}

static void *create_parts(uint32_t n) {
    return begin(n / WORLD_TABLES, WORLD_TABLES);
}

static void run_restore(void *state, uint32_t times) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            for (uint32_t w = 0; w < tables->world_count; w++) {
                cosm_worlds world = cosm_worlds_range(tables->batch, w, 1);
                bench_need(cosm_snapshot_restore(tables->kept[k][w], 0, world) == COSM_OK,
                           "restore");
            }
        }
        BENCH_BARRIER();
    }
}

static bool count_difference(void *context, const cosm_difference *difference) {
    (void)difference;
    ++*(uint64_t *)context;
    return true;
}

static void run_diff(void *state, uint32_t times) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < times; i++) {
        tables->told = 0;
        for (uint32_t w = 0; w < tables->world_count; w++) {
            bench_need(cosm_diff_snapshots(tables->kept[0][w], tables->kept[1][w], count_difference,
                                           &tables->told) == COSM_OK,
                       "diff");
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct tables *tables = state;
    uint64_t sum = tables->told;
    cosm_rows rows;
    cosm_query_walk(tables->all, cosm_worlds_all(tables->batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Amount *amount = COSM_COLUMN_READ(&rows, Amount, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            sum += (uint64_t)amount[i].value;
        }
    }
    return sum;
}

static void destroy(void *state) {
    struct tables *tables = state;
    for (uint32_t w = 0; w < tables->world_count; w++) {
        cosm_snapshot_destroy(tables->kept[0][w]);
        cosm_snapshot_destroy(tables->kept[1][w]);
    }
    cosm_query_destroy(tables->all);
    bench_need(cosm_batch_destroy(tables->batch) == COSM_OK, "end of the batch");
    bench_need(cosm_engine_destroy(tables->engine) == COSM_OK, "end of the engine");
    free(tables);
}

const struct bench_side restore_tables_one = {create_one, NULL,    run_restore,
                                              checksum,   destroy, NULL};
const struct bench_side restore_tables_parts = {create_parts, NULL,    run_restore,
                                                checksum,     destroy, NULL};
const struct bench_side diff_tables_one = {create_one, NULL, run_diff, checksum, destroy, NULL};
const struct bench_side diff_tables_parts = {create_parts, NULL, run_diff, checksum, destroy, NULL};
