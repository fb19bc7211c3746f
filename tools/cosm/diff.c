// `cosm diff`: what differs between two saved states, with the values before and after.
#include "files.h"
#include "timing.h"

#ifdef COSM_TOOL_TEXT
#include <cosm_text/print.h>
#endif

#define PRINTED_MAX 100u // differences
#define CHANGED_MAX 8u   // fields and elements of one value

// Counts differences, and prints the first of them.
struct printer {
    cosm_engine *engine;
    uint64_t count;
    cosm_result result; // of what was printed
};

#ifndef COSM_TOOL_TEXT
// The field that differs; NULL where the value has none.
static const cosm_field *field_of(const cosm_engine *engine, const cosm_difference *difference) {
    cosm_singleton_info singleton = cosm_singleton_describe(engine, difference->singleton);
    cosm_component_info component = cosm_component_describe(engine, difference->component);
    bool is_singleton = difference->kind == COSM_DIFF_SINGLETON;
    const cosm_field *fields = is_singleton ? singleton.fields : component.fields;
    uint32_t count = is_singleton ? singleton.field_count : component.field_count;
    return difference->field < count ? &fields[difference->field] : NULL;
}
#endif

// The values of a difference, where both states have one.
static void print_values(struct printer *printer, const cosm_difference *difference) {
#ifdef COSM_TOOL_TEXT
    if (difference->before == NULL || difference->after == NULL || difference->size == 0) {
        return;
    }
    cosm_result result = COSM_OK;
    fputc(' ', stdout);
    if (difference->kind == COSM_DIFF_SINGLETON) {
        result = cosm_text_print_singleton_change(printer->engine, difference->singleton,
                                                  difference->before, difference->after,
                                                  CHANGED_MAX, timing_write, stdout);
    } else {
        result = cosm_text_print_change(printer->engine, difference->component, difference->before,
                                        difference->after, CHANGED_MAX, timing_write, stdout);
    }
    printer->result = result != COSM_OK ? result : printer->result;
#else
    const cosm_field *field = field_of(printer->engine, difference);
    printf("%s%s", field == NULL ? "" : ".", field == NULL ? "" : field->name);
#endif
}

static bool print_difference(void *context, const cosm_difference *difference) {
    struct printer *printer = context;
    printer->count++;
    if (printer->count > PRINTED_MAX) {
        return true;
    }
    printf("world %u: %s", difference->world, cosm_diff_kind_name(difference->kind));
    if (!cosm_entity_is_none(difference->entity)) {
        printf(" @%u:%u", difference->entity.id, difference->entity.gen);
    }
    if (difference->kind == COSM_DIFF_SINGLETON) {
        printf(" %s", cosm_singleton_describe(printer->engine, difference->singleton).name);
    } else if (difference->component.id != 0) {
        printf(" %s", cosm_component_describe(printer->engine, difference->component).name);
    }
    print_values(printer, difference);
    fputc('\n', stdout);
    return true;
}

// Both files in one engine, which gets to know their components from themselves.
static bool read_both(cosm_engine *engine, const struct arguments *arguments,
                      cosm_snapshot **out_states) {
    cosm_load_desc desc = files_load_desc();
    for (int i = 0; i < FILE_MAX; i++) {
        const char *path = arguments->files[i];
        if (files_is_recording(path)) {
            fprintf(stderr,
                    "cosm: %s: it is a recording, not a saved state; compare recordings with `cosm "
                    "diverge`\n",
                    path);
            return false;
        }
        if (cosm_save_define(engine, path, &desc) == COSM_OK) {
            out_states[i] = cosm_save_read(engine, path, &desc, NULL);
        }
        if (out_states[i] == NULL) {
            (void)files_complain(path);
            return false;
        }
    }
    return true;
}

int files_diff(const struct arguments *arguments) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    cosm_snapshot *states[FILE_MAX] = {NULL, NULL};
    struct printer printer = {.engine = engine};
    bool is_done = engine != NULL && read_both(engine, arguments, states);
    if (is_done &&
        (cosm_diff_snapshots(states[0], states[1], print_difference, &printer) != COSM_OK ||
         printer.result != COSM_OK)) {
        (void)files_complain(arguments->files[1]);
        is_done = false;
    }
    if (is_done && printer.count > PRINTED_MAX) {
        printf("and %llu more\n", (unsigned long long)(printer.count - PRINTED_MAX));
    } else if (is_done && printer.count == 0) {
        printf("no difference\n");
    }
    cosm_snapshot_destroy(states[0]);
    cosm_snapshot_destroy(states[1]);
    is_done = cosm_engine_destroy(engine) == COSM_OK && is_done;
    return is_done && printer.count == 0 ? 0 : 1;
}
