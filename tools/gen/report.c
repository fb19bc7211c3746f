// Keeping and printing what is wrong.
#include "report.h"

#include <string.h>

static bool same_place(const struct place *a, const struct place *b) {
    if (a->file == NULL || b->file == NULL) {
        return a->file == b->file;
    }
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

static bool is_known(const struct report *report, const struct finding *finding) {
    for (uint32_t i = 0; i < report->count; i++) {
        if (strcmp(report->items[i].kind, finding->kind) == 0 &&
            strcmp(report->items[i].message, finding->message) == 0 &&
            same_place(&report->items[i].place, &finding->place)) {
            return true;
        }
    }
    return false;
}

static void keep(struct report *report, const struct finding *finding) {
    report->items = arena_grow(report->arena, report->items, report->count, &report->capacity,
                               sizeof(*report->items));
    report->items[report->count++] = *finding;
}

void report_error(struct report *report, struct place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct finding finding = {place, "error", arena_format_list(report->arena, format, arguments)};
    va_end(arguments);
    report->was_known = is_known(report, &finding);
    if (!report->was_known) {
        keep(report, &finding);
        report->error_count++;
    }
}

void report_note(struct report *report, struct place place, const char *format, ...) {
    if (report->was_known) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    struct finding finding = {place, "note", arena_format_list(report->arena, format, arguments)};
    va_end(arguments);
    keep(report, &finding);
}

// The source line and a caret below the column. Tabs stay tabs, so that the caret stands right.
static void print_line(const struct place *place, FILE *file) {
    if (place->source == NULL || place->offset > place->source_size) {
        return;
    }
    const char *at = place->source + place->offset;
    const char *end = place->source + place->source_size;
    const char *begin = at;
    while (begin > place->source && begin[-1] != '\n') {
        begin--;
    }
    const char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r') {
        stop++;
    }
    fprintf(file, "%.*s\n", (int)(stop - begin), begin);
    for (const char *c = begin; c < at; c++) {
        // Of a letter in several bytes only the first is a column.
        if (((unsigned char)*c & 0xC0) != 0x80) {
            fputc(*c == '\t' ? '\t' : ' ', file);
        }
    }
    fputs("^\n", file);
}

// Does error `a` come before error `b`, both with a place in one file?
static bool comes_before(const struct finding *a, const struct finding *b) {
    if (a->place.file == NULL || b->place.file == NULL ||
        strcmp(a->place.file, b->place.file) != 0) {
        return false;
    }
    return a->place.line != b->place.line ? a->place.line < b->place.line
                                          : a->place.column < b->place.column;
}

// The end of the error at `begin`: behind its notes.
static uint32_t group_end(const struct report *report, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < report->count && report->items[end].kind[0] == 'n') {
        end++;
    }
    return end;
}

void report_sort(struct report *report) {
    struct finding *sorted = arena_take(report->arena, report->count * sizeof(*sorted));
    uint32_t count = 0;
    for (uint32_t begin = 0; begin < report->count;) {
        uint32_t end = group_end(report, begin);
        uint32_t size = end - begin;
        // Past the groups that belong behind this one, from the end.
        uint32_t at = count;
        for (uint32_t i = count; i > 0; i--) {
            if (sorted[i - 1].kind[0] != 'n') {
                if (!comes_before(&report->items[begin], &sorted[i - 1])) {
                    break;
                }
                at = i - 1;
            }
        }
        memmove(sorted + at + size, sorted + at, (count - at) * sizeof(*sorted));
        memcpy(sorted + at, report->items + begin, size * sizeof(*sorted));
        count += size;
        begin = end;
    }
    report->items = sorted;
    report->capacity = report->count;
}

void report_print(const struct report *report, FILE *file) {
    for (uint32_t i = 0; i < report->count; i++) {
        const struct finding *finding = &report->items[i];
        if (finding->place.file == NULL) {
            fprintf(file, "cosm-gen: %s: %s\n", finding->kind, finding->message);
            continue;
        }
        fprintf(file, "%s:%u:%u: %s: %s\n", finding->place.file, finding->place.line,
                finding->place.column, finding->kind, finding->message);
        print_line(&finding->place, file);
    }
    if (report->error_count > 0) {
        fprintf(file, "%u error%s; nothing was written\n", report->error_count,
                report->error_count == 1 ? "" : "s");
    }
}

struct place place_at(struct place place, size_t offset) {
    const char *line = place.source;
    place.offset = offset;
    place.line = 1;
    for (const char *c = place.source; c < place.source + offset; c++) {
        if (*c == '\n') {
            place.line++;
            line = c + 1;
        }
    }
    place.column = (uint32_t)(place.source + offset - line) + 1;
    return place;
}
