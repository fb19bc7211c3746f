// The tree of a world: who is whose parent, kept beside the tables and by id, so that an entity
// that goes to another table takes its place in the tree with it at no cost.
//
//   tree.pages[id / LINK_PAGE_IDS] -> links[id % LINK_PAGE_IDS]
//
//        parent
//          |  ^ ^ ^
//    first |  | | |  parent
//    _child|  | | |           last_child of the parent is the right one
//          v  | | |
//          a <-> b <-> c      next, previous: in the order in which they came
//
// Links hold ids without generations: an entity that ends leaves the tree first, so what is linked
// lives, and the directory knows its generation.
#ifndef COSM_STORE_TREE_H
#define COSM_STORE_TREE_H

#include "store/side.h"

#define LINK_PAGE_IDS 16u
#define LINK_PAGE_BYTES ((size_t)512)

// What cosmi_tree_levels says where there is no way up.
#define LEVELS_NONE 0xFFFFFFFFu

// The place of one id in the tree; ID_NONE where there is nobody.
struct link {
    uint32_t parent;
    uint32_t first_child;
    uint32_t last_child;
    uint32_t next;
    uint32_t previous;
    uint32_t child_count;
    uint32_t depth; // steps up to the root, where tree.depths_known; of an id without links: 0
};

struct link_page {
    uint32_t linked; // ids of this page that have a parent or children
    struct link links[LINK_PAGE_IDS];
};

_Static_assert(sizeof(struct link_page) <= LINK_PAGE_BYTES, "a page of links is one pooled block");

// Invariants: the children of an id are a list through `next`, from first_child to last_child, with
// `previous` the other way, child_count long, and each has the id as its parent; the way up from
// any id ends; an id that has a parent or children lives; `linked` is how many there are, here and
// in each page; pages from page_end on, which is at most page_capacity, have none. Written by
// whoever changes the world, but for depths and depths_known, which whoever walks the world may
// bring up to date under the batch's lock.
struct tree {
    struct link_page **pages; // [page_capacity], NULL where no id of a page was ever linked
    uint32_t page_capacity;
    uint32_t page_count; // that are not NULL
    uint32_t page_end;
    uint32_t linked;
    atomic_bool depths_known;
};

// The tree of a world, or NULL where nothing was ever linked.
static inline struct tree *batch_tree(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides[world];
    return beside == NULL ? NULL : beside->tree;
}

// The links of an id, or NULL where it has never had any.
static inline struct link *tree_link(const struct tree *tree, uint32_t id) {
    uint32_t page = id / LINK_PAGE_IDS;
    if (tree == NULL || page >= tree->page_capacity || tree->pages[page] == NULL) {
        return NULL;
    }
    return &tree->pages[page]->links[id % LINK_PAGE_IDS];
}

// Has the id of these links a parent or children?
static inline bool link_is_linked(const struct link *link) {
    return link->parent != ID_NONE || link->child_count != 0;
}

// The links of an id that is in the tree, or for which room was made.
static inline struct link *tree_known_link(const struct tree *tree, uint32_t id) {
    return &tree->pages[id / LINK_PAGE_IDS]->links[id % LINK_PAGE_IDS];
}

// The parent of an id, or ID_NONE.
static inline uint32_t tree_parent(const struct tree *tree, uint32_t id) {
    const struct link *link = tree_link(tree, id);
    return link == NULL ? ID_NONE : link->parent;
}

// The depth of an id once cosmi_tree_know_depths was called.
static inline uint32_t tree_known_depth(const struct tree *tree, uint32_t id) {
    const struct link *link = tree_link(tree, id);
    return link == NULL ? 0 : link->depth;
}

// The world's tree, made when there is none. NULL, with a message that names `call`, when out of
// memory.
struct tree *cosmi_tree_make(cosm_world world, const char *call);

// Makes room for an id, so that it can be linked. On failure a message names `call`.
cosm_result cosmi_tree_reserve(cosm_world world, struct tree *tree, uint32_t id, const char *call);

// The same for the ids that the next `count` entities of the world will have; no id is reserved.
cosm_result cosmi_tree_reserve_next(cosm_world world, struct tree *tree, uint64_t count,
                                    const char *call);

// Makes a page one of ids without links.
void cosmi_tree_clear_page(struct link_page *page);

// Puts `id` under `parent`, before its child `before`: ID_NONE stands for no parent, and for
// behind all children. There is room, and this closes no circle. O(1).
void cosmi_tree_put(struct tree *tree, uint32_t id, uint32_t parent, uint32_t before);

// Steps from `id` up to `above`: 0 where they are the same, LEVELS_NONE where there is no way.
uint32_t cosmi_tree_levels(const struct tree *tree, uint32_t id, uint32_t above);

// Takes an id out: its children become roots. O(children).
void cosmi_tree_leave(struct tree *tree, uint32_t id);

// The entities of these rows are about to end, or all of a world.
void cosmi_tree_leave_rows(cosm_world world, const struct store *store, uint32_t row,
                           uint32_t count);
void cosmi_tree_reset(cosm_world world);

// Parents before children, children in their order, each with all below it before the next: the id
// behind `id` and before `id` among those from `root` down; ID_NONE at the end. O(1) on average.
uint32_t cosmi_tree_next(const struct tree *tree, uint32_t root, uint32_t id);
uint32_t cosmi_tree_before(const struct tree *tree, uint32_t root, uint32_t id);

// The last id in that order: where going backwards begins.
uint32_t cosmi_tree_last(const struct tree *tree, uint32_t root);

// Ids by depth, parents before children: those from `root` down or, for ID_NONE, all that live.
// Writes at most `max` and returns how many there are.
uint32_t cosmi_tree_list(cosm_world world, uint32_t root, uint32_t max, cosm_entity *out);

// Steps up to the root. O(1) where depths are known, else O(depth).
uint32_t cosmi_tree_depth(const struct tree *tree, uint32_t id);

// Brings all depths up to date. For walks, on any thread. O(linked) after a change of depths.
void cosmi_tree_know_depths(struct cosm_batch *batch, struct tree *tree);

// Gives back what a world's tree does not need, or all of it.
void cosmi_tree_trim(struct cosm_batch *batch, uint32_t world);
void cosmi_tree_free(struct cosm_batch *batch, uint32_t world);
size_t cosmi_tree_bytes(const struct tree *tree);

// The first invariant that does not hold, in words, or NULL; *out_id is where.
const char *cosmi_tree_check(const struct cosm_batch *batch, uint32_t world, uint32_t *out_id);

#endif
