// The argument checks that the calls of this module share, and their messages.
#include "check.h"

cosm_result cosmi_text_check_world(const char *call, cosm_world world) {
    if (world.batch == NULL) {
        return cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                                "%s: world.batch is NULL; pass a world from cosm_batch_world",
                                call);
    }
    uint32_t count = cosm_batch_world_count(world.batch);
    if (world.index >= count) {
        return cosm_error_raise(cosm_batch_engine(world.batch), COSM_ERROR_ARGUMENT,
                                "%s: world.index is %u, the batch has %u worlds; pass a world from "
                                "cosm_batch_world",
                                call, world.index, count);
    }
    return COSM_OK;
}

cosm_result cosmi_text_check_engine(const char *call, const cosm_engine *engine) {
    return engine != NULL
               ? COSM_OK
               : cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                                  "%s: engine is NULL; pass one from cosm_engine_create", call);
}

cosm_result cosmi_text_check_component(const char *call, const cosm_engine *engine,
                                       cosm_component component) {
    cosm_component_info info = cosm_component_describe(engine, component);
    if (info.name == NULL) {
        return cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                "%s: component %u is not defined in this engine; pass one from "
                                "cosm_component_define or cosm_component_find",
                                call, component.id);
    }
    if (info.is_bundle) {
        return cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                "%s: '%s' is a bundle and has no value; pass one of its members",
                                call, info.name);
    }
    return COSM_OK;
}

cosm_result cosmi_text_check_singleton(const char *call, const cosm_engine *engine,
                                       cosm_singleton singleton) {
    return cosm_singleton_describe(engine, singleton).name != NULL
               ? COSM_OK
               : cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                  "%s: singleton %u is not defined in this engine; pass one from "
                                  "cosm_singleton_define or cosm_singleton_find",
                                  call, singleton.id);
}

cosm_result cosmi_text_check_archetype(const char *call, const cosm_engine *engine,
                                       cosm_archetype archetype) {
    return cosm_archetype_describe(engine, archetype).name != NULL
               ? COSM_OK
               : cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                  "%s: archetype %u is not defined in this engine; pass one from "
                                  "cosm_archetype_define or cosm_archetype_find",
                                  call, archetype.id);
}

cosm_result cosmi_text_check_pointer(const char *call, const cosm_engine *engine,
                                     const void *pointer, const char *what) {
    return pointer != NULL
               ? COSM_OK
               : cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                  "%s: %s is NULL; pass a pointer to the bytes", call, what);
}

cosm_result cosmi_text_check_write(const char *call, const cosm_engine *engine,
                                   cosm_text_fn *write) {
    return write != NULL
               ? COSM_OK
               : cosm_error_raise(engine, COSM_ERROR_ARGUMENT,
                                  "%s: write is NULL; pass a function that receives the text",
                                  call);
}

cosm_result cosmi_text_fail_memory(const char *call, const cosm_engine *engine) {
    return cosm_error_raise(engine, COSM_ERROR_MEMORY,
                            "%s: out of memory from the C library; free some, or pass less at a "
                            "time",
                            call);
}
