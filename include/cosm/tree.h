// The tree: parents and children among the entities of a world.
//
// Every entity has a place in it: one without a parent is a root. An entity has at most one parent
// and any number of children, which are kept in the order in which they came to it. The tree is
// kept by entity, beside the tables: adding and removing components does not touch it, and changing
// it moves no row. A world that never uses it pays nothing.
//
// An entity that is despawned alone leaves the tree, and its children become roots;
// cosm_tree_despawn takes all below it along. The tree is part of the state: of hashes, of a
// reset, of validation. Changing it is a structural change: refused while the world is being
// walked. To be recorded instead there are cosm_commands_set_parent and cosm_commands_despawn_tree.
//
// A stale entity has no parent, no children and depth 0.
#ifndef COSM_TREE_H
#define COSM_TREE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Makes `entity`, with all below it, the last child of `parent`, or a root where that is
// COSM_ENTITY_NONE. The parent it has already: nothing changes, its place among its siblings
// included. COSM_STALE where one of them is not alive; a parent that is the entity itself or below
// it is refused. O(1) for an entity without children, else O(depth of the parent).
COSM_API COSM_MUST_USE cosm_result cosm_tree_set_parent(cosm_world world, cosm_entity entity,
                                                        cosm_entity parent);

// Despawns an entity and all below it. Their ids come back in the order of cosm_tree_next. O(n)
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

// Copies the children in their order, at most `max`; returns how many there are.
COSM_API uint32_t cosm_tree_children(cosm_world world, cosm_entity entity, uint32_t max,
                                     cosm_entity *out_children);

// Steps up to the root: 0 for a root. O(depth) at most.
COSM_API uint32_t cosm_tree_depth(cosm_world world, cosm_entity entity);

// The root above an entity: itself where it has no parent. O(depth).
COSM_API cosm_entity cosm_tree_root(cosm_world world, cosm_entity entity);

// Is `ancestor` the parent of `entity`, or its parent's parent, and so on? Nobody is their own.
// O(depth).
COSM_API bool cosm_tree_is_ancestor(cosm_world world, cosm_entity ancestor, cosm_entity entity);

// Going through a subtree: the one behind `entity`, with every entity after its parent, children in
// their order, and each with all below it before its next sibling. Begin with `root` itself;
// COSM_ENTITY_NONE at the end. O(1) on average.
COSM_API cosm_entity cosm_tree_next(cosm_world world, cosm_entity root, cosm_entity entity);

// Copies entities by depth, every one after its parent: `root` and all below it or, where that is
// COSM_ENTITY_NONE, all of the world, its roots by id first. At most `max`; returns how many there
// are. O(n).
COSM_API uint32_t cosm_tree_list(cosm_world world, cosm_entity root, uint32_t max,
                                 cosm_entity *out_entities);

// Calls `each` for all rows that match, such that the row of an entity comes after that of its
// parent: world by world, and in each by depth, roots first. Rows of one depth that lie side by
// side in a table are one run. `each` is called on this thread, and the worlds are walked meanwhile:
// direct changes are refused. O(rows), and O(entities in trees) once after depths have changed.
// Without memory for the list of runs: COSM_ERROR_MEMORY, before `each` was called for that world.
COSM_API COSM_MUST_USE cosm_result cosm_tree_each(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_rows_fn *each, void *context);

COSM_END_C

#endif
