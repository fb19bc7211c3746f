// The profile: how long systems and phases take, and how long workers wait.
//
// While a batch has a profile, every turn of a system is timed; otherwise none is.
#ifndef COSM_PROFILE_H
#define COSM_PROFILE_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Zeroed: statistics only.
typedef struct cosm_profile_desc {
    uint32_t event_max; // turns and runs of phases kept for the trace, 40 bytes each; zero: none
} cosm_profile_desc;

// Statistics of a system or of a phase. A sample is one run of the phase: the time of a system is
// the sum of all its turns, on all workers; that of a phase is the time that the caller waited.
// Median and 99th percentile are within 4 percent; everything else is exact.
typedef struct cosm_profile_figures {
    uint64_t runs; // runs of its phase in which it ran
    uint64_t turns;
    uint64_t rows; // rows passed to `each`
    uint64_t total_ns;
    uint64_t median_ns;
    uint64_t p99_ns;
    uint64_t longest_ns;
    uint64_t waited_ns; // total time that workers were idle until the slowest finished
} cosm_profile_figures;

// Starts a profile of a batch that is not running; one at a time. `desc` may be NULL. NULL on
// failure.
COSM_API cosm_profile *cosm_profile_create(cosm_batch *batch, const cosm_profile_desc *desc);

// Ends the profile. NULL is allowed. Fails while the batch is running.
COSM_API cosm_result cosm_profile_destroy(cosm_profile *profile);

// Statistics of a system or of a phase; zeros if it has not run. Call these while the batch is not
// running. Those of a system remain after it is removed.
COSM_API cosm_profile_figures cosm_profile_system(const cosm_profile *profile, cosm_system system);
COSM_API cosm_profile_figures cosm_profile_phase(const cosm_profile *profile, cosm_phase phase);

// Turns that did not fit in the trace; their times are counted nevertheless.
COSM_API uint64_t cosm_profile_events_dropped(const cosm_profile *profile);

// Writes a table of all phases and systems that ran. Fails while the batch is running.
COSM_API COSM_MUST_USE cosm_result cosm_profile_print(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

// Writes the events as a trace in Chrome's JSON format, one track per worker. Fails while the batch
// is running, and if desc.event_max was zero.
COSM_API COSM_MUST_USE cosm_result cosm_profile_trace(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

COSM_END_C

#endif
