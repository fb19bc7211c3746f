// Pieces: making, sharing and giving back.
#include "state/piece.h"

#include <string.h>

#include "base/check.h"

#define PIECE_ALIGNMENT ((size_t)16)

_Static_assert(sizeof(struct piece) % 16 == 0, "bytes behind a piece are aligned");

static struct piece *make(struct memory *memory, size_t size, size_t room) {
    struct piece *piece = cosmi_memory_alloc(memory, sizeof(*piece) + room, PIECE_ALIGNMENT);
    if (piece != NULL) {
        atomic_init(&piece->refs, 1);
        piece->size = size;
        piece->bytes = piece + 1;
        piece->home = NULL;
        for (int i = 0; i < 4; i++) {
            atomic_init(&piece->hashes[i], 0);
        }
    }
    return piece;
}

struct piece *cosmi_piece_create(struct memory *memory, size_t size) {
    return make(memory, size, size);
}

struct piece *cosmi_piece_copy(struct memory *memory, const void *bytes, size_t size) {
    struct piece *piece = make(memory, size, size);
    if (piece != NULL && size > 0) {
        memcpy(piece_fill(piece), bytes, size);
    }
    return piece;
}

struct piece *cosmi_piece_lend(struct memory *memory, struct piece_home *home, const void *bytes,
                               size_t size) {
    struct piece *piece = make(memory, size, 0);
    if (piece != NULL) {
        atomic_fetch_add_explicit(&home->refs, 1, memory_order_relaxed);
        piece->home = home;
        piece->bytes = bytes;
    }
    return piece;
}

void cosmi_home_give(struct piece_home *home) {
    if (home != NULL && atomic_fetch_sub_explicit(&home->refs, 1, memory_order_acq_rel) == 1) {
        home->end(home);
    }
}

void cosmi_piece_give(struct memory *memory, struct piece *piece) {
    if (piece == NULL) {
        return;
    }
    INVARIANT(atomic_load(&piece->refs) > 0, "a piece is given back as often as it was taken");
    if (atomic_fetch_sub_explicit(&piece->refs, 1, memory_order_acq_rel) == 1) {
        struct piece_home *home = piece->home;
        size_t room = home == NULL ? piece->size : 0;
        cosmi_memory_free(memory, piece, sizeof(*piece) + room, PIECE_ALIGNMENT);
        cosmi_home_give(home);
    }
}

struct piece *cosmi_piece_same(struct memory *memory, struct piece *kept, const void *bytes,
                               size_t size) {
    bool same =
        kept != NULL && kept->size == size && (size == 0 || memcmp(kept->bytes, bytes, size) == 0);
    return same ? piece_keep(kept) : cosmi_piece_copy(memory, bytes, size);
}
