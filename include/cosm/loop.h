// The loop: steps a batch at a fixed rate, independent of the frame rate.
//
// A frame runs, in this order: the per-frame phases before the first fixed one (input), as many
// steps as the elapsed time requires, the other per-frame phases (render), and the frame callback.
// A step runs the fixed phases in order and ends the step. Remaining time is kept for the next
// frame; cosm_loop_alpha returns how far it reaches into the next step.
//
// Run a loop on the calling thread (cosm_loop_run), on its own thread (cosm_loop_start), or frame
// by frame from a host's loop (cosm_loop_frame), one of these at a time: others fail with
// COSM_ERROR_BUSY.
#ifndef COSM_LOOP_H
#define COSM_LOOP_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_LOOP_RATE_MIN 0.001 // steps or frames per second
#define COSM_LOOP_RATE_MAX 1e6

// The time in nanoseconds, from a monotonic clock.
typedef uint64_t cosm_loop_clock_fn(void *context);

// Sleeps for about `ns` nanoseconds; may return early. Stopping the loop does not wake it.
typedef void cosm_loop_sleep_fn(void *context, uint64_t ns);

// Called at the end of every frame, on the loop's thread. Any result but COSM_OK ends the loop.
typedef cosm_result cosm_loop_frame_fn(void *context, cosm_loop *loop);

// Zeroed: 60 steps and 60 frames per second.
typedef struct cosm_loop_desc {
    double step_rate;   // steps per second of loop time, also for `dt`; zero: from step_seconds
    double frame_rate;  // frames per second; zero: same as step_rate; negative: never sleep
    uint32_t steps_max; // maximum steps per frame; zero: 8
    double frame_max;   // maximum seconds that a frame counts for; zero: 0.25
    double time_scale;  // seconds of loop time per second; zero: 1
    bool paused;        // starts paused
    cosm_loop_frame_fn *frame;
    void *frame_context;
    cosm_loop_clock_fn *clock; // NULL: the system's clock; set both or none
    cosm_loop_sleep_fn *sleep;
    void *clock_context;
} cosm_loop_desc;

// Creates a loop for a batch, which must outlive it. `desc` may be NULL. NULL on failure.
COSM_API cosm_loop *cosm_loop_create(cosm_batch *batch, const cosm_loop_desc *desc);

// Stops the loop, waits for its thread and frees it. NULL is allowed. Fails with COSM_ERROR_BUSY
// from inside its own frame, and while another thread is in cosm_loop_run, _frame or _wait.
COSM_API cosm_result cosm_loop_destroy(cosm_loop *loop);

// Runs frames on this thread until the loop is stopped or something fails, and returns that result.
// The first frame starts at once, with no elapsed time. If a step fails, the step still runs to its
// end; the frame does not.
COSM_API COSM_MUST_USE cosm_result cosm_loop_run(cosm_loop *loop);

// cosm_loop_start does the same on a new thread. cosm_loop_wait returns the result, and stores its
// message for the calling thread. After that the loop can run again.
COSM_API COSM_MUST_USE cosm_result cosm_loop_start(cosm_loop *loop);
COSM_API COSM_MUST_USE cosm_result cosm_loop_wait(cosm_loop *loop);

// Runs one frame that counts for `seconds` of real time, without sleeping. Ignores cosm_loop_stop.
COSM_API COSM_MUST_USE cosm_result cosm_loop_frame(cosm_loop *loop, double seconds);

// Asks the loop to end after the current frame, and wakes it if it sleeps. If called before
// cosm_loop_run, that ends before its first frame. Any thread may call it.
COSM_API void cosm_loop_stop(cosm_loop *loop);

// While paused, a frame takes no steps and loop time stands still; per-frame phases still run, with
// a dt of zero. Each call of cosm_loop_step makes the next frame take one more step, up to
// steps_max, and later frames the rest; `dt` is then the time of these steps. If not paused,
// cosm_loop_step does nothing. Any thread may call these; they take effect in the next frame.
COSM_API void cosm_loop_pause(cosm_loop *loop, bool paused);
COSM_API void cosm_loop_step(cosm_loop *loop);

// Seconds of loop time per second, from the next frame on: 0.5 is slow motion, 0 stops time. Any
// thread may call it.
COSM_API COSM_MUST_USE cosm_result cosm_loop_set_time_scale(cosm_loop *loop, double time_scale);

// How far the current time lies between the last step and the next, 0 to 1: for interpolation when
// drawing. The value after the steps of the current frame. Any thread may call it.
COSM_API double cosm_loop_alpha(const cosm_loop *loop);

// What a loop does, and its totals.
typedef struct cosm_loop_info {
    cosm_batch *batch;
    bool is_running; // in cosm_loop_run, or on its own thread
    bool is_paused;
    double time_scale;
    uint64_t frames; // frames started
    uint64_t steps;
    uint64_t steps_dropped; // steps left out because of steps_max or frame_max
    double seconds;         // loop time of the steps taken
} cosm_loop_info;

// Zeroed for NULL. Any thread may call it.
COSM_API cosm_loop_info cosm_loop_describe(const cosm_loop *loop);

COSM_END_C

#endif
