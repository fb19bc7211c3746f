// Reading values: structs, arrays and names, and what is said of faults.
#include "read.h"

#include <stdarg.h>
#include <stdio.h>

// Room for the path of a member: a name, the path of a field, indices.
#define PLACE_SIZE (COSM_NAME_LENGTH_MAX + COSM_FIELD_PATH_LENGTH_MAX + 128u)
#define WORDS_SIZE 320u

void cosmi_text_reader_begin(struct reader *reader, const cosm_engine *engine, const char *call,
                             const char *text, size_t length) {
    *reader = (struct reader){.stamp = 1};
    cosmi_text_scan_begin(&reader->scan, engine, call, text, length);
}

// Text that is put together for a message; what does not fit is cut off.
struct words {
    char *at;
    size_t left;
};

static void add_words(struct words *words, const char *format, ...) COSM_PRINTF(2, 3);

static void add_words(struct words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(words->at, words->left, format, arguments);
    va_end(arguments);
    size_t added = length < 0 ? 0 : (size_t)length;
    added = added < words->left ? added : words->left - 1;
    words->at += added;
    words->left -= added;
}

// "entities[12].Position.pose.x[3]", or "".
static void describe_place(const struct place *place, const struct node *node,
                           char text[PLACE_SIZE]) {
    struct words words = {text, PLACE_SIZE};
    const char *path = node == NULL ? "" : node->path;
    size_t path_length = node == NULL ? 0 : node->path_length;
    text[0] = '\0';
    add_words(&words, "%s", place->list == NULL ? "" : place->list);
    if (place->list != NULL && strcmp(place->list, "entities") == 0) {
        add_words(&words, "[%llu]", (unsigned long long)place->index);
    }
    if (place->part != NULL) {
        add_words(&words, "%s%s", words.at > text ? "." : "", place->part);
    }
    if (path_length > 0) {
        add_words(&words, ".%.*s", (int)path_length, path);
    }
    for (uint32_t i = 0; i < place->dim_count; i++) {
        add_words(&words, "[%u]", place->indices[i]);
    }
}

bool cosmi_text_read_fail(struct reader *reader, const char *where, const struct node *node,
                          const char *format, ...) {
    char place[PLACE_SIZE];
    char text[WORDS_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    describe_place(&reader->place, node, place);
    return cosmi_text_scan_fail(&reader->scan, where, "%s%s%s", place, place[0] == '\0' ? "" : ": ",
                                text);
}

// Where the token at `where` ends: a string, a number, a word, or one other character.
static const char *token_end(const char *where, const char *end) {
    const char *at = where + 1;
    if (*where == '"') {
        while (at < end && *at != '"') {
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        }
        return at < end ? at + 1 : end;
    }
    while (at < end && *at != '\0' && strchr(" \t\r\n,:[]{}\"", *at) == NULL) {
        at++;
    }
    return at;
}

const char *cosmi_text_excerpt(const struct reader *reader, const char *where,
                               char buffer[EXCERPT_SIZE]) {
    const char *end = reader->scan.end;
    const size_t max = EXCERPT_SIZE - 4;
    if (where >= end) {
        return "the end of the text";
    }
    if (*where == '{' || *where == '[') {
        return *where == '{' ? "an object" : "an array";
    }
    size_t length = 0;
    end = token_end(where, end);
    for (; where < end && length < max; where++) {
        buffer[length++] = *where >= ' ' && *where <= '~' ? *where : '?';
    }
    memcpy(buffer + length, where < end ? "..." : "", where < end ? 4 : 1);
    return buffer;
}

static bool fail_kind(struct reader *reader, const struct node *node, const char *wanted) {
    char found[EXCERPT_SIZE];
    const char *where = reader->scan.at;
    return cosmi_text_read_fail(reader, where, node, "found %s; %s",
                                cosmi_text_excerpt(reader, where, found), wanted);
}

bool cosmi_text_open_object(struct reader *reader, const struct node *node) {
    if (cosmi_text_scan_peek(&reader->scan) != SCAN_OBJECT) {
        return fail_kind(reader, node, "write an object, such as {\"name\": value}");
    }
    return cosmi_text_scan_object(&reader->scan);
}

bool cosmi_text_open_array(struct reader *reader, const struct node *node) {
    if (cosmi_text_scan_peek(&reader->scan) != SCAN_ARRAY) {
        return fail_kind(reader, node, "write an array, such as [1, 2]");
    }
    return cosmi_text_scan_array(&reader->scan);
}

bool cosmi_text_read_member(struct reader *reader, bool *io_first, struct member *out_member) {
    struct scan_string key;
    if (!cosmi_text_scan_member(&reader->scan, io_first, &key)) {
        return false;
    }
    out_member->where = key.text - 1;
    const size_t max = sizeof(out_member->name) - 1;
    if (!cosmi_text_scan_unescape(&reader->scan, key, max, out_member->name, &out_member->length)) {
        return false;
    }
    if (out_member->length > max || memchr(out_member->name, '\0', out_member->length) != NULL) {
        out_member->length = 0;
    }
    out_member->name[out_member->length] = '\0';
    return true;
}

static bool read_node(struct reader *reader, struct node *node, char *value);

// The child that a member names. NULL, with a failure, where there is none, or it came before.
static struct node *find_child(struct reader *reader, struct node *node,
                               const struct member *member) {
    char found[EXCERPT_SIZE];
    uint32_t index = cosmi_text_name_find(&node->by_name, member->name, member->length);
    if (index == NAME_NONE) {
        (void)cosmi_text_read_fail(reader, member->where, node,
                                   "there is no member %s; remove it, or use a name such as '%.*s'",
                                   cosmi_text_excerpt(reader, member->where, found),
                                   (int)node->children[0].name_length, node->children[0].name);
        return NULL;
    }
    struct node *child = &node->children[index];
    if (child->stamp == reader->stamp) {
        (void)cosmi_text_read_fail(reader, member->where, child,
                                   "this member appears twice; remove one of them");
        return NULL;
    }
    return child;
}

static bool read_struct(struct reader *reader, struct node *node, char *value) {
    struct scan *scan = &reader->scan;
    struct node *end = node->children + node->child_count;
    struct node *next = node->children;
    struct member member;
    bool first = true;
    if (!cosmi_text_open_object(reader, node)) {
        return false;
    }
    for (;;) {
        struct node *child = next;
        if (next == end || next->stamp == reader->stamp ||
            !read_expected(scan, &first, next->key, next->key_length)) {
            if (!cosmi_text_read_member(reader, &first, &member)) {
                return scan->result == COSM_OK;
            }
            child = find_child(reader, node, &member);
            if (child == NULL) {
                return false;
            }
        }
        child->stamp = reader->stamp;
        if (!read_node(reader, child, value)) {
            return false;
        }
        next = child + 1;
    }
}

// An array of structs. (An array of scalars is one field.)
static bool read_array(struct reader *reader, struct node *node, char *value) {
    uint32_t count = 0;
    bool first = true;
    if (!cosmi_text_open_array(reader, node)) {
        return false;
    }
    const char *where = reader->scan.at - 1;
    while (cosmi_text_scan_element(&reader->scan, &first)) {
        if (count == node->child_count) {
            return cosmi_text_read_fail(reader, NULL, node,
                                        "the array has more than %u elements; remove the others",
                                        node->child_count);
        }
        if (!read_node(reader, &node->children[count], value)) {
            return false;
        }
        count++;
    }
    if (reader->scan.result == COSM_OK && count < node->child_count) {
        return cosmi_text_read_fail(reader, where, node,
                                    "the array has %u elements instead of %u; write all of them",
                                    count, node->child_count);
    }
    return reader->scan.result == COSM_OK;
}

static bool read_node(struct reader *reader, struct node *node, char *value) {
    switch (node->kind) {
    case NODE_STRUCT:
        return read_struct(reader, node, value);
    case NODE_ARRAY:
        return read_array(reader, node, value);
    default:
        return cosmi_text_read_field(reader, node, value + node->leaf.field->offset);
    }
}

// A tag: an object without members.
static bool read_tag(struct reader *reader) {
    struct member member;
    bool first = true;
    if (!cosmi_text_open_object(reader, NULL)) {
        return false;
    }
    if (cosmi_text_read_member(reader, &first, &member)) {
        return cosmi_text_read_fail(reader, member.where, NULL,
                                    "a tag has no members; write {} for it");
    }
    return reader->scan.result == COSM_OK;
}

bool cosmi_text_read_value(struct reader *reader, struct shape *shape, char *io_value) {
    reader->stamp++;
    if (shape->field_count > 0) {
        return read_struct(reader, &shape->root, io_value);
    }
    return shape->size == 0 ? read_tag(reader) : cosmi_text_read_hex(reader, io_value, shape->size);
}
