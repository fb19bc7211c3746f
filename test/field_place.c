// Placing fields one after the other, as a compiler lays out a struct (cosm_field_place).
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(*(array))))

// Structs as the compiler lays them out, and the fields that describe them.
struct lone_byte {
    uint8_t a;
};
struct byte_and_double {
    uint8_t a;
    double b;
};
struct tail_gap {
    double a;
    uint16_t b;
    uint8_t c;
};
struct mixed {
    bool a;
    int16_t b;
    char c[5];
    float d;
    uint64_t e;
    int8_t f;
};
struct arrays {
    uint8_t a[3];
    uint16_t b[2][3];
    double c[2][1][2];
    uint8_t d;
};
struct handles {
    uint8_t a;
    cosm_entity b;
    cosm_entity c[3];
    uint16_t d;
};
struct four_dims {
    uint8_t a;
    uint32_t b[2][2][2][2];
    uint8_t c;
};
struct text_only {
    char a[31];
    char b[2][8];
};
struct all_wide {
    int64_t a;
    uint64_t b;
    double c;
};
struct shrinking {
    uint64_t a;
    uint32_t b;
    uint16_t c;
    uint8_t d;
};
struct growing {
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
};
struct over_aligned {
    uint8_t a;
    _Alignas(32) float b[8];
    float c;
    _Alignas(64) uint8_t d[64];
};
struct page {
    uint8_t a;
    _Alignas(4096) uint8_t b;
};
struct inner {
    uint8_t x;
    uint32_t y;
};
struct nested {
    uint8_t a;
    struct inner b[2];
    uint16_t c;
};

struct member {
    const char *name;
    cosm_field_type type;
    uint32_t dims[COSM_FIELD_DIM_MAX];
    uint32_t alignment;
    size_t offset; // as the compiler has it
};

struct sample {
    const char *name;
    size_t size;
    size_t alignment;
    struct member members[6];
};

#define SAMPLE(Struct)                                                                             \
    .name = #Struct, .size = sizeof(struct Struct), .alignment = _Alignof(struct Struct)
#define MEMBER(Struct, m, Type, ...)                                                               \
    { #m, Type, {__VA_ARGS__ }, 0, offsetof(struct Struct, m) }
#define ALIGNED(Struct, m, Type, dim, to)                                                          \
    { #m, Type, {dim }, to, offsetof(struct Struct, m) }

// clang-format off
static const struct sample samples[] = {
    {SAMPLE(lone_byte), .members = {MEMBER(lone_byte, a, COSM_FIELD_U8, 0)}},
    {SAMPLE(byte_and_double), .members = {
        MEMBER(byte_and_double, a, COSM_FIELD_U8, 0),
        MEMBER(byte_and_double, b, COSM_FIELD_F64, 0)}},
    {SAMPLE(tail_gap), .members = {
        MEMBER(tail_gap, a, COSM_FIELD_F64, 0), MEMBER(tail_gap, b, COSM_FIELD_U16, 0),
        MEMBER(tail_gap, c, COSM_FIELD_U8, 0)}},
    {SAMPLE(mixed), .members = {
        MEMBER(mixed, a, COSM_FIELD_BOOL, 0), MEMBER(mixed, b, COSM_FIELD_I16, 0),
        MEMBER(mixed, c, COSM_FIELD_CHAR, 5), MEMBER(mixed, d, COSM_FIELD_F32, 0),
        MEMBER(mixed, e, COSM_FIELD_U64, 0), MEMBER(mixed, f, COSM_FIELD_I8, 0)}},
    {SAMPLE(arrays), .members = {
        MEMBER(arrays, a, COSM_FIELD_U8, 3), MEMBER(arrays, b, COSM_FIELD_U16, 2, 3),
        MEMBER(arrays, c, COSM_FIELD_F64, 2, 1, 2), MEMBER(arrays, d, COSM_FIELD_U8, 0)}},
    {SAMPLE(handles), .members = {
        MEMBER(handles, a, COSM_FIELD_U8, 0), MEMBER(handles, b, COSM_FIELD_ENTITY, 0),
        MEMBER(handles, c, COSM_FIELD_ENTITY, 3), MEMBER(handles, d, COSM_FIELD_U16, 0)}},
    {SAMPLE(four_dims), .members = {
        MEMBER(four_dims, a, COSM_FIELD_U8, 0), MEMBER(four_dims, b, COSM_FIELD_U32, 2, 2, 2, 2),
        MEMBER(four_dims, c, COSM_FIELD_U8, 0)}},
    {SAMPLE(text_only), .members = {
        MEMBER(text_only, a, COSM_FIELD_CHAR, 31), MEMBER(text_only, b, COSM_FIELD_CHAR, 2, 8)}},
    {SAMPLE(all_wide), .members = {
        MEMBER(all_wide, a, COSM_FIELD_I64, 0), MEMBER(all_wide, b, COSM_FIELD_U64, 0),
        MEMBER(all_wide, c, COSM_FIELD_F64, 0)}},
    {SAMPLE(shrinking), .members = {
        MEMBER(shrinking, a, COSM_FIELD_U64, 0), MEMBER(shrinking, b, COSM_FIELD_U32, 0),
        MEMBER(shrinking, c, COSM_FIELD_U16, 0), MEMBER(shrinking, d, COSM_FIELD_U8, 0)}},
    {SAMPLE(growing), .members = {
        MEMBER(growing, a, COSM_FIELD_U8, 0), MEMBER(growing, b, COSM_FIELD_U16, 0),
        MEMBER(growing, c, COSM_FIELD_U32, 0), MEMBER(growing, d, COSM_FIELD_U64, 0)}},
    {SAMPLE(over_aligned), .members = {
        MEMBER(over_aligned, a, COSM_FIELD_U8, 0), ALIGNED(over_aligned, b, COSM_FIELD_F32, 8, 32),
        MEMBER(over_aligned, c, COSM_FIELD_F32, 0),
        ALIGNED(over_aligned, d, COSM_FIELD_U8, 64, 64)}},
    {SAMPLE(page), .members = {
        MEMBER(page, a, COSM_FIELD_U8, 0), ALIGNED(page, b, COSM_FIELD_U8, 0, 4096)}},
};
// clang-format on

// Turns a sample into fields that have no offsets yet.
static uint32_t fields_of_sample(const struct sample *sample, cosm_field *out_fields) {
    uint32_t count = 0;
    for (; count < COUNT_OF(sample->members) && sample->members[count].name != NULL; count++) {
        const struct member *member = &sample->members[count];
        out_fields[count] = (cosm_field){.name = member->name,
                                         .type = member->type,
                                         .offset = 12345,
                                         .alignment = member->alignment};
        memcpy(out_fields[count].dims, member->dims, sizeof(member->dims));
    }
    return count;
}

TEST(fields_are_placed_as_a_compiler_lays_out_a_struct) {
    for (uint32_t s = 0; s < COUNT_OF(samples); s++) {
        const struct sample *sample = &samples[s];
        cosm_field fields[COUNT_OF(sample->members)];
        uint32_t count = fields_of_sample(sample, fields);
        size_t size = 0;
        size_t alignment = 0;
        CHECK_DONE(cosm_field_place(fields, count, &size, &alignment));
        CHECK_INT(size, sample->size);
        CHECK_INT(alignment, sample->alignment);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_INT(fields[i].offset, sample->members[i].offset);
            CHECK_STR(fields[i].name, sample->members[i].name);
        }
    }
}

TEST(a_field_that_does_not_fill_its_alignment_is_padded_when_it_is_placed) {
    cosm_field fields[] = {{.name = "a", .type = COSM_FIELD_F32, .alignment = 16},
                           {.name = "b", .type = COSM_FIELD_F32}};
    size_t size = 0;
    size_t alignment = 0;
    CHECK_DONE(cosm_field_place(fields, 2, &size, &alignment));
    CHECK_INT(fields[0].padding, 12);
    CHECK_INT(fields[1].offset, 16);
    CHECK_INT(fields[1].padding, 0);
    CHECK_INT(size, 32);
    CHECK_INT(alignment, 16);
}

// The alignment of each sample but the over-aligned ones is that of its types, so each can be
// defined as it was placed.
TEST(what_was_placed_can_be_defined) {
    cosm_engine *engine = cosm_engine_create(NULL);
    for (uint32_t s = 0; s < COUNT_OF(samples); s++) {
        const struct sample *sample = &samples[s];
        cosm_field fields[COUNT_OF(sample->members)];
        uint32_t count = fields_of_sample(sample, fields);
        size_t size = 0;
        size_t alignment = 0;
        CHECK_DONE(cosm_field_place(fields, count, &size, &alignment));
        if (alignment > 8) {
            continue;
        }
        cosm_component made =
            cosm_component_define(engine, &(cosm_component_desc){.name = sample->name,
                                                                 .size = size,
                                                                 .alignment = alignment,
                                                                 .fields = fields,
                                                                 .field_count = count});
        CHECK(made.id != 0);
        CHECK_INT(cosm_component_describe(engine, made).size, sample->size);
        CHECK_INT(cosm_component_describe(engine, made).alignment, sample->alignment);
        CHECK_INT(cosm_component_describe(engine, made).field_count, count);
    }
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_members_of_nested_structs_are_described_by_their_paths) {
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_U8, .offset = offsetof(struct nested, a)},
        {.name = "b[0].x", .type = COSM_FIELD_U8, .offset = offsetof(struct nested, b[0].x)},
        {.name = "b[0].y", .type = COSM_FIELD_U32, .offset = offsetof(struct nested, b[0].y)},
        {.name = "b[1].x", .type = COSM_FIELD_U8, .offset = offsetof(struct nested, b[1].x)},
        {.name = "b[1].y", .type = COSM_FIELD_U32, .offset = offsetof(struct nested, b[1].y)},
        {.name = "c", .type = COSM_FIELD_U16, .offset = offsetof(struct nested, c)},
    };
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component made =
        cosm_component_define(engine, &(cosm_component_desc){.name = "nested",
                                                             .size = sizeof(struct nested),
                                                             .alignment = _Alignof(struct nested),
                                                             .fields = fields,
                                                             .field_count = COUNT_OF(fields)});
    CHECK(made.id != 0);
    cosm_component_info info = cosm_component_describe(engine, made);
    CHECK_INT(cosm_field_find(info.fields, info.field_count, "b[1].y"), 4);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(padding_moves_what_follows_and_counts_in_the_size_of_the_whole) {
    cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_F32, .padding = 12},
        {.name = "b", .type = COSM_FIELD_U8, .padding = 3},
        {.name = "c", .type = COSM_FIELD_U16, .padding = 6},
    };
    size_t size = 0;
    size_t alignment = 0;
    CHECK_DONE(cosm_field_place(fields, 3, &size, &alignment));
    CHECK_INT(fields[0].offset, 0);
    CHECK_INT(fields[1].offset, 16);
    CHECK_INT(fields[2].offset, 20);
    CHECK_INT(size, 28);
    CHECK_INT(alignment, 4);
    CHECK_INT(fields[0].padding, 12);
}

TEST(no_fields_at_all_take_no_bytes) {
    size_t size = 9;
    size_t alignment = 9;
    CHECK_DONE(cosm_field_place(NULL, 0, &size, &alignment));
    CHECK_INT(size, 0);
    CHECK_INT(alignment, 1);
}

TEST(random_fields_are_placed_without_overlap_and_can_be_defined) {
    struct dice dice = {harness_seed()};
    cosm_engine *engine = cosm_engine_create(NULL);
    for (uint32_t round = 0; round < 300; round++) {
        cosm_field fields[12];
        char names[12][16];
        uint32_t count = 1 + dice_roll(&dice, 12);
        for (uint32_t i = 0; i < count; i++) {
            (void)snprintf(names[i], sizeof(names[i]), "f%u", i);
            uint32_t type = 1 + dice_roll(&dice, COSM_FIELD_TYPE_COUNT - 1);
            fields[i] = (cosm_field){.name = names[i], .type = (cosm_field_type)type};
            for (uint32_t d = 0; d < COSM_FIELD_DIM_MAX && dice_roll(&dice, 3) == 0; d++) {
                fields[i].dims[d] = 1 + dice_roll(&dice, 5);
            }
            fields[i].dims[0] += type == COSM_FIELD_CHAR && fields[i].dims[0] == 0;
            fields[i].alignment = dice_roll(&dice, 4) == 0 ? 1u << dice_roll(&dice, 7) : 0;
            // A whole number of alignments, so that each value of an array of them is aligned too.
            size_t bytes = cosm_field_size(&fields[i]);
            uint32_t to = fields[i].alignment == 0 ? 1 : fields[i].alignment;
            fields[i].padding = (uint32_t)((to - bytes % to) % to) + to * dice_roll(&dice, 2);
            if (fields[i].alignment == 0) {
                fields[i].padding = 8 * dice_roll(&dice, 2);
            }
        }
        size_t size = 0;
        size_t alignment = 0;
        CHECK_DONE(cosm_field_place(fields, count, &size, &alignment));
        CHECK_INT(size % alignment, 0);
        char name[16];
        (void)snprintf(name, sizeof(name), "random %u", round);
        cosm_component made =
            cosm_component_define(engine, &(cosm_component_desc){.name = name,
                                                                 .size = size,
                                                                 .alignment = alignment,
                                                                 .fields = fields,
                                                                 .field_count = count});
        CHECK_INT(cosm_component_describe(engine, made).field_count, count);
    }
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(what_cannot_be_placed_is_refused_and_left_as_it_was) {
    const cosm_field wrong[] = {
        {.type = COSM_FIELD_F32},
        {.name = "b"},
        {.name = "b", .type = COSM_FIELD_TYPE_COUNT},
        {.name = "b", .type = COSM_FIELD_F32, .alignment = 3},
        {.name = "b", .type = COSM_FIELD_F32, .alignment = 8192},
        {.name = "b", .type = COSM_FIELD_F32, .padding = COSM_COMPONENT_SIZE_MAX + 1},
        {.name = "b", .type = COSM_FIELD_F32, .dims = {65536, 65536}},
        {.name = "b", .type = COSM_FIELD_U8, .dims = {COSM_COMPONENT_SIZE_MAX + 1}},
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        cosm_field fields[] = {{.name = "a", .type = COSM_FIELD_U8, .offset = 77}, wrong[i]};
        size_t size = 5;
        size_t alignment = 6;
        CHECK_FAILS(cosm_field_place(fields, 2, &size, &alignment), COSM_ERROR_ARGUMENT,
                    "cosm_field_place:", "fields[1]", "set a name, a type, dimensions");
        CHECK_INT(fields[0].offset, 77);
        CHECK_INT(size, 5);
        CHECK_INT(alignment, 6);
    }
}

TEST(placing_wants_fields_and_room_for_its_answer) {
    cosm_field field = {.name = "a", .type = COSM_FIELD_U8};
    size_t size = 0;
    CHECK_FAILS(cosm_field_place(NULL, 1, &size, &size), COSM_ERROR_ARGUMENT,
                "cosm_field_place:", "is NULL", "pass all three");
    CHECK_FAILS(cosm_field_place(&field, 1, NULL, &size), COSM_ERROR_ARGUMENT,
                "cosm_field_place:", "is NULL", "pass all three");
    CHECK_FAILS(cosm_field_place(&field, 1, &size, NULL), COSM_ERROR_ARGUMENT,
                "cosm_field_place:", "is NULL", "pass all three");
}

TEST(the_whole_of_what_is_placed_has_at_most_16_mib) {
    cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_U8, .dims = {COSM_COMPONENT_SIZE_MAX - 8}},
        {.name = "b", .type = COSM_FIELD_F64, .offset = 77},
    };
    size_t size = 0;
    size_t alignment = 0;
    CHECK_DONE(cosm_field_place(fields, 2, &size, &alignment));
    CHECK_INT(size, COSM_COMPONENT_SIZE_MAX);
    fields[0].dims[0]++;
    CHECK_FAILS(cosm_field_place(fields, 2, &size, &alignment), COSM_ERROR_LIMIT,
                "cosm_field_place:", "more than 16777216 bytes", "use fewer or smaller");
    CHECK_INT(fields[1].offset, COSM_COMPONENT_SIZE_MAX - 8); // as it was
    cosm_field bytes[] = {
        {.name = "a", .type = COSM_FIELD_U8, .dims = {COSM_COMPONENT_SIZE_MAX - 1}},
        {.name = "b", .type = COSM_FIELD_U8, .dims = {2}},
    };
    CHECK_FAILS(cosm_field_place(bytes, 2, &size, &alignment), COSM_ERROR_LIMIT,
                "cosm_field_place:", "more than 16777216 bytes", "use fewer or smaller");
    // A list so long that its bytes do not fit 32 bits.
    enum { LONG = 300 };
    static cosm_field many[LONG];
    for (uint32_t i = 0; i < LONG; i++) {
        many[i] =
            (cosm_field){.name = "a", .type = COSM_FIELD_U8, .dims = {COSM_COMPONENT_SIZE_MAX - 1}};
    }
    CHECK_FAILS(cosm_field_place(many, LONG, &size, &alignment), COSM_ERROR_LIMIT,
                "cosm_field_place:", "more than 16777216 bytes", "use fewer or smaller");
    CHECK_INT(size, COSM_COMPONENT_SIZE_MAX);
}
