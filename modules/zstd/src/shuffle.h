// Bytes of items sorted by their place: all first bytes, then all second bytes, and so on.
//
// Floats of similar size share their first bits, and small integers their zeroes. Side by side they
// are what a compressor finds. What is left behind the last whole item stays at the end.
#ifndef COSM_ZSTD_SHUFFLE_H
#define COSM_ZSTD_SHUFFLE_H

#include <stddef.h>

// `stride` is at least 1; source and target have `size` bytes and do not overlap.
void cosmi_zstd_shuffle(const unsigned char *source, size_t size, size_t stride,
                        unsigned char *target);
void cosmi_zstd_unshuffle(const unsigned char *source, size_t size, size_t stride,
                          unsigned char *target);

#endif
