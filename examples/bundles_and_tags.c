// A bundle is a name for several components, good wherever one is. A tag is a component without
// bytes: an entity has it or not.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component position = COSM_COMPONENT_DEFINE(engine, Position, x, y);
    cosm_component velocity = COSM_COMPONENT_DEFINE(engine, Velocity, x, y);
    cosm_component frozen = COSM_TAG_DEFINE(engine, Frozen);
    cosm_component motion = cosm_bundle_define(
        engine, &(cosm_bundle_desc){.name = "Motion", .components = {position, velocity}});
    cosm_archetype rock = cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "rock"});
    cosm_archetype bird = cosm_archetype_define(engine, &(cosm_archetype_desc){.text = "Motion"});
    cosm_query *movers = cosm_query_create(engine, &(cosm_query_desc){.text = "Motion, !Frozen"});

    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_worlds all = cosm_worlds_all(batch);
    cosm_entity sparrow = cosm_entity_spawn(world, bird);
    cosm_entity pebble = cosm_entity_spawn(world, rock);
    printf("movers: %u\n", (unsigned)cosm_query_count(movers, all));

    // Adding the bundle adds both components, in one move.
    cosm_result result = cosm_entity_add(world, pebble, motion);
    printf("throw the pebble: %s, it has a velocity: %s\n", cosm_result_name(result),
           cosm_entity_has(world, pebble, velocity) ? "yes" : "no");
    printf("movers: %u\n", (unsigned)cosm_query_count(movers, all));

    // The tag takes the sparrow to another table, which the query leaves out.
    result = cosm_entity_add(world, sparrow, frozen);
    printf("freeze the sparrow: %s, movers: %u\n", cosm_result_name(result),
           (unsigned)cosm_query_count(movers, all));
    result = cosm_entity_remove(world, sparrow, frozen);
    printf("thaw the sparrow: %s, movers: %u\n", cosm_result_name(result),
           (unsigned)cosm_query_count(movers, all));
    printf("both are of one archetype now: %s\n",
           cosm_entity_archetype(world, pebble).id == bird.id ? "yes" : "no");

    cosm_query_destroy(movers);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
