// Sector terms of queries: which rows match, how walks are cut, and whole-query changes.
#include <string.h>

#include "harness.h"
#include "support/hearth.h"

#define TERM_MAX 6u

// The worlds that the tests below look at: things, pots and stones, some of which have something
// beside, in a pattern that follows from their number.
static void furnish(struct hearth *h) {
    for (uint32_t w = 0; w < h->all.count; w++) {
        cosm_world world = hearth_world(h, w);
        for (uint32_t i = 0; i < 60; i++) {
            cosm_entity e =
                i < 8    ? cosm_entity_spawn(world, h->pot)
                : i < 40 ? hearth_spawn(h, world, (float)i)
                         : cosm_entity_spawn_with(world, h->stone,
                                                  &(cosm_value){h->team, &(uint32_t){i % 3}}, 1);
            uint32_t bits = (i * 7 + w * 3) / 2 % 16;
            CHECK_DONE(cosm_entity_set(world, e, h->spot, &(Spot){(float)i, (float)bits}));
            if ((bits & 1) != 0) {
                hearth_heat(h, world, e, (float)i);
            }
            if ((bits & 2) != 0) {
                CHECK_DONE(cosm_entity_set(world, e, h->smoke, &(Smoke){(double)i}));
            }
            if ((bits & 4) != 0) {
                CHECK_DONE(cosm_entity_add(world, e, h->wet));
            }
            if ((bits & 8) != 0) {
                hearth_ember(h, world, e, i);
            }
        }
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_DONE(cosm_table_clear(world, h->event));
        }
    }
}

// Does the entity meet the terms? By asking for each of them.
static bool meets(const struct hearth *h, cosm_world world, cosm_entity e,
                  const cosm_query_desc *desc) {
    uint32_t wanted = 0;
    uint32_t found = 0;
    for (uint32_t t = 0; t < TERM_MAX && desc->terms[t].component.id != 0; t++) {
        const cosm_term *term = &desc->terms[t];
        bool has = cosm_entity_has(world, e, term->component);
        if (term->component.id == h->hot.id && term->kind == COSM_TERM_WITHOUT) {
            has = cosm_entity_has(world, e, h->heat) || cosm_entity_has(world, e, h->wet) ||
                  cosm_entity_has(world, e, h->mark);
        }
        if (term->value != NULL) {
            const uint32_t *team = READ_BY_ID(world, e, uint32_t, h->team);
            has = team != NULL && *team == *(const uint32_t *)term->value;
        }
        if ((term->kind == COSM_TERM_WITH && !has) || (term->kind == COSM_TERM_WITHOUT && has)) {
            return false;
        }
        wanted |= term->kind == COSM_TERM_ANY_OF ? 1u << term->group : 0;
        found |= term->kind == COSM_TERM_ANY_OF && has ? 1u << term->group : 0;
    }
    return wanted == found;
}

// What a run shows of its terms is what the entity has.
static void check_rows(const struct hearth *h, const cosm_rows *rows, const cosm_query_desc *desc) {
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity e = rows->entities[i];
        CHECK(meets(h, world, e, desc));
        cosm_loc loc = cosm_entity_loc(world, e);
        CHECK_INT(loc.row, rows->row + i);
        for (uint32_t t = 0; t < TERM_MAX && desc->terms[t].component.id != 0; t++) {
            const cosm_term *term = &desc->terms[t];
            if (term->component.id == h->heat.id && term->kind != COSM_TERM_WITHOUT) {
                const Heat *heat = COSM_SECTOR_READ(rows, Heat, t, i);
                CHECK(heat == cosm_entity_read(world, e, h->heat));
                CHECK(heat == NULL || heat->degrees == READ_BY_ID(world, e, Spot, h->spot)->x);
            }
            if (term->component.id == h->spot.id) {
                CHECK(&COSM_COLUMN_READ(rows, Spot, t)[i] == cosm_entity_read(world, e, h->spot));
            }
        }
    }
}

// Walks a query over some worlds, and checks that every entity that meets it is met once, in the
// order of its table, and none else.
static void check_query(const struct hearth *h, cosm_worlds worlds, const cosm_query_desc *desc) {
    cosm_query *query = cosm_query_create(h->engine, desc);
    REQUIRE(query != NULL);
    uint32_t expected = 0;
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        for (uint32_t id = 0; id < 60; id++) {
            expected += meets(h, hearth_world(h, w), (cosm_entity){1, id}, desc);
        }
    }
    CHECK_INT(cosm_query_count(query, worlds), expected);
    static uint8_t seen[8][64];
    memset(seen, 0, sizeof(seen));
    cosm_rows rows;
    uint32_t count = 0;
    uint32_t last_end = 0;
    uint32_t last_world = UINT32_MAX;
    cosm_loc last = COSM_LOC_NONE;
    cosm_entity first = COSM_ENTITY_NONE;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK(rows.count > 0);
        CHECK_INT(rows.world_count, 1);
        cosm_loc loc = cosm_entity_loc(cosm_rows_world(&rows, 0), rows.entities[0]);
        if (loc.table == last.table && rows.world == last_world) {
            CHECK(rows.row > last_end); // else it would have been one run
        }
        last = loc;
        last_world = rows.world;
        last_end = rows.row + rows.count;
        check_rows(h, &rows, desc);
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK_INT(seen[rows.world][rows.entities[i].id]++, 0);
        }
        first = count == 0 ? rows.entities[0] : first;
        count += rows.count;
    }
    CHECK_INT(count, expected);
    cosm_world world;
    CHECK(cosm_entity_equals(cosm_query_first(query, worlds, &world), first));
    cosm_query_destroy(query);
}

TEST(sector_terms_choose_rows_alone_and_mixed_with_columns_bundles_and_shared_values) {
    struct hearth h;
    hearth_open(&h, 3);
    furnish(&h);
    uint32_t team = 1;
    cosm_component dry =
        cosm_bundle_define(h.engine, &(cosm_bundle_desc){.name = "Dry", .components = {h.wet}});
    cosm_component fire = cosm_bundle_define(
        h.engine, &(cosm_bundle_desc){.name = "Fire", .components = {h.heat, h.smoke}});
    cosm_query_desc descs[] = {
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                   {.component = h.smoke, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                   {.component = h.smoke, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                   {.component = h.ember, .access = COSM_ACCESS_WRITE},
                   {.component = h.wet, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                   {.component = h.ember, .kind = COSM_TERM_WITHOUT},
                   {.component = h.mark, .access = COSM_ACCESS_WRITE},
                   {.component = h.wet, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = h.kiln, .access = COSM_ACCESS_WRITE}}}, // nobody has it
        {.terms = {{.component = h.kiln, .kind = COSM_TERM_WITHOUT},
                   {.component = h.spot, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.hot, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.hot, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.wet, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.ember,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_ANY_OF,
                    .group = 5},
                   {.component = h.wet,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_ANY_OF,
                    .group = 5}}},
        {.terms = {{.component = h.kiln, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = dry, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = h.hot, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = fire, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = h.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.team, .access = COSM_ACCESS_WRITE, .value = &team},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.team, .access = COSM_ACCESS_WRITE, .value = &team},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = h.team, .access = COSM_ACCESS_WRITE},
                   {.component = h.wet, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                   {.component = h.hot, .kind = COSM_TERM_WITHOUT}}},
    };
    for (uint32_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
        check_query(&h, h.all, &descs[i]);
        check_query(&h, cosm_worlds_range(h.batch, 1, 2), &descs[i]);
        check_query(&h, cosm_worlds_one(hearth_world(&h, 2)), &descs[i]);
    }
    hearth_close(&h);
}

TEST(rows_of_full_fixed_worlds_are_not_joined_by_a_sector_query) {
    struct hearth h;
    hearth_open(&h, 4);
    for (uint32_t w = 0; w < 4; w++) {
        for (uint32_t i = 0; i < 8; i++) {
            cosm_entity e = cosm_entity_spawn(hearth_world(&h, w), h.pot);
            CHECK_DONE(
                cosm_entity_set(hearth_world(&h, w), e, h.spot, &(Spot){(float)(w * 8 + i), 0}));
            if (w != 1 && i != 3) {
                hearth_heat(&h, hearth_world(&h, w), e, (float)(w * 8 + i));
            }
        }
    }
    cosm_query_desc desc = {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                                      {.component = h.heat, .access = COSM_ACCESS_WRITE}}};
    check_query(&h, h.all, &desc);
    desc.terms[1].kind = COSM_TERM_OPTIONAL;
    check_query(&h, h.all, &desc);
    hearth_close(&h);
}

TEST(temporary_rows_have_nothing_beside) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e = hearth_spawn(&h, h.world, 0);
    hearth_heat(&h, h.world, e, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(h.world, h.event, 5, &rows));
    cosm_query_desc descs[] = {
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = h.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = h.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
    };
    uint32_t counts[] = {1, 5, 6, 1};
    cosm_query *queries[4];
    for (uint32_t i = 0; i < 4; i++) {
        queries[i] = cosm_query_create(h.engine, &descs[i]);
        CHECK_INT(cosm_query_count(queries[i], h.all), counts[i]);
    }
    cosm_query_walk(queries[2], h.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK((rows.entities == NULL) == (rows.count == 5));
        CHECK((COSM_SECTOR_READ(&rows, Heat, 1, 0) == NULL) == (rows.entities == NULL));
    }
    // Changes of all: what rows without a handle cannot have is refused, the rest is done.
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_query_add(queries[2], h.all, h.wet), COSM_ERROR_ARGUMENT, "cosm_query_add",
                "event", "leave");
    CHECK_INT(cosm_query_add(queries[1], h.all, h.mark), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_set(queries[2], h.all, h.spot, &(Spot){7, 8}));
    CHECK(READ_BY_ID(h.world, e, Spot, h.spot)->x == 7);
    cosm_query_walk(queries[1], h.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Spot, 0)[i].y == 8);
        }
    }
    CHECK_DONE(cosm_query_remove(queries[2], h.all, h.heat));
    CHECK_INT(cosm_query_count(queries[0], h.all), 0);
    CHECK_DONE(cosm_query_despawn(queries[1], h.all));
    CHECK_INT(cosm_query_count(queries[2], h.all), 0);
    cosm_error_clear();
    CHECK_FAILS(cosm_entity_spawn_many_with(h.world, h.event, 1, &(cosm_value){h.heat, &(Heat){1}},
                                            1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "Heat", "spawn in");
    for (uint32_t i = 0; i < 4; i++) {
        cosm_query_destroy(queries[i]);
    }
    hearth_close(&h);
}

TEST(the_macros_say_what_is_wrong) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e = hearth_spawn(&h, h.world, 0);
    hearth_heat(&h, h.world, e, 1);
    CHECK_DONE(cosm_entity_add(h.world, e, h.wet));
    cosm_query *query = cosm_query_create(
        h.engine, &(cosm_query_desc){.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                                               {.component = h.heat},
                                               {.component = h.wet, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    cosm_query_walk(query, h.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_error_clear();
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 0) != NULL);
    CHECK_SILENT();
    CHECK(COSM_SECTOR_WRITE(&rows, Heat, 1, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_WRITE", "Heat", "COSM_ACCESS_WRITE");
    CHECK(COSM_SECTOR_READ(&rows, Smoke, 1, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Heat", "8");
    CHECK(COSM_SECTOR_READ(&rows, Spot, 0, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Spot", "COSM_COLUMN_READ");
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "row 1 of 1", "rows->count");
    CHECK(COSM_SECTOR_READ(&rows, Heat, 3, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "term 3 of 3", "query");
    CHECK(COSM_SECTOR_READ(&rows, char, 2, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Wet", "1");
    // By row, whatever the storage.
    Heat heat;
    CHECK(cosm_rows_get(&rows, 0, h.heat, &heat) && heat.degrees == 1);
    CHECK(!cosm_rows_get(&rows, 0, h.smoke, &heat));
    CHECK(!cosm_rows_get(&rows, 0, h.wet, &heat));
    CHECK(!cosm_rows_get(&rows, 1, h.heat, &heat));
    CHECK_FAILS(cosm_rows_set(&rows, 0, h.heat, &heat), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "Heat", "COSM_ACCESS_WRITE");
    CHECK_FAILS(cosm_rows_set(&rows, 0, h.kiln, &heat), COSM_ERROR_ARGUMENT, "cosm_rows_set", "no",
                "rows->count");
    CHECK(cosm_rows_column(&rows, h.heat) == NULL);
    // A walk that is under way refuses what would change the structure, and nothing else.
    CHECK_INT(cosm_entity_add(h.world, e, h.smoke), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_remove(h.world, e, h.heat), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_set(h.world, e, h.smoke, &(Smoke){1}), COSM_ERROR_WALKED);
    CHECK_INT(cosm_sector_maintain(h.world, NULL, NULL), COSM_ERROR_WALKED);
    CHECK_DONE(cosm_entity_set(h.world, e, h.heat, &(Heat){5}));
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 0)->degrees == 5);
    // Last, because it empties the rows.
    CHECK(COSM_COLUMN_READ(&rows, Heat, 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ", "Heat", "COSM_SECTOR_READ");
    CHECK(COSM_COLUMN_WRITE(&rows, char, 2) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_WRITE", "Wet", "COSM_SECTOR_READ");
    CHECK_INT(rows.count, 0);
    cosm_rows_end(&rows);
    CHECK_INT(cosm_query_archetype_count(query), 3); // thing, pot, stone: rows tell the rest
    CHECK(cosm_query_matches(query, h.pot));
    CHECK(!cosm_query_matches(query, h.event));
    cosm_query_destroy(query);
    hearth_close(&h);
}

TEST(rows_write_sector_components_by_macro_and_by_value) {
    struct hearth h;
    hearth_open(&h, 2);
    furnish(&h);
    cosm_query *query = cosm_query_create(
        h.engine,
        &(cosm_query_desc){
            .terms = {
                {.component = h.heat, .access = COSM_ACCESS_WRITE},
                {.component = h.smoke, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
                {.component = h.ember, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}});
    cosm_rows rows;
    cosm_query_walk(query, h.all, &rows);
    int alive = atomic_load(&h.book.alive);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            COSM_SECTOR_WRITE(&rows, Heat, 0, i)->degrees += 1000;
            if (COSM_SECTOR_READ(&rows, Smoke, 1, i) != NULL) {
                CHECK_DONE(cosm_rows_set(&rows, i, h.smoke, &(Smoke){5}));
            }
            if (COSM_SECTOR_READ(&rows, Ember, 2, i) != NULL) {
                uint32_t number = 77;
                CHECK_DONE(cosm_rows_set(&rows, i, h.ember, &(Ember){&number}));
            }
        }
    }
    CHECK_INT(atomic_load(&h.book.alive), alive);
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t id = 0; id < 60; id++) {
            cosm_world world = hearth_world(&h, w);
            cosm_entity e = {1, id};
            float degrees = hearth_degrees(&h, world, e);
            const Smoke *smoke = READ_BY_ID(world, e, Smoke, h.smoke);
            CHECK(degrees == -1 || degrees >= 1000);
            CHECK(smoke == NULL || (smoke->density == 5) == (degrees != -1) ||
                  (degrees == -1 && smoke->density == (double)id));
            int number = hearth_number(&h, world, e);
            CHECK(number == -1 || number == (degrees != -1 ? 77 : (int)id));
        }
    }
    cosm_query_destroy(query);
    hearth_close(&h);
}

TEST(the_text_of_a_query_names_sector_components_as_any_other) {
    struct hearth h;
    hearth_open(&h, 1);
    furnish(&h);
    cosm_query_desc desc = {0};
    CHECK_DONE(
        cosm_query_parse(h.engine, "mut Spot, Heat, !Wet, ?mut Smoke, mut (Ember | Mark)", &desc));
    CHECK(desc.terms[1].component.id == h.heat.id && desc.terms[3].component.id == h.smoke.id);
    check_query(&h, h.all, &desc);
    hearth_close(&h);
}

TEST(whole_query_changes_reach_just_the_rows_that_match) {
    struct hearth h;
    hearth_open(&h, 2);
    furnish(&h);
    cosm_query *hot = cosm_query_create(
        h.engine, &(cosm_query_desc){.terms = {{.component = h.heat, .access = COSM_ACCESS_WRITE},
                                               {.component = h.team, .kind = COSM_TERM_WITHOUT}}});
    cosm_query *soft = cosm_query_create(
        h.engine, &(cosm_query_desc){.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                                               {.component = h.team, .kind = COSM_TERM_WITHOUT}}});
    cosm_query *wet = cosm_query_create(
        h.engine, &(cosm_query_desc){.terms = {{.component = h.wet, .access = COSM_ACCESS_WRITE}}});
    cosm_query *embers = cosm_query_create(
        h.engine,
        &(cosm_query_desc){.terms = {{.component = h.ember, .access = COSM_ACCESS_WRITE}}});
    uint64_t count = cosm_query_count(hot, h.all);
    CHECK(count > 20);
    // A sector component for rows that match by sectors, and for those that match by table.
    CHECK_DONE(cosm_query_set(hot, h.all, h.heat, &(Heat){1}));
    CHECK_DONE(cosm_query_add(hot, h.all, h.wet));
    CHECK_DONE(cosm_query_add(soft, h.all, h.ember));
    for (uint32_t id = 0; id < 40; id++) {
        cosm_entity e = {1, id};
        CHECK(hearth_degrees(&h, h.world, e) == -1 || hearth_degrees(&h, h.world, e) == 1);
        CHECK(hearth_degrees(&h, h.world, e) == -1 || cosm_entity_has(h.world, e, h.wet));
        CHECK(cosm_entity_has(h.world, e, h.ember));
    }
    // A column for rows that match by sectors: tables change, sectors stay.
    CHECK_DONE(cosm_query_set(hot, h.all, h.spot, &(Spot){5, 5}));
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_query_remove(wet, h.all, h.mark), COSM_ERROR_SEALED); // stones have it
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_remove(hot, h.all, h.mark));
    CHECK_INT(cosm_query_count(hot, h.all), count);
    CHECK_DONE(cosm_query_add(hot, h.all, h.hot));
    CHECK_INT(cosm_query_count(hot, h.all), count);
    cosm_rows rows;
    cosm_query_walk(hot, h.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            cosm_world world = cosm_rows_world(&rows, i);
            CHECK(cosm_entity_has(world, rows.entities[i], h.hot));
            CHECK(READ_BY_ID(world, rows.entities[i], Spot, h.spot)->x == 5);
        }
    }
    // One world only, then all.
    uint64_t in_second = cosm_query_count(hot, cosm_worlds_range(h.batch, 1, 1));
    CHECK_DONE(cosm_query_remove(hot, cosm_worlds_one(h.world), h.heat));
    CHECK_INT(cosm_query_count(hot, h.all), in_second);
    int alive = atomic_load(&h.book.alive);
    CHECK_INT(cosm_query_count(embers, h.all), alive);
    uint32_t nine = 9;
    CHECK_DONE(cosm_query_set(embers, h.all, h.ember, &(Ember){&nine}));
    CHECK_INT(atomic_load(&h.book.alive), alive);
    CHECK_DONE(cosm_query_despawn(hot, h.all));
    CHECK_INT(cosm_query_count(hot, h.all), 0);
    CHECK_INT(atomic_load(&h.book.alive), cosm_query_count(embers, h.all));
    CHECK_DONE(cosm_query_remove(embers, h.all, h.ember));
    CHECK_INT(atomic_load(&h.book.alive), 0);
    CHECK_VALID(h.batch);
    cosm_query_destroy(hot);
    cosm_query_destroy(soft);
    cosm_query_destroy(wet);
    cosm_query_destroy(embers);
    hearth_close(&h);
}

TEST(a_query_is_about_32_groups_at_most) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_bundle_desc few = {.name = "few"};
    cosm_component list[33];
    for (uint32_t i = 0; i < 33; i++) {
        char name[8] = {'g', (char)('A' + i), 0};
        list[i] = cosm_component_define(
            engine, &(cosm_component_desc){.name = name, .storage = COSM_STORAGE_SECTOR});
    }
    few.more = list;
    few.more_count = 32;
    cosm_component bundle = cosm_bundle_define(engine, &few);
    cosm_query *query = cosm_query_create(
        engine, &(cosm_query_desc){.terms = {{.component = bundle, .access = COSM_ACCESS_WRITE}}});
    CHECK(query != NULL);
    cosm_error_clear();
    CHECK(cosm_query_create(engine,
                            &(cosm_query_desc){
                                .terms = {{.component = bundle, .access = COSM_ACCESS_WRITE},
                                          {.component = list[32], .access = COSM_ACCESS_WRITE}}}) ==
          NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_query_create", "32", "fewer");
    cosm_archetype bare = cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "bare"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_entity e = cosm_entity_spawn(cosm_batch_world(batch, 0), bare);
    CHECK_DONE(cosm_entity_add(cosm_batch_world(batch, 0), e, bundle));
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(batch)), 1);
    CHECK_DONE(cosm_entity_remove(cosm_batch_world(batch, 0), e, list[31]));
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(batch)), 0);
    cosm_query_destroy(query);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Adds up what it is shown.
static void add_up(cosm_rows *rows) {
    atomic_uint *sum = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        const Heat *heat = COSM_SECTOR_READ(rows, Heat, 1, i);
        CHECK(heat != NULL);
        CHECK(heat == NULL || heat->degrees == COSM_COLUMN_READ(rows, Spot, 0)[i].x);
        atomic_fetch_add(sum, 1);
    }
}

TEST(a_system_and_a_query_run_see_each_matching_row_once) {
    struct hearth h;
    hearth_open(&h, 3);
    furnish(&h);
    static atomic_uint sum;
    atomic_store(&sum, 0);
    cosm_query_desc desc = {.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE},
                                      {.component = h.heat, .access = COSM_ACCESS_WRITE}}};
    cosm_query *query = cosm_query_create(h.engine, &desc);
    uint64_t count = cosm_query_count(query, h.all);
    CHECK_DONE(cosm_query_run(query, h.all, add_up, &sum));
    CHECK_INT(atomic_load(&sum), count);
    // With commands by lanes, table after table; and without.
    for (uint32_t way = 0; way < 2; way++) {
        cosm_system system = cosm_system_define(h.engine, &(cosm_system_desc){.name = "add_up",
                                                                              .each = add_up,
                                                                              .context = &sum,
                                                                              .commands = way == 0,
                                                                              .queries = {desc}});
        CHECK(system.id != 0);
        atomic_store(&sum, 0);
        CHECK_DONE(cosm_batch_step(h.batch));
        CHECK_INT(atomic_load(&sum), count);
        CHECK_DONE(cosm_system_remove(h.engine, system));
    }
    cosm_query_destroy(query);
    hearth_close(&h);
}
