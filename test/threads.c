// Threads: recording, walking, forming archetypes, making queries and changing worlds from several
// threads at once.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define THREAD_MAX 24u

// What one thread is told.
struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    void *(*run)(void *);
    uint32_t index;
    void *context;
};

static void *start_together(void *argument) {
    struct worker *worker = argument;
    pthread_barrier_wait(worker->start);
    return worker->run(worker);
}

// Runs `run` on `count` threads at once and waits for all of them.
static void run_threads(uint32_t count, void *(*run)(void *), void *context) {
    struct worker workers[THREAD_MAX];
    pthread_barrier_t start;
    CHECK_INT(pthread_barrier_init(&start, NULL, count), 0);
    for (uint32_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.start = &start, .run = run, .index = i, .context = context};
        CHECK_INT(pthread_create(&workers[i].thread, NULL, start_together, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(pthread_join(workers[i].thread, NULL), 0);
    }
    pthread_barrier_destroy(&start);
}

// A fixture, a commands object per thread, and entities that all threads know.
struct scene {
    struct fixture box;
    cosm_commands *commands[THREAD_MAX];
    uint32_t thread_count;
    cosm_entity entities[1000];
    uint32_t entity_count;
    cosm_entity spawned[THREAD_MAX][500];
};

static struct scene *scene_open(uint32_t thread_count, uint32_t world_count, uint32_t entities) {
    struct scene *scene = calloc(1, sizeof(*scene));
    if (scene == NULL) {
        abort();
    }
    fixture_open(&scene->box, 0, world_count);
    scene->thread_count = thread_count;
    scene->entity_count = entities;
    for (uint32_t i = 0; i < thread_count; i++) {
        scene->commands[i] = cosm_commands_create(scene->box.batch);
        CHECK(scene->commands[i] != NULL);
    }
    for (uint32_t i = 0; i < entities; i++) {
        scene->entities[i] = fixture_spawn(&scene->box, (float)i);
    }
    return scene;
}

static void scene_close(struct scene *scene) {
    for (uint32_t i = 0; i < scene->thread_count; i++) {
        cosm_commands_destroy(scene->commands[i]);
    }
    fixture_close(&scene->box);
    free(scene);
}

static void *record_spawns(void *argument) {
    struct worker *worker = argument;
    struct scene *scene = worker->context;
    for (uint32_t i = 0; i < 100; i++) {
        scene->spawned[worker->index][i] =
            cosm_commands_spawn(scene->commands[worker->index], scene->box.world, scene->box.mover);
    }
    return NULL;
}

TEST(ten_threads_record_a_hundred_spawns_each_and_a_thousand_distinct_entities_live) {
    struct scene *scene = scene_open(10, 1, 501);
    cosm_world world = scene->box.world;
    // Some ids are free already, so that recycled and fresh ones are handed out side by side.
    CHECK_DONE(cosm_entity_despawn_many(world, scene->entities, 500));
    run_threads(10, record_spawns, scene);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply_many(scene->commands, 10, &report));
    CHECK_INT(report.spawned, 1000);
    CHECK_INT(report.skipped, 0);
    CHECK_INT(cosm_world_entity_count(world), 1001);
    static bool seen[1001];
    memset(seen, 0, sizeof(seen));
    uint32_t distinct = 0;
    for (uint32_t t = 0; t < 10; t++) {
        for (uint32_t i = 0; i < 100; i++) {
            cosm_entity entity = scene->spawned[t][i];
            CHECK(cosm_entity_is_alive(world, entity));
            CHECK(entity.id < 1001);
            distinct += entity.id < 1001 && !seen[entity.id];
            seen[entity.id % 1001] = true;
        }
    }
    CHECK_INT(distinct, 1000);
    scene_close(scene);
}

static void *record_adds_or_removes(void *argument) {
    struct worker *worker = argument;
    struct scene *scene = worker->context;
    cosm_commands *commands = scene->commands[worker->index];
    for (uint32_t i = 0; i < 1000; i++) {
        cosm_entity entity = scene->entities[i % scene->entity_count];
        if (worker->index < 2) {
            CHECK_DONE(cosm_commands_add(commands, scene->box.world, entity, scene->box.mark));
        } else {
            CHECK_DONE(cosm_commands_remove(commands, scene->box.world, entity, scene->box.mark));
        }
    }
    return NULL;
}

TEST(two_threads_add_and_two_remove_and_the_order_of_the_list_decides) {
    struct scene *scene = scene_open(4, 1, 100);
    struct fixture *box = &scene->box;
    for (int turn = 0; turn < 2; turn++) {
        run_threads(4, record_adds_or_removes, scene);
        cosm_commands *list[4];
        for (int i = 0; i < 4; i++) {
            list[i] = scene->commands[turn == 0 ? i : 3 - i];
        }
        CHECK_DONE(cosm_commands_apply_many(list, 4, NULL));
        CHECK_VALID(box->batch);
        for (uint32_t i = 0; i < 100; i++) {
            CHECK(cosm_entity_has(box->world, scene->entities[i], box->mark) == (turn == 1));
            CHECK_NEAR(COSM_READ(box->world, scene->entities[i], Position)->x, (double)i, 0);
        }
    }
    scene_close(scene);
}

// Threads that walk, and the query they walk.
struct walkers {
    struct fixture box;
    cosm_query *query;
    atomic_uint wrong;
};

static void *walk_often(void *argument) {
    struct worker *worker = argument;
    struct walkers *walkers = worker->context;
    for (int turn = 0; turn < 100; turn++) {
        uint32_t count = 0;
        uint64_t sum = 0;
        cosm_rows rows;
        cosm_worlds worlds = walkers->box.all;
        cosm_query_walk(walkers->query, worlds, &rows);
        while (cosm_rows_next(&rows)) {
            const Position *position = COSM_COLUMN_READ(&rows, Position, 0);
            for (uint32_t i = 0; i < rows.count; i++) {
                sum += (uint64_t)position[i].x;
                count++;
            }
        }
        if (count != 1000 || sum != 499500 || cosm_query_count(walkers->query, worlds) != 1000) {
            atomic_fetch_add(&walkers->wrong, 1);
        }
    }
    return NULL;
}

TEST(five_threads_walk_a_hundred_times_each_and_every_walk_sees_every_row_once) {
    struct walkers walkers = {.query = NULL};
    fixture_open(&walkers.box, 0, 5);
    struct fixture *box = &walkers.box;
    for (uint32_t i = 0; i < 1000; i++) {
        Position position = {(float)i, 0, 0};
        cosm_archetype archetype = i % 50 < 4 ? box->slot : box->mover;
        cosm_world world = fixture_world(box, i / 200);
        cosm_entity entity = cosm_entity_spawn_with(
            world, cosm_table_row_count(world, box->slot) < 4 ? archetype : box->mover,
            &(cosm_value){box->position, &position}, 1);
        CHECK(!cosm_entity_is_none(entity));
    }
    walkers.query =
        cosm_query_create(box->engine, &(cosm_query_desc){.terms = {{.component = box->position}}});
    run_threads(5, walk_often, &walkers);
    CHECK_INT(atomic_load(&walkers.wrong), 0);
    CHECK(!cosm_world_is_walked(box->world));
    cosm_query_destroy(walkers.query);
    fixture_close(box);
}

// One thread begins a walk and ends it when told; the test's own thread looks on meanwhile.
struct holder {
    struct fixture box;
    cosm_query *query;
    pthread_barrier_t gate;
};

static void *hold_walk(void *argument) {
    struct worker *worker = argument;
    struct holder *holder = worker->context;
    cosm_rows rows;
    cosm_query_walk(holder->query, cosm_worlds_one(holder->box.world), &rows);
    CHECK(cosm_rows_next(&rows));
    pthread_barrier_wait(&holder->gate);
    pthread_barrier_wait(&holder->gate);
    CHECK_INT(rows.count, 1);
    CHECK(!cosm_rows_next(&rows));
    return NULL;
}

TEST(a_walk_on_another_thread_locks_the_world_until_it_ends) {
    struct holder holder = {.query = NULL};
    struct fixture *box = &holder.box;
    fixture_open(box, 0, 2);
    cosm_entity entity = fixture_spawn(box, 0);
    holder.query = fixture_query(box, box->position, (cosm_component){0});
    CHECK_INT(pthread_barrier_init(&holder.gate, NULL, 2), 0);
    struct worker worker = {.context = &holder};
    CHECK_INT(pthread_create(&worker.thread, NULL, hold_walk, &worker), 0);
    pthread_barrier_wait(&holder.gate);
    CHECK(cosm_world_is_walked(box->world));
    CHECK_FAILS(cosm_entity_despawn(box->world, entity), COSM_ERROR_WALKED,
                "cosm_entity_despawn:", "world 0", "cosm_commands");
    cosm_rows rows;
    cosm_query_walk(holder.query, cosm_worlds_one(box->world), &rows);
    CHECK(cosm_rows_next(&rows));
    cosm_rows_end(&rows);
    CHECK(cosm_world_is_walked(box->world));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, 1), box->mover)));
    pthread_barrier_wait(&holder.gate);
    CHECK_INT(pthread_join(worker.thread, NULL), 0);
    CHECK(!cosm_world_is_walked(box->world));
    CHECK_DONE(cosm_entity_despawn(box->world, entity));
    pthread_barrier_destroy(&holder.gate);
    cosm_query_destroy(holder.query);
    fixture_close(box);
}

enum op { OP_SPAWN, OP_DESPAWN, OP_ADD, OP_REMOVE, OP_SET, OP_COUNT };

// What the commands of all threads, one list after the other, should come to.
struct expected {
    bool alive[1000];
    bool marked[1000];
    uint32_t points[1000];
    bool has_points[1000];
    cosm_commands_report report;
};

// The draws of one thread: the same when recording and when expecting.
static enum op draw(struct dice *dice, uint32_t entities, uint32_t *out_entity) {
    *out_entity = dice_roll(dice, entities);
    return (enum op)dice_roll(dice, OP_COUNT);
}

static void *record_mixed(void *argument) {
    struct worker *worker = argument;
    struct scene *scene = worker->context;
    struct fixture *box = &scene->box;
    cosm_commands *commands = scene->commands[worker->index];
    struct dice dice = {worker->index + 1};
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t which;
        enum op op = draw(&dice, scene->entity_count, &which);
        cosm_entity entity = scene->entities[which];
        Health health = {worker->index * 1000 + i};
        switch (op) {
        case OP_SPAWN:
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box->world, box->mover)));
            break;
        case OP_DESPAWN:
            if (which % 8 == 0) {
                CHECK_DONE(cosm_commands_despawn(commands, box->world, entity));
            }
            break;
        case OP_ADD:
            CHECK_DONE(cosm_commands_add(commands, box->world, entity, box->mark));
            break;
        case OP_REMOVE:
            CHECK_DONE(cosm_commands_remove(commands, box->world, entity, box->mark));
            break;
        default:
            CHECK_DONE(cosm_commands_set(commands, box->world, entity, box->health, &health));
            break;
        }
    }
    return NULL;
}

static void expect_mixed(struct expected *expected, uint32_t thread, uint32_t entities) {
    struct dice dice = {thread + 1};
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t which;
        enum op op = draw(&dice, entities, &which);
        if (op == OP_SPAWN) {
            expected->report.spawned++;
        } else if (op == OP_DESPAWN) {
            if (which % 8 == 0 && expected->alive[which]) {
                expected->alive[which] = false;
                expected->report.despawned++;
            }
        } else if (!expected->alive[which]) {
            expected->report.skipped++;
        } else if (op == OP_SET) {
            expected->points[which] = thread * 1000 + i;
            expected->has_points[which] = true;
        } else {
            expected->marked[which] = op == OP_ADD;
        }
    }
}

TEST(twenty_threads_of_mixed_commands_take_effect_or_are_counted_as_skipped) {
    struct scene *scene = scene_open(20, 1, 500);
    struct fixture *box = &scene->box;
    struct expected *expected = calloc(1, sizeof(*expected));
    REQUIRE(expected != NULL);
    memset(expected->alive, true, sizeof(expected->alive));
    run_threads(20, record_mixed, scene);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply_many(scene->commands, 20, &report));
    CHECK_VALID(box->batch);
    for (uint32_t t = 0; t < 20; t++) {
        expect_mixed(expected, t, 500);
    }
    CHECK_INT(report.spawned, expected->report.spawned);
    CHECK_INT(report.despawned, expected->report.despawned);
    CHECK_INT(report.skipped, expected->report.skipped);
    for (uint32_t i = 0; i < 500; i++) {
        cosm_entity entity = scene->entities[i];
        CHECK(cosm_entity_is_alive(box->world, entity) == expected->alive[i]);
        if (!expected->alive[i]) {
            continue;
        }
        CHECK(cosm_entity_has(box->world, entity, box->mark) == expected->marked[i]);
        const Health *health = COSM_READ(box->world, entity, Health);
        CHECK((health != NULL) == expected->has_points[i]);
        CHECK(health == NULL || health->points == expected->points[i]);
        CHECK_NEAR(COSM_READ(box->world, entity, Position)->x, (double)i, 0);
    }
    free(expected);
    scene_close(scene);
}

// Eight tags, so that worlds pass through up to 256 archetypes.
struct crowd {
    struct fixture box;
    cosm_component tags[8];
    uint32_t rounds;
};

static void crowd_open(struct crowd *crowd, uint32_t worlds, uint32_t rounds) {
    fixture_open(&crowd->box, 0, worlds);
    crowd->rounds = rounds;
    for (uint32_t i = 0; i < 8; i++) {
        char name[] = "tag 0";
        name[4] = (char)('0' + i);
        crowd->tags[i] =
            cosm_component_define(crowd->box.engine, &(cosm_component_desc){.name = name});
    }
}

// A history of its own for each world, by direct changes.
static void live_in_world(struct crowd *crowd, uint32_t index) {
    struct fixture *box = &crowd->box;
    cosm_world world = fixture_world(box, index);
    struct dice dice = {index + 99};
    cosm_entity entities[32];
    for (uint32_t i = 0; i < 32; i++) {
        entities[i] = cosm_entity_spawn(world, box->mover);
    }
    for (uint32_t i = 0; i < crowd->rounds; i++) {
        uint32_t which = dice_roll(&dice, 32);
        cosm_component tag = crowd->tags[dice_roll(&dice, 8)];
        uint32_t what = dice_roll(&dice, 10);
        if (what < 4) {
            CHECK_DONE(cosm_entity_add(world, entities[which], tag));
        } else if (what < 7) {
            CHECK_DONE(cosm_entity_remove(world, entities[which], tag));
        } else if (what < 9) {
            CHECK_DONE(cosm_entity_set(world, entities[which], box->health, &(Health){i}));
        } else {
            CHECK_DONE(cosm_entity_despawn(world, entities[which]));
            entities[which] = cosm_entity_spawn(world, box->mover);
        }
    }
}

static void *live_on_thread(void *argument) {
    struct worker *worker = argument;
    live_in_world(worker->context, worker->index);
    return NULL;
}

TEST(worlds_of_one_batch_changed_from_four_threads_end_as_if_changed_by_one) {
    struct crowd parallel;
    struct crowd serial;
    crowd_open(&parallel, 4, 4000);
    crowd_open(&serial, 4, 4000);
    run_threads(4, live_on_thread, &parallel);
    for (uint32_t w = 4; w-- > 0;) {
        live_in_world(&serial, w);
    }
    CHECK_VALID(parallel.box.batch);
    CHECK_INT(cosm_hash_batch(parallel.box.batch, COSM_HASH_EXACT),
              cosm_hash_batch(serial.box.batch, COSM_HASH_EXACT));
    CHECK_INT(cosm_engine_describe(parallel.box.engine).archetype_count,
              cosm_engine_describe(serial.box.engine).archetype_count);
    fixture_close(&parallel.box);
    fixture_close(&serial.box);
}

// Four threads change worlds, eight make and drop queries.
static void *change_or_query(void *argument) {
    struct worker *worker = argument;
    struct crowd *crowd = worker->context;
    if (worker->index < 4) {
        live_in_world(crowd, worker->index);
        return NULL;
    }
    struct dice dice = {worker->index};
    cosm_query *queries[20] = {NULL};
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t slot = dice_roll(&dice, 20);
        cosm_query_destroy(queries[slot]);
        cosm_query_desc desc = {
            .terms = {{.component = crowd->tags[dice_roll(&dice, 8)], .access = COSM_ACCESS_WRITE},
                      {.component = crowd->tags[dice_roll(&dice, 8)],
                       .kind = dice_roll(&dice, 2) == 0 ? COSM_TERM_WITH : COSM_TERM_WITHOUT}}};
        queries[slot] = cosm_query_create(crowd->box.engine, &desc);
        CHECK(queries[slot] != NULL);
        CHECK(cosm_query_archetype_count(queries[slot]) <= 600);
    }
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t matches = 0;
        uint32_t listed = cosm_query_archetype_count(queries[i]);
        uint32_t known = cosm_engine_describe(crowd->box.engine).archetype_count;
        for (uint32_t id = 1; queries[i] != NULL && id <= known; id++) {
            matches += cosm_query_matches(queries[i], (cosm_archetype){id});
        }
        CHECK(listed <= matches);
        cosm_query_destroy(queries[i]);
    }
    return NULL;
}

TEST(eight_threads_make_queries_while_archetypes_form) {
    struct crowd crowd;
    crowd_open(&crowd, 4, 3000);
    cosm_query *early = fixture_query(&crowd.box, crowd.tags[0], (cosm_component){0});
    run_threads(12, change_or_query, &crowd);
    cosm_query *late = fixture_query(&crowd.box, crowd.tags[0], crowd.tags[0]);
    CHECK(early != late);
    CHECK(cosm_query_archetype_count(early) > 10);
    CHECK_INT(cosm_query_archetype_count(early), cosm_query_archetype_count(late));
    cosm_rows a;
    cosm_rows b;
    cosm_query_walk(early, crowd.box.all, &a);
    cosm_query_walk(late, crowd.box.all, &b);
    while (cosm_rows_next(&a)) {
        CHECK(cosm_rows_next(&b));
        CHECK_INT(a.archetype.id, b.archetype.id);
        CHECK_INT(a.count, b.count);
    }
    CHECK(!cosm_rows_next(&b));
    CHECK_VALID(crowd.box.batch);
    cosm_query_destroy(early);
    cosm_query_destroy(late);
    fixture_close(&crowd.box);
}

// Each thread has an engine of its own, all of them on one allocator.
struct many_engines {
    struct ledger ledger;
    uint64_t checksums[THREAD_MAX];
};

static void *live_in_own_engine(void *argument) {
    struct worker *worker = argument;
    struct many_engines *many = worker->context;
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&many->ledger)},
                      &(cosm_batch_desc){.world_count = 3});
    cosm_rows rows;
    for (int turn = 0; turn < 5; turn++) {
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 2000, &rows));
        cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
        CHECK_DONE(cosm_query_add(query, box.all, turn % 2 == 0 ? box.health : box.mark));
        cosm_query_destroy(query);
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    many->checksums[worker->index] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return NULL;
}

TEST(engines_on_different_threads_do_not_know_of_each_other) {
    struct many_engines many;
    ledger_open(&many.ledger);
    run_threads(8, live_in_own_engine, &many);
    for (int i = 1; i < 8; i++) {
        CHECK_INT(many.checksums[i], many.checksums[0]);
    }
    ledger_close(&many.ledger);
}

static void *fail_on_thread(void *argument) {
    struct worker *worker = argument;
    struct fixture *box = worker->context;
    CHECK_STR(cosm_error_message(), "");
    for (uint32_t i = 0; i < 200; i++) {
        char number[32] = "archetype 1000";
        number[10] = (char)('1' + worker->index);
        cosm_archetype unknown = {1000 * (worker->index + 1)};
        CHECK(cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, worker->index), unknown)));
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", number, "cosm_archetype_define");
    }
    return NULL;
}

TEST(each_thread_has_a_message_slot_of_its_own) {
    struct fixture box;
    fixture_open(&box, 0, 8);
    CHECK(cosm_commands_create(NULL) == NULL);
    run_threads(8, fail_on_thread, &box);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_create:", "batch is NULL",
                  "cosm_batch_create");
    fixture_close(&box);
}

static void *define_on_thread(void *argument) {
    struct worker *worker = argument;
    struct fixture *box = worker->context;
    for (uint32_t i = 0; i < 60; i++) {
        char name[] = "shared 00";
        name[7] = (char)('0' + i / 10);
        name[8] = (char)('0' + i % 10);
        cosm_component component = cosm_component_define(
            box->engine, &(cosm_component_desc){.name = name, .size = 4 * (i + 1)});
        cosm_singleton singleton = cosm_singleton_define(
            box->engine, &(cosm_singleton_desc){.name = name, .size = 4 * (i + 1)});
        CHECK(component.id != 0 && singleton.id != 0);
        CHECK_INT(cosm_component_find(box->engine, name).id, component.id);
        CHECK_STR(cosm_component_describe(box->engine, component).name, name);
        cosm_archetype archetype = cosm_archetype_define(
            box->engine, &(cosm_archetype_desc){.name = name, .components = {component}});
        CHECK(archetype.id != 0);
        cosm_batch *batch = cosm_batch_create(box->engine, NULL);
        CHECK(cosm_singleton_read(cosm_batch_world(batch, 0), singleton) != NULL);
        CHECK_DONE(cosm_batch_destroy(batch));
        CHECK(
            !cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, worker->index), archetype)));
    }
    return NULL;
}

TEST(definitions_and_batches_come_from_any_thread) {
    struct fixture box;
    fixture_open(&box, 0, 6);
    run_threads(6, define_on_thread, &box);
    CHECK_INT(cosm_engine_describe(box.engine).component_count, 64);
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, 64);
    CHECK_INT(cosm_engine_describe(box.engine).batch_count, 1);
    for (uint32_t w = 0; w < 6; w++) {
        CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), 60);
    }
    fixture_close(&box);
}
