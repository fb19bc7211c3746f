// The profile: how long systems and phases take, and where workers wait.
//
// While a batch has a profile, every turn of a system is timed. Without one nothing is.
#ifndef COSM_PROFILE_H
#define COSM_PROFILE_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Good when zeroed: figures only.
typedef struct cosm_profile_desc {
    uint32_t event_max; // turns and runs of phases kept for the trace; zero: none. 40 bytes each
} cosm_profile_desc;

// What was seen of a system, or of a phase as a whole. A sample is one run of the phase: the time
// of a system is that of all its turns together, on all workers; that of a phase is what the caller
// waited for it. Median and 99th percentile are within 4 percent, all else is exact.
typedef struct cosm_profile_figures {
    uint64_t runs; // of the phase in which it ran
    uint64_t turns;
    uint64_t rows; // that `each` was given
    uint64_t total_ns;
    uint64_t median_ns;
    uint64_t p99_ns;
    uint64_t longest_ns;
    uint64_t waited_ns; // workers standing idle until the slowest one was done, added up
} cosm_profile_figures;

// Begins a profile of a batch that is not running; one at a time. `desc` may be NULL. NULL on
// failure.
COSM_API cosm_profile *cosm_profile_create(cosm_batch *batch, const cosm_profile_desc *desc);

// Ends it. NULL is fine. Refused while the batch is running.
COSM_API cosm_result cosm_profile_destroy(cosm_profile *profile);

// Figures of a system or of a phase; zeroes when it has not run. To be asked while the batch is not
// running. Those of a system outlast it.
COSM_API cosm_profile_figures cosm_profile_system(const cosm_profile *profile, cosm_system system);
COSM_API cosm_profile_figures cosm_profile_phase(const cosm_profile *profile, cosm_phase phase);

// Turns that found no room among the events; their times are counted all the same.
COSM_API uint64_t cosm_profile_events_dropped(const cosm_profile *profile);

// Writes a table of all phases and systems that ran. Refused while the batch is running.
COSM_API COSM_MUST_USE cosm_result cosm_profile_print(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

// Writes the events as a trace in Chrome's JSON format, one track per worker. Refused while the
// batch is running, and when desc.event_max was zero.
COSM_API COSM_MUST_USE cosm_result cosm_profile_trace(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

COSM_END_C

#endif
