// Forks of worlds that have more than tables: trees, shared values, objects, sectors, commands.
#include "harness.h"
#include "support/ledger.h"
#include "support/templates.h"

static uint64_t exact(cosm_world world) {
    return cosm_hash_world(world, COSM_HASH_EXACT);
}

// Trees with all that they have, some of them changed, some gone.
static void plant(struct fixture *box, cosm_world world, uint32_t count) {
    cosm_entity trees[16];
    for (uint32_t i = 0; i < count; i++) {
        trees[i] = cosm_template_spawn(world, box->tree, NULL, 0);
        CHECK(!cosm_entity_is_none(trees[i]));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 1) {
            CHECK_DONE(cosm_tree_despawn(world, trees[i]));
        } else if (i % 3 == 2) {
            Level level = {100 + i};
            Kiln kiln = {.number = 200 + i};
            CHECK_DONE(cosm_entity_set(world, trees[i], box->level, &level));
            CHECK_DONE(cosm_entity_set(world, trees[i], box->kiln, &kiln));
            CHECK_DONE(cosm_tree_set_parent(world, trees[i], trees[0]));
        }
    }
}

TEST(worlds_with_components_of_every_storage_are_forked) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 5);
    cosm_batch *batch = box.batch;
    for (uint32_t w = 0; w < 4; w++) {
        plant(&box, fixture_world(&box, w), 3 + 2 * w);
    }
    cosm_world source = fixture_world(&box, 2);
    uint64_t then = exact(source);
    uint32_t alive = cosm_world_entity_count(source);
    CHECK_DONE(cosm_fork_world(source, cosm_worlds_range(batch, 1, 4), NULL));
    CHECK_VALID(batch);
    for (uint32_t w = 1; w < 5; w++) {
        CHECK_INT(exact(fixture_world(&box, w)), then);

        CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), alive);
    }
    // What happens to one happens to none of the others; the same comes to the same.
    plant(&box, fixture_world(&box, 4), 5);
    CHECK(exact(fixture_world(&box, 4)) != then);
    CHECK_INT(exact(fixture_world(&box, 3)), then);
    plant(&box, source, 5);
    CHECK_INT(exact(fixture_world(&box, 4)), exact(source));
    CHECK_VALID(batch);
    // A world of tables only takes all that away again.
    CHECK_DONE(cosm_world_reset(fixture_world(&box, 0)));
    cosm_batch *plain = cosm_batch_create(box.engine, NULL);
    (void)cosm_entity_spawn(cosm_batch_world(plain, 0), box.plain);
    CHECK_DONE(cosm_fork_world(cosm_batch_world(plain, 0), box.all, NULL));
    for (uint32_t w = 0; w < 5; w++) {
        CHECK_INT(exact(fixture_world(&box, w)), exact(cosm_batch_world(plain, 0)));
    }
    CHECK_DONE(cosm_batch_destroy(plain));
    CHECK_VALID(batch);
    fixture_close(&box);
}

TEST(a_fork_by_an_image_keeps_random_numbers_where_asked_to) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 3);
    plant(&box, box.world, 4);
    cosm_batch *batch = box.batch;
    cosm_world other = fixture_world(&box, 2);
    CHECK_DONE(cosm_fork_world(box.world, cosm_worlds_range(batch, 1, 1), NULL));
    CHECK_DONE(cosm_fork_world(box.world, cosm_worlds_range(batch, 2, 1),
                               &(cosm_fork_desc){.own_random = true}));
    CHECK_INT(cosm_hash_world(other, COSM_HASH_CONTENT),
              cosm_hash_world(box.world, COSM_HASH_CONTENT));
    cosm_random a = cosm_world_random(box.world, 0);
    cosm_random b = cosm_world_random(fixture_world(&box, 1), 0);
    cosm_random c = cosm_world_random(other, 0);
    uint64_t drawn = cosm_random_u64(&a);
    CHECK_INT(cosm_random_u64(&b), drawn);
    CHECK(cosm_random_u64(&c) != drawn);
    // All but the stream is the same.
    CHECK_DONE(cosm_world_seed(box.world, 1, 0));
    CHECK_DONE(cosm_world_seed(other, 1, 0));
    CHECK_INT(exact(other), exact(box.world));
    fixture_close(&box);
}

TEST(forks_of_every_storage_go_with_snapshots_and_readers) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 4);
    cosm_batch *batch = box.batch;
    plant(&box, box.world, 6);
    plant(&box, fixture_world(&box, 1), 3);
    // Without a snapshot before it, a fork does not make the batch track anything.
    cosm_snapshot *before = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        CHECK_DONE(cosm_fork_world(box.world, cosm_worlds_range(batch, 1, 2), NULL));
        CHECK_INT(exact(fixture_world(&box, 1)), exact(box.world));
        cosm_snapshot *after = cosm_snapshot_create(box.all);
        CHECK_INT(cosm_hash_snapshot(after, COSM_HASH_EXACT),
                  cosm_hash_batch(batch, COSM_HASH_EXACT));
        if (before != NULL) {
            uint64_t now = cosm_hash_batch(batch, COSM_HASH_EXACT);
            CHECK_DONE(cosm_snapshot_restore(before, 0, box.all));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT),
                      cosm_hash_snapshot(before, COSM_HASH_EXACT));
            CHECK_DONE(cosm_snapshot_restore(after, 0, box.all));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), now);
        }
        cosm_snapshot_destroy(before);
        before = after;
        plant(&box, box.world, 4);
        plant(&box, fixture_world(&box, 2), 2);
    }
    CHECK_VALID(batch);
    cosm_snapshot_destroy(before);
    fixture_close(&box);
}

// One thing beside the tables at a time, in the source or in the target only.
static void give_one_thing(struct fixture *box, cosm_world world, uint32_t which) {
    cosm_entity a = cosm_entity_spawn(world, box->plain);
    cosm_entity b = cosm_entity_spawn(world, box->plain);
    Level level = {5};
    Kiln kiln = {.number = 6};
    if (which == 0) {
        CHECK_DONE(cosm_tree_set_parent(world, b, a));
    } else if (which == 1) {
        CHECK_DONE(cosm_entity_set(world, a, box->level, &level));
    } else if (which == 2) {
        CHECK_DONE(cosm_entity_set(world, a, box->kiln, &kiln));
    } else {
        CHECK_DONE(cosm_entity_add(world, a, box->text));
    }
}

TEST(whatever_stands_beside_the_tables_goes_along_and_goes_away) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    for (uint32_t which = 0; which < 4; which++) {
        cosm_batch *batch = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 4});
        give_one_thing(&box, cosm_batch_world(batch, 0), which);
        (void)cosm_entity_spawn(cosm_batch_world(batch, 3), box.plain);
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
    fixture_close(&box);
}

TEST(split_components_of_both_placements_are_forked) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 4);
    spawn_bodies(&box, box.world, box.walker, 700);
    spawn_bodies(&box, box.world, box.seat, 3);
    spawn_bodies(&box, box.world, box.whole, 20);
    spawn_bodies(&box, box.world, box.body_event, 5);
    spawn_bodies(&box, cosm_batch_world(box.batch, 2), box.seat, 4);
    CHECK_DONE(cosm_fork_world(box.world, box.all, NULL));
    CHECK_VALID(box.batch);
    for (uint32_t w = 1; w < 4; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        CHECK_INT(exact(world), exact(box.world));
    }
    fixture_close(&box);
}

TEST(generations_of_ids_that_have_no_record_go_along) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised = cosm_commands_spawn(commands, box.world, box.plain);
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_commands_clear(commands);
    CHECK_DONE(cosm_fork_world(box.world, cosm_worlds_one(fixture_world(&box, 1)), NULL));
    cosm_entity a = cosm_entity_spawn(box.world, box.plain);
    cosm_entity b = cosm_entity_spawn(fixture_world(&box, 1), box.plain);
    CHECK(a.gen != promised.gen);
    CHECK_INT(a.gen, b.gen);
    CHECK_VALID(box.batch);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(when_memory_or_a_copy_fails_a_fork_of_every_storage_is_done_or_not_done) {
    for (int way = 0; way < 2; way++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct fixture box;
        fixture_open_with(&box, FIXTURE_TEMPLATE,
                          &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                          &(cosm_batch_desc){.world_count = 3});
        define_templates(&box);
        plant(&box, box.world, 4);
        plant(&box, fixture_world(&box, 1), 2);
        uint64_t then = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        size_t objects = objects_count(&box.books);
        bool refused = true;
        for (uint64_t n = 1; refused; n++) {
            if (way == 0) {
                ledger_refuse(&ledger, n, 1);
            } else {
                objects_refuse(&box.books, n, 1);
            }
            cosm_result result =
                cosm_fork_world(box.world, cosm_worlds_range(box.batch, 1, 2), NULL);
            refused = way == 0 ? ledger_relent(&ledger) : objects_relent(&box.books);
            CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
            CHECK_VALID(box.batch);
            if (refused) {
                CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), then);
                CHECK_INT(objects_count(&box.books), objects);
            }
        }
        CHECK_INT(exact(fixture_world(&box, 2)), exact(box.world));
        fixture_close(&box);
        ledger_close(&ledger);
    }
}
