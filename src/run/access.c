// Access: collecting what a system declares, and comparing it with another's.
#include "run/access.h"

#include "schema/names.h"

static const char access_call[] = "cosm_system_define";

static bool names_component(const cosm_query *query, cosm_term_kind kind, uint32_t component) {
    for (uint32_t t = 0; t < query->term_count; t++) {
        const struct condition *condition = &query->conditions[t];
        for (uint32_t i = 0; condition->kind == kind && i < condition->component_count; i++) {
            if (condition->components[i] == component) {
                return true;
            }
        }
    }
    return false;
}

// Does one query ask for something that the other one must not have?
static bool excludes(const cosm_query *with, const cosm_query *without) {
    for (uint32_t t = 0; t < with->term_count; t++) {
        const struct condition *condition = &with->conditions[t];
        for (uint32_t i = 0; condition->kind == COSM_TERM_WITH && i < condition->component_count;
             i++) {
            if (names_component(without, COSM_TERM_WITHOUT, condition->components[i])) {
                return true;
            }
        }
    }
    return false;
}

static bool never_same_row(const cosm_query *a, const cosm_query *b) {
    return a != NULL && b != NULL && (excludes(a, b) || excludes(b, a));
}

struct order_edge cosmi_access_conflict(const struct system *a, const struct system *b) {
    if (a->commands && b->commands) {
        return (struct order_edge){ORDER_COMMANDS, 0};
    }
    for (uint32_t i = 0; i < a->component_count; i++) {
        const struct component_use *use = &a->components[i];
        for (uint32_t j = 0; j < b->component_count; j++) {
            const struct component_use *other = &b->components[j];
            if (use->component == other->component && (use->write || other->write) &&
                !never_same_row(use->query, other->query)) {
                return (struct order_edge){ORDER_COMPONENT, use->component};
            }
        }
    }
    for (uint32_t i = 0; i < a->singleton_count; i++) {
        const struct singleton_use *use = &a->singletons[i];
        for (uint32_t j = 0; j < b->singleton_count; j++) {
            const struct singleton_use *other = &b->singletons[j];
            if (use->singleton == other->singleton && (use->write || other->write)) {
                return (struct order_edge){ORDER_SINGLETON, use->singleton};
            }
        }
    }
    return (struct order_edge){ORDER_NONE, 0};
}

bool cosmi_access_splits(const struct system *system) {
    if (system->each == NULL || system->whole || system->exclusive) {
        return false;
    }
    for (uint32_t i = 0; i < system->singleton_count; i++) {
        if (system->singletons[i].write) {
            return false;
        }
    }
    const cosm_query *own = system->queries[0];
    for (uint32_t i = 0; i < system->component_count; i++) {
        const struct component_use *use = &system->components[i];
        if (use->query == own) {
            continue;
        }
        // Other rows are touched: nothing in them may be written, here or as somebody's own row.
        if (use->write) {
            return false;
        }
        for (uint32_t j = 0; j < system->component_count; j++) {
            const struct component_use *other = &system->components[j];
            if (other->component == use->component && other->write &&
                !never_same_row(use->query, other->query)) {
                return false;
            }
        }
    }
    return true;
}

bool cosmi_access_component(const struct system *system, uint32_t component, bool write) {
    for (uint32_t i = 0; i < system->component_count; i++) {
        const struct component_use *use = &system->components[i];
        if (use->component == component && (use->write || !write)) {
            return true;
        }
    }
    return false;
}

bool cosmi_access_singleton(const struct system *system, uint32_t singleton, bool write) {
    for (uint32_t i = 0; i < system->singleton_count; i++) {
        const struct singleton_use *use = &system->singletons[i];
        if (use->singleton == singleton && (use->write || !write)) {
            return true;
        }
    }
    return false;
}

static void add_component(struct system *system, uint32_t component, bool write,
                          const cosm_query *query) {
    for (uint32_t i = 0; i < system->component_count; i++) {
        struct component_use *use = &system->components[i];
        if (use->component == component && use->query == query) {
            use->write = use->write || write;
            return;
        }
    }
    INVARIANT(system->components != NULL, "the list was made long enough");
    system->components[system->component_count++] = (struct component_use){component, write, query};
}

// Terms that have a column. Tags, bundles and what must be absent touch no bytes.
static void add_query(struct system *system, const cosm_query *query) {
    for (uint32_t t = 0; t < query->term_count; t++) {
        if (term_has_bytes(&query->infos[t]) && query->terms[t].kind != COSM_TERM_WITHOUT) {
            add_component(system, query->infos[t].component,
                          query->terms[t].access != COSM_ACCESS_READ, query);
        }
    }
}

// The components of `reads` or `writes`, bundles spread out.
static cosm_result collect_list(struct runner *runner, const char *name, const char *field,
                                const cosm_component *list, struct signature *signature) {
    struct where where = cosmi_where(access_call, name, NULL);
    cosm_result result =
        cosmi_schema_collect_desc(runner->schema, where.text, field, list, NULL, 0, signature);
    if (result == COSM_OK && signature->count > COSM_ARCHETYPE_COMPONENT_MAX) {
        return cosmi_fail(runner->sink, COSM_ERROR_LIMIT,
                          "%s: '%s': desc.%s expands to more than %u components; split the system",
                          access_call, name, field, COSM_ARCHETYPE_COMPONENT_MAX);
    }
    return result;
}

static cosm_result check_singletons(struct runner *runner, const cosm_system_desc *desc,
                                    uint32_t *out_count) {
    uint32_t count = 0;
    while (count < COSM_LIST_MAX && desc->singletons[count].singleton.id != 0) {
        uint32_t id = desc->singletons[count].singleton.id;
        if (schema_singleton(runner->schema, id) == NULL ||
            (unsigned)desc->singletons[count].access > COSM_ACCESS_WRITE) {
            return cosmi_fail(runner->sink, COSM_ERROR_ARGUMENT,
                              "%s: '%s': desc.singletons[%u] is singleton %u with access %d; use "
                              "one from cosm_singleton_define, with a value of cosm_access",
                              access_call, desc->name, count, id,
                              (int)desc->singletons[count].access);
        }
        count++;
    }
    for (uint32_t i = count; i < COSM_LIST_MAX; i++) {
        if (desc->singletons[i].singleton.id != 0) {
            return cosmi_fail(
                runner->sink, COSM_ERROR_ARGUMENT,
                "%s: '%s': desc.singletons[%u] follows an empty entry at [%u]; a zero ends the "
                "list: check the definition that returned it",
                access_call, desc->name, i, count);
        }
    }
    *out_count = count;
    return COSM_OK;
}

// All uses, in a list that is long enough for all of them.
static cosm_result keep_uses(struct runner *runner, struct system *system,
                             const cosm_system_desc *desc, const struct signature *reads,
                             const struct signature *writes) {
    uint32_t singleton_count = 0;
    cosm_result result = check_singletons(runner, desc, &singleton_count);
    if (result != COSM_OK) {
        return result;
    }
    size_t component_max = reads->count + writes->count;
    for (uint32_t q = 0; q < system->query_count; q++) {
        component_max += system->queries[q]->term_count;
    }
    system->components = cosmi_arena_alloc(
        &system->arena, (component_max + 1) * sizeof(*system->components), sizeof(void *));
    system->singletons = cosmi_arena_alloc(
        &system->arena, (singleton_count + 1) * sizeof(*system->singletons), sizeof(void *));
    if (system->components == NULL || system->singletons == NULL) {
        return cosmi_fail_memory(runner->sink, runner->memory, access_call);
    }
    for (uint32_t q = 0; q < system->query_count; q++) {
        add_query(system, system->queries[q]);
    }
    for (uint32_t i = 0; i < reads->count; i++) {
        add_component(system, reads->ids[i], false, NULL);
    }
    for (uint32_t i = 0; i < writes->count; i++) {
        add_component(system, writes->ids[i], true, NULL);
    }
    for (uint32_t i = 0; i < singleton_count; i++) {
        system->singletons[system->singleton_count++] = (struct singleton_use){
            desc->singletons[i].singleton.id, desc->singletons[i].access == COSM_ACCESS_WRITE};
    }
    return COSM_OK;
}

cosm_result cosmi_access_fill(struct runner *runner, struct system *system,
                              const cosm_system_desc *desc) {
    struct signature reads = {.count = 0};
    struct signature writes = {.count = 0};
    cosm_result result = collect_list(runner, desc->name, "reads", desc->reads, &reads);
    if (result == COSM_OK) {
        result = collect_list(runner, desc->name, "writes", desc->writes, &writes);
    }
    return result != COSM_OK ? result : keep_uses(runner, system, desc, &reads, &writes);
}
