// The harness of the benchmark: what a row is, and the small services that rows share.
//
// A row is the same work done twice: by Cosm, and by plain C arrays (the limit). Each side is a
// set of functions on a state of its own; the harness runs them in turn, keeps the best time of
// each and compares their checksums. The list of rows is in rows.c, the plain sides in limit/.
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Keeps the compiler from joining one run of a loop with the next: every frame starts from memory.
#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

// One side of a row. Only `run` is timed.
struct bench_side {
    void *(*create)(uint32_t n);
    // Called before every run, to undo the last one; NULL where a run may follow a run as it is.
    void (*prepare)(void *state);
    // Does the work `times` times; where there is a `prepare`, `times` is always 1.
    void (*run)(void *state, uint32_t times);
    // Of the data as the last run left it.
    uint64_t (*checksum)(void *state);
    void (*destroy)(void *state);
    // Instead of all of the above, for rows that count bytes: bytes per item, measured in a
    // process of its own.
    double (*bytes)(uint32_t n, uint64_t *out_checksum);
};

// What was measured: ns or bytes per item, the best of all rounds.
struct bench_result {
    double cosm;
    double limit;
    bool equal; // the checksums of both sides agreed in every round
};

// What a row's bar is held against.
enum bench_judge {
    BENCH_RATIO,    // the ratio, which is good when it is at most the bar
    BENCH_COSM,     // Cosm's ns or bytes, at most the bar; reported as a ratio like the others
    BENCH_SPEED_UP, // how much faster Cosm's side is than the other: at least the bar. The row is
                    // reported as speeds, items per us, so that ratio is cosm / limit here too
};

struct bench_row {
    const char *name;
    uint32_t n; // items of one run
    double bar; // zero: no bar
    const struct bench_side *cosm;
    const struct bench_side *limit; // plain C; where README says so, another run of Cosm
    enum bench_judge judge;
    const char *note; // tells apart rows that have name and n in common; or NULL
    uint32_t times;   // runs in a round; zero: as many as make it long against the clock's cost
    // Told of every result, behind its line in the table; or NULL.
    void (*after)(const struct bench_row *row, struct bench_result result);
};

// Runs both sides of a row in turn, `rounds` times; zero: as often as it takes for a figure that
// repeats.
struct bench_result bench_measure(const struct bench_row *row, uint32_t rounds);

// The report: one line per row to standard output and, where `path` is not NULL, to a CSV file.
bool bench_report_begin(const char *path);
void bench_report_row(const struct bench_row *row, struct bench_result result);
bool bench_report_end(void);

// Memory aligned to 64 bytes, as a good plain C program has it too. Ends the program when there is
// none. Give it back with free().
void *bench_alloc(size_t count, size_t size);

// Ends the program with a message, and with Cosm's last message, when `done` is false.
void bench_need(bool done, const char *what);

// The path of a file that no other program of this bench has; `kind` tells several apart.
void bench_file(char *out_path, size_t size, const char *kind);

// The numbers 0 to n - 1 in an order that looks random and is always the same. Yours to free.
uint32_t *bench_shuffled(uint32_t n);

// How many of `n` items the part number `i` of `parts` gets.
uint32_t bench_share(uint32_t n, uint32_t parts, uint32_t i);

#endif
