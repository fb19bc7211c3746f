// Printing a scene: by the library, or by the module for text where that is built.
#include "show.h"

#include "timing.h"

#ifdef COSM_TOOL_TEXT
#include <cosm_text/json.h>
#include <cosm_text/print.h>

static cosm_result show_schema(scene_run *scene, FILE *out) {
    cosm_json_style style = {.spaced = true};
    return cosm_json_write_schema(scene_engine(scene), style, timing_write, out);
}

static cosm_result show_world(scene_run *scene, const struct arguments *arguments, FILE *out) {
    cosm_world world = cosm_batch_world(scene_batch(scene), arguments->world);
    if (!arguments->json) {
        return cosm_text_print_world(world, arguments->row_max, timing_write, out);
    }
    cosm_json_style style = {.spaced = true};
    return cosm_json_write_world(world, style, timing_write, out);
}
#else
static cosm_result lacks_text(const scene_run *scene) {
    return cosm_error_raise(scene_engine(scene), COSM_ERROR_ARGUMENT,
                            "this program was built without the module `text`; build it with "
                            "COSM_TEXT=ON");
}

static cosm_result show_schema(scene_run *scene, FILE *out) {
    (void)out;
    return lacks_text(scene);
}

static cosm_result show_world(scene_run *scene, const struct arguments *arguments, FILE *out) {
    (void)arguments;
    (void)out;
    return lacks_text(scene);
}
#endif

cosm_result show_scene(scene_run *scene, const struct arguments *arguments, FILE *out) {
    if (arguments->action == ACTION_PLAN) {
        cosm_plan_format format = arguments->dot ? COSM_PLAN_DOT : COSM_PLAN_TEXT;
        return cosm_plan_print(scene_engine(scene), format, timing_write, out);
    }
    if (arguments->action == ACTION_SCHEMA) {
        return show_schema(scene, out);
    }
    cosm_result result = COSM_OK;
    for (uint64_t i = 0; i < arguments->steps && result == COSM_OK; i++) {
        result = scene_step(scene);
    }
    return result != COSM_OK ? result : show_world(scene, arguments, out);
}
