// The progress bar and its plain twin.
#include "progress.h"
#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 32u
#define REDRAW_NS 50000000ull  // 20 times a second
#define QUIET_NS 1000000000ull // shorter runs need no progress

uint64_t progress_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

// A terminal that calls itself dumb cannot go back to the start of a line.
bool progress_can_redraw(void) {
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && kind != NULL && strcmp(kind, "dumb") != 0;
}

void progress_begin(struct progress *progress, uint64_t worlds, uint64_t steps) {
    *progress =
        (struct progress){.steps = steps, .worlds = worlds, .is_terminal = progress_can_redraw()};
    progress->began_ns = progress_now_ns();
}

static void print_line(const struct progress *progress, uint64_t done, uint64_t elapsed_ns) {
    char speed[32];
    format_rate(speed, sizeof(speed), progress->worlds * done, elapsed_ns);
    fprintf(stderr, "step %llu of %llu, %llu %%, %s world-steps/s", (unsigned long long)done,
            (unsigned long long)progress->steps, (unsigned long long)(done * 100 / progress->steps),
            speed);
}

static void draw_bar(const struct progress *progress, uint64_t done, uint64_t elapsed_ns) {
    char bar[BAR_WIDTH + 1];
    size_t filled = (size_t)(done * BAR_WIDTH / progress->steps);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] ", bar);
    print_line(progress, done, elapsed_ns);
    fputs("\033[K", stderr); // clears what a longer text has left to the right
    fflush(stderr);
}

void progress_update(struct progress *progress, uint64_t done) {
    uint64_t now = progress_now_ns();
    uint64_t elapsed_ns = now - progress->began_ns;
    if (elapsed_ns < QUIET_NS) {
        return;
    }
    if (progress->is_terminal) {
        if (now - progress->drawn_ns >= REDRAW_NS || done == progress->steps) {
            progress->drawn_ns = now;
            draw_bar(progress, done, elapsed_ns);
        }
        return;
    }
    if (elapsed_ns >= progress->line_ns) {
        progress->line_ns = 2 * elapsed_ns;
        print_line(progress, done, elapsed_ns);
        fputc('\n', stderr);
    }
}

void progress_end(const struct progress *progress) {
    if (progress->is_terminal && progress->drawn_ns != 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
