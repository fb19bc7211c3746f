// Writing values: making programs, pointing them at rows, running them.
#include "write.h"

#include <stdlib.h>

// Text that grows. Once out of memory, it stays as it is.
struct draft {
    char *bytes;
    size_t length;
    size_t capacity;
    bool has_failed;
};

static void draft_bytes(struct draft *draft, const char *text, size_t length) {
    if (draft->length + length > draft->capacity && !draft->has_failed) {
        size_t capacity = 2 * (draft->length + length) + 64;
        char *bytes = realloc(draft->bytes, capacity);
        draft->has_failed = bytes == NULL;
        draft->bytes = bytes == NULL ? draft->bytes : bytes;
        draft->capacity = bytes == NULL ? draft->capacity : capacity;
    }
    if (!draft->has_failed && length > 0) {
        memcpy(draft->bytes + draft->length, text, length);
        draft->length += length;
    }
}

static void draft_text(struct draft *draft, const char *text) {
    draft_bytes(draft, text, strlen(text));
}

// Lays the texts of a program behind each other.
struct layer {
    struct program *program;
    struct draft draft;
    size_t mark; // where the text of the next field begins
};

// What was laid since the last field is the text before this one. Texts are set once the draft no
// longer moves; until then their lengths say where they are.
static void lay_field(struct layer *layer, const struct leaf *leaf) {
    layer->program->ops[layer->program->op_count++] =
        (struct op){NULL, layer->draft.length - layer->mark, leaf, NULL, 0};
    layer->mark = layer->draft.length;
}

static void lay_key(struct layer *layer, const struct node *node) {
    if (style_is_json(layer->program->style)) {
        draft_bytes(&layer->draft, node->key, node->key_length - 1);
    } else {
        draft_bytes(&layer->draft, node->name, node->name_length);
    }
    draft_text(&layer->draft, style_colon(layer->program->style));
}

static void lay_node(struct layer *layer, const struct node *node) {
    if (node->kind == NODE_LEAF) {
        lay_field(layer, &node->leaf);
        return;
    }
    draft_text(&layer->draft, node->kind == NODE_STRUCT ? "{" : "[");
    for (uint32_t i = 0; i < node->child_count; i++) {
        draft_text(&layer->draft, i > 0 ? style_comma(layer->program->style) : "");
        if (node->kind == NODE_STRUCT) {
            lay_key(layer, &node->children[i]);
        }
        lay_node(layer, &node->children[i]);
    }
    draft_text(&layer->draft, node->kind == NODE_STRUCT ? "}" : "]");
}

static void lay_prefix(struct layer *layer, const struct shape *shape) {
    enum style style = layer->program->style;
    if (style_is_json(style)) {
        draft_text(&layer->draft, style_comma(style));
        draft_bytes(&layer->draft, shape->key, shape->key_length - 1);
        draft_text(&layer->draft, style_colon(style));
    } else {
        draft_text(&layer->draft, "  ");
        draft_text(&layer->draft, shape->name);
        draft_text(&layer->draft, shape->size > 0 ? " " : "");
    }
}

static void lay_shape(struct layer *layer, const struct shape *shape, bool is_member) {
    bool is_json = style_is_json(layer->program->style);
    if (shape->field_count > 0) {
        lay_node(layer, &shape->root);
    } else if (shape->size > 0) {
        draft_text(&layer->draft, is_json ? "\"" : "");
        lay_field(layer, NULL);
        draft_text(&layer->draft, is_json ? "\"" : "");
    } else if (is_json || !is_member) {
        draft_text(&layer->draft, "{}");
    }
}

// Copies the draft to where it stays and points the program at it.
static bool settle(struct arena *arena, struct layer *layer) {
    struct program *program = layer->program;
    struct draft *draft = &layer->draft;
    char *text =
        draft->has_failed ? NULL : cosmi_text_take_zeroed(arena, draft->length + OUT_PADDING);
    if (text != NULL && draft->length > 0) {
        memcpy(text, draft->bytes, draft->length);
    }
    program->tail_length = draft->length - layer->mark;
    free(draft->bytes);
    if (text == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < program->op_count; i++) {
        program->ops[i].text = text;
        text += program->ops[i].text_length;
    }
    program->tail = text;
    return true;
}

struct program *cosmi_text_program(struct arena *arena, const struct shape *shape, enum style style,
                                   bool is_member) {
    struct program *program = cosmi_text_take_zeroed(arena, sizeof(*program));
    uint32_t op_max = shape->field_count > 0 ? shape->field_count : 1;
    struct op *ops = cosmi_text_take(arena, op_max * sizeof(*ops));
    if (program == NULL || ops == NULL) {
        return NULL;
    }
    program->style = style;
    program->size = shape->size;
    program->ops = ops;
    struct layer layer = {program, {NULL, 0, 0, false}, 0};
    if (is_member) {
        lay_prefix(&layer, shape);
    }
    lay_shape(&layer, shape, is_member);
    return settle(arena, &layer) ? program : NULL;
}

void cosmi_text_aim_value(struct program *program, const void *value) {
    for (uint32_t i = 0; i < program->op_count; i++) {
        struct op *op = &program->ops[i];
        op->at = (const char *)value + (op->leaf == NULL ? 0 : op->leaf->field->offset);
        op->stride = 0;
    }
}

void cosmi_text_aim_rows(struct program *program, const cosm_rows *rows, cosm_component component) {
    const void *shared = cosm_rows_shared(rows, component);
    if (shared != NULL) {
        cosmi_text_aim_value(program, shared);
        return;
    }
    for (uint32_t i = 0; i < program->op_count; i++) {
        struct op *op = &program->ops[i];
        if (op->leaf == NULL) {
            op->at = cosm_rows_column_read(rows, component);
            op->stride = program->size;
        } else {
            cosm_span span = cosm_rows_span_read(rows, component, op->leaf->number);
            op->at = span.data;
            op->stride = span.stride;
        }
    }
}

void cosmi_text_run(struct program *program, struct out *out) {
    for (uint32_t i = 0; i < program->op_count; i++) {
        struct op *op = &program->ops[i];
        out_padded(out, op->text, op->text_length);
        if (op->leaf != NULL) {
            cosmi_text_out_field(out, program->style, op->leaf, op->at);
        } else {
            cosmi_text_out_hex(out, op->at, program->size);
        }
        op->at += op->stride;
    }
    out_padded(out, program->tail, program->tail_length);
}
