// Queries: which rows. Compiled once, kept up to date, walked in one world or many.
//
//     cosm_rows rows;
//     cosm_query_walk(query, cosm_worlds_all(batch), &rows);
//     while (cosm_rows_next(&rows)) {
//         Position *position = COSM_COLUMN_WRITE(&rows, Position, 0);
//         for (uint32_t i = 0; i < rows.count; i++) { ... }
//     }
//
// Tables are visited in the order of their components, whatever the order in which archetypes
// came to be. Where the rows of neighbouring worlds lie side by side (full worlds of a fixed
// archetype), one run covers them.
#ifndef COSM_QUERY_H
#define COSM_QUERY_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_term_kind {
    COSM_TERM_WITH = 0, // has it
    COSM_TERM_WITHOUT,  // lacks it (of a bundle: lacks every member)
    COSM_TERM_OPTIONAL, // its column where it is there, else NULL; not for bundles
    COSM_TERM_ANY_OF,   // has at least one of the terms with the same `group` (a bundle: all of it)
} cosm_term_kind;

typedef enum cosm_access {
    COSM_ACCESS_READ = 0, // only reads
    COSM_ACCESS_WRITE,    // reads and writes
    COSM_ACCESS_MARK,     // writes, and says which rows changed: see cosm_change_mark
} cosm_access;

typedef struct cosm_term {
    cosm_component component; // or a bundle: a condition without a column
    cosm_term_kind kind;
    cosm_access access;
    uint32_t group; // for COSM_TERM_ANY_OF: which alternatives belong together, 0 to 31
    const void
        *value;   // for COSM_TERM_WITH of a shared component: rows with just this value; copied
    bool changed; // for _WITH and _ANY_OF: rows in which it has changed; see change.h
} cosm_term;

// Good when zeroed: every row of every table.
typedef struct cosm_query_desc {
    const char *text;                     // terms as text: see cosm_query_parse; or
    cosm_term terms[COSM_QUERY_TERM_MAX]; // terms without a component only at the end
    bool by_world;                        // never let a run cross from one world to the next
} cosm_query_desc;

// What a run needs to know of a term.
typedef struct cosm_term_info {
    uint64_t type_key; // of the type of its values; zero: see cosm_rows_find_type
    uint32_t size;     // of a value; zero where there is no column of whole values
    uint32_t component;
    cosm_term_kind kind;
    cosm_access access;
    const cosm_field_column *fields; // of a split column; else NULL
    uint32_t field_count;
    uint32_t column;      // of a split column: the number of its first field's; of a shared
                          // component: which of the archetype's
    uint32_t shared_size; // of the one value of a shared component; else zero
    uint32_t sector_offset;
    uint64_t sector_size; // of a sector component: one more than that of a value; else zero
    uint64_t sector_bit;
} cosm_term_info;

// A run of rows: what a walk yields, and what spawning many returns. Good as long as pointers to its
// rows are: until the next structural change of a world it shows. Not to be copied while it walks: two
// copies would both end the walk.
typedef struct cosm_rows {
    uint32_t count;       // rows in this run
    uint32_t world;       // index of the world of the first row
    uint32_t world_count; // worlds the run covers
    uint32_t row;         // row number, in its world's table, of the first row
    cosm_archetype archetype;
    uint32_t term_count;
    const cosm_entity *entities; // one per row; NULL in a temporary table
    const cosm_turn *turn;       // in a system: its turn, see turn.h; else NULL
    void *context;               // in a system or cosm_query_run: what it was given; else NULL
    float dt;                    // in a system: seconds that this run of the phase stands for
    // From here on the library's own.
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
    void *const *table; // the columns of the table at hand
    uint64_t first;     // row number, in those columns, of the first row
    const void *ahead_store;
    uint32_t group;     // of rows with shared values: the number of their table
    uint32_t is_sieved; // the query has terms that are met row by row
    uint32_t sieve_row;
    uint32_t sieve_end;
    void *reader;    // a cosm_change_reader: what counts as changed; NULL: everything
    uint32_t stamps; // its runs count as written where the terms say so
    void *columns[COSM_QUERY_TERM_MAX];
} cosm_rows;

// What is called for a run of rows. It must not end the walk.
typedef void cosm_rows_fn(cosm_rows *rows);

// Makes a query. Queries with equal terms are one and the same, and are counted. From any thread.
// NULL on failure.
COSM_API cosm_query *cosm_query_create(cosm_engine *engine, const cosm_query_desc *desc);

// Reads the terms of a query from text:
//
//     mut Position, Velocity, !Frozen, ?mut Mass, ~Health, (Cube | Ball), "any name"
//
// Commas stand between terms; no text is every row. A bare name reads (COSM_ACCESS_READ), `mut`
// writes (COSM_ACCESS_WRITE), `mark` is COSM_ACCESS_MARK. `!` is COSM_TERM_WITHOUT, `?` is
// COSM_TERM_OPTIONAL, `~` is `changed`. Names in parentheses with `|` between them are
// COSM_TERM_ANY_OF, in groups 0, 1, 2 and so on; `mut (A | B)` writes them all. A name is that of a
// component or a bundle: an identifier, or anything in double quotes, where \" and \\ stand for
// these two characters.
//
// Fills all terms of `out_desc`, clears its `text` and leaves its `by_world` alone. On failure, COSM_ERROR_FORMAT,
// the message names the column, and in text of several lines the line, in bytes and from 1;
// `out_desc` is as it was. From any thread.
COSM_API COSM_MUST_USE cosm_result cosm_query_parse(const cosm_engine *engine, const char *text,
                                                    cosm_query_desc *out_desc);

// Writes the terms of a query as such text; `by_world` is not part of it. Parsed, the text gives
// the same query if its desc said nothing that text cannot say: terms with COSM_TERM_WITHOUT have
// COSM_ACCESS_READ, terms without COSM_TERM_ANY_OF have group 0, and groups have two terms or
// more, side by side, and are numbered from 0 in the order of the terms. The shared values that
// terms ask for are not part of the text. If not, and but for those, the text gives a query that
// matches the same rows: terms of one group are drawn together where the first one
// stands, and a group of one is COSM_TERM_WITH.
COSM_API void cosm_query_print(const cosm_query *query, cosm_text_fn *write, void *context);

// Gives the query back; the last one frees it. NULL is fine. No walk of it may be under way.
COSM_API void cosm_query_destroy(cosm_query *query);

// Archetypes that match now.
COSM_API uint32_t cosm_query_archetype_count(const cosm_query *query);

// Does the archetype match?
COSM_API bool cosm_query_matches(const cosm_query *query, cosm_archetype archetype);

// Rows that match. O(tables).
COSM_API uint64_t cosm_query_count(const cosm_query *query, cosm_worlds worlds);

// The first entity that matches, or COSM_ENTITY_NONE; its world to `out_world` unless NULL.
// Temporary rows are passed over.
COSM_API cosm_entity cosm_query_first(const cosm_query *query, cosm_worlds worlds,
                                      cosm_world *out_world);

// Begins a walk. Until it ends, direct structural changes of the worlds that are walked are
// refused. Walks nest. A walk ends on the thread that began it.
// On failure there is a message and the walk is empty.
COSM_API void cosm_query_walk(const cosm_query *query, cosm_worlds worlds, cosm_rows *out_rows);

// The next run of rows; false at the end, which ends the walk.
COSM_API bool cosm_rows_next(cosm_rows *rows);

// Ends a walk early: call it when you leave the loop before cosm_rows_next returned false.
// Harmless on a walk that has ended.
COSM_API void cosm_rows_end(cosm_rows *rows);

// Calls `each` for every run of rows that matches, spread over the workers where that is faster; a
// run may be a slice of a table. `each` may be called on several threads at the same time, and its
// calls come in no particular order. Within a system, or on one worker, it is a plain walk.
COSM_API COSM_MUST_USE cosm_result cosm_query_run(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_rows_fn *each, void *context);

// The engine of the rows' batch; NULL for rows of nothing.
COSM_API cosm_engine *cosm_rows_engine(const cosm_rows *rows);

// The world that row `i` of the run belongs to. O(1).
COSM_API cosm_world cosm_rows_world(const cosm_rows *rows, uint32_t i);

// The run's column of any component of its archetype, or NULL. O(1) by perfect hash. A split one
// has no column of whole values: NULL with a message. What is only read does not count as changed.
COSM_API void *cosm_rows_column(const cosm_rows *rows, cosm_component component);
COSM_API const void *cosm_rows_column_read(const cosm_rows *rows, cosm_component component);

// The run's values of one field of a component, whatever the layout; data is NULL where there is no
// such component or field. O(1) by perfect hash.
COSM_API cosm_span cosm_rows_span(const cosm_rows *rows, cosm_component component, uint32_t field);
COSM_API cosm_span cosm_rows_span_read(const cosm_rows *rows, cosm_component component,
                                       uint32_t field);

// Copies the whole value of row `i` out, whatever its layout and storage. False where there is no
// such row or component.
COSM_API bool cosm_rows_get(const cosm_rows *rows, uint32_t i, cosm_component component,
                            void *out_value);

// Copies a whole value into row `i`, whatever its layout and storage. A component that the query has
// for reading only is refused. In a system a failure fails the step: its result may be dropped.
COSM_API cosm_result cosm_rows_set(const cosm_rows *rows, uint32_t i, cosm_component component,
                                   const void *value);

// The changes of entity.h for all rows that match, in bulk. The query is a filter only: its access
// and its column order do not matter. On failure nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_query_despawn(const cosm_query *query, cosm_worlds worlds);
COSM_API COSM_MUST_USE cosm_result cosm_query_add(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_component component);
COSM_API COSM_MUST_USE cosm_result cosm_query_remove(const cosm_query *query, cosm_worlds worlds,
                                                     cosm_component component);
// One value for all of them; added where absent.
COSM_API COSM_MUST_USE cosm_result cosm_query_set(const cosm_query *query, cosm_worlds worlds,
                                                  cosm_component component, const void *value);

// What the macros call where the quick way does not do: finds the column by its type, or looks at
// the one with that number. Or reports what is wrong, makes the rows empty and returns NULL.
COSM_API void *cosm_rows_find_type(const cosm_rows *rows, cosm_type type, bool write);
COSM_API void *cosm_rows_find_column(const cosm_rows *rows, uint32_t index, cosm_type type,
                                     bool write);
COSM_API void *cosm_rows_refuse_field(const cosm_rows *rows, uint32_t index, uint32_t field,
                                      size_t size, bool write);
COSM_API void *cosm_rows_field_sized(const cosm_rows *rows, cosm_component component,
                                     uint32_t field, size_t size);

static inline bool cosm_term_fits(const cosm_term_info *term, cosm_type type, bool write) {
    return term->type_key == type.key && term->size == type.size &&
           (!write || term->access != COSM_ACCESS_READ);
}

static inline void *cosm_rows_typed(const cosm_rows *rows, cosm_type type, bool write) {
    for (uint32_t t = 0; t < rows->term_count; t++) {
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
    if (index < rows->term_count && cosm_term_fits(&rows->terms[index], type, write)) {
        return rows->columns[index];
    }
    return cosm_rows_find_column(rows, index, type, write);
}

// The column of the query's term number `index`, for values of `size` bytes, whatever their type:
// for bindings to other languages. NULL where an optional component is absent; NULL, reported,
// where the index, the size or the access is wrong.
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

// The column of the query's term number `index`: for two terms of one type. As COSM_READ and
// COSM_WRITE of typed.h in all else.
#define COSM_COLUMN_READ(rows, Type, index)                                                        \
    COSM_CAST(const Type *, cosm_rows_numbered((rows), (index), COSM_TYPE(Type), false))
#define COSM_COLUMN_WRITE(rows, Type, index)                                                       \
    COSM_CAST(Type *, cosm_rows_numbered((rows), (index), COSM_TYPE(Type), true))

// What the field macros call. A field of several scalars may be seen as such, or scalar by scalar.
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

// The values of field number `field` of the query's term number `index`, where the component is
// split: an array of its own. NULL where an optional component is absent; NULL with a message where
// an argument, the type or the access is wrong, or the component is not split in this table.
#define COSM_FIELD_READ(rows, Type, index, field)                                                  \
    COSM_CAST(const Type *, cosm_rows_field((rows), (index), (field), sizeof(Type), false))
#define COSM_FIELD_WRITE(rows, Type, index, field)                                                 \
    COSM_CAST(Type *, cosm_rows_field((rows), (index), (field), sizeof(Type), true))

// The same by component and look-up: for rows that come from spawning.
#define COSM_FIELD_OF(rows, Type, component, field)                                                \
    COSM_CAST(Type *, cosm_rows_field_sized((rows), (component), (field), sizeof(Type)))

COSM_END_C

#endif
