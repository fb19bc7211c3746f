// Scenes: small simulations that tests, benches, the tool and bindings share, so that what is
// measured, what is checked and what is shown is provably the same program.
//
// A scene owns an engine and a batch of its own. Its state depends on the seed and on the steps
// taken and on nothing else: world k of seed s goes the same way whatever the number of worlds and
// of workers, the first world's number, the placement, the way steps are split or the machine's
// speed. Scenes see only <cosm/...>; a new one is written against stage.h and listed in scenes.c.
// Environments, in which agents act, are scenes of another kind: see envs.h.
#ifndef SCENES_H
#define SCENES_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// How a scene is set up. Good when zeroed: one world, seed zero, growing tables, all cores.
typedef struct scene_settings {
    uint32_t world_count;     // zero: 1
    uint64_t seed;            // of everything random in the scene
    uint64_t world_first;     // number of the first world: cosm/random.h
    uint64_t step_first;      // initial value of the step count
    cosm_placement placement; // of the scene's archetypes; the state is the same with either
    uint32_t entity_count;    // entities of a world to begin with; zero: as in the scene's defaults
    size_t memory_limit;      // bytes the batch may use; zero: no limit
    cosm_split split;         // this and what follows: the state is the same with all of them
    uint32_t block_worlds;    // worlds of a block; zero: as the library sees fit
    cosm_engine_desc engine;  // allocator, error callback and workers of the scene's engine
} scene_settings;

// A picture of a world: see cosm_sim/env.h.
typedef struct cosm_canvas cosm_canvas;

// A scene under way: an engine, a batch, and what the scene defined on them.
typedef struct scene_run scene_run;

// What there is to know of a scene before it runs.
typedef struct scene_desc {
    const char *name;
    const char *summary; // one line
    // A good size to run. Where entity_count is zero here, the number is not for you to choose.
    scene_settings defaults;
    uint64_t default_steps; // a few seconds' worth at that size
    uint32_t entity_max;    // entities that a world of default size never has more of
    float step_seconds;     // what a step stands for
    // From here on the scene's own; stage.h says how a failure is told.
    size_t size; // bytes of the scene's struct, which begins with a scene_run
    void (*define)(scene_run *run);
    void (*populate)(scene_run *run, cosm_world world);
    // Draws a world; NULL: it cannot be drawn. Two rows of pixels are a line of text in `cosm run
    // --watch`, so that 44 rows fit on a terminal of 24 lines.
    void (*draw)(const scene_run *run, cosm_world world, cosm_canvas *canvas);
    uint32_t canvas_width;
    uint32_t canvas_height;
} scene_desc;

// The scenes there are, in a fixed order; NULL past the end, and for a name that none has.
uint32_t scene_count(void);
const scene_desc *scene_at(uint32_t index);
const scene_desc *scene_find(const char *name);

// Makes a scene and populates its worlds. NULL on failure, with a message in cosm_error_message()
// unless the C library ran out of memory.
scene_run *scene_create(const scene_desc *desc, const scene_settings *settings);

// Destroys a scene with its batch and engine. NULL is fine. A profile of the batch goes first.
void scene_destroy(scene_run *run);

// Takes one step in all worlds. On failure the scene is good only for being looked at and
// destroyed.
COSM_MUST_USE cosm_result scene_step(scene_run *run);

// Draws a world on a canvas of any size, whose pixels are cleared first; scenes without `draw`
// leave it black.
void scene_draw(const scene_run *run, uint32_t world, cosm_canvas *canvas);

const scene_desc *scene_what(const scene_run *run);
cosm_engine *scene_engine(const scene_run *run);
cosm_batch *scene_batch(const scene_run *run);

COSM_END_C

#endif
