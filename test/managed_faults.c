// Managed components where something is wrong: misuse and its messages, hooks that fail, memory
// that is refused.
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

// A pointer that is refused: NULL, and a message that names the call, the component and a remedy.
#define CHECK_REFUSED(pointer, call, remedy)                                                       \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK((pointer) == NULL);                                                                  \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, call, "'Text'", remedy);                                \
    } while (0)

TEST(nobody_gets_a_column_of_tickets_to_write) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_REFUSED(cosm_rows_column(&rows, box.text), "cosm_rows_column", "cosm_managed_tickets");
    CHECK_REFUSED(cosm_rows_column(&rows, box.text), "cosm_rows_column", "cosm_managed_row_read");
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
    CHECK_REFUSED(cosm_table_column(box.world, box.actor, box.text), "cosm_table_column",
                  "cosm_loc_read");
    CHECK_INT(cosm_archetype_column(box.engine, box.actor, box.text).index, 0);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.text, &lookup);
    CHECK_REFUSED(cosm_lookup_read(&lookup, entity), "cosm_lookup_read", "cosm_entity_read");
    fixture_close(&box);
}

TEST(bytes_of_objects_are_not_copied_out_nor_shown_as_fields) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    Text text;
    memset(&text, 0x5A, sizeof(text));
    Text same = text;
    cosm_error_clear();
    CHECK(!cosm_entity_get(box.world, entity, box.text, &text));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_get", "'Text'", "cosm_entity_read");
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(!cosm_rows_get(&rows, 0, box.text, &text));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_rows_get", "'Text'", "cosm_managed_row_read");
    cosm_rows_end(&rows);
    CHECK_MEM(&text, &same, sizeof(text));
    CHECK(cosm_managed_emplace(box.world, entity, box.pair) != NULL);
    cosm_archetype archetype = cosm_entity_archetype(box.world, entity);
    CHECK(cosm_table_span(box.world, archetype, box.pair, 0).data == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_rows_span", "'Pair'", "cosm_managed_row_read");
    CHECK_FAILS(cosm_table_sort_u32(box.world, archetype, box.pair, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32", "'Pair'", "cosm_table_sort");
    const Pair *value = cosm_component_describe(box.engine, box.pair).default_value;
    REQUIRE(value != NULL);
    CHECK_INT(value->a, PAIR_DEFAULT_A);
    CHECK_INT(cosm_component_describe(box.engine, box.text).size, sizeof(Text));
    fixture_close(&box);
}

TEST(what_a_query_has_for_reading_is_not_written) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    spawn_text(&box, box.world, 1);
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.text}}});
    Text text;
    text_open(&box.books, &text, 2);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(cosm_managed_row_read(&rows, 0, box.text) != NULL);
    CHECK_REFUSED(cosm_managed_row_write(&rows, 0, box.text), "cosm_managed_row_write",
                  "COSM_ACCESS_WRITE");
    CHECK_FAILS(cosm_rows_set(&rows, 0, box.text, &text), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "'Text'", "COSM_ACCESS_WRITE");
    cosm_rows_end(&rows);
    text_end(&box.books, &text);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(calls_about_objects_find_out_wrong_arguments) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    Text text;
    cosm_world nowhere = {box.batch, 9};
    CHECK_FAILS(cosm_managed_put(box.world, entity, box.position, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "'Position'", "COSM_STORAGE_MANAGED");
    CHECK_FAILS(cosm_managed_put(box.world, entity, (cosm_component){99}, &text),
                COSM_ERROR_ARGUMENT, "cosm_managed_put", "99", "cosm_component_define");
    CHECK_FAILS(cosm_managed_put(box.world, entity, box.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "object", "pass an object");
    CHECK_FAILS(cosm_managed_put(nowhere, entity, box.text, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_put", "9", "smaller index");
    CHECK_FAILS(cosm_managed_take(box.world, entity, box.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_managed_take", "out_object", "pass memory");
    CHECK_FAILS(cosm_managed_take(nowhere, entity, box.text, &text), COSM_ERROR_ARGUMENT,
                "cosm_managed_take", "9", "smaller index");
    CHECK_FAILS(cosm_managed_clear(box.world, entity, box.position), COSM_ERROR_ARGUMENT,
                "cosm_managed_clear", "'Position'", "COSM_STORAGE_MANAGED");
    CHECK_FAILS(cosm_entity_set(box.world, entity, box.text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set", "'Text'", "point it to");
    cosm_error_clear();
    CHECK(cosm_managed_emplace(box.world, entity, box.position) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_managed_emplace", "'Position'", "COSM_STORAGE");
    // Asking cannot fail.
    CHECK_INT(cosm_managed_ticket(box.world, entity, box.position).id, 0);
    CHECK_INT(cosm_managed_ticket(nowhere, entity, box.text).id, 0);
    CHECK(cosm_managed_read(box.world, box.position, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_read(box.world, box.text, (cosm_ticket){0}) == NULL);
    CHECK(cosm_managed_read(box.world, box.text, (cosm_ticket){2}) == NULL);
    CHECK(cosm_managed_read(box.world, box.mesh, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_write(nowhere, box.text, (cosm_ticket){1}) == NULL);
    CHECK(cosm_managed_row_read(NULL, 0, box.text) == NULL);
    CHECK(cosm_managed_row_write(NULL, 0, box.text) == NULL);
    CHECK(cosm_managed_tickets(NULL, box.text) == NULL);
    CHECK_INT(cosm_managed_count(nowhere, box.text), 0);
    CHECK_INT(cosm_managed_count(box.world, box.position), 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_managed_component_is_not_split) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_error_clear();
    CHECK_INT(cosm_archetype_define(
                  box.engine, &(cosm_archetype_desc){.components = {box.pair},
                                                     .layouts = {{box.pair, COSM_LAYOUT_SPLIT}}})
                  .id,
              0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "'Pair'", "COSM_STORAGE_COLUMN");
    fixture_close(&box);
}

TEST(a_batch_that_cannot_be_made_has_no_objects_to_end) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_MANAGED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_batch *batch = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 3});
        refused = ledger_relent(&ledger);
        CHECK(refused == (batch == NULL));
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    fixture_close(&box);
    ledger_close(&ledger);
}

// What is tried with failures: changes of one world and their objects, each of which is done or has
// changed nothing.
enum { DEED_COUNT = 17 };

struct trial {
    struct fixture *box;
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
    struct fixture *box = trial->box;
    cosm_world world = box->world;
    switch (deed) {
    case 9:
        return cosm_query_set(box->texts, box->all, box->text, &trial->text);
    case 10:
        return cosm_query_set(trial->bare, box->all, box->mesh, &trial->mesh);
    case 11:
        return cosm_entity_set_many(world, trial->entities, 12, box->text, trial->texts);
    case 12:
        return cosm_commands_set(trial->commands, world, trial->entities[4], box->text,
                                 &trial->text);
    case 13: {
        cosm_value values[] = {{box->text, &trial->text}, {box->mesh, &trial->mesh}};
        return spawn_result(cosm_commands_spawn_with(trial->commands, world, box->pack, values, 2));
    }
    case 14:
        return cosm_commands_emit(trial->commands, world, box->letter,
                                  &(cosm_value){box->text, &trial->text}, 1);
    case 15:
        return cosm_commands_set(trial->commands, world, trial->entities[1], box->pair,
                                 &(Pair){1, 2});
    default:
        return cosm_commands_apply(trial->commands, NULL);
    }
}

static bool is_recording(uint32_t deed) {
    return deed >= 12 && deed <= 15;
}

static cosm_result do_deed(struct trial *trial, uint32_t deed) {
    struct fixture *box = trial->box;
    cosm_world world = box->world;
    cosm_value values[] = {{box->text, &trial->text}, {box->mesh, &trial->mesh}};
    switch (deed) {
    case 0:
        return spawn_result(cosm_entity_spawn_with(world, box->pack, values, 2));
    case 1:
        return cosm_entity_set(world, trial->entities[0], box->text, &trial->text);
    case 2: // where it has one
        return cosm_entity_set(world, trial->entities[0], box->text, &trial->text);
    case 3: // where it lacks the component
        return cosm_entity_set(world, trial->entities[1], box->mesh, &trial->mesh);
    case 4: // by way of the heap
        return cosm_entity_set(world, trial->entities[1], box->mesh, &trial->mesh);
    case 5:
        return make_result(cosm_managed_emplace(world, trial->entities[2], box->mesh));
    case 6:
        return make_result(cosm_managed_emplace(world, trial->entities[2], box->text));
    case 7: {
        Text moved;
        text_open(&box->books, &moved, 9);
        cosm_result result = cosm_managed_put(world, trial->entities[3], box->text, &moved);
        if (result != COSM_OK) {
            CHECK_INT(text_number(&moved), 9); // still the caller's
            text_end(&box->books, &moved);
        }
        return result;
    }
    case 8: {
        Mesh moved;
        mesh_open(&box->books, &moved, 9);
        cosm_result result = cosm_managed_put(world, trial->entities[3], box->mesh, &moved);
        if (result != COSM_OK) {
            CHECK_INT(mesh_number(&moved), 9);
            mesh_end(&box->books, &moved);
        }
        return result;
    }
    default:
        return do_many(trial, deed);
    }
}

static void trial_open(struct trial *trial, struct fixture *box) {
    trial->box = box;
    trial->commands = cosm_commands_create(box->batch);
    trial->bare = cosm_query_create(
        box->engine,
        &(cosm_query_desc){.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                     {.component = box->text, .kind = COSM_TERM_WITHOUT}}});
    for (uint32_t i = 0; i < 12; i++) {
        trial->entities[i] = cosm_entity_spawn(box->world, i % 3 == 0 ? box->actor : box->plain);
        text_open(&box->books, &trial->texts[i], 100 + i);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, 1), box->actor)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, 1), box->plain)));
    text_open(&box->books, &trial->text, 5);
    mesh_open(&box->books, &trial->mesh, 6);
}

static void trial_close(struct trial *trial) {
    cosm_commands_destroy(trial->commands);
    cosm_query_destroy(trial->bare);
    for (uint32_t i = 0; i < 12; i++) {
        text_end(&trial->box->books, &trial->texts[i]);
    }
    text_end(&trial->box->books, &trial->text);
    mesh_end(&trial->box->books, &trial->mesh);
}

// Does all deeds, each with the n-th hook or the n-th request for memory refused, for every n, and
// then as it is meant.
static void try_deeds(struct fixture *box, struct ledger *ledger) {
    struct trial trial;
    trial_open(&trial, box);
    uint32_t refusals = 0;
    for (uint32_t deed = 0; deed < DEED_COUNT; deed++) {
        bool refused = true;
        for (uint64_t n = 1; refused && n < 1000; n++) {
            uint64_t checksum = cosm_hash_batch(box->batch, COSM_HASH_CONTENT);
            size_t count = objects_count(&box->books);
            uint32_t recorded = cosm_commands_count(trial.commands);
            cosm_error_clear();
            if (ledger != NULL) {
                ledger_refuse(ledger, n, 1);
            } else {
                objects_refuse(&box->books, n, 1);
            }
            cosm_result result = do_deed(&trial, deed);
            refused = ledger != NULL ? ledger_relent(ledger) : objects_relent(&box->books);
            if (result == COSM_OK) {
                refused = false; // or only something that could do without
                continue;
            }
            refusals++;
            CHECK(refused);
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_CONTAINS(cosm_error_message(), ledger != NULL ? "out of memory" : "lifecycle");
            CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_CONTENT), checksum);
            CHECK_INT(objects_count(&box->books), count);
            CHECK_INT(cosm_commands_count(trial.commands), recorded);
            if (is_recording(deed)) {
                // The next apply says so, and applies nothing.
                CHECK_INT(cosm_commands_apply(trial.commands, NULL), COSM_ERROR_MEMORY);
                CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_CONTENT), checksum);
                CHECK_INT(cosm_commands_count(trial.commands), recorded);
            }
            CHECK_VALID(box->batch);
        }
        CHECK_VALID(box->batch);
    }
    CHECK(refusals > 20);
    trial_close(&trial);
}

TEST(a_hook_that_fails_leaves_everything_as_it_was) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 2);
    try_deeds(&box, NULL);
    fixture_close(&box);
}

TEST(memory_that_is_refused_leaves_everything_as_it_was) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, FIXTURE_MANAGED,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    try_deeds(&box, &ledger);
    fixture_close(&box);
    ledger_close(&ledger);
}
