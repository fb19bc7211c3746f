// Change ticks: when the values of a component were last open to being written, by chunk and, where
// a component asks for it, by row.
//
// Each world has a clock, a number that only goes up. Whoever gets write access to values stamps
// them with the clock; a reader keeps what the clock was when it last looked, and moves the clock
// on, so that what is stamped later has a greater tick. Nothing is ever cleared, so readers do not
// know of each other.
//
//   batch.ticks -> tracked: a bit per component | clocks[worlds]
//   store.ticks -> numbers[columns]: which column is tracked, and as which
//                  lists[tables] -> chunk 0: tick tick | chunk 1: tick tick | ...
//                                            one for each tracked component
//
// A component is tracked, in one batch, from the first reader on. What is not tracked costs the
// test of a flag: SIDE_TICKS of a store. Ticks are no state: they are in no hash and no file.
#ifndef COSM_STORE_CHANGE_H
#define COSM_STORE_CHANGE_H

#include "base/bits.h"
#include "store/side.h"

// A tick of a chunk, or the clock of a world. Workers in one world raise different chunks, whose
// ticks stand side by side, or one chunk to the same tick: relaxed order is enough, since a step
// has its barriers between who writes a component and who reads it.
typedef _Atomic(uint64_t) tick_cell;

// What a batch tracks. Made with the first component, then there until the batch ends. `tracked` is
// written under the batch's lock while nothing runs and nobody walks; a clock by whoever changes
// its world and, in a step by chunk, by the thread that steps.
struct batch_ticks {
    size_t size;
    _Atomic(uint64_t) moves;                       // how often a clock has moved on; from 1
    uint64_t tracked[COSM_COMPONENT_MAX / 64 + 1]; // a bit per component
    tick_cell clocks[];                            // [worlds]; from 1, so that 0 is before all
};

// The ticks of one table. Invariant: there is room for the chunks of the table's capacity. In a
// fixed store the chunks of all worlds follow each other, each world's counted from its first row.
struct tick_list {
    tick_cell *ticks; // [chunks * tracked]; the first chunk's are kept in the store's piece
    uint32_t chunks;  // there is room for
};

// The ticks of a store: of the components that are tracked and that it has.
struct store_ticks {
    size_t size;
    uint32_t tracked_count;
    uint32_t column_count;
    uint32_t list_count;
    uint32_t chunk_shift;  // log2 of the rows of a chunk
    uint32_t world_chunks; // fixed: chunks from one world to the next; growing: 0
    tick_cell *first;      // [lists * tracked_count]: where growing tables of one chunk have theirs
    struct tick_list *lists; // as the store's tables
    // Fixed, of many worlds: [world blocks * tracked_count]: what `moves` was when all ticks of
    // these worlds were last raised together. Where it is still so, they are up to date. NULL:
    // none.
    tick_cell *blocks;
    uint16_t *row_columns; // [tracked_count]: the column of ticks by row, or 0
    uint16_t *numbers;     // [columns]: 1 and more at the first column of what is tracked, else 0
};

static inline uint64_t tick_load(const tick_cell *tick) {
    return atomic_load_explicit(tick, memory_order_relaxed);
}

// The clock of a world of a batch that tracks something.
static inline uint64_t world_clock(cosm_world world) {
    return tick_load(&world.batch->ticks->clocks[world.index]);
}

// Moves it on: what is stamped from now on is later than what was stamped before.
static inline void world_tick(cosm_world world) {
    tick_cell *clock = &world.batch->ticks->clocks[world.index];
    atomic_store_explicit(clock, tick_load(clock) + 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&world.batch->ticks->moves, 1, memory_order_relaxed);
}

// The ticks of a world's table, from its first chunk on.
static inline tick_cell *table_ticks(const struct store *store, uint32_t world) {
    const struct store_ticks *ticks = store->ticks;
    return ticks->lists[world & store->table_mask].ticks +
           (size_t)world * ticks->world_chunks * ticks->tracked_count;
}

// Begins to track components in all worlds of a batch: those that a bit is set for. All of their
// values count as changed now. Nothing runs and nobody walks. False when out of memory; then
// nothing has changed.
bool cosmi_change_track(struct cosm_batch *batch, const uint64_t *components);

// Gives a new store the ticks of what its batch tracks. False when out of memory.
bool cosmi_change_adopt(struct cosm_batch *batch, struct store *store);

// Makes room for the ticks of a table with room for `rows` rows. False when out of memory.
bool cosmi_ticks_reserve(struct memory *memory, struct store *store, uint32_t world, uint32_t rows);

// Gives back what a table with room for `rows` rows does not need. Best effort.
void cosmi_ticks_trim(struct memory *memory, struct store *store, uint32_t world, uint32_t rows);

void cosmi_ticks_free(struct memory *memory, struct store *store);
void cosmi_batch_ticks_free(struct cosm_batch *batch);

// Bytes set aside for the ticks of a world's table.
size_t cosmi_ticks_used(const struct store *store, uint32_t world);

// Never lowers a tick.
static inline void tick_stamp(tick_cell *tick, uint64_t now) {
    if (tick_load(tick) < now) {
        atomic_store_explicit(tick, now, memory_order_relaxed);
    }
}

// Stamps rows in the column of ticks that belongs to the tracked component number `number`.
void cosmi_change_stamp_rows(const struct store *store, uint32_t world, uint32_t number,
                             uint32_t row, uint32_t count, uint64_t now);

// Stamps rows of one column, of a store with SIDE_TICKS: their chunks and, where there are ticks by
// row, themselves. There are some. A column that is not tracked is passed over.
static inline void change_stamp(const struct store *store, uint32_t world, uint32_t column,
                                uint32_t row, uint32_t count, uint64_t now) {
    const struct store_ticks *ticks = store->ticks;
    uint32_t number = ticks->numbers[column];
    if (number == 0) {
        return;
    }
    tick_cell *list = table_ticks(store, world) + number - 1;
    size_t last = (row + count - 1) >> ticks->chunk_shift;
    for (size_t chunk = row >> ticks->chunk_shift; chunk <= last; chunk++) {
        tick_stamp(&list[chunk * ticks->tracked_count], now);
    }
    if (UNLIKELY(ticks->row_columns[number - 1] != 0)) {
        cosmi_change_stamp_rows(store, world, number - 1, row, count, now);
    }
}

// Stamps one column of a run that goes from world to world of a fixed store: `count` rows from the
// first row of `world` on. In steps without a snapshot, where no clock moves, this costs a look per
// block of worlds.
void cosmi_change_stamp_worlds(const struct cosm_batch *batch, const struct store *store,
                               uint32_t world, uint32_t column, uint32_t count);

// A column that is shown to the outside, which writes without telling: nobody knows when. So all of
// it counts as changed whenever somebody is about to look at ticks.
//
// One that is shown to be read is in a list of its own, and is not stamped.
struct open_column {
    struct open_column *next;
    struct store *store; // fixed, or growing in a batch of one world
    uint32_t column;     // the first one of its component
};

// Is a column shown to be read, and not open to be written? What is written there all the same is
// state too, so whoever keeps state compares it; ticks do not tell.
bool cosmi_change_is_shown(const struct cosm_batch *batch, const struct store *store,
                           uint32_t column);

static inline bool column_is_shown(const struct cosm_batch *batch, const struct store *store,
                                   uint32_t column) {
    return UNLIKELY(batch->shown_columns != NULL) && cosmi_change_is_shown(batch, store, column);
}

// Stamps the open columns of a world, or of all worlds.
void cosmi_change_stamp_open(cosm_world world);
void cosmi_change_stamp_all_open(const struct cosm_batch *batch);

static inline void world_stamp_open(cosm_world world) {
    if (UNLIKELY(world.batch->open_columns != NULL)) {
        cosmi_change_stamp_open(world);
    }
}

static inline void batch_stamp_open(const struct cosm_batch *batch) {
    if (UNLIKELY(batch->open_columns != NULL)) {
        cosmi_change_stamp_all_open(batch);
    }
}

// What the seam tells, for stores with SIDE_TICKS: rows are new; have come from a table, in which
// their values of some components were already; have been filled from their own table.
void cosmi_change_spawned(cosm_world world, const struct store *store, uint32_t row,
                          uint32_t count);
void cosmi_change_moved(cosm_world world, const struct store *source, const struct store *target,
                        uint32_t row, uint32_t count);
void cosmi_change_filled(cosm_world world, const struct store *store, uint32_t row, uint32_t count);
void cosmi_change_set(cosm_world world, const struct store *store, uint32_t component, uint32_t row,
                      uint32_t count);

// When a row's value of a component last changed: exactly where there are ticks by row, else that
// of its chunk. UINT64_MAX where the component is not tracked.
uint64_t cosmi_change_tick(cosm_world world, const struct store *store,
                           const struct column_slot *slot, uint32_t row);

// The tick of a chunk that has rows. UINT64_MAX where the component is not tracked.
uint64_t cosmi_change_chunk_tick(cosm_world world, const struct store *store,
                                 const struct column_slot *slot, uint32_t chunk);

// Does a world hold the invariants of its ticks? NULL, or what is wrong.
const char *cosmi_change_fault(const struct cosm_batch *batch, const struct store *store,
                               uint32_t world);

#endif
