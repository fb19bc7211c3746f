// Walks: every run is checked as it comes, and at the end every row must have come exactly once.
//
// Walks stay open across operations, so that changes are tried, values written and archetypes
// formed while they are under way.
#include "state.h"

#include <stdlib.h>
#include <string.h>

// A walk is known to every world that it covers.
static void count_walk_of(struct oracle *o, uint32_t first, uint32_t count, int one) {
    uint32_t known = o->fault == MODEL_FAULT_BATCH_WALK_ONE && count > 1 ? 1 : count;
    for (uint32_t i = 0; i < known; i++) {
        o->worlds[first + i].walks += (uint32_t)one;
    }
}

void walk_begin(struct model *m, struct walk *walk, uint32_t query, struct span span) {
    walk->open = true;
    walk->on_run = false;
    walk->query = query;
    walk->first = span.first;
    walk->count = span.count;
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        struct world *w = &m->o.worlds[i];
        walk->seen[i] = grow(walk->seen[i], &walk->seen_capacity[i], w->being_capacity + 1, 1);
        memset(walk->seen[i], 0, walk->seen_capacity[i]);
        memset(walk->bag_seen[i], 0, sizeof(walk->bag_seen[i]));
    }
    cosm_query_walk(m->o.queries[query].library, span.worlds, &walk->rows);
    count_walk_of(&m->o, span.first, span.count, 1);
    m->o.queries[query].walks++;
}

static void walk_is_over(struct model *m, struct walk *walk) {
    count_walk_of(&m->o, walk->first, walk->count, -1);
    m->o.queries[walk->query].walks--;
    walk->open = false;
    walk->on_run = false;
}

// The column that a term shows for rows of a set.
static bool term_has_column(const struct model *m, const struct term *term, uint64_t set) {
    const struct kind *kind = &m->o.kinds[term->kind];
    return !kind->bundle && kind->size > 0 && term->how != COSM_TERM_WITHOUT &&
           kind->storage == COSM_STORAGE_COLUMN && (set & kind->set) != 0;
}

// Is a term about something that is not in a column, and does it show it?
static bool term_is_apart(const struct model *m, const struct term *term) {
    return m->o.kinds[term->kind].storage != COSM_STORAGE_COLUMN;
}

static bool term_shows_apart(const struct model *m, const struct term *term) {
    return term_is_apart(m, term) && term->how != COSM_TERM_WITHOUT;
}

static void check_columns(struct model *m, struct walk *walk, const struct archetype *archetype) {
    const struct query *query = &m->o.queries[walk->query];
    const cosm_rows *rows = &walk->rows;
    if (rows->term_count != query->term_count) {
        fail(m, "the run has %u terms instead of %u", rows->term_count, query->term_count);
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const struct kind *kind = &m->o.kinds[query->terms[i].kind];
        cosm_error_clear();
        if (term_shows_apart(m, &query->terms[i])) {
            check_apart_term(m, rows, i, kind, archetype);
        }
        if (term_is_apart(m, &query->terms[i])) {
            continue;
        }
        const void *column = cosm_rows_read(rows, i, kind->size);
        bool bytes = term_has_column(m, &query->terms[i], archetype->set);
        bool split = bytes && (archetype->split & kind->set) != 0;
        if ((column != NULL) != (bytes && !split)) {
            fail(m, "term %u, %s, %s a column", i, kind->name, column ? "has" : "lacks");
        }
        if (split) {
            expect_refusal(m, kind, "COSM_COLUMN_READ");
        } else if (bytes && cosm_rows_column(rows, kind->id) != column) {
            fail(m, "term %u, %s, and the look-up show different columns", i, kind->name);
        }
        if (bytes) {
            check_fields(m, rows, i, kind, split);
        }
    }
    cosm_error_clear();
}

// The values of one row, as the query's terms show them.
static void check_row(struct model *m, struct walk *walk, uint64_t set, uint64_t split,
                      const uint32_t *values, uint32_t i) {
    const struct query *query = &m->o.queries[walk->query];
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct kind *kind = &m->o.kinds[query->terms[t].kind];
        if (term_shows_apart(m, &query->terms[t])) {
            check_apart_row(m, &walk->rows, t, i, kind, set, values);
        }
        if (!term_has_column(m, &query->terms[t], set)) {
            continue;
        }
        bool is_whole = (split & kind->set) == 0;
        if (!is_whole || kind->shape.count > 0) {
            check_copy(m, &walk->rows, i, kind, !is_whole, values[kind->bit]);
        }
        const uint8_t *column = is_whole ? cosm_rows_read(&walk->rows, t, kind->size) : NULL;
        if (is_whole && !bytes_are(kind, values[kind->bit], column + i * kind->size)) {
            fail(m, "the value of %s in row %u of the run is wrong", kind->name, i);
        }
    }
}

static void check_lasting_row(struct model *m, struct walk *walk, uint32_t world, uint32_t row,
                              uint32_t i) {
    cosm_entity entity = walk->rows.entities[i];
    const struct being *being = being_find(&m->o, world, entity);
    if (!being) {
        fail(m, "the walk shows {gen %u, id %u} in world %u, which is not alive", entity.gen,
             entity.id, world);
    }
    if (!query_takes(&m->o, &m->o.queries[walk->query], being->set, being->value)) {
        fail(m, "the walk shows {gen %u, id %u}, which does not match", entity.gen, entity.id);
    }
    const struct archetype *archetype = learn_archetype(m, being->set, walk->rows.archetype);
    if (!archetype) {
        fail(m, "the walk shows {gen %u, id %u} in a wrong archetype", entity.gen, entity.id);
    }
    cosm_loc loc = cosm_entity_loc(cosm_batch_world(m->batch, world), entity);
    bool shared = (archetype->set & m->o.shared) != 0;
    if ((loc.table != walk->rows.archetype.id && !shared) || loc.row != row) {
        fail(m, "{gen %u, id %u} is at {%u, %u}, and the walk shows it at {%u, %u}", entity.gen,
             entity.id, loc.table, loc.row, walk->rows.archetype.id, row);
    }
    if (walk->seen[world][entity.id]++) {
        fail(m, "the walk shows {gen %u, id %u} twice", entity.gen, entity.id);
    }
    check_row(m, walk, being->set, archetype->split, being->value, i);
    digest(m, ((uint64_t)world << 32) + entity.id);
}

static void check_temporary_row(struct model *m, struct walk *walk, uint32_t world, uint32_t row,
                                uint32_t i) {
    const struct archetype *archetype = archetype_of_id(&m->o, walk->rows.archetype);
    if (!archetype || !archetype->temporary) {
        fail(m, "a run without handles is not of a temporary archetype");
    }
    struct bag *bag = bag_of(&m->o, world, archetype);
    uint32_t *seen = &walk->bag_seen[world][bag - m->o.worlds[world].bags];
    if (row != *seen || row >= bag->count) {
        fail(m, "the walk shows temporary row %u of %u after %u others", row, bag->count, *seen);
    }
    (*seen)++;
    check_row(m, walk, archetype->set, archetype->split, bag->rows[row].value, i);
}

static void check_run(struct model *m, struct walk *walk) {
    const cosm_rows *rows = &walk->rows;
    const struct query *query = &m->o.queries[walk->query];
    if (rows->count == 0 || rows->world_count == 0 || rows->world < walk->first ||
        rows->world + rows->world_count > walk->first + walk->count) {
        fail(m, "a run of %u rows, worlds %u to %u, is not within the walk", rows->count,
             rows->world, rows->world + rows->world_count);
    }
    if (query->by_world && rows->world_count != 1) {
        fail(m, "a run crosses from world to world, which the query forbids");
    }
    if (!cosm_query_matches(query->library, rows->archetype)) {
        fail(m, "a run of archetype %u, which does not match", rows->archetype.id);
    }
    uint32_t world = rows->world;
    uint32_t row = rows->row;
    for (uint32_t i = 0; i < rows->count; i++, row++) {
        uint32_t now = cosm_rows_world(rows, i).index;
        if (now != world) {
            if (now < world || now >= rows->world + rows->world_count) {
                fail(m, "row %u of the run is of world %u, after world %u", i, now, world);
            }
            row = 0;
            world = now;
        }
        if (rows->entities) {
            check_lasting_row(m, walk, world, row, i);
        } else {
            check_temporary_row(m, walk, world, row, i);
        }
    }
    check_columns(m, walk, archetype_of_id(&m->o, rows->archetype));
}

static void check_complete(struct model *m, struct walk *walk) {
    const struct query *query = &m->o.queries[walk->query];
    for (uint32_t i = walk->first; i < walk->first + walk->count; i++) {
        const struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            const struct being *being = &w->beings[k];
            if (being->alive && query_takes(&m->o, query, being->set, being->value) &&
                !walk->seen[i][k]) {
                fail(m, "the walk passed over {gen %u, id %u} in world %u", being->handle.gen,
                     being->handle.id, i);
            }
        }
        for (uint32_t k = 0; k < w->bag_count; k++) {
            uint64_t set = m->o.archetypes[w->bags[k].archetype].set;
            uint32_t expected = query_takes(&m->o, query, set, NULL) ? w->bags[k].count : 0;
            if (walk->bag_seen[i][k] != expected) {
                fail(m, "the walk showed %u temporary rows of %u in world %u", walk->bag_seen[i][k],
                     expected, i);
            }
        }
    }
}

bool walk_next(struct model *m, struct walk *walk) {
    walk->on_run = cosm_rows_next(&walk->rows);
    if (walk->on_run) {
        check_run(m, walk);
        return true;
    }
    check_complete(m, walk);
    walk_is_over(m, walk);
    if (cosm_rows_next(&walk->rows)) {
        fail(m, "a walk that has ended goes on");
    }
    cosm_rows_end(&walk->rows);
    return false;
}

void walk_end(struct model *m, struct walk *walk) {
    cosm_rows_end(&walk->rows);
    walk_is_over(m, walk);
    cosm_rows_end(&walk->rows);
}

void walk_free(struct walk *walk) {
    for (uint32_t i = 0; i < ORACLE_WORLD_MAX; i++) {
        free(walk->seen[i]);
    }
    memset(walk, 0, sizeof(*walk));
}

// A walk of a query that is none, or of another engine, is empty.
static void walk_wrongly(struct model *m, struct span span) {
    cosm_rows rows;
    cosm_query_walk(draw(m, 2) == 0 ? NULL : m->other_query, span.worlds, &rows);
    if (cosm_error_result() == COSM_OK || cosm_rows_next(&rows)) {
        fail(m, "a walk of a query that is not of this engine has rows, or no message");
    }
    cosm_error_clear();
}

// Begins a walk that the record chooses; NULL when there is none to begin.
static struct walk *begin_walk(struct model *m) {
    const struct query *query = pick_query(m);
    struct span span = pick_span(m);
    uint32_t slot = 0;
    while (slot < MODEL_WALK_MAX && m->walks[slot].open) {
        slot++;
    }
    if (!query || slot == MODEL_WALK_MAX) {
        return NULL;
    }
    // A walk that fails for want of memory would be empty, and nobody could tell.
    m->heap.fail_after = 0;
    uint32_t index = (uint32_t)(query - m->o.queries);
    struct walk *walk = &m->walks[slot];
    say(m, "cosm_query_walk(query %u, worlds %u to %u%s), walk %u", index, span.worlds.first,
        span.worlds.first + span.worlds.count, span.good ? "" : " (wrong)", slot);
    if (rarely(m, 24)) {
        walk_wrongly(m, span);
    }
    walk_begin(m, walk, index, span);
    walk->life = 1 + pick(m, 12);
    if (span.good != (cosm_error_result() == COSM_OK)) {
        fail(m, "beginning a walk says %s", cosm_result_name(cosm_error_result()));
    }
    if (!span.good) {
        walk_next(m, walk);
    }
    cosm_error_clear();
    return walk->open ? walk : NULL;
}

void op_walk_begin(struct model *m) {
    (void)begin_walk(m);
}

// The open walk that a byte chooses; where there is none, a new one, or NULL.
static struct walk *pick_walk(struct model *m) {
    uint32_t start = pick(m, MODEL_WALK_MAX);
    for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
        struct walk *walk = &m->walks[(start + i) % MODEL_WALK_MAX];
        if (walk->open) {
            return walk;
        }
    }
    return begin_walk(m);
}

void op_walk_next(struct model *m) {
    struct walk *walk = pick_walk(m);
    bool to_end = pick(m, 2) == 1;
    if (!walk) {
        return;
    }
    say(m, "cosm_rows_next(walk %u)%s", (unsigned)(walk - m->walks), to_end ? " to the end" : "");
    while (walk_next(m, walk) && to_end) {
    }
}

void op_walk_end(struct model *m) {
    struct walk *walk = pick_walk(m);
    if (walk) {
        say(m, "cosm_rows_end(walk %u)", (unsigned)(walk - m->walks));
        walk_end(m, walk);
    }
}

// The row number, in its world's table, of row `i` of a run.
static uint32_t row_in_world(const cosm_rows *rows, uint32_t i) {
    uint32_t world = cosm_rows_world(rows, i).index;
    if (world == rows->world) {
        return rows->row + i;
    }
    uint32_t start = i;
    while (cosm_rows_world(rows, start - 1).index == world) {
        start--;
    }
    return i - start;
}

static const uint32_t *run_values(struct model *m, const struct walk *walk, uint32_t i) {
    uint32_t world = cosm_rows_world(&walk->rows, i).index;
    if (walk->rows.entities) {
        return being_find(&m->o, world, walk->rows.entities[i])->value;
    }
    const struct archetype *archetype = archetype_of_id(&m->o, walk->rows.archetype);
    return bag_of(&m->o, world, archetype)->rows[row_in_world(&walk->rows, i)].value;
}

static uint64_t run_set(struct model *m, const struct walk *walk, uint32_t i) {
    uint32_t world = cosm_rows_world(&walk->rows, i).index;
    return walk->rows.entities ? being_find(&m->o, world, walk->rows.entities[i])->set
                               : archetype_of_id(&m->o, walk->rows.archetype)->set;
}

static void follow_write(struct model *m, const struct walk *walk, uint32_t i, uint32_t bit,
                         uint32_t value) {
    uint32_t world = cosm_rows_world(&walk->rows, i).index;
    if (walk->rows.entities) {
        being_find(&m->o, world, walk->rows.entities[i])->value[bit] = value;
    } else {
        const struct archetype *archetype = archetype_of_id(&m->o, walk->rows.archetype);
        struct bag *bag = bag_of(&m->o, world, archetype);
        bag->rows[row_in_world(&walk->rows, i)].value[bit] = value;
    }
    m->touched |= 1u << world;
    m->compare = true;
}

// Writes one row of the run through the arrays of a split term's fields, or as a whole; not where
// the query only reads.
static bool write_split(struct model *m, const struct walk *walk, uint32_t t, uint32_t i,
                        uint32_t value, bool by_field) {
    const struct term *term = &m->o.queries[walk->query].terms[t];
    const struct kind *kind = &m->o.kinds[term->kind];
    const cosm_rows *rows = &walk->rows;
    bool may_write = term->access == COSM_ACCESS_WRITE;
    cosm_error_clear();
    for (uint32_t f = 0; f < kind->shape.count && by_field; f++) {
        const cosm_field *field = &kind->shape.fields[f];
        uint8_t *at = cosm_rows_field(rows, t, f, field_stride(field), true);
        if ((at != NULL) != may_write) {
            fail(m, "field %s of term %u can%s be written", field->name, t, at ? "" : "not");
        }
        if (!at) {
            expect_refusal(m, kind, "COSM_FIELD_WRITE");
            continue;
        }
        const uint8_t *bytes = bytes_of(m, kind, value);
        memcpy(at + i * field_stride(field), bytes + field->offset, field_size(field));
    }
    if (may_write && !by_field) {
        return write_row(m, rows, i, kind, value, false);
    }
    return may_write;
}

// The same through its column.
static bool write_whole(struct model *m, const struct walk *walk, uint32_t t, uint32_t i,
                        uint32_t value, bool by_field) {
    const struct query *query = &m->o.queries[walk->query];
    const struct kind *kind = &m->o.kinds[query->terms[t].kind];
    uint8_t *column = cosm_rows_write(&walk->rows, t, kind->size);
    bool may_write = query->terms[t].access == COSM_ACCESS_WRITE;
    if ((column != NULL) != may_write || cosm_rows_write(&walk->rows, t, kind->size + 1) ||
        cosm_rows_read(&walk->rows, query->term_count, kind->size)) {
        fail(m, "term %u can%s be written, or a wrong size or index was not found out", t,
             column ? "" : "not");
    }
    cosm_error_clear();
    if (column && by_field) {
        return write_row(m, &walk->rows, i, kind, value, true);
    } else if (column) {
        bytes_to(kind, value, column + i * kind->size);
    }
    return may_write;
}

// Writes one row of the run.
void op_walk_write(struct model *m) {
    struct walk *walk = pick_walk(m);
    if (walk && !walk->on_run) {
        say(m, "cosm_rows_next(walk %u)", (unsigned)(walk - m->walks));
        walk_next(m, walk);
    }
    if (!walk || !walk->on_run) {
        return;
    }
    const struct query *query = &m->o.queries[walk->query];
    const struct archetype *archetype = archetype_of_id(&m->o, walk->rows.archetype);
    uint32_t t = pick(m, query->term_count);
    uint32_t i = pick(m, walk->rows.count);
    bool by_field = pick(m, 2) == 0;
    uint32_t value = draw_value(m);
    bool apart = query->term_count > 0 && term_shows_apart(m, &query->terms[t]);
    if (query->term_count == 0 ||
        (!apart && !term_has_column(m, &query->terms[t], archetype->set))) {
        return;
    }
    const struct kind *kind = &m->o.kinds[query->terms[t].kind];
    say(m, "write row %u of walk %u, term %u, %s", i, (unsigned)(walk - m->walks), t, kind->name);
    if (apart) {
        struct apart_write write = {.rows = &walk->rows,
                                    .term = t,
                                    .row = i,
                                    .kind = kind,
                                    .may_write = query->terms[t].access == COSM_ACCESS_WRITE,
                                    .set = run_set(m, walk, i),
                                    .values = run_values(m, walk, i),
                                    .value = value,
                                    .by_pointer = by_field};
        if (write_apart(m, &write)) {
            follow_write(m, walk, i, kind->bit, value);
        }
        return;
    }
    bool split = (archetype->split & kind->set) != 0;
    bool written = split ? write_split(m, walk, t, i, value, by_field)
                         : write_whole(m, walk, t, i, value, by_field);
    if (written) {
        follow_write(m, walk, i, kind->bit, value);
    }
}
