// The operating system, behind one small file per system (os_posix.c).
//
// Address ranges and mutexes. Nothing else in the library calls the system.
#ifndef COSM_BASE_OS_H
#define COSM_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>

#include <pthread.h>

#define OS_PAGE_SIZE ((size_t)4096)
#define OS_HUGE_PAGE_SIZE ((size_t)2 << 20)

struct mutex {
    pthread_mutex_t native;
};

bool cosmi_mutex_create(struct mutex *mutex);
void cosmi_mutex_destroy(struct mutex *mutex);
void cosmi_mutex_lock(struct mutex *mutex);
void cosmi_mutex_unlock(struct mutex *mutex);

// The contracts of the range functions of cosm_allocator.
void *cosmi_os_reserve(void *context, size_t size);
bool cosmi_os_commit(void *context, void *memory, size_t size);
void cosmi_os_decommit(void *context, void *memory, size_t size);
void cosmi_os_unreserve(void *context, void *memory, size_t size);

// The contracts of the allocation functions of cosm_allocator.
void *cosmi_os_allocate(void *context, size_t size, size_t alignment);
void cosmi_os_release(void *context, void *memory, size_t size, size_t alignment);

#endif
