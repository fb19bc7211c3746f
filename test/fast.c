// Look-ups: one component of many entities, in any order (cosm/fast.h).
#include <stdio.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

// Both ways of asking must lead to the same bytes, or both to none.
static void check_agrees(const char *file, int line, cosm_lookup *lookup, cosm_world world,
                         cosm_entity entity, cosm_component component) {
    const void *expected = cosm_entity_read(world, entity, component);
    bool agrees = cosm_lookup_read(lookup, entity) == expected &&
                  cosm_lookup_write(lookup, entity) == expected;
    if (!agrees) {
        char what[128];
        (void)snprintf(what, sizeof(what), "component %u of @%u:%u is found in world %u",
                       component.id, entity.id, entity.gen, world.index);
        harness_check(file, line, what, false);
    }
}
#define CHECK_AGREES(lookup, world, entity, component)                                             \
    check_agrees(__FILE__, __LINE__, (lookup), (world), (entity), (component))

// The archetype of a position and, as tags, the bits of `i`: a table for each number.
static cosm_archetype define_variant(const struct fixture *box, uint32_t i) {
    cosm_archetype_desc desc = {.components = {box->position}};
    uint32_t count = 1;
    for (uint32_t bit = 0; bit < 8; bit++) {
        char name[8];
        (void)snprintf(name, sizeof(name), "bit%u", bit);
        cosm_component tag =
            cosm_component_define(box->engine, &(cosm_component_desc){.name = name});
        if (((i >> bit) & 1) != 0) {
            desc.components[count++] = tag;
        }
    }
    return cosm_archetype_define(box->engine, &desc);
}

TEST(a_lookup_finds_the_living) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity first = fixture_spawn(&box, 1);
    cosm_entity second = fixture_spawn(&box, 2);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    REQUIRE(COSM_LOOKUP_READ(&lookup, Position, second) != NULL);
    CHECK_NEAR(COSM_LOOKUP_READ(&lookup, Position, second)->x, 2, 0);
    CHECK_NEAR(COSM_LOOKUP_READ(&lookup, Position, first)->x, 1, 0);
    CHECK_AGREES(&lookup, box.world, first, box.position);
    CHECK_AGREES(&lookup, box.world, second, box.position);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_lookup_finds_every_row_of_a_large_table) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 30000, &rows));
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.velocity, &lookup);
    for (uint32_t i = 0; i < rows.count; i++) {
        CHECK_AGREES(&lookup, box.world, rows.entities[i], box.velocity);
    }
    CHECK(cosm_lookup_read(&lookup, rows.entities[29999]) != NULL);
    fixture_close(&box);
}

TEST(handles_that_name_nothing_are_absent_from_a_lookup) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity living = fixture_spawn(&box, 0);
    cosm_entity stale = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, stale));
    const cosm_entity bad[] = {{0, 0},
                               COSM_ENTITY_NONE,
                               stale,
                               {stale.gen + 1, stale.id},
                               {stale.gen + 2, stale.id},
                               {living.gen + 1, living.id},
                               {living.gen + 2, living.id},
                               {0, living.id},
                               {1, 2},
                               {2, 2},
                               {1, 1u << 28},
                               {1, 0x80000000},
                               {1, 0xFFFFFFFF},
                               {0xFFFFFFFF, 0},
                               {0, 0xFFFFFFFF}};
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    for (size_t i = 0; i < LENGTH(bad); i++) {
        CHECK(cosm_lookup_read(&lookup, bad[i]) == NULL);
        CHECK(cosm_lookup_write(&lookup, bad[i]) == NULL);
        CHECK(COSM_LOOKUP_READ(&lookup, Position, bad[i]) == NULL);
        CHECK(COSM_LOOKUP_WRITE(&lookup, Position, bad[i]) == NULL);
        CHECK_AGREES(&lookup, box.world, bad[i], box.position);
    }
    CHECK(cosm_lookup_read(&lookup, living) != NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_lookup_in_an_empty_world_finds_nobody) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, (cosm_entity){1, 0}) == NULL);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_lookup_begin(box.world, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, entity) == NULL);
    CHECK(cosm_lookup_read(&lookup, (cosm_entity){entity.gen + 1, entity.id}) == NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_lookup_never_looks_at_records_that_were_not_handed_out) {
    struct ledger ledger; // which fills fresh memory with rubbish, one byte repeated
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    fixture_spawn(&box, 0);
    CHECK_DONE(cosm_world_reserve(box.world, box.mover, 50));
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (uint32_t id = 1; id < 50; id++) {
            CHECK(cosm_lookup_read(&lookup, (cosm_entity){byte * 0x01010101u, id}) == NULL);
        }
    }
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(a_handle_of_another_world_is_judged_by_the_world_of_the_lookup) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_world other = fixture_world(&box, 1);
    cosm_entity here = fixture_spawn(&box, 1);
    cosm_lookup lookup;
    cosm_lookup_begin(other, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, here) == NULL);
    cosm_entity there = cosm_entity_spawn(other, box.slot);
    CHECK(cosm_entity_equals(here, there));
    cosm_lookup_begin(other, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, here) == cosm_entity_read(other, there, box.position));
    CHECK(cosm_lookup_read(&lookup, here) != cosm_entity_read(box.world, here, box.position));
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_promised_entity_is_absent_from_a_lookup_until_the_apply) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, fixture_spawn(&box, 0)));
    fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    cosm_entity again = cosm_commands_spawn(commands, box.world, box.mover);
    cosm_entity fresh = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK(cosm_lookup_read(&lookup, again) == NULL);
    CHECK(cosm_lookup_read(&lookup, fresh) == NULL);
    cosm_lookup_begin(box.world, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, again) == NULL);
    CHECK(cosm_lookup_read(&lookup, fresh) == NULL);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_lookup_begin(box.world, box.position, &lookup);
    CHECK(cosm_lookup_read(&lookup, again) != NULL);
    CHECK(cosm_lookup_read(&lookup, fresh) != NULL);
    CHECK_AGREES(&lookup, box.world, fresh, box.position);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_component_that_the_entity_lacks_is_absent) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity mover = fixture_spawn(&box, 0);
    cosm_entity slot = cosm_entity_spawn(box.world, box.slot);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.health, &lookup);
    for (int round = 0; round < 2; round++) { // the second time the table is known
        CHECK(cosm_lookup_read(&lookup, mover) == NULL);
        CHECK(COSM_LOOKUP_WRITE(&lookup, Health, mover) == NULL);
        REQUIRE(COSM_LOOKUP_READ(&lookup, Health, slot) != NULL);
        CHECK_INT(COSM_LOOKUP_READ(&lookup, Health, slot)->points, 100);
    }
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_tag_has_no_bytes_to_look_up) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    cosm_entity mover = fixture_spawn(&box, 0);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.mark, &lookup);
    CHECK(cosm_lookup_read(&lookup, stone) == NULL);
    CHECK(cosm_lookup_write(&lookup, stone) == NULL);
    CHECK(cosm_lookup_read(&lookup, mover) == NULL);
    CHECK_SILENT();
    CHECK(COSM_LOOKUP_READ(&lookup, Health, stone) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_LOOKUP_READ", "'Mark' has 0 bytes",
                  "use the type it was defined with");
    fixture_close(&box);
}

TEST(more_tables_than_a_lookup_remembers_are_all_found) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 5 * (int)COSM_LOOKUP_SLOT_COUNT };
    cosm_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        Position position = {(float)i, 0, 0};
        entities[i] = cosm_entity_spawn_with(box.world, define_variant(&box, i),
                                             &(cosm_value){box.position, &position}, 1);
    }
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    // Forwards, then in strides that meet every slot with another table each time.
    for (uint32_t stride = 1; stride < COUNT; stride += 2) {
        for (uint32_t i = 0; i < COUNT; i++) {
            cosm_entity entity = entities[i * stride % COUNT];
            CHECK_AGREES(&lookup, box.world, entity, box.position);
            REQUIRE(COSM_LOOKUP_READ(&lookup, Position, entity) != NULL);
            CHECK_NEAR(COSM_LOOKUP_READ(&lookup, Position, entity)->x, i * stride % COUNT, 0);
        }
    }
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(tables_that_share_a_slot_are_never_taken_for_each_other) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype archetypes[COSM_LOOKUP_SLOT_COUNT + 1];
    for (uint32_t i = 0; i <= COSM_LOOKUP_SLOT_COUNT; i++) {
        archetypes[i] = define_variant(&box, i);
    }
    cosm_archetype first = archetypes[0];
    cosm_archetype second = archetypes[COSM_LOOKUP_SLOT_COUNT];
    CHECK_INT(second.id, first.id + COSM_LOOKUP_SLOT_COUNT);
    cosm_entity a = cosm_entity_spawn(box.world, first);
    cosm_entity b = cosm_entity_spawn(box.world, second);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    uint32_t slot = first.id % COSM_LOOKUP_SLOT_COUNT;
    for (int round = 0; round < 3; round++) {
        CHECK_AGREES(&lookup, box.world, a, box.position);
        CHECK_INT(lookup.slots[slot].table, first.id);
        CHECK_AGREES(&lookup, box.world, b, box.position);
        CHECK_INT(lookup.slots[slot].table, second.id);
        CHECK(cosm_lookup_read(&lookup, a) != cosm_lookup_read(&lookup, b));
    }
    fixture_close(&box);
}

TEST(a_table_that_lacks_the_component_may_share_a_slot_with_one_that_has_it) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    // As many sets apart as there are slots: the first has Health, the last has not.
    cosm_archetype with = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.health, box.velocity}});
    cosm_archetype without = with;
    for (uint32_t i = 1; i <= 256 && without.id != with.id + COSM_LOOKUP_SLOT_COUNT; i++) {
        without = define_variant(&box, i);
    }
    CHECK_INT(without.id, with.id + COSM_LOOKUP_SLOT_COUNT);
    cosm_entity rich = cosm_entity_spawn(box.world, with);
    cosm_entity poor = cosm_entity_spawn(box.world, without);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.health, &lookup);
    for (int round = 0; round < 3; round++) {
        CHECK(cosm_lookup_read(&lookup, poor) == NULL);
        CHECK(cosm_lookup_read(&lookup, rich) != NULL);
        CHECK_AGREES(&lookup, box.world, rich, box.health);
    }
    fixture_close(&box);
}

TEST(a_lookup_in_a_fixed_table_sees_the_rows_of_its_own_world) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    cosm_entity entities[4][4];
    for (uint32_t w = 0; w < 4; w++) {
        for (uint32_t i = 0; i < 4; i++) {
            Health health = {10 * w + i};
            entities[w][i] = cosm_entity_spawn_with(fixture_world(&box, w), box.slot,
                                                    &(cosm_value){box.health, &health}, 1);
        }
    }
    for (uint32_t w = 4; w-- > 0;) {
        cosm_lookup lookup;
        cosm_lookup_begin(fixture_world(&box, w), box.health, &lookup);
        for (uint32_t i = 4; i-- > 0;) {
            REQUIRE(COSM_LOOKUP_READ(&lookup, Health, entities[w][i]) != NULL);
            CHECK_INT(COSM_LOOKUP_READ(&lookup, Health, entities[w][i])->points, 10 * w + i);
            CHECK_AGREES(&lookup, fixture_world(&box, w), entities[w][i], box.health);
        }
    }
    fixture_close(&box);
}

TEST(what_is_written_through_a_lookup_is_seen_everywhere) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity mover = fixture_spawn(&box, 1);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    cosm_lookup lookup;
    cosm_lookup second;
    cosm_lookup_begin(box.world, box.position, &lookup);
    cosm_lookup_begin(box.world, box.position, &second);
    REQUIRE(COSM_LOOKUP_WRITE(&lookup, Position, mover) != NULL);
    REQUIRE(COSM_LOOKUP_WRITE(&lookup, Position, stone) != NULL);
    COSM_LOOKUP_WRITE(&lookup, Position, mover)->x = 5;
    COSM_LOOKUP_WRITE(&lookup, Position, stone)->y = 6;
    CHECK_NEAR(COSM_READ(box.world, mover, Position)->x, 5, 0);
    CHECK_NEAR(COSM_LOOKUP_READ(&second, Position, stone)->y, 6, 0);
    // And the other way round: a value that is set moves nothing, so the look-up stays good.
    CHECK_DONE(cosm_entity_set(box.world, mover, box.position, &(Position){7, 8, 9}));
    CHECK_NEAR(COSM_LOOKUP_READ(&lookup, Position, mover)->z, 9, 0);
    fixture_close(&box);
}

TEST(a_lookup_works_while_its_world_is_walked) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (int i = 0; i < 10; i++) {
        fixture_spawn(&box, (float)i);
    }
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    cosm_lookup lookup;
    cosm_rows rows;
    double sum = 0;
    cosm_query_walk(query, box.all, &rows);
    cosm_lookup_begin(box.world, box.position, &lookup);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            const Position *position = COSM_LOOKUP_READ(&lookup, Position, rows.entities[i]);
            REQUIRE(position != NULL);
            sum += (double)position->x;
        }
    }
    CHECK_NEAR(sum, 45, 0);
    CHECK_SILENT();
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_lookup_begun_anew_after_a_structural_change_is_right_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[200];
    cosm_lookup lookup;
    for (uint32_t i = 0; i < LENGTH(entities); i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_add(box.world, entities[i], box.health));
        }
        if (i % 4 == 3) {
            CHECK_DONE(cosm_entity_despawn(box.world, entities[i / 2]));
        }
        cosm_lookup_begin(box.world, box.position, &lookup);
        for (uint32_t k = 0; k <= i; k++) {
            CHECK_AGREES(&lookup, box.world, entities[k], box.position);
        }
    }
    fixture_close(&box);
}

// Every entity is absent, and nothing more is said about it.
static void check_all_absent(cosm_lookup *lookup, cosm_entity living) {
    const cosm_entity some[] = {living, {0, 0}, COSM_ENTITY_NONE, {1, 0}, {1, 1u << 27}};
    for (size_t i = 0; i < LENGTH(some); i++) {
        CHECK(cosm_lookup_read(lookup, some[i]) == NULL);
        CHECK(cosm_lookup_write(lookup, some[i]) == NULL);
        CHECK(COSM_LOOKUP_READ(lookup, Position, some[i]) == NULL);
        CHECK(COSM_LOOKUP_WRITE(lookup, Health, some[i]) == NULL);
    }
    CHECK_SILENT();
}

TEST(a_lookup_that_could_not_begin_says_why_and_finds_nobody) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity living = fixture_spawn(&box, 0);
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "body", .components = {box.position}});
    const struct {
        cosm_world world;
        cosm_component component;
        const char *value;
        const char *remedy;
    } cases[] = {
        {{NULL, 0}, box.position, "world.batch is NULL", "cosm_batch_world"},
        {{box.batch, 2}, box.position, "world.index 2", "has 2 worlds"},
        {{box.batch, 0xFFFFFFFF}, box.position, "world.index 4294967295", "has 2 worlds"},
        {box.world, {0}, "component 0", "cosm_component_define"},
        {box.world, {99}, "component 99", "cosm_component_define"},
        {box.world, {0xFFFFFFFF}, "component 4294967295", "cosm_component_define"},
        {box.world, bundle, "'body' is a bundle", "name one of its components"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        cosm_lookup lookup;
        // A good one first: what it knew must be gone.
        cosm_lookup_begin(box.world, box.position, &lookup);
        CHECK(cosm_lookup_read(&lookup, living) != NULL);
        cosm_lookup_begin(cases[i].world, cases[i].component, &lookup);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_lookup_begin:", cases[i].value, cases[i].remedy);
        check_all_absent(&lookup, living);
    }
    fixture_close(&box);
}

TEST(a_lookup_without_a_place_to_begin_in_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_lookup_begin(box.world, box.position, NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_lookup_begin:", "out_lookup is NULL",
                  "pass a cosm_lookup");
    cosm_lookup_begin((cosm_world){NULL, 0}, (cosm_component){0}, NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_lookup_begin:", "out_lookup is NULL",
                  "pass a cosm_lookup");
    fixture_close(&box);
}

TEST(a_wrong_type_of_a_lookup_is_found_out_by_its_size) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 3);
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.position, &lookup);
    CHECK(COSM_LOOKUP_READ(&lookup, Health, entity) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_LOOKUP_READ", "'Position' has 12 bytes",
                  "use the type it was defined with");
    CHECK(COSM_LOOKUP_WRITE(&lookup, double, entity) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "_WRITE", "requested type has 8",
                  "use the type it was defined with");
    REQUIRE(COSM_LOOKUP_READ(&lookup, Position, entity) != NULL);
    CHECK_NEAR(COSM_LOOKUP_READ(&lookup, Position, entity)->x, 3, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

// A random history over many archetypes, in worlds of their own.
enum { KIND_COUNT = 7, WORLD_COUNT = 3, HANDLE_COUNT = 400 };

struct crowd {
    struct fixture box;
    struct dice dice;
    cosm_component kinds[KIND_COUNT];
    cosm_archetype pair;               // of the first two kinds, fixed, 4 per world
    cosm_entity handles[HANDLE_COUNT]; // living and dead, of all worlds
};

static cosm_entity spawn_somebody(struct crowd *crowd, cosm_world world) {
    if (dice_roll(&crowd->dice, 8) == 0 && cosm_table_row_count(world, crowd->pair) < 4) {
        return cosm_entity_spawn(world, crowd->pair);
    }
    cosm_archetype_desc desc = {.name = NULL};
    uint32_t count = 0;
    uint32_t bits = dice_roll(&crowd->dice, 1u << KIND_COUNT);
    bits = bits == 3 ? 1 : bits; // the pair's set
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        if (((bits >> k) & 1) != 0) {
            desc.components[count++] = crowd->kinds[k];
        }
    }
    return cosm_entity_spawn(world, cosm_archetype_define(crowd->box.engine, &desc));
}

static void change_somebody(struct crowd *crowd) {
    cosm_world world = fixture_world(&crowd->box, dice_roll(&crowd->dice, WORLD_COUNT));
    cosm_entity *handle = &crowd->handles[dice_roll(&crowd->dice, HANDLE_COUNT)];
    cosm_component kind = crowd->kinds[dice_roll(&crowd->dice, KIND_COUNT)];
    cosm_result result = COSM_OK;
    switch (dice_roll(&crowd->dice, 6)) {
    case 0:
        result = cosm_entity_despawn(world, *handle);
        break;
    case 1:
        result = cosm_entity_add(world, *handle, kind);
        break;
    case 2:
        result = cosm_entity_remove(world, *handle, kind);
        break;
    default:
        *handle = spawn_somebody(crowd, world);
        CHECK(!cosm_entity_is_none(*handle));
        break;
    }
    // A fixed table may be full: then nothing happened, which is as good as anything.
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_FULL);
}

static void compare_everybody(struct crowd *crowd) {
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        cosm_world world = fixture_world(&crowd->box, w);
        for (uint32_t k = 0; k < KIND_COUNT; k++) {
            cosm_lookup lookup;
            cosm_lookup_begin(world, crowd->kinds[k], &lookup);
            for (uint32_t i = 0; i < HANDLE_COUNT; i++) {
                CHECK_AGREES(&lookup, world, crowd->handles[i], crowd->kinds[k]);
                uint64_t bits = dice_next(&crowd->dice);
                cosm_entity near = {(uint32_t)bits & 7, (uint32_t)(bits >> 32) % HANDLE_COUNT};
                cosm_entity far = {(uint32_t)bits, (uint32_t)(bits >> 32)};
                CHECK_AGREES(&lookup, world, near, crowd->kinds[k]);
                CHECK_AGREES(&lookup, world, far, crowd->kinds[k]);
            }
        }
    }
}

TEST(a_lookup_and_a_read_agree_over_random_histories_of_many_archetypes) {
    static struct crowd crowd;
    crowd.dice = (struct dice){harness_seed()};
    fixture_open(&crowd.box, 0, WORLD_COUNT);
    const size_t sizes[KIND_COUNT] = {4, 12, 1, 0, 8, 40, 1024};
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        char name[] = {'k', (char)('0' + k), '\0'};
        crowd.kinds[k] = cosm_component_define(
            crowd.box.engine, &(cosm_component_desc){.name = name, .size = sizes[k]});
    }
    crowd.pair = cosm_archetype_define(
        crowd.box.engine, &(cosm_archetype_desc){.components = {crowd.kinds[0], crowd.kinds[1]},
                                                 .placement = COSM_PLACEMENT_FIXED,
                                                 .max_per_world = 4});
    for (uint32_t i = 0; i < HANDLE_COUNT; i++) {
        crowd.handles[i] = COSM_ENTITY_NONE;
    }
    int rounds = harness_is_long() ? 1000 : 40;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 100; i++) {
            change_somebody(&crowd);
        }
        cosm_error_clear();
        compare_everybody(&crowd);
        CHECK_SILENT();
    }
    fixture_close(&crowd.box);
}
