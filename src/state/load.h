// Reading save files: blocks become images.
//
//   file -> load_types.c   what there is: types, archetypes as the file has them, sector groups
//        -> load_read.c    tables of a world as the file has them; sizes checked
//        -> load_ids.c     ids: the dead ones are read, those that live follow from the rows
//        -> load_parts.c   the rest of a world, made into parts
//        -> load_merge.c   which tables of it are one here
//        -> load_tables.c  tables, and the image; then cosmi_image_check
//
// Nothing of a file is believed. Whatever is allocated is a small multiple of bytes that were
// there.
#ifndef COSM_STATE_LOAD_H
#define COSM_STATE_LOAD_H

#include "base/arena.h"
#include "base/map.h"
#include "state/convert.h"
#include "state/image.h"
#include "state/save_format.h"

// What is to be read, and for which engine.
struct load_order {
    struct schema *schema;
    struct memory *memory; // of images
    const struct sink *sink;
    const char *call;
    const cosm_load_desc *desc; // never NULL; checked
    cosm_save_report *report;   // never NULL
    const void *bytes;          // the whole file
    size_t size;
    struct blob_home *home; // of the bytes; NULL: nothing of them may be held on to
};

// What was read.
struct loaded {
    struct world_image **worlds;
    uint32_t world_count;
    uint32_t world_capacity;
    uint64_t step_count;
    uint64_t seed;
};

// Reads a whole file. On failure there is a message and nothing to free.
cosm_result cosmi_load(const struct load_order *order, struct loaded *out_loaded);
void cosmi_loaded_free(struct loaded *loaded, struct memory *memory);

// Calls a function for each type that a file describes, in its order, then one for each sector
// group; what they get is valid during the call. Ends with the first result that is not
// COSM_OK, and returns it.
typedef cosm_result load_type_fn(void *context, const struct file_type *file);
typedef cosm_result load_group_fn(void *context, const char *const *names, uint32_t count);
cosm_result cosmi_load_each_type(const struct load_order *order, load_type_fn *on_type,
                                 load_group_fn *on_group, void *context);

// Tells line by line what is in a file, and looks at all of its blocks. No schema is needed. On
// failure there is a message, and some of it was told.
cosm_result cosmi_load_describe(const struct load_order *order, cosm_text_fn *write, void *target);

// From here on: shared by the files of reading.

struct load_type {
    const struct value_type *type; // NULL: unknown here, and dropped
    struct conversion conversion;
    const cosm_save_object *loader; // of objects
};

struct load_value {
    const void *bytes;
    size_t size;
};

struct load_part {
    uint32_t offset;
    uint32_t size;
};

// A type as a table has it: in columns from `column` on, shared, or as tickets.
struct load_member {
    uint32_t type;
    cosm_storage storage;
    uint32_t part_count; // 0: whole
    const struct load_part *parts;
    uint32_t column;
    uint32_t column_count;
};

// An archetype of the file. Of unknown members only the columns are counted.
struct load_set {
    bool temporary;
    uint32_t member_count;
    uint32_t column_count; // with that of entities
    uint32_t shared_count;
    struct load_member *members;
    struct archetype *archetype; // NULL: not asked for yet
};

struct load_group {
    uint32_t member_count;
    uint32_t types[COSM_CONTAINER_MEMBER_MAX];
    const struct sector_group *here; // of those that are known; NULL: none is
};

// Values of a column that lie side by side.
struct load_stretch {
    const unsigned char *bytes;
    struct blob_home *home; // NULL: they are not to be held on to
};

struct load_column {
    uint32_t size;
    uint32_t stretch_rows; // of each but the last
    struct load_stretch *stretches;
};

struct load_table {
    struct load_set *set;
    uint32_t count;
    uint32_t group;
    bool is_apart;
    struct load_value *shared;   // [set->shared_count], in the order of the members
    struct load_column *columns; // [set->column_count]; first that of entities
    struct archetype *archetype; // what follows is filled in by load_merge.c
    struct object **objects;     // [archetype->shared_count]: the values
    uint32_t *numbers;           // [archetype->shared_count]: where tables merge, those of values
    struct load_table *next;     // whose rows come behind these in one table
    struct load_table *last;     // of the first table: the last of that list
    uint64_t total;              // of the first table: rows of all
};

struct load_world {
    struct stream_image stream;
    uint32_t used;
    uint32_t known;
    uint32_t fresh_deaths;
    uint32_t free_count;
    uint32_t dead_count;     // free ones and others
    struct byte_reader dead; // where they are in the block
    uint32_t table_count;
    struct load_table *tables;
    struct part **parts; // what is made while it is read: all but ids and tables, then those too
    uint32_t part_count;
    uint32_t part_capacity;
    bool any_apart;
    uint32_t target_count;       // what follows is filled in by load_merge.c
    struct load_table **targets; // the first tables of those that become one
    uint32_t value_count;
    const struct object **values; // shared ones, each once, where tables merge
    struct map target_map;
    struct map value_map;
};

// Memory that values pass through; aligned as any type may be.
struct load_scratch {
    unsigned char *bytes;
    size_t size;
};

struct load_job {
    const struct load_order *order;
    struct block_reader blocks;
    struct arena arena;       // until the end
    struct arena world_arena; // until the end of a world
    struct convert_job convert;
    struct block schema_block; // descriptions lie in it
    uint32_t type_count;
    struct file_type *files; // [type_count]
    struct load_type *types;
    uint32_t set_count;
    struct load_set *sets;
    uint32_t group_count;
    struct load_group *groups;
    bool is_merging;       // a type of tables is unknown, or a shared one converted or renamed
    struct block block;    // worlds
    struct byte_reader in; // of its bytes
    struct block *held;    // columns of the world at hand
    uint32_t held_count;
    uint32_t held_capacity;
    uint32_t world; // the one at hand
    struct load_scratch old_values;
    struct load_scratch new_values;
    struct loaded *loaded;
};

// What the file says there is, and what becomes of it here.
cosm_result cosmi_load_schema(struct load_job *job);
cosm_result cosmi_load_plan(struct load_job *job);

cosm_result cosmi_load_read_world(struct load_job *job, struct load_world *world);

// Ids: read, counted against what is there, and made into a part once the tables are parts.
void cosmi_load_read_ids(struct load_job *job, struct load_world *world);
cosm_result cosmi_load_check_ids(struct load_job *job, const struct load_world *world);
cosm_result cosmi_load_make_ids(struct load_job *job, struct load_world *world);

// Finds out which tables of a world become one. To be ended, also on failure.
cosm_result cosmi_load_merge(struct load_job *job, struct load_world *world);
void cosmi_load_merge_end(struct load_job *job, struct load_world *world);

// Words about groups whose tables were merged: they are numbered in their order.
cosm_result cosmi_load_merge_groups(struct load_job *job, struct load_world *world);

// The image of a world; checked. NULL, with a message, on failure.
struct world_image *cosmi_load_image(struct load_job *job, struct load_world *world);

// A part with that head, whose counts are yet to be filled in; the world has it from now on. NULL,
// with a message, when out of memory.
struct part *cosmi_load_part(struct load_job *job, struct part *head, struct load_world *world);

// Reads the parts that are neither ids nor tables. COSM_ERROR_FORMAT, without a message, where the
// reader has failed; other failures have one.
cosm_result cosmi_load_read_parts(struct load_job *job, struct load_world *world);
void cosmi_load_parts_free(struct load_job *job, struct load_world *world);

// Says in the slots of objects who owns them: those rows of the tables that have the tickets. What
// is wrong with them is found when the image is checked.
void cosmi_load_own_slots(const struct load_world *world, const struct part *managed);

struct load_value cosmi_load_read_value(struct load_job *job, uint32_t type);

// The archetype of a set, formed where there is none. NULL, with a message, on failure.
struct archetype *cosmi_load_archetype(struct load_job *job, struct load_set *set);

// A value of the file as an object of the engine's type. NULL, with a message, on failure.
struct object *cosmi_load_object(struct load_job *job, uint32_t type, struct load_value value);

// A value of the file as bytes of the engine's type, in job->new_values. NULL, with a message, on
// failure.
const void *cosmi_load_plain(struct load_job *job, uint32_t type, struct load_value value);

// Room of at least `size` bytes. On failure there is a message.
bool cosmi_load_room(struct load_job *job, struct load_scratch *scratch, size_t size);

static inline cosm_result load_fail_memory(const struct load_job *job) {
    return cosmi_fail_memory(job->order->sink, job->order->memory, job->order->call);
}

// Where a value of a column lies.
static inline const unsigned char *load_cell(const struct load_column *column, uint32_t row) {
    const struct load_stretch *stretch = &column->stretches[row / column->stretch_rows];
    return stretch->bytes + (size_t)(row % column->stretch_rows) * column->size;
}

#endif
