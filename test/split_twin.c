// Twins: the same history in engines that differ in nothing but the layout of their components: all
// whole, all split, and mixed from table to table. Handles, results and checksums agree after every
// call, whatever rubbish each one has in the gaps between its fields.
//
// A failure prints the seed of its history and the call; --seed runs it first.
// ctest: threads
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

enum { TWIN_WHOLE, TWIN_SPLIT, TWIN_MIXED, TWIN_COUNT };

enum {
    WORLD_COUNT = 3,
    HISTORY_COUNT = 30,
    HISTORY_LENGTH = 300,
    ENTITY_MAX = 256, // handles that a history remembers
    VALUE_MAX = 5008, // bytes of the largest component
    LIST_MAX = 24,
};

typedef struct Mote {
    uint8_t r;
    int8_t g;
    uint8_t b;
} Mote;

// With a gap of one byte, and one of seven.
typedef struct Blend {
    int16_t low;
    uint8_t tiny;
    uint16_t pair[2];
    double far;
    uint8_t last;
} Blend;

// With a gap of four bytes.
typedef struct Pose {
    float position[3];
    struct {
        double turn;
        uint32_t frame;
    } spin;
} Pose;

typedef struct Line {
    _Alignas(64) uint32_t hot; // alone on its cache line
    _Alignas(64) char label[20];
    cosm_entity target;
} Line;

// Larger than what is hashed at a time.
typedef struct Bulk {
    uint32_t key;
    double cells[625];
} Bulk;

static const cosm_field mote_fields[] = {
    {.name = "r", .type = COSM_FIELD_U8, .offset = offsetof(Mote, r)},
    {.name = "g", .type = COSM_FIELD_I8, .offset = offsetof(Mote, g)},
    {.name = "b", .type = COSM_FIELD_U8, .offset = offsetof(Mote, b)},
};

static const cosm_field blend_fields[] = {
    {.name = "low", .type = COSM_FIELD_I16, .offset = offsetof(Blend, low)},
    {.name = "tiny", .type = COSM_FIELD_U8, .offset = offsetof(Blend, tiny)},
    {.name = "pair", .type = COSM_FIELD_U16, .offset = offsetof(Blend, pair), .dims = {2}},
    {.name = "far", .type = COSM_FIELD_F64, .offset = offsetof(Blend, far)},
    {.name = "last", .type = COSM_FIELD_U8, .offset = offsetof(Blend, last)},
};

// Not in the order of their offsets.
static const cosm_field pose_fields[] = {
    {.name = "spin.frame", .type = COSM_FIELD_U32, .offset = offsetof(Pose, spin.frame)},
    {.name = "spin.turn", .type = COSM_FIELD_F64, .offset = offsetof(Pose, spin.turn)},
    {.name = "position", .type = COSM_FIELD_F32, .offset = offsetof(Pose, position), .dims = {3}},
};

static const cosm_field line_fields[] = {
    {.name = "hot", .type = COSM_FIELD_U32, .offset = 0, .alignment = 64, .padding = 60},
    {.name = "label", .type = COSM_FIELD_CHAR, .offset = offsetof(Line, label), .dims = {20}},
    {.name = "target", .type = COSM_FIELD_ENTITY, .offset = offsetof(Line, target)},
};

static const cosm_field bulk_fields[] = {
    {.name = "key", .type = COSM_FIELD_U32, .offset = offsetof(Bulk, key)},
    {.name = "cells", .type = COSM_FIELD_F64, .offset = offsetof(Bulk, cells), .dims = {25, 25}},
};

enum { MOTE, BLEND, POSE, LINE, BULK, PLAIN, TAG, KIND_COUNT };

// What the twins have in common; layouts are each twin's own. `sorted` is where a number lies.
static const struct kind {
    const char *name;
    size_t size;
    size_t alignment;
    const cosm_field *fields;
    uint32_t field_count;
    size_t sorted;
} kinds[KIND_COUNT] = {
    [MOTE] = {"Mote", sizeof(Mote), 1, mote_fields, 3, SIZE_MAX},
    [BLEND] = {"Blend", sizeof(Blend), 8, blend_fields, 5, offsetof(Blend, pair)},
    [POSE] = {"Pose", sizeof(Pose), 8, pose_fields, 3, offsetof(Pose, position[1])},
    [LINE] = {"Line", sizeof(Line), 64, line_fields, 3, offsetof(Line, target)},
    [BULK] = {"Bulk", sizeof(Bulk), 8, bulk_fields, 2, offsetof(Bulk, key)},
    [PLAIN] = {"Plain", 12, 4, NULL, 0, 4},
    [TAG] = {"Tag", 0, 1, NULL, 0, SIZE_MAX},
};

enum { ARCHETYPE_COUNT = 9 };

static const struct layout_plan {
    uint32_t kinds[4]; // behind the last one KIND_COUNT
    uint32_t max;
    bool temporary;
} plans[ARCHETYPE_COUNT] = {
    {{MOTE, BLEND, PLAIN, KIND_COUNT}, 0, false},
    {{BLEND, POSE, KIND_COUNT}, 5, false},
    {{POSE, TAG, KIND_COUNT}, 0, false},
    {{LINE, MOTE, KIND_COUNT}, 0, true},
    {{MOTE, TAG, KIND_COUNT}, 6, false},
    {{MOTE, KIND_COUNT}, 0, false},
    {{BULK, TAG, KIND_COUNT}, 3, false},
    {{BULK, KIND_COUNT}, 0, false},
    {{POSE, KIND_COUNT}, 40, false},
};

struct twin {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component kinds[KIND_COUNT];
    cosm_archetype archetypes[ARCHETYPE_COUNT];
    cosm_query *queries[3];
    cosm_commands *commands;
    struct dice rubbish; // what its gaps hold
};

struct twins {
    struct twin list[TWIN_COUNT];
    struct dice dice;
    cosm_entity entities[ENTITY_MAX];
    uint32_t entity_count;
};

static cosm_layout layout_of(uint32_t which, uint32_t kind) {
    bool split = which == TWIN_SPLIT || (which == TWIN_MIXED && kind % 2 == 0);
    return kinds[kind].field_count > 0 && split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
}

// The bytes of a value: its fields from a number, and rubbish of the twin's own between them.
static const void *make_value(struct twin *twin, uint32_t kind, uint64_t number, uint8_t *out) {
    struct dice dice = {number * 64 + kind};
    for (size_t i = 0; i < kinds[kind].size; i++) {
        bool described = kinds[kind].field_count > 0;
        out[i] = (uint8_t)dice_next(described ? &twin->rubbish : &dice);
    }
    for (uint32_t f = 0; f < kinds[kind].field_count; f++) {
        const cosm_field *field = &kinds[kind].fields[f];
        for (size_t i = 0; i < cosm_field_size(field); i++) {
            out[field->offset + i] = (uint8_t)dice_next(&dice);
        }
    }
    return kinds[kind].size > 0 ? out : NULL;
}

// Adds the run's numbers up, field by field, whatever the layout.
static void stir(cosm_rows *rows) {
    const struct twin *twin = rows->context;
    cosm_span low = cosm_rows_span(rows, twin->kinds[BLEND], 0);
    cosm_span tiny = cosm_rows_span(rows, twin->kinds[BLEND], 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        int16_t *sum = (int16_t *)(void *)((char *)low.data + i * low.stride);
        *sum = (int16_t)(*sum + ((uint8_t *)tiny.data)[i * tiny.stride]);
    }
}

static void define_kinds(struct twin *twin, uint32_t which) {
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        uint8_t value[VALUE_MAX];
        cosm_component_desc desc = {.name = kinds[k].name,
                                    .size = kinds[k].size,
                                    .alignment = kinds[k].alignment,
                                    .default_value = make_value(twin, k, 99, value),
                                    .layout = layout_of(which, k),
                                    .fields = kinds[k].fields,
                                    .field_count = kinds[k].field_count};
        twin->kinds[k] = cosm_component_define(twin->engine, &desc);
        CHECK(twin->kinds[k].id == k + 1);
    }
}

// In the mixed twin some columns have the layout that is not their component's own.
static void define_archetypes(struct twin *twin, uint32_t which, struct dice *dice) {
    for (uint32_t a = 0; a < ARCHETYPE_COUNT; a++) {
        const struct layout_plan *plan = &plans[a];
        cosm_archetype_desc desc = {.max_per_world = plan->max, .temporary = plan->temporary};
        desc.placement = plan->max > 0 ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
        uint32_t layout_count = 0;
        for (uint32_t i = 0; plan->kinds[i] < KIND_COUNT; i++) {
            uint32_t kind = plan->kinds[i];
            desc.components[i] = twin->kinds[kind];
            bool turned = dice_roll(dice, 2) == 1 && which == TWIN_MIXED;
            if (turned && kinds[kind].field_count > 0) {
                cosm_layout own = layout_of(which, kind);
                desc.layouts[layout_count].component = twin->kinds[kind];
                desc.layouts[layout_count++].layout =
                    own == COSM_LAYOUT_SPLIT ? COSM_LAYOUT_STRUCT : COSM_LAYOUT_SPLIT;
            }
        }
        twin->archetypes[a] = cosm_archetype_define(twin->engine, &desc);
        CHECK(twin->archetypes[a].id == a + 1);
    }
}

static void open_twin(struct twin *twin, uint32_t which, struct dice *dice) {
    memset(twin, 0, sizeof(*twin));
    twin->rubbish.state = which + 1;
    twin->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = which + 1});
    define_kinds(twin, which);
    define_archetypes(twin, which, dice);
    static const cosm_split splits[TWIN_COUNT] = {COSM_SPLIT_NONE, COSM_SPLIT_CHUNKS,
                                                  COSM_SPLIT_WORLDS};
    twin->batch = cosm_batch_create(
        twin->engine,
        &(cosm_batch_desc){.world_count = WORLD_COUNT, .split = splits[which], .seed = 5});
    const cosm_query_desc descs[3] = {
        {.terms = {{.component = twin->kinds[MOTE], .access = COSM_ACCESS_WRITE}}},
        {.terms = {{.component = twin->kinds[POSE], .access = COSM_ACCESS_WRITE},
                   {.component = twin->kinds[TAG], .kind = COSM_TERM_WITHOUT}}},
        {.terms = {{.component = twin->kinds[BLEND], .access = COSM_ACCESS_WRITE},
                   {.component = twin->kinds[MOTE],
                    .access = COSM_ACCESS_WRITE,
                    .kind = COSM_TERM_OPTIONAL}}},
    };
    for (uint32_t i = 0; i < 3; i++) {
        twin->queries[i] = cosm_query_create(twin->engine, &descs[i]);
    }
    cosm_system_desc system = {
        .name = "stir", .each = stir, .context = twin, .queries = {descs[2]}};
    CHECK(cosm_system_define(twin->engine, &system).id != 0);
    twin->commands = cosm_commands_create(twin->batch);
    CHECK(twin->commands != NULL);
}

static void close_twin(struct twin *twin) {
    CHECK_VALID(twin->batch);
    cosm_commands_destroy(twin->commands);
    for (uint32_t i = 0; i < 3; i++) {
        cosm_query_destroy(twin->queries[i]);
    }
    CHECK_DONE(cosm_batch_destroy(twin->batch));
    CHECK_DONE(cosm_engine_destroy(twin->engine));
}

static void twins_open(struct twins *twins, uint64_t seed) {
    memset(twins, 0, sizeof(*twins));
    twins->dice.state = seed;
    for (uint32_t t = 0; t < TWIN_COUNT; t++) {
        open_twin(&twins->list[t], t, &twins->dice);
    }
}

static void twins_close(struct twins *twins) {
    for (uint32_t t = 0; t < TWIN_COUNT; t++) {
        close_twin(&twins->list[t]);
    }
}

// What one call is about: the same for all twins.
struct call {
    uint32_t op;
    uint32_t world;
    uint32_t archetype;
    uint32_t kind;
    uint32_t query;
    uint32_t count;
    uint64_t number;
    cosm_entity entity;
    cosm_entity list[LIST_MAX];
};

static cosm_entity some_entity(struct twins *twins) {
    uint32_t count = twins->entity_count;
    return count == 0 ? COSM_ENTITY_NONE : twins->entities[dice_roll(&twins->dice, count)];
}

static struct call roll_call(struct twins *twins, uint32_t op_count) {
    struct dice *dice = &twins->dice;
    struct call call = {.op = dice_roll(dice, op_count),
                        .world = dice_roll(dice, WORLD_COUNT),
                        .archetype = dice_roll(dice, ARCHETYPE_COUNT),
                        .kind = dice_roll(dice, KIND_COUNT),
                        .query = dice_roll(dice, 3),
                        .count = 1 + dice_roll(dice, LIST_MAX),
                        .number = dice_roll(dice, 1000)};
    call.entity = some_entity(twins);
    for (uint32_t i = 0; i < LIST_MAX; i++) {
        call.list[i] = some_entity(twins);
    }
    return call;
}

// What a call did, to be held against the other twins.
struct outcome {
    cosm_result result;
    cosm_entity entity; // that came of it
};

static struct outcome of_result(cosm_result result) {
    return (struct outcome){result, COSM_ENTITY_NONE};
}

static struct outcome of_entity(cosm_entity entity) {
    bool none = cosm_entity_is_none(entity);
    return (struct outcome){none ? cosm_error_result() : COSM_OK, entity};
}

typedef struct outcome op_fn(struct twin *twin, const struct call *call);

static cosm_world world_of(const struct twin *twin, const struct call *call) {
    return cosm_batch_world(twin->batch, call->world);
}

static struct outcome op_spawn(struct twin *twin, const struct call *call) {
    return of_entity(cosm_entity_spawn(world_of(twin, call), twin->archetypes[call->archetype]));
}

static struct outcome op_spawn_with(struct twin *twin, const struct call *call) {
    static uint8_t bytes[4][VALUE_MAX];
    cosm_value values[4];
    uint32_t count = 0;
    const uint32_t *list = plans[call->archetype].kinds;
    for (uint32_t i = 0; list[i] < KIND_COUNT; i++) {
        if ((call->number >> i & 1) == 0) {
            values[count].component = twin->kinds[list[i]];
            values[count].data = make_value(twin, list[i], call->number + i, bytes[count]);
            count++;
        }
    }
    cosm_archetype archetype = twin->archetypes[call->archetype];
    if (plans[call->archetype].temporary) {
        cosm_world world = world_of(twin, call);
        return of_result(cosm_commands_emit(twin->commands, world, archetype, values, count));
    }
    if (call->number % 4 == 3) {
        return of_entity(cosm_commands_spawn_with(twin->commands, world_of(twin, call), archetype,
                                                  values, count));
    }
    return of_entity(cosm_entity_spawn_with(world_of(twin, call), archetype, values, count));
}

// Fills the new rows of one component, whole or by field.
static void fill_rows(struct twin *twin, const struct call *call, const cosm_rows *rows,
                      uint32_t kind) {
    uint8_t bytes[VALUE_MAX];
    for (uint32_t i = 0; i < rows->count && kinds[kind].size > 0; i++) {
        const uint8_t *value = make_value(twin, kind, call->number + i % 5, bytes);
        if (call->number % 2 == 0 || kinds[kind].field_count == 0) {
            CHECK_DONE(cosm_rows_set(rows, i, twin->kinds[kind], value));
            continue;
        }
        for (uint32_t f = 0; f < kinds[kind].field_count; f++) {
            const cosm_field *field = &kinds[kind].fields[f];
            cosm_span span = cosm_rows_span(rows, twin->kinds[kind], f);
            memcpy((char *)span.data + i * span.stride, value + field->offset,
                   cosm_field_size(field));
        }
    }
}

static struct outcome op_spawn_many(struct twin *twin, const struct call *call) {
    cosm_rows rows;
    cosm_world world = world_of(twin, call);
    cosm_archetype archetype = twin->archetypes[call->archetype];
    cosm_result result = call->number % 3 == 0
                             ? cosm_entity_spawn_many_unset(world, archetype, call->count, &rows)
                             : cosm_entity_spawn_many(world, archetype, call->count, &rows);
    const uint32_t *list = plans[call->archetype].kinds;
    for (uint32_t i = 0; result == COSM_OK && list[i] < KIND_COUNT; i++) {
        if (call->number % 3 == 0 || (call->number >> (4 + i) & 1) == 0) {
            fill_rows(twin, call, &rows, list[i]);
        }
    }
    bool shows = result == COSM_OK && rows.entities != NULL;
    return (struct outcome){result, shows ? rows.entities[0] : COSM_ENTITY_NONE};
}

static struct outcome op_despawn(struct twin *twin, const struct call *call) {
    return of_result(cosm_entity_despawn(world_of(twin, call), call->entity));
}

static struct outcome op_add(struct twin *twin, const struct call *call) {
    return of_result(cosm_entity_add(world_of(twin, call), call->entity, twin->kinds[call->kind]));
}

static struct outcome op_remove(struct twin *twin, const struct call *call) {
    return of_result(
        cosm_entity_remove(world_of(twin, call), call->entity, twin->kinds[call->kind]));
}

static struct outcome op_set(struct twin *twin, const struct call *call) {
    uint8_t bytes[VALUE_MAX];
    const void *value = make_value(twin, call->kind, call->number, bytes);
    return of_result(
        cosm_entity_set(world_of(twin, call), call->entity, twin->kinds[call->kind], value));
}

static struct outcome op_many(struct twin *twin, const struct call *call) {
    static uint8_t bytes[LIST_MAX * VALUE_MAX];
    cosm_world world = world_of(twin, call);
    cosm_component component = twin->kinds[call->kind];
    if (call->number % 3 == 0) {
        return of_result(cosm_entity_add_many(world, call->list, call->count, component));
    }
    if (call->number % 3 == 1) {
        return of_result(cosm_entity_remove_many(world, call->list, call->count, component));
    }
    for (uint32_t i = 0; i < call->count; i++) {
        (void)make_value(twin, call->kind, call->number + i, bytes + i * kinds[call->kind].size);
    }
    return of_result(cosm_entity_set_many(world, call->list, call->count, component, bytes));
}

static struct outcome op_query(struct twin *twin, const struct call *call) {
    const cosm_query *query = twin->queries[call->query];
    cosm_component component = twin->kinds[call->kind];
    cosm_worlds worlds =
        call->count % 2 == 0 ? cosm_worlds_all(twin->batch) : cosm_worlds_one(world_of(twin, call));
    uint8_t bytes[VALUE_MAX];
    switch (call->number % 7) {
    case 0:
    case 1:
        return of_result(cosm_query_add(query, worlds, component));
    case 2:
    case 3:
        return of_result(cosm_query_remove(query, worlds, component));
    case 4:
    case 5:
        return of_result(cosm_query_set(query, worlds, component,
                                        make_value(twin, call->kind, call->number, bytes)));
    default:
        return of_result(call->count > 4 ? COSM_OK : cosm_query_despawn(query, worlds));
    }
}

static struct outcome op_record(struct twin *twin, const struct call *call) {
    uint8_t bytes[VALUE_MAX];
    cosm_world world = world_of(twin, call);
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < call->count % 8 && result == COSM_OK; i++) {
        uint32_t kind = (call->kind + i) % KIND_COUNT;
        cosm_component component = twin->kinds[kind];
        switch ((call->number >> i) % 4) {
        case 0:
            result = cosm_commands_add(twin->commands, world, call->list[i / 2], component);
            break;
        case 1:
            result = cosm_commands_remove(twin->commands, world, call->list[i / 2], component);
            break;
        case 2:
            result = cosm_commands_set(twin->commands, world, call->list[i / 2], component,
                                       make_value(twin, kind, call->number + i, bytes));
            break;
        default:
            result = cosm_commands_despawn(twin->commands, world, call->list[i]);
            break;
        }
    }
    return of_result(result);
}

static struct outcome op_apply(struct twin *twin, const struct call *call) {
    cosm_commands_report report = {0, 0, 0, 0, 0};
    cosm_result result = cosm_commands_apply(twin->commands, &report);
    (void)call;
    if (result != COSM_OK) {
        cosm_commands_clear(twin->commands);
    }
    // The report takes the place of a handle.
    return (struct outcome){result, {report.moved * 1000 + report.written, report.spawned}};
}

// By the first field, or by the first bytes of what is not described.
static uint64_t first_field(void *context, cosm_entity entity, const void *value) {
    const struct kind *kind = context;
    uint64_t key = 0;
    (void)entity;
    size_t size = kind->field_count > 0 ? cosm_field_size(&kind->fields[0]) : kind->size;
    size_t offset = kind->field_count > 0 ? kind->fields[0].offset : 0;
    memcpy(&key, (const char *)value + offset, size < sizeof(key) ? size : sizeof(key));
    return key;
}

static struct outcome op_sort(struct twin *twin, const struct call *call) {
    cosm_world world = world_of(twin, call);
    cosm_archetype archetype = twin->archetypes[call->archetype];
    const struct kind *kind = &kinds[call->kind];
    if (call->number % 2 == 0 && kind->sorted != SIZE_MAX) {
        return of_result(
            cosm_table_sort_u32(world, archetype, twin->kinds[call->kind], kind->sorted));
    }
    return of_result(cosm_table_sort(world, archetype, twin->kinds[call->kind], first_field,
                                     (void *)(uintptr_t)kind));
}

// Writes through the spans of a walk.
static struct outcome op_walk(struct twin *twin, const struct call *call) {
    cosm_rows rows;
    cosm_query_walk(twin->queries[2], cosm_worlds_all(twin->batch), &rows);
    while (cosm_rows_next(&rows)) {
        cosm_span pair = cosm_rows_span(&rows, twin->kinds[BLEND], 2);
        for (uint32_t i = 0; i < rows.count; i++) {
            uint16_t *at = (uint16_t *)(void *)((char *)pair.data + i * pair.stride);
            at[call->number % 2] = (uint16_t)(at[call->number % 2] + call->number);
        }
    }
    return of_result(COSM_OK);
}

static struct outcome op_house(struct twin *twin, const struct call *call) {
    switch (call->number % 5) {
    case 0:
        return of_result(cosm_batch_trim(twin->batch));
    case 1:
        return of_result(call->count > 6 ? COSM_OK : cosm_world_reset(world_of(twin, call)));
    case 2:
        return of_result(cosm_table_clear(world_of(twin, call), twin->archetypes[call->archetype]));
    default:
        return of_result(cosm_batch_step(twin->batch));
    }
}

static const struct {
    const char *name;
    op_fn *run;
} ops[] = {
    {"spawn", op_spawn},
    {"spawn with", op_spawn_with},
    {"spawn with", op_spawn_with},
    {"spawn many", op_spawn_many},
    {"spawn many", op_spawn_many},
    {"despawn", op_despawn},
    {"add", op_add},
    {"add", op_add},
    {"remove", op_remove},
    {"set", op_set},
    {"many", op_many},
    {"query", op_query},
    {"record", op_record},
    {"record", op_record},
    {"apply", op_apply},
    {"sort", op_sort},
    {"walk", op_walk},
    {"house", op_house},
};

enum { OP_COUNT = sizeof(ops) / sizeof(ops[0]) };

// Do the twins hold the same state?
static bool agree(const struct twins *twins) {
    const struct twin *first = &twins->list[0];
    bool same = true;
    for (uint32_t t = 1; t < TWIN_COUNT; t++) {
        const struct twin *other = &twins->list[t];
        same = same && cosm_hash_batch(first->batch, COSM_HASH_EXACT) ==
                           cosm_hash_batch(other->batch, COSM_HASH_EXACT);
    }
    return same;
}

// One call in all twins; false where they differ.
static bool play(struct twins *twins) {
    struct call call = roll_call(twins, OP_COUNT);
    struct outcome outcomes[TWIN_COUNT];
    bool same = true;
    for (uint32_t t = 0; t < TWIN_COUNT; t++) {
        outcomes[t] = ops[call.op].run(&twins->list[t], &call);
        same = same && outcomes[t].result == outcomes[0].result &&
               cosm_entity_equals(outcomes[t].entity, outcomes[0].entity);
    }
    cosm_entity born = outcomes[0].entity;
    if (outcomes[0].result == COSM_OK && call.op < 5 && !cosm_entity_is_none(born)) {
        uint32_t at = twins->entity_count < ENTITY_MAX ? twins->entity_count++
                                                       : dice_roll(&twins->dice, ENTITY_MAX);
        twins->entities[at] = born;
    }
    if (!same || !agree(twins)) {
        fprintf(stderr, "%s, kind %u, archetype %u, world %u, number %" PRIu64 ": %s and %s\n",
                ops[call.op].name, call.kind, call.archetype, call.world, call.number,
                cosm_result_name(outcomes[TWIN_WHOLE].result),
                cosm_result_name(outcomes[TWIN_SPLIT].result));
        return false;
    }
    return true;
}

TEST(layout_changes_neither_results_nor_handles_nor_checksums) {
    uint32_t failures = 0;
    uint32_t count = harness_is_long() ? HISTORY_COUNT * 20 : HISTORY_COUNT;
    for (uint32_t i = 0; i < count && failures == 0; i++) {
        uint64_t seed = harness_seed() + i;
        static struct twins twins;
        twins_open(&twins, seed);
        for (uint32_t step = 0; step < HISTORY_LENGTH && failures == 0; step++) {
            if (!play(&twins)) {
                fprintf(stderr, "the twins of seed %" PRIu64 " part at call %u\n", seed, step);
                failures++;
            }
        }
        twins_close(&twins);
    }
    CHECK_INT(failures, 0);
}

// Turns each byte of a component of an entity over, in all twins, and back.
static void turn_bytes(struct twins *twins, uint32_t index, cosm_entity entity, uint32_t kind) {
    static uint8_t bytes[VALUE_MAX];
    for (size_t at = 0; at < kinds[kind].size; at++) {
        bool covered = false;
        for (uint32_t f = 0; f < kinds[kind].field_count; f++) {
            const cosm_field *field = &kinds[kind].fields[f];
            covered = covered || at - field->offset < cosm_field_size(field);
        }
        bool right = true;
        for (uint32_t t = 0; t < TWIN_COUNT; t++) {
            struct twin *twin = &twins->list[t];
            cosm_world world = cosm_batch_world(twin->batch, index);
            right = right && cosm_entity_get(world, entity, twin->kinds[kind], bytes);
            uint64_t before = cosm_hash_world(world, COSM_HASH_EXACT);
            bytes[at] ^= 0x10;
            CHECK_DONE(cosm_entity_set(world, entity, twin->kinds[kind], bytes));
            right = right && (cosm_hash_world(world, COSM_HASH_EXACT) != before) == covered;
            bytes[at] ^= 0x10;
            CHECK_DONE(cosm_entity_set(world, entity, twin->kinds[kind], bytes));
            right = right && cosm_hash_world(world, COSM_HASH_EXACT) == before;
        }
        CHECK(right);
    }
}

TEST(a_checksum_notices_every_byte_of_every_field_and_no_gap) {
    static struct twins twins;
    twins_open(&twins, harness_seed());
    for (uint32_t a = 0; a < ARCHETYPE_COUNT; a++) {
        uint32_t world = a % WORLD_COUNT;
        cosm_entity entity = COSM_ENTITY_NONE;
        for (uint32_t t = 0; t < TWIN_COUNT && !plans[a].temporary; t++) {
            struct twin *twin = &twins.list[t];
            entity = cosm_entity_spawn(cosm_batch_world(twin->batch, world), twin->archetypes[a]);
        }
        for (uint32_t i = 0; !plans[a].temporary && plans[a].kinds[i] < KIND_COUNT; i++) {
            if (kinds[plans[a].kinds[i]].field_count > 0) {
                turn_bytes(&twins, world, entity, plans[a].kinds[i]);
            }
        }
        CHECK(agree(&twins));
    }
    twins_close(&twins);
}
