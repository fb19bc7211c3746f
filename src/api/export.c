// The public calls of cosm/export.h.
#include "api/check.h"

// Gives the slot to every batch there is, or to none.
static cosm_result make_tensors(struct cosm_engine *engine, const char *call,
                                const struct export *export) {
    for (struct cosm_batch *batch = engine->batches; batch != NULL; batch = batch->next) {
        cosm_result result = cosmi_tensor_make(batch, call, export);
        if (result != COSM_OK) {
            for (struct cosm_batch *made = engine->batches; made != batch; made = made->next) {
                cosmi_tensor_free(made, export->desc.slot);
            }
            return result;
        }
    }
    return COSM_OK;
}

cosm_result cosm_export_define(cosm_engine *engine, const cosm_export_desc *desc) {
    static const char call[] = "cosm_export_define";
    if (engine == NULL || desc == NULL) {
        return cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                 engine == NULL ? "engine" : "desc", "pass both");
    }
    struct export_list *list = &engine->exports;
    cosmi_mutex_lock(&engine->batch_lock);
    struct export *export = NULL;
    cosm_result result = cosmi_export_make(list, &engine->queries, call, desc, &export);
    if (export != NULL) {
        result = make_tensors(engine, call, export);
        if (result == COSM_OK) {
            list->count++;
            atomic_store_explicit(&list->slots[desc->slot], export, memory_order_release);
        } else {
            cosmi_export_drop(export);
        }
    }
    cosmi_mutex_unlock(&engine->batch_lock);
    return result;
}

uint32_t cosm_export_find(const cosm_engine *engine, const char *name) {
    return engine == NULL || name == NULL ? COSM_EXPORT_SLOT_NONE
                                          : cosmi_export_find(&engine->exports, name);
}

uint32_t cosm_export_count(const cosm_engine *engine) {
    return engine == NULL ? 0 : engine->exports.count;
}

bool cosm_export_describe(const cosm_engine *engine, uint32_t slot, cosm_export_desc *out_desc) {
    const struct export *export = engine == NULL ? NULL : export_at(&engine->exports, slot);
    if (export == NULL || out_desc == NULL) {
        return false;
    }
    *out_desc = export->desc;
    return true;
}

const cosm_tensor *cosm_batch_tensor(const cosm_batch *batch, uint32_t slot) {
    return batch == NULL || slot >= COSM_EXPORT_SLOT_MAX ? NULL : batch->tensors[slot];
}
