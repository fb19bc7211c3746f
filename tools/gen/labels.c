// Reads the constants of enums, and keeps each enum that is used once.
#include "labels.h"

#include <string.h>

#include "mark.h"
#include "text.h"

void labels_note(struct session *session, struct enum_list *list, CXCursor cursor) {
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    const char *name = session_spelling(session, cursor);
    // Newer versions of libclang call an enum without a name "(unnamed enum at ...)".
    if (type.kind != CXType_Enum || !text_is_identifier(name)) {
        return;
    }
    CXCursor definition = clang_getCursorDefinition(clang_getTypeDeclaration(type));
    if (clang_Cursor_isNull(definition)) {
        return;
    }
    list->items =
        arena_grow(session->arena, list->items, list->count, &list->capacity, sizeof(*list->items));
    list->items[list->count++] = (struct known_enum){name, definition};
}

CXCursor labels_find(const struct enum_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return list->items[i].cursor;
        }
    }
    return clang_getNullCursor();
}

// What the enum is called: its typedef before its tag, because that is what programs write.
static const char *name_of(const struct enum_list *list, CXCursor definition,
                           const char *fallback) {
    const char *name = fallback;
    for (uint32_t i = 0; i < list->count; i++) {
        if (clang_equalCursors(list->items[i].cursor, definition) != 0) {
            name = list->items[i].name;
        }
    }
    return name;
}

static bool fits(int64_t value, bool is_unsigned, cosm_field_type type) {
    uint64_t bits = (uint64_t)value;
    bool is_negative = !is_unsigned && value < 0;
    switch (type) {
    case COSM_FIELD_I8:
        return is_unsigned ? bits <= INT8_MAX : value >= INT8_MIN && value <= INT8_MAX;
    case COSM_FIELD_I16:
        return is_unsigned ? bits <= INT16_MAX : value >= INT16_MIN && value <= INT16_MAX;
    case COSM_FIELD_I32:
        return is_unsigned ? bits <= INT32_MAX : value >= INT32_MIN && value <= INT32_MAX;
    case COSM_FIELD_I64:
        return !is_unsigned || bits <= INT64_MAX;
    case COSM_FIELD_U8:
        return !is_negative && bits <= UINT8_MAX;
    case COSM_FIELD_U16:
        return !is_negative && bits <= UINT16_MAX;
    case COSM_FIELD_U32:
        return !is_negative && bits <= UINT32_MAX;
    default:
        return !is_negative;
    }
}

struct constant_visit {
    struct session *session;
    struct labels *labels;
    uint32_t capacity;
    bool is_unsigned;
};

static enum CXChildVisitResult visit_constant(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct constant_visit *visit = data;
    struct labels *labels = visit->labels;
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl) {
        labels->items = arena_grow(visit->session->arena, labels->items, labels->count,
                                   &visit->capacity, sizeof(*labels->items));
        labels->is_deprecated = labels->is_deprecated ||
                                clang_getCursorAvailability(cursor) == CXAvailability_Deprecated;
        labels->items[labels->count++] =
            (struct label){session_spelling(visit->session, cursor),
                           (int64_t)clang_getEnumConstantDeclValue(cursor)};
    }
    return CXChildVisit_Continue;
}

static bool enum_is_unsigned(CXCursor definition) {
    CXType type = clang_getCanonicalType(clang_getEnumDeclIntegerType(definition));
    return type.kind == CXType_UInt || type.kind == CXType_UChar || type.kind == CXType_UShort ||
           type.kind == CXType_ULong || type.kind == CXType_ULongLong || type.kind == CXType_Bool;
}

static struct labels *read_enum(struct session *session, CXCursor definition, const char *name,
                                bool is_mask) {
    struct labels *labels = arena_take(session->arena, sizeof(*labels));
    labels->name = name;
    labels->kind = is_mask ? COSM_LABELS_MASK : COSM_LABELS_ENUM;
    labels->symbol = arena_format(session->arena, "%s_%s", name, is_mask ? "mask" : "labels");
    CXCursor parent = clang_getCursorLexicalParent(definition);
    labels->is_local = clang_getCursorKind(parent) == CXCursor_StructDecl ||
                       clang_getCursorKind(parent) == CXCursor_UnionDecl;
    struct constant_visit visit = {session, labels, 0, enum_is_unsigned(definition)};
    clang_visitChildren(definition, visit_constant, &visit);
    return labels;
}

static bool check_labels(struct session *session, const struct labels *labels, bool is_unsigned,
                         cosm_field_type type, struct place place) {
    if (labels->count == 0 || labels->count > COSM_LABEL_MAX) {
        report_error(session->report, place,
                     "enum '%s' has %u constants; 1 to %u can be labels, use a plain integer",
                     labels->name, labels->count, COSM_LABEL_MAX);
        return false;
    }
    for (uint32_t i = 0; i < labels->count; i++) {
        if (!fits(labels->items[i].value, is_unsigned, type)) {
            report_error(
                session->report, place,
                "%s of enum '%s' is %lld, which the field cannot hold; use a wider integer",
                labels->items[i].name, labels->name, (long long)labels->items[i].value);
            return false;
        }
    }
    return true;
}

const struct labels *labels_of(struct session *session, struct model *model, struct enum_list *list,
                               CXCursor definition, const char *fallback, bool is_mask,
                               cosm_field_type type, struct place place) {
    struct mark mark;
    is_mask = is_mask || (mark_find(session, definition, &mark) && mark.kind == MARK_BITS);
    const char *name = name_of(list, definition, fallback);
    struct labels *labels = read_enum(session, definition, name, is_mask);
    if (!check_labels(session, labels, enum_is_unsigned(definition), type, place)) {
        return NULL;
    }
    for (uint32_t i = 0; i < model->labels_count; i++) {
        if (model->labels[i]->kind == labels->kind &&
            clang_equalCursors(list->used[i], definition) != 0) {
            return model->labels[i];
        }
    }
    list->used = arena_grow(session->arena, list->used, model->labels_count, &list->used_capacity,
                            sizeof(*list->used));
    list->used[model->labels_count] = definition;
    model->has_deprecated = model->has_deprecated || labels->is_deprecated;
    model->labels = arena_grow(session->arena, model->labels, model->labels_count,
                               &model->labels_capacity, sizeof(struct labels *));
    model->labels[model->labels_count++] = labels;
    return labels;
}
