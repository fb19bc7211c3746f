// Defining observers, ending them, and telling archetypes who watches them.
#include "run/observer.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "schema/names.h"

static const char observer_call[] = "cosm_observer_define";

// A list under construction: components, each once.
struct component_list {
    uint32_t count;
    uint32_t *items; // NULL: only counted, with repetitions
};

static void list_component(struct component_list *list, uint32_t component) {
    for (uint32_t i = 0; list->items != NULL && i < list->count; i++) {
        if (list->items[i] == component) {
            return;
        }
    }
    if (list->items != NULL) {
        list->items[list->count] = component;
    }
    list->count++;
}

// The components of the terms that show something, where the archetype has them.
static void list_terms(struct component_list *list, const cosm_query *query,
                       const struct archetype *archetype) {
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct condition *condition = &query->conditions[t];
        for (uint32_t i = 0; i < condition->component_count; i++) {
            if (condition->kind != COSM_TERM_WITHOUT &&
                archetype_find(archetype, condition->components[i]) != NULL) {
                list_component(list, condition->components[i]);
            }
        }
    }
}

// Who watches an archetype, and what of it: counted first, then listed.
struct watch_plan {
    const struct archetype *archetype;
    struct watch_entry *entries; // NULL: only counted
    uint32_t entry_count;
    struct component_list sets;
    struct component_list saved;
    uint32_t kinds;
};

static const struct match *find_match(const cosm_query *query, const struct archetype *archetype) {
    if (query->pending != NULL && query->pending->archetype == archetype) {
        return query->pending;
    }
    const struct match *match = match_first(query);
    while (match != NULL && match->archetype != archetype) {
        match = match_next(match);
    }
    return match;
}

static void plan_watch(const struct observer_board *board, struct watch_plan *plan) {
    plan->entry_count = 0;
    plan->sets.count = 0;
    plan->saved.count = 0;
    for (uint32_t i = 0; i < board->count; i++) {
        const struct observer *observer = board->observers[i];
        if (observer == NULL || !observer->enabled || observer->is_sector ||
            !cosmi_query_matches(observer->query, plan->archetype)) {
            continue;
        }
        if (plan->entries != NULL) {
            plan->entries[plan->entry_count] = (struct watch_entry){
                observer->id, observer->kinds, observer->query->value_term < COSM_QUERY_TERM_MAX,
                find_match(observer->query, plan->archetype)};
        }
        plan->entry_count++;
        plan->kinds |= observer->kinds;
        if ((observer->kinds & COSM_EVENT_SET) != 0) {
            list_terms(&plan->sets, observer->query, plan->archetype);
        }
        if ((observer->kinds & COSM_EVENT_REMOVE) != 0) {
            list_terms(&plan->saved, observer->query, plan->archetype);
        }
    }
}

// Lays out what is kept of a row. Only plain bytes are: an object of a managed component ends
// with its row.
static void lay_out_saved(const struct schema *schema, const struct archetype *archetype,
                          const struct component_list *list, struct saved_value *saved,
                          struct event_watch *watch) {
    size_t offset = 0;
    watch->saved_alignment = 16;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct value_type *type = schema_component(schema, list->items[i]);
        const struct column_slot *slot = archetype_find(archetype, type->id);
        if (slot->column == 0 || type->storage != COSM_STORAGE_COLUMN) {
            continue;
        }
        offset = align_up(offset, type->alignment);
        saved[watch->saved_count++] =
            (struct saved_value){slot, type->id, slot_value_size(archetype, slot), offset};
        offset += type->size;
        watch->saved_alignment =
            watch->saved_alignment < type->alignment ? type->alignment : watch->saved_alignment;
    }
    watch->saved_stride = align_up(offset, watch->saved_alignment);
    watch->saved = saved;
}

// The watch of an archetype. False when out of memory; NULL where nobody watches it.
static bool make_watch(const struct observer_board *board, const struct archetype *archetype,
                       struct event_watch **out_watch) {
    struct watch_plan plan = {.archetype = archetype};
    *out_watch = NULL;
    if (!archetype->temporary) {
        plan_watch(board, &plan);
    }
    if (plan.entry_count == 0) {
        return true;
    }
    size_t entries_at = align_up(sizeof(struct event_watch), 16);
    size_t saved_at = align_up(entries_at + plan.entry_count * sizeof(struct watch_entry), 16);
    size_t sets_at = saved_at + plan.saved.count * sizeof(struct saved_value);
    size_t scratch_at = sets_at + plan.sets.count * sizeof(uint32_t);
    size_t bytes = scratch_at + plan.saved.count * sizeof(uint32_t);
    char *piece = cosmi_memory_alloc_zeroed(board->memory, bytes, 16);
    if (piece == NULL) {
        return false;
    }
    struct event_watch *watch = (struct event_watch *)(void *)piece;
    plan.entries = (struct watch_entry *)(void *)(piece + entries_at);
    plan.sets.items = (uint32_t *)(void *)(piece + sets_at);
    plan.saved.items = (uint32_t *)(void *)(piece + scratch_at);
    plan_watch(board, &plan);
    watch->bytes = bytes;
    watch->kinds = plan.kinds;
    watch->entry_count = plan.entry_count;
    watch->entries = plan.entries;
    watch->set_count = plan.sets.count;
    watch->sets = plan.sets.items;
    lay_out_saved(board->schema, archetype, &plan.saved,
                  (struct saved_value *)(void *)(piece + saved_at), watch);
    *out_watch = watch;
    return true;
}

static void free_watch(const struct observer_board *board, const struct event_watch *watch) {
    if (watch != NULL) {
        cosmi_memory_free(board->memory, (void *)watch, watch->bytes, 16);
    }
}

// The query cache's hook: a new archetype knows who watches it before anybody can use it.
static bool watch_archetype(void *context, struct archetype *archetype) {
    struct event_watch *watch;
    bool done = make_watch(context, archetype, &watch);
    archetype->watch = watch;
    return done;
}

void cosmi_board_init(struct observer_board *board, struct memory *memory, const struct sink *sink,
                      struct schema *schema, struct query_cache *queries) {
    *board = (struct observer_board){
        .memory = memory, .sink = sink, .schema = schema, .queries = queries};
    queries->on_matched = watch_archetype;
    queries->on_matched_context = board;
}

static void free_observer(struct observer_board *board, struct observer *observer) {
    if (observer->query != NULL) {
        cosmi_query_release(observer->query);
    }
    cosmi_memory_free(board->memory, (void *)observer->name, observer->name_size, 1);
    cosmi_memory_free(board->memory, observer, sizeof(*observer), _Alignof(struct observer));
}

void cosmi_board_free(struct observer_board *board) {
    for (uint32_t id = 1; id < paged_count(&board->schema->archetypes); id++) {
        struct archetype *archetype = schema_archetype(board->schema, id);
        free_watch(board, archetype->watch);
        archetype->watch = NULL;
    }
    for (uint32_t i = 0; i < board->count; i++) {
        if (board->observers[i] != NULL) {
            free_observer(board, board->observers[i]);
        }
    }
    cosmi_array_free(board->memory, board->observers, board->capacity, sizeof(struct observer *));
    cosmi_array_free(board->memory, board->ordered, board->ordered_capacity,
                     sizeof(struct observer *));
    cosmi_array_free(board->memory, (void *)board->events.sectors, board->sector_capacity,
                     sizeof(uint32_t));
}

struct observer *cosmi_observer_by_id(const struct observer_board *board, uint32_t id) {
    return id == 0 || id > board->count ? NULL : board->observers[id - 1];
}

struct observer *cosmi_observer_by_name(const struct observer_board *board, const char *name) {
    for (uint32_t i = 0; i < board->count; i++) {
        if (board->observers[i] != NULL && strcmp(board->observers[i]->name, name) == 0) {
            return board->observers[i];
        }
    }
    return NULL;
}

static int compare_observers(const void *a_pointer, const void *b_pointer) {
    const struct observer *a = *(struct observer *const *)a_pointer;
    const struct observer *b = *(struct observer *const *)b_pointer;
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    return a->id < b->id ? -1 : a->id > b->id;
}

// Lists again who is called, in which order, and which components beside the tables are watched.
// There is room.
static void order_observers(struct observer_board *board) {
    uint32_t *sectors = (uint32_t *)board->events.sectors;
    board->ordered_count = 0;
    board->events.sector_count = 0;
    for (uint32_t i = 0; i < board->count; i++) {
        struct observer *observer = board->observers[i];
        if (observer != NULL && observer->enabled) {
            board->ordered[board->ordered_count++] = observer;
            if (observer->is_sector) {
                sectors[board->events.sector_count++] = observer->component.id;
            }
        }
    }
    if (board->ordered_count > 0) {
        qsort(board->ordered, board->ordered_count, sizeof(struct observer *), compare_observers);
    }
}

// Makes the watches of all archetypes that an observer matches anew, as the board is now. All or
// none: false when out of memory.
static bool rewatch(struct observer_board *board, const struct observer *observer) {
    uint32_t count = paged_count(&board->schema->archetypes);
    size_t bytes = (count + 1) * sizeof(struct event_watch *);
    struct event_watch **watches = cosmi_memory_alloc_zeroed(board->memory, bytes, sizeof(void *));
    bool done = watches != NULL;
    for (uint32_t id = 1; done && id < count && !observer->is_sector; id++) {
        const struct archetype *archetype = schema_archetype(board->schema, id);
        if (cosmi_query_matches(observer->query, archetype)) {
            done = make_watch(board, archetype, &watches[id]);
        }
    }
    for (uint32_t id = 1; watches != NULL && id < count && !observer->is_sector; id++) {
        struct archetype *archetype = schema_archetype(board->schema, id);
        if (!done) {
            free_watch(board, watches[id]);
        } else if (cosmi_query_matches(observer->query, archetype)) {
            free_watch(board, archetype->watch);
            archetype->watch = watches[id];
        }
    }
    cosmi_memory_free(board->memory, watches, bytes, sizeof(void *));
    return done;
}

// Switches an observer of the board on or off. False when out of memory: nothing has changed.
static bool switch_observer(struct observer_board *board, struct observer *observer, bool enabled) {
    bool before = observer->enabled;
    observer->enabled = enabled;
    if (before != enabled && !rewatch(board, observer)) {
        observer->enabled = before;
        return false;
    }
    order_observers(board);
    return true;
}

static bool has_query(const cosm_query_desc *desc) {
    for (uint32_t t = 0; t < COSM_QUERY_TERM_MAX; t++) {
        if (desc->terms[t].component.id != 0) {
            return true;
        }
    }
    return false;
}

static cosm_result check_observer(const struct observer_board *board,
                                  const cosm_observer_desc *desc) {
    cosm_result result = cosmi_name_check(board->sink, observer_call, desc->name);
    if (result != COSM_OK) {
        return result;
    }
    if (desc->run == NULL) {
        return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.run is NULL; set it to a function", observer_call,
                          desc->name);
    }
    if (desc->on > COSM_EVENT_ALL) {
        return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.on %u has unknown bits; combine values of "
                          "cosm_event_kind",
                          observer_call, desc->name, desc->on);
    }
    bool queried = has_query(&desc->query_desc);
    if ((desc->component.id != 0) == queried) {
        return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' sets %s of desc.component and desc.query; set exactly one",
                          observer_call, desc->name, queried ? "both" : "neither");
    }
    return COSM_OK;
}

// A component beside the tables is no condition on archetypes: only an observer of it alone hears
// of it.
static cosm_result check_terms(const struct observer_board *board,
                               const struct observer *observer) {
    const cosm_query *query = observer->query;
    if (query->changed != 0) {
        return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': a query with `changed` terms cannot be observed; leave them "
                          "out, and walk it with a cosm_change_reader",
                          observer_call, observer->name);
    }
    for (uint32_t t = 0; t < query->term_count; t++) {
        for (uint32_t i = 0; i < query->conditions[t].component_count; i++) {
            const struct value_type *type =
                schema_component(board->schema, query->conditions[t].components[i]);
            bool is_alone = observer->component.id == type->id;
            if (type->storage == COSM_STORAGE_SECTOR && !is_alone) {
                return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                                  "%s: '%s': component '%s' is not stored in the tables and "
                                  "cannot be part of an observed query; observe it with "
                                  "desc.component",
                                  observer_call, observer->name, type->name);
            }
        }
    }
    return COSM_OK;
}

static cosm_result fill_observer(struct observer_board *board, struct observer *observer,
                                 const cosm_observer_desc *desc) {
    observer->name_size = strlen(desc->name) + 1;
    char *name = cosmi_memory_alloc(board->memory, observer->name_size, 1);
    if (name == NULL) {
        return cosmi_fail_memory(board->sink, board->memory, observer_call);
    }
    memcpy(name, desc->name, observer->name_size);
    observer->name = name;
    observer->component = desc->component;
    observer->kinds = desc->on == 0 ? COSM_EVENT_ALL : desc->on;
    observer->run = desc->run;
    observer->context = desc->context;
    observer->order = desc->order;
    cosm_query_desc query = {.terms = {{.component = desc->component, .access = COSM_ACCESS_READ}}};
    struct where where = cosmi_where(observer_call, desc->name, NULL);
    observer->query = cosmi_query_create(board->queries, where.text,
                                         desc->component.id != 0 ? &query : &desc->query_desc);
    if (observer->query == NULL) {
        return cosm_error_result();
    }
    const struct value_type *type = schema_component(board->schema, desc->component.id);
    observer->is_sector = type != NULL && type->storage == COSM_STORAGE_SECTOR;
    return check_terms(board, observer);
}

// Room for one more in all lists.
static bool reserve_lists(struct observer_board *board) {
    uint32_t need = board->count + 1;
    struct observer **observers = cosmi_array_grow(board->memory, board->observers,
                                                   &board->capacity, need, sizeof(*observers));
    board->observers = observers == NULL ? board->observers : observers;
    struct observer **ordered = cosmi_array_grow(board->memory, board->ordered,
                                                 &board->ordered_capacity, need, sizeof(*ordered));
    board->ordered = ordered == NULL ? board->ordered : ordered;
    uint32_t *sectors = cosmi_array_grow(board->memory, (void *)board->events.sectors,
                                         &board->sector_capacity, need, sizeof(*sectors));
    board->events.sectors = sectors == NULL ? board->events.sectors : sectors;
    return observers != NULL && ordered != NULL && sectors != NULL;
}

static uint32_t keep_observer(struct observer_board *board, struct observer *observer,
                              bool enabled) {
    if (cosmi_observer_by_name(board, observer->name) != NULL) {
        (void)cosmi_fail(board->sink, COSM_ERROR_CONFLICT,
                         "%s: observer '%s' is already defined; choose another name, or remove "
                         "that one first",
                         observer_call, observer->name);
        return 0;
    }
    if (board->live_count == COSM_OBSERVER_MAX) {
        (void)cosmi_fail(board->sink, COSM_ERROR_LIMIT,
                         "%s: '%s' exceeds the limit of %u observers; remove one, or combine two",
                         observer_call, observer->name, COSM_OBSERVER_MAX);
        return 0;
    }
    bool done = reserve_lists(board);
    if (done) {
        board->observers[board->count++] = observer;
        observer->id = board->count;
        done = switch_observer(board, observer, enabled);
        if (!done) {
            board->observers[--board->count] = NULL;
        }
    }
    if (!done) {
        (void)cosmi_fail_memory(board->sink, board->memory, observer_call);
        return 0;
    }
    board->live_count++;
    return observer->id;
}

uint32_t cosmi_observer_define(struct observer_board *board, const cosm_observer_desc *desc) {
    if (check_observer(board, desc) != COSM_OK) {
        return 0;
    }
    struct observer *observer =
        cosmi_memory_alloc_zeroed(board->memory, sizeof(*observer), _Alignof(struct observer));
    if (observer == NULL) {
        (void)cosmi_fail_memory(board->sink, board->memory, observer_call);
        return 0;
    }
    uint32_t id = 0;
    if (fill_observer(board, observer, desc) == COSM_OK) {
        cosmi_mutex_lock(&board->schema->lock);
        id = keep_observer(board, observer, !desc->disabled);
        cosmi_mutex_unlock(&board->schema->lock);
    }
    if (id == 0) {
        free_observer(board, observer);
    }
    return id;
}

static cosm_result refuse_observer(const struct observer_board *board, const char *call,
                                   uint32_t id) {
    return cosmi_fail(board->sink, COSM_ERROR_ARGUMENT,
                      "%s: observer %u is not defined in this engine, or was removed; pass one "
                      "from cosm_observer_define",
                      call, id);
}

cosm_result cosmi_observer_remove(struct observer_board *board, const char *call, uint32_t id) {
    cosmi_mutex_lock(&board->schema->lock);
    struct observer *observer = cosmi_observer_by_id(board, id);
    bool done = observer != NULL && switch_observer(board, observer, false);
    if (done) {
        board->observers[id - 1] = NULL;
        board->live_count--;
    }
    cosmi_mutex_unlock(&board->schema->lock);
    if (observer == NULL) {
        return refuse_observer(board, call, id);
    }
    if (!done) {
        return cosmi_fail_memory(board->sink, board->memory, call);
    }
    free_observer(board, observer);
    return COSM_OK;
}

cosm_result cosmi_observer_enable(struct observer_board *board, const char *call, uint32_t id,
                                  bool enabled) {
    cosmi_mutex_lock(&board->schema->lock);
    struct observer *observer = cosmi_observer_by_id(board, id);
    bool done = observer != NULL && switch_observer(board, observer, enabled);
    cosmi_mutex_unlock(&board->schema->lock);
    if (observer == NULL) {
        return refuse_observer(board, call, id);
    }
    return done ? COSM_OK : cosmi_fail_memory(board->sink, board->memory, call);
}
