// Containers: records by entity, outside the tables. Adding and removing records moves no other
// record.
//
//     enum { HEAT, SMOKE };
//     cosm_container *fires = cosm_container_create(&desc); // its members: HEAT and SMOKE
//     cosm_container_add(fires, entity, HEAT, &heat);     // O(1); no other record moves
//     Heat *heat = COSM_CONTAINER_WRITE(fires, entity, Heat, HEAT);
//
// A sector is one entity's record: a header with the entity and a mask of the members it has, then
// the members, each at a fixed offset. Records are stored in chunks. A record stays at its address
// until it is erased, or until cosm_container_maintain or cosm_container_clear is called.
//
// Keys are entity handles: an odd generation, and an id below COSM_WORLD_ENTITY_MAX. If you make
// your own, increment generations by two. Only one generation of an id has a record: others are
// absent, and adding a newer one removes the record of the older one first. No engine is needed.
//
// A container may be changed by one thread, or read by many, like a world. A concurrent container,
// chosen at creation, may be changed by any thread while others read it through readers: see the
// end of this header.
#ifndef COSM_CONTAINER_H
#define COSM_CONTAINER_H

#include <cosm/component.h>
#include <cosm/engine.h>
#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_CONTAINER_MEMBER_MAX 64u       // members of one container
#define COSM_CONTAINER_CHUNK_MAX (1u << 16) // records of one chunk
#define COSM_CONTAINER_FOREIGN_MAX 8u       // foreign members of one walk
#define COSM_CONTAINER_PAGE_IDS 4096u       // ids of one page of the map
#define COSM_CONTAINER_BIT(member) (UINT64_C(1) << (member))

typedef struct cosm_container cosm_container;

// The header of a record. Read-only. A record without live members does not exist.
typedef struct cosm_sector {
    cosm_entity entity;
    uint64_t live; // one bit per member that the record has
} cosm_sector;

// Required: the name and the size.
typedef struct cosm_container_member {
    const char *name;          // unique in the container; copied
    size_t size;               // bytes, 0 to COSM_COMPONENT_SIZE_MAX; zero: only a bit
    size_t alignment;          // a power of two up to 4096; zero: what the size allows, up to 16
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    cosm_lifecycle lifecycle;  // `equals` and `hash` are not used here
} cosm_container_member;

// Required: the members.
typedef struct cosm_container_desc {
    const char *name; // for messages; copied; NULL: "sectors"
    const cosm_container_member *members;
    uint32_t member_count;    // 1 to COSM_CONTAINER_MEMBER_MAX
    uint32_t chunk_sectors;   // records per chunk, a power of two; zero: what fits in 64 KiB
    float threshold;          // dead fraction from which maintain moves records; zero: a quarter
    bool concurrent;          // any thread may change and read it at any time
    cosm_allocator allocator; // zeroed: the C library
    size_t memory_limit;      // bytes; zero: no limit
    cosm_error_fn *error;     // called for every error; NULL: each is printed to stderr once
    void *error_context;
    bool quiet; // if `error` is NULL: print nothing
} cosm_container_desc;

// Creates a container. NULL on failure.
COSM_API cosm_container *cosm_container_create(const cosm_container_desc *desc);

// Removes all records and frees everything. NULL is allowed. Fails with COSM_ERROR_BUSY and changes
// nothing while the container is being walked or has readers.
COSM_API cosm_result cosm_container_destroy(cosm_container *sectors);

// A member as it was declared; zeroed past the last one.
typedef struct cosm_container_member_info {
    const char *name;
    size_t size;
    size_t offset; // from the header of a record, for cosm_sector_at
} cosm_container_member_info;

COSM_API cosm_container_member_info cosm_container_describe_member(const cosm_container *container,
                                                                   uint32_t member);

// Adds a member to an entity and returns its address. With a value, the member becomes a copy of
// it, also if it was there before. With NULL, a new member is constructed or gets its default
// value, and an existing one stays. Returns NULL, without a message, if a newer handle has a record
// under the same id; NULL, reported, on failure. O(1), amortized over growth. A member of size zero
// has an address too, but no bytes. In a concurrent container use the pointer only to test for
// success: other threads may move the record.
COSM_API void *cosm_container_add(cosm_container *sectors, cosm_entity entity, uint32_t member,
                                  const void *value);

// Removes a member at once and destroys its object; with the last member the record is removed. Its
// space is reused by another record or released by maintain. COSM_STALE if there is no such member.
// O(1).
COSM_API COSM_MUST_USE cosm_result cosm_container_remove(cosm_container *sectors,
                                                         cosm_entity entity, uint32_t member);

// Removes all members of an entity. COSM_STALE if it has none. O(members it has).
COSM_API COSM_MUST_USE cosm_result cosm_container_erase(cosm_container *sectors,
                                                        cosm_entity entity);

// The same for an array of entities, with overlapped lookups: several times faster for many
// entities in random order. Skips entities for which add would return NULL without a message, and
// those without the member to remove. `values` is an array with one value per entity; NULL: no
// values. Checks all handles and reserves all memory first: on failure nothing has changed. Not for
// concurrent containers; and add_many not for members with a construct or copy hook, since these
// may fail: add them one by one.
COSM_API COSM_MUST_USE cosm_result cosm_container_add_many(cosm_container *sectors,
                                                           const cosm_entity *entities,
                                                           uint32_t count, uint32_t member,
                                                           const void *values);
COSM_API COSM_MUST_USE cosm_result cosm_container_remove_many(cosm_container *sectors,
                                                              const cosm_entity *entities,
                                                              uint32_t count, uint32_t member);

// Removes all records and keeps the memory. Fails while the container is being walked.
COSM_API COSM_MUST_USE cosm_result cosm_container_clear(cosm_container *sectors);

// Reserves memory for `count` records in total, and keeps maintain from releasing it. Zero cancels
// an earlier call.
COSM_API COSM_MUST_USE cosm_result cosm_container_reserve(cosm_container *sectors, uint32_t count);

// A member's address, or NULL if it is absent. O(1). In a concurrent container NULL, reported: use
// a reader.
COSM_API const void *cosm_container_read(const cosm_container *sectors, cosm_entity entity,
                                         uint32_t member);
COSM_API void *cosm_container_write(cosm_container *sectors, cosm_entity entity, uint32_t member);

// Whether the entity has the member, and the mask of the members it has. O(1). In a concurrent
// container the answer may be out of date at once.
COSM_API bool cosm_container_has(const cosm_container *sectors, cosm_entity entity,
                                 uint32_t member);
COSM_API uint64_t cosm_container_live(const cosm_container *sectors, cosm_entity entity);

// Called by the typed macros: NULL, reported, if `size` is not the member's size.
COSM_API void *cosm_container_write_sized(const cosm_container *sectors, cosm_entity entity,
                                          uint32_t member, size_t size);

#define COSM_CONTAINER_READ(sectors, entity, Type, member)                                         \
    COSM_CAST(const Type *, cosm_container_write_sized((sectors), (entity), (member), sizeof(Type)))
#define COSM_CONTAINER_WRITE(sectors, entity, Type, member)                                        \
    COSM_CAST(Type *, cosm_container_write_sized((sectors), (entity), (member), sizeof(Type)))

// Limits of one call of maintain; zero: no limit.
typedef struct cosm_container_budget {
    uint32_t move_max;
    uint64_t ns_max; // real time: the order of records then depends on the machine
} cosm_container_budget;

// What maintain did.
typedef struct cosm_container_report {
    uint32_t moved;        // records moved
    uint32_t reclaimed;    // dead records whose space is free again
    uint32_t chunks_freed; // chunks returned to the allocator
    uint32_t left;         // dead records that remain
} cosm_container_report;

// Reclaims space: drops dead records at the end and, from the threshold on, fills holes with the
// last records, until all is packed or the budget is spent; the next call continues there. Then
// frees empty chunks. Moves as few records as packing needs, and touches no others. Invalidates
// pointers to records. Fails while the container is being walked. `budget` and `out_report` may be
// NULL.
COSM_API COSM_MUST_USE cosm_result cosm_container_maintain(cosm_container *sectors,
                                                           const cosm_container_budget *budget,
                                                           cosm_container_report *out_report);

// What a container holds.
typedef struct cosm_container_info {
    uint32_t member_count;
    uint32_t count;       // live records
    uint32_t dead_count;  // dead records that still occupy space
    double fragmentation; // dead / (live + dead), or zero
    uint32_t chunk_count;
    cosm_memory memory; // `live`: the bytes of live records
} cosm_container_info;

// O(1).
COSM_API cosm_container_info cosm_container_describe(const cosm_container *container);

// Checks every invariant. COSM_ERROR_CORRUPT with a message if one is broken: a bug in the library,
// or a stray write.
COSM_API COSM_MUST_USE cosm_result cosm_container_validate(const cosm_container *sectors);

// Internal: the part of a container that inlined code reads.
typedef struct cosm_container_face {
    const uint32_t *const *pages; // by id / COSM_CONTAINER_PAGE_IDS: a position + 1, or zero
    char *const *chunks;          // by position >> chunk_shift: the first record
    uint32_t id_end;              // ids from here on have no page
    uint32_t chunk_mask;          // records per chunk - 1
    uint32_t chunk_shift;
    uint32_t walk_count; // walks in progress; atomic
    size_t stride;       // bytes per record
} cosm_container_face;

// Called by inlined code for an id beyond all pages: NULL; reported if the container is concurrent.
COSM_API cosm_sector *cosm_container_find_beyond(const cosm_container *sectors, cosm_entity entity);

// The entity's record, or NULL. As safe as the calls above, and inlined.
static inline cosm_sector *cosm_container_find(const cosm_container *sectors, cosm_entity entity) {
    const cosm_container_face *face =
        COSM_CAST(const cosm_container_face *, COSM_CAST(const void *, sectors));
    if (entity.id >= face->id_end) {
        return cosm_container_find_beyond(sectors, entity);
    }
    uint32_t place =
        face->pages[entity.id / COSM_CONTAINER_PAGE_IDS][entity.id % COSM_CONTAINER_PAGE_IDS];
    if (place == 0) {
        return NULL;
    }
    place--;
    char *chunk = face->chunks[place >> face->chunk_shift];
    cosm_sector *sector = COSM_CAST(
        cosm_sector *,
        COSM_CAST(void *, chunk + COSM_CAST(size_t, place & face->chunk_mask) * face->stride));
    return sector->entity.gen == entity.gen && sector->live != 0 ? sector : NULL;
}

// The address of a member by its offset. Unchecked: test the record's mask first.
static inline void *cosm_sector_at(const cosm_sector *sector, size_t offset) {
    return COSM_CAST(char *, COSM_CAST(void *, COSM_UNCONST(cosm_sector *, sector))) + offset;
}

// A member of a container.
typedef struct cosm_container_term {
    const cosm_container *sectors;
    uint32_t member;
} cosm_container_term;

// An interval of ids.
typedef struct cosm_container_range {
    uint32_t first;
    uint32_t count;
} cosm_container_range;

// Which records to walk, and what else to look up for each. Zeroed: all records.
typedef struct cosm_container_walk_desc {
    uint64_t with;    // bits of members that a record must have
    uint64_t without; // bits of members that it must not have
    // Disjoint intervals in ascending order: the walk then goes by id instead of storage order. Not
    // copied. NULL: all records in storage order.
    const cosm_container_range *ranges;
    uint32_t range_count;
    // Members of this or other containers, for COSM_CONTAINER_FOREIGN. They do not filter records.
    cosm_container_term foreign[COSM_CONTAINER_FOREIGN_MAX];
} cosm_container_walk_desc;

// Internal: a foreign member as inlined code looks it up.
typedef struct cosm_container_foreign {
    const cosm_container *sectors; // NULL: no record has it
    size_t offset;
    uint64_t bit;
} cosm_container_foreign;

// A walk in progress. Its fields are private; do not copy it.
typedef struct cosm_container_walk {
    const char *end; // end of the run of records; NULL: ask for each
    size_t stride;
    uint64_t with;
    uint64_t either;                    // `with` and `without` together
    cosm_container_face *face;          // NULL: the walk has ended
    uint32_t next;                      // the position, or the id, to continue with
    uint32_t last;                      // one past the last
    const cosm_container_range *ranges; // the remaining ones
    uint32_t range_count;
    bool by_id;
    cosm_container_foreign foreign[COSM_CONTAINER_FOREIGN_MAX];
} cosm_container_walk;

// Walks:
//
//     cosm_container_walk walk;
//     for (cosm_sector *s = cosm_container_walk_begin(fires, NULL, &walk); s != NULL;
//          s = cosm_container_walk_next(&walk, s)) {
//         Heat *heat = (Heat *)cosm_sector_at(s, heat_offset);
//     }
//
// Inside the loop you may add, remove and erase, also the current record. A record that exists from
// begin to end is visited once. One removed before the walk reaches it is not visited. One added
// during the walk is visited if its position (or, by id, its id) is ahead; positions created after
// the begin are never visited, so a walk ends even if every iteration adds a record. Maintain,
// clear and destroy fail. A walk that reaches the end ends itself; call cosm_container_walk_end if
// you leave the loop earlier. `desc` may be NULL. On failure, which is reported, there is no
// record.
COSM_API cosm_sector *cosm_container_walk_begin(cosm_container *sectors,
                                                const cosm_container_walk_desc *desc,
                                                cosm_container_walk *out_walk);
COSM_API void cosm_container_walk_end(cosm_container_walk *walk);

// Called by inlined code at the end of a chunk, and for each record in a walk by id.
COSM_API cosm_sector *cosm_container_walk_turn(cosm_container_walk *walk);

static inline cosm_sector *cosm_container_walk_next(cosm_container_walk *walk,
                                                    const cosm_sector *sector) {
    const char *at = COSM_CAST(const char *, COSM_CAST(const void *, sector));
    for (;;) {
        at += walk->stride;
        if (at >= walk->end) {
            return cosm_container_walk_turn(walk);
        }
        uint64_t live = COSM_CAST(const cosm_sector *, COSM_CAST(const void *, at))->live;
        if (live != 0 && (live & walk->either) == walk->with) {
            return COSM_CAST(cosm_sector *, COSM_CAST(void *, COSM_UNCONST(char *, at)));
        }
    }
}

// The same walk by runs, for loops as fast as over an array: a run is a local variable whose
// address is not shared, so the compiler keeps it in registers.
//
//     for (cosm_sector *first = cosm_container_walk_begin(fires, NULL, &walk); first != NULL;
//          first = cosm_container_walk_turn(&walk)) {
//         const cosm_container_run run = cosm_container_walk_run(&walk);
//         for (cosm_sector *s = first; s != NULL; s = cosm_container_run_next(&run, s)) {
//         }
//     }
typedef struct cosm_container_run {
    const char *end;
    size_t stride;
    uint64_t with;
    uint64_t either;
} cosm_container_run;

static inline cosm_container_run cosm_container_walk_run(const cosm_container_walk *walk) {
    cosm_container_run run = {walk->end, walk->stride, walk->with, walk->either};
    return run;
}

// The next record of the run, or NULL at its end: then call cosm_container_walk_turn.
static inline cosm_sector *cosm_container_run_next(const cosm_container_run *run,
                                                   const cosm_sector *sector) {
    const char *at = COSM_CAST(const char *, COSM_CAST(const void *, sector));
    for (at += run->stride; at < run->end; at += run->stride) {
        uint64_t live = COSM_CAST(const cosm_sector *, COSM_CAST(const void *, at))->live;
        if (live != 0 && (live & run->either) == run->with) {
            return COSM_CAST(cosm_sector *, COSM_CAST(void *, COSM_UNCONST(char *, at)));
        }
    }
    return NULL;
}

// The foreign member number `index` of the walk's desc for the entity of this record, or NULL.
// Unchecked: the index must be valid and the type that of the member.
static inline void *cosm_container_walk_foreign(const cosm_container_walk *walk,
                                                const cosm_sector *sector, uint32_t index) {
    const cosm_container_foreign *foreign = &walk->foreign[index];
    const cosm_container_face *face =
        COSM_CAST(const cosm_container_face *, COSM_CAST(const void *, foreign->sectors));
    uint32_t id = sector->entity.id;
    if (face == NULL || id >= face->id_end) {
        return NULL;
    }
    uint32_t place = face->pages[id / COSM_CONTAINER_PAGE_IDS][id % COSM_CONTAINER_PAGE_IDS];
    if (place == 0) {
        return NULL;
    }
    place--;
    char *other = face->chunks[place >> face->chunk_shift] +
                  COSM_CAST(size_t, place & face->chunk_mask) * face->stride;
    const cosm_sector *header = COSM_CAST(const cosm_sector *, COSM_CAST(const void *, other));
    return header->entity.gen == sector->entity.gen && (header->live & foreign->bit) != 0
               ? other + foreign->offset
               : NULL;
}

#define COSM_CONTAINER_FOREIGN(walk, sector, Type, index)                                          \
    COSM_CAST(Type *, cosm_container_walk_foreign((walk), (sector), (index)))

// Concurrent containers.
//
// Any thread may change the container; writers wait for each other, never for readers. Each thread
// that reads has its own reader:
//
//     cosm_container_reader_enter(reader);
//     const Heat *heat = cosm_container_reader_read(reader, entity, HEAT);
//     ...
//     cosm_container_reader_leave(reader);
//
// Between enter and leave, whatever you looked up stays unchanged: objects removed or replaced
// meanwhile are destroyed, and their space reused, only after you leave. Leave soon, or pin: a
// pinned record is not moved, and nothing in it is destroyed, until you unpin it, inside or
// outside.
//
// The bytes of a member never change while a reader may see them: replacing a member makes a new
// copy of the record and leaves the old one to its readers. To change bytes in place, pin the
// record, and use your own atomics in every thread that accesses those bytes.
typedef struct cosm_container_reader cosm_container_reader;

// Creates a reader. NULL on failure, for instance if the container is not concurrent.
COSM_API cosm_container_reader *cosm_container_reader_create(cosm_container *sectors);

// Destroys a reader. NULL is allowed. Fails with COSM_ERROR_BUSY while it is inside or has pins.
COSM_API cosm_result cosm_container_reader_destroy(cosm_container_reader *reader);

// Enters and leaves; may nest. Never waits.
COSM_API void cosm_container_reader_enter(cosm_container_reader *reader);
COSM_API void cosm_container_reader_leave(cosm_container_reader *reader);

// Looks up while inside; outside, NULL, reported. O(1), never waits.
COSM_API const cosm_sector *cosm_container_reader_find(cosm_container_reader *reader,
                                                       cosm_entity entity);
COSM_API const void *cosm_container_reader_read(cosm_container_reader *reader, cosm_entity entity,
                                                uint32_t member);

// For a record that was found or pinned: the mask of its live members, and the address of one of
// them or NULL. Do not read the record's mask directly: writers change it.
COSM_API uint64_t cosm_container_reader_live(const cosm_container_reader *reader,
                                             const cosm_sector *sector);
COSM_API const void *cosm_container_reader_member(const cosm_container_reader *reader,
                                                  const cosm_sector *sector, uint32_t member);

// The next record with an id from `*io_id` on and below `id_end`, in ascending order, that has all
// members of `with` and none of `without`. Sets `*io_id` to the id after it. NULL if there is none.
// An entity whose record exists throughout is visited once.
COSM_API const cosm_sector *cosm_container_reader_next(cosm_container_reader *reader,
                                                       uint32_t *io_id, uint32_t id_end,
                                                       uint64_t with, uint64_t without);

// Finds and pins a record, inside or outside. NULL if the entity has no record; NULL, reported, if
// out of memory. Pins are counted: unpin as often. The thread that holds a pin cannot remove from
// the record, erase it or clear the container (COSM_ERROR_BUSY). Other threads can; what they
// remove is destroyed after the last unpin. No thread can replace a member of a pinned record.
COSM_API const cosm_sector *cosm_container_reader_pin(cosm_container_reader *reader,
                                                      cosm_entity entity);
COSM_API void cosm_container_reader_unpin(cosm_container_reader *reader, const cosm_sector *sector);

COSM_END_C

#endif
