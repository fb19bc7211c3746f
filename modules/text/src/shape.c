// Shapes: the tree of a component's fields, made from their paths.
//
// The library has checked the paths: the fields of a nested struct are neighbours, the indices of
// an array go up from 0 by one, and no path is a part of another.
#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "out.h"

struct maker {
    struct arena *arena;
    struct subject subject;
};

static int compare_names(const void *a, const void *b) {
    const struct name_entry *left = a;
    const struct name_entry *right = b;
    size_t shorter = left->length < right->length ? left->length : right->length;
    int order = memcmp(left->text, right->text, shorter);
    if (order == 0 && left->length != right->length) {
        order = left->length < right->length ? -1 : 1;
    }
    return order;
}

uint32_t cosmi_text_name_find(const struct name_list *list, const char *text, size_t length) {
    struct name_entry wanted = {text, length, 0};
    uint32_t first = 0;
    uint32_t end = list->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        int order = compare_names(&wanted, &list->entries[middle]);
        if (order == 0) {
            return list->entries[middle].index;
        }
        if (order < 0) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return NAME_NONE;
}

static void sort_names(struct name_entry *entries, uint32_t count, struct name_list *out_list) {
    qsort(entries, count, sizeof(*entries), compare_names);
    *out_list = (struct name_list){entries, count};
}

// Order of values, and of the places in the list where values are equal.
struct value_entry {
    int64_t value;
    uint32_t index;
};

static int compare_values(const void *a, const void *b) {
    const struct value_entry *left = a;
    const struct value_entry *right = b;
    if (left->value != right->value) {
        return left->value < right->value ? -1 : 1;
    }
    return left->index < right->index ? -1 : 1;
}

static bool sort_values(struct arena *arena, struct label_list *list) {
    struct value_entry *entries = cosmi_text_take(arena, list->count * sizeof(*entries));
    uint32_t *by_value = cosmi_text_take(arena, list->count * sizeof(*by_value));
    if (entries == NULL || by_value == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        entries[i] = (struct value_entry){list->items[i].value, i};
    }
    qsort(entries, list->count, sizeof(*entries), compare_values);
    for (uint32_t i = 0; i < list->count; i++) {
        by_value[i] = entries[i].index;
    }
    list->by_value = by_value;
    return true;
}

static const struct label_list *make_labels(struct arena *arena, const cosm_labels *labels) {
    struct label_list *list = cosmi_text_take_zeroed(arena, sizeof(*list));
    cosm_label *items = cosmi_text_take(arena, labels->count * sizeof(*items));
    struct name_entry *names = cosmi_text_take(arena, labels->count * sizeof(*names));
    if (list == NULL || items == NULL || names == NULL) {
        return NULL;
    }
    list->kind = labels->kind;
    list->items = items;
    for (uint32_t i = 0; i < labels->count; i++) {
        size_t length = strlen(labels->items[i].name);
        if (cosmi_text_is_utf8(labels->items[i].name, length)) {
            names[list->count] = (struct name_entry){labels->items[i].name, length, list->count};
            items[list->count++] = labels->items[i];
        }
    }
    sort_names(names, list->count, &list->by_name);
    return sort_values(arena, list) ? list : NULL;
}

const cosm_label *cosmi_text_label_of(const struct label_list *labels, int64_t value) {
    uint32_t first = 0;
    uint32_t end = labels->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (labels->items[labels->by_value[middle]].value < value) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    const cosm_label *label =
        first < labels->count ? &labels->items[labels->by_value[first]] : NULL;
    return label != NULL && label->value == value ? label : NULL;
}

static bool make_leaf(struct maker *maker, struct node *node, uint32_t number) {
    const cosm_field *field = subject_field(maker->subject, number);
    struct leaf *leaf = &node->leaf;
    node->kind = NODE_LEAF;
    leaf->field = field;
    leaf->number = number;
    leaf->scalar_size = (uint32_t)cosm_field_type_size(field->type);
    leaf->element_size = leaf->scalar_size;
    while (leaf->dim_count < COSM_FIELD_DIM_MAX && field->dims[leaf->dim_count] != 0) {
        leaf->dim_count++;
    }
    if (field->type == COSM_FIELD_CHAR && leaf->dim_count > 0) {
        leaf->dim_count--;
        leaf->element_size = field->dims[leaf->dim_count];
    }
    if (field->labels != NULL) {
        leaf->labels = make_labels(maker->arena, field->labels);
    }
    return field->labels == NULL || leaf->labels != NULL;
}

// The length of one step of a path: a name, or an index in its brackets.
static size_t step_length(const char *step) {
    return *step == '[' ? strcspn(step, "]") + 1 : strcspn(step, ".[");
}

// Where the step of a path begins that follows `length` characters.
static size_t step_start(const char *path, size_t length) {
    return length + (path[length] == '.' ? 1 : 0);
}

// How many fields from `first` on, but before `end`, have the same step at `start`.
static uint32_t same_step_count(const struct maker *maker, uint32_t first, uint32_t end,
                                size_t start) {
    const char *path = subject_field(maker->subject, first)->name;
    size_t length = start + step_length(path + start);
    uint32_t count = 1;
    while (first + count < end) {
        const char *other = subject_field(maker->subject, first + count)->name;
        if (strncmp(path, other, length) != 0 || start + step_length(other + start) != length) {
            break;
        }
        count++;
    }
    return count;
}

static bool name_node(struct arena *arena, struct node *node, const char *name, size_t length) {
    char *key = cosmi_text_take(arena, length + 4);
    if (key == NULL) {
        return false;
    }
    node->name = name;
    node->name_length = length;
    node->key = key;
    node->key_length = length + 3;
    key[0] = '"';
    memcpy(key + 1, name, length);
    memcpy(key + 1 + length, "\":", 3);
    return true;
}

// Makes room for the children of a node, one for each step that its fields go on with.
static bool take_children(struct maker *maker, struct node *node, uint32_t first, uint32_t end,
                          size_t start) {
    for (uint32_t i = first; i < end; i += same_step_count(maker, i, end, start)) {
        node->child_count++;
    }
    node->children =
        cosmi_text_take_zeroed(maker->arena, node->child_count * sizeof(*node->children));
    return node->children != NULL;
}

static bool index_children(struct arena *arena, struct node *node) {
    struct name_entry *entries = cosmi_text_take(arena, node->child_count * sizeof(*entries));
    if (entries == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        const struct node *child = &node->children[i];
        entries[i] = (struct name_entry){child->name, child->name_length, i};
    }
    sort_names(entries, node->child_count, &node->by_name);
    return true;
}

// Makes the node of fields that share the first `length` characters of their paths.
static bool make_node(struct maker *maker, struct node *node, uint32_t first, uint32_t end,
                      size_t length) {
    node->path = subject_field(maker->subject, first)->name;
    node->path_length = length;
    if (node->path[length] == '\0') {
        return make_leaf(maker, node, first);
    }
    size_t start = step_start(node->path, length);
    node->kind = node->path[start] == '[' ? NODE_ARRAY : NODE_STRUCT;
    if (!take_children(maker, node, first, end, start)) {
        return false;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        struct node *child = &node->children[i];
        const char *step = subject_field(maker->subject, first)->name + start;
        uint32_t count = same_step_count(maker, first, end, start);
        if (!make_node(maker, child, first, first + count, start + step_length(step)) ||
            (node->kind == NODE_STRUCT &&
             !name_node(maker->arena, child, step, step_length(step)))) {
            return false;
        }
        first += count;
    }
    return node->kind == NODE_ARRAY || index_children(maker->arena, node);
}

// The same with one member for each field, called by its whole path.
static bool make_flat(struct maker *maker, struct node *root, uint32_t count) {
    root->kind = NODE_STRUCT;
    root->child_count = count;
    root->children = cosmi_text_take_zeroed(maker->arena, count * sizeof(*root->children));
    for (uint32_t i = 0; root->children != NULL && i < count; i++) {
        struct node *child = &root->children[i];
        child->path = subject_field(maker->subject, i)->name;
        child->path_length = strlen(child->path);
        if (!name_node(maker->arena, child, child->path, child->path_length) ||
            !make_leaf(maker, child, i)) {
            return false;
        }
    }
    return root->children != NULL && index_children(maker->arena, root);
}

static bool is_deep(struct subject subject, uint32_t field_count) {
    for (uint32_t i = 0; i < field_count; i++) {
        uint32_t depth = 1;
        for (const char *at = subject_field(subject, i)->name; *at != '\0'; at++) {
            depth += *at == '.' || *at == '[' ? 1 : 0;
        }
        if (depth > SHAPE_DEPTH_MAX) {
            return true;
        }
    }
    return false;
}

// Is it "entity" behind any number of '='?
static bool is_entity_key(const char *name) {
    return strcmp(name + strspn(name, "="), "entity") == 0;
}

const char *cosmi_text_key_name(const char *key) {
    return key[0] == '=' && is_entity_key(key) ? key + 1 : key;
}

static bool make_key(struct arena *arena, struct shape *shape, bool is_singleton) {
    char name[COSM_NAME_LENGTH_MAX + 2] = "=";
    struct out out;
    bool is_marked = !is_singleton && is_entity_key(shape->name);
    size_t length = strlen(shape->name);
    memcpy(name + (is_marked ? 1 : 0), shape->name, length);
    // A name is short, so that all of it stays in the buffer.
    cosmi_text_out_begin(&out, NULL, NULL);
    cosmi_text_out_quoted(&out, name, length + (is_marked ? 1 : 0), QUOTE_JSON);
    out_char(&out, ':');
    shape->key_length = (size_t)(out.at - out.buffer);
    char *key = cosmi_text_take(arena, shape->key_length);
    if (key != NULL) {
        memcpy(key, out.buffer, shape->key_length);
    }
    shape->key = key;
    return key != NULL;
}

struct shape *cosmi_text_shape(struct arena *arena, struct subject subject) {
    struct maker maker = {arena, subject};
    struct shape *shape = cosmi_text_take_zeroed(arena, sizeof(*shape));
    if (shape == NULL) {
        return NULL;
    }
    shape->name = subject_name(subject);
    shape->size = subject_size(subject);
    shape->field_count = subject_field_count(subject);
    shape->root.kind = NODE_STRUCT;
    shape->root.path = "";
    if (!make_key(arena, shape, subject.is_singleton)) {
        return NULL;
    }
    if (shape->field_count == 0) {
        return shape;
    }
    bool made = is_deep(subject, shape->field_count)
                    ? make_flat(&maker, &shape->root, shape->field_count)
                    : make_node(&maker, &shape->root, 0, shape->field_count, 0);
    return made ? shape : NULL;
}
