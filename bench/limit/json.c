// json_save and json_load in plain C: snprintf and strtof, for just this struct.
#ifdef BENCH_TEXT
#include "limit.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

#define LINE_MAX 256u // more than an id and six numbers take

struct json {
    struct limit_movers movers;
    char *text;
};

static void save(struct json *json) {
    char *at = json->text;
    for (uint32_t i = 0; i < json->movers.count; i++) {
        Position p = json->movers.position[i];
        Velocity v = json->movers.velocity[i];
        at +=
            snprintf(at, LINE_MAX,
                     "{\"entity\":%u,\"Position\":{\"x\":%.9g,\"y\":%.9g,\"z\":%.9g},\"Velocity\":{"
                     "\"x\":%.9g,\"y\":%.9g,\"z\":%.9g}},",
                     json->movers.ids[i], (double)p.x, (double)p.y, (double)p.z, (double)v.x,
                     (double)v.y, (double)v.z);
    }
    *at = '\0';
}

// The number behind the next colon that has one behind it.
static float next_number(char **at) {
    while (**at != ':' || (*at)[1] == '{') {
        (*at)++;
    }
    return strtof(*at + 1, at);
}

static void read_triple(char **at, float *x, float *y, float *z) {
    *x = next_number(at);
    *y = next_number(at);
    *z = next_number(at);
}

static void load(struct json *json) {
    char *at = json->text;
    for (uint32_t i = 0; i < json->movers.count; i++) {
        Position *position = &json->movers.position[i];
        Velocity *velocity = &json->movers.velocity[i];
        json->movers.ids[i] = (uint32_t)next_number(&at);
        read_triple(&at, &position->x, &position->y, &position->z);
        read_triple(&at, &velocity->x, &velocity->y, &velocity->z);
    }
}

static void *create(uint32_t n) {
    struct json *json = bench_alloc(1, sizeof *json);
    limit_movers_create(&json->movers, n);
    limit_movers_fill(&json->movers, n);
    work_roughen(json->movers.position, n);
    json->text = bench_alloc(n + 1, LINE_MAX);
    save(json);
    return json;
}

static void run_save(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        save(state);
    }
}

static void run_load(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        load(state);
    }
}

static uint64_t checksum(void *state) {
    struct json *json = state;
    load(json);
    return limit_movers_hash(&json->movers);
}

static void destroy(void *state) {
    struct json *json = state;
    limit_movers_destroy(&json->movers);
    free(json->text);
    free(json);
}

const struct bench_side json_save_limit = {create, NULL, run_save, checksum, destroy, NULL};
const struct bench_side json_load_limit = {create, NULL, run_load, checksum, destroy, NULL};
#else
typedef int bench_json_limit_is_left_out;
#endif
