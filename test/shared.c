// Shared components: the promises of cosm/shared.h, and every direct change of entities.
#include <string.h>

#include "harness.h"
#include "support/storages.h"

// The values of a world as cosm_shared_each tells them.
struct tally {
    uint32_t calls;
    uint32_t entities;
    uint32_t colors[64];
    uint32_t counts[64];
};

static void tally_value(void *context, const void *value, uint32_t entity_count) {
    struct tally *tally = context;
    if (tally->calls < 64) {
        tally->colors[tally->calls] = ((const Team *)value)->color;
        tally->counts[tally->calls] = entity_count;
    }
    tally->calls++;
    tally->entities += entity_count;
}

// How many tables a query walks.
static uint32_t run_count(const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint32_t runs = 0;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        runs++;
    }
    return runs;
}

TEST(entities_of_equal_value_stand_in_one_table) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        all[i] = spawn_player(&box, box.world, i % 2, (float)i);
    }
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 2);
    CHECK_INT(color_count(&box, box.world, 0), 50);
    CHECK_INT(run_count(box.positions, box.all), 2);
    cosm_rows rows;
    cosm_query *ones = query_of_value(&box, box.team, &(Team){1, 0});
    cosm_query_walk(ones, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 50);
    const Position *position = COSM_COLUMN_READ(&rows, Position, 0);
    const Team *team = COSM_SHARED_READ(&rows, Team, 1);
    CHECK(team != NULL && team->color == 1);
    CHECK(cosm_rows_shared(&rows, box.team) == team);
    for (uint32_t i = 0; i < rows.count; i++) {
        CHECK(cosm_entity_equals(rows.entities[i], all[2 * i + 1]));
        CHECK(position[i].x == (float)(2 * i + 1));
    }
    CHECK(!cosm_rows_next(&rows));
    cosm_query_destroy(ones);
    fixture_close(&box);
}

TEST(a_spawn_without_a_value_takes_the_default) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity one = cosm_entity_spawn(box.world, box.hero);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.hero, 5, &rows));
    CHECK_INT(rows.count, 5);
    CHECK_INT(((const Level *)cosm_rows_shared(&rows, box.level))->number, LEVEL_DEFAULT);
    CHECK_DONE(cosm_entity_spawn_many_unset(box.world, box.hero, 4, &rows));
    memset(COSM_WRITE(&rows, Position), 0, 4 * sizeof(Position));
    CHECK_INT(((const Team *)cosm_rows_shared(&rows, box.team))->color, 0);
    CHECK_INT(COSM_READ(box.world, one, Level)->number, LEVEL_DEFAULT);
    CHECK_INT(COSM_READ(box.world, one, Team)->rank, 0);
    CHECK_INT(cosm_shared_entity_count(box.world, box.level, &(Level){LEVEL_DEFAULT}), 10);
    CHECK_INT(run_count(box.positions, box.all), 1);
    fixture_close(&box);
}

TEST(a_large_value_without_a_default_is_of_zeroes) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    static char bytes[5000];
    cosm_component large = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "Large", .size = sizeof(bytes), .storage = COSM_STORAGE_SHARED});
    cosm_entity entity = cosm_entity_spawn(box.world, box.player);
    CHECK_DONE(cosm_entity_add(box.world, entity, large));
    memset(bytes, 0, sizeof(bytes));
    CHECK_MEM(cosm_entity_read(box.world, entity, large), bytes, sizeof(bytes));
    CHECK_INT(cosm_shared_entity_count(box.world, large, bytes), 1);
    bytes[4999] = 1;
    CHECK_INT(cosm_shared_entity_count(box.world, large, bytes), 0);
    CHECK_DONE(cosm_entity_set(box.world, entity, large, bytes));
    CHECK_MEM(cosm_entity_read(box.world, entity, large), bytes, sizeof(bytes));
    fixture_close(&box);
}

TEST(values_are_aligned_as_their_component_says) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    static const size_t alignments[] = {1, 16, 64, 4096};
    static const char *const names[] = {"a", "b", "c", "d"};
    static _Alignas(16) char bytes[4096];
    cosm_entity entity = cosm_entity_spawn(box.world, box.player);
    for (uint32_t i = 0; i < 4; i++) {
        cosm_component c = cosm_component_define(
            box.engine, &(cosm_component_desc){.name = names[i],
                                               .size = alignments[i],
                                               .alignment = alignments[i],
                                               .storage = COSM_STORAGE_SHARED});
        bytes[alignments[i] - 1] = (char)(i + 1);
        CHECK_DONE(cosm_entity_set(box.world, entity, c, bytes));
        const char *value = cosm_entity_read(box.world, entity, c);
        REQUIRE(value != NULL);
        CHECK_INT((uintptr_t)value % alignments[i], 0);
        CHECK_INT(value[alignments[i] - 1], i + 1);
    }
    fixture_close(&box);
}

TEST(many_spawned_with_values_have_them_all) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    Team team = {4, 2};
    Position position = {1, 2, 0};
    cosm_value values[] = {{box.position, &position}, {box.team, &team}};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, box.hero, 300, values, 2, &rows));
    CHECK_INT(rows.count, 300);
    for (uint32_t i = 0; i < 300; i++) {
        Team got = {0, 0};
        CHECK(cosm_rows_get(&rows, i, box.team, &got) && got.color == 4 && got.rank == 2);
        CHECK(COSM_WRITE(&rows, Position)[i].y == 2);
    }
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &team), 300);
    CHECK_INT(cosm_shared_entity_count(box.world, box.level, &(Level){LEVEL_DEFAULT}), 300);
    // Again: the same table, also where a value is that of its own rows.
    values[1].data = cosm_entity_read(box.world, rows.entities[0], box.team);
    values[0].data = cosm_entity_read(box.world, rows.entities[7], box.position);
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, box.hero, 3000, values, 2, &rows));
    CHECK_INT(rows.row, 300);
    CHECK(COSM_WRITE(&rows, Position)[2999].y == 2);
    CHECK_INT(run_count(box.positions, box.all), 1);
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, box.hero, 0, values, 2, &rows));
    CHECK_INT(rows.count, 0);
    CHECK(cosm_rows_shared(&rows, box.team) == NULL);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.hero, 0, &rows));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    fixture_close(&box);
}

TEST(the_last_of_several_values_of_one_component_counts) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    Team first = {1, 0};
    Team last = {2, 0};
    cosm_value values[] = {{box.team, &first}, {box.team, &last}};
    cosm_entity entity = cosm_entity_spawn_with(box.world, box.player, values, 2);
    CHECK_INT(color_of(box.world, entity), 2);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    fixture_close(&box);
}

TEST(setting_a_value_moves_the_entity_and_keeps_the_rest) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity all[10];
    for (uint32_t i = 0; i < 10; i++) {
        all[i] = spawn_player(&box, box.world, 1, (float)i);
    }
    cosm_loc before = cosm_entity_loc(box.world, all[3]);
    CHECK_DONE(cosm_entity_set(box.world, all[3], box.team, &(Team){2, 0}));
    cosm_loc after = cosm_entity_loc(box.world, all[3]);
    CHECK(before.table != after.table);
    CHECK(cosm_entity_equals(cosm_entity_at(box.world, after), all[3]));
    CHECK_INT(cosm_entity_archetype(box.world, all[3]).id, box.player.id);
    CHECK(COSM_READ(box.world, all[3], Position)->x == 3);
    CHECK(cosm_entity_equals(cosm_entity_at(box.world, before), all[9])); // filled the hole
    CHECK_INT(color_count(&box, box.world, 1), 9);
    // The value that it has already: nothing moves.
    CHECK_DONE(cosm_entity_set(box.world, all[3], box.team, &(Team){2, 0}));
    CHECK_INT(cosm_entity_loc(box.world, all[3]).table, after.table);
    // One that comes from another entity, or from itself.
    CHECK_DONE(cosm_entity_set(box.world, all[3], box.team,
                               cosm_entity_read(box.world, all[0], box.team)));
    CHECK_DONE(cosm_entity_set(box.world, all[3], box.team,
                               cosm_entity_read(box.world, all[3], box.team)));
    CHECK_INT(color_count(&box, box.world, 1), 10);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    fixture_close(&box);
}

TEST(the_last_entity_of_a_value_may_give_it_to_itself_elsewhere) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.badge);
    char text[] = "only one";
    CHECK_DONE(cosm_entity_set(box.world, entity, box.label, &(Label){text}));
    // Its bytes end with the table that the entity leaves.
    cosm_entity other = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(cosm_entity_set(box.world, other, box.label,
                               cosm_entity_read(box.world, entity, box.label)));
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    CHECK_STR(COSM_READ(box.world, other, Label)->text, "only one");
    CHECK_INT(cosm_shared_value_count(box.world, box.label), 1);
    fixture_close(&box);
}

TEST(adding_and_removing_other_components_keeps_shared_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity a = spawn_player(&box, box.world, 3, 1);
    cosm_entity b = spawn_player(&box, box.world, 4, 2);
    CHECK_DONE(cosm_entity_add(box.world, a, box.mark));
    CHECK_DONE(cosm_entity_set(box.world, a, box.level, &(Level){9}));
    CHECK_DONE(cosm_entity_add(box.world, b, box.level));
    CHECK_DONE(cosm_entity_remove(box.world, b, box.position));
    CHECK_INT(color_of(box.world, a), 3);
    CHECK_INT(color_of(box.world, b), 4);
    CHECK_INT(COSM_READ(box.world, a, Level)->number, 9);
    CHECK_INT(COSM_READ(box.world, b, Level)->number, LEVEL_DEFAULT);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.team));
    CHECK(!cosm_entity_has(box.world, a, box.team));
    CHECK(COSM_READ(box.world, a, Team) == NULL);
    CHECK_INT(COSM_READ(box.world, a, Level)->number, 9);
    CHECK_INT(color_count(&box, box.world, 3), 0);
    // Adding what is there changes nothing; what was removed comes back with its default.
    CHECK_DONE(cosm_entity_add(box.world, b, box.team));
    CHECK_INT(color_of(box.world, b), 4);
    CHECK_DONE(cosm_entity_add(box.world, a, box.team));
    CHECK_INT(color_of(box.world, a), 0);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.level));
    CHECK_DONE(cosm_entity_remove(box.world, a, box.team));
    CHECK_DONE(cosm_entity_remove(box.world, a, box.team)); // absent: no failure
    CHECK(COSM_READ(box.world, a, Position)->x == 1);
    fixture_close(&box);
}

TEST(a_bundle_stands_for_its_shared_members) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.rank));
    CHECK(cosm_entity_has(box.world, entity, box.rank));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.hero.id);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.team, &(Team){5, 5}));
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.level));
    CHECK_DONE(cosm_entity_add(box.world, entity, box.rank));
    CHECK_INT(color_of(box.world, entity), 5);
    CHECK_INT(COSM_READ(box.world, entity, Level)->number, LEVEL_DEFAULT);
    cosm_query *ranked = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.rank, .access = COSM_ACCESS_WRITE}}});
    CHECK_INT(cosm_query_count(ranked, box.all), 1);
    CHECK_DONE(cosm_query_remove(ranked, box.all, box.rank));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.level), 0);
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.rank));
    CHECK_INT(cosm_query_count(ranked, box.all), 1);
    cosm_query_destroy(ranked);
    fixture_close(&box);
}

TEST(arrays_of_entities_are_added_set_removed_and_despawned_together) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity all[60];
    Team values[60];
    for (uint32_t i = 0; i < 60; i++) {
        all[i] = cosm_entity_spawn(box.world, i % 3 == 0 ? box.plain : box.player);
        COSM_WRITE(box.world, all[i], Position)->x = (float)i;
        values[i] = (Team){i % 5, 1};
    }
    cosm_entity stale = cosm_entity_spawn(box.world, box.player);
    CHECK_DONE(cosm_entity_despawn(box.world, stale));
    all[59] = stale;
    CHECK_DONE(cosm_entity_set_many(box.world, all, 60, box.team, values));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 5 + 1); // 59 itself has zeroes
    for (uint32_t i = 0; i < 59; i++) {
        CHECK_INT(color_of(box.world, all[i]), i % 5);
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    CHECK_DONE(cosm_entity_add_many(box.world, all, 30, box.level));
    CHECK_INT(cosm_shared_entity_count(box.world, box.level, &(Level){LEVEL_DEFAULT}), 30);
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &(Team){2, 1}), 12);
    CHECK_DONE(cosm_entity_remove_many(box.world, all + 10, 40, box.team));
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &(Team){2, 1}), 4);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_entity_despawn_many(box.world, all, 60));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    fixture_close(&box);
}

TEST(despawning_the_last_entity_of_a_value_ends_the_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity a = spawn_player(&box, box.world, 1, 0);
    cosm_entity b = spawn_player(&box, box.world, 2, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    CHECK_INT(color_count(&box, box.world, 1), 0);
    CHECK(COSM_READ(box.world, a, Team) == NULL);
    CHECK_INT(cosm_entity_set(box.world, a, box.team, &(Team){2, 0}), COSM_STALE);
    CHECK_DONE(cosm_entity_despawn(box.world, b));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_INT(run_count(box.positions, box.all), 0);
    fixture_close(&box);
}

TEST(a_value_shared_by_several_archetypes_is_one_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    Team red = {1, 0};
    cosm_value value = {box.team, &red};
    cosm_entity a = cosm_entity_spawn_with(box.world, box.player, &value, 1);
    cosm_entity b = cosm_entity_spawn_with(box.world, box.hero, &value, 1);
    cosm_entity c = cosm_entity_spawn_with(box.world, box.statue, &value, 1);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &red), 3);
    CHECK(cosm_entity_read(box.world, a, box.team) == cosm_entity_read(box.world, b, box.team));
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    CHECK_DONE(cosm_entity_despawn(box.world, c));
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &red), 1);
    CHECK_INT(color_of(box.world, b), 1);
    fixture_close(&box);
}

TEST(a_sealed_archetype_takes_other_values_and_no_other_components) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.statue);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.team, &(Team){3, 0}));
    CHECK_INT(color_of(box.world, entity), 3);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_set(box.world, entity, box.level, &(Level){1}), COSM_ERROR_SEALED,
                "cosm_entity_set", "statue", "sealed");
    CHECK_FAILS(cosm_entity_remove(box.world, entity, box.team), COSM_ERROR_SEALED,
                "cosm_entity_remove", "statue", "sealed");
    CHECK_FAILS(cosm_query_add(box.positions, box.all, box.level), COSM_ERROR_SEALED,
                "cosm_query_add", "statue", "sealed");
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.team, &(Team){3, 0}));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.team, &(Team){4, 0}));
    CHECK_INT(color_of(box.world, entity), 4);
    fixture_close(&box);
}

TEST(an_entity_of_a_fixed_table_can_take_a_shared_component) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    cosm_archetype slot = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, box.mark},
                                           .placement = COSM_PLACEMENT_FIXED,
                                           .max_per_world = 2});
    cosm_entity entity = cosm_entity_spawn(box.world, slot);
    COSM_WRITE(box.world, entity, Position)->x = 5;
    CHECK_DONE(cosm_entity_set(box.world, entity, box.team, &(Team){1, 1}));
    CHECK_INT(cosm_table_row_count(box.world, slot), 0);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.team));
    CHECK_INT(cosm_table_row_count(box.world, slot), 1);
    CHECK(COSM_READ(box.world, entity, Position)->x == 5);
    fixture_close(&box);
}

TEST(each_tells_every_value_and_its_entities) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    for (uint32_t i = 0; i < 30; i++) {
        spawn_player(&box, box.world, i % 4, 0);
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.hero)));
    }
    struct tally tally = {0};
    CHECK_DONE(cosm_shared_each(box.world, box.team, tally_value, &tally));
    CHECK_INT(tally.calls, 4);
    CHECK_INT(tally.entities, 60);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(tally.colors[i], i); // in the order in which they came
        CHECK_INT(tally.counts[i], (i == 0 ? 30 : 0) + (i < 2 ? 8 : 7));
    }
    tally = (struct tally){0};
    CHECK_DONE(cosm_shared_each(cosm_batch_world(box.batch, 1), box.team, tally_value, &tally));
    CHECK_DONE(cosm_shared_each(box.world, box.label, tally_value, &tally));
    CHECK_INT(tally.calls, 0);
    fixture_close(&box);
}

struct intruder {
    const struct fixture *box;
    cosm_entity victim;
};

static void intrude(void *context, const void *value, uint32_t entity_count) {
    const struct intruder *intruder = context;
    const struct fixture *box = intruder->box;
    (void)value;
    CHECK_INT(entity_count, 1);
    CHECK(cosm_world_is_walked(box->world));
    CHECK_INT(cosm_entity_set(box->world, intruder->victim, box->team, &(Team){9, 9}),
              COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_despawn(box->world, intruder->victim), COSM_ERROR_WALKED);
    cosm_error_clear();
}

TEST(while_values_are_told_the_world_is_being_walked) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    struct intruder intruder = {&box, spawn_player(&box, box.world, 1, 0)};
    CHECK_DONE(cosm_shared_each(box.world, box.team, intrude, &intruder));
    CHECK(!cosm_world_is_walked(box.world));
    CHECK_INT(color_of(box.world, intruder.victim), 1);
    // So it is while a walk is under way.
    cosm_rows rows;
    cosm_query_walk(box.positions, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_FAILS(cosm_entity_set(box.world, intruder.victim, box.team, &(Team){2, 0}),
                COSM_ERROR_WALKED, "cosm_entity_set", "world 0", "commands");
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_entity_set(box.world, intruder.victim, box.team, &(Team){2, 0}));
    fixture_close(&box);
}

TEST(worlds_and_batches_do_not_see_each_other) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 3);
    cosm_batch *second = cosm_batch_create(box.engine, NULL);
    cosm_world far = cosm_batch_world(second, 0);
    for (uint32_t i = 0; i < 20; i++) {
        spawn_player(&box, box.world, i, 0);
        spawn_player(&box, cosm_batch_world(box.batch, 2), 50 + i % 2, 0);
    }
    spawn_player(&box, far, 50, 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 20);
    CHECK_INT(cosm_shared_value_count(cosm_batch_world(box.batch, 1), box.team), 0);
    CHECK_INT(cosm_shared_value_count(cosm_batch_world(box.batch, 2), box.team), 2);
    CHECK_INT(color_count(&box, far, 50), 1);
    cosm_query *query = query_of_value(&box, box.team, &(Team){50, 0});
    CHECK_INT(cosm_query_count(query, box.all), 10);
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(second)), 1);
    CHECK_DONE(cosm_query_despawn(query, cosm_worlds_all(second)));
    CHECK_INT(cosm_query_count(query, box.all), 10);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_INT(cosm_query_count(query, box.all), 10);
    CHECK_VALID(second);
    CHECK_DONE(cosm_batch_destroy(second));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_second_engine_shares_nothing) {
    struct fixture first;
    struct fixture second;
    fixture_open(&first, FIXTURE_SHARED, 1);
    fixture_open(&second, FIXTURE_SHARED, 1);
    spawn_player(&first, first.world, 1, 0);
    cosm_query *a = query_of_value(&first, first.team, &(Team){1, 0});
    cosm_query *b = query_of_value(&second, second.team, &(Team){1, 0});
    CHECK(a != b);
    CHECK_INT(cosm_query_count(a, first.all), 1);
    CHECK_INT(cosm_query_count(b, second.all), 0);
    cosm_query_destroy(a);
    cosm_query_destroy(b);
    fixture_close(&second);
    fixture_close(&first);
}

// Players of four colors, in an order that the caller says.
static void spawn_by(struct fixture *box, const uint32_t *colors, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        spawn_player(box, box->world, colors[i], (float)colors[i]);
    }
}

TEST(equal_histories_have_equal_checksums_and_values_count) {
    struct fixture a;
    struct fixture b;
    fixture_open(&a, FIXTURE_SHARED, 1);
    fixture_open(&b, FIXTURE_SHARED, 1);
    static const uint32_t colors[] = {3, 1, 2, 1, 3, 0};
    spawn_by(&a, colors, 6);
    spawn_by(&b, colors, 6);
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_EXACT), cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    cosm_entity entity = cosm_query_first(a.positions, a.all, NULL);
    CHECK_DONE(cosm_entity_set(a.world, entity, a.team, &(Team){77, 0}));
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_CONTENT) !=
          cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    CHECK_DONE(cosm_entity_set(b.world, entity, b.team, &(Team){78, 0}));
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_CONTENT) !=
          cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    CHECK_DONE(cosm_entity_set(b.world, entity, b.team, &(Team){77, 0}));
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_CONTENT),
              cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    // One more value has come and gone in b: it holds the same, and gives out other numbers.
    CHECK(cosm_hash_batch(a.batch, COSM_HASH_EXACT) != cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    fixture_close(&a);
    fixture_close(&b);
}

TEST(the_order_in_which_values_came_does_not_reach_the_checksum) {
    struct fixture a;
    struct fixture b;
    fixture_open(&a, FIXTURE_SHARED, 1);
    fixture_open(&b, FIXTURE_SHARED, 1);
    // The same entities with the same values in the end; the tables came in another order.
    cosm_entity in_a[3];
    cosm_entity in_b[3];
    for (uint32_t i = 0; i < 3; i++) {
        in_a[i] = cosm_entity_spawn(a.world, a.plain);
        in_b[i] = cosm_entity_spawn(b.world, b.plain);
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_DONE(cosm_entity_set(a.world, in_a[i], a.team, &(Team){i, 0}));
        CHECK_DONE(cosm_entity_set(b.world, in_b[2 - i], b.team, &(Team){2 - i, 0}));
    }
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_CONTENT),
              cosm_hash_batch(b.batch, COSM_HASH_CONTENT));
    fixture_close(&a);
    fixture_close(&b);
}

TEST(labels_of_equal_content_are_one_value_with_one_checksum) {
    struct fixture a;
    struct fixture b;
    fixture_open(&a, FIXTURE_SHARED, 1);
    fixture_open(&b, FIXTURE_SHARED, 1);
    char one[] = "blue";
    char two[] = "blue";
    cosm_value first = {a.label, &(Label){one}};
    cosm_value second = {a.label, &(Label){two}};
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(a.world, a.badge, &first, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(a.world, a.badge, &second, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(b.world, b.badge, &second, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(b.world, b.badge, &second, 1)));
    CHECK_INT(cosm_shared_value_count(a.world, a.label), 1);
    CHECK_INT(cosm_hash_batch(a.batch, COSM_HASH_EXACT), cosm_hash_batch(b.batch, COSM_HASH_EXACT));
    fixture_close(&a);
    fixture_close(&b);
}

TEST(asking_for_what_is_not_there_is_silent) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_world none = {NULL, 0};
    cosm_entity entity = spawn_player(&box, box.world, 1, 0);
    cosm_error_clear();
    CHECK_INT(cosm_shared_value_count(none, box.team), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.position), 0);
    CHECK_INT(cosm_shared_value_count(box.world, (cosm_component){999}), 0);
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, NULL), 0);
    CHECK_INT(cosm_shared_entity_count(box.world, box.position, &(Position){0, 0, 0}), 0);
    CHECK_INT(cosm_shared_entity_count(none, box.team, &(Team){1, 0}), 0);
    CHECK_INT(cosm_shared_entity_count(box.world, box.team, &(Team){1, 1}), 0);
    CHECK(cosm_rows_shared(NULL, box.team) == NULL);
    CHECK(cosm_entity_read(box.world, entity, box.level) == NULL);
    Level level;
    CHECK(!cosm_entity_get(box.world, entity, box.level, &level));
    Team team;
    CHECK(cosm_entity_get(box.world, entity, box.team, &team) && team.color == 1);
    const void *found[2];
    cosm_entity pair[2] = {entity, COSM_ENTITY_NONE};
    CHECK_INT(cosm_entity_read_many(box.world, pair, 2, box.team, found), 1);
    CHECK(found[0] == cosm_entity_read(box.world, entity, box.team) && found[1] == NULL);
    cosm_loc loc = cosm_entity_loc(box.world, entity);
    CHECK(cosm_loc_read(box.world, loc, box.team) == found[0]);
    CHECK(cosm_loc_read(box.world, loc, box.level) == NULL);
    CHECK(cosm_loc_read(box.world, (cosm_loc){loc.table + 1, 0}, box.team) == NULL);
    CHECK(cosm_entity_is_none(cosm_entity_at(box.world, (cosm_loc){loc.table, 1})));
    CHECK(cosm_entity_is_none(cosm_entity_at(box.world, (cosm_loc){0xFFFFFFFFu, 0})));
    CHECK_SILENT();
    fixture_close(&box);
}
