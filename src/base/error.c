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
    va_list arguments;
    va_start(arguments, format);
    last_failure.result = result;
    (void)vsnprintf(last_failure.text, sizeof(last_failure.text), format, arguments);
    va_end(arguments);
    if (sink != NULL && sink->function != NULL) {
        sink->function(sink->context, result, last_failure.text);
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
