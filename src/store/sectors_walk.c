// Walks over plain containers: what happens at the end of a chunk, and walks by id.
#include "store/sectors.h"

static struct sectors *walked_sectors(const cosm_container_walk *walk) {
    return (struct sectors *)(void *)walk->face; // its first member
}

static void count_sectors_walk(cosm_container_face *face, uint32_t by) {
    // Several threads may walk at once; the count only tells that some do.
    atomic_fetch_add_explicit((_Atomic(uint32_t) *)(void *)&face->walk_count, by,
                              memory_order_relaxed);
}

static bool walk_wants(const cosm_container_walk *walk, const cosm_sector *sector) {
    return sector->live != 0 && (sector->live & walk->either) == walk->with;
}

static cosm_sector *turn_by_id(cosm_container_walk *walk) {
    const struct sectors *sectors = walked_sectors(walk);
    for (;;) {
        uint32_t id = cosmi_sectors_map_next(sectors, walk->next, walk->last);
        if (id == walk->last) {
            if (walk->range_count == 0) {
                return NULL;
            }
            walk->next = walk->ranges->first;
            walk->last = walk->ranges->first + walk->ranges->count;
            walk->ranges++;
            walk->range_count--;
            continue;
        }
        walk->next = id + 1;
        cosm_sector *sector = sectors_at(sectors, sectors_map_at(sectors, id) - 1);
        if (walk_wants(walk, sector)) {
            return sector;
        }
    }
}

static cosm_sector *turn_chunk(cosm_container_walk *walk) {
    const cosm_container_face *face = walk->face;
    while (walk->next < walk->last) {
        uint32_t left = walk->last - walk->next;
        uint32_t count = left <= face->chunk_mask ? left : face->chunk_mask + 1;
        char *at = face->chunks[walk->next >> face->chunk_shift];
        walk->end = at + count * face->stride;
        walk->next += count;
        for (; at < walk->end; at += face->stride) {
            cosm_sector *sector = (cosm_sector *)(void *)at;
            if (walk_wants(walk, sector)) {
                return sector;
            }
        }
    }
    return NULL;
}

cosm_sector *cosm_container_walk_turn(cosm_container_walk *walk) {
    if (walk->face == NULL) {
        return NULL;
    }
    cosm_sector *sector = walk->by_id ? turn_by_id(walk) : turn_chunk(walk);
    if (sector == NULL) {
        cosm_container_walk_end(walk);
    }
    return sector;
}

void cosm_container_walk_end(cosm_container_walk *walk) {
    if (walk != NULL && walk->face != NULL) {
        count_sectors_walk(walk->face, 0xFFFFFFFFu);
        walk->face = NULL;
        walk->end = NULL;
    }
}

cosm_sector *cosmi_sectors_walk_begin(struct sectors *sectors, const cosm_container_walk_desc *desc,
                                      cosm_container_walk *out_walk) {
    INVARIANT(sectors->shared == NULL, "a concurrent container is walked through readers");
    static const cosm_container_walk_desc all;
    desc = desc == NULL ? &all : desc;
    out_walk->end = NULL;
    out_walk->stride = sectors->face.stride;
    out_walk->with = desc->with;
    out_walk->either = desc->with | desc->without;
    out_walk->face = &sectors->face;
    out_walk->next = 0;
    out_walk->last = desc->ranges != NULL ? 0 : sectors->place_end;
    out_walk->ranges = desc->ranges;
    out_walk->range_count = desc->range_count;
    out_walk->by_id = desc->ranges != NULL;
    for (uint32_t i = 0; i < COSM_CONTAINER_FOREIGN_MAX; i++) {
        const cosm_container_term *term = &desc->foreign[i];
        cosm_container_foreign *foreign = &out_walk->foreign[i];
        foreign->sectors = term->sectors;
        if (term->sectors != NULL) {
            const struct sectors *other = (const struct sectors *)(const void *)term->sectors;
            foreign->offset = other->layout->members[term->member].offset;
            foreign->bit = COSM_CONTAINER_BIT(term->member);
        }
    }
    count_sectors_walk(&sectors->face, 1);
    return cosm_container_walk_turn(out_walk);
}
