// Exports: columns and singletons of all worlds of a batch, exposed as tensors.
//
//     enum { SLOT_ACTION, SLOT_REWARD };
//
//     cosm_result result = cosm_export_define(engine, &(cosm_export_desc){
//         .slot = SLOT_ACTION, .name = "action", .archetype = agent, .component = action,
//         .direction = COSM_DIRECTION_IN});
//     ...
//     int32_t *actions = cosm_batch_tensor(batch, SLOT_ACTION)->data;
//
// A slot is a number that you choose, and a name. Everything is looked up when the slot is defined;
// at run time a slot is one load. Type and shape come from the fields of the component (field.h).
//
// Singletons, fixed archetypes, and growing archetypes in a batch of one world are exported in
// place, without copying. Rows of growing archetypes over many worlds, and rows of a query, are
// gathered: they are copied into one array after each step, and copied back (scattered) before the
// next step if you write them. The address of a tensor does not change while its batch exists.
#ifndef COSM_EXPORT_H
#define COSM_EXPORT_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_EXPORT_SLOT_NONE 0xFFFFFFFFu

// Who writes a slot and who reads it.
typedef enum cosm_direction {
    COSM_DIRECTION_OUT = 0, // systems write, the host program reads
    COSM_DIRECTION_IN,      // the host program writes before a step, systems read
    COSM_DIRECTION_BOTH,
} cosm_direction;

// Required: the name and what to export: a singleton, or a component (or the entities) of an
// archetype or of a query.
typedef struct cosm_export_desc {
    uint32_t slot;    // 0 to COSM_EXPORT_SLOT_MAX - 1
    const char *name; // unique among exports; copied
    cosm_singleton singleton;
    cosm_archetype archetype;
    const cosm_query_desc *query; // rows of all archetypes that match; always gathered; copied
    cosm_component component;     // the column
    bool entities;        // or the entities' handles, as two u32: generation and id; out only
    const char *field;    // path of the field to export, or of the first one; NULL: the first
    uint32_t field_count; // number of fields from there on, of one type and contiguous; zero: one
                          // if `field` is given, else all
    cosm_direction direction;
    uint32_t row_max; // gathered: address space in rows, over all worlds; zero: as many as fit in
                      // 1 GiB
} cosm_export_desc;

// The shape of a tensor.
typedef enum cosm_tensor_kind {
    COSM_TENSOR_WORLDS = 0, // [worlds, ...]: a singleton
    COSM_TENSOR_FIXED,      // [worlds, max_per_world, ...]: world w uses its first counts[w] rows
    COSM_TENSOR_ROWS,       // [rows, ...]: rows offsets[w] to offsets[w + 1] - 1 belong to world w
} cosm_tensor_kind;

// A slot of a batch. It exists as long as the batch, at a fixed address. The row counts of a
// COSM_TENSOR_ROWS are those of the last step or gather.
typedef struct cosm_tensor {
    void *data;           // aligned to 64 bytes, unless it starts at a field inside a struct
    cosm_field_type type; // of the scalars: COSM_FIELD_I8 to COSM_FIELD_BOOL
    uint32_t dim_count;
    int64_t shape[COSM_TENSOR_DIM_MAX];
    int64_t strides[COSM_TENSOR_DIM_MAX]; // in bytes
    cosm_tensor_kind kind;
    cosm_direction direction;
    bool is_gathered;       // a copy, updated at the end of each step
    const uint32_t *counts; // for COSM_TENSOR_FIXED: [worlds]; else NULL
    const int64_t *offsets; // for COSM_TENSOR_ROWS: [worlds + 1]; else NULL
    uint32_t slot;
    const char *name;
} cosm_tensor;

// Defines an export, also for existing batches, which must not be running (COSM_ERROR_BUSY) or
// walked (COSM_ERROR_WALKED). The same definition again is allowed; another one for the slot or the
// name fails with COSM_ERROR_CONFLICT. Scalars of type `entity` are exported as two u32, `char` as
// u8, and a component without fields as its bytes.
COSM_API COSM_MUST_USE cosm_result cosm_export_define(cosm_engine *engine,
                                                      const cosm_export_desc *desc);

// The slot with this name, or COSM_EXPORT_SLOT_NONE. Searches all slots: call it once.
COSM_API uint32_t cosm_export_find(const cosm_engine *engine, const char *name);

// The definition of a slot. False, and nothing is written, if it is not defined. Pointers in the
// desc are valid as long as the engine.
COSM_API bool cosm_export_describe(const cosm_engine *engine, uint32_t slot,
                                   cosm_export_desc *out_desc);

// The slot of a batch. NULL, reported, if it is not defined: ask cosm_export_describe first where
// it may not be. One load.
COSM_API const cosm_tensor *cosm_batch_tensor(const cosm_batch *batch, uint32_t slot);

// Updates the tensors after worlds were changed outside a step; a step does this at its end.
// Updates counts and offsets, and copies gathered rows again unless they are `in` only. On failure
// (more rows than row_max, or out of memory) all tensors are unchanged. Call it between steps;
// walks may be under way.
COSM_API COSM_MUST_USE cosm_result cosm_batch_gather(cosm_batch *batch);

// The same, also for gathered tensors that are `in` only: after worlds were restored, the next step
// writes back what they have now.
COSM_API COSM_MUST_USE cosm_result cosm_batch_gather_inputs(cosm_batch *batch);

// Copies what was written into gathered tensors back into the worlds. A step does this first. Call
// it before running phases yourself, and before you read worlds, or take snapshots, between steps.
// If rows were added, removed or moved since the last gather, it fails with COSM_ERROR_CONFLICT and
// writes nothing, and so does the step. The same happens if worlds were restored, forked into,
// loaded or patched and a gathered tensor is both in and out. Call it between steps, while nothing
// is walked.
COSM_API COSM_MUST_USE cosm_result cosm_batch_scatter(cosm_batch *batch);

// DLPack: tensors of a batch in the exchange format of array libraries.
//
//     DLManagedTensor *managed = cosm_dlpack_create(batch, SLOT_REWARD, NULL);
//     ... pass it on; its last owner calls managed->deleter(managed) ...
//
// The structs are those of DLPack's own header; include it to access their fields. A tensor has the
// shape that the slot had when the tensor was created. While a tensor exists, destroying its batch
// fails with COSM_ERROR_BUSY.

struct DLManagedTensor;
struct DLManagedTensorVersioned;

// Called once when the tensor is deleted, on the thread that deletes it.
typedef void cosm_dlpack_release_fn(void *context);

// Zeroed: the defaults.
typedef struct cosm_dlpack_desc {
    cosm_dlpack_release_fn *release; // NULL: not called
    void *context;
    bool is_read_only; // asks the receiver not to write; not available in the legacy form
} cosm_dlpack_desc;

// Create the legacy form, and the form with a version and flags. CPU memory, aligned as the tensor,
// strides in scalars; bool becomes u8. `desc` may be NULL. NULL on failure; `release` is then not
// called. To destroy a tensor, call its `deleter`.
COSM_API struct DLManagedTensor *cosm_dlpack_create(cosm_batch *batch, uint32_t slot,
                                                    const cosm_dlpack_desc *desc);
COSM_API struct DLManagedTensorVersioned *cosm_dlpack_create_versioned(
    cosm_batch *batch, uint32_t slot, const cosm_dlpack_desc *desc);

// Tensors of the batch that have not been deleted.
COSM_API uint32_t cosm_dlpack_count(const cosm_batch *batch);

COSM_END_C

#endif
