// Makes a failing program short: runs of operations are taken out, then bytes set to zero, as
// long as the same check still fails.
#include "model.h"

#include <string.h>

struct shrinker {
    struct model_program *program;
    const struct model_options *options;
    struct model_result *result;
    uint32_t runs_left;
};

static uint8_t *record_at(struct model_program *program, uint32_t index) {
    return program->bytes + (size_t)index * MODEL_RECORD_SIZE;
}

// Takes the candidate over when it still fails; frees it otherwise.
static bool try_candidate(struct shrinker *s, struct model_program *candidate) {
    struct model_result result = {.failed = false};
    struct model_options options = *s->options;
    options.trace = NULL;
    if (s->runs_left > 0) {
        s->runs_left--;
        model_run(candidate, &options, &result);
    }
    if (!result.failed || result.kind != s->result->kind) {
        model_program_free(candidate);
        return false;
    }
    model_program_free(s->program);
    *s->program = *candidate;
    *s->result = result;
    return true;
}

static bool try_without(struct shrinker *s, uint32_t first, uint32_t count) {
    struct model_program candidate;
    model_program_copy(&candidate, s->program);
    uint32_t rest = candidate.count - first - count;
    memmove(record_at(&candidate, first + 1), record_at(&candidate, first + count + 1),
            (size_t)rest * MODEL_RECORD_SIZE);
    candidate.count -= count;
    return try_candidate(s, &candidate);
}

// Nothing after the operation that failed matters.
static void cut_tail(struct shrinker *s) {
    uint32_t needed = s->result->operation + 1;
    if (needed < s->program->count) {
        try_without(s, needed, s->program->count - needed);
    }
}

static bool remove_runs(struct shrinker *s) {
    bool shorter = false;
    uint32_t length = s->program->count / 2 > 0 ? s->program->count / 2 : 1;
    while (length > 0 && s->runs_left > 0) {
        // From the end, where what is not needed comes off without disturbing what is.
        uint32_t end = s->program->count;
        while (end > 0 && s->runs_left > 0) {
            uint32_t first = end > length ? end - length : 0;
            if (end <= s->program->count && try_without(s, first, end - first)) {
                shorter = true;
                cut_tail(s);
            }
            end = first;
        }
        length /= 2;
    }
    return shorter;
}

static bool try_zero(struct shrinker *s, uint32_t record, uint32_t first, uint32_t count) {
    const uint8_t *bytes = record_at(s->program, record) + first;
    bool zero = true;
    for (uint32_t i = 0; i < count; i++) {
        zero = zero && bytes[i] == 0;
    }
    if (zero) {
        return false;
    }
    struct model_program candidate;
    model_program_copy(&candidate, s->program);
    memset(record_at(&candidate, record) + first, 0, count);
    return try_candidate(s, &candidate);
}

// One byte to the next smaller numbers that are worth a run.
static void try_smaller(struct shrinker *s, uint32_t record, uint32_t at) {
    uint8_t byte = record_at(s->program, record)[at];
    uint8_t smaller[] = {1, (uint8_t)(byte / 4), (uint8_t)(byte / 2)};
    for (uint32_t i = 0; i < 3 && record <= s->program->count; i++) {
        if (smaller[i] >= record_at(s->program, record)[at]) {
            continue;
        }
        struct model_program candidate;
        model_program_copy(&candidate, s->program);
        record_at(&candidate, record)[at] = smaller[i];
        if (try_candidate(s, &candidate)) {
            return;
        }
    }
}

// All arguments of a record at once, else one after the other; the configuration is record zero.
static void simplify(struct shrinker *s) {
    for (uint32_t r = 0; r <= s->program->count && s->runs_left > 0; r++) {
        uint32_t first = r == 0 ? 0 : 1;
        if (try_zero(s, r, first, MODEL_RECORD_SIZE - first)) {
            continue;
        }
        for (uint32_t i = first; i < MODEL_RECORD_SIZE && r <= s->program->count; i++) {
            if (!try_zero(s, r, i, 1) && i < MODEL_RECORD_SIZE - 4) {
                try_smaller(s, r, i);
            }
        }
    }
}

void model_shrink(struct model_program *program, const struct model_options *options,
                  uint32_t runs_max, struct model_result *result) {
    struct shrinker s = {program, options, result, runs_max};
    cut_tail(&s);
    while (remove_runs(&s)) {
    }
    simplify(&s);
    while (remove_runs(&s)) {
    }
}

void model_print(const struct model_program *program, const struct model_options *options,
                 FILE *file) {
    struct model_options traced = *options;
    struct model_result result;
    traced.trace = file;
    fprintf(file, "a program of %u operations:\n", program->count);
    model_run(program, &traced, &result);
    fprintf(file, "%s\n", result.failed ? result.text : "this does not fail");
}

static const struct {
    const char *name;
    const char *text;
} faults[] = {
#define MODEL_FAULT_ROW(name, text) {#name, text},
    MODEL_FAULTS(MODEL_FAULT_ROW)
#undef MODEL_FAULT_ROW
};

enum model_fault model_fault_find(const char *name) {
    for (uint32_t i = 0; name && i < MODEL_FAULT_COUNT; i++) {
        if (strcmp(faults[i].name, name) == 0) {
            return (enum model_fault)i;
        }
    }
    return MODEL_FAULT_NONE;
}

const char *model_fault_name(enum model_fault fault) {
    return faults[fault].name;
}

const char *model_fault_text(enum model_fault fault) {
    return faults[fault].text;
}
