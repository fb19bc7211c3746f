// The public calls of cosm/error.h that look at an engine; the others are in base/error.c.
#include <cosm/error.h>

#include "api/engine.h"

cosm_result cosm_error_raise(const cosm_engine *engine, cosm_result result, const char *format,
                             ...) {
    if (result == COSM_OK || result == COSM_STALE || format == NULL) {
        return result;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)cosmi_fail_with(engine == NULL ? NULL : &engine->sink, result, format, arguments);
    va_end(arguments);
    return result;
}
