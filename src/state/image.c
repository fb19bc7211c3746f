// Images: making them by hand, sharing them, giving them back.
#include "state/image.h"

#include "base/hash.h"

#define IMAGE_ALIGNMENT ((size_t)16)

size_t cosmi_packed_offset(const struct archetype *archetype, uint32_t count, uint32_t column) {
    size_t offset = 0;
    for (uint32_t c = 0; c < column; c++) {
        offset += align_up((size_t)count * image_column_size(archetype, c), 16);
    }
    return offset;
}

size_t cosmi_packed_size(const struct archetype *archetype, uint32_t count) {
    return cosmi_packed_offset(archetype, count, archetype->column_count);
}

bool cosmi_image_is_packed(const struct archetype *archetype, uint32_t count) {
    return count <= archetype->chunk_rows && (size_t)count * archetype->row_size <= PACKED_BYTES;
}

const void *cosmi_image_column(const struct table_image *table, uint32_t chunk, uint32_t column) {
    if (image_column_size(table->archetype, column) == 0) {
        return NULL;
    }
    if (table->is_packed) {
        return (const char *)table->pieces[0]->bytes +
               cosmi_packed_offset(table->archetype, table->count, column);
    }
    return table->pieces[(size_t)chunk * table->archetype->column_count + column]->bytes;
}

void *cosmi_image_fill(struct table_image *table, uint32_t chunk, uint32_t column) {
    return (void *)(uintptr_t)cosmi_image_column(table, chunk, column);
}

// A zeroed block, or NULL when out of memory. Its creator sets the reference count.
static void *make_zeroed(struct memory *memory, size_t size) {
    return cosmi_memory_take_zeroed(memory, size, IMAGE_ALIGNMENT);
}

// Takes a reference off; true: it was the last one.
static bool release(atomic_uint *refs) {
    INVARIANT(atomic_load(refs) > 0, "what is given back was taken");
    return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}

static size_t page_list_size(uint32_t count) {
    return sizeof(struct page_list) + count * sizeof(struct piece *);
}

struct page_list *cosmi_page_list_create(struct memory *memory, uint32_t count) {
    struct page_list *list = make_zeroed(memory, page_list_size(count));
    if (list != NULL) {
        atomic_init(&list->refs, 1);
        list->count = count;
    }
    return list;
}

void cosmi_page_list_give(struct memory *memory, struct page_list *list) {
    if (list == NULL || !release(&list->refs)) {
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        cosmi_piece_give(memory, list->pages[i]);
    }
    cosmi_memory_give(memory, list, page_list_size(list->count), IMAGE_ALIGNMENT);
}

static bool adopt_pages(struct world_image *image, struct page_list *list) {
    if (list != NULL) {
        image->directory.list = list;
        image->directory.pages = list->pages;
        image->directory.page_count = list->count;
    }
    return list != NULL;
}

// So many tables are searched faster than they are looked up.
#define TABLES_WITHOUT_LOOKUP 8u

// At most half of it is in use.
static uint32_t lookup_size_of(uint32_t table_count) {
    uint32_t size = 0;
    if (table_count > TABLES_WITHOUT_LOOKUP) {
        size = 2 * TABLES_WITHOUT_LOOKUP;
        while (size < 2 * table_count) {
            size *= 2;
        }
    }
    return size;
}

struct world_image *cosmi_image_create(struct memory *memory, const struct image_counts *counts) {
    size_t pointers =
        (size_t)counts->tables + counts->singletons + counts->managed + counts->sectors;
    uint32_t lookup_size = lookup_size_of(counts->tables);
    size_t size =
        sizeof(struct world_image) + pointers * sizeof(void *) + lookup_size * sizeof(uint32_t);
    struct world_image *image = make_zeroed(memory, size);
    if (image == NULL) {
        return NULL;
    }
    void **next = (void **)(image + 1);
    atomic_init(&image->refs, 1);
    image->size = size;
    image->tables = (struct table_image **)next;
    image->table_count = counts->tables;
    next += counts->tables;
    image->singletons = (struct piece **)next;
    image->singleton_end = counts->singletons;
    next += counts->singletons;
    image->managed = (struct managed_image **)next;
    image->managed_count = counts->managed;
    next += counts->managed;
    image->sectors = (struct sector_image **)next;
    image->sector_count = counts->sectors;
    next += counts->sectors;
    image->lookup = (uint32_t *)next;
    image->lookup_size = lookup_size;
    if (counts->pages > 0 && !adopt_pages(image, cosmi_page_list_create(memory, counts->pages))) {
        cosmi_image_give(memory, image);
        return NULL;
    }
    return image;
}

static size_t table_image_size(const struct archetype *archetype, uint32_t piece_count) {
    return sizeof(struct table_image) + piece_count * sizeof(struct piece *) +
           archetype->shared_count * sizeof(struct object *);
}

static bool make_pieces(struct memory *memory, struct table_image *table) {
    const struct archetype *archetype = table->archetype;
    if (table->is_packed) {
        table->pieces[0] = cosmi_piece_create(memory, cosmi_packed_size(archetype, table->count));
        return table->pieces[0] != NULL;
    }
    for (uint32_t i = 0; i < table->piece_count; i++) {
        uint32_t rows = image_chunk_rows(table, i / archetype->column_count);
        size_t size = image_column_size(archetype, i % archetype->column_count);
        table->pieces[i] = size == 0 ? NULL : cosmi_piece_create(memory, rows * size);
        if (size > 0 && table->pieces[i] == NULL) {
            return false;
        }
    }
    return true;
}

struct table_image *cosmi_table_image_create(struct memory *memory, struct archetype *archetype,
                                             uint32_t count, bool with_pieces) {
    INVARIANT(count > 0, "a table of an image has rows");
    bool is_packed = cosmi_image_is_packed(archetype, count);
    uint32_t chunk_count = (count - 1) / archetype->chunk_rows + 1;
    uint32_t piece_count = is_packed ? 1 : chunk_count * archetype->column_count;
    struct table_image *table = make_zeroed(memory, table_image_size(archetype, piece_count));
    if (table == NULL) {
        return NULL;
    }
    atomic_init(&table->refs, 1);
    table->count = count;
    table->chunk_count = chunk_count;
    table->group = GROUP_NONE;
    table->is_packed = is_packed;
    table->archetype = archetype;
    table->piece_count = piece_count;
    table->shared = (struct object **)(table->pieces + piece_count);
    if (with_pieces && !make_pieces(memory, table)) {
        cosmi_table_image_give(memory, table);
        return NULL;
    }
    return table;
}

struct tree_image *cosmi_tree_image_create(struct memory *memory, uint32_t piece_count) {
    struct tree_image *tree =
        make_zeroed(memory, sizeof(*tree) + piece_count * sizeof(struct piece *));
    if (tree != NULL) {
        atomic_init(&tree->refs, 1);
        tree->piece_count = piece_count;
    }
    return tree;
}

struct managed_image *cosmi_managed_image_create(struct memory *memory,
                                                 const struct value_type *type, uint32_t used) {
    struct managed_image *managed =
        make_zeroed(memory, sizeof(*managed) + used * sizeof(struct object *));
    if (managed != NULL) {
        atomic_init(&managed->refs, 1);
        managed->type = type;
        managed->used = used;
    }
    return managed;
}

static uint32_t sector_pieces(const struct sector_group *group, uint32_t place_end) {
    uint32_t chunk = group->layout->chunk_sectors;
    return (place_end + chunk - 1) / chunk;
}

static size_t sector_image_size(const struct sector_image *sector) {
    return sizeof(*sector) + sector->piece_count * sizeof(struct piece *) +
           (size_t)sector->place_end * sector->object_members * sizeof(struct object *);
}

struct sector_image *cosmi_sector_image_create(struct memory *memory,
                                               const struct sector_group *group,
                                               uint32_t place_end) {
    struct sector_image head = {.group = group, .place_end = place_end};
    head.piece_count = sector_pieces(group, place_end);
    for (uint32_t m = 0; m < group->member_count; m++) {
        head.object_members += sector_member_is_object(group, m);
    }
    struct sector_image *sector = make_zeroed(memory, sector_image_size(&head));
    if (sector != NULL) {
        atomic_init(&sector->refs, 1);
        sector->group = group;
        sector->place_end = place_end;
        sector->piece_count = head.piece_count;
        sector->object_members = head.object_members;
        sector->objects = head.object_members == 0
                              ? NULL
                              : (struct object **)(sector->pieces + sector->piece_count);
    }
    return sector;
}

void cosmi_table_image_give(struct memory *memory, struct table_image *table) {
    if (table == NULL || !release(&table->refs)) {
        return;
    }
    for (uint32_t i = 0; i < table->piece_count; i++) {
        cosmi_piece_give(memory, table->pieces[i]);
    }
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        cosmi_object_give(memory, table->shared[i]);
    }
    cosmi_memory_give(memory, table, table_image_size(table->archetype, table->piece_count),
                      IMAGE_ALIGNMENT);
}

void cosmi_tree_image_give(struct memory *memory, struct tree_image *tree) {
    if (tree == NULL || !release(&tree->refs)) {
        return;
    }
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        cosmi_piece_give(memory, tree->pieces[i]);
    }
    cosmi_memory_give(memory, tree, sizeof(*tree) + tree->piece_count * sizeof(struct piece *),
                      IMAGE_ALIGNMENT);
}

void cosmi_managed_image_give(struct memory *memory, struct managed_image *managed) {
    if (managed == NULL || !release(&managed->refs)) {
        return;
    }
    for (uint32_t i = 0; i < managed->used; i++) {
        cosmi_object_give(memory, managed->objects[i]);
    }
    cosmi_piece_give(memory, managed->slots);
    cosmi_memory_give(memory, managed, sizeof(*managed) + managed->used * sizeof(struct object *),
                      IMAGE_ALIGNMENT);
}

void cosmi_sector_image_give(struct memory *memory, struct sector_image *sector) {
    if (sector == NULL || !release(&sector->refs)) {
        return;
    }
    for (uint32_t i = 0; i < sector->piece_count; i++) {
        cosmi_piece_give(memory, sector->pieces[i]);
    }
    size_t objects = (size_t)sector->place_end * sector->object_members;
    for (size_t i = 0; i < objects; i++) {
        cosmi_object_give(memory, sector->objects[i]);
    }
    cosmi_memory_give(memory, sector, sector_image_size(sector), IMAGE_ALIGNMENT);
}

void cosmi_image_give(struct memory *memory, struct world_image *image) {
    if (image == NULL || !release(&image->refs)) {
        return;
    }
    cosmi_page_list_give(memory, image->directory.list);
    for (uint32_t i = 0; i < image->table_count; i++) {
        cosmi_table_image_give(memory, image->tables[i]);
    }
    for (uint32_t i = 0; i < image->singleton_end; i++) {
        cosmi_piece_give(memory, image->singletons[i]);
    }
    for (uint32_t i = 0; i < image->managed_count; i++) {
        cosmi_managed_image_give(memory, image->managed[i]);
    }
    for (uint32_t i = 0; i < image->sector_count; i++) {
        cosmi_sector_image_give(memory, image->sectors[i]);
    }
    cosmi_tree_image_give(memory, image->tree);
    cosmi_piece_give(memory, image->shared_order);
    cosmi_memory_give(memory, image, image->size, IMAGE_ALIGNMENT);
}

static size_t snapshot_size(uint32_t world_count) {
    return sizeof(struct cosm_snapshot) + world_count * sizeof(struct world_image *);
}

struct cosm_snapshot *cosmi_snapshot_make(struct memory *memory, uint32_t world_count) {
    struct cosm_snapshot *snapshot = make_zeroed(memory, snapshot_size(world_count));
    if (snapshot != NULL) {
        snapshot->memory = memory;
        snapshot->world_count = world_count;
    }
    return snapshot;
}

void cosmi_snapshot_free(struct cosm_snapshot *snapshot) {
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        cosmi_image_give(snapshot->memory, snapshot->worlds[w]);
    }
    cosmi_memory_give(snapshot->memory, snapshot, snapshot_size(snapshot->world_count),
                      IMAGE_ALIGNMENT);
}

static uint32_t lookup_slot(const struct world_image *image, uint32_t number) {
    return (uint32_t)hash_u64(0, number) & (image->lookup_size - 1);
}

void cosmi_image_enter_tables(struct world_image *image) {
    for (uint32_t i = 0; i < image->table_count && image->lookup_size > 0; i++) {
        uint32_t slot = lookup_slot(image, table_image_number(image->tables[i]));
        while (image->lookup[slot] != 0) {
            slot = (slot + 1) & (image->lookup_size - 1);
        }
        image->lookup[slot] = i + 1;
    }
}

const struct table_image *cosmi_image_table(const struct world_image *image, uint32_t number) {
    if (image->lookup_size > 0) {
        uint32_t slot = lookup_slot(image, number);
        uint32_t at = image->lookup[slot];
        while (at != 0 && table_image_number(image->tables[at - 1]) != number) {
            slot = (slot + 1) & (image->lookup_size - 1);
            at = image->lookup[slot];
        }
        return at == 0 ? NULL : image->tables[at - 1];
    }
    for (uint32_t i = 0; i < image->table_count; i++) {
        if (table_image_number(image->tables[i]) == number) {
            return image->tables[i];
        }
    }
    return NULL;
}
