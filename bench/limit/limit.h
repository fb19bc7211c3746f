// The plain C that Cosm is measured against: one table of movers and its handles.
//
// One array per component, aligned to 64 bytes, rows dense. A handle is {gen, id}; the record of
// an id says which generation is alive and in which row it is. Ids that are free form a list
// through the same records. 12 bytes per entity beside the components:
//
//     handle {gen, id} --> records[id] {gen, row} --> position[row], velocity[row], ids[row]
//
// This is what one would write by hand for just this program: no other component can ever come, no
// other table, and everything is inline.
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include "bench.h"
#include "work.h"

#define LIMIT_NONE UINT32_MAX

struct limit_handle {
    uint32_t gen;
    uint32_t id;
};

struct limit_record {
    uint32_t gen;   // goes up by one when the entity dies
    uint32_t index; // its row; of a free id, the next free id
};

struct limit_movers {
    Position *position;
    Velocity *velocity;
    uint32_t *ids; // of each row: who lives there
    struct limit_record *records;
    uint32_t count;     // rows
    uint32_t capacity;  // of all arrays
    uint32_t id_count;  // ids handed out so far
    uint32_t free_head; // first free id below id_count, or LIMIT_NONE
};

// Room for `capacity` entities; nothing is touched yet but what calloc must.
void limit_movers_create(struct limit_movers *movers, uint32_t capacity);
void limit_movers_destroy(struct limit_movers *movers);

// Doubles the capacity.
void limit_movers_grow(struct limit_movers *movers);

// A sum over all rows.
uint64_t limit_movers_hash(const struct limit_movers *movers);

// Rows [0, count) with ids in order, for the rows that start from a full table.
void limit_movers_fill(struct limit_movers *movers, uint32_t count);

// Spawns `count` rows and returns the first; the caller fills their columns.
uint32_t limit_movers_spawn_many(struct limit_movers *movers, uint32_t count);

// Despawns everything: no handle out there may be found alive again.
void limit_movers_clear(struct limit_movers *movers);

static inline struct limit_handle limit_movers_spawn(struct limit_movers *movers, Position position,
                                                     Velocity velocity) {
    uint32_t id = movers->free_head;
    if (id != LIMIT_NONE) {
        movers->free_head = movers->records[id].index;
    } else {
        if (movers->id_count == movers->capacity) {
            limit_movers_grow(movers);
        }
        id = movers->id_count++;
    }
    uint32_t row = movers->count++;
    movers->position[row] = position;
    movers->velocity[row] = velocity;
    movers->ids[row] = id;
    movers->records[id].index = row;
    return (struct limit_handle){movers->records[id].gen, id};
}

static inline bool limit_movers_is_alive(const struct limit_movers *movers,
                                         struct limit_handle handle) {
    return handle.id < movers->id_count && movers->records[handle.id].gen == handle.gen;
}

static inline bool limit_movers_despawn(struct limit_movers *movers, struct limit_handle handle) {
    if (!limit_movers_is_alive(movers, handle)) {
        return false;
    }
    struct limit_record *record = &movers->records[handle.id];
    uint32_t row = record->index;
    uint32_t last = --movers->count;
    uint32_t moved = movers->ids[last];
    movers->position[row] = movers->position[last];
    movers->velocity[row] = movers->velocity[last];
    movers->ids[row] = moved;
    movers->records[moved].index = row;
    record->gen++;
    record->index = movers->free_head;
    movers->free_head = handle.id;
    return true;
}

static inline const Position *limit_movers_position(const struct limit_movers *movers,
                                                    struct limit_handle handle) {
    if (!limit_movers_is_alive(movers, handle)) {
        return NULL;
    }
    return &movers->position[movers->records[handle.id].index];
}

#endif
