// The split layout: where the arrays of fields lie, how values get in and out, how they move and
// are sorted, and what systems see of them.
//
// What is refused, and what happens at the limits and without memory, is in split_faults.c; long
// random histories are in model.c and split_twin.c.
// ctest: threads
#include <string.h>

#include "harness.h"
#include "support/yard.h"

// Checks that the arrays of a component's fields are aligned, strided as told and apart, and that
// row i holds what body_of says, where it is a Body.
static void check_arrays(const struct yard *yard, cosm_world world, cosm_archetype archetype,
                         cosm_component component) {
    uint32_t count = cosm_table_row_count(world, archetype);
    uint32_t max = cosm_archetype_describe(yard->engine, archetype).max_per_world;
    cosm_component_info info = cosm_component_describe(yard->engine, component);
    for (uint32_t f = 0; f < info.field_count; f++) {
        const cosm_field *field = &info.fields[f];
        cosm_span span = cosm_table_span(world, archetype, component, f);
        REQUIRE(span.data != NULL);
        uintptr_t begin = (uintptr_t)span.data;
        CHECK_INT(span.stride, cosm_field_size(field) + field->padding);
        CHECK_INT((begin - (size_t)world.index * max * span.stride) % 64, 0);
        for (uint32_t g = 0; g < f; g++) {
            cosm_span other = cosm_table_span(world, archetype, component, g);
            uintptr_t other_begin = (uintptr_t)other.data;
            CHECK(begin >= other_begin + count * other.stride ||
                  other_begin >= begin + count * span.stride);
        }
    }
    if (component.id != yard->body.id) {
        return;
    }
    bool right = true;
    for (uint32_t i = 0; i < count; i++) {
        Body expected = body_of(i);
        for (uint32_t f = 0; f < info.field_count; f++) {
            cosm_span span = cosm_table_span(world, archetype, component, f);
            right = right && memcmp((char *)span.data + i * span.stride,
                                    (char *)&expected + body_fields[f].offset,
                                    cosm_field_size(&body_fields[f])) == 0;
        }
    }
    CHECK(right);
}

TEST(the_arrays_of_fields_are_aligned_and_dense_in_a_table_that_grows) {
    struct yard yard;
    yard_open(&yard, 1);
    for (uint32_t i = 0; i < 600; i++) {
        (void)yard_spawn(&yard, yard.world, yard.walker, i);
        if ((i & (i + 1)) == 0 || i % 100 == 99) {
            check_arrays(&yard, yard.world, yard.walker, yard.body);
        }
    }
    yard_close(&yard);
}

TEST(a_table_that_outgrows_its_block_keeps_its_arrays_aligned_and_its_values) {
    struct yard yard;
    yard_open(&yard, 2);
    uint32_t count = 3 * (256u << 10) / (uint32_t)sizeof(Body); // three times the largest block
    yard_spawn_many(&yard, yard.world, yard.walker, 100);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(yard.world, yard.walker, count - 100, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = body_of(100 + i);
        CHECK_DONE(cosm_rows_set(&rows, i, yard.body, &body));
    }
    CHECK(cosm_table_memory(yard.world, yard.walker).used > 256u << 10);
    check_arrays(&yard, yard.world, yard.walker, yard.body);
    // Shrunk: still in ranges, then in a block again.
    const cosm_entity *entities = cosm_table_entities(yard.world, yard.walker);
    while (cosm_table_row_count(yard.world, yard.walker) > 300) {
        uint32_t last = cosm_table_row_count(yard.world, yard.walker) - 1;
        CHECK_DONE(cosm_entity_despawn(yard.world, entities[last]));
    }
    check_arrays(&yard, yard.world, yard.walker, yard.body);
    CHECK_DONE(cosm_batch_trim(yard.batch));
    CHECK(cosm_table_memory(yard.world, yard.walker).used < 256u << 10);
    check_arrays(&yard, yard.world, yard.walker, yard.body);
    yard_close(&yard);
}

TEST(the_arrays_of_fields_are_aligned_in_fixed_placement_and_worlds_follow_each_other) {
    struct yard yard;
    yard_open(&yard, 5);
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        yard_spawn_many(&yard, world, yard.slot, 4);
        check_arrays(&yard, world, yard.slot, yard.body);
        check_arrays(&yard, world, yard.slot, yard.line);
    }
    for (uint32_t f = 0; f < BODY_FIELD_COUNT; f++) {
        cosm_span first = cosm_table_span(yard.world, yard.slot, yard.body, f);
        cosm_span last = cosm_table_span(cosm_batch_world(yard.batch, 4), yard.slot, yard.body, f);
        CHECK((char *)first.data + 16 * first.stride == last.data);
    }
    yard_close(&yard);
}

TEST(an_array_is_aligned_as_its_field_asks_where_that_is_more_than_64_bytes) {
    struct yard yard;
    yard_open(&yard, 2);
    const cosm_field fields[] = {
        {.name = "small", .type = COSM_FIELD_U16, .offset = 4096},
        {.name = "page", .type = COSM_FIELD_U8, .alignment = 4096, .padding = 4095},
        {.name = "wide", .type = COSM_FIELD_F32, .offset = 4352, .alignment = 256, .padding = 252},
    };
    cosm_component_desc page = {.name = "Page",
                                .size = 8192,
                                .alignment = 4096,
                                .layout = COSM_LAYOUT_SPLIT,
                                .fields = fields,
                                .field_count = 3};
    cosm_component component = cosm_component_define(yard.engine, &page);
    cosm_archetype_desc desc = {.components = {component, yard.body}};
    cosm_archetype archetypes[2] = {cosm_archetype_define(yard.engine, &desc)};
    desc = (cosm_archetype_desc){
        .components = {component}, .placement = COSM_PLACEMENT_FIXED, .max_per_world = 100};
    archetypes[1] = cosm_archetype_define(yard.engine, &desc);
    // Of the growing one 3 rows fit a block, 100 do not.
    for (uint32_t i = 0; i < 4; i++) {
        cosm_rows rows;
        uint32_t count = i < 2 ? 3 : 97;
        CHECK_DONE(cosm_entity_spawn_many(yard.world, archetypes[i % 2], count, &rows));
        check_arrays(&yard, yard.world, archetypes[i % 2], component);
        typedef uint8_t Page[4096];
        typedef float Wide[64];
        CHECK((uintptr_t)COSM_FIELD_OF(&rows, Page, component, 1) % 4096 == 0);
        CHECK((uintptr_t)COSM_FIELD_OF(&rows, Wide, component, 2) % 256 == 0);
        CHECK_VALID(yard.batch);
    }
    yard_close(&yard);
}

TEST(whole_columns_of_fields_change_hands_in_a_bulk_move) {
    struct yard yard;
    yard_open(&yard, 1);
    yard_spawn_many(&yard, yard.world, yard.walker, 20000);
    cosm_entity some = cosm_table_entities(yard.world, yard.walker)[12345];
    // There and back: the second time both tables are ranges that exist.
    for (uint32_t round = 0; round < 2; round++) {
        cosm_span before = cosm_table_span(yard.world, yard.walker, yard.body, BODY_POSITION);
        CHECK_DONE(cosm_query_add(yard.bodies, yard.all, yard.mark));
        cosm_archetype marked = cosm_entity_archetype(yard.world, some);
        CHECK_INT(cosm_table_row_count(yard.world, marked), 20000);
        CHECK(cosm_table_span(yard.world, marked, yard.body, BODY_POSITION).data == before.data);
        check_arrays(&yard, yard.world, marked, yard.body);
        check_body(&yard, yard.world, some, 12345);
        CHECK_DONE(cosm_query_remove(yard.bodies, yard.all, yard.mark));
        check_arrays(&yard, yard.world, yard.walker, yard.body);
        CHECK_VALID(yard.batch);
    }
    // Without bare the target is the whole one: nothing is traded, everything reshaped.
    CHECK_DONE(cosm_query_add(yard.bodies, yard.all, yard.mark));
    CHECK_DONE(cosm_query_remove(yard.bodies, yard.all, yard.bare));
    const Body *bodies = cosm_table_column(yard.world, yard.whole, yard.body);
    REQUIRE(bodies != NULL);
    CHECK_INT(bodies[19999].team, (int16_t)(19999 * 3));
    CHECK_DONE(cosm_query_remove(yard.bodies, yard.all, yard.mark));
    check_arrays(&yard, yard.world, cosm_entity_archetype(yard.world, some), yard.body);
    yard_close(&yard);
}

TEST(every_field_gets_its_default_also_one_that_is_told_with_the_field) {
    struct yard yard;
    yard_open(&yard, 1);
    Body expected = body_default;
    expected.team = BODY_DEFAULT_TEAM;
    expected.mass = BODY_DEFAULT_MASS;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(yard.world, yard.event, 1, &rows));
    cosm_entity entities[3] = {cosm_entity_spawn(yard.world, yard.walker),
                               cosm_entity_spawn(yard.world, yard.whole),
                               cosm_entity_spawn(yard.world, yard.pit)};
    CHECK_DONE(cosm_entity_add(yard.world, entities[2], yard.body));
    for (uint32_t i = 0; i < 4; i++) {
        Body body;
        memset(&body, 0xEE, sizeof(body));
        CHECK(i == 3 ? cosm_rows_get(&rows, 0, yard.body, &body)
                     : cosm_entity_get(yard.world, entities[i], yard.body, &body));
        CHECK_INT(body.kind, expected.kind);
        CHECK_INT(body.team, BODY_DEFAULT_TEAM);
        CHECK_MEM(body.position, expected.position, sizeof(body.position));
        CHECK_NEAR(body.mass, BODY_DEFAULT_MASS, 0);
        CHECK_INT(body.flag, expected.flag);
    }
    const Body *told = cosm_component_describe(yard.engine, yard.body).default_value;
    REQUIRE(told != NULL);
    CHECK_INT(told->team, BODY_DEFAULT_TEAM);
    yard_close(&yard);
}

TEST(a_value_goes_in_and_out_as_a_whole_and_gaps_come_back_as_zeroes) {
    struct yard yard;
    yard_open(&yard, 2);
    cosm_entity entity = yard_spawn(&yard, yard.world, yard.walker, 1);
    cosm_entity slot = yard_spawn(&yard, cosm_batch_world(yard.batch, 1), yard.slot, 2);
    check_body(&yard, yard.world, entity, 1);
    check_body(&yard, cosm_batch_world(yard.batch, 1), slot, 2);
    Body body = rubbish_of(700);
    CHECK_DONE(cosm_entity_set(yard.world, entity, yard.body, &body));
    check_body(&yard, yard.world, entity, 700);
    Body bodies[3] = {rubbish_of(11), rubbish_of(12), rubbish_of(13)};
    cosm_entity bare = cosm_entity_spawn(yard.world, yard.pit);
    cosm_entity list[3] = {entity, bare, entity}; // the last value counts
    CHECK_DONE(cosm_entity_set_many(yard.world, list, 3, yard.body, bodies));
    check_body(&yard, yard.world, entity, 13);
    check_body(&yard, yard.world, bare, 12);
    body = rubbish_of(21);
    CHECK_DONE(cosm_query_set(yard.bodies, yard.all, yard.body, &body));
    check_body(&yard, yard.world, entity, 21);
    check_body(&yard, yard.world, bare, 21);
    check_body(&yard, cosm_batch_world(yard.batch, 1), slot, 21);
    CHECK_SILENT();
    yard_close(&yard);
}

TEST(commands_write_and_move_split_components) {
    struct yard yard;
    yard_open(&yard, 1);
    cosm_commands *commands = cosm_commands_create(yard.batch);
    cosm_entity here = yard_spawn(&yard, yard.world, yard.walker, 5);
    cosm_entity there = yard_spawn(&yard, yard.world, yard.whole, 6);
    Body bodies[4] = {rubbish_of(31), rubbish_of(32), rubbish_of(33), rubbish_of(34)};
    cosm_value value = {yard.body, &bodies[0]};
    cosm_entity born = cosm_commands_spawn_with(commands, yard.world, yard.slot, &value, 1);
    value.data = &bodies[1];
    CHECK_DONE(cosm_commands_emit(commands, yard.world, yard.event, &value, 1));
    CHECK_DONE(cosm_commands_set(commands, yard.world, here, yard.body, &bodies[2]));
    // From split to whole and back; the second with a value on the way.
    CHECK_DONE(cosm_commands_remove(commands, yard.world, here, yard.bare));
    CHECK_DONE(cosm_commands_add(commands, yard.world, here, yard.mark));
    CHECK_DONE(cosm_commands_remove(commands, yard.world, there, yard.mark));
    CHECK_DONE(cosm_commands_add(commands, yard.world, there, yard.bare));
    memset(bodies, 0, sizeof(bodies)); // values were copied
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 2);
    CHECK_INT(cosm_entity_archetype(yard.world, here).id, yard.whole.id);
    CHECK_INT(cosm_entity_archetype(yard.world, there).id, yard.walker.id);
    check_body(&yard, yard.world, born, 31);
    check_body(&yard, yard.world, there, 6);
    Body body;
    CHECK(cosm_entity_get(yard.world, here, yard.body, &body));
    CHECK_INT(body.team, 33 * 3);
    CHECK_NEAR(body.mass, 33 * 1.5, 0);
    cosm_span team = cosm_table_span(yard.world, yard.event, yard.body, BODY_TEAM);
    REQUIRE(team.data != NULL);
    CHECK_INT(*(int16_t *)team.data, 32 * 3);
    cosm_commands_destroy(commands);
    yard_close(&yard);
}

TEST(a_component_keeps_its_fields_through_every_change_of_layout) {
    struct yard yard;
    yard_open(&yard, 1);
    cosm_entity entities[40];
    for (uint32_t i = 0; i < 40; i++) {
        entities[i] = yard_spawn(&yard, yard.world, i % 2 == 0 ? yard.walker : yard.whole, i);
    }
    for (uint32_t i = 0; i < 40; i += 2) {
        CHECK_DONE(cosm_entity_remove(yard.world, entities[i], yard.bare));
        CHECK_DONE(cosm_entity_add(yard.world, entities[i], yard.mark));
        CHECK(READ_BY_ID(yard.world, entities[i], Body, yard.body) != NULL);
    }
    CHECK_DONE(cosm_entity_remove_many(yard.world, entities, 40, yard.mark));
    for (uint32_t i = 0; i < 40; i++) {
        Body expected = body_of(i);
        Body body;
        CHECK(cosm_entity_get(yard.world, entities[i], yard.body, &body));
        CHECK_INT(body.team, expected.team);
        CHECK_MEM(body.position, expected.position, sizeof(body.position));
        CHECK_NEAR(body.mass, expected.mass, 0);
        CHECK_INT(body.flag, expected.flag);
    }
    yard_close(&yard);
}

static uint64_t by_mass(void *context, cosm_entity entity, const void *value) {
    const Body *body = value;
    (void)entity;
    ++*(uint32_t *)context;
    return body->kind == 0xFF ? 0 : (uint64_t)body->mass;
}

TEST(a_table_is_sorted_by_a_split_component) {
    struct yard yard;
    yard_open(&yard, 3);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        cosm_archetype archetype = w == 1 ? yard.slot : yard.walker;
        uint32_t count = w == 1 ? 4 : 200;
        cosm_entity *entities = (cosm_entity[200]){{0, 0}};
        for (uint32_t i = 0; i < count; i++) {
            entities[i] = yard_spawn(&yard, world, archetype, (i * 77 + 13) % 200);
        }
        uint32_t calls = 0;
        CHECK_DONE(
            w == 2 ? cosm_table_sort_u32(world, archetype, yard.body, offsetof(Body, position[0]))
                   : cosm_table_sort(world, archetype, yard.body, by_mass, &calls));
        CHECK_INT(calls, w == 2 ? 0 : count);
        cosm_span mass = cosm_table_span(world, archetype, yard.body, BODY_MASS);
        for (uint32_t i = 0; i + 1 < count; i++) {
            CHECK(((double *)mass.data)[i] <= ((double *)mass.data)[i + 1]);
        }
        for (uint32_t i = 0; i < count; i++) {
            check_body(&yard, world, entities[i], (i * 77 + 13) % 200);
        }
    }
    // Numbers of which the ones before and behind sort the other way.
    cosm_rows rows;
    CHECK_DONE(cosm_table_clear(yard.world, yard.walker));
    CHECK_DONE(cosm_entity_spawn_many(yard.world, yard.walker, 100, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = {.position = {(float)(i + 1), (float)(i * 37 % 100), (float)(i + 1)}};
        CHECK_DONE(cosm_rows_set(&rows, i, yard.body, &body));
    }
    CHECK_DONE(
        cosm_table_sort_u32(yard.world, yard.walker, yard.body, offsetof(Body, position[1])));
    cosm_span position = cosm_table_span(yard.world, yard.walker, yard.body, BODY_POSITION);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_NEAR(((float *)position.data)[i * 3 + 1], (double)i, 0);
    }
    // Four bytes that lie in no one field are no number.
    CHECK_FAILS(cosm_table_sort_u32(yard.world, yard.walker, yard.body, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32", "Body", "offsetof");
    yard_close(&yard);
}

TEST(a_described_singleton_is_whole_whatever_components_are) {
    struct yard yard;
    yard_open(&yard, 3);
    cosm_singleton_desc desc = {.name = "Body",
                                .size = sizeof(Body),
                                .alignment = _Alignof(Body),
                                .fields = body_fields,
                                .field_count = BODY_FIELD_COUNT};
    cosm_singleton body = cosm_singleton_define(yard.engine, &desc);
    REQUIRE(body.id != 0);
    for (uint32_t w = 0; w < 3; w++) {
        Body *value = SINGLETON_WRITE_BY_ID(cosm_batch_world(yard.batch, w), Body, body);
        REQUIRE(value != NULL);
        CHECK_INT(value->team, BODY_DEFAULT_TEAM);
        *value = rubbish_of(w);
        CHECK(cosm_singleton_read(cosm_batch_world(yard.batch, w), body) == value);
    }
    const Body *first = SINGLETON_READ_BY_ID(yard.world, Body, body);
    CHECK_INT(first[2].team, 6); // side by side
    uint64_t before = cosm_hash_world(yard.world, COSM_HASH_EXACT);
    ((char *)(uintptr_t)first)[1] = 0x33; // in a gap
    CHECK_INT(cosm_hash_world(yard.world, COSM_HASH_EXACT), before);
    yard_close(&yard);
}

TEST(full_fixed_worlds_are_one_run_of_fields) {
    struct yard yard;
    yard_open(&yard, 6);
    for (uint32_t w = 0; w < 6; w++) {
        for (uint32_t i = 0; i < (w == 5 ? 3u : 4u); i++) {
            (void)yard_spawn(&yard, cosm_batch_world(yard.batch, w), yard.slot, w * 4 + i);
        }
    }
    cosm_rows rows;
    cosm_query_walk(yard.bodies, cosm_worlds_range(yard.batch, 1, 5), &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 19);
    CHECK_INT(rows.world_count, 5);
    typedef float Position3[3];
    Position3 *position = COSM_FIELD_WRITE(&rows, Position3, 0, BODY_POSITION);
    const float *scalars = COSM_FIELD_READ(&rows, float, 0, BODY_POSITION);
    const double *mass = COSM_FIELD_READ(&rows, double, 0, BODY_MASS);
    CHECK((const void *)position == (const void *)scalars);
    CHECK(COSM_FIELD_OF(&rows, double, yard.body, BODY_MASS) == mass);
    for (uint32_t i = 0; i < rows.count; i++) {
        Body expected = body_of(4 + i);
        Body body;
        CHECK(cosm_rows_get(&rows, i, yard.body, &body));
        CHECK_MEM(&body, &expected, sizeof(body));
        CHECK_NEAR(mass[i], expected.mass, 0);
        CHECK_NEAR(scalars[i * 3 + 1], expected.position[1], 0);
        position[i][2] = -1.0f;
    }
    CHECK(!cosm_rows_next(&rows));
    cosm_span last =
        cosm_table_span(cosm_batch_world(yard.batch, 5), yard.slot, yard.body, BODY_POSITION);
    CHECK_NEAR(((float *)last.data)[8], -1.0, 0);
    last = cosm_table_span(yard.world, yard.slot, yard.body, BODY_POSITION);
    CHECK_NEAR(((float *)last.data)[11], 3.5, 0); // world 0 was not walked
    yard_close(&yard);
}

// Every field of every row from the entity's id, by fields where they are split.
static void number_rows(cosm_rows *rows) {
    const struct yard *yard = rows->context;
    int16_t *team = COSM_FIELD_WRITE(rows, int16_t, 0, BODY_TEAM);
    double *mass = COSM_FIELD_WRITE(rows, double, 0, BODY_MASS);
    float *position = COSM_FIELD_WRITE(rows, float, 0, BODY_POSITION);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t id = rows->entities[i].id;
        Body body = body_of(id);
        if (id % 16 == 0) {
            CHECK_DONE(cosm_rows_set(rows, i, yard->body, &body));
            continue;
        }
        team[i] = body.team;
        mass[i] = body.mass;
        memcpy(position + i * 3, body.position, sizeof(body.position));
    }
}

// The rows of a system in slices; with commands their lanes cut runs on one worker too.
static void check_slices(uint32_t worker_count, bool commands, cosm_split split) {
    struct yard yard;
    yard_open_with(&yard, &(cosm_engine_desc){.worker_count = worker_count},
                   &(cosm_batch_desc){.world_count = 2, .split = split});
    cosm_system_desc system = {
        .name = "number",
        .each = number_rows,
        .context = &yard,
        .commands = commands,
        .queries = {{.terms = {{.component = yard.body, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(yard.engine, &system).id != 0);
    for (uint32_t w = 0; w < 2; w++) {
        cosm_rows rows;
        cosm_world world = cosm_batch_world(yard.batch, w);
        CHECK_DONE(cosm_entity_spawn_many(world, yard.slot, 4, &rows));
        CHECK_DONE(cosm_entity_spawn_many(world, yard.walker, 9000, &rows));
    }
    CHECK_DONE(cosm_batch_step(yard.batch));
    bool right = true;
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        for (uint32_t id = 0; id < 9004; id++) {
            Body expected = body_of(id);
            Body body;
            bool got = cosm_entity_get(world, (cosm_entity){1, id}, yard.body, &body);
            right = right && got && body.team == expected.team &&
                    memcmp(&body.mass, &expected.mass, sizeof(body.mass)) == 0 &&
                    memcmp(body.position, expected.position, sizeof(body.position)) == 0 &&
                    body.kind == (id % 16 == 0 ? expected.kind : body_default.kind);
        }
    }
    CHECK(right);
    yard_close(&yard);
}

TEST(a_system_gets_the_fields_of_its_slice_on_any_number_of_workers) {
    for (uint32_t workers = 1; workers <= 4; workers *= 2) {
        check_slices(workers, false, COSM_SPLIT_CHUNKS);
        check_slices(workers, true, COSM_SPLIT_CHUNKS);
        check_slices(workers, true, COSM_SPLIT_WORLDS);
    }
    check_slices(1, true, COSM_SPLIT_NONE);
}

// Counts rows by what their spans hold, whatever the layout.
static void add_up(cosm_rows *rows) {
    const struct yard *yard = rows->context;
    cosm_span team = cosm_rows_span(rows, yard->body, BODY_TEAM);
    cosm_span mass = cosm_rows_span(rows, yard->body, BODY_MASS);
    bool split = cosm_archetype_layout(yard->engine, rows->archetype, yard->body) != 0;
    CHECK((COSM_FIELD_READ(rows, double, 0, BODY_MASS) == mass.data) == split);
    CHECK(split || COSM_COLUMN_READ(rows, Body, 0) != NULL);
    CHECK(split || COSM_READ(rows, Body) != NULL);
    CHECK_INT(mass.stride, split ? sizeof(double) : sizeof(Body));
    for (uint32_t i = 0; i < rows->count; i++) {
        *(double *)(void *)((char *)mass.data + i * mass.stride) +=
            *(int16_t *)(void *)((char *)team.data + i * team.stride);
    }
}

TEST(a_run_over_tables_of_both_layouts_shows_each_as_it_is) {
    struct yard yard;
    yard_open_with(&yard, &(cosm_engine_desc){.worker_count = 2},
                   &(cosm_batch_desc){.world_count = 5});
    cosm_entity entities[5][3];
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(yard.batch, w);
        entities[w][0] = yard_spawn(&yard, world, yard.walker, w + 1);
        entities[w][1] = yard_spawn(&yard, world, yard.whole, w + 2);
        entities[w][2] = yard_spawn(&yard, world, yard.slot, w + 3);
    }
    // It asks tables that are not split for a field too, which is a failure of the run.
    CHECK_FAILS(cosm_query_run(yard.bodies, yard.all, add_up, &yard), COSM_ERROR_ARGUMENT,
                "COSM_FIELD_READ", "is not split", "COSM_COLUMN_READ");
    for (uint32_t i = 0; i < 15; i++) {
        Body body;
        cosm_world world = cosm_batch_world(yard.batch, i / 3);
        CHECK(cosm_entity_get(world, entities[i / 3][i % 3], yard.body, &body));
        CHECK_NEAR(body.mass, (i / 3 + i % 3 + 1) * 4.5, 0);
    }
    yard_close(&yard);
}

TEST(the_memory_of_a_split_column_is_that_of_all_its_parts) {
    struct yard yard;
    yard_open(&yard, 1);
    size_t parts = BODY_PARTS;
    yard_spawn_many(&yard, yard.world, yard.walker, 10);
    cosm_memory body = cosm_table_column_memory(yard.world, yard.walker, yard.body);
    CHECK_INT(body.live, 10 * parts);
    CHECK_INT(body.used, cosm_table_describe(yard.world, yard.walker).capacity * parts);
    CHECK_INT(cosm_table_memory(yard.world, yard.walker).live, 10 * (parts + 8));
    CHECK_INT(cosm_world_memory(yard.world).live, 10 * (parts + 8));
    yard_spawn_many(&yard, yard.world, yard.slot, 2);
    body = cosm_table_column_memory(yard.world, yard.slot, yard.body);
    cosm_memory line = cosm_table_column_memory(yard.world, yard.slot, yard.line);
    CHECK_INT(body.live, 2 * parts);
    CHECK_INT(body.used, 4 * parts);
    CHECK_INT(line.live, 2 * LINE_PARTS);
    CHECK_INT(line.used, 4 * LINE_PARTS);
    // As a whole it counts with its gaps.
    yard_spawn_many(&yard, yard.world, yard.whole, 3);
    body = cosm_table_column_memory(yard.world, yard.whole, yard.body);
    CHECK_INT(body.live, 3 * sizeof(Body));
    // In ranges every part is rounded up by itself.
    yard_spawn_many(&yard, yard.world, yard.walker, 20000);
    body = cosm_table_column_memory(yard.world, yard.walker, yard.body);
    CHECK_INT(body.live, 20010 * parts);
    CHECK(body.used >= body.live && body.used <= cosm_table_memory(yard.world, yard.walker).used);
    yard_close(&yard);
}
