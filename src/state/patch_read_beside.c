// Reading a patch: trees, the order of groups, singletons, objects and sectors.
#include <string.h>

#include "state/patch.h"

void cosmi_patch_read_runs(struct byte_reader *in, void *bytes, size_t size) {
    size_t at = 0;
    while (!in->failed) {
        uint64_t length = cosmi_read_short(in);
        if (length == 0) {
            break;
        }
        uint64_t gap = cosmi_read_short(in);
        if (gap > size - at || length > size - at - gap) {
            in->failed = true;
            break;
        }
        const void *run = cosmi_read_bytes(in, (size_t)length);
        if (run != NULL) {
            memcpy((char *)bytes + at + gap, run, (size_t)length);
        }
        at += (size_t)(gap + length);
    }
}

static const struct link patch_unlinked = {ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0};

// Links of a piece of the tree after that can be written to.
static struct link *patch_open_links(struct patch_in *patch, struct piece **piece,
                                     const struct piece *before) {
    if (*piece == NULL || *piece == before) {
        struct piece *made =
            cosmi_piece_create(patch->book->memory, LINK_PIECE_IDS * sizeof(struct link));
        if (made == NULL) {
            patch->no_memory = true;
            return NULL;
        }
        struct link *links = piece_fill(made);
        for (uint32_t i = 0; i < LINK_PIECE_IDS; i++) {
            links[i] = before == NULL ? patch_unlinked : ((const struct link *)before->bytes)[i];
        }
        cosmi_piece_give(patch->book->memory, *piece);
        *piece = made;
    }
    return piece_fill(*piece);
}

static void patch_read_link(struct byte_reader *in, struct link *link) {
    uint32_t *const numbers[6] = {&link->parent, &link->first_child, &link->last_child,
                                  &link->next,   &link->previous,    &link->child_count};
    uint32_t mask = cosmi_read_u8(in);
    in->failed = in->failed || mask >= 64;
    for (uint32_t i = 0; i < 6; i++) {
        if ((mask >> i & 1) != 0) {
            *numbers[i] = cosmi_read_short_max(in, UINT32_MAX) - 1;
        }
    }
}

// Pieces in which nothing is linked, and those at the end, are none.
static void patch_finish_links(struct patch_in *patch, struct tree_image *tree) {
    for (uint32_t p = 0; p < tree->piece_count; p++) {
        const struct link *links = tree->pieces[p] == NULL ? NULL : tree->pieces[p]->bytes;
        bool any = false;
        for (uint32_t i = 0; i < LINK_PIECE_IDS && links != NULL && !any; i++) {
            any = memcmp(&links[i], &patch_unlinked, sizeof(patch_unlinked)) != 0;
        }
        if (!any) {
            cosmi_piece_give(patch->book->memory, tree->pieces[p]);
            tree->pieces[p] = NULL;
        }
    }
}

// A tree with the pieces of the one before, and room for links of all ids.
static struct tree_image *patch_copy_tree(struct patch_in *patch) {
    const struct tree_image *before = patch->before->tree;
    uint32_t count = (patch->image->directory.known + LINK_PIECE_IDS - 1) / LINK_PIECE_IDS;
    count = before != NULL && before->piece_count > count ? before->piece_count : count;
    struct tree_image *tree = cosmi_tree_image_create(patch->book->memory, count);
    if (tree == NULL) {
        patch->no_memory = true;
        return NULL;
    }
    for (uint32_t p = 0; before != NULL && p < before->piece_count; p++) {
        tree->pieces[p] = piece_keep(before->pieces[p]);
    }
    return tree;
}

// The same tree without the room behind its last link.
static struct tree_image *patch_cut_tree(struct patch_in *patch, struct tree_image *tree) {
    uint32_t count = tree->piece_count;
    while (count > 0 && tree->pieces[count - 1] == NULL) {
        count--;
    }
    struct tree_image *cut = NULL;
    if (count > 0) {
        cut = cosmi_tree_image_create(patch->book->memory, count);
        patch->no_memory = patch->no_memory || cut == NULL;
    }
    if (cut != NULL) {
        memcpy(cut->pieces, tree->pieces, count * sizeof(*tree->pieces));
        memset(tree->pieces, 0, count * sizeof(*tree->pieces));
        cut->linked = tree->linked;
    }
    cosmi_tree_image_give(patch->book->memory, tree);
    return cut;
}

static void patch_read_links(struct patch_in *patch, struct tree_image *tree, uint32_t gap) {
    const struct tree_image *before = patch->before->tree;
    uint64_t id = 0;
    for (; gap != 0; gap = cosmi_read_short_max(&patch->in, UINT32_MAX)) {
        id += gap - 1;
        uint32_t p = (uint32_t)(id / LINK_PIECE_IDS);
        if (id / LINK_PIECE_IDS >= tree->piece_count) {
            patch_in_fault(patch, "its tree has an unknown id");
            return;
        }
        struct link *links =
            patch_open_links(patch, &tree->pieces[p],
                             before != NULL && p < before->piece_count ? before->pieces[p] : NULL);
        if (links == NULL) {
            return;
        }
        patch_read_link(&patch->in, &links[id % LINK_PIECE_IDS]);
        if (patch->in.failed) {
            return;
        }
        id++;
    }
}

void cosmi_patch_read_tree(struct patch_in *patch) {
    uint32_t gap = patch_in_failed(patch) ? 0 : cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (patch_in_failed(patch)) {
        return;
    }
    if (gap == 0) {
        uint32_t linked = cosmi_read_short_max(&patch->in, UINT32_MAX);
        patch->image->tree = patch->before->tree;
        if (patch->image->tree != NULL) {
            atomic_fetch_add_explicit(&patch->image->tree->refs, 1, memory_order_relaxed);
        }
        if (linked != (patch->image->tree == NULL ? 0 : patch->image->tree->linked)) {
            patch_in_fault(patch, "its tree has the wrong number of links");
        }
        return;
    }
    struct tree_image *tree = patch_copy_tree(patch);
    if (tree == NULL) {
        return;
    }
    patch_read_links(patch, tree, gap);
    tree->linked = patch_in_failed(patch) ? 0 : cosmi_read_short_max(&patch->in, UINT32_MAX);
    patch_finish_links(patch, tree);
    patch->image->tree = patch_cut_tree(patch, tree);
}

void cosmi_patch_read_order(struct patch_in *patch) {
    if (patch_in_failed(patch)) {
        return;
    }
    struct piece *before = patch->before->shared_order;
    if (cosmi_read_u8(&patch->in) == 0) {
        patch->image->shared_order = piece_keep(before);
        return;
    }
    size_t had = before == NULL ? 0 : before->size / sizeof(uint32_t);
    uint64_t count = cosmi_read_short(&patch->in);
    uint64_t first = cosmi_read_short(&patch->in);
    uint64_t last = cosmi_read_short(&patch->in);
    if (patch->in.failed || first > had || last > had - first || first > count ||
        last > count - first || count - first - last > reader_left(&patch->in)) {
        patch_in_fault(patch, "its groups are out of order");
        return;
    }
    if (count == 0) {
        return;
    }
    struct piece *piece = cosmi_piece_create(patch->book->memory, (size_t)count * sizeof(uint32_t));
    if (piece == NULL) {
        patch->no_memory = true;
        return;
    }
    uint32_t *words = piece_fill(piece);
    const uint32_t *kept = before == NULL ? NULL : before->bytes;
    for (size_t i = 0; i < count; i++) {
        words[i] = i < first           ? kept[i]
                   : i >= count - last ? kept[had - (size_t)(count - i)]
                                       : cosmi_read_short_max(&patch->in, UINT32_MAX) - 1;
    }
    patch->image->shared_order = piece;
}

static void patch_read_singleton(struct patch_in *patch) {
    struct memory *memory = patch->book->memory;
    const struct patch_word *word = cosmi_patch_read_word(patch, true, COSM_STORAGE_COLUMN);
    if (word == NULL) {
        return;
    }
    uint32_t id = word->type->id;
    struct piece **out = &patch->image->singletons[id];
    const struct piece *before =
        id < patch->before->singleton_end ? patch->before->singletons[id] : NULL;
    bool is_there = cosmi_read_u8(&patch->in) != 0;
    if (*out != before) {
        patch_in_fault(patch, "it has a singleton twice");
        return;
    }
    struct piece *piece = is_there ? cosmi_piece_create(memory, word->type->size) : NULL;
    char *packed = cosmi_memory_take_zeroed(memory, (size_t)word->packed_size + 1, 1);
    if (packed == NULL || (is_there && piece == NULL)) {
        patch->no_memory = true;
    } else if (is_there) {
        memset(piece_fill(piece), 0, word->type->size);
        if (before != NULL) {
            memcpy(piece_fill(piece), before->bytes, word->type->size);
            cosmi_patch_pack(word, before->bytes, packed);
        }
        cosmi_patch_read_runs(&patch->in, packed, word->packed_size);
        cosmi_patch_unpack(word, packed, piece_fill(piece));
    }
    cosmi_memory_give(memory, packed, (size_t)word->packed_size + 1, 1);
    cosmi_piece_give(memory, *out);
    *out = piece;
}

void cosmi_patch_read_singletons(struct patch_in *patch, uint32_t count) {
    for (uint32_t id = 0; id < patch->before->singleton_end; id++) {
        patch->image->singletons[id] = piece_keep(patch->before->singletons[id]);
    }
    for (uint32_t i = 0; i < count && !patch_in_failed(patch); i++) {
        patch_read_singleton(patch);
    }
}

// Slots that differ; those of new tickets are all there.
static void patch_read_slots(struct patch_in *patch, struct managed_slot *slots, uint32_t kept,
                             uint32_t used) {
    uint64_t at = 0;
    uint32_t fresh = 0;
    while (!patch_in_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        at += gap - 1;
        uint32_t gen = cosmi_read_short_max(&patch->in, UINT32_MAX);
        uint32_t id = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (at >= used) {
            patch_in_fault(patch, "it has an object past the last one");
            break;
        }
        slots[at] = (struct managed_slot){gen, id};
        fresh += at >= kept;
        at++;
    }
    if (used > kept && fresh != used - kept) {
        patch_in_fault(patch, "it has no ticket for an object");
    }
}

static void patch_read_objects(struct patch_in *patch, const struct patch_word *word,
                               struct managed_image *managed) {
    uint64_t at = 0;
    while (!patch_in_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        at += gap - 1;
        const void *packed = cosmi_read_bytes(&patch->in, word->packed_size);
        if (packed == NULL || at >= managed->used || !cosmi_patch_is_plain(word->type)) {
            patch_in_fault(patch, "it has an object that cannot be copied as bytes");
            break;
        }
        struct object *object = cosmi_object_create(patch->book->memory, word->type);
        if (object == NULL) {
            patch->no_memory = true;
            break;
        }
        memset(object->bytes, 0, word->type->size);
        cosmi_patch_unpack(word, packed, object->bytes);
        cosmi_object_give(patch->book->memory, managed->objects[at]);
        managed->objects[at] = object;
        at++;
    }
}

// Slots and objects, those of `before`, which may be NULL, to begin with.
static void patch_fill_managed(struct patch_in *patch, const struct patch_word *word,
                               const struct managed_image *before, struct managed_image *managed) {
    uint32_t had = before == NULL ? 0 : before->used;
    uint32_t kept = had < managed->used ? had : managed->used;
    managed->count = cosmi_read_short_max(&patch->in, UINT32_MAX);
    managed->free_head = cosmi_read_short_max(&patch->in, UINT32_MAX);
    managed->slots =
        cosmi_piece_create(patch->book->memory, managed->used * sizeof(struct managed_slot));
    if (managed->slots == NULL) {
        patch->no_memory = true;
        return;
    }
    struct managed_slot *slots = piece_fill(managed->slots);
    if (kept > 0) {
        memcpy(slots, before->slots->bytes, kept * sizeof(*slots));
    }
    memset(slots + kept, 0, (managed->used - kept) * sizeof(*slots));
    patch_read_slots(patch, slots, kept, managed->used);
    for (uint32_t i = 0; i < kept; i++) {
        managed->objects[i] = slots[i].gen == SLOT_FREE ? NULL : object_keep(before->objects[i]);
    }
    patch_read_objects(patch, word, managed);
}

static void patch_read_managed(struct patch_in *patch) {
    struct world_image *image = patch->image;
    const struct patch_word *word = cosmi_patch_read_word(patch, false, COSM_STORAGE_MANAGED);
    uint32_t used = cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (word == NULL) {
        return;
    }
    // In its place among the others, which is by number.
    uint32_t at = 0;
    while (at < image->managed_count &&
           image->managed[at]->type->managed_number < word->type->managed_number) {
        at++;
    }
    bool was = at < image->managed_count && image->managed[at]->type == word->type;
    struct managed_image *before = was ? image->managed[at] : NULL;
    uint32_t had = was ? before->used : 0;
    if ((used == 0 && !was) || (used > had && used - 1 - had > reader_left(&patch->in) / 3)) {
        patch_in_fault(patch, "it has more objects than bytes");
        return;
    }
    struct managed_image *managed =
        used == 0 ? NULL : cosmi_managed_image_create(patch->book->memory, word->type, used - 1);
    if (used > 0 && managed == NULL) {
        patch->no_memory = true;
        return;
    }
    if (managed != NULL) {
        patch_fill_managed(patch, word, before, managed);
    }
    uint32_t behind = image->managed_count - at - was;
    memmove(image->managed + at + (managed != NULL), image->managed + at + was,
            behind * sizeof(struct managed_image *));
    image->managed_count = at + (managed != NULL) + behind;
    if (managed != NULL) {
        image->managed[at] = managed;
    }
    cosmi_managed_image_give(patch->book->memory, before);
}

void cosmi_patch_read_managed(struct patch_in *patch, uint32_t count) {
    struct world_image *image = patch->image;
    image->managed_count = patch->before->managed_count;
    for (uint32_t i = 0; i < image->managed_count; i++) {
        image->managed[i] = patch->before->managed[i];
        atomic_fetch_add_explicit(&image->managed[i]->refs, 1, memory_order_relaxed);
    }
    for (uint32_t i = 0; i < count && !patch_in_failed(patch); i++) {
        patch_read_managed(patch);
    }
}
