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
    cosm_component components[COSM_CONTAINER_MEMBER_MAX];
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

// The container of a group in a world; NULL where there is none yet.
static inline struct sectors *sector_container(const struct cosm_batch *batch, uint32_t world,
                                               uint32_t group) {
    const struct beside *beside = batch->besides[world];
    const struct sector_set *set = beside == NULL ? NULL : beside->sectors;
    return set == NULL || group >= set->count ? NULL : set->containers[group];
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

// The id of a component's group, 0 where it has none yet.
uint32_t cosmi_sector_group_id(const struct value_type *type);

// Makes the container of a component where there is none. On failure there is a message.
cosm_result cosmi_sector_need(cosm_world world, const char *call, const struct value_type *type);

// Makes room in it for one more entity: `*io_more` is how many records it was made for before. The
// room stays until the other call.
cosm_result cosmi_sector_room(cosm_world world, const char *call, const struct value_type *type,
                              cosm_entity entity, uint32_t *io_more);
void cosmi_sector_room_end(cosm_world world, const struct value_type *type);

// Adds a component: with a value it becomes a copy of that, also where it was there. On failure
// there is a message, and all is as it was.
cosm_result cosmi_sector_add(cosm_world world, const char *call, const struct value_type *type,
                             cosm_entity entity, const void *value);

// Puts a copy of the value in the place of an object that is there. Safe for different entities of
// a world at a time. On failure there is a message, and the old one stays.
cosm_result cosmi_sector_replace(struct cosm_batch *batch, const char *call,
                                 const struct value_type *type, void *object, const void *value);

// Can making one fail for what a hook says?
bool cosmi_sector_has_make(const struct value_type *type);

// Makes an object that no entity has, in memory of the caller's, aligned as the type: a copy of the
// value, or with NULL a new one. On failure there is a message. The group has been made.
cosm_result cosmi_sector_make(const struct cosm_batch *batch, const char *call,
                              const struct value_type *type, void *object, const void *value);
void cosmi_sector_unmake(const struct value_type *type, void *object);

// Moves such an object to an entity for which there is room, in the place of what it had. `is_set`:
// observers are told of a value that was set.
void cosmi_sector_adopt(cosm_world world, const char *call, const struct value_type *type,
                        cosm_entity entity, void *object, bool is_set);

// Takes away what an entity has, if it has one, and gives it a new one: a default or, not NULL,
// what was made aside. Observers get one event: a value that was set, or added. There is room.
void cosmi_sector_renew(cosm_world world, const char *call, const struct value_type *type,
                        cosm_entity entity, void *made);

// Takes it away where it is there. Refused, with a message, only while a hook is called.
cosm_result cosmi_sector_remove(cosm_world world, const char *call, const struct value_type *type,
                                cosm_entity entity);

// Takes everything of an entity, or of all of them, away.
void cosmi_sector_erase(cosm_world world, cosm_entity entity);
void cosmi_sector_reset(cosm_world world);

cosm_result cosmi_sector_maintain(cosm_world world, const char *call,
                                  const cosm_container_budget *budget,
                                  cosm_container_report *out_report);

// Walks of the containers of a world that are under way.
uint32_t cosmi_sector_walks(const struct cosm_batch *batch, uint32_t world);

// COSM_ERROR_WALKED, with a message, where there are some.
cosm_result cosmi_check_sector_walks(cosm_world world, const char *call);

cosm_result cosmi_sector_validate(const struct cosm_batch *batch, uint32_t index);
size_t cosmi_sector_bytes(const struct cosm_batch *batch, uint32_t index);
size_t cosmi_sector_live_bytes(const struct cosm_batch *batch, uint32_t index);
void cosmi_sector_free(cosm_world world);

#endif
