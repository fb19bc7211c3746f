// sector_churn: erases records and adds as many again, in an order that looks random, in descending
// order, and first in, first out. Both sides are Cosm: n records, and an eighth of them eight times
// over. What is asked is whether the cost of one grows with their number.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/container.h>
#include <stdlib.h>

#define CHURN_PARTS 8u

enum churn { CHURN_RANDOM, CHURN_DESCENDING, CHURN_FIFO };

struct churner {
    cosm_container *sectors;
    cosm_entity *leaving; // in the order in which they go
    cosm_entity *coming;  // and come
    Force *values;
    uint32_t count;
    uint32_t rounds; // in one run
    uint32_t gen;
    enum churn kind;
};

static struct churner *create_churner(uint32_t count, uint32_t rounds, enum churn kind) {
    struct churner *churner = bench_alloc(1, sizeof *churner);
    *churner = (struct churner){.count = count, .rounds = rounds, .gen = 1, .kind = kind};
    cosm_container_member member = {.name = "Force", .size = sizeof(Force)};
    churner->sectors =
        cosm_container_create(&(cosm_container_desc){.members = &member, .member_count = 1});
    bench_need(churner->sectors != NULL, "sectors");
    churner->leaving = bench_alloc(count, sizeof *churner->leaving);
    churner->coming = bench_alloc(count, sizeof *churner->coming);
    churner->values = bench_alloc(count, sizeof *churner->values);
    uint32_t *order = bench_shuffled(count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_random = kind == CHURN_RANDOM;
        churner->leaving[i].id = is_random ? order[i] : count - 1 - i;
        churner->coming[i].id = is_random ? order[count - 1 - (i ^ 1u) % count] : count - 1 - i;
        churner->values[i] = work_force(i);
        bench_need(cosm_container_add(churner->sectors, (cosm_entity){1, i}, 0, NULL) != NULL,
                   "add");
    }
    free(order);
    return churner;
}

// All go, and all come again in their next generation.
static void churn_once(struct churner *churner) {
    uint32_t count = churner->count;
    for (uint32_t i = 0; i < count; i++) {
        churner->leaving[i].gen = churner->gen;
        churner->coming[i].gen = churner->gen + 2;
    }
    churner->gen += 2;
    bool done =
        cosm_container_remove_many(churner->sectors, churner->leaving, count, 0) == COSM_OK &&
        cosm_container_add_many(churner->sectors, churner->coming, count, 0, churner->values) ==
            COSM_OK;
    bench_need(done, "churn");
}

// The oldest goes and one with a new id comes, `count` times: ids go up and up, and begin again far
// above.
static void churn_fifo(struct churner *churner) {
    bool done = true;
    uint32_t first = churner->gen - 1;
    for (uint32_t i = 0; i < churner->count; i++) {
        uint32_t id = (first + i) % (1u << 24);
        Force force = work_force(i);
        done &= cosm_container_erase(churner->sectors, (cosm_entity){1, id}) == COSM_OK;
        id = (first + i + churner->count) % (1u << 24);
        done &= cosm_container_add(churner->sectors, (cosm_entity){1, id}, 0, &force) != NULL;
    }
    churner->gen = (first + churner->count) % (1u << 24) + 1;
    bench_need(done, "churn");
}

static void run(void *state, uint32_t times) {
    struct churner *churner = state;
    for (uint32_t i = 0; i < times * churner->rounds; i++) {
        if (churner->kind == CHURN_FIFO) {
            churn_fifo(churner);
        } else {
            churn_once(churner);
        }
    }
}

// Nothing is lost, and nothing was left behind.
static uint64_t checksum(void *state) {
    struct churner *churner = state;
    cosm_container_info info = cosm_container_describe(churner->sectors);
    bool is_whole = info.count == churner->count && info.dead_count <= 1;
    return is_whole ? 0 : 1 + churner->count;
}

static void destroy(void *state) {
    struct churner *churner = state;
    bench_need(cosm_container_destroy(churner->sectors) == COSM_OK, "end of the sectors");
    free(churner->leaving);
    free(churner->coming);
    free(churner->values);
    free(churner);
}

static void *create_random(uint32_t n) {
    return create_churner(n, 1, CHURN_RANDOM);
}

static void *create_random_part(uint32_t n) {
    return create_churner(n / CHURN_PARTS, CHURN_PARTS, CHURN_RANDOM);
}

static void *create_descending(uint32_t n) {
    return create_churner(n, 1, CHURN_DESCENDING);
}

static void *create_descending_part(uint32_t n) {
    return create_churner(n / CHURN_PARTS, CHURN_PARTS, CHURN_DESCENDING);
}

static void *create_fifo(uint32_t n) {
    return create_churner(n, 1, CHURN_FIFO);
}

static void *create_fifo_part(uint32_t n) {
    return create_churner(n / CHURN_PARTS, CHURN_PARTS, CHURN_FIFO);
}

const struct bench_side sector_churn_all = {create_random, NULL, run, checksum, destroy, NULL};
const struct bench_side sector_churn_part = {create_random_part, NULL,    run,
                                             checksum,           destroy, NULL};
const struct bench_side sector_churn_down = {create_descending, NULL, run, checksum, destroy, NULL};
const struct bench_side sector_churn_down_part = {
    create_descending_part, NULL, run, checksum, destroy, NULL};
const struct bench_side sector_churn_fifo = {create_fifo, NULL, run, checksum, destroy, NULL};
const struct bench_side sector_churn_fifo_part = {create_fifo_part, NULL,    run,
                                                  checksum,         destroy, NULL};
