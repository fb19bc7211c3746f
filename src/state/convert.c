// Conversion: finding types and fields of a file in the engine, and converting values.
#include "state/convert.h"

#include <string.h>

#include "base/check.h"
#include "schema/field_path.h"
#include "state/convert_move.h"

static cosm_result convert_fail_memory(const struct convert_job *job) {
    return cosmi_fail_memory(job->schema->sink, job->schema->memory, job->call);
}

static const char *file_type_noun(const struct file_type *file) {
    return file->is_singleton ? "singleton" : "component";
}

// The component or singleton of that name, or NULL. Bundles have no values.
static const struct value_type *convert_find_name(const struct convert_job *job, const char *name,
                                                  bool is_singleton) {
    if (is_singleton) {
        return schema_singleton(job->schema, cosmi_schema_find_singleton(job->schema, name));
    }
    uint32_t id = cosmi_schema_find_component(job->schema, name);
    return (id & BUNDLE_BIT) != 0 ? NULL : schema_component(job->schema, id);
}

// What a type of a file is called here. Its own name comes first: who has taken it since then means
// something else, and says so by an alias of its own.
static const struct value_type *convert_find_one(const struct convert_job *job,
                                                 const struct file_type *file) {
    const struct value_type *type = convert_find_name(job, file->name, file->is_singleton);
    for (uint32_t i = 0; i < job->desc->alias_count && type == NULL; i++) {
        const cosm_save_alias *alias = &job->desc->aliases[i];
        if (alias->field == NULL && strcmp(alias->old_name, file->name) == 0) {
            type = convert_find_name(job, alias->component, file->is_singleton);
        }
    }
    return type;
}

cosm_result cosmi_convert_find(const struct convert_job *job, const struct file_type *files,
                               uint32_t count, const struct value_type **out_types) {
    for (uint32_t i = 0; i < count; i++) {
        out_types[i] = convert_find_one(job, &files[i]);
        for (uint32_t j = 0; j < i; j++) {
            if (files[i].is_singleton == files[j].is_singleton &&
                (strcmp(files[i].name, files[j].name) == 0 ||
                 (out_types[i] != NULL && out_types[i] == out_types[j]))) {
                return cosmi_fail(
                    job->schema->sink, COSM_ERROR_FORMAT,
                    "%s: '%.127s' and '%.127s' of the file are the same %s here; remove the alias "
                    "between them, or read the file with a program that has both",
                    job->call, files[j].name, files[i].name, file_type_noun(&files[i]));
            }
        }
    }
    return COSM_OK;
}

// Which field of the file each one here is: while they are looked for.
struct field_match {
    const struct file_type *file;
    const struct value_type *type;
    uint32_t *sources; // [type->fields.count]: of the file, or COSM_FIELD_INDEX_NONE
    bool *is_taken;    // [file->field_count]
    uint32_t renamed_count;
};

static bool match_take(struct field_match *match, uint32_t field, uint32_t source) {
    if (match->is_taken[source] ||
        !cosmi_move_is_possible(&match->file->fields[source], &match->type->fields.items[field])) {
        return false;
    }
    match->sources[field] = source;
    match->is_taken[source] = true;
    return true;
}

// Fields that have kept their path. Most of the time they have kept their order too.
static void match_paths(struct field_match *match) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < match->type->fields.count; i++) {
        const char *path = match->type->fields.items[i].name;
        for (uint32_t k = 0; k < match->file->field_count; k++) {
            uint32_t source = (next + k) % match->file->field_count;
            if (strcmp(match->file->fields[source].name, path) == 0) {
                (void)match_take(match, i, source);
                next = source + 1;
                break;
            }
        }
    }
}

// Is `old` what the path was before the alias? The alias may be of a struct that the field is in.
static bool alias_leads(const cosm_save_alias *alias, const char *path, const char *old) {
    size_t length = strlen(alias->field);
    size_t old_length = strlen(alias->old_name);
    return cosmi_path_leads_through(path, alias->field, length) &&
           strncmp(old, alias->old_name, old_length) == 0 &&
           strcmp(old + old_length, path + length) == 0;
}

static bool match_alias(struct field_match *match, const cosm_save_alias *alias, uint32_t field) {
    const char *path = match->type->fields.items[field].name;
    for (uint32_t k = 0; k < match->file->field_count; k++) {
        if (alias_leads(alias, path, match->file->fields[k].name) && match_take(match, field, k)) {
            return true;
        }
    }
    return false;
}

static void match_aliases(struct field_match *match, const cosm_load_desc *desc) {
    for (uint32_t a = 0; a < desc->alias_count; a++) {
        const cosm_save_alias *alias = &desc->aliases[a];
        if (alias->field == NULL || strcmp(alias->component, match->type->name) != 0) {
            continue;
        }
        for (uint32_t i = 0; i < match->type->fields.count; i++) {
            if (match->sources[i] == COSM_FIELD_INDEX_NONE && match_alias(match, alias, i)) {
                match->renamed_count++;
            }
        }
    }
}

static bool match_make(struct convert_job *job, struct field_match *match) {
    uint32_t count = match->type->fields.count;
    match->sources = cosmi_arena_alloc(job->arena, (count + 1) * sizeof(*match->sources), 4);
    match->is_taken =
        cosmi_arena_alloc(job->arena, (match->file->field_count + 1) * sizeof(*match->is_taken), 1);
    if (match->sources == NULL || match->is_taken == NULL) {
        return false;
    }
    memset(match->is_taken, 0, match->file->field_count * sizeof(*match->is_taken));
    for (uint32_t i = 0; i < count; i++) {
        match->sources[i] = COSM_FIELD_INDEX_NONE;
    }
    match_paths(match);
    match_aliases(match, job->desc);
    return true;
}

// Adds a move, to the one before it where both are bytes side by side.
static void moves_add(struct conversion *conversion, const struct field_move *move) {
    if (conversion->move_count > 0) {
        struct field_move *last = &conversion->moves[conversion->move_count - 1];
        if (move_is_plain(last) && move_is_plain(move) &&
            last->old_offset + last->old_length == move->old_offset &&
            last->new_offset + last->new_length == move->new_offset) {
            last->old_length += move->old_length;
            last->new_length += move->new_length;
            return;
        }
    }
    conversion->moves[conversion->move_count++] = *move;
}

static bool field_has_changed(const cosm_field *old, const cosm_field *field,
                              const struct field_move *move) {
    return old->type != field->type || memcmp(old->dims, field->dims, sizeof(old->dims)) != 0 ||
           move->kind == MOVE_LABELS;
}

static cosm_result convert_plan_fields(struct convert_job *job, struct conversion *conversion) {
    const struct file_type *file = conversion->file;
    const struct field_list *fields = &conversion->type->fields;
    struct field_match match = {.file = file, .type = conversion->type};
    conversion->moves =
        cosmi_arena_alloc(job->arena, (fields->count + 1) * sizeof(*conversion->moves), 8);
    if (conversion->moves == NULL || !match_make(job, &match)) {
        return convert_fail_memory(job);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        if (match.sources[i] == COSM_FIELD_INDEX_NONE) {
            job->report->added_count++;
            continue;
        }
        const cosm_field *old = &file->fields[match.sources[i]];
        struct field_move move;
        if (!cosmi_move_make(job->arena, old, &fields->items[i], &move)) {
            return convert_fail_memory(job);
        }
        job->report->changed_count += field_has_changed(old, &fields->items[i], &move) ? 1 : 0;
        found++;
        moves_add(conversion, &move);
    }
    job->report->removed_count += file->field_count - found;
    job->report->renamed_count += match.renamed_count;
    return COSM_OK;
}

// Do the bytes mean the same? The name does not matter, nor does the alignment.
static bool bytes_are_same(const struct file_type *file, const struct value_type *type) {
    struct field_list list = {.count = file->field_count, .items = file->fields};
    return file->size == type->size &&
           cosmi_fields_hash(type->name, file->size, type->alignment, &list) == type->hash;
}

static enum conversion_kind conversion_kind_of(const struct file_type *file,
                                               const struct value_type *type) {
    if (value_has_hooks(type) || bytes_are_same(file, type)) {
        return CONVERSION_SAME;
    }
    if ((file->size > 0 && file->field_count == 0) || (type->size > 0 && type->fields.count == 0)) {
        return file->size == type->size ? CONVERSION_COPY : CONVERSION_DEFAULTS;
    }
    return CONVERSION_FIELDS;
}

static cosm_result convert_plan_known(struct convert_job *job, struct conversion *conversion) {
    const struct file_type *file = conversion->file;
    const struct value_type *type = conversion->type;
    if (!file->is_singleton && file->storage != type->storage) {
        static const char *const storages[] = {"column", "shared", "managed", "sector"};
        return cosmi_fail(job->schema->sink, COSM_ERROR_FORMAT,
                          "%s: component '%.127s' has storage %s in the file and %s here; define "
                          "it with the file's storage, or use another name for the new one",
                          job->call, file->name, storages[file->storage], storages[type->storage]);
    }
    if (file->is_object != value_has_hooks(type)) {
        return cosmi_fail(
            job->schema->sink, COSM_ERROR_FORMAT,
            "%s: '%.127s' of the file %s objects, here it %s; define it as before, or use another "
            "name for the new one",
            job->call, file->name, file->is_object ? "has" : "has no",
            value_has_hooks(type) ? "has" : "has none");
    }
    conversion->kind = conversion_kind_of(file, type);
    if (conversion->kind == CONVERSION_DEFAULTS && job->desc->migrate == NULL) {
        return cosmi_fail(
            job->schema->sink, COSM_ERROR_FORMAT,
            "%s: %s '%.127s' has %u bytes in the file and %u here, and its fields are not "
            "described %s; set desc.migrate, or describe its fields",
            job->call, file_type_noun(file), file->name, file->size, type->size,
            file->field_count == 0 ? "there" : "here");
    }
    return conversion->kind == CONVERSION_FIELDS ? convert_plan_fields(job, conversion) : COSM_OK;
}

cosm_result cosmi_convert_plan(struct convert_job *job, const struct file_type *file,
                               const struct value_type *type, struct conversion *out_conversion) {
    *out_conversion = (struct conversion){
        .kind = CONVERSION_UNKNOWN, .file = file, .type = type, .job = job, .moves = NULL};
    if (type != NULL) {
        cosm_result result = convert_plan_known(job, out_conversion);
        if (result != COSM_OK) {
            return result;
        }
        job->report->renamed_count += strcmp(file->name, type->name) != 0 ? 1 : 0;
    }
    job->report->component_count++;
    job->report->unknown_count += type == NULL ? 1 : 0;
    job->report->same_count += out_conversion->kind == CONVERSION_SAME ? 1 : 0;
    job->report->converted_count += conversion_is_needed(out_conversion) ? 1 : 0;
    return COSM_OK;
}

// The default over and over.
static void convert_fill_defaults(const struct value_type *type, uint32_t count, void *values) {
    char *at = values;
    for (size_t i = 0; i < count; i++) {
        (void)cosmi_value_default(type, at + i * type->size);
    }
}

static cosm_result ask_migrate(struct conversion *conversion, uint32_t count,
                               const void *old_values, void *new_values) {
    struct convert_job *job = conversion->job;
    const struct file_type *file = conversion->file;
    const struct value_type *type = conversion->type;
    cosm_migration migration = {
        .component = file->name,
        .fields = file->field_count == 0 ? NULL : file->fields,
        .field_count = file->field_count,
        .old_size = file->size,
        .new_size = type->size,
        .target = {file->is_singleton ? 0 : type->id},
        .singleton = {file->is_singleton ? type->id : 0},
        .count = count,
        .old_values = old_values,
        .new_values = new_values,
    };
    job->report->migrated_count += conversion->is_migrated ? 0 : 1;
    conversion->is_migrated = true;
    if (!job->desc->migrate(job->desc->context, &migration)) {
        return cosmi_fail(job->schema->sink, COSM_ERROR_FORMAT,
                          "%s: desc.migrate returned false for %s '%.127s'; have it convert the "
                          "values, or leave them unchanged",
                          job->call, file_type_noun(file), file->name);
    }
    return COSM_OK;
}

cosm_result cosmi_convert_values(struct conversion *conversion, uint32_t count,
                                 const void *old_values, void *new_values) {
    const struct file_type *file = conversion->file;
    const struct value_type *type = conversion->type;
    INVARIANT(type != NULL && !value_has_hooks(type), "values are bytes that the engine knows");
    if (count == 0 || type->size == 0) {
        return COSM_OK;
    }
    if (conversion->kind == CONVERSION_SAME || conversion->kind == CONVERSION_COPY) {
        memcpy(new_values, old_values, (size_t)count * type->size);
    } else {
        convert_fill_defaults(type, count, new_values);
    }
    for (uint32_t i = 0; i < conversion->move_count; i++) {
        conversion->job->report->clamped_count += cosmi_move_values(
            &conversion->moves[i], count, old_values, file->size, new_values, type->size);
    }
    if (conversion->kind == CONVERSION_SAME || conversion->job->desc->migrate == NULL) {
        return COSM_OK;
    }
    return ask_migrate(conversion, count, old_values, new_values);
}
