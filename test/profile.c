// The profile (cosm/system.h). Most tests feed it as a step does, with made-up times, so that
// every figure and every line of text is known beforehand.
// ctest: threads
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "run/profile.h"
#include "support/fixture.h"
#include "support/ledger.h"

// A profile on a ledger, without a batch.
struct bench {
    struct ledger ledger;
    struct memory memory;
    cosm_profile *profile;
};

static void bench_open(struct bench *bench, uint32_t event_max) {
    ledger_open(&bench->ledger);
    cosm_allocator allocator = ledger_allocator(&bench->ledger);
    CHECK(cosmi_memory_init(&bench->memory, &allocator, 0));
    bench->profile =
        cosmi_profile_create(&bench->memory, &(cosm_profile_desc){.event_max = event_max});
    CHECK(bench->profile != NULL);
}

static void bench_close(struct bench *bench) {
    cosmi_profile_free(bench->profile);
    CHECK_INT(atomic_load(&bench->memory.used), 0);
    ledger_close(&bench->ledger);
}

static void begin(cosm_profile *profile, uint32_t worker_count) {
    cosmi_profile_begin_phase(profile, 2, 8, worker_count);
}

static void turn(cosm_profile *profile, uint32_t worker, uint32_t system, uint64_t begin_ns,
                 uint64_t end_ns) {
    cosmi_profile_add_turn(profile, worker,
                           &(struct profile_turn){.system = system,
                                                  .world_first = worker,
                                                  .world_count = 1,
                                                  .rows = 10,
                                                  .begin_ns = begin_ns,
                                                  .end_ns = end_ns});
}

// One run of phase 2, in which system 1 has a turn of so many nanoseconds.
static void run_once(cosm_profile *profile, uint64_t ns) {
    begin(profile, 1);
    turn(profile, 0, 1, 0, ns);
    cosmi_profile_end_phase(profile, 2, 0, ns);
}

// Figures.

TEST(what_has_not_run_has_no_figures) {
    struct bench bench;
    bench_open(&bench, 0);
    cosm_profile_figures none = {0};
    cosm_profile_figures seen = cosmi_profile_system_figures(bench.profile, 1);
    CHECK_MEM(&seen, &none, sizeof(none));
    seen = cosmi_profile_system_figures(bench.profile, UINT32_MAX);
    CHECK_MEM(&seen, &none, sizeof(none));
    seen = cosmi_profile_phase_figures(bench.profile, 2);
    CHECK_MEM(&seen, &none, sizeof(none));
    seen = cosmi_profile_phase_figures(bench.profile, UINT32_MAX);
    CHECK_MEM(&seen, &none, sizeof(none));
    bench_close(&bench);
}

TEST(a_run_is_one_sample_however_many_turns_and_workers_it_had) {
    struct bench bench;
    bench_open(&bench, 0);
    cosm_profile *profile = bench.profile;
    begin(profile, 3);
    turn(profile, 0, 1, 100, 110);
    turn(profile, 0, 1, 110, 113);
    turn(profile, 2, 1, 100, 107);
    turn(profile, 1, 4, 100, 105);
    cosmi_profile_end_phase(profile, 2, 90, 121);
    cosm_profile_figures figures = cosmi_profile_system_figures(profile, 1);
    CHECK_INT(figures.runs, 1);
    CHECK_INT(figures.turns, 3);
    CHECK_INT(figures.rows, 30);
    CHECK_INT(figures.total_ns, 20);
    CHECK_INT(figures.median_ns, 20);
    CHECK_INT(figures.p99_ns, 20);
    CHECK_INT(figures.longest_ns, 20);
    CHECK_INT(figures.waited_ns, 0);
    figures = cosmi_profile_system_figures(profile, 4);
    CHECK_INT(figures.runs, 1);
    CHECK_INT(figures.total_ns, 5);
    figures = cosmi_profile_phase_figures(profile, 2);
    CHECK_INT(figures.runs, 1);
    CHECK_INT(figures.turns, 4);
    CHECK_INT(figures.rows, 40);
    CHECK_INT(figures.total_ns, 31);
    CHECK_INT(figures.longest_ns, 31);
    bench_close(&bench);
}

TEST(a_system_has_a_sample_only_for_runs_in_which_it_had_a_turn) {
    struct bench bench;
    bench_open(&bench, 0);
    for (uint32_t i = 0; i < 6; i++) {
        begin(bench.profile, 1);
        turn(bench.profile, 0, 1, 0, 8);
        if (i % 3 == 0) {
            turn(bench.profile, 0, 2, 8, 12);
        }
        cosmi_profile_end_phase(bench.profile, 2, 0, 12);
    }
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).runs, 6);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 2).runs, 2);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 2).runs, 6);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 2).turns, 8);
    bench_close(&bench);
}

TEST(a_phase_without_a_turn_is_timed_all_the_same) {
    struct bench bench;
    bench_open(&bench, 0);
    cosmi_profile_begin_phase(bench.profile, 64, 0, 1);
    cosmi_profile_end_phase(bench.profile, 64, 5, 30);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 64).runs, 1);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 64).turns, 0);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 64).total_ns, 25);
    bench_close(&bench);
}

TEST(waits_belong_to_the_split_system_and_to_the_phase) {
    struct bench bench;
    bench_open(&bench, 0);
    cosm_profile *profile = bench.profile;
    for (uint32_t i = 0; i < 2; i++) {
        begin(profile, 2);
        // The wait may come before the first worker had a turn of the system.
        turn(profile, 1, 1, 0, 20);
        cosmi_profile_add_wait(profile, 1, 7);
        turn(profile, 0, 1, 0, 3);
        cosmi_profile_add_wait(profile, 1, 1);
        turn(profile, 0, 2, 20, 30);
        cosmi_profile_add_wait(profile, 0, 100);
        cosmi_profile_add_wait(profile, 3, 10);
        cosmi_profile_end_phase(profile, 2, 0, 40);
    }
    CHECK_INT(cosmi_profile_system_figures(profile, 1).waited_ns, 16);
    CHECK_INT(cosmi_profile_system_figures(profile, 1).turns, 4);
    CHECK_INT(cosmi_profile_system_figures(profile, 2).waited_ns, 0);
    CHECK_INT(cosmi_profile_phase_figures(profile, 2).waited_ns, 236);
    // Waiting alone is no run.
    CHECK_INT(cosmi_profile_system_figures(profile, 3).runs, 0);
    bench_close(&bench);
}

TEST(a_clock_that_went_back_counts_as_no_time) {
    struct bench bench;
    bench_open(&bench, 0);
    begin(bench.profile, 1);
    turn(bench.profile, 0, 1, 50, 40);
    cosmi_profile_end_phase(bench.profile, 2, 50, 40);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).runs, 1);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).total_ns, 0);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 2).total_ns, 0);
    bench_close(&bench);
}

TEST(what_the_phase_was_not_begun_for_is_not_counted) {
    struct bench bench;
    bench_open(&bench, 4);
    cosm_profile *profile = bench.profile;
    turn(profile, 0, 1, 0, 5);
    cosmi_profile_add_wait(profile, 1, 5);
    begin(profile, 2);
    turn(profile, 2, 1, 0, 5);
    turn(profile, 0, 0, 0, 5);
    turn(profile, 0, 5000, 0, 5);
    turn(profile, 0, UINT32_MAX, 0, 5);
    cosmi_profile_add_wait(profile, 5000, 5);
    cosmi_profile_end_phase(profile, 2, 0, 10);
    turn(profile, 0, 1, 0, 5);
    cosmi_profile_end_phase(profile, 2, 10, 20);
    cosmi_profile_end_phase(profile, 65, 10, 20);
    CHECK_INT(cosmi_profile_phase_figures(profile, 2).runs, 2);
    CHECK_INT(cosmi_profile_phase_figures(profile, 2).turns, 0);
    CHECK_INT(cosmi_profile_phase_figures(profile, 2).waited_ns, 0);
    CHECK_INT(cosmi_profile_system_figures(profile, 1).runs, 0);
    bench_close(&bench);
}

TEST(a_phase_that_was_begun_twice_forgets_the_first_beginning) {
    struct bench bench;
    bench_open(&bench, 10);
    begin(bench.profile, 2);
    turn(bench.profile, 0, 1, 0, 5);
    turn(bench.profile, 1, 2, 0, 5);
    cosmi_profile_add_wait(bench.profile, 0, 5);
    begin(bench.profile, 2);
    turn(bench.profile, 0, 1, 10, 13);
    cosmi_profile_end_phase(bench.profile, 2, 10, 20);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).total_ns, 3);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 2).runs, 0);
    CHECK_INT(cosmi_profile_phase_figures(bench.profile, 2).waited_ns, 0);
    CHECK_INT(bench.profile->event_count, 2);
    bench_close(&bench);
}

TEST(systems_and_workers_may_become_more_from_phase_to_phase) {
    struct bench bench;
    bench_open(&bench, 0);
    cosm_profile *profile = bench.profile;
    uint32_t system_count = 2;
    for (uint32_t i = 0; i < 13; i++) {
        uint32_t worker_count = i % 2 == 0 ? 1 + i * 21 : 1;
        cosmi_profile_begin_phase(profile, 1, system_count, worker_count);
        turn(profile, worker_count - 1, 1, 0, 10);
        turn(profile, 0, system_count - 1, 0, 10 + i);
        cosmi_profile_end_phase(profile, 1, 0, 100);
        system_count *= 2;
    }
    CHECK_INT(profile->worker_room, 253);
    CHECK_INT(cosmi_profile_system_figures(profile, 1).turns, 14);
    CHECK_INT(cosmi_profile_system_figures(profile, 8191).longest_ns, 22);
    CHECK_INT(cosmi_profile_system_figures(profile, 8190).runs, 0);
    bench_close(&bench);
}

TEST(only_systems_that_ran_have_a_histogram) {
    struct bench bench;
    bench_open(&bench, 0);
    cosmi_profile_begin_phase(bench.profile, 2, 4097, 1);
    cosmi_profile_end_phase(bench.profile, 2, 0, 1);
    size_t before = atomic_load(&bench.memory.used);
    for (uint32_t i = 0; i < 3; i++) {
        cosmi_profile_begin_phase(bench.profile, 2, 4097, 1);
        turn(bench.profile, 0, 4096, 0, 1);
        cosmi_profile_end_phase(bench.profile, 2, 0, 1);
    }
    CHECK_INT(atomic_load(&bench.memory.used) - before, sizeof(struct profile_account));
    bench_close(&bench);
}

// Histograms.

static int compare_ns(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// Within 4 percent, in integers: doubles have too few digits for the longest times.
static bool is_close(uint64_t seen, uint64_t exact) {
    uint64_t difference = seen > exact ? seen - exact : exact - seen;
    return difference <= exact / 25;
}

TEST(one_sample_is_its_own_median_within_4_percent_whatever_it_is) {
    struct dice dice = {harness_seed()};
    for (uint32_t i = 0; i < 64 * 12; i++) {
        uint64_t power = (uint64_t)1 << (i / 12);
        uint64_t spread[] = {0, 1, power - 1, power / 2, power / 16, power - power / 32};
        uint64_t ns = power + (i % 12 < 6 ? spread[i % 12] : dice_next(&dice) % power);
        struct bench bench;
        bench_open(&bench, 0);
        run_once(bench.profile, ns);
        cosm_profile_figures figures = cosmi_profile_system_figures(bench.profile, 1);
        CHECK_INT(figures.longest_ns, ns);
        CHECK_INT(figures.total_ns, ns);
        CHECK(is_close(figures.median_ns, ns) && figures.median_ns <= ns);
        CHECK_INT(figures.p99_ns, figures.median_ns);
        bench_close(&bench);
    }
}

TEST(short_times_are_exact) {
    struct bench bench;
    bench_open(&bench, 0);
    for (uint64_t ns = 0; ns < 32; ns++) {
        run_once(bench.profile, ns);
    }
    run_once(bench.profile, UINT64_MAX);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).median_ns, 16);
    CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).runs, 33);
    bench_close(&bench);
}

TEST(median_and_p99_are_within_4_percent_of_what_sorting_gives) {
    static const uint32_t counts[] = {1, 2, 3, 10, 99, 100, 101, 1000, 5000};
    struct dice dice = {harness_seed()};
    for (uint32_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        for (uint32_t shape = 0; shape < 3; shape++) {
            struct bench bench;
            bench_open(&bench, 0);
            uint32_t count = counts[c];
            uint64_t *samples = calloc(count, sizeof(*samples));
            REQUIRE(samples != NULL);
            for (uint32_t i = 0; i < count; i++) {
                uint64_t ns = dice_next(&dice) % 1000000;
                if (shape == 1) {
                    ns = dice_next(&dice) >> dice_roll(&dice, 60);
                } else if (shape == 2) {
                    ns = 40000 + ns % 500 + (dice_roll(&dice, 50) == 0 ? 900000 : 0);
                }
                samples[i] = ns;
                run_once(bench.profile, ns);
            }
            qsort(samples, count, sizeof(*samples), compare_ns);
            cosm_profile_figures figures = cosmi_profile_system_figures(bench.profile, 1);
            CHECK_INT(figures.runs, count);
            CHECK(is_close(figures.median_ns, samples[(count - 1) / 2]));
            CHECK(is_close(figures.p99_ns, samples[count - count / 100 - 1]));
            CHECK_INT(figures.longest_ns, samples[count - 1]);
            CHECK(figures.p99_ns <= figures.longest_ns);
            free(samples);
            bench_close(&bench);
        }
    }
}

// Events.

TEST(events_of_all_workers_are_kept_phase_by_phase) {
    struct bench bench;
    bench_open(&bench, 100);
    cosm_profile *profile = bench.profile;
    for (uint64_t i = 0; i < 3; i++) {
        begin(profile, 3);
        turn(profile, 2, 1, i * 100 + 10, i * 100 + 20);
        turn(profile, 0, 2, i * 100 + 11, i * 100 + 21);
        turn(profile, 2, 3, i * 100 + 20, i * 100 + 25);
        cosmi_profile_end_phase(profile, 2, i * 100, i * 100 + 30);
    }
    REQUIRE(profile->event_count == 12);
    for (uint64_t i = 0; i < 3; i++) {
        const struct profile_event *events = &profile->events[i * 4];
        CHECK_INT(events[0].system, 0);
        CHECK_INT(events[0].world_first, 2);
        CHECK_INT(events[0].rows, i + 1);
        CHECK_INT(events[0].begin_ns, i * 100);
        CHECK_INT(events[1].system, 2);
        CHECK_INT(events[1].track, 0);
        CHECK_INT(events[2].system, 1);
        CHECK_INT(events[2].track, 2);
        CHECK_INT(events[2].world_first, 2);
        CHECK_INT(events[3].system, 3);
        CHECK_INT(events[3].begin_ns, i * 100 + 20);
        CHECK_INT(events[3].end_ns, i * 100 + 25);
    }
    CHECK_INT(profile->dropped, 0);
    bench_close(&bench);
}

TEST(turns_without_room_among_the_events_are_counted) {
    struct bench bench;
    bench_open(&bench, 10);
    cosm_profile *profile = bench.profile;
    // One for the phase, five for the first worker, four for the second.
    begin(profile, 2);
    for (uint64_t i = 0; i < 6; i++) {
        turn(profile, 0, 1, i, i + 1);
        turn(profile, 1, 1, i, i + 1);
    }
    cosmi_profile_end_phase(profile, 2, 0, 10);
    CHECK_INT(profile->event_count, 10);
    CHECK_INT(profile->dropped, 3);
    run_once(profile, 5);
    CHECK_INT(profile->event_count, 10);
    CHECK_INT(profile->dropped, 4);
    CHECK_INT(cosmi_profile_system_figures(profile, 1).turns, 13);
    bench_close(&bench);
}

TEST(room_that_one_run_left_is_there_for_the_next) {
    struct bench bench;
    bench_open(&bench, 200);
    for (uint64_t i = 0; i < 50; i++) {
        begin(bench.profile, 4);
        for (uint32_t worker = 0; worker < 3; worker++) {
            turn(bench.profile, (worker + (uint32_t)i) % 4, 1, i, i + 1);
        }
        cosmi_profile_end_phase(bench.profile, 2, i, i + 1);
    }
    // The last run has three events left, and shares of less than one.
    CHECK(bench.profile->event_count >= 197);
    CHECK_INT(bench.profile->event_count + bench.profile->dropped, 200);
    bench_close(&bench);
}

TEST(without_events_nothing_is_dropped) {
    struct bench bench;
    bench_open(&bench, 0);
    run_once(bench.profile, 5);
    CHECK_INT(bench.profile->dropped, 0);
    CHECK_INT(bench.profile->event_count, 0);
    bench_close(&bench);
}

// Memory and threads.

static void feed_a_bit(cosm_profile *profile) {
    for (uint32_t i = 1; i <= 4; i++) {
        cosmi_profile_begin_phase(profile, i, i * 10, i);
        for (uint32_t worker = 0; worker < i; worker++) {
            turn(profile, worker, 1 + worker, 0, 10);
            turn(profile, worker, i * 10 - 1, 0, 10);
        }
        cosmi_profile_add_wait(profile, 1, 3);
        cosmi_profile_end_phase(profile, i, 0, 20);
    }
}

TEST(out_of_memory_costs_figures_and_nothing_else) {
    uint32_t lost = 0;
    for (uint64_t n = 1; n < 60; n++) {
        for (uint64_t count = 1; count != 0; count = count == 1 ? UINT64_MAX : 0) {
            struct bench bench;
            bench_open(&bench, 20);
            ledger_refuse(&bench.ledger, n, count);
            feed_a_bit(bench.profile);
            bool refused = ledger_relent(&bench.ledger);
            cosm_profile_figures figures = cosmi_profile_system_figures(bench.profile, 1);
            CHECK(figures.runs <= 4 && figures.turns == figures.runs);
            CHECK_INT(figures.total_ns, figures.turns * 10);
            lost += figures.runs < 4;
            CHECK(refused || figures.runs == 4);
            feed_a_bit(bench.profile);
            CHECK_INT(cosmi_profile_system_figures(bench.profile, 1).runs, figures.runs + 4);
            bench_close(&bench);
        }
    }
    CHECK(lost > 0);
}

TEST(creating_a_profile_gives_everything_back_when_it_fails) {
    for (uint64_t n = 1; n <= 2; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        cosm_allocator allocator = ledger_allocator(&ledger);
        struct memory memory;
        CHECK(cosmi_memory_init(&memory, &allocator, 0));
        ledger_refuse(&ledger, n, 1);
        CHECK(cosmi_profile_create(&memory, &(cosm_profile_desc){.event_max = 9}) == NULL);
        CHECK_INT(atomic_load(&memory.used), 0);
        ledger_close(&ledger);
    }
}

struct sitter {
    cosm_profile *profile;
    uint32_t worker;
};

static void *sit(void *context) {
    const struct sitter *sitter = context;
    for (uint64_t i = 0; i < 1000; i++) {
        turn(sitter->profile, sitter->worker, 1 + (uint32_t)(i % 5), i, i + 2);
    }
    return NULL;
}

TEST(workers_add_turns_at_the_same_time) {
    enum { WORKERS = 4 };
    struct bench bench;
    bench_open(&bench, 2000);
    for (uint64_t round = 0; round < 3; round++) {
        begin(bench.profile, WORKERS);
        pthread_t threads[WORKERS];
        struct sitter sitters[WORKERS];
        for (uint32_t i = 1; i < WORKERS; i++) {
            sitters[i] = (struct sitter){bench.profile, i};
            REQUIRE(pthread_create(&threads[i], NULL, sit, &sitters[i]) == 0);
        }
        sit(&(struct sitter){bench.profile, 0});
        cosmi_profile_add_wait(bench.profile, 0, 5);
        for (uint32_t i = 1; i < WORKERS; i++) {
            pthread_join(threads[i], NULL);
        }
        cosmi_profile_end_phase(bench.profile, 2, 0, 5000);
    }
    for (uint32_t system = 1; system <= 5; system++) {
        cosm_profile_figures figures = cosmi_profile_system_figures(bench.profile, system);
        CHECK_INT(figures.runs, 3);
        CHECK_INT(figures.turns, 3 * WORKERS * 200);
        CHECK_INT(figures.total_ns, 3 * WORKERS * 400);
    }
    // Phases have an event too where there is room; only turns can be dropped.
    CHECK_INT(bench.profile->event_count + bench.profile->dropped, 3 * WORKERS * 1000 + 1);
    bench_close(&bench);
}

// A strict reader of JSON: RFC 8259 and nothing else. Its texts must be good UTF-8 too.

struct json {
    const char *at;
    uint32_t depth;
    bool wrong;
};

static void json_value(struct json *json);

static void json_blanks(struct json *json) {
    json->at += strspn(json->at, " \t\r\n");
}

static void json_expect(struct json *json, char expected) {
    if (json->wrong || *json->at != expected) {
        json->wrong = true;
        return;
    }
    json->at++;
}

static void json_digits(struct json *json) {
    size_t count = strspn(json->at, "0123456789");
    json->wrong |= count == 0;
    json->at += count;
}

static void json_number(struct json *json) {
    json->at += *json->at == '-';
    if (*json->at == '0') {
        json->at++;
    } else {
        json_digits(json);
    }
    if (*json->at == '.') {
        json->at++;
        json_digits(json);
    }
    if (*json->at == 'e' || *json->at == 'E') {
        json->at++;
        json->at += *json->at == '+' || *json->at == '-';
        json_digits(json);
    }
}

static void json_string(struct json *json) {
    json_expect(json, '"');
    while (!json->wrong && *json->at != '"') {
        unsigned char first = (unsigned char)*json->at;
        size_t size = cosmi_profile_character(json->at);
        if (first < 0x20 || size == 0) {
            json->wrong = true;
        } else if (first == '\\' && json->at[1] == 'u') {
            json->wrong = strspn(json->at + 2, "0123456789abcdefABCDEF") < 4;
            size = 6;
        } else if (first == '\\') {
            json->wrong = json->at[1] == '\0' || strchr("\"\\/bfnrt", json->at[1]) == NULL;
            size = 2;
        }
        json->at += json->wrong ? 0 : size;
    }
    json_expect(json, '"');
}

// Members up to the closing bracket; `named`: of an object.
static void json_members(struct json *json, char closing, bool named) {
    json->at++;
    json_blanks(json);
    if (*json->at == closing) {
        json->at++;
        return;
    }
    while (!json->wrong) {
        json_blanks(json);
        if (named) {
            json_string(json);
            json_blanks(json);
            json_expect(json, ':');
        }
        json_value(json);
        if (*json->at != ',') {
            break;
        }
        json->at++;
    }
    json_expect(json, closing);
}

static void json_value(struct json *json) {
    json_blanks(json);
    if (json->depth++ > 20) {
        json->wrong = true;
    } else if (*json->at == '{') {
        json_members(json, '}', true);
    } else if (*json->at == '[') {
        json_members(json, ']', false);
    } else if (*json->at == '"') {
        json_string(json);
    } else if (*json->at == '-' || (*json->at >= '0' && *json->at <= '9')) {
        json_number(json);
    } else {
        static const char *const words[] = {"true", "false", "null"};
        json->wrong = true;
        for (uint32_t i = 0; i < 3; i++) {
            if (strncmp(json->at, words[i], strlen(words[i])) == 0) {
                json->at += strlen(words[i]);
                json->wrong = false;
                break;
            }
        }
    }
    json->depth--;
    json_blanks(json);
}

static bool json_is_good(const char *text) {
    struct json json = {.at = text};
    json_value(&json);
    return !json.wrong && *json.at == '\0';
}

TEST(the_reader_of_json_tells_good_from_bad) {
    static const char *const good[] = {
        "{}",
        "[]",
        " [1, -0.5e+3 ,\"\\u00e9\\n\"]\n",
        "{\"a\":{\"b\":[true,false,null]},\"c\":0}",
    };
    static const char *const bad[] = {
        "",           "{",         "[1,]",  "{\"a\"}",    "{a:1}", "[01]",        "[1.]",
        "[\"\t\"]",   "[\"\\x\"]", "[1] 2", "{\"a\":1,}", "[.5]",  "[\"\\u12\"]", "[\"abc]",
        "[\"\xFF\"]", "[nul]",     "[1 2]", "[1,,2]",     "[1e]",  "[-]",         "[tru]",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        CHECK(json_is_good(good[i]));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(!json_is_good(bad[i]));
    }
}

// Texts that calls write, put together.
struct page {
    char *text;
    size_t length;
    size_t room;
};

static void page_write(void *context, const char *text, size_t length) {
    struct page *page = context;
    if (page->length + length + 1 > page->room) {
        page->room = (page->length + length + 1) * 2;
        char *larger = realloc(page->text, page->room);
        REQUIRE(larger != NULL);
        page->text = larger;
    }
    memcpy(page->text + page->length, text, length);
    page->length += length;
    page->text[page->length] = '\0';
}

static void page_close(struct page *page) {
    CHECK(page->text == NULL || strlen(page->text) == page->length);
    free(page->text);
}

// The trace.

static const char *list_system(const void *context, uint32_t system) {
    const char *const *names = context;
    return names[system];
}

static const char *list_phase(const void *context, uint32_t phase) {
    const char *const *names = context;
    return names[8 + phase];
}

// Names of systems 0 to 7 and of phases 0 to 7.
static struct page trace_of(const cosm_profile *profile, const char *const names[16]) {
    struct page page = {0};
    cosmi_profile_write_trace(profile, &(struct profile_names){list_system, list_phase, names},
                              page_write, &page);
    return page;
}

TEST(a_trace_has_tracks_phases_and_turns) {
    static const char *const names[16] = {[1] = "fall", [2] = "draw", [10] = "simulation"};
    struct bench bench;
    bench_open(&bench, 7);
    cosm_profile *profile = bench.profile;
    begin(profile, 2);
    turn(profile, 0, 1, 5001000, 5003500);
    turn(profile, 0, 3, 5003500, 5003501);
    cosmi_profile_add_turn(profile, 1,
                           &(struct profile_turn){.system = 2,
                                                  .thread = 5,
                                                  .world_first = 64,
                                                  .world_count = 32,
                                                  .rows = 123456789012,
                                                  .begin_ns = 5001007,
                                                  .end_ns = 6001007});
    cosmi_profile_end_phase(profile, 2, 5000000, 6002000);
    // Whatever begins first is the beginning of all.
    begin(profile, 1);
    cosmi_profile_end_phase(profile, 2, 4999990, 4999999);
    struct page page = trace_of(profile, names);
    CHECK_STR(page.text,
              "{\"traceEvents\":[\n"
              "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":"
              "\"cosm\"}},\n"
              "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":"
              "\"worker 0 (caller)\"}},\n"
              "{\"ph\":\"M\",\"pid\":1,\"tid\":5,\"name\":\"thread_name\",\"args\":{\"name\":"
              "\"worker 5\"}},\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":0.010,\"dur\":1002.000,\"name\":"
              "\"simulation\",\"cat\":\"phase\",\"args\":{\"run\":1}},\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":1.010,\"dur\":2.500,\"name\":\"fall\","
              "\"cat\":\"simulation\",\"args\":{\"first_world\":0,\"worlds\":1,\"rows\":10}},\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":3.510,\"dur\":0.001,\"name\":"
              "\"(removed)\",\"cat\":\"simulation\",\"args\":{\"first_world\":0,\"worlds\":1,"
              "\"rows\":10}},\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":5,\"ts\":1.017,\"dur\":1000.000,\"name\":\"draw\","
              "\"cat\":\"simulation\",\"args\":{\"first_world\":64,\"worlds\":32,\"rows\":"
              "123456789012}},\n"
              "{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":0.000,\"dur\":0.009,\"name\":"
              "\"simulation\",\"cat\":\"phase\",\"args\":{\"run\":2}}\n"
              "],\n"
              "\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":0}}\n");
    CHECK(json_is_good(page.text));
    page_close(&page);
    bench_close(&bench);
}

TEST(a_trace_without_events_is_good_json) {
    static const char *const names[16] = {0};
    struct bench bench;
    bench_open(&bench, 7);
    struct page page = trace_of(bench.profile, names);
    CHECK(json_is_good(page.text));
    page_close(&page);
    bench_close(&bench);
}

TEST(names_are_escaped_and_bad_utf8_is_replaced) {
    static const struct {
        const char *name;
        const char *written;
    } cases[] = {
        {"", "\"\""},
        {"say \"hi\" \\ / ", "\"say \\\"hi\\\" \\\\ / \""},
        {"\x01\n\t\x1F\x7F", "\"\\u0001\\u000a\\u0009\\u001f\\u007f\""},
        {"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x8E\xB2",
         "\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x8E\xB2\""},
        {"\x80", "\"\xEF\xBF\xBD\""},                 // a continuation alone
        {"\xC3", "\"\xEF\xBF\xBD\""},                 // cut off
        {"\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""}, // cut off later
        {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""}, // longer than it has to be
        {"\xE0\x9F\xBF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, // a surrogate
        {"\xF0\x8F\xBF\xBF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xF5\xFF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xE2\"", "\"\xEF\xBF\xBD\\\"\""}, // the quote is not swallowed
        {"\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF",
         "\"\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bench bench;
        bench_open(&bench, 7);
        run_once(bench.profile, 5);
        const char *const names[16] = {[1] = cases[i].name, [10] = cases[i].name};
        struct page page = trace_of(bench.profile, names);
        CHECK(json_is_good(page.text));
        char part[200];
        snprintf(part, sizeof(part), "\"dur\":0.005,\"name\":%s,\"cat\":\"phase\"",
                 cases[i].written);
        CHECK_CONTAINS(page.text, part);
        snprintf(part, sizeof(part), "\"name\":%s,\"cat\":%s,", cases[i].written, cases[i].written);
        CHECK_CONTAINS(page.text, part);
        page_close(&page);
        bench_close(&bench);
    }
}

TEST(a_trace_is_good_json_whatever_the_names) {
    struct dice dice = {harness_seed()};
    for (uint32_t round = 0; round < 500; round++) {
        char texts[2][COSM_NAME_LENGTH_MAX + 1];
        for (uint32_t n = 0; n < 2; n++) {
            uint32_t length = 1 + dice_roll(&dice, COSM_NAME_LENGTH_MAX);
            for (uint32_t i = 0; i < length; i++) {
                // Bytes of all kinds, and more of those that UTF-8 is made of.
                uint32_t kind = dice_roll(&dice, 4);
                uint32_t byte = 1 + dice_roll(&dice, 255);
                texts[n][i] = (char)(kind == 0   ? 0x80 | (byte & 0x3F)
                                     : kind == 1 ? 0xC0 | byte
                                                 : byte);
            }
            texts[n][length] = '\0';
        }
        const char *const names[16] = {[1] = texts[0], [10] = texts[1]};
        struct bench bench;
        bench_open(&bench, 40);
        for (uint32_t i = 0; i < 10; i++) {
            run_once(bench.profile, dice_next(&dice));
        }
        struct page page = trace_of(bench.profile, names);
        CHECK(json_is_good(page.text));
        page_close(&page);
        bench_close(&bench);
    }
}

// Through the public calls.

static void do_nothing(cosm_rows *rows) {
    (void)rows;
}

static cosm_system define_idle(const struct fixture *box, const char *name, cosm_phase phase) {
    cosm_system system = cosm_system_define(
        box->engine,
        &(cosm_system_desc){
            .name = name,
            .phase = phase,
            .each = do_nothing,
            .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE}}}}});
    CHECK(system.id != 0);
    return system;
}

static void feed(cosm_profile *profile, cosm_system system, uint32_t worker, uint64_t rows,
                 uint64_t ns) {
    cosmi_profile_add_turn(
        profile, worker,
        &(struct profile_turn){
            .system = system.id, .world_count = 1, .rows = rows, .begin_ns = 0, .end_ns = ns});
}

TEST(the_table_has_a_line_for_each_phase_and_for_each_of_its_systems) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system draw = define_idle(&box, "draw", COSM_PHASE_RENDER);
    cosm_system fall = define_idle(&box, "fall", COSM_PHASE_SIMULATION);
    cosm_system odd = define_idle(&box, "a name\nthat is l\xC3\xB6ng\xFF", COSM_PHASE_SIMULATION);
    cosm_system gone = define_idle(&box, "gone", COSM_PHASE_SIMULATION);
    (void)define_idle(&box, "never run, and long enough to matter", COSM_PHASE_INPUT);
    cosm_profile *profile = cosm_profile_create(box.batch, &(cosm_profile_desc){.event_max = 1});
    REQUIRE(profile != NULL);
    for (uint64_t i = 0; i < 2; i++) {
        cosmi_profile_begin_phase(profile, COSM_PHASE_SIMULATION.id, 8, 2);
        feed(profile, fall, 0, 1000, 20);
        feed(profile, fall, 1, 500, 5);
        feed(profile, odd, 1, 12345678901, 31 * 32768 * i);
        feed(profile, gone, 0, 0, 999999999999);
        cosmi_profile_add_wait(profile, fall.id, 15);
        cosmi_profile_add_wait(profile, 0, 1000000);
        cosmi_profile_end_phase(profile, COSM_PHASE_SIMULATION.id, 0, 2000000);
    }
    cosmi_profile_begin_phase(profile, COSM_PHASE_RENDER.id, 8, 1);
    feed(profile, draw, 0, 1, 4);
    cosmi_profile_end_phase(profile, COSM_PHASE_RENDER.id, 0, 12000000);
    CHECK_DONE(cosm_system_remove(box.engine, gone));
    struct page page = {0};
    CHECK_DONE(cosm_profile_print(profile, page_write, &page));
    CHECK_STR(page.text, "phase, system               runs      turns          rows     total ms"
                         "   median us      p99 us  longest us    waited us  share %\n"
                         "simulation                     2          8   24691360802        4.000"
                         "     1998.85     1998.85     2000.00      2000.03     25.0\n"
                         "  fall                         2          4          3000        0.000"
                         "        0.03        0.03        0.03         0.03      0.0\n"
                         "  a name?that is l\xC3\xB6ng?         2          2   24691357802      "
                         "  1.016        0.00     1015.81     1015.81         0.00     25.4\n"
                         "  (removed)                    2          2             0  2000000.000"
                         " 1000000000.00 1000000000.00 1000000000.00         0.00 50000000.0\n"
                         "render                         1          1             1       12.000"
                         "    11796.48    11796.48    12000.00         0.00     75.0\n"
                         "  draw                         1          1             1        0.000"
                         "        0.00        0.00        0.00         0.00      0.0\n"
                         "9 turns did not fit into the events\n");
    page_close(&page);
    CHECK_DONE(cosm_profile_destroy(profile));
    fixture_close(&box);
}

TEST(a_table_of_nothing_is_its_head) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_profile *profile = cosm_profile_create(box.batch, NULL);
    REQUIRE(profile != NULL);
    struct page page = {0};
    CHECK_DONE(cosm_profile_print(profile, page_write, &page));
    CHECK_STR(page.text,
              "phase, system       runs      turns          rows     total ms   median us"
              "      p99 us  longest us    waited us  share %\n");
    page_close(&page);
    CHECK_DONE(cosm_profile_destroy(profile));
    fixture_close(&box);
}

TEST(a_batch_has_one_profile_at_a_time) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    size_t before = cosm_batch_memory(box.batch).used;
    cosm_profile *profile = cosm_profile_create(box.batch, NULL);
    REQUIRE(profile != NULL);
    cosm_error_clear();
    CHECK(cosm_profile_create(box.batch, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_profile_create", "has a profile already",
                  "destroy that one first");
    CHECK_INT(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY);
    CHECK_DONE(cosm_profile_destroy(profile));
    CHECK_INT(cosm_batch_memory(box.batch).used, before);
    profile = cosm_profile_create(box.batch, NULL);
    CHECK(profile != NULL);
    CHECK_DONE(cosm_profile_destroy(profile));
    CHECK_DONE(cosm_profile_destroy(NULL));
    fixture_close(&box);
}

TEST(nulls_are_refused_or_have_no_figures) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_error_clear();
    CHECK(cosm_profile_create(NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_profile_create", "batch is NULL", "cosm_batch_create");
    cosm_profile *profile = cosm_profile_create(box.batch, NULL);
    REQUIRE(profile != NULL);
    struct page page = {0};
    CHECK_FAILS(cosm_profile_print(NULL, page_write, &page), COSM_ERROR_ARGUMENT,
                "cosm_profile_print", "profile is NULL", "cosm_profile_create");
    CHECK_FAILS(cosm_profile_print(profile, NULL, NULL), COSM_ERROR_ARGUMENT, "cosm_profile_print",
                "write is NULL", "pass a function");
    CHECK_FAILS(cosm_profile_trace(NULL, page_write, &page), COSM_ERROR_ARGUMENT,
                "cosm_profile_trace", "profile is NULL", "cosm_profile_create");
    CHECK_FAILS(cosm_profile_trace(profile, NULL, NULL), COSM_ERROR_ARGUMENT, "cosm_profile_trace",
                "write is NULL", "pass a function");
    CHECK_FAILS(cosm_profile_trace(profile, page_write, &page), COSM_ERROR_ARGUMENT,
                "cosm_profile_trace", "keeps no events", "desc.event_max");
    CHECK_INT(page.length, 0);
    CHECK_INT(cosm_profile_system(NULL, (cosm_system){1}).runs, 0);
    CHECK_INT(cosm_profile_phase(NULL, COSM_PHASE_SIMULATION).runs, 0);
    CHECK_INT(cosm_profile_events_dropped(NULL), 0);
    CHECK_INT(cosm_profile_system(profile, (cosm_system){0}).runs, 0);
    CHECK_INT(cosm_profile_phase(profile, (cosm_phase){99}).runs, 0);
    CHECK_SILENT();
    CHECK_DONE(cosm_profile_destroy(profile));
    fixture_close(&box);
}

TEST(a_profile_counts_against_the_memory_limit_of_its_batch) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.memory_limit = 1 << 20});
    cosm_error_clear();
    CHECK(cosm_profile_create(box.batch, &(cosm_profile_desc){.event_max = 40000}) == NULL);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_profile_create", "memory_limit is 1048576",
                  "raise the limit");
    cosm_profile *profile = cosm_profile_create(box.batch, &(cosm_profile_desc){.event_max = 10});
    CHECK(profile != NULL);
    CHECK_DONE(cosm_profile_destroy(profile));
    fixture_close(&box);
}

// What a system finds when it calls for the profile that times it.
struct meddler {
    cosm_batch *batch;
    cosm_profile *profile;
    bool was_called;
};

static void meddle(const cosm_turn *turn_at_hand) {
    struct meddler *meddler = turn_at_hand->context;
    (void)turn_at_hand;
    struct page page = {0};
    meddler->was_called = true;
    CHECK_INT(cosm_profile_destroy(meddler->profile), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "cosm_profile_destroy: the batch is running; ");
    CHECK(cosm_profile_create(meddler->batch, NULL) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "cosm_profile_create: the batch is running; ");
    CHECK_INT(cosm_profile_print(meddler->profile, page_write, &page), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "cosm_profile_print: the batch is running; ");
    CHECK_INT(cosm_profile_trace(meddler->profile, page_write, &page), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "cosm_profile_trace: the batch is running; ");
    CHECK_INT(page.length, 0);
}

TEST(a_profile_is_left_alone_while_its_batch_is_running) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct meddler meddler = {.batch = box.batch};
    meddler.profile = cosm_profile_create(box.batch, &(cosm_profile_desc){.event_max = 10});
    REQUIRE(meddler.profile != NULL);
    cosm_system system = cosm_system_define(
        box.engine, &(cosm_system_desc){
                        .name = "meddle", .run = meddle, .context = &meddler, .main_thread = true});
    // A failure in a system fails the step.
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_BUSY);
    CHECK(meddler.was_called);
    CHECK_INT(cosm_profile_system(meddler.profile, system).runs, 1);
    CHECK_DONE(cosm_profile_destroy(meddler.profile));
    fixture_close(&box);
}

// Whole steps.

static void advance(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
    }
}

enum { WORLDS = 8, MOVERS = 3000, STEPS = 5 };

static void check_figures(const cosm_profile *profile, cosm_system all, cosm_system some) {
    cosm_profile_figures figures = cosm_profile_system(profile, all);
    CHECK_INT(figures.runs, STEPS);
    CHECK_INT(figures.rows, STEPS * WORLDS * MOVERS);
    CHECK(figures.turns >= figures.runs);
    CHECK(figures.median_ns <= figures.p99_ns && figures.p99_ns <= figures.longest_ns);
    CHECK(figures.longest_ns <= figures.total_ns);
    // Steps 1 to 5 were timed: 2 and 4 are even.
    CHECK_INT(cosm_profile_system(profile, some).runs, 2);
    CHECK_INT(cosm_profile_system(profile, some).rows, 2 * WORLDS * MOVERS);
    cosm_profile_figures phase = cosm_profile_phase(profile, COSM_PHASE_SIMULATION);
    CHECK_INT(phase.runs, STEPS);
    CHECK_INT(phase.turns, figures.turns + cosm_profile_system(profile, some).turns);
    CHECK_INT(cosm_profile_events_dropped(profile), 0);
}

static void check_real_trace(const cosm_profile *profile) {
    struct page page = {0};
    CHECK_DONE(cosm_profile_trace(profile, page_write, &page));
    CHECK(json_is_good(page.text));
    CHECK_CONTAINS(page.text, "\"name\":\"now and then\",\"cat\":\"simulation\"");
    CHECK_CONTAINS(page.text, "worker 0 (caller)");
    page_close(&page);
}

// Returns the checksum of what the steps, with a profile or without, have come to.
static uint64_t check_real_steps(uint32_t worker_count, cosm_split split, bool profiled) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = worker_count},
                      &(cosm_batch_desc){.world_count = WORLDS, .split = split, .block_worlds = 2});
    cosm_system_desc desc = {
        .name = "advance",
        .each = advance,
        .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
    cosm_system all = cosm_system_define(box.engine, &desc);
    desc.name = "now and then";
    desc.every = 2;
    cosm_system some = cosm_system_define(box.engine, &desc);
    for (uint32_t w = 0; w < WORLDS; w++) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, MOVERS, &rows));
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_profile *profile = NULL;
    if (profiled) {
        profile = cosm_profile_create(box.batch, &(cosm_profile_desc){.event_max = 9999});
        CHECK(profile != NULL);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    if (profile != NULL) {
        check_figures(profile, all, some);
        check_real_trace(profile);
    }
    CHECK_DONE(cosm_profile_destroy(profile));
    CHECK_DONE(cosm_batch_step(box.batch));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    fixture_close(&box);
    return checksum;
}

TEST(steps_are_timed_however_they_are_spread_and_come_to_the_same) {
    static const cosm_split splits[] = {COSM_SPLIT_AUTO, COSM_SPLIT_WORLDS, COSM_SPLIT_CHUNKS,
                                        COSM_SPLIT_NONE};
    uint64_t plain = check_real_steps(1, COSM_SPLIT_NONE, false);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(check_real_steps(1, splits[i], true), plain);
        CHECK_INT(check_real_steps(4, splits[i], true), plain);
    }
}
