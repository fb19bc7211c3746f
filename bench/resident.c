// Resident memory of a child process, as the kernel counts it.
//
// A child per measurement: nothing that an earlier row left behind is reused or counted.
#define _POSIX_C_SOURCE 200809L

#include "resident.h"

#include "bench.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct answer {
    double bytes;
    uint64_t checksum;
};

// /proc/self/statm may lag behind by some hundred pages, since each core counts on its own; the
// sum over all mappings is exact, so it is taken where the kernel has it.
static double resident_now(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long kib = 0;
        if (sscanf(line, "Rss: %lu kB", &kib) == 1) {
            fclose(file);
            return (double)kib * 1024.0;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    unsigned long total = 0;
    unsigned long resident = 0;
    file = fopen("/proc/self/statm", "r");
    bench_need(file != NULL && fscanf(file, "%lu %lu", &total, &resident) == 2, "/proc/self/statm");
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static struct answer measure(void (*make)(uint32_t n), uint64_t (*hash)(void), uint32_t n) {
    struct answer answer;
    malloc_trim(0);
    double before = resident_now();
    make(n);
    answer.bytes = (resident_now() - before) / (double)n;
    answer.checksum = hash();
    return answer;
}

double resident_measure(void (*make)(uint32_t n), uint64_t (*hash)(void), uint32_t n,
                        uint64_t *out_checksum) {
    int ends[2];
    bench_need(pipe(ends) == 0, "pipe");
    fflush(NULL);
    pid_t child = fork();
    bench_need(child >= 0, "child process");
    struct answer answer = {0};
    if (child == 0) {
        close(ends[0]);
        answer = measure(make, hash, n);
        _exit(write(ends[1], &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
    }
    close(ends[1]);
    bool answered = read(ends[0], &answer, sizeof answer) == (ssize_t)sizeof answer;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    bench_need(answered && status == 0, "answer from the child process");
    *out_checksum = answer.checksum;
    return answer.bytes;
}
