// What scenes are written against: the struct each one begins with, and what they share.
//
// A scene defines its systems and populates its worlds; a step is a step of its batch. The scene's
// struct is the context of all its systems. Workers share it, so systems only read it.
//
// Components and singletons are marked structs in the scene's header, from which cosm-gen writes
// NAME.cosm.h and NAME.cosm.c.
#ifndef SCENES_STAGE_H
#define SCENES_STAGE_H

#include "scenes.h"

// The first member of every scene's own struct.
struct scene_run {
    const scene_desc *desc;
    scene_settings settings;
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_result result; // the first failure while the scene is set up; ends it
};

// Takes note of a failure in define or populate, or of a spawn that failed, by its handle.
void stage_note(scene_run *run, cosm_result result);
void stage_note_spawn(scene_run *run, cosm_entity spawned);

// Definitions that take note of a failure, and do nothing after one: a scene's define need not
// look, and the message is that of the first failure.
// An archetype gets the placement of the scene's settings: give max_per_world, but no placement.
// A system gets the scene as its context. Systems run in the order in which they are defined.
cosm_archetype stage_archetype(scene_run *run, const cosm_archetype_desc *desc);
void stage_system(scene_run *run, const cosm_system_desc *desc);

// The scenes that scenes.c lists.
extern const scene_desc stage_falling;
extern const scene_desc stage_grid;
extern const scene_desc stage_boids;
extern const scene_desc stage_swarm;

#endif
