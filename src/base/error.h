// Failures inside the house: the one function that formats them, and where they go.
#ifndef COSM_BASE_ERROR_H
#define COSM_BASE_ERROR_H

#include <cosm/error.h>

// Where messages go besides the thread's slot: the callback of one engine. `function` may be NULL.
struct sink {
    cosm_error_fn *function;
    void *context;
};

// Formats a message into this thread's slot, hands it to the sink (which may be NULL) and returns
// `result`. Every message has the form "call: what is wrong; what to do".
cosm_result cosmi_fail(const struct sink *sink, cosm_result result, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4), cold))
#endif
    ;

#endif
