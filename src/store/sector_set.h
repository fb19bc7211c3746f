// The sector components of worlds: which containers a world has, and what entities have in them.
//
// A world has a container (store/sectors.h) for each group whose components some entity of it has
// had. Containers of one group share the layout, which belongs to the engine.
#ifndef COSM_STORE_SECTOR_SET_H
#define COSM_STORE_SECTOR_SET_H

#include <cosm/sector.h>

#include "store/sectors.h"
#include "store/side.h"

// A group of components of an engine. Written once, under the schema's lock.
struct sector_group {
    uint32_t id;
    uint32_t member_count;
    struct sectors_layout *layout;
    uint32_t components[COSM_SECTORS_MEMBER_MAX];
};

// The containers of a world, by the id of their group; NULL where there is none.
struct sector_set {
    struct sectors **containers;
    uint32_t count;
    uint32_t capacity;
};

// The group of a sector component, made for it alone where it has none. NULL, with a message that
// names `call`, on failure.
const struct sector_group *cosmi_sector_group_need(struct schema *schema, const char *call,
                                                   const struct value_type *type);

// Declares a group; 0 on failure, with a message.
uint32_t cosmi_sector_group_define(struct schema *schema, const char *call,
                                   const cosm_sector_group_desc *desc);
void cosmi_sector_groups_free(struct schema *schema);

static inline const struct sector_group *schema_sector_group(const struct schema *schema,
                                                             uint32_t id) {
    return id < paged_count(&schema->sector_groups) ? paged_get(&schema->sector_groups, id) : NULL;
}

// The container of a component in a world; NULL where there is none yet.
struct sectors *cosmi_sector_find(const struct cosm_batch *batch, uint32_t world,
                                  const struct value_type *type);

// What an entity has of a sector component, or NULL. A living tag has an address, too.
void *cosmi_sector_value(const struct cosm_batch *batch, uint32_t world,
                         const struct value_type *type, cosm_entity entity);

// The sector components of an entity in ascending order, at most `max` of them; how many there are.
uint32_t cosmi_sector_list(const struct cosm_batch *batch, uint32_t world, cosm_entity entity,
                           uint32_t max, cosm_component *out_components);

// Makes room for the component of an entity, so that adding it fails for no want of memory of ours.
// `more` is the number of records that may be added in all. On failure there is a message.
cosm_result cosmi_sector_reserve(struct place place, const char *call,
                                 const struct value_type *type, cosm_entity entity, uint32_t more);

// Adds a component: with a value it becomes that, also where it was there. On failure there is a
// message.
cosm_result cosmi_sector_add(struct place place, const char *call, const struct value_type *type,
                             cosm_entity entity, const void *value);

// Takes it away where it is there.
void cosmi_sector_remove(struct place place, const char *call, const struct value_type *type,
                         cosm_entity entity);

// Takes everything of an entity, or of all of them, away.
void cosmi_sector_erase(struct place place, cosm_entity entity);
void cosmi_sector_reset(struct place place);

cosm_result cosmi_sector_maintain(struct place place, const char *call,
                                  const cosm_sectors_budget *budget,
                                  cosm_sectors_report *out_report);
cosm_result cosmi_sector_validate(const struct cosm_batch *batch, uint32_t world);
size_t cosmi_sector_bytes(const struct cosm_batch *batch, uint32_t world);
size_t cosmi_sector_live_bytes(const struct cosm_batch *batch, uint32_t world);
void cosmi_sector_free(struct place place);

#endif
