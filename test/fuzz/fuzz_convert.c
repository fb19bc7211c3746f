// Fuzzes conversion: bytes are the description of a type as a file might have it, and values of it.
// What passes the check is converted to what an engine has, and nothing outside of the values is
// touched: the address sanitizer looks on.
#include <stdlib.h>
#include <string.h>

#include "api/engine.h"
#include "base/bytes.h"
#include "state/convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FIELD_COUNT_MAX 24u

static const cosm_label states[] = {{"a", 0}, {"b", 5}, {"c", -1}, {"d", 64}};
static const cosm_labels enums = {"e", COSM_LABELS_ENUM, 4, states};
static const cosm_label flags[] = {{"a", 1}, {"b", 4}, {"c", 3}};
static const cosm_labels masks = {"m", COSM_LABELS_MASK, 3, flags};

// What the engine has: something of every type.
static const cosm_field fields[] = {
    {.name = "f0", .type = COSM_FIELD_I8, .offset = 0, .labels = &enums},
    {.name = "f1", .type = COSM_FIELD_U16, .offset = 2, .labels = &masks},
    {.name = "f2", .type = COSM_FIELD_F32, .offset = 4, .dims = {2, 3}},
    {.name = "f3.x", .type = COSM_FIELD_I64, .offset = 32},
    {.name = "f3.y", .type = COSM_FIELD_BOOL, .offset = 40},
    {.name = "f4", .type = COSM_FIELD_CHAR, .offset = 41, .dims = {2, 5}},
    {.name = "f5", .type = COSM_FIELD_ENTITY, .offset = 52},
    {.name = "f6[0]", .type = COSM_FIELD_F64, .offset = 64},
    {.name = "f6[1]", .type = COSM_FIELD_U64, .offset = 72, .dims = {1, 1, 1, 2}},
};

static const char *const names[] = {"f0",    "f1",    "f2",    "f3.x",  "f3.y", "f4", "f5",
                                    "f6[0]", "f6[1]", "old.x", "old.y", "1x",   "",   "f6[0]"};

static const cosm_save_alias aliases[] = {{.component = "T", .field = "f3", .old_name = "old"},
                                          {.component = "T", .field = "f2", .old_name = "f5"}};

struct guess {
    struct file_type file;
    cosm_field fields[FIELD_COUNT_MAX];
    cosm_labels labels[FIELD_COUNT_MAX];
    cosm_label items[FIELD_COUNT_MAX][4];
};

static void guess_field(struct byte_reader *in, struct guess *guess, uint32_t i) {
    cosm_field *field = &guess->fields[i];
    uint8_t bits = cosmi_read_u8(in);
    field->name = names[cosmi_read_u8(in) % (sizeof(names) / sizeof(names[0]))];
    field->type = (cosm_field_type)(cosmi_read_u8(in) % (COSM_FIELD_TYPE_COUNT + 1));
    field->offset = (bits & 1) != 0 ? cosmi_read_u32(in) : cosmi_read_u8(in);
    for (uint32_t d = 0; d < (bits >> 1 & 7u) && d < COSM_FIELD_DIM_MAX; d++) {
        field->dims[d] = (bits & 16) != 0 ? cosmi_read_u32(in) : cosmi_read_u8(in) % 4u;
    }
    if ((bits & 32) != 0) {
        guess->labels[i] = (cosm_labels){"l", (cosm_labels_kind)(bits >> 6 & 1),
                                         cosmi_read_u8(in) % 5u, guess->items[i]};
        for (uint32_t k = 0; k < 4; k++) {
            static const char *const labels[] = {"a", "b", "c", "zz"};
            guess->items[i][k] =
                (cosm_label){labels[cosmi_read_u8(in) % 4], (int64_t)cosmi_read_u8(in) - 128};
        }
        field->labels = &guess->labels[i];
    }
}

static void convert(struct convert_job *job, const struct file_type *file, struct byte_reader *in) {
    struct conversion conversion;
    const struct value_type *type;
    uint32_t count = 1 + cosmi_read_u8(in) % 3u;
    if (cosmi_file_type_check(job, file) != COSM_OK || file->size > 1u << 16 ||
        cosmi_convert_find(job, file, 1, &type) != COSM_OK ||
        cosmi_convert_plan(job, file, type, &conversion) != COSM_OK || type == NULL) {
        return;
    }
    // Just as long as they are, at no particular address.
    unsigned char *old = malloc(count * file->size + 1);
    unsigned char *now = malloc(count * type->size);
    memset(old, 0xFF, count * file->size + 1);
    size_t left = reader_left(in);
    const void *bytes = cosmi_read_bytes(in, left);
    size_t some = left < count * file->size ? left : count * file->size;
    if (bytes != NULL) {
        memcpy(old + 1, bytes, some);
    }
    if (cosmi_convert_values(&conversion, count, old + 1, now) != COSM_OK) {
        abort();
    }
    for (uint32_t i = 0; i < count && conversion.kind == CONVERSION_FIELDS; i++) {
        if (now[i * type->size + 40] > 1) {
            bool is_copied = false; // a bool that was one already is taken as it is
            for (uint32_t k = 0; k < file->field_count; k++) {
                is_copied = is_copied || file->fields[k].type == COSM_FIELD_BOOL;
            }
            if (!is_copied) {
                abort();
            }
        }
    }
    free(old);
    free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct byte_reader in = reader_of(data, size);
    struct guess guess;
    memset(&guess, 0, sizeof(guess));
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.quiet = true});
    if (cosm_component_define(
            engine,
            &(cosm_component_desc){
                .name = "T", .size = 88, .alignment = 8, .fields = fields, .field_count = 9})
            .id == 0) {
        abort();
    }
    struct arena arena;
    cosmi_arena_init(&arena, &engine->memory);
    cosm_save_report report = {.format = 0};
    cosm_load_desc desc = {.aliases = aliases, .alias_count = 2};
    struct convert_job job = {.schema = &engine->schema,
                              .call = "fuzz",
                              .arena = &arena,
                              .desc = &desc,
                              .report = &report};
    uint8_t head = cosmi_read_u8(&in);
    guess.file =
        (struct file_type){.name = head == 0 ? "U" : "T",
                           .size = (head & 1) != 0 ? cosmi_read_u8(&in) : cosmi_read_u32(&in),
                           .alignment = 1u << (head >> 1 & 3),
                           .field_count = cosmi_read_u8(&in) % FIELD_COUNT_MAX,
                           .fields = guess.fields};
    for (uint32_t i = 0; i < guess.file.field_count; i++) {
        guess_field(&in, &guess, i);
    }
    if (cosmi_convert_check(&job) != COSM_OK) {
        abort();
    }
    convert(&job, &guess.file, &in);
    cosmi_arena_free(&arena);
    if (cosm_engine_destroy(engine) != COSM_OK) {
        abort();
    }
    return 0;
}
