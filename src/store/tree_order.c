// The tree of a world as a whole: its order, its depths, its invariants.
//
// Everything goes along the links, without a stack: a tree may be as deep as it has entities.
#include "store/rows.h"
#include "store/tree.h"

uint32_t cosmi_tree_levels(const struct tree *tree, uint32_t id, uint32_t above) {
    uint32_t levels = 0;
    for (; id != ID_NONE; id = tree_parent(tree, id)) {
        if (id == above) {
            return levels;
        }
        levels++;
    }
    return LEVELS_NONE;
}

uint32_t cosmi_tree_depth(const struct tree *tree, uint32_t id) {
    const struct link *link = tree_link(tree, id);
    if (link == NULL) {
        return 0;
    }
    if (atomic_load_explicit(&tree->depths_known, memory_order_acquire)) {
        return link->depth;
    }
    uint32_t depth = 0;
    for (; link->parent != ID_NONE; link = tree_known_link(tree, link->parent)) {
        depth++;
    }
    return depth;
}

uint32_t cosmi_tree_next(const struct tree *tree, uint32_t root, uint32_t id) {
    const struct link *link = tree_link(tree, id);
    if (link != NULL && link->first_child != ID_NONE) {
        return link->first_child;
    }
    while (id != root && link != NULL) {
        if (link->next != ID_NONE) {
            return link->next;
        }
        id = link->parent;
        link = tree_link(tree, id);
    }
    return ID_NONE;
}

uint32_t cosmi_tree_last(const struct tree *tree, uint32_t root) {
    const struct link *link = tree_link(tree, root);
    while (link != NULL && link->last_child != ID_NONE) {
        root = link->last_child;
        link = tree_link(tree, root);
    }
    return root;
}

uint32_t cosmi_tree_before(const struct tree *tree, uint32_t root, uint32_t id) {
    const struct link *link = tree_link(tree, id);
    if (id == root || link == NULL) {
        return ID_NONE;
    }
    return link->previous != ID_NONE ? cosmi_tree_last(tree, link->previous) : link->parent;
}

static cosm_entity entity_of(const struct world *world, uint32_t id) {
    return (cosm_entity){world->records[id].gen, id};
}

// The roots of a world by id, into the list; returns how many of them fit.
static uint32_t list_roots(cosm_world world, const struct tree *tree, uint32_t max,
                           cosm_entity *out) {
    const struct world *data = world_data(world);
    uint32_t count = 0;
    for (uint32_t id = 0; id < data->used && count < max; id++) {
        if ((data->records[id].gen & 1) != 0 && tree_parent(tree, id) == ID_NONE) {
            out[count++] = entity_of(data, id);
        }
    }
    return count;
}

uint32_t cosmi_tree_list(cosm_world world, uint32_t root, uint32_t max, cosm_entity *out) {
    const struct world *data = world_data(world);
    const struct tree *tree = batch_tree(world.batch, world.index);
    uint32_t total = data->alive;
    uint32_t count = 0;
    if (root == ID_NONE) {
        count = list_roots(world, tree, max, out);
    } else {
        total = 0;
        for (uint32_t id = root; id != ID_NONE; id = cosmi_tree_next(tree, root, id)) {
            total++;
        }
        if (max > 0) {
            out[count++] = entity_of(data, root);
        }
    }
    // The list is its own queue: what it has no room for has no children in it either.
    for (uint32_t head = 0; head < count && count < max; head++) {
        const struct link *link = tree_link(tree, out[head].id);
        uint32_t id = link == NULL ? ID_NONE : link->first_child;
        for (; id != ID_NONE && count < max; id = tree_known_link(tree, id)->next) {
            out[count++] = entity_of(data, id);
        }
    }
    return total;
}

// All depths from a root down.
static void set_depths(struct tree *tree, uint32_t root) {
    tree_known_link(tree, root)->depth = 0;
    uint32_t id = cosmi_tree_next(tree, root, root);
    for (; id != ID_NONE; id = cosmi_tree_next(tree, root, id)) {
        struct link *link = tree_known_link(tree, id);
        link->depth = tree_known_link(tree, link->parent)->depth + 1;
    }
}

void cosmi_tree_know_depths(struct cosm_batch *batch, struct tree *tree) {
    if (atomic_load_explicit(&tree->depths_known, memory_order_acquire)) {
        return;
    }
    cosmi_mutex_lock(&batch->lock);
    if (!atomic_load_explicit(&tree->depths_known, memory_order_relaxed)) {
        for (uint32_t id = 0; id < tree->page_end * LINK_PAGE_IDS; id++) {
            const struct link *link = tree_link(tree, id);
            if (link != NULL && link->parent == ID_NONE && link->child_count > 0) {
                set_depths(tree, id);
            }
        }
        atomic_store_explicit(&tree->depths_known, true, memory_order_release);
    }
    cosmi_mutex_unlock(&batch->lock);
}

// Does the list of an id's children hold together?
static const char *check_children(const struct tree *tree, uint32_t parent,
                                  const struct link *link) {
    uint32_t count = 0;
    uint32_t previous = ID_NONE;
    for (uint32_t id = link->first_child; id != ID_NONE && count <= link->child_count; count++) {
        const struct link *child = tree_link(tree, id);
        if (child == NULL || child->parent != parent) {
            return "a child of the tree knows its parent";
        }
        if (child->previous != previous) {
            return "a child of the tree knows the one before it";
        }
        previous = id;
        id = child->next;
    }
    if (previous != link->last_child) {
        return "the last child of the tree ends its list";
    }
    return count == link->child_count ? NULL : "the children of the tree are counted";
}

static const char *check_link(const struct cosm_batch *batch, uint32_t world,
                              const struct tree *tree, uint32_t id) {
    const struct link *link = tree_known_link(tree, id);
    const struct world *inner = &batch->worlds[world];
    bool linked = link->parent != ID_NONE || link->child_count > 0;
    bool lives = id < inner->used && (inner->records[id].gen & 1) != 0;
    if (linked && !lives) {
        return "an entity in the tree is alive";
    }
    if (linked && id / LINK_PAGE_IDS >= tree->page_end) {
        return "pages behind the tree's end are empty";
    }
    if (link->parent == ID_NONE && (link->next != ID_NONE || link->previous != ID_NONE)) {
        return "a root of the tree has no siblings";
    }
    bool depths_known = atomic_load_explicit(&tree->depths_known, memory_order_relaxed);
    if (!linked && link->depth != 0) {
        return "what is not in the tree has no depth";
    }
    uint32_t above = link->parent == ID_NONE ? 0 : tree_known_depth(tree, link->parent) + 1;
    if (depths_known && link->depth != above) {
        return "a known depth of the tree is one more than the parent's";
    }
    return check_children(tree, id, link);
}

// Everything that is linked can be reached from a root: there is no circle.
static bool all_reached(const struct tree *tree) {
    uint64_t reached = 0;
    for (uint32_t root = 0; root < tree->page_end * LINK_PAGE_IDS; root++) {
        const struct link *link = tree_link(tree, root);
        if (link == NULL || link->parent != ID_NONE || link->child_count == 0) {
            continue;
        }
        for (uint32_t id = root; id != ID_NONE; id = cosmi_tree_next(tree, root, id)) {
            reached++;
        }
    }
    return reached == tree->linked;
}

const char *cosmi_tree_check(const struct cosm_batch *batch, uint32_t world, uint32_t *out_id) {
    const struct tree *tree = batch_tree(batch, world);
    uint32_t total = 0;
    uint32_t page_count = 0;
    *out_id = ID_NONE;
    for (uint32_t p = 0; tree != NULL && p < tree->page_capacity; p++) {
        uint32_t linked = 0;
        page_count += tree->pages[p] != NULL;
        for (uint32_t i = 0; tree->pages[p] != NULL && i < LINK_PAGE_IDS; i++) {
            *out_id = p * LINK_PAGE_IDS + i;
            const char *wrong = check_link(batch, world, tree, *out_id);
            if (wrong != NULL) {
                return wrong;
            }
            const struct link *link = &tree->pages[p]->links[i];
            linked += link->parent != ID_NONE || link->child_count > 0;
        }
        if (tree->pages[p] != NULL && tree->pages[p]->linked != linked) {
            return "a page of the tree counts what is linked";
        }
        total += linked;
    }
    if (tree == NULL) {
        return NULL;
    }
    if (tree->page_end > tree->page_capacity) {
        return "the tree ends within its pages";
    }
    if (total != tree->linked || page_count != tree->page_count) {
        return "the tree counts what is linked, and its pages";
    }
    return all_reached(tree) ? NULL : "the tree has no cycle";
}
