// A stone falls for a second: the smallest whole program.
#include <cosm/cosm.h>
#include <stdio.h>

typedef float Height, Speed;

static void fall(cosm_rows *rows) {
    Height *h = COSM_COLUMN_WRITE(rows, Height, 0);
    Speed *v = COSM_COLUMN_WRITE(rows, Speed, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        h[i] += (v[i] -= 9.81f * rows->dt) * rows->dt;
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component height = COSM_COMPONENT_DEFINE(engine, Height);
    cosm_component speed = COSM_COMPONENT_DEFINE(engine, Speed);
    cosm_archetype stone =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {height, speed}});
    cosm_query_desc all = {.terms = {{.component = height, .access = COSM_ACCESS_WRITE},
                                     {.component = speed, .access = COSM_ACCESS_WRITE}}};
    cosm_system_define(engine, &(cosm_system_desc){.name = "fall", .each = fall, .queries = {all}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity e = cosm_entity_spawn_with(world, stone, &(cosm_value){height, &(Height){10}}, 1);
    while (cosm_batch_step_count(batch) < 60 && cosm_batch_step(batch) == COSM_OK) {
    }
    printf("after a second the stone is at %.2f m\n", *COSM_READ(world, e, Height));
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
