// Text on its way out: the buffer, quotes and escapes, hex digits.
#include "out.h"

static_assert(OUT_PADDING >= NUMBER_TEXT_MAX, "a number fits where there is room");

static const char hex_digits[] = "0123456789abcdef";

void cosmi_text_out_begin(struct out *out, cosm_text_fn *write, void *context) {
    out->write = write;
    out->context = context;
    out->at = out->buffer;
    out->end = out->buffer + OUT_SIZE;
}

void cosmi_text_out_flush(struct out *out) {
    if (out->at > out->buffer) {
        out->write(out->context, out->buffer, (size_t)(out->at - out->buffer));
        out->at = out->buffer;
    }
}

void cosmi_text_out_bytes(struct out *out, const char *text, size_t length) {
    while (length > 0) {
        size_t room = (size_t)(out->end + OUT_PADDING - out_room(out));
        size_t part = length < room ? length : room;
        memcpy(out->at, text, part);
        out->at += part;
        text += part;
        length -= part;
    }
}

// The lowest value and the bits of the first byte, by the number of bytes that follow it.
static const struct {
    unsigned char mask;
    unsigned char lead;
    uint32_t lowest;
} utf8_forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

size_t cosmi_text_utf8_length(const char *text, const char *end) {
    unsigned char lead = (unsigned char)*text;
    size_t more = 0;
    while (more < 4 && (lead & utf8_forms[more].mask) != utf8_forms[more].lead) {
        more++;
    }
    if (more == 4 || (size_t)(end - text) <= more) {
        return 0;
    }
    uint32_t code = lead & (unsigned char)~utf8_forms[more].mask;
    for (size_t i = 1; i <= more; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (next & 0x3F);
    }
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < utf8_forms[more].lowest || code > 0x10FFFF || is_surrogate ? 0 : more + 1;
}

bool cosmi_text_is_utf8(const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        size_t step = cosmi_text_utf8_length(text, end);
        if (step == 0) {
            return false;
        }
        text += step;
    }
    return true;
}

// The letter behind the backslash of a short escape, or zero.
static char short_escape(char c) {
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return '\0';
    }
}

// A character that cannot stand as it is.
static void out_escape(struct out *out, char c, enum quoting quoting) {
    char letter = short_escape(c);
    if (letter != '\0') {
        out_char(out, '\\');
        out_char(out, letter);
    } else if (quoting == QUOTE_PLAIN) {
        out_text(out, "\\x");
        cosmi_text_out_hex_u64(out, (unsigned char)c, 2);
    } else {
        out_text(out, "\\u");
        cosmi_text_out_hex_u64(out, (unsigned char)c < 0x80 ? (unsigned char)c : 0xFFFD, 4);
    }
}

static bool needs_escape(char c) {
    return (unsigned char)c < 0x20 || c == '"' || c == '\\';
}

void cosmi_text_out_quoted(struct out *out, const char *text, size_t length, enum quoting quoting) {
    const char *end = text + length;
    const char *plain = text; // from here on nothing needed an escape
    out_char(out, '"');
    while (text < end) {
        size_t step = needs_escape(*text) ? 0 : cosmi_text_utf8_length(text, end);
        if (step == 0) {
            cosmi_text_out_bytes(out, plain, (size_t)(text - plain));
            out_escape(out, *text, quoting);
            plain = text + 1;
            step = 1;
        }
        text += step;
    }
    cosmi_text_out_bytes(out, plain, (size_t)(end - plain));
    out_char(out, '"');
}

void cosmi_text_out_hex(struct out *out, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        out_char(out, hex_digits[at[i] >> 4]);
        out_char(out, hex_digits[at[i] & 15]);
    }
}

void cosmi_text_out_hex_u64(struct out *out, uint64_t value, uint32_t digit_count) {
    for (uint32_t i = digit_count; i > 0; i--) {
        out_char(out, hex_digits[value >> (4 * (i - 1)) & 15]);
    }
}
