// The walk of every invariant of a container.
#include "store/sectors_shared.h"

struct sectors_tally {
    uint32_t live;
    uint32_t mapped;
    uint32_t queued;
};

// What is wrong with a place, or NULL.
static const char *check_sector_place(const struct sectors *sectors, uint32_t place,
                                      struct sectors_tally *tally) {
    const cosm_sector *sector = sectors_at(sectors, place);
    bool is_hole = holes_has(&sectors->holes, place);
    const struct reclaim *reclaim = sectors->shared != NULL ? reclaim_at(sectors, place) : NULL;
    bool is_gone = reclaim != NULL && reclaim->is_gone;
    bool is_mapped = sector->entity.id < COSM_WORLD_ENTITY_MAX &&
                     cosmi_sectors_map_entry(sectors, sector->entity.id) == place + 1;
    tally->queued += reclaim != NULL && reclaim->is_queued;
    if (is_hole) {
        tally->mapped += is_mapped;
        if (sector->live != 0) {
            return "a hole has living members";
        }
        if (reclaim != NULL &&
            (is_mapped || reclaim->is_queued || reclaim->is_gone || reclaim->pending != 0)) {
            return "a hole of a concurrent container is in use";
        }
        return is_mapped || sector->entity.id == SECTOR_NOBODY.id
                   ? NULL
                   : "the id of a dead record leads elsewhere";
    }
    if (is_gone) {
        return is_mapped ? "an id leads to a removed record"
                         : (reclaim->is_queued ? NULL : "a removed record waits for no reader");
    }
    tally->live++;
    tally->mapped++;
    if (sector->live == 0 || (sector->live & ~sectors->layout->all) != 0) {
        return "a record has no members, or members that do not exist";
    }
    if (reclaim != NULL && ((reclaim->pending & sector->live) != 0 ||
                            (reclaim->pending != 0 && !reclaim->is_queued))) {
        return "what waits to be destroyed is alive, or is not queued";
    }
    if ((sector->entity.gen & 1u) == 0) {
        return "a record has an entity that can never be alive";
    }
    return is_mapped ? NULL : "the id of a record does not lead to it";
}

static const char *check_holes(const struct holes *holes, uint32_t place_end) {
    uint32_t below = holes->capacity / 64;
    for (uint32_t level = 1; level < holes->level_count; level++) {
        for (uint32_t i = 0; i < below; i++) {
            bool any = holes->words[holes->offsets[level - 1] + i] != 0;
            bool marked = (holes->words[holes->offsets[level] + i / 64] >> (i % 64) & 1u) != 0;
            if (any != marked) {
                return "a level of the hole index differs from the one below";
            }
        }
        below = (below + 63) / 64;
    }
    for (uint32_t place = place_end; place < holes->capacity; place++) {
        if (holes_has(holes, place)) {
            return "there is a hole past the end";
        }
    }
    return NULL;
}

static const char *check_counts(const struct sectors *sectors, const struct sectors_tally *tally) {
    if (tally->live != sectors->live_count) {
        return "the count of living records is wrong";
    }
    if (tally->mapped != cosmi_sectors_map_count(sectors)) {
        return "an id leads to no record";
    }
    if (sectors->shared != NULL && tally->queued != sectors->shared->queue_count) {
        return "the queue does not hold what waits";
    }
    if ((uint64_t)sectors->chunk_count << sectors->face.chunk_shift < sectors->place_end) {
        return "there are records past the last chunk";
    }
    return check_holes(&sectors->holes, sectors->place_end);
}

cosm_result cosmi_sectors_validate(struct sectors *sectors, const char *call) {
    struct sectors_tally tally = {0};
    for (uint32_t place = 0; place < sectors->place_end; place++) {
        const char *wrong = check_sector_place(sectors, place, &tally);
        if (wrong != NULL) {
            return cosmi_fail(sectors->sink, COSM_ERROR_CORRUPT,
                              "%s: %s: at index %u %s; please report this with what led to it",
                              call, sectors->layout->name, place, wrong);
        }
    }
    const char *wrong = check_counts(sectors, &tally);
    if (wrong != NULL) {
        return cosmi_fail(sectors->sink, COSM_ERROR_CORRUPT,
                          "%s: %s: %s; please report this with what led to it", call,
                          sectors->layout->name, wrong);
    }
    return COSM_OK;
}
