// Shared components in queries: terms, values, walks, and changes of all rows that match.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/teams.h"

// Counts rows by walking, and checks that every run says what its rows have.
static uint32_t walk_count(const struct teams *teams, const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint32_t count = 0;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const void *team = cosm_rows_shared(&rows, teams->team);
        for (uint32_t i = 0; i < rows.count; i++) {
            cosm_world world = cosm_rows_world(&rows, i);
            CHECK(cosm_entity_read(world, rows.entities[i], teams->team) == team);
            Team copy = {0, 0};
            CHECK(cosm_rows_get(&rows, i, teams->team, &copy) == (team != NULL));
            CHECK(team == NULL || memcmp(team, &copy, sizeof(copy)) == 0);
        }
        count += rows.count;
    }
    CHECK_INT(cosm_query_count(query, worlds), count);
    return count;
}

static cosm_query *query_of(const struct teams *teams, cosm_term a, cosm_term b, cosm_term c) {
    cosm_query *query = cosm_query_create(teams->engine, &(cosm_query_desc){.terms = {a, b, c}});
    CHECK(query != NULL);
    return query;
}

// 24 entities: plain, players of colors 0 to 2, heroes of these colors and of levels 0 and 1.
static void spawn_mix(const struct teams *teams, cosm_world world) {
    for (uint32_t i = 0; i < 24; i++) {
        Team team = {i % 3, 0};
        Level level = {i % 2};
        cosm_value values[] = {{teams->team, &team}, {teams->level, &level}};
        cosm_archetype archetype = i < 6 ? teams->plain : i < 12 ? teams->player : teams->hero;
        uint32_t count = i < 6 ? 0 : i < 12 ? 1 : 2;
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(world, archetype, values, count)));
    }
}

TEST(terms_of_shared_components_match_as_those_of_columns_do) {
    struct teams teams;
    teams_open(&teams, 1);
    spawn_mix(&teams, teams.world);
    cosm_term none = {.component = {0}};
    cosm_term spot = {.component = teams.spot, .access = COSM_ACCESS_WRITE};
    struct {
        cosm_term a, b, c;
        uint32_t count;
    } cases[] = {
        {spot, none, none, 24},
        {{.component = teams.team, .access = COSM_ACCESS_WRITE}, none, none, 18},
        {spot, {.component = teams.team, .kind = COSM_TERM_WITHOUT}, none, 6},
        {spot, {.component = teams.level, .kind = COSM_TERM_WITHOUT}, none, 12},
        {spot,
         {.component = teams.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
         none,
         24},
        {{.component = teams.team, .access = COSM_ACCESS_WRITE},
         {.component = teams.level, .kind = COSM_TERM_WITHOUT},
         none,
         6},
        {{.component = teams.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
         {.component = teams.label, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
         none,
         18},
        {{.component = teams.rank, .access = COSM_ACCESS_WRITE}, none, none, 12},
        {{.component = teams.rank, .kind = COSM_TERM_WITHOUT}, none, none, 6},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cosm_query *query = query_of(&teams, cases[i].a, cases[i].b, cases[i].c);
        CHECK_INT(walk_count(&teams, query, teams.all), cases[i].count);
        cosm_query_destroy(query);
    }
    teams_close(&teams);
}

TEST(an_optional_shared_component_reads_as_null_where_it_is_absent) {
    struct teams teams;
    teams_open(&teams, 2);
    spawn_mix(&teams, teams.world);
    cosm_query *query = query_of(
        &teams, (cosm_term){.component = teams.spot, .access = COSM_ACCESS_WRITE},
        (cosm_term){
            .component = teams.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
        (cosm_term){.component = {0}});
    cosm_rows rows;
    uint32_t absent = 0;
    cosm_error_clear();
    cosm_query_walk(query, teams.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Team *team = COSM_SHARED_READ(&rows, Team, 1);
        CHECK((team != NULL) == cosm_archetype_has(teams.engine, rows.archetype, teams.team));
        CHECK(COSM_COLUMN_READ(&rows, Spot, 0) != NULL);
        absent += team == NULL ? rows.count : 0;
    }
    CHECK_INT(absent, 6);
    CHECK_SILENT();
    cosm_query_destroy(query);
    // Also where the table has another shared component, in one world and in many.
    query = query_of(&teams, (cosm_term){.component = teams.spot, .access = COSM_ACCESS_WRITE},
                     (cosm_term){.component = teams.level,
                                 .access = COSM_ACCESS_WRITE,
                                 .kind = COSM_TERM_OPTIONAL},
                     (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE});
    for (uint32_t worlds = 1; worlds <= 2; worlds++) {
        uint32_t with = 0;
        absent = 0;
        cosm_query_walk(query, cosm_worlds_range(teams.batch, 0, worlds), &rows);
        while (cosm_rows_next(&rows)) {
            const Level *level = COSM_SHARED_READ(&rows, Level, 1);
            CHECK(level == cosm_rows_shared(&rows, teams.level));
            CHECK(COSM_SHARED_READ(&rows, Team, 2) == cosm_rows_shared(&rows, teams.team));
            absent += level == NULL ? rows.count : 0;
            with += level != NULL ? rows.count : 0;
        }
        CHECK_INT(absent, 6);
        CHECK_INT(with, 12);
    }
    cosm_query_destroy(query);
    teams_close(&teams);
}

TEST(a_value_matches_entities_that_carry_a_second_shared_component) {
    struct teams teams;
    teams_open(&teams, 1);
    spawn_mix(&teams, teams.world);
    cosm_query *ones = teams_query(&teams, teams.team, &(Team){1, 0});
    CHECK_INT(walk_count(&teams, ones, teams.all), 2 + 4);
    cosm_query *lows = teams_query(&teams, teams.level, &(Level){0});
    CHECK_INT(walk_count(&teams, lows, teams.all), 6);
    // A third one, of which nobody asks.
    cosm_query *heroes =
        query_of(&teams, (cosm_term){.component = teams.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_add(heroes, teams.all, teams.label));
    CHECK_INT(walk_count(&teams, ones, teams.all), 6);
    CHECK_INT(walk_count(&teams, lows, teams.all), 6);
    cosm_query_destroy(ones);
    cosm_query_destroy(lows);
    cosm_query_destroy(heroes);
    teams_close(&teams);
}

TEST(two_value_terms_want_both_values_whatever_their_order) {
    struct teams teams;
    teams_open(&teams, 1);
    spawn_mix(&teams, teams.world);
    Team team = {2, 0};
    for (uint32_t number = 0; number < 3; number++) {
        Level level = {number};
        cosm_term a = {.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &team};
        cosm_term b = {.component = teams.level, .access = COSM_ACCESS_WRITE, .value = &level};
        cosm_query *forth = query_of(
            &teams, a, b, (cosm_term){.component = teams.spot, .access = COSM_ACCESS_WRITE});
        cosm_query *back = query_of(
            &teams, (cosm_term){.component = teams.spot, .access = COSM_ACCESS_WRITE}, b, a);
        CHECK_INT(walk_count(&teams, forth, teams.all), number < 2 ? 2 : 0);
        CHECK_INT(walk_count(&teams, back, teams.all), number < 2 ? 2 : 0);
        cosm_query_destroy(forth);
        cosm_query_destroy(back);
    }
    // The same component twice: both or nothing.
    cosm_query *twice = query_of(
        &teams, (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = {0}});
    CHECK_INT(walk_count(&teams, twice, teams.all), 6);
    cosm_query *torn = query_of(
        &teams, (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &team},
        (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &(Team){1, 0}},
        (cosm_term){.component = {0}});
    CHECK_INT(walk_count(&teams, torn, teams.all), 0);
    cosm_query_destroy(twice);
    cosm_query_destroy(torn);
    teams_close(&teams);
}

TEST(values_of_further_terms_are_told_apart_by_content) {
    struct teams teams;
    teams_open(&teams, 1);
    // Their hashes meet.
    char a[] = "a";
    char e[] = "e";
    for (uint32_t i = 0; i < 6; i++) {
        cosm_entity entity = teams_spawn(&teams, teams.world, 1, 0);
        CHECK_DONE(cosm_entity_set(teams.world, entity, teams.label, &(Label){i < 2 ? a : e}));
    }
    Team team = {1, 0};
    for (uint32_t i = 0; i < 2; i++) {
        Label label = {i == 0 ? a : e};
        cosm_query *query = query_of(
            &teams,
            (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE, .value = &team},
            (cosm_term){.component = teams.label, .access = COSM_ACCESS_WRITE, .value = &label},
            (cosm_term){.component = {0}});
        CHECK_INT(walk_count(&teams, query, teams.all), i == 0 ? 2 : 4);
        cosm_query_destroy(query);
    }
    teams_close(&teams);
}

TEST(a_value_that_nobody_has_matches_nothing_until_somebody_has_it) {
    struct teams teams;
    teams_open(&teams, 2);
    Team wanted = {9, 9};
    cosm_query *query = teams_query(&teams, teams.team, &wanted);
    wanted = (Team){0, 0}; // the query has its own copy
    CHECK_INT(walk_count(&teams, query, teams.all), 0);
    spawn_mix(&teams, teams.world);
    CHECK_INT(walk_count(&teams, query, teams.all), 0);
    CHECK(cosm_entity_is_none(cosm_query_first(query, teams.all, NULL)));
    CHECK_DONE(cosm_query_despawn(query, teams.all));
    CHECK_DONE(cosm_query_set(query, teams.all, teams.level, &(Level){3}));
    CHECK_INT(cosm_world_entity_count(teams.world), 24);
    cosm_world second = cosm_batch_world(teams.batch, 1);
    cosm_entity entity = cosm_entity_spawn(second, teams.player);
    CHECK_DONE(cosm_entity_set(second, entity, teams.team, &(Team){9, 9}));
    CHECK_INT(walk_count(&teams, query, teams.all), 1);
    cosm_world where;
    CHECK(cosm_entity_equals(cosm_query_first(query, teams.all, &where), entity));
    CHECK_INT(where.index, 1);
    CHECK_DONE(cosm_entity_set(second, entity, teams.team, &(Team){9, 8}));
    CHECK_INT(walk_count(&teams, query, teams.all), 0);
    cosm_query_destroy(query);
    teams_close(&teams);
}

TEST(a_query_for_a_value_sees_archetypes_that_come_later) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_query *query = teams_query(&teams, teams.team, &(Team){1, 0});
    cosm_entity entity = teams_spawn(&teams, teams.world, 1, 0);
    CHECK_INT(cosm_query_count(query, teams.all), 1);
    cosm_component late = COSM_TAG_DEFINE(teams.engine, Late);
    CHECK_DONE(cosm_entity_add(teams.world, entity, late));
    teams_spawn(&teams, teams.world, 1, 0);
    CHECK_INT(walk_count(&teams, query, teams.all), 2);
    CHECK(cosm_query_matches(query, cosm_entity_archetype(teams.world, entity)));
    cosm_query_destroy(query);
    teams_close(&teams);
}

TEST(queries_with_equal_values_are_one_and_the_same) {
    struct teams teams;
    teams_open(&teams, 1);
    char one[] = "green";
    char two[] = "green";
    cosm_query *a = teams_query(&teams, teams.label, &(Label){one});
    cosm_query *b = teams_query(&teams, teams.label, &(Label){two});
    CHECK(a == b);
    one[0] = 'G';
    cosm_query *c = teams_query(&teams, teams.label, &(Label){one});
    CHECK(a != c);
    cosm_query *d = teams_query(&teams, teams.label, NULL);
    CHECK(a != d && c != d);
    CHECK_INT(atomic_load(&teams.book.copies) - atomic_load(&teams.book.ends), 2);
    cosm_query_destroy(a);
    CHECK_INT(atomic_load(&teams.book.copies) - atomic_load(&teams.book.ends), 2);
    cosm_query_destroy(b);
    CHECK_INT(atomic_load(&teams.book.copies) - atomic_load(&teams.book.ends), 1);
    cosm_query_destroy(c);
    cosm_query_destroy(d);
    teams_close(&teams);
}

TEST(a_term_of_a_shared_component_is_for_reading) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_query *a = query_of(&teams, (cosm_term){.component = teams.team},
                             (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    cosm_query *b =
        query_of(&teams, (cosm_term){.component = teams.team, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK(a == b);
    cosm_query_destroy(a);
    cosm_query_destroy(b);
    teams_close(&teams);
}

static void append(void *context, const char *text, size_t length) {
    char *all = context;
    snprintf(all + strlen(all), 200 - strlen(all), "%.*s", (int)length, text);
}

TEST(text_names_shared_components_and_leaves_out_their_values) {
    struct teams teams;
    teams_open(&teams, 1);
    spawn_mix(&teams, teams.world);
    cosm_query_desc desc = {.by_world = false};
    CHECK_DONE(cosm_query_parse(teams.engine, "Team, !Level, ?mut Label", &desc));
    cosm_query *query = cosm_query_create(teams.engine, &desc);
    CHECK_INT(cosm_query_count(query, teams.all), 6);
    CHECK(desc.terms[0].value == NULL);
    cosm_query *valued = teams_query(&teams, teams.team, &(Team){1, 0});
    char text[200] = "";
    cosm_query_print(valued, append, text);
    CHECK_STR(text, "mut Spot, Team");
    cosm_query_destroy(query);
    cosm_query_destroy(valued);
    teams_close(&teams);
}

TEST(walks_of_many_worlds_show_each_world_its_own_tables) {
    struct teams teams;
    teams_open(&teams, 70);
    for (uint32_t w = 0; w < 70; w += 3) {
        cosm_world world = cosm_batch_world(teams.batch, w);
        for (uint32_t i = 0; i < 10; i++) {
            teams_spawn(&teams, world, (w + i) % 4, (float)w);
        }
    }
    CHECK_INT(walk_count(&teams, teams.spots, teams.all), 24 * 10);
    CHECK_INT(walk_count(&teams, teams.spots, cosm_worlds_range(teams.batch, 1, 7)), 20);
    for (uint32_t color = 0; color < 4; color++) {
        uint32_t expected = 0;
        for (uint32_t w = 0; w < 70; w += 3) {
            expected += teams_count(&teams, cosm_batch_world(teams.batch, w), color);
        }
        cosm_query *query = teams_query(&teams, teams.team, &(Team){color, 0});
        CHECK_INT(walk_count(&teams, query, teams.all), expected);
        cosm_rows rows;
        cosm_query_walk(query, teams.all, &rows);
        uint32_t last = 0;
        while (cosm_rows_next(&rows)) {
            CHECK_INT(COSM_SHARED_READ(&rows, Team, 1)->color, color);
            CHECK_INT(rows.world_count, 1);
            CHECK(rows.world >= last);
            last = rows.world;
            CHECK(COSM_COLUMN_READ(&rows, Spot, 0)[0].x == (float)rows.world);
        }
        cosm_query_destroy(query);
    }
    teams_close(&teams);
}

TEST(a_walk_may_be_ended_in_the_midst_of_tables_of_values) {
    struct teams teams;
    teams_open(&teams, 2);
    for (uint32_t i = 0; i < 40; i++) {
        teams_spawn(&teams, cosm_batch_world(teams.batch, i % 2), i % 8, 0);
    }
    cosm_rows rows;
    cosm_query_walk(teams.spots, teams.all, &rows);
    CHECK(cosm_rows_next(&rows) && cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    cosm_query_walk(teams.spots, cosm_worlds_one(teams.world), &rows);
    CHECK(cosm_rows_next(&rows) && cosm_rows_next(&rows));
    cosm_rows inner; // nested
    cosm_query_walk(teams.spots, cosm_worlds_one(teams.world), &inner);
    uint32_t count = 0;
    while (cosm_rows_next(&inner)) {
        count += inner.count;
    }
    CHECK_INT(count, 20);
    CHECK(cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    CHECK(!cosm_world_is_walked(teams.world));
    teams_close(&teams);
}

TEST(a_whole_query_is_set_to_one_value_in_one_call) {
    struct teams teams;
    teams_open(&teams, 3);
    for (uint32_t w = 0; w < 3; w++) {
        spawn_mix(&teams, cosm_batch_world(teams.batch, w));
    }
    cosm_query *ones = teams_query(&teams, teams.team, &(Team){1, 0});
    CHECK_DONE(cosm_query_set(ones, teams.all, teams.team, &(Team){2, 0}));
    CHECK_INT(cosm_query_count(ones, teams.all), 0);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = cosm_batch_world(teams.batch, w);
        CHECK_INT(teams_count(&teams, world, 0), 6);
        CHECK_INT(teams_count(&teams, world, 2), 12);
        CHECK_INT(cosm_shared_value_count(world, teams.team), 2);
    }
    CHECK_VALID(teams.batch);
    // Also those that lack it, and those that have it already.
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.team, &(Team){2, 0}));
    CHECK_INT(teams_count(&teams, teams.world, 2), 24);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 1);
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.level, &(Level){1}), 6);
    // One world only.
    CHECK_DONE(cosm_query_set(teams.spots, cosm_worlds_range(teams.batch, 1, 1), teams.team,
                              &(Team){5, 5}));
    CHECK_INT(cosm_shared_entity_count(cosm_batch_world(teams.batch, 1), teams.team, &(Team){5, 5}),
              24);
    CHECK_INT(teams_count(&teams, cosm_batch_world(teams.batch, 2), 2), 24);
    cosm_query_destroy(ones);
    teams_close(&teams);
}

TEST(a_column_is_set_for_a_whole_query_in_every_table_of_values) {
    struct teams teams;
    teams_open(&teams, 2);
    spawn_mix(&teams, teams.world);
    spawn_mix(&teams, cosm_batch_world(teams.batch, 1));
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.spot, &(Spot){3, 4}));
    cosm_query *level =
        query_of(&teams, (cosm_term){.component = teams.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_remove(level, teams.all, teams.spot));
    CHECK_INT(cosm_query_count(teams.spots, teams.all), 24);
    CHECK_DONE(cosm_query_set(level, teams.all, teams.spot, &(Spot){5, 6}));
    cosm_rows rows;
    cosm_query_walk(teams.spots, teams.all, &rows);
    while (cosm_rows_next(&rows)) {
        bool is_hero = cosm_rows_shared(&rows, teams.level) != NULL;
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Spot, 0)[i].x == (is_hero ? 5.0f : 3.0f));
        }
    }
    CHECK_INT(cosm_query_count(teams.spots, teams.all), 48);
    cosm_query_destroy(level);
    teams_close(&teams);
}

TEST(tables_of_values_that_meet_by_a_whole_query_are_joined) {
    struct teams teams;
    teams_open(&teams, 1);
    // By level alone they are apart; without it, colors meet.
    cosm_entity all[120];
    for (uint32_t i = 0; i < 120; i++) {
        Team team = {i % 3, 0};
        Level level = {i % 10};
        Spot spot = {(float)i, 0};
        cosm_value values[] = {{teams.team, &team}, {teams.level, &level}, {teams.spot, &spot}};
        all[i] = cosm_entity_spawn_with(teams.world, teams.hero, values, 3);
    }
    cosm_query *heroes =
        query_of(&teams, (cosm_term){.component = teams.level, .access = COSM_ACCESS_WRITE},
                 (cosm_term){.component = {0}}, (cosm_term){.component = {0}});
    CHECK_DONE(cosm_query_remove(heroes, teams.all, teams.level));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.level), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 3);
    for (uint32_t i = 0; i < 120; i++) {
        CHECK_INT(teams_color(teams.world, all[i]), i % 3);
        CHECK(COSM_READ(teams.world, all[i], Spot)->x == (float)i);
    }
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.level));
    CHECK_INT(cosm_shared_entity_count(teams.world, teams.level, &(Level){LEVEL_DEFAULT}), 120);
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.mark));
    CHECK_INT(teams_count(&teams, teams.world, 1), 40);
    cosm_query_destroy(heroes);
    teams_close(&teams);
}

TEST(each_world_makes_room_for_its_own_rows_only) {
    struct teams teams;
    teams_open(&teams, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        cosm_value value = {teams.team, &(Team){w, 0}};
        uint32_t count = w == 1 ? 20000 : 10;
        cosm_world world = cosm_batch_world(teams.batch, w);
        CHECK_DONE(cosm_entity_spawn_many_with(world, teams.player, count, &value, 1, &rows));
    }
    // To one table of each world that is no group, and to groups.
    CHECK_DONE(cosm_query_remove(teams.spots, teams.all, teams.team));
    CHECK(cosm_table_describe(cosm_batch_world(teams.batch, 2), teams.plain).capacity < 2000);
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.team));
    CHECK(cosm_table_describe(cosm_batch_world(teams.batch, 2), teams.player).capacity < 2000);
    CHECK_INT(cosm_query_count(teams.spots, teams.all), 20020);
    teams_close(&teams);
}

TEST(large_tables_of_values_change_hands_as_a_whole) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_rows rows;
    cosm_value value = {teams.team, &(Team){1, 0}};
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, teams.player, 60000, &value, 1, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        COSM_WRITE(&rows, Spot)[i].x = (float)i;
    }
    CHECK_DONE(cosm_query_set(teams.spots, teams.all, teams.team, &(Team){2, 0}));
    CHECK_DONE(cosm_query_add(teams.spots, teams.all, teams.level));
    CHECK_DONE(cosm_query_remove(teams.spots, teams.all, teams.team));
    cosm_query_walk(teams.spots, teams.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 60000);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rows.count; i++) {
        wrong += COSM_COLUMN_READ(&rows, Spot, 0)[i].x != (float)i;
    }
    CHECK_INT(wrong, 0);
    cosm_rows_end(&rows);
    teams_close(&teams);
}

TEST(despawning_what_a_query_finds_takes_just_the_tables_of_its_value) {
    struct teams teams;
    teams_open(&teams, 2);
    spawn_mix(&teams, teams.world);
    spawn_mix(&teams, cosm_batch_world(teams.batch, 1));
    cosm_query *ones = teams_query(&teams, teams.team, &(Team){1, 0});
    CHECK_DONE(cosm_query_despawn(ones, teams.all));
    CHECK_INT(cosm_batch_entity_count(teams.batch), 36);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 2);
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_query_despawn(teams.spots, cosm_worlds_one(teams.world)));
    CHECK_INT(cosm_batch_entity_count(teams.batch), 18);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_INT(cosm_shared_value_count(teams.world, teams.level), 0);
    cosm_query_destroy(ones);
    teams_close(&teams);
}

static uint64_t by_x(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return (uint64_t)((const Spot *)value)->x;
}

static uint64_t by_id(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return UINT32_MAX - entity.id;
}

TEST(tables_are_asked_about_sorted_and_cleared_with_all_their_values) {
    struct teams teams;
    teams_open(&teams, 1);
    for (uint32_t i = 0; i < 50; i++) {
        teams_spawn(&teams, teams.world, i % 5, (float)(i * 37 % 50));
    }
    CHECK_INT(cosm_table_row_count(teams.world, teams.player), 50);
    CHECK(cosm_table_describe(teams.world, teams.player).capacity >= 50);
    CHECK_INT(cosm_table_describe(teams.world, teams.player).chunk_count, 5);
    CHECK_INT(cosm_table_memory(teams.world, teams.player).live, 50 * sizeof(Spot));
    CHECK_INT(cosm_table_column_memory(teams.world, teams.player, teams.spot).live,
              50 * sizeof(Spot));
    CHECK_INT(cosm_table_column_memory(teams.world, teams.player, teams.team).used, 0);
    CHECK_DONE(cosm_table_sort(teams.world, teams.player, teams.spot, by_x, NULL));
    cosm_rows rows;
    cosm_query_walk(teams.spots, teams.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Spot *spot = COSM_COLUMN_READ(&rows, Spot, 0);
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(spot[i - 1].x < spot[i].x);
        }
    }
    CHECK_VALID(teams.batch);
    CHECK_DONE(cosm_table_sort(teams.world, teams.player, (cosm_component){0}, by_id, NULL));
    cosm_query_walk(teams.spots, teams.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(rows.entities[i - 1].id > rows.entities[i].id);
        }
    }
    // Floats of no sign order as their bits do.
    CHECK_DONE(cosm_table_sort_u32(teams.world, teams.player, teams.spot, 0));
    cosm_query_walk(teams.spots, teams.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 1; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Spot, 0)[i - 1].x <
                  COSM_COLUMN_READ(&rows, Spot, 0)[i].x);
        }
    }
    teams_spawn(&teams, teams.world, 1, 0);
    CHECK_DONE(cosm_table_clear(teams.world, teams.player));
    CHECK_INT(cosm_shared_value_count(teams.world, teams.team), 0);
    CHECK_INT(cosm_table_row_count(teams.world, teams.player), 0);
    CHECK_DONE(cosm_table_clear(teams.world, teams.player));
    teams_close(&teams);
}

TEST(a_span_of_a_shared_component_is_one_value_for_all_rows) {
    struct teams teams;
    teams_open(&teams, 1);
    static const cosm_field fields[] = {{.name = "hue", .type = COSM_FIELD_U32, .offset = 0},
                                        {.name = "tone", .type = COSM_FIELD_F32, .offset = 4}};
    typedef struct Paint {
        uint32_t hue;
        float tone;
    } Paint;
    cosm_component paint =
        cosm_component_define(teams.engine, &(cosm_component_desc){.name = "Paint",
                                                                   .size = sizeof(Paint),
                                                                   .fields = fields,
                                                                   .field_count = 2,
                                                                   .storage = COSM_STORAGE_SHARED});
    cosm_archetype wall = cosm_archetype_define(
        teams.engine, &(cosm_archetype_desc){.components = {teams.spot, paint}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, wall, 3,
                                           &(cosm_value){paint, &(Paint){8, 0.5f}}, 1, &rows));
    cosm_span hue = cosm_rows_span(&rows, paint, 0);
    cosm_span tone = cosm_rows_span(&rows, paint, 1);
    REQUIRE(hue.data != NULL && tone.data != NULL);
    CHECK_INT(hue.stride, 0);
    CHECK_INT(*(const uint32_t *)hue.data, 8);
    CHECK(*(const float *)tone.data == 0.5f);
    CHECK(cosm_rows_span(&rows, paint, 2).data == NULL);
    teams_close(&teams);
}

TEST(a_lookup_of_a_column_finds_it_in_tables_of_values) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_entity all[200];
    for (uint32_t i = 0; i < 200; i++) {
        all[i] = teams_spawn(&teams, teams.world, i % 90, (float)i);
    }
    cosm_lookup lookup;
    cosm_lookup_begin(teams.world, teams.spot, &lookup);
    for (uint32_t i = 0; i < 200; i++) {
        const Spot *spot = COSM_LOOKUP_READ(&lookup, Spot, all[i]);
        CHECK(spot != NULL && spot->x == (float)i);
    }
    cosm_column column = cosm_archetype_column(teams.engine, teams.player, teams.spot);
    cosm_loc loc = cosm_entity_loc(teams.world, all[77]);
    CHECK(((const Spot *)cosm_loc_read_unchecked(teams.world, loc, column))->x == 77);
    ((Spot *)cosm_loc_write_unchecked(teams.world, loc, column))->x = 78;
    CHECK(COSM_READ(teams.world, all[77], Spot)->x == 78);
    CHECK_INT(cosm_archetype_column(teams.engine, teams.player, teams.team).index, 0);
    teams_close(&teams);
}

TEST(rows_of_a_table_that_has_ended_show_nothing) {
    struct teams teams;
    teams_open(&teams, 1);
    cosm_rows rows;
    cosm_value value = {teams.team, &(Team){1, 0}};
    CHECK_DONE(cosm_entity_spawn_many_with(teams.world, teams.player, 4, &value, 1, &rows));
    CHECK_DONE(cosm_query_despawn(teams.spots, teams.all));
    CHECK(cosm_rows_shared(&rows, teams.team) == NULL);
    CHECK(cosm_rows_column(&rows, teams.spot) == NULL);
    Team team;
    CHECK(!cosm_rows_get(&rows, 0, teams.team, &team));
    // Another archetype takes the number of the table.
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(teams.world, teams.hero)));
    CHECK(cosm_rows_shared(&rows, teams.team) == NULL);
    CHECK(cosm_rows_column(&rows, teams.spot) == NULL);
    teams_close(&teams);
}
