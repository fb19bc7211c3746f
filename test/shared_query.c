// Shared components in queries: terms, values, walks, and changes of all rows that match.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/storages.h"

// Counts rows by walking, and checks that every run says what its rows have.
static uint32_t walk_count(const struct fixture *box, const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint32_t count = 0;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const void *team = cosm_rows_shared(&rows, box->team);
        for (uint32_t i = 0; i < rows.count; i++) {
            cosm_world world = cosm_rows_world(&rows, i);
            CHECK(cosm_entity_read(world, rows.entities[i], box->team) == team);
            Team copy = {0, 0};
            CHECK(cosm_rows_get(&rows, i, box->team, &copy) == (team != NULL));
            CHECK(team == NULL || memcmp(team, &copy, sizeof(copy)) == 0);
        }
        count += rows.count;
    }
    CHECK_INT(cosm_query_count(query, worlds), count);
    return count;
}

static cosm_query *query_of(const struct fixture *box, cosm_term a, cosm_term b, cosm_term c) {
    cosm_query *query = cosm_query_create(box->engine, &(cosm_query_desc){.terms = {a, b, c}});
    CHECK(query != NULL);
    return query;
}

// 24 entities: plain, players of colors 0 to 2, heroes of these colors and of levels 0 and 1.
static void spawn_mix(const struct fixture *box, cosm_world world) {
    for (uint32_t i = 0; i < 24; i++) {
        Team team = {i % 3, 0};
        Level level = {i % 2};
        cosm_value values[] = {{box->team, &team}, {box->level, &level}};
        cosm_archetype archetype = i < 6 ? box->plain : i < 12 ? box->player : box->hero;
        uint32_t count = i < 6 ? 0 : i < 12 ? 1 : 2;
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(world, archetype, values, count)));
    }
}

TEST(terms_of_shared_components_match_as_those_of_columns_do) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    spawn_mix(&box, box.world);
    cosm_term none = {.component = {0}};
    cosm_term position = {.component = box.position, .access = COSM_ACCESS_WRITE};
    struct {
        cosm_term a, b, c;
        uint32_t count;
    } cases[] = {
        {position, none, none, 24},
        {{.component = box.team, .access = COSM_ACCESS_WRITE}, none, none, 18},
        {position, {.component = box.team, .kind = COSM_TERM_WITHOUT}, none, 6},
        {position, {.component = box.level, .kind = COSM_TERM_WITHOUT}, none, 12},
        {position,
         {.component = box.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
         none,
         24},
        {{.component = box.team, .access = COSM_ACCESS_WRITE},
         {.component = box.level, .kind = COSM_TERM_WITHOUT},
         none,
         6},
        {{.component = box.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
         {.component = box.label, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
         none,
         18},
        {{.component = box.rank, .access = COSM_ACCESS_WRITE}, none, none, 12},
        {{.component = box.rank, .kind = COSM_TERM_WITHOUT}, none, none, 6},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cosm_query *query = query_of(&box, cases[i].a, cases[i].b, cases[i].c);
        CHECK_INT(walk_count(&box, query, box.all), cases[i].count);
        cosm_query_destroy(query);
    }
    fixture_close(&box);
}

TEST(an_optional_shared_component_reads_as_null_where_it_is_absent) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    spawn_mix(&box, box.world);
    cosm_query *query = query_of(
        &box, (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE},
        (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
        (cosm_term){.component = {0}});
    cosm_rows rows;
    uint32_t absent = 0;
    cosm_error_clear();
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Team *team = COSM_SHARED_READ(&rows, Team, 1);
        CHECK((team != NULL) == cosm_archetype_has(box.engine, rows.archetype, box.team));
        CHECK(COSM_COLUMN_READ(&rows, Position, 0) != NULL);
        absent += team == NULL ? rows.count : 0;
    }
    CHECK_INT(absent, 6);
    CHECK_SILENT();
    cosm_query_destroy(query);
    // Also where the table has another shared component, in one world and in many.
    query = query_of(&box, (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE},
                     (cosm_term){.component = box.level,
                                 .access = COSM_ACCESS_WRITE,
                                 .kind = COSM_TERM_OPTIONAL},
                     (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE});
    for (uint32_t worlds = 1; worlds <= 2; worlds++) {
        uint32_t with = 0;
        absent = 0;
        cosm_query_walk(query, cosm_worlds_range(box.batch, 0, worlds), &rows);
        while (cosm_rows_next(&rows)) {
            const Level *level = COSM_SHARED_READ(&rows, Level, 1);
            CHECK(level == cosm_rows_shared(&rows, box.level));
            CHECK(COSM_SHARED_READ(&rows, Team, 2) == cosm_rows_shared(&rows, box.team));
            absent += level == NULL ? rows.count : 0;
            with += level != NULL ? rows.count : 0;
        }
        CHECK_INT(absent, 6);
        CHECK_INT(with, 12);
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_value_matches_entities_that_carry_a_second_shared_component) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    spawn_mix(&box, box.world);
    cosm_query *ones = query_of_value(&box, box.team, &(Team){1, 0});
    CHECK_INT(walk_count(&box, ones, box.all), 2 + 4);
    cosm_query *lows = query_of_value(&box, box.level, &(Level){0});
    CHECK_INT(walk_count(&box, lows, box.all), 6);
    // A third one, of which nobody asks.
    cosm_query *heroes =
        query_of(&box, (cosm_term){.component = box.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_add(heroes, box.all, box.label));
    CHECK_INT(walk_count(&box, ones, box.all), 6);
    CHECK_INT(walk_count(&box, lows, box.all), 6);
    cosm_query_destroy(ones);
    cosm_query_destroy(lows);
    cosm_query_destroy(heroes);
    fixture_close(&box);
}

TEST(two_value_terms_want_both_values_whatever_their_order) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    spawn_mix(&box, box.world);
    Team team = {2, 0};
    for (uint32_t number = 0; number < 3; number++) {
        Level level = {number};
        cosm_term a = {.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team};
        cosm_term b = {.component = box.level, .access = COSM_ACCESS_WRITE, .value = &level};
        cosm_query *forth = query_of(
            &box, a, b, (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE});
        cosm_query *back = query_of(
            &box, (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE}, b, a);
        CHECK_INT(walk_count(&box, forth, box.all), number < 2 ? 2 : 0);
        CHECK_INT(walk_count(&box, back, box.all), number < 2 ? 2 : 0);
        cosm_query_destroy(forth);
        cosm_query_destroy(back);
    }
    // The same component twice: both or nothing.
    cosm_query *twice = query_of(
        &box, (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = {0}});
    CHECK_INT(walk_count(&box, twice, box.all), 6);
    cosm_query *torn = query_of(
        &box, (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .value = &(Team){1, 0}},
        (cosm_term){.component = {0}});
    CHECK_INT(walk_count(&box, torn, box.all), 0);
    cosm_query_destroy(twice);
    cosm_query_destroy(torn);
    fixture_close(&box);
}

TEST(values_of_further_terms_are_told_apart_by_content) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    // Their hashes meet.
    char a[] = "a";
    char e[] = "e";
    for (uint32_t i = 0; i < 6; i++) {
        cosm_entity entity = spawn_player(&box, box.world, 1, 0);
        CHECK_DONE(cosm_entity_set(box.world, entity, box.label, &(Label){i < 2 ? a : e}));
    }
    Team team = {1, 0};
    for (uint32_t i = 0; i < 2; i++) {
        Label label = {i == 0 ? a : e};
        cosm_query *query = query_of(
            &box, (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
            (cosm_term){.component = box.label, .access = COSM_ACCESS_WRITE, .value = &label},
            (cosm_term){.component = {0}});
        CHECK_INT(walk_count(&box, query, box.all), i == 0 ? 2 : 4);
        cosm_query_destroy(query);
    }
    fixture_close(&box);
}

TEST(a_value_that_nobody_has_matches_nothing_until_somebody_has_it) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    Team wanted = {9, 9};
    cosm_query *query = query_of_value(&box, box.team, &wanted);
    wanted = (Team){0, 0}; // the query has its own copy
    CHECK_INT(walk_count(&box, query, box.all), 0);
    spawn_mix(&box, box.world);
    CHECK_INT(walk_count(&box, query, box.all), 0);
    CHECK(cosm_entity_is_none(cosm_query_first(query, box.all, NULL)));
    CHECK_DONE(cosm_query_despawn(query, box.all));
    CHECK_DONE(cosm_query_set(query, box.all, box.level, &(Level){3}));
    CHECK_INT(cosm_world_entity_count(box.world), 24);
    cosm_world second = cosm_batch_world(box.batch, 1);
    cosm_entity entity = cosm_entity_spawn(second, box.player);
    CHECK_DONE(cosm_entity_set(second, entity, box.team, &(Team){9, 9}));
    CHECK_INT(walk_count(&box, query, box.all), 1);
    cosm_world where;
    CHECK(cosm_entity_equals(cosm_query_first(query, box.all, &where), entity));
    CHECK_INT(where.index, 1);
    CHECK_DONE(cosm_entity_set(second, entity, box.team, &(Team){9, 8}));
    CHECK_INT(walk_count(&box, query, box.all), 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_query_for_a_value_sees_archetypes_that_come_later) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_query *query = query_of_value(&box, box.team, &(Team){1, 0});
    cosm_entity entity = spawn_player(&box, box.world, 1, 0);
    CHECK_INT(cosm_query_count(query, box.all), 1);
    cosm_component late = COSM_TAG_DEFINE(box.engine, Late);
    CHECK_DONE(cosm_entity_add(box.world, entity, late));
    spawn_player(&box, box.world, 1, 0);
    CHECK_INT(walk_count(&box, query, box.all), 2);
    CHECK(cosm_query_matches(query, cosm_entity_archetype(box.world, entity)));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(queries_with_equal_values_are_one_and_the_same) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    char one[] = "green";
    char two[] = "green";
    cosm_query *a = query_of_value(&box, box.label, &(Label){one});
    cosm_query *b = query_of_value(&box, box.label, &(Label){two});
    CHECK(a == b);
    one[0] = 'G';
    cosm_query *c = query_of_value(&box, box.label, &(Label){one});
    CHECK(a != c);
    cosm_query *d = query_of_value(&box, box.label, NULL);
    CHECK(a != d && c != d);
    CHECK_INT(box.books.copied - box.books.destroyed, 2);
    cosm_query_destroy(a);
    CHECK_INT(box.books.copied - box.books.destroyed, 2);
    cosm_query_destroy(b);
    CHECK_INT(box.books.copied - box.books.destroyed, 1);
    cosm_query_destroy(c);
    cosm_query_destroy(d);
    fixture_close(&box);
}

TEST(a_term_of_a_shared_component_is_for_reading) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_query *a = query_of(&box, (cosm_term){.component = box.team},
                             (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    cosm_query *b = query_of(&box, (cosm_term){.component = box.team, .access = COSM_ACCESS_WRITE},
                             (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK(a == b);
    cosm_query_destroy(a);
    cosm_query_destroy(b);
    fixture_close(&box);
}

static void append(void *context, const char *text, size_t length) {
    char *all = context;
    snprintf(all + strlen(all), 200 - strlen(all), "%.*s", (int)length, text);
}

TEST(text_names_shared_components_and_leaves_out_their_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    spawn_mix(&box, box.world);
    cosm_query_desc desc = {.by_world = false};
    CHECK_DONE(cosm_query_parse(box.engine, "Team, !Level, ?mut Label", &desc));
    cosm_query *query = cosm_query_create(box.engine, &desc);
    CHECK_INT(cosm_query_count(query, box.all), 6);
    CHECK(desc.terms[0].value == NULL);
    cosm_query *valued = query_of_value(&box, box.team, &(Team){1, 0});
    char text[200] = "";
    cosm_query_print(valued, append, text);
    CHECK_STR(text, "mut Position, Team");
    cosm_query_destroy(query);
    cosm_query_destroy(valued);
    fixture_close(&box);
}

TEST(walks_of_many_worlds_show_each_world_its_own_tables) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 70);
    for (uint32_t w = 0; w < 70; w += 3) {
        cosm_world world = cosm_batch_world(box.batch, w);
        for (uint32_t i = 0; i < 10; i++) {
            spawn_player(&box, world, (w + i) % 4, (float)w);
        }
    }
    CHECK_INT(walk_count(&box, box.positions, box.all), 24 * 10);
    CHECK_INT(walk_count(&box, box.positions, cosm_worlds_range(box.batch, 1, 7)), 20);
    for (uint32_t color = 0; color < 4; color++) {
        uint32_t expected = 0;
        for (uint32_t w = 0; w < 70; w += 3) {
            expected += color_count(&box, cosm_batch_world(box.batch, w), color);
        }
        cosm_query *query = query_of_value(&box, box.team, &(Team){color, 0});
        CHECK_INT(walk_count(&box, query, box.all), expected);
        cosm_rows rows;
        cosm_query_walk(query, box.all, &rows);
        uint32_t last = 0;
        while (cosm_rows_next(&rows)) {
            CHECK_INT(COSM_SHARED_READ(&rows, Team, 1)->color, color);
            CHECK_INT(rows.world_count, 1);
            CHECK(rows.world >= last);
            last = rows.world;
            CHECK(COSM_COLUMN_READ(&rows, Position, 0)[0].x == (float)rows.world);
        }
        cosm_query_destroy(query);
    }
    fixture_close(&box);
}

TEST(a_walk_may_be_ended_in_the_midst_of_tables_of_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    for (uint32_t i = 0; i < 40; i++) {
        spawn_player(&box, cosm_batch_world(box.batch, i % 2), i % 8, 0);
    }
    cosm_rows rows;
    cosm_query_walk(box.positions, box.all, &rows);
    CHECK(cosm_rows_next(&rows) && cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    cosm_query_walk(box.positions, cosm_worlds_one(box.world), &rows);
    CHECK(cosm_rows_next(&rows) && cosm_rows_next(&rows));
    cosm_rows inner; // nested
    cosm_query_walk(box.positions, cosm_worlds_one(box.world), &inner);
    uint32_t count = 0;
    while (cosm_rows_next(&inner)) {
        count += inner.count;
    }
    CHECK_INT(count, 20);
    CHECK(cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    CHECK(!cosm_world_is_walked(box.world));
    fixture_close(&box);
}

TEST(a_whole_query_is_set_to_one_value_in_one_call) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 3);
    for (uint32_t w = 0; w < 3; w++) {
        spawn_mix(&box, cosm_batch_world(box.batch, w));
    }
    cosm_query *ones = query_of_value(&box, box.team, &(Team){1, 0});
    CHECK_DONE(cosm_query_set(ones, box.all, box.team, &(Team){2, 0}));
    CHECK_INT(cosm_query_count(ones, box.all), 0);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        CHECK_INT(color_count(&box, world, 0), 6);
        CHECK_INT(color_count(&box, world, 2), 12);
        CHECK_INT(cosm_shared_value_count(world, box.team), 2);
    }
    CHECK_VALID(box.batch);
    // Also those that lack it, and those that have it already.
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.team, &(Team){2, 0}));
    CHECK_INT(color_count(&box, box.world, 2), 24);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 1);
    CHECK_INT(cosm_shared_entity_count(box.world, box.level, &(Level){1}), 6);
    // One world only.
    CHECK_DONE(
        cosm_query_set(box.positions, cosm_worlds_range(box.batch, 1, 1), box.team, &(Team){5, 5}));
    CHECK_INT(cosm_shared_entity_count(cosm_batch_world(box.batch, 1), box.team, &(Team){5, 5}),
              24);
    CHECK_INT(color_count(&box, cosm_batch_world(box.batch, 2), 2), 24);
    cosm_query_destroy(ones);
    fixture_close(&box);
}

TEST(a_column_is_set_for_a_whole_query_in_every_table_of_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    spawn_mix(&box, box.world);
    spawn_mix(&box, cosm_batch_world(box.batch, 1));
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.position, &(Position){3, 4, 0}));
    cosm_query *level =
        query_of(&box, (cosm_term){.component = box.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_remove(level, box.all, box.position));
    CHECK_INT(cosm_query_count(box.positions, box.all), 24);
    CHECK_DONE(cosm_query_set(level, box.all, box.position, &(Position){5, 6, 0}));
    cosm_rows rows;
    cosm_query_walk(box.positions, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        bool is_hero = cosm_rows_shared(&rows, box.level) != NULL;
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Position, 0)[i].x == (is_hero ? 5.0f : 3.0f));
        }
    }
    CHECK_INT(cosm_query_count(box.positions, box.all), 48);
    cosm_query_destroy(level);
    fixture_close(&box);
}

TEST(tables_of_values_that_meet_by_a_whole_query_are_joined) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    // By level alone they are apart; without it, colors meet.
    cosm_entity all[120];
    for (uint32_t i = 0; i < 120; i++) {
        Team team = {i % 3, 0};
        Level level = {i % 10};
        Position position = {(float)i, 0, 0};
        cosm_value values[] = {{box.team, &team}, {box.level, &level}, {box.position, &position}};
        all[i] = cosm_entity_spawn_with(box.world, box.hero, values, 3);
    }
    cosm_query *heroes =
        query_of(&box, (cosm_term){.component = box.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_remove(heroes, box.all, box.level));
    CHECK_INT(cosm_shared_value_count(box.world, box.level), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 3);
    for (uint32_t i = 0; i < 120; i++) {
        CHECK_INT(color_of(box.world, all[i]), i % 3);
        CHECK(COSM_READ(box.world, all[i], Position)->x == (float)i);
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.level));
    CHECK_INT(cosm_shared_entity_count(box.world, box.level, &(Level){LEVEL_DEFAULT}), 120);
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.mark));
    CHECK_INT(color_count(&box, box.world, 1), 40);
    cosm_query_destroy(heroes);
    fixture_close(&box);
}

TEST(each_world_makes_room_for_its_own_rows_only) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        cosm_value value = {box.team, &(Team){w, 0}};
        uint32_t count = w == 1 ? 20000 : 10;
        cosm_world world = cosm_batch_world(box.batch, w);
        CHECK_DONE(cosm_entity_spawn_many_with(world, box.player, count, &value, 1, &rows));
    }
    // To one table of each world that is no group, and to groups.
    CHECK_DONE(cosm_query_remove(box.positions, box.all, box.team));
    CHECK(cosm_table_describe(cosm_batch_world(box.batch, 2), box.plain).capacity < 2000);
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.team));
    CHECK(cosm_table_describe(cosm_batch_world(box.batch, 2), box.player).capacity < 2000);
    CHECK_INT(cosm_query_count(box.positions, box.all), 20020);
    fixture_close(&box);
}

TEST(large_tables_of_values_change_hands_as_a_whole) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_rows rows;
    cosm_value value = {box.team, &(Team){1, 0}};
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, box.player, 60000, &value, 1, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        COSM_WRITE(&rows, Position)[i].x = (float)i;
    }
    CHECK_DONE(cosm_query_set(box.positions, box.all, box.team, &(Team){2, 0}));
    CHECK_DONE(cosm_query_add(box.positions, box.all, box.level));
    CHECK_DONE(cosm_query_remove(box.positions, box.all, box.team));
    cosm_query_walk(box.positions, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 60000);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rows.count; i++) {
        wrong += COSM_COLUMN_READ(&rows, Position, 0)[i].x != (float)i;
    }
    CHECK_INT(wrong, 0);
    cosm_rows_end(&rows);
    fixture_close(&box);
}

TEST(despawning_what_a_query_finds_takes_just_the_tables_of_its_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 2);
    spawn_mix(&box, box.world);
    spawn_mix(&box, cosm_batch_world(box.batch, 1));
    cosm_query *ones = query_of_value(&box, box.team, &(Team){1, 0});
    CHECK_DONE(cosm_query_despawn(ones, box.all));
    CHECK_INT(cosm_batch_entity_count(box.batch), 36);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 2);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_query_despawn(box.positions, cosm_worlds_one(box.world)));
    CHECK_INT(cosm_batch_entity_count(box.batch), 18);
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.level), 0);
    cosm_query_destroy(ones);
    fixture_close(&box);
}

static uint64_t by_x(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return (uint64_t)((const Position *)value)->x;
}

static uint64_t by_id(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return UINT32_MAX - entity.id;
}

TEST(tables_are_asked_about_sorted_and_cleared_with_all_their_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    for (uint32_t i = 0; i < 50; i++) {
        spawn_player(&box, box.world, i % 5, (float)(i * 37 % 50));
    }
    CHECK_INT(cosm_table_row_count(box.world, box.player), 50);
    CHECK(cosm_table_describe(box.world, box.player).capacity >= 50);
    CHECK_INT(cosm_table_describe(box.world, box.player).chunk_count, 5);
    CHECK_INT(cosm_table_memory(box.world, box.player).live, 50 * sizeof(Position));
    CHECK_INT(cosm_table_column_memory(box.world, box.player, box.position).live,
              50 * sizeof(Position));
    CHECK_INT(cosm_table_column_memory(box.world, box.player, box.team).used, 0);
    CHECK_DONE(cosm_table_sort(box.world, box.player, box.position, by_x, NULL));
    cosm_rows rows;
    cosm_query_walk(box.positions, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_COLUMN_READ(&rows, Position, 0);
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(position[i - 1].x < position[i].x);
        }
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_table_sort(box.world, box.player, (cosm_component){0}, by_id, NULL));
    cosm_query_walk(box.positions, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(rows.entities[i - 1].id > rows.entities[i].id);
        }
    }
    // Floats of no sign order as their bits do.
    CHECK_DONE(cosm_table_sort_u32(box.world, box.player, box.position, 0));
    cosm_query_walk(box.positions, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Position, 0)[i - 1].x <
                  COSM_COLUMN_READ(&rows, Position, 0)[i].x);
        }
    }
    spawn_player(&box, box.world, 1, 0);
    CHECK_DONE(cosm_table_clear(box.world, box.player));
    CHECK_INT(cosm_shared_value_count(box.world, box.team), 0);
    CHECK_INT(cosm_table_row_count(box.world, box.player), 0);
    CHECK_DONE(cosm_table_clear(box.world, box.player));
    fixture_close(&box);
}

TEST(a_span_of_a_shared_component_is_one_value_for_all_rows) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    static const cosm_field fields[] = {{.name = "hue", .type = COSM_FIELD_U32, .offset = 0},
                                        {.name = "tone", .type = COSM_FIELD_F32, .offset = 4}};
    typedef struct Paint {
        uint32_t hue;
        float tone;
    } Paint;
    cosm_component paint =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Paint",
                                                                 .size = sizeof(Paint),
                                                                 .fields = fields,
                                                                 .field_count = 2,
                                                                 .storage = COSM_STORAGE_SHARED});
    cosm_archetype wall = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, paint}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, wall, 3,
                                           &(cosm_value){paint, &(Paint){8, 0.5f}}, 1, &rows));
    cosm_span hue = cosm_rows_span(&rows, paint, 0);
    cosm_span tone = cosm_rows_span(&rows, paint, 1);
    REQUIRE(hue.data != NULL && tone.data != NULL);
    CHECK_INT(hue.stride, 0);
    CHECK_INT(*(const uint32_t *)hue.data, 8);
    CHECK(*(const float *)tone.data == 0.5f);
    CHECK(cosm_rows_span(&rows, paint, 2).data == NULL);
    fixture_close(&box);
}

TEST(a_lookup_of_a_column_finds_it_in_tables_of_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_entity all[200];
    for (uint32_t i = 0; i < 200; i++) {
        all[i] = spawn_player(&box, box.world, i % 90, (float)i);
    }
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    for (uint32_t i = 0; i < 200; i++) {
        const Position *position = COSM_LOOKUP_READ(&lookup, Position, all[i]);
        CHECK(position != NULL && position->x == (float)i);
    }
    cosm_column column = cosm_archetype_column(box.engine, box.player, box.position);
    cosm_loc loc = cosm_entity_loc(box.world, all[77]);
    CHECK(((const Position *)cosm_loc_read_unchecked(box.world, loc, column))->x == 77);
    ((Position *)cosm_loc_write_unchecked(box.world, loc, column))->x = 78;
    CHECK(COSM_READ(box.world, all[77], Position)->x == 78);
    CHECK_INT(cosm_archetype_column(box.engine, box.player, box.team).index, 0);
    fixture_close(&box);
}

TEST(rows_of_a_table_that_has_ended_show_nothing) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 1);
    cosm_rows rows;
    cosm_value value = {box.team, &(Team){1, 0}};
    CHECK_DONE(cosm_entity_spawn_many_with(box.world, box.player, 4, &value, 1, &rows));
    CHECK_DONE(cosm_query_despawn(box.positions, box.all));
    CHECK(cosm_rows_shared(&rows, box.team) == NULL);
    CHECK(cosm_rows_column(&rows, box.position) == NULL);
    Team team;
    CHECK(!cosm_rows_get(&rows, 0, box.team, &team));
    // Another archetype takes the number of the table.
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.hero)));
    CHECK(cosm_rows_shared(&rows, box.team) == NULL);
    CHECK(cosm_rows_column(&rows, box.position) == NULL);
    fixture_close(&box);
}
