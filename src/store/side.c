// What stands beside the rows of a store: who is told of what.
#include "store/side.h"

#include "store/event.h"

void cosmi_side_spawned(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if (store_is_watched(store)) {
        cosmi_event_come(place, store, row, count);
    }
}

void cosmi_side_leaving(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if (store_is_watched(store)) {
        cosmi_event_leave(place, store, row, count);
    }
}

void cosmi_side_moving(struct place place, struct store *source, const uint32_t *rows, uint32_t row,
                       uint32_t count, const struct transition *transition) {
    if (store_is_watched(source)) {
        struct store *target = batch_known_store(place.batch, transition->target->id);
        cosmi_event_move(place, source, rows, row, count, target);
    }
}

void cosmi_side_moved(struct place place, const struct store *source, struct store *target,
                      uint32_t row, uint32_t count) {
    // A source that is watched has told already.
    if (store_is_watched(target) && !store_is_watched(source)) {
        cosmi_event_arrive(place, target, row, count);
    }
}

void cosmi_side_filled(struct place place, struct store *store, uint32_t row, uint32_t count) {
    (void)place;
    (void)store;
    (void)row;
    (void)count;
}

void cosmi_side_set(struct place place, struct store *store, uint32_t component, uint32_t row,
                    uint32_t count) {
    (void)place;
    (void)store;
    (void)component;
    (void)row;
    (void)count;
}

void cosmi_side_reset(struct place place) {
    if (place.batch->events != NULL) {
        cosmi_event_reset(place);
    }
}
