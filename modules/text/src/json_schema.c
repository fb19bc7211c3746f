// The schema of an engine as JSON: components, singletons, bundles, archetypes.
//
//     {"cosm": 1, "components": [
//     {"name": "Body", "id": 1, "size": 8, "alignment": 4, "layout": "split", "storage": "column",
//      "hash": "...", "default": {...},
//      "fields": [{"name": "mass", "type": "f32", "unit": "kg"}, ...]},
//     ...], "singletons": [...], "bundles": [...], "sector_groups": [...], "archetypes": [...]}
//
// What a field or an archetype does not have is left out.
#include <cosm_text/json.h>

#include <stdlib.h>

#include "check.h"
#include "format.h"
#include "write.h"

struct schema_text {
    struct out out;
    const cosm_engine *engine;
    enum style style;
};

static void put_string(struct schema_text *text, const char *string) {
    cosmi_text_out_quoted(&text->out, string, strlen(string), QUOTE_JSON);
}

static void put_first_key(struct schema_text *text, const char *key) {
    put_string(text, key);
    out_text(&text->out, style_colon(text->style));
}

static void put_key(struct schema_text *text, const char *key) {
    out_text(&text->out, style_comma(text->style));
    put_first_key(text, key);
}

static void put_string_member(struct schema_text *text, const char *key, const char *value) {
    if (value != NULL) {
        put_key(text, key);
        put_string(text, value);
    }
}

static void put_number_member(struct schema_text *text, const char *key, uint64_t value) {
    put_key(text, key);
    out_u64(&text->out, value);
}

// A list with a line for each of its elements, where the style has lines.
static void begin_list(struct schema_text *text, const char *key) {
    put_key(text, key);
    out_char(&text->out, '[');
}

static void begin_element(struct schema_text *text, bool is_first) {
    bool has_lines = text->style == STYLE_SPACED;
    out_text(&text->out, is_first ? "" : ",");
    out_text(&text->out, has_lines ? "\n{" : "{");
    put_first_key(text, "name");
}

static void end_list(struct schema_text *text) {
    out_char(&text->out, ']');
}

static void put_labels(struct schema_text *text, const cosm_field *field) {
    const cosm_labels *labels = field->labels;
    put_key(text, "labels");
    out_char(&text->out, '{');
    put_first_key(text, "kind");
    put_string(text, labels->kind == COSM_LABELS_MASK ? "mask" : "enum");
    put_string_member(text, "name", labels->name);
    put_key(text, "items");
    out_char(&text->out, '[');
    for (uint32_t i = 0; i < labels->count; i++) {
        out_text(&text->out, i > 0 ? style_comma(text->style) : "");
        out_char(&text->out, '{');
        put_first_key(text, "name");
        put_string(text, labels->items[i].name);
        put_key(text, "value");
        if (field->type == COSM_FIELD_U64) {
            out_u64(&text->out, (uint64_t)labels->items[i].value);
        } else {
            out_i64(&text->out, labels->items[i].value);
        }
        out_char(&text->out, '}');
    }
    out_text(&text->out, "]}");
}

static void put_dims(struct schema_text *text, const cosm_field *field) {
    put_key(text, "dims");
    out_char(&text->out, '[');
    for (uint32_t i = 0; i < COSM_FIELD_DIM_MAX && field->dims[i] != 0; i++) {
        out_text(&text->out, i > 0 ? style_comma(text->style) : "");
        out_u64(&text->out, field->dims[i]);
    }
    out_char(&text->out, ']');
}

static size_t natural_alignment(cosm_field_type type) {
    return type == COSM_FIELD_ENTITY ? COSM_ALIGNOF(cosm_entity) : cosm_field_type_size(type);
}

static void put_field(struct schema_text *text, const cosm_field *field) {
    out_char(&text->out, '{');
    put_first_key(text, "name");
    put_string(text, field->name);
    put_string_member(text, "type", cosm_field_type_name(field->type));
    put_number_member(text, "offset", field->offset);
    if (field->dims[0] != 0) {
        put_dims(text, field);
    }
    if (field->alignment != natural_alignment(field->type)) {
        put_number_member(text, "alignment", field->alignment);
    }
    if (field->padding != 0) {
        put_number_member(text, "padding", field->padding);
    }
    if (field->labels != NULL) {
        put_labels(text, field);
    }
    if (field->min < field->max) {
        put_key(text, "min");
        cosmi_text_out_f64(&text->out, text->style, field->min);
        put_key(text, "max");
        cosmi_text_out_f64(&text->out, text->style, field->max);
    }
    put_string_member(text, "unit", field->unit);
    put_string_member(text, "doc", field->doc);
    out_char(&text->out, '}');
}

static void put_fields(struct schema_text *text, struct subject subject) {
    uint32_t count = subject_field_count(subject);
    put_key(text, "fields");
    out_char(&text->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        out_text(&text->out, i > 0 ? style_comma(text->style) : "");
        put_field(text, subject_field(subject, i));
    }
    out_char(&text->out, ']');
}

// False when out of memory.
static bool put_default(struct schema_text *text, struct subject subject) {
    struct arena arena = {NULL, NULL, 0};
    struct shape *shape = cosmi_text_shape(&arena, subject);
    struct program *program =
        shape == NULL ? NULL : cosmi_text_program(&arena, shape, text->style, false);
    char *value = program == NULL ? NULL : cosmi_text_take(&arena, program->size);
    if (value != NULL) {
        subject_default(subject, value);
        put_key(text, "default");
        cosmi_text_aim_value(program, value);
        cosmi_text_run(program, &text->out);
    }
    cosmi_text_give_all(&arena);
    return value != NULL;
}

static void put_storage(struct schema_text *text, const cosm_component_info *info) {
    static const char *const storages[] = {"column", "shared", "managed", "sector"};
    put_string_member(text, "layout", info->layout == COSM_LAYOUT_SPLIT ? "split" : "struct");
    put_string_member(text, "storage", storages[info->storage]);
    if (info->change_rows) {
        put_key(text, "change_rows");
        out_text(&text->out, "true");
    }
}

static bool put_subject(struct schema_text *text, struct subject subject) {
    cosm_component_info info = subject_info(subject);
    put_string(text, info.name);
    put_number_member(text, "id", subject.id);
    put_number_member(text, "size", info.size);
    put_number_member(text, "alignment", info.alignment);
    if (!subject.is_singleton) {
        put_storage(text, &info);
    }
    put_key(text, "hash");
    out_char(&text->out, '"');
    cosmi_text_out_hex_u64(&text->out, info.hash, 16);
    out_char(&text->out, '"');
    put_string_member(text, "doc", info.doc);
    if (!put_default(text, subject)) {
        return false;
    }
    put_fields(text, subject);
    out_char(&text->out, '}');
    return true;
}

// The components, or the singletons. False when out of memory.
static bool put_subjects(struct schema_text *text, const char *key, bool is_singleton,
                         uint32_t count) {
    begin_list(text, key);
    for (uint32_t id = 1; id <= count; id++) {
        begin_element(text, id == 1);
        if (!put_subject(text, (struct subject){text->engine, is_singleton, id})) {
            return false;
        }
    }
    end_list(text);
    return true;
}

static void put_component_names(struct schema_text *text, const cosm_component *components,
                                uint32_t count) {
    put_key(text, "components");
    out_char(&text->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        out_text(&text->out, i > 0 ? style_comma(text->style) : "");
        put_string(text, cosm_component_describe(text->engine, components[i]).name);
    }
    out_char(&text->out, ']');
}

// A bundle may have as many members as there are components. False when out of memory.
static bool put_bundles(struct schema_text *text) {
    uint32_t count = cosm_engine_describe(text->engine).bundle_count;
    cosm_component *members = malloc(COSM_COMPONENT_MAX * sizeof(*members));
    begin_list(text, "bundles");
    for (uint32_t i = 0; members != NULL && i < count; i++) {
        cosm_component bundle = cosm_engine_bundle(text->engine, i);
        uint32_t member_count =
            cosm_component_members(text->engine, bundle, COSM_COMPONENT_MAX, members);
        begin_element(text, i == 0);
        put_string(text, cosm_component_describe(text->engine, bundle).name);
        put_component_names(text, members, member_count);
        out_char(&text->out, '}');
    }
    end_list(text);
    free(members);
    return members != NULL;
}

// The groups of sector components that have two members or more: one alone is what every other such
// component is too.
static void put_groups(struct schema_text *text) {
    uint32_t component_count = cosm_engine_describe(text->engine).component_count;
    bool is_first = true;
    begin_list(text, "sector_groups");
    for (uint32_t id = 1; id <= component_count; id++) {
        cosm_sector_group group = cosm_sector_group_of(text->engine, (cosm_component){id});
        cosm_sector_group_info info = cosm_sector_group_describe(text->engine, group);
        if (info.member_count < 2 || info.members[0].id != id) {
            continue;
        }
        begin_element(text, is_first);
        is_first = false;
        put_string(text, info.name);
        put_number_member(text, "id", group.id);
        put_component_names(text, info.members, info.member_count);
        out_char(&text->out, '}');
    }
    end_list(text);
}

// The components whose layout is not their own.
static void put_layouts(struct schema_text *text, cosm_archetype archetype,
                        const cosm_component *components, uint32_t count) {
    bool is_first = true;
    for (uint32_t i = 0; i < count; i++) {
        cosm_layout layout = cosm_archetype_layout(text->engine, archetype, components[i]);
        cosm_component_info info = cosm_component_describe(text->engine, components[i]);
        if (info.size == 0 || layout == info.layout) {
            continue;
        }
        if (is_first) {
            put_key(text, "layouts");
            out_char(&text->out, '{');
        } else {
            out_text(&text->out, style_comma(text->style));
        }
        is_first = false;
        put_first_key(text, info.name);
        put_string(text, layout == COSM_LAYOUT_SPLIT ? "split" : "struct");
    }
    out_text(&text->out, is_first ? "" : "}");
}

static void put_archetype(struct schema_text *text, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(text->engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    cosm_archetype_info info = cosm_archetype_describe(text->engine, archetype);
    bool is_fixed = info.placement == COSM_PLACEMENT_FIXED;
    put_string(text, info.name);
    put_number_member(text, "id", archetype.id);
    put_component_names(text, components, count);
    put_string_member(text, "placement", is_fixed ? "fixed" : "growing");
    if (is_fixed) {
        put_number_member(text, "max_per_world", info.max_per_world);
    }
    put_layouts(text, archetype, components, count);
    if (info.is_sealed) {
        put_key(text, "sealed");
        out_text(&text->out, "true");
    }
    if (info.is_temporary) {
        put_key(text, "temporary");
        out_text(&text->out, "true");
    }
    out_char(&text->out, '}');
}

static void put_archetypes(struct schema_text *text) {
    uint32_t count = cosm_engine_describe(text->engine).archetype_count;
    begin_list(text, "archetypes");
    for (uint32_t id = 1; id <= count; id++) {
        begin_element(text, id == 1);
        put_archetype(text, (cosm_archetype){id});
    }
    end_list(text);
}

cosm_result cosm_json_write_schema(const cosm_engine *engine, cosm_json_style style,
                                   cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_json_write_schema";
    struct schema_text text;
    cosm_result result = cosmi_text_check_engine(call, engine);
    result = result != COSM_OK ? result : cosmi_text_check_write(call, engine, write);
    if (result != COSM_OK) {
        return result;
    }
    cosmi_text_out_begin(&text.out, write, context);
    text.engine = engine;
    text.style = style.spaced ? STYLE_SPACED : STYLE_SHORT;
    out_char(&text.out, '{');
    put_first_key(&text, "cosm");
    out_u64(&text.out, JSON_FORMAT);
    if (!put_subjects(&text, "components", false, cosm_engine_describe(engine).component_count) ||
        !put_subjects(&text, "singletons", true, cosm_engine_describe(engine).singleton_count) ||
        !put_bundles(&text)) {
        return cosmi_text_fail_memory(call, engine);
    }
    put_groups(&text);
    put_archetypes(&text);
    out_text(&text.out, style.spaced ? "}\n" : "}");
    cosmi_text_out_flush(&text.out);
    return result;
}
