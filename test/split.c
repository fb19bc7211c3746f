// The split layout: where the arrays of fields lie, how values get in and out, how they move and
// are sorted, and what systems see of them.
//
// What is refused, and what happens at the limits, is in split_faults.c; long
// random histories are in model.c and split_twin.c.
// ctest: threads
#include <string.h>

#include "harness.h"
#include "support/storages.h"

// Checks that the arrays of a component's fields are aligned, strided as told and apart, and that
// row i holds what body_of says, where it is a Body.
static void check_arrays(const struct fixture *box, cosm_world world, cosm_archetype archetype,
                         cosm_component component) {
    uint32_t count = cosm_table_row_count(world, archetype);
    uint32_t max = cosm_archetype_describe(box->engine, archetype).max_per_world;
    cosm_component_info info = cosm_component_describe(box->engine, component);
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
    if (component.id != box->body.id) {
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
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    for (uint32_t i = 0; i < 600; i++) {
        (void)spawn_body(&box, box.world, box.walker, i);
        if ((i & (i + 1)) == 0 || i % 100 == 99) {
            check_arrays(&box, box.world, box.walker, box.body);
        }
    }
    fixture_close(&box);
}

TEST(a_table_that_outgrows_its_block_keeps_its_arrays_aligned_and_its_values) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 2);
    uint32_t count = 3 * (256u << 10) / (uint32_t)sizeof(Body); // three times the largest block
    spawn_bodies(&box, box.world, box.walker, 100);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.walker, count - 100, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = body_of(100 + i);
        CHECK_DONE(cosm_rows_set(&rows, i, box.body, &body));
    }
    CHECK(cosm_table_memory(box.world, box.walker).used > 256u << 10);
    check_arrays(&box, box.world, box.walker, box.body);
    // Shrunk: still in ranges, then in a block again.
    const cosm_entity *entities = cosm_table_entities(box.world, box.walker);
    while (cosm_table_row_count(box.world, box.walker) > 300) {
        uint32_t last = cosm_table_row_count(box.world, box.walker) - 1;
        CHECK_DONE(cosm_entity_despawn(box.world, entities[last]));
    }
    check_arrays(&box, box.world, box.walker, box.body);
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_table_memory(box.world, box.walker).used < 256u << 10);
    check_arrays(&box, box.world, box.walker, box.body);
    fixture_close(&box);
}

TEST(the_arrays_of_fields_are_aligned_in_fixed_placement_and_worlds_follow_each_other) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 5);
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        spawn_bodies(&box, world, box.seat, 4);
        check_arrays(&box, world, box.seat, box.body);
        check_arrays(&box, world, box.seat, box.line);
    }
    for (uint32_t f = 0; f < BODY_FIELD_COUNT; f++) {
        cosm_span first = cosm_table_span(box.world, box.seat, box.body, f);
        cosm_span last = cosm_table_span(cosm_batch_world(box.batch, 4), box.seat, box.body, f);
        CHECK((char *)first.data + 16 * first.stride == last.data);
    }
    fixture_close(&box);
}

TEST(an_array_is_aligned_as_its_field_asks_where_that_is_more_than_64_bytes) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 2);
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
    cosm_component component = cosm_component_define(box.engine, &page);
    cosm_archetype_desc desc = {.components = {component, box.body}};
    cosm_archetype archetypes[2] = {cosm_archetype_define(box.engine, &desc)};
    desc = (cosm_archetype_desc){
        .components = {component}, .placement = COSM_PLACEMENT_FIXED, .max_per_world = 100};
    archetypes[1] = cosm_archetype_define(box.engine, &desc);
    // Of the growing one 3 rows fit a block, 100 do not.
    for (uint32_t i = 0; i < 4; i++) {
        cosm_rows rows;
        uint32_t count = i < 2 ? 3 : 97;
        CHECK_DONE(cosm_entity_spawn_many(box.world, archetypes[i % 2], count, &rows));
        check_arrays(&box, box.world, archetypes[i % 2], component);
        typedef uint8_t Page[4096];
        typedef float Wide[64];
        CHECK((uintptr_t)COSM_FIELD_OF(&rows, Page, component, 1) % 4096 == 0);
        CHECK((uintptr_t)COSM_FIELD_OF(&rows, Wide, component, 2) % 256 == 0);
        CHECK_VALID(box.batch);
    }
    fixture_close(&box);
}

TEST(whole_columns_of_fields_change_hands_in_a_bulk_move) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    spawn_bodies(&box, box.world, box.walker, 20000);
    cosm_entity some = cosm_table_entities(box.world, box.walker)[12345];
    // There and back: the second time both tables are ranges that exist.
    for (uint32_t round = 0; round < 2; round++) {
        cosm_span before = cosm_table_span(box.world, box.walker, box.body, BODY_POSITION);
        CHECK_DONE(cosm_query_add(box.bodies, box.all, box.mark));
        cosm_archetype marked = cosm_entity_archetype(box.world, some);
        CHECK_INT(cosm_table_row_count(box.world, marked), 20000);
        CHECK(cosm_table_span(box.world, marked, box.body, BODY_POSITION).data == before.data);
        check_arrays(&box, box.world, marked, box.body);
        check_body(&box, box.world, some, 12345);
        CHECK_DONE(cosm_query_remove(box.bodies, box.all, box.mark));
        check_arrays(&box, box.world, box.walker, box.body);
        CHECK_VALID(box.batch);
    }
    // Without bare the target is the whole one: nothing is traded, everything reshaped.
    CHECK_DONE(cosm_query_add(box.bodies, box.all, box.mark));
    CHECK_DONE(cosm_query_remove(box.bodies, box.all, box.bare));
    const Body *bodies = cosm_table_column(box.world, box.whole, box.body);
    REQUIRE(bodies != NULL);
    CHECK_INT(bodies[19999].team, (int16_t)(19999 * 3));
    CHECK_DONE(cosm_query_remove(box.bodies, box.all, box.mark));
    check_arrays(&box, box.world, cosm_entity_archetype(box.world, some), box.body);
    fixture_close(&box);
}

TEST(every_field_gets_its_default_also_one_that_is_told_with_the_field) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    Body expected = body_default;
    expected.team = BODY_DEFAULT_TEAM;
    expected.mass = BODY_DEFAULT_MASS;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.body_event, 1, &rows));
    cosm_entity entities[3] = {cosm_entity_spawn(box.world, box.walker),
                               cosm_entity_spawn(box.world, box.whole),
                               cosm_entity_spawn(box.world, box.pit)};
    CHECK_DONE(cosm_entity_add(box.world, entities[2], box.body));
    for (uint32_t i = 0; i < 4; i++) {
        Body body;
        memset(&body, 0xEE, sizeof(body));
        CHECK(i == 3 ? cosm_rows_get(&rows, 0, box.body, &body)
                     : cosm_entity_get(box.world, entities[i], box.body, &body));
        CHECK_INT(body.kind, expected.kind);
        CHECK_INT(body.team, BODY_DEFAULT_TEAM);
        CHECK_MEM(body.position, expected.position, sizeof(body.position));
        CHECK_NEAR(body.mass, BODY_DEFAULT_MASS, 0);
        CHECK_INT(body.flag, expected.flag);
    }
    const Body *told = cosm_component_describe(box.engine, box.body).default_value;
    REQUIRE(told != NULL);
    CHECK_INT(told->team, BODY_DEFAULT_TEAM);
    fixture_close(&box);
}

TEST(a_value_goes_in_and_out_as_a_whole_and_gaps_come_back_as_zeroes) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 2);
    cosm_entity entity = spawn_body(&box, box.world, box.walker, 1);
    cosm_entity slot = spawn_body(&box, cosm_batch_world(box.batch, 1), box.seat, 2);
    check_body(&box, box.world, entity, 1);
    check_body(&box, cosm_batch_world(box.batch, 1), slot, 2);
    Body body = rubbish_of(700);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.body, &body));
    check_body(&box, box.world, entity, 700);
    Body bodies[3] = {rubbish_of(11), rubbish_of(12), rubbish_of(13)};
    cosm_entity bare = cosm_entity_spawn(box.world, box.pit);
    cosm_entity list[3] = {entity, bare, entity}; // the last value counts
    CHECK_DONE(cosm_entity_set_many(box.world, list, 3, box.body, bodies));
    check_body(&box, box.world, entity, 13);
    check_body(&box, box.world, bare, 12);
    body = rubbish_of(21);
    CHECK_DONE(cosm_query_set(box.bodies, box.all, box.body, &body));
    check_body(&box, box.world, entity, 21);
    check_body(&box, box.world, bare, 21);
    check_body(&box, cosm_batch_world(box.batch, 1), slot, 21);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(commands_write_and_move_split_components) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity here = spawn_body(&box, box.world, box.walker, 5);
    cosm_entity there = spawn_body(&box, box.world, box.whole, 6);
    Body bodies[4] = {rubbish_of(31), rubbish_of(32), rubbish_of(33), rubbish_of(34)};
    cosm_value value = {box.body, &bodies[0]};
    cosm_entity born = cosm_commands_spawn_with(commands, box.world, box.seat, &value, 1);
    value.data = &bodies[1];
    CHECK_DONE(cosm_commands_emit(commands, box.world, box.body_event, &value, 1));
    CHECK_DONE(cosm_commands_set(commands, box.world, here, box.body, &bodies[2]));
    // From split to whole and back; the second with a value on the way.
    CHECK_DONE(cosm_commands_remove(commands, box.world, here, box.bare));
    CHECK_DONE(cosm_commands_add(commands, box.world, here, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, there, box.mark));
    CHECK_DONE(cosm_commands_add(commands, box.world, there, box.bare));
    memset(bodies, 0, sizeof(bodies)); // values were copied
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 2);
    CHECK_INT(cosm_entity_archetype(box.world, here).id, box.whole.id);
    CHECK_INT(cosm_entity_archetype(box.world, there).id, box.walker.id);
    check_body(&box, box.world, born, 31);
    check_body(&box, box.world, there, 6);
    Body body;
    CHECK(cosm_entity_get(box.world, here, box.body, &body));
    CHECK_INT(body.team, 33 * 3);
    CHECK_NEAR(body.mass, 33 * 1.5, 0);
    cosm_span team = cosm_table_span(box.world, box.body_event, box.body, BODY_TEAM);
    REQUIRE(team.data != NULL);
    CHECK_INT(*(int16_t *)team.data, 32 * 3);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_component_keeps_its_fields_through_every_change_of_layout) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    cosm_entity entities[40];
    for (uint32_t i = 0; i < 40; i++) {
        entities[i] = spawn_body(&box, box.world, i % 2 == 0 ? box.walker : box.whole, i);
    }
    for (uint32_t i = 0; i < 40; i += 2) {
        CHECK_DONE(cosm_entity_remove(box.world, entities[i], box.bare));
        CHECK_DONE(cosm_entity_add(box.world, entities[i], box.mark));
        CHECK(READ_BY_ID(box.world, entities[i], Body, box.body) != NULL);
    }
    CHECK_DONE(cosm_entity_remove_many(box.world, entities, 40, box.mark));
    for (uint32_t i = 0; i < 40; i++) {
        Body expected = body_of(i);
        Body body;
        CHECK(cosm_entity_get(box.world, entities[i], box.body, &body));
        CHECK_INT(body.team, expected.team);
        CHECK_MEM(body.position, expected.position, sizeof(body.position));
        CHECK_NEAR(body.mass, expected.mass, 0);
        CHECK_INT(body.flag, expected.flag);
    }
    fixture_close(&box);
}

static uint64_t by_mass(void *context, cosm_entity entity, const void *value) {
    const Body *body = value;
    (void)entity;
    ++*(uint32_t *)context;
    return body->kind == 0xFF ? 0 : (uint64_t)body->mass;
}

TEST(a_table_is_sorted_by_a_split_component) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 3);
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        cosm_archetype archetype = w == 1 ? box.seat : box.walker;
        uint32_t count = w == 1 ? 4 : 200;
        cosm_entity *entities = (cosm_entity[200]){{0, 0}};
        for (uint32_t i = 0; i < count; i++) {
            entities[i] = spawn_body(&box, world, archetype, (i * 77 + 13) % 200);
        }
        uint32_t calls = 0;
        CHECK_DONE(
            w == 2 ? cosm_table_sort_u32(world, archetype, box.body, offsetof(Body, position[0]))
                   : cosm_table_sort(world, archetype, box.body, by_mass, &calls));
        CHECK_INT(calls, w == 2 ? 0 : count);
        cosm_span mass = cosm_table_span(world, archetype, box.body, BODY_MASS);
        for (uint32_t i = 0; i + 1 < count; i++) {
            CHECK(((double *)mass.data)[i] <= ((double *)mass.data)[i + 1]);
        }
        for (uint32_t i = 0; i < count; i++) {
            check_body(&box, world, entities[i], (i * 77 + 13) % 200);
        }
    }
    // Numbers of which the ones before and behind sort the other way.
    cosm_rows rows;
    CHECK_DONE(cosm_table_clear(box.world, box.walker));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.walker, 100, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = {.position = {(float)(i + 1), (float)(i * 37 % 100), (float)(i + 1)}};
        CHECK_DONE(cosm_rows_set(&rows, i, box.body, &body));
    }
    CHECK_DONE(cosm_table_sort_u32(box.world, box.walker, box.body, offsetof(Body, position[1])));
    cosm_span position = cosm_table_span(box.world, box.walker, box.body, BODY_POSITION);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_NEAR(((float *)position.data)[i * 3 + 1], (double)i, 0);
    }
    // Four bytes that lie in no one field are no number.
    CHECK_FAILS(cosm_table_sort_u32(box.world, box.walker, box.body, 0), COSM_ERROR_ARGUMENT,
                "cosm_table_sort_u32", "Body", "offsetof");
    fixture_close(&box);
}

TEST(a_described_singleton_is_whole_whatever_components_are) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 3);
    cosm_singleton_desc desc = {.name = "Body",
                                .size = sizeof(Body),
                                .alignment = _Alignof(Body),
                                .fields = body_fields,
                                .field_count = BODY_FIELD_COUNT};
    cosm_singleton body = cosm_singleton_define(box.engine, &desc);
    REQUIRE(body.id != 0);
    for (uint32_t w = 0; w < 3; w++) {
        Body *value = SINGLETON_WRITE_BY_ID(cosm_batch_world(box.batch, w), Body, body);
        REQUIRE(value != NULL);
        CHECK_INT(value->team, BODY_DEFAULT_TEAM);
        *value = rubbish_of(w);
        CHECK(cosm_singleton_read(cosm_batch_world(box.batch, w), body) == value);
    }
    const Body *first = SINGLETON_READ_BY_ID(box.world, Body, body);
    CHECK_INT(first[2].team, 6); // side by side
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    ((char *)(uintptr_t)first)[1] = 0x33; // in a gap
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);
    fixture_close(&box);
}

TEST(full_fixed_worlds_are_one_run_of_fields) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 6);
    for (uint32_t w = 0; w < 6; w++) {
        for (uint32_t i = 0; i < (w == 5 ? 3u : 4u); i++) {
            (void)spawn_body(&box, cosm_batch_world(box.batch, w), box.seat, w * 4 + i);
        }
    }
    cosm_rows rows;
    cosm_query_walk(box.bodies, cosm_worlds_range(box.batch, 1, 5), &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.count, 19);
    CHECK_INT(rows.world_count, 5);
    typedef float Position3[3];
    Position3 *position = COSM_FIELD_WRITE(&rows, Position3, 0, BODY_POSITION);
    const float *scalars = COSM_FIELD_READ(&rows, float, 0, BODY_POSITION);
    const double *mass = COSM_FIELD_READ(&rows, double, 0, BODY_MASS);
    CHECK((const void *)position == (const void *)scalars);
    CHECK(COSM_FIELD_OF(&rows, double, box.body, BODY_MASS) == mass);
    for (uint32_t i = 0; i < rows.count; i++) {
        Body expected = body_of(4 + i);
        Body body;
        CHECK(cosm_rows_get(&rows, i, box.body, &body));
        CHECK_MEM(&body, &expected, sizeof(body));
        CHECK_NEAR(mass[i], expected.mass, 0);
        CHECK_NEAR(scalars[i * 3 + 1], expected.position[1], 0);
        position[i][2] = -1.0f;
    }
    CHECK(!cosm_rows_next(&rows));
    cosm_span last =
        cosm_table_span(cosm_batch_world(box.batch, 5), box.seat, box.body, BODY_POSITION);
    CHECK_NEAR(((float *)last.data)[8], -1.0, 0);
    last = cosm_table_span(box.world, box.seat, box.body, BODY_POSITION);
    CHECK_NEAR(((float *)last.data)[11], 3.5, 0); // world 0 was not walked
    fixture_close(&box);
}

// Every field of every row from the entity's id, by fields where they are split.
static void number_rows(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    int16_t *team = COSM_FIELD_WRITE(rows, int16_t, 0, BODY_TEAM);
    double *mass = COSM_FIELD_WRITE(rows, double, 0, BODY_MASS);
    float *position = COSM_FIELD_WRITE(rows, float, 0, BODY_POSITION);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t id = rows->entities[i].id;
        Body body = body_of(id);
        if (id % 16 == 0) {
            CHECK_DONE(cosm_rows_set(rows, i, box->body, &body));
            continue;
        }
        team[i] = body.team;
        mass[i] = body.mass;
        memcpy(position + i * 3, body.position, sizeof(body.position));
    }
}

// The rows of a system in slices; with commands their lanes cut runs on one worker too.
static void check_slices(uint32_t worker_count, bool commands, cosm_split split) {
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SPLIT, &(cosm_engine_desc){.worker_count = worker_count},
                      &(cosm_batch_desc){.world_count = 2, .split = split});
    cosm_system_desc system = {
        .name = "number",
        .each = number_rows,
        .context = &box,
        .commands = commands,
        .queries = {{.terms = {{.component = box.body, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &system).id != 0);
    for (uint32_t w = 0; w < 2; w++) {
        cosm_rows rows;
        cosm_world world = cosm_batch_world(box.batch, w);
        CHECK_DONE(cosm_entity_spawn_many(world, box.seat, 4, &rows));
        CHECK_DONE(cosm_entity_spawn_many(world, box.walker, 9000, &rows));
    }
    CHECK_DONE(cosm_batch_step(box.batch));
    bool right = true;
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        for (uint32_t id = 0; id < 9004; id++) {
            Body expected = body_of(id);
            Body body;
            bool got = cosm_entity_get(world, (cosm_entity){1, id}, box.body, &body);
            right = right && got && body.team == expected.team &&
                    memcmp(&body.mass, &expected.mass, sizeof(body.mass)) == 0 &&
                    memcmp(body.position, expected.position, sizeof(body.position)) == 0 &&
                    body.kind == (id % 16 == 0 ? expected.kind : body_default.kind);
        }
    }
    CHECK(right);
    fixture_close(&box);
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
    const struct fixture *box = rows->context;
    cosm_span team = cosm_rows_span(rows, box->body, BODY_TEAM);
    cosm_span mass = cosm_rows_span(rows, box->body, BODY_MASS);
    bool split = cosm_archetype_layout(box->engine, rows->archetype, box->body) != 0;
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
    struct fixture box;
    fixture_open_with(&box, FIXTURE_SPLIT, &(cosm_engine_desc){.worker_count = 2},
                      &(cosm_batch_desc){.world_count = 5});
    cosm_entity entities[5][3];
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = cosm_batch_world(box.batch, w);
        entities[w][0] = spawn_body(&box, world, box.walker, w + 1);
        entities[w][1] = spawn_body(&box, world, box.whole, w + 2);
        entities[w][2] = spawn_body(&box, world, box.seat, w + 3);
    }
    // It asks tables that are not split for a field too, which is a failure of the run.
    CHECK_FAILS(cosm_query_run(box.bodies, box.all, add_up, &box), COSM_ERROR_ARGUMENT,
                "COSM_FIELD_READ", "is not split", "COSM_COLUMN_READ");
    for (uint32_t i = 0; i < 15; i++) {
        Body body;
        cosm_world world = cosm_batch_world(box.batch, i / 3);
        CHECK(cosm_entity_get(world, entities[i / 3][i % 3], box.body, &body));
        CHECK_NEAR(body.mass, (i / 3 + i % 3 + 1) * 4.5, 0);
    }
    fixture_close(&box);
}

TEST(the_memory_of_a_split_column_is_that_of_all_its_parts) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 1);
    size_t parts = BODY_PARTS;
    spawn_bodies(&box, box.world, box.walker, 10);
    cosm_memory body = cosm_table_column_memory(box.world, box.walker, box.body);
    CHECK_INT(body.live, 10 * parts);
    CHECK_INT(body.used, cosm_table_describe(box.world, box.walker).capacity * parts);
    CHECK_INT(cosm_table_memory(box.world, box.walker).live, 10 * (parts + 8));
    CHECK_INT(cosm_world_memory(box.world).live, 10 * (parts + 8));
    spawn_bodies(&box, box.world, box.seat, 2);
    body = cosm_table_column_memory(box.world, box.seat, box.body);
    cosm_memory line = cosm_table_column_memory(box.world, box.seat, box.line);
    CHECK_INT(body.live, 2 * parts);
    CHECK_INT(body.used, 4 * parts);
    CHECK_INT(line.live, 2 * LINE_PARTS);
    CHECK_INT(line.used, 4 * LINE_PARTS);
    // As a whole it counts with its gaps.
    spawn_bodies(&box, box.world, box.whole, 3);
    body = cosm_table_column_memory(box.world, box.whole, box.body);
    CHECK_INT(body.live, 3 * sizeof(Body));
    // In ranges every part is rounded up by itself.
    spawn_bodies(&box, box.world, box.walker, 20000);
    body = cosm_table_column_memory(box.world, box.walker, box.body);
    CHECK_INT(body.live, 20010 * parts);
    CHECK(body.used >= body.live && body.used <= cosm_table_memory(box.world, box.walker).used);
    fixture_close(&box);
}
