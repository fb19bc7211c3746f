// What has changed since you last looked: a reader of positions, and another that looks less often.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

// Shows which entities have moved since this reader last looked.
static void report(const char *who, cosm_change_reader *reader, cosm_world world) {
    printf("%s:", who);
    cosm_rows rows;
    cosm_change_walk(reader, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_COLUMN_READ(&rows, Position, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("  %u at %g,%g", rows.entities[i].id, position[i].x, position[i].y);
        }
    }
    printf("\n");
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    // Exactly the rows that were written, not all rows of their chunk.
    cosm_component position = cosm_component_define(
        engine,
        &(cosm_component_desc){
            .name = "Position", .size = sizeof(Position), .alignment = 4, .change_rows = true});
    cosm_archetype stone =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {position}});
    cosm_query_desc moved = {.by_world = false};
    if (cosm_query_parse(engine, "~Position", &moved) != COSM_OK) {
        return 1;
    }
    cosm_query *query = cosm_query_create(engine, &moved);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity stones[4];
    for (uint32_t i = 0; i < 4; i++) {
        Position at = {(float)i, 0};
        stones[i] = cosm_entity_spawn_with(world, stone, &(cosm_value){position, &at}, 1);
    }

    cosm_change_reader *often = cosm_change_reader_create(batch, query);
    cosm_change_reader *seldom = cosm_change_reader_create(batch, query);
    report("often ", often, world);
    report("seldom", seldom, world);

    COSM_WRITE(world, stones[1], Position)->y = 7;
    report("often ", often, world);
    COSM_WRITE(world, stones[2], Position)->y = 8;
    report("often ", often, world);
    report("often ", often, world);
    report("seldom", seldom, world); // the other one has hidden nothing

    cosm_change_reader_destroy(often);
    cosm_change_reader_destroy(seldom);
    cosm_query_destroy(query);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return 0;
}
