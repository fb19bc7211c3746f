// Copies between scalars that are side by side and a tensor, which may have gaps.
#include "array.h"

#include <string.h>

// Both ways in one walk: `dense` goes on side by side, the tensor by its strides.
static char *copy_dims(const cosm_tensor *tensor, uint32_t dim, char *place, char *dense,
                       size_t item_size, bool is_in) {
    if (dim == tensor->dim_count) {
        memcpy(is_in ? place : dense, is_in ? dense : place, item_size);
        return dense + item_size;
    }
    size_t rest = tensor->dim_count - dim;
    if (cosmi_python_is_contiguous(tensor->shape + dim, tensor->strides + dim, (int)rest,
                                   item_size)) {
        size_t size = item_size;
        for (uint32_t i = dim; i < tensor->dim_count; i++) {
            size *= (size_t)tensor->shape[i];
        }
        if (size != 0) {
            memcpy(is_in ? place : dense, is_in ? dense : place, size);
        }
        return dense + size;
    }
    for (int64_t i = 0; i < tensor->shape[dim]; i++) {
        dense =
            copy_dims(tensor, dim + 1, place + (i * tensor->strides[dim]), dense, item_size, is_in);
    }
    return dense;
}

void cosmi_python_copy_in(const cosm_tensor *tensor, const void *source) {
    size_t item_size = cosmi_python_scalar(tensor->type)->size;
    (void)copy_dims(tensor, 0, tensor->data, (char *)(uintptr_t)source, item_size, true);
}

void cosmi_python_copy_out(const cosm_tensor *tensor, void *target) {
    size_t item_size = cosmi_python_scalar(tensor->type)->size;
    (void)copy_dims(tensor, 0, tensor->data, target, item_size, false);
}
