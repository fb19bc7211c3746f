// Sector components in images: the records of each container as they lie, and copies of the objects
// among their members.
//
// Containers have no ticks, so records are compared with those of the base, and chunks that are the
// same are shared. Where a record lies is state: walks go by it, and the next record takes the
// lowest hole. So dead records come back too, with the ids that lead to them. Chunks and pages of
// the map are only memory.
#include "state/capture.h"
#include "state/exchange.h"
#include "state/restore.h"
#include "store/managed.h"

// The container of a group, if it has places.
static struct sectors *used_container(const struct cosm_batch *batch, uint32_t world,
                                      uint32_t group) {
    struct sectors *sectors = sector_container(batch, world, group);
    return sectors != NULL && sectors->place_end > 0 ? sectors : NULL;
}

uint32_t cosmi_count_sectors(const struct cosm_batch *batch, uint32_t world) {
    uint32_t count = 0;
    for (uint32_t id = 1; id < paged_count(&batch->schema->sector_groups); id++) {
        count += used_container(batch, world, id) != NULL;
    }
    return count;
}

static struct sector_image *find_sector(const struct world_image *image,
                                        const struct sector_group *group) {
    for (uint32_t i = 0; image != NULL && i < image->sector_count; i++) {
        if (image->sectors[i]->group == group) {
            return image->sectors[i];
        }
    }
    return NULL;
}

// Records of a piece.
static uint32_t piece_records(const struct sector_image *sector, uint32_t piece) {
    uint32_t chunk = sector->group->layout->chunk_sectors;
    uint32_t left = sector->place_end - piece * chunk;
    return left < chunk ? left : chunk;
}

// Is a record what an image has, but for its objects?
static bool is_same_record(const struct sector_group *group, const cosm_sector *sector,
                           const cosm_sector *kept) {
    bool same = sector->live == kept->live && sector->entity.id == kept->entity.id &&
                sector->entity.gen == kept->entity.gen;
    for (uint32_t m = 0; same && m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        if ((sector->live >> m & 1) != 0 && !sector_member_is_object(group, m)) {
            same = memcmp(cosm_sector_at(sector, member->offset),
                          cosm_sector_at(kept, member->offset), member->size) == 0;
        }
    }
    return same;
}

// Fills in a record that is zeroed.
static void fill_record(const struct sector_group *group, const cosm_sector *sector,
                        cosm_sector *fill) {
    *fill = *sector;
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        if ((sector->live >> m & 1) != 0 && !sector_member_is_object(group, m)) {
            memcpy(cosm_sector_at(fill, member->offset), cosm_sector_at(sector, member->offset),
                   member->size);
        }
    }
}

// The piece of the base that holds just what a chunk of the container holds, or NULL.
static struct piece *same_records(const struct sectors *sectors, const struct sector_image *image,
                                  const struct sector_image *base, uint32_t piece) {
    uint32_t count = piece_records(image, piece);
    if (base == NULL || piece >= base->piece_count || piece_records(base, piece) != count) {
        return NULL;
    }
    uint32_t first = piece * image->group->layout->chunk_sectors;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_same_record(image->group, sectors_at(sectors, first + i),
                            sector_image_at(base, first + i))) {
            return NULL;
        }
    }
    return base->pieces[piece];
}

// NULL when out of memory.
static struct piece *capture_records(const struct capture *capture, const struct sectors *sectors,
                                     const struct sector_image *image,
                                     const struct sector_image *base, uint32_t piece) {
    struct piece *same = same_records(sectors, image, base, piece);
    if (same != NULL) {
        return piece_keep(same);
    }
    uint32_t count = piece_records(image, piece);
    uint32_t first = piece * image->group->layout->chunk_sectors;
    size_t stride = image->group->layout->stride;
    struct piece *made = cosmi_piece_create(capture->memory, count * stride);
    if (made == NULL) {
        return NULL;
    }
    char *fill = piece_fill(made);
    memset(fill, 0, made->size);
    for (uint32_t i = 0; i < count; i++) {
        fill_record(image->group, sectors_at(sectors, first + i),
                    (cosm_sector *)(void *)(fill + i * stride));
    }
    return made;
}

// The objects of the k-th member that is one.
static cosm_result capture_member(const struct capture *capture, const struct sectors *sectors,
                                  struct sector_image *image, const struct sector_image *base,
                                  uint32_t member, uint32_t k) {
    const struct cosm_batch *batch = capture->world.batch;
    const struct value_type *type =
        schema_component(batch->schema, image->group->components[member].id);
    size_t offset = image->group->layout->members[member].offset;
    for (uint32_t place = 0; place < image->place_end; place++) {
        const cosm_sector *sector = sectors_at(sectors, place);
        if ((sector->live >> member & 1) == 0) {
            continue;
        }
        size_t at = (size_t)place * image->object_members + k;
        struct object *kept = base != NULL && place < base->place_end ? base->objects[at] : NULL;
        image->objects[at] = cosmi_object_same(capture->memory, batch->sink, capture->call, type,
                                               kept, cosm_sector_at(sector, offset));
        if (image->objects[at] == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static cosm_result capture_members(const struct capture *capture, struct sectors *sectors,
                                   struct sector_image *image, const struct sector_image *base) {
    cosm_result result = COSM_OK;
    uint32_t k = 0;
    uint32_t walks = hooks_begin(capture->world);
    hook_begin(sectors);
    for (uint32_t m = 0; m < image->group->member_count && result == COSM_OK; m++) {
        if (sector_member_is_object(image->group, m)) {
            result = capture_member(capture, sectors, image, base, m, k++);
        }
    }
    hook_end(sectors);
    hooks_end(capture->world, walks);
    return result;
}

static bool is_same_sector(const struct sector_image *image, const struct sector_image *base) {
    size_t objects = (size_t)image->place_end * image->object_members * sizeof(struct object *);
    return base != NULL && image->place_end == base->place_end &&
           image->is_packing == base->is_packing &&
           memcmp(image->pieces, base->pieces, image->piece_count * sizeof(struct piece *)) == 0 &&
           (objects == 0 || memcmp(image->objects, base->objects, objects) == 0);
}

// What was made so far is in the image when it fails.
static cosm_result capture_container(const struct capture *capture,
                                     const struct sector_group *group, struct sectors *sectors,
                                     struct sector_image **out_sector) {
    struct sector_image *base = find_sector(capture->base, group);
    struct sector_image *image =
        cosmi_sector_image_create(capture->memory, group, sectors->place_end);
    *out_sector = image;
    bool done = image != NULL;
    if (done) {
        image->live_count = sectors->live_count;
        image->is_packing = sectors->is_packing;
    }
    for (uint32_t p = 0; done && p < image->piece_count; p++) {
        image->pieces[p] = capture_records(capture, sectors, image, base, p);
        done = image->pieces[p] != NULL;
    }
    if (!done) {
        return cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
    }
    cosm_result result = capture_members(capture, sectors, image, base);
    if (result == COSM_OK && is_same_sector(image, base)) {
        cosmi_sector_image_give(capture->memory, image);
        atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
        *out_sector = base;
    }
    return result;
}

cosm_result cosmi_capture_sectors(const struct capture *capture, struct world_image *image) {
    const struct cosm_batch *batch = capture->world.batch;
    cosm_result result = cosmi_check_sector_walks(capture->world, capture->call);
    uint32_t at = 0;
    for (uint32_t id = 1; id < paged_count(&batch->schema->sector_groups) && result == COSM_OK;
         id++) {
        struct sectors *sectors = used_container(batch, capture->world.index, id);
        if (sectors != NULL) {
            result = capture_container(capture, schema_sector_group(batch->schema, id), sectors,
                                       &image->sectors[at++]);
        }
    }
    return result;
}
