// What has changed since you last looked: a reader of positions, and another that looks less often.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

// Prints which entities have moved since this reader last looked.
static void report(const char *who, cosm_change_reader *reader, cosm_world world) {
    printf("%s:", who);
    cosm_rows rows;
    cosm_change_walk(reader, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_READ(&rows, Position);
        for (uint32_t i = 0; i < rows.count; i++) {
            printf("  %u at %g,%g", rows.entities[i].id, position[i].x, position[i].y);
        }
    }
    printf("\n");
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    // Exactly the rows that were written, not all rows of their chunk.
    cosm_component_define(engine, &(cosm_component_desc){.name = "Position",
                                                         .size = sizeof(Position),
                                                         .alignment = 4,
                                                         .change_rows = true});
    cosm_query *moved = cosm_query_create(engine, &(cosm_query_desc){.text = "~Position"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity stones[4];
    for (uint32_t i = 0; i < 4; i++) {
        stones[i] = COSM_SPAWN(world, COSM_VALUE(Position, (float)i, 0));
    }

    cosm_change_reader *often = cosm_change_reader_create(batch, moved);
    cosm_change_reader *seldom = cosm_change_reader_create(batch, moved);
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
    cosm_query_destroy(moved);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
