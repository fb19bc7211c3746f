// What the program does with files: saved states and recordings of scenes and environments.
#ifndef COSM_TOOL_FILES_H
#define COSM_TOOL_FILES_H

#include "simulation.h"

#include <cosm_record/recorder.h>

// Begins to record, for `cosm record`. NULL on failure, with a message of the library's.
cosm_recorder *files_record(const struct simulation *simulation, const struct arguments *arguments);

// Can a file be written? Asked before a long run; false after a complaint. Leaves no file.
bool files_can_write(const char *path);

// Saves the state, for `cosm save`.
cosm_result files_save(const struct simulation *simulation, const char *path);

// The commands that take only files. The exit code: 0, or 1 where files differ, after a report, or
// where something failed, after a complaint.
int files_replay(const struct arguments *arguments);
int files_info(const struct arguments *arguments);
int files_diff(const struct arguments *arguments);
int files_diverge(const struct arguments *arguments);

// What they share: the codecs that files may ask for; whether a file is a recording; and a
// complaint with the library's last message, which returns 1.
cosm_load_desc files_load_desc(void);
bool files_is_recording(const char *path);
int files_complain(const char *path);

#endif
