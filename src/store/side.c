// What stands beside the rows of a store: who is told of what.
#include "store/side.h"

#include "store/change.h"
#include "store/shared.h"

void cosmi_side_spawned(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_spawned(place, store, row, count);
    }
}

void cosmi_side_leaving(struct place place, struct store *store, uint32_t row, uint32_t count) {
    (void)row;
    (void)count;
    if (store->group != NULL) {
        cosmi_group_note(place, store->group);
    }
}

void cosmi_side_moving(struct place place, struct store *source, const uint32_t *rows, uint32_t row,
                       uint32_t count, const struct transition *transition) {
    (void)rows;
    (void)row;
    (void)count;
    (void)transition;
    if (source->group != NULL) {
        cosmi_group_note(place, source->group);
    }
}

void cosmi_side_moved(struct place place, const struct store *source, struct store *target,
                      uint32_t row, uint32_t count) {
    if ((store_sides(target) & SIDE_TICKS) != 0) {
        cosmi_change_moved(place, source, target, row, count);
    }
}

void cosmi_side_filled(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_filled(place, store, row, count);
    }
}

void cosmi_side_set(struct place place, struct store *store, uint32_t component, uint32_t row,
                    uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_set(place, store, component, row, count);
    }
}

void cosmi_side_reset(struct place place) {
    cosmi_shared_note_all(place);
}

void cosmi_side_settle(struct place place) {
    cosmi_shared_collect(place);
}
