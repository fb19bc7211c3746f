// Changes kept row by row: components with change_rows (cosm/query.h).
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/storages.h"

#define MANY 3000u

typedef struct Exact {
    uint32_t number;
} Exact;

// One component of each kind, tracked row by row but for `plain`.
struct exact {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_worlds all;
    cosm_component whole;
    cosm_component split;
    cosm_component plain;
    cosm_archetype thing; // whole and split, growing
    cosm_archetype fixed; // whole and plain, fixed
    cosm_query *queries[2];
    cosm_change_reader *readers[2]; // of whole, of split
};

static void exact_open_with(struct exact *exact, const cosm_engine_desc *engine_desc) {
    cosm_error_clear();
    exact->engine = cosm_engine_create(engine_desc);
    exact->whole = cosm_component_define(
        exact->engine,
        &(cosm_component_desc){.name = "Exact", .size = sizeof(Exact), .change_rows = true});
    exact->split =
        cosm_component_define(exact->engine, &(cosm_component_desc){.name = "Body",
                                                                    .size = sizeof(Body),
                                                                    .fields = body_fields,
                                                                    .field_count = BODY_FIELD_COUNT,
                                                                    .layout = COSM_LAYOUT_SPLIT,
                                                                    .change_rows = true});
    exact->plain = cosm_component_define(
        exact->engine, &(cosm_component_desc){.name = "Plain", .size = 20, .alignment = 4});
    exact->thing = cosm_archetype_define(
        exact->engine,
        &(cosm_archetype_desc){.name = "thing", .components = {exact->whole, exact->split}});
    exact->fixed = cosm_archetype_define(
        exact->engine, &(cosm_archetype_desc){.name = "fixed",
                                              .components = {exact->whole, exact->plain},
                                              .placement = COSM_PLACEMENT_FIXED,
                                              .max_per_world = 5});
    exact->batch = cosm_batch_create(exact->engine, &(cosm_batch_desc){.world_count = 3});
    exact->world = cosm_batch_world(exact->batch, 0);
    exact->all = cosm_worlds_all(exact->batch);
    cosm_component components[2] = {exact->whole, exact->split};
    for (uint32_t i = 0; i < 2; i++) {
        exact->queries[i] = cosm_query_create(
            exact->engine,
            &(cosm_query_desc){.terms = {{.component = components[i], .changed = true}}});
        exact->readers[i] = cosm_change_reader_create(exact->batch, exact->queries[i]);
        CHECK(exact->readers[i] != NULL);
    }
    CHECK_SILENT();
}

static void exact_open(struct exact *exact) {
    exact_open_with(exact, NULL);
}

static void exact_close(struct exact *exact) {
    CHECK_VALID(exact->batch);
    for (uint32_t i = 0; i < 2; i++) {
        cosm_change_reader_destroy(exact->readers[i]);
        cosm_query_destroy(exact->queries[i]);
    }
    CHECK_DONE(cosm_batch_destroy(exact->batch));
    CHECK_DONE(cosm_engine_destroy(exact->engine));
}

static uint32_t look(cosm_change_reader *reader, cosm_worlds worlds, cosm_entity *out_first) {
    cosm_rows rows;
    uint32_t count = 0;
    cosm_change_walk(reader, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        if (count == 0 && out_first != NULL) {
            *out_first = rows.entities[0];
        }
        count += rows.count;
    }
    return count;
}

// Does the next walk of a reader show just this entity?
static bool shows_only(struct exact *exact, uint32_t reader, cosm_entity entity) {
    cosm_entity first = COSM_ENTITY_NONE;
    uint32_t count = look(exact->readers[reader], exact->all, &first);
    return count == 1 && cosm_entity_equals(first, entity);
}

TEST(with_ticks_by_row_just_the_rows_that_were_written_are_shown) {
    struct exact exact;
    exact_open(&exact);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(exact.world, exact.thing, MANY, &rows));
    cosm_entity entity = rows.entities[1234];
    cosm_entity other = rows.entities[1236];
    CHECK_INT(look(exact.readers[0], exact.all, NULL), MANY);
    CHECK_INT(look(exact.readers[1], exact.all, NULL), MANY);
    CHECK(cosm_entity_write(exact.world, entity, exact.whole) != NULL);
    CHECK(shows_only(&exact, 0, entity));
    CHECK_INT(look(exact.readers[0], exact.all, NULL), 0);
    CHECK_INT(look(exact.readers[1], exact.all, NULL), 0);
    Body body = {.kind = 3};
    CHECK_DONE(cosm_entity_set(exact.world, other, exact.split, &body));
    CHECK(shows_only(&exact, 1, other));
    CHECK_INT(look(exact.readers[0], exact.all, NULL), 0);
    CHECK(cosm_change_entity_tick(exact.world, other, exact.split) >
          cosm_change_entity_tick(exact.world, entity, exact.split));
    // Two rows with one between them are two runs.
    CHECK(cosm_entity_write(exact.world, entity, exact.whole) != NULL);
    CHECK(cosm_entity_write(exact.world, other, exact.whole) != NULL);
    cosm_change_walk(exact.readers[0], exact.all, &rows);
    CHECK(cosm_rows_next(&rows) && rows.row == 1234 && rows.count == 1);
    CHECK(cosm_rows_next(&rows) && rows.row == 1236 && rows.count == 1);
    CHECK(!cosm_rows_next(&rows));
    exact_close(&exact);
}

TEST(ticks_by_row_go_with_the_row_wherever_it_goes) {
    struct exact exact;
    exact_open(&exact);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(exact.world, exact.thing, MANY, &rows));
    cosm_entity entities[3] = {rows.entities[0], rows.entities[700], rows.entities[MANY - 1]};
    Exact *column = COSM_WRITE(&rows, Exact);
    for (uint32_t i = 0; i < MANY; i++) {
        column[i].number = MANY - i;
    }
    CHECK_INT(look(exact.readers[0], exact.all, NULL), MANY);
    cosm_query *things = cosm_query_create(
        exact.engine,
        &(cosm_query_desc){.terms = {{.component = exact.split, .access = COSM_ACCESS_WRITE}}});
    // Nothing of this writes `whole`.
    CHECK_DONE(cosm_entity_add(exact.world, entities[1], exact.plain));
    CHECK_DONE(cosm_entity_despawn(exact.world, entities[0]));
    CHECK_DONE(cosm_table_sort_u32(exact.world, exact.thing, exact.whole, 0));
    CHECK_DONE(cosm_query_add(things, exact.all, exact.plain));
    CHECK_DONE(cosm_query_remove(things, exact.all, exact.plain));
    CHECK_VALID(exact.batch);
    CHECK_INT(look(exact.readers[0], exact.all, NULL), 0);
    // A change before a move is seen after it.
    CHECK(cosm_entity_write(exact.world, entities[1], exact.whole) != NULL);
    CHECK_DONE(cosm_entity_add(exact.world, entities[1], exact.plain));
    CHECK_DONE(cosm_table_sort_u32(exact.world, exact.thing, exact.whole, 0));
    CHECK_DONE(cosm_entity_remove(exact.world, entities[1], exact.split));
    CHECK(shows_only(&exact, 0, entities[1]));
    CHECK(cosm_entity_write(exact.world, entities[2], exact.whole) != NULL);
    CHECK_DONE(cosm_query_add(things, exact.all, exact.plain));
    CHECK(shows_only(&exact, 0, entities[2]));
    cosm_query_destroy(things);
    exact_close(&exact);
}

TEST(a_component_that_is_added_has_changed_in_its_row_only) {
    struct exact exact;
    exact_open(&exact);
    cosm_archetype bare = cosm_archetype_define(
        exact.engine, &(cosm_archetype_desc){.name = "bare", .components = {exact.plain}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(exact.world, bare, 20, &rows));
    cosm_entity entities[20];
    memcpy(entities, rows.entities, sizeof(entities));
    CHECK_DONE(cosm_entity_add_many(exact.world, entities, 10, exact.split));
    CHECK_INT(look(exact.readers[1], exact.all, NULL), 10);
    CHECK_DONE(cosm_entity_add(exact.world, entities[15], exact.split));
    CHECK(shows_only(&exact, 1, entities[15]));
    CHECK_DONE(cosm_entity_remove(exact.world, entities[15], exact.split));
    CHECK_DONE(cosm_entity_add(exact.world, entities[15], exact.split));
    CHECK(shows_only(&exact, 1, entities[15]));
    exact_close(&exact);
}

TEST(a_run_with_write_access_changes_all_its_rows_and_marks_change_just_theirs) {
    struct exact exact;
    exact_open(&exact);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(exact.batch, w), exact.fixed, 5, &rows));
    }
    CHECK_INT(look(exact.readers[0], exact.all, NULL), 15);
    cosm_query *writers = cosm_query_create(
        exact.engine,
        &(cosm_query_desc){.terms = {{.component = exact.whole, .access = COSM_ACCESS_WRITE}}});
    cosm_query *markers = cosm_query_create(
        exact.engine,
        &(cosm_query_desc){.terms = {{.component = exact.whole, .access = COSM_ACCESS_MARK}}});
    cosm_query_walk(writers, (cosm_worlds){exact.batch, 1, 1}, &rows);
    while (cosm_rows_next(&rows)) {
    }
    CHECK_INT(look(exact.readers[0], exact.all, NULL), 5);
    cosm_query_walk(markers, exact.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.world_count, 3);
    cosm_change_mark(&rows, 0, 4, 2); // the last row of a world and the first of the next
    cosm_rows_end(&rows);
    cosm_change_walk(exact.readers[0], exact.all, &rows);
    CHECK(cosm_rows_next(&rows) && rows.world == 0 && rows.row == 4 && rows.count == 1);
    CHECK(cosm_rows_next(&rows) && rows.world == 1 && rows.row == 0 && rows.count == 1);
    CHECK(!cosm_rows_next(&rows));
    cosm_query_destroy(writers);
    cosm_query_destroy(markers);
    exact_close(&exact);
}

TEST(ticks_by_row_survive_a_change_of_layout) {
    struct exact exact;
    exact_open(&exact);
    cosm_archetype other = cosm_archetype_define(
        exact.engine, &(cosm_archetype_desc){.name = "other",
                                             .components = {exact.whole, exact.split, exact.plain},
                                             .layouts = {{exact.split, COSM_LAYOUT_STRUCT}}});
    REQUIRE(other.id != 0);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(exact.world, exact.thing, 40, &rows));
    cosm_entity entity = rows.entities[33];
    CHECK_INT(look(exact.readers[1], exact.all, NULL), 40);
    CHECK_DONE(cosm_entity_add(exact.world, entity, exact.plain));
    CHECK_INT(cosm_entity_archetype(exact.world, entity).id, other.id);
    CHECK_INT(look(exact.readers[1], exact.all, NULL), 0);
    CHECK(cosm_entity_write(exact.world, entity, exact.split) != NULL);
    CHECK_DONE(cosm_entity_remove(exact.world, entity, exact.plain));
    CHECK(shows_only(&exact, 1, entity));
    exact_close(&exact);
}

TEST(ticks_are_no_state) {
    uint64_t checksums[2];
    for (uint32_t tracked = 0; tracked < 2; tracked++) {
        struct exact exact;
        exact_open(&exact);
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(exact.world, exact.thing, 40, &rows));
        for (uint32_t i = 0; tracked == 1 && i < 7; i++) {
            CHECK(cosm_entity_write(exact.world, rows.entities[i], exact.whole) != NULL);
            CHECK_INT(look(exact.readers[0], exact.all, NULL), i == 0 ? 40 : 1);
        }
        checksums[tracked] = cosm_hash_batch(exact.batch, COSM_HASH_EXACT);
        exact_close(&exact);
    }
    CHECK_INT(checksums[0], checksums[1]);
}

TEST(values_for_a_component_with_ticks_by_row_go_to_the_component) {
    struct exact exact;
    exact_open(&exact);
    Exact first = {1};
    Exact second = {2};
    cosm_value values[2] = {{exact.whole, &first}, {exact.whole, &second}};
    cosm_archetype alone = cosm_archetype_define(
        exact.engine, &(cosm_archetype_desc){.name = "alone", .components = {exact.whole}});
    cosm_entity entity = cosm_entity_spawn_with(exact.world, alone, values, 2);
    const Exact *value = cosm_entity_read(exact.world, entity, exact.whole);
    REQUIRE(value != NULL);
    CHECK_INT(value->number, 2);
    CHECK_VALID(exact.batch);
    CHECK(shows_only(&exact, 0, entity));
    exact_close(&exact);
}

// What is done while the n-th allocation fails: each either done or without a trace.
static bool make_things(struct exact *exact, cosm_rows *rows) {
    return cosm_entity_spawn_many(exact->world, exact->thing, MANY, rows) == COSM_OK;
}

TEST(where_memory_runs_out_no_change_is_lost) {
    uint64_t failures = 0;
    for (uint64_t n = 1;; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct exact exact;
        exact_open_with(&exact, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(exact.world, exact.thing, 10, &rows));
        cosm_entity entity = rows.entities[3];
        CHECK_INT(look(exact.readers[0], exact.all, NULL), 10);
        CHECK(cosm_entity_write(exact.world, entity, exact.whole) != NULL);
        ledger_refuse(&ledger, n, 1);
        bool made = make_things(&exact, &rows);
        bool tracked = cosm_change_track(exact.batch, exact.plain) == COSM_OK;
        cosm_change_reader *reader = cosm_change_reader_create(exact.batch, exact.queries[1]);
        bool formed = cosm_entity_add(exact.world, entity, exact.plain) == COSM_OK;
        bool refused = ledger_relent(&ledger);
        CHECK(refused || (made && tracked && reader != NULL && formed));
        CHECK_VALID(exact.batch);
        CHECK_INT(look(exact.readers[0], exact.all, NULL), made ? MANY + 1 : 1);
        CHECK_INT(look(exact.readers[0], exact.all, NULL), 0);
        if (reader != NULL) {
            CHECK_INT(look(reader, exact.all, NULL), made ? MANY + 10 : 10);
        }
        cosm_change_reader_destroy(reader);
        exact_close(&exact);
        ledger_close(&ledger);
        failures += refused;
        if (!refused) {
            break;
        }
    }
    CHECK(failures > 10);
}
