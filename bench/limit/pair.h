// Two threads by hand: the caller and one helper that share each job.
//
// Between jobs the helper spins for a while and then sleeps; so does a caller whose half is done
// first. A job that follows within that while costs a few cache misses and no system call.
#ifndef BENCH_LIMIT_PAIR_H
#define BENCH_LIMIT_PAIR_H

#include <stdint.h>

struct pair;

// One half of a job: 0 is the caller's, 1 the helper's.
typedef void pair_fn(void *context, uint32_t half);

struct pair *pair_create(pair_fn *work, void *context);
void pair_destroy(struct pair *pair);

// Does both halves and returns.
void pair_run(struct pair *pair);

#endif
