// Four worlds of three entities each. In the fixed placement their rows lie side by side, and
// where worlds are full one run of rows goes through several of them.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Score {
    int points;
} Score;

static void show(cosm_query *query, cosm_batch *batch) {
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        Score *score = COSM_WRITE(&rows, Score);
        printf("a run of %u rows from world %u on:", rows.count, rows.world);
        for (uint32_t i = 0; i < rows.count; i++) {
            score[i].points += 1;
            printf(" %u/%d", cosm_rows_world(&rows, i).index, score[i].points);
        }
        printf("\n");
    }
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    COSM_COMPONENT_DEFINE(engine, Score, points);
    cosm_archetype player = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .text = "Score", .placement = COSM_PLACEMENT_FIXED, .max_per_world = 3});
    cosm_query *query = cosm_query_create(engine, &(cosm_query_desc){.text = "mut Score"});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 4});
    cosm_entity last = COSM_ENTITY_NONE;
    for (uint32_t w = 0; w < 4; w++) {
        for (int i = 0; i < 3; i++) {
            last = cosm_entity_spawn(cosm_batch_world(batch, w), player);
        }
    }
    show(query, batch);

    // A world that is not full ends a run. Handles are local to their world: the last entity of
    // world 3 has the same handle as the last one of world 1.
    if (cosm_entity_despawn(cosm_batch_world(batch, 1), last) != COSM_OK) {
        return 1;
    }
    show(query, batch);

    // A full world refuses one more entity, and its neighbour is not touched.
    cosm_entity fourth = cosm_entity_spawn(cosm_batch_world(batch, 0), player);
    printf("a fourth one: %s\n", cosm_entity_is_none(fourth) ? "refused" : "spawned");

    cosm_query_destroy(query);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
}
