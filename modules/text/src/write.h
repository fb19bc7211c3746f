// Writing values: a shape is turned into a program of texts and fields, which runs once per row.
// That of Position is:
//
//     {"x": | f32 | ,"y": | f32 | ,"z": | f32 | }
//
// All that does not change from row to row is put together beforehand. JSON, short or spaced, and
// text for people differ in these texts and in how a scalar is written, and in nothing else.
#ifndef COSM_TEXT_WRITE_H
#define COSM_TEXT_WRITE_H

#include "out.h"
#include "shape.h"

enum style { STYLE_SHORT, STYLE_SPACED, STYLE_PRINT };

static inline bool style_is_json(enum style style) {
    return style != STYLE_PRINT;
}

static inline enum quoting style_quoting(enum style style) {
    return style_is_json(style) ? QUOTE_JSON : QUOTE_PLAIN;
}

// A text, then a field.
struct op {
    const char *text; // padded: see out.h
    size_t text_length;
    const struct leaf *leaf; // NULL: bytes without a meaning, as hex
    const char *at;          // the field in the row at hand
    size_t stride;           // to the next row
};

struct program {
    enum style style;
    size_t size; // of the value
    uint32_t op_count;
    struct op *ops;
    const char *tail; // what follows the last field; padded
    size_t tail_length;
};

// The program of a shape. As a member it begins with what comes before it in a row: a comma and its
// key, or two spaces and its name. NULL when out of memory.
struct program *cosmi_text_program(struct arena *arena, const struct shape *shape, enum style style,
                                   bool is_member);

// Points a program at a value.
void cosmi_text_aim_value(struct program *program, const void *value);

// Points a program at the first row of a run, whose table has the component, in a column or shared.
void cosmi_text_aim_rows(struct program *program, const cosm_rows *rows, cosm_component component);

// Writes the value it points at, and moves on to the next row.
void cosmi_text_run(struct program *program, struct out *out);

// A number of any bits: NaN and infinities as words.
void cosmi_text_out_f64(struct out *out, enum style style, double value);

// A field's value, arrays included.
void cosmi_text_out_field(struct out *out, enum style style, const struct leaf *leaf,
                          const char *value);

// What stands between two members, and between key and value.
static inline const char *style_comma(enum style style) {
    return style == STYLE_SHORT ? "," : ", ";
}

static inline const char *style_colon(enum style style) {
    return style == STYLE_SHORT ? ":" : ": ";
}

#endif
