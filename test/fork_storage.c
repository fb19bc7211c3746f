// Forks of worlds that have more than tables: trees, shared values, objects, sectors, commands.
#include "harness.h"
#include "support/grove.h"
#include "support/ledger.h"
#include "support/yard.h"

static uint64_t exact(cosm_world world) {
    return cosm_hash_world(world, COSM_HASH_EXACT);
}

// Trees with all that they have, some of them changed, some gone.
static void plant(struct grove *grove, cosm_world world, uint32_t count) {
    cosm_entity trees[16];
    for (uint32_t i = 0; i < count; i++) {
        trees[i] = cosm_template_spawn(world, grove->tree, NULL, 0);
        CHECK(!cosm_entity_is_none(trees[i]));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 1) {
            CHECK_DONE(cosm_tree_despawn(world, trees[i]));
        } else if (i % 3 == 2) {
            Team team = {100 + i};
            Heat heat = {200 + i};
            CHECK_DONE(cosm_entity_set(world, trees[i], grove->team, &team));
            CHECK_DONE(cosm_entity_set(world, trees[i], grove->heat, &heat));
            CHECK_DONE(cosm_tree_set_parent(world, trees[i], trees[0]));
        }
    }
}

TEST(worlds_with_components_of_every_storage_are_forked) {
    struct grove grove;
    grove_open(&grove, 5);
    cosm_batch *batch = grove.vault.batch;
    for (uint32_t w = 0; w < 4; w++) {
        plant(&grove, vault_world(&grove.vault, w), 3 + 2 * w);
    }
    cosm_world source = vault_world(&grove.vault, 2);
    uint64_t then = exact(source);
    uint32_t alive = cosm_world_entity_count(source);
    CHECK_DONE(cosm_fork_world(source, cosm_worlds_range(batch, 1, 4), NULL));
    CHECK_VALID(batch);
    for (uint32_t w = 1; w < 5; w++) {
        CHECK_INT(exact(vault_world(&grove.vault, w)), then);
        CHECK_INT(cosm_world_entity_count(vault_world(&grove.vault, w)), alive);
    }
    // What happens to one happens to none of the others; the same comes to the same.
    plant(&grove, vault_world(&grove.vault, 4), 5);
    CHECK(exact(vault_world(&grove.vault, 4)) != then);
    CHECK_INT(exact(vault_world(&grove.vault, 3)), then);
    plant(&grove, source, 5);
    CHECK_INT(exact(vault_world(&grove.vault, 4)), exact(source));
    CHECK_VALID(batch);
    // A world of tables only takes all that away again.
    CHECK_DONE(cosm_world_reset(vault_world(&grove.vault, 0)));
    cosm_batch *plain = cosm_batch_create(grove.vault.engine, NULL);
    (void)cosm_entity_spawn(cosm_batch_world(plain, 0), grove.vault.bare);
    CHECK_DONE(cosm_fork_world(cosm_batch_world(plain, 0), grove.vault.all, NULL));
    for (uint32_t w = 0; w < 5; w++) {
        CHECK_INT(exact(vault_world(&grove.vault, w)), exact(cosm_batch_world(plain, 0)));
    }
    CHECK_DONE(cosm_batch_destroy(plain));
    CHECK_VALID(batch);
    grove_close(&grove);
}

TEST(a_fork_by_an_image_keeps_random_numbers_where_asked_to) {
    struct grove grove;
    grove_open(&grove, 3);
    plant(&grove, grove.vault.world, 4);
    cosm_batch *batch = grove.vault.batch;
    cosm_world other = vault_world(&grove.vault, 2);
    CHECK_DONE(cosm_fork_world(grove.vault.world, cosm_worlds_range(batch, 1, 1), NULL));
    CHECK_DONE(cosm_fork_world(grove.vault.world, cosm_worlds_range(batch, 2, 1),
                               &(cosm_fork_desc){.own_random = true}));
    CHECK_INT(cosm_hash_world(other, COSM_HASH_CONTENT),
              cosm_hash_world(grove.vault.world, COSM_HASH_CONTENT));
    cosm_random a = cosm_world_random(grove.vault.world, 0);
    cosm_random b = cosm_world_random(vault_world(&grove.vault, 1), 0);
    cosm_random c = cosm_world_random(other, 0);
    uint64_t drawn = cosm_random_u64(&a);
    CHECK_INT(cosm_random_u64(&b), drawn);
    CHECK(cosm_random_u64(&c) != drawn);
    // All but the stream is the same.
    CHECK_DONE(cosm_world_seed(grove.vault.world, 1, 0));
    CHECK_DONE(cosm_world_seed(other, 1, 0));
    CHECK_INT(exact(other), exact(grove.vault.world));
    grove_close(&grove);
}

TEST(forks_of_every_storage_go_with_snapshots_and_readers) {
    struct grove grove;
    grove_open(&grove, 4);
    cosm_batch *batch = grove.vault.batch;
    plant(&grove, grove.vault.world, 6);
    plant(&grove, vault_world(&grove.vault, 1), 3);
    // Without a snapshot before it, a fork does not make the batch track anything.
    cosm_snapshot *before = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        CHECK_DONE(cosm_fork_world(grove.vault.world, cosm_worlds_range(batch, 1, 2), NULL));
        CHECK_INT(exact(vault_world(&grove.vault, 1)), exact(grove.vault.world));
        cosm_snapshot *after = cosm_snapshot_create(grove.vault.all);
        CHECK_INT(cosm_hash_snapshot(after, COSM_HASH_EXACT),
                  cosm_hash_batch(batch, COSM_HASH_EXACT));
        if (before != NULL) {
            uint64_t now = cosm_hash_batch(batch, COSM_HASH_EXACT);
            CHECK_DONE(cosm_snapshot_restore(before, 0, grove.vault.all));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT),
                      cosm_hash_snapshot(before, COSM_HASH_EXACT));
            CHECK_DONE(cosm_snapshot_restore(after, 0, grove.vault.all));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), now);
        }
        cosm_snapshot_destroy(before);
        before = after;
        plant(&grove, grove.vault.world, 4);
        plant(&grove, vault_world(&grove.vault, 2), 2);
    }
    CHECK_VALID(batch);
    cosm_snapshot_destroy(before);
    grove_close(&grove);
}

// One thing beside the tables at a time, in the source or in the target only.
static void give_one_thing(struct grove *grove, cosm_world world, uint32_t which) {
    struct vault *vault = &grove->vault;
    cosm_entity a = cosm_entity_spawn(world, vault->bare);
    cosm_entity b = cosm_entity_spawn(world, vault->bare);
    Team team = {5};
    Heat heat = {6};
    if (which == 0) {
        CHECK_DONE(cosm_tree_set_parent(world, b, a));
    } else if (which == 1) {
        CHECK_DONE(cosm_entity_set(world, a, grove->team, &team));
    } else if (which == 2) {
        CHECK_DONE(cosm_entity_set(world, a, grove->heat, &heat));
    } else {
        CHECK_DONE(cosm_entity_add(world, a, vault->text));
    }
}

TEST(whatever_stands_beside_the_tables_goes_along_and_goes_away) {
    struct grove grove;
    grove_open(&grove, 2);
    for (uint32_t which = 0; which < 4; which++) {
        cosm_batch *batch =
            cosm_batch_create(grove.vault.engine, &(cosm_batch_desc){.world_count = 4});
        give_one_thing(&grove, cosm_batch_world(batch, 0), which);
        (void)cosm_entity_spawn(cosm_batch_world(batch, 3), grove.vault.bare);
        CHECK_DONE(
            cosm_fork_world(cosm_batch_world(batch, 0), cosm_worlds_range(batch, 1, 2), NULL));
        CHECK_VALID(batch);
        CHECK_INT(exact(cosm_batch_world(batch, 1)), exact(cosm_batch_world(batch, 0)));
        CHECK_INT(exact(cosm_batch_world(batch, 2)), exact(cosm_batch_world(batch, 0)));
        CHECK_DONE(
            cosm_fork_world(cosm_batch_world(batch, 3), cosm_worlds_range(batch, 1, 1), NULL));
        CHECK_VALID(batch);
        CHECK_INT(exact(cosm_batch_world(batch, 1)), exact(cosm_batch_world(batch, 3)));
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    grove_close(&grove);
}

TEST(split_components_of_both_placements_are_forked) {
    struct yard yard;
    yard_open(&yard, 4);
    yard_spawn_many(&yard, yard.world, yard.walker, 700);
    yard_spawn_many(&yard, yard.world, yard.slot, 3);
    yard_spawn_many(&yard, yard.world, yard.whole, 20);
    yard_spawn_many(&yard, yard.world, yard.event, 5);
    yard_spawn_many(&yard, cosm_batch_world(yard.batch, 2), yard.slot, 4);
    CHECK_DONE(cosm_fork_world(yard.world, yard.all, NULL));
    CHECK_VALID(yard.batch);
    for (uint32_t w = 1; w < 4; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        CHECK_INT(exact(world), exact(yard.world));
    }
    yard_close(&yard);
}

TEST(generations_of_ids_that_have_no_record_go_along) {
    struct grove grove;
    grove_open(&grove, 2);
    struct vault *vault = &grove.vault;
    cosm_commands *commands = cosm_commands_create(vault->batch);
    cosm_entity promised = cosm_commands_spawn(commands, vault->world, vault->bare);
    CHECK_DONE(cosm_world_reset(vault->world));
    cosm_commands_clear(commands);
    CHECK_DONE(cosm_fork_world(vault->world, cosm_worlds_one(vault_world(vault, 1)), NULL));
    cosm_entity a = cosm_entity_spawn(vault->world, vault->bare);
    cosm_entity b = cosm_entity_spawn(vault_world(vault, 1), vault->bare);
    CHECK(a.gen != promised.gen);
    CHECK_INT(a.gen, b.gen);
    CHECK_VALID(vault->batch);
    cosm_commands_destroy(commands);
    grove_close(&grove);
}

TEST(when_memory_or_a_copy_fails_a_fork_of_every_storage_is_done_or_not_done) {
    for (int way = 0; way < 2; way++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct grove grove;
        grove_open_with(&grove, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                        &(cosm_batch_desc){.world_count = 3});
        grove_define(&grove);
        struct vault *vault = &grove.vault;
        plant(&grove, vault->world, 4);
        plant(&grove, vault_world(vault, 1), 2);
        uint64_t then = cosm_hash_batch(vault->batch, COSM_HASH_EXACT);
        size_t objects = vault_count(vault);
        bool refused = true;
        for (uint64_t n = 1; refused; n++) {
            if (way == 0) {
                ledger_refuse(&ledger, n, 1);
            } else {
                vault_refuse(vault, n);
            }
            cosm_result result =
                cosm_fork_world(vault->world, cosm_worlds_range(vault->batch, 1, 2), NULL);
            refused = way == 0 ? ledger_relent(&ledger) : vault_relent(vault);
            CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
            CHECK_VALID(vault->batch);
            if (refused) {
                CHECK_INT(cosm_hash_batch(vault->batch, COSM_HASH_EXACT), then);
                CHECK_INT(vault_count(vault), objects);
            }
        }
        CHECK_INT(exact(vault_world(vault, 2)), exact(vault->world));
        grove_close(&grove);
        ledger_close(&ledger);
    }
}
