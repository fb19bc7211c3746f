// Writes the probe, has it parsed, and reads what clang has made of it.
#include "probe.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "text.h"

#define PROBE_FILE "cosm-gen-probe.c"
#define PROBE_MAX 65536u
#define PROBE_TEXT_MAX ((size_t)64 << 20)

// One variable of the probe, on a line of its own.
struct probe {
    const struct expression *expression;
    const char *remedy;
    struct scalar value;
    bool is_known;
    bool is_wrong; // clang has said why
};

struct probing {
    struct session *session;
    struct text text;
    struct probe *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t at; // while values are taken out again: the next one
};

#define FIRST_LINE 3u // behind the include and the head of the function

static bool is_float(cosm_field_type type) {
    return type == COSM_FIELD_F32 || type == COSM_FIELD_F64;
}

static bool is_unsigned(cosm_field_type type) {
    return type >= COSM_FIELD_U8 && type <= COSM_FIELD_U64;
}

static void begin_probe(struct probing *probing, const char *c_type,
                        const struct expression *expression) {
    probing->items = arena_grow(probing->session->arena, probing->items, probing->count,
                                &probing->capacity, sizeof(*probing->items));
    text_add_format(&probing->text, "%s cosm_gen_%u = ", c_type, probing->count);
    probing->items[probing->count++] = (struct probe){
        .expression = expression, .remedy = "write a C constant that fits the field"};
}

static void ask(struct probing *probing, const char *c_type, const struct expression *expression) {
    if (expression->text != NULL) {
        begin_probe(probing, c_type, expression);
        text_add_format(&probing->text, "(%s);\n", expression->text);
    }
}

// Scalars to ask for where an element of the leaf is one.
static uint32_t parts_of(const struct leaf *leaf) {
    return leaf->type == COSM_FIELD_ENTITY ? 2 : 1;
}

static void ask_element(struct probing *probing, const struct thing *thing, const struct leaf *leaf,
                        uint32_t element, uint32_t part) {
    const struct initial *initial = &leaf->initial;
    const char *c_type = is_float(leaf->type) ? "double"
                         : is_unsigned(leaf->type) || leaf->type == COSM_FIELD_ENTITY
                             ? "unsigned long long"
                             : "long long";
    begin_probe(probing, c_type, &initial->value);
    if (initial->designator[0] == '\0') {
        text_add_format(&probing->text, "((%s)%s).%s", thing->c_type, initial->value.text,
                        leaf->path);
    } else {
        text_add_format(&probing->text, "((%s){.%s = %s}).%s", thing->c_type, initial->designator,
                        initial->value.text, leaf->path);
    }
    uint32_t below = leaf->element_count;
    for (uint32_t d = 0; d < leaf->dim_count; d++) {
        below /= leaf->dims[d];
        text_add_format(&probing->text, "[%u]", element / below % leaf->dims[d]);
    }
    const char *ending = leaf->type != COSM_FIELD_ENTITY ? "" : part == 0 ? ".gen" : ".id";
    text_add_format(&probing->text, "%s;\n", ending);
}

// An initializer that says no more than what holds without it.
static bool is_nothing(const char *text) {
    return strcmp(text, "{0}") == 0 || strcmp(text, "{}") == 0;
}

// May an initializer of the whole give the field a value? In a list where each entry begins with a
// name, only those that are named get one; asking for the others would be costly for large arrays.
static bool mentions(const char *list, const char *path) {
    size_t length = strcspn(path, ".[");
    int depth = 0;
    bool is_entry = false;
    for (const char *at = list; *at != '\0'; at++) {
        if (*at == '"' || *at == '\'') {
            return true; // a text may hold anything
        }
        depth += *at == '{' || *at == '(' || *at == '[';
        depth -= *at == '}' || *at == ')' || *at == ']';
        if (is_entry && !text_is_space(*at) && *at != '}') {
            if (*at != '.') {
                return true;
            }
            at++;
            if (strncmp(at, path, length) == 0 && !text_is_letter(at[length]) &&
                !text_is_digit(at[length])) {
                return true;
            }
            is_entry = false;
        }
        is_entry = is_entry || (depth == 1 && (*at == '{' || *at == ','));
    }
    return false;
}

static bool has_default(const struct leaf *leaf) {
    const char *text = leaf->initial.value.text;
    return text != NULL && !is_nothing(text) &&
           (leaf->initial.designator[0] != '\0' || mentions(text, leaf->path));
}

static void ask_leaf(struct probing *probing, const struct thing *thing, struct leaf *leaf) {
    ask(probing, "double", &leaf->min_text);
    ask(probing, "double", &leaf->max_text);
    ask(probing, "long long", &leaf->padding_text);
    if (!has_default(leaf)) {
        return;
    }
    const struct expression *value = &leaf->initial.value;
    size_t each = strlen(value->text) + strlen(leaf->path) + 64;
    if (probing->count + leaf->element_count > PROBE_MAX ||
        probing->text.length + leaf->element_count * each > PROBE_TEXT_MAX) {
        report_error(probing->session->report, value->place,
                     "the default covers too many scalars; set those of the small fields, and "
                     "fill '%s' when you spawn",
                     leaf->path);
        leaf->initial.value.text = NULL;
        return;
    }
    for (uint32_t i = 0; i < leaf->element_count; i++) {
        for (uint32_t part = 0; part < parts_of(leaf); part++) {
            ask_element(probing, thing, leaf, i, part);
        }
    }
}

// Asks for the size of the whole initializer, which only shows whether it is one.
static void ask_whole(struct probing *probing, const struct thing *thing) {
    if (thing->initial.text != NULL) {
        begin_probe(probing, "long long", &thing->initial);
        text_add_format(&probing->text, "sizeof((%s)%s);\n", thing->c_type, thing->initial.text);
    }
}

// Lays the functions of a lifecycle to pointers of their types, which only shows whether they fit.
static void ask_functions(struct probing *probing, const struct thing *thing) {
    static const char *const types[LIFECYCLE_COUNT] = {
        "_Bool (*)(void *, void *)",
        "_Bool (*)(void *, void *, const void *)",
        "void (*)(void *, void *, void *)",
        "void (*)(void *, void *)",
        "_Bool (*)(void *, const void *, const void *)",
        "__UINT64_TYPE__ (*)(void *, const void *)",
    };
    static const char *const remedies[LIFECYCLE_COUNT] = {
        "declare bool %s(void *context, void *object)",
        "declare bool %s(void *context, void *object, const void *source)",
        "declare void %s(void *context, void *object, void *source)",
        "declare void %s(void *context, void *object)",
        "declare bool %s(void *context, const void *a, const void *b)",
        "declare uint64_t %s(void *context, const void *object)",
    };
    for (uint32_t i = 0; i < LIFECYCLE_COUNT; i++) {
        const struct expression *function = &thing->lifecycle[i];
        if (function->text != NULL) {
            const char *type = arena_format(probing->session->arena, "__typeof__(%s)", types[i]);
            begin_probe(probing, type, function);
            text_add_format(&probing->text, "%s;\n", function->text);
            probing->items[probing->count - 1].remedy =
                arena_format(probing->session->arena, remedies[i], function->text);
        }
    }
}

static uint32_t function_count(const struct thing *thing) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < LIFECYCLE_COUNT; i++) {
        count += thing->lifecycle[i].text != NULL;
    }
    return count;
}

static void write_probe(struct probing *probing, struct model *model) {
    text_add_format(&probing->text, "#include \"%s\"\nvoid cosm_gen_probe(void) {\n",
                    probing->session->arguments->header);
    for (uint32_t i = 0; i < model->thing_count; i++) {
        struct thing *thing = &model->things[i];
        ask_functions(probing, thing);
        ask_whole(probing, thing);
        for (uint32_t j = 0; j < thing->leaf_count; j++) {
            ask_leaf(probing, thing, &thing->leaves[j]);
        }
    }
    text_add(&probing->text, "}\n");
}

// Errors of the probe, at the options that they come from.
static void report_probe(struct probing *probing, CXTranslationUnit unit) {
    struct session *session = probing->session;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXFile file = NULL;
        unsigned line = 0;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, NULL,
                                   NULL);
        bool is_probe = file != NULL && clang_File_isEqual(file, clang_getFile(unit, PROBE_FILE));
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && is_probe &&
            line >= FIRST_LINE && line - FIRST_LINE < probing->count) {
            struct probe *probe = &probing->items[line - FIRST_LINE];
            probe->is_wrong = true;
            report_error(session->report, probe->expression->place, "%s is wrong: %s; %s",
                         probe->expression->key,
                         session_text(session, clang_getDiagnosticSpelling(diagnostic)),
                         probe->remedy);
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

static void evaluate(struct probe *probe, CXCursor cursor) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (result == NULL) {
        return;
    }
    CXEvalResultKind kind = clang_EvalResult_getKind(result);
    if (kind == CXEval_Int) {
        probe->is_known = true;
        probe->value.bits = clang_EvalResult_isUnsignedInt(result) != 0
                                ? clang_EvalResult_getAsUnsigned(result)
                                : (uint64_t)clang_EvalResult_getAsLongLong(result);
    } else if (kind == CXEval_Float) {
        probe->is_known = true;
        probe->value.number = clang_EvalResult_getAsDouble(result);
    }
    clang_EvalResult_dispose(result);
}

static enum CXChildVisitResult visit_variable(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct probing *probing = data;
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl) {
        return CXChildVisit_Recurse;
    }
    if (probing->at < probing->count) {
        evaluate(&probing->items[probing->at++], cursor);
    }
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    CXString name = clang_getCursorSpelling(cursor);
    if (strcmp(clang_getCString(name), "cosm_gen_probe") == 0) {
        clang_visitChildren(cursor, visit_variable, data);
    }
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

static void run_probe(struct probing *probing) {
    static const char *const warnings[] = {"-Werror=literal-conversion",
                                           "-Werror=constant-conversion",
                                           "-Werror=excess-initializers",
                                           "-Werror=implicit-function-declaration",
                                           "-Werror=int-conversion",
                                           "-Werror=initializer-overrides",
                                           "-Werror=incompatible-function-pointer-types"};
    CXTranslationUnit unit =
        session_parse_text(probing->session, PROBE_FILE, text_data(&probing->text), warnings,
                           sizeof(warnings) / sizeof(warnings[0]));
    if (unit == NULL) {
        report_error(probing->session->report, probing->items[0].expression->place,
                     "clang cannot compute the values of the options; write plain numbers");
        probing->count = 0;
        return;
    }
    report_probe(probing, unit);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_function, probing);
    clang_disposeTranslationUnit(unit);
}

// The next value, in the order in which they were asked for. False where there is none.
static bool take(struct probing *probing, struct scalar *out_value) {
    const struct probe *probe = &probing->items[probing->at++];
    *out_value = probe->value;
    if (!probe->is_known && !probe->is_wrong) {
        report_error(probing->session->report, probe->expression->place,
                     "%s is not a constant; write one that the compiler can compute",
                     probe->expression->key);
    }
    return probe->is_known && !probe->is_wrong;
}

// Bounds of the type, for the side of a range that is left open.
static void type_range(cosm_field_type type, double *out_min, double *out_max) {
    uint32_t bits =
        type >= COSM_FIELD_U8 ? 8u << (type - COSM_FIELD_U8) : 8u << (type - COSM_FIELD_I8);
    *out_min = is_unsigned(type) ? 0 : -ldexp(1, (int)bits - 1);
    *out_max = ldexp(1, (int)bits - !is_unsigned(type)) - (bits < 64 ? 1 : 0);
    if (is_float(type)) {
        *out_min = -HUGE_VAL;
        *out_max = HUGE_VAL;
    }
}

static void take_range(struct probing *probing, struct leaf *leaf) {
    if (leaf->min_text.text == NULL && leaf->max_text.text == NULL) {
        return;
    }
    type_range(leaf->type, &leaf->min, &leaf->max);
    struct scalar min = {.number = leaf->min};
    struct scalar max = {.number = leaf->max};
    bool is_known = leaf->min_text.text == NULL || take(probing, &min);
    is_known = (leaf->max_text.text == NULL || take(probing, &max)) && is_known;
    leaf->min = is_known ? min.number : 0;
    leaf->max = is_known ? max.number : 0;
    if (is_known && !(leaf->min < leaf->max)) {
        const struct expression *at =
            leaf->max_text.text != NULL ? &leaf->max_text : &leaf->min_text;
        report_error(probing->session->report, at->place,
                     "the range goes from %g to %g; use a min that is less than max", leaf->min,
                     leaf->max);
    }
}

static void take_padding(struct probing *probing, struct leaf *leaf) {
    if (leaf->padding_text.text == NULL) {
        return;
    }
    struct scalar scalar;
    if (!take(probing, &scalar)) {
        return;
    }
    int64_t value = (int64_t)scalar.bits;
    if (value < 0 || value > (int64_t)COSM_COMPONENT_SIZE_MAX) {
        report_error(probing->session->report, leaf->padding_text.place,
                     "padding is %lld; use the number of bytes after the field that belong to it",
                     (long long)value);
        return;
    }
    leaf->padding = (uint32_t)value;
}

static double number_of(const struct leaf *leaf, const struct scalar *scalar) {
    if (is_float(leaf->type)) {
        return scalar->number;
    }
    return is_unsigned(leaf->type) ? (double)scalar->bits : (double)(int64_t)scalar->bits;
}

static bool is_zero(const struct leaf *leaf, const struct scalar *scalar) {
    return is_float(leaf->type) ? scalar->number == 0 && !signbit(scalar->number)
                                : scalar->bits == 0;
}

static void take_values(struct probing *probing, struct leaf *leaf) {
    if (!has_default(leaf)) {
        return;
    }
    uint32_t count = leaf->element_count * parts_of(leaf);
    struct scalar *values = arena_take(probing->session->arena, count * sizeof(*values));
    for (uint32_t i = 0; i < count; i++) {
        bool is_known = take(probing, &values[i]);
        double number = number_of(leaf, &values[i]);
        if (is_known && leaf->min < leaf->max && !(number >= leaf->min && number <= leaf->max)) {
            report_error(probing->session->report, leaf->initial.value.place,
                         "the default of '%s' is %g, which is not in its range from %g to %g; "
                         "change one of them",
                         leaf->path, number, leaf->min, leaf->max);
        }
        if (!is_zero(leaf, &values[i])) {
            leaf->values = values;
        }
    }
}

void probe_values(struct session *session, struct model *model) {
    struct probing probing = {.session = session, .text = {.arena = session->arena}};
    write_probe(&probing, model);
    if (probing.count == 0) {
        return;
    }
    run_probe(&probing);
    probing.at = 0;
    for (uint32_t i = 0; probing.count > 0 && i < model->thing_count; i++) {
        // ask_functions and ask_whole have no values to take.
        probing.at += function_count(&model->things[i]) + (model->things[i].initial.text != NULL);
        for (uint32_t j = 0; j < model->things[i].leaf_count; j++) {
            struct leaf *leaf = &model->things[i].leaves[j];
            take_range(&probing, leaf);
            take_padding(&probing, leaf);
            take_values(&probing, leaf);
        }
    }
}
