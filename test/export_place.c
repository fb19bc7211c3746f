// Where tensors are: values shown in place, at addresses that outlast all that is done to the
// worlds.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"

#define MANY 20000u // rows: their columns are longer than the largest block of a pool

// The addresses of all tensors when they were made.
struct places {
    const void *data[SLOT_COUNT];
    const void *offsets[SLOT_COUNT];
    const void *counts[SLOT_COUNT];
    const cosm_tensor *tensors[SLOT_COUNT];
};

static void note_places(const struct exports *exports, struct places *places) {
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        const cosm_tensor *tensor = cosm_batch_tensor(exports->batch, slot);
        places->tensors[slot] = tensor;
        places->data[slot] = tensor->data;
        places->offsets[slot] = tensor->offsets;
        places->counts[slot] = tensor->counts;
    }
}

// Nothing has moved, and what is shown in place is where the world has it.
static void check_places(int line, const struct exports *exports, const struct places *places) {
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        const cosm_tensor *tensor = cosm_batch_tensor(exports->batch, slot);
        (void)harness_check(__FILE__, line, "tensor", tensor == places->tensors[slot]);
        (void)harness_check(__FILE__, line, tensor->name, tensor->data == places->data[slot]);
        (void)harness_check(__FILE__, line, "offsets", tensor->offsets == places->offsets[slot]);
        (void)harness_check(__FILE__, line, "counts", tensor->counts == places->counts[slot]);
    }
    cosm_world world = {exports->batch, 0};
    if (exports->all.count == 1 && cosm_table_row_count(world, exports->pawn) > 0) {
        const void *column = cosm_table_column_read(world, exports->pawn, exports->point);
        (void)harness_check(__FILE__, line, "pawns", column == places->data[SLOT_PAWN_POINT]);
    }
    if (cosm_table_row_count(world, exports->tile) > 0) {
        const void *column = cosm_table_column_read(world, exports->tile, exports->point);
        (void)harness_check(__FILE__, line, "tiles", column == places->data[SLOT_TILE_POINT]);
    }
    const void *goal = cosm_singleton_read(world, exports->goal);
    (void)harness_check(__FILE__, line, "goals",
                        (const char *)goal + offsetof(Goal, score) == places->data[SLOT_GOAL]);
    check_valid(__FILE__, line, exports->batch);
}
#define CHECK_PLACES(exports, places) check_places(__LINE__, (exports), (places))

static void spawn_pawns(const struct exports *exports, uint32_t world, uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(
        cosm_entity_spawn_many((cosm_world){exports->batch, world}, exports->pawn, count, &rows));
    Point *points = COSM_WRITE(&rows, Point);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = (Point){(float)(i % 977), (float)i};
    }
}

static void spawn_tiles(const struct exports *exports, uint32_t world, uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(
        cosm_entity_spawn_many((cosm_world){exports->batch, world}, exports->tile, count, &rows));
}

// All that replaces, grows, shrinks or moves tables, one after the other.
static void do_all(struct exports *exports, const struct places *places) {
    cosm_world world = {exports->batch, 0};
    spawn_pawns(exports, 0, 3);
    spawn_tiles(exports, 0, 2);
    CHECK_PLACES(exports, places);
    cosm_snapshot *few = cosm_snapshot_create(exports->all);
    spawn_pawns(exports, 0, MANY);
    CHECK_PLACES(exports, places);
    cosm_snapshot *many = cosm_snapshot_create(exports->all);
    cosm_patch *patch = cosm_patch_create(few, many);
    REQUIRE(few != NULL && many != NULL && patch != NULL);
    CHECK_DONE(cosm_snapshot_restore(few, 0, exports->all));
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_batch_trim(exports->batch));
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_patch_apply(patch, exports->all));
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_table_sort_u32(world, exports->pawn, exports->point, 0));
    CHECK_PLACES(exports, places);
    cosm_query *pawns = cosm_query_create(
        exports->engine,
        &(cosm_query_desc){.terms = {{.component = exports->choice, .access = COSM_ACCESS_WRITE},
                                     {.component = exports->mark, .kind = COSM_TERM_WITHOUT}}});
    CHECK_DONE(cosm_query_add(pawns, exports->all, exports->flag));
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_batch_trim(exports->batch));
    CHECK_DONE(cosm_query_remove(pawns, exports->all, exports->flag));
    CHECK_INT(cosm_table_row_count(world, exports->pawn), MANY + 3);
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_query_despawn(pawns, exports->all));
    CHECK_DONE(cosm_batch_trim(exports->batch));
    CHECK_PLACES(exports, places);
    CHECK_DONE(cosm_snapshot_restore(many, 0, exports->all));
    CHECK_DONE(cosm_batch_gather(exports->batch));
    CHECK_DONE(cosm_batch_step(exports->batch));
    CHECK_PLACES(exports, places);
    cosm_query_destroy(pawns);
    cosm_patch_destroy(patch);
    cosm_snapshot_destroy(few);
    cosm_snapshot_destroy(many);
}

static void write_bytes(void *target, const char *bytes, size_t size) {
    struct {
        char *bytes;
        size_t size;
    } *file = target;
    file->bytes = realloc(file->bytes, file->size + size);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

// What comes from elsewhere: a file, another batch, a ring.
static void bring_from_outside(struct exports *exports, const struct places *places) {
    cosm_world world = {exports->batch, 0};
    cosm_snapshot *now = cosm_snapshot_create(exports->all);
    struct {
        char *bytes;
        size_t size;
    } file = {NULL, 0};
    CHECK_DONE(cosm_save_write_to(now, NULL, write_bytes, &file));
    CHECK_DONE(cosm_world_reset(world));
    CHECK_PLACES(exports, places);
    cosm_snapshot *loaded =
        cosm_save_read_bytes(exports->engine, file.bytes, file.size, NULL, NULL);
    REQUIRE(loaded != NULL);
    CHECK_DONE(cosm_snapshot_restore(loaded, 0, exports->all));
    CHECK_PLACES(exports, places);
    cosm_batch *other = cosm_batch_create(exports->engine, NULL);
    REQUIRE(other != NULL);
    CHECK_DONE(cosm_fork_world(world, (cosm_worlds){other, 0, 1}, NULL));
    CHECK_DONE(cosm_world_reset(world));
    CHECK_DONE(cosm_fork_world((cosm_world){other, 0}, (cosm_worlds){exports->batch, 0, 1}, NULL));
    CHECK_PLACES(exports, places);
    CHECK_INT(cosm_table_row_count(world, exports->pawn), MANY + 3);
    cosm_rollback *ring = cosm_rollback_create(exports->all, NULL);
    CHECK_DONE(cosm_rollback_keep(ring));
    spawn_pawns(exports, 0, MANY);
    CHECK_DONE(cosm_rollback_back(ring, 1));
    CHECK_PLACES(exports, places);
    cosm_rollback_destroy(ring);
    CHECK_DONE(cosm_batch_destroy(other));
    cosm_snapshot_destroy(loaded);
    cosm_snapshot_destroy(now);
    free(file.bytes);
}

TEST(tensors_of_one_world_stay_where_they_are_whatever_is_done) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    struct places places;
    note_places(&exports, &places);
    do_all(&exports, &places);
    bring_from_outside(&exports, &places);
    exports_close(&exports);
}

TEST(tensors_of_many_worlds_stay_where_they_are_whatever_is_done) {
    struct exports exports;
    exports_open(&exports, 3, 2);
    struct places places;
    note_places(&exports, &places);
    do_all(&exports, &places);
    CHECK_DONE(
        cosm_fork_world((cosm_world){exports.batch, 0}, (cosm_worlds){exports.batch, 1, 2}, NULL));
    CHECK_PLACES(&exports, &places);
    exports_close(&exports);
}

TEST(rows_of_a_growing_archetype_in_one_world_are_shown_without_a_copy) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    const cosm_tensor *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
    const cosm_tensor *y = cosm_batch_tensor(exports.batch, SLOT_PAWN_Y);
    CHECK_INT(point->kind, COSM_TENSOR_ROWS);
    CHECK(!point->is_gathered);
    CHECK_INT((uintptr_t)point->data % 64, 0);
    CHECK((const char *)y->data == (const char *)point->data + 4);
    CHECK_INT(y->strides[0], sizeof(Point));
    CHECK_INT(y->dim_count, 1);
    spawn_pawns(&exports, 0, 5);
    Point *column = cosm_table_column((cosm_world){exports.batch, 0}, exports.pawn, exports.point);
    CHECK(column == point->data);
    column[2].y = 77.0f;
    CHECK_NEAR(*(const float *)(const void *)((const char *)y->data + 2 * y->strides[0]), 77.0, 0);
    ((Point *)point->data)[3].x = 5.0f;
    CHECK_NEAR(column[3].x, 5.0, 0);
    // Counts follow when a step ends, or when asked for.
    CHECK_INT(point->shape[0], 0);
    CHECK_DONE(cosm_batch_step(exports.batch));
    CHECK_INT(point->shape[0], 5);
    CHECK_INT(point->offsets[0], 0);
    CHECK_INT(point->offsets[1], 5);
    spawn_pawns(&exports, 0, 2);
    CHECK_DONE(cosm_batch_gather(exports.batch));
    CHECK_INT(y->shape[0], 7);
    exports_close(&exports);
}

TEST(a_view_made_earlier_never_reads_memory_that_is_gone) {
    for (uint32_t worlds = 1; worlds <= 2; worlds++) {
        struct exports exports;
        exports_open(&exports, worlds, 1);
        spawn_pawns(&exports, 0, MANY);
        CHECK_DONE(cosm_batch_gather(exports.batch));
        const cosm_tensor *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
        CHECK_INT(point->shape[0], MANY);
        const volatile float *view = point->data;
        CHECK_DONE(cosm_batch_reset(exports.batch, NULL));
        CHECK_DONE(cosm_batch_trim(exports.batch));
        CHECK_DONE(cosm_batch_gather(exports.batch));
        CHECK_INT(point->shape[0], 0);
        float sum = 0.0f;
        for (uint32_t i = 0; i < 2 * MANY; i++) {
            sum += view[i];
        }
        CHECK(sum == sum);
        exports_close(&exports);
    }
}

TEST(a_table_that_is_pinned_gives_back_nothing_and_one_that_is_not_goes_on_shrinking) {
    struct exports exports;
    exports_define(&exports, NULL);
    exports.batch = cosm_batch_create(exports.engine, NULL);
    exports.all = (cosm_worlds){exports.batch, 0, 1};
    spawn_pawns(&exports, 0, MANY);
    cosm_world world = {exports.batch, 0};
    const void *before = cosm_table_column_read(world, exports.pawn, exports.point);
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_PAWN_POINT);
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    // It was made of ranges already: pinning leaves it where it is.
    const cosm_tensor *point = cosm_batch_tensor(exports.batch, SLOT_PAWN_POINT);
    CHECK(point->data == before);
    CHECK_INT(point->shape[0], MANY);
    CHECK_INT(cosm_table_describe(world, exports.pawn).capacity >= MANY, true);
    CHECK_DONE(cosm_table_clear(world, exports.pawn));
    CHECK_DONE(cosm_batch_trim(exports.batch));
    CHECK_INT(cosm_table_describe(world, exports.pawn).capacity >= MANY, true);
    CHECK_VALID(exports.batch);
    CHECK_DONE(cosm_batch_destroy(exports.batch));
    CHECK_DONE(cosm_engine_destroy(exports.engine));
}
