// Shared components: the promises of cosm/shared.h, and every direct change of entities.
#include <string.h>

#include "harness.h"
#include "support/teams.h"

// The values of a world as cosm_shared_each tells them.
struct tally {
    uint32_t calls;
    uint32_t entities;
    uint32_t colors[64];
    uint32_t counts[64];
};

static void tally_value(void *context, const void *value, uint32_t entity_count) {
    struct tally *tally = context;
    if (tally->calls < 64) {
        tally->colors[tally->calls] = ((const Team *)value)->color;
        tally->counts[tally->calls] = entity_count;
    }
    tally->calls++;
    tally->entities += entity_count;
}

// How many tables a query walks.
static uint32_t run_count(const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint32_t runs = 0;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        runs++;
    }
    return runs;
}

TEST(entities_of_equal_value_stand_in_one_table) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        all[i] = teams_spawn(&teams, teams.world, i % 2, (float)i);
    }
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 2);
    CHECK_INT(teams_count(&teams, teams.world, 0), 50);
    CHECK_INT(run_count(teams.spots, teams.all), 2);
    cosm_rows rows;
    cosm_query *ones = teams_query(&teams, teams.team, &(Team){1, 0});
    cosm_query_walk(ones, teams.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 50);
    const Spot *spot = COSM_COLUMN_READ(&rows, Spot, 0);
    const Team *team = COSM_SHARED_READ(&rows, Team, 1);
    CHECK(team != NULL && team->color == 1);
    CHECK(cosm_rows_shared(&rows, teams.team) == team);
    for (uint32_t i = 0; i < rows.count; i++) {
        CHECK(cosm_entity_equals(rows.entities[i], all[2 * i + 1]));
        CHECK(spot[i].x == (float)(2 * i + 1));
    }
    CHECK(!cosm_rows_next(&rows));
    cosm_query_destroy(ones);
    teams_close(&teams);
}

TEST(a_spawn_without_a_value_takes_the_default) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity one = cosm_entity_spawn(teams.world, teams.hero);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(teams.world, teams.hero, 5, &rows));
    CHECK_INT(rows.count, 5);
    CHECK_INT(((const Level *)cosm_rows_shared(&rows, teams.level))->number, LEVEL_DEFAULT);
    CHECK_DONE(cosm_entity_spawn_many_unset(teams.world, teams.hero, 4, &rows));
    memset(COSM_WRITE(&rows, Spot), 0, 4 * sizeof(Spot));
    CHECK_INT(((const Team *)cosm_rows_shared(&rows, teams.team))->color, 0);
    CHECK_INT(COSM_READ(teams.world, one, Level)->number, LEVEL_DEFAULT);
    CHECK_INT(COSM_READ(teams.world, one, Team)->rank, 0);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.level, &(Level){LEVEL_DEFAULT}), 10);
    CHECK_INT(run_count(teams.spots, teams.all), 1);
    teams_close(&teams);
}

TEST(a_large_value_without_a_default_is_of_zeroes) {
    struct teams teams;
    teams_open(&teams, 1);
    static char bytes[5000];
    cosm_component large = cosm_component_define(
        teams.engine, &(cosm_component_desc){
                          .name = "Large", .size = sizeof(bytes), .storage = COSM_STORAGE_SHARED});
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.player);
    CHECK_DONE(cosm_entity_add(teams.world, entity, large));
    memset(bytes, 0, sizeof(bytes));
    CHECK_MEM(cosm_entity_read(teams.world, entity, large), bytes, sizeof(bytes));
    CHECK_INT(cosm_shared_entity_count(teams.world, large, bytes), 1);
    bytes[4999] = 1;
    CHECK_INT(cosm_shared_entity_count(teams.world, large, bytes), 0);
    CHECK_DONE(cosm_entity_set(teams.world, entity, large, bytes));
    CHECK_MEM(cosm_entity_read(teams.world, entity, large), bytes, sizeof(bytes));
    teams_close(&teams);
}

TEST(values_are_aligned_as_their_component_says) {
    struct teams teams;
    teams_open(&teams, 1);
    static const size_t alignments[] = {1, 16, 64, 4096};
    static const char *const names[] = {"a", "b", "c", "d"};
    static _Alignas(16) char bytes[4096];
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.player);
    for (uint32_t i = 0; i < 4; i++) {
        cosm_component c = cosm_component_define(
            teams.engine, &(cosm_component_desc){.name = names[i],
                                                 .size = alignments[i],
                                                 .alignment = alignments[i],
                                                 .storage = COSM_STORAGE_SHARED});
        bytes[alignments[i] - 1] = (char)(i + 1);
        CHECK_DONE(cosm_entity_set(teams.world, entity, c, bytes));
        const char *value = cosm_entity_read(teams.world, entity, c);
        REQUIRE(value != NULL);
        CHECK_INT((uintptr_t)value % alignments[i], 0);
        CHECK_INT(value[alignments[i] - 1], i + 1);
    }
    teams_close(&teams);
}

TEST(many_spawned_with_values_have_them_all) {
    struct teams teams;
    teams_open(&teams, 1);
    Team team = {4, 2};
    Spot spot = {1, 2};
    cosm_value values[] = {{teams.spot, &spot}, {teams.team, &team}};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, teams.hero, 300, values, 2, &rows));
    CHECK_INT(rows.count, 300);
    for (uint32_t i = 0; i < 300; i++) {
        Team got = {0, 0};
        CHECK(cosm_rows_get(&rows, i, teams.team, &got) && got.color == 4 && got.rank == 2);
        CHECK(COSM_WRITE(&rows, Spot)[i].y == 2);
    }
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &team), 300);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.level, &(Level){LEVEL_DEFAULT}), 300);
    // Again: the same table, also where a value is that of its own rows.
    values[1].data = cosm_entity_read(teams.world, rows.entities[0], teams.team);
    values[0].data = cosm_entity_read(teams.world, rows.entities[7], teams.spot);
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, teams.hero, 3000, values, 2, &rows));
    CHECK_INT(rows.row, 300);
    CHECK(COSM_WRITE(&rows, Spot)[2999].y == 2);
    CHECK_INT(run_count(teams.spots, teams.all), 1);
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, teams.hero, 0, values, 2, &rows));
    CHECK_INT(rows.count, 0);
    CHECK(cosm_rows_shared(&rows, teams.team) == NULL);
    CHECK_DONE(cosm_batch_reset(teams.batch, NULL));
    CHECK_DONE(cosm_entity_spawn_many(teams.world, teams.hero, 0, &rows));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    teams_close(&teams);
}

TEST(the_last_of_several_values_of_one_component_counts) {
    struct teams teams;
    teams_open(&teams, 1);
    Team first = {1, 0};
    Team last = {2, 0};
    cosm_value values[] = {{teams.team, &first}, {teams.team, &last}};
    cosm_entity entity = cosm_entity_spawn_with(teams.world, teams.player, values, 2);
    CHECK_INT(teams_color(teams.world, entity), 2);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    teams_close(&teams);
}

TEST(setting_a_value_moves_the_entity_and_keeps_the_rest) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity all[10];
    for (uint32_t i = 0; i < 10; i++) {
        all[i] = teams_spawn(&teams, teams.world, 1, (float)i);
    }
    cosm_loc before = cosm_entity_loc(teams.world, all[3]);
    CHECK_DONE(cosm_entity_set(teams.world, all[3], teams.team, &(Team){2, 0}));
    cosm_loc after = cosm_entity_loc(teams.world, all[3]);
    CHECK(before.table != after.table);
    CHECK(cosm_entity_equals(cosm_entity_at(teams.world, after), all[3]));
    CHECK_INT(cosm_entity_archetype(teams.world, all[3]).id, teams.player.id);
    CHECK(COSM_READ(teams.world, all[3], Spot)->x == 3);
    CHECK(cosm_entity_equals(cosm_entity_at(teams.world, before), all[9])); // filled the hole
    CHECK_INT(teams_count(&teams, teams.world, 1), 9);
    // The value that it has already: nothing moves.
    CHECK_DONE(cosm_entity_set(teams.world, all[3], teams.team, &(Team){2, 0}));
    CHECK_INT(cosm_entity_loc(teams.world, all[3]).table, after.table);
    // One that comes from another entity, or from itself.
    CHECK_DONE(cosm_entity_set(teams.world, all[3], teams.team,
                               cosm_entity_read(teams.world, all[0], teams.team)));
    CHECK_DONE(cosm_entity_set(teams.world, all[3], teams.team,
                               cosm_entity_read(teams.world, all[3], teams.team)));
    CHECK_INT(teams_count(&teams, teams.world, 1), 10);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    teams_close(&teams);
}

TEST(the_last_entity_of_a_value_may_give_it_to_itself_elsewhere) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.badge);
    char text[] = "only one";
    CHECK_DONE(cosm_entity_set(teams.world, entity, teams.label, &(Label){text}));
    // Its bytes end with the table that the entity leaves.
    cosm_entity other = cosm_entity_spawn(teams.world, teams.plain);
    CHECK_DONE(cosm_entity_set(teams.world, other, teams.label,
                               cosm_entity_read(teams.world, entity, teams.label)));
    CHECK_DONE(cosm_entity_despawn(teams.world, entity));
    CHECK_STR(COSM_READ(teams.world, other, Label)->text, "only one");
    CHECK_INT(cosm_shared_value_count(teams.world, teams.label), 1);
    teams_close(&teams);
}

TEST(adding_and_removing_other_components_keeps_shared_values) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity a = teams_spawn(&teams, teams.world, 3, 1);
    cosm_entity b = teams_spawn(&teams, teams.world, 4, 2);
    CHECK_DONE(cosm_entity_add(teams.world, a, teams.mark));
    CHECK_DONE(cosm_entity_set(teams.world, a, teams.level, &(Level){9}));
    CHECK_DONE(cosm_entity_add(teams.world, b, teams.level));
    CHECK_DONE(cosm_entity_remove(teams.world, b, teams.spot));
    CHECK_INT(teams_color(teams.world, a), 3);
    CHECK_INT(teams_color(teams.world, b), 4);
    CHECK_INT(COSM_READ(teams.world, a, Level)->number, 9);
    CHECK_INT(COSM_READ(teams.world, b, Level)->number, LEVEL_DEFAULT);
    CHECK_DONE(cosm_entity_remove(teams.world, a, teams.team));
    CHECK(!cosm_entity_has(teams.world, a, teams.team));
    CHECK(COSM_READ(teams.world, a, Team) == NULL);
    CHECK_INT(COSM_READ(teams.world, a, Level)->number, 9);
    CHECK_INT(teams_count(&teams, teams.world, 3), 0);
    // Adding what is there changes nothing; what was removed comes back with its default.
    CHECK_DONE(cosm_entity_add(teams.world, b, teams.team));
    CHECK_INT(teams_color(teams.world, b), 4);
    CHECK_DONE(cosm_entity_add(teams.world, a, teams.team));
    CHECK_INT(teams_color(teams.world, a), 0);
    CHECK_DONE(cosm_entity_remove(teams.world, a, teams.level));
    CHECK_DONE(cosm_entity_remove(teams.world, a, teams.team));
    CHECK_DONE(cosm_entity_remove(teams.world, a, teams.team)); // absent: no failure
    CHECK(COSM_READ(teams.world, a, Spot)->x == 1);
    teams_close(&teams);
}

TEST(a_bundle_stands_for_its_shared_members) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.plain);
    CHECK_DONE(cosm_entity_add(teams.world, entity, teams.rank));
    CHECK(cosm_entity_has(teams.world, entity, teams.rank));
    CHECK_INT(cosm_entity_archetype(teams.world, entity).id, teams.hero.id);
    CHECK_DONE(cosm_entity_set(teams.world, entity, teams.team, &(Team){5, 5}));
    CHECK_DONE(cosm_entity_remove(teams.world, entity, teams.level));
    CHECK_DONE(cosm_entity_add(teams.world, entity, teams.rank));
    CHECK_INT(teams_color(teams.world, entity), 5);
    CHECK_INT(COSM_READ(teams.world, entity, Level)->number, LEVEL_DEFAULT);
    cosm_query *ranked = cosm_query_create(
        teams.engine,
        &(cosm_query_desc){.terms = {{.component = teams.rank, .access = COSM_ACCESS_WRITE}}});
    CHECK_INT(cosm_query_count(ranked, teams.all), 1);
    CHECK_DONE(cosm_query_remove(ranked, teams.all, teams.rank));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.level), 0);
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.rank));
    CHECK_INT(cosm_query_count(ranked, teams.all), 1);
    cosm_query_destroy(ranked);
    teams_close(&teams);
}

TEST(arrays_of_entities_are_added_set_removed_and_despawned_together) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity all[60];
    Team values[60];
    for (uint32_t i = 0; i < 60; i++) {
        all[i] = cosm_entity_spawn(teams.world, i % 3 == 0 ? teams.plain : teams.player);
        COSM_WRITE(teams.world, all[i], Spot)->x = (float)i;
        values[i] = (Team){i % 5, 1};
    }
    cosm_entity stale = cosm_entity_spawn(teams.world, teams.player);
    CHECK_DONE(cosm_entity_despawn(teams.world, stale));
    all[59] = stale;
    CHECK_DONE(cosm_entity_set_many(teams.world, all, 60, teams.team, values));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 5 + 1); // 59 itself has zeroes
    for (uint32_t i = 0; i < 59; i++) {
        CHECK_INT(teams_color(teams.world, all[i]), i % 5);
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    CHECK_DONE(cosm_entity_add_many(teams.world, all, 30, teams.level));
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.level, &(Level){LEVEL_DEFAULT}), 30);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &(Team){2, 1}), 12);
    CHECK_DONE(cosm_entity_remove_many(teams.world, all + 10, 40, teams.team));
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &(Team){2, 1}), 4);
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_entity_despawn_many(teams.world, all, 60));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    CHECK_INT(cosm_world_entity_count(teams.world), 1);
    teams_close(&teams);
}

TEST(despawning_the_last_entity_of_a_value_ends_the_value) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity a = teams_spawn(&teams, teams.world, 1, 0);
    cosm_entity b = teams_spawn(&teams, teams.world, 2, 0);
    CHECK_DONE(cosm_entity_despawn(teams.world, a));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    CHECK_INT(teams_count(&teams, teams.world, 1), 0);
    CHECK(COSM_READ(teams.world, a, Team) == NULL);
    CHECK_INT(cosm_entity_set(teams.world, a, teams.team, &(Team){2, 0}), COSM_STALE);
    CHECK_DONE(cosm_entity_despawn(teams.world, b));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_INT(run_count(teams.spots, teams.all), 0);
    teams_close(&teams);
}

TEST(a_value_shared_by_several_archetypes_is_one_value) {
    struct teams teams;
    teams_open(&teams, 1);
    Team red = {1, 0};
    cosm_value value = {teams.team, &red};
    cosm_entity a = cosm_entity_spawn_with(teams.world, teams.player, &value, 1);
    cosm_entity b = cosm_entity_spawn_with(teams.world, teams.hero, &value, 1);
    cosm_entity c = cosm_entity_spawn_with(teams.world, teams.statue, &value, 1);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &red), 3);
    CHECK(cosm_entity_read(teams.world, a, teams.team) ==
          cosm_entity_read(teams.world, b, teams.team));
    CHECK_DONE(cosm_entity_despawn(teams.world, a));
    CHECK_DONE(cosm_entity_despawn(teams.world, c));
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &red), 1);
    CHECK_INT(teams_color(teams.world, b), 1);
    teams_close(&teams);
}

TEST(a_sealed_archetype_takes_other_values_and_no_other_components) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.statue);
    CHECK_DONE(cosm_entity_set(teams.world, entity, teams.team, &(Team){3, 0}));
    CHECK_INT(teams_color(teams.world, entity), 3);
    uint64_t before = cosm_hash_batch(teams.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_set(teams.world, entity, teams.level, &(Level){1}), COSM_ERROR_SEALED,
                "cosm_entity_set", "statue", "sealed");
    CHECK_FAILS(cosm_entity_remove(teams.world, entity, teams.team), COSM_ERROR_SEALED,
                "cosm_entity_remove", "statue", "sealed");
    CHECK_FAILS(cosm_query_add(teams.spots, teams.all, teams.level), COSM_ERROR_SEALED,
                "cosm_query_add", "statue", "sealed");
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.team, &(Team){3, 0}));
    CHECK_INT(cosm_hash_batch(teams.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.team, &(Team){4, 0}));
    CHECK_INT(teams_color(teams.world, entity), 4);
    teams_close(&teams);
}

TEST(an_entity_of_a_fixed_table_can_take_a_shared_component) {
    struct teams teams;
    teams_open(&teams, 2);
    cosm_archetype slot = cosm_archetype_define(
        teams.engine, &(cosm_archetype_desc){.components = {teams.spot, teams.mark},
                                             .placement = COSM_PLACEMENT_FIXED,
                                             .max_per_world = 2});
    cosm_entity entity = cosm_entity_spawn(teams.world, slot);
    COSM_WRITE(teams.world, entity, Spot)->x = 5;
    CHECK_DONE(cosm_entity_set(teams.world, entity, teams.team, &(Team){1, 1}));
    CHECK_INT(cosm_table_row_count(teams.world, slot), 0);
    CHECK_DONE(cosm_entity_remove(teams.world, entity, teams.team));
    CHECK_INT(cosm_table_row_count(teams.world, slot), 1);
    CHECK(COSM_READ(teams.world, entity, Spot)->x == 5);
    teams_close(&teams);
}

TEST(each_tells_every_value_and_its_entities) {
    struct teams teams;
    teams_open(&teams, 2);
    for (uint32_t i = 0; i < 30; i++) {
        teams_spawn(&teams, teams.world, i % 4, 0);
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(teams.world, teams.hero)));
    }
    struct tally tally = {0};
    CHECK_DONE(cosm_shared_each(teams.world, teams.team, tally_value, &tally));
    CHECK_INT(tally.calls, 4);
    CHECK_INT(tally.entities, 60);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(tally.colors[i], i); // in the order in which they came
        CHECK_INT(tally.counts[i], (i == 0 ? 30 : 0) + (i < 2 ? 8 : 7));
    }
    tally = (struct tally){0};
    CHECK_DONE(cosm_shared_each(cosm_batch_world(teams.batch, 1), teams.team, tally_value, &tally));
    CHECK_DONE(cosm_shared_each(teams.world, teams.label, tally_value, &tally));
    CHECK_INT(tally.calls, 0);
    teams_close(&teams);
}

struct intruder {
    const struct teams *teams;
    cosm_entity victim;
};

static void intrude(void *context, const void *value, uint32_t entity_count) {
    const struct intruder *intruder = context;
    const struct teams *teams = intruder->teams;
    (void)value;
    CHECK_INT(entity_count, 1);
    CHECK(cosm_world_is_walked(teams->world));
    CHECK_INT(cosm_entity_set(teams->world, intruder->victim, teams->team, &(Team){9, 9}),
              COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_despawn(teams->world, intruder->victim), COSM_ERROR_WALKED);
    cosm_error_clear();
}

TEST(while_values_are_told_the_world_is_being_walked) {
    struct teams teams;
    teams_open(&teams, 1);
    struct intruder intruder = {&teams, teams_spawn(&teams, teams.world, 1, 0)};
    CHECK_DONE(cosm_shared_each(teams.world, teams.team, intrude, &intruder));
    CHECK(!cosm_world_is_walked(teams.world));
    CHECK_INT(teams_color(teams.world, intruder.victim), 1);
    // So it is while a walk is under way.
    cosm_rows rows;
    cosm_query_walk(teams.spots, teams.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_FAILS(cosm_entity_set(teams.world, intruder.victim, teams.team, &(Team){2, 0}),
                COSM_ERROR_WALKED, "cosm_entity_set", "world 0", "commands");
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_entity_set(teams.world, intruder.victim, teams.team, &(Team){2, 0}));
    teams_close(&teams);
}

TEST(worlds_and_batches_do_not_see_each_other) {
    struct teams teams;
    teams_open(&teams, 3);
    cosm_batch *second = cosm_batch_create(teams.engine, NULL);
    cosm_world far = cosm_batch_world(second, 0);
    for (uint32_t i = 0; i < 20; i++) {
        teams_spawn(&teams, teams.world, i, 0);
        teams_spawn(&teams, cosm_batch_world(teams.batch, 2), 50 + i % 2, 0);
    }
    teams_spawn(&teams, far, 50, 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 20);
    CHECK_INT(cosm_shared_value_count(cosm_batch_world(teams.batch, 1), teams.team), 0);
    CHECK_INT(cosm_shared_value_count(cosm_batch_world(teams.batch, 2), teams.team), 2);
    CHECK_INT(teams_count(&teams, far, 50), 1);
    cosm_query *query = teams_query(&teams, teams.team, &(Team){50, 0});
    CHECK_INT(cosm_query_count(query, teams.all), 10);
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(second)), 1);
    CHECK_DONE(cosm_query_despawn(query, cosm_worlds_all(second)));
    CHECK_INT(cosm_query_count(query, teams.all), 10);
    CHECK_DONE(cosm_world_reset(teams.world));
    CHECK_INT(cosm_query_count(query, teams.all), 10);
    CHECK_VALID(second);
    CHECK_DONE(cosm_batch_destroy(second));
    cosm_query_destroy(query);
    teams_close(&teams);
}

TEST(a_second_engine_shares_nothing) {
    struct teams first;
    struct teams second;
    teams_open(&first, 1);
    teams_open(&second, 1);
    teams_spawn(&first, first.world, 1, 0);
    cosm_query *a = teams_query(&first, first.team, &(Team){1, 0});
    cosm_query *b = teams_query(&second, second.team, &(Team){1, 0});
    CHECK(a != b);
    CHECK_INT(cosm_query_count(a, first.all), 1);
    CHECK_INT(cosm_query_count(b, second.all), 0);
    cosm_query_destroy(a);
    cosm_query_destroy(b);
    teams_close(&second);
    teams_close(&first);
}

// Players of four colors, in an order that the caller says.
static void spawn_by(struct teams *teams, const uint32_t *colors, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        teams_spawn(teams, teams->world, colors[i], (float)colors[i]);
    }
}

TEST(equal_histories_have_equal_checksums_and_values_count) {
    struct teams a;
    struct teams b;
    teams_open(&a, 1);
    teams_open(&b, 1);
    static const uint32_t colors[] = {3, 1, 2, 1, 3, 0};
    spawn_by(&a, colors, 6);
    spawn_by(&b, colors, 6);
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_EXACT), cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    cosm_entity entity = cosm_query_first(a.spots, a.all, NULL);
    CHECK_DONE(cosm_entity_set(a.world, entity, a.team, &(Team){77, 0}));
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_CONTENT) !=
          cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    CHECK_DONE(cosm_entity_set(b.world, entity, b.team, &(Team){78, 0}));
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_CONTENT) !=
          cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    CHECK_DONE(cosm_entity_set(b.world, entity, b.team, &(Team){77, 0}));
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_CONTENT),
              cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    // One more value has come and gone in b: it holds the same, and gives out other numbers.
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_EXACT) != cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    teams_close(&a);
    teams_close(&b);
}

TEST(the_order_in_which_values_came_does_not_reach_the_checksum) {
    struct teams a;
    struct teams b;
    teams_open(&a, 1);
    teams_open(&b, 1);
    // The same entities with the same values in the end; the tables came in another order.
    cosm_entity in_a[3];
    cosm_entity in_b[3];
    for (uint32_t i = 0; i < 3; i++) {
        in_a[i] = cosm_entity_spawn(a.world, a.plain);
        in_b[i] = cosm_entity_spawn(b.world, b.plain);
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_DONE(cosm_entity_set(a.world, in_a[i], a.team, &(Team){i, 0}));
        CHECK_DONE(cosm_entity_set(b.world, in_b[2 - i], b.team, &(Team){2 - i, 0}));
    }
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_CONTENT),
              cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    teams_close(&a);
    teams_close(&b);
}

TEST(labels_of_equal_content_are_one_value_with_one_checksum) {
    struct teams a;
    struct teams b;
    teams_open(&a, 1);
    teams_open(&b, 1);
    char one[] = "blue";
    char two[] = "blue";
    cosm_value first = {a.label, &(Label){one}};
    cosm_value second = {a.label, &(Label){two}};
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(a.world, a.badge, &first, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(a.world, a.badge, &second, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(b.world, b.badge, &second, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(b.world, b.badge, &second, 1)));
    CHECK_INT(cosm_shared_value_count(a.world, a.label), 1);
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_EXACT), cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    teams_close(&a);
    teams_close(&b);
}

TEST(asking_for_what_is_not_there_is_silent) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_world none = {NULL, 0};
    cosm_entity entity = teams_spawn(&teams, teams.world, 1, 0);
    cosm_error_clear();
    CHECK_INT(cosm_shared_value_count(none, teams.team), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.spot), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, (cosm_component){999}), 0);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, NULL), 0);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.spot, &(Spot){0, 0}), 0);
    CHECK_INT(cosm_shared_entity_count(none, teams.team, &(Team){1, 0}), 0);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &(Team){1, 1}), 0);
    CHECK(cosm_rows_shared(NULL, teams.team) == NULL);
    CHECK(cosm_entity_read(teams.world, entity, teams.level) == NULL);
    Level level;
    CHECK(!cosm_entity_get(teams.world, entity, teams.level, &level));
    Team team;
    CHECK(cosm_entity_get(teams.world, entity, teams.team, &team) && team.color == 1);
    const void *found[2];
    cosm_entity pair[2] = {entity, COSM_ENTITY_NONE};
    CHECK_INT(cosm_entity_read_many(teams.world, pair, 2, teams.team, found), 1);
    CHECK(found[0] == cosm_entity_read(teams.world, entity, teams.team) && found[1] == NULL);
    cosm_loc loc = cosm_entity_loc(teams.world, entity);
    CHECK(cosm_loc_read(teams.world, loc, teams.team) == found[0]);
    CHECK(cosm_loc_read(teams.world, loc, teams.level) == NULL);
    CHECK(cosm_loc_read(teams.world, (cosm_loc){loc.table + 1, 0}, teams.team) == NULL);
    CHECK(cosm_entity_is_none(cosm_entity_at(teams.world, (cosm_loc){loc.table, 1})));
    CHECK(cosm_entity_is_none(cosm_entity_at(teams.world, (cosm_loc){0xFFFFFFFFu, 0})));
    CHECK_SILENT();
    teams_close(&teams);
}
