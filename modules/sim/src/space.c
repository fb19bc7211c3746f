// Spaces and parameters: what values a slot may have, and setting those of singletons.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim.h"

#define NAME_LIST_SIZE 400 // of a message; names that find no room in it are left out

static bool is_integer(cosm_field_type type) {
    return type >= COSM_FIELD_I8 && type <= COSM_FIELD_U64;
}

// The range of a type's values.
static void type_range(cosm_field_type type, double *low, double *high) {
    static const double lows[] = {
        [COSM_FIELD_I8] = -128.0,
        [COSM_FIELD_I16] = -32768.0,
        [COSM_FIELD_I32] = -2147483648.0,
        [COSM_FIELD_I64] = -9223372036854775808.0,
    };
    static const double highs[] = {
        [COSM_FIELD_I8] = 127.0,         [COSM_FIELD_I16] = 32767.0,
        [COSM_FIELD_I32] = 2147483647.0, [COSM_FIELD_I64] = 9223372036854775807.0,
        [COSM_FIELD_U8] = 255.0,         [COSM_FIELD_U16] = 65535.0,
        [COSM_FIELD_U32] = 4294967295.0, [COSM_FIELD_U64] = 18446744073709551615.0,
    };
    if (is_integer(type)) {
        *low = type <= COSM_FIELD_I64 ? lows[type] : 0.0;
        *high = highs[type];
    } else if (type == COSM_FIELD_BOOL) {
        *low = 0.0;
        *high = 1.0;
    } else {
        *low = -(double)INFINITY;
        *high = (double)INFINITY;
    }
}

// How many labels there are, where they are those of 0 to n - 1; else zero.
static uint32_t label_choices(const cosm_labels *labels) {
    if (labels == NULL || labels->kind != COSM_LABELS_ENUM) {
        return 0;
    }
    for (uint32_t value = 0; value < labels->count; value++) {
        bool found = false;
        for (uint32_t i = 0; i < labels->count && !found; i++) {
            found = labels->items[i].value == (int64_t)value;
        }
        if (!found) {
            return 0;
        }
    }
    return labels->count;
}

static cosm_space field_space(const cosm_field *field, cosm_field_type type) {
    cosm_space space = {.type = type};
    type_range(type, &space.low, &space.high);
    bool is_whole = is_integer(type) || type == COSM_FIELD_BOOL;
    if (type == COSM_FIELD_BOOL) {
        space.choice_count = 2;
    }
    if (field == NULL || field->type == COSM_FIELD_ENTITY || field->type == COSM_FIELD_CHAR) {
        return space;
    }
    if (field->min < field->max) {
        space.low = field->min;
        space.high = field->max;
        bool counts = is_whole && field->min == 0.0 && field->max < 4294967295.0 &&
                      floor(field->max) == field->max;
        space.choice_count = counts ? (uint32_t)field->max + 1 : 0;
    } else if (is_whole && label_choices(field->labels) > 0) {
        space.choice_count = label_choices(field->labels);
        space.low = 0.0;
        space.high = (double)(space.choice_count - 1);
    }
    return space;
}

// The fields that an export shows, one after the other; NULL where the value has none.
static const cosm_field *shown_fields(const cosm_engine *engine, const cosm_export_desc *desc,
                                      uint32_t *out_count) {
    bool is_singleton = desc->singleton.id != 0;
    cosm_singleton_info singleton = cosm_singleton_describe(engine, desc->singleton);
    cosm_component_info component = cosm_component_describe(engine, desc->component);
    const cosm_field *fields = is_singleton ? singleton.fields : component.fields;
    uint32_t count = is_singleton ? singleton.field_count : component.field_count;
    uint32_t first = desc->field == NULL ? 0 : cosm_field_find(fields, count, desc->field);
    if (first >= count) {
        *out_count = 0;
        return NULL;
    }
    uint32_t all = desc->field == NULL ? count : 1;
    *out_count = desc->field_count == 0 ? all : desc->field_count;
    return &fields[first];
}

bool cosm_sim_space(const cosm_sim *sim, uint32_t slot, cosm_space *out_space) {
    cosm_export_desc desc;
    if (sim == NULL || out_space == NULL || !cosm_export_describe(sim->engine, slot, &desc)) {
        return false;
    }
    const cosm_tensor *tensor = cosm_batch_tensor(sim->batch, slot);
    if (tensor == NULL) {
        return false;
    }
    uint32_t count = 0;
    const cosm_field *fields = desc.entities ? NULL : shown_fields(sim->engine, &desc, &count);
    cosm_space space = field_space(fields, tensor->type);
    for (uint32_t f = 1; f < count; f++) {
        // Several fields side by side: what holds for all of them.
        cosm_space other = field_space(&fields[f], tensor->type);
        space.low = other.low < space.low ? other.low : space.low;
        space.high = other.high > space.high ? other.high : space.high;
        space.choice_count = other.choice_count == space.choice_count ? space.choice_count : 0;
    }
    *out_space = space;
    return true;
}

// Scalars of a row, as the tensor shows them.
static uint32_t row_size(const cosm_tensor *tensor) {
    uint32_t size = 1;
    for (uint32_t d = tensor->kind == COSM_TENSOR_FIXED ? 2 : 1; d < tensor->dim_count; d++) {
        size *= (uint32_t)tensor->shape[d];
    }
    return size;
}

bool cosm_sim_space_at(const cosm_sim *sim, uint32_t slot, uint32_t scalar, cosm_space *out_space) {
    cosm_export_desc desc;
    cosm_space space;
    if (!cosm_sim_space(sim, slot, &space) || out_space == NULL ||
        !cosm_export_describe(sim->engine, slot, &desc)) {
        return false;
    }
    const cosm_tensor *tensor = cosm_batch_tensor(sim->batch, slot);
    if (scalar >= row_size(tensor)) {
        return false;
    }
    uint32_t count = 0;
    const cosm_field *fields = desc.entities ? NULL : shown_fields(sim->engine, &desc, &count);
    for (uint32_t f = 0; f < count; f++) {
        const cosm_field *field = &fields[f];
        uint32_t size = cosm_field_element_count(field);
        size *= field->type == COSM_FIELD_ENTITY ? 2 : 1; // generation and id
        if (scalar < size) {
            space = field_space(field, tensor->type);
            break;
        }
        scalar -= size;
    }
    *out_space = space;
    return true;
}

// Writes a number as a scalar of a type; false where it cannot be one.
static bool put_scalar(cosm_field_type type, double value, void *target) {
    double low;
    double high;
    type_range(type, &low, &high);
    bool is_whole = is_integer(type) || type == COSM_FIELD_BOOL;
    if (is_whole && (!(value >= low && value <= high) || floor(value) != value)) {
        return false;
    }
    if (type == COSM_FIELD_F32) {
        float narrow = (float)value;
        memcpy(target, &narrow, sizeof(narrow));
    } else if (type == COSM_FIELD_F64) {
        memcpy(target, &value, sizeof(value));
    } else if (value < 0.0) {
        int64_t number = (int64_t)value;
        memcpy(target, &number, cosm_field_type_size(type)); // little-endian, as all we run on
    } else {
        // The largest doubles of 64 bits round up to a power of two that is not theirs any more.
        uint64_t number = value >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)value;
        number = type == COSM_FIELD_I64 && number > INT64_MAX ? INT64_MAX : number;
        memcpy(target, &number, cosm_field_type_size(type));
    }
    return true;
}

// Sets all scalars of a world from dimension `d` on.
static void fill(const cosm_tensor *tensor, char *target, const void *scalar, uint32_t d) {
    if (d == tensor->dim_count) {
        memcpy(target, scalar, cosm_field_type_size(tensor->type));
        return;
    }
    for (int64_t i = 0; i < tensor->shape[d]; i++) {
        fill(tensor, target + i * tensor->strides[d], scalar, d + 1);
    }
}

static cosm_result refuse_value(const struct cosm_sim *sim, const char *call,
                                const cosm_sim_param *param, double value, uint32_t world,
                                const cosm_space *space) {
    bool is_whole = is_integer(space->type) || space->type == COSM_FIELD_BOOL;
    return cosm_error_raise(
        sim->engine, COSM_ERROR_ARGUMENT,
        "%s: parameter '%s' is %g in world %u; it is of type %s: pass a %snumber from %g to %g",
        call, param->name, value, world, cosm_field_type_name(space->type),
        is_whole ? "whole " : "", space->low, space->high);
}

// The slot of a parameter, by its name.
static uint32_t find_param(const struct cosm_sim *sim, const char *name) {
    uint32_t slot = cosm_export_find(sim->engine, name);
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        if (sim->env->slots[s].slot == slot && sim->env->slots[s].role == COSM_ROLE_PARAMETER) {
            return slot;
        }
    }
    return COSM_EXPORT_SLOT_NONE;
}

// Changes of one letter that make `b` of `a`, at most `limit`; limit + 1 if more.
static uint32_t count_changes(const char *a, const char *b, uint32_t limit) {
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    if (*a == '\0' && *b == '\0') {
        return 0;
    }
    if (limit == 0) {
        return 1;
    }
    uint32_t least = *a != '\0' && *b != '\0' ? count_changes(a + 1, b + 1, limit - 1) : limit;
    uint32_t less = *a != '\0' ? count_changes(a + 1, b, limit - 1) : limit;
    least = less < least ? less : least;
    less = *b != '\0' ? count_changes(a, b + 1, limit - 1) : limit;
    return 1 + (less < least ? less : least);
}

// Says which parameters there are, and which one was meant, if one is near.
static cosm_result refuse_name(const struct cosm_sim *sim, const char *call, const char *name) {
    char names[NAME_LIST_SIZE] = "";
    size_t length = 0;
    const char *near = NULL;
    uint32_t limit = strlen(name) < 3 ? 1 : 2;
    for (uint32_t s = 0; s < sim->slot_count; s++) {
        cosm_export_desc desc;
        if (sim->env->slots[s].role != COSM_ROLE_PARAMETER ||
            !cosm_export_describe(sim->engine, sim->env->slots[s].slot, &desc)) {
            continue;
        }
        int added = snprintf(names + length, sizeof(names) - length, "%s%s",
                             length == 0 ? "" : ", ", desc.name);
        length += (size_t)added < sizeof(names) - length ? (size_t)added : 0;
        uint32_t changes = count_changes(name, desc.name, limit);
        if (changes <= limit) {
            near = desc.name;
            limit = changes == 0 ? 0 : changes - 1;
        }
    }
    return cosm_error_raise(
        sim->engine, COSM_ERROR_ARGUMENT, "%s: environment '%s' has no parameter '%s'; %s%s%s%s%s",
        call, sim->env->name, name, length == 0 ? "it has none" : "its parameters are: ", names,
        near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
}

cosm_result cosmi_sim_set(struct cosm_sim *sim, const char *call, const cosm_sim_param *param) {
    if (param->name == NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: the name of a parameter is NULL; pass the name of its slot",
                                call);
    }
    uint32_t slot = find_param(sim, param->name);
    cosm_space space;
    if (slot == COSM_EXPORT_SLOT_NONE || !cosm_sim_space(sim, slot, &space)) {
        return refuse_name(sim, call, param->name);
    }
    uint64_t scalar = 0;
    for (uint32_t w = 0; w < (param->values == NULL ? 1 : sim->world_count); w++) {
        double value = param->values == NULL ? param->value : param->values[w];
        if (!(value >= space.low && value <= space.high) ||
            !put_scalar(space.type, value, &scalar)) {
            return refuse_value(sim, call, param, value, w, &space);
        }
    }
    const cosm_tensor *tensor = cosm_batch_tensor(sim->batch, slot);
    for (uint32_t w = 0; w < sim->world_count; w++) {
        double value = param->values == NULL ? param->value : param->values[w];
        (void)put_scalar(space.type, value, &scalar);
        fill(tensor, (char *)tensor->data + (int64_t)w * tensor->strides[0], &scalar, 1);
    }
    return COSM_OK;
}

cosm_result cosm_sim_set(cosm_sim *sim, const cosm_sim_param *param) {
    static const char call[] = "cosm_sim_set";
    if (sim == NULL || param == NULL) {
        return cosm_error_raise(sim == NULL ? NULL : sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: %s is NULL; pass both", call, sim == NULL ? "sim" : "param");
    }
    return cosmi_sim_set(sim, call, param);
}
