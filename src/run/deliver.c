// Delivery: calling observers for what a world's log holds, round by round.
//
// A round calls all observers for all that the log holds, while the world is locked. Then the log
// is emptied and what they recorded is applied, as one apply, which fills the log again. The log's
// own scratch holds what has to be put into order, so delivery needs no memory.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "run/step.h"
#include "store/sector_set.h"
#include "store/shared.h"

_Thread_local struct delivery *cosmi_delivery_now;

// Where a key has what: the table's number, then the row, then what happened to it. Sorted, rows
// that started to match come before sets of the same row.
#define KEY_WHAT_BITS 6u
#define KEY_ROW_BITS 29u // one more than rows need, so that no two tables have neighbouring rows
#define KEY_WHAT(key) ((uint32_t)(key) & ((1u << KEY_WHAT_BITS) - 1))
#define WHAT_STARTED 0u // else the number of a term, from 1
#define WHAT_NOTHING UINT32_MAX

_Static_assert(COSM_TABLE_ROW_MAX < 1u << KEY_ROW_BITS, "a row fits into its part of a key");
_Static_assert(COSM_QUERY_TERM_MAX < 1u << KEY_WHAT_BITS, "a term fits into its part of a key");

// Observers of one round that recorded something, as many as are remembered.
#define CAUSE_MAX 8u
#define CAUSE_NONE UINT32_MAX

// What an observer recorded in a round, and who caused its being called: for the chain that the
// message of a cycle names.
struct cause {
    const struct observer *observer;
    const struct command *first;
    uint32_t count;
    uint32_t parent; // among those of the round before
};

struct rounds {
    struct delivery open;
    const struct observer_board *board;
    struct event_log *log;
    const char *call;
    uint32_t round;
    struct cosm_commands commands[2]; // of this round and of the last one
    uint32_t cause_counts[COSM_OBSERVER_ROUND_MAX];
    struct cause causes[COSM_OBSERVER_ROUND_MAX][CAUSE_MAX];
};

// Whose commands of the last round were about this entity? The last of them counts.
static uint32_t find_cause(const struct rounds *rounds, cosm_entity entity) {
    uint32_t found = CAUSE_NONE;
    uint32_t count = rounds->round == 0 ? 0 : rounds->cause_counts[rounds->round - 1];
    for (uint32_t c = 0; c < count; c++) {
        const struct cause *cause = &rounds->causes[rounds->round - 1][c];
        const struct command *command = cause->first;
        for (uint32_t i = 0; i < cause->count; i++, command = command->next) {
            if (command->entity.id == entity.id && command->entity.gen == entity.gen) {
                found = c;
            }
        }
    }
    return found;
}

// Remembers that an observer recorded something when it was told of this entity.
static void note_cause(struct rounds *rounds, const struct observer *observer, cosm_entity entity,
                       const struct command *before, uint32_t recorded) {
    struct cause *causes = rounds->causes[rounds->round];
    uint32_t *count = &rounds->cause_counts[rounds->round];
    if (*count > 0 && causes[*count - 1].observer == observer) {
        causes[*count - 1].count += recorded;
    } else if (*count < CAUSE_MAX) {
        const struct cosm_commands *commands = &rounds->commands[rounds->round % 2];
        causes[(*count)++] =
            (struct cause){.observer = observer,
                           .first = before == NULL ? commands->first : before->next,
                           .count = recorded,
                           .parent = find_cause(rounds, entity)};
    }
}

static void notify(struct rounds *rounds, const struct observer *observer, cosm_event *event) {
    struct cosm_commands *commands = &rounds->commands[rounds->round % 2];
    const struct command *before = commands->last;
    uint32_t count = commands->count;
    event->observer = (cosm_observer){observer->id};
    event->world = rounds->open.world;
    event->component = event->component.id == 0 || observer->component.id != 0 ? observer->component
                                                                               : event->component;
    event->commands = commands;
    event->context = observer->context;
    rounds->open.observer = observer;
    rounds->open.event = event;
    observer->run(event);
    if (commands->count > count) {
        note_cause(rounds, observer, event->entities[0], before, commands->count - count);
    }
}

static const struct watch_entry *entry_of(const struct store *store,
                                          const struct observer *observer) {
    const struct watch_entry *entry =
        store == NULL ? NULL : cosmi_event_entry(store->archetype->watch, observer->id);
    bool fits = entry != NULL && (!entry->has_values || cosmi_query_fits(observer->query, store));
    return fits ? entry : NULL;
}

static bool is_of_sector(const struct observer *observer, const struct event_record *record) {
    return observer->is_sector && record->what >= EVENT_SECTOR_ADDED &&
           record->component == observer->component.id;
}

static bool is_stop(const struct observer *observer, const struct event_record *record) {
    if (observer->is_sector) {
        return is_of_sector(observer, record) && record->what == EVENT_SECTOR_REMOVED;
    }
    return record->what == EVENT_MOVED && entry_of(record->source, observer) != NULL &&
           entry_of(record->target, observer) == NULL;
}

// The first term that shows a component, from 1; WHAT_NOTHING: none.
static uint32_t find_term(const cosm_query *query, uint32_t component) {
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct condition *condition = &query->conditions[t];
        for (uint32_t i = 0; condition->kind != COSM_TERM_WITHOUT && i < condition->component_count;
             i++) {
            if (condition->components[i] == component) {
                return t + 1;
            }
        }
    }
    return WHAT_NOTHING;
}

// What a record means to an observer, if it is not the end of a match.
static uint32_t what_of(const struct observer *observer, const struct event_record *record) {
    if (observer->is_sector) {
        bool is_met = is_of_sector(observer, record) && record->what != EVENT_SECTOR_REMOVED;
        return !is_met ? WHAT_NOTHING : record->what == EVENT_SECTOR_SET ? 1 : WHAT_STARTED;
    }
    if (record->what > EVENT_SET || entry_of(record->target, observer) == NULL) {
        return WHAT_NOTHING;
    }
    if (record->what == EVENT_SET) {
        return find_term(observer->query, record->component);
    }
    return entry_of(record->source, observer) == NULL ? WHAT_STARTED : WHAT_NOTHING;
}

static int compare_stores(const struct store *a, const struct store *b) {
    int order = cosmi_signature_compare(a->archetype->components, a->archetype->component_count,
                                        b->archetype->components, b->archetype->component_count);
    return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

static const struct store *stop_store(const struct event_record *record) {
    return record->source != NULL ? record->source : record->target;
}

static int compare_stops(const void *a_pointer, const void *b_pointer) {
    const struct event_record *a = *(const void *const *)a_pointer;
    const struct event_record *b = *(const void *const *)b_pointer;
    const struct store *from = stop_store(a);
    const struct store *other = stop_store(b);
    int order = from == NULL || other == NULL ? (from != NULL) - (other != NULL)
                                              : compare_stores(from, other);
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare_tables(const void *a_pointer, const void *b_pointer) {
    return compare_stores(*(const void *const *)a_pointer, *(const void *const *)b_pointer);
}

static int compare_keys(const void *a_pointer, const void *b_pointer) {
    uint64_t a = *(const uint64_t *)a_pointer;
    uint64_t b = *(const uint64_t *)b_pointer;
    return (a > b) - (a < b);
}

// Tells of entities that stopped matching: table by table, and in each as they went.
static void notify_stops(struct rounds *rounds, const struct observer *observer) {
    struct event_log *log = rounds->log;
    uint32_t count = 0;
    for (uint32_t i = 0; i < log->record_count; i++) {
        if (is_stop(observer, &log->records[i])) {
            log->order[count++] = &log->records[i];
        }
    }
    if (count > 1) {
        qsort(log->order, count, sizeof(*log->order), compare_stops);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct event_record *record = log->order[i];
        struct event_values values = {.stride = record->stride, .component = record->component};
        values.bytes = record->values == VALUES_NONE ? NULL : log->values + record->values;
        values.watch = record->source == NULL ? NULL : record->source->archetype->watch;
        values.source = record->source;
        const struct store *store = stop_store(record);
        cosm_event event = {.kind = COSM_EVENT_REMOVE,
                            .archetype = {store == NULL ? 0 : store->archetype->id},
                            .count = record->count,
                            .entities = log->entities + record->first,
                            .own = &values};
        notify(rounds, observer, &event);
    }
}

// Finds a store among those listed; `hint` is where the last one was.
static uint32_t find_store(const struct event_log *log, uint32_t count, const struct store *store,
                           uint32_t *hint) {
    if (*hint >= count || log->order[*hint] != store) {
        for (*hint = 0; *hint < count && log->order[*hint] != store;) {
            (*hint)++;
        }
    }
    return *hint;
}

// Where an entity of a record is now, and its row; NULL where it is not told of: it has gone on
// since.
static struct store *find_event_store(const struct rounds *rounds,
                                      const struct event_record *record, cosm_entity entity,
                                      uint32_t *out_row) {
    cosm_world world = rounds->open.world;
    const struct record *at = directory_find(world_data(world), entity);
    if (at == NULL || (record->what < EVENT_SECTOR_ADDED && at->table != record->target->id)) {
        return NULL;
    }
    *out_row = at->row;
    if (record->what < EVENT_SECTOR_ADDED) {
        return record->target;
    }
    const struct value_type *type = schema_component(world.batch->schema, record->component);
    return cosmi_sector_value(world.batch, world.index, type, entity) == NULL
               ? NULL
               : world_store(world.batch, world.index, at->table);
}

// Lists the tables that an observer is told of, in the order of walks.
static uint32_t list_tables(const struct rounds *rounds, const struct observer *observer) {
    struct event_log *log = rounds->log;
    uint32_t count = 0;
    uint32_t hint = 0;
    for (uint32_t i = 0; i < log->record_count; i++) {
        const struct event_record *record = &log->records[i];
        bool is_notified = what_of(observer, record) != WHAT_NOTHING;
        // All entities of a record are in one table, but for those of sectors.
        uint32_t most = record->what < EVENT_SECTOR_ADDED ? 1 : record->count;
        for (uint32_t e = 0; is_notified && e < most; e++) {
            uint32_t row;
            const struct store *store =
                record->what < EVENT_SECTOR_ADDED
                    ? record->target
                    : find_event_store(rounds, record, log->entities[record->first + e], &row);
            if (store != NULL && find_store(log, count, store, &hint) == count) {
                log->order[count++] = store;
            }
        }
    }
    if (count > 1) {
        qsort(log->order, count, sizeof(*log->order), compare_tables);
    }
    return count;
}

// A key for each entity that an observer is told of, sorted; rows as they are now.
static uint32_t list_keys(const struct rounds *rounds, const struct observer *observer) {
    struct event_log *log = rounds->log;
    uint32_t table_count = list_tables(rounds, observer);
    uint32_t count = 0;
    uint32_t hint = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < log->record_count && table_count > 0; i++) {
        const struct event_record *record = &log->records[i];
        uint32_t what = what_of(observer, record);
        for (uint32_t e = 0; what != WHAT_NOTHING && e < record->count; e++) {
            uint32_t row;
            const struct store *store =
                find_event_store(rounds, record, log->entities[record->first + e], &row);
            if (store == NULL) {
                continue;
            }
            uint64_t table = find_store(log, table_count, store, &hint);
            uint64_t key = (table << KEY_ROW_BITS | row) << KEY_WHAT_BITS | what;
            sorted = sorted && (count == 0 || log->keys[count - 1] <= key);
            log->keys[count++] = key;
        }
    }
    if (!sorted) {
        qsort(log->keys, count, sizeof(*log->keys), compare_keys);
    }
    return count;
}

static void notify_rows(struct rounds *rounds, const struct observer *observer, uint32_t what,
                        uint64_t first, uint32_t count) {
    const struct store *store = rounds->log->order[first >> KEY_ROW_BITS];
    uint32_t row = (uint32_t)first & ((1u << KEY_ROW_BITS) - 1);
    const struct watch_entry *entry = entry_of(store, observer);
    cosm_rows rows;
    if (entry != NULL) {
        cosmi_rows_slice(&rows, observer->query, entry->match, store, rounds->open.world, row,
                         count);
    } else {
        cosmi_rows_show(&rows, rounds->open.world, store, row, count);
    }
    cosm_event event = {.kind = what == WHAT_STARTED ? COSM_EVENT_ADD : COSM_EVENT_SET,
                        .archetype = {store->archetype->id},
                        .count = count,
                        .entities = rows.entities,
                        .rows = &rows};
    if (what != WHAT_STARTED) {
        event.component = observer->query->terms[what - 1].component;
    }
    notify(rounds, observer, &event);
}

// Tells of all keys of one kind, run by run. A set of a row that has just started to match is part
// of that.
static void notify_keys(struct rounds *rounds, const struct observer *observer, uint32_t key_count,
                        uint32_t what) {
    const uint64_t *keys = rounds->log->keys;
    uint64_t first = 0;
    uint64_t started = UINT64_MAX;
    uint32_t count = 0;
    for (uint32_t i = 0; i < key_count; i++) {
        uint64_t at = keys[i] >> KEY_WHAT_BITS; // table and row
        started = KEY_WHAT(keys[i]) == WHAT_STARTED ? at : started;
        bool is_wanted = KEY_WHAT(keys[i]) == what && (what == WHAT_STARTED || at != started);
        if (!is_wanted || (count > 0 && at == first + count - 1)) {
            continue;
        }
        if (count > 0 && at != first + count) {
            notify_rows(rounds, observer, what, first, count);
            count = 0;
        }
        first = count == 0 ? at : first;
        count++;
    }
    if (count > 0) {
        notify_rows(rounds, observer, what, first, count);
    }
}

static void call_observer(struct rounds *rounds, const struct observer *observer) {
    if ((observer->kinds & COSM_EVENT_REMOVE) != 0) {
        notify_stops(rounds, observer);
    }
    if ((observer->kinds & (COSM_EVENT_ADD | COSM_EVENT_SET)) == 0) {
        return;
    }
    uint32_t count = list_keys(rounds, observer);
    uint64_t terms = 0; // a bit per term that was set
    for (uint32_t i = 0; i < count; i++) {
        terms |= (uint64_t)1 << KEY_WHAT(rounds->log->keys[i]);
    }
    if ((observer->kinds & COSM_EVENT_ADD) != 0 && (terms & 1) != 0) {
        notify_keys(rounds, observer, count, WHAT_STARTED);
    }
    for (uint32_t t = 1; (observer->kinds & COSM_EVENT_SET) != 0 && terms >> t != 0; t++) {
        if ((terms >> t & 1) != 0) {
            notify_keys(rounds, observer, count, t);
        }
    }
}

static void call_all(struct rounds *rounds) {
    cosm_world world = rounds->open.world;
    struct turn *turn =
        cosmi_turn_now; // of an exclusive system, whose access is not the observers'
    atomic_fetch_add_explicit(&world_data(world)->walks_shared, 1, memory_order_relaxed);
    cosmi_turn_now = NULL;
    rounds->open.outer = cosmi_delivery_now;
    cosmi_delivery_now = &rounds->open;
    for (uint32_t i = 0; i < rounds->board->ordered_count; i++) {
        call_observer(rounds, rounds->board->ordered[i]);
    }
    cosmi_delivery_now = rounds->open.outer;
    cosmi_turn_now = turn;
    atomic_fetch_sub_explicit(&world_data(world)->walks_shared, 1, memory_order_relaxed);
}

static void init_rounds(struct rounds *rounds, cosm_world world, const char *call) {
    rounds->open = (struct delivery){.world = world};
    rounds->board = &world.batch->runner->board;
    rounds->log = event_log_of(world);
    rounds->call = call;
    rounds->round = 0;
    for (uint32_t i = 0; i < 2; i++) {
        cosmi_commands_init(&rounds->commands[i], world.batch);
        rounds->commands[i].is_lent = true;
        rounds->commands[i].lent_world = world.index;
    }
}

// The chain of observers that ends with one of the last round, itself first: back to where it was
// called before, which *out_closes says, or to where it is not known further.
static uint32_t follow_causes(const struct rounds *rounds, uint32_t at,
                              const struct observer **out_chain, bool *out_closes) {
    uint32_t count = 0;
    *out_closes = false;
    for (uint32_t r = rounds->round + 1; r-- > 0 && at != CAUSE_NONE && !*out_closes;) {
        const struct cause *cause = &rounds->causes[r][at];
        out_chain[count++] = cause->observer;
        at = cause->parent;
        *out_closes = count > 1 && cause->observer == out_chain[0];
    }
    return count;
}

// Prints the first chain that comes back to its end; others may only hang on to it.
static void print_chain(const struct rounds *rounds, char *out_text, size_t size) {
    const struct observer *chain[COSM_OBSERVER_ROUND_MAX];
    bool closes = false;
    uint32_t count = 0;
    for (uint32_t c = 0; c < rounds->cause_counts[rounds->round] && !closes; c++) {
        count = follow_causes(rounds, c, chain, &closes);
    }
    size_t used = 0;
    out_text[0] = '\0';
    for (uint32_t i = count; i-- > 0 && used < size;) {
        int length = snprintf(out_text + used, size - used, "%s%s", i + 1 == count ? "" : " -> ",
                              chain[i]->name);
        used += length < 0 ? size : (size_t)length;
    }
}

static void cut_chain(struct rounds *rounds) {
    char chain[400];
    print_chain(rounds, chain, sizeof(chain));
    (void)cosmi_fail(rounds->open.world.batch->sink, COSM_ERROR_LIMIT,
                     "%s: observers of world %u trigger each other without end, %s, and were "
                     "stopped after %u rounds; have one of them record nothing when nothing is "
                     "left to change",
                     rounds->call, rounds->open.world.index, chain, COSM_OBSERVER_ROUND_MAX);
}

// Applies what a round recorded. False: it is dropped.
static bool apply_round(struct rounds *rounds) {
    struct cosm_commands *commands = &rounds->commands[rounds->round % 2];
    struct cosm_batch *batch = rounds->open.world.batch;
    struct command_chain chain = {commands->first, commands->count};
    cosm_commands_report report;
    if (rounds->round + 1 == COSM_OBSERVER_ROUND_MAX) {
        cut_chain(rounds);
        cosmi_chain_break(batch, &chain);
        return false;
    }
    cosm_result result =
        cosmi_chains_apply(batch, &commands->scratch, &chain, 1, rounds->call, &report);
    if (result != COSM_OK) {
        cosmi_chain_break(batch, &chain);
    }
    return result == COSM_OK;
}

static void report_lost(const struct rounds *rounds) {
    (void)cosmi_fail(rounds->open.world.batch->sink, COSM_ERROR_MEMORY,
                     "%s: out of memory, so %llu events of world %u are not reported to "
                     "observers; free memory, or raise the limit",
                     rounds->call, (unsigned long long)rounds->log->lost, rounds->open.world.index);
}

static void end_rounds(struct rounds *rounds) {
    for (uint32_t i = 0; i < 2; i++) {
        cosmi_commands_empty(&rounds->commands[i]); // applied, or its reserved ids are broken
        cosmi_commands_free(&rounds->commands[i]);
    }
}

static bool is_pending(const struct event_log *log) {
    return log->record_count > 0 || log->lost > 0;
}

static bool deliver_log(cosm_world world, const char *call) {
    struct rounds rounds;
    bool has_changed = false;
    init_rounds(&rounds, world, call);
    bool goes_on = true;
    for (; goes_on && is_pending(rounds.log); rounds.round++) {
        struct cosm_commands *commands = &rounds.commands[rounds.round % 2];
        cosmi_commands_empty(commands);
        rounds.cause_counts[rounds.round] = 0;
        if (rounds.log->lost > 0) {
            report_lost(&rounds);
        }
        call_all(&rounds);
        cosmi_event_clear(rounds.log);
        goes_on = commands->count > 0 && apply_round(&rounds);
        has_changed = has_changed || goes_on;
    }
    end_rounds(&rounds);
    world_settle(world);
    return has_changed;
}

bool cosmi_deliver(cosm_world world, const char *call) {
    const struct event_log *log = event_log_of(world);
    return log != NULL && is_pending(log) && deliver_log(world, call);
}

void cosmi_deliver_worlds(cosm_worlds worlds, const char *call) {
    for (uint32_t w = 0; worlds.batch->events != NULL && w < worlds.count; w++) {
        (void)cosmi_deliver(batch_world(worlds.batch, worlds.first + w), call);
    }
}

void cosmi_deliver_chains(struct cosm_batch *batch, const struct command_chain *chains,
                          uint32_t count, const char *call, struct failure_watch *watch) {
    for (uint32_t i = 0; i < count; i++) {
        const struct command *command = chains[i].first;
        for (uint32_t left = chains[i].count; left > 0; left--, command = command->next) {
            uint32_t world = command->world;
            if (watch != NULL) {
                watch->detail = &world;
            }
            (void)cosmi_deliver(batch_world(batch, world), call);
            if (watch != NULL) {
                watch->detail = NULL;
            }
        }
    }
}

static void end_table(struct rounds *rounds, const struct observer *observer,
                      const struct match *match, const struct store *table) {
    cosm_world world = rounds->open.world;
    uint32_t count = table->counts[world.index];
    cosm_rows rows;
    cosmi_rows_slice(&rows, observer->query, match, table, world, 0, count);
    cosm_event event = {.kind = COSM_EVENT_REMOVE,
                        .archetype = {match->archetype_id},
                        .count = count,
                        .entities = rows.entities,
                        .rows = &rows};
    notify(rounds, observer, &event);
}

static void end_matches(struct rounds *rounds, const struct observer *observer) {
    const cosm_query *query = observer->query;
    cosm_world world = rounds->open.world;
    for (const struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        const struct store *table = NULL;
        while (!m->archetype->temporary &&
               (table = cosmi_match_table(query, m, world.batch, world.index, table)) != NULL) {
            end_table(rounds, observer, m, table);
        }
    }
}

// The same for a component beside the tables.
static void end_sectors(struct rounds *rounds, const struct observer *observer) {
    cosm_world world = rounds->open.world;
    const struct value_type *type = schema_component(world.batch->schema, observer->component.id);
    const struct store *store = world_first_store(world.batch, world.index);
    for (; store != NULL; store = world_next_store(world.batch, world.index, store)) {
        uint32_t count = store->archetype->temporary ? 0 : store->counts[world.index];
        for (uint32_t row = 0; row < count; row++) {
            cosm_rows rows;
            cosmi_rows_show(&rows, world, store, row, 1);
            if (cosmi_sector_value(world.batch, world.index, type, rows.entities[0]) == NULL) {
                continue;
            }
            cosm_event event = {.kind = COSM_EVENT_REMOVE,
                                .archetype = rows.archetype,
                                .count = 1,
                                .entities = rows.entities,
                                .rows = &rows};
            notify(rounds, observer, &event);
        }
    }
}

void cosmi_deliver_rows(cosm_world world, const char *call, cosm_rows *rows) {
    size_t bytes = rows->entities == NULL ? 0 : rows->count * sizeof(cosm_entity);
    uint64_t before = cosmi_hash_bytes(0, rows->entities, bytes);
    uint32_t row = rows->row;
    uint32_t count = rows->count;
    if (!cosmi_deliver(world, call)) {
        return;
    }
    const struct store *store = bytes == 0 ? NULL : cosmi_rows_store(rows);
    bool is_there = store != NULL && store->counts[world.index] >= row + count;
    if (is_there) {
        cosmi_rows_show(rows, world, store, row, count);
        is_there = cosmi_hash_bytes(0, rows->entities, bytes) == before;
    }
    if (!is_there) {
        // Others stand there now: the caller must not take them for those that were spawned.
        memset(rows, 0, sizeof(*rows));
    }
}

void cosmi_deliver_end(struct cosm_batch *batch) {
    const struct observer_board *board = &batch->runner->board;
    for (uint32_t w = 0; w < batch->world_count && board->ordered_count > 0; w++) {
        struct rounds rounds;
        struct world *world = &batch->worlds[w];
        init_rounds(&rounds, batch_world(batch, w), "cosm_batch_destroy");
        rounds.cause_counts[0] = 0;
        rounds.open.outer = cosmi_delivery_now;
        cosmi_delivery_now = &rounds.open;
        atomic_fetch_add_explicit(&world->walks_shared, 1, memory_order_relaxed);
        for (uint32_t i = 0; i < board->ordered_count; i++) {
            const struct observer *observer = board->ordered[i];
            if ((observer->kinds & COSM_EVENT_REMOVE) != 0 && observer->is_sector) {
                end_sectors(&rounds, observer);
            } else if ((observer->kinds & COSM_EVENT_REMOVE) != 0) {
                end_matches(&rounds, observer);
            }
        }
        atomic_fetch_sub_explicit(&world->walks_shared, 1, memory_order_relaxed);
        cosmi_delivery_now = rounds.open.outer;
        cosmi_commands_forget(&rounds.commands[0]);
        end_rounds(&rounds);
    }
}

cosm_result cosmi_check_unwalked(cosm_worlds worlds, const char *call) {
    uint32_t end = worlds.first + worlds.count;
    uint32_t w = worlds.first;
    while (w < end && !batch_is_walked(worlds.batch, w)) {
        w++;
    }
    if (w == end) {
        return COSM_OK;
    }
    const struct delivery *delivery = cosmi_delivery_now;
    if (delivery != NULL && delivery->world.batch == worlds.batch) {
        return cosmi_fail(worlds.batch->sink, COSM_ERROR_WALKED,
                          "%s: called from observer '%s' for world %u; call it after the observed "
                          "change is complete",
                          call, delivery->observer->name, w);
    }
    return cosmi_fail(worlds.batch->sink, COSM_ERROR_WALKED,
                      "%s: world %u is being walked; finish the walk, or end it with cosm_rows_end",
                      call, w);
}
