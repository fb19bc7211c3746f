// Singletons: values that each world holds once, outside all tables.
//
// The values of all worlds lie side by side in one array per singleton.
#ifndef COSM_SINGLETON_H
#define COSM_SINGLETON_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Good when zeroed but for name and size.
typedef struct cosm_singleton_desc {
    const char *name;          // unique among singletons; copied
    size_t size;               // bytes, 1 to COSM_COMPONENT_SIZE_MAX; a multiple of alignment
    size_t alignment;          // as for components
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    const cosm_field *fields;  // what the bytes mean, see field.h; copied; NULL: not told
    uint32_t field_count;
    const char *doc; // what it is for; copied; NULL: not told
} cosm_singleton_desc;

// A singleton described once for all engines, as cosm_component_type is for components.
typedef struct cosm_singleton_type {
    cosm_singleton_desc desc;
    uint32_t hint;
} cosm_singleton_type;

// Defines a singleton; batches that exist already get it too, with its default value. The same
// definition again returns the same id. Zero on failure.
COSM_API cosm_singleton cosm_singleton_define(cosm_engine *engine, const cosm_singleton_desc *desc);

// The same from a type, which must live as long as the engine; and the singleton of a type in this
// engine: zero, with a message, where there is none, or one of the same name that means something
// else.
COSM_API cosm_singleton cosm_singleton_register(cosm_engine *engine, cosm_singleton_type *type);
COSM_API cosm_singleton cosm_singleton_of(const cosm_engine *engine, cosm_singleton_type *type);

COSM_API cosm_singleton cosm_singleton_find(const cosm_engine *engine, const char *name);
COSM_API const char *cosm_singleton_name(const cosm_engine *engine, cosm_singleton singleton);
COSM_API size_t cosm_singleton_size(const cosm_engine *engine, cosm_singleton singleton);
COSM_API const char *cosm_singleton_doc(const cosm_engine *engine, cosm_singleton singleton);
COSM_API size_t cosm_singleton_alignment(const cosm_engine *engine, cosm_singleton singleton);

// As cosm_component_default.
COSM_API bool cosm_singleton_default(const cosm_engine *engine, cosm_singleton singleton,
                                     void *out_value);

// As cosm_component_hash.
COSM_API uint64_t cosm_singleton_hash(const cosm_engine *engine, cosm_singleton singleton);

// The world's value, or NULL when world or singleton are not defined. The address holds as long as
// the batch lives. O(1).
COSM_API const void *cosm_singleton_read(cosm_world world, cosm_singleton singleton);
COSM_API void *cosm_singleton_write(cosm_world world, cosm_singleton singleton);

// What the typed macros call: NULL with a message when `size` is not the singleton's size.
COSM_API const void *cosm_singleton_read_sized(cosm_world world, cosm_singleton singleton,
                                               size_t size);
COSM_API void *cosm_singleton_write_sized(cosm_world world, cosm_singleton singleton, size_t size);

#define COSM_SINGLETON_READ(world, Type, singleton)                                                \
    ((const Type *)cosm_singleton_read_sized((world), (singleton), sizeof(Type)))
#define COSM_SINGLETON_WRITE(world, Type, singleton)                                               \
    ((Type *)cosm_singleton_write_sized((world), (singleton), sizeof(Type)))

// What the macro below calls.
static inline cosm_singleton cosm_singleton_define_sized(cosm_engine *engine, const char *name,
                                                         size_t size, size_t alignment) {
    cosm_singleton_desc desc = {name, size, alignment, NULL, NULL, 0, NULL};
    return cosm_singleton_define(engine, &desc);
}

// Defines the singleton that holds `Type`, under the type's own name, zeroed by default.
#define COSM_SINGLETON_DEFINE(engine, Type)                                                        \
    cosm_singleton_define_sized((engine), #Type, sizeof(Type), COSM_ALIGNOF(Type))

COSM_END_C

#endif
