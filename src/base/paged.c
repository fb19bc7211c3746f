// A list of pointers that only grows and never moves.
#include "base/paged.h"

#include "base/check.h"

#define PAGE_BYTES (PAGED_PAGE_ITEMS * sizeof(paged_item))

void cosmi_paged_init(struct paged *paged) {
    for (uint32_t i = 0; i < PAGED_PAGE_COUNT; i++) {
        atomic_init(&paged->pages[i], NULL);
    }
    atomic_init(&paged->count, 0);
}

void cosmi_paged_free(struct paged *paged, struct memory *memory) {
    for (uint32_t i = 0; i < PAGED_PAGE_COUNT; i++) {
        cosmi_memory_free(memory, atomic_load(&paged->pages[i]), PAGE_BYTES, sizeof(void *));
    }
    cosmi_paged_init(paged);
}

bool cosmi_paged_reserve(struct paged *paged, struct memory *memory, uint32_t index) {
    INVARIANT(index < PAGED_MAX, "an index lies below PAGED_MAX");
    uint32_t page_index = index / PAGED_PAGE_ITEMS;
    if (atomic_load(&paged->pages[page_index]) != NULL) {
        return true;
    }
    paged_item *page = cosmi_memory_alloc(memory, PAGE_BYTES, sizeof(void *));
    if (page == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < PAGED_PAGE_ITEMS; i++) {
        atomic_init(&page[i], NULL);
    }
    atomic_store_explicit(&paged->pages[page_index], page, memory_order_release);
    return true;
}

void cosmi_paged_set(struct paged *paged, uint32_t index, void *item) {
    paged_item *page = atomic_load(&paged->pages[index / PAGED_PAGE_ITEMS]);
    INVARIANT(page != NULL, "the page was reserved before the set");
    atomic_store_explicit(&page[index % PAGED_PAGE_ITEMS], item, memory_order_release);
    if (index >= atomic_load(&paged->count)) {
        atomic_store_explicit(&paged->count, index + 1, memory_order_release);
    }
}
