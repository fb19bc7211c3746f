// What worlds have beside tables, as bytes: objects, sector records, trees.
#include <string.h>

#include "base/check.h"
#include "state/convert.h"
#include "state/save.h"

static const cosm_save_object *find_saver(const struct save_job *job,
                                          const struct value_type *type) {
    for (uint32_t i = 0; i < job->desc->object_count; i++) {
        const cosm_save_object *object = &job->desc->objects[i];
        if (object->component.id == type->id && object->save != NULL) {
            return object;
        }
    }
    return NULL;
}

static void collect_bytes(void *context, const char *bytes, size_t size) {
    cosmi_write_bytes(context, bytes, size);
}

static cosm_result save_object(struct save_job *job, const struct value_type *type,
                               const void *value) {
    const cosm_save_object *saver = find_saver(job, type);
    if (saver == NULL) {
        return cosmi_fail(job->snapshot->sink, COSM_ERROR_ARGUMENT,
                          "%s: component '%s' has objects, which cannot be saved as plain bytes; "
                          "set their save function in desc.objects",
                          job->call, type->name);
    }
    job->object.size = 0;
    cosm_result result = saver->save(saver->context, value, collect_bytes, &job->object);
    if (result != COSM_OK) {
        return cosmi_fail(job->snapshot->sink, result,
                          "%s: component '%s': the save function of its cosm_save_object returned "
                          "%s; find out why it failed",
                          job->call, type->name, cosm_result_name(result));
    }
    if (job->object.failed) {
        return save_fail_memory(job);
    }
    cosmi_write_short(&job->stream, job->object.size);
    cosmi_write_bytes(&job->stream, job->object.bytes, job->object.size);
    return COSM_OK;
}

cosm_result cosmi_save_value(struct save_job *job, const struct value_type *type,
                             const void *value) {
    if (value_has_hooks(type)) {
        return save_object(job, type, value);
    }
    void *room = type->size == 0 ? NULL : cosmi_write_room(&job->stream, type->size);
    if (room != NULL) {
        cosmi_save_copy(room, value, 1, type->size, type);
    }
    return COSM_OK;
}

// Free tickets in the order of their list, then the objects of the others by ticket. Who owns which
// is in the tables.
static cosm_result save_managed(struct save_job *job, const struct part *managed) {
    const struct managed_slot *slots = managed->managed.used == 0 ? NULL : managed->blobs[0]->bytes;
    cosmi_write_short(&job->stream, job->components[managed->type->id]);
    cosmi_write_short(&job->stream, managed->managed.used);
    cosmi_write_short(&job->stream, managed->managed.used - managed->managed.count);
    uint32_t ticket = managed->managed.free_head;
    for (uint32_t i = managed->managed.count; i < managed->managed.used; i++) {
        INVARIANT(ticket >= 1 && ticket <= managed->managed.used, "free tickets are a list");
        cosmi_write_short(&job->stream, ticket);
        ticket = slots[ticket - 1].id;
    }
    for (uint32_t t = 0; t < managed->managed.used; t++) {
        if (managed->objects[t] != NULL) {
            cosm_result result = cosmi_save_value(job, managed->type, managed->objects[t]->bytes);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

// A record: its entity, which members live, and these one after the other.
static cosm_result save_record(struct save_job *job, const struct part *sector, uint32_t place) {
    const struct sectors_layout *layout = sector->group->layout;
    const cosm_sector *record = sector_record(sector, place);
    cosmi_write_u32(&job->stream, record->entity.gen);
    cosmi_write_u32(&job->stream, record->entity.id);
    cosmi_write_short(&job->stream, record->live);
    uint32_t object = 0;
    for (uint32_t m = 0; m < layout->member_count; m++) {
        const struct value_type *type =
            schema_component(job->schema, sector->group->components[m].id);
        const void *value = cosm_sector_at(record, layout->members[m].offset);
        bool lives = (record->live >> m & 1) != 0;
        if (sector_member_is_object(sector->group, m)) {
            size_t at = (size_t)place * sector->sector.object_members + object++;
            value = lives ? sector->objects[at]->bytes : NULL;
        }
        cosm_result result = lives ? cosmi_save_value(job, type, value) : COSM_OK;
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

static cosm_result save_sector(struct save_job *job, const struct part *sector) {
    cosm_result result = COSM_OK;
    cosmi_write_short(&job->stream, job->groups[sector->group->id]);
    cosmi_write_u8(&job->stream, sector->sector.is_packing != 0);
    cosmi_write_short(&job->stream, sector->sector.place_end);
    for (uint32_t place = 0; place < sector->sector.place_end && result == COSM_OK; place++) {
        result = save_record(job, sector, place);
    }
    return result;
}

// Parents by id, each with its children in their order.
static void write_tree(struct save_job *job, const struct part *tree) {
    uint32_t id_end = tree == NULL ? 0 : tree->blob_count * LINK_BLOB_IDS;
    uint32_t parents = 0;
    for (uint32_t id = 0; id < id_end; id++) {
        const struct link *link = tree_part_link(tree, id);
        parents += link != NULL && link->child_count > 0;
    }
    cosmi_write_short(&job->stream, parents);
    for (uint32_t id = 0; id < id_end; id++) {
        const struct link *link = tree_part_link(tree, id);
        if (link == NULL || link->child_count == 0) {
            continue;
        }
        cosmi_write_short(&job->stream, id);
        cosmi_write_short(&job->stream, link->child_count);
        uint32_t child = link->first_child;
        for (uint32_t i = 0; i < link->child_count; i++) {
            cosmi_write_short(&job->stream, child);
            child = tree_part_link(tree, child)->next;
        }
    }
}

cosm_result cosmi_save_beside(struct save_job *job, const struct world_image *image) {
    cosm_result result = COSM_OK;
    cosmi_write_short(&job->stream, image_count(image, PART_MANAGED));
    for (uint32_t i = 0; i < image_count(image, PART_MANAGED) && result == COSM_OK; i++) {
        result = save_managed(job, image_part(image, PART_MANAGED, i));
    }
    cosmi_write_short(&job->stream, image_count(image, PART_SECTOR));
    for (uint32_t i = 0; i < image_count(image, PART_SECTOR) && result == COSM_OK; i++) {
        result = save_sector(job, image_part(image, PART_SECTOR, i));
    }
    write_tree(job, image_only(image, PART_TREE));
    const struct part *groups = image_only(image, PART_GROUPS);
    size_t words = groups == NULL ? 0 : groups->blobs[0]->size;
    cosmi_write_short(&job->stream, words);
    cosmi_write_bytes(&job->stream, words == 0 ? NULL : groups->blobs[0]->bytes, words);
    return result;
}
