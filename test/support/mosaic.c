// Worlds with something in every storage.
#include "support/mosaic.h"

#include <string.h>

#include "harness.h"

static const cosm_field body_fields[] = {
    {.name = "kind", .type = COSM_FIELD_U8, .offset = offsetof(MosaicBody, kind)},
    {.name = "mass", .type = COSM_FIELD_F64, .offset = offsetof(MosaicBody, mass)},
    {.name = "rank", .type = COSM_FIELD_U16, .offset = offsetof(MosaicBody, rank)},
};

static const cosm_field wind_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(MosaicWind, x)},
    {.name = "gust", .type = COSM_FIELD_U16, .offset = offsetof(MosaicWind, gust)},
    {.name = "y", .type = COSM_FIELD_F64, .offset = offsetof(MosaicWind, y)},
};

static const cosm_field clock_fields[] = {
    {.name = "flag", .type = COSM_FIELD_U8, .offset = offsetof(MosaicClock, flag)},
    {.name = "ticks", .type = COSM_FIELD_U64, .offset = offsetof(MosaicClock, ticks)},
};

static void describe_all(cosm_component_desc *descs, bool is_turned) {
    memset(descs, 0, MOSAIC_COMPONENT_COUNT * sizeof(*descs));
    descs[MOSAIC_POSITION] = (cosm_component_desc){.name = "Position", .size = sizeof(Position)};
    descs[MOSAIC_BODY] = (cosm_component_desc){
        .name = "Body", .size = sizeof(MosaicBody), .fields = body_fields, .field_count = 3};
    descs[MOSAIC_WIND] =
        (cosm_component_desc){.name = "Wind",
                              .size = sizeof(MosaicWind),
                              .fields = wind_fields,
                              .field_count = 3,
                              .layout = is_turned ? COSM_LAYOUT_STRUCT : COSM_LAYOUT_SPLIT};
    descs[MOSAIC_BLOCK] = (cosm_component_desc){.name = "Block", .size = sizeof(MosaicBlock)};
    descs[MOSAIC_COUNTER] = (cosm_component_desc){
        .name = "Counter", .size = sizeof(uint32_t), .change_rows = !is_turned};
    descs[MOSAIC_MARK] = (cosm_component_desc){.name = "Mark"};
    descs[MOSAIC_TEAM] = (cosm_component_desc){
        .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED};
    descs[MOSAIC_PAINT] =
        (cosm_component_desc){.name = "Paint", .size = 3, .storage = COSM_STORAGE_SHARED};
    descs[MOSAIC_OWNED] = (cosm_component_desc){
        .name = "Owned", .size = sizeof(uint64_t), .storage = COSM_STORAGE_MANAGED};
    descs[MOSAIC_TOKEN] = (cosm_component_desc){
        .name = "Token", .size = sizeof(uint32_t), .storage = COSM_STORAGE_MANAGED};
    descs[MOSAIC_HEAT] = (cosm_component_desc){
        .name = "Heat", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SECTOR};
    descs[MOSAIC_SMOKE] = (cosm_component_desc){
        .name = "Smoke", .size = sizeof(uint64_t), .storage = COSM_STORAGE_SECTOR};
    descs[MOSAIC_WET] = (cosm_component_desc){.name = "Wet", .storage = COSM_STORAGE_SECTOR};
}

static void define_singletons(struct mosaic *mosaic, bool is_turned) {
    for (int i = 0; i < 2; i++) {
        if ((i == 0) != is_turned) {
            mosaic->clock = cosm_singleton_define(
                mosaic->engine, &(cosm_singleton_desc){.name = "Clock",
                                                       .size = sizeof(MosaicClock),
                                                       .fields = clock_fields,
                                                       .field_count = 2});
        } else {
            mosaic->score = cosm_singleton_define(
                mosaic->engine, &(cosm_singleton_desc){.name = "Score", .size = sizeof(uint32_t)});
        }
    }
}

static void define_archetypes(struct mosaic *mosaic) {
    const cosm_component *c = mosaic->components;
    cosm_engine *engine = mosaic->engine;
    mosaic->plain = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "plain", .components = {c[MOSAIC_POSITION]}});
    mosaic->heavy = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "heavy",
                                       .components = {c[MOSAIC_POSITION], c[MOSAIC_BODY],
                                                      c[MOSAIC_WIND], c[MOSAIC_COUNTER]}});
    mosaic->block = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "block", .components = {c[MOSAIC_BLOCK]}});
    mosaic->event = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "event", .components = {c[MOSAIC_POSITION]}, .temporary = true});
    CHECK(mosaic->plain.id != 0 && mosaic->heavy.id != 0 && mosaic->block.id != 0 &&
          mosaic->event.id != 0);
}

void mosaic_open(struct mosaic *mosaic, uint32_t world_count, bool is_turned,
                 const cosm_allocator *allocator) {
    cosm_engine_desc desc = {0};
    if (allocator != NULL) {
        desc.allocator = *allocator;
    }
    mosaic->engine = cosm_engine_create(&desc);
    REQUIRE(mosaic->engine != NULL);
    cosm_component_desc descs[MOSAIC_COMPONENT_COUNT];
    describe_all(descs, is_turned);
    for (int i = 0; i < MOSAIC_COMPONENT_COUNT; i++) {
        int n = is_turned ? MOSAIC_COMPONENT_COUNT - 1 - i : i;
        mosaic->components[n] = cosm_component_define(mosaic->engine, &descs[n]);
        CHECK(mosaic->components[n].id != 0);
    }
    cosm_component heat = mosaic->components[MOSAIC_HEAT];
    cosm_component smoke = mosaic->components[MOSAIC_SMOKE];
    cosm_sector_group_desc group = {
        .name = "fire", .components = {is_turned ? smoke : heat, is_turned ? heat : smoke}};
    CHECK(cosm_sector_group_define(mosaic->engine, &group).id != 0);
    define_singletons(mosaic, is_turned);
    define_archetypes(mosaic);
    mosaic->batch = cosm_batch_create(mosaic->engine,
                                      &(cosm_batch_desc){.world_count = world_count, .seed = 7});
    REQUIRE(mosaic->batch != NULL);
    mosaic->all = cosm_worlds_all(mosaic->batch);
}

void mosaic_close(struct mosaic *mosaic) {
    CHECK_VALID(mosaic->batch);
    cosm_batch_destroy(mosaic->batch);
    CHECK_DONE(cosm_engine_destroy(mosaic->engine));
}

static void try_it(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE || result == COSM_ERROR_ARGUMENT);
}

// A value of few different ones, so that shared ones meet.
static void set_component(struct mosaic *mosaic, struct dice *dice, cosm_world world,
                          cosm_entity entity, int which) {
    uint32_t number = dice_roll(dice, 4);
    union {
        Position position;
        MosaicBody body;
        MosaicWind wind;
        MosaicBlock block;
        uint32_t small;
        uint64_t large;
        uint8_t paint[3];
    } value;
    memset(&value, (int)dice_roll(dice, 256), sizeof(value)); // padding is rubbish
    if (which == MOSAIC_BODY) {
        value.body.kind = (uint8_t)number;
        value.body.mass = number * 0.5;
        value.body.rank = (uint16_t)dice_roll(dice, 9);
    } else if (which == MOSAIC_WIND) {
        value.wind.x = (float)number;
        value.wind.gust = (uint16_t)dice_roll(dice, 9);
        value.wind.y = 0.25 * number;
    } else if (which == MOSAIC_TEAM || which == MOSAIC_COUNTER || which == MOSAIC_TOKEN) {
        value.small = number;
    } else if (which == MOSAIC_PAINT) {
        memset(value.paint, (int)number, 3);
    }
    try_it(cosm_entity_set(world, entity, mosaic->components[which], &value));
}

static void spawn_some(struct mosaic *mosaic, struct dice *dice, cosm_world world,
                       cosm_entity *out_entity) {
    uint32_t kind = dice_roll(dice, 8);
    if (kind == 0) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mosaic->block, 1 + dice_roll(dice, 40), &rows));
        *out_entity = rows.entities[0];
    } else if (kind == 1) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mosaic->plain, 1 + dice_roll(dice, 400), &rows));
        *out_entity = rows.entities[rows.count - 1];
    } else if (kind == 2) {
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(world, mosaic->event, 1 + dice_roll(dice, 9), &rows));
    } else {
        *out_entity = cosm_entity_spawn(world, kind < 5 ? mosaic->plain : mosaic->heavy);
    }
}

static void act_rarely(struct mosaic *mosaic, struct dice *dice, cosm_world world) {
    uint32_t what = dice_roll(dice, 8);
    if (what == 0) {
        CHECK_DONE(cosm_world_reset(world));
    } else if (what == 1) {
        CHECK_DONE(cosm_table_clear(world, mosaic->plain));
    } else if (what == 2) {
        CHECK_DONE(cosm_batch_trim(mosaic->batch));
    } else if (what < 6) {
        CHECK_DONE(cosm_batch_step(mosaic->batch));
    } else {
        MosaicClock *clock = cosm_singleton_write(world, mosaic->clock);
        memset(clock, (int)dice_roll(dice, 256), sizeof(*clock));
        uint32_t *score = cosm_singleton_write(world, mosaic->score);
        *score = dice_roll(dice, 3);
    }
}

void mosaic_act(struct mosaic *mosaic, struct dice *dice, struct mosaic_cast *cast) {
    cosm_world world = {mosaic->batch, dice_roll(dice, mosaic->all.count)};
    cosm_entity *entity = &cast->entities[dice_roll(dice, MOSAIC_ENTITY_COUNT)];
    cosm_entity other = cast->entities[dice_roll(dice, MOSAIC_ENTITY_COUNT)];
    uint32_t what = dice_roll(dice, 20);
    int which = (int)dice_roll(dice, MOSAIC_COMPONENT_COUNT);
    if (what < 3) {
        spawn_some(mosaic, dice, world, entity);
    } else if (what < 5) {
        try_it(cosm_entity_despawn(world, *entity));
    } else if (what == 5) {
        try_it(cosm_entity_remove(world, *entity, mosaic->components[which]));
    } else if (what == 6) {
        try_it(cosm_entity_add(world, *entity, mosaic->components[which]));
    } else if (what < 9) {
        try_it(cosm_tree_set_parent(world, *entity, other));
    } else if (what == 9) {
        act_rarely(mosaic, dice, world);
    } else if (which != MOSAIC_MARK && which != MOSAIC_WET) {
        set_component(mosaic, dice, world, *entity, which);
    }
}
