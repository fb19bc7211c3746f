// json_trees: what a library for JSON takes to turn the text of json_load into a tree of its own,
// and no more: why docs/design/030-json.md has a scanner of its own. Rows without a bar, for those
// libraries that are installed.
#include "rows.h"

#if defined(BENCH_JANSSON) || defined(BENCH_CJSON)
#include <cosm_text/json.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

struct tree_text {
    char *bytes;
    size_t length;
};

static void keep(void *context, const char *piece, size_t length) {
    struct tree_text *text = context;
    text->bytes = realloc(text->bytes, text->length + length + 1);
    bench_need(text->bytes != NULL, "memory");
    memcpy(text->bytes + text->length, piece, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void *create(uint32_t n) {
    struct tree_text *text = bench_alloc(1, sizeof *text);
    *text = (struct tree_text){NULL, 0};
    struct fixture *fixture = fixture_create(n);
    fixture_spawn_bulk(fixture);
    cosm_rows rows;
    cosm_query_walk(fixture->movers, fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        work_roughen(COSM_COLUMN_WRITE(&rows, Position, 0), rows.count);
    }
    bench_need(cosm_json_write_world(fixture->world, (cosm_json_style){0}, keep, text) == COSM_OK,
               "save");
    fixture_destroy(fixture);
    return text;
}

// The two sides have no state in common that could be compared.
static uint64_t checksum(void *state) {
    (void)state;
    return 0;
}

static void destroy(void *state) {
    struct tree_text *text = state;
    free(text->bytes);
    free(text);
}
#endif

#ifdef BENCH_JANSSON
#include <jansson.h>

static void run_jansson(void *state, uint32_t times) {
    const struct tree_text *text = state;
    for (uint32_t i = 0; i < times; i++) {
        json_error_t error;
        json_t *tree = json_loadb(text->bytes, text->length, 0, &error);
        bench_need(tree != NULL, "jansson");
        json_decref(tree);
    }
}

const struct bench_side json_jansson = {create, NULL, run_jansson, checksum, destroy, NULL};
#endif

#ifdef BENCH_CJSON
#include <cjson/cJSON.h>

static void run_cjson(void *state, uint32_t times) {
    const struct tree_text *text = state;
    for (uint32_t i = 0; i < times; i++) {
        cJSON *tree = cJSON_ParseWithLength(text->bytes, text->length);
        bench_need(tree != NULL, "cJSON");
        cJSON_Delete(tree);
    }
}

const struct bench_side json_cjson = {create, NULL, run_cjson, checksum, destroy, NULL};
#endif
