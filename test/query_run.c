// Calling a function for all rows of a query, on several workers (cosm_query_run of cosm/query.h).
// ctest: threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

struct visits {
    const struct fixture *box;
    atomic_uint rows;
    atomic_uint calls;
    atomic_uint wrong;
    pthread_t caller;
    atomic_uint elsewhere; // calls on another thread
};

// Work that is worth being spread.
static void visit(cosm_rows *rows) {
    struct visits *visits = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        float x = position[i].x;
        for (uint32_t k = 0; k < 50; k++) {
            x = x * 0.5f + 0.5f * position[i].x;
        }
        position[i].y += 1;
        position[i].z = x;
    }
    atomic_fetch_add(&visits->rows, rows->count);
    atomic_fetch_add(&visits->calls, 1);
    atomic_fetch_add(&visits->elsewhere, !pthread_equal(pthread_self(), visits->caller));
    // Nobody changes the worlds meanwhile.
    cosm_world world = cosm_rows_world(rows, 0);
    atomic_fetch_add(&visits->wrong, !cosm_world_is_walked(world) || rows->turn != NULL);
}

static void open_rows(struct fixture *box, uint32_t workers, uint32_t worlds, uint32_t count) {
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds});
    for (uint32_t w = 0; w < worlds; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->mover, count + w, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->slot, 4, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, w), box->event, 4, &rows));
    }
}

// Every row of the worlds [first, end) was visited `times`, the others not at all.
static void check_visits(const struct fixture *box, uint32_t first, uint32_t end, float times) {
    cosm_query *query = fixture_query(box, box->position, (cosm_component){0});
    cosm_rows rows;
    uint32_t wrong = 0;
    cosm_query_walk(query, box->all, &rows);
    while (cosm_rows_next(&rows)) {
        const Position *position = COSM_COLUMN_READ(&rows, Position, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            uint32_t w = cosm_rows_world(&rows, i).index;
            wrong += position[i].y != (w >= first && w < end ? times : 0);
        }
    }
    CHECK_INT(wrong, 0);
    cosm_query_destroy(query);
}

TEST(every_row_is_visited_exactly_once_with_any_workers_worlds_and_rows) {
    const uint32_t worker_counts[] = {1, 2, 5};
    const uint32_t world_counts[] = {1, 3, 40};
    const uint32_t row_counts[] = {0, 1, 500, 9000};
    for (uint32_t i = 0; i < 36; i++) {
        struct fixture box;
        uint32_t worlds = world_counts[i / 3 % 3];
        uint32_t count = row_counts[i / 9] / (worlds > 3 ? 10 : 1);
        open_rows(&box, worker_counts[i % 3], worlds, count);
        struct visits visits = {.box = &box, .caller = pthread_self()};
        cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
        CHECK_DONE(cosm_query_run(query, box.all, visit, &visits));
        CHECK_INT(atomic_load(&visits.rows), cosm_query_count(query, box.all));
        CHECK_INT(atomic_load(&visits.wrong), 0);
        check_visits(&box, 0, worlds, 1);
        CHECK(!cosm_world_is_walked(box.world));
        if (worlds > 2) {
            cosm_worlds some = cosm_worlds_range(box.batch, 1, worlds - 2);
            CHECK_DONE(cosm_batch_reset(box.batch, NULL));
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.mover, 20000, &rows));
            CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 20000, &rows));
            CHECK_DONE(cosm_query_run(query, some, visit, &visits));
            check_visits(&box, 1, worlds - 1, 1);
        }
        cosm_query_destroy(query);
        fixture_close(&box);
    }
}

TEST(many_rows_are_visited_on_several_threads) {
    struct fixture box;
    open_rows(&box, 4, 1, 200000);
    struct visits visits = {.box = &box, .caller = pthread_self()};
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    // Once is enough as a rule; help comes late on a machine that has something else to do.
    for (uint32_t i = 0; i < 200 && atomic_load(&visits.elsewhere) == 0; i++) {
        CHECK_DONE(cosm_query_run(query, box.all, visit, &visits));
    }
    CHECK(atomic_load(&visits.elsewhere) > 0);
    CHECK(atomic_load(&visits.calls) > 1);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(on_one_worker_it_is_a_plain_walk_on_the_calling_thread) {
    struct fixture box;
    open_rows(&box, 1, 1, 100000);
    struct visits visits = {.box = &box, .caller = pthread_self()};
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    CHECK_DONE(cosm_query_run(query, box.all, visit, &visits));
    CHECK_INT(atomic_load(&visits.calls), 1);
    CHECK_INT(atomic_load(&visits.elsewhere), 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Several threads try at once, and one of them may find another one's attempt in its way.
static bool is_refusal(cosm_result result) {
    return result == COSM_ERROR_WALKED || result == COSM_ERROR_BUSY;
}

static void try_changes(cosm_rows *rows) {
    struct visits *visits = rows->context;
    cosm_world world = cosm_rows_world(rows, 0);
    bool refused = cosm_entity_is_none(cosm_entity_spawn(world, visits->box->mover)) &&
                   cosm_world_reset(world) == COSM_ERROR_WALKED &&
                   is_refusal(cosm_batch_step(world.batch)) &&
                   is_refusal(cosm_batch_destroy(world.batch));
    atomic_fetch_add(&visits->wrong, !refused);
    atomic_fetch_add(&visits->rows, rows->count);
}

TEST(direct_changes_are_refused_while_rows_are_visited) {
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        struct fixture box;
        open_rows(&box, workers, 2, 30000);
        struct visits visits = {.box = &box};
        cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
        CHECK_FAILS(cosm_query_run(query, box.all, try_changes, &visits), COSM_ERROR_WALKED,
                    "cosm_entity_spawn", "world 0", "commands");
        CHECK_INT(atomic_load(&visits.wrong), 0);
        CHECK_INT(atomic_load(&visits.rows), 60001);
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
        CHECK_DONE(cosm_batch_step(box.batch));
        cosm_query_destroy(query);
        fixture_close(&box);
    }
}

// Asks for a column that the query only reads, in the runs of one world.
static void write_what_is_read(cosm_rows *rows) {
    struct visits *visits = rows->context;
    atomic_fetch_add(&visits->rows, rows->count);
    if (rows->world == 1) {
        atomic_fetch_add(&visits->wrong, COSM_WRITE(rows, Velocity) != NULL || rows->count != 0);
    }
}

TEST(a_column_that_is_refused_is_the_result_of_the_run) {
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        for (uint32_t count = 10; count <= 100000; count += 99990) {
            struct fixture box;
            open_rows(&box, workers, 3, count);
            struct visits visits = {.box = &box};
            cosm_query *query =
                cosm_query_create(box.engine, &(cosm_query_desc){.text = "Velocity"});
            CHECK_FAILS(cosm_query_run(query, box.all, write_what_is_read, &visits),
                        COSM_ERROR_ARGUMENT, "COSM_WRITE", "is only read", "mut Velocity");
            CHECK_INT(atomic_load(&visits.rows), 3 * count + 3);
            CHECK_INT(atomic_load(&visits.wrong), 0);
            CHECK_DONE(cosm_query_run(query, cosm_worlds_range(box.batch, 2, 1), write_what_is_read,
                                      &visits));
            cosm_query_destroy(query);
            fixture_close(&box);
        }
    }
}

static void run_wrongly(const cosm_turn *turn) {
    CHECK_INT(
        cosm_query_run(cosm_turn_query(turn, 0), turn->worlds, write_what_is_read, turn->context),
        COSM_ERROR_ARGUMENT);
}

TEST(a_column_that_is_refused_in_a_run_within_a_system_fails_the_step) {
    struct fixture box;
    open_rows(&box, 1, 2, 10);
    struct visits visits = {.box = &box};
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "wrong",
                                                             .run = run_wrongly,
                                                             .context = &visits,
                                                             .query = "Velocity",
                                                             .global = true})
              .id != 0);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT, "COSM_WRITE", "is only read",
                "mut Velocity");
    CHECK_INT(atomic_load(&visits.wrong), 0);
    fixture_close(&box);
}

// Two levels deep, from every thread at once.
struct deep {
    cosm_query *query;
    cosm_worlds worlds;
    uint32_t depth;
    atomic_uint *rows;
};

static void dive(cosm_rows *rows) {
    const struct deep *deep = rows->context;
    atomic_fetch_add(&deep->rows[deep->depth], rows->count);
    if (deep->depth > 0 && rows->row % 4096 == 0) {
        struct deep next = *deep;
        next.depth--;
        CHECK_DONE(cosm_query_run(deep->query, deep->worlds, dive, &next));
    }
}

TEST(runs_nest_and_visit_all_rows_each_time) {
    struct fixture box;
    open_rows(&box, 4, 1, 20000);
    static atomic_uint rows[3];
    memset(rows, 0, sizeof(rows));
    struct deep deep = {fixture_query(&box, box.velocity, (cosm_component){0}), box.all, 2, rows};
    CHECK_DONE(cosm_query_run(deep.query, box.all, dive, &deep));
    CHECK_INT(atomic_load(&rows[2]), 20000);
    CHECK(atomic_load(&rows[1]) > 0 && atomic_load(&rows[1]) % 20000 == 0);
    CHECK(atomic_load(&rows[0]) > 0 && atomic_load(&rows[0]) % 20000 == 0);
    CHECK(!cosm_world_is_walked(box.world));
    cosm_query_destroy(deep.query);
    fixture_close(&box);
}

static void visit_in_turn(const cosm_turn *turn) {
    struct visits *visits = turn->context;
    CHECK_DONE(cosm_query_run(cosm_turn_query(turn, 0), turn->worlds, visit, visits));
}

TEST(within_a_system_rows_are_visited_on_its_own_thread) {
    struct fixture box;
    open_rows(&box, 4, 1, 50000);
    struct visits visits = {.box = &box, .caller = pthread_self()};
    cosm_system_desc desc = {
        .name = "visitor",
        .run = visit_in_turn,
        .context = &visits,
        .main_thread = true,
        .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(atomic_load(&visits.rows), 50004);
    CHECK_INT(atomic_load(&visits.elsewhere), 0);
    check_visits(&box, 0, 1, 1);
    fixture_close(&box);
}

TEST(wrong_arguments_are_reported_and_nothing_is_called) {
    struct fixture box;
    struct fixture other;
    open_rows(&box, 2, 1, 10);
    fixture_open(&other, 0, 1);
    struct visits visits = {.box = &box};
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    CHECK_FAILS(cosm_query_run(NULL, box.all, visit, &visits), COSM_ERROR_ARGUMENT,
                "cosm_query_run:", "query is NULL", "cosm_query_create");
    CHECK_FAILS(cosm_query_run(query, box.all, NULL, &visits), COSM_ERROR_ARGUMENT,
                "cosm_query_run:", "each is NULL", "pass a function");
    CHECK_FAILS(cosm_query_run(query, other.all, visit, &visits), COSM_ERROR_ARGUMENT,
                "cosm_query_run:", "another engine", "create it from");
    cosm_worlds beyond = {box.batch, 0, 2};
    CHECK_FAILS(cosm_query_run(query, beyond, visit, &visits), COSM_ERROR_ARGUMENT,
                "cosm_query_run:", "2 worlds", "within it");
    CHECK_INT(atomic_load(&visits.calls), 0);
    cosm_worlds none = {box.batch, 0, 0};
    CHECK_DONE(cosm_query_run(query, none, visit, &visits));
    CHECK_INT(atomic_load(&visits.calls), 0);
    cosm_query_destroy(query);
    fixture_close(&other);
    fixture_close(&box);
}
