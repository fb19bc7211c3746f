// Components and bundles: definition, look-up, types, hashes, members (cosm/component.h).
// ctest: threads
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

TEST(a_component_is_what_it_was_defined_as) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_STR(cosm_component_describe(box.engine, box.position).name, "Position");
    CHECK_INT(cosm_component_describe(box.engine, box.position).size, sizeof(Position));
    CHECK_INT(cosm_component_describe(box.engine, box.position).alignment, _Alignof(Position));
    CHECK(!cosm_component_describe(box.engine, box.position).is_bundle);
    CHECK_INT(cosm_component_find(box.engine, "Position").id, box.position.id);
    fixture_close(&box);
}

TEST(a_tag_has_no_bytes) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_STR(cosm_component_describe(box.engine, box.mark).name, "Mark");
    CHECK_INT(cosm_component_describe(box.engine, box.mark).size, 0);
    CHECK_INT(cosm_component_describe(box.engine, box.mark).alignment, 1);
    fixture_close(&box);
}

static bool copy_nothing(void *context, void *object, const void *source) {
    (void)context;
    (void)object;
    (void)source;
    return true;
}

static void end_nothing(void *context, void *object) {
    (void)context;
    (void)object;
}

TEST(values_that_own_something_are_objects) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const struct {
        cosm_component_desc desc;
        bool is_object;
    } cases[] = {
        {{.name = "column", .size = 4}, false},
        {{.name = "rows", .size = 4, .change_rows = true}, false},
        {{.name = "shared", .size = 4, .storage = COSM_STORAGE_SHARED}, false},
        {{.name = "managed", .size = 4, .storage = COSM_STORAGE_MANAGED}, true},
        {{.name = "sector", .size = 4, .storage = COSM_STORAGE_SECTOR}, false},
        {{.name = "copied",
          .size = 4,
          .storage = COSM_STORAGE_SECTOR,
          .lifecycle = {.copy = copy_nothing}},
         true},
        {{.name = "ended",
          .size = 4,
          .storage = COSM_STORAGE_SHARED,
          .lifecycle = {.destroy = end_nothing}},
         true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cosm_component component = cosm_component_define(box.engine, &cases[i].desc);
        CHECK(component.id != 0);
        CHECK_INT(cosm_component_describe(box.engine, component).is_object, cases[i].is_object);
        CHECK_INT(cosm_component_describe(box.engine, component).change_rows,
                  cases[i].desc.change_rows);
    }
    CHECK(!cosm_component_describe(NULL, box.position).is_object);
    CHECK(!cosm_component_describe(NULL, box.position).change_rows);
    fixture_close(&box);
}

TEST(an_unknown_component_is_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const uint32_t ids[] = {0, 5, 999, 4097, 65536, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_component unknown = {ids[i]};
        CHECK_STR(cosm_component_describe(box.engine, unknown).name, NULL);
        CHECK_INT(cosm_component_describe(box.engine, unknown).size, 0);
        CHECK_INT(cosm_component_describe(box.engine, unknown).alignment, 0);
        CHECK(!cosm_component_describe(box.engine, unknown).is_bundle);
        CHECK(!cosm_component_describe(box.engine, unknown).is_object);
        CHECK(!cosm_component_describe(box.engine, unknown).change_rows);
        CHECK_INT(cosm_component_members(box.engine, unknown, 0, NULL), 0);
        CHECK_INT(cosm_component_describe(box.engine, unknown).layout, COSM_LAYOUT_STRUCT);
        CHECK_INT(cosm_component_describe(box.engine, unknown).hash, 0);
        CHECK(cosm_component_describe(box.engine, unknown).default_value == NULL);
    }
    CHECK_INT(cosm_component_find(box.engine, "nobody").id, 0);
    CHECK_INT(cosm_component_find(box.engine, "").id, 0);
    CHECK_INT(cosm_component_find(box.engine, NULL).id, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(asking_no_engine_about_a_component_gives_nothing) {
    cosm_component one = {1};
    CHECK_STR(cosm_component_describe(NULL, one).name, NULL);
    CHECK_INT(cosm_component_describe(NULL, one).size, 0);
    CHECK_INT(cosm_component_describe(NULL, one).alignment, 0);
    CHECK(!cosm_component_describe(NULL, one).is_bundle);
    CHECK_INT(cosm_component_members(NULL, one, 0, NULL), 0);
    CHECK_INT(cosm_component_find(NULL, "Position").id, 0);
    CHECK_INT(cosm_component_describe(NULL, one).layout, COSM_LAYOUT_STRUCT);
    CHECK_INT(cosm_component_describe(NULL, one).hash, 0);
    CHECK(cosm_component_describe(NULL, one).default_value == NULL);
}

TEST(the_same_definition_again_is_the_same_component) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static const Health full = {100};
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Position).id, box.position.id);
    CHECK_INT(COSM_TAG_DEFINE(box.engine, Mark).id, box.mark.id);
    cosm_component_desc health = {.name = "Health", .size = 4, .default_value = &full};
    CHECK_INT(cosm_component_define(box.engine, &health).id, box.health.id);
    CHECK_INT(cosm_engine_describe(box.engine).component_count, 4);
    fixture_close(&box);
}

TEST(the_same_name_with_other_properties_is_a_conflict) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static const Health weak = {1};
    const cosm_component_desc descs[] = {
        {.name = "Health", .size = 8},
        {.name = "Health", .size = 4},
        {.name = "Health", .size = 4, .alignment = 1},
        {.name = "Health", .size = 4, .default_value = &weak},
        {.name = "Position"},
    };
    for (size_t i = 0; i < sizeof(descs) / sizeof(*descs); i++) {
        CHECK_INT(cosm_component_define(box.engine, &descs[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", descs[i].name,
                      "choose another name");
    }
    CHECK_INT(cosm_engine_describe(box.engine).component_count, 4);
    fixture_close(&box);
}

TEST(a_default_of_zeroes_is_no_default) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static const uint64_t zeroes = 0;
    cosm_component_desc desc = {.name = "zero", .size = 8, .default_value = &zeroes};
    cosm_component first = cosm_component_define(box.engine, &desc);
    CHECK(first.id != 0);
    desc.default_value = NULL;
    CHECK_INT(cosm_component_define(box.engine, &desc).id, first.id);
    fixture_close(&box);
}

TEST(name_and_default_are_copied) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char name[] = "scratch";
    uint32_t value = 77;
    cosm_component component = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = name, .size = 4, .default_value = &value});
    memset(name, 'x', sizeof(name) - 1);
    value = 1;
    CHECK_STR(cosm_component_describe(box.engine, component).name, "scratch");
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, component));
    const uint32_t *read = READ_BY_ID(box.world, entity, uint32_t, component);
    REQUIRE(read != NULL);
    CHECK_INT(*read, 77);
    fixture_close(&box);
}

TEST(alignment_zero_means_what_the_size_allows_up_to_16) {
    cosm_engine *engine = cosm_engine_create(NULL);
    const size_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 100};
    const size_t expected[] = {1, 1, 2, 1, 4, 2, 8, 4, 16, 8, 16, 16, 4};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char name[2] = {(char)('a' + i), '\0'};
        cosm_component component =
            cosm_component_define(engine, &(cosm_component_desc){.name = name, .size = sizes[i]});
        CHECK_INT(cosm_component_describe(engine, component).alignment, expected[i]);
    }
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(an_alignment_that_is_no_power_of_two_is_refused) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "odd", .size = 12, .alignment = 3};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.alignment 3",
                  "use _Alignof of the type, or 0");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_size_that_is_no_multiple_of_the_alignment_is_refused) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "odd", .size = 12, .alignment = 8};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.size 12", "pad the type");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_component_needs_a_name_a_desc_and_an_engine) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_INT(cosm_component_define(engine, &(cosm_component_desc){.size = 4}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.name is NULL",
                  "use 1 to 127");
    CHECK_INT(cosm_component_define(engine, &(cosm_component_desc){.name = ""}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.name is empty",
                  "use 1 to 127");
    CHECK_INT(cosm_component_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc is NULL", "describe");
    CHECK_INT(cosm_component_define(NULL, &(cosm_component_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "engine is NULL",
                  "cosm_engine_create");
    CHECK_INT(cosm_bundle_define(NULL, &(cosm_bundle_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "engine is NULL",
                  "cosm_engine_create");
    CHECK_INT(cosm_bundle_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "desc is NULL", "describe");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_component_has_itself_as_its_only_member) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component member = {0};
    CHECK_INT(cosm_component_members(box.engine, box.health, 1, &member), 1);
    CHECK_INT(member.id, box.health.id);
    fixture_close(&box);
}

TEST(a_bundle_stands_for_its_members_in_ascending_order_without_repeats) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "all",
                                        .components = {box.mark, box.position, box.mark},
                                        .more = &box.health,
                                        .more_count = 1});
    REQUIRE(bundle.id != 0);
    CHECK(cosm_component_describe(box.engine, bundle).is_bundle);
    CHECK_STR(cosm_component_describe(box.engine, bundle).name, "all");
    CHECK_INT(cosm_component_find(box.engine, "all").id, bundle.id);
    CHECK_INT(cosm_component_describe(box.engine, bundle).size, 0);
    cosm_component members[4] = {{0}, {0}, {0}, {0}};
    CHECK_INT(cosm_component_members(box.engine, bundle, 4, members), 3);
    CHECK_INT(members[0].id, box.position.id);
    CHECK_INT(members[1].id, box.health.id);
    CHECK_INT(members[2].id, box.mark.id);
    CHECK_INT(members[3].id, 0);
    cosm_component first[2] = {{0}, {0}};
    CHECK_INT(cosm_component_members(box.engine, bundle, 1, first), 3);
    CHECK_INT(first[0].id, box.position.id);
    CHECK_INT(first[1].id, 0);
    CHECK_INT(cosm_component_members(box.engine, bundle, 4, NULL), 3);
    fixture_close(&box);
}

TEST(bundles_nest) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component inner = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "inner", .components = {box.position, box.velocity}});
    cosm_component outer = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "outer", .components = {inner, box.health}});
    cosm_component members[4];
    CHECK_INT(cosm_component_members(box.engine, outer, 4, members), 3);
    CHECK_INT(members[0].id, box.position.id);
    CHECK_INT(members[1].id, box.velocity.id);
    CHECK_INT(members[2].id, box.health.id);
    fixture_close(&box);
}

TEST(the_same_bundle_again_is_the_same_id_and_another_one_a_conflict) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_bundle_desc desc = {.name = "pair", .components = {box.position, box.velocity}};
    cosm_component pair = cosm_bundle_define(box.engine, &desc);
    desc.components[0] = box.velocity;
    desc.components[1] = box.position;
    CHECK_INT(cosm_bundle_define(box.engine, &desc).id, pair.id);
    desc.components[0] = box.health;
    CHECK_INT(cosm_bundle_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_bundle_define:", "'pair'", "choose another name");
    fixture_close(&box);
}

TEST(components_and_bundles_share_one_space_of_names) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_bundle_desc bundle = {.name = "Position", .components = {box.velocity}};
    CHECK_INT(cosm_bundle_define(box.engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_bundle_define:", "'Position'", "choose another name");
    bundle.name = "motion";
    CHECK(cosm_bundle_define(box.engine, &bundle).id != 0);
    CHECK_INT(cosm_component_define(box.engine, &(cosm_component_desc){.name = "motion"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'motion'", "choose another name");
    fixture_close(&box);
}

TEST(a_bundle_of_nothing_or_of_unknown_members_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "none"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "'none'", "list at least one");
    cosm_bundle_desc unknown = {.name = "unknown", .components = {box.position, {999}}};
    CHECK_INT(cosm_bundle_define(box.engine, &unknown).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "component 999",
                  "cosm_component_define");
    cosm_bundle_desc missing = {.name = "missing", .more_count = 2};
    CHECK_INT(cosm_bundle_define(box.engine, &missing).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "desc.more is NULL",
                  "desc.more_count");
    CHECK_INT(cosm_bundle_define(box.engine, &(cosm_bundle_desc){.components = {box.mark}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "desc.name is NULL", "use 1 to 127");
    CHECK_INT(cosm_component_find(box.engine, "unknown").id, 0);
    fixture_close(&box);
}

TEST(the_default_of_a_component_can_be_asked_for) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const Health *health = cosm_component_describe(box.engine, box.health).default_value;
    REQUIRE(health != NULL);
    CHECK_INT(health->points, 100);
    CHECK(cosm_component_describe(box.engine, box.position).default_value == NULL);
    CHECK(cosm_component_describe(box.engine, box.mark).default_value == NULL);
    // It is a copy, and zeroes are as good as none.
    Position zeroes = {0, 0, 0};
    cosm_component_desc desc = {.name = "Origin", .size = sizeof(zeroes), .default_value = &zeroes};
    cosm_component origin = cosm_component_define(box.engine, &desc);
    CHECK(cosm_component_describe(box.engine, origin).default_value == NULL);
    Health ten = {10};
    cosm_component armor = cosm_component_define(
        box.engine,
        &(cosm_component_desc){.name = "Armor", .size = sizeof(ten), .default_value = &ten});
    health = cosm_component_describe(box.engine, armor).default_value;
    REQUIRE(health != NULL);
    ten.points = 11;
    CHECK_INT(health->points, 10);
    CHECK_INT((uintptr_t)health % 16, 0);
    fixture_close(&box);
}

// Layout.

static const cosm_field point_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(Position, x)},
    {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(Position, y)},
    {.name = "z", .type = COSM_FIELD_F32, .offset = offsetof(Position, z)},
};

TEST(a_component_has_the_layout_it_was_defined_with) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "whole", .size = sizeof(Position), .fields = point_fields};
    desc.field_count = 3;
    cosm_component whole = cosm_component_define(engine, &desc);
    CHECK_INT(cosm_component_describe(engine, whole).layout, COSM_LAYOUT_STRUCT);
    desc.name = "split";
    desc.layout = COSM_LAYOUT_SPLIT;
    cosm_component split = cosm_component_define(engine, &desc);
    CHECK_INT(cosm_component_describe(engine, split).layout, COSM_LAYOUT_SPLIT);
    CHECK_INT(cosm_component_describe(engine, split).size, sizeof(Position));
    CHECK_INT(cosm_component_define(engine, &desc).id, split.id);
    desc.layout = COSM_LAYOUT_STRUCT;
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'split'", "choose another name");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_layout_that_cannot_be_is_refused) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "odd", .size = 12, .layout = COSM_LAYOUT_SPLIT};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "cosm_component_define:", "'odd' has COSM_LAYOUT_SPLIT but no fields",
                  "describe them in desc.fields");
    desc.size = 0; // a tag
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "cosm_component_define:", "'odd' has COSM_LAYOUT_SPLIT but no fields",
                  "or leave out the layout");
    const int wrong[] = {2, -1};
    for (int i = 0; i < 2; i++) {
        desc.layout = (cosm_layout)wrong[i];
        CHECK_INT(cosm_component_define(engine, &desc).id, 0);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define: 'odd': ",
                      i == 0 ? "desc.layout 2 is unknown" : "desc.layout -1 is unknown",
                      "use COSM_LAYOUT_STRUCT or COSM_LAYOUT_SPLIT");
    }
    CHECK_INT(cosm_engine_describe(engine).component_count, 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}

// A description, and others that differ from it in one thing.

static const cosm_label mode_items[] = {{"idle", 0}, {"busy", 1}};
static const cosm_label other_names[] = {{"idle", 0}, {"hot", 1}};
static const cosm_label other_values[] = {{"idle", 0}, {"busy", 2}};
static const cosm_labels mode_labels = {"Mode", COSM_LABELS_ENUM, 2, mode_items};
static const cosm_labels mask_labels = {"Mode", COSM_LABELS_MASK, 2, mode_items};
static const cosm_labels fewer_labels = {"Mode", COSM_LABELS_ENUM, 1, mode_items};
static const cosm_labels renamed_labels = {"Mood", COSM_LABELS_ENUM, 2, mode_items};
static const cosm_labels other_name_labels = {"Mode", COSM_LABELS_ENUM, 2, other_names};
static const cosm_labels other_value_labels = {"Mode", COSM_LABELS_ENUM, 2, other_values};
static const int32_t mode_default[3] = {1, 1, 0};
static const int32_t other_default[3] = {1, 0, 0};

#define MODE_FIELD                                                                                 \
    .name = "mode", .type = COSM_FIELD_I32, .offset = 4, .labels = &mode_labels, .max = 5,         \
    .unit = "x", .doc = "What it does.", .default_value = mode_default

static const cosm_field mode_field = {MODE_FIELD, .dims = {2}};

struct variant {
    const char *what;
    bool in_hash;
    cosm_field field;
};

// Each names again what it changes: the last one counts.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct variant variants[] = {
    {"path", true, {MODE_FIELD, .dims = {2}, .name = "modes"}},
    {"type", true, {MODE_FIELD, .dims = {2}, .type = COSM_FIELD_U32}},
    {"offset", true, {MODE_FIELD, .dims = {2}, .offset = 8}},
    {"dims", true, {MODE_FIELD, .dims = {3}}},
    {"number of dims", true, {MODE_FIELD, .dims = {2, 1}}},
    {"order of dims", true, {MODE_FIELD, .dims = {1, 2}}},
    {"no labels", true, {MODE_FIELD, .dims = {2}, .labels = NULL}},
    {"kind of labels", true, {MODE_FIELD, .dims = {2}, .labels = &mask_labels}},
    {"number of labels", true, {MODE_FIELD, .dims = {2}, .labels = &fewer_labels}},
    {"name of a label", true, {MODE_FIELD, .dims = {2}, .labels = &other_name_labels}},
    {"value of a label", true, {MODE_FIELD, .dims = {2}, .labels = &other_value_labels}},
    {"name of the enum", false, {MODE_FIELD, .dims = {2}, .labels = &renamed_labels}},
    {"alignment", false, {MODE_FIELD, .dims = {2}, .alignment = 2}},
    {"padding", false, {MODE_FIELD, .dims = {2}, .padding = 4}},
    {"min", false, {MODE_FIELD, .dims = {2}, .min = -1}},
    {"max", false, {MODE_FIELD, .dims = {2}, .max = 6}},
    {"no unit", false, {MODE_FIELD, .dims = {2}, .unit = NULL}},
    {"unit", false, {MODE_FIELD, .dims = {2}, .unit = "y"}},
    {"no doc", false, {MODE_FIELD, .dims = {2}, .doc = NULL}},
    {"doc", false, {MODE_FIELD, .dims = {2}, .doc = "What it did."}},
    {"no default", false, {MODE_FIELD, .dims = {2}, .default_value = NULL}},
    {"default", false, {MODE_FIELD, .dims = {2}, .default_value = other_default}},
};
#pragma GCC diagnostic pop

#define VARIANT_COUNT (sizeof(variants) / sizeof(*variants))

static cosm_component define_machine(cosm_engine *engine, const cosm_field *field) {
    return cosm_component_define(
        engine,
        &(cosm_component_desc){
            .name = "Machine", .size = 32, .alignment = 8, .fields = field, .field_count = 1});
}

TEST(the_same_fields_again_are_the_same_component) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component machine = define_machine(engine, &mode_field);
    REQUIRE(machine.id != 0);
    // The same words at other addresses, and an alignment that says what was meant.
    char name[] = "mode";
    char busy[] = "busy";
    char doc[] = "What it does.";
    int32_t value[2] = {1, 1};
    const cosm_label items[] = {{"idle", 0}, {busy, 1}};
    const cosm_labels labels = {"Mode", COSM_LABELS_ENUM, 2, items};
    cosm_field again = mode_field;
    again.name = name;
    again.doc = doc;
    again.labels = &labels;
    again.default_value = value;
    again.alignment = 4;
    CHECK_INT(define_machine(engine, &again).id, machine.id);
    CHECK_INT(cosm_engine_describe(engine).component_count, 1);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(fields_that_differ_in_anything_are_a_conflict) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component machine = define_machine(engine, &mode_field);
    REQUIRE(machine.id != 0);
    uint64_t hash = cosm_component_describe(engine, machine).hash;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        cosm_error_clear();
        CHECK_STR(define_machine(engine, &variants[i].field).id == 0 ? "" : variants[i].what, "");
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Machine'",
                      "define it the same way");
    }
    cosm_component_desc desc = {.name = "Machine", .size = 32, .alignment = 8};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0); // no fields
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Machine'", "the same way");
    const cosm_field more[] = {mode_field, {.name = "z", .type = COSM_FIELD_U8, .offset = 31}};
    desc.fields = more;
    desc.field_count = 2;
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Machine'", "the same way");
    // A default of the whole does not stand for one of a field, even where it comes to the same.
    const int32_t whole[8] = {0, 1, 1};
    cosm_field plain = mode_field;
    plain.default_value = NULL;
    desc.fields = &plain;
    desc.field_count = 1;
    desc.default_value = whole;
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Machine'", "the same way");
    // The first one is as it was.
    CHECK_INT(cosm_engine_describe(engine).component_count, 1);
    CHECK_INT(cosm_component_describe(engine, machine).field_count, 1);
    CHECK_INT(cosm_component_describe(engine, machine).hash, hash);
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Hashes.

static uint64_t hash_of(const cosm_component_desc *desc) {
    cosm_engine *engine = cosm_engine_create(NULL);
    uint64_t hash = cosm_component_describe(engine, cosm_component_define(engine, desc)).hash;
    CHECK_DONE(cosm_engine_destroy(engine));
    return hash;
}

// The values are those of the first version that had hashes. They are in files that others wrote:
// where this test fails, it is the library that has to change.
TEST(the_hash_of_a_description_is_the_same_for_ever) {
    CHECK_INT(hash_of(&(cosm_component_desc){.name = "Frozen"}), UINT64_C(0x5238b42c835c01ad));
    cosm_component_desc position = {.name = "Position", .size = 12, .alignment = 4};
    CHECK_INT(hash_of(&position), UINT64_C(0x254a88a72bde0101));
    position.fields = point_fields;
    position.field_count = 3;
    CHECK_INT(hash_of(&position), UINT64_C(0x6debcf8358809bc0));
    cosm_component_desc machine = {
        .name = "Machine", .size = 32, .alignment = 8, .fields = &mode_field, .field_count = 1};
    CHECK_INT(hash_of(&machine), UINT64_C(0xe9c74876280d664b));
    static const cosm_field all[] = {
        {.name = "a.i8", .type = COSM_FIELD_I8, .offset = 0},
        {.name = "a.i16", .type = COSM_FIELD_I16, .offset = 2},
        {.name = "a.i32", .type = COSM_FIELD_I32, .offset = 4},
        {.name = "a.i64", .type = COSM_FIELD_I64, .offset = 8},
        {.name = "b[0].u8", .type = COSM_FIELD_U8, .offset = 16},
        {.name = "b[0].u16", .type = COSM_FIELD_U16, .offset = 18},
        {.name = "b[1].u32", .type = COSM_FIELD_U32, .offset = 20},
        {.name = "b[1].u64", .type = COSM_FIELD_U64, .offset = 24, .labels = &mask_labels},
        {.name = "f32", .type = COSM_FIELD_F32, .offset = 32, .dims = {1, 2, 1, 2}},
        {.name = "f64", .type = COSM_FIELD_F64, .offset = 48},
        {.name = "flag", .type = COSM_FIELD_BOOL, .offset = 56},
        {.name = "other", .type = COSM_FIELD_ENTITY, .offset = 60},
        {.name = "text", .type = COSM_FIELD_CHAR, .offset = 68, .dims = {28}},
    };
    cosm_component_desc whole = {.name = "Everything",
                                 .size = 96,
                                 .alignment = 8,
                                 .fields = all,
                                 .field_count = sizeof(all) / sizeof(*all)};
    CHECK_INT(hash_of(&whole), UINT64_C(0x74feb763ad48e551));
}

TEST(the_hash_tells_what_the_bytes_mean_and_nothing_else) {
    cosm_component_desc base = {
        .name = "Machine", .size = 32, .alignment = 8, .fields = &mode_field, .field_count = 1};
    uint64_t hash = hash_of(&base);
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        cosm_component_desc desc = base;
        desc.fields = &variants[i].field;
        CHECK_STR((hash_of(&desc) != hash) == variants[i].in_hash ? "" : variants[i].what, "");
    }
    cosm_component_desc desc = base;
    desc.name = "Machines";
    CHECK(hash_of(&desc) != hash);
    desc = base;
    desc.size = 40;
    CHECK(hash_of(&desc) != hash);
    desc = base;
    desc.alignment = 16;
    CHECK(hash_of(&desc) != hash);
    desc = base;
    desc.field_count = 0;
    CHECK(hash_of(&desc) != hash);
    desc = base;
    desc.layout = COSM_LAYOUT_SPLIT;
    CHECK_INT(hash_of(&desc), hash);
    desc = base;
    static const uint64_t value[4] = {1, 2, 3, 4};
    desc.default_value = value;
    CHECK_INT(hash_of(&desc), hash);
}

TEST(the_hash_does_not_depend_on_the_engine_or_the_id) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_engine *bare = cosm_engine_create(NULL);
    cosm_component late = define_machine(box.engine, &mode_field);
    cosm_component early = define_machine(bare, &mode_field);
    CHECK(late.id != early.id);
    CHECK(cosm_component_describe(bare, early).hash != 0);
    CHECK_INT(cosm_component_describe(box.engine, late).hash,
              cosm_component_describe(bare, early).hash);
    cosm_component bundle =
        cosm_bundle_define(bare, &(cosm_bundle_desc){.name = "some", .components = {early}});
    CHECK_INT(cosm_component_describe(bare, bundle).hash, 0);
    CHECK_DONE(cosm_engine_destroy(bare));
    fixture_close(&box);
}

// Types.

#define TYPE_COUNT 3u

// What a program has once: types of its own for each test, since a type is written to.
struct types {
    cosm_component_type list[TYPE_COUNT];
};

static struct types make_types(void) {
    return (struct types){{
        {{.name = "Alpha", .size = 4}, 0},
        {{.name = "Beta",
          .size = sizeof(Position),
          .alignment = _Alignof(Position),
          .fields = point_fields,
          .field_count = 3},
         0},
        {{.name = "Gamma"}, 0},
    }};
}

// Registers the types from `first` on, going round.
static void register_types(cosm_engine *engine, struct types *types, uint32_t first) {
    for (uint32_t i = 0; i < TYPE_COUNT; i++) {
        cosm_component made =
            cosm_component_register(engine, &types->list[(first + i) % TYPE_COUNT]);
        CHECK(made.id != 0);
    }
}

// How many types are not found as the engine's own.
static uint32_t count_strangers(const cosm_engine *engine, struct types *types) {
    static const char *const names[TYPE_COUNT] = {"Alpha", "Beta", "Gamma"};
    uint32_t strangers = 0;
    for (uint32_t i = 0; i < TYPE_COUNT; i++) {
        cosm_component found = cosm_component_of(engine, &types->list[i]);
        strangers += found.id == 0 || found.id != cosm_component_find(engine, names[i]).id;
    }
    return strangers;
}

TEST(a_type_is_in_each_engine_the_component_it_was_registered_as) {
    struct types types = make_types();
    cosm_engine *engines[TYPE_COUNT];
    for (uint32_t e = 0; e < TYPE_COUNT; e++) {
        engines[e] = cosm_engine_create(NULL);
        register_types(engines[e], &types, e);
    }
    CHECK_INT(cosm_component_of(engines[0], &types.list[0]).id, 1);
    CHECK_INT(cosm_component_of(engines[1], &types.list[0]).id, 3);
    CHECK_INT(cosm_component_of(engines[2], &types.list[0]).id, 2);
    cosm_error_clear();
    for (uint32_t i = 0; i < 12; i++) {
        CHECK_INT(count_strangers(engines[(i * 2 + i / 5) % TYPE_COUNT], &types), 0);
    }
    CHECK_SILENT();
    CHECK_INT(cosm_component_describe(engines[1], cosm_component_of(engines[1], &types.list[1]))
                  .field_count,
              3);
    // An engine that is gone leaves nothing behind in the types.
    for (uint32_t e = 0; e < TYPE_COUNT; e++) {
        CHECK_DONE(cosm_engine_destroy(engines[e]));
        engines[e] = cosm_engine_create(NULL);
        register_types(engines[e], &types, e + 1);
        CHECK_INT(count_strangers(engines[e], &types), 0);
    }
    for (uint32_t e = 0; e < TYPE_COUNT; e++) {
        CHECK_INT(count_strangers(engines[e], &types), 0);
        CHECK_DONE(cosm_engine_destroy(engines[e]));
    }
}

TEST(registering_a_type_again_gives_the_same_component) {
    struct types types = make_types();
    struct types twins = make_types(); // as two files that both have it would
    cosm_engine *engine = cosm_engine_create(NULL);
    register_types(engine, &types, 0);
    register_types(engine, &types, 1);
    register_types(engine, &twins, 2);
    CHECK_INT(cosm_engine_describe(engine).component_count, TYPE_COUNT);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(count_strangers(engine, &types), 0);
        CHECK_INT(count_strangers(engine, &twins), 0);
    }
    // One that was defined by its desc is found too.
    cosm_engine *second = cosm_engine_create(NULL);
    cosm_component plain = cosm_component_define(second, &types.list[1].desc);
    CHECK_INT(cosm_component_of(second, &types.list[1]).id, plain.id);
    CHECK_DONE(cosm_engine_destroy(second));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_type_that_is_not_registered_is_no_component) {
    struct types types = make_types();
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_engine *other = cosm_engine_create(NULL);
    register_types(other, &types, 0);
    CHECK(cosm_component_register(engine, &types.list[1]).id != 0);
    for (uint32_t i = 0; i < TYPE_COUNT; i += 2) {
        CHECK_INT(cosm_component_of(engine, &types.list[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_of:",
                      i == 0 ? "'Alpha' is not registered" : "'Gamma' is not registered",
                      "call cosm_component_register");
    }
    // Nor is a bundle of that name.
    cosm_component beta = cosm_component_of(engine, &types.list[1]);
    CHECK(
        cosm_bundle_define(engine, &(cosm_bundle_desc){.name = "Gamma", .components = {beta}}).id);
    CHECK_INT(cosm_component_of(engine, &types.list[2]).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_of:", "'Gamma'", "cosm_component_register");
    CHECK_INT(count_strangers(other, &types), 0);
    CHECK_DONE(cosm_engine_destroy(other));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_type_that_cannot_be_registered_says_why) {
    struct types types = make_types();
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_INT(cosm_component_register(NULL, &types.list[0]).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_register:", "engine is NULL", "pass both");
    CHECK_INT(cosm_component_register(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_register:", "type is NULL", "pass both");
    CHECK_INT(cosm_component_of(NULL, &types.list[0]).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_of:", "engine is NULL", "pass both");
    CHECK_INT(cosm_component_of(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_of:", "type is NULL", "pass both");
    cosm_component_type unnamed = {{.size = 4}, 0};
    CHECK_INT(cosm_component_register(engine, &unnamed).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.name is NULL",
                  "use 1 to 127");
    CHECK_INT(cosm_component_of(engine, &unnamed).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_of:", "'NULL' is not registered",
                  "cosm_component_register");
    CHECK(cosm_component_define(engine, &(cosm_component_desc){.name = "Alpha", .size = 8}).id);
    CHECK_INT(cosm_component_register(engine, &types.list[0]).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Alpha'", "the same way");
    // And what has its name is not taken for it.
    CHECK_INT(cosm_component_of(engine, &types.list[0]).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_of:", "'Alpha'", "rename");
    CHECK_INT(cosm_engine_describe(engine).component_count, 1);
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Threads.

#define THREAD_COUNT 4u

// What all threads share: the types, and an engine in which each registers them too.
struct registry {
    struct types types;
    cosm_engine *shared;
    pthread_barrier_t start;
    _Atomic(uint32_t) next;
    _Atomic(uint32_t) strangers;
};

static void *use_types(void *argument) {
    struct registry *registry = argument;
    uint32_t number = atomic_fetch_add(&registry->next, 1);
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    pthread_barrier_wait(&registry->start);
    register_types(engine, &registry->types, number);
    register_types(registry->shared, &registry->types, number);
    uint32_t strangers = 0;
    for (uint32_t i = 0; i < 300; i++) {
        strangers += count_strangers(engine, &registry->types);
        strangers += count_strangers(registry->shared, &registry->types);
    }
    atomic_fetch_add(&registry->strangers, strangers);
    CHECK_DONE(cosm_engine_destroy(engine));
    return NULL;
}

TEST(threads_with_engines_of_their_own_share_the_types) {
    struct registry registry = {.types = make_types(), .shared = cosm_engine_create(NULL)};
    pthread_t threads[THREAD_COUNT];
    CHECK_INT(pthread_barrier_init(&registry.start, NULL, THREAD_COUNT), 0);
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, use_types, &registry), 0);
    }
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    pthread_barrier_destroy(&registry.start);
    CHECK_INT(registry.strangers, 0);
    CHECK_INT(cosm_engine_describe(registry.shared).component_count, TYPE_COUNT);
    CHECK_DONE(cosm_engine_destroy(registry.shared));
}

TEST(a_doc_is_copied_and_told_and_is_part_of_the_definition) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char doc[] = "What it is for.";
    cosm_component_desc desc = {.name = "Told", .size = 4, .doc = doc};
    cosm_component told = cosm_component_define(engine, &desc);
    cosm_singleton_desc clock = {.name = "Clock", .size = 4, .doc = doc};
    cosm_singleton ticks = cosm_singleton_define(engine, &clock);
    doc[0] = 'X';
    CHECK_STR(cosm_component_describe(engine, told).doc, "What it is for.");
    CHECK_STR(cosm_singleton_describe(engine, ticks).doc, "What it is for.");
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Told'", "the same way");
    CHECK(cosm_component_describe(engine, COSM_TAG_DEFINE(engine, Silent)).doc == NULL);
    CHECK(cosm_component_describe(engine, (cosm_component){99}).doc == NULL);
    CHECK(cosm_component_describe(NULL, told).doc == NULL &&
          cosm_singleton_describe(NULL, ticks).doc == NULL);
    CHECK_DONE(cosm_engine_destroy(engine));
}
