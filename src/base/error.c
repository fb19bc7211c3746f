// The per-thread message slot and the formatting of failures.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

// Long enough for two names of full length and a remedy; longer messages are cut.
#define MESSAGE_SIZE 640

struct message_slot {
    cosm_result result;
    char text[MESSAGE_SIZE];
};

static _Thread_local struct message_slot last_failure;

cosm_result cosmi_fail(const struct sink *sink, cosm_result result, const char *format, ...) {
    struct message_slot failure = {.result = result};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(failure.text, sizeof(failure.text), format, arguments);
    va_end(arguments);
    last_failure = failure;
    if (sink != NULL && sink->function != NULL) {
        sink->function(sink->context, result, failure.text);
        // Whatever the callback did to the slot: after a failed call it tells of that call.
        last_failure = failure;
    }
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
        [COSM_ERROR_CORRUPT] = "COSM_ERROR_CORRUPT",
    };
    if ((unsigned)result < COSM_RESULT_COUNT) {
        return names[result];
    }
    return "unknown result";
}
