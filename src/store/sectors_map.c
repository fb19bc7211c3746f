// The map from ids to places: pages of 4096 entries, so that a high id costs its page and a list of
// pages, not an array of all ids below it.
//
// Ids without a page of their own lead to one page of zeroes that all containers share. The first
// page of a plain container grows by doubling, so that small containers stay small. A page whose
// last entry goes is given back: churn through ever new ids stays flat. Concurrent containers
// replace lists and pages and leave the old ones to their readers (sectors_shared.h).
#include <string.h>

#include "base/bits.h"
#include "store/sectors_shared.h"

#define MAP_FIRST_IDS 16u

// The head of a page. Entries follow.
struct map_page {
    struct retired_block retired;
    uint32_t used; // entries that are not zero
    uint32_t capacity;
    uint64_t unused; // keeps the entries at 16 bytes
};

// The head of a list of pages.
struct map_list {
    struct retired_block retired;
    uint64_t count;
};

static const uint32_t map_empty_page[COSM_CONTAINER_PAGE_IDS];

static struct map_page *map_page_of(const uint32_t *entries) {
    return (struct map_page *)(uintptr_t)entries - 1;
}

static struct map_list *map_list_of(const uint32_t *const *pages) {
    return (struct map_list *)(uintptr_t)pages - 1;
}

static size_t map_page_size(uint32_t capacity) {
    return sizeof(struct map_page) + capacity * sizeof(uint32_t);
}

static size_t map_list_size(size_t count) {
    return sizeof(struct map_list) + count * sizeof(uint32_t *);
}

static bool map_has_list(const struct sectors *sectors) {
    return sectors->page_count > 0 && sectors->face.pages != &sectors->one_page;
}

static uint32_t *map_page_create(struct sectors *sectors, uint32_t capacity) {
    size_t size = map_page_size(capacity);
    struct map_page *page = cosmi_memory_alloc_zeroed(sectors->memory, size, 16);
    if (page == NULL) {
        return NULL;
    }
    page->retired = (struct retired_block){.size = size};
    page->capacity = capacity;
    return (uint32_t *)(void *)(page + 1);
}

static void map_put_page(struct sectors *sectors, uint32_t index, const uint32_t *entries) {
    const uint32_t **pages = (const uint32_t **)(uintptr_t)sectors->face.pages;
    if (sectors->shared != NULL) {
        shared_store_page(&pages[index], entries);
    } else {
        pages[index] = entries;
    }
}

// A longer list. The old one's pages go over.
static bool map_grow_list(struct sectors *sectors, uint32_t need) {
    uint32_t count = sectors->page_count;
    if (need == 1 && sectors->shared == NULL) {
        sectors->one_page = map_empty_page;
        sectors->face.pages = &sectors->one_page;
        sectors->page_count = 1;
        return true;
    }
    uint32_t grown = count * 2 > need ? count * 2 : need;
    uint32_t most = COSM_WORLD_ENTITY_MAX / COSM_CONTAINER_PAGE_IDS;
    grown = grown > most ? most : grown;
    size_t size = map_list_size(grown);
    struct map_list *list = cosmi_memory_alloc(sectors->memory, size, 16);
    if (list == NULL) {
        return false;
    }
    list->retired = (struct retired_block){.size = size};
    list->count = grown;
    const uint32_t **pages = (const uint32_t **)(void *)(list + 1);
    for (uint32_t i = 0; i < grown; i++) {
        pages[i] = i < count ? sectors->face.pages[i] : map_empty_page;
    }
    struct map_list *old = map_has_list(sectors) ? map_list_of(sectors->face.pages) : NULL;
    if (sectors->shared != NULL) {
        shared_store_pages(sectors, pages);
    } else {
        sectors->face.pages = pages;
    }
    sectors->page_count = grown;
    if (old != NULL) {
        cosmi_sectors_discard(sectors, &old->retired);
    }
    return true;
}

// The ids that inlined code may look up without a further check. A concurrent container has none:
// it is looked at through readers.
static void map_set_end(struct sectors *sectors) {
    if (sectors->shared != NULL) {
        return;
    }
    const uint32_t *first = sectors->face.pages[0];
    bool is_short = sectors->page_count == 1 && first != map_empty_page;
    sectors->face.id_end =
        is_short ? map_page_of(first)->capacity : sectors->page_count * COSM_CONTAINER_PAGE_IDS;
}

// The entries of a page go over into a larger one, or into a new one where there is none.
static bool map_grow_page(struct sectors *sectors, uint32_t index, uint32_t capacity) {
    const uint32_t *old = sectors->face.pages[index];
    uint32_t *entries = map_page_create(sectors, capacity);
    if (entries == NULL) {
        return false;
    }
    if (old != map_empty_page) {
        struct map_page *page = map_page_of(old);
        memcpy(entries, old, page->capacity * sizeof(uint32_t));
        map_page_of(entries)->used = page->used;
    }
    map_put_page(sectors, index, entries);
    if (old != map_empty_page) {
        cosmi_sectors_discard(sectors, &map_page_of(old)->retired);
    }
    return true;
}

bool cosmi_sectors_map_reserve(struct sectors *sectors, uint32_t id) {
    uint32_t index = id / COSM_CONTAINER_PAGE_IDS;
    bool is_small = index == 0 && sectors->page_count <= 1 && sectors->shared == NULL;
    if (index >= sectors->page_count) {
        // The first page is short only as long as it is the only one.
        const uint32_t *first = sectors->page_count == 1 ? sectors->face.pages[0] : map_empty_page;
        if (first != map_empty_page && map_page_of(first)->capacity < COSM_CONTAINER_PAGE_IDS &&
            !map_grow_page(sectors, 0, COSM_CONTAINER_PAGE_IDS)) {
            return false;
        }
        if (!map_grow_list(sectors, index + 1)) {
            return false;
        }
        map_set_end(sectors);
    }
    const uint32_t *entries = sectors->face.pages[index];
    uint32_t offset = id % COSM_CONTAINER_PAGE_IDS;
    if (entries != map_empty_page && offset < map_page_of(entries)->capacity) {
        return true;
    }
    uint32_t capacity = COSM_CONTAINER_PAGE_IDS;
    if (is_small) {
        capacity = (uint32_t)power_of_two_ceil(offset + 1);
        capacity = capacity < MAP_FIRST_IDS ? MAP_FIRST_IDS : capacity;
    }
    bool done = map_grow_page(sectors, index, capacity);
    map_set_end(sectors);
    return done;
}

void cosmi_sectors_map_set(struct sectors *sectors, uint32_t id, uint32_t entry) {
    uint32_t index = id / COSM_CONTAINER_PAGE_IDS;
    uint32_t *entries = (uint32_t *)(uintptr_t)sectors->face.pages[index];
    INVARIANT(entries != map_empty_page, "room for an id is made before it is set");
    struct map_page *page = map_page_of(entries);
    uint32_t *at = &entries[id % COSM_CONTAINER_PAGE_IDS];
    page->used += (entry != 0 ? 1u : 0u) - (*at != 0 ? 1u : 0u);
    if (sectors->shared != NULL) {
        shared_store_entry(at, entry);
    } else {
        *at = entry;
    }
    // A short page stays: it is small, and would come again with the next record.
    if (page->used == 0 && page->capacity == COSM_CONTAINER_PAGE_IDS && !sectors->keeps_pages) {
        map_put_page(sectors, index, map_empty_page);
        cosmi_sectors_discard(sectors, &page->retired);
    }
}

bool cosmi_sectors_map_is_full(const struct sectors *sectors) {
    for (uint32_t i = 0; i < sectors->page_count; i++) {
        if (sectors->face.pages[i] == map_empty_page) {
            return false;
        }
    }
    return true;
}

void cosmi_sectors_map_drop_empty(struct sectors *sectors) {
    for (uint32_t i = 0; i < sectors->page_count; i++) {
        const uint32_t *entries = sectors->face.pages[i];
        if (entries != map_empty_page && map_page_of(entries)->used == 0 &&
            map_page_of(entries)->capacity == COSM_CONTAINER_PAGE_IDS) {
            map_put_page(sectors, i, map_empty_page);
            cosmi_sectors_discard(sectors, &map_page_of(entries)->retired);
        }
    }
}

void cosmi_sectors_map_free(struct sectors *sectors) {
    for (uint32_t i = 0; i < sectors->page_count; i++) {
        const uint32_t *entries = sectors->face.pages[i];
        if (entries != map_empty_page) {
            struct map_page *page = map_page_of(entries);
            cosmi_memory_free(sectors->memory, page, page->retired.size, 16);
        }
    }
    if (map_has_list(sectors)) {
        struct map_list *list = map_list_of(sectors->face.pages);
        cosmi_memory_free(sectors->memory, list, list->retired.size, 16);
    }
    sectors->face.pages = NULL;
    sectors->face.id_end = 0;
    sectors->page_count = 0;
}

size_t cosmi_sectors_map_bytes(const struct sectors *sectors) {
    size_t size = map_has_list(sectors) ? map_list_of(sectors->face.pages)->retired.size : 0;
    for (uint32_t i = 0; i < sectors->page_count; i++) {
        const uint32_t *entries = sectors->face.pages[i];
        size += entries != map_empty_page ? map_page_of(entries)->retired.size : 0;
    }
    return size;
}

uint32_t cosmi_sectors_map_count(const struct sectors *sectors) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sectors->page_count; i++) {
        const uint32_t *entries = sectors->face.pages[i];
        uint32_t capacity = entries != map_empty_page ? map_page_of(entries)->capacity : 0;
        for (uint32_t id = 0; id < capacity; id++) {
            count += entries[id] != 0;
        }
    }
    return count;
}

uint32_t cosmi_sectors_map_next(const struct sectors *sectors, uint32_t id, uint32_t end) {
    const uint32_t *const *pages = sectors->face.pages;
    uint32_t page_count = sectors->page_count;
    if (sectors->shared != NULL) {
        pages = shared_load_pages(sectors);
        page_count = pages == NULL ? 0 : (uint32_t)map_list_of(pages)->count;
    }
    while (id < end && id / COSM_CONTAINER_PAGE_IDS < page_count) {
        uint32_t index = id / COSM_CONTAINER_PAGE_IDS;
        const uint32_t *entries =
            sectors->shared != NULL ? shared_load_page(&pages[index]) : pages[index];
        uint32_t first = index * COSM_CONTAINER_PAGE_IDS;
        uint32_t limit =
            end - first < COSM_CONTAINER_PAGE_IDS ? end - first : COSM_CONTAINER_PAGE_IDS;
        if (entries != map_empty_page) {
            uint32_t capacity = map_page_of(entries)->capacity;
            uint32_t stop = limit < capacity ? limit : capacity;
            for (uint32_t at = id - first; at < stop; at++) {
                if ((sectors->shared != NULL ? shared_load_entry(&entries[at]) : entries[at]) !=
                    0) {
                    return first + at;
                }
            }
        }
        id = first + COSM_CONTAINER_PAGE_IDS;
    }
    return end;
}

const uint32_t *cosmi_sectors_map_page(const struct sectors *sectors, uint32_t id) {
    const uint32_t *const *pages = shared_load_pages(sectors);
    uint32_t index = id / COSM_CONTAINER_PAGE_IDS;
    return pages == NULL || index >= map_list_of(pages)->count ? map_empty_page
                                                               : shared_load_page(&pages[index]);
}

uint32_t cosmi_sectors_map_look(const struct sectors *sectors, uint32_t id) {
    return shared_load_entry(&cosmi_sectors_map_page(sectors, id)[id % COSM_CONTAINER_PAGE_IDS]);
}

uint32_t cosmi_sectors_map_entry(const struct sectors *sectors, uint32_t id) {
    return sectors->shared != NULL ? cosmi_sectors_map_look(sectors, id)
                                   : sectors_map_at(sectors, id);
}
