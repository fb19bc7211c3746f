// Save files between versions of a program, and states that are rare.
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/engine.h"
#include "state/image.h"
#include "support/ark.h"

// The same components, as a later version has them. Names are those of an ark.
typedef struct NewCrew {
    double mass;     // was a float
    uint16_t number; // was 64 bits
    uint8_t rank;    // is new: 3
    uint8_t kind;    // was elsewhere
} NewCrew;

typedef struct NewWind {
    double x;
    int32_t force;
} NewWind;

static const uint8_t rank_default = 3;
static const cosm_field new_crew_fields[] = {
    {.name = "mass", .type = COSM_FIELD_F64, .offset = offsetof(NewCrew, mass)},
    {.name = "number", .type = COSM_FIELD_U16, .offset = offsetof(NewCrew, number)},
    {.name = "rank",
     .type = COSM_FIELD_U8,
     .offset = offsetof(NewCrew, rank),
     .default_value = &rank_default},
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(NewCrew, kind)},
};
static const cosm_field new_wind_fields[] = {
    {.name = "x", .type = COSM_FIELD_F64, .offset = offsetof(NewWind, x)},
    {.name = "force", .type = COSM_FIELD_I32, .offset = offsetof(NewWind, force)},
};
static const cosm_field u64_fields[] = {{.name = "n", .type = COSM_FIELD_U64, .offset = 0}};
static const cosm_field bit_fields[] = {{.name = "n", .type = COSM_FIELD_BOOL, .offset = 0}};
static const cosm_field f64_fields[] = {{.name = "d", .type = COSM_FIELD_F64, .offset = 0}};
static const cosm_field coin_fields[] = {
    {.name = "b", .type = COSM_FIELD_U64, .offset = 0},
    {.name = "a", .type = COSM_FIELD_U64, .offset = 8},
};

struct later {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component crew;
    cosm_component tribe;
    cosm_component coin;
    cosm_component heat;
    cosm_singleton wind;
};

#define FIELDS(list) .fields = (list), .field_count = sizeof(list) / sizeof((list)[0])

static cosm_component define(struct later *later, cosm_component_desc desc) {
    cosm_component component = cosm_component_define(later->engine, &desc);
    CHECK(component.id != 0);
    return component;
}

// `narrow`: Tribe is a bool, so that its values fall together.
static void later_open(struct later *later, cosm_layout layout, bool narrow) {
    later->engine = cosm_engine_create(NULL);
    later->heat = define(later, (cosm_component_desc){.name = "Warmth",
                                                      .size = 8,
                                                      .storage = COSM_STORAGE_SECTOR,
                                                      FIELDS(f64_fields)});
    later->crew = define(later, (cosm_component_desc){.name = "Crew",
                                                      .size = sizeof(NewCrew),
                                                      .alignment = _Alignof(NewCrew),
                                                      .layout = layout,
                                                      FIELDS(new_crew_fields)});
    later->tribe = narrow ? define(later, (cosm_component_desc){.name = "Tribe",
                                                                .size = 1,
                                                                .storage = COSM_STORAGE_SHARED,
                                                                FIELDS(bit_fields)})
                          : define(later, (cosm_component_desc){.name = "Tribe",
                                                                .size = 8,
                                                                .storage = COSM_STORAGE_SHARED,
                                                                FIELDS(u64_fields)});
    later->coin = define(later, (cosm_component_desc){.name = "Coin",
                                                      .size = 16,
                                                      .storage = COSM_STORAGE_MANAGED,
                                                      FIELDS(coin_fields)});
    later->wind =
        cosm_singleton_define(later->engine, &(cosm_singleton_desc){.name = "Wind",
                                                                    .size = sizeof(NewWind),
                                                                    .alignment = _Alignof(NewWind),
                                                                    FIELDS(new_wind_fields)});
    later->batch = cosm_batch_create(later->engine, NULL);
    later->world = cosm_batch_world(later->batch, 0);
}

static void later_close(struct later *later) {
    CHECK_VALID(later->batch);
    CHECK_DONE(cosm_batch_destroy(later->batch));
    CHECK_DONE(cosm_engine_destroy(later->engine));
}

static const cosm_save_alias renamed = {.component = "Warmth", .old_name = "Heat"};

static void later_load(struct later *later, const char *path, cosm_save_report *out_report) {
    cosm_load_desc load = {.aliases = &renamed, .alias_count = 1};
    cosm_snapshot *snapshot = cosm_save_read(later->engine, path, &load, out_report);
    if (harness_check(__FILE__, __LINE__, cosm_error_message(), snapshot != NULL)) {
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(later->batch)));
    }
    cosm_snapshot_destroy(snapshot);
    CHECK_VALID(later->batch);
}

// Entity i of the old world: crew always, the others by bits of i.
static void give(struct ark *ark, cosm_entity entity, uint32_t i) {
    Crew crew = {.kind = 2, .mass = (float)i + 0.5f, .number = 65530 + i, .flag = 1};
    CHECK_DONE(cosm_entity_set(ark->world, entity, ark->crew, &crew));
    if ((i & 1) != 0) {
        CHECK_DONE(cosm_entity_set(ark->world, entity, ark->tribe, &(uint32_t){i / 2 % 3}));
    }
    if ((i & 2) != 0) {
        CHECK_DONE(cosm_entity_set(ark->world, entity, ark->coin, &(Coin){i, i + 1}));
    }
    if ((i & 4) != 0) {
        CHECK_DONE(cosm_entity_set(ark->world, entity, ark->heat, &(float){(float)i}));
    }
}

static void check_given(const struct later *later, cosm_entity entity, uint32_t i, bool narrow) {
    NewCrew crew = {.mass = 0};
    CHECK(cosm_entity_get(later->world, entity, later->crew, &crew));
    CHECK(crew.mass == i + 0.5);
    CHECK_INT(crew.number, 65530 + i > 65535 ? 65535 : 65530 + i);
    CHECK_INT(crew.rank, 3);
    CHECK_INT(crew.kind, 2);
    uint64_t tribe = 0;
    CHECK_INT(cosm_entity_get(later->world, entity, later->tribe, &tribe), (i & 1) != 0);
    CHECK_INT(tribe, (i & 1) == 0 ? 0 : narrow ? i / 2 % 3 != 0 : i / 2 % 3);
    const uint64_t *coin = cosm_entity_read(later->world, entity, later->coin);
    CHECK_INT(coin != NULL, (i & 2) != 0);
    CHECK(coin == NULL || (coin[0] == i + 1 && coin[1] == i));
    const double *heat = cosm_entity_read(later->world, entity, later->heat);
    CHECK_INT(heat != NULL, (i & 4) != 0);
    CHECK(heat == NULL || *heat == i);
}

TEST(values_are_converted_wherever_they_are_stored) {
    for (int turn = 0; turn < 8; turn++) {
        uint32_t count = turn < 4 ? 24 : 2400;
        bool narrow = turn % 2 == 1;
        struct ark ark;
        ark_open(&ark, &(struct ark_plan){.split = turn % 4 >= 2}, 1);
        cosm_entity entities[2400];
        for (uint32_t i = 0; i < count; i++) {
            entities[i] = cosm_entity_spawn(ark.world, ark.mover);
            give(&ark, entities[i], i);
        }
        *SINGLETON_WRITE_BY_ID(ark.world, Wind, ark.wind) = (Wind){7, 1.5f};
        ark_save(&ark, ark_path("older"));
        ark_close(&ark);
        struct later later;
        later_open(&later, turn < 4 ? COSM_LAYOUT_STRUCT : COSM_LAYOUT_SPLIT, narrow);
        cosm_save_report report;
        later_load(&later, ark_path("older"), &report);
        for (uint32_t i = 0; i < count; i++) {
            check_given(&later, entities[i], i, narrow);
        }
        NewWind wind = *SINGLETON_READ_BY_ID(later.world, NewWind, later.wind);
        CHECK_INT(wind.force, 7);
        CHECK(wind.x == 1.5);
        // Position, Velocity, Note and Clock are not known here.
        CHECK_INT(report.unknown_count, 4);
        CHECK_INT(report.converted_count, 5);
        CHECK_INT(report.renamed_count, 1);
        CHECK_INT(report.added_count, 1);
        CHECK_INT(report.removed_count, 1);
        CHECK_INT(report.clamped_count, count - 6);
        CHECK_INT(cosm_shared_value_count(later.world, later.tribe), narrow ? 2 : 3);
        later_close(&later);
    }
    (void)remove(ark_path("older"));
}

// Alignment and padding are part of what a field is: the hash of the component has them.
TEST(a_component_with_padded_fields_is_the_same_again) {
    static const cosm_field padded[] = {
        {.name = "hot", .type = COSM_FIELD_U32, .offset = 0, .alignment = 64, .padding = 60},
        {.name = "cold", .type = COSM_FIELD_U32, .offset = 64, .dims = {2, 3}},
    };
    for (int turn = 0; turn < 2; turn++) {
        cosm_engine *engine = cosm_engine_create(NULL);
        cosm_component line = cosm_component_define(
            engine,
            &(cosm_component_desc){.name = "Line",
                                   .size = 128,
                                   .alignment = 64,
                                   .layout = turn == 0 ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT,
                                   FIELDS(padded)});
        cosm_archetype lines =
            cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {line}});
        cosm_batch *batch = cosm_batch_create(engine, NULL);
        cosm_world world = cosm_batch_world(batch, 0);
        uint32_t value[32] = {7};
        value[16] = 8;
        value[21] = 9;
        cosm_entity entity = {1, 0};
        if (turn == 0) {
            entity = cosm_entity_spawn_with(world, lines, &(cosm_value){line, value}, 1);
            cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
            CHECK_DONE(cosm_save_write(snapshot, ark_path("padded"), NULL));
            cosm_snapshot_destroy(snapshot);
        }
        cosm_save_report report;
        cosm_snapshot *snapshot = cosm_save_read(engine, ark_path("padded"), NULL, &report);
        REQUIRE(snapshot != NULL);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch)));
        cosm_snapshot_destroy(snapshot);
        CHECK_INT(report.same_count, 1);
        uint32_t again[32];
        CHECK(cosm_entity_get(world, entity, line, again));
        CHECK_MEM(again, value, sizeof(value));
        CHECK_DONE(cosm_batch_destroy(batch));
        CHECK_DONE(cosm_engine_destroy(engine));
    }
    (void)remove(ark_path("padded"));
}

static bool double_mass(void *context, const cosm_migration *migration) {
    uint32_t *calls = context;
    if (strcmp(migration->component, "Crew") == 0) {
        CHECK_INT(migration->old_size, sizeof(Crew));
        CHECK_INT(migration->new_size, sizeof(NewCrew));
        CHECK_INT(migration->field_count, 4);
        CHECK_INT((uintptr_t)migration->old_values % _Alignof(Crew), 0);
        CHECK_INT((uintptr_t)migration->new_values % _Alignof(NewCrew), 0);
        const Crew *old_values = migration->old_values;
        NewCrew *new_values = migration->new_values;
        for (uint32_t i = 0; i < migration->count; i++) {
            new_values[i].mass = 2.0 * (double)old_values[i].mass;
        }
        ++*calls;
    }
    return *calls < 1000;
}

TEST(a_program_may_convert_values_itself) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_entity entities[300];
    for (uint32_t i = 0; i < 300; i++) {
        entities[i] = cosm_entity_spawn(ark.world, ark.mover);
        give(&ark, entities[i], i);
    }
    ark_save(&ark, ark_path("own"));
    ark_close(&ark);
    struct later later;
    later_open(&later, COSM_LAYOUT_SPLIT, false);
    uint32_t calls = 0;
    cosm_load_desc load = {.migrate = double_mass, .context = &calls};
    cosm_save_report report;
    cosm_snapshot *snapshot = cosm_save_read(later.engine, ark_path("own"), &load, &report);
    REQUIRE(snapshot != NULL);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(later.batch)));
    cosm_snapshot_destroy(snapshot);
    for (uint32_t i = 0; i < 300; i++) {
        NewCrew crew;
        CHECK(cosm_entity_get(later.world, entities[i], later.crew, &crew));
        CHECK(crew.mass == 2 * (i + 0.5));
    }
    CHECK(calls > 0);
    CHECK(report.migrated_count > 0);
    calls = 1000;
    cosm_error_clear();
    CHECK(cosm_save_read(later.engine, ark_path("own"), &load, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read", "desc.migrate returned false", "");
    later_close(&later);
    (void)remove(ark_path("own"));
}

TEST(the_order_in_which_archetypes_were_formed_is_not_in_files) {
    unsigned char *files[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct ark ark;
        ark_open(&ark, NULL, 1);
        cosm_archetype_desc descs[] = {{.components = {ark.crew}}, {.components = {ark.wide}}};
        cosm_archetype formed[2];
        formed[i] = cosm_archetype_define(ark.engine, &descs[i]);
        formed[1 - i] = cosm_archetype_define(ark.engine, &descs[1 - i]);
        for (int n = 0; n < 10; n++) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(ark.world, formed[n % 2])));
        }
        files[i] = ark_save_bytes(&ark, &sizes[i]);
        ark_close(&ark);
    }
    CHECK_INT(sizes[0], sizes[1]);
    CHECK(sizes[0] == sizes[1] && memcmp(files[0], files[1], sizes[0]) == 0);
    free(files[0]);
    free(files[1]);
}

// Groups of the file that differ in what is unknown become one.
TEST(groups_with_values_in_common_are_found_after_a_merge) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, &(struct ark_plan){.fewer = true}, 1);
    for (uint32_t i = 0; i < 60; i++) {
        cosm_entity entity = cosm_entity_spawn(a.world, a.mover);
        Word word = ark_word(&a, i % 4);
        CHECK_DONE(cosm_entity_set(a.world, entity, a.tribe, &(uint32_t){i % 3}));
        CHECK_DONE(cosm_entity_set(a.world, entity, a.motto, &word));
        if (i % 5 == 0) {
            CHECK_DONE(cosm_entity_set(a.world, entity, a.bare, &(uint64_t){i}));
        }
        if (i % 7 == 0) {
            CHECK_DONE(cosm_entity_set(a.world, entity, a.coin, &(Coin){i, 1}));
        }
        ark_word_end(&a, &word);
    }
    ark_save(&a, ark_path("common"));
    ark_load(&b, ark_path("common"), NULL);
    CHECK_INT(cosm_shared_value_count(b.world, b.motto), 4);
    for (uint32_t i = 0; i < 4; i++) {
        Word word = ark_word(&b, i);
        CHECK_INT(cosm_shared_entity_count(b.world, b.motto, &word), 15);
        // By value, which goes from group to group.
        cosm_query *query = cosm_query_create(
            b.engine, &(cosm_query_desc){.terms = {{.component = b.motto, .value = &word}}});
        cosm_rows rows;
        uint32_t count = 0;
        uint32_t groups = 0;
        cosm_query_walk(query, b.all, &rows);
        while (cosm_rows_next(&rows)) {
            count += rows.count;
            groups++;
        }
        CHECK_INT(count, 15);
        CHECK_INT(groups, 2); // with Coin and without
        cosm_query_destroy(query);
        ark_word_end(&b, &word);
    }
    (void)remove(ark_path("common"));
    ark_close(&a);
    ark_close(&b);
}

// The words about groups go by the names of components, whose order a new name may change.
TEST(shared_components_may_be_renamed) {
    static const char *const names[2][2] = {{"Aaa", "Bbb"}, {"Ccc", "Bbb"}};
    const cosm_save_alias alias = {.component = "Ccc", .old_name = "Aaa"};
    for (int turn = 0; turn < 2; turn++) {
        cosm_engine *engine = cosm_engine_create(NULL);
        cosm_component shared[2];
        for (int i = 0; i < 2; i++) {
            shared[i] = cosm_component_define(
                engine, &(cosm_component_desc){
                            .name = names[turn][i], .size = 4, .storage = COSM_STORAGE_SHARED});
        }
        cosm_archetype both = cosm_archetype_define(
            engine, &(cosm_archetype_desc){.components = {shared[0], shared[1]}});
        cosm_batch *batch = cosm_batch_create(engine, NULL);
        cosm_world world = cosm_batch_world(batch, 0);
        if (turn == 0) {
            for (uint32_t i = 0; i < 30; i++) {
                cosm_value values[] = {{shared[0], &(uint32_t){i % 5}},
                                       {shared[1], &(uint32_t){i % 3}}};
                CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(world, both, values, 2)));
            }
            cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
            CHECK_DONE(cosm_save_write(snapshot, ark_path("names"), NULL));
            cosm_snapshot_destroy(snapshot);
        } else {
            cosm_load_desc load = {.aliases = &alias, .alias_count = 1};
            cosm_snapshot *snapshot = cosm_save_read(engine, ark_path("names"), &load, NULL);
            REQUIRE(snapshot != NULL);
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(batch)));
            cosm_snapshot_destroy(snapshot);
            CHECK_VALID(batch);
            CHECK_INT(cosm_shared_entity_count(world, shared[0], &(uint32_t){4}), 6);
            CHECK_INT(cosm_shared_entity_count(world, shared[1], &(uint32_t){2}), 10);
        }
        CHECK_DONE(cosm_batch_destroy(batch));
        CHECK_DONE(cosm_engine_destroy(engine));
    }
    (void)remove(ark_path("names"));
}

// What lies in the file is used there only where it is aligned as copies are.
TEST(bytes_of_images_are_aligned) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component odd = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Odd", .size = 4100, .alignment = 4});
    cosm_archetype odds =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {odd}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, 0), odds, 100, &rows));
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(batch));
    CHECK_DONE(cosm_save_write(snapshot, ark_path("odd"), NULL));
    cosm_snapshot_destroy(snapshot);
    snapshot = cosm_save_read(engine, ark_path("odd"), NULL, NULL);
    REQUIRE(snapshot != NULL);
    const struct part *table = image_part(snapshot->worlds[0], PART_TABLE, 0);
    uint32_t lent = 0;
    for (uint32_t i = 0; i < table->blob_count; i++) {
        CHECK_INT((uintptr_t)table->blobs[i]->bytes % 16, 0);
        lent += table->blobs[i]->home != NULL;
    }
    CHECK(lent > 0 && lent < table->blob_count);
    cosm_snapshot_destroy(snapshot);
    (void)remove(ark_path("odd"));
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Nobody lives long enough to use an id up, so one is made old.
TEST(ids_that_are_used_up_stay_so) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, NULL, 1);
    cosm_entity entities[4];
    for (int i = 0; i < 4; i++) {
        entities[i] = cosm_entity_spawn(a.world, a.mover);
    }
    CHECK_DONE(cosm_entity_despawn(a.world, entities[1]));
    struct world *world = &a.batch->worlds[0];
    world->records[entities[1].id].gen = GEN_RETIRED - 2;
    world->fresh_deaths = 5;
    cosm_entity old = cosm_entity_spawn(a.world, a.mover);
    CHECK_INT(old.id, entities[1].id);
    CHECK_DONE(cosm_entity_despawn(a.world, old));
    CHECK_DONE(cosm_entity_despawn(a.world, entities[3]));
    CHECK_VALID(a.batch);
    ark_save(&a, ark_path("ids"));
    ark_load(&b, ark_path("ids"), NULL);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), cosm_hash_batch(a.batch, COSM_HASH_EXACT));
    for (int i = 0; i < 4; i++) {
        cosm_entity one = cosm_entity_spawn(a.world, a.mover);
        cosm_entity other = cosm_entity_spawn(b.world, b.mover);
        CHECK_INT(other.id, one.id);
        CHECK_INT(other.gen, one.gen);
        CHECK(one.id != old.id);
    }
    (void)remove(ark_path("ids"));
    ark_close(&a);
    ark_close(&b);
}

TEST(a_container_that_is_being_packed_goes_on_with_it) {
    struct ark a;
    struct ark b;
    ark_open(&a, NULL, 1);
    ark_open(&b, NULL, 1);
    cosm_entity entities[2000];
    for (uint32_t i = 0; i < 2000; i++) {
        entities[i] = cosm_entity_spawn(a.world, a.mover);
        CHECK_DONE(cosm_entity_set(a.world, entities[i], a.heat, &(float){(float)i}));
    }
    for (uint32_t i = 0; i < 2000; i++) {
        if (i % 5 != 0) {
            CHECK_DONE(cosm_entity_remove(a.world, entities[i], a.heat));
        }
    }
    CHECK_DONE(cosm_sector_maintain(a.world, &(cosm_container_budget){.move_max = 3}, NULL));
    ark_save(&a, ark_path("packing"));
    cosm_load_desc load = ark_load_desc(&b);
    cosm_snapshot *snapshot = cosm_save_read(b.engine, ark_path("packing"), &load, NULL);
    cosm_snapshot *before = cosm_snapshot_create(a.all);
    REQUIRE(snapshot != NULL && before != NULL);
    CHECK(image_part(before->worlds[0], PART_SECTOR, 0)->sector.is_packing);
    CHECK(image_part(snapshot->worlds[0], PART_SECTOR, 0)->sector.is_packing);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, b.all));
    cosm_snapshot_destroy(snapshot);
    cosm_snapshot_destroy(before);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_EXACT), cosm_hash_batch(a.batch, COSM_HASH_EXACT));
    (void)remove(ark_path("packing"));
    ark_close(&a);
    ark_close(&b);
}

TEST(every_kind_of_command_that_waits_is_refused) {
    struct ark ark;
    ark_open(&ark, NULL, 1);
    cosm_entity entity = cosm_entity_spawn(ark.world, ark.mover);
    cosm_commands *commands = cosm_commands_create(ark.batch);
    CHECK_DONE(cosm_commands_set(commands, ark.world, entity, ark.position, &(Position){1, 2, 3}));
    CHECK_FAILS(cosm_save_worlds(ark.all, ark_path("set"), NULL), COSM_ERROR_BUSY,
                "cosm_save_worlds", "world 0", "cosm_commands_apply");
    cosm_commands_clear(commands);
    ark_save(&ark, ark_path("set"));
    cosm_commands_destroy(commands);
    (void)remove(ark_path("set"));
    ark_close(&ark);
}
