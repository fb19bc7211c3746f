// The check of the sector components of an image that was made from bytes.
#include "state/restore.h"

// Ids that are looked at in one go: 32 KiB of bits.
#define WINDOW_IDS (1u << 18)

static bool is_zero(const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    unsigned char any = 0;
    for (size_t i = 0; i < size; i++) {
        any |= at[i];
    }
    return any == 0;
}

// The members of a record: zero where they are dead or objects, and objects just where they live.
static const char *members_fault(const struct sector_image *image, const cosm_sector *sector,
                                 uint32_t place) {
    const struct sector_group *group = image->group;
    uint32_t k = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        bool is_live = (sector->live >> m & 1) != 0;
        bool is_object = sector_member_is_object(group, m);
        if ((!is_live || is_object) &&
            !is_zero(cosm_sector_at(sector, member->offset), member->size)) {
            return "a sector has bytes of a member that it does not have";
        }
        if (!is_object) {
            continue;
        }
        const struct object *object = image->objects[(size_t)place * image->object_members + k++];
        if (is_live != (object != NULL)) {
            return "a sector has a member without its object, or an object without its member";
        }
        if (object != NULL && object->type->id != group->components[m].id) {
            return "an object of a sector is of another component";
        }
    }
    return NULL;
}

static const char *record_fault(const struct world_image *world, const struct sector_image *image,
                                uint32_t place) {
    const cosm_sector *sector = sector_image_at(image, place);
    cosm_entity entity = sector->entity;
    if ((sector->live & ~image->group->layout->all) != 0) {
        return "a sector has members that do not exist";
    }
    if (entity.id >= world->directory.known && entity.id != SECTOR_NOBODY.id) {
        return "a sector has an id that was never used";
    }
    if (sector->live != 0 && (entity.id >= world->directory.used || (entity.gen & 1) == 0 ||
                              image_record(world, entity.id)->gen != entity.gen)) {
        return "a sector has an entity that is not alive";
    }
    return members_fault(image, sector, place);
}

// Does an id lead to two records? In windows, because a check has no memory to take.
static bool has_id_twice(const struct world_image *world, const struct sector_image *image) {
    uint64_t seen[WINDOW_IDS / 64];
    for (uint64_t first = 0; first < world->directory.known; first += WINDOW_IDS) {
        memset(seen, 0, sizeof(seen));
        for (uint32_t i = 0; i < image->place_end; i++) {
            uint32_t at = sector_image_at(image, i)->entity.id - (uint32_t)first;
            if (at < WINDOW_IDS) {
                uint64_t bit = (uint64_t)1 << (at % 64);
                if ((seen[at / 64] & bit) != 0) {
                    return true;
                }
                seen[at / 64] |= bit;
            }
        }
    }
    return false;
}

static const char *container_fault(const struct world_image *world,
                                   const struct sector_image *image) {
    if (image->place_end == 0 || image->place_end > SECTORS_PLACE_MAX) {
        return "a sector container has no slots, or too many";
    }
    uint32_t chunk = image->group->layout->chunk_sectors;
    for (uint32_t p = 0; p < image->piece_count; p++) {
        uint32_t left = image->place_end - p * chunk;
        size_t size = (left < chunk ? left : chunk) * image->group->layout->stride;
        if (image->pieces[p] == NULL || image->pieces[p]->size != size) {
            return "sectors are truncated";
        }
    }
    uint32_t live = 0;
    for (uint32_t i = 0; i < image->place_end; i++) {
        const char *fault = record_fault(world, image, i);
        if (fault != NULL) {
            return fault;
        }
        live += sector_image_at(image, i)->live != 0;
    }
    if (live != image->live_count) {
        return "the count of sectors is wrong";
    }
    return has_id_twice(world, image) ? "an id has two sectors of one group" : NULL;
}

const char *cosmi_sector_image_fault(const struct world_image *image) {
    const char *fault = NULL;
    for (uint32_t i = 0; i < image->sector_count && fault == NULL; i++) {
        if (i > 0 && image->sectors[i - 1]->group->id >= image->sectors[i]->group->id) {
            return "containers of sectors are not in the order of their groups";
        }
        fault = container_fault(image, image->sectors[i]);
    }
    return fault;
}
