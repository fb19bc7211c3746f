// The small types every other header speaks of: handles, limits, and the macros of the interface.
//
// Handles are structs, so that a query cannot be passed where a component is due. A zeroed handle
// names nothing, and so does a zeroed desc field.
#ifndef COSM_TYPES_H
#define COSM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// How public calls are declared. Define it before the first include to have it otherwise, such as
// `static` for a copy that one file keeps for itself, by including cosm.c of the two-file form.
#if defined(COSM_API)
#elif defined(_WIN32) && defined(COSM_BUILD_SHARED)
#define COSM_API __declspec(dllexport)
#elif defined(__GNUC__)
#define COSM_API __attribute__((visibility("default")))
#else
#define COSM_API
#endif

// A result that must be looked at: "doing" returns whether it was done.
#if defined(__GNUC__)
#define COSM_MUST_USE __attribute__((warn_unused_result))
#else
#define COSM_MUST_USE
#endif

// Lets the compiler hold the arguments of a call against its format.
#if defined(__GNUC__)
#define COSM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define COSM_PRINTF(text, first)
#endif

// What C and C++ spell differently, for these headers.
#ifdef __cplusplus
#define COSM_BEGIN_C extern "C" {
#define COSM_END_C }
#define COSM_ALIGNOF(type) alignof(type)
#define COSM_CAST(type, value) static_cast<type>(value)
#define COSM_UNCONST(type, pointer) const_cast<type>(pointer)
#else
#define COSM_BEGIN_C
#define COSM_END_C
#define COSM_ALIGNOF(type) _Alignof(type)
#define COSM_CAST(type, value) ((type)(value))
#define COSM_UNCONST(type, pointer) ((type)(uintptr_t)(pointer))
#endif

COSM_BEGIN_C

#define COSM_VERSION "0.1.0"

// The limits. Each has a test that stands at it and one that goes a step past it.
#define COSM_NAME_LENGTH_MAX 127u               // characters in a name
#define COSM_COMPONENT_MAX 4096u                // components of one engine
#define COSM_COMPONENT_SIZE_MAX (16u << 20)     // bytes of one component
#define COSM_COMPONENT_ALIGNMENT_MAX 4096u      // bytes
#define COSM_BUNDLE_MAX 4096u                   // bundles of one engine
#define COSM_SINGLETON_MAX 4096u                // singletons of one engine
#define COSM_LIST_MAX 32u                       // ids written into a desc; longer lists by pointer
#define COSM_ARCHETYPE_MAX 65535u               // archetypes of one engine
#define COSM_ARCHETYPE_COMPONENT_MAX 512u       // components of one archetype
#define COSM_ARCHETYPE_COLUMN_MAX 4096u         // columns of one archetype, with that of entities
#define COSM_FIELD_MAX 1024u                    // fields of one component
#define COSM_FIELD_DIM_MAX 4u                   // dimensions of one field
#define COSM_FIELD_PATH_LENGTH_MAX 255u         // characters in the path of a field
#define COSM_LABEL_MAX 4096u                    // labels of one enum or mask
#define COSM_TEMPLATE_MAX 4096u                 // templates of one engine
#define COSM_TEMPLATE_PART_MAX (1u << 16)       // parts of one template: itself and those below it
#define COSM_QUERY_TERM_MAX 32u                 // terms of one query
#define COSM_BATCH_WORLD_MAX (1u << 24)         // worlds of one batch
#define COSM_BATCH_STEP_MAX (UINT64_C(1) << 40) // steps after which random numbers repeat
#define COSM_TABLE_ROW_MAX (1u << 28)           // rows of one table
#define COSM_WORLD_ENTITY_MAX (1u << 28)        // ids of one world
#define COSM_PHASE_MAX 64u                      // phases of one engine
#define COSM_SYSTEM_MAX 4096u                   // systems of one engine, removed ones not counted
#define COSM_SYSTEM_QUERY_MAX 4u                // queries of one system
#define COSM_SYSTEM_ORDER_MAX 8u                // names in `before`, and in `after`, of one system
#define COSM_OBSERVER_MAX 1024u                 // observers of one engine, removed ones not counted
#define COSM_OBSERVER_ROUND_MAX 16u             // rounds of observers that one sync point may cause
#define COSM_EXPORT_SLOT_MAX 256u               // slots of one engine, numbered from 0
#define COSM_TENSOR_DIM_MAX 8u                  // dimensions of one tensor
#define COSM_WORKER_MAX 256u                    // threads that run the systems of one engine

// What a program defines once: components, archetypes, queries, systems.
typedef struct cosm_engine cosm_engine;

// State: one or more worlds of one engine.
typedef struct cosm_batch cosm_batch;

// A compiled set of terms, with the archetypes that match.
typedef struct cosm_query cosm_query;

// A list of structural changes to be applied later.
typedef struct cosm_commands cosm_commands;

// The state of worlds at one moment: see snapshot.h.
typedef struct cosm_snapshot cosm_snapshot;

// A defined type of data, or a bundle: a name for several of them. Zero is no component.
typedef struct cosm_component {
    uint32_t id;
} cosm_component;

// A set of components. Zero is no archetype.
typedef struct cosm_archetype {
    uint32_t id;
} cosm_archetype;

// Values to spawn entities with. Zero is no template.
typedef struct cosm_template {
    uint32_t id;
} cosm_template;

// A value that each world holds once. Zero is no singleton.
typedef struct cosm_singleton {
    uint32_t id;
} cosm_singleton;

// One world of a batch: a place, not an owner; copy it freely.
typedef struct cosm_world {
    cosm_batch *batch;
    uint32_t index;
} cosm_world;

// A run of neighbouring worlds of a batch.
typedef struct cosm_worlds {
    cosm_batch *batch;
    uint32_t first;
    uint32_t count;
} cosm_worlds;

// A handle to an entity, meaningful in its own world only. The generation of a living entity is
// odd, so that a zeroed handle, COSM_ENTITY_NONE, is never alive. 0 is an id like any other.
typedef struct cosm_entity {
    uint32_t gen;
    uint32_t id;
} cosm_entity;

// Where an entity is now: valid until the next structural change of its world.
typedef struct cosm_loc {
    uint32_t
        table; // the archetype's id; with shared values, from 65536 on, a number of the world's
               // own; all ones is nowhere
    uint32_t row;
} cosm_loc;

// A column of an archetype, for access with no look-up. Zero is no column.
typedef struct cosm_column {
    uint32_t archetype;
    uint32_t index; // 1 is the first column
} cosm_column;

// An object of a managed component, as its column holds it: see managed.h. Zero is no object.
typedef struct cosm_ticket {
    uint32_t id;
} cosm_ticket;

// An ordered group of systems. Zero is no phase.
typedef struct cosm_phase {
    uint32_t id;
} cosm_phase;

// A function over rows, with the access it declares. Zero is no system.
typedef struct cosm_system {
    uint32_t id;
} cosm_system;

// A function that is told what happens to entities. Zero is no observer.
typedef struct cosm_observer {
    uint32_t id;
} cosm_observer;

// What a system gets when it is called: see turn.h.
typedef struct cosm_turn cosm_turn;

// Steps a batch at a steady rate: see loop.h.
typedef struct cosm_loop cosm_loop;

// Figures of how long systems take: see profile.h.
typedef struct cosm_profile cosm_profile;

// A C type by its name, as typed macros pass it (typed.h): made by COSM_TYPE.
typedef struct cosm_type {
    const char *name;
    size_t size;  // zero: not known
    uint64_t key; // a hash of the name, which compilers turn into a constant
} cosm_type;

// Takes a piece of text: what printing calls write to.
typedef void cosm_text_fn(void *context, const char *text, size_t length);

// How an entity is written everywhere, "@id:gen":
//     printf("lost " COSM_ENTITY_FORMAT "\n", COSM_ENTITY_PRINT(entity));
#define COSM_ENTITY_FORMAT "@%u:%u"
#define COSM_ENTITY_PRINT(entity) (entity).id, (entity).gen

// A component and the bytes it should get.
typedef struct cosm_value {
    cosm_component component;
    const void *data;
} cosm_value;

#ifdef __cplusplus
#define COSM_ENTITY_NONE (cosm_entity{0u, 0u})
#define COSM_LOC_NONE (cosm_loc{0xFFFFFFFFu, 0u})
#define COSM_PHASE_INPUT (cosm_phase{1u})
#define COSM_PHASE_SIMULATION (cosm_phase{2u})
#define COSM_PHASE_RENDER (cosm_phase{3u})
#else
#define COSM_ENTITY_NONE ((cosm_entity){0u, 0u})
#define COSM_LOC_NONE ((cosm_loc){0xFFFFFFFFu, 0u})
#define COSM_PHASE_INPUT ((cosm_phase){1u})
#define COSM_PHASE_SIMULATION ((cosm_phase){2u})
#define COSM_PHASE_RENDER ((cosm_phase){3u})
#endif

// The version of the library that is linked, as COSM_VERSION is of the header that was compiled.
COSM_API const char *cosm_version(void);

COSM_END_C

#endif
