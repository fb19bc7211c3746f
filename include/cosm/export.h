// Exports: columns and singletons of all worlds of a batch, shown to the outside as tensors.
//
//     enum { SLOT_ACTION, SLOT_REWARD };
//
//     cosm_export_define(engine, &(cosm_export_desc){
//         .slot = SLOT_ACTION, .name = "action", .archetype = agent, .component = action,
//         .direction = COSM_DIRECTION_IN});
//     ...
//     int32_t *actions = cosm_batch_tensor(batch, SLOT_ACTION)->data;
//
// A slot is a number of yours and a name. What it shows is looked up when it is defined; at run
// time a slot is one load. Type and shape come from the fields of the component (field.h).
//
// Singletons, fixed archetypes, and growing ones in a batch of one world are shown where they are:
// nothing is copied. Rows of growing archetypes over many worlds, and rows of a query, are copied
// side by side after each step (gathered), and back before it (scattered) where you write them.
// The address of a tensor never changes while its batch lives, whichever it is.
#ifndef COSM_EXPORT_H
#define COSM_EXPORT_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_EXPORT_SLOT_NONE 0xFFFFFFFFu

// Who writes a slot, and who reads it.
typedef enum cosm_direction {
    COSM_DIRECTION_OUT = 0, // systems write, the outside reads
    COSM_DIRECTION_IN,      // the outside writes before a step, systems read
    COSM_DIRECTION_BOTH,
} cosm_direction;

// Good when zeroed but for the name and what it shows: a singleton, or a component (or the
// entities) of an archetype or of a query.
typedef struct cosm_export_desc {
    uint32_t slot;    // 0 to COSM_EXPORT_SLOT_MAX - 1
    const char *name; // unique among exports; copied
    cosm_singleton singleton;
    cosm_archetype archetype;
    const cosm_query_desc *query; // rows of all archetypes that match, always gathered; copied
    cosm_component component;     // a column of theirs
    bool entities;                // or their handles, as two u32: generation and id; only out
    const char *field;    // path of a field, to show it alone or to begin with; NULL: the first
    uint32_t field_count; // fields from there on, of one type and side by side; zero: one
                          // where `field` is given, else all
    cosm_direction direction;
    uint32_t row_max; // rows, in all worlds, that a gathered tensor has addresses for; zero: as
                      // many as 1 GiB holds
} cosm_export_desc;

// How the rows of a tensor lie.
typedef enum cosm_tensor_kind {
    COSM_TENSOR_WORLDS = 0, // [worlds, ...]: a singleton
    COSM_TENSOR_FIXED, // [worlds, max_per_world, ...]: the first counts[w] rows of world w live
    COSM_TENSOR_ROWS,  // [rows, ...]: those of world w from offsets[w] up to offsets[w + 1]
} cosm_tensor_kind;

// A slot in a batch. Lives as long as the batch, always at the same place; the fields of a
// COSM_TENSOR_ROWS that tell how many rows there are say what was so after the last step or gather.
typedef struct cosm_tensor {
    void *data;           // aligned to 64 bytes, unless a field in the middle of a struct is shown
    cosm_field_type type; // of the scalars: COSM_FIELD_I8 to COSM_FIELD_BOOL
    uint32_t dim_count;
    int64_t shape[COSM_TENSOR_DIM_MAX];
    int64_t strides[COSM_TENSOR_DIM_MAX]; // in bytes
    cosm_tensor_kind kind;
    cosm_direction direction;
    bool is_gathered;       // a copy, brought up to date at the end of each step
    const uint32_t *counts; // of COSM_TENSOR_FIXED: [worlds]; else NULL
    const int64_t *offsets; // of COSM_TENSOR_ROWS: [worlds + 1]; else NULL
    uint32_t slot;
    const char *name;
} cosm_tensor;

// Defines an export, also for batches that exist already, which must not run (COSM_ERROR_BUSY) or
// be walked (COSM_ERROR_WALKED). The same definition again is fine; another one for the slot or the
// name is a COSM_ERROR_CONFLICT. Scalars of type `entity` are shown as two u32, `char` as u8; a
// component without fields as its bytes.
COSM_API COSM_MUST_USE cosm_result cosm_export_define(cosm_engine *engine,
                                                      const cosm_export_desc *desc);

// The slot with that name, or COSM_EXPORT_SLOT_NONE. Looks at all of them: ask once.
COSM_API uint32_t cosm_export_find(const cosm_engine *engine, const char *name);

// Exports that are defined.
COSM_API uint32_t cosm_export_count(const cosm_engine *engine);

// What a slot was defined as; false, and nothing written, where it is not. What the desc points at
// lives as long as the engine.
COSM_API bool cosm_export_describe(const cosm_engine *engine, uint32_t slot,
                                   cosm_export_desc *out_desc);

// The slot of a batch, or NULL where it is not defined. One load.
COSM_API const cosm_tensor *cosm_batch_tensor(const cosm_batch *batch, uint32_t slot);

// Brings tensors up to date with worlds that were changed outside of a step: what a step does at
// its end. Counts and offsets follow, gathered rows that are not only `in` are copied again. On
// failure (rows past row_max, memory) all tensors are as they were. Between steps; walks do not
// matter.
COSM_API COSM_MUST_USE cosm_result cosm_batch_gather(cosm_batch *batch);

// Brings what was written into gathered tensors into the worlds: what a step does first, and what
// you do first where you run phases by hand. Else needed only before looking at worlds between
// steps, snapshots included. A world whose rows came, went or moved since the last gather does not
// fit its tensor any more: COSM_ERROR_CONFLICT, nothing is written, and so with the step. The same
// where worlds were restored, forked into, loaded or patched meanwhile and a gathered tensor goes
// both ways. Between steps, while nobody walks.
COSM_API COSM_MUST_USE cosm_result cosm_batch_scatter(cosm_batch *batch);

COSM_END_C

#endif
