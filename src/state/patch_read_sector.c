// Reading a patch: containers of sector components. Members are where the group at hand has them.
#include <string.h>

#include "state/patch.h"

// A container on its way. Pieces are those of the one before until they are written to.
struct patch_sectors {
    struct patch_in *patch;
    const struct patch_group *entry;
    const struct sector_image *before; // NULL: it is new
    struct sector_image *image;
};

static uint32_t patch_piece_places(const struct sector_image *image, uint32_t piece) {
    uint32_t chunk = image->group->layout->chunk_sectors;
    uint32_t left = image->place_end - piece * chunk;
    return left < chunk ? left : chunk;
}

// A piece that can be written to. NULL when out of memory.
static char *patch_open_sectors(const struct patch_sectors *build, uint32_t piece) {
    struct sector_image *image = build->image;
    if (image->pieces[piece] == NULL) {
        size_t stride = image->group->layout->stride;
        size_t size = patch_piece_places(image, piece) * stride;
        struct piece *made = cosmi_piece_create(build->patch->book->memory, size);
        if (made == NULL) {
            build->patch->no_memory = true;
            return NULL;
        }
        size_t kept = 0;
        if (build->before != NULL && piece < build->before->piece_count) {
            kept = build->before->pieces[piece]->size;
            kept = kept < size ? kept : size;
            memcpy(piece_fill(made), build->before->pieces[piece]->bytes, kept);
        }
        memset((char *)piece_fill(made) + kept, 0, size - kept);
        image->pieces[piece] = made;
    }
    return piece_fill(image->pieces[piece]);
}

static void patch_finish_sectors(const struct patch_sectors *build) {
    struct sector_image *image = build->image;
    const struct sector_image *before = build->before;
    for (uint32_t p = 0; p < image->piece_count; p++) {
        if (image->pieces[p] == NULL && before != NULL && p < before->piece_count &&
            patch_piece_places(before, p) == patch_piece_places(image, p)) {
            image->pieces[p] = piece_keep(before->pieces[p]);
        } else if (patch_open_sectors(build, p) == NULL) {
            return;
        }
    }
}

// Bits of members of the patch as those of the group here.
static uint64_t patch_read_bits(const struct patch_sectors *build) {
    uint64_t bits = cosmi_read_short(&build->patch->in);
    uint64_t here = 0;
    for (uint32_t i = 0; i < build->entry->member_count; i++) {
        here |= (bits >> i & 1) << build->entry->members[i];
        bits &= ~((uint64_t)1 << i);
    }
    if (bits != 0) {
        patch_in_fault(build->patch, "it has a member that its group does not have");
    }
    return here;
}

// Objects of a record: those that live are as before.
static void patch_keep_objects(const struct patch_sectors *build, uint32_t place, uint64_t live) {
    struct sector_image *image = build->image;
    const struct sector_image *before = build->before;
    uint32_t k = 0;
    for (uint32_t m = 0; m < image->group->member_count; m++) {
        if (!sector_member_is_object(image->group, m)) {
            continue;
        }
        size_t at = (size_t)place * image->object_members + k++;
        cosmi_object_give(build->patch->book->memory, image->objects[at]);
        image->objects[at] = (live >> m & 1) != 0 && before != NULL && place < before->place_end
                                 ? object_keep(before->objects[at])
                                 : NULL;
    }
}

static void patch_read_members(const struct patch_sectors *build, cosm_sector *sector,
                               uint64_t written) {
    const struct sector_group *group = build->entry->group;
    for (uint32_t i = 0; i < build->entry->member_count; i++) {
        uint32_t m = build->entry->members[i];
        const struct sectors_member *member = &group->layout->members[m];
        const struct patch_word *word = &build->patch->book->words[build->entry->words[i]];
        char *bytes = (char *)sector + member->offset;
        if ((sector->live >> m & 1) == 0) {
            memset(bytes, 0, member->size);
        }
        if ((written >> m & 1) == 0) {
            continue;
        }
        const void *packed = cosmi_read_bytes(&build->patch->in, word->packed_size);
        if (packed == NULL || sector_member_is_object(group, m) || (sector->live >> m & 1) == 0) {
            patch_in_fault(build->patch, "it has a value for a member that cannot have it");
            return;
        }
        cosmi_patch_unpack(word, packed, bytes);
    }
}

static void patch_read_sector(const struct patch_sectors *build, uint32_t place) {
    struct patch_in *patch = build->patch;
    const struct sectors_layout *layout = build->image->group->layout;
    cosm_sector head = {.live = 0};
    head.entity.gen = cosmi_read_short_max(&patch->in, UINT32_MAX);
    head.entity.id = cosmi_read_short_max(&patch->in, UINT32_MAX);
    head.live = patch_read_bits(build);
    uint64_t written = patch_read_bits(build);
    char *records = patch_open_sectors(build, place / layout->chunk_sectors);
    if (records == NULL || patch_in_failed(patch)) {
        return;
    }
    cosm_sector *sector =
        (cosm_sector *)(void *)(records + (place % layout->chunk_sectors) * layout->stride);
    *sector = head;
    if (build->image->objects != NULL) {
        patch_keep_objects(build, place, head.live);
    }
    patch_read_members(build, sector, written);
}

// Records that differ; those behind the end of the container before are all there.
static void patch_read_sectors(const struct patch_sectors *build) {
    struct patch_in *patch = build->patch;
    uint32_t had = build->before == NULL ? 0 : build->before->place_end;
    uint32_t fresh = had < build->image->place_end ? build->image->place_end - had : 0;
    uint64_t place = 0;
    for (uint32_t p = 0; build->image->objects != NULL && p < build->image->place_end; p++) {
        patch_keep_objects(build, p, UINT64_MAX);
    }
    while (!patch_in_failed(patch)) {
        uint32_t gap = cosmi_read_short_max(&patch->in, UINT32_MAX);
        if (gap == 0) {
            break;
        }
        place += gap - 1;
        if (place >= build->image->place_end) {
            patch_in_fault(patch, "it has a record past the last one");
            return;
        }
        patch_read_sector(build, (uint32_t)place);
        fresh -= place >= had;
        place++;
    }
    if (fresh != 0) {
        patch_in_fault(patch, "it has too few records");
    }
}

static struct sector_image *patch_make_container(struct patch_in *patch,
                                                 const struct patch_group *entry,
                                                 const struct sector_image *before,
                                                 uint32_t place_end) {
    uint32_t had = before == NULL ? 0 : before->place_end;
    if (place_end > had && place_end - had > reader_left(&patch->in) / 4) {
        patch_in_fault(patch, "it has more records than bytes");
        return NULL;
    }
    struct sector_image *image =
        cosmi_sector_image_create(patch->book->memory, entry->group, place_end);
    if (image == NULL) {
        patch->no_memory = true;
        return NULL;
    }
    uint64_t live = cosmi_read_short(&patch->in);
    image->live_count = (uint32_t)(live >> 1);
    image->is_packing = (live & 1) != 0;
    struct patch_sectors build = {patch, entry, before, image};
    patch_read_sectors(&build);
    if (!patch_in_failed(patch)) {
        patch_finish_sectors(&build);
    }
    return image;
}

// A container takes its place among the others, which is by the number of its group.
static void patch_read_container(struct patch_in *patch) {
    struct world_image *image = patch->image;
    uint32_t number = cosmi_read_short_max(&patch->in, UINT32_MAX);
    uint32_t end = cosmi_read_short_max(&patch->in, SECTORS_PLACE_MAX);
    if (patch->in.failed || number >= patch->book->group_count) {
        patch_in_fault(patch, "it names a group of components that it does not list");
        return;
    }
    const struct patch_group *entry = &patch->book->groups[number];
    uint32_t at = 0;
    while (at < image->sector_count && image->sectors[at]->group->id < entry->group->id) {
        at++;
    }
    bool was = at < image->sector_count && image->sectors[at]->group == entry->group;
    struct sector_image *before = was ? image->sectors[at] : NULL;
    struct sector_image *made =
        end == 0 ? NULL : patch_make_container(patch, entry, before, end - 1);
    if (end == 0 && !was) {
        patch_in_fault(patch, "it removes what does not exist");
    }
    if (end > 0 && made == NULL) {
        return;
    }
    uint32_t behind = image->sector_count - at - was;
    memmove(image->sectors + at + (made != NULL), image->sectors + at + was,
            behind * sizeof(struct sector_image *));
    image->sector_count = at + (made != NULL) + behind;
    if (made != NULL) {
        image->sectors[at] = made;
    }
    cosmi_sector_image_give(patch->book->memory, before);
}

void cosmi_patch_read_sectors(struct patch_in *patch, uint32_t count) {
    struct world_image *image = patch->image;
    image->sector_count = patch->before->sector_count;
    for (uint32_t i = 0; i < image->sector_count; i++) {
        image->sectors[i] = patch->before->sectors[i];
        atomic_fetch_add_explicit(&image->sectors[i]->refs, 1, memory_order_relaxed);
    }
    for (uint32_t i = 0; i < count && !patch_in_failed(patch); i++) {
        patch_read_container(patch);
    }
}
