// The operating system: POSIX threads, and address ranges by mmap.
#include "base/os.h"

#include <stdint.h>
#include <stdlib.h>

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
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

bool cosmi_condition_create(struct condition_variable *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    // By the clock that never goes back, so that nobody oversleeps when the date is set.
    bool done = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(&condition->native, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return done;
}

void cosmi_condition_destroy(struct condition_variable *condition) {
    (void)pthread_cond_destroy(&condition->native);
}

void cosmi_condition_wait(struct condition_variable *condition, struct mutex *mutex) {
    (void)pthread_cond_wait(&condition->native, &mutex->native);
}

static struct timespec time_of(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u),
                             .tv_nsec = (long)(ns % 1000000000u)};
}

void cosmi_condition_wait_until(struct condition_variable *condition, struct mutex *mutex,
                                uint64_t deadline_ns) {
    struct timespec deadline = time_of(deadline_ns);
    (void)pthread_cond_timedwait(&condition->native, &mutex->native, &deadline);
}

void cosmi_condition_signal(struct condition_variable *condition) {
    (void)pthread_cond_signal(&condition->native);
}

void cosmi_condition_broadcast(struct condition_variable *condition) {
    (void)pthread_cond_broadcast(&condition->native);
}

struct thread_start {
    thread_fn *function;
    void *context;
};

static void *thread_main(void *argument) {
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    start.function(start.context);
    return NULL;
}

bool cosmi_thread_start(struct thread *thread, thread_fn *function, void *context) {
    // Not on the caller's account: it lives for as long as a thread takes to begin.
    struct thread_start *start = malloc(sizeof(*start));
    if (start == NULL) {
        return false;
    }
    *start = (struct thread_start){function, context};
    if (pthread_create(&thread->native, NULL, thread_main, start) != 0) {
        free(start);
        return false;
    }
    return true;
}

void cosmi_thread_join(struct thread *thread) {
    (void)pthread_join(thread->native, NULL);
}

void cosmi_thread_yield(void) {
    (void)sched_yield();
}

uint64_t cosmi_os_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t cosmi_os_core_count(void) {
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && CPU_COUNT(&allowed) > 0) {
        return (uint32_t)CPU_COUNT(&allowed);
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

size_t cosmi_os_cache_size(void) {
    long size = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    size = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return size > 0 ? (size_t)size : (size_t)512 << 10;
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
