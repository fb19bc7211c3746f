// A public container of sectors as the library sees it.
#ifndef COSM_STORE_CONTAINER_H
#define COSM_STORE_CONTAINER_H

#include "store/sectors.h"

// The core is first: its face is what inlined code reads.
struct cosm_container {
    struct sectors core;
    struct sectors_layout *layout;
    struct memory memory;
    struct sink sink;
    struct printed printed; // its failures that went to stderr
};

#endif
