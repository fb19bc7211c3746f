// Looking at images that were made from bytes of somebody else: what passes is safe to restore.
//
// Nothing is believed: every number that later code uses as a size, an index or a link is compared
// with what it must agree with. All of it is O(size of the image), and nothing goes in circles: a
// list is followed for as many steps as it says it has.
#include "state/restore.h"
#include "state/strict.h"

// What is wrong with an image, and where: "table 3". No `what`: nothing is.
struct flaw {
    const char *what;
    const char *kind;
    uint64_t at;
};

static const struct flaw no_flaw = {NULL, NULL, 0};

static struct flaw table_flaw(uint32_t index, const char *what) {
    return (struct flaw){what, "table", index};
}

static struct flaw id_flaw(uint32_t id, const char *what) {
    return (struct flaw){what, "id", id};
}

static bool has_size(const struct piece *piece, size_t size) {
    return piece != NULL && piece->size == size;
}

// Are there as many pieces as the rows need, each of its size?
static const char *check_image_pieces(const struct table_image *table) {
    const struct archetype *archetype = table->archetype;
    uint64_t chunks = ((uint64_t)table->count - 1) / archetype->chunk_rows + 1;
    if (table->chunk_count != chunks ||
        table->is_packed != cosmi_image_is_packed(archetype, table->count)) {
        return "a table has the wrong number of chunks for its rows";
    }
    if (table->is_packed) {
        bool fits = table->piece_count == 1 &&
                    has_size(table->pieces[0], cosmi_packed_size(archetype, table->count));
        return fits ? NULL : "a table has the wrong number of bytes for its rows";
    }
    if (table->piece_count != chunks * archetype->column_count) {
        return "a table has another number of columns than its archetype";
    }
    for (uint32_t i = 0; i < table->piece_count; i++) {
        size_t rows = image_chunk_rows(table, i / archetype->column_count);
        size_t size = rows * image_column_size(archetype, i % archetype->column_count);
        if (size == 0 ? table->pieces[i] != NULL : !has_size(table->pieces[i], size)) {
            return "a column has the wrong number of bytes for its rows";
        }
    }
    return NULL;
}

static const char *check_image_values(const struct table_image *table,
                                      const struct schema *schema) {
    const struct archetype *archetype = table->archetype;
    if ((table->group != GROUP_NONE) != (archetype->shared_count > 0)) {
        return "a table has a group without shared values, or shared values without a group";
    }
    if (table->group != GROUP_NONE && table->group >= TABLE_PROMISED - GROUP_FIRST) {
        return "the number of a group is too large";
    }
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        if (table->shared[i] == NULL ||
            table->shared[i]->type != schema_component(schema, archetype->shared[i])) {
            return "a table lacks a value of a shared component";
        }
    }
    return NULL;
}

static const char *check_image_table(const struct table_image *table, const struct schema *schema) {
    const struct archetype *archetype = table == NULL ? NULL : table->archetype;
    if (archetype == NULL || schema_archetype(schema, archetype->id) != archetype) {
        return "a table has no archetype of this engine";
    }
    bool is_fixed = archetype->placement == COSM_PLACEMENT_FIXED;
    uint32_t most = is_fixed ? archetype->max_per_world : COSM_TABLE_ROW_MAX;
    if (table->count == 0 || table->count > most) {
        return "a table has no rows, or more than its archetype allows";
    }
    const char *wrong = check_image_pieces(table);
    return wrong != NULL ? wrong : check_image_values(table, schema);
}

// Groups are told apart with the words about them: cosmi_shared_image_fault.
static struct flaw check_image_tables(const struct world_image *image,
                                      const struct schema *schema) {
    uint64_t seen[PAGED_MAX / 64 + 1];
    memset(seen, 0, sizeof(*seen) * (paged_count(&schema->archetypes) / 64 + 1));
    for (uint32_t i = 0; i < image->table_count; i++) {
        const struct table_image *table = image->tables[i];
        const char *wrong = check_image_table(table, schema);
        if (wrong != NULL) {
            return table_flaw(i, wrong);
        }
        if (table->group == GROUP_NONE) {
            uint32_t id = table->archetype->id;
            if ((seen[id / 64] >> (id % 64) & 1) != 0) {
                return table_flaw(i, "an archetype has two tables");
            }
            seen[id / 64] |= (uint64_t)1 << (id % 64);
        }
    }
    return no_flaw;
}

static const char *check_image_figures(const struct directory_image *ids) {
    if (ids->used > ids->known || ids->known > COSM_WORLD_ENTITY_MAX ||
        ids->promised_fresh > COSM_WORLD_ENTITY_MAX - ids->used) {
        return "there are more ids than a world may have";
    }
    if (ids->free_count > ids->used || ids->promised_free > ids->free_count ||
        ids->alive > ids->used || ids->fresh_deaths > UINT16_MAX) {
        return "the counts of ids are inconsistent";
    }
    if (ids->page_count != (ids->known + RECORD_PAGE_IDS - 1) / RECORD_PAGE_IDS ||
        ids->page_count != (ids->list == NULL ? 0 : ids->list->count)) {
        return "the number of records differs from the number of ids";
    }
    for (uint32_t i = 0; i < ids->page_count; i++) {
        uint32_t left = ids->known - i * RECORD_PAGE_IDS;
        size_t count = left < RECORD_PAGE_IDS ? left : RECORD_PAGE_IDS;
        if (!has_size(ids->pages[i], count * sizeof(struct record))) {
            return "the number of records differs from the number of ids";
        }
    }
    return NULL;
}

// Every id is alive, free, promised or retired. Which row a living one is in is seen from the rows.
static struct flaw check_image_records(const struct world_image *image) {
    const struct directory_image *ids = &image->directory;
    uint32_t alive = 0;
    uint32_t set_apart = 0; // retired, or promised and settled
    for (uint32_t id = 0; id < ids->known; id++) {
        struct record record = *image_record(image, id);
        bool lives = (record.gen & 1) != 0;
        bool is_promised = record.table == TABLE_PROMISED;
        if (lives ? id >= ids->used || record.gen > GEN_RETIRED
                  : record.table != TABLE_FREE &&
                        (!is_promised || id >= ids->used || record.gen == GEN_RETIRED)) {
            return id_flaw(id, "the record of an id is invalid");
        }
        alive += lives;
        set_apart += !lives && id < ids->used && (record.gen == GEN_RETIRED || is_promised);
    }
    if (alive != ids->alive || (uint64_t)alive + ids->free_count + set_apart != ids->used) {
        return id_flaw(ids->used, "ids alive, free, retired and reserved do not add up");
    }
    return no_flaw;
}

// A list that comes back to itself has no end, so one that ends after as many steps as it says has
// each of its ids once.
static struct flaw check_image_free_list(const struct world_image *image) {
    const struct directory_image *ids = &image->directory;
    uint32_t id = ids->free_head;
    for (uint32_t i = 0; i < ids->free_count; i++) {
        if (id >= ids->used) {
            return id_flaw(id, "the list of free ids ends too early");
        }
        const struct record *record = image_record(image, id);
        if ((record->gen & 1) != 0 || record->gen == GEN_RETIRED || record->table != TABLE_FREE) {
            return id_flaw(id, "an id in the list of free ones is not free");
        }
        if (i == ids->promised_free && i > 0 && id != ids->promise_cursor) {
            return id_flaw(id, "reserved ids are not the first ones of the free list");
        }
        id = record->row;
    }
    return id == ID_NONE ? no_flaw : id_flaw(id, "the list of free ids has a cycle");
}

// Do the entities of a chunk, whose first row is `first`, stand where their records say?
static struct flaw check_image_chunk(const struct world_image *image,
                                     const struct table_image *table, uint32_t chunk) {
    uint32_t number = table_image_number(table);
    uint32_t first = chunk * table->archetype->chunk_rows;
    uint32_t count = image_chunk_rows(table, chunk);
    const cosm_entity *entities = cosmi_image_column(table, chunk, ENTITY_COLUMN);
    for (uint32_t i = 0; i < count; i++) {
        cosm_entity entity = entities[i];
        if (entity.id >= image->directory.used || (entity.gen & 1) == 0) {
            return id_flaw(entity.id, "a row has an entity that is not alive");
        }
        const struct record *record = image_record(image, entity.id);
        if (record->gen != entity.gen || record->table != number || record->row != first + i) {
            return id_flaw(entity.id, "an entity is not where its record says");
        }
    }
    return no_flaw;
}

static struct flaw check_image_rows(const struct world_image *image,
                                    const struct table_image *table) {
    struct flaw flaw = no_flaw;
    for (uint32_t chunk = 0; chunk < table->chunk_count && flaw.what == NULL; chunk++) {
        flaw = check_image_chunk(image, table, chunk);
    }
    return flaw;
}

// No two rows can be of one entity, whose record names one row; so where there are as many rows as
// living entities, each entity has one.
static struct flaw check_image_entities(const struct world_image *image) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < image->table_count; i++) {
        if (!image->tables[i]->archetype->temporary) {
            struct flaw flaw = check_image_rows(image, image->tables[i]);
            if (flaw.what != NULL) {
                return flaw;
            }
            rows += image->tables[i]->count;
        }
    }
    return rows == image->directory.alive
               ? no_flaw
               : id_flaw(image->directory.alive, "the number of rows differs from the number of "
                                                 "living entities");
}

static struct flaw check_image_directory(const struct world_image *image) {
    const char *wrong = check_image_figures(&image->directory);
    if (wrong != NULL) {
        return id_flaw(image->directory.known, wrong);
    }
    struct flaw flaw = check_image_records(image);
    flaw = flaw.what == NULL ? check_image_free_list(image) : flaw;
    return flaw.what == NULL ? check_image_entities(image) : flaw;
}

static struct flaw check_image_singletons(const struct world_image *image,
                                          const struct schema *schema) {
    for (uint32_t id = 0; id < image->singleton_end; id++) {
        const struct value_type *type = schema_singleton(schema, id);
        const struct piece *piece = image->singletons[id];
        if (piece != NULL && (type == NULL || piece->size != type->size)) {
            return (struct flaw){"a singleton has the wrong size", "singleton", id};
        }
    }
    return no_flaw;
}

static struct flaw check_image(const struct world_image *image, const struct schema *schema) {
    struct flaw flaw = check_image_tables(image, schema);
    flaw = flaw.what == NULL ? check_image_directory(image) : flaw;
    return flaw.what == NULL ? check_image_singletons(image, schema) : flaw;
}

cosm_result cosmi_image_check(const struct schema *schema, const struct sink *sink,
                              const char *call, const struct world_image *image, uint32_t world) {
    struct flaw flaw = check_image(image, schema);
    if (flaw.what != NULL) {
        return cosmi_fail(sink, COSM_ERROR_FORMAT,
                          "%s: world %u: %s (%s %llu); the bytes are damaged or were not written "
                          "by Cosm: get another copy",
                          call, world, flaw.what, flaw.kind, (unsigned long long)flaw.at);
    }
    const char *fault = cosmi_tree_image_fault(image);
    if (fault == NULL && cosmi_shared_image_fault(schema, image, &fault) != COSM_OK) {
        return cosmi_fail_memory(sink, schema->memory, call);
    }
    fault = fault == NULL ? cosmi_managed_image_fault(image) : fault;
    fault = fault == NULL ? cosmi_sector_image_fault(image) : fault;
    if (fault != NULL) {
        return cosmi_fail(
            sink, COSM_ERROR_FORMAT,
            "%s: world %u: %s; the bytes are damaged or were not written by Cosm: get "
            "another copy",
            call, world, fault);
    }
    return cosmi_strict_check(schema, sink, call, image, world);
}
