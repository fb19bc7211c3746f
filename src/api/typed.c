// What the macros of cosm/typed.h and of cosm/query.h call, where the inlined code does not do.
#include "api/typed.h"

#include <cosm/shared.h>

#include <stdio.h>

#include "api/managed.h"
#include "base/hash.h"
#include "query/text.h"
#include "run/observer.h"
#include "run/turn.h"

// Is a type, of which there is no component or no singleton, that of the other? Then there is a
// message.
static bool refuse_other_kind(const struct schema *schema, const struct sink *sink, cosm_type type,
                              bool singleton, const char *call) {
    if (type_map_find(singleton ? &schema->component_types : &schema->singleton_types, type.key) ==
        0) {
        return false;
    }
    if (singleton) {
        (void)cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s' is a component, not a singleton; use COSM_READ or COSM_WRITE, or "
            "define the singleton with COSM_SINGLETON_DEFINE",
            call, type.name);
    } else {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' is a singleton, not a component; use COSM_SINGLETON_READ or "
                         "COSM_SINGLETON_WRITE, or define the component with COSM_COMPONENT_DEFINE",
                         call, type.name);
    }
    return true;
}

const struct value_type *cosmi_refuse_type(cosm_world world, cosm_type type, bool singleton,
                                           const char *call) {
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return NULL;
    }
    const struct schema *schema = world.batch->schema;
    const char *kind = singleton ? "singleton" : "component";
    uint32_t id =
        type_map_find(singleton ? &schema->singleton_types : &schema->component_types, type.key);
    const struct value_type *found =
        singleton ? schema_singleton(schema, id) : schema_component(schema, id);
    if (id == TYPE_MANY) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: several %ss hold type '%s'; name one by its id", call, kind,
                         type.name);
    } else if (found == NULL &&
               refuse_other_kind(schema, world.batch->sink, type, singleton, call)) {
        return NULL;
    } else if (found == NULL) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: no %s holds type '%s'; define it with COSM_%s_DEFINE, or set "
                         "desc.type to the name of the type",
                         call, kind, type.name,
                         singleton        ? "SINGLETON"
                         : type.size == 0 ? "TAG"
                                          : "COMPONENT");
    } else {
        (void)cosmi_refuse_size(world.batch, call, kind, found->name, found->size, type.size);
    }
    return NULL;
}

// The component whose type, or else whose name, is that; or the bundle of that name. Zero,
// reported, where there is none, or several have the type.
static cosm_component named_component(cosm_world world, cosm_type type, const char *call) {
    if (LIKELY(world_exists(world))) {
        struct schema *schema = (struct schema *)world.batch->schema;
        uint32_t id = type_map_find(&schema->component_types, type.key);
        if (UNLIKELY(id == 0)) {
            id = cosmi_schema_find_component(schema, type.name);
        }
        const struct value_type *found = schema_component(schema, id);
        if (LIKELY(id != 0 && id != TYPE_MANY &&
                   (type.size == 0 || (found != NULL && found->size == type.size)))) {
            return (cosm_component){id};
        }
    }
    (void)cosmi_refuse_type(world, type, false, call);
    return (cosm_component){0};
}

cosm_component cosm_world_component(cosm_world world, cosm_type type) {
    return named_component(world, type, "COSM_ID");
}

// The event that this thread's observer is called with, if it shows these rows; else NULL.
static const cosm_event *event_of(const cosm_rows *rows) {
    const struct delivery *delivery = cosmi_delivery_now;
    return delivery != NULL && delivery->event->rows == rows ? delivery->event : NULL;
}

// Who asks: the system or the observer whose rows they are, or whoever walks.
static const char *describe_asker(const cosm_rows *rows, char *buffer, size_t size) {
    // What a system sees is the first member of its turn.
    const struct turn *turn = (const struct turn *)rows->turn;
    if (event_of(rows) != NULL) {
        (void)snprintf(buffer, size, "observer '%s'", cosmi_delivery_now->observer->name);
    } else if (turn == NULL) {
        (void)snprintf(buffer, size, "this walk");
    } else {
        (void)snprintf(buffer, size, "system '%s'", turn->system->name);
    }
    return buffer;
}

// The sink for a wrong type in these rows. In a system, which makes the same mistake in all of its
// runs, only the first one is reported; the step hears of it in any case.
static const struct sink *type_sink(const cosm_rows *rows, cosm_type type, bool write) {
    const struct turn *turn = (const struct turn *)rows->turn;
    if (turn == NULL || type.key == 0) {
        return rows->batch->sink;
    }
    uint64_t key = hash_u64(turn->system->name_hash, type.key ^ (write ? 2 : 0));
    return cosmi_runner_note_fault(rows->batch->runner, key) ? rows->batch->sink
                                                             : &cosmi_sink_silent;
}

// The event is that of a delivery, for which it is not const, and neither are its rows.
void cosmi_empty_event(const cosm_event *event) {
    ((cosm_event *)event)->count = 0;
    if (event->rows != NULL) {
        ((cosm_rows *)event->rows)->count = 0;
    }
}

// A macro found something wrong: a loop over the rows, or over the event that shows them, is not to
// run. The rows are the caller's own, for whom they are not const.
static void *empty_rows(const cosm_rows *rows, cosm_type type) {
    const cosm_event *event = event_of(rows);
    if (type.key != 0) { // not of a call by size, which is no macro
        ((cosm_rows *)rows)->count = 0;
        if (event != NULL) {
            cosmi_empty_event(event);
        }
    }
    return NULL;
}

// There are no rows. In an observer of a REMOVE or STOP they are gone, and the loop over its event
// is not to run.
COLD static void *refuse_no_rows(const char *call) {
    const cosm_event *event = event_of(NULL);
    if (event == NULL) {
        (void)cosmi_fail(NULL, COSM_ERROR_ARGUMENT, "%s: rows is NULL; pass the rows of a walk",
                         call);
        return NULL;
    }
    (void)cosmi_fail(cosmi_delivery_now->world.batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: observer '%s': event->rows is NULL: the rows of a REMOVE or a STOP are "
                     "gone; use COSM_EVENT_VALUE",
                     call, cosmi_delivery_now->observer->name);
    cosmi_empty_event(event);
    return NULL;
}

// Text with an end: what is longer is cut, and ends with "...".
struct terms_text {
    size_t length;
    char text[256];
};

static void write_terms(void *context, const char *text, size_t length) {
    struct terms_text *terms = context;
    size_t room = sizeof(terms->text) - 1 - terms->length;
    bool fits = length <= room;
    memcpy(terms->text + terms->length, text, fits ? length : room);
    terms->length += fits ? length : room;
    terms->text[terms->length] = '\0';
    if (!fits) {
        memcpy(terms->text + terms->length - 3, "...", 3);
    }
}

COLD static void *refuse_no_term(const cosm_rows *rows, const char *call, cosm_type type,
                                 bool write) {
    const struct schema *schema = rows->batch->schema;
    if (type_map_find(&schema->component_types, type.key) == 0 &&
        refuse_other_kind(schema, type_sink(rows, type, write), type, false, call)) {
        return NULL;
    }
    char asker[COSM_NAME_LENGTH_MAX + 16];
    char wanted[COSM_NAME_LENGTH_MAX + 16];
    (void)snprintf(wanted, sizeof(wanted), "%s%s", write ? "mut " : "", type.name);
    struct terms_text terms = {.length = 0};
    cosmi_query_print(rows->query, write_terms, &terms);
    (void)cosmi_fail(type_sink(rows, type, write), COSM_ERROR_ARGUMENT,
                     "%s: %s: no term of the query, '%s', holds type '%s'; use the type of one of "
                     "its terms, or add '%s' to the query",
                     call, describe_asker(rows, asker, sizeof(asker)), terms.text, type.name,
                     wanted);
    return NULL;
}

// Tickets are what all managed columns hold; by its own type a managed component is found as well,
// to say what to use.
static bool may_hold(const struct value_type *held, cosm_type type) {
    return strcmp(held->type_name, type.name) == 0 ||
           (held->storage == COSM_STORAGE_MANAGED && strcmp(type.name, "cosm_ticket") == 0);
}

// The only term of a type, by its name; COSM_QUERY_TERM_MAX, reported, where there is none, or
// several.
static uint32_t find_typed_term(const cosm_rows *rows, const char *call, cosm_type type,
                                bool write) {
    uint32_t found = COSM_QUERY_TERM_MAX;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        const struct value_type *held =
            schema_component(rows->batch->schema, rows->terms[t].component);
        if (held == NULL || rows->terms[t].kind == COSM_TERM_WITHOUT || !may_hold(held, type)) {
            continue;
        }
        if (found != COSM_QUERY_TERM_MAX &&
            rows->terms[found].component != rows->terms[t].component) {
            char asker[COSM_NAME_LENGTH_MAX + 16];
            (void)cosmi_fail(
                type_sink(rows, type, write), COSM_ERROR_ARGUMENT,
                "%s: %s: terms %u and %u both hold type '%s'; access them by index, with "
                "COSM_COLUMN_READ and COSM_COLUMN_WRITE",
                call, describe_asker(rows, asker, sizeof(asker)), found, t, type.name);
            return COSM_QUERY_TERM_MAX;
        }
        bool is_better = found == COSM_QUERY_TERM_MAX ||
                         (write && rows->terms[found].access == COSM_ACCESS_READ);
        found = is_better ? t : found;
    }
    if (found == COSM_QUERY_TERM_MAX) {
        (void)refuse_no_term(rows, call, type, write);
    }
    return found;
}

// A term that has no column of whole values.
COLD static void *refuse_storage(const cosm_rows *rows, const char *call, uint32_t index,
                                 const struct value_type *held) {
    const cosm_term_info *term = &rows->terms[index];
    if (held != NULL && held->storage == COSM_STORAGE_MANAGED) {
        return cosmi_refuse_managed(rows->batch, call, term->component,
                                    "use COSM_COLUMN_READ with cosm_ticket, cosm_managed_row_read, "
                                    "_write or cosm_rows_set");
    }
    if (term->shared_size > 0) {
        return cosmi_refuse_shared(rows->batch, call, term->component, "use COSM_SHARED_READ");
    }
    if (term->fields != NULL) {
        return cosmi_refuse_split(
            rows->batch, call, term->component,
            "use COSM_FIELD_READ and COSM_FIELD_WRITE, or what cosm-gen wrote");
    }
    const char *name =
        cosm_component_describe(rows->batch->engine, (cosm_component){term->component}).name;
    if (term->sector_size > 0) {
        (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', has COSM_STORAGE_SECTOR and no column; use "
                         "COSM_SECTOR_READ and COSM_SECTOR_WRITE",
                         call, index, name);
    } else {
        (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', is a tag or a bundle and has no column; leave it out, "
                         "or name a component with bytes",
                         call, index, name);
    }
    return NULL;
}

// Is a term of the type that the macro names? A type that was not given when the component was
// defined is one by its size.
static bool holds_type(const struct value_type *held, cosm_type type, bool by_number) {
    return strcmp(held->type_name, type.name) == 0 ||
           (by_number && (!held->type_is_known || type.key == 0));
}

// May a term be seen as the type? Else there is a message.
static bool term_shows(const cosm_rows *rows, const char *call, uint32_t index, cosm_type type,
                       bool write, bool by_number) {
    const cosm_term_info *term = &rows->terms[index];
    const struct value_type *held = schema_component(rows->batch->schema, term->component);
    bool is_managed = held != NULL && held->storage == COSM_STORAGE_MANAGED;
    if (is_managed && !write && (strcmp(type.name, "cosm_ticket") == 0 || type.key == 0)) {
        return true;
    }
    if (held == NULL || is_managed || term->size == 0) {
        return refuse_storage(rows, call, index, held) != NULL;
    }
    char asker[COSM_NAME_LENGTH_MAX + 16];
    cosm_result result = COSM_OK;
    if (!holds_type(held, type, by_number)) {
        result = cosmi_fail(type_sink(rows, type, write), COSM_ERROR_ARGUMENT,
                            "%s: %s: term %u, component '%s', holds type '%s', but the call "
                            "requests '%s'; use the right one",
                            call, describe_asker(rows, asker, sizeof(asker)), index, held->name,
                            held->type_name, type.name);
    } else if (term->size != type.size) {
        result =
            cosmi_refuse_size(rows->batch, call, "component", held->name, term->size, type.size);
    } else if (write && term->access == COSM_ACCESS_READ) {
        result = cosmi_fail(type_sink(rows, type, write), COSM_ERROR_ARGUMENT,
                            "%s: %s: term %u, '%s', is only read; write 'mut %s' in the query, or "
                            "use the macro that ends in READ",
                            call, describe_asker(rows, asker, sizeof(asker)), index, held->name,
                            held->name);
    }
    return result == COSM_OK;
}

// The column of a type in rows that come from spawning; NULL with a message.
static void *spawned_column(const cosm_rows *rows, const char *call, cosm_type type, bool write) {
    if (rows->batch == NULL || rows->count == 0) {
        return NULL; // of nothing
    }
    const struct value_type *held =
        typed_component((cosm_world){rows->batch, rows->world}, type, call);
    if (held == NULL) {
        return NULL;
    }
    cosm_component component = {held->id};
    if (!cosm_archetype_has(rows->batch->engine, rows->archetype, component)) {
        (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: archetype %u of these rows has no component '%s'; add it to the "
                         "archetype, or do not request it",
                         call, rows->archetype.id, held->name);
        return NULL;
    }
    return write ? cosm_rows_column(rows, component)
                 : (void *)cosm_rows_column_read(rows, component);
}

// The walk has not begun, or has ended: reports it.
static bool shows_rows(const cosm_rows *rows, const char *call) {
    if (rows->term_count == 0 || rows->terms[0].component != 0) {
        return true;
    }
    (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: the walk has no current rows: it has not started, or has ended; call it "
                     "after cosm_rows_next has returned true",
                     call);
    return false;
}

void *cosm_rows_find_type(const cosm_rows *rows, cosm_type type, bool write) {
    const char *call = write ? "COSM_WRITE" : "COSM_READ";
    if (rows == NULL) {
        return refuse_no_rows(call);
    }
    if (rows->query == NULL) {
        void *column = spawned_column(rows, call, type, write);
        return column != NULL ? column : empty_rows(rows, type);
    }
    uint32_t term =
        shows_rows(rows, call) ? find_typed_term(rows, call, type, write) : COSM_QUERY_TERM_MAX;
    bool shows = term != COSM_QUERY_TERM_MAX && term_shows(rows, call, term, type, write, false);
    return shows ? rows->columns[term] : empty_rows(rows, type);
}

void *cosm_rows_find_column(const cosm_rows *rows, uint32_t index, cosm_type type, bool write) {
    const char *call = write ? "COSM_COLUMN_WRITE" : "COSM_COLUMN_READ";
    if (rows == NULL) {
        return refuse_no_rows(call);
    }
    if (index >= rows->term_count) {
        (void)cosmi_fail(rows->batch == NULL ? NULL : rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: index %u is not a term: the query has %u terms; for spawned rows use "
                         "COSM_WRITE or COSM_FIELD_OF",
                         call, index, rows->term_count);
        return empty_rows(rows, type);
    }
    bool shows = shows_rows(rows, call) && term_shows(rows, call, index, type, write, true);
    return shows ? rows->columns[index] : empty_rows(rows, type);
}

// The values and the set of a typed spawn.
struct typed_spawn {
    struct signature set;
    uint32_t components[COSM_LIST_MAX]; // as given
    uint32_t component_count;
    cosm_value values[COSM_LIST_MAX];
    uint32_t value_count;
};

// The component of a value: of its type where it has bytes, else of its name. NULL, reported, where
// there is none.
static const struct value_type *value_component(cosm_world world, const char *call,
                                                const cosm_typed *given) {
    if (given->data != NULL) {
        return typed_component(world, given->type, call);
    }
    cosm_component component = named_component(world, given->type, call);
    if ((component.id & BUNDLE_BIT) != 0) {
        (void)cosmi_refuse_bundle(world.batch, call, component, "name its members one by one");
        return NULL;
    }
    return schema_component(world.batch->schema, component.id);
}

// Of two values of one component one would be lost.
static bool is_given_once(cosm_world world, const char *call, const struct value_type *type,
                          const struct typed_spawn *spawn) {
    for (uint32_t i = 0; i < spawn->component_count; i++) {
        if (spawn->components[i] == type->id) {
            (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                             "%s: values %u and %u are both of '%s'; pass only one of them", call,
                             i, spawn->component_count, type->name);
            return false;
        }
    }
    return true;
}

static bool add_typed(cosm_world world, const char *call, const cosm_typed *given,
                      struct typed_spawn *spawn) {
    const struct value_type *type = value_component(world, call, given);
    if (type == NULL || !is_given_once(world, call, type, spawn)) {
        return false;
    }
    spawn->components[spawn->component_count++] = type->id;
    cosm_component component = {type->id};
    bool is_beside = type->storage == COSM_STORAGE_SECTOR;
    if (given->data == NULL && is_beside && type->size > 0) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s' has COSM_STORAGE_SECTOR; pass a value with COSM_VALUE", call,
                         type->name);
        return false;
    }
    if (!is_beside &&
        cosmi_schema_collect(world.batch->schema, call, &component, 1, &spawn->set) != COSM_OK) {
        return false;
    }
    if (given->data != NULL || is_beside) {
        spawn->values[spawn->value_count++] = (cosm_value){component, given->data};
    }
    return true;
}

// The archetype of some values, formed where there is none yet; zero with a message.
static cosm_archetype typed_archetype(cosm_world world, const char *call, const cosm_typed *values,
                                      uint32_t value_count, struct typed_spawn *spawn) {
    spawn->set.count = 0;
    spawn->component_count = 0;
    spawn->value_count = 0;
    if (values == NULL && value_count > 0) {
        (void)cosmi_refuse_null(world.batch->sink, call, "values",
                                "pass value_count values, or a count of 0");
        return (cosm_archetype){0};
    }
    if (value_count > COSM_LIST_MAX) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_LIMIT,
                         "%s: there are %u values; pass at most %u, and define an archetype for "
                         "more",
                         call, value_count, COSM_LIST_MAX);
        return (cosm_archetype){0};
    }
    for (uint32_t i = 0; i < value_count; i++) {
        if (!add_typed(world, call, &values[i], spawn)) {
            return (cosm_archetype){0};
        }
    }
    struct archetype *archetype =
        cosmi_schema_form((struct schema *)world.batch->schema, call, &spawn->set);
    return (cosm_archetype){archetype == NULL ? 0 : archetype->id};
}

cosm_entity cosm_entity_spawn_typed(cosm_world world, const cosm_typed *values,
                                    uint32_t value_count) {
    static const char call[] = "COSM_SPAWN";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return COSM_ENTITY_NONE;
    }
    struct typed_spawn spawn;
    cosm_archetype archetype = typed_archetype(world, call, values, value_count, &spawn);
    return archetype.id == 0
               ? COSM_ENTITY_NONE
               : cosmi_spawn_one(world, archetype, spawn.values, spawn.value_count, call);
}

cosm_entity cosm_commands_spawn_typed(cosm_commands *commands, cosm_world world,
                                      const cosm_typed *values, uint32_t value_count) {
    static const char call[] = "COSM_COMMANDS_SPAWN";
    if (cosmi_check_record(commands, world, call) != COSM_OK) {
        return cosmi_recorded_entity(commands, COSM_ENTITY_NONE);
    }
    struct typed_spawn spawn;
    cosm_archetype archetype = typed_archetype(world, call, values, value_count, &spawn);
    return archetype.id == 0 ? cosmi_recorded_entity(commands, COSM_ENTITY_NONE)
                             : cosm_commands_spawn_with(commands, world, archetype, spawn.values,
                                                        spawn.value_count);
}
