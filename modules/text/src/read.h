// Reading values: JSON onto the bytes of a component or a singleton, by its shape.
//
// Members come in any order; the one that follows in the shape is guessed first, by comparing
// bytes, because that is how writers write. A member that comes twice is found by stamps: each
// value that is read has a number of its own, and leaves it in the nodes that the text names.
//
// read.c reads structs, arrays and names, and tells what is wrong; read_field.c reads fields.
#ifndef COSM_TEXT_READ_H
#define COSM_TEXT_READ_H

#include <string.h>

#include "scan.h"
#include "shape.h"

// Where in the text the reader is, for messages: "entities[12].Position.x[3]".
struct place {
    const char *list;   // "entities" or "singletons"; NULL: none of them
    uint64_t index;     // in "entities"
    const char *part;   // the component or singleton at hand; NULL: none
    uint32_t dim_count; // indices in the array at hand
    uint32_t indices[COSM_FIELD_DIM_MAX + 1];
};

// Hears of a handle that was read to `at`. False when out of memory.
typedef bool reference_fn(void *context, char *at);

struct reader {
    struct scan scan;
    struct place place;
    uint64_t stamp;          // of the value at hand
    reference_fn *reference; // NULL: nobody wants to hear of handles
    void *context;
};

void cosmi_text_reader_begin(struct reader *reader, const cosm_engine *engine, const char *call,
                             const char *text, size_t length);

// Reads one value over the bytes at `io_value`. What the text does not name stays. After a failure
// some of the bytes have changed.
bool cosmi_text_read_value(struct reader *reader, struct shape *shape, char *io_value);

// What read_value is made of: a field, and bytes without a meaning.
bool cosmi_text_read_field(struct reader *reader, const struct node *node, char *out_value);
bool cosmi_text_read_hex(struct reader *reader, char *out_bytes, size_t size);

// Reads a handle: "@id:gen", or null for none.
bool cosmi_text_read_entity(struct reader *reader, const struct node *node,
                            cosm_entity *out_entity);

// The name of a member with its escapes undone. One that nothing can be called by, because it is
// too long or has a zero within, is "".
struct member {
    const char *where; // in the text
    size_t length;
    char name[COSM_FIELD_PATH_LENGTH_MAX + 1]; // with a zero behind it
};

// The next member of an object; false at its end, and after a failure.
bool cosmi_text_read_member(struct reader *reader, bool *io_first, struct member *out_member);

// Opens an object or an array; the failure names the node (NULL: none).
bool cosmi_text_open_object(struct reader *reader, const struct node *node);
bool cosmi_text_open_array(struct reader *reader, const struct node *node);

// Reports what is wrong at `where` (NULL: where the reader is) in the present place and in `node`
// (NULL: none), as "CALL: line 3, column 7: entities[12].Position.x: ...". Returns false.
bool cosmi_text_read_fail(struct reader *reader, const char *where, const struct node *node,
                          const char *format, ...) COSM_PRINTF(4, 5);

// What stands in the text at `where`, in a few printable characters; for messages.
#define EXCERPT_SIZE 48u
const char *cosmi_text_excerpt(const struct reader *reader, const char *where,
                               char buffer[EXCERPT_SIZE]);

// Passes a key with its colon if that is what comes next in the object, as writers write it. Where
// it is not, nothing happens.
static inline bool read_expected(struct scan *scan, bool *io_first, const char *key,
                                 size_t length) {
    const char *at = scan->at;
    if (!*io_first) {
        if (at == scan->end || *at != ',') {
            return false;
        }
        at++;
        if (at != scan->end && *at == ' ') {
            at++;
        }
    }
    if ((size_t)(scan->end - at) < length || memcmp(at, key, length) != 0) {
        return false;
    }
    scan->at = at + length;
    *io_first = false;
    return true;
}

#endif
