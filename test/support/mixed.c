// Worlds with something in every storage.
#include "support/mixed.h"

#include <string.h>

#include "harness.h"

static const cosm_field body_fields[] = {
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(MixedBody, kind)},
    {.name = "mass", .type = COSM_FIELD_F64, .offset = offsetof(MixedBody, mass)},
    {.name = "rank", .type = COSM_FIELD_U16, .offset = offsetof(MixedBody, rank)},
};

static const cosm_field wind_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(MixedWind, x)},
    {.name = "gust", .type = COSM_FIELD_U16, .offset = offsetof(MixedWind, gust)},
    {.name = "y", .type = COSM_FIELD_F64, .offset = offsetof(MixedWind, y)},
};

static const cosm_field clock_fields[] = {
    {.name = "flag", .type = COSM_FIELD_U8, .offset = offsetof(MixedClock, flag)},
    {.name = "ticks", .type = COSM_FIELD_U64, .offset = offsetof(MixedClock, ticks)},
};

static void describe_all(cosm_component_desc *descs, bool is_turned) {
    memset(descs, 0, MIXED_COMPONENT_COUNT * sizeof(*descs));
    descs[MIXED_POSITION] = (cosm_component_desc){.name = "Position", .size = sizeof(Position)};
    descs[MIXED_BODY] = (cosm_component_desc){
        .name = "Body", .size = sizeof(MixedBody), .fields = body_fields, .field_count = 3};
    descs[MIXED_WIND] =
        (cosm_component_desc){.name = "Wind",
                              .size = sizeof(MixedWind),
                              .fields = wind_fields,
                              .field_count = 3,
                              .layout = is_turned ? COSM_LAYOUT_STRUCT : COSM_LAYOUT_SPLIT};
    descs[MIXED_BLOCK] = (cosm_component_desc){.name = "Block", .size = sizeof(MixedBlock)};
    descs[MIXED_COUNTER] = (cosm_component_desc){
        .name = "Counter", .size = sizeof(uint32_t), .change_rows = !is_turned};
    descs[MIXED_MARK] = (cosm_component_desc){.name = "Mark"};
    descs[MIXED_TEAM] = (cosm_component_desc){
        .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED};
    descs[MIXED_PAINT] =
        (cosm_component_desc){.name = "Paint", .size = 3, .storage = COSM_STORAGE_SHARED};
    descs[MIXED_OWNED] = (cosm_component_desc){
        .name = "Owned", .size = sizeof(uint64_t), .storage = COSM_STORAGE_MANAGED};
    descs[MIXED_TOKEN] = (cosm_component_desc){
        .name = "Token", .size = sizeof(uint32_t), .storage = COSM_STORAGE_MANAGED};
    descs[MIXED_HEAT] = (cosm_component_desc){
        .name = "Heat", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SECTOR};
    descs[MIXED_SMOKE] = (cosm_component_desc){
        .name = "Smoke", .size = sizeof(uint64_t), .storage = COSM_STORAGE_SECTOR};
    descs[MIXED_WET] = (cosm_component_desc){.name = "Wet", .storage = COSM_STORAGE_SECTOR};
}

static void define_singletons(struct mixed *mixed, bool is_turned) {
    for (int i = 0; i < 2; i++) {
        if ((i == 0) != is_turned) {
            mixed->clock = cosm_singleton_define(mixed->engine,
                                                 &(cosm_singleton_desc){.name = "Clock",
                                                                        .size = sizeof(MixedClock),
                                                                        .fields = clock_fields,
                                                                        .field_count = 2});
        } else {
            mixed->score = cosm_singleton_define(
                mixed->engine, &(cosm_singleton_desc){.name = "Score", .size = sizeof(uint32_t)});
        }
    }
}

static void define_archetypes(struct mixed *mixed) {
    const cosm_component *c = mixed->components;
    cosm_engine *engine = mixed->engine;
    mixed->plain = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "plain", .components = {c[MIXED_POSITION]}});
    mixed->heavy = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "heavy",
                                       .components = {c[MIXED_POSITION], c[MIXED_BODY],
                                                      c[MIXED_WIND], c[MIXED_COUNTER]}});
    mixed->block = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "block", .components = {c[MIXED_BLOCK]}});
    mixed->event = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "event", .components = {c[MIXED_POSITION]}, .temporary = true});
    CHECK(mixed->plain.id != 0 && mixed->heavy.id != 0 && mixed->block.id != 0 &&
          mixed->event.id != 0);
}

void mixed_open(struct mixed *mixed, uint32_t world_count, bool is_turned,
                const cosm_allocator *allocator) {
    cosm_engine_desc desc = {0};
    if (allocator != NULL) {
        desc.allocator = *allocator;
    }
    mixed->engine = cosm_engine_create(&desc);
    REQUIRE(mixed->engine != NULL);
    cosm_component_desc descs[MIXED_COMPONENT_COUNT];
    describe_all(descs, is_turned);
    for (int i = 0; i < MIXED_COMPONENT_COUNT; i++) {
        int n = is_turned ? MIXED_COMPONENT_COUNT - 1 - i : i;
        mixed->components[n] = cosm_component_define(mixed->engine, &descs[n]);
        CHECK(mixed->components[n].id != 0);
    }
    cosm_component heat = mixed->components[MIXED_HEAT];
    cosm_component smoke = mixed->components[MIXED_SMOKE];
    cosm_sector_group_desc group = {
        .name = "fire", .components = {is_turned ? smoke : heat, is_turned ? heat : smoke}};
    CHECK(cosm_sector_group_define(mixed->engine, &group).id != 0);
    define_singletons(mixed, is_turned);
    define_archetypes(mixed);
    mixed->batch =
        cosm_batch_create(mixed->engine, &(cosm_batch_desc){.world_count = world_count, .seed = 7});
    REQUIRE(mixed->batch != NULL);
    mixed->all = cosm_worlds_all(mixed->batch);
}

void mixed_close(struct mixed *mixed) {
    CHECK_VALID(mixed->batch);
    cosm_batch_destroy(mixed->batch);
    CHECK_DONE(cosm_engine_destroy(mixed->engine));
}

static void try_it(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_ARGUMENT);
}

// A value of few different ones, so that shared ones meet.
static void set_component(struct mixed *mixed, struct dice *dice, cosm_world world,
                          cosm_entity entity, int which) {
    uint32_t number = dice_roll(dice, 4);
    union {
        Position position;
        MixedBody body;
        MixedWind wind;
        MixedBlock block;
        uint32_t small;
        uint64_t large;
        uint8_t paint[3];
    } value;
    memset(&value, (int)dice_roll(dice, 256), sizeof(value)); // padding is rubbish
    if (which == MIXED_BODY) {
        value.body.kind = (uint8_t)number;
        value.body.mass = number * 0.5;
        value.body.rank = (uint16_t)dice_roll(dice, 9);
    } else if (which == MIXED_WIND) {
        value.wind.x = (float)number;
        value.wind.gust = (uint16_t)dice_roll(dice, 9);
        value.wind.y = 0.25 * number;
    } else if (which == MIXED_TEAM || which == MIXED_COUNTER || which == MIXED_TOKEN) {
        value.small = number;
    } else if (which == MIXED_PAINT) {
        memset(value.paint, (int)number, 3);
    }
    try_it(cosm_entity_set(world, entity, mixed->components[which], &value));
}

static void spawn_some(struct mixed *mixed, struct dice *dice, cosm_world world,
                       cosm_entity *out_entity) {
    uint32_t kind = dice_roll(dice, 8);
    if (kind == 0) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mixed->block, 1 + dice_roll(dice, 40), &rows));
        *out_entity = rows.entities[0];
    } else if (kind == 1) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mixed->plain, 1 + dice_roll(dice, 400), &rows));
        *out_entity = rows.entities[rows.count - 1];
    } else if (kind == 2) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mixed->event, 1 + dice_roll(dice, 9), &rows));
    } else {
        *out_entity = cosm_entity_spawn(world, kind < 5 ? mixed->plain : mixed->heavy);
    }
}

static void act_rarely(struct mixed *mixed, struct dice *dice, cosm_world world) {
    uint32_t what = dice_roll(dice, 8);
    if (what == 0) {
        CHECK_DONE(cosm_world_reset(world));
    } else if (what == 1) {
        CHECK_DONE(cosm_table_clear(world, mixed->plain));
    } else if (what == 2) {
        CHECK_DONE(cosm_batch_trim(mixed->batch));
    } else if (what < 6) {
        CHECK_DONE(cosm_batch_step(mixed->batch));
    } else {
        MixedClock *clock = cosm_singleton_write(world, mixed->clock);
        memset(clock, (int)dice_roll(dice, 256), sizeof(*clock));
        uint32_t *score = cosm_singleton_write(world, mixed->score);
        *score = dice_roll(dice, 3);
    }
}

void mixed_act(struct mixed *mixed, struct dice *dice, struct mixed_cast *cast) {
    cosm_world world = {mixed->batch, dice_roll(dice, mixed->all.count)};
    cosm_entity *entity = &cast->entities[dice_roll(dice, MIXED_ENTITY_COUNT)];
    cosm_entity other = cast->entities[dice_roll(dice, MIXED_ENTITY_COUNT)];
    uint32_t what = dice_roll(dice, 20);
    int which = (int)dice_roll(dice, MIXED_COMPONENT_COUNT);
    if (what < 3) {
        spawn_some(mixed, dice, world, entity);
    } else if (what < 5) {
        try_it(cosm_entity_despawn(world, *entity));
    } else if (what == 5) {
        try_it(cosm_entity_remove(world, *entity, mixed->components[which]));
    } else if (what == 6) {
        try_it(cosm_entity_add(world, *entity, mixed->components[which]));
    } else if (what < 9) {
        try_it(cosm_tree_set_parent(world, *entity, other));
    } else if (what == 9) {
        act_rarely(mixed, dice, world);
    } else if (which != MIXED_MARK && which != MIXED_WET) {
        set_component(mixed, dice, world, *entity, which);
    }
}
