// frag26: one component of entities that are spread over 26 archetypes.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/cosm.h>
#include <stdlib.h>

struct fragments {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_worlds worlds;
    cosm_component amount;
    cosm_query *amounts;
};

// One archetype with a component of its own, and its share of the entities.
static void add_fragment(struct fragments *fragments, uint32_t i, uint32_t count) {
    char name[] = "Letter A";
    name[7] = (char)('A' + (int)i);
    cosm_component letter = cosm_component_define(
        fragments->engine, &(cosm_component_desc){.name = name,
                                                  .size = sizeof(Letter),
                                                  .alignment = COSM_ALIGNOF(Letter)});
    cosm_archetype archetype = cosm_archetype_define(
        fragments->engine, &(cosm_archetype_desc){.components = {fragments->amount, letter}});
    cosm_rows rows;
    cosm_result result =
        cosm_entity_spawn_many(cosm_batch_world(fragments->batch, 0), archetype, count, &rows);
    bench_need(result == COSM_OK, "rows");
    Amount *amount = COSM_WRITE(&rows, Amount);
    Letter *own = cosm_rows_column(&rows, letter);
    for (uint32_t row = 0; row < count; row++) {
        amount[row].value = (float)(int32_t)(row + i);
        own[row].value = i;
    }
}

static void *create(uint32_t n) {
    struct fragments *fragments = bench_alloc(1, sizeof *fragments);
    fragments->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    bench_need(fragments->engine != NULL, "engine");
    fragments->batch = cosm_batch_create(fragments->engine, NULL);
    bench_need(fragments->batch != NULL, "batch");
    fragments->worlds = cosm_worlds_all(fragments->batch);
    fragments->amount = COSM_COMPONENT_DEFINE(fragments->engine, Amount);
    fragments->amounts = cosm_query_create(
        fragments->engine, &(cosm_query_desc){.terms = {{.component = fragments->amount,
                                                         .access = COSM_ACCESS_WRITE}}});
    bench_need(fragments->amounts != NULL, "query");
    for (uint32_t i = 0; i < WORK_LETTER_COUNT; i++) {
        add_fragment(fragments, i, bench_share(n, WORK_LETTER_COUNT, i));
    }
    return fragments;
}

static void run(void *state, uint32_t times) {
    struct fragments *fragments = state;
    cosm_rows rows;
    for (uint32_t i = 0; i < times; i++) {
        cosm_query_walk(fragments->amounts, fragments->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            work_change(COSM_COLUMN_WRITE(&rows, Amount, 0), rows.count);
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct fragments *fragments = state;
    uint64_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(fragments->amounts, fragments->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        sum += work_hash_amounts(COSM_COLUMN_READ(&rows, Amount, 0), rows.count);
    }
    return sum;
}

static void destroy(void *state) {
    struct fragments *fragments = state;
    cosm_query_destroy(fragments->amounts);
    bench_need(cosm_batch_destroy(fragments->batch) == COSM_OK, "end of the batch");
    bench_need(cosm_engine_destroy(fragments->engine) == COSM_OK, "end of the engine");
    free(fragments);
}

const struct bench_side frag26_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
