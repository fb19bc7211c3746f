// Runs a program: set up, its operations one after the other with a check after each, tear down.
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "isolate.h"

// Makes a program be about a topic: its configuration, and which operations it has.
static void keep_to(struct model_program *program, enum model_topic topic, uint64_t *state) {
    if (topic != MODEL_TOPIC_TREES) {
        program->bytes[CONFIG_STORAGES] |= 1;
        program->bytes[CONFIG_FOCUS] = focus_code(topic);
    }
    for (uint32_t i = 1; i <= program->count; i++) {
        uint8_t *code = &program->bytes[(size_t)i * MODEL_RECORD_SIZE];
        while (!operation_is_on(*code, topic)) {
            *code = (uint8_t)(model_random(state) >> 32);
        }
    }
}

void model_program_random(struct model_program *program, uint64_t seed, uint32_t count,
                          enum model_topic topic) {
    size_t size = (size_t)(count + 1) * MODEL_RECORD_SIZE;
    uint32_t capacity = 0;
    uint64_t state = seed;
    program->count = count;
    program->bytes = grow(NULL, &capacity, (uint32_t)size, 1);
    for (size_t i = 0; i < size; i++) {
        program->bytes[i] = (uint8_t)(model_random(&state) >> 32);
    }
    if (topic != MODEL_TOPIC_ALL) {
        keep_to(program, topic, &state);
    }
}

void model_program_from_bytes(struct model_program *program, const uint8_t *bytes, size_t size) {
    size_t most = (size_t)(MODEL_OPERATION_MAX + 1) * MODEL_RECORD_SIZE;
    size = size < most ? size : most;
    size_t records = (size + MODEL_RECORD_SIZE - 1) / MODEL_RECORD_SIZE;
    uint32_t capacity = 0;
    program->count = records > 0 ? (uint32_t)records - 1 : 0;
    program->bytes = grow(NULL, &capacity, (program->count + 1) * MODEL_RECORD_SIZE, 1);
    if (size > 0) {
        memcpy(program->bytes, bytes, size);
    }
}

void model_program_copy(struct model_program *to, const struct model_program *from) {
    model_program_from_bytes(to, from->bytes, (size_t)(from->count + 1) * MODEL_RECORD_SIZE);
}

void model_program_free(struct model_program *program) {
    free(program->bytes);
    program->bytes = NULL;
    program->count = 0;
}

// Walks that have lived long enough are walked to the end.
static void age_walks(struct model *m) {
    for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
        struct walk *walk = &m->walks[i];
        if (walk->open && walk->life-- == 0) {
            say(m, "       (walk %u is walked to its end)", i);
            while (walk_next(m, walk)) {
            }
        }
    }
}

// Which ids come next: from zero on once all of a world are free, else the last freed first, which
// is followed here for one entity only.
static void foresee_ids(struct model *m, bool freed_one) {
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        struct world *w = &m->o.worlds[i];
        bool is_free = w->alive_count == 0 && !has_pending_spawn(m, i, NULL);
        if (is_free && (m->touched >> i & 1)) {
            w->fresh = !m->ids_lost;
            w->fresh_next = 0;
        }
        if (is_free || has_pending_spawn(m, i, NULL) || (!freed_one && (m->touched >> i & 1))) {
            w->freed = 0;
        }
    }
}

static void run_operation(struct model *m, const uint8_t *record, uint32_t index) {
    m->record = record;
    m->record_at = 1;
    m->record_stream = 0;
    for (uint32_t i = 1; i <= 4; i++) {
        m->record_stream = m->record_stream << 8 | record[MODEL_RECORD_SIZE - i];
    }
    m->result->operation = index;
    m->compare = false;
    m->heap.fail_after = m->fail_after;
    m->fail_after = 0;
    cosm_error_clear();
    operation_fn *run = operation_of(record[0]);
    run(m);
    foresee_ids(m, run == op_despawn);
    // What settle has not put aside yet is for the next operation.
    m->fail_after = m->heap.fail_after > 0 ? m->heap.fail_after : m->fail_after;
    m->heap.fail_after = 0;
    m->heap.refused = false;
    age_walks(m);
    compare_counts(m);
    if (m->compare || index % 16 == 15) {
        compare_all(m);
    }
}

static void free_model(struct model *m) {
    for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
        walk_free(&m->walks[i]);
    }
    walk_free(&m->compare_walk);
    for (uint32_t i = 0; i < ORACLE_WORLD_MAX; i++) {
        free(m->saved[i].beings);
        free(m->saved[i].given_last);
    }
    pasts_free(m);
    account_free(&m->account);
    watch_free(m);
    free(m->targets);
    free(m->scratch);
    oracle_free(&m->o);
    free(m);
}

static void run_here(const struct model_program *program, const struct model_options *options,
                     struct model_result *result) {
    memset(result, 0, sizeof(*result));
    struct model *m = calloc(1, sizeof(*m));
    if (!m) {
        fprintf(stderr, "model: no memory for a run\n");
        exit(2);
    }
    m->options = options;
    m->result = result;
    m->o.fault = options->fault;
    if (setjmp(m->failed) == 0) {
        if (set_up(m, program->bytes)) {
            for (uint32_t i = 0; i < program->count; i++) {
                run_operation(m, program->bytes + (size_t)(i + 1) * MODEL_RECORD_SIZE, i);
                result->done++;
            }
            compare_all(m);
        }
        tear_down(m, true);
    } else {
        tear_down(m, false);
    }
    result->digest = m->digest;
    free_model(m);
}

void model_run(const struct model_program *program, const struct model_options *options,
               struct model_result *out_result) {
    if (options->isolated) {
        run_isolated(run_here, program, options, out_result);
    } else {
        run_here(program, options, out_result);
    }
}
