// Making a plan: order the systems of each phase, cut it at the sync points, find what conflicts.
#include "run/plan.h"

#include <stdio.h>
#include <string.h>

// Does `first` say that it runs before `second`, or `second` that it runs after `first`?
static bool says_before(const struct system *first, const struct system *second) {
    for (uint32_t i = 0; i < first->before_count; i++) {
        if (first->before[i].hash == second->name_hash &&
            strcmp(first->before[i].text, second->name) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < second->after_count; i++) {
        if (second->after[i].hash == first->name_hash &&
            strcmp(second->after[i].text, first->name) == 0) {
            return true;
        }
    }
    return false;
}

// Two systems of different phases cannot run against the order of their phases.
static cosm_result check_phases(const struct runner *runner, const struct system *first,
                                const struct system *second, const char *call) {
    if (first->phase == second->phase ||
        cosmi_phase_place(runner, first->phase) < cosmi_phase_place(runner, second->phase)) {
        return COSM_OK;
    }
    return cosmi_fail(runner->sink, COSM_ERROR_CONFLICT,
                      "%s: system '%s' must run before '%s', but its phase '%s' comes after phase "
                      "'%s'; move one of them, or remove the order",
                      call, first->name, second->name, runner->phases[first->phase].name,
                      runner->phases[second->phase].name);
}

// A search for a way from a new system back to itself.
struct circle_search {
    const struct runner *runner;
    const struct system *start;
    const struct system **reached; // in the order of being reached
    uint32_t *from;                // index in `reached` of the one before; of the first: itself
    bool *seen;                    // by id - 1
    uint32_t count;
};

static void reach(struct circle_search *search, const struct system *system, uint32_t from) {
    if (!search->seen[system->id - 1]) {
        search->seen[system->id - 1] = true;
        search->reached[search->count] = system;
        search->from[search->count++] = from;
    }
}

static cosm_result fail_circle(const struct circle_search *search, uint32_t last,
                               const char *call) {
    char text[400];
    size_t length = 0;
    // From the end back to the start, so every name is followed by the one it runs after.
    for (uint32_t at = last; at != 0 && length < sizeof(text); at = search->from[at]) {
        int written = snprintf(text + length, sizeof(text) - length, "'%s' after ",
                               search->reached[at]->name);
        length += written > 0 ? (size_t)written : 0;
    }
    return cosmi_fail(search->runner->sink, COSM_ERROR_CONFLICT,
                      "%s: '%s' closes a cycle of before and after: '%s' after %.360s'%s'; remove "
                      "one of these orders",
                      call, search->start->name, search->start->name, text, search->start->name);
}

// Follows every system that has to run after one that was reached.
static cosm_result search_circle(struct circle_search *search, const char *call) {
    const struct runner *runner = search->runner;
    for (uint32_t i = 0; i < search->count; i++) {
        const struct system *at = search->reached[i];
        if (i > 0 && says_before(at, search->start)) {
            return fail_circle(search, i, call);
        }
        for (uint32_t s = 0; s < runner->system_count; s++) {
            const struct system *other = runner->systems[s];
            if (other != NULL && says_before(at, other)) {
                reach(search, other, i);
            }
        }
    }
    return COSM_OK;
}

static bool is_ordered(const struct runner *runner, const struct system *extra) {
    if (extra->before_count + extra->after_count > 0) {
        return true;
    }
    // It names no other system: does another one name it?
    bool may_be = runner->order_marks[extra->name_hash % ORDER_MARK_COUNT] > 0;
    for (uint32_t s = 0; s < runner->system_count && may_be; s++) {
        const struct system *other = runner->systems[s];
        if (other != NULL && (says_before(extra, other) || says_before(other, extra))) {
            return true;
        }
    }
    return false;
}

cosm_result cosmi_plan_try(struct runner *runner, struct system *extra, const char *call) {
    if (!is_ordered(runner, extra)) {
        return COSM_OK;
    }
    if (says_before(extra, extra)) {
        return cosmi_fail(runner->sink, COSM_ERROR_CONFLICT,
                          "%s: '%s' must run before or after itself; remove that name", call,
                          extra->name);
    }
    for (uint32_t s = 0; s < runner->system_count; s++) {
        const struct system *other = runner->systems[s];
        bool after = other != NULL && says_before(extra, other);
        bool before = other != NULL && says_before(other, extra);
        if ((after && check_phases(runner, extra, other, call) != COSM_OK) ||
            (before && check_phases(runner, other, extra, call) != COSM_OK)) {
            return COSM_ERROR_CONFLICT;
        }
    }
    struct arena arena;
    cosmi_arena_init(&arena, runner->memory);
    uint32_t room = runner->system_count + 1;
    struct circle_search search = {.runner = runner, .start = extra};
    search.reached = cosmi_arena_alloc(&arena, room * sizeof(*search.reached), sizeof(void *));
    search.from = cosmi_arena_alloc(&arena, room * sizeof(*search.from), sizeof(uint32_t));
    search.seen = cosmi_arena_alloc(&arena, room, 1);
    cosm_result result = COSM_OK;
    if (search.reached == NULL || search.from == NULL || search.seen == NULL) {
        result = cosmi_fail_memory(runner->sink, runner->memory, call);
    } else {
        memset(search.seen, 0, room);
        search.reached[0] = extra;
        search.from[0] = 0;
        search.count = 1;
        result = search_circle(&search, call);
    }
    cosmi_arena_free(&arena);
    return result;
}

// What is needed while a plan is made.
struct planning {
    struct runner *runner;
    struct plan *plan;
    bool out_of_memory;
};

static void *take(struct planning *planning, size_t count, size_t size) {
    void *bytes = cosmi_arena_alloc(&planning->plan->arena, (count + 1) * size, sizeof(void *));
    if (bytes == NULL) {
        planning->out_of_memory = true;
        return NULL;
    }
    memset(bytes, 0, (count + 1) * size);
    return bytes;
}

static cosm_result check_names(const struct runner *runner, const struct system *system,
                               const struct order_name *names, uint32_t count, const char *word,
                               const char *call) {
    for (uint32_t i = 0; i < count; i++) {
        if (cosmi_system_named(runner, &names[i]) == NULL &&
            !cosmi_system_was_removed(runner, names[i].text)) {
            return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                              "%s: system '%s' must run %s '%s', which is not defined; define it, "
                              "or correct the name",
                              call, system->name, word, names[i].text);
        }
    }
    return COSM_OK;
}

static cosm_result check_all_names(const struct runner *runner, const char *call) {
    cosm_result result = COSM_OK;
    for (uint32_t s = 0; s < runner->system_count && result == COSM_OK; s++) {
        const struct system *system = runner->systems[s];
        if (system == NULL) {
            continue;
        }
        result = check_names(runner, system, system->before, system->before_count, "before", call);
        if (result == COSM_OK) {
            result = check_names(runner, system, system->after, system->after_count, "after", call);
        }
    }
    return result;
}

// Of those whose predecessors are all placed, the one of lowest rank, then the one defined first.
// `waits` counts predecessors; those already placed have UINT32_MAX.
static uint32_t pick_next(struct system *const *systems, const uint32_t *waits, uint32_t count) {
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
        if (waits[i] == 0 && (best == count || systems[i]->rank < systems[best]->rank)) {
            best = i;
        }
    }
    return best;
}

// Puts the systems of a phase, which come in the order of definition, into the order of the plan.
static void order_systems(struct planning *planning, struct plan_phase *phase,
                          struct system **defined) {
    uint32_t count = phase->system_count;
    uint32_t *waits = take(planning, count, sizeof(*waits));
    if (waits == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            bool ordered = defined[i]->before_count + defined[j]->after_count > 0;
            waits[j] += ordered && i != j && says_before(defined[i], defined[j]);
        }
    }
    for (uint32_t place = 0; place < count; place++) {
        uint32_t next = pick_next(defined, waits, count);
        INVARIANT(next < count, "a definition that closes a circle is refused");
        phase->systems[place] = defined[next];
        waits[next] = UINT32_MAX;
        for (uint32_t j = 0; j < count; j++) {
            if (waits[j] != UINT32_MAX && says_before(defined[next], defined[j])) {
                waits[j]--;
            }
        }
    }
}

// Is there a sync point before this system, wherever it stands?
static bool begins_at_sync(const struct system *system) {
    return system->synced || system->global || system->exclusive;
}

static bool ends_at_sync(const struct system *system) {
    return system->global || system->exclusive;
}

static void cut_stages(struct planning *planning, struct plan_phase *phase) {
    phase->stages = take(planning, phase->system_count, sizeof(*phase->stages));
    for (uint32_t s = 0; phase->stages != NULL && s < phase->system_count; s++) {
        const struct system *system = phase->systems[s];
        bool after = s > 0 && ends_at_sync(phase->systems[s - 1]);
        if (s == 0 || begins_at_sync(system) || after) {
            const struct system *cause = begins_at_sync(system) ? system
                                         : s > 0                ? phase->systems[s - 1]
                                                                : NULL;
            phase->stages[phase->stage_count++] = (struct plan_stage){.first = s, .cause = cause};
        }
        phase->stages[phase->stage_count - 1].count++;
    }
}

static void add_edge(struct planning *planning, struct plan_phase *phase, uint32_t *capacity,
                     struct plan_edge added) {
    if (phase->edge_count == *capacity) {
        uint32_t more = *capacity == 0 ? 16 : *capacity * 2;
        struct plan_edge *edges = take(planning, more, sizeof(*edges));
        if (edges == NULL) {
            return;
        }
        if (phase->edge_count > 0) {
            memcpy(edges, phase->edges, phase->edge_count * sizeof(*edges));
        }
        phase->edges = edges;
        *capacity = more;
    }
    phase->edges[phase->edge_count++] = added;
}

// The edges within a stage, and with them the level of each of its systems.
static void find_levels(struct planning *planning, struct plan_phase *phase,
                        const struct plan_stage *stage, uint32_t *levels, uint32_t *capacity) {
    for (uint32_t j = stage->first; j < stage->first + stage->count; j++) {
        levels[j] = 0;
        for (uint32_t i = stage->first; i < j; i++) {
            struct order_edge why = {ORDER_DECLARED, 0};
            if (!says_before(phase->systems[i], phase->systems[j])) {
                why = cosmi_access_conflict(phase->systems[i], phase->systems[j]);
            }
            if (why.reason == ORDER_NONE) {
                continue;
            }
            add_edge(planning, phase, capacity, (struct plan_edge){i, j, why});
            levels[j] = levels[i] + 1 > levels[j] ? levels[i] + 1 : levels[j];
        }
    }
}

// Lists the systems of a stage by level.
static void sort_levels(struct planning *planning, struct plan_phase *phase,
                        struct plan_stage *stage, const uint32_t *levels, uint32_t *level_count) {
    uint32_t at = stage->first;
    stage->level_first = *level_count;
    for (uint32_t level = 0; at < stage->first + stage->count; level++) {
        struct plan_level *made = &phase->levels[(*level_count)++];
        *made = (struct plan_level){.first = at, .cost = planning->plan->cost_count++};
        for (uint32_t s = stage->first; s < stage->first + stage->count; s++) {
            if (levels[s] == level) {
                phase->by_level[at] = phase->systems[s];
                phase->order[at++] = s;
                made->count++;
            }
        }
        INVARIANT(made->count > 0, "every level has a system");
        stage->level_count++;
    }
}

static void make_levels(struct planning *planning, struct plan_phase *phase) {
    uint32_t *levels = take(planning, phase->system_count, sizeof(*levels));
    phase->levels = take(planning, phase->system_count, sizeof(*phase->levels));
    phase->by_level = take(planning, phase->system_count, sizeof(struct system *));
    phase->order = take(planning, phase->system_count, sizeof(*phase->order));
    if (planning->out_of_memory) {
        return;
    }
    uint32_t capacity = 0;
    uint32_t level_count = 0;
    for (uint32_t s = 0; s < phase->stage_count; s++) {
        struct plan_stage *stage = &phase->stages[s];
        find_levels(planning, phase, stage, levels, &capacity);
        sort_levels(planning, phase, stage, levels, &level_count);
        if (s > 0) {
            struct order_edge why = {ORDER_SYNC, 0};
            add_edge(planning, phase, &capacity,
                     (struct plan_edge){stage->first - 1, stage->first, why});
        }
    }
}

static void make_segments(struct planning *planning, struct plan_phase *phase) {
    phase->segments = take(planning, phase->stage_count, sizeof(*phase->segments));
    for (uint32_t s = 0; phase->segments != NULL && s < phase->stage_count; s++) {
        const struct plan_stage *stage = &phase->stages[s];
        bool is_global = phase->systems[stage->first]->global;
        uint32_t last = phase->segment_count;
        if (last == 0 || is_global || phase->segments[last - 1].is_global) {
            phase->segments[phase->segment_count++] = (struct plan_segment){
                .first = s, .is_global = is_global, .cost = planning->plan->cost_count++};
        }
        struct plan_segment *segment = &phase->segments[phase->segment_count - 1];
        segment->count++;
        segment->system_count += stage->count;
    }
}

static void plan_phase_of(struct planning *planning, struct plan_phase *phase) {
    struct runner *runner = planning->runner;
    struct system **defined = take(planning, runner->live_count, sizeof(*defined));
    phase->systems = take(planning, runner->live_count, sizeof(struct system *));
    if (planning->out_of_memory) {
        return;
    }
    for (uint32_t s = 0; s < runner->system_count; s++) {
        struct system *system = runner->systems[s];
        if (system != NULL && system->phase == phase->id) {
            defined[phase->system_count++] = system;
        }
    }
    order_systems(planning, phase, defined);
    if (!planning->out_of_memory) {
        cut_stages(planning, phase);
    }
    if (!planning->out_of_memory) {
        make_levels(planning, phase);
    }
    if (!planning->out_of_memory) {
        make_segments(planning, phase);
    }
}

static void make_phases(struct planning *planning) {
    struct runner *runner = planning->runner;
    struct plan *plan = planning->plan;
    plan->phases = take(planning, runner->phase_count, sizeof(*plan->phases));
    uint32_t order = 0;
    for (uint32_t p = 0; plan->phases != NULL && p < runner->phase_count; p++) {
        struct plan_phase *phase = &plan->phases[p];
        phase->id = runner->phase_order[p];
        phase->order_first = order;
        plan_phase_of(planning, phase);
        order += phase->system_count;
    }
    plan->phase_count = runner->phase_count;
    plan->system_count = order;
    plan->system_id_end = runner->system_count + 1;
}

static void count_references(struct runner *runner, struct plan *plan, bool take_them) {
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        for (uint32_t s = 0; s < plan->phases[p].system_count; s++) {
            if (take_them) {
                plan->phases[p].systems[s]->references++;
            } else {
                cosmi_system_release(runner, plan->phases[p].systems[s]);
            }
        }
    }
}

static void free_plan(struct runner *runner, struct plan *plan) {
    cosmi_arena_free(&plan->arena);
    cosmi_memory_free(runner->memory, plan, sizeof(*plan), _Alignof(struct plan));
}

static struct plan *make_plan(struct runner *runner, const char *call) {
    if (check_all_names(runner, call) != COSM_OK) {
        return NULL;
    }
    struct plan *plan =
        cosmi_memory_alloc_zeroed(runner->memory, sizeof(*plan), _Alignof(struct plan));
    if (plan == NULL) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, call);
        return NULL;
    }
    cosmi_arena_init(&plan->arena, runner->memory);
    struct planning planning = {runner, plan, false};
    make_phases(&planning);
    if (planning.out_of_memory) {
        (void)cosmi_fail_memory(runner->sink, runner->memory, call);
        free_plan(runner, plan);
        return NULL;
    }
    plan->references = 1;
    plan->number = ++runner->plan_count;
    count_references(runner, plan, true);
    return plan;
}

struct plan *cosmi_plan_take(struct runner *runner, const char *call) {
    if (runner->plan == NULL) {
        runner->plan = make_plan(runner, call);
    }
    if (runner->plan != NULL) {
        runner->plan->references++;
    }
    return runner->plan;
}

void cosmi_plan_release(struct runner *runner, struct plan *plan) {
    INVARIANT(plan->references > 0, "a plan is released once per taking");
    if (--plan->references == 0) {
        count_references(runner, plan, false);
        free_plan(runner, plan);
    }
}

void cosmi_plan_forget(struct runner *runner) {
    if (runner->plan != NULL) {
        cosmi_plan_release(runner, runner->plan);
        runner->plan = NULL;
    }
}
