// Conversion: looking at what comes from outside: the types of a file, and the host's aliases.
#include <string.h>

#include "base/bits.h"
#include "schema/field_path.h"
#include "state/convert.h"

static bool file_name_is_good(const char *name) {
    return name != NULL && name[0] != '\0' && strlen(name) <= COSM_NAME_LENGTH_MAX;
}

static bool file_whole_is_good(const struct file_type *file) {
    return file->size <= COSM_COMPONENT_SIZE_MAX && is_power_of_two(file->alignment) &&
           file->alignment <= COSM_COMPONENT_ALIGNMENT_MAX && file->size % file->alignment == 0 &&
           (unsigned)file->storage <= COSM_STORAGE_SECTOR &&
           (file->field_count == 0 || file->fields != NULL) && file->field_count <= COSM_FIELD_MAX;
}

// Dimensions are given from the first on, and the field is within the value.
static bool file_place_is_good(const struct file_type *file, const cosm_field *field) {
    for (uint32_t i = 1; i < COSM_FIELD_DIM_MAX; i++) {
        if (field->dims[i] != 0 && field->dims[i - 1] == 0) {
            return false;
        }
    }
    uint64_t size = (uint64_t)cosm_field_size(field);
    return size > 0 && size <= file->size && field->offset <= file->size - size &&
           field->padding <= file->size - size - field->offset &&
           (field->type != COSM_FIELD_CHAR || field->dims[0] != 0);
}

// Names that are there twice do no harm: the first one counts.
static bool file_labels_are_good(const cosm_field *field) {
    const cosm_labels *labels = field->labels;
    if (labels == NULL) {
        return true;
    }
    if (field->type > COSM_FIELD_U64 || labels->items == NULL || labels->count == 0 ||
        labels->count > COSM_LABEL_MAX || (unsigned)labels->kind > COSM_LABELS_MASK) {
        return false;
    }
    for (uint32_t i = 0; i < labels->count; i++) {
        if (labels->items[i].name == NULL || labels->items[i].name[0] == '\0') {
            return false;
        }
    }
    return true;
}

static bool file_path_is_good(const char *path) {
    return path != NULL && strlen(path) <= COSM_FIELD_PATH_LENGTH_MAX && cosmi_path_is_valid(path);
}

// Has a field before this one its path, or some of its bytes? Where fields come in the order of
// their bytes, as they mostly do, `end` spares the look at these.
static bool file_field_is_new(const struct file_type *file, uint32_t index, uint64_t end) {
    const cosm_field *field = &file->fields[index];
    bool is_behind = field->offset >= end;
    uint64_t field_end = field->offset + (uint64_t)cosm_field_size(field);
    for (uint32_t i = 0; i < index; i++) {
        const cosm_field *other = &file->fields[i];
        if (strcmp(other->name, field->name) == 0) {
            return false;
        }
        if (!is_behind && other->offset < field_end &&
            field->offset < other->offset + (uint64_t)cosm_field_size(other)) {
            return false;
        }
    }
    return true;
}

cosm_result cosmi_file_type_check(const struct convert_job *job, const struct file_type *file) {
    if (!file_name_is_good(file->name) || !file_whole_is_good(file)) {
        return cosmi_fail(job->schema->sink, COSM_ERROR_FORMAT,
                          "%s: the file has a type '%.127s' of %u bytes, aligned to %u, with %u "
                          "fields, which is not a valid type; the file is damaged: use another "
                          "copy",
                          job->call, file->name == NULL ? "" : file->name, file->size,
                          file->alignment, file->field_count);
    }
    uint64_t end = 0;
    for (uint32_t i = 0; i < file->field_count; i++) {
        const cosm_field *field = &file->fields[i];
        if (!file_path_is_good(field->name) || !file_place_is_good(file, field) ||
            !file_labels_are_good(field) || !file_field_is_new(file, i, end)) {
            return cosmi_fail(job->schema->sink, COSM_ERROR_FORMAT,
                              "%s: field %u of '%.127s' in the file has an invalid path, type, "
                              "offset or labels; the file is damaged: use another copy",
                              job->call, i, file->name);
        }
        uint64_t field_end = field->offset + (uint64_t)cosm_field_size(field);
        end = field_end > end ? field_end : end;
    }
    return COSM_OK;
}

// Is it the path of a field, or of a struct that fields are in?
static bool names_fields(const struct value_type *type, const char *path) {
    for (uint32_t i = 0; type != NULL && i < type->fields.count; i++) {
        if (cosmi_path_leads_through(type->fields.items[i].name, path, strlen(path))) {
            return true;
        }
    }
    return false;
}

cosm_result cosmi_convert_check(const struct convert_job *job) {
    const cosm_load_desc *desc = job->desc;
    if (desc->alias_count > 0 && desc->aliases == NULL) {
        return cosmi_fail(job->schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.alias_count is %u, but desc.aliases is NULL; set both",
                          job->call, desc->alias_count);
    }
    for (uint32_t i = 0; i < desc->alias_count; i++) {
        const cosm_save_alias *alias = &desc->aliases[i];
        if (alias->component == NULL || alias->old_name == NULL || alias->component[0] == '\0' ||
            alias->old_name[0] == '\0') {
            return cosmi_fail(job->schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.aliases[%u] has no component or no old_name; set both",
                              job->call, i);
        }
        const struct value_type *component = schema_component(
            job->schema, cosmi_schema_find_component(job->schema, alias->component));
        const struct value_type *singleton = schema_singleton(
            job->schema, cosmi_schema_find_singleton(job->schema, alias->component));
        if (component == NULL && singleton == NULL) {
            return cosmi_fail(job->schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.aliases[%u]: no component or singleton is called "
                              "'%.127s'; define it first, and use its current name",
                              job->call, i, alias->component);
        }
        if (alias->field != NULL && !names_fields(component, alias->field) &&
            !names_fields(singleton, alias->field)) {
            return cosmi_fail(job->schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.aliases[%u]: '%.127s' has no field '%.127s'; use its "
                              "current path, or that of a struct with fields in it",
                              job->call, i, alias->component, alias->field);
        }
    }
    return COSM_OK;
}
