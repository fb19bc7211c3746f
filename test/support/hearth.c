// An engine and a batch with sector components.
#include "support/hearth.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

// Is it time to say no?
static bool refuses(struct ember_book *book) {
    if (book->refuse > 1) {
        book->refuse--;
        return false;
    }
    return book->refuse == 1;
}

static bool begin_ember(struct ember_book *book, Ember *ember, uint32_t number) {
    if (refuses(book)) {
        return false;
    }
    ember->number = malloc(sizeof(*ember->number));
    if (ember->number == NULL) {
        return false;
    }
    *ember->number = number;
    atomic_fetch_add(&book->alive, 1);
    return true;
}

static bool construct_ember(void *context, void *object) {
    struct ember_book *book = context;
    atomic_fetch_add(&book->constructed, 1);
    return begin_ember(book, object, 7);
}

static bool copy_ember(void *context, void *object, const void *source) {
    struct ember_book *book = context;
    const Ember *from = source;
    CHECK(from->number != NULL);
    atomic_fetch_add(&book->copied, 1);
    return begin_ember(book, object, *from->number);
}

static void move_ember(void *context, void *object, void *source) {
    struct ember_book *book = context;
    atomic_fetch_add(&book->moved, 1);
    Ember *from = source;
    ((Ember *)object)->number = from->number;
    from->number = NULL;
}

static void destroy_ember(void *context, void *object) {
    struct ember_book *book = context;
    Ember *ember = object;
    CHECK(ember->number != NULL);
    free(ember->number);
    ember->number = NULL;
    atomic_fetch_add(&book->destroyed, 1);
    atomic_fetch_sub(&book->alive, 1);
}

static uint64_t hash_ember(void *context, const void *object) {
    (void)context;
    return *((const Ember *)object)->number;
}

static bool equal_embers(void *context, const void *a, const void *b) {
    return hash_ember(context, a) == hash_ember(context, b);
}

static cosm_component define_sector(struct hearth *hearth, const char *name, size_t size,
                                    size_t alignment, const void *default_value) {
    return cosm_component_define(hearth->engine,
                                 &(cosm_component_desc){.name = name,
                                                        .size = size,
                                                        .alignment = alignment,
                                                        .default_value = default_value,
                                                        .storage = COSM_STORAGE_SECTOR});
}

static void define_archetypes(struct hearth *hearth) {
    cosm_engine *engine = hearth->engine;
    hearth->thing = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "thing", .components = {hearth->spot}});
    hearth->pot = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "pot",
                                       .components = {hearth->spot, hearth->pan},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 8});
    hearth->event = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "event", .components = {hearth->spot}, .temporary = true});
    hearth->stone = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "stone",
                                       .components = {hearth->spot, hearth->mark, hearth->team},
                                       .sealed = true});
}

void hearth_define(struct hearth *hearth) {
    cosm_engine *engine = hearth->engine;
    hearth->spot = COSM_COMPONENT_DEFINE(engine, Spot);
    hearth->team = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED});
    hearth->mark = cosm_component_define(engine, &(cosm_component_desc){.name = "Mark"});
    hearth->pan = cosm_component_define(engine, &(cosm_component_desc){.name = "Pan"});
    hearth->heat = define_sector(hearth, "Heat", sizeof(Heat), 0, &(Heat){20});
    hearth->smoke = define_sector(hearth, "Smoke", sizeof(Smoke), 0, NULL);
    hearth->wet = define_sector(hearth, "Wet", 0, 0, NULL);
    hearth->kiln = define_sector(hearth, "Kiln", sizeof(Kiln), 64, &(Kiln){.number = 3});
    hearth->ember = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Ember",
                                       .size = sizeof(Ember),
                                       .storage = COSM_STORAGE_SECTOR,
                                       .lifecycle = {.construct = construct_ember,
                                                     .copy = copy_ember,
                                                     .move = move_ember,
                                                     .destroy = destroy_ember,
                                                     .equals = equal_embers,
                                                     .hash = hash_ember,
                                                     .context = &hearth->book}});
    hearth->hot = cosm_bundle_define(
        engine, &(cosm_bundle_desc){.name = "Hot",
                                    .components = {hearth->heat, hearth->wet, hearth->mark}});
    CHECK(cosm_sector_group_define(
              engine, &(cosm_sector_group_desc){.name = "fire",
                                                .components = {hearth->heat, hearth->smoke}})
              .id != 0);
    CHECK(cosm_sector_group_define(
              engine, &(cosm_sector_group_desc){.name = "coal",
                                                .components = {hearth->kiln, hearth->ember},
                                                .chunk_sectors = 8})
              .id != 0);
    define_archetypes(hearth);
    CHECK(hearth->stone.id != 0 && hearth->hot.id != 0 && hearth->ember.id != 0);
}

void hearth_open_with(struct hearth *hearth, const cosm_engine_desc *engine_desc,
                      const cosm_batch_desc *batch_desc) {
    memset(hearth, 0, sizeof(*hearth));
    hearth->engine = cosm_engine_create(engine_desc);
    REQUIRE(hearth->engine != NULL);
    hearth_define(hearth);
    hearth->batch = cosm_batch_create(hearth->engine, batch_desc);
    REQUIRE(hearth->batch != NULL);
    hearth->world = cosm_batch_world(hearth->batch, 0);
    hearth->all = cosm_worlds_all(hearth->batch);
}

void hearth_open(struct hearth *hearth, uint32_t world_count) {
    hearth_open_with(hearth, NULL, &(cosm_batch_desc){.world_count = world_count});
}

void hearth_close(struct hearth *hearth) {
    CHECK_VALID(hearth->batch);
    CHECK_DONE(cosm_batch_destroy(hearth->batch));
    CHECK_DONE(cosm_engine_destroy(hearth->engine));
    CHECK_INT(atomic_load(&hearth->book.alive), 0);
}

cosm_world hearth_world(const struct hearth *hearth, uint32_t index) {
    return cosm_batch_world(hearth->batch, index);
}

cosm_entity hearth_spawn(const struct hearth *hearth, cosm_world world, float x) {
    cosm_entity entity =
        cosm_entity_spawn_with(world, hearth->thing, &(cosm_value){hearth->spot, &(Spot){x, 0}}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

void hearth_heat(const struct hearth *hearth, cosm_world world, cosm_entity entity, float degrees) {
    CHECK_DONE(cosm_entity_set(world, entity, hearth->heat, &(Heat){degrees}));
}

void hearth_ember(const struct hearth *hearth, cosm_world world, cosm_entity entity,
                  uint32_t number) {
    CHECK_DONE(cosm_entity_set(world, entity, hearth->ember, &(Ember){&number}));
}

float hearth_degrees(const struct hearth *hearth, cosm_world world, cosm_entity entity) {
    const Heat *heat = COSM_READ(world, entity, Heat);
    CHECK((heat != NULL) == cosm_entity_has(world, entity, hearth->heat));
    return heat == NULL ? -1 : heat->degrees;
}

int hearth_number(const struct hearth *hearth, cosm_world world, cosm_entity entity) {
    const Ember *ember = COSM_READ(world, entity, Ember);
    CHECK((ember != NULL) == cosm_entity_has(world, entity, hearth->ember));
    return ember == NULL ? -1 : (int)*ember->number;
}
