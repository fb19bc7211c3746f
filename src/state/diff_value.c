// What an entity has in an image, and whether two values are equal.
#include <string.h>

#include "state/diff.h"

bool cosmi_diff_equal(const struct value_type *type, const void *before, const void *after,
                      uint32_t *out_field) {
    const cosm_lifecycle *lifecycle = &type->lifecycle;
    *out_field = COSM_FIELD_INDEX_NONE;
    if (before == after || type->size == 0) {
        return true;
    }
    bool has_equals = lifecycle->equals != NULL;
    if (has_equals && lifecycle->equals(lifecycle->context, before, after)) {
        return true;
    }
    const struct field_list *fields = &type->fields;
    for (uint32_t i = 0; i < fields->count; i++) {
        uint32_t offset = fields->items[i].offset;
        if (memcmp((const char *)before + offset, (const char *)after + offset,
                   fields->columns[i].size) != 0) {
            *out_field = i;
            return false;
        }
    }
    return !has_equals && (fields->count > 0 || memcmp(before, after, type->size) == 0);
}

// The parts of a split value, put together in memory of the comparison's.
static const void *diff_gather(const struct diff *diff, uint32_t side, struct diff_place place,
                               const struct value_type *type, uint32_t first_column) {
    const struct archetype *archetype = place.table->archetype;
    uint32_t rows = archetype->chunk_rows;
    memset(diff->values[side], 0, type->size);
    for (uint32_t f = 0; f < type->fields.count; f++) {
        const char *cells = cosmi_table_column(place.table, place.row / rows, first_column + f);
        cells += (size_t)(place.row % rows) * archetype->sizes[first_column + f];
        memcpy(diff->values[side] + type->fields.items[f].offset, cells,
               type->fields.columns[f].size);
    }
    return diff->values[side];
}

static const void *diff_object_of(const struct world_image *image, const struct value_type *type,
                                  uint32_t ticket) {
    const struct part *managed = image_find(image, PART_MANAGED, type->managed_number);
    const struct object *object =
        managed != NULL && ticket - 1 < managed->object_count ? managed->objects[ticket - 1] : NULL;
    return object == NULL ? NULL : object->bytes;
}

static bool diff_sector_value(const struct diff *diff, uint32_t side, uint32_t id,
                              const struct value_type *type, const void **out_value) {
    for (uint32_t i = 0; i < diff->sector_count; i++) {
        const struct diff_sectors *entry = &diff->sectors[i];
        uint32_t m = 0;
        uint32_t k = 0;
        while (m < entry->group->member_count && entry->group->components[m].id != type->id) {
            k += sector_member_is_object(entry->group, m);
            m++;
        }
        if (m == entry->group->member_count || entry->places[side][id] == 0) {
            continue;
        }
        const struct part *image = entry->images[side];
        uint32_t place = entry->places[side][id] - 1;
        const cosm_sector *sector = sector_record(image, place);
        if ((sector->live >> m & 1) == 0) {
            return false;
        }
        *out_value = sector_member_is_object(entry->group, m)
                         ? image->objects[(size_t)place * image->sector.object_members + k]->bytes
                         : (const char *)sector + entry->group->layout->members[m].offset;
        return true;
    }
    return false;
}

bool cosmi_diff_value(const struct diff *diff, uint32_t side, struct diff_place place,
                      uint32_t component, const void **out_value) {
    const struct value_type *type = schema_component(diff->schema, component);
    const struct archetype *archetype = place.table->archetype;
    *out_value = NULL;
    if (type->storage == COSM_STORAGE_SECTOR) {
        return diff_sector_value(diff, side, place.id, type, out_value);
    }
    const struct column_slot *slot = archetype_find(archetype, component);
    if (slot == NULL) {
        return false;
    }
    if (type->storage == COSM_STORAGE_SHARED) {
        *out_value = place.table->objects[archetype_shared_slot(archetype, component)]->bytes;
    } else if (slot_is_split(archetype, slot)) {
        *out_value = diff_gather(diff, side, place, type, slot->column);
    } else if (slot->column != 0) {
        uint32_t rows = archetype->chunk_rows;
        const char *cells = cosmi_table_column(place.table, place.row / rows, slot->column);
        cells += (size_t)(place.row % rows) * archetype->sizes[slot->column];
        *out_value =
            type->storage == COSM_STORAGE_MANAGED
                ? diff_object_of(diff->images[side], type, ((const cosm_ticket *)cells)->id)
                : (const void *)cells;
    }
    return true;
}

uint32_t cosmi_diff_next(const struct diff *diff, const struct diff_place *places, uint32_t last) {
    uint32_t next = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const struct archetype *archetype = places[side].table->archetype;
        uint32_t at =
            cosmi_signature_place(archetype->components, archetype->component_count, last + 1);
        if (at < archetype->component_count && (next == 0 || archetype->components[at] < next)) {
            next = archetype->components[at];
        }
        for (uint32_t i = 0; i < diff->sector_count; i++) {
            const struct diff_sectors *entry = &diff->sectors[i];
            for (uint32_t m = 0; m < entry->group->member_count; m++) {
                uint32_t component = entry->group->components[m].id;
                if (entry->places[side][places[side].id] != 0 && component > last &&
                    (next == 0 || component < next)) {
                    next = component;
                }
            }
        }
    }
    return next;
}
