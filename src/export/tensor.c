// Tensors: the slots of a batch, made to show values where they are. Copies are made in gather.c.
#include "export/export.h"

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

struct export_column cosmi_export_column(const struct export *export,
                                         const struct archetype *archetype) {
    struct export_column column = {ENTITY_COLUMN, sizeof(cosm_entity), 0, 0};
    if (export->component != 0) {
        const struct column_slot *slot = archetype_find(archetype, export->component);
        bool is_split = slot_is_split(archetype, slot);
        column.number = slot->column + (is_split ? export->field : 0);
        column.stride = archetype->columns[column.number].size;
        column.offset = is_split ? 0 : export->offset;
        column.part_count = is_split ? export->field_count : 0;
    }
    return column;
}

// The outside may write into a column where it is, or can: no call stands between.
static void open_to_outside(struct tensor *tensor, struct cosm_batch *batch, struct store *store) {
    const struct export *export = tensor->export;
    if (export->component != 0) {
        struct open_column **list = export->desc.direction != COSM_DIRECTION_OUT
                                        ? &batch->open_columns
                                        : &batch->shown_columns;
        tensor->open =
            (struct open_column){*list, store, store_find(store, export->component)->column};
        *list = &tensor->open;
    }
}

static void close_to_outside(struct open_column **list, const struct tensor *tensor) {
    while (*list != NULL && *list != &tensor->open) {
        list = &(*list)->next;
    }
    if (*list != NULL) {
        *list = tensor->open.next;
    }
}

static void make_fixed_tensor(struct tensor *tensor, struct cosm_batch *batch,
                              struct store *store) {
    const struct export *export = tensor->export;
    cosm_tensor *shown = &tensor->shown;
    struct export_column column = cosmi_export_column(export, store->archetype);
    show_value(shown, export, 2);
    shown->kind = COSM_TENSOR_FIXED;
    shown->data = (char *)store_table(store, 0)->columns[column.number] + column.offset;
    shown->shape[0] = batch->world_count;
    shown->strides[0] = (int64_t)store->fixed_max * column.stride;
    shown->shape[1] = store->fixed_max;
    shown->strides[1] = column.stride;
    shown->counts = store->counts;
    open_to_outside(tensor, batch, store);
}

static size_t offsets_size(const struct cosm_batch *batch) {
    return ((size_t)batch->world_count + 1) * sizeof(int64_t);
}

// Rows of a growing archetype, in a batch of one world.
static cosm_result make_pinned_tensor(struct tensor *tensor, struct cosm_batch *batch,
                                      const char *call, struct store *store) {
    const struct export *export = tensor->export;
    cosm_tensor *shown = &tensor->shown;
    if (!cosmi_store_pin(batch_source(batch), store)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    tensor->pinned = store;
    struct export_column column = cosmi_export_column(export, store->archetype);
    shown->data = (char *)store_table(store, 0)->columns[column.number] + column.offset;
    shown->strides[0] = column.stride;
    tensor->offsets[1] = store->counts[0];
    open_to_outside(tensor, batch, store);
    return COSM_OK;
}

static cosm_result make_row_tensor(struct tensor *tensor, struct cosm_batch *batch,
                                   const char *call, struct store *store) {
    cosm_tensor *shown = &tensor->shown;
    show_value(shown, tensor->export, 1);
    shown->kind = COSM_TENSOR_ROWS;
    shown->strides[0] = tensor->export->item_size;
    tensor->offsets =
        cosmi_memory_alloc_zeroed(&batch->memory, offsets_size(batch), TENSOR_ALIGNMENT);
    if (tensor->offsets == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    shown->offsets = tensor->offsets;
    bool is_pinned =
        store != NULL && batch->world_count == 1 && store->archetype->shared_count == 0;
    shown->is_gathered = !is_pinned;
    cosm_result result = is_pinned ? make_pinned_tensor(tensor, batch, call, store)
                                   : cosmi_gathered_make(batch, call, tensor);
    if (result == COSM_OK) {
        shown->shape[0] = tensor->offsets[batch->world_count];
        tensor->next = batch->row_tensors;
        batch->row_tensors = tensor;
    }
    return result;
}

static cosm_result make_shown(struct tensor *tensor, struct cosm_batch *batch, const char *call) {
    const struct export *export = tensor->export;
    if (export->singleton != 0) {
        show_singleton(tensor, batch);
        return COSM_OK;
    }
    struct archetype *archetype = schema_archetype(batch->schema, export->desc.archetype.id);
    struct store *store = archetype == NULL ? NULL : cosmi_batch_make_store(batch, call, archetype);
    if (archetype != NULL && store == NULL) {
        return cosm_error_result();
    }
    bool is_fixed = store != NULL && store->fixed_max != 0 && archetype->shared_count == 0;
    if (!is_fixed) {
        return make_row_tensor(tensor, batch, call, store);
    }
    make_fixed_tensor(tensor, batch, store);
    return COSM_OK;
}

// Takes a tensor out of the lists of its batch, and gives back all that it has.
static void end_tensor(struct cosm_batch *batch, struct tensor *tensor) {
    close_to_outside(&batch->open_columns, tensor);
    close_to_outside(&batch->shown_columns, tensor);
    for (struct tensor **at = &batch->row_tensors; *at != NULL;) {
        if (*at == tensor) {
            *at = tensor->next;
        } else {
            at = &(*at)->next;
        }
    }
    if (tensor->pinned != NULL) {
        cosmi_store_unpin(tensor->pinned);
    }
    cosmi_gathered_free(batch, tensor);
    if (tensor->offsets != NULL) {
        cosmi_memory_free(&batch->memory, tensor->offsets, offsets_size(batch), TENSOR_ALIGNMENT);
    }
    cosmi_memory_free(&batch->memory, tensor, sizeof(*tensor), _Alignof(struct tensor));
}

cosm_result cosmi_tensor_make(struct cosm_batch *batch, const char *call,
                              const struct export *export) {
    struct tensor *tensor =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*tensor), _Alignof(struct tensor));
    if (tensor == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    tensor->export = export;
    tensor->shown.slot = export->desc.slot;
    tensor->shown.name = export->desc.name;
    tensor->shown.direction = export->desc.direction;
    cosm_result result = make_shown(tensor, batch, call);
    if (result != COSM_OK) {
        end_tensor(batch, tensor);
        return result;
    }
    batch->tensors[export->desc.slot] = &tensor->shown;
    return COSM_OK;
}

void cosmi_tensor_free(struct cosm_batch *batch, uint32_t slot) {
    struct tensor *tensor = (struct tensor *)batch->tensors[slot];
    if (tensor != NULL) {
        batch->tensors[slot] = NULL;
        end_tensor(batch, tensor);
    }
}

void cosmi_tensors_free(struct cosm_batch *batch) {
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX; slot++) {
        cosmi_tensor_free(batch, slot);
    }
}
