// Where two runs part, in words: the first difference of two states, its values as text.
#include "api/diverge.h"

#include <cosm/component.h>
#include <cosm/hash.h>
#include <cosm/singleton.h>

#include <stdio.h>
#include <string.h>

#include "api/snapshot.h"
#include "base/bytes.h"
#include "state/value_text.h"

static void copy_text(char *text, const char *source) {
    (void)snprintf(text, COSM_DIVERGE_NAME_MAX, "%s", source == NULL ? "" : source);
}

// The field that differs; NULL where the value has none.
static const cosm_field *field_of(const cosm_engine *engine, const cosm_difference *difference) {
    cosm_singleton_info singleton = cosm_singleton_describe(engine, difference->singleton);
    cosm_component_info component = cosm_component_describe(engine, difference->component);
    bool is_singleton = difference->kind == COSM_DIFF_SINGLETON;
    const cosm_field *fields = is_singleton ? singleton.fields : component.fields;
    uint32_t count = is_singleton ? singleton.field_count : component.field_count;
    return difference->field < count ? &fields[difference->field] : NULL;
}

// The values of a difference as text: of the scalar that differs, or all bytes.
static void report_values(const cosm_engine *engine, const cosm_difference *difference,
                          cosm_divergence *where) {
    const cosm_field *field = field_of(engine, difference);
    if (difference->before == NULL || difference->after == NULL) {
        return;
    }
    if (field != NULL) {
        uint32_t element = cosmi_value_differs_at(field, difference->before, difference->after);
        cosmi_value_path(field, element, where->path, sizeof(where->path));
        cosmi_value_text(field, difference->before, element, where->before, sizeof(where->before));
        cosmi_value_text(field, difference->after, element, where->after, sizeof(where->after));
    }
    // Not described, or too much alike to be told apart by numbers.
    if (strcmp(where->before, where->after) == 0) {
        size_t at = field == NULL ? 0 : field->offset;
        size_t size = field == NULL ? difference->size : cosm_field_size(field);
        cosmi_bytes_text((const char *)difference->before + at, size, where->before,
                         sizeof(where->before));
        cosmi_bytes_text((const char *)difference->after + at, size, where->after,
                         sizeof(where->after));
    }
}

struct divergence_report {
    const cosm_engine *engine;
    cosm_divergence *where;
};

static bool report_first(void *context, const cosm_difference *difference) {
    const struct divergence_report *report = context;
    cosm_divergence *where = report->where;
    where->world = difference->world;
    where->kind = difference->kind;
    where->entity = difference->entity;
    where->component = difference->component;
    where->singleton = difference->singleton;
    where->field = difference->field;
    copy_text(where->name,
              difference->kind == COSM_DIFF_SINGLETON
                  ? cosm_singleton_describe(report->engine, difference->singleton).name
                  : cosm_component_describe(report->engine, difference->component).name);
    report_values(report->engine, difference, where);
    return false;
}

static void write_state(void *target, const char *text, size_t size) {
    cosmi_write_bytes(target, text, size);
}

// A state of another engine as one of this engine, by names; NULL where that cannot be.
static cosm_snapshot *translate_state(cosm_engine *engine, const cosm_snapshot *state) {
    struct byte_writer bytes;
    cosm_snapshot *read = NULL;
    cosmi_writer_init(&bytes, &engine->memory);
    if (cosm_save_write_to(state, NULL, write_state, &bytes) == COSM_OK && !bytes.failed) {
        cosm_load_desc desc = {.copy = true};
        read = cosm_save_read_bytes(engine, bytes.bytes, bytes.size, &desc, NULL);
    }
    cosmi_writer_free(&bytes);
    return read;
}

void cosmi_diverge_report(const cosm_snapshot *a, const cosm_snapshot *b, cosm_divergence *where) {
    uint32_t world = 0;
    while (world + 1 < a->world_count && cosm_hash_snapshot_world(a, world, COSM_HASH_EXACT) ==
                                             cosm_hash_snapshot_world(b, world, COSM_HASH_EXACT)) {
        world++;
    }
    where->world = world;
    struct divergence_report report = {a->engine, where};
    struct failure slot;
    cosmi_error_read(&slot);
    cosmi_error_mute(true);
    cosm_snapshot *translated = a->engine == b->engine ? NULL : translate_state(a->engine, b);
    const cosm_snapshot *other = a->engine == b->engine ? b : translated;
    // Where they cannot be compared, the world is all that is told.
    cosm_result compared =
        other == NULL ? COSM_OK : cosm_diff_snapshots(a, other, report_first, &report);
    (void)compared;
    if (translated != NULL) {
        cosmi_snapshot_end(translated);
    }
    cosmi_error_mute(false);
    (void)cosmi_error_show(&slot);
}
