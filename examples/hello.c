// A stone falls for a second: the smallest whole program.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Height { float meters; } Height;
typedef struct Speed { float meters_per_second; } Speed;

static void fall(cosm_rows *rows) {
    Height *height = COSM_WRITE(rows, Height);
    Speed *speed = COSM_WRITE(rows, Speed);
    for (uint32_t i = 0; i < rows->count; i++) {
        speed[i].meters_per_second -= 9.81f * rows->dt;
        height[i].meters += speed[i].meters_per_second * rows->dt;
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Height, meters);
    COSM_COMPONENT_DEFINE(engine, Speed, meters_per_second);
    COSM_SYSTEM_DEFINE(engine, fall, "mut Height, mut Speed");
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity stone = COSM_SPAWN(world, COSM_VALUE(Height, 10), COSM_VALUE(Speed, 0));
    if (cosm_batch_run(batch, 60) == COSM_OK) {
        printf("after a second the stone is at %.2f m\n", COSM_READ(world, stone, Height)->meters);
    }
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
