// Basic types used by every other header: handles, limits and interface macros.
//
// Handles are structs, so passing a query where a component is expected does not compile. A zeroed
// handle is the null handle. A zeroed desc field means the default.
#ifndef COSM_TYPES_H
#define COSM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Linkage of public functions. Define COSM_API before the first include to override it: for
// instance `static`, for a private copy made by including cosm.c of the amalgamation in one file.
#if defined(COSM_API)
#elif defined(_WIN32) && defined(COSM_BUILD_SHARED)
#define COSM_API __declspec(dllexport)
#elif defined(__GNUC__)
#define COSM_API __attribute__((visibility("default")))
#else
#define COSM_API
#endif

// The result must be used.
#if defined(__GNUC__)
#define COSM_MUST_USE __attribute__((warn_unused_result))
#else
#define COSM_MUST_USE
#endif

// Checks the arguments of a call against its printf format.
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

// Limits. Each has a test at the limit and one past it.
#define COSM_NAME_LENGTH_MAX 127u           // characters in a name
#define COSM_COMPONENT_MAX 4096u            // components of one engine
#define COSM_COMPONENT_SIZE_MAX (16u << 20) // bytes of one component
#define COSM_COMPONENT_ALIGNMENT_MAX 4096u  // bytes
#define COSM_BUNDLE_MAX 4096u               // bundles of one engine
#define COSM_SINGLETON_MAX 4096u            // singletons of one engine
#define COSM_LIST_MAX 32u                   // ids in a desc's array; pass longer lists by pointer
#define COSM_ARCHETYPE_MAX 65535u           // archetypes of one engine
#define COSM_ARCHETYPE_COMPONENT_MAX 512u   // components of one archetype
#define COSM_ARCHETYPE_COLUMN_MAX 4096u     // columns of one archetype, including the entities
#define COSM_FIELD_MAX 1024u                // fields of one component
#define COSM_FIELD_DIM_MAX 4u               // dimensions of one field
#define COSM_FIELD_PATH_LENGTH_MAX 255u     // characters in the path of a field
#define COSM_LABEL_MAX 4096u                // labels of one enum or mask
#define COSM_TEMPLATE_MAX 4096u             // templates of one engine
#define COSM_TEMPLATE_PART_MAX (1u << 16)   // parts of one template: the root and all descendants
#define COSM_QUERY_TERM_MAX 32u             // terms of one query
#define COSM_BATCH_WORLD_MAX (1u << 24)     // worlds of one batch
#define COSM_BATCH_STEP_MAX (UINT64_C(1) << 40) // steps before random numbers repeat
#define COSM_TABLE_ROW_MAX (1u << 28)           // rows of one table
#define COSM_WORLD_ENTITY_MAX (1u << 28)        // ids of one world
#define COSM_PHASE_MAX 64u                      // phases of one engine
#define COSM_SYSTEM_MAX 4096u                   // systems of one engine, not counting removed ones
#define COSM_SYSTEM_QUERY_MAX 4u                // queries of one system
#define COSM_SYSTEM_ORDER_MAX 8u                // names in `before`, and in `after`, of a system
#define COSM_OBSERVER_MAX 1024u     // observers of one engine, not counting removed ones
#define COSM_OBSERVER_ROUND_MAX 16u // rounds of observers at one sync point
#define COSM_EXPORT_SLOT_MAX 256u   // slots of one engine, numbered from 0
#define COSM_TENSOR_DIM_MAX 8u      // dimensions of one tensor
#define COSM_WORKER_MAX 256u        // threads that run the systems of one engine

// Holds the definitions: components, archetypes, queries, systems.
typedef struct cosm_engine cosm_engine;

// State: one or more worlds of one engine.
typedef struct cosm_batch cosm_batch;

// A compiled set of terms and the archetypes that match it.
typedef struct cosm_query cosm_query;

// A buffer of structural changes to apply later.
typedef struct cosm_commands cosm_commands;

// The state of worlds at one step: see snapshot.h.
typedef struct cosm_snapshot cosm_snapshot;

// A defined data type, or a bundle: a named set of components. Zero is no component.
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

// A value stored once per world. Zero is no singleton.
typedef struct cosm_singleton {
    uint32_t id;
} cosm_singleton;

// One world of a batch. It owns nothing; copy it freely.
typedef struct cosm_world {
    cosm_batch *batch;
    uint32_t index;
} cosm_world;

// A contiguous range of worlds of a batch.
typedef struct cosm_worlds {
    cosm_batch *batch;
    uint32_t first;
    uint32_t count;
} cosm_worlds;

// A handle to an entity, valid in its own world only. Living entities have odd generations, so the
// zeroed handle, COSM_ENTITY_NONE, is never alive. Id 0 is an ordinary id.
typedef struct cosm_entity {
    uint32_t gen;
    uint32_t id;
} cosm_entity;

// Where an entity is stored. Valid until the next structural change of its world.
typedef struct cosm_loc {
    uint32_t
        table; // the archetype's id; for tables of shared values a number of the world's own, from
               // 65536; all ones: no table
    uint32_t row;
} cosm_loc;

// A column of an archetype, for access without a lookup. Zero is no column.
typedef struct cosm_column {
    uint32_t archetype;
    uint32_t index; // 1 is the first column
} cosm_column;

// Identifies an object of a managed component; this is what the column stores. See managed.h. Zero
// is no object.
typedef struct cosm_ticket {
    uint32_t id;
} cosm_ticket;

// An ordered group of systems. Zero is no phase.
typedef struct cosm_phase {
    uint32_t id;
} cosm_phase;

// A function over rows, and the access it declares. Zero is no system.
typedef struct cosm_system {
    uint32_t id;
} cosm_system;

// A function called when entities change. Zero is no observer.
typedef struct cosm_observer {
    uint32_t id;
} cosm_observer;

// The argument of a system's callback: see system.h.
typedef struct cosm_turn cosm_turn;

// Steps a batch at a fixed rate: see loop.h.
typedef struct cosm_loop cosm_loop;

// Timings of systems: see system.h.
typedef struct cosm_profile cosm_profile;

// A C type by name, as the typed macros pass it (typed.h). Made by COSM_TYPE.
typedef struct cosm_type {
    const char *name;
    size_t size;  // zero: unknown
    uint64_t key; // hash of the name; folded to a constant by the compiler
} cosm_type;

// Receives text: the output callback of printing functions.
typedef void cosm_text_fn(void *context, const char *text, size_t length);

// The text form of an entity, "@id:gen", used everywhere:
//
//     printf("lost " COSM_ENTITY_FORMAT "\n", COSM_ENTITY_PRINT(entity));
#define COSM_ENTITY_FORMAT "@%u:%u"
#define COSM_ENTITY_PRINT(entity) (entity).id, (entity).gen

// A component and its value.
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

// The version of the linked library. COSM_VERSION is the version of this header.
COSM_API const char *cosm_version(void);

COSM_END_C

#endif
