// What the benchmark says: an aligned table for people, a CSV file for machines.
//
// Every row is judged by its ratio. A bar that is given in ns or bytes is divided by the limit's
// here: then "ratio at most bar" means the same in all rows but those that compare speeds, where
// it is "at least".
#include "bench.h"

#include <stdio.h>

static FILE *csv;

bool bench_report_begin(const char *path) {
    printf("%-14s %8s %10s %10s %7s %6s  %s\n", "row", "n", "cosm", "limit", "ratio", "bar",
           "unit");
    if (path == NULL) {
        return true;
    }
    csv = fopen(path, "w");
    if (csv == NULL) {
        perror(path);
        return false;
    }
    fprintf(csv, "row,n,cosm,limit,ratio,bar,unit\n");
    return true;
}

// A row as it is printed.
struct line {
    double cosm;
    double limit;
    double ratio;
    double bar;
    const char *unit;
};

static struct line line_of(const struct bench_row *row, struct bench_result result) {
    struct line line = {.cosm = result.cosm, .limit = result.limit, .bar = row->bar};
    line.unit = row->cosm->bytes != NULL ? "bytes" : "ns";
    if (row->judge == BENCH_SPEED_UP) {
        line.cosm = 1000.0 / result.cosm;
        line.limit = 1000.0 / result.limit;
        line.unit = "n/us";
    } else if (row->judge == BENCH_COSM) {
        line.bar = row->bar / result.limit;
    }
    line.ratio = line.cosm / line.limit;
    return line;
}

static const char *verdict(const struct bench_row *row, const struct line *line, bool equal) {
    if (!equal) {
        return "WRONG: checksums differ";
    }
    if (line->bar == 0) {
        return "-";
    }
    bool good = row->judge == BENCH_SPEED_UP ? line->ratio >= line->bar : line->ratio <= line->bar;
    return good ? "ok" : "MISS";
}

void bench_report_row(const struct bench_row *row, struct bench_result result) {
    struct line line = line_of(row, result);
    printf("%-14s %8u %10.3f %10.3f %7.2f ", row->name, row->n, line.cosm, line.limit, line.ratio);
    if (line.bar == 0) {
        printf("%6s", "-");
    } else {
        printf("%6.2f", line.bar);
    }
    const char *space = row->note == NULL ? "" : "  ";
    printf("  %-5s %s%s%s\n", line.unit, verdict(row, &line, result.equal), space,
           row->note == NULL ? "" : row->note);
    fflush(stdout);
    // A row without a bar is there for comparison; the file holds what is judged.
    if (csv != NULL && line.bar != 0) {
        fprintf(csv, "%s,%u,%.4f,%.4f,%.4f,%.4f,%s\n", row->name, row->n, line.cosm, line.limit,
                line.ratio, line.bar, line.unit);
    }
}

bool bench_report_end(void) {
    if (csv == NULL) {
        return true;
    }
    bool written = ferror(csv) == 0;
    written = fclose(csv) == 0 && written;
    csv = NULL;
    if (!written) {
        fprintf(stderr, "cosm_bench: the CSV file could not be written\n");
    }
    return written;
}
