// Reading a patch: tables that differ. Chunks that it does not speak of are those of the image
// before.
#include <stdlib.h>
#include <string.h>

#include "state/patch.h"

// A table on its way.
struct patch_table {
    struct patch_in *patch;
    const struct patch_archetype *entry;
    const struct table_image *before; // NULL: it is new
    struct table_image *table;
};

// Copies what the image before has of a column of a chunk; zeroes behind it.
static void patch_keep_rows(const struct patch_table *build, uint32_t chunk, uint32_t column,
                            char *cells, uint32_t rows) {
    size_t size = image_column_size(build->table->archetype, column);
    uint32_t kept = 0;
    if (build->before != NULL && chunk < build->before->chunk_count) {
        kept = image_chunk_rows(build->before, chunk);
        kept = kept < rows ? kept : rows;
        memcpy(cells, cosmi_image_column(build->before, chunk, column), kept * size);
    }
    memset(cells + kept * size, 0, (rows - kept) * size);
}

// The one piece of a small table.
static void patch_open_packed(struct patch_table *build) {
    struct table_image *table = build->table;
    const struct archetype *archetype = table->archetype;
    size_t size = cosmi_packed_size(archetype, table->count);
    struct piece *piece = cosmi_piece_create(build->patch->book->memory, size);
    if (piece == NULL) {
        build->patch->no_memory = true;
        return;
    }
    memset(piece_fill(piece), 0, size);
    table->pieces[0] = piece;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        if (image_column_size(archetype, c) > 0) {
            patch_keep_rows(build, 0, c, cosmi_image_fill(table, 0, c), table->count);
        }
    }
}

// A column of a chunk that can be written to. NULL when out of memory.
static char *patch_open_cells(struct patch_table *build, uint32_t chunk, uint32_t column) {
    struct table_image *table = build->table;
    if (!table->is_packed) {
        struct piece **piece =
            &table->pieces[(size_t)chunk * table->archetype->column_count + column];
        if (*piece == NULL) {
            uint32_t rows = image_chunk_rows(table, chunk);
            *piece = cosmi_piece_create(build->patch->book->memory,
                                        rows * image_column_size(table->archetype, column));
            if (*piece == NULL) {
                build->patch->no_memory = true;
                return NULL;
            }
            patch_keep_rows(build, chunk, column, piece_fill(*piece), rows);
        }
    }
    return cosmi_image_fill(table, chunk, column);
}

// Pieces that nothing was written to are those of the image before.
static void patch_finish_table(struct patch_table *build) {
    struct table_image *table = build->table;
    const struct table_image *before = build->before;
    uint32_t columns = table->archetype->column_count;
    for (uint32_t i = 0; i < table->piece_count && !table->is_packed; i++) {
        uint32_t chunk = i / columns;
        if (table->pieces[i] != NULL || image_column_size(table->archetype, i % columns) == 0) {
            continue;
        }
        if (before != NULL && !before->is_packed && chunk < before->chunk_count &&
            image_chunk_rows(before, chunk) == image_chunk_rows(table, chunk)) {
            table->pieces[i] = piece_keep(before->pieces[i]);
        } else if (patch_open_cells(build, chunk, i % columns) == NULL) {
            return;
        }
    }
}

// Rows of a lane that lie in one chunk.
static void patch_put_rows(struct patch_table *build, const struct patch_lane *lane, uint32_t first,
                           uint32_t count, const char *packed) {
    const struct archetype *archetype = build->table->archetype;
    uint32_t chunk = first / archetype->chunk_rows;
    for (uint32_t m = 0; m < lane->move_count; m++) {
        const struct patch_move *move = &lane->moves[m];
        size_t stride = archetype->sizes[move->column];
        char *cells = patch_open_cells(build, chunk, move->column);
        if (cells == NULL) {
            return;
        }
        cells += (first % archetype->chunk_rows) * stride;
        if (lane->is_dense) {
            memcpy(cells, packed, count * stride);
            return;
        }
        for (uint32_t i = 0; i < count; i++) {
            memcpy(cells + i * stride + move->at, packed + (size_t)i * lane->row_size + move->from,
                   move->size);
        }
    }
}

// Handles of rows; the records of those ids follow from them.
static void patch_read_handles(struct patch_table *build, uint32_t first, uint32_t count) {
    struct patch_in *patch = build->patch;
    uint32_t chunk_rows = build->table->archetype->chunk_rows;
    uint32_t number = table_image_number(build->table);
    uint32_t expected = 0;
    for (uint32_t row = first; row < first + count && !patch_in_failed(patch); row++) {
        uint32_t id = expected + unzigzag(cosmi_read_short_max(&patch->in, UINT32_MAX));
        cosm_entity entity = {cosmi_read_short_max(&patch->in, UINT32_MAX), id};
        char *cells = patch_open_cells(build, row / chunk_rows, ENTITY_COLUMN);
        if (cells == NULL) {
            return;
        }
        memcpy(cells + (row % chunk_rows) * sizeof(entity), &entity, sizeof(entity));
        cosmi_patch_set_record(patch, id, (struct record){entity.gen, number, row});
        expected = id + 1;
    }
}

// Rows of a lane. The caller has seen that the table has them.
static void patch_read_rows(struct patch_table *build, const struct patch_lane *lane,
                            uint32_t first, uint32_t count) {
    struct patch_in *patch = build->patch;
    uint32_t chunk_rows = build->table->archetype->chunk_rows;
    if (lane->is_entity) {
        patch_read_handles(build, first, count);
        return;
    }
    while (count > 0 && !patch_in_failed(patch)) {
        uint32_t here = chunk_rows - first % chunk_rows;
        here = here < count ? here : count;
        const char *packed = cosmi_read_bytes(&patch->in, (size_t)here * lane->row_size);
        if (packed != NULL) {
            patch_put_rows(build, lane, first, here, packed);
        }
        first += here;
        count -= here;
    }
}

// The runs of a lane, within the rows that both images have.
static void patch_read_lane(struct patch_table *build, const struct patch_lane *lane,
                            uint32_t common) {
    struct patch_in *patch = build->patch;
    uint32_t row = 0;
    while (!patch_in_failed(patch)) {
        uint32_t length = cosmi_read_short_max(&patch->in, common);
        if (length == 0) {
            break;
        }
        uint32_t gap = cosmi_read_short_max(&patch->in, common);
        if (gap > common - row || length > common - row - gap) {
            patch_in_fault(patch, "it has rows past the end of a table");
            break;
        }
        patch_read_rows(build, lane, row + gap, length);
        row += gap + length;
    }
}

static void patch_read_lanes(struct patch_table *build) {
    struct patch_in *patch = build->patch;
    uint32_t kept = build->before == NULL ? 0 : build->before->count;
    uint32_t count = build->table->count;
    uint32_t next = 0;
    while (build->before != NULL && !patch_in_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, build->entry->lane_count);
        if (gap == 0) {
            break;
        }
        next += gap;
        if (next > build->entry->lane_count) {
            patch_in_fault(patch, "it has a column that the table does not have");
            break;
        }
        patch_read_lane(build, &build->entry->lanes[next - 1], kept < count ? kept : count);
    }
    for (uint32_t i = 0; i < build->entry->lane_count && count > kept; i++) {
        patch_read_rows(build, &build->entry->lanes[i], kept, count - kept);
    }
}

// A shared value that is like one of a table before.
static struct object *patch_read_object(struct patch_in *patch, const struct value_type *type) {
    uint32_t number = cosmi_read_short_max(&patch->in, UINT32_MAX);
    uint32_t group = cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (patch->in.failed || number >= patch->book->archetype_count) {
        return NULL;
    }
    const struct archetype *archetype = patch->book->archetypes[number].archetype;
    uint32_t slot = archetype_shared_slot(archetype, type->id);
    const struct table_image *table = group > GROUP_NONE - GROUP_FIRST
                                          ? NULL
                                          : cosmi_image_table(patch->before, GROUP_FIRST + group);
    return table == NULL || table->archetype != archetype || slot == archetype->shared_count
               ? NULL
               : object_keep(table->shared[slot]);
}

static struct object *patch_read_value(struct patch_in *patch, const struct patch_word *word) {
    if (!cosmi_patch_is_plain(word->type)) {
        return patch_read_object(patch, word->type);
    }
    const void *packed = cosmi_read_bytes(&patch->in, word->packed_size);
    struct object *object =
        packed == NULL ? NULL : cosmi_object_create(patch->book->memory, word->type);
    patch->no_memory = patch->no_memory || (packed != NULL && object == NULL);
    if (object != NULL) {
        memset(object->bytes, 0, word->type->size);
        cosmi_patch_unpack(word, packed, object->bytes);
    }
    return object;
}

// What the rows of a group share.
static void patch_read_values(struct patch_table *build) {
    struct patch_in *patch = build->patch;
    struct table_image *table = build->table;
    const struct archetype *archetype = table->archetype;
    if (build->before != NULL && cosmi_read_u8(&patch->in) == 0) {
        for (uint32_t i = 0; i < archetype->shared_count; i++) {
            table->shared[i] = object_keep(build->before->shared[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < build->entry->part_count && !patch_in_failed(patch); i++) {
        const struct patch_word *word = &patch->book->words[build->entry->parts[i].word];
        if (word->type->storage == COSM_STORAGE_SHARED) {
            uint32_t slot = archetype_shared_slot(archetype, word->type->id);
            table->shared[slot] = patch_read_value(patch, word);
            if (table->shared[slot] == NULL && !patch->no_memory) {
                patch_in_fault(patch, "it has no value for a shared component");
            }
        }
    }
}

// Where tables before are, by number.
struct patch_place {
    uint32_t number;
    uint32_t index;
};

static int patch_compare_places(const void *a, const void *b) {
    const struct patch_place *x = a;
    const struct patch_place *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

// The index of a table before; table_count where there is none.
static uint32_t patch_find_before(const struct patch_in *patch, const struct patch_place *places,
                                  const struct archetype *archetype, uint32_t group) {
    uint32_t count = patch->before->table_count;
    struct patch_place key = {group == GROUP_NONE ? archetype->id : GROUP_FIRST + group, 0};
    const struct patch_place *found =
        count == 0 ? NULL : bsearch(&key, places, count, sizeof(key), patch_compare_places);
    return found != NULL && patch->before->tables[found->index]->archetype == archetype
               ? found->index
               : count;
}

static uint32_t patch_read_group_number(struct patch_in *patch,
                                        const struct patch_archetype *entry) {
    if (entry->shared_count == 0) {
        return GROUP_NONE;
    }
    uint32_t group = cosmi_read_short_max(&patch->in, GROUP_NONE - 1);
    if (group > GROUP_NONE - 1 - GROUP_FIRST) {
        patch_in_fault(patch, "it has a group number that is too high");
    }
    return group;
}

// One table: in the place of the one before, or behind all others.
static void patch_read_table(struct patch_in *patch, const struct patch_place *places,
                             uint32_t *io_count) {
    uint32_t number = cosmi_read_short_max(&patch->in, UINT32_MAX);
    if (patch->in.failed || number >= patch->book->archetype_count) {
        patch_in_fault(patch, "it names an archetype that it does not list");
        return;
    }
    const struct patch_archetype *entry = &patch->book->archetypes[number];
    uint32_t group = patch_read_group_number(patch, entry);
    uint32_t count = cosmi_read_short_max(&patch->in, COSM_TABLE_ROW_MAX);
    uint32_t index = patch_find_before(patch, places, entry->archetype, group);
    bool is_new = index == patch->before->table_count;
    const struct table_image *before = is_new ? NULL : patch->before->tables[index];
    uint32_t kept = is_new ? 0 : before->count;
    struct table_image **out = &patch->image->tables[is_new ? *io_count : index];
    if (patch_in_failed(patch) || (count == 0 && is_new) || (!is_new && *out != before) ||
        (count > kept && (count - kept) * (uint64_t)entry->row_bytes > reader_left(&patch->in))) {
        patch_in_fault(patch, "it has a table twice, or one with more rows than bytes");
        return;
    }
    struct table_image *table =
        count == 0 ? NULL
                   : cosmi_table_image_create(patch->book->memory, entry->archetype, count, false);
    patch->no_memory = count > 0 && table == NULL;
    if (patch->no_memory) {
        return;
    }
    *io_count += is_new;
    struct patch_table build = {patch, entry, before, table};
    if (table != NULL) {
        table->group = group;
        if (table->is_packed) {
            patch_open_packed(&build);
        }
        if (!patch_in_failed(patch) && entry->shared_count > 0) {
            patch_read_values(&build);
        }
        if (!patch_in_failed(patch)) {
            patch_read_lanes(&build);
        }
        if (!patch_in_failed(patch)) {
            patch_finish_table(&build);
        }
    }
    cosmi_table_image_give(patch->book->memory, *out); // what was kept of it
    *out = table;
}

// All tables before are in the image to begin with.
static void patch_keep_tables(struct patch_in *patch, struct patch_place *places) {
    for (uint32_t i = 0; i < patch->before->table_count; i++) {
        struct table_image *table = patch->before->tables[i];
        atomic_fetch_add_explicit(&table->refs, 1, memory_order_relaxed);
        patch->image->tables[i] = table;
        places[i] = (struct patch_place){table_image_number(table), i};
    }
    qsort(places, patch->before->table_count, sizeof(*places), patch_compare_places);
}

void cosmi_patch_read_tables(struct patch_in *patch, uint32_t count) {
    struct memory *memory = patch->book->memory;
    size_t size = ((size_t)patch->before->table_count + 1) * sizeof(struct patch_place);
    struct patch_place *places = cosmi_memory_take(memory, size, _Alignof(struct patch_place));
    if (places == NULL) {
        patch->no_memory = true;
        return;
    }
    patch_keep_tables(patch, places);
    uint32_t end = patch->before->table_count;
    for (uint32_t i = 0; i < count && !patch_in_failed(patch); i++) {
        patch_read_table(patch, places, &end);
    }
    cosmi_memory_give(memory, places, size, _Alignof(struct patch_place));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < end; i++) {
        if (patch->image->tables[i] != NULL) {
            patch->image->tables[kept++] = patch->image->tables[i];
        }
    }
    patch->image->table_count = kept;
}
