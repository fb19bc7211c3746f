// Shared components on several workers: steps by world and by chunk, changes of different worlds at
// the same time, cosm_query_run. The state is that of one worker.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness.h"
#include "support/storages.h"

// Moves everybody, and now and then makes them change sides, leave, or bring in another one.
static void play(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Team *team = COSM_SHARED_READ(rows, Team, 1);
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        position[i].x += (float)team->color;
        uint32_t luck = (entity.id * 31u + (uint32_t)rows->turn->step * 17u + entity.gen) % 29u;
        if (luck < 6) {
            Team other = {(team->color + luck) % 5, 0};
            CHECK_DONE(cosm_commands_set(commands, world, entity, box->team, &other));
        } else if (luck == 7) {
            CHECK_DONE(cosm_commands_despawn(commands, world, entity));
            Team fresh = {(uint32_t)rows->turn->step % 9, 1};
            Position at = {position[i].x, 1, 0};
            cosm_value values[] = {{box->position, &at}, {box->team, &fresh}};
            CHECK(!cosm_entity_is_none(
                cosm_commands_spawn_with(commands, world, box->player, values, 2)));
        } else if (luck == 8) {
            CHECK_DONE(cosm_commands_add(commands, world, entity, box->level));
        } else if (luck == 9) {
            CHECK_DONE(cosm_commands_remove(commands, world, entity, box->level));
        } else if (luck == 10) {
            char text[16]; // gone when the command is applied, which has a copy
            snprintf(text, sizeof(text), "%u", entity.id % 6);
            Label label = {text};
            CHECK_DONE(cosm_commands_set(commands, world, entity, box->label, &label));
        }
    }
}

// Sees those of one value only.
static void cheer(cosm_rows *rows) {
    const Team *team = COSM_SHARED_READ(rows, Team, 1);
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].y += team->color == 3 ? 1.0f : 1000.0f;
    }
}

static uint64_t play_steps(uint32_t workers, uint32_t worlds, uint32_t rows, cosm_split split) {
    static struct fixture box;
    fixture_open_with(&box, FIXTURE_SHARED, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .split = split});
    Team three = {3, 0};
    CHECK(cosm_system_define(
              box.engine,
              &(cosm_system_desc){
                  .name = "play",
                  .each = play,
                  .context = &box,
                  .commands = true,
                  .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                         {.component = box.team, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    CHECK(cosm_system_define(
              box.engine, &(cosm_system_desc){.name = "cheer",
                                              .each = cheer,
                                              .synced = true,
                                              .after = {"play"},
                                              .queries = {{.terms = {{.component = box.position,
                                                                      .access = COSM_ACCESS_WRITE},
                                                                     {.component = box.team,
                                                                      .access = COSM_ACCESS_WRITE,
                                                                      .value = &three}}}}})
              .id != 0);
    for (uint32_t w = 0; w < worlds; w++) {
        for (uint32_t i = 0; i < rows; i++) {
            spawn_player(&box, cosm_batch_world(box.batch, w), i % 5, (float)i);
        }
    }
    for (uint32_t step = 0; step < 8; step++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    CHECK_VALID(box.batch);
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return checksum;
}

TEST(steps_by_world_come_to_the_same_on_any_number_of_workers) {
    uint64_t one = play_steps(1, 24, 20, COSM_SPLIT_NONE);
    CHECK_INT(play_steps(2, 24, 20, COSM_SPLIT_WORLDS), one);
    CHECK_INT(play_steps(4, 24, 20, COSM_SPLIT_WORLDS), one);
    CHECK_INT(play_steps(4, 24, 20, COSM_SPLIT_CHUNKS), one);
}

TEST(steps_by_chunk_come_to_the_same_on_any_number_of_workers) {
    uint64_t one = play_steps(1, 1, 6000, COSM_SPLIT_NONE);
    CHECK_INT(play_steps(1, 1, 6000, COSM_SPLIT_CHUNKS), one);
    CHECK_INT(play_steps(2, 1, 6000, COSM_SPLIT_CHUNKS), one);
    CHECK_INT(play_steps(4, 1, 6000, COSM_SPLIT_CHUNKS), one);
}

struct sum {
    const struct fixture *box;
    atomic_ullong rows;
    atomic_ullong colors;
    atomic_uint wrong;
};

static void add_up(cosm_rows *rows) {
    struct sum *sum = rows->context;
    const Team *team = COSM_SHARED_READ(rows, Team, 1);
    atomic_fetch_add(&sum->rows, rows->count);
    atomic_fetch_add(&sum->colors, (unsigned long long)team->color * rows->count);
    if (cosm_rows_shared(rows, sum->box->team) != team) {
        atomic_fetch_add(&sum->wrong, 1);
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        COSM_COLUMN_WRITE(rows, Position, 0)[i].y += 1;
    }
}

TEST(a_query_run_on_workers_shows_every_row_with_its_value) {
    for (uint32_t workers = 1; workers <= 4; workers *= 2) {
        static struct fixture box;
        fixture_open_with(&box, FIXTURE_SHARED, &(cosm_engine_desc){.worker_count = workers},
                          &(cosm_batch_desc){.world_count = 3});
        for (uint32_t i = 0; i < 30; i++) {
            cosm_rows rows;
            Team team = {i, 0};
            cosm_value value = {box.team, &team};
            CHECK_DONE(cosm_entity_spawn_many_with(cosm_batch_world(box.batch, i % 3), box.player,
                                                   2000, &value, 1, &rows));
        }
        struct sum sum = {.box = &box};
        cosm_query *query = query_of_value(&box, box.team, NULL);
        CHECK_DONE(cosm_query_run(query, box.all, add_up, &sum));
        CHECK_INT(atomic_load(&sum.rows), 60000);
        CHECK_INT(atomic_load(&sum.colors), 2000u * (29 * 30 / 2));
        CHECK_INT(atomic_load(&sum.wrong), 0);
        cosm_query *one = query_of_value(&box, box.team, &(Team){17, 0});
        struct sum few = {.box = &box};
        CHECK_DONE(cosm_query_run(one, box.all, add_up, &few));
        CHECK_INT(atomic_load(&few.rows), 2000);
        CHECK_INT(atomic_load(&few.colors), 2000 * 17);
        cosm_query_destroy(query);
        cosm_query_destroy(one);
        fixture_close(&box);
    }
}

struct hand {
    pthread_t thread;
    struct fixture *box;
    uint32_t world;
};

// Changes one world in every way while others change theirs.
static void *churn(void *argument) {
    struct hand *hand = argument;
    struct fixture *box = hand->box;
    cosm_world world = cosm_batch_world(box->batch, hand->world);
    cosm_worlds worlds = cosm_worlds_one(world);
    for (uint32_t round = 0; round < 30; round++) {
        cosm_entity all[20];
        for (uint32_t i = 0; i < 20; i++) {
            char text[16];
            snprintf(text, sizeof(text), "r%u", (round + i) % 7);
            all[i] = spawn_player(box, world, round + i % 3, 0);
            CHECK_DONE(cosm_entity_set(world, all[i], box->label, &(Label){text}));
        }
        CHECK_DONE(cosm_query_set(box->positions, worlds, box->level, &(Level){round}));
        CHECK_DONE(cosm_entity_despawn_many(world, all, round % 20));
        cosm_query *query = query_of_value(box, box->team, &(Team){round, 0});
        CHECK_DONE(cosm_query_remove(query, worlds, box->level));
        CHECK_DONE(cosm_query_despawn(query, worlds));
        cosm_query_destroy(query);
        if (round % 9 == 8) {
            CHECK_DONE(cosm_world_reset(world));
        }
    }
    return NULL;
}

TEST(different_worlds_change_their_values_at_the_same_time) {
    static struct fixture box;
    fixture_open(&box, FIXTURE_SHARED, 4);
    struct hand hands[4];
    for (uint32_t w = 0; w < 4; w++) {
        hands[w] = (struct hand){.box = &box, .world = w};
        CHECK_DONE(cosm_world_seed(cosm_batch_world(box.batch, w), 1, 0));
        CHECK_INT(pthread_create(&hands[w].thread, NULL, churn, &hands[w]), 0);
    }
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(pthread_join(hands[w].thread, NULL), 0);
    }
    for (uint32_t w = 1; w < 4; w++) {
        CHECK_INT(cosm_hash_world(cosm_batch_world(box.batch, w), COSM_HASH_EXACT),
                  cosm_hash_world(box.world, COSM_HASH_EXACT));
    }
    fixture_close(&box);
}
