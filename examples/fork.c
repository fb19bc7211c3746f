// A search over forks: from one state, a thousand sequences of moves are played side by side, and
// the first move of the best one is made.
//
// A lander comes down on the moon. Each step it may fire its engine; it should arrive slowly and
// with much fuel left.
#include <cosm/cosm.h>
#include <stdio.h>

#define FUTURES 1000
#define DEPTH 12 // steps that are looked ahead

typedef struct Lander {
    float height;
    float speed; // downwards
    float fuel;
} Lander;

// Per world: does it fire in this step?
typedef struct Stick {
    bool fire;
} Stick;

static void fly(cosm_rows *rows) {
    Lander *lander = COSM_WRITE(rows, Lander);
    for (uint32_t i = 0; i < rows->count; i++) {
        const Stick *stick = COSM_SINGLETON_READ(cosm_rows_world(rows, i), Stick);
        bool fires = stick->fire && lander[i].fuel > 0;
        if (lander[i].height <= 0) {
            continue; // it has landed
        }
        lander[i].speed += fires ? -2.0f : 1.0f;
        lander[i].fuel -= fires ? 1.0f : 0.25f; // it idles
        lander[i].height -= lander[i].speed;
        lander[i].height = lander[i].height < 0 ? 0 : lander[i].height;
    }
}

// How good it is to be here: low, with fuel, and not faster than the ground that is left allows.
static float value_of(const Lander *lander) {
    float limit = lander->height / 5 + 2;
    float excess = lander->speed > limit ? lander->speed - limit : 0;
    return lander->fuel - lander->height - 4 * excess;
}

// The moves of a future, a bit for each step: drawn for all but the first two, which never fire and
// always fire.
static uint32_t moves_of(uint32_t future, uint64_t step) {
    cosm_random random = cosm_random_seed(step, future);
    return future < 2 ? 0u - future : cosm_random_u32(&random);
}

// Tries what may come of world 0 in all others; returns the moves of the best future.
static uint32_t look_ahead(cosm_batch *batch, cosm_entity lander) {
    uint64_t now = cosm_batch_step_count(batch);
    cosm_worlds futures = cosm_worlds_range(batch, 1, FUTURES);
    bool done = cosm_fork_world(cosm_batch_world(batch, 0), futures, NULL) == COSM_OK;
    for (uint32_t depth = 0; depth < DEPTH && done; depth++) {
        for (uint32_t i = 0; i < FUTURES; i++) {
            COSM_SINGLETON_WRITE(cosm_worlds_at(futures, i), Stick)->fire =
                (moves_of(i, now) >> depth & 1) != 0;
        }
        done = cosm_batch_step(batch) == COSM_OK;
    }
    uint32_t best = 0;
    float best_value = -1e9f;
    for (uint32_t i = 0; i < FUTURES && done; i++) {
        float value = value_of(COSM_READ(cosm_worlds_at(futures, i), lander, Lander));
        best = value > best_value ? i : best;
        best_value = value > best_value ? value : best_value;
    }
    return moves_of(best, now);
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Lander, height, speed, fuel);
    COSM_SINGLETON_DEFINE(engine, Stick, fire);
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "fly", .each = fly, .query = "mut Lander", .uses = "Stick"});
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 1 + FUTURES});
    // World 0 is where the game stands; a game of one world of its own plays it.
    cosm_batch *game = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(game, 0);
    cosm_entity lander =
        COSM_SPAWN(world, COSM_VALUE(Lander, .height = 200, .speed = 5, .fuel = 40));
    bool done = true;
    while (done && COSM_READ(world, lander, Lander)->height > 0) {
        done = cosm_fork_world(world, cosm_worlds_range(batch, 0, 1), NULL) == COSM_OK;
        uint32_t moves = done ? look_ahead(batch, lander) : 0;
        COSM_SINGLETON_WRITE(world, Stick)->fire = (moves & 1) != 0;
        done = done && cosm_batch_step(game) == COSM_OK && cosm_batch_step_count(game) < 200;
        if (cosm_batch_step_count(game) % 5 == 0) {
            const Lander *at = COSM_READ(world, lander, Lander);
            printf("step %2u: height %3g, speed %2g, fuel %2g\n",
                   (uint32_t)cosm_batch_step_count(game), at->height, at->speed, at->fuel);
        }
    }
    const Lander *at = COSM_READ(world, lander, Lander);
    printf("landed at step %u with speed %g and fuel %g\n", (uint32_t)cosm_batch_step_count(game),
           at->speed, at->fuel);
    cosm_batch_destroy(batch);
    cosm_batch_destroy(game);
    cosm_engine_destroy(engine);
    return done ? 0 : 1;
}
