// The public calls of cosm/observer.h.
#include <cosm/observer.h>

#include <cosm/entity.h>

#include "api/text.h"
#include "api/typed.h"
#include "run/step.h"
#include "store/shared.h"

// May observers be changed now? Delivery reads them without a lock.
static cosm_result check_board_idle(cosm_engine *engine, const char *call) {
    cosmi_mutex_lock(&engine->runner.lock);
    uint32_t running = engine->runner.running_count;
    cosmi_mutex_unlock(&engine->runner.lock);
    const struct delivery *delivery = cosmi_delivery_now;
    while (delivery != NULL && delivery->world.batch->engine != engine) {
        delivery = delivery->outer;
    }
    if (running == 0 && delivery == NULL) {
        return COSM_OK;
    }
    return cosmi_fail(&engine->sink, COSM_ERROR_BUSY,
                      "%s: %u batches are running, and this is called from %s; change observers "
                      "between steps",
                      call, running,
                      delivery != NULL ? "an observer" : "a system or another thread");
}

// Tells all batches who is watched now.
static void flag_batches(cosm_engine *engine) {
    const struct observer_board *board = &engine->runner.board;
    cosmi_mutex_lock(&engine->batch_lock);
    for (struct cosm_batch *batch = engine->batches; batch != NULL; batch = batch->next) {
        batch->events = board->live_count > 0 ? &board->events : NULL;
        cosmi_event_flag_stores(batch);
    }
    cosmi_mutex_unlock(&engine->batch_lock);
}

// Copies a desc with its query read from text.
static cosm_result read_query_text(const cosm_engine *engine, const char *call,
                                   const cosm_observer_desc *desc, cosm_observer_desc *out_desc) {
    struct where where = cosmi_where(call, desc->name, "desc.query");
    *out_desc = *desc;
    if (desc->query != NULL && desc->query_desc.text != NULL) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.query_desc has text too; set only one of the two", where.text);
    }
    cosm_query_desc query = desc->query_desc;
    query.text = desc->query != NULL ? desc->query : query.text;
    out_desc->query = NULL;
    return cosmi_text_query(engine, where.text, &query, &out_desc->query_desc);
}

cosm_observer cosm_observer_define(cosm_engine *engine, const cosm_observer_desc *desc) {
    static const char call[] = "cosm_observer_define";
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "desc", "pass both");
        return (cosm_observer){cosmi_defined(engine, "observer", NULL, 0)};
    }
    cosm_observer_desc by_ids;
    bool is_read = check_board_idle(engine, call) == COSM_OK &&
                   read_query_text(engine, call, desc, &by_ids) == COSM_OK;
    uint32_t id = is_read ? cosmi_observer_define(&engine->runner.board, &by_ids) : 0;
    if (id != 0) {
        flag_batches(engine);
    }
    return (cosm_observer){cosmi_defined(engine, "observer", desc->name, id)};
}

// The checks of both calls that change an observer.
static cosm_result check_observer_change(cosm_engine *engine, const char *call) {
    return engine == NULL
               ? cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create")
               : check_board_idle(engine, call);
}

cosm_result cosm_observer_remove(cosm_engine *engine, cosm_observer observer) {
    static const char call[] = "cosm_observer_remove";
    cosm_result result = check_observer_change(engine, call);
    if (result == COSM_OK) {
        result = cosmi_observer_remove(&engine->runner.board, call, observer.id);
    }
    if (result == COSM_OK) {
        flag_batches(engine);
    }
    return result;
}

cosm_result cosm_observer_enable(cosm_engine *engine, cosm_observer observer, bool enabled) {
    static const char call[] = "cosm_observer_enable";
    cosm_result result = check_observer_change(engine, call);
    if (result == COSM_OK) {
        result = cosmi_observer_enable(&engine->runner.board, call, observer.id, enabled);
    }
    if (result == COSM_OK) {
        flag_batches(engine);
    }
    return result;
}

// The lock is not part of the engine's value.
static const struct observer_board *lock_board(const cosm_engine *engine) {
    cosmi_mutex_lock((struct mutex *)&engine->schema.lock);
    return &engine->runner.board;
}

static void unlock_board(const cosm_engine *engine) {
    cosmi_mutex_unlock((struct mutex *)&engine->schema.lock);
}

cosm_observer cosm_observer_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_observer){0};
    }
    const struct observer *found = cosmi_observer_by_name(lock_board(engine), name);
    cosm_observer observer = {found == NULL ? 0 : found->id};
    unlock_board(engine);
    return observer;
}

cosm_observer_info cosm_observer_describe(const cosm_engine *engine, cosm_observer observer) {
    cosm_observer_info info = {0};
    if (engine == NULL) {
        return info;
    }
    const struct observer *found = cosmi_observer_by_id(lock_board(engine), observer.id);
    if (found != NULL) {
        info.name = found->name;
        info.is_enabled = found->enabled;
    }
    unlock_board(engine);
    return info;
}

uint32_t cosmi_observer_count(const cosm_engine *engine) {
    uint32_t count = lock_board(engine)->live_count;
    unlock_board(engine);
    return count;
}

// A value that was kept when its row went.
static const void *saved_value(const cosm_event *event, uint32_t i, uint32_t component) {
    const struct event_values *values = event->own;
    const struct shared_value *shared =
        values->source == NULL ? NULL : cosmi_store_shared(values->source, component);
    if (shared != NULL) {
        return shared->bytes;
    }
    if (values->bytes == NULL) {
        return NULL;
    }
    const char *row = values->bytes + i * values->stride;
    if (values->watch == NULL) {
        return values->component == component ? row : NULL;
    }
    for (uint32_t s = 0; s < values->watch->saved_count; s++) {
        if (values->watch->saved[s].component == component) {
            return row + values->watch->saved[s].offset;
        }
    }
    return NULL;
}

const void *cosm_event_value(const cosm_event *event, uint32_t i, cosm_component component) {
    if (event == NULL || i >= event->count) {
        return NULL;
    }
    if (event->rows == NULL) {
        return saved_value(event, i, component.id);
    }
    // Also finds what lies beside the tables.
    return cosm_entity_read(event->world, event->entities[i], component);
}

const void *cosm_event_value_type(const cosm_event *event, uint32_t i, cosm_type type) {
    if (event == NULL || i >= event->count) {
        return NULL;
    }
    const struct value_type *found = typed_component(event->world, type, "COSM_EVENT_VALUE");
    if (found == NULL) {
        cosmi_empty_event(event);
        return NULL;
    }
    return cosm_event_value(event, i, (cosm_component){found->id});
}

bool cosm_event_get(const cosm_event *event, uint32_t i, cosm_component component,
                    void *out_value) {
    if (event == NULL || i >= event->count || out_value == NULL) {
        return false;
    }
    if (event->rows != NULL) {
        return cosm_entity_get(event->world, event->entities[i], component, out_value);
    }
    const void *value = saved_value(event, i, component.id);
    const struct value_type *type = schema_component(event->world.batch->schema, component.id);
    if (value != NULL && type != NULL) {
        memcpy(out_value, value, type->size);
    }
    return value != NULL;
}
