// Shows on stderr how far a run is, once it has taken a second: a bar on a terminal, elsewhere a
// line after 1, 2, 4, 8 and so on seconds. The clock and the terminal are asked for here.
#ifndef COSM_TOOL_PROGRESS_H
#define COSM_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t steps;
    uint64_t worlds;
    uint64_t began_ns;
    uint64_t drawn_ns; // when the bar was last drawn; zero: never
    uint64_t line_ns;  // when the next line is due, from the beginning
    bool is_terminal;
};

// Begins to count time and steps.
void progress_begin(struct progress *progress, uint64_t worlds, uint64_t steps);

// Says that `done` steps are done. Cheap enough to call after each.
void progress_update(struct progress *progress, uint64_t done);

// Erases the bar, if there is one.
void progress_end(const struct progress *progress);

// Nanoseconds of a clock that never goes back.
uint64_t progress_now_ns(void);

// Can stderr be drawn on, line over line?
bool progress_can_redraw(void);

#endif
