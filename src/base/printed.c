// Failures without a callback: see base/printed.h.
#include "base/printed.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

// The text of a string argument, of which no more than `precision` bytes are read; -1: all.
static uint64_t hash_argument(uint64_t place, const char *text, int precision) {
    if (text == NULL) {
        return place;
    }
    if (precision < 0) {
        return hash_u64(place, cosmi_hash_text(text));
    }
    const char *end = memchr(text, '\0', (size_t)precision);
    return cosmi_hash_bytes(place, text, end == NULL ? (size_t)precision : (size_t)(end - text));
}

// Steps over an argument; of a string, adds the text to *place. `at` is where a conversion begins,
// behind the %. Returns its end; NULL where it is unknown and nothing behind it can be read.
static const char *take_argument(const char *at, va_list *arguments, uint64_t *place) {
    int precision = -1;
    for (; *at != '\0' && strchr("-+ #0123456789.*", *at) != NULL; at++) {
        if (*at == '.') {
            precision = 0;
        } else if (*at == '*') {
            int given = va_arg(*arguments, int);
            precision = precision < 0 ? precision : given;
        } else if (precision >= 0 && *at >= '0' && *at <= '9') {
            precision = precision * 10 + (*at - '0');
        }
    }
    bool is_size = *at == 'z';
    uint32_t longs = 0;
    for (at += is_size; *at == 'l' || *at == 'h'; at++) {
        longs += *at == 'l';
    }
    if (*at == 's') {
        *place = hash_argument(*place, va_arg(*arguments, const char *), precision);
    } else if (*at != '\0' && strchr("diuxXoc", *at) != NULL) {
        (void)(is_size      ? (uint64_t)va_arg(*arguments, size_t)
               : longs == 0 ? (uint64_t)va_arg(*arguments, unsigned)
               : longs == 1 ? (uint64_t)va_arg(*arguments, unsigned long)
                            : (uint64_t)va_arg(*arguments, unsigned long long));
    } else if (*at != '\0' && strchr("aefgAEFG", *at) != NULL) {
        (void)va_arg(*arguments, double);
    } else if (*at == 'p') {
        (void)va_arg(*arguments, void *);
    } else if (*at != '%') {
        return NULL;
    }
    return at + 1;
}

static uint64_t failure_place(const char *format, va_list *arguments) {
    uint64_t place = cosmi_hash_text(format);
    const char *at = strchr(format, '%');
    while (at != NULL) {
        at = take_argument(at + 1, arguments, &place);
        at = at == NULL ? NULL : strchr(at, '%');
    }
    return place == 0 ? 1 : place;
}

enum first_time { PRINTED_FIRST, PRINTED_AGAIN, PRINTED_FULL };

static enum first_time add_place(struct printed *printed, uint64_t place) {
    for (uint32_t i = 0; i < PRINTED_PLACE_MAX; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&printed->places[i], &there, place)) {
            return PRINTED_FIRST;
        }
        if (there == place) {
            return PRINTED_AGAIN;
        }
    }
    return PRINTED_FULL;
}

void cosmi_failure_print(struct printed *printed, const char *text, const char *format,
                         va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    uint64_t place = failure_place(format, &copy);
    va_end(copy);
    enum first_time when = add_place(printed, place);
    // One call for a whole line: stdio keeps lines of several threads apart.
    if (when == PRINTED_FIRST) {
        (void)fprintf(stderr, "cosm: %s\n", text);
    } else if (when == PRINTED_FULL && atomic_exchange(&printed->overflow, 1) == 0) {
        (void)fprintf(stderr,
                      "cosm: %d kinds of failures were printed; others are not: set desc.error of "
                      "the engine to get all\n",
                      PRINTED_PLACE_MAX);
    }
}
