// DLPack: tensors of a batch in the exchange format of array libraries.
//
//     DLManagedTensor *managed = cosm_dlpack_create(batch, SLOT_REWARD, NULL);
//     ... pass it on; its last owner calls managed->deleter(managed) ...
//
// The structs are those of DLPack's own header; include it to access their fields. A tensor has the
// shape that the slot had when the tensor was created. While a tensor exists, destroying its batch
// fails with COSM_ERROR_BUSY.
#ifndef COSM_DLPACK_H
#define COSM_DLPACK_H

#include <cosm/types.h>

COSM_BEGIN_C

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
