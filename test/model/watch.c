// Observers and readers of changes beside the oracle: what observers were told adds up to what
// matches, and no change is kept from a reader. Not every run has them: they make the library take
// other ways.
#include "state.h"

#include <stdlib.h>
#include <string.h>

static void watch_wrong(struct watcher *watcher, const char *what) {
    watcher->wrong = watcher->wrong ? watcher->wrong : what;
}

// What the observer knows of an id: the generation that matches, or zero.
static uint32_t *known_gen(struct watcher *watcher, uint32_t world, uint32_t id) {
    watcher->gens[world] =
        grow(watcher->gens[world], &watcher->capacities[world], id + 1, sizeof(uint32_t));
    return &watcher->gens[world][id];
}

// The oracle must not be asked here: it may be ahead of the library or behind it.
static void watch(const cosm_event *event) {
    struct watcher *watcher = event->context;
    struct model *m = watcher->m;
    if (event->world.batch != m->batch) {
        return;
    }
    m->told++;
    for (uint32_t i = 0; i < event->count; i++) {
        cosm_entity entity = event->entities[i];
        uint32_t *gen = known_gen(watcher, event->world.index, entity.id);
        if (event->kind == COSM_EVENT_START) {
            if (*gen != 0) {
                watch_wrong(watcher, "an entity starts to match that did before");
            }
            *gen = entity.gen;
        } else if (*gen != entity.gen) {
            watch_wrong(watcher, "something is told of an entity that does not match");
        } else if (event->kind == COSM_EVENT_STOP) {
            bool kept = m->o.fault == MODEL_FAULT_WATCH_DESPAWN &&
                        !cosm_entity_is_alive(event->world, entity);
            *gen = kept ? *gen : 0;
        }
    }
}

void define_watcher_as(struct model *m, const struct query *wanted, bool by_component) {
    struct watcher *watcher = &m->watchers[m->watcher_count++];
    char name[16];
    snprintf(name, sizeof(name), "watcher %u", m->watcher_count);
    watcher->m = m;
    watcher->query = *wanted;
    cosm_observer_desc desc = {.name = name, .run = watch, .context = watcher};
    uint8_t values[ORACLE_TERM_MAX][OBJECT_SIZE_MAX];
    for (uint32_t i = 0; i < watcher->query.term_count; i++) {
        struct term *term = &watcher->query.terms[i];
        const struct kind *of = &m->o.kinds[term->kind];
        term->set = of->set;
        if (by_component) {
            desc.component = of->id;
            break;
        }
        desc.query_desc.terms[i] =
            (cosm_term){of->id, term->how, term->access, term->group, NULL, false};
        if (term->value != 0) {
            bytes_to(of, term->value, values[i]);
            desc.query_desc.terms[i].value = values[i];
        }
    }
    say(m, "cosm_observer_define(%s), of %s%s", name,
        by_component ? "" : "a query that begins with ", m->o.kinds[wanted->terms[0].kind].name);
    watcher->library = cosm_observer_define(m->engine, &desc);
    (void)settle(m, defined(m, watcher->library.id != 0), 0, 0, 0);
}

// Lets an observer that had no memory to be told know what there is.
void resync_watcher(struct model *m, struct watcher *watcher) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        const struct world *w = &m->o.worlds[i];
        if (watcher->capacities[i] > 0) {
            memset(watcher->gens[i], 0, watcher->capacities[i] * sizeof(uint32_t));
        }
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            const struct being *being = &w->beings[k];
            if (being->alive && query_takes(&m->o, &watcher->query, being->set, being->value)) {
                *known_gen(watcher, i, k) = being->handle.gen;
            }
        }
    }
    watcher->wrong = NULL;
}

static void compare_watcher(struct model *m, struct watcher *watcher, uint32_t number) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        const struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity || k < watcher->capacities[i]; k++) {
            const struct being *being = k < w->being_capacity ? &w->beings[k] : NULL;
            bool takes = being && being->alive &&
                         query_takes(&m->o, &watcher->query, being->set, being->value);
            uint32_t gen = k < watcher->capacities[i] ? watcher->gens[i][k] : 0;
            if (gen != (takes ? being->handle.gen : 0)) {
                fail(m, "watcher %u knows {gen %u, id %u} in world %u, which does%s match",
                     number + 1, gen, k, i, takes ? "" : " not");
            }
        }
    }
}

void compare_watchers(struct model *m) {
    for (uint32_t i = 0; i < m->watcher_count; i++) {
        if (m->watch_lost) {
            resync_watcher(m, &m->watchers[i]);
        }
        if (m->watchers[i].wrong) {
            fail(m, "watcher %u: %s", i + 1, m->watchers[i].wrong);
        }
        compare_watcher(m, &m->watchers[i], i);
    }
    m->watch_lost = false;
}

// After the batch has ended: all have stopped to match.
void check_watchers_done(struct model *m) {
    for (uint32_t i = 0; i < m->watcher_count; i++) {
        const struct watcher *watcher = &m->watchers[i];
        for (uint32_t w = 0; w < ORACLE_WORLD_MAX; w++) {
            for (uint32_t k = 0; k < watcher->capacities[w]; k++) {
                if (watcher->gens[w][k] != 0 || watcher->wrong) {
                    fail(m, "watcher %u was not told the end of id %u in world %u", i + 1, k, w);
                }
            }
        }
    }
}

void create_reader_as(struct model *m, int kind) {
    struct reader *reader = &m->readers[m->reader_count];
    cosm_query_desc desc = {.terms = {{.component = m->o.kinds[kind].id, .changed = true}}};
    reader->kind = &m->o.kinds[kind];
    say(m, "cosm_change_reader_create(), of %s", reader->kind->name);
    cosm_query *query = cosm_query_create(m->engine, &desc);
    reader->library = query ? cosm_change_reader_create(m->batch, query) : NULL;
    cosm_query_destroy(query);
    if (settle(m, made(m, reader->library != NULL), 0, 0, 0) == COSM_OK) {
        m->reader_count++;
    }
}

// What a reader saw of an id, and whether the walk at hand has shown it.
static struct seen *seen_of(struct reader *reader, uint32_t world, uint32_t id) {
    reader->seen[world] =
        grow(reader->seen[world], &reader->capacities[world], id + 1, sizeof(struct seen));
    return &reader->seen[world][id];
}

static void begin_look(struct reader *reader, struct span span) {
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        for (uint32_t k = 0; k < reader->capacities[i]; k++) {
            reader->seen[i][k].is_shown = false;
        }
    }
}

// The rows of one run; false where one does not match.
static bool look_at_run(struct model *m, struct reader *reader, const cosm_rows *rows) {
    for (uint32_t i = 0; rows->entities && i < rows->count; i++) {
        uint32_t world = cosm_rows_world(rows, i).index;
        const struct being *being = being_find(&m->o, world, rows->entities[i]);
        if (!being || (being->set & reader->kind->set) == 0) {
            return false;
        }
        seen_of(reader, world, being->handle.id)->is_shown = true;
    }
    return true;
}

// Everything that is not as it was when the reader last looked must have been shown.
static void end_look(struct model *m, struct reader *reader, struct span span) {
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        const struct world *w = &m->o.worlds[i];
        for (uint32_t k = 0; k < w->being_capacity; k++) {
            const struct being *being = &w->beings[k];
            struct seen *seen = seen_of(reader, i, k);
            bool has = being->alive && (being->set & reader->kind->set) != 0;
            uint32_t value = being->value[reader->kind->bit];
            bool same = seen->gen == being->handle.gen && seen->value == value &&
                        m->o.fault != MODEL_FAULT_CHANGE_ALWAYS;
            if (has && !same && !seen->is_shown) {
                fail(m, "a reader was not shown that %s of {gen %u, id %u} in world %u changed",
                     reader->kind->name, being->handle.gen, k, i);
            }
            seen->gen = has ? being->handle.gen : 0;
            seen->value = value;
        }
    }
}

static void forget_changes(struct model *m, struct reader *reader, struct span span) {
    say(m, "cosm_change_forget(reader of %s)", reader->kind->name);
    cosm_result got = cosm_change_forget(reader->library, span.worlds);
    uint32_t must = span.good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    if (settle(m, got, must, 0, 0) != COSM_OK) {
        return;
    }
    for (uint32_t i = span.first; i < span.first + span.count; i++) {
        if (reader->capacities[i] > 0) {
            memset(reader->seen[i], 0, reader->capacities[i] * sizeof(struct seen));
        }
    }
}

// Walks what a reader has not seen yet. With `is_cut` one run is looked at, and the walk counts as
// not made.
static void look(struct model *m, struct reader *reader, struct span span, bool is_cut) {
    say(m, "cosm_change_walk(reader of %s, worlds %u to %u%s)%s", reader->kind->name,
        span.worlds.first, span.worlds.first + span.worlds.count, span.good ? "" : " (wrong)",
        is_cut ? ", of which one run is looked at" : "");
    cosm_rows rows;
    cosm_error_clear();
    cosm_change_walk(reader->library, span.worlds, &rows);
    if (span.good != (cosm_error_result() == COSM_OK)) {
        fail(m, "beginning a walk of changes says %s", cosm_result_name(cosm_error_result()));
    }
    begin_look(reader, span);
    while (cosm_rows_next(&rows)) {
        bool matches = look_at_run(m, reader, &rows);
        if (!matches || is_cut) {
            cosm_rows_end(&rows);
        }
        if (!matches) {
            fail(m, "a walk of changes shows an entity that does not match");
        }
        if (is_cut) {
            return;
        }
    }
    end_look(m, reader, span);
}

// Sets what a reader reads for one entity that has it, by value or by pointer.
static void set_one(struct model *m, const struct reader *reader, uint32_t index) {
    const struct kind *kind = reader->kind;
    struct place place = {cosm_batch_world(m->batch, index), index};
    struct world *w = &m->o.worlds[index];
    uint32_t start = draw(m, w->alive_count);
    uint32_t value = draw_value(m);
    bool by_pointer = draw(m, 2) == 1;
    struct being *being = NULL;
    for (uint32_t i = 0; i < w->alive_count && !being; i++) {
        struct being *one = being_nth(&m->o, index, (start + i) % w->alive_count);
        being = (one->set & kind->set) != 0 ? one : NULL;
    }
    if (!being) {
        return;
    }
    by_pointer = by_pointer && shows_bytes(m, being->set, false, kind, being->value);
    say(m, "cosm_entity_%s(world %u, {gen %u, id %u}, %s), value %u", by_pointer ? "write" : "set",
        index, being->handle.gen, being->handle.id, kind->name, value);
    cosm_error_clear();
    if (by_pointer) {
        bytes_over(kind, value, cosm_entity_write(place.world, being->handle, kind->id));
        m->touched |= 1u << index;
    } else {
        uint32_t walked = walked_bit(m, place);
        uint32_t must = setting_moves(kind, being) ? walked : 0;
        const void *bytes = bytes_of(m, kind, value);
        cosm_result got = cosm_entity_set(place.world, being->handle, kind->id, bytes);
        if (settle(m, got, must, walked, 1u << index) != COSM_OK) {
            return;
        }
    }
    being->value[kind->bit] = value;
    compare_being(m, index, being);
}

// Looks; and now and then something is set, and is to be seen.
void op_change_walk(struct model *m) {
    uint32_t which = pick(m, MODEL_READER_MAX);
    struct span span = pick_span(m);
    bool forgets = rarely(m, 8);
    bool is_cut = rarely(m, 8);
    bool again = pick(m, 2) == 1;
    // What is written to a run that is open was changed when the run came.
    for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
        if (m->walks[i].on_run) {
            return;
        }
    }
    if (m->reader_count == 0) {
        return;
    }
    struct reader *reader = &m->readers[which % m->reader_count];
    if (forgets) {
        forget_changes(m, reader, span);
        return;
    }
    m->heap.fail_after = 0;
    look(m, reader, span, is_cut);
    if (again && span.good) {
        set_one(m, reader, span.first);
        look(m, reader, span, false);
    }
}

void destroy_readers(struct model *m) {
    for (uint32_t i = 0; i < m->reader_count; i++) {
        cosm_change_reader_destroy(m->readers[i].library);
        m->readers[i].library = NULL;
    }
}

void watch_free(struct model *m) {
    for (uint32_t w = 0; w < ORACLE_WORLD_MAX; w++) {
        for (uint32_t i = 0; i < MODEL_WATCHER_MAX; i++) {
            free(m->watchers[i].gens[w]);
        }
        for (uint32_t i = 0; i < MODEL_READER_MAX; i++) {
            free(m->readers[i].seen[w]);
        }
    }
}
