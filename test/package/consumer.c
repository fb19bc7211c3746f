// A program of a user: built against the installed library, by CMake and by pkg-config.
#include <cosm/cosm.h>

#include <stdio.h>
#include <string.h>

typedef struct Height {
    float meters;
} Height;

// May be compiled into one operation that rounds once, where the flags allow it: run.sh looks.
float product_sum(float a, float b, float c);
float product_sum(float a, float b, float c) {
    return a * b + c;
}

// Spawns three, walks them, and says whether all of that went as it should.
static bool use_the_library(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component height = COSM_COMPONENT_DEFINE(engine, Height);
    cosm_archetype stone =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {height}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_rows rows;
    bool done = cosm_entity_spawn_many(cosm_batch_world(batch, 0), stone, 3, &rows) == COSM_OK;
    cosm_query *query = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = height, .access = COSM_ACCESS_WRITE}}});
    uint32_t seen = 0;
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        Height *heights = COSM_COLUMN_WRITE(&rows, Height, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            heights[i].meters += 1.0f;
            seen++;
        }
    }
    cosm_query_destroy(query);
    done = cosm_batch_destroy(batch) == COSM_OK && done;
    return cosm_engine_destroy(engine) == COSM_OK && done && seen == 3;
}

int main(void) {
    printf("%s\n", cosm_version());
    bool agrees = strcmp(cosm_version(), COSM_VERSION) == 0;
    return agrees && use_the_library() ? 0 : 1;
}
