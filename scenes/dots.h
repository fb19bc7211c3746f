// Draws the entities of an archetype as dots, by their Position: the picture of scenes in a plane.
#ifndef SCENES_DOTS_H
#define SCENES_DOTS_H

#include "motion.cosm.h"
#include "paint.h"

// Of larger tables every n-th row is drawn: more would be a blot, and would take longer than a
// step.
#define DOTS_MAX 4096u

// The part of the plane that the canvas shows.
struct dots_view {
    float left;
    float right;
    float bottom;
    float top;
};

static inline void dots_draw(cosm_canvas *canvas, cosm_world world, cosm_archetype archetype,
                             struct dots_view view, struct colour colour) {
    cosm_component position = Position_component(cosm_batch_engine(world.batch));
    uint32_t row_count = cosm_table_row_count(world, archetype);
    uint32_t stride = row_count / DOTS_MAX + 1;
    float across = (float)canvas->width / (view.right - view.left);
    float down = (float)canvas->height / (view.top - view.bottom);
    for (uint32_t row = 0; row < row_count; row += stride) {
        Position at;
        cosm_entity entity = cosm_entity_at(world, (cosm_loc){archetype.id, row});
        // The comparison is false for what is no number.
        if (cosm_entity_get(world, entity, position, &at) && at.x >= view.left &&
            at.x <= view.right && at.y >= view.bottom && at.y <= view.top) {
            int32_t x = (int32_t)((at.x - view.left) * across);
            int32_t y = (int32_t)((view.top - at.y) * down);
            // What lies on the far edge belongs to the last pixel.
            paint_pixel(canvas, x < (int32_t)canvas->width ? x : x - 1,
                        y < (int32_t)canvas->height ? y : y - 1, colour);
        }
    }
}

#endif
