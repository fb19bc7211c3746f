// Components and bundles: definition, look-up, members (cosm/component.h).
#include <string.h>

#include "harness.h"
#include "support/sandbox.h"

TEST(a_component_is_what_it_was_defined_as) {
    struct sandbox box;
    sandbox_open(&box, 1);
    CHECK_STR(cosm_component_name(box.engine, box.position), "Position");
    CHECK_INT(cosm_component_size(box.engine, box.position), sizeof(Position));
    CHECK_INT(cosm_component_alignment(box.engine, box.position), _Alignof(Position));
    CHECK(!cosm_component_is_bundle(box.engine, box.position));
    CHECK_INT(cosm_component_find(box.engine, "Position").id, box.position.id);
    sandbox_close(&box);
}

TEST(a_tag_has_no_bytes) {
    struct sandbox box;
    sandbox_open(&box, 1);
    CHECK_STR(cosm_component_name(box.engine, box.mark), "Mark");
    CHECK_INT(cosm_component_size(box.engine, box.mark), 0);
    CHECK_INT(cosm_component_alignment(box.engine, box.mark), 1);
    sandbox_close(&box);
}

TEST(an_unknown_component_is_nothing) {
    struct sandbox box;
    sandbox_open(&box, 1);
    const uint32_t ids[] = {0, 5, 999, 4097, 65536, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_component unknown = {ids[i]};
        CHECK_STR(cosm_component_name(box.engine, unknown), NULL);
        CHECK_INT(cosm_component_size(box.engine, unknown), 0);
        CHECK_INT(cosm_component_alignment(box.engine, unknown), 0);
        CHECK(!cosm_component_is_bundle(box.engine, unknown));
        CHECK_INT(cosm_component_members(box.engine, unknown, 0, NULL), 0);
    }
    CHECK_INT(cosm_component_find(box.engine, "nobody").id, 0);
    CHECK_INT(cosm_component_find(box.engine, "").id, 0);
    CHECK_INT(cosm_component_find(box.engine, NULL).id, 0);
    CHECK_SILENT();
    sandbox_close(&box);
}

TEST(asking_no_engine_about_a_component_gives_nothing) {
    cosm_component one = {1};
    CHECK_STR(cosm_component_name(NULL, one), NULL);
    CHECK_INT(cosm_component_size(NULL, one), 0);
    CHECK_INT(cosm_component_alignment(NULL, one), 0);
    CHECK(!cosm_component_is_bundle(NULL, one));
    CHECK_INT(cosm_component_members(NULL, one, 0, NULL), 0);
    CHECK_INT(cosm_component_find(NULL, "Position").id, 0);
}

TEST(the_same_definition_again_is_the_same_component) {
    struct sandbox box;
    sandbox_open(&box, 1);
    static const Health full = {100};
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Position).id, box.position.id);
    CHECK_INT(COSM_TAG_DEFINE(box.engine, Mark).id, box.mark.id);
    cosm_component_desc health = {.name = "Health", .size = 4, .default_value = &full};
    CHECK_INT(cosm_component_define(box.engine, &health).id, box.health.id);
    CHECK_INT(cosm_engine_component_count(box.engine), 4);
    sandbox_close(&box);
}

TEST(the_same_name_with_other_properties_is_a_conflict) {
    struct sandbox box;
    sandbox_open(&box, 1);
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
    CHECK_INT(cosm_engine_component_count(box.engine), 4);
    sandbox_close(&box);
}

TEST(a_default_of_zeroes_is_no_default) {
    struct sandbox box;
    sandbox_open(&box, 1);
    static const uint64_t zeroes = 0;
    cosm_component_desc desc = {.name = "zero", .size = 8, .default_value = &zeroes};
    cosm_component first = cosm_component_define(box.engine, &desc);
    CHECK(first.id != 0);
    desc.default_value = NULL;
    CHECK_INT(cosm_component_define(box.engine, &desc).id, first.id);
    sandbox_close(&box);
}

TEST(name_and_default_are_copied) {
    struct sandbox box;
    sandbox_open(&box, 1);
    char name[] = "scratch";
    uint32_t value = 77;
    cosm_component component = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = name, .size = 4, .default_value = &value});
    memset(name, 'x', sizeof(name) - 1);
    value = 1;
    CHECK_STR(cosm_component_name(box.engine, component), "scratch");
    cosm_entity entity = sandbox_spawn_mover(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, component));
    const uint32_t *read = COSM_READ(box.world, entity, uint32_t, component);
    REQUIRE(read != NULL);
    CHECK_INT(*read, 77);
    sandbox_close(&box);
}

TEST(alignment_zero_means_what_the_size_allows_up_to_16) {
    cosm_engine *engine = cosm_engine_create(NULL);
    const size_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 100};
    const size_t expected[] = {1, 1, 2, 1, 4, 2, 8, 4, 16, 8, 16, 16, 4};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char name[2] = {(char)('a' + i), '\0'};
        cosm_component component =
            cosm_component_define(engine, &(cosm_component_desc){.name = name, .size = sizes[i]});
        CHECK_INT(cosm_component_alignment(engine, component), expected[i]);
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
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.name is NULL", "give it");
    CHECK_INT(cosm_component_define(engine, &(cosm_component_desc){.name = ""}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.name is empty", "give it");
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
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_component member = {0};
    CHECK_INT(cosm_component_members(box.engine, box.health, 1, &member), 1);
    CHECK_INT(member.id, box.health.id);
    sandbox_close(&box);
}

TEST(a_bundle_stands_for_its_members_in_ascending_order_without_repeats) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "all",
                                        .components = {box.mark, box.position, box.mark},
                                        .more = &box.health,
                                        .more_count = 1});
    REQUIRE(bundle.id != 0);
    CHECK(cosm_component_is_bundle(box.engine, bundle));
    CHECK_STR(cosm_component_name(box.engine, bundle), "all");
    CHECK_INT(cosm_component_find(box.engine, "all").id, bundle.id);
    CHECK_INT(cosm_component_size(box.engine, bundle), 0);
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
    sandbox_close(&box);
}

TEST(bundles_nest) {
    struct sandbox box;
    sandbox_open(&box, 1);
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
    sandbox_close(&box);
}

TEST(the_same_bundle_again_is_the_same_id_and_another_one_a_conflict) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_bundle_desc desc = {.name = "pair", .components = {box.position, box.velocity}};
    cosm_component pair = cosm_bundle_define(box.engine, &desc);
    desc.components[0] = box.velocity;
    desc.components[1] = box.position;
    CHECK_INT(cosm_bundle_define(box.engine, &desc).id, pair.id);
    desc.components[0] = box.health;
    CHECK_INT(cosm_bundle_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_bundle_define:", "'pair'", "choose another name");
    sandbox_close(&box);
}

TEST(components_and_bundles_share_one_space_of_names) {
    struct sandbox box;
    sandbox_open(&box, 1);
    cosm_bundle_desc bundle = {.name = "Position", .components = {box.velocity}};
    CHECK_INT(cosm_bundle_define(box.engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_bundle_define:", "'Position'", "choose another name");
    bundle.name = "motion";
    CHECK(cosm_bundle_define(box.engine, &bundle).id != 0);
    CHECK_INT(cosm_component_define(box.engine, &(cosm_component_desc){.name = "motion"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'motion'", "choose another name");
    sandbox_close(&box);
}

TEST(a_bundle_of_nothing_or_of_unknown_members_is_refused) {
    struct sandbox box;
    sandbox_open(&box, 1);
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
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_bundle_define:", "desc.name is NULL", "give it");
    CHECK_INT(cosm_component_find(box.engine, "unknown").id, 0);
    sandbox_close(&box);
}
