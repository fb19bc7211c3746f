// The split layout where something is wrong: misuse and its messages, systems that touch what they
// only read, and the limits. Memory that is refused is in storage_failures.c.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/storages.h"

// A component of so many one-byte fields, split.
static cosm_component define_bytes(cosm_engine *engine, const char *name, uint32_t count) {
    static cosm_field fields[COSM_FIELD_MAX];
    static char names[COSM_FIELD_MAX][16];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "f%u", i);
        fields[i] = (cosm_field){.name = names[i], .type = COSM_FIELD_U8, .offset = i};
    }
    cosm_component component =
        cosm_component_define(engine, &(cosm_component_desc){.name = name,
                                                             .size = count,
                                                             .alignment = 1,
                                                             .layout = COSM_LAYOUT_SPLIT,
                                                             .fields = fields,
                                                             .field_count = count});
    CHECK(component.id != 0);
    return component;
}

TEST(an_archetype_has_as_many_columns_as_the_limit_says_and_not_one_more) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    // With the entity column this is the limit.
    cosm_component list[4] = {define_bytes(box.engine, "a", 1024),
                              define_bytes(box.engine, "b", 1024),
                              define_bytes(box.engine, "c", 1024),
                              define_bytes(box.engine, "d", COSM_ARCHETYPE_COLUMN_MAX - 3073)};
    cosm_archetype_desc desc = {.components = {list[0], list[1], list[2], list[3]}};
    cosm_archetype widest = cosm_archetype_define(box.engine, &desc);
    REQUIRE(widest.id != 0);
    uint8_t bytes[1024];
    for (uint32_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
    cosm_entity entity =
        cosm_entity_spawn_with(box.world, widest, &(cosm_value){list[2], bytes}, 1);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mark)); // no column
    uint8_t back[1024];
    CHECK(cosm_entity_get(box.world, entity, list[2], back));
    CHECK_MEM(back, bytes, sizeof(bytes));
    CHECK(cosm_entity_get(box.world, entity, list[3], back));
    CHECK_INT(back[0] | back[COSM_ARCHETYPE_COLUMN_MAX - 3074], 0);
    CHECK_VALID(box.batch);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_add(box.world, entity, box.bare), COSM_ERROR_LIMIT, "cosm_entity_add",
                "4097", "split fewer");
    CHECK_FAILS(cosm_entity_set(box.world, entity, box.bare, bytes), COSM_ERROR_LIMIT,
                "cosm_entity_set", "4097", "split fewer");
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.line));
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_LIMIT, "cosm_commands_apply",
                "4099", "split fewer");
    cosm_commands_destroy(commands);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    desc.components[4] = box.bare;
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_archetype_define", "4097", "split fewer");
    // As a whole, the last one takes a single column.
    desc.layouts[0] = (cosm_column_layout){list[3], COSM_LAYOUT_STRUCT};
    CHECK(cosm_archetype_define(box.engine, &desc).id != 0);
    fixture_close(&box);
}

// A pointer that is refused: NULL, and a message that names the call, the component and a remedy.
#define CHECK_REFUSED(pointer, call, value, remedy)                                                \
    do {                                                                                           \
        cosm_error_clear();                                                                        \
        CHECK((pointer) == NULL);                                                                  \
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, call, value, remedy);                                   \
    } while (0)

TEST(pointers_to_whole_values_are_refused_where_a_component_is_split) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_entity entity = spawn_body(&box, box.world, box.walker, 1);
    cosm_loc loc = cosm_entity_loc(box.world, entity);
    CHECK_REFUSED(cosm_entity_read(box.world, entity, box.body), "cosm_entity_read", "'Body'",
                  "cosm_entity_get");
    CHECK_REFUSED(cosm_entity_write(box.world, entity, box.body), "cosm_entity_write", "'Body'",
                  "cosm_entity_set");
    CHECK_REFUSED(COSM_READ(box.world, entity, Body), "COSM_READ", "'Body'", "cosm_entity_get");
    CHECK_REFUSED(COSM_WRITE(box.world, entity, Body), "COSM_WRITE", "'Body'", "cosm_entity_set");
    CHECK_REFUSED(cosm_loc_read(box.world, loc, box.body), "cosm_loc_read", "'Body'",
                  "cosm_entity_get");
    CHECK_REFUSED(cosm_loc_write(box.world, loc, box.body), "cosm_loc_write", "'Body'",
                  "cosm_entity_set");
    CHECK_REFUSED(cosm_table_column(box.world, box.walker, box.body), "cosm_table_column", "'Body'",
                  "cosm_table_span");
    const void *value = &entity;
    cosm_error_clear();
    CHECK_INT(cosm_entity_read_many(box.world, &entity, 1, box.body, &value), 0);
    CHECK(value == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_read_many", "'Body'", "cosm_entity_get");
    cosm_lookup lookup;
    cosm_lookup_begin(box.world, box.body, &lookup);
    CHECK_SILENT();
    CHECK_REFUSED(COSM_LOOKUP_READ(&lookup, Body, entity), "cosm_lookup", "'Body'",
                  "cosm_entity_get");
    // The same look-up finds it where it is whole.
    cosm_entity whole = spawn_body(&box, box.world, box.whole, 2);
    cosm_lookup_begin(box.world, box.body, &lookup);
    const Body *found = COSM_LOOKUP_READ(&lookup, Body, whole);
    CHECK(found != NULL && found->team == 6);
    CHECK(COSM_LOOKUP_READ(&lookup, Body, entity) == NULL);
    CHECK_INT(cosm_archetype_column(box.engine, box.walker, box.body).index, 0);
    CHECK(cosm_archetype_column(box.engine, box.whole, box.body).index != 0);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(what_is_absent_is_told_apart_from_what_is_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.pit);
    cosm_entity stale = cosm_entity_spawn(box.world, box.walker);
    CHECK_DONE(cosm_entity_despawn(box.world, stale));
    Body body;
    cosm_rows none;
    memset(&none, 0, sizeof(none));
    cosm_error_clear();
    CHECK(cosm_entity_read(box.world, entity, box.body) == NULL);
    CHECK(!cosm_entity_get(box.world, entity, box.body, &body));
    CHECK(!cosm_entity_get(box.world, stale, box.body, &body));
    CHECK(!cosm_entity_get(box.world, entity, box.mark, &body));
    CHECK(!cosm_entity_get(box.world, entity, box.line, NULL));
    CHECK(cosm_table_span(box.world, box.walker, box.body, 0).data == NULL); // no rows
    CHECK(cosm_table_span(box.world, box.pit, box.bare, 0).data == NULL);    // no fields
    CHECK(cosm_table_span(box.world, box.pit, box.line, 3).data == NULL);
    CHECK(cosm_rows_span(&none, box.body, 0).data == NULL);
    CHECK(!cosm_rows_get(&none, 0, box.body, &body));
    CHECK_SILENT();
    CHECK_FAILS(cosm_rows_set(NULL, 0, box.body, &body), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "rows is NULL", "pass both");
    none.batch = box.batch;
    CHECK_FAILS(cosm_rows_set(&none, 0, box.body, &body), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "row 0 of 0", "rows->count");
    fixture_close(&box);
}

TEST(columns_of_whole_values_are_refused_in_runs_of_split_ones_and_fields_in_the_others) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    (void)spawn_body(&box, box.world, box.walker, 1);
    (void)spawn_body(&box, box.world, box.whole, 2);
    cosm_query_desc desc = {
        .terms = {
            {.component = box.body},
            {.component = box.line, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
            {.component = box.bare, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL},
            {.component = box.mark, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}};
    cosm_query *query = cosm_query_create(box.engine, &desc);
    cosm_rows rows;
    uint32_t seen = 0;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK_REFUSED(COSM_FIELD_READ(&rows, float, 9, 0), "COSM_FIELD_READ", "9", "COSM_FIELD_OF");
        cosm_error_clear();
        CHECK(COSM_FIELD_READ(&rows, uint32_t, 1, LINE_HOT) == NULL); // absent
        CHECK(COSM_COLUMN_READ(&rows, Line, 1) == NULL);
        CHECK_SILENT();
        if (rows.archetype.id == box.whole.id) {
            CHECK(COSM_COLUMN_READ(&rows, Body, 0) != NULL);
            CHECK_REFUSED(COSM_FIELD_READ(&rows, double, 0, BODY_MASS), "COSM_FIELD_READ", "'Body'",
                          "COSM_LAYOUT_SPLIT");
            CHECK_REFUSED(COSM_FIELD_OF(&rows, double, box.body, BODY_MASS), "COSM_FIELD_OF",
                          "'Body'", "COSM_COLUMN_READ");
            CHECK_REFUSED(COSM_FIELD_READ(&rows, uint8_t, 3, 0), "COSM_FIELD_READ", "'Mark'",
                          "cosm_rows_span");
            seen += 1;
            continue;
        }
        seen += 10;
        CHECK_REFUSED(cosm_rows_column(&rows, box.body), "cosm_rows_column", "'Body'",
                      "cosm_rows_span");
        CHECK_REFUSED(cosm_rows_column(&rows, box.body), "cosm_rows_column", "'Body'",
                      "COSM_FIELD_OF");
        CHECK_REFUSED(COSM_FIELD_READ(&rows, double, 0, BODY_FIELD_COUNT), "COSM_FIELD_READ",
                      "no field 5", "count from 0");
        CHECK_REFUSED(COSM_FIELD_OF(&rows, double, box.body, BODY_FIELD_COUNT), "COSM_FIELD_OF",
                      "no field 5", "count from 0");
        CHECK_REFUSED(COSM_FIELD_READ(&rows, float, 0, BODY_MASS), "COSM_FIELD_READ", "'mass'",
                      "use the type of the whole");
        CHECK_REFUSED(COSM_FIELD_OF(&rows, float, box.body, BODY_MASS), "COSM_FIELD_OF", "'mass'",
                      "use the type of the whole");
        CHECK_REFUSED(COSM_FIELD_WRITE(&rows, double, 0, BODY_MASS), "COSM_FIELD_WRITE", "'Body'",
                      "COSM_ACCESS_WRITE");
        CHECK_REFUSED(COSM_FIELD_READ(&rows, uint64_t, 2, 0), "COSM_FIELD_READ", "'Bare'",
                      "COSM_COLUMN_READ");
        // Last, because it empties the rows.
        CHECK_REFUSED(COSM_COLUMN_READ(&rows, Body, 0), "COSM_COLUMN_READ", "'Body'",
                      "COSM_FIELD_READ");
        CHECK_REFUSED(COSM_COLUMN_WRITE(&rows, Body, 0), "COSM_COLUMN_WRITE", "'Body'",
                      "COSM_FIELD_WRITE");
        CHECK_REFUSED(COSM_READ(&rows, Body), "COSM_READ", "'Body'", "COSM_FIELD_READ");
        CHECK_INT(rows.count, 0);
        cosm_error_clear();
        CHECK(COSM_FIELD_READ(&rows, double, 0, BODY_MASS) != NULL);
        CHECK_SILENT();
    }
    CHECK_INT(seen, 11);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_field_with_padding_is_an_array_of_its_strides_and_not_of_its_scalars) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.seat, 2, &rows));
    struct padded {
        uint32_t hot;
        char padding[60];
    } *lines = COSM_FIELD_OF(&rows, struct padded, box.line, LINE_HOT);
    REQUIRE(lines != NULL);
    lines[1].hot = 77;
    Line line;
    CHECK(cosm_rows_get(&rows, 1, box.line, &line));
    CHECK_INT(line.hot, 77);
    CHECK_REFUSED(COSM_FIELD_OF(&rows, uint32_t, box.line, LINE_HOT), "COSM_FIELD_OF", "'hot'",
                  "use the type of the whole");
    fixture_close(&box);
}

typedef struct Duo {
    float x;
    float y;
} Duo;

// Four pairs {10 + i, 20 + i} in a table of their own, split.
static cosm_archetype define_pairs(struct fixture *box, cosm_component *out_pair) {
    static const cosm_field fields[] = {
        {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(Duo, x)},
        {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(Duo, y)}};
    *out_pair =
        cosm_component_define(box->engine, &(cosm_component_desc){.name = "Duo",
                                                                  .size = sizeof(Duo),
                                                                  .layout = COSM_LAYOUT_SPLIT,
                                                                  .fields = fields,
                                                                  .field_count = 2});
    cosm_archetype pairs =
        cosm_archetype_define(box->engine, &(cosm_archetype_desc){.components = {*out_pair}});
    for (uint32_t i = 0; i < 4; i++) {
        Duo pair = {10.0f + (float)i, 20.0f + (float)i};
        CHECK(!cosm_entity_is_none(
            cosm_entity_spawn_with(box->world, pairs, &(cosm_value){*out_pair, &pair}, 1)));
    }
    return pairs;
}

TEST(a_split_value_may_be_set_from_its_own_column) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_component pair;
    cosm_archetype pairs = define_pairs(&box, &pair);
    for (uint32_t field = 0; field < 2; field++) {
        float *column = cosm_table_span(box.world, pairs, pair, field).data;
        const cosm_entity *entities = cosm_table_entities(box.world, pairs);
        for (uint32_t row = 0; row < 3; row++) {
            float first = column[row];
            float second = column[row + 1];
            for (uint32_t at = 0; at < 4; at++) {
                column[row] = first;
                column[row + 1] = second;
                Duo got;
                CHECK_DONE(cosm_entity_set(box.world, entities[at], pair, &column[row]));
                CHECK(cosm_entity_get(box.world, entities[at], pair, &got));
                CHECK(got.x == first && got.y == second);
            }
        }
    }
    fixture_close(&box);
}

TEST(rows_that_are_no_longer_there_are_found_out) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_component pair;
    cosm_archetype pairs = define_pairs(&box, &pair);
    cosm_rows rows;
    Duo value = {0, 0};
    CHECK_DONE(cosm_entity_spawn_many(box.world, pairs, 100, &rows));
    CHECK(cosm_rows_get(&rows, 99, pair, &value));
    CHECK_DONE(cosm_entity_despawn(box.world, rows.entities[0]));
    CHECK(!cosm_rows_get(&rows, 99, pair, &value));
    CHECK_FAILS(cosm_rows_set(&rows, 99, pair, &value), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                "row 99", "rows->count");
    CHECK(cosm_rows_span(&rows, pair, 0).data == NULL);
    CHECK_DONE(cosm_table_clear(box.world, pairs));
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(!cosm_rows_get(&rows, 0, pair, &value));
    CHECK(COSM_FIELD_OF(&rows, float, pair, 0) == NULL);
    fixture_close(&box);
}

TEST(columns_of_a_walk_that_has_ended_are_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_component pair;
    (void)define_pairs(&box, &pair);
    cosm_query *query = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = pair, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(box.batch), &rows);
    while (cosm_rows_next(&rows)) {
    }
    CHECK_REFUSED(COSM_FIELD_READ(&rows, float, 0, 0), "COSM_FIELD_READ", "has no current rows",
                  "cosm_rows_next");
    CHECK_REFUSED(COSM_COLUMN_READ(&rows, Duo, 0), "COSM_COLUMN_READ", "has no current rows",
                  "cosm_rows_next");
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(what_a_query_has_for_reading_only_is_not_set) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_component pair;
    (void)define_pairs(&box, &pair);
    const cosm_access accesses[] = {COSM_ACCESS_READ, COSM_ACCESS_WRITE};
    for (uint32_t i = 0; i < 2; i++) {
        cosm_query *query = cosm_query_create(
            box.engine, &(cosm_query_desc){.terms = {{.component = pair, .access = accesses[i]}}});
        cosm_rows rows;
        Duo value = {1, 2};
        Duo got;
        cosm_query_walk(query, cosm_worlds_all(box.batch), &rows);
        REQUIRE(cosm_rows_next(&rows));
        CHECK(cosm_rows_engine(&rows) == box.engine);
        if (i == 0) {
            CHECK_FAILS(cosm_rows_set(&rows, 1, pair, &value), COSM_ERROR_ARGUMENT, "cosm_rows_set",
                        "'Duo'", "COSM_ACCESS_WRITE");
        } else {
            CHECK_DONE(cosm_rows_set(&rows, 1, pair, &value));
        }
        CHECK(cosm_rows_get(&rows, 1, pair, &got));
        CHECK(got.x == (i == 0 ? 11.0f : 1.0f));
        cosm_rows_end(&rows);
        cosm_query_destroy(query);
    }
    CHECK(cosm_rows_engine(NULL) == NULL);
    fixture_close(&box);
}

TEST(more_layouts_than_a_desc_holds_are_given_by_pointer) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    static const cosm_field field = {.name = "a", .type = COSM_FIELD_U32};
    enum { COUNT = COSM_LIST_MAX + 8 };
    cosm_component list[COUNT];
    cosm_column_layout layouts[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[8] = {'p', (char)('A' + i % 26), (char)('A' + i / 26), 0};
        list[i] = cosm_component_define(
            box.engine,
            &(cosm_component_desc){.name = name, .size = 4, .fields = &field, .field_count = 1});
        layouts[i] = (cosm_column_layout){list[i], COSM_LAYOUT_SPLIT};
    }
    cosm_archetype_desc desc = {.more = list, .more_count = COUNT};
    memcpy(desc.layouts, layouts, sizeof(desc.layouts));
    desc.more_layouts = layouts + COSM_LIST_MAX;
    desc.more_layout_count = COUNT - COSM_LIST_MAX;
    cosm_archetype made = cosm_archetype_define(box.engine, &desc);
    CHECK(made.id != 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_INT(cosm_archetype_layout(box.engine, made, list[i]), COSM_LAYOUT_SPLIT);
    }
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, made.id);
    layouts[COUNT - 1].component = list[0];
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "desc.more_layouts[7]",
                  "each once");
    desc.more_layouts = NULL;
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "desc.more_layouts is NULL",
                  "more_layout_count");
    fixture_close(&box);
}

TEST(wrong_layouts_are_refused_when_they_are_defined) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_bundle_desc pair = {.name = "Duo", .components = {box.body, box.bare}};
    cosm_component bundle = cosm_bundle_define(box.engine, &pair);
    const struct {
        cosm_column_layout layouts[3];
        const char *value;
        const char *remedy;
    } wrong[] = {
        {{{box.mark, COSM_LAYOUT_STRUCT}}, "desc.layouts[0]", "components of the set"},
        {{{bundle, COSM_LAYOUT_SPLIT}}, "desc.layouts[0]", "components of the set"},
        {{{{999}, COSM_LAYOUT_STRUCT}}, "component 999", "components of the set"},
        {{{box.body, (cosm_layout)2}}, "layout 2", "COSM_LAYOUT_STRUCT or _SPLIT"},
        {{{box.body, COSM_LAYOUT_SPLIT}, {box.body, COSM_LAYOUT_STRUCT}},
         "desc.layouts[1]",
         "each once"},
        {{{box.body, COSM_LAYOUT_SPLIT}, {{0}, COSM_LAYOUT_STRUCT}, {box.bare, 0}},
         "desc.layouts[2]",
         "a zero ends the list"},
        {{{box.bare, COSM_LAYOUT_SPLIT}}, "'Bare' has no fields", "describe them"},
    };
    uint32_t before = cosm_engine_describe(box.engine).archetype_count;
    for (uint32_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cosm_archetype_desc desc = {.components = {box.line, bundle}};
        memcpy(desc.layouts, wrong[i].layouts, sizeof(wrong[i].layouts));
        cosm_error_clear();
        CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", wrong[i].value,
                      wrong[i].remedy);
    }
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, before);
    // The same set once more: with the layouts that it has, and with others.
    cosm_archetype_desc again = {.name = "walker", .components = {box.body, box.bare}};
    CHECK_INT(cosm_archetype_define(box.engine, &again).id, box.walker.id);
    again.layouts[0] = (cosm_column_layout){box.body, COSM_LAYOUT_SPLIT};
    CHECK_INT(cosm_archetype_define(box.engine, &again).id, box.walker.id);
    again.layouts[0].layout = COSM_LAYOUT_STRUCT;
    CHECK_INT(cosm_archetype_define(box.engine, &again).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_archetype_define", "'walker'",
                  "define both the same way");
    cosm_component_desc bare = {.name = "new", .size = 8, .layout = COSM_LAYOUT_SPLIT};
    CHECK_INT(cosm_component_define(box.engine, &bare).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define", "'new'", "desc.fields");
    bare.layout = (cosm_layout)7;
    CHECK_INT(cosm_component_define(box.engine, &bare).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define", "desc.layout 7",
                  "COSM_LAYOUT_SPLIT");
    fixture_close(&box);
}

#ifdef COSM_CHECKS

// What a system does to the rows that it has for reading only.
struct fault {
    const struct fixture *box;
    uint32_t field; // BODY_FIELD_COUNT: all of them, by cosm_rows_set
    const void *kept;
};

static void write_what_is_read(cosm_rows *rows) {
    struct fault *fault = rows->context;
    Body body = body_of(1);
    if (fault->field == BODY_FIELD_COUNT) {
        CHECK_INT(cosm_rows_set(rows, 0, fault->box->body, &body), COSM_ERROR_ARGUMENT);
        return;
    }
    cosm_span span = cosm_rows_span(rows, fault->box->body, fault->field);
    ((uint8_t *)span.data)[(rows->count - 1) * span.stride] ^= 1;
}

static void keep_an_array(cosm_rows *rows) {
    struct fault *fault = rows->context;
    cosm_span span = cosm_rows_span(rows, fault->box->body, fault->field);
    fault->kept = (const char *)span.data + span.stride;
}

static void only_read(cosm_rows *rows) {
    struct fault *fault = rows->context;
    cosm_span span = cosm_rows_span(rows, fault->box->body, fault->field);
    Body body;
    CHECK(cosm_rows_get(rows, 0, fault->box->body, &body) && span.data != NULL);
    CHECK(cosm_entity_get(cosm_rows_world(rows, 0), rows->entities[0], fault->box->body, &body));
}

// A step with one such system; its message, or none, is in the slot afterwards.
static cosm_result step_with(struct fault *fault, cosm_rows_fn *each, bool is_fixed) {
    static struct fixture box;
    fixture_open_with(&box, FIXTURE_SPLIT, &(cosm_engine_desc){.worker_count = 1},
                      &(cosm_batch_desc){.world_count = 3});
    fault->box = &box;
    fault->kept = NULL;
    cosm_query_desc query = {.terms = {{.component = box.body}}};
    cosm_system_desc system = {.name = "faulty",
                               .each = each,
                               .context = fault,
                               .context_size = sizeof(*fault),
                               .queries = {query}};
    CHECK(cosm_system_define(box.engine, &system).id != 0);
    cosm_rows rows;
    // In the last world, whose rows of a fixed table are not the first ones of its arrays.
    cosm_archetype archetype = is_fixed ? box.seat : box.walker;
    CHECK_DONE(cosm_entity_spawn_many(cosm_batch_world(box.batch, 2), archetype, 3, &rows));
    cosm_error_clear();
    cosm_result result = cosm_batch_step(box.batch);
    static char message[640];
    snprintf(message, sizeof(message), "%s", cosm_error_message());
    fixture_close(&box);
    cosm_error_clear();
    if (result != COSM_OK) {
        CHECK_CONTAINS(message, "'faulty'");
        CHECK_CONTAINS(message, "'Body'");
        CHECK_CONTAINS(message, each == keep_an_array ? "keeps a pointer" : "COSM_ACCESS_WRITE");
    }
    return result;
}

TEST(a_checked_build_reports_a_system_that_writes_a_split_component_which_it_reads) {
    struct fault fault = {NULL, 0, NULL};
    for (uint32_t t = 0; t < 2; t++) {
        for (fault.field = 0; fault.field < BODY_FIELD_COUNT; fault.field++) {
            CHECK_INT(step_with(&fault, write_what_is_read, t == 1), COSM_ERROR_ACCESS);
            CHECK_INT(step_with(&fault, keep_an_array, t == 1), COSM_ERROR_ACCESS);
            CHECK_INT(step_with(&fault, only_read, t == 1), COSM_OK);
        }
    }
}

#endif
