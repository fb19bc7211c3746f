// Applying commands, in two halves: the plan (apply_plan.c), which can fail and changes nothing
// that can be seen, and the doing (apply.c), which cannot fail.
#ifndef COSM_RUN_APPLY_H
#define COSM_RUN_APPLY_H

#include "base/hash.h"
#include "run/commands.h"

// A value that an entity gets at the end.
struct write {
    struct write *next;
    uint32_t component;
    const void *value; // NULL: the default
};

// What an entity gets or loses beside its table.
enum sector_op_kind {
    SECTOR_ADD,   // where it is absent
    SECTOR_FRESH, // the default, also where it is there: it was removed in between
    SECTOR_SET,
    SECTOR_REMOVE,
};

struct sector_op {
    struct sector_op *next;
    const struct value_type *type;
    enum sector_op_kind kind;
    const void *value; // SECTOR_SET: the bytes, or a struct held_object
    void *made;        // an object made aside; NULL: none
};

// Everything the commands do to one entity, folded in the order of the commands.
struct change {
    struct change *same_hash; // chain of the plan's table
    uint32_t world;
    uint32_t order; // by first command
    cosm_entity entity;
    struct archetype *source; // NULL: made by these commands
    struct archetype *target;
    struct store *from; // the table it is in; NULL: none yet
    struct store *to;   // the table it will be in: known once all commands are folded
    struct write *writes;
    struct sector_op *sector_ops; // one per component at most
    struct change_group *group;   // NULL where the entity stays in its table
    bool emitted;                 // a temporary row without an entity
    bool despawned;
};

// All entities of one world that go from one table to another. Where a table of the world both
// loses and gets rows, all groups of the world are staged: every row is taken out before the first
// one is put in. So only what is left at the end has to fit, and two full tables can trade rows.
struct change_group {
    struct change_group *next;
    struct change_group *same_hash; // chain of the plan's group_table
    uint32_t world;
    const struct transition *transition;
    struct store *from;
    struct store *to;
    struct tally *source; // how the rows of `from` and `to` develop: apply_plan.c
    struct tally *target;
    struct change **changes;
    uint32_t count;
    char *staged; // room for the rows on their way; NULL when they go straight
};

struct apply_plan {
    struct cosm_batch *batch;
    struct arena *arena;
    const char *call;
    struct change **table; // hash chains by (world, entity)
    uint32_t table_mask;
    struct change **changes; // by world, then by order
    uint32_t change_count;
    uint32_t change_capacity;
    struct change_group *groups; // by world, then by first change
    struct change_group *last_group;
    struct tree_undo *undo;            // what was done to trees, the last first: see apply_tree.c
    struct change_group **group_table; // hash chains by (world, from, to)
    struct tally **tally_table;        // hash chains by (world, table)
    struct tally *tallies;
    struct tally *last_tally; // found last
    uint32_t *rows;           // scratch for the largest group
    cosm_commands_report report;
};

static inline uint32_t apply_slot(const struct apply_plan *plan, uint32_t world,
                                  cosm_entity entity) {
    uint64_t key = ((uint64_t)entity.gen << 32) | entity.id;
    return (uint32_t)hash_u64(world, key) & plan->table_mask;
}

// The change of the command's entity, or NULL where no command was about it yet.
struct change *cosmi_apply_find(const struct apply_plan *plan, const struct command *command);

// The change of the command's entity, made at its first command. NULL with COSM_OK when the
// command is skipped.
cosm_result cosmi_apply_resolve(struct apply_plan *plan, const struct command *command,
                                struct change **out_change);

// Tells of a command that comes to nothing because its entity is not alive.
void cosmi_apply_skip(struct apply_plan *plan, const struct command *command);

// Folds what happens to sector components: of a list, where others are passed over; a value.
cosm_result cosmi_sector_fold(struct apply_plan *plan, struct change *change,
                              const uint32_t *components, uint32_t count, enum sector_op_kind kind);
cosm_result cosmi_sector_fold_set(struct apply_plan *plan, struct change *change,
                                  const struct value_type *type, const void *value);

// Makes room for the records that entities get.
cosm_result cosmi_sector_make_room(struct apply_plan *plan);

// Makes the objects whose making may fail: the last thing that can. On failure there are none.
cosm_result cosmi_sector_plan(struct apply_plan *plan);

void cosmi_sector_do(struct apply_plan *plan);

// The end of both, also of a plan that came to nothing: gives back room that is left over.
void cosmi_sector_end(struct apply_plan *plan);

// Makes room for more changes than there are commands. False when out of memory.
bool cosmi_apply_grow(struct apply_plan *plan);

// Changes of trees are made while commands are folded, so that each finds the tree as those before
// it left it. They are undone when the plan comes to nothing.
cosm_result cosmi_apply_parent(struct apply_plan *plan, const struct command *command);
cosm_result cosmi_apply_despawn_tree(struct apply_plan *plan, const struct command *command);
cosm_result cosmi_apply_leave(struct apply_plan *plan, const struct command *command);
void cosmi_apply_undo(struct apply_plan *plan);

// Folds, groups, checks and makes room.
cosm_result cosmi_apply_plan(struct apply_plan *plan, const struct command_chain *chains,
                             uint32_t count);

#endif
