// Draws actions. Tensors are gone through by their shapes and strides, world by world, so that any
// kind of slot will do: singletons, fixed and gathered rows, fields in the middle of a struct.
#include "actions.h"

#include <math.h>
#include <string.h>

// The rows that a world has in a tensor.
struct stretch {
    char *data;
    uint32_t row_count;
    size_t row_stride;
    uint32_t first_dim; // of those within a row
};

static struct stretch stretch_of(const cosm_tensor *tensor, uint32_t world) {
    char *data = tensor->data;
    switch (tensor->kind) {
    case COSM_TENSOR_FIXED:
        return (struct stretch){data + ((size_t)tensor->strides[0] * world), tensor->counts[world],
                                (size_t)tensor->strides[1], 2};
    case COSM_TENSOR_ROWS:
        return (struct stretch){data +
                                    ((size_t)tensor->strides[0] * (size_t)tensor->offsets[world]),
                                (uint32_t)(tensor->offsets[world + 1] - tensor->offsets[world]),
                                (size_t)tensor->strides[0], 1};
    default:
        return (struct stretch){data + ((size_t)tensor->strides[0] * world), 1, 0, 1};
    }
}

static uint32_t scalar_count(const cosm_tensor *tensor, uint32_t first_dim) {
    int64_t count = 1;
    for (uint32_t i = first_dim; i < tensor->dim_count; i++) {
        count *= tensor->shape[i];
    }
    return (uint32_t)count;
}

// Where scalar number `index` of a row is, in bytes from its beginning.
static size_t scalar_offset(const cosm_tensor *tensor, uint32_t first_dim, uint32_t index) {
    size_t offset = 0;
    for (uint32_t i = tensor->dim_count; i > first_dim; i--) {
        uint32_t length = (uint32_t)tensor->shape[i - 1];
        offset += (size_t)(index % length) * (size_t)tensor->strides[i - 1];
        index /= length;
    }
    return offset;
}

// Writes an integer of any type. Values are in the range that the type has.
static void write_integer(char *place, cosm_field_type type, int64_t value) {
    switch (cosm_field_type_size(type)) {
    case 1:
        *place = (char)value;
        break;
    case 2:
        memcpy(place, &(int16_t){(int16_t)value}, 2);
        break;
    case 4:
        memcpy(place, &(int32_t){(int32_t)value}, 4);
        break;
    default:
        memcpy(place, &value, 8);
        break;
    }
}

// A number of the range, or from -1 to 1 where there is none.
static void write_number(char *place, const cosm_space *space, cosm_random *random) {
    bool is_told = isfinite(space->low) && isfinite(space->high);
    double low = is_told ? space->low : -1.0;
    double high = is_told ? space->high : 1.0;
    double value = low + (high - low) * cosm_random_double(random);
    if (space->type == COSM_FIELD_F32) {
        memcpy(place, &(float){(float)value}, sizeof(float));
    } else {
        memcpy(place, &value, sizeof(double));
    }
}

// A whole number of the range. One that is too wide to count in a double is that of a type of 64
// bits, all of which will do.
static int64_t draw_integer(const cosm_space *space, cosm_random *random) {
    double count = space->high - space->low + 1.0;
    if (count >= 9007199254740992.0) {
        return (int64_t)cosm_random_u64(random);
    }
    return (int64_t)(space->low + floor(cosm_random_double(random) * count));
}

// One of `count` choices; `allowed` (NULL: all are) has a row of the mask, which begins at scalar
// `first`. Zero where none is allowed.
static uint32_t choose(uint32_t count, const cosm_tensor *mask, const struct stretch *allowed,
                       uint32_t row, uint32_t first, cosm_random *random) {
    if (mask == NULL || row >= allowed->row_count) {
        return cosm_random_below(random, count);
    }
    const char *base = allowed->data + (allowed->row_stride * row);
    uint32_t open_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        open_count += base[scalar_offset(mask, allowed->first_dim, first + i)] != 0;
    }
    uint32_t left = cosm_random_below(random, open_count);
    for (uint32_t i = 0; i < count && open_count > 0; i++) {
        if (base[scalar_offset(mask, allowed->first_dim, first + i)] != 0 && left-- == 0) {
            return i;
        }
    }
    return 0;
}

// What is the same for all worlds of a slot.
struct drawing {
    const cosm_tensor *tensor;
    const cosm_tensor *mask; // NULL: none
    cosm_space space;
};

static void draw_world(const struct drawing *drawing, uint32_t world, cosm_random *random) {
    const cosm_tensor *tensor = drawing->tensor;
    const cosm_space *space = &drawing->space;
    struct stretch rows = stretch_of(tensor, world);
    struct stretch allowed = {0};
    if (drawing->mask != NULL) {
        allowed = stretch_of(drawing->mask, world);
    }
    uint32_t count = scalar_count(tensor, rows.first_dim);
    for (uint32_t row = 0; row < rows.row_count; row++) {
        for (uint32_t i = 0; i < count; i++) {
            char *place =
                rows.data + (rows.row_stride * row) + scalar_offset(tensor, rows.first_dim, i);
            if (space->choice_count > 0) {
                uint32_t choice = choose(space->choice_count, drawing->mask, &allowed, row,
                                         i * space->choice_count, random);
                write_integer(place, space->type, choice);
            } else if (space->type == COSM_FIELD_F32 || space->type == COSM_FIELD_F64) {
                write_number(place, space, random);
            } else {
                write_integer(place, space->type, draw_integer(space, random));
            }
        }
    }
}

// The mask of an action; NULL: none. That it fits was checked when the simulation was made.
static const cosm_tensor *mask_of(const cosm_sim *sim, uint32_t action) {
    const cosm_env_slot *slots = cosm_sim_env(sim)->slots;
    for (uint32_t i = 0; i < COSM_LIST_MAX && slots[i].role != COSM_ROLE_NONE; i++) {
        if (cosm_sim_mask_action(sim, slots[i].slot) == action) {
            return cosm_batch_tensor(cosm_sim_batch(sim), slots[i].slot);
        }
    }
    return NULL;
}

void actions_draw(cosm_sim *sim, uint64_t seed, uint64_t step) {
    const cosm_env_desc *env = cosm_sim_env(sim);
    cosm_batch *batch = cosm_sim_batch(sim);
    uint32_t worlds = cosm_batch_world_count(batch);
    for (uint32_t i = 0; i < COSM_LIST_MAX && env->slots[i].role != COSM_ROLE_NONE; i++) {
        if (env->slots[i].role != COSM_ROLE_ACTION) {
            continue;
        }
        struct drawing drawing = {.tensor = cosm_batch_tensor(batch, env->slots[i].slot)};
        if (drawing.tensor == NULL || !cosm_sim_space(sim, env->slots[i].slot, &drawing.space)) {
            continue;
        }
        drawing.mask = mask_of(sim, env->slots[i].slot);
        for (uint32_t world = 0; world < worlds; world++) {
            // 24 bits of the world's number, 8 of slot, and steps above them. What is above the 24
            // makes other seeds.
            uint64_t number = cosm_world_number(cosm_batch_world(batch, world));
            uint64_t stream =
                (step << 32) | ((uint64_t)env->slots[i].slot << 24) | (number & 0xFFFFFFu);
            uint64_t far = (number >> 24) * 0x9E3779B97F4A7C15u;
            cosm_random random = cosm_random_seed(seed ^ far, stream);
            draw_world(&drawing, world, &random);
        }
    }
}
