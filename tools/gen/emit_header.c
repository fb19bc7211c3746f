// NAME.cosm.h: the typed calls of each component, singleton and tag.
#include <string.h>

#include "emit.h"
#include "storage.h"

void emit_code(struct text *out, const struct thing *thing, const char *code) {
    while (*code != '\0') {
        size_t plain = strcspn(code, "$");
        text_add_bytes(out, code, plain);
        code += plain;
        if (*code == '$') {
            text_add(out, code[1] == 'N' ? thing->name : thing->c_type);
            code += 2;
        }
    }
}

const char *emit_function(struct arena *arena, const char *stem) {
    char *name = arena_format(arena, "%s_register_all", stem);
    for (char *c = name; *c != '\0'; c++) {
        *c = text_is_letter(*c) || text_is_digit(*c) ? *c : '_';
    }
    return name;
}

bool emit_has_columns(const struct thing *thing) {
    return thing->kind == THING_COMPONENT && thing->storage == COSM_STORAGE_COLUMN;
}

const char *emit_header_name(const struct arguments *arguments) {
    const char *slash = strrchr(arguments->header, '/');
    return slash == NULL ? arguments->header : slash + 1;
}

static const char *guard_of(struct arena *arena, const char *stem) {
    char *guard = arena_format(arena, "COSM_GEN_%s_H", stem);
    for (char *c = guard; *c != '\0'; c++) {
        bool is_small = *c >= 'a' && *c <= 'z';
        *c = is_small ? (char)(*c - 'a' + 'A') : text_is_letter(*c) || text_is_digit(*c) ? *c : '_';
    }
    return guard;
}

// The doc of a thing as a comment, its lines broken between words.
static void add_comment(struct text *out, const char *doc) {
    enum { WIDTH = 96 };
    size_t column = 0;
    while (*doc != '\0') {
        size_t length = strcspn(doc, " \n");
        if (column == 0 || column + 1 + length > WIDTH) {
            text_add(out, column == 0 ? "//" : "\n//");
            column = 0;
        }
        text_add_format(out, " %.*s", (int)length, doc);
        column += length + 1;
        doc += length;
        if (*doc == '\n') {
            text_add(out, "\n");
            column = 0;
        }
        doc += *doc != '\0';
    }
    // A backslash at its end would draw the next line into the comment.
    text_add(out, out->data[out->length - 1] == '\\' ? " .\n" : "\n");
}

static const char common_code[] =
    "extern cosm_component_type $N_type;\n"
    "\n"
    "static inline cosm_component $N_component(const cosm_engine *engine) {\n"
    "    return cosm_component_of(engine, &$N_type);\n"
    "}\n"
    "\n"
    "static inline bool $N_has(cosm_world world, cosm_entity entity) {\n"
    "    return cosm_entity_has(world, entity, $N_component(cosm_batch_engine(world.batch)));\n"
    "}\n"
    "\n"
    "static inline COSM_MUST_USE cosm_result $N_add(cosm_world world, cosm_entity entity) {\n"
    "    return cosm_entity_add(world, entity, $N_component(cosm_batch_engine(world.batch)));\n"
    "}\n"
    "\n"
    "static inline COSM_MUST_USE cosm_result $N_remove(cosm_world world, cosm_entity entity) {\n"
    "    return cosm_entity_remove(world, entity, $N_component(cosm_batch_engine(world.batch)));\n"
    "}\n";

static const char get_code[] =
    "\n"
    "static inline bool $N_get(cosm_world world, cosm_entity entity, $T *out_value) {\n"
    "    return cosm_entity_get(world, entity, $N_component(cosm_batch_engine(world.batch)),\n"
    "                           out_value);\n"
    "}\n";

static const char set_code[] =
    "\n"
    "static inline COSM_MUST_USE cosm_result $N_set(cosm_world world, cosm_entity entity,\n"
    "    const $T *value) {\n"
    "    return cosm_entity_set(world, entity, $N_component(cosm_batch_engine(world.batch)), value);\n"
    "}\n";

static const char read_code[] =
    "\n"
    "static inline const $T *$N_read(cosm_world world, cosm_entity entity) {\n"
    "    return COSM_READ(world, entity, $T);\n"
    "}\n";

static const char write_code[] =
    "\n"
    "static inline $T *$N_write(cosm_world world, cosm_entity entity) {\n"
    "    return COSM_WRITE(world, entity, $T);\n"
    "}\n";

static const char column_code[] =
    "\n"
    "static inline const $T *$N_column_read(const cosm_rows *rows, uint32_t term) {\n"
    "    return COSM_COLUMN_READ(rows, $T, term);\n"
    "}\n"
    "\n"
    "static inline $T *$N_column_write(const cosm_rows *rows, uint32_t term) {\n"
    "    return COSM_COLUMN_WRITE(rows, $T, term);\n"
    "}\n"
    "\n"
    "static inline $T *$N_column_of(const cosm_rows *rows) {\n"
    "    return COSM_WRITE(rows, $T);\n"
    "}\n";

static const char shared_code[] =
    "\n"
    "static inline const $T *$N_shared_read(const cosm_rows *rows, uint32_t term) {\n"
    "    return COSM_SHARED_READ(rows, $T, term);\n"
    "}\n";

static const char managed_code[] =
    "\n"
    "static inline const $T *$N_row_read(const cosm_rows *rows, uint32_t i) {\n"
    "    return (const $T *)cosm_managed_row_read(rows, i, $N_component(cosm_rows_engine(rows)));\n"
    "}\n"
    "\n"
    "static inline $T *$N_row_write(const cosm_rows *rows, uint32_t i) {\n"
    "    return ($T *)cosm_managed_row_write(rows, i, $N_component(cosm_rows_engine(rows)));\n"
    "}\n";

static const char sector_code[] =
    "\n"
    "static inline const $T *$N_sector_read(const cosm_rows *rows, uint32_t term, uint32_t i) {\n"
    "    return COSM_SECTOR_READ(rows, $T, term, i);\n"
    "}\n"
    "\n"
    "static inline $T *$N_sector_write(const cosm_rows *rows, uint32_t term, uint32_t i) {\n"
    "    return COSM_SECTOR_WRITE(rows, $T, term, i);\n"
    "}\n";

static const char singleton_code[] =
    "extern cosm_singleton_type $N_type;\n"
    "\n"
    "static inline cosm_singleton $N_singleton(const cosm_engine *engine) {\n"
    "    return cosm_singleton_of(engine, &$N_type);\n"
    "}\n"
    "\n"
    "static inline const $T *$N_read(cosm_world world) {\n"
    "    return COSM_SINGLETON_READ(world, $T);\n"
    "}\n"
    "\n"
    "static inline $T *$N_write(cosm_world world) {\n"
    "    return COSM_SINGLETON_WRITE(world, $T);\n"
    "}\n";

// What a column of a field is made of: its scalars, or with padding a struct of one row.
static const char *column_type(struct arena *arena, const struct thing *thing,
                               const struct leaf *leaf) {
    return leaf->padding == 0 ? leaf->c_type
                              : arena_format(arena, "%s_%s_row", thing->name, leaf->symbol);
}

static void add_padded_rows(struct text *out, const struct thing *thing) {
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        const struct leaf *leaf = &thing->leaves[i];
        if (leaf->padding == 0) {
            continue;
        }
        const char *type = column_type(out->arena, thing, leaf);
        text_add_format(out, "\ntypedef struct %s {\n    %s value", type, leaf->c_type);
        for (uint32_t d = 0; d < leaf->dim_count; d++) {
            text_add_format(out, "[%u]", leaf->dims[d]);
        }
        text_add_format(out, ";\n    char padding[%u];\n} %s;\n", leaf->padding, type);
    }
}

// The struct of all columns.
static void add_columns_type(struct text *out, const struct thing *thing, const char *name,
                             const char *qualifier) {
    text_add_format(out, "\ntypedef struct %s_%s {\n", thing->name, name);
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        const struct leaf *leaf = &thing->leaves[i];
        text_add_format(out, "    %s%s *%s;\n", qualifier, column_type(out->arena, thing, leaf),
                        leaf->symbol);
    }
    text_add_format(out, "} %s_%s;\n", thing->name, name);
}

// The columns of a component that is split: a struct of pointers, and what fills it.
static void add_columns(struct text *out, const struct thing *thing) {
    static const struct {
        const char *type;
        const char *head;
        const char *macro;
        const char *which;
    } ways[] = {
        {"const_columns", "read(const cosm_rows *rows, uint32_t term)", "READ", "term"},
        {"columns", "write(const cosm_rows *rows, uint32_t term)", "WRITE", "term"},
        {"columns", "of(const cosm_rows *rows)", "OF", "component"},
    };
    add_padded_rows(out, thing);
    add_columns_type(out, thing, "columns", "");
    add_columns_type(out, thing, "const_columns", "const ");
    for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
        text_add_format(out, "\nstatic inline %s_%s %s_columns_%s {\n", thing->name, ways[way].type,
                        thing->name, ways[way].head);
        if (way == 2) {
            emit_code(out, thing,
                      "    const cosm_component component = "
                      "$N_component(cosm_rows_engine(rows));\n");
        }
        text_add_format(out, "    %s_%s columns;\n", thing->name, ways[way].type);
        for (uint32_t i = 0; i < thing->leaf_count; i++) {
            const struct leaf *leaf = &thing->leaves[i];
            text_add_format(out, "    columns.%s = COSM_FIELD_%s(rows, %s, %s, %s_field_%s);\n",
                            leaf->symbol, ways[way].macro, column_type(out->arena, thing, leaf),
                            ways[way].which, thing->name, leaf->symbol);
        }
        text_add(out, "    return columns;\n}\n");
    }
}

static void add_handles(struct text *out, const struct thing *thing) {
    if (thing->leaf_count == 0) {
        return; // nothing but pointers
    }
    text_add(out, "\nenum {\n");
    for (uint32_t i = 0; i < thing->leaf_count; i++) {
        text_add_format(out, "    %s_field_%s = %u,\n", thing->name, thing->leaves[i].symbol, i);
    }
    text_add(out, "};\n");
}

// What a component with bytes has, by where it lives.
static void add_value(struct text *out, const struct thing *thing) {
    // The bytes of an object are no copy of it.
    if (!storage_is_object(thing)) {
        emit_code(out, thing, get_code);
    }
    emit_code(out, thing, set_code);
    if (thing->layout == COSM_LAYOUT_STRUCT) {
        emit_code(out, thing, read_code);
        emit_code(out, thing, thing->storage == COSM_STORAGE_SHARED ? "" : write_code);
    }
    switch (thing->storage) {
    case COSM_STORAGE_SHARED:
        emit_code(out, thing, shared_code);
        break;
    case COSM_STORAGE_MANAGED:
        emit_code(out, thing, managed_code);
        break;
    case COSM_STORAGE_SECTOR:
        emit_code(out, thing, sector_code);
        break;
    default:
        emit_code(out, thing, thing->layout == COSM_LAYOUT_STRUCT ? column_code : "");
        break;
    }
}

static void add_thing(struct text *out, const struct thing *thing) {
    text_add(out, "\n");
    if (thing->doc != NULL) {
        add_comment(out, thing->doc);
    }
    emit_code(out, thing, thing->kind == THING_SINGLETON ? singleton_code : common_code);
    if (thing->kind == THING_COMPONENT) {
        add_value(out, thing);
    }
    if (thing->kind != THING_TAG) {
        add_handles(out, thing);
    }
    // Also of one that is not split: an archetype may split it.
    if (emit_has_columns(thing)) {
        add_columns(out, thing);
    }
}

static bool has_storage(const struct model *model, cosm_storage storage) {
    for (uint32_t i = 0; i < model->thing_count; i++) {
        if (model->things[i].storage == storage) {
            return true;
        }
    }
    return false;
}

void emit_header(struct text *out, const struct model *model, const struct arguments *arguments) {
    const char *guard = guard_of(out->arena, arguments->stem);
    bool is_quoted = arguments->include[0] == '<' || arguments->include[0] == '"';
    text_add_format(
        out,
        "// The components of %s, typed: made by cosm-gen, not to be edited.\n"
        "// clang-format off\n"
        "#ifndef %s\n"
        "#define %s\n"
        "\n"
        "#include %s%s%s\n"
        "\n"
        "#include <cosm/batch.h>\n"
        "#include <cosm/component.h>\n"
        "#include <cosm/entity.h>\n"
        "%s"
        "#include <cosm/query.h>\n"
        "%s%s"
        "#include <cosm/singleton.h>\n"
        "#include <cosm/typed.h>\n"
        "\n"
        "#if COSM_GEN_FORMAT != 3\n"
        "#error \"made by the cosm-gen of another version of Cosm; run cosm-gen again\"\n"
        "#endif\n"
        "\n"
        "COSM_BEGIN_C\n"
        "\n"
        "// Registers all of them with an engine, in the order of %s.\n"
        "COSM_MUST_USE cosm_result %s(cosm_engine *engine);\n",
        emit_header_name(arguments), guard, guard, is_quoted ? "" : "\"", arguments->include,
        is_quoted ? "" : "\"",
        has_storage(model, COSM_STORAGE_MANAGED) ? "#include <cosm/managed.h>\n" : "",
        has_storage(model, COSM_STORAGE_SECTOR) ? "#include <cosm/sector.h>\n" : "",
        has_storage(model, COSM_STORAGE_SHARED) ? "#include <cosm/shared.h>\n" : "",
        emit_header_name(arguments), emit_function(out->arena, arguments->stem));
    for (uint32_t i = 0; i < model->thing_count; i++) {
        add_thing(out, &model->things[i]);
    }
    text_add(out, "\nCOSM_END_C\n\n#endif\n");
}
