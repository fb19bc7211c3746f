// addrem1 and addrem_query in plain C: two tables, with and without a Force, under one set of
// handles.
//
// Each table has room for every id, so no move has to look for room. The record of an id says its
// row and, in the top bit, which of the tables it is in.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

#define IN_PUSHED 0x80000000u

struct table {
    Position *position;
    Velocity *velocity;
    Force *force; // NULL in the table without
    uint32_t *ids;
    uint32_t count;
};

struct store {
    struct table plain;
    struct table pushed;
    struct limit_record *records;
    struct limit_handle *handles;
    uint32_t n;
};

// Fills the hole with the last row.
static inline void table_erase(struct table *table, struct limit_record *records, uint32_t row,
                               uint32_t tag) {
    uint32_t last = --table->count;
    uint32_t moved = table->ids[last];
    table->position[row] = table->position[last];
    table->velocity[row] = table->velocity[last];
    if (table->force != NULL) {
        table->force[row] = table->force[last];
    }
    table->ids[row] = moved;
    records[moved].index = row | tag;
}

static inline bool is_alive(const struct store *store, struct limit_handle handle) {
    return handle.id < store->n && store->records[handle.id].gen == handle.gen;
}

static inline bool add(struct store *store, struct limit_handle handle) {
    if (!is_alive(store, handle)) {
        return false;
    }
    struct limit_record *record = &store->records[handle.id];
    if (record->index & IN_PUSHED) {
        return true;
    }
    uint32_t from = record->index;
    uint32_t to = store->pushed.count++;
    store->pushed.position[to] = store->plain.position[from];
    store->pushed.velocity[to] = store->plain.velocity[from];
    store->pushed.force[to] = (Force){0};
    store->pushed.ids[to] = handle.id;
    table_erase(&store->plain, store->records, from, 0);
    record->index = to | IN_PUSHED;
    return true;
}

static inline bool take_away(struct store *store, struct limit_handle handle) {
    if (!is_alive(store, handle)) {
        return false;
    }
    struct limit_record *record = &store->records[handle.id];
    if (!(record->index & IN_PUSHED)) {
        return true;
    }
    uint32_t from = record->index & ~IN_PUSHED;
    uint32_t to = store->plain.count++;
    store->plain.position[to] = store->pushed.position[from];
    store->plain.velocity[to] = store->pushed.velocity[from];
    store->plain.ids[to] = handle.id;
    table_erase(&store->pushed, store->records, from, IN_PUSHED);
    record->index = to;
    return true;
}

static void add_each(struct store *store) {
    for (uint32_t i = 0; i < store->n; i++) {
        add(store, store->handles[i]);
    }
}

static void remove_each(struct store *store) {
    for (uint32_t i = 0; i < store->n; i++) {
        take_away(store, store->handles[i]);
    }
}

// Moves all rows of one table to the end of another: columns are copied, records rewritten.
static uint32_t move_all(struct store *store, struct table *from, struct table *to, uint32_t tag) {
    uint32_t first = to->count;
    uint32_t count = from->count;
    memcpy(to->position + first, from->position, count * sizeof(Position));
    memcpy(to->velocity + first, from->velocity, count * sizeof(Velocity));
    memcpy(to->ids + first, from->ids, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        store->records[from->ids[i]].index = (first + i) | tag;
    }
    to->count = first + count;
    from->count = 0;
    return first;
}

static void add_all(struct store *store) {
    uint32_t first = move_all(store, &store->plain, &store->pushed, IN_PUSHED);
    memset(store->pushed.force + first, 0, (store->pushed.count - first) * sizeof(Force));
}

static void remove_all(struct store *store) {
    move_all(store, &store->pushed, &store->plain, 0);
}

static void run_each(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_each(state);
        remove_each(state);
    }
}

static void run_all(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_all(state);
        remove_all(state);
    }
}

static void table_create(struct table *table, uint32_t n, bool with_force) {
    table->position = bench_alloc(n, sizeof(Position));
    table->velocity = bench_alloc(n, sizeof(Velocity));
    table->force = with_force ? bench_alloc(n, sizeof(Force)) : NULL;
    table->ids = bench_alloc(n, sizeof(uint32_t));
    table->count = 0;
}

static void table_destroy(struct table *table) {
    free(table->position);
    free(table->velocity);
    free(table->force);
    free(table->ids);
}

static void *create(uint32_t n) {
    struct store *store = bench_alloc(1, sizeof *store);
    table_create(&store->plain, n, false);
    table_create(&store->pushed, n, true);
    store->records = bench_alloc(n, sizeof(struct limit_record));
    store->handles = bench_alloc(n, sizeof(struct limit_handle));
    store->n = n;
    work_fill(store->plain.position, store->plain.velocity, n);
    for (uint32_t i = 0; i < n; i++) {
        store->plain.ids[i] = i;
        store->records[i] = (struct limit_record){1, i};
        store->handles[i] = (struct limit_handle){1, i};
    }
    store->plain.count = n;
    return store;
}

// Also of the rows as they are between adding and removing.
static uint64_t hash(const struct store *store) {
    const struct table *plain = &store->plain;
    const struct table *pushed = &store->pushed;
    uint64_t sum = work_hash_movers(plain->position, plain->velocity, plain->count);
    sum += work_hash_movers(pushed->position, pushed->velocity, pushed->count);
    return sum + work_hash_forces(pushed->force, pushed->count);
}

static uint64_t checksum_each(void *state) {
    uint64_t sum = hash(state);
    add_each(state);
    sum = work_mix(sum, hash(state));
    remove_each(state);
    return sum;
}

static uint64_t checksum_all(void *state) {
    uint64_t sum = hash(state);
    add_all(state);
    sum = work_mix(sum, hash(state));
    remove_all(state);
    return sum;
}

static void destroy(void *state) {
    struct store *store = state;
    table_destroy(&store->plain);
    table_destroy(&store->pushed);
    free(store->records);
    free(store->handles);
    free(store);
}

const struct bench_side addrem1_limit = {create, NULL, run_each, checksum_each, destroy, NULL};

const struct bench_side addrem_query_limit = {create, NULL, run_all, checksum_all, destroy, NULL};
