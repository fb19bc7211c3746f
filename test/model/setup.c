// The beginning and the end of a run, and the table of operations.
#include "state.h"

#include <stdlib.h>
#include <string.h>

// Which operations histories of trees have, and those of components that are not in columns.
enum { TREES = 1, STORED = 2 };

// What byte stands for which operation, by weight; the weights add up to at most 256.
static const struct {
    operation_fn *run;
    uint32_t weight;
    uint32_t topics;
} operations[] = {
    {op_spawn, 7, TREES | STORED},
    {op_spawn_with, 6, STORED},
    {op_spawn_many, 7, TREES | STORED},
    {op_fill_fixed, 2, 0},
    {op_despawn, 7, TREES | STORED},
    {op_add, 8, TREES | STORED},
    {op_remove, 7, TREES | STORED},
    {op_set, 7, STORED},
    {op_write, 4, STORED},
    {op_despawn_many, 3, 0},
    {op_add_many, 4, STORED},
    {op_remove_many, 4, STORED},
    {op_set_many, 4, STORED},
    {op_query_despawn, 2, TREES | STORED},
    {op_query_add, 3, STORED},
    {op_query_remove, 3, STORED},
    {op_query_set, 3, STORED},
    {op_table_clear, 2, STORED},
    {op_table_sort, 3, STORED},
    {op_table_sort_u32, 3, 0},
    {op_world_reset, 1, TREES | STORED},
    {op_batch_reset, 1, STORED},
    {op_batch_step, 3, STORED},
    {op_batch_trim, 3, TREES | STORED},
    {op_reserve, 3, 0},
    {op_singleton_write, 3, 0},
    {op_memory_fails, 5, STORED},
    {op_walk_begin, 4, 0},
    {op_walk_next, 6, 0},
    {op_walk_end, 3, 0},
    {op_walk_write, 5, 0},
    {op_ask_entity, 3, 0},
    {op_ask_place, 2, 0},
    {op_ask_many, 2, 0},
    {op_ask_lookup, 3, 0},
    {op_ask_query, 3, STORED},
    {op_ask_schema, 2, 0},
    {op_commands_spawn, 6, TREES | STORED},
    {op_commands_emit, 3, STORED},
    {op_commands_despawn, 4, TREES | STORED},
    {op_commands_change, 8, STORED},
    {op_commands_set, 6, STORED},
    {op_commands_reshape, 5, 0},
    {op_commands_swap, 3, 0},
    {op_commands_apply, 3, TREES | STORED},
    {op_commands_apply_many, 2, 0},
    {op_commands_clear, 1, STORED},
    {op_commands_destroy, 1, 0},
    {op_define_component, 3, 0},
    {op_define_bundle, 2, 0},
    {op_define_archetype, 4, 0},
    {op_define_singleton, 1, 0},
    {op_define_wrong, 1, 0},
    {op_query_create, 3, STORED},
    {op_query_destroy, 1, STORED},
    {op_tree_link, 8, TREES},
    {op_tree_despawn, 3, TREES},
    {op_commands_parent, 5, TREES},
    {op_commands_despawn_tree, 2, TREES},
    {op_template, 3, 0},
    {op_managed, 7, STORED},
    {op_spawn_many_with, 5, STORED},
    {op_sector_maintain, 3, STORED},
    {op_ask_apart, 3, STORED},
    {op_change_walk, 4, 0},
    {op_snapshot, 4, 0},
    {op_restore, 6, 0},
    {op_fork, 3, 0},
    {op_patch, 2, 0},
};

enum { OPERATION_COUNT = sizeof(operations) / sizeof(operations[0]) };

static uint32_t operation_index(uint8_t code) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < OPERATION_COUNT; i++) {
        total += operations[i].weight;
    }
    uint32_t left = code % total;
    uint32_t i = 0;
    while (left >= operations[i].weight) {
        left -= operations[i++].weight;
    }
    return i;
}

operation_fn *operation_of(uint8_t code) {
    return operations[operation_index(code)].run;
}

bool operation_is_on(uint8_t code, enum model_topic topic) {
    uint32_t wanted = topic == MODEL_TOPIC_TREES ? TREES : STORED;
    return (operations[operation_index(code)].topics & wanted) != 0;
}

uint8_t focus_code(enum model_topic topic) {
    return topic == MODEL_TOPIC_SHARED ? 253 : topic == MODEL_TOPIC_MANAGED ? 254 : 255;
}

// The kinds that every run has, by their index.
enum {
    FOUR,
    TAG,
    TWELVE,
    BYTE,
    LINE,
    WIDE,
    PAGE,
    HUGE_ONE,
    OTHER_TAG,
    MOTES, // from here on described; see shape.h
    SHORTS,
    ARRAYS,
    NESTED,
    ALIGNED,
    PADDED,
    BULKY,
    PAIR,
    NEST,
    MIXED,
    // With storages, these have the places of some of the described ones, or come last.
    TEAM = NESTED,
    LABEL,
    NAME,
    MESH,
    HEAT = MIXED + 1,
    SMOKE,
    EMBER,
    WET,
    GEAR,
};

static void define_bundles(struct model *m) {
    define_bundle_as(m, "Pair", (const int[]){FOUR, TWELVE, -1});
    define_bundle_as(m, "Nest", (const int[]){PAIR, TAG, BYTE, -1});
    define_bundle_as(m, "Mixed", (const int[]){SHORTS, ARRAYS, -1});
}

// Plain bytes and objects of every storage, alone and in a group.
static void define_stored_components(struct model *m) {
    uint32_t all = HOOK_COPY | HOOK_MOVE | HOOK_CONSTRUCT;
    define_stored_as(m, "Team", COSM_STORAGE_SHARED, 4, 4, 2, 0);
    define_stored_as(m, "Label", COSM_STORAGE_SHARED, 24, 8, 1, HOOK_COPY | HOOK_MEET);
    define_stored_as(m, "Name", COSM_STORAGE_MANAGED, 24, 8, 3, all);
    define_stored_as(m, "Mesh", COSM_STORAGE_MANAGED, 320, 64, 4, HOOK_COPY);
    define_bundles(m);
    define_stored_as(m, "Heat", COSM_STORAGE_SECTOR, 8, 8, 5, 0);
    define_stored_as(m, "Smoke", COSM_STORAGE_SECTOR, 12, 4, 0, 0);
    define_stored_as(m, "Ember", COSM_STORAGE_SECTOR, 32, 16, 6, all);
    define_stored_as(m, "Wet", COSM_STORAGE_SECTOR, 0, 0, 0, 0);
    define_bundle_as(m, "Gear", (const int[]){TEAM, NAME, HEAT, TAG, -1});
    define_group_as(m, "fire", (const int[]){SMOKE, EMBER, WET, -1});
}

static void define_components(struct model *m) {
    define_component_as(m, "Four", 4, 0, 7);
    define_component_as(m, "Tag", 0, 0, 0);
    define_component_as(m, "Twelve", 12, 4, 0);
    define_component_as(m, "Byte", 1, 1, 9);
    define_component_as(m, "Line", 64, 64, 0);
    define_component_as(m, "Wide", 200, 8, 5);
    define_component_as(m, "Page", 4096, 4096, 0);
    define_component_as(m, "Huge", 70000, 16, 0);
    define_component_as(m, "OtherTag", 0, 0, 0);
    define_shape_as(m, "Motes", shape_named(SHAPE_MOTES), true, 3);
    define_shape_as(m, "Shorts", shape_named(SHAPE_SHORTS), true, 4);
    define_shape_as(m, "Arrays", shape_named(SHAPE_ARRAYS), false, 5);
    if (m->has_storages) {
        define_stored_components(m);
        return;
    }
    define_shape_as(m, "Nested", shape_named(SHAPE_NESTED), true, 0);
    define_shape_as(m, "Aligned", shape_named(SHAPE_ALIGNED), true, 6);
    define_shape_as(m, "Padded", shape_named(SHAPE_PADDED), false, 0);
    define_shape_as(m, "Bulky", shape_named(SHAPE_BULKY), true, 0);
    define_bundles(m);
}

// Sets with shared values and objects: growing, fixed, sealed and temporary as far as they can be.
static void define_stored_archetypes(struct model *m) {
    static const int none[] = {-1};
    define_archetype_as(m, &(struct archetype){.name = "team"}, (const int[]){FOUR, TEAM, -1},
                        none);
    define_archetype_as(m, &(struct archetype){.name = "crew"},
                        (const int[]){TEAM, LABEL, SHORTS, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "named", .max = 4},
                        (const int[]){FOUR, NAME, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "drawn"},
                        (const int[]){TEAM, NAME, MESH, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "badge", .sealed = true},
                        (const int[]){LABEL, NAME, TAG, -1}, none);
    define_archetype_as(m, &(struct archetype){.temporary = true}, (const int[]){BYTE, NAME, -1},
                        none);
}

// Archetypes that lie one or two components apart and have them in different layouts, so that moves
// turn whole values into split ones and back.
static void define_split_archetypes(struct model *m) {
    static const int none[] = {-1};
    define_archetype_as(m, &(struct archetype){.name = "parts"},
                        (const int[]){FOUR, MOTES, SHORTS, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "grid", .max = 3},
                        (const int[]){SHORTS, ARRAYS, -1}, (const int[]){SHORTS, ARRAYS, -1});
    define_archetype_as(m, &(struct archetype){.name = "whole"}, (const int[]){MIXED, TAG, -1},
                        (const int[]){SHORTS, -1});
    if (m->has_storages) {
        define_stored_archetypes(m);
        return;
    }
    define_archetype_as(m, &(struct archetype){.max = 2}, (const int[]){MOTES, TAG, -1},
                        (const int[]){MOTES, -1});
    define_archetype_as(m, &(struct archetype){.max = 4}, (const int[]){MOTES, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "nested"}, (const int[]){NESTED, PADDED, -1},
                        (const int[]){PADDED, -1});
    define_archetype_as(m, &(struct archetype){.max = 6}, (const int[]){NESTED, PADDED, TAG, -1},
                        (const int[]){NESTED, -1});
    define_archetype_as(m, &(struct archetype){.temporary = true},
                        (const int[]){ALIGNED, SHORTS, ARRAYS, -1}, (const int[]){SHORTS, -1});
    define_archetype_as(m, &(struct archetype){.name = "bulky"}, (const int[]){BULKY, -1}, none);
    define_archetype_as(m, &(struct archetype){.max = 2}, (const int[]){BULKY, TAG, -1},
                        (const int[]){BULKY, -1});
}

static void define_archetypes(struct model *m) {
    static const int none[] = {-1};
    define_archetype_as(m, &(struct archetype){.name = "plain"}, (const int[]){PAIR, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "fixed", .max = 4},
                        (const int[]){FOUR, BYTE, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "sealed", .sealed = true},
                        (const int[]){TWELVE, TAG, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "temporary", .temporary = true},
                        (const int[]){FOUR, LINE, -1}, none);
    define_archetype_as(m, &(struct archetype){.max = 3, .sealed = true},
                        (const int[]){LINE, TAG, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = "huge"}, (const int[]){HUGE_ONE, -1}, none);
    define_archetype_as(m, &(struct archetype){.max = 6, .temporary = true},
                        (const int[]){BYTE, -1}, none);
    define_archetype_as(m, &(struct archetype){.name = ""}, (const int[]){-1}, none);
    define_archetype_as(m, &(struct archetype){.name = "page", .max = 2},
                        (const int[]){PAGE, TAG, BYTE, -1}, none);
    // Two small tables that lie one component apart from the plain one: changes fill them soon.
    define_archetype_as(m, &(struct archetype){.name = "few", .max = 2}, (const int[]){FOUR, -1},
                        none);
    define_archetype_as(m, &(struct archetype){.max = 1}, (const int[]){PAIR, TAG, -1}, none);
    define_split_archetypes(m);
    define_singleton_as(m, "Score", 12, 4, 3);
}

static void create_stored_queries(struct model *m) {
    create_query_as(
        m, &(struct query){
               .term_count = 3,
               .terms = {{.kind = TEAM, .value = 2, .access = COSM_ACCESS_WRITE},
                         {.kind = LABEL, .how = COSM_TERM_OPTIONAL, .access = COSM_ACCESS_WRITE},
                         {.kind = NAME, .how = COSM_TERM_OPTIONAL, .access = COSM_ACCESS_WRITE}}});
    create_query_as(
        m, &(struct query){
               .term_count = 3,
               .terms = {{.kind = HEAT, .access = COSM_ACCESS_WRITE},
                         {.kind = EMBER, .how = COSM_TERM_OPTIONAL, .access = COSM_ACCESS_WRITE},
                         {.kind = WET, .how = COSM_TERM_WITHOUT}}});
    create_query_as(
        m, &(struct query){
               .term_count = 3,
               .terms = {{.kind = NAME, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = SMOKE, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = LABEL,
                          .how = COSM_TERM_ANY_OF,
                          .group = 1,
                          .access = COSM_ACCESS_WRITE}}});
}

static void create_queries(struct model *m) {
    create_query_as(m, &(struct query){.term_count = 0});
    create_query_as(m, &(struct query){.term_count = 1,
                                       .terms = {{.kind = FOUR, .access = COSM_ACCESS_WRITE}}});
    create_query_as(
        m, &(struct query){.term_count = 2,
                           .terms = {{.kind = TWELVE}, {.kind = TAG, .how = COSM_TERM_WITHOUT}}});
    create_query_as(
        m, &(struct query){
               .term_count = 3,
               .by_world = true,
               .terms = {{.kind = BYTE, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = LINE, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = FOUR, .how = COSM_TERM_OPTIONAL, .access = COSM_ACCESS_WRITE}}});
    if (m->has_storages) {
        create_stored_queries(m);
        return;
    }
    create_query_as(m, &(struct query){.term_count = 2,
                                       .terms = {{.kind = SHORTS, .access = COSM_ACCESS_WRITE},
                                                 {.kind = ARRAYS,
                                                  .how = COSM_TERM_OPTIONAL,
                                                  .access = COSM_ACCESS_WRITE}}});
    create_query_as(
        m, &(struct query){
               .term_count = 3,
               .terms = {{.kind = MOTES, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = NESTED, .how = COSM_TERM_ANY_OF, .access = COSM_ACCESS_WRITE},
                         {.kind = SHORTS, .how = COSM_TERM_OPTIONAL}}});
}

static void watch_component(struct model *m, uint32_t kind) {
    struct query one = {.term_count = 1, .terms = {{.kind = kind, .access = COSM_ACCESS_WRITE}}};
    define_watcher_as(m, &one, true);
}

static void define_watchers(struct model *m) {
    static const struct query untagged = {.term_count = 2,
                                          .terms = {{.kind = TWELVE, .access = COSM_ACCESS_WRITE},
                                                    {.kind = TAG, .how = COSM_TERM_WITHOUT}}};
    static const struct query reds = {
        .term_count = 2,
        .terms = {{.kind = TEAM, .value = 2, .access = COSM_ACCESS_WRITE},
                  {.kind = NAME, .how = COSM_TERM_OPTIONAL, .access = COSM_ACCESS_WRITE}}};
    watch_component(m, FOUR);
    define_watcher_as(m, &untagged, false);
    if (!m->has_storages) {
        watch_component(m, MIXED);
        return;
    }
    define_watcher_as(m, &reds, false);
    watch_component(m, TEAM);
    watch_component(m, NAME);
    watch_component(m, HEAT);
    watch_component(m, EMBER);
}

// An engine and a batch of its own, of which a query and a commands object must not work here.
static void set_up_others(struct model *m) {
    m->other_engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_component one = cosm_component_define(
        m->other_engine, &(cosm_component_desc){.name = "Elsewhere", .size = 4});
    cosm_query_desc desc = {.terms = {{.component = one, .access = COSM_ACCESS_WRITE}}};
    m->other_query = cosm_query_create(m->other_engine, &desc);
    m->other_batch = cosm_batch_create(m->engine, NULL);
    m->other_commands = cosm_commands_create(m->other_batch);
    if (!m->other_query || !m->other_commands) {
        fail(m, "a second engine or batch could not be made");
    }
    cosm_world world = cosm_batch_world(m->other_batch, 0);
    for (uint32_t i = 0; i < 3; i++) {
        if (cosm_entity_is_none(cosm_entity_spawn(world, m->o.archetypes[i].id))) {
            fail(m, "no entity could be spawned in a second batch");
        }
    }
    m->other_checksum = cosm_hash_batch(m->other_batch, COSM_HASH_EXACT);
}

// Reads the configuration of a run; zero bytes are one world with no limits.
static cosm_batch_desc read_config(struct model *m, const uint8_t *config) {
    static const uint32_t capacities[] = {0, 0, 1, 1, 16, 16, 300, 9000};
    // One to five worlds, and now and then more than a walk looks at in one go.
    static const uint32_t worlds[] = {1, 2, 3, 4, 5, 2, 3, ORACLE_WORLD_MAX};
    static const size_t limits[] = {1u << 16, 1u << 18, 1u << 20, 1u << 22};
    static const uint32_t alive[] = {60, 60, 60, 60, 60, 300, 300, 1200};
    static const uint64_t live[] = {150000, 150000, 150000, 150000, 150000, 300000, 300000, 700000};
    m->o.world_count = worlds[config[0] % 8];
    m->memory_limit = config[2] % 8 == 7 ? limits[config[2] / 8 % 4] : 0;
    m->has_storages = config[CONFIG_STORAGES] % 2 == 1;
    m->focus = m->has_storages && config[CONFIG_FOCUS] >= 253
                   ? (cosm_storage)(config[CONFIG_FOCUS] - 253 + COSM_STORAGE_SHARED)
                   : COSM_STORAGE_COLUMN;
    m->alive_max = alive[config[4] % 8];
    m->live_max = live[config[4] % 8];
    say(m, "a batch of %u worlds, room for %u entities, memory limit %zu, %s%s", m->o.world_count,
        capacities[config[1] % 8], m->memory_limit,
        config[3] % 2 == 1 ? "ranges of our own" : "ranges of the system",
        m->has_storages ? ", components of every storage" : "");
    return (cosm_batch_desc){.world_count = m->o.world_count,
                             .seed = config[5],
                             .entity_capacity = capacities[config[1] % 8],
                             .memory_limit = m->memory_limit};
}

bool set_up(struct model *m, const uint8_t *config) {
    cosm_batch_desc desc = read_config(m, config);
    cosm_error_clear();
    size_t limit = m->memory_limit;
    m->memory_limit = 0;
    m->account.heap = &m->heap;
    cosm_engine_desc engine = {.allocator = heap_allocator(&m->heap, config[3] % 2 == 1),
                               .quiet = true};
    m->engine = cosm_engine_create(&engine);
    if (!m->engine) {
        fail(m, "no engine could be made");
    }
    define_components(m);
    define_archetypes(m);
    create_queries(m);
    set_up_others(m);
    if (config[7] % 3 == 2) {
        define_watchers(m);
    }
    m->memory_limit = limit;
    cosm_error_clear();
    m->batch = cosm_batch_create(m->engine, &desc);
    if (settle(m, made(m, m->batch != NULL), 0, 0, 0) != COSM_OK) {
        return false;
    }
    if (config[8] % 3 == 2) {
        create_reader_as(m, FOUR);
        create_reader_as(m, m->has_storages ? NAME : MOTES);
        cosm_error_clear();
    }
    for (uint32_t i = 0; i < m->o.world_count; i++) {
        m->o.worlds[i].fresh = true;
        note_checksums(m, i);
    }
    if (cosm_batch_world_count(m->batch) != m->o.world_count ||
        cosm_batch_world(m->batch, m->o.world_count).batch != NULL ||
        cosm_batch_seed(m->batch) != desc.seed || cosm_batch_engine(m->batch) != m->engine) {
        fail(m, "the batch is not the one that was asked for");
    }
    return true;
}

// A batch that is in use is left alone.
static void check_busy(struct model *m) {
    struct span one = {cosm_worlds_one(cosm_batch_world(m->batch, 0)), 0, 1, true};
    if (m->o.queries[0].library) {
        walk_begin(m, &m->compare_walk, 0, one);
        if (cosm_batch_destroy(m->batch) != COSM_ERROR_WALKED) {
            fail(m, "a batch that is being walked was destroyed");
        }
        walk_end(m, &m->compare_walk);
    }
    cosm_commands *commands = cosm_commands_create(m->batch);
    if (commands && cosm_batch_destroy(m->batch) != COSM_ERROR_BUSY) {
        fail(m, "a batch with a commands object was destroyed");
    }
    cosm_commands_destroy(commands);
    if (cosm_engine_destroy(m->engine) != COSM_ERROR_BUSY) {
        fail(m, "an engine with a batch was destroyed");
    }
}

static void destroy_all(struct model *m) {
    for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
        if (m->walks[i].open) {
            cosm_rows_end(&m->walks[i].rows);
        }
    }
    if (m->compare_walk.open) {
        cosm_rows_end(&m->compare_walk.rows);
    }
    for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
        cosm_commands_destroy(m->commands[i].library);
        m->commands[i].library = NULL;
    }
    destroy_readers(m);
    cosm_patch_destroy(m->patch);
    m->patch = NULL;
    cosm_commands_destroy(m->other_commands);
    cosm_result results[4];
    results[0] = cosm_batch_destroy(m->other_batch);
    results[1] = cosm_batch_destroy(m->batch);
    destroy_pasts(m);
    results[2] = cosm_engine_destroy(m->engine);
    results[3] = cosm_engine_destroy(m->other_engine);
    m->other_commands = NULL;
    m->other_batch = NULL;
    m->batch = NULL;
    m->engine = NULL;
    m->other_engine = NULL;
    for (uint32_t i = 0; i < 4 && !m->result->failed; i++) {
        if (results[i] != COSM_OK) {
            fail(m, "destroying step %u: %s: \"%s\"", i, cosm_result_name(results[i]),
                 cosm_error_message());
        }
    }
}

void tear_down(struct model *m, bool checks) {
    m->heap.fail_after = 0;
    if (checks && m->batch) {
        for (uint32_t i = 0; i < MODEL_WALK_MAX; i++) {
            if (m->walks[i].open) {
                walk_end(m, &m->walks[i]);
            }
        }
        for (uint32_t i = 0; i < MODEL_COMMANDS_MAX; i++) {
            cosm_commands_destroy(m->commands[i].library);
            m->commands[i].library = NULL;
        }
        check_busy(m);
    }
    destroy_all(m);
    if (checks) {
        check_watchers_done(m);
    }
    size_t leaked = m->heap.blocks + (m->o.fault == MODEL_FAULT_LEAK ? 1u : 0u);
    if (checks && (leaked != 0 || m->heap.ranges != 0 || m->heap.wrong)) {
        fail(m, "%zu blocks and %zu ranges were not given back%s%s", leaked, m->heap.ranges,
             m->heap.wrong ? "; " : "", m->heap.wrong ? m->heap.wrong : "");
    }
    if (checks && (m->account.alive != 0 || m->account.wrong)) {
        fail(m, "%u objects were not destroyed%s%s", m->account.alive, m->account.wrong ? "; " : "",
             m->account.wrong ? m->account.wrong : "");
    }
}
