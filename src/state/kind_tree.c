// The tree of a world as a part.
//
// An image has the links of all ids of a blob, whether or not the tree has pages for them, so that
// equal trees have equal bytes whatever their histories. Depths follow from the links: they are 0
// in an image, and found anew by the first walk that wants them.
#include "state/kind.h"

#define BLOB_PAGES (LINK_BLOB_IDS / LINK_PAGE_IDS)

_Static_assert(LINK_BLOB_IDS % LINK_PAGE_IDS == 0, "a blob of links is made of whole pages");

static bool next_tree(cosm_world world, struct live_part *io_live) {
    struct tree *tree = batch_tree(world.batch, world.index);
    return live_once(io_live, tree != NULL && tree->linked > 0 ? tree : NULL);
}

// Pages up to the last one with a link.
static uint32_t linked_page_end(const struct tree *tree) {
    uint32_t end = tree->page_end;
    while (end > 0 && (tree->pages[end - 1] == NULL || tree->pages[end - 1]->linked == 0)) {
        end--;
    }
    return end;
}

static void shape_tree(cosm_world world, const struct live_part *live, struct part *head) {
    const struct tree *tree = live->at;
    (void)world;
    head->tree.linked = tree->linked;
    head->tree.blob_count = (linked_page_end(tree) + BLOB_PAGES - 1) / BLOB_PAGES;
}

static const struct link_page *tree_page(const struct tree *tree, uint32_t page) {
    return page < tree->page_capacity ? tree->pages[page] : NULL;
}

static void find_links(const struct capture *capture, const struct live_part *live,
                       const struct part *part, uint32_t i, struct live_blob *out) {
    (void)capture;
    (void)part;
    out->is_there = false;
    for (uint32_t p = 0; p < BLOB_PAGES; p++) {
        const struct link_page *page = tree_page(live->at, i * BLOB_PAGES + p);
        out->is_there = out->is_there || (page != NULL && page->linked > 0);
    }
}

static void fill_links(const struct capture *capture, const struct live_part *live,
                       const struct part *part, uint32_t i, void *out) {
    struct link *links = out;
    (void)capture;
    (void)part;
    for (uint32_t n = 0; n < LINK_BLOB_IDS; n++) {
        const struct link_page *page = tree_page(live->at, i * BLOB_PAGES + n / LINK_PAGE_IDS);
        links[n] = page == NULL ? cosmi_no_links : page->links[n % LINK_PAGE_IDS];
        links[n].depth = 0;
    }
}

// The links of a page of the tree; NULL where the part has none.
static const struct link *page_links(const struct part *part, uint32_t page) {
    return tree_part_link(part, page * LINK_PAGE_IDS);
}

static uint32_t count_links(const struct link *links) {
    uint32_t linked = 0;
    for (uint32_t i = 0; links != NULL && i < LINK_PAGE_IDS; i++) {
        linked += link_is_linked(&links[i]);
    }
    return linked;
}

// A tree without links, and pages without, are nothing that anybody could see.
static cosm_result reserve_tree(struct restore *restore, const struct part *part,
                                struct restore_plan *plan) {
    struct tree *tree = cosmi_tree_make(restore->world, restore->call);
    cosm_result result = tree == NULL ? COSM_ERROR_MEMORY : COSM_OK;
    (void)plan;
    for (uint32_t p = 0; p < part->blob_count * BLOB_PAGES && result == COSM_OK; p++) {
        if (count_links(page_links(part, p)) > 0) {
            result = cosmi_tree_reserve(restore->world, tree, p * LINK_PAGE_IDS, restore->call);
        }
    }
    return result;
}

static void prune_tree(struct restore *restore) {
    if (image_count(restore->image, PART_TREE) == 0) {
        cosmi_tree_reset(restore->world);
    }
}

static void adopt_page(struct link_page *page, const struct link *links) {
    uint32_t linked = count_links(links);
    if (linked == 0 && page->linked > 0) {
        cosmi_tree_clear_page(page);
    } else if (linked > 0) {
        memcpy(page->links, links, sizeof(page->links));
        page->linked = linked;
    }
}

static void adopt_tree(struct restore *restore, const struct part *part,
                       struct restore_plan *plan) {
    struct tree *tree = batch_tree(restore->world.batch, restore->world.index);
    uint32_t end = part->blob_count * BLOB_PAGES;
    (void)plan;
    end = end > tree->page_end ? end : tree->page_end;
    end = end < tree->page_capacity ? end : tree->page_capacity;
    tree->page_end = 0;
    for (uint32_t p = 0; p < end; p++) {
        if (tree->pages[p] != NULL) {
            adopt_page(tree->pages[p], page_links(part, p));
            tree->page_end = tree->pages[p]->linked > 0 ? p + 1 : tree->page_end;
        }
    }
    tree->linked = part->tree.linked;
    atomic_store_explicit(&tree->depths_known, false, memory_order_relaxed);
}

// Does the list of an id's children hold together? One that comes back to a child meets it with
// another one before it, so this ends; and a child is looked at for its own parent only.
static const char *children_fault(const struct part *tree, uint32_t parent,
                                  const struct link *link) {
    uint32_t count = 0;
    uint32_t previous = ID_NONE;
    for (uint32_t id = link->first_child; id != ID_NONE; count++) {
        const struct link *child = tree_part_link(tree, id);
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
static const char *link_fault(const struct world_image *image, uint32_t id,
                              const struct link *link) {
    bool lives = id < image_ids(image)->ids.used && (image_record(image, id)->gen & 1) != 0;
    if (!link_is_linked(link)) {
        return memcmp(link, &cosmi_no_links, sizeof(cosmi_no_links)) == 0
                   ? NULL
                   : "an id without parent and children has links";
    }
    if (!lives || link->depth != 0) {
        return "an entity in the tree is not alive, or has a depth";
    }
    if (link->parent == ID_NONE && (link->next != ID_NONE || link->previous != ID_NONE)) {
        return "an entity without a parent has siblings";
    }
    return children_fault(image_only(image, PART_TREE), id, link);
}

// The id behind `id` from a root down, along lists that hold together; ID_NONE at the end.
static uint32_t next_below(const struct part *tree, uint32_t root, uint32_t id) {
    const struct link *link = tree_part_link(tree, id);
    if (link->first_child != ID_NONE) {
        return link->first_child;
    }
    while (id != root) {
        if (link->next != ID_NONE) {
            return link->next;
        }
        id = link->parent;
        link = tree_part_link(tree, id);
    }
    return ID_NONE;
}

// Ids that can be reached from roots. Those of a circle cannot: each has its parent in the circle.
static uint64_t count_reached(const struct part *tree) {
    uint64_t reached = 0;
    for (uint32_t root = 0; root < tree->blob_count * LINK_BLOB_IDS; root++) {
        const struct link *link = tree_part_link(tree, root);
        if (link == NULL || link->parent != ID_NONE || link->child_count == 0) {
            continue;
        }
        for (uint32_t id = root; id != ID_NONE; id = next_below(tree, root, id)) {
            reached++;
        }
    }
    return reached;
}

static const char *tree_fault(const struct schema *schema, const struct world_image *image,
                              const struct part *tree) {
    (void)schema;
    if (tree->blob_count > COSM_WORLD_ENTITY_MAX / LINK_BLOB_IDS) {
        return "the tree has more ids than a world may have";
    }
    uint64_t linked = 0;
    uint64_t parents = 0;
    uint64_t children = 0;
    for (uint32_t i = 0; i < tree->blob_count; i++) {
        if (tree->blobs[i] == NULL) {
            continue;
        }
        if (tree->blobs[i]->size != LINK_BLOB_IDS * sizeof(struct link)) {
            return "a block of the tree has the wrong size";
        }
    }
    for (uint32_t id = 0; id < tree->blob_count * LINK_BLOB_IDS; id++) {
        const struct link *link = tree_part_link(tree, id);
        const char *fault = link == NULL ? NULL : link_fault(image, id, link);
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
    if (linked != tree->tree.linked || linked == 0) {
        return "the entity count of the tree is wrong";
    }
    return count_reached(tree) == linked ? NULL : "the tree has a cycle";
}

const struct part_kind cosmi_kind_tree = {
    .next = next_tree,
    .shape = shape_tree,
    .blob = find_links,
    .fill = fill_links,
    .is_compared = true,
    .reserve = reserve_tree,
    .prune = prune_tree,
    .adopt = adopt_tree,
    .fault = tree_fault,
};
