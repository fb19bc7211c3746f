// Workers: whose threads run the systems.
//
// By default an engine has threads of its own. They are started when there is first something for
// them to do, and park while there is nothing. A host with a scheduler of its own plugs it in with
// two callbacks, and the engine starts no thread.
#ifndef COSM_SCHEDULER_H
#define COSM_SCHEDULER_H

#include <cosm/types.h>

COSM_BEGIN_C

// A piece of parallel work. It returns when there is nothing left to do.
typedef void cosm_scheduler_task_fn(void *argument);

// Sees to it that `task(argument)` is called `count` times, at the same time if possible, on any
// threads. A call that comes late finds nothing left and returns at once. Returns what
// cosm_scheduler_finish_fn is to be given; it may be NULL.
typedef void *cosm_scheduler_start_fn(void *context, cosm_scheduler_task_fn *task, void *argument,
                                      uint32_t count);

// Returns when all calls that `started` stands for have returned. Called once for each start, on
// the thread that started, which has done its own share of the work by then.
typedef void cosm_scheduler_finish_fn(void *context, void *started);

// A host's scheduler. Both callbacks or none. Systems that step other batches call them from tasks.
typedef struct cosm_scheduler {
    cosm_scheduler_start_fn *start;
    cosm_scheduler_finish_fn *finish;
    void *context;
} cosm_scheduler;

COSM_END_C

#endif
