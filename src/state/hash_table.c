// Hashes of tables: of the chunks of a column, in their order; and of what each row has, added up.
#include "base/hash.h"
#include "state/hash.h"
#include "state/hash_values.h"

// By whose powers the chunks of a column are told apart; odd, so that none is lost.
#define CHUNK_FACTOR 0x9E3779B97F4A7C15u

// A chunk of a table.
struct chunk_view {
    const struct hash_view *view;
    const struct table_view *table;
    uint32_t chunk;
    uint32_t rows;
};

static uint32_t chunk_count_of(const struct table_view *table) {
    return (table->count - 1) / table->archetype->chunk_rows + 1;
}

static struct chunk_view chunk_of(const struct hash_view *view, const struct table_view *table,
                                  uint32_t chunk) {
    uint32_t rows = table->archetype->chunk_rows;
    uint32_t left = table->count - chunk * rows;
    return (struct chunk_view){view, table, chunk, left < rows ? left : rows};
}

// Is this the first column of something that counts?
static bool column_counts(const struct archetype *archetype, uint32_t column) {
    const struct column_info *info = &archetype->columns[column];
    return info->part == 0 && !info->is_ticks && archetype->sizes[column] > 0;
}

static const struct value_type *column_type(const struct hash_view *view,
                                            const struct column_info *info) {
    return schema_component(view->schema, info->component);
}

// What a column stands for.
static uint64_t column_meaning(const struct hash_view *view, const struct archetype *archetype,
                               uint32_t column) {
    return column == ENTITY_COLUMN ? FACT_ENTITY
                                   : column_type(view, &archetype->columns[column])->hash;
}

static uint32_t column_parts(const struct archetype *archetype, uint32_t column) {
    uint32_t parts = archetype->columns[column].part_count;
    return parts == 0 ? 1 : parts;
}

// The blobs of a column in a chunk of an image that has some.
static struct blob *const *column_blobs(const struct chunk_view *chunk, uint32_t column) {
    const struct part *image = chunk->table->image;
    return image->blobs + (size_t)chunk->chunk * image->archetype->column_count + column;
}

static uint64_t *column_note(const struct chunk_view *chunk, uint32_t column, enum hash_note note) {
    size_t at = (size_t)chunk->chunk * chunk->table->archetype->column_count + column;
    return &chunk->table->notes->hashes[2 * at + note];
}

// Is the hash of a column in a chunk known? Of a split component it is noted with each part, which
// may have come together anew: only where all of them say the same is it the hash of all of them.
static bool column_knows(const struct chunk_view *chunk, uint32_t column, enum hash_note note,
                         uint64_t check, uint64_t *out_hash) {
    const struct table_view *table = chunk->table;
    if (table->notes != NULL) {
        *out_hash = *column_note(chunk, column, note);
        return *out_hash != 0;
    }
    if (table->image == NULL || table_is_packed(table->archetype, table->count)) {
        return false;
    }
    struct blob *const *blobs = column_blobs(chunk, column);
    bool known = blob_knows(blobs[0], note, check, out_hash);
    for (uint32_t i = 1; known && i < column_parts(table->archetype, column); i++) {
        uint64_t other;
        known = blob_knows(blobs[i], note, check, &other) && other == *out_hash;
    }
    return known;
}

static void note_column(const struct chunk_view *chunk, uint32_t column, enum hash_note note,
                        uint64_t check, uint64_t hash) {
    const struct table_view *table = chunk->table;
    if (table->notes != NULL) {
        *column_note(chunk, column, note) = hash;
    } else if (table->image != NULL && !table_is_packed(table->archetype, table->count)) {
        struct blob *const *blobs = column_blobs(chunk, column);
        for (uint32_t i = 0; i < column_parts(table->archetype, column); i++) {
            blob_note(blobs[i], note, check, hash);
        }
    }
}

// The object of a row of a column of tickets.
static uint64_t hash_ticket(const struct hash_view *view, const struct value_type *type,
                            const cosm_ticket *ticket) {
    const void *object = cosmi_view_object(view, type, ticket->id);
    return object == NULL ? hash_u64(type->hash, FACT_ABSENT) : cosmi_hash_value(type, object);
}

// The columns of a component in a chunk.
static struct cells cells_of(const struct chunk_view *chunk, uint32_t column,
                             const void *columns[COSM_FIELD_MAX]) {
    const struct archetype *archetype = chunk->table->archetype;
    const struct column_info *info = &archetype->columns[column];
    for (uint32_t i = 0; i < column_parts(archetype, column); i++) {
        columns[i] = cosmi_view_column(chunk->view, chunk->table, chunk->chunk, column + i);
    }
    return (struct cells){column_type(chunk->view, info), info, columns};
}

// The objects of the rows of a chunk.
static uint64_t hash_tickets(const struct chunk_view *chunk, const struct cells *cells) {
    const cosm_ticket *tickets = cells->columns[0];
    uint64_t hash = 0;
    for (uint32_t i = 0; i < chunk->rows; i++) {
        hash = hash_u64(hash, hash_ticket(chunk->view, cells->type, &tickets[i]));
    }
    return hash;
}

// The rows of a column in a chunk, in their order.
static uint64_t read_column_chunk(const struct chunk_view *chunk, uint32_t column) {
    const void *columns[COSM_FIELD_MAX];
    struct cells cells = cells_of(chunk, column, columns);
    if (column == ENTITY_COLUMN) {
        return cosmi_hash_bytes(0, columns[0], chunk->rows * sizeof(cosm_entity));
    }
    return chunk->table->archetype->columns[column].managed != NULL
               ? hash_tickets(chunk, &cells)
               : cosmi_hash_cells(&cells, chunk->rows);
}

// The same, where it is known, without looking. Objects are asked anew each time.
static uint64_t hash_column_chunk(const struct chunk_view *chunk, uint32_t column) {
    const struct archetype *archetype = chunk->table->archetype;
    if (archetype->columns[column].managed != NULL) {
        return read_column_chunk(chunk, column);
    }
    // A hasher's notes need no check.
    uint64_t check =
        chunk->table->notes != NULL ? 0 : column_meaning(chunk->view, archetype, column);
    uint64_t hash;
    if (!column_knows(chunk, column, NOTE_EXACT, check, &hash)) {
        hash = read_column_chunk(chunk, column);
        note_column(chunk, column, NOTE_EXACT, check, hash);
    }
    return hash;
}

static uint64_t hash_column(const struct hash_view *view, const struct table_view *table,
                            uint32_t column) {
    const struct archetype *archetype = table->archetype;
    uint64_t sum = 0;
    uint64_t factor = 1;
    for (uint32_t c = 0; c < chunk_count_of(table); c++, factor *= CHUNK_FACTOR) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += factor * hash_column_chunk(&chunk, column);
    }
    return hash_u64(column_meaning(view, archetype, column), sum);
}

static uint64_t hash_signature(const struct hash_view *view, const struct archetype *archetype) {
    uint64_t sum = archetype->temporary ? FACT_TEMPORARY : 0;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        sum += hash_mix(schema_component(view->schema, archetype->components[i])->hash);
    }
    return sum;
}

// All columns of plain bytes, or all of objects, added up.
static uint64_t hash_columns(const struct hash_view *view, const struct table_view *table,
                             bool objects) {
    const struct archetype *archetype = table->archetype;
    uint64_t sum = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        if (column_counts(archetype, c) && (archetype->columns[c].managed != NULL) == objects) {
            sum += hash_column(view, table, c);
        }
    }
    return sum;
}

static uint64_t hash_shared_value(const struct hash_view *view, const struct table_view *table,
                                  uint32_t slot) {
    const struct value_type *type = schema_component(view->schema, table->archetype->shared[slot]);
    return cosmi_hash_value(type, cosmi_view_shared(table, slot));
}

// The blob of a table of an image that is one blob.
static struct blob *packed_blob(const struct table_view *table) {
    return table->image != NULL && table_is_packed(table->archetype, table->count)
               ? table->image->blobs[0]
               : NULL;
}

static uint64_t table_exact(const struct hash_view *view, const struct table_view *table) {
    const struct archetype *archetype = table->archetype;
    uint64_t signature = hash_u64(hash_signature(view, archetype), table->count);
    struct blob *packed = packed_blob(table);
    uint64_t sum = 0;
    if (packed == NULL || !blob_knows(packed, NOTE_EXACT, signature, &sum)) {
        sum = hash_columns(view, table, false);
        if (packed != NULL) {
            blob_note(packed, NOTE_EXACT, signature, sum);
        }
    }
    sum += hash_columns(view, table, true);
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        sum += hash_u64(FACT_SHARED, hash_shared_value(view, table, i));
    }
    return hash_u64(signature, sum);
}

// What stands for the handles of the rows of a chunk.
struct row_keys {
    const cosm_entity *entities; // NULL: of temporary rows, which have none
    uint64_t base;               // the rows' numbers stand for them, together with this
};

static struct row_keys keys_of(const struct chunk_view *chunk) {
    const struct archetype *archetype = chunk->table->archetype;
    if (!archetype->temporary) {
        const void *entities =
            cosmi_view_column(chunk->view, chunk->table, chunk->chunk, ENTITY_COLUMN);
        return (struct row_keys){entities, 0};
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

static uint64_t content_of_rows(const struct chunk_view *chunk, uint32_t column) {
    const struct column_info *info = &chunk->table->archetype->columns[column];
    const void *columns[COSM_FIELD_MAX];
    struct cells cells = cells_of(chunk, column, columns);
    struct row_keys keys = keys_of(chunk);
    const cosm_ticket *tickets = columns[0];
    uint64_t sum = 0;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        uint64_t value = info->managed != NULL
                             ? hash_ticket(chunk->view, info->managed, &tickets[row])
                             : cosmi_hash_cell(&cells, row);
        sum += hash_fact(row_key(&keys, row), value);
    }
    return sum;
}

// A column of a chunk by rows. What is noted depends on the handles, too.
static uint64_t content_of_column(const struct chunk_view *chunk, uint32_t column) {
    const struct archetype *archetype = chunk->table->archetype;
    if (archetype->columns[column].managed != NULL) {
        return content_of_rows(chunk, column);
    }
    uint64_t handles =
        archetype->temporary ? keys_of(chunk).base : hash_column_chunk(chunk, ENTITY_COLUMN);
    uint64_t check = hash_u64(column_meaning(chunk->view, archetype, column), handles);
    uint64_t sum = 0;
    if (!column_knows(chunk, column, NOTE_CONTENT, check, &sum)) {
        sum = content_of_rows(chunk, column);
        note_column(chunk, column, NOTE_CONTENT, check, sum);
    }
    return sum;
}

// Which entities there are, and their tags.
static uint64_t content_of_entities(const struct chunk_view *chunk) {
    const struct hash_view *view = chunk->view;
    const struct archetype *archetype = chunk->table->archetype;
    uint64_t check = hash_signature(view, archetype);
    uint64_t sum = 0;
    if (!archetype->temporary && column_knows(chunk, ENTITY_COLUMN, NOTE_CONTENT, check, &sum)) {
        return sum;
    }
    sum = content_of_all(chunk, FACT_ENTITY);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        const struct value_type *type = schema_component(view->schema, archetype->components[i]);
        if (type->storage == COSM_STORAGE_COLUMN && type->size == 0) {
            sum += content_of_all(chunk, cosmi_hash_value(type, NULL));
        }
    }
    if (!archetype->temporary) {
        note_column(chunk, ENTITY_COLUMN, NOTE_CONTENT, check, sum);
    }
    return sum;
}

// Everything of a chunk but objects and what its rows share; or these.
static uint64_t content_of_chunk(const struct chunk_view *chunk, bool is_plain) {
    const struct archetype *archetype = chunk->table->archetype;
    uint64_t sum = is_plain ? content_of_entities(chunk) : 0;
    for (uint32_t c = 1; c < archetype->column_count; c++) {
        if (column_counts(archetype, c) && (archetype->columns[c].managed == NULL) == is_plain) {
            sum += content_of_column(chunk, c);
        }
    }
    for (uint32_t i = 0; !is_plain && i < archetype->shared_count; i++) {
        sum += content_of_all(chunk, hash_shared_value(chunk->view, chunk->table, i));
    }
    return sum;
}

static uint64_t content_of_chunks(const struct hash_view *view, const struct table_view *table,
                                  bool is_plain) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < chunk_count_of(table); c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += content_of_chunk(&chunk, is_plain);
    }
    return sum;
}

static uint64_t table_content(const struct hash_view *view, const struct table_view *table) {
    struct blob *packed = packed_blob(table);
    uint64_t check =
        packed == NULL ? 0 : hash_u64(hash_signature(view, table->archetype), table->count);
    uint64_t sum = 0;
    if (packed == NULL || !blob_knows(packed, NOTE_CONTENT, check, &sum)) {
        sum = content_of_chunks(view, table, true);
        if (packed != NULL) {
            blob_note(packed, NOTE_CONTENT, check, sum);
        }
    }
    return sum + content_of_chunks(view, table, false);
}

uint64_t cosmi_hash_rows(const struct hash_view *view, const struct table_view *table,
                         cosm_hash_kind kind) {
    return kind == COSM_HASH_CONTENT ? table_content(view, table) : table_exact(view, table);
}

// What the rows of a table have of one component, in their order.
static uint64_t exact_of_component(const struct hash_view *view, const struct table_view *table,
                                   const struct value_type *type) {
    const struct archetype *archetype = table->archetype;
    const struct column_slot *slot = archetype_find(archetype, type->id);
    uint32_t shared = archetype_shared_slot(archetype, type->id);
    uint64_t hash = hash_u64(hash_signature(view, archetype), table->count);
    if (shared < archetype->shared_count) {
        return hash_u64(hash, hash_shared_value(view, table, shared));
    }
    return hash_u64(hash, slot->column == 0 ? cosmi_hash_value(type, NULL)
                                            : hash_column(view, table, slot->column));
}

static uint64_t content_of_component(const struct chunk_view *chunk,
                                     const struct value_type *type) {
    const struct archetype *archetype = chunk->table->archetype;
    const struct column_slot *slot = archetype_find(archetype, type->id);
    uint32_t shared = archetype_shared_slot(archetype, type->id);
    if (shared < archetype->shared_count) {
        return content_of_all(chunk, hash_shared_value(chunk->view, chunk->table, shared));
    }
    return slot->column == 0 ? content_of_all(chunk, cosmi_hash_value(type, NULL))
                             : content_of_column(chunk, slot->column);
}

uint64_t cosmi_hash_rows_component(const struct hash_view *view, const struct table_view *table,
                                   const struct value_type *type, cosm_hash_kind kind) {
    if (archetype_find(table->archetype, type->id) == NULL) {
        return 0;
    }
    if (kind != COSM_HASH_CONTENT) {
        return exact_of_component(view, table, type);
    }
    uint64_t sum = 0;
    for (uint32_t c = 0; c < chunk_count_of(table); c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += content_of_component(&chunk, type);
    }
    return sum;
}
