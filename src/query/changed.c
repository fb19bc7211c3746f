// Changes as queries see them: readers, stamps, and the row filter.
#include "query/changed.h"

static size_t reader_size(const struct cosm_batch *batch) {
    return sizeof(struct cosm_change_reader) + 2 * (size_t)batch->world_count * sizeof(uint64_t);
}

struct cosm_change_reader *cosmi_reader_create(struct cosm_batch *batch, cosm_query *query,
                                               enum reader_kind kind, const char *call) {
    uint64_t components[COSM_COMPONENT_MAX / 64 + 1] = {0};
    for (uint32_t t = 0; t < query->term_count; t++) {
        uint32_t id = query->terms[t].component.id;
        if (query->terms[t].changed) {
            components[id / 64] |= (uint64_t)1 << (id % 64);
        }
    }
    struct cosm_change_reader *reader = cosmi_memory_alloc_zeroed(
        &batch->memory, reader_size(batch), _Alignof(struct cosm_change_reader));
    if (reader == NULL || !cosmi_change_track(batch, components)) {
        cosmi_memory_free(&batch->memory, reader, reader_size(batch),
                          _Alignof(struct cosm_change_reader));
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    cosmi_query_keep(query);
    reader->batch = batch;
    reader->query = query;
    reader->kind = kind;
    reader->since = (uint64_t *)(void *)(reader + 1);
    reader->seen = reader->since + batch->world_count;
    return reader;
}

void cosmi_reader_destroy(struct cosm_change_reader *reader) {
    struct cosm_batch *batch = reader->batch;
    cosmi_query_release(reader->query);
    cosmi_memory_free(&batch->memory, reader, reader_size(batch),
                      _Alignof(struct cosm_change_reader));
}

void cosmi_reader_advance(struct cosm_change_reader *reader, uint32_t first, uint32_t end) {
    for (uint32_t w = first; w < end; w++) {
        cosm_world world = {reader->batch, w};
        if (reader->kind == READER_OF_PROGRAM) {
            world_stamp_open(world);
        }
        uint64_t now = world_clock(world);
        // The clock stands still during a turn, so an equal one is of an earlier look in this turn.
        if (reader->kind != READER_OF_PROGRAM && reader->seen[w] == now) {
            continue;
        }
        reader->since[w] = reader->seen[w];
        reader->seen[w] = now;
        if (reader->kind == READER_OF_PROGRAM) {
            world_tick(world);
        }
    }
}

void cosmi_reader_rewind(struct cosm_change_reader *reader, uint32_t first, uint32_t end) {
    for (uint32_t w = first; reader->kind != READER_OF_EACH && w < end; w++) {
        reader->seen[w] = reader->since[w];
    }
}

void cosmi_clocks_tick(cosm_worlds worlds) {
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        world_tick((cosm_world){worlds.batch, w});
    }
}

// What is written through the rows of a reader's walk counts as seen by that reader: it gets the
// tick of its look, which nobody else can have seen as long as the clock has moved on just once.
static uint64_t stamp_of(const cosm_rows *rows, cosm_world world) {
    const struct cosm_change_reader *reader = rows->reader;
    uint64_t now = world_clock(world);
    bool is_own =
        reader != NULL && reader->kind == READER_OF_PROGRAM && now == reader->seen[world.index] + 1;
    return is_own ? reader->seen[world.index] : now;
}

// The column of a term in the tables of a match, or COLUMN_NONE.
static uint32_t term_column(const cosm_rows *rows, const struct match *match,
                            const struct store *store, uint32_t term) {
    if (LIKELY(match != NULL)) {
        return match->columns[term];
    }
    const struct column_slot *slot = store_find(store, rows->terms[term].component);
    return slot == NULL ? COLUMN_NONE : slot->column;
}

void cosmi_rows_stamp(const cosm_rows *rows, const struct match *match, const struct store *store,
                      uint32_t world, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) == 0) {
        return;
    }
    uint64_t now = stamp_of(rows, (cosm_world){rows->batch, world});
    uint32_t writes = rows->query->writes;
    for (uint32_t t = 0; writes != 0; t++, writes >>= 1) {
        uint32_t column = (writes & 1) == 0 ? COLUMN_NONE : term_column(rows, match, store, t);
        if (column != COLUMN_NONE) {
            change_stamp(store, world, column, row, count, now);
        }
    }
}

// A run over several worlds, by columns.
static void stamp_worlds(const cosm_rows *rows, const struct match *match,
                         const struct store *store) {
    if ((store_sides(store) & SIDE_TICKS) == 0) {
        return;
    }
    uint32_t writes = rows->query->writes;
    for (uint32_t t = 0; writes != 0; t++, writes >>= 1) {
        uint32_t column = (writes & 1) == 0 ? COLUMN_NONE : term_column(rows, match, store, t);
        if (column != COLUMN_NONE) {
            cosmi_change_stamp_worlds(rows->batch, store, rows->world, column, rows->count);
        }
    }
}

void cosmi_run_stamp(const cosm_rows *rows, const struct match *match, const struct store *store) {
    if (LIKELY(rows->world_count == 1)) {
        cosmi_rows_stamp(rows, match, store, rows->world, rows->row, rows->count);
        return;
    }
    if (LIKELY(rows->reader == NULL)) {
        stamp_worlds(rows, match, store);
        return;
    }
    uint32_t left = rows->count;
    for (uint32_t w = rows->world; left > 0; w++) {
        uint32_t count = left < store->fixed_max ? left : store->fixed_max;
        cosmi_rows_stamp(rows, match, store, w, 0, count);
        left -= count;
    }
}

void cosmi_run_stamp_component(const cosm_rows *rows, uint32_t component, uint32_t first,
                               uint32_t count) {
    const struct store *store = rows->batch->ticks == NULL ? NULL : cosmi_rows_store(rows);
    const struct column_slot *slot = store == NULL ? NULL : store_find(store, component);
    if (slot == NULL || (store_sides(store) & SIDE_TICKS) == 0) {
        return;
    }
    // A run over several worlds is of a fixed table, and begins with the first row of a world.
    uint32_t max = rows->world_count == 1 ? UINT32_MAX : store->fixed_max;
    while (count > 0) {
        cosm_world world = {rows->batch, rows->world + first / max};
        uint32_t most = max - first % max;
        uint32_t here = count < most ? count : most;
        change_stamp(store, world.index, slot->column, rows->row + first % max, here,
                     stamp_of(rows, world));
        first += here;
        count -= here;
    }
}

// What a row filter says of a row, and up to which row it says so.
struct verdict {
    bool passes;
    uint32_t until;
};

// A table of one world, and since when changes count.
struct changed_table {
    const struct store *store;
    uint32_t world;
    uint64_t since;
    uint32_t end; // no row is looked at from here on
};

// The first row behind the chunks that say the same of a component as the one of `row` does.
static struct verdict judge_chunks(const struct changed_table *table, uint32_t number,
                                   uint32_t row) {
    const struct store_ticks *ticks = table->store->ticks;
    size_t stride = ticks->tracked_count;
    const tick_cell *list = table_ticks(table->store, table->world) + number;
    size_t chunk = row >> ticks->chunk_shift;
    size_t end = ((size_t)table->end - 1) >> ticks->chunk_shift;
    bool passes = tick_load(&list[chunk * stride]) > table->since;
    while (chunk < end && (tick_load(&list[(chunk + 1) * stride]) > table->since) == passes) {
        chunk++;
    }
    uint64_t until = ((uint64_t)chunk + 1) << ticks->chunk_shift;
    return (struct verdict){passes, until < table->end ? (uint32_t)until : table->end};
}

// One component of the table, which is tracked as number `number`. Where there are ticks by row, it
// is they that count within chunks that pass.
static struct verdict judge_component(const struct changed_table *table, uint32_t number,
                                      uint32_t row) {
    struct verdict verdict = judge_chunks(table, number, row);
    uint32_t column = table->store->ticks->row_columns[number];
    if (!verdict.passes || column == 0) {
        return verdict;
    }
    const uint64_t *of_rows =
        (const uint64_t *)store_table(table->store, table->world)->columns[column] +
        store_first(table->store, table->world);
    bool passes = of_rows[row] > table->since;
    uint32_t until = row + 1;
    while (until < verdict.until && (of_rows[until] > table->since) == passes) {
        until++;
    }
    return (struct verdict){passes, until};
}

// One term: what the table lacks does not pass, what is not asked to have changed does.
static struct verdict judge_term(const struct changed_table *table, const cosm_term *term,
                                 uint32_t row) {
    const struct column_slot *slot = store_find(table->store, term->component.id);
    if (slot == NULL || !term->changed) {
        return (struct verdict){slot != NULL, table->end};
    }
    uint32_t number = table->store->ticks == NULL ? 0 : table->store->ticks->numbers[slot->column];
    if (number == 0) {
        return (struct verdict){true, table->end}; // nobody knows since when
    }
    return judge_component(table, number - 1, row);
}

// Both hold: what fails decides, and as far as it fails; else both have to go on passing.
static struct verdict judge_both(struct verdict a, struct verdict b) {
    if (a.passes == b.passes) {
        bool first = a.passes == (a.until < b.until);
        return first ? a : b;
    }
    return a.passes ? b : a;
}

// One of them holds: the reverse.
static struct verdict judge_either(struct verdict a, struct verdict b) {
    a.passes = !a.passes;
    b.passes = !b.passes;
    struct verdict verdict = judge_both(a, b);
    verdict.passes = !verdict.passes;
    return verdict;
}

// Alternatives of one group: one of them is enough. A bundle as an alternative is met by the table,
// or is not.
static struct verdict judge_group(const struct changed_table *table, const cosm_query *query,
                                  uint32_t group, uint32_t row) {
    struct verdict verdict = {false, table->end};
    for (uint32_t t = 0; t < query->term_count; t++) {
        const cosm_term *term = &query->terms[t];
        if (term->kind != COSM_TERM_ANY_OF || term->group != group) {
            continue;
        }
        const struct condition *condition = &query->conditions[t];
        struct verdict one = {true, table->end};
        for (uint32_t i = 0; !term->changed && i < condition->component_count; i++) {
            one.passes = one.passes && store_find(table->store, condition->components[i]) != NULL;
        }
        verdict = judge_either(verdict, term->changed ? judge_term(table, term, row) : one);
    }
    return verdict;
}

static struct verdict judge_row(const struct changed_table *table, const cosm_query *query,
                                uint32_t row) {
    struct verdict verdict = {true, table->end};
    uint32_t groups = 0;
    for (uint32_t t = 0; t < query->term_count; t++) {
        const cosm_term *term = &query->terms[t];
        if ((query->changed >> t & 1) == 0) {
            continue;
        }
        if (term->kind == COSM_TERM_WITH) {
            verdict = judge_both(verdict, judge_term(table, term, row));
        } else if ((groups >> term->group & 1) == 0) {
            groups |= 1u << term->group;
            verdict = judge_both(verdict, judge_group(table, query, term->group, row));
        }
    }
    return verdict;
}

bool cosmi_changed_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                        uint32_t end, uint32_t *out_begin, uint32_t *out_end) {
    const struct cosm_change_reader *reader = rows->reader;
    struct changed_table table = {store, rows->world,
                                  reader == NULL ? 0 : reader->since[rows->world], end};
    *out_begin = from;
    *out_end = end;
    if (table.since == 0 || rows->query->changed == 0) {
        return from < end;
    }
    struct verdict verdict = {false, from};
    while (!verdict.passes && verdict.until < end) {
        from = verdict.until;
        verdict = judge_row(&table, rows->query, from);
    }
    if (!verdict.passes) {
        return false;
    }
    *out_begin = from;
    while (verdict.passes && verdict.until < end) {
        *out_end = verdict.until;
        verdict = judge_row(&table, rows->query, verdict.until);
        if (!verdict.passes) {
            return true;
        }
    }
    *out_end = end;
    return true;
}
