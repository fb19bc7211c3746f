// Conversion: values of a component or singleton as a file has them become values as the engine has
// them now.
//
//   file_type  + value_type      what a type was like, and what it is like
//        \          /
//        conversion              made once: which bytes go where, and how
//            |
//   old values -> new values     whole structs in, whole structs out, many at a time
//
// A file's types come from outside: whoever reads one fills in a file_type and has
// cosmi_file_type_check look at it before anything else. Fields find each other by path, or by an
// alias; what both have is moved, what is new has its default, what is gone is dropped. Then the
// host's `migrate` is asked. How values are stored must be the same in the file and here.
#ifndef COSM_STATE_CONVERT_H
#define COSM_STATE_CONVERT_H

#include <cosm/save.h>

#include "base/arena.h"
#include "schema/schema.h"

// A component or singleton as a file describes it. Once checked: the name has 1 to
// COSM_NAME_LENGTH_MAX characters, size and alignment are those that a component may have, fields
// lie within the size, do not overlap and have paths of their own, types and labels are known.
struct file_type {
    const char *name;
    uint32_t size;
    uint32_t alignment;
    cosm_storage storage;
    bool is_singleton;
    bool is_object; // values are what a cosm_save_object wrote, not `size` bytes
    uint64_t hash;  // as the file has it: only told, never believed
    uint32_t field_count;
    const cosm_field *fields; // NULL where it is not described
};

// What the conversions of one reading share. All of it must outlive them.
struct convert_job {
    struct schema *schema;
    const char *call;
    struct arena *arena;        // plans are made in it
    const cosm_load_desc *desc; // aliases and migrate; never NULL
    cosm_save_report *report;   // never NULL: counted up, but for `format`
};

enum conversion_kind {
    CONVERSION_UNKNOWN, // the engine has no such type
    CONVERSION_SAME,    // bytes are used as they are; of objects: what they were saved as
    CONVERSION_COPY,   // as many bytes, and one side does not say what they mean: taken as they are
    CONVERSION_FIELDS, // field by field
    CONVERSION_DEFAULTS, // nothing is known of the old bytes: only `migrate` can use them
};

struct field_move;

struct conversion {
    enum conversion_kind kind;
    const struct file_type *file;
    const struct value_type *type; // NULL of CONVERSION_UNKNOWN
    struct convert_job *job;
    uint32_t move_count;
    struct field_move *moves; // of CONVERSION_FIELDS
    bool is_migrated;         // `migrate` has been called for it
};

// Are the aliases of the desc ones that name something? COSM_ERROR_ARGUMENT, with a message.
cosm_result cosmi_convert_check(const struct convert_job *job);

// COSM_ERROR_FORMAT, with a message that names the type, where it is not what an engine could have
// written. Pointers must be good: texts end, lists are as long as they are said to be.
cosm_result cosmi_file_type_check(const struct convert_job *job, const struct file_type *file);

// Which type of the engine each type of a file is: that of its name, or of the name that an alias
// gives it; NULL where there is none. COSM_ERROR_FORMAT, with a message, where two of a file are
// the same.
cosm_result cosmi_convert_find(const struct convert_job *job, const struct file_type *files,
                               uint32_t count, const struct value_type **out_types);

// Makes the conversion of a checked type to the one that was found for it, which may be NULL, and
// counts it. COSM_ERROR_FORMAT, with a message, where there is no way, or the storage is another.
// Both types must outlive the conversion.
cosm_result cosmi_convert_plan(struct convert_job *job, const struct file_type *file,
                               const struct value_type *type, struct conversion *out_conversion);

// Are values of this type more than their bytes, so that files have what a cosm_save_object wrote?
// A managed component without hooks is plain bytes.
static inline bool value_has_hooks(const struct value_type *type) {
    return type->lifecycle.copy != NULL || type->lifecycle.destroy != NULL;
}

// Must the values of a known type go through cosmi_convert_values? Else the bytes are right as they
// are.
static inline bool conversion_is_needed(const struct conversion *conversion) {
    return conversion->kind > CONVERSION_SAME;
}

// Makes `count` values of `type->size` bytes, one behind the other, from as many of `file->size`
// bytes, which do not overlap them. New values need no alignment but that of the type where
// desc.migrate is given, and so for the old ones and file->alignment. Not for objects, nor for
// unknown types. COSM_ERROR_FORMAT where `migrate` returned false. One thread at a time in a job.
cosm_result cosmi_convert_values(struct conversion *conversion, uint32_t count,
                                 const void *old_values, void *new_values);
#endif
