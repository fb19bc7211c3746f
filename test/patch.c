// Patches: from any state to any other, here and in another engine, and bytes that are not trusted.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/mixed.h"
#include "support/portrait.h"

static uint64_t hash_of(const cosm_snapshot *snapshot) {
    return cosm_hash_snapshot(snapshot, COSM_HASH_EXACT);
}

static uint64_t hash_now(const struct mixed *mixed) {
    return cosm_hash_batch(mixed->batch, COSM_HASH_EXACT);
}

#define KEPT_COUNT 12

// A history, with snapshots on the way.
static void make_history(struct mixed *mixed, struct dice *dice, struct mixed_cast *cast,
                         cosm_snapshot **out_kept, uint32_t acts) {
    for (uint32_t i = 0; i < KEPT_COUNT; i++) {
        out_kept[i] = cosm_snapshot_create(mixed->all);
        CHECK(out_kept[i] != NULL);
        for (uint32_t n = dice_roll(dice, acts) + 1; n > 0; n--) {
            mixed_act(mixed, dice, cast);
        }
    }
}

static void forget_history(cosm_snapshot **kept) {
    for (uint32_t i = 0; i < KEPT_COUNT; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
}

static void none_at_first(struct mixed_cast *cast) {
    for (uint32_t i = 0; i < MIXED_ENTITY_COUNT; i++) {
        cast->entities[i] = COSM_ENTITY_NONE;
    }
}

// Both ways between two states: in the batch, and without one.
static void check_pair(struct mixed *mixed, const cosm_snapshot *before,
                       const cosm_snapshot *after) {
    cosm_patch *there = cosm_patch_create(before, after);
    cosm_patch *back = cosm_patch_create(after, before);
    CHECK(there != NULL && back != NULL);
    CHECK_DONE(cosm_snapshot_restore(before, 0, mixed->all));
    CHECK_DONE(cosm_patch_apply(there, mixed->all));
    CHECK_VALID(mixed->batch);
    CHECK_INT(hash_now(mixed), hash_of(after));
    CHECK_INT(cosm_batch_step_count(mixed->batch), cosm_snapshot_describe(after).step_count);
    cosm_snapshot *made = cosm_patch_snapshot(there, before);
    CHECK(made != NULL);
    CHECK_INT(hash_of(made), hash_of(after));
    CHECK_DONE(cosm_patch_apply(back, mixed->all));
    CHECK_VALID(mixed->batch);
    CHECK_INT(hash_now(mixed), hash_of(before));
    if (hash_of(before) != hash_of(after)) {
        CHECK_FAILS(cosm_patch_apply(back, mixed->all), COSM_ERROR_CONFLICT,
                    "cosm_patch_apply:", "world", "in order");
        CHECK_INT(hash_now(mixed), hash_of(before));
    } else {
        CHECK_INT(cosm_patch_describe(there).changed_count, 0);
    }
    cosm_snapshot_destroy(made);
    cosm_patch_destroy(there);
    cosm_patch_destroy(back);
}

TEST(a_patch_leads_from_any_state_to_any_other) {
    struct dice dice = {harness_seed()};
    for (int round = 0; round < 6; round++) {
        struct mixed mixed;
        struct mixed_cast cast;
        cosm_snapshot *kept[KEPT_COUNT];
        none_at_first(&cast);
        mixed_open(&mixed, 1 + (uint32_t)round % 3, round % 2 == 1, NULL);
        make_history(&mixed, &dice, &cast, kept, 120);
        for (int i = 0; i < 20; i++) {
            check_pair(&mixed, kept[dice_roll(&dice, KEPT_COUNT)],
                       kept[dice_roll(&dice, KEPT_COUNT)]);
        }
        forget_history(kept);
        mixed_close(&mixed);
    }
}

// The bytes of a patch, opened by another engine.
static cosm_patch *carry(const cosm_patch *patch, cosm_engine *engine) {
    cosm_patch *opened =
        cosm_patch_open(engine, cosm_patch_describe(patch).bytes, cosm_patch_describe(patch).size);
    CHECK_STR(opened == NULL ? cosm_error_message() : "", "");
    return opened;
}

// Forms archetypes in an order of its own, and goes back to the beginning.
static void stray(struct mixed *mixed, struct dice *dice) {
    struct mixed_cast cast;
    none_at_first(&cast);
    cosm_snapshot *start = cosm_snapshot_create(mixed->all);
    for (int i = 0; i < 100; i++) {
        mixed_act(mixed, dice, &cast);
    }
    CHECK_DONE(cosm_snapshot_restore(start, 0, mixed->all));
    cosm_snapshot_destroy(start);
}

TEST(a_mirror_in_an_engine_that_formed_archetypes_in_another_order_follows) {
    struct dice dice = {harness_seed() + 1};
    for (int round = 0; round < 4; round++) {
        struct mixed source;
        struct mixed mirror;
        struct mixed_cast cast;
        none_at_first(&cast);
        mixed_open(&source, 2, round % 2 == 0, NULL);
        mixed_open(&mirror, 2, round % 2 == 0, NULL);
        stray(&mirror, &dice);
        CHECK_INT(hash_now(&source), hash_now(&mirror));
        cosm_snapshot *sent = cosm_snapshot_create(source.all);
        for (int i = 0; i < 60; i++) {
            for (uint32_t n = dice_roll(&dice, 40) + 1; n > 0; n--) {
                mixed_act(&source, &dice, &cast);
            }
            cosm_patch *patch = cosm_patch_create_now(sent, source.all);
            REQUIRE(patch != NULL);
            cosm_patch *opened = carry(patch, mirror.engine);
            REQUIRE(opened != NULL);
            CHECK_DONE(cosm_patch_apply(opened, mirror.all));
            CHECK_VALID(mirror.batch);
            CHECK_INT(hash_now(&mirror), hash_now(&source));
            CHECK_INT(cosm_batch_step_count(mirror.batch), cosm_batch_step_count(source.batch));
            cosm_snapshot_destroy(sent);
            sent = cosm_snapshot_create(source.all);
            cosm_patch_destroy(patch);
            cosm_patch_destroy(opened);
        }
        // What comes next is the same in both, too.
        for (uint32_t w = 0; w < 2; w++) {
            cosm_entity a = cosm_entity_spawn((cosm_world){source.batch, w}, source.plain);
            cosm_entity b = cosm_entity_spawn((cosm_world){mirror.batch, w}, mirror.plain);
            CHECK_INT(a.id, b.id);
            CHECK_INT(a.gen, b.gen);
        }
        CHECK_DONE(cosm_batch_step(source.batch));
        CHECK_DONE(cosm_batch_step(mirror.batch));
        CHECK_INT(hash_now(&mirror), hash_now(&source));
        cosm_snapshot_destroy(sent);
        mixed_close(&source);
        mixed_close(&mirror);
    }
}

TEST(an_engine_that_defined_all_in_another_order_refuses) {
    struct mixed source;
    struct mixed mirror;
    mixed_open(&source, 1, false, NULL);
    mixed_open(&mirror, 1, true, NULL);
    cosm_snapshot *sent = cosm_snapshot_create(source.all);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn((cosm_world){source.batch, 0}, source.plain)));
    cosm_patch *patch = cosm_patch_create_now(sent, source.all);
    REQUIRE(patch != NULL);
    CHECK(cosm_patch_open(mirror.engine, cosm_patch_describe(patch).bytes,
                          cosm_patch_describe(patch).size) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_patch_open:", "defined in another order",
                  "use a save file");
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(sent);
    mixed_close(&source);
    mixed_close(&mirror);
}

TEST(a_patch_says_what_it_is_for) {
    struct mixed mixed;
    mixed_open(&mixed, 5, false, NULL);
    cosm_snapshot *before = cosm_snapshot_create(mixed.all);
    (void)cosm_entity_spawn((cosm_world){mixed.batch, 1}, mixed.plain);
    (void)cosm_entity_spawn((cosm_world){mixed.batch, 4}, mixed.plain);
    cosm_snapshot *after = cosm_snapshot_create(mixed.all);
    cosm_patch *patch = cosm_patch_create(before, after);
    CHECK_INT(cosm_patch_describe(patch).world_count, 5);
    CHECK_INT(cosm_patch_describe(patch).changed_count, 2);
    for (uint32_t w = 0; w < 6; w++) {
        bool changed = w == 1 || w == 4;
        CHECK_INT(cosm_patch_hash_before(patch, w),
                  changed ? cosm_hash_snapshot_world(before, w, COSM_HASH_EXACT) : 0);
        CHECK_INT(cosm_patch_hash_after(patch, w),
                  changed ? cosm_hash_snapshot_world(after, w, COSM_HASH_EXACT) : 0);
    }
    // Of the worlds that it does not change it knows the state, too.
    CHECK_DONE(cosm_snapshot_restore(before, 0, mixed.all));
    (void)cosm_entity_spawn((cosm_world){mixed.batch, 2}, mixed.plain);
    uint64_t hash = hash_now(&mixed);
    CHECK_FAILS(cosm_patch_apply(patch, mixed.all), COSM_ERROR_CONFLICT,
                "cosm_patch_apply:", "does not change", "in order");
    CHECK_INT(hash_now(&mixed), hash);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(before);
    cosm_snapshot_destroy(after);
    CHECK(cosm_patch_describe(NULL).bytes == NULL);
    CHECK_INT(cosm_patch_describe(NULL).size, 0);
    CHECK_INT(cosm_patch_describe(NULL).world_count, 0);
    CHECK_INT(cosm_patch_describe(NULL).changed_count, 0);
    CHECK_INT(cosm_patch_hash_before(NULL, 0), 0);
    cosm_patch_destroy(NULL);
    mixed_close(&mixed);
}

TEST(one_value_of_many_rows_makes_a_small_patch) {
    struct mixed mixed;
    mixed_open(&mixed, 1, false, NULL);
    cosm_world world = {mixed.batch, 0};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(world, mixed.plain, 100000, &rows));
    cosm_entity some = rows.entities[70000];
    cosm_snapshot *before = cosm_snapshot_create(mixed.all);
    cosm_patch *nothing = cosm_patch_create_now(before, mixed.all);
    CHECK_DONE(
        cosm_entity_set(world, some, mixed.components[MIXED_POSITION], &(Position){1, 2, 3}));
    cosm_patch *patch = cosm_patch_create_now(before, mixed.all);
    CHECK(cosm_patch_describe(nothing).size < 64);
    CHECK(cosm_patch_describe(patch).size < 128);
    cosm_patch_destroy(patch);
    CHECK_DONE(cosm_entity_despawn(world, some));
    patch = cosm_patch_create_now(before, mixed.all);
    CHECK(cosm_patch_describe(patch).size < 160);
    cosm_patch_destroy(patch);
    cosm_patch_destroy(nothing);
    // New rows take their values, and two bytes for a handle.
    CHECK_DONE(cosm_snapshot_restore(before, 0, mixed.all));
    CHECK_DONE(cosm_entity_spawn_many(world, mixed.plain, 100000, &rows));
    patch = cosm_patch_create_now(before, mixed.all);
    CHECK(cosm_patch_describe(patch).size < 100000 * (sizeof(Position) + 2) + 256);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(before);
    mixed_close(&mixed);
}

TEST(padding_alone_is_no_difference) {
    struct mixed mixed;
    mixed_open(&mixed, 1, true, NULL);
    cosm_world world = {mixed.batch, 0};
    cosm_entity entity = cosm_entity_spawn(world, mixed.heavy);
    MixedBody *body = cosm_entity_write(world, entity, mixed.components[MIXED_BODY]);
    memset(body, 0x11, sizeof(*body));
    body->kind = 1;
    MixedClock *clock = cosm_singleton_write(world, mixed.clock);
    memset(clock, 0x11, sizeof(*clock));
    cosm_snapshot *before = cosm_snapshot_create(mixed.all);
    body = cosm_entity_write(world, entity, mixed.components[MIXED_BODY]);
    MixedBody same = *body;
    memset(body, 0xEE, sizeof(*body));
    body->kind = same.kind;
    body->mass = same.mass;
    body->rank = same.rank;
    clock = cosm_singleton_write(world, mixed.clock);
    MixedClock same_clock = *clock;
    memset(clock, 0xEE, sizeof(*clock));
    clock->flag = same_clock.flag;
    clock->ticks = same_clock.ticks;
    cosm_patch *patch = cosm_patch_create_now(before, mixed.all);
    CHECK_INT(cosm_patch_describe(patch).changed_count, 0);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(before);
    mixed_close(&mixed);
}

// A patch between two states with something of everything in them.
struct rich {
    struct mixed mixed;
    cosm_snapshot *before;
    cosm_snapshot *after;
    cosm_patch *patch;
};

static void rich_open(struct rich *rich, uint64_t seed, uint32_t acts,
                      const cosm_allocator *allocator) {
    struct dice dice = {seed};
    struct mixed_cast cast;
    none_at_first(&cast);
    mixed_open(&rich->mixed, 2, false, allocator);
    for (int i = 0; i < 150; i++) {
        mixed_act(&rich->mixed, &dice, &cast);
    }
    rich->before = cosm_snapshot_create(rich->mixed.all);
    for (uint32_t i = 0; i < acts; i++) {
        mixed_act(&rich->mixed, &dice, &cast);
    }
    rich->after = cosm_snapshot_create(rich->mixed.all);
    rich->patch = cosm_patch_create(rich->before, rich->after);
    CHECK(rich->patch != NULL);
    CHECK_DONE(cosm_snapshot_restore(rich->before, 0, rich->mixed.all));
}

static void rich_close(struct rich *rich) {
    cosm_patch_destroy(rich->patch);
    cosm_snapshot_destroy(rich->before);
    cosm_snapshot_destroy(rich->after);
    mixed_close(&rich->mixed);
}

// Bytes that may be anything: refused, with a message and nothing changed, or right.
static void try_bytes(struct rich *rich, const void *bytes, size_t size, uint64_t hash_before,
                      uint64_t hash_after) {
    cosm_error_clear();
    cosm_patch *patch = cosm_patch_open(rich->mixed.engine, bytes, size);
    if (patch == NULL) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
        return;
    }
    cosm_snapshot *made = cosm_patch_snapshot(patch, rich->before);
    if (made == NULL) {
        CHECK(cosm_error_result() == COSM_ERROR_FORMAT ||
              cosm_error_result() == COSM_ERROR_CONFLICT ||
              cosm_error_result() == COSM_ERROR_ARGUMENT);
    } else {
        CHECK_INT(hash_of(made), hash_after);
        cosm_snapshot_destroy(made);
        CHECK_DONE(cosm_patch_apply(patch, rich->mixed.all));
        CHECK_DONE(cosm_snapshot_restore(rich->before, 0, rich->mixed.all));
    }
    CHECK_INT(hash_now(&rich->mixed), hash_before);
    cosm_patch_destroy(patch);
}

TEST(bytes_that_are_cut_off_or_changed_are_refused_or_right) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct rich rich;
        rich_open(&rich, seed, 25, NULL);
        size_t size = cosm_patch_describe(rich.patch).size;
        uint64_t before = hash_now(&rich.mixed);
        uint64_t after = hash_of(rich.after);
        // Every byte of the first ones, and some of the others.
        size_t stride = size / 1500 + 1;
        for (size_t i = 0; i < size; i += i < 600 ? 1 : stride) {
            unsigned char *bytes = malloc(size);
            REQUIRE(bytes != NULL);
            memcpy(bytes, cosm_patch_describe(rich.patch).bytes, size);
            bytes[i] ^= (unsigned char)(1u << (i % 8));
            try_bytes(&rich, bytes, size, before, after);
            bytes[i] = 0xFF;
            try_bytes(&rich, bytes, size, before, after);
            free(bytes);
            bytes = malloc(i + 1);
            REQUIRE(bytes != NULL);
            memcpy(bytes, cosm_patch_describe(rich.patch).bytes, i);
            try_bytes(&rich, bytes, i, before, after);
            free(bytes);
        }
        rich_close(&rich);
    }
}

TEST(bytes_behind_the_end_are_refused) {
    struct rich rich;
    rich_open(&rich, 4, 10, NULL);
    size_t size = cosm_patch_describe(rich.patch).size;
    unsigned char *bytes = calloc(1, size + 1);
    REQUIRE(bytes != NULL);
    memcpy(bytes, cosm_patch_describe(rich.patch).bytes, size);
    CHECK(cosm_patch_open(rich.mixed.engine, bytes, size + 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_patch_open:", "list of worlds", "get the patch again");
    bytes[4] = 9;
    CHECK(cosm_patch_open(rich.mixed.engine, bytes, size) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_patch_open:", "format 9", "same library");
    CHECK(cosm_patch_open(rich.mixed.engine, "x", 1) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_patch_open:", "not a patch", "get the patch again");
    free(bytes);
    rich_close(&rich);
}

TEST(running_out_of_memory_leaves_everything_as_it_was) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_allocator allocator = ledger_allocator(&ledger);
    struct rich rich;
    rich_open(&rich, 5, 40, &allocator);
    uint64_t before = hash_now(&rich.mixed);
    uint64_t after = hash_of(rich.after);
    bool is_done = false;
    for (uint64_t n = 1; !is_done && n < 5000; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_result result = cosm_patch_apply(rich.patch, rich.mixed.all);
        is_done = !ledger_relent(&ledger);
        if (result == COSM_OK) {
            CHECK_INT(hash_now(&rich.mixed), after);
            CHECK_DONE(cosm_snapshot_restore(rich.before, 0, rich.mixed.all));
        } else {
            CHECK_INT(result, COSM_ERROR_MEMORY);
            CHECK_INT(hash_now(&rich.mixed), before);
        }
    }
    CHECK(is_done);
    CHECK_VALID(rich.mixed.batch);
    is_done = false;
    for (uint64_t n = 1; !is_done && n < 5000; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_patch *patch = cosm_patch_create(rich.before, rich.after);
        bool failed = patch == NULL;
        cosm_patch *opened =
            failed ? NULL
                   : cosm_patch_open(rich.mixed.engine, cosm_patch_describe(patch).bytes,
                                     cosm_patch_describe(patch).size);
        cosm_snapshot *made = opened == NULL ? NULL : cosm_patch_snapshot(opened, rich.before);
        is_done = !ledger_relent(&ledger);
        CHECK(made != NULL || !is_done); // a failed request is not always needed
        if (made == NULL) {
            CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        }
        cosm_snapshot_destroy(made);
        cosm_patch_destroy(opened);
        cosm_patch_destroy(patch);
    }
    CHECK(is_done);
    rich_close(&rich);
    ledger_close(&ledger);
}

typedef struct Title {
    char *text;
} Title;

static bool copy_title(void *context, void *object, const void *source) {
    (void)context;
    const char *text = ((const Title *)source)->text;
    size_t size = text == NULL ? 1 : strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, text == NULL ? "" : text, size);
    }
    ((Title *)object)->text = copy;
    return copy != NULL;
}

static void end_title(void *context, void *object) {
    (void)context;
    free(((Title *)object)->text);
}

static bool equal_titles(void *context, const void *a, const void *b) {
    (void)context;
    const char *x = ((const Title *)a)->text;
    const char *y = ((const Title *)b)->text;
    return strcmp(x == NULL ? "" : x, y == NULL ? "" : y) == 0;
}

static uint64_t hash_title(void *context, const void *object) {
    (void)context;
    uint64_t hash = 5381;
    for (const char *at = ((const Title *)object)->text; at != NULL && *at != '\0'; at++) {
        hash = hash * 33 + (unsigned char)*at;
    }
    return hash;
}

static cosm_component define_title(cosm_engine *engine, const char *name, cosm_storage storage) {
    cosm_component_desc desc = {.name = name, .size = sizeof(Title), .storage = storage};
    desc.lifecycle = (cosm_lifecycle){
        .copy = copy_title, .destroy = end_title, .equals = equal_titles, .hash = hash_title};
    return cosm_component_define(engine, &desc);
}

TEST(objects_that_both_states_have_are_no_matter_and_new_ones_are_refused) {
    static const cosm_storage storages[] = {COSM_STORAGE_SHARED, COSM_STORAGE_MANAGED,
                                            COSM_STORAGE_SECTOR};
    for (int i = 0; i < 3; i++) {
        struct mixed mixed;
        mixed_open(&mixed, 1, false, NULL);
        cosm_world world = {mixed.batch, 0};
        cosm_component title = define_title(mixed.engine, "Title", storages[i]);
        cosm_entity a = cosm_entity_spawn(world, mixed.plain);
        cosm_entity b = cosm_entity_spawn(world, mixed.plain);
        Title king = {(char *)"king"};
        CHECK_DONE(cosm_entity_set(world, a, title, &king));
        CHECK_DONE(cosm_entity_set(world, b, title, &king));
        cosm_snapshot *before = cosm_snapshot_create(mixed.all);
        // Values beside them change, entities go to other tables, and take their objects with them.
        CHECK_DONE(
            cosm_entity_set(world, a, mixed.components[MIXED_POSITION], &(Position){4, 5, 6}));
        CHECK_DONE(cosm_entity_add(world, b, mixed.components[MIXED_MARK]));
        cosm_snapshot *after = cosm_snapshot_create(mixed.all);
        check_pair(&mixed, before, after);
        // One that goes.
        CHECK_DONE(cosm_snapshot_restore(after, 0, mixed.all));
        CHECK_DONE(cosm_entity_despawn(world, a));
        cosm_patch *gone = cosm_patch_create_now(after, mixed.all);
        CHECK(gone != NULL);
        uint64_t hash = hash_now(&mixed);
        CHECK_DONE(cosm_snapshot_restore(after, 0, mixed.all));
        CHECK_DONE(cosm_patch_apply(gone, mixed.all));
        CHECK_INT(hash_now(&mixed), hash);
        cosm_patch_destroy(gone);
        // One that comes.
        Title queen = {(char *)"queen"};
        CHECK_DONE(cosm_entity_set(world, b, title, &queen));
        CHECK(cosm_patch_create_now(before, mixed.all) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create_now:", "'Title'", "cosm_save_object");
        cosm_snapshot_destroy(before);
        cosm_snapshot_destroy(after);
        mixed_close(&mixed);
    }
}

// A number that stands for something outside, which is counted.
static int32_t number_count;

static bool copy_number(void *context, void *object, const void *source) {
    (void)context;
    memcpy(object, source, sizeof(uint64_t));
    number_count++;
    return true;
}

static void end_number(void *context, void *object) {
    (void)context;
    (void)object;
    number_count--;
}

TEST(objects_without_equals_are_the_same_where_their_bytes_are) {
    static const cosm_storage storages[] = {COSM_STORAGE_SHARED, COSM_STORAGE_MANAGED,
                                            COSM_STORAGE_SECTOR};
    for (int i = 0; i < 3; i++) {
        number_count = 0;
        struct mixed mixed;
        mixed_open(&mixed, 1, false, NULL);
        cosm_world world = {mixed.batch, 0};
        cosm_component number = cosm_component_define(
            mixed.engine,
            &(cosm_component_desc){.name = "Number",
                                   .size = 8,
                                   .alignment = 8,
                                   .storage = storages[i],
                                   .lifecycle = {.copy = copy_number, .destroy = end_number}});
        cosm_entity a = cosm_entity_spawn(world, mixed.plain);
        cosm_entity b = cosm_entity_spawn(world, mixed.plain);
        CHECK_DONE(cosm_entity_set(world, a, number, &(uint64_t){7}));
        cosm_snapshot *before = cosm_snapshot_create(mixed.all);
        cosm_patch *nothing = cosm_patch_create_now(before, mixed.all);
        CHECK(nothing != NULL);
        CHECK_INT(cosm_patch_describe(nothing).changed_count, 0);
        cosm_patch_destroy(nothing);
        CHECK_DONE(
            cosm_entity_set(world, a, mixed.components[MIXED_POSITION], &(Position){4, 5, 6}));
        CHECK_DONE(cosm_entity_add(world, b, mixed.components[MIXED_MARK]));
        cosm_snapshot *after = cosm_snapshot_create(mixed.all);
        check_pair(&mixed, before, after);
        CHECK_DONE(cosm_entity_set(world, a, number, &(uint64_t){8}));
        CHECK(cosm_patch_create_now(before, mixed.all) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create_now:", "'Number'",
                      "cosm_save_object");
        cosm_snapshot_destroy(before);
        cosm_snapshot_destroy(after);
        mixed_close(&mixed);
        CHECK_INT(number_count, 0);
    }
}

TEST(an_engine_without_the_components_or_with_others_refuses) {
    struct mixed mixed;
    mixed_open(&mixed, 1, false, NULL);
    cosm_world world = {mixed.batch, 0};
    cosm_snapshot *before = cosm_snapshot_create(mixed.all);
    cosm_entity entity = cosm_entity_spawn(world, mixed.heavy);
    uint32_t heat = 3;
    CHECK_DONE(cosm_entity_set(world, entity, mixed.components[MIXED_HEAT], &heat));
    cosm_patch *patch = cosm_patch_create_now(before, mixed.all);
    const void *bytes = cosm_patch_describe(patch).bytes;
    size_t size = cosm_patch_describe(patch).size;
    static const char call[] = "cosm_patch_open:";
    cosm_engine *other = cosm_engine_create(NULL);
    CHECK(cosm_patch_open(other, bytes, size) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, call, "not those of this engine (0 and 0)", "define them");
    CHECK_DONE(cosm_engine_destroy(other));
    other = cosm_engine_create(NULL);
    CHECK(cosm_component_define(other, &(cosm_component_desc){.name = "Body", .size = 8}).id != 0);
    CHECK(cosm_patch_open(other, bytes, size) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, call, "not those of this engine (1 and 0)", "define them");
    CHECK_DONE(cosm_engine_destroy(other));
    // What is defined later does not make it another program.
    cosm_component_desc late = {.name = "Late", .size = 4};
    CHECK(cosm_component_define(mixed.engine, &late).id != 0);
    cosm_patch *opened = carry(patch, mixed.engine);
    CHECK_DONE(cosm_snapshot_restore(before, 0, mixed.all));
    CHECK_DONE(cosm_patch_apply(opened, mixed.all));
    cosm_patch_destroy(opened);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(before);
    mixed_close(&mixed);
}

TEST(wrong_arguments_are_refused_with_a_message) {
    struct mixed a;
    struct mixed b;
    mixed_open(&a, 2, false, NULL);
    mixed_open(&b, 2, false, NULL);
    cosm_snapshot *two = cosm_snapshot_create(a.all);
    cosm_snapshot *one = cosm_snapshot_create((cosm_worlds){a.batch, 0, 1});
    cosm_snapshot *strange = cosm_snapshot_create(b.all);
    CHECK(cosm_patch_create(NULL, one) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create:", "before", "cosm_snapshot_create");
    CHECK(cosm_patch_create(one, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create:", "after", "cosm_snapshot_create");
    CHECK(cosm_patch_create(one, two) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create:", "2 worlds", "pass as many");
    CHECK(cosm_patch_create(two, strange) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create:", "one engine", "cosm_patch_open");
    CHECK(cosm_patch_create_now(NULL, a.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_create_now:", "before", "cosm_snapshot_create");
    CHECK(cosm_patch_open(NULL, "", 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_open:", "engine", "cosm_engine_create");
    CHECK(cosm_patch_open(a.engine, NULL, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_open:", "bytes", "cosm_patch_describe");
    cosm_patch *patch = cosm_patch_create(two, two);
    CHECK_FAILS(cosm_patch_apply(NULL, a.all), COSM_ERROR_ARGUMENT, "cosm_patch_apply:", "patch",
                "cosm_patch_open");
    CHECK_FAILS(cosm_patch_apply(patch, (cosm_worlds){a.batch, 0, 1}), COSM_ERROR_ARGUMENT,
                "cosm_patch_apply:", "1 worlds", "pass as many");
    CHECK_FAILS(cosm_patch_apply(patch, b.all), COSM_ERROR_ARGUMENT,
                "cosm_patch_apply:", "one engine", "cosm_patch_open");
    CHECK(cosm_patch_snapshot(NULL, two) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_snapshot:", "patch", "cosm_patch_open");
    CHECK(cosm_patch_snapshot(patch, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_patch_snapshot:", "before", "cosm_snapshot_create");
    CHECK(cosm_engine_destroy(a.engine) == COSM_ERROR_BUSY);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(one);
    cosm_snapshot_destroy(two);
    cosm_snapshot_destroy(strange);
    mixed_close(&a);
    mixed_close(&b);
}

TEST(a_world_that_holds_the_same_and_came_there_another_way_is_refused) {
    struct mixed mixed;
    mixed_open(&mixed, 1, false, NULL);
    cosm_world world = {mixed.batch, 0};
    cosm_component heat = mixed.components[MIXED_HEAT];
    uint32_t value = 7;
    cosm_entity a = cosm_entity_spawn(world, mixed.plain);
    cosm_entity b = cosm_entity_spawn(world, mixed.plain);
    cosm_snapshot *start = cosm_snapshot_create(mixed.all);
    CHECK_DONE(cosm_entity_set(world, a, heat, &value));
    CHECK_DONE(cosm_entity_set(world, b, heat, &value));
    cosm_snapshot *before = cosm_snapshot_create(mixed.all);
    struct portrait same = portrait_of(mixed.all, PORTRAIT_WHOLE);
    value = 8;
    CHECK_DONE(cosm_entity_set(world, a, heat, &value));
    cosm_patch *patch = cosm_patch_create_now(before, mixed.all);
    CHECK_DONE(cosm_snapshot_restore(start, 0, mixed.all));
    value = 7;
    CHECK_DONE(cosm_entity_set(world, b, heat, &value));
    CHECK_DONE(cosm_entity_set(world, a, heat, &value));
    uint64_t now = hash_now(&mixed);
    CHECK_INT(cosm_hash_batch(mixed.batch, COSM_HASH_CONTENT),
              cosm_hash_snapshot(before, COSM_HASH_CONTENT));
    CHECK_PORTRAIT(&same, mixed.all, PORTRAIT_WHOLE);
    portrait_free(&same);
    CHECK(now != hash_of(before));
    CHECK_FAILS(cosm_patch_apply(patch, mixed.all), COSM_ERROR_CONFLICT,
                "cosm_patch_apply:", "has hash", "in the state before the patch");
    CHECK_INT(hash_now(&mixed), now);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(start);
    cosm_snapshot_destroy(before);
    mixed_close(&mixed);
}
