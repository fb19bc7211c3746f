// Sector components: components that come and go without moving the entity.
//
// A component with COSM_STORAGE_SECTOR is stored in a container of records (container.h), one
// container per world and group, so adding or removing it never moves the entity's row. Add,
// remove, set, read and query it like any other component; it is not part of an archetype.
//
// Components that are used together share a record if you declare them as a group, before the first
// of them is used. A component that is not declared forms a group of one.
//
//     cosm_sector_group_define(engine, &(cosm_sector_group_desc){
//         .name = "burning", .text = "Heat, Smoke"});
#ifndef COSM_SECTOR_H
#define COSM_SECTOR_H

#include <cosm/container.h>
#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_SECTOR_GROUP_MAX 4096u // groups of one engine

// Components whose values are adjacent in one record per entity. Zero is no group.
typedef struct cosm_sector_group {
    uint32_t id;
} cosm_sector_group;

// Required: the components.
typedef struct cosm_sector_group_desc {
    const char *name; // for messages; copied; NULL: that of the first component
    const char *text; // its components by name: "Heat, Smoke"
    cosm_component components[COSM_CONTAINER_MEMBER_MAX]; // or by id; zeroes only at the end
    uint32_t chunk_sectors; // records per chunk, a power of two; zero: what fits in 4 KiB
    float threshold;        // dead fraction from which maintain moves records; zero: a quarter
} cosm_sector_group_desc;

// Declares a group. Declaring it again returns the same group. Fails with COSM_ERROR_CONFLICT if a
// component is in another group or was already used. Zero on failure.
COSM_API cosm_sector_group cosm_sector_group_define(cosm_engine *engine,
                                                    const cosm_sector_group_desc *desc);

// The group of a component; zero if it has none yet, or is not a sector component.
COSM_API cosm_sector_group cosm_sector_group_of(const cosm_engine *engine,
                                                cosm_component component);

// A group as it was defined; zeroed if it is not defined. What it points at is valid as long as the
// engine.
typedef struct cosm_sector_group_info {
    const char *name;
    const cosm_component *members; // member_count of them, in the order of their storage
    uint32_t member_count;
} cosm_sector_group_info;

COSM_API cosm_sector_group_info cosm_sector_group_describe(const cosm_engine *engine,
                                                           cosm_sector_group group);

// Copies an entity's sector components in ascending order, at most `max`. Returns how many there
// are. O(groups).
COSM_API uint32_t cosm_sector_components(cosm_world world, cosm_entity entity, uint32_t max,
                                         cosm_component *out_components);

// The container in which a world stores a component, for reading with the calls of container.h:
// intervals of ids, views. NULL if the world has none yet. Do not change it: use the calls of
// entity.h. Members are in the order of the group.
COSM_API cosm_container *cosm_sector_container(cosm_world world, cosm_component component,
                                               uint32_t *out_member);

// Calls cosm_container_maintain for all containers of a world, in the order of their groups, with
// one budget. Invalidates pointers to sector components of the world.
COSM_API COSM_MUST_USE cosm_result cosm_sector_maintain(cosm_world world,
                                                        const cosm_container_budget *budget,
                                                        cosm_container_report *out_report);

// The slow path of the macros below: reports the error and returns NULL.
COSM_API void *cosm_rows_refuse_sector(const cosm_rows *rows, uint32_t index, uint32_t i,
                                       size_t size, bool write);

static inline void *cosm_rows_sector(const cosm_rows *rows, uint32_t index, uint32_t i, size_t size,
                                     bool write) {
    if (index >= rows->term_count || i >= rows->count ||
        rows->terms[index].sector_size != COSM_CAST(uint64_t, size) + 1 ||
        (write && rows->terms[index].access == COSM_ACCESS_READ)) {
        return cosm_rows_refuse_sector(rows, index, i, size, write);
    }
    const cosm_container *sectors = COSM_CAST(const cosm_container *, rows->columns[index]);
    if (sectors == NULL) {
        return NULL;
    }
    const cosm_sector *sector = cosm_container_find(sectors, rows->entities[i]);
    return sector == NULL || (sector->live & rows->terms[index].sector_bit) == 0
               ? NULL
               : cosm_sector_at(sector, rows->terms[index].sector_offset);
}

// The value of row `i` of the run for term number `index`, a sector component. NULL where an
// optional component is absent. NULL, reported, if an argument, the type or the access is wrong.
#define COSM_SECTOR_READ(rows, Type, index, i)                                                     \
    COSM_CAST(const Type *, cosm_rows_sector((rows), (index), (i), sizeof(Type), false))
#define COSM_SECTOR_WRITE(rows, Type, index, i)                                                    \
    COSM_CAST(Type *, cosm_rows_sector((rows), (index), (i), sizeof(Type), true))

COSM_END_C

#endif
