// What a step tells a profile, and how the profile keeps it.
//
// While a phase runs, each worker of a step writes only what is its own, so
// nothing here is locked. The thread that steps folds the workers together at the end of a phase.
//
//   while a phase runs   worker 0: sums by system, events   worker 1: sums by system, events  ...
//                                       |                                |
//   at its end                          +------ added to worker 0 <------+
//                                       |
//                           accounts: one sample per system that had a turn, one of the phase
#ifndef COSM_RUN_PROFILE_H
#define COSM_RUN_PROFILE_H

#include <cosm/system.h>

#include "base/memory.h"

// Buckets of a histogram of times, in nanoseconds. Below 32 each value has a bucket of its own;
// from there on each power of two has 16, so that the middle of a bucket is within 1/32 of what is
// in it. All of 64 bits: (64 - 5) * 16 + 32.
#define PROFILE_BUCKET_COUNT 976u

// One turn of a system, as it was.
struct profile_turn {
    uint32_t system;
    uint32_t thread; // cosmi_workers_thread_number
    uint32_t world_first;
    uint32_t world_count;
    uint64_t rows;
    uint64_t begin_ns;
    uint64_t end_ns;
};

// A turn, or the run of a phase, kept for the trace.
struct profile_event {
    uint64_t begin_ns;
    uint64_t end_ns;
    uint64_t rows;        // of a phase: which of its runs, from 1 on
    uint32_t system;      // 0: a phase
    uint32_t track;       // which line of the trace it is on
    uint32_t world_first; // of a phase: its id
    uint32_t world_count;
};

// What is known of a system, or of a phase as a whole. Made when it first runs.
struct profile_account {
    uint64_t runs; // samples: what the buckets add up to
    uint64_t turns;
    uint64_t rows;
    uint64_t total_ns;
    uint64_t longest_ns;
    uint64_t waited_ns;
    uint32_t phase; // the one it ran in
    uint64_t buckets[PROFILE_BUCKET_COUNT];
};

// What a worker has seen of one system since the phase began. Of number 0, which is no system, the
// first worker keeps what was waited in the phase.
struct profile_sums {
    uint64_t ns;
    uint64_t rows;
    uint64_t turns;
    uint64_t waited_ns;
};

// A worker's own. Nobody else looks at it while a phase runs, so it has its cache lines to itself,
// and so have its sums.
struct profile_worker {
    _Alignas(64) struct profile_sums *sums; // [system_room]
    uint32_t *touched; // [system_room]: the systems whose sums are not all zero
    uint32_t system_room;
    uint32_t touched_count;
    struct profile_event *events; // [event_room]: its part of what the profile has left
    uint32_t event_room;
    uint32_t event_count;
    uint64_t dropped; // turns without an event since the phase began
};

// While a phase runs everything but the workers is only read.
struct cosm_profile {
    struct memory *memory;
    struct cosm_batch *batch;       // set by the public calls, which alone use it
    struct profile_worker *workers; // [worker_room]
    uint32_t worker_room;
    uint32_t worker_count;            // of the phase that runs, or ran last
    struct profile_account **systems; // [system_room], by id; NULL where it has not run
    uint32_t system_room;
    uint32_t event_max;
    uint32_t event_count;
    struct profile_event *events; // [event_max]: each phase, then its turns
    uint64_t dropped;
    struct profile_account *phases[COSM_PHASE_MAX + 1]; // by id
};

// Where the texts find names. NULL for what is no more.
struct profile_names {
    const char *(*system)(const void *context, uint32_t system);
    const char *(*phase)(const void *context, uint32_t phase);
    const void *context;
};

// Text on its way out, gathered so that `write` is not called for every word.
struct profile_text {
    cosm_text_fn *write;
    void *context;
    size_t length;
    char bytes[1000];
};

// NULL when out of memory. `desc` may be NULL.
cosm_profile *cosmi_profile_create(struct memory *memory, const cosm_profile_desc *desc);
void cosmi_profile_free(cosm_profile *profile);

// Before the first turn: makes room for `system_count` systems (ids below it) and `worker_count`
// workers. Keeps as it is what it cannot make room for: such turns are not counted.
void cosmi_profile_begin_phase(cosm_profile *profile, uint32_t phase, uint32_t system_count,
                               uint32_t worker_count);

// One turn, by this worker.
void cosmi_profile_add_turn(cosm_profile *profile, uint32_t worker,
                            const struct profile_turn *turn);

// Workers stood idle for so long, at the end of a system that was split; 0 for blocks of worlds. By
// the thread that steps.
void cosmi_profile_add_wait(cosm_profile *profile, uint32_t system, uint64_t ns);

// After the last turn; folds what the workers have.
void cosmi_profile_end_phase(cosm_profile *profile, uint32_t phase, uint64_t begin_ns,
                             uint64_t end_ns);

// Zeroes for what has not run.
cosm_profile_figures cosmi_profile_system_figures(const cosm_profile *profile, uint32_t system);
cosm_profile_figures cosmi_profile_phase_figures(const cosm_profile *profile, uint32_t phase);

// The events as a trace.
void cosmi_profile_write_trace(const cosm_profile *profile, const struct profile_names *names,
                               cosm_text_fn *write, void *context);

// The table of phases, in this order, and of the systems that ran in them.
void cosmi_profile_write_table(const cosm_profile *profile, const struct profile_names *names,
                               const uint32_t *phases, uint32_t phase_count, cosm_text_fn *write,
                               void *context);

// At most as much as `bytes` holds at a time. What is put comes out with the flush at the latest.
void cosmi_profile_put(struct profile_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void cosmi_profile_flush(struct profile_text *text);

// The bytes of the character that a text begins with; 0 when they are not good UTF-8.
size_t cosmi_profile_character(const char *text);

#endif
