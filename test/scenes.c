// The scenes: the same state from the same seed, whatever the number of worlds, the placement, the
// compiler and the optimisation level; and worlds that neither grow without end nor die out.
// ctest: golden
#include "scenes.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

static scene_run *make(const scene_desc *desc, uint32_t worlds, uint64_t seed,
                       cosm_placement placement) {
    cosm_error_clear();
    scene_run *run = scene_create(desc, &(scene_settings){
                                            .world_count = worlds,
                                            .seed = seed,
                                            .placement = placement,
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
    uint64_t checksum = cosm_batch_checksum(scene_batch(run));
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
            size_t size = cosm_component_size(engine, components[c]);
            if (size > 0) {
                hash = stir(hash, cosm_rows_column(&rows, components[c]), rows.count * size);
            }
        }
    }
    cosm_query_destroy(all);
    return hash;
}

TEST(every_scene_is_found_by_its_name) {
    CHECK(scene_count() >= 3);
    for (uint32_t i = 0; i < scene_count(); i++) {
        CHECK(scene_find(scene_at(i)->name) == scene_at(i));
        CHECK(scene_at(i)->summary[0] != '\0');
        CHECK(scene_at(i)->defaults.world_count > 0);
        CHECK(scene_at(i)->default_steps > 0);
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
            CHECK_INT(cosm_batch_checksum(scene_batch(fixed)),
                      cosm_batch_checksum(scene_batch(growing)));
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
            uint64_t checksum = cosm_world_checksum(cosm_batch_world(scene_batch(more), w));
            CHECK_INT(cosm_world_checksum(cosm_batch_world(scene_batch(many), w)), checksum);
            if (w < 3) {
                CHECK_INT(cosm_world_checksum(cosm_batch_world(scene_batch(few), w)), checksum);
            }
        }
        CHECK(cosm_world_checksum(cosm_batch_world(scene_batch(few), 0)) !=
              cosm_world_checksum(cosm_batch_world(scene_batch(few), 1)));
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
            CHECK(cosm_batch_entity_count(batch) <= desc->entity_max);
            used_at_500 = s == 500 ? cosm_batch_memory(batch).used : used_at_500;
        }
        // A table or the commands may still double once; a leak would be a row per step.
        size_t used = cosm_batch_memory(batch).used;
        CHECK(used <= used_at_500 + used_at_500 / 4);
        CHECK_INT(cosm_batch_validate(batch), COSM_OK);
        scene_destroy(run);
    }
}

TEST(bodies_come_to_rest_and_are_kicked_again) {
    scene_run *run = make(scene_find("falling"), 4, 3, COSM_PLACEMENT_FIXED);
    REQUIRE(run != NULL);
    cosm_component resting = cosm_component_find(scene_engine(run), "Resting");
    cosm_query *query =
        cosm_query_create(scene_engine(run), &(cosm_query_desc){.terms = {{.component = resting}}});
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

TEST(a_scene_that_runs_out_of_memory_is_refused_with_a_message) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        cosm_error_clear();
        scene_settings settings = {.world_count = 4096, .memory_limit = 1 << 16};
        CHECK(scene_create(scene_at(i), &settings) == NULL);
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK(cosm_error_message()[0] != '\0');
    }
}

// An allocator that fails once, at the allocation with a given number.
struct faulty {
    uint64_t count;
    uint64_t fails_at;
    uint64_t blocks; // given out and not given back
};

static void *allocate(void *context, size_t size, size_t alignment) {
    struct faulty *faulty = context;
    if (faulty->count++ == faulty->fails_at) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    faulty->blocks += memory != NULL;
    return memory;
}

static void release(void *context, void *memory, size_t size, size_t alignment) {
    (void)size;
    (void)alignment;
    struct faulty *faulty = context;
    faulty->blocks--;
    free(memory);
}

// Runs a scene for some steps. True when the failing allocation was reached.
static bool fails(const scene_desc *desc, struct faulty *faulty) {
    cosm_allocator allocator = {.allocate = allocate, .release = release, .context = faulty};
    scene_settings settings = {.world_count = 3, .seed = 5, .engine = {.allocator = allocator}};
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
    if (run != NULL) {
        CHECK_INT(cosm_batch_validate(scene_batch(run)), COSM_OK);
    }
    scene_destroy(run);
    return failed;
}

TEST(a_scene_fails_cleanly_at_every_allocation) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        struct faulty faulty = {.fails_at = UINT64_MAX};
        CHECK(!fails(scene_at(i), &faulty));
        CHECK_INT(faulty.blocks, 0);
        uint64_t count = faulty.count;
        for (uint64_t n = 0; n < count; n++) {
            faulty = (struct faulty){.fails_at = n};
            CHECK(fails(scene_at(i), &faulty));
            CHECK_INT(faulty.blocks, 0);
        }
    }
}

// A change of these numbers is a change of what the scenes do, on some compiler or on all.
TEST(the_state_after_100_steps_is_the_golden_one) {
    static const struct {
        const char *scene;
        uint64_t digest;
    } golden[] = {
        {"falling", 0x109a7665a27c1feaull},
        {"grid", 0x41ef4d47e6859d23ull},
        {"boids", 0x8275fc1c755934b6ull},
    };
    for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
        scene_run *run = make(scene_find(golden[i].scene), 3, 1, COSM_PLACEMENT_GROWING);
        REQUIRE(run != NULL);
        take(run, 100);
        CHECK_INT(digest(scene_batch(run)), golden[i].digest);
        scene_destroy(run);
    }
}
