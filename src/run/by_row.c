// Changes of all rows that match, entity by entity: for queries with terms that are met row by row,
// and for components that live beside the tables.
#include "query/changed.h"
#include "run/commands.h"

// Records the change for every entity of a run.
static cosm_result record_run(struct cosm_commands *commands, const struct array_change *change,
                              const cosm_rows *rows) {
    for (uint32_t i = 0; rows->entities != NULL && i < rows->count; i++) {
        void *bytes;
        const struct value_type *type = change->values == NULL ? NULL : change->value_type;
        size_t size = type == NULL ? 0 : cosmi_command_value_size(type);
        struct command *before = commands->last;
        struct command *command =
            cosmi_commands_record(commands, change->call, change->kind, size, &bytes);
        if (command == NULL) {
            return COSM_ERROR_MEMORY;
        }
        command->world = rows->world;
        command->entity = rows->entities[i];
        command->subject = change->component.id;
        command->values = bytes;
        if (type != NULL &&
            !cosmi_command_value_copy(commands->batch, change->call, type, change->values, bytes)) {
            cosmi_commands_unrecord(commands, before);
            return COSM_ERROR_MEMORY;
        }
    }
    return COSM_OK;
}

cosm_result cosmi_change_rows(const cosm_query *query, cosm_worlds worlds,
                              const struct array_change *change) {
    struct cosm_commands commands;
    struct cosm_commands *list = &commands;
    cosm_commands_report report;
    cosm_rows rows;
    cosm_result result = COSM_OK;
    cosmi_commands_init(&commands, worlds.batch);
    for (uint32_t w = 0; w < worlds.count && result == COSM_OK; w++) {
        cosmi_walk_open(query, (cosm_worlds){worlds.batch, worlds.first + w, 1}, &rows);
        rows.stamps = STAMP_NOTHING;
        while (result == COSM_OK && cosmi_walk_next(&rows)) {
            result = record_run(&commands, change, &rows);
        }
    }
    if (result == COSM_OK) {
        result = cosmi_commands_apply(&list, 1, change->call, &report);
    }
    cosmi_commands_free(&commands);
    return result;
}
