// Components: the data that entities can have. Bundles: named sets of components.
//
// A component of size zero is a tag. A bundle can be passed wherever a component is expected, and
// stands for all its members; calls that need a value (read, write, set) take plain components
// only.
#ifndef COSM_COMPONENT_H
#define COSM_COMPONENT_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

// How the values of a component are laid out in a table.
typedef enum cosm_layout {
    COSM_LAYOUT_STRUCT = 0, // one array of structs
    COSM_LAYOUT_SPLIT,      // one array per field, each aligned to 64 bytes
} cosm_layout;

// Where the values of a component are stored. Queries and structural changes work with every
// storage; how rows expose the values differs: see shared.h, managed.h and sector.h.
typedef enum cosm_storage {
    COSM_STORAGE_COLUMN = 0, // a column of the table: the usual choice
    COSM_STORAGE_SHARED, // once per world and distinct value; entities of equal value share a table
    COSM_STORAGE_MANAGED, // objects with a destructor; the column holds their tickets
    COSM_STORAGE_SECTOR,  // outside the tables: adding or removing it does not move the entity
} cosm_storage;

// How objects are constructed, copied, moved and destroyed. Zeroed: plain bytes. A function that
// returns false is out of memory, and no object was made. The functions must not call the library.
// They may be called from several threads at once, for different worlds. Objects passed in by a
// call or a command may be aligned to 16 bytes only.
typedef struct cosm_lifecycle {
    bool (*construct)(void *context, void *object);                // NULL: the default value
    bool (*copy)(void *context, void *object, const void *source); // NULL: copies the bytes
    void (*move)(void *context, void *object,
                 void *source);                   // destroys the source; NULL: moves the bytes
    void (*destroy)(void *context, void *object); // NULL: nothing to do
    bool (*equals)(void *context, const void *a, const void *b); // NULL: compares the bytes
    uint64_t (*hash)(void *context, const void *object); // equal objects hash alike; NULL: bytes
    void *context;
} cosm_lifecycle;

// Zeroed, except for the name, gives a tag.
typedef struct cosm_component_desc {
    const char *name;          // unique in the engine; copied
    size_t size;               // bytes: 0 to COSM_COMPONENT_SIZE_MAX, a multiple of alignment
    size_t alignment;          // a power of two up to 4096; zero: what the size allows, up to 16
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    cosm_layout layout; // COSM_LAYOUT_SPLIT stores the fields only; bytes between them read as zero
    const cosm_field *fields; // the fields, see field.h; copied; NULL: none
    uint32_t field_count;
    const char *doc; // a description; copied; NULL: none
    cosm_storage storage;
    cosm_lifecycle lifecycle; // for managed, shared and sector components
    bool change_rows;         // track changes per row, not only per chunk: see query.h
    const char *type;         // the name of its C type, for typed.h; copied; NULL: same as `name`
} cosm_component_desc;

// The format of generated code. cosm-gen's output compiles with headers of the same number.
#define COSM_GEN_FORMAT 3

// A component described once for all engines, as cosm-gen writes it for a marked struct. Not const:
// the library stores in `hint` the id that the component most likely has.
typedef struct cosm_component_type {
    cosm_component_desc desc;
    uint32_t hint;
} cosm_component_type;

typedef struct cosm_bundle_desc {
    const char *name;                         // unique among components and bundles; copied
    const char *text;                         // members by name: "Position, Velocity"
    cosm_component components[COSM_LIST_MAX]; // or by id; zeroes only at the end
    const cosm_component *more;               // more of them
    uint32_t more_count;
} cosm_bundle_desc;

// Defines a component. Defining it again with the same properties returns the same id; with other
// properties it fails with COSM_ERROR_CONFLICT. Zero on failure.
COSM_API cosm_component cosm_component_define(cosm_engine *engine, const cosm_component_desc *desc);

// Defines a component from its type, which must outlive the engine. Zero on failure.
COSM_API cosm_component cosm_component_register(cosm_engine *engine, cosm_component_type *type);

// The component of a type in this engine. Zero, reported, if it is not defined or if a different
// component has its name. O(1); a few loads if all engines register their types in the same order.
COSM_API cosm_component cosm_component_of(const cosm_engine *engine, cosm_component_type *type);

// Defines a bundle of components and other bundles. Zero on failure.
COSM_API cosm_component cosm_bundle_define(cosm_engine *engine, const cosm_bundle_desc *desc);

// The component or bundle with this name, or zero. O(1).
COSM_API cosm_component cosm_component_find(const cosm_engine *engine, const char *name);

// A component as it was defined; zeroed if the id is not defined. What it points at is valid as
// long as the engine.
typedef struct cosm_component_info {
    const char *name;
    const char *doc;           // NULL: none was given
    size_t size;               // bytes; zero for a bundle
    size_t alignment;          // zero for a bundle
    const void *default_value; // `size` bytes, aligned to 16 at least; NULL: zeroes
    const cosm_field *fields;  // field_count of them, in the order given; NULL: none
    uint32_t field_count;
    cosm_layout layout;
    cosm_storage storage;
    bool change_rows; // changes are tracked per row
    bool is_bundle;
    // Values own something, so copying their bytes does not copy them: managed components, and
    // those whose lifecycle copies or destroys.
    bool is_object;
    // A hash of the meaning of the bytes: name, size, alignment, and each field's path, type,
    // offset, dimensions and labels. Layout, defaults, ranges, units and docs do not count. It is
    // the same on every machine. Bytes written under one hash can be read under an equal one.
    uint64_t hash;
} cosm_component_info;

COSM_API cosm_component_info cosm_component_describe(const cosm_engine *engine,
                                                     cosm_component component);

// Copies the members of a bundle (for a component: itself) in ascending order, at most `max`.
// Returns how many there are.
COSM_API uint32_t cosm_component_members(const cosm_engine *engine, cosm_component component,
                                         uint32_t max, cosm_component *out_members);

// Called by COSM_COMPONENT_DEFINE and COSM_TAG_DEFINE of typed.h; `call` is their name. Fields have
// to describe all bytes of the type, or there are none. `members` has a byte for each byte of the
// type, zero where that is padding; NULL: unknown.
COSM_API cosm_component cosm_component_define_fields(cosm_engine *engine, const char *call,
                                                     const cosm_component_desc *desc,
                                                     const unsigned char *members);

static inline cosm_component cosm_component_define_type(cosm_engine *engine, cosm_type type,
                                                        size_t alignment,
                                                        const unsigned char *members,
                                                        const cosm_field *fields,
                                                        uint32_t field_count) {
    cosm_component_desc desc;
    memset(&desc, 0, sizeof(desc));
    desc.name = type.name;
    desc.type = type.name;
    desc.size = type.size;
    desc.alignment = alignment;
    desc.fields = fields;
    desc.field_count = field_count;
    return cosm_component_define_fields(engine, "COSM_COMPONENT_DEFINE", &desc, members);
}

static inline cosm_component cosm_tag_define(cosm_engine *engine, cosm_type name) {
    cosm_component_desc desc;
    memset(&desc, 0, sizeof(desc));
    desc.name = name.name;
    desc.type = name.name;
    desc.alignment = 1;
    return cosm_component_define_fields(engine, "COSM_TAG_DEFINE", &desc, NULL);
}

COSM_END_C

#ifdef __cplusplus
template <typename cosm_described, typename cosm_listed>
cosm_component cosm_component_define_type(cosm_engine *engine, cosm_type type,
                                          const cosm_listed &fields) {
    cosm_members_of<cosm_described> members;
    return cosm_component_define_type(engine, type, alignof(cosm_described), members.find(),
                                      fields.begin(), fields.count());
}
#endif

#endif
