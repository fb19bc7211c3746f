// Events as rows of a temporary archetype: they have no handles, are read like any other rows, and
// are gone at the end of the step.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Health {
    int points;
} Health;

typedef struct Hit {
    cosm_entity target;
    int damage;
} Hit;

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Health, points);
    COSM_COMPONENT_DEFINE(engine, Hit, target, damage);
    cosm_archetype hits =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.text = "Hit", .temporary = true});
    cosm_query *query = cosm_query_create(engine, &(cosm_query_desc){.text = "Hit"});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity gawain = COSM_SPAWN(world, COSM_VALUE(Health, 10));

    for (int step = 0; step < 2; step++) {
        cosm_rows rows;
        if (cosm_entity_spawn_many(world, hits, 2, &rows) != COSM_OK) {
            return 1;
        }
        Hit *made = COSM_WRITE(&rows, Hit);
        made[0] = (Hit){.target = gawain, .damage = 1};
        made[1] = (Hit){.target = gawain, .damage = 2};
        printf("step %d: %u rows, %u entity\n", step, cosm_table_row_count(world, hits),
               cosm_world_entity_count(world));

        cosm_query_walk(query, cosm_worlds_one(world), &rows);
        while (cosm_rows_next(&rows)) {
            const Hit *read = COSM_READ(&rows, Hit);
            for (uint32_t i = 0; i < rows.count; i++) {
                COSM_WRITE(world, read[i].target, Health)->points -= read[i].damage;
            }
        }
        cosm_result result = cosm_batch_step(batch);
        printf("end of step: %s, %u rows, health %d\n", cosm_result_name(result),
               cosm_table_row_count(world, hits), COSM_READ(world, gawain, Health)->points);
    }
    cosm_query_destroy(query);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
