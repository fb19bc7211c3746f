// What differs between two values, field by field.
#include <cosm_text/print.h>

#include "check.h"
#include "write.h"

struct changes {
    struct out *out;
    const char *before;
    const char *after;
    uint32_t max; // zero: all
    uint32_t count;
};

// Counts a change; false: it is not printed, for there were enough.
static bool begin_change(struct changes *changes) {
    changes->count++;
    if (changes->max != 0 && changes->count > changes->max) {
        return false;
    }
    out_text(changes->out, changes->count == 1 ? "" : ", ");
    return true;
}

// The place of element `index` of an array, each dimension in brackets.
static void out_index(struct out *out, const struct leaf *leaf, uint32_t index) {
    uint32_t within = 1; // elements of the dimensions that come later
    for (uint32_t dim = 1; dim < leaf->dim_count; dim++) {
        within *= leaf->field->dims[dim];
    }
    for (uint32_t dim = 0; dim < leaf->dim_count; dim++) {
        out_char(out, '[');
        out_u64(out, index / within % leaf->field->dims[dim]);
        out_char(out, ']');
        within /= dim + 1 < leaf->dim_count ? leaf->field->dims[dim + 1] : 1;
    }
}

// A field: it, or the elements of it that differ.
static void print_leaf(struct changes *changes, const struct leaf *leaf) {
    struct leaf element = *leaf;
    uint32_t count = 1;
    element.dim_count = 0;
    for (uint32_t dim = 0; dim < leaf->dim_count; dim++) {
        count *= leaf->field->dims[dim];
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = leaf->field->offset + (size_t)i * leaf->element_size;
        if (memcmp(changes->before + at, changes->after + at, leaf->element_size) != 0 &&
            begin_change(changes)) {
            out_text(changes->out, leaf->field->name);
            out_index(changes->out, leaf, i);
            out_text(changes->out, ": ");
            cosmi_text_out_field(changes->out, STYLE_PRINT, &element, changes->before + at);
            out_text(changes->out, " -> ");
            cosmi_text_out_field(changes->out, STYLE_PRINT, &element, changes->after + at);
        }
    }
}

// The fields below a node. Shapes are at most SHAPE_DEPTH_MAX deep.
static void print_node(struct changes *changes, const struct node *node) {
    if (node->kind == NODE_LEAF) {
        print_leaf(changes, &node->leaf);
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        print_node(changes, &node->children[i]);
    }
}

static void print_fields(struct changes *changes, const struct shape *shape) {
    out_char(changes->out, '{');
    print_node(changes, &shape->root);
    if (changes->max != 0 && changes->count > changes->max) {
        out_text(changes->out, " and ");
        out_u64(changes->out, changes->count - changes->max);
        out_text(changes->out, " more");
    }
    out_char(changes->out, '}');
}

static void print_bytes(struct changes *changes, size_t size) {
    cosmi_text_out_hex(changes->out, changes->before, size);
    out_text(changes->out, " -> ");
    cosmi_text_out_hex(changes->out, changes->after, size);
}

// Prints the change of a subject that is known to be defined.
static cosm_result print_change(const char *call, struct subject subject, struct changes *changes,
                                cosm_text_fn *write, void *context) {
    struct arena arena = {NULL, NULL, 0};
    struct out out;
    cosm_result result = cosmi_text_check_write(call, subject.engine, write);
    if (result == COSM_OK && subject_size(subject) > 0) {
        result = cosmi_text_check_pointer(call, subject.engine, changes->before, "before");
        result = result != COSM_OK
                     ? result
                     : cosmi_text_check_pointer(call, subject.engine, changes->after, "after");
    }
    if (result != COSM_OK || subject_size(subject) == 0) {
        return result;
    }
    const struct shape *shape = cosmi_text_shape(&arena, subject);
    if (shape != NULL) {
        cosmi_text_out_begin(&out, write, context);
        changes->out = &out;
        if (shape->field_count == 0) {
            print_bytes(changes, shape->size);
        } else {
            print_fields(changes, shape);
        }
        cosmi_text_out_flush(&out);
    } else {
        result = cosmi_text_fail_memory(call, subject.engine);
    }
    cosmi_text_give_all(&arena);
    return result;
}

cosm_result cosm_text_print_change(const cosm_engine *engine, cosm_component component,
                                   const void *before, const void *after, uint32_t change_max,
                                   cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_text_print_change";
    struct changes changes = {NULL, before, after, change_max, 0};
    cosm_result result = cosmi_text_check_engine(call, engine);
    result = result != COSM_OK ? result : cosmi_text_check_component(call, engine, component);
    return result != COSM_OK ? result
                             : print_change(call, (struct subject){engine, false, component.id},
                                            &changes, write, context);
}

cosm_result cosm_text_print_singleton_change(const cosm_engine *engine, cosm_singleton singleton,
                                             const void *before, const void *after,
                                             uint32_t change_max, cosm_text_fn *write,
                                             void *context) {
    static const char call[] = "cosm_text_print_singleton_change";
    struct changes changes = {NULL, before, after, change_max, 0};
    cosm_result result = cosmi_text_check_engine(call, engine);
    result = result != COSM_OK ? result : cosmi_text_check_singleton(call, engine, singleton);
    return result != COSM_OK ? result
                             : print_change(call, (struct subject){engine, true, singleton.id},
                                            &changes, write, context);
}
