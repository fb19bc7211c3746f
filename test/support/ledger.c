// The allocator that keeps books: see ledger.h.
#define _DEFAULT_SOURCE
#include "support/ledger.h"

#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include "harness.h"

#define PAGE ((size_t)4096)
#define LARGE_PAGE ((size_t)2 << 20)
#define RANGE_UNIT ((size_t)64 << 10)

void ledger_open(struct ledger *ledger) {
    memset(ledger, 0, sizeof(*ledger));
    pthread_mutex_init(&ledger->lock, NULL);
}

void ledger_close(struct ledger *ledger) {
    CHECK_STR(ledger->wrong, NULL);
    CHECK_INT(ledger->count, 0);
    CHECK_INT(ledger->block_bytes, 0);
    free(ledger->entries);
    pthread_mutex_destroy(&ledger->lock);
}

void ledger_refuse(struct ledger *ledger, uint64_t n, uint64_t count) {
    ledger->has_refused = false;
    ledger->fail_at = ledger->requests + n;
    ledger->fail_count = count;
}

bool ledger_relent(struct ledger *ledger) {
    ledger->fail_at = 0;
    return ledger->has_refused;
}

static void wrong(struct ledger *ledger, const char *what) {
    if (ledger->wrong == NULL) {
        ledger->wrong = what;
    }
}

static bool refuses(struct ledger *ledger) {
    uint64_t number = ++ledger->requests;
    bool is_refused = ledger->fail_at != 0 && number >= ledger->fail_at &&
                      number - ledger->fail_at < ledger->fail_count;
    ledger->has_refused = ledger->has_refused || is_refused;
    return is_refused;
}

static size_t home(const struct ledger *ledger, uintptr_t address) {
    return (size_t)((address >> 4) * 0x9E3779B97F4A7C15u >> 20) & (ledger->capacity - 1);
}

static struct ledger_entry *find(struct ledger *ledger, uintptr_t address) {
    if (ledger->capacity == 0) {
        return NULL;
    }
    size_t i = home(ledger, address);
    while (ledger->entries[i].address != 0 && ledger->entries[i].address != address) {
        i = (i + 1) & (ledger->capacity - 1);
    }
    return &ledger->entries[i];
}

static void enter(struct ledger *ledger, const void *memory, size_t size, size_t alignment) {
    if ((ledger->count + 1) * 2 > ledger->capacity) {
        struct ledger_entry *old = ledger->entries;
        size_t old_capacity = ledger->capacity;
        ledger->capacity = old_capacity == 0 ? 256 : old_capacity * 2;
        ledger->entries = calloc(ledger->capacity, sizeof(*ledger->entries));
        for (size_t i = 0; i < old_capacity; i++) {
            if (old[i].address != 0) {
                *find(ledger, old[i].address) = old[i];
            }
        }
        free(old);
    }
    *find(ledger, (uintptr_t)memory) = (struct ledger_entry){(uintptr_t)memory, size, alignment};
    ledger->count++;
}

// Strikes out an entry, and closes the hole it leaves in its run.
static void strike(struct ledger *ledger, struct ledger_entry *entry) {
    size_t mask = ledger->capacity - 1;
    size_t hole = (size_t)(entry - ledger->entries);
    for (size_t i = (hole + 1) & mask; ledger->entries[i].address != 0; i = (i + 1) & mask) {
        size_t distance = (i - home(ledger, ledger->entries[i].address)) & mask;
        if (distance >= ((i - hole) & mask)) {
            ledger->entries[hole] = ledger->entries[i];
            hole = i;
        }
    }
    ledger->entries[hole].address = 0;
    ledger->count--;
}

static void *ledger_allocate(void *context, size_t size, size_t alignment) {
    struct ledger *ledger = context;
    void *memory = NULL;
    pthread_mutex_lock(&ledger->lock);
    if (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        wrong(ledger, "allocate: the size is zero or the alignment is no power of two");
    } else if (!refuses(ledger) &&
               posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment,
                              size) == 0) {
        memset(memory, 0xA5, size);
        enter(ledger, memory, size, alignment);
        ledger->block_bytes += size;
    }
    pthread_mutex_unlock(&ledger->lock);
    return memory;
}

static void ledger_release(void *context, void *memory, size_t size, size_t alignment) {
    struct ledger *ledger = context;
    pthread_mutex_lock(&ledger->lock);
    struct ledger_entry *entry = find(ledger, (uintptr_t)memory);
    if (memory == NULL || entry == NULL || entry->address == 0 || entry->alignment == 0) {
        wrong(ledger, "release: this is no block that is out");
        memory = NULL;
    } else {
        if (entry->size != size || entry->alignment != alignment) {
            wrong(ledger, "release: the size or the alignment is not what was asked for");
        }
        ledger->block_bytes -= entry->size;
        strike(ledger, entry);
    }
    pthread_mutex_unlock(&ledger->lock);
    free(memory);
}

static void *map_aligned(size_t size, size_t alignment) {
    char *base =
        mmap(NULL, size + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    size_t skip = (alignment - (uintptr_t)base % alignment) % alignment;
    if (skip > 0) {
        munmap(base, skip);
    }
    munmap(base + skip + size, alignment - skip);
    return base + skip;
}

static void *ledger_reserve(void *context, size_t size) {
    struct ledger *ledger = context;
    void *memory = NULL;
    pthread_mutex_lock(&ledger->lock);
    if (size == 0 || size % RANGE_UNIT != 0) {
        wrong(ledger, "reserve: the size is not a multiple of 64 KiB");
    } else if (!refuses(ledger) && (ledger->range_max == 0 || size <= ledger->range_max)) {
        memory = map_aligned(size, size >= LARGE_PAGE ? LARGE_PAGE : PAGE);
        if (memory != NULL) {
            enter(ledger, memory, size, 0);
        }
    }
    pthread_mutex_unlock(&ledger->lock);
    return memory;
}

static bool is_whole_pages(const void *memory, size_t size) {
    return (uintptr_t)memory % PAGE == 0 && size > 0 && size % PAGE == 0;
}

static bool ledger_commit(void *context, void *memory, size_t size) {
    struct ledger *ledger = context;
    bool done = false;
    pthread_mutex_lock(&ledger->lock);
    if (!is_whole_pages(memory, size)) {
        wrong(ledger, "commit: the part is empty or not whole pages");
    } else if (!refuses(ledger)) {
        done = mprotect(memory, size, PROT_READ | PROT_WRITE) == 0;
    }
    pthread_mutex_unlock(&ledger->lock);
    return done;
}

static void ledger_decommit(void *context, void *memory, size_t size) {
    struct ledger *ledger = context;
    pthread_mutex_lock(&ledger->lock);
    if (!is_whole_pages(memory, size)) {
        wrong(ledger, "decommit: the part is empty or not whole pages");
    } else {
        (void)madvise(memory, size, MADV_DONTNEED);
        (void)mprotect(memory, size, PROT_NONE);
    }
    pthread_mutex_unlock(&ledger->lock);
}

static void ledger_unreserve(void *context, void *memory, size_t size) {
    struct ledger *ledger = context;
    pthread_mutex_lock(&ledger->lock);
    struct ledger_entry *entry = find(ledger, (uintptr_t)memory);
    if (entry == NULL || entry->address == 0 || entry->alignment != 0 || entry->size != size) {
        wrong(ledger, "unreserve: this is no range that is out, or of another size");
    } else {
        strike(ledger, entry);
        (void)munmap(memory, size);
    }
    pthread_mutex_unlock(&ledger->lock);
}

cosm_allocator ledger_block_allocator(struct ledger *ledger) {
    return (cosm_allocator){
        .allocate = ledger_allocate, .release = ledger_release, .context = ledger};
}

cosm_allocator ledger_allocator(struct ledger *ledger) {
    cosm_allocator allocator = ledger_block_allocator(ledger);
    allocator.reserve = ledger_reserve;
    allocator.commit = ledger_commit;
    allocator.decommit = ledger_decommit;
    allocator.unreserve = ledger_unreserve;
    return allocator;
}
