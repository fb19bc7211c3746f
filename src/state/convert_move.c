// Moves as they are done: bytes, numbers, labels and texts, line by line.
#include "state/convert_move.h"

#include <float.h>
#include <string.h>

// A scalar on its way.
enum number_kind { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_REAL };

struct number {
    enum number_kind kind;
    int64_t integer; // of NUMBER_UNSIGNED: the same bits
    double real;
};

static bool type_is_signed(cosm_field_type type) {
    return type <= COSM_FIELD_I64;
}

static struct number number_load(cosm_field_type type, const char *from) {
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        float f32;
        double f64;
    } raw = {.i64 = 0};
    memcpy(&raw, from, cosm_field_type_size(type));
    switch (type) {
    case COSM_FIELD_I8:
        return (struct number){.kind = NUMBER_SIGNED, .integer = raw.i8};
    case COSM_FIELD_I16:
        return (struct number){.kind = NUMBER_SIGNED, .integer = raw.i16};
    case COSM_FIELD_I32:
        return (struct number){.kind = NUMBER_SIGNED, .integer = raw.i32};
    case COSM_FIELD_I64:
        return (struct number){.kind = NUMBER_SIGNED, .integer = raw.i64};
    case COSM_FIELD_U16:
        return (struct number){.kind = NUMBER_UNSIGNED, .integer = raw.u16};
    case COSM_FIELD_U32:
        return (struct number){.kind = NUMBER_UNSIGNED, .integer = raw.u32};
    case COSM_FIELD_U64:
        return (struct number){.kind = NUMBER_UNSIGNED, .integer = raw.i64};
    case COSM_FIELD_F32:
        return (struct number){.kind = NUMBER_REAL, .real = (double)raw.f32};
    case COSM_FIELD_F64:
        return (struct number){.kind = NUMBER_REAL, .real = raw.f64};
    case COSM_FIELD_BOOL:
        return (struct number){.kind = NUMBER_UNSIGNED, .integer = raw.u8 != 0};
    default:
        return (struct number){.kind = NUMBER_UNSIGNED, .integer = raw.u8};
    }
}

// Writes the low bytes of an integer.
static void bits_store(cosm_field_type type, uint64_t bits, char *to) {
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    const void *from = &bits;
    switch (cosm_field_type_size(type)) {
    case 1:
        from = &one;
        break;
    case 2:
        from = &two;
        break;
    case 4:
        from = &four;
        break;
    default:
        break;
    }
    memcpy(to, from, cosm_field_type_size(type));
}

// Two to the power of `bits`, which is exact.
static double power_of_two(uint32_t bits) {
    return bits == 64 ? 18446744073709551616.0 : (double)((uint64_t)1 << bits);
}

static bool store_signed(cosm_field_type type, const struct number *number, char *to) {
    uint32_t bits = 8 * (uint32_t)cosm_field_type_size(type) - 1;
    int64_t most = (int64_t)(((uint64_t)1 << bits) - 1);
    int64_t least = -most - 1;
    bool is_low = false;
    bool is_high = false;
    bool is_nothing = false;
    int64_t value = number->integer;
    if (number->kind == NUMBER_REAL) {
        double end = power_of_two(bits);
        is_nothing = number->real != number->real;
        is_high = number->real >= end;
        // What lies between the least one and the number below it is rounded up to it; of 64 bits
        // there is no such double.
        is_low = bits == 63 ? number->real < -end : number->real <= -end - 1;
        value = is_nothing || is_high || is_low ? 0 : (int64_t)number->real;
    } else if (number->kind == NUMBER_UNSIGNED) {
        is_high = (uint64_t)value > (uint64_t)most;
    } else {
        is_high = value > most;
        is_low = value < least;
    }
    value = is_high ? most : is_low ? least : value;
    bits_store(type, (uint64_t)value, to);
    return !is_nothing && !is_high && !is_low;
}

static bool store_unsigned(cosm_field_type type, const struct number *number, char *to) {
    uint32_t bits = 8 * (uint32_t)cosm_field_type_size(type);
    uint64_t most = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    bool is_low = false;
    bool is_high = false;
    uint64_t value = (uint64_t)number->integer;
    if (number->kind == NUMBER_REAL) {
        is_low = !(number->real > -1); // NaN too
        is_high = number->real >= power_of_two(bits);
        // Between -1 and 0 the conversion of a negative number is that of 0.
        value = is_low || is_high || number->real < 0 ? 0 : (uint64_t)number->real;
    } else {
        is_low = number->kind == NUMBER_SIGNED && number->integer < 0;
        is_high = !is_low && value > most;
    }
    bits_store(type, is_high ? most : is_low ? 0 : value, to);
    return !is_high && !is_low;
}

static double number_as_real(const struct number *number) {
    return number->kind == NUMBER_REAL       ? number->real
           : number->kind == NUMBER_UNSIGNED ? (double)(uint64_t)number->integer
                                             : (double)number->integer;
}

static bool store_f32(const struct number *number, char *to) {
    double real = number_as_real(number);
    bool is_finite = real - real == 0; // infinities and NaN stay what they are
    bool is_high = is_finite && real > (double)FLT_MAX;
    bool is_low = is_finite && real < -(double)FLT_MAX;
    float value = is_high ? FLT_MAX : is_low ? -FLT_MAX : (float)real;
    memcpy(to, &value, sizeof(value));
    return !is_high && !is_low;
}

static bool store_bool(const struct number *number, char *to) {
    bool is_nothing = number->kind == NUMBER_REAL && number->real != number->real;
    bool value =
        number->kind == NUMBER_REAL ? number->real < 0 || number->real > 0 : number->integer != 0;
    memcpy(to, &value, sizeof(value));
    return !is_nothing;
}

// False where the number does not fit, and its limit was written.
static bool number_store(cosm_field_type type, const struct number *number, char *to) {
    if (type == COSM_FIELD_F64) {
        double real = number_as_real(number);
        memcpy(to, &real, sizeof(real));
        return true;
    }
    if (type == COSM_FIELD_F32) {
        return store_f32(number, to);
    }
    if (type == COSM_FIELD_BOOL) {
        return store_bool(number, to);
    }
    return type_is_signed(type) ? store_signed(type, number, to) : store_unsigned(type, number, to);
}

static uint64_t move_numbers(const struct field_move *move, const char *from, char *to) {
    size_t old_size = cosm_field_type_size(move->old_type);
    size_t new_size = cosm_field_type_size(move->new_type);
    uint64_t unfit = 0;
    for (uint32_t i = 0; i < move->new_length; i++) {
        struct number number = number_load(move->old_type, from + i * old_size);
        unfit += number_store(move->new_type, &number, to + i * new_size) ? 0 : 1;
    }
    return unfit;
}

static const struct label_way *find_way(const struct label_map *map, uint64_t bits) {
    uint32_t low = 0;
    uint32_t high = map->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->ways[middle].old_bits < bits) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < map->count && map->ways[low].old_bits == bits ? &map->ways[low] : NULL;
}

static bool move_enum(const struct field_move *move, const struct number *number, char *to) {
    const struct label_way *way = find_way(move->labels, (uint64_t)number->integer);
    if (way == NULL) {
        return number_store(move->new_type, number, to);
    }
    if (!way->is_gone) {
        bits_store(move->new_type, way->new_bits, to);
    }
    return !way->is_gone;
}

// Bits that are a label's go with it; a label may be several bits, and those of others too.
static bool move_mask(const struct field_move *move, const struct number *number, char *to) {
    uint64_t bits = (uint64_t)number->integer & type_bits(move->old_type);
    uint64_t known = 0;
    uint64_t gone = 0;
    uint64_t result = 0;
    for (uint32_t i = 0; i < move->labels->count; i++) {
        const struct label_way *way = &move->labels->ways[i];
        if ((bits & way->old_bits) != way->old_bits) {
            continue;
        }
        known |= way->is_gone ? 0 : way->old_bits;
        gone |= way->is_gone ? way->old_bits : 0;
        result |= way->is_gone ? 0 : way->new_bits;
    }
    gone &= ~known;
    uint64_t rest = bits & ~known & ~gone;
    result |= rest;
    bits_store(move->new_type, result, to);
    return gone == 0 && (rest & ~type_bits(move->new_type)) == 0;
}

static uint64_t move_labels(const struct field_move *move, const char *from, char *to) {
    size_t old_size = cosm_field_type_size(move->old_type);
    size_t new_size = cosm_field_type_size(move->new_type);
    uint64_t unfit = 0;
    for (uint32_t i = 0; i < move->new_length; i++) {
        struct number number = number_load(move->old_type, from + i * old_size);
        char *target = to + i * new_size;
        bool fits = move->labels->is_mask ? move_mask(move, &number, target)
                                          : move_enum(move, &number, target);
        unfit += fits ? 0 : 1;
    }
    return unfit;
}

// How many bytes of a text that is longer are kept: as many as there is room for, but no half of a
// character, if it is UTF-8.
static size_t cut_text(const char *text, size_t room) {
    size_t kept = room;
    while (kept > 0 && room - kept < 3 && ((unsigned char)text[kept] & 0xC0) == 0x80) {
        kept--;
    }
    bool is_lead = (unsigned char)text[kept] >= 0xC0;
    return is_lead ? kept : room;
}

// Text ends at its first zero or at the end of its room.
static uint64_t move_text(const struct field_move *move, const char *from, char *to) {
    const char *end = memchr(from, '\0', move->old_length);
    size_t length = end == NULL ? move->old_length : (size_t)(end - from);
    bool is_cut = length > move->new_length;
    size_t kept = is_cut ? cut_text(from, move->new_length) : length;
    memcpy(to, from, kept);
    memset(to + kept, 0, move->new_length - kept);
    return is_cut ? 1 : 0;
}

static uint64_t move_line(const struct field_move *move, const char *from, char *to) {
    switch (move->kind) {
    case MOVE_NUMBERS:
        return move_numbers(move, from, to);
    case MOVE_LABELS:
        return move_labels(move, from, to);
    case MOVE_TEXT:
        return move_text(move, from, to);
    default:
        memcpy(to, from, move->new_length);
        return 0;
    }
}

static uint64_t move_one(const struct field_move *move, const char *from, char *to) {
    uint64_t unfit = 0;
    for (size_t a = 0; a < move->loops[0]; a++) {
        for (size_t b = 0; b < move->loops[1]; b++) {
            for (size_t c = 0; c < move->loops[2]; c++) {
                size_t old_at =
                    a * move->old_steps[0] + b * move->old_steps[1] + c * move->old_steps[2];
                size_t new_at =
                    a * move->new_steps[0] + b * move->new_steps[1] + c * move->new_steps[2];
                unfit += move_line(move, from + old_at, to + new_at);
            }
        }
    }
    return unfit;
}

uint64_t cosmi_move_values(const struct field_move *move, uint32_t count, const char *old_values,
                           size_t old_size, char *new_values, size_t new_size) {
    const char *from = old_values + move->old_offset;
    char *to = new_values + move->new_offset;
    uint64_t unfit = 0;
    if (move_is_plain(move)) {
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * new_size, from + i * old_size, move->new_length);
        }
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        unfit += move_one(move, from + i * old_size, to + i * new_size);
    }
    return unfit;
}
