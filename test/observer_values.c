// Observers and values that are not plain columns: split, strongly aligned, large, many worlds.
#include <string.h>

#include "harness.h"
#include "support/storages.h"

typedef struct Watch {
    const struct fixture *box;
    uint32_t number; // of the body that is expected
    uint32_t calls;
    cosm_component aligned;
} Watch;

static void see_body(const cosm_event *event) {
    Watch *watch = event->context;
    watch->calls++;
    Body body;
    memset(&body, 0xAB, sizeof(body));
    CHECK_INT(event->count, 1);
    CHECK(cosm_event_get(event, 0, watch->box->body, &body));
    // A whole one keeps what is between its fields.
    bool is_split = !cosm_archetype_has(watch->box->engine, event->archetype, watch->box->mark);
    Body expected = is_split ? body_of(watch->number) : rubbish_of(watch->number);
    CHECK_MEM(&body, &expected, sizeof(body));
    cosm_error_clear();
    const Body *seen = EVENT_BY_ID(event, 0, Body, watch->box->body);
    if (event->kind == COSM_EVENT_REMOVE || !is_split) {
        REQUIRE(seen != NULL);
        CHECK_MEM(seen, &expected, sizeof(body));
    } else {
        CHECK(seen == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_read", "split", "");
    }
    CHECK(COSM_EVENT_VALUE(event, 0, Watch) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_EVENT_VALUE", "no component holds type 'Watch'",
                  "COSM_COMPONENT_DEFINE");
    CHECK(cosm_event_value(event, 1, watch->box->body) == NULL);
    CHECK(cosm_event_value(NULL, 0, watch->box->body) == NULL);
    CHECK(!cosm_event_get(event, 1, watch->box->body, &body));
    CHECK(!cosm_event_get(NULL, 0, watch->box->body, &body));
    CHECK(!cosm_event_get(event, 0, watch->box->body, NULL));
    CHECK(EVENT_BY_ID(event, 9, Body, watch->box->body) == NULL);
    CHECK(cosm_event_value(event, 0, watch->box->mark) == NULL);
    CHECK_SILENT();
}

TEST(split_values_are_told_whole) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SPLIT, 3);
    Watch watch = {.box = &box};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "body",
                                                                 .component = box.body,
                                                                 .run = see_body,
                                                                 .context = &watch})
              .id != 0);
    cosm_archetype homes[] = {box.walker, box.seat, box.whole};
    for (uint32_t h = 0; h < 3; h++) {
        for (uint32_t w = 0; w < 3; w++) {
            cosm_world world = cosm_batch_world(box.batch, w);
            watch.number = h * 10 + w;
            watch.calls = 0;
            cosm_entity e = spawn_body(&box, world, homes[h], watch.number);
            CHECK_INT(watch.calls, 1);
            watch.number++;
            Body next = rubbish_of(watch.number);
            CHECK_DONE(cosm_entity_set(world, e, box.body, &next));
            CHECK_INT(watch.calls, 2);
            CHECK_DONE(cosm_entity_remove(world, e, box.body));
            CHECK_INT(watch.calls, 3);
            CHECK_DONE(cosm_entity_set(world, e, box.body, &next));
            CHECK_DONE(cosm_entity_despawn(world, e));
            CHECK_INT(watch.calls, 5);
        }
    }
    fixture_close(&box);
}

static void see_alignment(const cosm_event *event) {
    Watch *watch = event->context;
    watch->calls += event->count;
    for (uint32_t i = 0; i < event->count; i++) {
        const uint32_t *value = cosm_event_value(event, i, watch->aligned);
        REQUIRE(value != NULL);
        CHECK_INT((uintptr_t)value % 256, 0);
        CHECK_INT(value[0], event->entities[i].id);
        CHECK_INT(value[63], event->entities[i].id);
    }
}

static void count_runs(const cosm_event *event) {
    Watch *watch = event->context;
    watch->calls++;
    watch->number += event->count;
}

TEST(values_that_are_kept_lie_at_their_alignment) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    Watch watch = {.calls = 0};
    watch.aligned = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "aligned", .size = 256, .alignment = 256});
    cosm_component byte =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "byte", .size = 1});
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.name = "a", .components = {byte, watch.aligned}});
    cosm_observer_desc desc = {
        .name = "both",
        .query_desc = {.terms = {{.component = byte, .access = COSM_ACCESS_WRITE},
                                 {.component = watch.aligned, .access = COSM_ACCESS_WRITE}}},
        .on = COSM_EVENT_STOP,
        .run = see_alignment,
        .context = &watch};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity entities[20];
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t value[64];
        for (uint32_t k = 0; k < 64; k++) {
            value[k] = i;
        }
        entities[i] =
            cosm_entity_spawn_with(box.world, archetype, &(cosm_value){watch.aligned, value}, 1);
        CHECK_INT(entities[i].id, i);
    }
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 7));
    CHECK_INT(watch.calls, 7);
    CHECK_DONE(cosm_entity_remove_many(box.world, entities + 7, 3, byte));
    CHECK_INT(watch.calls, 10);
    // Behind small values in the log.
    desc.name = "health";
    desc.query_desc =
        (cosm_query_desc){.terms = {{.component = box.health, .access = COSM_ACCESS_WRITE}}};
    desc.run = count_runs;
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity slots[2] = {cosm_entity_spawn(box.world, box.slot),
                            cosm_entity_spawn(box.world, box.slot)};
    cosm_entity mixed[4] = {slots[0], entities[10], slots[1], entities[11]};
    CHECK_DONE(cosm_entity_despawn_many(box.world, mixed, 4));
    CHECK_INT(watch.calls, 14);
    CHECK_INT(watch.number, 2);
    CHECK_DONE(cosm_table_clear(box.world, archetype));
    CHECK_INT(watch.calls, 22);
    fixture_close(&box);
}

TEST(many_rows_of_a_table_are_told_in_one_call) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    Watch watch = {.calls = 0};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "many",
                                                                 .component = box.velocity,
                                                                 .run = count_runs,
                                                                 .context = &watch})
              .id != 0);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 50000, &rows));
    CHECK_INT(watch.calls, 1);
    CHECK_INT(watch.number, 50000);
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    CHECK_DONE(cosm_query_set(query, box.all, box.velocity, &(Velocity){1, 2, 3}));
    CHECK_INT(watch.calls, 2);
    CHECK_DONE(cosm_query_remove(query, box.all, box.velocity));
    CHECK_INT(watch.calls, 3);
    CHECK_INT(watch.number, 150000);
    size_t before = cosm_world_memory(box.world).used;
    CHECK_DONE(cosm_batch_trim(box.batch)); // gives the log back
    CHECK(cosm_world_memory(box.world).used + 50000 * sizeof(cosm_entity) < before);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(memory_does_not_grow_from_one_episode_to_the_next) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    Watch watch = {.calls = 0};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "many",
                                                                 .component = box.velocity,
                                                                 .run = count_runs,
                                                                 .context = &watch})
              .id != 0);
    size_t used = 0;
    for (uint32_t episode = 0; episode < 200; episode++) {
        for (uint32_t w = 0; w < 4; w++) {
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, 20, &rows));
        }
        CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        if (episode == 1) {
            used = cosm_batch_memory(box.batch).used;
        }
    }
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    CHECK_INT(watch.number, 200 * 4 * 20 * 2);
    fixture_close(&box);
}

struct beside_notes {
    cosm_component aside;
    uint32_t kinds; // one digit each
    uint32_t value; // of the last one
};

static void note_aside(const cosm_event *event) {
    struct beside_notes *notes = event->context;
    CHECK_INT(event->component.id, notes->aside.id);
    CHECK((event->rows == NULL) == (event->kind == COSM_EVENT_REMOVE));
    for (uint32_t i = 0; i < event->count; i++) {
        const uint32_t *value = cosm_event_value(event, i, notes->aside);
        REQUIRE(value != NULL);
        notes->kinds = notes->kinds * 10 + (uint32_t)event->kind;
        notes->value = *value;
        uint32_t copy = *value;
        cosm_engine *engine = cosm_batch_engine(event->world.batch);
        if (cosm_component_describe(engine, notes->aside).storage != COSM_STORAGE_MANAGED) {
            copy = 0;
            CHECK(cosm_event_get(event, i, notes->aside, &copy));
        }
        CHECK_INT(copy, *value);
    }
}

static void note_team(const cosm_event *event) {
    struct beside_notes *notes = event->context;
    for (uint32_t i = 0; i < event->count; i++) {
        const uint32_t *value = cosm_event_value(event, i, notes->aside);
        REQUIRE(value != NULL);
        notes->kinds = notes->kinds * 10 + (uint32_t)event->kind;
        notes->value = *value;
    }
}

#define CHECK_ASIDE(notes, expected_kinds, expected_value)                                         \
    do {                                                                                           \
        CHECK_INT((notes).kinds, expected_kinds);                                                  \
        CHECK_INT((notes).value, expected_value);                                                  \
        (notes).kinds = 0;                                                                         \
        (notes).value = 0;                                                                         \
    } while (0)

TEST(components_beside_the_tables_are_told_to_who_watches_them_alone) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t seven = 7;
    struct beside_notes notes = {.kinds = 0};
    notes.aside = cosm_component_define(
        box.engine,
        &(cosm_component_desc){
            .name = "aside", .size = 4, .default_value = &seven, .storage = COSM_STORAGE_SECTOR});
    cosm_observer_desc desc = {
        .name = "aside", .component = notes.aside, .run = note_aside, .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    desc.name = "query";
    desc.component.id = 0;
    desc.query_desc.terms[0] = (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE};
    desc.query_desc.terms[1] = (cosm_term){.component = notes.aside, .access = COSM_ACCESS_WRITE};
    cosm_error_clear();
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_observer_define", "'query'", "desc.component");
    cosm_entity e = fixture_spawn(&box, 0);
    CHECK_ASIDE(notes, 0, 0);
    CHECK_DONE(cosm_entity_add(box.world, e, notes.aside));
    CHECK_ASIDE(notes, 1, 7);
    CHECK_DONE(cosm_entity_set(box.world, e, notes.aside, &(uint32_t){8}));
    CHECK_ASIDE(notes, 4, 8);
    CHECK_DONE(cosm_entity_add(box.world, e, box.mark)); // moves the row
    CHECK_ASIDE(notes, 0, 0);
    CHECK_DONE(cosm_entity_remove(box.world, e, notes.aside));
    CHECK_ASIDE(notes, 2, 8);
    CHECK_DONE(cosm_entity_set(box.world, e, notes.aside, &(uint32_t){9}));
    CHECK_ASIDE(notes, 1, 9);
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    CHECK_ASIDE(notes, 2, 9);
    uint32_t ten = 10;
    e = cosm_entity_spawn_with(box.world, box.mover, &(cosm_value){notes.aside, &ten}, 1);
    CHECK_ASIDE(notes, 1, 10);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_ASIDE(notes, 2, 10);
    cosm_commands *commands = cosm_commands_create(box.batch);
    e = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_commands_set(commands, box.world, e, notes.aside, &(uint32_t){11}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 1, 11);
    CHECK_DONE(cosm_commands_set(commands, box.world, e, notes.aside, &(uint32_t){12}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 4, 12);
    CHECK_DONE(cosm_commands_remove(commands, box.world, e, notes.aside));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 2, 12);
    CHECK_DONE(cosm_commands_add(commands, box.world, e, notes.aside));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 1, 7);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, e));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 2, 7);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// A component of another storage: what is told is the same.
static void tour_storage(cosm_storage storage, bool keeps) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t seven = 7;
    struct beside_notes notes = {.kinds = 0};
    notes.aside = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "aside", .size = 4, .default_value = &seven, .storage = storage});
    cosm_observer_desc desc = {
        .name = "aside", .component = notes.aside, .run = note_aside, .context = &notes};
    desc.on = keeps ? COSM_EVENT_ALL : COSM_EVENT_ADD | COSM_EVENT_SET;
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity e = fixture_spawn(&box, 0);
    cosm_entity other = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, e, notes.aside, &(uint32_t){9}));
    CHECK_ASIDE(notes, 1, 9);
    CHECK_DONE(cosm_entity_set(box.world, e, notes.aside, &(uint32_t){10}));
    CHECK_ASIDE(notes, 4, 10);
    CHECK_DONE(cosm_entity_add(box.world, e, box.mark));
    CHECK_ASIDE(notes, 0, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_set(commands, box.world, e, notes.aside, &(uint32_t){11}));
    CHECK_DONE(cosm_commands_set(commands, box.world, other, notes.aside, &(uint32_t){11}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 14, 11);
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    CHECK_DONE(cosm_query_set(query, box.all, notes.aside, &(uint32_t){12}));
    CHECK_ASIDE(notes, 44, 12);
    CHECK_DONE(cosm_entity_despawn(box.world, other));
    CHECK_ASIDE(notes, keeps ? 2 : 0, keeps ? 12 : 0);
    CHECK_DONE(cosm_entity_remove(box.world, e, notes.aside));
    CHECK_ASIDE(notes, keeps ? 2 : 0, keeps ? 12 : 0);
    cosm_commands_destroy(commands);
    cosm_query_destroy(query);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(shared_components_are_told_of) {
    tour_storage(COSM_STORAGE_SHARED, true);
}

TEST(managed_components_are_told_of_but_their_objects_have_ended_with_them) {
    tour_storage(COSM_STORAGE_MANAGED, false);
}

TEST(trees_that_end_and_templates_are_told_of) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    Watch watch = {.calls = 0};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "many",
                                                                 .component = box.velocity,
                                                                 .run = count_runs,
                                                                 .context = &watch})
              .id != 0);
    cosm_template child = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "child", .components = {box.velocity}});
    cosm_template parent = cosm_template_define(
        box.engine,
        &(cosm_template_desc){.name = "parent",
                              .components = {box.position, box.velocity},
                              .children = (cosm_template_child[]){{.from = child, .count = 2}},
                              .child_count = 1});
    CHECK(parent.id != 0);
    cosm_entity e = cosm_template_spawn(box.world, parent, NULL, 0);
    CHECK(cosm_entity_is_alive(box.world, e));
    CHECK_INT(watch.number, 3);
    CHECK_DONE(cosm_tree_despawn(box.world, e));
    CHECK_INT(watch.number, 6);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, parent, 4, NULL, 0, &rows));
    CHECK_INT(rows.count, 4);
    CHECK_INT(watch.number, 18);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_despawn_tree(commands, box.world, rows.entities[0]));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(watch.number, 21);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_query_for_one_shared_value_is_told_who_takes_and_leaves_it) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct beside_notes notes = {.kinds = 0};
    uint32_t red = 1;
    notes.aside = cosm_component_define(
        box.engine,
        &(cosm_component_desc){.name = "team", .size = 4, .storage = COSM_STORAGE_SHARED});
    cosm_observer_desc desc = {.name = "red",
                               .query_desc = {.terms = {{.component = notes.aside,
                                                         .access = COSM_ACCESS_WRITE,
                                                         .value = &red}}},
                               .on = COSM_EVENT_START | COSM_EVENT_STOP,
                               .run = note_team,
                               .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity a = fixture_spawn(&box, 0);
    cosm_entity b = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, a, notes.aside, &(uint32_t){2}));
    CHECK_ASIDE(notes, 0, 0);
    CHECK_DONE(cosm_entity_set(box.world, a, notes.aside, &red));
    CHECK_ASIDE(notes, 1, 1);
    CHECK_DONE(cosm_entity_set(box.world, a, notes.aside, &red));
    CHECK_ASIDE(notes, 0, 0);
    CHECK_DONE(cosm_entity_set(box.world, a, notes.aside, &(uint32_t){3}));
    CHECK_ASIDE(notes, 2, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_set(commands, box.world, a, notes.aside, &red));
    CHECK_DONE(cosm_commands_set(commands, box.world, b, notes.aside, &red));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_ASIDE(notes, 11, 1);
    CHECK_DONE(cosm_entity_add(box.world, b, box.mark)); // another table, the same value
    CHECK_ASIDE(notes, 0, 0);
    cosm_query *query = fixture_query(&box, box.velocity, (cosm_component){0});
    CHECK_DONE(cosm_query_set(query, box.all, notes.aside, &(uint32_t){4}));
    CHECK_ASIDE(notes, 22, 1);
    CHECK_DONE(cosm_query_set(query, box.all, notes.aside, &red));
    CHECK_ASIDE(notes, 11, 1);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    CHECK_ASIDE(notes, 2, 1);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_ASIDE(notes, 2, 1);
    cosm_commands_destroy(commands);
    cosm_query_destroy(query);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}
