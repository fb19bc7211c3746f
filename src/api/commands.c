// The public calls of cosm/commands.h.
#include <cosm/commands.h>
#include <cosm/entity.h>

#include "api/check.h"
#include "run/step.h"
#include "run/template.h"
#include "store/managed.h"

// A program's own commands keep the first failure of recording until they are applied, so that
// recording calls need no check. In turns and events the step and the slot remember it.
struct own_commands {
    struct cosm_commands commands;
    struct failure failure; // COSM_OK: none
};

cosm_result cosmi_recorded(cosm_commands *commands, cosm_result result) {
    if (UNLIKELY(result != COSM_OK) && commands != NULL && commands->failure != NULL &&
        commands->failure->result == COSM_OK) {
        cosmi_error_read(commands->failure);
    }
    return result;
}

cosm_entity cosmi_recorded_entity(cosm_commands *commands, cosm_entity entity) {
    if (UNLIKELY(cosm_entity_is_none(entity))) {
        (void)cosmi_recorded(commands, cosm_error_result());
    }
    return entity;
}

cosm_commands *cosm_commands_create(cosm_batch *batch) {
    static const char call[] = "cosm_commands_create";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    struct own_commands *own =
        cosmi_memory_alloc(&batch->memory, sizeof(*own), _Alignof(struct own_commands));
    if (own == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    struct cosm_commands *commands = &own->commands;
    cosmi_commands_init(commands, batch);
    own->failure.result = COSM_OK;
    commands->failure = &own->failure;
    cosmi_commands_enlist(commands);
    atomic_fetch_add(&batch->commands_count, 1);
    return commands;
}

// Those of a turn are the step's to apply, clear and destroy, those of an event the library's, and
// those that are being applied are left alone.
static bool is_taken(const cosm_commands *commands, const char *call) {
    const struct sink *sink = commands->batch->sink;
    if (commands->is_of_turn) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: these commands belong to a turn; leave them to the step", call);
    } else if (commands->is_lent) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: these commands belong to an event; they are applied after all "
                         "observers have run",
                         call);
    } else if (commands->is_busy) {
        (void)cosmi_fail(sink, COSM_ERROR_BUSY,
                         "%s: these commands are being applied; in an observer use event->commands",
                         call);
    }
    return commands->is_of_turn || commands->is_lent || commands->is_busy;
}

void cosm_commands_destroy(cosm_commands *commands) {
    if (commands == NULL || is_taken(commands, "cosm_commands_destroy")) {
        return;
    }
    struct cosm_batch *batch = commands->batch;
    cosmi_commands_delist(commands);
    cosmi_commands_free(commands);
    cosmi_memory_free(&batch->memory, commands, sizeof(struct own_commands),
                      _Alignof(struct own_commands));
    atomic_fetch_sub(&batch->commands_count, 1);
}

uint32_t cosm_commands_count(const cosm_commands *commands) {
    return commands == NULL ? 0 : commands->count;
}

void cosm_commands_clear(cosm_commands *commands) {
    if (commands != NULL && !is_taken(commands, "cosm_commands_clear")) {
        cosmi_commands_forget(commands);
        commands->failure->result = COSM_OK;
    }
}

// A system records in its own turn, for the worlds of that turn.
static cosm_result check_turn_record(const cosm_commands *commands, cosm_world world,
                                     const char *call) {
    const struct turn *turn = commands->turn;
    if (UNLIKELY(turn == NULL || turn != cosmi_turn_now)) {
        return cosmi_fail(
            world.batch->sink, COSM_ERROR_ARGUMENT,
            "%s: the commands belong to a finished turn or to another thread; get them with "
            "cosm_turn_commands in every turn",
            call);
    }
    cosm_worlds worlds = turn->open.worlds;
    if (UNLIKELY(world.index - worlds.first >= worlds.count)) {
        if (turn->system->each != NULL && worlds.count == 1) {
            return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: system '%s' records for world %u while it has rows of world %u; "
                              "record for the world of the current rows, or use desc.run and make "
                              "the system global",
                              call, turn->system->name, world.index, worlds.first);
        }
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: system '%s' records for world %u, but may record for %u worlds "
                          "from world %u; record for the world of the current rows, or use "
                          "desc.run and make the system global",
                          call, turn->system->name, world.index, worlds.count, worlds.first);
    }
    return COSM_OK;
}

// An observer records for the world of its event, with the commands of its event.
static cosm_result check_observed_record(const cosm_commands *commands, cosm_world world,
                                         const char *call) {
    if (commands->is_busy) {
        return is_taken(commands, call) ? COSM_ERROR_BUSY : COSM_OK;
    }
    return world.index == commands->lent_world
               ? COSM_OK
               : cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: the event belongs to world %u, but the command is for world %u; "
                            "record for event->world",
                            call, commands->lent_world, world.index);
}

// Whoever is called by a step has a buffer already.
COLD static cosm_result refuse_no_commands(const char *call) {
    if (cosmi_turn_now != NULL) {
        return cosmi_refuse_null(NULL, call, "commands",
                                 "set desc.commands of the system, and pass what "
                                 "cosm_turn_commands returns");
    }
    return cosmi_refuse_null(NULL, call, "commands", "pass one from cosm_commands_create");
}

// The checks of every recording call.
cosm_result cosmi_check_record(const cosm_commands *commands, cosm_world world, const char *call) {
    if (commands == NULL) {
        return refuse_no_commands(call);
    }
    if (!world_exists(world)) {
        return cosmi_refuse_world(world, call);
    }
    if (world.batch != commands->batch) {
        return cosmi_fail(
            world.batch->sink, COSM_ERROR_ARGUMENT,
            "%s: the world belongs to another batch than the commands; create commands for that "
            "batch",
            call);
    }
    if (UNLIKELY(commands->is_lent || commands->is_busy)) {
        return check_observed_record(commands, world, call);
    }
    return LIKELY(!commands->is_of_turn) ? COSM_OK : check_turn_record(commands, world, call);
}

// The archetype of a row to come; NULL with a message.
static struct archetype *check_row_archetype(cosm_world world, cosm_archetype id, bool temporary,
                                             const char *call) {
    struct archetype *archetype = schema_archetype(world.batch->schema, id.id);
    if (archetype == NULL) {
        (void)cosmi_refuse_archetype(world.batch, call, id);
        return NULL;
    }
    if (archetype->temporary != temporary) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: archetype %u '%s' is %s; use %s", call, archetype->id,
                         archetype->name, temporary ? "not temporary" : "temporary",
                         temporary ? "cosm_commands_spawn" : "cosm_commands_emit");
        return NULL;
    }
    return archetype;
}

static cosm_entity record_spawn(cosm_commands *commands, cosm_world world, cosm_archetype id,
                                const cosm_value *values, uint32_t value_count, const char *call) {
    if (cosmi_check_record(commands, world, call) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    struct archetype *archetype = check_row_archetype(world, id, false, call);
    if (archetype == NULL ||
        cosmi_check_values(world.batch, call, archetype, values, value_count) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    return cosmi_commands_spawn(commands, world, call, archetype, values, value_count);
}

cosm_entity cosm_commands_spawn(cosm_commands *commands, cosm_world world,
                                cosm_archetype archetype) {
    cosm_entity entity = record_spawn(commands, world, archetype, NULL, 0, "cosm_commands_spawn");
    return cosmi_recorded_entity(commands, entity);
}

cosm_entity cosm_commands_spawn_with(cosm_commands *commands, cosm_world world,
                                     cosm_archetype archetype, const cosm_value *values,
                                     uint32_t value_count) {
    cosm_entity entity =
        record_spawn(commands, world, archetype, values, value_count, "cosm_commands_spawn_with");
    return cosmi_recorded_entity(commands, entity);
}

cosm_entity cosm_commands_spawn_template(cosm_commands *commands, cosm_world world,
                                         cosm_template from, const cosm_value *overrides,
                                         uint32_t override_count) {
    static const char call[] = "cosm_commands_spawn_template";
    cosm_entity entity = COSM_ENTITY_NONE;
    if (cosmi_check_record(commands, world, call) == COSM_OK) {
        const struct template *known =
            cosmi_check_template(world.batch, call, from, overrides, override_count);
        entity = known == NULL ? entity
                               : cosmi_commands_spawn_template(commands, world, call, known,
                                                               overrides, override_count);
    }
    return cosmi_recorded_entity(commands, entity);
}

static cosm_result record_emit(cosm_commands *commands, cosm_world world, cosm_archetype id,
                               const cosm_value *values, uint32_t value_count, const char *call) {
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result != COSM_OK) {
        return result;
    }
    struct archetype *archetype = check_row_archetype(world, id, true, call);
    if (archetype == NULL ||
        cosmi_check_values(world.batch, call, archetype, values, value_count) != COSM_OK) {
        return COSM_ERROR_ARGUMENT;
    }
    struct command *command = cosmi_commands_record_row(commands, world, call, COMMAND_EMIT,
                                                        archetype, values, value_count);
    return command == NULL ? cosm_error_result() : COSM_OK;
}

cosm_result cosm_commands_emit(cosm_commands *commands, cosm_world world, cosm_archetype archetype,
                               const cosm_value *values, uint32_t value_count) {
    return cosmi_recorded(commands, record_emit(commands, world, archetype, values, value_count,
                                                "cosm_commands_emit"));
}

static cosm_result record_change(cosm_commands *commands, cosm_world world, cosm_entity entity,
                                 enum command_kind kind, cosm_component component,
                                 const struct value_type *type, const void *value,
                                 const char *call) {
    void *bytes;
    size_t size = type == NULL ? 0 : cosmi_command_value_size(type);
    struct command *before = commands->last;
    struct command *command = cosmi_commands_record(commands, call, kind, size, &bytes);
    if (command == NULL) {
        return COSM_ERROR_MEMORY;
    }
    command->world = world.index;
    command->entity = entity;
    command->subject = component.id;
    command->values = bytes;
    if (type != NULL && !cosmi_command_value_copy(world.batch, call, type, value, bytes)) {
        cosmi_commands_unrecord(commands, before);
        return COSM_ERROR_MEMORY;
    }
    return COSM_OK;
}

cosm_result cosm_commands_despawn(cosm_commands *commands, cosm_world world, cosm_entity entity) {
    static const char call[] = "cosm_commands_despawn";
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result == COSM_OK) {
        result = record_change(commands, world, entity, COMMAND_DESPAWN, (cosm_component){0}, NULL,
                               NULL, call);
    }
    return cosmi_recorded(commands, result);
}

cosm_result cosm_commands_despawn_tree(cosm_commands *commands, cosm_world world,
                                       cosm_entity entity) {
    static const char call[] = "cosm_commands_despawn_tree";
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result == COSM_OK) {
        result = record_change(commands, world, entity, COMMAND_DESPAWN_TREE, (cosm_component){0},
                               NULL, NULL, call);
    }
    return cosmi_recorded(commands, result);
}

cosm_result cosm_commands_set_parent(cosm_commands *commands, cosm_world world, cosm_entity entity,
                                     cosm_entity parent) {
    static const char call[] = "cosm_commands_set_parent";
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result != COSM_OK) {
        return cosmi_recorded(commands, result);
    }
    void *bytes;
    struct command *command =
        cosmi_commands_record(commands, call, COMMAND_PARENT, sizeof(parent), &bytes);
    if (command == NULL) {
        return cosmi_recorded(commands, COSM_ERROR_MEMORY);
    }
    command->world = world.index;
    command->entity = entity;
    command->subject = 0;
    command->values = memcpy(bytes, &parent, sizeof(parent));
    return COSM_OK;
}

static cosm_result record_set_change(cosm_commands *commands, cosm_world world, cosm_entity entity,
                                     enum command_kind kind, cosm_component component,
                                     const char *call) {
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t count;
    if (cosmi_schema_members(world.batch->schema, call, &component, &count) == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    return record_change(commands, world, entity, kind, component, NULL, NULL, call);
}

cosm_result cosm_commands_add(cosm_commands *commands, cosm_world world, cosm_entity entity,
                              cosm_component component) {
    return cosmi_recorded(commands, record_set_change(commands, world, entity, COMMAND_ADD,
                                                      component, "cosm_commands_add"));
}

cosm_result cosm_commands_remove(cosm_commands *commands, cosm_world world, cosm_entity entity,
                                 cosm_component component) {
    return cosmi_recorded(commands, record_set_change(commands, world, entity, COMMAND_REMOVE,
                                                      component, "cosm_commands_remove"));
}

cosm_result cosm_commands_set(cosm_commands *commands, cosm_world world, cosm_entity entity,
                              cosm_component component, const void *value) {
    static const char call[] = "cosm_commands_set";
    cosm_result result = cosmi_check_record(commands, world, call);
    if (result == COSM_OK) {
        const struct value_type *type = cosmi_check_set(world.batch, call, component, value);
        result = type == NULL ? COSM_ERROR_ARGUMENT
                              : record_change(commands, world, entity, COMMAND_SET, component, type,
                                              value, call);
    }
    return cosmi_recorded(commands, result);
}

static cosm_result check_apply(cosm_commands *const *list, uint32_t count, const char *call) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == NULL) {
            return cosmi_refuse_null(NULL, call, "a commands object in the list",
                                     "pass objects from cosm_commands_create");
        }
        if (is_taken(list[i], call)) {
            return cosm_error_result();
        }
        const struct cosm_batch *batch = list[i]->batch;
        if (batch != list[0]->batch) {
            return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: list[%u] belongs to another batch than list[0]; apply each "
                              "batch separately",
                              call, i);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (list[j] == list[i]) {
                return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                                  "%s: list[%u] and list[%u] are the same object; list each once",
                                  call, j, i);
            }
        }
        for (const struct command *c = list[i]->first; c != NULL; c = c->next) {
            cosm_result result = batch_is_walked(batch, c->world)
                                     ? cosmi_check_walked(batch, call, c->world)
                                     : COSM_OK;
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

// The first failure of recording. It is returned once; the next apply goes on without it.
static cosm_result return_recorded(cosm_commands *const *list, uint32_t count) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count; i++) {
        struct failure *failure = list[i]->failure;
        if (UNLIKELY(failure->result != COSM_OK)) {
            result = result == COSM_OK ? cosmi_error_show(failure) : result;
            failure->result = COSM_OK;
        }
    }
    return result;
}

static cosm_result apply_list(cosm_commands *const *list, uint32_t count,
                              cosm_commands_report *out_report, const char *call) {
    cosm_commands_report report = {0, 0, 0, 0, 0};
    cosm_result result = check_apply(list, count, call);
    result = result == COSM_OK ? return_recorded(list, count) : result;
    if (result == COSM_OK && count > 0) {
        result = cosmi_commands_apply(list, count, call, &report);
    }
    if (out_report != NULL) {
        *out_report = report;
    }
    return result;
}

cosm_result cosm_commands_apply(cosm_commands *commands, cosm_commands_report *out_report) {
    return apply_list(&commands, 1, out_report, "cosm_commands_apply");
}

cosm_result cosm_commands_apply_many(cosm_commands *const *list, uint32_t count,
                                     cosm_commands_report *out_report) {
    static const char call[] = "cosm_commands_apply_many";
    if (list == NULL && count > 0) {
        return cosmi_refuse_null(NULL, call, "list", "pass `count` commands objects");
    }
    return apply_list(list, count, out_report, call);
}
