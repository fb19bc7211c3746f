// Workers: the threads that run systems.
//
// By default an engine has its own threads. They start when there is first work for them, and sleep
// while there is none. A host with its own scheduler plugs it in with two callbacks, and the engine
// starts no thread.
#ifndef COSM_SCHEDULER_H
#define COSM_SCHEDULER_H

#include <cosm/types.h>

COSM_BEGIN_C

// A share of parallel work. Returns when no work is left.
typedef void cosm_scheduler_task_fn(void *argument);

// Arranges for `task(argument)` to be called `count` times, at the same time if possible, on any
// threads. A late call finds no work left and returns at once. The result is passed to
// cosm_scheduler_finish_fn; it may be NULL.
typedef void *cosm_scheduler_start_fn(void *context, cosm_scheduler_task_fn *task, void *argument,
                                      uint32_t count);

// Returns when all calls of `started` have returned. Called once for each start, on the thread that
// started, after that thread has done its own share of the work.
typedef void cosm_scheduler_finish_fn(void *context, void *started);

// A host's scheduler: both callbacks or none. Systems that step other batches call them from tasks.
typedef struct cosm_scheduler {
    cosm_scheduler_start_fn *start;
    cosm_scheduler_finish_fn *finish;
    void *context;
} cosm_scheduler;

COSM_END_C

#endif
