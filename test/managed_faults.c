// Managed components where something is wrong: misuse and its messages. Hooks that fail and memory
// that is refused are in storage_failures.c.
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/storages.h"

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
