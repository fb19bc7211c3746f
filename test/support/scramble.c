// Worlds with other values in every field, saved and loaded.
#include "support/scramble.h"

#include <string.h>

#include "harness.h"
#include "support/shelf.h"

// Strict fields here are integers of at most 32 bits with small bounds, and bools.
static int64_t draw_strict(const cosm_field *field, struct dice *dice) {
    if (field->type == COSM_FIELD_BOOL) {
        return dice_roll(dice, 2);
    }
    if (field->labels != NULL) {
        return field->labels->items[dice_roll(dice, field->labels->count)].value;
    }
    // Often one of the ends, where what is beside lies outside.
    uint32_t end = dice_roll(dice, 4);
    int64_t low = (int64_t)field->min;
    int64_t high = (int64_t)field->max;
    return end == 0   ? low
           : end == 1 ? high
                      : low + (int64_t)dice_roll(dice, (uint32_t)(high - low + 1));
}

static void draw_field(const cosm_field *field, unsigned char *at, struct dice *dice) {
    size_t size = cosm_field_type_size(field->type);
    for (uint32_t e = 0; e < cosm_field_element_count(field); e++) {
        unsigned char *scalar = at + e * size;
        if (field->strict) {
            int64_t value = draw_strict(field, dice);
            memcpy(scalar, &value, size);
            continue;
        }
        // Small numbers are where they are legal somewhere, all bits set are the largest ones.
        uint32_t kind = dice_roll(dice, 3);
        for (size_t b = 0; b < size; b++) {
            scalar[b] = (unsigned char)(kind == 0   ? dice_roll(dice, 256)
                                        : kind == 1 ? (b == 0 ? dice_roll(dice, 5) : 0)
                                                    : 255);
        }
    }
}

static void scramble_component(cosm_batch *batch, cosm_component component, struct dice *dice) {
    cosm_engine *engine = cosm_batch_engine(batch);
    cosm_query *query = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = component, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    while (cosm_rows_next(&rows)) {
        cosm_component_info info = cosm_component_describe(engine, component);
        for (uint32_t f = 0; f < info.field_count; f++) {
            cosm_span span = cosm_rows_span(&rows, component, f);
            for (uint32_t i = 0; span.data != NULL && i < rows.count; i++) {
                draw_field(&info.fields[f], (unsigned char *)span.data + i * span.stride, dice);
            }
        }
    }
    cosm_query_destroy(query);
}

void scramble(cosm_batch *batch, struct dice *dice) {
    cosm_engine *engine = cosm_batch_engine(batch);
    cosm_engine_info info = cosm_engine_describe(engine);
    for (uint32_t id = 1; id <= info.component_count; id++) {
        scramble_component(batch, (cosm_component){id}, dice);
    }
    for (uint32_t id = 1; id <= info.singleton_count; id++) {
        cosm_singleton_info singleton = cosm_singleton_describe(engine, (cosm_singleton){id});
        for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
            unsigned char *value =
                cosm_singleton_write(cosm_batch_world(batch, w), (cosm_singleton){id});
            for (uint32_t f = 0; f < singleton.field_count; f++) {
                draw_field(&singleton.fields[f], value + singleton.fields[f].offset, dice);
            }
        }
    }
}

void scramble_and_load(cosm_batch *batch, struct dice *dice) {
    struct shelf shelf = {.bytes = NULL};
    scramble(batch, dice);
    shelf_save(&shelf, batch, NULL);
    CHECK(shelf_load(&shelf, batch, NULL, NULL));
    shelf_free(&shelf);
}
