// A JSON text, token by token: strict RFC 8259, bounded depth, no allocation, no tree.
//
//     struct scan scan;
//     struct scan_string key;
//     struct number number;
//     cosmi_text_scan_begin(&scan, engine, "cosm_json_read_value", text, length);
//     if (cosmi_text_scan_object(&scan)) {
//         bool first = true;
//         while (cosmi_text_scan_member(&scan, &first, &key)) {
//             if (cosmi_text_scan_equals(key, "x") &&
//                 cosmi_text_scan_take_number(&scan, &number)) {
//                 ...
//             } else {
//                 cosmi_text_scan_skip(&scan);
//             }
//         }
//     }
//     if (!cosmi_text_scan_end(&scan)) {
//         return scan.result;
//     }
//
// The first failure sticks: it has been reported with line and column (COSM_ERROR_FORMAT), and from
// then on every call says no, so that loops come to their end. Lines and columns count from 1; a
// line ends with \n, and a column is a byte. Bytes are never read past the end.
#ifndef COSM_TEXT_SCAN_H
#define COSM_TEXT_SCAN_H

#include <cosm/cosm.h>

#include "number.h"

#define SCAN_DEPTH_MAX 64u

enum scan_kind {
    SCAN_END, // the end of the text, or after a failure
    SCAN_OBJECT,
    SCAN_ARRAY,
    SCAN_STRING,
    SCAN_NUMBER,
    SCAN_TRUE,
    SCAN_FALSE,
    SCAN_NULL,
    SCAN_OTHER, // nothing that begins a value
};

struct scan {
    const char *text;
    const char *at; // the next byte; after a failure the end
    const char *end;
    const cosm_engine *engine;
    const char *call; // named in messages
    cosm_result result;
    uint32_t depth;
};

// A string as it stands in the text, between its quotes; `is_plain` where it has no escapes.
struct scan_string {
    const char *text;
    size_t length;
    bool is_plain;
};

void cosmi_text_scan_begin(struct scan *scan, const cosm_engine *engine, const char *call,
                           const char *text, size_t length);

// Nothing but space may follow. False after any failure; scan->result tells which.
bool cosmi_text_scan_end(struct scan *scan);

// What the next value is, by its first character.
enum scan_kind cosmi_text_scan_peek(struct scan *scan);

// Open an object or an array: false, with a failure, where the next value is something else.
bool cosmi_text_scan_object(struct scan *scan);
bool cosmi_text_scan_array(struct scan *scan);

// The next member of the object: its key, with the colon behind it passed; false at its end, which
// is passed. Likewise the next element of the array. `first` is true for the first call, which sets
// it to false. After true the caller takes one value.
bool cosmi_text_scan_member(struct scan *scan, bool *first, struct scan_string *out_key);
bool cosmi_text_scan_element(struct scan *scan, bool *first);

// Take one value of that kind: false, with a failure that says what is there instead.
bool cosmi_text_scan_take_string(struct scan *scan, struct scan_string *out_string);
bool cosmi_text_scan_take_number(struct scan *scan, struct number *out_number);
bool cosmi_text_scan_take_bool(struct scan *scan, bool *out_value);
bool cosmi_text_scan_take_null(struct scan *scan);

// Passes over one value of any kind.
bool cosmi_text_scan_skip(struct scan *scan);

// A taken string with its escapes undone: at most `max` bytes of UTF-8 at `out`; *out_length is how
// many there are in all, also where they do not fit. \u0000 is a byte of zero. Nothing can be wrong
// here, as bytes, escapes and surrogate pairs were checked when the string was taken: false only
// after a failure elsewhere.
bool cosmi_text_scan_unescape(struct scan *scan, struct scan_string string, size_t max, char *out,
                              size_t *out_length);

// Is the string, unescaped, equal to this name?
bool cosmi_text_scan_equals(struct scan_string string, const char *name);

// Reports a failure at `where`, a place in the text, as "CALL: line 3, column 7: ...". Returns
// false. Only the first one is kept. `where` NULL: where the scan is.
bool cosmi_text_scan_fail(struct scan *scan, const char *where, const char *format, ...)
    COSM_PRINTF(3, 4);

#endif
