// Objects in images: copied, compared, shared and given back.
#include "state/object.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"

static size_t object_alignment(const struct value_type *type) {
    return type->alignment < 16 ? 16 : type->alignment;
}

static size_t object_size(const struct value_type *type) {
    return align_up(sizeof(struct object), object_alignment(type)) + type->size;
}

bool cosmi_object_can_copy(const struct value_type *type) {
    return type->lifecycle.destroy == NULL || type->lifecycle.copy != NULL;
}

cosm_result cosmi_object_copy_to(const struct sink *sink, const char *call,
                                 const struct value_type *type, const void *source, void *target) {
    const cosm_lifecycle *lifecycle = &type->lifecycle;
    if (!cosmi_object_can_copy(type)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: component '%s' has objects that are destroyed and cannot be copied; "
                          "give its lifecycle a copy function",
                          call, type->name);
    }
    if (lifecycle->copy == NULL) {
        memcpy(target, source, type->size);
    } else if (!lifecycle->copy(lifecycle->context, target, source)) {
        return cosmi_fail(sink, COSM_ERROR_MEMORY,
                          "%s: component '%s': %s of its lifecycle returned false, so it is out "
                          "of memory; free memory and try again",
                          call, type->name, "copy");
    }
    return COSM_OK;
}

struct object *cosmi_object_create(struct memory *memory, const struct value_type *type) {
    struct object *object = cosmi_memory_alloc(memory, object_size(type), object_alignment(type));
    if (object != NULL) {
        atomic_init(&object->refs, 1);
        object->type = type;
        object->bytes = (char *)object + align_up(sizeof(*object), object_alignment(type));
    }
    return object;
}

void cosmi_object_drop(struct memory *memory, struct object *object) {
    cosmi_memory_free(memory, object, object_size(object->type), object_alignment(object->type));
}

void cosmi_object_release(struct memory *memory, struct object *object) {
    if (object == NULL || atomic_fetch_sub_explicit(&object->refs, 1, memory_order_acq_rel) != 1) {
        return;
    }
    const cosm_lifecycle *lifecycle = &object->type->lifecycle;
    if (lifecycle->destroy != NULL) {
        lifecycle->destroy(lifecycle->context, object->bytes);
    }
    cosmi_object_drop(memory, object);
}

bool cosmi_object_is(const struct object *object, const void *value) {
    const struct value_type *type = object->type;
    if (type->lifecycle.equals != NULL) {
        return type->lifecycle.equals(type->lifecycle.context, object->bytes, value);
    }
    return type->lifecycle.copy == NULL && memcmp(object->bytes, value, type->size) == 0;
}

struct object *cosmi_object_same(struct memory *memory, const struct sink *sink, const char *call,
                                 const struct value_type *type, struct object *kept,
                                 const void *source) {
    if (kept != NULL && kept->type == type && cosmi_object_is(kept, source)) {
        return object_retain(kept);
    }
    struct object *object = cosmi_object_create(memory, type);
    if (object == NULL) {
        (void)cosmi_fail_memory(sink, memory, call);
        return NULL;
    }
    if (cosmi_object_copy_to(sink, call, type, source, object->bytes) != COSM_OK) {
        cosmi_object_drop(memory, object);
        return NULL;
    }
    return object;
}
