// The assert of the house: invariants of our own, looked at in checked builds only.
//
// What a user can get wrong is not asserted but reported (error.h).
#ifndef COSM_BASE_CHECK_H
#define COSM_BASE_CHECK_H

#ifdef COSM_CHECKS
#include <stdio.h>
#include <stdlib.h>
#define INVARIANT(condition, sentence)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, sentence, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#else
#define INVARIANT(condition, sentence) ((void)0)
#endif

#if defined(__GNUC__)
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define COLD __attribute__((cold, noinline))
#define APART __attribute__((noinline))
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define LIKELY(condition) (condition)
#define UNLIKELY(condition) (condition)
#define COLD
#define APART
#define PREFETCH(address) ((void)(address))
#endif

#endif
