// Pieces: bytes that never change, counted by those who share them.
//
// A snapshot is made of pieces. One that was not changed since the last snapshot is in both.
#ifndef COSM_STATE_PIECE_H
#define COSM_STATE_PIECE_H

#include <stdatomic.h>

#include "base/memory.h"

// What pieces whose bytes lie elsewhere keep alive: a mapped file, bytes of the caller's.
struct piece_home {
    atomic_uint refs;
    void (*end)(struct piece_home *home); // called when the last piece is gone
};

// Invariant: once it is in an image, nothing changes but `refs` and the hashes, which several
// threads may note at a time: state/hash_notes.h says how.
struct piece {
    atomic_uint refs;
    size_t size;                // of the bytes
    const void *bytes;          // behind the struct, or at home
    struct piece_home *home;    // NULL: its bytes are behind it
    _Atomic uint64_t hashes[4]; // exact and content, each with its check; zeroes: not known yet
};

// A piece whose bytes are to be filled in. NULL when out of memory.
struct piece *cosmi_piece_create(struct memory *memory, size_t size);

// A copy of bytes.
struct piece *cosmi_piece_copy(struct memory *memory, const void *bytes, size_t size);

// A piece whose bytes lie at home, which gets one reference more.
struct piece *cosmi_piece_lend(struct memory *memory, struct piece_home *home, const void *bytes,
                               size_t size);

// NULL is fine.
void cosmi_piece_give(struct memory *memory, struct piece *piece);
void cosmi_home_give(struct piece_home *home);

// `kept` once more where it holds just these bytes, else a copy of them; `kept` may be NULL. NULL
// when out of memory.
struct piece *cosmi_piece_same(struct memory *memory, struct piece *kept, const void *bytes,
                               size_t size);

static inline struct piece *piece_keep(struct piece *piece) {
    if (piece != NULL) {
        atomic_fetch_add_explicit(&piece->refs, 1, memory_order_relaxed);
    }
    return piece;
}

// NULL is fine.
static inline struct piece_home *home_keep(struct piece_home *home) {
    if (home != NULL) {
        atomic_fetch_add_explicit(&home->refs, 1, memory_order_relaxed);
    }
    return home;
}

// The bytes of a piece that is being filled in.
static inline void *piece_fill(struct piece *piece) {
    return piece + 1;
}

#endif
