// Planning an apply: what commands do to trees.
//
// Links are changed for real while the commands are folded, in their order: ids that are reserved
// can be linked before they live, and a tree that is despawned is the one which the commands before
// have left. Every change is one cosmi_tree_put, noted with what takes it back.
#include "run/apply.h"
#include "store/tree.h"

// A put that can be taken back: `id` was under `parent`, before `before`.
struct tree_undo {
    struct tree_undo *next;
    uint32_t world;
    uint32_t id;
    uint32_t parent;
    uint32_t before;
};

static cosm_result tree_fail_memory(const struct apply_plan *plan) {
    return cosmi_fail_memory(plan->batch->sink, &plan->batch->memory, plan->call);
}

static cosm_result put_noted(struct apply_plan *plan, uint32_t world, struct tree *tree,
                             uint32_t id, uint32_t parent) {
    struct tree_undo *undo =
        cosmi_arena_alloc(plan->arena, sizeof(*undo), _Alignof(struct tree_undo));
    if (undo == NULL) {
        return tree_fail_memory(plan);
    }
    const struct link *link = tree_known_link(tree, id);
    *undo = (struct tree_undo){plan->undo, world, id, link->parent, link->next};
    plan->undo = undo;
    cosmi_tree_put(tree, id, parent, ID_NONE);
    return COSM_OK;
}

void cosmi_apply_undo(struct apply_plan *plan) {
    for (const struct tree_undo *undo = plan->undo; undo != NULL; undo = undo->next) {
        struct tree *tree = batch_tree(plan->batch, undo->world);
        cosmi_tree_put(tree, undo->id, undo->parent, undo->before);
    }
    plan->undo = NULL;
}

bool cosmi_apply_grow(struct apply_plan *plan) {
    uint32_t capacity = plan->change_capacity * 2;
    size_t slots = ((size_t)plan->table_mask + 1) * 2;
    struct change **changes =
        cosmi_arena_alloc(plan->arena, capacity * sizeof(*changes), sizeof(void *));
    struct change **table = cosmi_arena_alloc(plan->arena, slots * sizeof(*table), sizeof(void *));
    if (changes == NULL || table == NULL) {
        return false;
    }
    memcpy(changes, plan->changes, plan->change_count * sizeof(*changes));
    memset(table, 0, slots * sizeof(*table));
    plan->changes = changes;
    plan->change_capacity = capacity;
    plan->table = table;
    plan->table_mask = (uint32_t)(slots - 1);
    for (uint32_t i = 0; i < plan->change_count; i++) {
        struct change *change = changes[i];
        if (!change->emitted) {
            struct change **slot = &table[apply_slot(plan, change->world, change->entity)];
            change->same_hash = *slot;
            *slot = change;
        }
    }
    return true;
}

cosm_result cosmi_apply_leave(struct apply_plan *plan, const struct command *command) {
    struct tree *tree = batch_tree(plan->batch, command->world);
    const struct link *link = tree_link(tree, command->entity.id);
    cosm_result result = COSM_OK;
    while (result == COSM_OK && link != NULL && link->first_child != ID_NONE) {
        result = put_noted(plan, command->world, tree, link->first_child, ID_NONE);
    }
    if (result == COSM_OK && link != NULL && link->parent != ID_NONE) {
        result = put_noted(plan, command->world, tree, command->entity.id, ID_NONE);
    }
    return result;
}

// The handle that an id has or, while it is reserved, will have.
static cosm_entity linked_entity(const struct world *world, uint32_t id) {
    return (cosm_entity){world->records[id].gen | 1, id};
}

cosm_result cosmi_apply_despawn_tree(struct apply_plan *plan, const struct command *command) {
    const struct world *world = &plan->batch->worlds[command->world];
    struct tree *tree = batch_tree(plan->batch, command->world);
    uint32_t root = command->entity.id;
    uint32_t id = cosmi_tree_last(tree, root);
    while (id != ID_NONE) {
        uint32_t before = cosmi_tree_before(tree, root, id);
        struct command one = {
            .kind = COMMAND_DESPAWN, .world = command->world, .entity = linked_entity(world, id)};
        struct change *change;
        cosm_result result = cosmi_apply_resolve(plan, &one, &change);
        if (result == COSM_OK) {
            INVARIANT(change != NULL, "an entity in the tree is alive, or is about to");
            change->despawned = true;
            change->writes = NULL;
            change->sector_ops = NULL;
            result = cosmi_apply_leave(plan, &one);
        }
        if (result != COSM_OK) {
            return result;
        }
        id = before;
    }
    return COSM_OK;
}

// Does an entity live at this point of the commands?
static bool lives_now(const struct apply_plan *plan, uint32_t world, cosm_entity entity) {
    struct command about = {.world = world, .entity = entity};
    const struct change *change = cosmi_apply_find(plan, &about);
    return change != NULL ? !change->despawned
                          : directory_find(&plan->batch->worlds[world], entity) != NULL;
}

// A parent that an entity cannot have: the command comes to nothing.
static void skip_parent(struct apply_plan *plan, const struct command *command, cosm_entity parent,
                        const char *why) {
    plan->report.skipped++;
    (void)cosmi_fail(plan->batch->sink, COSM_STALE,
                     "%s: set the parent of entity " COSM_ENTITY_FORMAT
                     " of world %u to " COSM_ENTITY_FORMAT
                     ": %s at this point; the command is skipped",
                     plan->call, COSM_ENTITY_PRINT(command->entity), command->world,
                     COSM_ENTITY_PRINT(parent), why);
}

cosm_result cosmi_apply_parent(struct apply_plan *plan, const struct command *command) {
    cosm_world world = batch_world(plan->batch, command->world);
    cosm_entity parent;
    memcpy(&parent, command->values, sizeof(parent));
    uint32_t id = command->entity.id;
    bool is_root = parent.gen == 0 && parent.id == 0;
    if (!is_root && !lives_now(plan, command->world, parent)) {
        skip_parent(plan, command, parent, "the parent is not alive");
        return COSM_OK;
    }
    struct tree *tree = batch_tree(plan->batch, command->world);
    const struct link *link = tree_link(tree, id);
    if ((link == NULL ? ID_NONE : link->parent) == (is_root ? ID_NONE : parent.id)) {
        return COSM_OK;
    }
    bool is_leaf = link == NULL || link->child_count == 0;
    if (!is_root &&
        (parent.id == id || (!is_leaf && cosmi_tree_levels(tree, parent.id, id) != LEVELS_NONE))) {
        skip_parent(plan, command, parent, "the parent is the entity itself or below it");
        return COSM_OK;
    }
    tree = cosmi_tree_make(world, plan->call);
    cosm_result result =
        tree == NULL ? COSM_ERROR_MEMORY : cosmi_tree_reserve(world, tree, id, plan->call);
    if (result == COSM_OK && !is_root) {
        result = cosmi_tree_reserve(world, tree, parent.id, plan->call);
    }
    return result != COSM_OK
               ? result
               : put_noted(plan, command->world, tree, id, is_root ? ID_NONE : parent.id);
}
