// Files: written as a whole or not at all, and only where they change.
#ifndef COSM_GEN_FILES_H
#define COSM_GEN_FILES_H

#include "memory.h"

// Is this what the file holds? False where it cannot be read.
bool files_same(const char *path, const char *data, size_t size);

// Writes a file beside the old one and lets it take its place. False, with a message on stderr,
// where that fails; the old one is then as it was.
bool files_write(struct arena *arena, const char *path, const char *data, size_t size);

// The same, but leaves a file alone that has this content: what depends on it is not built again.
bool files_update(struct arena *arena, const char *path, const char *data, size_t size);

// Makes a folder and those above it. What is there is fine.
bool files_make_folder(struct arena *arena, const char *path);

#endif
