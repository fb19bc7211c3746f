// Text on its way out: gathered in a buffer, handed to the caller's function when that is full.
//
// One `struct out` lives on the stack of a writing call. Nothing here can fail.
#ifndef COSM_TEXT_OUT_H
#define COSM_TEXT_OUT_H

#include <cosm/cosm.h>

#include <assert.h>
#include <string.h>

#include "number.h"

#define OUT_SIZE 8192u

// A short text is copied as this many bytes, whatever its length: two vector moves instead of a
// call of memcpy. So the buffer has this much room behind its end, and every `const char *` that is
// passed to out_padded as many readable bytes.
#define OUT_PADDING 32u

struct out {
    cosm_text_fn *write;
    void *context;
    char *at;
    char *end; // of the buffer without its padding
    char buffer[OUT_SIZE + OUT_PADDING];
};

void cosmi_text_out_begin(struct out *out, cosm_text_fn *write, void *context);

// Hands on what is in the buffer.
void cosmi_text_out_flush(struct out *out);

void cosmi_text_out_bytes(struct out *out, const char *text, size_t length);

// How text is put between quotes: as JSON says, or as people read it.
enum quoting { QUOTE_JSON, QUOTE_PLAIN };

// Text with quotes around it and escapes within. Bytes that are not UTF-8 become U+FFFD in JSON,
// and \x and two digits in plain text.
void cosmi_text_out_quoted(struct out *out, const char *text, size_t length, enum quoting quoting);

// Two hex digits for each byte.
void cosmi_text_out_hex(struct out *out, const void *bytes, size_t size);

// The lowest `digit_count` hex digits of a number.
void cosmi_text_out_hex_u64(struct out *out, uint64_t value, uint32_t digit_count);

// How many bytes the character of UTF-8 at `text` has; zero where there is none.
size_t cosmi_text_utf8_length(const char *text, const char *end);
bool cosmi_text_is_utf8(const char *text, size_t length);

// Where the next characters go: there is room for OUT_PADDING of them.
static inline char *out_room(struct out *out) {
    if (out->at >= out->end) {
        cosmi_text_out_flush(out);
    }
    return out->at;
}

static inline void out_char(struct out *out, char c) {
    *out_room(out) = c;
    out->at++;
}

static inline void out_text(struct out *out, const char *text) {
    cosmi_text_out_bytes(out, text, strlen(text));
}

// `text` has OUT_PADDING readable bytes.
static inline void out_padded(struct out *out, const char *text, size_t length) {
    if (length > OUT_PADDING) {
        cosmi_text_out_bytes(out, text, length);
        return;
    }
    memcpy(out_room(out), text, OUT_PADDING);
    out->at += length;
}

static inline void out_u64(struct out *out, uint64_t value) {
    out->at += cosmi_text_write_u64(value, out_room(out));
}

static inline void out_i64(struct out *out, int64_t value) {
    out->at += cosmi_text_write_i64(value, out_room(out));
}

// @id:gen
static inline void out_entity(struct out *out, cosm_entity entity) {
    out_char(out, '@');
    out_u64(out, entity.id);
    out_char(out, ':');
    out_u64(out, entity.gen);
}

#endif
