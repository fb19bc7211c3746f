// The numbers that a patch goes by, in 32 bits: those of groups, of tickets, and the places of
// sectors. A patch names rows, objects and records by these, so it asks for them apart, and can say
// that a world holds the same but came to it another way.
#include "base/hash.h"
#include "state/patch.h"

static uint64_t patch_print_groups(const struct schema *schema, const struct world_image *image) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < image->table_count; i++) {
        const struct table_image *table = image->tables[i];
        if (table->group != GROUP_NONE) {
            sum += hash_u64(cosmi_patch_key(schema, table->archetype), table->group);
        }
    }
    const struct piece *order = image->shared_order;
    return order == NULL ? sum : cosmi_hash_bytes(sum, order->bytes, order->size);
}

static uint64_t patch_print_managed(const struct managed_image *managed) {
    uint64_t print = hash_u64(managed->type->hash, managed->free_head);
    return cosmi_hash_bytes(print, managed->slots->bytes, managed->slots->size);
}

// Records of members that live or not: which of them do is in the hash.
static uint64_t patch_print_sectors(const struct schema *schema,
                                    const struct sector_image *sectors) {
    uint64_t print = 0;
    for (uint32_t m = 0; m < sectors->group->member_count; m++) {
        print += hash_mix(schema_component(schema, sectors->group->components[m].id)->hash);
    }
    print = hash_u64(print, sectors->place_end);
    for (uint32_t place = 0; place < sectors->place_end; place++) {
        const cosm_sector *sector = sector_image_at(sectors, place);
        print = hash_u64(print, sector->entity.id | (uint64_t)sector->entity.gen << 32);
        print = hash_u64(print, sector->live != 0);
    }
    return print;
}

uint32_t cosmi_patch_print(const struct schema *schema, const struct world_image *image) {
    uint64_t print = hash_u64(image->directory.known, patch_print_groups(schema, image));
    for (uint32_t i = 0; i < image->managed_count; i++) {
        print += patch_print_managed(image->managed[i]);
    }
    for (uint32_t i = 0; i < image->sector_count; i++) {
        print += patch_print_sectors(schema, image->sectors[i]);
    }
    return (uint32_t)hash_mix(print);
}
