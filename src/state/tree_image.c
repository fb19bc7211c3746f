// Trees in images.
//
// An image has the links of all ids of a piece, whether or not the tree has pages for them, so that
// equal trees have equal bytes whatever their histories. Depths follow from the links: they are 0
// in an image, and found anew by the first walk that wants them.
#include "state/capture.h"
#include "state/restore.h"

#define PIECE_PAGES (LINK_PIECE_IDS / LINK_PAGE_IDS)

_Static_assert(LINK_PIECE_IDS % LINK_PAGE_IDS == 0, "a piece of links is made of whole pages");

static const struct link no_links = {ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0};

// Pages up to the last one with a link.
static uint32_t linked_page_end(const struct tree *tree) {
    uint32_t end = tree->page_end;
    while (end > 0 && (tree->pages[end - 1] == NULL || tree->pages[end - 1]->linked == 0)) {
        end--;
    }
    return end;
}

// The links of the ids of a piece as an image has them; false where there are none.
static bool gather_links(const struct tree *tree, uint32_t piece, struct link *out_links) {
    bool any = false;
    for (uint32_t p = 0; p < PIECE_PAGES; p++) {
        uint32_t at = piece * PIECE_PAGES + p;
        const struct link_page *page = at < tree->page_capacity ? tree->pages[at] : NULL;
        any = any || (page != NULL && page->linked > 0);
        for (uint32_t i = 0; i < LINK_PAGE_IDS; i++) {
            struct link *link = &out_links[p * LINK_PAGE_IDS + i];
            *link = page == NULL ? no_links : page->links[i];
            link->depth = 0;
        }
    }
    return any;
}

// Are all pieces those of the base?
static bool has_pieces_of(const struct tree_image *tree, const struct tree_image *base) {
    return base != NULL && base->piece_count == tree->piece_count &&
           memcmp(base->pieces, tree->pieces, tree->piece_count * sizeof(*tree->pieces)) == 0;
}

cosm_result cosmi_capture_tree(const struct capture *capture, struct world_image *image) {
    const struct cosm_batch *batch = capture->world.batch;
    const struct tree *tree = batch_tree(batch, capture->world.index);
    if (tree == NULL || tree->linked == 0) {
        return COSM_OK;
    }
    struct tree_image *base = capture->base == NULL ? NULL : capture->base->tree;
    uint32_t count = (linked_page_end(tree) + PIECE_PAGES - 1) / PIECE_PAGES;
    image->tree = cosmi_tree_image_create(capture->memory, count);
    bool done = image->tree != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        struct link links[LINK_PIECE_IDS];
        if (gather_links(tree, i, links)) {
            struct piece *kept = base != NULL && i < base->piece_count ? base->pieces[i] : NULL;
            struct piece *piece = cosmi_piece_same(capture->memory, kept, links, sizeof(links));
            image->tree->pieces[i] = piece;
            done = piece != NULL;
        }
    }
    if (!done) {
        return cosmi_fail_memory(batch->sink, capture->memory, capture->call);
    }
    image->tree->linked = tree->linked;
    if (has_pieces_of(image->tree, base)) {
        cosmi_tree_image_give(capture->memory, image->tree);
        atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
        image->tree = base;
    }
    return COSM_OK;
}

// The links that an image has for a page of the tree; NULL where it has none.
static const struct link *image_links(const struct tree_image *image, uint32_t page) {
    uint32_t piece = page / PIECE_PAGES;
    if (image == NULL || piece >= image->piece_count || image->pieces[piece] == NULL) {
        return NULL;
    }
    const struct link *links = image->pieces[piece]->bytes;
    return links + page % PIECE_PAGES * LINK_PAGE_IDS;
}

static uint32_t count_links(const struct link *links) {
    uint32_t linked = 0;
    for (uint32_t i = 0; links != NULL && i < LINK_PAGE_IDS; i++) {
        linked += link_is_linked(&links[i]);
    }
    return linked;
}

// A tree without links, and pages without, are nothing that anybody could see.
cosm_result cosmi_prepare_tree(struct restore *restore) {
    const struct tree_image *image = restore->image->tree;
    struct tree *tree = image == NULL ? NULL : cosmi_tree_make(restore->world, restore->call);
    if (image != NULL && tree == NULL) {
        return COSM_ERROR_MEMORY;
    }
    for (uint32_t p = 0; image != NULL && p < image->piece_count * PIECE_PAGES; p++) {
        if (count_links(image_links(image, p)) > 0) {
            cosm_result result =
                cosmi_tree_reserve(restore->world, tree, p * LINK_PAGE_IDS, restore->call);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

static void restore_page(struct link_page *page, const struct link *links) {
    uint32_t linked = count_links(links);
    if (linked == 0 && page->linked > 0) {
        cosmi_tree_clear_page(page);
    } else if (linked > 0) {
        memcpy(page->links, links, sizeof(page->links));
        page->linked = linked;
    }
}

void cosmi_restore_tree(struct restore *restore) {
    const struct tree_image *image = restore->image->tree;
    struct tree *tree = batch_tree(restore->world.batch, restore->world.index);
    if (image == NULL) {
        cosmi_tree_reset(restore->world);
        return;
    }
    uint32_t end = image->piece_count * PIECE_PAGES;
    end = end > tree->page_end ? end : tree->page_end;
    end = end < tree->page_capacity ? end : tree->page_capacity;
    tree->page_end = 0;
    for (uint32_t p = 0; p < end; p++) {
        if (tree->pages[p] != NULL) {
            restore_page(tree->pages[p], image_links(image, p));
            tree->page_end = tree->pages[p]->linked > 0 ? p + 1 : tree->page_end;
        }
    }
    tree->linked = image->linked;
    atomic_store_explicit(&tree->depths_known, false, memory_order_relaxed);
}

void cosmi_cancel_tree(struct restore *restore) {
    (void)restore;
}

// The links of an id in an image, or NULL.
static const struct link *image_link(const struct tree_image *tree, uint32_t id) {
    const struct link *links = image_links(tree, id / LINK_PAGE_IDS);
    return links == NULL ? NULL : &links[id % LINK_PAGE_IDS];
}

// Does the list of an id's children hold together? One that comes back to a child meets it with
// another one before it, so this ends; and a child is looked at for its own parent only.
static const char *image_children_fault(const struct tree_image *tree, uint32_t parent,
                                        const struct link *link) {
    uint32_t count = 0;
    uint32_t previous = ID_NONE;
    for (uint32_t id = link->first_child; id != ID_NONE; count++) {
        const struct link *child = image_link(tree, id);
        if (child == NULL || child->parent != parent || child->previous != previous) {
            return "a child in the tree does not know its parent, or the child before it";
        }
        previous = id;
        id = child->next;
    }
    return previous == link->last_child && count == link->child_count
               ? NULL
               : "the child count of an entity is wrong";
}

// In a list of a parent's children each is met once; so where all lists together are as long as
// there are ids with parents, each of those is in its parent's.
static const char *image_link_fault(const struct world_image *image, uint32_t id,
                                    const struct link *link) {
    bool lives = id < image->directory.used && (image_record(image, id)->gen & 1) != 0;
    if (!link_is_linked(link)) {
        return memcmp(link, &no_links, sizeof(no_links)) == 0
                   ? NULL
                   : "an id without parent and children has links";
    }
    if (!lives || link->depth != 0) {
        return "an entity in the tree is not alive, or has a depth";
    }
    if (link->parent == ID_NONE && (link->next != ID_NONE || link->previous != ID_NONE)) {
        return "an entity without a parent has siblings";
    }
    return image_children_fault(image->tree, id, link);
}

// The id behind `id` from a root down, along lists that hold together; ID_NONE at the end.
static uint32_t image_next(const struct tree_image *tree, uint32_t root, uint32_t id) {
    const struct link *link = image_link(tree, id);
    if (link->first_child != ID_NONE) {
        return link->first_child;
    }
    while (id != root) {
        if (link->next != ID_NONE) {
            return link->next;
        }
        id = link->parent;
        link = image_link(tree, id);
    }
    return ID_NONE;
}

// Ids that can be reached from roots. Those of a circle cannot: each has its parent in the circle.
static uint64_t count_reached(const struct tree_image *tree) {
    uint64_t reached = 0;
    for (uint32_t root = 0; root < tree->piece_count * LINK_PIECE_IDS; root++) {
        const struct link *link = image_link(tree, root);
        if (link == NULL || link->parent != ID_NONE || link->child_count == 0) {
            continue;
        }
        for (uint32_t id = root; id != ID_NONE; id = image_next(tree, root, id)) {
            reached++;
        }
    }
    return reached;
}

const char *cosmi_tree_image_fault(const struct world_image *image) {
    const struct tree_image *tree = image->tree;
    if (tree == NULL) {
        return NULL;
    }
    if (tree->piece_count > COSM_WORLD_ENTITY_MAX / LINK_PIECE_IDS) {
        return "the tree has more ids than a world may have";
    }
    uint64_t linked = 0;
    uint64_t parents = 0;
    uint64_t children = 0;
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        if (tree->pieces[i] == NULL) {
            continue;
        }
        if (tree->pieces[i]->size != LINK_PIECE_IDS * sizeof(struct link)) {
            return "a block of the tree has the wrong size";
        }
    }
    for (uint32_t id = 0; id < tree->piece_count * LINK_PIECE_IDS; id++) {
        const struct link *link = image_link(tree, id);
        const char *fault = link == NULL ? NULL : image_link_fault(image, id, link);
        if (fault != NULL) {
            return fault;
        }
        linked += link != NULL && link_is_linked(link);
        parents += link != NULL && link->parent != ID_NONE;
        children += link == NULL ? 0 : link->child_count;
    }
    if (parents != children) {
        return "an entity in the tree is not among its parent's children";
    }
    if (linked != tree->linked || linked == 0) {
        return "the entity count of the tree is wrong";
    }
    return count_reached(tree) == linked ? NULL : "the tree has a cycle";
}
