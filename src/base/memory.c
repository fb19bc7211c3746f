// Memory with an account.
#include "base/memory.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/os.h"

bool cosmi_memory_init(struct memory *memory, const cosm_allocator *allocator, size_t limit) {
    cosm_allocator a = *allocator;
    if ((a.allocate == NULL) != (a.release == NULL)) {
        return false;
    }
    bool any_range =
        a.reserve != NULL || a.commit != NULL || a.decommit != NULL || a.unreserve != NULL;
    bool all_range =
        a.reserve != NULL && a.commit != NULL && a.decommit != NULL && a.unreserve != NULL;
    if (any_range && !all_range) {
        return false;
    }
    if (a.allocate == NULL) {
        a.allocate = cosmi_os_allocate;
        a.release = cosmi_os_release;
    }
    if (!any_range) {
        a.reserve = cosmi_os_reserve;
        a.commit = cosmi_os_commit;
        a.decommit = cosmi_os_decommit;
        a.unreserve = cosmi_os_unreserve;
    }
    memory->allocator = a;
    memory->limit = limit;
    memory->page_size = cosmi_os_page_size();
    memory->system_ranges = !any_range;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->peak, 0);
    atomic_init(&memory->refused, 0);
    atomic_init(&memory->reserved, 0);
    memory->budget = memory;
    return true;
}

static bool account_add(struct memory *memory, size_t size) {
    if (size > PTRDIFF_MAX) {
        return false; // nothing is that large, and sums would wrap
    }
    size_t used = atomic_fetch_add_explicit(&memory->used, size, memory_order_relaxed) + size;
    if (memory->limit != 0 && used > memory->limit) {
        atomic_fetch_sub_explicit(&memory->used, size, memory_order_relaxed);
        atomic_store_explicit(&memory->refused, size, memory_order_relaxed);
        return false;
    }
    size_t peak = atomic_load_explicit(&memory->peak, memory_order_relaxed);
    while (used > peak &&
           !atomic_compare_exchange_weak_explicit(&memory->peak, &peak, used, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
    return true;
}

static void account_remove(struct memory *memory, size_t size) {
    size_t used = atomic_fetch_sub_explicit(&memory->used, size, memory_order_relaxed);
    INVARIANT(used >= size, "no more is given back than was taken");
    (void)used;
}

void *cosmi_memory_alloc(struct memory *memory, size_t size, size_t alignment) {
    if (!account_add(memory, size)) {
        return NULL;
    }
    void *bytes = memory->allocator.allocate(memory->allocator.context, size, alignment);
    if (bytes == NULL) {
        account_remove(memory, size);
        atomic_store_explicit(&memory->refused, 0, memory_order_relaxed);
    }
    INVARIANT(((uintptr_t)bytes & (alignment - 1)) == 0, "the allocator honours the alignment");
    return bytes;
}

void *cosmi_memory_alloc_zeroed(struct memory *memory, size_t size, size_t alignment) {
    void *bytes = cosmi_memory_alloc(memory, size, alignment);
    if (bytes != NULL) {
        memset(bytes, 0, size);
    }
    return bytes;
}

void cosmi_memory_free(struct memory *memory, void *bytes, size_t size, size_t alignment) {
    if (bytes == NULL) {
        return;
    }
    memory->allocator.release(memory->allocator.context, bytes, size, alignment);
    account_remove(memory, size);
}

void *cosmi_range_reserve(struct memory *memory, size_t size) {
    size = align_up(size, RANGE_GRANULE);
    void *bytes = memory->allocator.reserve(memory->allocator.context, size);
    if (bytes != NULL) {
        atomic_fetch_add_explicit(&memory->budget->reserved, size, memory_order_relaxed);
    }
    return bytes;
}

// 64 GiB to begin with, and half of that when 4 TiB are left.
#define RANGE_SHARE 128u

size_t cosmi_range_room(const struct memory *memory) {
    size_t reserved = atomic_load_explicit(&memory->budget->reserved, memory_order_relaxed);
    return reserved < RANGE_BUDGET ? (RANGE_BUDGET - reserved) / RANGE_SHARE : 0;
}

size_t cosmi_range_committed(const struct memory *memory, size_t size) {
    return align_up(size, memory->page_size);
}

bool cosmi_range_commit(struct memory *memory, void *bytes, size_t from, size_t to) {
    from = cosmi_range_committed(memory, from);
    to = cosmi_range_committed(memory, to);
    if (to <= from) {
        return true;
    }
    if (!account_add(memory, to - from)) {
        return false;
    }
    // The system's own commit keeps what is there, so it may begin at the huge page that was only
    // half committed before and is now whole. A host's commit gets new bytes only.
    size_t begin = from;
    if (memory->system_ranges) {
        begin &= ~(OS_HUGE_PAGE_SIZE - 1);
    }
    if (!memory->allocator.commit(memory->allocator.context, (char *)bytes + begin, to - begin)) {
        account_remove(memory, to - from);
        atomic_store_explicit(&memory->refused, 0, memory_order_relaxed);
        return false;
    }
    return true;
}

void cosmi_range_decommit(struct memory *memory, void *bytes, size_t from, size_t to) {
    from = cosmi_range_committed(memory, from);
    to = cosmi_range_committed(memory, to);
    if (to <= from) {
        return;
    }
    memory->allocator.decommit(memory->allocator.context, (char *)bytes + from, to - from);
    account_remove(memory, to - from);
}

void cosmi_range_unreserve(struct memory *memory, void *bytes, size_t size, size_t committed) {
    if (bytes == NULL) {
        return;
    }
    size = align_up(size, RANGE_GRANULE);
    memory->allocator.unreserve(memory->allocator.context, bytes, size);
    atomic_fetch_sub_explicit(&memory->budget->reserved, size, memory_order_relaxed);
    account_remove(memory, cosmi_range_committed(memory, committed));
}

void *cosmi_array_grow(struct memory *memory, void *items, uint32_t *capacity, uint32_t need,
                       size_t item_size) {
    if (need <= *capacity) {
        return items;
    }
    uint32_t grown = *capacity < 8 ? 8 : *capacity * 2;
    if (grown < need) {
        grown = need;
    }
    void *larger = cosmi_memory_alloc(memory, grown * item_size, _Alignof(max_align_t));
    if (larger == NULL) {
        return NULL;
    }
    if (*capacity > 0) {
        memcpy(larger, items, *capacity * item_size);
    }
    cosmi_array_free(memory, items, *capacity, item_size);
    *capacity = grown;
    return larger;
}

void cosmi_array_free(struct memory *memory, void *items, uint32_t capacity, size_t item_size) {
    cosmi_memory_free(memory, items, capacity * item_size, _Alignof(max_align_t));
}

cosm_result cosmi_fail_memory(const struct sink *sink, const struct memory *memory,
                              const char *call) {
    size_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    size_t refused = atomic_load_explicit(&memory->refused, memory_order_relaxed);
    if (refused != 0) {
        return cosmi_fail(sink, COSM_ERROR_MEMORY,
                          "%s: out of memory: %zu bytes were asked for with %zu in use, and "
                          "memory_limit is %zu; raise the limit, or despawn and call "
                          "cosm_batch_trim",
                          call, refused, used, memory->limit);
    }
    return cosmi_fail(sink, COSM_ERROR_MEMORY,
                      "%s: out of memory at %zu bytes in use: the allocator returned NULL; free "
                      "memory and call again",
                      call, used);
}
