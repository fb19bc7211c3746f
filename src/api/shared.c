// The public calls of cosm/shared.h.
#include <cosm/shared.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/checks.h"
#include "store/shared.h"

// The type of a shared component of a world that exists, or NULL.
static const struct value_type *shared_type(cosm_world world, cosm_component component) {
    const struct value_type *type =
        world_exists(world) ? schema_component(world.batch->schema, component.id) : NULL;
    return type != NULL && type->storage == COSM_STORAGE_SHARED ? type : NULL;
}

uint32_t cosm_shared_value_count(cosm_world world, cosm_component component) {
    const struct value_type *type = shared_type(world, component);
    const struct shared *shared = type == NULL ? NULL : world_shared(world.batch, world.index);
    uint32_t count = 0;
    for (uint32_t i = 0; shared != NULL && i < shared->value_count; i++) {
        count += shared->values[i]->type == type;
    }
    return count;
}

uint32_t cosm_shared_entity_count(cosm_world world, cosm_component component, const void *value) {
    const struct value_type *type = shared_type(world, component);
    if (type == NULL || value == NULL) {
        return 0;
    }
    const struct shared_value *known = cosmi_shared_value(world.batch, world.index, type, value);
    return known == NULL ? 0 : cosmi_shared_count(known);
}

cosm_result cosm_shared_each(cosm_world world, cosm_component component, cosm_shared_fn *each,
                             void *context) {
    static const char call[] = "cosm_shared_each";
    if (!world_exists(world)) {
        return cosmi_refuse_world(world, call);
    }
    if (each == NULL) {
        return cosmi_refuse_null(world.batch->sink, call, "each", "pass a function over values");
    }
    const struct value_type *type = cosmi_check_plain(world.batch, call, component);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (type->storage != COSM_STORAGE_SHARED) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: component '%s' is not shared: it has no values to list; define it "
                          "with COSM_STORAGE_SHARED",
                          call, type->name);
    }
    const struct shared *shared = world_shared(world.batch, world.index);
    struct world *inner = &world.batch->worlds[world.index];
    atomic_fetch_add_explicit(&inner->walks_shared, 1, memory_order_relaxed);
    for (uint32_t i = 0; shared != NULL && i < shared->value_count; i++) {
        const struct shared_value *value = shared->values[i];
        if (value->type == type) {
            each(context, value->bytes, cosmi_shared_count(value));
        }
    }
    atomic_fetch_sub_explicit(&inner->walks_shared, 1, memory_order_relaxed);
    return COSM_OK;
}

const void *cosm_rows_shared(const cosm_rows *rows, cosm_component component) {
    const struct store *store =
        rows == NULL || rows->batch == NULL || rows->count == 0 ? NULL : cosmi_rows_store(rows);
    const struct shared_value *value =
        store == NULL ? NULL : cosmi_store_shared(store, component.id);
    if (value != NULL) {
        cosmi_check_component(rows->batch, rows->world, component.id, false, "cosm_rows_shared");
    }
    return value == NULL ? NULL : value->bytes;
}

const void *cosm_rows_refuse_shared(const cosm_rows *rows, uint32_t index, size_t size) {
    static const char call[] = "COSM_SHARED_READ";
    const struct sink *sink = rows->batch == NULL ? NULL : rows->batch->sink;
    if (index >= rows->term_count || rows->terms[index].component == 0) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: index %u is not a term of the current rows: the query has %u terms; "
                         "call it after cosm_rows_next has returned true",
                         call, index, rows->term_count);
        return NULL;
    }
    const cosm_term_info *term = &rows->terms[index];
    const char *name =
        cosm_component_describe(rows->batch->engine, (cosm_component){term->component}).name;
    if (term->shared_size == 0) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', is not a shared component; use COSM_COLUMN_READ", call,
                         index, name);
    } else {
        (void)cosmi_refuse_size(rows->batch, call, "component", name, term->shared_size, size);
    }
    return NULL;
}
