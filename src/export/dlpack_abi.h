// The layout of DLPack's structs, as its versions 0.x and 1.0 fix it: what a receiver reads. The
// two outer structs have DLPack's tags, as <cosm/export.h> declares them; so nothing may include
// both this header and DLPack's own. What is inside has names of ours.
#ifndef COSM_EXPORT_DLPACK_ABI_H
#define COSM_EXPORT_DLPACK_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    DLPACK_CPU = 1, // kinds of devices
    DLPACK_INT = 0, // kinds of scalars
    DLPACK_UINT = 1,
    DLPACK_FLOAT = 2,
    DLPACK_MAJOR = 1,
    DLPACK_MINOR = 0,
    DLPACK_READ_ONLY = 1, // a flag
};

struct dlpack_tensor {
    void *data;
    int32_t device_kind;
    int32_t device_number;
    int32_t dim_count;
    uint8_t scalar_kind;
    uint8_t scalar_bits;
    uint16_t scalar_lanes; // 1: no vectors
    int64_t *shape;
    int64_t *strides; // in scalars
    uint64_t byte_offset;
};

// The legacy form.
struct DLManagedTensor {
    struct dlpack_tensor tensor;
    void *context;
    void (*deleter)(struct DLManagedTensor *self);
};

// The form with a version.
struct DLManagedTensorVersioned {
    uint32_t major;
    uint32_t minor;
    void *context;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    struct dlpack_tensor tensor;
};

// Of 64-bit systems.
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(struct dlpack_tensor) == 48, "as in DLPack");
_Static_assert(offsetof(struct dlpack_tensor, shape) == 24, "as in DLPack");
_Static_assert(offsetof(struct DLManagedTensor, deleter) == 56, "as in DLPack");
_Static_assert(offsetof(struct DLManagedTensorVersioned, tensor) == 32, "as in DLPack");
#endif

#endif
