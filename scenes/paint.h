// What environments paint their pictures with: rectangles and thick lines on a canvas. What lies
// outside of it is left out.
#ifndef SCENES_PAINT_H
#define SCENES_PAINT_H

#include <cosm_sim/env.h>

struct colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
};

static inline void paint_pixel(cosm_canvas *canvas, int32_t x, int32_t y, struct colour colour) {
    if (x < 0 || y < 0 || x >= (int32_t)canvas->width || y >= (int32_t)canvas->height) {
        return;
    }
    size_t pixel = (size_t)y * canvas->width + (size_t)x;
    canvas->pixels[pixel * 3] = colour.red;
    canvas->pixels[pixel * 3 + 1] = colour.green;
    canvas->pixels[pixel * 3 + 2] = colour.blue;
}

// From (x, y), `width` to the right and `height` down.
static inline void paint_box(cosm_canvas *canvas, int32_t x, int32_t y, int32_t width,
                             int32_t height, struct colour colour) {
    for (int32_t row = y; row < y + height; row++) {
        for (int32_t column = x; column < x + width; column++) {
            paint_pixel(canvas, column, row, colour);
        }
    }
}

// From (x0, y0) to (x1, y1): all pixels whose middle is at most `radius` away from the line.
static inline void paint_line(cosm_canvas *canvas, float x0, float y0, float x1, float y1,
                              float radius, struct colour colour) {
    float across = x1 - x0;
    float down = y1 - y0;
    float square = across * across + down * down;
    for (uint32_t row = 0; row < canvas->height; row++) {
        for (uint32_t column = 0; column < canvas->width; column++) {
            float x = (float)column + 0.5f - x0;
            float y = (float)row + 0.5f - y0;
            float along = square > 0.0f ? (x * across + y * down) / square : 0.0f;
            along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
            float x_off = x - along * across;
            float y_off = y - along * down;
            if (x_off * x_off + y_off * y_off <= radius * radius) {
                paint_pixel(canvas, (int32_t)column, (int32_t)row, colour);
            }
        }
    }
}

#endif
