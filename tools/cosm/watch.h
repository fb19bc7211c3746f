// `cosm run --watch`: draws one world on the terminal while all of them run, in place, about 20
// times a second, and holds a run that is faster than real time back to it.
#ifndef COSM_TOOL_WATCH_H
#define COSM_TOOL_WATCH_H

#include "simulation.h"

struct watch {
    const struct simulation *simulation; // NULL: nothing is drawn
    uint32_t world;
    uint64_t steps;     // of the whole run
    uint64_t pace_ns;   // that a step takes at least
    uint64_t due_ns;    // when the next step may begin
    uint64_t drawn_ns;  // when the picture was last drawn; zero: never
    cosm_canvas canvas; // as the simulation draws it
    uint32_t scale;     // pixels of it, each way, in one of the terminal
    bool has_colour;
    bool is_unicode;
};

// Makes ready to draw, where that is asked for and stderr is a terminal. False after a complaint:
// it cannot be drawn at all.
bool watch_begin(struct watch *watch, const struct arguments *arguments,
                 const struct simulation *simulation);

// Is something drawn?
bool watch_is_on(const struct watch *watch);

// Draws the state after `done` steps, if a picture is due, and waits until the next step is.
void watch_update(struct watch *watch, uint64_t done);

void watch_end(struct watch *watch);

#endif
