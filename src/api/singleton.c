// The public calls of cosm/singleton.h.
#include <cosm/singleton.h>

#include "api/typed.h"
#include "run/checks.h"

// Gives the singleton to every batch there is, or to none.
static bool make_in_batches(void *context, const struct value_type *singleton) {
    struct cosm_engine *engine = context;
    for (struct cosm_batch *batch = engine->batches; batch != NULL; batch = batch->next) {
        if (cosmi_batch_make_singleton(batch, singleton)) {
            continue;
        }
        (void)cosmi_fail_memory(&engine->sink, &batch->memory, "cosm_singleton_define");
        for (struct cosm_batch *made = engine->batches; made != batch; made = made->next) {
            cosmi_batch_free_singleton(made, singleton);
        }
        return false;
    }
    return true;
}

cosm_singleton cosm_singleton_define(cosm_engine *engine, const cosm_singleton_desc *desc) {
    static const char call[] = "cosm_singleton_define";
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "desc", "pass both");
        return (cosm_singleton){cosmi_defined(engine, "singleton", NULL, 0)};
    }
    cosmi_mutex_lock(&engine->batch_lock);
    uint32_t id = cosmi_schema_define_singleton(&engine->schema, desc, make_in_batches, engine);
    cosmi_mutex_unlock(&engine->batch_lock);
    return (cosm_singleton){cosmi_defined(engine, "singleton", desc->name, id)};
}

cosm_singleton cosm_singleton_define_fields(cosm_engine *engine, const char *call,
                                            const cosm_singleton_desc *desc,
                                            const unsigned char *members) {
    struct field_subject subject = {call, desc->name, desc->size, desc->alignment, members};
    if (engine != NULL &&
        !cosmi_fields_cover(&engine->sink, &subject, desc->fields, desc->field_count)) {
        return (cosm_singleton){cosmi_defined(engine, "singleton", desc->name, 0)};
    }
    return cosm_singleton_define(engine, desc);
}

cosm_singleton cosm_singleton_register(cosm_engine *engine, cosm_singleton_type *type) {
    if (engine == NULL || type == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, "cosm_singleton_register",
                                engine == NULL ? "engine" : "type", "pass both");
        return (cosm_singleton){cosmi_defined(engine, "singleton", NULL, 0)};
    }
    cosm_singleton singleton = cosm_singleton_define(engine, &type->desc);
    if (singleton.id != 0) {
        cosmi_value_keep_key(schema_singleton(&engine->schema, singleton.id), type, &type->hint);
    }
    return singleton;
}

// By name: the hint was that of another engine.
COLD static cosm_singleton find_singleton_type(const cosm_engine *engine,
                                               cosm_singleton_type *type) {
    static const char call[] = "cosm_singleton_of";
    if (engine == NULL || type == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "type", "pass both");
        return (cosm_singleton){0};
    }
    const cosm_singleton_desc *desc = &type->desc;
    struct value_wanted wanted = {call,         "cosm_singleton_register", desc->name, desc->size,
                                  desc->fields, desc->field_count,         &type->hint};
    cosm_singleton singleton = cosm_singleton_find(engine, desc->name);
    const struct value_type *found = schema_singleton(&engine->schema, singleton.id);
    bool is_wanted = cosmi_value_is_wanted(&engine->schema, found, &wanted);
    return (cosm_singleton){is_wanted ? singleton.id : 0};
}

cosm_singleton cosm_singleton_of(const cosm_engine *engine, cosm_singleton_type *type) {
    if (LIKELY(engine != NULL && type != NULL)) {
        uint32_t id = hint_load(&type->hint);
        if (LIKELY(value_has_key(schema_singleton(&engine->schema, id), type))) {
            return (cosm_singleton){id};
        }
    }
    return find_singleton_type(engine, type);
}

cosm_singleton cosm_singleton_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_singleton){0};
    }
    struct schema *schema = (struct schema *)&engine->schema;
    return (cosm_singleton){cosmi_schema_find_singleton(schema, name)};
}

cosm_singleton_info cosm_singleton_describe(const cosm_engine *engine, cosm_singleton singleton) {
    const struct value_type *type =
        engine == NULL ? NULL : schema_singleton(&engine->schema, singleton.id);
    if (type == NULL) {
        return (cosm_singleton_info){0};
    }
    return (cosm_singleton_info){
        .name = type->name,
        .doc = type->doc,
        .size = type->size,
        .alignment = type->alignment,
        .default_value = type->default_value,
        .fields = type->fields.items,
        .field_count = type->fields.count,
        .hash = type->hash,
    };
}

static void *singleton_value(cosm_world world, cosm_singleton singleton) {
    if (!world_exists(world)) {
        return NULL;
    }
    const struct value_type *type = schema_singleton(world.batch->schema, singleton.id);
    if (type == NULL) {
        return NULL;
    }
    char *values = paged_get(&world.batch->singletons, singleton.id);
    return values == NULL ? NULL : values + (size_t)world.index * type->size;
}

static inline void check_use(cosm_world world, cosm_singleton singleton, bool write,
                             const char *call) {
    if (world_exists(world)) {
        cosmi_check_singleton(world.batch, world.index, singleton.id, write, call);
    }
}

void *cosm_singleton_write(cosm_world world, cosm_singleton singleton) {
    check_use(world, singleton, true, "cosm_singleton_write");
    return singleton_value(world, singleton);
}

const void *cosm_singleton_read(cosm_world world, cosm_singleton singleton) {
    check_use(world, singleton, false, "cosm_singleton_read");
    return singleton_value(world, singleton);
}

void *cosm_singleton_write_key(cosm_world world, uint64_t key, size_t size, const char *name) {
    static const char call[] = "COSM_SINGLETON_WRITE";
    const struct value_type *found = typed_singleton(world, (cosm_type){name, size, key}, call);
    if (UNLIKELY(found == NULL)) {
        return NULL;
    }
    check_use(world, (cosm_singleton){found->id}, true, call);
    return singleton_value(world, (cosm_singleton){found->id});
}

const void *cosm_singleton_read_key(cosm_world world, uint64_t key, size_t size, const char *name) {
    static const char call[] = "COSM_SINGLETON_READ";
    const struct value_type *found = typed_singleton(world, (cosm_type){name, size, key}, call);
    if (UNLIKELY(found == NULL)) {
        return NULL;
    }
    check_use(world, (cosm_singleton){found->id}, false, call);
    return singleton_value(world, (cosm_singleton){found->id});
}
