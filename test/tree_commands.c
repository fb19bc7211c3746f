// Trees changed by commands: the order of the program, skips, all or nothing (cosm/commands.h).
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

static const cosm_entity nobody = {0, 0};

#define CHECK_SAME(a, b) CHECK(cosm_entity_equals((a), (b)))

// A fixture with a commands object and six movers.
struct desk {
    struct fixture box;
    cosm_world world;
    cosm_commands *commands;
    cosm_entity e[6];
};

static void desk_open(struct desk *desk) {
    fixture_open(&desk->box, 0, 1);
    desk->world = desk->box.world;
    desk->commands = cosm_commands_create(desk->box.batch);
    for (uint32_t i = 0; i < 6; i++) {
        desk->e[i] = fixture_spawn(&desk->box, (float)i);
    }
}

static void desk_close(struct desk *desk) {
    cosm_commands_destroy(desk->commands);
    fixture_close(&desk->box);
}

TEST(a_recorded_parent_may_be_a_handle_that_is_not_alive_yet) {
    struct desk desk;
    desk_open(&desk);
    cosm_entity a = cosm_commands_spawn(desk.commands, desk.world, desk.box.mover);
    cosm_entity b = cosm_commands_spawn(desk.commands, desk.world, desk.box.mover);
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, b, a));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, a, desk.e[0]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[1], b));
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[1]), nobody);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.spawned, 2);
    CHECK_INT(report.skipped, 0);
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[1]), b);
    CHECK_SAME(cosm_tree_parent(desk.world, b), a);
    CHECK_SAME(cosm_tree_parent(desk.world, a), desk.e[0]);
    CHECK_INT(cosm_tree_depth(desk.world, desk.e[1]), 3);
    desk_close(&desk);
}

TEST(a_recorded_despawn_of_a_tree_takes_what_the_commands_before_have_put_there) {
    struct desk desk;
    desk_open(&desk);
    CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[1], desk.e[0]));
    CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[2], desk.e[0]));
    cosm_entity fresh = cosm_commands_spawn(desk.commands, desk.world, desk.box.mover);
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, fresh, desk.e[1]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[3], fresh));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[2], nobody));
    CHECK_DONE(cosm_commands_add(desk.commands, desk.world, desk.e[3], desk.box.mark));
    CHECK_DONE(cosm_commands_despawn_tree(desk.commands, desk.world, desk.e[0]));
    // Too late for this one: its parent has ended.
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[4], desk.e[1]));
    // And these have ended themselves.
    CHECK_DONE(cosm_commands_despawn(desk.commands, desk.world, desk.e[3]));
    CHECK_DONE(cosm_commands_despawn_tree(desk.commands, desk.world, desk.e[1]));
    CHECK_DONE(cosm_commands_add(desk.commands, desk.world, fresh, desk.box.mark));
    cosm_error_clear();
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.skipped, 2);
    CHECK_INT(report.despawned, 3);
    CHECK_INT(report.spawned, 0);
    CHECK_INT(report.moved, 0);
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply:", "add to entity", "skipped");
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(cosm_entity_is_alive(desk.world, desk.e[i]), i == 2 || i >= 4);
    }
    CHECK(!cosm_entity_is_alive(desk.world, fresh));
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[4]), nobody);
    CHECK_VALID(desk.box.batch);
    desk_close(&desk);
}

TEST(a_recorded_despawn_makes_children_roots_unless_they_are_given_a_parent_before) {
    struct desk desk;
    desk_open(&desk);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[i], desk.e[0]));
    }
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[2], desk.e[4]));
    CHECK_DONE(cosm_commands_despawn(desk.commands, desk.world, desk.e[0]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[3], desk.e[2]));
    CHECK_DONE(cosm_commands_apply(desk.commands, NULL));
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[1]), nobody);
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[2]), desk.e[4]);
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[3]), desk.e[2]);
    CHECK(!cosm_entity_is_alive(desk.world, desk.e[0]));
    desk_close(&desk);
}

TEST(a_recorded_parent_that_would_close_a_circle_or_is_gone_is_skipped_and_told) {
    struct desk desk;
    desk_open(&desk);
    CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[1], desk.e[0]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[2], desk.e[1]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[0], desk.e[2]));
    cosm_error_clear();
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply: set the parent of entity @0:1",
                  "to @2:1: the parent is the entity itself or below it", "skipped");
    CHECK_SAME(cosm_tree_root(desk.world, desk.e[2]), desk.e[0]);
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[5], desk.e[5]));
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[5], (cosm_entity){7, 0}));
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply:", "to @0:7: the parent is not alive",
                  "skipped");
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, (cosm_entity){9, 1}, nobody));
    CHECK_DONE(cosm_commands_despawn_tree(desk.commands, desk.world, (cosm_entity){9, 1}));
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply:", "set the parent of entity @1:9", "not alive");
    desk_close(&desk);
}

TEST(recording_for_trees_checks_its_arguments) {
    struct desk desk;
    desk_open(&desk);
    CHECK_FAILS(cosm_commands_set_parent(NULL, desk.world, desk.e[0], nobody), COSM_ERROR_ARGUMENT,
                "cosm_commands_set_parent:", "commands is NULL", "cosm_commands_create");
    CHECK_FAILS(
        cosm_commands_despawn_tree(desk.commands, (cosm_world){desk.box.batch, 1}, desk.e[0]),
        COSM_ERROR_ARGUMENT, "cosm_commands_despawn_tree:", "world.index 1", "smaller");
    CHECK_INT(cosm_commands_count(desk.commands), 0);
    desk_close(&desk);
}

TEST(an_apply_that_fails_leaves_the_tree_as_it_was_to_the_order_of_siblings) {
    struct desk desk;
    desk_open(&desk);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[i], desk.e[0]));
    }
    CHECK_DONE(cosm_tree_set_parent(desk.world, desk.e[5], desk.e[2]));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[3], nobody));
    CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[1], desk.e[5]));
    CHECK_DONE(cosm_commands_despawn_tree(desk.commands, desk.world, desk.e[2]));
    CHECK_DONE(cosm_commands_despawn(desk.commands, desk.world, desk.e[0]));
    cosm_entity parents[5];
    for (uint32_t i = 0; i < 5; i++) { // one more than there is room for
        parents[i] = cosm_commands_spawn(desk.commands, desk.world, desk.box.slot);
        CHECK_DONE(cosm_commands_set_parent(desk.commands, desk.world, desk.e[4], parents[i]));
    }
    uint64_t checksum = cosm_hash_batch(desk.box.batch, COSM_HASH_EXACT);
    uint32_t count = cosm_commands_count(desk.commands);
    CHECK_FAILS(cosm_commands_apply(desk.commands, NULL), COSM_ERROR_FULL,
                "cosm_commands_apply:", "no room", "despawn some");
    CHECK_INT(cosm_hash_batch(desk.box.batch, COSM_HASH_EXACT), checksum);
    CHECK_INT(cosm_commands_count(desk.commands), count);
    CHECK_VALID(desk.box.batch);
    CHECK_SAME(cosm_tree_next_sibling(desk.world, desk.e[2]), desk.e[3]);
    CHECK_DONE(cosm_commands_despawn(desk.commands, desk.world, parents[1]));
    CHECK_DONE(cosm_commands_apply(desk.commands, NULL));
    CHECK_INT(cosm_world_entity_count(desk.world), 6);
    CHECK_SAME(cosm_tree_parent(desk.world, desk.e[4]), parents[4]);
    CHECK_VALID(desk.box.batch);
    desk_close(&desk);
}

TEST(one_command_despawns_a_tree_of_many_thousands) {
    enum { MANY = 30000 };
    struct desk desk;
    desk_open(&desk);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(desk.world, desk.box.mover, MANY, &rows));
    for (uint32_t i = 0; i < MANY; i++) {
        cosm_entity parent = i == 0 ? desk.e[0] : rows.entities[i % 100 == 0 ? i - 100 : i - 1];
        CHECK_DONE(cosm_tree_set_parent(desk.world, rows.entities[i], parent));
    }
    // Some of them have commands before, and some after.
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_DONE(
            cosm_commands_add(desk.commands, desk.world, rows.entities[i * 7], desk.box.health));
    }
    CHECK_DONE(cosm_commands_despawn_tree(desk.commands, desk.world, desk.e[0]));
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_DONE(
            cosm_commands_set_parent(desk.commands, desk.world, rows.entities[i * 11], desk.e[1]));
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(desk.commands, &report));
    CHECK_INT(report.despawned, MANY + 1);
    CHECK_INT(report.moved, 0);
    CHECK_INT(report.skipped, 1000);
    CHECK_INT(cosm_world_entity_count(desk.world), 5);
    desk_close(&desk);
}

TEST(recorded_trees_survive_the_failure_of_every_allocation) {
    bool done = false;
    for (uint64_t n = 1; n < 400 && !done; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct desk desk;
        fixture_open_with(&desk.box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                          NULL);
        cosm_commands *commands = cosm_commands_create(desk.box.batch);
        cosm_world world = desk.box.world;
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, desk.box.mover, 1200, &rows));
        for (uint32_t i = 1; i < 1000; i++) {
            CHECK_DONE(cosm_tree_set_parent(world, rows.entities[i], rows.entities[i / 3]));
        }
        cosm_entity top = rows.entities[1];
        uint64_t checksum = cosm_hash_batch(desk.box.batch, COSM_HASH_EXACT);
        ledger_refuse(&ledger, n, 1);
        cosm_entity fresh = cosm_commands_spawn(commands, world, desk.box.stone);
        cosm_result result = cosm_entity_is_none(fresh) ? COSM_ERROR_MEMORY : COSM_OK;
        for (uint32_t i = 1000; i < 1200 && result == COSM_OK; i++) {
            result = cosm_commands_set_parent(commands, world, rows.entities[i], fresh);
        }
        if (result == COSM_OK) {
            result = cosm_commands_set_parent(commands, world, fresh, rows.entities[900]);
        }
        if (result == COSM_OK) {
            result = cosm_commands_despawn_tree(commands, world, top);
        }
        if (result == COSM_OK) {
            checksum = cosm_hash_batch(desk.box.batch, COSM_HASH_EXACT);
            result = cosm_commands_apply(commands, NULL);
        }
        bool refused = ledger_relent(&ledger);
        CHECK_VALID(desk.box.batch);
        if (result != COSM_OK) {
            CHECK_INT(result, COSM_ERROR_MEMORY);
            if (!cosm_entity_is_none(fresh) && cosm_commands_count(commands) == 203) {
                CHECK_INT(cosm_hash_batch(desk.box.batch, COSM_HASH_EXACT), checksum);
                CHECK_DONE(cosm_commands_apply(commands, NULL));
                CHECK(!cosm_entity_is_alive(world, top));
            }
        }
        done = !refused;
        CHECK(!done || result == COSM_OK);
        cosm_commands_destroy(commands);
        fixture_close(&desk.box);
        ledger_close(&ledger);
    }
    CHECK(done);
}
