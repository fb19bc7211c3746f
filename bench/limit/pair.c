// Two threads by hand: a counter of jobs begun, one of jobs ended, and a place to sleep.
//
// Whoever goes to sleep says so first and then looks at the counter again; whoever raises a counter
// looks afterwards whether somebody sleeps. So of two who pass each other one sees the other.
#include "pair.h"

#include "bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

// About what it costs to be woken, so waiting is never much more than twice what it could be.
#define SPIN_NS 50000u
#define SPINS_PER_LOOK 64u // at the clock

// What one thread writes and the other waits for; each has cache lines of its own.
struct counter {
    _Alignas(64) atomic_uint count;
    _Alignas(64) atomic_bool is_awaited; // the other sleeps
};

struct pair {
    struct counter begun;
    struct counter ended;
    pair_fn *work;
    void *context;
    atomic_bool quits;
    pthread_mutex_t lock;
    pthread_cond_t raised;
    pthread_t helper;
};

static inline void spin_hint(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool spin_for(struct counter *counter, uint32_t count) {
    uint64_t deadline = 0;
    for (uint32_t i = 1;; i++) {
        if (atomic_load_explicit(&counter->count, memory_order_acquire) == count) {
            return true;
        }
        spin_hint();
        if (i % SPINS_PER_LOOK == 0) {
            uint64_t now = clock_now();
            deadline = deadline == 0 ? now + SPIN_NS : deadline;
            if (now >= deadline) {
                return false;
            }
        }
    }
}

static void await(struct pair *pair, struct counter *counter, uint32_t count) {
    if (spin_for(counter, count)) {
        return;
    }
    pthread_mutex_lock(&pair->lock);
    atomic_store(&counter->is_awaited, true);
    while (atomic_load(&counter->count) != count) {
        pthread_cond_wait(&pair->raised, &pair->lock);
    }
    atomic_store(&counter->is_awaited, false);
    pthread_mutex_unlock(&pair->lock);
}

static void raise_to(struct pair *pair, struct counter *counter, uint32_t count) {
    atomic_store(&counter->count, count);
    if (atomic_load(&counter->is_awaited)) {
        pthread_mutex_lock(&pair->lock);
        pthread_mutex_unlock(&pair->lock);
        pthread_cond_broadcast(&pair->raised);
    }
}

static void *help(void *argument) {
    struct pair *pair = argument;
    for (uint32_t job = 1;; job++) {
        await(pair, &pair->begun, job);
        if (atomic_load_explicit(&pair->quits, memory_order_relaxed)) {
            return NULL;
        }
        pair->work(pair->context, 1);
        raise_to(pair, &pair->ended, job);
    }
}

struct pair *pair_create(pair_fn *work, void *context) {
    struct pair *pair = bench_alloc(1, sizeof *pair);
    atomic_init(&pair->begun.count, 0);
    atomic_init(&pair->begun.is_awaited, false);
    atomic_init(&pair->ended.count, 0);
    atomic_init(&pair->ended.is_awaited, false);
    atomic_init(&pair->quits, false);
    pair->work = work;
    pair->context = context;
    bench_need(pthread_mutex_init(&pair->lock, NULL) == 0, "mutex");
    bench_need(pthread_cond_init(&pair->raised, NULL) == 0, "condition");
    bench_need(pthread_create(&pair->helper, NULL, help, pair) == 0, "thread");
    return pair;
}

void pair_destroy(struct pair *pair) {
    atomic_store_explicit(&pair->quits, true, memory_order_relaxed);
    raise_to(pair, &pair->begun, atomic_load(&pair->begun.count) + 1);
    pthread_join(pair->helper, NULL);
    pthread_cond_destroy(&pair->raised);
    pthread_mutex_destroy(&pair->lock);
    free(pair);
}

void pair_run(struct pair *pair) {
    uint32_t job = atomic_load_explicit(&pair->begun.count, memory_order_relaxed) + 1;
    raise_to(pair, &pair->begun, job);
    pair->work(pair->context, 0);
    await(pair, &pair->ended, job);
}
