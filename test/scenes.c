// The scenes: the same state from the same seed, whatever the number of worlds, the placement,
// the compiler and the optimisation level; and worlds that neither grow without end nor die out.
// Workers, splits and blocks are the matter of golden_scenes.c.
// ctest: golden
#include "scenes.h"
#include "harness.h"
#include "support/fixture.h"
#include "support/scramble.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Entities of a world in scenes whose number can be chosen: their defaults are for benches.
#define ENTITY_COUNT 400u

static scene_run *make(const scene_desc *desc, uint32_t worlds, uint64_t seed,
                       cosm_placement placement) {
    cosm_error_clear();
    scene_run *run = scene_create(desc, &(scene_settings){
                                            .world_count = worlds,
                                            .seed = seed,
                                            .placement = placement,
                                            .entity_count = ENTITY_COUNT,
                                        });
    CHECK_STR(cosm_error_message(), "");
    CHECK(run != NULL);
    return run;
}

static void take(scene_run *run, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) {
        cosm_result result = scene_step(run);
        if (result != COSM_OK) {
            CHECK_STR(cosm_error_message(), "");
        }
        CHECK_INT(result, COSM_OK);
    }
}

static uint64_t checksum_after(const scene_desc *desc, uint32_t worlds, uint64_t seed,
                               cosm_placement placement, uint32_t steps) {
    scene_run *run = make(desc, worlds, seed, placement);
    if (run == NULL) {
        return 0;
    }
    take(run, steps);
    uint64_t checksum = cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
    scene_destroy(run);
    return checksum;
}

// One bit mixing step of a hash that does not depend on the library's own checksum.
static uint64_t stir(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001B3ull;
        hash ^= hash >> 29;
    }
    return hash;
}

// A hash of every row of a batch as its user sees it: entities and component bytes, in the order
// of a walk.
static uint64_t digest(cosm_batch *batch) {
    cosm_engine *engine = cosm_batch_engine(batch);
    cosm_query *all = cosm_query_create(engine, &(cosm_query_desc){.by_world = true});
    uint64_t hash = 1;
    cosm_rows rows;
    cosm_query_walk(all, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        cosm_component components[16];
        uint32_t count = cosm_archetype_components(engine, rows.archetype, 16, components);
        CHECK(count <= 16);
        if (rows.entities != NULL) {
            hash = stir(hash, rows.entities, rows.count * sizeof(cosm_entity));
        }
        for (uint32_t c = 0; c < count; c++) {
            unsigned char value[64];
            size_t size = cosm_component_describe(engine, components[c]).size;
            CHECK(size <= sizeof(value));
            for (uint32_t i = 0; size > 0 && i < rows.count; i++) {
                CHECK(cosm_rows_get(&rows, i, components[c], value));
                hash = stir(hash, value, size);
            }
        }
    }
    cosm_query_destroy(all);
    return hash;
}

TEST(every_scene_is_found_by_its_name) {
    CHECK(scene_count() >= 4);
    for (uint32_t i = 0; i < scene_count(); i++) {
        CHECK(scene_find(scene_at(i)->name) == scene_at(i));
        CHECK(scene_at(i)->summary[0] != '\0');
        CHECK(scene_at(i)->defaults.world_count > 0);
        CHECK(scene_at(i)->default_steps > 0);
        CHECK(scene_at(i)->entity_max >= scene_at(i)->defaults.entity_count);
    }
    CHECK(scene_at(scene_count()) == NULL);
    CHECK(scene_find("no such scene") == NULL);
}

TEST(a_scene_without_settings_has_one_world) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene_run *run = scene_create(scene_at(i), NULL);
        REQUIRE(run != NULL);
        CHECK(scene_what(run) == scene_at(i));
        CHECK(cosm_batch_engine(scene_batch(run)) == scene_engine(run));
        CHECK_INT(cosm_batch_world_count(scene_batch(run)), 1);
        CHECK(cosm_batch_entity_count(scene_batch(run)) >= scene_at(i)->defaults.entity_count);
        take(run, 3);
        CHECK_INT(cosm_batch_step_count(scene_batch(run)), 3);
        scene_destroy(run);
    }
    scene_destroy(NULL);
}

TEST(the_same_seed_gives_the_same_state_and_another_seed_another) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_desc *desc = scene_at(i);
        uint64_t first = checksum_after(desc, 5, 7, COSM_PLACEMENT_GROWING, 50);
        uint64_t again = checksum_after(desc, 5, 7, COSM_PLACEMENT_GROWING, 50);
        uint64_t other = checksum_after(desc, 5, 8, COSM_PLACEMENT_GROWING, 50);
        CHECK_INT(again, first);
        CHECK(other != first);
    }
}

TEST(placement_does_not_change_the_state) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene_run *growing = make(scene_at(i), 5, 7, COSM_PLACEMENT_GROWING);
        scene_run *fixed = make(scene_at(i), 5, 7, COSM_PLACEMENT_FIXED);
        REQUIRE(growing != NULL && fixed != NULL);
        for (uint32_t round = 0; round < 5; round++) {
            take(growing, 40);
            take(fixed, 40);
            CHECK_INT(digest(scene_batch(fixed)), digest(scene_batch(growing)));
            CHECK_INT(cosm_hash_batch(scene_batch(fixed), COSM_HASH_EXACT),
                      cosm_hash_batch(scene_batch(growing), COSM_HASH_EXACT));
        }
        scene_destroy(growing);
        scene_destroy(fixed);
    }
}

TEST(a_world_goes_the_same_way_whatever_the_number_of_worlds) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene_run *few = make(scene_at(i), 3, 9, COSM_PLACEMENT_GROWING);
        scene_run *more = make(scene_at(i), 8, 9, COSM_PLACEMENT_GROWING);
        // More than one block of worlds, and a block that is not full.
        scene_run *many = make(scene_at(i), 131, 9, COSM_PLACEMENT_FIXED);
        REQUIRE(few != NULL && more != NULL && many != NULL);
        take(few, 50);
        take(more, 50);
        take(many, 50);
        for (uint32_t w = 0; w < 8; w++) {
            uint64_t checksum =
                cosm_hash_world(cosm_batch_world(scene_batch(more), w), COSM_HASH_EXACT);
            CHECK_INT(cosm_hash_world(cosm_batch_world(scene_batch(many), w), COSM_HASH_EXACT),
                      checksum);
            if (w < 3) {
                CHECK_INT(cosm_hash_world(cosm_batch_world(scene_batch(few), w), COSM_HASH_EXACT),
                          checksum);
            }
        }
        CHECK(cosm_hash_world(cosm_batch_world(scene_batch(few), 0), COSM_HASH_CONTENT) !=
              cosm_hash_world(cosm_batch_world(scene_batch(few), 1), COSM_HASH_CONTENT));
        scene_destroy(few);
        scene_destroy(more);
        scene_destroy(many);
    }
}

TEST(every_invariant_holds_while_a_scene_runs) {
    static const cosm_placement placements[] = {COSM_PLACEMENT_GROWING, COSM_PLACEMENT_FIXED};
    for (uint32_t i = 0; i < 2 * scene_count(); i++) {
        scene_run *run = make(scene_at(i / 2), 6, 11, placements[i % 2]);
        REQUIRE(run != NULL);
        for (uint32_t round = 0; round < 40; round++) {
            CHECK_INT(cosm_batch_validate(scene_batch(run)), COSM_OK);
            take(run, 5);
        }
        scene_destroy(run);
    }
}

// Entities that a world of this size never has more of.
static uint64_t most_entities(const scene_desc *desc) {
    uint32_t usual = desc->defaults.entity_count;
    return usual == 0 ? desc->entity_max : (uint64_t)desc->entity_max * ENTITY_COUNT / usual;
}

TEST(a_world_stays_populated_and_bounded_for_2000_steps_in_flat_memory) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_desc *desc = scene_at(i);
        scene_run *run = make(desc, 1, 13, COSM_PLACEMENT_GROWING);
        REQUIRE(run != NULL);
        cosm_batch *batch = scene_batch(run);
        size_t used_at_500 = 0;
        for (uint32_t s = 1; s <= 2000; s++) {
            take(run, 1);
            CHECK(cosm_batch_entity_count(batch) > 0);
            CHECK(cosm_batch_entity_count(batch) <= most_entities(desc));
            used_at_500 = s == 500 ? cosm_batch_memory(batch).used : used_at_500;
        }
        // A table or the commands may still double once; a leak would be a row per step.
        size_t used = cosm_batch_memory(batch).used;
        CHECK(used <= used_at_500 + used_at_500 / 4);
        CHECK_INT(cosm_batch_validate(batch), COSM_OK);
        scene_destroy(run);
    }
}

// More rows than a scene itself makes, and entities of sets that it does not have.
static void crowd(cosm_batch *batch, struct dice *dice) {
    cosm_engine_info info = cosm_engine_describe(cosm_batch_engine(batch));
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        cosm_world world = cosm_batch_world(batch, w);
        cosm_archetype archetype = {1 + dice_roll(dice, info.archetype_count)};
        cosm_rows rows;
        if (cosm_entity_spawn_many(world, archetype, dice_roll(dice, 150), &rows) != COSM_OK ||
            rows.entities == NULL) {
            continue;
        }
        for (uint32_t i = 0; i < 4; i++) {
            cosm_component component = {1 + dice_roll(dice, info.component_count)};
            cosm_entity entity = cosm_entity_at(world, (cosm_loc){archetype.id, i});
            cosm_result added = cosm_entity_add(world, entity, component);
            CHECK(added == COSM_OK || added == COSM_STALE || added == COSM_ERROR_SEALED);
        }
    }
}

TEST(a_scene_is_safe_in_any_state_that_loads) {
    struct dice dice = {.state = 86};
    for (uint32_t i = 0; i < scene_count(); i++) {
        for (uint32_t p = 0; p < 2; p++) {
            scene_settings settings = {
                .world_count = 3, .seed = 1, .entity_count = 50, .placement = (cosm_placement)p};
            scene_run *run = scene_create(scene_at(i), &settings);
            REQUIRE(run != NULL);
            cosm_worlds all = cosm_worlds_all(scene_batch(run));
            cosm_snapshot *first = cosm_snapshot_create(all);
            for (uint32_t round = 0; round < 24; round++) {
                crowd(scene_batch(run), &dice);
                scramble_and_load(scene_batch(run), &dice);
                for (uint32_t step = 0; step < 6 && scene_step(run) == COSM_OK; step++) {
                    CHECK_VALID(scene_batch(run));
                }
                CHECK_DONE(cosm_snapshot_restore(first, 0, all));
            }
            cosm_snapshot_destroy(first);
            scene_destroy(run);
        }
    }
}

TEST(bodies_come_to_rest_and_are_kicked_again) {
    scene_run *run = make(scene_find("falling"), 4, 3, COSM_PLACEMENT_FIXED);
    REQUIRE(run != NULL);
    cosm_component resting = cosm_component_find(scene_engine(run), "Resting");
    cosm_query *query = cosm_query_create(
        scene_engine(run),
        &(cosm_query_desc){.terms = {{.component = resting, .access = COSM_ACCESS_WRITE}}});
    REQUIRE(query != NULL);
    uint64_t most = 0;
    uint32_t fewer = 0; // steps after which fewer were at rest than before
    uint64_t before = 0;
    for (uint32_t s = 0; s < 600; s++) {
        take(run, 1);
        uint64_t now = cosm_query_count(query, cosm_worlds_all(scene_batch(run)));
        fewer += now < before;
        most = now > most ? now : most;
        before = now;
    }
    CHECK(most > 8);
    CHECK(fewer > 8);
    CHECK_INT(cosm_batch_entity_count(scene_batch(run)), 4 * 32);
    scene_destroy(run);
}

TEST(in_the_grid_world_agents_and_food_come_and_go) {
    scene_run *run = make(scene_find("grid"), 8, 3, COSM_PLACEMENT_GROWING);
    REQUIRE(run != NULL);
    cosm_batch *batch = scene_batch(run);
    cosm_archetype agent = cosm_archetype_find(scene_engine(run), "agent");
    cosm_archetype food = cosm_archetype_find(scene_engine(run), "food");
    cosm_archetype bites = cosm_archetype_find(scene_engine(run), "bites");
    uint32_t agent_changes = 0;
    uint32_t food_changes = 0;
    uint32_t agents_before = 0;
    uint32_t food_before = 0;
    for (uint32_t s = 0; s < 400; s++) {
        take(run, 1);
        uint32_t agents = 0;
        uint32_t meals = 0;
        for (uint32_t w = 0; w < 8; w++) {
            agents += cosm_table_row_count(cosm_batch_world(batch, w), agent);
            meals += cosm_table_row_count(cosm_batch_world(batch, w), food);
            CHECK_INT(cosm_table_row_count(cosm_batch_world(batch, w), bites), 0);
        }
        agent_changes += agents != agents_before;
        food_changes += meals != food_before;
        agents_before = agents;
        food_before = meals;
    }
    CHECK(agent_changes > 100);
    CHECK(food_changes > 200);
    scene_destroy(run);
}

TEST(in_the_swarm_particles_are_replaced_and_sparks_come_and_go) {
    scene_run *run = make(scene_find("swarm"), 2, 3, COSM_PLACEMENT_GROWING);
    REQUIRE(run != NULL);
    cosm_archetype particle = cosm_archetype_find(scene_engine(run), "particle");
    cosm_archetype spark = cosm_archetype_find(scene_engine(run), "spark");
    cosm_world world = cosm_batch_world(scene_batch(run), 1);
    cosm_entity first = cosm_table_entities(world, particle)[0];
    uint32_t changes = 0;
    uint32_t before = 0;
    for (uint32_t s = 0; s < 1000; s++) {
        take(run, 1);
        CHECK_INT(cosm_table_row_count(world, particle), ENTITY_COUNT);
        uint32_t sparks = cosm_table_row_count(world, spark);
        changes += sparks != before;
        before = sparks;
    }
    CHECK(changes > 40);
    CHECK(!cosm_entity_is_alive(world, first));
    scene_destroy(run);
}

TEST(where_the_number_of_entities_is_the_scenes_own_it_cannot_be_chosen) {
    scene_settings settings = {.entity_count = 7};
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene_run *run = scene_create(scene_at(i), &settings);
        REQUIRE(run != NULL);
        bool is_chosen = scene_at(i)->defaults.entity_count != 0;
        CHECK((cosm_batch_entity_count(scene_batch(run)) == 7) == is_chosen);
        scene_destroy(run);
    }
}

static void collect(void *context, const char *text, size_t length) {
    char *plan = context;
    size_t used = strlen(plan);
    if (used + length < 4096) {
        memcpy(plan + used, text, length);
        plan[used + length] = '\0';
    }
}

TEST(every_scene_but_the_grid_has_systems_that_run_side_by_side) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene_run *run = make(scene_at(i), 1, 1, COSM_PLACEMENT_GROWING);
        REQUIRE(run != NULL);
        char plan[4096] = "";
        CHECK_INT(cosm_plan_print(scene_engine(run), COSM_PLAN_TEXT, collect, plan), COSM_OK);
        bool is_grid = strcmp(scene_at(i)->name, "grid") == 0;
        CHECK((strstr(plan, "side by side") == NULL) == is_grid);
        CHECK((strstr(plan, "sync point at 'digest'") != NULL) == is_grid);
        scene_destroy(run);
    }
}

TEST(a_scene_that_runs_out_of_memory_is_refused_with_a_message) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        cosm_error_clear();
        scene_settings settings = {.world_count = 4096, .memory_limit = 1 << 16};
        CHECK(scene_create(scene_at(i), &settings) == NULL);
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK(cosm_error_message()[0] != '\0');
    }
}

// An allocator that fails once, at the allocation with a given number. Workers share it.
struct faulty {
    atomic_ullong count;
    uint64_t fails_at;
    atomic_llong blocks; // given out and not given back
};

static void *allocate(void *context, size_t size, size_t alignment) {
    struct faulty *faulty = context;
    if (atomic_fetch_add(&faulty->count, 1) == faulty->fails_at) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    atomic_fetch_add(&faulty->blocks, memory != NULL);
    return memory;
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)size;
    (void)alignment;
    struct faulty *faulty = context;
    atomic_fetch_sub(&faulty->blocks, 1);
    free(memory);
}

// Runs a scene for some steps, with its allocation number `fails_at` failing. Its checksum, or zero
// when the run failed, which is done cleanly; the number of allocations to `out_count`.
static uint64_t run_faulty(const scene_desc *desc, uint64_t fails_at, uint32_t workers,
                           cosm_split split, uint64_t *out_count) {
    struct faulty faulty = {.fails_at = fails_at};
    scene_settings settings = {
        .world_count = 3,
        .seed = 5,
        .entity_count = 5 * ENTITY_COUNT, // several chunks
        .split = split,
        .engine = {.allocator = {.allocate = allocate, .release = release, .context = &faulty},
                   .worker_count = workers},
    };
    cosm_error_clear();
    cosm_result result = COSM_OK;
    scene_run *run = scene_create(desc, &settings);
    for (uint32_t s = 0; run != NULL && s < 30 && result == COSM_OK; s++) {
        result = scene_step(run);
    }
    bool failed = run == NULL || result != COSM_OK;
    if (failed) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK(cosm_error_message()[0] != '\0');
    }
    uint64_t checksum = failed ? 0 : cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
    if (run != NULL) {
        CHECK_INT(cosm_batch_validate(scene_batch(run)), COSM_OK);
    }
    scene_destroy(run);
    CHECK_INT(faulty.blocks, 0);
    *out_count = faulty.count;
    return checksum;
}

static void check_every_allocation(uint32_t workers, cosm_split split) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        uint64_t count = 0;
        uint64_t ignored = 0;
        uint64_t failures = 0;
        uint64_t whole = run_faulty(scene_at(i), UINT64_MAX, workers, split, &count);
        CHECK(whole != 0);
        for (uint64_t n = 0; n < count; n++) {
            uint64_t checksum = run_faulty(scene_at(i), n, workers, split, &ignored);
            CHECK(checksum == 0 || checksum == whole);
            failures += checksum == 0;
        }
        CHECK(failures > count / 2);
    }
}

// A want of memory may only mean that commands are applied in smaller portions, or that fewer
// workers work.
TEST(a_scene_fails_cleanly_at_every_allocation_or_comes_to_the_same_state) {
    check_every_allocation(1, COSM_SPLIT_AUTO);
}

TEST(with_several_workers_it_does_so_too) {
    check_every_allocation(3, COSM_SPLIT_WORLDS);
    check_every_allocation(3, COSM_SPLIT_CHUNKS);
}

// A change of these numbers is a change of what the scenes do, on some compiler or on all.
TEST(the_state_after_100_steps_is_the_golden_one) {
    static const struct {
        const char *scene;
        uint64_t digest;
    } golden[] = {
        {"falling", 0xc1523400bb31ea2bull},
        {"grid", 0x5388edc914d24cf6ull},
        {"boids", 0x7d16c02c38f8852eull},
        {"swarm", 0x6a91ae3f3562ab91ull},
    };
    for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
        scene_run *run = make(scene_find(golden[i].scene), 3, 1, COSM_PLACEMENT_GROWING);
        REQUIRE(run != NULL);
        take(run, 100);
        CHECK_INT(digest(scene_batch(run)), golden[i].digest);
        scene_destroy(run);
    }
}
