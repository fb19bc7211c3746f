// The profile: what workers add up while a phase runs, and the accounts it ends up in.
#include "run/profile.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "task/workers.h"

// Two workers share no line of the cache.
#define WORKER_LINE _Alignof(struct profile_worker)

_Static_assert(sizeof(struct profile_event) == 40, "cosm/system.h says what an event costs");

// Histograms.

static uint32_t bucket_of(uint64_t ns) {
    uint32_t shift = 0;
    for (; ns >= 32; ns >>= 1) {
        shift++;
    }
    return shift * 16 + (uint32_t)ns;
}

// The middle of a bucket.
static uint64_t bucket_value(uint32_t bucket) {
    if (bucket < 32) {
        return bucket;
    }
    uint32_t shift = bucket / 16 - 1;
    uint64_t first = (uint64_t)(bucket % 16 + 16) << shift;
    return first + (((uint64_t)1 << shift) - 1) / 2;
}

// About the sample of this rank, of which there are at least that many; the smallest has rank 1.
static uint64_t ranked_sample(const struct profile_account *account, uint64_t rank) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < PROFILE_BUCKET_COUNT; i++) {
        seen += account->buckets[i];
        if (seen >= rank) {
            uint64_t value = bucket_value(i);
            return value < account->longest_ns ? value : account->longest_ns;
        }
    }
    return account->longest_ns;
}

// Accounts.

// The account at this place, made when there is none. NULL when out of memory.
static struct profile_account *account_at(struct memory *memory, struct profile_account **place) {
    if (*place == NULL) {
        *place = cosmi_memory_alloc_zeroed(memory, sizeof(**place), _Alignof(max_align_t));
    }
    return *place;
}

static void add_sample(struct profile_account *account, const struct profile_sums *sums) {
    account->runs++;
    account->turns += sums->turns;
    account->rows += sums->rows;
    account->total_ns += sums->ns;
    if (sums->ns > account->longest_ns) {
        account->longest_ns = sums->ns;
    }
    account->buckets[bucket_of(sums->ns)]++;
}

static cosm_profile_figures figures_of(const struct profile_account *account) {
    if (account == NULL || account->runs == 0) {
        return (cosm_profile_figures){0};
    }
    return (cosm_profile_figures){
        .runs = account->runs,
        .turns = account->turns,
        .rows = account->rows,
        .total_ns = account->total_ns,
        .median_ns = ranked_sample(account, account->runs - account->runs / 2),
        .p99_ns = ranked_sample(account, account->runs - account->runs / 100),
        .longest_ns = account->longest_ns,
        .waited_ns = account->waited_ns,
    };
}

cosm_profile_figures cosmi_profile_system_figures(const cosm_profile *profile, uint32_t system) {
    return figures_of(system < profile->system_room ? profile->systems[system] : NULL);
}

cosm_profile_figures cosmi_profile_phase_figures(const cosm_profile *profile, uint32_t phase) {
    return figures_of(phase <= COSM_PHASE_MAX ? profile->phases[phase] : NULL);
}

// Making and ending.

cosm_profile *cosmi_profile_create(struct memory *memory, const cosm_profile_desc *desc) {
    cosm_profile *profile =
        cosmi_memory_alloc_zeroed(memory, sizeof(*profile), _Alignof(cosm_profile));
    if (profile == NULL) {
        return NULL;
    }
    profile->memory = memory;
    uint32_t event_max = desc == NULL ? 0 : desc->event_max;
    if (event_max > 0) {
        // Not cleared: pages that no event comes to are never touched.
        profile->events =
            cosmi_memory_alloc(memory, event_max * sizeof(*profile->events), _Alignof(max_align_t));
        if (profile->events == NULL) {
            cosmi_profile_free(profile);
            return NULL;
        }
        profile->event_max = event_max;
    }
    return profile;
}

// Sums and the list of those touched are one block.
static size_t worker_size(uint32_t system_room) {
    return align_up(system_room * (sizeof(struct profile_sums) + sizeof(uint32_t)), WORKER_LINE);
}

void cosmi_profile_free(cosm_profile *profile) {
    struct memory *memory = profile->memory;
    for (uint32_t i = 0; i < profile->worker_room; i++) {
        struct profile_worker *worker = &profile->workers[i];
        cosmi_memory_free(memory, worker->sums, worker_size(worker->system_room), WORKER_LINE);
    }
    cosmi_memory_free(memory, profile->workers, profile->worker_room * sizeof(*profile->workers),
                      WORKER_LINE);
    for (uint32_t i = 0; i < profile->system_room; i++) {
        cosmi_memory_free(memory, profile->systems[i], sizeof(**profile->systems),
                          _Alignof(max_align_t));
    }
    cosmi_array_free(memory, profile->systems, profile->system_room, sizeof(*profile->systems));
    for (uint32_t i = 0; i <= COSM_PHASE_MAX; i++) {
        cosmi_memory_free(memory, profile->phases[i], sizeof(*profile->phases[i]),
                          _Alignof(max_align_t));
    }
    cosmi_memory_free(memory, profile->events, profile->event_max * sizeof(*profile->events),
                      _Alignof(max_align_t));
    cosmi_memory_free(memory, profile, sizeof(*profile), _Alignof(cosm_profile));
}

// The beginning of a phase: room.

static void make_accounts(cosm_profile *profile, uint32_t system_count) {
    uint32_t room = profile->system_room;
    struct profile_account **systems =
        cosmi_array_grow(profile->memory, profile->systems, &profile->system_room, system_count,
                         sizeof(*profile->systems));
    if (systems != NULL) {
        profile->systems = systems;
        memset(systems + room, 0, (profile->system_room - room) * sizeof(*systems));
    }
}

static void make_workers(cosm_profile *profile, uint32_t worker_count) {
    if (worker_count <= profile->worker_room) {
        return;
    }
    struct profile_worker *workers =
        cosmi_memory_alloc_zeroed(profile->memory, worker_count * sizeof(*workers), WORKER_LINE);
    if (workers == NULL) {
        return;
    }
    if (profile->worker_room > 0) {
        memcpy(workers, profile->workers, profile->worker_room * sizeof(*workers));
    }
    cosmi_memory_free(profile->memory, profile->workers, profile->worker_room * sizeof(*workers),
                      WORKER_LINE);
    profile->workers = workers;
    profile->worker_room = worker_count;
}

// Forgets what the worker has seen.
static void clear_worker(struct profile_worker *worker) {
    for (uint32_t i = 0; i < worker->touched_count; i++) {
        worker->sums[worker->touched[i]] = (struct profile_sums){0};
    }
    worker->touched_count = 0;
    if (worker->system_room > 0) {
        worker->sums[0] = (struct profile_sums){0};
    }
    worker->event_count = 0;
    worker->dropped = 0;
}

// The worker is clear: there is nothing to copy.
static void make_sums(struct memory *memory, struct profile_worker *worker, uint32_t system_room) {
    if (system_room <= worker->system_room) {
        return;
    }
    struct profile_sums *sums =
        cosmi_memory_alloc_zeroed(memory, worker_size(system_room), WORKER_LINE);
    if (sums == NULL) {
        return;
    }
    cosmi_memory_free(memory, worker->sums, worker_size(worker->system_room), WORKER_LINE);
    worker->sums = sums;
    worker->touched = (uint32_t *)(sums + system_room);
    worker->system_room = system_room;
}

// Deals out what is left of the events in equal parts. The first is kept for the phase itself.
static void deal_events(cosm_profile *profile) {
    uint32_t first = profile->event_count;
    if (profile->worker_count == 0 || first == profile->event_max) {
        return;
    }
    first++;
    uint32_t left = profile->event_max - first;
    uint32_t share = left / profile->worker_count;
    for (uint32_t i = 0; i < profile->worker_count; i++) {
        struct profile_worker *worker = &profile->workers[i];
        worker->events = profile->events + first;
        worker->event_room = i == 0 ? share + left % profile->worker_count : share;
        first += worker->event_room;
    }
}

void cosmi_profile_begin_phase(cosm_profile *profile, uint32_t phase, uint32_t system_count,
                               uint32_t worker_count) {
    (void)phase;
    make_accounts(profile, system_count);
    make_workers(profile, worker_count);
    profile->worker_count =
        worker_count < profile->worker_room ? worker_count : profile->worker_room;
    for (uint32_t i = 0; i < profile->worker_count; i++) {
        struct profile_worker *worker = &profile->workers[i];
        clear_worker(worker);
        make_sums(profile->memory, worker, profile->system_room);
        worker->event_room = 0;
    }
    deal_events(profile);
}

// While it runs: each worker for itself.

// The sums of a system. A system that is seen for the first time in this phase is noted.
static struct profile_sums *touch_sums(struct profile_worker *worker, uint32_t system) {
    struct profile_sums *sums = &worker->sums[system];
    if ((sums->turns | sums->waited_ns) == 0) {
        worker->touched[worker->touched_count++] = system;
    }
    return sums;
}

void cosmi_profile_add_turn(cosm_profile *profile, uint32_t worker,
                            const struct profile_turn *turn) {
    if (UNLIKELY(worker >= profile->worker_count)) {
        return;
    }
    struct profile_worker *own = &profile->workers[worker];
    if (UNLIKELY(turn->system == 0 || turn->system >= own->system_room)) {
        return;
    }
    struct profile_sums *sums = touch_sums(own, turn->system);
    sums->ns += turn->end_ns > turn->begin_ns ? turn->end_ns - turn->begin_ns : 0;
    sums->rows += turn->rows;
    sums->turns++;
    if (own->event_count == own->event_room) {
        own->dropped++;
        return;
    }
    own->events[own->event_count++] = (struct profile_event){
        .begin_ns = turn->begin_ns,
        .end_ns = turn->end_ns,
        .rows = turn->rows,
        .system = turn->system,
        // A host's threads have no numbers; they are told apart by where they sit.
        .track = turn->thread != 0 ? turn->thread : worker,
        .world_first = turn->world_first,
        .world_count = turn->world_count,
    };
}

void cosmi_profile_add_wait(cosm_profile *profile, uint32_t system, uint64_t ns) {
    if (profile->worker_count == 0 || system >= profile->workers[0].system_room || ns == 0) {
        return;
    }
    struct profile_worker *worker = &profile->workers[0];
    worker->sums[0].waited_ns += ns;
    if (system != 0) {
        touch_sums(worker, system)->waited_ns += ns;
    }
}

// The end of a phase: folding.

// Adds what a worker has to the first one, and clears it.
static void fold_worker(struct profile_worker *first, struct profile_worker *worker) {
    for (uint32_t i = 0; i < worker->touched_count; i++) {
        uint32_t system = worker->touched[i];
        const struct profile_sums *from = &worker->sums[system];
        if (system < first->system_room) {
            struct profile_sums *to = touch_sums(first, system);
            to->ns += from->ns;
            to->rows += from->rows;
            to->turns += from->turns;
        }
    }
    clear_worker(worker);
}

// Moves the events of all workers to where those before them end.
static void keep_events(cosm_profile *profile, const struct profile_event *phase) {
    if (profile->event_max == 0) {
        return;
    }
    if (profile->event_count < profile->event_max) {
        profile->events[profile->event_count++] = *phase;
    }
    for (uint32_t i = 0; i < profile->worker_count; i++) {
        struct profile_worker *worker = &profile->workers[i];
        if (worker->event_count > 0) {
            memmove(profile->events + profile->event_count, worker->events,
                    worker->event_count * sizeof(*worker->events));
        }
        profile->event_count += worker->event_count;
        profile->dropped += worker->dropped;
    }
}

// One sample for each system that had a turn. Returns what they come to, `ns` left out.
static struct profile_sums keep_samples(cosm_profile *profile, uint32_t phase) {
    struct profile_worker *first = &profile->workers[0];
    for (uint32_t i = 1; i < profile->worker_count; i++) {
        fold_worker(first, &profile->workers[i]);
    }
    struct profile_sums all = {0};
    if (first->system_room > 0) {
        all.waited_ns = first->sums[0].waited_ns;
    }
    for (uint32_t i = 0; i < first->touched_count; i++) {
        uint32_t system = first->touched[i];
        const struct profile_sums *sums = &first->sums[system];
        INVARIANT(system < profile->system_room, "sums have no more room than accounts");
        all.turns += sums->turns;
        all.rows += sums->rows;
        struct profile_account *account = account_at(profile->memory, &profile->systems[system]);
        if (account == NULL) {
            continue;
        }
        account->phase = phase;
        account->waited_ns += sums->waited_ns;
        if (sums->turns > 0) {
            add_sample(account, sums);
        }
    }
    clear_worker(first);
    return all;
}

void cosmi_profile_end_phase(cosm_profile *profile, uint32_t phase, uint64_t begin_ns,
                             uint64_t end_ns) {
    if (phase > COSM_PHASE_MAX) {
        return;
    }
    struct profile_account *whole = account_at(profile->memory, &profile->phases[phase]);
    keep_events(profile, &(struct profile_event){
                             .begin_ns = begin_ns,
                             .end_ns = end_ns,
                             .rows = whole == NULL ? 0 : whole->runs + 1,
                             .track = cosmi_workers_thread_number(),
                             .world_first = phase,
                         });
    struct profile_sums all = {0};
    if (profile->worker_count > 0) {
        all = keep_samples(profile, phase);
    }
    all.ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    if (whole != NULL) {
        whole->phase = phase;
        whole->waited_ns += all.waited_ns;
        add_sample(whole, &all);
    }
    profile->worker_count = 0;
}
