// The yard: its components and archetypes, and the values to fill it with.
#include "support/yard.h"

#include <string.h>

#include "harness.h"

static const int16_t default_team = BODY_DEFAULT_TEAM;
static const double default_mass = BODY_DEFAULT_MASS;

const cosm_field body_fields[BODY_FIELD_COUNT] = {
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(Body, kind)},
    {.name = "team",
     .type = COSM_FIELD_I16,
     .offset = offsetof(Body, team),
     .default_value = &default_team},
    {.name = "position", .type = COSM_FIELD_F32, .offset = offsetof(Body, position), .dims = {3}},
    {.name = "mass",
     .type = COSM_FIELD_F64,
     .offset = offsetof(Body, mass),
     .default_value = &default_mass},
    {.name = "flag", .type = COSM_FIELD_U8, .offset = offsetof(Body, flag)},
};

const cosm_field line_fields[LINE_FIELD_COUNT] = {
    {.name = "hot", .type = COSM_FIELD_U32, .alignment = 64, .padding = 60},
    {.name = "label", .type = COSM_FIELD_CHAR, .offset = offsetof(Line, label), .dims = {20}},
    {.name = "target", .type = COSM_FIELD_ENTITY, .offset = offsetof(Line, target)},
};

const Body body_default = {.kind = 3, .team = 99, .position = {1, 2, 3}, .flag = 9};

static void yard_define(struct yard *yard) {
    cosm_component_desc body = {.name = "Body",
                                .size = sizeof(Body),
                                .alignment = _Alignof(Body),
                                .default_value = &body_default,
                                .layout = COSM_LAYOUT_SPLIT,
                                .fields = body_fields,
                                .field_count = BODY_FIELD_COUNT};
    cosm_component_desc line = {.name = "Line",
                                .size = sizeof(Line),
                                .alignment = 64,
                                .layout = COSM_LAYOUT_SPLIT,
                                .fields = line_fields,
                                .field_count = LINE_FIELD_COUNT};
    yard->body = cosm_component_define(yard->engine, &body);
    yard->line = cosm_component_define(yard->engine, &line);
    yard->mark = cosm_component_define(yard->engine, &(cosm_component_desc){.name = "Mark"});
    yard->bare =
        cosm_component_define(yard->engine, &(cosm_component_desc){.name = "Bare", .size = 8});
    yard->walker = cosm_archetype_define(
        yard->engine,
        &(cosm_archetype_desc){.name = "walker", .components = {yard->body, yard->bare}});
    yard->slot = cosm_archetype_define(
        yard->engine, &(cosm_archetype_desc){.name = "slot",
                                             .components = {yard->body, yard->line},
                                             .placement = COSM_PLACEMENT_FIXED,
                                             .max_per_world = 4});
    yard->whole = cosm_archetype_define(
        yard->engine, &(cosm_archetype_desc){.name = "whole",
                                             .components = {yard->body, yard->mark},
                                             .layouts = {{yard->body, COSM_LAYOUT_STRUCT}}});
    yard->pit = cosm_archetype_define(
        yard->engine, &(cosm_archetype_desc){.name = "pit",
                                             .components = {yard->line, yard->bare},
                                             .placement = COSM_PLACEMENT_FIXED,
                                             .max_per_world = 8,
                                             .layouts = {{yard->line, COSM_LAYOUT_STRUCT}}});
    yard->event = cosm_archetype_define(
        yard->engine, &(cosm_archetype_desc){.components = {yard->body}, .temporary = true});
    cosm_query_desc desc = {.terms = {{.component = yard->body, .access = COSM_ACCESS_WRITE}}};
    yard->bodies = cosm_query_create(yard->engine, &desc);
    CHECK(yard->bodies != NULL && yard->event.id != 0 && yard->pit.id != 0);
}

void yard_open_with(struct yard *yard, const cosm_engine_desc *engine_desc,
                    const cosm_batch_desc *batch_desc) {
    memset(yard, 0, sizeof(*yard));
    yard->engine = cosm_engine_create(engine_desc);
    yard_define(yard);
    yard->batch = cosm_batch_create(yard->engine, batch_desc);
    yard->world = cosm_batch_world(yard->batch, 0);
    yard->all = cosm_worlds_all(yard->batch);
    CHECK(yard->world.batch != NULL);
}

void yard_open(struct yard *yard, uint32_t world_count) {
    yard_open_with(yard, NULL, &(cosm_batch_desc){.world_count = world_count});
}

void yard_close(struct yard *yard) {
    CHECK_VALID(yard->batch);
    cosm_query_destroy(yard->bodies);
    CHECK_DONE(cosm_batch_destroy(yard->batch));
    CHECK_DONE(cosm_engine_destroy(yard->engine));
}

Body body_of(uint32_t number) {
    Body body;
    memset(&body, 0, sizeof(body));
    body.kind = (uint8_t)number;
    body.team = (int16_t)(number * 3);
    body.position[0] = (float)number;
    body.position[1] = (float)number + 0.25f;
    body.position[2] = (float)number + 0.5f;
    body.mass = (double)number * 1.5;
    body.flag = (uint8_t)(number >> 8);
    return body;
}

Body rubbish_of(uint32_t number) {
    Body body = body_of(number);
    memset((char *)&body + 1, 0xDD, 1);
    memset((char *)&body + offsetof(Body, flag) + 1, 0xDD, 7);
    return body;
}

void check_body(const struct yard *yard, cosm_world world, cosm_entity entity, uint32_t number) {
    Body expected = body_of(number);
    Body body;
    memset(&body, 0xEE, sizeof(body));
    CHECK(cosm_entity_get(world, entity, yard->body, &body));
    CHECK_MEM(&body, &expected, sizeof(body));
}

cosm_entity yard_spawn(const struct yard *yard, cosm_world world, cosm_archetype archetype,
                       uint32_t number) {
    Body body = rubbish_of(number);
    cosm_entity entity =
        cosm_entity_spawn_with(world, archetype, &(cosm_value){yard->body, &body}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

void yard_spawn_many(const struct yard *yard, cosm_world world, cosm_archetype archetype,
                     uint32_t count) {
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_unset(world, archetype, count, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        Body body = rubbish_of(i);
        CHECK_DONE(cosm_rows_set(&rows, i, yard->body, &body));
    }
}
