// Goes through the declarations of a header: which of them are marked, and whether marks stand
// where they mean something.
//
// Only marks in the header itself count: an included one has a pair of files of its own.
#include "read.h"

#include <string.h>

#include "docs.h"
#include "fields.h"
#include "labels.h"
#include "mark.h"
#include "storage.h"
#include "stray.h"

// A struct and the name that a typedef gives it.
struct alias {
    CXCursor record; // the definition
    const char *name;
};

struct reading {
    struct session *session;
    struct model *model;
    struct enum_list enums;
    struct strays strays;
    struct alias *aliases;
    uint32_t alias_count;
    uint32_t alias_capacity;
};

static void note_name(struct reading *reading, CXCursor cursor) {
    struct model *model = reading->model;
    const char *name = session_spelling(reading->session, cursor);
    if (name[0] == '\0') {
        return;
    }
    model->declared = arena_grow(reading->session->arena, model->declared, model->declared_count,
                                 &model->declared_capacity, sizeof(*model->declared));
    model->declared[model->declared_count++] =
        (struct declared){name, session_cursor_place(reading->session, cursor),
                          clang_getCursorKind(cursor) == CXCursor_FunctionDecl};
}

static void note_alias(struct reading *reading, CXCursor cursor) {
    CXType type = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(cursor));
    if (type.kind != CXType_Record || clang_isConstQualifiedType(type) != 0 ||
        clang_isVolatileQualifiedType(type) != 0) {
        return;
    }
    reading->aliases = arena_grow(reading->session->arena, reading->aliases, reading->alias_count,
                                  &reading->alias_capacity, sizeof(*reading->aliases));
    reading->aliases[reading->alias_count++] =
        (struct alias){clang_getCanonicalCursor(clang_getTypeDeclaration(type)),
                       session_spelling(reading->session, cursor)};
}

static enum CXChildVisitResult visit_names(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct reading *reading = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_EnumDecl:
        labels_note(reading->session, &reading->enums, cursor);
        note_name(reading, cursor);
        return CXChildVisit_Recurse;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        note_name(reading, cursor);
        return CXChildVisit_Recurse; // to the enums inside
    case CXCursor_TypedefDecl:
        labels_note(reading->session, &reading->enums, cursor);
        note_alias(reading, cursor);
        note_name(reading, cursor);
        return CXChildVisit_Continue;
    case CXCursor_EnumConstantDecl:
    case CXCursor_FunctionDecl:
    case CXCursor_VarDecl:
        note_name(reading, cursor);
        return CXChildVisit_Continue;
    default:
        return CXChildVisit_Continue;
    }
}

static bool stands_right(enum mark_kind kind, CXCursor parent) {
    enum CXCursorKind parent_kind = clang_getCursorKind(parent);
    CXCursor outside = clang_getCursorLexicalParent(parent);
    bool is_outermost = clang_getCursorKind(outside) == CXCursor_TranslationUnit;
    switch (kind) {
    case MARK_COMPONENT:
    case MARK_SINGLETON:
    case MARK_TAG:
        return parent_kind == CXCursor_StructDecl && is_outermost;
    case MARK_FIELD:
        return parent_kind == CXCursor_FieldDecl;
    default:
        return parent_kind == CXCursor_EnumDecl;
    }
}

// Checks every mark of the header, also those that nothing reads later.
static enum CXChildVisitResult visit_marks(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct reading *reading = data;
    struct session *session = reading->session;
    struct mark mark;
    if (!session_is_main(session, cursor)) {
        return CXChildVisit_Continue;
    }
    if (!mark_read(session, cursor, &mark)) {
        return CXChildVisit_Recurse;
    }
    strays_note(&reading->strays, cursor, mark.kind);
    if (clang_getCursorKind(parent) == CXCursor_UnionDecl && mark.kind != MARK_FIELD) {
        report_error(session->report, mark.place,
                     "a union cannot be a component; use a struct with all its members, and an "
                     "enum that says which one is valid");
    } else if (!stands_right(mark.kind, parent)) {
        report_error(session->report, mark.place, "%s has no effect here; %s",
                     mark_macro(mark.kind), mark_right_place(mark.kind));
    }
    return CXChildVisit_Continue;
}

// What programs call the struct: its typedef, where there is one, else struct and its tag.
static void name_thing(struct reading *reading, CXCursor cursor, struct thing *thing) {
    struct arena *arena = reading->session->arena;
    const char *tag = thing->name;
    thing->c_type = NULL;
    for (uint32_t i = 0; i < reading->alias_count; i++) {
        const struct alias *alias = &reading->aliases[i];
        if (clang_equalCursors(alias->record, clang_getCanonicalCursor(cursor)) != 0 &&
            (thing->c_type == NULL || strcmp(alias->name, tag) == 0)) {
            thing->c_type = alias->name;
            thing->name = alias->name;
        }
    }
    if (thing->c_type == NULL) {
        thing->c_type = arena_format(arena, "struct %s", tag);
    }
}

static void read_name(struct session *session, const struct mark *mark, struct thing *thing) {
    const struct option *option = mark_option(mark, "name");
    const char *title = option == NULL ? NULL : mark_string(session, option);
    thing->title = title == NULL ? thing->name : title;
    size_t length = strlen(thing->title);
    if (length == 0 || length > COSM_NAME_LENGTH_MAX) {
        report_error(session->report, option == NULL ? thing->place : option->value_place,
                     "the name has %zu characters; use 1 to %u", length, COSM_NAME_LENGTH_MAX);
    }
}

static void read_initial(struct session *session, const struct mark *mark, struct thing *thing) {
    const struct option *option = mark_option(mark, "default");
    if (option != NULL && option->value[0] != '{') {
        report_error(session->report, option->value_place,
                     "the default of a struct is an initializer; write default = {...}");
        return;
    }
    thing->initial = mark_expression(option);
}

static bool check_size(struct session *session, const struct thing *thing) {
    if (thing->size > COSM_COMPONENT_SIZE_MAX || thing->alignment > COSM_COMPONENT_ALIGNMENT_MAX) {
        report_error(session->report, thing->place,
                     "'%s' has %zu bytes, aligned to %zu; use at most %u and %u", thing->name,
                     thing->size, thing->alignment, COSM_COMPONENT_SIZE_MAX,
                     COSM_COMPONENT_ALIGNMENT_MAX);
        return false;
    }
    return true;
}

static void add_thing(struct reading *reading, CXCursor cursor, const struct mark *mark) {
    struct session *session = reading->session;
    struct model *model = reading->model;
    CXType type = clang_getCursorType(cursor);
    struct thing thing = {.place = session_cursor_place(session, cursor),
                          .name = session_spelling(session, cursor),
                          .kind = mark->kind == MARK_TAG         ? THING_TAG
                                  : mark->kind == MARK_COMPONENT ? THING_COMPONENT
                                                                 : THING_SINGLETON};
    name_thing(reading, cursor, &thing);
    read_name(session, mark, &thing);
    thing.doc = docs_of(session, cursor, thing.kind == THING_TAG);
    if (thing.kind != THING_TAG) {
        thing.size = (size_t)clang_Type_getSizeOf(type);
        thing.alignment = (size_t)clang_Type_getAlignOf(type);
        storage_read(session, model, mark, &thing);
        read_initial(session, mark, &thing);
        if (check_size(session, &thing)) {
            fields_read(session, model, &reading->enums, &thing, type);
        }
    }
    model->things = arena_grow(session->arena, model->things, model->thing_count,
                               &model->thing_capacity, sizeof(*model->things));
    model->things[model->thing_count++] = thing;
}

// Does the tag's mark stand at this declaration? clang hands it on to those that follow.
static bool is_own(const struct mark *mark, const struct place *place) {
    return mark->place.file != NULL && place->file != NULL && mark->place.offset == place->offset &&
           strcmp(mark->place.file, place->file) == 0;
}

// A marked struct: adds it, or says why it cannot be one.
static void read_struct(struct reading *reading, CXCursor cursor, const struct mark *mark) {
    struct session *session = reading->session;
    struct place place = session_cursor_place(session, cursor);
    const char *name = session_spelling(session, cursor);
    CXCursor definition = clang_getCursorDefinition(cursor);
    bool is_definition = clang_isCursorDefinition(cursor) != 0;
    if (clang_Cursor_isAnonymous(cursor) != 0 || name[0] == '\0' || strchr(name, '(') != NULL) {
        report_error(session->report, mark->place,
                     "a marked struct needs a tag; write typedef struct %s(...) Name { ... } Name",
                     mark_macro(mark->kind));
    } else if (mark->kind == MARK_TAG) {
        if (!clang_Cursor_isNull(definition)) {
            report_error(session->report, mark->place,
                         "'%s' has a body, but a tag has no bytes; write struct COSM_COMPONENT() "
                         "%s { ... } instead",
                         name, name);
        } else if (is_own(mark, &place)) {
            add_thing(reading, cursor, mark);
        }
    } else if (is_definition) {
        add_thing(reading, cursor, mark);
    } else if (clang_Cursor_isNull(definition) || !session_is_main(session, definition)) {
        report_error(session->report, place,
                     "'%s' has no body in this header; mark it where its fields are declared, or "
                     "use COSM_TAG(%s) for a component without bytes",
                     name, name);
    }
}

static enum CXChildVisitResult visit_structs(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct reading *reading = data;
    struct mark mark;
    if (clang_getCursorKind(cursor) == CXCursor_StructDecl &&
        session_is_main(reading->session, cursor) && mark_find(reading->session, cursor, &mark) &&
        mark.kind != MARK_FIELD && mark.kind != MARK_BITS) {
        read_struct(reading, cursor, &mark);
    }
    return CXChildVisit_Continue;
}

static void refuse_empty(struct reading *reading) {
    struct session *session = reading->session;
    CXSourceLocation start = clang_getLocation(session->unit, session->main_file, 1, 1);
    report_error(session->report, session_place(session, start),
                 "nothing is marked in this header; include <cosm/mark.h> and write struct "
                 "COSM_COMPONENT() Name { ... } for each component");
}

void read_header(struct session *session, struct model *model) {
    struct reading reading = {.session = session, .model = model, .strays = {.session = session}};
    CXCursor unit = clang_getTranslationUnitCursor(session->unit);
    clang_visitChildren(unit, visit_names, &reading);
    clang_visitChildren(unit, visit_marks, &reading);
    strays_report(&reading.strays);
    clang_visitChildren(unit, visit_structs, &reading);
    if (model->thing_count == 0 && session->report->error_count == 0) {
        refuse_empty(&reading);
    }
}
