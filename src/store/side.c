// What stands beside the rows of a store: who is told of what.
#include "store/managed.h"

#include "store/change.h"
#include "store/event.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

void cosmi_side_spawned(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_spawned(world, store, row, count);
    }
    if (store_is_watched(store)) {
        cosmi_event_come(world, store, row, count);
    }
}

// What is kept of the rows for observers is kept first.
void cosmi_side_leaving(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    if (store_is_watched(store)) {
        cosmi_event_leave(world, store, row, count);
    }
    if (store->group != NULL) {
        cosmi_group_note(world, store->group);
    }
    if ((store_sides(store) & SIDE_ENTITIES) != 0 && !store->archetype->temporary) {
        const cosm_entity *entities = store_entities(store, world.index, row);
        for (uint32_t i = 0; i < count; i++) {
            cosmi_sector_erase(world, entities[i]);
        }
        cosmi_tree_leave_rows(world, store, row, count);
    }
    if ((store_sides(store) & SIDE_MANAGED) != 0) {
        cosmi_managed_leaving(world, store, row, count);
    }
}

void cosmi_side_moving(cosm_world world, struct store *source, const uint32_t *rows, uint32_t row,
                       uint32_t count, struct store *target, const struct transition *transition) {
    if (store_is_watched(source)) {
        cosmi_event_move(world, source, rows, row, count, target);
    }
    if (source->group != NULL) {
        cosmi_group_note(world, source->group);
    }
    if (transition->drop_count > 0) {
        cosmi_managed_moving(world, source, rows, row, count, transition);
    }
}

void cosmi_side_moved(cosm_world world, const struct store *source, struct store *target,
                      uint32_t row, uint32_t count) {
    if ((store_sides(target) & SIDE_TICKS) != 0) {
        cosmi_change_moved(world, source, target, row, count);
    }
    // A source that is watched has told already.
    if (store_is_watched(target) && !store_is_watched(source)) {
        cosmi_event_arrive(world, target, row, count);
    }
}

void cosmi_side_filled(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_filled(world, store, row, count);
    }
}

void cosmi_side_set(cosm_world world, struct store *store, uint32_t component, uint32_t row,
                    uint32_t count) {
    if ((store_sides(store) & SIDE_TICKS) != 0) {
        cosmi_change_set(world, store, component, row, count);
    }
}

void cosmi_side_reset(cosm_world world) {
    if (world.batch->events != NULL) {
        cosmi_event_reset(world);
    }
    cosmi_shared_note_all(world);
    cosmi_sector_reset(world);
    cosmi_tree_reset(world);
    const struct beside *beside = world.batch->besides[world.index];
    if (beside != NULL && beside->managed != NULL) {
        cosmi_managed_reset(world);
    }
}

void cosmi_side_settle(cosm_world world) {
    cosmi_shared_collect(world);
}
