// Templates with components of every storage where memory is refused, or a hook says no: each call
// is done, or has changed nothing.
#include <stdio.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/templates.h"

enum { DEED_COUNT = 9 };

struct trial {
    struct fixture box;
    cosm_commands *commands;
    cosm_world world; // nobody lives there yet
    cosm_world home;  // of a tree
    cosm_entity tree;
    struct other_values other;
};

static cosm_result spawn_result(cosm_entity entity) {
    return cosm_entity_is_none(entity) ? cosm_error_result() : COSM_OK;
}

static cosm_result define_result(cosm_template made) {
    return made.id == 0 ? cosm_error_result() : COSM_OK;
}

static cosm_result do_deed(struct trial *trial, uint32_t deed) {
    struct fixture *box = &trial->box;
    const cosm_value *list = trial->other.list;
    cosm_rows rows;
    cosm_result result;
    switch (deed) {
    case 0:
        return define_result(cosm_template_define(
            box->engine, &(cosm_template_desc){.name = "oak",
                                               .components = {box->wet},
                                               .values = list,
                                               .value_count = 7,
                                               .children = &(cosm_template_child){box->tree, 2},
                                               .child_count = 1}));
    case 1:
        return spawn_result(cosm_template_spawn(trial->world, box->tree, NULL, 0));
    case 2:
        return spawn_result(cosm_template_spawn(trial->world, box->tree, list, 7));
    case 3:
        result = cosm_template_spawn_many(trial->world, box->tree, 5, list, 7, &rows);
        CHECK_INT(rows.count, result == COSM_OK ? 5 : 0);
        return result;
    case 4:
        return spawn_result(cosm_template_spawn(trial->world, box->twin, NULL, 0));
    case 5:
        return define_result(cosm_template_capture(trial->home, trial->tree, "whole", true));
    case 6:
        return spawn_result(
            cosm_commands_spawn_template(trial->commands, trial->world, box->tree, list, 7));
    case 7:
        return cosm_commands_apply(trial->commands, NULL);
    default: // of what was captured, with all objects at hand
        return cosm_template_spawn_many(trial->world, cosm_template_find(box->engine, "whole"), 3,
                                        NULL, 0, &rows);
    }
}

static void trial_open(struct trial *trial, struct ledger *ledger) {
    cosm_engine_desc desc = {.worker_count = 1};
    if (ledger != NULL) {
        desc.allocator = ledger_allocator(ledger);
    }
    fixture_open_with(&trial->box, FIXTURE_TEMPLATE, &desc, &(cosm_batch_desc){.world_count = 2});
    define_templates(&trial->box);
    struct fixture *box = &trial->box;
    trial->world = fixture_world(box, 1);
    trial->home = box->world;
    trial->commands = cosm_commands_create(box->batch);
    trial->tree = cosm_template_spawn(trial->home, trial->box.tree, NULL, 0);
    other_open(&trial->box, &trial->other, 100);
    CHECK(!cosm_entity_is_none(trial->tree));
}

static void trial_close(struct trial *trial) {
    other_close(&trial->box, &trial->other);
    cosm_commands_destroy(trial->commands);
    fixture_close(&trial->box);
}

static void count_events(const cosm_event *event) {
    uint64_t *count = event->context;
    *count += event->kind == COSM_EVENT_ADD ? event->count : 0;
}

// Observers of texts, labels and notes, which count what they are told of.
static void watch_trial(struct trial *trial, uint64_t *told) {
    struct fixture *box = &trial->box;
    const cosm_component watched[] = {box->text, box->title, box->note};
    for (uint32_t i = 0; i < 3; i++) {
        char name[8];
        (void)snprintf(name, sizeof(name), "o%u", i);
        CHECK(cosm_observer_define(box->engine, &(cosm_observer_desc){.name = name,
                                                                      .component = watched[i],
                                                                      .run = count_events,
                                                                      .context = told})
                  .id != 0);
    }
}

// Does a deed with the n-th request refused, of memory or of hooks; whether anything was. Where it
// fails, nothing has changed, and it can be done again.
static bool try_deed(struct trial *trial, uint32_t deed, struct ledger *ledger, uint64_t n,
                     uint64_t *told) {
    struct fixture *box = &trial->box;
    uint64_t checksum = cosm_hash_batch(box->batch, COSM_HASH_CONTENT);
    uint32_t entities = cosm_world_entity_count(trial->world);
    size_t count = objects_count(&box->books);
    uint32_t recorded = cosm_commands_count(trial->commands);
    uint64_t told_before = *told;
    cosm_error_clear();
    if (ledger != NULL) {
        ledger_refuse(ledger, n, 1);
    } else {
        objects_refuse(&box->books, n, 1);
    }
    cosm_result result = do_deed(trial, deed);
    bool refused = ledger != NULL ? ledger_relent(ledger) : objects_relent(&box->books);
    if (result != COSM_OK) {
        CHECK(refused);
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_CONTAINS(cosm_error_message(), ": ");
        CHECK_INT(cosm_hash_batch(box->batch, COSM_HASH_CONTENT), checksum);
        CHECK_INT(cosm_world_entity_count(trial->world), entities);
        CHECK_INT(objects_count(&box->books), count);
        CHECK_INT(cosm_commands_count(trial->commands), recorded);
        CHECK_INT(*told, told_before);
        CHECK_VALID(box->batch);
        CHECK_DONE(do_deed(trial, deed));
    }
    CHECK_VALID(box->batch);
    return refused;
}

// One attempt with everything new, up to the deed; whether anything was refused.
static bool try_anew(uint32_t deed, bool of_memory, bool is_watched, uint64_t n) {
    static const uint32_t texts[DEED_COUNT] = {0, 13, 13, 65, 1, 0, 0, 13, 39};
    struct ledger ledger;
    ledger_open(&ledger);
    struct trial trial;
    uint64_t told = 0;
    trial_open(&trial, of_memory ? &ledger : NULL);
    if (is_watched) {
        watch_trial(&trial, &told);
    }
    if (deed >= 7) {
        CHECK_DONE(do_deed(&trial, deed == 7 ? 6 : 5)); // what it needs
    }
    bool refused = try_deed(&trial, deed, of_memory ? &ledger : NULL, n, &told);
    CHECK_INT(told, is_watched ? texts[deed] : 0);
    trial_close(&trial);
    ledger_close(&ledger);
    return refused;
}

static void try_all(bool of_memory, bool is_watched) {
    for (uint32_t deed = 0; deed < DEED_COUNT; deed++) {
        uint64_t n = 1;
        while (try_anew(deed, of_memory, is_watched, n)) {
            n++;
        }
        CHECK(n > 1);
    }
}

TEST(a_hook_that_says_no_leaves_everything_as_it_was) {
    try_all(false, false);
}

TEST(a_hook_that_says_no_leaves_observers_untold) {
    try_all(false, true);
}

TEST(memory_that_is_refused_leaves_everything_as_it_was) {
    try_all(true, false);
}

TEST(memory_that_is_refused_leaves_observers_untold) {
    try_all(true, true);
}

TEST(a_failed_spawn_leaves_no_table_of_a_shared_value) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_rows rows;
    objects_refuse(&box.books, 3, 1); // the label is there, and so is a text
    cosm_value level = {box.level, &(Level){77}};
    CHECK_INT(cosm_template_spawn_many(box.world, box.tree, 4, &level, 1, &rows),
              COSM_ERROR_MEMORY);
    CHECK(objects_relent(&box.books));
    CHECK_INT(cosm_shared_value_count(box.world, box.level), 0);
    CHECK_INT(cosm_shared_value_count(box.world, box.title), 0);
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    CHECK_INT(cosm_managed_count(box.world, box.text), 0);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_full_table_spawns_nobody_and_makes_no_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    Text text;
    text_open(&box.books, &text, 5);
    cosm_value values[] = {{box.text, &text}, {box.kiln, &(Kiln){.number = 6}}};
    cosm_template pack = cosm_template_define(
        box.engine, &(cosm_template_desc){
                        .name = "pack", .archetype = box.pack, .values = values, .value_count = 2});
    text_end(&box.books, &text);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, pack, 3, NULL, 0, &rows));
    size_t count = objects_count(&box.books);
    CHECK_FAILS(cosm_template_spawn_many(box.world, pack, 2, NULL, 0, &rows), COSM_ERROR_FULL,
                "cosm_template_spawn_many:", "3 of max_per_world 4", "despawn some");
    CHECK_INT(objects_count(&box.books), count);
    CHECK(!cosm_entity_is_none(cosm_template_spawn(box.world, pack, NULL, 0)));
    CHECK(cosm_entity_is_none(cosm_template_spawn(box.world, pack, NULL, 0)));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_template_spawn:", "4 of max_per_world 4", "despawn some");
    CHECK_INT(objects_count(&box.books), count + 1);
    fixture_close(&box);
}
