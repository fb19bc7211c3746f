// cosm/container.h: readers of concurrent containers. docs/design/034 has the argument for each
// order that is named here.
#include "store/container.h"

#include "store/sectors_shared.h"

// Looks at a record that is being moved before it lets others run: a copy of a few hundred bytes is
// done by then, if its thread runs.
#define PIN_SPINS 256u

static bool check_reader(const cosm_container_reader *reader, const char *call) {
    if (UNLIKELY(reader == NULL)) {
        (void)cosmi_fail(NULL, COSM_ERROR_ARGUMENT,
                         "%s: reader is NULL; pass what cosm_container_reader_create returned",
                         call);
        return false;
    }
    return true;
}

static bool check_inside(const cosm_container_reader *reader, const char *call) {
    if (!check_reader(reader, call)) {
        return false;
    }
    if (UNLIKELY(reader->depth == 0)) {
        (void)cosmi_fail(
            reader->sectors->sink, COSM_ERROR_ARGUMENT,
            "%s: the reader of %s has not entered; call cosm_container_reader_enter first", call,
            reader->sectors->layout->name);
        return false;
    }
    return true;
}

cosm_container_reader *cosm_container_reader_create(cosm_container *sectors) {
    const char *call = "cosm_container_reader_create";
    if (sectors == NULL || sectors->core.shared == NULL) {
        (void)cosmi_fail(sectors == NULL ? NULL : &sectors->sink, COSM_ERROR_ARGUMENT,
                         "%s: sectors is %s; pass a container that was created as concurrent", call,
                         sectors == NULL ? "NULL" : "not concurrent");
        return NULL;
    }
    struct sectors *core = &sectors->core;
    if (cosmi_shared_lock(core, call) != COSM_OK) {
        return NULL;
    }
    cosm_container_reader *reader = cosmi_memory_alloc_zeroed(core->memory, sizeof *reader, 64);
    if (reader == NULL) {
        (void)cosmi_sectors_fail_memory(core, call);
    } else {
        reader->sectors = core;
        reader->next = core->shared->readers;
        core->shared->readers = reader;
    }
    cosmi_shared_unlock(core);
    return reader;
}

cosm_result cosm_container_reader_destroy(cosm_container_reader *reader) {
    const char *call = "cosm_container_reader_destroy";
    if (reader == NULL) {
        return COSM_OK;
    }
    struct sectors *core = reader->sectors;
    if (reader->depth != 0 || reader->pin_count != 0) {
        return cosmi_fail(core->sink, COSM_ERROR_BUSY,
                          "%s: the reader of %s has entered %u times and holds %u pins; leave and "
                          "unpin first",
                          call, core->layout->name, reader->depth, reader->pin_count);
    }
    if (cosmi_shared_lock(core, call) != COSM_OK) {
        return COSM_ERROR_BUSY;
    }
    cosm_container_reader **link = &core->shared->readers;
    while (*link != reader) {
        link = &(*link)->next;
    }
    *link = reader->next;
    cosmi_array_free(core->memory, reader->pins, reader->pin_capacity, sizeof *reader->pins);
    cosmi_memory_free(core->memory, reader, sizeof *reader, 64);
    cosmi_shared_unlock(core);
    return COSM_OK;
}

// Tells writers on this thread whose pins these are.
static void note_thread(cosm_container_reader *reader) {
    const void *thread = thread_token();
    if (atomic_load_explicit(&reader->thread, memory_order_relaxed) != thread) {
        atomic_store_explicit(&reader->thread, thread, memory_order_relaxed);
    }
}

static void enter(cosm_container_reader *reader) {
    if (reader->depth++ == 0) {
        note_thread(reader);
        reader->page_index = UINT32_MAX;
        atomic_store(&reader->epoch, atomic_load(&reader->sectors->shared->epoch));
    }
}

static void leave(cosm_container_reader *reader) {
    if (--reader->depth == 0) {
        atomic_store_explicit(&reader->epoch, 0, memory_order_release);
    }
}

void cosm_container_reader_enter(cosm_container_reader *reader) {
    if (check_reader(reader, "cosm_container_reader_enter")) {
        enter(reader);
    }
}

void cosm_container_reader_leave(cosm_container_reader *reader) {
    if (check_inside(reader, "cosm_container_reader_leave")) {
        leave(reader);
    }
}

// The record at a place that an entry led to.
struct found_sector {
    cosm_sector *sector; // NULL: none of that generation
    struct reclaim *reclaim;
};

// The entry of an id. The page that the last look-up was in is remembered while inside: it is not
// freed before the reader leaves, and once it is no page of the map any more, all its entries are
// zero; then, and for any other page, the map is asked.
static inline uint32_t look_at_map(cosm_container_reader *reader, uint32_t id) {
    if (LIKELY(id / COSM_CONTAINER_PAGE_IDS == reader->page_index)) {
        uint32_t entry = shared_load_entry(&reader->page[id % COSM_CONTAINER_PAGE_IDS]);
        if (LIKELY(entry != 0)) {
            return entry;
        }
    }
    reader->page = cosmi_sectors_map_page(reader->sectors, id);
    reader->page_index = id / COSM_CONTAINER_PAGE_IDS;
    return shared_load_entry(&reader->page[id % COSM_CONTAINER_PAGE_IDS]);
}

static inline struct found_sector find_shared(cosm_container_reader *reader, cosm_entity entity) {
    const struct sectors *sectors = reader->sectors;
    uint32_t entry = look_at_map(reader, entity.id);
    if (entry == 0) {
        return (struct found_sector){NULL, NULL};
    }
    char *chunk = shared_load_chunk(sectors, entry - 1);
    cosm_sector *sector = shared_at(sectors, chunk, entry - 1);
    if (sector->entity.gen != entity.gen) {
        return (struct found_sector){NULL, NULL};
    }
    return (struct found_sector){sector, reclaim_in(sectors, chunk, entry - 1)};
}

const cosm_sector *cosm_container_reader_find(cosm_container_reader *reader, cosm_entity entity) {
    return check_inside(reader, "cosm_container_reader_find") ? find_shared(reader, entity).sector
                                                              : NULL;
}

uint64_t cosm_container_reader_live(const cosm_container_reader *reader,
                                    const cosm_sector *sector) {
    return check_reader(reader, "cosm_container_reader_live") && sector != NULL
               ? shared_load_live(sector)
               : 0;
}

static const void *member_in(const struct sectors *sectors, const char *call,
                             const cosm_sector *sector, uint32_t member) {
    if (UNLIKELY(member >= sectors->layout->member_count)) {
        (void)cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                         "%s: member is %u, but %s has %u members; members count from zero", call,
                         member, sectors->layout->name, sectors->layout->member_count);
        return NULL;
    }
    if (sector == NULL || (shared_load_live(sector) & COSM_CONTAINER_BIT(member)) == 0) {
        return NULL;
    }
    return cosm_sector_at(sector, sectors->layout->members[member].offset);
}

const void *cosm_container_reader_member(const cosm_container_reader *reader,
                                         const cosm_sector *sector, uint32_t member) {
    const char *call = "cosm_container_reader_member";
    return check_reader(reader, call) ? member_in(reader->sectors, call, sector, member) : NULL;
}

const void *cosm_container_reader_read(cosm_container_reader *reader, cosm_entity entity,
                                       uint32_t member) {
    const char *call = "cosm_container_reader_read";
    return check_inside(reader, call)
               ? member_in(reader->sectors, call, find_shared(reader, entity).sector, member)
               : NULL;
}

const cosm_sector *cosm_container_reader_next(cosm_container_reader *reader, uint32_t *io_id,
                                              uint32_t id_end, uint64_t with, uint64_t without) {
    const char *call = "cosm_container_reader_next";
    if (!check_inside(reader, call)) {
        return NULL;
    }
    const struct sectors *sectors = reader->sectors;
    if (io_id == NULL) {
        (void)cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                         "%s: io_id is NULL; pass a pointer to the first id", call);
        return NULL;
    }
    uint32_t end = id_end < COSM_WORLD_ENTITY_MAX ? id_end : COSM_WORLD_ENTITY_MAX;
    while (*io_id < end) {
        uint32_t id = cosmi_sectors_map_next(sectors, *io_id, end);
        *io_id = id == end ? end : id + 1;
        // The entry may have gone since; then the id has no record.
        uint32_t entry = id == end ? 0 : cosmi_sectors_map_look(sectors, id);
        if (entry == 0) {
            continue;
        }
        const cosm_sector *sector =
            shared_at(sectors, shared_load_chunk(sectors, entry - 1), entry - 1);
        uint64_t live = shared_load_live(sector);
        if (live != 0 && (live & with) == with && (live & without) == 0) {
            return sector;
        }
    }
    return NULL;
}

// Room for one more pin.
static APART bool grow_pins(cosm_container_reader *reader, const char *call) {
    struct pin *pins = cosmi_array_grow(reader->sectors->memory, reader->pins,
                                        &reader->pin_capacity, reader->pin_count + 1, sizeof *pins);
    if (pins == NULL) {
        (void)cosmi_sectors_fail_memory(reader->sectors, call);
        return false;
    }
    reader->pins = pins;
    return true;
}

// Pins, unless the record is being moved.
static inline bool try_pin(struct reclaim *reclaim) {
    return (atomic_fetch_add_explicit(&reclaim->pins, 1, memory_order_acquire) & RECLAIM_MOVED) ==
           0;
}

static void undo_pin(struct reclaim *reclaim) {
    atomic_fetch_sub_explicit(&reclaim->pins, 1, memory_order_relaxed);
}

// The long way: makes room, enters, and looks again until the map leads to where the record is.
static APART const cosm_sector *pin_slowly(cosm_container_reader *reader, cosm_entity entity) {
    const char *call = "cosm_container_reader_pin";
    if (!check_reader(reader, call) ||
        (reader->pin_count == reader->pin_capacity && !grow_pins(reader, call))) {
        return NULL;
    }
    enter(reader);
    struct found_sector found = find_shared(reader, entity);
    for (uint32_t spins = 1; found.sector != NULL && !try_pin(found.reclaim); spins++) {
        undo_pin(found.reclaim);
        if (spins % PIN_SPINS == 0) {
            cosmi_thread_yield();
        } else {
            cpu_relax();
        }
        found = find_shared(reader, entity);
    }
    if (found.sector != NULL) {
        reader->pins[reader->pin_count++] = (struct pin){found.sector, found.reclaim};
    }
    leave(reader);
    return found.sector;
}

// The short way, without a call: a lock of the processor waits for every store before it, and a
// function that calls others begins with some.
const cosm_sector *cosm_container_reader_pin(cosm_container_reader *reader, cosm_entity entity) {
    if (UNLIKELY(reader == NULL || reader->depth == 0 ||
                 reader->pin_count == reader->pin_capacity ||
                 reader->page_index != entity.id / COSM_CONTAINER_PAGE_IDS)) {
        return pin_slowly(reader, entity);
    }
    const struct sectors *sectors = reader->sectors;
    uint32_t entry = shared_load_entry(&reader->page[entity.id % COSM_CONTAINER_PAGE_IDS]);
    if (UNLIKELY(entry == 0)) {
        return pin_slowly(reader, entity);
    }
    char *chunk = shared_load_chunk(sectors, entry - 1);
    const cosm_sector *sector = shared_at(sectors, chunk, entry - 1);
    if (UNLIKELY(sector->entity.gen != entity.gen)) {
        return NULL;
    }
    struct reclaim *reclaim = reclaim_in(sectors, chunk, entry - 1);
    if (UNLIKELY(!try_pin(reclaim))) {
        undo_pin(reclaim);
        return pin_slowly(reader, entity);
    }
    reader->pins[reader->pin_count++] = (struct pin){sector, reclaim};
    return sector;
}

// Takes a pin that is not the last one from the list.
static APART struct reclaim *find_pin(cosm_container_reader *reader, const cosm_sector *sector) {
    for (uint32_t i = reader->pin_count; i-- > 0;) {
        if (reader->pins[i].sector == sector) {
            struct reclaim *reclaim = reader->pins[i].reclaim;
            reader->pins[i] = reader->pins[--reader->pin_count];
            return reclaim;
        }
    }
    return NULL;
}

static COLD void fail_unpin(const cosm_container_reader *reader) {
    const char *call = "cosm_container_reader_unpin";
    if (check_reader(reader, call)) {
        (void)cosmi_fail(reader->sectors->sink, COSM_ERROR_ARGUMENT,
                         "%s: the reader of %s holds no pin on this record; unpin a record once "
                         "per cosm_container_reader_pin",
                         call, reader->sectors->layout->name);
    }
}

void cosm_container_reader_unpin(cosm_container_reader *reader, const cosm_sector *sector) {
    if (UNLIKELY(reader == NULL || reader->pin_count == 0)) {
        fail_unpin(reader);
        return;
    }
    // The last pin is mostly the first to go.
    struct reclaim *reclaim;
    const struct pin *last = &reader->pins[reader->pin_count - 1];
    if (LIKELY(last->sector == sector)) {
        reclaim = last->reclaim;
        reader->pin_count--;
    } else {
        reclaim = find_pin(reader, sector);
        if (reclaim == NULL) {
            fail_unpin(reader);
            return;
        }
    }
    atomic_fetch_sub_explicit(&reclaim->pins, 1, memory_order_release);
}
