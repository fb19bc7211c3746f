// The model test: random histories of every public operation against a plain oracle, and proof
// that it has teeth: for every kind of mistake that the oracle can be made to believe, a history
// that notices, and that shrinks to a short program.
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
    FAULT_HISTORY_COUNT = 60,
    FAULT_SHRINK_RUNS = 500,
    SHORT_PROGRAM = 12,
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

// A history that notices the fault, shrunk; its program has no operations when none did.
static struct model_program find_fault(enum model_fault fault, struct model_result *result) {
    struct model_options options = {.fault = fault};
    struct model_program program = {NULL, 0};
    result->failed = false;
    for (uint32_t i = 0; i < FAULT_HISTORY_COUNT && !result->failed; i++) {
        model_program_free(&program);
        model_program_random(&program, harness_seed() + i, HISTORY_LENGTH, MODEL_TOPIC_ALL);
        model_run(&program, &options, result);
    }
    if (result->failed) {
        model_shrink(&program, &options, FAULT_SHRINK_RUNS, result);
    }
    return program;
}

static void check_fault(enum model_fault fault) {
    struct model_result result;
    struct model_program program = find_fault(fault, &result);
    CHECK(result.failed);
    CHECK(program.count <= SHORT_PROGRAM);
    struct model_options honest = {.fault = MODEL_FAULT_NONE};
    model_run(&program, &honest, &result);
    CHECK(!result.failed);
    if (program.count > SHORT_PROGRAM || result.failed) {
        struct model_options options = {.fault = result.failed ? MODEL_FAULT_NONE : fault};
        fprintf(stderr, "%s: ", model_fault_name(fault));
        model_print(&program, &options, stderr);
    }
    model_program_free(&program);
}

#define FAULT_TEST(sentence, fault)                                                                \
    TEST(the_model_notices_if_##sentence) {                                                        \
        check_fault(MODEL_FAULT_##fault);                                                          \
    }

FAULT_TEST(a_spawn_forgets_defaults, SPAWN_ZEROED)
FAULT_TEST(a_spawn_loses_a_value, SPAWN_VALUE_LOST)
FAULT_TEST(a_despawned_entity_lives_on, DESPAWN_KEPT)
FAULT_TEST(a_despawn_of_many_forgets_one, DESPAWN_OTHER)
FAULT_TEST(an_add_overwrites_what_is_there, ADD_OVERWRITES)
FAULT_TEST(an_add_forgets_the_default, ADD_ZEROED)
FAULT_TEST(a_removed_component_stays, REMOVE_KEPT)
FAULT_TEST(a_set_value_is_lost, SET_LOST)
FAULT_TEST(the_first_of_two_values_wins, SET_FIRST_WINS)
FAULT_TEST(a_query_set_reaches_one_row, QUERY_SET_ONE)
FAULT_TEST(a_query_despawn_forgets_one, QUERY_DESPAWN_ONE)
FAULT_TEST(a_query_ignores_without, QUERY_WITHOUT)
FAULT_TEST(a_query_wants_all_of_any, QUERY_ANY_OF)
FAULT_TEST(a_fixed_table_holds_one_more, FIXED_ONE_MORE)
FAULT_TEST(a_sealed_archetype_is_open, SEALED_OPEN)
FAULT_TEST(a_walked_world_can_be_changed, WALKED_FREE)
FAULT_TEST(a_walk_of_several_worlds_covers_one, BATCH_WALK_ONE)
FAULT_TEST(a_stale_handle_is_good, STALE_ALIVE)
FAULT_TEST(a_handle_is_given_out_twice, HANDLE_TWICE)
FAULT_TEST(a_reset_touches_singletons, RESET_SINGLETONS)
FAULT_TEST(a_reset_forgets_one, RESET_KEEPS)
FAULT_TEST(a_step_keeps_temporary_rows, STEP_KEEPS)
FAULT_TEST(a_sort_descends, SORT_DESCENDS)
FAULT_TEST(a_sort_is_unstable, SORT_UNSTABLE)
FAULT_TEST(commands_objects_are_applied_in_reverse, COMMANDS_REVERSED)
FAULT_TEST(a_harmless_command_counts_as_skipped, COMMANDS_SKIP_COUNT)
FAULT_TEST(a_failed_apply_forgets_its_commands, COMMANDS_LOST)
FAULT_TEST(a_command_loses_its_value, COMMANDS_VALUE)
FAULT_TEST(a_parent_that_was_set_is_lost, TREE_LOST)
FAULT_TEST(a_child_is_put_before_its_siblings, TREE_ORDER)
FAULT_TEST(a_tree_is_despawned_without_its_children, TREE_DESPAWN_ONE)
FAULT_TEST(a_template_has_no_values, TEMPLATE_ZEROED)
FAULT_TEST(a_query_takes_any_shared_value, SHARED_ANY)
FAULT_TEST(a_shared_value_outlives_its_entities, SHARED_KEPT)
FAULT_TEST(a_shared_value_is_set_for_all_that_have_it, SHARED_TOGETHER)
FAULT_TEST(an_object_that_is_put_is_lost, OBJECT_LOST)
FAULT_TEST(a_managed_component_begins_with_an_object, OBJECT_ADDED)
FAULT_TEST(an_object_is_not_destroyed, OBJECT_LEAK)
FAULT_TEST(a_new_entity_finds_old_sectors, SECTOR_LINGERS)
FAULT_TEST(a_sector_component_takes_its_group_along, SECTOR_MATES)
FAULT_TEST(a_sealed_entity_gets_no_sectors, SECTOR_MOVES)
FAULT_TEST(an_observer_misses_the_end_of_entities, WATCH_DESPAWN)
FAULT_TEST(a_reader_is_shown_what_has_not_changed, CHANGE_ALWAYS)
FAULT_TEST(worlds_leak_into_each_other, WORLD_LEAK)
FAULT_TEST(a_singleton_loses_its_value, SINGLETON_LOST)
FAULT_TEST(two_fields_are_mixed_up, FIELDS_SWAPPED)
FAULT_TEST(gaps_between_fields_are_kept, GAPS_KEPT)
FAULT_TEST(a_change_of_layout_resets_the_value, RESHAPE_RESETS)
FAULT_TEST(a_component_is_misaligned, ALIGNMENT)
FAULT_TEST(a_restore_changes_nothing, RESTORE_LOST)
FAULT_TEST(a_fork_changes_nothing, FORK_LOST)
FAULT_TEST(memory_leaks, LEAK)

TEST(a_shrunk_program_is_printed_as_a_list_of_calls) {
    struct model_result result;
    struct model_options options = {.fault = MODEL_FAULT_DESPAWN_KEPT};
    struct model_program program = find_fault(options.fault, &result);
    REQUIRE(result.failed);
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    model_print(&program, &options, file);
    static char text[1 << 16];
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    CHECK_CONTAINS(text, "spawn");
    CHECK_CONTAINS(text, "despawn");
    CHECK_CONTAINS(text, result.text);
    fclose(file);
    model_program_free(&program);
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
