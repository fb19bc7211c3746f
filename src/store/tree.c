// The tree of a world: links, and the room for them. What is read of it whole is in tree_order.c.
#include "store/tree.h"

#include "store/rows.h"

static void clear_link(struct link *link) {
    *link = (struct link){ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0};
}

void cosmi_tree_clear_page(struct link_page *page) {
    page->linked = 0;
    for (uint32_t i = 0; i < LINK_PAGE_IDS; i++) {
        clear_link(&page->links[i]);
    }
}

struct tree *cosmi_tree_make(cosm_world world, const char *call) {
    struct cosm_batch *batch = world.batch;
    struct beside *beside = cosmi_batch_beside(batch, call, world.index);
    if (beside == NULL || beside->tree != NULL) {
        return beside == NULL ? NULL : beside->tree;
    }
    struct tree *tree =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*tree), _Alignof(struct tree));
    if (tree == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    atomic_init(&tree->depths_known, true);
    beside->tree = tree;
    cosmi_batch_flag_entities(batch, world.index);
    return tree;
}

static bool make_page(struct cosm_batch *batch, struct tree *tree, uint32_t page) {
    if (page >= tree->page_capacity) {
        uint32_t capacity = tree->page_capacity;
        struct link_page **pages = cosmi_array_grow(&batch->memory, tree->pages, &capacity,
                                                    page + 1, sizeof(struct link_page *));
        if (pages == NULL) {
            return false;
        }
        for (uint32_t p = tree->page_capacity; p < capacity; p++) {
            pages[p] = NULL;
        }
        tree->pages = pages;
        tree->page_capacity = capacity;
    }
    if (tree->pages[page] == NULL) {
        struct link_page *made = cosmi_pool_take(&batch->pool, LINK_PAGE_BYTES);
        if (made == NULL) {
            return false;
        }
        cosmi_tree_clear_page(made);
        tree->pages[page] = made;
        tree->page_count++;
    }
    return true;
}

cosm_result cosmi_tree_reserve(cosm_world world, struct tree *tree, uint32_t id, const char *call) {
    struct cosm_batch *batch = world.batch;
    return make_page(batch, tree, id / LINK_PAGE_IDS)
               ? COSM_OK
               : cosmi_fail_memory(batch->sink, &batch->memory, call);
}

cosm_result cosmi_tree_reserve_next(cosm_world world, struct tree *tree, uint64_t count,
                                    const char *call) {
    struct world *data = world_data(world);
    INVARIANT(!directory_has_reserved(data), "reserved ids are settled before ids are read");
    struct ids_ahead ahead = directory_ahead(data);
    cosm_result result = COSM_OK;
    for (uint64_t i = 0; i < count && result == COSM_OK; i++) {
        result = cosmi_tree_reserve(world, tree, directory_next(data, &ahead).id, call);
    }
    return result;
}

// Counts an id that may have come into the tree or left it.
static void count_linked(struct tree *tree, uint32_t id, bool was_linked) {
    struct link_page *page = tree->pages[id / LINK_PAGE_IDS];
    bool linked = link_is_linked(tree_known_link(tree, id));
    if (linked == was_linked) {
        return;
    }
    if (linked) {
        page->linked++;
        tree->linked++;
        uint32_t end = id / LINK_PAGE_IDS + 1;
        tree->page_end = end > tree->page_end ? end : tree->page_end;
    } else {
        page->linked--;
        tree->linked--;
    }
}

static void take_from_parent(struct tree *tree, struct link *link) {
    uint32_t parent_id = link->parent;
    struct link *parent = tree_known_link(tree, parent_id);
    if (link->previous == ID_NONE) {
        parent->first_child = link->next;
    } else {
        tree_known_link(tree, link->previous)->next = link->next;
    }
    if (link->next == ID_NONE) {
        parent->last_child = link->previous;
    } else {
        tree_known_link(tree, link->next)->previous = link->previous;
    }
    parent->child_count--;
    link->parent = ID_NONE;
    link->next = ID_NONE;
    link->previous = ID_NONE;
    count_linked(tree, parent_id, true);
}

static void give_to_parent(struct tree *tree, uint32_t id, uint32_t parent_id, uint32_t before) {
    struct link *link = tree_known_link(tree, id);
    struct link *parent = tree_known_link(tree, parent_id);
    bool was_linked = link_is_linked(parent);
    link->parent = parent_id;
    link->next = before;
    link->previous =
        before == ID_NONE ? parent->last_child : tree_known_link(tree, before)->previous;
    if (link->previous == ID_NONE) {
        parent->first_child = id;
    } else {
        tree_known_link(tree, link->previous)->next = id;
    }
    if (before == ID_NONE) {
        parent->last_child = id;
    } else {
        tree_known_link(tree, before)->previous = id;
    }
    parent->child_count++;
    count_linked(tree, parent_id, was_linked);
}

// A leaf gets its depth at once, so that a tree that is built from the top keeps them. Those below
// an id that goes up or down are left for the next walk.
static void follow_depth(struct tree *tree, struct link *link) {
    uint32_t depth = link->parent == ID_NONE ? 0 : tree_known_link(tree, link->parent)->depth + 1;
    if (link->child_count > 0 && link->depth != depth) {
        atomic_store_explicit(&tree->depths_known, false, memory_order_relaxed);
    }
    link->depth = depth;
}

void cosmi_tree_put(struct tree *tree, uint32_t id, uint32_t parent, uint32_t before) {
    struct link *link = tree_known_link(tree, id);
    INVARIANT(parent != id, "no id is put under itself");
    INVARIANT(parent == ID_NONE || link->child_count == 0 ||
                  cosmi_tree_levels(tree, parent, id) == LEVELS_NONE,
              "no id is put under one below it");
    bool was_linked = link_is_linked(link);
    if (link->parent != ID_NONE) {
        take_from_parent(tree, link);
    }
    if (parent != ID_NONE) {
        give_to_parent(tree, id, parent, before);
    }
    follow_depth(tree, link);
    count_linked(tree, id, was_linked);
}

void cosmi_tree_leave(struct tree *tree, uint32_t id) {
    struct link *link = tree_link(tree, id);
    if (link == NULL || !link_is_linked(link)) {
        return;
    }
    while (link->first_child != ID_NONE) {
        cosmi_tree_put(tree, link->first_child, ID_NONE, ID_NONE);
    }
    if (link->parent != ID_NONE) {
        cosmi_tree_put(tree, id, ID_NONE, ID_NONE);
    }
}

void cosmi_tree_leave_rows(cosm_world world, const struct store *store, uint32_t row,
                           uint32_t count) {
    struct tree *tree = batch_tree(world.batch, world.index);
    if (tree == NULL || store->archetype->temporary) {
        return;
    }
    const cosm_entity *entities = store_entities(store, world.index, row);
    for (uint32_t i = 0; tree->linked > 0 && i < count; i++) {
        cosmi_tree_leave(tree, entities[i].id);
    }
}

void cosmi_tree_reset(cosm_world world) {
    struct tree *tree = batch_tree(world.batch, world.index);
    if (tree == NULL) {
        return;
    }
    for (uint32_t p = 0; tree->linked > 0 && p < tree->page_end; p++) {
        struct link_page *page = tree->pages[p];
        if (page != NULL && page->linked > 0) {
            tree->linked -= page->linked;
            cosmi_tree_clear_page(page);
        }
    }
    tree->page_end = 0;
    atomic_store_explicit(&tree->depths_known, true, memory_order_relaxed);
}

static void free_pages(struct cosm_batch *batch, struct tree *tree, bool all) {
    for (uint32_t p = 0; p < tree->page_capacity; p++) {
        struct link_page *page = tree->pages[p];
        if (page != NULL && (all || page->linked == 0)) {
            cosmi_pool_give(&batch->pool, page, LINK_PAGE_BYTES);
            tree->pages[p] = NULL;
            tree->page_count--;
        }
    }
}

void cosmi_tree_free(struct cosm_batch *batch, uint32_t world) {
    struct tree *tree = batch_tree(batch, world);
    if (tree == NULL) {
        return;
    }
    free_pages(batch, tree, true);
    cosmi_array_free(&batch->memory, tree->pages, tree->page_capacity, sizeof(struct link_page *));
    cosmi_memory_free(&batch->memory, tree, sizeof(*tree), _Alignof(struct tree));
    batch->besides[world]->tree = NULL;
}

// Shortens the list of pages to those that are there; without memory for that it stays as it is.
static void shorten_pages(struct cosm_batch *batch, struct tree *tree) {
    uint32_t end = tree->page_capacity;
    while (end > 0 && tree->pages[end - 1] == NULL) {
        end--;
    }
    tree->page_end = end;
    if (end == tree->page_capacity) {
        return;
    }
    uint32_t capacity = 0;
    struct link_page **pages =
        cosmi_array_grow(&batch->memory, NULL, &capacity, end, sizeof(struct link_page *));
    if (pages == NULL || capacity >= tree->page_capacity) {
        cosmi_array_free(&batch->memory, pages, capacity, sizeof(struct link_page *));
        return;
    }
    for (uint32_t p = 0; p < capacity; p++) {
        pages[p] = p < end ? tree->pages[p] : NULL;
    }
    cosmi_array_free(&batch->memory, tree->pages, tree->page_capacity, sizeof(struct link_page *));
    tree->pages = pages;
    tree->page_capacity = capacity;
}

void cosmi_tree_trim(struct cosm_batch *batch, uint32_t world) {
    struct tree *tree = batch_tree(batch, world);
    if (tree == NULL) {
        return;
    }
    if (tree->linked == 0) {
        cosmi_tree_free(batch, world);
        return;
    }
    free_pages(batch, tree, false);
    shorten_pages(batch, tree);
}

size_t cosmi_tree_bytes(const struct tree *tree) {
    return tree == NULL ? 0
                        : sizeof(*tree) + tree->page_capacity * sizeof(struct link_page *) +
                              tree->page_count * LINK_PAGE_BYTES;
}
