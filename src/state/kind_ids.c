// The ids of a world as a part: the counts of its directory, and its records by pages.
//
// Ids have changed when a row has come, gone or moved, which the ticks of the entity columns tell,
// or when the world says that they were stirred. Then the pages are compared with the base's.
#include "state/kind.h"
#include "store/rows.h"

static bool next_ids(cosm_world world, struct live_part *io_live) {
    return live_once(io_live, world_data(world));
}

static struct ids_words words_of_world(const struct world *world) {
    uint32_t reserved = atomic_load_explicit(&world->reserved_free, memory_order_relaxed);
    return (struct ids_words){
        .used = world->used,
        .known = world->known,
        .free_head = world->free_head,
        .free_count = world->free_count,
        .alive = world->alive,
        .fresh_deaths = world->fresh_deaths,
        .reserved_free = reserved,
        .reserved_fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed),
        // Without reserved ids it is what an earlier one left: equal states have equal images.
        .reserved_cursor = reserved == 0 ? ID_NONE : world->reserved_cursor,
    };
}

static void shape_ids(cosm_world world, const struct live_part *live, struct part *head) {
    (void)world;
    head->ids = words_of_world(live->at);
}

bool cosmi_capture_ids_same(const struct capture *capture) {
    const struct cosm_batch *batch = capture->world.batch;
    const struct world *world = world_data(capture->world);
    struct ids_words now = words_of_world(world);
    bool same = capture->base != NULL && !world->ids_dirty &&
                memcmp(&now, &image_ids(capture->base)->ids, sizeof(now)) == 0;
    const struct store *store = world_first_store(batch, capture->world.index);
    for (; same && store != NULL; store = world_next_store(batch, capture->world.index, store)) {
        same = !cosmi_capture_rows_changed(capture, store);
    }
    return same;
}

static bool are_ids_clean(const struct capture *capture, const struct live_part *live,
                          const struct part *base) {
    (void)live;
    (void)base;
    return cosmi_capture_ids_same(capture);
}

static void find_page(const struct capture *capture, const struct live_part *live,
                      const struct part *ids, uint32_t i, struct live_blob *out) {
    const struct world *world = live->at;
    (void)capture;
    (void)ids;
    out->bytes = world->records + i * RECORD_PAGE_IDS;
}

// Reserved ids may have to be settled, to be broken.
static cosm_result reserve_ids(struct restore *restore, const struct part *ids,
                               struct restore_plan *plan) {
    struct cosm_batch *batch = restore->world.batch;
    uint32_t settled = ids->ids.used + ids->ids.reserved_fresh;
    (void)plan;
    return cosmi_directory_fit(world_data(restore->world), &batch->memory, &batch->pool,
                               settled > ids->ids.known ? settled : ids->ids.known)
               ? COSM_OK
               : cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
}

static void adopt_ids(struct restore *restore, const struct part *ids, struct restore_plan *plan) {
    const struct ids_words *words = &ids->ids;
    struct world *world = world_data(restore->world);
    const struct part *base = restore->ids_same ? image_ids(restore->base) : NULL;
    (void)plan;
    for (uint32_t i = 0; i < ids->blob_count; i++) {
        const struct blob *page = ids->blobs[i];
        if (base == NULL || i >= base->blob_count || base->blobs[i] != page) {
            memcpy(world->records + i * RECORD_PAGE_IDS, page->bytes, page->size);
        }
    }
    world->used = words->used;
    world->known = words->known;
    world->free_head = words->free_head;
    world->free_count = words->free_count;
    world->alive = words->alive;
    world->fresh_deaths = (uint16_t)words->fresh_deaths;
    world->reserved_cursor = words->reserved_cursor;
    atomic_store_explicit(&world->reserved_free, words->reserved_free, memory_order_relaxed);
    atomic_store_explicit(&world->reserved_fresh, words->reserved_fresh, memory_order_relaxed);
    world->ids_dirty = false;
}

static const char *counts_fault(const struct part *part) {
    const struct ids_words *ids = &part->ids;
    if (ids->used > ids->known || ids->known > COSM_WORLD_ENTITY_MAX ||
        ids->reserved_fresh > COSM_WORLD_ENTITY_MAX - ids->used) {
        return "there are more ids than a world may have";
    }
    if (ids->free_count > ids->used || ids->reserved_free > ids->free_count ||
        ids->alive > ids->used || ids->fresh_deaths > UINT16_MAX) {
        return "the counts of ids are inconsistent";
    }
    return NULL;
}

// Ids that are alive, and those that are retired, or reserved and settled.
struct id_counts {
    uint32_t alive;
    uint32_t set_apart;
};

// Is a record of a page right, in itself?
static bool count_record(const struct ids_words *ids, uint32_t id, struct record record,
                         struct id_counts *counts) {
    bool lives = (record.gen & 1) != 0;
    bool is_reserved = record.table == TABLE_RESERVED;
    counts->alive += lives;
    counts->set_apart += !lives && id < ids->used && (record.gen == GEN_RETIRED || is_reserved);
    return lives ? id < ids->used && record.gen <= GEN_RETIRED
                 : record.table == TABLE_FREE ||
                       (is_reserved && id < ids->used && record.gen != GEN_RETIRED);
}

// Every id is alive, free, reserved or retired. Which row a living one is in is seen from the rows.
static const char *records_fault(const struct part *part) {
    const struct ids_words *ids = &part->ids;
    struct id_counts counts = {0, 0};
    bool is_good = true;
    for (uint32_t page = 0; page < part->blob_count && is_good; page++) {
        const struct record *records = part->blobs[page]->bytes;
        uint32_t count = (uint32_t)(part->blobs[page]->size / sizeof(*records));
        for (uint32_t i = 0; i < count; i++) {
            is_good &= count_record(ids, page * RECORD_PAGE_IDS + i, records[i], &counts);
        }
    }
    if (!is_good) {
        return "the record of an id is invalid";
    }
    return counts.alive == ids->alive &&
                   (uint64_t)counts.alive + ids->free_count + counts.set_apart == ids->used
               ? NULL
               : "ids alive, free, retired and reserved do not add up";
}

// A list that comes back to itself has no end, so one that ends after as many steps as it says has
// each of its ids once.
static const char *free_list_fault(const struct part *part) {
    const struct ids_words *ids = &part->ids;
    uint32_t id = ids->free_head;
    for (uint32_t i = 0; i < ids->free_count; i++) {
        if (id >= ids->used) {
            return "the list of free ids ends too early";
        }
        const struct record *record = ids_record(part, id);
        if ((record->gen & 1) != 0 || record->gen == GEN_RETIRED || record->table != TABLE_FREE) {
            return "an id in the list of free ones is not free";
        }
        if (i == ids->reserved_free && i > 0 && id != ids->reserved_cursor) {
            return "reserved ids are not the first ones of the free list";
        }
        id = record->row;
    }
    return id == ID_NONE ? NULL : "the list of free ids has a cycle";
}

// Do the entities of a chunk stand where their records say?
static const char *chunk_fault(const struct part *ids, const struct part *table, uint32_t chunk) {
    uint32_t first = chunk * table->archetype->chunk_rows;
    const cosm_entity *entities = cosmi_table_column(table, chunk, ENTITY_COLUMN);
    for (uint32_t i = 0; i < table_chunk_rows(table, chunk); i++) {
        cosm_entity entity = entities[i];
        if (entity.id >= ids->ids.used || (entity.gen & 1) == 0) {
            return "a row has an entity that is not alive";
        }
        const struct record *record = ids_record(ids, entity.id);
        if (record->gen != entity.gen || record->table != table->key || record->row != first + i) {
            return "an entity is not where its record says";
        }
    }
    return NULL;
}

// No two rows can be of one entity, whose record names one row; so where there are as many rows as
// living entities, each entity has one.
static const char *rows_fault(const struct world_image *image, const struct part *ids) {
    uint64_t rows = 0;
    const char *fault = NULL;
    for (uint32_t i = 0; i < image_count(image, PART_TABLE) && fault == NULL; i++) {
        const struct part *table = image_part(image, PART_TABLE, i);
        uint32_t chunks = table->archetype->temporary ? 0 : table_chunks(table);
        for (uint32_t chunk = 0; chunk < chunks && fault == NULL; chunk++) {
            fault = chunk_fault(ids, table, chunk);
        }
        rows += table->archetype->temporary ? 0 : table->table.count;
    }
    if (fault == NULL && rows != ids->ids.alive) {
        fault = "the number of rows differs from the number of living entities";
    }
    return fault;
}

static const char *ids_fault(const struct schema *schema, const struct world_image *image,
                             const struct part *ids) {
    (void)schema;
    const char *fault = counts_fault(ids);
    fault = fault == NULL ? records_fault(ids) : fault;
    fault = fault == NULL ? free_list_fault(ids) : fault;
    return fault == NULL ? rows_fault(image, ids) : fault;
}

const struct part_kind cosmi_kind_ids = {
    .next = next_ids,
    .shape = shape_ids,
    .is_clean = are_ids_clean,
    .blob = find_page,
    .is_compared = true,
    .reserve = reserve_ids,
    .adopt = adopt_ids,
    .fault = ids_fault,
};
