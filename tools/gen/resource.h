// Where the headers are that belong to clang itself: stddef.h, stdint.h, stdbool.h and so on.
//
// libclang is a library and does not always know where its compiler is installed; without these
// headers hardly any header can be read.
#ifndef COSM_GEN_RESOURCE_H
#define COSM_GEN_RESOURCE_H

#include "memory.h"

// The folder that holds include/stddef.h: `given` where it is not NULL and no other, else one that
// lies beside libclang, one of the usual ones, or that which was there when cosm-gen was built.
// NULL where there is none; *out_tried then lists where it was looked for.
const char *resource_find(struct arena *arena, const char *given, const char **out_tried);

// Of the libclang that is linked, such as "14.0.6".
const char *resource_clang_version(struct arena *arena);

#endif
