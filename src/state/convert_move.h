// Moves: how one field of an old value becomes one of a new value.
#ifndef COSM_STATE_CONVERT_MOVE_H
#define COSM_STATE_CONVERT_MOVE_H

#include <cosm/field.h>

#include "base/arena.h"

enum move_kind {
    MOVE_BYTES,   // a line is so many bytes
    MOVE_NUMBERS, // a line is so many scalars, each converted as a number
    MOVE_LABELS,  // the same, and values follow the names of their labels
    MOVE_TEXT,    // a line is one text
};

// An old label of a map, and what it is now.
struct label_way {
    uint64_t old_bits; // as bits of a 64-bit number
    uint64_t new_bits;
    uint32_t order; // in the file
    bool is_gone;
};

// What became of the labels of a field. Of an enum: ascending by old_bits, and of equal ones the
// first counts. Of a mask: as the file has them.
struct label_map {
    bool is_mask;
    uint32_t count;
    struct label_way *ways;
};

// All bits that a type has.
static inline uint64_t type_bits(cosm_field_type type) {
    return UINT64_MAX >> (64 - 8 * cosm_field_type_size(type));
}

#define MOVE_LOOP_MAX (COSM_FIELD_DIM_MAX - 1)

// Lines of scalars, in loops around them: arrays that are as they were are one line, and those that
// have other dimensions share what is in both.
struct field_move {
    enum move_kind kind;
    cosm_field_type old_type;
    cosm_field_type new_type;
    uint32_t old_offset; // of the first line
    uint32_t new_offset;
    uint32_t old_length; // of a line: bytes, scalars, or the room of the text
    uint32_t new_length;
    uint32_t loops[MOVE_LOOP_MAX]; // outermost first; 1 where there is none
    uint32_t old_steps[MOVE_LOOP_MAX];
    uint32_t new_steps[MOVE_LOOP_MAX];
    const struct label_map *labels; // of MOVE_LABELS
};

// Can values of the one become values of the other at all? Text and entities are only what they
// are.
bool cosmi_move_is_possible(const cosm_field *old, const cosm_field *field);

// Makes the move between two fields for which there is one. False when out of memory.
bool cosmi_move_make(struct arena *arena, const cosm_field *old, const cosm_field *field,
                     struct field_move *out_move);

// Is it the same field, if in another place?
static inline bool move_is_plain(const struct field_move *move) {
    return move->kind == MOVE_BYTES && move->loops[0] == 1 && move->loops[1] == 1 &&
           move->loops[2] == 1 && move->old_length == move->new_length;
}

// Moves a field of `count` values. Where a label is gone, the new value stays as it is. Returns how
// many scalars and texts did not fit.
uint64_t cosmi_move_values(const struct field_move *move, uint32_t count, const char *old_values,
                           size_t old_size, char *new_values, size_t new_size);

#endif
