// Shared components: cosm/shared.h.
#include <cosm/cosm.h>

#include "harness.h"

typedef struct Spot {
    float x;
    float y;
} Spot;

typedef struct Team {
    uint32_t color;
    uint32_t rank;
} Team;

struct yard_of_teams {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component spot;
    cosm_component team;
    cosm_component level;
    cosm_archetype player;
};

static struct yard_of_teams make_teams(void) {
    struct yard_of_teams y = {.engine = cosm_engine_create(NULL)};
    y.spot = COSM_COMPONENT_DEFINE(y.engine, Spot);
    y.team = cosm_component_define(
        y.engine, &(cosm_component_desc){
                      .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED});
    y.level = cosm_component_define(
        y.engine, &(cosm_component_desc){
                      .name = "Level", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED});
    y.player = cosm_archetype_define(
        y.engine, &(cosm_archetype_desc){.name = "player", .components = {y.spot, y.team}});
    y.batch = cosm_batch_create(y.engine, NULL);
    y.world = cosm_batch_world(y.batch, 0);
    return y;
}

static void free_teams(struct yard_of_teams *y) {
    CHECK(cosm_batch_destroy(y->batch) == COSM_OK);
    cosm_engine_destroy(y->engine);
}

TEST(entities_of_equal_value_stand_in_one_table) {
    struct yard_of_teams y = make_teams();
    Team red = {1, 0};
    Team blue = {2, 0};
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        cosm_value values[] = {{y.team, i % 2 == 0 ? &red : &blue}};
        all[i] = cosm_entity_spawn_with(y.world, y.player, values, 1);
        CHECK(!cosm_entity_is_none(all[i]));
    }
    CHECK(cosm_shared_value_count(y.world, y.team) == 2);
    CHECK(cosm_shared_entity_count(y.world, y.team, &red) == 50);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    cosm_query *reds =
        cosm_query_create(y.engine, &(cosm_query_desc){.terms = {{.component = y.spot},
                                                                 {.component = y.team, .value = &red}}});
    CHECK(cosm_query_count(reds, cosm_worlds_all(y.batch)) == 50);
    cosm_rows rows;
    uint32_t runs = 0;
    cosm_query_walk(reds, cosm_worlds_all(y.batch), &rows);
    while (cosm_rows_next(&rows)) {
        const Team *team = COSM_SHARED_READ(&rows, Team, 1);
        CHECK(team != NULL && team->color == 1);
        CHECK(rows.count == 50);
        runs++;
    }
    CHECK(runs == 1);
    CHECK(cosm_entity_set(y.world, all[0], y.team, &blue) == COSM_OK);
    CHECK(cosm_query_count(reds, cosm_worlds_all(y.batch)) == 49);
    CHECK(cosm_entity_set(y.world, all[1], y.level, &(uint32_t){7}) == COSM_OK);
    CHECK(cosm_shared_entity_count(y.world, y.team, &blue) == 51);
    CHECK(cosm_entity_set(y.world, all[2], y.level, &(uint32_t){7}) == COSM_OK);
    CHECK(cosm_query_count(reds, cosm_worlds_all(y.batch)) == 49);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    CHECK(cosm_query_set(reds, cosm_worlds_all(y.batch), y.team, &blue) == COSM_OK);
    CHECK(cosm_shared_value_count(y.world, y.team) == 1);
    CHECK(cosm_shared_entity_count(y.world, y.team, &blue) == 100);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(cosm_entity_despawn(y.world, all[i]) == COSM_OK);
    }
    CHECK(cosm_shared_value_count(y.world, y.team) == 0);
    CHECK(cosm_shared_value_count(y.world, y.level) == 0);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    cosm_query_destroy(reds);
    free_teams(&y);
}

TEST(commands_take_shared_values) {
    struct yard_of_teams y = make_teams();
    cosm_commands *commands = cosm_commands_create(y.batch);
    Team red = {1, 0};
    Team blue = {2, 0};
    cosm_value values[] = {{y.team, &red}, {y.spot, &(Spot){3, 4}}};
    cosm_entity a = cosm_commands_spawn_with(commands, y.world, y.player, values, 2);
    cosm_entity b = cosm_commands_spawn(commands, y.world, y.player);
    CHECK(cosm_commands_set(commands, y.world, b, y.team, &blue) == COSM_OK);
    CHECK(cosm_commands_apply(commands, NULL) == COSM_OK);
    CHECK(cosm_shared_value_count(y.world, y.team) == 2);
    CHECK(((const Team *)cosm_entity_read(y.world, b, y.team))->color == 2);
    CHECK(cosm_commands_set(commands, y.world, a, y.team, &blue) == COSM_OK);
    CHECK(cosm_commands_remove(commands, y.world, b, y.team) == COSM_OK);
    CHECK(cosm_commands_apply(commands, NULL) == COSM_OK);
    CHECK(cosm_shared_entity_count(y.world, y.team, &blue) == 1);
    CHECK(COSM_READ(y.world, a, Spot, y.spot)->y == 4);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    CHECK(cosm_batch_reset(y.batch, NULL) == COSM_OK);
    CHECK(cosm_shared_value_count(y.world, y.team) == 0);
    CHECK(cosm_batch_validate(y.batch) == COSM_OK);
    cosm_commands_destroy(commands);
    free_teams(&y);
}
