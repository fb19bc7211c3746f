// Archetypes: definition, look-up, columns, and the perfect hash behind them (cosm/archetype.h).
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "schema/column_map.h"
#include "support/fixture.h"

TEST(ids_that_are_no_components_are_in_no_archetype) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static const uint32_t strange[] = {0,      4097,    0x7FFF,     0xFFFD,     0xFFFE,
                                       0xFFFF, 0x10001, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF};
    cosm_archetype empty = cosm_archetype_define(box.engine, &(cosm_archetype_desc){.name = "no"});
    cosm_entity entity = cosm_entity_spawn(box.world, box.mover);
    for (uint32_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        cosm_component component = {strange[i]};
        CHECK(!cosm_archetype_has(box.engine, box.mover, component));
        CHECK(!cosm_archetype_has(box.engine, empty, component));
        CHECK(!cosm_entity_has(box.world, entity, component));
        CHECK(cosm_entity_read(box.world, entity, component) == NULL);
        uint32_t zero = 0;
        cosm_value value = {component, &zero};
        CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.mover, &value, 1)));
    }
    fixture_close(&box);
}

TEST(an_archetype_is_what_it_was_defined_as) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_STR(cosm_archetype_describe(box.engine, box.slot).name, "slot");
    CHECK_INT(cosm_archetype_find(box.engine, "slot").id, box.slot.id);
    CHECK_INT(cosm_archetype_describe(box.engine, box.slot).placement, COSM_PLACEMENT_FIXED);
    CHECK_INT(cosm_archetype_describe(box.engine, box.slot).max_per_world, 4);
    CHECK(!cosm_archetype_describe(box.engine, box.slot).is_sealed);
    CHECK(!cosm_archetype_describe(box.engine, box.slot).is_temporary);
    CHECK_INT(cosm_archetype_describe(box.engine, box.mover).placement, COSM_PLACEMENT_GROWING);
    CHECK_INT(cosm_archetype_describe(box.engine, box.mover).max_per_world, 0);
    CHECK(cosm_archetype_describe(box.engine, box.event).is_temporary);
    CHECK(cosm_archetype_describe(box.engine, box.stone).is_sealed);
    fixture_close(&box);
}

TEST(an_archetype_lists_its_components_in_ascending_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype_desc desc = {.components = {box.mark, box.health, box.position, box.health}};
    cosm_archetype archetype = cosm_archetype_define(box.engine, &desc);
    cosm_component list[5] = {{0}, {0}, {0}, {0}, {0}};
    CHECK_INT(cosm_archetype_components(box.engine, archetype, 5, list), 3);
    CHECK_INT(list[0].id, box.position.id);
    CHECK_INT(list[1].id, box.health.id);
    CHECK_INT(list[2].id, box.mark.id);
    CHECK_INT(list[3].id, 0);
    cosm_component first[2] = {{0}, {0}};
    CHECK_INT(cosm_archetype_components(box.engine, archetype, 1, first), 3);
    CHECK_INT(first[1].id, 0);
    CHECK_INT(cosm_archetype_components(box.engine, archetype, 5, NULL), 3);
    CHECK_STR(cosm_archetype_describe(box.engine, archetype).name, "");
    fixture_close(&box);
}

TEST(the_order_and_the_form_of_the_list_do_not_matter) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "body", .components = {box.velocity, box.position}});
    cosm_archetype_desc by_bundle = {.name = "mover", .components = {bundle}};
    CHECK_INT(cosm_archetype_define(box.engine, &by_bundle).id, box.mover.id);
    const cosm_component more[] = {box.velocity, box.position};
    cosm_archetype_desc by_pointer = {.name = "mover", .more = more, .more_count = 2};
    CHECK_INT(cosm_archetype_define(box.engine, &by_pointer).id, box.mover.id);
    cosm_archetype_desc by_both = {
        .name = "mover", .components = {box.position}, .more = more, .more_count = 1};
    CHECK_INT(cosm_archetype_define(box.engine, &by_both).id, box.mover.id);
    CHECK_INT(cosm_archetype_of(box.engine, more, 2).id, box.mover.id);
    CHECK_INT(cosm_archetype_of(box.engine, &bundle, 1).id, box.mover.id);
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, 4);
    fixture_close(&box);
}

TEST(a_zeroed_desc_is_the_empty_growing_archetype) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_archetype_of(box.engine, NULL, 0).id, 0);
    cosm_archetype empty = cosm_archetype_define(box.engine, &(cosm_archetype_desc){.name = NULL});
    CHECK(empty.id != 0);
    CHECK_INT(cosm_archetype_components(box.engine, empty, 0, NULL), 0);
    CHECK_INT(cosm_archetype_of(box.engine, NULL, 0).id, empty.id);
    fixture_close(&box);
}

TEST(the_same_set_with_other_properties_is_a_conflict) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype_desc mover = {.name = "mover", .components = {box.position, box.velocity}};
    cosm_archetype_desc descs[4] = {mover, mover, mover, mover};
    descs[0].sealed = true;
    descs[1].name = "other";
    descs[2].placement = COSM_PLACEMENT_FIXED;
    descs[2].max_per_world = 3;
    descs[3].name = NULL;
    for (int i = 0; i < 4; i++) {
        CHECK_INT(cosm_archetype_define(box.engine, &descs[i]).id, 0);
        CHECK_CONTAINS(cosm_error_message(), "'mover'");
        CHECK_FAILURE(COSM_ERROR_CONFLICT,
                      "cosm_archetype_define:", "cosm_archetype_define already made archetype 1",
                      "define both the same way");
    }
    CHECK_INT(cosm_archetype_define(box.engine, &mover).id, box.mover.id);
    fixture_close(&box);
}

TEST(a_name_stands_for_one_set_only) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype_desc desc = {.name = "mover", .components = {box.velocity}};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_archetype_define:", "'mover'", "another name");
    fixture_close(&box);
}

TEST(a_set_that_an_entity_took_first_cannot_be_defined_otherwise) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    const cosm_component set[] = {box.position, box.velocity, box.health};
    cosm_archetype formed = cosm_archetype_of(box.engine, set, 3);
    CHECK(formed.id != 0);
    CHECK_STR(cosm_archetype_describe(box.engine, formed).name, "");
    cosm_archetype_desc desc = {.components = {set[0], set[1], set[2]}};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, formed.id);
    desc.sealed = true;
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_archetype_define:", "cosm_entity_add already made",
                  "define yours first");
    fixture_close(&box);
}

TEST(a_temporary_archetype_does_not_collide_with_a_lasting_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype lasting =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.health}});
    CHECK(lasting.id != 0);
    CHECK(lasting.id != box.event.id);
    CHECK_INT(cosm_archetype_of(box.engine, &box.health, 1).id, lasting.id);
    cosm_archetype_desc event = {.name = "event", .components = {box.health}, .temporary = true};
    CHECK_INT(cosm_archetype_define(box.engine, &event).id, box.event.id);
    fixture_close(&box);
}

TEST(a_desc_that_makes_no_sense_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_engine *engine = box.engine;
    CHECK_INT(cosm_archetype_define(NULL, &(cosm_archetype_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "engine is NULL",
                  "cosm_engine_create");
    CHECK_INT(cosm_archetype_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc is NULL", "describe");
    CHECK_INT(cosm_archetype_define(engine, &(cosm_archetype_desc){.more_count = 1}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc.more is NULL",
                  "desc.more_count");
    cosm_archetype_desc unknown = {.components = {box.position, {77}}};
    CHECK_INT(cosm_archetype_define(engine, &unknown).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "component 77",
                  "cosm_component_define");
    cosm_archetype_desc place = {.components = {box.health}, .placement = (cosm_placement)2};
    CHECK_INT(cosm_archetype_define(engine, &place).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc.placement 2",
                  "COSM_PLACEMENT_FIXED");
    cosm_archetype_desc none = {.components = {box.health}, .placement = COSM_PLACEMENT_FIXED};
    CHECK_INT(cosm_archetype_define(engine, &none).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc.max_per_world is 0",
                  "use 1 to");
    cosm_archetype_desc extra = {.components = {box.health}, .max_per_world = 9};
    CHECK_INT(cosm_archetype_define(engine, &extra).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "desc.max_per_world is 9",
                  "use COSM_PLACEMENT_FIXED");
    CHECK_INT(cosm_engine_describe(engine).archetype_count, 4);
    fixture_close(&box);
}

TEST(an_unknown_archetype_is_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const uint32_t ids[] = {0, 5, 999, 65535, 65536, 0x80000001, 0xFFFFFFFF};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_archetype unknown = {ids[i]};
        CHECK_STR(cosm_archetype_describe(box.engine, unknown).name, NULL);
        CHECK_INT(cosm_archetype_describe(box.engine, unknown).placement, COSM_PLACEMENT_GROWING);
        CHECK_INT(cosm_archetype_describe(box.engine, unknown).max_per_world, 0);
        CHECK(!cosm_archetype_describe(box.engine, unknown).is_sealed);
        CHECK(!cosm_archetype_describe(box.engine, unknown).is_temporary);
        CHECK(!cosm_archetype_has(box.engine, unknown, box.position));
        CHECK_INT(cosm_archetype_components(box.engine, unknown, 0, NULL), 0);
        CHECK_INT(cosm_archetype_column(box.engine, unknown, box.position).index, 0);
        CHECK_INT(cosm_archetype_describe(box.engine, unknown).chunk_rows, 0);
    }
    CHECK_STR(cosm_archetype_describe(NULL, box.mover).name, NULL);
    CHECK_INT(cosm_archetype_find(box.engine, "nobody").id, 0);
    CHECK_INT(cosm_archetype_find(box.engine, "").id, 0);
    CHECK_INT(cosm_archetype_find(box.engine, NULL).id, 0);
    CHECK_INT(cosm_archetype_find(NULL, "mover").id, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(asking_for_the_archetype_of_an_impossible_list_is_reported) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_archetype_of(NULL, &box.health, 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_of:", "engine is NULL", "pass both");
    CHECK_INT(cosm_archetype_of(box.engine, NULL, 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_of:", "components is NULL", "pass both");
    CHECK_INT(cosm_archetype_of(box.engine, &(cosm_component){50}, 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_of:", "component 50",
                  "cosm_component_define");
    cosm_error_clear();
    CHECK_INT(cosm_archetype_of(box.engine, &box.velocity, 1).id, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(has_means_all_members_of_a_bundle) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component body = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "body", .components = {box.velocity, box.position}});
    CHECK(cosm_archetype_has(box.engine, box.mover, box.position));
    CHECK(!cosm_archetype_has(box.engine, box.mover, box.health));
    CHECK(cosm_archetype_has(box.engine, box.stone, box.mark));
    CHECK(cosm_archetype_has(box.engine, box.mover, body));
    CHECK(!cosm_archetype_has(box.engine, box.slot, body));
    const uint32_t unknown[] = {0, 999, 4097, 0x80000002, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        CHECK(!cosm_archetype_has(box.engine, box.mover, (cosm_component){unknown[i]}));
    }
    fixture_close(&box);
}

TEST(a_column_is_found_where_the_component_has_bytes) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_column position = cosm_archetype_column(box.engine, box.mover, box.position);
    cosm_column velocity = cosm_archetype_column(box.engine, box.mover, box.velocity);
    CHECK_INT(position.archetype, box.mover.id);
    CHECK_INT(position.index, 1);
    CHECK_INT(velocity.index, 2);
    CHECK_INT(cosm_archetype_column(box.engine, box.mover, box.health).index, 0);
    CHECK_INT(cosm_archetype_column(box.engine, box.stone, box.mark).index, 0);
    CHECK_INT(cosm_archetype_column(box.engine, box.mover, (cosm_component){0}).index, 0);
    fixture_close(&box);
}

TEST(a_chunk_holds_a_power_of_two_of_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component large = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "large", .size = (size_t)1 << 20});
    cosm_archetype heavy =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {large}});
    const cosm_archetype list[] = {box.mover, box.slot, box.event, box.stone, heavy};
    for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
        uint32_t rows = cosm_archetype_describe(box.engine, list[i]).chunk_rows;
        CHECK(rows > 0);
        CHECK_INT(rows & (rows - 1), 0);
    }
    CHECK_INT(cosm_archetype_describe(box.engine, heavy).chunk_rows, 1);
    fixture_close(&box);
}

// Draws `count` distinct ids of 1 to 4096 and marks them in `drawn`.
static void draw_ids(struct dice *dice, struct column_slot *slots, uint32_t count, uint8_t *drawn) {
    memset(drawn, 0, COSM_COMPONENT_MAX + 1);
    // Now and then ids that stand close together, as those of one program do.
    uint32_t span = dice_roll(dice, 2) == 0 ? COSM_COMPONENT_MAX : count + dice_roll(dice, 64);
    span = span < count ? count : span > COSM_COMPONENT_MAX ? COSM_COMPONENT_MAX : span;
    for (uint32_t i = 0; i < count;) {
        uint32_t id = 1 + dice_roll(dice, span);
        if (drawn[id] == 0) {
            drawn[id] = 1;
            slots[i] = (struct column_slot){(uint16_t)id, (uint16_t)(i + 1), id * 3};
            i++;
        }
    }
}

TEST(the_column_map_finds_every_id_of_its_set_and_no_other) {
    struct dice dice = {harness_seed()};
    static struct column_slot slots[COSM_ARCHETYPE_COMPONENT_MAX];
    static uint8_t drawn[COSM_COMPONENT_MAX + 1];
    struct memory memory;
    REQUIRE(cosmi_memory_init(&memory, &(cosm_allocator){.context = NULL}, 0));
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = round < 20 ? round : dice_roll(&dice, COSM_ARCHETYPE_COMPONENT_MAX + 1);
        count = round == 20 ? COSM_ARCHETYPE_COMPONENT_MAX : count;
        draw_ids(&dice, slots, count, drawn);
        struct arena arena;
        struct column_map map;
        cosmi_arena_init(&arena, &memory);
        REQUIRE(cosmi_column_map_make(&map, &arena, slots, count));
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct column_slot *found = column_map_find(&map, slots[i].component);
            wrong += found == NULL || memcmp(found, &slots[i], sizeof(*found)) != 0;
        }
        for (uint32_t id = 0; id <= COSM_COMPONENT_MAX; id++) {
            wrong += drawn[id] == 0 && column_map_find(&map, id) != NULL;
        }
        wrong +=
            column_map_find(&map, 0x10001) != NULL || column_map_find(&map, 0xFFFFFFFF) != NULL;
        CHECK_INT(wrong, 0);
        cosmi_arena_free(&arena);
    }
    CHECK_INT(atomic_load(&memory.used), 0);
}
