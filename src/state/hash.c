// Hashes of worlds: of parts, then of all.
#include "state/hash.h"

#include "base/hash.h"
#include "state/hash_values.h"

// What keeps facts of different kinds apart.
enum {
    FACT_ENTITY = 1,
    FACT_TEMPORARY,
    FACT_PARENT,
    FACT_SINGLETON,
    FACT_ABSENT,
    FACT_SECTOR,
    FACT_SHARED,
};

// By which power blocks of a column are told apart; odd, so that none is lost.
#define BLOCK_FACTOR 0x9E3779B97F4A7C15u

static uint64_t entity_key(cosm_entity entity) {
    return (uint64_t)entity.gen << 32 | entity.id;
}

// What an entity has of something, as a fact that can be added to others.
static uint64_t fact_of(uint64_t key, uint64_t value) {
    return hash_u64(hash_u64(value, key), key);
}

// A chunk of a table on its way into a hash.
struct chunk_view {
    const struct hash_view *view;
    const struct table_view *table;
    uint32_t chunk;
    uint32_t rows;
};

static struct chunk_view chunk_of(const struct hash_view *view, const struct table_view *table,
                                  uint32_t chunk) {
    uint32_t rows = table->archetype->chunk_rows;
    uint32_t left = table->count - chunk * rows;
    return (struct chunk_view){view, table, chunk, left < rows ? left : rows};
}

// The object of a row of a column of tickets.
static uint64_t hash_ticket(const struct hash_view *view, const struct value_type *type,
                            const cosm_ticket *ticket) {
    const void *object = cosmi_view_object(view, type, ticket->id);
    return object == NULL ? hash_u64(type->hash, FACT_ABSENT) : cosmi_hash_value(type, object);
}

// The columns of a component in a chunk, from a row of it on.
static void point_at(const struct chunk_view *chunk, uint32_t column, uint32_t row,
                     const void **out_columns) {
    const struct column_info *infos = &chunk->table->archetype->columns[column];
    uint32_t count = infos->part_count == 0 ? 1 : infos->part_count;
    for (uint32_t i = 0; i < count; i++) {
        out_columns[i] =
            (const char *)cosmi_view_column(chunk->view, chunk->table, chunk->chunk, column + i) +
            (size_t)row * infos[i].size;
    }
}

// Rows of a block, in their order.
static uint64_t hash_block(const struct chunk_view *chunk, uint32_t column, uint32_t row,
                           uint32_t count) {
    const struct column_info *info = &chunk->table->archetype->columns[column];
    const void *columns[COSM_ARCHETYPE_COLUMN_MAX];
    point_at(chunk, column, row, columns);
    if (column == ENTITY_COLUMN) {
        return cosmi_hash_bytes(0, columns[0], count * sizeof(cosm_entity));
    }
    if (info->managed == NULL) {
        const struct value_type *type = schema_component(chunk->view->schema, info->component);
        struct cells cells = {type, info, columns, count};
        return cosmi_hash_cells(&cells);
    }
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cosm_ticket *tickets = columns[0];
        hash = hash_u64(hash, hash_ticket(chunk->view, info->managed, &tickets[i]));
    }
    return hash;
}

// The blocks of a column in a chunk, one behind the other.
static uint64_t hash_column_chunk(const struct chunk_view *chunk, uint32_t column) {
    uint32_t step = chunk->table->archetype->hash_rows;
    uint64_t sum = 0;
    uint64_t factor = 1;
    for (uint32_t row = 0; row < chunk->rows; row += step) {
        uint32_t count = chunk->rows - row < step ? chunk->rows - row : step;
        sum += factor * hash_block(chunk, column, row, count);
        factor *= BLOCK_FACTOR;
    }
    return sum;
}

static uint64_t power_of(uint64_t base, uint32_t exponent) {
    uint64_t power = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        power *= (exponent & 1) != 0 ? base : 1;
    }
    return power;
}

static uint64_t hash_column(const struct hash_view *view, const struct table_view *table,
                            uint32_t column) {
    const struct archetype *archetype = table->archetype;
    uint64_t step = power_of(BLOCK_FACTOR, archetype->chunk_rows / archetype->hash_rows);
    uint64_t sum = 0;
    uint64_t factor = 1;
    for (uint32_t c = 0; c <= (table->count - 1) / archetype->chunk_rows; c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += factor * hash_column_chunk(&chunk, column);
        factor *= step;
    }
    return sum;
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

static uint64_t hash_signature(const struct hash_view *view, const struct archetype *archetype) {
    uint64_t sum = archetype->temporary ? FACT_TEMPORARY : 0;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        sum += hash_mix(schema_component(view->schema, archetype->components[i])->hash);
    }
    return sum;
}

static uint64_t hash_table_exact(const struct hash_view *view, const struct table_view *table) {
    const struct archetype *archetype = table->archetype;
    uint64_t sum = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        if (column_counts(archetype, c)) {
            uint64_t seed = c == ENTITY_COLUMN ? FACT_ENTITY
                                               : column_type(view, &archetype->columns[c])->hash;
            sum += hash_u64(seed, hash_column(view, table, c));
        }
    }
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        const struct value_type *type = schema_component(view->schema, archetype->shared[i]);
        sum += hash_u64(FACT_SHARED, cosmi_hash_value(type, cosmi_view_shared(table, i)));
    }
    return hash_u64(hash_u64(hash_signature(view, archetype), table->count), sum);
}

// What stands for the handle of a row: its own; of a temporary one, which has none, its number.
static uint64_t row_key(const struct chunk_view *chunk, uint32_t row) {
    if (chunk->table->archetype->temporary) {
        uint64_t number = chunk->chunk * chunk->table->archetype->chunk_rows + row;
        return hash_u64(hash_signature(chunk->view, chunk->table->archetype), number);
    }
    const cosm_entity *entities =
        cosmi_view_column(chunk->view, chunk->table, chunk->chunk, ENTITY_COLUMN);
    return entity_key(entities[row]);
}

// What every row of the chunk has of one component, whose value is one for all of them.
static uint64_t content_of_all(const struct chunk_view *chunk, uint64_t value) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        sum += fact_of(row_key(chunk, row), value);
    }
    return sum;
}

static uint64_t content_of_column(const struct chunk_view *chunk, uint32_t column) {
    const struct column_info *info = &chunk->table->archetype->columns[column];
    const void *columns[COSM_ARCHETYPE_COLUMN_MAX];
    point_at(chunk, column, 0, columns);
    struct cells cells = {column_type(chunk->view, info), info, columns, chunk->rows};
    uint64_t sum = 0;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        const cosm_ticket *tickets = columns[0];
        uint64_t value = info->managed != NULL
                             ? hash_ticket(chunk->view, info->managed, &tickets[row])
                             : cosmi_hash_cell(&cells, row);
        sum += fact_of(row_key(chunk, row), value);
    }
    return sum;
}

static uint64_t content_of_component(const struct chunk_view *chunk, uint32_t component) {
    const struct hash_view *view = chunk->view;
    const struct archetype *archetype = chunk->table->archetype;
    const struct value_type *type = schema_component(view->schema, component);
    uint32_t shared = archetype_shared_slot(archetype, component);
    if (shared < archetype->shared_count) {
        return content_of_all(chunk,
                              cosmi_hash_value(type, cosmi_view_shared(chunk->table, shared)));
    }
    const struct column_slot *slot = archetype_find(archetype, component);
    return slot->column == 0 ? content_of_all(chunk, cosmi_hash_value(type, NULL))
                             : content_of_column(chunk, slot->column);
}

static uint64_t hash_table_content(const struct hash_view *view, const struct table_view *table) {
    const struct archetype *archetype = table->archetype;
    uint64_t sum = 0;
    for (uint32_t c = 0; c <= (table->count - 1) / archetype->chunk_rows; c++) {
        struct chunk_view chunk = chunk_of(view, table, c);
        sum += content_of_all(&chunk, FACT_ENTITY);
        for (uint32_t i = 0; i < archetype->component_count; i++) {
            sum += content_of_component(&chunk, archetype->components[i]);
        }
    }
    return sum;
}

// What entities have beside their tables, added up: where the records lie does not count.
static uint64_t hash_sectors(const struct hash_view *view) {
    struct sector_view sectors;
    uint64_t sum = 0;
    for (uint32_t at = 0; cosmi_view_sectors(view, &at, &sectors);) {
        for (uint32_t place = 0; place < sectors.place_end; place++) {
            const cosm_sector *sector = cosmi_view_sector(&sectors, place);
            for (uint32_t m = 0; sector->live >> m != 0; m++) {
                if ((sector->live >> m & 1) != 0) {
                    const struct value_type *type =
                        schema_component(view->schema, sectors.group->components[m]);
                    const void *value = cosmi_view_member(view, &sectors, place, m);
                    sum += fact_of(entity_key(sector->entity), cosmi_hash_value(type, value));
                }
            }
        }
    }
    return sum;
}

// Generations of all ids and the order of free ones. Promised ids count as such whether or not
// they have been taken off the free list yet. Where an entity stands is in its table.
static uint64_t hash_directory(const struct hash_view *view) {
    struct directory_image ids = cosmi_view_directory(view);
    uint64_t hash = hash_u64(ids.fresh_deaths, (uint64_t)ids.used + ids.promised_fresh);
    uint32_t end = ids.used + ids.promised_fresh;
    end = ids.known > end ? ids.known : end;
    for (uint32_t id = 0; id < end; id++) {
        uint32_t gen = id < ids.known ? cosmi_view_record(view, id)->gen : 2u * ids.fresh_deaths;
        hash = hash_u64(hash, gen);
    }
    uint32_t id = ids.free_head;
    for (uint32_t i = 0; id != ID_NONE; i++, id = cosmi_view_record(view, id)->row) {
        hash = i < ids.promised_free ? hash : hash_u64(hash, id);
    }
    return hash;
}

// Who follows whom under which parent says all of a tree.
static uint64_t hash_tree(const struct hash_view *view) {
    uint32_t end = cosmi_view_link_end(view);
    uint64_t hash = 0;
    for (uint32_t id = 0; id < end; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            hash = hash_u64(hash, (uint64_t)link->parent << 32 | id);
            hash = hash_u64(hash, link->next);
        }
    }
    return hash;
}

static cosm_entity entity_of_id(const struct hash_view *view, uint32_t id) {
    return (cosm_entity){.gen = cosmi_view_record(view, id)->gen, .id = id};
}

// Who has which parent.
static uint64_t content_of_tree(const struct hash_view *view) {
    uint32_t end = cosmi_view_link_end(view);
    uint64_t sum = 0;
    for (uint32_t id = 0; id < end; id++) {
        const struct link *link = cosmi_view_link(view, id);
        if (link != NULL && link->parent != ID_NONE) {
            uint64_t parent = entity_key(entity_of_id(view, link->parent));
            sum += fact_of(entity_key(entity_of_id(view, id)), hash_u64(FACT_PARENT, parent));
        }
    }
    return sum;
}

static uint64_t hash_singletons(const struct hash_view *view) {
    uint64_t sum = 0;
    for (uint32_t id = 1; id < cosmi_view_singleton_end(view); id++) {
        const void *value = cosmi_view_singleton(view, id);
        if (value != NULL) {
            const struct value_type *type = schema_singleton(view->schema, id);
            sum += hash_u64(FACT_SINGLETON, cosmi_hash_value(type, value));
        }
    }
    return sum;
}

static uint64_t hash_stream(const struct hash_view *view) {
    struct stream_image stream = cosmi_view_stream(view);
    return hash_u64(hash_u64(hash_u64(0, stream.seed), stream.step), stream.world);
}

uint64_t cosmi_hash_view(const struct hash_view *view, cosm_hash_kind kind) {
    bool is_content = kind == COSM_HASH_CONTENT;
    struct table_view table;
    uint64_t tables = 0;
    for (size_t at = 0; cosmi_view_table(view, &at, &table);) {
        tables += is_content ? hash_table_content(view, &table) : hash_table_exact(view, &table);
    }
    uint64_t beside = hash_sectors(view);
    if (is_content) {
        return hash_u64(hash_singletons(view), tables + beside + content_of_tree(view));
    }
    uint64_t hash = hash_u64(hash_directory(view), tables);
    hash = hash_u64(hash_u64(hash, beside), hash_tree(view));
    hash = hash_u64(hash, hash_singletons(view));
    return kind == COSM_HASH_STORED ? hash : hash_u64(hash, hash_stream(view));
}
