// Managed components on several workers: the same objects whatever the number of workers and the
// split, each made once and ended once.
#include "harness.h"
#include "support/vault.h"

#ifdef __SANITIZE_THREAD__
#define ROWS 300u
#else
#define ROWS 700u
#endif
#define STEPS 6u

// Changes texts where they are, and records everything else: new texts, removals, spawns, despawns,
// notes, and sets that are overwritten.
static void churn(cosm_rows *rows) {
    struct vault *vault = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        Text *text = cosm_managed_row_write(rows, i, vault->text);
        uint32_t number = text == NULL ? entity.id : text->number;
        uint32_t roll = (number * 7 + entity.id * 3 + entity.gen) % 16;
        Text made;
        vault_text_open(vault, &made, number + 1);
        cosm_result result = COSM_OK;
        cosm_value value = {vault->text, &made};
        if (text != NULL && roll < 6) {
            result = cosm_rows_set(rows, i, vault->text, &made);
        } else if (roll < 9) {
            result = cosm_commands_set(commands, world, entity, vault->text, &made);
            if (roll == 8 && result == COSM_OK) {
                result = cosm_commands_set(commands, world, entity, vault->text, &made);
            }
        } else if (roll == 9) {
            result = cosm_commands_despawn(commands, world, entity);
        } else if (roll == 10) {
            result = cosm_commands_emit(commands, world, vault->note, &value, 1);
        } else if (roll < 13) {
            CHECK(!cosm_entity_is_none(
                cosm_commands_spawn_with(commands, world, vault->actor, &value, 1)));
        } else if (roll == 13) {
            result = cosm_commands_remove(commands, world, entity, vault->text);
            result = result != COSM_OK ? result
                                       : cosm_commands_add(commands, world, entity, vault->text);
        }
        CHECK_INT(result, COSM_OK);
        vault_text_end(vault, &made);
    }
}

static uint64_t run_program(uint32_t workers, cosm_split split, uint32_t worlds, uint32_t rows) {
    struct vault vault;
    vault_open_with(&vault, &(cosm_engine_desc){.worker_count = workers},
                    &(cosm_batch_desc){.world_count = worlds, .split = split, .seed = 5});
    CHECK(cosm_system_define(
              vault.engine,
              &(cosm_system_desc){
                  .name = "churn",
                  .each = churn,
                  .context = &vault,
                  .commands = true,
                  .queries = {{.terms = {{.component = vault.text, .access = COSM_ACCESS_WRITE},
                                         {.component = vault.position,
                                          .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    for (uint32_t w = 0; w < worlds; w++) {
        for (uint32_t i = 0; i < rows; i++) {
            vault_spawn(&vault, vault_world(&vault, w), i);
        }
    }
    for (uint32_t s = 0; s < STEPS; s++) {
        CHECK_DONE(cosm_batch_step(vault.batch));
    }
    uint64_t checksum = cosm_hash_batch(vault.batch, COSM_HASH_EXACT);
    CHECK_VALID(vault.batch);
    vault_close(&vault);
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
    struct vault *vault = rows->context;
    const cosm_ticket *tickets = COSM_COLUMN_READ(rows, cosm_ticket, 0);
    Text made;
    vault_text_open(vault, &made, 3);
    for (uint32_t i = 0; i < rows->count; i++) {
        Text *text = cosm_managed_write(cosm_rows_world(rows, i), vault->text, tickets[i]);
        CHECK(text != NULL && text->self == text);
        CHECK_INT(cosm_rows_set(rows, i, vault->text, &made), COSM_OK);
    }
    vault_text_end(vault, &made);
}

TEST(rows_of_one_world_are_replaced_by_several_workers) {
    struct vault vault;
    vault_open_with(&vault, &(cosm_engine_desc){.worker_count = 4}, NULL);
    for (uint32_t i = 0; i < 20 * ROWS; i++) {
        vault_spawn(&vault, vault.world, i);
    }
    CHECK_DONE(cosm_query_run(vault.texts, vault.all, read_texts, &vault));
    CHECK_INT(vault_count(&vault), 20 * ROWS);
    CHECK_INT(vault_text_of(&vault, vault.world, (cosm_entity){1, 20 * ROWS - 1}), 3);
    vault_close(&vault);
}
