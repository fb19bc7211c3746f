// Changes: readers, and what counts as a change (cosm/query.h). Exact rows are in change_rows.c,
// systems in change_system.c, long histories in change_model.c.
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define CHUNK 512u // rows of a chunk of movers: 16 KiB, 32 bytes each
#define MANY (4 * CHUNK)

struct watch {
    struct fixture box;
    cosm_query *moved; // Position, changed, for reading
    cosm_query *movers;
    cosm_change_reader *reader;
    cosm_entity entities[MANY];
};

static cosm_query *changed_query(const struct fixture *box, cosm_component component) {
    cosm_query *query = cosm_query_create(
        box->engine, &(cosm_query_desc){.terms = {{.component = component, .changed = true}}});
    CHECK(query != NULL);
    return query;
}

// Rows that the next walk of a reader shows.
static uint64_t look(cosm_change_reader *reader, cosm_worlds worlds) {
    cosm_rows rows;
    uint64_t count = 0;
    cosm_change_walk(reader, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        count += rows.count;
    }
    return count;
}

// Four chunks of movers, which the reader has seen.
static void watch_open(struct watch *watch) {
    fixture_open(&watch->box, 0, 1);
    struct fixture *box = &watch->box;
    CHECK_INT(cosm_archetype_describe(box->engine, box->mover).chunk_rows, CHUNK);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, MANY, &rows));
    memcpy(watch->entities, rows.entities, sizeof(watch->entities));
    watch->moved = changed_query(box, box->position);
    watch->movers = fixture_query(box, box->position, box->velocity);
    watch->reader = cosm_change_reader_create(box->batch, watch->moved);
    CHECK(watch->reader != NULL);
    CHECK_INT(look(watch->reader, box->all), MANY);
}

static void watch_close(struct watch *watch) {
    cosm_change_reader_destroy(watch->reader);
    cosm_query_destroy(watch->moved);
    cosm_query_destroy(watch->movers);
    fixture_close(&watch->box);
}

// Where the rows begin and end that the reader sees; they are one stretch.
static void check_stretch(struct watch *watch, uint32_t row, uint32_t count) {
    cosm_rows rows;
    uint32_t runs = 0;
    cosm_change_walk(watch->reader, watch->box.all, &rows);
    while (cosm_rows_next(&rows)) {
        runs++;
        CHECK_INT(rows.row, row);
        CHECK_INT(rows.count, count);
        CHECK(cosm_entity_equals(
            rows.entities[0],
            cosm_entity_at(watch->box.world, (cosm_loc){rows.archetype.id, rows.row})));
        CHECK(COSM_COLUMN_READ(&rows, Position, 0) ==
              cosm_entity_read(watch->box.world, rows.entities[0], watch->box.position));
    }
    CHECK_INT(runs, 1);
}

TEST(a_reader_sees_all_rows_first_and_then_none_until_something_changes) {
    struct watch watch;
    watch_open(&watch);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[0], watch.box.position) != NULL);
    CHECK_INT(look(watch.reader, watch.box.all), CHUNK);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(a_reader_sees_the_chunk_of_the_row_that_changed) {
    struct watch watch;
    watch_open(&watch);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[CHUNK], watch.box.position) != NULL);
    check_stretch(&watch, CHUNK, CHUNK);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[MANY - 1], watch.box.position) != NULL);
    check_stretch(&watch, 3 * CHUNK, CHUNK);
    watch_close(&watch);
}

TEST(changed_chunks_side_by_side_are_one_run_and_others_are_apart) {
    struct watch watch;
    watch_open(&watch);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[CHUNK], watch.box.position) != NULL);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[2 * CHUNK], watch.box.position) !=
          NULL);
    check_stretch(&watch, CHUNK, 2 * CHUNK);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[0], watch.box.position) != NULL);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[2 * CHUNK], watch.box.position) !=
          NULL);
    cosm_rows rows;
    cosm_change_walk(watch.reader, watch.box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.row, 0);
    CHECK_INT(rows.count, CHUNK);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_INT(rows.row, 2 * CHUNK);
    CHECK_INT(rows.count, CHUNK);
    CHECK(!cosm_rows_next(&rows));
    watch_close(&watch);
}

TEST(no_reader_hides_a_change_from_another) {
    struct watch watch;
    watch_open(&watch);
    cosm_change_reader *other = cosm_change_reader_create(watch.box.batch, watch.moved);
    REQUIRE(other != NULL);
    CHECK_INT(look(other, watch.box.all), MANY);
    for (uint32_t round = 0; round < 3; round++) {
        CHECK(cosm_entity_write(watch.box.world, watch.entities[5], watch.box.position) != NULL);
        CHECK_INT(look(watch.reader, watch.box.all), CHUNK);
        CHECK_INT(look(watch.reader, watch.box.all), 0);
        CHECK_INT(look(other, watch.box.all), CHUNK);
        CHECK_INT(look(other, watch.box.all), 0);
    }
    cosm_change_reader_destroy(other);
    watch_close(&watch);
}

static void write_rows(cosm_rows *rows) {
    CHECK(COSM_COLUMN_WRITE(rows, Position, 0) != NULL);
}

// Every way to write, each to the entity number CHUNK and no further than its chunk but for those
// that open more.
enum write_way {
    WAY_WRITE,
    WAY_WRITE_MANY,
    WAY_WRITE_SIZED,
    WAY_LOC,
    WAY_LOC_UNCHECKED,
    WAY_LOOKUP,
    WAY_LOOKUP_SIZED,
    WAY_SET,
    WAY_SET_MANY,
    WAY_COMMANDS,
    WAY_END_OF_CHUNKS,
    WAY_QUERY_SET = WAY_END_OF_CHUNKS,
    WAY_WALK,
    WAY_RUN,
    WAY_TABLE,
    WAY_COUNT,
};

static void write_to(struct watch *watch, enum write_way way) {
    struct fixture *box = &watch->box;
    cosm_world world = box->world;
    cosm_entity entity = watch->entities[CHUNK];
    cosm_loc loc = cosm_entity_loc(world, entity);
    Position value = {1, 2, 3};
    void *pointers[1] = {NULL};
    cosm_lookup lookup;
    cosm_rows rows;
    switch (way) {
    case WAY_WRITE:
        CHECK(cosm_entity_write(world, entity, box->position) != NULL);
        break;
    case WAY_WRITE_MANY:
        CHECK_INT(cosm_entity_write_many(world, &entity, 1, box->position, pointers), 1);
        break;
    case WAY_WRITE_SIZED:
        CHECK(COSM_WRITE(world, entity, Position) != NULL);
        break;
    case WAY_LOC:
        CHECK(cosm_loc_write(world, loc, box->position) != NULL);
        break;
    case WAY_LOC_UNCHECKED:
        CHECK(cosm_loc_write_unchecked(
                  world, loc, cosm_archetype_column(box->engine, box->mover, box->position)) !=
              NULL);
        break;
    case WAY_LOOKUP:
        cosm_lookup_begin(world, box->position, &lookup);
        CHECK(cosm_lookup_write(&lookup, entity) != NULL);
        break;
    case WAY_LOOKUP_SIZED:
        cosm_lookup_begin(world, box->position, &lookup);
        CHECK(COSM_LOOKUP_READ(&lookup, Position, entity) != NULL);
        CHECK(COSM_LOOKUP_WRITE(&lookup, Position, entity) != NULL);
        break;
    case WAY_SET:
        CHECK_DONE(cosm_entity_set(world, entity, box->position, &value));
        break;
    case WAY_SET_MANY:
        CHECK_DONE(cosm_entity_set_many(world, &entity, 1, box->position, &value));
        break;
    case WAY_COMMANDS: {
        cosm_commands *commands = cosm_commands_create(box->batch);
        CHECK_DONE(cosm_commands_set(commands, world, entity, box->position, &value));
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        cosm_commands_destroy(commands);
        break;
    }
    case WAY_QUERY_SET:
        CHECK_DONE(cosm_query_set(watch->movers, box->all, box->position, &value));
        break;
    case WAY_WALK:
        cosm_query_walk(watch->movers, box->all, &rows);
        while (cosm_rows_next(&rows)) {
        }
        break;
    case WAY_RUN:
        CHECK_DONE(cosm_query_run(watch->movers, box->all, write_rows, NULL));
        break;
    case WAY_TABLE:
        CHECK(cosm_table_column(world, box->mover, box->position) != NULL);
        break;
    case WAY_COUNT:
        break;
    }
}

TEST(every_way_to_write_counts_as_a_change) {
    struct watch watch;
    watch_open(&watch);
    for (int way = 0; way < WAY_COUNT; way++) {
        write_to(&watch, (enum write_way)way);
        bool by_chunk = way < WAY_END_OF_CHUNKS;
        check_stretch(&watch, by_chunk ? CHUNK : 0, by_chunk ? CHUNK : MANY);
        CHECK_INT(look(watch.reader, watch.box.all), 0);
    }
    watch_close(&watch);
}

TEST(no_way_to_read_counts_as_a_change) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    cosm_world world = box->world;
    cosm_entity entity = watch.entities[3];
    cosm_loc loc = cosm_entity_loc(world, entity);
    Position value;
    const void *pointers[1];
    cosm_lookup lookup;
    CHECK(cosm_entity_read(world, entity, box->position) != NULL);
    CHECK(COSM_READ(world, entity, Position) != NULL);
    CHECK(cosm_entity_get(world, entity, box->position, &value));
    CHECK_INT(cosm_entity_read_many(world, &entity, 1, box->position, pointers), 1);
    CHECK(cosm_loc_read(world, loc, box->position) != NULL);
    CHECK(cosm_loc_read_unchecked(
              world, loc, cosm_archetype_column(box->engine, box->mover, box->position)) != NULL);
    cosm_lookup_begin(world, box->position, &lookup);
    CHECK(cosm_lookup_read(&lookup, entity) != NULL);
    CHECK(COSM_LOOKUP_READ(&lookup, Position, entity) != NULL);
    CHECK(cosm_table_column_read(world, box->mover, box->position) != NULL);
    CHECK_INT(cosm_query_count(watch.movers, box->all), MANY);
    CHECK(!cosm_entity_is_none(cosm_query_first(watch.movers, box->all, NULL)));
    (void)cosm_hash_batch(box->batch, COSM_HASH_EXACT);
    CHECK_INT(look(watch.reader, box->all), 0);
    watch_close(&watch);
}

TEST(a_walk_that_reads_a_component_leaves_it_unchanged_whatever_else_it_writes) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    cosm_query *steer = cosm_query_create(
        box->engine,
        &(cosm_query_desc){.terms = {{.component = box->position},
                                     {.component = box->velocity, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    Position value;
    cosm_query_walk(steer, box->all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK(COSM_COLUMN_READ(&rows, Position, 0) != NULL);
        CHECK(cosm_rows_column(&rows, box->position) != NULL);
        CHECK(cosm_rows_get(&rows, 1, box->position, &value));
    }
    CHECK_INT(look(watch.reader, box->all), 0);
    cosm_query_destroy(steer);
    watch_close(&watch);
}

TEST(rows_of_a_walk_count_as_changed_where_their_columns_are_asked_for_to_write) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    cosm_query *velocities = fixture_query(box, box->velocity, (cosm_component){0});
    Position value = {1, 1, 1};
    cosm_rows rows;
    cosm_query_walk(velocities, box->all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_DONE(cosm_rows_set(&rows, 2 * CHUNK, box->position, &value));
    cosm_rows_end(&rows);
    check_stretch(&watch, 2 * CHUNK, CHUNK);
    cosm_query_walk(velocities, box->all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(cosm_rows_column_read(&rows, box->position) != NULL);
    CHECK(cosm_rows_span_read(&rows, box->position, 0).data == NULL); // it has no fields
    cosm_rows_end(&rows);
    CHECK_INT(look(watch.reader, box->all), 0);
    cosm_query_walk(velocities, box->all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(cosm_rows_column(&rows, box->position) != NULL);
    cosm_rows_end(&rows);
    check_stretch(&watch, 0, MANY);
    cosm_query_destroy(velocities);
    watch_close(&watch);
}

TEST(spawned_rows_have_changed_with_the_rest_of_their_chunk) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    (void)fixture_spawn(box, 1);
    check_stretch(&watch, MANY, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, box->mover, CHUNK, &rows));
    check_stretch(&watch, MANY, CHUNK + 1);
    CHECK_DONE(cosm_entity_spawn_many_unset(box->world, box->mover, 10, &rows));
    check_stretch(&watch, 5 * CHUNK, 11);
    cosm_commands *commands = cosm_commands_create(box->batch);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box->world, box->mover)));
    CHECK_INT(look(watch.reader, box->all), 0);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    check_stretch(&watch, 5 * CHUNK, 12);
    cosm_commands_destroy(commands);
    watch_close(&watch);
}

TEST(a_row_that_fills_a_hole_has_changed_where_it_stands_now) {
    struct watch watch;
    watch_open(&watch);
    CHECK_DONE(cosm_entity_despawn(watch.box.world, watch.entities[CHUNK + 7]));
    check_stretch(&watch, CHUNK, CHUNK);
    watch_close(&watch);
}

TEST(taking_the_last_rows_away_changes_none_of_the_others) {
    struct watch watch;
    watch_open(&watch);
    for (uint32_t i = MANY; i-- > MANY - 600;) {
        CHECK_DONE(cosm_entity_despawn(watch.box.world, watch.entities[i]));
    }
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(adding_and_removing_another_component_changes_the_chunk_where_the_row_arrives) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    CHECK_DONE(cosm_entity_add(box->world, watch.entities[MANY - 1], box->health));
    check_stretch(&watch, 0, 1);
    CHECK_DONE(cosm_entity_remove(box->world, watch.entities[MANY - 1], box->health));
    check_stretch(&watch, 3 * CHUNK, CHUNK);
    CHECK_DONE(cosm_query_add(watch.movers, box->all, box->health));
    check_stretch(&watch, 0, MANY);
    CHECK_DONE(cosm_query_remove(watch.movers, box->all, box->health));
    check_stretch(&watch, 0, MANY);
    watch_close(&watch);
}

TEST(sorting_a_table_changes_all_of_it) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    CHECK_DONE(cosm_table_sort_u32(box->world, box->mover, box->velocity, 0));
    check_stretch(&watch, 0, MANY);
    watch_close(&watch);
}

TEST(after_a_reset_the_rows_that_come_are_changes_again) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    CHECK_DONE(cosm_batch_reset(box->batch, NULL));
    CHECK_INT(look(watch.reader, box->all), 0);
    (void)fixture_spawn(box, 1);
    CHECK_INT(look(watch.reader, box->all), 1);
    CHECK_DONE(cosm_batch_reset(box->batch, NULL));
    (void)fixture_spawn(box, 1);
    CHECK_INT(look(watch.reader, box->all), 1);
    watch_close(&watch);
}

TEST(what_a_reader_writes_through_its_rows_it_has_seen_and_others_have_not) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 10, &rows));
    cosm_query *clamp = cosm_query_create(
        box.engine,
        &(cosm_query_desc){
            .terms = {{.component = box.position, .access = COSM_ACCESS_WRITE, .changed = true}}});
    cosm_change_reader *own = cosm_change_reader_create(box.batch, clamp);
    cosm_change_reader *other = cosm_change_reader_create(box.batch, clamp);
    REQUIRE(own != NULL && other != NULL);
    CHECK_INT(look(own, box.all), 10);
    CHECK_INT(look(own, box.all), 0);
    CHECK_INT(look(other, box.all), 10);
    // The other one wrote as well.
    CHECK_INT(look(own, box.all), 10);
    CHECK_INT(look(own, box.all), 0);
    CHECK_INT(look(other, box.all), 10);
    CHECK_INT(look(other, box.all), 0);
    cosm_change_reader_destroy(own);
    cosm_change_reader_destroy(other);
    cosm_query_destroy(clamp);
    fixture_close(&box);
}

TEST(what_another_reader_looks_at_in_the_middle_of_a_writing_walk_is_not_lost) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 10, &rows));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    cosm_query *clamp = cosm_query_create(
        box.engine,
        &(cosm_query_desc){
            .terms = {{.component = box.position, .access = COSM_ACCESS_WRITE, .changed = true}}});
    cosm_change_reader *own = cosm_change_reader_create(box.batch, clamp);
    cosm_query *reading = changed_query(&box, box.position);
    cosm_change_reader *other = cosm_change_reader_create(box.batch, reading);
    REQUIRE(own != NULL && other != NULL);
    CHECK_INT(look(other, box.all), 11);
    cosm_change_walk(own, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    uint32_t first = rows.count;
    CHECK_INT(look(other, box.all), first);
    REQUIRE(cosm_rows_next(&rows));
    uint32_t second = rows.count;
    CHECK(!cosm_rows_next(&rows));
    CHECK_INT(first + second, 11);
    CHECK_INT(look(other, box.all), second);
    CHECK_INT(look(other, box.all), 0);
    cosm_change_reader_destroy(own);
    cosm_change_reader_destroy(other);
    cosm_query_destroy(clamp);
    cosm_query_destroy(reading);
    fixture_close(&box);
}

TEST(what_changes_while_a_reader_walks_is_for_its_next_walk) {
    struct watch watch;
    watch_open(&watch);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[0], watch.box.position) != NULL);
    cosm_rows rows;
    cosm_change_walk(watch.reader, watch.box.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK(cosm_entity_write(watch.box.world, watch.entities[1], watch.box.position) != NULL);
    }
    check_stretch(&watch, 0, CHUNK);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(a_walk_that_is_ended_early_counts_as_not_made) {
    struct watch watch;
    watch_open(&watch);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[0], watch.box.position) != NULL);
    CHECK(cosm_entity_write(watch.box.world, watch.entities[MANY - 1], watch.box.position) != NULL);
    cosm_rows rows;
    cosm_change_walk(watch.reader, watch.box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    CHECK_INT(look(watch.reader, watch.box.all), 2 * CHUNK);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    cosm_rows_end(&rows);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(a_reader_that_forgets_sees_all_rows_again) {
    struct watch watch;
    watch_open(&watch);
    CHECK_DONE(cosm_change_forget(watch.reader, watch.box.all));
    CHECK_INT(look(watch.reader, watch.box.all), MANY);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(a_reader_keeps_each_world_by_itself) {
    struct fixture box;
    fixture_open(&box, 0, 5);
    cosm_entity entities[5];
    for (uint32_t w = 0; w < 5; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
        entities[w] = rows.entities[0];
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 3, &rows));
    }
    cosm_query *moved = changed_query(&box, box.position);
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, moved);
    REQUIRE(reader != NULL);
    CHECK_INT(look(reader, (cosm_worlds){box.batch, 1, 2}), 14);
    CHECK_INT(look(reader, box.all), 21);
    CHECK_INT(look(reader, box.all), 0);
    // Fixed tables of neighbouring worlds share nothing.
    CHECK(cosm_entity_write(fixture_world(&box, 3), entities[3], box.position) != NULL);
    cosm_rows rows;
    uint32_t runs = 0;
    cosm_change_walk(reader, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        runs++;
        CHECK_INT(rows.world, 3);
        CHECK_INT(rows.world_count, 1);
        CHECK_INT(rows.count, 4);
    }
    CHECK_INT(runs, 1);
    // A run over several worlds writes to all of them.
    cosm_query *slots = fixture_query(&box, box.health, box.position);
    cosm_query_walk(slots, (cosm_worlds){box.batch, 1, 3}, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.world_count, 3);
    Position value = {0, 0, 0};
    cosm_rows_end(&rows);
    CHECK_INT(look(reader, (cosm_worlds){box.batch, 0, 1}), 0);
    CHECK_INT(look(reader, box.all), 12);
    cosm_query *healths =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.health}}});
    cosm_query_walk(healths, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.world_count, 5);
    CHECK_DONE(cosm_rows_set(&rows, 9, box.position, &value));
    cosm_rows_end(&rows);
    CHECK_INT(look(reader, (cosm_worlds){box.batch, 2, 1}), 4);
    CHECK_INT(look(reader, box.all), 0);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(moved);
    cosm_query_destroy(slots);
    cosm_query_destroy(healths);
    fixture_close(&box);
}

TEST(terms_that_ask_for_changes_all_have_to_be_met_and_of_alternatives_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3 * CHUNK, &rows));
    cosm_entity first = rows.entities[0];
    cosm_entity second = rows.entities[CHUNK];
    cosm_query_desc both = {.terms = {{.component = box.position, .changed = true},
                                      {.component = box.velocity, .changed = true}}};
    cosm_query_desc either = both;
    either.terms[0].kind = COSM_TERM_ANY_OF;
    either.terms[1].kind = COSM_TERM_ANY_OF;
    cosm_query_desc loose = either; // a velocity is enough, changed or not
    loose.terms[1].changed = false;
    cosm_query *queries[3] = {cosm_query_create(box.engine, &both),
                              cosm_query_create(box.engine, &either),
                              cosm_query_create(box.engine, &loose)};
    cosm_change_reader *readers[3];
    for (uint32_t i = 0; i < 3; i++) {
        readers[i] = cosm_change_reader_create(box.batch, queries[i]);
        REQUIRE(readers[i] != NULL);
        CHECK_INT(look(readers[i], box.all), 3 * CHUNK);
        CHECK_INT(look(readers[i], box.all), i == 2 ? 3 * CHUNK : 0);
    }
    CHECK(cosm_entity_write(box.world, first, box.position) != NULL);
    CHECK(cosm_entity_write(box.world, second, box.velocity) != NULL);
    CHECK_INT(look(readers[0], box.all), 0);
    CHECK_INT(look(readers[1], box.all), 2 * CHUNK);
    CHECK(cosm_entity_write(box.world, first, box.position) != NULL);
    CHECK(cosm_entity_write(box.world, first, box.velocity) != NULL);
    CHECK_INT(look(readers[0], box.all), CHUNK);
    CHECK_INT(look(readers[1], box.all), CHUNK);
    for (uint32_t i = 0; i < 3; i++) {
        cosm_change_reader_destroy(readers[i]);
        cosm_query_destroy(queries[i]);
    }
    fixture_close(&box);
}

TEST(a_marked_term_counts_as_changed_only_where_it_is_marked) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    cosm_query *careful = cosm_query_create(
        box->engine,
        &(cosm_query_desc){.terms = {{.component = box->position, .access = COSM_ACCESS_MARK}}});
    cosm_rows rows;
    cosm_query_walk(careful, box->all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(COSM_COLUMN_WRITE(&rows, Position, 0) != NULL);
    CHECK(cosm_rows_column(&rows, box->position) != NULL);
    cosm_rows_end(&rows);
    CHECK_INT(look(watch.reader, box->all), 0);
    cosm_query_walk(careful, box->all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_change_mark(&rows, 0, CHUNK + 1, 1);
    cosm_change_mark(&rows, 0, 0, 0);
    cosm_rows_end(&rows);
    check_stretch(&watch, CHUNK, CHUNK);
    CHECK_SILENT();
    cosm_query_destroy(careful);
    watch_close(&watch);
}

TEST(without_a_reader_a_query_with_changed_terms_shows_all_rows) {
    struct watch watch;
    watch_open(&watch);
    CHECK_INT(cosm_query_count(watch.moved, watch.box.all), MANY);
    cosm_rows rows;
    uint32_t count = 0;
    cosm_query_walk(watch.moved, watch.box.all, &rows);
    while (cosm_rows_next(&rows)) {
        count += rows.count;
    }
    CHECK_INT(count, MANY);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}

TEST(ticks_can_be_read_by_hand) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    cosm_world world = box->world;
    uint64_t now = cosm_change_now(world);
    CHECK(now > 0);
    CHECK(cosm_change_tick(world, box->mover, box->position, 0) <= now);
    CHECK(cosm_entity_write(world, watch.entities[CHUNK], box->position) != NULL);
    CHECK(cosm_change_tick(world, box->mover, box->position, 0) <= now);
    CHECK(cosm_change_tick(world, box->mover, box->position, 1) > now);
    CHECK(cosm_change_entity_tick(world, watch.entities[CHUNK + 3], box->position) > now);
    CHECK(cosm_change_entity_tick(world, watch.entities[0], box->position) <= now);
    CHECK(cosm_change_now(world) > now);
    // Not tracked, and not there.
    CHECK(cosm_change_tick(world, box->mover, box->velocity, 0) == UINT64_MAX);
    CHECK(cosm_change_entity_tick(world, watch.entities[0], box->velocity) == UINT64_MAX);
    CHECK_INT(cosm_change_tick(world, box->mover, box->position, 4), 0);
    CHECK_INT(cosm_change_tick(world, box->mover, box->health, 0), 0);
    CHECK_INT(cosm_change_tick(world, box->slot, box->position, 0), 0);
    CHECK_INT(cosm_change_tick(world, (cosm_archetype){999}, box->position, 0), 0);
    CHECK_INT(cosm_change_tick((cosm_world){NULL, 0}, box->mover, box->position, 0), 0);
    CHECK_INT(cosm_change_entity_tick(world, COSM_ENTITY_NONE, box->position), 0);
    CHECK_INT(cosm_change_entity_tick(world, watch.entities[0], box->health), 0);
    CHECK_DONE(cosm_change_track(box->batch, box->velocity));
    CHECK(cosm_change_tick(world, box->mover, box->velocity, 0) < UINT64_MAX);
    watch_close(&watch);
}

TEST(tracking_one_component_more_keeps_what_is_known_of_the_others) {
    struct watch watch;
    watch_open(&watch);
    struct fixture *box = &watch.box;
    CHECK(cosm_entity_write(box->world, watch.entities[CHUNK], box->position) != NULL);
    uint64_t before = cosm_change_now(box->world);
    CHECK_DONE(cosm_change_track(box->batch, box->velocity));
    CHECK(cosm_change_tick(box->world, box->mover, box->velocity, 0) > before);
    check_stretch(&watch, CHUNK, CHUNK);
    CHECK_DONE(cosm_change_track(box->batch, box->velocity));
    CHECK_DONE(cosm_change_track(box->batch, box->position));
    CHECK_INT(look(watch.reader, box->all), 0);
    CHECK_VALID(box->batch);
    watch_close(&watch);
}

TEST(ticks_follow_a_table_as_it_grows_and_shrinks) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_query *moved = changed_query(&box, box.position);
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, moved);
    REQUIRE(reader != NULL);
    uint64_t count = 0;
    // From one row to many chunks, one by one and in leaps.
    for (uint32_t more = 1; count < 40000; more += more / 2 + 1) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, more, &rows));
        uint64_t chunk_first = count - count % CHUNK;
        count += more;
        CHECK_INT(look(reader, box.all), count - chunk_first);
        CHECK_VALID(box.batch);
    }
    cosm_entity first = cosm_entity_at(box.world, (cosm_loc){box.mover.id, 0});
    while (count > 700) {
        count--;
        CHECK_DONE(cosm_entity_despawn(
            box.world, cosm_entity_at(box.world, (cosm_loc){box.mover.id, (uint32_t)count})));
    }
    CHECK(cosm_entity_write(box.world, first, box.position) != NULL);
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_VALID(box.batch);
    CHECK_INT(look(reader, box.all), CHUNK);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_DONE(cosm_batch_trim(box.batch));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3 * CHUNK, &rows));
    CHECK_INT(look(reader, box.all), 3 * CHUNK);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(moved);
    fixture_close(&box);
}

TEST(rows_that_share_values_are_tracked_in_their_groups) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_component team = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED});
    REQUIRE(team.id != 0);
    cosm_entity entities[6];
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t number = i % 2;
        entities[i] = fixture_spawn(&box, 0);
        CHECK_DONE(cosm_entity_set(box.world, entities[i], team, &number));
    }
    cosm_query *moved = changed_query(&box, box.position);
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, moved);
    REQUIRE(reader != NULL);
    CHECK_INT(look(reader, box.all), 6);
    CHECK_INT(look(reader, box.all), 0);
    CHECK(cosm_entity_write(box.world, entities[0], box.position) != NULL);
    CHECK_INT(look(reader, box.all), 3);
    uint32_t third = 2;
    CHECK_DONE(cosm_entity_set(box.world, entities[5], team, &third));
    CHECK_INT(look(reader, box.all), 1);
    cosm_archetype archetype = cosm_entity_archetype(box.world, entities[0]);
    uint64_t now = cosm_change_now(box.world);
    for (uint32_t chunk = 0; chunk < 3; chunk++) {
        uint64_t tick = cosm_change_tick(box.world, archetype, box.position, chunk);
        CHECK(tick > 0 && tick <= now);
    }
    CHECK_INT(cosm_change_tick(box.world, archetype, box.position, 3), 0);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(moved);
    fixture_close(&box);
}

TEST(queries_with_changed_terms_are_read_and_written_as_text) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query_desc desc = {.by_world = false};
    CHECK_DONE(
        cosm_query_parse(box.engine, "~Position, mark Velocity, mut (~Health | Mark)", &desc));
    CHECK(desc.terms[0].changed && desc.terms[0].access == COSM_ACCESS_READ);
    CHECK(!desc.terms[1].changed && desc.terms[1].access == COSM_ACCESS_MARK);
    CHECK(desc.terms[2].changed && desc.terms[2].kind == COSM_TERM_ANY_OF);
    CHECK(!desc.terms[3].changed && desc.terms[3].kind == COSM_TERM_ANY_OF);
    CHECK_DONE(cosm_query_parse(box.engine, "~Position", &desc));
    CHECK(desc.terms[0].changed && desc.terms[0].access == COSM_ACCESS_READ);
    const char *const wrong[][2] = {
        {"~Mark", "a component with a column"},    {"~~Position", "at most one of"},
        {"!~Position", "one of '!', '?' and '~'"}, {"~(Position | Health)", "(~A | ~B)"},
        {"(?Position | Health)", "without '?'"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        CHECK_FAILS(cosm_query_parse(box.engine, wrong[i][0], &desc), COSM_ERROR_FORMAT,
                    "cosm_query_parse", "column", wrong[i][1]);
    }
    fixture_close(&box);
}

static void gather(void *context, const char *text, size_t length) {
    strncat(context, text, length);
}

TEST(text_of_a_query_with_changed_terms_gives_the_same_query) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const char *texts[] = {"~Position, mark Velocity, mut (~Health | Mark)",
                           "~mut Position, (~Velocity | ~Health)", "~mark Position"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        cosm_query_desc desc = {.by_world = false};
        char text[256] = "";
        CHECK_DONE(cosm_query_parse(box.engine, texts[i], &desc));
        cosm_query *query = cosm_query_create(box.engine, &desc);
        REQUIRE(query != NULL);
        cosm_query_print(query, gather, text);
        CHECK_STR(text, texts[i]);
        cosm_query_destroy(query);
    }
    fixture_close(&box);
}

TEST(wrong_queries_and_readers_are_refused) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    const cosm_term bad[] = {
        {.component = box.mark, .access = COSM_ACCESS_WRITE, .changed = true},
        {.component = box.position,
         .access = COSM_ACCESS_WRITE,
         .kind = COSM_TERM_OPTIONAL,
         .changed = true},
        {.component = box.position, .kind = COSM_TERM_WITHOUT, .changed = true},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        cosm_error_clear();
        CHECK(cosm_query_create(box.engine, &(cosm_query_desc){.terms = {bad[i]}}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_create:", "terms[0]",
                      "COSM_TERM_WITH or COSM_TERM_ANY_OF");
    }
    cosm_query *plain = fixture_query(&box, box.position, (cosm_component){0});
    cosm_query *moved = changed_query(&box, box.position);
    CHECK(cosm_change_reader_create(NULL, moved) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_reader_create:", "batch is NULL", "pass both");
    CHECK(cosm_change_reader_create(box.batch, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_reader_create:", "query is NULL", "pass both");
    CHECK(cosm_change_reader_create(box.batch, plain) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_reader_create:", "has no 'changed' term",
                  "set 'changed'");
    cosm_rows rows;
    cosm_query_walk(plain, box.all, &rows);
    CHECK(cosm_change_reader_create(box.batch, moved) == NULL);
    CHECK_INT(cosm_error_result(), COSM_ERROR_WALKED);
    CHECK_INT(cosm_change_track(box.batch, box.position), COSM_ERROR_WALKED);
    cosm_rows_end(&rows);
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, moved);
    REQUIRE(reader != NULL);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY,
                "cosm_batch_destroy:", "1 change readers", "cosm_change_reader_destroy");
    cosm_change_walk(reader, (cosm_worlds){box.batch, 1, 2}, &rows);
    CHECK(!cosm_rows_next(&rows));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_walk:", "1", "");
    cosm_change_walk(NULL, box.all, &rows);
    CHECK(!cosm_rows_next(&rows));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_walk:", "reader is NULL",
                  "cosm_change_reader_create");
    cosm_change_walk(reader, box.all, NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_walk:", "out_rows is NULL", "pass");
    cosm_batch *second = cosm_batch_create(box.engine, NULL);
    cosm_change_walk(reader, cosm_worlds_all(second), &rows);
    CHECK(!cosm_rows_next(&rows));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_walk:", "another batch", "per batch");
    CHECK_FAILS(cosm_change_forget(NULL, box.all), COSM_ERROR_ARGUMENT,
                "cosm_change_forget:", "reader is NULL", "cosm_change_reader_create");
    CHECK_DONE(cosm_batch_destroy(second));
    CHECK_FAILS(cosm_change_track(NULL, box.position), COSM_ERROR_ARGUMENT,
                "cosm_change_track:", "batch is NULL", "cosm_batch_create");
    CHECK_FAILS(cosm_change_track(box.batch, box.mark), COSM_ERROR_ARGUMENT,
                "cosm_change_track:", "'Mark'", "components with a column");
    CHECK_INT(cosm_change_track(box.batch, (cosm_component){999}), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_change_now((cosm_world){NULL, 0}), 0);
    cosm_change_reader_destroy(reader);
    cosm_change_reader_destroy(NULL);
    cosm_query_destroy(plain);
    cosm_query_destroy(moved);
    fixture_close(&box);
}

TEST(marks_of_wrong_rows_or_terms_are_refused) {
    struct watch watch;
    watch_open(&watch);
    cosm_rows rows;
    cosm_query_walk(watch.moved, watch.box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_error_clear();
    cosm_change_mark(&rows, 0, 0, 1);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_mark:", "'Position'", "COSM_ACCESS_MARK");
    cosm_change_mark(&rows, 1, 0, 1);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_mark:", "term 1 of 1",
                  "within the current run");
    cosm_change_mark(&rows, 0, MANY, 1);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_mark:", "rows 2048", "within the current run");
    cosm_change_mark(&rows, 0, UINT32_MAX, 2);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_mark:", "rows", "within the current run");
    cosm_change_mark(NULL, 0, 0, 1);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_change_mark:", "rows is NULL", "pass");
    cosm_rows_end(&rows);
    CHECK_INT(look(watch.reader, watch.box.all), 0);
    watch_close(&watch);
}
