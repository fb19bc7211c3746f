// ctest: threads
// Sector components on several workers: the same worlds whatever the number of workers and the
// split.
#include <stdatomic.h>

#include "harness.h"
#include "support/storages.h"

#ifdef __SANITIZE_THREAD__
#define ROWS 1500u
#else
#define ROWS 4000u
#endif
#define STEPS 5u

// Changes what is there in place, and records everything else.
static void churn(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    Position *positions = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity e = rows->entities[i];
        Heat *heat = COSM_SECTOR_WRITE(rows, Heat, 1, i);
        CHECK(heat != NULL);
        heat->degrees += 1;
        positions[i].x += heat->degrees;
        uint32_t dice = ((uint32_t)heat->degrees * 7 + e.id * 3 + e.gen) % 16;
        cosm_result result = COSM_OK;
        uint32_t number = e.id + dice;
        if (COSM_SECTOR_READ(rows, Note, 2, i) != NULL && dice < 8) {
            result = cosm_entity_set(world, e, box->note, &(Text){.number = number});
        } else if (dice < 4) {
            result = cosm_commands_set(commands, world, e, box->note, &(Text){.number = number});
        } else if (dice < 6) {
            result = cosm_commands_remove(commands, world, e, box->note);
        } else if (dice < 8) {
            result = cosm_commands_add(commands, world, e, box->hot);
        } else if (dice == 8) {
            result = cosm_commands_despawn(commands, world, e);
        } else if (dice == 9) {
            cosm_value values[] = {{box->position, &(Position){1, 1, 0}},
                                   {box->heat, &(Heat){(float)dice}}};
            (void)cosm_commands_spawn_with(commands, world, box->plain, values, 2);
        } else if (dice == 10) {
            result = cosm_commands_remove(commands, world, e, box->heat);
        }
        CHECK_INT(result, COSM_OK);
    }
}

static void warm(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        CHECK_DONE(cosm_rows_set(rows, i, box->smoke, &(Smoke){rows->entities[i].id}));
    }
}

static uint64_t run_program(uint32_t workers, cosm_split split, uint32_t worlds, uint32_t rows) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SECTOR, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .split = split, .seed = 5});
    cosm_query_desc churned = {
        .terms = {
            {.component = box.position, .access = COSM_ACCESS_WRITE},
            {.component = box.heat, .access = COSM_ACCESS_WRITE},
            {.component = box.note, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}};
    cosm_query_desc warmed = {.terms = {{.component = box.smoke, .access = COSM_ACCESS_WRITE},
                                        {.component = box.wet, .kind = COSM_TERM_WITHOUT}}};
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "churn",
                                                             .each = churn,
                                                             .context = &box,
                                                             .commands = true,
                                                             .queries = {churned}})
              .id != 0);
    CHECK(
        cosm_system_define(
            box.engine,
            &(cosm_system_desc){.name = "warm", .each = warm, .context = &box, .queries = {warmed}})
            .id != 0);
    for (uint32_t w = 0; w < worlds; w++) {
        for (uint32_t i = 0; i < rows; i++) {
            cosm_entity e = spawn_at(&box, fixture_world(&box, w), (float)i);
            if (i % 5 != 2) {
                set_heat(&box, fixture_world(&box, w), e, (float)i);
            }
            if (i % 3 == 0) {
                set_note(&box, fixture_world(&box, w), e, i);
                CHECK_DONE(cosm_entity_add(fixture_world(&box, w), e, box.smoke));
            }
        }
    }
    for (uint32_t s = 0; s < STEPS; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    uint64_t sum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return sum;
}

TEST(worlds_are_the_same_on_any_number_of_workers) {
    struct program {
        uint32_t worlds;
        uint32_t rows;
    } programs[] = {{1, ROWS}, {40, ROWS / 40}, {3, ROWS / 3}};
    for (uint32_t p = 0; p < 3; p++) {
        uint64_t sum = run_program(1, COSM_SPLIT_AUTO, programs[p].worlds, programs[p].rows);
        for (uint32_t workers = 1; workers <= 4; workers *= 2) {
            CHECK_INT(run_program(workers, COSM_SPLIT_CHUNKS, programs[p].worlds, programs[p].rows),
                      sum);
            CHECK_INT(run_program(workers, COSM_SPLIT_WORLDS, programs[p].worlds, programs[p].rows),
                      sum);
        }
    }
}

static void count_rows(cosm_rows *rows) {
    atomic_uint *sum = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        CHECK(COSM_SECTOR_READ(rows, Heat, 0, i) != NULL);
    }
    atomic_fetch_add(sum, rows->count);
}

TEST(a_query_run_on_several_workers_sees_each_row_once) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SECTOR, &(cosm_engine_desc){.worker_count = 4},
                      &(cosm_batch_desc){.world_count = 2});
    for (uint32_t i = 0; i < 20000; i++) {
        cosm_world world = fixture_world(&box, i % 2);
        cosm_entity e = spawn_at(&box, world, (float)i);
        if (i % 7 != 0) {
            set_heat(&box, world, e, (float)i);
        }
    }
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.heat}}});
    static atomic_uint sum;
    atomic_store(&sum, 0);
    CHECK_DONE(cosm_query_run(query, box.all, count_rows, &sum));
    CHECK_INT(atomic_load(&sum), cosm_query_count(query, box.all));
    CHECK_INT(atomic_load(&sum), 20000 - 2858);
    cosm_query_destroy(query);
    fixture_close(&box);
}
