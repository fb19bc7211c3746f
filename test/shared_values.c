// Shared values: counted exactly, copied once, freed when nobody has them; the memory of it all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/teams.h"

static uint32_t live_labels(const struct teams *teams) {
    return atomic_load(&teams->book.copies) - atomic_load(&teams->book.ends);
}

static cosm_entity spawn_badge(const struct teams *teams, cosm_world world, const char *text) {
    char copy[40];
    snprintf(copy, sizeof(copy), "%s", text);
    Label label = {copy};
    cosm_value value = {teams->label, &label};
    cosm_entity entity = cosm_entity_spawn_with(world, teams->badge, &value, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

TEST(a_value_is_copied_once_and_ends_once_whatever_is_done_with_it) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_world world = teams.world;
    cosm_entity a = spawn_badge(&teams, world, "first");
    cosm_entity b = spawn_badge(&teams, world, "first");
    CHECK_INT(atomic_load(&teams.book.copies), 1);
    // Into another archetype, by way of a second table with the same value.
    CHECK_DONE(cosm_entity_add(world, a, teams.mark));
    CHECK_DONE(cosm_entity_add(world, b, teams.mark));
    CHECK_DONE(cosm_query_remove(teams.spots, teams.all, teams.mark));
    CHECK_INT(atomic_load(&teams.book.copies), 1);
    CHECK_INT(atomic_load(&teams.book.ends), 0);
    char text[] = "second";
    CHECK_DONE(cosm_entity_set(world, a, teams.label, &(Label){text}));
    CHECK_INT(atomic_load(&teams.book.copies), 2);
    CHECK_INT(atomic_load(&teams.book.ends), 0);
    CHECK_DONE(cosm_entity_set(world, b, teams.label, &(Label){text}));
    CHECK_INT(atomic_load(&teams.book.copies), 2);
    CHECK_INT(atomic_load(&teams.book.ends), 1);
    text[0] = 'S'; // it has a copy
    CHECK_STR(COSM_READ(world, a, Label)->text, "second");
    CHECK_DONE(cosm_entity_remove(world, a, teams.label));
    CHECK_INT(live_labels(&teams), 1);
    CHECK_DONE(cosm_entity_despawn(world, b));
    CHECK_INT(live_labels(&teams), 0);
    CHECK_INT(atomic_load(&teams.book.copies), 2);
    teams_close(&teams);
}

TEST(labels_whose_hashes_meet_are_told_apart_by_content) {
    struct teams teams;
    teams_open(&teams, 1);
    static const char *const texts[] = {"", "a", "e", "i", "abcde", "efghi", "iiiii", "aaaaa"};
    cosm_entity all[80];
    for (uint32_t i = 0; i < 80; i++) {
        all[i] = spawn_badge(&teams, teams.world, texts[i % 8]);
    }
    CHECK_INT(cosm_shared_value_count(teams.world, teams.label), 8);
    CHECK_INT(live_labels(&teams), 8);
    for (uint32_t i = 0; i < 80; i++) {
        CHECK_STR(COSM_READ(teams.world, all[i], Label)->text, texts[i % 8]);
    }
    for (uint32_t k = 0; k < 8; k++) {
        char text[8];
        snprintf(text, sizeof(text), "%s", texts[k]);
        cosm_query *query = teams_query(&teams, teams.label, &(Label){text});
        CHECK_INT(cosm_query_count(query, teams.all), 10);
        CHECK_INT(cosm_shared_entity_count(teams.world, teams.label, &(Label){text}), 10);
        CHECK_DONE(cosm_query_despawn(query, teams.all));
        CHECK_INT(cosm_query_count(query, teams.all), 0);
        CHECK_VALID(teams.batch);
        cosm_query_destroy(query);
    }
    CHECK_INT(live_labels(&teams), 0);
    teams_close(&teams);
}

TEST(every_way_to_end_entities_ends_their_values) {
    struct teams teams;
    teams_open(&teams, 2);
    cosm_world second = cosm_batch_world(teams.batch, 1);
    for (uint32_t way = 0; way < 7; way++) {
        char text[20];
        cosm_entity all[12];
        for (uint32_t i = 0; i < 12; i++) {
            snprintf(text, sizeof(text), "%u", i % 4);
            all[i] = spawn_badge(&teams, teams.world, text);
        }
        spawn_badge(&teams, second, "0");
        CHECK_INT(live_labels(&teams), 5);
        cosm_commands *commands = cosm_commands_create(teams.batch);
        for (uint32_t i = 0; i < 12; i++) {
            if (way == 0) {
                CHECK_DONE(cosm_entity_despawn(teams.world, all[i]));
            } else if (way == 1) {
                CHECK_DONE(cosm_commands_despawn(commands, teams.world, all[i]));
            }
        }
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        cosm_commands_destroy(commands);
        uint8_t mask[2] = {1, 0};
        cosm_result result = way == 2 ? cosm_entity_despawn_many(teams.world, all, 12)
                             : way == 3
                                 ? cosm_query_despawn(teams.spots, cosm_worlds_one(teams.world))
                             : way == 4 ? cosm_table_clear(teams.world, teams.badge)
                             : way == 5 ? cosm_world_reset(teams.world)
                             : way == 6 ? cosm_batch_reset(teams.batch, mask)
                                        : COSM_OK;
        CHECK_DONE(result);
        CHECK_INT(cosm_shared_value_count(teams.world, teams.label), 0);
        CHECK_INT(live_labels(&teams), 1);
        CHECK_VALID(teams.batch);
        CHECK_DONE(cosm_batch_reset(teams.batch, NULL));
        CHECK_INT(live_labels(&teams), 0);
    }
    spawn_badge(&teams, second, "left behind"); // ends with the batch: teams_close looks
    teams_close(&teams);
}

TEST(a_copy_that_fails_leaves_everything_as_it_was) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity entity = spawn_badge(&teams, teams.world, "kept");
    cosm_entity plain = cosm_entity_spawn(teams.world, teams.plain);
    cosm_commands *commands = cosm_commands_create(teams.batch);
    char text[] = "not to be had";
    Label label = {text};
    cosm_value value = {teams.label, &label};
    cosm_rows rows;
    CHECK_DONE(cosm_commands_set(commands, teams.world, plain, teams.label, &label));
    uint64_t before = cosm_hash_batch(teams.batch, COSM_HASH_EXACT);
    for (uint32_t way = 0; way < 7; way++) {
        atomic_store(&teams.book.fail_at, 1);
        cosm_error_clear();
        cosm_result result = COSM_OK;
        switch (way) {
        case 0:
            CHECK(cosm_entity_is_none(cosm_entity_spawn_with(teams.world, teams.badge, &value, 1)));
            result = cosm_error_result();
            break;
        case 1:
            result = cosm_entity_spawn_many_with(teams.world, teams.badge, 5, &value, 1, &rows);
            break;
        case 2:
            result = cosm_entity_set(teams.world, entity, teams.label, &label);
            break;
        case 3:
            result = cosm_entity_add(teams.world, plain, teams.label);
            break;
        case 4:
            result = cosm_query_set(teams.spots, teams.all, teams.label, &label);
            break;
        case 5:
            result = cosm_commands_apply(commands, NULL);
            break;
        default:
            CHECK(cosm_query_create(teams.engine,
                                    &(cosm_query_desc){.terms = {{.component = teams.label,
                                                                  .access = COSM_ACCESS_WRITE,
                                                                  .value = &label}}}) == NULL);
            result = cosm_error_result();
            break;
        }
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_INT(atomic_load(&teams.book.fail_at), 0);
        CHECK_INT(cosm_hash_batch(teams.batch, COSM_HASH_EXACT), before);
        CHECK_INT(live_labels(&teams), 2); // the commands have a copy of their own
        CHECK_VALID(teams.batch);
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_STR(COSM_READ(teams.world, plain, Label)->text, text);
    cosm_commands_destroy(commands);
    teams_close(&teams);
}

TEST(the_second_of_two_values_that_cannot_be_copied_takes_the_first_one_with_it) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_archetype both = cosm_archetype_define(
        teams.engine, &(cosm_archetype_desc){.components = {teams.team, teams.label}});
    char text[] = "x";
    cosm_value values[] = {{teams.team, &(Team){5, 5}}, {teams.label, &(Label){text}}};
    atomic_store(&teams.book.fail_at, 1);
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(teams.world, both, values, 2)));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_VALID(teams.batch);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(teams.world, both, values, 2)));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    cosm_error_clear();
    teams_close(&teams);
}

// One episode: fresh values, entities that change theirs, and a reset.
static void play_episode(const struct teams *teams, uint32_t number) {
    for (uint32_t i = 0; i < 12; i++) {
        cosm_entity entity = teams_spawn(teams, teams->world, number * 16 + i % 5, 0);
        if (i % 3 == 0) {
            Team team = {number * 16 + 9, i};
            CHECK_DONE(cosm_entity_set(teams->world, entity, teams->team, &team));
            CHECK_DONE(cosm_entity_add(teams->world, entity, teams->level));
        }
    }
    CHECK_INT(cosm_shared_value_count(teams->world, teams->team), 9);
    if (number % 2 == 0) {
        CHECK_DONE(cosm_world_reset(teams->world));
    } else {
        CHECK_DONE(cosm_query_despawn(teams->spots, teams->all));
    }
}

TEST(ten_thousand_episodes_with_values_of_their_own_use_the_memory_of_ten) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct teams teams;
    teams_open_with(&teams, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    size_t early = 0;
    size_t early_count = 0;
    for (uint32_t number = 0; number < 10000; number++) {
        play_episode(&teams, number);
        if (number == 9) {
            early = ledger.block_bytes;
            early_count = ledger.count;
        }
    }
    CHECK_INT(ledger.block_bytes, early);
    CHECK_INT(ledger.count, early_count);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    teams_close(&teams);
    ledger_close(&ledger);
}

TEST(values_that_come_and_go_beside_one_that_stays_use_no_more_memory) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct teams teams;
    teams_open_with(&teams, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_entity stays = teams_spawn(&teams, teams.world, 0, 0);
    cosm_entity turns = teams_spawn(&teams, teams.world, 1, 0);
    size_t early = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_DONE(cosm_entity_set(teams.world, turns, teams.team, &(Team){i, 5}));
        early = i == 5 ? ledger.block_bytes : early;
    }
    CHECK_INT(ledger.block_bytes, early);
    CHECK_INT(teams_color(teams.world, stays), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 2);
    teams_close(&teams);
    ledger_close(&ledger);
}

TEST(values_that_nobody_has_give_their_memory_back_to_the_byte) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct teams teams;
    teams_open_with(&teams, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    static char bytes[100000];
    cosm_component picture =
        cosm_component_define(teams.engine, &(cosm_component_desc){.name = "Picture",
                                                                   .size = sizeof(bytes),
                                                                   .storage = COSM_STORAGE_SHARED});
    cosm_archetype frame = cosm_archetype_define(
        teams.engine, &(cosm_archetype_desc){.components = {teams.spot, picture}});
    cosm_value value = {picture, bytes};
    cosm_entity stays = cosm_entity_spawn_with(teams.world, frame, &value, 1);
    bytes[0] = 1;
    // Once before, so that the ways between tables are known.
    CHECK_DONE(cosm_entity_set(teams.world, stays, picture, bytes));
    bytes[0] = 0;
    CHECK_DONE(cosm_entity_set(teams.world, stays, picture, bytes));
    bytes[0] = 1;
    cosm_entity first = cosm_entity_spawn_with(teams.world, frame, &value, 1);
    size_t used = cosm_batch_memory(teams.batch).used;
    size_t live = cosm_batch_memory(teams.batch).live;
    size_t taken = ledger.block_bytes;
    cosm_entity second = cosm_entity_spawn_with(teams.world, frame, &value, 1);
    CHECK_INT(cosm_batch_memory(teams.batch).used, used); // held once
    CHECK_INT(cosm_batch_memory(teams.batch).live, live + sizeof(Spot));
    bytes[0] = 2;
    CHECK_DONE(cosm_entity_set(teams.world, second, picture, bytes));
    CHECK(cosm_batch_memory(teams.batch).used >= used + sizeof(bytes));
    CHECK_INT(cosm_batch_memory(teams.batch).live, live + sizeof(Spot) + sizeof(bytes));
    CHECK_INT(cosm_world_memory(teams.world).live, live + sizeof(Spot) + sizeof(bytes));
    CHECK(cosm_world_memory(teams.world).used >= 3 * sizeof(bytes));
    CHECK(cosm_world_memory(teams.world).used <= cosm_batch_memory(teams.batch).used);
    CHECK_DONE(cosm_entity_despawn(teams.world, second));
    CHECK_INT(ledger.block_bytes, taken);
    CHECK_INT(cosm_batch_memory(teams.batch).live, live);
    CHECK_DONE(cosm_entity_despawn(teams.world, first));
    CHECK(ledger.block_bytes <= taken - sizeof(bytes));
    CHECK(cosm_entity_is_alive(teams.world, stays));
    teams_close(&teams);
    ledger_close(&ledger);
}

TEST(trim_gives_back_what_values_of_the_past_took) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct teams teams;
    teams_open_with(&teams, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                    &(cosm_batch_desc){.world_count = 3});
    cosm_world second = cosm_batch_world(teams.batch, 1);
    // What stays behind whatever was there: the list of an archetype that was used, ids.
    teams_spawn(&teams, teams.world, 0, 0);
    CHECK_DONE(cosm_world_reset(teams.world));
    CHECK_DONE(cosm_batch_trim(teams.batch));
    size_t used = cosm_batch_memory(teams.batch).used;
    for (uint32_t i = 0; i < 2000; i++) {
        teams_spawn(&teams, teams.world, i, (float)i);
    }
    CHECK(cosm_batch_memory(teams.batch).used > used + 2000 * sizeof(Team));
    CHECK_DONE(cosm_batch_trim(teams.batch)); // with values: they stay
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 2000);
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_world_reset(teams.world));
    CHECK_DONE(cosm_batch_trim(teams.batch));
    CHECK_INT(cosm_batch_memory(teams.batch).used, used);
    CHECK_VALID(teams.batch);
    teams_spawn(&teams, teams.world, 3, 0);
    teams_spawn(&teams, second, 4, 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    teams_close(&teams);
    ledger_close(&ledger);
}

TEST(tables_of_values_keep_their_rows_when_trimmed) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity all[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        all[i] = teams_spawn(&teams, teams.world, i % 3, (float)i);
    }
    CHECK_DONE(cosm_entity_despawn_many(teams.world, all + 10, 2990));
    size_t before = cosm_batch_memory(teams.batch).used;
    CHECK_DONE(cosm_batch_trim(teams.batch));
    CHECK(cosm_batch_memory(teams.batch).used < before);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_INT(teams_color(teams.world, all[i]), i % 3);
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    teams_close(&teams);
}

TEST(a_memory_limit_stops_values_and_leaves_the_rest) {
    struct teams teams;
    teams_open_with(&teams, NULL, &(cosm_batch_desc){.memory_limit = (size_t)300 << 10});
    uint32_t count = 0;
    for (;;) {
        Team team = {count, 0};
        cosm_value value = {teams.team, &team};
        if (cosm_entity_is_none(cosm_entity_spawn_with(teams.world, teams.player, &value, 1))) {
            break;
        }
        count++;
    }
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_with", "memory_limit", "raise the limit");
    CHECK(count > 100);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), count);
    CHECK_INT(cosm_world_entity_count(teams.world), count);
    CHECK(cosm_batch_memory(teams.batch).peak <= (size_t)300 << 10);
    CHECK_VALID(teams.batch);
    cosm_query *zeroes = teams_query(&teams, teams.team, &(Team){0, 0});
    CHECK_DONE(cosm_query_despawn(zeroes, teams.all));
    teams_spawn(&teams, teams.world, count + 1, 0);
    cosm_query_destroy(zeroes);
    teams_close(&teams);
}

TEST(twenty_thousand_values_in_one_world_are_as_well_kept_as_two) {
    struct teams teams;
    teams_open(&teams, 1);
    enum { COUNT = 20000 };
    cosm_entity *all = malloc(COUNT * sizeof(*all));
    Team *values = malloc(COUNT * sizeof(*values));
    REQUIRE(all != NULL && values != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = teams_spawn(&teams, teams.world, i, (float)i);
        values[i] = (Team){i, 1};
    }
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), COUNT);
    // Tables come and go by the thousand: in a time that grows with their number and no faster.
    CHECK_DONE(cosm_entity_set_many(teams.world, all, COUNT, teams.team, values));
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.team, &values[777]), 1);
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.level));
    CHECK_DONE(cosm_query_remove(teams.spots, teams.all, teams.level));
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.team, &(Team){0, 0}));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    for (uint32_t i = 0; i < COUNT; i += 1111) {
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    CHECK_DONE(cosm_entity_set_many(teams.world, all, COUNT, teams.team, values));
    CHECK_DONE(cosm_entity_despawn_many(teams.world, all, COUNT));
    free(all);
    free(values);
    teams_close(&teams);
}
