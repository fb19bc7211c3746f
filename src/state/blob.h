// Blobs: bytes that never change, counted by those who share them.
//
// A snapshot is made of blobs. One that was not changed since the last snapshot is in both.
#ifndef COSM_STATE_BLOB_H
#define COSM_STATE_BLOB_H

#include <stdatomic.h>

#include "base/memory.h"

// What blobs whose bytes lie elsewhere keep alive: a mapped file, bytes of the caller's.
struct blob_home {
    atomic_uint refs;
    void (*end)(struct blob_home *home); // called when the last blob is gone
};

// Invariant: once it is in an image, nothing changes but `refs` and the hashes, which several
// threads may note at a time: state/hash_notes.h says how.
struct blob {
    atomic_uint refs;
    size_t size;                // of the bytes
    const void *bytes;          // behind the struct, or at home
    struct blob_home *home;     // NULL: its bytes are behind it
    _Atomic uint64_t hashes[4]; // exact and content, each with its check; zeroes: not known yet
};

// A blob whose bytes are to be filled in. NULL when out of memory.
struct blob *cosmi_blob_create(struct memory *memory, size_t size);

// A copy of bytes.
struct blob *cosmi_blob_copy(struct memory *memory, const void *bytes, size_t size);

// A blob whose bytes lie at home, which gets one reference more.
struct blob *cosmi_blob_lend(struct memory *memory, struct blob_home *home, const void *bytes,
                             size_t size);

// NULL is fine.
void cosmi_blob_release(struct memory *memory, struct blob *blob);
void cosmi_home_release(struct blob_home *home);

// `kept` once more where it holds just these bytes, else a copy of them; `kept` may be NULL. NULL
// when out of memory.
struct blob *cosmi_blob_same(struct memory *memory, struct blob *kept, const void *bytes,
                             size_t size);

static inline struct blob *blob_retain(struct blob *blob) {
    if (blob != NULL) {
        atomic_fetch_add_explicit(&blob->refs, 1, memory_order_relaxed);
    }
    return blob;
}

// NULL is fine.
static inline struct blob_home *home_retain(struct blob_home *home) {
    if (home != NULL) {
        atomic_fetch_add_explicit(&home->refs, 1, memory_order_relaxed);
    }
    return home;
}

// The bytes of a blob that is being filled in.
static inline void *blob_fill(struct blob *blob) {
    return blob + 1;
}

#endif
