// Paths of fields: "pose.position.x", "items[2].count".
#ifndef COSM_SCHEMA_FIELD_PATH_H
#define COSM_SCHEMA_FIELD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One step of a path: a name, or an index in brackets.
struct path_step {
    const char *name; // NULL: an index
    size_t length;    // of the name
    uint32_t index;
};

// Reads the step at *io_at and moves past it and the dot behind it. False where there is none that
// is well formed; at the end of a path *io_at points at its zero.
bool cosmi_path_step(const char **io_at, struct path_step *out_step);

// Is it a path at all: identifiers with '.' between them, each with any number of [n]?
bool cosmi_path_is_valid(const char *path);

// What is wrong with a path that follows another in a list of fields.
enum path_order {
    PATH_FOLLOWS,  // nothing
    PATH_INSIDE,   // one of them is a part of the other, or they are the same
    PATH_MIXED,    // an index where the other has a name, or the reverse
    PATH_INDEX,    // indices begin at 0 and go up by one
    PATH_DIVERGES, // nothing so far, but its name at *out_length must be new in its struct
};

// `before` NULL: `path` is the first one. Of PATH_DIVERGES, *out_length is how many characters of
// `path` lead to and through the name in which the two differ.
enum path_order cosmi_path_compare(const char *before, const char *path, size_t *out_length);

// Does `path` begin with these characters, and do its steps end there too?
bool cosmi_path_leads_through(const char *path, const char *prefix, size_t length);

#endif
