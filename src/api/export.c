// The public calls of cosm/export.h.
#include "api/check.h"
#include "api/text.h"
#include "run/step.h"

// Takes a batch for what is done between steps; cosmi_step_unclaim gives it back.
static cosm_result claim_between(struct cosm_batch *batch, const char *call) {
    if (atomic_load(&batch->running)) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running; call it between steps", call);
    }
    return cosmi_step_claim(batch, call);
}

static void let_go(struct cosm_engine *engine, const struct cosm_batch *end) {
    for (struct cosm_batch *batch = engine->batches; batch != end; batch = batch->next) {
        cosmi_step_unclaim(batch);
    }
}

// Takes all batches, of which nobody may run or walk one: tables may have to move for a slot.
static cosm_result claim_all(struct cosm_engine *engine, const char *call) {
    for (struct cosm_batch *batch = engine->batches; batch != NULL; batch = batch->next) {
        cosm_result result = claim_between(batch, call);
        if (result == COSM_OK) {
            result = cosmi_check_unwalked((cosm_worlds){batch, 0, batch->world_count}, call);
            if (result != COSM_OK) {
                cosmi_step_unclaim(batch);
            }
        }
        if (result != COSM_OK) {
            let_go(engine, batch);
            return result;
        }
    }
    return COSM_OK;
}

// Gives the slot to every batch there is, or to none.
static cosm_result offer_slots(struct cosm_engine *engine, const char *call,
                               const struct export *export) {
    cosm_result result = claim_all(engine, call);
    if (result != COSM_OK) {
        return result;
    }
    struct cosm_batch *batch = engine->batches;
    for (; batch != NULL && result == COSM_OK; batch = batch->next) {
        result = cosmi_tensor_make(batch, call, export);
    }
    for (struct cosm_batch *made = engine->batches; result != COSM_OK && made != batch;
         made = made->next) {
        cosmi_tensor_free(made, export->desc.slot);
    }
    let_go(engine, NULL);
    return result;
}

static cosm_result define_export(cosm_engine *engine, const cosm_export_desc *desc,
                                 const char *call) {
    if (engine == NULL || desc == NULL) {
        return cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                 engine == NULL ? "engine" : "desc", "pass both");
    }
    cosm_export_desc by_ids = *desc;
    cosm_query_desc query;
    if (desc->query != NULL) {
        struct where where = cosmi_where(call, desc->name, "desc.query");
        cosm_result read = cosmi_text_query(engine, where.text, desc->query, &query);
        if (read != COSM_OK) {
            return read;
        }
        by_ids.query = &query;
    }
    struct export_list *list = &engine->exports;
    cosmi_mutex_lock(&engine->batch_lock);
    struct export *export = NULL;
    cosm_result result = cosmi_export_make(list, &engine->queries, call, &by_ids, &export);
    if (export != NULL) {
        result = offer_slots(engine, call, export);
        if (result == COSM_OK) {
            list->count++;
            atomic_store_explicit(&list->slots[desc->slot], export, memory_order_release);
        } else {
            cosmi_export_drop(list, export);
        }
    }
    cosmi_mutex_unlock(&engine->batch_lock);
    return result;
}

cosm_result cosm_export_define(cosm_engine *engine, const cosm_export_desc *desc) {
    cosm_result result = define_export(engine, desc, "cosm_export_define");
    (void)cosmi_defined(engine, "export", desc == NULL ? NULL : desc->name, result == COSM_OK);
    return result;
}

uint32_t cosm_export_find(const cosm_engine *engine, const char *name) {
    return engine == NULL || name == NULL ? COSM_EXPORT_SLOT_NONE
                                          : cosmi_export_find(&engine->exports, name);
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
    static const char call[] = "cosm_batch_tensor";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    const cosm_tensor *tensor = slot < COSM_EXPORT_SLOT_MAX ? batch->tensors[slot] : NULL;
    if (UNLIKELY(tensor == NULL)) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: slot %u has no export; define one with cosm_export_define", call,
                         slot);
    }
    return tensor;
}

static cosm_result gather(cosm_batch *batch, const char *call, bool inputs) {
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    // Only reads the worlds, so walks are no matter; a step is.
    cosm_result result = claim_between(batch, call);
    if (result == COSM_OK) {
        result = cosmi_tensors_gather(batch, call, inputs);
        cosmi_step_unclaim(batch);
    }
    return result;
}

cosm_result cosm_batch_gather(cosm_batch *batch) {
    return gather(batch, "cosm_batch_gather", false);
}

cosm_result cosm_batch_gather_inputs(cosm_batch *batch) {
    return gather(batch, "cosm_batch_gather_inputs", true);
}

cosm_result cosm_batch_scatter(cosm_batch *batch) {
    static const char call[] = "cosm_batch_scatter";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    cosm_result result = claim_between(batch, call);
    if (result == COSM_OK) {
        result = cosmi_check_unwalked((cosm_worlds){batch, 0, batch->world_count}, call);
        result = result == COSM_OK ? cosmi_tensors_scatter(batch, call) : result;
        cosmi_step_unclaim(batch);
    }
    return result;
}
