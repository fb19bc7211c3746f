// Recording commands, and forgetting them.
#include "run/commands.h"

#include <cosm/entity.h>

#include "base/bits.h"
#include "run/turn.h"
#include "store/managed.h"
#include "store/values.h"

struct command *cosmi_commands_record(struct cosm_commands *commands, const char *call,
                                      enum command_kind kind, size_t value_bytes,
                                      void **out_bytes) {
    size_t head = align_up(sizeof(struct command), 16);
    struct command *command = cosmi_arena_alloc(&commands->arena, head + value_bytes, 16);
    if (command == NULL) {
        (void)cosmi_fail_memory(commands->batch->sink, &commands->batch->memory, call);
        return NULL;
    }
    *command = (struct command){.kind = kind};
    *out_bytes = (char *)command + head;
    if (commands->last == NULL) {
        commands->first = command;
    } else {
        commands->last->next = command;
    }
    commands->last = command;
    commands->count++;
    return command;
}

// Ends the objects of a command that no row got.
static void end_held(const struct schema *schema, const struct command *command) {
    if (command->kind == COMMAND_SET) {
        const struct value_type *type = schema_component(schema, command->subject);
        if (type->is_object) {
            cosmi_held_end((struct held_object *)(uintptr_t)command->values);
        }
        return;
    }
    const cosm_value *values = command->values;
    for (uint32_t i = 0; i < command->value_count; i++) {
        const struct value_type *type = schema_component(schema, values[i].component.id);
        if (type->is_object) {
            cosmi_held_end((struct held_object *)(uintptr_t)values[i].data);
        }
    }
}

void cosmi_chain_end_held(const struct schema *schema, const struct command_chain *chain) {
    if (schema_object_count(schema) == 0) {
        return;
    }
    const struct command *command = chain->first;
    for (uint32_t i = 0; i < chain->count; i++, command = command->next) {
        end_held(schema, command);
    }
}

size_t cosmi_command_value_size(const struct value_type *type) {
    return type->is_object ? cosmi_held_size(type) : type->size;
}

bool cosmi_command_value_copy(const struct cosm_batch *batch, const char *call,
                              const struct value_type *type, const void *value, void *bytes) {
    if (type->is_object) {
        return cosmi_held_copy(batch, call, cosmi_held_lay(type, bytes), value);
    }
    if (type->size > 0) {
        memcpy(bytes, value, type->size);
    }
    return true;
}

void cosmi_commands_unrecord(struct cosm_commands *commands, struct command *before) {
    struct command_chain chain = {commands->last, 1};
    cosmi_chain_end_held(commands->batch->schema, &chain);
    commands->last = before;
    if (before == NULL) {
        commands->first = NULL;
    } else {
        before->next = NULL;
    }
    commands->count--;
}

// Copies the objects among the values of a command that was just recorded.
static bool hold_objects(const struct cosm_batch *batch, const char *call,
                         const struct command *command, const cosm_value *values) {
    const cosm_value *copies = command->values;
    bool done = true;
    for (uint32_t i = 0; i < command->value_count && done; i++) {
        if (schema_component(batch->schema, values[i].component.id)->is_object) {
            done = cosmi_held_copy(batch, call, (struct held_object *)(uintptr_t)copies[i].data,
                                   values[i].data);
        }
    }
    return done;
}

struct command *cosmi_commands_record_row(struct cosm_commands *commands, cosm_world world,
                                          const char *call, enum command_kind kind,
                                          const struct archetype *archetype,
                                          const cosm_value *values, uint32_t value_count) {
    size_t size = cosmi_values_size(world.batch->schema, values, value_count);
    struct command *before = commands->last;
    void *bytes;
    struct command *command = cosmi_commands_record(commands, call, kind, size, &bytes);
    if (command != NULL) {
        command->world = world.index;
        command->subject = archetype->id;
        command->entity = COSM_ENTITY_NONE;
        command->values = cosmi_values_copy(world.batch->schema, values, value_count, bytes);
        command->value_count = value_count;
    }
    if (command != NULL && !hold_objects(world.batch, call, command, values)) {
        cosmi_commands_unrecord(commands, before);
        return NULL;
    }
    return command;
}

cosm_entity cosmi_commands_promise(struct cosm_commands *commands, cosm_world world,
                                   const char *call) {
    cosm_result why = COSM_ERROR_LIMIT;
    cosm_entity entity = commands->is_of_turn
                             ? cosmi_turn_reserve_id(cosmi_turn_now, world.index, &why)
                             : cosmi_directory_reserve_id(world_data(world));
    if (cosm_entity_is_none(entity) && why == COSM_ERROR_MEMORY) {
        (void)cosmi_fail_memory(world.batch->sink, &world.batch->memory, call);
    } else if (cosm_entity_is_none(entity)) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_LIMIT,
                         "%s: world %u has used all %u ids; use more worlds", call, world.index,
                         COSM_WORLD_ENTITY_MAX);
    }
    return entity;
}

cosm_entity cosmi_commands_spawn(struct cosm_commands *commands, cosm_world world, const char *call,
                                 const struct archetype *archetype, const cosm_value *values,
                                 uint32_t value_count) {
    struct command *before = commands->last;
    struct command *command = cosmi_commands_record_row(commands, world, call, COMMAND_SPAWN,
                                                        archetype, values, value_count);
    if (command == NULL) {
        return COSM_ENTITY_NONE;
    }
    command->entity = cosmi_commands_promise(commands, world, call);
    cosm_entity entity = command->entity;
    if (cosm_entity_is_none(entity)) {
        cosmi_commands_unrecord(commands, before);
    }
    return entity;
}

void cosmi_commands_init(struct cosm_commands *commands, struct cosm_batch *batch) {
    commands->batch = batch;
    commands->previous = NULL;
    commands->following = NULL;
    commands->is_of_turn = false;
    commands->turn = NULL;
    commands->is_lent = false;
    commands->is_busy = false;
    commands->lent_world = 0;
    commands->failure = NULL;
    cosmi_arena_init(&commands->arena, &batch->memory);
    cosmi_arena_init(&commands->scratch, &batch->memory);
    commands->first = NULL;
    commands->last = NULL;
    commands->count = 0;
}

void cosmi_commands_free(struct cosm_commands *commands) {
    cosmi_commands_forget(commands);
    cosmi_arena_free(&commands->arena);
    cosmi_arena_free(&commands->scratch);
}

void cosmi_commands_enlist(struct cosm_commands *commands) {
    struct cosm_batch *batch = commands->batch;
    cosmi_mutex_lock(&batch->lock);
    commands->previous = batch->commands_last;
    if (batch->commands_last == NULL) {
        batch->commands_first = commands;
    } else {
        batch->commands_last->following = commands;
    }
    batch->commands_last = commands;
    cosmi_mutex_unlock(&batch->lock);
}

void cosmi_commands_delist(struct cosm_commands *commands) {
    struct cosm_batch *batch = commands->batch;
    cosmi_mutex_lock(&batch->lock);
    if (commands->previous == NULL) {
        batch->commands_first = commands->following;
    } else {
        commands->previous->following = commands->following;
    }
    if (commands->following == NULL) {
        batch->commands_last = commands->previous;
    } else {
        commands->following->previous = commands->previous;
    }
    cosmi_mutex_unlock(&batch->lock);
}

bool cosmi_commands_wait(cosm_worlds worlds, uint32_t *out_world) {
    const struct cosm_commands *holder = worlds.batch->commands_first;
    for (; holder != NULL; holder = holder->following) {
        const struct command *command = holder->is_busy ? NULL : holder->first;
        for (; command != NULL; command = command->next) {
            if (command->world - worlds.first < worlds.count) {
                *out_world = command->world;
                return true;
            }
        }
    }
    return false;
}

static void break_reserved(struct cosm_batch *batch, const struct command *command) {
    struct world *world = &batch->worlds[command->world];
    if (directory_has_reserved(world)) {
        if (!cosmi_directory_reserve(world, &batch->memory, &batch->pool, 0)) {
            // The id stays reserved until the world is reset; nothing else is lost.
            (void)cosmi_fail_memory(batch->sink, &batch->memory, "cosm_commands_clear");
            return;
        }
        cosmi_directory_settle(world);
    }
    if (cosmi_directory_is_reserved(world, command->entity)) {
        cosmi_directory_break(world, command->entity);
    }
}

void cosmi_chain_break(struct cosm_batch *batch, const struct command_chain *chain) {
    cosmi_chain_end_held(batch->schema, chain);
    const struct command *command = chain->first;
    for (uint32_t i = 0; i < chain->count; i++, command = command->next) {
        if (command->kind == COMMAND_SPAWN) {
            break_reserved(batch, command);
        }
    }
}

void cosmi_commands_forget(struct cosm_commands *commands) {
    struct command_chain chain = {commands->first, commands->count};
    cosmi_chain_break(commands->batch, &chain);
    cosmi_commands_empty(commands);
}

void cosmi_commands_empty(struct cosm_commands *commands) {
    cosmi_arena_clear(&commands->arena);
    commands->first = NULL;
    commands->last = NULL;
    commands->count = 0;
}

// Values are copied: they may lie in rows that move.
static cosm_result record_array(struct cosm_commands *commands, cosm_world world,
                                const struct array_change *change) {
    for (uint32_t i = 0; i < change->count; i++) {
        if (directory_find(world_data(world), change->entities[i]) == NULL) {
            continue;
        }
        void *bytes;
        const struct value_type *type = change->values == NULL ? NULL : change->value_type;
        size_t size = type == NULL ? 0 : cosmi_command_value_size(type);
        struct command *before = commands->last;
        struct command *command =
            cosmi_commands_record(commands, change->call, change->kind, size, &bytes);
        if (command == NULL) {
            return COSM_ERROR_MEMORY;
        }
        command->world = world.index;
        command->entity = change->entities[i];
        command->subject = change->component.id;
        command->values = bytes;
        if (type != NULL &&
            !cosmi_command_value_copy(commands->batch, change->call, type,
                                      (const char *)change->values + i * type->size, bytes)) {
            cosmi_commands_unrecord(commands, before);
            return COSM_ERROR_MEMORY;
        }
    }
    return COSM_OK;
}

cosm_result cosmi_array_change(cosm_world world, const struct array_change *change) {
    struct cosm_commands commands;
    struct cosm_commands *list = &commands;
    cosm_commands_report report;
    cosmi_commands_init(&commands, world.batch);
    cosm_result result = record_array(&commands, world, change);
    if (result == COSM_OK) {
        result = cosmi_commands_apply(&list, 1, change->call, &report);
    }
    cosmi_commands_free(&commands);
    return result;
}
