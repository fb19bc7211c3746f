// The operating system, behind one small file per system (os_posix.c).
//
// Address ranges, mutexes and thread identity. Nothing else in the library calls the system.
#ifndef COSM_BASE_OS_H
#define COSM_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>

#include <pthread.h>

#define OS_PAGE_SIZE ((size_t)4096) // the smallest of the systems we know; see below
#define OS_HUGE_PAGE_SIZE ((size_t)2 << 20)

// The page size of this system: 4 KiB on x86-64, up to 64 KiB on arm64.
size_t cosmi_os_page_size(void);

struct mutex {
    pthread_mutex_t native;
};

bool cosmi_mutex_create(struct mutex *mutex);
void cosmi_mutex_destroy(struct mutex *mutex);
void cosmi_mutex_lock(struct mutex *mutex);
void cosmi_mutex_unlock(struct mutex *mutex);

// A value that no other living thread has: the address of something of its own.
#if defined(__GNUC__)
extern _Thread_local char cosmi_thread_mark __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local char cosmi_thread_mark;
#endif

static inline const void *thread_token(void) {
    return &cosmi_thread_mark;
}

// The contracts of the range functions of cosm_allocator.
void *cosmi_os_reserve(void *context, size_t size);
bool cosmi_os_commit(void *context, void *memory, size_t size);
void cosmi_os_decommit(void *context, void *memory, size_t size);
void cosmi_os_unreserve(void *context, void *memory, size_t size);

// The contracts of the allocation functions of cosm_allocator.
void *cosmi_os_allocate(void *context, size_t size, size_t alignment);
void cosmi_os_release(void *context, void *memory, size_t size, size_t alignment);

#endif
