// Memory: the host's allocator, the account of what is in use, and the limit (cosm/engine.h).
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

TEST(every_byte_of_an_engine_goes_through_its_allocator_and_comes_back) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 3, .entity_capacity = 10});
    CHECK(ledger.count > 0);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 50000, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.slot, 4, &rows));
    CHECK_DONE(cosm_batch_trim(box.batch));
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(without_range_functions_ranges_come_from_the_system) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_block_allocator(&ledger)},
                      NULL);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    Position *position = COSM_WRITE(&rows, Position);
    REQUIRE(position != NULL);
    CHECK_NEAR(position[99999].x, 0, 0);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(memory_of_a_batch_lives_exactly_as_long_as_the_batch) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    size_t blocks = ledger.count;
    size_t bytes = ledger.block_bytes;
    cosm_batch *batch = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 8});
    REQUIRE(batch != NULL);
    CHECK(ledger.count > blocks);
    cosm_rows rows;
    for (uint32_t w = 0; w < 8; w++) {
        CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, w), box.mover, 1000 * w, &rows));
    }
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_INT(ledger.count, blocks);
    CHECK_INT(ledger.block_bytes, bytes);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(the_figure_in_use_is_what_the_allocator_gave_for_the_batch) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    REQUIRE(engine != NULL);
    struct fixture box = {.engine = engine};
    fixture_define(&box, 0);
    size_t before = ledger.block_bytes;
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 5});
    REQUIRE(batch != NULL);
    CHECK_INT(cosm_batch_memory(batch).used, ledger.block_bytes - before);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(batch, 2), box.mover, 100, &rows));
    CHECK_INT(cosm_batch_memory(batch).used, ledger.block_bytes - before);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    ledger_close(&ledger);
}

TEST(live_bytes_are_the_component_bytes_of_rows_that_exist) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK_INT(cosm_batch_memory(box.batch).live, 0);
    cosm_entity first = fixture_spawn(&box, 0);
    fixture_spawn(&box, 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, 1), box.slot)));
    CHECK_INT(cosm_world_memory(box.world).live, 2 * 24);
    CHECK_INT(cosm_world_memory(fixture_world(&box, 1)).live, 16);
    CHECK_INT(cosm_batch_memory(box.batch).live, 2 * 24 + 16);
    CHECK_DONE(cosm_entity_despawn(box.world, first));
    CHECK_INT(cosm_batch_memory(box.batch).live, 24 + 16);
    fixture_close(&box);
}

TEST(the_peak_is_the_highest_figure_so_far) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    cosm_memory full = cosm_batch_memory(box.batch);
    CHECK(full.peak >= full.used);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_DONE(cosm_batch_trim(box.batch));
    cosm_memory empty = cosm_batch_memory(box.batch);
    CHECK(empty.used < full.used);
    CHECK(empty.peak >= full.used);
    fixture_close(&box);
}

TEST(a_batch_over_its_memory_limit_refuses_and_stays_as_it_was) {
    struct fixture box;
    size_t limit = (size_t)1 << 20;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.memory_limit = limit});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1000, &rows));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_error_clear();
    CHECK_INT(cosm_entity_spawn_many(box.world, box.mover, 1000000, &rows), COSM_ERROR_MEMORY);
    CHECK_CONTAINS(cosm_error_message(), "1048576");
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_many:", "memory_limit", "raise the limit");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK(cosm_batch_memory(box.batch).used <= limit);
    CHECK(cosm_batch_memory(box.batch).peak <= limit);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    fixture_close(&box);
}

TEST(spawning_one_by_one_stops_at_the_memory_limit_and_goes_on_after_a_despawn) {
    struct fixture box;
    size_t limit = (size_t)512 << 10;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.memory_limit = limit});
    uint32_t count = 0;
    cosm_entity last = COSM_ENTITY_NONE;
    for (;;) {
        cosm_entity entity = cosm_entity_spawn(box.world, box.mover);
        if (cosm_entity_is_none(entity)) {
            break;
        }
        last = entity;
        count++;
    }
    CHECK(count > 1000);
    CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
    CHECK(cosm_batch_memory(box.batch).peak <= limit);
    CHECK_INT(cosm_world_entity_count(box.world), count);
    CHECK_DONE(cosm_entity_despawn(box.world, last));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    fixture_close(&box);
}

TEST(a_limit_too_small_for_the_batch_itself_makes_no_batch) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(cosm_batch_create(box.engine, &(cosm_batch_desc){.memory_limit = 16}) == NULL);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_batch_create:",
                  "bytes were asked for with 0 in use, and memory_limit is 16", "raise the limit");
    CHECK_INT(cosm_engine_describe(box.engine).batch_count, 1);
    fixture_close(&box);
}

TEST(a_trimmed_range_reads_as_zero_where_it_is_committed_again) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 60000, &rows));
    Velocity *velocity = COSM_WRITE(&rows, Velocity);
    REQUIRE(velocity != NULL);
    memset(velocity, 0xFF, 60000 * sizeof(*velocity));
    for (uint32_t row = 59999; row >= 30000; row--) {
        CHECK_DONE(cosm_entity_despawn(box.world,
                                       cosm_entity_at(box.world, (cosm_loc){box.mover.id, row})));
    }
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 30000, &rows));
    velocity = COSM_WRITE(&rows, Velocity);
    REQUIRE(velocity != NULL);
    Velocity zero = {0, 0, 0};
    for (uint32_t i = 0; i < 30000; i++) {
        CHECK_MEM(&velocity[i], &zero, sizeof(zero));
    }
    fixture_close(&box);
    ledger_close(&ledger);
}

// Spawns movers one by one until there are `count`, each with its number.
static void spawn_up_to(struct fixture *box, uint32_t count) {
    for (uint32_t i = cosm_world_entity_count(box->world); i < count; i++) {
        Position position = {(float)i, 0, 0};
        cosm_entity entity = cosm_entity_spawn_with(box->world, box->mover,
                                                    &(cosm_value){box->position, &position}, 1);
        if (cosm_entity_is_none(entity)) {
            return;
        }
    }
}

TEST(where_address_space_is_scarce_tables_and_directories_move_to_larger_ranges) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    ledger.range_max = (size_t)512 << 10;
    spawn_up_to(&box, 200000);
    uint32_t few = cosm_world_entity_count(box.world);
    CHECK(few > 10000 && few < 200000);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_with:", "out of memory", "call again");
    CHECK_VALID(box.batch);
    ledger.range_max = (size_t)16 << 20;
    spawn_up_to(&box, 200000);
    CHECK_INT(cosm_world_entity_count(box.world), 200000);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        const Position *position = cosm_entity_read(box.world, (cosm_entity){1, i}, box.position);
        wrong += position == NULL || position->x != (float)i;
    }
    CHECK_INT(wrong, 0);
    fixture_close(&box);
    ledger_close(&ledger);
}

static size_t reserved_bytes(const struct ledger *ledger) {
    size_t bytes = 0;
    for (size_t i = 0; i < ledger->capacity; i++) {
        if (ledger->entries[i].address != 0 && ledger->entries[i].alignment == 0) {
            bytes += ledger->entries[i].size;
        }
    }
    return bytes;
}

TEST(however_many_tables_are_large_most_addresses_are_left_to_the_program) {
    enum { WORLDS = 1500, ROWS = 700 };
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    cosm_component block =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Block", .size = 512});
    cosm_archetype pile =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {block}});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = WORLDS});
    REQUIRE(batch != NULL);
    cosm_rows rows;
    size_t first = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_world world = cosm_batch_world(batch, w);
        CHECK_DONE(cosm_entity_spawn_many_unset(world, pile, ROWS, &rows));
        first = w == 0 ? reserved_bytes(&ledger) : first;
    }
    // A sixteenth of 128 TiB, of which the first table had 64 GiB at most.
    CHECK(first > (size_t)16 << 30 && first <= (size_t)64 << 30);
    CHECK(reserved_bytes(&ledger) <= (size_t)8 << 40);
    // The last one has addresses for a few times its rows, and moves when these are used up.
    cosm_world last = cosm_batch_world(batch, WORLDS - 1);
    const void *column = cosm_table_column(last, pile, block);
    for (uint32_t i = 0; i < ROWS; i++) {
        cosm_entity entity = cosm_entity_at(last, (cosm_loc){pile.id, i});
        *(uint32_t *)cosm_entity_write(last, entity, block) = i;
    }
    while (cosm_table_column(last, pile, block) == column) {
        CHECK_DONE(cosm_entity_spawn_many_unset(last, pile, ROWS, &rows));
        REQUIRE(cosm_table_row_count(last, pile) < 1000 * ROWS);
    }
    CHECK(cosm_table_row_count(last, pile) > 4 * ROWS);
    CHECK_VALID(batch);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        cosm_entity entity = cosm_entity_at(last, (cosm_loc){pile.id, i});
        wrong += *(const uint32_t *)cosm_entity_read(last, entity, block) != i;
    }
    CHECK_INT(wrong, 0);
    CHECK_DONE(cosm_batch_destroy(batch));
    // What ended is there for others again.
    batch = cosm_batch_create(engine, NULL);
    CHECK_DONE(cosm_entity_spawn_many_unset(cosm_batch_world(batch, 0), pile, ROWS, &rows));
    CHECK_INT(reserved_bytes(&ledger), first);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    ledger_close(&ledger);
}
