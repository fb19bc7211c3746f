// Queries: terms, matching, walks and what they lock (cosm/query.h). Changes of all rows that
// match are in query_bulk.c.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

static cosm_query *make_query(const struct fixture *box, cosm_query_desc desc) {
    cosm_query *query = cosm_query_create(box->engine, &desc);
    CHECK(query != NULL);
    return query;
}

TEST(a_zeroed_desc_matches_every_row_of_every_table) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_query *query = make_query(&box, (cosm_query_desc){.by_world = false});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.slot, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.event, 4, &rows));
    CHECK_INT(cosm_query_archetype_count(query), 4);
    CHECK_INT(cosm_query_count(query, box.all), 9);
    CHECK_INT(cosm_query_count(query, cosm_worlds_one(box.world)), 3);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(with_and_without_choose_archetypes) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.position, .kind = COSM_TERM_WITH},
                                          {.component = box.health, .kind = COSM_TERM_WITHOUT}}});
    CHECK_INT(cosm_query_archetype_count(query), 2);
    CHECK(cosm_query_matches(query, box.mover));
    CHECK(cosm_query_matches(query, box.stone));
    CHECK(!cosm_query_matches(query, box.slot));
    CHECK(!cosm_query_matches(query, box.event));
    CHECK(!cosm_query_matches(query, (cosm_archetype){0}));
    CHECK(!cosm_query_matches(query, (cosm_archetype){999}));
    CHECK(!cosm_query_matches(NULL, box.mover));
    CHECK_INT(cosm_query_archetype_count(NULL), 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(any_of_wants_one_of_each_group) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_term_kind any = COSM_TERM_ANY_OF;
    cosm_query *one = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.velocity, .kind = any, .group = 5},
                                          {.component = box.health, .kind = any, .group = 5}}});
    CHECK(cosm_query_matches(one, box.mover));
    CHECK(cosm_query_matches(one, box.slot));
    CHECK(cosm_query_matches(one, box.event));
    CHECK(!cosm_query_matches(one, box.stone));
    cosm_query *two = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.velocity, .kind = any},
                                          {.component = box.health, .kind = any},
                                          {.component = box.position, .kind = any, .group = 31},
                                          {.component = box.mark, .kind = any, .group = 31}}});
    CHECK(cosm_query_matches(two, box.mover));
    CHECK(cosm_query_matches(two, box.slot));
    CHECK(!cosm_query_matches(two, box.event));
    CHECK(!cosm_query_matches(two, box.stone));
    cosm_query_destroy(one);
    cosm_query_destroy(two);
    fixture_close(&box);
}

TEST(a_bundle_among_alternatives_stands_for_all_its_members) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component body = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "body", .components = {box.position, box.velocity}});
    cosm_query *query = make_query(
        &box, (cosm_query_desc){
                  .terms = {{.component = body, .kind = COSM_TERM_ANY_OF, .group = 3},
                            {.component = box.mark, .kind = COSM_TERM_ANY_OF, .group = 3}}});
    CHECK(cosm_query_matches(query, box.mover));
    CHECK(cosm_query_matches(query, box.stone));
    CHECK(!cosm_query_matches(query, box.slot));
    CHECK(!cosm_query_matches(query, box.event));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_bundle_is_a_condition_on_all_its_members) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component body = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "body", .components = {box.position, box.velocity}});
    cosm_query *with = make_query(
        &box, (cosm_query_desc){.terms = {{.component = body, .access = COSM_ACCESS_WRITE}}});
    cosm_query *without = make_query(
        &box, (cosm_query_desc){.terms = {{.component = body, .kind = COSM_TERM_WITHOUT}}});
    CHECK(cosm_query_matches(with, box.mover));
    CHECK(!cosm_query_matches(with, box.slot));
    CHECK(!cosm_query_matches(without, box.mover));
    CHECK(!cosm_query_matches(without, box.slot));
    CHECK(cosm_query_matches(without, box.event));
    fixture_spawn(&box, 0);
    cosm_rows rows;
    cosm_query_walk(with, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK(COSM_COLUMN_READ(&rows, Position, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ:", "'body'", "name a component");
    cosm_rows_end(&rows);
    cosm_query_destroy(with);
    cosm_query_destroy(without);
    fixture_close(&box);
}

TEST(an_optional_column_is_null_where_it_is_absent) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 1);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    cosm_query *query = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                          {.component = box.health, .kind = COSM_TERM_OPTIONAL}}});
    cosm_rows rows;
    uint32_t with = 0;
    uint32_t absent = 0;
    cosm_error_clear();
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Health *health = COSM_COLUMN_READ(&rows, Health, 1);
        CHECK(COSM_COLUMN_WRITE(&rows, Position, 0) != NULL);
        CHECK(health == NULL || health->points == 100);
        *(health == NULL ? &absent : &with) += rows.count;
    }
    CHECK_SILENT();
    CHECK_INT(with, 1);
    CHECK_INT(absent, 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_query_does_not_depend_on_the_desc_it_was_made_from) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query_desc desc = {.terms = {{.component = box.velocity, .access = COSM_ACCESS_WRITE}}};
    cosm_query *query = cosm_query_create(box.engine, &desc);
    memset(&desc, 0xFF, sizeof(desc));
    fixture_spawn(&box, 0);
    CHECK_INT(cosm_query_count(query, box.all), 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(queries_of_equal_terms_are_one_and_are_counted) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *a = fixture_query(&box, box.position, box.velocity);
    cosm_query *b = fixture_query(&box, box.position, box.velocity);
    cosm_query *c = fixture_query(&box, box.velocity, box.position);
    cosm_query *d = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                          {.component = box.velocity, .access = COSM_ACCESS_WRITE}},
                                .by_world = true});
    CHECK(a == b);
    CHECK(a != c && a != d && c != d);
    cosm_query_destroy(a);
    CHECK_INT(cosm_query_archetype_count(b), 1);
    cosm_query_destroy(b);
    cosm_query_destroy(c);
    cosm_query_destroy(d);
    cosm_query_destroy(NULL);
    fixture_close(&box);
}

TEST(a_query_sees_archetypes_that_come_later) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    CHECK_INT(cosm_query_archetype_count(query), 2);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK_INT(cosm_query_archetype_count(query), 3);
    CHECK_INT(cosm_query_count(query, box.all), 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// The archetypes in the order in which a walk of everything shows them.
static uint32_t visit_order(const struct fixture *box, cosm_query *query, uint32_t *out_tags) {
    uint32_t count = 0;
    cosm_rows rows;
    cosm_query_walk(query, box->all, &rows);
    while (cosm_rows_next(&rows) && count < 16) {
        uint32_t tags = 0;
        tags |= cosm_archetype_has(box->engine, rows.archetype, box->position) ? 1u : 0;
        tags |= cosm_archetype_has(box->engine, rows.archetype, box->velocity) ? 2u : 0;
        tags |= cosm_archetype_has(box->engine, rows.archetype, box->health) ? 4u : 0;
        tags |= cosm_archetype_has(box->engine, rows.archetype, box->mark) ? 8u : 0;
        tags |= cosm_archetype_describe(box->engine, rows.archetype).is_temporary ? 16u : 0;
        out_tags[count++] = tags;
    }
    cosm_rows_end(&rows);
    return count;
}

TEST(tables_are_visited_in_the_order_of_their_components_however_they_came_to_be) {
    const uint32_t sets[] = {4, 2, 6, 10, 12, 14, 8, 0};
    uint32_t orders[2][16];
    uint32_t counts[2];
    for (int turn = 0; turn < 2; turn++) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        cosm_query *early = make_query(&box, (cosm_query_desc){.by_world = false});
        for (int i = 0; i < 8; i++) {
            uint32_t set = sets[turn == 0 ? i : 7 - i];
            cosm_component all[] = {box.position, box.velocity, box.health, box.mark};
            cosm_archetype_desc desc = {.name = NULL};
            uint32_t length = 0;
            for (uint32_t c = 0; c < 4; c++) {
                if ((set >> c & 1) != 0) {
                    desc.components[length++] = all[c];
                }
            }
            cosm_archetype archetype = cosm_archetype_define(box.engine, &desc);
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, archetype)));
        }
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 1, &rows));
        counts[turn] = visit_order(&box, early, orders[turn]);
        cosm_query_destroy(early);
        fixture_close(&box);
    }
    CHECK_INT(counts[0], 9);
    CHECK_INT(counts[1], 9);
    CHECK_MEM(orders[0], orders[1], 9 * sizeof(uint32_t));
    CHECK_INT(orders[0][0], 0);
    CHECK_INT(orders[0][8], 8);
}

TEST(the_lasting_table_of_a_set_comes_before_the_temporary_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype lasting =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.health}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, lasting, 2, &rows));
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    uint32_t tags[16];
    CHECK_INT(visit_order(&box, query, tags), 2);
    CHECK_INT(tags[0], 4);
    CHECK_INT(tags[1], 20);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_run_crosses_worlds_that_are_full_and_takes_the_partly_filled_one_with_it) {
    struct fixture box;
    fixture_open(&box, 0, 8);
    const uint32_t counts[] = {4, 4, 4, 2, 0, 1, 4, 4};
    cosm_rows rows;
    for (uint32_t w = 0; w < 8; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, counts[w], &rows));
    }
    cosm_query *query = fixture_query(&box, box.health, box.position);
    const struct {
        uint32_t world;
        uint32_t world_count;
        uint32_t count;
    } runs[] = {{0, 4, 14}, {5, 1, 1}, {6, 2, 8}};
    uint32_t i = 0;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows) && i < 3) {
        CHECK_INT(rows.world, runs[i].world);
        CHECK_INT(rows.world_count, runs[i].world_count);
        CHECK_INT(rows.count, runs[i].count);
        for (uint32_t r = 0; r < rows.count; r++) {
            cosm_world world = cosm_rows_world(&rows, r);
            CHECK_INT(world.index, runs[i].world + r / 4);
            CHECK(cosm_entity_read(world, rows.entities[r], box.health) ==
                  (const void *)(COSM_COLUMN_READ(&rows, Health, 0) + r));
        }
        CHECK(cosm_rows_column(&rows, box.position) == rows.columns[1]);
        CHECK(cosm_rows_column_read(&rows, box.position) == rows.columns[1]);
        i++;
    }
    CHECK_INT(i, 3);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Runs that a plain loop over the worlds would make of fixed tables with these counts.
static uint32_t expected_runs(const uint32_t *counts, uint32_t worlds, uint32_t *out_counts) {
    uint32_t runs = 0;
    bool goes_on = false;
    for (uint32_t w = 0; w < worlds; w++) {
        if (counts[w] > 0 && !goes_on) {
            out_counts[runs++] = 0;
        }
        out_counts[runs == 0 ? 0 : runs - 1] += counts[w];
        goes_on = counts[w] == 4;
    }
    return runs;
}

TEST(runs_over_many_worlds_are_as_long_as_memory_is_contiguous) {
    struct dice dice = {harness_seed()};
    enum { WORLDS = 100 };
    struct fixture box;
    fixture_open(&box, 0, WORLDS);
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    for (uint32_t round = 0; round < 40; round++) {
        CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        uint32_t counts[WORLDS];
        cosm_rows rows;
        for (uint32_t w = 0; w < WORLDS; w++) {
            // Mostly full, so that runs are long; all full in the first round.
            counts[w] = round == 0 || dice_roll(&dice, round) > 0 ? 4 : dice_roll(&dice, 5);
            CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, counts[w], &rows));
        }
        uint32_t expected[WORLDS + 1] = {0};
        uint32_t run_count = expected_runs(counts, WORLDS, expected);
        uint32_t runs = 0;
        cosm_query_walk(query, box.all, &rows);
        while (cosm_rows_next(&rows)) {
            CHECK(runs < run_count && rows.count == expected[runs]);
            runs++;
        }
        CHECK_INT(runs, run_count);
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_query_by_world_never_crosses) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
    }
    cosm_query *query = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.health, .access = COSM_ACCESS_WRITE}},
                                .by_world = true});
    uint32_t runs = 0;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK_INT(rows.count, 4);
        CHECK_INT(rows.world, runs);
        CHECK_INT(rows.world_count, 1);
        runs++;
    }
    CHECK_INT(runs, 3);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_walk_of_some_worlds_shows_those_only) {
    struct fixture box;
    fixture_open(&box, 0, 6);
    cosm_rows rows;
    for (uint32_t w = 0; w < 6; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, w, &rows));
    }
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_worlds range = cosm_worlds_range(box.batch, 2, 3);
    CHECK_INT(cosm_query_count(query, range), 12 + 2 + 3 + 4);
    uint32_t seen = 0;
    cosm_query_walk(query, range, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t r = 0; r < rows.count; r++) {
            uint32_t world = cosm_rows_world(&rows, r).index;
            CHECK(world >= 2 && world < 5);
            seen++;
        }
    }
    CHECK_INT(seen, 21);
    CHECK_INT(cosm_query_count(query, cosm_worlds_range(box.batch, 6, 0)), 0);
    cosm_query_walk(query, cosm_worlds_range(box.batch, 3, 0), &rows);
    CHECK(!cosm_rows_next(&rows));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_walk_locks_the_worlds_that_it_walks_and_no_others) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, w), box.mover)));
    }
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows one;
    cosm_query_walk(query, cosm_worlds_one(fixture_world(&box, 1)), &one);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(cosm_world_is_walked(fixture_world(&box, w)) == (w == 1));
    }
    cosm_rows several;
    cosm_query_walk(query, cosm_worlds_range(box.batch, 0, 2), &several);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(cosm_world_is_walked(fixture_world(&box, w)) == (w < 2));
    }
    cosm_rows_end(&several);
    CHECK(cosm_world_is_walked(fixture_world(&box, 1)));
    CHECK(!cosm_world_is_walked(fixture_world(&box, 0)));
    cosm_rows_end(&one);
    cosm_rows_end(&one);
    CHECK(!cosm_world_is_walked(fixture_world(&box, 1)));
    CHECK_INT(one.count, 0);
    CHECK(!cosm_rows_next(&one));
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Ranges of many worlds are counted by blocks: every border of a range must still be exact.
TEST(a_walk_of_a_range_locks_exactly_that_range) {
    enum { WORLDS = 300 };
    static const uint32_t borders[] = {0, 1, 63, 64, 65, 127, 128, 191, 200, 256, 299, 300};
    const uint32_t border_count = sizeof(borders) / sizeof(borders[0]);
    struct fixture box;
    fixture_open(&box, 0, WORLDS);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    for (uint32_t a = 0; a < border_count; a++) {
        for (uint32_t b = a; b < border_count; b++) {
            cosm_rows rows;
            cosm_query_walk(
                query, cosm_worlds_range(box.batch, borders[a], borders[b] - borders[a]), &rows);
            for (uint32_t w = 0; w < WORLDS; w++) {
                bool inside = w >= borders[a] && w < borders[b];
                CHECK(cosm_world_is_walked(fixture_world(&box, w)) == inside);
            }
            cosm_rows_end(&rows);
            for (uint32_t w = 0; w < WORLDS; w++) {
                CHECK(!cosm_world_is_walked(fixture_world(&box, w)));
            }
        }
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_zero_in_the_middle_of_the_terms_is_reported) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(cosm_query_create(box.engine,
                            &(cosm_query_desc){.terms = {{.component = {0}},
                                                         {.component = box.position,
                                                          .access = COSM_ACCESS_WRITE}}}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", "terms[1]", "[0]");
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, {0}, box.velocity}});
    CHECK_INT(archetype.id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc.components[2]", "[1]");
    fixture_close(&box);
}

TEST(walks_nest) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (int i = 0; i < 10; i++) {
        fixture_spawn(&box, (float)i);
        CHECK(i >= 4 || !cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    }
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows outer;
    uint32_t pairs = 0;
    cosm_query_walk(query, box.all, &outer);
    while (cosm_rows_next(&outer)) {
        cosm_rows inner;
        cosm_query_walk(query, box.all, &inner);
        while (cosm_rows_next(&inner)) {
            pairs += outer.count * inner.count;
        }
        CHECK(cosm_world_is_walked(box.world));
    }
    CHECK_INT(pairs, 14 * 14);
    CHECK(!cosm_world_is_walked(box.world));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(the_first_match_is_an_entity_and_its_world) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    cosm_world where = {NULL, 77};
    CHECK(cosm_entity_is_none(cosm_query_first(query, box.all, &where)));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 2, &rows));
    CHECK(cosm_entity_is_none(cosm_query_first(query, box.all, NULL)));
    cosm_entity entity = cosm_entity_spawn(fixture_world(&box, 2), box.slot);
    CHECK(cosm_entity_equals(cosm_query_first(query, box.all, &where), entity));
    CHECK_INT(where.index, 2);
    CHECK(where.batch == box.batch);
    CHECK(cosm_entity_is_none(cosm_query_first(query, cosm_worlds_range(box.batch, 0, 2), NULL)));
    CHECK(!cosm_world_is_walked(fixture_world(&box, 2)));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_wrong_column_is_reported_and_null) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    cosm_query *query = make_query(
        &box, (cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                          {.component = box.velocity, .kind = COSM_TERM_WITH}}});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK(cosm_rows_column(&rows, box.health) == NULL);
    CHECK(COSM_COLUMN_READ(&rows, Position, 2) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ:", "index 2", "the query has 2 terms");
    CHECK(COSM_COLUMN_WRITE(&rows, Position, 0xFFFFFFFF) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_WRITE:", "index 4294967295", "2 terms");
    CHECK(COSM_COLUMN_READ(&rows, Health, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "COSM_COLUMN_READ:", "term 0, component 'Position', holds type 'Position'",
                  "the call requests 'Health'; use the right one");
    CHECK(COSM_COLUMN_WRITE(&rows, Velocity, 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_WRITE:", "'Velocity', is only read",
                  "write 'mut Velocity' in the query");
    CHECK(cosm_rows_read(&rows, 0, 4) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ:", "'Position' has 12 bytes",
                  "use the type it was defined with");
    CHECK_INT(rows.count, 0);
    CHECK(COSM_COLUMN_READ(&rows, Velocity, 1) != NULL);
    cosm_rows_end(&rows);
    CHECK(cosm_rows_column(&rows, box.position) == NULL);
    CHECK(cosm_rows_column(NULL, box.position) == NULL);
    CHECK(!cosm_rows_next(NULL));
    cosm_rows_end(NULL);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_query_that_makes_no_sense_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component body = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "body", .components = {box.position}});
    CHECK(cosm_query_create(NULL, &(cosm_query_desc){.by_world = true}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", "engine is NULL", "pass both");
    CHECK(cosm_query_create(box.engine, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", "desc is NULL", "pass both");
    const cosm_term bad[] = {
        {.component = {999}},
        {.component = box.position, .kind = (cosm_term_kind)4, .group = 0},
        {.component = box.position, .kind = COSM_TERM_WITH, .access = (cosm_access)3, .group = 0},
        {.component = box.position, .kind = COSM_TERM_ANY_OF, .group = 32},
        {.component = body, .kind = COSM_TERM_OPTIONAL, .group = 0},
    };
    const char *values[] = {"component 999", "kind 4", "access 3", "group 32", "'body'"};
    const char *remedies[] = {"cosm_component_define", "cosm_term_kind", "cosm_access",
                              "groups 0 to 31", "list the members"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        cosm_query_desc desc = {
            .terms = {{.component = box.mark, .access = COSM_ACCESS_WRITE}, bad[i]}};
        CHECK(cosm_query_create(box.engine, &desc) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", values[i], remedies[i]);
    }
    fixture_close(&box);
}

TEST(a_walk_that_cannot_begin_is_empty) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct fixture other;
    fixture_open(&other, 0, 1);
    fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, (cosm_worlds){NULL, 0, 0}, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_walk:", "worlds.batch is NULL", "pass worlds");
    CHECK(!cosm_rows_next(&rows));
    CHECK(COSM_COLUMN_READ(&rows, Position, 0) == NULL);
    CHECK(cosm_rows_world(&rows, 0).batch == NULL);
    cosm_query_walk(query, (cosm_worlds){box.batch, 0, 2}, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_walk:", "2 worlds from world 0",
                  "the batch has 1");
    CHECK(!cosm_rows_next(&rows));
    cosm_query_walk(NULL, box.all, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_walk:", "query is NULL", "cosm_query_create");
    CHECK(!cosm_rows_next(&rows));
    cosm_query_walk(query, other.all, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_walk:", "another engine", "create it from");
    CHECK(!cosm_rows_next(&rows));
    cosm_query_walk(query, box.all, NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_walk:", "out_rows is NULL", "cosm_rows");
    CHECK(!cosm_world_is_walked(box.world));
    CHECK_INT(cosm_query_count(NULL, box.all), 0);
    CHECK(cosm_entity_is_none(cosm_query_first(NULL, box.all, NULL)));
    cosm_query_destroy(query);
    fixture_close(&other);
    fixture_close(&box);
}

TEST(queries_come_and_go_in_any_order_and_each_still_finds_its_own) {
    enum { COUNT = 60 };
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component components[COUNT];
    cosm_query *queries[COUNT] = {NULL};
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "own %u", i);
        components[i] = cosm_component_define(box.engine, &(cosm_component_desc){.name = name});
        cosm_entity entity = fixture_spawn(&box, 1);
        CHECK_DONE(cosm_entity_add(box.world, entity, components[i]));
    }
    struct dice dice = {7};
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t i = dice_roll(&dice, COUNT);
        if (queries[i] == NULL) {
            queries[i] = cosm_query_create(
                box.engine, &(cosm_query_desc){.terms = {{.component = components[i]}}});
            CHECK_INT(cosm_query_count(queries[i], box.all), 1);
        } else {
            cosm_query_destroy(queries[i]);
            queries[i] = NULL;
        }
    }
    // All that are left are told of an archetype that is new.
    cosm_entity all = fixture_spawn(&box, 2);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_DONE(cosm_entity_add(box.world, all, components[i]));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (queries[i] != NULL) {
            CHECK_INT(cosm_query_count(queries[i], box.all), 2);
            cosm_query_destroy(queries[i]);
        }
    }
    fixture_close(&box);
}
