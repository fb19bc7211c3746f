// What is said after every run, of scenes and of environments, and why one failed.
#ifndef COSM_TOOL_SUMMARY_H
#define COSM_TOOL_SUMMARY_H

#include "arguments.h"

// Prints workers, steps and speed; entities, memory and hash.
void summary_speed(const struct arguments *arguments, const cosm_batch *batch,
                   const cosm_engine *engine, uint64_t elapsed_ns);
void summary_state(const struct arguments *arguments, const cosm_batch *batch);

// What a failure was: the library's words, or the one case in which it has none.
const char *summary_reason(void);

// Where the option may be why memory ran out, says so: the library's words do not know of it.
void summary_hint(const struct arguments *arguments, cosm_result result);

#endif
