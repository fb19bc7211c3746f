// Snapshots of worlds with shared values and trees: they come back in every order that can be seen,
// and so do their futures.
#include <string.h>

#include "harness.h"
#include "support/history.h"
#include "support/ledger.h"

static struct history history;

TEST(a_restored_world_has_the_same_future_in_every_order) {
    for (uint32_t game = 0; game < (harness_is_long() ? 600u : 30u); game++) {
        history_open(&history, harness_seed() + game, NULL);
        history_play(&history, 60);
        struct history_mind mind = history.mind;
        uint64_t view = history_view(&history);
        uint64_t hash = cosm_hash_batch(history.box.batch, COSM_HASH_EXACT);
        cosm_snapshot *snapshot = cosm_snapshot_create(history.box.all);
        REQUIRE(snapshot != NULL);
        CHECK_INT(cosm_hash_snapshot(snapshot, COSM_HASH_EXACT), hash);
        history_play(&history, 40);
        uint64_t trace = history.mind.trace;
        for (uint32_t again = 0; again < 3; again++) {
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, history.box.all));
            history.mind = mind;
            CHECK_VALID(history.box.batch);
            CHECK_INT(history_view(&history), view);
            CHECK_INT(cosm_hash_batch(history.box.batch, COSM_HASH_EXACT), hash);
            history_play(&history, 40);
            CHECK_INT(history.mind.trace, trace);
            if (again == 0) {
                CHECK_DONE(cosm_batch_trim(history.box.batch));
            } else {
                CHECK_DONE(cosm_batch_reset(history.box.batch, NULL));
            }
        }
        cosm_snapshot_destroy(snapshot);
        history_close(&history);
    }
}

TEST(a_snapshot_goes_into_another_batch_with_its_future) {
    for (uint32_t game = 0; game < (harness_is_long() ? 300u : 15u); game++) {
        history_open(&history, harness_seed() + 5000 + game, NULL);
        cosm_batch *first = history.box.batch;
        cosm_batch *second = cosm_batch_create(history.box.engine,
                                               &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
        struct history_mind empty = history.mind;
        if (game % 2 == 0) { // else there is nothing at all in it
            history_move(&history, second);
            history_play(&history, 50);
            history_move(&history, first);
        }
        history.mind = empty;
        history_play(&history, 50 + game);
        struct history_mind mind = history.mind;
        uint64_t view = history_view(&history);
        cosm_snapshot *snapshot = cosm_snapshot_create(history.box.all);
        history_play(&history, 30);
        uint64_t trace = history.mind.trace;
        history_move(&history, second);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, history.box.all));
        history.mind = mind;
        CHECK_VALID(second);
        CHECK_INT(history_view(&history), view);
        history_play(&history, 30);
        CHECK_INT(history.mind.trace, trace);
        CHECK_VALID(second);
        history_move(&history, first);
        CHECK_DONE(cosm_batch_destroy(second));
        cosm_snapshot_destroy(snapshot);
        history_close(&history);
    }
}

TEST(any_of_many_snapshots_comes_back_at_any_time) {
    enum { KEPT = 6 };
    uint64_t seed = harness_seed() + 9000;
    cosm_snapshot *kept[KEPT] = {NULL};
    struct history_mind minds[KEPT];
    uint64_t views[KEPT];
    history_open(&history, seed, NULL);
    struct dice dice = {seed};
    for (uint32_t turn = 0; turn < (harness_is_long() ? 30000u : 1500u); turn++) {
        uint32_t slot = dice_roll(&dice, KEPT);
        uint32_t what = dice_roll(&dice, 12);
        if (what == 0) {
            cosm_snapshot_destroy(kept[slot]);
            kept[slot] = cosm_snapshot_create(history.box.all);
            minds[slot] = history.mind;
            views[slot] = history_view(&history);
        } else if (what < 3 && kept[slot] != NULL) {
            CHECK_DONE(cosm_snapshot_restore(kept[slot], 0, history.box.all));
            history.mind = minds[slot];
            history.mind.dice.state += turn; // another future
            CHECK_VALID(history.box.batch);
            CHECK_INT(history_view(&history), views[slot]);
        } else {
            history_turn(&history);
        }
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    history_close(&history);
}

TEST(a_single_world_comes_back_and_the_others_stay) {
    history_open(&history, harness_seed() + 77, NULL);
    history_play(&history, 60);
    cosm_snapshot *snapshot = cosm_snapshot_create(history.box.all);
    cosm_world first = cosm_batch_world(history.box.batch, 0);
    cosm_world second = cosm_batch_world(history.box.batch, 1);
    uint64_t before = cosm_hash_world(second, COSM_HASH_EXACT);
    history_play(&history, 40);
    uint64_t stays = cosm_hash_world(first, COSM_HASH_EXACT);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 1, cosm_worlds_one(second)));
    CHECK_VALID(history.box.batch);
    CHECK_INT(cosm_hash_world(second, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_hash_world(first, COSM_HASH_EXACT), stays);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 1, cosm_worlds_one(first)));
    CHECK_VALID(history.box.batch);
    CHECK_INT(cosm_hash_world(first, COSM_HASH_EXACT), before);
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}

// Bytes that are taken for a snapshot and kept.
static size_t added_by(const struct ledger *ledger, cosm_snapshot **out_snapshot) {
    size_t before = ledger->block_bytes;
    *out_snapshot = cosm_snapshot_create(history.box.all);
    return ledger->block_bytes - before;
}

TEST(rows_of_groups_that_stay_are_shared_after_a_restore) {
    struct ledger ledger;
    ledger_open(&ledger);
    history_open(&history, 1, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    struct fixture *box = &history.box;
    cosm_rows rows;
    for (uint32_t color = 0; color < 3; color++) {
        Team team = {color, 0};
        CHECK_DONE(cosm_entity_spawn_many_with(box->world, box->player, 50000,
                                               &(cosm_value){box->team, &team}, 1, &rows));
    }
    const Position *where = cosm_entity_read(box->world, rows.entities[0], box->position);
    cosm_entity entity = rows.entities[0];
    cosm_snapshot *taken[3];
    CHECK(added_by(&ledger, &taken[0]) > 150000 * sizeof(Position));
    // A group comes, another one goes; the third one is left alone.
    cosm_entity fourth = spawn_player(box, box->world, 3, 5);
    CHECK_DONE(cosm_query_despawn(history.colors[0], box->all));
    CHECK_DONE(cosm_snapshot_restore(taken[0], 0, box->all));
    CHECK(!cosm_entity_is_alive(box->world, fourth));
    CHECK(cosm_entity_read(box->world, entity, box->position) == where);
    CHECK_VALID(box->batch);
    // What was copied back, and what was not, is as in the snapshot: nothing is new.
    CHECK(added_by(&ledger, &taken[1]) < 20000);
    CHECK_DONE(cosm_entity_set(box->world, entity, box->position, &(Position){1, 2, 0}));
    CHECK(added_by(&ledger, &taken[2]) < 150000 * sizeof(Position) / 4);
    for (uint32_t i = 0; i < 3; i++) {
        cosm_snapshot_destroy(taken[i]);
    }
    history_close(&history);
    ledger_close(&ledger);
}

TEST(objects_of_values_are_copied_once_and_end_once) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    char text[] = "long";
    cosm_value value = {box->label, &(Label){text}};
    cosm_entity entity = cosm_entity_spawn_with(box->world, box->badge, &value, 1);
    uint64_t copies = box->books.copied;
    cosm_snapshot *a = cosm_snapshot_create(box->all);
    cosm_snapshot *b = cosm_snapshot_create(box->all);
    CHECK_INT(box->books.copied, copies + 1);
    CHECK_DONE(cosm_snapshot_restore(a, 0, box->all)); // the world has it still
    CHECK_INT(box->books.copied, copies + 1);
    CHECK_DONE(cosm_entity_despawn(box->world, entity));
    CHECK_DONE(cosm_snapshot_restore(b, 0, box->all));
    CHECK_INT(box->books.copied, copies + 2);
    CHECK_STR(((const Label *)cosm_entity_read(box->world, entity, box->label))->text, "long");
    cosm_snapshot_destroy(a);
    cosm_snapshot_destroy(b);
    CHECK_VALID(box->batch);
    history_close(&history); // which counts
}

// Worlds that differ from a snapshot, and memory that can be refused.
struct fault_stage {
    struct ledger ledger;
    cosm_snapshot *snapshot;
    cosm_batch *first; // where the snapshot was taken
    cosm_batch *other; // where it is restored; NULL: in the first
    uint64_t now;      // what can be seen there
    struct history_mind mind;
    struct history_mind restored_mind;
    uint64_t restored;
};

static void stage_open(struct fault_stage *stage, uint64_t seed, bool elsewhere) {
    ledger_open(&stage->ledger);
    history_open(&history, seed,
                 &(cosm_engine_desc){.allocator = ledger_allocator(&stage->ledger)});
    history_play(&history, 50);
    stage->restored_mind = history.mind;
    stage->restored = history_view(&history);
    stage->snapshot = cosm_snapshot_create(history.box.all);
    stage->first = history.box.batch;
    stage->other = NULL;
    history_play(&history, 30);
    if (elsewhere) {
        stage->other = cosm_batch_create(history.box.engine,
                                         &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
        history_move(&history, stage->other);
    }
    stage->mind = history.mind;
    stage->now = history_view(&history);
}

static void stage_close(struct fault_stage *stage) {
    cosm_snapshot_destroy(stage->snapshot);
    history_move(&history, stage->first);
    if (stage->other != NULL) {
        CHECK_DONE(cosm_batch_destroy(stage->other));
    }
    history_close(&history);
    ledger_close(&stage->ledger);
}

// Restores with the n-th request refused, or the n-th copy of a label. Returns whether there were
// so many.
static bool restore_refused(uint64_t seed, uint32_t n, bool elsewhere, bool of_labels) {
    static struct fault_stage stage;
    stage_open(&stage, seed, elsewhere);
    if (of_labels) {
        objects_refuse(&history.box.books, n, 1);
    } else {
        ledger_refuse(&stage.ledger, n, 1);
    }
    cosm_error_clear();
    cosm_result result = cosm_snapshot_restore(stage.snapshot, 0, history.box.all);
    bool refused = ledger_relent(&stage.ledger);
    refused = objects_relent(&history.box.books) || refused;
    if (result != COSM_OK) {
        CHECK(refused);
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_VALID(history.box.batch);
        CHECK_INT(history_view(&history), stage.now);
        CHECK_DONE(cosm_snapshot_restore(stage.snapshot, 0, history.box.all));
    }
    CHECK_VALID(history.box.batch);
    history.mind = stage.restored_mind;
    CHECK_INT(history_view(&history), stage.restored);
    cosm_error_clear();
    stage_close(&stage);
    return refused;
}

TEST(a_restore_that_runs_out_of_memory_changes_nothing) {
    for (uint32_t game = 0; game < (harness_is_long() ? 20u : 2u); game++) {
        for (uint32_t n = 1; restore_refused(harness_seed() + game, n, game % 2 == 0, false); n++) {
            REQUIRE(n < 1000);
        }
    }
}

TEST(a_restore_that_cannot_copy_an_object_changes_nothing) {
    for (uint32_t game = 0; game < (harness_is_long() ? 20u : 2u); game++) {
        for (uint32_t n = 1; restore_refused(harness_seed() + game, n, game % 2 == 0, true); n++) {
            REQUIRE(n < 1000);
        }
    }
}

static bool snapshot_refused(uint64_t seed, uint32_t n, bool of_labels) {
    static struct fault_stage stage;
    stage_open(&stage, seed, false);
    if (of_labels) {
        objects_refuse(&history.box.books, n, 1);
    } else {
        ledger_refuse(&stage.ledger, n, 1);
    }
    cosm_error_clear();
    cosm_snapshot *taken = cosm_snapshot_create(history.box.all);
    bool refused = ledger_relent(&stage.ledger);
    refused = objects_relent(&history.box.books) || refused;
    if (taken == NULL) {
        CHECK(refused);
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_VALID(history.box.batch);
        CHECK_INT(history_view(&history), stage.now);
        taken = cosm_snapshot_create(history.box.all);
    }
    CHECK_DONE(cosm_snapshot_restore(stage.snapshot, 0, history.box.all));
    CHECK_DONE(cosm_snapshot_restore(taken, 0, history.box.all));
    CHECK_VALID(history.box.batch);
    CHECK_INT(history_view(&history), stage.now);
    cosm_snapshot_destroy(taken);
    cosm_error_clear();
    stage_close(&stage);
    return refused;
}

TEST(a_snapshot_that_runs_out_of_memory_changes_nothing) {
    for (uint32_t n = 1; snapshot_refused(harness_seed() + 3, n, false); n++) {
        REQUIRE(n < 1000);
    }
    for (uint32_t n = 1; snapshot_refused(harness_seed() + 3, n, true); n++) {
        REQUIRE(n < 1000);
    }
}

// What an observer tried from within a change of two worlds.
struct meddler {
    struct fixture *box;
    uint32_t calls;
    uint32_t refused;
};

static void meddle(const cosm_event *event) {
    struct meddler *meddler = event->context;
    cosm_worlds other = cosm_worlds_range(meddler->box->batch, 1 - event->world.index, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(other);
    meddler->calls++;
    meddler->refused += snapshot == NULL;
    if (snapshot != NULL) {
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, other));
    }
    cosm_snapshot_destroy(snapshot);
}

TEST(worlds_whose_changes_are_yet_to_be_told_are_not_snapshotted) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    for (uint32_t w = 0; w < 2; w++) {
        CHECK(!cosm_entity_is_none(spawn_player(box, cosm_batch_world(box->batch, w), 0, 1)));
    }
    cosm_snapshot_destroy(cosm_snapshot_create(box->all));
    struct meddler meddler = {box, 0, 0};
    cosm_observer observer = cosm_observer_define(
        box->engine,
        &(cosm_observer_desc){
            .name = "meddler", .component = box->team, .run = meddle, .context = &meddler});
    CHECK_DONE(cosm_query_set(history.colors[0], box->all, box->team, &(Team){1, 0}));
    CHECK(meddler.calls > 0);
    CHECK(meddler.refused > 0 && meddler.refused < meddler.calls);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_snapshot_create", "world 1", "has returned");
    cosm_error_clear();
    CHECK_VALID(box->batch);
    CHECK_DONE(cosm_observer_remove(box->engine, observer));
    history_close(&history);
}

TEST(temporary_rows_come_back_too) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    cosm_archetype kinds[] = {
        cosm_archetype_define(box->engine, &(cosm_archetype_desc){.name = "spark",
                                                                  .components = {box->position},
                                                                  .temporary = true}),
        cosm_archetype_define(
            box->engine,
            &(cosm_archetype_desc){.name = "flash", .components = {box->mark}, .temporary = true})};
    cosm_rows rows;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(kinds[i].id != 0);
        CHECK_DONE(cosm_entity_spawn_many(box->world, kinds[i], 5 + i, &rows));
    }
    uint64_t before = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    cosm_batch *other =
        cosm_batch_create(box->engine, &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(other)));
    CHECK_VALID(other);
    CHECK_INT(cosm_hash_batch(other, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_batch_step(box->batch));
    CHECK(cosm_hash_batch(box->batch, COSM_HASH_EXACT) != before);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box->all));
    CHECK_VALID(box->batch);
    CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_EXACT), before);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(cosm_table_row_count(box->world, kinds[i]), 5 + i);
    }
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}

// An entity with Team and any of five other components: 32 archetypes with one value.
TEST(a_value_of_many_archetypes_comes_back_in_all_of_them) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    const cosm_component others[] = {box->position, box->level, box->label, box->mark, box->still};
    for (uint32_t kind = 0; kind < 32; kind++) {
        cosm_entity entity = spawn_player(box, box->world, 1, 0);
        CHECK_DONE((kind & 1) == 0 ? cosm_entity_remove(box->world, entity, box->position)
                                   : COSM_OK);
        for (uint32_t i = 1; i < 5; i++) {
            if ((kind >> i & 1) != 0) {
                CHECK_DONE(cosm_entity_add(box->world, entity, others[i]));
            }
        }
        history.mind.entities[0][kind] = entity;
    }
    uint64_t view = history_view(&history);
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    CHECK_DONE(cosm_batch_reset(box->batch, NULL));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box->all));
    CHECK_VALID(box->batch);
    CHECK_INT(history_view(&history), view);
    CHECK_INT(cosm_shared_entity_count(box->world, box->team, &(Team){1, 0}), 32);
    // And where a value of fewer is there already.
    for (uint32_t kind = 4; kind < 32; kind++) {
        CHECK_DONE(cosm_entity_despawn(box->world, history.mind.entities[0][kind]));
    }
    CHECK_DONE(cosm_batch_trim(box->batch));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box->all));
    CHECK_VALID(box->batch);
    CHECK_INT(history_view(&history), view);
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}

TEST(many_values_of_one_archetype_come_back_in_their_order) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    for (uint32_t i = 0; i < 50; i++) {
        (void)spawn_player(box, box->world, i * 7 % 50, (float)i);
    }
    uint64_t view = history_view(&history);
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    cosm_batch *first = box->batch;
    cosm_batch *other =
        cosm_batch_create(box->engine, &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
    history_move(&history, other);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box->all));
    CHECK_VALID(other);
    CHECK_INT(history_view(&history), view);
    CHECK_INT(cosm_shared_value_count(box->world, box->team), 50);
    history_move(&history, first);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}

// Records beside the tables end with their entities, whichever part of a restore came first.
TEST(restored_groups_tell_of_entities_that_end) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    cosm_component heat = cosm_component_define(
        box->engine,
        &(cosm_component_desc){.name = "Heat", .size = 4, .storage = COSM_STORAGE_SECTOR});
    cosm_entity entity = spawn_player(box, box->world, 1, 0);
    CHECK_DONE(cosm_entity_set(box->world, entity, heat, &(uint32_t){5}));
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    cosm_batch *other =
        cosm_batch_create(box->engine, &(cosm_batch_desc){.world_count = HISTORY_WORLDS});
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(other)));
    cosm_world world = cosm_batch_world(other, 0);
    CHECK_INT(*(const uint32_t *)cosm_entity_read(world, entity, heat), 5);
    CHECK_DONE(cosm_entity_despawn(world, entity));
    CHECK_VALID(other);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}

TEST(a_group_that_stays_gets_room_for_rows_that_are_back) {
    history_open(&history, 1, NULL);
    struct fixture *box = &history.box;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->player, 5000, &rows));
    cosm_entity last = rows.entities[4999];
    uint64_t before = cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(box->all);
    for (uint32_t i = 4999; i > 0; i--) {
        CHECK_DONE(
            cosm_entity_despawn(box->world, cosm_entity_at(box->world, (cosm_loc){65536, i})));
    }
    CHECK_DONE(cosm_batch_trim(box->batch));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box->all));
    CHECK_VALID(box->batch);
    CHECK(cosm_entity_is_alive(box->world, last));
    CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_EXACT), before);
    cosm_snapshot_destroy(snapshot);
    history_close(&history);
}
