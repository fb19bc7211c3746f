// Concurrent sectors: what readers and writers share, and in which order they touch it.
//
// Writers hold one lock, and never wait for a reader. What they take away from sight (a record, a
// member, a page of the map) is retired: it gets the epoch and waits in a queue; the epoch then
// goes up. A reader notes the epoch when it enters. What was retired before the epoch of every
// reader that is inside can be seen by nobody.
//
// A record may also be pinned. Its reclaim record counts the pins; nothing of a pinned record is
// destroyed, and its place is not used again. A record is moved only when the count could be turned
// from zero to RECLAIM_MOVED in one step; a reader that finds that mark looks the entity up again.
//
// docs/design/034 goes through every atomic here.
#ifndef COSM_STORE_SECTORS_SHARED_H
#define COSM_STORE_SECTORS_SHARED_H

#include "base/os.h"
#include "store/sectors.h"

#define RECLAIM_MOVED 0x80000000u

// How a place is reclaimed. Reclaim records lie before the records of a chunk, the first one last.
// Only `pins` is touched by readers; the rest belongs to whoever holds the lock.
struct reclaim {
    atomic_uint pins;      // how many, and RECLAIM_MOVED
    uint32_t next;         // in the queue: place + 1, or zero
    uint64_t retire_epoch; // the epoch in which something here went out of sight
    uint64_t pending;      // members whose objects are to be destroyed
    bool is_queued;        // in the queue: it has a retire epoch
    bool is_gone;          // the record has ended or moved: afterwards the place is a hole
};

// The head of a block that readers may still look at when it is replaced.
struct retired_block {
    struct retired_block *next;
    uint64_t retire_epoch;
    size_t size; // of the whole block, aligned to 16
};

struct pin {
    const cosm_sector *sector;
    struct reclaim *reclaim;
};

// A reader. Each has cache lines to itself. `epoch` is written by its thread and read by writers;
// the list of readers belongs to the lock; all else belongs to the thread that uses the reader.
struct cosm_container_reader {
    _Atomic(uint64_t) epoch;    // zero: outside
    const void *_Atomic thread; // who entered or pinned last
    struct sectors *sectors;
    uint32_t depth; // enters without leave
    uint32_t pin_count;
    uint32_t pin_capacity;
    struct pin *pins;
    const uint32_t *page; // of the map, where the last look-up was; while inside
    uint32_t page_index;  // all ones: none
    cosm_container_reader *next;
    char apart[64]; // from the next block of the allocator
};

struct sectors_shared {
    struct mutex lock;
    const void *_Atomic holder; // the thread that holds the lock, or NULL
    _Atomic(uint64_t) epoch;    // from 1 on; goes up with everything that goes out of sight
    uint64_t safe;              // what was retired before can be seen by nobody; may be old
    cosm_container_reader *readers;
    uint32_t queue_first; // place + 1, or zero
    uint32_t queue_last;
    uint32_t queue_count;
    struct retired_block *retired; // the newest first
};

// Gives a block back: at once, or when no reader can see it any more. It is out of sight already.
void cosmi_sectors_discard(struct sectors *sectors, struct retired_block *retired);

// Makes and ends the shared part.
cosm_result cosmi_shared_create(struct sectors *sectors, const char *call);
void cosmi_shared_free(struct sectors *sectors);
size_t cosmi_shared_bytes(const struct sectors *sectors);

// Locks for a change. Fails where this thread holds the lock: a hook calls in.
cosm_result cosmi_shared_lock(const struct sectors *sectors, const char *call);
void cosmi_shared_unlock(const struct sectors *sectors);

// The changes, with the lock held.
void *cosmi_shared_add(struct sectors *sectors, const char *call, cosm_entity entity,
                       uint32_t member, const void *value);
cosm_result cosmi_shared_remove(struct sectors *sectors, const char *call, cosm_entity entity,
                                uint64_t mask);
cosm_result cosmi_shared_clear(struct sectors *sectors, const char *call);

// Destroys and frees what nobody can see; looks at `max` entries of the queue at most.
void cosmi_shared_reclaim(struct sectors *sectors, uint32_t max);

// Moves a record into a hole. False where it is pinned or cannot be moved under the eyes of
// readers.
bool cosmi_shared_move(struct sectors *sectors, uint32_t from, uint32_t to);

// The entries of the page of an id, as a reader sees them: zeroes where there is no page.
const uint32_t *cosmi_sectors_map_page(const struct sectors *sectors, uint32_t id);

// The place + 1 of an id, or zero, as a reader sees it.
uint32_t cosmi_sectors_map_look(const struct sectors *sectors, uint32_t id);

// The public header shows masks, entries and pages as plain objects, because plain containers are
// read by inlined code, in C++ too. Here they are atomics; both have the same size and alignment.
_Static_assert(sizeof(_Atomic(uint64_t)) == sizeof(uint64_t), "a mask can be read as an atomic");
_Static_assert(sizeof(_Atomic(uint32_t)) == sizeof(uint32_t), "an entry can be read as an atomic");

typedef const uint32_t *map_entries;
typedef const uint32_t *const *map_pages;
typedef char *const *chunk_list;

static inline void shared_store_entry(uint32_t *entry, uint32_t value) {
    atomic_store((_Atomic(uint32_t) *)(void *)entry, value);
}

static inline uint32_t shared_load_entry(const uint32_t *entry) {
    return atomic_load((_Atomic(uint32_t) *)(uintptr_t)entry);
}

static inline void shared_store_page(map_entries *slot, map_entries page) {
    atomic_store((_Atomic(map_entries) *)(void *)slot, page);
}

static inline map_entries shared_load_page(const map_entries *slot) {
    return atomic_load((_Atomic(map_entries) *)(uintptr_t)slot);
}

static inline void shared_store_pages(struct sectors *sectors, map_pages pages) {
    atomic_store((_Atomic(map_pages) *)(void *)&sectors->face.pages, pages);
}

static inline map_pages shared_load_pages(const struct sectors *sectors) {
    return atomic_load((_Atomic(map_pages) *)(uintptr_t)&sectors->face.pages);
}

static inline void shared_store_live(cosm_sector *sector, uint64_t live) {
    atomic_store((_Atomic(uint64_t) *)(void *)&sector->live, live);
}

static inline uint64_t shared_load_live(const cosm_sector *sector) {
    return atomic_load((_Atomic(uint64_t) *)(uintptr_t)&sector->live);
}

static inline void shared_store_chunks(struct sectors *sectors, chunk_list chunks) {
    atomic_store((_Atomic(chunk_list) *)(void *)&sectors->face.chunks, chunks);
}

// The chunk of a place that an entry led to: the list is then at least as new as the entry.
static inline char *shared_load_chunk(const struct sectors *sectors, uint32_t place) {
    chunk_list chunks = atomic_load((_Atomic(chunk_list) *)(uintptr_t)&sectors->face.chunks);
    return chunks[place >> sectors->face.chunk_shift];
}

static inline cosm_sector *shared_at(const struct sectors *sectors, char *chunk, uint32_t place) {
    const cosm_container_face *face = &sectors->face;
    return (cosm_sector *)(void *)(chunk + (size_t)(place & face->chunk_mask) * face->stride);
}

static inline struct reclaim *reclaim_in(const struct sectors *sectors, char *chunk,
                                         uint32_t place) {
    return (struct reclaim *)(void *)chunk - 1 - (place & sectors->face.chunk_mask);
}

// For those who hold the lock.
static inline struct reclaim *reclaim_at(const struct sectors *sectors, uint32_t place) {
    return reclaim_in(sectors, sectors->face.chunks[place >> sectors->face.chunk_shift], place);
}

#endif
