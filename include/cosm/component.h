// Components: the kinds of data an entity can have, and bundles: names for several of them.
//
// A component of size zero is a tag. A bundle is accepted wherever a component is asked for and
// stands for all its members; what needs bytes (read, write, set) wants a plain component.
#ifndef COSM_COMPONENT_H
#define COSM_COMPONENT_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

// How the values of a component lie in a table.
typedef enum cosm_layout {
    COSM_LAYOUT_STRUCT = 0, // one array of the whole struct
    COSM_LAYOUT_SPLIT,      // an array of its own for each field, aligned to 64 bytes
} cosm_layout;

// Where the values of a component live. Queries and changes take them all; how the rows of a walk
// show a value depends on it: see shared.h, managed.h and sector.h.
typedef enum cosm_storage {
    COSM_STORAGE_COLUMN = 0, // a column of its table: nearly everything
    COSM_STORAGE_SHARED,     // once per world and value; entities of equal value share a table
    COSM_STORAGE_MANAGED,    // objects that have to be destroyed; the column holds their tickets
    COSM_STORAGE_SECTOR,     // beside the tables: adding and removing it does not move the entity
} cosm_storage;

// What the bytes of an object need when they come to be, are copied, move and end. Good when
// zeroed: plain bytes. Functions that return false have no memory left; then there is no object.
// Worlds may be worked on side by side, and so may these functions be called on several threads.
// They call nothing of the library. What comes from a call or a command may be aligned to 16 bytes
// only.
typedef struct cosm_lifecycle {
    bool (*construct)(void *context, void *object);                // NULL: the default value
    bool (*copy)(void *context, void *object, const void *source); // NULL: copies the bytes
    void (*move)(void *context, void *object,
                 void *source);                   // ends the source; NULL: moves the bytes
    void (*destroy)(void *context, void *object); // NULL: nothing to be done
    bool (*equals)(void *context, const void *a, const void *b); // NULL: compares the bytes
    uint64_t (*hash)(void *context, const void *object); // equal ones alike; NULL: of the bytes
    void *context;
} cosm_lifecycle;

// Good when zeroed but for the name.
typedef struct cosm_component_desc {
    const char *name;          // unique in the engine; copied
    size_t size;               // bytes, 0 to COSM_COMPONENT_SIZE_MAX; a multiple of alignment
    size_t alignment;          // a power of two up to 4096; zero: what the size allows, at most 16
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    cosm_layout layout;        // COSM_LAYOUT_SPLIT keeps the fields only, and zeroes between them
    const cosm_field *fields;  // what the bytes mean, see field.h; copied; NULL: not told
    uint32_t field_count;
    const char *doc; // what it is for; copied; NULL: not told
    cosm_storage storage;
    cosm_lifecycle lifecycle; // of managed, shared and sector components
    bool change_rows;         // changes are kept row by row, not only chunk by chunk: see change.h
    const char *type;         // the name of its C type, for typed.h; copied; NULL: as `name`
} cosm_component_desc;

// What cosm-gen writes fits headers that have the number it was written for.
#define COSM_GEN_FORMAT 3

// A component described once for all engines: what cosm-gen writes for a marked struct. Not const,
// because the library keeps in `hint` which id the component most likely has.
typedef struct cosm_component_type {
    cosm_component_desc desc;
    uint32_t hint;
} cosm_component_type;

typedef struct cosm_bundle_desc {
    const char *name;                         // unique among components and bundles; copied
    const char *text;                         // members by name: "Position, Velocity"
    cosm_component components[COSM_LIST_MAX]; // or by id; zeroes only at the end
    const cosm_component *more;               // further ones
    uint32_t more_count;
} cosm_bundle_desc;

// Defines a component. A second definition with the same name and the same properties returns
// the first one's id; one that differs is a COSM_ERROR_CONFLICT. Zero on failure.
COSM_API cosm_component cosm_component_define(cosm_engine *engine, const cosm_component_desc *desc);

// Defines a component from its type; the type must live as long as the engine. Zero on failure.
COSM_API cosm_component cosm_component_register(cosm_engine *engine, cosm_component_type *type);

// The component of a type in this engine; zero, with a message, where there is none, or one of the
// same name that means something else. O(1), and a few loads where engines register their types in
// one order.
COSM_API cosm_component cosm_component_of(const cosm_engine *engine, cosm_component_type *type);

// Defines a bundle of components and of other bundles. Zero on failure.
COSM_API cosm_component cosm_bundle_define(cosm_engine *engine, const cosm_bundle_desc *desc);

// The component or bundle with that name, or zero. O(1).
COSM_API cosm_component cosm_component_find(const cosm_engine *engine, const char *name);

// What a component is; NULL or zero for an id that is not defined. A bundle has size zero. A
// component without a doc has NULL there too.
COSM_API const char *cosm_component_name(const cosm_engine *engine, cosm_component component);
COSM_API size_t cosm_component_size(const cosm_engine *engine, cosm_component component);
COSM_API size_t cosm_component_alignment(const cosm_engine *engine, cosm_component component);
COSM_API const char *cosm_component_doc(const cosm_engine *engine, cosm_component component);
COSM_API cosm_layout cosm_component_layout(const cosm_engine *engine, cosm_component component);
COSM_API cosm_storage cosm_component_storage(const cosm_engine *engine, cosm_component component);
COSM_API bool cosm_component_is_bundle(const cosm_engine *engine, cosm_component component);
COSM_API bool cosm_component_has_change_rows(const cosm_engine *engine, cosm_component component);

// Do its values own something, so that their bytes alone are no copy of them? Managed ones, and those
// whose lifecycle copies or destroys.
COSM_API bool cosm_component_is_object(const cosm_engine *engine, cosm_component component);

// Copies the value that a new one has, cosm_component_size bytes. False for an id that is not
// defined, and where there are no bytes.
COSM_API bool cosm_component_default(const cosm_engine *engine, cosm_component component,
                                     void *out_value);

// A hash of what the bytes of a component mean: name, size, alignment, and each field's path, type,
// offset, dimensions and labels. The same on every machine; layout, defaults, ranges, units and
// docs do not count. Bytes written under one hash can be read under an equal one.
COSM_API uint64_t cosm_component_hash(const cosm_engine *engine, cosm_component component);

// Copies the members of a bundle (of a component: itself) to `out_members`, in ascending order,
// at most `max`; returns how many there are.
COSM_API uint32_t cosm_component_members(const cosm_engine *engine, cosm_component component,
                                         uint32_t max, cosm_component *out_members);

// What COSM_COMPONENT_DEFINE and COSM_TAG_DEFINE of typed.h call.
static inline cosm_component cosm_component_define_fields(cosm_engine *engine, cosm_type type,
                                                          size_t alignment,
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
    return cosm_component_define(engine, &desc);
}

static inline cosm_component cosm_tag_define(cosm_engine *engine, cosm_type name) {
    return cosm_component_define_fields(engine, name, 1, NULL, 0);
}

COSM_END_C

#ifdef __cplusplus
static inline cosm_component cosm_component_define_fields(
    cosm_engine *engine, cosm_type type, size_t alignment,
    std::initializer_list<cosm_field> fields) {
    return cosm_component_define_fields(engine, type, alignment, fields.begin(),
                                        COSM_CAST(uint32_t, fields.size()));
}
#endif

#endif
