// Objects in images: copies, made and ended by the lifecycle of their type, counted by those who
// share them. Plain values of shared components are kept so, too.
#ifndef COSM_STATE_OBJECT_H
#define COSM_STATE_OBJECT_H

#include <stdatomic.h>

#include "schema/schema.h"

struct object {
    atomic_uint refs;
    const struct value_type *type;
    void *bytes; // behind the struct, aligned as the type is
};

// Can copies of values of this type be made? Not where a lifecycle destroys and does not copy.
bool cosmi_object_can_copy(const struct value_type *type);

// Does it stand for this value of its type? As its lifecycle says; plain ones by bytes. One with a
// copy function and no equals function is never known to.
bool cosmi_object_is(const struct object *object, const void *value);

// `kept` once more where its lifecycle says that it equals `source` (of plain types: by bytes),
// else a copy; `kept` may be NULL. NULL, with a message that names `call`, on failure.
struct object *cosmi_object_same(struct memory *memory, const struct sink *sink, const char *call,
                                 const struct value_type *type, struct object *kept,
                                 const void *source);

// One without an object in it yet: the caller makes it in `bytes` before anything else.
struct object *cosmi_object_create(struct memory *memory, const struct value_type *type);

// Gives memory back without ending what is in it.
void cosmi_object_drop(struct memory *memory, struct object *object);
void cosmi_object_release(struct memory *memory, struct object *object);

// Makes a copy of an object in memory of the caller's, where there is none. On failure there is a
// message.
cosm_result cosmi_object_copy_to(const struct sink *sink, const char *call,
                                 const struct value_type *type, const void *source, void *target);

static inline struct object *object_retain(struct object *object) {
    if (object != NULL) {
        atomic_fetch_add_explicit(&object->refs, 1, memory_order_relaxed);
    }
    return object;
}

#endif
