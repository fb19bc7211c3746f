// Queries select rows by their components. A query is compiled once, updated when archetypes
// appear, and walked over one world or many.
//
//     cosm_query *moving = cosm_query_create(engine, &(cosm_query_desc){.text = "mut Position"});
//     cosm_rows rows;
//     cosm_query_walk(moving, cosm_worlds_all(batch), &rows);
//     while (cosm_rows_next(&rows)) {
//         Position *position = COSM_WRITE(&rows, Position);
//         for (uint32_t i = 0; i < rows.count; i++) { ... }
//     }
//
// Tables are visited in the order of their components' ids, which is that of their definitions, and
// not in the order in which archetypes were created. Where the rows of adjacent worlds are
// contiguous (full worlds of a fixed archetype), one run covers them.
#ifndef COSM_QUERY_H
#define COSM_QUERY_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_term_kind {
    COSM_TERM_WITH = 0, // has the component
    COSM_TERM_WITHOUT,  // lacks it (for a bundle: lacks every member)
    COSM_TERM_OPTIONAL, // the column is NULL where it is absent; not for bundles
    COSM_TERM_ANY_OF,   // has at least one term of the same `group` (for a bundle: all of it)
} cosm_term_kind;

typedef enum cosm_access {
    COSM_ACCESS_READ = 0, // reads
    COSM_ACCESS_WRITE,    // reads and writes
    COSM_ACCESS_MARK,     // writes, and marks which rows changed: see cosm_change_mark
} cosm_access;

typedef struct cosm_term {
    cosm_component component; // or a bundle: a condition only, without a column
    cosm_term_kind kind;
    cosm_access access;
    uint32_t group; // for COSM_TERM_ANY_OF: the group of alternatives, 0 to 31
    const void
        *value;   // for COSM_TERM_WITH of a shared component: only rows with this value; copied
    bool changed; // for _WITH and _ANY_OF: only rows where it changed; see below
} cosm_term;

// Zeroed: every row of every table.
typedef struct cosm_query_desc {
    const char *text;                     // the terms as text, see cosm_query_parse; or:
    cosm_term terms[COSM_QUERY_TERM_MAX]; // the terms; zeroed ones only at the end
    bool by_world;                        // no run spans two worlds
} cosm_query_desc;

// Internal: a term as a run of rows needs it.
typedef struct cosm_term_info {
    uint64_t keys[2]; // for reading and for writing, see cosm_type_check; zero: cosm_rows_find_type
    uint32_t size;    // of a value; zero if there is no column of whole values
    uint32_t component;
    cosm_term_kind kind;
    cosm_access access;
    const cosm_field_column *fields; // of a split column; else NULL
    uint32_t field_count;
    uint32_t column;      // split: the column of its first field; shared: its number among the
                          // archetype's shared components
    uint32_t shared_size; // of the value of a shared component; else zero
    uint32_t sector_offset;
    uint64_t sector_size; // of a sector component: the size of a value plus one; else zero
    uint64_t sector_bit;
} cosm_term_info;

// A run of contiguous rows: the result of a walk, and of spawning many. Valid until the next
// structural change of one of its worlds. Do not copy it during a walk: both copies would end the
// walk.
typedef struct cosm_rows {
    uint32_t count;       // rows in this run
    uint32_t world;       // index of the first row's world
    uint32_t world_count; // worlds that the run spans
    uint32_t row;         // number of the first row in its world's table
    cosm_archetype archetype;
    uint32_t term_count;
    const cosm_entity *entities; // one per row; NULL in a temporary table
    const cosm_turn *turn;       // in a system: its turn, see system.h; else NULL
    void *context; // in a system or cosm_query_run: the context passed there; else NULL
    float dt;      // in a system: the seconds that this run of the phase covers
    // Private from here on.
    const cosm_term_info *terms;
    const cosm_query *query;
    cosm_batch *batch;
    const void *match;
    void *const *ahead_columns;
    uint64_t ahead_first;
    uint32_t ahead_count;
    uint32_t world_next;
    uint32_t world_first;
    uint32_t world_end;
    uint32_t state;
    void *const *table; // the columns of the current table
    uint64_t first;     // number of the first row in those columns
    const void *ahead_store;
    uint32_t group;     // for rows with shared values: the number of their table
    uint32_t is_sieved; // the query has terms that are checked row by row
    uint32_t sieve_row;
    uint32_t sieve_end;
    void *reader;    // a cosm_change_reader: what counts as changed; NULL: everything
    uint32_t stamps; // its runs count as written where the terms write
    void *columns[COSM_QUERY_TERM_MAX];
} cosm_rows;

// Called with a run of rows. It must not end the walk.
typedef void cosm_rows_fn(cosm_rows *rows);

// Creates a query. Queries with equal terms share one reference-counted object. Any thread may call
// it. NULL on failure.
COSM_API cosm_query *cosm_query_create(cosm_engine *engine, const cosm_query_desc *desc);

// Parses the terms of a query:
//
//     mut Position, Velocity, !Frozen, ?mut Mass, ~Health, (Cube | Ball), "any name"
//
// - A bare name reads (COSM_ACCESS_READ); `mut` writes (COSM_ACCESS_WRITE); `mark` is
//   COSM_ACCESS_MARK.
// - `!` is COSM_TERM_WITHOUT, `?` is COSM_TERM_OPTIONAL, `~` is `changed`.
// - `(A | B)` is COSM_TERM_ANY_OF, in groups 0, 1, 2 and so on; `mut (A | B)` writes them all.
// - A name is that of a component or a bundle: an identifier, or any text in double quotes, where
//   \" and \\ stand for these two characters.
//
// Empty text selects every row. Sets all terms of `out_desc`, clears its `text` and keeps its
// `by_world`. Malformed text fails with COSM_ERROR_FORMAT and leaves `out_desc` unchanged; the
// message gives the column, and the line if there are several, in bytes from 1. Any thread may call
// it.
COSM_API COSM_MUST_USE cosm_result cosm_query_parse(const cosm_engine *engine, const char *text,
                                                    cosm_query_desc *out_desc);

// Writes the terms of a query as text for cosm_query_parse. `by_world` and the values of shared
// components are not part of the text. Otherwise the text parses to the same query if text can
// express its desc: COSM_TERM_WITHOUT terms have COSM_ACCESS_READ; terms other than
// COSM_TERM_ANY_OF have group 0; and groups have two or more adjacent terms and are numbered from 0
// in the order of the terms. If it cannot, the text parses to a query that matches the same rows:
// the terms of a group are joined where the first one stands, and a group of one becomes
// COSM_TERM_WITH.
COSM_API void cosm_query_print(const cosm_query *query, cosm_text_fn *write, void *context);

// Releases the query; the last release frees it. NULL is allowed. It must not be being walked.
COSM_API void cosm_query_destroy(cosm_query *query);

// Archetypes that match now.
COSM_API uint32_t cosm_query_archetype_count(const cosm_query *query);

// True if the archetype matches.
COSM_API bool cosm_query_matches(const cosm_query *query, cosm_archetype archetype);

// Rows that match. O(tables).
COSM_API uint64_t cosm_query_count(const cosm_query *query, cosm_worlds worlds);

// The first entity that matches, or COSM_ENTITY_NONE; stores its world in `out_world` unless that
// is NULL. Skips temporary rows.
COSM_API cosm_entity cosm_query_first(const cosm_query *query, cosm_worlds worlds,
                                      cosm_world *out_world);

// Starts a walk. Until it ends, direct structural changes of the walked worlds fail with
// COSM_ERROR_WALKED. Walks may nest. End a walk on the thread that started it. On failure, which is
// reported, the walk is empty.
COSM_API void cosm_query_walk(const cosm_query *query, cosm_worlds worlds, cosm_rows *out_rows);

// Advances to the next run of rows. Returns false at the end, which ends the walk.
COSM_API bool cosm_rows_next(cosm_rows *rows);

// Ends a walk early. Call it if you leave the loop before cosm_rows_next returns false. Does
// nothing if the walk has ended.
COSM_API void cosm_rows_end(cosm_rows *rows);

// Calls `each` for every run of matching rows, on several workers at once where that is faster. A
// run may be a slice of a table. The order of the calls is not defined. Inside a system, or with
// one worker, it is a plain walk. A call that fails inside `each`, as a column that is refused, is
// the result, as in a system; all rows are visited nevertheless.
COSM_API COSM_MUST_USE cosm_result cosm_query_run(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_rows_fn *each, void *context);

// The engine of the rows' batch; NULL if the rows are empty and belong to no batch.
COSM_API cosm_engine *cosm_rows_engine(const cosm_rows *rows);

// The world that row `i` of the run belongs to. O(1).
COSM_API cosm_world cosm_rows_world(const cosm_rows *rows, uint32_t i);

// The run's column of any component of its archetype, or NULL. NULL, reported, if the component is
// split. O(1), by perfect hash. cosm_rows_column_read does not count as a change.
COSM_API void *cosm_rows_column(const cosm_rows *rows, cosm_component component);
COSM_API const void *cosm_rows_column_read(const cosm_rows *rows, cosm_component component);

// The run's values of one field of a component, in any layout. `data` is NULL if there is no such
// component or field. O(1), by perfect hash.
COSM_API cosm_span cosm_rows_span(const cosm_rows *rows, cosm_component component, uint32_t field);
COSM_API cosm_span cosm_rows_span_read(const cosm_rows *rows, cosm_component component,
                                       uint32_t field);

// Copies the value of row `i`, in any layout and storage. False if there is no such row or
// component.
COSM_API bool cosm_rows_get(const cosm_rows *rows, uint32_t i, cosm_component component,
                            void *out_value);

// Sets the value of row `i`, in any layout and storage. Fails if the query only reads the
// component. In a system a failure fails the step, so the result need not be checked.
COSM_API cosm_result cosm_rows_set(const cosm_rows *rows, uint32_t i, cosm_component component,
                                   const void *value);

// The structural changes of entity.h for all matching rows, in bulk. Access and order of the terms
// do not matter. On failure nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_query_despawn(const cosm_query *query, cosm_worlds worlds);
COSM_API COSM_MUST_USE cosm_result cosm_query_add(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_component component);
COSM_API COSM_MUST_USE cosm_result cosm_query_remove(const cosm_query *query, cosm_worlds worlds,
                                                     cosm_component component);
// Sets the same value in all of them; adds the component where it is absent.
COSM_API COSM_MUST_USE cosm_result cosm_query_set(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_component component, const void *value);

// The slow path of the macros: finds the column by its type, or checks the one with this number. Or
// reports the error, empties the rows and returns NULL.
COSM_API void *cosm_rows_find_type(const cosm_rows *rows, cosm_type type, bool write);
COSM_API void *cosm_rows_find_column(const cosm_rows *rows, uint32_t index, cosm_type type,
                                     bool write);
COSM_API void *cosm_rows_refuse_field(const cosm_rows *rows, uint32_t index, uint32_t field,
                                      size_t size, bool write);
COSM_API void *cosm_rows_field_sized(const cosm_rows *rows, cosm_component component,
                                     uint32_t field, size_t size);

static inline bool cosm_term_fits(const cosm_term_info *term, cosm_type type, bool write) {
    return term->keys[write] == cosm_type_check(type);
}

static inline void *cosm_rows_typed(const cosm_rows *rows, cosm_type type, bool write) {
    uint32_t term_count = rows == NULL ? 0 : rows->term_count;
    for (uint32_t t = 0; t < term_count; t++) {
        if (cosm_term_fits(&rows->terms[t], type, write)) {
            return rows->columns[t];
        }
    }
    return cosm_rows_find_type(rows, type, write);
}

static inline const void *cosm_rows_read_type(const cosm_rows *rows, cosm_type type) {
    return cosm_rows_typed(rows, type, false);
}

static inline void *cosm_rows_write_type(const cosm_rows *rows, cosm_type type) {
    return cosm_rows_typed(rows, type, true);
}

static inline void *cosm_rows_numbered(const cosm_rows *rows, uint32_t index, cosm_type type,
                                       bool write) {
    if (rows != NULL && index < rows->term_count &&
        cosm_term_fits(&rows->terms[index], type, write)) {
        return rows->columns[index];
    }
    return cosm_rows_find_column(rows, index, type, write);
}

// The column of term number `index`, of values of `size` bytes and any type: for language bindings.
// NULL where an optional component is absent. NULL, reported, if the index, the size or the access
// is wrong.
static inline const void *cosm_rows_read(const cosm_rows *rows, uint32_t index, size_t size) {
    if (index < rows->term_count && rows->terms[index].size == size) {
        return rows->columns[index];
    }
    cosm_type type = {"", size, 0};
    return cosm_rows_find_column(rows, index, type, false);
}

static inline void *cosm_rows_write(const cosm_rows *rows, uint32_t index, size_t size) {
    if (index < rows->term_count && rows->terms[index].size == size &&
        rows->terms[index].access != COSM_ACCESS_READ) {
        return rows->columns[index];
    }
    cosm_type type = {"", size, 0};
    return cosm_rows_find_column(rows, index, type, true);
}

// The column of term number `index`: for queries with two terms of one type. Otherwise like
// COSM_READ and COSM_WRITE of typed.h.
#define COSM_COLUMN_READ(rows, Type, index)                                                        \
    COSM_CAST(const Type *, cosm_rows_numbered((rows), (index), COSM_TYPE(Type), false))
#define COSM_COLUMN_WRITE(rows, Type, index)                                                       \
    COSM_CAST(Type *, cosm_rows_numbered((rows), (index), COSM_TYPE(Type), true))

// Called by the field macros. A field of several scalars can be accessed whole, or as scalars.
static inline void *cosm_rows_field(const cosm_rows *rows, uint32_t index, uint32_t field,
                                    size_t size, bool write) {
    if (index < rows->term_count && field < rows->terms[index].field_count &&
        (!write || rows->terms[index].access != COSM_ACCESS_READ)) {
        const cosm_field_column *column = &rows->terms[index].fields[field];
        if (cosm_field_column_fits(column, size)) {
            char *base = COSM_CAST(char *, rows->table[rows->terms[index].column + field]);
            return base + rows->first * column->stride;
        }
    }
    return cosm_rows_refuse_field(rows, index, field, size, write);
}

// The array of field number `field` of term number `index`, whose component must be split. NULL
// where an optional component is absent. NULL, reported, if an argument, the type or the access is
// wrong, or the component is not split in this table.
#define COSM_FIELD_READ(rows, Type, index, field)                                                  \
    COSM_CAST(const Type *, cosm_rows_field((rows), (index), (field), sizeof(Type), false))
#define COSM_FIELD_WRITE(rows, Type, index, field)                                                 \
    COSM_CAST(Type *, cosm_rows_field((rows), (index), (field), sizeof(Type), true))

// The same by component, with a lookup: for rows that come from spawning.
#define COSM_FIELD_OF(rows, Type, component, field)                                                \
    COSM_CAST(Type *, cosm_rows_field_sized((rows), (component), (field), sizeof(Type)))

// Changes: which rows have changed since you last looked.
//
//     cosm_query *moved = cosm_query_create(engine, &(cosm_query_desc){.text = "~Position"});
//     cosm_change_reader *reader = cosm_change_reader_create(batch, moved);
//     ...
//     cosm_change_walk(reader, cosm_worlds_all(batch), &rows);
//     while (cosm_rows_next(&rows)) { ... }
//
// Each world has a clock that only increases. Write access stamps values with a tick, the current
// clock; read access does not. A reader keeps the clock of its last walk. Reading clears nothing,
// so readers do not hide changes from each other.
//
// Ticks are kept per chunk and component: if one row was written, all rows of its chunk are
// reported. With cosm_component_desc.change_rows ticks are also kept per row, and only written rows
// are reported. Write access counts, whether or not anything is written: a run of a walk whose term
// has COSM_ACCESS_WRITE, cosm_entity_write, cosm_rows_set, cosm_table_column and the like; set;
// spawn. A row that moves (a component was added, a hole filled, a table sorted) counts as changed
// where ticks are per chunk, and keeps its tick where they are per row.
//
// A system is a reader of its own queries: in each turn it sees what changed since its last turn,
// except what it wrote itself.

// Stores, for each world of a batch, the clock of its last walk.
typedef struct cosm_change_reader cosm_change_reader;

// Creates a reader of a query with `changed` terms, and starts to track their components in this
// batch. Its first walk shows all rows. Do not call it while the batch is running or walked, or
// while another thread uses it; lookups started before must be started again. NULL on failure.
COSM_API cosm_change_reader *cosm_change_reader_create(cosm_batch *batch, cosm_query *query);

// Destroys a reader; do so before its batch is destroyed. NULL is allowed. It must not be being
// walked.
COSM_API void cosm_change_reader_destroy(cosm_change_reader *reader);

// Starts a walk, like cosm_query_walk, of the rows in which all `changed` terms changed since this
// reader last walked their world; of alternatives (COSM_TERM_ANY_OF), one that changed or need not
// have. Later changes are for the next walk, except what is written through these rows: that counts
// as seen. A walk ended with cosm_rows_end does not count: the next one starts from the same clock.
// One walk at a time in each world; between steps only. On failure, which is reported, the walk is
// empty.
COSM_API void cosm_change_walk(cosm_change_reader *reader, cosm_worlds worlds, cosm_rows *out_rows);

// Makes the next walk of these worlds show all rows, like the first one.
COSM_API COSM_MUST_USE cosm_result cosm_change_forget(cosm_change_reader *reader,
                                                      cosm_worlds worlds);

// Marks rows [first, first + count) of a run as changed in term number `index`. For terms with
// COSM_ACCESS_MARK, which write but count as changed only where marked. Reports an error if there
// is no such row or term, or the term only reads.
COSM_API void cosm_change_mark(const cosm_rows *rows, uint32_t index, uint32_t first,
                               uint32_t count);

// Without a reader: starts to track a component in a batch. All its values count as changed now.
COSM_API COSM_MUST_USE cosm_result cosm_change_track(cosm_batch *batch, cosm_component component);

// The clock of a world; calling it advances the clock. Later changes have a greater tick, earlier
// ones do not. Between steps only: otherwise 0, reported.
COSM_API uint64_t cosm_change_now(cosm_world world);

// The tick of the last change of a component in a chunk of a table. 0 if there is no such table,
// chunk or component; UINT64_MAX if it is not tracked. O(1).
COSM_API uint64_t cosm_change_tick(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t chunk);

// The tick of the last change of an entity's component: its own with change_rows, else that of its
// chunk. 0 if the entity is stale or lacks the component; UINT64_MAX if it is not tracked. O(1).
COSM_API uint64_t cosm_change_entity_tick(cosm_world world, cosm_entity entity,
                                          cosm_component component);

COSM_END_C

#endif
