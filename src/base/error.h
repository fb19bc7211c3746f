// Failures inside the house: the one function that formats them, and where they go.
#ifndef COSM_BASE_ERROR_H
#define COSM_BASE_ERROR_H

#include <cosm/error.h>
#include <stdarg.h>

#include "base/printed.h"

// Where messages go besides the thread's slot: to the callback of one engine, or to stderr.
struct sink {
    cosm_error_fn *function; // NULL: stderr
    void *context;
    bool is_quiet;           // nothing is printed
    struct printed *printed; // what was printed; NULL: kept with the slot of the thread
};

// For a failure that was reported before: only the thread's slot and its watch get it.
extern const struct sink cosmi_sink_silent;

// Long enough for two names of full length and a remedy; longer messages are cut.
#define MESSAGE_SIZE 640

struct failure {
    cosm_result result; // COSM_OK: none
    char text[MESSAGE_SIZE];
};

#define WATCH_DETAIL_SHIFT 16u

// Who wants to hear of failures on a thread: systems are called on threads whose slots nobody looks
// at. Of several failures the one with the lowest `now` is kept, and of those the first.
struct failure_watch {
    uint64_t now; // set by whoever watches: how far the work is
    // Added to `now`, from bit WATCH_DETAIL_SHIFT on, where it changes too often to be copied.
    // NULL: nothing.
    const uint32_t *detail;
    uint64_t kept; // `now` of the failure that is kept
    struct failure failure;
};

// Has failures on this thread go to `watch` too, NULL: to nobody. Returns who watched before.
// COSM_STALE is not a failure.
struct failure_watch *cosmi_error_watch(struct failure_watch *watch);

// Puts a failure into a watch, as if it had happened while it watched.
void cosmi_watch_keep(struct failure_watch *watch, const struct failure *failure);

// What is in this thread's slot.
void cosmi_error_read(struct failure *out_failure);

// Puts a failure that was told before into this thread's slot.
cosm_result cosmi_error_show(const struct failure *failure);

// As cosmi_fail, with the arguments in a list.
cosm_result cosmi_fail_with(const struct sink *sink, cosm_result result, const char *format,
                            va_list arguments)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 0)))
#endif
    ;

// Formats a message into this thread's slot, hands it to the callback of the sink, or prints it
// where there is none, and returns `result`. `sink` may be NULL: printed. COSM_STALE is not
// printed. Every message has the form "call: what is wrong; what to do".
cosm_result cosmi_fail(const struct sink *sink, cosm_result result, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4), cold))
#endif
    ;

// An argument or a field that must not be NULL is.
cosm_result cosmi_refuse_null(const struct sink *sink, const char *call, const char *what,
                              const char *remedy);

#endif
