// The worker pool of an engine. Knows nothing of entities.
//
// Work is a number of items. The thread that brings it does its share, the others join in while
// there is some left. Several threads may bring work at the same time, and an item may bring more.
//
//   caller   opens a post -> takes items ................ -> shuts it -> waits for guests
//   worker   looks ....... -> joins it -> takes items ... -> leaves -> looks, then parks
//
// The posts are a board that belongs to the pool and lives as long. Whoever has joined a post may
// follow its pointers, because its caller waits for him; whoever has not looks at one atomic word
// and at nothing else. So joining and leaving take no lock, and a job may lie on a stack.
//
// Nobody hangs: a caller does everything itself if nobody comes. All it waits for is guests, and a
// guest is in an item of its job. Whoever is inside an item joins no other job, so a guest waits at
// most for guests of jobs that its own item brought, and never for its caller.
#ifndef COSM_TASK_WORKERS_H
#define COSM_TASK_WORKERS_H

#include <cosm/engine.h>

#include <stdatomic.h>

#include "base/memory.h"
#include "base/os.h"

// What one core takes from another at a time.
#define WORKER_LINE_SIZE 64

// One item, by this worker. Workers are numbered from 0, the caller's; no two of those
// who work on a job have the same.
typedef void worker_fn(void *context, uint32_t item, uint32_t worker);

// What is to be done.
struct worker_job {
    worker_fn *work;
    void *context;
    uint32_t item_count;   // below 2^31
    uint32_t worker_count; // the caller and how many others at most; at least 1
    uint64_t *done_ns; // [worker_count]: when each worker found nothing left; NULL: not asked for.
                       // Workers that never came have the caller's time.
};

// Where a job hangs. The first line is written once per guest and is what lookers look at; the
// second one is written with every item.
struct worker_post {
    _Alignas(WORKER_LINE_SIZE) atomic_uint state; // slots left, guests inside; see workers.c
    uint32_t guest_max;                           // slots there were
    struct worker_job job;
    _Alignas(WORKER_LINE_SIZE) atomic_uint next_item;
};

// A thread of the pool's own.
struct worker_thread {
    struct thread thread;
    struct workers *workers;
    uint32_t number; // from 1 on
};

struct workers {
    struct memory *memory;
    cosm_scheduler scheduler; // start is NULL: threads of our own
    uint32_t worker_count;    // callers included
    uint32_t spin_ns;         // how long a worker looks for a new job before it parks
    uint32_t post_count;
    struct worker_post *posts;
    atomic_uint reach;             // posts from here on were never claimed
    struct worker_thread *threads; // [worker_count - 1]; under the lock
    atomic_uint thread_count;      // that were started; goes up under the lock
    atomic_uint thread_tried;      // that were started or refused; goes up under the lock

    struct mutex lock;
    struct condition_variable posted;   // there are wakes, or the pool ends
    struct condition_variable departed; // the last guest of a caller that waits has left
    uint32_t wakes;     // workers that were woken and have not noticed; under the lock
    atomic_bool ends;   // set under the lock
    atomic_uint parked; // workers that wait and were not woken; changes under the lock

    // Workers that look for a job, or were started or woken and are about to. Apart from the rest,
    // because it changes with every guest.
    char apart[WORKER_LINE_SIZE];
    atomic_uint looking;
    char apart_too[WORKER_LINE_SIZE];
};

// `worker_count` is 1 to COSM_WORKER_MAX; a zeroed scheduler is none. No thread is started yet.
// False when out of memory.
bool cosmi_workers_init(struct workers *workers, struct memory *memory, uint32_t worker_count,
                        const cosm_scheduler *scheduler);

// No job is under way. Waits for the threads to end.
void cosmi_workers_free(struct workers *workers);

// Does all items and returns. Items are begun in ascending order, so that an item may wait for
// those before it. With one worker or one item everything is done by the caller, and also
// when more jobs are under way than a pool has posts (twice the workers and four).
void cosmi_workers_run(struct workers *workers, struct worker_job *job);

// The number of this thread among the pool's own, from 1 on; 0 for all other threads.
uint32_t cosmi_workers_thread_number(void);

#endif
