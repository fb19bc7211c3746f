// Workers: an engine's own threads and a host's scheduler (cosm/engine.h).
// ctest: threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

// A small program with systems that touch, record and read, whose outcome is one number.
static void move_rows(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Velocity *velocity = COSM_COLUMN_READ(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += velocity[i].x * rows->dt + 1;
    }
}

static void breed_rows(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    const Position *position = COSM_COLUMN_READ(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        uint32_t id = rows->entities[i].id;
        if ((id + (uint32_t)position[i].x) % 7 == 0) {
            CHECK_DONE(cosm_commands_despawn(commands, world, rows->entities[i]));
        } else if (id % 11 == 0) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box->mover)));
        }
    }
}

static void open_program(struct fixture *box, const cosm_engine_desc *engine,
                         const cosm_batch_desc *batch) {
    fixture_open_with(box, 0, engine, batch);
    cosm_term read = {.component = box->position};
    cosm_system_desc descs[] = {
        {.name = "move",
         .each = move_rows,
         .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                {.component = box->velocity}}}}},
        {.name = "breed",
         .each = breed_rows,
         .context = box,
         .commands = true,
         .queries = {{.terms = {read, {.component = box->velocity}}}}},
    };
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(cosm_system_define(box->engine, &descs[i]).id != 0);
    }
}

static void fill_program(const struct fixture *box, cosm_batch *batch, uint32_t count) {
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, w), box->mover, count, &rows));
    }
}

static uint64_t run_steps(cosm_batch *batch, uint32_t steps) {
    for (uint32_t s = 0; s < steps; s++) {
        CHECK_DONE(cosm_batch_step(batch));
    }
    CHECK_VALID(batch);
    return cosm_hash_batch(batch, COSM_HASH_EXACT);
}

static uint64_t run_program(const cosm_engine_desc *engine, cosm_split split, uint32_t worlds,
                            uint32_t count, uint32_t steps) {
    struct fixture box;
    open_program(&box, engine, &(cosm_batch_desc){.world_count = worlds, .split = split});
    fill_program(&box, box.batch, count);
    uint64_t checksum = run_steps(box.batch, steps);
    fixture_close(&box);
    return checksum;
}

static uint64_t run_alone(uint32_t worlds, uint32_t count, uint32_t steps) {
    return run_program(&(cosm_engine_desc){.worker_count = 1}, COSM_SPLIT_NONE, worlds, count,
                       steps);
}

TEST(any_number_of_workers_ends_alike) {
    uint64_t few = run_alone(1, 6000, 4);
    uint64_t many = run_alone(50, 40, 4);
    const uint32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 40, COSM_WORKER_MAX};
    for (uint32_t i = 0; i < 10; i++) {
        cosm_engine_desc engine = {.worker_count = counts[i]};
        for (uint32_t split = 0; split < 3; split++) {
            CHECK_INT(run_program(&engine, (cosm_split)split, 1, 6000, 4), few);
            CHECK_INT(run_program(&engine, (cosm_split)split, 50, 40, 4), many);
        }
    }
}

// A host that starts a thread for each call.
struct host {
    atomic_uint starts;
    atomic_uint finishes;
    atomic_uint calls;
    bool is_lazy;  // calls nothing until it is asked to finish
    bool is_eager; // calls everything before it returns
};

struct host_call {
    struct host *host;
    cosm_scheduler_task_fn *task;
    void *argument;
    uint32_t count;
    pthread_t threads[COSM_WORKER_MAX];
};

static void *call_task(void *context) {
    struct host_call *call = context;
    atomic_fetch_add(&call->host->calls, 1);
    call->task(call->argument);
    return NULL;
}

static void *host_start(void *context, cosm_scheduler_task_fn *task, void *argument,
                        uint32_t count) {
    struct host *host = context;
    struct host_call *call = calloc(1, sizeof(*call));
    atomic_fetch_add(&host->starts, 1);
    CHECK(call != NULL && task != NULL && count > 0 && count < COSM_WORKER_MAX);
    *call = (struct host_call){.host = host, .task = task, .argument = argument, .count = count};
    for (uint32_t i = 0; i < count && !host->is_lazy; i++) {
        if (host->is_eager) {
            call_task(call);
        } else {
            CHECK_INT(pthread_create(&call->threads[i], NULL, call_task, call), 0);
        }
    }
    return call;
}

static void host_finish(void *context, void *started) {
    struct host *host = context;
    struct host_call *call = started;
    atomic_fetch_add(&host->finishes, 1);
    for (uint32_t i = 0; i < call->count && !host->is_eager; i++) {
        if (host->is_lazy) {
            call_task(call);
        } else {
            CHECK_INT(pthread_join(call->threads[i], NULL), 0);
        }
    }
    free(call);
}

TEST(a_scheduler_of_the_host_ends_alike_whenever_it_calls) {
    uint64_t few = run_alone(1, 3000, 3);
    uint64_t many = run_alone(30, 30, 3);
    for (uint32_t kind = 0; kind < 3; kind++) {
        static struct host host;
        memset(&host, 0, sizeof(host));
        host.is_lazy = kind == 1;
        host.is_eager = kind == 2;
        cosm_engine_desc engine = {.worker_count = 4,
                                   .scheduler = {host_start, host_finish, &host}};
        CHECK_INT(run_program(&engine, COSM_SPLIT_CHUNKS, 1, 3000, 3), few);
        CHECK_INT(run_program(&engine, COSM_SPLIT_WORLDS, 30, 30, 3), many);
        CHECK_INT(run_program(&engine, COSM_SPLIT_AUTO, 30, 30, 3), many);
        CHECK(atomic_load(&host.starts) > 0);
        CHECK_INT(atomic_load(&host.finishes), atomic_load(&host.starts));
    }
}

TEST(a_scheduler_of_the_host_is_not_called_for_one_worker) {
    static struct host host;
    memset(&host, 0, sizeof(host));
    cosm_engine_desc engine = {.worker_count = 1, .scheduler = {host_start, host_finish, &host}};
    CHECK_INT(run_program(&engine, COSM_SPLIT_CHUNKS, 2, 500, 3), run_alone(2, 500, 3));
    CHECK_INT(atomic_load(&host.starts), 0);
}

// Several batches at the same time.
struct stepper {
    pthread_t thread;
    cosm_batch *batch;
    uint64_t checksum;
};

static void *step_batch(void *context) {
    struct stepper *stepper = context;
    stepper->checksum = run_steps(stepper->batch, 20);
    return NULL;
}

static void step_together(struct stepper *steppers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(pthread_create(&steppers[i].thread, NULL, step_batch, &steppers[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(pthread_join(steppers[i].thread, NULL), 0);
    }
}

TEST(batches_of_one_engine_step_at_the_same_time_from_different_threads) {
    struct fixture box;
    open_program(&box, &(cosm_engine_desc){.worker_count = 3}, NULL);
    struct stepper steppers[6];
    uint64_t expected[6];
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t worlds = 1 + i * 7;
        expected[i] = run_alone(worlds, 100, 20);
        steppers[i].batch = cosm_batch_create(
            box.engine, &(cosm_batch_desc){.world_count = worlds, .split = (cosm_split)(i % 4)});
        fill_program(&box, steppers[i].batch, 100);
    }
    step_together(steppers, 6);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(steppers[i].checksum, expected[i]);
        CHECK_DONE(cosm_batch_destroy(steppers[i].batch));
    }
    fixture_close(&box);
}

TEST(two_engines_step_at_the_same_time) {
    struct fixture boxes[2];
    struct stepper steppers[2];
    for (uint32_t i = 0; i < 2; i++) {
        open_program(&boxes[i], &(cosm_engine_desc){.worker_count = 3},
                     &(cosm_batch_desc){.world_count = 20, .split = COSM_SPLIT_WORLDS});
        fill_program(&boxes[i], boxes[i].batch, 60);
        steppers[i].batch = boxes[i].batch;
    }
    step_together(steppers, 2);
    CHECK_INT(steppers[0].checksum, steppers[1].checksum);
    CHECK_INT(steppers[0].checksum, run_alone(20, 60, 20));
    fixture_close(&boxes[0]);
    fixture_close(&boxes[1]);
}

TEST(an_engine_that_never_steps_is_destroyed_with_its_workers) {
    for (uint32_t i = 0; i < 20; i++) {
        cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1 + i * 13});
        CHECK_DONE(cosm_engine_destroy(engine));
    }
}

TEST(more_workers_than_the_limit_are_refused) {
    CHECK(cosm_engine_create(&(cosm_engine_desc){.worker_count = COSM_WORKER_MAX + 1}) == NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_engine_create:", "257", "256");
}

// Definitions come and go while batches step: each is done or refused, and nothing breaks.
struct traffic {
    struct fixture box;
    atomic_bool is_over;
    atomic_int balance; // inits less disposes
};

static cosm_result count_init(void *context, cosm_batch *batch) {
    (void)batch;
    atomic_fetch_add(&((struct traffic *)context)->balance, 1);
    return COSM_OK;
}

static void count_dispose(void *context, cosm_batch *batch) {
    (void)batch;
    atomic_fetch_sub(&((struct traffic *)context)->balance, 1);
}

static void do_nothing(const cosm_turn *turn) {
    (void)turn;
}

static void *define_and_remove(void *context) {
    struct traffic *traffic = context;
    cosm_engine *engine = traffic->box.engine;
    while (!atomic_load(&traffic->is_over)) {
        cosm_system_desc desc = {.name = "passing",
                                 .run = do_nothing,
                                 .context = traffic,
                                 .init = count_init,
                                 .dispose = count_dispose};
        cosm_system system = cosm_system_define(engine, &desc);
        CHECK(system.id != 0);
        CHECK_DONE(cosm_system_enable(engine, system, false));
        CHECK_DONE(cosm_plan_check(engine));
        cosm_result result = cosm_system_remove(engine, system);
        while (result == COSM_ERROR_BUSY) {
            result = cosm_system_remove(engine, system);
        }
        CHECK_DONE(result);
    }
    return NULL;
}

TEST(systems_are_defined_and_removed_while_a_batch_steps) {
    static struct traffic traffic;
    memset(&traffic, 0, sizeof(traffic));
    // Short steps, so that there is often none.
    fixture_open_with(&traffic.box, 0, &(cosm_engine_desc){.worker_count = 1}, NULL);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, define_and_remove, &traffic), 0);
    for (uint32_t s = 0; s < 8000; s++) {
        CHECK_DONE(cosm_batch_step(traffic.box.batch));
    }
    atomic_store(&traffic.is_over, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(atomic_load(&traffic.balance), 0);
    fixture_close(&traffic.box);
}
