// Storages next to each other: what one of them does to the others.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

typedef struct Name {
    char *text;
} Name;

static bool copy_name(void *context, void *object, const void *source) {
    (void)context;
    const Name *from = source;
    Name *to = object;
    size_t size = from->text == NULL ? 0 : strlen(from->text) + 1;
    to->text = size == 0 ? NULL : malloc(size);
    if (size > 0 && to->text != NULL) {
        memcpy(to->text, from->text, size);
    }
    return size == 0 || to->text != NULL;
}

static void end_name(void *context, void *object) {
    (void)context;
    free(((Name *)object)->text);
}

struct mix {
    struct fixture box;
    cosm_world world;
    cosm_component team;   // shared
    cosm_component owned;  // managed
    cosm_component name;   // an object in sectors
    cosm_archetype plain;  // position
    cosm_archetype player; // position, team
    cosm_archetype owner;  // position, owned
};

static void mix_open(struct mix *mix, uint32_t worlds) {
    fixture_open(&mix->box, 0, worlds);
    cosm_engine *engine = mix->box.engine;
    mix->world = fixture_world(&mix->box, 0);
    mix->team = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED});
    mix->owned = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Owned", .size = sizeof(uint64_t), .storage = COSM_STORAGE_MANAGED});
    mix->name = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Name",
                                       .size = sizeof(Name),
                                       .storage = COSM_STORAGE_SECTOR,
                                       .lifecycle = {.copy = copy_name, .destroy = end_name}});
    mix->plain = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "a", .components = {mix->box.position}});
    mix->player = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "b", .components = {mix->box.position, mix->team}});
    mix->owner = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "c", .components = {mix->box.position, mix->owned}});
    REQUIRE(mix->owner.id != 0 && mix->player.id != 0 && mix->plain.id != 0);
}

static void mix_close(struct mix *mix) {
    CHECK_DONE(cosm_batch_validate(mix->box.batch));
    fixture_close(&mix->box);
}

TEST(a_query_sets_objects_for_rows_that_have_one_and_for_rows_that_get_one) {
    struct mix mix;
    mix_open(&mix, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(mix.world, mix.plain, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(mix.world, mix.owner, 5, &rows));
    cosm_query *all = cosm_query_create(
        mix.box.engine, &(cosm_query_desc){.terms = {{.component = mix.box.position,
                                                      .access = COSM_ACCESS_WRITE}}});
    uint64_t value = 7;
    CHECK_DONE(cosm_query_set(all, cosm_worlds_all(mix.box.batch), mix.owned, &value));
    CHECK_INT(cosm_managed_count(mix.world, mix.owned), 8);
    CHECK_DONE(cosm_batch_validate(mix.box.batch));
    cosm_query_destroy(all);
    mix_close(&mix);
}

TEST(a_spawn_with_an_object_may_have_a_sector_value_too) {
    struct mix mix;
    mix_open(&mix, 1);
    uint64_t object = 9;
    Name name = {(char *)"pebble"};
    cosm_value values[] = {{mix.owned, &object}, {mix.name, &name}};
    cosm_entity entity = cosm_entity_spawn_with(mix.world, mix.owner, values, 2);
    CHECK_INT(*(const uint64_t *)cosm_entity_read(mix.world, entity, mix.owned), 9);
    CHECK_STR(COSM_READ(mix.world, entity, Name)->text, "pebble");
    mix_close(&mix);
}

TEST(the_first_object_of_an_entity_leaves_no_empty_table_of_shared_values) {
    struct mix mix;
    mix_open(&mix, 1);
    cosm_entity entity = cosm_entity_spawn(mix.world, mix.player);
    uint64_t object = 1;
    CHECK_DONE(cosm_entity_set(mix.world, entity, mix.owned, &object));
    CHECK_DONE(cosm_batch_validate(mix.box.batch));
    CHECK_DONE(cosm_tree_despawn(mix.world, entity));
    CHECK_INT(cosm_shared_value_count(mix.world, mix.team), 0);
    mix_close(&mix);
}

TEST(an_entity_that_gets_a_sector_value_and_ends_with_its_tree_leaves_nothing) {
    struct mix mix;
    mix_open(&mix, 1);
    cosm_commands *commands = cosm_commands_create(mix.box.batch);
    cosm_entity entity = cosm_entity_spawn(mix.world, mix.plain);
    Name name = {(char *)"pebble"};
    CHECK_DONE(cosm_commands_set(commands, mix.world, entity, mix.name, &name));
    CHECK_DONE(cosm_commands_despawn_tree(commands, mix.world, entity));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    mix_close(&mix);
}

TEST(an_object_is_not_taken_to_where_another_one_lies) {
    struct mix mix;
    mix_open(&mix, 1);
    uint64_t object = 3;
    cosm_value value = {mix.owned, &object};
    cosm_entity a = cosm_entity_spawn_with(mix.world, mix.owner, &value, 1);
    cosm_entity b = cosm_entity_spawn_with(mix.world, mix.owner, &value, 1);
    void *there = cosm_entity_write(mix.world, a, mix.owned);
    CHECK(cosm_managed_take(mix.world, b, mix.owned, there) == COSM_ERROR_ARGUMENT);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_managed_take:", "out_object", "memory of your own");
    CHECK_INT(cosm_managed_count(mix.world, mix.owned), 2);
    mix_close(&mix);
}

// What an observer saw and did.
struct witness {
    uint32_t added;
    uint32_t removed;
    const void *value; // at the last removal
    bool respawns;
};

static void look(const cosm_event *event) {
    struct witness *witness = event->context;
    witness->added += event->kind == COSM_EVENT_ADD ? event->count : 0;
    witness->removed += event->kind == COSM_EVENT_REMOVE ? event->count : 0;
    if (event->kind == COSM_EVENT_REMOVE) {
        witness->value = cosm_event_value(event, 0, event->component);
    }
    if (event->kind == COSM_EVENT_ADD && witness->respawns) {
        witness->respawns = false;
        CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[0]));
        CHECK(!cosm_entity_is_none(
            cosm_commands_spawn(event->commands, event->world, event->archetype)));
    }
}

static void watch(struct mix *mix, cosm_component component, struct witness *witness) {
    CHECK(cosm_observer_define(mix->box.engine, &(cosm_observer_desc){.name = "look",
                                                                      .component = component,
                                                                      .run = look,
                                                                      .context = witness})
              .id != 0);
}

TEST(the_object_of_a_sector_that_has_ended_is_not_shown) {
    struct mix mix;
    mix_open(&mix, 1);
    struct witness witness = {.value = &witness};
    watch(&mix, mix.name, &witness);
    cosm_entity entity = cosm_entity_spawn(mix.world, mix.plain);
    Name name = {(char *)"pebble"};
    CHECK_DONE(cosm_entity_set(mix.world, entity, mix.name, &name));
    CHECK_DONE(cosm_entity_remove(mix.world, entity, mix.name));
    CHECK_INT(witness.added, 1);
    CHECK_INT(witness.removed, 1);
    CHECK(witness.value == NULL);
    mix_close(&mix);
}

TEST(rows_in_which_others_stand_once_observers_were_told_are_not_shown) {
    struct mix mix;
    mix_open(&mix, 1);
    struct witness witness = {.respawns = true};
    watch(&mix, mix.box.position, &witness);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(mix.world, mix.plain, 10, &rows));
    CHECK_INT(rows.count, 0);
    CHECK_INT(cosm_world_entity_count(mix.world), 10);
    CHECK_DONE(cosm_entity_spawn_many(mix.world, mix.plain, 10, &rows));
    CHECK_INT(rows.count, 10);
    mix_close(&mix);
}

// Adds the context's component to the first entity of each world.
static void add_to_first(const cosm_turn *turn) {
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_worlds one = {turn->worlds.batch, turn->worlds.first + w, 1};
        cosm_rows rows;
        cosm_turn_walk(turn, 0, one, &rows);
        while (cosm_rows_next(&rows)) {
            CHECK_DONE(cosm_commands_add(cosm_turn_commands(turn), cosm_rows_world(&rows, 0),
                                         rows.entities[0], *(cosm_component *)turn->context));
        }
    }
}

TEST(observers_are_told_of_the_worlds_whose_commands_could_be_applied) {
    struct mix mix;
    mix_open(&mix, 2);
    cosm_engine *engine = mix.box.engine;
    cosm_component tag = COSM_TAG_DEFINE(engine, Tag);
    cosm_component shut = COSM_TAG_DEFINE(engine, Shut);
    cosm_archetype sealed = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .name = "sealed", .components = {mix.box.position, shut}, .sealed = true});
    struct witness witness = {0};
    watch(&mix, mix.owned, &witness);
    cosm_component contexts[] = {tag, mix.owned};
    const char *names[] = {"first", "second"};
    for (uint32_t i = 0; i < 2; i++) {
        cosm_system_desc desc = {
            .name = names[i], .run = add_to_first, .context = &contexts[i], .commands = true};
        desc.queries[0].terms[0] = (cosm_term){.component = mix.box.position};
        CHECK(cosm_system_define(engine, &desc).id != 0);
    }
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(mix.world, sealed)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&mix.box, 1), mix.plain)));
    CHECK(cosm_batch_step(mix.box.batch) == COSM_ERROR_SEALED);
    cosm_query *with = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = mix.owned, .access = COSM_ACCESS_WRITE}}});
    CHECK_INT(cosm_query_count(with, cosm_worlds_all(mix.box.batch)), 1);
    cosm_query_destroy(with);
    CHECK_INT(witness.added, 1);
    cosm_error_clear();
    mix_close(&mix);
}

TEST(objects_made_from_a_default_are_copies_of_it) {
    struct mix mix;
    mix_open(&mix, 1);
    Name none = {(char *)"nobody"};
    cosm_component managed = cosm_component_define(
        mix.box.engine,
        &(cosm_component_desc){.name = "Named",
                               .size = sizeof(Name),
                               .default_value = &none,
                               .storage = COSM_STORAGE_MANAGED,
                               .lifecycle = {.copy = copy_name, .destroy = end_name}});
    const Name *made[2];
    for (uint32_t i = 0; i < 2; i++) {
        cosm_entity entity = cosm_entity_spawn(mix.world, mix.plain);
        made[i] = cosm_managed_emplace(mix.world, entity, managed);
        REQUIRE(made[i] != NULL);
        CHECK_STR(made[i]->text, "nobody");
    }
    // Each has what it will free.
    CHECK(made[0]->text != made[1]->text && made[0]->text != none.text);
    mix_close(&mix);
}

static uint64_t key_by_id(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)value;
    return ~(uint64_t)entity.id;
}

TEST(a_sort_of_several_tables_that_runs_out_of_memory_leaves_all_as_they_were) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 1});
    cosm_component team = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "Team", .size = sizeof(uint32_t), .storage = COSM_STORAGE_SHARED});
    cosm_archetype player = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.name = "player", .components = {box.position, team}});
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t color = i % 3;
        cosm_value value = {team, &color};
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box.world, player, &value, 1)));
    }
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    uint32_t refusals = 0;
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        ledger_refuse(&ledger, n, 1);
        cosm_result result =
            cosm_table_sort(box.world, player, (cosm_component){0}, key_by_id, NULL);
        done = !ledger_relent(&ledger);
        CHECK_INT(result, done ? COSM_OK : COSM_ERROR_MEMORY);
        CHECK(done || cosm_hash_batch(box.batch, COSM_HASH_EXACT) == before);
        refusals += done ? 0u : 1u;
    }
    CHECK(refusals > 0);
    cosm_error_clear();
    fixture_close(&box);
    ledger_close(&ledger);
}
