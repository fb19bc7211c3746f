// Managed components where something is wrong: misuse and its messages, hooks that fail, memory
// that is refused.
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/vault.h"

// A pointer that is refused: NULL, and a message that names the call, the component and a remedy.
#define CHECK_REFUSED(pointer, call, remedy)                                                       \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK((pointer) == NULL);                                                                  \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, call, "'Text'", remedy);                                \
    } while (0)

TEST(nobody_gets_a_column_of_tickets_to_write) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = vault_spawn(&vault, vault.world, 1);
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_REFUSED(cosm_rows_column(&rows, vault.text), "cosm_rows_column", "cosm_managed_tickets");
    CHECK_REFUSED(cosm_rows_column(&rows, vault.text), "cosm_rows_column", "cosm_managed_row_read");
    // From here on the rows are empty.
    CHECK_REFUSED(COSM_COLUMN_WRITE(&rows, cosm_ticket, 0), "COSM_COLUMN_WRITE",
                  "COSM_COLUMN_READ with cosm_ticket");
    CHECK_REFUSED(COSM_COLUMN_WRITE(&rows, Text, 0), "COSM_COLUMN_WRITE",
                  "COSM_COLUMN_READ with cosm_ticket");
    CHECK_REFUSED(COSM_COLUMN_READ(&rows, Text, 0), "COSM_COLUMN_READ",
                  "COSM_COLUMN_READ with cosm_ticket");
    CHECK_REFUSED(COSM_WRITE(&rows, Text), "COSM_WRITE", "COSM_COLUMN_READ with cosm_ticket");
    CHECK_REFUSED(COSM_READ(&rows, Text), "COSM_READ", "COSM_COLUMN_READ with cosm_ticket");
    CHECK_INT(rows.count, 0);
    CHECK(COSM_READ(&rows, cosm_ticket) != NULL);
    cosm_rows_end(&rows);
    CHECK_REFUSED(cosm_table_column(vault.world, vault.actor, vault.text), "cosm_table_column",
                  "cosm_loc_read");
    CHECK_INT(cosm_archetype_column(vault.engine, vault.actor, vault.text).index, 0);
    cosm_lookup lookup;
    cosm_lookup_begin(vault.world, vault.text, &lookup);
    CHECK_REFUSED(cosm_lookup_read(&lookup, entity), "cosm_lookup_read", "cosm_entity_read");
    vault_close(&vault);
}

TEST(bytes_of_objects_are_not_copied_out_nor_shown_as_fields) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = vault_spawn(&vault, vault.world, 1);
    Text text;
    memset(&text, 0x5A, sizeof(text));
    Text same = text;
    cosm_error_clear();
    CHECK(!cosm_entity_get(vault.world, entity, vault.text, &text));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_get", "'Text'", "cosm_entity_read");
    cosm_rows rows;
    cosm_query_walk(vault.texts, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(!cosm_rows_get(&rows, 0, vault.text, &text));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_rows_get", "'Text'", "cosm_managed_row_read");
    cosm_rows_end(&rows);
    CHECK_MEM(&text, &same, sizeof(text));
    CHECK(cosm_managed_emplace(vault.world, entity, vault.plain) != NULL);
    cosm_archetype archetype = cosm_entity_archetype(vault.world, entity);
    CHECK(cosm_table_span(vault.world, archetype, vault.plain, 0).data == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_rows_span", "'Plain'", "cosm_managed_row_read");
    CHECK_FAILS(cosm_table_sort_u32(vault.world, archetype, vault.plain, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32", "'Plain'", "cosm_table_sort");
    const Plain *value = cosm_component_describe(vault.engine, vault.plain).default_value;
    REQUIRE(value != NULL);
    CHECK_INT(value->a, PLAIN_DEFAULT_A);
    CHECK_INT(cosm_component_describe(vault.engine, vault.text).size, sizeof(Text));
    vault_close(&vault);
}

TEST(what_a_query_has_for_reading_is_not_written) {
    struct vault vault;
    vault_open(&vault, 1);
    vault_spawn(&vault, vault.world, 1);
    cosm_query *query =
        cosm_query_create(vault.engine, &(cosm_query_desc){.terms = {{.component = vault.text}}});
    Text text;
    vault_text_open(&vault, &text, 2);
    cosm_rows rows;
    cosm_query_walk(query, vault.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(cosm_managed_row_read(&rows, 0, vault.text) != NULL);
    CHECK_REFUSED(cosm_managed_row_write(&rows, 0, vault.text), "cosm_managed_row_write",
                  "COSM_ACCESS_WRITE");
    CHECK_FAILS(cosm_rows_set(&rows, 0, vault.text, &text), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "'Text'", "COSM_ACCESS_WRITE");
    cosm_rows_end(&rows);
    vault_text_end(&vault, &text);
    cosm_query_destroy(query);
    vault_close(&vault);
}

TEST(calls_about_objects_find_out_wrong_arguments) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = vault_spawn(&vault, vault.world, 1);
    Text text;
    cosm_world nowhere = {vault.batch, 9};
    CHECK_FAILS(cosm_managed_put(vault.world, entity, vault.position, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "'Position'", "COSM_STORAGE_MANAGED");
    CHECK_FAILS(cosm_managed_put(vault.world, entity, (cosm_component){99}, &text),
                COSM_ERROR_ARGUMENT, "cosm_managed_put", "99", "cosm_component_define");
    CHECK_FAILS(cosm_managed_put(vault.world, entity, vault.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "object", "pass an object");
    CHECK_FAILS(cosm_managed_put(nowhere, entity, vault.text, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "9", "smaller index");
    CHECK_FAILS(cosm_managed_take(vault.world, entity, vault.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_managed_take", "out_object", "pass memory");
    CHECK_FAILS(cosm_managed_take(nowhere, entity, vault.text, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_take", "9", "smaller index");
    CHECK_FAILS(cosm_managed_clear(vault.world, entity, vault.position), COSM_ERROR_ARGUMENT,
                "cosm_managed_clear", "'Position'", "COSM_STORAGE_MANAGED");
    CHECK_FAILS(cosm_entity_set(vault.world, entity, vault.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set", "'Text'", "point it to");
    cosm_error_clear();
    CHECK(cosm_managed_emplace(vault.world, entity, vault.position) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_managed_emplace", "'Position'", "COSM_STORAGE");
    // Asking cannot fail.
    CHECK_INT(cosm_managed_ticket(vault.world, entity, vault.position).id, 0);
    CHECK_INT(cosm_managed_ticket(nowhere, entity, vault.text).id, 0);
    CHECK(cosm_managed_read(vault.world, vault.position, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_read(vault.world, vault.text, (cosm_ticket){0}) == NULL);
    CHECK(cosm_managed_read(vault.world, vault.text, (cosm_ticket){2}) == NULL);
    CHECK(cosm_managed_read(vault.world, vault.mesh, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_write(nowhere, vault.text, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_row_read(NULL, 0, vault.text) == NULL);
    CHECK(cosm_managed_row_write(NULL, 0, vault.text) == NULL);
    CHECK(cosm_managed_tickets(NULL, vault.text) == NULL);
    CHECK_INT(cosm_managed_count(nowhere, vault.text), 0);
    CHECK_INT(cosm_managed_count(vault.world, vault.position), 0);
    CHECK_SILENT();
    vault_close(&vault);
}

TEST(a_managed_component_is_not_split) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_error_clear();
    CHECK_INT(
        cosm_archetype_define(vault.engine,
                              &(cosm_archetype_desc){.components = {vault.plain},
                                                     .layouts = {{vault.plain, COSM_LAYOUT_SPLIT}}})
            .id,
        0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "'Plain'", "COSM_STORAGE_COLUMN");
    vault_close(&vault);
}

TEST(a_batch_that_cannot_be_made_has_no_objects_to_end) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct vault vault;
    vault_open_with(&vault, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_batch *batch = cosm_batch_create(vault.engine, &(cosm_batch_desc){.world_count = 3});
        refused = ledger_relent(&ledger);
        CHECK(refused == (batch == NULL));
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    vault_close(&vault);
    ledger_close(&ledger);
}

// What is tried with failures: changes of one world and their objects, each of which is done or has
// changed nothing.
enum { DEED_COUNT = 17 };

struct trial {
    struct vault *vault;
    cosm_commands *commands;
    cosm_query *bare;
    cosm_entity entities[12];
    Text text;
    Mesh mesh;
    Text texts[12];
};

static cosm_result spawn_result(cosm_entity entity) {
    return cosm_entity_is_none(entity) ? cosm_error_result() : COSM_OK;
}

static cosm_result make_result(const void *object) {
    return object == NULL ? cosm_error_result() : COSM_OK;
}

static cosm_result do_many(struct trial *trial, uint32_t deed) {
    struct vault *vault = trial->vault;
    cosm_world world = vault->world;
    switch (deed) {
    case 9:
        return cosm_query_set(vault->texts, vault->all, vault->text, &trial->text);
    case 10:
        return cosm_query_set(trial->bare, vault->all, vault->mesh, &trial->mesh);
    case 11:
        return cosm_entity_set_many(world, trial->entities, 12, vault->text, trial->texts);
    case 12:
        return cosm_commands_set(trial->commands, world, trial->entities[4], vault->text,
                                 &trial->text);
    case 13: {
        cosm_value values[] = {{vault->text, &trial->text}, {vault->mesh, &trial->mesh}};
        return spawn_result(
            cosm_commands_spawn_with(trial->commands, world, vault->pack, values, 2));
    }
    case 14:
        return cosm_commands_emit(trial->commands, world, vault->note,
                                  &(cosm_value){vault->text, &trial->text}, 1);
    case 15:
        return cosm_commands_set(trial->commands, world, trial->entities[1], vault->plain,
                                 &(Plain){1, 2});
    default:
        return cosm_commands_apply(trial->commands, NULL);
    }
}

static bool is_recording(uint32_t deed) {
    return deed >= 12 && deed <= 15;
}

static cosm_result do_deed(struct trial *trial, uint32_t deed) {
    struct vault *vault = trial->vault;
    cosm_world world = vault->world;
    cosm_value values[] = {{vault->text, &trial->text}, {vault->mesh, &trial->mesh}};
    switch (deed) {
    case 0:
        return spawn_result(cosm_entity_spawn_with(world, vault->pack, values, 2));
    case 1:
        return cosm_entity_set(world, trial->entities[0], vault->text, &trial->text);
    case 2: // where it has one
        return cosm_entity_set(world, trial->entities[0], vault->text, &trial->text);
    case 3: // where it lacks the component
        return cosm_entity_set(world, trial->entities[1], vault->mesh, &trial->mesh);
    case 4: // by way of the heap
        return cosm_entity_set(world, trial->entities[1], vault->mesh, &trial->mesh);
    case 5:
        return make_result(cosm_managed_emplace(world, trial->entities[2], vault->mesh));
    case 6:
        return make_result(cosm_managed_emplace(world, trial->entities[2], vault->text));
    case 7: {
        Text moved;
        vault_text_open(vault, &moved, 9);
        cosm_result result = cosm_managed_put(world, trial->entities[3], vault->text, &moved);
        if (result != COSM_OK) {
            CHECK_INT(text_number(&moved), 9); // still the caller's
            vault_text_end(vault, &moved);
        }
        return result;
    }
    case 8: {
        Mesh moved;
        vault_mesh_open(vault, &moved, 9);
        cosm_result result = cosm_managed_put(world, trial->entities[3], vault->mesh, &moved);
        if (result != COSM_OK) {
            CHECK_INT(mesh_number(&moved), 9);
            vault_mesh_end(vault, &moved);
        }
        return result;
    }
    default:
        return do_many(trial, deed);
    }
}

static void trial_open(struct trial *trial, struct vault *vault) {
    trial->vault = vault;
    trial->commands = cosm_commands_create(vault->batch);
    trial->bare = cosm_query_create(
        vault->engine,
        &(cosm_query_desc){.terms = {{.component = vault->position, .access = COSM_ACCESS_WRITE},
                                     {.component = vault->text, .kind = COSM_TERM_WITHOUT}}});
    for (uint32_t i = 0; i < 12; i++) {
        trial->entities[i] =
            cosm_entity_spawn(vault->world, i % 3 == 0 ? vault->actor : vault->bare);
        vault_text_open(vault, &trial->texts[i], 100 + i);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(vault_world(vault, 1), vault->actor)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(vault_world(vault, 1), vault->bare)));
    vault_text_open(vault, &trial->text, 5);
    vault_mesh_open(vault, &trial->mesh, 6);
}

static void trial_close(struct trial *trial) {
    cosm_commands_destroy(trial->commands);
    cosm_query_destroy(trial->bare);
    for (uint32_t i = 0; i < 12; i++) {
        vault_text_end(trial->vault, &trial->texts[i]);
    }
    vault_text_end(trial->vault, &trial->text);
    vault_mesh_end(trial->vault, &trial->mesh);
}

// Does all deeds, each with the n-th hook or the n-th request for memory refused, for every n, and
// then as it is meant.
static void try_deeds(struct vault *vault, struct ledger *ledger) {
    struct trial trial;
    trial_open(&trial, vault);
    uint32_t refusals = 0;
    for (uint32_t deed = 0; deed < DEED_COUNT; deed++) {
        bool refused = true;
        for (uint64_t n = 1; refused && n < 1000; n++) {
            uint64_t checksum = cosm_hash_batch(vault->batch, COSM_HASH_CONTENT);
            size_t count = vault_count(vault);
            uint32_t recorded = cosm_commands_count(trial.commands);
            cosm_error_clear();
            if (ledger != NULL) {
                ledger_refuse(ledger, n, 1);
            } else {
                vault_refuse(vault, n);
            }
            cosm_result result = do_deed(&trial, deed);
            refused = ledger != NULL ? ledger_relent(ledger) : vault_relent(vault);
            if (result == COSM_OK) {
                refused = false; // or only something that could do without
                continue;
            }
            refusals++;
            CHECK(refused);
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_CONTAINS(cosm_error_message(), ledger != NULL ? "out of memory" : "lifecycle");
            CHECK_INT(cosm_hash_batch(vault->batch, COSM_HASH_CONTENT), checksum);
            CHECK_INT(vault_count(vault), count);
            CHECK_INT(cosm_commands_count(trial.commands), recorded);
            if (is_recording(deed)) {
                // The next apply says so, and applies nothing.
                CHECK_INT(cosm_commands_apply(trial.commands, NULL), COSM_ERROR_MEMORY);
                CHECK_INT(cosm_hash_batch(vault->batch, COSM_HASH_CONTENT), checksum);
                CHECK_INT(cosm_commands_count(trial.commands), recorded);
            }
            CHECK_VALID(vault->batch);
        }
        CHECK_VALID(vault->batch);
    }
    CHECK(refusals > 20);
    trial_close(&trial);
}

TEST(a_hook_that_fails_leaves_everything_as_it_was) {
    struct vault vault;
    vault_open(&vault, 2);
    try_deeds(&vault, NULL);
    vault_close(&vault);
}

TEST(memory_that_is_refused_leaves_everything_as_it_was) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct vault vault;
    vault_open_with(&vault, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                    &(cosm_batch_desc){.world_count = 2});
    try_deeds(&vault, &ledger);
    vault_close(&vault);
    ledger_close(&ledger);
}
