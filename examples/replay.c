// A run that is recorded, and run again from the middle: once as it was, once with another input.
#include <cosm/cosm.h>
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>
#include <stdio.h>

typedef struct Ball {
    float height;
    float speed;
} Ball;

typedef struct Kick {
    float speed;
} Kick;

static void bounce(cosm_rows *rows) {
    Ball *ball = COSM_WRITE(rows, Ball);
    for (uint32_t i = 0; i < rows->count; i++) {
        const Kick *kick = COSM_SINGLETON_READ(cosm_rows_world(rows, i), Kick);
        ball[i].speed += kick->speed - 9.81f * rows->dt;
        ball[i].height += ball[i].speed * rows->dt;
        if (ball[i].height < 0.0f) {
            ball[i].height = 0.0f;
            ball[i].speed = 0.0f;
        }
    }
}

// What the player does: a kick now and then, of a step's length.
static void play(cosm_batch *batch, int step) {
    Kick *kick = COSM_SINGLETON_WRITE(cosm_batch_world(batch, 0), Kick);
    kick->speed = step % 100 == 30 ? 5.0f : 0.0f;
}

int main(void) {
    static const char path[] = "example_replay.cosmrec";
    cosm_engine *engine = cosm_engine_create(NULL);
    COSM_COMPONENT_DEFINE(engine, Ball, height, speed);
    COSM_SINGLETON_DEFINE(engine, Kick, speed);
    cosm_system_define(
        engine,
        &(cosm_system_desc){.name = "bounce", .each = bounce, .query = "mut Ball", .uses = "Kick"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    COSM_SPAWN(cosm_batch_world(batch, 0), COSM_DEFAULT(Ball));

    cosm_recorder *recorder =
        cosm_recorder_create(batch, path, &(cosm_recorder_desc){.keyframe_steps = 100});
    for (int step = 0; step < 1000; step++) {
        play(batch, step);
        if (cosm_batch_step(batch) != COSM_OK) {
            return 1;
        }
    }
    if (cosm_recorder_close(recorder) != COSM_OK) {
        return 1;
    }

    // Again, from step 500 on: every hash is compared with the recorded one.
    cosm_replay *replay = cosm_replay_open(engine, path, NULL);
    if (replay == NULL || cosm_replay_seek(replay, batch, 500) != COSM_OK) {
        return 1;
    }
    int same = 0;
    while (cosm_replay_step(replay, batch) == COSM_OK) {
        same++;
    }
    printf("from step 500 on, %d steps went as they were recorded\n", same);

    // From step 500 on with a kick that nobody gave.
    if (cosm_replay_seek(replay, batch, 500) != COSM_OK) {
        return 1;
    }
    play(batch, 30);
    if (cosm_batch_step(batch) != COSM_OK) {
        return 1;
    }
    printf("with another input step 501 is another one: %s\n",
           cosm_hash_batch(batch, COSM_HASH_EXACT) != cosm_replay_hash(replay, 501) ? "yes" : "no");

    cosm_replay_close(replay);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    remove(path);
}
