// The arithmetic of a loop, in whole ticks, and the order of phases in a frame.
#include "run/pace.h"

#include "base/check.h"

static uint64_t smaller_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

void cosmi_pace_init(struct loop_pace *pace, const cosm_loop_desc *desc) {
    double frame_rate = desc->frame_rate == 0 ? desc->step_rate : desc->frame_rate;
    double frame_max = desc->frame_max == 0 ? 0.25 : desc->frame_max;
    *pace = (struct loop_pace){
        // Down, while time that passes is rounded up: frames that add up to k steps never fall
        // short of the last one. At 60 Hz this makes one step too many in 860 years.
        .step_ticks = (uint64_t)(LOOP_TICKS_PER_SECOND / desc->step_rate),
        .frame_ticks = frame_rate < 0 ? 0 : (uint64_t)(LOOP_TICKS_PER_SECOND / frame_rate),
        .frame_max = cosmi_ticks_of_seconds(frame_max),
        .steps_max = desc->steps_max == 0 ? 8 : desc->steps_max,
        .step_rate = desc->step_rate,
        .time_scale = desc->time_scale == 0 ? 1 : desc->time_scale,
        .paused = desc->paused,
    };
    INVARIANT(pace->step_ticks > 0, "a step has a length");
}

double cosmi_pace_rate(float step_seconds) {
    double rate = 1 / (double)step_seconds;
    if (!(rate >= 1 && rate <= COSM_LOOP_RATE_MAX)) {
        return rate;
    }
    double whole = (double)(uint64_t)(rate + 0.5);
    return (float)(1 / whole) == step_seconds ? whole : rate;
}

uint64_t cosmi_ticks_of_ns(uint64_t ns) {
    return smaller_of(ns, LOOP_PASSED_MAX / LOOP_TICKS_PER_NS) * LOOP_TICKS_PER_NS;
}

// Up by less than a tick: ten million frames are off by less than 153 ns.
static uint64_t whole_ticks(double ticks) {
    if (ticks >= (double)LOOP_PASSED_MAX) {
        return LOOP_PASSED_MAX;
    }
    uint64_t whole = (uint64_t)ticks;
    return (double)whole < ticks ? whole + 1 : whole;
}

uint64_t cosmi_ticks_of_seconds(double seconds) {
    return whole_ticks(seconds * LOOP_TICKS_PER_SECOND);
}

// Real time to loop time.
static uint64_t scale_ticks(const struct loop_pace *pace, uint64_t ticks) {
    return pace->time_scale == 1 ? ticks : whole_ticks((double)ticks * pace->time_scale);
}

static float seconds_of(uint64_t ticks) {
    return (float)((double)ticks / LOOP_TICKS_PER_SECOND);
}

// While paused only the steps that were asked for take time.
static struct loop_frame begin_paused(struct loop_pace *pace) {
    uint32_t steps = (uint32_t)smaller_of(pace->steps_asked, pace->steps_max);
    pace->steps_asked -= steps;
    return (struct loop_frame){steps, (float)(steps / pace->step_rate)};
}

struct loop_frame cosmi_pace_begin(struct loop_pace *pace, uint64_t passed) {
    INVARIANT(passed <= LOOP_PASSED_MAX, "time that passed is within the limit");
    pace->frames++;
    if (pace->paused) {
        return begin_paused(pace);
    }
    uint64_t counted = scale_ticks(pace, smaller_of(passed, pace->frame_max));
    uint64_t all = pace->left + scale_ticks(pace, passed);
    // Whole steps are dropped and never parts of one: what is left keeps to the clock.
    uint64_t due = all / pace->step_ticks;
    uint64_t taken = smaller_of((pace->left + counted) / pace->step_ticks, pace->steps_max);
    pace->left = all % pace->step_ticks;
    pace->steps_dropped += due - taken;
    return (struct loop_frame){(uint32_t)taken, seconds_of(counted)};
}

void cosmi_pace_pause(struct loop_pace *pace, bool paused) {
    pace->paused = paused;
    pace->steps_asked = paused ? pace->steps_asked : 0;
}

void cosmi_pace_ask(struct loop_pace *pace) {
    if (pace->paused && pace->steps_asked < UINT32_MAX) {
        pace->steps_asked++;
    }
}

double cosmi_pace_alpha(const struct loop_pace *pace) {
    return (double)pace->left / (double)pace->step_ticks;
}

uint64_t cosmi_pace_wait(struct loop_pace *pace, uint64_t passed) {
    if (pace->frame_ticks == 0) {
        return 0;
    }
    int64_t period = (int64_t)pace->frame_ticks;
    // When this frame was due, seen from its begin: in the past where it is late.
    int64_t due = pace->ahead - (int64_t)passed;
    if (due <= -period) {
        due = -(-due % period);
    }
    pace->ahead = due + period;
    // Rounded up: a frame that begins too early would find no step to take.
    return ((uint64_t)pace->ahead + LOOP_TICKS_PER_NS - 1) / LOOP_TICKS_PER_NS;
}

void cosmi_loop_phases(struct runner *runner, struct loop_phases *out_phases) {
    bool is_before = true;
    out_phases->before_count = 0;
    out_phases->count = 0;
    cosmi_mutex_lock(&runner->lock);
    for (uint32_t i = 0; i < runner->phase_count; i++) {
        cosm_phase phase = {runner->phase_order[i]};
        if (runner->phases[phase.id].rate == COSM_PHASE_RATE_FIXED) {
            is_before = false;
        } else {
            out_phases->list[out_phases->count++] = phase;
            out_phases->before_count += is_before;
        }
    }
    cosmi_mutex_unlock(&runner->lock);
}
