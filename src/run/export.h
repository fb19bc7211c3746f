// Exports as the library sees them: what slots show, and the tensors that batches have of them.
//
//   engine.exports -> slots[256] -> export: which values, and how one of them looks
//   batch.tensors[256] ----------> tensor:  where they are in this batch
//
// Definitions are checked and resolved once (export.c). A tensor shows its values where they are, or
// is a buffer that rows are copied into (tensor.c, gather.c).
#ifndef COSM_RUN_EXPORT_H
#define COSM_RUN_EXPORT_H

#include <cosm/export.h>

#include "base/arena.h"
#include "query/query.h"
#include "store/batch.h"

// The dimensions of one value: those of a field, one more for several fields, and one for entities.
#define EXPORT_DIM_MAX (COSM_FIELD_DIM_MAX + 2u)

// One definition. Immutable.
struct export {
    cosm_export_desc desc; // what it points at is the engine's own
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
    struct arena arena;
    uint32_t count;
    _Atomic(struct export *) slots[COSM_EXPORT_SLOT_MAX];
};

// A slot of one batch. `shown` comes first: it is what the outside sees.
struct tensor {
    cosm_tensor shown;
    const struct export *export;
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

// Gives a definition that cannot be used back; its memory goes with the list.
void cosmi_export_drop(struct export *export);

// Makes the tensor of a slot in a batch. On failure there is a message and there is none.
cosm_result cosmi_tensor_make(struct cosm_batch *batch, const char *call,
                              const struct export *export);
void cosmi_tensor_free(struct cosm_batch *batch, uint32_t slot);
void cosmi_tensors_free(struct cosm_batch *batch);

#endif
