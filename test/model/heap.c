// The counting allocator: see heap.h. Every block has a note in front of it that says how it was
// asked for, and comes filled with rubbish, since memory need not be zeroed.
#define _DEFAULT_SOURCE
#include "heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t range_unit = (size_t)64 << 10;
static const size_t page = 4096;
static const size_t large_page = (size_t)2 << 20;

struct note {
    size_t size;
    size_t alignment;
    uint64_t magic;
};

static const uint64_t note_magic = 0xC05Cu * 0x1000100010001u;

static void wrong(struct heap *heap, const char *what) {
    if (!heap->wrong) {
        heap->wrong = what;
    }
}

bool heap_refuses(struct heap *heap) {
    if (heap->is_empty || (heap->fail_after > 0 && --heap->fail_after == 0)) {
        heap->refused = true;
        return true;
    }
    return false;
}

// Bytes in front of a block: the note, and what keeps the block aligned.
static size_t front_size(size_t alignment) {
    size_t unit = alignment < sizeof(uint64_t) ? sizeof(uint64_t) : alignment;
    return (sizeof(struct note) + unit - 1) / unit * unit;
}

static void *heap_allocate(void *context, size_t size, size_t alignment) {
    struct heap *heap = context;
    if (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        wrong(heap, "allocate: the size is zero or the alignment no power of two");
        return NULL;
    }
    if (heap_refuses(heap)) {
        return NULL;
    }
    size_t front = front_size(alignment);
    void *base = NULL;
    if (posix_memalign(&base, alignment < 16 ? 16 : alignment, front + size) != 0) {
        return NULL;
    }
    uint8_t *block = (uint8_t *)base + front;
    struct note note = {size, alignment, note_magic};
    memcpy(block - sizeof(note), &note, sizeof(note));
    memset(block, 0xA5, size);
    heap->blocks++;
    heap->block_bytes += size;
    return block;
}

static void heap_release(void *context, void *memory, size_t size, size_t alignment) {
    struct heap *heap = context;
    if (!memory) {
        wrong(heap, "release: the memory is NULL");
        return;
    }
    struct note note;
    memcpy(&note, (uint8_t *)memory - sizeof(note), sizeof(note));
    if (note.magic != note_magic) {
        wrong(heap, "release: this is no block, or something wrote in front of it");
        return;
    }
    if (note.size != size || note.alignment != alignment) {
        wrong(heap, "release: the size or the alignment is not what was asked for");
    }
    heap->blocks--;
    heap->block_bytes -= note.size;
    memset(memory, 0x5A, note.size);
    free((uint8_t *)memory - front_size(note.alignment));
}

static void *heap_reserve(void *context, size_t size) {
    struct heap *heap = context;
    if (size == 0 || size % range_unit != 0) {
        wrong(heap, "reserve: the size is not a multiple of 64 KiB");
        return NULL;
    }
    if (heap_refuses(heap)) {
        return NULL;
    }
    size_t alignment = size >= large_page ? large_page : page;
    uint8_t *base =
        mmap(NULL, size + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    size_t skip = (alignment - (uintptr_t)base % alignment) % alignment;
    if (skip > 0) {
        munmap(base, skip);
    }
    munmap(base + skip + size, alignment - skip);
    heap->ranges++;
    heap->range_bytes += size;
    return base + skip;
}

static bool heap_commit(void *context, void *memory, size_t size) {
    struct heap *heap = context;
    if ((uintptr_t)memory % page != 0 || size == 0 || size % page != 0) {
        wrong(heap, "commit: the part is empty or not whole pages");
        return false;
    }
    if (heap_refuses(heap)) {
        return false;
    }
    return mprotect(memory, size, PROT_READ | PROT_WRITE) == 0;
}

static void heap_decommit(void *context, void *memory, size_t size) {
    struct heap *heap = context;
    if ((uintptr_t)memory % page != 0 || size == 0 || size % page != 0) {
        wrong(heap, "decommit: the part is empty or not whole pages");
        return;
    }
    madvise(memory, size, MADV_DONTNEED);
    mprotect(memory, size, PROT_NONE);
}

static void heap_unreserve(void *context, void *memory, size_t size) {
    struct heap *heap = context;
    if (size == 0 || size % range_unit != 0) {
        wrong(heap, "unreserve: the size is not a multiple of 64 KiB");
        return;
    }
    heap->ranges--;
    heap->range_bytes -= size;
    munmap(memory, size);
}

cosm_allocator heap_allocator(struct heap *heap, bool ranges) {
    cosm_allocator allocator = {
        .allocate = heap_allocate, .release = heap_release, .context = heap};
    if (ranges) {
        allocator.reserve = heap_reserve;
        allocator.commit = heap_commit;
        allocator.decommit = heap_decommit;
        allocator.unreserve = heap_unreserve;
    }
    return allocator;
}
