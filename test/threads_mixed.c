// Threads: direct changes, recording and walks of different worlds of one batch at the same time.
#include <pthread.h>
#include <stdatomic.h>

#include "harness.h"
#include "support/fixture.h"

#define WORLDS 6u

struct stage {
    struct fixture box;
    cosm_query *query;
    cosm_commands *commands[WORLDS];
    atomic_uint wrong;
};

struct part {
    pthread_t thread;
    uint32_t world;
    struct stage *stage;
};

// Worlds 0 and 1: spawned in, changed and despawned in, also past the size of a pooled block.
static void change_directly(struct stage *stage, cosm_world world) {
    struct fixture *box = &stage->box;
    for (uint32_t round = 0; round < 20; round++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, box->mover, 500 * (round % 7), &rows));
        cosm_entity entity = cosm_entity_spawn(world, box->mover);
        CHECK_DONE(cosm_entity_set(world, entity, box->health, &(Health){round}));
        CHECK_DONE(cosm_query_add(stage->query, cosm_worlds_one(world), box->mark));
        CHECK_DONE(cosm_query_remove(stage->query, cosm_worlds_one(world), box->mark));
        CHECK_DONE(cosm_table_sort_u32(world, box->mover, box->position, 0));
        if (round % 3 == 0) {
            CHECK_DONE(cosm_world_reset(world));
        }
    }
}

// Worlds 2 and 3: changed by commands that are recorded and applied here.
static void change_by_commands(struct stage *stage, cosm_world world) {
    struct fixture *box = &stage->box;
    cosm_commands *commands = stage->commands[world.index];
    for (uint32_t round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < 40; i++) {
            cosm_entity entity = cosm_commands_spawn(commands, world, box->mover);
            CHECK_DONE(cosm_commands_set(commands, world, entity, box->health, &(Health){i}));
            if (i % 4 == 0) {
                CHECK_DONE(cosm_commands_despawn(commands, world, entity));
            }
        }
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        CHECK_INT(cosm_world_entity_count(world), 30 * (round + 1));
    }
}

// Worlds 4 and 5: walked again and again.
static void walk_only(struct stage *stage, cosm_world world) {
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = 0;
        cosm_rows rows;
        cosm_query_walk(stage->query, cosm_worlds_one(world), &rows);
        while (cosm_rows_next(&rows)) {
            count += rows.count;
        }
        cosm_entity first = cosm_query_first(stage->query, cosm_worlds_one(world), NULL);
        if (count != 100 || !cosm_entity_is_alive(world, first)) {
            atomic_fetch_add(&stage->wrong, 1);
        }
    }
}

static void *play(void *argument) {
    struct part *part = argument;
    cosm_world world = fixture_world(&part->stage->box, part->world);
    if (part->world < 2) {
        change_directly(part->stage, world);
    } else if (part->world < 4) {
        change_by_commands(part->stage, world);
    } else {
        walk_only(part->stage, world);
    }
    return NULL;
}

TEST(some_worlds_are_changed_some_by_commands_and_some_walked_at_the_same_time) {
    static struct stage stage;
    struct fixture *box = &stage.box;
    fixture_open(box, 0, WORLDS);
    stage.query = fixture_query(box, box->position, (cosm_component){0});
    for (uint32_t w = 0; w < WORLDS; w++) {
        stage.commands[w] = cosm_commands_create(box->batch);
        CHECK_DONE(cosm_world_seed(fixture_world(box, w), 1, 0)); // exact hashes are compared
    }
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, 4), box->mover, 100, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(box, 5), box->mover, 100, &rows));
    struct part parts[WORLDS];
    for (uint32_t w = 0; w < WORLDS; w++) {
        parts[w] = (struct part){.world = w, .stage = &stage};
        CHECK_INT(pthread_create(&parts[w].thread, NULL, play, &parts[w]), 0);
    }
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK_INT(pthread_join(parts[w].thread, NULL), 0);
        cosm_commands_destroy(stage.commands[w]);
    }
    CHECK_INT(atomic_load(&stage.wrong), 0);
    CHECK_VALID(box->batch);
    CHECK_INT(cosm_hash_world(fixture_world(box, 0), COSM_HASH_EXACT),
              cosm_hash_world(fixture_world(box, 1), COSM_HASH_EXACT));
    CHECK_INT(cosm_hash_world(fixture_world(box, 2), COSM_HASH_EXACT),
              cosm_hash_world(fixture_world(box, 3), COSM_HASH_EXACT));
    CHECK_INT(cosm_hash_world(fixture_world(box, 4), COSM_HASH_EXACT),
              cosm_hash_world(fixture_world(box, 5), COSM_HASH_EXACT));
    cosm_query_destroy(stage.query);
    fixture_close(box);
}
