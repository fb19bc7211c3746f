// Behaviours to accept by: volume. Counts and bytes, never times.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

TEST(a_hundred_thousand_spawns_give_a_hundred_thousand_entities) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        wrong += cosm_entity_spawn(box.world, box.mover).id != i;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(cosm_world_entity_count(box.world), 100000);
    fixture_close(&box);
}

TEST(fifty_thousand_random_reads_and_writes_find_what_they_should) {
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 10000 };
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, COUNT, &rows));
    cosm_entity *entities = malloc(COUNT * sizeof(*entities));
    float *values = calloc(COUNT, sizeof(*values));
    REQUIRE(entities != NULL && values != NULL);
    memcpy(entities, rows.entities, COUNT * sizeof(*entities));
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; i++) {
        uint32_t which = dice_roll(&dice, COUNT);
        Position *position = COSM_WRITE(box.world, entities[which], Position);
        wrong += position == NULL || position->y != values[which];
        values[which] = (float)dice_roll(&dice, 1000);
        position->y = values[which];
    }
    CHECK_INT(wrong, 0);
    free(entities);
    free(values);
    fixture_close(&box);
}

TEST(all_chunks_are_used_again_after_despawning) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    cosm_table_info full = cosm_table_describe(box.world, box.mover);
    size_t used = cosm_batch_memory(box.batch).used;
    CHECK_DONE(cosm_query_despawn(query, box.all));
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 0);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, full.chunk_count);
    CHECK_INT(cosm_table_describe(box.world, box.mover).capacity, full.capacity);
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Four components of 40 bytes in all.
static cosm_archetype define_four(struct fixture *box) {
    cosm_component extra =
        cosm_component_define(box->engine, &(cosm_component_desc){.name = "extra", .size = 12});
    return cosm_archetype_define(
        box->engine,
        &(cosm_archetype_desc){.components = {box->position, box->velocity, box->health, extra}});
}

TEST(a_million_entities_with_four_components_are_counted_and_found) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype four = define_four(&box);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, four, 1000000, &rows));
    Position *position = COSM_WRITE(&rows, Position);
    REQUIRE(position != NULL);
    for (uint32_t i = 0; i < 1000000; i++) {
        position[i].x = (float)i;
    }
    CHECK_INT(cosm_world_entity_count(box.world), 1000000);
    CHECK_INT(cosm_batch_memory(box.batch).live, (size_t)40 * 1000000);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 1000000; i += 97) {
        const Position *own = cosm_entity_read(box.world, (cosm_entity){1, i}, box.position);
        wrong += own != &position[i] || own->x != (float)i;
    }
    CHECK_INT(wrong, 0);
    fixture_close(&box);
}

TEST(an_entity_costs_at_most_22_bytes_beyond_its_components_in_a_large_world) {
    const uint32_t count = 1000000;
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        cosm_archetype four = define_four(&box);
        size_t before = cosm_batch_memory(box.batch).used;
        cosm_rows rows;
        if (one_by_one == 0) {
            CHECK_DONE(cosm_entity_spawn_many(box.world, four, count, &rows));
        } else {
            for (uint32_t i = 0; i < count; i++) {
                (void)cosm_entity_spawn(box.world, four);
            }
            // Growth runs ahead of need; a trim takes that back.
            CHECK_DONE(cosm_batch_trim(box.batch));
        }
        cosm_memory memory = cosm_batch_memory(box.batch);
        CHECK_INT(memory.live, (size_t)40 * count);
        CHECK(memory.used - before - memory.live <= (size_t)22 * count);
        fixture_close(&box);
    }
}

TEST(ten_thousand_entities_move_through_four_archetypes_and_keep_their_values) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 10000 };
    cosm_entity *entities = malloc(COUNT * sizeof(*entities));
    REQUIRE(entities != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_DONE(cosm_entity_add(box.world, entities[i], box.health));
    }
    for (uint32_t i = COUNT; i-- > 0;) {
        CHECK_DONE(cosm_entity_add(box.world, entities[i], box.mark));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_DONE(cosm_entity_remove(box.world, entities[i], box.velocity));
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const Position *position = COSM_READ(box.world, entities[i], Position);
        wrong += position == NULL || position->x != (float)i;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(cosm_table_row_count(box.world, box.mover), 0);
    free(entities);
    fixture_close(&box);
}

TEST(a_walk_of_a_hundred_thousand_sees_each_once_and_chunk_borders_are_invisible) {
    struct fixture box;
    fixture_open(&box, 0, 10);
    for (uint32_t w = 0; w < 10; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 10000, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            COSM_WRITE(&rows, Velocity)[i].x = (float)(w * 10000 + i);
        }
    }
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    CHECK_INT(cosm_query_count(query, box.all), 100000);
    uint8_t *seen = calloc(100000, 1);
    REQUIRE(seen != NULL);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        const Velocity *velocity = COSM_COLUMN_READ(&rows, Velocity, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            seen[(uint32_t)velocity[i].x]++;
        }
    }
    uint32_t once = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        once += seen[i] == 1;
    }
    CHECK_INT(once, 100000);
    free(seen);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_hundred_rounds_of_a_thousand_spawns_and_despawns_leave_memory_flat) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    size_t inside = 0;
    for (int round = 0; round < 100; round++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1000, &rows));
        CHECK_DONE(cosm_table_clear(box.world, box.mover));
        inside = round == 0 ? ledger.block_bytes : inside;
        CHECK_INT(ledger.block_bytes, inside);
    }
    size_t outside = 0;
    for (int round = 0; round < 100; round++) {
        cosm_batch *batch = cosm_batch_create(box.engine, NULL);
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, 0), box.mover, 1000, &rows));
        CHECK_DONE(cosm_batch_destroy(batch));
        outside = round == 0 ? ledger.block_bytes : outside;
        CHECK_INT(ledger.block_bytes, outside);
    }
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(random_despawns_and_spawns_leave_no_hole_in_a_table) {
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 5000 };
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, COUNT, &rows));
    uint32_t capacity = cosm_table_describe(box.world, box.mover).capacity;
    for (int cycle = 0; cycle < 10; cycle++) {
        uint32_t removed = 0;
        for (uint32_t i = 0; i < COUNT / 2; i++) {
            uint32_t row = dice_roll(&dice, COUNT - removed);
            cosm_entity entity = cosm_entity_at(box.world, (cosm_loc){box.mover.id, row});
            CHECK_DONE(cosm_entity_despawn(box.world, entity));
            removed++;
        }
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, removed, &rows));
        uint32_t holes = 0;
        for (uint32_t row = 0; row < COUNT; row++) {
            cosm_entity entity = cosm_entity_at(box.world, (cosm_loc){box.mover.id, row});
            holes += cosm_entity_loc(box.world, entity).row != row;
        }
        CHECK_INT(holes, 0);
        CHECK_INT(cosm_table_row_count(box.world, box.mover), COUNT);
        CHECK_INT(cosm_table_describe(box.world, box.mover).capacity, capacity);
        CHECK_VALID(box.batch);
    }
    fixture_close(&box);
}
