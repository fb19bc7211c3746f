// The engine and batch that tests try things in: see fixture.h.
#include "support/fixture.h"

#include <string.h>

#include "harness.h"
#include "support/templates.h"

static void define_plain(struct fixture *box) {
    static const Health full = {100};
    box->position = COSM_COMPONENT_DEFINE(box->engine, Position);
    box->velocity = COSM_COMPONENT_DEFINE(box->engine, Velocity);
    box->health = cosm_component_define(
        box->engine,
        &(cosm_component_desc){.name = "Health", .size = sizeof(Health), .default_value = &full});
    box->mark = COSM_TAG_DEFINE(box->engine, Mark);
}

static void define_movers(struct fixture *box) {
    box->mover = form_archetype(
        box, (cosm_archetype_desc){.name = "mover", .components = {box->position, box->velocity}});
    box->slot =
        form_archetype(box, (cosm_archetype_desc){.name = "slot",
                                                  .components = {box->position, box->health},
                                                  .placement = COSM_PLACEMENT_FIXED,
                                                  .max_per_world = 4});
    box->event = form_archetype(
        box,
        (cosm_archetype_desc){.name = "event", .components = {box->health}, .temporary = true});
    box->stone = form_archetype(box, (cosm_archetype_desc){.name = "stone",
                                                           .components = {box->position, box->mark},
                                                           .sealed = true});
}

void fixture_define(struct fixture *box, uint32_t flags) {
    define_plain(box);
    if (flags == 0) {
        define_movers(box);
    } else {
        box->plain = form_archetype(
            box, (cosm_archetype_desc){.name = "plain", .components = {box->position}});
        box->positions = fixture_query(box, box->position, (cosm_component){0});
    }
    define_storages(box, flags);
}

void fixture_open_with(struct fixture *box, uint32_t flags, const cosm_engine_desc *engine_desc,
                       const cosm_batch_desc *batch_desc) {
    cosm_error_clear();
    memset(box, 0, sizeof(*box));
    objects_open(&box->books);
    box->engine = cosm_engine_create(engine_desc);
    REQUIRE(box->engine != NULL);
    fixture_define(box, flags);
    box->batch = cosm_batch_create(box->engine, batch_desc);
    REQUIRE(box->batch != NULL);
    box->world = cosm_batch_world(box->batch, 0);
    box->all = cosm_worlds_all(box->batch);
    CHECK_SILENT();
}

void fixture_open(struct fixture *box, uint32_t flags, uint32_t world_count) {
    fixture_open_with(box, flags, NULL, &(cosm_batch_desc){.world_count = world_count, .seed = 7});
    if (flags & FIXTURE_TITLE) {
        define_templates(box);
        CHECK(box->tree.id != 0);
        CHECK_INT(objects_count(&box->books), TEMPLATE_OBJECTS);
    }
}

void fixture_close(struct fixture *box) {
    if (box->batch != NULL) {
        CHECK_VALID(box->batch);
        CHECK_DONE(cosm_managed_audit(box->batch, NULL, NULL));
        CHECK_DONE(cosm_batch_destroy(box->batch));
    }
    cosm_query_destroy(box->positions);
    cosm_query_destroy(box->texts);
    cosm_query_destroy(box->bodies);
    CHECK_DONE(cosm_engine_destroy(box->engine));
    objects_close(&box->books);
}

cosm_world fixture_world(const struct fixture *box, uint32_t index) {
    return cosm_batch_world(box->batch, index);
}

cosm_entity fixture_spawn(const struct fixture *box, float x) {
    Position position = {x, 0, 0};
    cosm_entity entity =
        cosm_entity_spawn_with(box->world, box->mover, &(cosm_value){box->position, &position}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

cosm_query *fixture_query(const struct fixture *box, cosm_component a, cosm_component b) {
    cosm_query *query = cosm_query_create(
        box->engine, &(cosm_query_desc){.terms = {{.component = a, .access = COSM_ACCESS_WRITE},
                                                  {.component = b, .access = COSM_ACCESS_WRITE}}});
    CHECK(query != NULL);
    return query;
}

void check_valid(const char *file, int line, const cosm_batch *batch) {
    cosm_result result = cosm_batch_validate(batch);
    if (result != COSM_OK) {
        harness_check_str(file, line, "the message of cosm_batch_validate", cosm_error_message(),
                          "");
    }
    harness_check(file, line, "the batch is valid", result == COSM_OK);
}

void check_done(const char *file, int line, const char *what, cosm_result result) {
    if (result != COSM_OK) {
        harness_check_str(file, line, what, cosm_result_name(result), "COSM_OK");
        harness_check_str(file, line, "the message", cosm_error_message(), "");
    }
}

void check_failure(const char *file, int line, cosm_result result, const char *call,
                   const char *value, const char *remedy) {
    const char *message = cosm_error_message();
    harness_check_str(file, line, "cosm_error_result", cosm_result_name(cosm_error_result()),
                      cosm_result_name(result));
    harness_check_contains(file, line, "the message", message, call);
    harness_check_contains(file, line, "the message", message, value);
    harness_check_contains(file, line, "the message", message, remedy);
    cosm_error_clear();
}

uint64_t dice_next(struct dice *dice) {
    dice->state += 0x9E3779B97F4A7C15u;
    uint64_t z = dice->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t dice_roll(struct dice *dice, uint32_t sides) {
    return (uint32_t)(dice_next(dice) >> 32) % sides;
}
