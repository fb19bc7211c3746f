// The entities of a text, brought into a world: all of them, or none.
//
// What can fail comes first: names, archetypes, room for rows, memory. So a world that has no room
// is as it was, down to its free ids; where something fails all the same, what was spawned is
// despawned.
//
// Values that are shared, or stand beside the tables, cannot be copied to columns: a text that has
// some of them becomes commands, which are applied all or not at all. So does any text where there
// are observers, which would else be told of rows that have no values yet, and may move them away.
#include <stdlib.h>

#include "check.h"
#include "stage.h"

#define RESERVE_GROUP_MAX 256u

struct plan {
    struct stage *stage;
    cosm_world world;
    struct group **groups; // by their numbers
};

static cosm_result check_names(struct stage *stage) {
    const struct name *twice;
    struct reader *reader = &stage->parts->reader;
    if (!cosmi_text_names_index(&stage->names, &twice)) {
        return cosmi_text_fail_memory(reader->scan.call, stage->parts->engine);
    }
    if (twice != NULL) {
        (void)cosmi_text_read_fail(reader, twice->where, NULL,
                                   "two entities are called \"" COSM_ENTITY_FORMAT
                                   "\"; give each a unique name, or none",
                                   COSM_ENTITY_PRINT(twice->entity));
    }
    return reader->scan.result;
}

static cosm_result find_archetype(struct group *group, cosm_engine *engine) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    for (uint32_t i = 0; i < group->part_count; i++) {
        components[i] = (cosm_component){group->parts[i]->subject.id};
    }
    group->archetype = cosmi_text_need_archetype(engine, components, group->part_count);
    return group->archetype.id != 0 ? COSM_OK : cosm_error_result();
}

// Has the world room for a group, where its archetype has a limit?
static cosm_result check_limit(const struct plan *plan, const struct group *group) {
    const cosm_engine *engine = plan->stage->parts->engine;
    cosm_archetype_info info = cosm_archetype_describe(engine, group->archetype);
    if (info.placement != COSM_PLACEMENT_FIXED) {
        return COSM_OK;
    }
    uint32_t row_count = cosm_table_row_count(plan->world, group->archetype);
    uint32_t row_max = info.max_per_world;
    if (group->count <= row_max - row_count) {
        return COSM_OK;
    }
    return cosm_error_raise(engine, COSM_ERROR_FULL,
                            "%s: archetype %u '%s' has %u of %u rows in this world, and the text "
                            "has %u more; despawn some, or define it with a larger max_per_world",
                            plan->stage->parts->reader.scan.call, group->archetype.id, info.name,
                            row_count, row_max, group->count);
}

// Finds archetypes and takes what memory of our own is needed.
static cosm_result prepare(struct plan *plan) {
    struct stage *stage = plan->stage;
    struct arena *arena = &stage->parts->arena;
    cosm_engine *engine = cosm_batch_engine(plan->world.batch);
    plan->groups = cosmi_text_take(arena, (stage->group_count + 1) * sizeof(*plan->groups));
    if (plan->groups == NULL) {
        return cosmi_text_fail_memory(stage->parts->reader.scan.call, engine);
    }
    for (struct group *group = stage->first; group != NULL; group = group->next) {
        cosm_result result = find_archetype(group, engine);
        result = result != COSM_OK ? result : check_limit(plan, group);
        plan->groups[group->number] = group;
        group->handles = cosmi_text_take(arena, group->count * sizeof(*group->handles));
        if (result == COSM_OK && group->handles == NULL) {
            result = cosmi_text_fail_memory(stage->parts->reader.scan.call, engine);
        }
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

// Has the engine take its memory too. A reserve looks at all tables of the world, so that doing it
// for very many groups would take time with their square: these go without.
static cosm_result reserve(struct plan *plan) {
    cosm_result result = COSM_OK;
    for (struct group *group = plan->stage->first;
         group != NULL && result == COSM_OK && plan->stage->group_count <= RESERVE_GROUP_MAX;
         group = group->next) {
        result = cosm_world_reserve(plan->world, group->archetype, group->count);
    }
    return result;
}

// Takes back what was spawned before a group that could not be.
static void unspawn(struct plan *plan, const struct group *end) {
    for (struct group *group = plan->stage->first; group != end; group = group->next) {
        cosm_result result = cosm_entity_despawn_many(plan->world, group->handles, group->count);
        (void)result;
    }
}

// What was reserved is there; but ids of the world may run out, and not everything was reserved.
static cosm_result spawn_groups(struct plan *plan) {
    for (struct group *group = plan->stage->first; group != NULL; group = group->next) {
        cosm_rows rows;
        cosm_result result =
            cosm_entity_spawn_many_unset(plan->world, group->archetype, group->count, &rows);
        if (result != COSM_OK) {
            unspawn(plan, group);
            return result;
        }
        group->first_row = rows.row;
        memcpy(group->handles, rows.entities, group->count * sizeof(*group->handles));
    }
    return COSM_OK;
}

// Turns what the text calls entities into their handles in this world.
static void translate(struct plan *plan) {
    const struct stage *stage = plan->stage;
    for (size_t i = 0; i < stage->reference_count; i++) {
        char *at = stage->references[i].at;
        cosm_entity entity;
        memcpy(&entity, at, sizeof(entity));
        const struct name *name = cosmi_text_names_find(&stage->names, entity);
        entity = name == NULL ? COSM_ENTITY_NONE : plan->groups[name->group]->handles[name->row];
        memcpy(at, &entity, sizeof(entity));
    }
}

// Sizes that are known when this is compiled are copied without a call.
#define COPY_EACH(size)                                                                            \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        memcpy(target + i * target_stride, source + i * source_stride, (size));                    \
    }

static void copy_cells(char *target, size_t target_stride, const char *source, size_t source_stride,
                       size_t size, uint32_t count) {
    if (target_stride == size && source_stride == size) {
        memcpy(target, source, count * size);
    } else if (size == 4) {
        COPY_EACH(4)
    } else if (size == 8) {
        COPY_EACH(8)
    } else {
        COPY_EACH(size)
    }
}

static void copy_split(struct plan *plan, const struct group *group, const struct part *part,
                       const char *cells, uint32_t row, uint32_t count) {
    cosm_component component = {part->subject.id};
    for (uint32_t f = 0; f < part->shape->field_count; f++) {
        const cosm_field *field = subject_field(part->subject, f);
        cosm_span span = cosm_table_span(plan->world, group->archetype, component, f);
        copy_cells((char *)span.data + row * span.stride, span.stride, cells + field->offset,
                   part->shape->size, cosm_field_size(field), count);
    }
}

static void copy_struct(struct plan *plan, const struct group *group, const struct part *part,
                        const char *cells, uint32_t row, uint32_t count) {
    cosm_component component = {part->subject.id};
    size_t size = part->shape->size;
    char *column = cosm_table_column(plan->world, group->archetype, component);
    copy_cells(column + row * size, size, cells, size, size, count);
}

// Copies the columns of a group's blocks to the rows that were spawned for them.
static void copy_group(struct plan *plan, const struct group *group) {
    const cosm_engine *engine = plan->stage->parts->engine;
    for (uint32_t i = 0; i < group->part_count; i++) {
        const struct part *part = group->parts[i];
        cosm_component component = {part->subject.id};
        uint32_t row = group->first_row;
        bool is_split =
            cosm_archetype_layout(engine, group->archetype, component) == COSM_LAYOUT_SPLIT;
        for (const struct block *block = group->first; block != NULL && part->shape->size > 0;
             block = block->next) {
            const char *cells = block->cells + block->capacity * group->offsets[i];
            (is_split ? copy_split : copy_struct)(plan, group, part, cells, row, block->count);
            row += block->count;
        }
    }
}

static cosm_result record_spawns(struct plan *plan, cosm_commands *commands) {
    for (struct group *group = plan->stage->first; group != NULL; group = group->next) {
        for (uint32_t i = 0; i < group->count; i++) {
            group->handles[i] = cosm_commands_spawn(commands, plan->world, group->archetype);
            if (cosm_entity_is_none(group->handles[i])) {
                return cosm_error_result();
            }
        }
    }
    return COSM_OK;
}

// The values of the rows of one block; `handles` are those of its first row and on.
static cosm_result record_block(struct plan *plan, cosm_commands *commands,
                                const struct group *group, const struct block *block,
                                const cosm_entity *handles) {
    cosm_result result = COSM_OK;
    for (uint32_t row = 0; row < block->count; row++) {
        for (uint32_t i = 0; i < group->part_count && result == COSM_OK; i++) {
            const struct part *part = group->parts[i];
            size_t size = part->shape->size;
            const char *cell = block->cells + block->capacity * group->offsets[i] + row * size;
            if (size > 0) {
                result = cosm_commands_set(commands, plan->world, handles[row],
                                           (cosm_component){part->subject.id}, cell);
            }
        }
    }
    return result;
}

static cosm_result record_values(struct plan *plan, cosm_commands *commands) {
    cosm_result result = COSM_OK;
    for (struct group *group = plan->stage->first; group != NULL; group = group->next) {
        const cosm_entity *handles = group->handles;
        for (const struct block *block = group->first; block != NULL && result == COSM_OK;
             block = block->next) {
            result = record_block(plan, commands, group, block, handles);
            handles += block->count;
        }
    }
    return result;
}

static cosm_result record_besides(struct plan *plan, cosm_commands *commands) {
    cosm_result result = COSM_OK;
    for (struct group *group = plan->stage->first_beside; group != NULL; group = group->next) {
        const struct part *part = group->parts[0];
        for (const struct block *block = group->first; block != NULL; block = block->next) {
            for (uint32_t row = 0; row < block->count && result == COSM_OK; row++) {
                struct owner owner = block->owners[row];
                result = cosm_commands_set(
                    commands, plan->world, plan->groups[owner.group]->handles[owner.row],
                    (cosm_component){part->subject.id}, block->cells + row * part->shape->size);
            }
        }
    }
    return result;
}

// Handles of commands are final at once, so that references are translated before any value is
// recorded.
static cosm_result apply_by_commands(struct plan *plan) {
    cosm_commands *commands = cosm_commands_create(plan->world.batch);
    if (commands == NULL) {
        return cosm_error_result();
    }
    cosm_result result = record_spawns(plan, commands);
    if (result == COSM_OK) {
        translate(plan);
        result = record_values(plan, commands);
    }
    result = result != COSM_OK ? result : record_besides(plan, commands);
    result = result != COSM_OK ? result : cosm_commands_apply(commands, NULL);
    cosm_commands_destroy(commands);
    return result;
}

static cosm_result apply_by_columns(struct plan *plan) {
    cosm_result result = reserve(plan);
    result = result != COSM_OK ? result : spawn_groups(plan);
    if (result == COSM_OK) {
        translate(plan);
        for (const struct group *group = plan->stage->first; group != NULL; group = group->next) {
            copy_group(plan, group);
        }
    }
    return result;
}

static void set_singletons(struct plan *plan) {
    const struct parts *parts = plan->stage->parts;
    for (uint32_t id = 1; id <= parts->singleton_count; id++) {
        const struct part *part = parts->singletons[id];
        if (part != NULL) {
            memcpy(cosm_singleton_write(plan->world, (cosm_singleton){id}), part->value,
                   part->shape->size);
        }
    }
}

cosm_result cosmi_text_stage_apply(struct stage *stage, cosm_world world) {
    struct plan plan = {stage, world, NULL};
    cosm_result result = check_names(stage);
    result = result != COSM_OK ? result : prepare(&plan);
    if (result == COSM_OK) {
        bool by_commands = stage->has_shared || stage->first_beside != NULL ||
                           cosm_engine_describe(stage->parts->engine).observer_count > 0;
        result = (by_commands ? apply_by_commands : apply_by_columns)(&plan);
    }
    if (result == COSM_OK) {
        set_singletons(&plan);
    }
    return result;
}
