// Typed access: components by the names of their C types (cosm/typed.h).
// ctest: golden
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define COUNT_OF(list) ((uint32_t)(sizeof(list) / sizeof(*(list))))

typedef struct Pair {
    float x;
    float y;
} Pair;

typedef struct Item {
    uint16_t kind;
    uint16_t count;
} Item;

typedef struct Every {
    bool flag;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    cosm_entity target;
    bool flags[3];
    int8_t i8s[2];
    int16_t i16s[2];
    int32_t i32s[2];
    int64_t i64s[2];
    uint8_t u8s[5];
    uint16_t u16s[2];
    uint32_t u32s[2];
    uint64_t u64s[2];
    float f32s[7];
    double f64s[2];
    cosm_entity targets[4];
    char text[24];
    Pair pose;
    Item items[2];
} Every;

typedef struct One {
    float value;
} One;

typedef struct Wide {
    uint8_t a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    uint8_t b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
} Wide;

typedef struct Odd {
    float *pointer;
    const char *name;
    Pair *pair;
    float matrix[3][3];
    char letter;
    Pair inner;
    float *const fixed;
    const float constants[2];
    int plain;
} Odd;

typedef enum Mood { MOOD_CALM, MOOD_WILD } Mood;

typedef struct Moody {
    Mood mood;
    Mood moods[2];
    const float scale;
    volatile int16_t level;
    uint16_t pairs[2];
} Moody;

typedef struct Bare {
    uint64_t word;
} Bare;

typedef struct Clock {
    uint64_t ticks;
    Pair hands;
} Clock;

static void check_field(const cosm_engine *engine, cosm_component component, const char *name,
                        cosm_field_type type, size_t offset, uint32_t length) {
    cosm_component_info info = cosm_component_describe(engine, component);
    uint32_t index = cosm_field_find(info.fields, info.field_count, name);
    CHECK(index != COSM_FIELD_INDEX_NONE);
    if (index != COSM_FIELD_INDEX_NONE) {
        const cosm_field *field = &info.fields[index];
        CHECK_STR(field->name, name);
        CHECK_INT(field->type, type);
        CHECK_INT(field->offset, offset);
        CHECK_INT(field->dims[0], length);
        CHECK_INT(field->dims[1], 0);
    }
}

#define CHECK_FIELD(engine, id, name, type, length)                                                \
    check_field((engine), (id), #name, (type), offsetof(Every, name), (length))

typedef struct Half {
    float x;
    float y;
} Half;

typedef struct Gapped {
    double wide;
    float narrow; // with padding behind it
} Gapped;

TEST(a_component_is_defined_with_fields_of_every_type) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component every = COSM_COMPONENT_DEFINE(
        box.engine, Every, flag, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, target, flags, i8s,
        i16s, i32s, i64s, u8s, u16s, u32s, u64s, f32s, f64s, targets, text, pose.x, pose.y,
        items[0].kind, items[0].count, items[1].kind, items[1].count);
    REQUIRE(every.id != 0);
    CHECK_STR(cosm_component_describe(box.engine, every).name, "Every");
    CHECK_INT(cosm_component_describe(box.engine, every).size, sizeof(Every));
    CHECK_INT(cosm_component_describe(box.engine, every).alignment, _Alignof(Every));
    CHECK_INT(cosm_component_describe(box.engine, every).field_count, 31);
    CHECK_FIELD(box.engine, every, flag, COSM_FIELD_BOOL, 0);
    CHECK_FIELD(box.engine, every, i8, COSM_FIELD_I8, 0);
    CHECK_FIELD(box.engine, every, i16, COSM_FIELD_I16, 0);
    CHECK_FIELD(box.engine, every, i32, COSM_FIELD_I32, 0);
    CHECK_FIELD(box.engine, every, i64, COSM_FIELD_I64, 0);
    CHECK_FIELD(box.engine, every, u8, COSM_FIELD_U8, 0);
    CHECK_FIELD(box.engine, every, u16, COSM_FIELD_U16, 0);
    CHECK_FIELD(box.engine, every, u32, COSM_FIELD_U32, 0);
    CHECK_FIELD(box.engine, every, u64, COSM_FIELD_U64, 0);
    CHECK_FIELD(box.engine, every, f32, COSM_FIELD_F32, 0);
    CHECK_FIELD(box.engine, every, f64, COSM_FIELD_F64, 0);
    CHECK_FIELD(box.engine, every, target, COSM_FIELD_ENTITY, 0);
    CHECK_FIELD(box.engine, every, flags, COSM_FIELD_BOOL, 3);
    CHECK_FIELD(box.engine, every, i8s, COSM_FIELD_I8, 2);
    CHECK_FIELD(box.engine, every, i16s, COSM_FIELD_I16, 2);
    CHECK_FIELD(box.engine, every, i32s, COSM_FIELD_I32, 2);
    CHECK_FIELD(box.engine, every, i64s, COSM_FIELD_I64, 2);
    CHECK_FIELD(box.engine, every, u8s, COSM_FIELD_U8, 5);
    CHECK_FIELD(box.engine, every, u16s, COSM_FIELD_U16, 2);
    CHECK_FIELD(box.engine, every, u32s, COSM_FIELD_U32, 2);
    CHECK_FIELD(box.engine, every, u64s, COSM_FIELD_U64, 2);
    CHECK_FIELD(box.engine, every, f32s, COSM_FIELD_F32, 7);
    CHECK_FIELD(box.engine, every, f64s, COSM_FIELD_F64, 2);
    CHECK_FIELD(box.engine, every, targets, COSM_FIELD_ENTITY, 4);
    CHECK_FIELD(box.engine, every, text, COSM_FIELD_CHAR, 24);
    CHECK_FIELD(box.engine, every, pose.x, COSM_FIELD_F32, 0);
    CHECK_FIELD(box.engine, every, pose.y, COSM_FIELD_F32, 0);
    CHECK_FIELD(box.engine, every, items[1].count, COSM_FIELD_U16, 0);
    fixture_close(&box);
}

TEST(a_component_is_defined_with_no_field_with_one_and_with_thirty_two) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(
        cosm_component_describe(box.engine, COSM_COMPONENT_DEFINE(box.engine, Bare)).field_count,
        0);
    CHECK_INT(cosm_component_describe(box.engine, COSM_COMPONENT_DEFINE(box.engine, One, value))
                  .field_count,
              1);
    cosm_component wide = COSM_COMPONENT_DEFINE(
        box.engine, Wide, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, b0,
        b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15);
    REQUIRE(wide.id != 0);
    cosm_component_info info = cosm_component_describe(box.engine, wide);
    REQUIRE(info.field_count == 32);
    CHECK_STR(info.fields[0].name, "a0");
    CHECK_STR(info.fields[31].name, "b15");
    CHECK_INT(info.fields[31].offset, 31);
    // The same again is the same, with other fields it is another.
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, One, value).id,
              cosm_component_find(box.engine, "One").id);
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, One).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'One'", "choose another name");
    fixture_close(&box);
}

#define CHECK_NO_FIELD(engine, field)                                                              \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK_INT(COSM_COMPONENT_DEFINE(engine, Odd, plain, field).id, 0);                         \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define: 'Odd'",                         \
                      "field '" #field "' has COSM_FIELD_NONE", "leave the field out");            \
    } while (0)

TEST(an_enum_is_a_number_and_qualifiers_do_not_matter) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component moody =
        COSM_COMPONENT_DEFINE(box.engine, Moody, mood, moods, scale, level, pairs[0], pairs[1]);
    REQUIRE(moody.id != 0);
    const cosm_field *fields = cosm_component_describe(box.engine, moody).fields;
    CHECK_INT(fields[0].type, COSM_FIELD_U32);
    CHECK_INT(fields[1].type, COSM_FIELD_U32);
    CHECK_INT(fields[1].dims[0], 2);
    CHECK_INT(fields[2].type, COSM_FIELD_F32);
    CHECK_INT(fields[3].type, COSM_FIELD_I16);
    CHECK_INT(fields[4].type, COSM_FIELD_U16);
    CHECK_INT(
        COSM_COMPONENT_DEFINE(box.engine, Moody, pairs[1], pairs[0], mood, moods, scale, level).id,
        0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define: 'Moody'",
                  "field 'pairs[1]' cannot be the first", "count indices from 0");
    fixture_close(&box);
}

TEST(what_the_macro_cannot_describe_is_refused_by_its_name) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_NO_FIELD(box.engine, pointer);
    CHECK_NO_FIELD(box.engine, name);
    CHECK_NO_FIELD(box.engine, pair);
    CHECK_NO_FIELD(box.engine, matrix);
    CHECK_NO_FIELD(box.engine, letter);
    CHECK_NO_FIELD(box.engine, inner);
    CHECK_NO_FIELD(box.engine, fixed);
    CHECK_NO_FIELD(box.engine, constants);
    // What the macro cannot describe it cannot leave out either: that is a matter of a desc.
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Odd, inner.x, plain).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COMPONENT_DEFINE: 'Odd'", "belong to no field",
                  "name every field");
    fixture_close(&box);
}

TEST(singletons_and_tags_are_defined_under_their_own_names) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_singleton clock = COSM_SINGLETON_DEFINE(box.engine, Clock, ticks, hands.x, hands.y);
    CHECK_STR(cosm_singleton_describe(box.engine, clock).name, "Clock");
    CHECK_INT(cosm_singleton_describe(box.engine, clock).size, sizeof(Clock));
    CHECK_INT(cosm_singleton_describe(box.engine, clock).field_count, 3);
    COSM_SINGLETON_WRITE(box.world, Clock)->ticks = 5;
    CHECK_INT(COSM_SINGLETON_READ(box.world, Clock)->ticks, 5);
    cosm_component frozen = COSM_TAG_DEFINE(box.engine, Frozen);
    CHECK_STR(cosm_component_describe(box.engine, frozen).name, "Frozen");
    CHECK_INT(cosm_component_describe(box.engine, frozen).size, 0);
    CHECK_INT(COSM_TAG_DEFINE(box.engine, Frozen).id, frozen.id);
    fixture_close(&box);
}

TEST(one_component_has_one_type) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component_desc desc = {.name = "Pose", .type = "Pair", .size = sizeof(Pair)};
    cosm_component pose = cosm_component_define(box.engine, &desc);
    CHECK(pose.id != 0);
    desc.type = NULL;
    CHECK_INT(cosm_component_define(box.engine, &desc).id, pose.id);
    desc.type = "Velocity";
    CHECK_INT(cosm_component_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define:", "'Pose'", "define it the same");
    desc = (cosm_component_desc){.name = "Other", .type = "", .size = 4};
    CHECK_INT(cosm_component_define(box.engine, &desc).id, 0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
    cosm_error_clear();
    fixture_close(&box);
}

// Rows in systems.

typedef struct A_type_whose_name_is_longer_than_32_bytes_A {
    uint32_t value;
} A_type_whose_name_is_longer_than_32_bytes_A;

typedef struct A_type_whose_name_is_longer_than_32_bytes_B {
    uint32_t value;
} A_type_whose_name_is_longer_than_32_bytes_B;

typedef struct Last1 {
    uint32_t value;
} Last1;

typedef struct Last2 {
    uint32_t value;
} Last2;

static void move(cosm_rows *rows) {
    Position *position = COSM_WRITE(rows, Position);
    const Velocity *velocity = COSM_READ(rows, Velocity);
    const Health *health = COSM_READ(rows, Health); // optional
    CHECK((health != NULL) ==
          cosm_archetype_has(cosm_rows_engine(rows), rows->archetype,
                             cosm_component_find(cosm_rows_engine(rows), "Health")));
    CHECK(position == cosm_rows_read(rows, 0, sizeof(*position)));
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += velocity[i].x;
        position[i].y += health == NULL ? 1 : (float)health[i].points;
    }
}

TEST(a_system_finds_the_columns_of_its_types_in_every_table) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    CHECK(COSM_SYSTEM_DEFINE(box.engine, move, "mut Position, Velocity, ?Health").id != 0);
    CHECK(cosm_system_find(box.engine, "move").id != 0);
    cosm_entity entities[3][2];
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        entities[w][0] = COSM_SPAWN(world, COSM_DEFAULT(Position), COSM_VALUE(Velocity, .x = 2));
        entities[w][1] =
            COSM_SPAWN(world, COSM_VALUE(Position, .z = 1), COSM_VALUE(Velocity, .x = 3),
                       COSM_DEFAULT(Health), COSM_DEFAULT(Mark));
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        const Position *a = COSM_READ(world, entities[w][0], Position);
        const Position *b = COSM_READ(world, entities[w][1], Position);
        REQUIRE(a != NULL && b != NULL);
        CHECK(a->x == 2 && a->y == 1 && a->z == 0);
        CHECK(b->x == 3 && b->y == 100 && b->z == 1);
        CHECK(cosm_entity_has(world, entities[w][1], box.mark));
    }
    fixture_close(&box);
}

static void add_names(cosm_rows *rows) {
    A_type_whose_name_is_longer_than_32_bytes_A *a =
        COSM_WRITE(rows, A_type_whose_name_is_longer_than_32_bytes_A);
    A_type_whose_name_is_longer_than_32_bytes_B *b =
        COSM_WRITE(rows, A_type_whose_name_is_longer_than_32_bytes_B);
    Last1 *last1 = COSM_WRITE(rows, Last1);
    Last2 *last2 = COSM_WRITE(rows, Last2);
    for (uint32_t i = 0; i < rows->count; i++) {
        a[i].value += 1;
        b[i].value += 2;
        last1[i].value += 3;
        last2[i].value += 4;
    }
}

TEST(names_that_are_long_or_differ_in_their_last_byte_are_told_apart) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    COSM_COMPONENT_DEFINE(box.engine, Last2, value);
    COSM_COMPONENT_DEFINE(box.engine, A_type_whose_name_is_longer_than_32_bytes_B, value);
    COSM_COMPONENT_DEFINE(box.engine, A_type_whose_name_is_longer_than_32_bytes_A, value);
    COSM_COMPONENT_DEFINE(box.engine, Last1, value);
    CHECK(COSM_SYSTEM_DEFINE(box.engine, add_names,
                             "mut Last1, mut A_type_whose_name_is_longer_than_32_bytes_A, "
                             "mut Last2, mut A_type_whose_name_is_longer_than_32_bytes_B")
              .id != 0);
    cosm_entity entity =
        COSM_SPAWN(box.world, COSM_VALUE(A_type_whose_name_is_longer_than_32_bytes_A, 10),
                   COSM_VALUE(A_type_whose_name_is_longer_than_32_bytes_B, 20),
                   COSM_VALUE(Last1, 30), COSM_VALUE(Last2, 40));
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_world world = box.world;
    CHECK_INT(COSM_READ(world, entity, A_type_whose_name_is_longer_than_32_bytes_A)->value, 11);
    CHECK_INT(COSM_READ(world, entity, A_type_whose_name_is_longer_than_32_bytes_B)->value, 22);
    CHECK_INT(COSM_READ(world, entity, Last1)->value, 33);
    CHECK_INT(COSM_READ(world, entity, Last2)->value, 44);
    fixture_close(&box);
}

TEST(two_type_names_with_one_key_are_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    typedef One SandwichDaapaaPp;
    typedef One Magnetic9Fg4Wi14;
    if (COSM_TYPE(SandwichDaapaaPp).key != COSM_TYPE(Magnetic9Fg4Wi14).key) {
        fixture_close(&box); // keys are others on this machine
        return;
    }
    CHECK(COSM_COMPONENT_DEFINE(box.engine, SandwichDaapaaPp, value).id != 0);
    CHECK(COSM_COMPONENT_DEFINE(box.engine, SandwichDaapaaPp, value).id != 0);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Magnetic9Fg4Wi14, value).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_component_define: type 'Magnetic9Fg4Wi14'",
                      "'SandwichDaapaaPp'", "rename one");
        // And if several hold the first.
        cosm_component_desc twin = {
            .name = "Twin", .type = "SandwichDaapaaPp", .size = sizeof(One)};
        CHECK(cosm_component_define(box.engine, &twin).id != 0);
    }
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Magnetic9Fg4Wi14, value).id != 0);
    CHECK_INT(COSM_SINGLETON_DEFINE(box.engine, SandwichDaapaaPp, value).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_singleton_define: type 'SandwichDaapaaPp'",
                  "'Magnetic9Fg4Wi14'", "rename one");
    fixture_close(&box);
}

static void count_alternatives(cosm_rows *rows) {
    uint32_t *counts = rows->context;
    counts[0] += COSM_READ(rows, Velocity) != NULL ? rows->count : 0;
    counts[1] += COSM_READ(rows, Health) != NULL ? rows->count : 0;
    counts[2] += rows->count;
}

TEST(an_alternative_that_is_absent_is_null_without_a_message) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t counts[3] = {0};
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "count",
                                                             .each = count_alternatives,
                                                             .context = counts,
                                                             .query = "(Velocity | Health)",
                                                             .global = true})
              .id != 0);
    (void)COSM_SPAWN(box.world, COSM_DEFAULT(Velocity));
    (void)COSM_SPAWN(box.world, COSM_DEFAULT(Health));
    (void)COSM_SPAWN(box.world, COSM_DEFAULT(Health), COSM_DEFAULT(Velocity));
    (void)COSM_SPAWN(box.world, COSM_DEFAULT(Position));
    cosm_error_clear();
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_SILENT();
    CHECK_INT(counts[0], 2);
    CHECK_INT(counts[1], 2);
    CHECK_INT(counts[2], 3);
    fixture_close(&box);
}

// Mistakes in systems: the step fails, the loop does not run, and the message is given once.

struct mistake {
    cosm_rows_fn *each;
    const char *query;
    const char *message; // without the call
    const char *call;
};

struct witness {
    uint32_t runs;
    uint32_t rows; // that a loop saw
    uint32_t reports;
};

static void report_to(void *context, cosm_result result, const char *message) {
    (void)result;
    (void)message;
    ((struct witness *)context)->reports++;
}

static void swap_types(cosm_rows *rows) {
    struct witness *witness = rows->context;
    witness->runs++;
    const Velocity *velocity = COSM_COLUMN_READ(rows, Velocity, 0); // a Position, of equal size
    for (uint32_t i = 0; i < rows->count; i++) {
        witness->rows += velocity[i].x == 0;
    }
}

static void read_missing(cosm_rows *rows) {
    struct witness *witness = rows->context;
    witness->runs++;
    const Velocity *velocity = COSM_READ(rows, Velocity);
    for (uint32_t i = 0; i < rows->count; i++) {
        witness->rows += velocity[i].x == 0;
    }
}

static void write_read(cosm_rows *rows) {
    struct witness *witness = rows->context;
    witness->runs++;
    Position *position = COSM_WRITE(rows, Position);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
        witness->rows++;
    }
}

static void write_read_by_number(cosm_rows *rows) {
    struct witness *witness = rows->context;
    witness->runs++;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
        witness->rows++;
    }
}

static const struct mistake mistakes[] = {
    {swap_types, "Position",
     "system 'wrong': term 0, component 'Position', holds type 'Position', but the call requests "
     "'Velocity'; use the right one",
     "COSM_COLUMN_READ: "},
    {read_missing, "mut Position",
     "system 'wrong': no term of the query, 'mut Position', holds type 'Velocity'; use the type "
     "of one of its terms, or add 'Velocity' to the query",
     "COSM_READ: "},
    {read_missing, "Position, !Velocity",
     "system 'wrong': no term of the query, 'Position, !Velocity', holds type 'Velocity'; use the "
     "type of one of its terms, or add 'Velocity' to the query",
     "COSM_READ: "},
    {write_read, "Position",
     "system 'wrong': term 0, 'Position', is only read; write 'mut Position' in the query, or use "
     "the macro that ends in READ",
     "COSM_WRITE: "},
    {write_read_by_number, "Position",
     "system 'wrong': term 0, 'Position', is only read; write 'mut Position' in the query, or use "
     "the macro that ends in READ",
     "COSM_COLUMN_WRITE: "},
};

static void check_mistake(const struct mistake *mistake, uint32_t workers, bool by_world) {
    struct witness witness = {0};
    struct fixture box;
    fixture_open_with(
        &box, 0,
        &(cosm_engine_desc){.worker_count = workers, .error = report_to, .error_context = &witness},
        &(cosm_batch_desc){.world_count = 3});
    cosm_system_desc desc = {.name = "wrong",
                             .each = mistake->each,
                             .context = &witness,
                             .query = mistake->query,
                             .global = true};
    desc.queries[0].by_world = by_world;
    REQUIRE(cosm_system_define(box.engine, &desc).id != 0);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        (void)COSM_SPAWN(world, COSM_DEFAULT(Position));
        (void)COSM_SPAWN(world, COSM_DEFAULT(Position), COSM_DEFAULT(Health));
        (void)cosm_entity_spawn(world, box.stone);
    }
    for (uint32_t step = 1; step <= 2; step++) {
        uint32_t runs = witness.runs;
        cosm_error_clear();
        CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT);
        CHECK_CONTAINS(cosm_error_message(), mistake->call);
        CHECK_CONTAINS(cosm_error_message(), mistake->message);
        CHECK_INT(witness.runs - runs, 9); // 3 tables in 3 worlds, and none is passed over
        CHECK_INT(witness.rows, 0);
    }
    CHECK_INT(witness.reports, 1);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(a_wrong_type_or_access_fails_the_step_and_the_loop_does_not_run) {
    for (uint32_t i = 0; i < COUNT_OF(mistakes); i++) {
        check_mistake(&mistakes[i], 1, false);
        check_mistake(&mistakes[i], 3, false);
        check_mistake(&mistakes[i], 1, true);
    }
}

static void take_twins(cosm_rows *rows) {
    uint32_t *step = rows->context;
    if (*step == 0) {
        Pair *first = COSM_COLUMN_WRITE(rows, Pair, 0);
        const Pair *second = COSM_COLUMN_READ(rows, Pair, 1);
        for (uint32_t i = 0; i < rows->count; i++) {
            first[i].x += second[i].x;
        }
    } else {
        CHECK(COSM_READ(rows, Pair) == NULL);
        CHECK_INT(rows->count, 0);
    }
}

TEST(two_components_of_one_type_are_taken_by_number_and_never_by_luck) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t step = 0;
    cosm_component_desc desc = {.name = "from", .type = "Pair", .size = sizeof(Pair)};
    cosm_component from = cosm_component_define(box.engine, &desc);
    desc.name = "to";
    cosm_component to = cosm_component_define(box.engine, &desc);
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "twins",
                                                             .each = take_twins,
                                                             .context = &step,
                                                             .query = "mut from, to"})
              .id != 0);
    cosm_archetype both =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.text = "from, to"});
    cosm_entity entity = cosm_entity_spawn_with(
        box.world, both, (cosm_value[]){{from, &(Pair){1, 0}}, {to, &(Pair){2, 0}}}, 2);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_NEAR(READ_BY_ID(box.world, entity, Pair, from)->x, 3, 0);
    step = 1;
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT, "COSM_READ: system 'twins'",
                "terms 0 and 1 both hold type 'Pair'", "COSM_COLUMN_READ");
    // By entity there is no number to go by, so the id it is.
    CHECK(COSM_READ(box.world, entity, Pair) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "several components hold type 'Pair'",
                  "name one by its id");
    // Names are unique, though.
    CHECK_INT(COSM_ID(box.world, to).id, to.id);
    CHECK_INT(COSM_ID(box.world, Pair).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_ID:", "several components hold type 'Pair'", "id");
    // A query of one of them finds it by its type.
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.text = "to"});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_NEAR(COSM_READ(&rows, Pair)->x, 2, 0);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_component_for_reading_and_for_writing_is_no_double) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    (void)COSM_SPAWN(box.world, COSM_VALUE(Position, .x = 7));
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.text = "Position, mut Position"});
    REQUIRE(query != NULL);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(COSM_READ(&rows, Position) != NULL);
    CHECK(COSM_WRITE(&rows, Position) != NULL);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_walk_goes_on_behind_a_run_that_was_emptied) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    for (uint32_t w = 0; w < 4; w++) {
        cosm_rows spawned;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &spawned));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 2, &spawned));
    }
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.text = "Position"});
    for (uint32_t by_world = 0; by_world < 2; by_world++) {
        uint32_t runs = 0;
        cosm_rows rows;
        cosm_query_walk(query, by_world ? (cosm_worlds){box.batch, 1, 1} : box.all, &rows);
        while (cosm_rows_next(&rows)) {
            CHECK(rows.count > 0);
            CHECK(COSM_READ(&rows, Velocity) == NULL);
            CHECK_INT(rows.count, 0);
            CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ: this walk", "'Velocity'", "'Position'");
            runs++;
        }
        CHECK_INT(runs, by_world ? 2 : 5); // the slots of four worlds, which are full, are one run
        CHECK(COSM_READ(&rows, Position) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "the walk has no current rows",
                      "cosm_rows_next");
    }
    CHECK_INT(cosm_query_count(query, box.all), 24);
    CHECK(!cosm_world_is_walked(box.world));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_walk_that_filters_rows_goes_on_behind_a_run_that_was_emptied) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component_desc desc = {.name = "Wet", .storage = COSM_STORAGE_SECTOR};
    cosm_component wet = cosm_component_define(box.engine, &desc);
    cosm_rows spawned;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 9, &spawned));
    for (uint32_t i = 0; i < 9; i += 2) {
        CHECK_DONE(cosm_entity_add(box.world, (cosm_entity){1, i}, wet));
    }
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.text = "Position, Wet"});
    uint32_t runs = 0;
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK_INT(rows.row, 2 * runs);
        CHECK_INT(rows.count, 1);
        CHECK(COSM_READ(&rows, Velocity) == NULL);
        runs++;
    }
    CHECK_INT(runs, 5);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_long_query_is_cut_in_the_message) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char text[2048] = "";
    for (uint32_t i = 0; i < 20; i++) {
        char name[64] = "a_rather_long_name_of_a_component_0";
        name[strlen(name) - 1] = (char)('A' + i);
        cosm_component_desc desc = {.name = name, .size = 4};
        CHECK(cosm_component_define(box.engine, &desc).id != 0);
        strcat(strcat(text, i == 0 ? "?" : ", ?"), name);
    }
    (void)COSM_SPAWN(box.world, COSM_DEFAULT(Position));
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.text = text});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK(COSM_READ(&rows, Position) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "...', holds type 'Position'",
                  "add 'Position' to the query");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Rows that come from spawning, and entities.

TEST(rows_of_a_bulk_spawn_show_their_types) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 3, &rows));
    Position *position = COSM_WRITE(&rows, Position);
    const Health *health = COSM_READ(&rows, Health);
    REQUIRE(position != NULL && health != NULL);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i].x = (float)i;
        CHECK_INT(health[i].points, 100);
    }
    for (uint32_t i = 0; i < rows.count; i++) {
        CHECK_NEAR(COSM_READ(box.world, rows.entities[i], Position)->x, (double)i, 0);
    }
    CHECK_SILENT();
    CHECK(COSM_READ(&rows, Velocity) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ: archetype", "has no component 'Velocity'",
                  "do not request it");
    CHECK_INT(rows.count, 0);
    CHECK(COSM_READ(&rows, Position) == NULL); // of nothing
    CHECK_SILENT();
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 1, &rows));
    CHECK(COSM_READ(&rows, double) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "no component holds type 'double'",
                  "COSM_COMPONENT_DEFINE");
    memset(&rows, 0, sizeof(rows));
    CHECK(COSM_WRITE(&rows, Position) == NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(an_entity_that_is_stale_or_lacks_the_type_is_null_without_a_message) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity entity = COSM_SPAWN(box.world, COSM_VALUE(Position, 1, 2, 3));
    cosm_error_clear();
    CHECK(COSM_READ(box.world, entity, Velocity) == NULL);
    CHECK(COSM_WRITE(box.world, entity, Health) == NULL);
    CHECK(COSM_READ(fixture_world(&box, 1), entity, Position) == NULL);
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->z, 3, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    CHECK(COSM_READ(box.world, entity, Position) == NULL);
    CHECK(COSM_WRITE(box.world, COSM_ENTITY_NONE, Position) == NULL);
    CHECK_SILENT();
    CHECK(COSM_READ(((cosm_world){box.batch, 2}), entity, Position) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "world.index 2", "has 2 worlds");
    fixture_close(&box);
}

TEST(an_id_is_found_by_the_type_or_else_by_the_name) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component_desc desc = {.name = "Pose", .type = "Pair", .size = sizeof(Pair)};
    cosm_component pose = cosm_component_define(box.engine, &desc);
    CHECK_INT(COSM_ID(box.world, Position).id, box.position.id);
    CHECK_INT(COSM_ID(box.world, Mark).id, box.mark.id);
    CHECK_INT(COSM_ID(box.world, Pair).id, pose.id);
    CHECK_INT(COSM_ID(box.world, Pose).id, pose.id);
    cosm_component pack =
        cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "Pack", .text = "Pose, Mark"});
    CHECK_INT(COSM_ID(box.world, Pack).id, pack.id);
    cosm_entity entity = COSM_SPAWN(box.world, COSM_VALUE(Pair, 1, 2));
    CHECK_NEAR(COSM_READ(box.world, entity, Pair)->y, 2, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, COSM_ID(box.world, Mark)));
    CHECK(cosm_entity_has(box.world, entity, pack));
    CHECK_SILENT();
    CHECK_INT(COSM_ID(box.world, Nobody).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_ID:", "no component holds type 'Nobody'", "define it");
    CHECK_INT(COSM_ID(((cosm_world){NULL, 0}), Position).id, 0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(an_id_of_a_type_that_several_hold_is_never_that_of_another_of_this_name) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component_desc desc = {.name = "Begin", .type = "Pair", .size = sizeof(Pair)};
    CHECK(cosm_component_define(box.engine, &desc).id != 0);
    desc.name = "End";
    CHECK(cosm_component_define(box.engine, &desc).id != 0);
    desc = (cosm_component_desc){.name = "Pair", .type = "Couple", .size = 1};
    cosm_component pair = cosm_component_define(box.engine, &desc);
    CHECK(pair.id != 0);
    CHECK_INT(COSM_ID(box.world, Pair).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_ID:", "several components hold type 'Pair'",
                  "by its id");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_DEFAULT(Pair))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "several components hold type 'Pair'",
                  "by its id");
    CHECK_INT(COSM_ID(box.world, Couple).id, pair.id);
    CHECK_INT(COSM_ID(box.world, End).id, cosm_component_find(box.engine, "End").id);
    fixture_close(&box);
}

TEST(as_many_types_as_an_engine_has_are_all_found) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16] = "type000";
        name[4] = (char)('0' + i / 100);
        name[5] = (char)('0' + i / 10 % 10);
        name[6] = (char)('0' + i % 10);
        CHECK(
            cosm_component_define(box.engine, &(cosm_component_desc){.name = name, .size = 4}).id !=
            0);
        CHECK_INT(COSM_ID(box.world, type000).id, cosm_component_find(box.engine, "type000").id);
        CHECK_INT(COSM_ID(box.world, Health).id, box.health.id);
    }
    CHECK_INT(COSM_ID(box.world, type777).id, cosm_component_find(box.engine, "type777").id);
    CHECK_INT(COSM_ID(box.world, type999).id, cosm_component_find(box.engine, "type999").id);
    CHECK_SILENT();
    fixture_close(&box);
}

// Events.

static void on_health(const cosm_event *event) {
    uint32_t *sum = event->context;
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        *sum += health == NULL ? 1000000 : health->points;
    }
    CHECK(COSM_EVENT_VALUE(event, event->count, Health) == NULL);
}

TEST(an_event_shows_its_values_by_type) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t sum = 0;
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "health",
                                                                 .query = "Health",
                                                                 .run = on_health,
                                                                 .context = &sum})
              .id != 0);
    cosm_entity entity = COSM_SPAWN(box.world, COSM_VALUE(Health, 7));
    CHECK_INT(sum, 7);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    CHECK_INT(sum, 14);
    fixture_close(&box);
}

struct refusal {
    bool by_rows;
    uint32_t calls;
    uint32_t entities; // that a loop over the event has seen
};

static void on_wrong_type(const cosm_event *event) {
    struct refusal *refusal = event->context;
    refusal->calls++;
    const void *value = refusal->by_rows ? (const void *)COSM_READ(event->rows, One)
                                         : (const void *)COSM_EVENT_VALUE(event, 0, One);
    CHECK(value == NULL);
    CHECK_INT(event->rows->count, 0);
    for (uint32_t i = 0; i < event->count; i++) {
        refusal->entities++;
    }
}

TEST(a_type_that_is_refused_in_an_observer_is_reported_and_empties_the_event) {
    for (uint32_t by_rows = 0; by_rows < 2; by_rows++) {
        struct fixture box;
        fixture_open(&box, 0, 1);
        struct refusal refusal = {.by_rows = by_rows == 1};
        cosm_observer_desc desc = {
            .name = "wrong", .query = "Health", .run = on_wrong_type, .context = &refusal};
        CHECK(cosm_observer_define(box.engine, &desc).id != 0);
        cosm_error_clear();
        cosm_entity entity = COSM_SPAWN(box.world, COSM_VALUE(Health, 7));
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, by_rows ? "COSM_READ" : "COSM_EVENT_VALUE", "'One'",
                      by_rows ? "add 'One'" : "define it");
        CHECK_DONE(cosm_entity_set(box.world, entity, box.health, &(Health){8}));
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, by_rows ? "COSM_READ" : "COSM_EVENT_VALUE", "'One'",
                      by_rows ? "add 'One'" : "define it");
        CHECK_INT(refusal.calls, 2);
        CHECK_INT(refusal.entities, 0);
        fixture_close(&box);
    }
}

// Spawns by values.

typedef struct Team {
    uint32_t color;
} Team;

typedef struct Heat {
    float degrees;
} Heat;

typedef struct Blob {
    uint32_t bytes;
} Blob;

static void define_storages(cosm_engine *engine) {
    cosm_component_desc desc = {
        .name = "Team", .size = sizeof(Team), .storage = COSM_STORAGE_SHARED};
    CHECK(cosm_component_define(engine, &desc).id != 0);
    desc =
        (cosm_component_desc){.name = "Heat", .size = sizeof(Heat), .storage = COSM_STORAGE_SECTOR};
    CHECK(cosm_component_define(engine, &desc).id != 0);
    desc = (cosm_component_desc){.name = "Wet", .storage = COSM_STORAGE_SECTOR};
    CHECK(cosm_component_define(engine, &desc).id != 0);
    desc = (cosm_component_desc){
        .name = "Blob", .size = sizeof(Blob), .storage = COSM_STORAGE_MANAGED};
    CHECK(cosm_component_define(engine, &desc).id != 0);
}

TEST(an_entity_is_spawned_from_values_of_every_storage) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_storages(box.engine);
    cosm_entity entity =
        COSM_SPAWN(box.world, COSM_VALUE(Team, 3), COSM_VALUE(Heat, 4.5f), COSM_VALUE(Blob, 6),
                   COSM_VALUE(Position, .x = 1), COSM_DEFAULT(Mark), COSM_DEFAULT(Wet));
    REQUIRE(!cosm_entity_is_none(entity));
    CHECK_INT(COSM_READ(box.world, entity, Team)->color, 3);
    CHECK_NEAR(COSM_READ(box.world, entity, Heat)->degrees, 4.5, 0);
    CHECK_INT(COSM_READ(box.world, entity, Blob)->bytes, 6);
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->x, 1, 0);
    CHECK(cosm_entity_has(box.world, entity, box.mark));
    CHECK(cosm_entity_has(box.world, entity, COSM_ID(box.world, Wet)));
    cosm_entity plain = COSM_SPAWN(box.world, COSM_DEFAULT(Team), COSM_DEFAULT(Blob));
    CHECK_INT(COSM_READ(box.world, plain, Team)->color, 0);
    CHECK(COSM_READ(box.world, plain, Blob) == NULL); // a row begins with no object
    // The same set is the same archetype, in whatever order.
    CHECK_INT(cosm_entity_archetype(box.world, COSM_SPAWN(box.world, COSM_VALUE(Velocity, .x = 1),
                                                          COSM_DEFAULT(Position)))
                  .id,
              box.mover.id);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

static Health half_of(Health health) {
    return (Health){health.points / 2};
}

TEST(a_spawn_takes_copies_of_variables_and_results) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    Position position = {1, 2, 3};
    const Health health = {8};
    cosm_entity entity = COSM_SPAWN(box.world, COSM_COPY(Position, position),
                                    COSM_COPY(Health, half_of(health)), COSM_DEFAULT(Velocity));
    CHECK_MEM(COSM_READ(box.world, entity, Position), &position, sizeof(position));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 4);
    const Position *array = &position;
    entity = COSM_SPAWN(box.world, COSM_COPY(Position, array[0]), COSM_COPY(Health, health));
    CHECK_MEM(COSM_READ(box.world, entity, Position), &position, sizeof(position));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 8);
    fixture_close(&box);
}

TEST(a_spawn_that_makes_no_sense_is_refused_and_leaves_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_storages(box.engine);
    cosm_bundle_define(box.engine, &(cosm_bundle_desc){.name = "Pack", .text = "Position, Mark"});
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_VALUE(Clock, .ticks = 1))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "no component holds type 'Clock'",
                  "COSM_COMPONENT_DEFINE");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_DEFAULT(Nobody))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "'Nobody'", "define it");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_DEFAULT(Pack))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "is a bundle", "one by one");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_DEFAULT(Heat))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "'Heat' has COSM_STORAGE_SECTOR",
                  "COSM_VALUE");
    CHECK(cosm_entity_is_none(COSM_SPAWN(((cosm_world){box.batch, 1}), COSM_DEFAULT(Position))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "world.index 1", "1 worlds");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_VALUE(Health, 1), COSM_DEFAULT(Position),
                                         COSM_VALUE(Health, 2))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "values 0 and 2 are both of 'Health'",
                  "pass only one");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_VALUE(Heat, 1), COSM_VALUE(Heat, 2))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "values 0 and 1 are both of 'Heat'",
                  "pass only one");
    cosm_typed many[33];
    char names[33][16] = {0}; // followed by zeros
    for (uint32_t i = 0; i < 33; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "Tag%02u", i);
        many[i] = (cosm_typed){cosm_type_of(names[i], 5, 0), NULL};
        CHECK(cosm_tag_define(box.engine, many[i].type).id != 0);
    }
    CHECK(cosm_entity_is_none(cosm_entity_spawn_typed(box.world, many, 33)));
    CHECK_FAILURE(COSM_ERROR_LIMIT, "COSM_SPAWN:", "33 values", "at most 32");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_typed(box.world, NULL, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "values is NULL", "count of 0");
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    // As many as the limit, and none at all.
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_typed(box.world, many, 32)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_typed(box.world, NULL, 0)));
    // While the world is walked nothing is spawned.
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.text = ""});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_DEFAULT(Position))));
    CHECK_INT(cosm_error_result(), COSM_ERROR_WALKED);
    cosm_error_clear();
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    CHECK_INT(cosm_world_entity_count(box.world), 2);
    fixture_close(&box);
}

TEST(a_spawn_by_values_is_recorded_and_applied) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    define_storages(box.engine);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_world world = fixture_world(&box, 1);
    cosm_entity entity =
        COSM_COMMANDS_SPAWN(commands, world, COSM_VALUE(Position, .x = 5), COSM_VALUE(Team, 2),
                            COSM_VALUE(Heat, 3), COSM_DEFAULT(Health));
    CHECK(!cosm_entity_is_none(entity));
    CHECK(COSM_READ(world, entity, Position) == NULL);
    CHECK(cosm_entity_is_none(COSM_COMMANDS_SPAWN(commands, world, COSM_VALUE(Clock, .ticks = 1))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COMMANDS_SPAWN:", "'Clock'", "define it");
    CHECK(cosm_entity_is_none(COSM_COMMANDS_SPAWN(NULL, world, COSM_VALUE(Health, 1))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COMMANDS_SPAWN:", "commands", "");
    // What recording met is returned once, and then the rest is applied.
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_ARGUMENT,
                "COSM_COMMANDS_SPAWN:", "'Clock'", "define it");
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    REQUIRE(COSM_READ(world, entity, Position) != NULL);
    CHECK_NEAR(COSM_READ(world, entity, Position)->x, 5, 0);
    CHECK_INT(COSM_READ(world, entity, Team)->color, 2);
    CHECK_NEAR(COSM_READ(world, entity, Heat)->degrees, 3, 0);
    CHECK_INT(COSM_READ(world, entity, Health)->points, 100);
    CHECK_INT(cosm_world_entity_count(world), 1);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// Memory: what is done while the n-th request is refused is done or not done, and works afterwards.

typedef bool attempt_fn(struct fixture *box, cosm_commands *commands);

static bool try_spawn(struct fixture *box, cosm_commands *commands) {
    (void)commands;
    return !cosm_entity_is_none(COSM_SPAWN(box->world, COSM_VALUE(Velocity, .x = 1),
                                           COSM_VALUE(Health, 2), COSM_VALUE(Heat, 3),
                                           COSM_VALUE(Team, 4), COSM_VALUE(Blob, 5)));
}

static bool try_record(struct fixture *box, cosm_commands *commands) {
    return !cosm_entity_is_none(COSM_COMMANDS_SPAWN(commands, box->world,
                                                    COSM_VALUE(Velocity, .x = 1),
                                                    COSM_VALUE(Health, 2), COSM_VALUE(Heat, 3)));
}

static bool try_define(struct fixture *box, cosm_commands *commands) {
    (void)commands;
    return COSM_COMPONENT_DEFINE(box->engine, Half, x, y).id != 0;
}

static bool try_text(struct fixture *box, cosm_commands *commands) {
    (void)commands;
    return cosm_archetype_define(box->engine,
                                 &(cosm_archetype_desc){.name = "text", .text = "Health, Mark"})
               .id != 0;
}

static bool refuse_attempt(attempt_fn *attempt, uint64_t n, uint64_t count) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 2});
    define_storages(box.engine);
    cosm_commands *commands = cosm_commands_create(box.batch);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_error_clear();
    ledger_refuse(&ledger, n, count);
    bool done = attempt(&box, commands);
    bool refused = ledger_relent(&ledger);
    CHECK(done || refused);
    CHECK_VALID(box.batch);
    if (!done) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
        // What recording met is returned by the next apply, once.
        bool records = attempt == try_record;
        CHECK_INT(cosm_commands_apply(commands, NULL), records ? COSM_ERROR_MEMORY : COSM_OK);
        CHECK(attempt(&box, commands));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_VALID(box.batch);
    cosm_error_clear();
    cosm_commands_destroy(commands);
    fixture_close(&box);
    ledger_close(&ledger);
    return refused;
}

TEST(spawns_and_definitions_survive_the_refusal_of_any_request_for_memory) {
    attempt_fn *const attempts[] = {try_spawn, try_record, try_define, try_text};
    for (uint32_t i = 0; i < COUNT_OF(attempts); i++) {
        uint64_t n = 1;
        while (n < 200 && refuse_attempt(attempts[i], n, 1)) {
            (void)refuse_attempt(attempts[i], n, UINT64_MAX);
            n++;
        }
        CHECK(n > 1 || attempts[i] == try_define || attempts[i] == try_text);
        CHECK(n < 200);
    }
}

TEST(a_field_that_the_macro_does_not_name_is_reported) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_error_clear();
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Half, x).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COMPONENT_DEFINE: 'Half'", "bytes 4 to 7",
                  "name every field, or none");
    CHECK_INT(COSM_SINGLETON_DEFINE(box.engine, Half, y).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SINGLETON_DEFINE: 'Half'", "bytes 0 to 3",
                  "name every field, or none");
    CHECK(COSM_COMPONENT_DEFINE(box.engine, Half, y, x).id != 0);
    CHECK(COSM_COMPONENT_DEFINE(box.engine, Gapped, wide, narrow).id != 0);
    fixture_close(&box);
}

typedef struct Small {
    int32_t points;
    bool boss;
    bool dead; // where there would be padding
    _Alignas(8) uint8_t last;
} Small;

typedef struct Either {
    union {
        int32_t whole;
        int8_t part;
    } value;
    uint8_t kind;
} Either;

typedef struct Huge {
    char text[5000];
    bool last;
} Huge;

TEST(a_field_that_fits_into_padding_is_missed_where_the_compiler_knows_padding) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_error_clear();
#ifdef COSM_CLEAR_PADDING
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Small, points, boss, last).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COMPONENT_DEFINE: 'Small'",
                  "byte 5 belongs to no field", "name every field, or none");
    CHECK_INT(COSM_SINGLETON_DEFINE(box.engine, Small, points, last).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SINGLETON_DEFINE: 'Small'",
                  "bytes 4 to 5 belong to no field", "name every field, or none");
    CHECK_INT(COSM_COMPONENT_DEFINE(box.engine, Either, value.part, kind).id, 0);
    CHECK_CONTAINS(cosm_error_message(), "bytes 1 to 3 belong to no field");
#endif
    // Padding itself needs no field, and a large type is looked at without knowledge of it.
    CHECK(COSM_COMPONENT_DEFINE(box.engine, Small, points, boss, dead, last).id != 0);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Small, points, boss, dead, last).id != 0);
    CHECK(COSM_COMPONENT_DEFINE(box.engine, Either, value.whole, kind).id != 0);
    CHECK(COSM_COMPONENT_DEFINE(box.engine, Huge, text, last).id != 0);
    fixture_close(&box);
}

typedef int Rock;
typedef float Row[3];
typedef cosm_entity Target;
typedef const char *Label;

#define CHECK_VALUE(engine, Type, kind, dim)                                                       \
    do {                                                                                           \
        cosm_component value_ = COSM_COMPONENT_DEFINE(engine, Type);                               \
        CHECK_INT(cosm_component_describe(engine, value_).field_count, 1);                         \
        const cosm_field *field_ = cosm_component_describe(engine, value_).fields;                 \
        REQUIRE(field_ != NULL);                                                                   \
        CHECK_STR(field_->name, "value");                                                          \
        CHECK_INT(field_->type, kind);                                                             \
        CHECK_INT(field_->dims[0], dim);                                                           \
    } while (0)

TEST(a_type_that_is_a_number_has_one_field) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_VALUE(box.engine, Rock, COSM_FIELD_I32, 0);
    CHECK_VALUE(box.engine, Mood, COSM_FIELD_U32, 0);
    CHECK_VALUE(box.engine, bool, COSM_FIELD_BOOL, 0);
    CHECK_VALUE(box.engine, double, COSM_FIELD_F64, 0);
    CHECK_VALUE(box.engine, Row, COSM_FIELD_F32, 3);
    CHECK_VALUE(box.engine, Target, COSM_FIELD_ENTITY, 0);
    cosm_singleton rock = COSM_SINGLETON_DEFINE(box.engine, Rock);
    CHECK_INT(cosm_singleton_describe(box.engine, rock).field_count, 1);
    cosm_component label = COSM_COMPONENT_DEFINE(box.engine, Label);
    CHECK(label.id != 0);
    CHECK_INT(cosm_component_describe(box.engine, label).field_count, 0);
    fixture_close(&box);
}

static void read_clock(cosm_rows *rows) {
    CHECK(COSM_READ(rows, Clock) == NULL);
}

TEST(a_singleton_taken_for_a_component_is_said_to_be_one) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    COSM_SINGLETON_DEFINE(box.engine, Clock);
    cosm_entity mover = fixture_spawn(&box, 1);
    CHECK_INT(COSM_ID(box.world, Clock).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_ID:", "'Clock' is a singleton, not a component",
                  "use COSM_SINGLETON_READ");
    CHECK(COSM_READ(box.world, mover, Clock) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "'Clock' is a singleton, not a component",
                  "use COSM_SINGLETON_READ");
    CHECK(cosm_entity_is_none(COSM_SPAWN(box.world, COSM_VALUE(Clock, .ticks = 1))));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_SPAWN:", "'Clock' is a singleton, not a component",
                  "use COSM_SINGLETON_READ");
    CHECK(COSM_SINGLETON_READ(box.world, Position) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "COSM_SINGLETON_READ:", "'Position' is a component, not a singleton",
                  "use COSM_READ");
    COSM_SYSTEM_DEFINE(box.engine, read_clock, "Position");
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT,
                "COSM_READ:", "'Clock' is a singleton, not a component", "use COSM_SINGLETON_READ");
    fixture_close(&box);
}

TEST(a_copy_may_be_of_a_compound_literal) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity mover = COSM_SPAWN(box.world, COSM_COPY(Position, (Position){1, 2, 3}));
    REQUIRE(COSM_READ(box.world, mover, Position) != NULL);
    CHECK_NEAR(COSM_READ(box.world, mover, Position)->y, 2, 0);
    fixture_close(&box);
}

TEST(a_tag_whose_name_is_in_quotes_is_refused) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_error_clear();
    CHECK_INT(COSM_TAG_DEFINE(box.engine, "Frozen").id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_TAG_DEFINE:", "\"Frozen\" is in quotes",
                  "write it without them");
    fixture_close(&box);
}

#define N 200

TEST(names_of_a_programs_own_macros_do_not_matter) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK(COSM_SINGLETON_DEFINE(box.engine, Half, x, y).id != 0);
    CHECK_INT(N, 200);
    fixture_close(&box);
}
