// A list of pointers that only grows and never moves: readers on any thread need no lock.
//
// Writers hold a lock of their own and publish with release; a reader that sees an index below
// the count sees the item. Used for definitions (which live as long as the engine) and for a
// batch's stores.
#ifndef COSM_BASE_PAGED_H
#define COSM_BASE_PAGED_H

#include "base/check.h"
#include "base/memory.h"

#define PAGED_PAGE_COUNT 256u
#define PAGED_PAGE_ITEMS 256u
#define PAGED_MAX (PAGED_PAGE_COUNT * PAGED_PAGE_ITEMS)

typedef _Atomic(void *) paged_item;

struct paged {
    _Atomic(paged_item *) pages[PAGED_PAGE_COUNT];
    atomic_uint count; // one past the highest index in use
};

void cosmi_paged_init(struct paged *paged);
void cosmi_paged_free(struct paged *paged, struct memory *memory);

// Makes the page of `index` exist, so that the next set of it cannot fail.
bool cosmi_paged_reserve(struct paged *paged, struct memory *memory, uint32_t index);

// Publishes an item; raises the count past `index`.
void cosmi_paged_set(struct paged *paged, uint32_t index, void *item);

static inline uint32_t paged_count(const struct paged *paged) {
    return atomic_load_explicit(&paged->count, memory_order_acquire);
}

// The page of an index. The first one by a branch: its address is then loaded before the index is
// known, which takes one of the loads that wait for each other out of every look-up.
static inline paged_item *paged_page(const struct paged *paged, uint32_t index) {
    if (LIKELY(index < PAGED_PAGE_ITEMS)) {
        return atomic_load_explicit(&paged->pages[0], memory_order_acquire);
    }
    return atomic_load_explicit(&paged->pages[index / PAGED_PAGE_ITEMS], memory_order_acquire);
}

// The item, or NULL where none was set. Any index below PAGED_MAX is safe.
static inline void *paged_get(const struct paged *paged, uint32_t index) {
    paged_item *page = paged_page(paged, index);
    if (page == NULL) {
        return NULL;
    }
    return atomic_load_explicit(&page[index % PAGED_PAGE_ITEMS], memory_order_acquire);
}

// As above for an index that is known to be set.
static inline void *paged_known(const struct paged *paged, uint32_t index) {
    return atomic_load_explicit(&paged_page(paged, index)[index % PAGED_PAGE_ITEMS],
                                memory_order_acquire);
}

#endif
