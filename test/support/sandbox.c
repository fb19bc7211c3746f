// The sandbox: see sandbox.h.
#include "support/sandbox.h"

#include <stddef.h>

#include "harness.h"

void sandbox_define(struct sandbox *box) {
    static const Health full = {100};
    cosm_engine *engine = box->engine;
    box->position = COSM_COMPONENT_DEFINE(engine, Position);
    box->velocity = COSM_COMPONENT_DEFINE(engine, Velocity);
    box->health = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Health", .size = sizeof(Health), .default_value = &full});
    box->mark = COSM_TAG_DEFINE(engine, Mark);
    box->mover = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "mover", .components = {box->position, box->velocity}});
    box->slot = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "slot",
                                       .components = {box->position, box->health},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 4});
    box->event = cosm_archetype_define(
        engine,
        &(cosm_archetype_desc){.name = "event", .components = {box->health}, .temporary = true});
    box->stone = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "stone", .components = {box->position, box->mark}, .sealed = true});
    CHECK(box->mover.id != 0 && box->slot.id != 0 && box->event.id != 0 && box->stone.id != 0);
}

void sandbox_open_with(struct sandbox *box, const cosm_engine_desc *engine_desc,
                       const cosm_batch_desc *batch_desc) {
    cosm_error_clear();
    box->engine = cosm_engine_create(engine_desc);
    CHECK(box->engine != NULL);
    sandbox_define(box);
    box->batch = cosm_batch_create(box->engine, batch_desc);
    CHECK(box->batch != NULL);
    box->world = cosm_batch_world(box->batch, 0);
    box->all = cosm_worlds_all(box->batch);
    CHECK_SILENT();
}

void sandbox_open(struct sandbox *box, uint32_t world_count) {
    sandbox_open_with(box, NULL, &(cosm_batch_desc){.world_count = world_count, .seed = 7});
}

void sandbox_close(struct sandbox *box) {
    if (box->batch != NULL) {
        CHECK_VALID(box->batch);
    }
    CHECK_DONE(cosm_batch_destroy(box->batch));
    CHECK_DONE(cosm_engine_destroy(box->engine));
}

cosm_world sandbox_world(const struct sandbox *box, uint32_t index) {
    return cosm_batch_world(box->batch, index);
}

cosm_entity sandbox_spawn_mover(const struct sandbox *box, float x) {
    Position position = {x, 0, 0};
    cosm_entity entity =
        cosm_entity_spawn_with(box->world, box->mover, &(cosm_value){box->position, &position}, 1);
    CHECK(!cosm_entity_is_none(entity));
    return entity;
}

cosm_query *sandbox_query(const struct sandbox *box, cosm_component a, cosm_component b) {
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
