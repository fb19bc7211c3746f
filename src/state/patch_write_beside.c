// Writing a patch: what differs of trees, of the order of groups, of singletons, objects and
// sectors.
#include <string.h>

#include "state/patch.h"

bool cosmi_patch_write_runs(struct byte_writer *out, const void *before, const void *after,
                            size_t size) {
    const unsigned char *b = before;
    const unsigned char *a = after;
    size_t end = 0;
    for (size_t i = 0; i < size; i++) {
        if (a[i] == b[i]) {
            continue;
        }
        // Two equal bytes between differing ones cost as much as a run of their own.
        size_t behind = i + 1;
        for (size_t j = behind; j < size && j < behind + 3; j++) {
            behind = a[j] != b[j] ? j + 1 : behind;
        }
        cosmi_write_short(out, behind - i);
        cosmi_write_short(out, i - end);
        cosmi_write_bytes(out, a + i, behind - i);
        end = behind;
        i = behind - 1;
    }
    cosmi_write_short(out, 0);
    return end > 0;
}

static const struct link patch_no_link = {ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0, 0};

static const struct piece *patch_link_piece(const struct tree_image *tree, uint32_t piece) {
    return tree != NULL && piece < tree->piece_count ? tree->pieces[piece] : NULL;
}

// What a link says, in the order of its bits in the mask: none is 0, as one behind all ones.
static void patch_write_link(struct byte_writer *out, uint32_t gap, const struct link *before,
                             const struct link *after) {
    const uint32_t pairs[6][2] = {
        {before->parent, after->parent},         {before->first_child, after->first_child},
        {before->last_child, after->last_child}, {before->next, after->next},
        {before->previous, after->previous},     {before->child_count, after->child_count},
    };
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 6; i++) {
        mask |= (uint32_t)(pairs[i][0] != pairs[i][1]) << i;
    }
    cosmi_write_short(out, (uint64_t)gap + 1);
    cosmi_write_u8(out, (uint8_t)mask);
    for (uint32_t i = 0; i < 6; i++) {
        if ((mask >> i & 1) != 0) {
            cosmi_write_short(out, pairs[i][1] + 1);
        }
    }
}

bool cosmi_patch_write_tree(const struct patch_out *patch) {
    const struct tree_image *before = patch->before->tree;
    const struct tree_image *after = patch->after->tree;
    uint32_t before_end = before == NULL ? 0 : before->piece_count;
    uint32_t after_end = after == NULL ? 0 : after->piece_count;
    uint32_t end = before_end > after_end ? before_end : after_end;
    uint32_t next = 0;
    for (uint32_t p = 0; p < end && before != after; p++) {
        const struct piece *b = patch_link_piece(before, p);
        const struct piece *a = patch_link_piece(after, p);
        for (uint32_t i = 0; i < LINK_PIECE_IDS && a != b; i++) {
            const struct link *then =
                b == NULL ? &patch_no_link : (const struct link *)b->bytes + i;
            const struct link *now = a == NULL ? &patch_no_link : (const struct link *)a->bytes + i;
            uint32_t id = p * LINK_PIECE_IDS + i;
            if (memcmp(then, now, sizeof(*now)) != 0) {
                patch_write_link(patch->out, id - next, then, now);
                next = id + 1;
            }
        }
    }
    cosmi_write_short(patch->out, 0);
    cosmi_write_short(patch->out, after == NULL ? 0 : after->linked);
    return next > 0;
}

// How many words two lists have in common at the beginning, or at the end.
static size_t patch_common_words(const uint32_t *b, size_t b_count, const uint32_t *a,
                                 size_t a_count, bool at_end) {
    size_t least = a_count < b_count ? a_count : b_count;
    size_t i = 0;
    while (i < least && (at_end ? a[a_count - 1 - i] == b[b_count - 1 - i] : a[i] == b[i])) {
        i++;
    }
    return i;
}

// 0, or 1 and: how many words there are, how many of them are as before at the beginning and at the
// end, and those between.
bool cosmi_patch_write_order(const struct patch_out *patch) {
    const struct piece *before = patch->before->shared_order;
    const struct piece *after = patch->after->shared_order;
    const uint32_t *b = before == NULL ? NULL : before->bytes;
    const uint32_t *a = after == NULL ? NULL : after->bytes;
    size_t b_count = before == NULL ? 0 : before->size / sizeof(*b);
    size_t a_count = after == NULL ? 0 : after->size / sizeof(*a);
    bool is_same =
        before == after || (a_count == b_count && memcmp(a, b, a_count * sizeof(*a)) == 0);
    cosmi_write_u8(patch->out, !is_same);
    if (is_same) {
        return false;
    }
    size_t first = patch_common_words(b, b_count, a, a_count, false);
    size_t last = patch_common_words(b, b_count, a, a_count, true);
    size_t least = a_count < b_count ? a_count : b_count;
    last = last > least - first ? least - first : last;
    cosmi_write_short(patch->out, a_count);
    cosmi_write_short(patch->out, first);
    cosmi_write_short(patch->out, last);
    for (size_t i = first; i < a_count - last; i++) {
        cosmi_write_short(patch->out, a[i] + 1);
    }
    return true;
}

// One singleton: 0 where it is gone; else 1 and what differs of its packed value, where it is new
// from zeroes.
static cosm_result patch_write_singleton(const struct patch_out *patch, uint32_t id,
                                         const struct piece *before, const struct piece *after,
                                         uint32_t *io_count) {
    const struct value_type *type = schema_singleton(patch->book->schema, id);
    size_t begin = patch->out->size;
    uint32_t number = cosmi_patch_word(patch->book, type, true);
    if (number == PATCH_NONE) {
        return COSM_ERROR_MEMORY;
    }
    (*io_count)++;
    cosmi_write_short(patch->out, number);
    cosmi_write_u8(patch->out, after != NULL);
    if (after == NULL) {
        return COSM_OK;
    }
    const struct patch_word *word = &patch->book->words[number];
    size_t size = (size_t)word->packed_size * 2 + 1;
    char *packed = cosmi_memory_take_zeroed(patch->book->memory, size, 1);
    if (packed == NULL) {
        return cosmi_fail_memory(patch->book->sink, patch->book->memory, patch->book->call);
    }
    if (before != NULL) {
        cosmi_patch_pack(word, before->bytes, packed);
    }
    cosmi_patch_pack(word, after->bytes, packed + word->packed_size);
    bool differs =
        cosmi_patch_write_runs(patch->out, packed, packed + word->packed_size, word->packed_size);
    if (!differs && before != NULL) {
        patch->out->size = begin; // nothing but padding
        (*io_count)--;
    }
    cosmi_memory_give(patch->book->memory, packed, size, 1);
    return COSM_OK;
}

static const struct piece *patch_singleton_of(const struct world_image *image, uint32_t id) {
    return id < image->singleton_end ? image->singletons[id] : NULL;
}

// The singleton that comes next by name behind `last`; 0 at the end. They are few.
static uint32_t patch_next_singleton(const struct schema *schema, uint32_t end, uint32_t last) {
    uint32_t next = 0;
    for (uint32_t id = 1; id < end; id++) {
        const struct value_type *type = schema_singleton(schema, id);
        const char *name = type == NULL ? NULL : type->name; // NULL: its definition failed
        if (name != NULL && (last == 0 || strcmp(name, schema_singleton(schema, last)->name) > 0) &&
            (next == 0 || strcmp(name, schema_singleton(schema, next)->name) < 0)) {
            next = id;
        }
    }
    return next;
}

cosm_result cosmi_patch_write_singletons(const struct patch_out *patch, uint32_t *out_count) {
    const struct schema *schema = patch->book->schema;
    uint32_t end = patch->before->singleton_end > patch->after->singleton_end
                       ? patch->before->singleton_end
                       : patch->after->singleton_end;
    bool any = false;
    for (uint32_t id = 1; id < end && !any; id++) {
        any = patch_singleton_of(patch->before, id) != patch_singleton_of(patch->after, id);
    }
    cosm_result result = COSM_OK;
    uint32_t id = any ? patch_next_singleton(schema, end, 0) : 0;
    for (; id != 0 && result == COSM_OK; id = patch_next_singleton(schema, end, id)) {
        const struct piece *before = patch_singleton_of(patch->before, id);
        const struct piece *after = patch_singleton_of(patch->after, id);
        bool is_same = before == after || (before != NULL && after != NULL &&
                                           memcmp(before->bytes, after->bytes, after->size) == 0);
        if (!is_same) {
            result = patch_write_singleton(patch, id, before, after, out_count);
        }
    }
    return result;
}

static cosm_result patch_refuse_object(const struct patch_out *patch,
                                       const struct value_type *type) {
    return cosmi_fail(
        patch->book->sink, COSM_ERROR_ARGUMENT,
        "%s: the two states of world %u differ in objects of component '%s', which cannot be "
        "copied as bytes; use a save file with cosm_save_object",
        patch->book->call, patch->world, type->name);
}

static void patch_write_value(const struct patch_out *patch, uint32_t word, const void *value) {
    void *room = cosmi_write_room(patch->out, patch->book->words[word].packed_size);
    if (room != NULL) {
        cosmi_patch_pack(&patch->book->words[word], value, room);
    }
}

// The objects of tickets whose slots are in use and that differ: (gap + 1, value) each, and 0.
static cosm_result patch_write_objects(const struct patch_out *patch, uint32_t word,
                                       const struct managed_image *before,
                                       const struct managed_image *after) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < after->used; i++) {
        const struct object *object = after->objects[i];
        if (object == NULL || (before != NULL && i < before->used &&
                               cosmi_patch_same_object(before->objects[i], object))) {
            continue;
        }
        if (!cosmi_patch_is_plain(after->type)) {
            return patch_refuse_object(patch, after->type);
        }
        cosmi_write_short(patch->out, (uint64_t)(i - next) + 1);
        patch_write_value(patch, word, object->bytes);
        next = i + 1;
    }
    cosmi_write_short(patch->out, 0);
    return COSM_OK;
}

// Slots that differ: (gap + 1, generation, id) each, and 0.
static void patch_write_slots(struct byte_writer *out, const struct managed_image *before,
                              const struct managed_image *after) {
    const struct managed_slot *b = before == NULL ? NULL : before->slots->bytes;
    const struct managed_slot *a = after->slots->bytes;
    uint32_t b_count = before == NULL ? 0 : before->used;
    uint32_t next = 0;
    for (uint32_t i = 0; i < after->used; i++) {
        if (i >= b_count || memcmp(&a[i], &b[i], sizeof(*a)) != 0) {
            cosmi_write_short(out, (uint64_t)(i - next) + 1);
            cosmi_write_short(out, a[i].gen);
            cosmi_write_short(out, a[i].id);
            next = i + 1;
        }
    }
    cosmi_write_short(out, 0);
}

// The objects of one component: 0 where it is gone, else one more than there are tickets, and what
// differs.
static cosm_result patch_write_managed(const struct patch_out *patch,
                                       const struct managed_image *before,
                                       const struct managed_image *after) {
    uint32_t word =
        cosmi_patch_word(patch->book, after != NULL ? after->type : before->type, false);
    if (word == PATCH_NONE) {
        return COSM_ERROR_MEMORY;
    }
    cosmi_write_short(patch->out, word);
    cosmi_write_short(patch->out, after == NULL ? 0 : (uint64_t)after->used + 1);
    if (after == NULL) {
        return COSM_OK;
    }
    cosmi_write_short(patch->out, after->count);
    cosmi_write_short(patch->out, after->free_head);
    patch_write_slots(patch->out, before, after);
    return patch_write_objects(patch, word, before, after);
}

// Have both the same tickets, and the same objects?
static bool patch_is_managed_same(const struct managed_image *before,
                                  const struct managed_image *after) {
    bool is_same = before == after;
    if (before != NULL && after != NULL && !is_same) {
        is_same = before->used == after->used && before->count == after->count &&
                  before->free_head == after->free_head &&
                  memcmp(before->slots->bytes, after->slots->bytes, after->slots->size) == 0;
        for (uint32_t i = 0; i < after->used && is_same; i++) {
            is_same = cosmi_patch_same_object(before->objects[i], after->objects[i]);
        }
    }
    return is_same;
}

static const struct managed_image *patch_managed_of(const struct world_image *image,
                                                    const struct value_type *type) {
    for (uint32_t i = 0; i < image->managed_count; i++) {
        if (image->managed[i]->type == type) {
            return image->managed[i];
        }
    }
    return NULL;
}

cosm_result cosmi_patch_write_managed(const struct patch_out *patch, uint32_t *out_count) {
    cosm_result result = COSM_OK;
    // Those that are gone first, then those that are there.
    for (uint32_t i = 0; i < patch->before->managed_count && result == COSM_OK; i++) {
        const struct managed_image *before = patch->before->managed[i];
        if (patch_managed_of(patch->after, before->type) == NULL) {
            (*out_count)++;
            result = patch_write_managed(patch, before, NULL);
        }
    }
    for (uint32_t i = 0; i < patch->after->managed_count && result == COSM_OK; i++) {
        const struct managed_image *after = patch->after->managed[i];
        const struct managed_image *before = patch_managed_of(patch->before, after->type);
        if (!patch_is_managed_same(before, after)) {
            (*out_count)++;
            result = patch_write_managed(patch, before, after);
        }
    }
    return result;
}

// One container of sectors on its way out.
struct patch_container {
    const struct sector_group *group;
    const struct sector_image *before; // NULL: it is new
    const struct sector_image *after;
    uint32_t number; // of the group in the book
};

static const struct object *patch_sector_object(const struct sector_image *image, uint32_t place,
                                                uint32_t member) {
    uint32_t k = 0;
    for (uint32_t m = 0; m < member; m++) {
        k += sector_member_is_object(image->group, m);
    }
    return image->objects[(size_t)place * image->object_members + k];
}

// Which members of a record have another value, of those that live after.
static cosm_result patch_compare_members(const struct patch_out *patch,
                                         const struct patch_container *side, uint32_t place,
                                         uint64_t *out_mask) {
    const struct sectors_layout *layout = side->group->layout;
    const cosm_sector *now = sector_image_at(side->after, place);
    const cosm_sector *then = side->before != NULL && place < side->before->place_end
                                  ? sector_image_at(side->before, place)
                                  : NULL;
    *out_mask = 0;
    for (uint32_t m = 0; m < layout->member_count; m++) {
        const struct value_type *type =
            schema_component(patch->book->schema, side->group->components[m].id);
        bool was = then != NULL && (then->live >> m & 1) != 0;
        if ((now->live >> m & 1) == 0) {
            continue;
        }
        bool is_same;
        if (cosmi_patch_is_plain(type)) {
            size_t at = layout->members[m].offset;
            is_same = type->size == 0 || (was && memcmp((const char *)then + at,
                                                        (const char *)now + at, type->size) == 0);
        } else {
            is_same = was && cosmi_patch_same_object(patch_sector_object(side->before, place, m),
                                                     patch_sector_object(side->after, place, m));
            if (!is_same) {
                return patch_refuse_object(patch, type);
            }
        }
        *out_mask |= (uint64_t)!is_same << m;
    }
    return COSM_OK;
}

// A record: its entity, which members live, which of them have another value, and those values.
static cosm_result patch_write_sector(const struct patch_out *patch,
                                      const struct patch_container *side, uint32_t place,
                                      uint32_t *io_next) {
    const cosm_sector *now = sector_image_at(side->after, place);
    uint64_t mask;
    cosm_result result = patch_compare_members(patch, side, place, &mask);
    if (result != COSM_OK) {
        return result;
    }
    const cosm_sector *then = side->before != NULL && place < side->before->place_end
                                  ? sector_image_at(side->before, place)
                                  : NULL;
    if (then != NULL && mask == 0 && then->live == now->live && then->entity.id == now->entity.id &&
        then->entity.gen == now->entity.gen) {
        return COSM_OK;
    }
    cosmi_write_short(patch->out, (uint64_t)(place - *io_next) + 1);
    *io_next = place + 1;
    cosmi_write_short(patch->out, now->entity.gen);
    cosmi_write_short(patch->out, now->entity.id);
    cosmi_write_short(patch->out, now->live);
    cosmi_write_short(patch->out, mask);
    for (uint32_t m = 0; m < side->group->member_count; m++) {
        if ((mask >> m & 1) != 0) {
            patch_write_value(patch, patch->book->groups[side->number].words[m],
                              (const char *)now + side->group->layout->members[m].offset);
        }
    }
    return COSM_OK;
}

static cosm_result patch_write_container(const struct patch_out *patch,
                                         struct patch_container *side, uint32_t *io_count) {
    size_t begin = patch->out->size;
    side->number = cosmi_patch_group(patch->book, side->group);
    if (side->number == PATCH_NONE) {
        return COSM_ERROR_MEMORY;
    }
    cosmi_write_short(patch->out, side->number);
    cosmi_write_short(patch->out, side->after == NULL ? 0 : (uint64_t)side->after->place_end + 1);
    if (side->after == NULL) {
        return COSM_OK;
    }
    cosmi_write_short(patch->out, (uint64_t)side->after->live_count << 1 | side->after->is_packing);
    uint32_t chunk = side->group->layout->chunk_sectors;
    uint32_t next = 0;
    cosm_result result = COSM_OK;
    for (uint32_t place = 0; place < side->after->place_end && result == COSM_OK; place++) {
        uint32_t piece = place / chunk;
        if (side->before != NULL && side->after->objects == NULL &&
            piece < side->before->piece_count &&
            side->before->pieces[piece] == side->after->pieces[piece]) {
            place = piece * chunk + chunk - 1;
            continue;
        }
        result = patch_write_sector(patch, side, place, &next);
    }
    cosmi_write_short(patch->out, 0);
    if (next == 0 && side->before != NULL && side->before->place_end == side->after->place_end &&
        side->before->is_packing == side->after->is_packing) {
        patch->out->size = begin;
        (*io_count)--;
    }
    return result;
}

static const struct sector_image *patch_container_of(const struct world_image *image,
                                                     const struct sector_group *group) {
    for (uint32_t i = 0; i < image->sector_count; i++) {
        if (image->sectors[i]->group == group) {
            return image->sectors[i];
        }
    }
    return NULL;
}

cosm_result cosmi_patch_write_sectors(const struct patch_out *patch, uint32_t *out_count) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < patch->before->sector_count && result == COSM_OK; i++) {
        const struct sector_image *before = patch->before->sectors[i];
        if (patch_container_of(patch->after, before->group) == NULL) {
            (*out_count)++;
            struct patch_container side = {before->group, before, NULL, 0};
            result = patch_write_container(patch, &side, out_count);
        }
    }
    for (uint32_t i = 0; i < patch->after->sector_count && result == COSM_OK; i++) {
        const struct sector_image *after = patch->after->sectors[i];
        struct patch_container side = {after->group,
                                       patch_container_of(patch->before, after->group), after, 0};
        if (side.before != after) {
            (*out_count)++;
            result = patch_write_container(patch, &side, out_count);
        }
    }
    return result;
}
