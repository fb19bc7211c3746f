// Engines: making, destroying, counting what they hold (cosm/engine.h).
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

TEST(a_zeroed_desc_and_no_desc_make_the_same_engine) {
    cosm_engine *plain = cosm_engine_create(NULL);
    cosm_engine *zeroed = cosm_engine_create(&(cosm_engine_desc){.worker_count = 0});
    REQUIRE(plain != NULL && zeroed != NULL);
    // One per core.
    CHECK(cosm_engine_describe(plain).worker_count >= 1);
    CHECK_INT(cosm_engine_describe(zeroed).worker_count, cosm_engine_describe(plain).worker_count);
    CHECK_INT(cosm_engine_describe(plain).system_count, 0);
    CHECK_INT(cosm_engine_describe(plain).component_count, 0);
    CHECK_INT(cosm_engine_describe(plain).archetype_count, 0);
    CHECK_INT(cosm_engine_describe(plain).singleton_count, 0);
    CHECK_INT(cosm_engine_describe(plain).bundle_count, 0);
    CHECK_INT(cosm_engine_describe(plain).batch_count, 0);
    CHECK_DONE(cosm_engine_destroy(plain));
    CHECK_DONE(cosm_engine_destroy(zeroed));
}

TEST(an_engine_has_the_workers_it_was_asked_for) {
    const uint32_t counts[] = {1, 2, 3, 8, COSM_WORKER_MAX};
    for (uint32_t i = 0; i < 5; i++) {
        cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = counts[i]});
        CHECK_INT(cosm_engine_describe(engine).worker_count, counts[i]);
        CHECK_DONE(cosm_engine_destroy(engine));
    }
}

TEST(more_workers_than_the_limit_are_refused) {
    const uint32_t counts[] = {COSM_WORKER_MAX + 1, UINT32_MAX};
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(cosm_engine_create(&(cosm_engine_desc){.worker_count = counts[i]}) == NULL);
        CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_engine_create:", "desc.worker_count", "one per core");
    }
}

static void *start_nothing(void *context, cosm_scheduler_task_fn *task, void *argument,
                           uint32_t count) {
    (void)context;
    (void)task;
    (void)argument;
    (void)count;
    return NULL;
}

static void finish_nothing(void *context, void *started) {
    (void)context;
    (void)started;
}

TEST(half_a_scheduler_is_refused) {
    cosm_engine_desc half = {.scheduler = {.start = start_nothing}};
    CHECK(cosm_engine_create(&half) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_engine_create:", "desc.scheduler", "both or neither");
    half = (cosm_engine_desc){.scheduler = {.finish = finish_nothing}};
    CHECK(cosm_engine_create(&half) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_engine_create:", "desc.scheduler", "both or neither");
}

TEST(an_engine_counts_the_snapshots_that_live) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK_INT(cosm_engine_describe(box.engine).snapshot_count, 0);
    cosm_snapshot *first = cosm_snapshot_create(box.all);
    cosm_snapshot *second = cosm_snapshot_create(box.all);
    CHECK_INT(cosm_engine_describe(box.engine).snapshot_count, 2);
    cosm_snapshot_destroy(first);
    CHECK_INT(cosm_engine_describe(box.engine).snapshot_count, 1);
    cosm_snapshot_destroy(second);
    CHECK_INT(cosm_engine_describe(box.engine).snapshot_count, 0);
    fixture_close(&box);
}

TEST(an_engine_counts_components_archetypes_and_batches_but_not_bundles) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_engine_describe(box.engine).component_count, 4);
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, 4);
    CHECK_INT(cosm_engine_describe(box.engine).batch_count, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "body", .components = {box.position, box.velocity}});
    CHECK(bundle.id != 0);
    CHECK_INT(cosm_engine_describe(box.engine).component_count, 4);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, 5);
    cosm_batch *second = cosm_batch_create(box.engine, NULL);
    CHECK_INT(cosm_engine_describe(box.engine).batch_count, 2);
    CHECK_DONE(cosm_batch_destroy(second));
    CHECK_INT(cosm_engine_describe(box.engine).batch_count, 1);
    fixture_close(&box);
}

TEST(components_archetypes_and_singletons_have_the_ids_1_to_their_count) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_engine *engine = box.engine;
    for (uint32_t i = 0; i < 300; i++) {
        char name[] = {(char)('a' + i / 26), (char)('a' + i % 26), '\0'};
        CHECK(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = name, .size = 4}).id);
        CHECK(cosm_component_define(engine, &(cosm_component_desc){.name = name}).id);
    }
    CHECK_INT(cosm_engine_describe(engine).singleton_count, 300);
    CHECK_INT(cosm_engine_describe(engine).component_count, 304);
    for (uint32_t id = 1; id <= 300; id++) {
        CHECK(cosm_singleton_describe(engine, (cosm_singleton){id}).name != NULL);
    }
    CHECK(cosm_singleton_describe(engine, (cosm_singleton){301}).name == NULL);
    for (uint32_t id = 1; id <= 304; id++) {
        CHECK(cosm_component_describe(engine, (cosm_component){id}).name != NULL);
    }
    CHECK(cosm_component_describe(engine, (cosm_component){305}).name == NULL);
    for (uint32_t id = 1; id <= cosm_engine_describe(engine).archetype_count; id++) {
        CHECK(cosm_archetype_describe(engine, (cosm_archetype){id}).name != NULL);
    }
    // A definition that fails or is there already counts no further.
    CHECK_INT(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "zz"}).id, 0);
    CHECK_INT(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "ab", .size = 4}).id, 2);
    CHECK_INT(cosm_engine_describe(engine).singleton_count, 300);
    fixture_close(&box);
}

TEST(an_engine_lists_its_bundles) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_engine *engine = box.engine;
    cosm_component bundles[3];
    static const char *const names[3] = {"first", "second", "third"};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(cosm_engine_describe(engine).bundle_count, i);
        CHECK_INT(cosm_engine_bundle(engine, i).id, 0);
        bundles[i] = cosm_bundle_define(
            engine, &(cosm_bundle_desc){.name = names[i], .components = {box.position, box.mark}});
        CHECK(bundles[i].id != 0);
    }
    CHECK_INT(cosm_engine_describe(engine).bundle_count, 3);
    cosm_error_clear();
    for (uint32_t i = 0; i < 3; i++) {
        cosm_component bundle = cosm_engine_bundle(engine, i);
        CHECK_INT(bundle.id, bundles[i].id);
        CHECK(cosm_component_describe(engine, bundle).is_bundle);
        CHECK_STR(cosm_component_describe(engine, bundle).name, names[i]);
    }
    const uint32_t past[] = {3, 4, 0x7FFFFFFF, 0x80000000, UINT32_MAX};
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_INT(cosm_engine_bundle(engine, past[i]).id, 0);
    }
    CHECK_SILENT();
    CHECK_INT(cosm_engine_describe(engine).component_count, 4);
    fixture_close(&box);
}

TEST(an_engine_with_batches_is_not_destroyed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch *second = cosm_batch_create(box.engine, NULL);
    CHECK_FAILS(cosm_engine_destroy(box.engine), COSM_ERROR_BUSY,
                "cosm_engine_destroy:", "2 batches", "cosm_batch_destroy");
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    CHECK_DONE(cosm_batch_destroy(second));
    fixture_close(&box);
}

TEST(destroying_no_engine_is_fine) {
    cosm_error_clear();
    CHECK_INT(cosm_engine_destroy(NULL), COSM_OK);
    CHECK_SILENT();
}

TEST(asking_no_engine_gives_zero) {
    CHECK_INT(cosm_engine_describe(NULL).worker_count, 0);
    CHECK_INT(cosm_engine_describe(NULL).component_count, 0);
    CHECK_INT(cosm_engine_describe(NULL).archetype_count, 0);
    CHECK_INT(cosm_engine_describe(NULL).singleton_count, 0);
    CHECK_INT(cosm_engine_describe(NULL).bundle_count, 0);
    CHECK_INT(cosm_engine_bundle(NULL, 0).id, 0);
    CHECK_INT(cosm_engine_describe(NULL).batch_count, 0);
    CHECK_INT(cosm_engine_describe(NULL).snapshot_count, 0);
}

TEST(an_engine_is_destroyed_with_its_definitions_and_its_queries) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    CHECK(fixture_query(&box, box.position, box.velocity) != NULL);
    CHECK(fixture_query(&box, box.health, (cosm_component){0}) != NULL);
    CHECK(
        cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "clock", .size = 8}).id !=
        0);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(half_an_allocator_is_refused) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_allocator whole = ledger_allocator(&ledger);
    for (int i = 0; i < 6; i++) {
        cosm_engine_desc desc = {.allocator = whole};
        cosm_allocator *a = &desc.allocator;
        a->allocate = i == 0 ? NULL : a->allocate;
        a->release = i == 1 ? NULL : a->release;
        a->reserve = i == 2 ? NULL : a->reserve;
        a->commit = i == 3 ? NULL : a->commit;
        a->decommit = i == 4 ? NULL : a->decommit;
        a->unreserve = i == 5 ? NULL : a->unreserve;
        CHECK(cosm_engine_create(&desc) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_engine_create:", "desc.allocator is incomplete",
                      "all or none of reserve, commit, decommit and unreserve");
    }
    ledger_close(&ledger);
}

TEST(two_engines_share_neither_names_nor_ids_nor_queries) {
    struct fixture a;
    struct fixture b;
    fixture_open(&a, 0, 1);
    fixture_open(&b, 0, 1);
    cosm_component only =
        cosm_component_define(a.engine, &(cosm_component_desc){.name = "only in a", .size = 4});
    CHECK(only.id != 0);
    CHECK_INT(cosm_component_find(b.engine, "only in a").id, 0);
    CHECK_STR(cosm_component_describe(b.engine, only).name, NULL);
    cosm_query *of_a = fixture_query(&a, a.position, a.velocity);
    cosm_query *of_b = fixture_query(&b, b.position, b.velocity);
    CHECK(of_a != of_b);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(a.world, a.mover)));
    CHECK_INT(cosm_query_count(of_a, a.all), 1);
    CHECK_INT(cosm_query_count(of_b, b.all), 0);
    CHECK_INT(cosm_query_count(of_a, b.all), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_query_count:", "another engine", "create it from");
    cosm_query_destroy(of_a);
    cosm_query_destroy(of_b);
    fixture_close(&a);
    fixture_close(&b);
}

TEST(definitions_may_come_while_batches_are_in_use) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity entity = fixture_spawn(&box, 2);
    cosm_component late =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "late", .size = 8});
    CHECK_DONE(cosm_entity_add(box.world, entity, late));
    CHECK(cosm_entity_read(box.world, entity, late) != NULL);
    const Position *position = COSM_READ(box.world, entity, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position->x, 2, 0);
    fixture_close(&box);
}

TEST(the_library_and_the_headers_are_of_one_version) {
    CHECK_STR(cosm_version(), COSM_VERSION);
}

// Definitions that fail.

static void count_turns(const cosm_turn *turn) {
    ++*(uint32_t *)turn->context;
}

// A box with a system that counts steps.
static void open_counting(struct fixture *box, uint32_t *steps) {
    *steps = 0;
    fixture_open_with(box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_system_desc desc = {.name = "count", .run = count_turns, .context = steps};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

TEST(a_definition_that_failed_fails_the_next_step_before_anything_runs_and_once) {
    struct fixture box;
    uint32_t steps;
    open_counting(&box, &steps);
    cosm_query_desc all = {.terms = {{.component = box.position}}};
    cosm_system_desc desc = {.name = "fall", .queries = {all}};
    CHECK_INT(cosm_system_define(box.engine, &desc).id, 0);
    CHECK_INT(cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "late"}).id, 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
    CHECK_STR(cosm_error_message(),
              "cosm_batch_step: nothing ran, because system 'fall' could not be defined; fix that, "
              "or step again to continue without it: cosm_system_define: 'fall' sets neither of "
              "desc.each and desc.run; set exactly one");
    CHECK_INT(steps, 0);
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(steps, 1);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(steps, 2);
    fixture_close(&box);
}

TEST(the_step_of_whatever_batch_comes_first_says_which_definition_failed) {
    struct fixture box;
    uint32_t steps;
    open_counting(&box, &steps);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    CHECK_INT(cosm_phase_define(box.engine, NULL).id, 0);
    CHECK_FAILS(cosm_batch_run_phase(other, COSM_PHASE_SIMULATION, 0), COSM_ERROR_ARGUMENT,
                "cosm_batch_run_phase:", "the phase without a name could not be defined",
                "cosm_phase_define: desc is NULL; pass both");
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(steps, 1);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

// Defines a thing of one kind wrongly; returns how many kinds there are.
static uint32_t define_wrongly(const struct fixture *box, uint32_t kind) {
    cosm_engine *engine = box->engine;
    static cosm_component_type type = {.desc = {.name = ""}};
    static cosm_singleton_type single = {.desc = {.name = ""}};
    uint32_t ids[] = {
        kind != 0 ? 0 : cosm_component_define(engine, NULL).id,
        kind != 1 ? 0 : cosm_component_register(engine, NULL).id,
        kind != 2 ? 0 : cosm_component_register(engine, &type).id,
        kind != 3 ? 0 : cosm_bundle_define(engine, NULL).id,
        kind != 4 ? 0 : cosm_archetype_define(engine, NULL).id,
        kind != 5
            ? 0
            : cosm_archetype_define(
                  engine, &(cosm_archetype_desc){.name = "gap", .components = {{0}, box->position}})
                  .id,
        kind != 6 ? 0 : cosm_singleton_define(engine, NULL).id,
        kind != 7 ? 0 : cosm_singleton_register(engine, NULL).id,
        kind != 8 ? 0 : cosm_singleton_register(engine, &single).id,
        kind != 9 ? 0 : cosm_phase_define(engine, &(cosm_phase_desc){.name = NULL}).id,
        kind != 10 ? 0 : cosm_system_define(engine, NULL).id,
        kind != 11 ? 0 : cosm_observer_define(engine, NULL).id,
        kind != 12 ? 0 : cosm_observer_define(engine, &(cosm_observer_desc){.name = "o"}).id,
        kind != 13 ? 0 : cosm_template_define(engine, NULL).id,
        kind != 14 ? 0 : cosm_sector_group_define(engine, NULL).id,
        kind != 15 ? 0 : cosm_template_capture(box->world, COSM_ENTITY_NONE, "", false).id,
        kind != 16 ? 0 : cosm_export_define(engine, NULL) == COSM_OK,
        kind != 17 ? 0 : cosm_export_define(engine, &(cosm_export_desc){.slot = 1}) == COSM_OK,
        kind != 18 ? 0 : cosm_save_define(engine, NULL, NULL) == COSM_OK,
        kind != 19 ? 0 : COSM_COMPONENT_DEFINE(engine, Position, x).id,
        kind != 20 ? 0 : COSM_SINGLETON_DEFINE(engine, Position, x).id,
    };
    const uint32_t count = sizeof(ids) / sizeof(ids[0]);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(ids[i], 0);
    }
    return count;
}

TEST(no_kind_of_definition_fails_in_silence) {
    struct fixture box;
    uint32_t steps;
    open_counting(&box, &steps);
    uint32_t count = 1;
    for (uint32_t kind = 0; kind < count; kind++) {
        count = define_wrongly(&box, kind);
        uint32_t before = steps;
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT,
                    "cosm_batch_step: nothing ran, because ", "could not be defined", ": ");
        CHECK_INT(steps, before);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(steps, before + 1);
    }
    fixture_close(&box);
}

static void define_in_turn(const cosm_turn *turn) {
    CHECK_INT(cosm_system_define(turn->context, &(cosm_system_desc){.name = "inner"}).id, 0);
}

TEST(a_definition_that_fails_in_a_system_fails_the_step_that_it_is_in) {
    struct fixture box;
    uint32_t steps;
    open_counting(&box, &steps);
    cosm_system_desc desc = {.name = "outer", .run = define_in_turn, .context = box.engine};
    cosm_system outer = cosm_system_define(box.engine, &desc);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT, "cosm_system_define:", "'inner'",
                "set exactly one");
    CHECK_INT(steps, 1);
    CHECK_DONE(cosm_system_remove(box.engine, outer));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(steps, 2);
    fixture_close(&box);
}
