// Which entities may differ between two images.
#include <string.h>

#include "state/diff.h"

static cosm_entity diff_entity_of(const struct part *table, uint32_t row) {
    uint32_t rows = table->archetype->chunk_rows;
    const cosm_entity *cells = cosmi_table_column(table, row / rows, ENTITY_COLUMN);
    return cells == NULL ? COSM_ENTITY_NONE : cells[row % rows];
}

// Rows of a column that differ. Those of other entities are found by their records.
static void diff_mark_column(struct diff *diff, const struct part *before, const struct part *after,
                             uint32_t column) {
    uint32_t common =
        before->table.count < after->table.count ? before->table.count : after->table.count;
    uint32_t rows = after->archetype->chunk_rows;
    size_t size = image_column_size(after->archetype, column);
    for (uint32_t first = 0; first < common && size > 0; first += rows) {
        const char *b = cosmi_table_column(before, first / rows, column);
        const char *a = cosmi_table_column(after, first / rows, column);
        uint32_t count = common - first < rows ? common - first : rows;
        if (a == b || memcmp(a, b, count * size) == 0) {
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (memcmp(a + i * size, b + i * size, size) != 0) {
                diff_mark(diff, diff_entity_of(after, first + i).id);
            }
        }
    }
}

static bool diff_shares_same_values(const struct part *before, const struct part *after) {
    bool same = true;
    for (uint32_t i = 0; i < after->archetype->shared_count && same; i++) {
        uint32_t field;
        same = before->objects[i] == after->objects[i] ||
               cosmi_diff_equal(after->objects[i]->type, before->objects[i]->bytes,
                                after->objects[i]->bytes, &field);
    }
    return same;
}

static void diff_mark_table(struct diff *diff, const struct part *before,
                            const struct part *after) {
    if (after->archetype->temporary) {
        return; // nobody's rows: they count for the order
    }
    if (after->archetype != before->archetype || !diff_shares_same_values(before, after)) {
        for (uint32_t row = 0; row < after->table.count; row++) {
            diff_mark(diff, diff_entity_of(after, row).id);
        }
        return;
    }
    for (uint32_t c = 1; c < after->archetype->column_count; c++) {
        diff_mark_column(diff, before, after, c);
    }
}

// Tables whose number only one image has need no look: the records of their entities differ. But
// the number of a group may have become that of a group of another archetype.
static void diff_mark_tables(struct diff *diff) {
    for (uint32_t i = 0; i < image_count(diff->images[1], PART_TABLE); i++) {
        const struct part *table = image_part(diff->images[1], PART_TABLE, i);
        const struct part *other = image_find(diff->images[0], PART_TABLE, table->key);
        if (other != NULL && other != table) {
            diff_mark_table(diff, other, table);
        }
    }
}

// The id has another owner: its children have another parent, whatever their links say.
static void diff_mark_orphans(struct diff *diff, uint32_t id) {
    const struct link *link = diff_link(diff->images[1], id);
    uint32_t child = link == NULL ? ID_NONE : link->first_child;
    while (child != ID_NONE) {
        diff_mark(diff, child);
        child = diff_link(diff->images[1], child)->next;
    }
}

static void diff_mark_records(struct diff *diff) {
    const struct part *before = image_ids(diff->images[0]);
    const struct part *after = image_ids(diff->images[1]);
    for (uint32_t page = 0; page * RECORD_PAGE_IDS < diff->id_end; page++) {
        if (page < before->blob_count && page < after->blob_count &&
            before->blobs[page] == after->blobs[page] && before->ids.used == after->ids.used) {
            continue;
        }
        for (uint32_t i = 0; i < RECORD_PAGE_IDS; i++) {
            uint32_t id = page * RECORD_PAGE_IDS + i;
            const struct record *b = diff_record(diff, 0, id);
            const struct record *a = diff_record(diff, 1, id);
            if (a == NULL || b == NULL ? a != b : memcmp(a, b, sizeof(*a)) != 0) {
                diff_mark(diff, id);
                if (a != NULL && b != NULL && a->gen != b->gen) {
                    diff_mark_orphans(diff, id);
                }
            }
        }
    }
}

// Is a child of `parent` in both images, the same entity under the same one?
static bool diff_is_common_child(const struct diff *diff, uint32_t id, uint32_t parent) {
    for (uint32_t side = 0; side < 2; side++) {
        const struct link *link = diff_link(diff->images[side], id);
        if (link == NULL || link->parent != parent) {
            return false;
        }
    }
    return image_record(diff->images[0], id)->gen == image_record(diff->images[1], id)->gen &&
           image_record(diff->images[0], parent)->gen == image_record(diff->images[1], parent)->gen;
}

// Children that have come to lie behind another one, of those that are there in both images.
static void diff_mark_children(struct diff *diff, uint32_t parent) {
    for (uint32_t side = 0; side < 2; side++) {
        const struct link *link = diff_link(diff->images[side], parent);
        uint32_t id = link == NULL ? ID_NONE : link->first_child;
        uint32_t last = ID_NONE;
        while (id != ID_NONE) {
            if (diff_is_common_child(diff, id, parent)) {
                if (side == 0) {
                    diff->sibling[id] = last;
                } else if (diff->sibling[id] != last) {
                    diff->moved[id / 64] |= (uint64_t)1 << (id % 64);
                    diff_mark(diff, id);
                }
                last = id;
            }
            id = diff_link(diff->images[side], id)->next;
        }
    }
}

static bool diff_take_bits(struct diff *diff, uint64_t **out_bits) {
    size_t size = ((size_t)diff->id_end / 64 + 1) * sizeof(uint64_t);
    *out_bits = cosmi_memory_alloc_zeroed(diff->memory, size, _Alignof(uint64_t));
    diff->no_memory = diff->no_memory || *out_bits == NULL;
    return *out_bits != NULL;
}

static void diff_give_bits(struct diff *diff, uint64_t *bits) {
    cosmi_memory_free(diff->memory, bits, ((size_t)diff->id_end / 64 + 1) * sizeof(uint64_t),
                      _Alignof(uint64_t));
}

// Links that differ, of ids below id_end; the children of each parent are looked at once.
static void diff_mark_links(struct diff *diff) {
    uint64_t *seen;
    if (image_only(diff->images[0], PART_TREE) == image_only(diff->images[1], PART_TREE) ||
        !diff_take_bits(diff, &seen)) {
        return;
    }
    size_t size = (size_t)diff->id_end * sizeof(uint32_t);
    diff->sibling = cosmi_memory_alloc(diff->memory, size, _Alignof(uint32_t));
    diff->no_memory = diff->no_memory || (diff->sibling == NULL && size > 0);
    for (uint32_t id = 0; id < diff->id_end && !diff->no_memory; id++) {
        const struct link *b = diff_link(diff->images[0], id);
        const struct link *a = diff_link(diff->images[1], id);
        if (a == b) {
            id |= LINK_BLOB_IDS - 1; // as are all of the blob
            continue;
        }
        uint32_t was = b == NULL ? ID_NONE : b->parent;
        uint32_t is = a == NULL ? ID_NONE : a->parent;
        if (was != is) {
            diff_mark(diff, id);
        } else if (is != ID_NONE && (a->previous != b->previous || a->next != b->next) &&
                   (seen[is / 64] >> (is % 64) & 1) == 0) {
            seen[is / 64] |= (uint64_t)1 << (is % 64);
            diff_mark_children(diff, is);
        }
    }
    cosmi_memory_free(diff->memory, diff->sibling, size, _Alignof(uint32_t));
    diff_give_bits(diff, seen);
}

// Owners of objects that are not the same, by ticket. Those without one are found by their records.
static void diff_mark_managed(struct diff *diff) {
    for (uint32_t i = 0; i < image_count(diff->images[1], PART_MANAGED); i++) {
        const struct part *after = image_part(diff->images[1], PART_MANAGED, i);
        const struct part *before = image_find(diff->images[0], PART_MANAGED, after->key);
        const struct managed_slot *slots = after->blobs[0]->bytes;
        for (uint32_t t = 0; t < after->object_count && before != after; t++) {
            const struct object *b =
                before == NULL || t >= before->object_count ? NULL : before->objects[t];
            if (after->objects[t] != b && after->objects[t] != NULL) {
                diff_mark(diff, slots[t].id);
            }
        }
    }
}

static void diff_note_places(struct diff *diff, struct diff_sectors *entry) {
    for (uint32_t side = 0; side < 2; side++) {
        const struct part *image = entry->images[side];
        for (uint32_t place = 0; image != NULL && place < image->sector.place_end; place++) {
            const cosm_sector *sector = sector_record(image, place);
            if (sector->live != 0 && sector->entity.id < diff->id_end) {
                entry->places[side][sector->entity.id] = place + 1;
            }
        }
    }
}

static bool diff_is_record_same(const struct diff_sectors *entry, uint32_t place) {
    const struct part *before = entry->images[0];
    const struct part *after = entry->images[1];
    if (before == NULL || after == NULL || place >= before->sector.place_end ||
        place >= after->sector.place_end) {
        return false;
    }
    size_t objects = after->sector.object_members;
    return memcmp(sector_record(before, place), sector_record(after, place),
                  after->group->layout->stride) == 0 &&
           (objects == 0 ||
            memcmp(before->objects + place * objects, after->objects + place * objects,
                   objects * sizeof(struct object *)) == 0);
}

static void diff_mark_container(struct diff *diff, const struct diff_sectors *entry) {
    for (uint32_t side = 0; side < 2; side++) {
        const struct part *image = entry->images[side];
        for (uint32_t place = 0; image != NULL && place < image->sector.place_end; place++) {
            const cosm_sector *sector = sector_record(image, place);
            if (sector->live != 0 && !diff_is_record_same(entry, place)) {
                diff_mark(diff, sector->entity.id);
            }
        }
    }
}

static void diff_add_container(struct diff *diff, const struct part *before,
                               const struct part *after) {
    void *grown = cosmi_array_grow(diff->memory, diff->sectors, &diff->sector_room,
                                   diff->sector_count + 1, sizeof(*diff->sectors));
    if (grown == NULL) {
        diff->no_memory = true;
        return;
    }
    diff->sectors = grown;
    struct diff_sectors *entry = &diff->sectors[diff->sector_count++];
    *entry = (struct diff_sectors){.group = after != NULL ? after->group : before->group,
                                   .images = {before, after}};
    for (uint32_t side = 0; side < 2; side++) {
        entry->places[side] = cosmi_memory_alloc_zeroed(
            diff->memory, ((size_t)diff->id_end + 1) * sizeof(uint32_t), _Alignof(uint32_t));
        diff->no_memory = diff->no_memory || entry->places[side] == NULL;
    }
    if (!diff->no_memory) {
        diff_note_places(diff, entry);
        diff_mark_container(diff, entry);
    }
}

static void diff_mark_sectors(struct diff *diff) {
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t count = image_count(diff->images[side], PART_SECTOR);
        for (uint32_t i = 0; i < count && !diff->no_memory; i++) {
            const struct part *one = image_part(diff->images[side], PART_SECTOR, i);
            const struct part *two = image_find(diff->images[1 - side], PART_SECTOR, one->key);
            if (one != two && (side == 1 || two == NULL)) {
                diff_add_container(diff, side == 1 ? two : one, side == 1 ? one : two);
            }
        }
    }
}

void cosmi_diff_mark(struct diff *diff) {
    diff_mark_tables(diff);
    diff_mark_records(diff);
    diff_mark_links(diff);
    diff_mark_managed(diff);
    diff_mark_sectors(diff);
}
