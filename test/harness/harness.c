// The harness behind harness.h: the list of tests, the checks and the command line.
//
// main itself is in main.c, so that fuzz targets, which bring their own, may use the checks too.
#include "harness.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A loop over a million rows that fails in each must not bury the first failure.
#define FAILURES_SHOWN_MAX 10

static struct harness_test *tests;
static atomic_uint failures; // of the running test; checks may come from any thread
static atomic_bool seed_used;
static uint64_t seed = 20260101;

// Tests sort by place, because the order of constructors is the linker's to choose.
static bool comes_before(const struct harness_test *a, const struct harness_test *b) {
    int order = strcmp(a->file, b->file);
    return order != 0 ? order < 0 : a->line < b->line;
}

void harness_register(struct harness_test *test) {
    struct harness_test **link = &tests;
    while (*link != NULL && comes_before(*link, test)) {
        link = &(*link)->next;
    }
    test->next = *link;
    *link = test;
}

uint64_t harness_seed(void) {
    atomic_store(&seed_used, true);
    return seed;
}

bool harness_is_long(void) {
    const char *value = getenv("COSM_TEST_LONG");
    return value != NULL && strcmp(value, "0") != 0;
}

struct harness_int harness_signed(int64_t value) {
    return (struct harness_int){value < 0, (uint64_t)value};
}

struct harness_int harness_unsigned(uint64_t value) {
    return (struct harness_int){false, value};
}

// Counts a failure and prints its place. False when its details are better left out.
static bool report(const char *file, int line) {
    unsigned count = atomic_fetch_add(&failures, 1);
    if (count == 0) {
        printf("FAILED\n");
    }
    if (count == FAILURES_SHOWN_MAX) {
        printf("    (more failures of this test are not shown)\n");
    }
    if (count >= FAILURES_SHOWN_MAX) {
        return false;
    }
    printf("    %s:%d: ", file, line);
    return true;
}

bool harness_check(const char *file, int line, const char *what, bool passed) {
    if (!passed && report(file, line)) {
        printf("%s is false\n", what);
    }
    return passed;
}

static void print_int(struct harness_int value) {
    if (value.is_negative) {
        printf("%" PRId64, (int64_t)value.bits);
    } else if (value.bits > 0xffff) {
        printf("%" PRIu64 " (0x%" PRIx64 ")", value.bits, value.bits);
    } else {
        printf("%" PRIu64, value.bits);
    }
}

bool harness_check_int(const char *file, int line, const char *what, struct harness_int actual,
                       struct harness_int expected) {
    bool passed = actual.is_negative == expected.is_negative && actual.bits == expected.bits;
    if (!passed && report(file, line)) {
        printf("%s is ", what);
        print_int(actual);
        printf(", expected ");
        print_int(expected);
        printf("\n");
    }
    return passed;
}

bool harness_check_near(const char *file, int line, const char *what, double actual,
                        double expected, double tolerance) {
    double distance = actual > expected ? actual - expected : expected - actual;
    bool passed = distance <= tolerance;
    if (!passed && report(file, line)) {
        printf("%s is %.9g, expected %.9g within %.3g\n", what, actual, expected, tolerance);
    }
    return passed;
}

static void print_str(const char *text) {
    if (text == NULL) {
        printf("NULL");
    } else {
        printf("\"%s\"", text);
    }
}

bool harness_check_str(const char *file, int line, const char *what, const char *actual,
                       const char *expected) {
    bool passed =
        actual == expected || (actual != NULL && expected != NULL && strcmp(actual, expected) == 0);
    if (!passed && report(file, line)) {
        printf("%s is ", what);
        print_str(actual);
        printf(", expected ");
        print_str(expected);
        printf("\n");
    }
    return passed;
}

bool harness_check_contains(const char *file, int line, const char *what, const char *haystack,
                            const char *needle) {
    bool passed = haystack != NULL && needle != NULL && strstr(haystack, needle) != NULL;
    if (!passed && report(file, line)) {
        printf("%s is ", what);
        print_str(haystack);
        printf(", which does not contain ");
        print_str(needle);
        printf("\n");
    }
    return passed;
}

bool harness_check_mem(const char *file, int line, const char *what, const void *actual,
                       const void *expected, size_t size) {
    if (size == 0) {
        return true;
    }
    const unsigned char *a = actual;
    const unsigned char *b = expected;
    if (a == NULL || b == NULL) {
        if (report(file, line)) {
            printf("%s: compared with NULL\n", what);
        }
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            if (report(file, line)) {
                printf("%s: byte %zu of %zu is 0x%02x, expected 0x%02x\n", what, i, size, a[i],
                       b[i]);
            }
            return false;
        }
    }
    return true;
}

// What the command line asked for.
struct options {
    const char *program;
    const char *file;
    const char *filter;
    bool list;
};

static bool parse_seed(const char *text) {
    char *end = NULL;
    seed = strtoull(text, &end, 0);
    return end != text && *end == '\0';
}

static bool parse_options(struct options *options, int argc, char **argv) {
    options->program = argc > 0 ? argv[0] : "test";
    const char *seed_text = getenv("COSM_TEST_SEED");
    if (seed_text != NULL && !parse_seed(seed_text)) {
        return false;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            options->list = true;
        } else if (strcmp(argv[i], "--file") == 0 && i + 1 < argc) {
            options->file = argv[++i];
        } else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc) {
            options->filter = argv[++i];
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            if (!parse_seed(argv[++i])) {
                return false;
            }
        } else {
            return false;
        }
    }
    return true;
}

// The name of the test's file without its folders, and how much of it comes before the dot.
static const char *stem_of(const struct harness_test *test, int *length) {
    const char *slash = strrchr(test->file, '/');
    const char *stem = slash != NULL ? slash + 1 : test->file;
    *length = (int)strcspn(stem, ".");
    return stem;
}

static bool is_asked_for(const struct harness_test *test, const struct options *options) {
    int length = 0;
    const char *stem = stem_of(test, &length);
    if (options->file != NULL && (strlen(options->file) != (size_t)length ||
                                  strncmp(options->file, stem, (size_t)length) != 0)) {
        return false;
    }
    return options->filter == NULL || strstr(test->name, options->filter) != NULL;
}

static bool run_one(const struct harness_test *test, const struct options *options) {
    atomic_store(&failures, 0);
    atomic_store(&seed_used, false);
    printf("  %s ... ", test->name);
    fflush(stdout); // so that a crash leaves the name behind
    test->run();
    bool passed = atomic_load(&failures) == 0;
    if (passed && atomic_load(&seed_used)) {
        printf("ok (seed %" PRIu64 ")\n", seed);
    } else if (passed) {
        printf("ok\n");
    } else {
        int length = 0;
        const char *stem = stem_of(test, &length);
        printf("    again: %s --file %.*s --filter %s", options->program, length, stem, test->name);
        if (atomic_load(&seed_used)) {
            printf(" --seed %" PRIu64, seed);
        }
        printf("\n");
    }
    return passed;
}

int harness_main(int argc, char **argv) {
    struct options options = {0};
    if (!parse_options(&options, argc, argv)) {
        fprintf(stderr, "usage: %s [--list] [--file STEM] [--filter TEXT] [--seed N]\n",
                options.program);
        return 2;
    }
    unsigned passed = 0;
    unsigned failed = 0;
    for (const struct harness_test *test = tests; test != NULL; test = test->next) {
        if (!is_asked_for(test, &options)) {
            continue;
        }
        if (options.list) {
            printf("%s\n", test->name);
        } else if (run_one(test, &options)) {
            passed++;
        } else {
            failed++;
        }
    }
    if (options.list) {
        return 0;
    }
    if (passed + failed == 0) {
        printf("no test ran: none is named so, or none is written\n");
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
