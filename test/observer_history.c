// Observers over long random histories: what they are told adds up to what is there, also where
// memory runs out in between.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define WORLDS 2u
#define IDS 4096u
#define OP_COUNT 24u

// What an observer knows of one world, from events alone.
struct mirror {
    cosm_entity entities[IDS]; // by id; none: does not match
    uint32_t points[IDS];
    uint32_t count;
};

struct history {
    struct fixture box;
    struct dice dice;
    struct mirror hooks[WORLDS];   // of Health
    struct mirror matches[WORLDS]; // of the query
    struct mirror asides[WORLDS];  // of a component beside the tables
    struct mirror commons[WORLDS]; // of a component that is shared
    cosm_component aside;
    cosm_component common;
    cosm_query *all;
    cosm_query *health;
    cosm_query *query; // Health, without Mark, Velocity optional
    cosm_query *movers;
    cosm_commands *commands;
    uint32_t next_points; // each value that is set is another one
    uint64_t told;
};

static void mirror_clear(struct mirror *mirror) {
    mirror->count = 0;
    for (uint32_t i = 0; i < IDS; i++) {
        mirror->entities[i] = COSM_ENTITY_NONE;
    }
}

static void mirror_event(struct history *history, struct mirror *mirror, cosm_component component,
                         const cosm_event *event) {
    for (uint32_t i = 0; i < event->count; i++) {
        cosm_entity entity = event->entities[i];
        if (entity.id >= IDS) {
            CHECK(entity.id < IDS);
            continue;
        }
        const Health *health = EVENT_BY_ID(event, i, Health, component);
        Health copy = {0};
        CHECK(cosm_event_get(event, i, component, &copy));
        CHECK(health != NULL && health->points == copy.points);
        bool known = cosm_entity_equals(mirror->entities[entity.id], entity);
        if (event->kind == COSM_EVENT_ADD) {
            CHECK(cosm_entity_is_none(mirror->entities[entity.id]));
            mirror->entities[entity.id] = entity;
            mirror->count++;
        } else {
            CHECK(known);
        }
        if (event->kind == COSM_EVENT_REMOVE) {
            CHECK_INT(copy.points, mirror->points[entity.id]);
            mirror->entities[entity.id] = COSM_ENTITY_NONE;
            mirror->count--;
        }
        mirror->points[entity.id] = copy.points;
        history->told++;
    }
}

static void on_hook(const cosm_event *event) {
    struct history *history = event->context;
    CHECK_INT(event->component.id, history->box.health.id);
    mirror_event(history, &history->hooks[event->world.index], event->component, event);
}

static void on_match(const cosm_event *event) {
    struct history *history = event->context;
    mirror_event(history, &history->matches[event->world.index], history->box.health, event);
}

static void on_aside(const cosm_event *event) {
    struct history *history = event->context;
    mirror_event(history, &history->asides[event->world.index], history->aside, event);
}

static void on_common(const cosm_event *event) {
    struct history *history = event->context;
    mirror_event(history, &history->commons[event->world.index], history->common, event);
}

// The same for a component that is read entity by entity.
static bool mirror_agrees_by_entity(const struct history *history, const struct mirror *mirror,
                                    cosm_component component, uint32_t index) {
    cosm_world world = fixture_world(&history->box, index);
    bool same = true;
    uint32_t count = 0;
    cosm_rows rows;
    cosm_query_walk(history->all, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; rows.entities != NULL && i < rows.count; i++) {
            const Health *value = cosm_entity_read(world, rows.entities[i], component);
            uint32_t id = rows.entities[i].id;
            same = same &&
                   (value == NULL || (cosm_entity_equals(mirror->entities[id], rows.entities[i]) &&
                                      mirror->points[id] == value->points));
            count += value != NULL;
        }
    }
    return same && count == mirror->count;
}

static bool mirror_agrees(const struct history *history, const struct mirror *mirror,
                          const cosm_query *query, uint32_t world) {
    cosm_worlds one = cosm_worlds_one(fixture_world(&history->box, world));
    bool same = true;
    uint32_t count = 0;
    cosm_rows rows;
    cosm_query_walk(query, one, &rows);
    while (cosm_rows_next(&rows)) {
        const Health *health = COSM_COLUMN_READ(&rows, Health, 0);
        for (uint32_t i = 0; rows.entities != NULL && i < rows.count; i++) {
            uint32_t id = rows.entities[i].id;
            same = same && cosm_entity_equals(mirror->entities[id], rows.entities[i]) &&
                   mirror->points[id] == health[i].points;
            count++;
        }
    }
    return same && count == mirror->count;
}

static void check_mirrors(const struct history *history) {
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK(mirror_agrees(history, &history->hooks[w], history->health, w));
        CHECK(mirror_agrees(history, &history->matches[w], history->query, w));
        CHECK(mirror_agrees_by_entity(history, &history->asides[w], history->aside, w));
        CHECK(mirror_agrees_by_entity(history, &history->commons[w], history->common, w));
    }
}

static void history_open(struct history *history, const cosm_engine_desc *desc, uint64_t seed) {
    history->dice.state = seed;
    history->next_points = 1000;
    history->told = 0;
    struct fixture *box = &history->box;
    fixture_open_with(box, 0, desc, &(cosm_batch_desc){.world_count = WORLDS});
    for (uint32_t w = 0; w < WORLDS; w++) {
        mirror_clear(&history->hooks[w]);
        mirror_clear(&history->matches[w]);
        mirror_clear(&history->asides[w]);
        mirror_clear(&history->commons[w]);
    }
    history->aside = cosm_component_define(
        box->engine,
        &(cosm_component_desc){.name = "aside", .size = 4, .storage = COSM_STORAGE_SECTOR});
    history->common = cosm_component_define(
        box->engine,
        &(cosm_component_desc){.name = "common", .size = 4, .storage = COSM_STORAGE_SHARED});
    history->all = cosm_query_create(box->engine, &(cosm_query_desc){0});
    CHECK(cosm_observer_define(box->engine, &(cosm_observer_desc){.name = "aside",
                                                                  .component = history->aside,
                                                                  .run = on_aside,
                                                                  .context = history})
              .id != 0);
    CHECK(cosm_observer_define(box->engine, &(cosm_observer_desc){.name = "common",
                                                                  .component = history->common,
                                                                  .run = on_common,
                                                                  .context = history})
              .id != 0);
    cosm_query_desc query = {
        .terms = {
            {.component = box->health, .access = COSM_ACCESS_WRITE},
            {.component = box->mark, .kind = COSM_TERM_WITHOUT},
            {.component = box->velocity, .access = COSM_ACCESS_WRITE, .kind = COSM_TERM_OPTIONAL}}};
    history->health = fixture_query(box, box->health, (cosm_component){0});
    history->movers = fixture_query(box, box->velocity, (cosm_component){0});
    history->query = cosm_query_create(box->engine, &query);
    history->commands = cosm_commands_create(box->batch);
    CHECK(cosm_observer_define(box->engine, &(cosm_observer_desc){.name = "hook",
                                                                  .component = box->health,
                                                                  .run = on_hook,
                                                                  .context = history})
              .id != 0);
    CHECK(cosm_observer_define(box->engine, &(cosm_observer_desc){.name = "match",
                                                                  .query_desc = query,
                                                                  .run = on_match,
                                                                  .context = history})
              .id != 0);
}

static void history_close(struct history *history) {
    cosm_commands_destroy(history->commands);
    cosm_query_destroy(history->health);
    cosm_query_destroy(history->all);
    cosm_query_destroy(history->movers);
    cosm_query_destroy(history->query);
    fixture_close(&history->box);
    for (uint32_t w = 0; w < WORLDS; w++) {
        CHECK_INT(history->hooks[w].count, 0); // the end of the batch told the rest
        CHECK_INT(history->matches[w].count, 0);
        CHECK_INT(history->asides[w].count, 0);
        CHECK_INT(history->commons[w].count, 0);
    }
}

// Any entity of a world, or a stale one.
static cosm_entity pick(struct history *history, uint32_t world) {
    uint32_t alive = cosm_world_entity_count(fixture_world(&history->box, world));
    cosm_entity entity = {1 + 2 * dice_roll(&history->dice, 3), dice_roll(&history->dice, 8)};
    if (alive > 0) {
        uint32_t left = dice_roll(&history->dice, alive + 1);
        cosm_rows rows;
        cosm_query_walk(history->all, cosm_worlds_one(fixture_world(&history->box, world)), &rows);
        while (cosm_rows_next(&rows)) {
            for (uint32_t i = 0; rows.entities != NULL && i < rows.count && left > 0; i++) {
                entity = rows.entities[i];
                left--;
            }
        }
    }
    return entity;
}

static cosm_component pick_component(struct history *history) {
    struct fixture *box = &history->box;
    cosm_component all[] = {box->health,    box->mark,      box->velocity,  box->health,
                            history->aside, history->aside, history->common};
    return all[dice_roll(&history->dice, 7)];
}

// A component of four bytes that is observed.
static cosm_component pick_value(struct history *history) {
    cosm_component all[] = {history->box.health, history->box.health, history->aside,
                            history->common};
    return all[dice_roll(&history->dice, 4)];
}

static cosm_result made(cosm_entity entity) {
    return cosm_entity_is_none(entity) ? cosm_error_result() : COSM_OK;
}

static cosm_result record_some(struct history *history, uint32_t world_index) {
    struct fixture *box = &history->box;
    cosm_commands *commands = history->commands;
    cosm_world world = fixture_world(box, world_index);
    cosm_result result = COSM_OK;
    for (uint32_t i = dice_roll(&history->dice, 12); i > 0 && result == COSM_OK; i--) {
        cosm_entity entity = pick(history, world_index);
        Health health = {history->next_points++};
        switch (dice_roll(&history->dice, 6)) {
        case 0:
            result = made(cosm_commands_spawn(commands, world, box->mover));
            break;
        case 1:
            result = made(cosm_commands_spawn_with(commands, world, box->slot,
                                                   &(cosm_value){box->health, &health}, 1));
            break;
        case 2:
            result = cosm_commands_despawn(commands, world, entity);
            break;
        case 3:
            result = cosm_commands_add(commands, world, entity, pick_component(history));
            break;
        case 4:
            result = cosm_commands_remove(commands, world, entity, pick_component(history));
            break;
        default:
            result = cosm_commands_set(commands, world, entity, pick_value(history), &health);
            break;
        }
    }
    return result;
}

static cosm_result change_entities(struct history *history, uint32_t op, uint32_t world_index) {
    struct fixture *box = &history->box;
    cosm_world world = fixture_world(box, world_index);
    cosm_entity e = pick(history, world_index);
    cosm_entity many[4] = {e, pick(history, world_index), pick(history, world_index), e};
    Health health[4];
    for (uint32_t i = 0; i < 4; i++) {
        health[i].points = history->next_points++;
    }
    cosm_rows rows;
    switch (op) {
    case 0:
        return made(cosm_entity_spawn(world, box->mover));
    case 1:
        return made(cosm_entity_spawn(world, box->slot));
    case 2:
        return made(
            cosm_entity_spawn_with(world, box->slot, &(cosm_value){box->health, &health[0]}, 1));
    case 3:
        return cosm_entity_spawn_many(world, box->slot, dice_roll(&history->dice, 4), &rows);
    case 4:
        return cosm_entity_despawn(world, e);
    case 5:
        return cosm_entity_despawn_many(world, many, 4);
    case 6:
    case 7:
        return cosm_entity_add(world, e, pick_component(history));
    case 8:
    case 9:
        return cosm_entity_remove(world, e, pick_component(history));
    case 10:
    case 11:
        return cosm_entity_set(world, e, pick_value(history), &health[0]);
    case 12:
        return cosm_entity_add_many(world, many, 4, pick_component(history));
    case 13:
        return cosm_entity_remove_many(world, many, 4, pick_component(history));
    default:
        return cosm_entity_set_many(world, many, 4, pick_value(history), health);
    }
}

static cosm_result change_much(struct history *history, uint32_t op, uint32_t world_index) {
    struct fixture *box = &history->box;
    cosm_world world = fixture_world(box, world_index);
    const cosm_query *queries[] = {history->health, history->query, history->movers};
    const cosm_query *query = queries[dice_roll(&history->dice, 3)];
    cosm_worlds worlds = dice_roll(&history->dice, 2) == 0 ? box->all : cosm_worlds_one(world);
    Health health = {history->next_points++};
    cosm_result result;
    switch (op) {
    case 15:
        return cosm_query_add(query, worlds, pick_component(history));
    case 16:
        return cosm_query_remove(query, worlds, pick_component(history));
    case 17:
        return cosm_query_set(query, worlds, pick_value(history), &health);
    case 18:
        return dice_roll(&history->dice, 4) == 0 ? cosm_query_despawn(query, worlds) : COSM_OK;
    case 19:
        return cosm_table_clear(world, dice_roll(&history->dice, 2) == 0 ? box->slot : box->mover);
    case 20:
        return dice_roll(&history->dice, 4) == 0 ? cosm_world_reset(world) : COSM_OK;
    case 21:
        return dice_roll(&history->dice, 8) == 0 ? cosm_batch_reset(box->batch, NULL)
                                                 : cosm_batch_trim(box->batch);
    default:
        result = record_some(history, world_index);
        if (result == COSM_OK) {
            result = cosm_commands_apply(history->commands, NULL);
        }
        if (result != COSM_OK) {
            cosm_commands_clear(history->commands);
        }
        return result;
    }
}

static cosm_result do_op(struct history *history, uint32_t op, uint32_t world) {
    return op < 15 ? change_entities(history, op, world) : change_much(history, op, world);
}

TEST(what_observers_are_told_adds_up_to_what_is_there) {
    struct history *history = malloc(sizeof(*history));
    REQUIRE(history != NULL);
    history_open(history, NULL, harness_seed());
    uint32_t steps = harness_is_long() ? 40000 : 4000;
    for (uint32_t i = 0; i < steps; i++) {
        cosm_result result =
            do_op(history, dice_roll(&history->dice, OP_COUNT), dice_roll(&history->dice, WORLDS));
        CHECK(result <= COSM_STALE || result == COSM_ERROR_FULL || result == COSM_ERROR_SEALED);
        check_mirrors(history);
    }
    CHECK(history->told > steps / 2);
    CHECK_VALID(history->box.batch);
    history_close(history);
    free(history);
}

TEST(a_call_that_runs_out_of_memory_changes_nothing_and_tells_nothing) {
    struct history *history = malloc(sizeof(*history));
    REQUIRE(history != NULL);
    struct ledger ledger;
    ledger_open(&ledger);
    history_open(history, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                 harness_seed());
    uint32_t steps = harness_is_long() ? 40000 : 4000;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < steps; i++) {
        uint64_t told = history->told;
        uint32_t op = dice_roll(&history->dice, OP_COUNT);
        uint32_t world = dice_roll(&history->dice, WORLDS);
        if (dice_roll(&history->dice, 16) == 0) {
            CHECK_DONE(cosm_batch_trim(history->box.batch)); // so that logs grow again
        }
        uint64_t checksum = cosm_hash_batch(history->box.batch, COSM_HASH_EXACT);
        ledger_refuse(&ledger, 1 + dice_roll(&history->dice, 6), 1 + dice_roll(&history->dice, 2));
        cosm_result result = do_op(history, op, world);
        refused += ledger_relent(&ledger) && result == COSM_ERROR_MEMORY;
        if (result == COSM_ERROR_MEMORY && op < 22) { // commands have handed out ids
            CHECK_INT(cosm_hash_batch(history->box.batch, COSM_HASH_EXACT), checksum);
        }
        if (result > COSM_STALE) {
            CHECK_INT(history->told, told);
        }
        check_mirrors(history);
    }
    CHECK(refused > steps / 100);
    history_close(history);
    ledger_close(&ledger);
    free(history);
}

// Each operation on a world of the same making, with the n-th request refused.
TEST(every_operation_survives_the_failure_of_its_nth_allocation) {
    struct history *history = malloc(sizeof(*history));
    REQUIRE(history != NULL);
    for (uint32_t op = 0; op < OP_COUNT; op++) {
        bool refused = true;
        for (uint32_t n = 1; refused; n++) {
            struct ledger ledger;
            ledger_open(&ledger);
            history_open(history, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, 77);
            for (uint32_t i = 0; i < 40; i++) {
                (void)do_op(history, i % 15, i % WORLDS);
            }
            history->dice.state = op;
            CHECK_DONE(cosm_batch_trim(history->box.batch));
            uint64_t checksum = cosm_hash_batch(history->box.batch, COSM_HASH_EXACT);
            uint64_t told = history->told;
            ledger_refuse(&ledger, n, 1);
            cosm_result result = do_op(history, op, 0);
            refused = ledger_relent(&ledger);
            CHECK(result <= COSM_STALE || result == COSM_ERROR_MEMORY ||
                  result == COSM_ERROR_FULL || result == COSM_ERROR_SEALED);
            if (result > COSM_STALE) {
                CHECK_INT(history->told, told);
                CHECK(op >= 22 || cosm_hash_batch(history->box.batch, COSM_HASH_EXACT) == checksum);
            }
            check_mirrors(history);
            CHECK_VALID(history->box.batch);
            history_close(history);
            ledger_close(&ledger);
        }
    }
    free(history);
}

static void ignore(const cosm_event *event) {
    (void)event;
}

TEST(defining_switching_and_removing_survive_the_failure_of_their_nth_allocation) {
    for (uint32_t what = 0; what < 3; what++) {
        bool refused = true;
        for (uint32_t n = 1; refused; n++) {
            struct ledger ledger;
            ledger_open(&ledger);
            struct fixture box;
            fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                              NULL);
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
            cosm_observer_desc desc = {
                .name = "one", .component = box.health, .run = ignore, .disabled = what == 1};
            cosm_observer first = cosm_observer_define(box.engine, &desc);
            desc.name = "two";
            ledger_refuse(&ledger, n, 1);
            cosm_result result = COSM_OK;
            if (what == 0) {
                result =
                    cosm_observer_define(box.engine, &desc).id == 0 ? cosm_error_result() : COSM_OK;
            } else if (what == 1) {
                result = cosm_observer_enable(box.engine, first, true);
            } else {
                result = cosm_observer_remove(box.engine, first);
            }
            refused = ledger_relent(&ledger);
            CHECK_INT(result, refused ? COSM_ERROR_MEMORY : COSM_OK);
            if (what == 1) {
                CHECK(cosm_observer_describe(box.engine, first).is_enabled == !refused);
            } else {
                CHECK_INT(cosm_engine_describe(box.engine).observer_count,
                          (what == 0 && !refused ? 2 : 1) - (what == 2 && !refused ? 1 : 0));
            }
            CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
            fixture_close(&box);
            ledger_close(&ledger);
        }
    }
}

TEST(an_archetype_that_cannot_be_watched_for_want_of_memory_is_not_formed) {
    bool refused = true;
    for (uint32_t n = 1; refused; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                          NULL);
        CHECK(cosm_observer_define(
                  box.engine,
                  &(cosm_observer_desc){.name = "one", .component = box.health, .run = ignore})
                  .id != 0);
        uint32_t count = cosm_engine_describe(box.engine).archetype_count;
        ledger_refuse(&ledger, n, 1);
        cosm_archetype archetype = cosm_archetype_define(
            box.engine,
            &(cosm_archetype_desc){.name = "new", .components = {box.health, box.velocity}});
        refused = ledger_relent(&ledger);
        CHECK((archetype.id == 0) == refused);
        CHECK_INT(cosm_engine_describe(box.engine).archetype_count, count + (refused ? 0 : 1));
        fixture_close(&box);
        ledger_close(&ledger);
    }
}
