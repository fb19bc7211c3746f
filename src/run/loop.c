// cosm/loop.h: who runs a loop, waiting and waking. The arithmetic of frames and steps is in
// run/pace.c.
//
// A loop is idle, or one thread holds it: for a frame, for a run, or, from cosm_loop_start to the
// end of cosm_loop_wait, a thread of its own. Whoever wants an idle loop claims it under the lock;
// calls from within a frame would wait for themselves and are refused. `stop` ends a run, not the
// loop: it is over when the run is.
#include <cosm/loop.h>

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "run/pace.h"
#include "run/step.h"
#include "run/turn.h"

enum loop_state {
    LOOP_IDLE,
    LOOP_IN_FRAME,  // somebody is in cosm_loop_frame
    LOOP_IN_RUN,    // somebody is in cosm_loop_run
    LOOP_ON_THREAD, // from cosm_loop_start to the end of cosm_loop_wait
};

// The first group does not change. The second is under the lock. The third belongs to the thread
// that runs frames, and after the end of that thread to the one that joined it.
struct cosm_loop {
    struct cosm_batch *batch;
    float step_seconds;
    cosm_loop_frame_fn *frame;
    void *frame_context;
    cosm_loop_clock_fn *clock; // NULL: the system's, and `wake` to sleep
    cosm_loop_sleep_fn *sleep;
    void *clock_context;

    struct mutex lock;
    struct condition_variable wake; // `stop` was set
    enum loop_state state;
    const void *holder; // the thread that runs frames; NULL: none
    bool ended;         // the loop's own thread has nothing left to do
    bool waited_for;    // somebody is in cosm_loop_wait
    bool stop;          // kept until the run that it ends is over
    bool stop_before;   // during a single frame: was it set before?
    struct loop_pace pace;

    struct thread thread;
    struct failure failure; // of the loop's own thread
};

static cosm_result refuse_loop_null(const char *call) {
    return cosmi_refuse_null(NULL, call, "loop", "pass one from cosm_loop_create");
}

static void loop_lock(const struct cosm_loop *loop) {
    cosmi_mutex_lock(&((struct cosm_loop *)loop)->lock);
}

static void loop_unlock(const struct cosm_loop *loop) {
    cosmi_mutex_unlock(&((struct cosm_loop *)loop)->lock);
}

static bool is_rate(double rate) {
    return rate >= COSM_LOOP_RATE_MIN && rate <= COSM_LOOP_RATE_MAX;
}

// False for NaN too.
static bool is_amount(double value) {
    return value >= 0 && value <= DBL_MAX;
}

static cosm_result check_time_scale(const struct cosm_batch *batch, const char *call,
                                    double time_scale) {
    if (is_amount(time_scale)) {
        return COSM_OK;
    }
    return cosmi_fail(
        batch->sink, COSM_ERROR_ARGUMENT,
        "%s: time_scale %g is negative or not finite; use 1 for real time, less for slow motion, "
        "0 to pause",
        call, time_scale);
}

static cosm_result check_loop_desc(const struct cosm_batch *batch, const char *call,
                                   const cosm_loop_desc *desc) {
    if (!is_rate(desc->step_rate)) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the step rate %g is not between 0.001 and 1000000; set "
                          "desc.step_rate to steps per second",
                          call, desc->step_rate);
    }
    // Written so that NaN does not pass for one of them.
    if (!(desc->frame_rate <= 0) && !is_rate(desc->frame_rate)) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.frame_rate %g is not between 0.001 and 1000000; use frames "
                          "per second, 0 for the step rate, or -1 to never sleep",
                          call, desc->frame_rate);
    }
    if (!is_amount(desc->frame_max)) {
        return cosmi_fail(
            batch->sink, COSM_ERROR_ARGUMENT,
            "%s: desc.frame_max %g is negative or not finite; use seconds, or 0 for 0.25", call,
            desc->frame_max);
    }
    if ((desc->clock == NULL) != (desc->sleep == NULL)) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: only one of desc.clock and desc.sleep is set; set both or neither",
                          call);
    }
    return check_time_scale(batch, call, desc->time_scale);
}

// False when the system refuses; then nothing is left.
static bool init_loop(struct cosm_loop *loop, struct cosm_batch *batch,
                      const cosm_loop_desc *desc) {
    memset(loop, 0, sizeof(*loop));
    if (!cosmi_mutex_create(&loop->lock)) {
        return false;
    }
    if (!cosmi_condition_create(&loop->wake)) {
        cosmi_mutex_destroy(&loop->lock);
        return false;
    }
    loop->batch = batch;
    loop->step_seconds = (float)(1 / desc->step_rate);
    loop->frame = desc->frame;
    loop->frame_context = desc->frame_context;
    loop->clock = desc->clock;
    loop->sleep = desc->sleep;
    loop->clock_context = desc->clock_context;
    cosmi_pace_init(&loop->pace, desc);
    return true;
}

cosm_loop *cosm_loop_create(cosm_batch *batch, const cosm_loop_desc *desc) {
    static const char call[] = "cosm_loop_create";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    cosm_loop_desc own = {.step_rate = 0};
    if (desc != NULL) {
        own = *desc;
    }
    if (own.step_rate == 0) {
        own.step_rate = cosmi_pace_rate(batch->step_seconds);
    }
    if (check_loop_desc(batch, call, &own) != COSM_OK) {
        return NULL;
    }
    struct cosm_loop *loop =
        cosmi_memory_alloc(&batch->memory, sizeof(*loop), _Alignof(struct cosm_loop));
    if (loop != NULL && !init_loop(loop, batch, &own)) {
        cosmi_memory_free(&batch->memory, loop, sizeof(*loop), _Alignof(struct cosm_loop));
        loop = NULL;
    }
    if (loop == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    atomic_fetch_add(&batch->loop_count, 1);
    return loop;
}

// Is the caller within a frame of the loop? So is a system of the batch on any other thread. Under
// the lock.
static bool is_inside(const struct cosm_loop *loop) {
    const struct turn *turn = cosmi_turn_now;
    return loop->holder != NULL && (loop->holder == thread_token() ||
                                    (turn != NULL && turn->open.worlds.batch == loop->batch));
}

// Why a call cannot have a loop in this state.
static cosm_result refuse_state(const struct cosm_loop *loop, const char *call,
                                enum loop_state state, bool inside, bool waited_for) {
    if (inside) {
        return cosmi_fail(loop->batch->sink, COSM_ERROR_BUSY,
                          "%s: called within a frame of the loop; end the loop with "
                          "cosm_loop_stop, then call it",
                          call);
    }
    if (state == LOOP_ON_THREAD && !waited_for) {
        return cosmi_fail(loop->batch->sink, COSM_ERROR_BUSY,
                          "%s: the loop has a thread of its own; end it first with cosm_loop_stop "
                          "and cosm_loop_wait",
                          call);
    }
    return cosmi_fail(loop->batch->sink, COSM_ERROR_BUSY,
                      "%s: another thread is in %s with this loop; end that call first with "
                      "cosm_loop_stop",
                      call,
                      waited_for             ? "cosm_loop_wait"
                      : state == LOOP_IN_RUN ? "cosm_loop_run"
                                             : "cosm_loop_frame");
}

// Takes an idle loop for the calling thread.
static cosm_result claim_loop(struct cosm_loop *loop, const char *call, enum loop_state state) {
    loop_lock(loop);
    enum loop_state before = loop->state;
    bool inside = is_inside(loop);
    if (before == LOOP_IDLE) {
        loop->state = state;
        loop->holder = thread_token();
        loop->stop_before = loop->stop;
    }
    loop_unlock(loop);
    return before == LOOP_IDLE ? COSM_OK : refuse_state(loop, call, before, inside, false);
}

// Makes it idle again. A stop is over with the run or the frame that it came in; one from before a
// single frame is kept for the next run.
static void release_loop(struct cosm_loop *loop) {
    loop_lock(loop);
    bool is_frame = loop->state == LOOP_IN_FRAME;
    loop->state = LOOP_IDLE;
    loop->holder = NULL;
    loop->waited_for = false;
    loop->stop = is_frame && loop->stop_before;
    loop_unlock(loop);
}

static cosm_result run_frame_phases(struct cosm_loop *loop, const struct loop_phases *phases,
                                    uint32_t from, uint32_t to, float dt) {
    cosm_result result = COSM_OK;
    for (uint32_t i = from; i < to && result == COSM_OK; i++) {
        result = cosm_batch_run_phase(loop->batch, phases->list[i], dt);
    }
    return result;
}

static void keep_failure(struct failure *failure, cosm_result result) {
    failure->result = result;
    (void)snprintf(failure->text, sizeof(failure->text), "%s", cosm_error_message());
}

static cosm_result take_step(struct cosm_loop *loop) {
    uint64_t before = loop->batch->step_count;
    cosm_step_desc desc = {.phases = COSM_STEP_FIXED, .dt = loop->step_seconds};
    cosm_result result = cosmi_step_take(loop->batch, &desc, "cosm_loop (a step)");
    if (loop->batch->step_count != before) {
        loop_lock(loop);
        loop->pace.steps++;
        loop_unlock(loop);
    }
    return result;
}

static cosm_result call_frame(struct cosm_loop *loop, const char *call) {
    cosm_result result = loop->frame == NULL ? COSM_OK : loop->frame(loop->frame_context, loop);
    if (result == COSM_OK) {
        return result;
    }
    // A copy, because the slot is written meanwhile.
    struct failure last;
    keep_failure(&last, result);
    return cosmi_fail(loop->batch->sink, result,
                      "%s: desc.frame returned %s, which ends the loop; the last message of its "
                      "thread is '%s'",
                      call, cosm_result_name(result), last.text);
}

static cosm_result run_frame(struct cosm_loop *loop, const char *call, uint64_t passed) {
    loop_lock(loop);
    struct loop_frame frame = cosmi_pace_begin(&loop->pace, passed);
    loop_unlock(loop);
    struct loop_phases phases;
    cosmi_loop_phases(loop->batch->runner, &phases);
    cosm_result result = run_frame_phases(loop, &phases, 0, phases.before_count, frame.dt);
    for (uint32_t i = 0; i < frame.steps && result == COSM_OK; i++) {
        result = take_step(loop);
    }
    if (result == COSM_OK) {
        result = run_frame_phases(loop, &phases, phases.before_count, phases.count, frame.dt);
    }
    return result == COSM_OK ? call_frame(loop, call) : result;
}

static uint64_t loop_now(const struct cosm_loop *loop) {
    return loop->clock == NULL ? cosmi_os_now_ns() : loop->clock(loop->clock_context);
}

static bool is_asked_to_stop(const struct cosm_loop *loop) {
    loop_lock(loop);
    bool stop = loop->stop;
    loop_unlock(loop);
    return stop;
}

// Until then, or until the loop is asked to stop.
static void sleep_until(struct cosm_loop *loop, uint64_t deadline_ns) {
    if (loop->clock == NULL) {
        loop_lock(loop);
        while (!loop->stop && cosmi_os_now_ns() < deadline_ns) {
            cosmi_condition_wait_until(&loop->wake, &loop->lock, deadline_ns);
        }
        loop_unlock(loop);
        return;
    }
    while (!is_asked_to_stop(loop)) {
        uint64_t now = loop_now(loop);
        if (now >= deadline_ns) {
            return;
        }
        loop->sleep(loop->clock_context, deadline_ns - now);
    }
}

static cosm_result run_frames(struct cosm_loop *loop, const char *call) {
    uint64_t begun = loop_now(loop);
    uint64_t passed = 0;
    cosm_result result = COSM_OK;
    loop->pace.ahead = 0;
    while (!is_asked_to_stop(loop)) {
        result = run_frame(loop, call, passed);
        if (result != COSM_OK) {
            break;
        }
        sleep_until(loop, begun + cosmi_pace_wait(&loop->pace, passed));
        uint64_t now = loop_now(loop);
        passed = now > begun ? cosmi_ticks_of_ns(now - begun) : 0;
        begun = now > begun ? now : begun;
    }
    return result;
}

cosm_result cosm_loop_run(cosm_loop *loop) {
    static const char call[] = "cosm_loop_run";
    if (loop == NULL) {
        return refuse_loop_null(call);
    }
    cosm_result result = claim_loop(loop, call, LOOP_IN_RUN);
    if (result != COSM_OK) {
        return result;
    }
    result = run_frames(loop, call);
    release_loop(loop);
    return result;
}

static void loop_thread(void *context) {
    struct cosm_loop *loop = context;
    loop_lock(loop);
    loop->holder = thread_token();
    loop_unlock(loop);
    cosm_result result = run_frames(loop, "cosm_loop_start");
    loop->failure.result = COSM_OK;
    if (result != COSM_OK) {
        keep_failure(&loop->failure, result);
    }
    loop_lock(loop);
    loop->holder = NULL;
    loop->ended = true;
    loop_unlock(loop);
}

cosm_result cosm_loop_start(cosm_loop *loop) {
    static const char call[] = "cosm_loop_start";
    if (loop == NULL) {
        return refuse_loop_null(call);
    }
    loop_lock(loop);
    enum loop_state before = loop->state;
    bool inside = is_inside(loop);
    // Under the lock, which is the first thing the thread asks for.
    bool started = before == LOOP_IDLE && cosmi_thread_start(&loop->thread, loop_thread, loop);
    if (started) {
        loop->state = LOOP_ON_THREAD;
        loop->ended = false;
    }
    loop_unlock(loop);
    if (started) {
        return COSM_OK;
    }
    if (before != LOOP_IDLE) {
        return refuse_state(loop, call, before, inside, false);
    }
    return cosmi_fail(loop->batch->sink, COSM_ERROR_MEMORY,
                      "%s: the system could not create a thread; end others, or use cosm_loop_run",
                      call);
}

cosm_result cosm_loop_wait(cosm_loop *loop) {
    static const char call[] = "cosm_loop_wait";
    if (loop == NULL) {
        return refuse_loop_null(call);
    }
    loop_lock(loop);
    bool started = loop->state == LOOP_ON_THREAD;
    bool inside = is_inside(loop);
    bool waited_for = loop->waited_for;
    if (started && !inside) {
        loop->waited_for = true;
    }
    loop_unlock(loop);
    if (!started && !inside) {
        return cosmi_fail(loop->batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the loop has no thread to wait for; start one with cosm_loop_start",
                          call);
    }
    if (inside || waited_for) {
        return refuse_state(loop, call, LOOP_ON_THREAD, inside, waited_for);
    }
    cosmi_thread_join(&loop->thread);
    struct failure failure = loop->failure;
    release_loop(loop);
    // The engine's callback has heard of it when it happened.
    return failure.result == COSM_OK ? COSM_OK : cosmi_error_show(&failure);
}

cosm_result cosm_loop_frame(cosm_loop *loop, double seconds) {
    static const char call[] = "cosm_loop_frame";
    if (loop == NULL) {
        return refuse_loop_null(call);
    }
    if (!is_amount(seconds)) {
        return cosmi_fail(
            loop->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: seconds %g is negative or not finite; pass the time since the last frame", call,
            seconds);
    }
    cosm_result result = claim_loop(loop, call, LOOP_IN_FRAME);
    if (result != COSM_OK) {
        return result;
    }
    result = run_frame(loop, call, cosmi_ticks_of_seconds(seconds));
    release_loop(loop);
    return result;
}

// Whether the loop may be destroyed by the caller; if it has a thread, that is asked to stop.
static cosm_result check_loop_destroy(struct cosm_loop *loop, const char *call) {
    loop_lock(loop);
    enum loop_state state = loop->state;
    bool inside = is_inside(loop);
    bool waited_for = loop->waited_for;
    if (state == LOOP_ON_THREAD && !inside && !waited_for) {
        loop->stop = true;
        cosmi_condition_broadcast(&loop->wake);
    }
    loop_unlock(loop);
    return inside || waited_for || state == LOOP_IN_RUN || state == LOOP_IN_FRAME
               ? refuse_state(loop, call, state, inside, waited_for)
               : COSM_OK;
}

cosm_result cosm_loop_destroy(cosm_loop *loop) {
    if (loop == NULL) {
        return COSM_OK;
    }
    cosm_result result = check_loop_destroy(loop, "cosm_loop_destroy");
    if (result != COSM_OK) {
        return result;
    }
    if (loop->state == LOOP_ON_THREAD) {
        cosmi_thread_join(&loop->thread);
    }
    struct cosm_batch *batch = loop->batch;
    cosmi_condition_destroy(&loop->wake);
    cosmi_mutex_destroy(&loop->lock);
    cosmi_memory_free(&batch->memory, loop, sizeof(*loop), _Alignof(struct cosm_loop));
    atomic_fetch_sub(&batch->loop_count, 1);
    return COSM_OK;
}

void cosm_loop_stop(cosm_loop *loop) {
    if (loop != NULL) {
        loop_lock(loop);
        loop->stop = true;
        cosmi_condition_broadcast(&loop->wake);
        loop_unlock(loop);
    }
}

void cosm_loop_pause(cosm_loop *loop, bool paused) {
    if (loop != NULL) {
        loop_lock(loop);
        cosmi_pace_pause(&loop->pace, paused);
        loop_unlock(loop);
    }
}

void cosm_loop_step(cosm_loop *loop) {
    if (loop != NULL) {
        loop_lock(loop);
        cosmi_pace_ask(&loop->pace);
        loop_unlock(loop);
    }
}

cosm_result cosm_loop_set_time_scale(cosm_loop *loop, double time_scale) {
    static const char call[] = "cosm_loop_set_time_scale";
    if (loop == NULL) {
        return refuse_loop_null(call);
    }
    cosm_result result = check_time_scale(loop->batch, call, time_scale);
    if (result == COSM_OK) {
        loop_lock(loop);
        loop->pace.time_scale = time_scale;
        loop_unlock(loop);
    }
    return result;
}

double cosm_loop_alpha(const cosm_loop *loop) {
    if (loop == NULL) {
        return 0;
    }
    loop_lock(loop);
    double alpha = cosmi_pace_alpha(&loop->pace);
    loop_unlock(loop);
    return alpha;
}

cosm_loop_info cosm_loop_describe(const cosm_loop *loop) {
    if (loop == NULL) {
        return (cosm_loop_info){0};
    }
    loop_lock(loop);
    const struct loop_pace *pace = &loop->pace;
    cosm_loop_info info = {
        .batch = loop->batch,
        .is_running = loop->state == LOOP_IN_RUN || (loop->state == LOOP_ON_THREAD && !loop->ended),
        .is_paused = pace->paused,
        .time_scale = pace->time_scale,
        .frames = pace->frames,
        .steps = pace->steps,
        .steps_dropped = pace->steps_dropped,
        .seconds = (double)pace->steps / pace->step_rate,
    };
    loop_unlock(loop);
    return info;
}
