// Differences: each kind on its own, and random pairs of states against a comparison by hand.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/mixed.h"

#define TOLD_MAX 8192

// What was told, in its order.
struct told {
    uint32_t count;
    uint32_t stop_at; // 0: never
    cosm_difference items[TOLD_MAX];
    unsigned char before[32]; // of the last one
    unsigned char after[32];
};

static bool note(void *context, const cosm_difference *difference) {
    struct told *told = context;
    if (told->count < TOLD_MAX) {
        told->items[told->count] = *difference;
    }
    told->count++;
    size_t size = difference->size < 32 ? difference->size : 32;
    if (difference->before != NULL) {
        memcpy(told->before, difference->before, size);
        memcpy(told->after, difference->after, size);
    }
    return told->count != told->stop_at;
}

static struct told told;

static void compare(const cosm_snapshot *before, const cosm_snapshot *after) {
    told.count = 0;
    told.stop_at = 0;
    CHECK_DONE(cosm_diff_snapshots(before, after, note, &told));
}

// A world before and after a change.
struct scene {
    struct mixed mixed;
    cosm_world world; // the second one
    cosm_snapshot *before;
};

static void scene_open(struct scene *scene) {
    mixed_open(&scene->mixed, 3, false, NULL);
    scene->world = (cosm_world){scene->mixed.batch, 1};
    scene->before = NULL;
}

static void scene_begin(struct scene *scene) {
    cosm_snapshot_destroy(scene->before);
    scene->before = cosm_snapshot_create(scene->mixed.all);
}

// What differs from the beginning to now; there must be `count`.
static const cosm_difference *scene_tell(struct scene *scene, uint32_t count) {
    cosm_snapshot *after = cosm_snapshot_create(scene->mixed.all);
    compare(scene->before, after);
    cosm_snapshot_destroy(after);
    CHECK_INT(told.count, count);
    return told.items;
}

static void scene_close(struct scene *scene) {
    cosm_snapshot_destroy(scene->before);
    mixed_close(&scene->mixed);
}

static void check_about(const cosm_difference *difference, cosm_diff_kind kind, cosm_entity entity,
                        uint32_t component) {
    CHECK_STR(cosm_diff_kind_name(difference->kind), cosm_diff_kind_name(kind));
    CHECK_INT(difference->world, 1);
    CHECK(cosm_entity_equals(difference->entity, entity));
    CHECK_INT(difference->component.id, component);
}

TEST(entities_that_come_and_go_are_told_by_id) {
    struct scene scene;
    scene_open(&scene);
    cosm_entity a = cosm_entity_spawn(scene.world, scene.mixed.plain);
    cosm_entity b = cosm_entity_spawn(scene.world, scene.mixed.heavy);
    scene_begin(&scene);
    CHECK_DONE(cosm_entity_despawn(scene.world, a));
    cosm_entity again = cosm_entity_spawn(scene.world, scene.mixed.plain);
    CHECK_INT(again.id, a.id);
    cosm_entity c = cosm_entity_spawn(scene.world, scene.mixed.plain);
    CHECK_DONE(cosm_entity_despawn(scene.world, b));
    const cosm_difference *items = scene_tell(&scene, 4);
    check_about(&items[0], COSM_DIFF_DESPAWNED, a, 0);
    check_about(&items[1], COSM_DIFF_SPAWNED, again, 0);
    check_about(&items[2], COSM_DIFF_DESPAWNED, b, 0);
    check_about(&items[3], COSM_DIFF_SPAWNED, c, 0);
    CHECK(items[0].before == NULL && items[0].after == NULL);
    scene_close(&scene);
}

TEST(components_are_told_in_ascending_order_whatever_their_storage) {
    struct scene scene;
    scene_open(&scene);
    const cosm_component *c = scene.mixed.components;
    cosm_entity entity = cosm_entity_spawn(scene.world, scene.mixed.plain);
    uint32_t small = 5;
    uint64_t large = 6;
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_TEAM], &small));
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_OWNED], &large));
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_HEAT], &small));
    scene_begin(&scene);
    CHECK_DONE(cosm_entity_add(scene.world, entity, c[MIXED_MARK]));
    CHECK_DONE(cosm_entity_add(scene.world, entity, c[MIXED_WET]));
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_SMOKE], &large));
    CHECK_DONE(cosm_entity_remove(scene.world, entity, c[MIXED_POSITION]));
    small = 7;
    large = 8;
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_TEAM], &small));
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_OWNED], &large));
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_HEAT], &small));
    const cosm_difference *items = scene_tell(&scene, 7);
    check_about(&items[0], COSM_DIFF_REMOVED, entity, c[MIXED_POSITION].id);
    check_about(&items[1], COSM_DIFF_ADDED, entity, c[MIXED_MARK].id);
    check_about(&items[2], COSM_DIFF_CHANGED, entity, c[MIXED_TEAM].id);
    check_about(&items[3], COSM_DIFF_CHANGED, entity, c[MIXED_OWNED].id);
    CHECK_INT(items[3].size, 8);
    check_about(&items[4], COSM_DIFF_CHANGED, entity, c[MIXED_HEAT].id);
    check_about(&items[5], COSM_DIFF_ADDED, entity, c[MIXED_SMOKE].id);
    check_about(&items[6], COSM_DIFF_ADDED, entity, c[MIXED_WET].id);
    CHECK(items[6].before == NULL && items[6].after == NULL);
    CHECK_INT(items[6].field, COSM_FIELD_INDEX_NONE);
    scene_close(&scene);
}

TEST(values_come_whole_with_the_first_field_that_differs) {
    struct scene scene;
    scene_open(&scene);
    const cosm_component *c = scene.mixed.components;
    cosm_entity entity = cosm_entity_spawn(scene.world, scene.mixed.heavy);
    MixedWind wind = {1, 2, 3};
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_WIND], &wind));
    scene_begin(&scene);
    wind.gust = 9;
    wind.y = 4;
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_WIND], &wind));
    const cosm_difference *items = scene_tell(&scene, 1);
    check_about(&items[0], COSM_DIFF_CHANGED, entity, c[MIXED_WIND].id);
    CHECK_INT(items[0].field, 1);
    CHECK_INT(items[0].size, sizeof(wind));
    MixedWind values[2];
    memcpy(&values[0], told.before, sizeof(wind));
    memcpy(&values[1], told.after, sizeof(wind));
    CHECK(values[0].x == 1 && values[0].gust == 2 && values[0].y == 3);
    CHECK(values[1].x == 1 && values[1].gust == 9 && values[1].y == 4);
    // Padding is no difference; a value that is not described has no field.
    scene_begin(&scene);
    MixedBody *body = cosm_entity_write(scene.world, entity, c[MIXED_BODY]);
    MixedBody same = *body;
    memset(body, 0x77, sizeof(*body));
    body->kind = same.kind;
    body->mass = same.mass;
    body->rank = same.rank;
    (void)scene_tell(&scene, 0);
    uint32_t count = 3;
    CHECK_DONE(cosm_entity_set(scene.world, entity, c[MIXED_COUNTER], &count));
    items = scene_tell(&scene, 1);
    CHECK_INT(items[0].field, COSM_FIELD_INDEX_NONE);
    CHECK_INT(told.after[0], 3);
    scene_close(&scene);
}

TEST(another_parent_or_another_place_under_it_is_told) {
    struct scene scene;
    scene_open(&scene);
    cosm_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = cosm_entity_spawn(scene.world, scene.mixed.plain);
        if (i > 0 && i < 5) {
            CHECK_DONE(cosm_tree_set_parent(scene.world, e[i], e[0]));
        }
    }
    // Children 1 2 3 4: one leaves, which says nothing of the others.
    scene_begin(&scene);
    CHECK_DONE(cosm_tree_set_parent(scene.world, e[2], e[5]));
    const cosm_difference *items = scene_tell(&scene, 1);
    check_about(&items[0], COSM_DIFF_PARENT, e[2], 0);
    // 1 3 4 becomes 3 4 1.
    scene_begin(&scene);
    CHECK_DONE(cosm_tree_set_parent(scene.world, e[1], COSM_ENTITY_NONE));
    CHECK_DONE(cosm_tree_set_parent(scene.world, e[1], e[0]));
    items = scene_tell(&scene, 2);
    check_about(&items[0], COSM_DIFF_PARENT, e[1], 0);
    check_about(&items[1], COSM_DIFF_PARENT, e[3], 0);
    // The same place under an entity that has the id of the one before.
    scene_begin(&scene);
    CHECK_DONE(cosm_entity_despawn(scene.world, e[5]));
    cosm_entity other = cosm_entity_spawn(scene.world, scene.mixed.plain);
    CHECK_INT(other.id, e[5].id);
    CHECK_DONE(cosm_tree_set_parent(scene.world, e[2], other));
    items = scene_tell(&scene, 3);
    check_about(&items[0], COSM_DIFF_PARENT, e[2], 0);
    check_about(&items[1], COSM_DIFF_DESPAWNED, e[5], 0);
    check_about(&items[2], COSM_DIFF_SPAWNED, other, 0);
    scene_close(&scene);
}

TEST(singletons_streams_and_orders_are_told_after_the_entities) {
    struct scene scene;
    scene_open(&scene);
    cosm_entity a = cosm_entity_spawn(scene.world, scene.mixed.plain);
    (void)cosm_entity_spawn(scene.world, scene.mixed.plain);
    scene_begin(&scene);
    MixedClock *clock = cosm_singleton_write(scene.world, scene.mixed.clock);
    clock->ticks = 9;
    const cosm_difference *items = scene_tell(&scene, 1);
    check_about(&items[0], COSM_DIFF_SINGLETON, COSM_ENTITY_NONE, 0);
    CHECK_INT(items[0].singleton.id, scene.mixed.clock.id);
    CHECK_INT(items[0].field, 1);
    CHECK_INT(items[0].size, sizeof(*clock));
    // An id that came and went leaves its generation.
    scene_begin(&scene);
    cosm_entity gone = cosm_entity_spawn(scene.world, scene.mixed.plain);
    CHECK_DONE(cosm_entity_despawn(scene.world, gone));
    items = scene_tell(&scene, 1);
    check_about(&items[0], COSM_DIFF_ORDER, COSM_ENTITY_NONE, 0);
    // Rows in another order: the first one goes away and comes back as the last.
    scene_begin(&scene);
    CHECK_DONE(cosm_entity_add(scene.world, a, scene.mixed.components[MIXED_MARK]));
    CHECK_DONE(cosm_entity_remove(scene.world, a, scene.mixed.components[MIXED_MARK]));
    items = scene_tell(&scene, 1);
    check_about(&items[0], COSM_DIFF_ORDER, COSM_ENTITY_NONE, 0);
    // A step changes every stream, and nothing else.
    scene_begin(&scene);
    CHECK_DONE(cosm_batch_step(scene.mixed.batch));
    items = scene_tell(&scene, 3);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_INT(items[w].kind, COSM_DIFF_RANDOM);
        CHECK_INT(items[w].world, w);
    }
    scene_close(&scene);
}

TEST(the_function_ends_the_comparison) {
    struct scene scene;
    scene_open(&scene);
    scene_begin(&scene);
    for (uint32_t w = 0; w < 3; w++) {
        for (int i = 0; i < 3; i++) {
            (void)cosm_entity_spawn((cosm_world){scene.mixed.batch, w}, scene.mixed.plain);
        }
    }
    cosm_snapshot *after = cosm_snapshot_create(scene.mixed.all);
    for (uint32_t stop = 1; stop <= 9; stop++) {
        told.count = 0;
        told.stop_at = stop;
        CHECK_DONE(cosm_diff_snapshots(scene.before, after, note, &told));
        CHECK_INT(told.count, stop);
    }
    cosm_snapshot_destroy(after);
    scene_close(&scene);
}

TEST(what_cannot_be_compared_is_refused) {
    struct scene a;
    struct scene b;
    scene_open(&a);
    scene_open(&b);
    scene_begin(&a);
    scene_begin(&b);
    cosm_snapshot *one = cosm_snapshot_create((cosm_worlds){a.mixed.batch, 0, 1});
    static const char call[] = "cosm_diff_snapshots:";
    CHECK_FAILS(cosm_diff_snapshots(NULL, one, note, &told), COSM_ERROR_ARGUMENT, call, "before",
                "cosm_snapshot_create");
    CHECK_FAILS(cosm_diff_snapshots(one, NULL, note, &told), COSM_ERROR_ARGUMENT, call, "after",
                "cosm_snapshot_create");
    CHECK_FAILS(cosm_diff_snapshots(one, one, NULL, NULL), COSM_ERROR_ARGUMENT, call, "call",
                "function");
    CHECK_FAILS(cosm_diff_snapshots(a.before, one, note, &told), COSM_ERROR_ARGUMENT, call,
                "3 worlds", "the same number");
    CHECK_FAILS(cosm_diff_snapshots(a.before, b.before, note, &told), COSM_ERROR_ARGUMENT, call,
                "different engines", "cosm_save_write");
    CHECK_STR(cosm_diff_kind_name((cosm_diff_kind)0), "unknown");
    CHECK_STR(cosm_diff_kind_name((cosm_diff_kind)10), "unknown");
    CHECK_STR(cosm_diff_kind_name(COSM_DIFF_ORDER), "order");
    cosm_snapshot_destroy(one);
    scene_close(&a);
    scene_close(&b);
}

// Values of a component in two batches, compared by fields where there are some.
static bool is_value_same(const struct mixed *mixed, int which, const unsigned char *a,
                          const unsigned char *b) {
    cosm_component component = mixed->components[which];
    cosm_component_info info = cosm_component_describe(mixed->engine, component);
    bool same = info.field_count > 0 || memcmp(a, b, info.size) == 0;
    for (uint32_t f = 0; f < info.field_count; f++) {
        const cosm_field *field = &info.fields[f];
        same = same && memcmp(a + field->offset, b + field->offset, cosm_field_size(field)) == 0;
    }
    return same;
}

struct expected {
    uint32_t count;
    struct {
        cosm_diff_kind kind;
        cosm_entity entity;
        uint32_t component;
    } items[TOLD_MAX];
};

static struct expected expected;

static void expect(cosm_diff_kind kind, cosm_entity entity, uint32_t component) {
    if (expected.count < TOLD_MAX) {
        expected.items[expected.count].kind = kind;
        expected.items[expected.count].entity = entity;
        expected.items[expected.count].component = component;
    }
    expected.count++;
}

// Components of the engine are in ascending order here.
static void expect_entity(const struct mixed *mixed, cosm_world a, cosm_world b,
                          cosm_entity entity) {
    static unsigned char values[2][sizeof(MixedBlock)];
    for (int i = 0; i < MIXED_COMPONENT_COUNT; i++) {
        cosm_component component = mixed->components[i];
        bool was = cosm_entity_has(a, entity, component);
        bool is = cosm_entity_has(b, entity, component);
        if (was != is) {
            expect(is ? COSM_DIFF_ADDED : COSM_DIFF_REMOVED, entity, component.id);
        } else if (was && cosm_component_describe(mixed->engine, component).size > 0) {
            // Objects are looked at where they are.
            const void *objects[2] = {cosm_entity_read(a, entity, component),
                                      cosm_entity_read(b, entity, component)};
            bool is_object = cosm_component_describe(mixed->engine, component).is_object;
            CHECK(is_object || (cosm_entity_get(a, entity, component, values[0]) &&
                                cosm_entity_get(b, entity, component, values[1])));
            const void *a_value = is_object ? objects[0] : values[0];
            const void *b_value = is_object ? objects[1] : values[1];
            if (a_value == NULL || b_value == NULL ? a_value != b_value
                                                   : !is_value_same(mixed, i, a_value, b_value)) {
                expect(COSM_DIFF_CHANGED, entity, component.id);
            }
        }
    }
    if (!cosm_entity_equals(cosm_tree_parent(a, entity), cosm_tree_parent(b, entity))) {
        expect(COSM_DIFF_PARENT, entity, 0);
    }
}

static int by_id(const void *a, const void *b) {
    const cosm_entity *x = a;
    const cosm_entity *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return x->gen < y->gen ? -1 : x->gen > y->gen;
}

static cosm_entity living[2 * 65536];

static void expect_world(const struct mixed *mixed, cosm_world a, cosm_world b) {
    uint32_t count = cosm_tree_list(a, COSM_ENTITY_NONE, 65536, living);
    count += cosm_tree_list(b, COSM_ENTITY_NONE, 65536, living + count);
    qsort(living, count, sizeof(*living), by_id);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && cosm_entity_equals(living[i], living[i - 1])) {
            continue;
        }
        bool was = cosm_entity_is_alive(a, living[i]);
        bool is = cosm_entity_is_alive(b, living[i]);
        if (was && is) {
            expect_entity(mixed, a, b, living[i]);
        } else {
            expect(is ? COSM_DIFF_SPAWNED : COSM_DIFF_DESPAWNED, living[i], 0);
        }
    }
}

// Where siblings have changed places, PARENT is told too; all else must be just as expected.
static void check_told(const struct mixed *mixed, cosm_world a, cosm_world b) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < told.count && i < TOLD_MAX; i++) {
        const cosm_difference *item = &told.items[i];
        if (item->kind > COSM_DIFF_PARENT) {
            continue;
        }
        bool is_expected = at < expected.count && expected.items[at].kind == item->kind &&
                           cosm_entity_equals(expected.items[at].entity, item->entity) &&
                           expected.items[at].component == item->component.id;
        bool is_shifted =
            item->kind == COSM_DIFF_PARENT && cosm_entity_equals(cosm_tree_parent(a, item->entity),
                                                                 cosm_tree_parent(b, item->entity));
        CHECK(is_expected || is_shifted);
        at += is_expected;
    }
    CHECK_INT(at, expected.count);
    (void)mixed;
}

TEST(random_states_differ_in_just_what_is_told) {
    struct dice dice = {harness_seed() + 9};
    for (int round = 0; round < 6; round++) {
        struct mixed mixed;
        struct mixed_cast cast;
        for (uint32_t i = 0; i < MIXED_ENTITY_COUNT; i++) {
            cast.entities[i] = COSM_ENTITY_NONE;
        }
        mixed_open(&mixed, 1, false, NULL);
        cosm_batch *other = cosm_batch_create(mixed.engine, NULL);
        cosm_world worlds[2] = {{other, 0}, {mixed.batch, 0}};
        for (int i = 0; i < 25; i++) {
            cosm_snapshot *before = cosm_snapshot_create(mixed.all);
            for (uint32_t n = dice_roll(&dice, 60); n > 0; n--) {
                mixed_act(&mixed, &dice, &cast);
            }
            cosm_snapshot *after = cosm_snapshot_create(mixed.all);
            CHECK_DONE(cosm_snapshot_restore(before, 0, cosm_worlds_all(other)));
            compare(before, after);
            uint32_t count = told.count;
            expected.count = 0;
            expect_world(&mixed, worlds[0], worlds[1]);
            check_told(&mixed, worlds[0], worlds[1]);
            bool is_same = cosm_hash_snapshot(before, COSM_HASH_EXACT) ==
                           cosm_hash_snapshot(after, COSM_HASH_EXACT);
            CHECK(is_same == (count == 0));
            // Backwards there are as many.
            compare(after, before);
            CHECK_INT(told.count, count);
            cosm_snapshot_destroy(before);
            cosm_snapshot_destroy(after);
        }
        cosm_batch_destroy(other);
        mixed_close(&mixed);
    }
}

TEST(running_out_of_memory_is_told) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_allocator allocator = ledger_allocator(&ledger);
    struct dice dice = {3};
    struct mixed mixed;
    struct mixed_cast cast;
    for (uint32_t i = 0; i < MIXED_ENTITY_COUNT; i++) {
        cast.entities[i] = COSM_ENTITY_NONE;
    }
    mixed_open(&mixed, 2, false, &allocator);
    cosm_snapshot *kept[2];
    for (int i = 0; i < 2; i++) {
        for (int n = 0; n < 200; n++) {
            mixed_act(&mixed, &dice, &cast);
        }
        kept[i] = cosm_snapshot_create(mixed.all);
    }
    bool is_done = false;
    for (uint64_t n = 1; !is_done && n < 500; n++) {
        ledger_refuse(&ledger, n, 1);
        told.count = 0;
        told.stop_at = 0;
        cosm_result result = cosm_diff_snapshots(kept[0], kept[1], note, &told);
        is_done = !ledger_relent(&ledger);
        CHECK_INT(result, is_done ? COSM_OK : COSM_ERROR_MEMORY);
    }
    CHECK(is_done);
    cosm_snapshot_destroy(kept[0]);
    cosm_snapshot_destroy(kept[1]);
    mixed_close(&mixed);
    ledger_close(&ledger);
}
