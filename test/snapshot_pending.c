// Commands that were recorded and not applied, in snapshots.
#include "harness.h"
#include "support/ledger.h"
#include "support/sandbox.h"
#include "support/vault.h"

static cosm_entity record_mover(const struct sandbox *box, cosm_commands *commands,
                                cosm_world world, float x) {
    Position position = {x, 0, 0};
    cosm_value value = {box->position, &position};
    return cosm_commands_spawn_with(commands, world, box->mover, &value, 1);
}

static float position_of(const struct sandbox *box, cosm_world world, cosm_entity entity) {
    const Position *position = cosm_entity_read(world, entity, box->position);
    return position == NULL ? -1.0f : position->x;
}

static bool is_same_entity(cosm_entity a, cosm_entity b) {
    return a.id == b.id && a.gen == b.gen;
}

TEST(commands_that_were_recorded_before_are_back_after_a_restore) {
    struct sandbox box;
    sandbox_open(&box, 2);
    cosm_entity a = sandbox_spawn_mover(&box, 1);
    cosm_entity b = sandbox_spawn_mover(&box, 2);
    cosm_entity c = sandbox_spawn_mover(&box, 3);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised = record_mover(&box, commands, box.world, 7);
    CHECK_DONE(cosm_commands_set(commands, box.world, a, box.position, &(Position){8, 0, 0}));
    CHECK_DONE(cosm_commands_add(commands, box.world, b, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, b, box.velocity));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, c));
    uint32_t points = 6;
    CHECK_DONE(
        cosm_commands_emit(commands, box.world, box.event, &(cosm_value){box.health, &points}, 1));
    CHECK_DONE(
        cosm_commands_set(commands, box.world, promised, box.velocity, &(Velocity){9, 0, 0}));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    REQUIRE(snapshot != NULL);
    CHECK_INT(cosm_commands_count(commands), 7);
    cosm_commands_report first;
    CHECK_DONE(cosm_commands_apply(commands, &first));
    CHECK_INT(cosm_commands_count(commands), 0);
    uint64_t sum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    for (int turn = 0; turn < 3; turn++) {
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_VALID(box.batch);
        CHECK(cosm_entity_is_alive(box.world, c));
        CHECK(!cosm_entity_is_alive(box.world, promised));
        CHECK_INT(cosm_commands_count(commands), 7);
        cosm_commands_report again;
        CHECK_DONE(cosm_commands_apply(commands, &again));
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sum);
        CHECK_MEM(&again, &first, sizeof(first));
        CHECK(cosm_entity_is_alive(box.world, promised));
        CHECK_NEAR(position_of(&box, box.world, promised), 7, 0);
        CHECK_NEAR(position_of(&box, box.world, a), 8, 0);
    }
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(what_was_recorded_since_is_forgotten_and_comes_out_the_same_again) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_entity a = sandbox_spawn_mover(&box, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, sandbox_spawn_mover(&box, 2)));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity early = record_mover(&box, commands, box.world, 3);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_entity late = record_mover(&box, commands, box.world, 4);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, a));
    CHECK_INT(cosm_commands_count(commands), 3);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_commands_count(commands), 1);
    // As if it had never been asked for: the handle that was promised then is promised again.
    CHECK(is_same_entity(record_mover(&box, commands, box.world, 5), late));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_VALID(box.batch);
    CHECK(cosm_entity_is_alive(box.world, a));
    CHECK_NEAR(position_of(&box, box.world, early), 3, 0);
    CHECK_NEAR(position_of(&box, box.world, late), 5, 0);
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(commands_that_are_still_there_are_left_where_they_are) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct sandbox box;
    sandbox_open_with(&box, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 500; i++) {
        (void)record_mover(&box, commands, sandbox_world(&box, i % 2), (float)i);
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    size_t bytes = ledger.block_bytes;
    for (uint32_t i = 0; i < 100; i++) {
        (void)record_mover(&box, commands, box.world, 1);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_INT(cosm_commands_count(commands), 500);
    }
    // A hundred commands of 100 bytes more, but not a hundred times 500.
    CHECK(ledger.block_bytes < bytes + 100000);
    // An object that is emptied begins with its memory anew.
    cosm_commands_clear(commands);
    cosm_snapshot *empty = cosm_snapshot_create(box.all);
    for (uint32_t i = 0; i < 50; i++) {
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        CHECK_DONE(cosm_snapshot_restore(empty, 0, box.all));
    }
    CHECK(ledger.block_bytes < bytes + 200000);
    cosm_snapshot_destroy(empty);
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
    ledger_close(&ledger);
}

TEST(a_restore_of_one_world_leaves_the_commands_of_others_alone) {
    struct sandbox box;
    sandbox_open(&box, 3);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity handles[6];
    for (uint32_t i = 0; i < 6; i++) {
        handles[i] = record_mover(&box, commands, sandbox_world(&box, i % 3), (float)i);
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_one(sandbox_world(&box, 1)));
    for (uint32_t i = 0; i < 3; i++) {
        (void)record_mover(&box, commands, sandbox_world(&box, i), 50);
    }
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(sandbox_world(&box, 1))));
    CHECK_INT(cosm_commands_count(commands), 8);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_world_entity_count(sandbox_world(&box, 0)), 3);
    CHECK_INT(cosm_world_entity_count(sandbox_world(&box, 1)), 2);
    CHECK_INT(cosm_world_entity_count(sandbox_world(&box, 2)), 3);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_NEAR(position_of(&box, sandbox_world(&box, i % 3), handles[i]), (float)i, 0);
    }
    // Into another world: recorded for that one.
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(sandbox_world(&box, 2))));
    CHECK_INT(cosm_commands_count(commands), 2);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_world_entity_count(sandbox_world(&box, 2)), 2);
    CHECK_INT(cosm_hash_world(sandbox_world(&box, 2), COSM_HASH_STORED),
              cosm_hash_world(sandbox_world(&box, 1), COSM_HASH_STORED));
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(promises_to_an_object_that_is_gone_are_broken_as_by_its_end) {
    for (int way = 0; way < 2; way++) {
        struct sandbox box;
        sandbox_open(&box, 1);
        (void)sandbox_spawn_mover(&box, 1);
        CHECK_DONE(cosm_entity_despawn(box.world, sandbox_spawn_mover(&box, 2)));
        cosm_commands *stays = cosm_commands_create(box.batch);
        cosm_commands *goes = cosm_commands_create(box.batch);
        cosm_entity kept = record_mover(&box, stays, box.world, 3);
        cosm_entity lost = record_mover(&box, goes, box.world, 4);
        cosm_entity lost_too = record_mover(&box, goes, box.world, 5);
        cosm_entity kept_too = record_mover(&box, stays, box.world, 6);
        cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
        cosm_commands_destroy(goes);
        cosm_entity next = sandbox_spawn_mover(&box, 9);
        if (way == 1) {
            // Another one is made in its place, perhaps at its address.
            cosm_commands *other = cosm_commands_create(box.batch);
            (void)record_mover(&box, other, box.world, 7);
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
            CHECK_INT(cosm_commands_count(other), 0);
            cosm_commands_destroy(other);
        } else {
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        }
        CHECK_VALID(box.batch);
        CHECK_INT(cosm_commands_count(stays), 2);
        CHECK(is_same_entity(sandbox_spawn_mover(&box, 9), next));
        CHECK_DONE(cosm_commands_apply(stays, NULL));
        CHECK_VALID(box.batch);
        CHECK_NEAR(position_of(&box, box.world, kept), 3, 0);
        CHECK_NEAR(position_of(&box, box.world, kept_too), 6, 0);
        CHECK(!cosm_entity_is_alive(box.world, lost));
        CHECK(!cosm_entity_is_alive(box.world, lost_too));
        CHECK_INT(cosm_world_entity_count(box.world), 4);
        cosm_snapshot_destroy(snapshot);
        cosm_commands_destroy(stays);
        sandbox_close(&box);
    }
}

TEST(in_another_batch_there_are_no_commands_and_their_promises_are_broken) {
    struct sandbox box;
    sandbox_open(&box, 2);
    cosm_batch *other = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2});
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_commands *others = cosm_commands_create(other);
    (void)sandbox_spawn_mover(&box, 1);
    cosm_entity promised = record_mover(&box, commands, box.world, 2);
    (void)record_mover(&box, others, cosm_batch_world(other, 0), 3);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(other)));
    CHECK_VALID(other);
    CHECK_INT(cosm_commands_count(commands), 1);
    CHECK_INT(cosm_commands_count(others), 0);
    cosm_entity next = cosm_entity_spawn(cosm_batch_world(other, 0), box.mover);
    CHECK_INT(next.id, promised.id);
    CHECK(next.gen != promised.gen);
    CHECK_VALID(other);
    cosm_commands_destroy(others);
    CHECK_DONE(cosm_batch_destroy(other));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_NEAR(position_of(&box, box.world, promised), 2, 0);
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(many_promises_to_an_object_that_is_gone_are_broken) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 1000; i++) {
        (void)record_mover(&box, commands, box.world, 1);
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(other)));
    CHECK_VALID(other);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(cosm_entity_spawn(cosm_batch_world(other, 0), box.mover).id < 1000);
    }
    CHECK_VALID(other);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(snapshot);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(as_many_commands_are_not_the_same_commands) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_entity entity = sandbox_spawn_mover(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_snapshot *snapshots[2];
    for (uint32_t i = 0; i < 2; i++) {
        cosm_commands_clear(commands);
        CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.position,
                                     &(Position){10 + (float)i, 0, 0}));
        snapshots[i] = cosm_snapshot_create(box.all);
    }
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_DONE(cosm_snapshot_restore(snapshots[i % 2], 0, box.all));
        if (i >= 2) {
            CHECK_DONE(cosm_commands_apply(commands, NULL));
            CHECK_NEAR(position_of(&box, box.world, entity), 10 + (float)(i % 2), 0);
        }
    }
    cosm_snapshot_destroy(snapshots[0]);
    cosm_snapshot_destroy(snapshots[1]);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

TEST(a_snapshot_shares_pending_commands_with_the_one_before) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 100; i++) {
        (void)record_mover(&box, commands, box.world, (float)i);
    }
    cosm_rollback *past = cosm_rollback_create(box.all, NULL);
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 1);
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 2);
    cosm_snapshot_size size = cosm_snapshot_memory(cosm_rollback_snapshot(past, 1));
    CHECK(size.bytes > 5000);
    CHECK(size.own_bytes < 1000);
    // One more or one less is another state.
    CHECK_DONE(cosm_commands_despawn(commands, box.world, (cosm_entity){1, 0}));
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 3);
    cosm_commands_clear(commands);
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_INT(cosm_rollback_describe(past).count, 4);
    CHECK_DONE(cosm_rollback_back(past, 3));
    CHECK_INT(cosm_commands_count(commands), 100);
    CHECK_DONE(cosm_rollback_back(past, 1));
    CHECK_INT(cosm_commands_count(commands), 100);
    CHECK_VALID(box.batch);
    cosm_rollback_destroy(past);
    cosm_commands_destroy(commands);
    sandbox_close(&box);
}

// One entity of each turn, recorded, kept, applied, cleared, gone back to.
struct history {
    struct sandbox box;
    cosm_commands *objects[3];
    cosm_entity entities[32];
    cosm_snapshot *kept[6];
    uint64_t sums[6]; // after all commands of the snapshot were applied
    uint32_t counts[6];
    bool has_all[6]; // all objects that it knows still live
};

static uint32_t pending_count(const struct history *history) {
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        count += cosm_commands_count(history->objects[i]);
    }
    return count;
}

static uint64_t apply_everything(struct history *history) {
    CHECK_DONE(cosm_commands_apply_many(history->objects, 3, NULL));
    CHECK_VALID(history->box.batch);
    return cosm_hash_batch(history->box.batch, COSM_HASH_EXACT);
}

static void keep_state(struct history *history, uint32_t slot) {
    cosm_snapshot_destroy(history->kept[slot]);
    history->kept[slot] = cosm_snapshot_create(history->box.all);
    REQUIRE(history->kept[slot] != NULL);
    history->counts[slot] = pending_count(history);
    history->sums[slot] = apply_everything(history);
    history->has_all[slot] = true;
    CHECK_DONE(cosm_snapshot_restore(history->kept[slot], 0, history->box.all));
}

static void go_back(struct history *history, uint32_t slot, bool applies) {
    if (history->kept[slot] == NULL) {
        return;
    }
    CHECK_DONE(cosm_snapshot_restore(history->kept[slot], 0, history->box.all));
    CHECK_VALID(history->box.batch);
    if (history->has_all[slot]) {
        CHECK_INT(pending_count(history), history->counts[slot]);
        if (applies) {
            CHECK_INT(apply_everything(history), history->sums[slot]);
        }
    } else {
        CHECK(pending_count(history) <= history->counts[slot]);
    }
}

static void renew_object(struct history *history, uint32_t which) {
    cosm_commands_destroy(history->objects[which]);
    history->objects[which] = cosm_commands_create(history->box.batch);
    for (int i = 0; i < 6; i++) {
        history->has_all[i] = false;
    }
}

static void record_something(struct history *history, struct dice *dice) {
    struct sandbox *box = &history->box;
    cosm_commands *commands = history->objects[dice_roll(dice, 3)];
    cosm_world world = sandbox_world(box, dice_roll(dice, 3));
    cosm_entity *entity = &history->entities[dice_roll(dice, 32)];
    switch (dice_roll(dice, 5)) {
    case 0:
        CHECK_DONE(cosm_commands_despawn(commands, world, *entity));
        break;
    case 1:
        CHECK_DONE(cosm_commands_add(commands, world, *entity, box->health));
        break;
    case 2:
        CHECK_DONE(cosm_commands_set(commands, world, *entity, box->position,
                                     &(Position){(float)dice_roll(dice, 1000), 0, 0}));
        break;
    default:
        *entity = record_mover(box, commands, world, (float)dice_roll(dice, 1000));
        break;
    }
}

TEST(random_histories_of_commands_come_back_exactly) {
    struct dice dice = {harness_seed()};
    struct history history = {.kept = {NULL}};
    sandbox_open(&history.box, 3);
    for (int i = 0; i < 3; i++) {
        history.objects[i] = cosm_commands_create(history.box.batch);
    }
    for (int i = 0; i < 32; i++) {
        history.entities[i] = COSM_ENTITY_NONE;
    }
    for (int turn = 0; turn < 3000; turn++) {
        uint32_t what = dice_roll(&dice, 100);
        if (what < 70) {
            record_something(&history, &dice);
        } else if (what < 75) {
            (void)cosm_entity_spawn(sandbox_world(&history.box, dice_roll(&dice, 3)),
                                    history.box.mover);
        } else if (what < 78) {
            CHECK_DONE(cosm_commands_apply(history.objects[dice_roll(&dice, 3)], NULL));
        } else if (what < 80) {
            cosm_commands_clear(history.objects[dice_roll(&dice, 3)]);
        } else if (what < 81) {
            renew_object(&history, dice_roll(&dice, 3));
        } else if (what < 82) {
            CHECK_DONE(cosm_world_reset(sandbox_world(&history.box, dice_roll(&dice, 3))));
        } else if (what < 89) {
            keep_state(&history, dice_roll(&dice, 6));
        } else {
            go_back(&history, dice_roll(&dice, 6), what < 95);
        }
    }
    for (int i = 0; i < 6; i++) {
        cosm_snapshot_destroy(history.kept[i]);
    }
    for (int i = 0; i < 3; i++) {
        cosm_commands_destroy(history.objects[i]);
    }
    sandbox_close(&history.box);
}

// An actor and a pack recorded with objects of their own, and a text set.
struct recorded {
    cosm_entity actor;
    cosm_entity pack;
};

static struct recorded record_objects(struct vault *vault, cosm_commands *commands,
                                      cosm_world world, uint32_t number) {
    Text text;
    Mesh mesh;
    vault_text_open(vault, &text, number);
    vault_mesh_open(vault, &mesh, number + 1);
    cosm_value values[] = {{vault->text, &text}, {vault->mesh, &mesh}};
    struct recorded recorded;
    recorded.actor = cosm_commands_spawn(commands, world, vault->actor);
    CHECK_DONE(cosm_commands_set(commands, world, recorded.actor, vault->text, &text));
    recorded.pack = cosm_commands_spawn_with(commands, world, vault->pack, values, 2);
    CHECK(!cosm_entity_is_none(recorded.pack));
    CHECK_DONE(cosm_commands_emit(commands, world, vault->note, values, 1));
    vault_text_end(vault, &text);
    vault_mesh_end(vault, &mesh);
    return recorded;
}

TEST(objects_of_pending_commands_are_copied_and_end_once) {
    struct vault vault;
    vault_open(&vault, 2);
    cosm_commands *commands = cosm_commands_create(vault.batch);
    struct recorded recorded = record_objects(&vault, commands, vault.world, 10);
    CHECK_INT(vault_count(&vault), 4);
    cosm_snapshot *snapshot = cosm_snapshot_create(vault.all);
    CHECK_INT(vault_count(&vault), 8);
    cosm_snapshot *same = cosm_snapshot_create(vault.all);
    CHECK_INT(vault_count(&vault), 8);
    cosm_snapshot_destroy(same);
    // What was there stays, what came since ends.
    (void)record_objects(&vault, commands, vault.world, 20);
    CHECK_INT(vault_count(&vault), 12);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, vault.all));
    CHECK_INT(vault_count(&vault), 8);
    // What is gone is copied.
    cosm_commands_clear(commands);
    CHECK_INT(vault_count(&vault), 4);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, vault.all));
    CHECK_INT(vault_count(&vault), 8);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(vault_world(&vault, 1))));
    CHECK_INT(vault_count(&vault), 12);
    CHECK_DONE(cosm_batch_trim(vault.batch));
    cosm_snapshot_destroy(snapshot);
    CHECK_INT(vault_count(&vault), 8);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = vault_world(&vault, w);
        CHECK_INT(vault_text_of(&vault, world, recorded.actor), 10);
        CHECK_INT(vault_text_of(&vault, world, recorded.pack), 10);
        CHECK_INT(vault_mesh_of(&vault, world, recorded.pack), 11);
    }
    CHECK_VALID(vault.batch);
    cosm_commands_destroy(commands);
    vault_close(&vault);
}

// What must not change when a call fails.
struct standing {
    uint64_t sum;
    uint32_t counts[2];
    size_t objects;
};

static struct standing stand(struct vault *vault, cosm_commands *const *commands) {
    return (struct standing){
        .sum = cosm_hash_batch(vault->batch, COSM_HASH_EXACT),
        .counts = {cosm_commands_count(commands[0]), cosm_commands_count(commands[1])},
        .objects = vault_count(vault),
    };
}

static void check_standing(const struct standing *now, const struct standing *then) {
    CHECK_INT(now->sum, then->sum);
    CHECK_INT(now->counts[0], then->counts[0]);
    CHECK_INT(now->counts[1], then->counts[1]);
    CHECK_INT(now->objects, then->objects);
}

// Makes every allocation, or every copy of an object, fail in turn while a snapshot is taken; and
// then while it is restored.
static void fail_in_turn(struct vault *vault, struct ledger *ledger, cosm_commands **commands,
                         bool by_copies) {
    cosm_snapshot *snapshot = NULL;
    for (int phase = 0; phase < 2; phase++) {
        struct standing then = stand(vault, commands);
        for (uint64_t n = 1;; n++) {
            if (by_copies) {
                vault_refuse(vault, n);
            } else {
                ledger_refuse(ledger, n, 1);
            }
            cosm_result result = COSM_OK;
            if (phase == 0) {
                snapshot = cosm_snapshot_create(vault->all);
                result = snapshot == NULL ? COSM_ERROR_MEMORY : COSM_OK;
            } else {
                result = cosm_snapshot_restore(snapshot, 0, vault->all);
            }
            bool refused = by_copies ? vault_relent(vault) : ledger_relent(ledger);
            CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
            if (!refused) {
                break;
            }
            // The batch may hold on to what it shared last.
            CHECK_DONE(cosm_batch_trim(vault->batch));
            struct standing now = stand(vault, commands);
            check_standing(&now, &then);
            CHECK_VALID(vault->batch);
        }
        if (phase == 0) {
            cosm_commands_clear(commands[0]);
            (void)record_objects(vault, commands[1], vault_world(vault, 1), 70);
        }
    }
    CHECK_INT(cosm_commands_count(commands[0]), 8);
    CHECK_INT(cosm_commands_count(commands[1]), 4);
    cosm_snapshot_destroy(snapshot);
}

TEST(running_out_of_memory_leaves_commands_as_they_were) {
    for (int way = 0; way < 2; way++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct vault vault;
        vault_open_with(&vault, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                        &(cosm_batch_desc){.world_count = 2});
        cosm_commands *commands[2] = {cosm_commands_create(vault.batch),
                                      cosm_commands_create(vault.batch)};
        (void)record_objects(&vault, commands[0], vault.world, 10);
        (void)record_objects(&vault, commands[1], vault.world, 20);
        (void)record_objects(&vault, commands[0], vault_world(&vault, 1), 30);
        fail_in_turn(&vault, &ledger, commands, way == 1);
        cosm_commands_destroy(commands[0]);
        cosm_commands_destroy(commands[1]);
        vault_close(&vault);
        ledger_close(&ledger);
    }
}
