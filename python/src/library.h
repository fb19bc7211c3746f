// Libraries of environments on their way to the loader.
#ifndef COSM_PYTHON_LIBRARY_H
#define COSM_PYTHON_LIBRARY_H

#include "package.h"

#include <sys/stat.h>

// One load of a library. Zeroed: there is none.
struct library {
    char *path;        // what the loader is to be given; messages show the caller's path instead
    bool is_copy;      // it is a private copy of the file, which goes when it is loaded
    bool is_known;     // it is the file itself, whose stamp is kept
    struct stat stamp; // of the file
};

// Finds what to load for a path with a slash in it: its absolute path, or a copy where code of an
// older file is in use under that path. False with an error set. With the GIL held.
bool cosmi_python_library_open(struct library *library, const char *path);

// Removes the copy, and keeps the stamp where the load went well. With the GIL held.
void cosmi_python_library_close(struct library *library, bool is_loaded);

#endif
