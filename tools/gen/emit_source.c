// NAME.cosm.c: the descriptions of fields, what the compiler must agree with, and the function that
// registers everything.
//
// No designated initializers: they are not C++17.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "emit.h"

// Names of the enum's values, in C.
static const char *const field_types[COSM_FIELD_TYPE_COUNT] = {
    "NONE", "I8",  "I16", "I32", "I64",  "U8",     "U16",
    "U32",  "U64", "F32", "F64", "BOOL", "ENTITY", "CHAR"};

static const char *const fixed_types[COSM_FIELD_TYPE_COUNT] = {
    "void",     "int8_t",   "int16_t", "int32_t", "int64_t", "uint8_t",     "uint16_t",
    "uint32_t", "uint64_t", "float",   "double",  "bool",    "cosm_entity", "char"};

static bool has_range(const struct leaf *leaf) {
    return leaf->min < leaf->max;
}

// Does any number need a name of math.h?
static bool needs_math(const struct model *model) {
    for (uint32_t i = 0; i < model->thing_count; i++) {
        for (uint32_t j = 0; j < model->things[i].leaf_count; j++) {
            const struct leaf *leaf = &model->things[i].leaves[j];
            bool is_float = leaf->type == COSM_FIELD_F32 || leaf->type == COSM_FIELD_F64;
            if (has_range(leaf) && (isinf(leaf->min) || isinf(leaf->max))) {
                return true;
            }
            for (uint32_t k = 0; is_float && leaf->values != NULL && k < leaf->element_count; k++) {
                if (!isfinite(leaf->values[k].number)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void add_labels(struct text *out, const struct labels *labels) {
    text_add_format(out, "\nstatic const cosm_label %s_items[] = {\n", labels->symbol);
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct label *label = &labels->items[i];
        text_add_format(out, "    {\"%s\", ", label->name);
        if (!labels->is_local) {
            text_add_format(out, "(int64_t)%s},\n", label->name);
        } else if (label->value == INT64_MIN) {
            text_add(out, "INT64_MIN},\n");
        } else {
            text_add_format(out, "INT64_C(%" PRId64 ")},\n", label->value);
        }
    }
    text_add(out, "};\nstatic const cosm_labels ");
    text_add_format(out, "%s = {", labels->symbol);
    text_add_literal(out, labels->name);
    text_add_format(out, ", COSM_LABELS_%s, %u, %s_items};\n",
                    labels->kind == COSM_LABELS_MASK ? "MASK" : "ENUM", labels->count,
                    labels->symbol);
}

static void add_integer(struct text *out, cosm_field_type type, uint64_t bits) {
    int64_t value = (int64_t)bits;
    switch (type) {
    case COSM_FIELD_I64:
        if (value == INT64_MIN) {
            text_add(out, "INT64_MIN");
        } else {
            text_add_format(out, "INT64_C(%" PRId64 ")", value);
        }
        return;
    case COSM_FIELD_U64:
        text_add_format(out, "UINT64_C(%" PRIu64 ")", bits);
        return;
    case COSM_FIELD_I32:
        if (value == INT32_MIN) {
            text_add(out, "INT32_MIN");
            return;
        }
        break;
    case COSM_FIELD_U32:
        text_add_format(out, "%" PRIu64 "u", bits);
        return;
    case COSM_FIELD_BOOL:
        text_add(out, bits != 0 ? "true" : "false");
        return;
    case COSM_FIELD_CHAR:
        if (bits >= ' ' && bits < 127 && bits != '\'' && bits != '\\') {
            text_add_format(out, "'%c'", (char)bits);
        } else {
            text_add_format(out, "'\\%03o'", (unsigned)(bits & 0xFF));
        }
        return;
    default:
        break;
    }
    text_add_format(out, "%" PRId64, value);
}

static void add_scalar(struct text *out, const struct leaf *leaf, uint32_t element) {
    if (leaf->type == COSM_FIELD_ENTITY) {
        text_add_format(out, "{%" PRIu64 "u, %" PRIu64 "u}", leaf->values[element * 2].bits,
                        leaf->values[element * 2 + 1].bits);
    } else if (leaf->type == COSM_FIELD_F32 || leaf->type == COSM_FIELD_F64) {
        text_add_double(out, leaf->values[element].number, leaf->type == COSM_FIELD_F32);
    } else {
        add_integer(out, leaf->type, leaf->values[element].bits);
    }
}

// Text that ends before its room does is a literal; C++ has none without a zero behind it.
static bool add_text(struct text *out, const struct leaf *leaf, uint32_t first, uint32_t room) {
    char *letters = arena_take(out->arena, room + 1);
    size_t length = 0;
    for (uint32_t i = 0; i < room; i++) {
        letters[i] = (char)leaf->values[first + i].bits;
        length = letters[i] != '\0' ? i + 1 : length;
    }
    if (length == room || strlen(letters) != length) {
        return false;
    }
    text_add_literal(out, letters);
    return true;
}

// The elements from `first` on, as the initializer of dimension `dim` and those within.
static void add_values(struct text *out, const struct leaf *leaf, uint32_t dim, uint32_t first) {
    // The second bound, here and below, is for compilers that cannot know the first one's.
    if (dim >= leaf->dim_count || dim >= COSM_FIELD_DIM_MAX) {
        add_scalar(out, leaf, first);
        return;
    }
    uint32_t below = 1;
    for (uint32_t d = dim + 1; d < leaf->dim_count && d < COSM_FIELD_DIM_MAX; d++) {
        below *= leaf->dims[d];
    }
    if (leaf->type == COSM_FIELD_CHAR && below == 1 && dim + 1 == leaf->dim_count &&
        add_text(out, leaf, first, leaf->dims[dim])) {
        return;
    }
    text_add(out, "{");
    for (uint32_t i = 0; i < leaf->dims[dim]; i++) {
        bool is_fresh_line = below == 1 && i % 16 == 0;
        text_add(out, i == 0 ? "" : is_fresh_line ? ",\n    " : ", ");
        add_values(out, leaf, dim + 1, first + i * below);
    }
    text_add(out, "}");
}

static void add_default(struct text *out, const struct thing *thing, const struct leaf *leaf) {
    text_add_format(out, "static const %s %s_default_%s", fixed_types[leaf->type], thing->name,
                    leaf->symbol);
    for (uint32_t d = 0; d < leaf->dim_count; d++) {
        text_add_format(out, "[%u]", leaf->dims[d]);
    }
    text_add(out, " = ");
    add_values(out, leaf, 0, 0);
    text_add(out, ";\n");
}

static void add_literal_or_null(struct text *out, const char *value) {
    if (value == NULL) {
        text_add(out, "NULL");
    } else {
        text_add_literal(out, value);
    }
}

static void add_field(struct text *out, const struct thing *thing, const struct leaf *leaf) {
    text_add_format(out, "    {\"%s\", COSM_FIELD_%s, offsetof(%s, %s), {%u, %u, %u, %u}, %u, %u,",
                    leaf->path, field_types[leaf->type], thing->c_type, leaf->path, leaf->dims[0],
                    leaf->dims[1], leaf->dims[2], leaf->dims[3], leaf->alignment, leaf->padding);
    text_add_format(out, "\n     %s%s, ", leaf->labels == NULL ? "NULL" : "&",
                    leaf->labels == NULL ? "" : leaf->labels->symbol);
    text_add_double(out, has_range(leaf) ? leaf->min : 0, false);
    text_add(out, ", ");
    text_add_double(out, has_range(leaf) ? leaf->max : 0, false);
    text_add(out, ", ");
    add_literal_or_null(out, leaf->unit);
    text_add(out, ",\n     ");
    add_literal_or_null(out, leaf->doc);
    if (leaf->values == NULL) {
        text_add(out, ", NULL");
    } else {
        text_add_format(out, ", %s%s_default_%s", leaf->dim_count == 0 ? "&" : "", thing->name,
                        leaf->symbol);
    }
    text_add_format(out, ", %s},\n", leaf->strict ? "true" : "false");
}

static void add_checks(struct text *out, const struct thing *thing) {
    text_add_format(out, "\nCOSM_GEN_SAW(sizeof(%s) == %zu && COSM_ALIGNOF(%s) == %zu);\n",
                    thing->c_type, thing->size, thing->c_type, thing->alignment);
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        const struct leaf *leaf = &thing->leaves[i];
        text_add_format(out,
                        "COSM_GEN_SAW(offsetof(%s, %s) == %u && sizeof(((%s *)0)->%s) == %u);\n",
                        thing->c_type, leaf->path, leaf->offset, thing->c_type, leaf->path,
                        leaf->element_count * leaf->scalar_size);
        if (leaf->padding > 0 && emit_has_columns(thing)) {
            text_add_format(out, "COSM_GEN_SAW(sizeof(%s_%s_row) == %u);\n", thing->name,
                            leaf->symbol, leaf->element_count * leaf->scalar_size + leaf->padding);
        }
    }
}

static void add_struct(struct text *out, const struct thing *thing) {
    add_checks(out, thing);
    bool is_first = true;
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        if (thing->leaves[i].values != NULL) {
            text_add(out, is_first ? "\n" : "");
            is_first = false;
            add_default(out, thing, &thing->leaves[i]);
        }
    }
    if (thing->leaf_count == 0) {
        return; // nothing but pointers
    }
    text_add_format(out, "\nstatic const cosm_field %s_fields[] = {\n", thing->name);
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        add_field(out, thing, &thing->leaves[i]);
    }
    text_add(out, "};\n");
}

static void add_storage(struct text *out, const struct thing *thing) {
    static const char *const storages[] = {"COLUMN", "SHARED", "MANAGED", "SECTOR"};
    text_add_format(out, ",\n     COSM_STORAGE_%s, {", storages[thing->storage]);
    for (uint32_t i = 0; i < LIFECYCLE_COUNT; i++) {
        const char *function = thing->lifecycle[i].text;
        text_add_format(out, "%s, ", function == NULL ? "NULL" : function);
    }
    text_add_format(out, "NULL}, %s", thing->change_rows ? "true" : "false");
}

// The doc, where it lives, its C type, and the hint, which nobody knows yet.
static void add_type_end(struct text *out, const struct thing *thing) {
    text_add(out, ",\n     ");
    if (thing->doc != NULL) {
        text_add_literal(out, thing->doc);
    } else {
        text_add(out, "NULL");
    }
    if (thing->kind != THING_SINGLETON) {
        add_storage(out, thing);
    }
    text_add(out, ", ");
    text_add_literal(out, thing->kind == THING_TAG ? thing->name : thing->c_type);
    text_add(out, "},\n    0};\n");
}

static void add_type(struct text *out, const struct thing *thing) {
    text_add_format(out, "\n%s %s_type = {\n    {",
                    thing->kind == THING_SINGLETON ? "cosm_singleton_type" : "cosm_component_type",
                    thing->name);
    text_add_literal(out, thing->title);
    if (thing->kind == THING_TAG) {
        text_add(out, ", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0");
        add_type_end(out, thing);
        return;
    }
    const char *layout = thing->kind == THING_SINGLETON        ? ""
                         : thing->layout == COSM_LAYOUT_STRUCT ? "COSM_LAYOUT_STRUCT, "
                                                               : "COSM_LAYOUT_SPLIT, ";
    text_add_format(out, ", sizeof(%s), COSM_ALIGNOF(%s), NULL, %s%s%s, %u", thing->c_type,
                    thing->c_type, layout, thing->leaf_count == 0 ? "NULL" : thing->name,
                    thing->leaf_count == 0 ? "" : "_fields", thing->leaf_count);
    add_type_end(out, thing);
}

// Is it the first component of its group?
static bool begins_group(const struct model *model, uint32_t index) {
    const char *group = model->things[index].group;
    for (uint32_t i = 0; group != NULL && i < index; i++) {
        if (model->things[i].group != NULL && strcmp(model->things[i].group, group) == 0) {
            return false;
        }
    }
    return group != NULL;
}

// Declares the group of a component. Its members are looked up only where all of them are there.
static void add_group(struct text *out, const struct model *model, uint32_t index) {
    const char *name = model->things[index].group;
    text_add(out, "    if (done) {\n        cosm_sector_group_desc group = {");
    text_add_literal(out, name);
    text_add(out, ", NULL, {");
    bool is_first = true;
    for (uint32_t i = index; i < model->thing_count; i++) {
        const struct thing *thing = &model->things[i];
        if (thing->group != NULL && strcmp(thing->group, name) == 0) {
            text_add_format(out, "%s\n            %s_component(engine)", is_first ? "" : ",",
                            thing->name);
            is_first = false;
        }
    }
    text_add(out, "}, 0, 0.0f};\n");
    text_add(out, "        done = cosm_sector_group_define(engine, &group).id != 0;\n    }\n");
}

static void add_function(struct text *out, const struct model *model, const char *stem) {
    text_add_format(out, "\ncosm_result %s(cosm_engine *engine) {\n",
                    emit_function(out->arena, stem));
    text_add(out, "    bool done = true;\n");
    for (uint32_t i = 0; i < model->thing_count; i++) {
        const struct thing *thing = &model->things[i];
        text_add_format(out, "    done = done && cosm_%s_register(engine, &%s_type).id != 0;\n",
                        thing->kind == THING_SINGLETON ? "singleton" : "component", thing->name);
    }
    for (uint32_t i = 0; i < model->thing_count; i++) {
        if (begins_group(model, i)) {
            add_group(out, model, i);
        }
    }
    text_add(out, "    return done ? COSM_OK : cosm_error_result();\n}\n");
}

void emit_source(struct text *out, const struct model *model, const struct arguments *arguments) {
    static const char silence[] = "// What is deprecated is described like the rest.\n"
                                  "#ifdef __GNUC__\n"
                                  "#pragma GCC diagnostic push\n"
                                  "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n"
                                  "#endif\n"
                                  "\n";
    const char *name = emit_header_name(arguments);
    text_add_format(
        out,
        "// The components of %s, described: made by cosm-gen, not to be edited.\n"
        "// clang-format off\n"
        "#include \"%s.cosm.h\"\n"
        "\n"
        "#include <assert.h>\n"
        "%s"
        "#include <stddef.h>\n"
        "#include <stdint.h>\n"
        "\n"
        "%s"
        "#define COSM_GEN_SAW(what) \\\n"
        "    static_assert(what, \"%s is not as cosm-gen saw it; run cosm-gen again\")\n",
        name, arguments->stem, needs_math(model) ? "#include <math.h>\n" : "",
        model->has_deprecated ? silence : "", name);
    for (uint32_t i = 0; i < model->labels_count; i++) {
        add_labels(out, model->labels[i]);
    }
    for (uint32_t i = 0; i < model->thing_count; i++) {
        if (model->things[i].kind != THING_TAG) {
            add_struct(out, &model->things[i]);
        }
        add_type(out, &model->things[i]);
    }
    add_function(out, model, arguments->stem);
    if (model->has_deprecated) {
        text_add(out, "\n#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n");
    }
}
