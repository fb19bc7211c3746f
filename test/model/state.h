// One run of the model: the library's objects beside the oracle, and what operations share.
//
// An operation reads its record, tells what it is about to call, works out from the oracle which
// results are right, calls, and lets the oracle follow. Where the headers leave open which of
// several failures is reported, every one of them is right.
#ifndef MODEL_STATE_H
#define MODEL_STATE_H

#include <setjmp.h>

#include "account.h"
#include "heap.h"
#include "oracle.h"

enum {
    MODEL_COMMANDS_MAX = 3,
    MODEL_COMMAND_MAX = 64,
    MODEL_VALUE_MAX = 4,
    MODEL_WALK_MAX = 4,
    MODEL_LIST_MAX = 24,
    OBJECT_SIZE_MAX = 512,
    MODEL_WATCHER_MAX = 8,
    MODEL_READER_MAX = 2,
    MODEL_PAST_MAX = 4,
};

enum command_kind {
    COMMAND_SPAWN,
    COMMAND_EMIT,
    COMMAND_DESPAWN,
    COMMAND_ADD,
    COMMAND_REMOVE,
    COMMAND_SET,
    COMMAND_PARENT,
    COMMAND_DESPAWN_TREE,
};

// A recorded command, as the oracle remembers it.
struct command {
    enum command_kind kind;
    uint32_t world;
    cosm_entity entity;
    cosm_entity parent;
    uint64_t set;   // of the archetype, or the component's
    bool is_broken; // a spawn whose world was reset before it was applied
    uint32_t value_count;
    uint32_t bits[MODEL_VALUE_MAX];
    uint32_t values[MODEL_VALUE_MAX];
};

struct commands {
    cosm_commands *library; // NULL: the slot is free
    struct command list[MODEL_COMMAND_MAX];
    uint32_t count;
    cosm_result failed; // the first result of recording that the next apply is to return
};

// A state of some worlds that is kept: a snapshot, and what the oracle knew then.
struct past {
    cosm_snapshot *library; // NULL: the slot is free
    uint32_t first;         // of the worlds it was taken of
    uint32_t count;
    uint64_t step_count;
    uint32_t singleton_count;
    uint32_t objects;                      // in its worlds
    struct world worlds[ORACLE_WORLD_MAX]; // [count]
    uint64_t hashes[ORACLE_WORLD_MAX];     // [count]
};

// A walk that is open across operations.
struct walk {
    bool open;
    cosm_rows rows;
    uint32_t query;
    uint32_t first;
    uint32_t count;
    uint32_t life;                   // operations until the model ends it
    bool on_run;                     // the rows are those of a run
    uint8_t *seen[ORACLE_WORLD_MAX]; // per id
    uint32_t seen_capacity[ORACLE_WORLD_MAX];
    uint32_t bag_seen[ORACLE_WORLD_MAX][ORACLE_BAG_MAX];
};

// An entity that a call on many of them is about, and the set it will have.
struct target {
    uint32_t world;
    uint32_t id;
    uint64_t to;
    uint32_t value;
};

// An observer, and what it knows from what it was told.
struct watcher {
    cosm_observer library;
    struct model *m;
    struct query query;               // what it watches
    uint32_t *gens[ORACLE_WORLD_MAX]; // by id: the generation that matches, or zero
    uint32_t capacities[ORACLE_WORLD_MAX];
    const char *wrong; // the first thing that could not be, or NULL
};

// What a reader of changes last saw of an id.
struct seen {
    uint32_t gen; // zero: nothing
    uint32_t value;
    bool is_shown; // by the walk at hand
};

struct reader {
    cosm_change_reader *library;
    const struct kind *kind;
    struct seen *seen[ORACLE_WORLD_MAX]; // by id
    uint32_t capacities[ORACLE_WORLD_MAX];
};

struct model {
    struct oracle o;
    const struct model_options *options;
    struct model_result *result;
    jmp_buf failed;

    const uint8_t *record;
    uint32_t record_at;
    uint64_t record_stream;
    uint32_t name_next;

    struct heap heap;
    struct account account;
    struct trade trades[ORACLE_COMPONENT_MAX]; // by bit
    uint8_t initials[ORACLE_COMPONENT_MAX][OBJECT_SIZE_MAX];
    uint32_t held_by_templates; // objects
    uint32_t held_by_pasts;
    uint32_t
        base_objects[ORACLE_WORLD_MAX]; // in what a world shares with its last snapshot, at most
    uint64_t fail_after; // of the memory requests to come, which one fails; zero: none
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_engine *other_engine; // a query and a commands object that do not belong here
    cosm_query *other_query;
    cosm_batch *other_batch;
    cosm_commands *other_commands;
    uint64_t other_checksum;

    struct watcher watchers[MODEL_WATCHER_MAX];
    uint32_t watcher_count;
    cosm_result undefined; // of the first definition that failed since the last step
    uint64_t told;         // events, to all of them
    bool watch_lost;       // there was no memory to tell observers
    struct reader readers[MODEL_READER_MAX];
    uint32_t reader_count;

    struct commands commands[MODEL_COMMANDS_MAX];
    struct past pasts[MODEL_PAST_MAX];
    cosm_patch *patch; // of the operation at hand
    struct walk walks[MODEL_WALK_MAX];
    struct world saved[ORACLE_WORLD_MAX];
    const void *singleton_at[ORACLE_WORLD_MAX][ORACLE_SINGLETON_MAX];
    uint64_t checksums[ORACLE_WORLD_MAX][3]; // exact, of content, of rows in order
    struct walk compare_walk;                // that of a full comparison
    uint64_t digest;
    uint32_t touched;    // worlds whose state the operation may have changed
    bool renumbered;     // it may have changed steps, tickets or positions in any world
    bool compare;        // the operation asks for a full comparison
    uint64_t live_max;   // component bytes that a history may hold
    uint32_t alive_max;  // entities per world
    size_t memory_limit; // zero: none
    bool has_storages;   // some of the components are shared, managed or sectors
    cosm_storage focus;  // that of every second component that is chosen; COLUMN: no matter
    bool ids_lost;       // spawns were taken back when memory may have been wanting
    uint8_t *scratch;    // the bytes of one value, or of several
    size_t scratch_size;
    struct target *targets; // of the call on many that is being made
    uint32_t target_count;
    uint32_t target_capacity;
};

#define RESULT_BIT(result) (1u << (uint32_t)(result))
#define ALL_WORLDS(m) ((1u << (m)->o.world_count) - 1u)

// Ends the run: the library and the oracle differ.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void fail(struct model *m, const char *format, ...);

// Writes a line of the program, when it is being printed.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void say(struct model *m, const char *format, ...);

// The next byte of the record modulo n, and a number below n from the record's own stream.
uint32_t pick(struct model *m, uint32_t n);
uint32_t draw(struct model *m, uint32_t n);

// True once in n records; never where the byte is zero.
bool rarely(struct model *m, uint32_t n);

// A value number: often one of few, so that values repeat, and never the zeroes of value zero.
uint32_t draw_value(struct model *m);

// Room for that many bytes, until the next call.
uint8_t *scratch(struct model *m, size_t size);

// The bytes of a component's value, in the model's scratch until the next call; and at `to`.
const void *bytes_of(struct model *m, const struct kind *kind, uint32_t value);
void bytes_to(const struct kind *kind, uint32_t value, void *to);
// Over a value that is there: an object stays the one it is.
void bytes_over(const struct kind *kind, uint32_t value, void *to);
// Do these hold the value? Of a described component the fields count, and no more.
bool bytes_are(const struct kind *kind, uint32_t value, const void *bytes);

// A world to act on; `index` is ORACLE_WORLD_MAX where the handle names none.
struct place {
    cosm_world world;
    uint32_t index;
};
struct place pick_place(struct model *m);
bool place_is_good(struct place place);

// Several worlds; `count` is zero and `good` false where they do not exist.
struct span {
    cosm_worlds worlds;
    uint32_t first;
    uint32_t count;
    bool good;
};
struct span pick_span(struct model *m);

// A component or bundle; `kind` is NULL where the id is not defined.
struct part {
    cosm_component id;
    const struct kind *kind;
};
struct part pick_part(struct model *m);
const struct kind *pick_plain(struct model *m);

// An archetype; `index` is all ones where the id is not defined.
struct choice {
    cosm_archetype id;
    uint32_t index;
};
struct choice pick_archetype(struct model *m);
// One that has rows in the world, mostly; and a component of an archetype, mostly.
struct choice pick_table(struct model *m, struct place place);
struct part pick_column(struct model *m, struct choice choice);
const struct archetype *choice_archetype(const struct model *m, struct choice choice);

// A handle: mostly of a living entity, else stale, of another world, not yet applied or made up.
cosm_entity pick_entity(struct model *m, uint32_t world);
cosm_entity draw_entity(struct model *m, uint32_t world);

// Any number of handles, at most MODEL_LIST_MAX, with stale and repeated ones among them.
uint32_t draw_entities(struct model *m, uint32_t world, cosm_entity *out_entities);

// Values for a spawn: of some of the set's small components and, rarely, of one it lacks.
struct values {
    cosm_value list[MODEL_VALUE_MAX];
    uint8_t bytes[MODEL_VALUE_MAX][256];
    uint32_t bits[MODEL_VALUE_MAX];
    uint32_t numbers[MODEL_VALUE_MAX];
    uint32_t count;
    bool strange;
    uint64_t beside; // the sector components among them
};
void pick_values(struct model *m, const struct archetype *archetype, struct values *out_values);

// Values may lie in rows of the same world. Such a value of a component, and its number; as many of
// them as are asked for, side by side in one column; and for some of the values of a spawn. NULL
// where no living entity has the component in one piece, or no table enough of them.
const void *row_value(struct model *m, struct place place, const struct kind *kind,
                      uint32_t *out_value);
const void *row_values(struct model *m, struct place place, const struct kind *kind, uint32_t count,
                       uint32_t *out_values);
void take_row_values(struct model *m, struct place place, struct values *values);

// A query slot that is in use, or NULL.
struct query *pick_query(struct model *m);

// Checks a result against the reasons to fail (`must`, bits of results; none: success is right)
// and those that the headers leave open (`may`), and that the error slot agrees. On success the
// worlds in `touches` may have changed.
cosm_result settle(struct model *m, cosm_result got, uint32_t must, uint32_t may, uint32_t touches);

// The result of a call that makes something: success, or what the error slot says.
cosm_result made(struct model *m, bool success);

// The same for what the engine defines: the first failure is the result of the next step.
cosm_result defined(struct model *m, bool success);

// How many more rows of `size` bytes the history may hold in a world, at most `wanted`.
uint32_t room_for(struct model *m, uint32_t world, size_t size, uint32_t wanted);
bool room_for_bytes(struct model *m, uint64_t bytes);
bool spawn_fits(struct model *m, struct place place, struct choice choice);

// The bit of COSM_ERROR_WALKED where the world is walked; none where it is not, or does not exist.
uint32_t walked_bit(const struct model *m, struct place place);

// The fixed table of the set has no room for `more` rows in the world.
bool is_full(struct model *m, uint32_t world, uint64_t set, bool temporary, uint32_t more);
bool is_sealed(struct model *m, uint64_t set);

// A spawn that is recorded in a commands object for that world, and for the id unless NULL.
bool has_pending_spawn(const struct model *m, uint32_t world, const uint32_t *id);

// Takes a new handle from the library: it must be new, and its id free.
void take_handle(struct model *m, uint32_t world, cosm_entity handle);

// Described components (split.c). Is this one split in the tables of a set?
bool is_split(struct model *m, uint64_t set, bool temporary, const struct kind *kind);

// The last call was to refuse the component: its message must say so. Empties the slot.
void expect_refusal(struct model *m, const struct kind *kind, const char *call);

// Does a copy hold the value? By its fields where it is described; of a split one the rest is zero.
bool copy_is(const struct model *m, const struct kind *kind, bool split, uint32_t value,
             const void *bytes);

// Writes one row of a run as a whole, or (where it is described) field by field.
// False: there is no memory for an object, or the component is shared, which is not written.
bool write_row(struct model *m, const cosm_rows *rows, uint32_t i, const struct kind *kind,
               uint32_t value, bool by_field);

// Checks one row of a run by copy, and what the run shows of the fields of term `t`.
void check_copy(struct model *m, const cosm_rows *rows, uint32_t i, const struct kind *kind,
                bool split, uint32_t value);
void check_fields(struct model *m, const cosm_rows *rows, uint32_t t, const struct kind *kind,
                  bool split);

// Compares the described components of a table (`index` of the oracle's archetype) by its spans.
void compare_table(struct model *m, uint32_t world, uint32_t index);

// Components that are not in columns (apart.c). Is there a pointer to the value of a row?
bool shows_bytes(struct model *m, uint64_t set, bool temporary, const struct kind *kind,
                 const uint32_t *values);

// Is setting it a structural change, though the entity has it?
bool setting_moves(const struct kind *kind, const struct being *being);

// Checks what a term shows of such a component: of the run, and of one row.
void check_apart_term(struct model *m, const cosm_rows *rows, uint32_t t, const struct kind *kind,
                      const struct archetype *archetype);
void check_apart_row(struct model *m, const cosm_rows *rows, uint32_t t, uint32_t i,
                     const struct kind *kind, uint64_t set, const uint32_t *values);

// Writes one row of a run in a walk: by pointer, or as a whole. False: it was not to be written.
struct apart_write {
    const cosm_rows *rows;
    uint32_t term;
    uint32_t row;
    const struct kind *kind;
    bool may_write;
    uint64_t set; // of the row, and its values
    const uint32_t *values;
    uint32_t value;
    bool by_pointer;
};
bool write_apart(struct model *m, const struct apart_write *write);

// Compares what a world has beside its tables, and the account with all there is.
void compare_apart(struct model *m, uint32_t world);
void compare_account(struct model *m);
uint32_t account_expected(const struct model *m);

// Asks how large the records of groups are that have been used.
void learn_strides(struct model *m);

// Observers and readers of changes (watch.c). An observer is of a query, or of the component or
// bundle of its one term.
void define_watcher_as(struct model *m, const struct query *wanted, bool by_component);
void create_reader_as(struct model *m, int kind);
void compare_watchers(struct model *m);
void resync_watcher(struct model *m, struct watcher *watcher);
void check_watchers_done(struct model *m);
void destroy_readers(struct model *m);
void watch_free(struct model *m);

// Learns an archetype from the library, where it was formed by a change; NULL if it is wrong.
const struct archetype *learn_archetype(struct model *m, uint64_t set, cosm_archetype id);

// Compares everything (compare.c), and checks what must hold after every operation.
void compare_all(struct model *m);
void compare_counts(struct model *m);
void note_checksums(struct model *m, uint32_t world);
void compare_checksums(struct model *m);
void compare_being(struct model *m, uint32_t world, const struct being *being);

// Lets a number count in the run's digest.
void digest(struct model *m, uint64_t number);

// Walks (walk.c).
void walk_begin(struct model *m, struct walk *walk, uint32_t query, struct span span);
bool walk_next(struct model *m, struct walk *walk);
void walk_end(struct model *m, struct walk *walk);
void walk_free(struct walk *walk);

// Compares the tree of a world (ops_tree.c), and does what a command says to it.
void compare_tree(struct model *m, uint32_t world);
bool run_parent(struct model *m, const struct command *c, struct being *being);

// Commands objects, as those who record find them (ops_commands.c).
struct commands *pick_commands(struct model *m);
cosm_entity pick_target(struct model *m, const struct commands *commands, uint32_t world);
void record(struct model *m, struct commands *commands, const struct command *command);

// Judges the result of a recording call, and remembers the first that was a failure.
cosm_result settle_record(struct model *m, struct commands *commands, cosm_result got,
                          uint32_t must, uint32_t touches);

// Snapshots (ops_past.c): what they hold is measured after all that is done to them.
void measure_pasts(struct model *m);
void forget_bases(struct model *m);
void destroy_pasts(struct model *m);
void pasts_free(struct model *m);

// Applies a commands object that is there (apply.c).
void apply_object(struct model *m, struct commands *commands, bool with_report);

// Definitions that every run begins with (ops_schema.c). A list of kinds ends with a negative one.
void define_component_as(struct model *m, const char *name, size_t size, size_t alignment,
                         uint32_t initial);
void define_stored_as(struct model *m, const char *name, cosm_storage storage, size_t size,
                      size_t alignment, uint32_t initial, uint32_t hooks);
// `kinds` are sector components.
void define_group_as(struct model *m, const char *name, const int *kinds);
void define_shape_as(struct model *m, const char *name, const struct shape *shape, bool split,
                     uint32_t initial);
void define_bundle_as(struct model *m, const char *name, const int *kinds);
// `turned_kinds` get the layout that is not their own.
void define_archetype_as(struct model *m, const struct archetype *wanted, const int *kinds,
                         const int *turned_kinds);
void define_singleton_as(struct model *m, const char *name, size_t size, size_t alignment,
                         uint32_t initial);
void create_query_as(struct model *m, const struct query *wanted);

// Everything that a run needs, before its first operation and after its last (setup.c). After a
// failure nothing is checked any more. False: there is no memory for the batch, within its limit.
bool set_up(struct model *m, const uint8_t *config);
void tear_down(struct model *m, bool checks);

// The operation that a byte stands for; and whether that is one of those on a topic.
typedef void operation_fn(struct model *m);
operation_fn *operation_of(uint8_t code);
bool operation_is_on(uint8_t code, enum model_topic topic);

// The byte of the configuration that makes a run about a topic, and its value.
enum { CONFIG_STORAGES = 6, CONFIG_FOCUS = 9 };
uint8_t focus_code(enum model_topic topic);

// The operations, by the file they are in.
void op_define_component(struct model *m);
void op_define_bundle(struct model *m);
void op_define_archetype(struct model *m);
void op_define_singleton(struct model *m);
void op_define_wrong(struct model *m);
void op_query_create(struct model *m);
void op_query_destroy(struct model *m);

void op_spawn(struct model *m);
void op_spawn_with(struct model *m);
void op_spawn_many(struct model *m);
void op_fill_fixed(struct model *m);
void op_despawn(struct model *m);
void op_add(struct model *m);
void op_remove(struct model *m);
void op_set(struct model *m);
void op_write(struct model *m);

void op_despawn_many(struct model *m);
void op_add_many(struct model *m);
void op_remove_many(struct model *m);
void op_set_many(struct model *m);
void op_query_despawn(struct model *m);
void op_query_add(struct model *m);
void op_query_remove(struct model *m);
void op_query_set(struct model *m);

void op_table_clear(struct model *m);
void op_table_sort(struct model *m);
void op_table_sort_u32(struct model *m);
void op_world_reset(struct model *m);
void op_batch_reset(struct model *m);
void op_batch_step(struct model *m);
void op_batch_trim(struct model *m);
void op_reserve(struct model *m);
void op_singleton_write(struct model *m);
void op_memory_fails(struct model *m);

void op_walk_begin(struct model *m);
void op_walk_next(struct model *m);
void op_walk_end(struct model *m);
void op_walk_write(struct model *m);

void op_ask_entity(struct model *m);
void op_ask_place(struct model *m);
void op_ask_many(struct model *m);
void op_ask_lookup(struct model *m);
void op_ask_query(struct model *m);
void op_ask_schema(struct model *m);

void op_commands_destroy(struct model *m);
void op_commands_clear(struct model *m);
void op_commands_spawn(struct model *m);
void op_commands_emit(struct model *m);
void op_commands_despawn(struct model *m);
void op_commands_change(struct model *m);
void op_commands_reshape(struct model *m);
void op_commands_swap(struct model *m);
void op_commands_parent(struct model *m);
void op_commands_despawn_tree(struct model *m);
void op_tree_link(struct model *m);
void op_tree_despawn(struct model *m);
void op_template(struct model *m);
void op_commands_set(struct model *m);
void op_managed(struct model *m);
void op_sector_maintain(struct model *m);
void op_spawn_many_with(struct model *m);
void op_ask_apart(struct model *m);
void op_change_walk(struct model *m);
void op_commands_apply(struct model *m);
void op_commands_apply_many(struct model *m);
void op_snapshot(struct model *m);
void op_restore(struct model *m);
void op_fork(struct model *m);
void op_patch(struct model *m);

#endif
