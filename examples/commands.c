// Spawning and despawning while a world is being walked: the changes are recorded as commands and
// applied after the walk.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Age {
    int years;
} Age;

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component age = COSM_COMPONENT_DEFINE(engine, Age);
    cosm_archetype tree =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {age}});
    cosm_query *trees = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = age, .access = COSM_ACCESS_WRITE}}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_commands *commands = cosm_commands_create(batch);
    for (Age a = {50}; a.years <= 250; a.years += 50) {
        cosm_entity_spawn_with(world, tree, &(cosm_value){age, &a}, 1);
    }

    cosm_rows rows;
    cosm_result result = COSM_OK;
    cosm_query_walk(trees, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Age *a = COSM_COLUMN_READ(&rows, Age, 0);
        result = cosm_entity_despawn(world, rows.entities[0]);
        printf("despawn at once: %s\n", cosm_result_name(result));
        for (uint32_t i = 0; i < rows.count; i++) {
            if (a[i].years >= 200) {
                cosm_commands_despawn(commands, world, rows.entities[i]);
                // The handle is good at once, for further commands; alive it is after the apply.
                cosm_entity sapling = cosm_commands_spawn(commands, world, tree);
                printf("a tree of %d falls, the sapling is %s yet\n", a[i].years,
                       cosm_entity_is_alive(world, sapling) ? "alive" : "not alive");
            }
        }
    }

    cosm_commands_report report;
    result = cosm_commands_apply(commands, &report);
    printf("%s: %u spawned, %u despawned\n", cosm_result_name(result), report.spawned,
           report.despawned);
    cosm_query_walk(trees, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Age *a = COSM_COLUMN_READ(&rows, Age, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("a tree of %d\n", a[i].years);
        }
    }
    cosm_commands_destroy(commands);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return 0;
}
