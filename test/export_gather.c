// ctest: threads
// Tensors of rows that come and go: gathered after a step, scattered before it. Definitions are in
// export.c, what they do to snapshots and recordings in export_state.c.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"

static cosm_world world_at(const struct exports *exports, uint32_t index) {
    return (cosm_world){exports->batch, index};
}

static cosm_entity spawn_pawn(const struct exports *exports, uint32_t world, float x) {
    Point point = {x, -x};
    return cosm_entity_spawn_with(world_at(exports, world), exports->pawn,
                                  &(cosm_value){exports->point, &point}, 1);
}

TEST(rows_of_growing_archetypes_are_gathered_after_a_step_and_by_hand) {
    struct exports exports;
    exports_open(&exports, 3, 1);
    const cosm_tensor *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
    CHECK_INT(point->kind, COSM_TENSOR_ROWS);
    CHECK(point->is_gathered);
    CHECK_INT(point->dim_count, 2);
    CHECK_INT(point->shape[0], 0);
    CHECK_INT(point->shape[1], 2);
    CHECK_INT(point->strides[0], sizeof(Point));
    CHECK_INT((uintptr_t)point->data % 64, 0);
    (void)spawn_pawn(&exports, 0, 1.0f);
    (void)spawn_pawn(&exports, 2, 2.0f);
    (void)spawn_pawn(&exports, 2, 3.0f);
    CHECK_INT(point->shape[0], 0);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(point->shape[0], 3);
    CHECK_INT(point->offsets[0], 0);
    CHECK_INT(point->offsets[1], 1);
    CHECK_INT(point->offsets[2], 1);
    CHECK_INT(point->offsets[3], 3);
    CHECK_NEAR(((const Point *)point->data)[2].x, 3.0, 0);
    int32_t *choices = cosm_batch_tensor(exports.batch, SLOT_PAWN_CHOICE)->data;
    choices[0] = 10;
    choices[1] = 20;
    choices[2] = 30;
    CHECK_DONE(cosm_batch_step(exports.batch));
    CHECK_NEAR(((const Point *)point->data)[0].x, 11.0, 0);
    CHECK_NEAR(((const Point *)point->data)[1].x, 22.0, 0);
    CHECK_NEAR(((const Point *)point->data)[2].x, 33.0, 0);
    CHECK_ROWS(&exports, SLOT_PAWN_POINT);
    CHECK_ROWS(&exports, SLOT_PAWN_ENTITY);
    CHECK_ROWS(&exports, SLOT_PAWN_Y);
    exports_close(&exports);
}

TEST(a_tensor_made_over_rows_that_exist_shows_them_at_once) {
    struct exports exports;
    exports_define(&exports, NULL);
    exports.batch =
        cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2, .seed = 7});
    exports.all = (cosm_worlds){exports.batch, 0, 2};
    (void)spawn_pawn(&exports, 0, 1.0f);
    (void)spawn_pawn(&exports, 1, 2.0f);
    exports_export(&exports);
    for (uint32_t slot = 0; slot < SLOT_GOAL; slot++) {
        if (cosm_batch_tensor(exports.batch, slot)->kind == COSM_TENSOR_ROWS) {
            CHECK_ROWS(&exports, slot);
        }
    }
    exports_close(&exports);
}

TEST(what_is_written_only_in_keeps_its_contents_and_follows_in_shape) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    cosm_entity first = spawn_pawn(&exports, 0, 1.0f);
    (void)spawn_pawn(&exports, 1, 2.0f);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    const cosm_tensor *choice = cosm_batch_tensor(exports.batch, SLOT_PAWN_CHOICE);
    int32_t *written = choice->data;
    written[0] = 5;
    written[1] = 6;
    CHECK_DONE(cosm_entity_set(world_at(&exports, 0), first, exports.choice, &(Choice){99}));
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(written[0], 5);
    (void)spawn_pawn(&exports, 0, 3.0f);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(choice->shape[0], 3);
    CHECK_INT(choice->offsets[1], 2);
    CHECK_INT(written[0], 5);
    CHECK_INT(written[1], 6);
    CHECK_DONE(cosm_batch_scatter(exports.batch));
    Choice found;
    CHECK(cosm_entity_get(world_at(&exports, 0), first, exports.choice, &found));
    CHECK_INT(found.step, 5);
    exports_close(&exports);
}

TEST(rows_that_came_or_went_since_the_last_gather_are_a_conflict) {
    struct exports exports;
    exports_open(&exports, 3, 1);
    cosm_entity pawn = spawn_pawn(&exports, 1, 1.0f);
    CHECK_FAILS(cosm_batch_step(exports.batch), COSM_ERROR_CONFLICT, "cosm_batch_step",
                "world 1 has 1 rows", "cosm_batch_gather");
    CHECK_INT(cosm_batch_step_count(exports.batch), 0);
    CHECK_FAILS(cosm_batch_scatter(exports.batch), COSM_ERROR_CONFLICT, "cosm_batch_scatter",
                "world 1 has 1 rows", "cosm_batch_gather");
    CHECK_DONE(cosm_batch_gather(exports.batch));
    Point *points = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->data;
    points[0].x = 50.0f;
    // As many rows as before, but of other worlds: nothing is written.
    CHECK_DONE(cosm_entity_despawn(world_at(&exports, 1), pawn));
    pawn = spawn_pawn(&exports, 2, 2.0f);
    CHECK_FAILS(cosm_batch_scatter(exports.batch), COSM_ERROR_CONFLICT, "cosm_batch_scatter",
                "world 1 has 0 rows", "cosm_batch_gather");
    Point found;
    CHECK(cosm_entity_get(world_at(&exports, 2), pawn, exports.point, &found));
    CHECK_NEAR(found.x, 2.0, 0);
    CHECK_NEAR(points[0].x, 50.0, 0);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_NEAR(points[0].x, 2.0, 0);
    CHECK_DONE(cosm_batch_step(exports.batch));
    exports_close(&exports);
}

static uint64_t pawn_key(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return 1000u - entity.id;
}

TEST(values_go_back_to_the_entities_they_came_from_or_nowhere) {
    struct exports exports;
    exports_open(&exports, 3, 1);
    for (uint32_t way = 0; way < 3; way++) {
        CHECK_DONE(cosm_batch_reset(exports.batch, NULL));
        cosm_entity first = spawn_pawn(&exports, 1, 10.0f);
        (void)spawn_pawn(&exports, 1, 11.0f);
        (void)spawn_pawn(&exports, 1, 12.0f);
        CHECK_DONE(cosm_batch_gather(exports.batch));
        // As many rows as before, but others, or in another order.
        if (way == 0) {
            CHECK_DONE(cosm_entity_despawn(world_at(&exports, 1), first));
            (void)spawn_pawn(&exports, 1, 99.0f);
        } else if (way == 1) {
            CHECK_DONE(cosm_table_sort(world_at(&exports, 1), exports.pawn, exports.point, pawn_key,
                                       NULL));
        } else {
            CHECK_DONE(cosm_world_reset(world_at(&exports, 1)));
            for (uint32_t i = 0; i < 3; i++) {
                (void)spawn_pawn(&exports, 1, 20.0f);
            }
        }
        uint64_t before = cosm_hash_batch(exports.batch, COSM_HASH_EXACT);
        CHECK_FAILS(cosm_batch_step(exports.batch), COSM_ERROR_CONFLICT, "cosm_batch_step",
                    "the rows of world 1", "cosm_batch_gather");
        CHECK_INT(cosm_hash_batch(exports.batch, COSM_HASH_EXACT), before);
        CHECK_DONE(cosm_batch_gather(exports.batch));
        CHECK_DONE(cosm_batch_step(exports.batch));
    }
    exports_close(&exports);
}

TEST(rows_past_row_max_fail_and_leave_worlds_stepped_and_tensors_as_they_were) {
    struct exports exports;
    exports_define(&exports, NULL);
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_PAWN_Y);
    desc.row_max = 3;
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    desc = exports_slot_desc(&exports, SLOT_ALL_POINT);
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    exports.batch = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
    exports.all = (cosm_worlds){exports.batch, 0, 2};
    for (uint32_t i = 0; i < 3; i++) {
        (void)spawn_pawn(&exports, i % 2, (float)i);
    }
    CHECK_DONE(cosm_batch_step(exports.batch));
    CHECK_ROWS(&exports, SLOT_PAWN_Y);
    (void)spawn_pawn(&exports, 0, 4.0f);
    CHECK_FAILS(cosm_batch_step(exports.batch), COSM_ERROR_FULL, "cosm_batch_step", "the 4 rows",
                "row_max");
    CHECK_INT(cosm_batch_step_count(exports.batch), 2);
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_PAWN_Y)->shape[0], 3);
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_ALL_POINT)->shape[0], 3);
    CHECK_FAILS(cosm_batch_gather(exports.batch), COSM_ERROR_FULL, "cosm_batch_gather",
                "exceed the 3", "row_max");
    cosm_batch *other = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 1});
    CHECK(other != NULL);
    CHECK_DONE(cosm_batch_destroy(other));
    exports_close(&exports);
}

TEST(a_definition_whose_rows_do_not_fit_is_refused_and_no_batch_has_the_slot) {
    struct exports exports;
    exports_define(&exports, NULL);
    exports.batch = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
    exports.all = (cosm_worlds){exports.batch, 0, 2};
    (void)spawn_pawn(&exports, 0, 1.0f);
    (void)spawn_pawn(&exports, 1, 1.0f);
    cosm_batch *other = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_PAWN_Y);
    desc.row_max = 1;
    CHECK_FAILS(cosm_export_define(exports.engine, &desc), COSM_ERROR_FULL, "cosm_export_define",
                "the 2 rows", "row_max");
    CHECK(cosm_batch_tensor(exports.batch, SLOT_PAWN_Y) == NULL);
    CHECK(cosm_batch_tensor(other, SLOT_PAWN_Y) == NULL);
    CHECK_INT(cosm_engine_describe(exports.engine).export_count, 0);
    desc.row_max = 2;
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    CHECK_ROWS(&exports, SLOT_PAWN_Y);
    CHECK_DONE(cosm_batch_destroy(other));
    exports_close(&exports);
}

TEST(the_tables_of_shared_values_and_of_later_archetypes_are_gathered_too) {
    struct exports exports;
    exports_open(&exports, 3, 1);
    for (uint32_t i = 0; i < 12; i++) {
        Point point = {(float)i, 0.0f};
        Side side = {i % 3};
        cosm_value values[] = {{exports.point, &point}, {exports.side, &side}};
        CHECK(!cosm_entity_is_none(
            cosm_entity_spawn_with(world_at(&exports, i % 2), exports.player, values, 2)));
    }
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_SIDE_POINT)->shape[0], 12);
    CHECK_ROWS(&exports, SLOT_SIDE_POINT);
    CHECK_ROWS(&exports, SLOT_ALL_POINT);
    cosm_component late = COSM_TAG_DEFINE(exports.engine, Late);
    cosm_entity pawn = spawn_pawn(&exports, 2, 1.0f);
    CHECK_DONE(cosm_entity_add(world_at(&exports, 2), pawn, late));
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_ALL_POINT)->shape[0], 13);
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->shape[0], 0);
    CHECK_ROWS(&exports, SLOT_ALL_POINT);
    CHECK_ROWS(&exports, SLOT_ALL_ENTITY);
    exports_close(&exports);
}

TEST(several_fields_of_a_split_component_are_gathered_side_by_side) {
    struct exports exports;
    exports_define(&exports, NULL);
    cosm_query_desc spins = {.terms = {{.component = exports.spin, .access = COSM_ACCESS_WRITE}}};
    CHECK_DONE(
        cosm_export_define(exports.engine, &(cosm_export_desc){.name = "spins",
                                                               .query = &spins,
                                                               .component = exports.spin,
                                                               .direction = COSM_DIRECTION_BOTH}));
    exports.batch = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
    for (uint32_t i = 0; i < 5; i++) {
        Spin spin = {(float)i, (float)i * 10.0f};
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(world_at(&exports, 1), exports.top,
                                                          &(cosm_value){exports.spin, &spin}, 1)));
    }
    CHECK_DONE(cosm_batch_gather(exports.batch));
    const cosm_tensor *tensor = cosm_batch_tensor(exports.batch, 0);
    CHECK_INT(tensor->shape[0], 5);
    CHECK_INT(tensor->shape[1], 2);
    Spin *shown = tensor->data;
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_NEAR(shown[i].angle, i, 0);
        CHECK_NEAR(shown[i].rate, i * 10.0, 0);
        shown[i].rate += 1.0f;
    }
    CHECK_DONE(cosm_batch_scatter(exports.batch));
    cosm_span rates = cosm_table_span_read(world_at(&exports, 1), exports.top, exports.spin, 1);
    CHECK_NEAR(((const float *)rates.data)[4], 41.0, 0);
    exports_close(&exports);
}

TEST(a_column_may_be_another_one_in_each_archetype_of_a_query) {
    struct exports exports;
    exports_define(&exports, NULL);
    cosm_archetype bare = cosm_archetype_define(
        exports.engine, &(cosm_archetype_desc){.components = {exports.choice}});
    cosm_query_desc choices = {
        .terms = {{.component = exports.choice, .access = COSM_ACCESS_WRITE}}};
    CHECK_DONE(
        cosm_export_define(exports.engine, &(cosm_export_desc){.name = "choices",
                                                               .query = &choices,
                                                               .component = exports.choice,
                                                               .direction = COSM_DIRECTION_BOTH}));
    exports.batch = cosm_batch_create(exports.engine, &(cosm_batch_desc){.world_count = 2});
    const cosm_archetype kinds[] = {bare, exports.pawn, exports.heavy};
    for (uint32_t i = 0; i < 12; i++) {
        Choice choice = {(int32_t)i % 3};
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(
            world_at(&exports, i / 6), kinds[i % 3], &(cosm_value){exports.choice, &choice}, 1)));
    }
    CHECK_DONE(cosm_batch_gather(exports.batch));
    const cosm_tensor *tensor = cosm_batch_tensor(exports.batch, 0);
    CHECK_INT(tensor->shape[0], 12);
    int32_t *shown = tensor->data;
    int32_t sum = 0;
    for (uint32_t i = 0; i < 12; i++) {
        CHECK(shown[i] >= 0 && shown[i] < 3);
        sum += shown[i];
        shown[i] += 100;
    }
    CHECK_INT(sum, 12);
    CHECK_DONE(cosm_batch_scatter(exports.batch));
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t k = 0; k < 3; k++) {
            const Choice *column =
                cosm_table_column_read(world_at(&exports, w), kinds[k], exports.choice);
            CHECK_INT(column[0].step, 100 + (int32_t)k);
            CHECK_INT(column[1].step, 100 + (int32_t)k);
        }
    }
    exports_close(&exports);
}

static void gather_in_a_system(const cosm_turn *turn) {
    cosm_result *result = turn->context;
    *result = cosm_batch_gather(turn->worlds.batch);
}

TEST(gathering_waits_for_no_step_and_scattering_for_no_walk) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    cosm_result result = COSM_OK;
    CHECK(cosm_system_define(exports.engine, &(cosm_system_desc){.name = "gather",
                                                                 .run = gather_in_a_system,
                                                                 .context = &result,
                                                                 .exclusive = true})
              .id != 0);
    CHECK_FAILS(cosm_batch_step(exports.batch), COSM_ERROR_BUSY, "cosm_batch_gather", "running",
                "between steps");
    CHECK_INT(result, COSM_ERROR_BUSY);
    (void)spawn_pawn(&exports, 0, 1.0f);
    cosm_query *query = cosm_query_create(exports.engine, &exports.points);
    cosm_rows rows;
    cosm_query_walk(query, exports.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(cosm_batch_scatter(exports.batch), COSM_ERROR_WALKED);
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_GOAL);
    desc.slot = 100;
    desc.name = "another";
    CHECK_INT(cosm_export_define(exports.engine, &desc), COSM_ERROR_WALKED);
    CHECK(cosm_batch_tensor(exports.batch, 100) == NULL);
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_batch_scatter(exports.batch));
    CHECK_FAILS(cosm_batch_gather(NULL), COSM_ERROR_ARGUMENT, "cosm_batch_gather", "batch",
                "cosm_batch_create");
    CHECK_FAILS(cosm_batch_scatter(NULL), COSM_ERROR_ARGUMENT, "cosm_batch_scatter", "batch",
                "cosm_batch_create");
    cosm_query_destroy(query);
    exports_close(&exports);
}

static cosm_result spawn_in_a_hook(void *context, cosm_batch *batch) {
    struct exports *exports = context;
    cosm_rows rows;
    return cosm_entity_spawn_many((cosm_world){batch, 0}, exports->pawn, 3, &rows);
}

static void do_nothing(const cosm_turn *turn) {
    (void)turn;
}

TEST(rows_that_an_init_hook_spawns_are_no_conflict) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    CHECK(cosm_system_define(exports.engine, &(cosm_system_desc){.name = "fill",
                                                                 .run = do_nothing,
                                                                 .init = spawn_in_a_hook,
                                                                 .context = &exports})
              .id != 0);
    CHECK_DONE(cosm_batch_step(exports.batch));
    CHECK_INT(cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->shape[0], 3);
    CHECK_DONE(cosm_batch_step(exports.batch));
    exports_close(&exports);
}

TEST(the_steps_of_a_loop_and_those_by_hand_gather_as_others_do) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    (void)spawn_pawn(&exports, 1, 1.0f);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    int32_t *choice = cosm_batch_tensor(exports.batch, SLOT_PAWN_CHOICE)->data;
    const Point *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT)->data;
    choice[0] = 4;
    cosm_loop *loop = cosm_loop_create(exports.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0.02));
    CHECK_NEAR(point[0].x, 5.0, 0);
    CHECK_DONE(cosm_loop_destroy(loop));
    choice[0] = 2;
    CHECK_DONE(cosm_batch_scatter(exports.batch));
    CHECK_DONE(cosm_batch_run_phase(exports.batch, COSM_PHASE_SIMULATION, -1.0f));
    CHECK_NEAR(point[0].x, 5.0, 0);
    CHECK_DONE(cosm_batch_end_step(exports.batch));
    CHECK_NEAR(point[0].x, 7.0, 0);
    exports_close(&exports);
}

#define WORLDS 23u
#define HISTORY_ROWS 4096u

// What was written for entities of one kind, to be found in the worlds.
struct written {
    cosm_entity entities[HISTORY_ROWS];
    uint32_t worlds[HISTORY_ROWS];
    Point points[HISTORY_ROWS];
    int32_t steps[HISTORY_ROWS];
    uint32_t count;
};

static uint32_t world_of_row(const cosm_tensor *tensor, uint32_t row) {
    uint32_t world = 0;
    while (tensor->offsets[world + 1] <= row) {
        world++;
    }
    return world;
}

// Writes something into every row that may be written.
static void write_rows(const struct exports *exports, struct dice *dice, struct written *written) {
    const cosm_tensor *point = cosm_batch_tensor(exports->batch, SLOT_PAWN_POINT);
    const cosm_entity *entities = cosm_batch_tensor(exports->batch, SLOT_PAWN_ENTITY)->data;
    Point *points = point->data;
    int32_t *steps = cosm_batch_tensor(exports->batch, SLOT_PAWN_CHOICE)->data;
    written->count = (uint32_t)point->shape[0];
    for (uint32_t i = 0; i < written->count; i++) {
        steps[i] = (int32_t)dice_roll(dice, 100);
        points[i].x = (float)dice_roll(dice, 1000);
        points[i].y = (float)dice_roll(dice, 1000);
        written->entities[i] = entities[i];
        written->worlds[i] = world_of_row(point, i);
        written->points[i] = points[i];
        written->steps[i] = steps[i];
    }
    const cosm_tensor *push = cosm_batch_tensor(exports->batch, SLOT_ALL_PUSH);
    for (int64_t i = 0; i < push->shape[0] * 3; i++) {
        ((float *)push->data)[i] += 1.0f;
    }
}

// Those that are still there have what was written, moved on by the system.
static void check_written(const struct exports *exports, const struct written *written) {
    for (uint32_t i = 0; i < written->count; i++) {
        cosm_world world = world_at(exports, written->worlds[i]);
        Point point;
        Choice choice;
        CHECK(cosm_entity_get(world, written->entities[i], exports->point, &point));
        CHECK(cosm_entity_get(world, written->entities[i], exports->choice, &choice));
        CHECK_NEAR(point.x, written->points[i].x + (float)written->steps[i], 0);
        CHECK_NEAR(point.y, written->points[i].y, 0);
        CHECK_INT(choice.step, written->steps[i]);
    }
}

static void spawn_any(const struct exports *exports, struct dice *dice, cosm_world world) {
    Point point = {(float)dice_roll(dice, 1000), 1.0f};
    Side side = {dice_roll(dice, 3)};
    Spin spin = {1.0f, (float)dice_roll(dice, 100)};
    Body body = {1.0, {(float)dice_roll(dice, 50), 2.0f, 3.0f}, {1, 2, 3, 4}};
    const cosm_archetype kinds[] = {exports->pawn, exports->heavy, exports->player, exports->top,
                                    exports->tile};
    const cosm_value values[] = {{exports->point, &point},
                                 {exports->body, &body},
                                 {exports->side, &side},
                                 {exports->spin, &spin}};
    cosm_value chosen[2] = {values[0], {{0}, NULL}};
    uint32_t kind = dice_roll(dice, 5);
    uint32_t count = kind == 1 || kind == 2 ? 2 : 1;
    chosen[1] = values[kind == 1 ? 1 : 2];
    chosen[0] = kind == 3 ? values[3] : values[0];
    if (kind != 4 || cosm_table_row_count(world, exports->tile) < TILE_MAX) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(world, kinds[kind], chosen, count)));
    }
}

// Some change of the rows of a world, outside of a step.
static void change_world(const struct exports *exports, struct dice *dice, cosm_query *points) {
    cosm_world world = world_at(exports, dice_roll(dice, exports->all.count));
    uint32_t what = dice_roll(dice, 12);
    cosm_entity some = cosm_query_first(points, (cosm_worlds){world.batch, world.index, 1}, NULL);
    if (what < 7) {
        spawn_any(exports, dice, world);
    } else if (what < 9 && !cosm_entity_is_none(some)) {
        CHECK_DONE(cosm_entity_despawn(world, some));
    } else if (what == 9 && !cosm_entity_is_none(some) &&
               cosm_entity_archetype(world, some).id != exports->tile.id) {
        bool has = cosm_entity_has(world, some, exports->flag);
        CHECK_DONE(has ? cosm_entity_remove(world, some, exports->flag)
                       : cosm_entity_add(world, some, exports->flag));
    } else if (what == 10 && dice_roll(dice, 8) == 0) {
        CHECK_DONE(cosm_world_reset(world));
    } else if (what == 11 && dice_roll(dice, 8) == 0) {
        CHECK_DONE(cosm_batch_trim(exports->batch));
    }
}

static void check_all_rows(const struct exports *exports) {
    for (uint32_t slot = 0; slot < SLOT_GOAL; slot++) {
        const cosm_tensor *tensor = cosm_batch_tensor(exports->batch, slot);
        if (tensor->kind == COSM_TENSOR_ROWS) {
            check_rows(__FILE__, __LINE__, exports, slot, slot == SLOT_PAWN_CHOICE);
        }
    }
}

// A history, all of which comes from the seed. Leaves the bytes of all tensors at its end, if
// wanted.
static void live_through(uint32_t world_count, uint32_t workers, uint64_t seed, uint32_t turns,
                         struct written *written, char *end, size_t end_size) {
    struct exports exports;
    exports_open(&exports, world_count, workers);
    struct dice dice = {seed};
    cosm_query *points = cosm_query_create(exports.engine, &exports.points);
    void *data[SLOT_COUNT];
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        data[slot] = cosm_batch_tensor(exports.batch, slot)->data;
    }
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t i = dice_roll(&dice, 20); i > 0; i--) {
            change_world(&exports, &dice, points);
        }
        CHECK_DONE(cosm_batch_gather(exports.batch));
        check_all_rows(&exports);
        write_rows(&exports, &dice, written);
        CHECK_DONE(cosm_batch_step(exports.batch));
        check_written(&exports, written);
        check_all_rows(&exports);
        CHECK_VALID(exports.batch);
    }
    size_t at = 0;
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        const cosm_tensor *tensor = cosm_batch_tensor(exports.batch, slot);
        CHECK(tensor->data == data[slot]);
        size_t size = (size_t)(tensor->shape[0] * tensor->strides[0]);
        if (end != NULL && tensor->is_gathered && at + size <= end_size) {
            memcpy(end + at, tensor->data, size);
            at += size;
        }
    }
    cosm_query_destroy(points);
    exports_close(&exports);
}

TEST(random_histories_show_what_walking_shows) {
    struct written *written = calloc(1, sizeof(*written));
    uint32_t turns = harness_is_long() ? 2000 : 60;
    live_through(WORLDS, 2, harness_seed(), turns, written, NULL, 0);
    live_through(1, 1, harness_seed() + 1, turns, written, NULL, 0);
    free(written);
}

TEST(the_buffers_are_the_same_whatever_the_number_of_workers) {
    enum { SIZE = 1 << 16 };
    struct written *written = calloc(1, sizeof(*written));
    char *first = calloc(1, SIZE);
    char *other = calloc(1, SIZE);
    live_through(WORLDS, 1, harness_seed(), 12, written, first, SIZE);
    for (uint32_t workers = 2; workers <= 4; workers *= 2) {
        memset(other, 0, SIZE);
        live_through(WORLDS, workers, harness_seed(), 12, written, other, SIZE);
        CHECK_MEM(other, first, SIZE);
    }
    free(written);
    free(first);
    free(other);
}

// Enough bytes that the workers share them, in both directions.
TEST(many_rows_are_copied_by_several_workers) {
    for (uint32_t workers = 1; workers <= 4; workers *= 2) {
        struct exports exports;
        exports_open(&exports, 100, workers);
        for (uint32_t w = 0; w < 100; w++) {
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(world_at(&exports, w), exports.pawn, 100 + w, &rows));
        }
        CHECK_DONE(cosm_batch_gather(exports.batch));
        const cosm_tensor *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
        int32_t *steps = cosm_batch_tensor(exports.batch, SLOT_PAWN_CHOICE)->data;
        Point *points = point->data;
        int64_t count = point->shape[0];
        CHECK_INT(count, 14950);
        for (int64_t i = 0; i < count; i++) {
            steps[i] = (int32_t)i;
            points[i] = (Point){(float)i, (float)-i};
        }
        CHECK_DONE(cosm_batch_step(exports.batch));
        uint32_t wrong = 0;
        for (int64_t i = 0; i < count; i++) {
            wrong += points[i].x != (float)(2 * i) || points[i].y != (float)-i;
        }
        CHECK_INT(wrong, 0);
        CHECK_ROWS(&exports, SLOT_PAWN_POINT);
        exports_close(&exports);
    }
}
