// Managed components in commands, walks and systems: objects are copied when they are recorded,
// moved when they are applied, and released where they come to nothing.
#include "harness.h"
#include "support/storages.h"

// Records a set of a text of that number.
static cosm_result record_text(struct fixture *box, cosm_commands *commands, cosm_world world,
                               cosm_entity entity, uint32_t number) {
    Text text;
    text_open(&box->books, &text, number);
    cosm_result result = cosm_commands_set(commands, world, entity, box->text, &text);
    text_end(&box->books, &text);
    return result;
}

static cosm_entity record_spawn(struct fixture *box, cosm_commands *commands, uint32_t number) {
    Text text;
    Mesh mesh;
    text_open(&box->books, &text, number);
    mesh_open(&box->books, &mesh, number + 1);
    cosm_value values[] = {
        {box->position, &(Position){1, 2, 3}}, {box->mesh, &mesh}, {box->text, &text}};
    cosm_entity entity = cosm_commands_spawn_with(commands, box->world, box->pack, values, 3);
    text_end(&box->books, &text);
    mesh_end(&box->books, &mesh);
    return entity;
}

TEST(commands_copy_an_object_once_and_move_it_in) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity has = spawn_text(&box, box.world, 1);
    cosm_entity none = cosm_entity_spawn(box.world, box.actor);
    cosm_entity lacks = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(record_text(&box, commands, box.world, has, 11));
    CHECK_DONE(record_text(&box, commands, box.world, none, 12));
    CHECK_DONE(record_text(&box, commands, box.world, lacks, 13));
    cosm_entity made = record_spawn(&box, commands, 20);
    CHECK_INT(objects_count(&box.books), 1 + 3 + 2);
    uint64_t before = objects_made(&box.books);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(objects_made(&box.books), before);
    CHECK_INT(report.written, 6);
    CHECK_INT(objects_count(&box.books), 5);
    CHECK_INT(text_of(&box, box.world, has), 11);
    CHECK_INT(text_of(&box, box.world, none), 12);
    CHECK_INT(text_of(&box, box.world, lacks), 13);
    CHECK_INT(text_of(&box, box.world, made), 20);
    CHECK_INT(mesh_of(&box, box.world, made), 21);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(what_comes_to_nothing_is_released) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity a = spawn_text(&box, box.world, 1);
    cosm_entity b = spawn_text(&box, box.world, 2);
    cosm_entity gone = spawn_text(&box, box.world, 3);
    CHECK_DONE(cosm_entity_despawn(box.world, gone));
    CHECK_DONE(record_text(&box, commands, box.world, a, 10)); // overwritten
    CHECK_DONE(record_text(&box, commands, box.world, a, 11));
    CHECK_DONE(record_text(&box, commands, box.world, gone, 12)); // skipped
    CHECK_DONE(record_text(&box, commands, box.world, b, 13));    // despawned afterwards
    CHECK_DONE(cosm_commands_despawn(commands, box.world, b));
    CHECK_DONE(record_text(&box, commands, box.world, b, 14));
    cosm_entity made = record_spawn(&box, commands, 20); // never lives
    CHECK_DONE(cosm_commands_despawn(commands, box.world, made));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 2);
    CHECK_INT(text_of(&box, box.world, a), 11);
    CHECK_INT(objects_count(&box.books), 1);
    CHECK_DONE(record_text(&box, commands, box.world, a, 15)); // cleared
    record_spawn(&box, commands, 30);
    cosm_commands_clear(commands);
    CHECK_INT(objects_count(&box.books), 1);
    CHECK_DONE(record_text(&box, commands, box.world, a, 16)); // destroyed
    record_spawn(&box, commands, 40);
    cosm_commands_destroy(commands);
    CHECK_INT(objects_count(&box.books), 1);
    fixture_close(&box);
}

TEST(removing_and_adding_in_one_apply_ends_as_one_after_the_other) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity a = spawn_text(&box, box.world, 1);
    cosm_entity b = spawn_text(&box, box.world, 2);
    cosm_entity c = spawn_text(&box, box.world, 3);
    cosm_entity d = spawn_text(&box, box.world, 4);
    CHECK_DONE(cosm_commands_remove(commands, box.world, a, box.text));
    CHECK_DONE(cosm_commands_add(commands, box.world, a, box.text));
    CHECK_DONE(record_text(&box, commands, box.world, b, 5));
    CHECK_DONE(cosm_commands_remove(commands, box.world, b, box.text));
    CHECK_DONE(cosm_commands_remove(commands, box.world, c, box.text));
    CHECK_DONE(record_text(&box, commands, box.world, c, 6));
    CHECK_DONE(cosm_commands_add(commands, box.world, d, box.text)); // is there
    CHECK_DONE(cosm_commands_add(commands, box.world, d, box.mark));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_has(box.world, a, box.text));
    CHECK_INT(text_of(&box, box.world, a), OBJECT_NONE);
    CHECK(!cosm_entity_has(box.world, b, box.text));
    CHECK_INT(text_of(&box, box.world, c), 6);
    CHECK_INT(text_of(&box, box.world, d), 4);
    CHECK_INT(objects_count(&box.books), 2);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(full_tables_trade_rows_and_each_keeps_its_object) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_archetype other = cosm_archetype_define(
        box.engine,
        &(cosm_archetype_desc){.components = {box.position, box.text, box.mesh, box.mark, box.pair},
                               .placement = COSM_PLACEMENT_FIXED,
                               .max_per_world = 4});
    cosm_entity left[4];
    cosm_entity right[4];
    for (uint32_t i = 0; i < 4; i++) {
        left[i] = cosm_entity_spawn(box.world, box.pack);
        right[i] = cosm_entity_spawn(box.world, other);
        Text text;
        text_open(&box.books, &text, i);
        CHECK_DONE(cosm_managed_put(box.world, left[i], box.text, &text));
        text_open(&box.books, &text, 10 + i);
        CHECK_DONE(cosm_managed_put(box.world, right[i], box.text, &text));
        CHECK(cosm_managed_emplace(box.world, right[i], box.mesh) != NULL);
    }
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_DONE(cosm_commands_add(commands, box.world, left[i], box.pair));
        CHECK_DONE(cosm_commands_remove(commands, box.world, right[i], box.pair));
    }
    // By way of a third table, where one object ends.
    CHECK_DONE(cosm_commands_remove(commands, box.world, right[0], box.mesh));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(text_of(&box, box.world, left[i]), i);
        CHECK_INT(text_of(&box, box.world, right[i]), 10 + i);
        CHECK_INT(mesh_of(&box, box.world, right[i]), i == 0 ? OBJECT_NONE : 0);
    }
    CHECK_INT(objects_count(&box.books), 8 + 3);
    CHECK_VALID(box.batch);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_failed_apply_keeps_the_objects_of_its_commands) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 5; i++) { // one too many
        record_spawn(&box, commands, 10 * i);
    }
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_commands_apply(commands, NULL), COSM_ERROR_FULL);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_INT(objects_count(&box.books), 10);
    CHECK_INT(cosm_commands_count(commands), 5);
    cosm_commands_clear(commands);
    CHECK_INT(objects_count(&box.books), 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(while_a_world_is_walked_objects_are_replaced_but_do_not_come_or_go) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity has = spawn_text(&box, box.world, 1);
    cosm_entity none = cosm_entity_spawn(box.world, box.actor);
    Text text;
    text_open(&box.books, &text, 2);
    cosm_rows rows;
    cosm_query_walk(box.texts, box.all, &rows);
    REQUIRE(cosm_rows_next(&rows));
    CHECK_DONE(cosm_entity_set(box.world, has, box.text, &text));
    CHECK_DONE(cosm_rows_set(&rows, 0, box.text, &text));
    CHECK(cosm_managed_emplace(box.world, has, box.text) != NULL);
    CHECK_FAILS(cosm_entity_set(box.world, none, box.text, &text), COSM_ERROR_WALKED,
                "cosm_entity_set", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_rows_set(&rows, 1, box.text, &text), COSM_ERROR_WALKED, "cosm_rows_set",
                "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_put(box.world, none, box.text, &text), COSM_ERROR_WALKED,
                "cosm_managed_put", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_put(box.world, has, box.mesh, &text), COSM_ERROR_WALKED,
                "cosm_managed_put", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_clear(box.world, has, box.text), COSM_ERROR_WALKED,
                "cosm_managed_clear", "world 0", "cosm_commands");
    CHECK_FAILS(cosm_managed_take(box.world, has, box.text, &text), COSM_ERROR_WALKED,
                "cosm_managed_take", "world 0", "cosm_commands");
    cosm_error_clear();
    CHECK(cosm_managed_emplace(box.world, none, box.text) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_managed_emplace", "world 0", "cosm_commands");
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_set(commands, box.world, none, box.text, &text));
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(text_of(&box, box.world, none), 2);
    CHECK_INT(text_of(&box, box.world, has), 0);
    cosm_commands_destroy(commands);
    text_end(&box.books, &text);
    fixture_close(&box);
}

struct meddler {
    struct fixture *box;
    cosm_entity entity;
    uint32_t refused;
    uint32_t calls;
};

static void meddle(struct meddler *meddler) {
    struct fixture *box = meddler->box;
    meddler->calls++;
    meddler->refused += cosm_entity_is_none(cosm_entity_spawn(box->world, box->plain));
    meddler->refused += cosm_entity_despawn(box->world, meddler->entity) == COSM_ERROR_WALKED;
    meddler->refused += cosm_world_reset(box->world) == COSM_ERROR_WALKED;
}

static bool meddling_copy(void *context, void *object, const void *source) {
    *(Pair *)object = *(const Pair *)source;
    meddle(context);
    return true;
}

static void meddling_destroy(void *context, void *object) {
    (void)object;
    meddle(context);
}

TEST(a_hook_that_changes_its_world_is_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    struct meddler meddler = {&box, cosm_entity_spawn(box.world, box.plain), 0, 0};
    cosm_component odd = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "Odd",
                                           .size = sizeof(Pair),
                                           .storage = COSM_STORAGE_MANAGED,
                                           .lifecycle = {.copy = meddling_copy,
                                                         .destroy = meddling_destroy,
                                                         .context = &meddler}});
    Pair pair = {1, 2};
    cosm_entity entity = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(cosm_entity_set(box.world, entity, odd, &pair));
    CHECK_INT(meddler.calls, 1);
    CHECK_DONE(cosm_entity_remove(box.world, entity, odd));
    CHECK_DONE(cosm_entity_set(box.world, entity, odd, &pair));
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    CHECK_INT(meddler.calls, 4);
    CHECK_INT(meddler.refused, 3 * 4);
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    CHECK_VALID(box.batch);
    CHECK(!cosm_world_is_walked(box.world));
    CHECK_DONE(cosm_entity_set(box.world, meddler.entity, odd, &pair));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_INT(meddler.refused, 3 * 6);
    fixture_close(&box);
}

static void rename_all(cosm_rows *rows) {
    struct fixture *box = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        Text *text = cosm_managed_row_write(rows, i, box->text);
        Text made;
        text_open(&box->books, &made, text == NULL ? 1 : text->number + 1);
        cosm_world world = cosm_rows_world(rows, i);
        cosm_result result = text != NULL ? cosm_rows_set(rows, i, box->text, &made)
                                          : cosm_commands_set(cosm_turn_commands(rows->turn), world,
                                                              rows->entities[i], box->text, &made);
        CHECK_INT(result, COSM_OK);
        text_end(&box->books, &made);
    }
}

TEST(systems_replace_objects_and_record_new_ones) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 3);
    cosm_entity entities[9];
    for (uint32_t i = 0; i < 9; i++) {
        entities[i] = cosm_entity_spawn(fixture_world(&box, i % 3), box.actor);
    }
    CHECK(cosm_system_define(
              box.engine,
              &(cosm_system_desc){
                  .name = "rename",
                  .each = rename_all,
                  .context = &box,
                  .commands = true,
                  .queries = {{.terms = {{.component = box.text, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    for (uint32_t step = 1; step <= 4; step++) {
        CHECK_DONE(cosm_batch_step(box.batch));
        for (uint32_t i = 0; i < 9; i++) {
            CHECK_INT(text_of(&box, fixture_world(&box, i % 3), entities[i]), step);
        }
    }
    CHECK_INT(objects_count(&box.books), 9);
    fixture_close(&box);
}

static void give_directly(cosm_rows *rows) {
    struct fixture *box = rows->context;
    Text text;
    text_open(&box->books, &text, 1);
    CHECK_INT(cosm_rows_set(rows, 0, box->text, &text), COSM_ERROR_WALKED);
    text_end(&box->books, &text);
}

TEST(a_system_that_gives_an_object_directly_is_refused) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.actor)));
    CHECK(cosm_system_define(
              box.engine,
              &(cosm_system_desc){
                  .name = "give",
                  .each = give_directly,
                  .context = &box,
                  .queries = {{.terms = {{.component = box.text, .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_WALKED);
    CHECK_INT(objects_count(&box.books), 0);
    fixture_close(&box);
}
