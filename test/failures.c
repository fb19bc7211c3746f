// Failures of memory: in every call that allocates, the n-th request is refused, for every n. Then
// the call says COSM_ERROR_MEMORY and nothing has changed, or it managed without; the same call
// works afterwards; and in the end every byte comes back. Calls about components of other storages are
// in storage_failures.c.
#include "harness.h"
#include "support/rig.h"

static void fill(cosm_world world, cosm_archetype archetype, uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(world, archetype, count, &rows));
}

static void prepare_entities(struct rig *rig) {
    for (uint32_t i = 0; i < 64; i++) {
        rig->entities[i] = fixture_spawn(&rig->box, (float)i);
    }
}

static void prepare_query(struct rig *rig) {
    prepare_entities(rig);
    fill(fixture_world(&rig->box, 2), rig->box.slot, 3);
    fill(fixture_world(&rig->box, 1), rig->box.mover, 7);
    rig->query = fixture_query(&rig->box, rig->box.position, (cosm_component){0});
}

// Definitions.

static cosm_result define_component(struct rig *rig) {
    // Larger than a block of the arena that keeps definitions.
    static const uint64_t value[1000] = {1, 2, 3};
    cosm_component_desc desc = {.name = "new", .size = sizeof(value), .default_value = value};
    return or_memory(cosm_component_define(rig->box.engine, &desc).id != 0);
}

// Stops just short of the next page of the list and of the next size of the map of names.
static void prepare_many_components(struct rig *rig) {
    for (uint32_t i = cosm_engine_describe(rig->box.engine).component_count; i < 255; i++) {
        char name[] = {'n', (char)('0' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10),
                       '\0'};
        CHECK(cosm_component_define(rig->box.engine, &(cosm_component_desc){.name = name}).id);
    }
}

static cosm_result define_bundle(struct rig *rig) {
    cosm_bundle_desc desc = {.name = "new", .components = {rig->box.position, rig->spare}};
    return or_memory(cosm_bundle_define(rig->box.engine, &desc).id != 0);
}

static cosm_result define_archetype(struct rig *rig) {
    cosm_archetype_desc desc = {.name = "new", .components = {rig->box.position, rig->spare}};
    return or_memory(cosm_archetype_define(rig->box.engine, &desc).id != 0);
}

static cosm_result define_singleton(struct rig *rig) {
    static const uint64_t value = 5;
    cosm_singleton_desc desc = {.name = "new", .size = 8, .default_value = &value};
    cosm_singleton made = cosm_singleton_define(rig->box.engine, &desc);
    if (made.id != 0) {
        CHECK_INT(*SINGLETON_READ_BY_ID(rig->box.world, uint64_t, made), 5);
    } else {
        CHECK_INT(cosm_singleton_find(rig->box.engine, "new").id, 0);
    }
    return or_memory(made.id != 0);
}

static void prepare_second_batch(struct rig *rig) {
    rig->second = cosm_batch_create(rig->box.engine, &(cosm_batch_desc){.world_count = 5});
    CHECK(rig->second != NULL);
}

TEST(definitions_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_component_define:", .attempt = define_component},
        {.call = "cosm_component_define:",
         .attempt = define_component,
         .prepare = prepare_many_components},
        {.call = "cosm_bundle_define:", .attempt = define_bundle},
        {.call = "cosm_archetype_define:", .attempt = define_archetype},
        {.call = "cosm_archetype_define:", .attempt = define_archetype, .prepare = prepare_query},
        {.call = "cosm_singleton_define:", .attempt = define_singleton},
        {.call = "cosm_singleton_define:",
         .attempt = define_singleton,
         .prepare = prepare_second_batch},
    };
    CHECK_FAILURES(0, cases);
}

static cosm_result create_query(struct rig *rig) {
    cosm_query_desc desc = {
        .terms = {{.component = rig->box.position, .access = COSM_ACCESS_WRITE}}};
    rig->query = cosm_query_create(rig->box.engine, &desc);
    return or_memory(rig->query != NULL);
}

static cosm_result create_batch(struct rig *rig) {
    rig->second = cosm_batch_create(rig->box.engine,
                                    &(cosm_batch_desc){.world_count = 3, .entity_capacity = 30000});
    return or_memory(rig->second != NULL);
}

static void prepare_singletons(struct rig *rig) {
    CHECK_DONE(define_singleton(rig));
    CHECK(
        cosm_singleton_define(rig->box.engine, &(cosm_singleton_desc){.name = "more", .size = 100})
            .id != 0);
}

static cosm_result create_commands(struct rig *rig) {
    rig->commands = cosm_commands_create(rig->box.batch);
    return or_memory(rig->commands != NULL);
}

TEST(making_queries_batches_and_commands_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_query_create:", .attempt = create_query},
        {.call = "cosm_query_create:", .attempt = create_query, .prepare = prepare_entities},
        {.call = "cosm_batch_create:", .attempt = create_batch},
        {.call = "cosm_batch_create:", .attempt = create_batch, .prepare = prepare_singletons},
        {.call = "cosm_commands_create:", .attempt = create_commands},
    };
    CHECK_FAILURES(0, cases);
}

TEST(making_an_engine_survives_every_refusal) {
    struct ledger ledger;
    ledger_open(&ledger);
    for (uint64_t n = 1; n < 10; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_error_clear();
        cosm_engine *engine =
            cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
        bool refused = ledger_relent(&ledger);
        if (engine == NULL) {
            CHECK(refused);
            CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_engine_create:", "out of memory", "free memory");
        }
        CHECK_DONE(cosm_engine_destroy(engine));
    }
    ledger_close(&ledger);
}

// Spawning.

static cosm_result spawn_mover(struct rig *rig) {
    return or_memory(!cosm_entity_is_none(cosm_entity_spawn(rig->box.world, rig->box.mover)));
}

static cosm_result spawn_slot(struct rig *rig) {
    cosm_value value = {rig->box.health, &(Health){3}};
    return or_memory(
        !cosm_entity_is_none(cosm_entity_spawn_with(rig->box.world, rig->box.slot, &value, 1)));
}

// Spawns exactly as many movers as there is room for in a block of some size.
static void fill_block(struct rig *rig, uint32_t at_least) {
    fill(rig->box.world, rig->box.mover, at_least);
    cosm_table_info info = cosm_table_describe(rig->box.world, rig->box.mover);
    fill(rig->box.world, rig->box.mover, info.capacity - info.row_count);
}

static void prepare_full_block(struct rig *rig) {
    fill_block(rig, 1);
}

static void prepare_largest_block(struct rig *rig) {
    fill_block(rig, 5000);
}

static void prepare_full_range(struct rig *rig) {
    fill_block(rig, 30000);
}

static cosm_result spawn_many(struct rig *rig) {
    cosm_rows rows;
    return cosm_entity_spawn_many(fixture_world(&rig->box, 1), rig->box.mover, 40000, &rows);
}

static cosm_result spawn_events(struct rig *rig) {
    cosm_rows rows;
    return cosm_entity_spawn_many(rig->box.world, rig->box.event, 100000, &rows);
}

static cosm_result reserve_rows(struct rig *rig) {
    return cosm_world_reserve(rig->box.world, rig->box.mover, 50000);
}

TEST(spawning_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_spawn:", .attempt = spawn_mover},
        {.call = "cosm_entity_spawn:", .attempt = spawn_mover, .prepare = prepare_full_block},
        {.call = "cosm_entity_spawn:", .attempt = spawn_mover, .prepare = prepare_largest_block},
        {.call = "cosm_entity_spawn:", .attempt = spawn_mover, .prepare = prepare_full_range},
        {.call = "cosm_entity_spawn_with:", .attempt = spawn_slot},
        {.call = "cosm_entity_spawn_many:", .attempt = spawn_many},
        {.call = "cosm_entity_spawn_many:", .attempt = spawn_many, .prepare = prepare_full_block},
        {.call = "cosm_entity_spawn_many:", .attempt = spawn_events},
        {.call = "cosm_world_reserve:", .attempt = reserve_rows, .prepare = prepare_full_block},
    };
    CHECK_FAILURES(0, cases);
}

static void prepare_large_fixed(struct rig *rig) {
    cosm_archetype_desc desc = {.name = "large",
                                .components = {rig->box.velocity},
                                .placement = COSM_PLACEMENT_FIXED,
                                .max_per_world = 50000};
    CHECK(cosm_archetype_define(rig->box.engine, &desc).id != 0);
}

static cosm_result spawn_large_fixed(struct rig *rig) {
    cosm_archetype large = cosm_archetype_find(rig->box.engine, "large");
    return or_memory(!cosm_entity_is_none(cosm_entity_spawn(rig->box.world, large)));
}

TEST(the_ranges_of_a_fixed_archetype_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_spawn:",
         .attempt = spawn_large_fixed,
         .prepare = prepare_large_fixed},
    };
    CHECK_FAILURES(0, cases);
}

// Changes of components.

static cosm_result add_spare(struct rig *rig) {
    return cosm_entity_add(rig->box.world, rig->entities[5], rig->spare);
}

static cosm_result remove_velocity(struct rig *rig) {
    return cosm_entity_remove(rig->box.world, rig->entities[5], rig->box.velocity);
}

static cosm_result set_health(struct rig *rig) {
    return cosm_entity_set(rig->box.world, rig->entities[5], rig->box.health, &(Health){8});
}

static cosm_result add_bundle(struct rig *rig) {
    return cosm_entity_add(rig->box.world, rig->entities[0],
                           cosm_component_find(rig->box.engine, "kit"));
}

static void prepare_bundle(struct rig *rig) {
    prepare_query(rig);
    cosm_bundle_desc desc = {.name = "kit", .components = {rig->spare, rig->box.mark}};
    CHECK(cosm_bundle_define(rig->box.engine, &desc).id != 0);
}

static cosm_result add_many(struct rig *rig) {
    return cosm_entity_add_many(rig->box.world, rig->entities, 64, rig->spare);
}

static cosm_result remove_many(struct rig *rig) {
    return cosm_entity_remove_many(rig->box.world, rig->entities, 30, rig->box.velocity);
}

static cosm_result set_many(struct rig *rig) {
    static const Health values[64] = {{1}, {2}, {3}};
    return cosm_entity_set_many(rig->box.world, rig->entities, 64, rig->box.health, values);
}

// An entity so wide that its way to another archetype does not fit what the arena has left.
static void prepare_wide(struct rig *rig) {
    cosm_component list[300];
    for (uint32_t i = 0; i < 300; i++) {
        char name[] = {'w', (char)('0' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10),
                       '\0'};
        list[i] =
            cosm_component_define(rig->box.engine, &(cosm_component_desc){.name = name, .size = 4});
    }
    cosm_archetype wide = cosm_archetype_define(
        rig->box.engine, &(cosm_archetype_desc){.more = list, .more_count = 300});
    rig->entities[5] = cosm_entity_spawn(rig->box.world, wide);
    CHECK(!cosm_entity_is_none(rig->entities[5]));
    cosm_component large = cosm_component_define(
        rig->box.engine, &(cosm_component_desc){.name = "large", .size = 100000});
    CHECK(large.id != 0);
    CHECK_DONE(create_commands(rig));
    CHECK_DONE(cosm_commands_add(rig->commands, rig->box.world, rig->entities[5], rig->spare));
}

static cosm_result apply_wide(struct rig *rig) {
    return cosm_commands_apply(rig->commands, NULL);
}

static cosm_result set_large(struct rig *rig) {
    static const char value[100000] = "large";
    return cosm_entity_set(rig->box.world, rig->entities[5],
                           cosm_component_find(rig->box.engine, "large"), value);
}

TEST(changes_of_components_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_entity_add:", .attempt = add_spare, .prepare = prepare_entities},
        {.call = "cosm_entity_add:", .attempt = add_spare, .prepare = prepare_query},
        {.call = "cosm_entity_remove:", .attempt = remove_velocity, .prepare = prepare_entities},
        {.call = "cosm_entity_set:", .attempt = set_health, .prepare = prepare_entities},
        {.call = "cosm_entity_add:", .attempt = add_bundle, .prepare = prepare_bundle},
        {.call = "cosm_entity_add:", .attempt = add_spare, .prepare = prepare_wide},
        {.call = "cosm_entity_set:", .attempt = set_large, .prepare = prepare_wide},
        {.call = "cosm_commands_apply:", .attempt = apply_wide, .prepare = prepare_wide},
        {.call = "cosm_entity_add_many:", .attempt = add_many, .prepare = prepare_query},
        {.call = "cosm_entity_remove_many:", .attempt = remove_many, .prepare = prepare_entities},
        {.call = "cosm_entity_set_many:", .attempt = set_many, .prepare = prepare_entities},
    };
    CHECK_FAILURES(0, cases);
}

static cosm_result query_add(struct rig *rig) {
    return cosm_query_add(rig->query, rig->box.all, rig->spare);
}

static cosm_result query_remove(struct rig *rig) {
    return cosm_query_remove(rig->query, rig->box.all, rig->box.velocity);
}

static cosm_result query_set(struct rig *rig) {
    return cosm_query_set(rig->query, rig->box.all, rig->spare, &(uint32_t){77});
}

static void prepare_large_query(struct rig *rig) {
    prepare_query(rig);
    fill(fixture_world(&rig->box, 1), rig->box.mover, 30000);
}

TEST(changes_of_whole_queries_survive_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_query_add:", .attempt = query_add, .prepare = prepare_query},
        {.call = "cosm_query_add:", .attempt = query_add, .prepare = prepare_large_query},
        {.call = "cosm_query_remove:", .attempt = query_remove, .prepare = prepare_query},
        {.call = "cosm_query_set:", .attempt = query_set, .prepare = prepare_query},
        {.call = "cosm_query_set:", .attempt = query_set, .prepare = prepare_large_query},
    };
    CHECK_FAILURES(0, cases);
}

// Commands.

static void prepare_commands(struct rig *rig) {
    prepare_query(rig);
    CHECK_DONE(create_commands(rig));
}

static cosm_result record_spawn(struct rig *rig) {
    return or_memory(
        !cosm_entity_is_none(cosm_commands_spawn(rig->commands, rig->box.world, rig->box.mover)));
}

static cosm_result record_set(struct rig *rig) {
    return cosm_commands_set(rig->commands, rig->box.world, rig->entities[3], rig->box.position,
                             &(Position){1, 2, 3});
}

static cosm_result record_emit(struct rig *rig) {
    return cosm_commands_emit(rig->commands, rig->box.world, rig->box.event, NULL, 0);
}

TEST(recording_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_commands_spawn:", .attempt = record_spawn, .prepare = prepare_commands},
        {.call = "cosm_commands_set:", .attempt = record_set, .prepare = prepare_commands},
        {.call = "cosm_commands_emit:", .attempt = record_emit, .prepare = prepare_commands},
    };
    CHECK_FAILURES(0, cases);
}

static void prepare_recorded(struct rig *rig) {
    prepare_commands(rig);
    cosm_world world = rig->box.world;
    cosm_commands *commands = rig->commands;
    CHECK_DONE(cosm_entity_despawn_many(world, rig->entities + 50, 5));
    for (uint32_t i = 0; i < 40; i++) {
        CHECK_DONE(record_spawn(rig));
        CHECK_DONE(record_emit(rig));
        cosm_entity spawned =
            cosm_commands_spawn(commands, fixture_world(&rig->box, 1), rig->box.mover);
        CHECK_DONE(
            cosm_commands_add(commands, fixture_world(&rig->box, 1), spawned, rig->box.health));
        CHECK_DONE(
            cosm_commands_set(commands, world, rig->entities[i], rig->spare, &(uint32_t){i}));
        if (i % 3 == 0) {
            CHECK_DONE(cosm_commands_remove(commands, world, rig->entities[i], rig->box.velocity));
        }
        if (i % 7 == 0) {
            CHECK_DONE(cosm_commands_despawn(commands, world, rig->entities[i + 1]));
        }
    }
}

static cosm_result apply_commands(struct rig *rig) {
    uint32_t count = cosm_commands_count(rig->commands);
    cosm_result result = cosm_commands_apply(rig->commands, NULL);
    CHECK_INT(cosm_commands_count(rig->commands), result == COSM_OK ? 0 : count);
    // Skipped commands leave a message of their own; the result of the call is what counts here.
    return result;
}

TEST(applying_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_commands_apply:", .attempt = apply_commands, .prepare = prepare_recorded},
    };
    CHECK_FAILURES(0, cases);
}

static cosm_result reset_world(struct rig *rig) {
    return cosm_world_reset(rig->box.world);
}

static cosm_result reset_batch(struct rig *rig) {
    return cosm_batch_reset(rig->box.batch, NULL);
}

// More promises than the directory has room for.
static void prepare_promises(struct rig *rig) {
    prepare_recorded(rig);
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_DONE(record_spawn(rig));
    }
}

TEST(what_must_settle_promises_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_world_reset:", .attempt = reset_world, .prepare = prepare_promises},
        {.call = "cosm_batch_reset:", .attempt = reset_batch, .prepare = prepare_promises},
        {.call = "cosm_entity_spawn:", .attempt = spawn_mover, .prepare = prepare_promises},
        {.call = "cosm_commands_apply:", .attempt = apply_commands, .prepare = prepare_promises},
    };
    CHECK_FAILURES(0, cases);
}

TEST(commands_are_forgotten_without_memory_and_without_loss) {
    for (uint64_t n = 1; n < 7; n++) {
        struct rig rig;
        rig_open(&rig, 0);
        prepare_promises(&rig);
        uint32_t alive = cosm_world_entity_count(rig.box.world);
        ledger_refuse(&rig.ledger, n, UINT64_MAX);
        if (n % 2 == 0) {
            cosm_commands_clear(rig.commands);
            CHECK_INT(cosm_commands_count(rig.commands), 0);
        } else {
            cosm_commands_destroy(rig.commands);
            rig.commands = NULL;
        }
        (void)ledger_relent(&rig.ledger);
        CHECK_VALID(rig.box.batch);
        CHECK_INT(cosm_world_entity_count(rig.box.world), alive);
        CHECK_DONE(spawn_mover(&rig));
        rig_close(&rig);
    }
}

// Sorting and trimming.

static cosm_result sort_movers(struct rig *rig) {
    return cosm_table_sort_u32(rig->box.world, rig->box.mover, rig->box.position, 0);
}

static cosm_result trim_batch(struct rig *rig) {
    return cosm_batch_trim(rig->box.batch);
}

static void prepare_holes(struct rig *rig) {
    prepare_large_query(rig);
    cosm_world world = fixture_world(&rig->box, 1);
    for (uint32_t i = 0; i < 29700; i++) {
        CHECK_DONE(cosm_entity_despawn(world, cosm_table_entities(world, rig->box.mover)[0]));
    }
    CHECK_DONE(cosm_entity_despawn_many(rig->box.world, rig->entities, 60));
}

TEST(sorting_survives_every_refusal) {
    static const struct failure_case cases[] = {
        {.call = "cosm_table_sort_u32:", .attempt = sort_movers, .prepare = prepare_entities},
    };
    CHECK_FAILURES(0, cases);
}

TEST(trimming_does_what_it_can_and_never_fails) {
    static const struct failure_case cases[] = {
        {.call = "cosm_batch_trim:", .attempt = trim_batch, .prepare = prepare_holes},
    };
    CHECK_FAILURES(0, cases);
}

// The whole of it under a limit that grows: whatever is refused, nothing breaks and nothing leaks.
static uint32_t live_under_limit(size_t limit) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    box.engine = cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    fixture_define(&box, 0);
    box.batch =
        cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2, .memory_limit = limit});
    uint32_t done = 0;
    if (box.batch != NULL) {
        cosm_world world = cosm_batch_world(box.batch, 0);
        cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
        for (uint32_t i = 0; i < 12; i++) {
            uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
            cosm_rows rows;
            cosm_result result =
                i % 3 == 0   ? cosm_entity_spawn_many(world, box.mover, 50u << i, &rows)
                : i % 3 == 1 ? cosm_query_add(query, cosm_worlds_all(box.batch), box.health)
                             : cosm_query_remove(query, cosm_worlds_all(box.batch), box.health);
            done += result == COSM_OK;
            CHECK(result == COSM_OK || result == COSM_ERROR_MEMORY);
            CHECK(result == COSM_OK || cosm_hash_batch(box.batch, COSM_HASH_EXACT) == before);
            CHECK(cosm_batch_memory(box.batch).peak <= limit);
            CHECK_VALID(box.batch);
        }
        cosm_query_destroy(query);
    }
    CHECK_DONE(cosm_batch_destroy(box.batch));
    CHECK_DONE(cosm_engine_destroy(box.engine));
    ledger_close(&ledger);
    return done;
}

TEST(a_memory_limit_of_any_size_is_kept) {
    uint32_t last = 0;
    for (size_t limit = 1000; limit < (size_t)8 << 20; limit += limit / 4) {
        last = live_under_limit(limit);
    }
    CHECK_INT(last, 12);
}
