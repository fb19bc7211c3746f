// Observers that change things: commands in events, rounds, cycles, and what is refused meanwhile.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

struct chain {
    struct fixture box;
    cosm_component links[4]; // tags; an observer of links[i] swaps it for the next
    uint32_t calls;
    uint32_t link_count;
    uint32_t most; // swaps that are made at most
};

static void swap_link(const cosm_event *event) {
    struct chain *chain = event->context;
    chain->calls++;
    if (chain->calls > chain->most) {
        return;
    }
    uint32_t at = 0;
    while (chain->links[at].id != event->component.id) {
        at++;
    }
    cosm_component next = chain->links[(at + 1) % chain->link_count];
    for (uint32_t i = 0; i < event->count; i++) {
        CHECK_DONE(cosm_commands_remove(event->commands, event->world, event->entities[i],
                                        event->component));
        CHECK_DONE(cosm_commands_add(event->commands, event->world, event->entities[i], next));
    }
}

static void chain_open(struct chain *chain, uint32_t link_count, uint32_t most) {
    *chain = (struct chain){.link_count = link_count, .most = most};
    fixture_open(&chain->box, 0, 1);
    const char *names[] = {"A", "B", "C", "D"};
    for (uint32_t i = 0; i < link_count; i++) {
        chain->links[i] =
            cosm_component_define(chain->box.engine, &(cosm_component_desc){.name = names[i]});
    }
    for (uint32_t i = 0; i < link_count; i++) {
        cosm_observer_desc desc = {.name = names[i],
                                   .component = chain->links[i],
                                   .on = COSM_EVENT_ADD,
                                   .run = swap_link,
                                   .context = chain};
        CHECK(cosm_observer_define(chain->box.engine, &desc).id != 0);
    }
}

TEST(what_observers_record_is_applied_and_told_in_rounds) {
    struct chain chain;
    chain_open(&chain, 4, 3);
    cosm_entity e = fixture_spawn(&chain.box, 0);
    cosm_error_clear();
    CHECK_DONE(cosm_entity_add(chain.box.world, e, chain.links[0]));
    CHECK_SILENT();
    CHECK_INT(chain.calls, 4);
    CHECK(cosm_entity_has(chain.box.world, e, chain.links[3]));
    CHECK(!cosm_entity_has(chain.box.world, e, chain.links[0]));
    fixture_close(&chain.box);
}

TEST(as_many_rounds_as_the_limit_says_are_not_cut) {
    struct chain chain;
    chain_open(&chain, 3, COSM_OBSERVER_ROUND_MAX - 1);
    cosm_entity e = fixture_spawn(&chain.box, 0);
    cosm_error_clear();
    CHECK_DONE(cosm_entity_add(chain.box.world, e, chain.links[0]));
    CHECK_SILENT();
    CHECK_INT(chain.calls, COSM_OBSERVER_ROUND_MAX);
    CHECK(cosm_entity_has(chain.box.world, e, chain.links[(COSM_OBSERVER_ROUND_MAX - 1) % 3]));
    fixture_close(&chain.box);
}

static void add_itself(const cosm_event *event) {
    struct chain *chain = event->context;
    chain->calls++;
    for (uint32_t i = 0; i < event->count; i++) {
        CHECK_DONE(cosm_commands_set(event->commands, event->world, event->entities[i],
                                     chain->box.health, &(Health){chain->calls}));
    }
}

TEST(an_observer_that_calls_itself_is_cut_and_named) {
    struct chain chain = {.calls = 0};
    fixture_open(&chain.box, 0, 1);
    cosm_observer_desc desc = {.name = "echo",
                               .component = chain.box.health,
                               .on = COSM_EVENT_SET,
                               .run = add_itself,
                               .context = &chain};
    CHECK(cosm_observer_define(chain.box.engine, &desc).id != 0);
    cosm_entity e = cosm_entity_spawn(chain.box.world, chain.box.slot);
    CHECK_INT(chain.calls, 0);
    cosm_error_clear();
    CHECK_INT(cosm_entity_set(chain.box.world, e, chain.box.health, &(Health){0}), COSM_OK);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_entity_set", " echo -> echo, ", "record nothing");
    CHECK_INT(chain.calls, COSM_OBSERVER_ROUND_MAX);
    // What the last round recorded is dropped.
    CHECK_INT(COSM_READ(chain.box.world, e, Health)->points, COSM_OBSERVER_ROUND_MAX - 1);
    fixture_close(&chain.box);
}

TEST(cycles_of_two_and_three_are_cut_and_named) {
    const char *chains[] = {"", "", "", ""};
    chains[2] = " B -> A -> B, ";
    chains[3] = " A -> B -> C -> A, ";
    for (uint32_t length = 2; length <= 3; length++) {
        struct chain chain;
        chain_open(&chain, length, UINT32_MAX);
        cosm_entity e = fixture_spawn(&chain.box, 0);
        cosm_error_clear();
        CHECK_INT(cosm_entity_add(chain.box.world, e, chain.links[0]), COSM_OK);
        CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_entity_add", chains[length], "record nothing");
        CHECK_INT(chain.calls, COSM_OBSERVER_ROUND_MAX);
        CHECK(cosm_entity_is_alive(chain.box.world, e));
        // Afterwards all goes on as usual.
        chain.most = 0;
        cosm_entity other = fixture_spawn(&chain.box, 0);
        CHECK_DONE(cosm_entity_add(chain.box.world, other, chain.links[1]));
        CHECK_SILENT();
        fixture_close(&chain.box);
    }
}

static void look_on(const cosm_event *event) {
    struct chain *chain = event->context;
    CHECK_DONE(cosm_commands_set(event->commands, event->world, event->entities[0],
                                 chain->box.position, &(Position){1, 0, 0}));
}

TEST(one_who_only_hangs_on_to_a_cycle_is_not_blamed_for_it) {
    struct chain chain;
    chain_open(&chain, 3, UINT32_MAX);
    cosm_observer_desc desc = {
        .name = "bystander",
        .query_desc = {.terms = {{.component = chain.links[0],
                                  .access = COSM_ACCESS_WRITE,
                                  .kind = COSM_TERM_ANY_OF},
                                 {.component = chain.links[1],
                                  .access = COSM_ACCESS_WRITE,
                                  .kind = COSM_TERM_ANY_OF},
                                 {.component = chain.links[2],
                                  .access = COSM_ACCESS_WRITE,
                                  .kind = COSM_TERM_ANY_OF},
                                 {.component = chain.box.velocity, .access = COSM_ACCESS_WRITE}}},
        .on = COSM_EVENT_SET | COSM_EVENT_START,
        .run = look_on,
        .context = &chain,
        .order = -1};
    CHECK(cosm_observer_define(chain.box.engine, &desc).id != 0);
    desc.name = "another";
    desc.query_desc =
        (cosm_query_desc){.terms = {{.component = chain.links[0], .access = COSM_ACCESS_WRITE}}};
    CHECK(cosm_observer_define(chain.box.engine, &desc).id != 0);
    cosm_entity e = fixture_spawn(&chain.box, 0);
    cosm_error_clear();
    CHECK_INT(cosm_entity_add(chain.box.world, e, chain.links[0]), COSM_OK);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_entity_add", " A -> B -> C -> A, ", "record nothing");
    fixture_close(&chain.box);
}

struct nest {
    struct fixture box;
    cosm_archetype egg;
    cosm_component shell;
    cosm_entity last;
    uint32_t laid;
    uint32_t gone;
};

static void lay(const cosm_event *event) {
    struct nest *nest = event->context;
    if (event->kind == COSM_EVENT_REMOVE) {
        nest->gone += event->count;
        return;
    }
    for (uint32_t i = 0; i < event->count; i++) {
        nest->last = cosm_commands_spawn(event->commands, event->world, nest->egg);
        CHECK(!cosm_entity_is_none(nest->last));
        CHECK(!cosm_entity_is_alive(event->world, nest->last));
        nest->laid++;
    }
}

static void hatch(const cosm_event *event) {
    for (uint32_t i = 0; i < event->count; i++) {
        CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[i]));
    }
}

static void nest_open(struct nest *nest) {
    *nest = (struct nest){.laid = 0};
    fixture_open(&nest->box, 0, 1);
    nest->shell = COSM_TAG_DEFINE(nest->box.engine, Shell);
    nest->egg = cosm_archetype_define(
        nest->box.engine,
        &(cosm_archetype_desc){.name = "egg", .components = {nest->box.position, nest->shell}});
    cosm_observer_desc desc = {.name = "lay",
                               .component = nest->box.health,
                               .on = COSM_EVENT_ADD | COSM_EVENT_REMOVE,
                               .run = lay,
                               .context = nest};
    CHECK(cosm_observer_define(nest->box.engine, &desc).id != 0);
}

TEST(an_observer_spawns_and_its_handles_come_alive) {
    struct nest nest;
    nest_open(&nest);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(nest.box.world, nest.box.slot, 3, &rows));
    CHECK_INT(rows.count, 3);
    CHECK_INT(nest.laid, 3);
    CHECK(cosm_entity_is_alive(nest.box.world, nest.last));
    CHECK_INT(cosm_table_row_count(nest.box.world, nest.egg), 3);
    CHECK_DONE(cosm_batch_reset(nest.box.batch, NULL));
    CHECK_INT(nest.gone, 3);
    fixture_close(&nest.box);
}

TEST(an_observer_may_despawn_what_was_just_spawned) {
    struct nest nest;
    nest_open(&nest);
    cosm_observer_desc desc = {
        .name = "hatch", .component = nest.shell, .on = COSM_EVENT_ADD, .run = hatch};
    CHECK(cosm_observer_define(nest.box.engine, &desc).id != 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(nest.box.world, nest.box.slot)));
    CHECK_INT(nest.laid, 1);
    CHECK(!cosm_entity_is_alive(nest.box.world, nest.last));
    CHECK_INT(cosm_world_entity_count(nest.box.world), 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(nest.box.world, nest.egg, 5, &rows));
    CHECK_INT(rows.count, 0); // none of them is left
    cosm_entity egg = cosm_entity_spawn(nest.box.world, nest.egg);
    CHECK(!cosm_entity_is_none(egg));
    CHECK(!cosm_entity_is_alive(nest.box.world, egg));
    CHECK_VALID(nest.box.batch);
    fixture_close(&nest.box);
}

TEST(what_a_cut_round_spawned_never_comes_alive_and_its_ids_are_free_again) {
    struct nest nest;
    nest_open(&nest);
    cosm_observer_desc desc = {.name = "breed",
                               .component = nest.shell,
                               .on = COSM_EVENT_ADD,
                               .run = lay,
                               .context = &nest};
    CHECK(cosm_observer_define(nest.box.engine, &desc).id != 0);
    cosm_error_clear();
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(nest.box.world, nest.egg)));
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_entity_spawn", " breed -> breed, ", "record nothing");
    CHECK_INT(cosm_world_entity_count(nest.box.world), COSM_OBSERVER_ROUND_MAX);
    CHECK(!cosm_entity_is_alive(nest.box.world, nest.last));
    cosm_entity next = fixture_spawn(&nest.box, 0);
    CHECK_INT(next.id, nest.last.id);
    CHECK(next.gen != nest.last.gen);
    CHECK_VALID(nest.box.batch);
    fixture_close(&nest.box);
}

TEST(what_cannot_be_applied_is_dropped_and_told_and_the_call_stands) {
    struct nest nest;
    nest_open(&nest);
    cosm_observer_desc desc = {.name = "more",
                               .component = nest.shell,
                               .on = COSM_EVENT_ADD,
                               .run = lay,
                               .context = &nest};
    nest.egg = nest.box.slot; // fixed, 4 per world
    CHECK(cosm_observer_define(nest.box.engine, &desc).id != 0);
    cosm_error_clear();
    cosm_entity first = cosm_entity_spawn(nest.box.world, nest.box.slot);
    // Each slot lays another until the table is full.
    CHECK(cosm_entity_is_alive(nest.box.world, first));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_entity_spawn", "max_per_world 4", "despawn");
    CHECK_INT(cosm_table_row_count(nest.box.world, nest.box.slot), 4);
    CHECK_INT(nest.laid, 4);
    CHECK(!cosm_entity_is_alive(nest.box.world, nest.last));
    // The id that was promised is free again, with another generation.
    cosm_entity next = fixture_spawn(&nest.box, 0);
    CHECK_INT(next.id, nest.last.id);
    CHECK(next.gen != nest.last.gen);
    CHECK_VALID(nest.box.batch);
    fixture_close(&nest.box);
}

struct meddler {
    struct fixture box;
    cosm_commands *own;
    cosm_query *query;
    cosm_observer observer;
    cosm_entity entity;
    uint32_t calls;
    bool applies;
};

static void count_rows(cosm_rows *rows) {
    *(uint32_t *)rows->context += rows->count;
}

static void try_commands(struct meddler *m, const cosm_event *event) {
    CHECK_FAILS(cosm_commands_apply(event->commands, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply", "belong to an event", "observers");
    cosm_commands_clear(event->commands);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_clear", "belong to an event", "observers");
    cosm_commands_destroy(event->commands);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_destroy", "belong to an event", "observers");
    CHECK_FAILS(
        cosm_commands_despawn(event->commands, fixture_world(&m->box, 1), (cosm_entity){1, 0}),
        COSM_ERROR_ARGUMENT, "cosm_commands_despawn", "world 1", "event->world");
    if (m->applies) {
        CHECK_FAILS(cosm_commands_despawn(m->own, event->world, m->entity), COSM_ERROR_BUSY,
                    "cosm_commands_despawn", "being applied", "event->commands");
        CHECK_FAILS(cosm_commands_apply(m->own, NULL), COSM_ERROR_BUSY, "cosm_commands_apply",
                    "being applied", "event->commands");
    } else {
        CHECK_DONE(cosm_commands_despawn(m->own, event->world, m->entity));
        CHECK_FAILS(cosm_commands_apply(m->own, NULL), COSM_ERROR_WALKED, "cosm_commands_apply",
                    "observer 'meddle' changes world 0", "event->commands");
        cosm_commands_clear(m->own);
    }
}

static void meddle(const cosm_event *event) {
    struct meddler *m = event->context;
    m->calls++;
    cosm_world world = event->world;
    cosm_error_clear();
    CHECK(cosm_world_is_walked(world));
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, m->box.mover)));
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_entity_spawn", "observer 'meddle' changes world 0",
                  "event->commands");
    CHECK_FAILS(cosm_entity_despawn(world, m->entity), COSM_ERROR_WALKED, "cosm_entity_despawn",
                "observer 'meddle' changes world 0", "event->commands");
    CHECK_FAILS(cosm_entity_add(world, m->entity, m->box.mark), COSM_ERROR_WALKED,
                "cosm_entity_add", "observer 'meddle' changes world 0", "event->commands");
    CHECK_FAILS(cosm_query_despawn(m->query, m->box.all), COSM_ERROR_WALKED, "cosm_query_despawn",
                "observer 'meddle' changes world 0", "event->commands");
    CHECK_FAILS(cosm_world_reset(world), COSM_ERROR_WALKED, "cosm_world_reset", "world 0",
                "event->commands");
    CHECK_FAILS(cosm_batch_destroy(m->box.batch), COSM_ERROR_WALKED, "cosm_batch_destroy",
                "world 0", "after the observed change");
    CHECK_FAILS(cosm_batch_step(m->box.batch), COSM_ERROR_WALKED, "cosm_batch_step",
                "called from observer 'meddle' for world 0", "is complete");
    try_commands(m, event);
    CHECK_FAILS(cosm_observer_remove(m->box.engine, m->observer), COSM_ERROR_BUSY,
                "cosm_observer_remove", "an observer", "between");
    CHECK_FAILS(cosm_observer_enable(m->box.engine, m->observer, false), COSM_ERROR_BUSY,
                "cosm_observer_enable", "an observer", "between");
    CHECK_INT(cosm_observer_define(
                  m->box.engine,
                  &(cosm_observer_desc){.name = "n", .component = m->box.mark, .run = meddle})
                  .id,
              0);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_observer_define", "an observer", "between");
    // Looking, writing in place and other worlds are fine.
    uint32_t seen = 0;
    CHECK_DONE(cosm_query_run(m->query, cosm_worlds_one(world), count_rows, &seen));
    CHECK_INT(seen, 1);
    CHECK_DONE(cosm_entity_set(world, m->entity, m->box.health, &(Health){m->calls}));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&m->box, 1), m->box.mover)));
    CHECK_SILENT();
}

TEST(while_observers_are_called_their_world_and_they_themselves_are_locked) {
    struct meddler m = {.calls = 0};
    fixture_open(&m.box, 0, 2);
    m.own = cosm_commands_create(m.box.batch);
    m.query = fixture_query(&m.box, m.box.health, (cosm_component){0});
    m.entity = cosm_entity_spawn(m.box.world, m.box.slot);
    cosm_observer_desc desc = {
        .name = "meddle", .component = m.box.health, .run = meddle, .context = &m};
    m.observer = cosm_observer_define(m.box.engine, &desc);
    CHECK_DONE(cosm_entity_set(m.box.world, m.entity, m.box.health, &(Health){77}));
    CHECK_INT(m.calls, 1);
    CHECK_INT(COSM_READ(m.box.world, m.entity, Health)->points, 1);
    CHECK(!cosm_world_is_walked(m.box.world));
    m.applies = true;
    CHECK_DONE(cosm_commands_set(m.own, m.box.world, m.entity, m.box.health, &(Health){5}));
    CHECK_DONE(cosm_commands_apply(m.own, NULL));
    CHECK_INT(m.calls, 2);
    CHECK_INT(cosm_commands_count(m.own), 0);
    cosm_commands_destroy(m.own);
    cosm_query_destroy(m.query);
    CHECK_DONE(cosm_observer_remove(m.box.engine, m.observer));
    fixture_close(&m.box);
}

// A step: what systems record is told at its sync point, and failures reach whoever steps.
struct stepper {
    struct fixture box;
    uint32_t told;
    uint32_t seen;
    bool fails;
};

static void grow_up(cosm_rows *rows) {
    const struct stepper *stepper = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        CHECK_DONE(cosm_commands_add(commands, cosm_rows_world(rows, i), rows->entities[i],
                                     stepper->box.health));
    }
}

static void on_grown(const cosm_event *event) {
    struct stepper *stepper = event->context;
    stepper->told += event->count;
    cosm_engine *engine = cosm_batch_engine(event->world.batch);
    if (stepper->fails) {
        (void)cosm_error_raise(engine, COSM_ERROR_SYSTEM, "on_grown: world %u; as it was asked to",
                               event->world.index);
    }
    CHECK(cosm_entity_is_none(cosm_entity_spawn(event->world, stepper->box.mover)) ||
          stepper->fails);
    if (!stepper->fails) {
        cosm_error_clear();
    }
    for (uint32_t i = 0; i < event->count; i++) {
        CHECK_DONE(cosm_commands_add(event->commands, event->world, event->entities[i],
                                     stepper->box.mark));
    }
}

static void count_marked(cosm_rows *rows) {
    ((struct stepper *)rows->context)->seen += rows->count;
}

TEST(in_a_step_observers_are_called_at_its_sync_points) {
    struct stepper stepper = {.told = 0};
    struct fixture *box = &stepper.box;
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = 1},
                      &(cosm_batch_desc){.world_count = 3});
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->mover)));
    }
    CHECK(cosm_system_define(
              box->engine,
              &(cosm_system_desc){
                  .name = "grow_up",
                  .each = grow_up,
                  .context = &stepper,
                  .queries = {{.terms = {{.component = box->velocity, .access = COSM_ACCESS_WRITE},
                                         {.component = box->health, .kind = COSM_TERM_WITHOUT}}}},
                  .commands = true})
              .id != 0);
    CHECK(cosm_system_define(
              box->engine,
              &(cosm_system_desc){
                  .name = "count",
                  .each = count_marked,
                  .context = &stepper,
                  .main_thread = true,
                  .after = {"grow_up"},
                  .queries = {{.terms = {{.component = box->mark, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    cosm_observer_desc desc = {.name = "on_grown",
                               .component = box->health,
                               .on = COSM_EVENT_ADD,
                               .run = on_grown,
                               .context = &stepper};
    CHECK(cosm_observer_define(box->engine, &desc).id != 0);
    // The direct change that the observer tries fails the step.
    CHECK_FAILS(cosm_batch_step(box->batch), COSM_ERROR_WALKED, "cosm_entity_spawn",
                "observer 'on_grown' changes world 0", "event->commands");
    CHECK_INT(stepper.told, 3);
    CHECK_INT(stepper.seen, 3); // the system behind the sync point sees what observers recorded
    stepper.fails = true;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->mover)));
    }
    CHECK_FAILS(cosm_batch_step(box->batch), COSM_ERROR_SYSTEM, "on_grown", "world 0", "asked");
    CHECK_INT(stepper.told, 6);
    fixture_close(box);
}

static void change_directly(const cosm_turn *turn) {
    struct stepper *stepper = turn->context;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = {turn->worlds.batch, turn->worlds.first + w};
        uint32_t before = stepper->told;
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, stepper->box.slot)));
        CHECK_INT(stepper->told, before + 1);
        cosm_entity e = cosm_entity_spawn(world, stepper->box.slot);
        CHECK_DONE(cosm_entity_despawn(world, e));
        CHECK_FAILS(cosm_observer_remove(stepper->box.engine, (cosm_observer){1}), COSM_ERROR_BUSY,
                    "cosm_observer_remove", "1 batches are running", "between");
    }
}

static void count_told(const cosm_event *event) {
    struct stepper *stepper = event->context;
    stepper->told += event->count;
    CHECK_INT(COSM_EVENT_VALUE(event, 0, Health)->points, 100);
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn(event->world, stepper->box.mover)));
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_entity_spawn", "observer 'told' changes world",
                  "event->commands");
    for (uint32_t i = 0; event->kind == COSM_EVENT_ADD && i < event->count; i++) {
        CHECK_DONE(cosm_commands_add(event->commands, event->world, event->entities[i],
                                     stepper->box.mark));
    }
}

TEST(direct_changes_of_an_exclusive_system_are_told_at_once) {
    struct stepper stepper = {.told = 0};
    struct fixture *box = &stepper.box;
    fixture_open(box, 0, 2);
    CHECK(cosm_system_define(box->engine, &(cosm_system_desc){.name = "direct",
                                                              .run = change_directly,
                                                              .context = &stepper,
                                                              .exclusive = true,
                                                              .global = true})
              .id != 0);
    cosm_observer_desc desc = {
        .name = "told", .component = box->health, .run = count_told, .context = &stepper};
    CHECK(cosm_observer_define(box->engine, &desc).id != 0);
    CHECK_INT(cosm_batch_step(box->batch), COSM_ERROR_WALKED); // what the observer tried
    CHECK_INT(stepper.told, 6);
    CHECK_VALID(box->batch);
    fixture_close(box);
}

TEST(a_desc_that_is_wrong_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_observer_desc good = {.name = "x", .component = box.health, .run = meddle};
    cosm_observer_desc desc = good;
    cosm_error_clear();
    CHECK_INT(cosm_observer_define(NULL, &good).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "engine is NULL", "pass both");
    CHECK_INT(cosm_observer_define(box.engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "desc is NULL", "pass both");
    desc.name = NULL;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
    desc = good;
    desc.run = NULL;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "desc.run is NULL", "set it");
    desc = good;
    desc.on = 8;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "desc.on 8", "cosm_event_kind");
    desc = good;
    desc.component.id = 0;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "neither of", "set exactly one");
    desc = good;
    desc.query_desc.terms[0] = (cosm_term){.component = box.mark, .access = COSM_ACCESS_WRITE};
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "both of", "set exactly one");
    desc = good;
    desc.component.id = 999;
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "999", "define");
    CHECK_INT(cosm_engine_describe(box.engine).observer_count, 0);
    CHECK_FAILS(cosm_observer_remove(NULL, (cosm_observer){1}), COSM_ERROR_ARGUMENT,
                "cosm_observer_remove", "engine is NULL", "pass one");
    CHECK_FAILS(cosm_observer_enable(NULL, (cosm_observer){1}, true), COSM_ERROR_ARGUMENT,
                "cosm_observer_enable", "engine is NULL", "pass one");
    fixture_close(&box);
}

TEST(an_engine_holds_as_many_observers_as_the_limit_says) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char name[16];
    cosm_observer_desc desc = {.name = name, .component = box.mark, .run = hatch};
    for (uint32_t i = 0; i < COSM_OBSERVER_MAX; i++) {
        (void)snprintf(name, sizeof(name), "o%u", i);
        desc.disabled = i % 8 != 0;
        CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    }
    CHECK_INT(cosm_engine_describe(box.engine).observer_count, COSM_OBSERVER_MAX);
    (void)snprintf(name, sizeof(name), "more");
    cosm_error_clear();
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_observer_define", "1024", "remove one");
    CHECK_DONE(cosm_observer_remove(box.engine, (cosm_observer){5}));
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity e = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, e, box.mark));
    CHECK(!cosm_entity_is_alive(box.world, e));
    fixture_close(&box);
}
