// Blobs: making, sharing and giving back.
#include "state/blob.h"

#include <string.h>

#include "base/check.h"

#define BLOB_ALIGNMENT ((size_t)16)

_Static_assert(sizeof(struct blob) % 16 == 0, "bytes behind a blob are aligned");

static struct blob *make(struct memory *memory, size_t size, size_t room) {
    struct blob *blob = cosmi_memory_alloc(memory, sizeof(*blob) + room, BLOB_ALIGNMENT);
    if (blob != NULL) {
        atomic_init(&blob->refs, 1);
        blob->size = size;
        blob->bytes = blob + 1;
        blob->home = NULL;
        for (int i = 0; i < 4; i++) {
            atomic_init(&blob->hashes[i], 0);
        }
    }
    return blob;
}

struct blob *cosmi_blob_create(struct memory *memory, size_t size) {
    return make(memory, size, size);
}

struct blob *cosmi_blob_copy(struct memory *memory, const void *bytes, size_t size) {
    struct blob *blob = make(memory, size, size);
    if (blob != NULL && size > 0) {
        memcpy(blob_fill(blob), bytes, size);
    }
    return blob;
}

struct blob *cosmi_blob_lend(struct memory *memory, struct blob_home *home, const void *bytes,
                             size_t size) {
    struct blob *blob = make(memory, size, 0);
    if (blob != NULL) {
        atomic_fetch_add_explicit(&home->refs, 1, memory_order_relaxed);
        blob->home = home;
        blob->bytes = bytes;
    }
    return blob;
}

void cosmi_home_release(struct blob_home *home) {
    if (home != NULL && atomic_fetch_sub_explicit(&home->refs, 1, memory_order_acq_rel) == 1) {
        home->end(home);
    }
}

void cosmi_blob_release(struct memory *memory, struct blob *blob) {
    if (blob == NULL) {
        return;
    }
    INVARIANT(atomic_load(&blob->refs) > 0, "a blob is released as often as it was retained");
    if (atomic_fetch_sub_explicit(&blob->refs, 1, memory_order_acq_rel) == 1) {
        struct blob_home *home = blob->home;
        size_t room = home == NULL ? blob->size : 0;
        cosmi_memory_free(memory, blob, sizeof(*blob) + room, BLOB_ALIGNMENT);
        cosmi_home_release(home);
    }
}

struct blob *cosmi_blob_same(struct memory *memory, struct blob *kept, const void *bytes,
                             size_t size) {
    bool same =
        kept != NULL && kept->size == size && (size == 0 || memcmp(kept->bytes, bytes, size) == 0);
    return same ? blob_retain(kept) : cosmi_blob_copy(memory, bytes, size);
}
