// Tensors: the slots of a batch, made to show values where they are.
#include "run/export.h"

#include <string.h>

// The dimensions of one value, behind the `lead` that stand before it, with strides that fit.
static void show_value(cosm_tensor *shown, const struct export *export, uint32_t lead) {
    int64_t stride = (int64_t)cosm_field_type_size(export->type);
    for (uint32_t d = export->dim_count; d-- > 0;) {
        shown->shape[lead + d] = export->dims[d];
        shown->strides[lead + d] = stride;
        stride *= export->dims[d];
    }
    shown->type = export->type;
    shown->dim_count = lead + export->dim_count;
}

static void show_singleton(struct tensor *tensor, const struct cosm_batch *batch) {
    const struct export *export = tensor->export;
    cosm_tensor *shown = &tensor->shown;
    show_value(shown, export, 1);
    shown->kind = COSM_TENSOR_WORLDS;
    shown->data = (char *)paged_get(&batch->singletons, export->singleton) + export->offset;
    shown->shape[0] = batch->world_count;
    shown->strides[0] = export->value_size;
}

// The column that an export shows in an archetype: its number, the bytes from row to row, and where
// in them the first scalar is.
struct export_column {
    uint32_t number;
    uint32_t stride;
    uint32_t offset;
};

static struct export_column find_column(const struct export *export,
                                        const struct archetype *archetype) {
    struct export_column column = {ENTITY_COLUMN, sizeof(cosm_entity), 0};
    if (export->component != 0) {
        const struct column_slot *slot = archetype_find(archetype, export->component);
        bool is_split = slot_is_split(archetype, slot);
        column.number = slot->column + (is_split ? export->field : 0);
        column.stride = archetype->columns[column.number].size;
        column.offset = is_split ? 0 : export->offset;
    }
    return column;
}

static void show_fixed(struct tensor *tensor, const struct cosm_batch *batch,
                       const struct store *store) {
    const struct export *export = tensor->export;
    cosm_tensor *shown = &tensor->shown;
    struct export_column column = find_column(export, store->archetype);
    show_value(shown, export, 2);
    shown->kind = COSM_TENSOR_FIXED;
    shown->data = (char *)store_table(store, 0)->columns[column.number] + column.offset;
    shown->shape[0] = batch->world_count;
    shown->strides[0] = (int64_t)store->fixed_max * column.stride;
    shown->shape[1] = store->fixed_max;
    shown->strides[1] = column.stride;
    shown->counts = store->counts;
}

static cosm_result make_shown(struct tensor *tensor, struct cosm_batch *batch, const char *call) {
    const struct export *export = tensor->export;
    if (export->singleton != 0) {
        show_singleton(tensor, batch);
        return COSM_OK;
    }
    struct archetype *archetype = schema_archetype(batch->schema, export->desc.archetype.id);
    if (archetype != NULL && archetype->placement == COSM_PLACEMENT_FIXED &&
        archetype->shared_count == 0) {
        struct store *store = cosmi_batch_make_store(batch, call, archetype);
        if (store == NULL) {
            return cosm_error_result();
        }
        show_fixed(tensor, batch, store);
        return COSM_OK;
    }
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT, "%s: not yet", call);
}

cosm_result cosmi_tensor_make(struct cosm_batch *batch, const char *call,
                              const struct export *export) {
    struct tensor *tensor =
        cosmi_memory_take_zeroed(&batch->memory, sizeof(*tensor), _Alignof(struct tensor));
    if (tensor == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    tensor->export = export;
    tensor->shown.slot = export->desc.slot;
    tensor->shown.name = export->desc.name;
    tensor->shown.direction = export->desc.direction;
    cosm_result result = make_shown(tensor, batch, call);
    if (result != COSM_OK) {
        cosmi_memory_give(&batch->memory, tensor, sizeof(*tensor), _Alignof(struct tensor));
        return result;
    }
    batch->tensors[export->desc.slot] = &tensor->shown;
    return COSM_OK;
}

void cosmi_tensor_free(struct cosm_batch *batch, uint32_t slot) {
    struct tensor *tensor = (struct tensor *)batch->tensors[slot];
    if (tensor != NULL) {
        batch->tensors[slot] = NULL;
        cosmi_memory_give(&batch->memory, tensor, sizeof(*tensor), _Alignof(struct tensor));
    }
}

void cosmi_tensors_free(struct cosm_batch *batch) {
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX; slot++) {
        cosmi_tensor_free(batch, slot);
    }
}
