// Applying commands: despawn, move, spawn, write, in that order, each in the order of the plan.
#include "run/apply.h"

#include <stdlib.h>

#include "run/observer.h"
#include "store/spawn.h"

static void do_despawn(struct apply_plan *plan, const struct change *change) {
    cosm_world world = batch_world(plan->batch, change->world);
    if (change->source == NULL) {
        // Spawned and despawned by the same commands: it never lives.
        cosmi_directory_break(world_data(world), change->entity);
        return;
    }
    rows_despawn(world, &world_data(world)->records[change->entity.id], change->entity.id);
    plan->report.despawned++;
}

static int compare_rows(const void *a_pointer, const void *b_pointer) {
    uint32_t a = *(const uint32_t *)a_pointer;
    uint32_t b = *(const uint32_t *)b_pointer;
    return a < b ? -1 : a > b;
}

// The rows of a group, in ascending order, as they stand now.
static const uint32_t *group_rows(struct apply_plan *plan, const struct change_group *group) {
    const struct record *records = plan->batch->worlds[group->world].records;
    uint32_t *rows = plan->rows;
    bool sorted = true;
    for (uint32_t i = 0; i < group->count; i++) {
        rows[i] = records[group->changes[i]->entity.id].row;
        sorted = sorted && (i == 0 || rows[i - 1] < rows[i]);
    }
    if (!sorted) {
        qsort(rows, group->count, sizeof(*rows), compare_rows);
    }
    return rows;
}

// Closes the holes from the last one on, so that no row which has left is moved once more.
static void drop_rows(cosm_world world, struct store *source, const uint32_t *rows,
                      uint32_t count) {
    for (uint32_t i = count; i-- > 0;) {
        rows_drop(world, source, rows[i]);
    }
}

// Moves the rows of a group run by run.
static void do_group(struct apply_plan *plan, const struct change_group *group) {
    cosm_world world = batch_world(plan->batch, group->world);
    struct store *source = group->from;
    struct store *target = group->to;
    plan->report.moved += group->count;
    if (group->count == source->counts[world.index]) {
        cosmi_rows_move_all(world, source, target, group->transition);
        return;
    }
    const uint32_t *rows = group_rows(plan, group);
    for (uint32_t begin = 0, end; begin < group->count; begin = end) {
        end = begin + 1;
        while (end < group->count && rows[end] == rows[end - 1] + 1) {
            end++;
        }
        cosmi_rows_copy_run(world, source, rows[begin], end - begin, target, group->transition);
    }
    drop_rows(world, source, rows, group->count);
}

// Takes the rows of a group out of their table.
static void stage_out(struct apply_plan *plan, const struct change_group *group) {
    cosm_world world = batch_world(plan->batch, group->world);
    struct store *source = group->from;
    const uint32_t *rows = group_rows(plan, group);
    cosmi_rows_stage_out(world, source, rows, group->count, group->to, group->transition,
                         group->staged);
    drop_rows(world, source, rows, group->count);
}

// Puts them into the other.
static void stage_in(struct apply_plan *plan, const struct change_group *group) {
    cosm_world world = batch_world(plan->batch, group->world);
    cosmi_rows_stage_in(world, group->from, group->to, group->count, group->transition,
                        group->staged);
    plan->report.moved += group->count;
}

// All groups, in the order that the plan counted on; worlds do not see each other.
static void do_groups(struct apply_plan *plan) {
    for (const struct change_group *group = plan->groups; group != NULL; group = group->next) {
        if (group->staged == NULL) {
            do_group(plan, group);
        } else {
            stage_out(plan, group);
        }
    }
    for (const struct change_group *group = plan->groups; group != NULL; group = group->next) {
        if (group->staged != NULL) {
            stage_in(plan, group);
        }
    }
}

static void write_value(cosm_world world, struct store *store, uint32_t row,
                        const struct write *write) {
    const struct column_slot *slot = archetype_find(store->archetype, write->component);
    INVARIANT(slot != NULL, "a component that is written is in the final set");
    cosmi_rows_set_value(world, store, slot, row, 1, write->value);
}

static void do_writes(struct apply_plan *plan, const struct change *change, struct store *store,
                      uint32_t row) {
    for (const struct write *write = change->writes; write != NULL; write = write->next) {
        write_value(batch_world(plan->batch, change->world), store, row, write);
        plan->report.written += write->value != NULL;
    }
}

static void do_spawn(struct apply_plan *plan, const struct change *change) {
    cosm_world world = batch_world(plan->batch, change->world);
    struct store *store = change->to;
    uint32_t row = change->emitted ? cosmi_rows_append(world, store, 1)
                                   : cosmi_rows_append_reserved(world, store, change->entity);
    cosmi_spawn_fill(world, store, row, 1, NULL);
    do_writes(plan, change, store, row);
    plan->report.spawned++;
}

static void do_plan(struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        if (plan->changes[i]->despawned) {
            do_despawn(plan, plan->changes[i]);
        }
    }
    do_groups(plan);
    for (uint32_t i = 0; i < plan->change_count; i++) {
        const struct change *change = plan->changes[i];
        if (change->despawned) {
            continue;
        }
        if (change->source == NULL) {
            do_spawn(plan, change);
        } else if (change->writes != NULL) {
            const struct record *record =
                &plan->batch->worlds[change->world].records[change->entity.id];
            do_writes(plan, change, change->to, record->row);
        }
    }
    cosmi_sector_do(plan);
}

// Frees what is left empty, also after a plan that came to nothing.
static void settle_worlds_of(const struct apply_plan *plan) {
    for (uint32_t i = 0; i < plan->change_count; i++) {
        if (i == 0 || plan->changes[i]->world != plan->changes[i - 1]->world) {
            world_settle(batch_world(plan->batch, plan->changes[i]->world));
        }
    }
}

cosm_result cosmi_chains_apply(struct cosm_batch *batch, struct arena *scratch,
                               const struct command_chain *chains, uint32_t count, const char *call,
                               cosm_commands_report *report) {
    struct apply_plan plan = {.batch = batch, .arena = scratch, .call = call};
    cosm_result result = cosmi_apply_plan(&plan, chains, count);
    if (result == COSM_OK) {
        do_plan(&plan);
        *report = plan.report;
        // Objects of commands that were skipped, or overwritten by later ones.
        for (uint32_t i = 0; i < count; i++) {
            cosmi_chain_end_held(batch->schema, &chains[i]);
        }
    } else {
        cosmi_apply_undo(&plan);
    }
    cosmi_sector_end(&plan);
    settle_worlds_of(&plan);
    cosmi_arena_clear(scratch);
    return result;
}

// Observers must leave the commands alone that they are called for.
static void set_busy(struct cosm_commands *const *list, uint32_t count, bool busy) {
    for (uint32_t i = 0; i < count; i++) {
        list[i]->is_busy = busy;
    }
}

cosm_result cosmi_commands_apply(struct cosm_commands *const *list, uint32_t count,
                                 const char *call, cosm_commands_report *report) {
    struct cosm_batch *batch = list[0]->batch;
    struct command_chain few[8] = {{NULL, 0}};
    struct command_chain *chains = few;
    if (count > sizeof(few) / sizeof(few[0])) {
        chains = cosmi_memory_alloc(&batch->memory, count * sizeof(*chains), sizeof(void *));
        if (chains == NULL) {
            return cosmi_fail_memory(batch->sink, &batch->memory, call);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        chains[i] = (struct command_chain){list[i]->first, list[i]->count};
    }
    cosm_result result = cosmi_chains_apply(batch, &list[0]->scratch, chains, count, call, report);
    if (result == COSM_OK && batch->events != NULL) {
        set_busy(list, count, true);
        cosmi_deliver_chains(batch, chains, count, call, NULL);
        set_busy(list, count, false);
    }
    if (chains != few) {
        cosmi_memory_free(&batch->memory, chains, count * sizeof(*chains), sizeof(void *));
    }
    for (uint32_t i = 0; result == COSM_OK && i < count; i++) {
        cosmi_commands_forget(list[i]);
    }
    return result;
}
