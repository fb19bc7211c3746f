// Spawning and despawning while a world is being walked: the changes are recorded as commands and
// applied after the walk.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Age {
    int years;
} Age;

int main(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    COSM_COMPONENT_DEFINE(engine, Age, years);
    cosm_query *trees = cosm_query_create(engine, &(cosm_query_desc){.text = "Age"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_commands *commands = cosm_commands_create(batch);
    for (int years = 50; years <= 250; years += 50) {
        COSM_SPAWN(world, COSM_VALUE(Age, years));
    }

    cosm_rows rows;
    cosm_query_walk(trees, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Age *age = COSM_READ(&rows, Age);
        cosm_result refused = cosm_entity_despawn(world, rows.entities[0]);
        printf("despawn at once: %s\n", cosm_result_name(refused));
        for (uint32_t i = 0; i < rows.count; i++) {
            if (age[i].years >= 200) {
                cosm_commands_despawn(commands, world, rows.entities[i]);
                // The handle is good at once, for further commands; alive it is after the apply.
                cosm_entity sapling = COSM_COMMANDS_SPAWN(commands, world, COSM_VALUE(Age, 0));
                printf("a tree of %d falls, the sapling is %s yet\n", age[i].years,
                       cosm_entity_is_alive(world, sapling) ? "alive" : "not alive");
            }
        }
    }

    cosm_commands_report report;
    cosm_result result = cosm_commands_apply(commands, &report);
    printf("%s: %u spawned, %u despawned\n", cosm_result_name(result), report.spawned,
           report.despawned);
    cosm_query_walk(trees, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Age *age = COSM_READ(&rows, Age);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("a tree of %d\n", age[i].years);
        }
    }
    cosm_commands_destroy(commands);
    cosm_query_destroy(trees);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
