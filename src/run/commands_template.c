// A template as the commands that spawn it.
//
// Everything that needs memory of the commands is recorded first, and then the ids are reserved.
// Ids cannot be given back while others record, so where they run out halfway, those that were had
// are recorded as spawned and despawned: the commands for that are there already.
#include <cosm/entity.h>

#include "run/template.h"

// A spawn of a template, on its way into commands.
struct template_record {
    struct cosm_commands *commands;
    cosm_world world;
    const char *call;
    const struct template *from;
    const cosm_value *overrides;
    uint32_t override_count;
};

// The part at the top with its overrides, in an arena. False when out of memory.
static bool join_values(const struct template_record *record, struct arena *arena,
                        struct template_body *out_top) {
    const struct template_body *body = record->from->parts[0].body;
    size_t most = (size_t)body->value_count + record->override_count + 1;
    cosm_value *list = cosmi_arena_alloc(arena, most * sizeof(*list), 16);
    if (list != NULL) {
        *out_top = cosmi_template_join(record->world.batch->schema, body, record->overrides,
                                       record->override_count, list);
    }
    return list != NULL;
}

// The values of a body that go with its spawn, to `out_values`; those without bytes are added by
// commands of their own.
static uint32_t list_spawn_values(const struct template_body *body, cosm_value *out_values) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->value_count; i++) {
        if (body->values[i].data != NULL) {
            out_values[count++] = body->values[i];
        }
    }
    return count;
}

// A command whose entity is filled in later.
static struct command *record_later(const struct template_record *record, enum command_kind kind,
                                    uint32_t subject, size_t size) {
    void *bytes;
    struct command *command =
        cosmi_commands_record(record->commands, record->call, kind, size, &bytes);
    if (command != NULL) {
        command->world = record->world.index;
        command->subject = subject;
        command->values = size == 0 ? NULL : bytes;
    }
    return command;
}

static const struct template_body *recorded_body(const struct template_record *record,
                                                 const struct template_body *top, uint32_t part) {
    return part == 0 ? top : record->from->parts[part].body;
}

static bool record_spawns(const struct template_record *record, const struct template_body *top,
                          struct arena *arena) {
    bool done = true;
    for (uint32_t p = 0; p < record->from->part_count && done; p++) {
        const struct template_body *body = recorded_body(record, top, p);
        const cosm_value *values = body->values;
        uint32_t count = body->value_count;
        if ((body->storages & STORAGE_BIT(COSM_STORAGE_SECTOR)) != 0) {
            cosm_value *list = cosmi_arena_alloc(arena, (count + 1) * sizeof(*list), 16);
            if (list == NULL) {
                const struct cosm_batch *batch = record->world.batch;
                (void)cosmi_fail_memory(batch->sink, &batch->memory, record->call);
                return false;
            }
            count = list_spawn_values(body, list);
            values = list;
        }
        for (uint32_t i = 0; i < record->from->parts[p].per_root && done; i++) {
            done = cosmi_commands_record_row(record->commands, record->world, record->call,
                                             COMMAND_SPAWN, body->archetype, values, count) != NULL;
        }
    }
    return done;
}

// Adds the components beside the tables that are like new.
static bool record_adds(const struct template_record *record, const struct template_body *top) {
    bool done = true;
    for (uint32_t p = 0; p < record->from->part_count && done; p++) {
        const struct template_body *body = recorded_body(record, top, p);
        if ((body->storages & STORAGE_BIT(COSM_STORAGE_SECTOR)) == 0) {
            continue;
        }
        for (uint32_t i = 0; i < record->from->parts[p].per_root && done; i++) {
            for (uint32_t v = 0; v < body->value_count && done; v++) {
                done = body->values[v].data != NULL ||
                       record_later(record, COMMAND_ADD, body->values[v].component.id, 0) != NULL;
            }
        }
    }
    return done;
}

// The spawns of all parts, then what is added to them, then the parents of all but the first;
// handles are filled in later.
static bool record_all(const struct template_record *record, const struct template_body *top,
                       struct arena *arena) {
    bool done = record_spawns(record, top, arena) && record_adds(record, top);
    for (uint32_t i = 1; i < record->from->entity_count && done; i++) {
        done = record_later(record, COMMAND_PARENT, 0, sizeof(cosm_entity)) != NULL;
    }
    return done;
}

// Forgets the commands behind `before`, which is the last of `count`. Their objects end.
static void cut_commands(struct cosm_commands *commands, struct command *before, uint32_t count) {
    struct command_chain chain = {before == NULL ? commands->first : before->next,
                                  commands->count - count};
    cosmi_chain_end_held(commands->batch->schema, &chain);
    commands->last = before;
    commands->count = count;
    if (before == NULL) {
        commands->first = NULL;
    } else {
        before->next = NULL;
    }
}

// Turns the commands behind the first `count` spawns into their despawns, and forgets the rest.
static void despawn_again(struct cosm_commands *commands, const struct command *first,
                          struct command *at, uint32_t count, uint32_t count_before) {
    struct command *last = NULL;
    struct command_chain chain = {at, commands->count - count_before - count};
    cosmi_chain_end_held(commands->batch->schema, &chain); // also of those that become despawns
    for (uint32_t i = 0; i < count; i++, first = first->next, last = at, at = at->next) {
        at->kind = COMMAND_DESPAWN;
        at->value_count = 0;
        at->world = first->world;
        at->entity = first->entity;
    }
    cut_commands(commands, last, count_before + 2 * count);
}

// Fills in the parents of the commands from `at` on. The spawns from `first` on have their handles,
// part by part; `firsts` has room for the first one of each part.
static void fill_parents(const struct template *from, const struct command *first,
                         struct command *at, const struct command **firsts) {
    const struct command *child = first->next;
    firsts[0] = first;
    for (uint32_t p = 1; p < from->part_count; p++) {
        const struct template_part *part = &from->parts[p];
        const struct command *parent = firsts[part->parent];
        firsts[p] = child;
        for (uint32_t i = 0; i < part->per_root; i++) {
            at->entity = child->entity;
            memcpy((void *)(uintptr_t)at->values, &parent->entity, sizeof(parent->entity));
            at = at->next;
            child = child->next;
            parent = (i + 1) % part->count == 0 ? parent->next : parent;
        }
    }
}

// Fills in the entities of the commands from `at` on that add what is beside the tables. Returns
// the first one behind them.
static struct command *fill_adds(const struct template_record *record,
                                 const struct template_body *top, const struct command *spawned,
                                 struct command *at) {
    for (uint32_t p = 0; p < record->from->part_count; p++) {
        const struct template_body *body = recorded_body(record, top, p);
        for (uint32_t i = 0; i < record->from->parts[p].per_root; i++, spawned = spawned->next) {
            for (uint32_t v = 0; v < body->value_count; v++) {
                if (body->values[v].data == NULL) {
                    at->entity = spawned->entity;
                    at = at->next;
                }
            }
        }
    }
    return at;
}

// Reserves the ids of all spawns from `first` on, and shows the command behind them. False where
// the ids ran out.
static bool reserve_all_ids(const struct template_record *record, struct command *before,
                            uint32_t count_before, struct command *first,
                            struct command **out_behind) {
    struct command *at = first;
    for (uint32_t i = 0; i < record->from->entity_count; i++, at = at->next) {
        at->entity = cosmi_commands_promise(record->commands, record->world, record->call);
        if (cosm_entity_is_none(at->entity)) {
            if (i == 0) {
                cut_commands(record->commands, before, count_before);
            } else {
                despawn_again(record->commands, first, at, i, count_before);
            }
            return false;
        }
    }
    *out_behind = at;
    return true;
}

static cosm_entity record_in(const struct template_record *record, struct arena *arena) {
    struct cosm_commands *commands = record->commands;
    struct command *before = commands->last;
    uint32_t count_before = commands->count;
    struct template_body top;
    const struct command **firsts =
        cosmi_arena_alloc(arena, record->from->part_count * sizeof(*firsts), sizeof(void *));
    if (firsts == NULL || !join_values(record, arena, &top)) {
        (void)cosmi_fail_memory(commands->batch->sink, &commands->batch->memory, record->call);
        return COSM_ENTITY_NONE;
    }
    if (!record_all(record, &top, arena)) {
        cut_commands(commands, before, count_before);
        return COSM_ENTITY_NONE;
    }
    struct command *first = before == NULL ? commands->first : before->next;
    struct command *behind;
    if (!reserve_all_ids(record, before, count_before, first, &behind)) {
        return COSM_ENTITY_NONE;
    }
    behind = fill_adds(record, &top, first, behind);
    fill_parents(record->from, first, behind, firsts);
    return first->entity;
}

cosm_entity cosmi_commands_spawn_template(struct cosm_commands *commands, cosm_world world,
                                          const char *call, const struct template *from,
                                          const cosm_value *overrides, uint32_t override_count) {
    struct template_record record = {commands, world, call, from, overrides, override_count};
    struct arena arena;
    cosmi_arena_init(&arena, &commands->batch->memory);
    cosm_entity entity = record_in(&record, &arena);
    cosmi_arena_free(&arena);
    return entity;
}
