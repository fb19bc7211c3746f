// Turns: what a system gets when it is called (cosm/system.h).
// ctest: threads
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

static void open_split(struct fixture *box, uint32_t workers, uint32_t worlds, cosm_split split) {
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .seed = 7, .split = split});
}

static cosm_term read_term(cosm_component component) {
    return (cosm_term){.component = component};
}

// Shared by the checks below; on the main thread unless they say otherwise.
struct guest {
    const struct fixture *box;
    const cosm_turn *kept_turn;
    cosm_commands *kept_commands;
    uint32_t count;
    uint64_t step;
    cosm_system system;
};

static void look_around(const cosm_turn *turn) {
    struct guest *guest = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    CHECK(batch == guest->box->batch);
    CHECK_INT(turn->worlds.first, 0);
    CHECK_INT(turn->worlds.count, 3);
    CHECK_INT(turn->worker, 0);
    CHECK_INT(turn->step, cosm_batch_step_count(batch));
    CHECK_INT(turn->system.id, guest->system.id);
    CHECK_NEAR(turn->dt, cosm_batch_step_seconds(batch), 0);
    // Queries by number.
    CHECK(cosm_turn_query(turn, 0) != NULL);
    CHECK_INT(cosm_query_count(cosm_turn_query(turn, 1), turn->worlds), 2);
    CHECK(cosm_turn_query(turn, 2) == NULL);
    CHECK(cosm_turn_query(turn, UINT32_MAX) == NULL);
    guest->count++;
}

TEST(a_turn_tells_its_worlds_its_step_its_system_and_its_queries) {
    struct fixture box;
    open_split(&box, 2, 3, COSM_SPLIT_AUTO);
    struct guest guest = {.box = &box};
    cosm_system_desc desc = {
        .name = "guest",
        .run = look_around,
        .context = &guest,
        .main_thread = true,
        .queries = {{.terms = {read_term(box.position)}}, {.terms = {read_term(box.health)}}}};
    guest.system = cosm_system_define(box.engine, &desc);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 2, &rows));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(guest.count, 2);
    fixture_close(&box);
}

static void walk_wrongly(const cosm_turn *turn) {
    struct guest *guest = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    cosm_rows rows;
    memset(&rows, 0x55, sizeof(rows));
    cosm_error_clear();
    cosm_turn_walk(turn, 1, turn->worlds, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_walk:", "1 queries", "desc.queries");
    CHECK(!cosm_rows_next(&rows));
    const cosm_worlds others[] = {{batch, 0, turn->worlds.count + 1},
                                  {batch, turn->worlds.count, 1},
                                  {batch, UINT32_MAX, 2},
                                  {NULL, 0, 1},
                                  {batch, 1, UINT32_MAX}};
    for (uint32_t i = 0; i < 5; i++) {
        memset(&rows, 0x55, sizeof(rows));
        cosm_turn_walk(turn, 0, others[i], &rows);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_walk:", "'guest'", "turn->worlds");
        CHECK(!cosm_rows_next(&rows));
    }
    cosm_turn_walk(turn, 0, turn->worlds, NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_walk:", "out_rows is NULL", "cosm_rows");
    memset(&rows, 0x55, sizeof(rows));
    cosm_turn_walk(NULL, 0, turn->worlds, &rows);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_walk:", "turn is NULL", "until it returns");
    CHECK(!cosm_rows_next(&rows));
    // A part of the worlds is fine.
    uint32_t seen = 0;
    cosm_turn_walk(turn, 0, cosm_worlds_range(batch, 1, 1), &rows);
    while (cosm_rows_next(&rows)) {
        CHECK(rows.turn == turn);
        CHECK_NEAR(rows.dt, turn->dt, 0);
        seen += rows.count;
    }
    CHECK_INT(seen, 5);
    CHECK(cosm_turn_commands(turn) == NULL);
    CHECK_FAILURE(COSM_ERROR_ACCESS, "cosm_turn_commands:", "'guest'", "desc.commands");
    guest->count++;
}

TEST(a_walk_of_what_is_not_the_turns_is_refused_and_empty) {
    struct fixture box;
    open_split(&box, 1, 3, COSM_SPLIT_NONE);
    struct guest guest = {.box = &box};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.mover, 5, &rows));
    cosm_system_desc desc = {.name = "guest",
                             .run = walk_wrongly,
                             .context = &guest,
                             .global = true,
                             .queries = {{.terms = {read_term(box.position)}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
    CHECK_INT(guest.count, 1);
    CHECK(!cosm_world_is_walked(box.world));
    fixture_close(&box);
}

static void keep_all(const cosm_turn *turn) {
    struct guest *guest = turn->context;
    guest->kept_turn = turn;
    guest->kept_commands = cosm_turn_commands(turn);
    CHECK(!cosm_entity_is_none(
        cosm_commands_spawn(guest->kept_commands, guest->box->world, guest->box->mover)));
    CHECK_FAILS(cosm_commands_apply(guest->kept_commands, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply:", "to a turn", "to the step");
    cosm_commands_clear(guest->kept_commands);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_clear:", "to a turn", "to the step");
    cosm_commands_destroy(guest->kept_commands);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_destroy:", "to a turn", "to the step");
    CHECK_INT(cosm_commands_count(guest->kept_commands), 1);
}

TEST(nothing_of_a_turn_can_be_used_after_it) {
    struct fixture box;
    open_split(&box, 1, 2, COSM_SPLIT_NONE);
    struct guest guest = {.box = &box};
    cosm_system_desc desc = {
        .name = "guest", .run = keep_all, .context = &guest, .global = true, .commands = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_commands_spawn(guest.kept_commands, box.world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "finished turn",
                  "cosm_turn_commands in every turn");
    CHECK_INT(cosm_commands_despawn(guest.kept_commands, box.world, COSM_ENTITY_NONE),
              COSM_ERROR_ARGUMENT);
    CHECK(cosm_turn_commands(guest.kept_turn) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_commands:", "not the current turn",
                  "until it returns");
    CHECK(cosm_turn_scratch(guest.kept_turn, 8) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_scratch:", "not the current turn",
                  "until it returns");
    CHECK(cosm_turn_query(guest.kept_turn, 0) == NULL);
    cosm_turn_fail(guest.kept_turn, "late");
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_fail:", "not the current turn",
                  "until it returns");
    cosm_random random = cosm_turn_random(guest.kept_turn, box.world, 1);
    (void)random;
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_turn_random:", "not the current turn",
                  "until it returns");
    cosm_error_clear();
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    fixture_close(&box);
}

// A system records for the worlds of its turn only.
static void record_elsewhere(cosm_rows *rows) {
    struct guest *guest = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    uint32_t own = cosm_rows_world(rows, 0).index;
    cosm_world other = fixture_world(guest->box, (own + 1) % 3);
    CHECK(cosm_entity_is_none(cosm_commands_spawn(commands, other, guest->box->mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "'guest'", "make the system global");
}

TEST(a_system_records_for_the_worlds_of_its_turn_only) {
    for (uint32_t split = 0; split < 4; split++) {
        struct fixture box;
        open_split(&box, 1, 3, (cosm_split)split);
        struct guest guest = {.box = &box};
        for (uint32_t w = 0; w < 3; w++) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, w), box.mover)));
        }
        cosm_system_desc desc = {.name = "guest",
                                 .each = record_elsewhere,
                                 .context = &guest,
                                 .commands = true,
                                 .queries = {{.terms = {read_term(box.position)}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
        CHECK_INT(cosm_batch_entity_count(box.batch), 3);
        fixture_close(&box);
    }
}

static void record_undeclared(cosm_rows *rows) {
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    CHECK(commands == NULL);
    CHECK_INT(cosm_commands_despawn(commands, cosm_rows_world(rows, 0), rows->entities[0]),
              COSM_ERROR_ARGUMENT);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_despawn:", "set desc.commands",
                  "cosm_turn_commands");
}

TEST(a_system_without_commands_is_told_to_declare_them) {
    struct fixture box;
    open_split(&box, 1, 1, COSM_SPLIT_AUTO);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    cosm_system_desc desc = {.name = "guest",
                             .each = record_undeclared,
                             .queries = {{.terms = {read_term(box.position)}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ACCESS, "cosm_turn_commands:", "'guest'",
                "desc.commands");
    fixture_close(&box);
}

struct desk {
    void *kept;
    uint32_t rounds;
    size_t used;
};

static void use_scratch(const cosm_turn *turn) {
    struct desk *desk = turn->context;
    static const size_t sizes[] = {1, 0, 63, 64, 65, 1000, 5 << 20, 7};
    char *last = NULL;
    for (uint32_t i = 0; i < 8; i++) {
        char *bytes = cosm_turn_scratch(turn, sizes[i]);
        CHECK(bytes != NULL);
        CHECK_INT((uintptr_t)bytes % 64, 0);
        memset(bytes, (int)i, sizes[i]);
        CHECK(last == NULL || sizes[i] == 0 || bytes != last);
        CHECK(i == 0 || sizes[i - 1] == 0 || last[sizes[i - 1] - 1] == (char)(i - 1));
        last = bytes;
    }
    CHECK(cosm_turn_scratch(turn, SIZE_MAX) == NULL);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_turn_scratch:", "out of memory", "call again");
    CHECK(cosm_turn_scratch(turn, SIZE_MAX / 2) == NULL);
    desk->kept = cosm_turn_scratch(turn, 16);
    memset(desk->kept, 0x5C, 16);
    desk->rounds++;
}

// A later system of the same phase still finds what was put there.
static void find_scratch(const cosm_turn *turn) {
    struct desk *desk = turn->context;
    (void)turn;
    unsigned char expected[16];
    memset(expected, 0x5C, sizeof(expected));
    CHECK_MEM(desk->kept, expected, sizeof(expected));
}

TEST(scratch_is_aligned_holds_for_the_phase_and_is_used_again) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 2},
                      &(cosm_batch_desc){.memory_limit = 64 << 20});
    struct desk desk = {.kept = NULL};
    cosm_system_desc desc = {
        .name = "use", .run = use_scratch, .context = &desk, .main_thread = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    desc = (cosm_system_desc){
        .name = "find", .run = find_scratch, .context = &desk, .main_thread = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    size_t used = 0;
    for (uint32_t i = 0; i < 50; i++) {
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_MEMORY);
        used = i == 4 ? cosm_batch_memory(box.batch).used : used;
    }
    CHECK_INT(desk.rounds, 50);
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    fixture_close(&box);
}

// Random numbers: by world, system, step and stream, and by nothing else.
static void draw(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_random random =
            cosm_turn_random(rows->turn, cosm_rows_world(rows, i), rows->entities[i].id);
        position[i].x = cosm_random_float(&random);
        cosm_random again =
            cosm_turn_random(rows->turn, cosm_rows_world(rows, i), rows->entities[i].id);
        CHECK_NEAR(cosm_random_float(&again), position[i].x, 0);
    }
}

static uint64_t draw_all(uint32_t workers, cosm_split split, const char *name, uint32_t steps) {
    struct fixture box;
    open_split(&box, workers, 6, split);
    cosm_rows rows;
    for (uint32_t w = 0; w < 6; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 1000, &rows));
    }
    cosm_system_desc desc = {
        .name = name,
        .each = draw,
        .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    for (uint32_t s = 0; s < steps; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    uint64_t checksum = 0;
    for (uint32_t w = 0; w < 6; w++) {
        uint64_t one = cosm_hash_world(fixture_world(&box, w), COSM_HASH_CONTENT);
        CHECK(one != cosm_hash_world(fixture_world(&box, (w + 1) % 6), COSM_HASH_CONTENT));
        checksum = checksum * 31 + one;
    }
    fixture_close(&box);
    return checksum;
}

TEST(random_numbers_depend_on_world_system_step_and_stream_and_on_nothing_else) {
    uint64_t expected = draw_all(1, COSM_SPLIT_NONE, "draw", 2);
    for (uint32_t workers = 1; workers <= 5; workers += 2) {
        for (uint32_t split = 0; split < 4; split++) {
            CHECK_INT(draw_all(workers, (cosm_split)split, "draw", 2), expected);
        }
    }
    CHECK(draw_all(1, COSM_SPLIT_NONE, "draw", 3) != expected);
    CHECK(draw_all(1, COSM_SPLIT_NONE, "another", 2) != expected);
}

// Failures.
struct failer {
    const char *message;
    uint32_t world; // fails in this one; UINT32_MAX: in all
};

static void fail_turn(const cosm_turn *turn) {
    const struct failer *failer = turn->context;
    uint32_t from = turn->worlds.first;
    for (uint32_t w = from; w < from + turn->worlds.count; w++) {
        if (failer->world == UINT32_MAX || failer->world == w) {
            cosm_turn_fail(turn, failer->message);
        }
    }
}

TEST(the_first_failure_in_the_order_of_the_plan_is_what_a_step_returns) {
    for (uint32_t i = 0; i < 16; i++) {
        struct fixture box;
        open_split(&box, 1 + i / 4 * 2, 40, (cosm_split)(i % 4));
        struct failer failers[] = {{"third", UINT32_MAX}, {"second", 3}, {"first", 39}};
        for (uint32_t s = 0; s < 3; s++) {
            cosm_system_desc desc = {.name = failers[s].message,
                                     .run = fail_turn,
                                     .context = &failers[s],
                                     .rank = -(int32_t)s};
            CHECK(cosm_system_define(box.engine, &desc).id != 0);
        }
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_SYSTEM);
        CHECK_STR(cosm_error_message(), "system 'first': first");
        CHECK_INT(cosm_error_result(), COSM_ERROR_SYSTEM);
        CHECK_INT(cosm_batch_step_count(box.batch), 1);
        CHECK_DONE(cosm_system_enable(box.engine, cosm_system_find(box.engine, "first"), false));
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_SYSTEM);
        CHECK_STR(cosm_error_message(), "system 'second': second");
        failers[1].message = NULL;
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_SYSTEM);
        CHECK_CONTAINS(cosm_error_message(), "system 'second': ");
        CHECK_DONE(cosm_system_enable(box.engine, cosm_system_find(box.engine, "second"), false));
        CHECK_DONE(cosm_system_enable(box.engine, cosm_system_find(box.engine, "third"), false));
        CHECK_DONE(cosm_batch_step(box.batch));
        fixture_close(&box);
    }
}

// Every row fails in its own words; the first row in the order of rows is the one to hear of.
static void fail_by_row(cosm_rows *rows) {
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (position[i].x > 0) {
            char text[64];
            (void)snprintf(text, sizeof(text), "world %u row %u", cosm_rows_world(rows, i).index,
                           rows->row + i);
            cosm_turn_fail(rows->turn, text);
        }
    }
}

TEST(of_failures_in_one_world_that_of_the_first_row_is_told_whatever_the_workers) {
    for (uint32_t i = 0; i < 24; i++) {
        struct fixture box;
        open_split(&box, 1 + i / 8 * 3, 2, (cosm_split)(i % 4));
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.mover, 40000, &rows));
        Position *position = COSM_WRITE(&rows, Position);
        // So that some failures come on every worker, and the first one late in its chunk.
        position[1000].x = 1;
        for (uint32_t r = 20000; r < 40000; r += 500) {
            position[r].x = 1;
        }
        cosm_system_desc desc = {.name = "rows",
                                 .each = fail_by_row,
                                 .commands = i / 4 % 2 == 1,
                                 .queries = {{.terms = {read_term(box.position)}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        for (uint32_t s = 0; s < 5; s++) {
            CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_SYSTEM);
            CHECK_STR(cosm_error_message(), "system 'rows': world 1 row 1000");
        }
        fixture_close(&box);
    }
}

// What a system says comes before what its commands meet, and what a later system says after both.
static void spawn_too_many(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    cosm_commands *commands = cosm_turn_commands(turn);
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(turn->worlds.batch, turn->worlds.first + w);
        for (uint32_t i = 0; world.index == 1 && i < 5; i++) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box->slot)));
        }
    }
}

TEST(what_cannot_be_applied_is_told_in_the_order_of_the_plan) {
    for (uint32_t i = 0; i < 8; i++) {
        struct fixture box;
        open_split(&box, 1 + i / 4 * 2, 20, (cosm_split)(i % 4));
        struct failer failer = {"late", 0};
        cosm_system_desc desc = {
            .name = "spawn", .run = spawn_too_many, .context = &box, .commands = true};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        desc = (cosm_system_desc){
            .name = "late", .run = fail_turn, .context = &failer, .synced = true};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_FULL, "cosm_batch_step:", "world 1",
                    "despawn some");
        CHECK_DONE(cosm_system_enable(box.engine, cosm_system_find(box.engine, "spawn"), false));
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_SYSTEM);
        fixture_close(&box);
    }
}

// Sizes that would wrap around with what is added to them.
static void ask_too_much(const cosm_turn *turn) {
    for (size_t less = 0; less < 300; less++) {
        CHECK(cosm_turn_scratch(turn, SIZE_MAX - less) == NULL);
    }
}

TEST(scratch_of_nearly_all_memory_there_can_be_is_refused) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.memory_limit = 64 << 20});
    cosm_system_desc desc = {.name = "greedy", .run = ask_too_much};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_MEMORY);
    fixture_close(&box);
}
