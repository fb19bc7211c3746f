// Memory with an account: every byte of an engine or a batch goes through one of these.
//
// The account is exact: what is taken minus what is given back. A limit makes taking fail.
#ifndef COSM_BASE_MEMORY_H
#define COSM_BASE_MEMORY_H

#include <cosm/engine.h>

#include <stdatomic.h>

#include "base/error.h"

// The unit of reservations. Commits go by the system's pages.
#define RANGE_GRANULE ((size_t)64 << 10)

// The address space that the ranges of an engine may take for growth that may never come: a
// sixteenth of the 47 bits that a process has on most machines. The rest is the program's.
#if SIZE_MAX > 0xFFFFFFFFu
#define RANGE_BUDGET ((size_t)8 << 40)
#else
#define RANGE_BUDGET ((size_t)256 << 20)
#endif

struct memory {
    cosm_allocator allocator;
    size_t limit; // bytes; 0 is none
    size_t page_size;
    bool system_ranges; // ranges come from the system, not from the host
    atomic_size_t used;
    atomic_size_t peak;
    atomic_size_t refused;  // bytes asked for when the limit last refused; 0: the allocator did
    atomic_size_t reserved; // bytes of all ranges, committed or not
    struct memory *budget;  // whose `reserved` counts: of a batch, its engine's
};

// Fills in what the allocator left out. False when only one of a pair was given.
bool cosmi_memory_init(struct memory *memory, const cosm_allocator *allocator, size_t limit);

// Both return NULL when the allocator or the limit refuses. The second one clears the bytes.
void *cosmi_memory_alloc(struct memory *memory, size_t size, size_t alignment);
void *cosmi_memory_alloc_zeroed(struct memory *memory, size_t size, size_t alignment);
void cosmi_memory_free(struct memory *memory, void *bytes, size_t size, size_t alignment);

// Ranges: `size` is rounded up to RANGE_GRANULE. Only committed bytes count as used.
void *cosmi_range_reserve(struct memory *memory, size_t size);
bool cosmi_range_commit(struct memory *memory, void *bytes, size_t from, size_t to);
void cosmi_range_decommit(struct memory *memory, void *bytes, size_t from, size_t to);
void cosmi_range_unreserve(struct memory *memory, void *bytes, size_t size, size_t committed);

// How many bytes to reserve at most for something that may grow: a small share of what is left of
// the budget, so that there is always some left. Who needs more has more, and grows by moving.
size_t cosmi_range_room(const struct memory *memory);

// What is counted as committed when the first `size` bytes of a range are in use.
size_t cosmi_range_committed(const struct memory *memory, size_t size);

// Grows an array to hold `need` items of `item_size` bytes, at least doubling it. Returns the new
// address, or NULL (and the array as it was).
void *cosmi_array_grow(struct memory *memory, void *items, uint32_t *capacity, uint32_t need,
                       size_t item_size);
void cosmi_array_free(struct memory *memory, void *items, uint32_t capacity, size_t item_size);

// "call: out of memory ..." with the account's figures.
cosm_result cosmi_fail_memory(const struct sink *sink, const struct memory *memory,
                              const char *call);

#endif
