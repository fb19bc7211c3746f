// Templates used by several threads at a time: each spawns in worlds of its own from templates that
// all have, whose objects are copied side by side, while more are defined and captured.
#include <pthread.h>
#include <stdio.h>

#include "harness.h"
#include "support/templates.h"

enum { GARDENERS = 3, ROUNDS = 12 };

struct gardener {
    struct fixture *box;
    uint32_t world;
};

// Spawns in all ways, looks at the trees, and lets some of them end.
static void *plant(void *context) {
    struct gardener *gardener = context;
    struct fixture *box = gardener->box;
    cosm_world world = fixture_world(box, gardener->world);
    cosm_commands *commands = cosm_commands_create(box->batch);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct other_values other;
        other_open(box, &other, 100 * gardener->world + round);
        cosm_entity one = cosm_template_spawn(world, box->tree, other.list, 7);
        check_tree(box, world, one, &other.values);
        cosm_rows rows;
        CHECK_DONE(cosm_template_spawn_many(world, box->tree, 3, NULL, 0, &rows));
        check_tree(box, world, rows.entities[2], &tree_as_defined);
        cosm_entity late = cosm_commands_spawn_template(commands, world, box->tree, other.list, 7);
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        check_tree(box, world, late, &other.values);
        char name[32];
        (void)snprintf(name, sizeof(name), "of %u in round %u", gardener->world, round);
        cosm_template own = cosm_template_capture(world, one, name, true);
        CHECK_DONE(cosm_tree_despawn(world, one));
        CHECK_DONE(cosm_tree_despawn(world, late));
        check_tree(box, world, cosm_template_spawn(world, own, NULL, 0), &other.values);
        CHECK(cosm_template_find(box->engine, name).id == own.id);
        other_close(box, &other);
    }
    cosm_commands_destroy(commands);
    return NULL;
}

TEST(templates_are_spawned_and_captured_on_several_threads) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, GARDENERS);
    struct gardener gardeners[GARDENERS];
    pthread_t threads[GARDENERS];
    for (uint32_t i = 0; i < GARDENERS; i++) {
        gardeners[i] = (struct gardener){&box, i};
        CHECK_INT(pthread_create(&threads[i], NULL, plant, &gardeners[i]), 0);
    }
    for (uint32_t i = 0; i < GARDENERS; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < GARDENERS; i++) {
        CHECK_INT(cosm_world_entity_count(fixture_world(&box, i)), ROUNDS * 4 * TREE_ENTITIES);
    }
    fixture_close(&box);
}

// Records a tree for each row at hand.
static void sow(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = {rows->batch, rows->world};
    for (uint32_t i = 0; i < rows->count; i++) {
        CHECK(!cosm_entity_is_none(
            cosm_commands_spawn_template(commands, world, box->tree, NULL, 0)));
    }
}

// The checksum after a step with so many workers.
static uint64_t sow_with(uint32_t worker_count) {
    enum { WORLDS = 8 };
    struct fixture box;
    fixture_open_with(&box, FIXTURE_TEMPLATE, &(cosm_engine_desc){.worker_count = worker_count},
                      &(cosm_batch_desc){.world_count = WORLDS});
    define_templates(&box);
    cosm_archetype_desc seed_desc = {.name = "seed", .components = {box.mark}};
    cosm_archetype seed = cosm_archetype_define(box.engine, &seed_desc);
    cosm_system_desc desc = {
        .name = "sow",
        .each = sow,
        .context = &box,
        .commands = true,
        .queries = {
            {.terms = {{.component = box.mark, .access = COSM_ACCESS_WRITE}}, .by_world = true}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), seed, 1 + w, &rows));
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), (1 + w) * (1 + TREE_ENTITIES));
        CHECK_INT(cosm_managed_count(fixture_world(&box, w), box.text), (1 + w) * 5);
    }
    CHECK_VALID(box.batch);
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return checksum;
}

TEST(systems_record_templates_and_the_result_does_not_depend_on_the_workers) {
    uint64_t alone = sow_with(1);
    CHECK_INT(sow_with(2), alone);
    CHECK_INT(sow_with(4), alone);
}
