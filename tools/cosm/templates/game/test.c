// Does my_game keep its promises? Run it with `ctest --test-dir build`.
#include "my_game.h"

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);                   \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#define SAVE_FILE "my_game_test.cosm"

// Plays steps with a key that changes now and then: any pattern will do.
static void play(struct game *game, int steps) {
    for (int i = 0; i < steps; i++) {
        game_key(game, "a d"[i / 20 % 3]);
        CHECK(cosm_batch_step(game->batch) == COSM_OK);
    }
}

static uint64_t hash(const struct game *game) {
    return cosm_hash_world(game->world, COSM_HASH_EXACT);
}

static void stones_fall_and_are_counted(void) {
    struct game game;
    CHECK(game_open(&game, 1));
    play(&game, 60 * STEPS_PER_SECOND);
    CHECK(game_plate(&game)->caught > 0);
    CHECK(game_plate(&game)->missed > 0);
    CHECK(cosm_world_entity_count(game.world) < FIELD_WIDTH);
    game_close(&game);
}

static void the_plate_follows_the_keys_and_stays_in_the_field(void) {
    struct game game;
    CHECK(game_open(&game, 1));
    for (int i = 0; i < 5 * STEPS_PER_SECOND; i++) {
        game_key(&game, 'd');
        CHECK(cosm_batch_step(game.batch) == COSM_OK);
    }
    CHECK(game_plate(&game)->x == FIELD_WIDTH - 1);
    char text[FIELD_HEIGHT][FIELD_WIDTH + 1];
    game_draw(&game, text);
    CHECK(text[FIELD_HEIGHT - 1][FIELD_WIDTH - 1] == '=');
    CHECK(text[FIELD_HEIGHT - 1][0] == '.');
    game_close(&game);
}

static void a_loaded_game_goes_on_as_it_would_have(void) {
    struct game one;
    struct game other;
    CHECK(game_open(&one, 1));
    CHECK(game_open(&other, 2));
    play(&one, 100);
    CHECK(game_save(&one, SAVE_FILE));
    CHECK(game_load(&other, SAVE_FILE));
    CHECK(hash(&one) == hash(&other));
    play(&one, 100);
    play(&other, 100);
    CHECK(hash(&one) == hash(&other));
    remove(SAVE_FILE);
    game_close(&one);
    game_close(&other);
}

#define WORLD_COUNT 8

// Plays a game in each world of a batch, every second one with the plate going right. Writes the
// hash of each.
static void play_many(uint32_t worker_count, uint64_t hashes[WORLD_COUNT]) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = worker_count});
    game_define(engine);
    cosm_batch *batch =
        cosm_batch_create(engine, &(cosm_batch_desc){.world_count = WORLD_COUNT, .seed = 1});
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        COSM_SINGLETON_WRITE(cosm_batch_world(batch, i), Input)->way = (int32_t)(i % 2);
    }
    CHECK(cosm_batch_run(batch, 10 * STEPS_PER_SECOND) == COSM_OK);
    for (uint32_t i = 0; i < WORLD_COUNT; i++) {
        cosm_world world = cosm_batch_world(batch, i);
        hashes[i] = cosm_hash_world(world, COSM_HASH_EXACT);
        CHECK(COSM_SINGLETON_READ(world, Plate)->x == (i % 2 == 0 ? 0 : FIELD_WIDTH - 1));
        CHECK(cosm_world_entity_count(world) > 0);
    }
    (void)cosm_batch_destroy(batch);
    (void)cosm_engine_destroy(engine);
}

static void many_worlds_are_played_the_same_way_by_one_worker_and_by_two(void) {
    uint64_t one[WORLD_COUNT];
    uint64_t two[WORLD_COUNT];
    play_many(1, one);
    play_many(2, two);
    for (int i = 0; i < WORLD_COUNT; i++) {
        CHECK(one[i] == two[i]);
        CHECK(i == 0 || one[i] != one[i - 1]);
    }
}

int main(void) {
    stones_fall_and_are_counted();
    the_plate_follows_the_keys_and_stays_in_the_field();
    a_loaded_game_goes_on_as_it_would_have();
    many_worlds_are_played_the_same_way_by_one_worker_and_by_two();
    printf("my_game: %s\n", failures == 0 ? "all is well" : "FAILED");
    return failures == 0 ? 0 : 1;
}
