// Access checks of checked builds: reads and writes by handle, columns, singletons and queries are
// held against what the system declares; columns that it may only read are compared before and
// after; its context is searched for addresses of rows.
#include "run/checks.h"

#ifdef COSM_CHECKS

#include "base/hash.h"
#include "run/access.h"

// What a fault is about: together with the thing's id it tells whether it was told before.
enum fault_kind {
    FAULT_READ,
    FAULT_WRITE,
    FAULT_SINGLETON_READ,
    FAULT_SINGLETON_WRITE,
    FAULT_WORLD,
    FAULT_ROW,
    FAULT_SEAL,
    FAULT_KEPT,
    FAULT_SINGLETON_SEAL,
    FAULT_KIND_COUNT
};

// The sink for a fault: nobody when it was told before. The step hears of it in any case.
static const struct sink *fault_sink(const struct turn *turn, enum fault_kind kind, uint32_t id) {
    struct cosm_batch *batch = turn->worker->batch;
    uint64_t key = hash_u64(turn->system->name_hash, (uint64_t)id * FAULT_KIND_COUNT + kind);
    return cosmi_runner_note_fault(batch->runner, key) ? batch->sink : &cosmi_sink_silent;
}

static const char *component_name(const struct turn *turn, uint32_t component) {
    const struct value_type *type = schema_component(turn->worker->batch->schema, component);
    return type == NULL ? "?" : type->name;
}

// The turn of this thread, where it is one on this batch.
static struct turn *turn_on(const struct cosm_batch *batch) {
    struct turn *turn = cosmi_turn_now;
    // A turn within which another batch is stepped is still that of its own batch.
    while (turn != NULL && turn->worker->batch != batch) {
        turn = turn->outer;
    }
    return turn;
}

static bool has_world(const struct turn *turn, uint32_t world, const char *call) {
    cosm_worlds worlds = turn->open.worlds;
    if (world - worlds.first < worlds.count) {
        return true;
    }
    (void)cosmi_fail(fault_sink(turn, FAULT_WORLD, 0), COSM_ERROR_ACCESS,
                     "%s: system '%s' accesses world %u, but its turn has %u worlds from world "
                     "%u; use only those, or make the system global",
                     call, turn->system->name, world, worlds.count, worlds.first);
    return false;
}

void cosmi_check_component(const struct cosm_batch *batch, uint32_t world, uint32_t component,
                           bool write, const char *call) {
    const struct turn *turn = turn_on(batch);
    const struct value_type *type = schema_component(batch->schema, component);
    // A tag has no bytes to touch.
    if (turn == NULL || !has_world(turn, world, call) || turn->system->exclusive || type == NULL ||
        type->size == 0 || cosmi_access_component(turn->system, component, write)) {
        return;
    }
    (void)cosmi_fail(
        fault_sink(turn, write ? FAULT_WRITE : FAULT_READ, component), COSM_ERROR_ACCESS,
        "%s: system '%s' %s component '%s' without declaring it; name it in desc.uses or in a "
        "query of the system, %s 'mut'",
        call, turn->system->name, write ? "writes" : "reads", component_name(turn, component),
        write ? "with" : "without");
}

void cosmi_check_singleton(const struct cosm_batch *batch, uint32_t world, uint32_t singleton,
                           bool write, const char *call) {
    const struct turn *turn = turn_on(batch);
    const struct value_type *type = schema_singleton(batch->schema, singleton);
    if (turn == NULL || type == NULL || !has_world(turn, world, call) || turn->system->exclusive ||
        cosmi_access_singleton(turn->system, singleton, write)) {
        return;
    }
    (void)cosmi_fail(
        fault_sink(turn, write ? FAULT_SINGLETON_WRITE : FAULT_SINGLETON_READ, singleton),
        COSM_ERROR_ACCESS,
        "%s: system '%s' %s singleton '%s' without declaring it; name it in desc.uses, %s 'mut'",
        call, turn->system->name, write ? "writes" : "reads", type->name,
        write ? "with" : "without");
}

// Is the row among those that the system was called with?
static bool is_at_hand(const struct turn *turn, uint32_t world, const struct archetype *archetype,
                       uint32_t row) {
    const cosm_rows *rows = turn->rows_now;
    if (rows == NULL || row == ROW_ANY || rows->archetype.id != archetype->id) {
        return false;
    }
    // A run of several worlds is not a slice.
    return rows->world_count > 1 ? world - rows->world < rows->world_count
                                 : world == rows->world && row - rows->row < rows->count;
}

// Does this use cover the row?
static bool covers(const struct turn *turn, const struct component_use *use, uint32_t world,
                   const struct archetype *archetype, uint32_t row) {
    const struct system *system = turn->system;
    if (use->query == NULL) {
        return true;
    }
    if (!cosmi_query_matches(use->query, archetype)) {
        return false;
    }
    return use->query != system->queries[0] || !system->splits ||
           !cosmi_access_component(system, use->component, true) ||
           is_at_hand(turn, world, archetype, row);
}

// Can a row of the archetype have the component at all?
static bool may_have(const struct cosm_batch *batch, const struct archetype *archetype,
                     uint32_t component) {
    const struct value_type *type = schema_component(batch->schema, component);
    return archetype_find(archetype, component) != NULL ||
           (type != NULL && type->storage == COSM_STORAGE_SECTOR);
}

void cosmi_check_cell(const struct cosm_batch *batch, uint32_t world,
                      const struct archetype *archetype, uint32_t row, uint32_t component,
                      bool write, const char *call) {
    const struct turn *turn = turn_on(batch);
    if (turn == NULL || turn->system->exclusive || !may_have(batch, archetype, component) ||
        !cosmi_access_component(turn->system, component, write)) {
        return;
    }
    for (uint32_t i = 0; i < turn->system->component_count; i++) {
        const struct component_use *use = &turn->system->components[i];
        if (use->component == component && (use->write || !write) &&
            covers(turn, use, world, archetype, row)) {
            return;
        }
    }
    (void)cosmi_fail(fault_sink(turn, FAULT_ROW, component), COSM_ERROR_ACCESS,
                     "%s: system '%s' accesses component '%s' of a row that it was not called "
                     "with, which another worker may be writing; add it to desc.uses",
                     call, turn->system->name, component_name(turn, component));
}

// The tables of a query that have a column of the component.
static void check_tables(const cosm_query *query, cosm_worlds worlds, uint32_t component,
                         bool write, const char *call) {
    for (struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
            if (cosmi_match_table(query, m, worlds.batch, w, NULL) != NULL) {
                cosmi_check_cell(worlds.batch, w, m->archetype, ROW_ANY, component, write, call);
                break;
            }
        }
    }
}

void cosmi_check_query(const cosm_query *query, cosm_worlds worlds, const char *call) {
    const struct turn *turn = turn_on(worlds.batch);
    if (turn == NULL || worlds.count == 0 || !has_world(turn, worlds.first, call) ||
        !has_world(turn, worlds.first + worlds.count - 1, call)) {
        return;
    }
    for (uint32_t t = 0; t < query->term_count; t++) {
        if (term_has_bytes(&query->infos[t]) && query->terms[t].kind != COSM_TERM_WITHOUT) {
            bool write = query->terms[t].access != COSM_ACCESS_READ;
            cosmi_check_component(worlds.batch, worlds.first, query->infos[t].component, write,
                                  call);
            check_tables(query, worlds, query->infos[t].component, write, call);
        }
    }
}

// Is this term's column one that the system must leave as it is?
static bool is_sealed_term(const struct turn *turn, const cosm_rows *rows, uint32_t t) {
    return rows->columns[t] != NULL && rows->terms[t].access == COSM_ACCESS_READ &&
           !turn->system->exclusive &&
           !cosmi_access_component(turn->system, rows->terms[t].component, true);
}

// A hash of a term's column in the rows at hand; of a split one, of the columns of its fields.
static uint64_t term_hash(const cosm_rows *rows, uint32_t t) {
    const cosm_term_info *term = &rows->terms[t];
    if (term->fields == NULL) {
        return cosmi_hash_bytes(t, rows->columns[t], (size_t)rows->count * term->size);
    }
    uint64_t hash = t;
    for (uint32_t f = 0; f < term->field_count; f++) {
        size_t stride = term->fields[f].stride;
        const char *cells = (const char *)rows->table[term->column + f] + rows->first * stride;
        hash = cosmi_hash_bytes(hash, cells, rows->count * stride);
    }
    return hash;
}

struct rows_seal cosmi_check_rows_begin(struct turn *turn, cosm_rows *rows) {
    struct rows_seal seal = {.count = rows->count};
    for (uint32_t t = 0; t < rows->term_count; t++) {
        seal.columns[t] = rows->columns[t];
        if (is_sealed_term(turn, rows, t)) {
            seal.hashes[t] = term_hash(rows, t);
        }
    }
    return seal;
}

void cosmi_check_rows_end(struct turn *turn, cosm_rows *rows, const struct rows_seal *seal) {
    for (uint32_t t = 0; t < rows->term_count; t++) {
        // A system that ends the walk itself leaves nothing to compare.
        if (rows->columns[t] != seal->columns[t] || rows->count != seal->count ||
            !is_sealed_term(turn, rows, t)) {
            continue;
        }
        uint32_t component = rows->terms[t].component;
        if (term_hash(rows, t) != seal->hashes[t]) {
            (void)cosmi_fail(fault_sink(turn, FAULT_SEAL, component), COSM_ERROR_ACCESS,
                             "cosm_batch_step: system '%s' changed component '%s', which it may "
                             "only read; ask for COSM_ACCESS_WRITE in its query",
                             turn->system->name, component_name(turn, component));
        }
    }
}

static uint64_t singleton_hash(const struct turn *turn, const struct singleton_use *use) {
    cosm_worlds worlds = turn->open.worlds;
    const struct value_type *type = schema_singleton(worlds.batch->schema, use->singleton);
    const char *values = paged_get(&worlds.batch->singletons, use->singleton);
    return cosmi_hash_bytes(0, values + (size_t)worlds.first * type->size,
                            (size_t)worlds.count * type->size);
}

void cosmi_check_turn_begin(struct turn *turn) {
    const struct system *system = turn->system;
    for (uint32_t i = 0; i < system->singleton_count && !system->exclusive; i++) {
        if (!system->singletons[i].write) {
            turn->singleton_seals[i] = singleton_hash(turn, &system->singletons[i]);
        }
    }
}

static void check_singletons_kept(struct turn *turn) {
    const struct system *system = turn->system;
    for (uint32_t i = 0; i < system->singleton_count && !system->exclusive; i++) {
        const struct singleton_use *use = &system->singletons[i];
        if (!cosmi_access_singleton(system, use->singleton, true) &&
            singleton_hash(turn, use) != turn->singleton_seals[i]) {
            (void)cosmi_fail(
                fault_sink(turn, FAULT_SINGLETON_SEAL, use->singleton), COSM_ERROR_ACCESS,
                "cosm_batch_step: system '%s' changed singleton '%s', which it may only read; ask "
                "for COSM_ACCESS_WRITE in desc.singletons",
                system->name, schema_singleton(turn->worker->batch->schema, use->singleton)->name);
        }
    }
}

// The column of this world in which an address lies, or NULL.
static const struct column_info *column_at(const struct cosm_batch *batch, uint32_t world,
                                           uintptr_t address) {
    for (const struct store *s = batch_first_store(batch); s != NULL; s = store_next(s)) {
        const struct table *table = s->counts[world] == 0 ? NULL : store_table(s, world);
        for (uint32_t c = 0; table != NULL && c < s->archetype->column_count; c++) {
            const struct column_info *column = &s->archetype->columns[c];
            if (column->size == 0) {
                continue; // the entities of a temporary table
            }
            uintptr_t begin = (uintptr_t)store_cell(s, table, world, c, 0, column->size);
            if (address - begin < (uintptr_t)s->counts[world] * column->size) {
                return column;
            }
        }
    }
    return NULL;
}

// Looks for addresses of rows in what the system keeps.
static void check_context(struct turn *turn) {
    const struct system *system = turn->system;
    const char *context = system->context;
    for (size_t at = 0; at + sizeof(uintptr_t) <= system->context_size; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, context + at, sizeof(word));
        if (word < 4096) {
            continue;
        }
        cosm_worlds worlds = turn->open.worlds;
        const struct column_info *column = NULL;
        for (uint32_t w = 0; w < worlds.count && column == NULL; w++) {
            column = column_at(worlds.batch, worlds.first + w, word);
        }
        if (column != NULL) {
            bool is_entity = column->component == 0;
            (void)cosmi_fail(fault_sink(turn, FAULT_KEPT, column->component), COSM_ERROR_ACCESS,
                             "cosm_batch_step: system '%s' keeps a pointer to %s'%s' in its "
                             "context, at byte %zu; rows move at sync points: store the entity, "
                             "and look it up in each turn",
                             system->name, is_entity ? "the column of " : "component ",
                             is_entity ? "entities" : component_name(turn, column->component), at);
        }
    }
}

void cosmi_check_turn_end(struct turn *turn) {
    check_singletons_kept(turn);
    check_context(turn);
}

#endif
