// Bringing space back: trimming the end, packing, giving chunks back.
//
// Packing fills the lowest hole with the last record, again and again. So it moves just those
// records that lie past the place where the end will be, and looks at no others.
#include <string.h>

#include "base/os.h"
#include "store/sectors_shared.h"

// Moves between two looks at the clock, which costs about as much as a move.
#define MAINTAIN_CLOCK_MOVES 16u

struct maintenance {
    struct sectors *sectors;
    cosm_container_report report;
    uint32_t move_max;
    uint64_t deadline_ns; // zero: none
    bool is_spent;
};

static void maintain_look_at_clock(struct maintenance *work) {
    if (work->deadline_ns != 0 && cosmi_os_now_ns() >= work->deadline_ns) {
        work->is_spent = true;
    }
}

// Forgets holes at the end.
static void trim_places(struct maintenance *work) {
    struct sectors *sectors = work->sectors;
    while (sectors->place_end > 0 && holes_has(&sectors->holes, sectors->place_end - 1)) {
        if (work->report.reclaimed % 1024 == 1023) {
            maintain_look_at_clock(work);
            if (work->is_spent) {
                return;
            }
        }
        // Taken out of the map and out of the holes, as if for a record that never comes.
        cosmi_sectors_take(sectors, sectors->place_end - 1);
        sectors->place_end--;
        work->report.reclaimed++;
    }
}

static void move_record(struct sectors *sectors, uint32_t from, uint32_t to) {
    cosm_sector *source = sectors_at(sectors, from);
    cosm_sector *target = sectors_at(sectors, to);
    cosmi_sectors_take(sectors, to);
    uint64_t hooked = source->live & sectors->layout->with_move;
    memcpy(target, source, hooked == 0 ? sectors->layout->stride : sizeof *source);
    if (hooked != 0) {
        uint64_t live = source->live;
        for (uint32_t i = 0; live != 0; i++, live >>= 1) {
            if ((live & 1u) != 0) {
                size_t offset = sectors->layout->members[i].offset;
                cosmi_sectors_move_object(sectors, i, cosm_sector_at(target, offset),
                                          cosm_sector_at(source, offset));
            }
        }
    }
    cosmi_sectors_map_set(sectors, source->entity.id, to + 1);
    *source = (cosm_sector){SECTOR_NOBODY, 0};
    holes_set(&sectors->holes, from);
}

// Is a record there that lives? (Not a hole, and not one that waits for its readers.)
static bool is_living(const struct sectors *sectors, uint32_t place) {
    return !holes_has(&sectors->holes, place) &&
           (sectors->shared == NULL || !reclaim_at(sectors, place)->is_gone);
}

static void pack_places(struct maintenance *work) {
    struct sectors *sectors = work->sectors;
    uint32_t from = sectors->place_end;
    while (from > 0 && !work->is_spent) {
        uint32_t to = cosmi_holes_first(&sectors->holes);
        from--;
        if (to == PLACE_NONE || to > from) {
            sectors->is_packing = false;
            return;
        }
        if (!is_living(sectors, from)) {
            continue;
        }
        if (sectors->shared == NULL) {
            move_record(sectors, from, to);
        } else if (!cosmi_shared_move(sectors, from, to)) {
            continue; // it is pinned: the next one may not be
        }
        work->report.moved++;
        if (work->report.moved == work->move_max) {
            work->is_spent = true;
        } else if (work->report.moved % MAINTAIN_CLOCK_MOVES == 0) {
            maintain_look_at_clock(work);
        }
    }
    sectors->is_packing = work->is_spent;
}

// Records that nobody can see any more, in portions that the clock may end.
static void reclaim_places(struct maintenance *work) {
    struct sectors_shared *shared = work->sectors->shared;
    if (shared == NULL) {
        return;
    }
    for (uint32_t left = shared->queue_count; left > 0 && !work->is_spent;) {
        uint32_t portion = left < 256 ? left : 256;
        cosmi_shared_reclaim(work->sectors, portion);
        left -= portion;
        maintain_look_at_clock(work);
    }
    cosmi_shared_reclaim(work->sectors, 0); // blocks of the map
}

static uint32_t dead_places(const struct sectors *sectors) {
    return sectors->place_end - sectors->live_count;
}

cosm_result cosmi_sectors_maintain(struct sectors *sectors, const char *call,
                                   const cosm_container_budget *budget,
                                   cosm_container_report *out_report) {
    cosm_result result = cosmi_sectors_may_move(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    struct maintenance work = {.sectors = sectors};
    if (budget != NULL) {
        work.move_max = budget->move_max;
        work.deadline_ns = budget->ns_max != 0 ? cosmi_os_now_ns() + budget->ns_max : 0;
    }
    uint32_t place_count = sectors->place_end;
    reclaim_places(&work);
    trim_places(&work);
    uint32_t dead = dead_places(sectors);
    if (dead > 0 && (double)dead >= sectors->layout->threshold * (double)sectors->place_end) {
        sectors->is_packing = true;
    }
    if (sectors->is_packing && !work.is_spent) {
        pack_places(&work);
        reclaim_places(&work);
        trim_places(&work);
    }
    uint32_t keep = sectors->place_end > sectors->reserved ? sectors->place_end : sectors->reserved;
    uint32_t chunk_count = sectors->chunk_count;
    uint32_t needed =
        (uint32_t)(((uint64_t)keep + sectors->face.chunk_mask) >> sectors->face.chunk_shift);
    if (needed < chunk_count) {
        cosmi_sectors_drop_chunks(sectors, needed);
    }
    work.report.reclaimed = place_count - sectors->place_end;
    work.report.chunks_freed = chunk_count - sectors->chunk_count;
    work.report.left = dead_places(sectors);
    if (out_report != NULL) {
        *out_report = work.report;
    }
    return COSM_OK;
}
