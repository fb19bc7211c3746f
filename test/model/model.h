// The model test: histories of the public interface, run against a plain oracle.
//
// A program is a list of 16-byte records, the first of which configures the run; every other one
// is an operation. A record is read byte by byte as small numbers, zero being the plainest
// choice, so any bytes are a program: the random test makes them from a seed, the fuzzer brings
// its own, and the shrinker takes records out and sets bytes to zero.
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MODEL_RECORD_SIZE = 16,
    MODEL_OPERATION_MAX = 2048,
};

// What the oracle can be made to believe wrongly, to prove that the comparison notices.
#define MODEL_FAULTS(X)                                                                            \
    X(NONE, "none")                                                                                \
    X(SPAWN_ZEROED, "a spawned entity is zeroed instead of getting its defaults")                  \
    X(SPAWN_VALUE_LOST, "a value given to a spawn is lost")                                        \
    X(DESPAWN_KEPT, "a despawned entity stays alive")                                              \
    X(DESPAWN_OTHER, "a despawn of many passes over the last one")                                 \
    X(ADD_OVERWRITES, "adding what is there already resets its value")                             \
    X(ADD_ZEROED, "an added component is zeroed instead of getting its default")                   \
    X(REMOVE_KEPT, "a removed component is still there")                                           \
    X(SET_LOST, "a value that was set is lost")                                                    \
    X(SET_FIRST_WINS, "of two values for one entity in a list the first wins")                     \
    X(QUERY_SET_ONE, "a value set for a query reaches one row only")                               \
    X(QUERY_DESPAWN_ONE, "despawning a query leaves one entity alive")                             \
    X(QUERY_WITHOUT, "a query ignores what it should be without")                                  \
    X(QUERY_ANY_OF, "a query wants all of its alternatives")                                       \
    X(FIXED_ONE_MORE, "a fixed table holds one row more than its limit")                           \
    X(SEALED_OPEN, "a sealed archetype lets its entities change")                                  \
    X(WALKED_FREE, "a world may be changed while it is walked")                                    \
    X(BATCH_WALK_ONE, "a walk of several worlds leaves the others free")                           \
    X(STALE_ALIVE, "a handle whose id was handed out again is still good")                         \
    X(HANDLE_TWICE, "the library gave out a handle that it gave out before")                       \
    X(RESET_SINGLETONS, "a reset sets singletons back")                                            \
    X(RESET_KEEPS, "a reset passes over the last entity")                                          \
    X(STEP_KEEPS, "a step keeps temporary rows")                                                   \
    X(SORT_DESCENDS, "a sort puts the largest key first")                                          \
    X(SORT_UNSTABLE, "a sort turns rows of equal keys round")                                      \
    X(COMMANDS_REVERSED, "the last of several commands objects is applied first")                  \
    X(COMMANDS_SKIP_COUNT, "despawning twice by command counts as skipped")                        \
    X(COMMANDS_LOST, "a failed apply forgets its commands")                                        \
    X(COMMANDS_VALUE, "a value set by command is lost")                                            \
    X(TREE_LOST, "a parent that was set is lost")                                                  \
    X(TREE_ORDER, "a child that comes is put before its siblings")                                 \
    X(TREE_DESPAWN_ONE, "despawning a tree leaves the children alive")                             \
    X(TEMPLATE_ZEROED, "what is spawned from a template has no values")                            \
    X(SHARED_ANY, "a query takes any value of a shared component for the one it asks for")         \
    X(SHARED_KEPT, "a shared value that nobody has any more is kept")                              \
    X(SHARED_TOGETHER, "who has the same shared value gets a new one together")                    \
    X(OBJECT_LOST, "an object that is put is lost")                                                \
    X(OBJECT_ADDED, "a managed component that is added begins with an object")                     \
    X(OBJECT_LEAK, "an object is not destroyed")                                                   \
    X(SECTOR_LINGERS, "an entity finds the sectors of the one that had its id before")             \
    X(SECTOR_MATES, "a sector component takes the others of its group with it")                    \
    X(SECTOR_MOVES, "a sealed entity gets no sector components")                                   \
    X(WATCH_DESPAWN, "an observer is not told of entities that end")                               \
    X(CHANGE_ALWAYS, "a reader is shown what has not changed")                                     \
    X(WORLD_LEAK, "a change in one world happens in the next one too")                             \
    X(SINGLETON_LOST, "a value written to a singleton is lost")                                    \
    X(FIELDS_SWAPPED, "two fields of a split component are mixed up")                              \
    X(GAPS_KEPT, "a split component keeps what lies between its fields")                           \
    X(RESHAPE_RESETS, "a component that changes its layout on the way gets its default")           \
    X(ALIGNMENT, "components are aligned to twice what was asked for")                             \
    X(RESTORE_LOST, "a restore leaves the worlds as they are")                                     \
    X(FORK_LOST, "a fork leaves its targets as they are")                                          \
    X(LEAK, "the library kept a block of memory")

enum model_fault {
#define MODEL_FAULT_ENUM(name, text) MODEL_FAULT_##name,
    MODEL_FAULTS(MODEL_FAULT_ENUM)
#undef MODEL_FAULT_ENUM
        MODEL_FAULT_COUNT
};

struct model_options {
    enum model_fault fault;
    bool isolated; // run in a process of its own, so that a crash is a failure like any other
    FILE *trace;   // where to write every call, or NULL
};

struct model_result {
    bool failed;
    uint32_t operation; // the one that failed
    uint32_t done;      // operations that ran
    uint64_t digest;    // of the state after every comparison: the same program, the same digest
    uint32_t kind;      // which check failed: the same one, the same number
    char text[512];     // what was wrong
};

// The bytes of a program; owns them.
struct model_program {
    uint8_t *bytes;
    uint32_t count; // operations, without the configuration
};

// What a random program is about: anything, or mostly operations on one thing.
enum model_topic {
    MODEL_TOPIC_ALL,
    MODEL_TOPIC_TREES,
    MODEL_TOPIC_SHARED,
    MODEL_TOPIC_MANAGED,
    MODEL_TOPIC_SECTORS,
};

void model_program_random(struct model_program *program, uint64_t seed, uint32_t count,
                          enum model_topic topic);
void model_program_from_bytes(struct model_program *program, const uint8_t *bytes, size_t size);
void model_program_copy(struct model_program *to, const struct model_program *from);
void model_program_free(struct model_program *program);

// Runs a program from nothing to the end or to the first difference.
void model_run(const struct model_program *program, const struct model_options *options,
               struct model_result *out_result);

// Makes a failing program as short and plain as `runs_max` further runs allow, while the check
// that `result` names still fails, and leaves in `result` how the short one fails.
void model_shrink(struct model_program *program, const struct model_options *options,
                  uint32_t runs_max, struct model_result *result);

// Writes a program as a list of calls, and how it fails.
void model_print(const struct model_program *program, const struct model_options *options,
                 FILE *file);

// The fault of that name (as in MODEL_FAULTS), or MODEL_FAULT_NONE; its name and its sentence.
enum model_fault model_fault_find(const char *name);
const char *model_fault_name(enum model_fault fault);
const char *model_fault_text(enum model_fault fault);

// The next number of a stream; the state may start with any value.
uint64_t model_random(uint64_t *state);

#endif
