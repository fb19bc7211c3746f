// Walks a struct down to its scalars. Nested structs become paths, arrays of structs are counted
// out, anonymous structs vanish. Pointers are for objects that own what they point at: those have
// functions that copy and destroy it, and their pointers are not described.
//
// unit, min, max, strict and default may stand at a field that is a struct; they then hold for all
// of it, and go before those that the nested struct itself gives: the use knows more than the type.
#include "fields.h"

#include <string.h>

#include "docs.h"
#include "mark.h"
#include "storage.h"
#include "text.h"
#include "types.h"

struct walk {
    struct session *session;
    struct model *model;
    struct enum_list *enums;
    struct thing *thing;
    bool is_full; // too many fields: said once
};

// A field on the way from the whole down to a leaf. The whole itself has no outer one.
struct level {
    const struct level *outer;
    const char *name; // in quotes, for messages: the path would make one error many
    const char *path;
    const char *field; // the path without the indices of the element, where it is an array
    struct mark mark;
    const char *doc;
    uint64_t offset; // of what the field holds, from the beginning of the whole
    struct place place;
};

struct field_visit {
    struct walk *walk;
    const struct level *level;
    uint32_t count;
};

static void read_record(struct walk *walk, const struct level *level, CXType type);

// Adds where a nested field is used: the error itself stands at its own declaration.
static void note_use(struct walk *walk, const struct level *level) {
    if (level->outer != NULL && level->outer->outer != NULL) {
        const struct level *use = level->outer;
        report_note(walk->session->report, use->place, "used here, as '%s' of '%s'", use->path,
                    walk->thing->name);
    }
}

static void refuse(struct walk *walk, const struct level *level, struct place place,
                   const char *message) {
    report_error(walk->session->report, place, "%s %s", level->name, message);
    note_use(walk, level);
}

// The outermost option with that key, from the leaf's own mark up to that of the whole's field.
static const struct option *inherited(const struct level *level, const char *key,
                                      const struct level **out_level) {
    const struct option *found = NULL;
    for (; level != NULL && level->outer != NULL; level = level->outer) {
        const struct option *option = mark_option(&level->mark, key);
        if (option != NULL) {
            found = option;
            *out_level = level;
        }
    }
    return found;
}

static const char *make_symbol(struct arena *arena, const char *path) {
    struct text symbol = {.arena = arena};
    for (; *path != '\0'; path++) {
        if (*path != ']') {
            text_add_bytes(&symbol, *path == '.' || *path == '[' ? "_" : path, 1);
        }
    }
    return text_data(&symbol);
}

static bool is_number(const struct leaf *leaf) {
    return leaf->type >= COSM_FIELD_I8 && leaf->type <= COSM_FIELD_F64 && leaf->labels == NULL;
}

// Options that stand at this very field and mean nothing for it.
static void refuse_strangers(struct walk *walk, const struct level *level, const char *const *keys,
                             const char *what) {
    for (; *keys != NULL; keys++) {
        const struct option *option = mark_option(&level->mark, *keys);
        if (option != NULL) {
            report_error(walk->session->report, option->key_place, "'%s' %s; remove it", *keys,
                         what);
        }
    }
}

static void read_range(struct walk *walk, const struct level *level, struct leaf *leaf) {
    static const char *const keys[] = {"min", "max", "unit", NULL};
    if (!is_number(leaf)) {
        refuse_strangers(walk, level, keys, "is for numbers, which this field is not");
        return;
    }
    // Both come from the outermost field that gives one of them.
    const struct level *range = NULL;
    for (const struct level *at = level; at->outer != NULL; at = at->outer) {
        if (mark_option(&at->mark, "min") != NULL || mark_option(&at->mark, "max") != NULL) {
            range = at;
        }
    }
    if (range != NULL) {
        leaf->min_text = mark_expression(mark_option(&range->mark, "min"));
        leaf->max_text = mark_expression(mark_option(&range->mark, "max"));
    }
    const struct level *unit_level = NULL;
    const struct option *unit = inherited(level, "unit", &unit_level);
    leaf->unit = unit == NULL ? NULL : mark_string(walk->session, unit);
}

// Of a struct it holds for what can be strict; a number must have bounds then.
static void read_strict(struct walk *walk, const struct level *level, struct leaf *leaf) {
    static const char *const keys[] = {"strict", NULL};
    static const char *const words[] = {"false", "true", NULL};
    if (leaf->type < COSM_FIELD_I8 || leaf->type > COSM_FIELD_BOOL) {
        refuse_strangers(walk, level, keys, "is for numbers and bools, which this field is not");
        return;
    }
    const struct level *at = NULL;
    const struct option *option = inherited(level, "strict", &at);
    leaf->strict = option != NULL && mark_word(walk->session, option, words) == 1;
    bool is_bounded = leaf->type == COSM_FIELD_BOOL || leaf->labels != NULL ||
                      leaf->min_text.text != NULL || leaf->max_text.text != NULL;
    if (leaf->strict && !is_bounded) {
        report_error(
            walk->session->report, option->key_place,
            "%s is strict, and nothing says what it may be; give it min and max, or labels",
            level->name);
        note_use(walk, level);
    }
}

// A default at a field is laid over that of the whole, as the library does it.
static void read_default(struct walk *walk, const struct level *level, struct leaf *leaf) {
    const struct level *at = NULL;
    const struct option *option = inherited(level, "default", &at);
    leaf->initial = option == NULL ? (struct initial){walk->thing->initial, ""}
                                   : (struct initial){mark_expression(option), at->field};
}

static void read_labels(struct walk *walk, const struct level *level, struct leaf *leaf,
                        const struct shape *shape) {
    static const char *const keys[] = {"labels", "mask", NULL};
    const struct option *named = mark_option(&level->mark, "labels");
    const struct option *mask = mark_option(&level->mark, "mask");
    const struct option *option = mask != NULL ? mask : named;
    struct session *session = walk->session;
    if (leaf->type < COSM_FIELD_I8 || leaf->type > COSM_FIELD_U64) {
        refuse_strangers(walk, level, keys, "is for integers, which this field is not");
        return;
    }
    if (named != NULL && mask != NULL) {
        report_error(session->report, mask->key_place,
                     "'labels' and 'mask' are both set; keep one of them");
    }
    CXCursor definition = clang_getNullCursor();
    if (option != NULL) {
        definition = labels_find(walk->enums, option->value);
        if (clang_Cursor_isNull(definition)) {
            report_error(session->report, option->value_place,
                         "no enum is called '%s'; name one that is declared above", option->value);
            return;
        }
    } else if (shape->canonical.kind == CXType_Enum) {
        definition = clang_getCursorDefinition(clang_getTypeDeclaration(shape->canonical));
    }
    if (!clang_Cursor_isNull(definition)) {
        leaf->labels =
            labels_of(session, walk->model, walk->enums, definition,
                      arena_format(session->arena, "%s_%s", walk->thing->name, leaf->symbol),
                      mask != NULL, leaf->type, option != NULL ? option->value_place : leaf->place);
    }
}

// Packed structs may lay scalars where columns and loads do not expect them.
static bool check_alignment(struct walk *walk, const struct level *level, struct leaf *leaf,
                            const struct shape *shape) {
    long long alignment = clang_Type_getAlignOf(shape->element);
    if (alignment > 0 && alignment < (long long)leaf->natural) {
        leaf->alignment = (uint32_t)alignment;
    }
    uint32_t natural = leaf->alignment != 0 ? leaf->alignment : leaf->natural;
    if (leaf->offset % natural != 0 || walk->thing->alignment < natural) {
        refuse(walk, level, leaf->place,
               arena_format(walk->session->arena,
                            "is packed: at byte %u of a struct that is aligned to %zu, and needs "
                            "%u; remove the packing",
                            leaf->offset, walk->thing->alignment, natural));
        return false;
    }
    return true;
}

static bool check_room(struct walk *walk, const struct level *level) {
    if (walk->is_full) {
        return false;
    }
    if (walk->thing->leaf_count == COSM_FIELD_MAX) {
        walk->is_full = true;
        report_error(walk->session->report, walk->thing->place,
                     "'%s' has more than %u fields from '%s' on; use arrays of scalars, which "
                     "are one field each, or several components",
                     walk->thing->name, COSM_FIELD_MAX, level->path);
        return false;
    }
    if (strlen(level->path) > COSM_FIELD_PATH_LENGTH_MAX) {
        refuse(walk, level, level->place,
               arena_format(walk->session->arena,
                            "has a path of %zu characters; use names that make at most %u",
                            strlen(level->path), COSM_FIELD_PATH_LENGTH_MAX));
        return false;
    }
    return true;
}

static void add_leaf(struct walk *walk, const struct level *level, const struct shape *shape) {
    struct session *session = walk->session;
    struct thing *thing = walk->thing;
    if (!check_room(walk, level)) {
        return;
    }
    struct leaf leaf = {.path = level->path,
                        .symbol = make_symbol(session->arena, level->path),
                        .type = type_scalar(shape->canonical),
                        .offset = (uint32_t)level->offset,
                        .dim_count = shape->dim_count,
                        .element_count = 1,
                        .scalar_size = (uint32_t)clang_Type_getSizeOf(shape->canonical),
                        .place = level->place,
                        .padding_text = mark_expression(mark_option(&level->mark, "padding"))};
    leaf.natural = leaf.type == COSM_FIELD_ENTITY ? 4 : leaf.scalar_size;
    leaf.c_type = type_column(session, shape, leaf.type);
    for (uint32_t i = 0; i < shape->dim_count; i++) {
        leaf.dims[i] = shape->dims[i];
        leaf.element_count *= shape->dims[i];
    }
    for (const struct level *at = level; at != NULL && leaf.doc == NULL; at = at->outer) {
        leaf.doc = at->doc;
    }
    if (!check_alignment(walk, level, &leaf, shape)) {
        return;
    }
    read_labels(walk, level, &leaf, shape);
    read_range(walk, level, &leaf);
    read_strict(walk, level, &leaf);
    read_default(walk, level, &leaf);
    thing->leaves = arena_grow(session->arena, thing->leaves, thing->leaf_count,
                               &thing->leaf_capacity, sizeof(*thing->leaves));
    thing->leaves[thing->leaf_count++] = leaf;
}

// A struct, or all structs of an array in order.
static void add_record(struct walk *walk, const struct level *level, const struct shape *shape) {
    static const char *const keys[] = {"labels", "mask", "padding", NULL};
    refuse_strangers(walk, level, keys, "is for scalars, which this field is not");
    uint64_t size = (uint64_t)clang_Type_getSizeOf(shape->canonical);
    uint64_t count = 1;
    for (uint32_t i = 0; i < shape->dim_count; i++) {
        count *= shape->dims[i];
    }
    for (uint64_t i = 0; i < count && !walk->is_full; i++) {
        struct text path = {.arena = walk->session->arena};
        text_add(&path, level->path);
        uint64_t below = count;
        uint64_t rest = i;
        for (uint32_t d = 0; d < shape->dim_count; d++) {
            below /= shape->dims[d];
            text_add_format(&path, "[%llu]", (unsigned long long)(rest / below));
            rest %= below;
        }
        struct level element = *level;
        element.path = text_data(&path);
        element.offset = level->offset + i * size;
        uint32_t leaves = walk->thing->leaf_count;
        read_record(walk, &element, shape->canonical);
        if (walk->thing->leaf_count == leaves) {
            return; // nothing but errors, which the next one would repeat
        }
    }
}

// The library takes no others in a path.
static bool is_plain(const char *name) {
    for (; *name != '\0'; name++) {
        if (!text_is_letter(*name) && !text_is_digit(*name)) {
            return false;
        }
    }
    return true;
}

// A pointer of an object is passed over; only the object's functions know what it means.
static bool is_passed_over(struct walk *walk, const struct level *level,
                           const struct shape *shape) {
    if (shape->canonical.kind != CXType_Pointer || !storage_is_object(walk->thing)) {
        return false;
    }
    if (level->mark.option_count > 0) {
        report_error(walk->session->report, level->mark.place,
                     "%s is a pointer, which cannot be described; remove COSM_FIELD", level->name);
    }
    return true;
}

static void add_field(struct walk *walk, const struct level *outer, CXCursor cursor) {
    struct session *session = walk->session;
    const char *name = session_spelling(session, cursor);
    struct shape shape = type_shape(clang_getCursorType(cursor));
    struct level level = {.outer = outer, .place = session_cursor_place(session, cursor)};
    long long bits = clang_Cursor_getOffsetOfField(cursor);
    level.offset = outer->offset + (uint64_t)(bits < 0 ? 0 : bits) / 8;
    bool is_anonymous = name[0] == '\0';
    level.name =
        is_anonymous ? "a field without a name" : arena_format(session->arena, "'%s'", name);
    level.path = is_anonymous ? outer->path
                              : arena_format(session->arena, "%s%s%s", outer->path,
                                             outer->path[0] == '\0' ? "" : ".", name);
    level.field = level.path;
    if (!is_plain(name)) {
        refuse(walk, &level, level.place,
               "has letters in its name that a field cannot have; use only a to z, A to Z, 0 to 9 "
               "and _");
        return;
    }
    if (clang_Cursor_isBitField(cursor) != 0) {
        refuse(walk, &level, level.place,
               "is a bit-field; use an integer of its own, or several bits of one with "
               "COSM_FIELD(mask = ...)");
        return;
    }
    if (is_anonymous && !type_is_union(shape.canonical)) {
        // Its fields are the outer struct's: the same level, further on.
        struct level same = *outer;
        same.offset = level.offset;
        read_record(walk, &same, shape.canonical);
        return;
    }
    if (clang_getCursorAvailability(cursor) == CXAvailability_Deprecated) {
        walk->model->has_deprecated = true;
    }
    mark_find(session, cursor, &level.mark);
    level.doc = session_is_expanded(cursor) ? NULL : docs_of(session, cursor, true);
    if (is_passed_over(walk, &level, &shape)) {
        return;
    }
    const char *refusal = type_refusal(session, &shape);
    if (refusal != NULL) {
        refuse(walk, &level, level.place, refusal);
    } else if (type_is_record(shape.canonical)) {
        add_record(walk, &level, &shape);
    } else {
        add_leaf(walk, &level, &shape);
    }
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data) {
    struct field_visit *visit = data;
    visit->count++;
    if (!visit->walk->is_full) {
        add_field(visit->walk, visit->level, cursor);
    }
    return CXVisit_Continue;
}

static void read_record(struct walk *walk, const struct level *level, CXType type) {
    struct field_visit visit = {walk, level, 0};
    clang_Type_visitFields(type, visit_field, &visit);
    if (visit.count == 0) {
        report_error(walk->session->report, level->place,
                     "'%s' is a struct without fields; add one, or mark a component without bytes "
                     "with COSM_TAG(Name)",
                     level->path[0] == '\0' ? walk->thing->name : level->path);
    }
}

void fields_read(struct session *session, struct model *model, struct enum_list *enums,
                 struct thing *thing, CXType type) {
    struct walk walk = {session, model, enums, thing, false};
    struct level whole = {.path = "", .field = "", .place = thing->place};
    read_record(&walk, &whole, type);
}
