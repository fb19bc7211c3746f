// Hashes that are noted down, so that what has not changed is not read again.
//
// In images they are noted in blobs. A hash may depend on more than the bytes of its blob: what
// one entity has depends on its handle, which is in another blob. So each is noted with a check, a
// number that stands for all else that it depends on; it is known where the check agrees. Value and
// check are two words that threads write without a lock, so the second one is written as the
// exclusive or of both: words of two different writers do not fit together.
//
// In worlds that live they are noted by a hasher, which forgets what has changed beforehand.
#ifndef COSM_STATE_HASH_NOTES_H
#define COSM_STATE_HASH_NOTES_H

#include "state/blob.h"

enum hash_note {
    NOTE_EXACT,
    NOTE_CONTENT,
};

// No blob knows nothing.
static inline bool blob_knows(const struct blob *blob, enum hash_note note, uint64_t check,
                              uint64_t *out_hash) {
    if (blob == NULL) {
        return false;
    }
    uint64_t hash = atomic_load_explicit(&blob->hashes[2 * note], memory_order_relaxed);
    uint64_t both = atomic_load_explicit(&blob->hashes[2 * note + 1], memory_order_relaxed);
    *out_hash = hash;
    return (hash ^ both) == (check | 1);
}

static inline void blob_note(struct blob *blob, enum hash_note note, uint64_t check,
                             uint64_t hash) {
    if (blob != NULL) {
        atomic_store_explicit(&blob->hashes[2 * note], hash, memory_order_relaxed);
        atomic_store_explicit(&blob->hashes[2 * note + 1], hash ^ (check | 1),
                              memory_order_relaxed);
    }
}

#endif
