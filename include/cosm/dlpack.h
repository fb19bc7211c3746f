// DLPack: tensors of a batch in the form that array libraries exchange.
//
//     DLManagedTensor *managed = cosm_dlpack_create(batch, SLOT_REWARD, NULL);
//     ... hand it on; whoever has it last calls managed->deleter(managed) ...
//
// The structs are those of DLPack's own header; include that where you look inside. A tensor shows
// the shape that the slot had when it was made. While one is held its batch cannot be destroyed:
// cosm_batch_destroy says COSM_ERROR_BUSY.
#ifndef COSM_DLPACK_H
#define COSM_DLPACK_H

#include <cosm/types.h>

COSM_BEGIN_C

struct DLManagedTensor;
struct DLManagedTensorVersioned;

// Called once, when the tensor is given back, from the thread that does it.
typedef void cosm_dlpack_release_fn(void *context);

// Good when zeroed.
typedef struct cosm_dlpack_desc {
    cosm_dlpack_release_fn *release; // NULL: nobody asks
    void *context;
    bool is_read_only; // tell the receiver not to write; the legacy form has no place for it
} cosm_dlpack_desc;

// Makes the legacy form, and the one with a version and flags. On the CPU, data aligned as the
// tensor's is, strides in scalars; bool is told as u8. `desc` may be NULL. NULL on failure, and
// then `release` is not called. There is no call to destroy one: the tensor's own `deleter` ends
// it.
COSM_API struct DLManagedTensor *cosm_dlpack_create(cosm_batch *batch, uint32_t slot,
                                                    const cosm_dlpack_desc *desc);
COSM_API struct DLManagedTensorVersioned *cosm_dlpack_create_versioned(
    cosm_batch *batch, uint32_t slot, const cosm_dlpack_desc *desc);

// Tensors of the batch that are held outside.
COSM_API uint32_t cosm_dlpack_count(const cosm_batch *batch);

COSM_END_C

#endif
