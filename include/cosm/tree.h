// The tree: parents and children among the entities of a world.
//
// An entity without a parent is a root. An entity has at most one parent and any number of
// children, which keep the order in which they were added. The tree is stored per entity, outside
// the tables: adding and removing components does not affect it, and changing it moves no row. A
// world that never uses it pays nothing.
//
// Despawning an entity alone removes it from the tree, and its children become roots;
// cosm_tree_despawn also despawns all its descendants. The tree is part of the state: of hashes, of
// a reset, of validation. Changing it is a structural change: it fails while the world is being
// walked. Record cosm_commands_set_parent and cosm_commands_despawn_tree instead.
//
// A stale entity has no parent, no children and depth 0.
#ifndef COSM_TREE_H
#define COSM_TREE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Makes `entity`, with its descendants, the last child of `parent`, or a root if `parent` is
// COSM_ENTITY_NONE. If it already is a child of `parent`, nothing changes, including its position.
// COSM_STALE if one of them is not alive. Fails if `parent` is the entity itself or one of its
// descendants. O(1) for an entity without children, else O(depth of the parent).
COSM_API COSM_MUST_USE cosm_result cosm_tree_set_parent(cosm_world world, cosm_entity entity,
                                                        cosm_entity parent);

// Despawns an entity and its descendants. Their ids are freed in the order of cosm_tree_next. O(n)
// for n of them; needs no memory.
COSM_API COSM_MUST_USE cosm_result cosm_tree_despawn(cosm_world world, cosm_entity entity);

// Neighbours in the tree, or COSM_ENTITY_NONE. O(1).
COSM_API cosm_entity cosm_tree_parent(cosm_world world, cosm_entity entity);
COSM_API cosm_entity cosm_tree_first_child(cosm_world world, cosm_entity entity);
COSM_API cosm_entity cosm_tree_last_child(cosm_world world, cosm_entity entity);
COSM_API cosm_entity cosm_tree_next_sibling(cosm_world world, cosm_entity entity);
COSM_API cosm_entity cosm_tree_previous_sibling(cosm_world world, cosm_entity entity);

// O(1).
COSM_API uint32_t cosm_tree_child_count(cosm_world world, cosm_entity entity);

// Copies the children in order, at most `max`. Returns how many there are.
COSM_API uint32_t cosm_tree_children(cosm_world world, cosm_entity entity, uint32_t max,
                                     cosm_entity *out_children);

// The distance to the root: 0 for a root. O(depth) at most.
COSM_API uint32_t cosm_tree_depth(cosm_world world, cosm_entity entity);

// The root of an entity's tree: itself if it has no parent. O(depth).
COSM_API cosm_entity cosm_tree_root(cosm_world world, cosm_entity entity);

// True if `ancestor` is the parent of `entity`, or its parent's parent, and so on. An entity is not
// its own ancestor. O(depth).
COSM_API bool cosm_tree_is_ancestor(cosm_world world, cosm_entity ancestor, cosm_entity entity);

// Depth-first traversal of a subtree: the entity after `entity`, with parents before their children
// and siblings in order. Start with `root` itself. COSM_ENTITY_NONE at the end. O(1) on average.
COSM_API cosm_entity cosm_tree_next(cosm_world world, cosm_entity root, cosm_entity entity);

// Copies entities by depth, parents before their children: `root` and its descendants or, if that
// is COSM_ENTITY_NONE, all of the world, starting with its roots by id. At most `max`; returns how
// many there are. O(n).
COSM_API uint32_t cosm_tree_list(cosm_world world, cosm_entity root, uint32_t max,
                                 cosm_entity *out_entities);

// Calls `each` for all rows that match, the row of a parent before those of its children: world by
// world, and within a world by depth, roots first. Contiguous rows of one depth form one run.
// `each` is called on this thread, while the worlds are being walked: direct changes fail. O(rows),
// plus O(entities in trees) once after depths have changed. Fails with COSM_ERROR_MEMORY, before
// calling `each` for that world, if there is no memory for the list of runs.
COSM_API COSM_MUST_USE cosm_result cosm_tree_each(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_rows_fn *each, void *context);

COSM_END_C

#endif
