// The operating system: POSIX threads, and address ranges by mmap.
#include "base/os.h"

#include <stdint.h>
#include <stdlib.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Thread_local char cosmi_thread_mark;

size_t cosmi_os_page_size(void) {
    long size = sysconf(_SC_PAGESIZE);
    return size > 0 ? (size_t)size : OS_PAGE_SIZE;
}

bool cosmi_mutex_create(struct mutex *mutex) {
    return pthread_mutex_init(&mutex->native, NULL) == 0;
}

void cosmi_mutex_destroy(struct mutex *mutex) {
    (void)pthread_mutex_destroy(&mutex->native);
}

void cosmi_mutex_lock(struct mutex *mutex) {
    (void)pthread_mutex_lock(&mutex->native);
}

void cosmi_mutex_unlock(struct mutex *mutex) {
    (void)pthread_mutex_unlock(&mutex->native);
}

// The whole range is mapped readable and writable at once and takes no memory until it is touched:
// one region of the kernel's map per range, where a protection change per commit would make two.
void *cosmi_os_reserve(void *context, size_t size) {
    (void)context;
    size_t alignment = size >= OS_HUGE_PAGE_SIZE ? OS_HUGE_PAGE_SIZE : OS_PAGE_SIZE;
    size_t padded = size + alignment - OS_PAGE_SIZE; // the system aligns to a page by itself
    if (padded < size) {
        return NULL;
    }
    void *memory = mmap(NULL, padded, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    char *begin = memory;
    char *aligned = begin + (-(uintptr_t)begin & (alignment - 1));
    if (aligned > begin) {
        (void)munmap(begin, (size_t)(aligned - begin));
    }
    size_t tail = padded - size - (size_t)(aligned - begin);
    if (tail > 0) {
        (void)munmap(aligned + size, tail);
    }
    return aligned;
}

// Huge pages only where the committed part covers them whole: a first touch then costs 0.4 instead
// of 2.3 us per 4 KiB, and the tail of a column does not take 2 MiB for a few rows.
bool cosmi_os_commit(void *context, void *memory, size_t size) {
    (void)context;
#ifdef MADV_HUGEPAGE
    uintptr_t begin = ((uintptr_t)memory + OS_HUGE_PAGE_SIZE - 1) & ~(OS_HUGE_PAGE_SIZE - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(OS_HUGE_PAGE_SIZE - 1);
    if (end > begin) {
        char *first = (char *)memory + (begin - (uintptr_t)memory);
        (void)madvise(first, end - begin, MADV_HUGEPAGE);
    }
#else
    (void)memory;
    (void)size;
#endif
    return true;
}

void cosmi_os_decommit(void *context, void *memory, size_t size) {
    (void)context;
    // On private anonymous memory the pages read as zero after this.
    if (madvise(memory, size, MADV_DONTNEED) != 0) {
        memset(memory, 0, size);
    }
}

void cosmi_os_unreserve(void *context, void *memory, size_t size) {
    (void)context;
    (void)munmap(memory, size);
}

void *cosmi_os_allocate(void *context, size_t size, size_t alignment) {
    (void)context;
    if (alignment < sizeof(void *)) {
        alignment = sizeof(void *);
    }
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

void cosmi_os_release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)size;
    (void)alignment;
    free(memory);
}
