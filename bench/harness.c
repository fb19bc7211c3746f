// How rows are timed: both sides in one process, in turn, the best of several rounds.
//
// What disturbs a measurement only ever makes it longer, so the minimum of many rounds is the
// figure that repeats. The sides alternate, and change who goes first, so that a slow second of
// the machine or a change of its clock strikes both. A round repeats its work until it is long
// against the clock's own cost, and both sides repeat it equally often: their data must end equal.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <cosm/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// Time the limit should take in one round: long against the 30 ns that reading the clock costs, and
// short enough for many rounds. The fewer turns other programs get within a round, the more rounds
// pass undisturbed; with two threads both cores must be free for a whole one.
#define ROUND_NS 500000u

// Rounds when the caller does not say: at least so many, and at least so long. Rows that wait for
// memory feel other programs on the machine most; two seconds usually have a quiet moment in them.
#define ROUNDS_LEAST 30u
#define ROW_NS 2000000000u

// Rounds on one state: at least so many, and at least so long. Then both sides start anew: which
// pages of real memory they happen to get makes up to 15 % in rows that fill the outer caches.
#define ROUNDS_PER_STATE 3u
#define STATE_NS 20000000u

// Bytes do not jitter: a few rounds show that the figure holds.
#define BYTES_ROUNDS 2u

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The time of `times` runs, in ns.
static uint64_t side_time(const struct bench_side *side, void *state, uint32_t times) {
    if (side->prepare == NULL) {
        // Once for nothing: the caches are full of the other side's data.
        side->run(state, 1);
        uint64_t start = clock_ns();
        side->run(state, times);
        return clock_ns() - start;
    }
    uint64_t total = 0;
    for (uint32_t i = 0; i < times; i++) {
        side->prepare(state);
        uint64_t start = clock_ns();
        side->run(state, 1);
        total += clock_ns() - start;
    }
    return total;
}

// How often a round should repeat its work, found out on a state that is thrown away.
static uint32_t side_times(const struct bench_side *side, uint32_t n) {
    void *state = side->create(n);
    uint32_t times = 1;
    while (side_time(side, state, times) < ROUND_NS && times < (1u << 30)) {
        times *= 2;
    }
    side->destroy(state);
    return times;
}

static void keep_least(double *least, double value) {
    if (*least == 0 || value < *least) {
        *least = value;
    }
}

// Both sides of a row while they are measured.
struct contest {
    const struct bench_row *row;
    void *cosm;
    void *limit;
    uint32_t times; // runs in a round
    struct bench_result result;
};

// Whichever side is made first gets the better or the worse memory: they take turns in that too.
static void contest_create(struct contest *contest, bool cosm_first) {
    const struct bench_row *row = contest->row;
    if (cosm_first) {
        contest->cosm = row->cosm->create(row->n);
    }
    contest->limit = row->limit->create(row->n);
    if (!cosm_first) {
        contest->cosm = row->cosm->create(row->n);
    }
}

static void contest_destroy(struct contest *contest) {
    contest->row->cosm->destroy(contest->cosm);
    contest->row->limit->destroy(contest->limit);
}

static void contest_round(struct contest *contest, bool cosm_first) {
    const struct bench_row *row = contest->row;
    double items = (double)contest->times * (double)row->n;
    for (uint32_t turn = 0; turn < 2; turn++) {
        if ((turn == 0) == cosm_first) {
            double ns = (double)side_time(row->cosm, contest->cosm, contest->times);
            keep_least(&contest->result.cosm, ns / items);
        } else {
            double ns = (double)side_time(row->limit, contest->limit, contest->times);
            keep_least(&contest->result.limit, ns / items);
        }
    }
    if (row->cosm->checksum(contest->cosm) != row->limit->checksum(contest->limit)) {
        contest->result.equal = false;
    }
}

static bool is_enough(uint32_t rounds, uint32_t round, uint64_t start) {
    if (rounds != 0) {
        return round >= rounds;
    }
    return round >= ROUNDS_LEAST && clock_ns() - start >= ROW_NS;
}

static bool is_fresh(uint32_t round, uint64_t begin) {
    return round < ROUNDS_PER_STATE || clock_ns() - begin < STATE_NS;
}

static struct bench_result measure_time(const struct bench_row *row, uint32_t rounds) {
    struct contest contest = {.row = row, .result = {.equal = true}};
    contest.times = row->times != 0 ? row->times : side_times(row->limit, row->n);
    uint64_t start = clock_ns();
    bool cosm_first = true;
    for (uint32_t round = 0; !is_enough(rounds, round, start); cosm_first = !cosm_first) {
        contest_create(&contest, cosm_first);
        uint64_t begin = clock_ns();
        for (uint32_t i = 0; is_fresh(i, begin) && !is_enough(rounds, round, start); i++) {
            contest_round(&contest, round % 2 == 0);
            round++;
        }
        contest_destroy(&contest);
    }
    return contest.result;
}

static struct bench_result measure_bytes(const struct bench_row *row) {
    struct bench_result result = {.equal = true};
    for (uint32_t round = 0; round < BYTES_ROUNDS; round++) {
        uint64_t cosm_sum = 0;
        uint64_t limit_sum = 0;
        keep_least(&result.cosm, row->cosm->bytes(row->n, &cosm_sum));
        keep_least(&result.limit, row->limit->bytes(row->n, &limit_sum));
        if (cosm_sum != limit_sum) {
            result.equal = false;
        }
    }
    return result;
}

struct bench_result bench_measure(const struct bench_row *row, uint32_t rounds) {
    return row->cosm->bytes != NULL ? measure_bytes(row) : measure_time(row, rounds);
}

void *bench_alloc(size_t count, size_t size) {
    size_t bytes = (count * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes == 0 ? 64 : bytes);
    bench_need(memory != NULL, "memory");
    return memory;
}

void bench_need(bool done, const char *what) {
    if (!done) {
        fprintf(stderr, "cosm_bench: no %s. %s\n", what, cosm_error_message());
        exit(3);
    }
}

void bench_file(char *out_path, size_t size, const char *kind) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(out_path, size, "%s/cosm-bench-%ld-%s", folder == NULL ? "/tmp" : folder,
                   (long)getpid(), kind);
}

uint32_t *bench_shuffled(uint32_t n) {
    uint32_t *order = bench_alloc(n, sizeof *order);
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (uint32_t i = 0; i < n; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t j = (uint32_t)((random >> 32) * (i + 1u) >> 32);
        order[i] = i;
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

uint32_t bench_share(uint32_t n, uint32_t parts, uint32_t i) {
    return n / parts + (i < n % parts ? 1u : 0u);
}
