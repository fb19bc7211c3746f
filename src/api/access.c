// The public calls of cosm/entity.h that look at entities and at their components.
#include <cosm/entity.h>
#include <cosm/fast.h>

#include "api/managed.h"
#include "api/typed.h"
#include "run/checks.h"
#include "store/change.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/values.h"

// Entities ahead of the one at hand whose records and cells are fetched into the cache: enough to
// cover a memory access with the look-ups in between.
#define PREFETCH_DISTANCE 16u

static inline struct record *find_record(cosm_world world, cosm_entity entity) {
    return LIKELY(world_exists(world)) ? directory_find(&world.batch->worlds[world.index], entity)
                                       : NULL;
}

bool cosm_entity_is_alive(cosm_world world, cosm_entity entity) {
    return find_record(world, entity) != NULL;
}

// Has the entity a plain component?
static bool has_component(cosm_world world, cosm_entity entity, const struct store *store,
                          uint32_t component) {
    if (LIKELY(archetype_find(store->archetype, component) != NULL)) {
        return true;
    }
    const struct value_type *type = schema_component(world.batch->schema, component);
    return type != NULL && type->storage == COSM_STORAGE_SECTOR &&
           cosmi_sector_value(world.batch, world.index, type, entity) != NULL;
}

bool cosm_entity_has(cosm_world world, cosm_entity entity, cosm_component component) {
    const struct record *record = find_record(world, entity);
    if (record == NULL) {
        return false;
    }
    const struct store *store = world_store(world.batch, world.index, record->table);
    const struct bundle *bundle = schema_bundle(world.batch->schema, component.id);
    if (bundle == NULL) {
        return has_component(world, entity, store, component.id);
    }
    bool has_all = true;
    for (uint32_t i = 0; has_all && i < bundle->member_count; i++) {
        has_all = has_component(world, entity, store, bundle->members[i]);
    }
    return has_all;
}

cosm_archetype cosm_entity_archetype(cosm_world world, cosm_entity entity) {
    const struct record *record = find_record(world, entity);
    return (cosm_archetype){
        record == NULL ? 0 : world_store(world.batch, world.index, record->table)->archetype->id};
}

cosm_loc cosm_entity_loc(cosm_world world, cosm_entity entity) {
    const struct record *record = find_record(world, entity);
    return record == NULL ? COSM_LOC_NONE : (cosm_loc){record->table, record->row};
}

// The store of a place, or NULL when there is no such row.
static inline const struct store *loc_store(cosm_world world, cosm_loc loc) {
    if (!world_exists(world)) {
        return NULL;
    }
    const struct store *store = loc.table < GROUP_FIRST
                                    ? batch_store(world.batch, loc.table)
                                    : cosmi_shared_find(world.batch, world.index, loc.table);
    return store != NULL && loc.row < store->counts[world.index] ? store : NULL;
}

cosm_entity cosm_entity_at(cosm_world world, cosm_loc loc) {
    const struct store *store = loc_store(world, loc);
    if (store == NULL || store->archetype->temporary) {
        return COSM_ENTITY_NONE;
    }
    const void *cell = store_cell(store, store_table(store, world.index), world.index,
                                  ENTITY_COLUMN, loc.row, sizeof(cosm_entity));
    return *(const cosm_entity *)cell;
}

static inline void *store_value(const struct store *store, uint32_t world, uint32_t row,
                                uint32_t component) {
    const struct column_slot *slot = store_find(store, component);
    if (slot == NULL || slot->size == 0) {
        return NULL;
    }
    return store_cell(store, store_table(store, world), world, slot->column, row, slot->size);
}

// What a table has no cell of: a shared value, an object, or a message where that is because of the
// layout.
COLD static void *far_value(cosm_world world, const struct store *store, uint32_t row,
                            uint32_t component, bool write, const char *call) {
    const struct column_slot *slot = store_find(store, component);
    const struct shared_value *shared = cosmi_store_shared(store, component);
    if (shared != NULL && write) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: component '%s' is shared with other entities and cannot be written "
                         "in place; use cosm_entity_set",
                         call, shared->type->name);
        return NULL;
    }
    if (shared != NULL) {
        return shared->bytes;
    }
    if (slot == NULL || !slot_is_apart(slot)) {
        return NULL;
    }
    if (slot_is_managed(store->archetype, slot)) {
        return managed_row(world.batch, store, world.index, slot->column, row);
    }
    return cosmi_refuse_split(world.batch, call, component,
                              "copy it with cosm_entity_get and cosm_entity_set");
}

// What is not in a cell of the entity's table: a sector component, or what is told above.
APART static void *value_elsewhere(cosm_world world, cosm_entity entity, const struct store *store,
                                   uint32_t row, uint32_t component, bool write, const char *call) {
    const struct value_type *type = schema_component(world.batch->schema, component);
    if (type != NULL && type->storage == COSM_STORAGE_SECTOR) {
        void *value = cosmi_sector_value(world.batch, world.index, type, entity);
        return type->size == 0 ? NULL : value;
    }
    return far_value(world, store, row, component, write, call);
}

// Write access to one value: what follows from it.
static inline void open_value(cosm_world world, const struct store *store, uint32_t row,
                              uint32_t component) {
    if (UNLIKELY((store_sides(store) & SIDE_TICKS) != 0)) {
        cosmi_change_set(world, store, component, row, 1);
    }
}

static inline void *entity_value(cosm_world world, cosm_entity entity, cosm_component component,
                                 bool write, const char *call) {
    const struct record *record = find_record(world, entity);
    if (UNLIKELY(record == NULL)) {
        return NULL;
    }
    const struct store *store = world_store(world.batch, world.index, record->table);
    void *value = store_value(store, world.index, record->row, component.id);
    if (write) {
        open_value(world, store, record->row, component.id);
    }
    return LIKELY(value != NULL)
               ? value
               : value_elsewhere(world, entity, store, record->row, component.id, write, call);
}

static inline void check_access(cosm_world world, cosm_component component, bool write,
                                const char *call) {
    if (world_exists(world)) {
        cosmi_check_component(world.batch, world.index, component.id, write, call);
    }
}

// The same for one row. In builds without checks nothing is looked up.
static inline void check_loc(cosm_world world, cosm_loc loc, cosm_component component, bool write,
                             const char *call) {
    check_access(world, component, write, call);
#ifdef COSM_CHECKS
    const struct store *store = loc_store(world, loc);
    if (store != NULL) {
        cosmi_check_cell(world.batch, world.index, store->archetype, loc.row, component.id, write,
                         call);
    }
#else
    (void)loc;
#endif
}

static inline void check_entity(cosm_world world, cosm_entity entity, cosm_component component,
                                bool write, const char *call) {
#ifdef COSM_CHECKS
    check_loc(world, cosm_entity_loc(world, entity), component, write, call);
#else
    (void)entity;
    check_access(world, component, write, call);
#endif
}

bool cosm_entity_get(cosm_world world, cosm_entity entity, cosm_component component,
                     void *out_value) {
    static const char call[] = "cosm_entity_get";
    const struct record *record = find_record(world, entity);
    if (record == NULL || out_value == NULL) {
        return false;
    }
    const struct store *store = world_store(world.batch, world.index, record->table);
    const struct column_slot *slot = store_find(store, component.id);
    const struct shared_value *shared = cosmi_store_shared(store, component.id);
    if (slot == NULL) {
        const void *value =
            value_elsewhere(world, entity, store, record->row, component.id, false, call);
        if (value != NULL) {
            check_entity(world, entity, component, false, call);
            memmove(out_value, value, schema_component(world.batch->schema, component.id)->size);
        }
        return value != NULL;
    }
    if (slot->column == 0 && shared == NULL) {
        return false;
    }
    check_entity(world, entity, component, false, call);
    if (shared != NULL) {
        memmove(out_value, shared->bytes, shared->type->size);
        return true;
    }
    void *const *columns = store_table(store, world.index)->columns;
    size_t at = store_first(store, world.index) + record->row;
    if (slot_is_managed(store->archetype, slot)) {
        return cosmi_refuse_managed(world.batch, "cosm_entity_get", component.id,
                                    "look at it with cosm_entity_read") != NULL;
    }
    if (slot_is_split(store->archetype, slot)) {
        cosmi_split_read(store->archetype, slot, columns, at, out_value);
    } else {
        memmove(out_value, (const char *)columns[slot->column] + at * slot->size, slot->size);
    }
    return true;
}

const void *cosm_entity_read(cosm_world world, cosm_entity entity, cosm_component component) {
    static const char call[] = "cosm_entity_read";
    check_entity(world, entity, component, false, call);
    return entity_value(world, entity, component, false, call);
}

void *cosm_entity_write(cosm_world world, cosm_entity entity, cosm_component component) {
    static const char call[] = "cosm_entity_write";
    check_entity(world, entity, component, true, call);
    return entity_value(world, entity, component, true, call);
}

const void *cosm_entity_read_key(cosm_world world, cosm_entity entity, uint64_t key, size_t size,
                                 const char *name) {
    static const char call[] = "COSM_READ";
    const struct value_type *found = typed_component(world, (cosm_type){name, size, key}, call);
    if (UNLIKELY(found == NULL)) {
        return NULL;
    }
    check_entity(world, entity, (cosm_component){found->id}, false, call);
    return entity_value(world, entity, (cosm_component){found->id}, false, call);
}

void *cosm_entity_write_key(cosm_world world, cosm_entity entity, uint64_t key, size_t size,
                            const char *name) {
    static const char call[] = "COSM_WRITE";
    const struct value_type *found = typed_component(world, (cosm_type){name, size, key}, call);
    if (UNLIKELY(found == NULL)) {
        return NULL;
    }
    check_entity(world, entity, (cosm_component){found->id}, true, call);
    return entity_value(world, entity, (cosm_component){found->id}, true, call);
}

// The record of an entity further on and the cell of this one are fetched meanwhile.
static uint32_t find_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                          cosm_component component, void **out_values, bool write,
                          const char *call) {
    if (out_values == NULL) {
        return 0;
    }
    if (!world_exists(world) || entities == NULL) {
        for (uint32_t i = 0; i < count; i++) {
            out_values[i] = NULL;
        }
        return 0;
    }
    const struct world *inner = &world.batch->worlds[world.index];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (count - i > PREFETCH_DISTANCE && entities[i + PREFETCH_DISTANCE].id < inner->used) {
            PREFETCH(&inner->records[entities[i + PREFETCH_DISTANCE].id]);
        }
        check_entity(world, entities[i], component, write, call);
        out_values[i] = entity_value(world, entities[i], component, write, call);
        if (out_values[i] != NULL) {
            PREFETCH(out_values[i]);
            found++;
        }
    }
    return found;
}

uint32_t cosm_entity_write_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                cosm_component component, void **out_values) {
    return find_many(world, entities, count, component, out_values, true, "cosm_entity_write_many");
}

uint32_t cosm_entity_read_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                               cosm_component component, const void **out_values) {
    // The same array: the callee writes object pointers, the caller reads them as const.
    return find_many(world, entities, count, component, (void **)out_values, false,
                     "cosm_entity_read_many");
}

static void *loc_value(cosm_world world, cosm_loc loc, cosm_component component, bool write,
                       const char *call) {
    const struct store *store = loc_store(world, loc);
    if (store == NULL) {
        return NULL;
    }
    void *value = store_value(store, world.index, loc.row, component.id);
    if (write) {
        open_value(world, store, loc.row, component.id);
    }
    return LIKELY(value != NULL) ? value
                                 : value_elsewhere(world, cosm_entity_at(world, loc), store,
                                                   loc.row, component.id, write, call);
}

void *cosm_loc_write(cosm_world world, cosm_loc loc, cosm_component component) {
    static const char call[] = "cosm_loc_write";
    check_loc(world, loc, component, true, call);
    return loc_value(world, loc, component, true, call);
}

const void *cosm_loc_read(cosm_world world, cosm_loc loc, cosm_component component) {
    static const char call[] = "cosm_loc_read";
    check_loc(world, loc, component, false, call);
    return loc_value(world, loc, component, false, call);
}

static void *unchecked_value(cosm_world world, cosm_loc loc, cosm_column column, bool write,
                             const char *call) {
    INVARIANT(loc_store(world, loc) != NULL, "the row of an unchecked access exists");
    INVARIANT(column.index > 0, "the column of an unchecked access is one");
    const struct store *store = world_store(world.batch, world.index, loc.table);
    INVARIANT(column.archetype == store->archetype->id,
              "the column of an unchecked access is of the row's archetype");
    INVARIANT(column.index < store->archetype->column_count, "the column exists");
    const struct column_info *info = &store->archetype->columns[column.index];
    check_loc(world, loc, (cosm_component){info->component}, write, call);
    if (write) {
        open_value(world, store, loc.row, info->component);
    }
    return store_cell(store, store_table(store, world.index), world.index, column.index, loc.row,
                      info->size);
}

void *cosm_loc_write_unchecked(cosm_world world, cosm_loc loc, cosm_column column) {
    return unchecked_value(world, loc, column, true, "cosm_loc_write_unchecked");
}

const void *cosm_loc_read_unchecked(cosm_world world, cosm_loc loc, cosm_column column) {
    return unchecked_value(world, loc, column, false, "cosm_loc_read_unchecked");
}
