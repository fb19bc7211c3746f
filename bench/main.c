// cosm_bench: runs the rows and prints how far Cosm is from plain C.
//
// Returns 0 also when a bar is missed, which is printed; 1 when the two sides of a row came to
// different results or the CSV file could not be written, 2 when it was called wrongly.
#include "bench.h"
#include "rows.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 100000u

struct options {
    const char *row;
    const char *csv;
    uint32_t rounds; // zero: the harness decides
    bool list;
};

static int usage(void) {
    fprintf(stderr, "usage: cosm_bench [--row NAME] [--csv FILE] [--rounds N] [--list]\n");
    return 2;
}

static bool parse_rounds(const char *text, uint32_t *out_rounds) {
    char *end = NULL;
    unsigned long rounds = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || rounds == 0 || rounds > ROUNDS_MAX) {
        return false;
    }
    *out_rounds = (uint32_t)rounds;
    return true;
}

static bool parse(int argc, char **argv, struct options *options) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            options->list = true;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(argv[i], "--row") == 0) {
            options->row = value;
        } else if (strcmp(argv[i], "--csv") == 0) {
            options->csv = value;
        } else if (strcmp(argv[i], "--rounds") != 0 || !parse_rounds(value, &options->rounds)) {
            return false;
        }
        i++;
    }
    return true;
}

static bool is_chosen(const struct bench_row *row, const struct options *options) {
    return options->row == NULL || strcmp(options->row, row->name) == 0;
}

// False when the two sides of a row came to different results.
static bool run_rows(const struct options *options) {
    bool equal = true;
    for (uint32_t i = 0; i < bench_row_count; i++) {
        const struct bench_row *row = &bench_rows[i];
        if (is_chosen(row, options)) {
            struct bench_result result = bench_measure(row, options->rounds);
            bench_report_row(row, result);
            if (row->after != NULL) {
                row->after(row, result);
            }
            equal = equal && result.equal;
        }
    }
    return equal;
}

int main(int argc, char **argv) {
    struct options options = {0};
    if (!parse(argc, argv, &options)) {
        return usage();
    }
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < bench_row_count; i++) {
        if (is_chosen(&bench_rows[i], &options)) {
            chosen++;
            if (options.list) {
                printf("%s %u\n", bench_rows[i].name, bench_rows[i].n);
            }
        }
    }
    if (chosen == 0) {
        fprintf(stderr, "cosm_bench: there is no row \"%s\"; --list shows them\n", options.row);
        return 2;
    }
    if (options.list) {
        return 0;
    }
    // The C library raises this threshold when a large block is freed, and then serves the next
    // one from memory that was touched before. Set, it stays: large blocks are always fresh.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    if (!bench_report_begin(options.csv)) {
        return 1;
    }
    bool equal = run_rows(&options);
    return bench_report_end() && equal ? 0 : 1;
}
