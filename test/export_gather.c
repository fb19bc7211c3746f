// ctest: threads
// Tensors of rows that come and go: gathered after a step, scattered before it. Definitions are in
// export.c, what they do to snapshots and recordings in export_state.c.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/exhibit.h"
#include "support/sandbox.h"

static cosm_world world_at(const struct exhibit *exhibit, uint32_t index) {
    return (cosm_world){exhibit->batch, index};
}

static cosm_entity spawn_pawn(const struct exhibit *exhibit, uint32_t world, float x) {
    Point point = {x, -x};
    return cosm_entity_spawn_with(world_at(exhibit, world), exhibit->pawn,
                                  &(cosm_value){exhibit->point, &point}, 1);
}

TEST(rows_of_growing_archetypes_are_gathered_after_a_step_and_by_hand) {
    struct exhibit exhibit;
    exhibit_open(&exhibit, 3, 1);
    const cosm_tensor *point = cosm_batch_tensor(exhibit.batch, SLOT_PAWN_POINT);
    CHECK_INT(point->kind, COSM_TENSOR_ROWS);
    CHECK(point->is_gathered);
    CHECK_INT(point->dim_count, 2);
    CHECK_INT(point->shape[0], 0);
    CHECK_INT(point->shape[1], 2);
    CHECK_INT(point->strides[0], sizeof(Point));
    CHECK_INT((uintptr_t)point->data % 64, 0);
    (void)spawn_pawn(&exhibit, 0, 1.0f);
    (void)spawn_pawn(&exhibit, 2, 2.0f);
    (void)spawn_pawn(&exhibit, 2, 3.0f);
    CHECK_INT(point->shape[0], 0);
    CHECK_DONE(cosm_batch_gather(exhibit.batch));
    CHECK_INT(point->shape[0], 3);
    CHECK_INT(point->offsets[0], 0);
    CHECK_INT(point->offsets[1], 1);
    CHECK_INT(point->offsets[2], 1);
    CHECK_INT(point->offsets[3], 3);
    CHECK_NEAR(((const Point *)point->data)[2].x, 3.0, 0);
    int32_t *choices = cosm_batch_tensor(exhibit.batch, SLOT_PAWN_CHOICE)->data;
    choices[0] = 10;
    choices[1] = 20;
    choices[2] = 30;
    CHECK_DONE(cosm_batch_step(exhibit.batch));
    CHECK_NEAR(((const Point *)point->data)[0].x, 11.0, 0);
    CHECK_NEAR(((const Point *)point->data)[1].x, 22.0, 0);
    CHECK_NEAR(((const Point *)point->data)[2].x, 33.0, 0);
    CHECK_ROWS(&exhibit, SLOT_PAWN_POINT);
    CHECK_ROWS(&exhibit, SLOT_PAWN_ENTITY);
    CHECK_ROWS(&exhibit, SLOT_PAWN_Y);
    exhibit_close(&exhibit);
}
