// Failures: result codes, the message of the last one on this thread, and the callback.
//
// A call that fails leaves everything as it was and says what was wrong and what to do, naming
// the call, the field and the value. The message goes to a slot of the calling thread and to the
// engine's error callback. A stale or absent thing is not a failure: it is NULL, false, none or
// COSM_STALE, and has no message; only a command that is passed over when it is applied is
// reported, as COSM_STALE, because nobody is there to look at its result.
// docs/manual/error.md lists every message of the library with its remedy; those of modules tell
// themselves.
#ifndef COSM_ERROR_H
#define COSM_ERROR_H

#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_result {
    COSM_OK = 0,
    COSM_STALE,          // the entity is not alive: nothing was done
    COSM_ERROR_ARGUMENT, // null, unknown, out of range, or of the wrong kind
    COSM_ERROR_CONFLICT, // the name or the set is already defined differently
    COSM_ERROR_LIMIT,    // a limit of types.h
    COSM_ERROR_FULL,     // a fixed table of this world has no row left
    COSM_ERROR_MEMORY,   // the allocator gave nothing, or the batch's memory limit is reached
    COSM_ERROR_SEALED,   // the archetype does not let its entities change their components
    COSM_ERROR_WALKED,   // the world is being walked: record a command instead
    COSM_ERROR_BUSY,     // in use: something made from it lives, or it is running
    COSM_ERROR_ACCESS,   // a system touches what it did not declare
    COSM_ERROR_SYSTEM,   // a system said that it failed
    COSM_ERROR_FORMAT,   // text or bytes from outside do not say what they should
    COSM_ERROR_IO,       // the system could not read or write a file
    COSM_ERROR_CORRUPT,  // validation found a broken invariant: a defect of the library
    COSM_RESULT_COUNT
} cosm_result;

// Called on the thread that failed, before the failing call returns. It must not call into the
// engine that failed; the message is valid during the call only.
typedef void cosm_error_fn(void *context, cosm_result result, const char *message);

// The message of the last failure on this thread, or "" when there was none since the last clear.
// Valid until the next failure on this thread.
COSM_API const char *cosm_error_message(void);

// The result of the last failure on this thread, or COSM_OK.
COSM_API cosm_result cosm_error_result(void);

// Empties this thread's slot.
COSM_API void cosm_error_clear(void);

// Reports a failure as the library's own calls do: to the slot of this thread and, unless the
// engine is NULL, to its error callback. For modules and for calls of your own. Returns `result`;
// COSM_OK and COSM_STALE are not failures and are returned with nothing done.
COSM_API cosm_result cosm_error_raise(const cosm_engine *engine, cosm_result result,
                                      const char *format, ...) COSM_PRINTF(3, 4);

// The name of a result, such as "COSM_ERROR_FULL".
COSM_API const char *cosm_result_name(cosm_result result);

COSM_END_C

#endif
