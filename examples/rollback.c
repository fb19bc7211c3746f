// Late input: two players over a network. The other player is taken to do what he did before; when
// his input arrives and differs, the game goes back and plays those steps again.
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

// Wind that differs from step to step: after going back it blows as it did.
static void walk(cosm_rows *rows) {
    Position *position = COSM_WRITE(rows, Position);
    const Player *player = COSM_READ(rows, Player);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        const Input *input = COSM_SINGLETON_READ(world, Input);
        cosm_random wind = cosm_turn_random(rows->turn, world, rows->entities[i].id);
        position[i].x += (float)input->push[player[i].number];
        position[i].x += cosm_random_between(&wind, -0.25f, 0.25f);
    }
}

// What a player really does: one turns round at step 7, the other at step 10.
static int push_of(uint32_t player, uint32_t step) {
    return step < (player == 0 ? 7 : 10) ? 1 : -1;
}

static cosm_batch *new_match(cosm_engine *engine) {
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.seed = 2026});
    cosm_world world = cosm_batch_world(batch, 0);
    COSM_SPAWN(world, COSM_VALUE(Position, 0), COSM_VALUE(Player, 0));
    COSM_SPAWN(world, COSM_VALUE(Position, 0), COSM_VALUE(Player, 1));
    return batch;
}

// One step, with the other player's input as far as it is known.
static bool play(cosm_batch *batch, uint32_t known) {
    uint32_t step = (uint32_t)cosm_batch_step_count(batch);
    Input *input = COSM_SINGLETON_WRITE(cosm_batch_world(batch, 0), Input);
    input->push[0] = push_of(0, step);
    input->push[1] = push_of(1, step < known ? step : known);
    return cosm_batch_step(batch) == COSM_OK;
}

// The match as it is played where input takes its time: what arrives in step n is of step n - LATE.
static bool play_late(cosm_batch *batch) {
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
            done =
                cosm_rollback_keep(past) == COSM_OK && play(batch, step < LATE ? 0 : step - LATE);
        }
    }
    printf("the ring holds %u states\n", cosm_rollback_describe(past).count);
    cosm_rollback_destroy(past);
    return done;
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Position, x);
    COSM_COMPONENT_DEFINE(engine, Player, number);
    COSM_SINGLETON_DEFINE(engine, Input, push);
    cosm_system_define(engine, &(cosm_system_desc){.name = "walk",
                                                   .each = walk,
                                                   .query = "mut Position, Player",
                                                   .uses = "Input"});
    cosm_batch *in_time = new_match(engine);
    cosm_batch *late = new_match(engine);
    bool done = play_late(late);
    for (uint32_t step = 0; step < STEPS && done; step++) {
        done = play(in_time, STEPS);
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
