// Signatures: sorted lists of component ids.
#include "schema/signature.h"

#include <string.h>

uint32_t cosmi_signature_place(const uint32_t *ids, uint32_t count, uint32_t id) {
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void cosmi_signature_add(struct signature *signature, uint32_t id) {
    uint32_t at = cosmi_signature_place(signature->ids, signature->count, id);
    if (at < signature->count && signature->ids[at] == id) {
        return;
    }
    if (signature->count == SIGNATURE_MAX) {
        return;
    }
    memmove(signature->ids + at + 1, signature->ids + at,
            (signature->count - at) * sizeof(*signature->ids));
    signature->ids[at] = id;
    signature->count++;
}

void cosmi_signature_remove(struct signature *signature, uint32_t id) {
    uint32_t at = cosmi_signature_place(signature->ids, signature->count, id);
    if (at == signature->count || signature->ids[at] != id) {
        return;
    }
    signature->count--;
    memmove(signature->ids + at, signature->ids + at + 1,
            (signature->count - at) * sizeof(*signature->ids));
}

int cosmi_signature_compare(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                            uint32_t b_count) {
    uint32_t common = a_count < b_count ? a_count : b_count;
    for (uint32_t i = 0; i < common; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return a_count < b_count ? -1 : a_count > b_count;
}
