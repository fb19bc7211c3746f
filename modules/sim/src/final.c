// Finals: what worlds that begin anew within a step showed before.
#include <string.h>

#include "sim.h"

static size_t scalar_size(const cosm_tensor *tensor) {
    return cosm_field_type_size(tensor->type);
}

// Lets the strides of a tensor be those of scalars side by side; returns the bytes of one row.
static size_t pack_strides(cosm_tensor *tensor) {
    int64_t stride = (int64_t)scalar_size(tensor);
    for (uint32_t d = tensor->dim_count; d-- > 0;) {
        tensor->strides[d] = stride;
        stride *= d == 0 ? 1 : tensor->shape[d];
    }
    return (size_t)stride;
}

static bool is_packed(const cosm_tensor *tensor, const cosm_tensor *packed) {
    for (uint32_t d = 0; d < tensor->dim_count; d++) {
        if (tensor->strides[d] != packed->strides[d]) {
            return false;
        }
    }
    return true;
}

// Makes room for so many rows. Where there was less before the address changes; whoever still looks
// at the old one goes on reading what was there.
static cosm_result make_room(struct cosm_sim *sim, const char *call, struct final *final,
                             size_t row_count) {
    size_t size = final->row_size * (row_count == 0 ? 1 : row_count);
    if (size <= final->data_size) {
        return COSM_OK;
    }
    // At least twice as much as before: all that was retired together is less than what is in use.
    size = size < 2 * final->data_size ? 2 * final->data_size : size;
    void *data = cosmi_sim_take(sim, call, size);
    if (data == NULL) {
        return COSM_ERROR_MEMORY;
    }
    if (final->data_size != 0) {
        final->retired[final->retired_count++] =
            (struct retired){final->tensor.data, final->data_size};
    }
    final->tensor.data = data;
    final->data_size = size;
    return COSM_OK;
}

static cosm_result make_final(struct cosm_sim *sim, const char *call, struct final *final,
                              uint32_t slot) {
    const cosm_tensor *tensor = cosm_batch_tensor(sim->batch, slot);
    final->tensor = *tensor;
    final->tensor.data = NULL;
    final->tensor.direction = COSM_DIRECTION_OUT;
    final->tensor.is_gathered = true;
    final->tensor.offsets = NULL;
    final->row_size = pack_strides(&final->tensor);
    if (tensor->kind == COSM_TENSOR_FIXED) {
        final->counts = cosmi_sim_take(sim, call, (size_t)sim->world_count * sizeof(uint32_t));
        if (final->counts == NULL) {
            return COSM_ERROR_MEMORY;
        }
        final->tensor.counts = final->counts;
    }
    if (tensor->kind == COSM_TENSOR_ROWS) {
        final->offsets =
            cosmi_sim_take(sim, call, ((size_t)sim->world_count + 1) * sizeof(int64_t));
        if (final->offsets == NULL) {
            return COSM_ERROR_MEMORY;
        }
        final->tensor.offsets = final->offsets;
        final->tensor.shape[0] = 0;
    }
    return make_room(sim, call, final, (size_t) final->tensor.shape[0]);
}

// Observations are kept. The new episode of a world may have fewer agents than the last one, so
// where there can be several, what is told of each one and who it was is kept too.
static bool is_kept(const struct cosm_sim *sim, const cosm_env_slot *slot) {
    bool has_many = !sim->agents.is_singleton && sim->agents.max != 1;
    cosm_export_desc desc;
    switch (slot->role) {
    case COSM_ROLE_OBSERVATION:
        return true;
    case COSM_ROLE_REWARD:
    case COSM_ROLE_TERMINATED:
    case COSM_ROLE_TRUNCATED:
    case COSM_ROLE_AGENT_MASK:
        return has_many;
    case COSM_ROLE_INFO:
        return has_many && cosm_export_describe(sim->engine, slot->slot, &desc) && desc.entities;
    default:
        return false;
    }
}

cosm_result cosmi_sim_make_finals(struct cosm_sim *sim, const char *call) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        count += is_kept(sim, &sim->env->slots[s]);
    }
    sim->finals = cosmi_sim_take(sim, call, count * sizeof(struct final));
    if (sim->finals == NULL) {
        return COSM_ERROR_MEMORY;
    }
    sim->final_count = count;
    cosm_result result = COSM_OK;
    uint32_t f = 0;
    for (uint32_t s = 0; s < sim->slot_count && result == COSM_OK; s++) {
        if (is_kept(sim, &sim->env->slots[s])) {
            result = make_final(sim, call, &sim->finals[f++], sim->env->slots[s].slot);
        }
    }
    return result;
}

void cosmi_sim_free_finals(struct cosm_sim *sim) {
    for (uint32_t f = 0; f < sim->final_count; f++) {
        struct final *final = &sim->finals[f];
        cosmi_sim_give(sim, final->tensor.data, final->data_size);
        for (uint32_t r = 0; r < final->retired_count; r++) {
            cosmi_sim_give(sim, final->retired[r].data, final->retired[r].size);
        }
        cosmi_sim_give(sim, final->counts, (size_t)sim->world_count * sizeof(uint32_t));
        cosmi_sim_give(sim, final->offsets, ((size_t)sim->world_count + 1) * sizeof(int64_t));
    }
    cosmi_sim_give(sim, sim->finals, sim->final_count * sizeof(struct final));
    sim->finals = NULL;
    sim->final_count = 0;
}

// Copies from dimension `d` on; scalars side by side go in one piece.
static void copy_scalars(const cosm_tensor *from, const char *source, const cosm_tensor *to,
                         char *target, uint32_t d) {
    if (d == from->dim_count) {
        memcpy(target, source, scalar_size(from));
        return;
    }
    for (int64_t i = 0; i < from->shape[d]; i++) {
        copy_scalars(from, source + i * from->strides[d], to, target + i * to->strides[d], d + 1);
    }
}

static void copy_rows(const cosm_tensor *from, struct final *final, size_t first, size_t count) {
    bool packed = is_packed(from, &final->tensor);
    const char *source = (const char *)from->data + (int64_t)first * from->strides[0];
    char *target = (char *) final->tensor.data + (int64_t)first * final->tensor.strides[0];
    if (packed) {
        memcpy(target, source, count * final->row_size);
        return;
    }
    for (size_t r = 0; r < count; r++) {
        copy_scalars(from, source, &final->tensor, target, 1);
        source += from->strides[0];
        target += final->tensor.strides[0];
    }
}

cosm_result cosmi_sim_keep_finals(struct cosm_sim *sim, const char *call, uint32_t count) {
    for (uint32_t f = 0; f < sim->final_count; f++) {
        struct final *final = &sim->finals[f];
        const cosm_tensor *from = cosm_batch_tensor(sim->batch, final->tensor.slot);
        bool is_rows = from->kind == COSM_TENSOR_ROWS;
        if (is_rows) {
            cosm_result result = make_room(sim, call, final, (size_t)from->shape[0]);
            if (result != COSM_OK) {
                return result;
            }
            final->tensor.shape[0] = from->shape[0];
            memcpy(final->offsets, from->offsets, ((size_t)sim->world_count + 1) * sizeof(int64_t));
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t w = sim->list[i];
            if (final->counts != NULL) {
                final->counts[w] = from->counts[w];
            }
            size_t first = is_rows ? (size_t)from->offsets[w] : w;
            size_t rows = is_rows ? (size_t)(from->offsets[w + 1] - from->offsets[w]) : 1;
            copy_rows(from, final, first, rows);
        }
    }
    return COSM_OK;
}

const cosm_tensor *cosm_sim_final(const cosm_sim *sim, uint32_t slot) {
    for (uint32_t f = 0; sim != NULL && f < sim->final_count; f++) {
        if (sim->finals[f].tensor.slot == slot) {
            return &sim->finals[f].tensor;
        }
    }
    return NULL;
}
