// json_save, json_load: a world of movers as text in memory, and back into an empty world.
#ifdef BENCH_TEXT
#include <cosm_text/json.h>

#include "fixture.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

// A text that grows; its room is kept from run to run, as a program's buffer would be.
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

struct json {
    struct fixture *fixture;
    struct text text;
    bool saves; // else loads
};

static void text_take(void *context, const char *piece, size_t length) {
    struct text *text = context;
    if (text->capacity - text->length < length) {
        text->capacity = (text->capacity + length) * 2;
        text->bytes = realloc(text->bytes, text->capacity);
        bench_need(text->bytes != NULL, "memory");
    }
    memcpy(text->bytes + text->length, piece, length);
    text->length += length;
}

// A saved world has values with digits behind the point.
static struct json *create_json(uint32_t n, bool saves) {
    struct json *json = bench_alloc(1, sizeof *json);
    *json = (struct json){.fixture = fixture_create(n), .saves = saves};
    fixture_spawn_bulk(json->fixture);
    cosm_rows rows;
    cosm_query_walk(json->fixture->movers, json->fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        work_roughen(COSM_COLUMN_WRITE(&rows, Position, 0), rows.count);
    }
    return json;
}

static void save(struct json *json) {
    json->text.length = 0;
    bench_need(cosm_json_write_world(json->fixture->world, (cosm_json_style){0}, text_take,
                                     &json->text) == COSM_OK,
               "save");
}

static void load(struct json *json) {
    bench_need(cosm_json_read_world(json->fixture->world, json->text.bytes, json->text.length) ==
                   COSM_OK,
               "load");
}

static void empty(void *state) {
    struct json *json = state;
    bench_need(cosm_world_reset(json->fixture->world) == COSM_OK, "reset");
}

static void *create_save(uint32_t n) {
    return create_json(n, true);
}

static void *create_load(uint32_t n) {
    struct json *json = create_json(n, false);
    save(json);
    return json;
}

static void run_save(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        save(state);
    }
}

static void run_load(void *state, uint32_t times) {
    (void)times;
    load(state);
}

// Of what was saved: by reading it back.
static uint64_t checksum(void *state) {
    struct json *json = state;
    if (json->saves) {
        empty(json);
        load(json);
    }
    return fixture_hash(json->fixture);
}

static void destroy(void *state) {
    struct json *json = state;
    fixture_destroy(json->fixture);
    free(json->text.bytes);
    free(json);
}

const struct bench_side json_save_cosm = {create_save, NULL, run_save, checksum, destroy, NULL};
const struct bench_side json_load_cosm = {create_load, empty, run_load, checksum, destroy, NULL};
#else
typedef int bench_json_is_left_out;
#endif
