// The workers (src/task/workers.h): jobs of all shapes from several threads at once, with threads of its
// own and with schedulers of a host. Whoever waits for another worker gives up after half a minute,
// so that a wake-up that is lost is a failed check.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/ledger.h"
#include "task/workers.h"

#define ITEM_MAX 64u
#define WORKER_MAX 40u
#define CALLER_MAX 16u
#define PATIENCE_NS 30000000000u

static const cosm_scheduler OWN_THREADS;

// How often to repeat something. Under the thread sanitizer a job takes ten times as long.
static uint32_t repeat(uint32_t count) {
#ifdef __SANITIZE_THREAD__
    count = count / 3 + 1;
#endif
    return harness_is_long() ? count * 20 : count;
}

// A workers over a ledger, which finds what was not given back.
struct house {
    struct ledger ledger;
    struct memory memory;
    struct workers workers;
};

static struct workers *house_open(struct house *house, uint32_t worker_count,
                                  const cosm_scheduler *scheduler) {
    ledger_open(&house->ledger);
    cosm_allocator allocator = ledger_allocator(&house->ledger);
    CHECK(cosmi_memory_init(&house->memory, &allocator, 0));
    CHECK(cosmi_workers_init(&house->workers, &house->memory, worker_count, scheduler));
    return &house->workers;
}

static void house_close(struct house *house) {
    cosmi_workers_free(&house->workers);
    CHECK_INT(atomic_load(&house->memory.used), 0);
    ledger_close(&house->ledger);
}

static uint32_t draw(uint64_t *state, uint32_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

static atomic_bool gave_up; // somebody did not come: the others are not waited for that long

// Waits for somebody. Gives the core away, because there may be more of us than cores.
struct vigil {
    uint32_t rounds;
    uint64_t deadline_ns;
};

static bool wait_on(struct vigil *vigil) {
    if (++vigil->rounds % 16 != 0) {
        cpu_relax();
        return true;
    }
    cosmi_thread_yield();
    if (vigil->rounds % 1024 != 0) {
        return true;
    }
    uint64_t now_ns = cosmi_os_now_ns();
    if (vigil->deadline_ns == 0) {
        vigil->deadline_ns = now_ns + (atomic_load(&gave_up) ? 1000000 : PATIENCE_NS);
    }
    if (now_ns >= vigil->deadline_ns) {
        atomic_store(&gave_up, true);
        return false;
    }
    return true;
}

static bool wait_until_above(atomic_uint *value, unsigned limit) {
    struct vigil vigil = {0};
    while (atomic_load_explicit(value, memory_order_relaxed) <= limit) {
        if (!wait_on(&vigil)) {
            return false;
        }
    }
    return true;
}

static bool wait_until_parked(struct workers *workers) {
    unsigned threads = atomic_load(&workers->thread_count);
    return threads == 0 || wait_until_above(&workers->parked, threads - 1);
}

// What the items of a job write down. `done` and `by_worker` are plain on purpose: under the thread
// sanitizer they show whether the worker pool orders what it should.
struct tally {
    uint32_t worker_count;
    uint32_t done[ITEM_MAX];
    uint32_t by_worker[WORKER_MAX];
    atomic_uint inside[WORKER_MAX]; // workers in this worker now
    atomic_uint begun;
    atomic_uint
        wrong; // worker_count out of range or taken twice, items out of order, nobody coming
};

static void enter(struct tally *tally, uint32_t worker) {
    if (worker >= tally->worker_count) {
        atomic_fetch_add(&tally->wrong, 1);
        return;
    }
    if (atomic_fetch_add_explicit(&tally->inside[worker], 1, memory_order_relaxed) != 0) {
        atomic_fetch_add(&tally->wrong, 1);
    }
    tally->by_worker[worker]++;
}

static void leave(struct tally *tally, uint32_t item, uint32_t worker) {
    tally->done[item]++;
    if (worker < tally->worker_count) {
        atomic_fetch_sub_explicit(&tally->inside[worker], 1, memory_order_relaxed);
    }
}

static void count_item(void *context, uint32_t item, uint32_t worker) {
    struct tally *tally = context;
    enter(tally, worker);
    leave(tally, item, worker);
}

// True when every item was done once, by somebody who had a worker to himself.
static bool tally_is_right(const struct tally *tally, uint32_t item_count) {
    uint32_t by_workers = 0;
    for (uint32_t i = 0; i < tally->worker_count; i++) {
        by_workers += tally->by_worker[i];
    }
    bool right = by_workers == item_count && atomic_load(&tally->wrong) == 0;
    for (uint32_t i = 0; i < item_count; i++) {
        right = right && tally->done[i] == 1;
    }
    return right;
}

static bool run_job(struct workers *workers, worker_fn *work, uint32_t item_count,
                    uint32_t worker_count) {
    struct tally tally = {.worker_count = worker_count};
    struct worker_job job = {
        .work = work, .context = &tally, .item_count = item_count, .worker_count = worker_count};
    cosmi_workers_run(workers, &job);
    return tally_is_right(&tally, item_count);
}

// Does somebody look for a job?
static bool is_awake(struct workers *workers) {
    return atomic_load(&workers->looking) > 0;
}

TEST(every_item_is_done_exactly_once_for_all_numbers_of_workers_and_items) {
    uint64_t random = harness_seed();
    for (uint32_t worker_count = 1; worker_count <= 8; worker_count++) {
        struct house house;
        struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
        uint32_t wrong = 0;
        for (uint32_t run = 0; run < repeat(64 * 60); run++) {
            wrong += !run_job(workers, count_item, 1 + run % ITEM_MAX,
                              1 + draw(&random, worker_count + 2));
        }
        CHECK_INT(wrong, 0);
        house_close(&house);
    }
}

TEST(millions_of_jobs_of_two_items_are_done) {
    struct house house;
    struct workers *workers = house_open(&house, 2, &OWN_THREADS);
    uint32_t wrong = 0;
    for (uint32_t run = 0; run < repeat(2000000); run++) {
        wrong += !run_job(workers, count_item, 2, 2);
    }
    CHECK_INT(wrong, 0);
    house_close(&house);
}

TEST(a_job_without_items_calls_nobody) {
    struct house house;
    struct workers *workers = house_open(&house, 2, &OWN_THREADS);
    CHECK(run_job(workers, count_item, 0, 2));
    CHECK_INT(atomic_load(&workers->thread_count), 0);
    house_close(&house);
}

// Item 0 goes on when item 1 has begun, which takes two.
static void meet(void *context, uint32_t item, uint32_t worker) {
    struct tally *tally = context;
    enter(tally, worker);
    atomic_fetch_add_explicit(&tally->begun, 1, memory_order_relaxed);
    if (item == 0 && !wait_until_above(&tally->begun, 1)) {
        atomic_fetch_add(&tally->wrong, 1);
    }
    leave(tally, item, worker);
}

// Every item goes on when as many have begun as there are worker_count, which takes all workers.
static void meet_all(void *context, uint32_t item, uint32_t worker) {
    struct tally *tally = context;
    enter(tally, worker);
    atomic_fetch_add_explicit(&tally->begun, 1, memory_order_relaxed);
    if (!wait_until_above(&tally->begun, tally->worker_count - 1)) {
        atomic_fetch_add(&tally->wrong, 1);
    }
    leave(tally, item, worker);
}

TEST(a_worker_that_is_about_to_park_sees_the_job_that_comes_just_then) {
    // The next job comes right when the worker has left the one before. Without any spinning that
    // is when it parks; with a little, it parks at some jobs and not at others.
    static const uint32_t SPINS[] = {0, 1, 1000, 20000};
    for (uint32_t i = 0; i < sizeof(SPINS) / sizeof(SPINS[0]); i++) {
        struct house house;
        struct workers *workers = house_open(&house, 2, &OWN_THREADS);
        workers->spin_ns = SPINS[i];
        uint32_t wrong = 0;
        for (uint32_t run = 0; run < repeat(8000) && wrong == 0; run++) {
            wrong += !run_job(workers, meet, 2, 2);
            // Pauses of all lengths up to some microseconds.
            for (uint32_t round = run % 256; round > 0; round--) {
                cpu_relax();
            }
        }
        CHECK_INT(wrong, 0);
        house_close(&house);
    }
}

TEST(all_workers_come_when_all_are_parked_and_each_has_a_worker) {
    for (uint32_t worker_count = 2; worker_count <= 8; worker_count++) {
        struct house house;
        struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
        workers->spin_ns = 0;
        uint32_t wrong = 0;
        for (uint32_t run = 0; run < repeat(600) && wrong == 0; run++) {
            wrong += !wait_until_parked(workers);
            wrong += !run_job(workers, meet_all, worker_count, worker_count);
        }
        CHECK_INT(wrong, 0);
        CHECK_INT(atomic_load(&workers->thread_count), worker_count - 1);
        house_close(&house);
    }
}

// All who were woken are here until the caller is, so the count of the others stands still.
struct sleepers {
    struct tally tally;
    struct workers *workers;
    uint32_t parked;
};

static void count_sleepers(void *context, uint32_t item, uint32_t worker) {
    struct sleepers *sleepers = context;
    if (worker == 0) {
        sleepers->parked = atomic_load(&sleepers->workers->parked);
    }
    meet_all(&sleepers->tally, item, worker);
}

TEST(no_more_parked_workers_are_woken_than_the_job_has_workers_for) {
    struct house house;
    struct workers *workers = house_open(&house, 8, &OWN_THREADS);
    workers->spin_ns = 0;
    CHECK(run_job(workers, meet_all, 8, 8));
    for (uint32_t worker_count = 2; worker_count <= 8; worker_count++) {
        REQUIRE(wait_until_parked(workers));
        struct sleepers sleepers = {.tally = {.worker_count = worker_count}, .workers = workers};
        struct worker_job job = {.work = count_sleepers,
                                 .context = &sleepers,
                                 .item_count = worker_count,
                                 .worker_count = worker_count};
        cosmi_workers_run(workers, &job);
        CHECK(tally_is_right(&sleepers.tally, worker_count));
        CHECK_INT(sleepers.parked, 7 - (worker_count - 1));
    }
    house_close(&house);
}

// Item n waits for item n - 1.
struct chain {
    atomic_uint finished;
    atomic_uint wrong;
    uint32_t sum; // plain: the chain orders it
};

static void follow(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    struct chain *chain = context;
    struct vigil vigil = {0};
    while (atomic_load_explicit(&chain->finished, memory_order_acquire) != item) {
        if (!wait_on(&vigil)) {
            atomic_fetch_add(&chain->wrong, 1);
            return;
        }
    }
    chain->sum = chain->sum * 3 + item;
    atomic_store_explicit(&chain->finished, item + 1, memory_order_release);
}

static bool run_chain(struct workers *workers, uint32_t item_count, uint32_t worker_count) {
    struct chain chain = {0};
    struct worker_job job = {
        .work = follow, .context = &chain, .item_count = item_count, .worker_count = worker_count};
    cosmi_workers_run(workers, &job);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < item_count; i++) {
        sum = sum * 3 + i;
    }
    return chain.sum == sum && atomic_load(&chain.wrong) == 0;
}

TEST(an_item_may_wait_for_the_one_before) {
    for (uint32_t worker_count = 1; worker_count <= 8; worker_count++) {
        struct house house;
        struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
        uint32_t wrong = 0;
        for (uint32_t run = 0; run < repeat(3000) && wrong == 0; run++) {
            wrong += !run_chain(workers, 1 + run % ITEM_MAX, worker_count);
        }
        CHECK_INT(wrong, 0);
        house_close(&house);
    }
}

// A job whose items are jobs, down to `depth`. Each item ends after the one before.
struct nest {
    struct tally tally;
    struct workers *workers;
    uint32_t depth;
    uint32_t item_count;
};

static void run_nested(void *context, uint32_t item, uint32_t worker);

static bool run_nest(struct workers *workers, uint32_t depth, uint32_t item_count,
                     uint32_t worker_count) {
    struct nest nest = {.tally = {.worker_count = worker_count},
                        .workers = workers,
                        .depth = depth,
                        .item_count = item_count};
    struct worker_job job = {.work = run_nested,
                             .context = &nest,
                             .item_count = item_count,
                             .worker_count = worker_count};
    cosmi_workers_run(workers, &job);
    return tally_is_right(&nest.tally, item_count);
}

static void run_nested(void *context, uint32_t item, uint32_t worker) {
    struct nest *nest = context;
    enter(&nest->tally, worker);
    bool right = true;
    if (nest->depth > 0) {
        right =
            run_nest(nest->workers, nest->depth - 1, nest->item_count, nest->tally.worker_count);
        right = run_chain(nest->workers, nest->item_count, nest->tally.worker_count) && right;
    }
    right = (item == 0 || wait_until_above(&nest->tally.begun, item - 1)) && right;
    atomic_fetch_add_explicit(&nest->tally.begun, 1, memory_order_relaxed);
    if (!right) {
        atomic_fetch_add(&nest->tally.wrong, 1);
    }
    leave(&nest->tally, item, worker);
}

TEST(an_item_may_run_a_job_itself) {
    for (uint32_t worker_count = 1; worker_count <= 8; worker_count++) {
        struct house house;
        struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
        uint32_t wrong = 0;
        for (uint32_t run = 0; run < repeat(400) && wrong == 0; run++) {
            wrong += !run_nest(workers, 1 + run % 3, 1 + run % 5, worker_count);
        }
        CHECK_INT(wrong, 0);
        house_close(&house);
    }
}

// Several threads that use one workers.
struct visitor {
    pthread_t thread;
    struct workers *workers;
    uint64_t random;
    uint32_t runs;
    uint32_t wrong;
    void (*visit)(struct visitor *visitor);
};

static void *run_visitor(void *argument) {
    struct visitor *visitor = argument;
    for (uint32_t run = 0; run < visitor->runs && visitor->wrong == 0; run++) {
        visitor->visit(visitor);
    }
    return NULL;
}

static void run_visitors(struct workers *workers, uint32_t count, uint32_t runs,
                         void (*visit)(struct visitor *visitor)) {
    struct visitor visitors[CALLER_MAX];
    uint64_t random = harness_seed();
    for (uint32_t i = 0; i < count; i++) {
        visitors[i] = (struct visitor){
            .workers = workers, .random = random + i, .runs = runs, .visit = visit};
        CHECK_INT(pthread_create(&visitors[i].thread, NULL, run_visitor, &visitors[i]), 0);
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(pthread_join(visitors[i].thread, NULL), 0);
        wrong += visitors[i].wrong;
    }
    CHECK_INT(wrong, 0);
}

static void visit_with_anything(struct visitor *visitor) {
    struct workers *workers = visitor->workers;
    uint32_t worker_count = 1 + draw(&visitor->random, workers->worker_count + 1);
    uint32_t items = 1 + draw(&visitor->random, 8);
    switch (draw(&visitor->random, 16)) {
    case 0:
        visitor->wrong +=
            !run_nest(workers, 1 + draw(&visitor->random, 2), 1 + items % 4, worker_count);
        break;
    case 1:
        visitor->wrong += !run_chain(workers, items, worker_count);
        break;
    default:
        visitor->wrong += !run_job(workers, count_item, items, worker_count);
    }
}

static void visit_with_meeting(struct visitor *visitor) {
    visitor->wrong += !run_job(visitor->workers, meet, 2, 2);
}

TEST(several_threads_bring_jobs_of_all_kinds_at_the_same_time) {
    for (uint32_t worker_count = 1; worker_count <= 8; worker_count++) {
        struct house house;
        struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
        workers->spin_ns = worker_count % 2 == 0 ? workers->spin_ns : 2000;
        run_visitors(workers, 4, repeat(4000), visit_with_anything);
        house_close(&house);
    }
}

TEST(everybody_who_needs_help_gets_it_when_several_bring_jobs_at_the_same_time) {
    static const uint32_t SPINS[] = {0, 1000, 50000};
    for (uint32_t i = 0; i < sizeof(SPINS) / sizeof(SPINS[0]); i++) {
        for (uint32_t worker_count = 2; worker_count <= 4; worker_count++) {
            struct house house;
            struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
            workers->spin_ns = SPINS[i];
            run_visitors(workers, 3, repeat(1000), visit_with_meeting);
            house_close(&house);
        }
    }
}

TEST(more_jobs_at_once_than_there_are_posts_are_done_too) {
    struct house house;
    struct workers *workers = house_open(&house, 2, &OWN_THREADS);
    CHECK(workers->post_count < CALLER_MAX);
    run_visitors(workers, CALLER_MAX, repeat(600), visit_with_anything);
    house_close(&house);
}

TEST(more_workers_than_cores_do_not_spin_and_do_their_work) {
    uint32_t worker_count = cosmi_os_core_count() + 30;
    if (worker_count > WORKER_MAX) {
        worker_count = WORKER_MAX;
    }
    if (worker_count <= cosmi_os_core_count()) {
        return; // not to be had on this machine
    }
    struct house house;
    struct workers *workers = house_open(&house, worker_count, &OWN_THREADS);
    CHECK_INT(workers->spin_ns, 0);
    uint32_t wrong = 0;
    for (uint32_t run = 0; run < repeat(50) && wrong == 0; run++) {
        wrong += !run_job(workers, meet_all, worker_count, worker_count);
        wrong += !run_job(workers, count_item, ITEM_MAX, worker_count);
        wrong += !run_chain(workers, ITEM_MAX, worker_count);
    }
    CHECK_INT(wrong, 0);
    house_close(&house);
}

TEST(threads_are_started_with_the_first_job_that_can_use_them) {
    struct house house;
    struct workers *workers = house_open(&house, 6, &OWN_THREADS);
    CHECK_INT(atomic_load(&workers->thread_count), 0);
    CHECK(!is_awake(workers));
    CHECK(run_job(workers, count_item, ITEM_MAX, 1));
    CHECK(run_job(workers, count_item, 1, 6));
    CHECK_INT(atomic_load(&workers->thread_count), 0);
    CHECK(run_job(workers, count_item, 2, 6));
    CHECK_INT(atomic_load(&workers->thread_count), 1);
    CHECK(run_job(workers, count_item, ITEM_MAX, 3));
    CHECK_INT(atomic_load(&workers->thread_count), 2);
    CHECK(run_job(workers, count_item, ITEM_MAX, WORKER_MAX));
    CHECK_INT(atomic_load(&workers->thread_count), 5);
    house_close(&house);
}

TEST(a_workers_of_one_takes_no_memory_and_never_waits) {
    struct house house;
    struct workers *workers = house_open(&house, 1, &OWN_THREADS);
    CHECK_INT(atomic_load(&house.memory.used), 0);
    CHECK(run_job(workers, count_item, ITEM_MAX, 4));
    CHECK(!is_awake(workers));
    house_close(&house);
}

TEST(a_workers_ends_without_a_job_and_right_after_one) {
    for (uint32_t run = 0; run < repeat(200); run++) {
        struct house house;
        struct workers *workers = house_open(&house, 1 + run % 5, &OWN_THREADS);
        if (run % 4 == 3) {
            workers->spin_ns = 3000000000u; // those who look must notice
        }
        if (run % 2 == 1) {
            CHECK(run_job(workers, count_item, 1 + run % 7, 5));
        }
        house_close(&house);
    }
}

TEST(a_workers_that_finds_no_memory_is_not_made_and_leaves_nothing) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_allocator allocator = ledger_allocator(&ledger);
    struct memory memory;
    REQUIRE(cosmi_memory_init(&memory, &allocator, 0));
    uint64_t n = 1;
    for (;; n++) {
        ledger_refuse(&ledger, n, 1);
        struct workers workers;
        bool made = cosmi_workers_init(&workers, &memory, 4, &OWN_THREADS);
        bool refused = ledger_relent(&ledger);
        CHECK(made == !refused);
        if (made) {
            cosmi_workers_free(&workers);
            break;
        }
        CHECK_INT(atomic_load(&memory.used), 0);
    }
    CHECK(n > 1);
    ledger_close(&ledger);
}

#ifdef __GLIBC__
// Threads cannot be started when their stacks are to be larger than the address space.
static void set_stack_size(size_t size) {
    pthread_attr_t attributes;
    CHECK_INT(pthread_attr_init(&attributes), 0);
    CHECK_INT(pthread_attr_setstacksize(&attributes, size), 0);
    CHECK_INT(pthread_setattr_default_np(&attributes), 0);
    CHECK_INT(pthread_attr_destroy(&attributes), 0);
}

TEST(a_workers_works_with_those_threads_that_can_be_started) {
    pthread_attr_t attributes;
    REQUIRE(pthread_getattr_default_np(&attributes) == 0);
    size_t size = 0;
    CHECK_INT(pthread_attr_getstacksize(&attributes, &size), 0);
    CHECK_INT(pthread_attr_destroy(&attributes), 0);
    for (uint32_t first = 1; first <= 3; first++) {
        struct house house;
        struct workers *workers = house_open(&house, 8, &OWN_THREADS);
        workers->spin_ns = 0;
        CHECK(run_job(workers, count_item, ITEM_MAX, first));
        set_stack_size((size_t)1 << 48);
        CHECK(run_job(workers, count_item, ITEM_MAX, 8));
        set_stack_size(size);
        CHECK_INT(atomic_load(&workers->thread_count), first - 1);
        CHECK(run_job(workers, count_item, ITEM_MAX, 8));
        CHECK(wait_until_parked(workers));
        CHECK(run_job(workers, meet_all, first, first));
        CHECK_INT(atomic_load(&workers->thread_count), first - 1);
        house_close(&house);
    }
}
#endif

// Each worker has one item, and writes down who it is.
struct roll {
    struct tally tally;
    uint32_t numbers[WORKER_MAX]; // by worker
};

static void call_roll(void *context, uint32_t item, uint32_t worker) {
    struct roll *roll = context;
    if (worker < roll->tally.worker_count) {
        roll->numbers[worker] = cosmi_workers_thread_number();
    }
    meet_all(&roll->tally, item, worker);
}

TEST(threads_of_the_workers_are_numbered_from_1_and_others_are_0) {
    CHECK_INT(cosmi_workers_thread_number(), 0);
    struct house house;
    struct workers *workers = house_open(&house, 7, &OWN_THREADS);
    for (uint32_t run = 0; run < 20; run++) {
        struct roll roll = {.tally = {.worker_count = 7}};
        struct worker_job job = {
            .work = call_roll, .context = &roll, .item_count = 7, .worker_count = 7};
        cosmi_workers_run(workers, &job);
        CHECK(tally_is_right(&roll.tally, 7));
        CHECK_INT(roll.numbers[0], 0);
        uint32_t seen = 0;
        for (uint32_t worker = 0; worker < 7; worker++) {
            CHECK(roll.numbers[worker] < 7);
            seen |= 1u << roll.numbers[worker] % 32;
        }
        CHECK_INT(seen, 0x7f);
    }
    CHECK_INT(cosmi_workers_thread_number(), 0);
    house_close(&house);
}

TEST(a_workers_is_awake_while_somebody_looks_for_a_job) {
    struct house house;
    struct workers *workers = house_open(&house, 2, &OWN_THREADS);
    workers->spin_ns = 4000000000u;
    CHECK(run_job(workers, meet, 2, 2));
    CHECK(is_awake(workers));
    house_close(&house);
    workers = house_open(&house, 2, &OWN_THREADS);
    workers->spin_ns = 0;
    CHECK(run_job(workers, meet, 2, 2));
    REQUIRE(wait_until_parked(workers));
    CHECK(!is_awake(workers));
    house_close(&house);
}

static void check_done(struct workers *workers, worker_fn *work, uint32_t item_count,
                       uint32_t worker_count, uint32_t present) {
    uint64_t done_ns[WORKER_MAX];
    memset(done_ns, 0xff, sizeof(done_ns));
    struct tally tally = {.worker_count = present};
    struct worker_job job = {.work = work,
                             .context = &tally,
                             .item_count = item_count,
                             .worker_count = worker_count,
                             .done_ns = done_ns};
    uint64_t begin_ns = cosmi_os_now_ns();
    cosmi_workers_run(workers, &job);
    uint64_t end_ns = cosmi_os_now_ns();
    CHECK(tally_is_right(&tally, item_count));
    for (uint32_t i = 0; i < worker_count; i++) {
        CHECK(done_ns[i] >= begin_ns && done_ns[i] <= end_ns);
        CHECK(i < present || done_ns[i] == done_ns[0]);
    }
    CHECK_INT(done_ns[worker_count], UINT64_MAX);
}

TEST(each_worker_tells_when_it_found_nothing_left_and_empty_workers_have_the_callers_time) {
    struct house house;
    struct workers *workers = house_open(&house, 4, &OWN_THREADS);
    for (uint32_t run = 0; run < 100; run++) {
        check_done(workers, count_item, 10, 1, 1);
        check_done(workers, count_item, 1, 4, 1);
        check_done(workers, meet_all, 3, 3, 3);
        check_done(workers, meet_all, 4, 12, 4);
        check_done(workers, count_item, 10, 4, 4);
    }
    house_close(&house);
}

// A host that makes a thread for each call.
struct hired {
    cosm_scheduler_task_fn *task;
    void *argument;
    uint32_t count;
    pthread_t threads[WORKER_MAX];
};

static void *run_hired(void *argument) {
    struct hired *hired = argument;
    CHECK_INT(cosmi_workers_thread_number(), 0);
    hired->task(hired->argument);
    return NULL;
}

static struct hired *hire(cosm_scheduler_task_fn *task, void *argument, uint32_t count) {
    struct hired *hired = calloc(1, sizeof(*hired));
    if (hired == NULL) {
        abort();
    }
    *hired = (struct hired){.task = task, .argument = argument, .count = count};
    return hired;
}

static void *start_threads(void *context, cosm_scheduler_task_fn *task, void *argument,
                           uint32_t count) {
    (void)context;
    struct hired *hired = hire(task, argument, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(pthread_create(&hired->threads[i], NULL, run_hired, hired), 0);
    }
    return hired;
}

static void join_threads(void *context, void *started) {
    (void)context;
    struct hired *hired = started;
    for (uint32_t i = 0; i < hired->count; i++) {
        CHECK_INT(pthread_join(hired->threads[i], NULL), 0);
    }
    free(hired);
}

// A host that makes all calls one after the other on another thread.
static void *run_series(void *argument) {
    struct hired *hired = argument;
    for (uint32_t i = 0; i < hired->count; i++) {
        hired->task(hired->argument);
    }
    return NULL;
}

static void *start_series(void *context, cosm_scheduler_task_fn *task, void *argument,
                          uint32_t count) {
    (void)context;
    struct hired *hired = hire(task, argument, count);
    CHECK_INT(pthread_create(&hired->threads[0], NULL, run_series, hired), 0);
    return hired;
}

static void finish_series(void *context, void *started) {
    (void)context;
    struct hired *hired = started;
    CHECK_INT(pthread_join(hired->threads[0], NULL), 0);
    free(hired);
}

// A host that makes all calls when it is waited for, one after the other.
static void *start_nothing(void *context, cosm_scheduler_task_fn *task, void *argument,
                           uint32_t count) {
    (void)context;
    return hire(task, argument, count);
}

static void run_late(void *context, void *started) {
    (void)context;
    (void)run_series(started);
    free(started);
}

// A host that makes all calls at once on the caller's thread.
static void *start_inline(void *context, cosm_scheduler_task_fn *task, void *argument,
                          uint32_t count) {
    (void)context;
    for (uint32_t i = 0; i < count; i++) {
        task(argument);
    }
    return NULL;
}

static void finish_inline(void *context, void *started) {
    (void)context;
    CHECK(started == NULL);
}

#define QUEUE_MAX 4096u

// A host with a queue. Who waits runs whatever came first, from whatever job.
struct queue_entry {
    cosm_scheduler_task_fn *task;
    void *argument;
    atomic_uint *left; // of the start it belongs to
};

struct queue {
    pthread_mutex_t lock;
    struct queue_entry entries[QUEUE_MAX]; // a ring
    uint32_t begin;
    uint32_t end;
    atomic_bool ends;
};

static bool run_from_queue(struct queue *queue) {
    struct queue_entry entry = {0};
    pthread_mutex_lock(&queue->lock);
    if (queue->begin != queue->end) {
        entry = queue->entries[queue->begin++ % QUEUE_MAX];
    }
    pthread_mutex_unlock(&queue->lock);
    if (entry.task == NULL) {
        return false;
    }
    entry.task(entry.argument);
    atomic_fetch_sub(entry.left, 1);
    return true;
}

static void *start_queued(void *context, cosm_scheduler_task_fn *task, void *argument,
                          uint32_t count) {
    struct queue *queue = context;
    atomic_uint *left = malloc(sizeof(*left));
    if (left == NULL) {
        abort();
    }
    atomic_init(left, count);
    pthread_mutex_lock(&queue->lock);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(queue->end - queue->begin < QUEUE_MAX);
        queue->entries[queue->end++ % QUEUE_MAX] = (struct queue_entry){task, argument, left};
    }
    pthread_mutex_unlock(&queue->lock);
    return left;
}

static void finish_queued(void *context, void *started) {
    atomic_uint *left = started;
    while (atomic_load(left) > 0) {
        if (!run_from_queue(context)) {
            cosmi_thread_yield();
        }
    }
    free(left);
}

static void *serve_queue(void *argument) {
    struct queue *queue = argument;
    while (!atomic_load(&queue->ends)) {
        if (!run_from_queue(queue)) {
            cosmi_thread_yield();
        }
    }
    return NULL;
}

static void check_host(const cosm_scheduler *scheduler, uint32_t runs) {
    struct house house;
    struct workers *workers = house_open(&house, 4, scheduler);
    uint64_t random = harness_seed();
    uint32_t wrong = 0;
    for (uint32_t run = 0; run < runs; run++) {
        uint32_t worker_count = 1 + draw(&random, 6);
        wrong += !run_job(workers, count_item, 1 + draw(&random, ITEM_MAX), worker_count);
        wrong += !run_chain(workers, 1 + draw(&random, 12), worker_count);
        wrong +=
            run % 8 == 0 && !run_nest(workers, 1 + draw(&random, 2), 1 + run % 3, worker_count);
    }
    CHECK_INT(wrong, 0);
    run_visitors(workers, 3, runs, visit_with_anything);
    CHECK(!is_awake(workers));
    CHECK_INT(atomic_load(&workers->thread_count), 0);
    CHECK_INT(atomic_load(&house.memory.used), 0);
    house_close(&house);
}

TEST(a_host_may_make_a_thread_for_each_call) {
    cosm_scheduler scheduler = {start_threads, join_threads, NULL};
    check_host(&scheduler, repeat(30));
    struct house house;
    struct workers *workers = house_open(&house, 4, &scheduler);
    CHECK(run_job(workers, meet_all, 4, 4)); // so all of them take part
    check_done(workers, meet_all, 4, 6, 4);
    house_close(&house);
}

TEST(a_host_may_make_all_calls_late) {
    cosm_scheduler scheduler = {start_nothing, run_late, NULL};
    check_host(&scheduler, repeat(2000));
}

TEST(a_host_may_make_the_calls_one_after_the_other_on_another_thread) {
    cosm_scheduler scheduler = {start_series, finish_series, NULL};
    check_host(&scheduler, repeat(30));
}

TEST(a_host_may_make_all_calls_at_once_on_the_callers_thread) {
    cosm_scheduler scheduler = {start_inline, finish_inline, NULL};
    check_host(&scheduler, repeat(2000));
}

TEST(a_host_that_waits_may_run_the_tasks_of_any_job_meanwhile) {
    struct queue *queue = calloc(1, sizeof(*queue));
    REQUIRE(queue != NULL);
    CHECK_INT(pthread_mutex_init(&queue->lock, NULL), 0);
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, serve_queue, queue), 0);
    }
    cosm_scheduler scheduler = {start_queued, finish_queued, queue};
    check_host(&scheduler, repeat(300));
    atomic_store(&queue->ends, true);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    CHECK_INT(pthread_mutex_destroy(&queue->lock), 0);
    free(queue);
}
