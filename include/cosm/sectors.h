// Sectors: a container of records, one per entity, that come and go without moving anything else.
//
//     enum { HEAT, SMOKE };
//     cosm_sectors *fires = cosm_sectors_create(&desc); // its members: HEAT and SMOKE
//     cosm_sectors_add(fires, entity, HEAT, &heat);     // O(1); no other record moves
//     Heat *heat = COSM_SECTORS_WRITE(fires, entity, Heat, HEAT);
//
// A sector is one entity's record: a header with the entity and a mask of the members that it has,
// then the members side by side, each at a fixed offset. Records lie in chunks. A record stays where
// it is until it is erased, or until cosm_sectors_maintain or cosm_sectors_clear is called.
//
// Keys are handles as worlds give them: an odd generation, and an id below COSM_WORLD_ENTITY_MAX.
// Where you make your own, count a generation up by two. Of an id one generation has a record: any
// other one is absent, and adding a newer one ends the record of the older one first. No engine is
// needed.
//
// A container is changed by one thread, or read by many, as a world is. A concurrent one, chosen
// when it is created, is changed by any thread while others look at it through readers: that part
// is at the end of this page.
#ifndef COSM_SECTORS_H
#define COSM_SECTORS_H

#include <cosm/component.h>
#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_SECTORS_MEMBER_MAX 64u       // members of one container
#define COSM_SECTORS_CHUNK_MAX (1u << 16) // records of one chunk
#define COSM_SECTORS_FOREIGN_MAX 8u       // foreign members of one walk
#define COSM_SECTORS_PAGE_IDS 4096u       // ids of one page of the map
#define COSM_SECTORS_BIT(member) (UINT64_C(1) << (member))

typedef struct cosm_sectors cosm_sectors;

// The header of a record. Read it, never write it. A record with no live member is no record.
typedef struct cosm_sector {
    cosm_entity entity;
    uint64_t live; // a bit for each member that the record has
} cosm_sector;

// Good when zeroed but for the name and the size.
typedef struct cosm_sectors_member {
    const char *name;          // unique in the container; copied
    size_t size;               // bytes, 0 to COSM_COMPONENT_SIZE_MAX; zero: a bit and nothing else
    size_t alignment;          // a power of two up to 4096; zero: what the size allows, at most 16
    const void *default_value; // `size` bytes, copied; NULL: zeroes
    cosm_lifecycle lifecycle;  // `equals` and `hash` are not used here
} cosm_sectors_member;

// Good when zeroed but for the members.
typedef struct cosm_sectors_desc {
    const char *name; // for messages; copied; NULL: "sectors"
    const cosm_sectors_member *members;
    uint32_t member_count;  // 1 to COSM_SECTORS_MEMBER_MAX
    uint32_t chunk_sectors; // records of a chunk, a power of two; zero: what fits into 64 KiB
    float threshold;        // the dead fraction from which maintain moves records; zero: a quarter
    bool concurrent;        // changed and read on any thread at the same time
    cosm_allocator allocator; // zeroed: the C library
    size_t memory_limit;      // bytes; zero: none
    cosm_error_fn *error;     // called for every failure; NULL: each is printed to stderr once
    void *error_context;
    bool quiet; // without `error`: nothing is printed
} cosm_sectors_desc;

// Makes a container. NULL on failure.
COSM_API cosm_sectors *cosm_sectors_create(const cosm_sectors_desc *desc);

// Ends all records and frees everything. NULL is fine. One that is being walked or still has readers
// is left alone: COSM_ERROR_BUSY.
COSM_API cosm_result cosm_sectors_destroy(cosm_sectors *sectors);

// The members, as they were declared. For an index that is none: NULL, zero. The offset is that
// from the header of a record, for cosm_sector_at.
COSM_API uint32_t cosm_sectors_member_count(const cosm_sectors *sectors);
COSM_API const char *cosm_sectors_member_name(const cosm_sectors *sectors, uint32_t member);
COSM_API size_t cosm_sectors_member_size(const cosm_sectors *sectors, uint32_t member);
COSM_API size_t cosm_sectors_member_offset(const cosm_sectors *sectors, uint32_t member);

// Gives the entity a member and returns its bytes. With a value, the member is a copy of it, also
// where there was one before; with NULL, a new member is constructed or has its default value, and
// one that is there stays. Where the handle is older than the entity that has a record under its
// id, NULL without a message; NULL with one on failure. O(1), amortised over growth.
// A member of size zero has an address too, which holds nothing.
// In a concurrent container the pointer only says that it was done: others may move the record.
COSM_API void *cosm_sectors_add(cosm_sectors *sectors, cosm_entity entity, uint32_t member,
                                const void *value);

// Takes a member away, at once, and destroys its object; with the last one the record ends. The
// space comes back when another record takes it, or with maintain. COSM_STALE where there is no
// such member. O(1).
COSM_API COSM_MUST_USE cosm_result cosm_sectors_remove(cosm_sectors *sectors, cosm_entity entity,
                                                       uint32_t member);

// Takes all members of an entity away. COSM_STALE where it has none. O(1) for the members it has.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_erase(cosm_sectors *sectors, cosm_entity entity);

// The same for an array of entities, with the look-ups overlapped: for many in random order several
// times faster. Entities that add would return NULL for without a message, and those that have no
// such member to be removed, are passed over. `values` holds one value per entity, at the member's
// size from one to the next; NULL: none has one. All handles are checked and all memory is set aside
// first: on failure nothing has changed. Not for concurrent containers, and adding not for members
// with a construct or a copy hook, which may fail: these come one by one.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_add_many(cosm_sectors *sectors,
                                                         const cosm_entity *entities,
                                                         uint32_t count, uint32_t member,
                                                         const void *values);
COSM_API COSM_MUST_USE cosm_result cosm_sectors_remove_many(cosm_sectors *sectors,
                                                            const cosm_entity *entities,
                                                            uint32_t count, uint32_t member);

// Ends all records. The memory is kept for new ones. Refused while the container is walked.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_clear(cosm_sectors *sectors);

// Makes room for `count` records in all, and keeps maintain from giving it back. Zero takes an
// earlier call back.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_reserve(cosm_sectors *sectors, uint32_t count);

// A member's bytes, or NULL where it is absent. O(1). In a concurrent container NULL with a message:
// look through a reader.
COSM_API const void *cosm_sectors_read(const cosm_sectors *sectors, cosm_entity entity,
                                       uint32_t member);
COSM_API void *cosm_sectors_write(cosm_sectors *sectors, cosm_entity entity, uint32_t member);

// Does the entity have the member; which does it have, as a mask? O(1). In a concurrent container
// the answer may be old when you get it.
COSM_API bool cosm_sectors_has(const cosm_sectors *sectors, cosm_entity entity, uint32_t member);
COSM_API uint64_t cosm_sectors_live(const cosm_sectors *sectors, cosm_entity entity);

// What the typed macros call: NULL with a message when `size` is not the member's size.
COSM_API void *cosm_sectors_write_sized(const cosm_sectors *sectors, cosm_entity entity,
                                        uint32_t member, size_t size);

#define COSM_SECTORS_READ(sectors, entity, Type, member)                                           \
    COSM_CAST(const Type *, cosm_sectors_write_sized((sectors), (entity), (member), sizeof(Type)))
#define COSM_SECTORS_WRITE(sectors, entity, Type, member)                                          \
    COSM_CAST(Type *, cosm_sectors_write_sized((sectors), (entity), (member), sizeof(Type)))

// What one call of maintain may do at most; zero: no limit.
typedef struct cosm_sectors_budget {
    uint32_t move_max;
    uint64_t ns_max; // by the clock: where records lie then depends on how fast the machine is
} cosm_sectors_budget;

// What it did.
typedef struct cosm_sectors_report {
    uint32_t moved;        // records
    uint32_t reclaimed;    // dead records whose space is free again
    uint32_t chunks_freed; // given back to the allocator
    uint32_t left;         // dead records that are still between or behind the living
} cosm_sectors_report;

// Brings space back: forgets dead records at the end and, from the threshold on, fills holes with
// the last records, until all is packed or the budget is spent; the next call goes on where this
// one stopped. Then gives empty chunks back. Moves as few records as packing takes, and touches no
// others. Pointers to records are void afterwards. Refused while the container is walked.
// `budget` and `out_report` may be NULL.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_maintain(cosm_sectors *sectors,
                                                         const cosm_sectors_budget *budget,
                                                         cosm_sectors_report *out_report);

// Figures. O(1). Living records; dead ones that still take a place; dead / (living + dead), zero
// where there are none; chunks. In `memory`, `live` is the bytes of living records.
COSM_API uint32_t cosm_sectors_count(const cosm_sectors *sectors);
COSM_API uint32_t cosm_sectors_dead_count(const cosm_sectors *sectors);
COSM_API double cosm_sectors_fragmentation(const cosm_sectors *sectors);
COSM_API uint32_t cosm_sectors_chunk_count(const cosm_sectors *sectors);
COSM_API cosm_memory cosm_sectors_memory(const cosm_sectors *sectors);

// Walks every invariant. COSM_ERROR_CORRUPT with a message where one is broken: a defect of the
// library, or a write to where it should not be.
COSM_API COSM_MUST_USE cosm_result cosm_sectors_validate(const cosm_sectors *sectors);

// The part of a container that inlined code reads. The library's own.
typedef struct cosm_sectors_face {
    const uint32_t *const *pages; // by id / COSM_SECTORS_PAGE_IDS: a place + 1, or zero
    char *const *chunks;          // by place >> chunk_shift: the first record
    uint32_t id_end;              // ids from here on have no page
    uint32_t chunk_mask;          // records of a chunk - 1
    uint32_t chunk_shift;
    uint32_t walk_count; // walks under way; atomic
    size_t stride;       // bytes of a record
} cosm_sectors_face;

// What inlined code calls for an id beyond all pages: NULL, with a message where the container is
// concurrent.
COSM_API cosm_sector *cosm_sectors_find_beyond(const cosm_sectors *sectors, cosm_entity entity);

// The entity's record, or NULL. As safe as the calls above, and inlined.
static inline cosm_sector *cosm_sectors_find(const cosm_sectors *sectors, cosm_entity entity) {
    const cosm_sectors_face *face =
        COSM_CAST(const cosm_sectors_face *, COSM_CAST(const void *, sectors));
    if (entity.id >= face->id_end) {
        return cosm_sectors_find_beyond(sectors, entity);
    }
    uint32_t place =
        face->pages[entity.id / COSM_SECTORS_PAGE_IDS][entity.id % COSM_SECTORS_PAGE_IDS];
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

// The bytes of a record at a member's offset. Unchecked: look at the record's mask first.
static inline void *cosm_sector_at(const cosm_sector *sector, size_t offset) {
    return COSM_CAST(char *, COSM_CAST(void *, COSM_UNCONST(cosm_sector *, sector))) + offset;
}

// A member of a container.
typedef struct cosm_sectors_term {
    const cosm_sectors *sectors;
    uint32_t member;
} cosm_sectors_term;

// An interval of ids.
typedef struct cosm_sectors_range {
    uint32_t first;
    uint32_t count;
} cosm_sectors_range;

// Which records to walk, and what else to look up for each. Good when zeroed: all of them.
typedef struct cosm_sectors_walk_desc {
    uint64_t with;    // bits of members that a record must have
    uint64_t without; // and of those that it must not have
    // Intervals, in ascending order and apart from each other: then the walk goes by id, not as
    // records lie. Not copied. NULL: all, as they lie.
    const cosm_sectors_range *ranges;
    uint32_t range_count;
    // Members of this container or of others, for COSM_SECTORS_FOREIGN; they do not choose records.
    cosm_sectors_term foreign[COSM_SECTORS_FOREIGN_MAX];
} cosm_sectors_walk_desc;

// A foreign member as inlined code looks it up. The library's own.
typedef struct cosm_sectors_foreign {
    const cosm_sectors *sectors; // NULL: every record lacks it
    size_t offset;
    uint64_t bit;
} cosm_sectors_foreign;

// A walk under way. The library's own; do not copy it.
typedef struct cosm_sectors_walk {
    const char *end; // where the run of records ends; NULL: ask for each
    size_t stride;
    uint64_t with;
    uint64_t either;                  // `with` and `without` together
    cosm_sectors_face *face;          // NULL: the walk has ended
    uint32_t next;                    // the place, or the id, to go on with
    uint32_t last;                    // one past the last
    const cosm_sectors_range *ranges; // that are left
    uint32_t range_count;
    bool by_id;
    cosm_sectors_foreign foreign[COSM_SECTORS_FOREIGN_MAX];
} cosm_sectors_walk;

// Walks:
//
//     cosm_sectors_walk walk;
//     for (cosm_sector *s = cosm_sectors_walk_begin(fires, NULL, &walk); s != NULL;
//          s = cosm_sectors_walk_next(&walk, s)) {
//         Heat *heat = (Heat *)cosm_sector_at(s, heat_offset);
//     }
//
// Allowed in the loop, also on the record at hand: adding, removing, erasing. A record that lives
// from begin to end is visited once. One that ends before the walk comes to it is not visited. One
// that is added during the walk is visited if it takes a place, or, by id, an id, that is ahead;
// places made after the begin are never visited, so a walk ends even if every turn adds a record.
// Refused: maintain, clear, destroy. A walk that reaches the end ends itself; call the end call
// when you leave the loop before. `desc` may be NULL. On failure there is a message and no record.
COSM_API cosm_sector *cosm_sectors_walk_begin(cosm_sectors *sectors,
                                              const cosm_sectors_walk_desc *desc,
                                              cosm_sectors_walk *out_walk);
COSM_API void cosm_sectors_walk_end(cosm_sectors_walk *walk);

// What inlined code calls at the end of a chunk, and for each record where a walk goes by id.
COSM_API cosm_sector *cosm_sectors_walk_turn(cosm_sectors_walk *walk);

static inline cosm_sector *cosm_sectors_walk_next(cosm_sectors_walk *walk,
                                                  const cosm_sector *sector) {
    const char *at = COSM_CAST(const char *, COSM_CAST(const void *, sector));
    for (;;) {
        at += walk->stride;
        if (at >= walk->end) {
            return cosm_sectors_walk_turn(walk);
        }
        uint64_t live = COSM_CAST(const cosm_sector *, COSM_CAST(const void *, at))->live;
        if (live != 0 && (live & walk->either) == walk->with) {
            return COSM_CAST(cosm_sector *, COSM_CAST(void *, COSM_UNCONST(char *, at)));
        }
    }
}

// The same walk by runs, for loops that should be as fast as over an array: a run is a variable that
// nobody else sees, so the compiler keeps it in registers.
//
//     for (cosm_sector *first = cosm_sectors_walk_begin(fires, NULL, &walk); first != NULL;
//          first = cosm_sectors_walk_turn(&walk)) {
//         const cosm_sectors_run run = cosm_sectors_walk_run(&walk);
//         for (cosm_sector *s = first; s != NULL; s = cosm_sectors_run_next(&run, s)) {
//         }
//     }
typedef struct cosm_sectors_run {
    const char *end;
    size_t stride;
    uint64_t with;
    uint64_t either;
} cosm_sectors_run;

static inline cosm_sectors_run cosm_sectors_walk_run(const cosm_sectors_walk *walk) {
    cosm_sectors_run run = {walk->end, walk->stride, walk->with, walk->either};
    return run;
}

// The next record of the run, or NULL at its end: then turn the walk.
static inline cosm_sector *cosm_sectors_run_next(const cosm_sectors_run *run,
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
// Unchecked: the index is one of the desc's, and the type that of its member.
static inline void *cosm_sectors_walk_foreign(const cosm_sectors_walk *walk,
                                              const cosm_sector *sector, uint32_t index) {
    const cosm_sectors_foreign *foreign = &walk->foreign[index];
    const cosm_sectors_face *face =
        COSM_CAST(const cosm_sectors_face *, COSM_CAST(const void *, foreign->sectors));
    uint32_t id = sector->entity.id;
    if (face == NULL || id >= face->id_end) {
        return NULL;
    }
    uint32_t place = face->pages[id / COSM_SECTORS_PAGE_IDS][id % COSM_SECTORS_PAGE_IDS];
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

#define COSM_SECTORS_FOREIGN(walk, sector, Type, index)                                            \
    COSM_CAST(Type *, cosm_sectors_walk_foreign((walk), (sector), (index)))

// Concurrent containers.
//
// Changes come from any thread; they wait for each other, never for a reader. Looking is done
// through a reader: one for each thread that looks, used by that thread only.
//
//     cosm_sectors_reader_enter(reader);
//     const Heat *heat = cosm_sectors_reader_read(reader, entity, HEAT);
//     ...
//     cosm_sectors_reader_leave(reader);
//
// Between enter and leave, whatever you found stays as it was when you found it: objects that are
// removed or replaced meanwhile are destroyed, and their space used again, only after you have left.
// So stay short, or pin: a pinned record is not moved, and nothing in it is destroyed, until you
// unpin it, whether you are inside or not.
//
// The bytes of a member never change while anybody may look at them: replacing a member makes a new
// copy of the record and leaves the old one to those who look at it. To change bytes in place, pin
// the record, and have all who touch those bytes use atomics of your own.
typedef struct cosm_sectors_reader cosm_sectors_reader;

// Makes a reader. NULL on failure, as where the container is not concurrent.
COSM_API cosm_sectors_reader *cosm_sectors_reader_create(cosm_sectors *sectors);

// Gives a reader back. NULL is fine. One that is inside or has pins is left alone: COSM_ERROR_BUSY.
COSM_API cosm_result cosm_sectors_reader_destroy(cosm_sectors_reader *reader);

// Enters and leaves; nests. Never waits.
COSM_API void cosm_sectors_reader_enter(cosm_sectors_reader *reader);
COSM_API void cosm_sectors_reader_leave(cosm_sectors_reader *reader);

// Looks up while inside; outside, NULL with a message. O(1), never waits.
COSM_API const cosm_sector *cosm_sectors_reader_find(cosm_sectors_reader *reader,
                                                     cosm_entity entity);
COSM_API const void *cosm_sectors_reader_read(cosm_sectors_reader *reader, cosm_entity entity,
                                              uint32_t member);

// Of a record that was found or pinned: the members that live now, and the bytes of one of them or
// NULL. Do not read its mask yourself: writers change it.
COSM_API uint64_t cosm_sectors_reader_live(const cosm_sectors_reader *reader,
                                           const cosm_sector *sector);
COSM_API const void *cosm_sectors_reader_member(const cosm_sectors_reader *reader,
                                                const cosm_sector *sector, uint32_t member);

// The next record with an id from `*io_id` on and below `id_end`, in ascending order, that has all
// members of `with` and none of `without`; `*io_id` becomes the id behind it. NULL when there is
// none. An entity whose record lives all the while is met once.
COSM_API const cosm_sector *cosm_sectors_reader_next(cosm_sectors_reader *reader, uint32_t *io_id,
                                                     uint32_t id_end, uint64_t with,
                                                     uint64_t without);

// Finds and pins; works inside and outside. NULL where the entity has no record, and with a message
// when out of memory. Pins are counted: unpin as often. The thread that holds a pin is refused, with
// COSM_ERROR_BUSY, to remove from the record, to erase it or to clear the container; others are not
// refused, and what they take away is destroyed after the last unpin. Replacing a member of a pinned
// record is refused to all.
COSM_API const cosm_sector *cosm_sectors_reader_pin(cosm_sectors_reader *reader,
                                                    cosm_entity entity);
COSM_API void cosm_sectors_reader_unpin(cosm_sectors_reader *reader, const cosm_sector *sector);

COSM_END_C

#endif
