// Sector components of worlds: cosm/sector.h.
#include <cosm/cosm.h>

#include "harness.h"

typedef struct Spot {
    float x;
    float y;
} Spot;

typedef struct Heat {
    float degrees;
} Heat;

struct kitchen {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component spot;
    cosm_component heat;
    cosm_component smoke;
    cosm_component wet;
    cosm_archetype thing;
};

static struct kitchen open_kitchen(void) {
    struct kitchen k = {.engine = cosm_engine_create(NULL)};
    k.spot = COSM_COMPONENT_DEFINE(k.engine, Spot);
    k.heat = cosm_component_define(
        k.engine, &(cosm_component_desc){
                      .name = "Heat", .size = sizeof(Heat), .storage = COSM_STORAGE_SECTOR});
    k.smoke = cosm_component_define(
        k.engine,
        &(cosm_component_desc){.name = "Smoke", .size = 8, .storage = COSM_STORAGE_SECTOR});
    k.wet = cosm_component_define(
        k.engine, &(cosm_component_desc){.name = "Wet", .storage = COSM_STORAGE_SECTOR});
    CHECK(cosm_sector_group_define(
              k.engine, &(cosm_sector_group_desc){.name = "fire", .components = {k.heat, k.smoke}})
              .id != 0);
    k.thing = cosm_archetype_define(
        k.engine, &(cosm_archetype_desc){.name = "thing", .components = {k.spot}});
    k.batch = cosm_batch_create(k.engine, NULL);
    k.world = cosm_batch_world(k.batch, 0);
    return k;
}

static void close_kitchen(struct kitchen *k) {
    CHECK(cosm_batch_validate(k->batch) == COSM_OK);
    CHECK(cosm_batch_destroy(k->batch) == COSM_OK);
    cosm_engine_destroy(k->engine);
}

TEST(adding_a_sector_component_does_not_move_the_entity) {
    struct kitchen k = open_kitchen();
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        all[i] = cosm_entity_spawn(k.world, k.thing);
    }
    for (uint32_t i = 0; i < 100; i += 3) {
        cosm_loc before = cosm_entity_loc(k.world, all[i]);
        CHECK(cosm_entity_set(k.world, all[i], k.heat, &(Heat){(float)i}) == COSM_OK);
        cosm_loc after = cosm_entity_loc(k.world, all[i]);
        CHECK(before.table == after.table && before.row == after.row);
        CHECK(cosm_entity_has(k.world, all[i], k.heat));
        CHECK(COSM_READ(k.world, all[i], Heat, k.heat)->degrees == (float)i);
    }
    CHECK(cosm_entity_add(k.world, all[3], k.wet) == COSM_OK);
    cosm_query *hot = cosm_query_create(
        k.engine, &(cosm_query_desc){.terms = {{.component = k.spot},
                                               {.component = k.heat},
                                               {.component = k.wet, .kind = COSM_TERM_WITHOUT},
                                               {.component = k.smoke, .kind = COSM_TERM_OPTIONAL}}});
    CHECK(cosm_query_count(hot, cosm_worlds_all(k.batch)) == 33);
    cosm_rows rows;
    uint32_t seen = 0;
    cosm_query_walk(hot, cosm_worlds_all(k.batch), &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            const Heat *heat = COSM_SECTOR_READ(&rows, Heat, 1, i);
            CHECK(heat != NULL && heat->degrees == (float)rows.entities[i].id);
            CHECK(COSM_SECTOR_READ(&rows, double, 3, i) == NULL);
            seen++;
        }
    }
    CHECK(seen == 33);
    CHECK(cosm_query_remove(hot, cosm_worlds_all(k.batch), k.heat) == COSM_OK);
    CHECK(cosm_query_count(hot, cosm_worlds_all(k.batch)) == 0);
    CHECK(cosm_entity_has(k.world, all[3], k.heat));
    CHECK(cosm_entity_despawn(k.world, all[3]) == COSM_OK);
    CHECK(cosm_batch_validate(k.batch) == COSM_OK);
    CHECK(cosm_batch_reset(k.batch, NULL) == COSM_OK);
    cosm_query_destroy(hot);
    close_kitchen(&k);
}

TEST(commands_and_spawns_take_sector_values) {
    struct kitchen k = open_kitchen();
    cosm_value values[] = {{k.spot, &(Spot){1, 2}}, {k.heat, &(Heat){7}}};
    cosm_entity a = cosm_entity_spawn_with(k.world, k.thing, values, 2);
    CHECK(COSM_READ(k.world, a, Heat, k.heat)->degrees == 7);
    CHECK(COSM_READ(k.world, a, Spot, k.spot)->y == 2);
    cosm_commands *commands = cosm_commands_create(k.batch);
    cosm_entity b = cosm_commands_spawn_with(commands, k.world, k.thing, values, 2);
    CHECK(cosm_commands_remove(commands, k.world, a, k.heat) == COSM_OK);
    CHECK(cosm_commands_add(commands, k.world, a, k.heat) == COSM_OK);
    CHECK(cosm_commands_apply(commands, NULL) == COSM_OK);
    CHECK(COSM_READ(k.world, a, Heat, k.heat)->degrees == 0);
    CHECK(COSM_READ(k.world, b, Heat, k.heat)->degrees == 7);
    cosm_commands_destroy(commands);
    close_kitchen(&k);
}
