// Writing a patch: the tables of a world that differ, lane by lane and run by run.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "state/patch.h"

// Rows of a lane, which end within one chunk, at the end of the bytes.
static void patch_write_chunk_rows(struct byte_writer *out, const struct patch_lane *lane,
                                   const struct table_image *table, uint32_t first,
                                   uint32_t count) {
    uint32_t chunk_rows = table->archetype->chunk_rows;
    uint32_t column = lane->moves[0].column;
    size_t stride = table->archetype->sizes[column];
    const char *cells = cosmi_image_column(table, first / chunk_rows, column);
    cells += (first % chunk_rows) * stride;
    if (lane->is_dense) {
        cosmi_write_bytes(out, cells, count * stride);
        return;
    }
    char *room = cosmi_write_room(out, (size_t)count * lane->row_size);
    for (uint32_t i = 0; i < count && room != NULL; i++) {
        for (uint32_t m = 0; m < lane->move_count; m++) {
            const struct patch_move *move = &lane->moves[m];
            memcpy(room + move->from, cells + move->at, move->size);
        }
        room += lane->row_size;
        cells += stride;
    }
}

// Handles: how far the id is from the one behind the last, and the generation.
static void patch_write_handles(struct byte_writer *out, const struct table_image *table,
                                uint32_t first, uint32_t count) {
    uint32_t chunk_rows = table->archetype->chunk_rows;
    uint32_t expected = 0;
    for (uint32_t row = first; row < first + count; row++) {
        const cosm_entity *cells = cosmi_image_column(table, row / chunk_rows, ENTITY_COLUMN);
        cosm_entity entity = cells[row % chunk_rows];
        cosmi_write_short(out, zigzag(entity.id - expected));
        cosmi_write_short(out, entity.gen);
        expected = entity.id + 1;
    }
}

static void patch_write_rows(struct byte_writer *out, const struct patch_lane *lane,
                             const struct table_image *table, uint32_t first, uint32_t count) {
    uint32_t chunk_rows = table->archetype->chunk_rows;
    if (lane->is_entity) {
        patch_write_handles(out, table, first, count);
        return;
    }
    while (count > 0) {
        uint32_t here = chunk_rows - first % chunk_rows;
        here = here < count ? here : count;
        patch_write_chunk_rows(out, lane, table, first, here);
        first += here;
        count -= here;
    }
}

// A lane on its way: the run of rows that differ which is open, and where the last one ended.
struct patch_runs {
    struct byte_writer *out;
    const struct patch_lane *lane;
    const struct table_image *table;
    uint32_t number;   // of the lane
    uint32_t *io_lane; // the lane behind the last one that was written
    uint32_t end;      // of the last run
    uint32_t first;    // of the open run
    uint32_t length;   // 0: none is open
    bool is_begun;
};

static void patch_close_run(struct patch_runs *runs) {
    if (runs->length == 0) {
        return;
    }
    if (!runs->is_begun) {
        cosmi_write_short(runs->out, (uint64_t)(runs->number - *runs->io_lane) + 1);
        *runs->io_lane = runs->number + 1;
        runs->is_begun = true;
    }
    cosmi_write_short(runs->out, runs->length);
    cosmi_write_short(runs->out, runs->first - runs->end);
    patch_write_rows(runs->out, runs->lane, runs->table, runs->first, runs->length);
    runs->end = runs->first + runs->length;
    runs->length = 0;
}

static bool patch_is_row_same(const struct patch_lane *lane, const char *a, const char *b) {
    bool same = true;
    for (uint32_t m = 0; m < lane->move_count && same; m++) {
        const struct patch_move *move = &lane->moves[m];
        same = memcmp(a + move->at, b + move->at, move->size) == 0;
    }
    return same;
}

// Rows that are looked at together before each is on its own.
#define SAME_ROWS 32u

static void patch_compare_chunk(struct patch_runs *runs, const char *a, const char *b,
                                uint32_t first, uint32_t count) {
    size_t stride = runs->table->archetype->sizes[runs->lane->moves[0].column];
    for (uint32_t i = 0; i < count; i++) {
        if (i % SAME_ROWS == 0 && count - i >= SAME_ROWS &&
            memcmp(a + i * stride, b + i * stride, SAME_ROWS * stride) == 0) {
            patch_close_run(runs);
            i += SAME_ROWS - 1;
        } else if (patch_is_row_same(runs->lane, a + i * stride, b + i * stride)) {
            patch_close_run(runs);
        } else {
            runs->first = runs->length == 0 ? first + i : runs->first;
            runs->length++;
        }
    }
}

static void patch_write_lane(struct patch_runs *runs, const struct table_image *before) {
    const struct table_image *after = runs->table;
    uint32_t common = before->count < after->count ? before->count : after->count;
    uint32_t chunk_rows = after->archetype->chunk_rows;
    uint32_t column = runs->lane->moves[0].column;
    for (uint32_t first = 0; first < common; first += chunk_rows) {
        const char *b = cosmi_image_column(before, first / chunk_rows, column);
        const char *a = cosmi_image_column(after, first / chunk_rows, column);
        if (a == b) {
            patch_close_run(runs);
        } else {
            patch_compare_chunk(runs, b, a, first,
                                common - first < chunk_rows ? common - first : chunk_rows);
        }
    }
    patch_close_run(runs);
    if (runs->is_begun) {
        cosmi_write_short(runs->out, 0);
    }
}

// Which table of the image before has an object like this: it stands for it.
static cosm_result patch_write_object(const struct patch_out *patch, const struct object *object) {
    for (uint32_t t = 0; t < patch->before->table_count; t++) {
        const struct table_image *table = patch->before->tables[t];
        uint32_t slot = archetype_shared_slot(table->archetype, object->type->id);
        if (slot < table->archetype->shared_count &&
            cosmi_patch_same_object(table->shared[slot], object)) {
            uint32_t number = cosmi_patch_archetype(patch->book, table->archetype);
            cosmi_write_short(patch->out, number);
            cosmi_write_short(patch->out, table->group);
            return number == PATCH_NONE ? COSM_ERROR_MEMORY : COSM_OK;
        }
    }
    return cosmi_fail(patch->book->sink, COSM_ERROR_ARGUMENT,
                      "%s: world %u has a new object of component '%s', which cannot be copied as "
                      "bytes; use a save file with cosm_save_object",
                      patch->book->call, patch->world, object->type->name);
}

static bool patch_are_values_same(const struct table_image *before,
                                  const struct table_image *after) {
    bool is_same = before != NULL;
    for (uint32_t i = 0; i < after->archetype->shared_count && is_same; i++) {
        is_same = cosmi_patch_same_object(before->shared[i], after->shared[i]);
    }
    return is_same;
}

// What the rows of a group share: 0, or 1 and the values in the order of the parts.
static cosm_result patch_write_values(const struct patch_out *patch, uint32_t number,
                                      const struct table_image *before,
                                      const struct table_image *after) {
    bool is_same = patch_are_values_same(before, after);
    if (before != NULL) {
        cosmi_write_u8(patch->out, !is_same);
    }
    uint32_t part_count = is_same ? 0 : patch->book->archetypes[number].part_count;
    for (uint32_t i = 0; i < part_count; i++) {
        uint32_t at = patch->book->archetypes[number].parts[i].word;
        const struct patch_word *word = &patch->book->words[at];
        if (word->type->storage != COSM_STORAGE_SHARED) {
            continue;
        }
        uint32_t slot = archetype_shared_slot(after->archetype, word->type->id);
        if (cosmi_patch_is_plain(word->type)) {
            void *room = cosmi_write_room(patch->out, word->packed_size);
            if (room != NULL) {
                cosmi_patch_pack(word, after->shared[slot]->bytes, room);
            }
        } else {
            cosm_result result = patch_write_object(patch, after->shared[slot]);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

// The rows of a table that both images have and that differ; whether there are any.
static bool patch_write_kept_rows(const struct patch_out *patch,
                                  const struct patch_archetype *entry,
                                  const struct table_image *before,
                                  const struct table_image *after) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < entry->lane_count; i++) {
        struct patch_runs runs = {patch->out, &entry->lanes[i], after, i, &next, 0, 0, 0, false};
        patch_write_lane(&runs, before);
    }
    cosmi_write_short(patch->out, 0);
    return next > 0;
}

// A table that is there after; `before` is NULL where it is new.
static cosm_result patch_write_rows_of(const struct patch_out *patch, uint32_t number,
                                       const struct table_image *before,
                                       const struct table_image *after, bool *out_differs) {
    uint32_t kept = before == NULL ? 0 : before->count;
    *out_differs = kept != after->count;
    if (after->archetype->shared_count > 0) {
        *out_differs = *out_differs || !patch_are_values_same(before, after);
        cosm_result result = patch_write_values(patch, number, before, after);
        if (result != COSM_OK) {
            return result;
        }
    }
    const struct patch_archetype *entry = &patch->book->archetypes[number];
    if (before != NULL) {
        *out_differs = patch_write_kept_rows(patch, entry, before, after) || *out_differs;
    }
    for (uint32_t i = 0; i < entry->lane_count && after->count > kept; i++) {
        patch_write_rows(patch->out, &entry->lanes[i], after, kept, after->count - kept);
    }
    return COSM_OK;
}

// One table: `before` is NULL where it is new, `after` where it is gone. Where it turns out that
// only padding differs, nothing is written.
static cosm_result patch_write_table(const struct patch_out *patch,
                                     const struct table_image *before,
                                     const struct table_image *after, uint32_t *io_count) {
    const struct table_image *one = after != NULL ? after : before;
    size_t begin = patch->out->size;
    uint32_t number = cosmi_patch_archetype(patch->book, one->archetype);
    if (number == PATCH_NONE) {
        return COSM_ERROR_MEMORY;
    }
    cosmi_write_short(patch->out, number);
    if (one->archetype->shared_count > 0) {
        cosmi_write_short(patch->out, one->group);
    }
    cosmi_write_short(patch->out, after == NULL ? 0 : after->count);
    bool differs = true;
    cosm_result result =
        after == NULL ? COSM_OK : patch_write_rows_of(patch, number, before, after, &differs);
    if (!differs) {
        patch->out->size = begin;
    }
    *io_count += differs;
    return result;
}

// A table of one of the images, in an order that no id has a part in.
struct patch_side {
    uint64_t key; // of the archetype
    const struct table_image *table;
    bool is_after;
};

uint64_t cosmi_patch_key(const struct schema *schema, const struct archetype *archetype) {
    uint64_t key = archetype->temporary ? cosmi_hash_text(archetype->name) : 0;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        key += hash_mix(schema_component(schema, archetype->components[i])->hash);
    }
    return key;
}

static int patch_compare_sides(const void *a, const void *b) {
    const struct patch_side *x = a;
    const struct patch_side *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    if (x->table->archetype != y->table->archetype) {
        return x->table->archetype->id < y->table->archetype->id ? -1 : 1;
    }
    if (x->table->group != y->table->group) {
        return x->table->group < y->table->group ? -1 : 1;
    }
    return (int)x->is_after - (int)y->is_after;
}

static uint32_t patch_list_sides(const struct patch_out *patch, struct patch_side *sides) {
    const struct world_image *before = patch->before;
    const struct world_image *after = patch->after;
    uint32_t count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const struct world_image *image = side == 0 ? before : after;
        const struct world_image *other = side == 0 ? after : before;
        for (uint32_t i = 0; i < image->table_count; i++) {
            struct table_image *table = image->tables[i];
            if (i >= other->table_count || other->tables[i] != table) {
                sides[count++] = (struct patch_side){
                    cosmi_patch_key(patch->book->schema, table->archetype), table, side == 1};
            }
        }
    }
    qsort(sides, count, sizeof(*sides), patch_compare_sides);
    return count;
}

// Are the columns and values of two tables of as many rows the same, byte for byte?
static bool patch_are_tables_same(const struct table_image *before,
                                  const struct table_image *after) {
    if (before == after) {
        return true;
    }
    bool same = before->count == after->count;
    for (uint32_t i = 0; i < after->archetype->shared_count && same; i++) {
        same = cosmi_patch_same_object(before->shared[i], after->shared[i]);
    }
    for (uint32_t i = 0; i < after->piece_count && same; i++) {
        const struct piece *b = before->pieces[i];
        const struct piece *a = after->pieces[i];
        same = a == b || memcmp(a->bytes, b->bytes, a->size) == 0;
    }
    return same;
}

static cosm_result patch_write_sides(const struct patch_out *patch, const struct patch_side *sides,
                                     uint32_t count, uint32_t *out_count) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        const struct table_image *table = sides[i].table;
        const struct table_image *next = i + 1 < count ? sides[i + 1].table : NULL;
        bool is_pair = !sides[i].is_after && next != NULL && sides[i + 1].is_after &&
                       next->archetype == table->archetype && next->group == table->group;
        if (is_pair) {
            i++;
            if (patch_are_tables_same(table, next)) {
                continue;
            }
        }
        result = is_pair             ? patch_write_table(patch, table, next, out_count)
                 : sides[i].is_after ? patch_write_table(patch, NULL, table, out_count)
                                     : patch_write_table(patch, table, NULL, out_count);
    }
    return result;
}

cosm_result cosmi_patch_write_tables(const struct patch_out *patch, uint32_t *out_count) {
    *out_count = 0;
    size_t count = (size_t)patch->before->table_count + patch->after->table_count;
    size_t size = (count + 1) * sizeof(struct patch_side);
    struct patch_side *sides =
        cosmi_memory_take(patch->book->memory, size, _Alignof(struct patch_side));
    if (sides == NULL) {
        return cosmi_fail_memory(patch->book->sink, patch->book->memory, patch->book->call);
    }
    cosm_result result = patch_write_sides(patch, sides, patch_list_sides(patch, sides), out_count);
    cosmi_memory_give(patch->book->memory, sides, size, _Alignof(struct patch_side));
    return result;
}
