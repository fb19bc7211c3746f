// What stands beside the rows of a store: who is told of what.
#include "store/managed.h"

#include "store/change.h"
#include "store/event.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

void cosmi_side_spawned(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_spawned(place, store, row, count);
    }
    if (store_is_watched(store)) {
        cosmi_event_come(place, store, row, count);
    }
}

// What is kept of the rows for observers is kept first.
void cosmi_side_leaving(struct place place, struct store *store, uint32_t row, uint32_t count) {
    if (store_is_watched(store)) {
        cosmi_event_leave(place, store, row, count);
    }
    if (store->group != NULL) {
        cosmi_group_note(place, store->group);
    }
    if ((store_sides(store) & SIDE_ENTITIES) != 0 && !store->archetype->temporary) {
        const cosm_entity *entities = (const cosm_entity *)(const void *)store_cell(
            store, store_table(store, place.index), place.index, ENTITY_COLUMN, row,
            sizeof(cosm_entity));
        for (uint32_t i = 0; i < count; i++) {
            cosmi_sector_erase(place, entities[i]);
        }
        cosmi_tree_leave_rows(place, store, row, count);
    }
    if ((store_sides(store) & SIDE_MANAGED) != 0) {
        cosmi_managed_leaving(place, store, row, count);
    }
}

void cosmi_side_moving(struct place place, struct store *source, const uint32_t *rows, uint32_t row,
                       uint32_t count, struct store *target, const struct transition *transition) {
    if (store_is_watched(source)) {
        cosmi_event_move(place, source, rows, row, count, target);
    }
    if (source->group != NULL) {
        cosmi_group_note(place, source->group);
    }
    if (transition->drop_count > 0) {
        cosmi_managed_moving(place, source, rows, row, count, transition);
    }
}

void cosmi_side_moved(struct place place, const struct store *source, struct store *target,
                      uint32_t row, uint32_t count) {
    if ((store_sides(target) & SIDE_TICKS) != 0) {
        cosmi_change_moved(place, source, target, row, count);
    }
    // A source that is watched has told already.
    if (store_is_watched(target) && !store_is_watched(source)) {
        cosmi_event_arrive(place, target, row, count);
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
    if (place.batch->events != NULL) {
        cosmi_event_reset(place);
    }
    cosmi_shared_note_all(place);
    cosmi_sector_reset(place);
    cosmi_tree_reset(place);
    const struct beside *beside = place.batch->besides[place.index];
    if (beside != NULL && beside->managed != NULL) {
        cosmi_managed_reset(place);
    }
}

void cosmi_side_settle(struct place place) {
    cosmi_shared_collect(place);
}
