// ctest: threads
// Failures that nobody listens to go to stderr, each place once (cosm/error.h, cosm/engine.h).
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "harness.h"
#include "support/fixture.h"
#include "support/overheard.h"

static void ignore(void *context, cosm_result result, const char *message) {
    (void)result;
    (void)message;
    ++*(uint32_t *)context;
}

// Two mistakes, one of them in a loop.
static void make_mistakes(const struct fixture *box) {
    cosm_system_define(box->engine, &(cosm_system_desc){.name = "fall"});
    for (uint32_t i = 0; i < 60; i++) {
        (void)cosm_batch_world(box->batch, 5 + i);
    }
}

TEST(an_engine_without_a_callback_prints_each_failure_once) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    make_mistakes(&box);
    overheard_end(&heard);
    CHECK_STR(
        heard.text,
        "cosm: cosm_system_define: 'fall' sets neither of desc.each and desc.run; set exactly "
        "one\n"
        "cosm: cosm_batch_world: world.index 5 does not exist; the batch has 1 worlds: pass a "
        "smaller index\n");
    fixture_close(&box);
}

TEST(a_step_after_a_failed_definition_prints_which_one_and_not_its_message_again) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    cosm_system_define(box.engine, &(cosm_system_desc){.name = "fall"});
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
    overheard_end(&heard);
    CHECK_STR(
        heard.text,
        "cosm: cosm_system_define: 'fall' sets neither of desc.each and desc.run; set exactly "
        "one\n"
        "cosm: cosm_batch_step: nothing ran, because system 'fall' could not be defined: see "
        "above; fix that, or step again to continue without it\n");
    CHECK_CONTAINS(cosm_error_message(), "sets neither of desc.each and desc.run");
    fixture_close(&box);
}

TEST(each_engine_prints_its_own_failures) {
    struct overheard heard;
    for (uint32_t i = 0; i < 2; i++) {
        struct fixture box;
        fixture_open_with(&box, 0, NULL, NULL);
        overheard_begin(&heard);
        make_mistakes(&box);
        overheard_end(&heard);
        CHECK_INT(overheard_lines(&heard), 2);
        fixture_close(&box);
    }
}

TEST(a_quiet_engine_prints_nothing) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    overheard_begin(&heard);
    make_mistakes(&box);
    cosm_result raised = cosm_error_raise(box.engine, COSM_ERROR_FULL, "shop: full; wait");
    overheard_end(&heard);
    CHECK_INT(raised, COSM_ERROR_FULL);
    CHECK_STR(heard.text, "");
    CHECK_STR(cosm_error_message(), "shop: full; wait");
    fixture_close(&box);
}

TEST(an_engine_with_a_callback_prints_nothing) {
    struct fixture box;
    struct overheard heard;
    uint32_t calls = 0;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.error = ignore, .error_context = &calls}, NULL);
    overheard_begin(&heard);
    make_mistakes(&box);
    overheard_end(&heard);
    CHECK_STR(heard.text, "");
    CHECK_INT(calls, 61);
    fixture_close(&box);
}

TEST(names_tell_places_apart_and_numbers_do_not) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    static const char *const names[] = {"walk", "walk2", "walk"};
    overheard_begin(&heard);
    for (uint32_t i = 0; i < 3; i++) {
        cosm_system_define(box.engine, &(cosm_system_desc){.name = names[i]});
        (void)cosm_error_raise(box.engine, COSM_ERROR_FULL, "shop: %-3d %5.2f %zu %c%% %llu; wait",
                               (int)i, 1.5 * i, (size_t)i, 'a', (unsigned long long)i);
        (void)cosm_error_raise(box.engine, COSM_ERROR_FULL, "shop: %.*s of %s; wait", (int)i + 1,
                               "abc", i == 0 ? "bread" : "salt");
        (void)cosm_error_raise(box.engine, COSM_ERROR_FULL, "shop: %u of %s; wait", i, names[i]);
    }
    overheard_end(&heard);
    CHECK_INT(overheard_lines(&heard), 8);
    CHECK_CONTAINS(heard.text, "cosm: shop: 0   ");
    CHECK_CONTAINS(heard.text, "cosm: shop: a of bread; wait\ncosm: shop: 0 of walk; wait\n");
    CHECK_CONTAINS(heard.text, "cosm: shop: ab of salt; wait\ncosm: shop: 1 of walk2; wait\n");
    CHECK_CONTAINS(heard.text, "cosm: shop: abc of salt; wait\n");
    fixture_close(&box);
}

TEST(two_definitions_that_are_wrong_in_one_way_are_both_printed) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    static const char *const names[] = {"cart", "pole", "cart"};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_archetype_define(box.engine,
                              &(cosm_archetype_desc){.name = names[i],
                                                     .components = {box.health},
                                                     .placement = COSM_PLACEMENT_FIXED});
    }
    overheard_end(&heard);
    CHECK_STR(heard.text, "cosm: cosm_archetype_define: 'cart': desc.max_per_world is 0 with "
                          "COSM_PLACEMENT_FIXED; use 1 to 268435456\n"
                          "cosm: cosm_archetype_define: 'pole': desc.max_per_world is 0 with "
                          "COSM_PLACEMENT_FIXED; use 1 to 268435456\n");
    fixture_close(&box);
}

TEST(what_is_stale_is_not_printed) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.mark));
    overheard_begin(&heard);
    cosm_result despawned = cosm_entity_despawn(box.world, entity);
    cosm_result applied = cosm_commands_apply(commands, NULL);
    overheard_end(&heard);
    CHECK_INT(despawned, COSM_STALE);
    CHECK_INT(applied, COSM_OK);
    CHECK_STR(heard.text, "");
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply:", "is not alive at this point", "skipped");
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(what_is_muted_is_not_printed_and_may_be_printed_later) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    cosm_error_mute(true);
    make_mistakes(&box);
    cosm_error_mute(false);
    overheard_end(&heard);
    CHECK_STR(heard.text, "");
    overheard_begin(&heard);
    make_mistakes(&box);
    overheard_end(&heard);
    CHECK_INT(overheard_lines(&heard), 2);
    fixture_close(&box);
}

static void fail_in_turn(const cosm_turn *turn) {
    (void)cosm_entity_spawn(cosm_batch_world(turn->worlds.batch, turn->worlds.first),
                            (cosm_archetype){999});
}

TEST(a_system_that_fails_in_every_step_is_printed_once) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "s", .run = fail_in_turn}).id);
    uint32_t failed = 0;
    overheard_begin(&heard);
    for (uint32_t i = 0; i < 60; i++) {
        failed += cosm_batch_step(box.batch) != COSM_OK;
    }
    overheard_end(&heard);
    CHECK_INT(failed, 60);
    CHECK_INT(overheard_lines(&heard), 1);
    CHECK_CONTAINS(heard.text, "cosm: cosm_entity_spawn: system 's' changes world 0 directly; ");
    fixture_close(&box);
}

TEST(after_sixty_four_places_one_line_says_that_the_rest_is_left_out) {
    struct fixture box;
    struct overheard heard;
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    for (uint32_t i = 0; i < 200; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "shop%u", i);
        (void)cosm_error_raise(box.engine, COSM_ERROR_FULL, "%s: full; wait", name);
    }
    overheard_end(&heard);
    CHECK_INT(overheard_lines(&heard), 65);
    CHECK_CONTAINS(heard.text, "cosm: shop63: full; wait\ncosm: 64 kinds of failures were printed");
    CHECK(strstr(heard.text, "shop64") == NULL);
    fixture_close(&box);
}

static void *fail_without_engine(void *context) {
    (void)context;
    for (uint32_t i = 0; i < 60; i++) {
        (void)cosm_batch_create(NULL, NULL);
        (void)cosm_entity_spawn((cosm_world){NULL, i}, (cosm_archetype){1});
        (void)cosm_error_raise(NULL, COSM_ERROR_FULL, "shop: %u; wait", i);
        (void)cosm_engine_create(&(cosm_engine_desc){.worker_count = COSM_WORKER_MAX + 1 + i});
        (void)cosm_engine_create(&(cosm_engine_desc){.worker_count = 1000, .quiet = true});
    }
    return NULL;
}

TEST(failures_of_no_engine_are_printed_once_for_each_thread) {
    struct overheard heard;
    for (uint32_t i = 0; i < 2; i++) {
        pthread_t thread;
        overheard_begin(&heard);
        int made = pthread_create(&thread, NULL, fail_without_engine, NULL);
        int joined = pthread_join(thread, NULL);
        overheard_end(&heard);
        CHECK(made == 0 && joined == 0);
        CHECK_STR(heard.text,
                  "cosm: cosm_batch_create: engine is NULL; pass one from cosm_engine_create\n"
                  "cosm: cosm_entity_spawn: world.batch is NULL; pass a world from "
                  "cosm_batch_world\n"
                  "cosm: shop: 0; wait\n"
                  "cosm: cosm_engine_create: desc.worker_count 257 is over the limit of 256; use "
                  "one per core\n");
    }
}

static void *fail_with_engine(void *context) {
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "shop%u", i % 40);
        (void)cosm_error_raise(context, COSM_ERROR_FULL, "%s: %u; wait", name, i);
    }
    return NULL;
}

TEST(threads_that_fail_at_the_same_places_print_each_once) {
    struct fixture box;
    struct overheard heard;
    pthread_t threads[4];
    fixture_open_with(&box, 0, NULL, NULL);
    overheard_begin(&heard);
    int failed = 0;
    for (uint32_t i = 0; i < 4; i++) {
        failed |= pthread_create(&threads[i], NULL, fail_with_engine, box.engine);
    }
    for (uint32_t i = 0; i < 4; i++) {
        failed |= pthread_join(threads[i], NULL);
    }
    overheard_end(&heard);
    CHECK_INT(failed, 0);
    CHECK_INT(overheard_lines(&heard), 40);
    fixture_close(&box);
}

TEST(a_container_of_sectors_prints_as_an_engine_does) {
    struct overheard heard;
    cosm_container_member member = {.name = "Health", .size = sizeof(Health)};
    for (uint32_t quiet = 0; quiet < 2; quiet++) {
        cosm_container *sectors = cosm_container_create(
            &(cosm_container_desc){.members = &member, .member_count = 1, .quiet = quiet == 1});
        overheard_begin(&heard);
        for (uint32_t i = 0; i < 60; i++) {
            (void)cosm_container_add(sectors, (cosm_entity){0, i}, 0, NULL);
        }
        overheard_end(&heard);
        CHECK_STR(heard.text, quiet == 1
                                  ? ""
                                  : "cosm: cosm_container_add: the entity @0:0 can never be "
                                    "alive; pass an odd generation and an id below 268435456\n");
        CHECK_DONE(cosm_container_destroy(sectors));
    }
}

TEST(a_file_that_cannot_be_described_is_printed_unless_the_desc_is_quiet) {
    struct overheard heard;
    overheard_begin(&heard);
    cosm_result quiet =
        cosm_save_describe("/nowhere/at/all", &(cosm_load_desc){.quiet = true}, NULL, NULL);
    overheard_end(&heard);
    CHECK_INT(quiet, COSM_ERROR_ARGUMENT);
    CHECK_STR(heard.text, "");
    overheard_begin(&heard);
    cosm_result loud = cosm_save_describe("/nowhere/at/all", NULL, NULL, NULL);
    overheard_end(&heard);
    CHECK_INT(loud, COSM_ERROR_ARGUMENT);
    CHECK_INT(overheard_lines(&heard), 1);
}

static void ask_for_a_wrong_type(cosm_rows *rows) {
    (void)COSM_READ(rows, Velocity);
}

TEST(a_mistake_that_a_system_repeats_is_printed_once_and_not_past_a_quiet_engine) {
    for (uint32_t quiet = 0; quiet < 2; quiet++) {
        struct fixture box;
        struct overheard heard;
        cosm_result results[4];
        fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = quiet == 1, .worker_count = 1},
                          NULL);
        (void)fixture_spawn(&box, 0);
        CHECK(COSM_SYSTEM_DEFINE(box.engine, ask_for_a_wrong_type, "Position").id != 0);
        overheard_begin(&heard);
        for (uint32_t i = 0; i < 4; i++) {
            results[i] = cosm_batch_step(box.batch);
        }
        overheard_end(&heard);
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_INT(results[i], COSM_ERROR_ARGUMENT);
        }
        CHECK_INT(overheard_lines(&heard), quiet == 1 ? 0 : 1);
        fixture_close(&box);
    }
}
