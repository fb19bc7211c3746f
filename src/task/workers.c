// The worker pool: posting jobs, joining them, parking and waking.
//
// Three orders matter. Each is an order among sequentially consistent operations, so that of two
// threads that pass each other at least one sees the other:
//
//   a worker that parks    stops looking, counts as parked, looks at the posts a last time
//   a caller that posts    opens its post, reads who is parked, then who looks
//   a worker that joins    joins, stops looking; as the last who looked, does as a caller does
//
// If the caller reads that nobody is parked, a worker that parks later sees the open post. If it
// reads that somebody looks, that worker sees the post before it parks, or joins another job and
// then wakes others in its place. And whom the caller wakes does sleep: a worker counts as parked
// and goes to sleep without giving the lock back in between. test/spin/workers.pml is a model
// of this for spin.
#include "task/workers.h"

#include "base/check.h"

// About what a wake-up takes: 30 to 50 us where cores are virtual. Systems of one step follow each
// other faster than that.
#define SPIN_NS 50000u

// Rounds between two looks at the clock, which takes 25 ns; a round takes about as long.
#define SPIN_ROUNDS 64u

// The state of a post. Zero is clear: nobody's.
#define POST_INSIDE 0x00007fffu  // guests that have not left
#define POST_WAITS 0x00008000u   // the caller sleeps until the last of them has
#define POST_OPEN 0x7fff0000u    // slots that are left for guests
#define POST_SLOT 0x00010000u    // one of them
#define POST_CLAIMED 0x80000000u // somebody's

static _Thread_local uint32_t worker_thread_number; // 0: not one of ours
static _Thread_local bool is_inside_item;           // kept with a host's scheduler only

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t slots_left(unsigned state) {
    return (state & POST_OPEN) / POST_SLOT;
}

// Takes the first post that is clear. NULL: there is none.
static struct worker_post *claim_post(struct workers *workers) {
    for (uint32_t i = 0; i < workers->post_count; i++) {
        struct worker_post *post = &workers->posts[i];
        unsigned clear = 0;
        if (atomic_load_explicit(&post->state, memory_order_relaxed) != 0 ||
            !atomic_compare_exchange_strong_explicit(&post->state, &clear, POST_CLAIMED,
                                                     memory_order_acquire, memory_order_relaxed)) {
            continue;
        }
        unsigned reach = atomic_load(&workers->reach);
        while (reach <= i && !atomic_compare_exchange_weak(&workers->reach, &reach, i + 1)) {
        }
        return post;
    }
    return NULL;
}

static void open_post(struct worker_post *post, const struct worker_job *job, uint32_t guest_max) {
    post->guest_max = guest_max;
    post->job = *job;
    atomic_store_explicit(&post->next_item, 0, memory_order_relaxed);
    atomic_store(&post->state, POST_CLAIMED | guest_max * POST_SLOT);
}

// Nobody may join from here on. Returns the state before.
static unsigned shut_post(struct worker_post *post) {
    return atomic_fetch_and_explicit(&post->state, ~POST_OPEN, memory_order_acquire);
}

// Nothing of a post but its state may be read before: it may be anybody's. If it has become another
// job's since we looked, we join that.
static bool join_post(struct worker_post *post, uint32_t *worker) {
    unsigned state = atomic_load(&post->state);
    while ((state & POST_OPEN) != 0) {
        if (atomic_compare_exchange_weak(&post->state, &state, state - POST_SLOT + 1)) {
            *worker = post->guest_max - slots_left(state) + 1;
            return true;
        }
    }
    return false;
}

// After the last item, so there is no point in others joining. The post may be gone when this
// returns. True: the caller is to be woken.
static bool leave_post(struct worker_post *post) {
    unsigned state = atomic_load_explicit(&post->state, memory_order_relaxed);
    unsigned left;
    do {
        INVARIANT((state & POST_INSIDE) != 0, "a guest that leaves has joined");
        left = (state & ~POST_OPEN) - 1;
    } while (!atomic_compare_exchange_weak_explicit(&post->state, &state, left,
                                                    memory_order_release, memory_order_relaxed));
    return (left & (POST_INSIDE | POST_WAITS)) == POST_WAITS;
}

static void take_items(struct worker_post *post, uint32_t worker) {
    const struct worker_job *job = &post->job;
    for (;;) {
        uint32_t item = atomic_fetch_add_explicit(&post->next_item, 1, memory_order_relaxed);
        if (item >= job->item_count) {
            break;
        }
        job->work(job->context, item, worker);
    }
    if (job->done_ns != NULL) {
        job->done_ns[worker] = cosmi_os_now_ns();
    }
}

// How long somebody has been waiting without sleeping. Starts zeroed.
struct spin {
    uint32_t rounds;
    uint64_t deadline_ns; // 0: not known before the first look at the clock
};

// Waits a round. False when `spin_ns` are over.
static bool spin_on(struct spin *spin, uint32_t spin_ns) {
    cpu_relax();
    if (++spin->rounds % SPIN_ROUNDS != 0) {
        return true;
    }
    uint64_t now_ns = cosmi_os_now_ns();
    if (spin->deadline_ns == 0) {
        spin->deadline_ns = now_ns + spin_ns;
    }
    return now_ns < spin->deadline_ns;
}

// Wakes as many of the parked as there are slots that nobody looks for.
static void wake_workers(struct workers *workers) {
    if (atomic_load(&workers->parked) == 0) {
        return;
    }
    uint32_t wanted = 0;
    uint32_t reach = atomic_load(&workers->reach);
    for (uint32_t i = 0; i < reach; i++) {
        wanted += slots_left(atomic_load(&workers->posts[i].state));
    }
    uint32_t looking = atomic_load(&workers->looking);
    if (wanted <= looking) {
        return;
    }
    wanted -= looking;
    cosmi_mutex_lock(&workers->lock);
    uint32_t woken = smaller(wanted, atomic_load(&workers->parked));
    // They count as looking from now on: the next caller must not wake others for the same slot.
    atomic_fetch_sub(&workers->parked, woken);
    atomic_fetch_add(&workers->looking, woken);
    workers->wakes += woken;
    cosmi_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < woken; i++) {
        cosmi_condition_signal(&workers->posted);
    }
}

static bool any_post_is_open(struct workers *workers) {
    uint32_t reach = atomic_load(&workers->reach);
    for (uint32_t i = 0; i < reach; i++) {
        if ((atomic_load(&workers->posts[i].state) & POST_OPEN) != 0) {
            return true;
        }
    }
    return false;
}

// Each worker begins at another post, so that callers who post at the same time all get help.
static struct worker_post *join_any(struct workers *workers, uint32_t number, uint32_t *worker) {
    uint32_t reach = atomic_load(&workers->reach);
    for (uint32_t i = 0; i < reach; i++) {
        struct worker_post *post = &workers->posts[(number + i) % reach];
        if (join_post(post, worker)) {
            return post;
        }
    }
    return NULL;
}

// Sleeps until woken, unless there is something to do. The worker counts as looking before and
// after. False when the pool ends.
static bool park_worker(struct workers *workers) {
    cosmi_mutex_lock(&workers->lock);
    atomic_fetch_sub(&workers->looking, 1);
    atomic_fetch_add(&workers->parked, 1);
    if (any_post_is_open(workers)) {
        atomic_fetch_sub(&workers->parked, 1);
        atomic_fetch_add(&workers->looking, 1);
        cosmi_mutex_unlock(&workers->lock);
        return true;
    }
    while (workers->wakes == 0 && !atomic_load(&workers->ends)) {
        cosmi_condition_wait(&workers->posted, &workers->lock);
    }
    bool goes_on = !atomic_load(&workers->ends);
    if (goes_on) {
        workers->wakes--; // whoever woke us has moved us from the parked to those who look
    }
    cosmi_mutex_unlock(&workers->lock);
    return goes_on;
}

// From joining to leaving.
static void be_guest(struct workers *workers, struct worker_post *post, uint32_t worker) {
    if (atomic_fetch_sub(&workers->looking, 1) == 1) {
        wake_workers(workers); // two callers may both have counted on us
    }
    take_items(post, worker);
    // Looks before it leaves: a caller whose next job comes at once then need not wake another.
    atomic_fetch_add(&workers->looking, 1);
    if (leave_post(post)) {
        // The caller set POST_WAITS under the lock, so it sleeps once we get the lock.
        cosmi_mutex_lock(&workers->lock);
        cosmi_mutex_unlock(&workers->lock);
        cosmi_condition_broadcast(&workers->departed);
    }
}

static void worker_main(void *context) {
    struct worker_thread *thread = context;
    struct workers *workers = thread->workers;
    worker_thread_number = thread->number;
    do {
        struct spin spin = {0};
        uint32_t spin_ns = workers->spin_ns;
        do {
            uint32_t worker;
            struct worker_post *post = join_any(workers, thread->number, &worker);
            if (post != NULL) {
                be_guest(workers, post, worker);
                spin = (struct spin){0};
            }
        } while (spin_ns > 0 && !atomic_load(&workers->ends) && spin_on(&spin, spin_ns));
    } while (park_worker(workers));
}

// Sees to it that `wanted` threads were started, or tried to be. Returns how many of these exist.
static uint32_t need_threads(struct workers *workers, uint32_t wanted) {
    if (atomic_load_explicit(&workers->thread_tried, memory_order_acquire) < wanted) {
        cosmi_mutex_lock(&workers->lock);
        uint32_t count = atomic_load_explicit(&workers->thread_count, memory_order_relaxed);
        uint32_t tried = atomic_load_explicit(&workers->thread_tried, memory_order_relaxed);
        for (; tried < wanted; tried++) {
            struct worker_thread *thread = &workers->threads[count];
            *thread = (struct worker_thread){.workers = workers, .number = count + 1};
            atomic_fetch_add(&workers->looking, 1);
            if (cosmi_thread_start(&thread->thread, worker_main, thread)) {
                count++;
            } else {
                atomic_fetch_sub(&workers->looking, 1);
            }
        }
        atomic_store_explicit(&workers->thread_count, count, memory_order_relaxed);
        atomic_store_explicit(&workers->thread_tried, tried, memory_order_release);
        cosmi_mutex_unlock(&workers->lock);
    }
    return smaller(atomic_load_explicit(&workers->thread_count, memory_order_relaxed), wanted);
}

// They are in their last items. Spins for as long as a worker does, then sleeps.
static void wait_for_guests(struct workers *workers, struct worker_post *post) {
    struct spin spin = {0};
    do {
        if ((atomic_load_explicit(&post->state, memory_order_acquire) & POST_INSIDE) == 0) {
            return;
        }
    } while (spin_on(&spin, workers->spin_ns));
    cosmi_mutex_lock(&workers->lock);
    unsigned state = atomic_fetch_or_explicit(&post->state, POST_WAITS, memory_order_acquire);
    while ((state & POST_INSIDE) != 0) {
        cosmi_condition_wait(&workers->departed, &workers->lock);
        state = atomic_load_explicit(&post->state, memory_order_acquire);
    }
    cosmi_mutex_unlock(&workers->lock);
}

static void run_alone(const struct worker_job *job) {
    for (uint32_t i = 0; i < job->item_count; i++) {
        job->work(job->context, i, 0);
    }
    if (job->done_ns != NULL) {
        job->done_ns[0] = cosmi_os_now_ns();
    }
}

static void run_with_threads(struct workers *workers, const struct worker_job *job,
                             uint32_t guest_max) {
    guest_max = need_threads(workers, guest_max);
    struct worker_post *post = guest_max > 0 ? claim_post(workers) : NULL;
    if (post == NULL) {
        run_alone(job);
        return;
    }
    open_post(post, job, guest_max);
    wake_workers(workers);
    take_items(post, 0);
    if ((shut_post(post) & POST_INSIDE) != 0) {
        wait_for_guests(workers, post);
    }
    atomic_store_explicit(&post->state, 0, memory_order_release);
}

// What a host calls. A host that waits may call it from within an item; then it must not take part:
// an item may wait for an earlier one, which would lie below it on the same stack.
static void join_for_host(void *argument) {
    struct worker_post *post = argument;
    uint32_t worker;
    if (is_inside_item || !join_post(post, &worker)) {
        return;
    }
    is_inside_item = true;
    take_items(post, worker);
    is_inside_item = false;
    (void)leave_post(post);
}

static void run_with_host(const cosm_scheduler *scheduler, const struct worker_job *job,
                          uint32_t guest_max) {
    // Lives until finish returns, which is after the last call of join_for_host.
    struct worker_post post = {0};
    open_post(&post, job, guest_max);
    void *started = scheduler->start(scheduler->context, join_for_host, &post, guest_max);
    bool was_inside = is_inside_item;
    is_inside_item = true;
    take_items(&post, 0);
    is_inside_item = was_inside;
    (void)shut_post(&post);
    scheduler->finish(scheduler->context, started);
}

void cosmi_workers_run(struct workers *workers, struct worker_job *job) {
    INVARIANT(job->worker_count > 0, "the caller is a worker");
    INVARIANT(job->item_count < 0x80000000u, "there is room for counting past the last item");
    uint32_t count = smaller(smaller(job->worker_count, workers->worker_count), job->item_count);
    for (uint32_t i = 0; job->done_ns != NULL && i < job->worker_count; i++) {
        job->done_ns[i] = 0;
    }
    if (count < 2) {
        run_alone(job);
    } else if (workers->scheduler.start != NULL) {
        run_with_host(&workers->scheduler, job, count - 1);
    } else {
        run_with_threads(workers, job, count - 1);
    }
    for (uint32_t i = 1; job->done_ns != NULL && i < job->worker_count; i++) {
        if (job->done_ns[i] == 0) {
            job->done_ns[i] = job->done_ns[0];
        }
    }
}

uint32_t cosmi_workers_thread_number(void) {
    return worker_thread_number;
}

static size_t posts_size(const struct workers *workers) {
    return workers->post_count * sizeof(*workers->posts);
}

static size_t threads_size(const struct workers *workers) {
    return (workers->worker_count - 1) * sizeof(*workers->threads);
}

static bool has_own_threads(const struct workers *workers) {
    return workers->worker_count > 1 && workers->scheduler.start == NULL;
}

static void free_workers_memory(struct workers *workers) {
    cosmi_memory_free(workers->memory, workers->posts, posts_size(workers), WORKER_LINE_SIZE);
    cosmi_memory_free(workers->memory, workers->threads, threads_size(workers),
                      _Alignof(max_align_t));
    workers->posts = NULL;
    workers->threads = NULL;
}

// The lock and the conditions, all or none.
static bool create_worker_locks(struct workers *workers) {
    if (!cosmi_mutex_create(&workers->lock)) {
        return false;
    }
    if (cosmi_condition_create(&workers->posted)) {
        if (cosmi_condition_create(&workers->departed)) {
            return true;
        }
        cosmi_condition_destroy(&workers->posted);
    }
    cosmi_mutex_destroy(&workers->lock);
    return false;
}

bool cosmi_workers_init(struct workers *workers, struct memory *memory, uint32_t worker_count,
                        const cosm_scheduler *scheduler) {
    INVARIANT(worker_count > 0 && worker_count <= COSM_WORKER_MAX, "the caller is a worker");
    *workers =
        (struct workers){.memory = memory, .scheduler = *scheduler, .worker_count = worker_count};
    if (!has_own_threads(workers)) {
        return true;
    }
    workers->spin_ns = worker_count <= cosmi_os_core_count() ? SPIN_NS : 0;
    workers->post_count = 2 * worker_count + 4;
    workers->posts = cosmi_memory_alloc_zeroed(memory, posts_size(workers), WORKER_LINE_SIZE);
    workers->threads =
        cosmi_memory_alloc_zeroed(memory, threads_size(workers), _Alignof(max_align_t));
    if (workers->posts == NULL || workers->threads == NULL || !create_worker_locks(workers)) {
        free_workers_memory(workers);
        return false;
    }
    return true;
}

void cosmi_workers_free(struct workers *workers) {
    if (!has_own_threads(workers)) {
        return;
    }
    cosmi_mutex_lock(&workers->lock);
    atomic_store(&workers->ends, true);
    cosmi_mutex_unlock(&workers->lock);
    cosmi_condition_broadcast(&workers->posted);
    uint32_t thread_count = atomic_load_explicit(&workers->thread_count, memory_order_relaxed);
    for (uint32_t i = 0; i < thread_count; i++) {
        cosmi_thread_join(&workers->threads[i].thread);
    }
    cosmi_condition_destroy(&workers->departed);
    cosmi_condition_destroy(&workers->posted);
    cosmi_mutex_destroy(&workers->lock);
    free_workers_memory(workers);
}
