// DLPack as it lies in memory: the structs that array libraries hand to each other.
//
// They are those of DLPack 1.0, written down here because no package of Debian 12 has its header,
// and cosm/export.h leaves them to it.
// The legacy form is a DLManagedTensor in a capsule "dltensor", the other one a
// DLManagedTensorVersioned in a capsule "dltensor_versioned". Whoever takes the tensor out of a
// capsule gives that another name, and calls the deleter when it has done with it.
#ifndef COSM_PYTHON_DLPACK_H
#define COSM_PYTHON_DLPACK_H

#include <stddef.h>
#include <stdint.h>

enum {
    DLPACK_CPU = 1, // kDLCPU
    DLPACK_INT = 0, // type codes
    DLPACK_UINT = 1,
    DLPACK_FLOAT = 2,
    DLPACK_BOOL = 6,
    DLPACK_READ_ONLY = 1, // bits of `flags`
    DLPACK_COPIED = 2,
};

struct dlpack_tensor {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t dim_count;
    uint8_t type_code;
    uint8_t type_bits;
    uint16_t type_lanes;
    int64_t *shape;
    int64_t *strides; // in scalars; NULL: C-contiguous
    uint64_t byte_offset;
};

struct dlpack_managed {
    struct dlpack_tensor tensor;
    void *context;
    void (*deleter)(struct dlpack_managed *self);
};

struct dlpack_versioned {
    uint32_t major;
    uint32_t minor;
    void *context;
    void (*deleter)(struct dlpack_versioned *self);
    uint64_t flags;
    struct dlpack_tensor tensor;
};

// Of 64-bit systems, which are those that Cosm runs on.
_Static_assert(sizeof(struct dlpack_tensor) == 48, "as in DLPack");
_Static_assert(offsetof(struct dlpack_tensor, shape) == 24, "as in DLPack");
_Static_assert(offsetof(struct dlpack_managed, deleter) == 56, "as in DLPack");
_Static_assert(offsetof(struct dlpack_versioned, tensor) == 32, "as in DLPack");

#endif
