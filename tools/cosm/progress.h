// Shows on stderr how far a run is: a bar on a terminal, about ten plain lines elsewhere.
#ifndef COSM_TOOL_PROGRESS_H
#define COSM_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t steps;
    uint64_t worlds;
    uint64_t began_ns;
    uint64_t drawn_ns;   // when the bar was last drawn
    uint64_t lines_told; // tenths of the run that a line was printed for
    bool is_terminal;
};

// Begins to count time and steps.
void progress_begin(struct progress *progress, uint64_t worlds, uint64_t steps);

// Says that `done` steps are done. Cheap enough to call after each.
void progress_update(struct progress *progress, uint64_t done);

// Ends the bar's line, if there is one.
void progress_end(const struct progress *progress);

// Nanoseconds since progress_begin.
uint64_t progress_elapsed_ns(const struct progress *progress);

#endif
