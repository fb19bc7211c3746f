// The model test: random histories of every public operation against a plain oracle. That it has
// teeth is shown in model_faults.c.
//
//     COSM_MODEL_ROUNDS=5000   how many histories (else 200)
//     COSM_MODEL_FAULT=NAME    what the oracle should believe wrongly (see model/model.h)
//     COSM_MODEL_ISOLATED=1    a process for each history, so that a crash is shrunk too
//
// A failure prints the seed of its history: --seed with that number runs it first.
// ctest: slow
#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "model/isolate.h"

enum {
    HISTORY_COUNT = 200,
    HISTORY_LENGTH = 300,
    SHRINK_RUNS = 3000,
};

static uint32_t history_count(void) {
    const char *text = getenv("COSM_MODEL_ROUNDS");
    return text ? (uint32_t)strtoul(text, NULL, 10) : HISTORY_COUNT;
}

// What to tell when the process dies in the middle of a history.
static uint64_t running_seed;

static void tell_seed(void) {
    fprintf(stderr,
            "the model test crashed in the history of seed %" PRIu64 "; run it with "
            "--seed %" PRIu64 " and COSM_MODEL_ISOLATED=1 to have it shrunk\n",
            running_seed, running_seed);
}

// The sanitizers call this back before they end the process; without them it does not exist.
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void report_failure(struct model_program *program, const struct model_options *options,
                           uint64_t seed, struct model_result *result) {
    uint32_t length = program->count;
    fprintf(stderr, "the history of seed %" PRIu64 " fails at operation %u: %s\n", seed,
            result->operation, result->text);
    model_shrink(program, options, SHRINK_RUNS, result);
    fprintf(stderr, "shrunk from %u operations to %u; ", length, program->count);
    model_print(program, options, stderr);
}

static void run_histories(enum model_topic topic, uint32_t count) {
    struct model_options options = {.fault = model_fault_find(getenv("COSM_MODEL_FAULT")),
                                    .isolated = getenv("COSM_MODEL_ISOLATED") != NULL};
    uint32_t failures = 0;
    uint64_t operations = 0;
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell_seed);
    }
    for (uint32_t i = 0; i < count && failures == 0; i++) {
        struct model_program program;
        struct model_result result;
        running_seed = harness_seed() + i;
        model_program_random(&program, running_seed, HISTORY_LENGTH, topic);
        model_run(&program, &options, &result);
        operations += result.done;
        if (result.failed) {
            report_failure(&program, &options, running_seed, &result);
            failures++;
        }
        model_program_free(&program);
    }
    CHECK_INT(failures, 0);
    CHECK(operations > 0 || count == 0);
}

TEST(random_histories_agree_with_a_plain_oracle) {
    run_histories(MODEL_TOPIC_ALL, history_count());
}

TEST(random_histories_of_trees_agree_with_the_oracle) {
    run_histories(MODEL_TOPIC_TREES, history_count() / 4);
}

TEST(random_histories_of_shared_values_agree_with_the_oracle) {
    run_histories(MODEL_TOPIC_SHARED, history_count() / 4);
}

TEST(random_histories_of_managed_objects_agree_with_the_oracle) {
    run_histories(MODEL_TOPIC_MANAGED, history_count() / 4);
}

TEST(random_histories_of_sector_components_agree_with_the_oracle) {
    run_histories(MODEL_TOPIC_SECTORS, history_count() / 4);
}

TEST(the_same_history_twice_gives_the_same_states) {
    struct model_options options = {.fault = MODEL_FAULT_NONE};
    for (uint32_t i = 0; i < 8; i++) {
        struct model_program program;
        struct model_result first;
        struct model_result second;
        model_program_random(&program, harness_seed() + 1000 + i, HISTORY_LENGTH, MODEL_TOPIC_ALL);
        model_run(&program, &options, &first);
        model_run(&program, &options, &second);
        CHECK(!first.failed && !second.failed);
        CHECK_INT(first.digest, second.digest);
        model_program_free(&program);
    }
}

static void crash(const struct model_program *program, const struct model_options *options,
                  struct model_result *result) {
    (void)program;
    (void)options;
    (void)result;
    abort();
}

TEST(a_crash_in_an_isolated_run_is_a_failure) {
    struct model_options options = {.isolated = true};
    struct model_program program;
    struct model_result result;
    model_program_random(&program, 1, 3, MODEL_TOPIC_ALL);
    run_isolated(crash, &program, &options, &result);
    CHECK(result.failed);
    CHECK_CONTAINS(result.text, "crashed");
    model_run(&program, &options, &result);
    CHECK(!result.failed);
    CHECK_INT(result.done, 3);
    model_program_free(&program);
}
