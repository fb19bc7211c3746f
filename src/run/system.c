// Defining systems and phases, and ending systems.
#include "run/system.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "run/access.h"
#include "run/plan.h"
#include "run/turn.h"
#include "schema/names.h"

static const char define_call[] = "cosm_system_define";

bool cosmi_runner_init(struct runner *runner, struct memory *memory, const struct sink *sink,
                       struct schema *schema, struct query_cache *queries) {
    static const struct phase built_in[] = {
        {NULL, COSM_PHASE_RATE_FIXED, 0, 0},
        {"input", COSM_PHASE_RATE_PER_FRAME, 0, 0},
        {"simulation", COSM_PHASE_RATE_FIXED, 0, 0},
        {"render", COSM_PHASE_RATE_PER_FRAME, 0, 0},
    };
    runner->memory = memory;
    runner->sink = sink;
    runner->schema = schema;
    runner->queries = queries;
    runner->cache_size = cosmi_os_cache_size();
    cosmi_arena_init(&runner->arena, memory);
    cosmi_map_init(&runner->system_names, memory);
    cosmi_board_init(&runner->board, memory, sink, schema, queries);
    memcpy(runner->phases, built_in, sizeof(built_in));
    runner->phase_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        runner->phase_order[i] = i + 1;
    }
    return cosmi_mutex_create(&runner->lock);
}

void cosmi_runner_free(struct runner *runner) {
    cosmi_plan_forget(runner);
    cosmi_board_free(&runner->board);
    for (uint32_t i = 0; i < runner->system_count; i++) {
        if (runner->systems[i] != NULL) {
            cosmi_system_release(runner, runner->systems[i]);
        }
    }
    cosmi_array_free(runner->memory, runner->systems, runner->system_capacity,
                     sizeof(struct system *));
    cosmi_map_free(&runner->system_names);
    cosmi_array_free(runner->memory, runner->removed_names, runner->removed_capacity,
                     sizeof(char *));
    cosmi_array_free(runner->memory, runner->faults, runner->fault_capacity, sizeof(uint64_t));
    cosmi_arena_free(&runner->arena);
    cosmi_mutex_destroy(&runner->lock);
}

bool cosmi_runner_note_fault(struct runner *runner, uint64_t key) {
    cosmi_mutex_lock(&runner->lock);
    bool is_new = true;
    for (uint32_t i = 0; i < runner->fault_count && is_new; i++) {
        is_new = runner->faults[i] != key;
    }
    if (is_new) {
        uint64_t *faults = cosmi_array_grow(runner->memory, runner->faults, &runner->fault_capacity,
                                            runner->fault_count + 1, sizeof(*faults));
        if (faults != NULL) {
            runner->faults = faults;
            faults[runner->fault_count++] = key;
        }
    }
    cosmi_mutex_unlock(&runner->lock);
    return is_new;
}

void cosmi_runner_note_failed(struct runner *runner, const char *kind, const char *name) {
    struct failed_definition *failed = &runner->failed;
    if (cosmi_turn_now != NULL) {
        return;
    }
    cosmi_mutex_lock(&runner->lock);
    if (failed->failure.result == COSM_OK) {
        bool is_named = name != NULL && name[0] != '\0';
        (void)snprintf(failed->what, sizeof(failed->what), is_named ? "%s '%s'" : "the %s%s", kind,
                       is_named ? name : " without a name");
        cosmi_error_read(&failed->failure);
    }
    cosmi_mutex_unlock(&runner->lock);
}

void cosmi_system_release(struct runner *runner, struct system *system) {
    INVARIANT(system->references > 0, "a system is released once per reference");
    if (--system->references > 0) {
        return;
    }
    for (uint32_t q = 0; q < system->query_count; q++) {
        cosmi_query_release(system->queries[q]);
    }
    cosmi_arena_free(&system->arena);
    cosmi_memory_free(runner->memory, system, sizeof(*system), _Alignof(struct system));
}

struct system *cosmi_system_by_id(const struct runner *runner, uint32_t id) {
    return id == 0 || id > runner->system_count ? NULL : runner->systems[id - 1];
}

static bool has_system_name(const void *context, uint32_t index, const void *key) {
    return strcmp(((const struct runner *)context)->systems[index]->name, key) == 0;
}

struct system *cosmi_system_named(const struct runner *runner, const struct order_name *name) {
    uint32_t index =
        cosmi_map_find(&runner->system_names, name->hash, has_system_name, runner, name->text);
    return index == MAP_NONE ? NULL : runner->systems[index];
}

// Counts the names that a system mentions, or no longer does: `by` is 1, or its opposite.
static void mark_orders(struct runner *runner, const struct system *system, uint32_t by) {
    for (uint32_t i = 0; i < system->before_count; i++) {
        runner->order_marks[system->before[i].hash % ORDER_MARK_COUNT] += by;
    }
    for (uint32_t i = 0; i < system->after_count; i++) {
        runner->order_marks[system->after[i].hash % ORDER_MARK_COUNT] += by;
    }
}

struct system *cosmi_system_by_name(const struct runner *runner, const char *name) {
    return cosmi_system_named(runner, &(struct order_name){name, cosmi_hash_text(name)});
}

bool cosmi_system_was_removed(const struct runner *runner, const char *name) {
    for (uint32_t i = 0; i < runner->removed_count; i++) {
        if (strcmp(runner->removed_names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

uint32_t cosmi_phase_by_name(const struct runner *runner, const char *name) {
    for (uint32_t id = 1; id <= runner->phase_count; id++) {
        if (strcmp(runner->phases[id].name, name) == 0) {
            return id;
        }
    }
    return 0;
}

uint32_t cosmi_phase_place(const struct runner *runner, uint32_t phase) {
    uint32_t place = 0;
    while (runner->phase_order[place] != phase) {
        place++;
    }
    return place;
}

// Where a new phase goes in the order: right before or after another one, or to the end.
static uint32_t place_for(const struct runner *runner, const cosm_phase_desc *desc) {
    if (desc->before.id != 0) {
        return cosmi_phase_place(runner, desc->before.id);
    }
    if (desc->after.id == 0) {
        return runner->phase_count;
    }
    uint32_t place = cosmi_phase_place(runner, desc->after.id);
    for (uint32_t i = place + 1; i < runner->phase_count; i++) {
        if (runner->phases[runner->phase_order[i]].after == desc->after.id) {
            place = i;
        }
    }
    return place + 1;
}

static cosm_result check_phase(const struct runner *runner, const cosm_phase_desc *desc,
                               const char *call) {
    uint32_t unknown = desc->before.id > runner->phase_count  ? desc->before.id
                       : desc->after.id > runner->phase_count ? desc->after.id
                                                              : 0;
    if (unknown != 0) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' is placed before or after phase %u, which is not defined in "
                          "this engine; define that one first",
                          call, desc->name, unknown);
    }
    if ((unsigned)desc->rate > COSM_PHASE_RATE_PER_FRAME) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.rate %d is unknown; use a value of cosm_phase_rate", call,
                          desc->name, (int)desc->rate);
    }
    if (desc->before.id != 0 && desc->after.id != 0) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has both desc.before %u and desc.after %u; set only one of "
                          "them",
                          call, desc->name, desc->before.id, desc->after.id);
    }
    if (runner->phase_count == COSM_PHASE_MAX) {
        return cosmi_fail(runner->sink, COSM_ERROR_LIMIT,
                          "%s: '%s' exceeds the limit of %u phases; put systems into one phase "
                          "and order them by rank",
                          call, desc->name, COSM_PHASE_MAX);
    }
    return COSM_OK;
}

static uint32_t define_phase_locked(struct runner *runner, const cosm_phase_desc *desc,
                                    const char *call) {
    uint32_t known = cosmi_phase_by_name(runner, desc->name);
    if (known != 0) {
        const struct phase *phase = &runner->phases[known];
        if (phase->rate == desc->rate && phase->before == desc->before.id &&
            phase->after == desc->after.id) {
            return known;
        }
        (void)cosmi_fail(runner->sink, COSM_ERROR_CONFLICT,
                         "%s: phase '%s' is already defined with other properties; choose another "
                         "name, or define it the same way",
                         call, desc->name);
        return 0;
    }
    if (check_phase(runner, desc, call) != COSM_OK) {
        return 0;
    }
    const char *name = cosmi_arena_copy_text(&runner->arena, desc->name);
    if (name == NULL) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, call);
        return 0;
    }
    uint32_t place = place_for(runner, desc);
    uint32_t id = ++runner->phase_count;
    runner->phases[id] = (struct phase){name, desc->rate, desc->before.id, desc->after.id};
    memmove(runner->phase_order + place + 1, runner->phase_order + place,
            (id - 1 - place) * sizeof(*runner->phase_order));
    runner->phase_order[place] = id;
    cosmi_plan_forget(runner);
    return id;
}

uint32_t cosmi_phase_define(struct runner *runner, const cosm_phase_desc *desc) {
    static const char call[] = "cosm_phase_define";
    if (cosmi_name_check(runner->sink, call, desc->name) != COSM_OK) {
        return 0;
    }
    cosmi_mutex_lock(&runner->lock);
    uint32_t id = define_phase_locked(runner, desc, call);
    cosmi_mutex_unlock(&runner->lock);
    return id;
}

// What can be said of a desc by itself.
static cosm_result check_system(const struct runner *runner, const cosm_system_desc *desc) {
    if (cosmi_name_check(runner->sink, define_call, desc->name) != COSM_OK) {
        return COSM_ERROR_ARGUMENT;
    }
    if ((desc->each == NULL) == (desc->run == NULL)) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' sets %s of desc.each and desc.run; set exactly one",
                          define_call, desc->name, desc->each == NULL ? "neither" : "both");
    }
    if (desc->each != NULL && !query_is_given(&desc->queries[0])) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s' has desc.each and no query; name its rows in desc.query, or "
                          "write \"\" for every row",
                          define_call, desc->name);
    }
    if (desc->exclusive && desc->run == NULL) {
        return cosmi_fail(
            runner->sink, COSM_ERROR_ARGUMENT,
            "%s: '%s' is exclusive, but desc.each walks rows, which cannot change meanwhile; use "
            "desc.run",
            define_call, desc->name);
    }
    if (desc->context_size > 0 && desc->context == NULL) {
        return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.context_size is %zu, but desc.context is NULL; set both",
                          define_call, desc->name, desc->context_size);
    }
    return COSM_OK;
}

static cosm_result copy_names(struct runner *runner, struct system *system, const char *field,
                              const char *const *names, struct order_name *out_names,
                              uint32_t *out_count) {
    uint32_t count = 0;
    while (count < COSM_SYSTEM_ORDER_MAX && names[count] != NULL) {
        cosm_result result = cosmi_name_check(runner->sink, define_call, names[count]);
        if (result != COSM_OK) {
            return result;
        }
        const char *text = cosmi_arena_copy_text(&system->arena, names[count]);
        if (text == NULL) {
            return cosmi_fail_memory(runner->sink, runner->memory, define_call);
        }
        out_names[count] = (struct order_name){text, cosmi_hash_text(text)};
        count++;
    }
    for (uint32_t i = count; i < COSM_SYSTEM_ORDER_MAX; i++) {
        if (names[i] != NULL) {
            return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                              "%s: '%s': desc.%s[%u] follows an empty entry at [%u]; NULL ends the "
                              "list: close the gap",
                              define_call, system->name, field, i, count);
        }
    }
    *out_count = count;
    return COSM_OK;
}

static cosm_result make_queries(struct runner *runner, struct system *system,
                                const cosm_system_desc *desc) {
    uint32_t count = COSM_SYSTEM_QUERY_MAX;
    while (count > 0 && !query_is_given(&desc->queries[count - 1])) {
        count--;
    }
    for (uint32_t q = 0; q < count; q++) {
        char where[WHERE_SIZE + 32];
        (void)snprintf(where, sizeof(where), "%s: '%s': queries[%u]", define_call, system->name, q);
        cosm_query *query = cosmi_query_create(runner->queries, where, &desc->queries[q]);
        if (query == NULL) {
            return cosm_error_result();
        }
        system->queries[system->query_count++] = query;
        system->reads_changes = system->reads_changes || query->changed != 0;
    }
    return COSM_OK;
}

static cosm_result fill_system(struct runner *runner, struct system *system,
                               const cosm_system_desc *desc) {
    system->name = cosmi_arena_copy_text(&system->arena, desc->name);
    if (system->name == NULL) {
        return cosmi_fail_memory(runner->sink, runner->memory, define_call);
    }
    system->name_hash = cosmi_hash_text(desc->name);
    system->phase = desc->phase.id == 0 ? COSM_PHASE_SIMULATION.id : desc->phase.id;
    system->each = desc->each;
    system->run = desc->run;
    system->context = desc->context;
    system->rank = desc->rank;
    system->every = desc->every == 0 ? 1 : desc->every;
    system->condition = desc->condition;
    system->init = desc->init;
    system->dispose = desc->dispose;
    system->context_size = desc->context_size;
    system->commands = desc->commands;
    system->synced = desc->synced;
    system->whole = desc->whole;
    system->global = desc->global || desc->main_thread;
    system->main_thread = desc->main_thread;
    system->exclusive = desc->exclusive;
    atomic_init(&system->enabled, !desc->disabled);
    cosm_result result =
        copy_names(runner, system, "before", desc->before, system->before, &system->before_count);
    if (result == COSM_OK) {
        result =
            copy_names(runner, system, "after", desc->after, system->after, &system->after_count);
    }
    if (result == COSM_OK) {
        result = make_queries(runner, system, desc);
    }
    if (result == COSM_OK) {
        result = cosmi_access_fill(runner, system, desc);
    }
    system->splits = result == COSM_OK && cosmi_access_splits(system);
    return result;
}

static uint32_t keep_system(struct runner *runner, struct system *system) {
    if (system->phase > runner->phase_count) {
        (void)cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                         "%s: '%s': desc.phase %u is not a phase of this engine; define it with "
                         "cosm_phase_define, or leave it zero for simulation",
                         define_call, system->name, system->phase);
        return 0;
    }
    if (cosmi_system_by_name(runner, system->name) != NULL) {
        (void)cosmi_fail(runner->sink, COSM_ERROR_CONFLICT,
                         "%s: system '%s' is already defined; choose another name, or remove that "
                         "one first",
                         define_call, system->name);
        return 0;
    }
    if (runner->live_count == COSM_SYSTEM_MAX) {
        (void)cosmi_fail(runner->sink, COSM_ERROR_LIMIT,
                         "%s: '%s' exceeds the limit of %u systems; remove one, or combine two",
                         define_call, system->name, COSM_SYSTEM_MAX);
        return 0;
    }
    if (cosmi_plan_try(runner, system, define_call) != COSM_OK) {
        return 0;
    }
    struct system **systems =
        cosmi_array_grow(runner->memory, runner->systems, &runner->system_capacity,
                         runner->system_count + 1, sizeof(*systems));
    runner->systems = systems == NULL ? runner->systems : systems;
    if (systems == NULL || !cosmi_map_reserve(&runner->system_names)) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, define_call);
        return 0;
    }
    cosmi_map_insert(&runner->system_names, system->name_hash, runner->system_count);
    mark_orders(runner, system, 1);
    systems[runner->system_count++] = system;
    system->id = runner->system_count;
    runner->live_count++;
    cosmi_plan_forget(runner);
    return system->id;
}

uint32_t cosmi_system_define(struct runner *runner, const cosm_system_desc *desc) {
    if (check_system(runner, desc) != COSM_OK) {
        return 0;
    }
    struct system *system =
        cosmi_memory_alloc_zeroed(runner->memory, sizeof(*system), _Alignof(struct system));
    if (system == NULL) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, define_call);
        return 0;
    }
    system->references = 1;
    cosmi_arena_init(&system->arena, runner->memory);
    cosm_result result = fill_system(runner, system, desc);
    uint32_t id = 0;
    cosmi_mutex_lock(&runner->lock);
    if (result == COSM_OK) {
        id = keep_system(runner, system);
    }
    if (id == 0) {
        cosmi_system_release(runner, system);
    }
    cosmi_mutex_unlock(&runner->lock);
    return id;
}

static bool keep_removed_name(struct runner *runner, const char *name) {
    const char **names =
        cosmi_array_grow(runner->memory, runner->removed_names, &runner->removed_capacity,
                         runner->removed_count + 1, sizeof(*names));
    if (names == NULL) {
        return false;
    }
    runner->removed_names = names;
    if (cosmi_system_was_removed(runner, name)) {
        return true;
    }
    const char *copy = cosmi_arena_copy_text(&runner->arena, name);
    if (copy != NULL) {
        names[runner->removed_count++] = copy;
    }
    return copy != NULL;
}

static struct system *take_out_locked(struct runner *runner, const char *call, uint32_t id) {
    struct system *system = cosmi_system_by_id(runner, id);
    if (system == NULL) {
        (void)cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                         "%s: system %u is not defined in this engine, or was removed; pass one "
                         "from cosm_system_define",
                         call, id);
        return NULL;
    }
    if (runner->running_count > 0) {
        (void)cosmi_fail(
            runner->sink, COSM_ERROR_BUSY,
            "%s: system '%s' cannot be removed while %u batches run; switch it off with "
            "cosm_system_enable, and remove it between steps",
            call, system->name, runner->running_count);
        return NULL;
    }
    if (!keep_removed_name(runner, system->name)) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, call);
        return NULL;
    }
    cosmi_map_remove(&runner->system_names, system->name_hash, id - 1);
    mark_orders(runner, system, UINT32_MAX);
    runner->systems[id - 1] = NULL;
    runner->live_count--;
    cosmi_plan_forget(runner);
    return system;
}

struct system *cosmi_system_take_out(struct runner *runner, const char *call, uint32_t id) {
    cosmi_mutex_lock(&runner->lock);
    struct system *system = take_out_locked(runner, call, id);
    cosmi_mutex_unlock(&runner->lock);
    return system;
}
