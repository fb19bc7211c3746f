// Tables: the rows of one archetype, per world; and stores: the tables of all worlds of a batch.
//
//   growing: a table per world                    fixed: one table for all worlds
//
//   store.tables[w] -> header | columns[] ...     store.tables[0] -> header | columns[]
//                               |                                            |
//                               v                                            v
//                      col: row row row .             col: world 0 ... | world 1 ... | world 2 ...
//                                                          `- w * fixed_max
//
// A small growing table is one pooled block: header, column pointers, then the columns. One that
// outgrows the largest block is promoted: each column becomes an address range of its own, and
// the block keeps only header and pointers. From then on growing never moves it within its range.
// A pinned one, whose columns are shown to the outside, is made of ranges at once and stays there.
#ifndef COSM_STORE_TABLE_H
#define COSM_STORE_TABLE_H

#include <stdatomic.h>
#include <string.h>

#include "base/check.h"
#include "schema/archetype.h"

// Invariants: every column has room for `capacity` rows; column pointers are aligned to 64 bytes
// and to their component's alignment. In a range table, rows at and after `touched` have never been
// written and read as zero.
struct table {
    uint32_t capacity;   // rows
    uint32_t touched;    // range tables: rows written to so far
    uint32_t reserved;   // range tables: rows of address space; 0 in a pooled block
    uint32_t block_size; // bytes of the block that this header begins
    void *columns[];     // archetype->column_count; a column of size 0 is NULL
};

_Static_assert(offsetof(struct table, columns) == TABLE_HEADER_SIZE, "schema knows the header");

// Invariants: counts[w] is the number of rows of world w, at most the capacity of its table.
// The arrays follow the store in one piece of memory, so that with one world a walk finds all it
// needs in two cache lines. counts[w] and tables[w] are written by whoever changes world w.
struct store {
    uint32_t *counts;      // [worlds]
    uint32_t table_mask;   // growing: all ones; fixed, and of a group: 0
    uint32_t fixed_max;    // fixed: rows from one world to the next; growing: 0
    atomic_uint sides;     // what follows the rows: see store/side.h
    uint32_t id;           // what the records of its entities say
    struct column_map map; // the archetype's, at hand for access by entity
    struct archetype *archetype;
    struct store *next;              // the batch's list of stores
    struct group *group;             // of a table of shared values: its group (store/shared.h)
    struct group_list **group_lists; // of an archetype with shared values: [worlds], or NULL
    struct store_ticks *ticks;       // what is tracked in it, or NULL: store/change.h
    // Fixed, of many worlds: all of them are known to have all their rows, so that walks need not
    // look at each count. Set by the thread that steps, before workers have anything to do; cleared
    // by whoever takes a row out. Others may still read it as set then, but only for worlds of
    // their own.
    atomic_bool is_full;
    uint32_t hole; // the first world that lacked a row when all were last looked at
    uint32_t world_count;
    uint32_t pin_count;     // of a growing store of one world: who relies on where its columns are
    struct table *tables[]; // growing: [worlds], NULL where never used; fixed: [1]
};

// What tables are made from.
struct table_source {
    struct memory *memory;
    struct pool *pool;
};

// NULL when out of memory. A fixed store has all its rows at once.
struct store *cosmi_store_create(struct table_source source, struct archetype *archetype,
                                 uint32_t world_count);
void cosmi_store_destroy(struct table_source source, struct store *store);

// A store for a group: of one growing table, of one world, whose number of rows is in the group.
// Its other figures are left to the caller. NULL when out of memory.
struct store *cosmi_store_create_one(struct table_source source, struct archetype *archetype,
                                     struct group *group, uint32_t *count, uint32_t world);
size_t cosmi_store_one_size(void);

// Makes room for `rows` rows in a world's table. False when out of memory or past the row limit
// (of a fixed table: past its max_per_world); then nothing has changed.
bool cosmi_store_reserve(struct table_source source, struct store *store, uint32_t world,
                         uint32_t rows);

// Pins the table of a growing store of one world: from now on its columns are address ranges that
// stay where they are and are not given back, so that it can grow to what is reserved now and no
// further. Nobody walks. False when out of memory; then nothing has changed.
bool cosmi_store_pin(struct table_source source, struct store *store);
void cosmi_store_unpin(struct store *store);

// Gives back what the rows of a world do not need, but nothing of a pinned table. Best effort.
void cosmi_store_trim(struct table_source source, struct store *store, uint32_t world);

// Bytes set aside for a world's rows, and for one of its columns.
size_t cosmi_store_used(const struct memory *memory, const struct store *store, uint32_t world);
size_t cosmi_store_column_used(const struct memory *memory, const struct store *store,
                               uint32_t world, uint32_t column);

// Do both tables consist of ranges of equal length, so that they can trade columns?
bool cosmi_table_can_trade(const struct table *a, const struct table *b);

// Commits both tables to the larger capacity of the two. False when out of memory.
bool cosmi_table_level(struct table_source source, const struct archetype *a_archetype,
                       struct table *a, const struct archetype *b_archetype, struct table *b);

static inline struct table *store_table(const struct store *store, uint32_t world) {
    return store->tables[world & store->table_mask];
}

static inline uint32_t store_capacity(const struct store *store, uint32_t world) {
    if (store->fixed_max != 0) {
        return store->fixed_max;
    }
    const struct table *table = store->tables[world & store->table_mask];
    return table == NULL ? 0 : table->capacity;
}

static inline const struct column_slot *store_find(const struct store *store, uint32_t component) {
    return column_map_find(&store->map, component);
}

// Rows are about to be fewer in a world.
static inline void store_note_fewer(struct store *store) {
    if (UNLIKELY(store->fixed_max != 0) &&
        atomic_load_explicit(&store->is_full, memory_order_relaxed)) {
        atomic_store_explicit(&store->is_full, false, memory_order_relaxed);
    }
}

// How many worlds from `world` on have all their rows, at most to `end`. Of a fixed store.
uint32_t cosmi_store_full_worlds(const struct store *store, uint32_t world, uint32_t end);

// Finds out whether a fixed store is full. Nobody else touches its batch.
void cosmi_store_look_full(struct store *store);

// The address of a row of a column.
static inline char *store_cell(const struct store *store, const struct table *table, uint32_t world,
                               uint32_t column, uint32_t row, size_t size) {
    return (char *)table->columns[column] + ((size_t)world * store->fixed_max + row) * size;
}

// The handles of a lasting table, from a row on.
static inline cosm_entity *store_entities(const struct store *store, uint32_t world, uint32_t row) {
    return (cosm_entity *)(void *)store_cell(store, store_table(store, world), world, ENTITY_COLUMN,
                                             row, sizeof(cosm_entity));
}

// Copies a value of 4 or of 8 to 16 bytes without a call: two words that overlap where they must.
static inline void copy_small(void *target, const void *source, size_t size) {
    if (LIKELY(size >= 8)) {
        uint64_t first;
        uint64_t last;
        memcpy(&first, source, 8);
        memcpy(&last, (const char *)source + size - 8, 8);
        memcpy(target, &first, 8);
        memcpy((char *)target + size - 8, &last, 8);
    } else {
        memcpy(target, source, 4);
    }
}

static inline void clear_small(void *target, size_t size) {
    uint64_t zero = 0;
    if (LIKELY(size >= 8)) {
        memcpy(target, &zero, 8);
        memcpy((char *)target + size - 8, &zero, 8);
    } else {
        memcpy(target, &zero, 4);
    }
}

// The same for values of any size.
static inline void copy_value(void *target, const void *source, size_t size) {
    if (LIKELY(is_small_size(size))) {
        copy_small(target, source, size);
    } else {
        memcpy(target, source, size);
    }
}

static inline void clear_value(void *target, size_t size) {
    if (LIKELY(is_small_size(size))) {
        clear_small(target, size);
    } else {
        memset(target, 0, size);
    }
}

static inline void copy_word(char *target, const char *source) {
    uint32_t word;
    memcpy(&word, source, 4);
#if defined(__GNUC__)
    __asm__("" : "+r"(word)); // the compiler would join neighbouring words
#endif
    memcpy(target, &word, 4);
}

// Copies a value that the caller has just made. Its fields were stored one by one, four bytes each
// more often than not, and a wider load would have to wait until the stores have left the store
// buffer: 5 ns. So small values are loaded in words that the compiler must not join.
static inline void copy_in(void *target, const void *source, size_t size) {
    const char *from = source;
    char *to = target;
    switch (size) {
    case 16:
        copy_word(to + 12, from + 12);
        // fall through
    case 12:
        copy_word(to + 8, from + 8);
        // fall through
    case 8:
        copy_word(to + 4, from + 4);
        // fall through
    case 4:
        copy_word(to, from);
        break;
    default:
        memcpy(target, source, size);
        break;
    }
}

#endif
