// Singletons: values stored once per world, outside all tables.
//
// The values of all worlds form one array per singleton.
#ifndef COSM_SINGLETON_H
#define COSM_SINGLETON_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Required: name and size.
typedef struct cosm_singleton_desc {
    const char *name;          // unique among singletons; copied
    size_t size;               // bytes, 1 to COSM_COMPONENT_SIZE_MAX; a multiple of alignment
    size_t alignment;          // as for components
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    const cosm_field *fields;  // the fields, see field.h; copied; NULL: none
    uint32_t field_count;
    const char *doc;  // a description; copied; NULL: none
    const char *type; // the name of its C type, for typed.h; copied; NULL: same as `name`
} cosm_singleton_desc;

// A singleton described once for all engines, like cosm_component_type.
typedef struct cosm_singleton_type {
    cosm_singleton_desc desc;
    uint32_t hint;
} cosm_singleton_type;

// Defines a singleton. Existing batches get it too, with its default value. Defining it again with
// the same properties returns the same id. Zero on failure.
COSM_API cosm_singleton cosm_singleton_define(cosm_engine *engine, const cosm_singleton_desc *desc);

// cosm_singleton_register defines a singleton from its type, which must outlive the engine.
// cosm_singleton_of returns the singleton of a type in this engine; zero, reported, if it is not
// defined or if a different singleton has its name.
COSM_API cosm_singleton cosm_singleton_register(cosm_engine *engine, cosm_singleton_type *type);
COSM_API cosm_singleton cosm_singleton_of(const cosm_engine *engine, cosm_singleton_type *type);

// The singleton with this name, or zero. O(1).
COSM_API cosm_singleton cosm_singleton_find(const cosm_engine *engine, const char *name);

// A singleton as it was defined; zeroed if the id is not defined. What it points at is valid as
// long as the engine.
typedef struct cosm_singleton_info {
    const char *name;
    const char *doc; // NULL: none was given
    size_t size;
    size_t alignment;
    const void *default_value; // `size` bytes, aligned to 16 at least; NULL: zeroes
    const cosm_field *fields;  // field_count of them, in the order given; NULL: none
    uint32_t field_count;
    uint64_t hash; // like that of a component
} cosm_singleton_info;

COSM_API cosm_singleton_info cosm_singleton_describe(const cosm_engine *engine,
                                                     cosm_singleton singleton);

// The world's value, or NULL if the world or the singleton does not exist. The address stays the
// same as long as the batch exists. O(1).
COSM_API const void *cosm_singleton_read(cosm_world world, cosm_singleton singleton);
COSM_API void *cosm_singleton_write(cosm_world world, cosm_singleton singleton);

// Called by the macros of typed.h. NULL, reported, if no singleton has this type.
COSM_API const void *cosm_singleton_read_key(cosm_world world, uint64_t key, size_t size,
                                             const char *name);
COSM_API void *cosm_singleton_write_key(cosm_world world, uint64_t key, size_t size,
                                        const char *name);

static inline const void *cosm_singleton_read_type(cosm_world world, cosm_type type) {
    return cosm_singleton_read_key(world, type.key, type.size, type.name);
}

static inline void *cosm_singleton_write_type(cosm_world world, cosm_type type) {
    return cosm_singleton_write_key(world, type.key, type.size, type.name);
}

// Called by COSM_SINGLETON_DEFINE of typed.h, as cosm_component_define_fields.
COSM_API cosm_singleton cosm_singleton_define_fields(cosm_engine *engine, const char *call,
                                                     const cosm_singleton_desc *desc,
                                                     const unsigned char *members);

static inline cosm_singleton cosm_singleton_define_type(cosm_engine *engine, cosm_type type,
                                                        size_t alignment,
                                                        const unsigned char *members,
                                                        const cosm_field *fields,
                                                        uint32_t field_count) {
    cosm_singleton_desc desc;
    memset(&desc, 0, sizeof(desc));
    desc.name = type.name;
    desc.type = type.name;
    desc.size = type.size;
    desc.alignment = alignment;
    desc.fields = fields;
    desc.field_count = field_count;
    return cosm_singleton_define_fields(engine, "COSM_SINGLETON_DEFINE", &desc, members);
}

COSM_END_C

#ifdef __cplusplus
template <typename cosm_described, typename cosm_listed>
cosm_singleton cosm_singleton_define_type(cosm_engine *engine, cosm_type type,
                                          const cosm_listed &fields) {
    cosm_members_of<cosm_described> members;
    return cosm_singleton_define_type(engine, type, alignof(cosm_described), members.find(),
                                      fields.begin(), fields.count());
}
#endif

#endif
