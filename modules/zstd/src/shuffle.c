// Sorting bytes by their place, and back.
#include "shuffle.h"

#include <string.h>

// Inlined with a constant stride, the loops become vector code: 25 GB/s instead of 1.9 with 4
// bytes, 14 instead of 1.8 with 8.
static inline void shuffle_by(const unsigned char *source, size_t count, size_t stride,
                              unsigned char *target) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < stride; k++) {
            target[k * count + i] = source[i * stride + k];
        }
    }
}

static inline void unshuffle_by(const unsigned char *source, size_t count, size_t stride,
                                unsigned char *target) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < stride; k++) {
            target[i * stride + k] = source[k * count + i];
        }
    }
}

static void copy_rest(const unsigned char *source, size_t size, size_t stride,
                      unsigned char *target) {
    size_t whole = size / stride * stride;
    if (whole < size) {
        memcpy(target + whole, source + whole, size - whole);
    }
}

void cosmi_zstd_shuffle(const unsigned char *source, size_t size, size_t stride,
                        unsigned char *target) {
    size_t count = size / stride;
    if (stride == 2) {
        shuffle_by(source, count, 2, target);
    } else if (stride == 4) {
        shuffle_by(source, count, 4, target);
    } else if (stride == 8) {
        shuffle_by(source, count, 8, target);
    } else {
        shuffle_by(source, count, stride, target);
    }
    copy_rest(source, size, stride, target);
}

void cosmi_zstd_unshuffle(const unsigned char *source, size_t size, size_t stride,
                          unsigned char *target) {
    size_t count = size / stride;
    if (stride == 2) {
        unshuffle_by(source, count, 2, target);
    } else if (stride == 4) {
        unshuffle_by(source, count, 4, target);
    } else if (stride == 8) {
        unshuffle_by(source, count, 8, target);
    } else {
        unshuffle_by(source, count, stride, target);
    }
    copy_rest(source, size, stride, target);
}
