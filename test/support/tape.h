// Recordings in tests: files that are gone at the end, and a program that meddles with a scene.
#ifndef COSM_TEST_TAPE_H
#define COSM_TEST_TAPE_H

#include "scenes.h"
#include "support/fixture.h"

#define TAPE_PATH_MAX 256

// The name of a file of this process; another one for every call.
void tape_path(char path[TAPE_PATH_MAX]);

// All bytes of a file, to be freed. NULL, and a failed check, where it cannot be read.
unsigned char *tape_read(const char *path, size_t *out_size);

// What the program of a recorded run does between steps: it spawns, despawns, sets, adds and writes
// singletons, by the roll of dice. It has its own component, archetype and singleton, and copies
// values of the scene's first component from one entity to another.
struct meddler {
    cosm_engine *engine;
    cosm_component push;
    cosm_archetype pushed;
    cosm_singleton wind;
    cosm_component shoved; // a tag
    cosm_query *any;       // what has the scene's first component
    cosm_query *own;       // what has its own
    cosm_component first;
    struct dice dice;
};

// Defines what it needs; the same in every engine of a scene.
void meddler_open(struct meddler *meddler, cosm_engine *engine, uint64_t seed);
void meddler_close(struct meddler *meddler);

// Does something, or nothing, to some of the worlds.
void meddler_act(struct meddler *meddler, cosm_batch *batch);

#endif
