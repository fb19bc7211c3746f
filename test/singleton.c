// Singletons: one value per world, outside all tables (cosm/singleton.h).
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

typedef struct Clock {
    uint64_t ticks;
} Clock;

TEST(a_singleton_is_what_it_was_defined_as) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box.engine, Clock);
    CHECK(clock.id != 0);
    CHECK_STR(cosm_singleton_describe(box.engine, clock).name, "Clock");
    CHECK_INT(cosm_singleton_describe(box.engine, clock).size, sizeof(Clock));
    CHECK_INT(cosm_singleton_describe(box.engine, clock).alignment, _Alignof(Clock));
    CHECK_INT(cosm_singleton_find(box.engine, "Clock").id, clock.id);
    CHECK_INT(COSM_SINGLETON_DEFINE(box.engine, Clock).id, clock.id);
    fixture_close(&box);
}

TEST(each_world_holds_a_value_of_its_own) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Clock).id != 0);
    for (uint32_t w = 0; w < 4; w++) {
        Clock *value = COSM_SINGLETON_WRITE(fixture_world(&box, w), Clock);
        REQUIRE(value != NULL);
        CHECK_INT(value->ticks, 0);
        value->ticks = 10 + w;
    }
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(COSM_SINGLETON_READ(fixture_world(&box, w), Clock)->ticks, 10 + w);
    }
    fixture_close(&box);
}

TEST(batches_made_before_and_after_the_definition_get_the_default) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    static const Clock noon = {12};
    CHECK(cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "noon",
                                                                   .type = "Clock",
                                                                   .size = sizeof(Clock),
                                                                   .default_value = &noon})
              .id != 0);
    cosm_batch *later = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2});
    REQUIRE(later != NULL);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_INT(COSM_SINGLETON_READ(fixture_world(&box, w), Clock)->ticks, 12);
    }
    for (uint32_t w = 0; w < 2; w++) {
        CHECK_INT(COSM_SINGLETON_READ(cosm_batch_world(later, w), Clock)->ticks, 12);
    }
    CHECK_DONE(cosm_batch_destroy(later));
    fixture_close(&box);
}

TEST(the_values_of_all_worlds_lie_side_by_side_and_stay_there) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box.engine, Clock);
    Clock *first = cosm_singleton_write(box.world, clock);
    CHECK(cosm_singleton_write(fixture_world(&box, 1), clock) == (void *)(first + 1));
    CHECK(cosm_singleton_write(fixture_world(&box, 2), clock) == (void *)(first + 2));
    for (int i = 0; i < 300; i++) {
        char name[16] = "s";
        name[1] = (char)('0' + i / 100);
        name[2] = (char)('0' + i / 10 % 10);
        name[3] = (char)('0' + i % 10);
        cosm_singleton_desc desc = {.name = name, .size = 64};
        CHECK(cosm_singleton_define(box.engine, &desc).id != 0);
    }
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_singleton_write(box.world, clock) == (void *)first);
    fixture_close(&box);
}

TEST(a_singleton_honours_its_alignment) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    for (size_t alignment = 1; alignment <= COSM_COMPONENT_ALIGNMENT_MAX; alignment *= 2) {
        char name[32] = "aligned ";
        name[8] = (char)('a' + (alignment % 13));
        name[9] = (char)('a' + (alignment % 17));
        cosm_singleton aligned = cosm_singleton_define(
            box.engine,
            &(cosm_singleton_desc){.name = name, .size = alignment, .alignment = alignment});
        REQUIRE(aligned.id != 0);
        for (uint32_t w = 0; w < 3; w++) {
            uintptr_t address = (uintptr_t)cosm_singleton_read(fixture_world(&box, w), aligned);
            CHECK(address != 0);
            CHECK_INT(address % alignment, 0);
        }
    }
    fixture_close(&box);
}

TEST(a_type_that_no_singleton_holds_is_reported) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Clock).id != 0);
    CHECK(COSM_SINGLETON_READ(box.world, uint32_t) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SINGLETON_READ:", "no singleton holds type 'uint32_t'",
                  "COSM_SINGLETON_DEFINE");
    CHECK(COSM_SINGLETON_WRITE(box.world, Position) == NULL); // a component, and no singleton
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "COSM_SINGLETON_WRITE:", "'Position' is a component, not a singleton",
                  "COSM_SINGLETON_DEFINE");
    cosm_singleton_desc wide = {.name = "wide", .type = "uint64_t", .size = 4};
    CHECK(cosm_singleton_define(box.engine, &wide).id != 0);
    CHECK(COSM_SINGLETON_READ(box.world, uint64_t) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SINGLETON_READ:", "'wide' has 4 bytes",
                  "use the type it was defined with");
    CHECK(COSM_SINGLETON_WRITE(((cosm_world){box.batch, 1}), Clock) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SINGLETON_WRITE:", "world.index 1", "1 worlds");
    fixture_close(&box);
}

TEST(an_unknown_singleton_is_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const uint32_t ids[] = {0, 1, 999, 4097, 65536, 0x80000001, 0xFFFFFFFF};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_singleton unknown = {ids[i]};
        CHECK_STR(cosm_singleton_describe(box.engine, unknown).name, NULL);
        CHECK_INT(cosm_singleton_describe(box.engine, unknown).size, 0);
        CHECK_INT(cosm_singleton_describe(box.engine, unknown).alignment, 0);
        CHECK_INT(cosm_singleton_describe(box.engine, unknown).hash, 0);
        CHECK(cosm_singleton_describe(box.engine, unknown).default_value == NULL);
        CHECK(cosm_singleton_read(box.world, unknown) == NULL);
        CHECK(cosm_singleton_write(box.world, unknown) == NULL);
    }
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box.engine, Clock);
    CHECK(cosm_singleton_read((cosm_world){NULL, 0}, clock) == NULL);
    CHECK(cosm_singleton_read((cosm_world){box.batch, 1}, clock) == NULL);
    CHECK_INT(cosm_singleton_find(box.engine, "nobody").id, 0);
    CHECK_INT(cosm_singleton_find(box.engine, NULL).id, 0);
    CHECK_INT(cosm_singleton_find(NULL, "Clock").id, 0);
    CHECK_STR(cosm_singleton_describe(NULL, clock).name, NULL);
    CHECK_INT(cosm_singleton_describe(NULL, clock).size, 0);
    CHECK_INT(cosm_singleton_describe(NULL, clock).alignment, 0);
    CHECK_INT(cosm_singleton_describe(NULL, clock).hash, 0);
    CHECK(cosm_singleton_describe(NULL, clock).default_value == NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_definition_that_makes_no_sense_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_engine *engine = box.engine;
    CHECK_INT(cosm_singleton_define(NULL, &(cosm_singleton_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "engine is NULL", "pass both");
    CHECK_INT(cosm_singleton_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "desc is NULL", "pass both");
    CHECK_INT(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "desc.size is 0",
                  "at least one byte");
    CHECK_INT(cosm_singleton_define(engine, &(cosm_singleton_desc){.size = 4}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "desc.name is NULL",
                  "use 1 to 127");
    cosm_singleton_desc odd = {.name = "odd", .size = 10, .alignment = 4};
    CHECK_INT(cosm_singleton_define(engine, &odd).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "desc.size 10", "pad the type");
    CHECK(COSM_SINGLETON_DEFINE(engine, Clock).id != 0);
    cosm_singleton_desc other = {.name = "Clock", .size = 4};
    CHECK_INT(cosm_singleton_define(engine, &other).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_singleton_define:", "'Clock'", "choose another name");
    fixture_close(&box);
}

TEST(a_singleton_may_have_the_name_of_a_component) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton health =
        cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "Health", .size = 1});
    CHECK(health.id != 0);
    CHECK_INT(cosm_component_describe(box.engine, box.health).size, 4);
    fixture_close(&box);
}

TEST(a_reset_leaves_singletons_as_they_are) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Clock).id != 0);
    COSM_SINGLETON_WRITE(box.world, Clock)->ticks = 5;
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_INT(COSM_SINGLETON_READ(box.world, Clock)->ticks, 5);
    fixture_close(&box);
}

TEST(singletons_count_in_the_checksum_of_their_world) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Clock).id != 0);
    uint64_t first = cosm_hash_world(box.world, COSM_HASH_EXACT);
    uint64_t second = cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT);
    uint64_t whole = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    COSM_SINGLETON_WRITE(box.world, Clock)->ticks = 5;
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != first);
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != whole);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT), second);
    COSM_SINGLETON_WRITE(box.world, Clock)->ticks = 0;
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), whole);
    fixture_close(&box);
}

TEST(a_definition_that_one_batch_has_no_memory_for_reaches_no_batch) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch *poor = cosm_batch_create(
        box.engine, &(cosm_batch_desc){.world_count = 4, .memory_limit = (size_t)256 << 10});
    cosm_batch *rich = cosm_batch_create(box.engine, NULL);
    REQUIRE(poor != NULL && rich != NULL);
    size_t used = cosm_batch_memory(rich).used;
    cosm_singleton_desc desc = {.name = "large", .size = (size_t)128 << 10};
    CHECK_INT(cosm_singleton_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_singleton_define:", "memory_limit is 262144",
                  "raise the limit");
    CHECK_INT(cosm_singleton_find(box.engine, "large").id, 0);
    CHECK(cosm_batch_memory(rich).used <= used + 4096);
    CHECK_DONE(cosm_batch_destroy(poor));
    cosm_singleton large = cosm_singleton_define(box.engine, &desc);
    CHECK(large.id != 0);
    CHECK(cosm_singleton_read(cosm_batch_world(rich, 0), large) != NULL);
    CHECK_DONE(cosm_batch_destroy(rich));
    fixture_close(&box);
}

TEST(definitions_that_failed_use_up_no_place) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch *poor =
        cosm_batch_create(box.engine, &(cosm_batch_desc){.memory_limit = (size_t)128 << 10});
    REQUIRE(poor != NULL);
    cosm_singleton_desc desc = {.name = "large", .size = (size_t)256 << 10};
    uint32_t refused = 0;
    for (uint32_t i = 0; i < COSM_SINGLETON_MAX + 10; i++) {
        refused += cosm_singleton_define(box.engine, &desc).id == 0 &&
                   cosm_error_result() == COSM_ERROR_MEMORY;
    }
    CHECK_INT(refused, COSM_SINGLETON_MAX + 10);
    CHECK_DONE(cosm_batch_destroy(poor));
    CHECK(cosm_singleton_define(box.engine, &desc).id != 0);
    fixture_close(&box);
}

// Fields and types.

typedef struct Weather {
    uint8_t kind;
    float wind[2];
} Weather;

static const float light_wind[2] = {1, 2};

static const cosm_field weather_fields[] = {
    {.name = "kind", .type = COSM_FIELD_U8, .doc = "Rain or shine."},
    {.name = "wind",
     .type = COSM_FIELD_F32,
     .offset = offsetof(Weather, wind),
     .dims = {2},
     .unit = "m/s",
     .default_value = light_wind},
};

static const cosm_singleton_desc weather_desc = {.name = "Weather",
                                                 .size = sizeof(Weather),
                                                 .alignment = _Alignof(Weather),
                                                 .fields = weather_fields,
                                                 .field_count = 2};

TEST(a_singleton_with_fields_is_the_same_only_with_the_same_fields) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton weather = cosm_singleton_define(box.engine, &weather_desc);
    REQUIRE(weather.id != 0);
    CHECK_INT(cosm_singleton_define(box.engine, &weather_desc).id, weather.id);
    cosm_field fields[2] = {weather_fields[0], weather_fields[1]};
    cosm_singleton_desc other = weather_desc;
    other.fields = fields;
    CHECK_INT(cosm_singleton_define(box.engine, &other).id, weather.id);
    fields[1].unit = "knots";
    CHECK_INT(cosm_singleton_define(box.engine, &other).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_singleton_define:", "'Weather'", "the same way");
    other = weather_desc;
    other.field_count = 1;
    CHECK_INT(cosm_singleton_define(box.engine, &other).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_singleton_define:", "'Weather'", "the same way");
    CHECK_INT(cosm_engine_describe(box.engine).singleton_count, 1);
    CHECK_INT(cosm_singleton_describe(box.engine, weather).field_count, 2);
    CHECK_STR(cosm_singleton_describe(box.engine, weather).fields[1].unit, "m/s");
    fixture_close(&box);
}

TEST(every_world_of_every_batch_begins_with_the_default_that_can_be_asked_for) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_singleton weather = cosm_singleton_define(box.engine, &weather_desc);
    const Weather *value = cosm_singleton_describe(box.engine, weather).default_value;
    REQUIRE(value != NULL);
    CHECK_INT(value->kind, 0);
    CHECK_NEAR(value->wind[0], 1, 0);
    CHECK_NEAR(value->wind[1], 2, 0);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_MEM(cosm_singleton_read(fixture_world(&box, w), weather), value, sizeof(*value));
    }
    // Without a default it is zeroes.
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box.engine, Clock);
    CHECK(cosm_singleton_describe(box.engine, clock).default_value == NULL);
    CHECK_INT(COSM_SINGLETON_READ(box.world, Clock)->ticks, 0);
    fixture_close(&box);
}

TEST(the_hash_of_a_singleton_is_that_of_a_component_that_means_the_same) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton weather = cosm_singleton_define(box.engine, &weather_desc);
    cosm_component twin =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Weather",
                                                                 .size = sizeof(Weather),
                                                                 .alignment = _Alignof(Weather),
                                                                 .fields = weather_fields,
                                                                 .field_count = 2});
    CHECK_INT(cosm_singleton_describe(box.engine, weather).hash,
              cosm_component_describe(box.engine, twin).hash);
    CHECK_INT(cosm_singleton_describe(box.engine, weather).hash, UINT64_C(0xca2450f91c2d51c3));
    cosm_field fields[2] = {weather_fields[0], weather_fields[1]};
    fields[0].type = COSM_FIELD_I8;
    cosm_singleton_desc other = weather_desc;
    other.fields = fields;
    cosm_engine *second = cosm_engine_create(NULL);
    cosm_singleton changed = cosm_singleton_define(second, &other);
    CHECK(cosm_singleton_describe(second, changed).hash !=
          cosm_singleton_describe(box.engine, weather).hash);
    CHECK_DONE(cosm_engine_destroy(second));
    fixture_close(&box);
}

TEST(bytes_that_no_field_covers_do_not_count_in_the_checksum) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton weather = cosm_singleton_define(box.engine, &weather_desc);
    Weather *value = cosm_singleton_write(box.world, weather);
    REQUIRE(value != NULL);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    memset((char *)value + 1, 0x77, 3);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    value->kind = 1;
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != before);
    fixture_close(&box);
}

TEST(a_type_is_in_each_engine_the_singleton_it_was_registered_as) {
    cosm_singleton_type clock = {{.name = "Clock", .size = sizeof(Clock)}, 0};
    cosm_singleton_type weather = {weather_desc, 0};
    cosm_engine *first = cosm_engine_create(NULL);
    cosm_engine *second = cosm_engine_create(NULL);
    CHECK_INT(cosm_singleton_register(first, &clock).id, 1);
    CHECK_INT(cosm_singleton_register(first, &weather).id, 2);
    CHECK_INT(cosm_singleton_register(second, &weather).id, 1);
    CHECK_INT(cosm_singleton_register(second, &clock).id, 2);
    CHECK_INT(cosm_singleton_register(second, &weather).id, 1);
    cosm_error_clear();
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(cosm_singleton_of(first, &clock).id, 1);
        CHECK_INT(cosm_singleton_of(second, &clock).id, 2);
        CHECK_INT(cosm_singleton_of(first, &weather).id, 2);
        CHECK_INT(cosm_singleton_of(second, &weather).id, 1);
    }
    CHECK_SILENT();
    CHECK_INT(cosm_singleton_describe(second, cosm_singleton_of(second, &weather)).field_count, 2);
    CHECK_DONE(cosm_engine_destroy(second));
    second = cosm_engine_create(NULL);
    CHECK_INT(cosm_singleton_of(second, &clock).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_of:", "'Clock' is not registered",
                  "call cosm_singleton_register");
    cosm_singleton plain = cosm_singleton_define(second, &clock.desc);
    CHECK_INT(cosm_singleton_of(second, &clock).id, plain.id);
    CHECK_DONE(cosm_engine_destroy(second));
    CHECK_DONE(cosm_engine_destroy(first));
}

TEST(a_type_of_a_singleton_that_cannot_be_registered_says_why) {
    cosm_singleton_type clock = {{.name = "Clock", .size = sizeof(Clock)}, 0};
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_INT(cosm_singleton_register(NULL, &clock).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_register:", "engine is NULL", "pass both");
    CHECK_INT(cosm_singleton_register(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_register:", "type is NULL", "pass both");
    CHECK_INT(cosm_singleton_of(NULL, &clock).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_of:", "engine is NULL", "pass both");
    CHECK_INT(cosm_singleton_of(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_of:", "type is NULL", "pass both");
    cosm_singleton_type unnamed = {{.size = 4}, 0};
    CHECK_INT(cosm_singleton_register(engine, &unnamed).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_define:", "desc.name is NULL",
                  "use 1 to 127");
    CHECK_INT(cosm_singleton_of(engine, &unnamed).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_singleton_of:", "'NULL' is not registered",
                  "call cosm_singleton_register");
    CHECK_INT(cosm_engine_describe(engine).singleton_count, 0);
    // What has its name, and is something else, is not taken for it.
    CHECK(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "Clock", .size = 1}).id);
    CHECK_INT(cosm_singleton_of(engine, &clock).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_singleton_of:", "'Clock'", "rename");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_definition_with_fields_that_one_batch_has_no_memory_for_leaves_nothing_behind) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_batch *poor = cosm_batch_create(
        box.engine, &(cosm_batch_desc){.world_count = 4, .memory_limit = (size_t)256 << 10});
    REQUIRE(poor != NULL);
    cosm_singleton_desc desc = weather_desc;
    desc.size = (size_t)128 << 10;
    CHECK_INT(cosm_singleton_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_singleton_define:", "memory_limit is 262144",
                  "raise the limit");
    CHECK_INT(cosm_singleton_find(box.engine, "Weather").id, 0);
    CHECK_INT(cosm_engine_describe(box.engine).singleton_count, 0);
    CHECK_DONE(cosm_batch_destroy(poor));
    CHECK(cosm_singleton_define(box.engine, &desc).id != 0);
    fixture_close(&box);
    ledger_close(&ledger);
}
