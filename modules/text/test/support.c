// What the tests of cosm::text share: see support.h.
#include "support.h"

#include <stdlib.h>
#include <string.h>

#ifdef COSM_TEST_JANSSON
#include <jansson.h>
#endif

#include "harness.h"

void keep_text(void *context, const char *text, size_t length) {
    struct kept_text *kept = context;
    if (kept->length + length + 1 > kept->capacity) {
        kept->capacity = 2 * (kept->length + length) + 64;
        kept->bytes = realloc(kept->bytes, kept->capacity);
        if (kept->bytes == NULL) {
            abort();
        }
    }
    memcpy(kept->bytes + kept->length, text, length);
    kept->length += length;
    kept->bytes[kept->length] = '\0';
    kept->piece_count++;
}

void kept_text_clear(struct kept_text *kept) {
    kept->length = 0;
    kept->piece_count = 0;
    if (kept->bytes != NULL) {
        kept->bytes[0] = '\0';
    }
}

void kept_text_free(struct kept_text *kept) {
    free(kept->bytes);
    *kept = (struct kept_text){NULL, 0, 0, 0};
}

bool is_json(const char *text, size_t length) {
#ifdef COSM_TEST_JANSSON
    json_error_t error;
    // jansson knows no integers beyond int64_t; as reals they are JSON all the same.
    json_t *json = json_loadb(text, length,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    harness_check_str(__FILE__, __LINE__, "what jansson says", json == NULL ? error.text : "", "");
    json_decref(json);
    return json != NULL;
#else
    (void)text;
    (void)length;
    return true;
#endif
}

#define FIELD(Type, member, kind)                                                                  \
    { .name = #member, .type = COSM_FIELD_##kind, .offset = (uint32_t)offsetof(Type, member) }

static const cosm_label colors[] = {
    {"red", 0}, {"green", 1}, {"blue", 2}, {"rouge", 0}, {"\xC3\xA9t\xC3\xA9 \"x\"\n", -7}};
static const cosm_label smalls[] = {{"none", 0}, {"all", 255}, {"bad \xFF", 9}};
static const cosm_label bits[] = {{"a", 1}, {"b", 2}, {"ab", 3}, {"high", 0x80000000}, {"cd", 12}};
static const cosm_label tinies[] = {{"one", 1}, {"two", 2}, {"sign", 0x80}};
static const cosm_label wides[] = {{"first", 1}, {"last", INT64_MIN}};
static const cosm_label fars[] = {{"least", INT64_MIN}, {"most", INT64_MAX}};

static const cosm_labels color_labels = {"Color", COSM_LABELS_ENUM, 5, colors};
static const cosm_labels small_labels = {"Small", COSM_LABELS_ENUM, 3, smalls};
static const cosm_labels bit_labels = {"Bits", COSM_LABELS_MASK, 5, bits};
static const cosm_labels tiny_labels = {"Tiny", COSM_LABELS_MASK, 3, tinies};
static const cosm_labels wide_labels = {"Wide", COSM_LABELS_MASK, 2, wides};
static const cosm_labels far_labels = {"Far", COSM_LABELS_ENUM, 2, fars};

static const cosm_field scalar_fields[] = {
    FIELD(Scalars, i8, I8),   FIELD(Scalars, i16, I16),  FIELD(Scalars, i32, I32),
    FIELD(Scalars, i64, I64), FIELD(Scalars, u8, U8),    FIELD(Scalars, u16, U16),
    FIELD(Scalars, u32, U32), FIELD(Scalars, u64, U64),  FIELD(Scalars, f32, F32),
    FIELD(Scalars, f64, F64), FIELD(Scalars, yes, BOOL), FIELD(Scalars, entity, ENTITY),
};

static const cosm_field vector_fields[] = {
    FIELD(Vector, x, F32),
    FIELD(Vector, y, F32),
    FIELD(Vector, z, F32),
};

// The fields of element n of the array in Nested.
#define ITEM_FIELDS(n)                                                                             \
    FIELD(Nested, items[n].count, U16),                                                            \
        {.name = "items[" #n "].kind",                                                             \
         .type = COSM_FIELD_CHAR,                                                                  \
         .offset = (uint32_t)offsetof(Nested, items[n].kind),                                      \
         .dims = {4}},                                                                             \
    {                                                                                              \
        .name = "items[" #n "].cells", .type = COSM_FIELD_I8,                                      \
        .offset = (uint32_t)offsetof(Nested, items[n].cells), .dims = {                            \
            2,                                                                                     \
            3                                                                                      \
        }                                                                                          \
    }

static const cosm_field nested_fields[] = {
    FIELD(Nested, pose.position.x, F32),
    FIELD(Nested, pose.position.y, F32),
    FIELD(Nested, pose.position.z, F32),
    FIELD(Nested, pose.angle, F64),
    ITEM_FIELDS(0),
    ITEM_FIELDS(1),
    ITEM_FIELDS(2),
    FIELD(Nested, last, U8),
};

#define ARRAY_FIELD(member, kind, ...)                                                             \
    {                                                                                              \
        .name = #member, .type = COSM_FIELD_##kind, .offset = (uint32_t)offsetof(Arrays, member),  \
        .dims = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const cosm_field array_fields[] = {
    ARRAY_FIELD(line, F32, 5),       ARRAY_FIELD(grid, I16, 2, 3),
    ARRAY_FIELD(cube, U64, 2, 2, 2), ARRAY_FIELD(hyper, F64, 2, 1, 3, 2),
    ARRAY_FIELD(flags, BOOL, 3),     ARRAY_FIELD(friends, ENTITY, 2, 2),
    ARRAY_FIELD(one, CHAR, 1),       ARRAY_FIELD(lines, CHAR, 2, 3, 6),
};

#define LABEL_FIELD(member, kind, names)                                                           \
    {                                                                                              \
        .name = #member, .type = COSM_FIELD_##kind, .offset = (uint32_t)offsetof(Labels, member),  \
        .labels = &names                                                                           \
    }

static const cosm_field label_fields[] = {
    LABEL_FIELD(color, I32, color_labels), LABEL_FIELD(small, U8, small_labels),
    LABEL_FIELD(bits, U32, bit_labels),    LABEL_FIELD(tiny, I8, tiny_labels),
    LABEL_FIELD(wide, U64, wide_labels),   LABEL_FIELD(far, I64, far_labels),
};

static const cosm_field name_fields[] = {
    {.name = "text", .type = COSM_FIELD_CHAR, .dims = {24}},
};

static const cosm_field link_fields[] = {
    FIELD(Link, target, ENTITY),
    {.name = "others",
     .type = COSM_FIELD_ENTITY,
     .offset = (uint32_t)offsetof(Link, others),
     .dims = {3}},
};

static const cosm_field entity_fields[] = {{.name = "entity", .type = COSM_FIELD_F32}};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static void define_pair(cosm_engine *engine, cosm_component pair[2], const char *const names[2],
                        size_t size, size_t alignment, const void *default_value,
                        const cosm_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < 2; i++) {
        cosm_component_desc desc = {.name = names[i],
                                    .size = size,
                                    .alignment = alignment,
                                    .default_value = default_value,
                                    .layout = i == 0 ? COSM_LAYOUT_STRUCT : COSM_LAYOUT_SPLIT,
                                    .fields = fields,
                                    .field_count = count};
        pair[i] = cosm_component_define(engine, &desc);
        harness_check_str(__FILE__, __LINE__, names[i], pair[i].id == 0 ? cosm_error_message() : "",
                          "");
    }
}

#define DEFINE_PAIR(zoo, pair, Type, default_value, fields)                                        \
    define_pair((zoo)->engine, (zoo)->pair, (const char *const[2]){#Type, #Type "Split"},          \
                sizeof(Type), _Alignof(Type), default_value, fields, COUNT(fields))

static cosm_component define_in(struct zoo *zoo, const char *name, cosm_storage storage,
                                size_t size, const cosm_field *fields, uint32_t field_count) {
    cosm_component component =
        cosm_component_define(zoo->engine, &(cosm_component_desc){.name = name,
                                                                  .size = size,
                                                                  .fields = fields,
                                                                  .field_count = field_count,
                                                                  .storage = storage});
    CHECK(component.id != 0);
    return component;
}

// What has no column.
static void define_elsewhere(struct zoo *zoo) {
    zoo->team =
        define_in(zoo, "Team", COSM_STORAGE_SHARED, sizeof(Name), name_fields, COUNT(name_fields));
    zoo->bond =
        define_in(zoo, "Bond", COSM_STORAGE_SHARED, sizeof(Link), link_fields, COUNT(link_fields));
    zoo->seal = define_in(zoo, "Seal", COSM_STORAGE_SHARED, sizeof(Raw), NULL, 0);
    zoo->heat = define_in(zoo, "Heat", COSM_STORAGE_SECTOR, sizeof(Vector), vector_fields,
                          COUNT(vector_fields));
    zoo->tie =
        define_in(zoo, "Tie", COSM_STORAGE_SECTOR, sizeof(Link), link_fields, COUNT(link_fields));
    zoo->wet = define_in(zoo, "Wet", COSM_STORAGE_SECTOR, 0, NULL, 0);
    cosm_sector_group_desc fire = {.name = "fire", .components = {zoo->heat, zoo->tie}};
    CHECK(cosm_sector_group_define(zoo->engine, &fire).id != 0);
}

void zoo_define(struct zoo *zoo) {
    static const Vector unit = {1, 2, 3};
    static const Link nobody = {{0, 0}, {{0, 0}, {0xFFFFFFFF, 0xFFFFFFFF}, {7, 9}}};
    DEFINE_PAIR(zoo, scalars, Scalars, NULL, scalar_fields);
    DEFINE_PAIR(zoo, nested, Nested, NULL, nested_fields);
    DEFINE_PAIR(zoo, arrays, Arrays, NULL, array_fields);
    DEFINE_PAIR(zoo, labels, Labels, NULL, label_fields);
    DEFINE_PAIR(zoo, name, Name, NULL, name_fields);
    DEFINE_PAIR(zoo, link, Link, &nobody, link_fields);
    DEFINE_PAIR(zoo, vector, Vector, &unit, vector_fields);
    zoo->raw = COSM_COMPONENT_DEFINE(zoo->engine, Raw);
    zoo->tag = COSM_TAG_DEFINE(zoo->engine, Tag);
    zoo->entity = cosm_component_define(
        zoo->engine, &(cosm_component_desc){
                         .name = "entity", .size = 4, .fields = entity_fields, .field_count = 1});
    define_elsewhere(zoo);
    zoo->clock = cosm_singleton_define(zoo->engine,
                                       &(cosm_singleton_desc){.name = "Clock",
                                                              .size = sizeof(Vector),
                                                              .alignment = _Alignof(Vector),
                                                              .default_value = &unit,
                                                              .fields = vector_fields,
                                                              .field_count = COUNT(vector_fields)});
    zoo->leader = cosm_singleton_define(zoo->engine,
                                        &(cosm_singleton_desc){.name = "Leader",
                                                               .size = sizeof(Link),
                                                               .alignment = _Alignof(Link),
                                                               .fields = link_fields,
                                                               .field_count = COUNT(link_fields)});
    zoo->blob = COSM_SINGLETON_DEFINE(zoo->engine, Raw);
    CHECK(zoo->raw.id != 0 && zoo->tag.id != 0 && zoo->entity.id != 0);
    CHECK(zoo->clock.id != 0 && zoo->leader.id != 0 && zoo->blob.id != 0);
}

void zoo_open(struct zoo *zoo) {
    zoo_open_with(zoo, (cosm_allocator){0});
}

void zoo_open_with(struct zoo *zoo, cosm_allocator allocator) {
    cosm_error_clear();
    zoo->engine =
        cosm_engine_create(&(cosm_engine_desc){.worker_count = 1, .allocator = allocator});
    CHECK(zoo->engine != NULL);
    zoo_define(zoo);
    zoo->batch = cosm_batch_create(zoo->engine, NULL);
    CHECK(zoo->batch != NULL);
    zoo->world = cosm_batch_world(zoo->batch, 0);
}

void zoo_close(struct zoo *zoo) {
    CHECK_VALID(zoo->batch);
    CHECK_DONE(cosm_batch_destroy(zoo->batch));
    CHECK_DONE(cosm_engine_destroy(zoo->engine));
}

cosm_component zoo_component(const struct zoo *zoo, uint32_t number) {
    const cosm_component all[] = {
        zoo->scalars[0], zoo->scalars[1], zoo->nested[0], zoo->nested[1], zoo->arrays[0],
        zoo->arrays[1],  zoo->labels[0],  zoo->labels[1], zoo->name[0],   zoo->name[1],
        zoo->link[0],    zoo->link[1],    zoo->vector[0], zoo->vector[1], zoo->raw,
        zoo->tag,        zoo->entity,     zoo->team,      zoo->bond,      zoo->seal,
        zoo->heat,       zoo->tie,        zoo->wet,
    };
    return number < COUNT(all) ? all[number] : (cosm_component){0};
}

// Bits of one scalar: extremes, small numbers, or anything.
static uint64_t random_bits(struct dice *dice) {
    static const uint64_t special[] = {
        0,
        1,
        0x7F,
        0x80,
        0xFF,
        0x7FFF,
        0x8000,
        0x7FFFFFFF,
        0x80000000,
        0xFFFFFFFF,
        INT64_MAX,
        (uint64_t)INT64_MIN,
        UINT64_MAX,
        0x7F800000, // f32: infinities, NaNs with either sign, the smallest and the largest numbers
        0xFF800000,
        0x7FC00000,
        0x7FC00001,
        0xFFC00000,
        0x7F800001,
        0x00000001,
        0x007FFFFF,
        0x00800000,
        0x7F7FFFFF,
        0x7FF0000000000000, // f64: the same
        0xFFF0000000000000,
        0x7FF8000000000000,
        0x7FF8000000000001,
        0xFFF8000000000000,
        0x7FF0000000000001,
        0x000FFFFFFFFFFFFF,
        0x0010000000000000,
        0x7FEFFFFFFFFFFFFF,
        0x3FF0000000000000,
        0x3F800000,
    };
    switch (dice_roll(dice, 4)) {
    case 0:
        return special[dice_roll(dice, COUNT(special))];
    case 1:
        return dice_roll(dice, 16);
    default:
        return dice_next(dice);
    }
}

// Text: nothing, letters, what needs escapes, several bytes to a character, cut ones, any bytes.
static void fill_text(struct dice *dice, char *text, size_t room) {
    static const char *const pieces[] = {"a",
                                         "Z",
                                         "\"",
                                         "\\",
                                         "/",
                                         "\n",
                                         "\x01",
                                         "\x7F",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80",
                                         " "};
    size_t length = 0;
    size_t wanted = dice_roll(dice, (uint32_t)room + 1);
    memset(text, 0, room);
    while (length < wanted) {
        const char *piece = pieces[dice_roll(dice, COUNT(pieces))];
        size_t size = strlen(piece);
        size = size < room - length ? size : room - length;
        memcpy(text + length, piece, size);
        length += size;
    }
    if (dice_roll(dice, 4) == 0) {
        text[dice_roll(dice, (uint32_t)room)] = (char)dice_roll(dice, 256);
    }
}

static void fill_field(const cosm_field *field, struct dice *dice, char *value) {
    size_t size = cosm_field_type_size(field->type);
    uint32_t count = cosm_field_element_count(field);
    uint32_t room = 1;
    for (uint32_t i = 0; i < COSM_FIELD_DIM_MAX && field->dims[i] != 0; i++) {
        room = field->dims[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t low = random_bits(dice);
        cosm_entity entity = {(uint32_t)random_bits(dice), (uint32_t)random_bits(dice)};
        if (field->type == COSM_FIELD_CHAR) {
            if (i % room == 0) {
                fill_text(dice, value + i, room);
            }
        } else if (field->type == COSM_FIELD_ENTITY) {
            memcpy(value + i * size, &entity, size);
        } else {
            memcpy(value + i * size, &low, size);
        }
    }
}

void fill_fields(const cosm_field *fields, uint32_t count, size_t size, struct dice *dice,
                 void *out_value) {
    memset(out_value, 0, size);
    for (uint32_t i = 0; i < count; i++) {
        fill_field(&fields[i], dice, (char *)out_value + fields[i].offset);
    }
}

void zoo_fill(const struct zoo *zoo, cosm_component component, struct dice *dice, void *out_value) {
    cosm_component_info info = cosm_component_describe(zoo->engine, component);
    fill_fields(info.fields, info.field_count, info.size, dice, out_value);
    if (info.field_count == 0) {
        for (size_t i = 0; i < info.size; i++) {
            ((unsigned char *)out_value)[i] = (unsigned char)dice_roll(dice, 256);
        }
    }
}

void write_value(struct kept_text *text, const cosm_engine *engine, cosm_component component,
                 const void *value, bool spaced) {
    kept_text_clear(text);
    CHECK_DONE(cosm_json_write_value(engine, component, value, (cosm_json_style){spaced}, keep_text,
                                     text));
}

void write_world(struct kept_text *text, cosm_world world, bool spaced) {
    kept_text_clear(text);
    CHECK_DONE(cosm_json_write_world(world, (cosm_json_style){spaced}, keep_text, text));
}

void write_entity(struct kept_text *text, cosm_world world, cosm_entity entity, bool spaced) {
    kept_text_clear(text);
    CHECK_DONE(cosm_json_write_entity(world, entity, (cosm_json_style){spaced}, keep_text, text));
}
