// What is said after a run, of scenes and of environments.
#ifndef COSM_TOOL_SUMMARY_H
#define COSM_TOOL_SUMMARY_H

#include "simulation.h"

// What was run, how long it took and what it came to.
void summary_print(const struct arguments *arguments, const struct simulation *simulation);

// A line for the entities there are, and one for the hash of the state.
void summary_entities(const cosm_batch *batch);
void summary_hash(const cosm_batch *batch);

// The end of the line of worlds: where they and the steps begin, if not at 0, as the hash depends
// on it.
void summary_first(uint64_t world_first, uint64_t step_first);

// The library's last message, or what it means when there is none.
const char *summary_reason(void);

// Names the option to change, where the limit that was given is the likely reason.
void summary_hint(const struct arguments *arguments, cosm_result result);

#endif
