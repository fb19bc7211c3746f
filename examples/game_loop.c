// A ball that falls in ten steps a second, drawn twenty-five times a second at heights in between.
// Input is looked at once per frame, whether the frame takes no step, one, or several at once. The
// clock is made up, so that the program prints the same everywhere; without one it is the system's.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Ball {
    float before, height; // at the last step but one, and at the last one
    float speed;
} Ball;

typedef struct Game {
    cosm_loop *loop;
    uint64_t now_ns;
    unsigned frame;
} Game;

// Input: before the steps of a frame.
static void kick(cosm_rows *rows) {
    const Game *game = rows->context;
    Ball *ball = COSM_WRITE(rows, Ball);
    for (uint32_t i = 0; i < rows->count && game->frame == 3; i++) {
        ball[i].speed += 4;
        printf("        frame  3  the player kicks the ball\n");
    }
}

// Simulation: once per step; dt is the length of a step.
static void fall(cosm_rows *rows) {
    Ball *ball = COSM_WRITE(rows, Ball);
    for (uint32_t i = 0; i < rows->count; i++) {
        ball[i].before = ball[i].height;
        ball[i].speed -= 10 * rows->dt;
        ball[i].height += ball[i].speed * rows->dt;
    }
}

// Render: after the steps of a frame, somewhere between the last two.
static void draw(cosm_rows *rows) {
    const Game *game = rows->context;
    double alpha = cosm_loop_alpha(game->loop);
    const Ball *ball = COSM_READ(rows, Ball);
    for (uint32_t i = 0; i < rows->count; i++) {
        double height = ball[i].before + (ball[i].height - ball[i].before) * alpha;
        printf("%3u ms  frame %2u  step %u + %.1f  height %.2f\n",
               (unsigned)(game->now_ns / 1000000), game->frame, (unsigned)rows->turn->step, alpha,
               height);
    }
}

static cosm_result end_frame(void *context, cosm_loop *loop) {
    Game *game = context;
    game->frame++;
    if (game->frame == 6) {
        game->now_ns += 300000000; // somebody drags the window around
    }
    if (game->frame == 10) {
        cosm_loop_stop(loop);
    }
    return COSM_OK;
}

static uint64_t now(void *context) {
    const Game *game = context;
    return game->now_ns;
}

static void sleep_for(void *context, uint64_t ns) {
    Game *game = context;
    game->now_ns += ns;
}

int main(void) {
    Game game = {.frame = 0};
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Ball, before, height, speed);
    cosm_system_define(engine, &(cosm_system_desc){.name = "kick",
                                                   .phase = COSM_PHASE_INPUT,
                                                   .each = kick,
                                                   .query = "mut Ball",
                                                   .context = &game,
                                                   .main_thread = true});
    COSM_SYSTEM_DEFINE(engine, fall, "mut Ball");
    cosm_system_define(engine, &(cosm_system_desc){.name = "draw",
                                                   .phase = COSM_PHASE_RENDER,
                                                   .each = draw,
                                                   .query = "Ball",
                                                   .context = &game,
                                                   .main_thread = true});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    COSM_SPAWN(cosm_batch_world(batch, 0), COSM_VALUE(Ball, .before = 5, .height = 5));

    game.loop = cosm_loop_create(batch, &(cosm_loop_desc){.step_rate = 10,
                                                          .frame_rate = 25,
                                                          .frame_max = 1,
                                                          .frame = end_frame,
                                                          .frame_context = &game,
                                                          .clock = now,
                                                          .sleep = sleep_for,
                                                          .clock_context = &game});
    cosm_result result = cosm_loop_run(game.loop);
    cosm_loop_destroy(game.loop);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
