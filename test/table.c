// Tables: rows, capacity, columns, clearing, sorting (cosm/archetype.h).
#include <stddef.h>
#include <stdlib.h>

#include "harness.h"
#include "support/fixture.h"

typedef struct Item {
    uint32_t order;
    uint32_t key;
    uint64_t load;
} Item;

TEST(a_table_that_was_never_used_is_empty) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_error_clear();
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 0);
    CHECK_INT(cosm_table_describe(box.world, box.mover).row_count, 0);
    CHECK_INT(cosm_table_describe(box.world, box.mover).capacity, 0);
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 0);
    CHECK(cosm_table_column(box.world, box.mover, box.position) == NULL);
    CHECK(cosm_table_entities(box.world, box.mover) == NULL);
    CHECK_INT(cosm_table_memory(box.world, box.mover).used, 0);
    CHECK_INT(cosm_table_column_memory(box.world, box.mover, box.position).used, 0);
    CHECK_SILENT();
    CHECK_DONE(cosm_table_clear(box.world, box.mover));
    CHECK_DONE(cosm_table_sort_u32(box.world, box.mover, box.position, 0));
    fixture_close(&box);
}

TEST(a_table_that_does_not_exist_is_empty_too) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    const uint32_t ids[] = {0, 5, 999, 65535, 65536, 0xFFFFFFFF};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_archetype unknown = {ids[i]};
        CHECK_INT(cosm_table_row_count(box.world, unknown), 0);
        CHECK_INT(cosm_table_describe(box.world, unknown).row_count, 0);
        CHECK_INT(cosm_table_describe(box.world, unknown).capacity, 0);
        CHECK_INT(cosm_table_describe(box.world, unknown).chunk_count, 0);
        CHECK(cosm_table_entities(box.world, unknown) == NULL);
        CHECK(cosm_table_column(box.world, unknown, box.position) == NULL);
        CHECK_INT(cosm_table_memory(box.world, unknown).live, 0);
    }
    cosm_world nowhere = {box.batch, 1};
    CHECK_INT(cosm_table_row_count(nowhere, box.mover), 0);
    CHECK(cosm_table_column(nowhere, box.mover, box.position) == NULL);
    CHECK_INT(cosm_table_row_count((cosm_world){NULL, 0}, box.mover), 0);
    CHECK_INT(cosm_table_describe(nowhere, box.mover).capacity, 0);
    CHECK_INT(cosm_table_describe((cosm_world){NULL, 0}, box.mover).capacity, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(rows_lie_side_by_side_in_the_order_of_spawning) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[3];
    for (int i = 0; i < 3; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 3);
    CHECK(cosm_table_describe(box.world, box.mover).capacity >= 3);
    const Position *position = cosm_table_column(box.world, box.mover, box.position);
    REQUIRE(position != NULL);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(position[i].x, (double)i, 0);
        CHECK(cosm_entity_equals(cosm_table_entities(box.world, box.mover)[i], entities[i]));
    }
    CHECK(cosm_table_column(box.world, box.mover, box.health) == NULL);
    CHECK(cosm_table_column(box.world, box.mover, (cosm_component){0}) == NULL);
    fixture_close(&box);
}

TEST(a_tag_has_no_column_and_a_temporary_table_no_entities) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.stone, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 2, &rows));
    CHECK(rows.entities == NULL);
    CHECK(cosm_table_column(box.world, box.stone, box.mark) == NULL);
    CHECK(cosm_table_entities(box.world, box.event) == NULL);
    CHECK(cosm_table_column(box.world, box.event, box.health) != NULL);
    CHECK_INT(cosm_table_column_memory(box.world, box.stone, box.mark).used, 0);
    fixture_close(&box);
}

TEST(a_despawn_moves_the_last_row_into_the_hole) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[4];
    for (int i = 0; i < 4; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[1]));
    const Position *position = cosm_table_column(box.world, box.mover, box.position);
    CHECK_NEAR(position[1].x, 3, 0);
    CHECK_INT(cosm_entity_loc(box.world, entities[3]).row, 1);
    CHECK_INT(cosm_entity_loc(box.world, entities[2]).row, 2);
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 3);
    fixture_close(&box);
}

TEST(the_capacity_of_a_fixed_table_is_its_maximum) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity entity = cosm_entity_spawn(box.world, box.slot);
    CHECK(!cosm_entity_is_none(entity));
    CHECK_INT(cosm_table_describe(box.world, box.slot).capacity, 4);
    CHECK_INT(cosm_table_describe(fixture_world(&box, 1), box.slot).capacity, 4);
    CHECK_INT(cosm_table_row_count(fixture_world(&box, 1), box.slot), 0);
    fixture_close(&box);
}

TEST(the_worlds_of_a_fixed_table_lie_at_multiples_of_its_maximum) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 1, &rows));
    }
    const Position *first = cosm_table_column(box.world, box.slot, box.position);
    for (uint32_t w = 1; w < 3; w++) {
        const Position *base = cosm_table_column(fixture_world(&box, w), box.slot, box.position);
        CHECK(base == first + w * 4);
    }
    fixture_close(&box);
}

TEST(a_promoted_table_never_moves_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 20000, &rows));
    const void *position = cosm_table_column(box.world, box.mover, box.position);
    const void *entities = cosm_table_entities(box.world, box.mover);
    for (int i = 0; i < 20; i++) {
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 20000, &rows));
        CHECK(cosm_table_column(box.world, box.mover, box.position) == position);
        CHECK(cosm_table_entities(box.world, box.mover) == entities);
    }
    fixture_close(&box);
}

TEST(chunks_count_whole_and_begun_ones) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t chunk_rows = cosm_archetype_describe(box.engine, box.mover).chunk_rows;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, chunk_rows, &rows));
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 1);
    fixture_spawn(&box, 0);
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 2);
    fixture_close(&box);
}

TEST(the_figures_of_a_table_cover_those_of_its_columns) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    const uint32_t counts[] = {10, 30000};
    for (int i = 0; i < 2; i++) {
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, counts[i], &rows));
        uint32_t count = cosm_table_row_count(box.world, box.mover);
        cosm_memory table = cosm_table_memory(box.world, box.mover);
        cosm_memory position = cosm_table_column_memory(box.world, box.mover, box.position);
        cosm_memory velocity = cosm_table_column_memory(box.world, box.mover, box.velocity);
        CHECK_INT(table.live, count * 24);
        CHECK_INT(position.live, count * 12);
        CHECK(position.used >= position.live);
        CHECK(table.used >= position.used + velocity.used + count * sizeof(cosm_entity));
        CHECK(table.used <= cosm_world_memory(box.world).used);
    }
    fixture_close(&box);
}

TEST(clearing_a_table_despawns_its_rows_and_only_those) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5, &rows));
    cosm_entity entities[5];
    for (int i = 0; i < 5; i++) {
        entities[i] = rows.entities[i];
    }
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 2, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.mover, 3, &rows));
    CHECK_DONE(cosm_table_clear(box.world, box.mover));
    CHECK_INT(cosm_world_entity_count(box.world), 2);
    CHECK_INT(cosm_world_entity_count(fixture_world(&box, 1)), 3);
    for (int i = 0; i < 5; i++) {
        CHECK(!cosm_entity_is_alive(box.world, entities[i]));
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5, &rows));
    for (int i = 0; i < 5; i++) {
        CHECK_INT(rows.entities[i].id, entities[i].id);
        CHECK(rows.entities[i].gen != entities[i].gen);
    }
    fixture_close(&box);
}

TEST(clearing_empties_a_temporary_table_on_demand) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 9, &rows));
    CHECK_DONE(cosm_table_clear(box.world, box.event));
    CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 1, &rows));
    CHECK_INT(COSM_WRITE(&rows, Health)->points, 100);
    fixture_close(&box);
}

// Fills a table of items with keys from the dice and returns their entities.
static cosm_entity *spawn_items(const struct fixture *box, cosm_archetype archetype,
                                cosm_component item, uint32_t count, struct dice *dice,
                                uint32_t keys) {
    cosm_entity *entities = calloc(count, sizeof(*entities));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, archetype, count, &rows));
    Item *items = cosm_rows_column(&rows, item);
    for (uint32_t i = 0; items != NULL && entities != NULL && i < count; i++) {
        items[i] = (Item){i, dice_roll(dice, keys), (uint64_t)i * 7};
        entities[i] = rows.entities[i];
    }
    return entities;
}

// Ascending, stable, and every entity with what it had before.
static void check_sorted(const struct fixture *box, cosm_archetype archetype, cosm_component item,
                         const cosm_entity *entities, uint32_t count) {
    const Item *items = cosm_table_column(box->world, archetype, item);
    uint32_t wrong = 0;
    for (uint32_t i = 1; i < count; i++) {
        bool after = items[i - 1].key < items[i].key ||
                     (items[i - 1].key == items[i].key && items[i - 1].order < items[i].order);
        wrong += !after;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Item *own = COSM_READ(box->world, entities[i], Item);
        wrong += own == NULL || own->order != i || own->load != (uint64_t)i * 7;
    }
    CHECK_INT(wrong, 0);
    CHECK_VALID(box->batch);
}

static uint64_t key_of_item(void *context, cosm_entity entity, const void *value) {
    uint32_t *calls = context;
    (*calls)++;
    CHECK(!cosm_entity_is_none(entity));
    const Item *item = value;
    return (uint64_t)item->key << 33;
}

TEST(sorting_is_stable_and_every_entity_is_still_found) {
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component item = COSM_COMPONENT_DEFINE(box.engine, Item);
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {item, box.velocity, box.mark}});
    const uint32_t counts[] = {0, 1, 2, 3, 100, 5000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        for (uint32_t keys = 1; keys <= 100000000; keys *= 100) {
            cosm_entity *entities = spawn_items(&box, archetype, item, counts[i], &dice, keys);
            uint32_t calls = 0;
            if (keys % 3 == 1) {
                CHECK_DONE(cosm_table_sort_u32(box.world, archetype, item, offsetof(Item, key)));
            } else {
                CHECK_DONE(cosm_table_sort(box.world, archetype, item, key_of_item, &calls));
            }
            check_sorted(&box, archetype, item, entities, counts[i]);
            free(entities);
            CHECK_DONE(cosm_world_reset(box.world));
        }
    }
    uint32_t calls = 0;
    free(spawn_items(&box, archetype, item, 50, &dice, 9));
    CHECK_DONE(cosm_table_sort(box.world, archetype, item, key_of_item, &calls));
    CHECK_INT(calls, 50);
    fixture_close(&box);
}

static uint64_t key_by_id(void *context, cosm_entity entity, const void *value) {
    (void)context;
    CHECK(value == NULL);
    return 1000 - entity.id;
}

TEST(a_sort_without_a_component_sorts_by_entity) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_world world = fixture_world(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(world, box.slot, 4, &rows));
    CHECK_DONE(cosm_table_sort(world, box.slot, (cosm_component){0}, key_by_id, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(cosm_table_entities(world, box.slot)[i].id, 3 - i);
    }
    fixture_close(&box);
}

static uint64_t key_of_event(void *context, cosm_entity entity, const void *value) {
    (void)context;
    CHECK(cosm_entity_is_none(entity));
    return ((const Health *)value)->points;
}

TEST(temporary_rows_can_be_sorted) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 3, &rows));
    Health *health = COSM_WRITE(&rows, Health);
    health[0].points = 9;
    health[1].points = 3;
    health[2].points = 6;
    CHECK_DONE(cosm_table_sort(box.world, box.event, box.health, key_of_event, NULL));
    health = cosm_table_column(box.world, box.event, box.health);
    CHECK(health[0].points == 3 && health[1].points == 6 && health[2].points == 9);
    fixture_close(&box);
}

TEST(a_sort_that_makes_no_sense_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    cosm_world world = box.world;
    CHECK_FAILS(cosm_table_sort(world, box.mover, box.position, NULL, NULL), COSM_ERROR_ARGUMENT,
                "cosm_table_sort:", "key is NULL", "pass a key function");
    CHECK_FAILS(cosm_table_sort(world, box.mover, box.health, key_by_id, NULL), COSM_ERROR_ARGUMENT,
                "cosm_table_sort:", "'Health'", "sort by one that it has");
    CHECK_FAILS(cosm_table_sort(world, box.stone, box.mark, key_by_id, NULL), COSM_ERROR_ARGUMENT,
                "cosm_table_sort:", "'Mark'", "sort by one that it has");
    CHECK_FAILS(cosm_table_sort(world, box.mover, (cosm_component){70}, key_by_id, NULL),
                COSM_ERROR_ARGUMENT, "cosm_table_sort:", "component 70", "cosm_component_define");
    CHECK_FAILS(cosm_table_sort_u32(world, box.mover, (cosm_component){0}, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32:", "component 0", "cosm_component_define");
    CHECK_FAILS(cosm_table_sort_u32(world, box.mover, box.position, 9), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32:", "offset 9", "offsetof");
    CHECK_FAILS(cosm_table_sort_u32(world, box.mover, box.position, SIZE_MAX), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32:", "12 bytes", "offsetof");
    CHECK_DONE(cosm_table_sort_u32(world, box.mover, box.position, 8));
    CHECK_FAILS(cosm_table_sort_u32(world, (cosm_archetype){44}, box.position, 0),
                COSM_ERROR_ARGUMENT, "cosm_table_sort_u32:", "archetype 44",
                "cosm_archetype_define");
    CHECK_FAILS(cosm_table_clear(world, (cosm_archetype){44}), COSM_ERROR_ARGUMENT,
                "cosm_table_clear:", "archetype 44", "cosm_archetype_define");
    CHECK_FAILS(cosm_table_clear((cosm_world){box.batch, 6}, box.mover), COSM_ERROR_ARGUMENT,
                "cosm_table_clear:", "world.index 6", "has 1 worlds");
    fixture_close(&box);
}

TEST(a_table_that_is_walked_is_neither_sorted_nor_cleared) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK_FAILS(cosm_table_sort(box.world, box.mover, box.position, key_by_id, NULL),
                COSM_ERROR_WALKED, "cosm_table_sort:", "world 0", "cosm_rows_end");
    CHECK_FAILS(cosm_table_clear(box.world, box.mover), COSM_ERROR_WALKED,
                "cosm_table_clear:", "world 0", "cosm_rows_end");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_fixed_table_sorts_one_world_and_leaves_its_neighbours) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
        for (uint32_t i = 0; i < 4; i++) {
            COSM_WRITE(&rows, Health)[i].points = 40 - i;
        }
    }
    uint64_t first = cosm_hash_world(box.world, COSM_HASH_EXACT);
    uint64_t last = cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT);
    CHECK_DONE(cosm_table_sort_u32(fixture_world(&box, 1), box.slot, box.health, 0));
    const Health *health = cosm_table_column(fixture_world(&box, 1), box.slot, box.health);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(health[i].points, 37 + i);
    }
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), first);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT), last);
    fixture_close(&box);
}

// A key function that tries to change the world it is asked about.
struct meddler {
    cosm_world world;
    cosm_entity victim;
    cosm_archetype archetype;
};

static uint64_t key_of_meddler(void *context, cosm_entity entity, const void *value) {
    const struct meddler *meddler = context;
    (void)value;
    CHECK_INT(cosm_entity_despawn(meddler->world, meddler->victim), COSM_ERROR_WALKED);
    CHECK(cosm_entity_is_none(cosm_entity_spawn(meddler->world, meddler->archetype)));
    return 100 - entity.id;
}

TEST(a_key_function_cannot_change_the_world_that_is_sorted) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[10];
    for (int i = 0; i < 10; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    struct meddler meddler = {box.world, entities[2], box.mover};
    CHECK_DONE(
        cosm_table_sort(box.world, box.mover, (cosm_component){0}, key_of_meddler, &meddler));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_world_entity_count(box.world), 10);
    CHECK(!cosm_world_is_walked(box.world));
    fixture_close(&box);
}
