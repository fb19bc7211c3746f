// Three stones fall for a second: the smallest whole program.
#include <cosm/cosm.h>
#include <stdio.h>

int main(void) {
    typedef float Height, Speed;
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component height = COSM_COMPONENT_DEFINE(engine, Height);
    cosm_component speed = COSM_COMPONENT_DEFINE(engine, Speed);
    cosm_archetype stone =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {height, speed}});
    cosm_query *stones = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = height}, {.component = speed}}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    for (Height h = 10; h <= 30; h += 10) {
        cosm_entity_spawn_with(cosm_batch_world(batch, 0), stone, &(cosm_value){height, &h}, 1);
    }
    cosm_rows rows;
    cosm_query_walk(stones, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        Height *h = COSM_COLUMN_WRITE(&rows, Height, 0);
        Speed *v = COSM_COLUMN_WRITE(&rows, Speed, 1);
        for (uint32_t i = 0; i < rows.count; i++) {
            v[i] -= 9.81f;
            printf("a stone is at %.2f m\n", h[i] += v[i]);
        }
    }
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
