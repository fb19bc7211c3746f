// Printing an engine or a world: by the library, or by the module for text where that is built.
#include "show.h"

#include "timing.h"

#ifdef COSM_TOOL_TEXT
#include <cosm_text/json.h>
#include <cosm_text/print.h>

static cosm_result show_schema(cosm_engine *engine, FILE *out) {
    cosm_json_style style = {.spaced = true};
    return cosm_json_write_schema(engine, style, timing_write, out);
}

static cosm_result show_world(cosm_batch *batch, const struct arguments *arguments, FILE *out) {
    cosm_world world = cosm_batch_world(batch, arguments->world);
    if (!arguments->json) {
        return cosm_text_print_world(world, arguments->row_max, timing_write, out);
    }
    cosm_json_style style = {.spaced = true};
    return cosm_json_write_world(world, style, timing_write, out);
}
#else
static cosm_result lacks_text(void) {
    return cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                            "this program was built without the module `text`; build it with "
                            "COSM_TEXT=ON");
}

static cosm_result show_schema(cosm_engine *engine, FILE *out) {
    (void)engine;
    (void)out;
    return lacks_text();
}

static cosm_result show_world(cosm_batch *batch, const struct arguments *arguments, FILE *out) {
    (void)batch;
    (void)arguments;
    (void)out;
    return lacks_text();
}
#endif

cosm_result show_print(cosm_engine *engine, cosm_batch *batch, const struct arguments *arguments,
                       FILE *out) {
    if (arguments->action == ACTION_PLAN) {
        cosm_plan_format format = arguments->dot ? COSM_PLAN_DOT : COSM_PLAN_TEXT;
        return cosm_plan_print(engine, format, timing_write, out);
    }
    if (arguments->action == ACTION_SCHEMA) {
        return show_schema(engine, out);
    }
    return show_world(batch, arguments, out);
}
