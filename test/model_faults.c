// Proof that the model test has teeth: for every kind of mistake that the oracle can be made to
// believe, a history that notices, and that shrinks to a short program.
// ctest: slow
#include "model/model.h"

#include <stdio.h>

#include "harness.h"

enum {
    HISTORY_COUNT = 60,
    HISTORY_LENGTH = 300,
    SHRINK_RUNS = 500,
    SHORT_PROGRAM = 12,
};

// A history that notices the fault, shrunk; its program has no operations when none did.
static struct model_program find_fault(enum model_fault fault, enum model_topic topic,
                                       struct model_result *result) {
    struct model_options options = {.fault = fault};
    struct model_program program = {NULL, 0};
    result->failed = false;
    for (uint32_t i = 0; i < HISTORY_COUNT && !result->failed; i++) {
        model_program_free(&program);
        model_program_random(&program, harness_seed() + i, HISTORY_LENGTH, topic);
        model_run(&program, &options, result);
    }
    if (result->failed) {
        model_shrink(&program, &options, SHRINK_RUNS, result);
    }
    return program;
}

static void check_fault(enum model_fault fault, enum model_topic topic) {
    struct model_result result;
    struct model_program program = find_fault(fault, topic, &result);
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

// A fault of one thing is found sooner in histories that are mostly about it.
#define FAULT_TEST(sentence, fault, topic)                                                         \
    TEST(the_model_notices_if_##sentence) {                                                        \
        check_fault(MODEL_FAULT_##fault, MODEL_TOPIC_##topic);                                     \
    }

FAULT_TEST(a_spawn_forgets_defaults, SPAWN_ZEROED, ALL)
FAULT_TEST(a_spawn_loses_a_value, SPAWN_VALUE_LOST, ALL)
FAULT_TEST(a_despawned_entity_lives_on, DESPAWN_KEPT, ALL)
FAULT_TEST(a_despawn_of_many_forgets_one, DESPAWN_OTHER, ALL)
FAULT_TEST(an_add_overwrites_what_is_there, ADD_OVERWRITES, ALL)
FAULT_TEST(an_add_forgets_the_default, ADD_ZEROED, ALL)
FAULT_TEST(a_removed_component_stays, REMOVE_KEPT, ALL)
FAULT_TEST(a_set_value_is_lost, SET_LOST, ALL)
FAULT_TEST(the_first_of_two_values_wins, SET_FIRST_WINS, ALL)
FAULT_TEST(a_query_set_reaches_one_row, QUERY_SET_ONE, ALL)
FAULT_TEST(a_query_despawn_forgets_one, QUERY_DESPAWN_ONE, ALL)
FAULT_TEST(a_query_ignores_without, QUERY_WITHOUT, ALL)
FAULT_TEST(a_query_wants_all_of_any, QUERY_ANY_OF, ALL)
FAULT_TEST(a_fixed_table_holds_one_more, FIXED_ONE_MORE, ALL)
FAULT_TEST(a_sealed_archetype_is_open, SEALED_OPEN, ALL)
FAULT_TEST(a_walked_world_can_be_changed, WALKED_FREE, ALL)
FAULT_TEST(a_walk_of_several_worlds_covers_one, BATCH_WALK_ONE, ALL)
FAULT_TEST(a_stale_handle_is_good, STALE_ALIVE, ALL)
FAULT_TEST(a_handle_is_given_out_twice, HANDLE_TWICE, ALL)
FAULT_TEST(a_reset_touches_singletons, RESET_SINGLETONS, ALL)
FAULT_TEST(a_reset_forgets_one, RESET_KEEPS, ALL)
FAULT_TEST(a_step_keeps_temporary_rows, STEP_KEEPS, ALL)
FAULT_TEST(a_sort_descends, SORT_DESCENDS, ALL)
FAULT_TEST(a_sort_is_unstable, SORT_UNSTABLE, ALL)
FAULT_TEST(commands_objects_are_applied_in_reverse, COMMANDS_REVERSED, ALL)
FAULT_TEST(a_harmless_command_counts_as_skipped, COMMANDS_SKIP_COUNT, ALL)
FAULT_TEST(a_failed_apply_forgets_its_commands, COMMANDS_LOST, ALL)
FAULT_TEST(a_command_loses_its_value, COMMANDS_VALUE, ALL)
FAULT_TEST(a_parent_that_was_set_is_lost, TREE_LOST, TREES)
FAULT_TEST(a_child_is_put_before_its_siblings, TREE_ORDER, TREES)
FAULT_TEST(a_tree_is_despawned_without_its_children, TREE_DESPAWN_ONE, TREES)
FAULT_TEST(a_template_has_no_values, TEMPLATE_ZEROED, ALL)
FAULT_TEST(a_query_takes_any_shared_value, SHARED_ANY, SHARED)
FAULT_TEST(a_shared_value_outlives_its_entities, SHARED_KEPT, SHARED)
FAULT_TEST(a_shared_value_is_set_for_all_that_have_it, SHARED_TOGETHER, SHARED)
FAULT_TEST(an_object_that_is_put_is_lost, OBJECT_LOST, MANAGED)
FAULT_TEST(a_managed_component_begins_with_an_object, OBJECT_ADDED, MANAGED)
FAULT_TEST(an_object_is_not_destroyed, OBJECT_LEAK, MANAGED)
FAULT_TEST(a_new_entity_finds_old_sectors, SECTOR_LINGERS, SECTORS)
FAULT_TEST(a_sector_component_takes_its_group_along, SECTOR_MATES, SECTORS)
FAULT_TEST(a_sealed_entity_gets_no_sectors, SECTOR_MOVES, SECTORS)
FAULT_TEST(an_observer_misses_the_end_of_entities, WATCH_DESPAWN, ALL)
FAULT_TEST(a_reader_is_shown_what_has_not_changed, CHANGE_ALWAYS, ALL)
FAULT_TEST(worlds_leak_into_each_other, WORLD_LEAK, ALL)
FAULT_TEST(a_singleton_loses_its_value, SINGLETON_LOST, ALL)
FAULT_TEST(two_fields_are_mixed_up, FIELDS_SWAPPED, ALL)
FAULT_TEST(gaps_between_fields_are_kept, GAPS_KEPT, ALL)
FAULT_TEST(a_change_of_layout_resets_the_value, RESHAPE_RESETS, ALL)
FAULT_TEST(a_component_is_misaligned, ALIGNMENT, ALL)
FAULT_TEST(a_restore_changes_nothing, RESTORE_LOST, ALL)
FAULT_TEST(a_fork_changes_nothing, FORK_LOST, ALL)
FAULT_TEST(memory_leaks, LEAK, ALL)

TEST(a_shrunk_program_is_printed_as_a_list_of_calls) {
    struct model_result result;
    struct model_options options = {.fault = MODEL_FAULT_DESPAWN_KEPT};
    struct model_program program = find_fault(options.fault, MODEL_TOPIC_ALL, &result);
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
