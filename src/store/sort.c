// Sorting a table: a stable radix sort of keys, then every column in the new order.
#include "store/sort.h"

struct sort_item {
    uint64_t key;
    uint32_t row;
};

#define SCRATCH_ALIGNMENT ((size_t)64)

void cosmi_sort_end(struct sort_scratch *scratch) {
    cosmi_memory_free(scratch->memory, scratch->items, scratch->item_bytes, SCRATCH_ALIGNMENT);
    cosmi_memory_free(scratch->memory, scratch->spare, scratch->item_bytes, SCRATCH_ALIGNMENT);
    cosmi_memory_free(scratch->memory, scratch->cells, scratch->cell_bytes, SCRATCH_ALIGNMENT);
}

bool cosmi_sort_begin(struct sort_scratch *scratch, struct memory *memory,
                      const struct archetype *archetype, uint32_t row_count) {
    *scratch = (struct sort_scratch){.memory = memory};
    if (row_count < 2) {
        return true;
    }
    size_t widest = sizeof(cosm_entity);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        widest = archetype->columns[c].size > widest ? archetype->columns[c].size : widest;
    }
    scratch->item_bytes = row_count * sizeof(struct sort_item);
    scratch->cell_bytes = row_count * widest;
    scratch->items = cosmi_memory_alloc(memory, scratch->item_bytes, SCRATCH_ALIGNMENT);
    scratch->spare = cosmi_memory_alloc(memory, scratch->item_bytes, SCRATCH_ALIGNMENT);
    scratch->cells = cosmi_memory_alloc(memory, scratch->cell_bytes, SCRATCH_ALIGNMENT);
    if (scratch->items == NULL || scratch->spare == NULL || scratch->cells == NULL) {
        cosmi_sort_end(scratch);
        return false;
    }
    return true;
}

// One pass: stable by the byte at `shift`.
static void radix_pass(const struct sort_item *from, struct sort_item *to, uint32_t count,
                       uint32_t shift) {
    uint32_t starts[256] = {0};
    for (uint32_t i = 0; i < count; i++) {
        starts[(from[i].key >> shift) & 255]++;
    }
    uint32_t at = 0;
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t size = starts[b];
        starts[b] = at;
        at += size;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[starts[(from[i].key >> shift) & 255]++] = from[i];
    }
}

// Bytes in which all keys agree need no pass.
static void radix_sort(struct sort_scratch *scratch, uint32_t count) {
    uint64_t differ = 0;
    for (uint32_t i = 1; i < count; i++) {
        differ |= scratch->items[i].key ^ scratch->items[0].key;
    }
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (((differ >> shift) & 255) == 0) {
            continue;
        }
        radix_pass(scratch->items, scratch->spare, count, shift);
        struct sort_item *swap = scratch->items;
        scratch->items = scratch->spare;
        scratch->spare = swap;
    }
}

// The row that stood at items[i].row comes to row i: a gather, so no inverse is involved.
static void permute_column(struct sort_scratch *scratch, char *column, size_t size,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        copy_value(scratch->cells + i * size, column + scratch->items[i].row * size, size);
    }
    memcpy(column, scratch->cells, count * size);
}

void cosmi_rows_sort(cosm_world world, struct store *store, row_key_fn *key, const void *context,
                     struct sort_scratch *scratch) {
    uint32_t count = store->counts[world.index];
    if (count < 2) {
        return;
    }
    const struct archetype *archetype = store->archetype;
    INVARIANT(count * sizeof(struct sort_item) <= scratch->item_bytes,
              "the scratch of a sort has room for its rows");
    for (uint32_t i = 0; i < count; i++) {
        scratch->items[i] = (struct sort_item){key(context, i), i};
    }
    radix_sort(scratch, count);
    struct table *table = store_table(store, world.index);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = archetype->columns[c].size;
        if (size != 0) {
            permute_column(scratch, store_cell(store, table, world.index, c, 0, size), size, count);
        }
    }
    if (!archetype->temporary) {
        const cosm_entity *entities = store_entities(store, world.index, 0);
        for (uint32_t i = 0; i < count; i++) {
            world_data(world)->records[entities[i].id].row = i;
        }
    }
    if (store_sides(store) != 0) {
        cosmi_side_filled(world, store, 0, count);
    }
}
