// Shared components in commands: every kind, and several on one entity.
#include <string.h>

#include "harness.h"
#include "support/teams.h"

static cosm_entity record_player(const struct teams *teams, cosm_commands *commands, uint32_t color,
                                 float x) {
    Team team = {color, 0};
    Spot spot = {x, 0};
    cosm_value values[] = {{teams->spot, &spot}, {teams->team, &team}};
    return cosm_commands_spawn_with(commands, teams->world, teams->player, values, 2);
}

TEST(commands_spawn_set_add_remove_and_despawn) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    cosm_entity a = record_player(&teams, commands, 1, 10);
    cosm_entity b = cosm_commands_spawn(commands, teams.world, teams.hero);
    CHECK_DONE(cosm_commands_set(commands, teams.world, b, teams.team, &(Team){2, 0}));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(teams_color(teams.world, a), 1);
    CHECK_INT(teams_color(teams.world, b), 2);
    CHECK_INT(COSM_READ(teams.world, b, Level)->number, LEVEL_DEFAULT);
    CHECK_VALID(teams.batch);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_set(commands, teams.world, a, teams.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_remove(commands, teams.world, b, teams.team));
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 2);
    CHECK_INT(report.written, 1);
    CHECK_INT(teams_count(&teams, teams.world, 2), 1);
    CHECK_INT(teams_count(&teams, teams.world, 1), 0);
    CHECK(COSM_READ(teams.world, a, Spot)->x == 10);
    CHECK_DONE(cosm_commands_add(commands, teams.world, b, teams.rank));
    CHECK_DONE(cosm_commands_despawn(commands, teams.world, a));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(teams_color(teams.world, b), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(several_commands_on_one_entity_come_to_the_last_word) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    cosm_world world = teams.world;
    cosm_entity held = teams_spawn(&teams, world, 1, 5);
    cosm_entity back = teams_spawn(&teams, world, 1, 6);
    cosm_entity dropped = teams_spawn(&teams, world, 1, 7);
    cosm_entity fresh = record_player(&teams, commands, 3, 8);
    cosm_entity brief = record_player(&teams, commands, 4, 9);
    // Set, removed and added again: the default, not the old value.
    CHECK_DONE(cosm_commands_set(commands, world, held, teams.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_remove(commands, world, held, teams.team));
    CHECK_DONE(cosm_commands_add(commands, world, held, teams.team));
    // Set away and back: it stays where it is.
    CHECK_DONE(cosm_commands_set(commands, world, back, teams.team, &(Team){8, 0}));
    CHECK_DONE(cosm_commands_set(commands, world, back, teams.team, &(Team){1, 0}));
    // Spawned with a value, removed, set to another one.
    CHECK_DONE(cosm_commands_remove(commands, world, fresh, teams.team));
    CHECK_DONE(cosm_commands_set(commands, world, fresh, teams.team, &(Team){5, 0}));
    CHECK_DONE(cosm_commands_set(commands, world, fresh, teams.level, &(Level){1}));
    CHECK_DONE(cosm_commands_despawn(commands, world, brief));
    CHECK_DONE(cosm_commands_set(commands, world, dropped, teams.team, &(Team){9, 0}));
    CHECK_DONE(cosm_commands_remove(commands, world, dropped, teams.team));
    cosm_loc loc = cosm_entity_loc(world, back);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(teams_color(world, held), 0);
    CHECK_INT(teams_color(world, back), 1);
    CHECK_INT(cosm_entity_loc(world, back).table, loc.table);
    CHECK_INT(teams_color(world, fresh), 5);
    CHECK_INT(COSM_READ(world, fresh, Level)->number, 1);
    CHECK(COSM_READ(world, fresh, Spot)->x == 8);
    CHECK(!cosm_entity_is_alive(world, brief));
    CHECK(!cosm_entity_has(world, dropped, teams.team));
    CHECK(COSM_READ(world, dropped, Spot)->x == 7);
    CHECK_INT(cosm_shared_value_count(world, teams.team), 3); // not 2, 3, 4, 8 and 9
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(tables_of_values_trade_rows_in_one_apply) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    cosm_entity all[90];
    for (uint32_t i = 0; i < 90; i++) {
        all[i] = teams_spawn(&teams, teams.world, i % 3, (float)i);
    }
    for (uint32_t i = 0; i < 90; i++) { // 0 to 1, 1 to 2, 2 to 0, and half of them further
        Team team = {(i + 1) % 3, i % 2};
        CHECK_DONE(cosm_commands_set(commands, teams.world, all[i], teams.team, &team));
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 90);
    for (uint32_t i = 0; i < 90; i++) {
        const Team *team = COSM_READ(teams.world, all[i], Team);
        CHECK(team->color == (i + 1) % 3 && team->rank == i % 2);
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 6);
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(a_command_keeps_the_value_that_it_was_given) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    Team team = {1, 0};
    cosm_entity entity = cosm_entity_spawn(teams.world, teams.player);
    CHECK_DONE(cosm_commands_set(commands, teams.world, entity, teams.team, &team));
    team.color = 9;
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(teams_color(teams.world, entity), 1);
    // What was recorded and not applied leaves nothing behind.
    CHECK_DONE(cosm_commands_set(commands, teams.world, entity, teams.team, &team));
    (void)record_player(&teams, commands, 6, 0);
    cosm_commands_clear(commands);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    // Commands on what has ended are skipped.
    CHECK_DONE(cosm_commands_set(commands, teams.world, entity, teams.team, &team));
    CHECK_DONE(cosm_entity_despawn(teams.world, entity));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    cosm_error_clear();
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(a_command_has_a_copy_of_what_its_value_points_to) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    char text[] = "first";
    Label label = {text};
    cosm_value value = {teams.label, &label};
    cosm_entity spawned = cosm_commands_spawn_with(commands, teams.world, teams.badge, &value, 1);
    cosm_entity held = cosm_entity_spawn(teams.world, teams.badge);
    memcpy(text, "again", sizeof(text));
    CHECK_DONE(cosm_commands_set(commands, teams.world, held, teams.label, &label));
    memcpy(text, "third", sizeof(text));
    CHECK_DONE(cosm_commands_set(commands, teams.world, held, teams.label, &label));
    memcpy(text, "wrong", sizeof(text));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_STR(COSM_READ(teams.world, spawned, Label)->text, "first");
    CHECK_STR(COSM_READ(teams.world, held, Label)->text, "third");
    // Of what is not applied, and of what comes to nothing, the copies end too: see teams_close.
    CHECK_DONE(cosm_commands_set(commands, teams.world, held, teams.label, &label));
    CHECK_DONE(cosm_commands_despawn(commands, teams.world, held));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_DONE(cosm_commands_set(commands, teams.world, spawned, teams.label, &label));
    cosm_commands_clear(commands);
    (void)cosm_commands_spawn_with(commands, teams.world, teams.badge, &value, 1);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.label), 1);
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(commands_of_several_worlds_make_values_in_each) {
    struct teams teams;
    teams_open(&teams, 5);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    for (uint32_t i = 0; i < 100; i++) {
        cosm_world world = cosm_batch_world(teams.batch, i * 7 % 5);
        Team team = {i % 4, 0};
        cosm_value value = {teams.team, &team};
        cosm_entity entity = cosm_commands_spawn_with(commands, world, teams.player, &value, 1);
        if (i % 3 == 0) {
            CHECK_DONE(cosm_commands_set(commands, world, entity, teams.level, &(Level){i % 2}));
        }
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(teams.batch, w);
        CHECK_INT(cosm_world_entity_count(world), 20);
        CHECK_INT(cosm_shared_value_count(world, teams.team), 4);
    }
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(commands_do_what_direct_changes_do) {
    struct teams direct;
    struct teams deferred;
    teams_open(&direct, 1);
    teams_open(&deferred, 1);
    cosm_commands *commands = cosm_commands_create(deferred.batch);
    cosm_entity in_direct[40];
    cosm_entity in_deferred[40];
    for (uint32_t i = 0; i < 40; i++) {
        in_direct[i] = teams_spawn(&direct, direct.world, i % 4, (float)i);
        in_deferred[i] = teams_spawn(&deferred, deferred.world, i % 4, (float)i);
    }
    for (uint32_t i = 0; i < 40; i++) { // one apply each, so that rows go in the same order
        Team team = {i % 7, i % 2};
        CHECK_DONE(cosm_entity_set(direct.world, in_direct[i], direct.team, &team));
        CHECK_DONE(
            cosm_commands_set(commands, deferred.world, in_deferred[i], deferred.team, &team));
        CHECK_DONE(cosm_commands_apply(commands, NULL));
    }
    CHECK_INT(cosm_hash_batch(direct.batch, COSM_HASH_EXACT),
              cosm_hash_batch(deferred.batch, COSM_HASH_EXACT));
    cosm_commands_destroy(commands);
    teams_close(&direct);
    teams_close(&deferred);
}

TEST(an_apply_that_fails_leaves_no_value_behind) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    cosm_entity statue = cosm_entity_spawn(teams.world, teams.statue);
    cosm_entity player = teams_spawn(&teams, teams.world, 1, 0);
    uint64_t before = cosm_hash_batch(teams.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_commands_set(commands, teams.world, player, teams.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_add(commands, teams.world, statue, teams.level));
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_SEALED, "cosm_commands_apply",
                "statue", "sealed");
    CHECK_INT(cosm_hash_batch(teams.batch, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 2);
    CHECK_VALID(teams.batch);
    cosm_commands_destroy(commands);
    teams_close(&teams);
}
