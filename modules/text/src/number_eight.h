// Eight characters of a text at a time, as an integer with the first one lowest, whatever the
// machine's own order of bytes.
#ifndef COSM_TEXT_NUMBER_EIGHT_H
#define COSM_TEXT_NUMBER_EIGHT_H

#include <stdint.h>
#include <string.h>

static inline uint64_t load_eight(const char *text) {
    uint64_t bytes;
    memcpy(&bytes, text, sizeof(bytes));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

static inline void store_eight(char *out, uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(out, &bytes, sizeof(bytes));
}

#endif
