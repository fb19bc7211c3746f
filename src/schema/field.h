// Fields as the schema keeps them: checked, copied, hashed.
#ifndef COSM_SCHEMA_FIELD_H
#define COSM_SCHEMA_FIELD_H

#include <cosm/field.h>

#include "base/arena.h"
#include "base/error.h"

// The fields of one type of value. Invariants: no two overlap, all lie within the value, and a
// nested struct's are neighbours. In split layout field i is column i of the component's columns.
struct field_list {
    uint32_t count;
    uint32_t byte_count; // of all fields, without padding
    uint32_t strict_count;
    const cosm_field *items;
    const cosm_field_column *columns; // the same as runs of rows see them
};

// What is described: named in messages.
struct field_subject {
    const char *call;
    const char *name;
    size_t size;
    size_t alignment;
    const unsigned char *members; // for a cover: zero where a byte is padding; NULL: unknown
};

// Checks the fields of a desc. On failure there is a message.
cosm_result cosmi_fields_check(const struct sink *sink, const struct field_subject *subject,
                               const cosm_field *fields, uint32_t count);

// Do the fields of a macro describe all bytes of a value, or are there none? Else there is a
// message: bytes without a field are in no file and in no hash.
bool cosmi_fields_cover(const struct sink *sink, const struct field_subject *subject,
                        const cosm_field *fields, uint32_t count);

// Copies fields that were checked, and all they point at. False when out of memory.
bool cosmi_fields_keep(struct arena *arena, const cosm_field *fields, uint32_t count,
                       struct field_list *out_list);

// Are these the same fields, in all that is told of them?
bool cosmi_fields_equal(const struct field_list *list, const cosm_field *fields, uint32_t count);

// Has any field a default of its own?
bool cosmi_fields_have_default(const cosm_field *fields, uint32_t count);

// Makes a default of zeroes: of `whole`, unless NULL, the first `whole_size` bytes and those of all
// fields, and over these the defaults that fields have.
void cosmi_fields_lay_defaults(const cosm_field *fields, uint32_t count, const void *whole,
                               size_t whole_size, void *value);

// What the bytes mean, in 64 bits that are the same on every machine: see cosm_component_info.
uint64_t cosmi_fields_hash(const char *name, size_t size, size_t alignment,
                           const struct field_list *list);

#endif
