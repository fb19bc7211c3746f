// What --profile and --trace ask for: how long the systems of a run took, and what ran when.
#ifndef COSM_TOOL_TIMING_H
#define COSM_TOOL_TIMING_H

#include "arguments.h"

#include <stdio.h>

struct timing {
    bool table;            // print one
    const char *path;      // of the trace; NULL: none
    FILE *file;            // likewise
    cosm_profile *profile; // NULL: nothing is timed
};

// Opens the file of the trace, before the run: who cannot write it should know before waiting.
// False after a complaint.
bool timing_open(struct timing *timing, const struct arguments *arguments);

// Begins to time the systems of a batch, if that is asked for. COSM_OK, or a failure with a message
// of the library's.
cosm_result timing_begin(struct timing *timing, cosm_batch *batch);

// Prints the table to stdout and writes the trace. False after a complaint.
bool timing_report(struct timing *timing);

// Ends the profile and closes the file, whatever happened in between.
void timing_close(struct timing *timing);

// Writes text to the FILE that `context` is: what the library's printing calls want.
void timing_write(void *context, const char *text, size_t length);

#endif
