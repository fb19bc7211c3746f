// The loop: steps a batch at a steady rate, whatever the rate of frames.
//
// A frame runs, in this order: the per-frame phases that come before the first fixed one (input),
// as many steps as the time passed asks for, the other per-frame phases (render), and the frame
// callback. A step runs the fixed phases in their order and ends the step. Time that is left over
// is kept for the next frame; cosm_loop_alpha tells the renderer how far it is into the next step.
//
// Run it on the calling thread (cosm_loop_run), on one of its own (cosm_loop_start), or frame by
// frame from a host's own loop (cosm_loop_frame). One at a time: what does not fit is refused with
// COSM_ERROR_BUSY.
#ifndef COSM_LOOP_H
#define COSM_LOOP_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_LOOP_RATE_MIN 0.001 // steps or frames per second
#define COSM_LOOP_RATE_MAX 1e6

// Now, in nanoseconds of a clock that never goes back.
typedef uint64_t cosm_loop_clock_fn(void *context);

// Sleeps for about so many nanoseconds; it may return early. A stop does not wake it.
typedef void cosm_loop_sleep_fn(void *context, uint64_t ns);

// Called at the end of every frame, on the loop's thread. Anything but COSM_OK ends the loop.
typedef cosm_result cosm_loop_frame_fn(void *context, cosm_loop *loop);

// Good when zeroed: 60 steps and 60 frames a second.
typedef struct cosm_loop_desc {
    double step_rate;   // steps per second of loop time, also for `dt`; zero: by step_seconds
    double frame_rate;  // frames per second; zero: as step_rate; below zero: no sleep at all
    uint32_t steps_max; // steps in one frame at most; zero: 8
    double frame_max;   // seconds that a frame counts for at most; zero: 0.25
    double time_scale;  // seconds of loop time in a second; zero: 1
    bool paused;        // begins without steps
    cosm_loop_frame_fn *frame;
    void *frame_context;
    cosm_loop_clock_fn *clock; // NULL: the system's; both or none
    cosm_loop_sleep_fn *sleep;
    void *clock_context;
} cosm_loop_desc;

// What a loop has done so far.
typedef struct cosm_loop_figures {
    uint64_t frames; // begun
    uint64_t steps;
    uint64_t steps_dropped; // steps that the caps left out
    double seconds;         // loop time in the steps taken
} cosm_loop_figures;

// Makes a loop for a batch, which must outlive it. `desc` may be NULL. NULL on failure.
COSM_API cosm_loop *cosm_loop_create(cosm_batch *batch, const cosm_loop_desc *desc);

// Stops the loop, waits for its thread and frees it. NULL is fine. Refused (COSM_ERROR_BUSY) from
// within its own frame, and while another thread is in cosm_loop_run, _frame or _wait.
COSM_API cosm_result cosm_loop_destroy(cosm_loop *loop);

// Runs frames on this thread until the loop is stopped or something fails, which is then returned.
// The first frame comes at once, and no time has passed in it. A step in which something fails is
// taken to its end; the frame is not.
COSM_API COSM_MUST_USE cosm_result cosm_loop_run(cosm_loop *loop);

// The same on a thread of its own; cosm_loop_wait returns what it ended with, and the message is
// then this thread's too. After that the loop can run again.
COSM_API COSM_MUST_USE cosm_result cosm_loop_start(cosm_loop *loop);
COSM_API COSM_MUST_USE cosm_result cosm_loop_wait(cosm_loop *loop);

// One frame for so many seconds of real time, without sleeping. A stop means nothing to it.
COSM_API COSM_MUST_USE cosm_result cosm_loop_frame(cosm_loop *loop, double seconds);

// Asks the loop to end after the frame at hand; wakes it where it sleeps. One that comes before
// cosm_loop_run has that end before its first frame. From any thread.
COSM_API void cosm_loop_stop(cosm_loop *loop);

// Is it in cosm_loop_run, or on its own thread? From any thread.
COSM_API bool cosm_loop_is_running(const cosm_loop *loop);

// While paused a frame takes no steps and loop time stands still; its phases run all the same, with
// a dt of zero. Each call of cosm_loop_step has the next frame take one step more, as far as
// steps_max lets it, and the frames after it the rest; `dt` is then the time of these steps. When
// not paused it does nothing. From any thread, for the next frame.
COSM_API void cosm_loop_pause(cosm_loop *loop, bool paused);
COSM_API bool cosm_loop_is_paused(const cosm_loop *loop);
COSM_API void cosm_loop_step(cosm_loop *loop);

// Seconds of loop time in a second, from the next frame on: 0.5 is slow motion, 0 stands still.
// From any thread.
COSM_API COSM_MUST_USE cosm_result cosm_loop_set_time_scale(cosm_loop *loop, double time_scale);
COSM_API double cosm_loop_time_scale(const cosm_loop *loop);

// How far the present lies between the last step and the next one, 0 to 1: for drawing in between.
// It is that of the frame at hand, after its steps. From any thread.
COSM_API double cosm_loop_alpha(const cosm_loop *loop);

COSM_API cosm_loop_figures cosm_loop_totals(const cosm_loop *loop); // from any thread
COSM_API cosm_batch *cosm_loop_batch(const cosm_loop *loop);

COSM_END_C

#endif
