// Moves as they are planned: which scalars two descriptions share, and what became of labels.
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "state/convert_move.h"

static bool move_is_number(cosm_field_type type) {
    return type != COSM_FIELD_ENTITY && type != COSM_FIELD_CHAR;
}

bool cosmi_move_is_possible(const cosm_field *old, const cosm_field *field) {
    return old->type == field->type || (move_is_number(old->type) && move_is_number(field->type));
}

static bool has_same_dims(const cosm_field *a, const cosm_field *b) {
    return memcmp(a->dims, b->dims, sizeof(a->dims)) == 0;
}

// The label of that name, or NULL.
static const cosm_label *find_label(const cosm_labels *labels, const char *name) {
    for (uint32_t i = 0; i < labels->count; i++) {
        if (strcmp(labels->items[i].name, name) == 0) {
            return &labels->items[i];
        }
    }
    return NULL;
}

// Do values have to follow the names of their labels?
static bool labels_have_moved(const cosm_field *old, const cosm_field *field) {
    if (old->labels == NULL || field->labels == NULL || old->labels->kind != field->labels->kind) {
        return false;
    }
    for (uint32_t i = 0; i < old->labels->count; i++) {
        const cosm_label *label = &old->labels->items[i];
        const cosm_label *now = find_label(field->labels, label->name);
        if (now == NULL || now->value != label->value) {
            return true;
        }
    }
    return false;
}

static int compare_ways(const void *a, const void *b) {
    const struct label_way *left = a;
    const struct label_way *right = b;
    if (left->old_bits != right->old_bits) {
        return left->old_bits < right->old_bits ? -1 : 1;
    }
    // Of several names for one value, those that are still there come first, and of these the
    // first.
    if (left->is_gone != right->is_gone) {
        return left->is_gone ? 1 : -1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

static const struct label_map *make_label_map(struct arena *arena, const cosm_field *old,
                                              const cosm_field *field) {
    struct label_map *map = cosmi_arena_alloc(arena, sizeof(*map), _Alignof(struct label_map));
    struct label_way *ways =
        cosmi_arena_alloc(arena, old->labels->count * sizeof(*ways), _Alignof(struct label_way));
    if (map == NULL || ways == NULL) {
        return NULL;
    }
    bool is_mask = old->labels->kind == COSM_LABELS_MASK;
    uint64_t old_mask = is_mask ? type_bits(old->type) : UINT64_MAX;
    uint32_t count = 0;
    for (uint32_t i = 0; i < old->labels->count; i++) {
        const cosm_label *now = find_label(field->labels, old->labels->items[i].name);
        uint64_t bits = (uint64_t)old->labels->items[i].value & old_mask;
        if (is_mask && bits == 0) {
            continue; // "none": there is nothing to follow it
        }
        ways[count++] = (struct label_way){.old_bits = bits,
                                           .new_bits = now == NULL ? 0 : (uint64_t)now->value,
                                           .order = i,
                                           .is_gone = now == NULL};
    }
    if (!is_mask) {
        qsort(ways, count, sizeof(*ways), compare_ways);
    }
    *map = (struct label_map){.is_mask = is_mask, .count = count, .ways = ways};
    return map;
}

static uint32_t shared_length(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t move_rank_of(const cosm_field *field) {
    uint32_t rank = 0;
    while (rank < COSM_FIELD_DIM_MAX && field->dims[rank] != 0) {
        rank++;
    }
    return rank;
}

// The dimensions of a field as loops and, last, a line. They end where the line is, or before the
// room of a text. One that the other field alone has is 1, so that a scalar is the first of an
// array.
static void spread_dims(const cosm_field *field, uint32_t other_rank,
                        uint32_t out_dims[COSM_FIELD_DIM_MAX]) {
    uint32_t rank = move_rank_of(field);
    uint32_t room = field->type == COSM_FIELD_CHAR ? 1 : 0;
    uint32_t first = COSM_FIELD_DIM_MAX - (rank > other_rank ? rank : other_rank);
    for (uint32_t i = 0; i < COSM_FIELD_DIM_MAX; i++) {
        out_dims[i] = i >= first && i - first < rank - room ? field->dims[i - first] : 1;
    }
    if (room > 0) {
        out_dims[MOVE_LOOP_MAX] = field->dims[rank - 1];
    }
}

// Bytes from one to the next of each of the outer dimensions.
static void move_steps_of(const cosm_field *field, const uint32_t dims[COSM_FIELD_DIM_MAX],
                          uint32_t out_steps[MOVE_LOOP_MAX]) {
    uint32_t step = (uint32_t)cosm_field_type_size(field->type) * dims[MOVE_LOOP_MAX];
    for (uint32_t i = MOVE_LOOP_MAX; i-- > 0;) {
        out_steps[i] = step;
        step *= dims[i];
    }
}

// Loops and lines that hold what is in both fields.
static void share_dims(const cosm_field *old, const cosm_field *field, struct field_move *move) {
    uint32_t old_dims[COSM_FIELD_DIM_MAX];
    uint32_t new_dims[COSM_FIELD_DIM_MAX];
    spread_dims(old, move_rank_of(field), old_dims);
    spread_dims(field, move_rank_of(old), new_dims);
    move_steps_of(old, old_dims, move->old_steps);
    move_steps_of(field, new_dims, move->new_steps);
    for (uint32_t i = 0; i < MOVE_LOOP_MAX; i++) {
        move->loops[i] = shared_length(old_dims[i], new_dims[i]);
    }
    move->old_length = old_dims[MOVE_LOOP_MAX];
    move->new_length = new_dims[MOVE_LOOP_MAX];
    if (field->type != COSM_FIELD_CHAR) {
        move->new_length = shared_length(move->old_length, move->new_length);
        move->old_length = move->new_length;
    }
}

bool cosmi_move_make(struct arena *arena, const cosm_field *old, const cosm_field *field,
                     struct field_move *out_move) {
    bool has_moved = labels_have_moved(old, field);
    struct field_move move = {.kind = MOVE_BYTES,
                              .old_type = old->type,
                              .new_type = field->type,
                              .old_offset = old->offset,
                              .new_offset = field->offset,
                              .old_length = cosm_field_element_count(field),
                              .new_length = cosm_field_element_count(field),
                              .loops = {1, 1, 1}};
    if (!has_same_dims(old, field)) {
        share_dims(old, field, &move);
    }
    if (field->type == COSM_FIELD_CHAR) {
        move.kind = move_is_plain(&move) ? MOVE_BYTES : MOVE_TEXT;
    } else if (has_moved) {
        move.kind = MOVE_LABELS;
        move.labels = make_label_map(arena, old, field);
        if (move.labels == NULL) {
            return false;
        }
    } else if (old->type != field->type) {
        move.kind = MOVE_NUMBERS;
    } else {
        move.old_length *= (uint32_t)cosm_field_type_size(old->type);
        move.new_length = move.old_length;
    }
    *out_move = move;
    return true;
}
