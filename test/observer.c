// Observers: who is told what, when and in which order (cosm/observer.h).
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

// What observers were told, as text: "name kind wWORLD ARCHETYPE: id=points id=points ...; ".
struct notes {
    char text[4096];
    size_t used;
    cosm_component health;
};

static void note(struct notes *notes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(notes->text + notes->used, sizeof(notes->text) - notes->used, format, arguments);
    va_end(arguments);
    notes->used += length > 0 ? (size_t)length : 0;
    CHECK(notes->used < sizeof(notes->text));
}

static const char *kind_name(cosm_event_kind kind) {
    return kind == COSM_EVENT_ADD ? "add" : kind == COSM_EVENT_REMOVE ? "remove" : "set";
}

static void take_note(const cosm_event *event) {
    struct notes *notes = event->context;
    cosm_engine *engine = cosm_batch_engine(event->world.batch);
    note(notes, "%s %s w%u", cosm_observer_describe(engine, event->observer).name,
         kind_name(event->kind), event->world.index);
    CHECK((event->rows == NULL) == (event->kind == COSM_EVENT_REMOVE));
    CHECK(event->count > 0);
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        note(notes, " %u", event->entities[i].id);
        if (health != NULL) {
            note(notes, "=%u", health->points);
        }
        if (event->rows != NULL) {
            CHECK(cosm_entity_equals(event->rows->entities[i], event->entities[i]));
            CHECK_INT(cosm_entity_archetype(event->world, event->entities[i]).id,
                      event->archetype.id);
        }
    }
    note(notes, "; ");
}

// Checks what was told since the last time.
static void expect(const char *file, int line, struct notes *notes, const char *text) {
    (void)harness_check_str(file, line, "what observers were told", notes->text, text);
    notes->used = 0;
    notes->text[0] = '\0';
}
#define EXPECT(notes, text) expect(__FILE__, __LINE__, (notes), (text))

struct place_of_trial {
    struct fixture box;
    struct notes notes;
    cosm_archetype patient; // Position, Health and Ward, growing
    cosm_observer observer; // of Health
};

static void trial_open(struct place_of_trial *trial, uint32_t world_count) {
    fixture_open(&trial->box, 0, world_count);
    trial->notes = (struct notes){.health = trial->box.health};
    cosm_component ward = COSM_TAG_DEFINE(trial->box.engine, Ward);
    trial->patient = cosm_archetype_define(
        trial->box.engine,
        &(cosm_archetype_desc){.name = "patient",
                               .components = {trial->box.position, trial->box.health, ward}});
    trial->observer = cosm_observer_define(trial->box.engine,
                                           &(cosm_observer_desc){.name = "health",
                                                                 .component = trial->box.health,
                                                                 .run = take_note,
                                                                 .context = &trial->notes});
    CHECK(trial->observer.id != 0);
    EXPECT(&trial->notes, "");
}

static void trial_close(struct place_of_trial *trial) {
    CHECK_DONE(cosm_observer_remove(trial->box.engine, trial->observer));
    fixture_close(&trial->box);
}

static cosm_entity spawn_patient(const struct place_of_trial *trial, uint32_t points) {
    Health health = {points};
    return cosm_entity_spawn_with(trial->box.world, trial->patient,
                                  &(cosm_value){trial->box.health, &health}, 1);
}

TEST(every_way_to_spawn_is_told_as_added_with_the_values_it_gave) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    struct fixture *box = &trial.box;
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box->world, trial.patient)));
    EXPECT(&trial.notes, "health add w0 0=100; ");
    CHECK(!cosm_entity_is_none(spawn_patient(&trial, 7)));
    EXPECT(&trial.notes, "health add w0 1=7; ");
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box->world, trial.patient, 3, &rows));
    CHECK_INT(rows.count, 3);
    CHECK_INT(rows.row, 2);
    EXPECT(&trial.notes, "health add w0 2=100 3=100 4=100; ");
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box->world, box->slot)));
    EXPECT(&trial.notes, "health add w0 5=100; ");
    fixture_spawn(box, 1);
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_entity_spawn_many(box->world, trial.patient, 0, &rows));
    EXPECT(&trial.notes, "");
    trial_close(&trial);
}

TEST(every_way_to_add_is_told_once_also_where_a_value_is_set) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    struct fixture *box = &trial.box;
    cosm_component both = cosm_bundle_define(
        box->engine, &(cosm_bundle_desc){.name = "both", .components = {box->health, box->mark}});
    cosm_entity e[8];
    for (uint32_t i = 0; i < 8; i++) {
        e[i] = fixture_spawn(box, 0);
    }
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_entity_add(box->world, e[0], box->health));
    EXPECT(&trial.notes, "health add w0 0=100; ");
    CHECK_DONE(cosm_entity_add(box->world, e[0], box->health));
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_entity_set(box->world, e[1], box->health, &(Health){5}));
    EXPECT(&trial.notes, "health add w0 1=5; ");
    CHECK_DONE(cosm_entity_add(box->world, e[2], both));
    EXPECT(&trial.notes, "health add w0 2=100; ");
    CHECK_DONE(cosm_entity_add_many(box->world, (cosm_entity[]){e[4], e[0], e[3]}, 3, box->health));
    EXPECT(&trial.notes, "health add w0 3=100 4=100; ");
    CHECK_DONE(cosm_entity_set_many(box->world, (cosm_entity[]){e[5], e[4]}, 2, box->health,
                                    (Health[]){{50}, {40}}));
    EXPECT(&trial.notes, "health add w0 5=50; health set w0 4=40; ");
    cosm_query *movers = fixture_query(box, box->velocity, (cosm_component){0});
    CHECK_DONE(cosm_query_add(movers, box->all, box->health));
    EXPECT(&trial.notes, "health add w0 7=100 6=100; ");
    cosm_query_destroy(movers);
    trial_close(&trial);
}

TEST(setting_for_a_query_is_told_as_added_or_set) {
    struct place_of_trial trial;
    trial_open(&trial, 2);
    struct fixture *box = &trial.box;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, i), box->mover)));
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, i), trial.patient)));
    }
    EXPECT(&trial.notes, "health add w0 1=100; health add w1 1=100; ");
    cosm_query *all = fixture_query(box, box->position, (cosm_component){0});
    CHECK_DONE(cosm_query_set(all, box->all, box->health, &(Health){9}));
    EXPECT(&trial.notes, "health add w0 0=9; health set w0 1=9; "
                         "health add w1 0=9; health set w1 1=9; ");
    cosm_query_destroy(all);
    trial_close(&trial);
}

TEST(every_way_to_end_is_told_as_removed_with_the_values_as_they_were) {
    struct place_of_trial trial;
    trial_open(&trial, 2);
    struct fixture *box = &trial.box;
    cosm_entity e[12];
    for (uint32_t i = 0; i < 12; i++) {
        e[i] = spawn_patient(&trial, i);
    }
    CHECK_INT(trial.notes.used > 0, 1);
    trial.notes.used = 0;
    CHECK_DONE(cosm_entity_despawn(box->world, e[0]));
    EXPECT(&trial.notes, "health remove w0 0=0; ");
    CHECK_INT(cosm_entity_despawn(box->world, e[0]), COSM_STALE);
    CHECK_DONE(cosm_entity_despawn_many(box->world, (cosm_entity[]){e[3], e[0], e[1], e[3]}, 4));
    EXPECT(&trial.notes, "health remove w0 3=3 1=1; ");
    CHECK_DONE(cosm_entity_remove(box->world, e[2], box->health));
    EXPECT(&trial.notes, "health remove w0 2=2; ");
    CHECK_DONE(cosm_entity_remove(box->world, e[2], box->health));
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_entity_remove_many(box->world, (cosm_entity[]){e[4], e[6]}, 2, box->health));
    EXPECT(&trial.notes, "health remove w0 4=4 6=6; ");
    CHECK_DONE(cosm_entity_add(box->world, e[5], box->mark));
    EXPECT(&trial.notes, "");
    cosm_query *marked = fixture_query(box, box->mark, (cosm_component){0});
    CHECK_DONE(cosm_query_remove(marked, box->all, box->health));
    EXPECT(&trial.notes, "health remove w0 5=5; ");
    CHECK_DONE(cosm_entity_add(box->world, e[7], box->mark));
    CHECK_DONE(cosm_query_despawn(marked, box->all));
    EXPECT(&trial.notes, "health remove w0 7=7; ");
    CHECK_DONE(cosm_table_clear(box->world, trial.patient));
    EXPECT(&trial.notes, "health remove w0 11=11 9=9 8=8 10=10; ");
    cosm_query_destroy(marked);
    trial_close(&trial);
}

TEST(a_reset_tells_of_all_that_lived) {
    struct place_of_trial trial;
    trial_open(&trial, 3);
    struct fixture *box = &trial.box;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), trial.patient)));
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->mover)));
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(box, w), box->slot)));
    }
    trial.notes.used = 0;
    CHECK_DONE(cosm_world_reset(fixture_world(box, 1)));
    EXPECT(&trial.notes, "health remove w1 2=100; health remove w1 0=100; ");
    CHECK_DONE(cosm_batch_reset(box->batch, (uint8_t[]){1, 1, 0}));
    EXPECT(&trial.notes, "health remove w0 2=100; health remove w0 0=100; ");
    CHECK_DONE(cosm_batch_reset(box->batch, NULL));
    EXPECT(&trial.notes, "health remove w2 2=100; health remove w2 0=100; ");
    trial_close(&trial);
}

static void note_end(const cosm_event *event) {
    struct notes *notes = event->context;
    note(notes, "%s w%u", kind_name(event->kind), event->world.index);
    for (uint32_t i = 0; i < event->count; i++) {
        note(notes, " %u=%u", event->entities[i].id, COSM_EVENT_VALUE(event, i, Health)->points);
        CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[i]));
    }
    CHECK(
        !cosm_entity_is_none(cosm_commands_spawn(event->commands, event->world, event->archetype)));
    note(notes, "; ");
}

TEST(the_end_of_a_batch_tells_of_all_that_live_in_it) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {.name = "end",
                               .component = box.health,
                               .on = COSM_EVENT_REMOVE,
                               .run = note_end,
                               .context = &notes};
    cosm_observer observer = cosm_observer_define(box.engine, &desc);
    cosm_batch *batch = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2});
    for (uint32_t w = 0; w < 2; w++) {
        cosm_world world = cosm_batch_world(batch, w);
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, box.slot)));
        cosm_entity entity = cosm_entity_spawn(world, box.slot);
        CHECK_DONE(cosm_entity_set(world, entity, box.health, &(Health){w}));
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(world, box.mover)));
    }
    EXPECT(&notes, "");
    CHECK_DONE(cosm_batch_destroy(batch));
    EXPECT(&notes, "remove w0 0=100 1=0; remove w1 0=100 1=1; ");
    CHECK_DONE(cosm_observer_remove(box.engine, observer));
    fixture_close(&box);
}

TEST(a_batch_that_cannot_end_goes_on_and_observers_are_told_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {.name = "end",
                               .component = box.health,
                               .on = COSM_EVENT_REMOVE,
                               .run = note_end,
                               .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy", "1 commands",
                "cosm_commands_destroy");
    cosm_commands_destroy(commands);
    cosm_query *healthy = cosm_query_create(
        box.engine,
        &(cosm_query_desc){
            .terms = {{.component = box.health, .access = COSM_ACCESS_WRITE, .changed = true}}});
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, healthy);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy", "1 change",
                "cosm_change_reader_destroy");
    EXPECT(&notes, "");
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    CHECK_INT(fixture_spawn(&box, 0).id, 1);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(healthy);
    fixture_close(&box);
    EXPECT(&notes, "remove w0 0=100; ");
}

TEST(set_calls_are_told_and_other_writes_are_not) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    struct fixture *box = &trial.box;
    cosm_entity a = spawn_patient(&trial, 1);
    cosm_entity b = spawn_patient(&trial, 2);
    cosm_entity c = spawn_patient(&trial, 3);
    trial.notes.used = 0;
    CHECK_DONE(cosm_entity_set(box->world, b, box->health, &(Health){20}));
    EXPECT(&trial.notes, "health set w0 1=20; ");
    CHECK_DONE(cosm_entity_set(box->world, b, box->position, &(Position){1, 2, 3}));
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_entity_set_many(box->world, (cosm_entity[]){c, a, c}, 3, box->health,
                                    (Health[]){{30}, {10}, {31}}));
    EXPECT(&trial.notes, "health set w0 0=10; health set w0 2=31; ");
    Health *health = COSM_WRITE(box->world, a, Health);
    health->points = 11;
    EXPECT(&trial.notes, "");
    cosm_query *query = fixture_query(box, box->health, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box->all, &rows);
    while (cosm_rows_next(&rows)) {
        CHECK_DONE(cosm_rows_set(&rows, 0, box->health, &(Health){12}));
        // While the world is being walked a set is a write in place.
        CHECK_DONE(cosm_entity_set(box->world, b, box->health, &(Health){21}));
    }
    EXPECT(&trial.notes, "");
    CHECK_INT(COSM_READ(box->world, b, Health)->points, 21);
    CHECK_DONE(cosm_query_set(query, box->all, box->health, &(Health){4}));
    EXPECT(&trial.notes, "health set w0 0=4 1=4 2=4; ");
    cosm_query_destroy(query);
    trial_close(&trial);
}

TEST(a_tag_is_added_and_removed_and_never_set) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "mark",
                                                                 .component = box.mark,
                                                                 .run = take_note,
                                                                 .context = &notes})
              .id != 0);
    cosm_entity e = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, e, box.mark, NULL));
    EXPECT(&notes, "mark add w0 0; ");
    CHECK_DONE(cosm_entity_set(box.world, e, box.mark, NULL));
    CHECK_DONE(cosm_entity_set_many(box.world, &e, 1, box.mark, NULL));
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_remove(box.world, e, box.mark));
    EXPECT(&notes, "mark remove w0 0; ");
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    fixture_close(&box);
}

TEST(commands_are_told_when_they_are_applied_and_folded_for_each_entity) {
    struct place_of_trial trial;
    trial_open(&trial, 2);
    struct fixture *box = &trial.box;
    cosm_entity a = spawn_patient(&trial, 1);
    cosm_entity b = spawn_patient(&trial, 2);
    cosm_entity c = fixture_spawn(box, 0);
    cosm_entity d = fixture_spawn(box, 0);
    cosm_entity f = spawn_patient(&trial, 6);
    trial.notes.used = 0;
    trial.notes.text[0] = '\0';
    cosm_commands *commands = cosm_commands_create(box->batch);
    Health five = {5};
    cosm_entity made = cosm_commands_spawn_with(commands, box->world, trial.patient,
                                                &(cosm_value){box->health, &five}, 1);
    cosm_entity never = cosm_commands_spawn(commands, box->world, trial.patient);
    CHECK_DONE(cosm_commands_despawn(commands, box->world, never));
    CHECK_DONE(cosm_commands_set(commands, box->world, a, box->health, &(Health){11}));
    CHECK_DONE(cosm_commands_set(commands, box->world, a, box->health, &(Health){12}));
    CHECK_DONE(cosm_commands_despawn(commands, box->world, b));
    CHECK_DONE(cosm_commands_set(commands, box->world, c, box->health, &(Health){33}));
    CHECK_DONE(cosm_commands_add(commands, box->world, d, box->health)); // comes to nothing
    CHECK_DONE(cosm_commands_remove(commands, box->world, d, box->health));
    CHECK_DONE(cosm_commands_remove(commands, box->world, f, box->health)); // back to the default
    CHECK_DONE(cosm_commands_add(commands, box->world, f, box->health));
    CHECK(
        !cosm_entity_is_none(cosm_commands_spawn(commands, fixture_world(box, 1), trial.patient)));
    EXPECT(&trial.notes, "");
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(made.id, 5);
    EXPECT(&trial.notes, "health remove w0 1=2; "     // b
                         "health add w0 2=33; "       // c, with Velocity
                         "health add w0 5=5; "        // made
                         "health set w0 0=12 4=100; " // a and f
                         "health add w1 0=100; ");
    CHECK_INT(cosm_commands_count(commands), 0);
    cosm_commands_destroy(commands);
    trial_close(&trial);
}

TEST(an_observer_of_a_query_is_told_who_starts_and_stops_to_match) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {
        .name = "hurt",
        .query_desc = {.terms = {{.component = box.health, .access = COSM_ACCESS_WRITE},
                                 {.component = box.mark, .kind = COSM_TERM_WITHOUT},
                                 {.component = box.velocity,
                                  .access = COSM_ACCESS_WRITE,
                                  .kind = COSM_TERM_OPTIONAL}}},
        .run = take_note,
        .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity e = fixture_spawn(&box, 0);
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_add(box.world, e, box.health));
    EXPECT(&notes, "hurt add w0 0=100; ");
    CHECK_DONE(cosm_entity_remove(box.world, e, box.velocity));
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_set(box.world, e, box.velocity, &(Velocity){1, 1, 1}));
    EXPECT(&notes, "hurt set w0 0=100; ");
    CHECK_DONE(cosm_entity_add(box.world, e, box.mark));
    EXPECT(&notes, "hurt remove w0 0=100; ");
    CHECK_DONE(cosm_entity_set(box.world, e, box.health, &(Health){3}));
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_remove(box.world, e, box.mark));
    EXPECT(&notes, "hurt add w0 0=3; ");
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    EXPECT(&notes, "hurt remove w0 0=3; ");
    fixture_close(&box);
}

static void read_rows_that_are_gone(const cosm_event *event) {
    uint32_t *seen = event->context;
    const Health *health = COSM_READ(event->rows, Health);
    for (uint32_t i = 0; i < event->count; i++) {
        *seen += (uint32_t)health[i].points;
    }
}

TEST(rows_that_are_gone_are_reported_and_the_loop_over_the_event_does_not_run) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint32_t seen = 0;
    cosm_observer_desc desc = {.name = "gone",
                               .query = "Health",
                               .on = COSM_EVENT_STOP,
                               .run = read_rows_that_are_gone,
                               .context = &seen};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity e =
        cosm_entity_spawn_with(box.world, box.slot, &(cosm_value){box.health, &(Health){100}}, 1);
    cosm_error_clear();
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    CHECK_INT(seen, 0);
    CHECK_CONTAINS(cosm_error_message(), "COSM_READ: observer 'gone': event->rows is NULL");
    CHECK_CONTAINS(cosm_error_message(), "COSM_EVENT_VALUE");
    CHECK(COSM_READ((const cosm_rows *)NULL, Health) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "COSM_READ: rows is NULL");
    CHECK(COSM_COLUMN_READ((const cosm_rows *)NULL, Health, 0) == NULL);
    fixture_close(&box);
}

static void look_at_terms(const cosm_event *event) {
    struct notes *notes = event->context;
    note(notes, "%s %u", kind_name(event->kind), event->component.id);
    if (event->rows != NULL) {
        CHECK_INT(event->rows->term_count, 2);
        const Position *position = COSM_COLUMN_READ(event->rows, Position, 0);
        Health *health = COSM_COLUMN_WRITE(event->rows, Health, 1);
        REQUIRE(position != NULL && health != NULL);
        note(notes, " x=%g", (double)position[0].x);
        health[0].points++; // allowed: the query has it for writing
    } else {
        Position position = {0, 0, 0};
        CHECK(cosm_event_get(event, 0, (cosm_component){1}, &position));
        note(notes, " x=%g", (double)position.x);
    }
    note(notes, "; ");
}

TEST(an_event_of_a_query_shows_its_terms_and_says_which_was_set) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {
        .name = "both",
        .query_desc = {.terms = {{.component = box.position},
                                 {.component = box.health, .access = COSM_ACCESS_WRITE}}},
        .run = look_at_terms,
        .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    CHECK_INT(box.position.id, 1);
    CHECK_INT(box.health.id, 3);
    Position position = {4, 0, 0};
    cosm_entity e =
        cosm_entity_spawn_with(box.world, box.slot, &(cosm_value){box.position, &position}, 1);
    EXPECT(&notes, "add 0 x=4; ");
    CHECK_INT(COSM_READ(box.world, e, Health)->points, 101);
    CHECK_DONE(cosm_entity_set(box.world, e, box.position, &(Position){5, 0, 0}));
    EXPECT(&notes, "set 1 x=5; ");
    CHECK_DONE(cosm_entity_set(box.world, e, box.health, &(Health){1}));
    EXPECT(&notes, "set 3 x=5; ");
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_set(commands, box.world, e, box.health, &(Health){1}));
    CHECK_DONE(cosm_commands_set(commands, box.world, e, box.position, &(Position){6, 0, 0}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&notes, "set 1 x=6; set 3 x=6; ");
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    EXPECT(&notes, "remove 0 x=6; ");
    fixture_close(&box);
}

TEST(only_the_kinds_that_are_asked_for_are_told) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    uint32_t on[] = {COSM_EVENT_ADD, COSM_EVENT_REMOVE, COSM_EVENT_SET, COSM_EVENT_ALL};
    const char *names[] = {"a", "b", "c", "d"};
    for (uint32_t i = 0; i < 4; i++) {
        cosm_observer_desc desc = {.name = names[i],
                                   .component = box.health,
                                   .on = on[i],
                                   .run = take_note,
                                   .context = &notes};
        CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    }
    CHECK_INT(cosm_engine_describe(box.engine).observer_count, 4);
    cosm_entity e = cosm_entity_spawn(box.world, box.slot);
    EXPECT(&notes, "a add w0 0=100; d add w0 0=100; ");
    CHECK_DONE(cosm_entity_set(box.world, e, box.health, &(Health){1}));
    EXPECT(&notes, "c set w0 0=1; d set w0 0=1; ");
    cosm_entity mover = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, mover, box.health, &(Health){2}));
    EXPECT(&notes, "a add w0 1=2; d add w0 1=2; ");
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    EXPECT(&notes, "b remove w0 0=1; d remove w0 0=1; ");
    CHECK_DONE(cosm_entity_despawn(box.world, mover));
    fixture_close(&box);
}

TEST(who_asks_for_sets_alone_is_not_told_of_those_that_add) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {.name = "set",
                               .component = box.health,
                               .on = COSM_EVENT_SET,
                               .run = take_note,
                               .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    cosm_entity e = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, e, box.health, &(Health){2}));
    cosm_commands *commands = cosm_commands_create(box.batch);
    Health five = {5};
    CHECK(!cosm_entity_is_none(cosm_commands_spawn_with(commands, box.world, box.slot,
                                                        &(cosm_value){box.health, &five}, 1)));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_set(box.world, e, box.health, &(Health){3}));
    EXPECT(&notes, "set set w0 0=3; ");
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_row_that_is_set_twice_on_the_way_is_told_once) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_archetype spot = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.name = "spot", .components = {box.position}});
    cosm_observer_desc desc = {
        .name = "spot",
        .query_desc = {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                 {.component = box.health,
                                  .access = COSM_ACCESS_WRITE,
                                  .kind = COSM_TERM_OPTIONAL}}},
        .on = COSM_EVENT_SET,
        .run = take_note,
        .context = &notes};
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, spot)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, spot)));
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    CHECK_DONE(cosm_query_set(query, box.all, box.health, &(Health){6}));
    EXPECT(&notes, "spot set w0 1=6 0=6 2=6; ");
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(observers_are_called_by_order_then_as_defined) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    const char *names[] = {"third", "fourth", "first", "second"};
    int32_t orders[] = {0, 0, -5, -1};
    for (uint32_t i = 0; i < 4; i++) {
        cosm_observer_desc desc = {.name = names[i],
                                   .component = box.health,
                                   .run = take_note,
                                   .context = &notes,
                                   .order = orders[i]};
        CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    EXPECT(&notes, "first add w0 0=100; second add w0 0=100; third add w0 0=100; "
                   "fourth add w0 0=100; ");
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    fixture_close(&box);
}

TEST(tables_come_in_the_order_of_walks_and_rows_in_their_own) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    struct fixture *box = &trial.box;
    // Formed in an order that is not that of their components.
    cosm_archetype late = cosm_archetype_define(
        box->engine, &(cosm_archetype_desc){.name = "hm", .components = {box->health, box->mark}});
    cosm_archetype early = cosm_archetype_define(
        box->engine, &(cosm_archetype_desc){
                         .name = "pvh", .components = {box->position, box->velocity, box->health}});
    cosm_commands *commands = cosm_commands_create(box->batch);
    cosm_archetype order[] = {late, trial.patient, early, late, trial.patient, early};
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box->world, order[i])));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&trial.notes, "health add w0 2=100 5=100; health add w0 1=100 4=100; "
                         "health add w0 0=100 3=100; ");
    for (uint32_t i = 6; i-- > 0;) {
        cosm_entity entity = {1, i};
        CHECK_DONE(cosm_commands_set(commands, box->world, entity, box->health, &(Health){i}));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&trial.notes, "health set w0 2=2 5=5; health set w0 1=1 4=4; health set w0 0=0 3=3; ");
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_DONE(cosm_commands_despawn(commands, box->world, (cosm_entity){1, 5 - i}));
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&trial.notes, "health remove w0 5=5; health remove w0 2=2; health remove w0 4=4; "
                         "health remove w0 1=1; health remove w0 3=3; health remove w0 0=0; ");
    cosm_commands_destroy(commands);
    trial_close(&trial);
}

TEST(rows_that_trade_places_between_two_tables_are_told_of) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    struct fixture *box = &trial.box;
    cosm_entity with = spawn_patient(&trial, 8);
    cosm_entity without = cosm_entity_spawn(box->world, trial.patient);
    CHECK_DONE(cosm_entity_remove(box->world, without, box->health));
    trial.notes.used = 0;
    cosm_commands *commands = cosm_commands_create(box->batch);
    CHECK_DONE(cosm_commands_remove(commands, box->world, with, box->health));
    CHECK_DONE(cosm_commands_set(commands, box->world, without, box->health, &(Health){9}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    EXPECT(&trial.notes, "health remove w0 0=8; health add w0 1=9; ");
    cosm_commands_destroy(commands);
    trial_close(&trial);
}

TEST(temporary_rows_are_not_told_of) {
    struct place_of_trial trial;
    trial_open(&trial, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(trial.box.world, trial.box.event, 3, &rows));
    cosm_commands *commands = cosm_commands_create(trial.box.batch);
    CHECK_DONE(cosm_commands_emit(commands, trial.box.world, trial.box.event, NULL, 0));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_table_clear(trial.box.world, trial.box.event));
    CHECK_DONE(cosm_batch_step(trial.box.batch));
    EXPECT(&trial.notes, "");
    trial_close(&trial);
}

TEST(an_observer_hears_from_archetypes_and_batches_that_come_later) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_entity e = fixture_spawn(&box, 0);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    cosm_observer_desc desc = {
        .name = "late", .component = box.health, .run = take_note, .context = &notes};
    cosm_observer observer = cosm_observer_define(box.engine, &desc);
    EXPECT(&notes, "");                                    // what is there already is not told
    CHECK_DONE(cosm_entity_add(box.world, e, box.health)); // forms an archetype
    EXPECT(&notes, "late add w0 0=100; ");
    CHECK_DONE(cosm_entity_despawn(box.world, (cosm_entity){1, 1})); // of a store from before
    EXPECT(&notes, "late remove w0 1=100; ");
    cosm_batch *batch = cosm_batch_create(box.engine, NULL);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), box.slot)));
    EXPECT(&notes, "late add w0 0=100; ");
    CHECK_DONE(cosm_observer_enable(box.engine, observer, false));
    CHECK(!cosm_observer_describe(box.engine, observer).is_enabled);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), box.slot)));
    CHECK_DONE(cosm_entity_remove(box.world, e, box.health));
    EXPECT(&notes, "");
    CHECK_DONE(cosm_observer_enable(box.engine, observer, true));
    CHECK(cosm_observer_describe(box.engine, observer).is_enabled);
    EXPECT(&notes, "");
    CHECK_DONE(cosm_entity_add(box.world, e, box.health));
    EXPECT(&notes, "late add w0 0=100; ");
    CHECK_DONE(cosm_observer_remove(box.engine, observer));
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    CHECK_DONE(cosm_batch_destroy(batch));
    EXPECT(&notes, "");
    fixture_close(&box);
}

TEST(one_that_is_defined_disabled_waits_until_it_is_switched_on) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {.name = "off",
                               .component = box.health,
                               .run = take_note,
                               .context = &notes,
                               .disabled = true};
    cosm_observer observer = cosm_observer_define(box.engine, &desc);
    CHECK(observer.id != 0);
    CHECK(!cosm_observer_describe(box.engine, observer).is_enabled);
    cosm_entity e = cosm_entity_spawn(box.world, box.slot);
    EXPECT(&notes, "");
    CHECK_DONE(cosm_observer_enable(box.engine, observer, true));
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    EXPECT(&notes, "off remove w0 0=100; ");
    fixture_close(&box);
}

TEST(observers_are_found_by_name_until_they_are_removed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct notes notes = {.health = box.health};
    cosm_observer_desc desc = {
        .name = "x", .component = box.health, .run = take_note, .context = &notes};
    cosm_observer x = cosm_observer_define(box.engine, &desc);
    CHECK_INT(cosm_observer_find(box.engine, "x").id, x.id);
    CHECK_STR(cosm_observer_describe(box.engine, x).name, "x");
    CHECK_INT(cosm_engine_describe(box.engine).observer_count, 1);
    cosm_error_clear();
    CHECK_INT(cosm_observer_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_observer_define", "'x'", "another name");
    CHECK_DONE(cosm_observer_remove(box.engine, x));
    CHECK_INT(cosm_observer_find(box.engine, "x").id, 0);
    CHECK(cosm_observer_describe(box.engine, x).name == NULL);
    CHECK_INT(cosm_engine_describe(box.engine).observer_count, 0);
    CHECK_FAILS(cosm_observer_remove(box.engine, x), COSM_ERROR_ARGUMENT, "cosm_observer_remove",
                "observer 1", "cosm_observer_define");
    CHECK_FAILS(cosm_observer_enable(box.engine, x, true), COSM_ERROR_ARGUMENT,
                "cosm_observer_enable", "observer 1", "cosm_observer_define");
    CHECK(cosm_observer_define(box.engine, &desc).id != 0);
    CHECK_INT(cosm_observer_find(NULL, "x").id + cosm_observer_find(box.engine, NULL).id, 0);
    CHECK(cosm_observer_describe(NULL, x).name == NULL);
    CHECK_INT(cosm_engine_describe(NULL).observer_count, 0);
    CHECK(!cosm_observer_describe(NULL, x).is_enabled);
    fixture_close(&box);
}

TEST(a_state_that_is_put_in_place_whole_is_told_to_nobody) {
    struct place_of_trial trial;
    trial_open(&trial, 2);
    cosm_worlds all = cosm_worlds_all(trial.box.batch);
    cosm_entity patient = spawn_patient(&trial, 7);
    cosm_snapshot *snapshot = cosm_snapshot_create(all);
    cosm_rollback *past = cosm_rollback_create(all, NULL);
    CHECK_DONE(cosm_rollback_keep(past));
    CHECK_DONE(cosm_entity_despawn(trial.box.world, patient));
    EXPECT(&trial.notes, "health add w0 0=7; health remove w0 0=7; ");
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, all));
    CHECK(cosm_entity_is_alive(trial.box.world, patient));
    CHECK_DONE(cosm_entity_despawn(trial.box.world, patient));
    EXPECT(&trial.notes, "health remove w0 0=7; ");
    CHECK_DONE(cosm_rollback_back(past, 1));
    CHECK(cosm_entity_is_alive(trial.box.world, patient));
    CHECK_DONE(cosm_fork_world(trial.box.world, cosm_worlds_range(trial.box.batch, 1, 1), NULL));
    CHECK(cosm_entity_is_alive(fixture_world(&trial.box, 1), patient));
    EXPECT(&trial.notes, "");
    cosm_rollback_destroy(past);
    cosm_snapshot_destroy(snapshot);
    trial_close(&trial);
}
