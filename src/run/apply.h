// Applying commands, in two halves: the plan (apply_plan.c), which can fail and changes nothing
// that can be seen, and the doing (apply.c), which cannot fail.
#ifndef COSM_RUN_APPLY_H
#define COSM_RUN_APPLY_H

#include "run/commands.h"

// A value that an entity gets at the end.
struct write {
    struct write *next;
    uint32_t component;
    const void *value; // NULL: the default
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
    struct change_group *group; // NULL where the entity stays in its table
    bool emitted;               // a temporary row without an entity
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
    struct change_group *groups; // by world, then by first change
    struct change_group *last_group;
    struct change_group **group_table; // hash chains by (world, from, to)
    struct tally **tally_table;        // hash chains by (world, table)
    struct tally *tallies;
    struct tally *last_tally; // found last
    uint32_t *rows;           // scratch for the largest group
    cosm_commands_report report;
};

// Folds, groups, checks and makes room.
cosm_result cosmi_apply_plan(struct apply_plan *plan, const struct command_chain *chains,
                             uint32_t count);

#endif
