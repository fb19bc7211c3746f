// Looking at images that were made from bytes of somebody else: what passes is safe to restore.
//
// Nothing is believed: every number that later code uses as a size, an index or a link is compared
// with what it must agree with. All of it is O(size of the image), and nothing goes in circles: a
// list is followed for as many steps as it says it has.
#include "base/check.h"
#include "state/kind.h"
#include "state/strict.h"

const char cosmi_fault_memory[] = "out of memory";

// The order of the parts, and that there are no two of one key.
static const char *list_of_parts_fault(const struct world_image *image) {
    bool is_good =
        image->first[PART_KINDS] == image->part_count && image_count(image, PART_IDS) == 1;
    for (uint32_t i = 1; i < image->part_count && is_good; i++) {
        is_good = image->parts[i - 1]->kind != image->parts[i]->kind ||
                  image->parts[i - 1]->key < image->parts[i]->key;
    }
    return is_good ? NULL : "two parts have one number, or the ids are missing";
}

// Are there as many blobs and objects as the words say, each blob of its size?
static const char *shape_fault(const struct part *part) {
    struct part head = {.kind = part->kind, .key = part->key, .of = part->of};
    memcpy(head.words, part->words, sizeof(head.words));
    if (!cosmi_part_has_shape(part)) {
        return "a part has more rows, ids or records than it may have, or none";
    }
    cosmi_part_count(&head);
    if (!cosmi_part_is_alike(&head, part)) {
        return "a part has the wrong number of blobs or objects";
    }
    bool may_miss = part->kind == PART_TREE || part->kind == PART_SINGLETONS;
    for (uint32_t i = 0; i < part->blob_count; i++) {
        const struct blob *blob = part->blobs[i];
        size_t size = cosmi_blob_size(part, i);
        if (blob == NULL ? !may_miss && size > 0 : blob->size != size) {
            return "a part has the wrong number of bytes for its rows, ids or records";
        }
    }
    return NULL;
}

// Tables with shared values and no order of groups.
static const char *missing_groups_fault(const struct world_image *image) {
    bool has_group = false;
    for (uint32_t i = 0; i < image_count(image, PART_TABLE); i++) {
        has_group |= table_group(image_part(image, PART_TABLE, i)) != GROUP_NONE;
    }
    return has_group && image_count(image, PART_GROUPS) == 0
               ? "the data of shared values is missing"
               : NULL;
}

const char *cosmi_image_fault(const struct schema *schema, const struct world_image *image,
                              const struct part *sound) {
    const char *fault = list_of_parts_fault(image);
    for (uint32_t i = 0; i < image->part_count && fault == NULL; i++) {
        const struct part *part = image->parts[i];
        fault = shape_fault(part);
        if (part == sound) {
            INVARIANT(fault != NULL ||
                          cosmi_part_kinds[part->kind]->fault(schema, image, part) == NULL,
                      "who makes a sound part has checked all that would be checked here");
            continue;
        }
        fault = fault == NULL ? cosmi_part_kinds[part->kind]->fault(schema, image, part) : fault;
    }
    fault = fault == NULL ? missing_groups_fault(image) : fault;
    return fault == NULL ? cosmi_tickets_fault(schema, image) : fault;
}

cosm_result cosmi_image_check(const struct schema *schema, const struct sink *sink,
                              const char *call, const struct world_image *image, uint32_t world,
                              const struct part *sound) {
    const char *fault = cosmi_image_fault(schema, image, sound);
    if (fault == cosmi_fault_memory) {
        return cosmi_fail_memory(sink, schema->memory, call);
    }
    if (fault != NULL) {
        return cosmi_fail(
            sink, COSM_ERROR_FORMAT,
            "%s: world %u: %s; the bytes are damaged or were not written by Cosm: get "
            "another copy",
            call, world, fault);
    }
    return cosmi_strict_check(schema, sink, call, image, world);
}
