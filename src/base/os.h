// The operating system, behind one small file per system (os_posix.c).
//
// Address ranges, mutexes, threads and clocks. Nothing else in the library calls the system.
#ifndef COSM_BASE_OS_H
#define COSM_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// A condition to wait for. Waiting gives the mutex back meanwhile, and may end without a reason.
struct condition_variable {
    pthread_cond_t native;
};

bool cosmi_condition_create(struct condition_variable *condition);
void cosmi_condition_destroy(struct condition_variable *condition);
void cosmi_condition_wait(struct condition_variable *condition, struct mutex *mutex);

// Waits until `deadline_ns` of cosmi_os_now_ns at the latest.
void cosmi_condition_wait_until(struct condition_variable *condition, struct mutex *mutex,
                                uint64_t deadline_ns);
void cosmi_condition_signal(struct condition_variable *condition);
void cosmi_condition_broadcast(struct condition_variable *condition);

struct thread {
    pthread_t native;
};

typedef void thread_fn(void *context);

// Starts a thread that calls `function`; false when the system refuses. Join each one once.
bool cosmi_thread_start(struct thread *thread, thread_fn *function, void *context);
void cosmi_thread_join(struct thread *thread);
void cosmi_thread_yield(void);

// A clock that never goes back.
uint64_t cosmi_os_now_ns(void);

// Processors that this process may use, at least 1; bytes of the cache that each has for itself.
uint32_t cosmi_os_core_count(void);
size_t cosmi_os_cache_size(void);

// Tells the processor that we are waiting for another one.
static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

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
