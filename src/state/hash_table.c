// Hashes of tables: exact ones, of the chunks of a column in their order; and content, what each
// row has, added up.
//
// Both go chunk by chunk and column by column, and what they find is noted: by a hasher in a world
// that lives, in the blobs of an image (state/hash_notes.h). A table of an image that is one blob
// has one note for all its columns. Objects and shared values are asked anew each time, so they are
// kept out of what is noted: that is the argument `objects` below.
#include "base/hash.h"
#include "state/hash.h"

// By whose powers the chunks of a column are told apart; odd, so that none is lost.
#define CHUNK_FACTOR 0x9E3779B97F4A7C15u

// A chunk of a table.
struct chunk_view {
    const struct view *view;
    const struct part_view *table;
    const struct archetype *archetype;
    uint32_t chunk;
    uint32_t rows;
};

static struct chunk_view chunk_of(const struct view *view, const struct part_view *table,
                                  uint32_t chunk) {
    return (struct chunk_view){view, table, table->part->archetype, chunk,
                               table_chunk_rows(table->part, chunk)};
}

// Is this the first column of something that counts?
static bool column_counts(const struct archetype *archetype, uint32_t column) {
    const struct column_info *info = &archetype->columns[column];
    return info->part == 0 && !info->is_ticks && archetype->sizes[column] > 0;
}

// What a column stands for.
static uint64_t column_meaning(const struct view *view, const struct archetype *archetype,
                               uint32_t column) {
    return column == ENTITY_COLUMN
               ? FACT_ENTITY
               : schema_component(view->schema, archetype->columns[column].component)->hash;
}

// The blob of a table of an image that is one blob, or NULL.
static struct blob *packed_blob(const struct part_view *table) {
    const struct part *part = table->part;
    return !view_lives(table) && table_is_packed(part->archetype, part->table.count)
               ? part->blobs[0]
               : NULL;
}

typedef uint64_t column_fn(const struct chunk_view *chunk, uint32_t column);

// What `read` says of a column in a chunk, from a note where there is one; else it is noted. Of a
// split component it is noted with each part. Parts may have come together anew: only where all of
// them say the same is it the hash of all of them.
static uint64_t note_column(const struct chunk_view *chunk, uint32_t column, enum hash_note note,
                            uint64_t check, column_fn *read) {
    const struct part_view *table = chunk->table;
    size_t at = (size_t)chunk->chunk * chunk->archetype->column_count + column;
    uint64_t hash = 0;
    if (table->notes != NULL) {
        uint64_t *known = &table->notes[2 * at + note]; // a hasher's notes need no check
        *known = *known == 0 ? read(chunk, column) : *known;
        return *known;
    }
    if (view_lives(table) || packed_blob(table) != NULL) {
        return read(chunk, column);
    }
    struct blob *const *blobs = table->part->blobs + at;
    uint32_t parts = chunk->archetype->columns[column].part_count;
    bool known = blob_knows(blobs[0], note, check, &hash);
    for (uint32_t i = 1; known && i < parts; i++) {
        uint64_t other;
        known = blob_knows(blobs[i], note, check, &other) && other == hash;
    }
    if (!known) {
        hash = read(chunk, column);
        for (uint32_t i = 0; i == 0 || i < parts; i++) {
            blob_note(blobs[i], note, check, hash);
        }
    }
    return hash;
}

// The list of the objects that the tickets of a type name; without a part where there are none.
static void find_objects(const struct view *view, const struct value_type *type,
                         struct part_view *out_list, struct part *head) {
    *out_list = (struct part_view){.part = NULL};
    (void)cosmi_view_find(view, PART_MANAGED, type->managed_number, out_list, head);
}

static uint64_t hash_ticket(const struct view *view, const struct value_type *type,
                            const struct part_view *list, cosm_ticket ticket) {
    const void *object = list->part == NULL ? NULL : cosmi_view_object(view, list, ticket.id - 1);
    return object == NULL ? hash_u64(type->hash, FACT_ABSENT) : cosmi_hash_value(type, object);
}

// The rows of a column in a chunk, in their order.
static uint64_t exact_of_rows(const struct chunk_view *chunk, uint32_t column) {
    const void *columns[COSM_FIELD_MAX];
    const struct value_type *managed = chunk->archetype->columns[column].managed;
    struct cells cells = cosmi_view_cells(chunk->view, chunk->table, chunk->chunk, column, columns);
    if (column == ENTITY_COLUMN) {
        return cosmi_hash_bytes(0, columns[0], chunk->rows * sizeof(cosm_entity));
    }
    if (managed == NULL) {
        return cosmi_hash_cells(&cells, chunk->rows);
    }
    struct part head;
    struct part_view list;
    const cosm_ticket *tickets = columns[0];
    uint64_t hash = 0;
    find_objects(chunk->view, managed, &list, &head);
    for (uint32_t i = 0; i < chunk->rows; i++) {
        hash = hash_u64(hash, hash_ticket(chunk->view, managed, &list, tickets[i]));
    }
    return hash;
}

static uint64_t exact_of_chunk(const struct chunk_view *chunk, uint32_t column) {
    uint64_t check = column_meaning(chunk->view, chunk->archetype, column);
    return chunk->archetype->columns[column].managed != NULL
               ? exact_of_rows(chunk, column)
               : note_column(chunk, column, NOTE_EXACT, check, exact_of_rows);
}

static uint64_t exact_of_column(const struct view *view, const struct part_view *table,
                                uint32_t column) {
    uint64_t sum = 0;
    uint64_t factor = 1;
    for (uint32_t c = 0; c < table_chunks(table->part); c++, factor *= CHUNK_FACTOR) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += factor * exact_of_chunk(&chunk, column);
    }
    return hash_u64(column_meaning(view, table->part->archetype, column), sum);
}

static uint64_t hash_signature(const struct view *view, const struct archetype *archetype) {
    uint64_t sum = archetype->temporary ? FACT_TEMPORARY : 0;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        sum += hash_mix(schema_component(view->schema, archetype->components[i])->hash);
    }
    return sum;
}

// The value that the rows of a table share.
static uint64_t hash_shared_value(const struct view *view, const struct part_view *table,
                                  uint32_t slot) {
    uint32_t component = table->part->archetype->shared[slot];
    return cosmi_hash_value(schema_component(view->schema, component),
                            cosmi_view_object(view, table, slot));
}

// All columns of plain bytes, or all objects and shared values, added up.
static uint64_t exact_of_columns(const struct view *view, const struct part_view *table,
                                 bool objects) {
    const struct archetype *archetype = table->part->archetype;
    uint64_t sum = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        if (column_counts(archetype, c) && (archetype->columns[c].managed != NULL) == objects) {
            sum += exact_of_column(view, table, c);
        }
    }
    for (uint32_t i = 0; objects && i < archetype->shared_count; i++) {
        sum += hash_u64(FACT_SHARED, hash_shared_value(view, table, i));
    }
    return sum;
}

// What stands for the handles of the rows of a chunk.
struct row_keys {
    const cosm_entity *entities; // NULL: of temporary rows, which have none
    uint64_t base;               // the rows' numbers stand for them, together with this
};

static struct row_keys keys_of(const struct chunk_view *chunk) {
    const struct archetype *archetype = chunk->archetype;
    if (!archetype->temporary) {
        return (struct row_keys){
            cosmi_view_column(chunk->view, chunk->table, chunk->chunk, ENTITY_COLUMN), 0};
    }
    uint64_t base = hash_mix(hash_signature(chunk->view, archetype));
    return (struct row_keys){NULL, base + (uint64_t)chunk->chunk * archetype->chunk_rows};
}

static uint64_t row_key(const struct row_keys *keys, uint32_t row) {
    return keys->entities == NULL ? keys->base + row : entity_key(keys->entities[row]);
}

// What every row of the chunk has, the same for all.
static uint64_t content_of_all(const struct chunk_view *chunk, uint64_t value) {
    struct row_keys keys = keys_of(chunk);
    uint64_t sum = 0;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        sum += hash_fact(row_key(&keys, row), value);
    }
    return sum;
}

// Which entities there are, and their tags.
static uint64_t content_of_entities(const struct chunk_view *chunk) {
    const struct archetype *archetype = chunk->archetype;
    uint64_t sum = content_of_all(chunk, FACT_ENTITY);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        const struct value_type *type =
            schema_component(chunk->view->schema, archetype->components[i]);
        if (type->storage == COSM_STORAGE_COLUMN && type->size == 0) {
            sum += content_of_all(chunk, cosmi_hash_value(type, NULL));
        }
    }
    return sum;
}

static uint64_t content_of_rows(const struct chunk_view *chunk, uint32_t column) {
    if (column == ENTITY_COLUMN) {
        return content_of_entities(chunk);
    }
    const void *columns[COSM_FIELD_MAX];
    const struct value_type *managed = chunk->archetype->columns[column].managed;
    struct cells cells = cosmi_view_cells(chunk->view, chunk->table, chunk->chunk, column, columns);
    struct row_keys keys = keys_of(chunk);
    const cosm_ticket *tickets = columns[0];
    struct part head;
    struct part_view list;
    uint64_t sum = 0;
    if (managed != NULL) {
        find_objects(chunk->view, managed, &list, &head);
    }
    for (uint32_t row = 0; row < chunk->rows; row++) {
        uint64_t value = managed != NULL ? hash_ticket(chunk->view, managed, &list, tickets[row])
                                         : cosmi_hash_cell(&cells, row);
        sum += hash_fact(row_key(&keys, row), value);
    }
    return sum;
}

// A column of a chunk by rows. What is noted depends on the handles, too.
static uint64_t content_of_column(const struct chunk_view *chunk, uint32_t column) {
    const struct archetype *archetype = chunk->archetype;
    bool is_entities = column == ENTITY_COLUMN;
    // Temporary rows have no column of handles that could have notes.
    if (archetype->columns[column].managed != NULL || (is_entities && archetype->temporary)) {
        return content_of_rows(chunk, column);
    }
    uint64_t check;
    if (is_entities) {
        check = hash_signature(chunk->view, archetype);
    } else {
        uint64_t handles =
            archetype->temporary ? keys_of(chunk).base : exact_of_chunk(chunk, ENTITY_COLUMN);
        check = hash_u64(column_meaning(chunk->view, archetype, column), handles);
    }
    return note_column(chunk, column, NOTE_CONTENT, check, content_of_rows);
}

static uint64_t content_of_chunk(const struct chunk_view *chunk, bool objects) {
    const struct archetype *archetype = chunk->archetype;
    uint64_t sum = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        bool counts = c == ENTITY_COLUMN || column_counts(archetype, c);
        if (counts && (archetype->columns[c].managed != NULL) == objects) {
            sum += content_of_column(chunk, c);
        }
    }
    for (uint32_t i = 0; objects && i < archetype->shared_count; i++) {
        sum += content_of_all(chunk, hash_shared_value(chunk->view, chunk->table, i));
    }
    return sum;
}

static uint64_t content_of_chunks(const struct view *view, const struct part_view *table,
                                  bool objects) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < table_chunks(table->part); c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += content_of_chunk(&chunk, objects);
    }
    return sum;
}

uint64_t cosmi_hash_rows(const struct view *view, const struct part_view *table,
                         cosm_hash_kind kind) {
    bool is_content = kind == COSM_HASH_CONTENT;
    enum hash_note note = is_content ? NOTE_CONTENT : NOTE_EXACT;
    uint64_t (*hash)(const struct view *, const struct part_view *, bool) =
        is_content ? content_of_chunks : exact_of_columns;
    uint64_t signature =
        hash_u64(hash_signature(view, table->part->archetype), table->part->table.count);
    struct blob *packed = packed_blob(table);
    uint64_t sum = 0;
    if (!blob_knows(packed, note, signature, &sum)) {
        sum = hash(view, table, false);
        blob_note(packed, note, signature, sum);
    }
    sum += hash(view, table, true);
    return is_content ? sum : hash_u64(signature, sum);
}

uint64_t cosmi_hash_rows_component(const struct view *view, const struct part_view *table,
                                   const struct value_type *type, cosm_hash_kind kind) {
    const struct archetype *archetype = table->part->archetype;
    const struct column_slot *slot = archetype_find(archetype, type->id);
    if (slot == NULL) {
        return 0;
    }
    uint32_t shared = archetype_shared_slot(archetype, type->id);
    bool is_shared = shared < archetype->shared_count;
    bool is_same = is_shared || slot->column == 0; // for all rows
    uint64_t value = is_shared ? hash_shared_value(view, table, shared)
                     : is_same ? cosmi_hash_value(type, NULL)
                               : 0;
    if (kind != COSM_HASH_CONTENT) {
        uint64_t signature = hash_u64(hash_signature(view, archetype), table->part->table.count);
        return hash_u64(signature, is_same ? value : exact_of_column(view, table, slot->column));
    }
    uint64_t sum = 0;
    for (uint32_t c = 0; c < table_chunks(table->part); c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += is_same ? content_of_all(&chunk, value) : content_of_column(&chunk, slot->column);
    }
    return sum;
}
