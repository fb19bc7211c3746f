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

int main(void) {
    stones_fall_and_are_counted();
    the_plate_follows_the_keys_and_stays_in_the_field();
    a_loaded_game_goes_on_as_it_would_have();
    printf("my_game: %s\n", failures == 0 ? "all is well" : "FAILED");
    return failures == 0 ? 0 : 1;
}
