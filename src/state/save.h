// Writing save files: a snapshot becomes blocks.
#ifndef COSM_STATE_SAVE_H
#define COSM_STATE_SAVE_H

#include "base/arena.h"
#include "state/image.h"
#include "state/save_format.h"

// What is to be written, and where to.
struct save_order {
    const struct cosm_snapshot *snapshot;
    const cosm_save_desc *desc; // never NULL; checked
    const char *call;
    cosm_text_fn *write;
    void *target;
};

// Writes a whole file. On failure there is a message, and some of it may have been written.
cosm_result cosmi_save(const struct save_order *order);

// From here on: shared by the files of writing.

// What has no number in the file.
#define NUMBER_NONE 0xFFFFFFFFu

struct save_column {
    uint32_t column; // of the archetype
    uint32_t size;
    uint32_t stride;               // for the codec
    uint32_t part_size;            // of a part of a split component: without what is behind it
    const struct value_type *type; // whose values have bytes between fields; NULL: none has
};

// An archetype that occurs.
struct save_set {
    const struct archetype *archetype;
    uint32_t column_count;
    size_t row_size; // bytes of these columns
    struct save_column *columns;
};

struct save_job {
    const struct cosm_snapshot *snapshot;
    const cosm_save_desc *desc;
    const char *call;
    struct schema *schema;
    struct block_writer blocks;
    struct arena arena; // what is planned
    // Numbers in the file, by id; NUMBER_NONE: not in it.
    uint32_t *components;
    uint32_t *singletons;
    uint32_t *archetypes;
    uint32_t *groups;
    uint32_t component_end;
    uint32_t singleton_end;
    uint32_t archetype_end;
    uint32_t group_end;
    uint32_t type_count; // all in the file: components, then singletons
    struct save_set *sets;
    uint32_t set_count;
    uint32_t group_count;
    struct byte_writer stream;  // worlds that are to be the next block
    struct byte_writer scratch; // rows whose gaps are cleared
    struct byte_writer object;  // what stands for an object
    uint32_t stream_first;      // the first world of the stream
};

// Finds out what occurs and numbers it.
cosm_result cosmi_save_plan(struct save_job *job);
cosm_result cosmi_save_schema(struct save_job *job);

// Adds a world to the stream; where it has large tables, writes it all out.
cosm_result cosmi_save_world(struct save_job *job, uint32_t world);

// Writes the stream out.
cosm_result cosmi_save_flush(struct save_job *job, uint32_t world_end);

// What a world has beside tables, to the stream.
cosm_result cosmi_save_beside(struct save_job *job, const struct world_image *image);

// The value of a component, to the stream: its bytes, or what stands for an object.
cosm_result cosmi_save_value(struct save_job *job, const struct value_type *type,
                             const void *value);

// Has the type bytes that no field has? They are written as zeroes: equal values, equal bytes.
static inline bool value_has_gaps(const struct value_type *type) {
    return type->fields.count > 0 && type->fields.byte_count != type->size;
}

// Copies values side by side, those of a type field by field over zeroes; NULL: all of their bytes.
void cosmi_save_copy(void *out_values, const void *values, size_t count, size_t size,
                     const struct value_type *type);

static inline cosm_result save_fail_memory(const struct save_job *job) {
    return cosmi_fail_memory(job->snapshot->sink, job->snapshot->memory, job->call);
}

#endif
