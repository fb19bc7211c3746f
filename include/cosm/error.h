// Errors: result codes, the last error message of the thread, and the error callback.
//
// A call that fails changes nothing. Its message names the call, the field and the value, and says
// what to do. The message is stored for the calling thread and passed to the engine's error
// callback; an engine without a callback prints it to stderr.
//
// A stale or absent thing is not an error: the call returns NULL, false, none or COSM_STALE,
// without a message. One exception: a command skipped because its entity is stale is reported as
// COSM_STALE, since its caller has no result to check.
//
// docs/manual/error.md lists every message of the core with its remedy. Modules document their own.
#ifndef COSM_ERROR_H
#define COSM_ERROR_H

#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_result {
    COSM_OK = 0,
    COSM_STALE,          // the entity is not alive; nothing was done
    COSM_ERROR_ARGUMENT, // null, unknown, out of range, or of the wrong kind
    COSM_ERROR_CONFLICT, // already defined differently, or no longer fits
    COSM_ERROR_LIMIT,    // a limit of types.h is exceeded
    COSM_ERROR_FULL,     // a fixed table of this world is full
    COSM_ERROR_MEMORY,   // the allocator failed, or the batch's memory limit is reached
    COSM_ERROR_SEALED,   // the archetype is sealed: its entities cannot change components
    COSM_ERROR_WALKED,   // the world is being walked; record a command instead
    COSM_ERROR_BUSY,     // in use: running, or something created from it still exists
    COSM_ERROR_ACCESS,   // a system accessed what it did not declare
    COSM_ERROR_SYSTEM,   // a system reported a failure
    COSM_ERROR_FORMAT,   // malformed text or bytes from outside
    COSM_ERROR_IO,       // the operating system failed to read or write a file
    COSM_ERROR_CORRUPT,  // validation detected a broken invariant: a bug in the library
    COSM_RESULT_COUNT
} cosm_result;

// Called on the failing thread, before the failing call returns. It must not call into the engine
// that failed. The message is valid during the call only.
typedef void cosm_error_fn(void *context, cosm_result result, const char *message);

// The message of the last error on this thread; "" if there was none since the last clear. Valid
// until the next error on this thread.
COSM_API const char *cosm_error_message(void);

// The result of the last error on this thread, or COSM_OK.
COSM_API cosm_result cosm_error_result(void);

// Clears this thread's message and result.
COSM_API void cosm_error_clear(void);

// While muted, errors on this thread are stored but neither passed to a callback nor printed: for
// attempts that may fail. Calls nest: unmute as often as you mute.
COSM_API void cosm_error_mute(bool muted);

// Reports an error the way the library does: stores it for this thread and, if `engine` is not
// NULL, passes it to the engine's error callback. For modules and for your own functions. Returns
// `result`. COSM_OK and COSM_STALE are not errors: they are returned and nothing is reported.
COSM_API cosm_result cosm_error_raise(const cosm_engine *engine, cosm_result result,
                                      const char *format, ...) COSM_PRINTF(3, 4);

// The name of a result, such as "COSM_ERROR_FULL".
COSM_API const char *cosm_result_name(cosm_result result);

COSM_END_C

#endif
