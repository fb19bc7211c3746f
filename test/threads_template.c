// Templates used by several threads at a time: each spawns in worlds of its own from templates that
// all have, whose objects are copied side by side, while more are defined and captured.
#include <pthread.h>
#include <stdio.h>

#include "harness.h"
#include "support/grove.h"

enum { GARDENERS = 3, ROUNDS = 12 };

struct gardener {
    struct grove *grove;
    uint32_t world;
};

// Spawns in all ways, looks at the trees, and lets some of them end.
static void *plant(void *context) {
    struct gardener *gardener = context;
    struct grove *grove = gardener->grove;
    cosm_world world = vault_world(&grove->vault, gardener->world);
    cosm_commands *commands = cosm_commands_create(grove->vault.batch);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct other_values other;
        other_open(grove, &other, 100 * gardener->world + round);
        cosm_entity one = cosm_template_spawn(world, grove->tree, other.list, 7);
        grove_check(grove, world, one, &other.values);
        cosm_rows rows;
        CHECK_DONE(cosm_template_spawn_many(world, grove->tree, 3, NULL, 0, &rows));
        grove_check(grove, world, rows.entities[2], &tree_as_defined);
        cosm_entity late =
            cosm_commands_spawn_template(commands, world, grove->tree, other.list, 7);
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        grove_check(grove, world, late, &other.values);
        char name[32];
        (void)snprintf(name, sizeof(name), "of %u in round %u", gardener->world, round);
        cosm_template own = cosm_template_capture(world, one, name, true);
        CHECK_DONE(cosm_tree_despawn(world, one));
        CHECK_DONE(cosm_tree_despawn(world, late));
        grove_check(grove, world, cosm_template_spawn(world, own, NULL, 0), &other.values);
        CHECK(cosm_template_find(grove->vault.engine, name).id == own.id);
        other_close(grove, &other);
    }
    cosm_commands_destroy(commands);
    return NULL;
}

TEST(templates_are_spawned_and_captured_on_several_threads) {
    struct grove grove;
    grove_open(&grove, GARDENERS);
    struct gardener gardeners[GARDENERS];
    pthread_t threads[GARDENERS];
    for (uint32_t i = 0; i < GARDENERS; i++) {
        gardeners[i] = (struct gardener){&grove, i};
        CHECK_INT(pthread_create(&threads[i], NULL, plant, &gardeners[i]), 0);
    }
    for (uint32_t i = 0; i < GARDENERS; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < GARDENERS; i++) {
        CHECK_INT(cosm_world_entity_count(vault_world(&grove.vault, i)),
                  ROUNDS * 4 * TREE_ENTITIES);
    }
    grove_close(&grove);
}

// Records a tree for each row at hand.
static void sow(cosm_rows *rows) {
    const struct grove *grove = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    cosm_world world = {rows->batch, rows->world};
    for (uint32_t i = 0; i < rows->count; i++) {
        CHECK(!cosm_entity_is_none(
            cosm_commands_spawn_template(commands, world, grove->tree, NULL, 0)));
    }
}

// The checksum after a step with so many workers.
static uint64_t sow_with(uint32_t worker_count) {
    enum { WORLDS = 8 };
    struct grove grove;
    grove_open_with(&grove, &(cosm_engine_desc){.worker_count = worker_count},
                    &(cosm_batch_desc){.world_count = WORLDS});
    grove_define(&grove);
    struct vault *vault = &grove.vault;
    cosm_archetype_desc seed_desc = {.name = "seed", .components = {vault->mark}};
    cosm_archetype seed = cosm_archetype_define(vault->engine, &seed_desc);
    cosm_system_desc desc = {
        .name = "sow",
        .each = sow,
        .context = &grove,
        .commands = true,
        .queries = {{.terms = {{.component = vault->mark, .access = COSM_ACCESS_WRITE}},
                     .by_world = true}}};
    CHECK(cosm_system_define(vault->engine, &desc).id != 0);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(vault_world(vault, w), seed, 1 + w, &rows));
    }
    CHECK_DONE(cosm_batch_step(vault->batch));
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK_INT(cosm_world_entity_count(vault_world(vault, w)), (1 + w) * (1 + TREE_ENTITIES));
        CHECK_INT(cosm_managed_count(vault_world(vault, w), vault->text), (1 + w) * 5);
    }
    CHECK_VALID(vault->batch);
    uint64_t checksum = cosm_hash_batch(vault->batch, COSM_HASH_EXACT);
    grove_close(&grove);
    return checksum;
}

TEST(systems_record_templates_and_the_result_does_not_depend_on_the_workers) {
    uint64_t alone = sow_with(1);
    CHECK_INT(sow_with(2), alone);
    CHECK_INT(sow_with(4), alone);
}
