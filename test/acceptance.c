// Behaviours to accept by: memory, edges, integrity, and what users of such systems learned the
// hard way. Threads are in threads.c, volume is in acceptance_volume.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

static cosm_component define_sized(cosm_engine *engine, uint32_t number, size_t size,
                                   size_t alignment) {
    char name[32];
    (void)snprintf(name, sizeof(name), "sized %u", number);
    cosm_component component = cosm_component_define(
        engine, &(cosm_component_desc){.name = name, .size = size, .alignment = alignment});
    CHECK(component.id != 0);
    return component;
}

// Memory.

TEST(access_outside_a_world_a_table_or_a_column_is_reported_or_null) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fixture_spawn(&box, 0);
    cosm_world outside = {box.batch, 2};
    CHECK(cosm_entity_is_none(cosm_entity_spawn(outside, box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "world.index 2", "has 2 worlds");
    CHECK(cosm_loc_read(outside, (cosm_loc){box.mover.id, 0}, box.position) == NULL);
    CHECK(cosm_loc_read(box.world, (cosm_loc){box.mover.id, 1}, box.position) == NULL);
    CHECK(cosm_loc_write(box.world, (cosm_loc){box.mover.id, 0}, box.health) == NULL);
    CHECK(cosm_table_column(box.world, box.slot, box.position) == NULL);
    fixture_close(&box);
}

TEST(ten_thousand_components_of_a_kibibyte_read_back_equal) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component large = define_sized(box.engine, 0, 1024, 0);
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {large}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_unset(box.world, archetype, 10000, &rows));
    uint8_t *bytes = cosm_rows_column(&rows, large);
    REQUIRE(bytes != NULL);
    struct dice dice = {1};
    for (size_t i = 0; i < (size_t)10000 * 1024; i += 8) {
        uint64_t value = dice_next(&dice);
        memcpy(bytes + i, &value, 8);
    }
    CHECK(cosm_table_describe(box.world, archetype).chunk_count > 1);
    dice.state = 1;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        const uint8_t *own = cosm_entity_read(box.world, rows.entities[i], large);
        for (size_t b = 0; b < 1024; b += 8) {
            uint64_t value = dice_next(&dice);
            wrong += memcmp(own + b, &value, 8) != 0;
        }
    }
    CHECK_INT(wrong, 0);
    fixture_close(&box);
}

TEST(removing_half_and_adding_half_keeps_the_number_of_chunks_and_the_memory) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    uint32_t count = 4 * cosm_archetype_describe(box.engine, box.mover).chunk_rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, count, &rows));
    uint32_t chunks = cosm_table_describe(box.world, box.mover).chunk_count;
    size_t used = cosm_batch_memory(box.batch).used;
    for (uint32_t i = 0; i < count / 2; i++) {
        cosm_entity entity = cosm_entity_at(box.world, (cosm_loc){box.mover.id, i});
        CHECK_DONE(cosm_entity_despawn(box.world, entity));
    }
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, chunks / 2);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, count / 2, &rows));
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, chunks);
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    fixture_close(&box);
}

TEST(ten_archetypes_do_not_disturb_each_other) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component common = define_sized(box.engine, 99, 8, 0);
    cosm_archetype archetypes[10];
    for (uint32_t i = 0; i < 10; i++) {
        cosm_component own = define_sized(box.engine, i, 4 * (size_t)i, 0);
        archetypes[i] =
            cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {common, own}});
    }
    for (uint64_t round = 0; round < 1000; round++) {
        cosm_value value = {common, &round};
        CHECK(!cosm_entity_is_none(
            cosm_entity_spawn_with(box.world, archetypes[round % 10], &value, 1)));
    }
    for (uint32_t i = 0; i < 10; i++) {
        const uint64_t *values = cosm_table_column(box.world, archetypes[i], common);
        CHECK_INT(cosm_table_row_count(box.world, archetypes[i]), 100);
        for (uint32_t r = 0; r < 100; r++) {
            CHECK_INT(values[r], r * 10 + i);
        }
    }
    fixture_close(&box);
}

TEST(what_was_written_is_what_is_read_byte_for_byte) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (uint32_t size = 1; size <= 67; size++) {
        cosm_component component = define_sized(box.engine, size, size, 1);
        cosm_archetype archetype = cosm_archetype_define(
            box.engine, &(cosm_archetype_desc){.components = {component, box.mark}});
        uint8_t bytes[67];
        cosm_entity entities[20];
        for (uint32_t i = 0; i < 20; i++) {
            memset(bytes, (int)(size + i), size);
            entities[i] =
                cosm_entity_spawn_with(box.world, archetype, &(cosm_value){component, bytes}, 1);
        }
        for (uint32_t i = 0; i < 20; i++) {
            memset(bytes, (int)(size + i), size);
            CHECK_MEM(cosm_entity_read(box.world, entities[i], component), bytes, size);
        }
    }
    fixture_close(&box);
}

TEST(a_hundred_zero_size_tags_work) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component tags[100];
    for (uint32_t i = 0; i < 100; i++) {
        tags[i] = define_sized(box.engine, i, 0, 0);
    }
    cosm_entity entity = fixture_spawn(&box, 3);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_DONE(cosm_entity_add(box.world, entity, tags[i]));
    }
    for (uint32_t i = 0; i < 100; i += 2) {
        CHECK_DONE(cosm_entity_remove(box.world, entity, tags[i]));
    }
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(cosm_entity_has(box.world, entity, tags[i]) == (i % 2 == 1));
        CHECK(cosm_entity_read(box.world, entity, tags[i]) == NULL);
    }
    CHECK_NEAR(READ_BY_ID(box.world, entity, Position, box.position)->x, 3, 0);
    fixture_close(&box);
}

// Every row of both components at every size of the table.
static void check_aligned(struct fixture *box, cosm_archetype archetype, cosm_component component,
                          size_t alignment, uint32_t rows) {
    uint32_t wrong = 0;
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(box, w);
        for (uint32_t i = 0; i < rows; i++) {
            cosm_entity entity = cosm_entity_spawn(world, archetype);
            uintptr_t address = (uintptr_t)cosm_entity_read(world, entity, component);
            wrong += address == 0 || address % alignment != 0;
        }
        for (uint32_t i = 0; i < rows; i++) {
            uintptr_t address =
                (uintptr_t)cosm_loc_read(world, (cosm_loc){archetype.id, i}, component);
            wrong += address == 0 || address % alignment != 0;
        }
    }
    CHECK_INT(wrong, 0);
}

TEST(alignment_holds_for_every_row_in_both_placements_and_after_growth) {
    for (size_t alignment = 1; alignment <= COSM_COMPONENT_ALIGNMENT_MAX; alignment *= 2) {
        struct fixture box;
        fixture_open(&box, 0, 3);
        cosm_component odd = define_sized(box.engine, 1, 3, 1);
        cosm_component aligned = define_sized(box.engine, 2, alignment, alignment);
        cosm_archetype_desc desc = {.components = {odd, aligned, box.health}};
        cosm_archetype growing = cosm_archetype_define(box.engine, &desc);
        desc.components[3] = box.mark;
        desc.placement = COSM_PLACEMENT_FIXED;
        desc.max_per_world = 37;
        cosm_archetype fixed = cosm_archetype_define(box.engine, &desc);
        check_aligned(&box, growing, aligned, alignment, 300);
        check_aligned(&box, fixed, aligned, alignment, 37);
        CHECK_DONE(cosm_batch_trim(box.batch));
        check_aligned(&box, growing, aligned, alignment, 1);
        fixture_close(&box);
    }
}

// Edges.

TEST(the_empty_archetype_and_the_archetype_of_one_component_work) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype empty = cosm_archetype_define(box.engine, &(cosm_archetype_desc){.name = NULL});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, empty, 1000, &rows));
    CHECK(rows.entities != NULL);
    cosm_entity entity = rows.entities[500];
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK_INT(READ_BY_ID(box.world, entity, Health, box.health)->points, 100);
    CHECK_INT(cosm_table_row_count(box.world, empty), 999);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.health));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, empty.id);
    fixture_close(&box);
}

TEST(an_archetype_of_512_components_of_many_sizes_works) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static cosm_component list[512];
    for (uint32_t i = 0; i < 512; i++) {
        list[i] = define_sized(box.engine, i, i % 9, 1);
    }
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.more = list, .more_count = 512});
    cosm_entity entities[30];
    uint8_t bytes[9];
    for (uint32_t e = 0; e < 30; e++) {
        entities[e] = cosm_entity_spawn(box.world, archetype);
        for (uint32_t i = 0; i < 512; i++) {
            memset(bytes, (int)(i + e), sizeof(bytes));
            CHECK_DONE(cosm_entity_set(box.world, entities[e], list[i], bytes));
        }
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[0]));
    for (uint32_t e = 1; e < 30; e++) {
        for (uint32_t i = 0; i < 512; i++) {
            memset(bytes, (int)(i + e), sizeof(bytes));
            const void *value = cosm_entity_read(box.world, entities[e], list[i]);
            CHECK((value != NULL) == (i % 9 != 0));
            CHECK_MEM(value == NULL ? bytes : value, bytes, i % 9);
        }
    }
    fixture_close(&box);
}

TEST(a_chunk_exactly_full_takes_one_more) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t chunk_rows = cosm_archetype_describe(box.engine, box.mover).chunk_rows;
    for (uint32_t i = 0; i < chunk_rows; i++) {
        fixture_spawn(&box, (float)i);
    }
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 1);
    cosm_entity next = fixture_spawn(&box, 7777);
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 2);
    CHECK_INT(cosm_entity_loc(box.world, next).row, chunk_rows);
    const Position *position = cosm_table_column(box.world, box.mover, box.position);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < chunk_rows; i++) {
        wrong += position[i].x != (float)i;
    }
    CHECK_INT(wrong, 0);
    CHECK_NEAR(position[chunk_rows].x, 7777, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, next));
    CHECK_INT(cosm_table_describe(box.world, box.mover).chunk_count, 1);
    fixture_close(&box);
}

TEST(despawning_at_a_place_that_does_not_exist_is_harmless) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_entity nobody = cosm_entity_at(box.world, (cosm_loc){box.mover.id, 1});
    CHECK_INT(cosm_entity_despawn(box.world, nobody), COSM_STALE);
    nobody = cosm_entity_at(box.world, COSM_LOC_NONE);
    CHECK_INT(cosm_entity_despawn(box.world, nobody), COSM_STALE);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(ten_rounds_of_adding_and_removing_a_hundred_need_the_memory_of_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    size_t used = 0;
    for (int round = 0; round < 10; round++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
        cosm_entity entities[100];
        memcpy(entities, rows.entities, sizeof(entities));
        CHECK_DONE(cosm_entity_add_many(box.world, entities, 100, box.mark));
        CHECK_DONE(cosm_entity_remove_many(box.world, entities, 100, box.mark));
        CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 100));
        used = round == 0 ? cosm_batch_memory(box.batch).used : used;
        CHECK_INT(cosm_batch_memory(box.batch).used, used);
    }
    fixture_close(&box);
}

TEST(component_ids_of_an_archetype_need_not_be_contiguous) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component list[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        list[i] = define_sized(box.engine, i, 4, 0);
    }
    const uint32_t picks[] = {3, 256, 257, 511, 700, 999};
    cosm_archetype_desc desc = {.name = "gaps"};
    for (uint32_t i = 0; i < 6; i++) {
        desc.components[i] = list[picks[5 - i]];
    }
    cosm_archetype archetype = cosm_archetype_define(box.engine, &desc);
    cosm_entity entity = cosm_entity_spawn(box.world, archetype);
    for (uint32_t i = 0; i < 6; i++) {
        *WRITE_BY_ID(box.world, entity, uint32_t, list[picks[i]]) = picks[i];
    }
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t *value = READ_BY_ID(box.world, entity, uint32_t, list[i]);
        bool picked = false;
        for (uint32_t p = 0; p < 6; p++) {
            picked = picked || picks[p] == i;
        }
        CHECK((value != NULL) == picked);
        CHECK(value == NULL || *value == i);
    }
    fixture_close(&box);
}

// Integrity.

TEST(values_persist_over_moves_and_several_components_stay_together) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[200];
    for (uint32_t i = 0; i < 200; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        WRITE_BY_ID(box.world, entities[i], Velocity, box.velocity)->y = (float)(i * 2);
    }
    for (uint32_t i = 0; i < 200; i++) {
        if (i % 2 == 0) {
            CHECK_DONE(cosm_entity_set(box.world, entities[i], box.health, &(Health){i * 3}));
        }
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_add(box.world, entities[i], box.mark));
        }
    }
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_NEAR(READ_BY_ID(box.world, entities[i], Position, box.position)->x, (double)i, 0);
        CHECK_NEAR(READ_BY_ID(box.world, entities[i], Velocity, box.velocity)->y, i * 2.0, 0);
        const Health *health = READ_BY_ID(box.world, entities[i], Health, box.health);
        CHECK(i % 2 == 0 ? health != NULL && health->points == i * 3 : health == NULL);
    }
    fixture_close(&box);
}

TEST(removal_from_the_middle_keeps_all_others_right_and_the_count_exact) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[300];
    for (uint32_t i = 0; i < 300; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        CHECK_INT(cosm_world_entity_count(box.world), i + 1);
    }
    uint32_t alive = 300;
    for (uint32_t i = 100; i < 200; i++) {
        CHECK_DONE(cosm_entity_despawn(box.world, entities[i]));
        alive--;
        CHECK_INT(cosm_world_entity_count(box.world), alive);
        CHECK_INT(cosm_table_row_count(box.world, box.mover), alive);
    }
    for (uint32_t i = 0; i < 300; i++) {
        const Position *position = READ_BY_ID(box.world, entities[i], Position, box.position);
        bool gone = i >= 100 && i < 200;
        CHECK(gone ? position == NULL : position != NULL && position->x == (float)i);
    }
    fixture_close(&box);
}

TEST(worlds_are_isolated) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    uint64_t first = cosm_hash_world(fixture_world(&box, 0), COSM_HASH_EXACT);
    uint64_t last = cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT);
    cosm_world middle = fixture_world(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(middle, box.slot, 4, &rows));
    memset(cosm_rows_column(&rows, box.position), 0xEE, 4 * sizeof(Position));
    CHECK_DONE(cosm_entity_spawn_many(middle, box.mover, 1000, &rows));
    CHECK_DONE(cosm_entity_add(middle, rows.entities[0], box.mark));
    CHECK_INT(cosm_hash_world(fixture_world(&box, 0), COSM_HASH_EXACT), first);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT), last);
    CHECK_INT(cosm_world_entity_count(fixture_world(&box, 2)), 0);
    fixture_close(&box);
}

TEST(the_set_of_an_archetype_is_what_was_asked_for) {
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component all[20];
    for (uint32_t i = 0; i < 20; i++) {
        all[i] = define_sized(box.engine, i, i % 3, 1);
    }
    for (int round = 0; round < 100; round++) {
        bool asked[20] = {false};
        cosm_archetype_desc desc = {.name = NULL};
        for (uint32_t i = 0; i < 10; i++) {
            uint32_t pick = dice_roll(&dice, 20);
            asked[pick] = true;
            desc.components[i] = all[pick];
        }
        cosm_archetype archetype = cosm_archetype_define(box.engine, &desc);
        CHECK(archetype.id != 0);
        for (uint32_t i = 0; i < 20; i++) {
            CHECK(cosm_archetype_has(box.engine, archetype, all[i]) == asked[i]);
        }
    }
    fixture_close(&box);
}

TEST(sums_of_all_columns_hold_under_random_stress) {
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    static cosm_entity entities[500];
    static uint32_t values[500];
    memset(entities, 0xFF, sizeof(entities));
    uint64_t sum = 0;
    cosm_query *query = fixture_query(&box, box.health, (cosm_component){0});
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t i = dice_roll(&dice, 500);
        if (!cosm_entity_is_alive(box.world, entities[i])) {
            entities[i] = fixture_spawn(&box, 0);
            values[i] = dice_roll(&dice, 1000);
            CHECK_DONE(cosm_entity_set(box.world, entities[i], box.health, &(Health){values[i]}));
            sum += values[i];
        } else if (dice_roll(&dice, 3) == 0) {
            CHECK_DONE(cosm_entity_despawn(box.world, entities[i]));
            sum -= values[i];
        } else if (cosm_entity_has(box.world, entities[i], box.mark)) {
            CHECK_DONE(cosm_entity_remove(box.world, entities[i], box.mark));
        } else {
            CHECK_DONE(cosm_entity_add(box.world, entities[i], box.mark));
        }
        if (round % 500 == 0) {
            uint64_t seen = 0;
            cosm_rows rows;
            cosm_query_walk(query, box.all, &rows);
            while (cosm_rows_next(&rows)) {
                for (uint32_t r = 0; r < rows.count; r++) {
                    seen += COSM_COLUMN_READ(&rows, Health, 0)[r].points;
                }
            }
            CHECK_INT(seen, sum);
            CHECK_VALID(box.batch);
        }
    }
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Learned the hard way.

TEST(a_slot_has_its_default_when_it_is_used_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (int round = 0; round < 3; round++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 3, &rows));
        cosm_entity single = cosm_entity_spawn(box.world, box.slot);
        CHECK_INT(READ_BY_ID(box.world, single, Health, box.health)->points, 100);
        Position zero = {0, 0, 0};
        CHECK_MEM(cosm_entity_read(box.world, single, box.position), &zero, sizeof(zero));
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_MEM(COLUMN_BY_ID(&rows, Position, box.position) + i, &zero, sizeof(zero));
            CHECK_INT(COLUMN_BY_ID(&rows, Health, box.health)[i].points, 100);
        }
        memset(cosm_table_column(box.world, box.slot, box.position), 0xAB, 4 * sizeof(Position));
        memset(cosm_table_column(box.world, box.slot, box.health), 0xCD, 4 * sizeof(Health));
        CHECK_DONE(cosm_table_clear(box.world, box.slot));
    }
    fixture_close(&box);
}

TEST(commands_recorded_after_an_apply_are_not_lost) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t round = 1; round <= 20; round++) {
        for (uint32_t i = 0; i < round * 10; i++) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.mover)));
        }
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        CHECK_INT(cosm_world_entity_count(box.world), 10 * round * (round + 1) / 2);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(more_commands_than_one_block_holds_are_not_lost) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 50000; i++) {
        Position position = {(float)i, 0, 0};
        cosm_entity entity = cosm_commands_spawn_with(commands, box.world, box.mover,
                                                      &(cosm_value){box.position, &position}, 1);
        CHECK_INT(entity.id, i);
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 50000);
    CHECK_INT(report.written, 50000);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; i++) {
        const Position *position = cosm_entity_read(box.world, (cosm_entity){1, i}, box.position);
        wrong += position == NULL || position->x != (float)i;
    }
    CHECK_INT(wrong, 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_world_costs_the_same_memory_in_the_ten_thousandth_episode_as_in_the_first) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_commands *commands = cosm_commands_create(box.batch);
    uint64_t requests = 0;
    size_t used = 0;
    for (uint32_t episode = 0; episode < 10000; episode++) {
        cosm_entity a = fixture_spawn(&box, 0);
        cosm_entity b = cosm_commands_spawn(commands, box.world, box.slot);
        CHECK_DONE(cosm_commands_add(commands, box.world, a, box.mark));
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        CHECK(cosm_entity_is_alive(box.world, b));
        CHECK_DONE(cosm_world_reset(box.world));
        if (episode == 0) {
            requests = ledger.requests;
            used = cosm_batch_memory(box.batch).used;
        }
    }
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    CHECK_INT(ledger.requests, requests);
    cosm_commands_destroy(commands);
    fixture_close(&box);
    ledger_close(&ledger);
}
