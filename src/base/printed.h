// Failures without a callback: written to stderr, each place once.
#ifndef COSM_BASE_PRINTED_H
#define COSM_BASE_PRINTED_H

#include <stdarg.h>
#include <stdint.h>

// Places that are remembered. A program with more mistakes than this has read enough of them.
#define PRINTED_PLACE_MAX 64

// The places that were printed. Good when zeroed; any thread may add to it at any time.
// Invariant: places are added from the front and never removed, so the first zero ends the list.
struct printed {
    _Atomic uint64_t places[PRINTED_PLACE_MAX];
    _Atomic uint32_t overflow; // 1: the set was full once, and that was printed
};

// Writes "cosm: TEXT" to stderr, unless the same place was printed before. `text` is what `format`
// and the arguments give. The place is the format and the strings among the arguments: calls and
// names tell places apart, while numbers (entities, worlds, sizes) change from one time to the
// next.
void cosmi_failure_print(struct printed *printed, const char *text, const char *format,
                         va_list arguments)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 0), cold))
#endif
    ;

#endif
