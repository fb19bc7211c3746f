// cosm/export.h: tensors in the form of DLPack.
//
// A lease is one tensor that is held outside. Its memory is the batch's, so that it is on the
// account and goes through the host's allocator; the batch is there as long as leases are. The
// deleter may run on any thread: it gives the memory back, then lets the batch go, and only then
// tells the owner, who may be waiting for just that to destroy the batch.
#include <cosm/export.h>

#include <string.h>

#include "export/dlpack_abi.h"
#include "store/batch.h"

struct lease {
    struct cosm_batch *batch;
    cosm_dlpack_desc desc;
    union {
        struct DLManagedTensor legacy;
        struct DLManagedTensorVersioned versioned;
    } form;
    int64_t shape[COSM_TENSOR_DIM_MAX];
    int64_t strides[COSM_TENSOR_DIM_MAX];
};

static void end_lease(struct lease *lease) {
    struct cosm_batch *batch = lease->batch;
    cosm_dlpack_desc desc = lease->desc;
    cosmi_memory_free(&batch->memory, lease, sizeof(*lease), _Alignof(struct lease));
    // Whoever sees the count go down also sees what was written through the tensor.
    atomic_fetch_sub_explicit(&batch->held_count, 1, memory_order_release);
    if (desc.release != NULL) {
        desc.release(desc.context);
    }
}

static void delete_legacy(struct DLManagedTensor *self) {
    end_lease(self->context);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    end_lease(self->context);
}

static uint8_t scalar_kind(cosm_field_type type) {
    switch (type) {
    case COSM_FIELD_F32:
    case COSM_FIELD_F64:
        return DLPACK_FLOAT;
    case COSM_FIELD_I8:
    case COSM_FIELD_I16:
    case COSM_FIELD_I32:
    case COSM_FIELD_I64:
        return DLPACK_INT;
    default:
        return DLPACK_UINT;
    }
}

static void fill_dlpack(struct lease *lease, const cosm_tensor *shown,
                        struct dlpack_tensor *tensor) {
    int64_t size = (int64_t)cosm_field_type_size(shown->type);
    for (uint32_t d = 0; d < shown->dim_count; d++) {
        lease->shape[d] = shown->shape[d];
        lease->strides[d] = shown->strides[d] / size;
    }
    *tensor = (struct dlpack_tensor){
        .data = shown->data,
        .device_kind = DLPACK_CPU,
        .dim_count = (int32_t)shown->dim_count,
        .scalar_kind = scalar_kind(shown->type),
        .scalar_bits = (uint8_t)(8 * size),
        .scalar_lanes = 1,
        .shape = lease->shape,
        .strides = lease->strides,
    };
}

// That there is such a slot, and that DLPack has words for it: strides are in scalars there.
static const cosm_tensor *check_slot_shown(cosm_batch *batch, uint32_t slot, const char *call) {
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    const cosm_tensor *shown = slot < COSM_EXPORT_SLOT_MAX ? batch->tensors[slot] : NULL;
    if (shown == NULL) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: slot %u has no export; define one with cosm_export_define", call,
                         slot);
        return NULL;
    }
    int64_t size = (int64_t)cosm_field_type_size(shown->type);
    for (uint32_t d = 0; d < shown->dim_count; d++) {
        if (shown->strides[d] % size != 0) {
            (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                             "%s: the stride of '%s' is %lld bytes, which is not a multiple of "
                             "its scalar size %lld; pad its struct",
                             call, shown->name, (long long)shown->strides[d], (long long)size);
            return NULL;
        }
    }
    return shown;
}

static struct lease *make_lease(cosm_batch *batch, const cosm_dlpack_desc *desc, const char *call) {
    struct lease *lease =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*lease), _Alignof(struct lease));
    if (lease == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    lease->batch = batch;
    if (desc != NULL) {
        lease->desc = *desc;
    }
    atomic_fetch_add_explicit(&batch->held_count, 1, memory_order_relaxed);
    return lease;
}

struct DLManagedTensor *cosm_dlpack_create(cosm_batch *batch, uint32_t slot,
                                           const cosm_dlpack_desc *desc) {
    static const char call[] = "cosm_dlpack_create";
    const cosm_tensor *shown = check_slot_shown(batch, slot, call);
    struct lease *lease = shown == NULL ? NULL : make_lease(batch, desc, call);
    if (lease == NULL) {
        return NULL;
    }
    struct DLManagedTensor *managed = &lease->form.legacy;
    fill_dlpack(lease, shown, &managed->tensor);
    managed->context = lease;
    managed->deleter = delete_legacy;
    return managed;
}

struct DLManagedTensorVersioned *cosm_dlpack_create_versioned(cosm_batch *batch, uint32_t slot,
                                                              const cosm_dlpack_desc *desc) {
    static const char call[] = "cosm_dlpack_create_versioned";
    const cosm_tensor *shown = check_slot_shown(batch, slot, call);
    struct lease *lease = shown == NULL ? NULL : make_lease(batch, desc, call);
    if (lease == NULL) {
        return NULL;
    }
    struct DLManagedTensorVersioned *managed = &lease->form.versioned;
    fill_dlpack(lease, shown, &managed->tensor);
    managed->major = DLPACK_MAJOR;
    managed->minor = DLPACK_MINOR;
    managed->flags = lease->desc.is_read_only ? DLPACK_READ_ONLY : 0;
    managed->context = lease;
    managed->deleter = delete_versioned;
    return managed;
}

uint32_t cosm_dlpack_count(const cosm_batch *batch) {
    return batch == NULL ? 0 : atomic_load_explicit(&batch->held_count, memory_order_acquire);
}
