// Hashes of worlds, batches and snapshots: what counts, and what does not.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define KIND_COUNT 2

static const cosm_hash_kind kinds[KIND_COUNT] = {COSM_HASH_EXACT, COSM_HASH_CONTENT};

TEST(a_snapshot_has_the_hash_of_its_worlds) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity a = fixture_spawn(&box, 1);
    (void)fixture_spawn(&box, 2);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    for (int k = 0; k < KIND_COUNT; k++) {
        CHECK(cosm_hash_batch(box.batch, kinds[k]) != 0);
        // Once as it is read, once as it is remembered.
        for (int i = 0; i < 2; i++) {
            CHECK_INT(cosm_hash_snapshot(snapshot, kinds[k]), cosm_hash_batch(box.batch, kinds[k]));
            CHECK_INT(cosm_hash_snapshot_world(snapshot, 0, kinds[k]),
                      cosm_hash_world(box.world, kinds[k]));
        }
        CHECK_INT(cosm_hash_worlds(box.all, kinds[k]), cosm_hash_batch(box.batch, kinds[k]));
    }
    (void)fixture_spawn(&box, 3);
    for (int k = 0; k < KIND_COUNT; k++) {
        CHECK(cosm_hash_snapshot(snapshot, kinds[k]) != cosm_hash_batch(box.batch, kinds[k]));
    }
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(the_step_counts_for_exact_hashes_only) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    (void)fixture_spawn(&box, 1);
    uint64_t before[KIND_COUNT];
    for (int k = 0; k < KIND_COUNT; k++) {
        before[k] = cosm_hash_batch(box.batch, kinds[k]);
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != before[0]);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_CONTENT), before[1]);
    fixture_close(&box);
}

TEST(equal_worlds_have_equal_hashes_but_for_their_random_streams) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = fixture_world(&box, w);
        cosm_entity entity = cosm_entity_spawn(world, box.mover);
        CHECK_DONE(cosm_entity_set(world, entity, box.position, &(Position){1, 2, 3}));
    }
    cosm_world other = fixture_world(&box, 1);
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != cosm_hash_world(other, COSM_HASH_EXACT));
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_CONTENT),
              cosm_hash_world(other, COSM_HASH_CONTENT));
    CHECK_DONE(cosm_world_seed(box.world, 1, 0));
    CHECK_DONE(cosm_world_seed(other, 1, 0));
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), cosm_hash_world(other, COSM_HASH_EXACT));
    // The worlds of a batch have an order, also where they are the same.
    uint64_t both = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK(cosm_hash_worlds(cosm_worlds_one(other), COSM_HASH_EXACT) != both);
    (void)cosm_entity_spawn(other, box.mover);
    uint64_t second = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK(second != both);
    CHECK_DONE(cosm_world_reset(other));
    (void)cosm_entity_spawn(box.world, box.mover);
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != second);
    fixture_close(&box);
}

TEST(the_order_of_rows_counts_but_for_content) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 1);
    (void)fixture_spawn(&box, 2);
    uint64_t exact = cosm_hash_world(box.world, COSM_HASH_EXACT);
    uint64_t content = cosm_hash_world(box.world, COSM_HASH_CONTENT);
    CHECK_DONE(cosm_entity_add(box.world, a, box.mark));
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != exact);
    CHECK(cosm_hash_world(box.world, COSM_HASH_CONTENT) != content);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.mark));
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != exact);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_CONTENT), content);
    fixture_close(&box);
}

// Spawns three and despawns two of them, in either order.
static void hash_of_deaths(bool swapped, uint64_t hashes[KIND_COUNT]) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[3];
    for (int i = 0; i < 3; i++) {
        entities[i] = fixture_spawn(&box, 1);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[swapped ? 2 : 1]));
    CHECK_DONE(cosm_entity_despawn(box.world, entities[swapped ? 1 : 2]));
    for (int k = 0; k < KIND_COUNT; k++) {
        hashes[k] = cosm_hash_world(box.world, kinds[k]);
    }
    fixture_close(&box);
}

TEST(the_order_of_free_ids_counts_but_for_content) {
    uint64_t one[KIND_COUNT];
    uint64_t other[KIND_COUNT];
    hash_of_deaths(false, one);
    hash_of_deaths(true, other);
    CHECK(one[0] != other[0]);
    CHECK_INT(one[1], other[1]);
}

TEST(past_lives_of_ids_count_also_of_those_that_are_not_in_use) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint64_t empty = cosm_hash_world(box.world, COSM_HASH_EXACT);
    uint64_t content = cosm_hash_world(box.world, COSM_HASH_CONTENT);
    (void)fixture_spawn(&box, 1);
    (void)fixture_spawn(&box, 1);
    CHECK_DONE(cosm_world_reset(box.world));
    uint64_t once = cosm_hash_world(box.world, COSM_HASH_EXACT);
    CHECK(once != empty);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_CONTENT), content);
    (void)fixture_spawn(&box, 1);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != once);
    fixture_close(&box);
}

TEST(promised_ids_count) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_entity b = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    cosm_commands *commands = cosm_commands_create(box.batch);
    (void)cosm_commands_spawn(commands, box.world, box.mover);
    uint64_t one = cosm_hash_world(box.world, COSM_HASH_EXACT);
    (void)cosm_commands_spawn(commands, box.world, box.mover);
    uint64_t two = cosm_hash_world(box.world, COSM_HASH_EXACT);
    CHECK(one != before);
    CHECK(two != one);
    // Another id is freed: the promised one leaves the list, and counts as before.
    CHECK_DONE(cosm_entity_despawn(box.world, b));
    uint64_t settled = cosm_hash_world(box.world, COSM_HASH_EXACT);
    cosm_commands_clear(commands);
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != settled);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(every_bit_of_a_value_counts) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1500, &rows));
    static const uint32_t places[] = {0, 1, 255, 256, 511, 512, 1023, 1024, 1499};
    for (int k = 0; k < KIND_COUNT; k++) {
        uint64_t before = cosm_hash_world(box.world, kinds[k]);
        for (size_t p = 0; p < sizeof(places) / sizeof(*places); p++) {
            unsigned char *bytes = cosm_table_column(box.world, box.mover, box.velocity);
            REQUIRE(bytes != NULL);
            bytes += places[p] * sizeof(Velocity);
            for (size_t bit = 0; bit < 8 * sizeof(Velocity); bit++) {
                bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
                CHECK(cosm_hash_world(box.world, kinds[k]) != before);
                bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            }
        }
        CHECK_INT(cosm_hash_world(box.world, kinds[k]), before);
    }
    fixture_close(&box);
}

TEST(values_that_change_places_change_the_hash) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 2048, &rows));
    Position *positions = cosm_table_column(box.world, box.mover, box.position);
    Velocity *velocities = cosm_table_column(box.world, box.mover, box.velocity);
    REQUIRE(positions != NULL && velocities != NULL);
    positions[3].x = 1;
    uint64_t before[KIND_COUNT];
    for (int k = 0; k < KIND_COUNT; k++) {
        before[k] = cosm_hash_world(box.world, kinds[k]);
    }
    static const uint32_t places[] = {2, 4, 3 + 64, 3 + 256, 3 + 512, 3 + 1024, 2047};
    positions[3].x = 0;
    for (size_t p = 0; p < sizeof(places) / sizeof(*places); p++) {
        positions[places[p]].x = 1;
        for (int k = 0; k < KIND_COUNT; k++) {
            CHECK(cosm_hash_world(box.world, kinds[k]) != before[k]);
        }
        positions[places[p]].x = 0;
    }
    velocities[3].x = 1;
    for (int k = 0; k < KIND_COUNT; k++) {
        CHECK(cosm_hash_world(box.world, kinds[k]) != before[k]);
    }
    fixture_close(&box);
}

TEST(parts_of_a_world_have_hashes_of_their_own) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton clock = cosm_singleton_define(
        box.engine, &(cosm_singleton_desc){.name = "Clock", .size = sizeof(uint64_t)});
    for (int k = 0; k < KIND_COUNT; k++) {
        CHECK_INT(cosm_hash_table(box.world, box.mover, kinds[k]), 0);
        CHECK_INT(cosm_hash_component(box.world, box.mark, kinds[k]), 0);
    }
    cosm_entity entity = fixture_spawn(&box, 1);
    for (int k = 0; k < KIND_COUNT; k++) {
        uint64_t table = cosm_hash_table(box.world, box.mover, kinds[k]);
        uint64_t position = cosm_hash_component(box.world, box.position, kinds[k]);
        uint64_t velocity = cosm_hash_component(box.world, box.velocity, kinds[k]);
        uint64_t singleton = cosm_hash_singleton(box.world, clock);
        uint64_t world = cosm_hash_world(box.world, kinds[k]);
        CHECK(table != 0 && position != 0 && velocity != 0 && singleton != 0);
        CHECK(position != velocity);
        CHECK_INT(cosm_hash_table(box.world, box.stone, kinds[k]), 0);
        Position value = {(float)k + 5, 0, 0};
        CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &value));
        CHECK(cosm_hash_table(box.world, box.mover, kinds[k]) != table);
        CHECK(cosm_hash_component(box.world, box.position, kinds[k]) != position);
        CHECK_INT(cosm_hash_component(box.world, box.velocity, kinds[k]), velocity);
        uint64_t moved = cosm_hash_world(box.world, kinds[k]);
        CHECK(moved != world);
        *(uint64_t *)cosm_singleton_write(box.world, clock) += 1;
        CHECK(cosm_hash_singleton(box.world, clock) != singleton);
        CHECK(cosm_hash_world(box.world, kinds[k]) != moved);
    }
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
    for (int k = 0; k < KIND_COUNT; k++) {
        CHECK(cosm_hash_component(box.world, box.mark, kinds[k]) != 0);
    }
    CHECK_INT(cosm_hash_table(box.world, box.mover, COSM_HASH_EXACT), 0);
    fixture_close(&box);
}

#define CHECK_NO_HASH(call, name, value, remedy)                                                   \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK_INT(call, 0);                                                                        \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, name ":", value, remedy);                               \
    } while (0)

TEST(what_does_not_exist_has_no_hash) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_world no_world = {box.batch, 7};
    cosm_worlds no_worlds = {box.batch, 0, 7};
    cosm_hash_kind exact = COSM_HASH_EXACT;
    cosm_hash_kind no_kind = (cosm_hash_kind)9;
    CHECK_NO_HASH(cosm_hash_batch(NULL, exact), "cosm_hash_batch", "batch", "cosm_batch_create");
    CHECK_NO_HASH(cosm_hash_batch(box.batch, no_kind), "cosm_hash_batch", "kind 9",
                  "cosm_hash_kind");
    CHECK_NO_HASH(cosm_hash_worlds(no_worlds, exact), "cosm_hash_worlds", "7 worlds", "range");
    CHECK_NO_HASH(cosm_hash_worlds(box.all, no_kind), "cosm_hash_worlds", "kind 9",
                  "cosm_hash_kind");
    CHECK_NO_HASH(cosm_hash_world(no_world, exact), "cosm_hash_world", "7", "smaller");
    CHECK_NO_HASH(cosm_hash_world(box.world, no_kind), "cosm_hash_world", "9", "cosm_hash_kind");
    CHECK_NO_HASH(cosm_hash_table(no_world, box.mover, exact), "cosm_hash_table", "7", "smaller");
    CHECK_NO_HASH(cosm_hash_table(box.world, (cosm_archetype){99}, exact), "cosm_hash_table", "99",
                  "define");
    CHECK_NO_HASH(cosm_hash_table(box.world, box.mover, no_kind), "cosm_hash_table", "9",
                  "cosm_hash_kind");
    CHECK_NO_HASH(cosm_hash_component(no_world, box.mark, exact), "cosm_hash_component", "7",
                  "smaller");
    CHECK_NO_HASH(cosm_hash_component(box.world, (cosm_component){99}, exact),
                  "cosm_hash_component", "99", "define");
    CHECK_NO_HASH(cosm_hash_singleton(no_world, (cosm_singleton){1}), "cosm_hash_singleton", "7",
                  "smaller");
    CHECK_NO_HASH(cosm_hash_singleton(box.world, (cosm_singleton){99}), "cosm_hash_singleton", "99",
                  "define");
    CHECK_NO_HASH(cosm_hash_snapshot(NULL, exact), "cosm_hash_snapshot", "snapshot",
                  "cosm_snapshot_create");
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_NO_HASH(cosm_hash_snapshot(snapshot, no_kind), "cosm_hash_snapshot", "kind 9",
                  "cosm_hash_kind");
    CHECK_NO_HASH(cosm_hash_snapshot_world(NULL, 0, exact), "cosm_hash_snapshot_world", "snapshot",
                  "cosm_snapshot_create");
    CHECK_NO_HASH(cosm_hash_snapshot_world(snapshot, 1, exact), "cosm_hash_snapshot_world",
                  "index 1", "counted from 0");
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

// The hash of worlds [first, end) of a batch.
static uint64_t hash_some(cosm_batch *batch, uint32_t first, uint32_t end, cosm_hash_kind kind) {
    return cosm_hash_worlds(cosm_worlds_range(batch, first, end - first), kind);
}

TEST(hashes_of_parts_are_joined_to_the_hash_of_the_whole) {
    struct fixture box;
    fixture_open(&box, 0, 20);
    struct dice dice = {harness_seed()};
    for (uint32_t w = 0; w < 20; w++) {
        for (uint32_t i = dice_roll(&dice, 4); i > 0; i--) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, w), box.mover)));
        }
    }
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    for (int kind = COSM_HASH_EXACT; kind <= COSM_HASH_CONTENT; kind++) {
        uint64_t whole = cosm_hash_batch(box.batch, (cosm_hash_kind)kind);
        CHECK_INT(cosm_hash_snapshot(snapshot, (cosm_hash_kind)kind), whole);
        uint64_t hashes[20];
        for (uint32_t w = 0; w < 20; w++) {
            hashes[w] = cosm_hash_world(fixture_world(&box, w), (cosm_hash_kind)kind);
            CHECK_INT(hash_some(box.batch, w, w + 1, (cosm_hash_kind)kind), hashes[w]);
        }
        CHECK_INT(cosm_hash_join(hashes, NULL, 20), whole);
        for (uint32_t i = 0; i < 30; i++) {
            uint32_t a = dice_roll(&dice, 21);
            uint32_t b = a + dice_roll(&dice, 21 - a);
            uint64_t parts[3] = {hash_some(box.batch, 0, a, (cosm_hash_kind)kind),
                                 hash_some(box.batch, a, b, (cosm_hash_kind)kind),
                                 hash_some(box.batch, b, 20, (cosm_hash_kind)kind)};
            CHECK_INT(cosm_hash_join(parts, (uint64_t[3]){a, b - a, 20 - b}, 3), whole);
            // Two that were joined are a part again.
            uint64_t pair[2] = {cosm_hash_join(parts, (uint64_t[2]){a, b - a}, 2), parts[2]};
            CHECK_INT(cosm_hash_join(pair, (uint64_t[2]){b, 20 - b}, 2), whole);
        }
    }
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(the_order_of_worlds_counts_when_hashes_are_joined) {
    CHECK(cosm_hash_join((uint64_t[]){1, 2}, NULL, 2) !=
          cosm_hash_join((uint64_t[]){2, 1}, NULL, 2));
    CHECK(cosm_hash_join((uint64_t[]){1, 2}, (uint64_t[]){4, 1}, 2) !=
          cosm_hash_join((uint64_t[]){1, 2}, (uint64_t[]){5, 1}, 2));
    CHECK_INT(cosm_hash_join(NULL, NULL, 0), 0);
    CHECK_INT(cosm_hash_join((uint64_t[]){7}, NULL, 1), 7);
    cosm_error_clear();
    CHECK_INT(cosm_hash_join(NULL, NULL, 2), 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_hash_join", "hashes", "`count`");
}

struct looking {
    cosm_world other; // not of the turn where each world has a turn of its own
    uint64_t own;
    cosm_result results[6];
    cosm_component component;
    cosm_archetype archetype;
};

static void look(const cosm_turn *turn) {
    struct looking *looking = turn->context;
    if (turn->worlds.first != 0) {
        return;
    }
    cosm_world own = cosm_worlds_at(turn->worlds, 0);
    looking->own = cosm_hash_world(own, COSM_HASH_CONTENT);
    const uint64_t hashes[] = {
        looking->own,
        cosm_hash_world(looking->other, COSM_HASH_CONTENT),
        cosm_hash_batch(own.batch, COSM_HASH_CONTENT),
        cosm_hash_worlds(cosm_worlds_all(own.batch), COSM_HASH_CONTENT),
        cosm_hash_table(looking->other, looking->archetype, COSM_HASH_CONTENT),
        cosm_hash_component(looking->other, looking->component, COSM_HASH_CONTENT),
    };
    for (uint32_t i = 0; i < 6; i++) {
        looking->results[i] = hashes[i] != 0 ? COSM_OK : COSM_ERROR_BUSY;
    }
}

TEST(in_a_step_only_exclusive_systems_hash_and_only_worlds_of_their_turn) {
    for (uint32_t is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
        struct fixture box;
        fixture_open_with(
            &box, 0, NULL,
            &(cosm_batch_desc){.world_count = 2, .split = COSM_SPLIT_WORLDS, .block_worlds = 1});
        for (uint32_t w = 0; w < 2; w++) {
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, w), box.mover)));
        }
        struct looking looking = {
            .other = fixture_world(&box, 1), .component = box.position, .archetype = box.mover};
        CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "look",
                                                                 .run = look,
                                                                 .context = &looking,
                                                                 .exclusive = is_exclusive == 1})
                  .id != 0);
        cosm_error_clear();
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_BUSY, "cosm_hash_", "'look'",
                    "between steps, or make the system exclusive");
        CHECK_INT(looking.results[0], is_exclusive == 1 ? COSM_OK : COSM_ERROR_BUSY);
        for (uint32_t i = 1; i < 6; i++) {
            CHECK_INT(looking.results[i], COSM_ERROR_BUSY);
        }
        if (is_exclusive == 1) {
            CHECK_INT(looking.own, cosm_hash_world(box.world, COSM_HASH_CONTENT));
        }
        fixture_close(&box);
    }
}

// A world with an entity of each of two components, in an engine that defines these in either order,
// and the first one that a walk shows.
static uint64_t hash_of_two(bool is_other_way, uint32_t *out_first) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component components[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at = is_other_way ? 1 - i : i;
        components[at] = cosm_component_define(
            engine, &(cosm_component_desc){.name = at == 0 ? "X" : "Y", .size = 4});
    }
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    for (uint32_t i = 0; i < 2; i++) {
        cosm_archetype archetype =
            cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {components[i]}});
        (void)cosm_entity_spawn(world, archetype);
    }
    cosm_query *all = cosm_query_create(engine, &(cosm_query_desc){.by_world = true});
    cosm_rows rows;
    cosm_query_walk(all, cosm_worlds_all(batch), &rows);
    *out_first = cosm_rows_next(&rows) ? rows.entities[0].id : UINT32_MAX;
    cosm_rows_end(&rows);
    uint64_t hash = cosm_hash_batch(batch, COSM_HASH_EXACT);
    cosm_query_destroy(all);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    return hash;
}

TEST(the_order_of_definitions_does_not_count_though_walks_follow_it) {
    uint32_t first[2];
    CHECK_INT(hash_of_two(false, &first[0]), hash_of_two(true, &first[1]));
    CHECK_INT(first[0], 0);
    CHECK_INT(first[1], 1);
}
