// What the program does with files: saved states and recordings of scenes.
#ifndef COSM_TOOL_FILES_H
#define COSM_TOOL_FILES_H

#include "arguments.h"

// Begins to record a scene, for `cosm record`. NULL on failure, with a message of the library's.
cosm_recorder *files_record(scene_run *scene, const struct arguments *arguments);

// Saves the state of a scene, for `cosm save`.
cosm_result files_save(scene_run *scene, const char *path);

// The commands that take only files. The exit code: 0, or 1 where files differ, after a report, or
// where something failed, after a complaint.
int files_replay(const struct arguments *arguments);
int files_info(const struct arguments *arguments);
int files_diff(const struct arguments *arguments);
int files_diverge(const struct arguments *arguments);

#endif
