// Failures: result codes, the slot of each thread, and the callback (cosm/error.h).
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

// What the callback was told.
struct listener {
    uint32_t calls;
    cosm_result result;
    char message[1024];
};

static void listen(void *context, cosm_result result, const char *message) {
    struct listener *listener = context;
    listener->calls++;
    listener->result = result;
    strncpy(listener->message, message, sizeof(listener->message) - 1);
}

// A callback that makes a mess of the slot: another failure, then nothing at all.
static void scribble(void *context, cosm_result result, const char *message) {
    (void)result;
    (void)message;
    uint32_t *calls = context;
    (*calls)++;
    if (cosm_batch_create(NULL, NULL) == NULL) {
        cosm_error_clear();
    }
}

TEST(whatever_the_callback_does_the_slot_tells_of_the_call_that_failed) {
    struct ledger ledger;
    ledger_open(&ledger);
    uint32_t calls = 0;
    struct fixture box;
    fixture_open_with(&box, 0,
                      &(cosm_engine_desc){.allocator = ledger_allocator(&ledger),
                                          .error = scribble,
                                          .error_context = &calls},
                      &(cosm_batch_desc){.world_count = 1});
    for (uint64_t n = 1; n < 4; n++) {
        cosm_rows rows;
        ledger_refuse(&ledger, n, 100);
        cosm_result result = cosm_entity_spawn_many(box.world, box.mover, 100000, &rows);
        if (ledger_relent(&ledger)) {
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
            CHECK_CONTAINS(cosm_error_message(), "cosm_entity_spawn_many:");
        }
    }
    CHECK(calls > 0);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(the_slot_is_empty_until_something_fails) {
    cosm_error_clear();
    CHECK_STR(cosm_error_message(), "");
    CHECK_INT(cosm_error_result(), COSM_OK);
    CHECK(cosm_batch_create(NULL, NULL) == NULL);
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
    CHECK_STR(cosm_error_message(),
              "cosm_batch_create: engine is NULL; pass one from cosm_engine_create");
}

TEST(a_cleared_slot_is_empty_again) {
    CHECK(cosm_batch_create(NULL, NULL) == NULL);
    cosm_error_clear();
    CHECK_STR(cosm_error_message(), "");
    CHECK_INT(cosm_error_result(), COSM_OK);
}

TEST(a_call_that_succeeds_leaves_the_last_message_in_the_slot) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(cosm_entity_is_none(cosm_entity_spawn(box.world, (cosm_archetype){999})));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "999", "cosm_archetype_define");
    fixture_close(&box);
}

TEST(the_slot_holds_the_last_of_several_failures) {
    CHECK(cosm_batch_create(NULL, NULL) == NULL);
    CHECK(cosm_commands_create(NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_create:", "batch is NULL",
                  "cosm_batch_create");
}

TEST(every_result_has_a_name_of_its_own) {
    for (int i = 0; i < COSM_RESULT_COUNT; i++) {
        const char *name = cosm_result_name((cosm_result)i);
        CHECK_INT(strncmp(name, "COSM_", 5), 0);
        for (int j = 0; j < i; j++) {
            CHECK(strcmp(name, cosm_result_name((cosm_result)j)) != 0);
        }
    }
    CHECK_STR(cosm_result_name(COSM_OK), "COSM_OK");
    CHECK_STR(cosm_result_name(COSM_STALE), "COSM_STALE");
    CHECK_STR(cosm_result_name(COSM_ERROR_WALKED), "COSM_ERROR_WALKED");
}

TEST(a_number_that_is_no_result_is_called_unknown) {
    CHECK_STR(cosm_result_name(COSM_RESULT_COUNT), "unknown result");
}

TEST(the_callback_hears_every_failure_of_its_engine_and_its_batches) {
    struct listener listener = {.calls = 0};
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.error = listen, .error_context = &listener},
                      NULL);
    CHECK_INT(listener.calls, 0);
    CHECK_INT(cosm_component_define(box.engine, &(cosm_component_desc){.name = ""}).id, 0);
    CHECK_INT(listener.calls, 1);
    CHECK_INT(listener.result, COSM_ERROR_ARGUMENT);
    CHECK_STR(listener.message, cosm_error_message());
    CHECK(cosm_entity_is_none(cosm_entity_spawn(box.world, box.event)));
    CHECK_INT(listener.calls, 2);
    CHECK_CONTAINS(listener.message, "cosm_entity_spawn:");
    CHECK(cosm_query_create(box.engine, NULL) == NULL);
    CHECK_INT(listener.calls, 3);
    CHECK_INT(cosm_batch_world(box.batch, 9).index, 0);
    CHECK_INT(listener.calls, 4);
    fixture_close(&box);
}

TEST(an_engine_that_cannot_be_made_tells_its_callback) {
    struct listener listener = {.calls = 0};
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_engine_desc desc = {.error = listen, .error_context = &listener};
    desc.allocator = ledger_allocator(&ledger);
    desc.allocator.release = NULL;
    CHECK(cosm_engine_create(&desc) == NULL);
    CHECK_INT(listener.calls, 1);
    CHECK_CONTAINS(listener.message, "cosm_engine_create: desc.allocator is incomplete");
    ledger_close(&ledger);
}

TEST(a_failure_of_one_engine_is_not_told_to_another) {
    struct listener listener = {.calls = 0};
    struct fixture loud;
    struct fixture quiet;
    fixture_open_with(&loud, 0, &(cosm_engine_desc){.error = listen, .error_context = &listener},
                      NULL);
    fixture_open(&quiet, 0, 1);
    CHECK(cosm_entity_is_none(cosm_entity_spawn(quiet.world, quiet.event)));
    CHECK_INT(listener.calls, 0);
    fixture_close(&loud);
    fixture_close(&quiet);
}

TEST(a_stale_handle_has_neither_a_message_nor_a_callback) {
    struct listener listener = {.calls = 0};
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.error = listen, .error_context = &listener},
                      NULL);
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    cosm_error_clear();
    CHECK_INT(cosm_entity_despawn(box.world, entity), COSM_STALE);
    CHECK_INT(cosm_entity_add(box.world, entity, box.mark), COSM_STALE);
    CHECK_INT(cosm_entity_remove(box.world, entity, box.mark), COSM_STALE);
    CHECK_INT(cosm_entity_set(box.world, entity, box.mark, NULL), COSM_STALE);
    CHECK(cosm_entity_read(box.world, entity, box.position) == NULL);
    CHECK_SILENT();
    CHECK_INT(listener.calls, 0);
    fixture_close(&box);
}

TEST(a_message_with_two_names_of_full_length_is_whole) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char component_name[COSM_NAME_LENGTH_MAX + 1];
    char archetype_name[COSM_NAME_LENGTH_MAX + 1];
    memset(component_name, 'c', COSM_NAME_LENGTH_MAX);
    memset(archetype_name, 'a', COSM_NAME_LENGTH_MAX);
    component_name[COSM_NAME_LENGTH_MAX] = '\0';
    archetype_name[COSM_NAME_LENGTH_MAX] = '\0';
    cosm_component component = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = component_name, .size = 4});
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.name = archetype_name, .components = {box.velocity}});
    uint32_t value = 0;
    CHECK(cosm_entity_is_none(
        cosm_entity_spawn_with(box.world, archetype, &(cosm_value){component, &value}, 1)));
    CHECK_CONTAINS(cosm_error_message(), component_name);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", archetype_name,
                  "or add it afterwards");
    fixture_close(&box);
}

// Failures of modules and programs.

TEST(a_raised_failure_is_told_as_those_of_the_library_are) {
    struct listener listener = {.calls = 0};
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.error = listen, .error_context = &listener},
                      NULL);
    CHECK_INT(cosm_error_raise(box.engine, COSM_ERROR_FORMAT,
                               "shop_read: line %d, column %u: '%s' is no price; write a number",
                               -3, 7u, "cheap"),
              COSM_ERROR_FORMAT);
    CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
    CHECK_STR(cosm_error_message(),
              "shop_read: line -3, column 7: 'cheap' is no price; write a number");
    CHECK_INT(listener.calls, 1);
    CHECK_INT(listener.result, COSM_ERROR_FORMAT);
    CHECK_STR(listener.message, cosm_error_message());
    fixture_close(&box);
}

TEST(any_result_but_ok_and_stale_can_be_raised) {
    struct listener listener = {.calls = 0};
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.error = listen, .error_context = &listener},
                      NULL);
    for (int result = COSM_STALE + 1; result < COSM_RESULT_COUNT; result++) {
        CHECK_INT(cosm_error_raise(box.engine, (cosm_result)result, "a: b; c"), result);
        CHECK_INT(cosm_error_result(), result);
        CHECK_STR(cosm_error_message(), "a: b; c");
        CHECK_INT(listener.result, result);
    }
    CHECK_INT(listener.calls, COSM_RESULT_COUNT - 2);
    // What is no failure leaves the last one where it is.
    CHECK_INT(cosm_error_raise(box.engine, COSM_OK, "x: %d; y", 1), COSM_OK);
    CHECK_INT(cosm_error_raise(box.engine, COSM_STALE, "x: %d; y", 1), COSM_STALE);
    CHECK_INT(listener.calls, COSM_RESULT_COUNT - 2);
    CHECK_INT(cosm_error_result(), COSM_RESULT_COUNT - 1);
    CHECK_STR(cosm_error_message(), "a: b; c");
    fixture_close(&box);
}

TEST(a_failure_raised_without_an_engine_reaches_the_slot_only) {
    cosm_error_clear();
    CHECK_INT(cosm_error_raise(NULL, COSM_ERROR_LIMIT, "shop_open: %s; %s", "full", "wait"),
              COSM_ERROR_LIMIT);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "shop_open:", "full", "wait");
}

TEST(a_raised_message_that_is_too_long_is_cut) {
    char text[2000];
    memset(text, 'm', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    CHECK_INT(cosm_error_raise(NULL, COSM_ERROR_FULL, "%s", text), COSM_ERROR_FULL);
    CHECK_INT(strlen(cosm_error_message()), 639);
    CHECK_INT(strspn(cosm_error_message(), "m"), 639);
    cosm_error_clear();
}

static void raise_in_system(const cosm_turn *turn) {
    (void)turn;
    (void)cosm_error_raise(turn->context, COSM_ERROR_FORMAT,
                           "shop_run: nothing to sell; buy first");
}

TEST(a_failure_raised_in_a_system_is_the_result_of_the_step) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system system = cosm_system_define(
        box.engine,
        &(cosm_system_desc){.name = "shop", .run = raise_in_system, .context = box.engine});
    CHECK(system.id != 0);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_FORMAT, "shop_run:", "nothing to sell",
                "buy first");
    fixture_close(&box);
}
