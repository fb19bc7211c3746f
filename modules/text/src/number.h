// Numbers as text and back, exactly, whatever the locale.
//
// Floats are written with the fewest digits that read back as the same value, and read with correct
// rounding. None of it allocates, and nothing depends on the C library's formatting.
#ifndef COSM_TEXT_NUMBER_H
#define COSM_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The room that the writers below need. No number takes all of it, but what lies behind the number
// may be written on as well; nothing is terminated with a zero.
#define NUMBER_TEXT_MAX 32u

// Write a number at `out` and return how many characters that took. Floats must be finite. They
// come out as JSON numbers, plain from 0.000001 to below 1e15 (whole ones without a point), else
// with an exponent: 1.5, -0, 100, 1e30, 1.5e-7. Of the shortest that read back it is the closest.
size_t cosmi_text_write_f32(float value, char *out);
size_t cosmi_text_write_f64(double value, char *out);
size_t cosmi_text_write_i64(int64_t value, char *out);
size_t cosmi_text_write_u64(uint64_t value, char *out);

// Digits of a mantissa: 10^19 is the largest power of ten that fits 64 bits.
#define NUMBER_MANTISSA_DIGITS 19

// A number of JSON as it stands in a text: [-]digits[.digits][e[+-]digits].
struct number {
    const char *digits; // where it begins, sign included
    size_t length;
    uint64_t mantissa; // the first 19 digits, without the point and the zeros that lead
    int32_t exponent;  // value = mantissa * 10^exponent, unless cut; from minus to plus a million
    bool is_negative;
    bool is_integer; // neither point nor exponent
    bool is_cut;     // there were further digits, and not all of them zeros
};

// Reads a number at `text`. False where there is none, or one that JSON does not know, such as 01,
// 1. or 1e; then nothing is told and nothing written. The number ends where its syntax does; what
// follows is the caller's business.
bool cosmi_text_scan_number(const char *text, const char *end, struct number *out_number);

// The nearest value, ties to even. False where it is too large for the type: then *out is infinite.
bool cosmi_text_number_f32(const struct number *number, float *out_value);
bool cosmi_text_number_f64(const struct number *number, double *out_value);

// The value, where the number is an integer that fits: also one written with a point or an
// exponent, such as 1.0 or 1e3.
bool cosmi_text_number_i64(const struct number *number, int64_t *out_value);
bool cosmi_text_number_u64(const struct number *number, uint64_t *out_value);

#endif
