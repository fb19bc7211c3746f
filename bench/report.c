// What the benchmark says: an aligned table for people, a CSV file for machines.
//
// Every row is judged by its ratio. The bar of a row in bytes is given in bytes, so it is divided
// by the limit's bytes here: then "ratio at most bar" means the same in all rows.
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

static const char *verdict(double ratio, double bar, bool equal) {
    if (!equal) {
        return "WRONG: checksums differ";
    }
    if (bar == 0) {
        return "-";
    }
    return ratio <= bar ? "ok" : "MISS";
}

void bench_report_row(const struct bench_row *row, struct bench_result result) {
    bool in_bytes = row->cosm->bytes != NULL;
    double ratio = result.cosm / result.limit;
    double bar = in_bytes ? row->bar / result.limit : row->bar;
    const char *unit = in_bytes ? "bytes" : "ns";
    printf("%-14s %8u %10.3f %10.3f %7.2f ", row->name, row->n, result.cosm, result.limit, ratio);
    if (bar == 0) {
        printf("%6s  %-5s %s\n", "-", unit, verdict(ratio, bar, result.equal));
    } else {
        printf("%6.2f  %-5s %s\n", bar, unit, verdict(ratio, bar, result.equal));
    }
    fflush(stdout);
    // A row without a bar is there for comparison; the file holds what is judged.
    if (csv != NULL && bar != 0) {
        fprintf(csv, "%s,%u,%.4f,%.4f,%.4f,%.4f,%s\n", row->name, row->n, result.cosm, result.limit,
                ratio, bar, unit);
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
