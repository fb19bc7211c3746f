// What does not fit the engine's tables: values of types that it does not know are dropped; values
// of types that it stores in another way go through lists by entity to where they belong.
#include <stdlib.h>
#include <string.h>

#include "state/load.h"

// Rows of a table, and for each the value that it is to have.
struct picked_row {
    uint32_t row;
    struct load_value value;
};

static bool is_member_direct(const struct load_job *job, const struct load_member *member) {
    return job->types[member->type].fate == LOAD_DIRECT;
}

static bool is_set_direct(const struct load_job *job, const struct load_set *set) {
    bool direct = true;
    for (uint32_t m = 0; m < set->member_count; m++) {
        direct = direct && is_member_direct(job, &set->members[m]);
    }
    return direct;
}

// The value of a row as it becomes an entry of a list; false when out of memory. `*out_value` has
// no bytes where there is no value.
static bool row_value(struct load_job *job, struct load_world *world,
                      const struct load_table *table, const struct load_member *member,
                      uint32_t shared_slot, uint32_t row, struct load_value *out_value) {
    uint32_t size = job->files[member->type].size;
    *out_value = (struct load_value){"", 0};
    if (member->storage == COSM_STORAGE_SHARED) {
        *out_value = table->shared[shared_slot];
    } else if (member->storage == COSM_STORAGE_MANAGED) {
        const struct load_managed *managed = cosmi_load_find_managed(world, member->type);
        cosm_ticket ticket;
        memcpy(&ticket, load_cell(&table->columns[member->column], row), sizeof(ticket));
        bool has_object = managed != NULL && ticket.id - 1 < managed->used;
        *out_value = has_object ? managed->objects[ticket.id - 1] : (struct load_value){NULL, 0};
    } else if (member->part_count == 0 && size > 0) {
        *out_value = (struct load_value){load_cell(&table->columns[member->column], row), size};
    } else if (size > 0) {
        unsigned char *whole = cosmi_arena_take(&job->world_arena, size, 16);
        if (whole == NULL) {
            return false;
        }
        cosmi_load_values(job, table, member, row, 1, whole);
        *out_value = (struct load_value){whole, size};
    }
    return true;
}

// Puts the values of a member into the list of its type. Not of rows without handles: a list could
// not name them.
static bool detach_member(struct load_job *job, struct load_world *world,
                          const struct load_table *table, const struct load_member *member,
                          uint32_t shared_slot) {
    struct load_list *list = cosmi_load_list(job, world, member->type);
    for (uint32_t row = 0; list != NULL && row < table->count; row++) {
        struct load_value value;
        if (!row_value(job, world, table, member, shared_slot, row, &value) ||
            (value.bytes != NULL &&
             !cosmi_load_list_add(job, list, load_entity(table, row), value))) {
            return false;
        }
    }
    return list != NULL;
}

// A copy of a set in the arena of the world, with room for one member more.
static struct load_set *copy_load_set(struct load_job *job, const struct load_set *set) {
    struct load_set *copy = cosmi_arena_take(&job->world_arena, sizeof(*copy), 16);
    struct load_member *members =
        cosmi_arena_take(&job->world_arena, (set->member_count + 1) * sizeof(*members), 16);
    if (copy == NULL || members == NULL) {
        return NULL;
    }
    *copy = *set;
    copy->archetype = NULL;
    copy->members = members;
    if (set->member_count > 0) {
        memcpy(members, set->members, set->member_count * sizeof(*members));
    }
    return copy;
}

// Takes what is not stored as it was out of a table. Columns that nobody names stay where they are.
static cosm_result detach_table(struct load_job *job, struct load_world *world,
                                struct load_table *table) {
    struct load_set *set = copy_load_set(job, table->set);
    struct load_value *shared =
        cosmi_arena_take(&job->world_arena, (table->set->shared_count + 1) * sizeof(*shared), 16);
    if (set == NULL || shared == NULL) {
        return load_fail_memory(job);
    }
    uint32_t slot = 0;
    set->member_count = 0;
    set->shared_count = 0;
    for (uint32_t m = 0; m < table->set->member_count; m++) {
        const struct load_member *member = &table->set->members[m];
        bool is_shared = member->storage == COSM_STORAGE_SHARED;
        if (is_member_direct(job, member)) {
            set->members[set->member_count++] = *member;
            if (is_shared) {
                shared[set->shared_count++] = table->shared[slot];
            }
        } else if (job->types[member->type].fate == LOAD_DROPPED) {
            job->order->report->dropped_count += table->count;
        } else if (!set->temporary) {
            if (!detach_member(job, world, table, member, slot)) {
                return load_fail_memory(job);
            }
        } else {
            return cosmi_convert_fail_storage(&job->types[member->type].conversion);
        }
        slot += is_shared;
    }
    table->set = set;
    table->shared = shared;
    return COSM_OK;
}

// A table of some rows of another one, with room for a column and a shared value more.
static bool gather_rows(struct load_job *job, const struct load_table *table,
                        const struct picked_row *rows, uint32_t count,
                        struct load_table *out_table) {
    const struct load_set *set = table->set;
    *out_table = *table;
    out_table->count = count;
    out_table->is_apart = false;
    out_table->columns = cosmi_arena_take(
        &job->world_arena, (set->column_count + 1) * sizeof(*out_table->columns), 16);
    out_table->shared = cosmi_arena_take(&job->world_arena,
                                         (set->shared_count + 1) * sizeof(*out_table->shared), 16);
    struct load_stretch *stretches =
        cosmi_arena_take(&job->world_arena, (set->column_count + 1) * sizeof(*stretches), 16);
    if (out_table->columns == NULL || out_table->shared == NULL || stretches == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < set->shared_count; i++) {
        out_table->shared[i] = table->shared[i];
    }
    for (uint32_t c = 0; c < set->column_count; c++) {
        size_t size = table->columns[c].size;
        unsigned char *bytes = cosmi_arena_take(&job->world_arena, count * size + 1, 16);
        if (bytes == NULL) {
            return false;
        }
        for (uint32_t i = 0; size > 0 && i < count; i++) {
            memcpy(bytes + i * size, load_cell(&table->columns[c], rows[i].row), size);
        }
        stretches[c] = (struct load_stretch){bytes, NULL};
        out_table->columns[c] = (struct load_column){(uint32_t)size, count, &stretches[c]};
    }
    out_table->columns[set->column_count].stretches = &stretches[set->column_count];
    return true;
}

// New objects for rows: their tickets.
static bool add_objects(struct load_job *job, struct load_world *world, uint32_t type,
                        const struct picked_row *rows, uint32_t count, cosm_ticket *out_tickets) {
    struct load_managed *managed = cosmi_load_find_managed(world, type);
    if (managed == NULL) {
        struct load_managed *items = cosmi_load_grow(job, world->managed, &world->managed_capacity,
                                                     world->managed_count, sizeof(*items));
        if (items == NULL) {
            return false;
        }
        world->managed = items;
        managed = &items[world->managed_count++];
        *managed = (struct load_managed){.type = type};
    }
    for (uint32_t i = 0; i < count; i++) {
        struct load_value *objects = cosmi_load_grow(job, managed->objects, &managed->capacity,
                                                     managed->used, sizeof(*objects));
        if (objects == NULL) {
            return false;
        }
        managed->objects = objects;
        objects[managed->used++] = rows[i].value;
        out_tickets[i] = (cosm_ticket){managed->used};
    }
    return true;
}

// Gives the rows of a table that was gathered a member, stored as the engine does.
static bool attach_member(struct load_job *job, struct load_world *world, struct load_table *table,
                          uint32_t type, const struct picked_row *rows) {
    struct load_set *set = copy_load_set(job, table->set);
    if (set == NULL) {
        return false;
    }
    struct load_member *member = &set->members[set->member_count++];
    uint32_t size = job->files[type].size;
    *member = (struct load_member){
        .type = type, .storage = job->types[type].type->storage, .column = set->column_count};
    table->set = set;
    if (member->storage == COSM_STORAGE_SHARED) {
        table->shared[set->shared_count++] = rows[0].value;
        return true;
    }
    bool is_managed = member->storage == COSM_STORAGE_MANAGED;
    size = is_managed ? (uint32_t)sizeof(cosm_ticket) : size;
    if (size == 0) {
        return true;
    }
    unsigned char *bytes = cosmi_arena_take(&job->world_arena, (size_t)table->count * size, 16);
    if (bytes == NULL) {
        return false;
    }
    if (is_managed) {
        if (!add_objects(job, world, type, rows, table->count, (cosm_ticket *)(void *)bytes)) {
            return false;
        }
    } else {
        for (uint32_t i = 0; i < table->count; i++) {
            memcpy(bytes + (size_t)i * size, rows[i].value.bytes, size);
        }
    }
    struct load_column *column = &table->columns[set->column_count++];
    member->column_count = 1;
    column->size = size;
    column->stretch_rows = table->count;
    *column->stretches = (struct load_stretch){bytes, NULL};
    return true;
}

// By value, then by row.
static int compare_picked(const void *a_pointer, const void *b_pointer) {
    const struct picked_row *a = a_pointer;
    const struct picked_row *b = b_pointer;
    size_t size = a->value.size < b->value.size ? a->value.size : b->value.size;
    int order = size == 0 ? 0 : memcmp(a->value.bytes, b->value.bytes, size);
    if (order == 0 && a->value.size != b->value.size) {
        order = a->value.size < b->value.size ? -1 : 1;
    }
    return order != 0 ? order : a->row < b->row ? -1 : 1;
}

static bool is_value_equal(const struct picked_row *a, const struct picked_row *b) {
    return a->value.size == b->value.size &&
           (a->value.size == 0 || memcmp(a->value.bytes, b->value.bytes, a->value.size) == 0);
}

// Puts rows that get a value into tables of their own; of a shared one a table for each value.
static bool put_picked(struct load_job *job, struct load_world *world,
                       const struct load_table *table, uint32_t type, struct picked_row *rows,
                       uint32_t count) {
    bool is_shared = job->types[type].type->storage == COSM_STORAGE_SHARED;
    if (is_shared) {
        qsort(rows, count, sizeof(*rows), compare_picked);
    }
    for (uint32_t from = 0; from < count;) {
        uint32_t to = is_shared ? from + 1 : count;
        while (to < count && is_value_equal(&rows[from], &rows[to])) {
            to++;
        }
        struct load_tables *tables = &world->tables;
        struct load_table *items =
            cosmi_load_grow(job, tables->items, &tables->capacity, tables->count, sizeof(*items));
        if (items == NULL) {
            return false;
        }
        tables->items = items;
        struct load_table *made = &items[tables->count];
        if (!gather_rows(job, table, &rows[from], to - from, made) ||
            !attach_member(job, world, made, type, &rows[from])) {
            return false;
        }
        tables->count++;
        from = to;
    }
    return true;
}

// Where in a list the value of each id is: from 1 on; 0 where it has none.
static uint32_t *index_list(struct load_job *job, const struct load_world *world,
                            const struct load_list *list) {
    size_t size = (world->known + 1) * sizeof(uint32_t);
    uint32_t *places = cosmi_arena_take(&job->world_arena, size, 16);
    if (places == NULL) {
        return NULL;
    }
    memset(places, 0, size);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t id = list->entities[i].id;
        if (id < world->known && places[id] == 0) {
            places[id] = i + 1;
        }
    }
    return places;
}

// Where in a list the value of a row is, from 1 on; 0 where it has none.
static uint32_t listed(const struct load_world *world, const struct load_list *list,
                       const uint32_t *places, cosm_entity entity) {
    uint32_t place = entity.id < world->known ? places[entity.id] : 0;
    return place > 0 && list->entities[place - 1].gen == entity.gen ? place : 0;
}

// Rows of the table whose entities are in the list are put elsewhere; the others stay.
static bool split_table(struct load_job *job, struct load_world *world, uint32_t index,
                        const struct load_list *list, const uint32_t *places) {
    struct load_table table = world->tables.items[index];
    for (uint32_t m = 0; m < table.set->member_count; m++) {
        if (table.set->members[m].type == list->type) {
            return true; // what an entity has itself counts
        }
    }
    struct picked_row *rows = cosmi_arena_take(&job->world_arena, table.count * sizeof(*rows), 16);
    if (rows == NULL) {
        return false;
    }
    // Those that go from the front, then those that stay.
    uint32_t gone = 0;
    for (uint32_t r = 0; r < table.count; r++) {
        uint32_t place = listed(world, list, places, load_entity(&table, r));
        if (place > 0) {
            rows[gone++] = (struct picked_row){r, list->values[place - 1]};
        }
    }
    if (gone == 0) {
        return true;
    }
    uint32_t end = gone;
    for (uint32_t r = 0; r < table.count; r++) {
        if (listed(world, list, places, load_entity(&table, r)) == 0) {
            rows[end++] = (struct picked_row){.row = r};
        }
    }
    world->tables.items[index].count = 0;
    if (gone < table.count &&
        !gather_rows(job, &table, &rows[gone], table.count - gone, &world->tables.items[index])) {
        return false;
    }
    return put_picked(job, world, &table, list->type, rows, gone);
}

static bool attach_to_rows(struct load_job *job, struct load_world *world,
                           const struct load_list *list) {
    const uint32_t *places = index_list(job, world, list);
    uint32_t count = world->tables.count;
    bool done = places != NULL;
    for (uint32_t t = 0; done && t < count; t++) {
        done = world->tables.items[t].set->temporary || world->tables.items[t].count == 0 ||
               split_table(job, world, t, list, places);
    }
    return done;
}

static struct load_sector *need_sector(struct load_job *job, struct load_world *world,
                                       const struct sector_group *group) {
    struct load_sector *found = NULL;
    for (uint32_t i = 0; i < world->sector_count; i++) {
        found = world->sectors[i].group == group ? &world->sectors[i] : found;
    }
    if (found == NULL) {
        struct load_sector *items = cosmi_load_grow(job, world->sectors, &world->sector_capacity,
                                                    world->sector_count, sizeof(*items));
        if (items == NULL) {
            return NULL;
        }
        world->sectors = items;
        found = &items[world->sector_count++];
        *found = (struct load_sector){.group = group};
    }
    if (found->places == NULL) {
        size_t size = (world->known + 1) * sizeof(uint32_t);
        found->places = cosmi_arena_take(&job->world_arena, size, 16);
        if (found->places == NULL) {
            return NULL;
        }
        memset(found->places, 0, size);
        for (uint32_t p = 0; p < found->count; p++) {
            uint32_t id = found->records[p].entity.id;
            if (id < world->known) {
                found->places[id] = p + 1;
            }
        }
    }
    return found;
}

// A new record, behind the others.
static struct load_record *attach_record(struct load_job *job, struct load_sector *sector) {
    uint32_t members = sector->group->member_count;
    uint32_t capacity = sector->capacity;
    struct load_record *records =
        cosmi_load_grow(job, sector->records, &capacity, sector->count, sizeof(*records));
    struct load_value *values = cosmi_load_grow(job, sector->values, &sector->capacity,
                                                sector->count, members * sizeof(*values));
    if (records == NULL || values == NULL) {
        return NULL;
    }
    sector->records = records;
    sector->values = values;
    memset(&values[(size_t)sector->count * members], 0, members * sizeof(*values));
    return &records[sector->count++];
}

static cosm_result attach_to_sector(struct load_job *job, struct load_world *world,
                                    const struct load_list *list) {
    const struct value_type *type = job->types[list->type].type;
    const struct sector_group *group =
        cosmi_sector_group_need(job->order->schema, job->order->call, type);
    if (group == NULL) {
        return cosm_error_result();
    }
    struct load_sector *sector = need_sector(job, world, group);
    for (uint32_t i = 0; sector != NULL && i < list->count; i++) {
        cosm_entity entity = list->entities[i];
        if (entity.id >= world->known) {
            return cosmi_block_refuse(&job->blocks, &job->block,
                                      "a value belongs to an entity that the world never had");
        }
        uint32_t place = sector->places[entity.id];
        struct load_record *record =
            place > 0 ? &sector->records[place - 1] : attach_record(job, sector);
        if (record == NULL) {
            return load_fail_memory(job);
        }
        if (place == 0 || record->live == 0) {
            *record = (struct load_record){entity, 0};
        }
        place = (uint32_t)(record - sector->records);
        sector->places[entity.id] = place + 1;
        if (record->entity.gen == entity.gen && (record->live >> type->sector_member & 1) == 0) {
            record->live |= (uint64_t)1 << type->sector_member;
            sector->values[(size_t)place * group->member_count + type->sector_member] =
                list->values[i];
        }
    }
    return sector == NULL ? load_fail_memory(job) : COSM_OK;
}

// Has the world something that is not stored as it was?
static bool needs_regroup(const struct load_job *job, const struct load_world *world) {
    bool needed = false;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        needed = needed || !is_set_direct(job, world->tables.items[i].set);
    }
    for (uint32_t i = 0; i < world->list_count; i++) {
        needed = true;
    }
    return needed;
}

static void drop_empty_tables(struct load_world *world) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        if (world->tables.items[i].count > 0) {
            world->tables.items[kept++] = world->tables.items[i];
        }
    }
    world->tables.count = kept;
}

cosm_result cosmi_load_regroup(struct load_job *job, struct load_world *world) {
    if (!needs_regroup(job, world)) {
        return COSM_OK;
    }
    world->is_regrouped = true;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        struct load_table *table = &world->tables.items[i];
        cosm_result result =
            is_set_direct(job, table->set) ? COSM_OK : detach_table(job, world, table);
        if (result != COSM_OK) {
            return result;
        }
    }
    for (uint32_t i = 0; i < world->list_count; i++) {
        const struct load_list *list = &world->lists[i];
        const struct load_type *type = &job->types[list->type];
        if (type->type->storage == COSM_STORAGE_SECTOR) {
            cosm_result result = attach_to_sector(job, world, list);
            if (result != COSM_OK) {
                return result;
            }
        } else if (!attach_to_rows(job, world, list)) {
            return load_fail_memory(job);
        }
    }
    drop_empty_tables(world);
    return COSM_OK;
}
