// What scenes are written against: the struct each one begins with, and what they share.
//
// A scene's step is a list of walks. What each walk does is a function over rows that takes its
// context first, which is the shape of a system.
#ifndef SCENES_STAGE_H
#define SCENES_STAGE_H

#include "random.h"
#include "scenes.h"

// The first member of every scene's own struct, which is also the context of its systems.
struct scene_run {
    const scene_desc *desc;
    scene_settings settings;
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_commands *commands;
    cosm_result result; // the first failure in a system; ends the scene
};

typedef void stage_system_fn(void *context, cosm_rows *rows);

// Runs a system over the rows of a query. Skipped when an earlier system has failed.
void stage_walk(scene_run *run, const cosm_query *query, cosm_worlds worlds,
                stage_system_fn *system);

// Applies what the systems have recorded.
void stage_sync(scene_run *run);

// Takes note of a failure, which ends the scene after this step.
void stage_note(scene_run *run, cosm_result result);

// Takes note of a spawn that failed, by its handle.
void stage_note_spawn(scene_run *run, cosm_entity spawned);

// The random key of a world at the step under way.
uint64_t stage_key(const scene_run *run, uint32_t world);

// Definitions that take note of a failure, and do nothing after one: a scene's define need not
// look, and the message is that of the first failure.
// An archetype gets the placement of the scene's settings: give max_per_world, but no placement.
cosm_component stage_component(scene_run *run, const char *name, size_t size, size_t alignment);
cosm_singleton stage_singleton(scene_run *run, const char *name, size_t size, size_t alignment);
cosm_archetype stage_archetype(scene_run *run, const cosm_archetype_desc *desc);
cosm_query *stage_query(scene_run *run, const cosm_query_desc *desc);

#define STAGE_COMPONENT(run, Type) stage_component((run), #Type, sizeof(Type), COSM_ALIGNOF(Type))
#define STAGE_SINGLETON(run, Type) stage_singleton((run), #Type, sizeof(Type), COSM_ALIGNOF(Type))
#define STAGE_TAG(run, Name) stage_component((run), #Name, 0, 0)

// The scenes that scenes.c lists.
extern const scene_desc stage_falling;
extern const scene_desc stage_grid;
extern const scene_desc stage_boids;

#endif
