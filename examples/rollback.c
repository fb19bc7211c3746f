// Late input: two players over a network. Whoever has not been heard of yet is taken to do what he did
// before; when his input comes late, the game goes back and plays those steps again.
#include <cosm/cosm.h>
#include <stdio.h>

#define STEPS 20
#define LATE 5 // steps until the other player's input arrives

typedef struct Position {
    float x;
} Position;

typedef struct Player {
    uint32_t number;
} Player;

// What the players do in this step.
typedef struct Input {
    int push[2];
} Input;

struct game {
    cosm_component position;
    cosm_component player;
    cosm_singleton input;
};

// Wind that differs from step to step: after going back it blows as it did.
static void walk(cosm_rows *rows) {
    const struct game *game = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Player *player = COSM_COLUMN_READ(rows, Player, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        const Input *input = cosm_singleton_read(world, game->input);
        cosm_random wind = cosm_turn_random(rows->turn, world, rows->entities[i].id);
        position[i].x += (float)input->push[player[i].number];
        position[i].x += cosm_random_between(&wind, -0.25f, 0.25f);
    }
}

// What a player really does: one turns round at step 7, the other at step 10.
static int push_of(uint32_t player, uint32_t step) {
    return step < (player == 0 ? 7 : 10) ? 1 : -1;
}

static void begin(struct game *game, cosm_engine *engine) {
    game->position = COSM_COMPONENT_DEFINE(engine, Position);
    game->player = COSM_COMPONENT_DEFINE(engine, Player);
    game->input = COSM_SINGLETON_DEFINE(engine, Input);
    cosm_system_define(
        engine,
        &(cosm_system_desc){
            .name = "walk",
            .each = walk,
            .context = game,
            .queries = {{.terms = {{.component = game->position, .access = COSM_ACCESS_WRITE},
                                   {.component = game->player}}}},
            .singletons = {{.singleton = game->input}},
        });
}

static cosm_batch *new_match(const struct game *game, cosm_engine *engine) {
    cosm_archetype archetype = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {game->position, game->player}});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.seed = 2026});
    for (uint32_t i = 0; i < 2; i++) {
        Player player = {i};
        cosm_entity_spawn_with(cosm_batch_world(batch, 0), archetype,
                               &(cosm_value){game->player, &player}, 1);
    }
    return batch;
}

// One step, with the other player's input as far as it is known.
static bool play(const struct game *game, cosm_batch *batch, uint32_t known) {
    uint32_t step = (uint32_t)cosm_batch_step_count(batch);
    Input *input = cosm_singleton_write(cosm_batch_world(batch, 0), game->input);
    input->push[0] = push_of(0, step);
    input->push[1] = push_of(1, step < known ? step : known);
    return cosm_batch_step(batch) == COSM_OK;
}

// The match as it is played where input takes its time: what arrives in step n is of step n - LATE.
static bool play_late(const struct game *game, cosm_batch *batch) {
    cosm_rollback *past =
        cosm_rollback_create(cosm_worlds_all(batch), &(cosm_rollback_desc){.step_max = LATE + 1});
    bool done = past != NULL;
    for (uint32_t step = 0; step < STEPS + LATE && done; step++) {
        uint32_t now = step < STEPS ? step : STEPS;
        if (step >= LATE &&
            push_of(1, step - LATE) != push_of(1, step == LATE ? 0 : step - LATE - 1)) {
            done = cosm_rollback_back(past, now - (step - LATE)) == COSM_OK;
            printf("step %u: input of step %u is not what was guessed, back to step %u\n", now,
                   step - LATE, (uint32_t)cosm_batch_step_count(batch));
        }
        // Up to now again, and one step further.
        uint32_t goal = step < STEPS ? step + 1 : STEPS;
        while (done && cosm_batch_step_count(batch) < goal) {
            done = cosm_rollback_keep(past) == COSM_OK &&
                   play(game, batch, step < LATE ? 0 : step - LATE);
        }
    }
    printf("the ring holds %u states\n", cosm_rollback_count(past));
    cosm_rollback_destroy(past);
    return done;
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    struct game game;
    begin(&game, engine);
    cosm_batch *in_time = new_match(&game, engine);
    cosm_batch *late = new_match(&game, engine);
    bool done = play_late(&game, late);
    for (uint32_t step = 0; step < STEPS && done; step++) {
        done = play(&game, in_time, STEPS);
    }
    printf("after %u steps the match with late input is %s\n",
           (uint32_t)cosm_batch_step_count(late),
           cosm_hash_batch(late, COSM_HASH_EXACT) == cosm_hash_batch(in_time, COSM_HASH_EXACT)
               ? "the match with input in time"
               : "another one");
    cosm_batch_destroy(in_time);
    cosm_batch_destroy(late);
    cosm_engine_destroy(engine);
    return done ? 0 : 1;
}
