// A template with children, spawned many times over; one of the spawned ones is changed and becomes
// a template itself.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Strength {
    int points;
} Strength;

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component position = COSM_COMPONENT_DEFINE(engine, Position, x, y);
    cosm_component strength = COSM_COMPONENT_DEFINE(engine, Strength, points);
    cosm_template archer = cosm_template_define(
        engine, &(cosm_template_desc){.name = "archer",
                                      .values = &(cosm_value){strength, &(Strength){3}},
                                      .value_count = 1});
    cosm_value tower_values[] = {{position, &(Position){0, 0}}, {strength, &(Strength){50}}};
    cosm_template tower = cosm_template_define(
        engine, &(cosm_template_desc){.name = "tower",
                                      .values = tower_values,
                                      .value_count = 2,
                                      .children = &(cosm_template_child){archer, 4},
                                      .child_count = 1});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_rows towers;
    if (cosm_template_spawn_many(world, tower, 3, NULL, 0, &towers) != COSM_OK) {
        return 1;
    }
    Position *position_of = COSM_WRITE(&towers, Position);
    for (uint32_t i = 0; i < towers.count; i++) {
        position_of[i].x = 10 * (float)i; // where they differ
    }
    printf("%u entities, %u archers on the last tower\n", cosm_world_entity_count(world),
           cosm_tree_child_count(world, towers.entities[2]));

    // One archer falls, and this is how it is from now on.
    cosm_entity ruin = towers.entities[2];
    COSM_WRITE(world, ruin, Strength)->points = 5;
    if (cosm_entity_despawn(world, cosm_tree_first_child(world, ruin)) != COSM_OK) {
        return 1;
    }
    cosm_template ruined = cosm_template_capture(world, ruin, "ruined tower", true);
    cosm_value elsewhere = {position, &(Position){-10, 0}};
    cosm_entity copy = cosm_template_spawn(world, ruined, &elsewhere, 1);
    cosm_template_info info = cosm_template_describe(engine, ruined);
    printf("'%s' is %u entities: strength %d at %g\n", info.name, info.entity_count,
           COSM_READ(world, copy, Strength)->points, (double)COSM_READ(world, copy, Position)->x);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
