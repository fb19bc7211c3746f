// Managed components on several workers: the same objects whatever the number of workers and the
// split, each made once and ended once.
#include "harness.h"
#include "support/storages.h"

#ifdef __SANITIZE_THREAD__
#define ROWS 300u
#else
#define ROWS 700u
#endif
#define STEPS 6u

// Changes texts where they are, and records everything else: new texts, removals, spawns, despawns,
// notes, and sets that are overwritten.
static void churn(cosm_rows *rows) {
    struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        Text *text = cosm_managed_row_write(rows, i, box->text);
        uint32_t number = text == NULL ? entity.id : text->number;
        uint32_t roll = (number * 7 + entity.id * 3 + entity.gen) % 16;
        Text made;
        text_open(&box->books, &made, number + 1);
        cosm_result result = COSM_OK;
        cosm_value value = {box->text, &made};
        if (text != NULL && roll < 6) {
            result = cosm_rows_set(rows, i, box->text, &made);
        } else if (roll < 9) {
            result = cosm_commands_set(commands, world, entity, box->text, &made);
            if (roll == 8 && result == COSM_OK) {
                result = cosm_commands_set(commands, world, entity, box->text, &made);
            }
        } else if (roll == 9) {
            result = cosm_commands_despawn(commands, world, entity);
        } else if (roll == 10) {
            result = cosm_commands_emit(commands, world, box->letter, &value, 1);
        } else if (roll < 13) {
            CHECK(!cosm_entity_is_none(
                cosm_commands_spawn_with(commands, world, box->actor, &value, 1)));
        } else if (roll == 13) {
            result = cosm_commands_remove(commands, world, entity, box->text);
            result =
                result != COSM_OK ? result : cosm_commands_add(commands, world, entity, box->text);
        }
        CHECK_INT(result, COSM_OK);
        text_end(&box->books, &made);
    }
}

static uint64_t run_program(uint32_t workers, cosm_split split, uint32_t worlds, uint32_t rows) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_MANAGED, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .split = split, .seed = 5});
    CHECK(
        cosm_system_define(
            box.engine,
            &(cosm_system_desc){
                .name = "churn",
                .each = churn,
                .context = &box,
                .commands = true,
                .queries = {{.terms = {{.component = box.text, .access = COSM_ACCESS_WRITE},
                                       {.component = box.position, .access = COSM_ACCESS_WRITE}}}}})
            .id != 0);
    for (uint32_t w = 0; w < worlds; w++) {
        for (uint32_t i = 0; i < rows; i++) {
            spawn_text(&box, fixture_world(&box, w), i);
        }
    }
    for (uint32_t s = 0; s < STEPS; s++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_VALID(box.batch);
    fixture_close(&box);
    return checksum;
}

TEST(objects_are_the_same_on_any_number_of_workers) {
    uint64_t few = run_program(1, COSM_SPLIT_NONE, 1, 4 * ROWS);
    uint64_t many = run_program(1, COSM_SPLIT_NONE, 40, ROWS / 20);
    static const cosm_split splits[] = {COSM_SPLIT_AUTO, COSM_SPLIT_CHUNKS, COSM_SPLIT_WORLDS};
    for (uint32_t s = 0; s < 3; s++) {
        for (uint32_t workers = 2; workers <= 4; workers += 2) {
            CHECK_INT(run_program(workers, splits[s], 1, 4 * ROWS), few);
            CHECK_INT(run_program(workers, splits[s], 40, ROWS / 20), many);
        }
    }
}

static void read_texts(cosm_rows *rows) {
    struct fixture *box = rows->context;
    const cosm_ticket *tickets = COSM_COLUMN_READ(rows, cosm_ticket, 0);
    Text made;
    text_open(&box->books, &made, 3);
    for (uint32_t i = 0; i < rows->count; i++) {
        Text *text = cosm_managed_write(cosm_rows_world(rows, i), box->text, tickets[i]);
        CHECK(text != NULL && text->self == text);
        CHECK_INT(cosm_rows_set(rows, i, box->text, &made), COSM_OK);
    }
    text_end(&box->books, &made);
}

TEST(rows_of_one_world_are_replaced_by_several_workers) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_MANAGED, &(cosm_engine_desc){.worker_count = 4}, NULL);
    for (uint32_t i = 0; i < 20 * ROWS; i++) {
        spawn_text(&box, box.world, i);
    }
    CHECK_DONE(cosm_query_run(box.texts, box.all, read_texts, &box));
    CHECK_INT(objects_count(&box.books), 20 * ROWS);
    CHECK_INT(text_of(&box, box.world, (cosm_entity){1, 20 * ROWS - 1}), 3);
    fixture_close(&box);
}
