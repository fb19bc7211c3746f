// Shapes: the fields of a component or a singleton as the tree that text shows.
//
//     pose.x  pose.y  items[0].n  items[1].n
//
//     struct -+- pose --- struct -+- x
//             |                   +- y
//             +- items -- array --+- struct --- n
//                                 +- struct --- n
//
// A shape is made for one call and belongs to it: reading leaves its stamps in the nodes.
#ifndef COSM_TEXT_SHAPE_H
#define COSM_TEXT_SHAPE_H

#include <cosm/cosm.h>
#include <string.h>

#include "arena.h"

// Deeper than this, a value is one struct whose members are called by their whole paths: JSON is
// read down to SCAN_DEPTH_MAX only, of which arrays and what a value lies in take some.
#define SHAPE_DEPTH_MAX 40u

// What is described: a component or a singleton.
struct subject {
    const cosm_engine *engine;
    bool is_singleton;
    uint32_t id;
};

// Names in order, to be found by halving.
struct name_list {
    const struct name_entry *entries;
    uint32_t count;
};

struct name_entry {
    const char *text;
    size_t length;
    uint32_t index; // of what is called so
};

#define NAME_NONE 0xFFFFFFFFu

// The labels of a field, by value and by name. Those whose names are not UTF-8 are left out: their
// values are numbers.
struct label_list {
    cosm_labels_kind kind;
    uint32_t count;
    const cosm_label *items;  // in the order in which they were given
    const uint32_t *by_value; // ascending; of equal values the first one given comes first
    struct name_list by_name;
};

// A field. What the text has is an array of dim_count dimensions; texts and scalars are its
// elements.
struct leaf {
    const cosm_field *field;
    uint32_t number;                 // of the field
    uint32_t scalar_size;            // of text: 1
    uint32_t element_size;           // of text: its room
    uint32_t dim_count;              // of text without the last one, which is its room
    const struct label_list *labels; // NULL: none
};

enum node_kind { NODE_STRUCT, NODE_ARRAY, NODE_LEAF };

struct node {
    enum node_kind kind;
    const char *path;   // the path of the first field that lies here ...
    size_t path_length; // ... of which so many characters lead here; zero for the whole value
    const char *name;   // as a member of a struct: the last part of these characters; else NULL
    size_t name_length;
    const char *key; // `"name":`, as short JSON has it
    size_t key_length;
    struct node *children; // side by side, in the order of the fields
    uint32_t child_count;
    struct name_list by_name; // of a struct's children
    struct leaf leaf;
    uint64_t stamp; // of the last value that had it: see read.h
};

struct shape {
    const char *name; // of the component or the singleton
    const char *key;  // the same as a member: `"name":`, as short JSON has it; see cosmi_text_shape
    size_t key_length;
    size_t size;
    uint32_t field_count;
    struct node root;
};

// The shape of a subject. NULL when out of memory; the subject is defined.
//
// Its key is its name, but for components called "entity", "=entity", "==entity" and so on: these
// get another '=' in front, because "entity" is the member that holds the handle.
struct shape *cosmi_text_shape(struct arena *arena, struct subject subject);

// The component's name that a key of an entity's object stands for: the key without the '=' above.
const char *cosmi_text_key_name(const char *key);

// The entry of that name, or NAME_NONE.
uint32_t cosmi_text_name_find(const struct name_list *list, const char *text, size_t length);

// The label of a value, or NULL.
const cosm_label *cosmi_text_label_of(const struct label_list *labels, int64_t value);

// A singleton is described as a component too.
static inline cosm_component_info subject_info(struct subject subject) {
    if (!subject.is_singleton) {
        return cosm_component_describe(subject.engine, (cosm_component){subject.id});
    }
    cosm_singleton_info info =
        cosm_singleton_describe(subject.engine, (cosm_singleton){subject.id});
    return (cosm_component_info){
        .name = info.name,
        .doc = info.doc,
        .size = info.size,
        .alignment = info.alignment,
        .default_value = info.default_value,
        .fields = info.fields,
        .field_count = info.field_count,
        .hash = info.hash,
    };
}

static inline const char *subject_name(struct subject subject) {
    return subject_info(subject).name;
}

static inline size_t subject_size(struct subject subject) {
    return subject_info(subject).size;
}

static inline uint32_t subject_field_count(struct subject subject) {
    return subject_info(subject).field_count;
}

static inline const cosm_field *subject_field(struct subject subject, uint32_t index) {
    return &subject_info(subject).fields[index];
}

// Copies the value that a new one has to `out_value`.
static inline void subject_default(struct subject subject, void *out_value) {
    cosm_component_info info = subject_info(subject);
    if (info.default_value != NULL) {
        memcpy(out_value, info.default_value, info.size);
    } else {
        memset(out_value, 0, info.size);
    }
}

#endif
