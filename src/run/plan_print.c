// Printing a plan: as text to read, or as a graph for Graphviz.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/plan.h"

struct plan_text {
    const struct runner *runner;
    cosm_text_fn *write;
    void *context;
    bool is_graph; // names stand between quotes
};

static void put(const struct plan_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void put(const struct plan_text *text, const char *format, ...) {
    char line[512]; // the longest line has two names of at most COSM_NAME_LENGTH_MAX
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t size = (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1;
        text->write(text->context, line, size);
    }
}

static const char *component_of(const struct plan_text *text, uint32_t id) {
    return schema_component(text->runner->schema, id)->name;
}

static const char *singleton_of(const struct plan_text *text, uint32_t id) {
    return schema_singleton(text->runner->schema, id)->name;
}

// The first use of a component in the list is the one that is printed, with write if any of them
// is.
static bool is_first_use(const struct system *system, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (system->components[i].component == system->components[index].component) {
            return false;
        }
    }
    return true;
}

static const char *separator(uint32_t *count, const char *word) {
    return (*count)++ == 0 ? word : ", ";
}

// One list of what a system touches: "; writes A, B".
static void put_components(const struct plan_text *text, const struct system *system, bool write) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < system->component_count; i++) {
        uint32_t id = system->components[i].component;
        if (is_first_use(system, i) && cosmi_access_component(system, id, true) == write) {
            put(text, "%s%s", separator(&count, write ? "; writes " : "; reads "),
                component_of(text, id));
        }
    }
}

static void put_singletons(const struct plan_text *text, const struct system *system, bool write) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < system->singleton_count; i++) {
        if (system->singletons[i].write == write) {
            put(text, "%s%s",
                separator(&count, write ? "; writes singleton " : "; reads singleton "),
                singleton_of(text, system->singletons[i].singleton));
        }
    }
}

static void put_system_text(const struct plan_text *text, const struct system *system) {
    put(text, "      %s: %s", system->name, system->each != NULL ? "each" : "run");
    put_components(text, system, true);
    put_components(text, system, false);
    put_singletons(text, system, true);
    put_singletons(text, system, false);
    put(text, "%s%s%s%s%s", system->commands ? "; commands" : "", system->splits ? "; splits" : "",
        system->main_thread ? "; main thread"
        : system->global    ? "; global"
                            : "",
        system->exclusive ? "; exclusive" : "",
        atomic_load_explicit(&system->enabled, memory_order_relaxed) ? "" : "; disabled");
    if (system->rank != 0) {
        put(text, "; rank %d", (int)system->rank);
    }
    if (system->every != 1) {
        put(text, "; every %u", system->every);
    }
    put(text, "\n");
}

// A name, as text or within quotes of a graph.
static void put_plan_name(const struct plan_text *text, const char *name) {
    if (!text->is_graph) {
        put(text, "%s", name);
        return;
    }
    for (const char *c = name; *c != '\0'; c++) {
        put(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
}

// Why one system waits for the other.
static void put_reason(const struct plan_text *text, struct order_edge why) {
    switch (why.reason) {
    case ORDER_DECLARED:
        put(text, "declared");
        break;
    case ORDER_COMPONENT:
        put(text, "both touch ");
        put_plan_name(text, component_of(text, why.subject));
        break;
    case ORDER_SINGLETON:
        put(text, "both touch singleton ");
        put_plan_name(text, singleton_of(text, why.subject));
        break;
    case ORDER_COMMANDS:
        put(text, "both record commands");
        break;
    case ORDER_SYNC:
        put(text, "sync point");
        break;
    case ORDER_NONE:
        break;
    }
}

static void put_stage_text(const struct plan_text *text, const struct plan_phase *phase,
                           uint32_t number) {
    const struct plan_stage *stage = &phase->stages[number];
    put(text, "  stage %u", number + 1);
    if (number > 0) {
        put(text, ", after a sync point at '%s'", stage->cause->name);
    }
    put(text, "\n");
    for (uint32_t l = 0; l < stage->level_count; l++) {
        const struct plan_level *level = &phase->levels[stage->level_first + l];
        const char *word = level->count > 1 ? "side by side" : l == 0 ? "first" : "then";
        put(text, "    %s\n", word);
        for (uint32_t i = level->first; i < level->first + level->count; i++) {
            put_system_text(text, phase->by_level[i]);
        }
    }
}

static void put_phase_text(const struct plan_text *text, const struct plan_phase *phase) {
    const struct phase *defined = &text->runner->phases[phase->id];
    put(text, "phase %s, %s: %u systems\n", defined->name,
        defined->rate == COSM_PHASE_RATE_FIXED ? "fixed" : "per frame", phase->system_count);
    for (uint32_t s = 0; s < phase->stage_count; s++) {
        put_stage_text(text, phase, s);
    }
    if (phase->edge_count > 0) {
        put(text, "  order\n");
    }
    for (uint32_t e = 0; e < phase->edge_count; e++) {
        const struct plan_edge *edge_at = &phase->edges[e];
        put(text, "    %s -> %s: ", phase->systems[edge_at->from]->name,
            phase->systems[edge_at->to]->name);
        put_reason(text, edge_at->why);
        put(text, "\n");
    }
}

// A name between quotes of a graph.
static void put_quoted(const struct plan_text *text, const char *name) {
    put(text, "\"");
    put_plan_name(text, name);
    put(text, "\"");
}

static void put_cluster(const struct plan_text *text, const struct plan_phase *phase) {
    put(text, "  subgraph cluster_%u {\n    label=", phase->id);
    put_quoted(text, text->runner->phases[phase->id].name);
    put(text, ";\n");
    for (uint32_t s = 0; s < phase->system_count; s++) {
        const struct system *system = phase->systems[s];
        put(text, "    s%u [label=", system->id);
        put_quoted(text, system->name);
        put(text, "%s];\n", system->global ? ", shape=doubleoctagon" : "");
    }
    put(text, "  }\n");
}

static void put_graph_edges(const struct plan_text *text, const struct plan_phase *phase) {
    for (uint32_t e = 0; e < phase->edge_count; e++) {
        const struct plan_edge *edge_at = &phase->edges[e];
        put(text, "  s%u -> s%u [label=\"", phase->systems[edge_at->from]->id,
            phase->systems[edge_at->to]->id);
        put_reason(text, edge_at->why);
        put(text, "\"%s];\n", edge_at->why.reason == ORDER_SYNC ? ", style=bold" : "");
    }
}

// The order of phases: the last system of one before the first of the next.
static void put_phase_order(const struct plan_text *text, const struct plan *plan) {
    const struct system *last = NULL;
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        const struct plan_phase *phase = &plan->phases[p];
        if (phase->system_count == 0) {
            continue;
        }
        if (last != NULL) {
            put(text, "  s%u -> s%u [label=\"next phase\", style=dashed];\n", last->id,
                phase->systems[0]->id);
        }
        last = phase->systems[phase->system_count - 1];
    }
}

void cosmi_plan_print(const struct runner *runner, const struct plan *plan, cosm_plan_format format,
                      cosm_text_fn *write, void *context) {
    struct plan_text text = {runner, write, context, format == COSM_PLAN_DOT};
    if (format == COSM_PLAN_TEXT) {
        for (uint32_t p = 0; p < plan->phase_count; p++) {
            put_phase_text(&text, &plan->phases[p]);
        }
        return;
    }
    put(&text, "digraph plan {\n  rankdir=LR;\n  node [shape=box];\n");
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        put_cluster(&text, &plan->phases[p]);
    }
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        put_graph_edges(&text, &plan->phases[p]);
    }
    put_phase_order(&text, plan);
    put(&text, "}\n");
}
