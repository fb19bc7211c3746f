// Shared components in commands: every kind, and several on one entity.
#include <string.h>

#include "harness.h"
#include "support/storages.h"

static cosm_entity record_player(const struct fixture *box, cosm_commands *commands, uint32_t color,
                                 float x) {
    Team team = {color, 0};
    Position position = {x, 0, 0};
    cosm_value values[] = {{box->position, &position}, {box->team, &team}};
    return cosm_commands_spawn_with(commands, box->world, box->player, values, 2);
}

TEST(commands_spawn_set_add_remove_and_despawn) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity a = record_player(&box, commands, 1, 10);
    cosm_entity b = cosm_commands_spawn(commands, box.world, box.hero);
    CHECK_DONE(cosm_commands_set(commands, box.world, b, box.team, &(Team){2, 0}));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(color_of(box.world, a), 1);
    CHECK_INT(color_of(box.world, b), 2);
    CHECK_INT(COSM_READ(box.world, b, Level)->number, LEVEL_DEFAULT);
    CHECK_VALID(box.batch);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_set(commands, box.world, a, box.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_remove(commands, box.world, b, box.team));
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 2);
    CHECK_INT(report.written, 1);
    CHECK_INT(color_count(&box, box.world, 2), 1);
    CHECK_INT(color_count(&box, box.world, 1), 0);
    CHECK(COSM_READ(box.world, a, Position)->x == 10);
    CHECK_DONE(cosm_commands_add(commands, box.world, b, box.rank));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, a));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(color_of(box.world, b), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(several_commands_on_one_entity_come_to_the_last_word) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_world world = box.world;
    cosm_entity held = spawn_player(&box, world, 1, 5);
    cosm_entity back = spawn_player(&box, world, 1, 6);
    cosm_entity dropped = spawn_player(&box, world, 1, 7);
    cosm_entity fresh = record_player(&box, commands, 3, 8);
    cosm_entity brief = record_player(&box, commands, 4, 9);
    // Set, removed and added again: the default, not the old value.
    CHECK_DONE(cosm_commands_set(commands, world, held, box.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_remove(commands, world, held, box.team));
    CHECK_DONE(cosm_commands_add(commands, world, held, box.team));
    // Set away and back: it stays where it is.
    CHECK_DONE(cosm_commands_set(commands, world, back, box.team, &(Team){8, 0}));
    CHECK_DONE(cosm_commands_set(commands, world, back, box.team, &(Team){1, 0}));
    // Spawned with a value, removed, set to another one.
    CHECK_DONE(cosm_commands_remove(commands, world, fresh, box.team));
    CHECK_DONE(cosm_commands_set(commands, world, fresh, box.team, &(Team){5, 0}));
    CHECK_DONE(cosm_commands_set(commands, world, fresh, box.level, &(Level){1}));
    CHECK_DONE(cosm_commands_despawn(commands, world, brief));
    CHECK_DONE(cosm_commands_set(commands, world, dropped, box.team, &(Team){9, 0}));
    CHECK_DONE(cosm_commands_remove(commands, world, dropped, box.team));
    cosm_loc loc = cosm_entity_loc(world, back);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(color_of(world, held), 0);
    CHECK_INT(color_of(world, back), 1);
    CHECK_INT(cosm_entity_loc(world, back).table, loc.table);
    CHECK_INT(color_of(world, fresh), 5);
    CHECK_INT(COSM_READ(world, fresh, Level)->number, 1);
    CHECK(COSM_READ(world, fresh, Position)->x == 8);
    CHECK(!cosm_entity_is_alive(world, brief));
    CHECK(!cosm_entity_has(world, dropped, box.team));
    CHECK(COSM_READ(world, dropped, Position)->x == 7);
    CHECK_INT(cosm_shared_value_count(world, box.team), 3); // not 2, 3, 4, 8 and 9
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(tables_of_values_trade_rows_in_one_apply) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity all[90];
    for (uint32_t i = 0; i < 90; i++) {
        all[i] = spawn_player(&box, box.world, i % 3, (float)i);
    }
    for (uint32_t i = 0; i < 90; i++) { // 0 to 1, 1 to 2, 2 to 0, and half of them further
        Team team = {(i + 1) % 3, i % 2};
        CHECK_DONE(cosm_commands_set(commands, box.world, all[i], box.team, &team));
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 90);
    for (uint32_t i = 0; i < 90; i++) {
        const Team *team = COSM_READ(box.world, all[i], Team);
        CHECK(team->color == (i + 1) % 3 && team->rank == i % 2);
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 6);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_command_keeps_the_value_that_it_was_given) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    Team team = {1, 0};
    cosm_entity entity = cosm_entity_spawn(box.world, box.player);
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.team, &team));
    team.color = 9;
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(color_of(box.world, entity), 1);
    // What was recorded and not applied leaves nothing behind.
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.team, &team));
    (void)record_player(&box, commands, 6, 0);
    cosm_commands_clear(commands);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    // Commands on what has ended are skipped.
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.team, &team));
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    cosm_error_clear();
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_command_has_a_copy_of_what_its_value_points_to) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    char text[] = "first";
    Label label = {text};
    cosm_value value = {box.label, &label};
    cosm_entity spawned = cosm_commands_spawn_with(commands, box.world, box.badge, &value, 1);
    cosm_entity held = cosm_entity_spawn(box.world, box.badge);
    memcpy(text, "again", sizeof(text));
    CHECK_DONE(cosm_commands_set(commands, box.world, held, box.label, &label));
    memcpy(text, "third", sizeof(text));
    CHECK_DONE(cosm_commands_set(commands, box.world, held, box.label, &label));
    memcpy(text, "wrong", sizeof(text));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_STR(COSM_READ(box.world, spawned, Label)->text, "first");
    CHECK_STR(COSM_READ(box.world, held, Label)->text, "third");
    // Of what is not applied, and of what comes to nothing, the copies end too: see fixture_close.
    CHECK_DONE(cosm_commands_set(commands, box.world, held, box.label, &label));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, held));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_DONE(cosm_commands_set(commands, box.world, spawned, box.label, &label));
    cosm_commands_clear(commands);
    (void)cosm_commands_spawn_with(commands, box.world, box.badge, &value, 1);
    CHECK_INT(cosm_shared_value_count(box.world, box.label), 1);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(commands_of_several_worlds_make_values_in_each) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 5);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 100; i++) {
        cosm_world world = cosm_batch_world(box.batch, i * 7 % 5);
        Team team = {i % 4, 0};
        cosm_value value = {box.team, &team};
        cosm_entity entity = cosm_commands_spawn_with(commands, world, box.player, &value, 1);
        if (i % 3 == 0) {
            CHECK_DONE(cosm_commands_set(commands, world, entity, box.level, &(Level){i % 2}));
        }
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        CHECK_INT(cosm_world_entity_count(world), 20);
        CHECK_INT(cosm_shared_value_count(world, box.team), 4);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(commands_do_what_direct_changes_do) {
    struct fixture direct;
    struct fixture deferred;
    fixture_open(&direct, FIXTURE_SHARED, 1);
    fixture_open(&deferred, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(deferred.batch);
    cosm_entity in_direct[40];
    cosm_entity in_deferred[40];
    for (uint32_t i = 0; i < 40; i++) {
        in_direct[i] = spawn_player(&direct, direct.world, i % 4, (float)i);
        in_deferred[i] = spawn_player(&deferred, deferred.world, i % 4, (float)i);
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
    fixture_close(&direct);
    fixture_close(&deferred);
}

TEST(an_apply_that_fails_leaves_no_value_behind) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity statue = cosm_entity_spawn(box.world, box.statue);
    cosm_entity player = spawn_player(&box, box.world, 1, 0);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_commands_set(commands, box.world, player, box.team, &(Team){2, 0}));
    CHECK_DONE(cosm_commands_add(commands, box.world, statue, box.level));
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_SEALED, "cosm_commands_apply",
                "statue", "sealed");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 2);
    CHECK_VALID(box.batch);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}
