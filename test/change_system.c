// Systems as readers of changes (cosm/query.h).
// ctest: threads
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 6u

// What a system has seen: rows by step, written by one thread at a time or in one world only.
struct seen {
    struct fixture *box;
    uint64_t rows[WORLDS];
    bool writes;
    bool skips; // a `run` that does not walk this time
};

static void see_rows(cosm_rows *rows) {
    struct seen *seen = rows->context;
    seen->rows[rows->world] += rows->count;
    if (seen->writes) {
        Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
        for (uint32_t i = 0; i < rows->count; i++) {
            position[i].x += 1;
        }
    }
}

static void see_run(const cosm_turn *turn) {
    struct seen *seen = turn->context;
    cosm_rows rows;
    if (seen->skips) {
        return;
    }
    cosm_turn_walk(turn, 0, turn->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        seen->rows[rows.world] += rows.count;
    }
}

static void write_each(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].y += 1;
    }
}

static uint64_t take_rows(struct seen *seen) {
    uint64_t count = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        count += seen->rows[w];
        seen->rows[w] = 0;
    }
    return count;
}

static const cosm_query_desc *moved_desc(const struct fixture *box, cosm_access access,
                                         cosm_query_desc *out_desc) {
    *out_desc = (cosm_query_desc){
        .terms = {{.component = box->position, .access = access, .changed = true}}};
    return out_desc;
}

static void fill_worlds(const struct fixture *box, uint32_t count) {
    for (uint32_t w = 0; w < cosm_batch_world_count(box->batch); w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->mover, count, &rows));
    }
}

TEST(a_system_sees_in_each_turn_what_has_changed_since_its_last_one) {
    struct fixture box;
    fixture_open(&box, 0, WORLDS);
    fill_worlds(&box, 10);
    struct seen each = {.box = &box};
    struct seen run = {.box = &box};
    cosm_query_desc desc;
    cosm_system_desc see = {.name = "each", .each = see_rows, .context = &each};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_READ, &desc);
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    see = (cosm_system_desc){.name = "run", .run = see_run, .context = &run};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_READ, &desc);
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&each), 60);
    CHECK_INT(take_rows(&run), 60);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&each), 0);
    CHECK_INT(take_rows(&run), 0);
    cosm_entity entity = cosm_entity_at(fixture_world(&box, 4), (cosm_loc){box.mover.id, 3});
    CHECK(cosm_entity_write(fixture_world(&box, 4), entity, box.position) != NULL);
    run.skips = true;
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(each.rows[4], 10);
    CHECK_INT(take_rows(&each), 10);
    // A system that did not walk has not looked.
    run.skips = false;
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&each), 0);
    CHECK_INT(take_rows(&run), 10);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&run), 0);
    fixture_close(&box);
}

TEST(what_a_later_system_writes_is_seen_in_the_next_step) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fill_worlds(&box, 10);
    struct seen before = {.box = &box};
    struct seen after = {.box = &box};
    cosm_query_desc desc;
    cosm_system_desc see = {
        .name = "before", .each = see_rows, .context = &before, .before = {"write"}};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_READ, &desc);
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    see = (cosm_system_desc){
        .name = "after", .each = see_rows, .context = &after, .after = {"write"}};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_READ, &desc);
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    cosm_system writer = cosm_system_define(
        box.engine,
        &(cosm_system_desc){
            .name = "write",
            .each = write_each,
            .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}});
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&before), 20);
    CHECK_INT(take_rows(&after), 20);
    CHECK_DONE(cosm_system_enable(box.engine, writer, false));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&before), 20); // written after it ran
    CHECK_INT(take_rows(&after), 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&before), 0);
    CHECK_INT(take_rows(&after), 0);
    CHECK_DONE(cosm_system_enable(box.engine, writer, true));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&before), 0);
    CHECK_INT(take_rows(&after), 20);
    fixture_close(&box);
}

TEST(a_system_does_not_see_what_it_wrote_itself) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fill_worlds(&box, 10);
    struct seen own = {.box = &box, .writes = true};
    cosm_query_desc desc;
    cosm_system_desc see = {.name = "own", .each = see_rows, .context = &own};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_WRITE, &desc);
    cosm_system first = cosm_system_define(box.engine, &see);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&own), 20);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&own), 0);
    // Two of them see each other's writes.
    struct seen twin = {.box = &box, .writes = true};
    see.name = "twin";
    see.context = &twin;
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&own), 0);
    CHECK_INT(take_rows(&twin), 20);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&own), 20);
    CHECK_INT(take_rows(&twin), 20);
    // One that was switched off catches up.
    CHECK_DONE(cosm_system_enable(box.engine, first, false));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&twin), 0);
    CHECK_DONE(cosm_system_enable(box.engine, first, true));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(take_rows(&own), 20);
    CHECK_DONE(cosm_system_remove(box.engine, first));
    CHECK_DONE(cosm_batch_step(box.batch));
    fixture_close(&box);
}

static void see_twice(const cosm_turn *turn) {
    struct seen *seen = turn->context;
    for (uint32_t times = 0; times < 2; times++) {
        cosm_rows rows;
        cosm_turn_walk(turn, 0, turn->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            seen->rows[times] += rows.count;
        }
    }
    cosm_rows rows;
    cosm_turn_walk(turn, 1, turn->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        seen->rows[2] += rows.count;
        cosm_rows_end(&rows); // not to be lost
        break;
    }
}

TEST(walks_of_one_turn_show_the_same_and_one_that_is_ended_early_is_not_counted) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fill_worlds(&box, 10);
    struct seen seen = {.box = &box};
    cosm_query_desc desc;
    cosm_system_desc see = {.name = "twice", .run = see_twice, .context = &seen};
    see.queries[0] = *moved_desc(&box, COSM_ACCESS_READ, &desc);
    see.queries[1] = see.queries[0];
    see.queries[1].terms[0] = (cosm_term){.component = box.velocity, .access = COSM_ACCESS_WRITE};
    CHECK(cosm_system_define(box.engine, &see).id != 0);
    for (uint32_t step = 0; step < 3; step++) {
        cosm_entity entity = cosm_entity_at(box.world, (cosm_loc){box.mover.id, 1});
        CHECK(step == 1 || cosm_entity_write(box.world, entity, box.position) != NULL);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(seen.rows[0], step == 1 ? 0 : 10);
        CHECK_INT(seen.rows[1], step == 1 ? 0 : 10);
        CHECK_INT(seen.rows[2], 10);
        (void)take_rows(&seen);
    }
    fixture_close(&box);
}

TEST(a_system_looks_also_where_it_has_no_rows) {
    for (uint32_t worlds = 1; worlds < 3; worlds++) {
        struct fixture box;
        fixture_open(&box, 0, worlds);
        cosm_component exact = cosm_component_define(
            box.engine, &(cosm_component_desc){.name = "Exact", .size = 4, .change_rows = true});
        cosm_archetype things = cosm_archetype_define(
            box.engine, &(cosm_archetype_desc){.name = "thing", .components = {exact}});
        struct seen seen = {.box = &box};
        CHECK(cosm_system_define(
                  box.engine,
                  &(cosm_system_desc){.name = "see",
                                      .each = see_rows,
                                      .context = &seen,
                                      .queries = {{.terms = {{.component = exact, .changed = true},
                                                             {.component = box.mark,
                                                              .access = COSM_ACCESS_WRITE}}}}})
                  .id != 0);
        CHECK_DONE(cosm_batch_step(box.batch));
        cosm_entity entity = cosm_entity_spawn(box.world, things);
        CHECK_DONE(cosm_batch_step(box.batch));
        // It changed before the last turn, although the system could not see it then.
        CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(take_rows(&seen), 0);
        CHECK(cosm_entity_write(box.world, entity, exact) != NULL);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(take_rows(&seen), 1);
        fixture_close(&box);
    }
}

static void walk_by_hand(const cosm_turn *turn) {
    cosm_rows rows;
    cosm_change_walk(turn->context, turn->worlds, &rows);
    CHECK(!cosm_rows_next(&rows));
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_change_walk:", "is running", "between steps");
    CHECK_INT(cosm_change_now((cosm_world){turn->worlds.batch, 0}), 0);
    CHECK(cosm_change_reader_create(turn->worlds.batch, NULL) == NULL);
    CHECK_INT(cosm_change_forget(turn->context, turn->worlds), COSM_ERROR_BUSY);
}

TEST(a_reader_of_the_program_is_refused_while_a_step_runs) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fill_worlds(&box, 10);
    cosm_query_desc desc;
    cosm_query *moved = cosm_query_create(box.engine, moved_desc(&box, COSM_ACCESS_READ, &desc));
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, moved);
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "by hand",
                                                             .run = walk_by_hand,
                                                             .global = true,
                                                             .context = reader})
              .id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_BUSY);
    cosm_rows rows;
    cosm_change_walk(reader, box.all, &rows);
    CHECK(cosm_rows_next(&rows) && rows.count == 10);
    cosm_rows_end(&rows);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(moved);
    fixture_close(&box);
}

// A small world of systems that chase each other's changes: what they come to does not depend on
// who works on what.

static void spread(cosm_rows *rows) {
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        velocity[i].x += position[i].x + 1;
    }
}

static void feed_back(cosm_rows *rows) {
    const Velocity *velocity = COSM_COLUMN_READ(rows, Velocity, 0);
    Position *position = COSM_COLUMN_WRITE(rows, Position, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        bool odd = ((uint32_t)velocity[i].x + rows->entities[i].id) % 97 == 1;
        position[i].y += odd ? 1.0f : 0.0f;
        if (odd) {
            cosm_change_mark(rows, 1, i, 1);
        }
    }
}

static void grow(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i += 1 + rows->count / 3) {
        cosm_world world = cosm_rows_world(rows, i);
        if (rows->entities[i].id % 5 == 0) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box->mover)));
        } else if (rows->entities[i].id % 5 == 1) {
            CHECK_DONE(cosm_commands_add(commands, world, rows->entities[i], box->health));
        } else if (rows->entities[i].id % 5 == 2) {
            CHECK_DONE(cosm_commands_despawn(commands, world, rows->entities[i]));
        }
    }
}

static uint64_t run_chase(uint32_t workers, uint32_t worlds, uint32_t count, cosm_split split,
                          uint32_t block) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){
                          .world_count = worlds, .split = split, .block_worlds = block, .seed = 3});
    fill_worlds(&box, count);
    cosm_term moved = {.component = box.position, .changed = true};
    cosm_term turned = {.component = box.velocity, .changed = true};
    const cosm_system_desc systems[] = {
        {.name = "spread",
         .each = spread,
         .queries = {{.terms = {moved, {.component = box.velocity, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "feed",
         .each = feed_back,
         .queries = {{.terms = {turned, {.component = box.position, .access = COSM_ACCESS_MARK}}}}},
        {.name = "grow",
         .each = grow,
         .context = &box,
         .commands = true,
         .queries = {{.terms = {turned}}}},
        {.name = "idle",
         .each = spread,
         .every = 3,
         .queries = {{.terms = {moved, {.component = box.velocity, .access = COSM_ACCESS_WRITE}}}}},
    };
    for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
        CHECK(cosm_system_define(box.engine, &systems[i]).id != 0);
    }
    for (uint32_t s = 0; s < 12; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
        for (uint32_t w = 0; w < worlds; w++) {
            cosm_world world = fixture_world(&box, w);
            cosm_entity entity = cosm_entity_at(world, (cosm_loc){box.mover.id, s * 7 % count});
            if (!cosm_entity_is_none(entity)) {
                COSM_WRITE(world, entity, Position)->x += 1;
            }
        }
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return checksum;
}

TEST(what_systems_see_does_not_depend_on_workers_blocks_or_chunks) {
    uint64_t few = run_chase(1, 1, 9000, COSM_SPLIT_NONE, 0);
    CHECK_INT(run_chase(3, 1, 9000, COSM_SPLIT_CHUNKS, 0), few);
    CHECK_INT(run_chase(2, 1, 9000, COSM_SPLIT_CHUNKS, 0), few);
    CHECK_INT(run_chase(3, 1, 9000, COSM_SPLIT_AUTO, 0), few);
    uint64_t many = run_chase(1, 50, 40, COSM_SPLIT_NONE, 0);
    CHECK_INT(run_chase(3, 50, 40, COSM_SPLIT_WORLDS, 3), many);
    CHECK_INT(run_chase(2, 50, 40, COSM_SPLIT_CHUNKS, 0), many);
    CHECK_INT(run_chase(2, 50, 40, COSM_SPLIT_WORLDS, 50), many);
}
