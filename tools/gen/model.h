// What a header says, free of clang: the things that are marked in it and their fields.
//
// Read by read.c and fields.c, completed by probe.c, checked by check.c, written out by the files
// emit_*.c. All of it lies in the arena of the run.
#ifndef COSM_GEN_MODEL_H
#define COSM_GEN_MODEL_H

#include <cosm/component.h>
#include <cosm/field.h>

#include "report.h"

enum thing_kind { THING_COMPONENT, THING_SINGLETON, THING_TAG };

#define LIFECYCLE_COUNT 6 // functions of a cosm_lifecycle

// C text of an option, to be evaluated. `text` is NULL where there is none.
struct expression {
    const char *text;
    const char *key; // of the option
    struct place place;
};

struct label {
    const char *name;
    int64_t value;
};

// The names of an enum's values. One for each enum and kind that is used.
struct labels {
    const char *name;   // of the enum
    const char *symbol; // what its arrays are called after in the generated file
    cosm_labels_kind kind;
    bool is_deprecated; // one of the constants
    bool is_local;      // declared inside a struct, where C++ does not see the constants
    struct label *items;
    uint32_t count;
};

// A scalar that clang has computed.
struct scalar {
    double number; // of a float or a double
    uint64_t bits; // of an integer, sign-extended
};

// The option that a field's default comes from.
struct initial {
    struct expression value;
    const char *designator; // the path that the option stands at; "": the whole component
};

// A scalar, or an array of them, somewhere in a thing.
struct leaf {
    const char *path;   // "pose.position.x"
    const char *symbol; // "pose_position_x"
    const char *c_type; // what a column of it points at, such as "float"
    cosm_field_type type;
    uint32_t offset;
    uint32_t dims[COSM_FIELD_DIM_MAX];
    uint32_t dim_count;
    uint32_t element_count;
    uint32_t scalar_size;
    uint32_t natural;   // the alignment that the type has by itself
    uint32_t alignment; // zero: the natural one
    uint32_t padding;
    const struct labels *labels;
    const char *unit;
    const char *doc;
    double min; // equal to max where there is no range
    double max;
    bool strict;
    // NULL where it is zero; of an entity two for each element: gen and id.
    struct scalar *values;
    struct place place;
    // What probe.c makes padding, min, max and values of.
    struct expression padding_text;
    struct expression min_text;
    struct expression max_text;
    struct initial initial;
};

struct thing {
    enum thing_kind kind;
    const char *name;   // of the C type, and what generated names begin with
    const char *c_type; // "Body", or "struct Body" where there is no typedef
    const char *title;  // the name in the engine
    cosm_layout layout;
    cosm_storage storage;
    bool change_rows;
    struct expression lifecycle[LIFECYCLE_COUNT]; // names of functions, as storage.h has their keys
    const char *group;                            // of sector components; NULL: none
    struct place group_place;
    size_t size;
    size_t alignment;
    const char *doc; // NULL: none
    struct place place;
    struct expression initial;
    struct leaf *leaves;
    uint32_t leaf_count;
    uint32_t leaf_capacity;
};

// A name that the header or what it includes declares.
struct declared {
    const char *name;
    struct place place;
    bool is_function;
};

struct model {
    bool has_deprecated;  // a field or a constant whose use compilers warn of
    struct thing *things; // in source order
    uint32_t thing_count;
    uint32_t thing_capacity;
    struct labels **labels; // in the order of their first use
    uint32_t labels_count;
    uint32_t labels_capacity;
    struct declared *declared;
    uint32_t declared_count;
    uint32_t declared_capacity;
};

#endif
