// cosm_commands_spawn_template: a template as the commands that spawn it.
//
// Everything that needs memory of the commands is recorded first, and then the ids are promised.
// Ids cannot be given back while others record, so where they run out halfway, those that were had
// are recorded as spawned and despawned: the commands for that are there already.
#include <cosm/commands.h>
#include <cosm/entity.h>

#include "api/check.h"
#include "run/step.h"
#include "schema/template.h"

// A spawn of a template, on its way into commands.
struct template_record {
    struct cosm_commands *commands;
    cosm_world world;
    const char *call;
    const struct template *from;
    const cosm_value *overrides;
    uint32_t override_count;
};

// The values of the part at the top: overrides come last, and so win. NULL when out of memory.
static const cosm_value *join_values(const struct template_record *record, struct arena *arena,
                                     uint32_t *out_count) {
    const struct template_body *body = record->from->parts[0].body;
    uint32_t count = body->value_count + record->override_count;
    cosm_value *values = cosmi_arena_take(arena, (count + 1) * sizeof(*values), 16);
    if (values != NULL) {
        memcpy(values, body->values, body->value_count * sizeof(*values));
        for (uint32_t i = 0; i < record->override_count; i++) {
            values[body->value_count + i] = record->overrides[i];
        }
        *out_count = count;
    }
    return values;
}

static bool record_spawn_of(const struct template_record *record, struct archetype *archetype,
                            const cosm_value *values, uint32_t count) {
    void *bytes;
    size_t size = cosmi_values_size(record->world.batch->schema, values, count);
    struct command *command =
        cosmi_commands_record(record->commands, record->call, COMMAND_SPAWN, size, &bytes);
    if (command != NULL) {
        command->world = record->world.index;
        command->subject = archetype->id;
        command->entity = COSM_ENTITY_NONE;
        command->values = cosmi_values_copy(record->world.batch->schema, values, count, bytes);
        command->value_count = count;
    }
    return command != NULL;
}

// The spawns of all parts, then the parents of all but the first; handles are filled in later.
static bool record_all(const struct template_record *record, const cosm_value *values,
                       uint32_t count) {
    const struct template *from = record->from;
    bool done = record_spawn_of(record, from->parts[0].body->archetype, values, count);
    for (uint32_t p = 1; p < from->part_count && done; p++) {
        const struct template_body *body = from->parts[p].body;
        for (uint32_t i = 0; i < from->parts[p].per_root && done; i++) {
            done = record_spawn_of(record, body->archetype, body->values, body->value_count);
        }
    }
    for (uint32_t i = 1; i < from->entity_count && done; i++) {
        void *bytes;
        struct command *command = cosmi_commands_record(
            record->commands, record->call, COMMAND_PARENT, sizeof(cosm_entity), &bytes);
        if (command != NULL) {
            command->world = record->world.index;
            command->values = bytes;
        }
        done = command != NULL;
    }
    return done;
}

// Forgets the commands behind `before`, of which there are `count` altogether.
static void cut_commands(struct cosm_commands *commands, struct command *before, uint32_t count) {
    commands->last = before;
    commands->count = count;
    if (before == NULL) {
        commands->first = NULL;
    } else {
        before->next = NULL;
    }
}

static cosm_entity promise_one(const struct template_record *record) {
    cosm_result why = COSM_ERROR_LIMIT;
    cosm_world world = record->world;
    cosm_entity entity = record->commands->is_of_turn
                             ? cosmi_turn_promise(cosmi_turn_now, world.index, &why)
                             : cosmi_directory_promise(&world.batch->worlds[world.index]);
    if (cosm_entity_is_none(entity)) {
        if (why == COSM_ERROR_MEMORY) {
            (void)cosmi_fail_memory(world.batch->sink, &world.batch->memory, record->call);
        } else {
            (void)cosmi_fail(world.batch->sink, COSM_ERROR_LIMIT,
                             "%s: world %u has no id left of %u; use more worlds", record->call,
                             world.index, COSM_WORLD_ENTITY_MAX);
        }
    }
    return entity;
}

// Turns the commands behind the first `count` spawns into their despawns, and forgets the rest.
static void despawn_again(struct cosm_commands *commands, const struct command *first,
                          struct command *at, uint32_t count, uint32_t count_before) {
    struct command *last = NULL;
    for (uint32_t i = 0; i < count; i++, first = first->next, last = at, at = at->next) {
        at->kind = COMMAND_DESPAWN;
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

// Promises the ids of all spawns from `first` on, and tells the command behind them. False where
// the ids ran out.
static bool promise_all(const struct template_record *record, struct command *before,
                        uint32_t count_before, struct command *first, struct command **out_behind) {
    struct command *at = first;
    for (uint32_t i = 0; i < record->from->entity_count; i++, at = at->next) {
        at->entity = promise_one(record);
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
    uint32_t count = 0;
    const cosm_value *values = join_values(record, arena, &count);
    const struct command **firsts =
        cosmi_arena_take(arena, record->from->part_count * sizeof(*firsts), sizeof(void *));
    if (values == NULL || firsts == NULL) {
        (void)cosmi_fail_memory(commands->batch->sink, &commands->batch->memory, record->call);
        return COSM_ENTITY_NONE;
    }
    if (!record_all(record, values, count)) {
        cut_commands(commands, before, count_before);
        return COSM_ENTITY_NONE;
    }
    struct command *first = before == NULL ? commands->first : before->next;
    struct command *behind;
    if (!promise_all(record, before, count_before, first, &behind)) {
        return COSM_ENTITY_NONE;
    }
    fill_parents(record->from, first, behind, firsts);
    return first->entity;
}

static cosm_entity record_template(const struct template_record *record) {
    struct arena arena;
    cosmi_arena_init(&arena, &record->commands->batch->memory);
    cosm_entity entity = record_in(record, &arena);
    cosmi_arena_free(&arena);
    return entity;
}

cosm_entity cosm_commands_spawn_template(cosm_commands *commands, cosm_world world,
                                         cosm_template from, const cosm_value *overrides,
                                         uint32_t override_count) {
    static const char call[] = "cosm_commands_spawn_template";
    if (cosmi_check_record(commands, world, call) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    const struct template *known =
        cosmi_check_template(world.batch, call, from, overrides, override_count);
    if (known == NULL) {
        return COSM_ENTITY_NONE;
    }
    struct template_record record = {commands, world, call, known, overrides, override_count};
    return record_template(&record);
}
