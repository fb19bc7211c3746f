// Where two runs part, in words: the first difference of two states, its values as text.
#include <cosm/component.h>
#include <cosm/field.h>
#include <cosm/hash.h>
#include <cosm/singleton.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "diverge.h"

void cosmi_record_try(struct record_attempt *attempt) {
    attempt->result = cosm_error_result();
    (void)snprintf(attempt->message, sizeof(attempt->message), "%s", cosm_error_message());
    cosm_error_mute(true);
}

void cosmi_record_tried(const struct record_attempt *attempt) {
    cosm_error_clear();
    (void)cosm_error_raise(NULL, attempt->result, "%s", attempt->message);
    cosm_error_mute(false);
}

// The first scalar of a field in which two values differ, counted over all its dimensions; 0 where
// they are the same. Text is one.
static uint32_t differs_at(const cosm_field *field, const void *a, const void *b) {
    size_t size = cosm_field_type_size(field->type);
    uint32_t count = field->type == COSM_FIELD_CHAR ? 1 : cosm_field_element_count(field);
    for (uint32_t element = 0; element < count; element++) {
        size_t at = field->offset + element * size;
        if (memcmp((const char *)a + at, (const char *)b + at, size) != 0) {
            return element;
        }
    }
    return 0;
}

// Bytes as hexadecimal digits, as many as there is room for.
static void tell_bytes(const void *bytes, size_t size, char *text, size_t room) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = bytes;
    size_t count = size < (room - 1) / 2 ? size : (room - 1) / 2;
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = digits[at[i] >> 4];
        text[2 * i + 1] = digits[at[i] & 15];
    }
    text[2 * count] = '\0';
}

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
static void tell_values(const cosm_engine *engine, const cosm_difference *difference,
                        cosm_divergence *where) {
    const cosm_field *field = field_of(engine, difference);
    if (difference->before == NULL || difference->after == NULL) {
        return;
    }
    if (field != NULL) {
        uint32_t element = differs_at(field, difference->before, difference->after);
        cosm_field_element_path(field, element, where->path, sizeof(where->path));
        cosm_field_text(field, difference->before, element, where->before, sizeof(where->before));
        cosm_field_text(field, difference->after, element, where->after, sizeof(where->after));
    }
    // Not described, or too much alike to be told apart by numbers.
    if (strcmp(where->before, where->after) == 0) {
        size_t at = field == NULL ? 0 : field->offset;
        size_t size = field == NULL ? difference->size : cosm_field_size(field);
        tell_bytes((const char *)difference->before + at, size, where->before,
                   sizeof(where->before));
        tell_bytes((const char *)difference->after + at, size, where->after, sizeof(where->after));
    }
}

struct telling {
    const cosm_engine *engine;
    cosm_divergence *where;
};

static bool tell_first(void *context, const cosm_difference *difference) {
    const struct telling *telling = context;
    cosm_divergence *where = telling->where;
    where->world = difference->world;
    where->kind = difference->kind;
    where->entity = difference->entity;
    where->component = difference->component;
    where->singleton = difference->singleton;
    where->field = difference->field;
    copy_text(where->name,
              difference->kind == COSM_DIFF_SINGLETON
                  ? cosm_singleton_describe(telling->engine, difference->singleton).name
                  : cosm_component_describe(telling->engine, difference->component).name);
    tell_values(telling->engine, difference, where);
    return false;
}

// A state of another engine as one of this engine, by names; NULL where that cannot be.
static cosm_snapshot *translate_state(cosm_engine *engine, const cosm_snapshot *state) {
    struct record_bytes bytes = {.bytes = NULL};
    cosm_snapshot *read = NULL;
    if (cosm_save_write_to(state, NULL, cosmi_record_append, &bytes) == COSM_OK && !bytes.failed) {
        cosm_load_desc desc = {.copy = true};
        read = cosm_save_read_bytes(engine, bytes.bytes, bytes.size, &desc, NULL);
    }
    free(bytes.bytes);
    return read;
}

void cosmi_record_tell(const cosm_snapshot *a, const cosm_snapshot *b, cosm_divergence *where) {
    cosm_snapshot_info info = cosm_snapshot_describe(a);
    uint32_t world = 0;
    while (world + 1 < info.world_count &&
           cosm_hash_snapshot_world(a, world, COSM_HASH_EXACT) ==
               cosm_hash_snapshot_world(b, world, COSM_HASH_EXACT)) {
        world++;
    }
    where->world = world;
    struct telling telling = {info.engine, where};
    bool is_one_engine = info.engine == cosm_snapshot_describe(b).engine;
    struct record_attempt attempt;
    cosmi_record_try(&attempt);
    cosm_snapshot *translated = is_one_engine ? NULL : translate_state(info.engine, b);
    const cosm_snapshot *other = is_one_engine ? b : translated;
    // Where they cannot be compared, the world is all that is told.
    cosm_result compared =
        other == NULL ? COSM_OK : cosm_diff_snapshots(a, other, tell_first, &telling);
    (void)compared;
    cosm_snapshot_destroy(translated);
    cosmi_record_tried(&attempt);
}
