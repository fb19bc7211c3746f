// Shared values: counted exactly, copied once, freed when nobody has them; the memory of it all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/storages.h"

static uint64_t live_labels(const struct fixture *box) {
    return box->books.copied - box->books.destroyed;
}

static cosm_entity spawn_badge(const struct fixture *box, cosm_world world, const char *text) {
    char copy[40];
    snprintf(copy, sizeof(copy), "%s", text);
    Label label = {copy};
    cosm_value value = {box->label, &label};
    cosm_entity entity = cosm_entity_spawn_with(world, box->badge, &value, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

TEST(a_value_is_copied_once_and_ends_once_whatever_is_done_with_it) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_world world = box.world;
    cosm_entity a = spawn_badge(&box, world, "first");
    cosm_entity b = spawn_badge(&box, world, "first");
    CHECK_INT(box.books.copied, 1);
    // Into another archetype, by way of a second table with the same value.
    CHECK_DONE(cosm_entity_add(world, a, box.mark));
    CHECK_DONE(cosm_entity_add(world, b, box.mark));
    CHECK_DONE(cosm_query_remove(box.positions, box.all, box.mark));
    CHECK_INT(box.books.copied, 1);
    CHECK_INT(box.books.destroyed, 0);
    char text[] = "second";
    CHECK_DONE(cosm_entity_set(world, a, box.label, &(Label){text}));
    CHECK_INT(box.books.copied, 2);
    CHECK_INT(box.books.destroyed, 0);
    CHECK_DONE(cosm_entity_set(world, b, box.label, &(Label){text}));
    CHECK_INT(box.books.copied, 2);
    CHECK_INT(box.books.destroyed, 1);
    text[0] = 'S'; // it has a copy
    CHECK_STR(COSM_READ(world, a, Label)->text, "second");
    CHECK_DONE(cosm_entity_remove(world, a, box.label));
    CHECK_INT(live_labels(&box), 1);
    CHECK_DONE(cosm_entity_despawn(world, b));
    CHECK_INT(live_labels(&box), 0);
    CHECK_INT(box.books.copied, 2);
    fixture_close(&box);
}

TEST(labels_whose_hashes_meet_are_told_apart_by_content) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    static const char *const texts[] = {"", "a", "e", "i", "abcde", "efghi", "iiiii", "aaaaa"};
    cosm_entity all[80];
    for (uint32_t i = 0; i < 80; i++) {
        all[i] = spawn_badge(&box, box.world, texts[i % 8]);
    }
    CHECK_INT(cosm_shared_value_count(box.world, box.label), 8);
    CHECK_INT(live_labels(&box), 8);
    for (uint32_t i = 0; i < 80; i++) {
        CHECK_STR(COSM_READ(box.world, all[i], Label)->text, texts[i % 8]);
    }
    for (uint32_t k = 0; k < 8; k++) {
        char text[8];
        snprintf(text, sizeof(text), "%s", texts[k]);
        cosm_query *query = query_of_value(&box, box.label, &(Label){text});
        CHECK_INT(cosm_query_count(query, box.all), 10);
        CHECK_INT(cosm_shared_entity_count(box.world, box.label, &(Label){text}), 10);
        CHECK_DONE(cosm_query_despawn(query, box.all));
        CHECK_INT(cosm_query_count(query, box.all), 0);
        CHECK_VALID(box.batch);
        cosm_query_destroy(query);
    }
    CHECK_INT(live_labels(&box), 0);
    fixture_close(&box);
}

TEST(every_way_to_end_entities_ends_their_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    cosm_world second = cosm_batch_world(box.batch, 1);
    for (uint32_t way = 0; way < 7; way++) {
        char text[20];
        cosm_entity all[12];
        for (uint32_t i = 0; i < 12; i++) {
            snprintf(text, sizeof(text), "%u", i % 4);
            all[i] = spawn_badge(&box, box.world, text);
        }
        spawn_badge(&box, second, "0");
        CHECK_INT(live_labels(&box), 5);
        cosm_commands *commands = cosm_commands_create(box.batch);
        for (uint32_t i = 0; i < 12; i++) {
            if (way == 0) {
                CHECK_DONE(cosm_entity_despawn(box.world, all[i]));
            } else if (way == 1) {
                CHECK_DONE(cosm_commands_despawn(commands, box.world, all[i]));
            }
        }
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        cosm_commands_destroy(commands);
        uint8_t mask[2] = {1, 0};
        cosm_result result = way == 2 ? cosm_entity_despawn_many(box.world, all, 12)
                             : way == 3
                                 ? cosm_query_despawn(box.positions, cosm_worlds_one(box.world))
                             : way == 4 ? cosm_table_clear(box.world, box.badge)
                             : way == 5 ? cosm_world_reset(box.world)
                             : way == 6 ? cosm_batch_reset(box.batch, mask)
                                        : COSM_OK;
        CHECK_DONE(result);
        CHECK_INT(cosm_shared_value_count(box.world, box.label), 0);
        CHECK_INT(live_labels(&box), 1);
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        CHECK_INT(live_labels(&box), 0);
    }
    spawn_badge(&box, second, "left behind"); // ends with the batch: fixture_close looks
    fixture_close(&box);
}

TEST(a_copy_that_fails_leaves_everything_as_it_was) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = spawn_badge(&box, box.world, "kept");
    cosm_entity plain = cosm_entity_spawn(box.world, box.plain);
    cosm_commands *commands = cosm_commands_create(box.batch);
    char text[] = "not to be had";
    Label label = {text};
    cosm_value value = {box.label, &label};
    cosm_rows rows;
    CHECK_DONE(cosm_commands_set(commands, box.world, plain, box.label, &label));
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    for (uint32_t way = 0; way < 7; way++) {
        objects_refuse(&box.books, 1, 1);
        cosm_error_clear();
        cosm_result result = COSM_OK;
        switch (way) {
        case 0:
            CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.badge, &value, 1)));
            result = cosm_error_result();
            break;
        case 1:
            result = cosm_entity_spawn_many_with(box.world, box.badge, 5, &value, 1, &rows);
            break;
        case 2:
            result = cosm_entity_set(box.world, entity, box.label, &label);
            break;
        case 3:
            result = cosm_entity_add(box.world, plain, box.label);
            break;
        case 4:
            result = cosm_query_set(box.positions, box.all, box.label, &label);
            break;
        case 5:
            result = cosm_commands_apply(commands, NULL);
            break;
        default:
            CHECK(cosm_query_create(box.engine,
                                    &(cosm_query_desc){.terms = {{.component = box.label,
                                                                  .access = COSM_ACCESS_WRITE,
                                                                  .value = &label}}}) == NULL);
            result = cosm_error_result();
            break;
        }
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK(objects_relent(&box.books));
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
        CHECK_INT(live_labels(&box), 2); // the commands have a copy of their own
        CHECK_VALID(box.batch);
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_STR(COSM_READ(box.world, plain, Label)->text, text);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(the_second_of_two_values_that_cannot_be_copied_takes_the_first_one_with_it) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_archetype both = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.team, box.label}});
    char text[] = "x";
    cosm_value values[] = {{box.team, &(Team){5, 5}}, {box.label, &(Label){text}}};
    objects_refuse(&box.books, 1, 1);
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, both, values, 2)));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_VALID(box.batch);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box.world, both, values, 2)));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    cosm_error_clear();
    fixture_close(&box);
}

// One episode: fresh values, entities that change theirs, and a reset.
static void play_episode(const struct fixture *box, uint32_t number) {
    for (uint32_t i = 0; i < 12; i++) {
        cosm_entity entity = spawn_player(box, box->world, number * 16 + i % 5, 0);
        if (i % 3 == 0) {
            Team team = {number * 16 + 9, i};
            CHECK_DONE(cosm_entity_set(box->world, entity, box->team, &team));
            CHECK_DONE(cosm_entity_add(box->world, entity, box->level));
        }
    }
    CHECK_INT(cosm_shared_value_count(box->world, box->team), 9);
    if (number % 2 == 0) {
        CHECK_DONE(cosm_world_reset(box->world));
    } else {
        CHECK_DONE(cosm_query_despawn(box->positions, box->all));
    }
}

TEST(ten_thousand_episodes_with_values_of_their_own_use_the_memory_of_ten) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    size_t early = 0;
    size_t early_count = 0;
    for (uint32_t number = 0; number < 10000; number++) {
        play_episode(&box, number);
        if (number == 9) {
            early = ledger.block_bytes;
            early_count = ledger.count;
        }
    }
    CHECK_INT(ledger.block_bytes, early);
    CHECK_INT(ledger.count, early_count);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(values_that_come_and_go_beside_one_that_stays_use_no_more_memory) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_entity stays = spawn_player(&box, box.world, 0, 0);
    cosm_entity turns = spawn_player(&box, box.world, 1, 0);
    size_t early = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_DONE(cosm_entity_set(box.world, turns, box.team, &(Team){i, 5}));
        early = i == 5 ? ledger.block_bytes : early;
    }
    CHECK_INT(ledger.block_bytes, early);
    CHECK_INT(color_of(box.world, stays), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 2);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(values_that_nobody_has_give_their_memory_back_to_the_byte) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    static char bytes[100000];
    cosm_component picture = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "Picture", .size = sizeof(bytes), .storage = COSM_STORAGE_SHARED});
    cosm_archetype frame = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, picture}});
    cosm_value value = {picture, bytes};
    cosm_entity stays = cosm_entity_spawn_with(box.world, frame, &value, 1);
    bytes[0] = 1;
    // Once before, so that the ways between tables are known.
    CHECK_DONE(cosm_entity_set(box.world, stays, picture, bytes));
    bytes[0] = 0;
    CHECK_DONE(cosm_entity_set(box.world, stays, picture, bytes));
    bytes[0] = 1;
    cosm_entity first = cosm_entity_spawn_with(box.world, frame, &value, 1);
    size_t used = cosm_batch_memory(box.batch).used;
    size_t live = cosm_batch_memory(box.batch).live;
    size_t taken = ledger.block_bytes;
    cosm_entity second = cosm_entity_spawn_with(box.world, frame, &value, 1);
    CHECK_INT(cosm_batch_memory(box.batch).used, used); // held once
    CHECK_INT(cosm_batch_memory(box.batch).live, live + sizeof(Position));
    bytes[0] = 2;
    CHECK_DONE(cosm_entity_set(box.world, second, picture, bytes));
    CHECK(cosm_batch_memory(box.batch).used >= used + sizeof(bytes));
    CHECK_INT(cosm_batch_memory(box.batch).live, live + sizeof(Position) + sizeof(bytes));
    CHECK_INT(cosm_world_memory(box.world).live, live + sizeof(Position) + sizeof(bytes));
    CHECK(cosm_world_memory(box.world).used >= 3 * sizeof(bytes));
    CHECK(cosm_world_memory(box.world).used <= cosm_batch_memory(box.batch).used);
    CHECK_DONE(cosm_entity_despawn(box.world, second));
    CHECK_INT(ledger.block_bytes, taken);
    CHECK_INT(cosm_batch_memory(box.batch).live, live);
    CHECK_DONE(cosm_entity_despawn(box.world, first));
    CHECK(ledger.block_bytes <= taken - sizeof(bytes));
    CHECK(cosm_entity_is_alive(box.world, stays));
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(trim_gives_back_what_values_of_the_past_took) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 3});
    cosm_world second = cosm_batch_world(box.batch, 1);
    // What stays behind whatever was there: the list of an archetype that was used, ids.
    spawn_player(&box, box.world, 0, 0);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_trim(box.batch));
    size_t used = cosm_batch_memory(box.batch).used;
    for (uint32_t i = 0; i < 2000; i++) {
        spawn_player(&box, box.world, i, (float)i);
    }
    CHECK(cosm_batch_memory(box.batch).used > used + 2000 * sizeof(Team));
    CHECK_DONE(cosm_batch_trim(box.batch)); // with values: they stay
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 2000);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    CHECK_VALID(box.batch);
    spawn_player(&box, box.world, 3, 0);
    spawn_player(&box, second, 4, 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(tables_of_values_keep_their_rows_when_trimmed) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity all[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        all[i] = spawn_player(&box, box.world, i % 3, (float)i);
    }
    CHECK_DONE(cosm_entity_despawn_many(box.world, all + 10, 2990));
    size_t before = cosm_batch_memory(box.batch).used;
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_batch_memory(box.batch).used < before);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_INT(color_of(box.world, all[i]), i % 3);
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    fixture_close(&box);
}

TEST(a_memory_limit_stops_values_and_leaves_the_rest) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED, NULL,
                      &(cosm_batch_desc){.memory_limit = (size_t)300 << 10});
    uint32_t count = 0;
    for (;;) {
        Team team = {count, 0};
        cosm_value value = {box.team, &team};
        if (cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.player, &value, 1))) {
            break;
        }
        count++;
    }
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_with", "memory_limit", "raise the limit");
    CHECK(count > 100);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), count);
    CHECK_INT(cosm_world_entity_count(box.world), count);
    CHECK(cosm_batch_memory(box.batch).peak <= (size_t)300 << 10);
    CHECK_VALID(box.batch);
    cosm_query *zeroes = query_of_value(&box, box.team, &(Team){0, 0});
    CHECK_DONE(cosm_query_despawn(zeroes, box.all));
    spawn_player(&box, box.world, count + 1, 0);
    cosm_query_destroy(zeroes);
    fixture_close(&box);
}

TEST(twenty_thousand_values_in_one_world_are_as_well_kept_as_two) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    enum { COUNT = 20000 };
    cosm_entity *all = malloc(COUNT * sizeof(*all));
    Team *values = malloc(COUNT * sizeof(*values));
    REQUIRE(all != NULL && values != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = spawn_player(&box, box.world, i, (float)i);
        values[i] = (Team){i, 1};
    }
    CHECK_INT(cosm_shared_value_count(box.world, box.team), COUNT);
    // Tables come and go by the thousand: in a time that grows with their number and no faster.
    CHECK_DONE(cosm_entity_set_many(box.world, all, COUNT, box.team, values));
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &values[777]), 1);
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.level));
    CHECK_DONE(cosm_query_remove(box.positions, box.all, box.level));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.team, &(Team){0, 0}));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    for (uint32_t i = 0; i < COUNT; i += 1111) {
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    CHECK_DONE(cosm_entity_set_many(box.world, all, COUNT, box.team, values));
    CHECK_DONE(cosm_entity_despawn_many(box.world, all, COUNT));
    free(all);
    free(values);
    fixture_close(&box);
}
