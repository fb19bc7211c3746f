// A picture on a terminal: a character stands for two pixels, one above the other, as the upper
// half block in one colour on the other. Where the locale is not UTF-8 it is a space in the mean of
// both, where colours are not wanted (NO_COLOR) a letter as dark as it is.
#include "watch.h"
#include "format.h"
#include "progress.h"
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_NS 45000000ull // about 20 times a second
#define PACE_NS 50000000.0    // of a step, where the simulation does not say what it stands for
#define COLUMNS_MAX 76u       // of a picture
#define LINES_MAX 22u
#define LINES_BELOW 2u // the status, and the line that the cursor is on

struct pixel {
    uint32_t red;
    uint32_t green;
    uint32_t blue;
};

// The name of the character set, or what stands for it.
static bool is_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
        }
    }
    return false;
}

// The least whole number by which the canvas fits on the terminal.
static uint32_t find_scale(const cosm_canvas *canvas) {
    struct winsize size = {.ws_row = 0};
    uint32_t columns = COLUMNS_MAX;
    uint32_t lines = LINES_MAX;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > LINES_BELOW &&
        size.ws_col > 0) {
        columns = size.ws_col < columns ? size.ws_col : columns;
        lines = size.ws_row - LINES_BELOW < lines ? size.ws_row - LINES_BELOW : lines;
    }
    uint32_t scale = 1;
    while (canvas->width / scale > columns || canvas->height / scale > 2 * lines) {
        scale++;
    }
    return scale;
}

bool watch_begin(struct watch *watch, const struct arguments *arguments,
                 const struct simulation *simulation) {
    *watch = (struct watch){.world = arguments->world, .steps = arguments->steps};
    if (!arguments->watch) {
        return true;
    }
    cosm_canvas *canvas = &watch->canvas;
    if (!simulation_canvas(simulation, &canvas->width, &canvas->height)) {
        fprintf(stderr, "cosm: %s cannot be drawn; run it without --watch\n",
                simulation_name(simulation));
        return false;
    }
    if (!progress_can_redraw()) {
        return true;
    }
    canvas->pixels = calloc((size_t)canvas->width * canvas->height, 3);
    if (canvas->pixels == NULL) {
        fprintf(stderr, "cosm: out of memory for a picture; run it without --watch\n");
        return false;
    }
    float seconds = simulation_step_seconds(simulation);
    const char *plain = getenv("NO_COLOR");
    watch->simulation = simulation;
    watch->pace_ns = (uint64_t)(seconds > 0.0f ? (double)seconds * 1e9 : PACE_NS);
    watch->due_ns = progress_now_ns();
    watch->scale = find_scale(canvas);
    watch->has_colour = plain == NULL || plain[0] == '\0';
    watch->is_unicode = is_utf8();
    return true;
}

bool watch_is_on(const struct watch *watch) {
    return watch->simulation != NULL;
}

// The mean of the pixels of the canvas that are one of the terminal.
static struct pixel pixel_at(const struct watch *watch, uint32_t x, uint32_t y) {
    const cosm_canvas *canvas = &watch->canvas;
    struct pixel sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t row = y * watch->scale; row < (y + 1) * watch->scale; row++) {
        for (uint32_t column = x * watch->scale; column < (x + 1) * watch->scale; column++) {
            if (row < canvas->height && column < canvas->width) {
                const uint8_t *from = canvas->pixels + ((size_t)row * canvas->width + column) * 3;
                sum.red += from[0];
                sum.green += from[1];
                sum.blue += from[2];
                count++;
            }
        }
    }
    count = count > 0 ? count : 1;
    return (struct pixel){sum.red / count, sum.green / count, sum.blue / count};
}

static struct pixel mean_of(struct pixel a, struct pixel b) {
    return (struct pixel){(a.red + b.red) / 2, (a.green + b.green) / 2, (a.blue + b.blue) / 2};
}

// One of six levels: 0, 95, 135, 175, 215, 255.
static uint32_t level_of(uint32_t value) {
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

// The nearest of the 256 colours that terminals have: a cube of six levels, and 24 greys.
static uint32_t colour_of(struct pixel pixel) {
    uint32_t least = pixel.red < pixel.green ? pixel.red : pixel.green;
    uint32_t most = pixel.red > pixel.green ? pixel.red : pixel.green;
    least = pixel.blue < least ? pixel.blue : least;
    most = pixel.blue > most ? pixel.blue : most;
    if (most - least < 16) {
        uint32_t grey = (least + most) / 2;
        return grey < 4 ? 16 : grey > 242 ? 231 : 232 + (grey - 4) / 10;
    }
    return 16 + 36 * level_of(pixel.red) + 6 * level_of(pixel.green) + level_of(pixel.blue);
}

static void draw_cell(const struct watch *watch, struct pixel upper, struct pixel lower,
                      uint32_t *io_colours, FILE *out) {
    static const char dark[] = " .:-=+*#%@";
    struct pixel both = mean_of(upper, lower);
    if (!watch->has_colour) {
        uint32_t light = (both.red * 3 + both.green * 6 + both.blue) / 10;
        fputc(dark[light * 9 / 255], out);
        return;
    }
    uint32_t front = watch->is_unicode ? colour_of(upper) : 0;
    uint32_t back = colour_of(watch->is_unicode ? lower : both);
    if (*io_colours != (front << 8 | back)) {
        *io_colours = front << 8 | back;
        fprintf(out, "\033[38;5;%u;48;5;%um", front, back);
    }
    fputs(watch->is_unicode ? "\xE2\x96\x80" : " ", out);
}

static void draw_status(const struct watch *watch, uint64_t done, FILE *out) {
    const struct simulation *simulation = watch->simulation;
    uint64_t worlds = cosm_batch_world_count(simulation_batch(simulation));
    char count[32];
    char speed[32];
    format_count(count, sizeof(count), worlds);
    format_rate(speed, sizeof(speed), worlds * simulation->step_count, simulation->step_ns);
    fprintf(out, "%s, world %u of %s, step %llu of %llu, %s world-steps/s\033[K\n",
            simulation_name(simulation), watch->world, count, (unsigned long long)done,
            (unsigned long long)watch->steps, speed);
}

static void draw_picture(const struct watch *watch, uint64_t done, FILE *out) {
    uint32_t columns = (watch->canvas.width + watch->scale - 1) / watch->scale;
    uint32_t rows = (watch->canvas.height + watch->scale - 1) / watch->scale;
    uint32_t lines = (rows + 1) / 2;
    if (watch->drawn_ns != 0) {
        fprintf(out, "\033[%uA\r", lines + 1);
    }
    for (uint32_t line = 0; line < lines; line++) {
        uint32_t colours = UINT32_MAX;
        for (uint32_t x = 0; x < columns; x++) {
            struct pixel upper = pixel_at(watch, x, 2 * line);
            struct pixel lower = 2 * line + 1 < rows ? pixel_at(watch, x, 2 * line + 1) : upper;
            draw_cell(watch, upper, lower, &colours, out);
        }
        fputs(watch->has_colour ? "\033[0m\033[K\n" : "\033[K\n", out);
    }
    draw_status(watch, done, out);
}

// Draws a picture. All of it goes out at once, so that nobody sees half of it; a picture that there
// is no memory for is left out.
static void draw(struct watch *watch, uint64_t done, uint64_t now_ns) {
    char *text = NULL;
    size_t length = 0;
    if (simulation_draw(watch->simulation, watch->world, &watch->canvas) != COSM_OK) {
        return;
    }
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        draw_picture(watch, done, out);
        if (fclose(out) == 0) {
            (void)fwrite(text, 1, length, stderr);
            watch->drawn_ns = now_ns;
        }
        free(text);
    }
}

// Waits until the next step is due. A run that is late does not hurry to catch up.
static void wait_for_step(struct watch *watch) {
    uint64_t now = progress_now_ns();
    watch->due_ns += watch->pace_ns;
    if (watch->due_ns < now) {
        watch->due_ns = now;
        return;
    }
    uint64_t ns = watch->due_ns - now;
    nanosleep(&(struct timespec){.tv_sec = (time_t)(ns / 1000000000u),
                                 .tv_nsec = (long)(ns % 1000000000u)},
              NULL);
}

void watch_update(struct watch *watch, uint64_t done) {
    if (watch->simulation == NULL) {
        return;
    }
    uint64_t now_ns = progress_now_ns();
    if (now_ns - watch->drawn_ns >= REDRAW_NS || done == watch->steps) {
        draw(watch, done, now_ns);
    }
    if (done < watch->steps) {
        wait_for_step(watch);
    }
}

void watch_end(struct watch *watch) {
    free(watch->canvas.pixels);
    *watch = (struct watch){.simulation = NULL};
}
