// The public calls of cosm/tree.h.
#include <cosm/entity.h>
#include <cosm/tree.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/tree.h"

static inline const struct world *tree_world(cosm_world world) {
    return &world.batch->worlds[world.index];
}

static bool lives_in(cosm_world world, cosm_entity entity) {
    return world_exists(world) && directory_find(tree_world(world), entity) != NULL;
}

// The links of a living entity, or NULL where it has none.
static const struct link *entity_link(cosm_world world, cosm_entity entity) {
    return lives_in(world, entity) ? tree_link(batch_tree(world.batch, world.index), entity.id)
                                   : NULL;
}

// The handle of an id that is in the tree.
static cosm_entity tree_entity(cosm_world world, uint32_t id) {
    return id == ID_NONE ? COSM_ENTITY_NONE : (cosm_entity){tree_world(world)->records[id].gen, id};
}

// A circle: says where it would close.
static cosm_result refuse_circle(cosm_world world, cosm_entity entity, cosm_entity parent,
                                 uint32_t levels, const char *call) {
    if (levels == 0) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: entity " COSM_ENTITY_FORMAT
                          " of world %u cannot be its own parent; pass another, or "
                          "COSM_ENTITY_NONE",
                          call, COSM_ENTITY_PRINT(entity), world.index);
    }
    return cosmi_fail(
        world.batch->sink, COSM_ERROR_ARGUMENT,
        "%s: entity " COSM_ENTITY_FORMAT " of world %u cannot become a child of " COSM_ENTITY_FORMAT
        ", which is %u levels below it; move the lower one out of its subtree first",
        call, COSM_ENTITY_PRINT(entity), world.index, COSM_ENTITY_PRINT(parent), levels);
}

static cosm_result link_to(cosm_world world, cosm_entity entity, cosm_entity parent,
                           const char *call) {
    struct tree *tree = cosmi_tree_make(world, call);
    if (tree == NULL) {
        return COSM_ERROR_MEMORY;
    }
    cosm_result result = cosmi_tree_reserve(world, tree, entity.id, call);
    if (result == COSM_OK) {
        result = cosmi_tree_reserve(world, tree, parent.id, call);
    }
    if (result == COSM_OK) {
        cosmi_tree_put(tree, entity.id, parent.id, ID_NONE);
    }
    return result;
}

cosm_result cosm_tree_set_parent(cosm_world world, cosm_entity entity, cosm_entity parent) {
    static const char call[] = "cosm_tree_set_parent";
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    bool is_root = cosm_entity_is_none(parent);
    if (!lives_in(world, entity) || (!is_root && !lives_in(world, parent))) {
        return COSM_STALE;
    }
    struct tree *tree = batch_tree(world.batch, world.index);
    const struct link *link = tree_link(tree, entity.id);
    uint32_t now = link == NULL ? ID_NONE : link->parent;
    if (now == (is_root ? ID_NONE : parent.id)) {
        return COSM_OK;
    }
    if (is_root) {
        cosmi_tree_put(tree, entity.id, ID_NONE, ID_NONE);
        return COSM_OK;
    }
    // Without children it has nobody below it but itself.
    bool is_leaf = link == NULL || link->child_count == 0;
    uint32_t levels = is_leaf ? (entity.id == parent.id ? 0 : LEVELS_NONE)
                              : cosmi_tree_levels(tree, parent.id, entity.id);
    return levels == LEVELS_NONE ? link_to(world, entity, parent, call)
                                 : refuse_circle(world, entity, parent, levels, call);
}

// Room for events of the end of a subtree.
static cosm_result reserve_subtree(cosm_world world, const char *call, uint32_t root) {
    const struct tree *tree = batch_tree(world.batch, world.index);
    struct event_need need = {0, 0, 0, 0};
    uint32_t id = world.batch->events == NULL ? ID_NONE : root;
    for (; id != ID_NONE; id = cosmi_tree_next(tree, root, id)) {
        uint32_t table = world_data(world)->records[id].table;
        const struct store *store = world_store(world.batch, world.index, table);
        cosmi_event_need_end(&need, world.batch, store->archetype, 1, 1);
    }
    return cosmi_event_reserve(world, call, &need);
}

cosm_result cosm_tree_despawn(cosm_world world, cosm_entity entity) {
    static const char call[] = "cosm_tree_despawn";
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    if (!lives_in(world, entity)) {
        return COSM_STALE;
    }
    result = reserve_subtree(world, call, entity.id);
    if (result != COSM_OK) {
        return result;
    }
    const struct tree *tree = batch_tree(world.batch, world.index);
    // From the last one up: each has no children left when its turn comes.
    uint32_t id = cosmi_tree_last(tree, entity.id);
    while (id != ID_NONE) {
        uint32_t before = cosmi_tree_before(tree, entity.id, id);
        rows_despawn(world, &world_data(world)->records[id], id);
        id = before;
    }
    end_change(world, call);
    return COSM_OK;
}

cosm_entity cosm_tree_parent(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? COSM_ENTITY_NONE : tree_entity(world, link->parent);
}

cosm_entity cosm_tree_first_child(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? COSM_ENTITY_NONE : tree_entity(world, link->first_child);
}

cosm_entity cosm_tree_last_child(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? COSM_ENTITY_NONE : tree_entity(world, link->last_child);
}

cosm_entity cosm_tree_next_sibling(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? COSM_ENTITY_NONE : tree_entity(world, link->next);
}

cosm_entity cosm_tree_previous_sibling(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? COSM_ENTITY_NONE : tree_entity(world, link->previous);
}

uint32_t cosm_tree_child_count(cosm_world world, cosm_entity entity) {
    const struct link *link = entity_link(world, entity);
    return link == NULL ? 0 : link->child_count;
}

uint32_t cosm_tree_children(cosm_world world, cosm_entity entity, uint32_t max,
                            cosm_entity *out_children) {
    const struct link *link = entity_link(world, entity);
    if (link == NULL) {
        return 0;
    }
    const struct tree *tree = batch_tree(world.batch, world.index);
    uint32_t id = link->first_child;
    for (uint32_t i = 0; out_children != NULL && i < max && id != ID_NONE; i++) {
        out_children[i] = tree_entity(world, id);
        id = tree_known_link(tree, id)->next;
    }
    return link->child_count;
}

uint32_t cosm_tree_depth(cosm_world world, cosm_entity entity) {
    return lives_in(world, entity)
               ? cosmi_tree_depth(batch_tree(world.batch, world.index), entity.id)
               : 0;
}

cosm_entity cosm_tree_root(cosm_world world, cosm_entity entity) {
    if (!lives_in(world, entity)) {
        return COSM_ENTITY_NONE;
    }
    const struct tree *tree = batch_tree(world.batch, world.index);
    uint32_t id = entity.id;
    for (uint32_t up = id; up != ID_NONE; up = tree_parent(tree, up)) {
        id = up;
    }
    return tree_entity(world, id);
}

bool cosm_tree_is_ancestor(cosm_world world, cosm_entity ancestor, cosm_entity entity) {
    if (!lives_in(world, ancestor) || !lives_in(world, entity) || ancestor.id == entity.id) {
        return false;
    }
    const struct tree *tree = batch_tree(world.batch, world.index);
    return cosmi_tree_levels(tree, entity.id, ancestor.id) != LEVELS_NONE;
}

cosm_entity cosm_tree_next(cosm_world world, cosm_entity root, cosm_entity entity) {
    if (!lives_in(world, root) || !lives_in(world, entity)) {
        return COSM_ENTITY_NONE;
    }
    const struct tree *tree = batch_tree(world.batch, world.index);
    return tree_entity(world, cosmi_tree_next(tree, root.id, entity.id));
}

uint32_t cosm_tree_list(cosm_world world, cosm_entity root, uint32_t max,
                        cosm_entity *out_entities) {
    bool is_all = cosm_entity_is_none(root);
    if (!world_exists(world) || (!is_all && !lives_in(world, root))) {
        return 0;
    }
    return cosmi_tree_list(world, is_all ? ID_NONE : root.id, out_entities == NULL ? 0 : max,
                           out_entities);
}

cosm_result cosm_tree_each(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context) {
    static const char call[] = "cosm_tree_each";
    cosm_result result = cosmi_check_walk(query, worlds, call);
    if (result != COSM_OK) {
        return result;
    }
    if (each == NULL) {
        return cosmi_refuse_null(worlds.batch->sink, call, "each", "pass a function over rows");
    }
    cosmi_check_query(query, worlds, call);
    // For its lock: no direct changes until all is done.
    cosm_rows lock;
    turn_walk(query, worlds, &lock);
    result = cosmi_depth_walk(query, worlds, &lock, each, context, call);
    cosmi_walk_end(&lock);
    return result;
}
