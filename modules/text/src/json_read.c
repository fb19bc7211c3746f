// JSON onto values and single entities. Whole worlds are in json_world.c.
#include <cosm_text/json.h>

#include "check.h"
#include "parts.h"

// Checks what all readers of text take.
static cosm_result check_text(const char *call, const cosm_engine *engine, const char *text) {
    return text != NULL ? COSM_OK
                        : cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                           "%s: text is NULL; pass the text and its length", call);
}

// Reads the value of a component to a copy, and back where all went well.
static cosm_result read_value(struct arena *arena, struct reader *reader, cosm_component component,
                              void *io_value) {
    const cosm_engine *engine = reader->scan.engine;
    struct shape *shape = cosmi_text_shape(arena, (struct subject){engine, false, component.id});
    char *copy = shape == NULL ? NULL : cosmi_text_take(arena, shape->size);
    if (copy == NULL) {
        return cosmi_text_fail_memory(reader->scan.call, engine);
    }
    if (shape->size > 0) {
        memcpy(copy, io_value, shape->size);
    }
    reader->place.part = shape->name;
    if (cosmi_text_read_value(reader, shape, copy) && cosmi_text_scan_end(&reader->scan) &&
        shape->size > 0) {
        memcpy(io_value, copy, shape->size);
    }
    return reader->scan.result;
}

cosm_result cosm_json_read_value(const cosm_engine *engine, cosm_component component,
                                 const char *text, size_t length, void *io_value) {
    static const char call[] = "cosm_json_read_value";
    struct arena arena = {NULL, NULL, 0};
    struct reader reader;
    cosm_result result = cosmi_text_check_engine(call, engine);
    result = result != COSM_OK ? result : cosmi_text_check_component(call, engine, component);
    result = result != COSM_OK ? result : check_text(call, engine, text);
    if (result == COSM_OK && cosm_component_describe(engine, component).size > 0) {
        result = cosmi_text_check_pointer(call, engine, io_value, "io_value");
    }
    if (result != COSM_OK) {
        return result;
    }
    cosmi_text_reader_begin(&reader, engine, call, text, length);
    result = read_value(&arena, &reader, component, io_value);
    cosmi_text_give_all(&arena);
    return result;
}

// What is done with each part of an entity; the first failure ends it.
typedef cosm_result part_fn(void *context, cosm_world world, cosm_entity entity,
                            const struct part *part);

static cosm_result each_part(const struct entity_text *text, part_fn *each, void *context,
                             cosm_world world, cosm_entity entity) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < text->part_count && result == COSM_OK; i++) {
        result = each(context, world, entity, text->parts[i]);
    }
    for (const struct part *part = text->besides; part != NULL && result == COSM_OK;
         part = part->next_beside) {
        result = each(context, world, entity, part);
    }
    return result;
}

// Sets what the entity has already: nothing there can fail.
static cosm_result set_in_place(void *context, cosm_world world, cosm_entity entity,
                                const struct part *part) {
    (void)context;
    return part->storage == COSM_STORAGE_SHARED
               ? COSM_OK // it has this value
               : cosm_entity_set(world, entity, (cosm_component){part->subject.id}, part->value);
}

static cosm_result record_set(void *context, cosm_world world, cosm_entity entity,
                              const struct part *part) {
    return cosm_commands_set(context, world, entity, (cosm_component){part->subject.id},
                             part->value);
}

// Commands are applied all or not at all, and move the entity once.
static cosm_result set_by_commands(cosm_world world, cosm_entity entity,
                                   const struct entity_text *text) {
    cosm_commands *commands = cosm_commands_create(world.batch);
    if (commands == NULL) {
        return cosm_error_result();
    }
    cosm_result result = each_part(text, record_set, commands, world, entity);
    result = result != COSM_OK ? result : cosm_commands_apply(commands, NULL);
    cosm_commands_destroy(commands);
    return result;
}

// COSM_STALE where setting it is a structural change: it is absent, or another shared value.
static cosm_result check_in_place(void *context, cosm_world world, cosm_entity entity,
                                  const struct part *part) {
    cosm_component component = {part->subject.id};
    (void)context;
    if (!cosm_entity_has(world, entity, component)) {
        return COSM_STALE;
    }
    return part->storage != COSM_STORAGE_SHARED ||
                   memcmp(cosm_entity_read(world, entity, component), part->value,
                          part->shape->size) == 0
               ? COSM_OK
               : COSM_STALE;
}

static cosm_result set_parts(cosm_world world, cosm_entity entity, const struct entity_text *text) {
    return each_part(text, check_in_place, NULL, world, entity) == COSM_OK
               ? each_part(text, set_in_place, NULL, world, entity)
               : set_by_commands(world, entity, text);
}

cosm_result cosm_json_read_entity(cosm_world world, cosm_entity entity, const char *text,
                                  size_t length) {
    static const char call[] = "cosm_json_read_entity";
    struct parts parts;
    struct entity_text object;
    cosm_result result = cosmi_text_check_world(call, world);
    if (result != COSM_OK) {
        return result;
    }
    const cosm_engine *engine = cosm_batch_engine(world.batch);
    result = check_text(call, engine, text);
    if (result != COSM_OK || !cosm_entity_is_alive(world, entity)) {
        return result != COSM_OK ? result : COSM_STALE;
    }
    if (!cosmi_text_parts_begin(&parts, engine, call, text, length)) {
        result = COSM_ERROR_MEMORY;
    } else {
        parts.world = world;
        parts.target = entity;
        if (cosmi_text_read_object(&parts, &object) && cosmi_text_scan_end(&parts.reader.scan)) {
            result = set_parts(world, entity, &object);
        } else {
            result = cosmi_text_parts_result(&parts);
        }
    }
    cosmi_text_parts_end(&parts);
    return result;
}

// The archetype of what an entity's object names, formed where there is none.
static cosm_archetype archetype_of(cosm_engine *engine, const struct entity_text *text) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    for (uint32_t i = 0; i < text->part_count; i++) {
        components[i] = (cosm_component){text->parts[i]->subject.id};
    }
    return cosmi_text_need_archetype(engine, components, text->part_count);
}

static cosm_entity spawn(struct arena *arena, cosm_world world, const struct entity_text *text) {
    cosm_engine *engine = cosm_batch_engine(world.batch);
    cosm_value *values = cosmi_text_take(
        arena, ((size_t)text->part_count + text->beside_count + 1) * sizeof(*values));
    uint32_t value_count = 0;
    if (values == NULL) {
        (void)cosmi_text_fail_memory("cosm_json_spawn", engine);
        return COSM_ENTITY_NONE;
    }
    cosm_archetype archetype = archetype_of(engine, text);
    if (archetype.id == 0) {
        return COSM_ENTITY_NONE;
    }
    for (uint32_t i = 0; i < text->part_count; i++) {
        const struct part *part = text->parts[i];
        if (part->shape->size > 0) {
            values[value_count++] = (cosm_value){{part->subject.id}, part->value};
        }
    }
    for (const struct part *part = text->besides; part != NULL; part = part->next_beside) {
        values[value_count++] = (cosm_value){{part->subject.id}, part->value};
    }
    return cosm_entity_spawn_with(world, archetype, values, value_count);
}

cosm_entity cosm_json_spawn(cosm_world world, const char *text, size_t length) {
    static const char call[] = "cosm_json_spawn";
    struct parts parts;
    struct entity_text object;
    cosm_entity entity = COSM_ENTITY_NONE;
    if (cosmi_text_check_world(call, world) != COSM_OK ||
        check_text(call, cosm_batch_engine(world.batch), text) != COSM_OK) {
        return entity;
    }
    if (cosmi_text_parts_begin(&parts, cosm_batch_engine(world.batch), call, text, length)) {
        if (cosmi_text_read_object(&parts, &object) && cosmi_text_scan_end(&parts.reader.scan)) {
            entity = spawn(&parts.arena, world, &object);
        } else {
            (void)cosmi_text_parts_result(&parts);
        }
    }
    cosmi_text_parts_end(&parts);
    return entity;
}
