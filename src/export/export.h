// Exports as the library sees them: what slots show, and the tensors that batches have of them.
//
//   engine.exports -> slots[256] -> export: which values, and how one of them looks
//   batch.tensors[256] ----------> tensor:  where they are in this batch
//
// Definitions are checked and resolved once (export.c). A tensor shows its values where they are,
// or is a buffer that rows are copied into (tensor.c, gather.c).
#ifndef COSM_EXPORT_EXPORT_H
#define COSM_EXPORT_EXPORT_H

#include <cosm/export.h>

#include "base/memory.h"
#include "query/query.h"
#include "store/change.h"

// The dimensions of one value: those of a field, one more for several fields, and one for entities.
#define EXPORT_DIM_MAX (COSM_FIELD_DIM_MAX + 2u)

// Of what tensors point at, unless it is in the middle of something.
#define TENSOR_ALIGNMENT ((size_t)64)

// One definition. Immutable.
struct export {
    cosm_export_desc desc; // what it points at lies behind, in the same piece of memory
    size_t kept_size;      // of that piece; 0: none, while it is being made
    cosm_query *query;     // of desc.query, and the component; NULL: none
    uint32_t component;    // 0 for entities and singletons
    uint32_t singleton;    // 0: none
    uint32_t field;        // the first one that is shown
    uint32_t field_count;  // 0: the value has no fields, and is shown as its bytes
    uint32_t offset;       // of the first scalar in a value
    uint32_t value_size;   // from one value to the next, where values are whole
    cosm_field_type type;  // of the scalars
    uint32_t dim_count;
    int64_t dims[EXPORT_DIM_MAX];
    uint32_t item_size; // bytes of all scalars of one value: they lie side by side
};

// Under the engine's lock of batches.
struct export_list {
    struct memory *memory;
    atomic_uint count; // asked for from any thread
    _Atomic(struct export *) slots[COSM_EXPORT_SLOT_MAX];
};

// The column that an export shows in an archetype: its number, the bytes from row to row, and where
// in them the first scalar is. Where the component is split, several fields are several columns.
struct export_column {
    uint32_t number;
    uint32_t stride;
    uint32_t offset;
    uint32_t part_count; // columns, each of one field; 0: one, of whole values
};

// Where gathered rows come from, in one batch: an archetype or a query. Tensors of the same rows
// share one, so that rows are counted once.
struct row_source {
    struct row_source *next;
    const cosm_query *query; // NULL: of an archetype
    struct store *store;     // of that archetype
    uint32_t user_count;     // tensors
    int64_t *counted;        // [worlds + 1]: where the rows of each world would begin now
    // Which entities were gathered, where the outside writes: values go back to them, or nowhere. A
    // tensor that has no slot, of this export; NULL: nobody writes.
    struct tensor *witness;
    struct export handles;
};

// A slot of one batch. `shown` comes first: it is what the outside sees. Invariants of a gathered
// one: offsets[0] is 0, offsets never go down, and shape[0] is the last of them, at most row_max;
// that many rows are committed.
struct tensor {
    cosm_tensor shown;
    const struct export *export;
    struct open_column open;   // where a column is shown as it is
    struct store *pinned;      // of a growing archetype that is shown where it is
    struct tensor *next;       // the batch's list of those whose rows come and go
    struct row_source *source; // of a gathered one
    int64_t *offsets;          // what shown.offsets points at
    uint64_t row_max;          // of a gathered one, and of its range:
    size_t reserved_size;
    size_t committed_size;
};

void cosmi_exports_init(struct export_list *list, struct memory *memory);
void cosmi_exports_free(struct export_list *list);

static inline struct export *export_at(const struct export_list *list, uint32_t slot) {
    return slot < COSM_EXPORT_SLOT_MAX
               ? atomic_load_explicit(&list->slots[slot], memory_order_acquire)
               : NULL;
}

// The slot with that name, or COSM_EXPORT_SLOT_NONE.
uint32_t cosmi_export_find(const struct export_list *list, const char *name);

// Checks a definition and makes it, not yet in its slot. *out_export is NULL where the same one is
// there already. On failure there is a message.
cosm_result cosmi_export_make(struct export_list *list, struct query_cache *queries,
                              const char *call, const cosm_export_desc *desc,
                              struct export **out_export);

// Ends a definition that cosmi_export_make made.
void cosmi_export_drop(struct export_list *list, struct export *export);

// Makes the tensor of a slot in a batch. On failure there is a message and there is none.
cosm_result cosmi_tensor_make(struct cosm_batch *batch, const char *call,
                              const struct export *export);
void cosmi_tensor_free(struct cosm_batch *batch, uint32_t slot);
void cosmi_tensors_free(struct cosm_batch *batch);

struct export_column cosmi_export_column(const struct export *export,
                                         const struct archetype *archetype);

// The same for one that is gathered, as far as it is not that of all tensors. It shows what is
// there now. On failure there is a message; what was taken is given back by cosmi_gathered_free.
cosm_result cosmi_gathered_make(struct cosm_batch *batch, const char *call, struct tensor *tensor);
void cosmi_gathered_free(struct cosm_batch *batch, struct tensor *tensor);

// Brings tensors up to date with the worlds, and worlds with what was written. The batch is claimed
// as for a step. On failure there is a message, and nothing has changed. `with_inputs`: the
// contents of those that are only written by the outside too.
cosm_result cosmi_tensors_gather(struct cosm_batch *batch, const char *call, bool with_inputs);
cosm_result cosmi_tensors_scatter(struct cosm_batch *batch, const char *call);

// NULL, or what is wrong with the tensors of a batch.
const char *cosmi_tensors_fault(const struct cosm_batch *batch);

#endif
