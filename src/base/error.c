// The per-thread message slot, and the formatting of failures.
#include "base/error.h"

#include <stdio.h>

const struct sink cosmi_sink_silent = {.is_quiet = true};

static _Thread_local struct failure last_failure;
static _Thread_local struct failure_watch *failure_watcher;
static _Thread_local uint32_t failures_muted;       // times, one within the other
static _Thread_local struct printed thread_printed; // failures of no engine

struct failure_watch *cosmi_error_watch(struct failure_watch *watch) {
    struct failure_watch *before = failure_watcher;
    failure_watcher = watch;
    return before;
}

void cosm_error_mute(bool muted) {
    if (muted) {
        failures_muted++;
    } else if (failures_muted > 0) {
        failures_muted--;
    }
}

void cosmi_watch_keep(struct failure_watch *watch, const struct failure *failure) {
    uint64_t now =
        watch->now + (watch->detail == NULL ? 0 : (uint64_t)*watch->detail << WATCH_DETAIL_SHIFT);
    if (watch->failure.result == COSM_OK || now < watch->kept) {
        watch->kept = now;
        watch->failure = *failure;
    }
}

void cosmi_error_read(struct failure *out_failure) {
    *out_failure = last_failure;
}

cosm_result cosmi_error_show(const struct failure *failure) {
    last_failure = *failure;
    return failure->result;
}

// Without a callback somebody still has to see it.
static void print_failure(const struct sink *sink, const struct failure *failure,
                          const char *format, va_list arguments) {
    bool is_quiet = sink != NULL && sink->is_quiet;
    if (is_quiet || failure->result == COSM_STALE) {
        return;
    }
    struct printed *printed = sink == NULL ? NULL : sink->printed;
    cosmi_failure_print(printed == NULL ? &thread_printed : printed, failure->text, format,
                        arguments);
}

cosm_result cosmi_fail_with(const struct sink *sink, cosm_result result, const char *format,
                            va_list arguments) {
    struct failure failure = {.result = result};
    va_list copy;
    va_copy(copy, arguments);
    (void)vsnprintf(failure.text, sizeof(failure.text), format, copy);
    va_end(copy);
    last_failure = failure;
    if (failures_muted > 0 && result != COSM_STALE) {
        return result;
    }
    if (failure_watcher != NULL && result != COSM_STALE) {
        cosmi_watch_keep(failure_watcher, &failure);
    }
    if (sink != NULL && sink->function != NULL) {
        sink->function(sink->context, result, failure.text);
        // Whatever the callback did to the slot: after a failed call it tells of that call.
        last_failure = failure;
    } else {
        print_failure(sink, &failure, format, arguments);
    }
    return result;
}

cosm_result cosmi_fail(const struct sink *sink, cosm_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)cosmi_fail_with(sink, result, format, arguments);
    va_end(arguments);
    return result;
}

const char *cosm_error_message(void) {
    return last_failure.text;
}

cosm_result cosm_error_result(void) {
    return last_failure.result;
}

void cosm_error_clear(void) {
    last_failure.result = COSM_OK;
    last_failure.text[0] = '\0';
}

const char *cosm_result_name(cosm_result result) {
    static const char *const names[COSM_RESULT_COUNT] = {
        [COSM_OK] = "COSM_OK",
        [COSM_STALE] = "COSM_STALE",
        [COSM_ERROR_ARGUMENT] = "COSM_ERROR_ARGUMENT",
        [COSM_ERROR_CONFLICT] = "COSM_ERROR_CONFLICT",
        [COSM_ERROR_LIMIT] = "COSM_ERROR_LIMIT",
        [COSM_ERROR_FULL] = "COSM_ERROR_FULL",
        [COSM_ERROR_MEMORY] = "COSM_ERROR_MEMORY",
        [COSM_ERROR_SEALED] = "COSM_ERROR_SEALED",
        [COSM_ERROR_WALKED] = "COSM_ERROR_WALKED",
        [COSM_ERROR_BUSY] = "COSM_ERROR_BUSY",
        [COSM_ERROR_ACCESS] = "COSM_ERROR_ACCESS",
        [COSM_ERROR_SYSTEM] = "COSM_ERROR_SYSTEM",
        [COSM_ERROR_FORMAT] = "COSM_ERROR_FORMAT",
        [COSM_ERROR_IO] = "COSM_ERROR_IO",
        [COSM_ERROR_CORRUPT] = "COSM_ERROR_CORRUPT",
    };
    if ((unsigned)result < COSM_RESULT_COUNT) {
        return names[result];
    }
    return "unknown result";
}

cosm_result cosmi_refuse_null(const struct sink *sink, const char *call, const char *what,
                              const char *remedy) {
    return cosmi_fail(sink, COSM_ERROR_ARGUMENT, "%s: %s is NULL; %s", call, what, remedy);
}
