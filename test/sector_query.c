// Sector terms of queries: which rows match, how walks are cut, and whole-query changes.
#include <stdatomic.h>
#include <string.h>

#include "harness.h"
#include "support/storages.h"

#define TERM_MAX 6u

// The worlds that the tests below look at: things, pots and stones, some of which have something
// beside, in a pattern that follows from their number.
static void furnish(struct fixture *box) {
    for (uint32_t w = 0; w < box->all.count; w++) {
        cosm_world world = fixture_world(box, w);
        for (uint32_t i = 0; i < 60; i++) {
            cosm_entity e =
                i < 8    ? cosm_entity_spawn(world, box->pot)
                : i < 40 ? spawn_at(box, world, (float)i)
                         : cosm_entity_spawn_with(world, box->stone,
                                                  &(cosm_value){box->team, &(Team){i % 3, 0}}, 1);
            uint32_t bits = (i * 7 + w * 3) / 2 % 16;
            CHECK_DONE(
                cosm_entity_set(world, e, box->position, &(Position){(float)i, (float)bits, 0}));
            if ((bits & 1) != 0) {
                set_heat(box, world, e, (float)i);
            }
            if ((bits & 2) != 0) {
                CHECK_DONE(cosm_entity_set(world, e, box->smoke, &(Smoke){(double)i}));
            }
            if ((bits & 4) != 0) {
                CHECK_DONE(cosm_entity_add(world, e, box->wet));
            }
            if ((bits & 8) != 0) {
                set_note(box, world, e, i);
            }
        }
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_DONE(cosm_table_clear(world, box->event));
        }
    }
}

// Does the entity meet the terms? By asking for each of them.
static bool meets(const struct fixture *box, cosm_world world, cosm_entity e,
                  const cosm_query_desc *desc) {
    uint32_t wanted = 0;
    uint32_t found = 0;
    for (uint32_t t = 0; t < TERM_MAX && desc->terms[t].component.id != 0; t++) {
        const cosm_term *term = &desc->terms[t];
        bool has = cosm_entity_has(world, e, term->component);
        if (term->component.id == box->hot.id && term->kind == COSM_TERM_WITHOUT) {
            has = cosm_entity_has(world, e, box->heat) || cosm_entity_has(world, e, box->wet) ||
                  cosm_entity_has(world, e, box->mark);
        }
        if (term->value != NULL) {
            const Team *team = READ_BY_ID(world, e, Team, box->team);
            has = team != NULL && team->color == ((const Team *)term->value)->color;
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
static void check_rows(const struct fixture *box, const cosm_rows *rows,
                       const cosm_query_desc *desc) {
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity e = rows->entities[i];
        CHECK(meets(box, world, e, desc));
        cosm_loc loc = cosm_entity_loc(world, e);
        CHECK_INT(loc.row, rows->row + i);
        for (uint32_t t = 0; t < TERM_MAX && desc->terms[t].component.id != 0; t++) {
            const cosm_term *term = &desc->terms[t];
            if (term->component.id == box->heat.id && term->kind != COSM_TERM_WITHOUT) {
                const Heat *heat = COSM_SECTOR_READ(rows, Heat, t, i);
                CHECK(heat == cosm_entity_read(world, e, box->heat));
                CHECK(heat == NULL ||
                      heat->degrees == READ_BY_ID(world, e, Position, box->position)->x);
            }
            if (term->component.id == box->position.id) {
                CHECK(&COSM_COLUMN_READ(rows, Position, t)[i] ==
                      cosm_entity_read(world, e, box->position));
            }
        }
    }
}

// Walks a query over some worlds, and checks that every entity that meets it is met once, in the
// order of its table, and none else.
static void check_query(const struct fixture *box, cosm_worlds worlds,
                        const cosm_query_desc *desc) {
    cosm_query *query = cosm_query_create(box->engine, desc);
    REQUIRE(query != NULL);
    uint32_t expected = 0;
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        for (uint32_t id = 0; id < 60; id++) {
            expected += meets(box, fixture_world(box, w), (cosm_entity){1, id}, desc);
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
        check_rows(box, &rows, desc);
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
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 3);
    furnish(&box);
    Team team = {1, 0};
    cosm_component dry =
        cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "Dry", .components = {box.wet}});
    cosm_component fire = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "Fire", .components = {box.heat, box.smoke}});
    cosm_query_desc descs[] = {
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                   {.component = box.smoke, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                   {.component = box.smoke, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                   {.component = box.note, .access = COSM_ACCESS_WRITE},
                   {.component = box.wet, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                   {.component = box.note, .kind = COSM_TERM_WITHOUT},
                   {.component = box.mark, .access = COSM_ACCESS_WRITE},
                   {.component = box.wet,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = box.kiln, .access = COSM_ACCESS_WRITE}}}, // nobody has it
        {.terms = {{.component = box.kiln, .kind = COSM_TERM_WITHOUT},
                   {.component = box.position, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.hot, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.hot, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.wet, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.note,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_ANY_OF,
                    .group = 5},
                   {.component = box.wet,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_ANY_OF,
                    .group = 5}}},
        {.terms = {{.component = box.kiln, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = dry, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = box.hot, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = fire, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
        {.terms = {{.component = box.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.team, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
                   {.component = box.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.team, .access = COSM_ACCESS_WRITE, .value = &team},
                   {.component = box.heat,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = box.team, .access = COSM_ACCESS_WRITE},
                   {.component = box.wet, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                   {.component = box.hot, .kind = COSM_TERM_WITHOUT}}},
    };
    for (uint32_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
        check_query(&box, box.all, &descs[i]);
        check_query(&box, cosm_worlds_range(box.batch, 1, 2), &descs[i]);
        check_query(&box, cosm_worlds_one(fixture_world(&box, 2)), &descs[i]);
    }
    fixture_close(&box);
}

TEST(rows_of_full_fixed_worlds_are_not_joined_by_a_sector_query) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 4);
    for (uint32_t w = 0; w < 4; w++) {
        for (uint32_t i = 0; i < 8; i++) {
            cosm_entity e = cosm_entity_spawn(fixture_world(&box, w), box.pot);
            CHECK_DONE(cosm_entity_set(fixture_world(&box, w), e, box.position,
                                       &(Position){(float)(w * 8 + i), 0, 0}));
            if (w != 1 && i != 3) {
                set_heat(&box, fixture_world(&box, w), e, (float)(w * 8 + i));
            }
        }
    }
    cosm_query_desc desc = {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                      {.component = box.heat, .access = COSM_ACCESS_WRITE}}};
    check_query(&box, box.all, &desc);
    desc.terms[1].kind = COSM_TERM_OPTIONAL;
    check_query(&box, box.all, &desc);
    fixture_close(&box);
}

TEST(temporary_rows_have_nothing_beside) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e = spawn_at(&box, box.world, 0);
    set_heat(&box, box.world, e, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 5, &rows));
    cosm_query_desc descs[] = {
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat, .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat, .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                   {.component = box.heat,
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_OPTIONAL}}},
        {.terms = {{.component = box.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF},
                   {.component = box.heat, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_ANY_OF}}},
    };
    uint32_t counts[] = {1, 5, 6, 1};
    cosm_query *queries[4];
    for (uint32_t i = 0; i < 4; i++) {
        queries[i] = cosm_query_create(box.engine, &descs[i]);
        CHECK_INT(cosm_query_count(queries[i], box.all), counts[i]);
    }
    cosm_query_walk(queries[2], box.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK((rows.entities == NULL) == (rows.count == 5));
        CHECK((COSM_SECTOR_READ(&rows, Heat, 1, 0) == NULL) == (rows.entities == NULL));
    }
    // Changes of all: what rows without a handle cannot have is refused, the rest is done.
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_query_add(queries[2], box.all, box.wet), COSM_ERROR_ARGUMENT, "cosm_query_add",
                "event", "leave");
    CHECK_INT(cosm_query_add(queries[1], box.all, box.mark), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_set(queries[2], box.all, box.position, &(Position){7, 8, 0}));
    CHECK(READ_BY_ID(box.world, e, Position, box.position)->x == 7);
    cosm_query_walk(queries[1], box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK(COSM_COLUMN_READ(&rows, Position, 0)[i].y == 8);
        }
    }
    CHECK_DONE(cosm_query_remove(queries[2], box.all, box.heat));
    CHECK_INT(cosm_query_count(queries[0], box.all), 0);
    CHECK_DONE(cosm_query_despawn(queries[1], box.all));
    CHECK_INT(cosm_query_count(queries[2], box.all), 0);
    cosm_error_clear();
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.event, 1,
                                            &(cosm_value){box.heat, &(Heat){1}}, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "Heat", "spawn in");
    for (uint32_t i = 0; i < 4; i++) {
        cosm_query_destroy(queries[i]);
    }
    fixture_close(&box);
}

TEST(the_macros_say_what_is_wrong) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e = spawn_at(&box, box.world, 0);
    set_heat(&box, box.world, e, 1);
    CHECK_DONE(cosm_entity_add(box.world, e, box.wet));
    cosm_query *query = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                     {.component = box.heat},
                                     {.component = box.wet, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_error_clear();
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 0) != NULL);
    CHECK_SILENT();
    CHECK(COSM_SECTOR_WRITE(&rows, Heat, 1, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_WRITE", "Heat", "COSM_ACCESS_WRITE");
    CHECK(COSM_SECTOR_READ(&rows, Smoke, 1, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Heat", "8");
    CHECK(COSM_SECTOR_READ(&rows, Position, 0, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Position", "COSM_COLUMN_READ");
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "row 1 of 1", "rows->count");
    CHECK(COSM_SECTOR_READ(&rows, Heat, 3, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "term 3 of 3", "query");
    CHECK(COSM_SECTOR_READ(&rows, char, 2, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SECTOR_READ", "Wet", "1");
    // By row, whatever the storage.
    Heat heat;
    CHECK(cosm_rows_get(&rows, 0, box.heat, &heat) && heat.degrees == 1);
    CHECK(!cosm_rows_get(&rows, 0, box.smoke, &heat));
    CHECK(!cosm_rows_get(&rows, 0, box.wet, &heat));
    CHECK(!cosm_rows_get(&rows, 1, box.heat, &heat));
    CHECK_FAILS(cosm_rows_set(&rows, 0, box.heat, &heat), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "Heat", "COSM_ACCESS_WRITE");
    CHECK_FAILS(cosm_rows_set(&rows, 0, box.kiln, &heat), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "no", "rows->count");
    CHECK(cosm_rows_column(&rows, box.heat) == NULL);
    // A walk that is under way refuses what would change the structure, and nothing else.
    CHECK_INT(cosm_entity_add(box.world, e, box.smoke), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_remove(box.world, e, box.heat), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_set(box.world, e, box.smoke, &(Smoke){1}), COSM_ERROR_WALKED);
    CHECK_INT(cosm_sector_maintain(box.world, NULL, NULL), COSM_ERROR_WALKED);
    CHECK_DONE(cosm_entity_set(box.world, e, box.heat, &(Heat){5}));
    CHECK(COSM_SECTOR_READ(&rows, Heat, 1, 0)->degrees == 5);
    // Last, because it empties the rows.
    CHECK(COSM_COLUMN_READ(&rows, Heat, 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ", "Heat", "COSM_SECTOR_READ");
    CHECK(COSM_COLUMN_WRITE(&rows, char, 2) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_WRITE", "Wet", "COSM_SECTOR_READ");
    CHECK_INT(rows.count, 0);
    cosm_rows_end(&rows);
    CHECK_INT(cosm_query_archetype_count(query), 3); // thing, pot, stone: rows tell the rest
    CHECK(cosm_query_matches(query, box.pot));
    CHECK(!cosm_query_matches(query, box.event));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(rows_write_sector_components_by_macro_and_by_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    furnish(&box);
    cosm_query *query = cosm_query_create(
        box.engine,
        &(cosm_query_desc){
            .terms = {
                {.component = box.heat, .access = COSM_ACCESS_WRITE},
                {.component = box.smoke, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
                {.component = box.note, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    size_t alive = objects_count(&box.books);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            COSM_SECTOR_WRITE(&rows, Heat, 0, i)->degrees += 1000;
            if (COSM_SECTOR_READ(&rows, Smoke, 1, i) != NULL) {
                CHECK_DONE(cosm_rows_set(&rows, i, box.smoke, &(Smoke){5}));
            }
            if (COSM_SECTOR_READ(&rows, Note, 2, i) != NULL) {
                uint32_t number = 77;
                CHECK_DONE(cosm_rows_set(&rows, i, box.note, &(Text){.number = number}));
            }
        }
    }
    CHECK_INT(objects_count(&box.books), alive);
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t id = 0; id < 60; id++) {
            cosm_world world = fixture_world(&box, w);
            cosm_entity e = {1, id};
            float degrees = degrees_of(&box, world, e);
            const Smoke *smoke = READ_BY_ID(world, e, Smoke, box.smoke);
            CHECK(degrees == -1 || degrees >= 1000);
            CHECK(smoke == NULL || (smoke->density == 5) == (degrees != -1) ||
                  (degrees == -1 && smoke->density == (double)id));
            int number = note_of(&box, world, e);
            CHECK(number == -1 || number == (degrees != -1 ? 77 : (int)id));
        }
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(the_text_of_a_query_names_sector_components_as_any_other) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    furnish(&box);
    cosm_query_desc desc = {0};
    CHECK_DONE(cosm_query_parse(box.engine,
                                "mut Position, Heat, !Wet, ?mut Smoke, mut (Note | Mark)", &desc));
    CHECK(desc.terms[1].component.id == box.heat.id && desc.terms[3].component.id == box.smoke.id);
    check_query(&box, box.all, &desc);
    fixture_close(&box);
}

TEST(whole_query_changes_reach_just_the_rows_that_match) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    furnish(&box);
    cosm_query *hot = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.heat, .access = COSM_ACCESS_WRITE},
                                     {.component = box.team, .kind = COSM_TERM_WITHOUT}}});
    cosm_query *soft = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                     {.component = box.team, .kind = COSM_TERM_WITHOUT}}});
    cosm_query *wet = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.wet, .access = COSM_ACCESS_WRITE}}});
    cosm_query *notes = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.note, .access = COSM_ACCESS_WRITE}}});
    uint64_t count = cosm_query_count(hot, box.all);
    CHECK(count > 20);
    // A sector component for rows that match by sectors, and for those that match by table.
    CHECK_DONE(cosm_query_set(hot, box.all, box.heat, &(Heat){1}));
    CHECK_DONE(cosm_query_add(hot, box.all, box.wet));
    CHECK_DONE(cosm_query_add(soft, box.all, box.note));
    for (uint32_t id = 0; id < 40; id++) {
        cosm_entity e = {1, id};
        CHECK(degrees_of(&box, box.world, e) == -1 || degrees_of(&box, box.world, e) == 1);
        CHECK(degrees_of(&box, box.world, e) == -1 || cosm_entity_has(box.world, e, box.wet));
        CHECK(cosm_entity_has(box.world, e, box.note));
    }
    // A column for rows that match by sectors: tables change, sectors stay.
    CHECK_DONE(cosm_query_set(hot, box.all, box.position, &(Position){5, 5, 0}));
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_query_remove(wet, box.all, box.mark), COSM_ERROR_SEALED); // stones have it
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_query_remove(hot, box.all, box.mark));
    CHECK_INT(cosm_query_count(hot, box.all), count);
    CHECK_DONE(cosm_query_add(hot, box.all, box.hot));
    CHECK_INT(cosm_query_count(hot, box.all), count);
    cosm_rows rows;
    cosm_query_walk(hot, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            cosm_world world = cosm_rows_world(&rows, i);
            CHECK(cosm_entity_has(world, rows.entities[i], box.hot));
            CHECK(READ_BY_ID(world, rows.entities[i], Position, box.position)->x == 5);
        }
    }
    // One world only, then all.
    uint64_t in_second = cosm_query_count(hot, cosm_worlds_range(box.batch, 1, 1));
    CHECK_DONE(cosm_query_remove(hot, cosm_worlds_one(box.world), box.heat));
    CHECK_INT(cosm_query_count(hot, box.all), in_second);
    size_t alive = objects_count(&box.books);
    CHECK_INT(cosm_query_count(notes, box.all), alive);
    uint32_t nine = 9;
    CHECK_DONE(cosm_query_set(notes, box.all, box.note, &(Text){.number = nine}));
    CHECK_INT(objects_count(&box.books), alive);
    CHECK_DONE(cosm_query_despawn(hot, box.all));
    CHECK_INT(cosm_query_count(hot, box.all), 0);
    CHECK_INT(objects_count(&box.books), cosm_query_count(notes, box.all));
    CHECK_DONE(cosm_query_remove(notes, box.all, box.note));
    CHECK_INT(objects_count(&box.books), 0);
    CHECK_VALID(box.batch);
    cosm_query_destroy(hot);
    cosm_query_destroy(soft);
    cosm_query_destroy(wet);
    cosm_query_destroy(notes);
    fixture_close(&box);
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
        CHECK(heat == NULL || heat->degrees == COSM_COLUMN_READ(rows, Position, 0)[i].x);
        atomic_fetch_add(sum, 1);
    }
}

TEST(a_system_and_a_query_run_see_each_matching_row_once) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 3);
    furnish(&box);
    static atomic_uint sum;
    atomic_store(&sum, 0);
    cosm_query_desc desc = {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                      {.component = box.heat, .access = COSM_ACCESS_WRITE}}};
    cosm_query *query = cosm_query_create(box.engine, &desc);
    uint64_t count = cosm_query_count(query, box.all);
    CHECK_DONE(cosm_query_run(query, box.all, add_up, &sum));
    CHECK_INT(atomic_load(&sum), count);
    // With commands by lanes, table after table; and without.
    for (uint32_t way = 0; way < 2; way++) {
        cosm_system system =
            cosm_system_define(box.engine, &(cosm_system_desc){.name = "add_up",
                                                               .each = add_up,
                                                               .context = &sum,
                                                               .commands = way == 0,
                                                               .queries = {desc}});
        CHECK(system.id != 0);
        atomic_store(&sum, 0);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(atomic_load(&sum), count);
        CHECK_DONE(cosm_system_remove(box.engine, system));
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}
