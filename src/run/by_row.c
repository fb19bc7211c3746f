// Changes of all rows that match, entity by entity: for queries with terms that are met row by row,
// and for components that live beside the tables. Temporary rows are no entities: their tables
// match whole or not at all, and are changed as tables; where only some of them have changed, they
// are passed over.
#include "query/changed.h"
#include "run/commands.h"

// Records the change for every entity of a run.
static cosm_result record_run(struct cosm_commands *commands, const struct array_change *change,
                              const cosm_rows *rows) {
    for (uint32_t i = 0; i < rows->count; i++) {
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

// May a temporary table be changed in this way? It keeps its set, and its rows have nothing beside.
static cosm_result check_temporary(const struct cosm_batch *batch,
                                   const struct array_change *change, struct archetype *archetype) {
    if (change->kind == COMMAND_DESPAWN) {
        return COSM_OK;
    }
    uint32_t count;
    const uint32_t *members =
        cosmi_schema_members(batch->schema, change->call, &change->component, &count);
    for (uint32_t i = 0; change->kind != COMMAND_REMOVE && i < count; i++) {
        const struct value_type *type = schema_component(batch->schema, members[i]);
        if (type->storage == COSM_STORAGE_SECTOR) {
            return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: archetype %u '%s' is temporary: its rows are not entities and "
                              "have no sector component '%s'; leave it out of the query",
                              change->call, archetype->id, archetype->name, type->name);
        }
    }
    const struct transition *transition = NULL;
    return cosmi_schema_change(batch->schema, change->call, archetype, members, count,
                               change->kind != COMMAND_REMOVE, &transition);
}

// Changes the temporary tables that match. This cannot fail.
static void change_temporary(const cosm_query *query, cosm_world world,
                             const struct array_change *change) {
    for (struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        struct store *store = batch_store(world.batch, m->archetype_id);
        uint32_t count = store == NULL ? 0 : store->counts[world.index];
        if (!m->archetype->temporary || count == 0 || query->changed != 0) {
            continue;
        }
        if (change->kind == COMMAND_DESPAWN) {
            cosmi_rows_clear(world, store);
        } else if (change->kind == COMMAND_SET) {
            cosmi_rows_set_value(world, store, archetype_find(m->archetype, change->component.id),
                                 0, count, change->values);
        }
    }
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
            if (rows.entities != NULL) {
                result = record_run(&commands, change, &rows);
            } else if (query->changed == 0) {
                result = check_temporary(worlds.batch, change,
                                         schema_archetype(worlds.batch->schema, rows.archetype.id));
            }
        }
    }
    if (result == COSM_OK) {
        result = cosmi_commands_apply(&list, 1, change->call, &report);
    }
    for (uint32_t w = 0; w < worlds.count && result == COSM_OK; w++) {
        change_temporary(query, batch_world(worlds.batch, worlds.first + w), change);
    }
    cosmi_commands_free(&commands);
    return result;
}
