// Forks: one world copied onto others.
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/portrait.h"

typedef struct Weather {
    uint64_t rain;
    uint32_t wind;
} Weather;

// A fixture with a singleton, and a system that draws: what a world becomes depends on its stream.
struct fair {
    struct fixture box;
    cosm_singleton weather;
};

static void wander(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    cosm_world world = {rows->turn->worlds.batch, rows->world};
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_random random = cosm_turn_random(rows->turn, world, rows->entities[i].id);
        position[i].x += cosm_random_between(&random, -1.0f, 1.0f);
        if (cosm_random_chance(&random, 0.05f)) {
            cosm_commands *commands = cosm_turn_commands(rows->turn);
            CHECK_DONE(cosm_commands_despawn(commands, world, rows->entities[i]));
        } else if (cosm_random_chance(&random, 0.05f)) {
            (void)cosm_commands_spawn(cosm_turn_commands(rows->turn), world, rows->archetype);
        }
    }
}

static void fair_define(struct fair *fair) {
    struct fixture *box = &fair->box;
    fair->weather =
        cosm_singleton_define(box->engine, &(cosm_singleton_desc){.name = "Weather",
                                                                  .size = sizeof(Weather),
                                                                  .alignment = _Alignof(Weather)});
    CHECK(fair->weather.id != 0);
    cosm_system system = cosm_system_define(
        box->engine,
        &(cosm_system_desc){
            .name = "wander",
            .each = wander,
            .commands = true,
            .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                   {.component = box->velocity}},
                         .by_world = true}},
        });
    CHECK(system.id != 0);
}

static void fair_open(struct fair *fair, uint32_t world_count) {
    fixture_open(&fair->box, 0, world_count);
    fair_define(fair);
}

// A world with a history: rows in several tables, free ids, a singleton.
static void fair_fill(struct fair *fair, cosm_world world, uint32_t count) {
    struct fixture *box = &fair->box;
    for (uint32_t i = 0; i < count; i++) {
        Position at = {(float)i, (float)world.index, 0};
        cosm_entity entity =
            cosm_entity_spawn_with(world, box->mover, &(cosm_value){box->position, &at}, 1);
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_add(world, entity, box->health));
        } else if (i % 7 == 0) {
            CHECK_DONE(cosm_entity_despawn(world, entity));
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, box->slot)));
    }
    *(Weather *)cosm_singleton_write(world, fair->weather) =
        (Weather){.rain = 100 + world.index, .wind = count};
}

static uint64_t exact(cosm_world world) {
    return cosm_hash_world(world, COSM_HASH_EXACT);
}

// For worlds that draw from streams of their own.
static uint64_t content(cosm_world world) {
    return cosm_hash_world(world, COSM_HASH_CONTENT);
}

TEST(a_fork_is_what_its_source_is_and_has_its_future) {
    struct fair fair;
    fair_open(&fair, 6);
    struct fixture *box = &fair.box;
    for (uint32_t w = 0; w < 6; w++) {
        fair_fill(&fair, fixture_world(box, w), 20 + 30 * (w % 3));
    }
    CHECK_DONE(cosm_batch_step(box->batch));
    cosm_world source = fixture_world(box, 1);
    uint64_t then = exact(source);
    uint64_t first = exact(fixture_world(box, 0));
    CHECK_DONE(cosm_fork_world(source, cosm_worlds_range(box->batch, 2, 4), NULL));
    CHECK_VALID(box->batch);
    CHECK_INT(exact(source), then);
    CHECK_INT(exact(fixture_world(box, 0)), first);
    for (uint32_t w = 2; w < 6; w++) {
        CHECK_INT(exact(fixture_world(box, w)), then);
        const Weather *weather = cosm_singleton_read(fixture_world(box, w), fair.weather);
        CHECK_INT(weather->rain, 101);
        CHECK_INT(weather->wind, 50);
    }
    for (uint32_t step = 0; step < 10; step++) {
        CHECK_DONE(cosm_batch_step(box->batch));
        for (uint32_t w = 2; w < 6; w++) {
            CHECK_INT(exact(fixture_world(box, w)), exact(source));
        }
    }
    CHECK(exact(source) != then);
    CHECK_VALID(box->batch);
    // Handles come out the same, too.
    cosm_entity a = cosm_entity_spawn(source, box->mover);
    cosm_entity b = cosm_entity_spawn(fixture_world(box, 4), box->mover);
    CHECK_INT(a.id, b.id);
    CHECK_INT(a.gen, b.gen);
    fixture_close(box);
}

TEST(copies_with_their_own_random_numbers_begin_alike_and_differ_later) {
    struct fair fair;
    fair_open(&fair, 4);
    struct fixture *box = &fair.box;
    fair_fill(&fair, box->world, 40);
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_range(box->batch, 1, 2),
                               &(cosm_fork_desc){.own_random = true}));
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_range(box->batch, 3, 1),
                               &(cosm_fork_desc){.own_random = false}));
    for (uint32_t w = 1; w < 4; w++) {
        CHECK_SAME(fixture_world(box, w), box->world, PORTRAIT_NO_STREAM);
    }
    CHECK(exact(fixture_world(box, 1)) != exact(box->world));
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_INT(exact(fixture_world(box, 3)), exact(box->world));
    uint64_t sums[3];
    for (uint32_t w = 0; w < 3; w++) {
        sums[w] = content(fixture_world(box, w));
    }
    CHECK(sums[0] != sums[1]);
    CHECK(sums[0] != sums[2]);
    CHECK(sums[1] != sums[2]);
    fixture_close(box);
}

TEST(copies_have_random_numbers_of_their_own_also_where_they_were_exact_copies_before) {
    for (uint32_t with_tree = 0; with_tree < 2; with_tree++) {
        struct fair fair;
        fair_open(&fair, 4);
        struct fixture *box = &fair.box;
        fair_fill(&fair, box->world, 40);
        if (with_tree == 1) { // copied by way of an image
            cosm_entity parent = cosm_entity_spawn(box->world, box->mover);
            CHECK_DONE(cosm_tree_set_parent(box->world, cosm_entity_spawn(box->world, box->mover),
                                            parent));
        }
        cosm_worlds targets = cosm_worlds_range(box->batch, 1, 3);
        CHECK_DONE(cosm_fork_world(box->world, targets, NULL));
        CHECK_DONE(cosm_batch_step(box->batch));
        CHECK_DONE(cosm_world_seed(fixture_world(box, 3), 99, 0));
        CHECK_DONE(cosm_fork_world(box->world, targets, &(cosm_fork_desc){.own_random = true}));
        uint64_t sums[4];
        for (uint32_t w = 0; w < 4; w++) {
            CHECK_INT(cosm_world_number(fixture_world(box, w)), w);
            CHECK_INT(cosm_world_step_count(fixture_world(box, w)), 1);
        }
        CHECK_DONE(cosm_batch_step(box->batch));
        for (uint32_t w = 0; w < 4; w++) {
            sums[w] = content(fixture_world(box, w));
            for (uint32_t i = 0; i < w; i++) {
                CHECK(sums[i] != sums[w]);
            }
        }
        fixture_close(box);
    }
}

TEST(a_world_that_forks_draw_like_may_be_forked_again) {
    struct fair fair;
    fair_open(&fair, 4);
    struct fixture *box = &fair.box;
    fair_fill(&fair, fixture_world(box, 2), 30);
    CHECK_DONE(cosm_fork_world(fixture_world(box, 2), cosm_worlds_range(box->batch, 1, 1), NULL));
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_DONE(cosm_fork_world(fixture_world(box, 1), cosm_worlds_range(box->batch, 0, 1), NULL));
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_INT(exact(fixture_world(box, 0)), exact(fixture_world(box, 2)));
    CHECK_INT(exact(fixture_world(box, 1)), exact(fixture_world(box, 2)));
    // In its own past a world has its own step, which goes with it.
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_one(box->world));
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(box->world)));
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_range(box->batch, 3, 1), NULL));
    CHECK_INT(cosm_world_step_count(fixture_world(box, 3)), 2);
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK_INT(exact(fixture_world(box, 3)), exact(box->world));
    cosm_snapshot_destroy(snapshot);
    fixture_close(box);
}

TEST(the_source_may_lie_among_the_targets) {
    struct fair fair;
    fair_open(&fair, 5);
    struct fixture *box = &fair.box;
    for (uint32_t s = 0; s < 5; s++) {
        CHECK_DONE(cosm_batch_reset(box->batch, NULL));
        for (uint32_t w = 0; w < 5; w++) {
            fair_fill(&fair, fixture_world(box, w), 10 * (w + 1));
        }
        uint64_t then = exact(fixture_world(box, s));
        CHECK_DONE(cosm_fork_world(fixture_world(box, s), box->all, NULL));
        for (uint32_t w = 0; w < 5; w++) {
            CHECK_INT(exact(fixture_world(box, w)), then);
        }
        CHECK_VALID(box->batch);
    }
    fixture_close(box);
}

TEST(targets_that_are_no_neighbours_are_listed) {
    struct fair fair;
    fair_open(&fair, 10);
    struct fixture *box = &fair.box;
    uint64_t before[10];
    for (uint32_t w = 0; w < 10; w++) {
        fair_fill(&fair, fixture_world(box, w), 10 * (w + 1));
        before[w] = exact(fixture_world(box, w));
    }
    // Some side by side, one before the other, and the source.
    static const uint32_t list[] = {8, 2, 3, 4, 5, 6, 1};
    cosm_world targets[7];
    for (uint32_t i = 0; i < 7; i++) {
        targets[i] = fixture_world(box, list[i]);
    }
    CHECK_DONE(cosm_fork_many(fixture_world(box, 4), targets, 7, NULL));
    CHECK_VALID(box->batch);
    for (uint32_t w = 0; w < 10; w++) {
        bool left = w == 0 || w == 7 || w == 9;
        CHECK_INT(exact(fixture_world(box, w)), left ? before[w] : before[4]);
    }
    CHECK_DONE(cosm_fork_many(fixture_world(box, 4), NULL, 0, NULL));
    CHECK_DONE(cosm_fork_world(fixture_world(box, 4), (cosm_worlds){box->batch, 3, 0}, NULL));
    CHECK_DONE(cosm_fork_many(fixture_world(box, 4), targets + 3, 1, NULL));
    CHECK_INT(exact(fixture_world(box, 3)), before[4]);
    fixture_close(box);
}

TEST(targets_may_be_worlds_of_another_batch) {
    struct fair fair;
    fair_open(&fair, 2);
    struct fixture *box = &fair.box;
    cosm_batch *other =
        cosm_batch_create(box->engine, &(cosm_batch_desc){.world_count = 3, .seed = 77});
    fair_fill(&fair, fixture_world(box, 1), 60);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_DONE(cosm_batch_step(other));
    }
    CHECK_DONE(cosm_fork_world(fixture_world(box, 1), cosm_worlds_range(other, 1, 2), NULL));
    CHECK_VALID(other);
    for (uint32_t step = 0; step < 3; step++) {
        CHECK_INT(exact(cosm_batch_world(other, 1)), exact(fixture_world(box, 1)));
        CHECK_INT(exact(cosm_batch_world(other, 2)), exact(fixture_world(box, 1)));
        CHECK_INT(cosm_world_step_count(cosm_batch_world(other, 2)), step);
        CHECK_DONE(cosm_batch_step(other));
        CHECK_DONE(cosm_batch_step(box->batch));
    }
    CHECK_INT(cosm_batch_step_count(other), 7);
    CHECK_INT(cosm_world_entity_count(cosm_batch_world(other, 0)), 0);
    // The world with the source's index is a target like any other there.
    CHECK_DONE(cosm_fork_world(cosm_batch_world(other, 0), box->all, NULL));
    CHECK_INT(cosm_batch_entity_count(box->batch), 0);
    CHECK_VALID(box->batch);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(box);
}

TEST(an_empty_world_empties_its_targets) {
    struct fair fair;
    fair_open(&fair, 3);
    struct fixture *box = &fair.box;
    fair_fill(&fair, fixture_world(box, 1), 50);
    fair_fill(&fair, fixture_world(box, 2), 50);
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_range(box->batch, 1, 2), NULL));
    CHECK_VALID(box->batch);
    CHECK_INT(cosm_batch_entity_count(box->batch), 0);
    CHECK_INT(exact(fixture_world(box, 2)), exact(box->world));
    fixture_close(box);
}

TEST(a_thousand_targets_and_large_tables_are_copied) {
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t targets = round == 0 ? 1 : round == 1 ? 100 : 1000;
        struct fair fair;
        fair_open(&fair, targets + 1);
        struct fixture *box = &fair.box;
        fair_fill(&fair, box->world, round == 1 ? 3000 : 12);
        if (round == 0) {
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, 200000, &rows));
        }
        CHECK_DONE(cosm_fork_world(box->world, box->all, NULL));
        for (uint32_t w = 1; w <= targets; w++) {
            CHECK_INT(exact(fixture_world(box, w)), exact(box->world));
        }
        CHECK_VALID(box->batch);
        fixture_close(box);
    }
}

static void count_call(const cosm_event *event) {
    (void)event;
    ++*(uint32_t *)event->context;
}

TEST(observers_are_not_told) {
    struct fair fair;
    fair_open(&fair, 3);
    struct fixture *box = &fair.box;
    uint32_t calls = 0;
    cosm_observer observer = cosm_observer_define(
        box->engine,
        &(cosm_observer_desc){
            .name = "watch", .component = box->position, .run = count_call, .context = &calls});
    CHECK(observer.id != 0);
    fair_fill(&fair, box->world, 20);
    fair_fill(&fair, fixture_world(box, 2), 40);
    CHECK(calls > 0);
    calls = 0;
    CHECK_DONE(cosm_fork_world(box->world, box->all, NULL));
    CHECK_INT(exact(fixture_world(box, 2)), exact(box->world));
    CHECK_INT(calls, 0);
    (void)cosm_entity_spawn(fixture_world(box, 2), box->mover);
    CHECK_INT(calls, 1);
    CHECK_DONE(cosm_observer_remove(box->engine, observer));
    fixture_close(box);
}

static uint32_t count_changed(cosm_change_reader *reader, cosm_world world) {
    uint32_t count = 0;
    cosm_rows rows;
    cosm_change_walk(reader, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        count += rows.count;
    }
    return count;
}

TEST(readers_of_changes_see_what_was_copied) {
    struct fair fair;
    fair_open(&fair, 3);
    struct fixture *box = &fair.box;
    cosm_query *query = cosm_query_create(
        box->engine, &(cosm_query_desc){.terms = {{.component = box->position, .changed = true}}});
    cosm_change_reader *reader = cosm_change_reader_create(box->batch, query);
    REQUIRE(reader != NULL);
    for (uint32_t w = 0; w < 3; w++) {
        fair_fill(&fair, fixture_world(box, w), 2000);
        (void)count_changed(reader, fixture_world(box, w));
        CHECK_INT(count_changed(reader, fixture_world(box, w)), 0);
    }
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_range(box->batch, 1, 1), NULL));
    CHECK_INT(count_changed(reader, fixture_world(box, 0)), 0);
    CHECK_INT(count_changed(reader, fixture_world(box, 1)), cosm_world_entity_count(box->world));
    CHECK_INT(count_changed(reader, fixture_world(box, 1)), 0);
    CHECK_INT(count_changed(reader, fixture_world(box, 2)), 0);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(query);
    fixture_close(box);
}

TEST(readers_by_row_see_what_was_copied_in_both_placements) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component count = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Count", .size = 4, .alignment = 4, .change_rows = true});
    cosm_component other = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Other", .size = 8, .alignment = 8});
    cosm_archetype kinds[] = {
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {count}}),
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {count, other},
                                                             .placement = COSM_PLACEMENT_FIXED,
                                                             .max_per_world = 50}),
    };
    cosm_query *query = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = count, .changed = true}}});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 3});
    cosm_change_reader *reader = cosm_change_reader_create(batch, query);
    REQUIRE(reader != NULL);
    for (uint32_t k = 0; k < 2; k++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, 1), kinds[k], 40, &rows));
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, 2), kinds[k], 30, &rows));
    }
    for (uint32_t w = 0; w < 3; w++) {
        (void)count_changed(reader, cosm_batch_world(batch, w));
    }
    CHECK_DONE(cosm_fork_world(cosm_batch_world(batch, 1), cosm_worlds_all(batch), NULL));
    CHECK_VALID(batch);
    CHECK_INT(count_changed(reader, cosm_batch_world(batch, 0)), 80);
    CHECK_INT(count_changed(reader, cosm_batch_world(batch, 1)), 0);
    CHECK_INT(count_changed(reader, cosm_batch_world(batch, 2)), 80);
    CHECK_INT(count_changed(reader, cosm_batch_world(batch, 2)), 0);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(query);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_next_snapshot_sees_ids_of_worlds_without_rows) {
    struct fair fair;
    fair_open(&fair, 2);
    struct fixture *box = &fair.box;
    cosm_world target = fixture_world(box, 1);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_DONE(cosm_entity_despawn(box->world, cosm_entity_spawn(box->world, box->mover)));
    }
    CHECK_DONE(cosm_entity_despawn(target, cosm_entity_spawn(target, box->mover)));
    cosm_snapshot *before = cosm_snapshot_create(box->all);
    CHECK_DONE(cosm_fork_world(box->world, cosm_worlds_one(target), NULL));
    cosm_snapshot *after = cosm_snapshot_create(box->all);
    cosm_entity next = cosm_entity_spawn(box->world, box->mover);
    CHECK_DONE(cosm_snapshot_restore(before, 0, box->all));
    CHECK_DONE(cosm_snapshot_restore(after, 0, box->all));
    CHECK_INT(cosm_entity_spawn(target, box->mover).gen, next.gen);
    cosm_snapshot_destroy(before);
    cosm_snapshot_destroy(after);
    fixture_close(box);
}

TEST(snapshots_and_hashers_see_what_was_copied) {
    struct dice dice = {harness_seed()};
    struct fair fair;
    fair_open(&fair, 4);
    struct fixture *box = &fair.box;
    cosm_hasher *hasher = cosm_hasher_create(box->batch);
    cosm_snapshot *kept[4] = {NULL};
    uint64_t hashes[4] = {0};
    for (uint32_t turn = 0; turn < 300; turn++) {
        uint32_t what = dice_roll(&dice, 8);
        uint32_t slot = dice_roll(&dice, 4);
        cosm_world world = fixture_world(box, dice_roll(&dice, 4));
        if (what < 2) {
            CHECK_DONE(cosm_fork_world(
                world, cosm_worlds_range(box->batch, slot, 1 + dice_roll(&dice, 4 - slot)),
                &(cosm_fork_desc){.own_random = turn % 2 == 0}));
        } else if (what == 2) {
            CHECK_DONE(cosm_batch_step(box->batch));
        } else if (what == 3) {
            for (uint32_t i = 0; i < dice_roll(&dice, 300); i++) {
                (void)cosm_entity_spawn(world, dice_roll(&dice, 2) == 0 ? box->mover : box->stone);
            }
        } else if (what == 4 && dice_roll(&dice, 3) == 0) {
            CHECK_DONE(cosm_world_reset(world));
        } else if (what == 5) {
            cosm_snapshot_destroy(kept[slot]);
            kept[slot] = cosm_snapshot_create(box->all);
            hashes[slot] = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
            CHECK_INT(cosm_hash_snapshot(kept[slot], COSM_HASH_EXACT), hashes[slot]);
        } else if (what == 6 && kept[slot] != NULL) {
            CHECK_DONE(cosm_snapshot_restore(kept[slot], 0, box->all));
            CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_EXACT), hashes[slot]);
        }
        CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT),
                  cosm_hash_batch(box->batch, COSM_HASH_EXACT));
        CHECK_VALID(box->batch);
    }
    for (uint32_t i = 0; i < 4; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    cosm_hasher_destroy(hasher);
    fixture_close(box);
}

static void fork_in_system(const cosm_turn *turn) {
    cosm_world source = {turn->worlds.batch, 0};
    CHECK_FAILS(cosm_fork_world(*(cosm_world *)turn->context, cosm_worlds_one(source), NULL),
                COSM_ERROR_BUSY, "cosm_fork_world", "running", "between steps");
    CHECK_FAILS(cosm_fork_world(source, cosm_worlds_range(turn->worlds.batch, 1, 1), NULL),
                COSM_ERROR_BUSY, "cosm_fork_world", "running", "between steps");
}

TEST(what_cannot_be_done_is_refused_and_changes_nothing) {
    struct fair fair;
    fair_open(&fair, 4);
    struct fixture *box = &fair.box;
    fair_fill(&fair, box->world, 20);
    fair_fill(&fair, fixture_world(box, 2), 30);
    uint64_t then = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    cosm_worlds some = cosm_worlds_range(box->batch, 1, 2);
    cosm_world target = fixture_world(box, 1);
    CHECK_FAILS(cosm_fork_world((cosm_world){NULL, 0}, some, NULL), COSM_ERROR_ARGUMENT,
                "cosm_fork_world", "world.batch is NULL", "cosm_batch_world");
    CHECK_FAILS(cosm_fork_world((cosm_world){box->batch, 4}, some, NULL), COSM_ERROR_ARGUMENT,
                "cosm_fork_world", "world.index 4", "smaller");
    CHECK_FAILS(cosm_fork_world(box->world, (cosm_worlds){NULL, 0, 1}, NULL), COSM_ERROR_ARGUMENT,
                "cosm_fork_world", "worlds.batch is NULL", "cosm_worlds_one");
    CHECK_FAILS(cosm_fork_world(box->world, (cosm_worlds){box->batch, 3, 2}, NULL),
                COSM_ERROR_ARGUMENT, "cosm_fork_world", "2 worlds from world 3", "range");
    CHECK_FAILS(cosm_fork_many(box->world, NULL, 1, NULL), COSM_ERROR_ARGUMENT, "cosm_fork_many",
                "targets is NULL", "target_count");
    CHECK_FAILS(cosm_fork_many((cosm_world){NULL, 0}, &target, 1, NULL), COSM_ERROR_ARGUMENT,
                "cosm_fork_many", "NULL", "cosm_batch_world");
    cosm_world list[3] = {target, {box->batch, 9}, {box->batch, 2}};
    CHECK_FAILS(cosm_fork_many(box->world, list, 3, NULL), COSM_ERROR_ARGUMENT, "cosm_fork_many",
                "world.index 9", "smaller");
    list[1] = target;
    CHECK_FAILS(cosm_fork_many(box->world, list, 3, NULL), COSM_ERROR_ARGUMENT, "cosm_fork_many",
                "targets[1] is world 1", "once");
    cosm_batch *other = cosm_batch_create(box->engine, NULL);
    list[1] = cosm_batch_world(other, 0);
    CHECK_FAILS(cosm_fork_many(box->world, list, 3, NULL), COSM_ERROR_ARGUMENT, "cosm_fork_many",
                "targets[1]", "each batch separately");
    CHECK_DONE(cosm_batch_destroy(other));
    struct fixture stranger;
    fixture_open(&stranger, 0, 1);
    CHECK_FAILS(cosm_fork_world(stranger.world, some, NULL), COSM_ERROR_ARGUMENT, "cosm_fork_world",
                "another engine", "cosm_save_write");
    fixture_close(&stranger);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_query *query = fixture_query(box, box->position, (cosm_component){0});
        cosm_rows rows;
        cosm_query_walk(query, cosm_worlds_one(fixture_world(box, w == 1 ? 2 : w)), &rows);
        CHECK(cosm_rows_next(&rows));
        CHECK_FAILS(cosm_fork_world(box->world, some, NULL), COSM_ERROR_WALKED, "cosm_fork_world",
                    w == 0 ? "world 0" : "world 2", "finish the walk");
        list[1] = fixture_world(box, 2);
        CHECK_FAILS(cosm_fork_many(box->world, list, 2, NULL), COSM_ERROR_WALKED, "cosm_fork_many",
                    w == 0 ? "world 0" : "world 2", "finish the walk");
        cosm_rows_end(&rows);
        cosm_query_destroy(query);
    }
    CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_EXACT), then);
    other = cosm_batch_create(box->engine, NULL);
    cosm_world outside = cosm_batch_world(other, 0);
    cosm_system system = cosm_system_define(box->engine, &(cosm_system_desc){.name = "fork",
                                                                             .run = fork_in_system,
                                                                             .context = &outside,
                                                                             .global = true});
    CHECK(system.id != 0);
    // The step tells of what failed in it.
    CHECK_INT(cosm_batch_step(box->batch), COSM_ERROR_BUSY);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(box);
}

TEST(when_the_nth_allocation_fails_a_fork_is_done_or_not_done) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fair fair;
    fixture_open_with(&fair.box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 1});
    fair_define(&fair);
    struct fixture *box = &fair.box;
    fair_fill(&fair, box->world, 3000);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        cosm_batch *fresh =
            cosm_batch_create(box->engine, &(cosm_batch_desc){.world_count = 4, .seed = 3});
        fair_fill(&fair, cosm_batch_world(fresh, 2), 10);
        cosm_world targets[] = {cosm_batch_world(fresh, 0), cosm_batch_world(fresh, 2)};
        uint64_t now = cosm_hash_batch(fresh, COSM_HASH_EXACT);
        ledger_refuse(&ledger, n, 1);
        cosm_result result = cosm_fork_many(box->world, targets, 2, NULL);
        refused = ledger_relent(&ledger);
        CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK((cosm_hash_batch(fresh, COSM_HASH_EXACT) == now) == refused);
        CHECK_VALID(fresh);
        CHECK_DONE(cosm_fork_many(box->world, targets, 2, NULL));
        CHECK_INT(exact(cosm_batch_world(fresh, 0)), exact(box->world));
        CHECK_INT(exact(cosm_batch_world(fresh, 2)), exact(box->world));
        CHECK_DONE(cosm_batch_destroy(fresh));
    }
    fixture_close(box);
    ledger_close(&ledger);
}
