// The arithmetic of a loop: how many steps a frame takes, what is left over, when to wake up; and
// the order of the phases in a frame.
//
// Nothing here waits, looks at a clock or knows of threads: run/loop.c does. Time is counted in
// ticks, whole numbers of 2^-16 ns, so that a long run adds up:
//
//   time passed   |=========|=========|=========|=====          scaled by time_scale
//   steps          taken     taken     dropped   left: alpha = left / step
//
// Always: (steps + steps_dropped) * step_ticks + left is all the loop time that passed.
#ifndef COSM_RUN_PACE_H
#define COSM_RUN_PACE_H

#include <cosm/loop.h>

#include "run/system.h"

#define LOOP_TICKS_PER_NS 65536u
#define LOOP_TICKS_PER_SECOND 65536e9

// What one frame or one gap between frames counts for at most: 4.9 hours, 2^60 ticks, so that sums
// of a few of them fit.
#define LOOP_PASSED_MAX ((uint64_t)LOOP_TICKS_PER_NS << 44)

struct loop_pace {
    uint64_t step_ticks;  // of a step; rounded down
    uint64_t frame_ticks; // from one frame to the next, likewise; 0: as soon as possible
    uint64_t frame_max;   // ticks that a frame counts for at most
    uint32_t steps_max;
    double step_rate;
    double time_scale;
    bool paused;
    uint32_t steps_asked; // one by one, while paused

    uint64_t left; // loop time that passed after the last step; below step_ticks
    int64_t ahead; // the next frame is due so many ticks after the last one began
    uint64_t frames;
    uint64_t steps; // that were taken; counted by whoever takes them
    uint64_t steps_dropped;
};

// What a frame has to do.
struct loop_frame {
    uint32_t steps;
    float dt; // loop time that the frame stands for: what per-frame phases see
};

// From a desc that was looked at. `step_rate` is set in it; zeroes elsewhere get their meaning.
void cosmi_pace_init(struct loop_pace *pace, const cosm_loop_desc *desc);

// The rate of steps of so many seconds. What is short of a whole number by no more than a float's
// rounding is that number: 60 for (float)(1.0 / 60).
double cosmi_pace_rate(float step_seconds);

// Ticks for time that passed, at most LOOP_PASSED_MAX. Seconds are not negative and no NaN.
uint64_t cosmi_ticks_of_ns(uint64_t ns);
uint64_t cosmi_ticks_of_seconds(double seconds);

// Begins a frame after `passed` ticks of real time: counts it, and says what it has to do.
struct loop_frame cosmi_pace_begin(struct loop_pace *pace, uint64_t passed);

void cosmi_pace_pause(struct loop_pace *pace, bool paused);

// Asks for one step; nothing while not paused.
void cosmi_pace_ask(struct loop_pace *pace);

// How far into the next step: 0 to 1.
double cosmi_pace_alpha(const struct loop_pace *pace);

// The frames that a loop waits for lie on a grid: each is due frame_ticks after the one before was
// due, not after it began. `passed` ticks lie between the begin of the last frame and that of this
// one; returns nanoseconds from the begin of this one until the next is due. A frame that is late
// by whole periods leaves these out.
uint64_t cosmi_pace_wait(struct loop_pace *pace, uint64_t passed);

// The per-frame phases in the order in which a frame runs them: those before the steps, and those
// after them.
struct loop_phases {
    cosm_phase list[COSM_PHASE_MAX];
    uint32_t before_count;
    uint32_t count;
};

void cosmi_loop_phases(struct runner *runner, struct loop_phases *out_phases);

#endif
